/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: binary floating point on the host's arithmetic, of registers, with storage, of leftmost elements of
   vectors and of whole ones. The conditions are those of cpu/exec/float/host.h. Results that are none of the ordinary
   ones are left to the handler; while the inexact flag is off the host's flags tell whether it goes on. PoP chapters 9,
   19 and 24. */
#include "cpu/translate/emit/template.h"
#include "cpu/exec/float.h"

#define V_AT(n)  (CPU_AT(vr) + (int32_t)sizeof(struct vector_register) * (n))
#define RESULT   3u          /* XMM register; operands are in those before */
#define CLEAN    0x1f80      /* of the host: nothing traps, no flags, to nearest */
#define ROUNDED  0x20        /* its flags: inexact; */
#define UNUSUAL  0x1d        /* invalid, division by zero, overflow, underflow */
#define NOT_CALM 0xf8000000u /* traps */
#define SIGN_BIT BIT64(0)

/* An operation: what the row and the instruction say. */
struct arithmetic {
    uint8_t operation; /* enum float_operation */
    bool is_long;      /* the result */
    bool packed;       /* all elements; else */
    bool alone;        /* the leftmost one of a vector, zeros beside it */
    uint8_t x, y, z;   /* registers */
    bool storage;      /* y is in storage */
};

static bool fused(const struct arithmetic *a) { return a->operation >= FLOAT_FUSE_ADD; }
static bool sums(const struct arithmetic *a) { return a->operation <= FLOAT_SUBTRACT; }
static bool unary(const struct arithmetic *a) { return a->operation == FLOAT_ROOT || a->operation == FLOAT_NARROW; }

static struct arithmetic described(const struct translation *t, unsigned how)
{
    const struct dis_insn *insn = &t->insn;
    struct arithmetic a = {.operation = how & HOW_OPERAND,
                           .is_long = !(how & HOW_WORD),
                           .x = t->op->r1,
                           .y = t->op->r2,
                           .z = t->op->r1,
                           .storage = how & HOW_MORE};
    if (how & HOW_THREE) { /* of vectors: format and control by the format of the instruction */
        const bool four = fused(&a), one = a.operation == FLOAT_ROOT;
        a.is_long = (four ? insn->m6 : one ? insn->m3 : insn->m4) == 3;
        a.alone = (one ? insn->m4 : insn->m5) == 8;
        a.packed = !a.alone;
        a.x = t->op->r2;
        a.y = one ? t->op->r2 : t->op->r3;
        a.z = t->op->m;
    } else if (fused(&a)) {
        a.x = t->op->m;
    }
    return a;
}

bool float_fits(unsigned how, const struct dis_insn *insn)
{
    const unsigned operation = how & HOW_OPERAND;
    if (how & HOW_MORE && how & HOW_THREE) /* between long and extended ones */
        return insn->m3 == (operation == EXTENDED_wflld ? 3 : 4);
    const unsigned format = operation >= FLOAT_FUSE_ADD ? insn->m6 : operation == FLOAT_ROOT ? insn->m3 : insn->m4;
    return !(how & HOW_THREE) || format == 2 || format == 3 || (format == 4 && operation < FLOAT_FUSE_ADD);
}

/* ---- the operation ---------------------------------------------------------------------------------------------- */

static void operand(struct translation *t, const struct arithmetic *a, bool is_long, unsigned xmm, unsigned reg)
{
    if (a->packed)
        x86_movups_load(&t->x, xmm, CPU, V_AT(reg));
    else
        x86_scalar_load(&t->x, is_long, xmm, CPU, V_AT(reg) + (is_long ? 0 : 4));
}

static void operands(struct translation *t, const struct arithmetic *a)
{
    const bool is_long = a->is_long || a->operation == FLOAT_NARROW;
    if (a->storage)
        x86_to_xmm(&t->x, is_long, 1, second_operand(t, is_long ? STORAGE_D : STORAGE_WORD_L).host);
    else
        operand(t, a, is_long, 1, a->y);
    if (!unary(a))
        operand(t, a, is_long, 0, a->x);
    if (fused(a))
        operand(t, a, is_long, 2, a->z);
}

static void operate(struct translation *t, const struct arithmetic *a)
{
    static const uint16_t scalar[] = {
        SCALAR_ADD, SCALAR_SUB, SCALAR_MULTIPLY, SCALAR_DIVIDE, SCALAR_SQRT, SCALAR_CONVERT, 0, 0};
    struct x86 *x = &t->x;
    x86_mov_x(x, RESULT, fused(a) ? 2 : unary(a) ? 1 : 0);
    if (fused(a) && a->packed)
        x86_fused_packed(x, a->is_long, a->operation == FLOAT_FUSE_SUBTRACT, RESULT, 0, 1);
    else if (fused(a))
        x86_fused(x, a->is_long, a->operation == FLOAT_FUSE_SUBTRACT, RESULT, 0, 1);
    else if (a->packed)
        x86_float(x, a->is_long, (enum x86_scalar)scalar[a->operation], RESULT, 1);
    else
        x86_scalar(x, a->is_long || a->operation == FLOAT_NARROW, (enum x86_scalar)scalar[a->operation], RESULT, 1);
}

