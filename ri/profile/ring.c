/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/ring.h"

#include <errno.h>
#include <stdlib.h>

int ep_ring_create(struct ep_ring *ring, unsigned tbt)
{
    *ring = (struct ep_ring){0};
    if (!tbt || tbt > EP_TRACE_MOST)
        return -EINVAL;
    ring->tbt = tbt;
    ring->slot = calloc(EP_RING_SLOTS(tbt), sizeof *ring->slot);
    ring->exec = calloc(EP_RING_EXECS(tbt), sizeof *ring->exec);
    if (ring->slot && ring->exec)
        return 0;
    ep_ring_destroy(ring);
    return -ENOMEM;
}

void ep_ring_destroy(struct ep_ring *ring)
{
    free(ring->slot);
    free(ring->exec);
    *ring = (struct ep_ring){0};
}

void ep_ring_start(struct ep_ring *ring, struct ep_place origin, uint64_t epoch)
{
    ring->made = ring->made_exec = ring->order = ring->lost = 0;
    ring->origin = origin;
    ring->origin_epoch = epoch;
    ring->origin_known = true;
}

void ep_ring_put(struct ep_ring *ring, const struct ep_entry *entry)
{
    struct ep_slot *slot;
    if (entry->kind == EP_EXEC) {
        slot = &ring->exec[ring->made_exec % EP_RING_EXECS(ring->tbt)];
        if (ring->made_exec++ >= EP_RING_EXECS(ring->tbt))
            ring->lost = slot->order + 1;
    } else {
        slot = &ring->slot[ring->made++ % EP_RING_SLOTS(ring->tbt)];
    }
    *slot = (struct ep_slot){*entry, ring->order++};
}

static const struct ep_slot *main_at(const struct ep_ring *ring, uint64_t n)
{
    return &ring->slot[n % EP_RING_SLOTS(ring->tbt)];
}
static const struct ep_slot *exec_at(const struct ep_ring *ring, uint64_t n)
{
    return &ring->exec[n % EP_RING_EXECS(ring->tbt)];
}

void ep_ring_read(const struct ep_ring *ring, struct ep_entry *entries, struct ep_sample *sample)
{
    const unsigned slots = EP_RING_SLOTS(ring->tbt), execs = EP_RING_EXECS(ring->tbt);
    const uint64_t oldest = ring->made > slots ? ring->made - slots : 0;
    uint64_t first = ring->made, begin = 0; /* number of the first one that is given; everything is since `begin` */
    for (unsigned taken = 0; first > oldest; first--) {
        taken += ep_taken(&main_at(ring, first - 1)->entry);
        if (taken > ring->tbt)
            break;
    }
    if (first > oldest)
        begin = main_at(ring, first - 1)->order + 1;
    else if (oldest)
        begin = main_at(ring, oldest)->order;
    uint64_t exec = ring->made_exec > execs ? ring->made_exec - execs : 0;
    sample->cut = ring->lost > begin;
    if (sample->cut)
        begin = ring->lost;
    sample->origin = ring->origin;
    sample->origin_epoch = ring->origin_epoch;
    sample->origin_valid = ring->origin_known && !begin;
    sample->count = 0;
    sample->entry = entries;
    while (first < ring->made && main_at(ring, first)->order < begin)
        first++;
    while (exec < ring->made_exec && exec_at(ring, exec)->order < begin)
        exec++;
    while (first < ring->made || exec < ring->made_exec) {
        const bool from_exec =
            first == ring->made || (exec < ring->made_exec && exec_at(ring, exec)->order < main_at(ring, first)->order);
        entries[sample->count++] = from_exec ? exec_at(ring, exec++)->entry : main_at(ring, first++)->entry;
    }
}
