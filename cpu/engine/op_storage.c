/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: instructions with storage operands, 64-bit addressing mode. The hit path of the
   translation context is inline and serves any alignment within a page; everything else goes through the accessors.
   PoP chapter 7. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"
#include "cpu/storage/access.h"

#define R1         GR(op->r1)
#define W1         LOW(op->r1)
#define S1         ((int64_t)(int32_t)LOW(op->r1))
#define SIGNED(v)  ((uint64_t)(int64_t)(int32_t)(v))
#define LOGICAL(v) (a = 0, b = (v))
#define SIGN(v)    (a = (v), b = 0)

#define EA_B (GR(op->r2) + (uint64_t)(int64_t)op->d)
#define EA_X (GR(op->r2) + GR(op->r3) + (uint64_t)(int64_t)op->d)
#define EA_L ((uint64_t)op->i) /* relative */

/* Is [ea, ea+n) in one page that `tag` is the tag of? */
#define IN_PAGE(tag, ea, n) LIKELY((tag) == (((ea) + (n)-1) & PAGE_ADDRESS))

#define get8(p)    (*(const uint8_t *)(p))
#define put8(p, v) (*(uint8_t *)(p) = (v))

/* The accessors, out of line and by value: a handler whose local variables have addresses could not end in a jump. */
struct fetched {
    uint64_t value;
    int64_t code;
};
#define ACCESSORS(n, type)                                                                                             \
    static __attribute__((noinline)) struct fetched fetch##n(struct cpu *cpu, uint64_t ea, unsigned ar)                \
    {                                                                                                                  \
        type v = 0;                                                                                                    \
        int code = cpu_fetch##n(cpu, ea, ar, &v);                                                                      \
        return (struct fetched){v, code};                                                                              \
    }                                                                                                                  \
    static __attribute__((noinline)) int store##n(struct cpu *cpu, uint64_t ea, unsigned ar, type v)                   \
    {                                                                                                                  \
        return cpu_store##n(cpu, ea, ar, v);                                                                           \
    }
ACCESSORS(1, uint8_t)
ACCESSORS(2, uint16_t)
ACCESSORS(4, uint32_t)
ACCESSORS(8, uint64_t)

/* Fetch a value v of n bytes, then do the rest. The slow form is shared by all address forms, with an index and
 * without. */
#define FETCH(name, n, bits, type, ...)                                                                                \
    FETCH_BASE(name, n, bits, type, __VA_ARGS__)                                                                       \
    FETCH_FAST(name, name, EA_X, n, bits, type, __VA_ARGS__)
