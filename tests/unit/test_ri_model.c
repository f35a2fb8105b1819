/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second, small and slow model of the RI specification judges ri/ over random programs. It shares no code with ri/:
   the controls stay a 64-byte block, the collection buffer is a list that only grows, records are bytes. */
#include "tests/unit/ri_harness.h"
#include "tests/random.h"
#include <stdlib.h>

#define EVENTS 100000

struct event {
    uint8_t bytes[16];
};
struct model {
    uint8_t block[64];
    bool on, halted, directed;
    uint64_t nsi;
    struct event *events;
    size_t event_count;
    struct {
        bool there, taken;
        uint64_t address, target;
    } predictor[256];
    /* profile */
    unsigned version, secondary, rgs_max, room;
    uint64_t sf_min[2], sf_max;
    uint8_t storage[ROOM];
    uint64_t bad_page;
    bool mixed;
    /* units of an interrupted instruction */
    bool partial;
    uint64_t partial_ia;
    unsigned partial_cycles;
};

/* ---- bits of the block, numbered 0-511 ------------------------------------------------------------------------- */

static uint64_t get(const uint8_t *b, unsigned first, unsigned count)
{
    uint64_t v = 0;
    for (unsigned i = first; i < first + count; i++)
        v = v << 1 | (b[i / 8] >> (7 - i % 8) & 1);
    return v;
}
static void set(uint8_t *b, unsigned first, unsigned count, uint64_t v)
{
    for (unsigned i = first + count; i-- > first; v >>= 1)
        b[i / 8] = (uint8_t)((b[i / 8] & ~(1u << (7 - i % 8))) | (v & 1) << (7 - i % 8));
}
/* First bit of each field by words of C.2. */
enum { W6 = 192, W7 = 224 };
enum { V = W6, S, K, H, A, PS = W6 + 8, QS, PC, QC, G = W6 + 13, U, L, KEY, T = W6 + 28, RGS };
enum {
    M = W7,
    N = W7 + 4,
    MAE,
    C = W7 + 8,
    R,
    B,
    J,
    E,
    X,
    BPXN = W7 + 16,
    BPXT,
    BPTI,
    BPNI,
    Y,
    Z,
    D,
    F,
    IC,
    DC = W7 + 28
};
enum { RCA = 0, ROA = 64, RLA = 128, SF = 320, RSIC = 384 };
#define BIT(m, field)  get((m)->block, field, 1)
#define WIDE(m, field) get((m)->block, field, 64)
#define SIZE_CODE(m)   ((unsigned)get((m)->block, RGS, 3))
#define MODE(m)        ((unsigned)get((m)->block, M, 4))

static uint64_t glen(const struct model *m) { return UINT64_C(32) << SIZE_CODE(m); }
static bool model_full(const struct model *m)
{
    /* small addresses only in this test, so plain arithmetic is exact */
    return WIDE(m, RCA) + glen(m) > WIDE(m, RLA) + 1;
}
static bool model_active(const struct model *m) { return m->on && BIT(m, V) && !m->halted && !model_full(m); }

/* ---- loading --------------------------------------------------------------------------------------------------- */

