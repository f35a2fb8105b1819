/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtio network device on a user-mode network. Virtual I/O Device specification 1.2, section 5.1. */
#include "emu/dev/virtio/net_user.h"
#include "emu/dev/virtio/transport.h"
#include "emu/dev/virtio/types.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define QUEUE_SIZE 256
#define FRAME      1536u  /* longest for the guest */
#define SENT       65536u /* longest from the guest */
#define BACKLOG    256u   /* frames that wait for buffers of the guest; a power of 2 */
#define HEADER     12u
#define OLD_HEADER 10u /* revision 0 has no count of buffers */
#define LINK_UP    1

enum { FEATURE_MAC = 5, FEATURE_STATUS = 16 };
enum { QUEUE_RECEIVE = 0, QUEUE_SEND = 1 };

struct net {
    struct virtio v;
    struct net_user *user;
    uint8_t mac[6];
    uint64_t received, sent, dropped;
    unsigned first, count; /* of the backlog */
    unsigned handed;       /* so many of it are there for the guest; the others are as soon as the host is looked at */
    struct {
        uint16_t length;
        uint8_t bytes[FRAME];
    } backlog[BACKLOG];
    uint8_t frame[SENT];
};

static size_t header_length(const struct net *n)
{
    return virtio_accepted(&n->v, VIRTIO_F_VERSION_1) ? HEADER : OLD_HEADER;
}

static void config(struct virtio *v, uint8_t *to)
{
    memcpy(to, ((struct net *)v)->mac, 6);
    virtio_put(v, to + 6, LINK_UP, 2);
}

/* From the host, also while the guest sends: then it is answered at once. What comes is handed over at one place. */
static void receive(void *context, const uint8_t *frame, size_t length)
{
    struct net *n = context;
    if (n->count == BACKLOG || length > FRAME) {
        n->dropped++;
        return;
    }
    unsigned at = (n->first + n->count++) % BACKLOG;
    memcpy(n->backlog[at].bytes, frame, length);
    n->backlog[at].length = (uint16_t)length;
}

/* Frames that wait go into the guest's buffers. */
static void deliver(struct net *n)
{
    uint8_t header[HEADER] = {0};
    const size_t head = header_length(n);
    virtio_put(&n->v, header + 10, 1, 2); /* each lies in one buffer */
    while (n->handed && virtio_take(&n->v, QUEUE_RECEIVE)) {
        const size_t length = n->backlog[n->first].length;
        size_t done = virtio_write(&n->v, 0, header, head);
        done += virtio_write(&n->v, head, n->backlog[n->first].bytes, length);
        if (done == head + length)
            n->received++;
        else
            n->dropped++;
        virtio_done(&n->v, QUEUE_RECEIVE, done == head + length ? (uint32_t)done : 0);
        n->first = (n->first + 1) % BACKLOG;
        n->count--;
        n->handed--;
    }
    virtio_tell(&n->v, QUEUE_RECEIVE);
}

static void transmit(struct net *n)
{
    const size_t head = header_length(n);
    while (virtio_take(&n->v, QUEUE_SEND)) {
        size_t length = virtio_read(&n->v, head, n->frame, sizeof n->frame);
        if (length && length < sizeof n->frame) {
            n->sent++;
            if (n->user && !n->v.device->machine->again)
                net_user_send(n->user, n->frame, length);
        } else {
            n->dropped++;
        }
        virtio_done(&n->v, QUEUE_SEND, 0);
    }
    virtio_tell(&n->v, QUEUE_SEND);
}

static void serve(struct virtio *v, unsigned queue)
{
    struct net *n = (struct net *)v;
    if (queue == QUEUE_SEND)
        transmit(n);
    deliver(n);
}

static void reset(struct virtio *v)
{
    struct net *n = (struct net *)v;
    n->count = n->handed = 0;
}

/* A frame that came before, and was not dropped then. */
static void again(struct channel_device *d, const uint8_t *bytes, size_t length)
{
    struct net *n = d->own;
    if (n->count > n->handed) /* what the network has since is of another time */
        n->count = n->handed;
    receive(n, bytes, length);
    n->handed = n->count;
    deliver(n);
}