#define FETCH_BASE(name, n, bits, type, ...)                                                                           \
    SLOW_HANDLER(slow_##name)                                                                                          \
    {                                                                                                                  \
        struct fetched got = fetch##n(cpu, EA_X, op->r2 & 15);                                                         \
        type v = (type)got.value;                                                                                      \
        if (UNLIKELY(got.code)) {                                                                                      \
            block_fault(ARGS, (int)got.code);                                                                          \
            TAIL op_again(ARGS);                                                                                       \
        }                                                                                                              \
        tlb = cpu->tlb;                                                                                                \
        __VA_ARGS__;                                                                                                   \
        if (UNLIKELY(cpu->leave)) {                                                                                    \
            block_refetch(ARGS);                                                                                       \
            TAIL op_again(ARGS);                                                                                       \
        }                                                                                                              \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    FETCH_FAST(name##_b, name, EA_B, n, bits, type, __VA_ARGS__)
#define FETCH_FAST(name, slow, EA, n, bits, type, ...)                                                                 \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA;                                                                                              \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(e->read, ea, n)) {                                                                                 \
            type v = get##bits((const void *)(ea + e->host));                                                          \
            __VA_ARGS__;                                                                                               \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL slow_##slow(ARGS);                                                                                        \
    }

FETCH(l, 4, 32, uint32_t, W1 = v)
FETCH(lg, 8, 64, uint64_t, R1 = v)
FETCH(lh, 2, 16, uint16_t, W1 = (uint32_t)(int16_t)v)
FETCH(lgh, 2, 16, uint16_t, R1 = (uint64_t)(int64_t)(int16_t)v)
FETCH(llh, 2, 16, uint16_t, W1 = v)
FETCH(llgh, 2, 16, uint16_t, R1 = v)
FETCH(lb, 1, 8, uint8_t, W1 = (uint32_t)(int8_t)v)
FETCH(lgb, 1, 8, uint8_t, R1 = (uint64_t)(int64_t)(int8_t)v)
FETCH(llc, 1, 8, uint8_t, W1 = v)
FETCH(llgc, 1, 8, uint8_t, R1 = v)
FETCH(ic, 1, 8, uint8_t, W1 = (W1 & ~0xffu) | v)
FETCH(lgf, 4, 32, uint32_t, R1 = SIGNED(v))
FETCH(llgf, 4, 32, uint32_t, R1 = v)
FETCH(lt, 4, 32, uint32_t, W1 = v; SIGN(SIGNED(v)))
FETCH(ltg, 8, 64, uint64_t, R1 = v; SIGN(v))
FETCH(ltgf, 4, 32, uint32_t, R1 = SIGNED(v); SIGN(R1))
FETCH(lrv, 4, 32, uint32_t, W1 = __builtin_bswap32(v))
FETCH(lrvg, 8, 64, uint64_t, R1 = __builtin_bswap64(v))
FETCH(lrvh, 2, 16, uint16_t, W1 = (W1 & 0xffff0000) | __builtin_bswap16(v))

FETCH(a, 4, 32, uint32_t, a = (uint64_t)S1 + SIGNED(v); W1 = (uint32_t)a)
FETCH(s, 4, 32, uint32_t, a = (uint64_t)S1 - SIGNED(v); W1 = (uint32_t)a)
FETCH(ah, 2, 16, uint16_t, a = (uint64_t)(S1 + (int16_t)v); W1 = (uint32_t)a)
FETCH(sh, 2, 16, uint16_t, a = (uint64_t)(S1 - (int16_t)v); W1 = (uint32_t)a)
FETCH(ag, 8, 64, uint64_t, a = R1; b = v; R1 = a + b)
FETCH(sg, 8, 64, uint64_t, a = R1; b = v; R1 = a - b)
FETCH(agf, 4, 32, uint32_t, a = R1; b = SIGNED(v); R1 = a + b)
FETCH(sgf, 4, 32, uint32_t, a = R1; b = SIGNED(v); R1 = a - b)
FETCH(al, 4, 32, uint32_t, a = W1; b = W1 = W1 + v)
FETCH(alg, 8, 64, uint64_t, a = R1; b = R1 = a + v)
FETCH(algf, 4, 32, uint32_t, a = R1; b = R1 = a + v)
FETCH(sl, 4, 32, uint32_t, a = W1; b = v; W1 = (uint32_t)(a - b))
FETCH(slg, 8, 64, uint64_t, a = R1; b = v; R1 = a - b)
FETCH(slgf, 4, 32, uint32_t, a = R1; b = v; R1 = a - b)
FETCH(ms, 4, 32, uint32_t, W1 = W1 * v)
FETCH(mh, 2, 16, uint16_t, W1 = W1 * (uint32_t)(int16_t)v)
FETCH(msg, 8, 64, uint64_t, R1 = R1 * v)
FETCH(msgf, 4, 32, uint32_t, R1 = R1 * SIGNED(v))
FETCH(mlg, 8, 64, uint64_t, const unsigned __int128 product = (unsigned __int128)GR(op->r1 + 1) * v;
      R1 = (uint64_t)(product >> 64); GR(op->r1 + 1) = (uint64_t)product)
FETCH(ml, 4, 32, uint32_t, const uint64_t product = (uint64_t)LOW(op->r1 + 1) * v; W1 = (uint32_t)(product >> 32);
      LOW(op->r1 + 1) = (uint32_t)product)
FETCH(c, 4, 32, uint32_t, a = (uint64_t)S1; b = SIGNED(v))
FETCH(ch, 2, 16, uint16_t, a = (uint64_t)S1; b = (uint64_t)(int64_t)(int16_t)v)
FETCH(cg, 8, 64, uint64_t, a = R1; b = v)
FETCH(cgf, 4, 32, uint32_t, a = R1; b = SIGNED(v))
FETCH(cgh, 2, 16, uint16_t, a = R1; b = (uint64_t)(int64_t)(int16_t)v)
FETCH(cl, 4, 32, uint32_t, a = W1; b = v)
FETCH(clg, 8, 64, uint64_t, a = R1; b = v)
FETCH(clgf, 4, 32, uint32_t, a = R1; b = v)
FETCH(n, 4, 32, uint32_t, LOGICAL(W1 = W1 & v))
FETCH(o, 4, 32, uint32_t, LOGICAL(W1 = W1 | v))
FETCH(x, 4, 32, uint32_t, LOGICAL(W1 = W1 ^ v))
FETCH(ng, 8, 64, uint64_t, LOGICAL(R1 = R1 & v))
FETCH(og, 8, 64, uint64_t, LOGICAL(R1 = R1 | v))
FETCH(xg, 8, 64, uint64_t, LOGICAL(R1 = R1 ^ v))

/* Storage and immediate operand */
FETCH_BASE(tm, 1, 8, uint8_t, a = v & (uint64_t)op->i; b = (uint64_t)op->i)
FETCH_BASE(cli, 1, 8, uint8_t, a = v; b = (uint64_t)op->i)
FETCH_BASE(chsi, 4, 32, uint32_t, a = SIGNED(v); b = (uint64_t)op->i)
FETCH_BASE(cghsi, 8, 64, uint64_t, a = v; b = (uint64_t)op->i)
FETCH_BASE(chhsi, 2, 16, uint16_t, a = (uint64_t)(int64_t)(int16_t)v; b = (uint64_t)op->i)
FETCH_BASE(clhhsi, 2, 16, uint16_t, a = v; b = (uint64_t)op->i)
FETCH_BASE(clfhsi, 4, 32, uint32_t, a = v; b = (uint64_t)op->i)
FETCH_BASE(clghsi, 8, 64, uint64_t, a = v; b = (uint64_t)op->i)

/* Store a value of n bytes. */
#define STORE(name, n, bits, type, value)                                                                              \
    STORE_BASE(name, n, bits, type, value)                                                                             \
    STORE_FAST(name, name, EA_X, n, bits, type, value)
#define STORE_BASE(name, n, bits, type, value)                                                                         \
    SLOW_HANDLER(slow_##name)                                                                                          \
    {                                                                                                                  \
        int code = store##n(cpu, EA_X, op->r2 & 15, (type)(value));                                                    \
        if (UNLIKELY(code)) {                                                                                          \
            block_fault(ARGS, code);                                                                                   \
            TAIL op_again(ARGS);                                                                                       \
        }                                                                                                              \
        if (UNLIKELY(cpu->refetch | cpu->leave)) {                                                                     \
            block_refetch(ARGS);                                                                                       \
            TAIL op_again(ARGS);                                                                                       \
        }                                                                                                              \
        tlb = cpu->tlb;                                                                                                \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    STORE_FAST(name##_b, name, EA_B, n, bits, type, value)
#define STORE_FAST(name, slow, EA, n, bits, type, value)                                                               \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA;                                                                                              \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(e->write, ea, n)) {                                                                                \
            ea += e->host;                                                                                             \
            RI_FEW_REGISTERS();                                                                                        \
            put##bits((void *)ea, (type)(value));                                                                      \
            RI_FEW_REGISTERS();                                                                                        \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL slow_##slow(ARGS);                                                                                        \
    }

STORE(st, 4, 32, uint32_t, W1)
STORE(stg, 8, 64, uint64_t, R1)
STORE(sth, 2, 16, uint16_t, W1)
STORE(stc, 1, 8, uint8_t, W1)
STORE(strv, 4, 32, uint32_t, __builtin_bswap32(W1))
STORE(strvg, 8, 64, uint64_t, __builtin_bswap64(R1))
STORE_BASE(mvi, 1, 8, uint8_t, op->i)
STORE_BASE(mvhhi, 2, 16, uint16_t, op->i)
STORE_BASE(mvhi, 4, 32, uint32_t, op->i)
STORE_BASE(mvghi, 8, 64, uint64_t, op->i)

/* Fetch and store: anything out of the ordinary is left to the body. */
#define UPDATE(name, n, bits, type, ...)                                                                               \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_B;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(e->write, ea, n)) {                                                                                \
            type v = get##bits((const void *)(ea + e->host));                                                          \
            __VA_ARGS__;                                                                                               \
            put##bits((void *)(ea + e->host), v);                                                                      \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
UPDATE(ni, 1, 8, uint8_t, v = (uint8_t)(v & op->i); LOGICAL(v))
UPDATE(oi, 1, 8, uint8_t, v = (uint8_t)(v | op->i); LOGICAL(v))
UPDATE(xi, 1, 8, uint8_t, v = (uint8_t)(v ^ op->i); LOGICAL(v))
UPDATE(asi, 4, 32, uint32_t, a = SIGNED(v) + (uint64_t)op->i; v = (uint32_t)a)
UPDATE(agsi, 8, 64, uint64_t, a = v; b = (uint64_t)op->i; v = a + b)

/* Doublewords of general registers r1 to r1 + m - 1 (not beyond 15) from or to two pages, as frames of stacks have
   them, or to save areas behind what has low-address protection. False: nothing was done, as one of the pages cannot be
   accessed as it is, or other CPUs may look. */
static bool in_two_pages(struct cpu *cpu, struct tlb *tlb, const struct op *op, bool store)
{
    uint8_t bytes[16 * 8];
    const uint64_t ea = EA_B, page = (ea + 4096) & PAGE_ADDRESS;
    const unsigned all = 8u * op->m, front = (unsigned)(-ea & 4095);
    const struct tlb_entry *one = tlb_slot(tlb, ea), *other = tlb_slot(tlb, page);
    if (store && tlb_above_low(one, ea, all)) {
        for (unsigned i = 0; i < op->m; i++)
            put64((uint8_t *)(ea + one->host) + 8 * i, GR(op->r1 + i));
        return true;
    }
    if (cpu->sys->threads || front >= all || (store ? one->write : one->read) != (ea & PAGE_ADDRESS) ||
        (store ? other->write : other->read) != page)
        return false;
    uint8_t *const left = (uint8_t *)(ea + one->host), *const right = (uint8_t *)(page + other->host);
    if (store) {
        for (unsigned i = 0; i < op->m; i++)
            put64(bytes + 8 * i, GR(op->r1 + i));
        memcpy(left, bytes, front);
        memcpy(right, bytes + front, all - front);
    } else {
        memcpy(bytes, left, front);
        memcpy(bytes + front, right, all - front);
        for (unsigned i = 0; i < op->m; i++)
            GR(op->r1 + i) = get64(bytes + 8 * i);
    }
    return true;
}
#define TWO_PAGES(name, store)                                                                                         \
    static HANDLER(name##_pages)                                                                                       \
    {                                                                                                                  \
        if (in_two_pages(cpu, tlb, op, store))                                                                         \
            NEXT(1);                                                                                                   \
        TAIL op_redo(ARGS);                                                                                            \
    }
TWO_PAGES(lmg, false)
TWO_PAGES(stmg, true)
#define lm_pages  op_redo
#define stm_pages op_redo

/* Registers r1 to r1 + m - 1 (not beyond 15) from or to one page */
#define MULTIPLE(name, n, tag, type, first, ...)                                                                       \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_B, bytes = n * (uint64_t)op->m;                                                               \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (UNLIKELY(e->tag != ((ea + bytes - 1) & PAGE_ADDRESS)))                                                     \
            TAIL name##_pages(ARGS);                                                                                   \
        uint8_t *p = (uint8_t *)(ea + e->host);                                                                        \
        type *r = (first);                                                                                             \
        RI_FEW_REGISTERS();                                                                                            \
        op++;                                                                                                          \
        ea = (uintptr_t)p + bytes;                                                                                     \
        do {                                                                                                           \
            __VA_ARGS__;                                                                                               \
            p += n;                                                                                                    \
            r += 8 / sizeof(type);                                                                                     \
        } while (p != (uint8_t *)ea);                                                                                  \
        GO();                                                                                                          \
    }
MULTIPLE(lm, 4, read, uint32_t, &LOW(op->r1), *r = get32(p))
MULTIPLE(lmg, 8, read, uint64_t, &GR(op->r1), *r = get64(p))
MULTIPLE(stm, 4, write, uint32_t, &LOW(op->r1), put32(p, *r))
MULTIPLE(stmg, 8, write, uint64_t, &GR(op->r1), put64(p, *r))
/* LMG and STMG of a known number of registers */
#define FEW(n)                                                                                                         \
    UNROLLED(lmg, n, read, r[i] = get64(p + 8 * i))                                                                    \
    UNROLLED(stmg, n, write, put64(p + 8 * i, r[i]))
#define UNROLLED(name, n, tag, ...)                                                                                    \
    static HANDLER(name##_##n)                                                                                         \
    {                                                                                                                  \
        uint64_t ea = EA_B;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (UNLIKELY(e->tag != ((ea + 8 * n - 1) & PAGE_ADDRESS)))                                                     \
            TAIL name##_pages(ARGS);                                                                                   \
        uint8_t *p = (uint8_t *)(ea + e->host);                                                                        \
        uint64_t *r = &GR(op->r1);                                                                                     \
        op++;                                                                                                          \
        _Pragma("GCC unroll 16") for (unsigned i = 0; i < n; i++)                                                      \
        {                                                                                                              \
            __VA_ARGS__;                                                                                               \
            RI_FEW_REGISTERS();                                                                                        \
        }                                                                                                              \
        GO();                                                                                                          \
    }
/* clang-format off */
FEW(2) FEW(3) FEW(4) FEW(5) FEW(6) FEW(7) FEW(8) FEW(9) FEW(10)
#define TABLE(name)                                                                                                    \
    {                                                                                                                  \
        NULL, NULL, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8, name##_9, name##_10          \
    }
const handler block_lmg[11] = TABLE(lmg), block_stmg[11] = TABLE(stmg);
/* clang-format on */

/* The same where register 0 follows register 15 */
#define WRAPPING(name, n, tag, ...)                                                                                    \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_B;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        const unsigned count = op->m;                                                                                  \
        if (IN_PAGE(e->tag, ea, n * count)) {                                                                          \
            uint8_t *p = (uint8_t *)(ea + e->host);                                                                    \
            unsigned r = op->r1;                                                                                       \
            for (unsigned i = 0; i < count; i++, p += n, r = (r + 1) & 15) {                                           \
                __VA_ARGS__;                                                                                           \
            }                                                                                                          \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
WRAPPING(lm_w, 4, read, LOW(r) = get32(p))
WRAPPING(lmg_w, 8, read, GR(r) = get64(p))
WRAPPING(stm_w, 4, write, put32(p, LOW(r)))
WRAPPING(stmg_w, 8, write, put64(p, GR(r)))

/* Compare and swap; the page must be there for stores, the operand aligned, or the body does it */
#define SWAP(name, type, bits, reg1, reg3)                                                                             \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_B;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (TLB_HIT(e->write, ea, sizeof(type))) {                                                                     \
            type old = BE##bits((type)reg1); /* it becomes what was found, which is the same when that was stored */   \
            __atomic_compare_exchange_n((type *)(ea + e->host), &old, BE##bits((type)reg3), false, __ATOMIC_SEQ_CST,   \
                                        __ATOMIC_SEQ_CST);                                                             \
            a = 0;                                                                                                     \
            b = BE##bits(old) ^ (type)reg1;                                                                            \
            reg1 = BE##bits(old);                                                                                      \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
SWAP(cs, uint32_t, 32, W1, LOW(op->r3))
SWAP(csg, uint64_t, 64, R1, GR(op->r3))
