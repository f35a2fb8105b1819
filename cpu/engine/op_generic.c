/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: instructions by their bodies, and the ways out of a run. Whatever leaves a run puts the
   PSW, the condition code and the budget into the CPU exactly as the reference engine has them there. */
#include "cpu/control/edges.h"
#include "cpu/control/interrupt.h"
#include "cpu/engine/reference/bind.h"
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"
#include "cpu/state/timing.h"
#include "ri/ri.h"

void block_cc_operands(unsigned kind, unsigned cc, uint64_t *a, uint64_t *b)
{
    static const struct {
        int64_t a, b;
    } table[KIND_COUNT][4] = {
        [KIND_CC] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}},
        [KIND_S] = {{0, 0}, {-1, 0}, {1, 0}, {1, 0}},
        [KIND_U] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}},
        [KIND_ADD32] = {{0, 0}, {-1, 0}, {1, 0}, {INT64_MAX, 0}},
        [KIND_ADD64] = {{0, 0}, {-1, 0}, {1, 0}, {INT64_MAX, 1}},
        [KIND_SUB64] = {{0, 0}, {-1, 0}, {1, 0}, {INT64_MIN, 1}},
        [KIND_ADDL] = {{0, 0}, {0, 1}, {1, 0}, {2, 1}},
        [KIND_SUBL] = {{0, 0}, {0, 1}, {0, 0}, {1, 0}},
        [KIND_TM] = {{0, 1}, {1, 3}, {1, 3}, {1, 1}},
        [KIND_TMX] = {{0, 1}, {1, 3}, {2, 3}, {3, 3}},
    };
    *a = (uint64_t)table[kind][cc].a;
    *b = (uint64_t)table[kind][cc].b;
}

void block_charge_ri(struct cpu *cpu, struct block_cache *cache)
{
    if (!(cache->mode & MODE_RI))
        return;
    ri_charge(cpu->ri, cache->mode & MODE_RI_CYCLES ? cpu_run_cycles(cpu) - cache->ri_cycles
                                                    : (uint64_t)(cache->ri_place - block_place(cpu)));
    block_charged(cpu, cache);
}

/* MODE_FAR: branches of its block before the instruction of `op`. */
static unsigned branches_before(const struct op *op)
{
    const struct block *block = block_of((struct op *)(uintptr_t)op);
    return ((const uint8_t *)block)[block->branches + op->count];
}

/* The instructions before the one of `op` were carried out, and it is the next. */
static inline void pass_before(struct cpu *cpu, const struct op *op)
{
    cpu->budget += block_passed(op->count, op->cycles);
    if (UNLIKELY(cache_of(cpu)->mode & MODE_FAR))
        cpu->budget += block_counted(branches_before(op));
}

/* What it did is undone. */
static inline void pass_back(struct cpu *cpu, const struct op *op)
{
    cpu->budget -= block_passed(op->count, op->cycles);
    if (UNLIKELY(cache_of(cpu)->mode & MODE_FAR))
        cpu->budget -= block_counted(branches_before(op));
}

uint64_t block_timer(struct cpu *cpu, const struct op *op)
{
    pass_before(cpu, op);
    const uint64_t value = (uint64_t)cpu_timer_value(cpu);
    pass_back(cpu, op);
    return value;
}

uint64_t block_tod(struct cpu *cpu, const struct op *op)
{
    pass_before(cpu, op);
    const uint64_t value = cpu_tod(cpu);
    pass_back(cpu, op);
    return value;
}

uint64_t block_tod_extended(struct cpu *cpu, const struct op *op, uint8_t bytes[16])
{
    pass_before(cpu, op);
    cpu_extended_tod(cpu, bytes);
    pass_back(cpu, op);
    return 0;
}

/* The last instruction, of so many cycles, is over: charge it when it is complete, to run-time instrumentation when
   that counts it (`ri`). The budget stands behind it. */
static void charge_last(struct cpu *cpu, struct block_cache *cache, unsigned cycles, bool complete, bool ri)
{
    cache->uncounted = complete ? 0 : cycles;
    if (ri && complete)
        block_charge_ri(cpu, cache);
    else
        block_charged(cpu, cache);
}

