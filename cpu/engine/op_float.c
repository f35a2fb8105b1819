/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: floating-point registers and binary floating point, by the host's arithmetic where it
   gives the same bits and the same flags; all else is left to the bodies of cpu/exec/float/bfp.c. Storage operands:
   64-bit addressing mode, in one page. PoP chapters 9 and 19 (SA22-7832-13). */
#include "cpu/engine/tuning.h"
#include "cpu/storage/access.h"
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-math-errno")
#endif
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/op_float.h"
#include <math.h>

#define SIGN_BIT BIT64(0)

#define DO(name, ...)                                                                                                  \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }

/* ---- loads and stores ------------------------------------------------------------------------------------------ */

#define LOAD(name, n, bits, ...)                                                                                       \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_X;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(e->read, ea, n)) {                                                                                 \
            uint##bits##_t v = get##bits((const void *)(ea + e->host));                                                \
            __VA_ARGS__;                                                                                               \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
#define STORE(name, n, bits, value)                                                                                    \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_X;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(e->write, ea, n)) {                                                                                \
            put##bits((void *)(ea + e->host), value);                                                                  \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
LOAD(ld, 8, 64, L1 = v)
LOAD(le, 4, 32, S1 = v)
STORE(std, 8, 64, L1)
STORE(ste, 4, 32, S1)
DO(ldr, L1 = L2)
DO(ler, S1 = S2)
DO(lzdr, L1 = 0)
DO(lzer, S1 = 0)
DO(lxr, uint64_t high = L2, low = cpu->vr[op->r2 + 2].hi; L1 = high; cpu->vr[op->r1 + 2].hi = low)
DO(lzxr, L1 = cpu->vr[op->r1 + 2].hi = 0)
DO(ldgr, L1 = GR(op->r2))
DO(lgdr, GR(op->r1) = L2)
DO(lcdfr, L1 = L2 ^ SIGN_BIT)
DO(lpdfr, L1 = L2 & ~SIGN_BIT)
DO(lndfr, L1 = L2 | SIGN_BIT)
DO(cpsdr, L1 = (L2 & ~SIGN_BIT) | (L3 & SIGN_BIT))

/* ---- arithmetic ------------------------------------------------------------------------------------------------ */

