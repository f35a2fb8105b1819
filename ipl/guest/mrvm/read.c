/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the run-time's own program buffer, in the problem state, without a supervisor call. How run-time
   instrumentation is controlled is the platform's (bare.c, linux.c). Budget: 15 instructions for a record. */
#include "vm.h"

#define DS     (1ul << 59) /* bits 68 and 69 of an instruction record */
#define CS     (1ul << 58)
#define IA     0x007ffffffffffffful
#define HALVED (4 * GROUP_LIMIT) /* groups until all tables are halved: four readings, but shorter ones count less */

struct record {
    u64 hi, lo;
};
enum type {
#define TYPE(code, id, fields, name) id = (code),
#include "ri/types.def"
};

/* Records of one reading, by what they are. */
enum { R_EMIT, R_CALL, R_RETURN, R_TRANSFER, R_INSTRUCTION, R_FILLER, R_STALE, R_OTHER, R_COUNT };

/* The interval of the next stretch: within five percent, so that no loop of the program keeps step with it. */
static void vary_interval(void)
{
    vm.random = vm.random * 6364136223846793005ul + 1442695040888963407ul;
    vm.sf = vm.next_sf - vm.next_sf / 20 + (u32)((vm.random >> 33) % (vm.next_sf / 10 + 1));
}

const char *sampling_start(void)
{
    if (!vm.has_ri)
        return "absent";
    if (vm.buffer < BUFFER_START || vm.buffer > TABLE_START - BUFFER_SIZE || vm.buffer & 4095)
        return "buffer";
    if (vm.ri_mode > 2)
        return "block";
    const char *why = ri_open();
    vm.sampling = !why;
    return why;
}

