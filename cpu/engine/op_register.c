/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: instructions on registers and immediate operands. Each does what the body of the same
   name in cpu/exec/general does; the lockstep tests hold them together. PoP chapter 7. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"

#define DO(name, ...)                                                                                                  \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }

#define R1         GR(op->r1)
#define R2         GR(op->r2)
#define R3         GR(op->r3)
#define W1         LOW(op->r1)
#define W2         LOW(op->r2)
#define W3         LOW(op->r3)
#define S1         ((int64_t)(int32_t)LOW(op->r1))
#define S2         ((int64_t)(int32_t)LOW(op->r2))
#define S3         ((int64_t)(int32_t)LOW(op->r3))
#define I          ((uint64_t)op->i)
#define SIGNED(v)  ((uint64_t)(int64_t)(int32_t)(v))
#define LOGICAL(v) (a = 0, b = (v))
#define SIGN(v)    (a = (v), b = 0)

/* Loads */
DO(lr, W1 = W2)
DO(lgr, R1 = R2)
DO(ltr, W1 = W2; SIGN(SIGNED(W1)))
DO(ltgr, R1 = R2; SIGN(R1))
DO(lgfr, R1 = (uint64_t)S2)
DO(ltgfr, R1 = (uint64_t)S2; SIGN(R1))
DO(llgfr, R1 = W2)
DO(lgbr, R1 = (uint64_t)(int64_t)(int8_t)W2)
DO(lghr, R1 = (uint64_t)(int64_t)(int16_t)W2)
DO(llgcr, R1 = (uint8_t)W2)
DO(llghr, R1 = (uint16_t)W2)
DO(lbr, W1 = (uint32_t)(int8_t)W2)
DO(lhr, W1 = (uint32_t)(int16_t)W2)
DO(llcr, W1 = (uint8_t)W2)
DO(llhr, W1 = (uint16_t)W2)
DO(llgtr, R1 = W2 & 0x7fffffff)
DO(lrvr, W1 = __builtin_bswap32(W2))
DO(lrvgr, R1 = __builtin_bswap64(R2))
DO(lcr, a = (uint64_t)-S2; W1 = (uint32_t)a)
DO(lcgr, b = R2; a = 0; R1 = a - b)
DO(lpr, a = (uint64_t)(S2 < 0 ? -S2 : S2); W1 = (uint32_t)a)
DO(lnr, a = (uint64_t)(S2 < 0 ? S2 : -S2); W1 = (uint32_t)a)
DO(lngr, a = (int64_t)R2 < 0 ? R2 : 0 - R2; b = 0; R1 = a)
DO(lpgr, b = (int64_t)R2 < 0 ? R2 : 0; a = R2 - b; R1 = a - b)
DO(lpgfr, a = (uint64_t)(S2 < 0 ? -S2 : S2); b = 0; R1 = a)
DO(lngfr, a = (uint64_t)(S2 < 0 ? S2 : -S2); b = 0; R1 = a)

/* Loads of immediate operands */
DO(load_word_i, W1 = (uint32_t)I)
DO(load_i, R1 = I)
DO(iihf, GR(op->r1) = (GR(op->r1) & 0xffffffff) | I << 32)
DO(insert_i, R1 = (R1 & ~(UINT64_C(0xffff) << op->m)) | I << op->m)

