/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LLVM's sample profile, as text: counts by function and line within it, with bodies of functions that were inlined. */
#include "ri/profile/show/executed.h"
#include "base/message.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* A function, or a copy of one that was inlined. */
struct body {
    uint64_t total;       /* units */
    uint64_t head;        /* of functions: units of calls */
    uint32_t name;        /* number */
    uint32_t place, next; /* first of its places; next body at the same place, or next function */
};
/* A line in a body. */
struct place {
    uint64_t units; /* of the instruction with the most */
    uint32_t offset, discriminator;
    uint32_t callee, inlined, next; /* first of each; next place of the body */
    bool counted;                   /* it has instructions of its own */
};
struct callee {
    uint64_t units;
    uint32_t name, next;
};

struct list { /* items of one size */
    void *items;
    uint32_t count, room;
};

struct llvm {
    const struct ep_writer *writer;
    const struct ep_source *source;
    struct ep_view view;
    struct ep_executed executed;
    struct ep_names names;
    struct list bodies, places, callees;
    uint32_t *function; /* body of each name, or NONE; `named` of them */
    uint32_t named, root;
};

#define BODY(l, i)   (&((struct body *)(l)->bodies.items)[i])
#define PLACE(l, i)  (&((struct place *)(l)->places.items)[i])
#define CALLEE(l, i) (&((struct callee *)(l)->callees.items)[i])

static int append(struct list *list, size_t size, const void *item)
{
    if (list->count == list->room) {
        const uint32_t room = list->room ? 2 * list->room : 256;
        void *larger = room > 1u << 30 ? NULL : realloc(list->items, room * size);
        if (!larger)
            return -ENOMEM;
        list->items = larger;
        list->room = room;
    }
    memcpy((char *)list->items + list->count++ * size, item, size);
    return 0;
}

static int add_body(struct llvm *l, uint32_t name, uint32_t next, uint32_t *body)
{
    const struct body item = {.name = name, .place = NONE, .next = next};
    *body = l->bodies.count;
    return append(&l->bodies, sizeof item, &item);
}

