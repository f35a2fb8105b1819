/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions without template in the middle of a block: their handlers are called, and code goes on behind them.

   Handlers keep the registers of the host that C functions keep, and so the guest's there. The others come back from
   struct cpu, which has all of them while a handler runs. Where a call is to come back to is in cpu->code_back,
   zero behind whatever else leaves code; whoever comes there from elsewhere has nothing in registers. */
#include "cpu/engine/handlers.h"
#include "cpu/translate/plan.h"

#define NEED(t) ((int32_t)(t)->block->need)

/* Does the instruction leave general registers alone, whatever it does? */
static bool spares_general(const struct dis_insn *insn)
{
    const struct dis_row *row = &dis_rows[insn->row];
    switch (insn->row) {
    case DIS_MVC:
    case DIS_NC:
    case DIS_OC:
    case DIS_XC:
    case DIS_CLC:
        return true;
    default:
        break;
    }
    if (!(row->flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH | DIS_NEEDS_VECTOR)))
        return false;
    for (unsigned i = 0; row->operands[i] != DIS_OP_NONE; i++)
        if (row->operands[i] >= DIS_OP_R_8 && row->operands[i] <= DIS_OP_RE_28)
            return false;
    return true;
}
_Static_assert(DIS_OP_RE_28 - DIS_OP_R_8 == 9, "the general registers among operand classes are R_8 to RE_28");

/* The first instruction from `k` on that has a template; `count` of the plan: there is none. *plain: those before it
   only go on to the next one. */
static unsigned gone_on_to(const struct plan *p, unsigned k, bool *plain)
{
    *plain = true;
    for (; k < p->count && !p->templates[k]; k++)
        *plain &= !(dis_rows[p->insns[k].row].flags & DIS_BRANCHES);
    return k;
}

void call_emit(struct translation *t, const struct plan *p, unsigned k)
{
    struct x86 *x = &t->x;
    struct op *op = t->op;
    bool plain;
    const unsigned back = gone_on_to(p, k, &plain);
    struct translate_counts *const counts = t->translator->force.counts;
    if (!plain || back == p->count) {
        for (unsigned n = k; n < p->count && counts; n++)
            count_emit(t, counts->calls, p->insns[n].row);
        exit_now(t);
        return;
    }
    for (unsigned n = k; n < back && counts; n++)
        count_emit(t, counts->calls, p->insns[n].row);
    x86_lea(x, RAX, LEFT, NEED(t));
    x86_store(x, true, RAX, CPU, CPU_AT(budget));
    make_whole(t);
    vectors_store(t);
    registers_spill(t);
    t->cc.a.host = t->cc.b.host = NOWHERE;
    value_load(t, &t->cc.a, CPU_AT(cc_a), RDX);
    value_load(t, &t->cc.b, CPU_AT(cc_b), RCX);
    if (op->kind == KIND_DYNAMIC)
        x86_load(x, true, R8, CPU, CPU_AT(cc_kind));
    else
        x86_mov_i(x, R8, op->kind);
    x86_load(x, true, R9, CPU, CPU_AT(tlb));
    x86_mov_i(x, RSI, (uint64_t)(uintptr_t)op);
    x86_lea(x, RAX, RSI, (int32_t)((block_op(t->block, back) - 1 - op) * (ptrdiff_t)sizeof *op));
    x86_store(x, true, RAX, CPU, CPU_AT(code_back));
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)(k ? op->run : t->block->first));
    cpu_of_handler(x);
    x86_jmp_r(x, RAX);
}

/* Before the instruction `k`: those that have no template end here. */
void back_emit(struct translation *t, const struct plan *p, unsigned k)
{
    struct x86 *x = &t->x;
    struct op *op = t->op - 1;
    bool kept = true;
    for (unsigned n = k; n-- && !p->templates[n];)
        kept &= spares_general(&p->insns[n]);
    op->run = (handler)(uintptr_t)code_run(t->translator, x->at);
    x86_rm(x, X86_WIDE, 0x3b, RSI, CPU, HANDLER_AT(code_back));
    x86_jcc(x, IF_NE, x->at);
    t->backs[t->back_count].from = x->at;
    if (t->live_before[k]) {
        x86_store(x, true, RDX, CPU, HANDLER_AT(cc_a));
        x86_store(x, true, RCX, CPU, HANDLER_AT(cc_b));
        if (t->op->kind == KIND_DYNAMIC)
            x86_store(x, true, R8, CPU, HANDLER_AT(cc_kind));
    }
    x86_load(x, true, LEFT, CPU, HANDLER_AT(budget));
    x86_alu_i4(x, true, ALU_SUB, LEFT, NEED(t));
    x86_jcc(x, IF_L, code_write(t->translator, t->translator->not_resumed));
    cpu_of_code(x);
    context_emit(t->translator, x, RAX);
    registers_reload(t, !kept);
    vectors_forget(t);
    shares_forget(t);
    t->backs[t->back_count++].to = x->at;
    t->cc = (struct cc){value_host(RDX), value_host(RCX)};
    t->flags = false;
    t->dirty = t->split = 0;
}
