/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch classes of one instruction (spec/ri.md F.2, spec/edge-profile.md 2.5). */
#include "disasm/internal.h"

/* What a branch looks at in its own encoding. */
enum form { FORM_PLAIN, FORM_MASK, FORM_MASK_R2, FORM_R2, FORM_COMPARE };

static enum form form_of(unsigned row)
{
    switch (row) {
    case DIS_BC:
    case DIS_BIC:
    case DIS_BRC:
    case DIS_BRCL:
        return FORM_MASK;
    case DIS_BCR:
        return FORM_MASK_R2;
    case DIS_BALR:
    case DIS_BASR:
    case DIS_BASSM:
    case DIS_BSM:
    case DIS_BCTR:
    case DIS_BCTGR:
        return FORM_R2;
    default:
        break;
    }
    switch (dis_rows[row].format) {
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_c:
    case DIS_FMT_RIS:
    case DIS_FMT_RRS:
        return FORM_COMPARE;
    default:
        return FORM_PLAIN;
    }
}

static bool can_branch(const struct dis_insn *insn)
{
    switch (form_of(insn->row)) {
    case FORM_MASK:
        return insn->m1 != 0;
    case FORM_MASK_R2:
        return insn->m1 != 0 && insn->r2 != 0;
    case FORM_R2:
        return insn->r2 != 0;
    case FORM_COMPARE:
        return (insn->m3 & 14) != 0;
    default:
        return true;
    }
}

enum dis_branch dis_branch_class(const struct dis_insn *insn)
{
    if (insn->row >= DIS_ROW_COUNT || dis_rows[insn->row].branch == DIS_BRANCH_NONE || !can_branch(insn))
        return DIS_BRANCH_NONE;
    if (insn->row == DIS_BCR && insn->m1 == 15)
        return DIS_BRANCH_RETURN;
    if ((insn->row == DIS_BC || insn->row == DIS_BIC) && insn->m1 == 15)
        return DIS_BRANCH_BC15;
    return dis_rows[insn->row].branch;
}

enum dis_edge dis_edge_class(const struct dis_insn *insn)
{
    if (insn->row >= DIS_ROW_COUNT)
        return DIS_EDGE_ORD;
    const struct dis_row *row = &dis_rows[insn->row];
    if (row->branch == DIS_BRANCH_NONE)
        return row->edge;
    if (!can_branch(insn))
        return DIS_EDGE_NEVER;
    switch (form_of(insn->row)) {
    case FORM_MASK_R2:
        return insn->m1 == 15 ? DIS_EDGE_RET : DIS_EDGE_COND;
    case FORM_MASK:
        return insn->m1 == 15 ? DIS_EDGE_UNCOND : DIS_EDGE_COND;
    case FORM_COMPARE:
        return (insn->m3 & 14) == 14 ? DIS_EDGE_UNCOND : DIS_EDGE_COND;
    default:
        return row->edge;
    }
}

bool dis_branch_always(const struct dis_insn *insn)
{
    enum dis_branch class = dis_branch_class(insn);
    if (class == DIS_BRANCH_CALL || class == DIS_BRANCH_RETURN || class == DIS_BRANCH_BC15)
        return true;
    if (class == DIS_BRANCH_NONE)
        return false;
    return insn->row == DIS_BSM || (form_of(insn->row) == FORM_MASK && insn->m1 == 15);
}

bool dis_branch_relative(const struct dis_insn *insn)
{
    if (dis_branch_class(insn) == DIS_BRANCH_NONE)
        return false;
    switch (dis_rows[insn->row].format) {
    case DIS_FMT_RI_b:
    case DIS_FMT_RI_c:
    case DIS_FMT_RIL_b:
    case DIS_FMT_RIL_c:
    case DIS_FMT_RSI:
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_c:
    case DIS_FMT_RIE_e:
        return true;
    default:
        return false;
    }
}

uint16_t dis_float_registers(const struct dis_insn *insn)
{
    unsigned set = 0;
    if (insn->row == DIS_NO_ROW)
        return 0;
    for (const uint8_t *kind = dis_rows[insn->row].operands; *kind != DIS_OP_NONE; kind++) {
        const struct dis_operand *o = &dis_operands[*kind];
        if (o->class != DIS_CLASS_FR && o->class != DIS_CLASS_FP)
            continue;
        unsigned r = insn->bytes[o->start / 8] >> (4 - o->start % 8) & 15;
        set |= 1u << r;
        if (o->class == DIS_CLASS_FP && r < 14)
            set |= 4u << r;
    }
    return (uint16_t)set;
}
