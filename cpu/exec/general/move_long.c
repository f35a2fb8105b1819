/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that move and compare long fields of storage. PoP chapter 7 (SA22-7832-13).
   In the 24- and 31-bit addressing modes, bits of address registers that are not part of the address but may be changed
   (32-39 or 32) are set to zeros. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* What is left of two operands. An operand whose length is zero goes on as padding. */
struct pair {
    uint64_t address1, length1, address2, length2;
    uint8_t ar1, ar2;
    uint8_t unit; /* bytes of a character: 1 or 2 */
    uint16_t pad; /* padding character */
};

static uint8_t cc_of_lengths(const struct pair *p)
{
    return p->length1 < p->length2 ? 1 : p->length1 > p->length2 ? 2 : 0;
}

static void advance1(const struct cpu *cpu, struct pair *p, unsigned n)
{
    p->address1 = cpu_wrap(cpu, p->address1 + n);
    p->length1 -= n;
}

static void advance2(const struct cpu *cpu, struct pair *p, unsigned n)
{
    p->address2 = cpu_wrap(cpu, p->address2 + n);
    p->length2 -= n;
}

/* Move at most `amount` bytes into the first operand. Returns 0 or the code of the first character not accessible;
 * before it, all is moved and *p updated. */
static int move_pair(struct cpu *cpu, struct pair *p, unsigned amount)
{
    struct cpu_operand to, from;
    while (p->length1 && amount) {
        unsigned n = (unsigned)cpu_least(cpu_least(p->length1, amount), PAGE_SIZE_Z);
        if (p->length2) {
            n = (unsigned)cpu_least(n, p->length2);
            int code = cpu_operand_reach(cpu, p->address2, p->ar2, CPU_FETCH, p->unit, p->unit, n, &from, &n);
            if (code)
                return code;
        }
        int code = cpu_operand_reach(cpu, p->address1, p->ar1, CPU_STORE, p->unit, p->unit, n, &to, &n);
        if (code)
            return code;
        if (p->length2) {
            /* A page was reached by both, or only a part of what `from` holds is used: the pieces still agree. */
            cpu_move_operand(&to, &from, n);
            advance2(cpu, p, n);
        } else {
            cpu_fill_operand(&to, n, p->pad, p->unit);
        }
        advance1(cpu, p, n);
        cpu_work(cpu, n / CPU_WORK_MOVE);
        amount -= n;
    }
    return 0;
}

/* Offset of the first byte that differs, or n. */
static unsigned mismatch(const uint8_t *a, const uint8_t *b, unsigned n)
{
    unsigned k = 0;
    for (; k + 8 <= n; k += 8) {
        uint64_t difference = get64(a + k) ^ get64(b + k);
        if (difference)
            return k + (unsigned)__builtin_clzll(difference) / 8;
    }
    while (k < n && a[k] == b[k])
        k++;
    return k;
}

/* Offset of the first byte that differs from the padding character, or n. `at` bytes of the operand come before. */
static unsigned mismatch_pad(const uint8_t *a, const struct pair *p, unsigned at, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        uint8_t pad = (uint8_t)(p->unit == 2 && !((at + k) & 1) ? p->pad >> 8 : p->pad);
        if (a[k] != pad)
            return k;
    }
    return n;
}

/* Bytes from the beginning that are equal in both operands, of n; an absent operand is padding. */
static unsigned equal_bytes(const struct pair *p, const struct cpu_operand *a, const struct cpu_operand *b, unsigned n)
{
    for (unsigned k = 0, run, equal; k < n; k += run) {
        if (a && b) {
            run = cpu_operand_run2(a, b, k, n);
            equal = mismatch(cpu_operand_at(a, k), cpu_operand_at(b, k), run);
        } else {
            run = cpu_operand_run(a ? a : b, k, n);
            equal = mismatch_pad(cpu_operand_at(a ? a : b, k), p, k, run);
        }
        if (equal < run)
            return k + equal;
    }
    return n;
}

static int character(const struct pair *p, const struct cpu_operand *operand, unsigned n)
{
    if (!operand)
        return p->pad;
    return p->unit == 1 ? *cpu_operand_at(operand, n)
                        : *cpu_operand_at(operand, n) << 8 | *cpu_operand_at(operand, n + 1);
}

/* Compare at most `amount` bytes. *p advances to the first unequal characters, or as far as was compared; *cc becomes
   0, 1 or 2. Returns 0, or the code of the first character not accessible. */
