/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions with interlocked or block-concurrent access. PoP chapter 7 (SA22-7832-13).
   They use host atomics on the operand's big-endian form, so that CPUs may run in host threads. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* 16 bytes in storage order. */
struct quad {
    uint8_t bytes[16];
};

/* Replace 16 bytes at `at` (aligned) by *replacement when they equal *expected, else fetch them into *expected. */
static bool swap_16(void *at, struct quad *expected, const struct quad *replacement)
{
#if defined(__x86_64__)
    uint64_t low, high, new_low, new_high;
    bool same;
    memcpy(&low, expected->bytes, 8);
    memcpy(&high, expected->bytes + 8, 8);
    memcpy(&new_low, replacement->bytes, 8);
    memcpy(&new_high, replacement->bytes + 8, 8);
    __asm__ __volatile__("lock cmpxchg16b %1"
                         : "=@cce"(same), "+m"(*(struct quad *)at), "+a"(low), "+d"(high)
                         : "b"(new_low), "c"(new_high)
                         : "memory");
    memcpy(expected->bytes, &low, 8);
    memcpy(expected->bytes + 8, &high, 8);
    return same;
#else
    unsigned __int128 old, new;
    memcpy(&old, expected->bytes, 16);
    memcpy(&new, replacement->bytes, 16);
    bool same =
        __atomic_compare_exchange_n((unsigned __int128 *)at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    memcpy(expected->bytes, &old, 16);
    return same;
#endif
}

static bool swap_4(void *at, uint32_t *expected, uint32_t replacement)
{
    uint32_t old = BE32(*expected);
    bool same =
        __atomic_compare_exchange_n((uint32_t *)at, &old, BE32(replacement), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *expected = BE32(old);
    return same;
}

static bool swap_8(void *at, uint64_t *expected, uint64_t replacement)
{
    uint64_t old = BE64(*expected);
    bool same =
        __atomic_compare_exchange_n((uint64_t *)at, &old, BE64(replacement), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *expected = BE64(old);
    return same;
}

/* Address of the second operand for updating, which must be on a boundary of its n bytes. */
static int interlocked_operand(struct cpu *cpu, const struct dis_insn *i, unsigned n, void **at)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & (n - 1) ? PIC_SPECIFICATION : cpu_interlocked(cpu, address, i->b2, n, at);
}

/* COMPARE AND SWAP (32): bits 32-63 of R3 replace the word when it equals those of R1, else it goes to R1. CC: 0 equal,
   1 unequal. Exceptions: specification (word boundary); access (fetch and store 2). */
int cpu_cs(struct cpu *cpu, const struct dis_insn *i)
{
    void *at;
    uint32_t value = gr32(cpu, i->r1);
    int code = interlocked_operand(cpu, i, 4, &at);
    if (code)
        return code;
    cpu->cc = !swap_4(at, &value, gr32(cpu, i->r3));
    if (cpu->cc)
        set_gr32(cpu, i->r1, value);
    return 0;
}
int cpu_csy(struct cpu *cpu, const struct dis_insn *i) { return cpu_cs(cpu, i); }

/* COMPARE AND SWAP (64): as COMPARE AND SWAP (32). CC: 0 equal, 1 unequal. Exceptions: specification (doubleword
   boundary); access (fetch and store 2). */
int cpu_csg(struct cpu *cpu, const struct dis_insn *i)
{
    void *at;
    uint64_t value = cpu->gr[i->r1];
    int code = interlocked_operand(cpu, i, 8, &at);
    if (code)
        return code;
    cpu->cc = !swap_8(at, &value, cpu->gr[i->r3]);
    if (cpu->cc)
        cpu->gr[i->r1] = value;
    return 0;
}

/* COMPARE DOUBLE AND SWAP (32): bits 32-63 of the pairs at R1 and R3 with a doubleword. CC: 0 equal, 1 unequal.
   Exceptions: specification (R1 or R3 odd, doubleword boundary); access (fetch and store 2). */
int cpu_cds(struct cpu *cpu, const struct dis_insn *i)
{
    void *at;
    uint64_t value = (uint64_t)gr32(cpu, i->r1) << 32 | gr32(cpu, i->r1 + 1u);
    int code = interlocked_operand(cpu, i, 8, &at);
    if (code)
        return code;
    cpu->cc = !swap_8(at, &value, (uint64_t)gr32(cpu, i->r3) << 32 | gr32(cpu, i->r3 + 1u));
    if (cpu->cc) {
        set_gr32(cpu, i->r1, (uint32_t)(value >> 32));
        set_gr32(cpu, i->r1 + 1u, (uint32_t)value);
    }
    return 0;
}
int cpu_cdsy(struct cpu *cpu, const struct dis_insn *i) { return cpu_cds(cpu, i); }

static struct quad quad_of(const struct cpu *cpu, unsigned r)
{
    struct quad q;
    put64(q.bytes, cpu->gr[r]);
    put64(q.bytes + 8, cpu->gr[r + 1]);
    return q;
}

static void set_quad(struct cpu *cpu, unsigned r, const struct quad *q)
{
    cpu->gr[r] = get64(q->bytes);
    cpu->gr[r + 1] = get64(q->bytes + 8);
}

/* COMPARE DOUBLE AND SWAP (64): the pairs at R1 and R3 with a quadword. CC: 0 equal, 1 unequal. Exceptions:
   specification (R1 or R3 odd, quadword boundary); access (fetch and store 2). */
int cpu_cdsg(struct cpu *cpu, const struct dis_insn *i)
{
    void *at;
    struct quad value = quad_of(cpu, i->r1), replacement = quad_of(cpu, i->r3);
    int code = interlocked_operand(cpu, i, 16, &at);
    if (code)
        return code;
    cpu->cc = !swap_16(at, &value, &replacement);
    if (cpu->cc)
        set_quad(cpu, i->r1, &value);
    return 0;
}

/* The compare-and-swap part of CSST for `size` 4, 8 or 16: comparison value in R3, replacement in storage order. */
static bool swap_register(struct cpu *cpu, unsigned r3, unsigned size, void *at, const struct quad *replacement)
{
    bool same;
    if (size == 4) {
        uint32_t value = gr32(cpu, r3);
        same = swap_4(at, &value, get32(replacement->bytes));
        set_gr32(cpu, r3, value);
    } else if (size == 8) {
        same = swap_8(at, &cpu->gr[r3], get64(replacement->bytes));
    } else {
        struct quad value = quad_of(cpu, r3);
        same = swap_16(at, &value, replacement);
        set_quad(cpu, r3, &value);
    }
    return same;
}

/* COMPARE AND SWAP AND STORE: bits 56-63 of general register 0 (0-2) give the size 4, 8 or 16 of the first operand and
   the comparison value in R3, bits 48-55 (0-4) the size 1, 2, 4, 8 or 16 of the second operand. The parameter list at
   general register 1 (bits 0-59) has the replacement value and, 16 bytes on, the store value. CC: 0 equal, both stored;
   1 unequal, the first operand goes to R3. Exceptions: operation; specification (codes, boundaries, R3 odd with 16
   bytes); access. */
int cpu_csst(struct cpu *cpu, const struct dis_insn *i)
{
    bool two = cpu_facility(cpu->sys, FACILITY_CSST2);
    unsigned function = (uint8_t)cpu->gr[0], characteristic = (uint8_t)(cpu->gr[0] >> 8);
    uint64_t address1 = cpu_ea1(cpu, i), address2 = cpu_ea2(cpu, i);
    uint64_t list = cpu_gr_address(cpu, 1) & ~UINT64_C(15);
    struct quad replacement, store;
    void *at;
    if (function > (two ? 2u : 1u) || characteristic > (two ? 4u : 3u) || (function == 2 && (i->r3 & 1)))
        return PIC_SPECIFICATION;
    unsigned size1 = 4u << function, size2 = 1u << characteristic;
    if ((address1 & (size1 - 1)) || (address2 & (size2 - 1)))
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, list, 1, replacement.bytes, size1);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_wrap(cpu, list + 16), 1, store.bytes, size2);
    if (!code)
        code = cpu_test(cpu, address2, i->b2, size2, CPU_STORE);
    if (!code)
        code = cpu_interlocked(cpu, address1, i->b1, size1, &at);
    if (code)
        return code;
    cpu->cc = !swap_register(cpu, i->r3, size1, at, &replacement);
    return cpu->cc ? 0 : cpu_store_bytes(cpu, address2, i->b2, store.bytes, size2);
}

