/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For callgrind_annotate and KCachegrind: version 1 of callgrind's format, with costs by instruction and line. A call's
   inclusive cost is estimated as gprof does: a function's is shared out to its callers by their parts of its calls. */
#include "ri/profile/show/executed.h"
#include "ri/profile/show/inclusive.h"
#include "base/message.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct place { /* of source */
    const char *file;
    uint32_t line;
};

struct callgrind {
    const struct ep_writer *writer;
    const struct ep_source *source;
    struct ep_view view;
    struct ep_executed executed;
    struct ep_costs *self, *inclusive; /* of functions; of what they called, too */
    uint64_t *calls;                   /* into what inclusive cost is shared out by */
    uint32_t *group;                   /* functions of one group call each other in circles */
    struct ep_names objects, files, functions;
    struct ep_costs total;
    uint32_t object;     /* that lines are in now */
    const char *current; /* the source file that lines are in now, */
    const char *own;     /* and that of the function */
    int bad;
};

static const char unknown_file[] = "???";

static struct place place_of(const struct callgrind *c, uint32_t space, uint64_t address)
{
    struct ep_frame frame[EP_FRAMES_MOST];
    const unsigned n = c->source->frames(c->source->context, space, address, frame, EP_FRAMES_MOST);
    return n && frame[0].line && frame[0].file ? (struct place){frame[0].file, frame[0].line} : (struct place){NULL, 0};
}

/* The file where a function is: that of the outermost function at the address. */
static const char *file_of(const struct callgrind *c, uint32_t space, uint64_t address)
{
    struct ep_frame frame[EP_FRAMES_MOST];
    const unsigned n = c->source->frames(c->source->context, space, address, frame, EP_FRAMES_MOST);
    return n && frame[n - 1].line && frame[n - 1].file ? frame[n - 1].file : unknown_file;
}

/* Addresses of the file: without load bias. */
static uint64_t own_address(const struct callgrind *c, uint32_t space, uint64_t address)
{
    const uint32_t m = ep_profile_module_at(c->view.profile, space, address);
    return m == UINT32_MAX ? address : address - c->view.module[m].bias;
}

static const char *object_of(const struct callgrind *c, uint32_t space, uint64_t address)
{
    const uint32_t m = ep_profile_module_at(c->view.profile, space, address);
    return m == UINT32_MAX ? unknown_file : c->view.module[m].name;
}

/* "fl=(2) name", the name only at its first mention. */
static void name(struct callgrind *c, const char *key, struct ep_names *names, const char *text)
{
    uint32_t number;
    bool added;
    if (c->bad || (c->bad = ep_names_number(names, text, &number, &added)))
        return;
    ep_print(c->writer, "%s=(%" PRIu32 ")", key, number + 1);
    if (added) {
        ep_put(c->writer, " ");
        ep_put_plain(c->writer, text, "");
    }
    ep_put(c->writer, "\n");
}

static uint64_t count(const struct callgrind *c, uint64_t units) { return ep_rounded(units, c->view.unit); }

static void position(const struct callgrind *c, const struct ep_instruction *i, uint32_t line)
{
    ep_print(c->writer, "0x%" PRIx64 " %" PRIu32, own_address(c, i->space, i->address), line);
}

static void jump(struct callgrind *c, const struct ep_instruction *i, const struct ep_row *row, uint32_t line)
{
    const struct ep_view *view = &c->view;
    const uint32_t to = ep_view_function(view, row->to_space, row->to);
    const bool conditional = view->branch[i->first].site->class == EP_SITE_COND;
    if (to != i->function) {
        const char *file = file_of(c, row->to_space, to < view->functions ? view->function[to].start : row->to);
        if (file != c->own)
            name(c, "jfi", &c->files, file);
        name(c, "jfn", &c->functions, ep_view_name(view, to));
    }
    const uint64_t taken = row->kind == EP_TAKEN ? count(c, row->units) : 0;
    if (conditional)
        ep_print(c->writer, "jcnd=%" PRIu64 "/%" PRIu64, taken, count(c, i->branches));
    else
        ep_print(c->writer, "jump=%" PRIu64, taken);
    ep_print(c->writer, " 0x%" PRIx64 " %" PRIu32 "\n", own_address(c, row->to_space, row->to),
             place_of(c, row->to_space, row->to).line);
    position(c, i, line);
    ep_put(c->writer, "\n");
}

