/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: vector floating point on the host's arithmetic, see op_float.h, and their choice when a
   block is decoded. Whatever is not as usual goes to the bodies, from the first element on. PoP chapter 24
   (SA22-7832-13). */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/op_float.h"
#include "cpu/engine/op_vector.h"
#include "cpu/engine/tuning.h"

/* ---- two long or four short elements ----------------------------------------------------------------------------- */

#define LONG_LANES(test)  ((test(0)) && (test(1)))
#define SHORT_LANES(test) ((test(0)) && (test(1)) && (test(2)) && (test(3)))
/* `inexact` of an element, see FIRST_INEXACT(): UNKNOWN prevails. */
#define LONG_ANY(test)  either(test(0), test(1))
#define SHORT_ANY(test) either(either(test(0), test(1)), either(test(2), test(3)))
static inline unsigned either(unsigned a, unsigned b) { return a > b ? a : b; }
#define RAISED(name, type, bits, expression, lanes, fits, any, inexact)                                                \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3), r = (expression);                                         \
        const bits rv = (bits)r;                                                                                       \
        if (UNLIKELY(!lanes(fits)))                                                                                    \
            TAIL op_redo(ARGS);                                                                                        \
        FIRST_INEXACT(any(inexact))                                                                                    \
        V(bits, op->r1) = rv;                                                                                          \
        NEXT(1);                                                                                                       \
    }
#define LONG_FINITE(k)          long_finite(rv[k])
#define SHORT_FINITE(k)         short_finite(rv[k])
#define LONG_PRODUCT(k)         (long_ordinary(rv[k]) || (r[k] == 0 && (x[k] == 0 || y[k] == 0)))
#define SHORT_PRODUCT(k)        (short_ordinary(rv[k]) || (r[k] == 0 && (x[k] == 0 || y[k] == 0)))
#define LONG_QUOTIENT(k)        (long_ordinary(rv[k]) || (r[k] == 0 && x[k] == 0))
#define SHORT_QUOTIENT(k)       (short_ordinary(rv[k]) || (r[k] == 0 && x[k] == 0))
#define LONG_SUM_TEST(k)        long_sum_inexact(x[k], y[k], r[k])
#define LONG_DIFFERENCE_TEST(k) long_sum_inexact(x[k], -y[k], r[k])
#define LONG_PRODUCT_TEST(k)                                                                                           \
    (r[k] == 0 ? 0u                                                                                                    \
     : long_ordinary(long_bits(x[k])) && long_ordinary(long_bits(y[k]))                                                \
         ? (unsigned)long_product_inexact(long_bits(x[k]), long_bits(y[k]))                                            \
         : UNKNOWN)
#define SHORT_SUM_TEST(k)        short_sum_inexact(x[k], y[k], r[k])
#define SHORT_DIFFERENCE_TEST(k) short_sum_inexact(x[k], -y[k], r[k])
#define SHORT_PRODUCT_TEST(k)    ((double)x[k] * y[k] != r[k])
#define NOT_KNOWN(k)             UNKNOWN
RAISED(vfadb, vector_long, vector_g, x + y, LONG_LANES, LONG_FINITE, LONG_ANY, LONG_SUM_TEST)
RAISED(vfsdb, vector_long, vector_g, x - y, LONG_LANES, LONG_FINITE, LONG_ANY, LONG_DIFFERENCE_TEST)
RAISED(vfmdb, vector_long, vector_g, x *y, LONG_LANES, LONG_PRODUCT, LONG_ANY, LONG_PRODUCT_TEST)
RAISED(vfddb, vector_long, vector_g, x / y, LONG_LANES, LONG_QUOTIENT, LONG_ANY, NOT_KNOWN)
RAISED(vfasb, vector_short, vector_f, x + y, SHORT_LANES, SHORT_FINITE, SHORT_ANY, SHORT_SUM_TEST)
RAISED(vfssb, vector_short, vector_f, x - y, SHORT_LANES, SHORT_FINITE, SHORT_ANY, SHORT_DIFFERENCE_TEST)
RAISED(vfmsb, vector_short, vector_f, x *y, SHORT_LANES, SHORT_PRODUCT, SHORT_ANY, SHORT_PRODUCT_TEST)
RAISED(vfdsb, vector_short, vector_f, x / y, SHORT_LANES, SHORT_QUOTIENT, SHORT_ANY, NOT_KNOWN)