/* What waits for buffers; a network of another machine has none of it. */
static void own_fields(struct virtio *v, const struct channel_fields *f)
{
    struct net *n = (struct net *)v;
    uint64_t waits = n->handed;
    if (!f->in_place)
        return;
    f->number(f->context, &waits, 8);
    if (waits > BACKLOG)
        f->refuse(f->context, "more frames wait than there can be");
    if (f->refused(f->context))
        return;
    if (f->loading)
        n->first = 0;
    for (unsigned i = 0; i < waits && !f->refused(f->context); i++) {
        const unsigned at = (n->first + i) % BACKLOG;
        f->number(f->context, &n->backlog[at].length, 2);
        if (n->backlog[at].length > FRAME)
            f->refuse(f->context, "a frame is too long");
        else
            f->bytes(f->context, n->backlog[at].bytes, n->backlog[at].length);
    }
    if (f->loading)
        n->count = n->handed = f->refused(f->context) ? 0 : (unsigned)waits;
}

static const struct virtio_kind kind = {.queues = 2,
                                        .config_length = 8,
                                        .queue_size = QUEUE_SIZE,
                                        .config = config,
                                        .serve = serve,
                                        .reset = reset,
                                        .fields = own_fields};

/* The word "mac=..." is ours, the others are the network's. Returns how many are left, -1: wrong. */
static int take_mac(struct net *n, unsigned count, char **words)
{
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned b[6];
        int used = 0;
        if (strncmp(words[i], "mac=", 4)) {
            words[left++] = words[i];
            continue;
        }
        if (sscanf(words[i] + 4, "%2x:%2x:%2x:%2x:%2x:%2x%n", b, b + 1, b + 2, b + 3, b + 4, b + 5, &used) != 6 ||
            words[i][4 + used] || (b[0] & 1))
            return -1;
        for (unsigned j = 0; j < 6; j++)
            n->mac[j] = (uint8_t)b[j];
    }
    return (int)left;
}

static int open_net(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct net *n = calloc(1, sizeof *n);
    d->own = n;
    if (!n) {
        snprintf(error, size, "the host has no memory for a network");
        return -ENOMEM;
    }
    const uint8_t mac[6] = {0x52, 0x54, 0x00, 0x5a, (uint8_t)(d->number >> 8), (uint8_t)d->number};
    memcpy(n->mac, mac, sizeof mac);
    int left = take_mac(n, count, words);
    if (left < 0) {
        snprintf(error, size, "mac=: write six hexadecimal bytes of one station, as mac=52:54:00:12:34:56");
        return -EINVAL;
    }
    if (!d->machine->host.poll) {
        snprintf(error, size, "a network belongs to a machine that meets its host; leave --lockstep away");
        return -EINVAL;
    }
    if (!d->machine->config.replayed) {
        n->user = net_user_open((unsigned)left, words, receive, n, error, size);
        if (!n->user)
            return -EINVAL;
    }
    virtio_open(&n->v, d, &kind, VIRTIO_FEATURE(FEATURE_MAC) | VIRTIO_FEATURE(FEATURE_STATUS));
    return 0;
}

static void close_net(struct channel_device *d)
{
    struct net *n = d->own;
    if (n && n->user)
        net_user_close(n->user);
    free(n);
    d->own = NULL;
}

static unsigned poll_net(struct channel_device *d, struct pollfd *fds, unsigned room, uint32_t *timeout_ms)
{
    struct net *n = d->own;
    return n->user ? net_user_poll(n->user, fds, room, timeout_ms) : 0;
}

static void polled(struct channel_device *d, const struct pollfd *fds, unsigned count)
{
    struct net *n = d->own;
    const struct machine_host *host = &d->machine->host;
    if (n->user)
        net_user_polled(n->user, fds, count);
    while (n->handed < n->count) { /* one after the other, as they come once more */
        const unsigned at = (n->first + n->handed++) % BACKLOG;
        if (host->frame)
            host->frame(host->context, d->set, d->number, n->backlog[at].bytes, n->backlog[at].length);
        deliver(n);
    }
}

static void describe(const struct channel_device *d, char *text, size_t size)
{
    const struct net *n = d->own;
    const uint8_t *m = n->mac;
    snprintf(text, size, "%02x:%02x:%02x:%02x:%02x:%02x, %llu frames received, %llu sent, %llu dropped", m[0], m[1],
             m[2], m[3], m[4], m[5], (unsigned long long)n->received, (unsigned long long)n->sent,
             (unsigned long long)n->dropped);
}

const struct channel_type virtio_net_type = {
    VIRTIO_TYPE("virtio-net", VIRTIO_ID_NET,
                "user [restrict] [hostloopback=on] [mac=MAC] [hostfwd=tcp|udp:[ADDRESS:]PORT-[ADDRESS]:PORT]...",
                "virtio network by the host's sockets; the guest is 10.0.2.15 (DHCP), the host 10.0.2.2"),
    .open = open_net,
    .close = close_net,
    .poll = poll_net,
    .polled = polled,
    .frame = again,
    .describe = describe,
};