/* The state that the reference engine has before a body is called. */
static inline void prepare(struct cpu *cpu, struct op *op, unsigned cc)
{
    uint64_t ia = op_ia(op);
    cpu->cc = (uint8_t)cc;
    cpu->insn_ia = ia;
    cpu->psw.ia = (ia + op->length) & cpu->address_mask;
    cpu->ilc = op->length;
    cpu->executed = false;
    pass_before(cpu, op);
}

static bool completes(const struct cpu *cpu, int code)
{
    return code == 0 || code == CPU_SVC || cpu_completes(cpu, code);
}

static __attribute__((noinline)) void over_charged(struct cpu *cpu, struct block_cache *cache, int code)
{
    block_charge_ri(cpu, cache);
    cpu->budget += block_passed(1, cpu->ilc / 2u);
    if (cache->mode & MODE_RI)
        block_collect(cpu);
    charge_last(cpu, cache, cpu->ilc / 2u, completes(cpu, code), true);
}

/* The current instruction is over with `code`, and the run with it. The budget stands before the instruction. */
static __attribute__((noinline)) void over(struct cpu *cpu, int code)
{
    struct block_cache *cache = cache_of(cpu);
    if (UNLIKELY(cache->mode & (MODE_RI | MODE_CYCLES)))
        over_charged(cpu, cache, code);
    else
        cpu->budget += block_passed(1, cpu->ilc / 2u);
    if (UNLIKELY(cache->mode & MODE_EDGES))
        cpu_edges_stopped(cpu, code);
    if (code == CPU_PARTIAL)
        cpu->psw.ia = cpu->insn_ia;
    else if (code)
        cpu_deliver(cpu, code);
    cache->around |= code != 0 || cpu->leave || cpu->look_around;
}

void block_fault(OPERANDS, int code)
{
    (void)tlb;
    prepare(cpu, op, cc_value(op_kind(op, kind), a, b));
    over(cpu, code);
}

void block_refetch(OPERANDS)
{
    (void)tlb;
    cpu->cc = (uint8_t)cc_value(op->after == KIND_DYNAMIC ? (unsigned)kind : op->after, a, b);
    cpu->insn_ia = op_ia(op);
    cpu->psw.ia = (cpu->insn_ia + op->length) & cpu->address_mask;
    cpu->ilc = op->length;
    pass_before(cpu, op);
    over(cpu, 0);
}

/* Leave the run before the instruction of `op`, which is the reference engine's; the condition code is in place. */
static void leave_to_reference(struct cpu *cpu, struct op *op)
{
    struct block_cache *cache = cache_of(cpu);
    cpu->psw.ia = op_ia(op);
    pass_before(cpu, op);
    if (UNLIKELY(cache->mode & MODE_RI))
        block_charge_ri(cpu, cache);
    cache->step = true;
}

/* The instruction of `op` took some of the run's time: is there enough for the rest of its block? The budget stands
   where the block begins. */
static bool in_time(struct cpu *cpu, struct op *op)
{
    cpu->worked = false;
    return cpu->budget >= block_of(op)->need;
}

/* Carry out by the body. Returns true when the run can go on behind the instruction. */
static __attribute__((noinline)) bool body(struct cpu *cpu, struct op *op, unsigned cc, const struct dis_insn *insn)
{
    struct dis_insn anew;
    prepare(cpu, op, cc);
    if (!insn) {
        dis_decode(block_of(op)->host + op->offset, &anew);
        insn = &anew;
    }
    uint64_t next = cpu->psw.ia;
    int code = cpu_bodies[insn->row](cpu, insn);
    if (LIKELY(code == 0 && !(cpu->refetch | cpu->leave | cpu->look_around) && cpu->psw.ia == next)) {
        pass_back(cpu, op);
        if (LIKELY(!cpu->worked) || in_time(cpu, op))
            return true;
        pass_before(cpu, op);
    }
    over(cpu, code);
    return false;
}

