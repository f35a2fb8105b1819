/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The negative tests of the program buffer, N6 to N12. N9 is two runs that are compared from outside. */
#include "tests.h"

#define PAGE         4096ul
#define FILLED       0xc0ffee0ddba11adul
#define PTE_READ     0x200ul
#define PTE_NONE     0x400ul
#define KEY          0x88ul
#define OTHER_KEY    0x98ul
#define BEGIN_NRG(w) ((u32)((w) >> 32) & 0xffffff)
#define BEGIN_S      (1ul << 12) /* bit 51 of the first doubleword */
#define PS           (1ul << 56) /* bit 71 of an instruction record */

static const u64 *group(u64 n) { return (const u64 *)(BUFFER_START + 256 * n); }

/* ---- N6, N7: groups that cannot be stored ------------------------------------------------------------------------ */

static void not_stored(u64 roa, u64 code, const char *words)
{
    struct riccb after;
    test_checks.count = 0;
    test_controls(WORD6 | 3, W7_M1 | W7_F | W7_C | W7_B, roa, PAGE, 1000);
    test_check(!ri_on(), "RION");
    test_check(test_work(5000), "the application is harmed");
    (void)ri_off();
    (void)service(SVC_STRIC, (u64)&after, 0, 0);
    test_check(test_checks.count >= 4, words);
    test_check(test_checks.code == code && test_checks.length_code == 0, words);
    test_check((test_checks.teid & ~0xffful) == roa, "the address that failed");
    test_check(after.rca == roa, "RCA");
}

void test_n6(void)
{
    (void)service(SVC_CHECKS, (u64)&test_checks, 0, 0);
    test_fill(BUFFER_START, PAGE, FILLED);
    (void)service(SVC_PAGE, BUFFER_START, PTE_READ, KEY);
    not_stored(BUFFER_START, 0x04, "page that is read-only");
    (void)service(SVC_PAGE, BUFFER_START, PTE_NONE, KEY);
    not_stored(BUFFER_START, 0x11, "page that is not there");
    (void)service(SVC_PAGE, BUFFER_START, 0, OTHER_KEY);
    not_stored(BUFFER_START, 0x04, "page with another key");
    (void)service(SVC_PAGE, BUFFER_START, 0, KEY);
    test_check(test_filled(BUFFER_START, PAGE, FILLED), "nothing was stored");
}

static u64 sum_of(u64 address, u64 length)
{
    u64 sum = 0;
    for (u64 i = 0; i < length; i += 8)
        sum = (sum << 5 | sum >> 59) + *(volatile u64 *)(address + i);
    return sum;
}

void test_n7(void)
{
    const u64 nucleus = 0x20000; /* its instructions: nobody changes them */
    const u64 before = sum_of(nucleus, PAGE);
    (void)service(SVC_CHECKS, (u64)&test_checks, 0, 0);
    not_stored(nucleus, 0x04, "storage of the nucleus: its key decides");
    test_check(sum_of(nucleus, PAGE) == before, "the nucleus is as it was");
    not_stored(0xf00000, 0x10, "no such segment: DAT decides");
}

/* ---- N8: two spaces ---------------------------------------------------------------------------------------------- */

