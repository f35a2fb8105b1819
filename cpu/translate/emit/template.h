/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates, which make host code of one guest instruction each, and their operands. Shared by the files of
 * cpu/translate and cpu/translate/emit only. */
#ifndef ZRI_CPU_TRANSLATE_EMIT_TEMPLATE_H
#define ZRI_CPU_TRANSLATE_EMIT_TEMPLATE_H

#include "cpu/engine/handlers.h"
#include "cpu/translate/emit/internal.h"

/* ---- templates -------------------------------------------------------------------------------------------------- */

/* How a second operand is had. Fields of the operation, as decode.c fills them. */
enum how {
    FROM_R,      /* R2 (or R3 of three): doubleword */
    FROM_WORD,   /* its word, sign-extended */
    FROM_WORD_L, /* zero-extended */
    FROM_HALF,   /* its rightmost halfword and byte */
    FROM_HALF_L,
    FROM_BYTE,
    FROM_BYTE_L,
    FROM_31,       /* bits 33-63 */
    FROM_REVERSED, /* the doubleword, bytes reversed */
    FROM_WORD_REVERSED,
    FROM_I, /* immediate */
    FROM_STORAGE,
    STORAGE_D = FROM_STORAGE,
    STORAGE_WORD,
    STORAGE_WORD_L,
    STORAGE_HALF,
    STORAGE_HALF_L,
    STORAGE_BYTE,
    STORAGE_BYTE_L,
    STORAGE_D_REVERSED,
    STORAGE_WORD_REVERSED,
    STORAGE_HALF_REVERSED,
    HOW_OPERAND = 31,
    HOW_SUBTRACT = 32,
    HOW_AND = 64, /* else OR, or exclusive or: */
    HOW_XOR = 128,
    HOW_THREE = 256, /* R1 becomes the result of R2 and the second operand R3; of R3 and the immediate one */
    HOW_WORD = 512,  /* R1 is a word */
    HOW_TEST = 1024, /* the condition code is set as well */
    HOW_FOUR = 2048, /* forms of a template */
    HOW_MORE = 4096,
    HOW_RELATIVE = 8192, /* the storage operand has a relative address */
};
/* Operations on elements of vectors, in HOW_OPERAND: the size is in M4, with HOW_FOUR in M3, with HOW_MORE nowhere. */
enum element_operation {
    ELEMENT_ADD,
    ELEMENT_SUB,
    ELEMENT_EQUAL,
    ELEMENT_GREATER,
    ELEMENT_MAX,
    ELEMENT_MIN,
    ELEMENT_MAX_LOGICAL,
    ELEMENT_MIN_LOGICAL,
    ELEMENT_MULTIPLY,
    ELEMENT_MAGNITUDE,
    ELEMENT_EXTEND,
    ELEMENT_EXTEND_LOGICAL,
    ELEMENT_MERGE_HIGH,
    ELEMENT_MERGE_LOW,
    ELEMENT_AND,
    ELEMENT_AND_NOT,
    ELEMENT_OR,
    ELEMENT_XOR,
};
/* Has the host such an operation? */
bool vector_fits(unsigned how, const struct dis_insn *insn);
/* Operations on binary floating-point numbers, in HOW_OPERAND. */
enum float_operation {
    FLOAT_ADD,
    FLOAT_SUBTRACT,
    FLOAT_MULTIPLY,
    FLOAT_DIVIDE,
    FLOAT_ROOT,
    FLOAT_NARROW,
    FLOAT_FUSE_ADD,
    FLOAT_FUSE_SUBTRACT,
};
bool float_fits(unsigned how, const struct dis_insn *insn);
/* Operations on extended ones, in HOW_OPERAND */
enum extended_operation {
#define NUMBER(name) EXTENDED_##name,
    EXTENDED(NUMBER)
#undef NUMBER
};
/* The condition code becomes that of the number in RAX: 0 zero, 1 less, 2 greater. RAX, RCX and RDX change. */
void number_cc(struct translation *t, bool is_long);
/* Sixteen bytes each at the beginning of the code buffer. */
enum packed_constant {
    PACKED_REVERSED,  /* numbers of bytes: doublewords with the bytes reversed */
    PACKED_ROTATED_8, /* words rotated */
    PACKED_ROTATED_16,
    PACKED_ROTATED_24,
    PACKED_BYTES_07,
    PACKED_BYTES_1F,
    PACKED_BYTES_70,
    PACKED_BYTES_80,
    PACKED_HALVES_FF,
    PACKED_WORDS_FFFF,
    PACKED_FLOAT_LONG, /* bounds of ordinary results and of finite ones: what is subtracted, what is above them then */
    PACKED_FLOAT_SHORT = PACKED_FLOAT_LONG + 4,
    PACKED_WINDOW = PACKED_FLOAT_SHORT + 4, /* ones, and zeros behind them */
};
const uint8_t *packed_constant(const struct translation *t, enum packed_constant which);
void packed_constants_emit(struct x86 *x);
struct operand {
    bool constant; /* fits an immediate field: */
    int32_t i;
    bool in_cpu; /* otherwise: a general register without one of the host, at GR_AT(gr); */
    uint8_t gr;
    unsigned host;      /* else where it is: RCX or a general register's, not to be changed unless RCX */
    struct value value; /* what it is to the condition code */
};

