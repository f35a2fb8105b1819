/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From handlers into generated code and out of it.

   Handlers find everything in struct cpu, and a, b and the kind in their arguments. So whatever leaves code puts the
   registers back, the budget as it is at the head of the block, and goes to the operation's own handler: no fault, no
   end of a run, no store into code is known here. */
#include "cpu/translate/emit/template.h"
#include "cpu/state/timing.h"
#include <stdlib.h>

#define NEED(block) ((int32_t)(block)->need)

/* ---- routines that all blocks use ------------------------------------------------------------------------------- */

static void each_register(struct x86 *x, bool load)
{
    for (unsigned gr = 0; gr < 16; gr++)
        if (host_of(gr) != NOWHERE)
            x86_rm(x, X86_WIDE, load ? 0x8b : 0x89, host_of(gr), CPU, GR_AT(gr));
}

/* Registers and budget into struct cpu, and nothing is come back to; the arguments of a handler that follow from there.
 * The operation is in RAX. */
static void emit_spill(struct x86 *x)
{
    each_register(x, false);
    x86_store_i(x, true, CPU, CPU_AT(code_back), 0);
    x86_store(x, true, LEFT, CPU, CPU_AT(budget));
    x86_mov(x, true, RSI, RAX);
    x86_load(x, true, R8, CPU, CPU_AT(cc_kind));
    x86_load(x, true, R9, CPU, CPU_AT(tlb));
    cpu_of_handler(x);
}

static void emit_slots(struct x86 *x)
{
    x86_load(x, true, RDX, CPU, CPU_AT(cc_a));
    x86_load(x, true, RCX, CPU, CPU_AT(cc_b));
}

#define FIRST_AT ((int32_t)offsetof(struct block, first) - (int32_t)offsetof(struct block, ops))
#define RUN_AT   ((int32_t)offsetof(struct op, run))

static void emit_to(struct x86 *x, handler to)
{
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)to);
    x86_jmp_r(x, RAX);
}

/* To a block, in RDX, that has no code. */
static void emit_outside(struct x86 *x)
{
    x86_alu_m(x, true, ALU_ADD, LEFT, RDX, (int32_t)offsetof(struct block, need));
    x86_lea(x, RAX, RDX, (int32_t)offsetof(struct block, ops));
    emit_slots(x);
    emit_spill(x);
    x86_jmp_m(x, RSI, RUN_AT);
}

/* Code may use all registers of the host. The first time in a run those that a C function keeps are kept here, and
   cpu->code_frame is not zero until the handler that ends the run comes back. Runs that never come here pay nothing. */
static void emit_load(const struct translator *r, struct x86 *x)
{
    static const uint8_t kept[] = {RBX, RBP, R12, R13, R14, R15};
    enum { CPU_KEPT = CPU_KEPT_AT - 8 }; /* from RSP here */
    cpu_of_code(x);
    x86_store(x, true, RDX, CPU, CPU_AT(cc_a));
    x86_store(x, true, RCX, CPU, CPU_AT(cc_b));
    x86_store(x, true, R8, CPU, CPU_AT(cc_kind));
    x86_alu_mi(x, true, ALU_CMP, CPU, CPU_AT(code_frame), 0);
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const again = x->at;
    for (unsigned i = 0; i < sizeof kept; i++)
        x86_push(x, kept[i]);
    x86_alu_i(x, true, ALU_SUB, RSP, CODE_FRAME);
    x86_store(x, true, CPU, RSP, CPU_KEPT);
    x86_store(x, true, CPU, CPU, CPU_AT(code_frame));
    x86_call(x, x->at);
    uint8_t *const called = x->at;
    x86_load(x, true, CPU, RSP, CPU_KEPT);
    x86_store_i(x, true, CPU, CPU_AT(code_frame), 0);
    x86_alu_i(x, true, ALU_ADD, RSP, CODE_FRAME);
    for (unsigned i = sizeof kept; i--;)
        x86_pop(x, kept[i]);
    x86_ret(x);
    if (!x->full) {
        x86_patch(again, x->at);
        x86_patch(called, x->at);
    }
    context_emit(r, x, R8); /* RCX and RDX may be wanted where code goes on */
    each_register(x, true);
    x86_jmp_r(x, RAX);
}