static int compare_pair(struct cpu *cpu, struct pair *p, unsigned amount, uint8_t *cc)
{
    struct cpu_operand first, second;
    *cc = 0;
    while ((p->length1 || p->length2) && amount) {
        unsigned n = (unsigned)cpu_least(amount, PAGE_SIZE_Z);
        int code = 0;
        if (p->length1) {
            n = (unsigned)cpu_least(n, p->length1);
            code = cpu_operand_reach(cpu, p->address1, p->ar1, CPU_FETCH, p->unit, p->unit, n, &first, &n);
        }
        if (!code && p->length2) {
            n = (unsigned)cpu_least(n, p->length2);
            code = cpu_operand_reach(cpu, p->address2, p->ar2, CPU_FETCH, p->unit, p->unit, n, &second, &n);
        }
        if (code)
            return code;
        const struct cpu_operand *a = p->length1 ? &first : NULL, *b = p->length2 ? &second : NULL;
        unsigned equal = equal_bytes(p, a, b, n) & ~(p->unit - 1u);
        cpu_work(cpu, equal / CPU_WORK_MOVE);
        if (equal < n)
            *cc = character(p, a, equal) < character(p, b, equal) ? 1 : 2;
        if (a)
            advance1(cpu, p, equal);
        if (b)
            advance2(cpu, p, equal);
        if (*cc)
            return 0;
        amount -= n;
    }
    return 0;
}

/* MVCL and CLCL: 24-bit lengths in bits 40-63 of R1+1 and R2+1, padding byte in bits 32-39 of R2+1. */
static struct pair pair_24(const struct cpu *cpu, const struct dis_insn *i)
{
    return (struct pair){.address1 = cpu_gr_address(cpu, i->r1),
                         .length1 = gr32(cpu, i->r1 + 1u) & 0xffffff,
                         .address2 = cpu_gr_address(cpu, i->r2),
                         .length2 = gr32(cpu, i->r2 + 1u) & 0xffffff,
                         .ar1 = i->r1,
                         .ar2 = i->r2,
                         .unit = 1,
                         .pad = (uint16_t)(gr32(cpu, i->r2 + 1u) >> 24)};
}

static void set_pair_24(struct cpu *cpu, const struct dis_insn *i, const struct pair *p)
{
    set_gr_address(cpu, i->r1, p->address1);
    set_gr32(cpu, i->r1 + 1u, (gr32(cpu, i->r1 + 1u) & 0xff000000) | (uint32_t)p->length1);
    set_gr_address(cpu, i->r2, p->address2);
    set_gr32(cpu, i->r2 + 1u, (gr32(cpu, i->r2 + 1u) & 0xff000000) | (uint32_t)p->length2);
}

/* The extended forms: lengths in R1+1 and R3+1, the padding character is the right end of the second-operand address,
   which designates no storage. */
static struct pair pair_extended(const struct cpu *cpu, const struct dis_insn *i, uint8_t unit)
{
    uint64_t pad = (i->b2 ? cpu->gr[i->b2] : 0) + (uint64_t)(int64_t)i->d2;
    return (struct pair){.address1 = cpu_gr_address(cpu, i->r1),
                         .length1 = cpu_gr_length(cpu, i->r1 + 1u),
                         .address2 = cpu_gr_address(cpu, i->r3),
                         .length2 = cpu_gr_length(cpu, i->r3 + 1u),
                         .ar1 = i->r1,
                         .ar2 = i->r3,
                         .unit = unit,
                         .pad = (uint16_t)(unit == 1 ? pad & 0xff : pad & 0xffff)};
}

static void set_pair_extended(struct cpu *cpu, const struct dis_insn *i, const struct pair *p)
{
    set_gr_address(cpu, i->r1, p->address1);
    set_gr_address(cpu, i->r1 + 1u, p->length1);
    set_gr_address(cpu, i->r3, p->address2);
    set_gr_address(cpu, i->r3 + 1u, p->length2);
}

/* Would MOVE LONG fetch a byte from the second operand into which it had stored before? */
static bool destructive(const struct cpu *cpu, const struct pair *p)
{
    uint64_t distance = cpu_wrap(cpu, p->address1 - p->address2);
    bool same_space = field64(cpu->psw.mask, 16, 17) != AS_ACCESS_REGISTER || !(cpu->psw.mask & PSW_DAT) ||
                      cpu->ar[p->ar1] == cpu->ar[p->ar2];
    return same_space && distance && distance < cpu_least(p->length1, p->length2);
}

