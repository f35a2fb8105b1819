/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From instructions in storage to a block of operations. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/op_vector.h"
#include "cpu/numbers/bfp.h"
#include "ri/ri.h"

/* The kinds as ops.def names them */
enum {
    AFTER_SAME = KIND_DYNAMIC,
    AFTER_CC = KIND_CC,
    AFTER_S = KIND_S,
    AFTER_U = KIND_U,
    AFTER_ADD32 = KIND_ADD32,
    AFTER_ADD64 = KIND_ADD64,
    AFTER_SUB64 = KIND_SUB64,
    AFTER_ADDL = KIND_ADDL,
    AFTER_SUBL = KIND_SUBL,
    AFTER_TM = KIND_TM,
    AFTER_TMX = KIND_TMX,
};
static const struct fast fast_rows[DIS_ROW_COUNT] = {
#define OP(row, name, form, after, needs) [DIS_##row] = {op_##name, NULL, FORM_##form, AFTER_##after, needs},
#define RXOP(row, name, after)            [DIS_##row] = {op_##name, NULL, FORM_RX, AFTER_##after, NEEDS_64},
#define SHIFTOP(row, name, form, after)   [DIS_##row] = {op_##name, op_##name##_v, FORM_##form, AFTER_##after, 0},
#define SIOP(row, name, after)            [DIS_##row] = {op_##name, NULL, FORM_SI, AFTER_##after, NEEDS_64},
#include "cpu/engine/ops.def"
};

/* Handlers with index, and those of the same instructions without */
static const struct {
    handler with, without;
} index_forms[] = {
#define FORM(name) {op_##name, op_##name##_b},
    WITHOUT_INDEX(FORM)
#undef FORM
};

/* An instruction's: a fence, two of a branch, op_resume; and the two of the end. */
#define OPS_MOST 6u

/* A page whose code was changed this often is decoded in short blocks. */
#define UNSTEADY_CHANGES 4

struct builder {
    struct cpu *cpu;
    const uint8_t *kept;        /* threads: the page as it was, from the block on */
    uint64_t mode, page, frame; /* logical and absolute address of the page */
    unsigned kind, count, cycles, n, insns;
    bool unsteady;  /* the page is modified again and again: short blocks, so that few are dropped each time */
    bool ended;     /* nothing follows */
    bool final;     /* ... and its last operation never goes on to the next one */
    bool stepped;   /* ... which is op_step */
    unsigned spins; /* engine_spins() */
    bool resumes;   /* for the translator: emit_resume() */
    uint8_t tail;   /* operation behind the last instruction; 0: none */
    uint8_t insn_op[BLOCK_INSTRUCTIONS]; /* operations that have an instruction in insn[] */
    struct dis_insn insn[BLOCK_INSTRUCTIONS];
    uint8_t slots[BLOCK_INSTRUCTIONS];                         /* first operation of each instruction */
    uint8_t branches[BLOCK_INSTRUCTIONS + 1], branches_so_far; /* MODE_FAR: before each instruction; so far */
    struct op ops[BLOCK_OPS];
};

static void begin(struct builder *b)
{
    b->kind = KIND_DYNAMIC;
    b->count = b->cycles = b->n = b->insns = b->branches_so_far = 0;
    b->ended = b->final = b->stepped = false;
}

static unsigned reg(unsigned base) { return base ? base : 16; }

static struct op *emit(struct builder *b, handler run, const struct dis_insn *insn, unsigned offset)
{
    struct op *op = &b->ops[b->n];
    *op = (struct op){.run = run,
                      .r1 = insn->r1,
                      .r2 = insn->r2,
                      .r3 = insn->r3,
                      .offset = (uint16_t)offset,
                      .length = insn->length,
                      .slot = (uint8_t)b->n,
                      .count = (uint8_t)b->count,
                      .kind = (uint8_t)b->kind,
                      .after = (uint8_t)b->kind,
                      .cycles = (uint8_t)b->cycles};
    b->n++;
    return op;
}

/* op->insn will be that instruction. */
static void note_insn(struct builder *b, const struct op *op, const struct dis_insn *insn)
{
    b->insn_op[b->insns] = op->slot;
    b->insn[b->insns++] = *insn;
}

/* Everything without a handler of its own. `last`: the block ends. */
static void emit_generic(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    const struct dis_row *row = &dis_rows[insn->row];
    bool last = row->flags & (DIS_CHANGES_MODE | DIS_BRANCHES) || insn->row == DIS_SVC || insn->row == DIS_SPM;
    struct op *op = emit(b, last ? op_generic_end : op_generic, insn, offset);
    note_insn(b, op, insn);
    op->after = KIND_CC;
    b->kind = KIND_CC;
    b->ended = b->final = last;
    op->m = b->mode & MODE_EA; /* for templates: addresses as they are */
    op->r2 = (uint8_t)reg(insn->b2);
    op->r3 = (uint8_t)reg(insn->x2);
    op->d = insn->d2;
}