/* Code keeps registers of the guest where a C function does not; these come back. RSP is in code as it is where a C
   function begins. */
static void emit_function(struct x86 *x)
{
    static const uint8_t changed[] = {RDI, RSI, R8, R9, R10, R11};
    for (unsigned i = 0; i < sizeof changed; i++)
        x86_push(x, changed[i]);
    x86_load(x, true, RSI, RSP, PASS_AT + 8 * (sizeof changed + 1));
    cpu_of_handler(x);
    x86_call_r(x, RAX);
    for (unsigned i = sizeof changed; i--;)
        x86_pop(x, changed[i]);
    x86_ret(x);
}

static uint64_t condition_in(struct cpu *cpu, uint64_t passed, uint64_t third, uint64_t fourth)
{
    (void)passed, (void)third, (void)fourth;
    return cc_value((unsigned)cpu->cc_kind, cpu->cc_a, cpu->cc_b);
}

static void emit_condition(struct x86 *x, const uint8_t *function)
{
    x86_load(x, true, RAX, CPU, CPU_AT(cc_a));
    x86_alu_mi(x, true, ALU_CMP, CPU, CPU_AT(cc_kind), KIND_CC);
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const other = x->at;
    x86_ret(x);
    if (!x->full)
        x86_patch(other, x->at);
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)condition_in);
    x86_jmp(x, function);
}

void routines_emit(struct translator *r)
{
    struct x86 x = code_writer(r, 0);
    packed_constants_emit(&x);
    r->hooks.outside = code_run(r, x.at);
    emit_outside(&x);
    r->load = code_run(r, x.at);
    emit_load(r, &x);
    r->not_loaded = code_run(r, x.at);
    x86_jmp_m(&x, RSI, FIRST_AT);
    r->not_resumed = code_run(r, x.at);
    x86_store_i(&x, true, CPU, HANDLER_AT(code_back), 0);
    x86_alu_i(&x, true, ALU_ADD, RSI, sizeof(struct op));
    x86_jmp_m(&x, RSI, RUN_AT);
    r->leave = code_run(r, x.at);
    emit_spill(&x);
    x86_jmp_m(&x, RSI, RUN_AT);
    r->leave_first = code_run(r, x.at);
    emit_spill(&x);
    x86_jmp_m(&x, RSI, FIRST_AT);
    r->function = code_run(r, x.at);
    emit_function(&x);
    r->condition = code_run(r, x.at);
    emit_condition(&x, code_write(r, r->function));
    r->look_read = code_run(r, x.at);
    look_emit(&x, false);
    r->look_write = code_run(r, x.at);
    look_emit(&x, true);
    r->find = code_run(r, x.at);
    emit_slots(&x);
    emit_spill(&x);
    emit_to(&x, op_edge);
    r->stretch = code_run(r, x.at);
    observe_stretch_emit(&x);
    r->note = code_run(r, x.at);
    observe_note_emit(&x);
    r->find_short = code_run(r, x.at);
    x86_alu_m(&x, true, ALU_ADD, LEFT, RDX, (int32_t)offsetof(struct block, need));
    r->find_at = code_run(r, x.at);
    observe_refill_at(&x, code_write(r, r->stretch));
    x86_store(&x, true, RAX, CPU, CPU_AT(psw.ia));
    emit_slots(&x);
    emit_spill(&x);
    emit_to(&x, op_find);
    r->other = code_run(r, x.at);
    edge_other_emit(&x);
    r->due = code_run(r, x.at);
    emit_slots(&x);
    emit_spill(&x);
    emit_to(&x, op_edges);
    r->due_at = code_run(r, x.at);
    x86_store(&x, true, RAX, CPU, CPU_AT(psw.ia));
    emit_slots(&x);
    emit_spill(&x);
    emit_to(&x, op_turn);
    r->went = code_run(r, x.at);
    collect_routine_emit(&x);
    r->buffer.parts[0].kept = r->buffer.parts[0].used = (uint64_t)(x.at - r->buffer.write + 63) & ~UINT64_C(63);
}

