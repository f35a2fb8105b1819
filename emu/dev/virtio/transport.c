/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel transport of virtio devices: commands, notification by DIAGNOSE X'500', interruptions by indicators.
   Virtual I/O Device specification 1.2, section 4.3. Work is done a little after the notification, at a time
   counted in instructions, never while the guest's instruction is carried out. */
#include "emu/dev/virtio/transport.h"
#include "emu/dev/css/css.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    COMMAND_WRITE_FEATURES = 0x11,
    COMMAND_READ_FEATURES = 0x12,
    COMMAND_SET_QUEUE = 0x13,
    COMMAND_WRITE_CONFIG = 0x21,
    COMMAND_READ_CONFIG = 0x22,
    COMMAND_WRITE_STATUS = 0x31,
    COMMAND_READ_QUEUE = 0x32,
    COMMAND_RESET = 0x33,
    COMMAND_SET_INDICATORS = 0x43,
    COMMAND_SET_CONFIG_INDICATORS = 0x53,
    COMMAND_READ_STATUS = 0x72,
    COMMAND_SET_ADAPTER = 0x73,
    COMMAND_SET_REVISION = 0x83,
};

enum { STATUS_DRIVER_OK = 0x04, STATUS_FEATURES_OK = 0x08, STATUS_NEEDS_RESET = 0x40 };

#define LAST_REVISION   2
#define LONGEST         32u /* parameters of a command */
#define MODERN          2   /* v->revision of revision 1, the first with these rules */
#define REVISION_STATUS 3   /* v->revision of revision 2, the first that reads the status */
#define DELAY           (2 * CHANNEL_MICROSECOND)
#define COMMON_FEATURES (VIRTIO_FEATURE(VIRTIO_F_INDIRECT) | VIRTIO_FEATURE(VIRTIO_F_EVENT_INDEX))

/* ---- state ----------------------------------------------------------------------------------------------------- */

void virtio_close(struct channel_device *d)
{
    free(d->own);
    d->own = NULL;
}

void virtio_open(struct virtio *v, struct channel_device *device, const struct virtio_kind *kind, uint64_t features)
{
    v->device = device;
    v->kind = kind;
    v->own_features = features;
    for (unsigned i = 0; i < kind->queues; i++)
        v->queues[i].size = kind->queue_size;
}

bool virtio_running(const struct virtio *v) { return v->status & STATUS_DRIVER_OK; }
bool virtio_accepted(const struct virtio *v, unsigned bit) { return v->accepted >> bit & 1; }

/* What the guest may choose from. */
static uint64_t offered(const struct virtio *v)
{
    return v->own_features | COMMON_FEATURES |
           VIRTIO_FEATURE(v->revision >= MODERN ? VIRTIO_F_VERSION_1 : VIRTIO_F_ANY_LAYOUT);
}

/* Reset by the guest: everything but the revision. */
static void reset(struct virtio *v)
{
    v->status = v->kicked = 0;
    v->accepted = 0;
    v->broken = false;
    memset(v->queues, 0, sizeof v->queues);
    for (unsigned i = 0; i < v->kind->queues; i++)
        v->queues[i].size = v->kind->queue_size;
    v->indicators = v->config_indicators = v->summary = v->adapter = v->adapter_bit = 0;
    v->isc = 0;
    if (v->kind->reset)
        v->kind->reset(v);
}

void virtio_reset(struct channel_device *device, bool system)
{
    struct virtio *v = device->own;
    if (!system)
        return;
    v->revision = 0;
    reset(v);
}

void virtio_disabled(struct channel_device *device) { virtio_reset(device, true); }

/* The guest's driver has agreed on features and has laid out queues, which another device would not know. */
const char *virtio_held(const struct channel_device *device)
{
    const struct virtio *v = device->own;
    return v->revision || v->status ? "the guest's driver is using it; `detach' it and `attach' it with the other "
                                      "words, which tells the guest"
                                    : NULL;
}

/* ---- interruptions --------------------------------------------------------------------------------------------- */

/* Set a bit of an indicator; its old value, -1: the byte is not in storage. */
static int indicate(struct virtio *v, uint64_t at, uint8_t bit)
{
    int was = channel_storage_or(v->device->machine, at, bit);
    return was < 0 ? -1 : (was & bit) != 0;
}

