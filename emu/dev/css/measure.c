/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurement blocks. PoP chapter 17, "Channel-Subsystem Monitoring" (SA22-7832-13). A block, format 0, has 32 bytes:
   the count of start and resume functions and the count of samples, then times in units of 128 microseconds, of which
   a device here has two: function-pending and device-connect time. */
#include "emu/dev/css/internal.h"
#include "cpu/storage/code.h"

#define BLOCK      32u
#define AT_SAMPLES 2u
#define AT_CONNECT 4u
#define AT_PENDING 8u
#define UNIT       (128 * CHANNEL_MICROSECOND)

/* The block in storage; NULL: nothing is measured. Reading: a block that cannot be accessed ends the measurement of its
   subchannel, as a measurement-block check does; no logout tells of it. */
static uint8_t *block_of(struct css *css, struct subchannel *s)
{
    if (!css->measures || !(s->flags & PMCW_MEASURED))
        return NULL;
    const struct storage *storage = css_storage(css);
    const uint64_t at = css->measure_block + BLOCK * (uint64_t)s->block_index;
    const unsigned key = css->measure_key;
    if (!storage_has(storage, at, BLOCK) || (key && key != (unsigned)(storage->keys[at >> PAGE_BITS] >> 4))) {
        s->flags &= (uint16_t)~PMCW_MEASURED;
        return NULL;
    }
    storage->keys[at >> PAGE_BITS] |= KEY_R | KEY_C;
    cpu_code_written_outside(css_system(css), at, BLOCK);
    return storage->bytes + at;
}

void css_measure_start(struct css *css, struct subchannel *s)
{
    s->started = css->now;
    s->begun = 0;
    uint8_t *block = block_of(css, s);
    if (block)
        put16(block, (uint16_t)(get16(block) + 1));
}

/* Whole units are added to a time, the rest waits. */
static void add(uint8_t *at, uint64_t *rest, uint64_t time)
{
    *rest += time;
    put32(at, (uint32_t)(get32(at) + *rest / UNIT));
    *rest %= UNIT;
}

void css_measure_end(struct css *css, struct subchannel *s)
{
    uint8_t *block = s->started ? block_of(css, s) : NULL;
    if (block) {
        const uint64_t begun = s->begun ? s->begun : css->now;
        put16(block + AT_SAMPLES, (uint16_t)(get16(block + AT_SAMPLES) + 1));
        add(block + AT_PENDING, &s->pending_rest, begun - s->started);
        add(block + AT_CONNECT, &s->connect_rest, css->now - begun);
    }
    s->started = 0;
}