/* ---- operand.c -------------------------------------------------------------------------------------------------- */
/* Everything else is in `how`. All scratch registers may change but RDX and RAX when it is a register or constant. */
struct operand second_operand(struct translation *t, unsigned how);
/* The same for operations that may take it from struct cpu. */
struct operand any_second_operand(struct translation *t, unsigned how);
/* What it does with one in storage, into any host register that is none of the other scratch registers. */
void operand_fetch(struct translation *t, unsigned how, unsigned to);
/* Bytes of a storage operand */
unsigned operand_length(unsigned how);
/* Register that has the first operand: of three, R2; of R3 and an immediate one, R3. */
unsigned first_operand(const struct translation *t, unsigned how);
/* An operation of the host on R1, a doubleword, or on a host register, and the second operand. */
void operand_change_r1(struct translation *t, enum x86_alu alu, const struct operand *y);
void operand_with(struct translation *t, bool w, enum x86_alu alu, unsigned to, const struct operand *y);
/* The same on the word of a general register; the result is in the register that is returned, for write32() to R1. */
unsigned operand_with_word(struct translation *t, enum x86_alu alu, unsigned gr, const struct operand *y);
/* The address of the storage operand, base, index and displacement or relative, into RAX. */
void operand_address(struct translation *t, unsigned how);
/* What access_emit() does, for that operand */
int32_t operand_access(struct translation *t, unsigned how, unsigned length, bool store);
/* The effective address of base, index and displacement into a host register. RAX and RCX may be lost. */
void address_into(struct translation *t, unsigned to, unsigned base, unsigned index, int64_t d);
/* The effective address R2 + R3 + D into RAX. */
void address_emit(struct translation *t, unsigned base, unsigned index, int64_t d);

/* Behind a body that leaves the condition code alone it is known itself (op_arithmetic.c). RAX, RCX and RDX are lost.
 */
void code_known(struct translation *t);

typedef void (*template_function)(struct translation *t, unsigned how);
enum {
    CC_SETS = 1,
    CC_READS = 2,
    MAY_EXIT = 4, /* may be left to its handler */
    BRANCHES = 8,
    WRITES_R1 = 16, /* general registers that change, of those that do not set the condition code */
    WRITES_PAIR = 32,
    WRITES_SEVERAL = 64, /* R1 to R3 */
    CC_SETS_BY_M5 = 128, /* when its rightmost bit is one */
    BY_FORMAT = 512,     /* float_fits() */
    BY_BODY = 1024,      /* of a body, whose operation says that the condition code itself is known behind it */
    BY_ELEMENT = 256,    /* the host has the operation for some sizes of elements: vector_fits() */
};
struct template
{
    template_function function;
    uint16_t how;
    uint16_t flags;
};
/* What holds for the instruction: CC_SETS_BY_M5 decided. */
static inline unsigned template_flags(const struct template *template, const struct dis_insn *insn)
{
    return template->flags | (template->flags & CC_SETS_BY_M5 && insn->m5 & 1 ? CC_SETS : 0u);
}
void template_nothing(struct translation *t, unsigned how);
/* Bits 0-31 of the PSW are written as a word, and read as one: the host forwards that. */
#define PSW_WORD_AT (CPU_AT(psw.mask) + 4)
/* op_storage.c: while a unit of exception trace looks at the CPU the instruction is its handler's */
void spare_watched(struct translation *t);
/* The budget stands in the CPU as handlers find it, as at the head of the block. RAX is lost. */
void budget_emit(struct translation *t);
/* op_interlocked.c: AND, OR, EXCLUSIVE OR of a byte in storage where CPUs have threads */
void template_logic_locked(struct translation *t, unsigned how);
#define T(name, function, ...) void function(struct translation *t, unsigned how);
#include "cpu/translate/emit/translate.def"

/* ---- vectors.c -------------------------------------------------------------------------------------------------- */

/* Each instruction stands between these. */
void vectors_before(struct translation *t, const struct template *template);
void vectors_behind(struct translation *t, const struct template *template);
/* Does the template have its vector registers where vectors.c says? */
bool vectors_stay(const struct template *template, const struct dis_insn *insn);

#endif