static void clear_events(struct model *m)
{
    m->event_count = 0;
    m->directed = false;
    m->partial = false;
}
static void normalize(struct model *m, bool force_origin)
{
    uint64_t roa = WIDE(m, ROA) / 4096 * 4096, rla = WIDE(m, RLA) / 4096 * 4096 + 4095;
    uint64_t rca = WIDE(m, RCA) / glen(m) * glen(m);
    if (rca < roa || rca > rla + 1 || force_origin)
        rca = roa;
    set(m->block, ROA, 64, roa);
    set(m->block, RLA, 64, rla);
    set(m->block, RCA, 64, rca);
    if (SIZE_CODE(m) > m->rgs_max && rca == roa)
        set(m->block, RGS, 3, m->rgs_max);
    uint64_t sf = WIDE(m, SF), rsic = WIDE(m, RSIC), least = m->sf_min[MODE(m) == 0 ? 0 : 1];
    sf = sf == 0 ? 1 : sf;
    sf = sf < least ? least : sf > m->sf_max ? m->sf_max : sf;
    rsic = rsic > m->sf_max ? m->sf_max : rsic;
    if (rsic == 0 && MODE(m) < 2)
        rsic = sf;
    set(m->block, SF, 64, sf);
    set(m->block, RSIC, 64, rsic);
}
static void strip_reserved(uint8_t *b)
{
    static const unsigned reserved[][2] = {{W6 + 5, 3},  {W6 + 12, 1}, {W6 + 20, 8}, {W7 + 6, 2},
                                           {W7 + 14, 2}, {256, 64},    {448, 64}};
    for (unsigned i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        set(b, reserved[i][0], reserved[i][1], 0);
}
static void forget(struct model *m) { memset(m->predictor, 0, sizeof m->predictor); }

static void model_lric(struct model *m, const uint8_t *operand)
{
    m->halted = false;
    clear_events(m);
    forget(m);
    if (!get(operand, V, 1)) {
        memset(m->block, 0, 64);
        m->on = false;
        return;
    }
    memcpy(m->block, operand, 64);
    strip_reserved(m->block);
    set(m->block, A, 1, m->on);
    normalize(m, false);
}
static void model_mric(struct model *m, const uint8_t *operand, bool problem)
{
    uint8_t old[64];
    memcpy(old, m->block, 64);
    memcpy(m->block, operand, 64);
    strip_reserved(m->block);
    static const unsigned kept[][2] = {{V, 4}, {PS, 4}, {G, 3}, {KEY, 4}, {T, 1}};
    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++)
        set(m->block, kept[i][0], kept[i][1], get(old, kept[i][0], kept[i][1]));
    if (problem && !get(old, K, 1)) {
        set(m->block, ROA, 64, get(old, ROA, 64));
        set(m->block, RLA, 64, get(old, RLA, 64));
    }
    normalize(m, get(operand, RGS, 3) != get(old, RGS, 3));
    set(m->block, A, 1, 1);
    if (WIDE(m, RCA) == WIDE(m, ROA)) {
        set(m->block, G, 1, 0);
        set(m->block, L, 1, 0);
        m->halted = false;
    } else if (!model_full(m))
        set(m->block, L, 1, 0);
    clear_events(m);
    forget(m);
}
static void model_turn(struct model *m, bool on)
{
    on = on && BIT(m, V);
    if (on && !m->on) {
        set(m->block, A, 1, 1);
        forget(m);
        if (WIDE(m, RSIC) == 0 && MODE(m) < 2)
            set(m->block, RSIC, 64, WIDE(m, SF));
    }
    if (!on && m->on)
        clear_events(m);
    m->on = on;
}
static void model_interruption(struct model *m)
{
    if (m->partial && model_active(m) && MODE(m) < 2) {
        uint64_t u = MODE(m) == 0 ? m->partial_cycles : 1, left = WIDE(m, RSIC);
        set(m->block, RSIC, 64, left > u ? left - u : 1);
    }
    clear_events(m);
}

/* ---- an instruction -------------------------------------------------------------------------------------------- */

enum kind { PLAIN, ACCESS, BRANCH, EMIT, NEXT, BAD, PARTIAL, UNCOUNTED, TRAPS };
struct instruction {
    enum kind kind;
    uint64_t ia, own, target, address, length, data;
    uint32_t text;
    unsigned bytes, cycles, class;
    bool problem, executed, taken, always, relative, store;
};
struct facts {
    bool bpxn, bpxt, bpti, bpni, predicted;
};

