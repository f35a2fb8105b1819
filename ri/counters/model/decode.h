/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions as the pipeline model sees them, decoded once and found again by their bytes. */
#ifndef ZRI_RI_COUNTERS_MODEL_DECODE_H
#define ZRI_RI_COUNTERS_MODEL_DECODE_H

#include "disasm/dis.h"
#include "ri/counters/model/predict.h"
#include "ri/counters/model/profile.h"
#include "base/bits.h"
#include <string.h>

/* Classes of latency. */
enum ec_class {
    EC_ALU,
    EC_MUL,
    EC_DIV,
    EC_LD,
    EC_ST,
    EC_BR,
    EC_FLOAT,
    EC_DEC,
    EC_SS,
    EC_OTHER,
    EC_SERIALISE,
    EC_CLASSES
};
const char *ec_class_name(unsigned class);

/* Registers in sets: general ones 0-15, then: */
enum { EC_REG_CC = 16, EC_REG_FLOAT, EC_REG_ACCESS, EC_REG_CONTROL, EC_REGS };

enum ec_op_flag {
    EC_OP_BRANCH = 1,
    EC_OP_CONDITIONAL = 2,
    EC_OP_RELATIVE = 4,
    EC_OP_CALL = 8,
    EC_OP_RETURN = 16,
    EC_OP_SERIAL = 32, /* waits until the table is empty */
    EC_OP_DRAIN = 64,  /* everything before completes first */
    EC_OP_PURGE = 128,
    EC_OP_INVALID = 256, /* no instruction */
    EC_OP_EXECUTES = 512,
};

struct ec_op {
    uint64_t text;          /* its bytes, from the left; 0 in a free place */
    uint64_t bits;          /* ones where it has its bytes */
    uint64_t dispatch;      /* events of its dispatch, 1 << code */
    uint32_t src, dst;      /* registers */
    uint16_t flags;         /* enum ec_op_flag */
    uint16_t latency;       /* cycles */
    uint8_t class;          /* enum ec_class */
    uint8_t reg_rd, reg_wr; /* general registers */
    uint8_t operands;       /* storage operands that may be there */
    struct dis_storage storage[2];
    int64_t branch; /* with EC_OP_RELATIVE: the target from the instruction, bytes */
    struct dis_insn insn;
};

#define EC_OPS   4096u
#define EC_SPOTS 2048u
struct ec_ops {
    const struct ec_profile *profile;
    struct ec_op place[EC_OPS];
    const struct ec_op
        *spot[EC_SPOTS]; /* by absolute address: what was seen there last, if it still is; NULL: nothing */
};

/* Decode `bytes` (as many as the instruction has) for that profile. */
void ec_decode(const struct ec_profile *profile, const uint8_t *bytes, struct ec_op *op);
/* The same, kept: good until the next call. `text`: as ec_text() makes it. */
struct ec_op *ec_decode_anew(struct ec_ops *ops, uint64_t text, struct ec_op *op);
static inline const struct ec_op *ec_decode_kept(struct ec_ops *ops, uint64_t text)
{
    struct ec_op *op = &ops->place[(text * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
    return __builtin_expect(op->text == text, 1) ? op : ec_decode_anew(ops, text, op);
}
/* An execute-type instruction and its target as one. */
void ec_decode_executed(const struct ec_op *execute, const struct ec_op *target, struct ec_op *both);

/* Bytes of an instruction from the left, and in the last byte its length: not zero, and other than that of another
   length. From `available` readable ones; 0: it does not fit there. */
static inline uint64_t ec_text(const uint8_t *bytes, unsigned available)
{
    static const uint64_t masks[] = {UINT64_C(0xffff) << 48, UINT64_C(0xffffffff) << 32,
                                     UINT64_C(0xffffffffffff) << 16};
    const unsigned length = available ? dis_length(bytes[0]) : 0;
    uint64_t text = 0;
    if (!length || length > available)
        return 0;
    if (available >= 8) {
        memcpy(&text, bytes, 8);
        return (BE64(text) & masks[length / 2 - 1]) | length;
    }
    for (unsigned i = 0; i < length; i++)
        text |= (uint64_t)bytes[i] << (56 - 8 * i);
    return text | length;
}

/* The instruction at an absolute address, whose first eight bytes are `bytes`. */
static inline const struct ec_op *ec_decode_at(struct ec_ops *ops, uint64_t absolute, const uint8_t *bytes)
{
    const struct ec_op **spot = &ops->spot[absolute >> 1 & (EC_SPOTS - 1)];
    uint64_t text;
    memcpy(&text, bytes, 8);
    if (__builtin_expect(!*spot || ((BE64(text) ^ (*spot)->text) & (*spot)->bits) != 0, 0))
        *spot = ec_decode_kept(ops, ec_text(bytes, 8));
    return *spot;
}

static inline struct ec_branch ec_branch_of(const struct ec_op *op, uint64_t ia, uint64_t next, uint64_t base,
                                            uint64_t mask)
{
    return (struct ec_branch){
        .ia = ia,
        .next = next,
        .target = (base + (uint64_t)op->branch) & mask,
        .conditional = op->flags & EC_OP_CONDITIONAL,
        .relative = op->flags & EC_OP_RELATIVE,
        .call = op->flags & EC_OP_CALL,
        .ret = op->flags & EC_OP_RETURN,
    };
}

#endif