/* Sums and differences */
DO(ar, a = (uint64_t)(S1 + S2); W1 = (uint32_t)a)
DO(sr, a = (uint64_t)(S1 - S2); W1 = (uint32_t)a)
DO(agr, a = R1; b = R2; R1 = a + b)
DO(sgr, a = R1; b = R2; R1 = a - b)
DO(agfr, a = R1; b = (uint64_t)S2; R1 = a + b)
DO(sgfr, a = R1; b = (uint64_t)S2; R1 = a - b)
DO(alr, a = W1; b = W1 = W1 + W2)
DO(slr, a = W1; b = W2; W1 = (uint32_t)(a - b))
DO(algr, a = R1; b = R1 = a + R2)
DO(slgr, a = R1; b = R2; R1 = a - b)
DO(algfr, a = R1; b = R1 = a + W2)
DO(slgfr, a = R1; b = W2; R1 = a - b)
DO(ark, a = (uint64_t)(S2 + S3); W1 = (uint32_t)a)
DO(srk, a = (uint64_t)(S2 - S3); W1 = (uint32_t)a)
DO(agrk, a = R2; b = R3; R1 = a + b)
DO(sgrk, a = R2; b = R3; R1 = a - b)
DO(alrk, a = W2; b = W2 + W3; W1 = (uint32_t)b)
DO(slrk, a = W2; b = W3; W1 = (uint32_t)(a - b))
DO(algrk, a = R2; b = a + R3; R1 = b)
DO(slgrk, a = R2; b = R3; R1 = a - b)
DO(ahi, a = (uint64_t)S1 + I; W1 = (uint32_t)a)
DO(aghi, a = R1; b = I; R1 = a + b)
DO(alfi, a = W1; b = W1 = W1 + (uint32_t)I)
DO(algfi, a = R1; b = R1 = a + I)
DO(slfi, a = W1; b = (uint32_t)I; W1 = (uint32_t)(a - b))
DO(slgfi, a = R1; b = I; R1 = a - b)
DO(ahik, a = (uint64_t)S3 + I; W1 = (uint32_t)a)
DO(aghik, a = R3; b = I; R1 = a + b)

/* With carry and borrow: the condition code is worked out at once */
static inline uint64_t sum_cc(bool carry, bool nonzero) { return (uint64_t)carry << 1 | nonzero; }
HANDLER(op_alcgr)
{
    uint64_t carry = cc_value(op_kind(op, kind), a, b) >> 1, sum;
    bool out = __builtin_add_overflow(R1, R2, &sum);
    out |= __builtin_add_overflow(sum, carry, &sum);
    R1 = sum;
    a = sum_cc(out, sum);
    NEXT(1);
}
HANDLER(op_alcr)
{
    uint64_t carry = cc_value(op_kind(op, kind), a, b) >> 1;
    uint64_t sum = (uint64_t)W1 + W2 + carry;
    W1 = (uint32_t)sum;
    a = sum_cc(sum >> 32, (uint32_t)sum);
    NEXT(1);
}
HANDLER(op_slbgr)
{
    uint64_t borrow = !(cc_value(op_kind(op, kind), a, b) >> 1), difference;
    bool out = __builtin_sub_overflow(R1, R2, &difference);
    out |= __builtin_sub_overflow(difference, borrow, &difference);
    R1 = difference;
    a = sum_cc(!out, difference);
    NEXT(1);
}

