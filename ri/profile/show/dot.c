/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs for Graphviz (specification 4.4.4): the control flow of a function, or who calls whom. */
#include "base/message.h"
#include "base/utf8.h"
#include "disasm/dis.h"
#include "ri/profile/show/cfg.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE 10u /* instructions of a block that are all shown */
#define ENDS  4u  /* of a longer one: so many at each end */

struct dot {
    const struct ep_writer *writer;
    const struct ep_source *source;
    const struct ep_view *view;
    const struct ep_cfg *cfg;
    bool probabilities;
    uint32_t function;
    uint64_t hottest; /* units */
};

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Within quotes. */
static void put_text(const struct dot *d, const char *text)
{
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        const unsigned n = utf8_length(at);
        if (*at == '"' || *at == '\\')
            ep_print(d->writer, "\\%c", *at);
        else if (!n || *at < ' ' || *at == 0x7f)
            ep_put(d->writer, "?");
        else
            d->writer->put(d->writer->context, at, n);
        at += n ? n : 1;
    }
}

/* A name in the form of files. */
static void put_name(const struct dot *d, const char *name)
{
    char text[EP_NAME_MOST + 1];
    size_t n = 0;
    for (; *name && n < EP_NAME_MOST; name++) {
        const char digits[3] = {name[1], name[1] ? name[2] : 0, 0};
        const bool coded = *name == '%' && digits[0] && digits[1];
        text[n++] = coded ? (char)strtoul(digits, NULL, 16) : *name;
        name += coded ? 2 : 0;
    }
    text[n] = 0;
    put_text(d, text);
}

static void put_count(const struct dot *d, uint64_t units)
{
    ep_print(d->writer, "%" PRIu64, ep_rounded(units, d->view->unit));
}

static void begin_graph(const struct dot *d, const char *name)
{
    ep_put(d->writer, "digraph \"");
    put_name(d, name);
    ep_put(d->writer, "\" {\n");
}

/* The attributes that every edge has, behind the ids of its ends. `of`: what its probability is a share of; 0: none. */
static void put_edge(const struct dot *d, const char *kind, uint64_t units, uint64_t of)
{
    ep_print(d->writer, " [kind=%s, label=\"", kind);
    put_count(d, units);
    if (d->probabilities && of)
        ep_print(d->writer, " %.4f", (double)units / (double)of);
    ep_print(d->writer, "\", penwidth=%.2f", 1 + 4 * (d->hottest ? (double)units / (double)d->hottest : 0));
    if (!ep_rounded(units, d->view->unit))
        ep_put(d->writer, ", style=dashed");
    if (!strcmp(kind, "fall"))
        ep_put(d->writer, ", weight=10");
    ep_put(d->writer, "];\n");
}

/* ---- control flow ------------------------------------------------------------------------------------------------ */

