/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message-security assist: what may interrupt it must not show. Random functions on random parameter blocks and
   operands are carried out to the end twice: on the reference engine with all pages there, and on the block engine with
   pages missing that come back one by one when they are asked for, as an operating system does it. The ends must be the
   same, and every exception must leave the instruction to be carried out again. The results as such are judged by
   tests/script/generated/crypto-*.zt. TEST_CRYPTO=N carries out N random ones. */
#include "config.h"

#include "cpu_harness.h"
#include "emu/machine/machine.h"
#include "random.h"
#include <stdlib.h>

enum { CODE = 0x10000, BLOCK = 0x20000, FIRST = 0x40000, SECOND = 0x60000, THIRD = 0x80000, AREA = 0x20000 };
#define DATA_END (THIRD + AREA)

/* Registers: 2 and 3 the first operand, 4 and 5 the second, 6 and 7 the third. */
struct trial {
    uint8_t insn[4];
    uint64_t gr[16];
    uint8_t block[4096];
    unsigned block_at; /* in its page */
    unsigned amode;
};

static const struct {
    uint8_t insn[4];
    uint8_t unit; /* a multiple of this is a good length of the second operand; 0: it has none */
    uint8_t codes[24];
} kinds[] = {
    {{0xb9, 0x2e, 0, 0x24}, 16, {1, 2, 3, 18, 19, 20, 50, 52, 9, 26, 58, 60, 0, 4}},
    {{0xb9, 0x2f, 0, 0x24}, 16, {1, 2, 3, 18, 19, 20, 67, 10, 27, 0, 21}},
    {{0xb9, 0x2a, 0, 0x24}, 48, {1, 2, 3, 18, 19, 20, 11, 28, 0}},
    {{0xb9, 0x2b, 0, 0x24}, 16, {1, 2, 3, 18, 19, 20, 0}},
    {{0xb9, 0x2d, 0x60, 0x24}, 16, {1, 2, 3, 18, 19, 20, 0}},
    {{0xb9, 0x1e, 0, 0x24}, 16, {1, 2, 3, 18, 19, 20, 0}},
    {{0xb9, 0x3e, 0, 0x24}, 128, {1, 2, 3, 65, 0}},
    {{0xb9, 0x3e, 0, 0x24}, 72, {35, 0}},
    {{0xb9, 0x3e, 0, 0x24}, 136, {33, 37, 0, 32}},
    {{0xb9, 0x3f, 0, 0x24}, 1, {1, 2, 3, 32, 33, 34, 35, 36, 37, 36, 37, 0}},
    {{0xb9, 0x29, 0x60, 0x24}, 1, {18, 19, 20, 26, 0}},
    {{0xb9, 0x3c, 0, 0x24}, 1, {3, 3, 3, 112, 0}},
    {{0xb9, 0x2c, 0, 0}, 0, {1, 2, 3, 18, 19, 20, 50, 52, 58, 64, 65, 66, 72, 73, 80, 81, 0}},
    {{0xb9, 0x28, 0, 0}, 0, {1, 2, 3, 18, 19, 20, 32, 33, 34, 40, 41, 0}},
    {{0xb9, 0x3a, 0, 0x04}, 1, {1, 2, 3, 9, 10, 11, 17, 32, 36, 40, 44, 40, 44, 48, 0}},
};

/* An address in an area, near the end of a page more often than not. */
static uint64_t address(struct random *r, uint64_t area)
{
    return area + 0x1000 * below(r, 4) + (below(r, 2) ? below(r, 0x1000) : 0xf80 + below(r, 0x80));
}

static uint64_t length(struct random *r, unsigned unit)
{
    unsigned n = below(r, 4) ? below(r, 0x400) : below(r, 0x3000);
    if (below(r, 100) == 0)
        n = 0x10000 + below(r, 0x8000);
    return below(r, 16) ? n - n % unit : n;
}