static void add_event(struct model *m, unsigned kind, uint64_t ia, uint64_t second)
{
    struct event *e = &m->events[m->event_count++];
    memset(e, 0, sizeof *e);
    e->bytes[0] = (uint8_t)kind;
    set(e->bytes, 8, 1, (ia >> 55) != 0);
    set(e->bytes, 9, 55, ia);
    set(e->bytes, 64, 64, second);
}
static struct facts model_branch(struct model *m, const struct instruction *i)
{
    unsigned entry = (unsigned)get(
        (const uint8_t[8]){(uint8_t)(i->own >> 56), 0, 0, 0, 0, 0, (uint8_t)(i->own >> 8), (uint8_t)i->own}, 55, 8);
    bool hit = m->predictor[entry].there && m->predictor[entry].address == i->own;
    bool predicted = hit ? m->predictor[entry].taken : i->always;
    bool right = hit ? m->predictor[entry].target == i->target : i->relative;
    struct facts f = {.predicted = predicted,
                      .bpxn = predicted && !i->taken,
                      .bpxt = !predicted && i->taken,
                      .bpti = predicted && i->taken && !right,
                      .bpni = !predicted && !i->taken && hit && !right};
    m->predictor[entry].there = true;
    m->predictor[entry].address = i->own;
    m->predictor[entry].taken = i->taken;
    m->predictor[entry].target = i->target;
    unsigned record = i->class == 1 ? 0x12 : i->class == 2 || (i->class == 4 && BIT(m, J)) ? 0x13 : 0x14;
    unsigned control = record == 0x12 ? C : record == 0x13 ? R : B;
    if (i->taken && BIT(m, control) && BIT(m, (i->problem ? PC : QC)))
        add_event(m, record, i->ia, (uint64_t)(predicted && right) << 63 | (i->target << 1 >> 1));
    return f;
}

static bool wanted_group(struct model *m, const struct instruction *i, const struct facts *f, bool by_direction)
{
    if (!BIT(m, (i->problem ? PS : QS)))
        return false;
    if (m->mixed && BIT(m, (m->secondary ? Z : Y)))
        return false;
    return by_direction || BIT(m, F) || (BIT(m, BPXN) && f->bpxn) || (BIT(m, BPXT) && f->bpxt) ||
           (BIT(m, BPTI) && f->bpti) || (BIT(m, BPNI) && f->bpni) || get(m->block, IC, 4) <= 14 ||
           (get(m->block, DC, 4) <= 14 && i->kind == ACCESS);
}

static bool ok(const struct model *m, uint64_t a, uint64_t length)
{
    return a >= BASE && a + length <= BASE + ROOM && (!m->bad_page || a / 4096 != m->bad_page / 4096);
}

static int model_store(struct model *m, const struct instruction *i, const struct facts *f, bool count, bool direction)
{
    uint64_t rca = WIDE(m, RCA), roa = WIDE(m, ROA), length = glen(m);
    bool first = rca == roa;
    if (!ok(m, rca, length) || (!first && !ok(m, roa, 16)))
        return 0x11;
    uint8_t *begin = m->storage + (roa - BASE);
    if (!first && (get(begin, 32, 16) != m->version || get(begin, 48, 3) > m->rgs_max || SIZE_CODE(m) > m->rgs_max)) {
        set(begin, 53, 1, 1);
        set(m->block, G, 1, 1);
        m->halted = true;
        return 0;
    }
    uint8_t *group = m->storage + (rca - BASE), *last = group + length - 16;
    memset(group, 0, length);
    group[0] = first ? 2 : 3;
    set(group, 32, 16, m->version);
    set(group, 52, 1, m->secondary);
    set(group, 64, 64, 0x1122334455667788);
    if (first)
        set(group, 48, 3, SIZE_CODE(m));
    last[0] = 4;
    set(last, 8, 1, i->ia >> 55 != 0);
    set(last, 9, 55, i->ia);
    if (i->kind == BRANCH) {
        set(last, 64, 1, 1);
        set(last, 65, 1, i->taken);
        set(last, 66, 1, f->predicted);
        set(last, 67, 1, !f->bpti && !f->bpni);
    }
    set(last, 68, 1, direction);
    set(last, 69, 1, count);
    set(last, 70, 1, i->executed);
    set(last, 71, 1, i->problem);
    set(last, 72, 4, 14);
    set(last, 76, 4, i->kind == ACCESS ? 14 : 15);
    set(last, 80, 8, i->bytes);
    set(last, 96, 32, i->text);
    uint8_t *slot = last - 16;
    if (BIT(m, D) && SIZE_CODE(m) > 0 && i->kind == ACCESS) {
        slot[0] = 1;
        slot[1] = 1;
        set(slot, 16, 1, i->store);
        set(slot, 20, 4, 14);
        set(slot, 32, 32, i->length > UINT32_MAX ? UINT32_MAX : i->length);
        set(slot, 64, 64, i->address);
        slot -= 16;
    }
    for (size_t e = m->event_count, n = 0; slot > group && e > 0 && n < m->room; slot -= 16, n++)
        memcpy(slot, m->events[--e].bytes, 16);
    for (uint8_t *p = group + 16; p < group + length; p += 16)
        if (p[0] >= 4 && p[1] & 0x80)
            set(m->block, MAE, 1, 1);
    rca += length;
    set(m->block, RCA, 64, rca);
    set(m->block, G, 1, 0);
    set(begin, 8, 24, (rca - roa) / length);
    bool full = model_full(m);
    set(begin, 51, 1, full);
    if (full)
        set(m->block, L, 1, 1);
    return 0;
}

