/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast way gives what the slow way gives: random accesses between random changes of everything that decides them,
   each compared with a translation that uses no TLB. Tables are changed by whoever likes, and nobody purges. */
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/life/life.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/tables.h"
#include "cpu/storage/tlb.h"
#include "tests/unit/cpu_harness.h"
#include "tests/random.h"

#define STEPS    2000000
#define PAGES    8u /* logical pages 0-7, and frames 200-207 (and the prefix areas) */
#define ASCES    3u
#define VERSIONS 3u /* of page tables */
#define FETCHED  32u

struct world {
    struct rig *r;
    struct cpu *second;
    uint64_t random;
    struct {
        uint32_t generation;
        uint64_t address, absolute;
    } fetched[FETCHED]; /* instruction pages that decoded code may be known of */
    unsigned above_low,
        known_space; /* stores beside low-address protection and moves to other spaces: those let through */
};

/* Of an engine that keeps decoded code wherever it is marked. */
static bool drops(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    (void)cpu, (void)absolute, (void)length;
    return true;
}

static uint64_t some(struct world *w, uint64_t below) { return (random_step(&w->random) >> 11) % below; }

static uint64_t segments(unsigned space) { return S_TABLE + 0x10000 * space; }
static uint64_t pages(unsigned space, unsigned version) { return segments(space) + 0x4000 + 0x1000 * version; }
static uint64_t any_pages(struct world *w) { return pages((unsigned)some(w, ASCES), (unsigned)some(w, VERSIONS)); }
/* Two pages of each go through one slot of a context. */
static uint64_t any_page(struct world *w) { return (some(w, PAGES) | some(w, 2) << 9) << 12; }

static uint64_t some_entry(struct world *w)
{
    static const uint64_t flags[] = {0, 0, 0, 0x200, 0x400, 0x100};
    const uint64_t frames[] = {0,
                               0x1000,
                               0x300000,
                               0x301000,
                               FRAME,
                               FRAME + 0x1000,
                               FRAME + 0x2000,
                               64 * MIB,
                               any_pages(w),
                               segments((unsigned)some(w, ASCES))};
    return frames[some(w, 10)] | flags[some(w, 6)];
}

/* The other CPU changes a table entry, without DAT, and nobody purges. */
static void store_entry(struct world *w, uint64_t at, uint64_t entry)
{
    assert_int_equal(cpu_load_psw(w->second, PSW_64, 0), 0);
    w->second->tables_doubt = false;
    assert_int_equal(cpu_store8(w->second, at, 0, entry), 0);
}

