/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that move and combine fields of storage of at most 256 bytes, and MOVE PAGE. PoP chapters 7 and
   10 (SA22-7832-13).
   Access exceptions of the second operand are recognized before those of the first. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* First operand for `kind` and second operand for fetching, both of L+1 bytes. */
static inline int operands(struct cpu *cpu, const struct dis_insn *i, enum cpu_access_kind kind,
                           struct cpu_operand *first, struct cpu_operand *second)
{
    unsigned length = i->l1 + 1u;
    int code = cpu_operand(cpu, cpu_ea2(cpu, i), i->b2, length, CPU_FETCH, second);
    return code ? code : cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, kind, first);
}

/* MOVE (character): L+1 bytes, left to right one by one. CC: unchanged. Exceptions: access (fetch 2, store 1). */
int cpu_mvc(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand to, from;
    unsigned length = i->l1 + 1u;
    int code = operands(cpu, i, CPU_STORE, &to, &from);
    if (code)
        return code;
    if (LIKELY(to.first == length && from.first == length))
        cpu_move_bytes(to.part[0], from.part[0], length);
    else
        cpu_move_operand(&to, &from, length);
    return 0;
}

/* MOVE INVERSE: L+1 bytes; the second-operand address is that of its rightmost byte, which is moved first. CC:
   unchanged. Exceptions: access (fetch 2, store 1). */
int cpu_mvcin(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand to, from;
    unsigned length = i->l1 + 1u;
    int code = cpu_operand(cpu, cpu_wrap(cpu, cpu_ea2(cpu, i) - i->l1), i->b2, length, CPU_FETCH, &from);
    if (!code)
        code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_STORE, &to);
    for (unsigned n = 0; !code && n < length; n++)
        *cpu_operand_at(&to, n) = *cpu_operand_at(&from, i->l1 - n);
    return code;
}

/* MOVE RIGHT TO LEFT: bits 56-63 of general register 0 are one less than the length; right to left one by one. CC:
   unchanged. Exceptions: access (fetch 2, store 1); operation. */
int cpu_mvcrl(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand to, from;
    unsigned length = (uint8_t)cpu->gr[0] + 1u;
    int code = cpu_operand(cpu, cpu_ea2(cpu, i), i->b2, length, CPU_FETCH, &from);
    if (!code)
        code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_STORE, &to);
    for (unsigned n = length; !code && n; n--)
        *cpu_operand_at(&to, n - 1) = *cpu_operand_at(&from, n - 1);
    return code;
}

/* Replace the bits of the first operand where `mask` is one by those of the second. */
static int move_bits(struct cpu *cpu, const struct dis_insn *i, uint8_t mask)
{
    struct cpu_operand to, from;
    int code = operands(cpu, i, CPU_UPDATE, &to, &from);
    for (unsigned n = 0; !code && n <= i->l1; n++) {
        uint8_t *byte = cpu_operand_at(&to, n);
        *byte = (uint8_t)((*byte & ~mask) | (*cpu_operand_at(&from, n) & mask));
    }
    return code;
}

/* MOVE NUMERICS: the right halves of L+1 bytes. CC: unchanged. Exceptions: access (fetch 2, fetch and store 1). */
int cpu_mvn(struct cpu *cpu, const struct dis_insn *i) { return move_bits(cpu, i, 0x0f); }

/* MOVE ZONES: the left halves of L+1 bytes. CC: unchanged. Exceptions: access (fetch 2, fetch and store 1). */
int cpu_mvz(struct cpu *cpu, const struct dis_insn *i) { return move_bits(cpu, i, 0xf0); }

/* MOVE WITH OFFSET: the digits of the second operand go to the left of the rightmost digit of the first, right to left;
   zeros extend, excess is dropped. CC: unchanged. Exceptions: access (fetch 2, fetch and store 1). */
int cpu_mvo(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand to, from;
    int code = cpu_operand(cpu, cpu_ea2(cpu, i), i->b2, i->l2 + 1u, CPU_FETCH, &from);
    if (!code)
        code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, i->l1 + 1u, CPU_UPDATE, &to);
    if (code)
        return code;
    unsigned right = *cpu_operand_at(&to, i->l1) & 15; /* digit for the right half of the next result byte */
    int source = i->l2;
    for (int n = i->l1; n >= 0; n--, source--) {
        unsigned byte = source >= 0 ? *cpu_operand_at(&from, (unsigned)source) : 0;
        *cpu_operand_at(&to, (unsigned)n) = (uint8_t)(byte << 4 | right);
        right = byte >> 4;
    }
    return 0;
}

enum logical { LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR };

static inline uint64_t combine(uint64_t a, uint64_t b, enum logical what)
{
    return what == LOGICAL_AND ? a & b : what == LOGICAL_OR ? a | b : a ^ b;
}