/* The condition under which a result is not to be trusted: infinite, a NaN, and, of what is no sum, tiny or rounded up
   from that. RAX becomes the bits of a single one. */
static enum x86_condition untrusted(struct translation *t, const struct arithmetic *a)
{
    struct x86 *x = &t->x;
    const bool any = sums(a), w = a->is_long;
    if (a->packed) {
        const unsigned first = w ? PACKED_FLOAT_LONG : PACKED_FLOAT_SHORT, at = first + (any ? 2 : 0);
        x86_mov_x(x, 4, RESULT);
        x86_packed(x, w ? PACKED_ADD_G : PACKED_ADD_F, 4, 4);
        x86_packed_code(x, w ? PACKED_SUB_G : PACKED_SUB_F, 4, packed_constant(t, (enum packed_constant)at));
        x86_packed_code(x, PACKED_LOAD, 5, packed_constant(t, (enum packed_constant)(at + 1)));
        x86_packed(x, w ? PACKED_GREATER_G : PACKED_GREATER_F, 5, 4);
        x86_pmovmskb(x, RCX, 5);
        x86_alu_i(x, false, ALU_CMP, RCX, 0xffff);
        return IF_NE;
    }
    const int32_t most = w ? 0x7ff : 0xff; /* of the exponent */
    x86_from_xmm(x, w, RAX, RESULT);
    x86_mov(x, w, RCX, RAX);
    x86_shift_i(x, w, SHIFT_SHR, RCX, w ? 52 : 23);
    x86_alu_i(x, false, ALU_AND, RCX, most);
    if (!any)
        x86_alu_i(x, false, ALU_SUB, RCX, 2);
    x86_alu_i(x, false, ALU_CMP, RCX, any ? most : most - 3);
    return any ? IF_E : IF_A;
}

/* ---- what is seldom --------------------------------------------------------------------------------------------- */

/* RAX has what is not steady of the FPC register; nothing but the inexact flag may be missing. Does the host go on to
   raise it? */
static void unsteady(struct translation *t, unsigned how, const uint8_t *back)
{
    struct x86 *x = &t->x;
    const struct arithmetic a = described(t, how);
    x86_test(x, false, RAX, RAX);
    exit_if(t, IF_NE);
    x86_store_i(x, false, RSP, KEEP_AT, CLEAN);
    x86_ldmxcsr(x, RSP, KEEP_AT);
    operate(t, &a);
    x86_stmxcsr(x, RSP, KEEP_AT);
    x86_load(x, false, RAX, RSP, KEEP_AT);
    x86_test_i(x, false, RAX, UNUSUAL);
    exit_if(t, IF_NE);
    x86_test_i(x, false, RAX, ROUNDED);
    x86_jcc(x, IF_E, back);
    exit_if(t, untrusted(t, &a));
    x86_alu_mi(x, false, ALU_OR, CPU, CPU_AT(fpc), FPC_INEXACT);
    x86_jmp(x, back);
}

static void is_zero(struct translation *t, const struct arithmetic *a, unsigned xmm)
{
    x86_ucomis(&t->x, a->is_long, xmm, 4);
}

/* A result, in RAX, that is not to be trusted, unless it is zero because an operand is. */
static void zero(struct translation *t, unsigned how, const uint8_t *back)
{
    struct x86 *x = &t->x;
    const struct arithmetic a = described(t, how);
    x86_alu(x, a.is_long, ALU_ADD, RAX, RAX);
    exit_if(t, IF_NE);
    x86_from_xmm(x, a.is_long, RAX, RESULT);
    x86_packed(x, PACKED_XOR, 4, 4);
    if (fused(&a)) {
        is_zero(t, &a, 2);
        exit_if(t, IF_NE);
    }
    if (a.operation == FLOAT_NARROW) {
        x86_ucomis(x, true, 1, 4);
        x86_jcc(x, IF_E, back);
    } else if (a.operation != FLOAT_ROOT) {
        is_zero(t, &a, 0);
        x86_jcc(x, IF_E, back);
        if (a.operation != FLOAT_DIVIDE) {
            is_zero(t, &a, 1);
            x86_jcc(x, IF_E, back);
        }
    } else {
        x86_jmp(x, back);
        return;
    }
    exit_now(t);
}