static void emit_step(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    emit(b, op_step, insn, offset);
    b->ended = b->final = b->stepped = true;
}

static uint64_t mode_mask(uint64_t mode)
{
    return mode & MODE_EA ? ~UINT64_C(0) : mode & MODE_BA ? 0x7fffffff : 0xffffff;
}

/* A branch: the operation and its data, but for what it adds to the budget. */
static struct op *place_branch(struct builder *b, unsigned set, const struct dis_insn *insn, unsigned offset,
                               int64_t relative)
{
    const bool ri = b->mode & MODE_RI;
    const bool edges = b->mode & MODE_EDGES;
    const struct branch_set *handlers = &block_sets[set];
    const bool far = b->mode & MODE_FAR;
    struct op *op = emit(b, ri ? handlers->ask : edges && !far ? handlers->edge : handlers->plain, insn, offset);
    struct op_branch *data = (struct op_branch *)(void *)&b->ops[b->n++];
    uint64_t ia = b->page | offset;
    *data =
        (struct op_branch){.own = ia, .target = (ia + (uint64_t)relative) & mode_mask(b->mode), .set = (uint16_t)set};
    if (ri) {
        enum ri_class class = (enum ri_class)dis_branch_class(insn);
        data->type = (uint8_t)ri_site_type(b->cpu->ri, class);
        data->entry = (uint16_t)ri_entry(ia);
        data->flags = ri_site_flags(b->cpu->ri, class, dis_branch_always(insn), dis_branch_relative(insn),
                                    b->mode & MODE_PROBLEM);
    }
    if (edges) {
        data->flags = (uint8_t)ep_kind_of(dis_edge_class(insn));
        data->flags |= dis_branch_relative(insn) ? BLOCK_RELATIVE : 0;
        b->branches_so_far++;
    }
    op->target = &cache_of(b->cpu)->none;
    return op;
}

/* What is added to the budget behind so many instructions, and the branches so far. */
static int32_t passed(const struct builder *b, unsigned instructions, unsigned cycles)
{
    return block_passed(instructions, cycles) + (b->mode & MODE_FAR ? block_counted(b->branches_so_far) : 0);
}

static struct op *emit_branch(struct builder *b, unsigned set, const struct dis_insn *insn, unsigned offset,
                              int64_t relative)
{
    struct op *op = place_branch(b, set, insn, offset, relative);
    op->passed = passed(b, b->count + 1, b->cycles + insn->length / 2);
    return op;
}

static void emit_nop(struct builder *b, const struct dis_insn *insn, unsigned offset) { emit(b, op_nop, insn, offset); }

/* Conditional and unconditional relative branches and counts. False: not one of them. */
static bool emit_relative(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    unsigned set, comparand = insn->r2;
    bool always = false;
    switch (insn->row) {
    case DIS_BRC:
    case DIS_BRCL:
        if (insn->m1 == 0) {
            emit_nop(b, insn, offset);
            return true;
        }
        always = insn->m1 == 15;
        set = always ? SET_JUMP : b->kind == KIND_DYNAMIC ? SET_BRC_ANY : SET_BRC + 16 * b->kind + insn->m1;
        break;
    case DIS_BRAS:
    case DIS_BRASL:
        if (!(b->mode & MODE_EA))
            return false;
        always = true;
        set = SET_LINK;
        break;
    case DIS_BRCT:
        set = SET_BRCT;
        break;
    case DIS_BRCTG:
        set = SET_BRCTG;
        break;
    case DIS_BRXLE:
    case DIS_BRXH:
    case DIS_BRXLG:
    case DIS_BRXHG:
        set = insn->row == DIS_BRXLE   ? SET_BRXLE
              : insn->row == DIS_BRXH  ? SET_BRXH
              : insn->row == DIS_BRXLG ? SET_BRXLG
                                       : SET_BRXHG;
        comparand = insn->r3 | 1;
        break;
    default:
        return false;
    }
    struct op *op = emit_branch(b, set, insn, offset, insn->i2);
    op->m = insn->m1;
    op->r2 = (uint8_t)comparand;
    b->ended = always || insn->i2 <= 0;
    return true;
}

static bool emit_compare_and_branch(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    static const uint16_t rows[8] = {DIS_CRJ, DIS_CGRJ, DIS_CLRJ, DIS_CLGRJ, DIS_CIJ, DIS_CGIJ, DIS_CLIJ, DIS_CLGIJ};
    unsigned n = 0, mask = insn->m3 >> 1 & 7;
    while (n < 8 && rows[n] != insn->row)
        n++;
    if (n == 8)
        return false;
    if (mask == 0) {
        emit_nop(b, insn, offset);
        return true;
    }
    struct op *op = emit_branch(b, SET_COMPARE + 8 * n + mask, insn, offset, insn->ri3);
    op->m = (uint8_t)insn->i2;
    b->ended = mask == 7 || insn->ri3 <= 0;
    return true;
}

