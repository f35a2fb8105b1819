/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The negative tests of the collection buffer (section 4 of the specification), N1 to N5, and what they all share. */
#include "tests.h"

#define CANARIES 16u
#define MASK     0x5bd1e9955bd1e995ul
#define PAGES    0xe00000ul /* every page of the space is below */

struct checks test_checks;
static u32 failures;
static const char *test_name;

void test_check(u32 right, const char *words)
{
    if (right)
        return;
    failures++;
    line_begin(test_name);
    line_text(" FAIL ");
    line_text(words);
    line_end();
}

void test_controls(u32 word6, u32 word7, u64 roa, u64 length, u64 sf)
{
    const struct riccb block = {
        .rca = roa, .roa = roa, .rla = roa + length - 1, .word6 = word6, .word7 = word7, .sf = sf, .rsic = sf};
    test_check(!service(SVC_LRIC, (u64)&block, 0, 0), "LRIC by the nucleus");
}

u32 test_call(u64 subcode, u64 *operand, u64 third, u64 mask)
{
    u64 answer[3] = {*operand, 0, mask};
    register u64 r2 asm("2") = subcode;
    register u64 r3 asm("3") = *operand;
    register u64 r9 asm("9") = (u64)answer;
    register u64 r5 asm("5") = third;
    asm volatile(".insn s,0xb2180000,0(0)" : : "d"(r2), "d"(r3), "d"(r9), "d"(r5) : "0", "1", "cc", "memory");
    *operand = answer[0];
    return (u32)answer[1];
}

u32 test_work(u32 rounds)
{
    u64 sum = 0;
    for (u32 i = 1; i <= rounds; i++) {
        sum += i;
        asm volatile("" : "+r"(sum));
    }
    return sum == (u64)rounds * (rounds + 1) / 2;
}

void test_fill(u64 address, u64 length, u64 word)
{
    for (u64 i = 0; i < length; i += 8)
        *(volatile u64 *)(address + i) = word;
}

u32 test_filled(u64 address, u64 length, u64 word)
{
    for (u64 i = 0; i < length; i += 8)
        if (*(volatile u64 *)(address + i) != word)
            return 0;
    return 1;
}

/* ---- N1: what is collected is in no page of the space ----------------------------------------------------------- */

static u64 masked[CANARIES];

static void make_canaries(u64 seed)
{
    for (u32 i = 0; i < CANARIES; i++) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        masked[i] = seed ^ seed >> 29;
    }
}

/* Emitted out of a register; no compiler puts the plain value anywhere. */
static void emit_canaries(void)
{
    static const u64 mask = MASK;
    for (u32 i = 0; i < CANARIES; i++)
        asm volatile("lg 1,%0\n\txg 1,%1\n\t.insn ri,0xaa040000,1,0\n\tlghi 1,0"
                     :
                     : "T"(masked[i]), "T"(mask)
                     : "1", "cc");
}

/* Places of the space that have one of the values; *outside: of these, not in the program buffer. */
static u32 search(u32 *outside)
{
    static u8 low[256];
    u32 found = 0;
    memset(low, 0, sizeof low);
    for (u32 i = 0; i < CANARIES; i++)
        low[masked[i] & 255] = 1;
    *outside = 0;
    for (u64 a = 0; a < PAGES; a += 8) {
        const u64 word = *(volatile u64 *)a ^ MASK;
        if (!low[word & 255])
            continue;
        for (u32 i = 0; i < CANARIES; i++)
            if (word == masked[i]) {
                found++;
                *outside += a < BUFFER_START || a >= BUFFER_START + 4096;
            }
    }
    return found;
}

static void test_n1(void)
{
    u32 outside;
    (void)service(SVC_CODE, 0, 0, 0);
    make_canaries(tod());
    test_controls(WORD6 | 4, W7_M2 | W7_N | W7_E, BUFFER_START, 4096, 1);
    test_check(!ri_on(), "RION");
    emit_canaries();
    test_check(!search(&outside), "a value is in storage before the sample point");
    sample_next();
    (void)ri_off();
    test_check(search(&outside) == CANARIES, "the group has all values");
    test_check(!outside, "a value is outside the program buffer");
}

/* ---- N2: the supervisor sees it --------------------------------------------------------------------------------- */

static u64 records[2][64];

static void expect_canaries(const u64 *r, u64 length, const char *words)
{
    u32 right = length >= 16 * CANARIES;
    for (u32 i = 0; right && i < CANARIES; i++) {
        const u64 *e = r + length / 8 - 2 * CANARIES + 2 * i;
        right = e[0] >> 56 == 0x10 && (e[1] ^ MASK) == masked[i];
    }
    test_check(right, words);
}

