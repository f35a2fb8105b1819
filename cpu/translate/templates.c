/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which template an operation has, from the row of its instruction; and its code. */
#include "cpu/engine/handlers.h"
#include "cpu/translate/plan.h"

static const struct template templates[DIS_ROW_COUNT] = {
#undef T
#define T(row, function, how, flags) [DIS_##row] = {function, how, flags},
#include "cpu/translate/emit/translate.def"
};
static const struct template nothing = {template_nothing, 0, 0};

static bool executes(const struct op *op)
{
    return op->run == op_ex || op->run == op_exrl || op->run == op_ex_known || op->run == op_exrl_known;
}

/* Left to bodies, or in front of an instruction: the row says nothing then. */
static bool by_body(const struct op *op)
{
    return op->run == op_generic || op->run == op_generic_end || op->run == op_ri_end || op->run == op_step ||
           op->run == op_fence || op->run == op_volatile || op->run == op_vector_body || executes(op);
}

/* Templates for those that the block engine has no handler for: 64-bit addresses, or registers alone. */
static bool replaces_body(const struct op *op, const struct template *template)
{
    return template->flags & BY_BODY && ((op->run == op_generic && op->m) || op->run == op_vector_body || executes(op));
}

/* Encodings of the row for which the block engine has a handler but the template is another instruction's. */
static bool fits(const struct op *op, const struct dis_insn *insn)
{
    switch (insn->row) {
    case DIS_EX:
    case DIS_EXRL:
        return executes(op);
    case DIS_LCBB:
        return insn->m3 <= 6;
    case DIS_VME:
    case DIS_VMO:
    case DIS_VMLE:
    case DIS_VMLO:
        return insn->m4 <= 2;
    case DIS_VMAE:
    case DIS_VMAO:
    case DIS_VMALE:
    case DIS_VMALO:
        return insn->m5 <= 2;
    case DIS_VERIM:
        return insn->m5 - 1u < 3;
    case DIS_BCTR:
        return op->run == op_bctr_zero;
    case DIS_BCTGR:
        return op->run == op_bctgr_zero;
    default:
        return true;
    }
}

const struct template *template_for(const struct op *op, const struct dis_insn *insn)
{
    if (op->run == op_nop)
        return &nothing;
    if (insn->row >= DIS_ROW_COUNT || !templates[insn->row].function ||
        (by_body(op) && !replaces_body(op, &templates[insn->row])) || !fits(op, insn))
        return NULL;
    if (templates[insn->row].flags & BY_ELEMENT && !vector_fits(templates[insn->row].how, insn))
        return NULL;
    if (templates[insn->row].flags & BY_FORMAT && !float_fits(templates[insn->row].how, insn))
        return NULL;
    return &templates[insn->row];
}

/* ---- one instruction --------------------------------------------------------------------------------------------- */

/* What the condition code has of registers that are about to change. */
static void spare_registers(struct translation *t, unsigned flags)
{
    if (flags & WRITES_SEVERAL) {
        for (unsigned i = 0; i < t->op->m; i++)
            cc_spare(t, (t->op->r1 + i) & 15);
    } else if (flags & (WRITES_R1 | WRITES_PAIR)) {
        cc_spare(t, t->op->r1);
        if (flags & WRITES_PAIR)
            cc_spare(t, t->op->r1 + 1u);
    }
}

void template_at(struct translation *t, const struct plan *p, unsigned k)
{
    t->number = k;
    t->op = block_op(t->block, k);
    t->insn = p->insns[k];
    place_note(t, t->op);
    t->live = t->live_before[k + 1];
}

void template_prepare(struct translation *t, const struct template *template)
{
    const unsigned flags = template_flags(template, &t->insn);
    if (!(flags & CC_READS)) {
        t->cc.a.host = t->cc.b.host = NOWHERE;
        t->flags = false;
    }
    /* This one itself, its handler, or the block that it branches to may look at it when its registers have been
     * spared. */
    t->live |= flags & (CC_READS | MAY_EXIT | BRANCHES) && !(flags & CC_SETS);
    spare_registers(t, flags);
    vectors_before(t, template);
}

void template_emit(struct translation *t, const struct template *template)
{
    template->function(t, template->how);
    vectors_behind(t, template);
    if (!(template_flags(template, &t->insn) & CC_SETS)) {
        t->cc.a.host = t->cc.b.host = NOWHERE;
        t->flags = false;
    }
}
