/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: storage operands at a relative address, characters under mask, 64-bit addressing mode.
   Those at a relative address are aligned, as decoding sees to, and in the space of the instructions; whatever is not
   in the translation context is left to the bodies. PoP chapter 7. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"
#include "cpu/storage/access.h"

#define R1         GR(op->r1)
#define W1         LOW(op->r1)
#define S1         ((int64_t)(int32_t)LOW(op->r1))
#define SIGNED(v)  ((uint64_t)(int64_t)(int32_t)(v))
#define EA_B       (GR(op->r2) + (uint64_t)(int64_t)op->d)
#define IN_PAGE(n) LIKELY(e->read == ((ea + (n)-1) & PAGE_ADDRESS))

#define FETCH(name, bits, ...)                                                                                         \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t ea = (uint64_t)op->i;                                                                           \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (LIKELY(e->read == (ea & PAGE_ADDRESS) && tlb == cpu->fetch_tlb)) {                                         \
            const uint##bits##_t v = get##bits((const void *)(ea + e->host));                                          \
            __VA_ARGS__;                                                                                               \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
#define STORE(name, bits, value)                                                                                       \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t ea = (uint64_t)op->i;                                                                           \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (LIKELY(e->write == (ea & PAGE_ADDRESS) && tlb == cpu->fetch_tlb)) {                                        \
            put##bits((void *)(ea + e->host), value);                                                                  \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }

FETCH(lrl, 32, W1 = v)
FETCH(lgrl, 64, R1 = v)
FETCH(lgfrl, 32, R1 = SIGNED(v))
FETCH(llgfrl, 32, R1 = v)
FETCH(crl, 32, a = (uint64_t)S1; b = SIGNED(v))
FETCH(cgrl, 64, a = R1; b = v)
FETCH(clrl, 32, a = W1; b = v)
FETCH(clgrl, 64, a = R1; b = v)
FETCH(lhrl, 16, W1 = (uint32_t)(int16_t)v)
FETCH(lghrl, 16, R1 = (uint64_t)(int16_t)v)
FETCH(llhrl, 16, W1 = v)
FETCH(llghrl, 16, R1 = v)
STORE(sthrl, 16, (uint16_t)W1)
STORE(strl, 32, W1)
STORE(stgrl, 64, R1)

/* The bytes that a mask of adjacent ones selects: `bits` of them, from bit number i on, counted from the right. */
static inline uint32_t get24(const void *p) { return (uint32_t)get16(p) << 8 | ((const uint8_t *)p)[2]; }
#define get8(p) (*(const uint8_t *)(p))
#define UNDER_MASK(bits)                                                                                               \
    HANDLER(op_icm_##bits)                                                                                             \
    {                                                                                                                  \
        const uint64_t ea = EA_B;                                                                                      \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(bits / 8)) {                                                                                       \
            const uint32_t v = get##bits((const void *)(ea + e->host));                                                \
            W1 = (W1 & ~(UINT32_MAX >> (32 - bits) << op->i)) | v << op->i;                                            \
            a = SIGNED(v << (32 - bits));                                                                              \
            b = 0;                                                                                                     \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }                                                                                                                  \
    HANDLER(op_clm_##bits)                                                                                             \
    {                                                                                                                  \
        const uint64_t ea = EA_B;                                                                                      \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (IN_PAGE(bits / 8)) {                                                                                       \
            a = W1 >> op->i & UINT32_MAX >> (32 - bits);                                                               \
            b = get##bits((const void *)(ea + e->host));                                                               \
            NEXT(1);                                                                                                   \
        }                                                                                                              \
        TAIL op_redo(ARGS);                                                                                            \
    }
UNDER_MASK(8)
UNDER_MASK(16)
UNDER_MASK(24)

HANDLER(op_ear)
{
    W1 = cpu->ar[op->r2];
    NEXT(1);
}
