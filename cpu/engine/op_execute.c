/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: EX and EXRL. Their targets are nearly always short storage-to-storage instructions
   whose length is in a register: those are carried out here, decoded by hand; all others by the bodies. PoP chapter
   7. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/tuning.h"
#include "cpu/storage/access.h"

/* Host address of [address, address+n) for an access that needs no further look; NULL otherwise. */
static inline uint8_t *fetched(const struct tlb *tlb, uint64_t address, unsigned n)
{
    const struct tlb_entry *e = &tlb->entry[(address >> PAGE_BITS) % TLB_ENTRIES];
    return e->read == ((address + n - 1) & PAGE_ADDRESS) ? (uint8_t *)(address + e->host) : NULL;
}
static inline uint8_t *stored(const struct tlb *tlb, uint64_t address, unsigned n)
{
    const struct tlb_entry *e = &tlb->entry[(address >> PAGE_BITS) % TLB_ENTRIES];
    return e->write == ((address + n - 1) & PAGE_ADDRESS) ? (uint8_t *)(address + e->host) : NULL;
}

/* Base and displacement in the halfword at `p`, 64-bit mode. */
static inline uint64_t address_at(const struct cpu *cpu, const uint8_t *p)
{
    unsigned base = p[0] >> 4;
    return (base ? cpu->gr[base] : 0) + (p[0] & 0xfu) * 256 + p[1];
}

__attribute__((noinline)) uint64_t block_target(struct cpu *cpu, uint64_t cc, uint64_t address, uint64_t r1)
{
    const uint8_t *insn = address & 1 ? NULL : fetched(cpu->fetch_tlb, address, 6);
    if (!insn || (insn[0] != 0xd2 && insn[0] != 0xd5 && insn[0] != 0xd7))
        return UINT64_MAX;
    unsigned n = (insn[1] | (r1 ? (uint8_t)cpu->gr[r1] : 0)) + 1u;
    uint64_t first = address_at(cpu, insn + 2), second = address_at(cpu, insn + 4);
    uint8_t *from = fetched(cpu->tlb, second, n);
    uint8_t *to = insn[0] == 0xd5 ? fetched(cpu->tlb, first, n) : stored(cpu->tlb, first, n);
    if (!from || !to)
        return UINT64_MAX;
    if (insn[0] == 0xd5) {
        int order = memcmp(to, from, n);
        return order == 0 ? 0u : order < 0 ? 1u : 2u;
    }
    if (insn[0] == 0xd7) {
        if (to != from)
            return UINT64_MAX;
        memset(to, 0, n);
        return 0;
    }
    if ((uintptr_t)to - (uintptr_t)from < n)
        return UINT64_MAX;
    memmove(to, from, n);
    return cc;
}

#define BY_REGISTERS                                                                                                   \
    (op->r2 < 16 ? cpu->gr[op->r2] : 0) + (op->r3 < 16 ? cpu->gr[op->r3] : 0) + (uint64_t)(int64_t)op->d
#define RELATIVE op_ia(op) + (uint64_t)op->insn->i2

/* Of a program that is profiled: does its unit know this place for ordinary targets? That is asked anew when it has
   learned of targets, and in another space. */
struct known {
    uint64_t targets;
    uint32_t space;
};
_Static_assert(sizeof(struct known) <= sizeof(struct op), "what is known takes one operation");
static bool is_known(struct cpu *cpu, struct op *op)
{
    const struct cpu_edges *e = cpu->edges;
    struct known *known = (struct known *)(void *)(op + 1);
    struct ep_place place = e->next;
    if (LIKELY(known->targets == e->targets + 1 && known->space == place.space))
        return true;
    place.address = op_ia(op);
    if (!ep_unit_executes_ordinary(e->unit, place))
        return false;
    *known = (struct known){e->targets + 1, place.space};
    return true;
}

uint64_t block_target_known(struct cpu *cpu, uint64_t cc, uint64_t address, uint64_t operation)
{
    struct op *op = (struct op *)(uintptr_t)operation;
    return is_known(cpu, op) ? block_target(cpu, cc, address, op->r1) : UINT64_MAX;
}

/* `may`: the target may be carried out here; `places`: operations that it takes. */
#define EXECUTE(name, address, may, places)                                                                            \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        unsigned cc = cc_value(op_kind(op, kind), a, b);                                                               \
        int64_t after = (may) ? (int64_t)block_target(cpu, cc, (address), op->r1) : -1;                                \
        if (UNLIKELY(after < 0)) {                                                                                     \
            cpu->cc = (uint8_t)cc;                                                                                     \
            TAIL op_executed(ARGS);                                                                                    \
        }                                                                                                              \
        cpu->budget += BLOCK_TARGET_CYCLES;                                                                            \
        a = (uint64_t)after;                                                                                           \
        kind = KIND_CC;                                                                                                \
        tlb = cpu->tlb;                                                                                                \
        NEXT(places);                                                                                                  \
    }
EXECUTE(ex, BY_REGISTERS, true, 1)
EXECUTE(exrl, RELATIVE, true, 1)
EXECUTE(ex_known, BY_REGISTERS, is_known(cpu, op), 2)
EXECUTE(exrl_known, RELATIVE, is_known(cpu, op), 2)
