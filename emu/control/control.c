/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control socket as a whole: clients that come and go, what they have sent and what waits for them. */
#define _GNU_SOURCE /* accept4 */
#include "emu/control/internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINES_AT_ONCE 64u    /* requests before the guest goes on */
#define SEND_AHEAD    65536u /* bytes that wait before the client's socket is tried between two looks */
#define LAST_MS       200    /* for what waits when the program ends */

static void say(const struct control *c, const char *words)
{
    const struct machine *m = c->session->machine;
    if (m->host.message)
        m->host.message(m->host.context, words);
}

/* ---- what waits for clients ---------------------------------------------------------------------------------------
 */

static size_t waits(const struct control_client *client) { return client->out_length - client->out_at; }

static void forget(struct control_client *client)
{
    if (client->file >= 0)
        close(client->file);
    free(client->in);
    free(client->out);
    *client = (struct control_client){.file = -1};
}

/* As much as its socket takes now. */
static void flush(struct control_client *client)
{
    while (!client->gone && waits(client)) {
        const ssize_t n = send(client->file, client->out + client->out_at, waits(client), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            client->out_at += (size_t)n;
            client->midline = client->out[client->out_at - 1] != '\n';
        } else if (n < 0 && errno == EINTR)
            continue;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        else
            client->gone = true;
    }
    if (!waits(client))
        client->out_at = client->out_length = 0;
}

/* Bytes behind those that wait. False: there is no memory. */
static bool append(struct control_client *client, const char *bytes, size_t n)
{
    if (client->out_at) {
        memmove(client->out, client->out + client->out_at, waits(client));
        client->out_length -= client->out_at;
        client->out_at = 0;
    }
    if (client->out_length + n > client->out_room) {
        const size_t room = 2 * (client->out_length + n) + 4096;
        char *more = realloc(client->out, room);
        if (!more)
            return false;
        client->out = more;
        client->out_room = room;
    }
    memcpy(client->out + client->out_length, bytes, n);
    client->out_length += n;
    return true;
}

/* It does not read, or the host has no memory for it: nothing more is kept for it than the line that it has begun to
   read and a last one. */
static void send_away(struct control *c, struct control_client *client, const char *why)
{
    char words[160];
    const char *end = client->midline ? memchr(client->out + client->out_at, '\n', waits(client)) : NULL;
    client->out_length = end ? (size_t)(end - client->out) + 1 : client->out_at;
    client->leaves = true;
    client->subjects = 0;
    client->lines = 0;
    client->in_length = 0;
    const int n = snprintf(words, sizeof words, "{\"event\":\"dropped\",\"error\":\"%s\"}\n", why);
    if (!append(client, words, (size_t)n))
        client->gone = true;
    flush(client);
    snprintf(words, sizeof words, "control: a client was sent away: %s; the machine goes on", why);
    say(c, words);
}

/* With the lock held. */
static void tell(struct control *c, struct control_client *client, const char *line, size_t length)
{
    if (client->gone || client->leaves)
        return;
    if (waits(client) + length + 1 > CONTROL_QUEUE)
        flush(client);
    if (waits(client) + length + 1 > CONTROL_QUEUE)
        send_away(c, client, "it does not read what it is sent");
    else if (!append(client, line, length) || !append(client, "\n", 1))
        send_away(c, client, "the host has no memory for it");
    else if (waits(client) > SEND_AHEAD)
        flush(client);
}

void control_tell(struct control *c, struct control_client *client, const char *line, size_t length)
{
    pthread_mutex_lock(&c->lock);
    tell(c, client, line, length);
    pthread_mutex_unlock(&c->lock);
}

void control_event(struct session *s, unsigned n, const char *json)
{
    struct control *c = s->control;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        if (c->clients[i].file >= 0 && c->clients[i].subjects >> (SUBJECT_CLASSES + n) & 1)
            tell(c, &c->clients[i], json, strlen(json));
    pthread_mutex_unlock(&c->lock);
}

/* ---- clients ------------------------------------------------------------------------------------------------------
 */

struct control_client *control_client_of(struct control *c, uint64_t serial)
{
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        if (c->clients[i].file >= 0 && c->clients[i].serial == serial)
            return &c->clients[i];
    return NULL;
}

const char *control_subject_name(const struct control *c, unsigned n)
{
    static const char *const own[] = {[SUBJECT_OUTPUT] = "output", [SUBJECT_RUN] = "run"};
    if (n < SUBJECT_CLASSES)
        return own[n];
    return c->host.class_name ? c->host.class_name(n - SUBJECT_CLASSES) : NULL;
}

void control_listen(struct control *c)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        all |= c->clients[i].file >= 0 ? c->clients[i].subjects : 0;
    const uint32_t classes = (uint32_t)(all >> SUBJECT_CLASSES);
    c->relisten = false;
    if (classes == c->listened)
        return;
    c->listened = classes;
    if (c->host.listen)
        c->host.listen(c->host.context, classes);
}

