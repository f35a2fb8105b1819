/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions wait in the order of fetching until all before them have left the pipeline. */
#include "ri/counters/model/passages.h"
#include "disasm/dis.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ec_passages {
    struct ec_watch watch;
    void (*take)(void *context, const struct ec_passed *passed);
    void *context;
    struct ec_passed *waiting; /* from `base` on, `count` of them */
    size_t count, room;
    uint64_t base;
    bool lost;
};

static bool more_room(struct ec_passages *p)
{
    const size_t room = p->room ? 2 * p->room : 1024;
    struct ec_passed *more = realloc(p->waiting, room * sizeof *more);
    if (!more)
        return false;
    p->waiting = more;
    p->room = room;
    return true;
}

static void passed(void *context, const struct ec_passage *passage)
{
    struct ec_passages *p = context;
    if (!p->count)
        p->base = passage->id;
    if (p->lost || (p->count == p->room && !more_room(p))) {
        p->lost = true;
        return;
    }
    p->waiting[p->count++] = (struct ec_passed){.passage = *passage};
}

static void resolved(void *context, uint64_t id, enum ec_outcome outcome, bool mispredicted)
{
    struct ec_passages *p = context;
    if (id < p->base || id - p->base >= p->count)
        return;
    p->waiting[id - p->base].mispredicted = mispredicted;
    p->waiting[id - p->base].outcome = (uint8_t)outcome;
}

static void ended(void *context, uint64_t first, unsigned count, uint64_t c, bool cancelled, bool wrong_path)
{
    struct ec_passages *p = context;
    size_t done = 0;
    for (uint64_t id = first; id < first + count; id++) {
        if (id < p->base || id - p->base >= p->count)
            continue;
        struct ec_passed *it = &p->waiting[id - p->base];
        it->end = c;
        it->cancelled = cancelled && !wrong_path;
        it->ended = true;
    }
    while (done < p->count && p->waiting[done].ended)
        p->take(p->context, &p->waiting[done++]);
    memmove(p->waiting, p->waiting + done, (p->count - done) * sizeof *p->waiting);
    p->count -= done;
    p->base += done;
}

struct ec_passages *ec_passages_create(void (*take)(void *context, const struct ec_passed *passed), void *context)
{
    struct ec_passages *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->take = take;
    p->context = context;
    p->watch = (struct ec_watch){p, passed, resolved, ended};
    return p;
}

bool ec_passages_destroy(struct ec_passages *p)
{
    const bool whole = !p->lost;
    free(p->waiting);
    free(p);
    return whole;
}

const struct ec_watch *ec_passages_watch(struct ec_passages *p) { return &p->watch; }

/* ---- an interval ----------------------------------------------------------------------------------------------- */

static void span_passed(void *context, const struct ec_passage *passage)
{
    struct ec_span *i = context;
    i->executed += !passage->wrong_path;
    if (i->executed < i->from || i->executed > i->to)
        return;
    if (!i->count)
        i->first = passage->id;
    struct ec_passage numbered = *passage;
    numbered.id = i->count++;
    i->to_watch->passed(i->to_watch->context, &numbered);
}

static void span_resolved(void *context, uint64_t id, enum ec_outcome outcome, bool mispredicted)
{
    const struct ec_span *i = context;
    if (i->to_watch->resolved && id >= i->first && id - i->first < i->count)
        i->to_watch->resolved(i->to_watch->context, id - i->first, outcome, mispredicted);
}

static void span_ended(void *context, uint64_t first, unsigned count, uint64_t c, bool cancelled, bool wrong_path)
{
    const struct ec_span *i = context;
    for (uint64_t id = first; id < first + count; id++)
        if (id >= i->first && id - i->first < i->count)
            i->to_watch->ended(i->to_watch->context, id - i->first, 1, c, cancelled, wrong_path);
}

void ec_span_begin(struct ec_span *i, uint64_t from, uint64_t to, const struct ec_watch *watch)
{
    *i = (struct ec_span){
        .from = from, .to = to, .to_watch = watch, .watch = {i, span_passed, span_resolved, span_ended}};
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

void ec_passage_text(const struct ec_passage *p, char *text, size_t size)
{
    uint8_t bytes[6];
    char words[64];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(p->text >> (56 - 8 * i));
    (void)dis_text(bytes, p->ia, true, words, sizeof words);
    for (char *tab = words; *tab; tab++)
        *tab = *tab == '\t' ? ' ' : *tab;
    snprintf(text, size, "%016" PRIX64 " %s", p->ia, words);
}
