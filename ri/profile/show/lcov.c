/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcov's tracefile of an exact profile: how often lines, functions and branches were executed, and which never were. */
#include "ri/profile/show/executed.h"
#include "base/message.h"
#include "disasm/dis.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* A fact about a line of a file; what it is decides what its numbers are. */
enum what { FUNCTION, BRANCH, LINE };
struct fact {
    uint32_t file, line;
    uint64_t
        key; /* of a function its name's number, of a branch its address; of a line the copy of code that it is in */
    uint64_t count; /* of a branch: to `to` */
    uint64_t to;    /* of a branch: its destination, or 0 when it was taken and 1 when it was not */
    uint8_t what;
    bool executed; /* the branch was */
};

struct lcov {
    const struct ep_writer *writer;
    const struct ep_source *source;
    struct ep_view view;
    struct ep_executed executed;
    struct ep_names files, names;
    struct fact *fact;
    size_t facts, room;
    uint32_t module;
};

static int add(struct lcov *l, const char *file, const struct fact *fact)
{
    if (!file || !fact->line)
        return 0;
    if (l->facts == l->room) {
        const size_t room = l->room ? 2 * l->room : 1024;
        struct fact *larger = realloc(l->fact, room * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        l->fact = larger;
        l->room = room;
    }
    l->fact[l->facts] = *fact;
    const int bad = ep_names_number(&l->files, file, &l->fact[l->facts].file, NULL);
    l->facts += !bad;
    return bad;
}

static uint64_t own_address(const struct lcov *l, uint32_t space, uint64_t address)
{
    const uint32_t m = ep_profile_module_at(l->view.profile, space, address);
    return m == UINT32_MAX ? address : address - l->view.module[m].bias;
}

/* ---- what was executed ------------------------------------------------------------------------------------------ */

/* Instructions of one line count once in each copy of the code: that of a function, and of each place where it was
   inlined. */
static uint64_t copy_of(const struct ep_instruction *i, const struct ep_frame *frame, unsigned n)
{
    uint64_t key = ((uint64_t)i->space << 32 | i->function) + 1;
    for (unsigned k = 1; k < n; k++)
        key = (key ^ ((uint64_t)frame[k].line << 20 ^ frame[k].discriminator)) * UINT64_C(0x9e3779b97f4a7c15);
    return key;
}

/* The outcomes of a branch: taken and not taken, or destinations. */
static int add_branch(struct lcov *l, const struct ep_instruction *i, const struct ep_frame *frame)
{
    const struct ep_view_branch *first = &l->view.branch[i->first];
    const uint64_t address = own_address(l, i->space, i->address);
    const bool conditional = first->site->class == EP_SITE_COND;
    int bad = 0;
    if (!conditional && (first->site->class != EP_SITE_UNCOND || first->site->has_target))
        return 0;
    struct fact fact = {.line = frame->line, .key = address, .what = BRANCH, .executed = true};
    if (conditional) {
        fact.count = i->taken;
        bad = add(l, frame->file, &fact);
        fact.count = i->branches - i->taken;
        fact.to = 1;
        return bad ? bad : add(l, frame->file, &fact);
    }
    for (uint32_t k = i->first; k < i->end && !bad; k++) {
        fact.to = own_address(l, l->view.branch[k].row->to_space, l->view.branch[k].row->to);
        fact.count = l->view.branch[k].row->units;
        bad = add(l, frame->file, &fact);
    }
    return bad;
}

static int add_executed(struct lcov *l)
{
    int bad = 0;
    for (uint32_t i = 0; i < l->executed.count && !bad; i++) {
        const struct ep_instruction *e = &l->executed.at[i];
        struct ep_frame frame[EP_FRAMES_MOST];
        const unsigned n = l->source->frames(l->source->context, e->space, e->address, frame, EP_FRAMES_MOST);
        if (!n)
            continue;
        const struct fact fact = {.line = frame[0].line, .key = copy_of(e, frame, n), .count = e->runs, .what = LINE};
        bad = add(l, frame[0].file, &fact);
        if (!bad && e->first < e->end)
            bad = add_branch(l, e, frame);
    }
    return bad;
}

/* ---- what is there ---------------------------------------------------------------------------------------------- */

static int line(void *context, const char *file, uint32_t number)
{
    const struct fact fact = {.line = number, .what = LINE};
    return add(context, file, &fact);
}

/* Conditional branches of a function that were never executed. */
static int add_quiet(struct lcov *l, uint32_t space, uint64_t start, uint64_t end)
{
    uint8_t bytes[6] = {0};
    int bad = 0;
    for (uint64_t at = start; at < end && !bad && l->source->code(l->source->context, space, at, bytes);
         at += dis_length(bytes[0])) {
        struct ep_frame frame[EP_FRAMES_MOST];
        struct dis_insn insn;
        dis_decode(bytes, &insn);
        const struct ep_instruction *e = ep_executed_at(&l->executed, space, at);
        if (dis_edge_class(&insn) != DIS_EDGE_COND || (e && e->first < e->end) ||
            !l->source->frames(l->source->context, space, at, frame, EP_FRAMES_MOST))
            continue;
        struct fact fact = {.line = frame[0].line, .key = own_address(l, space, at), .what = BRANCH};
        bad = add(l, frame[0].file, &fact);
        fact.to = 1;
        bad = bad ? bad : add(l, frame[0].file, &fact);
    }
    return bad;
}

static int function(void *context, const struct ep_frame *frame, uint64_t start, uint64_t end)
{
    struct lcov *l = context;
    const uint32_t space = l->view.module[l->module].space;
    const struct ep_instruction *first = ep_executed_at(&l->executed, space, start);
    struct fact fact = {.line = frame->declared, .count = first ? first->runs : 0, .what = FUNCTION};
    uint32_t name;
    if (!frame->function)
        return 0;
    int bad = ep_names_number(&l->names, frame->function, &name, NULL);
    fact.key = name;
    bad = bad ? bad : add(l, frame->file, &fact);
    return bad ? bad : add_quiet(l, space, start, end);
}

/* ---- the text --------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const struct fact *a = left, *b = right;
    const uint64_t of_a[] = {a->file, a->what, a->line, a->key, a->to},
                   of_b[] = {b->file, b->what, b->line, b->key, b->to};
    for (unsigned i = 0; i < sizeof of_a / sizeof *of_a; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

/* Makes one of equal facts: branches and functions in several spaces add up, the instructions of a line do not. */
static void join(struct lcov *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->facts; i++) {
        struct fact *last = kept ? &l->fact[kept - 1] : NULL;
        const struct fact *f = &l->fact[i];
        if (!last || compare(last, f) != 0) {
            l->fact[kept++] = *f;
            continue;
        }
        last->executed |= f->executed;
        last->count = f->what != LINE          ? ep_saturated_sum(last->count, f->count)
                      : f->count > last->count ? f->count
                                               : last->count;
    }
    l->facts = kept;
}