HANDLER(op_again)
{
    if (!block_goes_on(cpu))
        LEAVE_RUN();
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    struct block *block = cpu->jumps[jump_slot(cpu->psw.ia)];
    if (LIKELY(block->ia == cpu->psw.ia && cpu->budget >= block->need)) {
        op = block->ops;
        GO();
    }
    TAIL op_find(ARGS);
}

HANDLER(op_generic)
{
    if (UNLIKELY(!body(cpu, op, cc_value(op_kind(op, kind), a, b), op->insn)))
        TAIL op_again(ARGS);
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    NEXT(1);
}

/* An execute-type instruction whose target is none of the known ones; the condition code is in place. */
HANDLER(op_executed)
{
    (void)a, (void)b;
    if (cache_of(cpu)->mode & (MODE_RI | MODE_CYCLES | MODE_EDGES)) {
        leave_to_reference(cpu, op);
        LEAVE_RUN();
    }
    if (UNLIKELY(!body(cpu, op, cpu->cc, op->insn)))
        TAIL op_again(ARGS);
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    NEXT(1);
}

struct pair {
    uint64_t a, b;
};
static __attribute__((noinline)) struct pair pair_of(const struct cpu *cpu, const struct op *op)
{
    struct pair p;
    block_cc_operands(op->after, cpu->cc, &p.a, &p.b);
    return p;
}
/* Behind op_redo: a and b for the condition code that the body left */
SLOW_HANDLER(redone)
{
    struct pair p = pair_of(cpu, op);
    a = p.a;
    b = p.b;
    NEXT(1);
}

HANDLER(op_redo)
{
    if (UNLIKELY(!body(cpu, op, cc_value(op_kind(op, kind), a, b), NULL)))
        TAIL op_again(ARGS);
    tlb = cpu->tlb;
    if (op->after != KIND_DYNAMIC)
        TAIL redone(ARGS);
    NEXT(1);
}

/* Is there something to look at behind an instruction of a row that may change the mode? A supervisor that is entered
   and left all the time gives the primary space back to its program while it is in its own home space. */
static bool changes_mode(const struct cpu *cpu, const struct dis_insn *insn)
{
    const bool unused =
        (block_loads_space(insn) && (cpu->psw.mask & BLOCK_HOME) == BLOCK_HOME) || insn->row == DIS_LBEAR;
    return dis_rows[insn->row].flags & DIS_CHANGES_MODE && (!unused || cpu->exceptions);
}

/* The last instruction of a block: one that changes the mode, or branches in a way that has no handler. */
static __attribute__((noinline)) bool body_end(struct cpu *cpu, struct op *op, unsigned cc, const struct dis_insn *insn)
{
    prepare(cpu, op, cc);
    int code = cpu_bodies[insn->row](cpu, insn);
    const bool changes = changes_mode(cpu, insn);
    if (code == 0 && !(cpu->refetch | cpu->leave | cpu->worked) && !changes && insn->row != DIS_SPM &&
        !(cache_of(cpu)->mode & (MODE_RI | MODE_EDGES))) {
        cpu->budget += block_passed(1, op->length / 2u);
        return true;
    }
    over(cpu, code);
    cache_of(cpu)->around |= changes;
    return false;
}

HANDLER(op_generic_end)
{
    if (!body_end(cpu, op, cc_value(op_kind(op, kind), a, b), op->insn))
        TAIL op_again(ARGS);
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    TAIL op_find(ARGS);
}

static __attribute__((noinline)) void body_mode(struct cpu *cpu, struct op *op, unsigned cc)
{
    struct dis_insn insn;
    dis_decode(block_of(op)->host + op->offset, &insn);
    if (body_end(cpu, op, cc, &insn))
        cache_of(cpu)->around = true;
}

HANDLER(op_redo_mode)
{
    body_mode(cpu, op, cc_value(op_kind(op, kind), a, b));
    TAIL op_again(ARGS);
}

bool block_edges_crossing(struct cpu *cpu, const struct dis_insn *insn, uint64_t absolute)
{
    return cpu_edges_untold(insn) && cpu_edges_mark(cpu, absolute);
}