static void change_page(struct world *w)
{
    const uint64_t table = any_pages(w);
    if (some(w, 4)) {
        store_entry(w, table + 8 * some(w, PAGES), some_entry(w));
        return;
    }
    for (unsigned page = 0; page < PAGES; page++) /* a new page table */
        store_entry(w, table + 8 * page, some_entry(w));
    store_entry(w, segments((unsigned)some(w, ASCES)) + 16 * some(w, 2), table);
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

/* Decoded code is dropped when somebody stores over it. */
static void drop_stored(struct world *w)
{
    for (unsigned i = 0; i < FETCHED; i++) {
        const uint64_t at = w->fetched[i].absolute;
        if (!(w->r->sys.storage.code_lines[at >> 12] >> (at >> 6 & 63) & 1))
            w->fetched[i].generation = 0;
    }
}

static void change(struct world *w)
{
    uint64_t frame;
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
        frame = any_frame(w);
        set_key(w->r, frame, (uint8_t)(some(w, 128) << 1));
        tlb_purge_frame(&w->r->sys, frame);
        break;
    case 6:
        frame = any_frame(w);
        if (some(w, 4)) { /* all that was decoded is dropped, or stores would never find a page without any */
            w->r->sys.storage.code_lines[frame >> 12] = 0;
            drop_stored(w);
        } else {
            storage_code_mark(&w->r->sys, frame + some(w, 4096), 1);
        }
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

/* As an instruction does that has two operands: the other one is translated before the first one is stored into. */
static void use_another_page(struct world *w)
{
    uint64_t got;
    const uint64_t address = any_page(w);
    const struct expected e = expect(w, address, 0, CPU_FETCH);
    assert_int_equal(cpu_fetch8(w->r->cpu, address, 0, &got), e.code);
    if (!e.code)
        assert_int_equal(got, dword(w->r, e.absolute));
}

/* Else it is used for as long as its context has the same generation: the page must still be where it was, and its key
   as the first fetch left it. */
static void use_decoded_code(struct world *w)
{
    drop_stored(w);
    for (unsigned i = 0; i < FETCHED; i++)
        if (w->fetched[i].generation == w->r->cpu->fetch_tlb->generation) {
            const struct expected e = expect(w, w->fetched[i].address, 0, CPU_INSTRUCTION);
            assert_int_equal(e.code, 0);
            assert_int_equal(e.absolute, w->fetched[i].absolute);
            assert_true(key(w->r, e.absolute) & KEY_R);
        }
}

/* What an access to a space that is named should give, by a CPU that has no context with DAT. */
static struct expected expect_space(struct world *w, struct cpu_access a)
{
    const struct cpu *cpu = w->r->cpu;
    struct expected e = {0, 0};
    w->second->cr[0] = cpu->cr[0];
    for (unsigned n = 1; n < 16; n += 6)
        w->second->cr[n] = cpu->cr[n];
    assert_true(cpu_set_prefix(w->second, cpu->prefix));
    cpu_mode_changed(w->second);
    a.test = true;
    e.code = cpu_translate(w->second, &a, &e.absolute);
    w->second->cr[0] &= ~CR0_LOW_ADDRESS_PROTECTION; /* its own stores are not what is looked at */
    assert_true(cpu_set_prefix(w->second, 0));
    cpu_mode_changed(w->second);
    return e;
}

/* As moves between spaces do. */
static void access_space(struct world *w)
{
    static const enum cpu_space spaces[] = {CPU_SPACE_PRIMARY, CPU_SPACE_SECONDARY, CPU_SPACE_HOME};
    struct cpu *cpu = w->r->cpu;
    const struct cpu_access a = {.address = any_page(w) | some(w, some(w, 2) ? PAGES : 512) << 3,
                                 .space = spaces[some(w, 3)],
                                 .key = (uint8_t)(some(w, 2) ? cpu_key(cpu) : some(w, 4)),
                                 .kind = some(w, 2) ? CPU_FETCH : CPU_STORE};
    const struct expected e = expect_space(w, a);
    const unsigned cr = a.space == CPU_SPACE_PRIMARY ? 1 : a.space == CPU_SPACE_SECONDARY ? 7 : 13;
    const struct tlb *tlb = tlb_known_space(cpu, cpu->cr[cr], a.key);
    uint8_t bytes[8];
    uint64_t got;
    if (tlb && !e.code) {
        const struct tlb_entry *known = &tlb->entry[(a.address >> 12) % TLB_ENTRIES];
        w->known_space += (a.kind == CPU_FETCH ? known->read : known->write) == (a.address & ~UINT64_C(0xfff));
    }
    cpu->tables_doubt = false;
    if (a.kind == CPU_FETCH) {
        assert_int_equal(cpu_fetch_as(cpu, &a, bytes, 8), e.code);
        got = get64(bytes);
    } else {
        put64(bytes, got = w->random);
        assert_int_equal(cpu_store_as(cpu, &a, bytes, 8), e.code);
    }
    if (e.code)
        return;
    assert_int_equal(got, dword(w->r, e.absolute));
    const uint8_t set = a.kind & CPU_STORE ? KEY_R | KEY_C : KEY_R;
    assert_int_equal(key(w->r, e.absolute) & set, set);
    if (a.kind & CPU_STORE)
        assert_false(w->r->sys.storage.code_lines[e.absolute >> 12] >> (e.absolute >> 6 & 63) & 1);
}

static void access_once(struct world *w)
{
    struct rig *r = w->r;
    struct cpu *cpu = r->cpu;
    uint64_t address = any_page(w) | some(w, some(w, 2) ? PAGES : 512) << 3, value = w->random, got, absolute;
    unsigned ar = (unsigned)some(w, 3), kind = 1 + (unsigned)some(w, 4);
    struct expected e = expect(w, address, ar, kind);
    uint8_t *host;
    uint64_t mask = 0;
    int code;
    if (!e.code && (kind & CPU_STORE))
        mask = UINT64_C(1) << (e.absolute >> 6 & 63);
    const bool hit = mask && (r->sys.storage.code_lines[e.absolute >> 12] & mask),
               tables = mask && e.absolute >= segments(0) && e.absolute < FRAME; /* perhaps those of this access */
    cpu->tables_doubt = false;
    use_decoded_code(w);
    cpu->refetch = false;
    w->above_low += (kind & CPU_STORE) && tlb_above_low(tlb_slot(cpu->tlb, address), address, 8);
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
        if (!code) {
            assert_ptr_equal(host, r->at + e.absolute);
            use_another_page(w);
            put64(host, value);
            use_another_page(w);
        }
        break;
    default:
        code = cpu_instruction_page(cpu, address, &absolute);
        if (!code) {
            assert_int_equal(absolute, e.absolute);
            if (some(w, 16))
                break;
            storage_code_mark(&r->sys, absolute, 1);
            const unsigned n = (unsigned)some(w, FETCHED);
            w->fetched[n].generation = cpu->fetch_tlb->generation;
            w->fetched[n].address = address;
            w->fetched[n].absolute = absolute;
        }
        break;
    }
    assert_int_equal(code, e.code);
    if (code)
        return;
    uint8_t set = kind & CPU_STORE ? KEY_R | KEY_C : KEY_R;
    assert_int_equal(key(r, e.absolute) & set, set);
    if (!tables && !cpu->tables_doubt)
        assert_int_equal(cpu->refetch, hit);
    else if (hit)
        assert_true(cpu->refetch);
    if (kind & CPU_STORE)
        assert_false(r->sys.storage.code_lines[e.absolute >> 12] & mask);
}

static void fast_equals_slow(void **state)
{
    (void)state;
    struct world w = {.r = rig_new(), .random = UINT64_C(0x9e3779b97f4a7c15)};
    struct cpu *cpu = w.r->cpu;
    w.second = cpu_create(&w.r->sys, 1);
    w.r->sys.code_changed = drops;
    assert_non_null(w.second);
    cpu->cr[1] = segments(0);
    cpu->cr[7] = segments(1);
    cpu->cr[13] = segments(2);
    cpu->ar[2] = 1;
    for (unsigned i = 0; i < 400; i++)
        change_page(&w);
    for (unsigned step = 0; step < STEPS; step++) {
        if (!some(&w, 12))
            change(&w);
        access_once(&w);
        if (!some(&w, 4))
            access_space(&w);
        /* The other CPU shares storage, keys and code. */
        if (!some(&w, 8)) {
            uint64_t at = any_frame(&w) + 8 * some(&w, 512);
            assert_int_equal(cpu_load_psw(w.second, PSW_64, 0), 0);
            assert_int_equal(cpu_store8(w.second, at, 0, step), 0);
            assert_int_equal(dword(w.r, at), step);
            assert_false(w.r->sys.storage.code_lines[at >> 12] >> (at >> 6 & 63) & 1);
            assert_int_equal(key(w.r, at) & (KEY_R | KEY_C), KEY_R | KEY_C);
        }
        drop_stored(&w);
    }
    assert_true(w.above_low > 500);
    assert_true(w.known_space > 5000);
    rig_end(w.r);
}

/* An instruction is given the host address of its first operand, translates the second one by a table entry there, and
   then stores. The page of the entry is one that the TLB let stores through to unseen, or one whose stores are looked
   at, because another entry in it was used before. */
static void stored_over(void **state)
{
    (void)state;
    for (unsigned looked_at = 0; looked_at < 2; looked_at++) {
        struct rig *r = rig_new();
        struct cpu *cpu = r->cpu;
        const uint64_t table = pages(0, 1);
        uint64_t value;
        uint8_t *host;
        set_dword(r, segments(0), pages(0, 0));
        set_dword(r, segments(0) + 16, table);
        set_dword(r, pages(0, 0) + 8, table);
        for (unsigned i = 0; i < PAGES; i++) {
            set_dword(r, table + 8 * i, FRAME + 0x1000 * i);
            set_dword(r, FRAME + 0x1000 * i, i);
        }
        cpu->cr[1] = segments(0);
        psw(r, PSW_64 | PSW_DAT, 0x10000);
        if (looked_at)
            assert_int_equal(cpu_fetch8(cpu, 0x207000, 0, &value), 0);
        assert_int_equal(cpu_store8(cpu, 0x1100, 0, 0), 0);
        assert_int_equal(!cpu->sys->storage.write_slots[table >> PAGE_BITS], looked_at);
        assert_int_equal(cpu_page(cpu, 0x1010, 0, 8, CPU_STORE, &host), 0); /* the entry of page 202000 */
        assert_int_equal(cpu_fetch8(cpu, 0x202000, 0, &value), 0);
        assert_int_equal(value, 2);
        put64(host, FRAME + 0x5000);
        assert_int_equal(cpu_fetch8(cpu, 0x202000, 0, &value), 0); /* it goes on */
        assert_int_equal(value, 5);
        assert_true(cpu->refetch); /* the block ends here */
        cpu->tables_doubt = false;
        assert_int_equal(cpu_fetch8(cpu, 0x202000, 0, &value), 0);
        assert_int_equal(value, 5);
        rig_end(r);
    }
}

/* Purging instructions touch what they have to, and no more: with threads the rest is seen to be there still, since no
   store purges. */
enum purge { BY_PAGE_ENTRY, BY_SEGMENT_ENTRY, BY_SPACE, BY_EVERYTHING, PURGES };

static void purge(struct cpu *cpu, unsigned how, bool local)
{
    switch (how) {
    case BY_PAGE_ENTRY:
        tables_purge_entry(cpu, pages(0, 0), local);
        break;
    case BY_SEGMENT_ENTRY:
        tables_purge_entry(cpu, segments(0), local);
        break;
    case BY_SPACE:
        tables_purge_space(cpu, segments(0) | ASCE_PRIVATE, local);
        break;
    default:
        tables_purge(cpu, local);
        break;
    }
}

/* Which of four pages a CPU translates anew: bit n (1<<n); pages 0 and 1 of two spaces. */
static unsigned translates(struct cpu *cpu, unsigned frames)
{
    unsigned anew = 0;
    uint64_t value = 0;
    for (unsigned n = 0; n < 4; n++) {
        cpu->cr[1] = segments(n / 2);
        assert_int_equal(cpu_load_psw(cpu, PSW_64 | PSW_DAT, 0x10000), 0);
        assert_int_equal(cpu_fetch8(cpu, 0x1000 * (n % 2), 0, &value), 0);
        anew |= (unsigned)(value == frames) << n;
    }
    return anew;
}

static void purged_with_threads(void **state)
{
    (void)state;
    static const unsigned gone[PURGES] = {
        [BY_PAGE_ENTRY] = 1, [BY_SEGMENT_ENTRY] = 3, [BY_SPACE] = 3, [BY_EVERYTHING] = 15};
    for (unsigned how = 0; how < 2 * PURGES; how++) {
        struct rig *r = rig_new();
        const bool local = how & 1;
        struct cpu *other = cpu_create(&r->sys, 1);
        assert_non_null(other);
        r->sys.threads = r->sys.alone = true;
        for (unsigned frames = 0; frames < 2; frames++) {
            for (unsigned n = 0; n < 4; n++) {
                const uint64_t frame = FRAME + 0x10000 * frames + 0x1000 * n;
                set_dword(r, segments(n / 2), pages(n / 2, 0));
                set_dword(r, pages(n / 2, 0) + 8 * (n % 2), frame);
                set_dword(r, frame, frames);
            }
            if (!frames) {
                assert_int_equal(translates(r->cpu, 0) & translates(other, 0), 15);
                continue;
            }
            assert_int_equal(translates(r->cpu, 1) | translates(other, 1), 0); /* nobody has purged */
            assert_int_equal(cpu_load_psw(r->cpu, PSW_64, 0x10000), 0);
            assert_int_equal(cpu_fetch8(r->cpu, FRAME, 0, &(uint64_t){0}), 0);
            purge(r->cpu, how / 2, local);
            assert_int_equal(tlb_slot(r->cpu->tlb, FRAME)->read, FRAME); /* not translated */
            assert_int_equal(translates(r->cpu, 1), gone[how / 2]);
            assert_int_equal(translates(other, 1), local ? 0 : gone[how / 2]);
        }
        rig_end(r);
    }
}

/* A key that is changed purges what there is for its block, on all CPUs, and no more; decoded code in it goes with all
   of the contexts. */
static void purged_by_key(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 2; code++) {
        struct rig *r = rig_new();
        struct cpu *cpus[2] = {r->cpu, cpu_create(&r->sys, 1)};
        uint64_t value;
        assert_non_null(cpus[1]);
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(cpu_fetch8(cpus[n / 2], FRAME + 0x1000 * (n % 2), 0, &value), 0);
        if (code)
            storage_code_mark(&r->sys, FRAME, 2);
        tlb_purge_frame(&r->sys, FRAME);
        for (unsigned n = 0; n < 4; n++) {
            const uint64_t at = FRAME + 0x1000 * (n % 2);
            assert_int_equal(tlb_slot(cpus[n / 2]->tlb, at)->read == at, n % 2 && !code);
        }
        assert_int_equal(r->sys.storage.slots[FRAME >> PAGE_BITS], 0);
        rig_end(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_equals_slow), cmocka_unit_test(stored_over),
                                       cmocka_unit_test(purged_with_threads), cmocka_unit_test(purged_by_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