/* MOVE LONG: the second operand, extended with the padding byte, goes to the first. CC by the lengths: 0 equal, 1 first
   shorter, 2 first longer; 3 destructive overlap, nothing moved. Interruptible.
   Exceptions: specification (R1 or R2 odd); access (fetch 2, store 1). */
int cpu_mvcl(struct cpu *cpu, const struct dis_insn *i)
{
    struct pair p = pair_24(cpu, i);
    uint8_t cc = destructive(cpu, &p) ? 3 : cc_of_lengths(&p);
    int code = 0;
    if (cc != 3)
        code = move_pair(cpu, &p, CPU_UNIT_AMOUNT);
    set_pair_24(cpu, i, &p);
    if (code)
        return code;
    if (cc != 3 && p.length1)
        return CPU_PARTIAL;
    cpu->cc = cc;
    return 0;
}

/* COMPARE LOGICAL LONG: left to right, the shorter operand extended with the padding byte. CC: 0 equal, 1 first low, 2
   first high; then the addresses are those of the unequal bytes. Interruptible.
   Exceptions: specification (R1 or R2 odd); access (fetch 1 and 2). */
int cpu_clcl(struct cpu *cpu, const struct dis_insn *i)
{
    struct pair p = pair_24(cpu, i);
    uint8_t cc;
    int code = compare_pair(cpu, &p, CPU_UNIT_AMOUNT, &cc);
    set_pair_24(cpu, i, &p);
    if (code)
        return code;
    if (!cc && (p.length1 || p.length2))
        return CPU_PARTIAL;
    cpu->cc = cc;
    return 0;
}

/* MVCLE and MVCLU. What comes before an exception is left moved, with condition code 3. */
static int move_extended(struct cpu *cpu, const struct dis_insn *i, uint8_t unit)
{
    struct pair p = pair_extended(cpu, i, unit);
    if ((p.length1 | p.length2) & (unit - 1u))
        return PIC_SPECIFICATION;
    uint64_t before = p.length1;
    uint8_t cc = cc_of_lengths(&p);
    int code = move_pair(cpu, &p, CPU_CC3_AMOUNT);
    if (code && p.length1 == before)
        return code;
    set_pair_extended(cpu, i, &p);
    cpu->cc = p.length1 ? 3 : cc;
    return 0;
}

/* MOVE LONG EXTENDED: as MOVE LONG, lengths of 32 or 64 bits, overlap not looked at. CC by the lengths: 0 equal, 1
   first shorter, 2 first longer; 3 not finished. Exceptions: specification (R1 or R3 odd); access (fetch 3, store
   1). */
int cpu_mvcle(struct cpu *cpu, const struct dis_insn *i) { return move_extended(cpu, i, 1); }

/* MOVE LONG UNICODE: as MOVE LONG EXTENDED with two-byte characters. CC: as there. Exceptions: specification (R1 or R3
   odd, odd length); access (fetch 3, store 1); operation. */
int cpu_mvclu(struct cpu *cpu, const struct dis_insn *i) { return move_extended(cpu, i, 2); }

/* CLCLE and CLCLU. */
static int compare_extended(struct cpu *cpu, const struct dis_insn *i, uint8_t unit)
{
    struct pair p = pair_extended(cpu, i, unit);
    if ((p.length1 | p.length2) & (unit - 1u))
        return PIC_SPECIFICATION;
    uint64_t before = p.length1 + p.length2;
    uint8_t cc;
    int code = compare_pair(cpu, &p, CPU_CC3_AMOUNT, &cc);
    if (code && p.length1 + p.length2 == before)
        return code;
    set_pair_extended(cpu, i, &p);
    cpu->cc = cc ? cc : p.length1 || p.length2 ? 3 : 0;
    return 0;
}

/* COMPARE LOGICAL LONG EXTENDED: as COMPARE LOGICAL LONG, lengths of 32 or 64 bits. CC: 0 equal, 1 first low, 2 first
   high, 3 equal so far. Exceptions: specification (R1 or R3 odd); access (fetch 1 and 3). */
int cpu_clcle(struct cpu *cpu, const struct dis_insn *i) { return compare_extended(cpu, i, 1); }

/* COMPARE LOGICAL LONG UNICODE: as COMPARE LOGICAL LONG EXTENDED with two-byte characters. CC: as there. Exceptions:
   specification (R1 or R3 odd, odd length); access (fetch 1 and 3); operation. */
int cpu_clclu(struct cpu *cpu, const struct dis_insn *i) { return compare_extended(cpu, i, 2); }
