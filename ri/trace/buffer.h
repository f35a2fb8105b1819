/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring of bytes between a trace unit and its exit. */
#ifndef ZRI_RI_TRACE_BUFFER_H
#define ZRI_RI_TRACE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ET_BUFFER_SPARE 128u /* bytes beyond the size, for END */

struct et_buffer {
    uint8_t *ring; /* NULL: size 0 */
    size_t size;   /* as configured */
    size_t whole;  /* bytes of the ring */
    size_t first, fill;
    bool overwritten; /* the oldest bytes were: what is left may begin inside of a packet */
};

/* Make it a ring of `size` bytes (0: none) that keeps the newest of what it has. False: no memory; nothing changed. */
bool et_buffer_resize(struct et_buffer *b, size_t size);
/* A block of `size` bytes may come: there is room, or nothing is there, so that it need not wait for more. */
static inline bool et_buffer_room(const struct et_buffer *b, size_t size)
{
    return b->fill + size <= b->size || (!b->fill && size <= b->whole);
}
/* Append a block that there is room for; END needs no asking. */
void et_buffer_put(struct et_buffer *b, const uint8_t *bytes, size_t size);
/* Append; where there is no room the oldest bytes go. */
void et_buffer_wrap(struct et_buffer *b, const uint8_t *bytes, size_t size);
/* Copy the oldest bytes, up to `size`; returns how many. */
size_t et_buffer_copy(const struct et_buffer *b, uint8_t *bytes, size_t size);
void et_buffer_drop(struct et_buffer *b, size_t size);
/* Oldest bytes that stand together: their number, and where. */
size_t et_buffer_span(const struct et_buffer *b, const uint8_t **bytes);
/* Bytes in front of the first SYNC; all there are when there is none. */
size_t et_buffer_before_sync(const struct et_buffer *b);

#endif
