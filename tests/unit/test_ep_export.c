/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of edge profiles and the code behind them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "ri/profile/build.h"
#include "ri/profile/show/output.h"
#include "tests/unit/ep_example.h"
#include "tests/unit/ep_source.h"

static struct ep_profile *of_body(const char *body)
{
    char error[600];
    char *text = ep_with_trailer(body);
    struct ep_profile *profile = ep_of_text(text, strlen(text), error);
    if (!profile)
        fail_msg("%s", error);
    free(text);
    return profile;
}

#define HAS(text, part)                                                                                                \
    do {                                                                                                               \
        if (!strstr(text, part))                                                                                       \
            fail_msg("no %s in:\n%s", part, text);                                                                     \
    } while (0)

static struct ep_code_source example = {ep_source_code, sizeof ep_source_code, EP_SOURCE_BASE, NULL, 0};

struct walked {
    uint64_t at[64];
    unsigned count, most;
};
static int note(void *context, uint64_t address, const uint8_t bytes[6])
{
    struct walked *w = context;
    assert_memory_equal(bytes, ep_source_code + (address - EP_SOURCE_BASE), 2);
    w->at[w->count++] = address;
    return w->count == w->most ? -ECANCELED : 0;
}

static void ep_53_96_instructions_of_a_run(void **state)
{
    (void)state;
    const struct ep_source source = ep_source_of(&example);
    struct walked w = {.most = 64};
    char error[600];
    assert_int_equal(ep_source_walk(&source, 0, 0x10016, 0x1001c, note, &w, error, sizeof error), 0);
    assert_int_equal(w.count, 3);
    assert_int_equal(w.at[0], 0x10016);
    assert_int_equal(w.at[1], 0x10018);
    assert_int_equal(w.at[2], 0x1001c);
    w = (struct walked){.most = 2};
    assert_int_equal(ep_source_walk(&source, 0, 0x10016, 0x1001c, note, &w, error, sizeof error), -ECANCELED);
    w = (struct walked){.most = 64};
    assert_int_equal(ep_source_walk(&source, 0, 0x10016, 0x1001a, note, &w, error, sizeof error), -ENOENT);
    HAS(error, "from 10016 of space 0 has no instruction at 1001a");
    w = (struct walked){.most = 64};
    assert_int_equal(ep_source_walk(&source, 0, 0x10040, 0x10050, note, &w, error, sizeof error), -ENOENT);
    HAS(error, "no code at 10046 of space 0");
    w = (struct walked){.most = 64};
    assert_int_equal(ep_source_walk(&source, 0, 0x1001c, 0x10018, note, &w, error, sizeof error), -ENOENT);
}

static void ep_96_the_module_without_code_is_named(void **state)
{
    (void)state;
    struct ep_profile *p = of_body(EP_EXAMPLE_BODY);
    const struct ep_source source = ep_source_of(&example);
    struct ep_code_source none = {NULL, 0, 0, NULL, 0};
    const struct ep_source empty = ep_source_of(&none);
    char error[600];
    assert_int_equal(ep_source_complete(&source, p, error, sizeof error), 0);
    assert_int_equal(ep_source_complete(&empty, p, error, sizeof error), -ENOENT);
    HAS(error, "module ex;");
    HAS(error, "--symbols");
    error[0] = 0;
    assert_int_equal(ep_source_complete(NULL, p, error, sizeof error), -ENOENT);
    HAS(error, "module ex;");
    ep_profile_free(p);
}

static void keep(void *context, const void *bytes, size_t size)
{
    assert_int_equal(ep_bytes_put(context, bytes, size), 0);
}

typedef int (*exporter)(const struct ep_profile *profile, const struct ep_source *source,
                        const struct ep_writer *writer, char *error, size_t size);

/* What an exporter makes of a body. */
static void exports(exporter export, const char *body, struct ep_code_source *of, const char *wanted)
{
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    const struct ep_source source = ep_source_of(of);
    struct ep_profile *p = of_body(body);
    char error[600];
    if (export(p, &source, &writer, error, sizeof error))
        fail_msg("%s", error);
    assert_non_null(out.bytes);
    assert_string_equal(out.bytes, wanted);
    free(out.bytes);
    ep_profile_free(p);
}