static void interrupt_adapter(struct virtio *v, unsigned queue)
{
    const uint64_t bit = v->adapter_bit + queue;
    int was = -1;
    if (indicate(v, v->adapter + bit / 8, (uint8_t)(0x80 >> bit % 8)) >= 0)
        was = indicate(v, v->summary, 0x01);
    if (was == 0)
        channel_adapter_interruption(v->device->machine, v->isc);
}

/* A doubleword of indicators, bit 63 for number 0, and attention at the subchannel. */
static void interrupt_subchannel(struct virtio *v, uint64_t indicators, unsigned number)
{
    if (indicators && indicate(v, indicators + 7 - number / 8, (uint8_t)(1 << number % 8)) >= 0)
        channel_attention(v->device, CHANNEL_ATTENTION);
}

void virtio_interrupt(struct virtio *v, unsigned queue)
{
    if (v->summary)
        interrupt_adapter(v, queue);
    else
        interrupt_subchannel(v, v->indicators, queue);
}

void virtio_break(struct virtio *v, const char *why)
{
    char text[160];
    if (v->broken)
        return;
    v->broken = true;
    snprintf(text, sizeof text, "the guest's queues are in error: %s; the device waits for a reset", why);
    channel_message(v->device, text);
    if (v->revision >= MODERN) {
        v->status |= STATUS_NEEDS_RESET;
        interrupt_subchannel(v, v->config_indicators, 0);
    }
}

/* ---- work ------------------------------------------------------------------------------------------------------ */

static void kick(struct virtio *v, unsigned queues)
{
    if (!v->kicked)
        channel_timer(v->device, DELAY);
    v->kicked |= (uint8_t)queues;
}

void virtio_later(struct virtio *v, unsigned queue) { kick(v, 1u << queue); }

void virtio_timer(struct channel_device *device)
{
    struct virtio *v = device->own;
    const uint8_t kicked = v->kicked;
    v->kicked = 0;
    v->served = 0;
    v->moved = 0;
    for (unsigned i = 0; i < v->kind->queues; i++)
        if ((kicked >> i & 1) && virtio_running(v))
            v->kind->serve(v, i);
}

/* ---- commands -------------------------------------------------------------------------------------------------- */

static unsigned reject(struct virtio *v, const struct channel_io *io)
{
    return channel_failed(io) ? CHANNEL_GOOD : channel_check(v->device, CHANNEL_GOOD, SENSE_COMMAND_REJECT);
}

static unsigned set_revision(struct virtio *v, const uint8_t *p)
{
    if (v->revision || get16(p) > LAST_REVISION || get16(p + 2))
        return SENSE_COMMAND_REJECT;
    v->revision = (uint8_t)(get16(p) + 1);
    return 0;
}

/* The queue as the guest laid it out. Revision 0: one address for all parts. */
static unsigned set_queue(struct virtio *v, const uint8_t *p)
{
    const bool modern = v->revision >= MODERN;
    const uint64_t descriptors = get64(p);
    const unsigned index = get16(p + 12), size = get16(p + 14);
    if (index >= v->kind->queues || size > v->kind->queue_size || (size & (size - 1)))
        return SENSE_COMMAND_REJECT;
    struct virtio_queue *q = &v->queues[index];
    *q = (struct virtio_queue){.size = v->kind->queue_size};
    if (!descriptors || !size)
        return 0;
    q->size = (uint16_t)size;
    q->descriptors = descriptors;
    if (modern) {
        q->driver = get64(p + 16);
        q->device = get64(p + 24);
    } else {
        const uint32_t align = get32(p + 8);
        if (!align || (align & (align - 1)))
            return SENSE_COMMAND_REJECT;
        q->driver = descriptors + 16 * (uint64_t)size;
        q->device = (q->driver + 6 + 2 * (uint64_t)size + align - 1) & ~((uint64_t)align - 1);
    }
    return 0;
}

static unsigned set_adapter(struct virtio *v, const uint8_t *p)
{
    if (p[24] > 7)
        return SENSE_COMMAND_REJECT;
    v->summary = get64(p);
    v->adapter = get64(p + 8);
    v->adapter_bit = get64(p + 16);
    v->isc = p[24];
    return 0;
}

static unsigned write_features(struct virtio *v, const uint8_t *p)
{
    const unsigned index = p[4];
    uint64_t word = (uint64_t)p[3] << 24 | (uint64_t)p[2] << 16 | (uint64_t)p[1] << 8 | p[0];
    if (index > 1 || (v->status & STATUS_FEATURES_OK))
        return index > 1 && !word ? 0 : SENSE_COMMAND_REJECT;
    v->accepted = index ? (v->accepted & UINT32_MAX) | word << 32 : (v->accepted & ~(uint64_t)UINT32_MAX) | word;
    return 0;
}