static bool emit_indirect(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    unsigned set;
    bool always = false;
    struct op *op;
    switch (insn->row) {
    case DIS_BCR:
        if (insn->m1 == 0 || insn->r2 == 0) {
            emit_nop(b, insn, offset);
            return true;
        }
        always = insn->m1 == 15;
        set = always ? SET_BR : b->kind == KIND_DYNAMIC ? SET_BCR_ANY : SET_BCR + 16 * b->kind + insn->m1;
        break;
    case DIS_BC:
        if (insn->m1 == 0) {
            emit_nop(b, insn, offset);
            return true;
        }
        always = insn->m1 == 15;
        set = always ? SET_B : SET_BC;
        break;
    case DIS_BCT:
        set = SET_BCT;
        break;
    case DIS_BCTR:
    case DIS_BCTGR:
        if (insn->r2 == 0) {
            emit(b, insn->row == DIS_BCTR ? op_bctr_zero : op_bctgr_zero, insn, offset);
            return true;
        }
        set = insn->row == DIS_BCTR ? SET_BCTR : SET_BCTGR;
        break;
    case DIS_BASR:
        if (!(b->mode & MODE_EA))
            return false;
        if (insn->r2 == 0) {
            op = emit(b, op_load_i, insn, offset);
            op->i = (int64_t)((b->page | offset) + insn->length);
            return true;
        }
        always = true;
        set = SET_BASR;
        break;
    default:
        return false;
    }
    if (!(b->mode & MODE_EA))
        return false;
    op = emit_branch(b, set, insn, offset, 0);
    op->m = insn->m1;
    if (insn->row == DIS_BC || insn->row == DIS_BCT) {
        op->r2 = (uint8_t)reg(insn->b2);
        op->r3 = (uint8_t)reg(insn->x2);
        op->i = insn->d2;
    }
    b->ended = always;
    return true;
}

/* Operands of the halfword and word immediates: position in m, width in d. */
static void special_immediate(struct op *op, const struct dis_insn *insn)
{
    static const struct {
        uint16_t row;
        uint8_t shift;
        bool word, place; /* place: the operand itself goes to its position */
    } table[] = {
        {DIS_LLILH, 16, false, true}, {DIS_LLIHL, 32, false, true}, {DIS_LLIHH, 48, false, true},
        {DIS_LLIHF, 32, true, true},  {DIS_IILL, 0, false, false},  {DIS_IILH, 16, false, false},
        {DIS_IIHL, 32, false, false}, {DIS_IIHH, 48, false, false}, {DIS_NILL, 0, false, false},
        {DIS_NILH, 16, false, false}, {DIS_NIHL, 32, false, false}, {DIS_NIHH, 48, false, false},
        {DIS_NIHF, 32, true, false},  {DIS_OILL, 0, false, false},  {DIS_OILH, 16, false, false},
        {DIS_OIHL, 32, false, false}, {DIS_OIHH, 48, false, false}, {DIS_OIHF, 32, true, false},
        {DIS_XIHF, 32, true, false},  {DIS_TMLL, 0, false, false},  {DIS_TMLH, 16, false, false},
        {DIS_TMHL, 32, false, false}, {DIS_TMHH, 48, false, false},
    };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].row == insn->row) {
            uint32_t width = table[i].word ? 0xffffffff : 0xffff;
            op->m = table[i].shift;
            op->d = (int32_t)width;
            op->i = insn->i2 & width;
            if (table[i].place)
                op->i = (int64_t)((uint64_t)op->i << table[i].shift);
        }
}

static uint64_t rotate_mask(unsigned first, unsigned last)
{
    uint64_t from = ~UINT64_C(0) >> first, to = ~UINT64_C(0) << (63 - last);
    return first <= last ? from & to : from | to;
}

static bool special_rotate(const struct builder *b, struct op *op, const struct dis_insn *insn)
{
    bool zero = insn->i4 & 0x80;
    (void)b;
    op->i = (int64_t)rotate_mask(insn->i3 & 63, insn->i4 & 63);
    op->m = insn->i5 & 63;
    if (insn->row == DIS_RISBG || insn->row == DIS_RISBGN) {
        if (zero)
            op->run = insn->row == DIS_RISBG ? op_risbg_z : op_risbgn_z;
        return true;
    }
    return !(insn->i3 & 0x80); /* T: the result is not put anywhere; by the body */
}