void test_n8(void)
{
    const u64 mine = vm.second ? 0xbbul << 56 : 0xaaul << 56;
    const u64 callee = CODE_START + (vm.second ? 0x80000 : 0x1000);
    const u64 switches = service(SVC_SWITCHES, 0, 0, 0);
    u64 values = 0, calls = 0, groups = 0;
    (void)service(SVC_CODE, 0, 0, 0);
    *(u16 *)callee = 0x07fe; /* BR 14 */
    test_controls(WORD6 | 3, W7_M1 | W7_F | W7_C | W7_E, BUFFER_START, BUFFER_SIZE, 40009);
    test_check(!ri_on(), "RION");
    for (u64 i = 0; i < 900000; i++) {
        register u64 entry asm("1") = callee;
        emit(mine | i);
        asm volatile("basr 14,%0" : : "a"(entry) : "14");
    }
    (void)ri_off();
    test_check(service(SVC_SWITCHES, 0, 0, 0) - switches >= 2, "the spaces took turns");
    groups = BEGIN_NRG(group(0)[0]);
    test_check(groups > 50, "groups");
    for (u64 g = 0; g < groups; g++)
        for (u32 r = 1; r < 15; r++) {
            const u64 *e = group(g) + 2 * r;
            if (e[0] >> 56 == 0x10) {
                values++;
                test_check(e[1] >> 56 == mine >> 56, "a value of the other space");
            } else if (e[0] >> 56 == 0x12) {
                calls++;
                test_check((e[1] & ~0ul >> 1) == callee, "an address of the other space");
            }
        }
    test_check(values > groups && calls > groups, "records");
    /* The other's storage is at no address of this space: its buffer was as long as this one's, and nothing of it is
       in any page. */
    for (u64 a = 0x100000; a < 0xe00000; a += 8)
        if (*(volatile u64 *)a >> 56 == (mine >> 56 ^ 0x11) && (*(volatile u64 *)a & 0xfffffffffffffful) - 1 < 900000) {
            test_check(0, "a value of the other space in a page of this one");
            return;
        }
}

/* ---- N10: states ------------------------------------------------------------------------------------------------- */

/* Values collected, when four are emitted in the problem state and sixteen in the supervisor state. */
static u64 collected(u32 word6)
{
    static u64 values[16], records[64];
    u64 none = 0, length = sizeof records;
    test_controls(word6 | 4, W7_M2 | W7_N | W7_E, BUFFER_START, PAGE, 1);
    (void)ri_on();
    for (u32 i = 0; i < 4; i++)
        emit(i);
    (void)test_call(16, &none, (u64)values, 0);
    (void)test_call(1, &length, REAL(0, (u64)records), 0);
    (void)ri_off();
    return length / 16;
}

/* Groups by the state of their sample instructions. */
static void sampled(u32 word6, u64 counts[2])
{
    static u64 values[16];
    u64 none = 0;
    test_controls(word6 | 3, W7_M1 | W7_F | W7_E, BUFFER_START, BUFFER_SIZE, 7);
    (void)ri_on();
    for (u32 i = 0; i < 10; i++) {
        (void)test_call(16, &none, (u64)values, 0);
        (void)test_work(10);
    }
    (void)ri_off();
    struct riccb after;
    (void)service(SVC_STRIC, (u64)&after, 0, 0);
    counts[0] = counts[1] = 0;
    for (u64 g = 0; g < (after.rca - after.roa) / 256; g++)
        counts[(group(g)[31] & PS) != 0]++;
}

void test_n10(void)
{
    const u32 base = W6_V | W6_S | W6_K | W6_KEY;
    u64 counts[2];
    test_check(collected(base | W6_PC | W6_QC) == 20, "both states collect");
    test_check(collected(base | W6_PC) == 4, "Qc zero: the problem state alone collects");
    test_check(collected(base | W6_QC) == 16, "Pc zero: the supervisor state alone collects");
    test_check(collected(base) == 0, "both zero");
    sampled(base | W6_PS | W6_QS, counts);
    test_check(counts[0] && counts[1], "both states are sampled");
    sampled(base | W6_PS, counts);
    test_check(!counts[0] && counts[1], "Qs zero: the problem state alone is sampled");
    sampled(base | W6_QS, counts);
    test_check(counts[0] && !counts[1], "Ps zero: the supervisor state alone is sampled");
    sampled(base, counts);
    test_check(!counts[0] && !counts[1], "both zero: no group");
}

/* ---- N11: the end of the buffer -----------------------------------------------------------------------------------
 */

static struct riccb fill(u32 groups, u64 length, u32 word6)
{
    struct riccb after;
    test_fill(BUFFER_START, 4 * PAGE, FILLED);
    test_checks.alerts = test_checks.parameter = 0;
    test_controls(word6 | 3, W7_M2 | W7_N | W7_E, BUFFER_START, length, 1);
    (void)ri_on();
    for (u32 i = 0; i < groups; i++)
        sample_next();
    (void)ri_off();
    (void)service(SVC_STRIC, (u64)&after, 0, 0);
    return after;
}

