/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: branches. A branch takes two operations, the second holding what is needed when it is
   taken. PoP chapter 7.

   While run-time instrumentation is active a branch is in one of three states, each with its handler. In the first it
   asks ri/ for the prediction. After that it owns its predictor entry: the entry then holds this branch, with the
   direction and the target that it went last, so that going the same way again changes nothing and needs no look. It
   loses the entry when another branch takes it, and before the next run when ri/ changed the entry meanwhile.

   With a translator handlers always ask. Then cpu->owners has what is in the predictor, and ri/ asks for it
   (keep_predictor()). */
#include "cpu/control/edges.h"
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"
#include "ri/ri.h"

#define R1 GR(op->r1)
#define R2 GR(op->r2)
#define R3 GR(op->r3)
#define W1 LOW(op->r1)
#define W2 LOW(op->r2)
#define S1 ((int64_t)(int32_t)LOW(op->r1))
#define S2 ((int64_t)(int32_t)LOW(op->r2))

_Static_assert(CPU_PREDICTOR == RI_PREDICTOR && CPU_TRACES >= RI_RING,
               "one word for each entry, one note for each record");

static inline struct ri_prediction *entry_of(struct cpu *cpu, struct op *op)
{
    return ri_prediction_at(cpu->ri, BRANCH.entry);
}

/* A taken branch is noted: only the newest can become records, and only when somebody looks. */
static ALWAYS_INLINE void note(struct cpu *cpu, struct op *op, bool well)
{
    if (LIKELY(BRANCH.flags & RI_SITE_COLLECTED)) {
        cpu->trace[cpu->traced % CPU_TRACES] = (uintptr_t)op + !well;
        RI_FEW_REGISTERS();
        cpu->traced++;
        RI_FEW_REGISTERS();
    }
}
/* The same for an indirect branch; `noted` is the address of its operation, plus one when not well behaved. */
static ALWAYS_INLINE void note_target(struct cpu *cpu, struct op *op, uint64_t target, uintptr_t noted)
{
    if (LIKELY(BRANCH.flags & RI_SITE_COLLECTED)) {
        uint64_t *place = &cpu->trace[cpu->traced % CPU_TRACES];
        place[0] = noted;
        place[CPU_TRACES] = target;
        RI_FEW_REGISTERS();
        cpu->traced++;
        RI_FEW_REGISTERS();
    }
}

/* How often the branch of a note was taken: see BLOCK_PASSES. */
static uint64_t passes_of(const struct cpu *cpu, uint64_t note)
{
    struct op *op = (struct op *)(uintptr_t)(cpu->trace[note % CPU_TRACES] & ~BLOCK_NOTE);
    if (!(cpu->trace[note % CPU_TRACES] & BLOCK_PASSES))
        return 1;
    return cpu->trace[CPU_TRACES + note % CPU_TRACES] / (uint64_t) - (int64_t)op->passed;
}

/* The `count` newest of what was noted up to `from` become records, `from` is moved back over them. */
static void put(struct cpu *cpu, struct block_notes *from, uint64_t count)
{
    while (count) {
        const uint64_t note = from->note - 1, noted = cpu->trace[note % CPU_TRACES], passes = passes_of(cpu, note);
        struct op *op = (struct op *)(uintptr_t)(noted & ~BLOCK_NOTE);
        const uint64_t target =
            BRANCH.flags & RI_SITE_RELATIVE ? BRANCH.target : cpu->trace[CPU_TRACES + note % CPU_TRACES];
        for (; count && from->passed < passes; count--) {
            const bool first = ++from->passed == passes;
            const uint64_t well = !(first && noted & BLOCK_ILL);
            const uint64_t lo =
                BRANCH.flags & RI_SITE_EMIT ? target : well << RI_BRANCH_W_SHIFT | (target & RI_TARGET_MASK);
            ri_put(cpu->ri, --from->record, ri_record_head((enum ri_type)BRANCH.type, BRANCH.own), lo);
        }
        if (from->passed == passes)
            *from = (struct block_notes){note, 0, from->record};
    }
}

