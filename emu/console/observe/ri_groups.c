/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of the program buffer for reading: bytes, and a listing of calls and branches with the instructions and
   symbols of the program. */
#include "emu/console/base/internal.h"
#include "emu/console/observe/ri.h"
#include "ri/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LISTED_MOST 256 /* records of the largest group */

/* What a line of the listing needs of a record. */
struct place {
    uint64_t ia, target, data;
    bool has_ia, truncated, has_target, has_data;
};

static void keep_place(void *context, const char *name, uint64_t value, unsigned digits)
{
    struct place *place = context;
    (void)digits;
    if (strcmp(name, "IA") == 0) {
        place->ia = value;
        place->has_ia = true;
    } else if (strcmp(name, "C") == 0) {
        place->truncated = value;
    } else if (strcmp(name, "TGT") == 0 || strcmp(name, "RPA") == 0) {
        place->target = value;
        place->has_target = true;
    } else if (strcmp(name, "DATA") == 0) {
        place->data = value;
        place->has_data = true;
    }
}

/* A group being collected, to be listed when it is whole. */
struct listing {
    struct console *c;
    uint64_t only; /* 0: all groups */
    unsigned group, count, listed;
    uint64_t address;
    struct ri_record records[LISTED_MOST];
};

/* How deep calls reach in this group when its first record stands at depth 0: the depth to begin with, so that none is
   negative. */
static unsigned first_depth(const struct listing *l)
{
    int depth = 0, least = 0;
    for (unsigned i = 0; i < l->count; i++) {
        depth += ri_record_type(l->records[i]) == RI_TYPE_CALL;
        depth -= ri_record_type(l->records[i]) == RI_TYPE_RETURN;
        least = depth < least ? depth : least;
    }
    return (unsigned)-least;
}

static void place_text(struct console *c, uint64_t address, char *text, size_t size)
{
    char symbol[96];
    look_symbol(c, address, symbol, sizeof symbol);
    snprintf(text, size, "%" PRIX64 "%s%s%s", address, *symbol ? " <" : "", symbol, *symbol ? ">" : "");
}

/* The instruction at a place, "(not in storage)", or only its address when that is not known in full. */
static void instruction_words(struct console *c, const struct place *place, char *text, size_t size)
{
    if (place->truncated)
        snprintf(text, size, "...%014" PRIX64, place->ia);
    else if (!look_line(c, place->ia, text, size))
        snprintf(text, size, "%016" PRIX64 "  (not in storage)", place->ia);
}

static void list_record(const struct listing *l, struct ri_record record, unsigned depth)
{
    struct console *c = l->c;
    struct place place = {0};
    char words[256], target[128] = "", data[32] = "", indent[2 * LISTED_MOST + 1];
    const unsigned type = ri_record_type(record);
    ri_record_facts(record, keep_place, &place);
    if (!place.has_ia)
        return;
    instruction_words(c, &place, words, sizeof words);
    if (place.has_target)
        place_text(c, place.target, target, sizeof target);
    if (place.has_data)
        snprintf(data, sizeof data, "%016" PRIX64, place.data);
    snprintf(indent, sizeof indent, "%*s", (int)(2 * depth), "");
    SHOW_ROW(c, "  {-9}{}{}{}{}{}{}\n", fact_text("type", type == RI_TYPE_INSTRUCTION ? "sample" : ri_type_name(type)),
             fact_text(NULL, indent), fact_text("instruction", words), fact_text(NULL, *target ? "  -> " : ""),
             fact_if(place.has_target, fact_text("target", target)), fact_text(NULL, *data ? "  data " : ""),
             fact_if(place.has_data, fact_text("data", data)), fact_number("depth", depth),
             fact_hex("address", place.ia, 16));
}

static void list_group(struct listing *l)
{
    struct console *c = l->c;
    if (!l->group || (l->only && l->only != l->group))
        return;
    l->listed++;
    show_object(c, NULL);
    SHOW(c, "group {} at {}\n", fact_number("group", l->group), fact_hex("address", l->address, 16));
    show_list(c, "lines");
    unsigned depth = first_depth(l);
    for (unsigned i = 0; i < l->count; i++) {
        const unsigned type = ri_record_type(l->records[i]);
        depth -= type == RI_TYPE_RETURN;
        list_record(l, l->records[i], depth);
        depth += type == RI_TYPE_CALL;
    }
    show_end_list(c);
    show_end_object(c);
}

static void each_listed(void *context, unsigned group, uint64_t address, struct ri_record record)
{
    struct listing *l = context;
    if (group != l->group) {
        list_group(l);
        l->group = group;
        l->address = address;
        l->count = 0;
    }
    if (l->count < LISTED_MOST)
        l->records[l->count++] = record;
}

struct hex {
    struct console *c;
    uint64_t only;
    unsigned group, listed;
};

static void each_hex(void *context, unsigned group, uint64_t address, struct ri_record record)
{
    struct hex *h = context;
    struct console *c = h->c;
    if (h->only && h->only != group)
        return;
    h->listed += group != h->group;
    const char *name = ri_type_name(ri_record_type(record));
    if (group != h->group)
        show_words(c, "group %u\n", group);
    SHOW_ROW(c, "  {}  {} {}  {}\n", fact_hex("address", address, 16), fact_hex("hi", record.hi, 16),
             fact_hex("lo", record.lo, 16), fact_text(NULL, name ? name : "no record"), fact_number("group", group));
    h->group = group;
}

static int some_groups(struct console *c, int argc, char **argv, bool listing)
{
    uint8_t *bytes;
    size_t size;
    uint64_t only = 0;
    if (argc > 3)
        return console_usage(c, "ri");
    if (argc == 3 && console_count(c, argv[2], &only))
        return -1;
    struct listing *l = calloc(1, sizeof *l);
    if (!l)
        return console_fail(c, "ri %s: the host has no memory", argv[1]);
    if (console_ri_fetch(c, &bytes, &size)) {
        free(l);
        return -1;
    }
    *l = (struct listing){.c = c, .only = only};
    struct hex h = {.c = c, .only = only};
    show_list(c, NULL);
    unsigned groups = ri_buffer_each(bytes, size, c->cpu->ri->controls.roa, listing ? each_listed : each_hex,
                                     listing ? (void *)l : (void *)&h);
    list_group(l);
    show_end_list(c);
    unsigned listed = listing ? l->listed : h.listed;
    free(bytes);
    free(l);
    if (only && !listed) {
        json_clear(&c->facts);
        return console_fail(c, "ri %s: there is no group %" PRIu64 "; the program buffer has %u", argv[1], only,
                            groups);
    }
    return 0;
}

int console_ri_listing(struct console *c, int argc, char **argv) { return some_groups(c, argc, argv, true); }

int console_ri_hex(struct console *c, int argc, char **argv) { return some_groups(c, argc, argv, false); }