enum update { UPDATE_ADD, UPDATE_ADD_LOGICAL, UPDATE_AND, UPDATE_XOR, UPDATE_OR };

static uint64_t updated(uint64_t old, uint64_t value, enum update what)
{
    switch (what) {
    case UPDATE_AND:
        return old & value;
    case UPDATE_XOR:
        return old ^ value;
    case UPDATE_OR:
        return old | value;
    default:
        return old + value;
    }
}

/* Condition code of the update of `old` by `value` to `result`, left-aligned in 64 bits. */
static uint8_t update_cc(uint64_t old, uint64_t value, uint64_t result, enum update what)
{
    if (what == UPDATE_ADD_LOGICAL)
        return (uint8_t)((result != 0) | (result < old) << 1);
    if (what != UPDATE_ADD)
        return result != 0;
    if ((int64_t)(~(old ^ value) & (old ^ result)) < 0)
        return 3;
    return (int64_t)result < 0 ? 1 : result ? 2 : 0;
}

/* The old value of the second operand goes to R1, its sum or combination with R3 into storage. */
static int load_and_update(struct cpu *cpu, const struct dis_insn *i, unsigned size, enum update what)
{
    void *at;
    uint64_t old, value, result;
    int code = interlocked_operand(cpu, i, size, &at);
    if (code)
        return code;
    if (size == 4) {
        uint32_t word = get32(at);
        do
            result = (uint32_t)updated(word, gr32(cpu, i->r3), what);
        while (!swap_4(at, &word, (uint32_t)result));
        old = (uint64_t)word << 32;
        value = (uint64_t)gr32(cpu, i->r3) << 32;
        result <<= 32;
        set_gr32(cpu, i->r1, word);
    } else {
        old = get64(at);
        value = cpu->gr[i->r3];
        do
            result = updated(old, value, what);
        while (!swap_8(at, &old, result));
        cpu->gr[i->r1] = old;
    }
    cpu->cc = update_cc(old, value, result, what);
    return what == UPDATE_ADD && cpu->cc == 3 && (cpu->psw.mask & PSW_PM_FIXED_POINT_OVERFLOW)
               ? PIC_FIXED_POINT_OVERFLOW
               : 0;
}