/* The newest `now` of what was noted since the last time become records, the others that can be seen are late. */
static void collect(struct cpu *cpu, struct block_cache *cache, uint64_t now)
{
    const uint64_t total = cpu->traced + cpu->traced_again, most = ri_shown(cpu->ri), n = total - cache->collected;
    const uint64_t seen = n < most ? n : most;
    if (n < most) /* else what was late cannot be seen any more */
        put(cpu, &cache->late_from, cache->late);
    now = now < seen ? now : seen;
    cache->late = seen - now;
    cache->late_from = (struct block_notes){cpu->traced, 0, ri_skip(cpu->ri, n)};
    put(cpu, &cache->late_from, now);
    cache->collected = total;
}

void block_collect(struct cpu *cpu) { collect(cpu, cache_of(cpu), UINT64_MAX); }

void block_collect_group(struct cpu *cpu)
{
    struct block_cache *cache = cache_of(cpu);
    const bool many = cpu->traced + cpu->traced_again - cache->collected >= ri_shown(cpu->ri);
    collect(cpu, cache, many ? ri_needed(cpu->ri) : UINT64_MAX);
}

/* RUN-TIME INSTRUMENTATION EMIT while RI is active: its record is noted as one of a branch. */
HANDLER(op_riemit)
{
    if (LIKELY(ri_emits(cpu->ri, op->m)))
        note_target(cpu, op, GR(op->r1), (uintptr_t)op);
    NEXT(2);
}

/* The state of a branch becomes that of this handler. */
static inline void enter_state(struct block_cache *cache, struct op *op, handler run)
{
    *(op == cache->stop ? &cache->stop_run : &op->run) = run;
}

/* The branch goes another way than last time: entry and state follow. */
static inline void turn(struct cpu *cpu, struct op *op, bool taken)
{
    const struct branch_set *set = &block_sets[BRANCH.set];
    entry_of(cpu, op)->tag = BRANCH.own | taken;
    enter_state(cache_of(cpu), op, taken ? set->taken : set->not_taken);
}

/* The owner of a predictor entry asks again. */
static void disown(struct block_cache *cache, unsigned entry)
{
    struct op *op = cache->owner[entry];
    if (op)
        enter_state(cache, op, block_sets[BRANCH.set].ask);
    cache->owner[entry] = NULL;
}

/* The branch takes its entry. True: it was taken and well behaved. */
static bool acquire(struct cpu *cpu, struct op *op, bool taken, uint64_t target)
{
    struct block_cache *cache = cache_of(cpu);
    const struct branch_set *set = &block_sets[BRANCH.set];
    const struct ri_site site = {.own = BRANCH.own, .entry = entry_of(cpu, op)};
    const bool well = ri_branch_learn(cpu->ri, &site, BRANCH.flags, taken, target);
    disown(cache, BRANCH.entry);
    cache->owner[BRANCH.entry] = op;
    cache->owned[BRANCH.entry / 64] |= UINT64_C(1) << BRANCH.entry % 64;
    ri_entry_taken(cpu->ri, BRANCH.entry);
    enter_state(cache, op, taken ? set->taken : set->not_taken);
    return well;
}

/* By handlers alone: the branch of `op`, to `target`. True: it was taken and well behaved. */
static bool branch_owned(struct cpu *cpu, struct op *op, bool taken, uint64_t target)
{
    struct block_cache *cache = cache_of(cpu);
    struct ri_prediction *entry = entry_of(cpu, op);
    if (cache->owner[BRANCH.entry] != op)
        return acquire(cpu, op, taken, target);
    const bool was = entry->tag & 1, well = taken && was && entry->target == target;
    entry->target = target;
    if (taken != was)
        turn(cpu, op, taken);
    return well;
}

/* ---- with a translator ----------------------------------------------------------------------------------------- */