/* RAX becomes zero but for the inexact flag when nothing traps and the host rounds as the guest does. */
static void look_at_fpc(struct translation *t)
{
    x86_load(&t->x, false, RAX, CPU, CPU_AT(fpc));
    x86_alu_i(&t->x, false, ALU_AND, RAX, (int32_t)(NOT_CALM | FPC_BRM | FPC_INEXACT));
    x86_alu_i(&t->x, false, ALU_CMP, RAX, FPC_INEXACT);
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------- */

void number_cc(struct translation *t, bool is_long)
{
    struct x86 *x = &t->x;
    if (t->live) {
        x86_mov(x, is_long, RDX, RAX);
        x86_shift_i(x, is_long, SHIFT_SHR, RDX, is_long ? 63 : 31);
        x86_alu_i(x, false, ALU_XOR, RDX, 3); /* 3 greater, 2 less */
        x86_alu_i(x, false, ALU_SUB, RDX, 1);
        x86_mov_i(x, RCX, 0);
        x86_alu(x, is_long, ALU_ADD, RAX, RAX);
        x86_cmov(x, false, IF_E, RDX, RCX);
    }
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}

static void store(struct translation *t, const struct arithmetic *a)
{
    struct x86 *x = &t->x;
    if (a->packed || (a->alone && a->is_long)) {
        x86_movups_store(x, RESULT, CPU, V_AT(t->op->r1));
    } else if (a->alone) {
        x86_packed_shift(x, 64, PACKED_SHL, RESULT, 32);
        x86_movups_store(x, RESULT, CPU, V_AT(t->op->r1));
    } else {
        x86_store(x, a->is_long, RAX, CPU, V_AT(t->op->r1) + (a->is_long ? 0 : 4));
    }
}

/* How: enum float_operation, HOW_WORD for short numbers, HOW_MORE with storage, HOW_THREE of vectors. */
void template_float_arithmetic(struct translation *t, unsigned how)
{
    static const uint8_t extended[] = {EXTENDED_waxb, EXTENDED_wsxb, EXTENDED_wmxb, EXTENDED_wdxb, EXTENDED_wsqxb};
    const struct arithmetic a = described(t, how);
    if (how & HOW_THREE && !fused(&a) && (a.operation == FLOAT_ROOT ? t->insn.m3 : t->insn.m4) == 4) {
        template_extended(t, extended[a.operation]);
        return;
    }
    operands(t, &a);
    look_at_fpc(t);
    struct aside *steady = aside_if(t, IF_NE, unsteady, how);
    steady->to = t->x.at;
    operate(t, &a);
    const enum x86_condition c = untrusted(t, &a);
    if (a.packed || sums(&a)) {
        exit_if(t, c);
    } else {
        struct aside *accepted = aside_if(t, c, zero, how);
        accepted->to = t->x.at;
    }
    store(t, &a);
    if (sums(&a) && !(how & HOW_THREE))
        number_cc(t, a.is_long);
}

/* ---- comparisons and signs -------------------------------------------------------------------------------------- */

/* HOW_WORD short, HOW_MORE with storage, HOW_THREE by M3. What is unordered is the handler's. */
void template_float_compare(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    struct arithmetic a = {.operation = FLOAT_SUBTRACT,
                           .is_long = how & HOW_THREE ? t->insn.m3 == 3 : !(how & HOW_WORD),
                           .x = t->op->r1,
                           .y = t->op->r2,
                           .storage = how & HOW_MORE};
    if (how & HOW_THREE && t->insn.m3 == 4) {
        template_extended(t, EXTENDED_wcxb | HOW_TEST);
        return;
    }
    operands(t, &a);
    x86_ucomis(x, a.is_long, 0, 1);
    exit_if(t, IF_P);
    if (t->live) {
        x86_setcc(x, IF_B, RDX);
        x86_setcc(x, IF_A, RCX);
        x86_movzx8(x, RDX, RDX);
        x86_movzx8(x, RCX, RCX);
        x86_rmx(x, 0, 0x8d, RDX, RDX, RCX, 1, 0);
    }
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}

/* LOAD AND TEST, COMPLEMENT (HOW_XOR), POSITIVE (HOW_AND) and NEGATIVE (HOW_FOUR) */
void template_float_sign(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool w = !(how & HOW_WORD);
    const int32_t most = w ? 0x7ff : 0xff;
    x86_load(x, w, RAX, CPU, V_AT(t->op->r2) + (w ? 0 : 4));
    x86_mov(x, w, RCX, RAX);
    x86_shift_i(x, w, SHIFT_SHR, RCX, w ? 52 : 23);
    x86_alu_i(x, false, ALU_AND, RCX, most);
    x86_alu_i(x, false, ALU_CMP, RCX, most);
    exit_if(t, IF_E);
    if (how & (HOW_XOR | HOW_AND | HOW_FOUR)) {
        x86_mov_i(x, RCX, how & HOW_AND ? ~SIGN_BIT : SIGN_BIT);
        x86_alu(x, true, how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR, RAX, RCX);
    }
    x86_store(x, w, RAX, CPU, V_AT(t->op->r1) + (w ? 0 : 4));
    number_cc(t, w);
}

/* Signs without condition code: HOW_THREE takes that of R3. */
void template_float_set_sign(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    x86_load(x, true, RAX, CPU, V_AT(t->op->r2));
    x86_mov_i(x, RCX, how & (HOW_AND | HOW_THREE) ? ~SIGN_BIT : SIGN_BIT);
    x86_alu(x, true, how & (HOW_AND | HOW_THREE) ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR, RAX, RCX);
    if (how & HOW_THREE) {
        x86_not(x, true, RCX);
        x86_alu_m(x, true, ALU_AND, RCX, CPU, V_AT(t->op->r3));
        x86_alu(x, true, ALU_OR, RAX, RCX);
    }
    x86_store(x, true, RAX, CPU, V_AT(t->op->r1));
}
