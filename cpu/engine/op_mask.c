/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: the system mask, where nothing follows from its change but that fewer interruptions are
   enabled, or more and there is none; bodies do the rest. PoP chapter 10. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"

#define EA (GR(op->r2) + (uint64_t)(int64_t)op->d)

static inline uint8_t *in_page(uint64_t tag, const struct tlb_entry *e, uint64_t ea)
{
    return tag == (ea & PAGE_ADDRESS) ? (uint8_t *)(ea + e->host) : NULL;
}

/* May the system mask become `mask` here? */
static inline bool fewer(const struct cpu *cpu, unsigned mask)
{
    const unsigned changed = (unsigned)(cpu->psw.mask >> 56) ^ mask;
    return !(changed & (~SYSTEM_MASK_QUIET | mask)) && !cpu->exceptions;
}

static inline void set(struct cpu *cpu, unsigned mask)
{
    cpu->psw.mask = (cpu->psw.mask & ~(UINT64_C(0xff) << 56)) | (uint64_t)mask << 56;
    cpu->taken.psw_loads++;
}

/* More interruptions are enabled by `mask`, and there is none now or before the budget is used up: it is set. */
static __attribute__((noinline)) bool enable(struct cpu *cpu, unsigned mask)
{
    const uint64_t before = cpu->psw.mask;
    if (((unsigned)(before >> 56) ^ mask) & ~SYSTEM_MASK_QUIET)
        return false;
    set(cpu, mask);
    if (LIKELY(block_quiet(cpu)))
        return true;
    cpu->psw.mask = before;
    cpu->taken.psw_loads--;
    return false;
}

uint64_t block_enable(struct cpu *cpu, uint64_t bits)
{
    const unsigned old = (unsigned)(cpu->psw.mask >> 56);
    return enable(cpu, old | (unsigned)bits) ? BLOCK_ENABLED | old : 0;
}

uint64_t block_set_mask(struct cpu *cpu, uint64_t mask) { return enable(cpu, (unsigned)mask); }

#define STORE_THEN(name, becomes)                                                                                      \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t ea = EA;                                                                                        \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        uint8_t *at = in_page(e->write, e, ea);                                                                        \
        const unsigned old = (unsigned)(cpu->psw.mask >> 56), mask = (becomes)&0xff;                                   \
        if (LIKELY(at && fewer(cpu, mask)))                                                                            \
            set(cpu, mask);                                                                                            \
        else if (!at || !enable(cpu, mask))                                                                            \
            TAIL op_redo_mode(ARGS);                                                                                   \
        *at = (uint8_t)old;                                                                                            \
        NEXT(1);                                                                                                       \
    }
STORE_THEN(stnsm, old &(unsigned)op->i)
STORE_THEN(stosm, old | (unsigned)op->i)

HANDLER(op_ssm)
{
    const uint64_t ea = EA;
    const struct tlb_entry *e = tlb_slot(tlb, ea);
    const uint8_t *at = in_page(e->read, e, ea);
    if (UNLIKELY(!at || cpu->cr[0] & CR0_SSM_SUPPRESSION))
        TAIL op_redo_mode(ARGS);
    if (LIKELY(fewer(cpu, *at)))
        set(cpu, *at);
    else if (!enable(cpu, *at))
        TAIL op_redo_mode(ARGS);
    NEXT(1);
}