static struct op *owner_op(const struct cpu *cpu, uint32_t owner)
{
    return (struct op *)(void *)(cpu->engine->blocks->arena + (owner & ~1u));
}

/* Is it the same for the predictor? */
static bool same_branch(struct op *op, struct op *other)
{
    const struct op_branch *b = (struct op_branch *)(void *)(other + 1);
    const uint8_t relative = BRANCH.flags & RI_SITE_RELATIVE;
    return BRANCH.own == b->own && relative == (b->flags & RI_SITE_RELATIVE) &&
           (!relative || BRANCH.target == b->target);
}

/* Is one at its address, relative or not when it is the other? */
static bool other_kind(struct op *op, struct op *other)
{
    const struct op_branch *b = (struct op_branch *)(void *)(other + 1);
    return BRANCH.own == b->own && (BRANCH.flags ^ b->flags) & RI_SITE_RELATIVE;
}

uint32_t block_owner(struct cpu *cpu, struct op *op)
{
    struct block_cache *cache = cache_of(cpu);
    uint32_t *place;
    for (unsigned at = (unsigned)(BRANCH.own * UINT64_C(0x9e3779b97f4a7c15) >> 40);; at++) {
        place = &cache->branches[at % BLOCK_BRANCHES];
        if (!*place)
            break;
        struct op *other = owner_op(cpu, *place);
        if (same_branch(op, other))
            return *place;
        cpu->owners_mixed[BRANCH.entry] |= other_kind(op, other);
    }
    *place = (uint32_t)((const uint8_t *)op - cache->arena);
    if (++cache->branch_count >= cache->translator->branches) /* there is room for those of the current run */
        block_purge(cache);
    return *place;
}

static void settle_entry(struct cpu *cpu, struct ri *ri, unsigned entry)
{
    const uint32_t owner = cpu->owners[entry];
    if (!owner)
        return;
    if (ri_entry_changed(ri, entry)) {
        cpu->owners[entry] = 0;
        return;
    }
    struct op *op = owner_op(cpu, owner);
    const uint64_t target = BRANCH.flags & RI_SITE_RELATIVE ? BRANCH.target : cpu->owner_targets[entry];
    ri_settle_entry(ri, BRANCH.own, owner & 1, target);
}

static void keep_predictor(void *context, struct ri *ri, unsigned entry)
{
    if (entry < RI_PREDICTOR)
        settle_entry(context, ri, entry);
    else
        for (unsigned i = 0; i < RI_PREDICTOR; i++)
            settle_entry(context, ri, i);
}

void block_predictor_begin(struct cpu *cpu) { ri_keep_elsewhere(cpu->ri, keep_predictor, cpu); }

void block_predictor_end(struct cpu *cpu)
{
    if (!cpu->ri || !cpu->ri->keeper)
        return;
    keep_predictor(cpu, cpu->ri, RI_PREDICTOR);
    ri_keep_elsewhere(cpu->ri, NULL, NULL);
    memset(cpu->owners, 0, sizeof cpu->owners);
    memset(cpu->owners_mixed, 0, sizeof cpu->owners_mixed);
}

/* The branch of `op`, to `target`, of which ri/ has to say what it does to the predictor. */
static bool branch_learned(struct cpu *cpu, struct op *op, bool taken, uint64_t target)
{
    const struct ri_site site = {.own = BRANCH.own, .entry = entry_of(cpu, op)};
    settle_entry(cpu, cpu->ri, BRANCH.entry);
    const bool well = ri_branch_learn(cpu->ri, &site, BRANCH.flags, taken, target);
    ri_entry_taken(cpu->ri, BRANCH.entry);
    cpu->owners[BRANCH.entry] = block_owner(cpu, op) + taken;
    cpu->owner_targets[BRANCH.entry] = target;
    return well;
}