/* LOAD AND ADD: R1 receives the second operand, which becomes its sum with R3. CC: 0 zero, 1 negative, 2 positive, 3
   overflow. Exceptions: operation; specification (boundary of the operand's size); access (fetch and store 2);
   fixed-point overflow. */
int cpu_laa(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 4, UPDATE_ADD); }
int cpu_laag(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 8, UPDATE_ADD); }

/* LOAD AND ADD LOGICAL: as LOAD AND ADD. CC: 0 zero, 1 not zero, 2 zero and carry, 3 not zero and carry. Exceptions:
   operation; specification (boundary); access (fetch and store 2). */
int cpu_laal(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 4, UPDATE_ADD_LOGICAL); }
int cpu_laalg(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 8, UPDATE_ADD_LOGICAL); }

/* LOAD AND AND, LOAD AND EXCLUSIVE OR, LOAD AND OR: R1 receives the second operand, which is combined with R3. CC: 0
   result zero, 1 not zero. Exceptions: operation; specification (boundary); access (fetch and store 2). */
int cpu_lan(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 4, UPDATE_AND); }
int cpu_lang(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 8, UPDATE_AND); }
int cpu_lax(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 4, UPDATE_XOR); }
int cpu_laxg(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 8, UPDATE_XOR); }
int cpu_lao(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 4, UPDATE_OR); }
int cpu_laog(struct cpu *cpu, const struct dis_insn *i) { return load_and_update(cpu, i, 8, UPDATE_OR); }