/* The facts of one kind about a file, from *i on: *found of them, *hit with a count. */
static void functions(const struct lcov *l, size_t first, size_t end)
{
    size_t hit = 0;
    for (size_t i = first; i < end; i++) {
        ep_print(l->writer, "FN:%" PRIu32 ",", l->fact[i].line);
        ep_put_plain(l->writer, l->names.name[l->fact[i].key], "");
        ep_put(l->writer, "\n");
    }
    for (size_t i = first; i < end; i++) {
        ep_print(l->writer, "FNDA:%" PRIu64 ",", l->fact[i].count);
        ep_put_plain(l->writer, l->names.name[l->fact[i].key], "");
        ep_put(l->writer, "\n");
        hit += l->fact[i].count != 0;
    }
    ep_print(l->writer, "FNF:%zu\nFNH:%zu\n", end - first, hit);
}

static void branches(const struct lcov *l, size_t first, size_t end)
{
    size_t hit = 0, block = 0, outcome = 0;
    for (size_t i = first; i < end; i++) {
        const struct fact *f = &l->fact[i], *before = i > first ? &l->fact[i - 1] : NULL;
        const bool same_line = before && before->line == f->line, same = same_line && before->key == f->key;
        block = same_line ? block + !same : 0;
        outcome = same ? outcome + 1 : 0;
        ep_print(l->writer, "BRDA:%" PRIu32 ",%zu,%zu,", f->line, block, outcome);
        if (f->executed)
            ep_print(l->writer, "%" PRIu64 "\n", f->count);
        else
            ep_put(l->writer, "-\n");
        hit += f->count != 0;
    }
    ep_print(l->writer, "BRF:%zu\nBRH:%zu\n", end - first, hit);
}