__attribute__((noinline)) uint64_t block_branch(struct cpu *cpu, uintptr_t branch, uint64_t target)
{
    struct op *op = (struct op *)(branch & ~(uintptr_t)1);
    const bool taken = branch & 1, relative = BRANCH.flags & RI_SITE_RELATIVE;
    if (relative)
        target = BRANCH.target;
    const bool well =
        cache_of(cpu)->translator ? branch_learned(cpu, op, taken, target) : branch_owned(cpu, op, taken, target);
    if (taken && relative)
        note(cpu, op, well);
    else if (taken)
        note_target(cpu, op, target, (uintptr_t)op + !well);
    return target;
}

void block_disown_touched(struct cpu *cpu)
{
    struct block_cache *cache = cache_of(cpu);
    if (LIKELY(!ri_any_changed(cpu->ri)))
        return;
    for (unsigned i = 0; i < RI_PREDICTOR / 64; i++) {
        const uint64_t changed = ri_entries_changed(cpu->ri, i);
        uint64_t lost = cache->owned[i] & changed;
        cache->owned[i] &= ~lost;
        for (; lost; lost &= lost - 1)
            disown(cache, 64 * i + (unsigned)__builtin_ctzll(lost));
        for (lost = cache->translator ? changed : 0; lost; lost &= lost - 1)
            cpu->owners[64 * i + (unsigned)__builtin_ctzll(lost)] = 0;
    }
}

/* ---- edge profiles ------------------------------------------------------------------------------------------------
 */

/* These handlers stand apart: code that is used always lies close together. */
#define EDGES __attribute__((section(".text.edges")))

/* A branch was taken. True: a look at what was collected is due. */
static ALWAYS_INLINE bool edge_taken(struct cpu *cpu, const struct op *op, uint64_t target)
{
    const int64_t word = cpu->edge_word - (CPU_EDGE - 1);
    struct ep_noted *e =
        (struct ep_noted *)(void *)((uint8_t *)cpu->edge_ring + ((uint64_t)word * sizeof *e & cpu->edge_mask));
    e->branch = op;
    e->word = word;
    e->to = target;
    cpu->edge_word = word;
    RI_FEW_REGISTERS();
    return word < 0;
}
static ALWAYS_INLINE bool edge_not_taken(struct cpu *cpu) { return (cpu->edge_word -= CPU_EDGE) < 0; }

/* The entry of number `number`, with which so many branches had completed that are not told yet. */
static ALWAYS_INLINE void fill_entry(const struct cpu_edges *e, uint64_t number, struct ep_entry *entry)
{
    struct op *op = (struct op *)(uintptr_t)cpu_edges_noted(e, number)->branch;
    *entry = (struct ep_entry){.from = e->next,
                               .to = cpu_edges_target(e, number),
                               .event = e->unit->pmc.total + cpu_edges_with(e, number),
                               .epoch = e->machine->epoch,
                               .kind = BRANCH.flags & (uint8_t)~BLOCK_RELATIVE};
    entry->from.address = BRANCH.own;
}

/* The sample is due, and everything that it shows was collected since the unit was far from it. `events` branches have
   completed, `taken` of them taken; the last one has number `trigger`, or 0: it was not. As many as are seen of them
   are told, behind the newest taken one before them. */
static void edge_sample(struct cpu *cpu, uint64_t taken, uint64_t events, uint64_t trigger)
{
    struct cpu_edges *e = cpu->edges;
    struct ep_unit *u = e->unit;
    const struct op *op = trigger ? cpu_edges_noted(e, trigger)->branch : e->not_taken;
    struct ep_latest latest = {.origin = u->at, .place = e->next};
    struct ep_trigger t = {.at = e->next, .branch = true, .taken = trigger};
    struct ep_marked marked;
    uint64_t unseen = events - u->parameters.tbt;
    if (unseen < ep_unit_far(u))
        unseen = ep_unit_far(u);
    uint64_t first = cpu_edges_before(e, taken, unseen);
    latest.place.address =
        trigger ? cpu_edges_noted(e, trigger)->to : (BRANCH.own + op->length) & ep_mode_mask(t.at.mode);
    if (ep_same_space(u->at, e->next)) {
        marked = cpu_edges_named(cpu, first, taken, trigger);
        if (ep_unit_marked(u, &marked, latest.place, events))
            return;
        latest.marked = &marked;
    }
    if (first)
        latest.origin = cpu_edges_target(e, first);
    while (first < taken)
        fill_entry(e, ++first, &u->entries[latest.count++]);
    t.at.address = BRANCH.own;
    ep_unit_sampled(u, &latest, events, t);
}