static handler short_storage(const struct dis_insn *insn, const struct op *op)
{
    bool same = op->r1 == op->r2 && op->d == op->i;
    if (insn->row == DIS_XC && same)
        return op_xc_same;
    if (insn->row == DIS_MVC)
        switch (insn->l1) {
        case 0:
            return op_mvc_1;
        case 1:
            return op_mvc_2;
        case 3:
            return op_mvc_4;
        case 7:
            return op_mvc_8;
        case 15:
            return op_mvc_16;
        }
    if (insn->row == DIS_CLC)
        switch (insn->l1) {
        case 0:
            return op_clc_1;
        case 1:
            return op_clc_2;
        case 3:
            return op_clc_4;
        case 7:
            return op_clc_8;
        }
    return op->run;
}

/* Floating point: a storage operand when the format has one. False: the body has other rounding methods, and all of
   multiply-and-add where the host cannot. */
static bool float_operands(const struct fast *f, struct op *op, const struct dis_insn *insn)
{
    unsigned format = dis_rows[insn->row].format, row = insn->row;
    if (f->form == FORM_FX || format == DIS_FMT_RXF) {
        op->r2 = (uint8_t)reg(insn->b2);
        op->r3 = (uint8_t)reg(insn->x2);
        op->d = insn->d2;
    }
    if (f->form == FORM_FMA) {
        op->m = insn->r3;
        return block_fused();
    }
    bool truncates = row == DIS_CFDBRA || row == DIS_CGDBRA || row == DIS_CFEBRA;
    return f->form != FORM_FMODE || (insn->m3 == (truncates ? BFP_TOWARD_ZERO : 0) && insn->m4 == 0);
}

/* A storage operand with base and index. */
static void indexed(struct op *op, const struct dis_insn *insn)
{
    op->r2 = (uint8_t)reg(insn->b2);
    op->r3 = (uint8_t)reg(insn->x2);
    op->d = insn->d2;
    for (unsigned i = 0; !insn->x2 && i < sizeof index_forms / sizeof *index_forms; i++)
        if (index_forms[i].with == op->run)
            op->run = index_forms[i].without;
}

/* Registers R1 to R3 and their number. */
static void several_registers(struct op *op, const struct dis_insn *insn)
{
    static const struct {
        handler straight, wrapping;
    } forms[] = {{op_lm, op_lm_w}, {op_lmg, op_lmg_w}, {op_stm, op_stm_w}, {op_stmg, op_stmg_w}};
    op->r2 = (uint8_t)reg(insn->b2);
    op->d = insn->d2;
    op->m = (uint8_t)(((insn->r3 - insn->r1) & 15) + 1);
    if (insn->r3 < insn->r1) {
        for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
            if (forms[i].straight == op->run)
                op->run = forms[i].wrapping;
    } else if (op->m >= 2 && op->m <= 10) {
        op->run = op->run == op_lmg ? block_lmg[op->m] : op->run == op_stmg ? block_stmg[op->m] : op->run;
    }
}

/* Forms of one instruction or two. */
static void by_row(struct op *op, const struct dis_insn *insn)
{
    switch (insn->row) {
    case DIS_LOCR:
    case DIS_LOCGR:
    case DIS_LOCHI:
    case DIS_LOCGHI:
        op->m = insn->m3;
        op->i = insn->i2;
        break;
    case DIS_SELR:
    case DIS_SELGR:
        op->m = insn->m4;
        break;
    default:
        special_immediate(op, insn);
        break;
    }
}

/* Operand fields by form. False: this encoding is left to the body. */
static bool operands(const struct builder *b, const struct fast *f, struct op *op, const struct dis_insn *insn)
{
    switch (f->form) {
    case FORM_RR:
        if (op->r1 == op->r2 && insn->row == DIS_XR)
            op->run = op_xr_zero;
        if (op->r1 == op->r2 && insn->row == DIS_XGR)
            op->run = op_xgr_zero;
        return true;
    case FORM_RRR:
        return true;
    case FORM_RI:
    case FORM_RRI:
        op->i = insn->i2;
        return true;
    case FORM_SHIFT:
    case FORM_SHIFT3:
        if (f->form == FORM_SHIFT3)
            op->r2 = insn->r3;
        if (insn->b2 == 0) {
            op->m = (uint8_t)(insn->d2 & 63);
        } else {
            op->run = f->other;
            op->r3 = insn->b2;
            op->d = insn->d2;
        }
        return true;
    case FORM_RX:
        indexed(op, insn);
        return true;
    case FORM_RS:
        several_registers(op, insn);
        return true;
    case FORM_SI:
        op->r2 = (uint8_t)reg(insn->b1);
        op->r3 = 16;
        op->d = insn->d1;
        op->i = insn->i2;
        return true;
    case FORM_SS:
        op->r1 = (uint8_t)reg(insn->b1);
        op->r2 = (uint8_t)reg(insn->b2);
        op->d = insn->d1;
        op->i = insn->d2;
        op->m = insn->l1;
        op->run = short_storage(insn, op);
        return true;
    case FORM_LARL:
    case FORM_RL:
        op->i = (int64_t)((b->page | op->offset) + (uint64_t)insn->i2);
        return f->form == FORM_LARL || op->i % dis_rows[insn->row].storage[0].bytes == 0;
    case FORM_FX:
    case FORM_FMA:
    case FORM_FMODE:
        return float_operands(f, op, insn);
    case FORM_SPACE:
        op->r2 = (uint8_t)reg(insn->b2);
        op->r3 = 16;
        op->d = insn->d2;
        return block_loads_space(insn);
    case FORM_RISBG:
        return special_rotate(b, op, insn);
    default:
        by_row(op, insn);
        return true;
    }
}