static unsigned write_status(struct virtio *v, const uint8_t *p)
{
    const uint8_t was = v->status;
    if (!p[0]) {
        reset(v);
        return 0;
    }
    bool good = !(v->accepted & ~offered(v)) && (v->revision < MODERN || virtio_accepted(v, VIRTIO_F_VERSION_1));
    v->status = (uint8_t)(p[0] | (v->broken && v->revision >= MODERN ? STATUS_NEEDS_RESET : 0));
    if ((v->status & STATUS_FEATURES_OK) && !good) {
        v->status &= (uint8_t) ~(STATUS_FEATURES_OK | STATUS_DRIVER_OK);
        return v->revision < REVISION_STATUS ? SENSE_COMMAND_REJECT : 0;
    }
    if (v->revision < MODERN)
        v->accepted &= offered(v);
    if (virtio_running(v) && !(was & STATUS_DRIVER_OK))
        kick(v, (1u << v->kind->queues) - 1);
    return 0;
}

static unsigned set_indicators(struct virtio *v, const uint8_t *p)
{
    v->indicators = get64(p);
    return 0;
}

static unsigned set_config_indicators(struct virtio *v, const uint8_t *p)
{
    v->config_indicators = get64(p);
    return 0;
}

/* Commands that bring parameters of one length. */
static const struct written {
    uint8_t command, length;
    unsigned (*take)(struct virtio *v, const uint8_t *parameters); /* 0, or sense byte 0 */
} written[] = {
    {COMMAND_SET_REVISION, 4, set_revision},
    {COMMAND_SET_QUEUE, 32, set_queue},
    {COMMAND_SET_ADAPTER, 25, set_adapter},
    {COMMAND_WRITE_FEATURES, 5, write_features},
    {COMMAND_WRITE_STATUS, 1, write_status},
    {COMMAND_SET_INDICATORS, 8, set_indicators},
    {COMMAND_SET_CONFIG_INDICATORS, 8, set_config_indicators},
};

static unsigned take_parameters(struct virtio *v, const struct written *w, struct channel_io *io)
{
    uint8_t parameters[LONGEST] = {0};
    size_t length = w->command == COMMAND_SET_QUEUE && v->revision < MODERN ? 16 : w->length;
    unsigned sense = 0;
    if (channel_fetch(io, parameters, length) < length || (sense = w->take(v, parameters)))
        return reject(v, io);
    return CHANNEL_GOOD;
}

/* Feature word or queue size: the guest's own bytes say which, and the answer goes over them. */
static unsigned answer(struct virtio *v, uint8_t command, struct channel_io *io)
{
    uint8_t p[5];
    const size_t length = command == COMMAND_READ_FEATURES ? 5 : 4;
    if (channel_fetch(io, p, length) < length || !channel_rewind(io))
        return reject(v, io);
    if (command == COMMAND_READ_FEATURES) {
        uint64_t word = p[4] < 2 ? offered(v) >> 32 * p[4] : 0;
        for (unsigned i = 0; i < 4; i++)
            p[i] = (uint8_t)(word >> 8 * i);
    } else if (get16(p) < v->kind->queues) {
        put16(p + 2, v->kind->queue_size);
    } else {
        put16(p + 2, 0);
    }
    channel_store(io, p, length);
    return CHANNEL_GOOD;
}

static unsigned read_config(struct virtio *v, struct channel_io *io)
{
    uint8_t config[256] = {0}; /* zeros behind its end, for a driver that asks for more */
    size_t length = channel_left(io);
    if (v->kind->config)
        v->kind->config(v, config);
    channel_store(io, config, length < sizeof config ? length : sizeof config);
    return CHANNEL_GOOD;
}

