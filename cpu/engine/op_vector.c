/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: vector instructions on integers, by the host's vectors, and their choice when a block
   is decoded. A vector register is two doublewords in the host's order: operations on elements of equal places need not
   know where an element stands. Storage operands: 64-bit addressing mode, in one page. PoP chapters 21-23
   (SA22-7832-13). */
#include "cpu/engine/op_vector.h"
#include "cpu/engine/block.h"
#include "cpu/engine/reference/bind.h"
#include "cpu/engine/tuning.h"
#include "cpu/exec/vector/element.h"
#include "cpu/storage/access.h"
#include <string.h>

#define DO(name, ...)                                                                                                  \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }

/* ---- loads and stores ------------------------------------------------------------------------------------------ */

#define FETCHED(n, p)                                                                                                  \
    uint64_t ea = EA_X;                                                                                                \
    const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                     \
    if (UNLIKELY(e->read != ((ea + (n)-1) & PAGE_ADDRESS)))                                                            \
        TAIL op_redo(ARGS);                                                                                            \
    const uint8_t *p = (const uint8_t *)(ea + e->host)
#define STORED(n, p)                                                                                                   \
    uint64_t ea = EA_X;                                                                                                \
    const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                     \
    if (UNLIKELY(e->write != ((ea + (n)-1) & PAGE_ADDRESS)))                                                           \
        TAIL op_redo(ARGS);                                                                                            \
    uint8_t *p = (uint8_t *)(ea + e->host)
#define LOAD(name, n, ...)                                                                                             \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        FETCHED(n, p);                                                                                                 \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
#define STORE(name, n, ...)                                                                                            \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        STORED(n, p);                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
/* The place of element m in the register */
#define PLACE(type, n)                                                                                                 \
    (((type *)(void *)&cpu->vr[n])[op->m / (8 / sizeof(type)) * (8 / sizeof(type)) +                                   \
                                   LANE(op->m % (8 / sizeof(type)), 8 / sizeof(type))])
#define get8(p)    (*(p))
#define put8(p, v) (*(p) = (v))

LOAD(vl, 16, SET(get64(p), get64(p + 8)))
STORE(vst, 16, put64(p, HI1); put64(p + 8, LO1))
/* To a block boundary: m is the boundary's power of two. */
static HANDLER(vlbb)
{
    FETCHED(16, p);
    if (UNLIKELY((ea ^ (ea + 15)) >> op->m))
        TAIL op_redo(ARGS);
    SET(get64(p), get64(p + 8));
    NEXT(1);
}
LOAD(vlrepb, 1, V(vector_b, op->r1) = (vector_b){0} + get8(p))
LOAD(vlreph, 2, V(vector_h, op->r1) = (vector_h){0} + get16(p))
LOAD(vlrepf, 4, V(vector_f, op->r1) = (vector_f){0} + get32(p))
LOAD(vlrepg, 8, V(vector_g, op->r1) = (vector_g){0} + get64(p))
LOAD(vllezb, 1, SET(get8(p), 0))
LOAD(vllezh, 2, SET(get16(p), 0))
LOAD(vllezf, 4, SET(get32(p), 0))
LOAD(vllezg, 8, SET(get64(p), 0))
LOAD(vllezlf, 4, SET((uint64_t)get32(p) << 32, 0))
LOAD(vleb, 1, PLACE(uint8_t, op->r1) = get8(p))
LOAD(vleh, 2, PLACE(uint16_t, op->r1) = get16(p))
LOAD(vlef, 4, PLACE(uint32_t, op->r1) = get32(p))
LOAD(vleg, 8, PLACE(uint64_t, op->r1) = get64(p))
STORE(vsteb, 1, put8(p, PLACE(uint8_t, op->r1)))
STORE(vsteh, 2, put16(p, PLACE(uint16_t, op->r1)))
STORE(vstef, 4, put32(p, PLACE(uint32_t, op->r1)))
STORE(vsteg, 8, put64(p, PLACE(uint64_t, op->r1)))