static int model_instruction(struct model *m, const struct instruction *i)
{
    if (!model_active(m))
        return 0;
    bool direction = m->directed && m->nsi == i->ia;
    struct facts f = {0};
    if (m->partial && m->partial_ia != i->ia)
        m->partial = false;
    m->directed = false;
    if (i->kind == BAD)
        return 0; /* the interruption follows */
    if (i->kind == PARTIAL) {
        m->partial = true;
        m->partial_ia = i->ia;
        m->partial_cycles = i->cycles;
        m->directed = direction;
        return 0;
    }
    m->partial = false;
    if (i->kind == BRANCH)
        f = model_branch(m, i);
    if (i->kind == EMIT && BIT(m, E) && BIT(m, (i->problem ? PC : QC)))
        add_event(m, 0x10, i->ia, i->data);
    if (i->kind == NEXT && BIT(m, N)) {
        m->directed = true;
        m->nsi = i->ia + i->bytes;
    }
    if (i->kind == UNCOUNTED)
        return 0;
    bool count = false;
    if (MODE(m) < 2) {
        uint64_t u = MODE(m) == 0 ? i->cycles : 1, left = WIDE(m, RSIC);
        count = u >= left;
        set(m->block, RSIC, 64, count ? WIDE(m, SF) : left - u);
    }
    if ((!count && !direction) || i->kind == TRAPS)
        return 0;
    return wanted_group(m, i, &f, direction) ? model_store(m, i, &f, count, direction) : 0;
}

/* ---- the same on ri/ ------------------------------------------------------------------------------------------- */

static int tried_instruction(struct world *w, const struct instruction *i)
{
    struct ri *ri = w->ri;
    bool active = ri_active(ri);
    if (active) {
        struct ri_insn insn = {
            i->ia,     i->own,      i->text,     (uint8_t)i->bytes, i->kind == BRANCH ? (uint8_t)i->class : 0,
            i->always, i->relative, i->executed, i->problem};
        if (i->executed) {
            struct ri_insn ex = {i->ia, i->ia, 0x44000000, 4, 0, false, false, false, i->problem};
            ri_begin(ri, &ex);
        }
        ri_begin(ri, &insn);
        if (i->kind == ACCESS)
            ri_access(ri, i->address, i->length, i->store);
        if (i->kind == BRANCH)
            ri_branch(ri, i->taken, i->target);
    }
    if (i->kind == EMIT)
        ri_emit(ri, i->ia, i->data, i->problem);
    if (i->kind == NEXT)
        ri_next(ri, i->ia + i->bytes);
    if (!active)
        return 0;
    enum ri_end end = i->kind == BAD         ? RI_END_NOT
                      : i->kind == PARTIAL   ? RI_END_PARTIAL
                      : i->kind == UNCOUNTED ? RI_END_NOT_COUNTED
                      : i->kind == TRAPS     ? RI_END_INTERRUPTION
                                             : RI_END_COMPLETE;
    return finish(w, end, i->cycles);
}

/* ---- random programs ------------------------------------------------------------------------------------------- */

static uint64_t seed;
static uint64_t rnd(void) { return random_step(&seed); }
static bool one_in(unsigned n) { return rnd() >> 20 & 0xffff ? (rnd() >> 13) % n == 0 : false; }