/* V4 is in m. */
#define FUSED_RAISED(name, type, bits, n, fma, sign, lanes, fits, any, inexact)                                        \
    FUSED static HANDLER(name)                                                                                         \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3), z = sign V(type, op->m);                                  \
        type r;                                                                                                        \
        for (unsigned k = 0; k < n; k++)                                                                               \
            r[k] = fma(x[k], y[k], z[k]);                                                                              \
        const bits rv = (bits)r;                                                                                       \
        if (UNLIKELY(!lanes(fits)))                                                                                    \
            TAIL op_redo(ARGS);                                                                                        \
        FIRST_INEXACT(any(inexact))                                                                                    \
        V(bits, op->r1) = rv;                                                                                          \
        NEXT(1);                                                                                                       \
    }
#define LONG_FUSED(k)  (long_ordinary(rv[k]) || (r[k] == 0 && z[k] == 0 && (x[k] == 0 || y[k] == 0)))
#define SHORT_FUSED(k) (short_ordinary(rv[k]) || (r[k] == 0 && z[k] == 0 && (x[k] == 0 || y[k] == 0)))
#define FUSED_TEST(k)  fused_inexact(x[k], y[k], z[k])
FUSED_RAISED(vfmadb, vector_long, vector_g, 2, __builtin_fma, +, LONG_LANES, LONG_FUSED, LONG_ANY, FUSED_TEST)
FUSED_RAISED(vfmsdb, vector_long, vector_g, 2, __builtin_fma, -, LONG_LANES, LONG_FUSED, LONG_ANY, FUSED_TEST)
FUSED_RAISED(vfmasb, vector_short, vector_f, 4, __builtin_fmaf, +, SHORT_LANES, SHORT_FUSED, SHORT_ANY, NOT_KNOWN)
FUSED_RAISED(vfmssb, vector_short, vector_f, 4, __builtin_fmaf, -, SHORT_LANES, SHORT_FUSED, SHORT_ANY, NOT_KNOWN)

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

/* m: the condition code is set. An unordered pair is the body's. */
#define COMPARED(name, type, operator)                                                                                 \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3);                                                           \
        const vector_g ordered = (vector_g)(x == x) & (vector_g)(y == y), r = (vector_g)(x operator y);                \
        if (UNLIKELY((ordered[0] & ordered[1]) != ~UINT64_C(0)))                                                       \
            TAIL op_redo(ARGS);                                                                                        \
        V(vector_g, op->r1) = r;                                                                                       \
        if (op->m)                                                                                                     \
            a = (r[0] & r[1]) == ~UINT64_C(0) ? 0 : r[0] | r[1] ? 1 : 3;                                               \
        NEXT(1);                                                                                                       \
    }
COMPARED(vfcedb, vector_long, ==)
COMPARED(vfchdb, vector_long, >)
COMPARED(vfchedb, vector_long, >=)
COMPARED(vfcesb, vector_short, ==)
COMPARED(vfchsb, vector_short, >)
COMPARED(vfchesb, vector_short, >=)
#define COMPARED_SINGLE(name, operator)                                                                                \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const double x = as_long(L2), y = as_long(L3);                                                                 \
        if (UNLIKELY(__builtin_isunordered(x, y)))                                                                     \
            TAIL op_redo(ARGS);                                                                                        \
        L1 = x operator y ? ~UINT64_C(0) : 0;                                                                          \
        LO1 = 0;                                                                                                       \
        if (op->m)                                                                                                     \
            a = L1 ? 0 : 3;                                                                                            \
        NEXT(1);                                                                                                       \
    }
