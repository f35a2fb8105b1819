/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time's own run-time instrumentation: setting it up, and reading its program buffer. All of it in the problem
   state, without a supervisor call. Budget: 15 instructions for a record. */
#include "vm.h"

#define DS   (1ul << 59) /* bits 68 and 69 of an instruction record */
#define CS   (1ul << 58)
#define IA   0x007ffffffffffffful
#define FULL 0x00010000u /* control L */

struct record {
    u64 hi, lo;
};
enum { FILLER = 0x00, INSTRUCTION = 0x04, EMIT = 0x10, ABORT = 0x11, CALL = 0x12, RETURN = 0x13, TRANSFER = 0x14 };

/* Records of one reading, by what they are. */
enum { R_EMIT, R_CALL, R_RETURN, R_TRANSFER, R_INSTRUCTION, R_FILLER, R_STALE, R_OTHER, R_COUNT };

u64 clock(void)
{
    u64 tod;
    asm volatile("stck %0" : "=Q"(tod) : : "cc");
    return tod;
}

u64 instructions(void)
{
    u64 value;
    if (!vm.counters)
        return service(SVC_RETIRED, 0, 0, 0);
    asm volatile(".insn rre,0xb2e40000,%0,%1" : "=d"(value) : "d"(1ul) : "cc"); /* EXTRACT CPU COUNTER */
    return value;
}