void place_note(struct translation *t, struct op *op)
{
    struct translator *r = t->translator;
    const uint64_t at = (uint64_t)(t->x.at - r->buffer.write);
    struct places *places = &r->places[at >= r->buffer.parts[1].begin];
    if (places->count == places->room) {
        const size_t room = places->room ? 2 * places->room : 1024;
        struct place_of *more = realloc(places->at, room * sizeof *more);
        if (!more)
            return;
        places->at = more;
        places->room = room;
    }
    places->at[places->count++] = (struct place_of){(uint32_t)at, op};
}

/* ---- entries and exits ------------------------------------------------------------------------------------------ */

static void jump_to(struct translation *t, const uint8_t *routine)
{
    x86_jmp(&t->x, code_write(t->translator, routine));
}

void registers_spill(struct translation *t)
{
    for (unsigned gr = 0; gr < 16; gr++)
        if (host_of(gr) != NOWHERE && t->dirty >> gr & 1)
            x86_store(&t->x, true, host_of(gr), CPU, GR_AT(gr));
}

void registers_reload(struct translation *t, bool all)
{
    static const uint16_t kept = 1u << RBX | 1u << RBP | 1u << R12 | 1u << R13 | 1u << R14 | 1u << R15;
    for (unsigned gr = 0; gr < 16; gr++)
        if (host_of(gr) != NOWHERE && (all || !(kept >> host_of(gr) & 1)))
            x86_load(&t->x, true, host_of(gr), CPU, GR_AT(gr));
}

/* Registers and budget are loaded, the condition code is put into its slots, and code goes on at `to`; in the routine
   when the budget does not suffice: but for the last one of a run, which ends in its middle, a block is entered with
   what it needs. */
static void load_emit(struct translation *t, const uint8_t *not_loaded, const uint8_t *to)
{
    x86_load(&t->x, true, LEFT, CPU, HANDLER_AT(budget));
    x86_alu_i4(&t->x, true, ALU_SUB, LEFT, NEED(t->block));
    x86_jcc(&t->x, IF_L, code_write(t->translator, not_loaded));
    x86_lea_code(&t->x, RAX, to);
    jump_to(t, t->translator->load);
}

void entry_emit(struct translation *t)
{
    struct x86 *x = &t->x;
    struct block *block = t->block;
    block->code = code_run(t->translator, x->at);
    t->split = block->narrow;
    registers_halve(t);
    vectors_enter(t);
    block->body = code_run(t->translator, x->at);
    if (t->bear)
        x86_store(x, true, LEFT, CPU, CPU_AT(code_entered));
    block->again = code_run(t->translator, x->at);
    t->cc = (struct cc){value_host(NOWHERE), value_host(NOWHERE)};
    t->flags = false;
    t->loop = NULL;
    t->dirty = UINT16_MAX;
}

struct exit *exit_note(struct translation *t)
{
    struct exit *exit = &t->exits[t->exit_count++];
    *exit = (struct exit){NULL, t->op, without_hosts(t->cc), t->split, t->vectors};
    return exit;
}

void exit_if(struct translation *t, enum x86_condition c)
{
    x86_jcc(&t->x, c, t->x.at);
    exit_note(t)->from = t->x.at;
}

void count_emit(struct translation *t, uint64_t *by_row, unsigned row)
{
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)&by_row[row]);
    x86_alu_mi(&t->x, true, ALU_ADD, RAX, 0, 1);
}