/* Combine n bytes in place, left to right as if one by one. Yields nonzero when some result bit is one. */
static inline uint64_t combine_bytes(uint8_t *to, const uint8_t *from, unsigned n, enum logical what)
{
    uint64_t ones = 0;
    unsigned k = 0;
    if (what == LOGICAL_XOR && to == from) {
        memset(to, 0, n);
        return 0;
    }
    uintptr_t gap = (uintptr_t)to - (uintptr_t)from;
    if (gap >= 8 || !gap) /* no result byte is among the next eight bytes to be fetched */
        for (; k + 8 <= n; k += 8) {
            uint64_t a, b;
            memcpy(&a, to + k, 8);
            memcpy(&b, from + k, 8);
            a = combine(a, b, what);
            memcpy(to + k, &a, 8);
            ones |= a;
        }
    for (; k < n; k++) {
        to[k] = (uint8_t)combine(to[k], from[k], what);
        ones |= to[k];
    }
    return ones;
}

static inline int logical(struct cpu *cpu, const struct dis_insn *i, enum logical what)
{
    struct cpu_operand to, from;
    unsigned length = i->l1 + 1u;
    uint64_t ones = 0;
    int code = operands(cpu, i, CPU_UPDATE, &to, &from);
    if (code)
        return code;
    for (unsigned n = 0, run; n < length; n += run) {
        run = cpu_operand_run2(&to, &from, n, length);
        ones |= combine_bytes(cpu_operand_at(&to, n), cpu_operand_at(&from, n), run, what);
    }
    cpu->cc = ones != 0;
    return 0;
}

/* AND (character): L+1 bytes, left to right one by one. CC: 0 result zero, 1 not zero. Exceptions: access (fetch 2,
   fetch and store 1). */
int cpu_nc(struct cpu *cpu, const struct dis_insn *i) { return logical(cpu, i, LOGICAL_AND); }

/* OR (character): as AND. CC: 0 result zero, 1 not zero. Exceptions: access (fetch 2, fetch and store 1). */
int cpu_oc(struct cpu *cpu, const struct dis_insn *i) { return logical(cpu, i, LOGICAL_OR); }

/* EXCLUSIVE OR (character): as AND. CC: 0 result zero, 1 not zero. Exceptions: access (fetch 2, fetch and store 1). */
int cpu_xc(struct cpu *cpu, const struct dis_insn *i) { return logical(cpu, i, LOGICAL_XOR); }

/* Bits of general register 0 in MOVE PAGE. */
#define MVPG_RESERVED (BIT64(48) | BIT64(49) | BIT64(50) | BIT64(51))
#define MVPG_KEY1     BIT64(52)
#define MVPG_KEY2     BIT64(53)
#define MVPG_CC       BIT64(55)

/* MOVE PAGE: the page at the address in R2 goes to that at the address in R1. By bits 52 and 53 of general register 0,
   the key in bits 56-59 serves the first or the second operand instead of the PSW key. CC: 0 moved; with bit 55 one
   instead of a page-translation exception: 1 for the first operand, 2 for the second.
   Exceptions: specification (bits 48-51; both of 52 and 53); privileged operation (key); access. */
int cpu_mvpg(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t page[PAGE_SIZE_Z];
    uint64_t controls = cpu->gr[0];
    uint8_t key = (uint8_t)field64(controls, 56, 59);
    if ((controls & MVPG_RESERVED) || ((controls & MVPG_KEY1) && (controls & MVPG_KEY2)))
        return PIC_SPECIFICATION;
    if ((controls & (MVPG_KEY1 | MVPG_KEY2)) && key && cpu_facility(cpu->sys, FACILITY_STORAGE_KEY_REMOVAL))
        return PIC_SPECIAL_OPERATION;
    if ((controls & (MVPG_KEY1 | MVPG_KEY2)) && cpu_problem_state(cpu) && !(cpu->cr[3] & BIT64(CR3_KEY_MASK_BIT + key)))
        return PIC_PRIVILEGED_OPERATION;
    struct cpu_access to = {.address = cpu_gr_address(cpu, i->r1) & PAGE_ADDRESS,
                            .ar = i->r1,
                            .key = controls & MVPG_KEY1 ? key : (uint8_t)cpu_key(cpu),
                            .kind = CPU_STORE};
    struct cpu_access from = {.address = cpu_gr_address(cpu, i->r2) & PAGE_ADDRESS,
                              .ar = i->r2,
                              .key = controls & MVPG_KEY2 ? key : (uint8_t)cpu_key(cpu),
                              .kind = CPU_FETCH};
    unsigned cc = 2;
    int code = cpu_fetch_as(cpu, &from, page, sizeof page);
    if (!code) {
        cc = 1;
        code = cpu_store_as(cpu, &to, page, sizeof page);
    }
    if (code == PIC_PAGE_TRANSLATION && (controls & MVPG_CC)) {
        cpu->cc = (uint8_t)cc;
        return 0;
    }
    if (code == PIC_PAGE_TRANSLATION)
        cpu->operand_access_id = (uint8_t)(i->r1 << 4 | i->r2);
    if (!code)
        cpu->cc = 0;
    return code;
}