/* The branch that a sample is due behind, the newest that has completed; its number, or 0: it was not taken. */
static void edge_trigger(struct cpu *cpu, uint64_t number)
{
    struct cpu_edges *e = cpu->edges;
    struct op *op = (struct op *)(uintptr_t)(number ? cpu_edges_noted(e, number)->branch : e->not_taken);
    struct dis_insn insn;
    dis_decode(block_of(op)->host + op->offset, &insn);
    struct ep_branch b = {.from = e->next, .insn = &insn, .taken = number, .problem = e->problem};
    b.from.address = BRANCH.own;
    b.to = b.from;
    b.to.address = (BRANCH.own + op->length) & ep_mode_mask(b.from.mode);
    if (number)
        b.to = cpu_edges_target(e, number);
    ep_unit_branch(e->unit, &b);
}

/* Of `events` branches the taken ones up to number `newest` into the unit. Of those before it remembers any only where
   it begins to is told: at the latest taken one, so that what was not taken since is among what follows. */
static void tell_edges(struct cpu *cpu, uint64_t newest, uint64_t events)
{
    struct cpu_edges *e = cpu->edges;
    struct ep_unit *u = e->unit;
    const uint64_t far = ep_unit_far(u);
    if (events < far) {
        ep_unit_counted(u, e->next, events);
        return;
    }
    const uint64_t most = u->parameters.tbt + 1u;
    unsigned count = (unsigned)(newest < most ? newest : most); /* older ones cannot be seen */
    while (far && count && cpu_edges_with(e, newest - count + 1) <= far)
        count--;
    for (unsigned i = 0; i < count; i++)
        fill_entry(e, newest - count + i + 1, &e->entries[i]);
    ep_unit_counted(u, newest > count ? cpu_edges_target(e, newest - count) : u->at, far);
    ep_unit_branches(u, e->entries, count, far ? count : newest, events - far);
}

void block_edges(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    const int64_t word = cpu->edge_word;
    if (e->far) {
        cpu_edges_counted(cpu);
        return;
    }
    cpu->edge_word = e->start; /* a sample may be looked at now, and settles */
    const uint64_t taken = (uint64_t)word & (CPU_EDGE - 1);
    const uint64_t events = (uint64_t)(e->start - (word - (int64_t)taken)) / (uint64_t)CPU_EDGE;
    const bool due = events == e->unit->pmc.left;
    const uint64_t trigger = due && taken && cpu_edges_noted(e, taken)->word == word ? taken : 0;
    if (due && ep_unit_starts_anew(e->unit)) {
        edge_sample(cpu, taken, events, trigger);
    } else {
        tell_edges(cpu, taken - (trigger != 0), events - due);
        if (due)
            edge_trigger(cpu, trigger);
    }
    cpu_edges_arm(cpu);
}

/* ---- relative branches: taken on `condition`, after `work` ----------------------------------------------------- */

/* A branch to this address was taken, and the run is left there. */
#define EDGES_AT(address)                                                                                              \
    do {                                                                                                               \
        cpu->bear = BRANCH.own;                                                                                        \
        cpu->budget += op->passed;                                                                                     \
        cpu->psw.ia = (address);                                                                                       \
        kind = op->after == KIND_DYNAMIC ? kind : op->after;                                                           \
        TAIL op_turn(ARGS);                                                                                            \
    } while (0)