/* INSERT CHARACTERS and COMPARE LOGICAL CHARACTERS UNDER MASK: those of one to three adjacent ones. */
static handler under_mask(const struct dis_insn *insn, bool insert)
{
    static const uint8_t lengths[15] = {
        [1] = 1, [2] = 1, [4] = 1, [8] = 1, [3] = 2, [6] = 2, [12] = 2, [7] = 3, [14] = 3};
    static const handler handlers[2][4] = {{NULL, op_clm_8, op_clm_16, op_clm_24},
                                           {NULL, op_icm_8, op_icm_16, op_icm_24}};
    return insn->m3 == 15 ? insert ? op_lt_b : op_cl_b : handlers[insert][lengths[insn->m3]];
}

/* CHARACTERS UNDER MASK with the masks that are like loads, comparisons and stores. */
static bool emit_mask(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    handler run = NULL;
    unsigned after = b->kind;
    if (!(b->mode & MODE_EA))
        return false;
    if (insn->row == DIS_ICM || insn->row == DIS_ICMY) {
        run = under_mask(insn, true);
        after = KIND_S;
    } else if (insn->row == DIS_CLM || insn->row == DIS_CLMY) {
        run = under_mask(insn, false);
        after = KIND_U;
    } else if (insn->row == DIS_STCM || insn->row == DIS_STCMY) {
        run = insn->m3 == 15 ? op_st_b : insn->m3 == 3 ? op_sth_b : insn->m3 == 1 ? op_stc_b : NULL;
    }
    if (!run)
        return false;
    struct op *op = emit(b, run, insn, offset);
    op->r2 = (uint8_t)reg(insn->b2);
    op->r3 = 16;
    op->d = insn->d2;
    op->i = insn->m3 ? 8 * __builtin_ctz(insn->m3) : 0;
    op->after = (uint8_t)after;
    b->kind = after;
    return true;
}

static bool emit_fast(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    const struct fast *f = &fast_rows[insn->row];
    if (!f->run || (f->needs & NEEDS_64 && !(b->mode & MODE_EA)) ||
        (f->needs & NEEDS_NO_OVERFLOW && b->mode & MODE_OVERFLOW) ||
        (f->needs & NEEDS_PLAIN && b->mode & (MODE_RI | MODE_CYCLES)))
        return false;
    struct op *op = emit(b, f->run, insn, offset);
    if (!operands(b, f, op, insn)) {
        b->n--;
        return false;
    }
    if (f->after != AFTER_SAME)
        op->after = f->after;
    b->kind = op->after;
    return true;
}

static bool emit_vector(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    if (!(dis_rows[insn->row].flags & DIS_NEEDS_VECTOR))
        return false;
    struct op *op = emit(b, NULL, insn, offset);
    unsigned after = b->kind;
    if (!block_vector(b->cpu, insn, op, &after)) {
        b->n--;
        return false;
    }
    if (op->run == op_vector_body)
        note_insn(b, op, insn);
    b->kind = after;
    op->after = (uint8_t)after;
    return true;
}

/* Hints that have no effect here, see cpu/exec/general/branch.c. */
static bool emit_hint(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    if (insn->row != DIS_PFD && insn->row != DIS_PFDRL && insn->row != DIS_NIAI)
        return false;
    emit_nop(b, insn, offset);
    return true;
}

/* RIEMIT: a no-operation unless RI is active, which the mode of the block tells. */
static bool emit_riemit(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    if (insn->row != DIS_RIEMIT)
        return false;
    if (!(b->mode & MODE_RI)) {
        emit_nop(b, insn, offset);
        return true;
    }
    struct op *op = emit(b, op_riemit, insn, offset);
    struct op_branch *data = (struct op_branch *)(void *)&b->ops[b->n++];
    const uint64_t ia = b->page | offset;
    *data = (struct op_branch){.own = ia, .type = RI_TYPE_EMIT, .flags = RI_SITE_EMIT | RI_SITE_COLLECTED};
    op->m = (b->mode & MODE_PROBLEM) != 0;
    return true;
}