void test_n11(void)
{
    (void)service(SVC_CHECKS, (u64)&test_checks, 0, 0);
    struct riccb after = fill(16, PAGE, WORD6 | W6_U);
    test_check(BEGIN_NRG(group(0)[0]) == 16 && group(0)[0] & BEGIN_S, "exactly full: NRG and the stop flag");
    test_check(after.rca == BUFFER_START + PAGE, "exactly full: RCA");
    test_check(test_checks.alerts == 1 && test_checks.parameter == 0x10, "exactly full: the alert");
    test_check(test_filled(BUFFER_START + PAGE, PAGE, FILLED), "exactly full: nothing beyond");
    after = fill(20, PAGE, WORD6);
    test_check(BEGIN_NRG(group(0)[0]) == 16 && after.word6 & 0x10000 && !test_checks.alerts,
               "more samples than room: L");
    test_check(test_filled(BUFFER_START + PAGE, PAGE, FILLED), "more samples than room: nothing beyond");
    after = fill(15, PAGE, WORD6 | W6_U);
    test_check(BEGIN_NRG(group(0)[0]) == 15 && !(group(0)[0] & BEGIN_S), "one group short: NRG and the stop flag");
    test_check(!(after.word6 & 0x10000) && !test_checks.alerts, "one group short: no alert");
    test_check(test_filled(BUFFER_START + PAGE - 256, 256, FILLED), "one group short: its place");
    after = fill(40, 0x1234, WORD6);
    test_check(after.rla == BUFFER_START + 2 * PAGE - 1, "an end inside a page is that of the page");
    test_check(BEGIN_NRG(group(0)[0]) == 32 && group(0)[0] & BEGIN_S, "an end inside a page: NRG and the stop flag");
    test_check(test_filled(BUFFER_START + 2 * PAGE, PAGE, FILLED), "an end inside a page: nothing beyond");
    after.rca = after.roa; /* from the beginning */
    test_check(!mric(&after) && !ri_on(), "MRIC");
    sample_next();
    (void)ri_off();
    test_check(BEGIN_NRG(group(0)[0]) == 1, "sampling goes on when RCA is at the origin again");
}

/* ---- N12: code that is gone ---------------------------------------------------------------------------------------
 */

void test_n12(void)
{
    s64 *frame = (s64 *)STACK_START;
    prepare_shapes();
    const u32 old = method_numbered("Grid.sum"), young = method_numbered("Mix.early");
    vm.mode = T1_RI;
    vm.sf = vm.next_sf = 2003;
    vm.transfers = vm.calls = 1;
    (void)method_compile((u16)old, T1, WHY_START, 0);
    test_check(!sampling_start(), "sampling");
    frame[0] = 1;
    (void)call_code(vm.entry[old], frame, &vm);
    const u64 start = vm.version[vm.method[old].version].start;
    version_discard(&vm.version[vm.method[old].version]);
    (void)method_compile((u16)young, T1, WHY_START, 0);
    test_check(vm.version[vm.method[young].version].start == start, "the place is used again");
    reading_last();
    test_check(vm.groups > 10, "groups");
    test_check(vm.stale >= vm.groups, "stale records are counted");
    test_check(!vm.method[young].self && !vm.backedges[young + 1], "nothing is the new method's");
}

/* ---- reading while groups are stored ------------------------------------------------------------------------------
 */

void test_live(void)
{
    u32 seen = 0;
    u64 rounds = 0;
    *(volatile u64 *)BUFFER_START = 0;
    test_controls(WORD6 | 3, W7_M1 | W7_F | W7_C | W7_B | W7_E, BUFFER_START, BUFFER_SIZE, 101);
    test_check(!ri_on(), "RION");
    while (seen < 200 && rounds++ < 1000000) {
        const u32 now = BEGIN_NRG(*(volatile const u64 *)BUFFER_START);
        emit(rounds);
        for (; seen < now; seen++) { /* each is whole as soon as it is counted */
            const volatile u64 *g = group(seen);
            test_check(g[0] >> 56 == (seen ? 0x03 : 0x02), "a header");
            test_check(g[30] >> 56 == 0x04 && g[31], "an instruction record");
        }
    }
    (void)ri_off();
    test_check(seen >= 200, "groups are counted while RI is on");
}
