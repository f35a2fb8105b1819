/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipeline model has to know of an instruction, from the instruction table. Reading, where the specification
   leaves it open: registers are counted once however often an instruction names them; an instruction that works on an
   operand in storage has the latency of a load. */
#include "ri/counters/model/decode.h"
#include "ri/counters/model/events.h"
#include <string.h>

enum {
    WRITES = 1,
    READS = 2,
    MULTIPLIES = 4,
    DIVIDES = 8,
    CONVERTS = 16,
    DECIMAL = 32,
    DRAINS = 64,
    PURGES = 128,
    USES_CC = 256,
};
static const uint16_t roles[DIS_ROW_COUNT] = {
#define ROLE(row, facts) [DIS_##row] = facts,
#include "ri/counters/model/classes.def"
#undef ROLE
};

/* Operand classes, as disasm/operands.def has them. */
enum operand { GR, FR, AR, CR, VR, VSAME, GP, FP, U, S, REL, BD, XBD, VBD, LBD, LLBD, RBD, NO_OPERAND };
static const uint8_t operand_class[] = {
    [DIS_OP_NONE] = NO_OPERAND,
#define OPERAND(id, class, start, width, extra) [DIS_OP_##id] = class,
#include "disasm/operands.def"
#undef OPERAND
};
static const uint8_t operand_start[] = {
    [DIS_OP_NONE] = 0,
#define OPERAND(id, class, start, width, extra) [DIS_OP_##id] = start,
#include "disasm/operands.def"
#undef OPERAND
};

const char *ec_class_name(unsigned class)
{
    static const char *const names[EC_CLASSES] = {"alu", "mul", "div", "load",  "store", "branch",
                                                  "fp",  "dec", "ss",  "other", "serial"};
    return class < EC_CLASSES ? names[class] : "?";
}

/* ---- registers ------------------------------------------------------------------------------------------------- */

static unsigned nibble(const uint8_t *bytes, unsigned start) { return bytes[start / 8] >> (4 - start % 8) & 15; }

/* Registers `first` to `last`, around the end. */
static uint32_t range(unsigned first, unsigned last)
{
    uint32_t set = 0;
    for (unsigned r = first;; r = (r + 1) & 15) {
        set |= 1u << r;
        if (r == last)
            return set;
    }
}

static bool multiple(const struct dis_row *row)
{
    const uint8_t length = row->storage[0].length;
    return length == DIS_LEN_REGS4 || length == DIS_LEN_REGS8 || length == DIS_LEN_REGS16;
}

/* General registers that an operand names: the first of an instruction by its role, the others are read. */
static void general(struct ec_op *op, const struct dis_row *row, unsigned role, unsigned r, bool first, bool pair)
{
    const bool comparing = op->insn.row == DIS_CDS || op->insn.row == DIS_CDSY || op->insn.row == DIS_CDSG;
    uint32_t set = 1u << r;
    if (pair)
        set |= 1u << (r | 1);
    if (multiple(row) && !first) /* from the first to this one: told with the first */
        return;
    if (multiple(row))
        set = range(op->insn.r1, op->insn.r3);
    if (op->class == EC_MUL && pair) { /* the even one only receives */
        op->dst |= set;
        set &= 0xaaaa;
        role = READS;
    }
    const bool both = first || (pair && !comparing);
    if (!both || !(role & WRITES))
        op->src |= set;
    if (both && !(role & READS))
        op->dst |= set;
}

/* Registers that are followed as a whole: loading writes them, storing reads them, all else does both. */
static void whole(struct ec_op *op, const struct dis_row *row, unsigned reg, bool first)
{
    const bool loads = (row->flags & (DIS_FETCHES | DIS_STORES)) == DIS_FETCHES && row->cc == DIS_CC_UNCHANGED;
    const bool stores = (row->flags & (DIS_FETCHES | DIS_STORES)) == DIS_STORES;
    if (!first || !loads)
        op->src |= 1u << reg;
    if (first && !stores)
        op->dst |= 1u << reg;
}

