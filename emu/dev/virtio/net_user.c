/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network of a guest by libslirp. */
#include "emu/dev/virtio/net_user.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_SLIRP
#include <slirp/libslirp.h>
#include <poll.h>
#include <time.h>

#define NS_PER_MS 1000000
#define TIMERS    4u
#define NETWORK   0x0a000200u /* 10.0.2.0 */
#define MASK      0xffffff00u
#define HOST      (NETWORK | 2)
#define NAMES     (NETWORK | 3)
#define GUEST     (NETWORK | 15)

struct timer {
    bool taken;
    SlirpTimerCb strike;
    void *context;
    int64_t at_ms; /* 0: not set */
};

struct net_user {
    Slirp *slirp;
    void (*receive)(void *context, const uint8_t *frame, size_t length);
    void *context;
    struct timer timers[TIMERS];
    struct pollfd *fds; /* while they are collected */
    unsigned room, count;
    const struct pollfd *seen; /* while they are looked at */
};

static ssize_t send_packet(const void *frame, size_t length, void *context)
{
    struct net_user *net = context;
    net->receive(net->context, frame, length);
    return (ssize_t)length;
}

static void guest_error(const char *text, void *context)
{
    (void)text; /* a guest may send what it likes */
    (void)context;
}

static int64_t clock_ns(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *timer_new(SlirpTimerCb strike, void *timer_context, void *context)
{
    struct net_user *net = context;
    for (unsigned i = 0; i < TIMERS; i++)
        if (!net->timers[i].taken) {
            net->timers[i] = (struct timer){.taken = true, .strike = strike, .context = timer_context};
            return &net->timers[i];
        }
    return NULL;
}

static void timer_free(void *timer, void *context)
{
    (void)context;
    if (timer)
        ((struct timer *)timer)->taken = false;
}

static void timer_mod(void *timer, int64_t at_ms, void *context)
{
    (void)context;
    if (timer)
        ((struct timer *)timer)->at_ms = at_ms;
}

/* Descriptors are asked for anew each time. */
static void descriptor(int fd, void *context)
{
    (void)fd;
    (void)context;
}

static void notify(void *context) { (void)context; }

static const SlirpCb callbacks = {
    .send_packet = send_packet,
    .guest_error = guest_error,
    .clock_get_ns = clock_ns,
    .timer_new = timer_new,
    .timer_free = timer_free,
    .timer_mod = timer_mod,
    .register_poll_fd = descriptor,
    .unregister_poll_fd = descriptor,
    .notify = notify,
};

/* "[ADDRESS:]PORT" or, for the guest's side, "[ADDRESS]:PORT" up to `stop`. Returns what is behind it, NULL: wrong. */
static const char *place(const char *text, char stop, uint32_t otherwise, struct in_addr *address, int *port)
{
    char word[64], *colon, *end;
    const char *behind = stop ? strchr(text, stop) : text + strlen(text);
    size_t length = behind ? (size_t)(behind - text) : sizeof word;
    if (length >= sizeof word)
        return NULL;
    memcpy(word, text, length);
    word[length] = 0;
    colon = strrchr(word, ':');
    address->s_addr = htonl(otherwise);
    if (colon) {
        *colon = 0;
        if (*word && inet_pton(AF_INET, word, address) != 1)
            return NULL;
    }
    const char *digits = colon ? colon + 1 : word;
    long number = strtol(digits, &end, 10);
    if (end == digits || *end || number < 1 || number > 65535)
        return NULL;
    *port = (int)number;
    return stop ? behind + 1 : behind;
}

static bool forward(struct net_user *net, const char *text, char *error, size_t size)
{
    struct in_addr host, guest;
    int host_port, guest_port;
    const bool udp = strncmp(text, "udp:", 4) == 0;
    const char *rest = udp || strncmp(text, "tcp:", 4) == 0 ? text + 4 : NULL;
    if (rest)
        rest = place(rest, '-', INADDR_LOOPBACK, &host, &host_port);
    if (rest)
        rest = place(rest, 0, GUEST, &guest, &guest_port);
    if (!rest) {
        snprintf(error, size, "hostfwd=%.80s: write hostfwd=tcp:HOSTPORT-:GUESTPORT, or udp", text);
        return false;
    }
    if (!slirp_add_hostfwd(net->slirp, udp, host, host_port, guest, guest_port))
        return true;
    snprintf(error, size, "hostfwd=%.80s: the host does not give port %d; take another one", text, host_port);
    return false;
}

struct net_user *net_user_open(unsigned count, char **words,
                               void (*receive)(void *context, const uint8_t *frame, size_t length), void *context,
                               char *error, size_t size)
{
    SlirpConfig config = {.version = 1,
                          .in_enabled = true,
                          .vnetwork.s_addr = htonl(NETWORK),
                          .vnetmask.s_addr = htonl(MASK),
                          .vhost.s_addr = htonl(HOST),
                          .vdhcp_start.s_addr = htonl(GUEST),
                          .vnameserver.s_addr = htonl(NAMES),
                          .disable_host_loopback = true};
    struct net_user *net = calloc(1, sizeof *net);
    for (unsigned i = 0; i < count; i++) {
        config.restricted |= strcmp(words[i], "restrict") == 0;
        if (strcmp(words[i], "hostloopback=on") == 0)
            config.disable_host_loopback = false;
    }
    if (net) {
        net->receive = receive;
        net->context = context;
        net->slirp = slirp_new(&config, &callbacks, net);
    }
    bool good = net && net->slirp;
    if (!good)
        snprintf(error, size, "the host has no memory for a network");
    for (unsigned i = 0; good && i < count; i++) {
        if (strncmp(words[i], "hostfwd=", 8) == 0) {
            good = forward(net, words[i] + 8, error, size);
        } else if (strcmp(words[i], "user") && strcmp(words[i], "restrict") && strcmp(words[i], "hostloopback=on") &&
                   strcmp(words[i], "hostloopback=off")) {
            snprintf(error, size,
                     "'%.80s' is no word of a network; write "
                     "user[,restrict][,hostloopback=on][,mac=MAC][,hostfwd=tcp:HOSTPORT-:GUESTPORT]",
                     words[i]);
            good = false;
        }
    }
    if (good)
        return net;
    net_user_close(net);
    return NULL;
}

void net_user_close(struct net_user *net)
{
    if (net && net->slirp)
        slirp_cleanup(net->slirp);
    free(net);
}

void net_user_send(struct net_user *net, const uint8_t *frame, size_t length)
{
    slirp_input(net->slirp, frame, (int)length);
}

static const struct {
    int slirp;
    short poll;
} events[] = {
    {SLIRP_POLL_IN, POLLIN},   {SLIRP_POLL_OUT, POLLOUT}, {SLIRP_POLL_PRI, POLLPRI},
    {SLIRP_POLL_ERR, POLLERR}, {SLIRP_POLL_HUP, POLLHUP},
};
#define EVENTS (sizeof events / sizeof *events)

static int add(int fd, int wanted, void *context)
{
    struct net_user *net = context;
    if (net->count == net->room)
        return -1; /* its turn comes when others are gone */
    struct pollfd *p = &net->fds[net->count];
    *p = (struct pollfd){.fd = fd};
    for (unsigned i = 0; i < EVENTS; i++)
        if ((wanted & events[i].slirp) && events[i].poll != POLLERR && events[i].poll != POLLHUP)
            p->events |= events[i].poll;
    return (int)net->count++;
}

static int seen(int index, void *context)
{
    const struct net_user *net = context;
    int found = 0;
    for (unsigned i = 0; index >= 0 && (unsigned)index < net->count && i < EVENTS; i++)
        if (net->seen[index].revents & events[i].poll)
            found |= events[i].slirp;
    return found;
}

unsigned net_user_poll(struct net_user *net, struct pollfd *fds, unsigned room, uint32_t *timeout_ms)
{
    net->fds = fds;
    net->room = room;
    net->count = 0;
    slirp_pollfds_fill(net->slirp, timeout_ms, add, net);
    for (unsigned i = 0; i < TIMERS; i++) {
        const struct timer *t = &net->timers[i];
        int64_t left = t->taken && t->at_ms ? t->at_ms - clock_ns(net) / NS_PER_MS : INT64_MAX;
        if (left < (int64_t)*timeout_ms)
            *timeout_ms = left > 0 ? (uint32_t)left : 0;
    }
    return net->count;
}

void net_user_polled(struct net_user *net, const struct pollfd *fds, unsigned count)
{
    net->seen = fds;
    net->count = count;
    slirp_pollfds_poll(net->slirp, 0, seen, net);
    for (unsigned i = 0; i < TIMERS; i++) {
        struct timer *t = &net->timers[i];
        if (!t->taken || !t->at_ms || t->at_ms > clock_ns(net) / NS_PER_MS)
            continue;
        t->at_ms = 0;
        t->strike(t->context);
    }
}

#else

struct net_user {
    char nothing;
};

struct net_user *net_user_open(unsigned count, char **words,
                               void (*receive)(void *context, const uint8_t *frame, size_t length), void *context,
                               char *error, size_t size)
{
    (void)count;
    (void)words;
    (void)receive;
    (void)context;
    snprintf(error, size,
             "zri was built without libslirp, and has no network; install libslirp-dev and configure again");
    return NULL;
}

void net_user_close(struct net_user *net) { free(net); }

void net_user_send(struct net_user *net, const uint8_t *frame, size_t length)
{
    (void)net;
    (void)frame;
    (void)length;
}

unsigned net_user_poll(struct net_user *net, struct pollfd *fds, unsigned room, uint32_t *timeout_ms)
{
    (void)net;
    (void)fds;
    (void)room;
    (void)timeout_ms;
    return 0;
}

void net_user_polled(struct net_user *net, const struct pollfd *fds, unsigned count)
{
    (void)net;
    (void)fds;
    (void)count;
}
#endif