#define CALLGRIND_HEAD(inclusive)                                                                                      \
    "# callgrind format\nversion: 1\ncreator: zri-prof 1\ncmd: ex\npart: 1\n"                                          \
    "desc: Trigger: event=branch base=4 delta=0 tbt=4 cbt=4 source=native\n" inclusive                                 \
    "positions: instr line\nevent: Br : Completed branches (sampled units)\n"                                          \
    "event: Bt : Taken branches (sampled units)\nevent: Ir : Instructions inside sampled runs\n"                       \
    "events: Br Bt Ir\n\n"

/* The example of 4.4.3. */
static void ep_96_callgrind(void **state)
{
    (void)state;
    exports(ep_export_callgrind, EP_EXAMPLE_BODY, &example,
            CALLGRIND_HEAD("") "ob=(1) ex\nfl=(1) ???\nfn=(1) _start\n0x10010 0 3 2 2\njcnd=2/3 0x10018 0\n0x10010 0\n"
                               "0x10016 0 0 0 1\n0x10018 0 0 0 3\n0x1001c 0 3 3 3\njcnd=3/3 0x10024 0\n0x1001c 0\n"
                               "0x10024 0 0 0 2\n0x10028 0 2 0 2\njcnd=0/2 0x10040 0\n0x10028 0\n0x1002c 0 0 0 1\n"
                               "0x10030 0 2 2 1\njcnd=2/2 0x10038 0\n0x10030 0\n0x10038 0 0 0 1\n0x1003c 0 2 2 1\n"
                               "jcnd=2/2 0x10010 0\n0x1003c 0\n\ntotals: 12 9 17\n");
}

/* a at 10000 calls b at 10018, which jumps to c at 10028, which calls a; d at 10040 calls a and c. a has data behind a
   call over them. */
static const uint8_t callers[0x48] = {
    [0x00] = 0xa7, 0xe5, 0x00, 0x0c, /* calls 10018 */
    [0x04] = 0xa7, 0xd5, 0x00, 0x04, /* over data, to 1000c: no function */
    [0x0c] = 0x07, 0xfe,             /* return */
    [0x18] = 0xa7, 0xf4, 0x00, 0x08, /* to 10028 */
    [0x28] = 0xa7, 0xe5, 0xff, 0xec, /* calls 10000, */
    [0x2c] = 0x07, 0xfe,             /* returns */
    [0x40] = 0xa7, 0xe5, 0xff, 0xe0, /* calls 10000, */
    [0x44] = 0x0d, 0xe1,             /* by a register 10028 */
};
static const char calls_body[] =
    EP_EXAMPLE_HEAD "S 0 primary 0000000000000000 -\nM 0 0 10000 10048 0 sha256:- ex\nF 0 0 10000 10018 a\n"
                    "F 1 0 10018 10028 b\nF 2 0 10028 10040 c\nF 3 0 10040 10048 d\n"
                    "B 0 10000 call 4 10018 a7x5\nB 0 10004 call 4 1000c a7x5\nB 0 1000c ret 2 - 07\n"
                    "B 0 10018 uncond 4 10028 a7x4\nB 0 10028 call 4 10000 a7x5\nB 0 1002c ret 2 - 07\n"
                    "B 0 10040 call 4 10000 a7x5\nB 0 10044 call 2 - 0d\n"
                    "E 0 10000 0 10018 T 1\nE 0 10004 0 1000c T 1\nE 0 1000c 0 1002c T 1\nE 0 10018 0 10028 T 2\n"
                    "E 0 10028 0 10000 T 1\nE 0 1002c 0 10004 T 2\nE 0 10040 0 10000 T 3\nE 0 10044 0 10028 T 1\n"
                    "R 0 10000 10000 B 3\nR 0 10018 10018 B 2\nR 0 10028 10028 B 2\nR 0 10040 10040 B 2\n";
