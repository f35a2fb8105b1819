/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline cycle by cycle, for people: what is in which stage, what is thrown away. */
#include "ri/counters/model/passages.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { STAGES = 4 };

/* ---- the latest instructions ------------------------------------------------------------------------------------- */

static void passed(void *context, const struct ec_passage *passage)
{
    struct ec_recent *r = context;
    r->passed[r->count++ % EC_RECENT] = (struct ec_passed){.passage = *passage};
}

static void resolved(void *context, uint64_t id, enum ec_outcome outcome, bool mispredicted)
{
    struct ec_recent *r = context;
    struct ec_passed *latest = &r->passed[(r->count - 1) % EC_RECENT];
    (void)outcome;
    if (r->count && latest->passage.id == id)
        latest->mispredicted = mispredicted;
}

static void ended(void *context, uint64_t first, unsigned count, uint64_t c, bool cancelled, bool wrong_path)
{
    struct ec_recent *r = context;
    const uint64_t kept = r->count < EC_RECENT ? r->count : EC_RECENT;
    for (uint64_t back = 1; back <= kept; back++) {
        struct ec_passed *p = &r->passed[(r->count - back) % EC_RECENT];
        if (p->passage.id < first || p->passage.id - first >= count)
            continue;
        p->end = c;
        p->cancelled = cancelled && !wrong_path;
        p->ended = true;
    }
}

void ec_recent_begin(struct ec_recent *r)
{
    memset(r, 0, sizeof *r);
    r->watch = (struct ec_watch){r, passed, resolved, ended};
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

struct picture {
    const struct ec_recent *recent;
    uint64_t first; /* number of the first that is shown; numbers begin with 0 */
    void (*line)(void *context, const char *text);
    void *context;
};

static const struct ec_passed *numbered(const struct picture *p, uint64_t number)
{
    return &p->recent->passed[number % EC_RECENT];
}

/* Cycles in which it begins a stage and ends; 0: not reached. */
static void moves(const struct ec_passed *p, uint64_t at[STAGES + 1])
{
    const struct ec_passage *i = &p->passage;
    const uint64_t all[STAGES + 1] = {i->f, i->d, i->x, i->n, p->end};
    memcpy(at, all, sizeof all);
}

int ec_passed_stage(const struct ec_passed *p, uint64_t cycle)
{
    uint64_t at[STAGES + 1];
    int stage = -1;
    moves(p, at);
    if (p->ended && cycle > p->end)
        return -1;
    for (int s = 0; s <= STAGES; s++)
        if (at[s] && at[s] <= cycle)
            stage = s;
    return stage;
}

/* The next cycle behind `cycle` in which something moves; UINT64_MAX: none. */
static uint64_t next_move(const struct picture *p, uint64_t cycle)
{
    uint64_t next = UINT64_MAX, at[STAGES + 1];
    for (uint64_t n = p->first; n < p->recent->count; n++) {
        moves(numbered(p, n), at);
        for (unsigned s = 0; s <= STAGES; s++)
            if (at[s] > cycle && at[s] < next)
                next = at[s];
        if (at[STAGES] && at[STAGES] + 1 > cycle && at[STAGES] + 1 < next)
            next = at[STAGES] + 1;
    }
    return next;
}

static bool thrown_away(const struct ec_passed *p) { return p->passage.wrong_path || p->cancelled; }

/* Those in a stage; `kind` 0: all, 1: that complete, 2: that are thrown away. */
static void members(const struct picture *p, uint64_t cycle, int stage, unsigned kind, const char *name, char *text,
                    size_t size)
{
    size_t used = strlen(text);
    bool any = false;
    for (uint64_t n = p->first; n < p->recent->count; n++) {
        const struct ec_passed *i = numbered(p, n);
        if (ec_passed_stage(i, cycle) != stage || (kind && thrown_away(i) != (kind == 2)) || used + 32 > size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s %" PRIu64 "%s", any ? "" : name, n,
                                 i->passage.wrong_path ? "w" : "");
        any = true;
    }
    if (any && used + 4 < size)
        snprintf(text + used, size - used, "; ");
}

static void cycles(const struct picture *p, uint64_t from, uint64_t to)
{
    char text[2048];
    const int n = to > from ? snprintf(text, sizeof text, "cycles %" PRIu64 " to %" PRIu64 ": ", from, to)
                            : snprintf(text, sizeof text, "cycle %" PRIu64 ": ", from);
    members(p, from, 0, 0, "fetched", text, sizeof text);
    members(p, from, 1, 0, "dispatched", text, sizeof text);
    members(p, from, 2, 0, "executed", text, sizeof text);
    members(p, from, 3, 0, "finished", text, sizeof text);
    members(p, from, STAGES, 1, "completes", text, sizeof text);
    members(p, from, STAGES, 2, "thrown away", text, sizeof text);
    const size_t length = strlen(text);
    if (length <= (size_t)n)
        return; /* the pipeline is empty */
    text[length - 2] = 0;
    p->line(p->context, text);
}

static void legend(const struct picture *p, uint64_t n)
{
    char words[96], text[160];
    const struct ec_passed *i = numbered(p, n);
    ec_passage_text(&i->passage, words, sizeof words);
    snprintf(text, sizeof text, "%" PRIu64 "%s %s%s", n, i->passage.wrong_path ? "w" : "", words,
             i->cancelled      ? "  cancelled"
             : i->mispredicted ? "  mispredicted"
                               : "");
    p->line(p->context, text);
}

void ec_recent_show(const struct ec_recent *recent, unsigned most, void (*line)(void *context, const char *text),
                    void *context)
{
    struct picture p = {.recent = recent, .line = line, .context = context};
    const uint64_t kept = recent->count < EC_RECENT ? recent->count : EC_RECENT;
    p.first = recent->count - (kept < most ? kept : most);
    for (uint64_t n = p.first; n < recent->count; n++)
        legend(&p, n);
    for (uint64_t cycle = next_move(&p, 0), next; cycle != UINT64_MAX; cycle = next) {
        next = next_move(&p, cycle);
        cycles(&p, cycle, next == UINT64_MAX ? cycle : next - 1);
    }
}