/* m registers */
static HANDLER(vlm)
{
    FETCHED(16u * op->m, p);
    for (unsigned i = 0; i < op->m; i++, p += 16)
        V(vector_g, op->r1 + i) = (vector_g){get64(p), get64(p + 8)};
    NEXT(1);
}
static HANDLER(vstm)
{
    STORED(16u * op->m, p);
    for (unsigned i = 0; i < op->m; i++, p += 16) {
        put64(p, cpu->vr[op->r1 + i].hi);
        put64(p + 8, cpu->vr[op->r1 + i].lo);
    }
    NEXT(1);
}

DO(vlr, V(vector_g, op->r1) = V(vector_g, op->r2))
/* Both doublewords are i; or the element of number m */
DO(constant, SET((uint64_t)op->i, (uint64_t)op->i))
DO(vleib, PLACE(uint8_t, op->r1) = (uint8_t)op->i)
DO(vleih, PLACE(uint16_t, op->r1) = (uint16_t)op->i)
DO(vleif, PLACE(uint32_t, op->r1) = (uint32_t)op->i)
DO(vleig, PLACE(uint64_t, op->r1) = (uint64_t)op->i)
DO(vlgvb, GR(op->r1) = PLACE(uint8_t, op->r3))
DO(vlgvh, GR(op->r1) = PLACE(uint16_t, op->r3))
DO(vlgvf, GR(op->r1) = PLACE(uint32_t, op->r3))
DO(vlgvg, GR(op->r1) = PLACE(uint64_t, op->r3))
DO(vlvgb, PLACE(uint8_t, op->r1) = (uint8_t)GR(op->r3))
DO(vlvgh, PLACE(uint16_t, op->r1) = (uint16_t)GR(op->r3))
DO(vlvgf, PLACE(uint32_t, op->r1) = (uint32_t)GR(op->r3))
DO(vlvgg, PLACE(uint64_t, op->r1) = GR(op->r3))
DO(vlvgp, SET(GR(op->r2), GR(op->r3)))
DO(vrepb, V(vector_b, op->r1) = (vector_b){0} + PLACE(uint8_t, op->r3))
DO(vreph, V(vector_h, op->r1) = (vector_h){0} + PLACE(uint16_t, op->r3))
DO(vrepf, V(vector_f, op->r1) = (vector_f){0} + PLACE(uint32_t, op->r3))
DO(vrepg, V(vector_g, op->r1) = (vector_g){0} + PLACE(uint64_t, op->r3))

/* ---- elements of equal places ---------------------------------------------------------------------------------- */

/* x and y are V2 and V3, z is V4 of number m. */
#define ELEMENTS(name, type, value)                                                                                    \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3);                                                           \
        (void)y;                                                                                                       \
        V(type, op->r1) = (type)(value);                                                                               \
        NEXT(1);                                                                                                       \
    }