static void call(struct callgrind *c, const struct ep_instruction *i, const struct ep_view_branch *b, uint32_t line)
{
    const struct ep_view *view = &c->view;
    const struct ep_row *row = b->row;
    const char *object = object_of(c, row->to_space, row->to);
    const uint32_t to = b->to_function;
    struct ep_costs cost = {0, 0, 0};
    if (!count(c, row->units))
        return;
    if (c->group[to] != c->group[i->function])
        cost = ep_costs_part(&c->inclusive[c->group[to]], row->units, c->calls[c->group[to]]);
    if (object != object_of(c, i->space, i->address))
        name(c, "cob", &c->objects, object);
    name(c, "cfi", &c->files, file_of(c, row->to_space, to < view->functions ? view->function[to].start : row->to));
    name(c, "cfn", &c->functions, ep_view_name(view, to));
    ep_print(c->writer, "calls=%" PRIu64 " 0x%" PRIx64 " %" PRIu32 "\n", count(c, row->units),
             own_address(c, row->to_space, row->to), place_of(c, row->to_space, row->to).line);
    position(c, i, line);
    ep_print(c->writer, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cost.branches, cost.taken, cost.runs);
}

/* Where the branches of an instruction went. */
static void destinations(struct callgrind *c, const struct ep_instruction *i, uint32_t line)
{
    bool any = false;
    for (uint32_t k = i->first; k < i->end; k++) {
        const struct ep_view_branch *b = &c->view.branch[k];
        if (b->row->kind != EP_TAKEN)
            continue;
        any = true;
        if (b->call)
            call(c, i, b, line);
        else if (b->site->class != EP_SITE_RET)
            jump(c, i, b->row, line);
    }
    const struct ep_site_facts *site = i->first < i->end ? c->view.branch[i->first].site : NULL;
    if (!any && site && site->class == EP_SITE_COND && site->has_target) {
        const struct ep_row row = {.from = site->at,
                                   .to = site->target,
                                   .from_space = site->space,
                                   .to_space = site->space,
                                   .kind = EP_NOT_TAKEN};
        jump(c, i, &row, line);
    }
}

static void instruction(struct callgrind *c, const struct ep_instruction *i)
{
    const struct ep_costs cost = {count(c, i->branches), count(c, i->taken), count(c, i->runs)};
    const struct place place = place_of(c, i->space, i->address);
    const char *file = place.file ? place.file : c->own;
    if (!cost.branches && !cost.runs)
        return;
    if (strcmp(file, c->current) != 0)
        name(c, !strcmp(file, c->own) ? "fe" : "fi", &c->files, file);
    c->current = file;
    position(c, i, place.line);
    ep_print(c->writer, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cost.branches, cost.taken, cost.runs);
    ep_costs_add(&c->total, &cost);
    destinations(c, i, place.line);
}

/* Instructions of one function that follow each other, or of none. */
static void function(struct callgrind *c, const struct ep_instruction *first)
{
    const bool known = first->function < c->view.functions;
    const char *object = object_of(c, first->space, first->address);
    if (!c->objects.count || strcmp(c->objects.name[c->object], object) != 0) {
        name(c, "ob", &c->objects, object);
        if (!c->bad)
            c->bad = ep_names_number(&c->objects, object, &c->object, NULL);
    }
    c->own = file_of(c, first->space, known ? c->view.function[first->function].start : first->address);
    name(c, "fl", &c->files, c->own);
    c->current = c->own;
    name(c, "fn", &c->functions, ep_view_name(&c->view, first->function));
}