/* True for instructions that are the reference engine's while RI is active. */
static bool ri_step(const struct dis_insn *insn)
{
    const struct dis_row *row = &dis_rows[insn->row];
    return row->flags & (DIS_RI_STEP | DIS_EXECUTES | DIS_INTERRUPTIBLE) || dis_branch_class(insn) != DIS_BRANCH_NONE;
}

/* Likewise while cycles are counted: what may end in the middle, what executes another instruction, whose length counts
   too, and what looks at the counts. */
static bool count_step(const struct dis_insn *insn)
{
    const struct dis_row *row = &dis_rows[insn->row];
    return row->flags & (DIS_INTERRUPTIBLE | DIS_EXECUTES) || row->facility == FACILITY_CPUMCF ||
           row->facility == FACILITY_CPUMSF || row->facility == FACILITY_STCCTM ||
           engine_needs_alone(insn->row); /* exception trace may be told of requests in the midst of it */
}

/* Likewise of a program that is profiled: branches without a handler of their own, what executes another instruction,
   and DIAGNOSE, which may end the profile. */
static bool edges_step(const struct dis_insn *insn)
{
    const enum dis_edge class = dis_edge_class(insn);
    return (class != DIS_EDGE_ORD && class != DIS_EDGE_NEVER && class != DIS_EDGE_XFER) ||
           dis_rows[insn->row].flags & DIS_RI_STEP;
}

/* EX and EXRL. In RI mode 0 the length of the target is charged as well: that is left to the reference engine. */
static bool emit_execute(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    if (!(dis_rows[insn->row].flags & DIS_EXECUTES) || !(b->mode & MODE_EA) || b->mode & MODE_RI_CYCLES)
        return false;
    emit_generic(b, insn, offset);
    struct op *op = &b->ops[b->n - 1];
    op->run = insn->row == DIS_EX ? op_ex : op_exrl;
    if (b->mode & MODE_EDGES) {
        op->run = insn->row == DIS_EX ? op_ex_known : op_exrl_known;
        b->ops[b->n++] = (struct op){.run = NULL};
    }
    return true;
}

/* COMPARE AND SWAP, LOAD AND ADD and the like: on this host the update itself serializes, on either side, as a fence
   does, and an exception of theirs is an interruption, which serializes as well. */
static bool locks(unsigned row)
{
#ifdef __x86_64__
    return row == DIS_CS || row == DIS_CSY || row == DIS_CSG || row == DIS_LAA || row == DIS_LAAG || row == DIS_LAAL ||
           row == DIS_LAALG || row == DIS_LAN || row == DIS_LANG || row == DIS_LAO || row == DIS_LAOG ||
           row == DIS_LAX || row == DIS_LAXG;
#else
    (void)row;
    return false;
#endif
}

/* Threads: what has to be interlocked is left to its body or to a template that locks, what must find its CPU alone to
   the reference engine; whatever serializes is preceded by a fence. True: done. */
static bool emit_threads(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    const bool bcr = insn->row == DIS_BCR && insn->r2 == 0 && insn->m1 >= 14;
    if (engine_needs_alone(insn->row)) {
        emit_step(b, insn, offset);
        return true;
    }
    if (bcr || (dis_rows[insn->row].flags & DIS_SERIALIZES && !locks(insn->row)))
        emit(b, op_fence, insn, offset);
    if (!(dis_rows[insn->row].flags & DIS_INTERLOCKED))
        return false;
    emit_generic(b, insn, offset);
    return true;
}

/* Behind an instruction that has to be left to its handler translated code goes on. The operation counts it: a run may
   be left there, behind a branch that was not taken. */
static void emit_resume(struct builder *b, const struct op *op, const struct dis_insn *insn, unsigned offset)
{
    if (!b->resumes || b->ended || cache_of(b->cpu)->translator->ready(op, insn))
        return;
    struct op *resume = emit(b, op_resume, insn, offset);
    resume->count++;
    resume->cycles = (uint8_t)(resume->cycles + insn->length / 2);
}

/* An instruction that was changed again and again. It may become any other one. */
static bool emit_volatile(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    if (LIKELY(!b->unsteady) || b->mode & (MODE_RI | MODE_CYCLES) || b->cpu->sys->threads ||
        !block_volatile(cache_of(b->cpu), b->frame | offset))
        return false;
    struct op *op = emit(b, op_volatile, insn, offset);
    op->after = KIND_CC;
    b->kind = KIND_CC;
    return true;
}