static void read_twice(const char *words)
{
    u64 length[2] = {sizeof records[0], sizeof records[0]};
    for (u32 i = 0; i < 2; i++)
        test_check(!test_call(1, &length[i], REAL(0, (u64)records[i]), 0), "condition code of subcode 1");
    expect_canaries(records[0], length[0], words);
    u32 same = length[0] == length[1];
    for (u32 i = 0; i < length[0] / 8 && i < 64; i++)
        same &= records[0][i] == records[1][i];
    test_check(same, "the buffer is as it was when it was read");
}

static void test_n2(void)
{
    u64 none = 0;
    make_canaries(tod());
    test_controls(WORD6 | W6_QC | W6_QS | 4, W7_M2 | W7_N | W7_E, BUFFER_START, 4096, 1);
    test_check(!ri_on(), "RION");
    (void)test_call(16, &none, (u64)masked, MASK);
    read_twice("values emitted in the supervisor state");
    make_canaries(tod());
    emit_canaries();
    read_twice("values emitted in the problem state");
    (void)ri_off();
}

/* ---- N3 to N5: what the problem state may not ------------------------------------------------------------------- */

static void test_n3(void)
{
    static u64 target[64];
    test_controls(WORD6 | 4, W7_M2 | W7_N | W7_E, BUFFER_START, 4096, 1);
    (void)service(SVC_CHECKS, (u64)&test_checks, 0, 0);
    test_fill((u64)target, sizeof target, 0x1234);
    for (u64 sub = 0; sub < 5; sub++) {
        register u64 r2 asm("2") = sub;
        register u64 r3 asm("3") = sizeof target;
        register u64 r4 asm("4") = REAL(0, (u64)target);
        test_checks.count = 0;
        asm volatile("diag 2,4,0xe20" : "+d"(r2), "+d"(r3), "+d"(r4) : : "cc", "memory");
        const u64 two = r2, three = r3, four = r4;
        test_check(test_checks.count == 1 && test_checks.code == 2, "privileged operation");
        test_check(two == sub && three == sizeof target && four == REAL(0, (u64)target), "registers");
    }
    test_check(test_filled((u64)target, sizeof target, 0x1234), "storage");
}

static void test_n4(void)
{
    const struct riccb block = {.rla = 0xfff, .word6 = WORD6};
    (void)service(SVC_CHECKS, (u64)&test_checks, 0, 0);
    asm volatile(".insn rsy,0xeb0000000060,0,0,%0" : : "S"(block) : "memory");
    test_check(test_checks.count == 1 && test_checks.code == 2, "LRIC is privileged");
}

static void test_n5(void)
{
    struct riccb before, after, block = {.roa = 0x700000, .rca = 0x700000, .rla = 0x700fff, .word7 = W7_M1, .sf = 77};
    test_controls(WORD6 & ~W6_S, W7_M2, BUFFER_START, 4096, 1);
    (void)service(SVC_STRIC, (u64)&before, 0, 0);
    test_check(mric(&block) == 2, "MRIC with S zero: condition code 2");
    (void)service(SVC_STRIC, (u64)&after, 0, 0);
    for (u32 i = 0; i < 8; i++)
        test_check(((u64 *)&before)[i] == ((u64 *)&after)[i], "MRIC with S zero: controls");
    test_controls(WORD6 & ~W6_K, W7_M2, BUFFER_START, 4096, 1);
    test_check(mric(&block) == 0, "MRIC with K zero");
    (void)service(SVC_STRIC, (u64)&after, 0, 0);
    test_check(after.roa == BUFFER_START && after.rla == BUFFER_START + 4095 && after.rca == BUFFER_START,
               "MRIC with K zero: the buffer stays");
    test_check(after.sf == 77 && after.word7 == W7_M1, "MRIC with K zero: the rest is loaded");
}

/* ---- which ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {{"n1", test_n1},   {"n2", test_n2},   {"n3", test_n3},   {"n4", test_n4},
             {"n5", test_n5},   {"n6", test_n6},   {"n7", test_n7},   {"n8-twin", test_n8},
             {"n10", test_n10}, {"n11", test_n11}, {"n12", test_n12}, {"live", test_live}};

u32 tests_run(const char *which)
{
    for (u32 i = 0; i < sizeof tests / sizeof *tests; i++) {
        u32 k = 0;
        while (tests[i].name[k] && tests[i].name[k] == which[k])
            k++;
        if (tests[i].name[k] || (which[k] && which[k] != ' '))
            continue;
        test_name = tests[i].name;
        if (vm.has_ri)
            tests[i].run();
        test_check(vm.has_ri, "this machine has no run-time instrumentation");
        line_begin(test_name);
        line_text(failures ? " failed" : " passed");
        line_end();
        return failures != 0;
    }
    return 99;
}
