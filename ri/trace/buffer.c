/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring of bytes between a trace unit and its exit. */
#include "ri/trace/buffer.h"
#include "ri/trace/wire.h"
#include <stdlib.h>
#include <string.h>

/* A block that is longer than the smallest buffers (SYNC with all of CFG) fits into an empty one. */
#define LONGEST 1024u

bool et_buffer_resize(struct et_buffer *b, size_t size)
{
    const size_t whole = size ? (size < LONGEST ? LONGEST : size) + ET_BUFFER_SPARE : 0;
    uint8_t *ring = NULL;
    if (size == b->size)
        return true;
    if (whole && !(ring = malloc(whole)))
        return false;
    if (b->fill > size) {
        et_buffer_drop(b, b->fill - size);
        b->overwritten = true;
    }
    if (ring)
        et_buffer_copy(b, ring, b->fill);
    free(b->ring);
    b->ring = ring;
    b->size = size;
    b->whole = whole;
    b->first = 0;
    return true;
}

void et_buffer_put(struct et_buffer *b, const uint8_t *bytes, size_t size)
{
    if (b->fill + size > b->whole)
        return;
    size_t at = b->first + b->fill;
    if (at >= b->whole)
        at -= b->whole;
    const size_t ahead = b->whole - at, now = size < ahead ? size : ahead;
    memcpy(b->ring + at, bytes, now);
    memcpy(b->ring, bytes + now, size - now);
    b->fill += size;
}

void et_buffer_wrap(struct et_buffer *b, const uint8_t *bytes, size_t size)
{
    const size_t most = size > b->size ? size : b->size;
    if (b->fill + size > most) {
        et_buffer_drop(b, b->fill + size - most);
        b->overwritten = true;
    }
    et_buffer_put(b, bytes, size);
}

size_t et_buffer_copy(const struct et_buffer *b, uint8_t *bytes, size_t size)
{
    if (size > b->fill)
        size = b->fill;
    if (!size)
        return 0;
    const size_t ahead = b->whole - b->first, now = size < ahead ? size : ahead;
    memcpy(bytes, b->ring + b->first, now);
    memcpy(bytes + now, b->ring, size - now);
    return size;
}

void et_buffer_drop(struct et_buffer *b, size_t size)
{
    if (!size)
        return;
    b->first += size;
    if (b->first >= b->whole)
        b->first -= b->whole;
    b->fill -= size;
    if (!b->fill)
        b->first = 0;
}

size_t et_buffer_span(const struct et_buffer *b, const uint8_t **bytes)
{
    *bytes = b->ring + b->first;
    const size_t ahead = b->whole - b->first;
    return b->fill < ahead ? b->fill : ahead;
}

size_t et_buffer_before_sync(const struct et_buffer *b)
{
    unsigned zeros = 0;
    for (size_t i = 0, at = b->first; i < b->fill; i++, at = at + 1 == b->whole ? 0 : at + 1) {
        if (b->ring[at] == ET_SYNC_END && zeros >= ET_SYNC_ZEROS)
            return i - ET_SYNC_ZEROS;
        zeros = b->ring[at] ? 0 : zeros + 1;
    }
    return b->fill;
}
