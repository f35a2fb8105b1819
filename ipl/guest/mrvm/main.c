/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The managed run-time: what it is asked to run, and the run. */
#include "build.h"
#include "code.h"

struct vm vm;

void build_fail(const char *method, const char *word)
{
    line_begin("mrvm: the program is wrong: ");
    line_text(method);
    line_text(": ");
    for (u32 i = 0; i < 20 && word[i]; i++)
        line_text((const char[2]){word[i], 0});
    line_end();
    for (;;)
        (void)service(SVC_EXIT, 2, 0, 0);
}

static u32 usage(void)
{
    line_begin("usage: mode=");
    for (u32 i = 0; i <= EXACT; i++) {
        line_text(i ? "|" : "");
        line_text(mode_name(i));
    }
    line_text(" prog=");
    for (u32 i = 0; i < PROGS; i++) {
        line_text(i ? "|" : "");
        line_text(prog_name(i));
    }
    line_text(" [iters=1-200] [seed=N] [sf=N] [pb=ADDRESS] [m=0-2] [directed=1]");
    line_text(platform_words);
    line_end();
    return 1;
}

/* ---- what is asked ---------------------------------------------------------------------------------------------- */

static u32 word_is(const char *p, const char *word)
{
    while (*word && *p == *word)
        p++, word++;
    return !*word && (!*p || *p == ' ');
}

u64 value_of(const char *p)
{
    u64 value = 0;
    const u64 base = p[0] == '0' && p[1] == 'x' ? 16 : 10;
    for (p += base == 16 ? 2 : 0; *p && *p != ' '; p++) {
        const u32 digit = *p >= 'a' ? (u32)(*p - 'a' + 10) : (u32)(*p - '0');
        if (digit >= base)
            return ~0ul;
        value = value * base + digit;
    }
    return value;
}

const char *after(const char *p, const char *key)
{
    while (*key && *p == *key)
        p++, key++;
    return *key ? NULL : p;
}

static u32 named(const char *p, const char *(*name)(u32), u32 count)
{
    for (u32 i = 0; i < count; i++)
        if (word_is(p, name(i)))
            return i;
    return count;
}

static struct {
    u32 task, bad;
} asked;

static void one_word(const char *p)
{
    const char *v;
    if ((v = after(p, "mode="))) {
        vm.mode = (u8)named(v, mode_name, EXACT + 1);
        asked.bad |= vm.mode == EXACT + 1;
    } else if ((v = after(p, "prog="))) {
        vm.prog = (u8)named(v, prog_name, PROGS);
        asked.bad |= vm.prog == PROGS;
    } else if ((v = after(p, "iters="))) {
        vm.iterations = (u16)value_of(v);
        asked.bad |= !vm.iterations || value_of(v) > ITERATIONS;
    } else if ((v = after(p, "seed=")))
        vm.seed = value_of(v);
    else if ((v = after(p, "sf="))) {
        vm.next_sf = (u32)value_of(v);
        asked.bad |= vm.next_sf < 100 || value_of(v) > 100000000;
    } else if ((v = after(p, "pb=")))
        vm.buffer = value_of(v);
    else if ((v = after(p, "m=")))
        vm.ri_mode = (u8)(value_of(v) > 15 ? 15 : value_of(v));
    else if ((v = after(p, "directed=")))
        vm.directed_only = value_of(v) == 1;
    else {
        const u32 known = platform_word(p);
        asked.bad |= !known;
        asked.task |= known == 2;
    }
}

