/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that become more. */
#ifndef ZRI_BASE_ROOM_H
#define ZRI_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The last of what is written, in `kept`, which has place for `room` bytes and has `*length` of them: `n` bytes more,
   for which the first ones give way. */
static inline void room_for_last(char *kept, size_t room, size_t *length, const char *bytes, size_t n)
{
    if (n > room) {
        bytes += n - room;
        n = room;
    }
    if (*length + n > room) {
        const size_t away = *length + n - room;
        memmove(kept, kept + away, *length - away);
        *length -= away;
    }
    memcpy(kept + *length, bytes, n);
    *length += n;
}

#endif