COMPARED_SINGLE(wfcedb, ==)
COMPARED_SINGLE(wfchdb, >)
COMPARED_SINGLE(wfchedb, >=)

/* ---- signs and conversions --------------------------------------------------------------------------------------- */

#define DO(name, ...)                                                                                                  \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
/* d: 0 inverts, 1 sets, 2 clears the bits of i */
static inline uint64_t with_sign(const struct op *op, uint64_t v)
{
    const uint64_t sign = (uint64_t)op->i;
    return op->d == 0 ? v ^ sign : op->d == 1 ? v | sign : v & ~sign;
}
DO(vfpso, SET(with_sign(op, L2), with_sign(op, cpu->vr[op->r2].lo)))
DO(wfpso, HI1 = with_sign(op, L2); LO1 = 0)

#define CHECKED(name, condition, ...)                                                                                  \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        if (UNLIKELY(!(condition)))                                                                                    \
            TAIL op_redo(ARGS);                                                                                        \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
#define RIGHT (*(uint32_t *)(void *)((uint8_t *)&cpu->vr[op->r2].lo + (4 - LOW_HALF)))
CHECKED(wldeb, short_finite(S2), HI1 = long_bits(as_short(S2)); LO1 = 0)
CHECKED(vldeb, short_finite(S2) && short_finite(RIGHT), const uint64_t low = long_bits(as_short(RIGHT));
        SET(long_bits(as_short(S2)), low))
static HANDLER(wledb)
{
    const double x = as_long(L2);
    const float r = (float)x;
    if (UNLIKELY(!(short_ordinary(short_bits(r)) || ZERO_IF(x == 0))))
        TAIL op_redo(ARGS);
    FIRST_INEXACT((double)r != x)
    HI1 = (uint64_t)short_bits(r) << 32;
    LO1 = 0;
    NEXT(1);
}
CHECKED(wcdgb, float_steady(cpu), HI1 = long_bits((double)(int64_t)L2); LO1 = 0)
CHECKED(vcdgb, float_steady(cpu), const uint64_t low = long_bits((double)(int64_t)cpu->vr[op->r2].lo);
        SET(long_bits((double)(int64_t)L2), low))
static inline bool fits_integer(double x) { return x > -0x1p63 && x < 0x1p63; }
CHECKED(wcgdb, float_steady(cpu) && fits_integer(as_long(L2)), HI1 = (uint64_t)(int64_t)as_long(L2); LO1 = 0)
CHECKED(vcgdb, float_steady(cpu) && fits_integer(as_long(L2)) && fits_integer(as_long(cpu->vr[op->r2].lo)),
        const uint64_t low = (uint64_t)(int64_t)as_long(cpu->vr[op->r2].lo);
        SET((uint64_t)(int64_t)as_long(L2), low))

/* ---- choice ------------------------------------------------------------------------------------------------------ */

/* Handlers of one row: long and short, single element and all. */
struct forms {
    uint16_t row;
    handler single[2], all[2], extended;
};
static const struct forms binary[] = {
    {DIS_VFA, {op_wadb, op_waeb}, {vfadb, vfasb}, op_waxb},  {DIS_VFS, {op_wsdb, op_wseb}, {vfsdb, vfssb}, op_wsxb},
    {DIS_VFM, {op_wmdb, op_wmeeb}, {vfmdb, vfmsb}, op_wmxb}, {DIS_VFD, {op_wddb, op_wdeb}, {vfddb, vfdsb}, op_wdxb},
    {DIS_VFCE, {wfcedb, NULL}, {vfcedb, vfcesb}, NULL},      {DIS_VFCH, {wfchdb, NULL}, {vfchdb, vfchsb}, NULL},
    {DIS_VFCHE, {wfchedb, NULL}, {vfchedb, vfchesb}, NULL}};