static void lines(const struct lcov *l, size_t first, size_t end)
{
    size_t found = 0, hit = 0;
    for (size_t i = first; i < end;) {
        const uint32_t number = l->fact[i].line;
        uint64_t count = 0;
        for (; i < end && l->fact[i].line == number; i++)
            count = ep_saturated_sum(count, l->fact[i].count);
        ep_print(l->writer, "DA:%" PRIu32 ",%" PRIu64 "\n", number, count);
        found++;
        hit += count != 0;
    }
    ep_print(l->writer, "LF:%zu\nLH:%zu\n", found, hit);
}

struct named_file {
    const char *name;
    uint32_t number;
};
static int name_compare(const void *left, const void *right)
{
    return strcmp(((const struct named_file *)left)->name, ((const struct named_file *)right)->name);
}

/* Where the facts of a file from `what` on begin. */
static size_t first_of(const struct lcov *l, uint32_t file, unsigned what)
{
    size_t low = 0, high = l->facts;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct fact *f = &l->fact[middle];
        if (f->file < file || (f->file == file && f->what < what))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int put_all(struct lcov *l)
{
    struct named_file *file = calloc(l->files.count + 1u, sizeof *file);
    if (!file)
        return -ENOMEM;
    if (l->facts)
        qsort(l->fact, l->facts, sizeof *l->fact, compare);
    join(l);
    for (uint32_t i = 0; i < l->files.count; i++)
        file[i] = (struct named_file){l->files.name[i], i};
    if (l->files.count)
        qsort(file, l->files.count, sizeof *file, name_compare);
    for (uint32_t i = 0; i < l->files.count; i++) {
        const uint32_t n = file[i].number;
        ep_put(l->writer, "TN:\nSF:");
        ep_put_plain(l->writer, file[i].name, "");
        ep_put(l->writer, "\n");
        functions(l, first_of(l, n, FUNCTION), first_of(l, n, BRANCH));
        branches(l, first_of(l, n, BRANCH), first_of(l, n, LINE));
        lines(l, first_of(l, n, LINE), first_of(l, n + 1, FUNCTION));
        ep_put(l->writer, "end_of_record\n");
    }
    free(file);
    return 0;
}

int ep_export_lcov(const struct ep_profile *profile, const struct ep_source *source, const struct ep_writer *writer,
                   char *error, size_t size)
{
    struct lcov l = {.writer = writer, .source = source};
    const struct ep_source_listener listener = {&l, line, function};
    if (!ep_profile_is(profile, EP_H_SOURCE, "exact"))
        return fail_with(
            -EPERM, error, size,
            "coverage wants an exact profile, and this one was sampled: code that is seldom executed would "
            "seem to be never; run with zri --profile-exact");
    int bad = ep_view_make(&l.view, profile);
    if (bad)
        return fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    bad = ep_executed_make(&l.executed, &l.view, source, error, size);
    if (!bad) {
        bad = add_executed(&l);
        for (l.module = 0; l.module < l.view.modules && !bad; l.module++)
            bad = source->list(source->context, l.module, &listener);
        if (!bad && !l.facts)
            bad = -ENOENT;
        bad = bad ? bad : put_all(&l);
        if (bad == -ENOENT)
            bad = fail_with(bad, error, size,
                            "the files of the modules have no source lines; compile the program with -g");
        else if (bad)
            bad = fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    }
    free(l.fact);
    ep_names_free(&l.files);
    ep_names_free(&l.names);
    ep_executed_free(&l.executed);
    ep_view_free(&l.view);
    return bad;
}