#define RELATIVE(name, work, condition)                                                                                \
    PLAIN(plain_##name, work, condition)                                                                               \
    static HANDLER(ask_##name)                                                                                         \
    {                                                                                                                  \
        work;                                                                                                          \
        bool taken = (condition);                                                                                      \
        block_branch(cpu, (uintptr_t)op + taken, BRANCH.target);                                                       \
        if (taken)                                                                                                     \
            TAKE();                                                                                                    \
        NEXT(2);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(taken_##name)                                                                                       \
    {                                                                                                                  \
        work;                                                                                                          \
        if (LIKELY(condition)) {                                                                                       \
            note(cpu, op, true);                                                                                       \
            TAKE();                                                                                                    \
        }                                                                                                              \
        turn(cpu, op, false);                                                                                          \
        NEXT(2);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(not_##name)                                                                                         \
    {                                                                                                                  \
        work;                                                                                                          \
        if (UNLIKELY(condition)) {                                                                                     \
            turn(cpu, op, true);                                                                                       \
            note(cpu, op, false);                                                                                      \
            TAKE();                                                                                                    \
        }                                                                                                              \
        NEXT(2);                                                                                                       \
    }                                                                                                                  \
    static EDGES HANDLER(edge_##name)                                                                                  \
    {                                                                                                                  \
        work;                                                                                                          \
        if (condition) {                                                                                               \
            if (UNLIKELY(edge_taken(cpu, op, BRANCH.target)))                                                          \
                EDGES_AT(BRANCH.target);                                                                               \
            TAKE();                                                                                                    \
        }                                                                                                              \
        if (UNLIKELY(edge_not_taken(cpu)))                                                                             \
            TAIL op_edges(ARGS);                                                                                       \
        NEXT(2);                                                                                                       \
    }
#define PLAIN(name, work, condition)                                                                                   \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        work;                                                                                                          \
        if (condition)                                                                                                 \
            TAKE();                                                                                                    \
        NEXT(2);                                                                                                       \
    }
#define SET(name)                                                                                                      \
    {                                                                                                                  \
        plain_##name, ask_##name, taken_##name, not_##name, edge_##name                                                \
    }

/* clang-format off */
#define MASKS(V, K, knd)                                                                                               \
    V(K, knd, 1) V(K, knd, 2) V(K, knd, 3) V(K, knd, 4) V(K, knd, 5) V(K, knd, 6) V(K, knd, 7) V(K, knd, 8)            \
    V(K, knd, 9) V(K, knd, 10) V(K, knd, 11) V(K, knd, 12) V(K, knd, 13) V(K, knd, 14)
#define KINDS(V, F)                                                                                                    \
    F(V, cc, KIND_CC) F(V, s, KIND_S) F(V, u, KIND_U) F(V, add32, KIND_ADD32) F(V, add64, KIND_ADD64)                  \
    F(V, sub64, KIND_SUB64) F(V, addl, KIND_ADDL) F(V, subl, KIND_SUBL) F(V, tm, KIND_TM) F(V, tmx, KIND_TMX)
/* clang-format on */

/* BRANCH RELATIVE ON CONDITION for each kind of condition code and each mask */
#define BRC(K, knd, mask) RELATIVE(brc_##K##_##mask, , cc_test(knd, mask, a, b))
KINDS(BRC, MASKS)
RELATIVE(brc_any, , op->m >> (3 - cc_value((unsigned)kind, a, b)) & 1)

RELATIVE(jump, , true)
RELATIVE(link, R1 = BRANCH.own + op->length, true)
RELATIVE(brct, W1 = W1 - 1, W1 != 0)
RELATIVE(brctg, R1 = R1 - 1, R1 != 0)

/* r2 is the comparand's register. */
#define INDEX(name, relation)                                                                                          \
    RELATIVE(name, int32_t sum = (int32_t)(W1 + LOW(op->r3)); int32_t limit = (int32_t)W2;                             \
             W1 = (uint32_t)sum, sum relation limit)                                                                   \
    RELATIVE(name##g, int64_t sum = (int64_t)(R1 + R3); int64_t limit = (int64_t)R2;                                   \
             R1 = (uint64_t)sum, sum relation limit)
INDEX(brxle, <=)
INDEX(brxh, >)

/* COMPARE AND BRANCH RELATIVE: masks 1-6, bits 0-2 of M3; 7 is a jump */
/* clang-format off */
#define COMPARE(name, knd, x, y)                                                                                       \
    COMPARE1(name, knd, 1, x, y) COMPARE1(name, knd, 2, x, y) COMPARE1(name, knd, 3, x, y)                             \
    COMPARE1(name, knd, 4, x, y) COMPARE1(name, knd, 5, x, y) COMPARE1(name, knd, 6, x, y)
/* clang-format on */
#define COMPARE1(name, knd, m, x, y) RELATIVE(name##_##m, , cc_test(knd, 2 * m, (uint64_t)(x), (uint64_t)(y)))
COMPARE(crj, KIND_S, S1, S2)
COMPARE(cgrj, KIND_S, R1, R2)
COMPARE(clrj, KIND_U, W1, W2)
COMPARE(clgrj, KIND_U, R1, R2)
COMPARE(cij, KIND_S, S1, (int8_t)op->m)
COMPARE(cgij, KIND_S, R1, (int8_t)op->m)
COMPARE(clij, KIND_U, W1, op->m)
COMPARE(clgij, KIND_U, R1, op->m)

/* ---- branches to an address in a register or by base and displacement, 64-bit mode ----------------------------- */

/* Go to `target` by the table for the current mode. */
#define JUMP(target)                                                                                                   \
    do {                                                                                                               \
        cpu->bear = BRANCH.own;                                                                                        \
        RI_FEW_REGISTERS();                                                                                            \
        cpu->budget += op->passed;                                                                                     \
        kind = op->after == KIND_DYNAMIC ? kind : op->after;                                                           \
        RI_FEW_REGISTERS();                                                                                            \
        struct block *to_ = cpu->jumps[jump_slot(target)];                                                             \
        if (LIKELY(to_->ia == (target) && cpu->budget >= to_->need)) {                                                 \
            op = to_->ops;                                                                                             \
            GO();                                                                                                      \
        }                                                                                                              \
        cpu->psw.ia = (target);                                                                                        \
        TAIL op_find(ARGS);                                                                                            \
    } while (0)

#define INDIRECT(name, work, address, condition)                                                                       \
    INDIRECT_PLAIN(plain_##name, work, address, condition)                                                             \
    static HANDLER(ask_##name)                                                                                         \
    {                                                                                                                  \
        uint64_t target = (address);                                                                                   \
        work;                                                                                                          \
        bool taken = (condition);                                                                                      \
        block_branch(cpu, (uintptr_t)op + taken, target);                                                              \
        if (taken)                                                                                                     \
            JUMP(target);                                                                                              \
        NEXT(2);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(taken_##name)                                                                                       \
    {                                                                                                                  \
        uint64_t target = (address);                                                                                   \
        work;                                                                                                          \
        uintptr_t noted = (uintptr_t)op;                                                                               \
        if (target != entry_of(cpu, op)->target) {                                                                     \
            noted++;                                                                                                   \
            entry_of(cpu, op)->target = target;                                                                        \
        }                                                                                                              \
        if (LIKELY(condition)) {                                                                                       \
            note_target(cpu, op, target, noted);                                                                       \
            JUMP(target);                                                                                              \
        }                                                                                                              \
        turn(cpu, op, false);                                                                                          \
        NEXT(2);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(not_##name)                                                                                         \
    {                                                                                                                  \
        uint64_t target = (address);                                                                                   \
        work;                                                                                                          \
        entry_of(cpu, op)->target = target;                                                                            \
        if (UNLIKELY(condition)) {                                                                                     \
            turn(cpu, op, true);                                                                                       \
            note_target(cpu, op, target, (uintptr_t)op + 1);                                                           \
            JUMP(target);                                                                                              \
        }                                                                                                              \
        NEXT(2);                                                                                                       \
    }                                                                                                                  \
    static EDGES HANDLER(edge_##name)                                                                                  \
    {                                                                                                                  \
        uint64_t target = (address);                                                                                   \
        work;                                                                                                          \
        if (condition) {                                                                                               \
            if (UNLIKELY(edge_taken(cpu, op, target)))                                                                 \
                EDGES_AT(target);                                                                                      \
            JUMP(target);                                                                                              \
        }                                                                                                              \
        if (UNLIKELY(edge_not_taken(cpu)))                                                                             \
            TAIL op_edges(ARGS);                                                                                       \
        NEXT(2);                                                                                                       \
    }
#define INDIRECT_PLAIN(name, work, address, condition)                                                                 \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        uint64_t target = (address);                                                                                   \
        work;                                                                                                          \
        if (condition)                                                                                                 \
            JUMP(target);                                                                                              \
        NEXT(2);                                                                                                       \
    }

#define BY_MASK (op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1)
#define BY_XBD  R2 + R3 + (uint64_t)op->i
INDIRECT(br, , R2, true)
INDIRECT(bcr, , R2, BY_MASK)
INDIRECT(basr, R1 = BRANCH.own + op->length, R2, true)
INDIRECT(bc, , BY_XBD, BY_MASK)
INDIRECT(b, , BY_XBD, true)
INDIRECT(bct, W1 = W1 - 1, BY_XBD, W1 != 0)
INDIRECT(bctr, W1 = W1 - 1, R2, W1 != 0)
INDIRECT(bctgr, R1 = R1 - 1, R2, R1 != 0)

/* BRANCH ON CONDITION to a register, for each kind and mask */
#define BCR(K, knd, mask) INDIRECT(bcr_##K##_##mask, , R2, cc_test(knd, mask, a, b))
KINDS(BCR, MASKS)

#define BRC_SET(K, knd, mask) [SET_BRC + 16 * (knd) + (mask)] = SET(brc_##K##_##mask),
#define BCR_SET(K, knd, mask) [SET_BCR + 16 * (knd) + (mask)] = SET(bcr_##K##_##mask),
#define COMPARE_SET(at, name)                                                                                          \
    [SET_COMPARE + 8 * (at) + 1] = SET(name##_1), [SET_COMPARE + 8 * (at) + 2] = SET(name##_2),                        \
                              [SET_COMPARE + 8 * (at) + 3] = SET(name##_3),                                            \
                              [SET_COMPARE + 8 * (at) + 4] = SET(name##_4),                                            \
                              [SET_COMPARE + 8 * (at) + 5] = SET(name##_5),                                            \
                              [SET_COMPARE + 8 * (at) + 6] = SET(name##_6), [SET_COMPARE + 8 * (at) + 7] = SET(jump)
const struct branch_set block_sets[SETS] = {
    KINDS(BRC_SET, MASKS) KINDS(BCR_SET, MASKS) COMPARE_SET(0, crj),
    COMPARE_SET(1, cgrj),
    COMPARE_SET(2, clrj),
    COMPARE_SET(3, clgrj),
    COMPARE_SET(4, cij),
    COMPARE_SET(5, cgij),
    COMPARE_SET(6, clij),
    COMPARE_SET(7, clgij),
    [SET_BRC_ANY] = SET(brc_any),
    [SET_JUMP] = SET(jump),
    [SET_LINK] = SET(link),
    [SET_BRCT] = SET(brct),
    [SET_BRCTG] = SET(brctg),
    [SET_BRXLE] = SET(brxle),
    [SET_BRXH] = SET(brxh),
    [SET_BRXLG] = SET(brxleg),
    [SET_BRXHG] = SET(brxhg),
    [SET_BR] = SET(br),
    [SET_BCR_ANY] = SET(bcr),
    [SET_BASR] = SET(basr),
    [SET_BC] = SET(bc),
    [SET_B] = SET(b),
    [SET_BCT] = SET(bct),
    [SET_BCTR] = SET(bctr),
    [SET_BCTGR] = SET(bctgr),
};
