/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets of the host for a debugger. Nothing here blocks for ever. */
#define _GNU_SOURCE /* accept4 */
#include "emu/debug/port.h"
#include "emu/debug/socket.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAIT_MS  100
#define PATIENCE 100 /* times that long a client may take nothing */

static int fail(int code, char *error, size_t size, const char *text, const char *why)
{
    snprintf(error, size, "--gdb %.100s: %s", text, why);
    return code;
}

static int bad(char *error, size_t size, const char *text)
{
    return fail(
        -EINVAL, error, size, text,
        "give a port from 0 to 65535 (0: a free one), ADDRESS:PORT with a numeric address, unix:PATH, or stdio");
}

/* The address to listen at in words: the port may have been chosen by the host. */
static void describe(struct port *p)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[64], service[16];
    if (getsockname(p->listens, (struct sockaddr *)&address, &length) ||
        getnameinfo((struct sockaddr *)&address, length, host, sizeof host, service, sizeof service,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return;
    snprintf(p->place, sizeof p->place, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, service);
}

static int listen_at(struct port *p, const struct addrinfo *at)
{
    const int one = 1;
    p->listens = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (p->listens < 0)
        return -errno;
    (void)setsockopt(p->listens, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(p->listens, at->ai_addr, at->ai_addrlen) || listen(p->listens, 8))
        return -errno;
    describe(p);
    return 0;
}

/* PORT or ADDRESS:PORT. */
static int open_network(struct port *p, const char *text, char *error, size_t size)
{
    char host[64] = "127.0.0.1", why[200];
    const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct addrinfo *at;
    size_t n = colon ? (size_t)(colon - text) : 0;
    char *end;
    const bool brackets = n > 2 && text[0] == '[' && text[n - 1] == ']';
    const unsigned long value = strtoul(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || value > 65535 || n >= sizeof host || (colon && n == 0))
        return bad(error, size, text);
    if (colon)
        snprintf(host, sizeof host, "%.*s", (int)(brackets ? n - 2 : n), text + brackets);
    if (getaddrinfo(host, number, &hints, &at))
        return bad(error, size, text);
    const int code = listen_at(p, at);
    freeaddrinfo(at);
    if (!code)
        return 0;
    snprintf(why, sizeof why, "cannot listen there: %s; name another port", strerror(-code));
    return fail(code, error, size, text, why);
}

static int open_path(struct port *p, const char *text, char *error, size_t size)
{
    const char *path = text + strlen("unix:");
    char why[200];
    const int file = socket_listen(path, why, sizeof why);
    if (file < 0)
        return fail(file, error, size, text, why);
    p->listens = file;
    snprintf(p->path, sizeof p->path, "%s", path);
    snprintf(p->place, sizeof p->place, "%.140s", text);
    return 0;
}

static void never_wait(int file)
{
    const int flags = fcntl(file, F_GETFL);
    if (flags >= 0)
        (void)fcntl(file, F_SETFL, flags | O_NONBLOCK);
}

int port_open(struct port *p, const char *text, char *error, size_t size)
{
    int code;
    *p = (struct port){.listens = -1, .in = -1, .out = -1, .refused = -1};
    if (strcmp(text, "stdio") == 0) {
        p->stdio = true;
        p->in = STDIN_FILENO;
        p->out = STDOUT_FILENO;
        never_wait(p->in);
        never_wait(p->out);
        snprintf(p->place, sizeof p->place, "standard input and output");
        return 0;
    }
    code = strncmp(text, "unix:", 5) == 0 ? open_path(p, text, error, size) : open_network(p, text, error, size);
    if (code)
        port_close(p);
    return code;
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

void port_hang_up(struct port *p)
{
    if (p->in >= 0 && !p->stdio)
        close(p->in);
    p->in = p->out = -1;
}

void port_close(struct port *p)
{
    port_hang_up(p);
    close_file(&p->listens);
    close_file(&p->refused);
    if (p->path[0])
        unlink(p->path);
    p->path[0] = 0;
}

/* Somebody else is here: an error that gdb shows, and the end. */
static void send_away(struct port *p, int file)
{
    static const char words[] = "+$E.another debugger is connected to this machine#";
    char text[sizeof words + 2];
    uint8_t sum = 0;
    for (const char *at = words + 2; *at != '#'; at++)
        sum = (uint8_t)(sum + (uint8_t)*at);
    snprintf(text, sizeof text, "%s%02x", words, sum);
    (void)!send(file, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(file, SHUT_WR);
    close_file(&p->refused);
    p->refused = file;
}

bool port_accept(struct port *p)
{
    const int one = 1, file = p->listens < 0 ? -1 : accept4(p->listens, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (file < 0)
        return false;
    if (p->in >= 0) {
        send_away(p, file);
        return false;
    }
    (void)setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    p->in = p->out = file;
    return true;
}

long port_read(struct port *p, void *bytes, size_t size)
{
    const ssize_t n = p->in < 0 ? 0 : read(p->in, bytes, size);
    if (n > 0)
        return n;
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

bool port_write(struct port *p, const void *bytes, size_t length, bool (*give_up)(void *), void *context)
{
    const char *from = bytes;
    for (unsigned waited = 0; length && p->out >= 0;) {
        const ssize_t n = p->stdio ? write(p->out, from, length) : send(p->out, from, length, MSG_NOSIGNAL);
        struct pollfd fd = {.fd = p->out, .events = POLLOUT};
        if (n > 0) {
            from += n;
            length -= (size_t)n;
            waited = 0;
        } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        } else if (waited++ == PATIENCE || (give_up && give_up(context))) {
            return false;
        } else {
            (void)poll(&fd, 1, WAIT_MS);
        }
    }
    return p->out >= 0;
}