/* Products */
DO(msr, W1 = W1 * W2)
DO(msgr, R1 = R1 * R2)
DO(msgfr, R1 = R1 * (uint64_t)S2)
DO(msfi, W1 = W1 * (uint32_t)I)
DO(msgfi, R1 = R1 * I)
HANDLER(op_mlgr)
{
    unsigned __int128 product = (unsigned __int128)GR(op->r1 + 1) * R2;
    R1 = (uint64_t)(product >> 64);
    GR(op->r1 + 1) = (uint64_t)product;
    NEXT(1);
}
HANDLER(op_mlr)
{
    uint64_t product = (uint64_t)LOW(op->r1 + 1) * W2;
    W1 = (uint32_t)(product >> 32);
    LOW(op->r1 + 1) = (uint32_t)product;
    NEXT(1);
}
HANDLER(op_mr)
{
    int64_t product = (int64_t)(int32_t)LOW(op->r1 + 1) * S2;
    W1 = (uint32_t)((uint64_t)product >> 32);
    LOW(op->r1 + 1) = (uint32_t)product;
    NEXT(1);
}
HANDLER(op_dlgr)
{
    uint64_t divisor = R2, high = R1;
    if (UNLIKELY(high >= divisor))
        TAIL op_redo(ARGS); /* divide exception */
    if (LIKELY(high == 0)) {
        uint64_t low = GR(op->r1 + 1);
        R1 = low % divisor;
        GR(op->r1 + 1) = low / divisor;
    } else {
        unsigned __int128 dividend = (unsigned __int128)high << 64 | GR(op->r1 + 1);
        GR(op->r1 + 1) = (uint64_t)(dividend / divisor);
        R1 = (uint64_t)(dividend % divisor);
    }
    NEXT(1);
}
HANDLER(op_dsgr)
{
    int64_t divisor = (int64_t)R2, dividend = (int64_t)GR(op->r1 + 1);
    if (UNLIKELY(divisor == 0 || divisor == -1))
        TAIL op_redo(ARGS);
    R1 = (uint64_t)(dividend % divisor);
    GR(op->r1 + 1) = (uint64_t)(dividend / divisor);
    NEXT(1);
}
HANDLER(op_dsgfr)
{
    int64_t divisor = S2, dividend = (int64_t)GR(op->r1 + 1);
    if (UNLIKELY(divisor == 0 || divisor == -1))
        TAIL op_redo(ARGS);
    R1 = (uint64_t)(dividend % divisor);
    GR(op->r1 + 1) = (uint64_t)(dividend / divisor);
    NEXT(1);
}

/* Logic */
DO(nr, LOGICAL(W1 = W1 & W2))
DO(or, LOGICAL(W1 = W1 | W2))
DO(xr, LOGICAL(W1 = W1 ^ W2))
DO(ngr, LOGICAL(R1 = R1 & R2))
DO(ogr, LOGICAL(R1 = R1 | R2))
DO(xgr, LOGICAL(R1 = R1 ^ R2))
DO(xr_zero, W1 = 0; a = b = 0)
DO(xgr_zero, R1 = 0; a = b = 0)
DO(ncrk, LOGICAL(W1 = W2 & ~W3))
DO(nnrk, LOGICAL(W1 = ~(W2 & W3)))
DO(nork, LOGICAL(W1 = ~(W2 | W3)))
DO(nxrk, LOGICAL(W1 = ~(W2 ^ W3)))
DO(ocrk, LOGICAL(W1 = W2 | ~W3))
DO(ncgrk, LOGICAL(R1 = R2 & ~R3))
DO(nngrk, LOGICAL(R1 = ~(R2 & R3)))
DO(nogrk, LOGICAL(R1 = ~(R2 | R3)))
DO(nxgrk, LOGICAL(R1 = ~(R2 ^ R3)))
DO(ocgrk, LOGICAL(R1 = R2 | ~R3))
DO(nrk, LOGICAL(W1 = W2 & W3))
DO(ork, LOGICAL(W1 = W2 | W3))
DO(xrk, LOGICAL(W1 = W2 ^ W3))
DO(ngrk, LOGICAL(R1 = R2 & R3))
DO(ogrk, LOGICAL(R1 = R2 | R3))
DO(xgrk, LOGICAL(R1 = R2 ^ R3))
DO(nilf, LOGICAL(W1 = W1 & (uint32_t)I))
DO(oilf, LOGICAL(W1 = W1 | (uint32_t)I))
DO(xilf, LOGICAL(W1 = W1 ^ (uint32_t)I))
/* Halfwords and high words: m is the position, i the operand */
DO(and_i, uint64_t f = (R1 >> op->m) & I; R1 &= ~(~f << op->m & (uint64_t)(uint32_t)op->d << op->m); LOGICAL(f))
DO(or_i, R1 |= I << op->m; LOGICAL((R1 >> op->m) & (uint32_t)op->d))
DO(xor_i, R1 ^= I << op->m; LOGICAL((R1 >> op->m) & (uint32_t)op->d))
DO(test_i, a = (R1 >> op->m) & I; b = I)

