/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log in Kanata format. Its lines go by cycles; the model tells instruction by instruction. Lines wait in a heap
   until an instruction is fetched behind them: nothing that is told later begins before its own fetch, and what has
   completed by then was told. */
#include "ri/counters/model/kanata.h"
#include "disasm/dis.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* In the order in which they stand within a cycle. */
enum kind { FETCH, DISPATCH, ISSUE, COMPLETE, RETIRE, FLUSH };

struct line {
    uint64_t cycle, id;
    uint64_t ia, text; /* of FETCH */
    uint8_t kind;      /* enum kind */
};

struct ec_kanata {
    struct ec_watch watch;
    void (*put)(void *context, const char *text, size_t length);
    void *context;
    struct line *heap; /* the earliest first */
    size_t count, room;
    uint64_t cycle, retired;
    bool begun, lost;
};

static bool before(const struct line *a, const struct line *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    return a->kind != b->kind ? a->kind < b->kind : a->id < b->id;
}

static void swap(struct line *a, struct line *b)
{
    const struct line was = *a;
    *a = *b;
    *b = was;
}

static void hold(struct ec_kanata *log, const struct line *line)
{
    if (log->count == log->room) {
        const size_t room = log->room ? 2 * log->room : 1024;
        struct line *more = realloc(log->heap, room * sizeof *more);
        if (!more) {
            log->lost = true;
            return;
        }
        log->heap = more;
        log->room = room;
    }
    size_t i = log->count++;
    log->heap[i] = *line;
    for (; i && before(&log->heap[i], &log->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&log->heap[i], &log->heap[(i - 1) / 2]);
}

static struct line take(struct ec_kanata *log)
{
    const struct line first = log->heap[0];
    log->heap[0] = log->heap[--log->count];
    for (size_t i = 0, child; (child = 2 * i + 1) < log->count; i = child) {
        child += child + 1 < log->count && before(&log->heap[child + 1], &log->heap[child]);
        if (!before(&log->heap[child], &log->heap[i]))
            break;
        swap(&log->heap[child], &log->heap[i]);
    }
    return first;
}

static void fetched(const struct line *l, char *text, size_t size)
{
    uint8_t bytes[6];
    char words[64];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(l->text >> (56 - 8 * i));
    (void)dis_text(bytes, l->ia, true, words, sizeof words);
    for (char *tab = words; *tab; tab++)
        *tab = *tab == '\t' ? ' ' : *tab;
    snprintf(text, size, "I\t%" PRIu64 "\t%" PRIu64 "\t0\nL\t%" PRIu64 "\t0\t%016" PRIX64 " %s\nS\t%" PRIu64 "\t0\tF\n",
             l->id, l->id, l->id, l->ia, words, l->id);
}

static void write_line(struct ec_kanata *log, const struct line *l)
{
    static const char *const stages[] = {[DISPATCH] = "Ds", [ISSUE] = "X", [COMPLETE] = "Cm"};
    char text[256];
    int n = 0;
    if (!log->begun)
        n = snprintf(text, sizeof text, "Kanata\t0004\nC=\t%" PRIu64 "\n", l->cycle);
    else if (l->cycle != log->cycle)
        n = snprintf(text, sizeof text, "C\t%" PRIu64 "\n", l->cycle - log->cycle);
    if (n > 0)
        log->put(log->context, text, (size_t)n);
    log->begun = true;
    log->cycle = l->cycle;
    if (l->kind == FETCH)
        fetched(l, text, sizeof text);
    else if (l->kind < RETIRE)
        snprintf(text, sizeof text, "S\t%" PRIu64 "\t0\t%s\n", l->id, stages[l->kind]);
    else if (l->kind == RETIRE)
        snprintf(text, sizeof text, "R\t%" PRIu64 "\t%" PRIu64 "\t0\n", l->id, log->retired++);
    else
        snprintf(text, sizeof text, "R\t%" PRIu64 "\t0\t1\n", l->id);
    size_t length = 0;
    while (text[length])
        length++;
    log->put(log->context, text, length);
}

static void until(struct ec_kanata *log, uint64_t cycle)
{
    while (log->count && log->heap[0].cycle < cycle) {
        const struct line l = take(log);
        write_line(log, &l);
    }
}

static void passed(void *context, const struct ec_passage *p)
{
    struct ec_kanata *log = context;
    struct line l = {.id = p->id, .ia = p->ia, .text = p->text};
    until(log, p->f);
    const uint64_t begins[] = {[FETCH] = p->f, [DISPATCH] = p->d, [ISSUE] = p->x, [COMPLETE] = p->n};
    for (unsigned kind = FETCH; kind <= COMPLETE; kind++) {
        if (!begins[kind])
            continue;
        l.cycle = begins[kind];
        l.kind = (uint8_t)kind;
        hold(log, &l);
    }
}

static void ended(void *context, uint64_t first, unsigned count, uint64_t c, bool cancelled, bool wrong_path)
{
    struct line l = {.cycle = c, .kind = cancelled || wrong_path ? FLUSH : RETIRE};
    for (unsigned i = 0; i < count; i++) {
        l.id = first + i;
        hold(context, &l);
    }
}

struct ec_kanata *ec_kanata_create(void (*put)(void *context, const char *text, size_t length), void *context)
{
    struct ec_kanata *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    log->put = put;
    log->context = context;
    log->watch = (struct ec_watch){log, passed, NULL, ended};
    return log;
}

bool ec_kanata_destroy(struct ec_kanata *log)
{
    until(log, UINT64_MAX);
    const bool whole = !log->lost;
    free(log->heap);
    free(log);
    return whole;
}

const struct ec_watch *ec_kanata_watch(struct ec_kanata *log) { return &log->watch; }