static u32 understand(const char *text)
{
    vm.mode = MODES;
    vm.prog = PROGS;
    vm.next_sf = 20011;
    vm.buffer = BUFFER_START;
    vm.ri_mode = 1;
    vm.seed = 1;
    for (; *text; text++) {
        if (*text == ' ')
            continue;
        one_word(text);
        while (text[1] && text[1] != ' ')
            text++;
    }
    if (!vm.iterations)
        vm.iterations = vm.prog == TINY ? 5 : ITERATIONS;
    if (asked.task)
        return !asked.bad;
    return !asked.bad && vm.mode < MODES && vm.prog < PROGS;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static s64 run_method(u32 number, s64 *frame)
{
    return vm.method[number].tier == T0 ? interpret(number, frame) : call_code(vm.entry[number], frame, &vm);
}

static void run_all(u32 measured)
{
    s64 *frame = (s64 *)STACK_START;
    vm.heap = HEAP_START;
    vm.checksum = vm.seed;
    frame[0] = 0;
    const s64 world = run_method(method_named("World.new", 9), frame);
    u64 before = instructions();
    if (measured)
        vm.start_cost = before - vm.start;
    for (u32 it = 0; it < vm.iterations; it++) {
        vm.iteration = (u16)it;
        frame[0] = world;
        frame[1] = it;
        (void)run_method(main_method, frame);
        versions_collect();
        const u64 now = instructions();
        vm.ipi[it] = now - before;
        before = now;
    }
}

static void compile_all(enum tier tier)
{
    for (u32 i = 0; i < vm.methods; i++) {
        vm.method[i].counter = 2000;
        if (!method_compile((u16)i, tier, WHY_START, 0) && tier == T2)
            (void)method_compile((u16)i, T1, WHY_START, 0);
    }
    vm.transfers = vm.calls = 1;
}

static void prepare(void)
{
    static const u64 helpers[] = {(u64)glue_interpret, (u64)glue_poll, (u64)glue_trigger,
                                  (u64)glue_receiver,  (u64)glue_new,  (u64)glue_newarr};
    for (u32 i = 0; i < sizeof helpers / sizeof *helpers; i++)
        vm.helper[i] = helpers[i];
    vm.versions = 1;
    vm.limit = GROUP_LIMIT_T0;
    (void)service(SVC_CODE, 0, 0, 0);
    program_build();
    for (u32 i = 0; i < vm.methods; i++) {
        vm.method[i].counter = 50;
        method_interpreted((u16)i);
    }
    if (vm.mode == ORACLE) { /* the earlier run */
        vm.exact = 1;
        run_all(0);
        vm.exact = 0;
    }
    vm.exact = vm.mode == EXACT;
    vm.profile_code = vm.mode == COUNTER || vm.mode == COUNTER_G || vm.mode == T1_COUNTER;
    vm.random = vm.seed;
    vm.sf = vm.next_sf;
}

u32 method_numbered(const char *name)
{
    u32 length = 0;
    while (name[length])
        length++;
    return method_named(name, length);
}

void prepare_shapes(void)
{
    vm.mode = NONE_I;
    vm.prog = SHAPES;
    prepare();
}

static void begin(void)
{
    vm.start = instructions();
    switch (vm.mode) {
    case ORACLE:
        compile_all(T2);
        break;
    case NONE_B:
    case T1_PLAIN:
    case T1_COUNTER:
    case T1_RI:
    case T1_DIRECT:
        compile_all(T1);
        break;
    default:
        break;
    }
    vm.events = vm.mode == ORACLE || vm.mode == NONE_B || vm.mode >= T1_PLAIN ? 0 : vm.events;
    if (vm.mode == RI || vm.mode == T1_RI || vm.mode == T1_DIRECT)
        vm.ri_off = sampling_start();
}

u32 run_time(char *text, u64 flags)
{
    u64 registers[16];
    u32 code;
    vm.counters = (flags & BOOT_COUNTERS) != 0;
    vm.has_ri = (flags & BOOT_RI) != 0;
    vm.second = (flags & BOOT_SPACE_B) != 0;
    if (!understand(text))
        return usage();
    if (platform_task(&code))
        return code == 99 ? usage() : code;
    prepare();
    platform_prepared();
    const u64 services = service(SVC_COUNTED, 0, 0, 0);
    begin();
    const u64 permits = vm.sampling;
    platform_begins(text);
    run_all(1);
    asm volatile("stmg 0,15,%0" : "=S"(registers));
    reading_last();
    const u64 total = instructions() - vm.start;
    const u64 during = service(SVC_COUNTED, 0, 0, 0) - services - permits;
    platform_ends(registers);
    report_end(total, during);
    return 0;
}
