/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtio devices on channels: what the transport (transport.c), the queues (queue.c) and the kinds of devices
   share. Virtual I/O Device specification 1.2: chapter 2 (basic facilities), 4.3 (channel I/O), 5 (device types). */
#ifndef ZRI_EMU_DEV_VIRTIO_TRANSPORT_H
#define ZRI_EMU_DEV_VIRTIO_TRANSPORT_H

#include "emu/dev/css/channel.h"

struct cpu;

#define VIRTIO_QUEUES  4
#define VIRTIO_CONFIG  64u                   /* bytes of configuration space, at most */
#define VIRTIO_PARTS   1024u                 /* buffers of one request, at most */
#define VIRTIO_LARGEST (UINT64_C(256) << 20) /* bytes of one request in a direction */
#define VIRTIO_AT_ONCE (UINT64_C(64) << 20)  /* bytes of requests after which the others wait for the timer */

/* Device identifiers, which are the control-unit models. */
enum { VIRTIO_ID_NET = 1, VIRTIO_ID_BLOCK = 2, VIRTIO_ID_CONSOLE = 3, VIRTIO_ID_ENTROPY = 4 };
/* Feature bits of all devices. */
enum { VIRTIO_F_INDIRECT = 28, VIRTIO_F_EVENT_INDEX = 29, VIRTIO_F_VERSION_1 = 32, VIRTIO_F_ANY_LAYOUT = 27 };
#define VIRTIO_FEATURE(bit) (UINT64_C(1) << (bit))

struct virtio;

/* A kind of device. Functions marked * may be NULL. */
struct virtio_kind {
    uint8_t queues;
    uint8_t config_length;
    uint16_t queue_size;                               /* largest, and the default; a power of 2 */
    void (*config)(struct virtio *v, uint8_t *config); /* * what the guest reads, config_length bytes, zero before */
    void (*serve)(struct virtio *v, unsigned queue);   /* the guest has put something into the queue */
    void (*reset)(struct virtio *v);                   /* * by the guest or the machine */
    void (*fields)(struct virtio *v, const struct channel_fields *fields); /* * snapshot of what is the kind's own */
};

struct virtio_queue {
    uint64_t descriptors, driver, device; /* absolute addresses of the three parts; descriptors 0: not set up */
    uint16_t size;                        /* a power of 2, at most the kind's */
    uint16_t taken;                       /* index of the next entry that the guest makes available */
    uint16_t used;                        /* index of the next entry that the device gives back */
    uint16_t told;                        /* index up to which the guest was interrupted */
    bool told_any;
};

/* A request taken from a queue: buffers that the device reads, then buffers that it writes. All lie in storage. */
struct virtio_request {
    uint16_t head;
    unsigned count, readable; /* buffers in all, and how many of them the device reads */
    uint64_t out, in;         /* bytes to read and to write */
    struct {
        uint64_t at;
        uint32_t length;
    } parts[VIRTIO_PARTS];
};

/* The first member of what each kind keeps. */
struct virtio {
    struct channel_device *device;
    const struct virtio_kind *kind;
    uint64_t own_features; /* of the kind and its configuration, set by open */
    /* Negotiated with the guest; all of it ends with a reset, the revision with disabling */
    uint8_t revision; /* number + 1; 0: not set, which counts as revision 0 */
    uint8_t status;
    uint64_t accepted;
    bool broken;
    uint8_t kicked; /* queues that the guest notified, bit 1 << queue */
    struct virtio_queue queues[VIRTIO_QUEUES];
    /* Where interruptions are shown; address 0: nowhere */
    uint64_t indicators, config_indicators; /* two-stage by subchannel: doublewords */
    uint64_t summary, adapter, adapter_bit; /* adapter interruptions: byte, and bits from there on */
    uint8_t isc;
    /* Since virtio_tell(): a guest whose queue overlaps what is written makes no end of requests. */
    unsigned served;
    uint64_t moved;                /* bytes */
    struct virtio_request request; /* the one that is worked on */
};

/* Functions of struct channel_type that are the same for all kinds; device->own points to a struct virtio. */
unsigned virtio_command(struct channel_device *device, uint8_t command, struct channel_io *io);
void virtio_reset(struct channel_device *device, bool system);
void virtio_disabled(struct channel_device *device);
const char *virtio_held(const struct channel_device *device);
void virtio_timer(struct channel_device *device);
void virtio_fields(struct channel_device *device, const struct channel_fields *fields);
/* Set up by open. */
void virtio_open(struct virtio *v, struct channel_device *device, const struct virtio_kind *kind, uint64_t features);

/* For a kind whose own data are in one piece: frees them. */
void virtio_close(struct channel_device *device);

#define VIRTIO_TYPE(word, id, words, line)                                                                             \
    .name = word, .arguments = words, .help = line, .control_unit_type = 0x3832, .control_unit_model = id,             \
    .sense_length = 32, .path_type = 0x32, .command = virtio_command, .reset = virtio_reset,                           \
    .disabled = virtio_disabled, .held = virtio_held, .timer = virtio_timer, .fields = virtio_fields

/* The guest has finished its set-up. */
bool virtio_running(const struct virtio *v);
/* The guest agreed to the feature. */
bool virtio_accepted(const struct virtio *v, unsigned bit);
/* Numbers of 1 to 8 bytes in rings, requests and configuration: little-endian, big-endian in revision 0. */
uint64_t virtio_get(const struct virtio *v, const void *from, unsigned size);
void virtio_put(const struct virtio *v, void *to, uint64_t value, unsigned size);

/* Take the next request of a queue into v->request. False: there is none for now, or the queue is in error. No more
   than the queue has entries, and not much more than VIRTIO_AT_ONCE bytes, are taken before virtio_tell(); the queue is
   served again by the timer then. */
bool virtio_take(struct virtio *v, unsigned queue) MUST_USE;
/* Something is available; takes nothing. */
bool virtio_available(struct virtio *v, unsigned queue);
/* Copy from what the device reads, or into what it writes, of the request that was taken. Returns the bytes that there
   were. */
size_t virtio_read(struct virtio *v, uint64_t offset, void *to, size_t length);
size_t virtio_write(struct virtio *v, uint64_t offset, const void *from, size_t length);
/* Give the request back with `written` bytes in it. */
void virtio_done(struct virtio *v, unsigned queue, uint32_t written);
/* Interrupt the guest for what was given back since the last time, if it wants to know. */
void virtio_tell(struct virtio *v, unsigned queue);

/* For queue.c: an interruption for a queue; and the device is in error until the guest resets it. */
void virtio_interrupt(struct virtio *v, unsigned queue);
void virtio_break(struct virtio *v, const char *why);
/* The queue is served again after a while. */
void virtio_later(struct virtio *v, unsigned queue);

/* DIAGNOSE X'500', as machine_hook_diagnose() wants it; the context is the machine. */
int virtio_notify(void *machine, struct cpu *cpu, unsigned r1, unsigned r3);

#endif