static void emit_one(struct builder *b, const struct dis_insn *insn, unsigned offset)
{
    if (emit_volatile(b, insn, offset))
        return;
    if (engine_check(b->cpu, insn)) {
        emit_step(b, insn, offset);
        return;
    }
    if (UNLIKELY(b->cpu->sys->threads) && emit_threads(b, insn, offset))
        return;
    if (emit_fast(b, insn, offset) || emit_relative(b, insn, offset) || emit_compare_and_branch(b, insn, offset) ||
        emit_indirect(b, insn, offset) || emit_riemit(b, insn, offset) || emit_mask(b, insn, offset) ||
        emit_vector(b, insn, offset) || emit_hint(b, insn, offset))
        return;
    if (emit_execute(b, insn, offset))
        return;
    if ((b->mode & MODE_RI && ri_step(insn)) || (b->mode & MODE_CYCLES && count_step(insn)) ||
        (b->mode & MODE_EDGES && edges_step(insn))) {
        emit_step(b, insn, offset);
        return;
    }
    emit_generic(b, insn, offset);
    if (b->mode & MODE_RI && b->final)
        b->ops[b->n - 1].run = op_ri_end;
}

/* The end of a block that runs on to the next address. */
static void emit_fall(struct builder *b, unsigned offset)
{
    static const struct dis_insn nothing;
    struct op *op = place_branch(b, SET_JUMP, &nothing, offset & 0xfff, 0);
    op->run = op_fall;
    struct op_branch *data = (struct op_branch *)(void *)(op + 1);
    data->target = (b->page + offset) & mode_mask(b->mode);
    if (b->mode & MODE_EDGES)
        b->branches_so_far--;
    op->passed = passed(b, b->count, b->cycles);
}

/* What it takes of a budget. */
static unsigned weight(const struct builder *b)
{
    return b->count + (b->mode & MODE_FAR ? CPU_FAR_WEIGHT * b->branches_so_far : 0u);
}

static struct block *finish(struct builder *b, struct block_cache *cache, uint64_t ia, uint64_t absolute, unsigned end)
{
    uint64_t size = sizeof(struct block) + b->n * sizeof(struct op);
    const unsigned branches = b->mode & MODE_FAR ? b->count + 1u : 0, start = (unsigned)(absolute & 0xfff);
    const uint64_t code = size + b->insns * sizeof(struct dis_insn) + b->count + branches;
    const unsigned kept = b->kept ? end - start + 6 : 0; /* and what a look at an instruction in two pages may reach */
    struct block *block = block_alloc(cache, code + kept);
    if (!block)
        return NULL;
    struct dis_insn *insns = (struct dis_insn *)(void *)((uint8_t *)block + size);
    memcpy(insns, b->insn, b->insns * sizeof *insns);
    memcpy(insns + b->insns, b->slots, b->count);
    block->slots = (uint16_t)(size + b->insns * sizeof *insns);
    block->branches = (uint16_t)(block->slots + b->count);
    b->branches[b->count] = b->branches_so_far;
    memcpy((uint8_t *)block + block->branches, b->branches, branches);
    memcpy(block->ops, b->ops, b->n * sizeof *b->ops);
    for (unsigned i = 0; i < b->insns; i++)
        block->ops[b->insn_op[i]].insn = &insns[i];
    block->need = (int64_t)weight(b) * CPU_UNIT;
    block->ia = ia;
    block->absolute = absolute;
    block->mode = b->mode;
    block->host = cache->storage + (absolute & PAGE_ADDRESS);
    if (kept) {
        memcpy((uint8_t *)block + code, b->kept + start, kept);
        block->host = (uint8_t *)block + code - start;
    }
    block->end = (uint16_t)(end < PAGE_SIZE_Z ? end : PAGE_SIZE_Z);
    block->tail = b->tail;
    return block;
}

/* Decode instructions from `offset` on, up to `stop` at the latest. Returns the offset behind them; *head receives the
   offset of an instruction in their middle that a backward branch among them goes to, or stays. */
static unsigned decode_from(struct builder *b, const uint8_t *host, unsigned offset, unsigned stop, unsigned *head)
{
    const unsigned start = offset, most = b->unsteady ? BLOCK_SHORT : BLOCK_INSTRUCTIONS;
    const unsigned heaviest = BLOCK_INSTRUCTIONS - (b->mode & MODE_FAR ? CPU_FAR_WEIGHT : 0u);
    begin(b);
    while (!b->ended && offset < stop && offset + dis_length(host[offset]) <= PAGE_SIZE_Z && b->count < most &&
           weight(b) < heaviest && b->n + OPS_MOST < BLOCK_OPS && !engine_break_at(b->cpu, b->page | offset)) {
        struct dis_insn insn;
        dis_decode(host + offset, &insn);
        b->slots[b->count] = (uint8_t)b->n;
        b->branches[b->count] = b->branches_so_far;
        if (UNLIKELY(b->spins && !b->count))
            emit(b, op_spin, &insn, offset)->i = b->spins;
        const unsigned branch = b->n;
        emit_one(b, &insn, offset);
        if (b->stepped)
            break;
        emit_resume(b, &b->ops[branch], &insn, offset);
        if (b->ended && !b->final) { /* an unconditional or a backward branch */
            const struct op_branch *data = (const struct op_branch *)(const void *)&b->ops[b->n - 1];
            if (b->n > branch + 1 && (data->target & PAGE_ADDRESS) == b->page && (data->target & 0xfff) > start &&
                (data->target & 0xfff) <= offset && dis_branch_relative(&insn))
                *head = (unsigned)(data->target & 0xfff);
        }
        b->count++;
        b->cycles += insn.length / 2;
        offset += insn.length;
    }
    return offset;
}

