/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast way gives what the slow way gives: random accesses between random changes of everything that decides them,
   each compared with a translation that uses no TLB. */
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/engine/life.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/tlb.h"
#include "tests/unit/cpu_harness.h"
#include "tests/random.h"

#define STEPS 400000
#define PAGES 8u /* logical pages 0-7, and frames 200-207 (and the prefix areas) */
#define ASCES 3u

struct world {
    struct rig *r;
    struct cpu *second;
    uint64_t random;
};

static uint64_t some(struct world *w, uint64_t below) { return (random_step(&w->random) >> 11) % below; }

static uint64_t segments(unsigned space) { return S_TABLE + 0x10000 * space; }
static uint64_t pages(unsigned space) { return segments(space) + 0x4000; }

static void change_page(struct world *w)
{
    static const uint64_t flags[] = {0, 0, 0, 0x200, 0x400, 0x100};
    static const uint64_t frames[] = {0, 0x1000, 0x300000, 0x301000, FRAME, FRAME + 0x1000, FRAME + 0x2000, 64 * MIB};
    unsigned space = (unsigned)some(w, ASCES), page = (unsigned)some(w, PAGES);
    set_dword(w->r, segments(space), pages(space));
    set_dword(w->r, pages(space) + 8 * page, frames[some(w, 8)] | flags[some(w, 6)]);
    cpu_tlb_purge_all(&w->r->sys);
}

static void change_psw(struct world *w)
{
    uint64_t mask = PSW_64 | some(w, 4) << 46 | some(w, 3) << 52;
    if (some(w, 4))
        mask |= PSW_DAT;
    if (!some(w, 6))
        mask |= PSW_PER;
    psw(w->r, mask, 0x10000);
}

static void change_controls(struct world *w)
{
    static const uint64_t bits[] = {BIT64(35), BIT64(38), BIT64(39), BIT64(40), BIT64(43)};
    struct cpu *cpu = w->r->cpu;
    switch (some(w, 5)) {
    case 0:
        cpu->cr[0] ^= bits[some(w, 5)];
        break;
    case 1:
        cpu->cr[1] = segments((unsigned)some(w, ASCES)) | (some(w, 3) ? 0 : ASCE_PRIVATE);
        break;
    case 2:
        cpu->cr[7] = segments((unsigned)some(w, ASCES));
        break;
    case 3:
        cpu->cr[13] = some(w, 3) ? segments((unsigned)some(w, ASCES)) : ASCE_REAL;
        break;
    default:
        cpu->cr[9] ^= BIT64(34);
        break;
    }
    cpu_mode_changed(cpu);
}

static uint64_t any_frame(struct world *w)
{
    static const uint64_t frames[] = {0, 0x1000, 0x300000, 0x301000, FRAME, FRAME + 0x1000, FRAME + 0x2000};
    return frames[some(w, 7)];
}

static void change(struct world *w)
{
    switch (some(w, 8)) {
    case 0:
        change_page(w);
        break;
    case 1:
    case 2:
        change_psw(w);
        break;
    case 3:
    case 4:
        change_controls(w);
        break;
    case 5: /* as SSKE does */
        set_key(w->r, any_frame(w), (uint8_t)(some(w, 128) << 1));
        cpu_tlb_purge_all(&w->r->sys);
        break;
    case 6:
        storage_code_mark(&w->r->sys, any_frame(w) + some(w, 4096), 1);
        break;
    default:
        assert_true(cpu_set_prefix(w->r->cpu, some(w, 2) ? 0x300000 : 0));
        break;
    }
}

/* What an access should give. */
struct expected {
    int code;
    uint64_t absolute;
};

static struct expected expect(struct world *w, uint64_t address, unsigned ar, unsigned kind)
{
    struct cpu_access a = {.address = address,
                           .space = CPU_SPACE_CURRENT,
                           .ar = (uint8_t)ar,
                           .key = (uint8_t)cpu_key(w->r->cpu),
                           .kind = (uint8_t)kind,
                           .test = true};
    struct expected e = {0, 0};
    e.code = cpu_translate(w->r->cpu, &a, &e.absolute);
    return e;
}

static void access_once(struct world *w)
{
    struct rig *r = w->r;
    struct cpu *cpu = r->cpu;
    uint64_t address = some(w, PAGES) << 12 | some(w, 512) << 3, value = w->random, got, absolute;
    unsigned ar = (unsigned)some(w, 3), kind = 1 + (unsigned)some(w, 4);
    struct expected e = expect(w, address, ar, kind);
    uint8_t *host;
    uint64_t mask = 0;
    int code;
    if (!e.code && (kind & CPU_STORE))
        mask = UINT64_C(1) << (e.absolute >> 6 & 63);
    bool hit = mask && (r->sys.storage.code_lines[e.absolute >> 12] & mask);
    cpu->refetch = false;
    switch (kind) {
    case CPU_FETCH:
        code = cpu_fetch8(cpu, address, ar, &got);
        if (!code)
            assert_int_equal(got, dword(r, e.absolute));
        break;
    case CPU_STORE:
        code = cpu_store8(cpu, address, ar, value);
        if (!code)
            assert_int_equal(dword(r, e.absolute), value);
        break;
    case CPU_UPDATE:
        code = cpu_page(cpu, address, ar, 8, CPU_UPDATE, &host);
        if (!code)
            assert_ptr_equal(host, r->at + e.absolute);
        break;
    default:
        code = cpu_instruction_page(cpu, address, &absolute);
        if (!code)
            assert_int_equal(absolute, e.absolute);
        break;
    }
    assert_int_equal(code, e.code);
    if (code)
        return;
    uint8_t set = kind & CPU_STORE ? KEY_R | KEY_C : KEY_R;
    assert_int_equal(key(r, e.absolute) & set, set);
    assert_int_equal(cpu->refetch, hit);
    if (kind & CPU_STORE)
        assert_false(r->sys.storage.code_lines[e.absolute >> 12] & mask);
}

static void fast_equals_slow(void **state)
{
    (void)state;
    struct world w = {.r = rig_new(), .random = UINT64_C(0x9e3779b97f4a7c15)};
    struct cpu *cpu = w.r->cpu;
    w.second = cpu_create(&w.r->sys, 1);
    assert_non_null(w.second);
    cpu->cr[1] = segments(0);
    cpu->cr[7] = segments(1);
    cpu->cr[13] = segments(2);
    cpu->ar[2] = 1;
    for (unsigned i = 0; i < 40; i++)
        change_page(&w);
    for (unsigned step = 0; step < STEPS; step++) {
        if (!some(&w, 6))
            change(&w);
        access_once(&w);
        /* The other CPU shares storage, keys and code. */
        if (!some(&w, 8)) {
            uint64_t at = any_frame(&w) + 8 * some(&w, 512);
            assert_int_equal(cpu_load_psw(w.second, PSW_64, 0), 0);
            assert_int_equal(cpu_store8(w.second, at, 0, step), 0);
            assert_int_equal(dword(w.r, at), step);
            assert_false(w.r->sys.storage.code_lines[at >> 12] >> (at >> 6 & 63) & 1);
            assert_int_equal(key(w.r, at) & (KEY_R | KEY_C), KEY_R | KEY_C);
        }
    }
    rig_end(w.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_equals_slow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