static void bases(struct ec_op *op, unsigned class)
{
    const struct dis_insn *i = &op->insn;
    op->src |= (i->b1 ? 1u << i->b1 : 0) | (i->b2 ? 1u << i->b2 : 0) | (i->b4 ? 1u << i->b4 : 0);
    if (class == XBD && i->x2)
        op->src |= 1u << (i->x2 & 15);
    if (class == VBD)
        op->src |= 1u << EC_REG_FLOAT;
    if (class == RBD)
        op->src |= 1u << i->r1;
}

static void registers(struct ec_op *op, const struct dis_row *row)
{
    bool first = true;
    for (const uint8_t *kind = row->operands; *kind != DIS_OP_NONE; kind++) {
        const unsigned class = operand_class[*kind], r = nibble(op->insn.bytes, operand_start[*kind]);
        /* no branch address in register 0 */
        const bool absent = !r && row->branch != DIS_BRANCH_NONE &&
                            ((row->format == DIS_FMT_RR && operand_start[*kind] == 12) ||
                             (row->format == DIS_FMT_RRE && operand_start[*kind] == 28));
        if ((class == GR || class == GP) && !absent)
            general(op, row, roles[op->insn.row], r, first, class == GP);
        else if (class == FR || class == FP || class == VR || class == VSAME)
            whole(op, row, EC_REG_FLOAT, first);
        else if (class == AR)
            whole(op, row, EC_REG_ACCESS, first);
        else if (class == CR)
            whole(op, row, EC_REG_CONTROL, first);
        else if (class >= BD && class <= RBD)
            bases(op, class);
        first = first && class != GR && class != GP && class != FR && class != FP && class != VR && class != AR;
    }
    const unsigned mask = op->insn.m1;
    if ((roles[op->insn.row] & USES_CC) || (op->flags & EC_OP_BRANCH && row->operands[0] == DIS_OP_U4_8 && mask != 15))
        op->src |= 1u << EC_REG_CC;
    if (row->cc != DIS_CC_UNCHANGED)
        op->dst |= 1u << EC_REG_CC;
}

/* ---- classes --------------------------------------------------------------------------------------------------- */

static bool chapter_is(const struct dis_row *row, const char *first, const char *last)
{
    const size_t n = strlen(row->section);
    return n == strlen(first) && strcmp(row->section, first) >= 0 && strcmp(row->section, last) <= 0;
}
static bool is_float(const struct dis_row *row) { return chapter_is(row, "9", "9") || chapter_is(row, "18", "25"); }

static unsigned access_class(const struct dis_row *row)
{
    if (row->storage[0].where != DIS_AT_NONE && row->storage[1].where != DIS_AT_NONE)
        return EC_SS;
    if (row->storage[0].where >= DIS_AT_R1 && row->storage[0].where <= DIS_AT_R3)
        return EC_SS;
    return row->flags & DIS_STORES ? EC_ST : row->flags & DIS_FETCHES ? EC_LD : EC_ALU;
}

static unsigned class_of(const struct ec_op *op, const struct dis_row *row)
{
    if (op->flags & EC_OP_SERIAL)
        return EC_SERIALISE;
    if (op->flags & EC_OP_BRANCH)
        return EC_BR;
    const unsigned special = roles[op->insn.row];
    if (special & (MULTIPLIES | DIVIDES | CONVERTS))
        return special & MULTIPLIES ? EC_MUL : special & DIVIDES ? EC_DIV : EC_DEC;
    if (chapter_is(row, "8", "8"))
        return EC_DEC;
    if (is_float(row)) {
        const bool moves =
            row->flags & (DIS_FETCHES | DIS_STORES) && row->cc == DIS_CC_UNCHANGED && row->operands[2] == DIS_OP_NONE;
        return moves ? access_class(row) : EC_FLOAT;
    }
    return chapter_is(row, "7", "7") ? access_class(row) : EC_OTHER;
}