/* LOAD PAIR DISJOINT (32): the words at the first and second operand go to R3 and R3+1. CC: 0 as if fetched at one
   time, 3 not. Exceptions: operation; specification (R3 odd, word boundaries); access (fetch 1 and 2). */
int cpu_lpd(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address1 = cpu_ea1(cpu, i), address2 = cpu_ea2(cpu, i);
    uint32_t first, second, again;
    if ((address1 | address2) & 3)
        return PIC_SPECIFICATION;
    int code = cpu_fetch4(cpu, address1, i->b1, &first);
    if (!code)
        code = cpu_fetch4(cpu, address2, i->b2, &second);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!code)
        code = cpu_fetch4(cpu, address1, i->b1, &again);
    if (code)
        return code;
    set_gr32(cpu, i->r3, first);
    set_gr32(cpu, i->r3 + 1u, second);
    cpu->cc = first == again ? 0 : 3;
    return 0;
}

/* LOAD PAIR DISJOINT (64): as the former with doublewords. CC: as there. Exceptions: operation; specification (R3 odd,
   doubleword boundaries); access (fetch 1 and 2). */
int cpu_lpdg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address1 = cpu_ea1(cpu, i), address2 = cpu_ea2(cpu, i), first, second, again;
    if ((address1 | address2) & 7)
        return PIC_SPECIFICATION;
    int code = cpu_fetch8(cpu, address1, i->b1, &first);
    if (!code)
        code = cpu_fetch8(cpu, address2, i->b2, &second);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!code)
        code = cpu_fetch8(cpu, address1, i->b1, &again);
    if (code)
        return code;
    cpu->gr[i->r3] = first;
    cpu->gr[i->r3 + 1u] = second;
    cpu->cc = first == again ? 0 : 3;
    return 0;
}

/* Vector of 16 bytes: hosts move one that is aligned at one time. */
typedef uint64_t host_quad __attribute__((vector_size(16), may_alias));

/* LOAD PAIR FROM QUADWORD: to R1 and R1+1. CC: unchanged. Exceptions: specification (R1 odd, quadword boundary); access
   (fetch 2). */
int cpu_lpq(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    struct cpu_operand operand;
    if (address & 15)
        return PIC_SPECIFICATION;
    int code = cpu_operand(cpu, address, i->b2, 16, CPU_FETCH, &operand);
    if (code)
        return code;
    host_quad value = *(volatile host_quad *)(void *)operand.part[0];
    cpu->gr[i->r1] = BE64(value[0]);
    cpu->gr[i->r1 + 1u] = BE64(value[1]);
    return 0;
}

/* STORE PAIR TO QUADWORD: R1 and R1+1. CC: unchanged. Exceptions: specification (R1 odd, quadword boundary); access
   (store 2). */
int cpu_stpq(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    struct cpu_operand operand;
    if (address & 15)
        return PIC_SPECIFICATION;
    int code = cpu_operand(cpu, address, i->b2, 16, CPU_STORE, &operand);
    if (code)
        return code;
    host_quad value = {BE64(cpu->gr[i->r1]), BE64(cpu->gr[i->r1 + 1u])};
    *(volatile host_quad *)(void *)operand.part[0] = value;
    return 0;
}

/* TEST AND SET: the byte becomes all ones. CC: its leftmost bit before. Exceptions: access (fetch and store 1). */
int cpu_ts(struct cpu *cpu, const struct dis_insn *i)
{
    void *at;
    int code = cpu_interlocked(cpu, cpu_ea1(cpu, i), i->b1, 1, &at);
    if (code)
        return code;
    cpu->cc = __atomic_exchange_n((uint8_t *)at, 0xff, __ATOMIC_SEQ_CST) >> 7;
    return 0;
}
