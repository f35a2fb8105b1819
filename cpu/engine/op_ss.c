/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: short storage-to-storage instructions whose operands each lie in one page, 64-bit
   addressing mode; all others go to the bodies in cpu/exec/general/move.c and its neighbours. PoP chapter 7. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"
#include "cpu/storage/access.h"

/* First operand by r1, d; second by r2, i; length code in m. */
#define EA1                 (GR(op->r1) + (uint64_t)(int64_t)op->d)
#define EA2                 (GR(op->r2) + (uint64_t)op->i)
#define IN_PAGE(tag, ea, n) LIKELY((tag) == (((ea) + (n)-1) & PAGE_ADDRESS))

/* Both operands, n bytes each: addresses, entries of the translation-lookaside buffer. */
#define OPERANDS_SS                                                                                                    \
    const uint64_t ea1 = EA1, ea2 = EA2;                                                                               \
    const struct tlb_entry *e1 = tlb_slot(tlb, ea1), *e2 = tlb_slot(tlb, ea2)
/* Each lies in one page; the first one may be accessed as `first` says: read or write. */
#define ACCESSIBLE(first) (IN_PAGE(e1->first, ea1, n) && IN_PAGE(e2->read, ea2, n))
/* Where they are in the host */
#define TO   ((uint8_t *)(ea1 + e1->host))
#define FROM ((const uint8_t *)(ea2 + e2->host))

/* The rest of MOVE: behind what has low-address protection. */
SLOW_HANDLER(mvc_above_low)
{
    const unsigned n = op->m + 1u;
    OPERANDS_SS;
    if (!tlb_above_low(e1, ea1, n) || !IN_PAGE(e2->read, ea2, n) || (uintptr_t)TO - (uintptr_t)FROM < n)
        TAIL op_redo(ARGS);
    memmove(TO, FROM, n);
    NEXT(1);
}

/* Byte by byte from left to right is what the architecture has; a destructive overlap is left to the body. */
HANDLER(op_mvc)
{
    const unsigned n = op->m + 1u;
    OPERANDS_SS;
    if (UNLIKELY(!ACCESSIBLE(write)))
        TAIL mvc_above_low(ARGS);
    if (UNLIKELY((uintptr_t)TO - (uintptr_t)FROM < n))
        TAIL op_redo(ARGS);
    memmove(TO, FROM, n);
    NEXT(1);
}
#define MVC_OF(bytes)                                                                                                  \
    HANDLER(op_mvc_##bytes)                                                                                            \
    {                                                                                                                  \
        const unsigned n = bytes;                                                                                      \
        uint8_t v[bytes];                                                                                              \
        OPERANDS_SS;                                                                                                   \
        if (UNLIKELY(!ACCESSIBLE(write)))                                                                              \
            TAIL mvc_above_low(ARGS);                                                                                  \
        if (UNLIKELY(bytes > 1 && (uintptr_t)TO - (uintptr_t)FROM < n))                                                \
            TAIL op_redo(ARGS);                                                                                        \
        memcpy(v, FROM, n);                                                                                            \
        memcpy(TO, v, n);                                                                                              \
        NEXT(1);                                                                                                       \
    }
MVC_OF(1)
MVC_OF(2)
MVC_OF(4)
MVC_OF(8)
MVC_OF(16)

/* An operand exclusive-ored with itself is cleared. */
HANDLER(op_xc_same)
{
    const unsigned n = op->m + 1u;
    uint64_t ea = EA1;
    const struct tlb_entry *e = tlb_slot(tlb, ea);
    if (!IN_PAGE(e->write, ea, n))
        TAIL op_redo(ARGS);
    memset((uint8_t *)(ea + e->host), 0, n);
    a = b = 0;
    NEXT(1);
}

#define LOGIC(name, operator)                                                                                          \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const unsigned n = op->m + 1u;                                                                                 \
        OPERANDS_SS;                                                                                                   \
        if (UNLIKELY(!ACCESSIBLE(write)))                                                                              \
            TAIL op_redo(ARGS);                                                                                        \
        uint8_t *to = TO, any = 0;                                                                                     \
        const uint8_t *from = FROM;                                                                                    \
        for (unsigned i = 0; i < n; i++)                                                                               \
            any |= to[i] = to[i] operator from[i];                                                                     \
        a = 0;                                                                                                         \
        b = any;                                                                                                       \
        NEXT(1);                                                                                                       \
    }
LOGIC(nc, &)
LOGIC(oc, |)
LOGIC(xc, ^)

HANDLER(op_clc)
{
    const unsigned n = op->m + 1u;
    OPERANDS_SS;
    if (UNLIKELY(!ACCESSIBLE(read)))
        TAIL op_redo(ARGS);
    int order = memcmp(TO, FROM, n);
    a = (uint64_t)(int64_t)order;
    b = 0;
    NEXT(1);
}
#define SIGN_OF_DOUBLEWORD BIT64(0)
#define CLC_OF(bytes, get)                                                                                             \
    HANDLER(op_clc_##bytes)                                                                                            \
    {                                                                                                                  \
        const unsigned n = bytes;                                                                                      \
        OPERANDS_SS;                                                                                                   \
        if (UNLIKELY(!ACCESSIBLE(read)))                                                                               \
            TAIL op_redo(ARGS);                                                                                        \
        a = get(TO) ^ SIGN_OF_DOUBLEWORD; /* compared as signed, like the result of memcmp */                          \
        b = get(FROM) ^ SIGN_OF_DOUBLEWORD;                                                                            \
        NEXT(1);                                                                                                       \
    }
#define get8(p) (*(p))
CLC_OF(1, get8)
CLC_OF(2, get16)
CLC_OF(4, get32)
CLC_OF(8, get64)