/* The instruction of `op`, whose rest is in the next page. False: it is the reference engine's. */
static bool fetch_crossing(struct cpu *cpu, struct op *op, struct dis_insn *insn)
{
    uint8_t bytes[6];
    uint64_t absolute;
    if (cpu_fetch_instruction(cpu, op_ia(op), bytes))
        return false;
    if (UNLIKELY(!block_same_instruction(insn, bytes)))
        dis_decode(bytes, insn);
    if (UNLIKELY(cache_of(cpu)->mode & MODE_EDGES) &&
        (cpu_instruction_page(cpu, (op_ia(op) + PAGE_SIZE_Z) & PAGE_ADDRESS & cpu->address_mask, &absolute) ||
         !block_edges_crossing(cpu, insn, absolute)))
        return false;
    if (LIKELY(!cpu->sys->threads))
        return true;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* it may be one that serializes */
    return insn->length == op->length && !engine_needs_alone(insn->row);
}

/* Fetched as often as other blocks are carried out until they are translated, it is decoded anew: its rest is known. */
static void crossed(struct cpu *cpu, struct op *op)
{
    const struct block_translator *translator = cache_of(cpu)->translator;
    if (translator && op->d >= 0 && (unsigned)++op->d == translator->executions)
        block_anew(cpu, op);
}

/* Returns true when the run can go on at psw.ia. */
static __attribute__((noinline)) bool body_crossing(struct cpu *cpu, struct op *op, unsigned cc)
{
    const unsigned tail = block_of(op)->tail;
    struct dis_insn *insn = tail ? block_of(op)->ops[tail - 1].insn : op->insn;
    if (UNLIKELY(!fetch_crossing(cpu, op, insn))) {
        cpu->cc = (uint8_t)cc;
        leave_to_reference(cpu, op);
        return false;
    }
    prepare(cpu, op, cc);
    int code = engine_check(cpu, insn);
    bool changes = false;
    if (LIKELY(!code)) {
        changes = dis_rows[insn->row].flags & DIS_CHANGES_MODE || insn->row == DIS_SPM;
        code = cpu_bodies[insn->row](cpu, insn);
    }
    if (!tail)
        crossed(cpu, op);
    if (LIKELY(code == 0 && !(cpu->refetch | cpu->leave | cpu->look_around | cpu->worked | changes))) {
        cpu->budget += block_passed(1, op->length / 2u);
        return true;
    }
    over(cpu, code);
    cache_of(cpu)->around |= changes;
    return false;
}

HANDLER(op_crossing)
{
    if (UNLIKELY(!body_crossing(cpu, op, cc_value(op_kind(op, kind), a, b))))
        TAIL op_again(ARGS);
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    TAIL op_find(ARGS);
}

/* ---- instructions that change often ----------------------------------------------------------------------------- */

/* Bytes of the instruction when it was carried out last, and so often since. */
static bool has_settled(struct op *op, const uint8_t *p, unsigned length)
{
    uint64_t bytes = 0;
    memcpy((uint8_t *)&bytes + 2, p, length);
    if (bytes != (uint64_t)op->i) {
        op->i = (int64_t)bytes;
        op->d = 0;
    }
    return ++op->d > (int32_t)VOLATILE_STEADY;
}

/* Returns true when the run can go on behind the instruction. */
static __attribute__((noinline)) bool body_volatile(struct cpu *cpu, struct op *op, unsigned cc)
{
    const uint8_t *p = block_of(op)->host + op->offset;
    const unsigned length = dis_length(*p);
    struct dis_insn insn;
    const bool whole = op->offset + length <= PAGE_SIZE_Z;
    if (LIKELY(whole))
        dis_decode(p, &insn);
    if (UNLIKELY(!whole || (cache_of(cpu)->mode & MODE_EDGES && !cpu_edges_untold(&insn)))) {
        cpu->cc = (uint8_t)cc;
        leave_to_reference(cpu, op);
        return false;
    }
    const bool steady = has_settled(op, p, length);
    prepare(cpu, op, cc);
    const uint64_t next = cpu->psw.ia;
    cpu->psw.ia = (cpu->insn_ia + length) & cpu->address_mask;
    cpu->ilc = (uint8_t)length;
    int code = engine_check(cpu, &insn);
    bool changes = length != op->length;
    if (LIKELY(!code)) {
        changes |= dis_rows[insn.row].flags & DIS_CHANGES_MODE || insn.row == DIS_SPM;
        code = cpu_bodies[insn.row](cpu, &insn);
    }
    if (LIKELY(code == 0 && !(cpu->refetch | cpu->leave | cpu->look_around | changes | steady) &&
               cpu->psw.ia == next)) {
        pass_back(cpu, op);
        if (LIKELY(!cpu->worked) || in_time(cpu, op))
            return true;
        pass_before(cpu, op);
    }
    if (UNLIKELY(steady))
        block_steady(cpu, op);
    over(cpu, code);
    cache_of(cpu)->around |= changes;
    return false;
}