static void head(const struct callgrind *c)
{
    const struct ep_profile *p = c->view.profile;
    static const struct {
        const char *word;
        enum ep_header header;
    } parameters[] = {{"event", EP_H_EVENT}, {"base", EP_H_RATE_BASE}, {"delta", EP_H_RATE_DELTA},
                      {"tbt", EP_H_TBT},     {"cbt", EP_H_CBT},        {"source", EP_H_SOURCE}};
    bool calls = false;
    ep_put(c->writer, "# callgrind format\nversion: 1\ncreator: zri-prof 1\ncmd: ");
    ep_put(c->writer, ep_profile_header(p, EP_H_PROGRAM));
    ep_put(c->writer, "\npart: 1\ndesc: Trigger:");
    for (unsigned i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        ep_print(c->writer, " %s=", parameters[i].word);
        ep_put(c->writer, ep_profile_header(p, parameters[i].header));
    }
    for (uint32_t i = 0; i < c->view.branches && !calls; i++)
        calls = c->view.branch[i].call && count(c, c->view.branch[i].row->units);
    ep_put(c->writer, calls ? "\ndesc: Inclusive: estimated, proportional to calls\n" : "\n");
    ep_put(c->writer, "positions: instr line\nevent: Br : Completed branches (sampled units)\n"
                      "event: Bt : Taken branches (sampled units)\nevent: Ir : Instructions inside sampled runs\n"
                      "events: Br Bt Ir\n\n");
}

static void body(struct callgrind *c)
{
    const struct ep_instruction *before = NULL;
    for (uint32_t i = 0; i < c->executed.count && !c->bad; i++) {
        const struct ep_instruction *now = &c->executed.at[i];
        if (!before || before->function != now->function || before->space != now->space ||
            strcmp(object_of(c, before->space, before->address), object_of(c, now->space, now->address)) != 0)
            function(c, now);
        instruction(c, now);
        before = now;
    }
    ep_print(c->writer, "\ntotals: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", c->total.branches, c->total.taken,
             c->total.runs);
}

/* What functions cost themselves, and with what they called. */
static int make_costs(struct callgrind *c)
{
    const size_t functions = c->view.functions + 1u;
    c->self = calloc(functions, sizeof *c->self);
    c->inclusive = calloc(functions, sizeof *c->inclusive);
    c->calls = calloc(functions, sizeof *c->calls);
    c->group = calloc(functions, sizeof *c->group);
    if (!c->self || !c->inclusive || !c->calls || !c->group)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->executed.count; i++) {
        const struct ep_instruction *e = &c->executed.at[i];
        const struct ep_costs cost = {count(c, e->branches), count(c, e->taken), count(c, e->runs)};
        ep_costs_add(&c->self[e->function], &cost);
    }
    return ep_inclusive(&c->view, c->self, c->inclusive, c->calls, c->group);
}

int ep_export_callgrind(const struct ep_profile *profile, const struct ep_source *source,
                        const struct ep_writer *writer, char *error, size_t size)
{
    struct callgrind c = {.writer = writer, .source = source};
    int bad = ep_view_make(&c.view, profile);
    if (bad)
        return fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    bad = ep_executed_make(&c.executed, &c.view, source, error, size);
    if (!bad && (bad = make_costs(&c)))
        bad = fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    if (!bad) {
        head(&c);
        body(&c);
        if (c.bad)
            bad = fail_with(c.bad, error, size, "the host has no memory for it; end other programs, or give it more");
    }
    free(c.self);
    free(c.inclusive);
    free(c.calls);
    free(c.group);
    ep_names_free(&c.objects);
    ep_names_free(&c.files);
    ep_names_free(&c.functions);
    ep_executed_free(&c.executed);
    ep_view_free(&c.view);
    return bad;
}