static struct ep_code_source callers_source = {callers, sizeof callers, EP_SOURCE_BASE, NULL, 0};

/* a costs 3 3 3 itself and all of b, 2 2 2; of its 4 calls c did one. c costs 3 3 2 and a quarter of a. */
static void ep_69_96_inclusive_costs(void **state)
{
    (void)state;
    exports(
        ep_export_callgrind, calls_body, &callers_source,
        CALLGRIND_HEAD(
            "desc: Inclusive: estimated, proportional to calls\n") "ob=(1) ex\nfl=(1) ???\nfn=(1) a\n0x10000 0 1 1 "
                                                                   "3\ncfi=(1)\ncfn=(2) b\ncalls=1 0x10018 0\n"
                                                                   "0x10000 0 2 2 2\n0x10004 0 1 1 0\njump=1 0x1000c "
                                                                   "0\n0x10004 0\n0x1000c 0 1 1 0\n"
                                                                   "fl=(1)\nfn=(2)\n0x10018 0 2 2 2\njfn=(3) c\njump=2 "
                                                                   "0x10028 0\n0x10018 0\n"
                                                                   "fl=(1)\nfn=(3)\n0x10028 0 1 1 "
                                                                   "2\ncfi=(1)\ncfn=(1)\ncalls=1 0x10000 0\n0x10028 0 "
                                                                   "1 1 1\n"
                                                                   "0x1002c 0 2 2 0\n"
                                                                   "fl=(1)\nfn=(4) d\n0x10040 0 3 3 "
                                                                   "2\ncfi=(1)\ncfn=(1)\ncalls=3 0x10000 0\n0x10040 0 "
                                                                   "4 4 4\n"
                                                                   "0x10044 0 1 1 0\ncfi=(1)\ncfn=(3)\ncalls=1 0x10028 "
                                                                   "0\n0x10044 0 4 4 3\n\ntotals: 12 12 9\n");
}

/* b calls c, so that a, b and c are a circle, of costs 8 8 7; of 4 calls into it from d three go to a, one to c. */
static void ep_69_96_circles_are_contracted(void **state)
{
    (void)state;
    char body[4000];
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    const struct ep_source source = ep_source_of(&callers_source);
    char error[600];
    const char *jump = strstr(calls_body, "B 0 10018 uncond 4 10028 a7x4");
    assert_non_null(jump);
    snprintf(body, sizeof body, "%.*sB 0 10018 call 4 10028 a7x5%s", (int)(jump - calls_body), calls_body,
             jump + strlen("B 0 10018 uncond 4 10028 a7x4"));
    struct ep_profile *p = of_body(body);
    assert_int_equal(ep_export_callgrind(p, &source, &writer, error, sizeof error), 0);
    HAS(out.bytes, "calls=1 0x10018 0\n0x10000 0 0 0 0\n");
    HAS(out.bytes, "calls=2 0x10028 0\n0x10018 0 0 0 0\n");
    HAS(out.bytes, "calls=1 0x10000 0\n0x10028 0 0 0 0\n");
    HAS(out.bytes, "calls=3 0x10000 0\n0x10040 0 6 6 5\n");
    HAS(out.bytes, "calls=1 0x10028 0\n0x10044 0 2 2 2\n");
    free(out.bytes);
    ep_profile_free(p);
}

/* Lines of two functions, a loop's body inlined in the second from the first one's file. */
static const struct ep_lines lines[] = {
    {0x10010, {{"work", "/src/a.c", 10, 12, 0}}, 1},
    {0x10018, {{"least", "/src/b.h", 3, 5, 2}, {"work", "/src/a.c", 10, 13, 1}}, 2},
    {0x10024, {{"work", "/src/a.c", 10, 13, 1}}, 1},
    {0x1002c, {{"work", NULL, 10, 0, 0}}, 1},
    {0x10038, {{"work", "/src/a.c", 10, 9, 0}}, 1},
};
static struct ep_code_source with_lines = {ep_source_code, sizeof ep_source_code, EP_SOURCE_BASE, lines, 5};