/* A place for one that comes; NULL: there is none. */
static struct control_client *place(struct control *c)
{
    struct control_client *found = NULL;
    for (unsigned i = 0; i < CONTROL_CLIENTS && !found; i++)
        if (c->clients[i].file < 0)
            found = &c->clients[i];
    for (unsigned i = 0; i < CONTROL_CLIENTS && !found; i++)
        if (c->clients[i].leaves && !c->clients[i].serving)
            found = &c->clients[i];
    if (found)
        forget(found);
    return found;
}

static void welcome(struct control *c)
{
    static const char full[] = "{\"error\":\"there are as many clients as there can be; try again later\"}\n";
    static const char hello[] = "{\"zri\":\"" PACKAGE_VERSION "\",\"protocol\":1}";
    const int file = accept4(c->listens, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (file < 0)
        return;
    struct control_client *client = place(c);
    char *in = client ? malloc(CONTROL_LINE) : NULL;
    if (!in) {
        (void)!send(file, full, strlen(full), MSG_NOSIGNAL | MSG_DONTWAIT);
        close(file);
        return;
    }
    *client = (struct control_client){.file = file, .serial = ++c->serial, .in = in};
    control_tell(c, client, hello, strlen(hello));
}

static unsigned count_lines(const char *bytes, size_t n)
{
    unsigned lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += bytes[i] == '\n';
    return lines;
}

/* What has come behind `from` bytes that were there: lines are counted, of one that is too long the rest is left out.
 */
static void take_bytes(struct control *c, struct control_client *client, size_t from)
{
    char *new = client->in + from;
    size_t n = client->in_length - from;
    if (client->skips) {
        const char *end = memchr(new, '\n', n);
        const size_t left_out = end ? (size_t)(end - new) + 1 : n;
        memmove(new, new + left_out, n - left_out);
        client->in_length -= left_out;
        n -= left_out;
        client->skips = !end;
    }
    client->lines += count_lines(new, n);
    if (client->in_length < CONTROL_LINE || client->lines)
        return;
    client->in_length = 0;
    client->skips = true;
    control_say(c, client, "error", "the line is longer than 65535 bytes; it was left out");
}

static void read_client(struct control *c, struct control_client *client)
{
    const size_t from = client->in_length;
    const ssize_t n = recv(client->file, client->in + from, CONTROL_LINE - from, MSG_DONTWAIT);
    if (n > 0) {
        client->in_length += (size_t)n;
        take_bytes(c, client, from);
    } else if (n == 0) {
        client->ended = true;
    } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        client->gone = true;
    }
}

/* Those who have gone, and those who will say no more and have heard everything. */
static void look_who_has_gone(struct control *c)
{
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++) {
        struct control_client *client = &c->clients[i];
        const bool done = !client->lines && !client->serving && !client->subjects && !waits(client);
        if (client->file < 0 || !((client->gone && !client->lines) || ((client->ended || client->leaves) && done)))
            continue;
        c->relisten |= client->subjects != 0;
        forget(client);
    }
}

/* ---- what the session asks ----------------------------------------------------------------------------------------
 */

static unsigned visitor_poll(void *context, struct pollfd *fds, unsigned room)
{
    struct control *c = context;
    if (room < 1 + CONTROL_CLIENTS)
        return 0;
    pthread_mutex_lock(&c->lock);
    fds[0] = (struct pollfd){.fd = c->listens, .events = POLLIN};
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++) {
        const struct control_client *client = &c->clients[i];
        const bool reads = !client->ended && !client->leaves && client->in_length < CONTROL_LINE;
        fds[1 + i] = (struct pollfd){.fd = client->file,
                                     .events = (short)((reads ? POLLIN : 0) | (waits(client) ? POLLOUT : 0))};
    }
    pthread_mutex_unlock(&c->lock);
    return 1 + CONTROL_CLIENTS;
}

static void visitor_polled(void *context, const struct pollfd *fds, unsigned count)
{
    struct control *c = context;
    bool any = false;
    for (unsigned i = 1; i < count; i++) {
        struct control_client *client = &c->clients[i - 1];
        if (!fds[i].revents || client->file != fds[i].fd || client->file < 0)
            continue;
        any = true;
        if (fds[i].revents & POLLOUT) {
            pthread_mutex_lock(&c->lock);
            flush(client);
            pthread_mutex_unlock(&c->lock);
        }
        if (fds[i].revents & POLLIN && client->in_length < CONTROL_LINE)
            read_client(c, client);
        else if (fds[i].revents & (POLLHUP | POLLERR | POLLNVAL))
            client->gone = true;
    }
    if (any)
        look_who_has_gone(c);
    if (count && fds[0].revents)
        welcome(c);
}

/* Some client's request waits. */
static bool has_lines(const struct control *c)
{
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        if (c->clients[i].lines)
            return true;
    return false;
}

static bool calls(const struct control *c) { return c->host.command && (c->relisten || has_lines(c)); }

static bool visitor_calls(void *context) { return calls(context); }

static bool connected(const struct control *c)
{
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        if (c->clients[i].file >= 0 && !c->clients[i].leaves)
            return true;
    return false;
}

static bool visitor_types(void *context) { return connected(context); }