/* The function of a name. */
static int function_of(struct llvm *l, const char *text, uint32_t *body)
{
    uint32_t name;
    int bad = ep_names_number(&l->names, text, &name, NULL);
    if (bad)
        return bad;
    if (name >= l->named) {
        const uint32_t more = 2 * name + 64;
        uint32_t *larger = realloc(l->function, more * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        for (uint32_t i = l->named; i < more; i++)
            larger[i] = NONE;
        l->function = larger;
        l->named = more;
    }
    *body = l->function[name];
    if (*body != NONE)
        return 0;
    bad = add_body(l, name, l->root, body);
    if (!bad)
        l->function[name] = l->root = *body;
    return bad;
}

static int place_of(struct llvm *l, uint32_t body, uint32_t offset, uint32_t discriminator, uint32_t *place)
{
    for (*place = BODY(l, body)->place; *place != NONE; *place = PLACE(l, *place)->next)
        if (PLACE(l, *place)->offset == offset && PLACE(l, *place)->discriminator == discriminator)
            return 0;
    const struct place item = {.offset = offset,
                               .discriminator = discriminator,
                               .callee = NONE,
                               .inlined = NONE,
                               .next = BODY(l, body)->place};
    *place = l->places.count;
    const int bad = append(&l->places, sizeof item, &item);
    if (!bad)
        BODY(l, body)->place = *place;
    return bad;
}

static int inlined_of(struct llvm *l, uint32_t place, const char *text, uint32_t *body)
{
    uint32_t name;
    int bad = ep_names_number(&l->names, text, &name, NULL);
    if (bad)
        return bad;
    for (*body = PLACE(l, place)->inlined; *body != NONE; *body = BODY(l, *body)->next)
        if (BODY(l, *body)->name == name)
            return 0;
    bad = add_body(l, name, PLACE(l, place)->inlined, body);
    if (!bad)
        PLACE(l, place)->inlined = *body;
    return bad;
}

static int add_callee(struct llvm *l, uint32_t place, const char *text, uint64_t units)
{
    uint32_t name, i;
    const int bad = ep_names_number(&l->names, text, &name, NULL);
    if (bad)
        return bad;
    for (i = PLACE(l, place)->callee; i != NONE; i = CALLEE(l, i)->next)
        if (CALLEE(l, i)->name == name) {
            CALLEE(l, i)->units = ep_saturated_sum(CALLEE(l, i)->units, units);
            return 0;
        }
    const struct callee item = {.units = units, .name = name, .next = PLACE(l, place)->callee};
    PLACE(l, place)->callee = l->callees.count;
    return append(&l->callees, sizeof item, &item);
}

/* The functions around an instruction; without lines that of the symbols. */
static unsigned frames_of(const struct llvm *l, uint32_t space, uint64_t address, uint32_t function,
                          struct ep_frame *frame)
{
    unsigned n = l->source->frames(l->source->context, space, address, frame, EP_FRAMES_MOST);
    if (!n)
        frame[n++] = (struct ep_frame){.function = NULL};
    if (!frame[n - 1].function)
        frame[n - 1].function = ep_view_name(&l->view, function);
    return n;
}

/* The linkage name of the function at an address. */
static const char *name_at(const struct llvm *l, uint32_t space, uint64_t address, uint32_t function)
{
    struct ep_frame frame[EP_FRAMES_MOST];
    return frame[frames_of(l, space, address, function, frame) - 1].function;
}

static int add_calls(struct llvm *l, const struct ep_instruction *i, uint32_t place)
{
    int bad = 0;
    for (uint32_t k = i->first; k < i->end && !bad; k++) {
        const struct ep_view_branch *b = &l->view.branch[k];
        if (b->call)
            bad = add_callee(l, place, name_at(l, b->row->to_space, b->row->to, b->to_function), b->row->units);
    }
    return bad;
}

/* Counts an instruction in the bodies that it is in, and at its line in the innermost one. */
static int add_instruction(struct llvm *l, const struct ep_instruction *i)
{
    struct ep_frame frame[EP_FRAMES_MOST];
    const unsigned n = frames_of(l, i->space, i->address, i->function, frame);
    uint32_t body, place = NONE;
    int bad = function_of(l, frame[n - 1].function, &body);
    for (unsigned k = n; !bad && k--;) {
        BODY(l, body)->total = ep_saturated_sum(BODY(l, body)->total, i->runs);
        place = NONE;
        if (!frame[k].line || !frame[k].declared || (k && !frame[k - 1].function))
            break; /* without a line it is in the totals alone */
        bad = place_of(l, body, (frame[k].line - frame[k].declared) & 0xffff, frame[k].discriminator, &place);
        if (!bad && k)
            bad = inlined_of(l, place, frame[k - 1].function, &body);
    }
    if (bad || place == NONE)
        return bad;
    PLACE(l, place)->counted = true;
    if (i->runs > PLACE(l, place)->units)
        PLACE(l, place)->units = i->runs;
    return add_calls(l, i, place);
}

/* Calls go to the head of what they enter. */
static int add_heads(struct llvm *l)
{
    int bad = 0;
    for (uint32_t i = 0; i < l->view.branches && !bad; i++) {
        const struct ep_view_branch *b = &l->view.branch[i];
        uint32_t body;
        if (!b->call)
            continue;
        bad = function_of(l, name_at(l, b->row->to_space, b->row->to, b->to_function), &body);
        if (!bad)
            BODY(l, body)->head = ep_saturated_sum(BODY(l, body)->head, b->row->units);
    }
    return bad;
}

/* ---- the text --------------------------------------------------------------------------------------------------- */

struct sorted {
    uint64_t units, offset;
    const char *name;
    uint32_t item;
};

/* By units, the most first, then by name; or by offset, where that is set. */
static int compare(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->units != b->units)
        return a->units > b->units ? -1 : 1;
    return a->name && b->name ? strcmp(a->name, b->name) : 0;
}

enum what { BODIES, PLACES, CALLEES };

/* The items of a list of one kind from `first` on in order; *count of them, to be freed. NULL: no memory. */
static struct sorted *sort(const struct llvm *l, enum what what, uint32_t first, uint32_t *count)
{
    uint32_t n = 0;
    for (uint32_t i = first; i != NONE; n++)
        i = what == BODIES ? BODY(l, i)->next : what == PLACES ? PLACE(l, i)->next : CALLEE(l, i)->next;
    struct sorted *all = calloc(n + 1u, sizeof *all);
    if (!all)
        return NULL;
    n = 0;
    for (uint32_t i = first; i != NONE; n++) {
        if (what == BODIES) {
            all[n] = (struct sorted){BODY(l, i)->total, 0, l->names.name[BODY(l, i)->name], i};
            i = BODY(l, i)->next;
        } else if (what == PLACES) {
            all[n] = (struct sorted){0, (uint64_t)PLACE(l, i)->offset << 32 | PLACE(l, i)->discriminator, NULL, i};
            i = PLACE(l, i)->next;
        } else {
            all[n] = (struct sorted){CALLEE(l, i)->units, 0, l->names.name[CALLEE(l, i)->name], i};
            i = CALLEE(l, i)->next;
        }
    }
    if (n)
        qsort(all, n, sizeof *all, compare);
    *count = n;
    return all;
}

