/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that become more. */
#ifndef ZRI_BASE_ROOM_H
#define ZRI_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Sees that `*bytes` (malloc's or NULL, of which `*room` bytes are there) holds `needed` bytes; it becomes larger by
   half as much again, so that many small additions are few moves. False: the host has no memory; nothing has changed.
 */
static inline bool room_for(uint8_t **bytes, size_t *room, size_t needed)
{
    if (needed <= *room)
        return true;
    const size_t more = needed + needed / 2;
    uint8_t *larger = realloc(*bytes, more);
    if (!larger)
        return false;
    *bytes = larger;
    *room = more;
    return true;
}

#endif