static void ep_96_llvm(void **state)
{
    (void)state;
    exports(ep_export_llvm, EP_EXAMPLE_BODY, &with_lines,
            "work:17:0\n 2: 2\n 3.1: 2\n 3.1: least:6\n  2.2: 3\n 65535: 1\n");
    exports(ep_export_llvm, EP_EXAMPLE_BODY, &example, "_start:17:0\n");
}

static void ep_96_llvm_calls(void **state)
{
    (void)state;
    static const struct ep_lines of_callers[] = {
        {0x10000, {{"_Z1av", "/src/a.c", 1, 2, 0}}, 1},
        {0x10018, {{"b", "/src/a.c", 10, 11, 0}}, 1},
        {0x10028, {{"c:c", "/src/a.c", 20, 22, 0}}, 1},
        {0x10040, {{"d", "/src/a.c", 30, 31, 7}}, 1},
    };
    struct ep_code_source source = {callers, sizeof callers, EP_SOURCE_BASE, of_callers, 4};
    exports(ep_export_llvm, calls_body, &source,
            "_Z1av:3:4\n 1: 3 b:1\nb:2:1\n 1: 2\nc%3ac:2:1\n 2: 2 _Z1av:1\nd:2:0\n 1.7: 2 _Z1av:3 c%3ac:1\n");
}

static void ep_96_callgrind_lines(void **state)
{
    (void)state;
    exports(ep_export_callgrind, EP_EXAMPLE_BODY, &with_lines,
            CALLGRIND_HEAD("") "ob=(1) ex\nfl=(1) ???\nfn=(1) _start\nfi=(2) /src/a.c\n0x10010 12 3 2 2\n"
                               "jcnd=2/3 0x10018 5\n0x10010 12\n0x10016 12 0 0 1\nfi=(3) /src/b.h\n0x10018 5 0 0 3\n"
                               "0x1001c 5 3 3 3\njcnd=3/3 0x10024 13\n0x1001c 5\nfi=(2)\n0x10024 13 0 0 2\n"
                               "0x10028 13 2 0 2\njcnd=0/2 0x10040 9\n0x10028 13\nfe=(1)\n0x1002c 0 0 0 1\n"
                               "0x10030 0 2 2 1\njcnd=2/2 0x10038 9\n0x10030 0\nfi=(2)\n0x10038 9 0 0 1\n"
                               "0x1003c 9 2 2 1\njcnd=2/2 0x10010 12\n0x1003c 9\n\ntotals: 12 9 17\n");
}

static void ep_96_lcov(void **state)
{
    (void)state;
    char body[4000];
    const char *source = strstr(EP_EXAMPLE_BODY, "native"), *not_taken = strstr(EP_EXAMPLE_BODY, "E 0 10028");
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    const struct ep_source accessor = ep_source_of(&with_lines);
    char error[600];
    struct ep_profile *p = of_body(EP_EXAMPLE_BODY);
    assert_int_equal(ep_export_lcov(p, &accessor, &writer, error, sizeof error), -EPERM);
    HAS(error, "--profile-exact");
    ep_profile_free(p);
    /* as if it had been counted; the branch at 10028 is unknown then, and the one at 10030, which has no line */
    assert_non_null(source);
    assert_non_null(not_taken);
    snprintf(body, sizeof body, "%.*sexact%s", (int)(source - EP_EXAMPLE_BODY), EP_EXAMPLE_BODY, source + 6);
    exports(ep_export_lcov, body, &with_lines,
            "TN:\nSF:/src/a.c\nFN:10,work\nFNDA:2,work\nFNF:1\nFNH:1\n"
            "BRDA:9,0,0,2\nBRDA:9,0,1,0\nBRDA:12,0,0,2\nBRDA:12,0,1,1\nBRDA:13,0,0,0\nBRDA:13,0,1,2\nBRF:6\nBRH:4\n"
            "DA:9,1\nDA:12,2\nDA:13,2\nDA:99,0\nLF:4\nLH:3\nend_of_record\n"
            "TN:\nSF:/src/b.h\nFNF:0\nFNH:0\nBRDA:5,0,0,3\nBRDA:5,0,1,0\nBRF:2\nBRH:1\nDA:5,3\nLF:1\nLH:1\n"
            "end_of_record\n");
    /* nobody came to the branch at 1001c */
    char *site = strstr(body, "B 0 1001c");
    memmove(site, strchr(site, '\n') + 1, strlen(strchr(site, '\n')));
    char *edge = strstr(body, "E 0 1001c");
    memmove(edge, strchr(edge, '\n') + 1, strlen(strchr(edge, '\n')));
    memcpy(strstr(body, "branch-units 12"), "branch-units 09", 15);
    char *zero = strstr(body, "branch-units 09") + 13;
    memmove(zero, zero + 1, strlen(zero));
    p = of_body(body);
    assert_int_equal(ep_export_lcov(p, &accessor, &writer, error, sizeof error), 0);
    HAS(out.bytes, "BRDA:5,0,0,-\nBRDA:5,0,1,-\nBRF:2\nBRH:0\n");
    const struct ep_source no_lines = ep_source_of(&example);
    assert_int_equal(ep_export_lcov(p, &no_lines, &writer, error, sizeof error), -ENOENT);
    HAS(error, "-g");
    free(out.bytes);
    ep_profile_free(p);
}

