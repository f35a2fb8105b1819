/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/show/executed.h"
#include "base/message.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024u
#define MOST        (1u << 30)

struct table { /* open addressing; `runs`, `branches` of a free slot are both zero and `used` is false */
    struct ep_instruction *slot;
    bool *used;
    uint32_t slots, count;
    uint32_t space;
    uint64_t units; /* of the run that is walked */
};

static struct ep_instruction *find(const struct table *t, uint32_t space, uint64_t address, uint32_t *place)
{
    uint32_t i = (uint32_t)(((address >> 1) + space * UINT64_C(0x10000001)) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (i &= t->slots - 1; t->used[i]; i = (i + 1) & (t->slots - 1))
        if (t->slot[i].address == address && t->slot[i].space == space)
            break;
    *place = i;
    return &t->slot[i];
}

static int grow(struct table *t)
{
    struct table larger = *t;
    uint32_t place;
    if (t->slot && t->count < t->slots / 2)
        return 0;
    larger.slots = t->slot ? 2 * t->slots : FIRST_SLOTS;
    larger.slot = larger.slots > MOST ? NULL : calloc(larger.slots, sizeof *larger.slot);
    larger.used = calloc(larger.slots, sizeof *larger.used);
    if (!larger.slot || !larger.used) {
        free(larger.slot);
        free(larger.used);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < t->slots; i++)
        if (t->slot && t->used[i]) {
            *find(&larger, t->slot[i].space, t->slot[i].address, &place) = t->slot[i];
            larger.used[place] = true;
        }
    free(t->slot);
    free(t->used);
    *t = larger;
    return 0;
}

/* The instruction at an address, which is added when it is new; NULL: no memory. */
static struct ep_instruction *of(struct table *t, uint32_t space, uint64_t address)
{
    uint32_t place;
    if (grow(t))
        return NULL;
    struct ep_instruction *i = find(t, space, address, &place);
    if (!t->used[place]) {
        t->used[place] = true;
        t->count++;
        *i = (struct ep_instruction){.address = address, .space = space};
    }
    return i;
}

static int in_run(void *context, uint64_t address, const uint8_t bytes[6])
{
    struct table *t = context;
    struct ep_instruction *i = of(t, t->space, address);
    (void)bytes;
    if (!i)
        return -ENOMEM;
    i->runs = ep_saturated_sum(i->runs, t->units);
    return 0;
}

static int add_runs(struct table *t, const struct ep_view *view, const struct ep_source *source, char *error,
                    size_t size)
{
    uint32_t count;
    const struct ep_row *run = ep_profile_list(view->profile, EP_RUNS, &count);
    int bad = 0;
    for (uint32_t i = 0; i < count && !bad; i++) {
        t->space = run[i].from_space;
        t->units = run[i].units;
        if (ep_profile_module_at(view->profile, run[i].from_space, run[i].from) != UINT32_MAX)
            bad = ep_source_walk(source, run[i].from_space, run[i].from, run[i].to, in_run, t, error, size);
    }
    return bad;
}

static int add_branches(struct table *t, const struct ep_view *view)
{
    for (uint32_t first = 0, end; first < view->branches; first = end) {
        struct ep_instruction *i = of(t, view->branch[first].row->from_space, view->branch[first].row->from);
        if (!i)
            return -ENOMEM;
        i->first = first;
        for (end = first; end < view->branches && view->branch[end].site == view->branch[first].site; end++) {
            const struct ep_row *row = view->branch[end].row;
            i->branches = ep_saturated_sum(i->branches, row->units);
            i->taken = ep_saturated_sum(i->taken, row->kind == EP_TAKEN ? row->units : 0);
        }
        i->end = end;
    }
    return 0;
}

static int compare(const void *left, const void *right)
{
    const struct ep_instruction *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

int ep_executed_make(struct ep_executed *executed, const struct ep_view *view, const struct ep_source *source,
                     char *error, size_t size)
{
    struct table t = {.slot = NULL};
    *executed = (struct ep_executed){.at = NULL};
    int bad = add_runs(&t, view, source, error, size);
    bad = bad ? bad : add_branches(&t, view);
    if (bad == -ENOMEM)
        bad = fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    for (uint32_t i = 0; i < t.slots && !bad; i++)
        if (t.used[i])
            t.slot[executed->count++] = t.slot[i];
    free(t.used);
    if (bad) {
        free(t.slot);
        return bad;
    }
    executed->at = t.slot;
    if (executed->count)
        qsort(executed->at, executed->count, sizeof *executed->at, compare);
    for (uint32_t i = 0; i < executed->count; i++)
        executed->at[i].function = ep_view_function(view, executed->at[i].space, executed->at[i].address);
    return 0;
}

void ep_executed_free(struct ep_executed *executed)
{
    free(executed->at);
    *executed = (struct ep_executed){.at = NULL};
}

const struct ep_instruction *ep_executed_at(const struct ep_executed *executed, uint32_t space, uint64_t address)
{
    const struct ep_instruction key = {.space = space, .address = address};
    return executed->count ? bsearch(&key, executed->at, executed->count, sizeof key, compare) : NULL;
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static uint32_t *slot_of(const struct ep_names *names, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    uint32_t i = (uint32_t)(hash >> 32) & (names->slots - 1);
    while (names->slot[i] && strcmp(names->name[names->slot[i] - 1], name) != 0)
        i = (i + 1) & (names->slots - 1);
    return &names->slot[i];
}

static int grow_names(struct ep_names *names)
{
    const uint32_t slots = names->slots ? 2 * names->slots : 64;
    if (names->slots && names->count < names->slots / 2)
        return 0;
    const char **larger = slots > MOST ? NULL : realloc(names->name, slots * sizeof *larger);
    if (!larger)
        return -ENOMEM;
    names->name = larger;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return -ENOMEM;
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (uint32_t i = 0; i < names->count; i++)
        *slot_of(names, names->name[i]) = i + 1;
    return 0;
}

int ep_names_number(struct ep_names *names, const char *name, uint32_t *number, bool *added)
{
    const int bad = grow_names(names);
    if (bad)
        return bad;
    uint32_t *slot = slot_of(names, name);
    if (added)
        *added = !*slot;
    if (!*slot) {
        names->name[names->count++] = name;
        *slot = names->count;
    }
    *number = *slot - 1;
    return 0;
}

void ep_names_free(struct ep_names *names)
{
    free(names->name);
    free(names->slot);
    *names = (struct ep_names){.name = NULL};
}

void ep_put_plain(const struct ep_writer *writer, const char *text, const char * not )
{
    while (*text) {
        size_t n = 0;
        while (text[n] >= ' ' && text[n] < 0x7f && !strchr(not, text[n]))
            n++;
        writer->put(writer->context, text, n);
        text += n;
        if (*text)
            ep_print(writer, "%%%02x", (unsigned char)*text++);
    }
}