/* Instructions of a block, as far as they are shown. */
struct lines {
    const struct dot *d;
    uint32_t number, of;
};
static int put_line(void *context, uint64_t address, const uint8_t bytes[6])
{
    struct lines *l = context;
    char text[160];
    const uint32_t n = l->number++;
    if (l->of > WHOLE && n >= ENDS && n < l->of - ENDS) {
        if (n == ENDS)
            ep_put(l->d->writer, "...\\l");
        return 0;
    }
    dis_text(bytes, address, true, text, sizeof text);
    for (char *tab = text; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    ep_print(l->d->writer, "%" PRIx64 "  ", address);
    put_text(l->d, text);
    ep_put(l->d->writer, "\\l");
    return 0;
}

static int put_block(const struct dot *d, const struct ep_block *b, char *error, size_t size)
{
    struct lines lines = {d, 0, b->instructions};
    ep_print(d->writer, "b%" PRIx64 " [shape=box, label=\"%" PRIx64 "-%" PRIx64 "  ", b->start, b->start, b->last);
    put_count(d, b->units);
    ep_put(d->writer, "\\l");
    const int bad = ep_source_walk(d->source, b->space, b->start, b->last, put_line, &lines, error, size);
    ep_put(d->writer, "\"];\n");
    return bad;
}

/* Where an arc goes that leaves the function. */
struct outside {
    enum { TO_FUNCTION, TO_PLACE, TO_CALLER } kind;
    uint64_t at; /* number of the function, or address */
};

static struct outside outside_of(const struct dot *d, const struct ep_arc *a)
{
    const uint32_t f = ep_view_function(d->view, a->to_space, a->to);
    if (a->kind == EP_ARC_RETURN)
        return (struct outside){TO_CALLER, 0};
    return f < d->view->functions ? (struct outside){TO_FUNCTION, f} : (struct outside){TO_PLACE, a->to};
}

static void put_outside(const struct dot *d, struct outside o)
{
    if (o.kind == TO_CALLER)
        ep_put(d->writer, "out");
    else if (o.kind == TO_PLACE)
        ep_print(d->writer, "x%" PRIx64, o.at);
    else
        ep_print(d->writer, "f%" PRIu64, o.at);
}

static int outside_order(const void *left, const void *right)
{
    const struct outside *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Nodes for what is outside, each once. */
static int put_nodes_outside(const struct dot *d)
{
    const struct ep_cfg *c = d->cfg;
    struct outside *out = calloc(c->arcs + 1u, sizeof *out);
    uint32_t count = 0;
    if (!out)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->arcs; i++)
        if (c->block[c->arc[i].from].function == d->function && c->arc[i].block == EP_NO_BLOCK)
            out[count++] = outside_of(d, &c->arc[i]);
    if (count)
        qsort(out, count, sizeof *out, outside_order);
    for (uint32_t i = 0; i < count; i++) {
        if (i && !outside_order(&out[i - 1], &out[i]))
            continue;
        put_outside(d, out[i]);
        ep_put(d->writer, " [shape=plaintext, label=\"");
        if (out[i].kind == TO_FUNCTION)
            put_name(d, ep_view_name(d->view, (uint32_t)out[i].at));
        else if (out[i].kind == TO_PLACE)
            ep_print(d->writer, "%" PRIx64, out[i].at);
        else
            ep_put(d->writer, "return");
        ep_put(d->writer, "\"];\n");
    }
    free(out);
    return 0;
}

/* Units of the branches of a block, of which arc `i` is the first, for probabilities. */
static uint64_t branches_of(const struct ep_cfg *c, uint32_t i)
{
    const uint32_t block = c->arc[i].from;
    uint64_t sum = 0;
    for (; i < c->arcs && c->arc[i].from == block; i++)
        if (c->arc[i].kind <= EP_ARC_NOT_TAKEN)
            sum = ep_saturated_sum(sum, c->arc[i].units);
    return sum;
}

static void put_arcs(const struct dot *d)
{
    const struct ep_cfg *c = d->cfg;
    uint64_t of = 0;
    for (uint32_t i = 0, next; i < c->arcs; i = next) {
        struct ep_arc a = c->arc[i];
        next = i + 1;
        if (c->block[a.from].function != d->function)
            continue;
        /* All returns from one place are one edge. */
        for (; a.kind == EP_ARC_RETURN && a.block == EP_NO_BLOCK && next < c->arcs && c->arc[next].from == a.from &&
               c->arc[next].kind == a.kind && c->arc[next].block == EP_NO_BLOCK;
             next++)
            a.units = ep_saturated_sum(a.units, c->arc[next].units);
        if (d->probabilities && (!i || c->arc[i - 1].from != a.from))
            of = branches_of(c, i);
        ep_print(d->writer, "b%" PRIx64 " -> ", c->block[a.from].start);
        if (a.block == EP_NO_BLOCK)
            put_outside(d, outside_of(d, &a));
        else
            ep_print(d->writer, "b%" PRIx64, c->block[a.block].start);
        put_edge(d, ep_arc_word(a.kind), a.units, a.kind <= EP_ARC_NOT_TAKEN ? of : 0);
    }
}

static int put_function(struct dot *d, char *error, size_t size)
{
    const struct ep_cfg *c = d->cfg;
    int bad = 0;
    d->hottest = 0;
    for (uint32_t i = 0; i < c->arcs; i++)
        if (c->block[c->arc[i].from].function == d->function && c->arc[i].units > d->hottest)
            d->hottest = c->arc[i].units;
    begin_graph(d, ep_view_name(d->view, d->function));
    ep_put(d->writer, "node [fontname=\"monospace\"];\n");
    for (uint32_t i = 0; i < c->blocks && !bad; i++)
        if (c->block[i].function == d->function)
            bad = put_block(d, &c->block[i], error, size);
    bad = bad ? bad : put_nodes_outside(d);
    if (!bad)
        put_arcs(d);
    ep_put(d->writer, "}\n");
    return bad;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

struct calls {
    uint32_t from, to; /* functions */
    uint64_t units;
};

static int calls_order(const void *left, const void *right)
{
    const struct calls *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static void put_calls(struct dot *d, struct calls *calls, uint32_t count)
{
    uint32_t n = 0;
    if (count)
        qsort(calls, count, sizeof *calls, calls_order);
    for (uint32_t i = 0; i < count; i++)
        if (n && !calls_order(&calls[n - 1], &calls[i]))
            calls[n - 1].units = ep_saturated_sum(calls[n - 1].units, calls[i].units);
        else
            calls[n++] = calls[i];
    for (uint32_t i = 0; i < n; i++)
        d->hottest = calls[i].units > d->hottest ? calls[i].units : d->hottest;
    for (uint32_t i = 0; i < n; i++) {
        ep_print(d->writer, "f%" PRIu32 " -> f%" PRIu32, calls[i].from, calls[i].to);
        put_edge(d, "call", calls[i].units, d->view->calls[calls[i].to]);
    }
}

static int put_call_graph(struct dot *d)
{
    const struct ep_view *v = d->view;
    struct calls *calls = calloc(v->branches + 1u, sizeof *calls);
    uint32_t count = 0;
    bool unknown = v->units[v->functions];
    if (!calls)
        return -ENOMEM;
    for (uint32_t i = 0; i < v->branches; i++)
        if (v->branch[i].call) {
            calls[count++] =
                (struct calls){v->branch[i].from_function, v->branch[i].to_function, v->branch[i].row->units};
            unknown |= v->branch[i].to_function == v->functions;
        }
    begin_graph(d, "calls");
    ep_put(d->writer, "node [shape=box];\n");
    for (uint32_t i = 0; i < v->functions + unknown; i++) {
        ep_print(d->writer, "f%" PRIu32 " [label=\"", i);
        put_name(d, ep_view_name(v, i));
        ep_put(d->writer, "\\n");
        put_count(d, v->units[i]);
        ep_put(d->writer, "\"];\n");
    }
    put_calls(d, calls, count);
    ep_put(d->writer, "}\n");
    free(calls);
    return 0;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static int put_functions(struct dot *d, const char *name, char *error, size_t size)
{
    struct ep_cfg cfg;
    bool any = false;
    int bad = ep_cfg_make(&cfg, d->view, NULL, d->source, error, size);
    if (bad)
        return bad;
    d->cfg = &cfg;
    for (d->function = 0; !bad && d->function < d->view->functions; d->function++) {
        if (strcmp(d->view->function[d->function].name, name) != 0)
            continue;
        any = true;
        bad = put_function(d, error, size);
    }
    ep_cfg_free(&cfg);
    if (bad || any)
        return bad;
    return fail_with(-ENOENT, error, size, "no branch of a function %.200s is in the profile; report lists them", name);
}

int ep_export_dot(const struct ep_profile *profile, const struct ep_source *source, const struct ep_dot *how,
                  const struct ep_writer *writer, char *error, size_t size)
{
    struct ep_view view;
    int bad = ep_view_make(&view, profile);
    struct dot d = {.writer = writer, .source = source, .view = &view, .probabilities = how->probabilities};
    if (bad)
        return bad;
    bad = how->function ? put_functions(&d, how->function, error, size) : put_call_graph(&d);
    ep_view_free(&view);
    return bad;
}