static void ep_96_code_that_is_another(void **state)
{
    (void)state;
    struct ep_code_source half = {ep_source_code, 0x20, EP_SOURCE_BASE, NULL, 0};
    const struct ep_source source = ep_source_of(&half);
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    struct ep_profile *p = of_body(EP_EXAMPLE_BODY);
    const exporter all[] = {ep_export_callgrind, ep_export_llvm};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        char error[600] = "";
        assert_int_equal(all[i](p, &source, &writer, error, sizeof error), -ENOENT);
        HAS(error, "no code at 10024 of space 0");
        assert_null(out.bytes);
    }
    ep_profile_free(p);
}

/* ---- sample logs ------------------------------------------------------------------------------------------------ */

static struct ep_entry taken_entry(uint64_t from, uint64_t to)
{
    return (struct ep_entry){.from = {from, 1, EP_64}, .to = {to, 1, EP_64}, .kind = EP_TRANSFER};
}

/* A log of two samples of the example (those of 3.2, interval 5, 10 and 15), whose program is in the second space. */
static struct ep_bytes example_log(void)
{
    const struct ep_entry second[] = {taken_entry(0x10010, 0x10018), taken_entry(0x1001c, 0x10024),
                                      taken_entry(0x10030, 0x10038), taken_entry(0x1003c, 0x10010)};
    const struct ep_entry third[] = {taken_entry(0x10030, 0x10038), taken_entry(0x1003c, 0x10010),
                                     taken_entry(0x1001c, 0x10024), taken_entry(0x10030, 0x10038)};
    const struct ep_sample samples[] = {
        {.trigger = {.at = {0x1003c, 1, EP_64}, .event = 10, .interval = 5, .branch = true, .taken = true},
         .count = 4,
         .entry = second},
        {.trigger = {.at = {0x1003c, 1, EP_64}, .event = 15, .interval = 5, .branch = true},
         .count = 4,
         .entry = third}};
    const struct ep_rules rules = {.cbt = 4, .append_nt = true, .walk_limit = EP_WALK_LIMIT};
    const struct ep_log_header header = {.parameters = {.base = 5, .seed = 1, .tbt = 4}, .cbt = 4, .cpus = 1};
    const struct ep_space real = {.kind = EP_SPACE_REAL}, primary = {.kind = EP_SPACE_PRIMARY, .token = 0x1000};
    const struct ep_log_module module = {.module = {.start = 0x10000, .end = 0x10048, .name = "an ex", .space = 1},
                                         .last_epoch = UINT64_MAX};
    struct ep_bytes log = {NULL, 0, 0};
    const struct ep_sink sink = {&log, ep_bytes_put};
    const uint64_t events = 15;
    struct ep_log_writer w;
    assert_int_equal(ep_log_begin(&w, &sink, &header), 0);
    assert_int_equal(ep_build_parameters(&w, &rules, "any", "ex"), 0);
    assert_int_equal(ep_log_space(&w, 0, &real), 0);
    assert_int_equal(ep_log_space(&w, 1, &primary), 0);
    assert_int_equal(ep_log_module(&w, &module), 0);
    assert_int_equal(ep_log_sample(&w, &samples[0]), 0);
    assert_int_equal(ep_log_sample(&w, &samples[1]), 0);
    assert_int_equal(ep_log_end(&w, &events, 1), 0);
    return log;
}