void sampling_stop(void)
{
    u32 full;
    if (vm.sampling)
        (void)ri_pause(&full);
    vm.sampling = 0;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* Branch addresses have their leftmost bit cut off; offsets in the code cache. */
static inline u64 target_offset(const struct record *r) { return (r->lo & ~(1ul << 63)) - CODE_START; }
static inline u64 offset_of(const struct record *r) { return (r->hi & IA) - CODE_START; }

/* The place of a callee in a reading's tally of a site; a new one is remembered for take_tallies(). NULL: all are
   taken. */
static __attribute__((noinline)) struct tally *tally_place(u32 site, u32 callee)
{
    for (u32 i = 0; i < TARGETS; i++) {
        struct tally *t = &vm.tally[site][(callee + i) % TARGETS];
        if (t->callee == callee)
            return t;
        if (t->callee)
            continue;
        t->callee = callee;
        if (vm.touched_count < sizeof vm.touched / sizeof *vm.touched)
            vm.touched[vm.touched_count++] = (u16)(site * TARGETS + (callee + i) % TARGETS);
        return t;
    }
    return NULL;
}

/* The words of a record. Addresses of this space have 32 bits, so that one word has them. */
enum { W_TYPE, W_IA, W_DATA, W_TARGET, WORDS };
static inline u32 type_of(const u32 *w) { return *(const u8 *)w; }
static inline u32 in_code(u64 address) { return address >> 20 == CODE_START >> 20; }

/* A call record. What a site calls is always in the code cache, which begins at a multiple of its length. */
static void tally_call(const u32 *w)
{
    const u32 site = in_code(w[W_IA]) ? SITE_MAP[(w[W_IA] - CODE_START) / 2] / SITE_SCALE : 0;
    const u32 callee = vm.method_map[w[W_TARGET] / BLOCK % BLOCKS];
    struct tally *t = site && callee ? tally_place(site, callee) : NULL;
    if (t)
        t->n++;
}

/* Does the code at this offset belong to what was there at that time? */
static u32 stale_at(u64 offset, u64 time)
{
    const u32 v = offset < CODE_SIZE ? vm.map[offset / BLOCK] : 0;
    return v && vm.version[v].born > time;
}

static inline void sample(const struct record *r, u64 time, u32 *counts)
{
    const u64 offset = offset_of(r);
    const u32 number = offset < CODE_SIZE ? vm.method_map[offset / BLOCK] : 0;
    if (!number) { /* the interpreter, or what else is no compiled code */
        counts[R_OTHER]++;
        return;
    }
    if (time < vm.newest && stale_at(offset, time)) {
        counts[R_STALE]++;
        return;
    }
    vm.method[number - 1].self++;
}

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

/* What the calls of this reading were goes to the sites. */
static void take_tallies(void)
{
    for (u32 i = 0; i < vm.touched_count; i++) {
        struct tally *t = &vm.tally[0][vm.touched[i]];
        struct site *s = &vm.site[vm.touched[i] / TARGETS - 1];
        if (vm.directed_only) {
            t->callee = t->n = 0;
            continue;
        }
        const u32 k = target_place(s, t->callee - 1);
        s->n += t->n;
        if (!s->window)
            vm.windowed[vm.windows++] = (u16)(s - vm.site);
        s->window += t->n;
        vm.method[t->callee - 1].called += t->n;
        if (k < TARGETS) {
            s->count[k] += t->n;
            s->since[k] += t->n;
        } else
            s->other += t->n;
        t->callee = t->n = 0;
    }
    vm.touched_count = 0;
}

static void read_directed(const struct record *r, u32 *counts)
{
    for (u32 i = RECORDS - 2; i; i--) {
        if (r[i].hi >> 56 != CALL)
            continue;
        const u64 offset = offset_of(&r[i]), to = target_offset(&r[i]);
        const u32 index = offset < CODE_SIZE ? SITE_MAP[offset / 2] / SITE_SCALE : 0;
        if (!index || to >= CODE_SIZE || !vm.method_map[to / BLOCK])
            return;
        if (stale_at(offset, r->lo) || stale_at(to, r->lo)) {
            counts[R_STALE]++;
            return;
        }
        struct site *s = &vm.site[index - 1];
        const u32 k = target_place(s, vm.method_map[to / BLOCK] - 1u);
        s->directed++;
        if (k < TARGETS)
            s->share[k]++;
        return;
    }
}

/* A group from before the youngest code at a place that was used again: each record is asked whether it is of the code
   that is there now. */
static u32 record_stale(const struct record *e, u64 time)
{
    const u32 type = (u32)(e->hi >> 56);
    if (type != CALL && type != TRANSFER)
        return 0;
    return stale_at(offset_of(e), time) || stale_at(target_offset(e), time);
}

/* Any record; where the reading has a short way for it, this is the long one. */
static __attribute__((noinline)) void one_record(const struct record *e, u32 *counts)
{
    const u32 *w = (const u32 *)e;
    switch (type_of(w)) {
    case CALL:
        tally_call(w);
        break;
    case TRANSFER:
        counts[R_TRANSFER]++;
        if (w[W_TARGET] < w[W_IA] && in_code(w[W_IA]))
            vm.backedges[vm.method_map[w[W_IA] / BLOCK % BLOCKS]]++;
        break;
    case EMIT:
        counts[R_EMIT]++;
        if (w[W_DATA] < vm.methods)
            vm.method[w[W_DATA]].heat++;
        break;
    default:
        counts[R_FILLER]++;
    }
}

static __attribute__((noinline)) void read_suspect(const struct record *r, u32 *counts)
{
    for (const struct record *e = r + 1; e < r + RECORDS - 1; e++)
        if (record_stale(e, r[0].lo))
            counts[R_STALE]++;
        else
            one_record(e, counts);
}

/* Calls whose callee stands in its row of the tally, and transfers: on from w, until `last` or until another record
   comes, which is where the answer points. 15 instructions for a call, 16 for a backward branch, 9 for a forward one.
   An instruction address is even, so that its place in the site map is as far from the map's beginning as the
   instruction is from that of the code cache. */
static inline const u32 *read_usual(const u32 *w, const u32 *last, u64 *transfers)
{
    register u64 step asm("4") = WORDS * 4,
                      end asm("5") = (u64)(last - WORDS); /* BRANCH RELATIVE ON INDEX wants a pair */
    u64 x, y;
    asm volatile("0:	cli	0(%[w]),0x12\n"
                 "	jne	1f\n"
                 "	llgf	%[x],4(%[w])\n" /* instruction address */
                 "	srlg	%[y],%[x],20\n"
                 "	cgijne	%[y],2,3f\n" /* not in the code cache */
                 "	llgh	%[y],0(%[x],%[sites])\n"
                 "	llgf	%[x],12(%[w])\n" /* branch address */
                 "	risbg	%[x],%[x],49,128+62,59\n"
                 "	llgh	%[x],0(%[x],%[of])\n" /* callee */
                 "	risbg	%[y],%[x],58,60,3\n"
                 "	agr	%[y],%[tally]\n"
                 "	c	%[x],0(%[y])\n"
                 "	jne	4f\n"
                 "	asi	4(%[y]),1\n"
                 "3:	brxlg	%[w],%[step],0b\n"
                 "	j	4f\n"
                 "1:	cli	0(%[w]),0x14\n"
                 "	jne	4f\n"
                 "	aghi	%[transfers],1\n"
                 "	llgf	%[x],4(%[w])\n"
                 "	cl	%[x],12(%[w])\n"
                 "	jle	3b\n"
                 "	srlg	%[y],%[x],20\n"
                 "	cgijne	%[y],2,3b\n"
                 "	risbg	%[x],%[x],49,128+62,59\n"
                 "	llgh	%[x],0(%[x],%[of])\n"
                 "	sllg	%[x],%[x],2\n"
                 "	la	%[x],0(%[x],%[backedges])\n"
                 "	asi	0(%[x]),1\n"
                 "	brxlg	%[w],%[step],0b\n"
                 "4:"
                 : [w] "+a"(w), [transfers] "+d"(*transfers), [x] "=&a"(x), [y] "=&a"(y)
                 : [step] "d"(step), "d"(end), [sites] "a"(TABLE_START - CODE_START), [of] "a"(vm.method_map),
                   [tally] "a"(vm.tally), [backedges] "a"(vm.backedges)
                 : "cc", "memory");
    return w;
}

static inline void read_group(const struct record *r, u32 *counts, u64 *transfers)
{
    const struct record *last = r + RECORDS - 1;
    if ((last->lo & (DS | CS)) == DS) {
        read_directed(r, counts);
        counts[R_FILLER] += RECORDS - 2;
        return;
    }
    sample(last, r[0].lo, counts);
    if (__builtin_expect(r[0].lo < vm.newest, 0)) {
        read_suspect(r, counts);
        return;
    }
    const u32 *const stop = (const u32 *)last;
    for (const u32 *w = (const u32 *)(r + 1); w < stop; w += WORDS) {
        w = read_usual(w, stop, transfers);
        if (w == stop)
            break;
        one_record((const struct record *)w, counts);
    }
}

/* Heat alone stays: where many methods are equally warm none would ever become hot. */
static void halve(void)
{
    for (u32 i = 0; i < vm.methods; i++) {
        struct method *m = &vm.method[i];
        m->self_before += m->self / 2; /* what is odd is kept: of a method seen now and then something must stay */
        m->self -= m->self / 2;
        vm.backedges[i + 1] /= 2;
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

/* RI is off afterwards. */
static void read_all(void)
{
    u32 counts[R_COUNT] = {0}, full;
    u64 transfers = 0;
    const u64 before = instructions();
    const u32 groups = ri_pause(&full);
    const struct record *r = (const struct record *)vm.buffer, *end = r + groups * RECORDS;
    for (; r < end; r += RECORDS)
        read_group(r, counts, &transfers);
    counts[R_TRANSFER] += (u32)transfers;
    vm.window_self += groups - counts[R_FILLER] / (RECORDS - 2); /* directed samples are no measure of time */
    vm.groups += groups;
    vm.stale += counts[R_STALE];
    vm.lost += full;
    vm.transfers = counts[R_OTHER] * 8 < groups;
    vm.calls = counts[R_OTHER] * 2 < groups;
    vm.limit = vm.calls ? GROUP_LIMIT : GROUP_LIMIT_T0;
    counts[R_INSTRUCTION] = groups;
    counts[R_CALL] = groups * (RECORDS - 2) - counts[R_EMIT] - counts[R_TRANSFER] - counts[R_FILLER] - counts[R_STALE];
    if (vm.mode != T1_RI || vm.readings % 4 == 3) /* without decisions nobody looks at sites in between */
        take_tallies();
    vm.window_calls = counts[R_CALL];
    vm.readings++;
    const u64 read = instructions() - before, compiled = vm.compile_insn;
    decide();
    vm.unhalved += groups;
    if (vm.unhalved >= HALVED && vm.mode != T1_RI && vm.mode != T1_DIRECT) {
        vm.unhalved = 0;
        halve();
    }
    vm.reading_insn += read;
    const u64 decided = instructions() - before - read - (vm.compile_insn - compiled);
    vm.deciding_insn += decided;
    vm.read_cost[vm.iteration] += read + decided;
    event_read(counts, groups, (u32)read);
}

void safepoint(void)
{
    if (!vm.sampling)
        return;
    read_all();
    vary_interval();
    ri_resume();
}

/* What is left is read at the end. */
void reading_last(void)
{
    if (!vm.sampling)
        return;
    vm.sampling = 0;
    read_all();
    take_tallies();
}