unsigned virtio_command(struct channel_device *device, uint8_t command, struct channel_io *io)
{
    struct virtio *v = device->own;
    uint8_t config[256];
    for (unsigned i = 0; i < sizeof written / sizeof *written; i++)
        if (written[i].command == command)
            return take_parameters(v, &written[i], io);
    switch (command) {
    case COMMAND_READ_FEATURES:
    case COMMAND_READ_QUEUE:
        return answer(v, command, io);
    case COMMAND_READ_CONFIG:
        return read_config(v, io);
    case COMMAND_WRITE_CONFIG: /* nothing in it can be changed */
        (void)channel_fetch_some(io, config, sizeof config);
        return CHANNEL_GOOD;
    case COMMAND_READ_STATUS:
        if (v->revision < REVISION_STATUS)
            return reject(v, io);
        channel_store(io, &v->status, 1);
        return CHANNEL_GOOD;
    case COMMAND_RESET:
        reset(v);
        return CHANNEL_GOOD;
    default:
        return channel_command(device, command, io);
    }
}

/* ---- notification ---------------------------------------------------------------------------------------------- */

/* R1 of the machine (not of the instruction): X'3' a queue has something, with subsystem identification, queue and
   cookie in general registers 2 to 4; general register 2 receives the cookie or a negative error. X'0' to X'2' belong
   to an older kind of devices, which does not exist here. */
enum { NOTIFY_OLD = 0, NOTIFY_QUEUE = 3 };
#define NO_SUCH_THING ((uint64_t) - (int64_t)EINVAL)

int virtio_notify(void *machine, struct cpu *cpu, unsigned r1, unsigned r3)
{
    struct machine *m = machine;
    (void)r1;
    (void)r3;
    if (cpu->gr[1] != NOTIFY_QUEUE) {
        /* An address in storage with subcode 0 only says that a message was written there. */
        bool heard = cpu->gr[1] == NOTIFY_OLD && cpu->gr[2] < m->sys.storage.size;
        cpu->gr[2] = heard ? 0 : NO_SUCH_THING;
        return 0;
    }
    css_at(m, cpu);
    struct channel_device *d = channel_find(m, (uint32_t)cpu->gr[2]);
    struct virtio *v = d && d->type->command == virtio_command && channel_enabled(d) ? d->own : NULL;
    if (!v || cpu->gr[3] >= v->kind->queues || !v->queues[cpu->gr[3]].descriptors) {
        cpu->gr[2] = NO_SUCH_THING;
        return 0;
    }
    cpu->gr[2] = cpu->gr[3]; /* the cookie: saves the guest nothing, but must not be negative */
    if (virtio_running(v) && !v->broken)
        kick(v, 1u << cpu->gr[3]);
    return 0;
}

/* ---- snapshot -------------------------------------------------------------------------------------------------- */

static void queue_fields(struct virtio_queue *q, const struct channel_fields *f)
{
    uint8_t told_any = q->told_any;
    f->number(f->context, &q->descriptors, 8);
    f->number(f->context, &q->driver, 8);
    f->number(f->context, &q->device, 8);
    f->number(f->context, &q->size, 2);
    f->number(f->context, &q->taken, 2);
    f->number(f->context, &q->used, 2);
    f->number(f->context, &q->told, 2);
    f->number(f->context, &told_any, 1);
    q->told_any = told_any == 1;
}

void virtio_fields(struct channel_device *device, const struct channel_fields *f)
{
    struct virtio *v = device->own;
    uint8_t broken = v->broken;
    f->number(f->context, &v->revision, 1);
    f->number(f->context, &v->status, 1);
    f->number(f->context, &v->accepted, 8);
    f->number(f->context, &broken, 1);
    f->number(f->context, &v->kicked, 1);
    f->number(f->context, &v->indicators, 8);
    f->number(f->context, &v->config_indicators, 8);
    f->number(f->context, &v->summary, 8);
    f->number(f->context, &v->adapter, 8);
    f->number(f->context, &v->adapter_bit, 8);
    f->number(f->context, &v->isc, 1);
    for (unsigned i = 0; i < v->kind->queues; i++) {
        struct virtio_queue *q = &v->queues[i];
        queue_fields(q, f);
        if (f->loading && (!q->size || (q->size & (q->size - 1)) || q->size > v->kind->queue_size)) {
            q->size = v->kind->queue_size;
            f->refuse(f->context, "a queue has a size that it cannot have");
        }
    }
    if (f->loading && (v->revision > LAST_REVISION + 1 || v->isc > 7 || v->kicked >> v->kind->queues)) {
        v->revision = v->isc = v->kicked = 0;
        f->refuse(f->context, "a virtio device is not possible");
    }
    v->broken = broken == 1;
    if (v->kind->fields && !f->refused(f->context))
        v->kind->fields(v, f);
}