static void make(struct random *r, struct trial *t)
{
    const unsigned kind = below(r, sizeof kinds / sizeof *kinds), unit = kinds[kind].unit;
    unsigned codes = 0;
    while (codes < sizeof kinds[kind].codes && kinds[kind].codes[codes])
        codes++;
    memset(t, 0, sizeof *t);
    memcpy(t->insn, kinds[kind].insn, 4);
    for (unsigned n = 0; n < sizeof t->block; n += 8)
        put64(t->block + n, below(r, 16) ? next(r) : 0);
    t->block[0] = (uint8_t)(below(r, 4) ? t->block[0] & 0x7f : t->block[0]); /* lengths in bits, among others */
    if (below(r, 2)) /* wrapped keys: the patterns of a machine without random numbers */
        memset(t->block + 8 * below(r, 12), 0, 32);
    t->gr[0] = kinds[kind].codes[below(r, codes + 1)] | (next(r) & 0xff000300) | (below(r, 3) ? 0 : 0x80);
    t->gr[0] |= (uint64_t)(below(r, 16) + 1) << 24; /* a length of cipher feedback */
    t->gr[0] &= ~UINT64_C(0xffffffffe0000000);
    t->block_at = below(r, 2) ? below(r, 0x1000) : 0xf00 + below(r, 0x100);
    t->gr[1] = BLOCK + t->block_at;
    t->gr[2] = address(r, FIRST);
    t->gr[3] = below(r, 2) ? below(r, 300) : below(r, 0x2000);
    t->gr[4] = address(r, SECOND);
    t->gr[5] = unit ? length(r, unit) : 0;
    t->gr[6] = address(r, THIRD);
    t->gr[7] = below(r, 0x80) * (below(r, 2) ? 16 : 1);
    t->amode = below(r, 3);
    if (t->insn[1] == 0x3c && t->gr[0] & 0x80)
        t->gr[5] %= 600;
}

/* The machine of a trial: pages of the data mapped to themselves; `missing` says which are invalid at first. */
static struct rig *start(const struct trial *t, uint64_t seed)
{
    static const uint64_t modes[] = {PSW_64, PSW_BA, 0};
    struct rig *g = rig_new();
    struct random r = {seed | 1};
    for (uint64_t at = 0; at < 0x100000; at += 0x1000)
        map(g, at, at, 0);
    for (uint64_t at = FIRST; at < DATA_END; at += 8)
        put64(g->at + at, next(&r));
    memcpy(g->at + BLOCK + t->block_at, t->block, sizeof t->block);
    memcpy(g->at + CODE, t->insn, 4);
    put32(g->at + CODE + 4, 0xa714fffe); /* again, when not finished */
    put64(g->at + 464, 0x0002000180000000);
    put64(g->at + 472, 0xdead);
    memcpy(g->cpu->gr, t->gr, sizeof t->gr);
    g->cpu->cr[1] = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    psw(g, modes[t->amode] | PSW_DAT, CODE);
    return g;
}

/* Runs to the end; a page that is missing is made present. Returns the number of exceptions. The end is an exception
   other than a page-translation exception, or the address behind the branch. */
static unsigned run(struct rig *g, uint8_t engine, uint64_t *end)
{
    unsigned faults = 0;
    g->cpu->engine_kind = engine;
    for (unsigned n = 0; n < 100000; n++) {
        uint64_t done;
        if (g->cpu->psw.ia == CODE + 8) {
            *end = CODE + 8;
            return faults;
        }
        (void)engine_run(g->cpu, 1, &done);
        if (g->cpu->psw.ia != 0xdead)
            continue;
        const unsigned code = page_comes(g, CODE, BLOCK, DATA_END);
        *end = code;
        if (code)
            return faults;
        faults++;
        assert_true(faults < 1000);
    }
    fail_msg("no end");
    return 0;
}

static uint64_t missing_pages(struct rig *g, struct random *r)
{
    uint64_t count = 0;
    for (uint64_t page = BLOCK; page < DATA_END; page += 0x1000)
        if (below(r, 3)) {
            set_dword(g, entry_of(page), page | 0x400);
            count++;
        }
    return count;
}