static void branch_of(struct ec_op *op, const struct dis_row *row)
{
    const struct dis_insn *insn = &op->insn;
    const enum dis_branch class = dis_branch_class(insn);
    if (class == DIS_BRANCH_NONE)
        return;
    op->flags |= EC_OP_BRANCH;
    if (!dis_branch_always(insn))
        op->flags |= EC_OP_CONDITIONAL;
    if (class == DIS_BRANCH_CALL)
        op->flags |= EC_OP_CALL;
    if (class == DIS_BRANCH_RETURN)
        op->flags |= EC_OP_RETURN;
    if (dis_branch_relative(insn)) {
        op->flags |= EC_OP_RELATIVE;
        op->branch = row->format == DIS_FMT_RIE_b || row->format == DIS_FMT_RIE_c ? insn->ri3 : insn->i2;
    }
}

static void events_of(struct ec_op *op, const struct dis_row *row)
{
    op->dispatch = UINT64_C(1) << EC_FETCH;
    if (op->flags & EC_OP_BRANCH) {
        op->dispatch |= UINT64_C(1) << EC_BRANCH;
        if (op->flags & EC_OP_CONDITIONAL)
            op->dispatch |= UINT64_C(1) << EC_BR_COND;
        if (!(op->flags & EC_OP_RELATIVE))
            op->dispatch |= UINT64_C(1) << EC_BR_IND;
    }
    if (op->flags & EC_OP_SERIAL)
        op->dispatch |= UINT64_C(1) << EC_SERIAL;
    if (roles[op->insn.row] & DECIMAL)
        op->dispatch |= UINT64_C(1) << EC_DECIMAL;
    if (is_float(row))
        op->dispatch |= UINT64_C(1) << EC_FP;
}

static uint16_t latency(const struct ec_profile *p, unsigned class)
{
    const uint32_t of[EC_CLASSES] = {p->lat_alu, p->lat_mul, p->lat_div, p->lat_load,  p->lat_store, p->lat_branch,
                                     p->lat_fp,  p->lat_dec, p->lat_ss,  p->lat_other, p->lat_serial};
    return (uint16_t)of[class];
}

void ec_decode(const struct ec_profile *profile, const uint8_t *bytes, struct ec_op *op)
{
    *op = (struct ec_op){.dispatch = UINT64_C(1) << EC_FETCH, .class = EC_OTHER};
    if (dis_decode(bytes, &op->insn) == DIS_NO_ROW) {
        op->flags = EC_OP_INVALID;
        op->latency = latency(profile, EC_OTHER);
        return;
    }
    const struct dis_insn *insn = &op->insn;
    const struct dis_row *row = &dis_rows[insn->row];
    branch_of(op, row);
    if (roles[insn->row] & DRAINS)
        op->flags |= EC_OP_SERIAL | EC_OP_DRAIN;
    if (insn->row == DIS_BCR && insn->r2 == 0 && insn->m1 >= 14)
        op->flags |= EC_OP_SERIAL;
    if (roles[insn->row] & PURGES)
        op->flags |= EC_OP_PURGE;
    if (row->flags & DIS_EXECUTES)
        op->flags |= EC_OP_EXECUTES;
    memcpy(op->storage, row->storage, sizeof op->storage);
    op->class = (uint8_t)class_of(op, row);
    op->latency = latency(profile, op->class);
    registers(op, row);
    op->reg_rd = (uint8_t)__builtin_popcount(op->src & 0xffff);
    op->reg_wr = (uint8_t)__builtin_popcount(op->dst & 0xffff);
    events_of(op, row);
    if (row->storage[0].length != DIS_LEN_INSTRUCTION)
        op->operands = (uint8_t)((row->storage[0].where != DIS_AT_NONE) + (row->storage[1].where != DIS_AT_NONE));
}

struct ec_op *ec_decode_anew(struct ec_ops *ops, uint64_t text, struct ec_op *op)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(text >> (56 - 8 * i));
    ec_decode(ops->profile, bytes, op);
    op->text = text;
    op->bits = ~UINT64_C(0) << (64 - 8 * (text & 7));
    return op;
}

void ec_decode_executed(const struct ec_op *execute, const struct ec_op *target, struct ec_op *both)
{
    *both = *target;
    both->src |= execute->src;
    both->flags |= execute->flags & EC_OP_DRAIN;
    both->reg_rd = (uint8_t)__builtin_popcount(both->src & 0xffff);
}
