/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage operands of storage-to-storage instructions as host memory, and the registers that hold their addresses and
   lengths. Shared by the bodies of instructions. */
#ifndef ZRI_CPU_STORAGE_OPERAND_H
#define ZRI_CPU_STORAGE_OPERAND_H

#include "cpu/storage/access.h"

/* What an instruction that may end with condition code 3 processes in one execution, in bytes; and what an
   interruptible one does before it looks at interruptions. They depend on nothing but the guest's registers. */
enum { CPU_CC3_AMOUNT = 4096, CPU_UNIT_AMOUNT = 65536 };

/* Fewest bytes that the string instructions process before they may end with condition code 3. */
enum { CPU_CC3_LEAST = 256 };

/* A storage operand of 1-4096 bytes: in one piece, or in two when it crosses a page. */
struct cpu_operand {
    uint8_t *part[2];
    unsigned first; /* bytes in part[0]; the length of the operand when there is one piece */
};

/* Slow path of cpu_operand(). */
int cpu_operand_slow(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length, enum cpu_access_kind kind,
                     struct cpu_operand *operand) MUST_USE;

/* Make [address, address+length) accessible, length 1-4096. All access exceptions are recognized before anything
   happens. For CPU_STORE and CPU_UPDATE the caller stores at once into all of it. Returns 0 or a code. */
static inline int MUST_USE cpu_operand(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length,
                                       enum cpu_access_kind kind, struct cpu_operand *operand)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    uint64_t tag = kind == CPU_FETCH ? e->read : e->write;
    if (LIKELY(tag == (address & PAGE_ADDRESS) && length <= cpu_page_left(address))) {
        operand->part[0] = (uint8_t *)(address + e->host);
        operand->first = length;
        return 0;
    }
    return cpu_operand_slow(cpu, address, ar, length, kind, operand);
}

/* As much of [address, address+want) as can be had, want 1-4096 and a multiple of `unit`: all of it, or else what lies
   in the first page, rounded down to a multiple of `unit`, when that is at least `least` bytes. *got receives it.
   Returns 0, or the code of the first unit that is not accessible. */
int cpu_operand_reach(struct cpu *cpu, uint64_t address, unsigned ar, enum cpu_access_kind kind, unsigned unit,
                      unsigned least, unsigned want, struct cpu_operand *operand, unsigned *got) MUST_USE;

/* Host address of byte n of the operand. */
static inline uint8_t *cpu_operand_at(const struct cpu_operand *operand, unsigned n)
{
    return n < operand->first ? operand->part[0] + n : operand->part[1] + (n - operand->first);
}

/* Bytes from byte n on that are in one piece, at most up to `length`. */
static inline unsigned cpu_operand_run(const struct cpu_operand *operand, unsigned n, unsigned length)
{
    return (n < operand->first && operand->first < length ? operand->first : length) - n;
}

/* Bytes from byte n on that are in one piece in both operands. */
static inline unsigned cpu_operand_run2(const struct cpu_operand *a, const struct cpu_operand *b, unsigned n,
                                        unsigned length)
{
    unsigned i = cpu_operand_run(a, n, length), j = cpu_operand_run(b, n, length);
    return i < j ? i : j;
}

/* Move n bytes from left to right as if one by one: an overlap repeats the bytes. */
void cpu_move_bytes(uint8_t *to, const uint8_t *from, unsigned n);
/* The same between operands. */
void cpu_move_operand(const struct cpu_operand *to, const struct cpu_operand *from, unsigned length);
/* Fill an operand with a character of `unit` (1 or 2) bytes. */
void cpu_fill_operand(const struct cpu_operand *to, unsigned length, uint16_t pad, unsigned unit);

/* The address in a register, wrapped to the addressing mode. */
static inline uint64_t cpu_gr_address(const struct cpu *cpu, unsigned r) { return cpu->gr[r] & cpu->address_mask; }

/* A length or count in a register: 64 bits in the 64-bit mode, else bits 32-63. It is put back by set_gr_address(). */
static inline uint64_t cpu_gr_length(const struct cpu *cpu, unsigned r)
{
    return cpu->psw.mask & PSW_EA ? cpu->gr[r] : gr32(cpu, r);
}

static inline uint64_t cpu_wrap(const struct cpu *cpu, uint64_t address) { return address & cpu->address_mask; }

static inline uint64_t cpu_least(uint64_t a, uint64_t b) { return a < b ? a : b; }

#endif
