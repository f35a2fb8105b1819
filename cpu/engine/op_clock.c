/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: clocks, the breaking-event-address register, and a space that is not the current one,
   which a supervisor in its home space stores and loads whenever it is entered and left; bodies do what is out of the
   ordinary. PoP chapters 4 and 10. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"

#define EA (GR(op->r2) + (uint64_t)(int64_t)op->d)

/* A doubleword on its boundary */
#define STORE_DOUBLEWORD(name, value, ...)                                                                             \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t ea = EA;                                                                                        \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (UNLIKELY(ea % 8 || !(e->write == (ea & PAGE_ADDRESS) || tlb_above_low(e, ea, 8))))                         \
            TAIL op_redo(ARGS);                                                                                        \
        put64((void *)(ea + e->host), value);                                                                          \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
STORE_DOUBLEWORD(stpt, block_timer(cpu, op))
STORE_DOUBLEWORD(stckf, block_tod(cpu, op), a = 0)
STORE_DOUBLEWORD(stbear, cpu->bear)

HANDLER(op_stcke)
{
    const uint64_t ea = EA;
    const struct tlb_entry *e = tlb_slot(tlb, ea);
    if (UNLIKELY(e->write != (ea & PAGE_ADDRESS) || (ea & (PAGE_SIZE_Z - 1)) > PAGE_SIZE_Z - 16))
        TAIL op_redo(ARGS);
    a = block_tod_extended(cpu, op, (uint8_t *)(ea + e->host));
    NEXT(1);
}

/* Where the operand is, on its boundary; NULL: the body has to look. */
static inline const uint8_t *source(const struct cpu *cpu, const struct tlb_entry *e, uint64_t ea)
{
    return e->read == (ea & (PAGE_ADDRESS | 7)) && !cpu->exceptions ? (const uint8_t *)(ea + e->host) : NULL;
}

#define LOAD_DOUBLEWORD(name, when, to)                                                                                \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t ea = EA;                                                                                        \
        const uint8_t *const from = source(cpu, tlb_slot(tlb, ea), ea);                                                \
        if (UNLIKELY(!from || !(when)))                                                                                \
            TAIL op_redo_mode(ARGS);                                                                                   \
        (to) = get64(from);                                                                                            \
        NEXT(1);                                                                                                       \
    }
LOAD_DOUBLEWORD(lbear, true, cpu->bear)
LOAD_DOUBLEWORD(lctlg_space, (cpu->psw.mask & BLOCK_HOME) == BLOCK_HOME, cpu->cr[op->r1])