static void count_exit(struct translation *t, const struct op *op)
{
    struct translate_counts *counts = t->translator->force.counts;
    const struct op *crossing = block_crossing(t->block);
    struct dis_insn insn;
    if (!counts)
        return;
    dis_decode(crossing ? crossing->insn->bytes : t->block->host + op->offset, &insn);
    count_emit(t, counts->exits, insn.row);
}

static void leave(struct translation *t, struct op *op, const struct cc *cc)
{
    place_note(t, op);
    vectors_store(t);
    bear_store(t);
    if (!t->loop || op->count <= t->loop->count) /* behind it that is done */
        collect_passes(t, false);
    make_whole(t);
    x86_alu_i4(&t->x, true, ALU_ADD, LEFT, NEED(t->block));
    value_load(t, &cc->a, CPU_AT(cc_a), RDX);
    value_load(t, &cc->b, CPU_AT(cc_b), RCX);
    if (op->kind != KIND_DYNAMIC)
        x86_store_i(&t->x, true, CPU, CPU_AT(cc_kind), op->kind);
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)op);
    jump_to(t, op->slot ? t->translator->leave : t->translator->leave_first);
}

struct aside *aside_if(struct translation *t, enum x86_condition c, aside_function emit, unsigned how)
{
    struct aside *aside = &t->asides[t->aside_count++];
    x86_jcc(&t->x, c, t->x.at);
    *aside = (struct aside){.from = t->x.at,
                            .op = t->op,
                            .insn = t->insn,
                            .cc = without_hosts(t->cc),
                            .vectors = t->vectors,
                            .emit = emit,
                            .how = how};
    return aside;
}

static void asides_emit(struct translation *t)
{
    for (unsigned i = 0; i < t->aside_count && !t->x.full; i++) {
        const struct aside *aside = &t->asides[i];
        x86_patch(aside->from, t->x.at);
        t->op = aside->op;
        t->insn = aside->insn;
        t->cc = aside->cc;
        t->vectors = aside->vectors;
        t->split = 0; /* such instructions have registers whole */
        place_note(t, t->op);
        aside->emit(t, aside->how, aside->to);
    }
}

void call_function(struct translation *t, code_function function)
{
    shares_forget(t);
    vectors_store(t);
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)function);
    x86_call(&t->x, code_write(t->translator, t->translator->function));
    vectors_load(t);
}

void exit_now(struct translation *t)
{
    const struct cc cc = without_hosts(t->cc);
    leave(t, t->op, &cc);
}

/* From handlers: to the block, and behind those that were called. Everything is loaded. */
static void backs_emit(struct translation *t)
{
    struct x86 *x = &t->x;
    t->block->ops->run = (handler)(uintptr_t)code_run(t->translator, x->at);
    load_emit(t, t->translator->not_loaded, code_write(t->translator, t->block->code));
    for (unsigned i = 0; i < t->back_count && !x->full; i++) {
        x86_patch(t->backs[i].from, x->at);
        load_emit(t, t->translator->not_resumed, t->backs[i].to);
    }
}

void exits_emit(struct translation *t)
{
    edges_emit_far(t);
    const bool full = t->x.full;
    t->end = t->x.at;
    if (!t->part)
        t->x = code_writer(t->translator, 1);
    t->x.full = full;
    place_note(t, t->block->ops);
    asides_emit(t);
    elsewhere_emit(t);
    uint8_t *left = t->x.at;
    for (unsigned i = 0; i < t->exit_count && !t->x.full; i++) {
        const struct exit *e = &t->exits[i];
        const bool same = i && e->op == e[-1].op && memcmp(&e->vectors, &e[-1].vectors, sizeof e->vectors) == 0;
        left = same ? left : t->x.at;
        x86_patch(e->from, left);
        t->split = e->split;
        t->vectors = e->vectors;
        if (same)
            continue;
        count_exit(t, t->exits[i].op);
        leave(t, t->exits[i].op, &t->exits[i].cc);
    }
    backs_emit(t);
    observe_emit(t);
    edges_emit_stubs(t);
    collect_emit(t);
}