/* Of registers, with storage, and of leftmost vector elements, V2 and V3 to V1, which is zero beside it. */
#define LONG_OPERATION(name, cc, ...)                                                                                  \
    ARITHMETIC(name##r, double, as_long, long_bits, uint64_t, L1, L1, L2, __VA_ARGS__, cc)                             \
    ARITHMETIC_STORAGE(name, 8, 64, double, as_long, long_bits, uint64_t, L1, __VA_ARGS__, cc)                         \
    ARITHMETIC(w##name, double, as_long, long_bits, uint64_t, L1, L2, L3, __VA_ARGS__, LONG_ALONE())
#define SHORT_OPERATION(name, cc, ...)                                                                                 \
    ARITHMETIC(name##r, float, as_short, short_bits, uint32_t, S1, S1, S2, __VA_ARGS__, cc)                            \
    ARITHMETIC_STORAGE(name, 4, 32, float, as_short, short_bits, uint32_t, S1, __VA_ARGS__, cc)                        \
    ARITHMETIC(w##name, float, as_short, short_bits, uint32_t, S1, S2, SHORT(op->r3), __VA_ARGS__, SHORT_ALONE())
#define LONG_ALONE() (cpu->vr[op->r1].lo = 0)
#define SHORT_ALONE()                                                                                                  \
    (L1 = (uint64_t)short_bits(r) << 32, cpu->vr[op->r1].lo = 0) /* over the short result, as a whole */

#define ARITHMETIC(name, host, as, bits_of, type, to, first, second, ...)                                              \
    HANDLER(op_##name) { WORK(host, as, bits_of, type, to, first, second, __VA_ARGS__); }
/* `v` is the operand in storage. */
#define FROM_STORAGE(n, bits)                                                                                          \
    uint64_t ea = EA_X;                                                                                                \
    const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                     \
    if (UNLIKELY(e->read != ((ea + (n)-1) & PAGE_ADDRESS)))                                                            \
        TAIL op_redo(ARGS);                                                                                            \
    const uint##bits##_t v = get##bits((const void *)(ea + e->host))
#define ARITHMETIC_STORAGE(name, n, bits, host, as, bits_of, type, to, ...)                                            \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        FROM_STORAGE(n, bits);                                                                                         \
        WORK(host, as, bits_of, type, to, to, v, __VA_ARGS__);                                                         \
    }

LONG_OPERATION(adb, a = long_cc(rv), x + y, long_finite(rv), long_sum_inexact(x, y, r))
LONG_OPERATION(sdb, a = long_cc(rv), x - y, long_finite(rv), long_sum_inexact(x, -y, r))
LONG_OPERATION(mdb, , x *y, long_ordinary(rv) || ZERO_IF(x == 0 || y == 0), WITH_ORDINARY(long_product_inexact(xv, yv)))
LONG_OPERATION(ddb, , x / y, long_ordinary(rv) || ZERO_IF(x == 0),
               WITH_ORDINARY(long_product_inexact(rv, yv) || r * y != x))
LONG_OPERATION(sqdb, , sqrt(y), long_ordinary(rv) || y == 0,
               r == 0               ? 0u
               : !long_ordinary(yv) ? UNKNOWN
                                    : long_product_inexact(rv, rv) || r * r != y)
SHORT_OPERATION(aeb, a = short_cc(rv), x + y, short_finite(rv), short_sum_inexact(x, y, r))
SHORT_OPERATION(seb, a = short_cc(rv), x - y, short_finite(rv), short_sum_inexact(x, -y, r))
SHORT_OPERATION(meeb, , x *y, short_ordinary(rv) || ZERO_IF(x == 0 || y == 0), (double)x *y != r)
SHORT_OPERATION(deb, , x / y, short_ordinary(rv) || ZERO_IF(x == 0), r != 0 && (double)r * y != x)
SHORT_OPERATION(sqeb, , sqrtf(y), short_ordinary(rv) || y == 0, (double)r *r != y)

/* Multiply and add, rounded once, where the host can: x times y plus z, register number of x in m */
#if defined __x86_64__ && !defined __FMA__
bool block_fused(void) { return __builtin_cpu_supports("fma"); }
#elif defined __FP_FAST_FMA && defined __FP_FAST_FMAF
bool block_fused(void) { return true; }
#else
bool block_fused(void) { return false; }
#endif
/* Short integers are below 2^24 when their sum is exact. */
#define EXACT(x, y, z, r) (sizeof(r) == 4 && (r > 0x1p24 || r < -0x1p24) ? UNKNOWN : fused_inexact(x, y, z))
#define FUSE(host, fma, as, bits_of, to, first, second, third, ordinary, ...)                                          \
    const host x = as(first), y = as(second), z = third;                                                               \
    const host r = fma(x, y, z);                                                                                       \
    if (UNLIKELY(!(ordinary(bits_of(r)) || ZERO_IF(z == 0 && (x == 0 || y == 0)))))                                    \
        TAIL op_redo(ARGS);                                                                                            \
    FIRST_INEXACT(EXACT(x, y, z, r))                                                                                   \
    to = bits_of(r);                                                                                                   \
    __VA_ARGS__;                                                                                                       \
    NEXT(1)
#define LONG(n) (cpu->vr[n].hi)
/* R3 or V4 is in m. */
#define MULTIPLY_ADD(letter, sign, n, bits, host, fma, as, bits_of, REG, ordinary, alone)                              \
    FUSED HANDLER(op_m##letter##r)                                                                                     \
    {                                                                                                                  \
        FUSE(host, fma, as, bits_of, REG(op->r1), REG(op->m), REG(op->r2), sign as(REG(op->r1)), ordinary, );          \
    }                                                                                                                  \
    FUSED HANDLER(op_m##letter)                                                                                        \
    {                                                                                                                  \
        FROM_STORAGE(n, bits);                                                                                         \
        FUSE(host, fma, as, bits_of, REG(op->r1), REG(op->m), v, sign as(REG(op->r1)), ordinary, );                    \
    }                                                                                                                  \
    FUSED HANDLER(op_wm##letter)                                                                                       \
    {                                                                                                                  \
        FUSE(host, fma, as, bits_of, REG(op->r1), REG(op->r2), REG(op->r3), sign as(REG(op->m)), ordinary, alone);     \
    }
MULTIPLY_ADD(adb, +, 8, 64, double, __builtin_fma, as_long, long_bits, LONG, long_ordinary, LONG_ALONE())
MULTIPLY_ADD(sdb, -, 8, 64, double, __builtin_fma, as_long, long_bits, LONG, long_ordinary, LONG_ALONE())
MULTIPLY_ADD(aeb, +, 4, 32, float, __builtin_fmaf, as_short, short_bits, SHORT, short_ordinary, SHORT_ALONE())
MULTIPLY_ADD(seb, -, 4, 32, float, __builtin_fmaf, as_short, short_bits, SHORT, short_ordinary, SHORT_ALONE())

/* ---- comparison, signs, conversions ------------------------------------------------------------------------------ */

#define COMPARE(name, n, bits, host, as, first, second)                                                                \
    HANDLER(op_##name##r)                                                                                              \
    {                                                                                                                  \
        const host x = as(first), y = as(second);                                                                      \
        COMPARISON(x, y);                                                                                              \
    }                                                                                                                  \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        FROM_STORAGE(n, bits);                                                                                         \
        const host x = as(first), y = as(v);                                                                           \
        COMPARISON(x, y);                                                                                              \
    }
COMPARE(cdb, 8, 64, double, as_long, L1, L2)
COMPARE(ceb, 4, 32, float, as_short, S1, S2)

#define CHECKED(name, condition, ...)                                                                                  \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        if (UNLIKELY(!(condition)))                                                                                    \
            TAIL op_redo(ARGS);                                                                                        \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
CHECKED(ltdbr, long_finite(L2), L1 = L2; a = long_cc(L1))
CHECKED(ltebr, short_finite(S2), S1 = S2; a = short_cc(S1))
CHECKED(lcdbr, long_finite(L2), L1 = L2 ^ SIGN_BIT; a = long_cc(L1))
CHECKED(lpdbr, long_finite(L2), L1 = L2 & ~SIGN_BIT; a = long_cc(L1))
CHECKED(lndbr, long_finite(L2), L1 = L2 | SIGN_BIT; a = long_cc(L1))
CHECKED(ldebr, short_finite(S2), L1 = long_bits(as_short(S2)))
HANDLER(op_ldeb)
{
    FROM_STORAGE(4, 32);
    if (UNLIKELY(!short_finite(v)))
        TAIL op_redo(ARGS);
    L1 = long_bits(as_short(v));
    NEXT(1);
}
HANDLER(op_ledbr)
{
    const double x = as_long(L2);
    const float r = (float)x;
    if (UNLIKELY(!(short_ordinary(short_bits(r)) || ZERO_IF(x == 0))))
        TAIL op_redo(ARGS);
    FIRST_INEXACT((double)r != x)
    S1 = short_bits(r);
    NEXT(1);
}

/* Has the number more than `digits` bits between its first and its last one? */
static inline bool wider(int64_t v, int digits)
{
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    return u && 64 - __builtin_clzll(u) - __builtin_ctzll(u) > digits;
}
DO(cdfbr, L1 = long_bits((double)(int32_t)LOW(op->r2)))
HANDLER(op_cdgbr)
{
    const int64_t v = (int64_t)GR(op->r2);
    FIRST_INEXACT(wider(v, 53))
    L1 = long_bits((double)v);
    NEXT(1);
}
HANDLER(op_cefbr)
{
    const int32_t v = (int32_t)LOW(op->r2);
    FIRST_INEXACT(wider(v, 24))
    S1 = short_bits((float)v);
    NEXT(1);
}
/* Toward zero. */
#define TO_INTEGER(name, host, as, from, type, low, high, to, cc)                                                      \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const host x = as(from);                                                                                       \
        if (UNLIKELY(!(x > (low) && x < (high))))                                                                      \
            TAIL op_redo(ARGS);                                                                                        \
        const type v = (type)x;                                                                                        \
        FIRST_INEXACT((host)v != x)                                                                                    \
        a = cc(from);                                                                                                  \
        to;                                                                                                            \
        NEXT(1);                                                                                                       \
    }
TO_INTEGER(cfdbr, double, as_long, L2, int32_t, -0x1p31 - 1, 0x1p31, LOW(op->r1) = (uint32_t)v, long_cc)
TO_INTEGER(cgdbr, double, as_long, L2, int64_t, -0x1p63, 0x1p63, GR(op->r1) = (uint64_t)v, long_cc)
TO_INTEGER(cfebr, float, as_short, S2, int32_t, -0x1p31f, 0x1p31f, LOW(op->r1) = (uint32_t)v, short_cc)
