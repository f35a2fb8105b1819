/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace as folded stacks: a line for each way in which handlers were nested, with the ticks in which just the
   last one of it ran. Where a stream has no times, with the number of entries. */
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH   72u    /* more frames than a stream can have open */
#define NODES   65536u /* different ways; what comes then counts for the way that it left from */
#define SOURCES 256u
#define UNNAMED 0x1ffu /* a number that is not known */

struct node {
    uint32_t parent, child, sibling;
    uint16_t en;
    uint64_t ticks, entries;
};

struct stack {
    bool seen, timed; /* timed: `last` is the time from which on is to be counted */
    bool lost;        /* nobody knows who ran: up to the next SYNC */
    unsigned depth;
    uint64_t last;
    uint64_t frame[DEPTH]; /* their numbers */
    uint16_t en[DEPTH];
    uint32_t root;
};

struct folded {
    const struct et_output_setting *setting;
    bool any_time;
    uint32_t count;
    struct node *node; /* NODES; the first one is none */
    struct stack stack[SOURCES];
};

static void *begin(const struct et_output_setting *setting)
{
    struct folded *f = calloc(1, sizeof *f);
    if (f)
        f->node = calloc(NODES, sizeof *f->node);
    if (!f || !f->node) {
        free(f);
        return NULL;
    }
    f->setting = setting;
    f->count = 1;
    return f;
}

static uint32_t add_node(struct folded *f, uint32_t parent, unsigned en)
{
    if (f->count == NODES)
        return parent;
    f->node[f->count] =
        (struct node){.parent = parent, .en = (uint16_t)en, .sibling = parent ? f->node[parent].child : 0};
    if (parent)
        f->node[parent].child = f->count;
    return f->count++;
}

/* The node of what runs in a source. */
static uint32_t where(struct folded *f, const struct stack *s)
{
    uint32_t at = s->root;
    for (unsigned i = 0; i < s->depth; i++) {
        uint32_t child = f->node[at].child;
        while (child && f->node[child].en != s->en[i])
            child = f->node[child].sibling;
        at = child ? child : add_node(f, at, s->en[i]);
    }
    return at;
}

static void push(struct stack *s, const struct et_event *event)
{
    if (s->depth == DEPTH)
        return;
    s->frame[s->depth] = event->frame;
    s->en[s->depth++] = (uint16_t)(event->en_known ? event->en : UNNAMED);
}

static void pop(struct stack *s, const struct et_event *event)
{
    for (unsigned i = s->depth; event->frame && i-- > 0;)
        if (s->frame[i] == event->frame) {
            memmove(s->frame + i, s->frame + i + 1, (s->depth - i - 1) * sizeof *s->frame);
            memmove(s->en + i, s->en + i + 1, (s->depth - i - 1) * sizeof *s->en);
            s->depth--;
            return;
        }
}

static void event(void *output, const struct et_event *event)
{
    struct folded *f = output;
    struct stack *s = &f->stack[event->source % SOURCES];
    if (event->kind == ET_K_FILE)
        return;
    if (!s->seen)
        s->root = add_node(f, 0, ET_NORMAL);
    s->seen = true;
    s->lost = event->kind == ET_K_LOST || (s->lost && event->kind != ET_K_SYNC);
    if (s->lost)
        s->timed = false;
    else if (event->time_known) {
        f->any_time |= event->kind <= ET_K_RETURN;
        if (s->timed && event->time > s->last)
            f->node[where(f, s)].ticks += event->time - s->last;
        s->last = event->time;
        s->timed = true;
    }
    if (event->kind == ET_K_ENTRY) {
        push(s, event);
        f->node[where(f, s)].entries += !(event->flags & ET_E_IMPLIED);
    } else if (event->kind == ET_K_EXIT) {
        pop(s, event);
    }
}

static void diagnostic(void *output, const struct et_diagnostic *diagnostic) { (void)output, (void)diagnostic; }

static void path(const struct folded *f, uint32_t at)
{
    char name[ET_NAME_SIZE];
    if (f->node[at].parent) {
        path(f, f->node[at].parent);
        et_put(&f->setting->writer, ";");
    }
    et_number_name(f->node[at].en, f->setting->program, name);
    et_put(&f->setting->writer, f->node[at].en == UNNAMED && f->node[at].parent ? "?" : name);
}

static void print_tree(const struct folded *f, unsigned source, bool several, uint32_t root)
{
    const struct et_writer *w = &f->setting->writer;
    for (uint32_t at = root, next; at; at = next) {
        const uint64_t weight = f->any_time ? f->node[at].ticks : f->node[at].entries;
        if (weight) {
            if (several)
                et_print(w, "cpu%02u;", source);
            path(f, at);
            et_print(w, " %" PRIu64 "\n", weight);
        }
        next = f->node[at].child;
        for (uint32_t up = at; !next && up != root; up = f->node[up].parent)
            next = f->node[up].sibling;
    }
}

static void end(void *output, const struct et_decoder_sums *sums)
{
    struct folded *f = output;
    unsigned sources = 0;
    (void)sums;
    for (unsigned i = 0; i < SOURCES; i++)
        sources += f->stack[i].seen;
    for (unsigned i = 0; i < SOURCES; i++)
        if (f->stack[i].seen && f->stack[i].root)
            print_tree(f, i, sources > 1, f->stack[i].root);
    free(f->node);
    free(f);
}

const struct et_output et_output_folded = {
    .name = "folded",
    .help = "ticks for each nesting of handlers, for programs that draw flame graphs",
    .begin = begin,
    .event = event,
    .diagnostic = diagnostic,
    .end = end,
};
