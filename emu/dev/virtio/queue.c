/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split virtqueues in the guest's storage. Nothing in them is believed: an index, length, address or chain that cannot
   be puts the device into error. Virtual I/O Device specification 1.2, section 2.7. */
#include "emu/dev/virtio/transport.h"
#include "emu/state/machine.h"

#define DESCRIPTOR      16u
#define DESCRIPTOR_NEXT 1u
#define DESCRIPTOR_IN   2u /* the device writes */
#define DESCRIPTOR_LIST 4u /* it describes a table of descriptors */
#define NO_INTERRUPTION 1u /* flag of the available ring */

struct descriptor {
    uint64_t at;
    uint32_t length;
    uint16_t flags, next;
};

uint64_t virtio_get(const struct virtio *v, const void *from, unsigned size)
{
    const uint8_t *bytes = from;
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | bytes[v->revision > 1 ? size - 1 - i : i];
    return value;
}

void virtio_put(const struct virtio *v, void *to, uint64_t value, unsigned size)
{
    uint8_t *bytes = to;
    for (unsigned i = 0; i < size; i++, value >>= 8)
        bytes[v->revision > 1 ? i : size - 1 - i] = (uint8_t)value;
}

/* ---- ring entries ---------------------------------------------------------------------------------------------- */

static bool fetch16(struct virtio *v, uint64_t at, uint16_t *value)
{
    uint8_t bytes[2];
    if (!channel_storage_fetch(v->device->machine, at, bytes, sizeof bytes)) {
        virtio_break(v, "a ring is not in storage");
        return false;
    }
    *value = (uint16_t)virtio_get(v, bytes, 2);
    return true;
}

static void store16(struct virtio *v, uint64_t at, uint16_t value)
{
    uint8_t bytes[2];
    virtio_put(v, bytes, value, 2);
    if (!channel_storage_store(v->device->machine, at, bytes, sizeof bytes))
        virtio_break(v, "a ring is not in storage");
}

static uint64_t available_entry(const struct virtio_queue *q, uint16_t index)
{
    return q->driver + 4 + 2 * (uint64_t)(index & (q->size - 1));
}
static uint64_t used_entry(const struct virtio_queue *q, uint16_t index)
{
    return q->device + 4 + 8 * (uint64_t)(index & (q->size - 1));
}
/* Behind the rings: where the other side wants to be told. */
static uint64_t used_event(const struct virtio_queue *q) { return q->driver + 4 + 2 * (uint64_t)q->size; }
static uint64_t available_event(const struct virtio_queue *q) { return q->device + 4 + 8 * (uint64_t)q->size; }

/* How many requests the guest has made available. */
static uint16_t waiting(struct virtio *v, const struct virtio_queue *q)
{
    uint16_t index;
    if (!virtio_running(v) || v->broken || !q->descriptors || !fetch16(v, q->driver + 2, &index))
        return 0;
    uint16_t count = (uint16_t)(index - q->taken);
    if (count <= q->size)
        return count;
    virtio_break(v, "more requests are available than the queue has entries");
    return 0;
}

bool virtio_available(struct virtio *v, unsigned queue) { return waiting(v, &v->queues[queue]) != 0; }

/* ---- requests -------------------------------------------------------------------------------------------------- */

static bool fetch_descriptor(struct virtio *v, uint64_t table, uint32_t index, struct descriptor *d)
{
    uint8_t bytes[DESCRIPTOR];
    if (!channel_storage_fetch(v->device->machine, table + (uint64_t)DESCRIPTOR * index, bytes, sizeof bytes)) {
        virtio_break(v, "a descriptor is not in storage");
        return false;
    }
    d->at = virtio_get(v, bytes, 8);
    d->length = (uint32_t)virtio_get(v, bytes + 8, 4);
    d->flags = (uint16_t)virtio_get(v, bytes + 12, 2);
    d->next = (uint16_t)virtio_get(v, bytes + 14, 2);
    return true;
}

/* A buffer is added to the request. Returns NULL, or what is wrong with it. */
static const char *add(struct virtio *v, const struct descriptor *d)
{
    struct virtio_request *r = &v->request;
    const bool in = d->flags & DESCRIPTOR_IN;
    if (!storage_has(&v->device->machine->sys.storage, d->at, d->length))
        return "a buffer is not in storage";
    if (!in && r->readable != r->count)
        return "a buffer to be read follows one to be written";
    if (r->count == VIRTIO_PARTS || (in ? r->in : r->out) + d->length > VIRTIO_LARGEST)
        return "a request is too large";
    r->parts[r->count].at = d->at;
    r->parts[r->count++].length = d->length;
    if (in) {
        r->in += d->length;
    } else {
        r->readable++;
        r->out += d->length;
    }
    return NULL;
}