static const struct forms fused[] = {{DIS_VFMA, {op_wmadb, op_wmaeb}, {vfmadb, vfmasb}, NULL},
                                     {DIS_VFMS, {op_wmsdb, op_wmseb}, {vfmsdb, vfmssb}, NULL}};

/* The handler for a format mask (3 long; 2 short and 4 extended when they are there) and the single-element control,
 * all else zeros. */
static handler choose(const struct cpu *cpu, const struct forms *forms, unsigned format, unsigned mask)
{
    if (mask & 7 || !(format == 3 || ((format == 2 || format == 4) && cpu_facility(cpu->sys, FACILITY_VECENH1))))
        return NULL;
    if (format == 4)
        return forms->extended;
    return mask ? forms->single[3 - format] : forms->all[3 - format];
}

/* Conversions and one-operand instructions; M3 is the format. */
static handler choose_unary(const struct cpu *cpu, const struct dis_insn *insn, struct op *op, unsigned *after)
{
    static const struct forms root = {0, {op_wsqdb, op_wsqeb}, {NULL, NULL}, op_wsqxb},
                              sign = {0, {wfpso, NULL}, {vfpso, vfpso}, NULL};
    const bool single = insn->m4 == 8, usual = single || insn->m4 == 0, is_long = insn->m3 == 3;
    switch (insn->row) {
    case DIS_WFC:
    case DIS_WFK:
        *after = KIND_CC;
        if (insn->m4 || is_long || !cpu_facility(cpu->sys, FACILITY_VECENH1))
            return insn->m4 || !is_long ? NULL : op_cdbr;
        return insn->m3 == 2 ? op_cebr : insn->m3 == 4 ? op_wcxb : NULL;
    case DIS_VFSQ:
        op->r3 = insn->r2;
        return choose(cpu, &root, insn->m3, insn->m4);
    case DIS_VFPSO:
        op->d = insn->m5;
        op->i = is_long ? INT64_MIN : (int64_t)UINT64_C(0x8000000080000000);
        return insn->m5 <= 2 ? choose(cpu, &sign, insn->m3, insn->m4) : NULL;
    case DIS_VFLL:
        if (is_long)
            return usual && cpu_facility(cpu->sys, FACILITY_VECENH1) ? op_wflld : NULL;
        return insn->m3 == 2 && usual ? single ? wldeb : vldeb : NULL;
    case DIS_VFLR:
        if (insn->m3 == 4)
            return usual && insn->m5 == 0 && cpu_facility(cpu->sys, FACILITY_VECENH1) ? op_wflrx : NULL;
        return is_long && single && insn->m5 == 0 ? wledb : NULL;
    case DIS_VCFPS:
        return is_long && usual && insn->m5 == 0 ? single ? wcdgb : vcdgb : NULL;
    case DIS_VCSFP:
        return is_long && usual && insn->m5 == BFP_TOWARD_ZERO ? single ? wcgdb : vcgdb : NULL;
    default:
        return NULL;
    }
}

bool block_vector_float(const struct cpu *cpu, const struct dis_insn *insn, struct op *op, unsigned *after)
{
    op->run = NULL;
    for (unsigned k = 0; k < sizeof binary / sizeof *binary; k++)
        if (binary[k].row == insn->row && insn->m6 <= 1) {
            op->run = choose(cpu, &binary[k], insn->m4, insn->m5);
            op->m = insn->m6;
            if (insn->m6 && dis_rows[insn->row].cc != DIS_CC_UNCHANGED) /* comparisons; others have no M6 there */
                *after = KIND_CC;
            return op->run;
        }
    for (unsigned k = 0; k < sizeof fused / sizeof *fused; k++)
        if (fused[k].row == insn->row) {
            op->run = block_fused() ? choose(cpu, &fused[k], insn->m6, insn->m5) : NULL;
            op->m = insn->r4;
            return op->run;
        }
    op->run = choose_unary(cpu, insn, op, after);
    return op->run;
}