static bool image(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    return space == 1 && ep_source_bytes(context, 0, address, bytes);
}
static bool there(void *context, const struct ep_log_module *module, uint64_t *offset)
{
    assert_int_equal(module->module.start, 0x10000);
    *offset = 0x1000;
    return ((struct ep_code_source *)context)->code;
}

/* What brstack makes of the log. */
static int stacks(const struct ep_images *images, bool full, const char *wanted, char error[600])
{
    struct ep_bytes log = example_log(), out = {NULL, 0, 0};
    const struct ep_input input = {&log, ep_bytes_read};
    const struct ep_writer writer = {&out, keep};
    struct ep_log_header header;
    assert_int_equal(ep_log_read_header(&input, &header, error, 600), 0);
    const int bad = ep_export_brstack(&input, &header, images, full, &writer, error, 600);
    if (wanted)
        assert_string_equal(out.bytes, wanted);
    free(log.bytes);
    free(out.bytes);
    return bad;
}

static void ep_96_branch_stacks(void **state)
{
    (void)state;
    struct ep_code_source none = {NULL, 0, 0, NULL, 0};
    struct ep_images images = {.context = &example, .fetch = image, .file = there};
    char error[600];
    assert_int_equal(stacks(NULL, false,
                            "PERF_RECORD_MMAP2 2/2: [0x10000(0x48) @ 0 08:01 1 0]: r-xp an%20ex\n"
                            " 1003c 0x1003c/0x10010/-/-/-/0 0x10030/0x10038/-/-/-/0 0x1001c/0x10024/-/-/-/0 "
                            "0x10010/0x10018/-/-/-/0\n"
                            " 1003c 0x10030/0x10038/-/-/-/0 0x1001c/0x10024/-/-/-/0 0x1003c/0x10010/-/-/-/0 "
                            "0x10030/0x10038/-/-/-/0\n",
                            error),
                     0);
    assert_int_equal(stacks(&images, true,
                            "PERF_RECORD_MMAP2 2/2: [0x10000(0x48) @ 0x1000 08:01 1 0]: r-xp an%20ex\n"
                            " 1003c 0x1003c/0x10010/-/-/-/0 0x10030/0x10038/-/-/-/0 0x10028/0x1002c/PN/-/-/0 "
                            "0x1001c/0x10024/-/-/-/0\n"
                            " 1003c 0x1003c/0x10040/PN/-/-/0 0x10030/0x10038/-/-/-/0 0x10028/0x1002c/PN/-/-/0 "
                            "0x1001c/0x10024/-/-/-/0\n",
                            error),
                     0);
    images.context = &none;
    assert_int_equal(stacks(&images, true, NULL, error), -ENOENT);
    HAS(error, "module an ex;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_53_96_instructions_of_a_run),
        cmocka_unit_test(ep_96_the_module_without_code_is_named),
        cmocka_unit_test(ep_96_callgrind),
        cmocka_unit_test(ep_69_96_inclusive_costs),
        cmocka_unit_test(ep_69_96_circles_are_contracted),
        cmocka_unit_test(ep_96_callgrind_lines),
        cmocka_unit_test(ep_96_llvm),
        cmocka_unit_test(ep_96_llvm_calls),
        cmocka_unit_test(ep_96_lcov),
        cmocka_unit_test(ep_96_code_that_is_another),
        cmocka_unit_test(ep_96_branch_stacks),
    };
    return cmocka_run_group_tests_name("ep_export", tests, NULL, NULL);
}