/* Collect the chain that begins with descriptor `index` of the queue's table. */
static const char *collect(struct virtio *v, const struct virtio_queue *q, uint16_t index)
{
    uint64_t table = q->descriptors;
    uint32_t size = q->size;
    bool listed = false;
    struct descriptor d;
    for (unsigned steps = 0; steps <= VIRTIO_PARTS; steps++) {
        if (index >= size)
            return "a descriptor number is beyond its table";
        if (!fetch_descriptor(v, table, index, &d))
            return "a descriptor is not in storage";
        if (d.flags & DESCRIPTOR_LIST) {
            if (listed || (d.flags & DESCRIPTOR_NEXT) || !d.length || d.length % DESCRIPTOR ||
                !virtio_accepted(v, VIRTIO_F_INDIRECT))
                return "a table of descriptors is where none can be";
            listed = true;
            table = d.at;
            size = d.length / DESCRIPTOR;
            index = 0;
            continue;
        }
        const char *wrong = add(v, &d);
        if (wrong || !(d.flags & DESCRIPTOR_NEXT))
            return wrong;
        index = d.next;
    }
    return "a chain of descriptors has no end";
}

bool virtio_take(struct virtio *v, unsigned queue)
{
    struct virtio_queue *q = &v->queues[queue];
    struct virtio_request *r = &v->request;
    r->count = r->readable = 0;
    r->out = r->in = 0;
    if (!waiting(v, q)) {
        if (!v->broken && q->descriptors && virtio_accepted(v, VIRTIO_F_EVENT_INDEX))
            store16(v, available_event(q), q->taken);
        return false;
    }
    if (v->served >= q->size || v->moved >= VIRTIO_AT_ONCE) {
        virtio_later(v, queue);
        return false;
    }
    if (!fetch16(v, available_entry(q, q->taken), &r->head))
        return false;
    const char *wrong = collect(v, q, r->head);
    if (wrong) {
        virtio_break(v, wrong);
        return false;
    }
    q->taken++;
    v->served++;
    v->moved += r->out + r->in;
    return true;
}

/* Copy between the request's buffers from number `first` on and the host. */
static size_t copy(struct virtio *v, unsigned first, unsigned end, uint64_t offset, uint8_t *to, const uint8_t *from,
                   size_t length)
{
    struct machine *m = v->device->machine;
    size_t done = 0;
    for (unsigned i = first; i < end && done < length; i++) {
        const uint64_t at = v->request.parts[i].at, size = v->request.parts[i].length;
        if (offset >= size) {
            offset -= size;
            continue;
        }
        size_t n = size - offset < length - done ? (size_t)(size - offset) : length - done;
        if (!(to ? channel_storage_fetch(m, at + offset, to + done, n)
                 : channel_storage_store(m, at + offset, from + done, n)))
            break;
        done += n;
        offset = 0;
    }
    return done;
}

size_t virtio_read(struct virtio *v, uint64_t offset, void *to, size_t length)
{
    return copy(v, 0, v->request.readable, offset, to, NULL, length);
}

size_t virtio_write(struct virtio *v, uint64_t offset, const void *from, size_t length)
{
    return copy(v, v->request.readable, v->request.count, offset, NULL, from, length);
}

void virtio_done(struct virtio *v, unsigned queue, uint32_t written)
{
    struct virtio_queue *q = &v->queues[queue];
    uint8_t entry[8];
    virtio_put(v, entry, v->request.head, 4);
    virtio_put(v, entry + 4, written, 4);
    if (!channel_storage_store(v->device->machine, used_entry(q, q->used), entry, sizeof entry)) {
        virtio_break(v, "a ring is not in storage");
        return;
    }
    store16(v, q->device + 2, ++q->used);
}

void virtio_tell(struct virtio *v, unsigned queue)
{
    struct virtio_queue *q = &v->queues[queue];
    uint16_t word;
    v->served = 0;
    v->moved = 0;
    if (v->broken || !q->descriptors || (q->told_any && q->told == q->used))
        return;
    bool wanted = !q->told_any && q->used != q->told;
    if (virtio_accepted(v, VIRTIO_F_EVENT_INDEX)) {
        if (!fetch16(v, used_event(q), &word))
            return;
        wanted |= (uint16_t)(q->used - word - 1) < (uint16_t)(q->used - q->told);
    } else {
        if (!fetch16(v, q->driver, &word))
            return;
        wanted = !(word & NO_INTERRUPTION) && q->used != q->told;
    }
    q->told = q->used;
    q->told_any = true;
    if (wanted)
        virtio_interrupt(v, queue);
}