static uint64_t one(uint64_t seed, unsigned *ends)
{
    struct random r = seeded(seed);
    static struct trial t;
    uint64_t end_a, end_b;
    make(&r, &t);
    struct rig *a = start(&t, seed), *b = start(&t, seed);
    missing_pages(b, &r);
    (void)run(a, ENGINE_REFERENCE, &end_a);
    const unsigned faults = run(b, ENGINE_BLOCK, &end_b);
    bool same = end_a == end_b && a->cpu->cc == b->cpu->cc && !memcmp(a->cpu->gr, b->cpu->gr, sizeof a->cpu->gr) &&
                !memcmp(a->at + BLOCK, b->at + BLOCK, DATA_END - BLOCK);
    if (!same) {
        for (unsigned n = 0; n < 8; n++)
            print_message("GR %u: %016llx -> %016llx, %016llx\n", n, (unsigned long long)t.gr[n],
                          (unsigned long long)a->cpu->gr[n], (unsigned long long)b->cpu->gr[n]);
        for (uint64_t at = BLOCK, shown = 0; at < DATA_END && shown < 3; at++)
            if (a->at[at] != b->at[at] && ++shown)
                print_message("storage differs at %llx\n", (unsigned long long)at);
        fail_msg("seed %llu, instruction %08x: ends %llx and %llx, condition codes %u and %u, %u pages missing",
                 (unsigned long long)seed, get32(t.insn), (unsigned long long)end_a, (unsigned long long)end_b,
                 a->cpu->cc, b->cpu->cc, faults);
    }
    ends[end_a == CODE + 8 ? a->cpu->cc : 4]++;
    rig_end(a);
    rig_end(b);
    return faults;
}

static void interrupted(void **state)
{
    (void)state;
    if (!HAVE_NETTLE)
        skip();
    const uint64_t count = trials_of("TEST_CRYPTO", 600), first = trials_of("TEST_CRYPTO_FROM", 1);
    uint64_t faults = 0;
    unsigned ends[5] = {0};
    for (uint64_t seed = first; seed < first + count; seed++)
        faults += one(seed, ends);
    print_message("condition codes 0 to 2: %u, %u, %u; exceptions %u; pages that were missing %llu\n", ends[0], ends[1],
                  ends[2], ends[4], (unsigned long long)faults);
    if (count >= 600) /* most do something, none ends unfinished */
        assert_true(ends[0] > count / 3 && ends[1] && ends[2] && ends[3] == 0 && ends[4] && faults > count / 2);
}

/* Each machine has wrapping keys from the start, a clear reset makes others; with the virtual clock they repeat. */
static void wrapping_keys(void **state)
{
    (void)state;
    struct machine_config config = machine_default_config();
    struct cpu_wrapping first;
    char why[200];
    config.storage = MIB;
    struct machine *a = machine_create(&config, NULL, why, sizeof why);
    struct machine *b = machine_create(&config, NULL, why, sizeof why);
    assert_non_null(a);
    assert_non_null(b);
    first = a->sys.wrapping;
    assert_memory_equal(&first, &b->sys.wrapping, sizeof first);
    assert_memory_not_equal(first.aes_key, first.aes_pattern, sizeof first.aes_key);
    machine_clear(a);
    assert_memory_not_equal(&first.aes_key, &a->sys.wrapping.aes_key, sizeof first.aes_key);
    assert_memory_not_equal(&first.dea_key, &a->sys.wrapping.dea_key, sizeof first.dea_key);
    machine_clear(b);
    assert_memory_equal(&a->sys.wrapping, &b->sys.wrapping, sizeof first);
    machine_destroy(a);
    config.host_clock = true;
    a = machine_create(&config, NULL, why, sizeof why);
    assert_non_null(a);
    assert_memory_not_equal(&first.aes_key, &a->sys.wrapping.aes_key, sizeof first.aes_key);
    machine_destroy(a);
    machine_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(interrupted), cmocka_unit_test(wrapping_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