static uint64_t rounded(const struct llvm *l, uint64_t units) { return ep_rounded(units, l->view.unit); }

static void put_name(const struct llvm *l, const char *text) { ep_put_plain(l->writer, text, ": "); }

static void put_offset(const struct llvm *l, const struct place *p, unsigned indent)
{
    ep_print(l->writer, "%*s%" PRIu32, (int)indent, "", p->offset);
    if (p->discriminator)
        ep_print(l->writer, ".%" PRIu32, p->discriminator);
    ep_put(l->writer, ": ");
}

static int put_count(const struct llvm *l, const struct place *p, unsigned indent)
{
    uint32_t count;
    struct sorted *callee = sort(l, CALLEES, p->callee, &count);
    if (!callee)
        return -ENOMEM;
    put_offset(l, p, indent);
    ep_print(l->writer, "%" PRIu64, rounded(l, p->units));
    for (uint32_t i = 0; i < count; i++)
        if (rounded(l, callee[i].units)) {
            ep_put(l->writer, " ");
            put_name(l, callee[i].name);
            ep_print(l->writer, ":%" PRIu64, rounded(l, callee[i].units));
        }
    ep_put(l->writer, "\n");
    free(callee);
    return 0;
}

/* The places of a body; bodies within it no deeper than frames go. */
static int put_places(const struct llvm *l, const struct body *body, unsigned indent)
{
    uint32_t places, bodies;
    struct sorted *place = sort(l, PLACES, body->place, &places);
    int bad = place ? 0 : -ENOMEM;
    for (uint32_t i = 0; i < places && !bad; i++) {
        const struct place *p = PLACE(l, place[i].item);
        if (p->counted)
            bad = put_count(l, p, indent);
        struct sorted *inlined = bad ? NULL : sort(l, BODIES, p->inlined, &bodies);
        bad = inlined ? bad : -ENOMEM;
        for (uint32_t k = 0; k < bodies && !bad; k++) {
            put_offset(l, p, indent);
            put_name(l, inlined[k].name);
            ep_print(l->writer, ":%" PRIu64 "\n", rounded(l, inlined[k].units));
            bad = put_places(l, BODY(l, inlined[k].item), indent + 1);
        }
        free(inlined);
    }
    free(place);
    return bad;
}

static int put_functions(const struct llvm *l)
{
    uint32_t count;
    struct sorted *function = sort(l, BODIES, l->root, &count);
    int bad = function ? 0 : -ENOMEM;
    for (uint32_t i = 0; i < count && !bad; i++) {
        const struct body *body = BODY(l, function[i].item);
        if (!rounded(l, body->total) && !rounded(l, body->head))
            continue;
        put_name(l, function[i].name);
        ep_print(l->writer, ":%" PRIu64 ":%" PRIu64 "\n", rounded(l, body->total), rounded(l, body->head));
        bad = put_places(l, body, 1);
    }
    free(function);
    return bad;
}

int ep_export_llvm(const struct ep_profile *profile, const struct ep_source *source, const struct ep_writer *writer,
                   char *error, size_t size)
{
    struct llvm l = {.writer = writer, .source = source, .root = NONE};
    int bad = ep_view_make(&l.view, profile);
    if (bad)
        return fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    bad = ep_executed_make(&l.executed, &l.view, source, error, size);
    if (!bad) {
        for (uint32_t i = 0; i < l.executed.count && !bad; i++)
            bad = add_instruction(&l, &l.executed.at[i]);
        bad = bad ? bad : add_heads(&l);
        bad = bad ? bad : put_functions(&l);
        if (bad)
            bad = fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    }
    free(l.bodies.items);
    free(l.places.items);
    free(l.callees.items);
    free(l.function);
    ep_names_free(&l.names);
    ep_executed_free(&l.executed);
    ep_view_free(&l.view);
    return bad;
}
