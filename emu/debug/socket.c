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

int socket_listen(const char *path, char *why, size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= SOCKET_PATH || strlen(path) >= sizeof address.sun_path) {
        snprintf(why, size, "the path of a socket has 1 to %u characters", SOCKET_PATH - 1);
        return -EINVAL;
    }
    strcpy(address.sun_path, path);
    const int file = open_socket();
    int code = file < 0 ? -errno : try_bind(file, &address);
    if (code == -EADDRINUSE && is_stale(&address) && !unlink(path))
        code = try_bind(file, &address);
    if (!code && listen(file, WAITING)) {
        code = -errno;
        unlink(path);
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