static u32 modify(const struct riccb *block)
{
    u32 cc;
    asm volatile(".insn rsy,0xeb0000000062,0,0,%1\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "S"(*block) : "cc", "memory");
    return cc;
}

static u32 on(void)
{
    u32 cc;
    asm volatile(".insn ri,0xaa010000,0,0\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : : "cc", "memory");
    return cc;
}

static void off(void) { asm volatile(".insn ri,0xaa030000,0,0" : : : "cc", "memory"); }

/* The block of 2.4 of the specification; B is one from the first T1 method on. */
static void make_block(struct riccb *b)
{
    memset(b, 0, sizeof *b);
    b->rca = b->roa = vm.buffer;
    b->rla = vm.buffer + BUFFER_SIZE - 1;
    b->word6 = 3; /* groups of 16 records */
    b->word7 = (u32)vm.ri_mode << 28 | W7_N | W7_C | W7_E | (vm.first_plain ? W7_B : 0) | W7_F;
    b->sf = b->rsic = vm.sf;
}

/* The interval of the next stretch: within five percent, so that no loop of the program keeps step with it. */
static void vary_interval(void)
{
    vm.random = vm.random * 6364136223846793005ul + 1442695040888963407ul;
    vm.sf = vm.next_sf - vm.next_sf / 20 + (u32)((vm.random >> 33) % (vm.next_sf / 10 + 1));
}

const char *sampling_start(void)
{
    struct riccb block, stored;
    if (!vm.has_ri)
        return "absent";
    if (vm.buffer < BUFFER_START || vm.buffer > TABLE_START - BUFFER_SIZE || vm.buffer & 4095)
        return "buffer";
    if (vm.ri_mode > 2)
        return "block";
    if (service(SVC_PERMIT, 0, 0, 0))
        return "absent";
    make_block(&block);
    if (modify(&block))
        return "refused";
    asm volatile(".insn rsy,0xeb0000000061,0,0,%0" : "=S"(stored) : : "cc");
    if (stored.roa != block.roa || stored.rla != block.rla || stored.rca != block.rca)
        return "buffer";
    if (stored.sf != block.sf || stored.word7 != block.word7 || (stored.word6 & 7) != 3)
        return "block";
    if (on())
        return "refused";
    vm.sampling = 1;
    return NULL;
}

void sampling_stop(void)
{
    if (vm.sampling)
        off();
    vm.sampling = 0;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static inline u32 version_at(u64 address)
{
    const u64 offset = address - CODE_START;
    return offset < CODE_SIZE ? vm.map[offset / BLOCK] : 0;
}

/* The place of a target at a site, TARGETS: there is none left. */
static u32 target_place(struct site *s, u32 target)
{
    for (u32 i = 0; i < s->targets; i++)
        if (s->target[i] == target)
            return i;
    if (s->targets == TARGETS)
        return TARGETS;
    s->target[s->targets] = (u16)target;
    s->count[s->targets] = s->since[s->targets] = s->share[s->targets] = 0;
    return s->targets++;
}

/* A call record whose code is not younger than its group. False: it points into code that was not there then. */
static inline u32 call_record(const struct record *r, u64 time, u32 directed)
{
    const u64 offset = (r->hi & IA) - CODE_START;
    if (offset >= CODE_SIZE)
        return 1;
    const u32 index = SITE_MAP[offset / 2], to = version_at(r->lo & ~(1ul << 63));
    if (!index | !to)
        return index || !vm.map[offset / BLOCK] ? 1 : vm.version[vm.map[offset / BLOCK]].born <= time;
    struct site *s = &vm.site[index - 1];
    const u32 target = vm.version[to].method;
    if (time < vm.newest && (vm.version[to].born > time || vm.version[vm.map[offset / BLOCK]].born > time))
        return 0;
    const u32 k = s->targets && s->target[0] == target ? 0 : target_place(s, target);
    if (directed) {
        s->directed++;
        if (k < TARGETS)
            s->share[k]++;
        return 1;
    }
    s->n++;
    s->window++;
    vm.method[target].called++;
    if (k < TARGETS) {
        s->count[k]++;
        s->since[k]++;
    } else
        s->other++;
    return 1;
}

static inline void sample(const struct record *r, u64 time, u32 *counts)
{
    const u32 v = version_at(r->hi & IA);
    if (!v)
        return;
    if (vm.version[v].born > time) {
        counts[R_STALE]++;
        return;
    }
    vm.method[vm.version[v].method].self++;
    vm.method[vm.version[v].method].self_all++;
}

static void read_directed(const struct record *r, u32 *counts)
{
    for (u32 i = RECORDS - 2; i; i--)
        if (r[i].hi >> 56 == CALL) {
            if (!call_record(&r[i], r[0].lo, 1))
                counts[R_STALE]++;
            return;
        }
}

static void read_group(const struct record *r, u32 *counts)
{
    const u64 time = r[0].lo;
    const struct record *last = r + RECORDS - 1;
    if ((last->lo & (DS | CS)) == DS) {
        read_directed(r, counts);
        return;
    }
    vm.window_self++;
    u32 emits = 0, calls = 0, transfers = 0, seen = 0;
    for (const struct record *e = r + 1; e < last; e++) {
        const u32 type = (u32)(e->hi >> 56);
        if (type == CALL) {
            calls++;
            seen += !call_record(e, time, 0);
        } else if (type == TRANSFER) {
            transfers++;
            const u64 ia = e->hi & IA;
            const u32 v = (e->lo & ~(1ul << 63)) < ia ? version_at(ia) : 0;
            if (v)
                vm.method[vm.version[v].method].backedges++;
        } else if (type == EMIT) {
            const u64 number = e->lo >> 32;
            emits++;
            if (number < vm.methods)
                vm.method[number].heat++;
        }
    }
    counts[R_EMIT] += emits;
    counts[R_CALL] += calls;
    counts[R_TRANSFER] += transfers;
    counts[R_STALE] += seen;
    sample(last, time, counts);
}

static void halve(void)
{
    for (u32 i = 0; i < vm.methods; i++) {
        struct method *m = &vm.method[i];
        m->heat /= 2;
        m->self /= 2;
        m->backedges /= 2;
        m->called /= 2;
    }
    for (struct site *s = vm.site; s < vm.site + vm.sites; s++) {
        if (!s->n)
            continue;
        s->n /= 2;
        s->other /= 2;
        for (u32 k = 0; k < s->targets; k++)
            s->count[k] /= 2;
    }
    vm.window_self /= 2;
}

/* RI is off. */
static void read_all(void)
{
    struct riccb block;
    u32 counts[R_COUNT] = {0};
    const u64 before = instructions();
    asm volatile(".insn rsy,0xeb0000000061,0,0,%0" : "=S"(block) : : "cc");
    const u32 groups = (u32)((block.rca - block.roa) / GROUP_LENGTH);
    for (u32 g = 0; g < groups; g++)
        read_group((const struct record *)(vm.buffer + g * GROUP_LENGTH), counts);
    vm.groups += groups;
    vm.stale += counts[R_STALE];
    vm.lost += (block.word6 & FULL) != 0;
    counts[R_INSTRUCTION] = groups;
    counts[R_FILLER] = groups * (RECORDS - 2) - counts[R_EMIT] - counts[R_CALL] - counts[R_TRANSFER];
    vm.window_calls = counts[R_CALL];
    vm.readings++;
    decide();
    if (vm.readings % 4 == 0 && vm.mode != T1_RI && vm.mode != T1_DIRECT)
        halve();
    const u64 cost = instructions() - before;
    vm.reading_insn += cost;
    event_read(counts, groups, (u32)cost);
}

void safepoint(void)
{
    struct riccb block;
    if (!vm.sampling)
        return;
    off();
    read_all();
    vary_interval();
    *(u32 *)vm.buffer = 0; /* else the number of groups is seen again */
    make_block(&block);
    (void)modify(&block);
    (void)on();
}

/* What is left is read at the end. */
void reading_last(void)
{
    if (!vm.sampling)
        return;
    off();
    vm.sampling = 0;
    read_all();
}