static void random_block(uint8_t *block, bool valid)
{
    for (unsigned i = 0; i < 64; i++)
        block[i] = (uint8_t)(rnd() >> 24);
    uint64_t roa = BASE + (rnd() >> 30) % 0x4000, rla = roa + (rnd() >> 30) % 0x3000;
    uint64_t rca = one_in(3) ? roa - 64 + (rnd() >> 30) % 0x4000 : roa / 4096 * 4096;
    if (one_in(30))
        rla = roa - 0x1001;
    set(block, ROA, 64, roa);
    set(block, RLA, 64, rla);
    set(block, RCA, 64, rca);
    set(block, V, 1, valid);
    set(block, M, 4, one_in(3) ? 0 : one_in(6) ? 2 : 1);
    if (one_in(2))
        set(block, RGS, 3, (rnd() >> 30) % 3);
    set(block, SF, 64, one_in(8) ? rnd() >> (rnd() >> 30) % 64 : (rnd() >> 30) % 24);
    set(block, RSIC, 64, one_in(8) ? rnd() >> (rnd() >> 30) % 64 : (rnd() >> 30) % 3 * 7);
    if (one_in(3))
        set(block, F, 1, 1);
    if (one_in(3))
        set(block, IC, 8, 0xff);
}

static struct instruction random_instruction(uint64_t *ia, bool problem)
{
    static const uint8_t kinds[16] = {PLAIN,  PLAIN, PLAIN, ACCESS, ACCESS, BRANCH,  BRANCH, BRANCH,
                                      BRANCH, EMIT,  EMIT,  NEXT,   NEXT,   PARTIAL, BAD,    TRAPS};
    struct instruction i = {.kind = kinds[(rnd() >> 20) % 16], .ia = *ia, .own = *ia, .problem = problem};
    if (one_in(200))
        i.kind = UNCOUNTED;
    i.bytes = 2 + (rnd() >> 20) % 3 * 2;
    i.cycles = i.bytes / 2;
    i.text = i.bytes == 2 ? (uint32_t)rnd() << 16 : (uint32_t)rnd();
    if (one_in(8)) {
        i.executed = true;
        i.own = 0x40000 + (rnd() >> 20) % 64 * 2;
        i.cycles += 2;
    }
    unsigned length = i.executed ? 4 : i.bytes;
    i.address = rnd();
    i.length = one_in(20) ? rnd() : rnd() >> 56;
    i.store = rnd() >> 20 & 1;
    i.data = rnd();
    /* What a branch is depends on its place alone, as in a program. */
    uint64_t place = i.own * UINT64_C(0x9e3779b97f4a7c15);
    i.class = 1 + (place >> 33) % 4;
    i.always = i.class < 3;
    i.relative = place >> 40 & 1;
    i.taken = i.always || (rnd() >> 20) % 3;
    i.target = i.relative ? i.own - 40 : 0x10000 + (rnd() >> 20) % 3 * 0x100;
    if (i.kind == NEXT) {
        i.bytes = 4;
        length = 4;
        i.cycles = i.executed ? 4 : 2;
    }
    if (i.kind != BAD && i.kind != PARTIAL)
        *ia = i.kind == BRANCH && i.taken ? i.target : *ia + length;
    if (one_in(2000))
        *ia = UINT64_C(0x0123456789abc000);
    if (*ia > 0x30000 && *ia < UINT64_C(0x0123456789abc000))
        *ia = 0x10000;
    return i;
}

static void compare(const struct world *w, const struct model *m)
{
    uint8_t block[64];
    ri_stric(w->ri, block);
    assert_memory_equal(block, m->block, 64);
    assert_int_equal(ri_active(w->ri), model_active(m));
    uint32_t alert = BIT(m, U) ? (uint32_t)(BIT(m, G) << 5 | BIT(m, L) << 4) : 0;
    assert_int_equal(ri_alert(w->ri), alert);
}

