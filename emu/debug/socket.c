/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "emu/debug/socket.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define WAITING 8 /* clients that have called and were not accepted yet */

static int open_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

/* The socket is left over: nobody listens. Everything else that may be at the path is somebody's. */
static bool is_stale(const struct sockaddr_un *address)
{
    struct stat st;
    if (lstat(address->sun_path, &st) || !S_ISSOCK(st.st_mode) || st.st_uid != geteuid())
        return false;
    const int file = open_socket();
    const bool refused =
        file >= 0 && connect(file, (const struct sockaddr *)address, sizeof *address) && errno == ECONNREFUSED;
    if (file >= 0)
        close(file);
    return refused;
}

static int try_bind(int file, const struct sockaddr_un *address)
{
    const mode_t mask = umask(0177); /* nobody else's */
    const int code = bind(file, (const struct sockaddr *)address, sizeof *address) ? -errno : 0;
    umask(mask);
    return code;
}

/* A name for the socket beside the path, of this process alone; false: no name of that length may be. */
static bool name_beside(struct sockaddr_un *beside, const struct sockaddr_un *address)
{
    const int length = snprintf(beside->sun_path, sizeof beside->sun_path, "%s~%lx", address->sun_path, (long)getpid());
    return length > 0 && (size_t)length < sizeof beside->sun_path;
}

/* A socket that listens under a name of its own gets the path's: who finds the path can connect to it. */
static int give_path(const struct sockaddr_un *beside, const struct sockaddr_un *address)
{
    struct stat st;
    int code = link(beside->sun_path, address->sun_path) ? -errno : 0;
    if (code && code != -EEXIST && lstat(address->sun_path, &st) && errno == ENOENT) /* no second names there */
        return rename(beside->sun_path, address->sun_path) ? -errno : 0;
    unlink(beside->sun_path);
    return code == -EEXIST ? -EADDRINUSE : code;
}

static int try_listen(int file, const struct sockaddr_un *address)
{
    struct sockaddr_un beside = *address;
    const bool apart = name_beside(&beside, address) && !try_bind(file, &beside);
    int code = apart ? 0 : try_bind(file, address);
    if (code)
        return code;
    if (listen(file, WAITING)) {
        code = -errno;
        unlink(apart ? beside.sun_path : address->sun_path);
        return code;
    }
    return apart ? give_path(&beside, address) : 0;
}

int socket_listen(const char *path, char *why, size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= SOCKET_PATH || strlen(path) >= sizeof address.sun_path) {
        snprintf(why, size, "the path of a socket has 1 to %u characters", SOCKET_PATH - 1);
        return -EINVAL;
    }
    strcpy(address.sun_path, path);
    int file = open_socket();
    int code = file < 0 ? -errno : try_listen(file, &address);
    if (code == -EADDRINUSE && is_stale(&address) && !unlink(path)) {
        close(file); /* it is bound, and listens at no path */
        file = open_socket();
        code = file < 0 ? -errno : try_listen(file, &address);
    }
    if (!code)
        return file;
    snprintf(why, size, "cannot listen there: %s; %s", strerror(-code),
             code == -EADDRINUSE ? "somebody listens there, or it is no socket: name another path"
                                 : "name a place that you may write to");
    if (file >= 0)
        close(file);
    return code;
}