/* Comparisons */
DO(cr, a = (uint64_t)S1; b = (uint64_t)S2)
DO(cgr, a = R1; b = R2)
DO(cgfr, a = R1; b = (uint64_t)S2)
DO(clr, a = W1; b = W2)
DO(clgfr, a = R1; b = W2)
DO(chi, a = (uint64_t)S1; b = I)
DO(cghi, a = R1; b = I)
DO(clfi, a = W1; b = I)

/* Shifts: const amount in m, or in a register */
#define AMOUNT ((GR(op->r3) + (uint64_t)(int64_t)op->d) & 63)
#define SHIFT(name, ...)                                                                                               \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const unsigned n = op->m;                                                                                      \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    HANDLER(op_##name##_v)                                                                                             \
    {                                                                                                                  \
        const unsigned n = AMOUNT;                                                                                     \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
SHIFT(sll, W1 = (uint32_t)((uint64_t)W1 << n))
SHIFT(srl, W1 = (uint32_t)((uint64_t)W1 >> n))
SHIFT(sra, SIGN((uint64_t)(S1 >> n)); W1 = (uint32_t)a)
SHIFT(sllk, W1 = (uint32_t)((uint64_t)W2 << n))
SHIFT(srlk, W1 = (uint32_t)((uint64_t)W2 >> n))
SHIFT(srak, SIGN((uint64_t)(S2 >> n)); W1 = (uint32_t)a)
SHIFT(sllg, R1 = R2 << n)
SHIFT(srlg, R1 = R2 >> n)
SHIFT(srag, SIGN((uint64_t)((int64_t)R2 >> n)); R1 = a)
SHIFT(rllg, R1 = R2 << n | R2 >> (-n & 63))
SHIFT(rll, uint32_t v = W2; W1 = v << (n & 31) | v >> (-n & 31))

/* Rotate then insert: i has ones where bits come in, m is the amount */
#define ROTATED (R2 << op->m | R2 >> (-op->m & 63))
DO(risbg_z, SIGN(ROTATED &I); R1 = a)
DO(risbg, SIGN((R1 & ~I) | (ROTATED & I)); R1 = a)
DO(risbgn_z, R1 = ROTATED & I)
DO(risbgn, R1 = (R1 & ~I) | (ROTATED & I))
DO(rosbg, R1 |= ROTATED & I; LOGICAL(R1 & I))
DO(rxsbg, R1 ^= ROTATED & I; LOGICAL(R1 & I))
DO(rnsbg, R1 &= ROTATED | ~I; LOGICAL(R1 & I))

/* On condition */
DO(locr, if (op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1) W1 = W2)
DO(locgr, if (op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1) R1 = R2)
DO(lochi, if (op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1) W1 = (uint32_t)I)
DO(locghi, if (op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1) R1 = I)
DO(selr, W1 = op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1 ? W2 : W3)
DO(selgr, R1 = op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1 ? R2 : R3)
HANDLER(op_ipm)
{
    uint32_t byte = cc_value(op_kind(op, kind), a, b) << 4 | (uint32_t)field64(cpu->psw.mask, 20, 23);
    W1 = (W1 & 0xffffff) | byte << 24;
    NEXT(1);
}
HANDLER(op_flogr)
{
    uint64_t v = R2;
    unsigned n = v ? (unsigned)__builtin_clzll(v) : 64;
    R1 = n;
    GR(op->r1 + 1) = v & ~(n < 64 ? BIT64(n) : 0);
    a = v ? 2 : 0;
    NEXT(1);
}
DO(nop, )
/* Count registers down without a branch */
DO(bctr_zero, W1 = W1 - 1)
DO(bctgr_zero, R1 = R1 - 1)

/* Addresses, 64-bit mode */
DO(la_b, R1 = R2 + (uint64_t)(int64_t)op->d)
DO(la, R1 = R2 + R3 + (uint64_t)(int64_t)op->d)