HANDLER(op_volatile)
{
    if (UNLIKELY(!body_volatile(cpu, op, cc_value(op_kind(op, kind), a, b))))
        TAIL op_again(ARGS);
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    NEXT(1);
}

/* Likewise while RI is active, for instructions that may end that or start an interval anew: everything is in ri/
   before, as specification E.2 and E.3 want it: SUPERVISOR CALL and a change of PSW bit 24 do not count. */
static __attribute__((noinline)) void body_ri_end(struct cpu *cpu, struct op *op, unsigned cc)
{
    struct block_cache *cache = cache_of(cpu);
    prepare(cpu, op, cc);
    block_charge_ri(cpu, cache);
    block_collect(cpu);
    int code = cpu_bodies[op->insn->row](cpu, op->insn);
    cpu->budget += block_passed(1, op->length / 2u);
    charge_last(cpu, cache, op->length / 2u, completes(cpu, code), cpu->psw.mask & PSW_RI && code != CPU_SVC);
    if (code)
        cpu_deliver(cpu, code);
    cache->around = true;
}

HANDLER(op_ri_end)
{
    (void)tlb;
    body_ri_end(cpu, op, cc_value(op_kind(op, kind), a, b));
    LEAVE_RUN();
}

/* ---- going on somewhere else ----------------------------------------------------------------------------------- */

/* Leave the run at psw.ia. */
static void leave_at(struct cpu *cpu, uint64_t kind, uint64_t a, uint64_t b)
{
    cpu->cc = (uint8_t)cc_value((unsigned)kind, a, b);
}

struct op *block_whole(struct cpu *cpu, struct block *block)
{
    if (LIKELY(cpu->budget >= block->need))
        return block->ops;
    if (UNLIKELY(cpu->far)) {
        cpu_edges_stretch(cpu);
        return cpu->budget >= block->need ? block->ops : NULL;
    }
    cache_of(cpu)->next = block->need == BLOCK_NEVER ? NULL : block;
    return NULL;
}

bool block_may_enter(struct cpu *cpu)
{
    if (!cpu->far)
        return cpu_left(cpu) > 0 && cpu->edge_word >= 0;
    if (cpu->budget < BLOCK_INSTRUCTIONS * CPU_UNIT)
        cpu_edges_stretch(cpu);
    return cpu->budget >= BLOCK_INSTRUCTIONS * CPU_UNIT;
}

static __attribute__((noinline)) struct op *find(struct cpu *cpu)
{
    const bool goes_on = block_may_enter(cpu);
    struct block *block = goes_on ? block_lookup(cpu, cpu->psw.ia) : NULL;
    return block ? block_whole(cpu, block) : NULL;
}

HANDLER(op_find)
{
    op = find(cpu);
    if (UNLIKELY(!op))
        TAIL op_turn(ARGS);
    GO();
}

HANDLER(op_turn)
{
    leave_at(cpu, kind, a, b);
    if (LIKELY(!cpu->edges) || !(op = block_turn(cpu)))
        LEAVE_RUN();
    a = cpu->cc;
    kind = KIND_CC;
    tlb = cpu->tlb;
    GO();
}

