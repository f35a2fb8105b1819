/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/console/debug/kept.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD 48u /* bytes that the line in front may take */

static void drop(struct kept *k)
{
    char **oldest = &k->record[k->first];
    k->bytes -= strlen(*oldest);
    free(*oldest);
    *oldest = NULL;
    k->first = (k->first + 1) % k->room;
    k->count--;
    k->dropped++;
}

static bool make_room(struct kept *k)
{
    if (k->count < k->room)
        return true;
    const size_t room = 2 * k->room + 64;
    char **record = malloc(room * sizeof *record);
    if (!record)
        return false;
    for (size_t i = 0; i < k->count; i++)
        record[i] = k->record[(k->first + i) % k->room];
    free(k->record);
    k->record = record;
    k->room = room;
    k->first = 0;
    return true;
}

void kept_add(struct kept *k, const char *text, size_t length)
{
    while (k->count && ((k->most_records && k->count >= k->most_records) ||
                        (k->most_bytes && k->bytes + length + HEAD > k->most_bytes)))
        drop(k);
    char *copy = malloc(length + 1);
    if (!copy || !make_room(k)) {
        free(copy);
        k->dropped++;
        return;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    k->record[(k->first + k->count++) % k->room] = copy;
    k->bytes += length;
}

bool kept_write(const struct kept *k, FILE *file, bool last)
{
    const bool back = fseek(file, 0, SEEK_SET) == 0;
    if (!back && !last)
        return true;
    if (back && ftruncate(fileno(file), 0))
        return false;
    if (k->dropped)
        fprintf(file, "... %" PRIu64 " before these\n", k->dropped);
    for (size_t i = 0; i < k->count; i++)
        fputs(k->record[(k->first + i) % k->room], file);
    return fflush(file) == 0 && !ferror(file);
}

void kept_free(struct kept *k)
{
    while (k->count)
        drop(k);
    free(k->record);
    k->record = NULL;
    k->room = 0;
}
