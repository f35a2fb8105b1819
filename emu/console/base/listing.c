/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the source among instructions. */
#include "emu/console/base/listing.h"
#include "emu/console/base/show.h"
#include "emu/console/base/source.h"
#include <string.h>

void listing_source(struct console *c, uint64_t address, char line[LISTING_PLACE])
{
    char place[LISTING_PLACE];
    source_line(c, address, place, sizeof place);
    if (strcmp(place, line) == 0)
        return;
    snprintf(line, LISTING_PLACE, "%s", place);
    const struct source_text text = source_text(c, address);
    if (*text.words)
        show_words(c, "%s%s  %s\n", place, text.newer ? " (newer than the program)" : "", text.words);
}