static __attribute__((noinline)) struct op *cross(struct cpu *cpu, struct op *op)
{
    cpu->psw.ia = BRANCH.target;
    struct block *to = cpu_left(cpu) > 0 ? block_lookup(cpu, BRANCH.target) : NULL;
    if (!to)
        return NULL;
    op->target = to;
    BRANCH.own = cpu->block_key;
    return block_whole(cpu, to);
}

/* A checked link that does not hold any more */
SLOW_HANDLER(cross_anew)
{
    op = cross(cpu, op);
    if (UNLIKELY(!op))
        TAIL op_turn(ARGS);
    GO();
}

/* A link to another page holds while the fetch context and the mode are those that it was made in. */
static HANDLER(op_cross)
{
    struct block *target = op->target;
    if (LIKELY(BRANCH.own == cpu->block_key && cpu->budget >= target->need)) {
        op = target->ops;
        GO();
    }
    TAIL cross_anew(ARGS);
}

/* Find the target of the branch of `op` and link it. */
static __attribute__((noinline)) struct op *link(struct cpu *cpu, struct op *op)
{
    struct block_cache *cache = cache_of(cpu);
    cpu->psw.ia = BRANCH.target;
    if (cpu_left(cpu) <= 0)
        return NULL;
    struct block *from = block_of(op), *to = block_lookup(cpu, BRANCH.target);
    if (!to)
        return NULL;
    if ((from->ia & PAGE_ADDRESS) == (to->ia & PAGE_ADDRESS)) {
        op->target = to;
    } else {
        struct block *stub = op->target;
        if (stub == &cache->none || stub->mode != BLOCK_STUB)
            stub = block_alloc(cache, sizeof *stub + 2 * sizeof(struct op));
        if (stub) {
            stub->need = 0;
            stub->mode = BLOCK_STUB;
            stub->ops[0] = (struct op){.run = op_cross, .target = to};
            *(struct op_branch *)(void *)&stub->ops[1] = (struct op_branch){.own = cpu->block_key, .target = to->ia};
            op->target = stub;
        }
    }
    return block_whole(cpu, to);
}

HANDLER(op_link)
{
    op = link(cpu, op);
    if (UNLIKELY(!op))
        TAIL op_turn(ARGS);
    GO();
}

HANDLER(op_fall)
{
    int64_t left = cpu->budget + op->passed;
    struct block *target = op->target;
    kind = op->after == KIND_DYNAMIC ? kind : op->after;
    cpu->budget = left;
    if (LIKELY(left >= target->need)) {
        op = target->ops;
        GO();
    }
    TAIL op_link(ARGS);
}

HANDLER(op_step)
{
    cpu->cc = (uint8_t)cc_value(op_kind(op, kind), a, b);
    (void)tlb;
    leave_to_reference(cpu, op);
    LEAVE_RUN();
}

HANDLER(op_stop)
{
    cpu->cc = (uint8_t)cc_value(op_kind(op, kind), a, b);
    (void)tlb;
    leave_to_reference(cpu, op);
    cache_of(cpu)->step = false;
    cache_of(cpu)->stopped = op;
    LEAVE_RUN();
}

HANDLER(op_resume) { NEXT(1); }

/* A look at what was collected for edge profiles is due, behind a branch that was not taken. */
HANDLER(op_edges)
{
    struct op *next = op + 2;
    (void)tlb;
    cpu->edges->not_taken = op;
    cpu->cc = (uint8_t)cc_value(op_kind(next, kind), a, b);
    cpu->psw.ia = (op_ia(op) + op->length) & cpu->address_mask;
    pass_before(cpu, next);
    a = cpu->cc;
    kind = KIND_CC;
    TAIL op_turn(ARGS);
}

/* Threads: serialization. Stores of this CPU come before what it fetches next. */
HANDLER(op_spin)
{
    if (LIKELY(++cpu->spins < op->i))
        NEXT(1);
    cpu->spins = 0;
    cpu->cc = (uint8_t)cc_value(op_kind(op, kind), a, b);
    (void)tlb;
    leave_to_reference(cpu, op);
    cache_of(cpu)->step = false;
    cache_of(cpu)->around = cpu->leave = cpu->spun = true;
    LEAVE_RUN();
}

HANDLER(op_fence)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    NEXT(1);
}