/* The instruction in two pages, when both are known, for a translator that has code for it: its operations, and what
   block_crossing() tells of. */
static bool emit_crossing_known(struct builder *b, const uint8_t *host, const uint8_t *there, unsigned offset)
{
    const unsigned here = PAGE_SIZE_Z - offset;
    uint8_t bytes[6] = {0};
    struct dis_insn insn;
    if (!b->resumes || !there)
        return false;
    memcpy(bytes, host + offset, here);
    memcpy(bytes + here, there, dis_length(host[offset]) - here);
    dis_decode(bytes, &insn);
    if (b->mode & MODE_EDGES && !block_edges_crossing(b->cpu, &insn, (uint64_t)(there - cache_of(b->cpu)->storage)))
        return false;
    emit_one(b, &insn, offset);
    const handler run = b->ops[0].run;
    if (b->final || dis_rows[insn.row].flags & DIS_EXECUTES || !cache_of(b->cpu)->translator->ready(b->ops, &insn)) {
        begin(b);
        return false;
    }
    b->ops[0].run = op_crossing;
    note_insn(b, emit(b, run, &insn, offset), &insn);
    note_insn(b, emit(b, op_crossing, &insn, offset), &insn);
    return true;
}

/* The first instruction is in two pages. What is in the second one may be translated otherwise, or changed, with no
   word to this block, so it is fetched each time, or compared in code of the translator; and where more is told of an
   instruction than that it is over it is the reference engine's. */
static void emit_crossing(struct builder *b, const uint8_t *host, unsigned offset)
{
    const struct dis_insn insn = {.length = dis_length(host[offset])};
    const uint8_t *there = cpu_fetched_page(b->cpu, (b->page + PAGE_SIZE_Z) & mode_mask(b->mode));
    if (b->mode & (MODE_RI | MODE_CYCLES)) {
        emit_step(b, &insn, offset);
        return;
    }
    b->slots[0] = b->branches[0] = 0;
    if (!emit_crossing_known(b, host, there, offset)) {
        struct op *op = emit(b, op_crossing, &insn, offset);
        note_insn(b, op, &(struct dis_insn){0});
        op->after = KIND_CC;
        b->ended = b->final = true;
        op->d = there ? -1 : 0; /* -1: it is known, and nothing else comes of it */
    }
    b->count = 1;
    b->cycles = insn.length / 2;
}

/* The first instruction is the reference engine's, or in two pages: a block that says so is found again, and branches
   lead there. Returns the offset behind it. */
static unsigned emit_alone(struct builder *b, const uint8_t *host, unsigned start)
{
    if (!b->stepped)
        emit_crossing(b, host, start);
    return start + dis_length(host[start]);
}

struct block *block_decode(struct cpu *cpu, struct block_cache *cache, uint64_t ia, uint64_t absolute)
{
    struct builder b;
    const uint8_t *host = cache->storage + (absolute & PAGE_ADDRESS);
    unsigned start = (unsigned)(ia & 0xfff), head = PAGE_SIZE_Z;
    uint8_t kept[PAGE_SIZE_Z + BLOCK_CODE];
    b.kept = NULL;
    if (UNLIKELY(cpu->sys->threads)) { /* another CPU may change it meanwhile, and while there is the block */
        memcpy(kept + start, host + start, PAGE_SIZE_Z - start < BLOCK_CODE ? PAGE_SIZE_Z - start : BLOCK_CODE);
        b.kept = host = kept;
    }
    b.cpu = cpu;
    b.mode = cache->mode;
    b.page = ia & PAGE_ADDRESS;
    b.frame = absolute & PAGE_ADDRESS;
    b.spins = b.mode & MODE_RI ? 0 : engine_spins(cpu->sys, cache->storage + b.frame, start);
    b.resumes = cache->translator && !b.spins;
    b.unsteady = cpu->sys->storage.page_changes[absolute / PAGE_SIZE_Z] >= UNSTEADY_CHANGES;
    unsigned end = decode_from(&b, host, start, PAGE_SIZE_Z, &head);
    if (head < end) /* a loop inside is a block of its own: it would be there twice otherwise */
        end = decode_from(&b, host, start, head, &head);
    if (b.count == 0)
        end = emit_alone(&b, host, start);
    b.tail = (uint8_t)(b.final ? b.stepped ? b.n - 1 : 0 : b.n);
    if (!b.final)
        emit_fall(&b, end);
    return finish(&b, cache, ia, absolute, end);
}