static void visitor_output(void *context, const char *text, size_t length)
{
    control_tell_output(context, text, length);
}

bool control_calls(const struct session *s) { return s->control && calls(s->control); }
bool control_connected(const struct session *s) { return s->control && connected(s->control); }

static bool take(bool *word)
{
    const bool was = *word;
    *word = false;
    return was;
}

bool control_stops(struct session *s) { return s->control && take(&s->control->stop); }
bool control_goes(struct session *s) { return s->control && take(&s->control->go); }
bool control_quits(struct session *s) { return s->control && take(&s->control->quit); }

/* ---- requests -----------------------------------------------------------------------------------------------------
 */

/* Its next request is carried out. It may go meanwhile, and another one have its place. */
static void serve_one(struct control *c, struct control_client *client)
{
    const uint64_t serial = client->serial;
    const char *end = memchr(client->in, '\n', client->in_length);
    const size_t length = end ? (size_t)(end - client->in) : 0;
    char *line = end ? malloc(length + 1) : NULL;
    if (!line) {
        client->gone = true; /* no memory */
        client->lines = 0;
        return;
    }
    memcpy(line, client->in, length);
    line[length] = 0;
    client->in_length -= length + 1;
    memmove(client->in, end + 1, client->in_length);
    client->lines--;
    client->serving++;
    control_carry_out(c, client, line, length);
    client = control_client_of(c, serial);
    if (client) {
        client->serving--;
        pthread_mutex_lock(&c->lock);
        flush(client);
        pthread_mutex_unlock(&c->lock);
    }
    free(line);
}

void control_serve(struct session *s)
{
    struct control *c = s->control;
    if (!c || !c->host.command)
        return;
    for (unsigned i = 0; i < LINES_AT_ONCE && has_lines(c) && !c->quit; i++) {
        while (!c->clients[c->next].lines)
            c->next = (c->next + 1) % CONTROL_CLIENTS;
        struct control_client *client = &c->clients[c->next];
        c->next = (c->next + 1) % CONTROL_CLIENTS;
        serve_one(c, client);
    }
    look_who_has_gone(c);
    if (c->relisten)
        control_listen(c);
}

void control_running(struct session *s)
{
    if (s->control && !s->control->running++) {
        s->control->stop = false;
        control_tell_run(s->control, NULL, NULL);
    }
}

void control_stopped(struct session *s, const char *end, struct cpu *cpu)
{
    struct control *c = s->control;
    if (!c || !c->running || --c->running)
        return;
    snprintf(c->end, sizeof c->end, "%s", end);
    control_tell_run(c, end, cpu);
    control_answer_stops(c);
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

void control_set_host(struct session *s, const struct control_host *host)
{
    if (s->control)
        s->control->host = host ? *host : (struct control_host){.context = NULL};
}

int control_open(struct session *s, const char *text, const struct control_host *host, char *error, size_t size)
{
    const char prefix[] = "unix:";
    char why[200];
    if (!control_possible()) {
        snprintf(error, size, "--control: zri was built without jansson; install libjansson-dev and configure again");
        return -ENOTSUP;
    }
    if (strncmp(text, prefix, strlen(prefix)) != 0) {
        snprintf(error, size, "--control %.100s: give unix:PATH, a socket in the file system", text);
        return -EINVAL;
    }
    struct control *c = calloc(1, sizeof *c);
    if (!c) {
        snprintf(error, size, "the host has no memory for a control socket");
        return -ENOMEM;
    }
    c->listens = socket_listen(text + strlen(prefix), why, sizeof why);
    if (c->listens < 0) {
        const int code = c->listens;
        snprintf(error, size, "--control %.100s: %s", text, why);
        free(c);
        return code;
    }
    snprintf(c->path, sizeof c->path, "%s", text + strlen(prefix));
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        c->clients[i].file = -1;
    pthread_mutex_init(&c->lock, NULL);
    c->session = s;
    s->control = c;
    control_set_host(s, host);
    s->visitors[SESSION_CONTROL] = (struct session_visitor){.context = c,
                                                            .poll = visitor_poll,
                                                            .polled = visitor_polled,
                                                            .calls = visitor_calls,
                                                            .types = visitor_types,
                                                            .output = visitor_output};
    return 0;
}

void control_close(struct session *s)
{
    struct control *c = s->control;
    const uint64_t until = session_now_ns() + LAST_MS * UINT64_C(1000000);
    if (!c)
        return;
    c->running = 0;
    control_answer_stops(c);
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++) {
        struct control_client *client = &c->clients[i];
        if (client->file >= 0)
            flush(client);
        for (uint64_t now; client->file >= 0 && !client->gone && waits(client) && (now = session_now_ns()) < until;) {
            struct pollfd fd = {.fd = client->file, .events = POLLOUT};
            (void)poll(&fd, 1, (int)((until - now) / 1000000) + 1);
            flush(client);
        }
        forget(client);
    }
    memset(&s->visitors[SESSION_CONTROL], 0, sizeof *s->visitors);
    s->control = NULL;
    close(c->listens);
    unlink(c->path);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