/* Something other than an instruction, now and then. Returns false when nothing happened. */
static bool something_else(struct world *w, struct model *m)
{
    uint8_t block[64];
    bool problem = rnd() >> 20 & 1;
    switch ((rnd() >> 20) % 400) {
    case 0:
    case 1:
        random_block(block, !one_in(20));
        ri_lric(w->ri, block);
        model_lric(m, block);
        break;
    case 2:
    case 3:
        random_block(block, true);
        if (ri_pvc(w->ri, problem))
            break;
        ri_mric(w->ri, block, problem);
        model_mric(m, block, problem);
        break;
    case 4:
    case 5:
        ri_enable(w->ri, false);
        model_turn(m, false);
        break;
    case 6:
        ri_interruption(w->ri, (enum ri_interruption)((rnd() >> 20) % 7));
        model_interruption(m);
        break;
    case 7:
        if (!ri_alert(w->ri))
            break;
        ri_alert_presented(w->ri);
        set(m->block, G, 1, 0);
        set(m->block, L, 1, 0);
        set(m->block, A, 1, 1);
        m->halted = false;
        break;
    case 8: /* the program changes the version of the begin record, or repairs it */
        if (WIDE(m, ROA) >= BASE && WIDE(m, ROA) < BASE + ROOM - 16) {
            uint8_t *v = m->storage + (WIDE(m, ROA) - BASE) + 5;
            *v = *v == 1 ? 2 : 1;
            w->bytes[WIDE(m, ROA) - BASE + 5] = *v;
        }
        break;
    case 9:
        w->bad_page = m->bad_page = one_in(3) ? (BASE + (rnd() >> 20) % 4 * 4096) : 0;
        break;
    case 10:
        w->env.mixed_capability = m->mixed = rnd() >> 20 & 1;
        break;
    case 11:
        memset(block, 0, 64);
        break;
    default:
        if (!m->on && one_in(10)) {
            ri_enable(w->ri, true);
            model_turn(m, true);
            break;
        }
        return false;
    }
    return true;
}

static void run_model(const char *profile, uint64_t start, unsigned steps_wanted)
{
    struct world w;
    struct model *m = calloc(1, sizeof *m);
    const struct ri_profile *p = ri_profile_find(profile);
    world_init(&w, profile);
    m->events = malloc(EVENTS * sizeof *m->events);
    m->version = p->version;
    m->secondary = p->secondary;
    m->rgs_max = p->rgs_max;
    m->room = p->cb_entries;
    m->sf_min[0] = p->sf_min[0];
    m->sf_min[1] = p->sf_min[1];
    m->sf_max = p->sf_max;
    seed = start;
    uint64_t ia = 0x10000;
    bool problem = false;
    for (unsigned n = 0; n < steps_wanted; n++) {
        if (m->event_count > EVENTS - 2) { /* only the newest matter */
            memmove(m->events, m->events + EVENTS - 1000, 998 * sizeof *m->events);
            m->event_count = 998;
        }
        if (one_in(16))
            problem = !problem;
        if (!something_else(&w, m)) {
            struct instruction i = random_instruction(&ia, problem);
            int code = tried_instruction(&w, &i), want = model_instruction(m, &i);
            assert_int_equal(code, want);
            if (code || i.kind == BAD || i.kind == TRAPS) {
                compare(&w, m);
                ri_interruption(w.ri, RI_INT_PROGRAM);
                model_interruption(m);
                ri_enable(w.ri, false);
                model_turn(m, false);
                ri_enable(w.ri, true);
                model_turn(m, true);
            } else if (i.kind == PARTIAL && one_in(2)) {
                ri_interruption(w.ri, RI_INT_EXTERNAL);
                model_interruption(m);
            }
        }
        compare(&w, m);
        if (n % 64 == 0)
            assert_memory_equal(w.bytes, m->storage, ROOM);
    }
    assert_memory_equal(w.bytes, m->storage, ROOM);
    print_message("%s: %u steps, %u groups, %u halts\n", profile, steps_wanted, (unsigned)w.ri->groups,
                  (unsigned)w.ri->halts);
    assert_true(w.ri->groups > steps_wanted / 1000);
    free(m->events);
    free(m);
    world_end(&w);
}

static unsigned how_many(void)
{
    const char *text = getenv("RI_MODEL_STEPS"); /* more for a long run by hand */
    return text ? (unsigned)strtoul(text, NULL, 10) : 250000;
}
static void profile_a(void **state)
{
    (void)state;
    run_model("RI-A", 0x123456789abcdef1, how_many());
}
static void profile_b(void **state)
{
    (void)state;
    run_model("RI-B", 0x2545f4914f6cdd1d, how_many());
}
static void profile_c(void **state)
{
    (void)state;
    run_model("RI-C", 0x9e3779b97f4a7c15, how_many());
}
static void profile_d(void **state)
{
    (void)state;
    run_model("RI-D", 0xd1342543de82ef95, how_many());
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {cmocka_unit_test(profile_a), cmocka_unit_test(profile_b),
                                       cmocka_unit_test(profile_c), cmocka_unit_test(profile_d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