#define SIZES(name, value)                                                                                             \
    ELEMENTS(name##b, vector_b, value)                                                                                 \
    ELEMENTS(name##h, vector_h, value)                                                                                 \
    ELEMENTS(name##f, vector_f, value)                                                                                 \
    ELEMENTS(name##g, vector_g, value)
#define SIGNED_SIZES(name, value)                                                                                      \
    ELEMENTS(name##b, vector_sb, value)                                                                                \
    ELEMENTS(name##h, vector_sh, value)                                                                                \
    ELEMENTS(name##f, vector_sf, value)                                                                                \
    ELEMENTS(name##g, vector_sg, value)
#define TABLE(name)                                                                                                    \
    {                                                                                                                  \
        name##b, name##h, name##f, name##g                                                                             \
    }
#define TAKEN(mask) ((x & (mask)) | (y & ~(mask)))

SIZES(va, x + y)
SIZES(vs, x - y)
/* Comparisons, without and with condition code */
#define COMPARE(name, type, value)                                                                                     \
    ELEMENTS(name, type, value)                                                                                        \
    static HANDLER(name##_cc)                                                                                          \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3);                                                           \
        const vector_g r = (vector_g)(value);                                                                          \
        V(vector_g, op->r1) = r;                                                                                       \
        a = (r[0] & r[1]) == ~UINT64_C(0) ? 0 : r[0] | r[1] ? 1 : 3;                                                   \
        NEXT(1);                                                                                                       \
    }
#define COMPARE_SIZES(name, u, value)                                                                                  \
    COMPARE(name##b, vector_##u##b, value)                                                                             \
    COMPARE(name##h, vector_##u##h, value)                                                                             \
    COMPARE(name##f, vector_##u##f, value)                                                                             \
    COMPARE(name##g, vector_##u##g, value)
#define TABLE_CC(name)                                                                                                 \
    {                                                                                                                  \
        name##b_cc, name##h_cc, name##f_cc, name##g_cc                                                                 \
    }
COMPARE_SIZES(vceq, , x == y)
COMPARE_SIZES(vch, s, x > y)
COMPARE_SIZES(vchl, , x > y)
SIGNED_SIZES(vmx, TAKEN(x > y))
SIZES(vmxl, TAKEN((__typeof__(x))(x > y)))
SIGNED_SIZES(vmn, TAKEN(x < y))
SIZES(vmnl, TAKEN((__typeof__(x))(x < y)))
SIZES(vlc, -x)
/* All ones in the elements that are negative, for a positive number of the same bits: the largest negative one
   stays. */
#define MAGNITUDE(u, s) (x ^ (vector_##u)((vector_##s)x < 0)) - (vector_##u)((vector_##s)x < 0)
ELEMENTS(vlpb, vector_b, MAGNITUDE(b, sb))
ELEMENTS(vlph, vector_h, MAGNITUDE(h, sh))
ELEMENTS(vlpf, vector_f, MAGNITUDE(f, sf))
ELEMENTS(vlpg, vector_g, MAGNITUDE(g, sg))
ELEMENTS(vmlb, vector_b, x *y)
ELEMENTS(vmlh, vector_h, x *y)
ELEMENTS(vmlf, vector_f, x *y)
ELEMENTS(vn, vector_g, x &y)
ELEMENTS(vnc, vector_g, x & ~y)
ELEMENTS(vnn, vector_g, ~(x &y))
ELEMENTS(vo, vector_g, x | y)
ELEMENTS(voc, vector_g, x | ~y)
ELEMENTS(vno, vector_g, ~(x | y))
ELEMENTS(vx, vector_g, x ^ y)
ELEMENTS(vnx, vector_g, ~(x ^ y))

#define QUAD(n) ((unsigned __int128)cpu->vr[n].hi << 64 | cpu->vr[n].lo)
#define SET_QUAD(value)                                                                                                \
    do {                                                                                                               \
        const unsigned __int128 q_ = (value);                                                                          \
        SET((uint64_t)(q_ >> 64), (uint64_t)q_);                                                                       \
    } while (0)
DO(vaq, SET_QUAD(QUAD(op->r2) + QUAD(op->r3)))
DO(vsq, SET_QUAD(QUAD(op->r2) - QUAD(op->r3)))

/* Amount in d, below the size of the element */
#define SHIFTS(name, u, value)                                                                                         \
    ELEMENTS(name##b, vector_##u##b, value)                                                                            \
    ELEMENTS(name##h, vector_##u##h, value)                                                                            \
    ELEMENTS(name##f, vector_##u##f, value)                                                                            \
    ELEMENTS(name##g, vector_##u##g, value)
SHIFTS(vesl, , x << op->d)
SHIFTS(vesrl, , x >> op->d)
SHIFTS(vesra, s, x >> op->d)
#define BITS(v) ((int)(8 * sizeof(v)[0]))
SHIFTS(verll, , x << op->d | x >> (-op->d & (BITS(x) - 1)))

DO(vsel, const vector_g x = V(vector_g, op->r2), y = V(vector_g, op->r3);
   V(vector_g, op->r1) = TAKEN(V(vector_g, op->m)))

static HANDLER(vtm)
{
    const uint64_t high = HI1 & cpu->vr[op->r2].hi, low = LO1 & cpu->vr[op->r2].lo;
    a = !(high | low) ? 0 : high == cpu->vr[op->r2].hi && low == cpu->vr[op->r2].lo ? 3 : 1;
    NEXT(1);
}

/* ---- elements in other places ---------------------------------------------------------------------------------- */

DO(vpdi, SET((&cpu->vr[op->r2].hi)[op->m >> 2 & 1], (&cpu->vr[op->r3].hi)[op->m & 1]))
/* Bytes from byte m on of V2 and V3 together */
static HANDLER(vsldb)
{
    const unsigned __int128 x = QUAD(op->r2), y = QUAD(op->r3);
    SET_QUAD(op->m ? x << (8 * op->m) | y >> (128 - 8 * op->m) : x);
    NEXT(1);
}
/* By bytes, as many as bits 1-4 of byte 7 of V3 say */
#define BYTES ((unsigned)cpu->vr[op->r3].hi & 0x78)
DO(vslb, SET_QUAD(QUAD(op->r2) << BYTES))
DO(vsrlb, SET_QUAD(QUAD(op->r2) >> BYTES))
DO(vmrhg, SET(cpu->vr[op->r2].hi, cpu->vr[op->r3].hi))
DO(vmrlg, SET(cpu->vr[op->r2].lo, cpu->vr[op->r3].lo))
#define WORDS(x, y) SET((x) >> 32 << 32 | (y) >> 32, (x) << 32 | (uint32_t)(y))
DO(vmrhf, WORDS(cpu->vr[op->r2].hi, cpu->vr[op->r3].hi))
DO(vmrlf, WORDS(cpu->vr[op->r2].lo, cpu->vr[op->r3].lo))

/* Bytes and halfwords of one half of V2 and V3 in turn; elements of both in half their size */
#define MIX(name, member, count, from)                                                                                 \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const union vector x = vector_get(cpu, op->r2), y = vector_get(cpu, op->r3);                                   \
        union vector r;                                                                                                \
        for (unsigned k = 0; k < (count) / 2; k++) {                                                                   \
            r.member[LANE(2 * k, count)] = x.member[LANE((from) + k, count)];                                          \
            r.member[LANE(2 * k + 1, count)] = y.member[LANE((from) + k, count)];                                      \
        }                                                                                                              \
        SET_QUAD(r.q);                                                                                                 \
        NEXT(1);                                                                                                       \
    }
MIX(vmrhb, b, 16, 0)
MIX(vmrlb, b, 16, 8)
MIX(vmrhh, h, 8, 0)
MIX(vmrlh, h, 8, 4)
#define PACK(name, type, whole, part, count)                                                                           \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const union vector x = vector_get(cpu, op->r2), y = vector_get(cpu, op->r3);                                   \
        union vector r;                                                                                                \
        for (unsigned k = 0; k < (count); k++) {                                                                       \
            r.part[LANE(k, 2 * (count))] = (type)x.whole[LANE(k, count)];                                              \
            r.part[LANE((count) + k, 2 * (count))] = (type)y.whole[LANE(k, count)];                                    \
        }                                                                                                              \
        SET_QUAD(r.q);                                                                                                 \
        NEXT(1);                                                                                                       \
    }
PACK(vpkh, uint8_t, h, b, 8)
PACK(vpkf, uint16_t, f, h, 4)
PACK(vpkg, uint32_t, g, f, 2)
/* Bytes of V2 and V3 by the numbers in V4, of number m */
static HANDLER(vperm)
{
    const union vector select = vector_get(cpu, op->m);
    const unsigned __int128 from[2] = {[LANE(0, 2)] = QUAD(op->r2), [LANE(1, 2)] = QUAD(op->r3)};
    union vector r;
    for (unsigned k = 0; k < 16; k++)
        r.b[k] = ((const uint8_t *)from)[LANE(select.b[k] & 31, 32)];
    SET_QUAD(r.q);
    NEXT(1);
}

/* One half in twice the size: the host's order within doublewords is the other way round. */
#define HALF_TYPE(name, type) typedef type half_##name __attribute__((vector_size(8), may_alias))
HALF_TYPE(b, uint8_t);
HALF_TYPE(h, uint16_t);
HALF_TYPE(f, uint32_t);
HALF_TYPE(sb, int8_t);
HALF_TYPE(sh, int16_t);
HALF_TYPE(sf, int32_t);
#define UNPACK(name, half, from, to)                                                                                   \
    static HANDLER(name)                                                                                               \
    {                                                                                                                  \
        const vector_g r = (vector_g) __builtin_convertvector(*(half_##from *)(void *)&cpu->vr[op->r2].half, to);      \
        SET(r[LANE(0, 2)], r[LANE(1, 2)]);                                                                             \
        NEXT(1);                                                                                                       \
    }
#define UNPACKS(name, half, u)                                                                                         \
    UNPACK(name##b, half, u##b, vector_##u##h)                                                                         \
    UNPACK(name##h, half, u##h, vector_##u##f)                                                                         \
    UNPACK(name##f, half, u##f, vector_##u##g)
UNPACKS(vuph, hi, s)
UNPACKS(vupl, lo, s)
UNPACKS(vuplh, hi, )
UNPACKS(vupll, lo, )
#define TABLE3(name)                                                                                                   \
    {                                                                                                                  \
        name##b, name##h, name##f                                                                                      \
    }

/* ---- strings --------------------------------------------------------------------------------------------------- */

/* Byte index of the leftmost one bit; 16: none */
static inline unsigned leftmost(vector_g v)
{
    return v[0] ? (unsigned)__builtin_clzll(v[0]) / 8 : v[1] ? 8 + (unsigned)__builtin_clzll(v[1]) / 8 : 16;
}
enum { ZERO_SEARCH = 2, CC_SET = 1 };
#define LOWER(x, y) ((x) < (y) ? (x) : (y))
#define SEARCH_CC() (a = zero == 16 ? (match == 16 ? 3 : 1) : match < zero ? 2 : 0)
#define FIND(name, type, bytes)                                                                                        \
    static HANDLER(vfee##name)                                                                                         \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3);                                                           \
        const unsigned match = leftmost((vector_g)(x == y)),                                                           \
                       zero = op->m & ZERO_SEARCH ? leftmost((vector_g)(x == 0)) : 16;                                 \
        SET(LOWER(match, zero), 0);                                                                                    \
        if (op->m & CC_SET)                                                                                            \
            SEARCH_CC();                                                                                               \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(vfene##name)                                                                                        \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3);                                                           \
        const vector_g gx = (vector_g)x, gy = (vector_g)y;                                                             \
        const unsigned differs = leftmost((vector_g)(x != y)),                                                         \
                       zero = op->m & ZERO_SEARCH ? leftmost((vector_g)(x == 0)) : 16;                                 \
        /* what is equal before the first difference does not decide */                                                \
        const bool low = gx[0] != gy[0] ? gx[0] < gy[0] : gx[1] < gy[1];                                               \
        SET(LOWER(differs, zero), 0);                                                                                  \
        if (op->m & CC_SET)                                                                                            \
            a = differs == 16 && zero == 16 ? 3 : zero < differs ? 0 : low ? 1 : 2;                                    \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(vfae##name)                                                                                         \
    {                                                                                                                  \
        const type x = V(type, op->r2), y = V(type, op->r3);                                                           \
        const vector_g gy = (vector_g)y;                                                                               \
        type is = (type)(x == y[0]);                                                                                   \
        if (gy[0] != gy[1] || gy[0] != (gy[0] << 8 * (bytes) | gy[0] >> (64 - 8 * (bytes))))                           \
            for (unsigned k = 1; k < 16 / (bytes); k++)                                                                \
                is |= (type)(x == y[k]);                                                                               \
        const unsigned match = leftmost((vector_g)is), zero = op->m & ZERO_SEARCH ? leftmost((vector_g)(x == 0)) : 16; \
        SET(LOWER(match, zero), 0);                                                                                    \
        if (op->m & CC_SET)                                                                                            \
            SEARCH_CC();                                                                                               \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    static HANDLER(vistr##name)                                                                                        \
    {                                                                                                                  \
        const type x = V(type, op->r2);                                                                                \
        const unsigned zero = leftmost((vector_g)(x == 0));                                                            \
        const unsigned __int128 q = QUAD(op->r2);                                                                      \
        SET_QUAD(zero < 16 ? q & ~(~(unsigned __int128)0 >> (8 * zero)) : q);                                          \
        if (op->m & CC_SET)                                                                                            \
            a = zero < 16 ? 0 : 3;                                                                                     \
        NEXT(1);                                                                                                       \
    }
FIND(b, vector_b, 1)
FIND(h, vector_h, 2)
FIND(f, vector_f, 4)

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Instructions on integers in registers, by their bodies, that neither see nor set a condition code: what is known of
   it stays. When a body finds an exception it has changed nothing. */
HANDLER(op_vector_body)
{
    if (UNLIKELY(cpu_bodies[op->insn->row](cpu, op->insn)))
        TAIL op_redo(ARGS);
    NEXT(1);
}

/* ---- choice ---------------------------------------------------------------------------------------------------- */

/* Rows whose handlers differ by a size in M3 or M4, or in nothing; and what else must hold. */
enum { NO_SIZE, SIZE_M3, SIZE_M4 };
enum { ANY, COMPARES, SEARCHES, SHIFTS_BY, ELEMENT_NUMBER, SEARCH_V2 };
static const struct {
    uint16_t row;
    uint8_t size, more;
    handler run[5], with_cc[4];
} rows[] = {
    {DIS_VA, SIZE_M4, ANY, {vab, vah, vaf, vag, vaq}, {NULL}},
    {DIS_VS, SIZE_M4, ANY, {vsb, vsh, vsf, vsg, vsq}, {NULL}},
    {DIS_VCEQ, SIZE_M4, COMPARES, TABLE(vceq), TABLE_CC(vceq)},
    {DIS_VCH, SIZE_M4, COMPARES, TABLE(vch), TABLE_CC(vch)},
    {DIS_VCHL, SIZE_M4, COMPARES, TABLE(vchl), TABLE_CC(vchl)},
    {DIS_VMX, SIZE_M4, ANY, TABLE(vmx), {NULL}},
    {DIS_VMXL, SIZE_M4, ANY, TABLE(vmxl), {NULL}},
    {DIS_VMN, SIZE_M4, ANY, TABLE(vmn), {NULL}},
    {DIS_VMNL, SIZE_M4, ANY, TABLE(vmnl), {NULL}},
    {DIS_VLC, SIZE_M3, ANY, TABLE(vlc), {NULL}},
    {DIS_VLP, SIZE_M3, ANY, TABLE(vlp), {NULL}},
    {DIS_VML, SIZE_M4, ANY, TABLE3(vml), {NULL}},
    {DIS_VN, NO_SIZE, ANY, {vn}, {NULL}},
    {DIS_VNC, NO_SIZE, ANY, {vnc}, {NULL}},
    {DIS_VNN, NO_SIZE, ANY, {vnn}, {NULL}},
    {DIS_VO, NO_SIZE, ANY, {vo}, {NULL}},
    {DIS_VOC, NO_SIZE, ANY, {voc}, {NULL}},
    {DIS_VNO, NO_SIZE, ANY, {vno}, {NULL}},
    {DIS_VX, NO_SIZE, ANY, {vx}, {NULL}},
    {DIS_VNX, NO_SIZE, ANY, {vnx}, {NULL}},
    {DIS_VLR, NO_SIZE, ANY, {vlr}, {NULL}},
    {DIS_VLVGP, NO_SIZE, ANY, {vlvgp}, {NULL}},
    {DIS_VSLB, NO_SIZE, ANY, {vslb}, {NULL}},
    {DIS_VSRLB, NO_SIZE, ANY, {vsrlb}, {NULL}},
    {DIS_VMRH, SIZE_M4, ANY, {vmrhb, vmrhh, vmrhf, vmrhg}, {NULL}},
    {DIS_VMRL, SIZE_M4, ANY, {vmrlb, vmrlh, vmrlf, vmrlg}, {NULL}},
    {DIS_VPK, SIZE_M4, ANY, {NULL, vpkh, vpkf, vpkg}, {NULL}},
    {DIS_VUPH, SIZE_M3, ANY, TABLE3(vuph), {NULL}},
    {DIS_VUPL, SIZE_M3, ANY, TABLE3(vupl), {NULL}},
    {DIS_VUPLH, SIZE_M3, ANY, TABLE3(vuplh), {NULL}},
    {DIS_VUPLL, SIZE_M3, ANY, TABLE3(vupll), {NULL}},
    {DIS_VESL, SIZE_M4, SHIFTS_BY, TABLE(vesl), {NULL}},
    {DIS_VESRL, SIZE_M4, SHIFTS_BY, TABLE(vesrl), {NULL}},
    {DIS_VESRA, SIZE_M4, SHIFTS_BY, TABLE(vesra), {NULL}},
    {DIS_VERLL, SIZE_M4, SHIFTS_BY, TABLE(verll), {NULL}},
    {DIS_VLGV, SIZE_M4, ELEMENT_NUMBER, TABLE(vlgv), {NULL}},
    {DIS_VLVG, SIZE_M4, ELEMENT_NUMBER, TABLE(vlvg), {NULL}},
    {DIS_VFEE, SIZE_M4, SEARCHES, TABLE3(vfee), TABLE3(vfee)},
    {DIS_VFENE, SIZE_M4, SEARCHES, TABLE3(vfene), TABLE3(vfene)},
    {DIS_VFAE, SIZE_M4, SEARCHES, TABLE3(vfae), TABLE3(vfae)},
    {DIS_VISTR, SIZE_M3, SEARCH_V2, TABLE3(vistr), TABLE3(vistr)},
};

static bool by_size(const struct dis_insn *insn, struct op *op, unsigned *after)
{
    unsigned n = 0;
    while (n < sizeof rows / sizeof *rows && rows[n].row != insn->row)
        n++;
    if (n == sizeof rows / sizeof *rows)
        return false;
    unsigned size = rows[n].size == SIZE_M3 ? insn->m3 : rows[n].size == SIZE_M4 ? insn->m4 : 0;
    if (size > 4)
        return false;
    op->run = rows[n].run[size];
    op->m = insn->m5;
    switch (rows[n].more) {
    case COMPARES:
    case SEARCHES:
    case SEARCH_V2:
        if (insn->m5 & ~(rows[n].more == SEARCHES ? ZERO_SEARCH | CC_SET : CC_SET))
            return false;
        if (insn->m5 & CC_SET) {
            op->run = size < 4 ? rows[n].with_cc[size] : NULL;
            *after = KIND_CC;
        }
        break;
    case SHIFTS_BY: /* V3 is the operand */
        op->r2 = insn->r3;
        op->d = insn->d2 & (int32_t)((8u << size) - 1);
        return op->run && !insn->b2;
    case ELEMENT_NUMBER:
        op->m = (uint8_t)((unsigned)insn->d2 & ((16u >> size) - 1));
        return op->run && !insn->b2;
    default:
        break;
    }
    return op->run;
}

/* Loads and stores: elements by M3 as a number or a size. */
static bool with_storage(const struct cpu *cpu, const struct dis_insn *insn, struct op *op)
{
    static const handler replicate[4] = {vlrepb, vlreph, vlrepf, vlrepg}, zero[4] = {vllezb, vllezh, vllezf, vllezg},
                         load[4] = {vleb, vleh, vlef, vleg}, store[4] = {vsteb, vsteh, vstef, vsteg};
    const unsigned n = insn->m3;
    unsigned size = 0;
    op->r2 = insn->b2 ? insn->b2 : 16;
    op->r3 = insn->x2 ? insn->x2 : 16;
    op->d = insn->d2;
    op->m = insn->m3;
    switch (insn->row) {
    case DIS_VL:
        op->run = vl;
        return true;
    case DIS_VST:
        op->run = vst;
        return true;
    case DIS_VLBB:
        op->run = vlbb;
        op->m = (uint8_t)(6 + n);
        return n <= 6;
    case DIS_VLREP:
        op->run = n < 4 ? replicate[n] : NULL;
        return op->run;
    case DIS_VLLEZ:
        op->run = n < 4 ? zero[n] : n == 6 && cpu_facility(cpu->sys, FACILITY_VECENH1) ? vllezlf : NULL;
        return op->run;
    case DIS_VLEG:
    case DIS_VSTEG:
        size++;
        /* fall through */
    case DIS_VLEF:
    case DIS_VSTEF:
        size++;
        /* fall through */
    case DIS_VLEH:
    case DIS_VSTEH:
        size++;
        /* fall through */
    case DIS_VLEB:
    case DIS_VSTEB:
        op->run = dis_rows[insn->row].flags & DIS_STORES ? store[size] : load[size];
        return n < 16u >> size;
    case DIS_VLM:
    case DIS_VSTM:
        op->r3 = 16;
        op->m = (uint8_t)(insn->r3 - insn->r1 + 1);
        op->run = insn->row == DIS_VLM ? vlm : vstm;
        return insn->r3 >= insn->r1 && insn->r3 - insn->r1 < 16;
    default:
        return false;
    }
}

static uint64_t repeated(uint64_t value, unsigned size)
{
    for (unsigned bits = 8u << size; bits < 64; bits *= 2)
        value = (value & (~UINT64_C(0) >> (64 - bits))) | value << bits;
    return value;
}

static bool with_immediate(const struct dis_insn *insn, struct op *op)
{
    static const handler element[4] = {vleib, vleih, vleif, vleig}, replicate[4] = {vrepb, vreph, vrepf, vrepg};
    unsigned size = 0, bits, first, last;
    op->i = insn->i2;
    op->m = insn->m3;
    op->run = constant;
    switch (insn->row) {
    case DIS_VGBM:
        op->i = -(int64_t)(insn->i2 & 1);
        return (insn->i2 & 0xffff) == 0 || (insn->i2 & 0xffff) == 0xffff;
    case DIS_VREPI:
        op->i = (int64_t)repeated((uint64_t)insn->i2, insn->m3 & 3);
        return insn->m3 < 4;
    case DIS_VGM:
        bits = 8u << (insn->m4 & 3);
        first = (unsigned)insn->i2 & (bits - 1);
        last = insn->i3 & (bits - 1);
        op->i =
            (int64_t)repeated((~UINT64_C(0) >> (64 - bits) >> first) & ~UINT64_C(0) << (bits - 1 - last), insn->m4 & 3);
        return insn->m4 < 4 && first <= last;
    case DIS_VLEIG:
        size++;
        /* fall through */
    case DIS_VLEIF:
        size++;
        /* fall through */
    case DIS_VLEIH:
        size++;
        /* fall through */
    case DIS_VLEIB:
        op->run = element[size];
        return insn->m3 < 16u >> size;
    case DIS_VREP:
        op->m = (uint8_t)insn->i2;
        op->run = replicate[insn->m4 & 3];
        return insn->m4 < 4 && (uint64_t)insn->i2 < 16u >> insn->m4;
    default:
        return false;
    }
}

bool block_vector(const struct cpu *cpu, const struct dis_insn *insn, struct op *op, unsigned *after)
{
    const struct dis_row *row = &dis_rows[insn->row];
    if (row->flags & (DIS_FETCHES | DIS_STORES))
        return cpu->psw.mask & PSW_EA && with_storage(cpu, insn, op);
    if (by_size(insn, op, after))
        return true;
    if (with_immediate(insn, op))
        return true;
    switch (insn->row) {
    case DIS_VPDI:
        op->run = vpdi;
        op->m = insn->m4;
        return true;
    case DIS_VSLDB:
        op->run = vsldb;
        op->m = insn->i4;
        return insn->i4 < 16;
    case DIS_VSEL:
    case DIS_VPERM:
        op->run = insn->row == DIS_VSEL ? vsel : vperm;
        op->m = insn->r4;
        return true;
    case DIS_VTM:
        op->run = vtm;
        *after = KIND_CC;
        return true;
    default:
        if (block_vector_float(cpu, insn, op, after))
            return true;
        op->run = op_vector_body;
        return row->cc == DIS_CC_UNCHANGED && strcmp(row->section, "22") == 0;
    }
}
