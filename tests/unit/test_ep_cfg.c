/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control flow of edge profiles (specification 2.13, 4.4.4): blocks, arcs, counts, residuals, graphs. Random programs
   are counted exactly: every block then has the number of times that it was executed, and what comes into one goes out
   of it. */
// clang-format off
#define ep_branch ep_shown_branch /* what records and what shows each have a structure of that name */
#include "ri/profile/show/cfg.h"
#undef ep_branch
// clang-format on
#include "tests/unit/ep_example.h"
#include "tests/unit/ep_source.h"
#include "tests/unit/ep_world.h"

static struct ep_profile *example(void)
{
    char error[600];
    struct ep_profile *p = ep_of_text(EP_EXAMPLE, strlen(EP_EXAMPLE), error);
    if (!p)
        fail_msg("%s", error);
    return p;
}
static struct ep_code_source example_code(void)
{
    return (struct ep_code_source){.code = ep_source_code, .size = sizeof ep_source_code, .base = EP_SOURCE_BASE};
}

static void put(void *context, const void *bytes, size_t size)
{
    assert_int_equal(ep_bytes_put(context, bytes, size), 0);
}

/* ---- the example ------------------------------------------------------------------------------------------------- */

static void ep_70_71_72_the_example(void **state)
{
    static const struct {
        uint64_t start, last, units;
    } blocks[] = {
        {0x10000, 0x1000c, 0}, {0x10010, 0x10010, 3}, {0x10016, 0x10016, 1}, {0x10018, 0x1001c, 4},
        {0x10020, 0x10020, 0}, {0x10024, 0x10028, 3}, {0x1002c, 0x10030, 1}, {0x10036, 0x10036, 0},
        {0x10038, 0x1003c, 1}, {0x10040, 0x10044, 0},
    };
    struct ep_code_source code = example_code();
    const struct ep_source source = ep_source_of(&code);
    struct ep_profile *p = example();
    struct ep_view view;
    struct ep_cfg cfg;
    char error[600];
    (void)state;
    assert_int_equal(ep_view_make(&view, p), 0);
    if (ep_cfg_make(&cfg, &view, NULL, &source, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(cfg.blocks, sizeof blocks / sizeof *blocks);
    for (uint32_t i = 0; i < cfg.blocks; i++) {
        assert_int_equal(cfg.block[i].start, blocks[i].start);
        assert_int_equal(cfg.block[i].last, blocks[i].last);
        assert_int_equal(cfg.block[i].units, blocks[i].units); /* 12 branches of 9 runs: times 4/3, rounded */
    }
    uint64_t seen = 0, unseen = 0;
    for (uint32_t i = 0; i < cfg.arcs; i++) {
        seen += cfg.arc[i].kind <= EP_ARC_NOT_TAKEN ? cfg.arc[i].units : 0;
        unseen += cfg.arc[i].kind <= EP_ARC_NOT_TAKEN && !cfg.arc[i].units;
    }
    assert_int_equal(seen, 12);
    assert_int_equal(unseen, 4); /* of each of the last four branches one */
    ep_cfg_free(&cfg);
    ep_view_free(&view);
    ep_profile_free(p);
}

static char *dot_of(const char *function, bool probabilities)
{
    struct ep_code_source code = example_code();
    const struct ep_source source = ep_source_of(&code);
    const struct ep_dot how = {function, probabilities};
    struct ep_bytes to = {NULL, 0, 0};
    const struct ep_writer writer = {&to, put};
    struct ep_profile *p = example();
    char error[600];
    if (ep_export_dot(p, &source, &how, &writer, error, sizeof error))
        fail_msg("%s", error);
    ep_profile_free(p);
    return to.bytes;
}

static void ep_96_dot_of_the_example(void **state)
{
    (void)state;
    char *text = dot_of("_start", true);
    static const char gold[] =
        "digraph \"_start\" {\n"
        "node [fontname=\"monospace\"];\n"
        "b10000 [shape=box, label=\"10000-1000c  0\\l10000  lghi %r5,3\\l10004  lghi %r2,1\\l10008  lghi %r3,1\\l1000c "
        " lghi %r4,2\\l\"];\n"
        "b10010 [shape=box, label=\"10010-10010  3\\l10010  cijl %r2,5,0x10018\\l\"];\n"
        "b10016 [shape=box, label=\"10016-10016  1\\l10016  nopr\\l\"];\n"
        "b10018 [shape=box, label=\"10018-1001c  4\\l10018  tmll %r3,1\\l1001c  jne 0x10024\\l\"];\n"
        "b10020 [shape=box, label=\"10020-10020  0\\l10020  aghi %r4,5\\l\"];\n"
        "b10024 [shape=box, label=\"10024-10028  3\\l10024  ltgr %r4,%r4\\l10028  je 0x10040\\l\"];\n"
        "b1002c [shape=box, label=\"1002c-10030  1\\l1002c  lgr %r6,%r4\\l10030  clgijh %r6,0,0x10038\\l\"];\n"
        "b10036 [shape=box, label=\"10036-10036  0\\l10036  nopr\\l\"];\n"
        "b10038 [shape=box, label=\"10038-1003c  1\\l10038  aghi %r2,2\\l1003c  brctg %r5,0x10010\\l\"];\n"
        "b10040 [shape=box, label=\"10040-10044  0\\l10040  lghi %r2,0\\l10044  svc 1\\l\"];\n"
        "b10000 -> b10010 [kind=fall, label=\"0\", penwidth=1.00, style=dashed, weight=10];\n"
        "b10010 -> b10018 [kind=taken, label=\"2 0.6667\", penwidth=3.67];\n"
        "b10010 -> b10016 [kind=nottaken, label=\"1 0.3333\", penwidth=2.33];\n"
        "b10016 -> b10018 [kind=fall, label=\"1\", penwidth=2.33, weight=10];\n"
        "b10018 -> b10024 [kind=taken, label=\"3 1.0000\", penwidth=5.00];\n"
        "b10018 -> b10020 [kind=nottaken, label=\"0 0.0000\", penwidth=1.00, style=dashed];\n"
        "b10020 -> b10024 [kind=fall, label=\"0\", penwidth=1.00, style=dashed, weight=10];\n"
        "b10024 -> b10040 [kind=taken, label=\"0 0.0000\", penwidth=1.00, style=dashed];\n"
        "b10024 -> b1002c [kind=nottaken, label=\"2 1.0000\", penwidth=3.67];\n"
        "b1002c -> b10038 [kind=taken, label=\"2 1.0000\", penwidth=3.67];\n"
        "b1002c -> b10036 [kind=nottaken, label=\"0 0.0000\", penwidth=1.00, style=dashed];\n"
        "b10036 -> b10038 [kind=fall, label=\"0\", penwidth=1.00, style=dashed, weight=10];\n"
        "b10038 -> b10010 [kind=taken, label=\"2 1.0000\", penwidth=3.67];\n"
        "b10038 -> b10040 [kind=nottaken, label=\"0 0.0000\", penwidth=1.00, style=dashed];\n"
        "}\n";
    assert_string_equal(text, gold);
    free(text);
    text = dot_of(NULL, false);
    assert_string_equal(text, "digraph \"calls\" {\nnode [shape=box];\nf0 [label=\"_start\\n12\"];\n}\n");
    free(text);
}

static void ep_96_a_function_that_is_not_there(void **state)
{
    struct ep_code_source code = example_code();
    const struct ep_source source = ep_source_of(&code);
    const struct ep_dot how = {"nobody", false};
    struct ep_bytes to = {NULL, 0, 0};
    const struct ep_writer writer = {&to, put};
    struct ep_profile *p = example();
    char error[600];
    (void)state;
    assert_int_equal(ep_export_dot(p, &source, &how, &writer, error, sizeof error), -ENOENT);
    assert_non_null(strstr(error, "nobody"));
    free(to.bytes);
    ep_profile_free(p);
}

static void ep_73_97_residuals_in_a_report(void **state)
{
    struct ep_code_source code = example_code();
    const struct ep_source source = ep_source_of(&code);
    struct ep_bytes to = {NULL, 0, 0};
    const struct ep_writer writer = {&to, put};
    char error[600];
    const struct ep_show show = {
        .writer = &writer, .top = 2, .source = &source, .error = error, .error_size = sizeof error};
    struct ep_profile *p = example();
    (void)state;
    assert_int_equal(ep_report_json(p, &show), 0);
    /* three branches came to 10038 that no run goes out of */
    assert_non_null(strstr(to.bytes, "\"residuals\":[{\"function\":\"_start\",\"block\":\"10010\",\"inflow\":2,"
                                     "\"outflow\":3,\"residual\":-1}"));
    to.size = 0;
    assert_int_equal(ep_report_text(p, &show), 0);
    assert_non_null(strstr(to.bytes, "\nResiduals of blocks (0 at "));
    assert_non_null(strstr(to.bytes, "\n-          1              2            3   0 10010  _start\n"));
    code.size = 0x30; /* the file is another one */
    assert_int_equal(ep_report_text(p, &show), -ENOENT);
    assert_non_null(strstr(error, "there is no code at 10030"));
    free(to.bytes);
    ep_profile_free(p);
}

static void ep_83_blocks_overlap(void **state)
{
    struct ep_code_source code = example_code();
    const struct ep_source source = ep_source_of(&code);
    struct ep_bytes to = {NULL, 0, 0};
    const struct ep_writer writer = {&to, put};
    char error[1600];
    const char *const names[2] = {"a", "b"};
    struct ep_show show = {.writer = &writer, .error = error, .error_size = sizeof error};
    struct ep_profile *aligned[2], *other, *p = example();
    const struct ep_row more = {.from = 0x10024, .to = 0x10028, .kind = EP_RUN_BRANCH, .units = 9};
    (void)state;
    assert_int_equal(ep_profile_copy(p, &other), 0);
    assert_int_equal(ep_profile_add(other, EP_RUNS, &more), 0);
    assert_int_equal(ep_profile_settle(other), 0);
    const struct ep_profile *const both[2] = {p, other};
    assert_int_equal(ep_profile_align(both, names, aligned, error, sizeof error), 0);
    assert_int_equal(ep_diff_metrics(aligned, &show), 0);
    assert_non_null(strstr(to.bytes, "block-overlap -\n"));
    to.size = 0;
    show.source = &source;
    assert_int_equal(ep_diff_metrics(aligned, &show), 0);
    /* 3 of 12 against 7 of 12, the rest by 5/9 */
    if (!strstr(to.bytes, "block-overlap 0.6"))
        fail_msg("%s", to.bytes);
    free(to.bytes);
    for (unsigned i = 0; i < 2; i++)
        ep_profile_free(aligned[i]);
    ep_profile_free(p);
    ep_profile_free(other);
}

/* ---- random programs, counted exactly ---------------------------------------------------------------------------- */

struct counted {
    struct world *w;
    struct ep_profile *profile;
    uint64_t visits[CODE_SIZE / 2]; /* instructions that completed, by place */
    uint64_t went[CODE_SIZE / 2];   /* ... that were no branches and behind which the next one followed */
    uint64_t first, last;           /* the run: where it began, its latest instruction */
    bool any;                       /* there is one */
};

static void add_row(struct counted *c, enum ep_list_name list, uint64_t from, uint64_t to, unsigned kind)
{
    const struct ep_row row = {.from = from, .to = to, .kind = kind, .units = 1};
    assert_int_equal(ep_profile_add(c->profile, list, &row), 0);
}

static void add_site(struct counted *c, const struct done *d)
{
    static const uint8_t classes[] = {[DIS_EDGE_COND] = EP_SITE_COND,
                                      [DIS_EDGE_UNCOND] = EP_SITE_UNCOND,
                                      [DIS_EDGE_CALL] = EP_SITE_CALL,
                                      [DIS_EDGE_RET] = EP_SITE_RET,
                                      [DIS_EDGE_EXEC] = EP_SITE_COND};
    struct dis_insn insn;
    dis_decode(c->w->code + (d->from - BASE), &insn);
    struct ep_site_facts site = {.at = d->from, .length = insn.length, .class = classes[dis_edge_class(&insn)]};
    ep_opcode(&insn, site.opcode);
    if (d->executed)
        strcpy(site.opcode, "44/07");
    if (dis_branch_relative(&insn)) {
        site.has_target = true;
        site.target = d->from + (uint64_t)insn.i2;
    }
    assert_int_equal(ep_profile_site(c->profile, &site), 0);
}

static void count_step(struct counted *c)
{
    struct world *w = c->w;
    const uint64_t before = w->ia;
    const size_t had = w->count;
    random_step_of(w, false);
    c->visits[(before - BASE) / 2]++;
    if (c->any)
        c->went[(c->last - BASE) / 2]++;
    c->last = before;
    c->any = true;
    if (w->count == had)
        return;
    const struct done *d = &w->done[had];
    add_row(c, EP_EDGES, d->from, d->to, d->taken ? EP_TAKEN : EP_NOT_TAKEN);
    add_row(c, EP_RUNS, c->first, d->from, EP_RUN_BRANCH);
    add_site(c, d);
    c->first = d->to;
    c->any = false;
}

static void count_gap(struct counted *c)
{
    const uint64_t to = below(c->w, 2) ? BASE + c->w->start[0] : anywhere(c->w);
    if (to == c->w->ia)
        return;
    if (c->any)
        add_row(c, EP_RUNS, c->first, c->last, EP_RUN_CUT);
    add_row(c, EP_GAPS, c->w->ia, to, EP_REASON_PSW);
    gap(c->w, to);
    c->first = to;
    c->any = false;
}

static struct counted *count_world(uint64_t seed, bool executes)
{
    const struct ep_rules rules = {.cbt = 1, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY};
    struct counted *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->w = random_world(seed, 4, rules, executes, all);
    c->profile = ep_profile_new();
    assert_non_null(c->profile);
    assert_int_equal(ep_profile_space(c->profile, &space, NULL), 0);
    const struct ep_module module = {.start = BASE, .end = BASE + c->w->size, .name = "m"};
    assert_int_equal(ep_profile_module(c->profile, &module, NULL), 0);
    const uint64_t middle = BASE + c->w->start[c->w->starts / 2];
    const struct ep_function functions[2] = {{.start = BASE, .end = middle, .name = "one"},
                                             {.start = middle, .end = BASE + c->w->size, .name = "two"}};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(ep_profile_function(c->profile, &functions[i], NULL), 0);
    c->first = BASE;
    return c;
}

static void count_end(struct counted *c)
{
    world_end(c->w);
    ep_profile_free(c->profile);
    free(c);
}

/* All blocks of the exact profile of a program. */
/* Returns how many fall-through arcs there are. */
static unsigned check_blocks(const struct counted *c, const struct ep_cfg *cfg, unsigned seed)
{
    int64_t begin = 0, end = 0;
    unsigned falls = 0;
    for (uint32_t i = 0; i < cfg->blocks; i++) {
        const struct ep_block *b = &cfg->block[i];
        const int64_t residual = (int64_t)(b->in - b->out);
        if (b->units != c->visits[(b->start - BASE) / 2])
            fail_msg("seed %u: block %llx has %llu, executed was %llu", seed, (unsigned long long)b->start,
                     (unsigned long long)b->units, (unsigned long long)c->visits[(b->start - BASE) / 2]);
        begin += residual < 0 ? residual : 0;
        end += residual > 0 ? residual : 0;
        if (residual < 0)
            assert_int_equal(b->start, BASE);
        else if (residual > 0 && b->start != c->w->ia)
            fail_msg("seed %u: residual %lld at %llx", seed, (long long)residual, (unsigned long long)b->start);
    }
    assert_true(begin >= -1 && end <= 1);
    for (uint32_t i = 0; i < cfg->arcs; i++) {
        const struct ep_arc *a = &cfg->arc[i];
        if (a->kind == EP_ARC_FALL)
            assert_int_equal(a->units, c->went[(cfg->block[a->from].last - BASE) / 2]);
        falls += a->kind == EP_ARC_FALL;
    }
    return falls;
}

static unsigned exact_world(unsigned seed, bool executes, bool gaps)
{
    struct counted *c = count_world(seed, executes);
    struct ep_code_source code = {.code = c->w->code, .size = c->w->size, .base = BASE};
    const struct ep_source source = ep_source_of(&code);
    struct ep_view view;
    struct ep_cfg cfg;
    char error[600];
    for (unsigned i = 0; i < 2000; i++) {
        count_step(c);
        if (gaps && below(c->w, 30) == 0)
            count_gap(c);
    }
    if (c->any)
        add_row(c, EP_RUNS, c->first, c->last, EP_RUN_CUT);
    assert_int_equal(ep_profile_settle(c->profile), 0);
    assert_int_equal(ep_profile_number(c->profile, EP_H_BRANCH_UNITS), ep_profile_number(c->profile, EP_H_RUN_UNITS));
    assert_int_equal(ep_view_make(&view, c->profile), 0);
    if (ep_cfg_make(&cfg, &view, NULL, &source, error, sizeof error))
        fail_msg("seed %u: %s", seed, error);
    const unsigned falls = check_blocks(c, &cfg, seed);
    ep_cfg_free(&cfg);
    ep_view_free(&view);
    count_end(c);
    return falls;
}

static void ep_70_71_72_73_82_random_programs_add_up(void **state)
{
    unsigned falls = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++)
        falls += exact_world(seed, seed & 1, seed & 2);
    assert_true(falls > 1000);
}

/* ---- code at two alignments -------------------------------------------------------------------------------------- */

/* 10000: la whose second half is a nopr; 10004: brct back into it. Both readings are blocks, and the third begins where
   they meet. */
static void ep_86_code_at_two_alignments(void **state)
{
    static const uint8_t bytes[] = {0x41, 0x11, 0x07, 0x00, 0xa7, 0x26, 0xff, 0xff, 0x07, 0xfe};
    static const uint64_t starts[] = {0x10000, 0x10002, 0x10004, 0x10008};
    static const char text[] =
        "S 0 primary 0000000000000000 -\nM 0 0 10000 1000a 0 sha256:- m\nF 0 0 10000 1000a f\n"
        "B 0 10004 cond 4 10002 a7x6\nE 0 10004 0 10002 T 4\nE 0 10004 0 10008 N 1\nR 0 10000 10004 B 1\n"
        "R 0 10002 10004 B 4\n";
    struct ep_code_source code = {.code = bytes, .size = sizeof bytes, .base = 0x10000};
    const struct ep_source source = ep_source_of(&code);
    char body[2000], error[600];
    struct ep_view view;
    struct ep_cfg cfg;
    (void)state;
    snprintf(body, sizeof body, "%s%s",
             "ZEPROF 1\nH mode edge\nH source exact\nH event branch\nH rate-base 0\nH rate-delta 0\nH seed 1\nH tbt 0\n"
             "H cbt 0\nH short-policy auto\nH append-nt 1\nH norm none\nH unit 1\nH events-total 5\n"
             "H samples-triggered 0\nH samples-accepted 0\nH branch-units 5\nH run-units 5\nH program m\n",
             text);
    char *whole = ep_with_trailer(body);
    struct ep_profile *p = ep_of_text(whole, strlen(whole), error);
    if (!p)
        fail_msg("%s", error);
    assert_int_equal(ep_view_make(&view, p), 0);
    if (ep_cfg_make(&cfg, &view, NULL, &source, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(cfg.blocks, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(cfg.block[i].start, starts[i]);
    assert_int_equal(cfg.block[0].units, 1);
    assert_int_equal(cfg.block[1].units, 4);
    assert_int_equal(cfg.block[2].units, 5);
    assert_int_equal(cfg.block[2].in - cfg.block[2].out, 0);
    ep_cfg_free(&cfg);
    ep_view_free(&view);
    ep_profile_free(p);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_70_71_72_the_example),
        cmocka_unit_test(ep_96_dot_of_the_example),
        cmocka_unit_test(ep_96_a_function_that_is_not_there),
        cmocka_unit_test(ep_73_97_residuals_in_a_report),
        cmocka_unit_test(ep_83_blocks_overlap),
        cmocka_unit_test(ep_70_71_72_73_82_random_programs_add_up),
        cmocka_unit_test(ep_86_code_at_two_alignments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
