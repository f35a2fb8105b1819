/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the negative tests share. */
#ifndef MRVM_TESTS_H
#define MRVM_TESTS_H

#include "vm.h"

#define WORD6 (W6_V | W6_S | W6_K | W6_PS | W6_PC | W6_KEY)

extern struct checks test_checks;

static inline void emit(u64 value) { asm volatile(".insn ri,0xaa040000,%0,0" : : "d"(value)); }
static inline void sample_next(void) { asm volatile(".insn ri,0xaa000000,0,0\n\tlr 0,0"); }
static inline u32 ri_on(void)
{
    u32 cc;
    asm volatile(".insn ri,0xaa010000,0,0\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : : "cc", "memory");
    return cc;
}
static inline u32 ri_off(void)
{
    u32 cc;
    asm volatile(".insn ri,0xaa030000,0,0\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : : "cc", "memory");
    return cc;
}
static inline u32 mric(const struct riccb *block)
{
    u32 cc;
    asm volatile(".insn rsy,0xeb0000000062,0,0,%1\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "S"(*block) : "cc", "memory");
    return cc;
}

/* The nucleus loads controls: program buffer of so many bytes. */
void test_controls(u32 word6, u32 word7, u64 roa, u64 length, u64 sf);
/* Its way into the supervisor state by PROGRAM CALL, without an interruption: see call_entry. */
u32 test_call(u64 subcode, u64 *operand, u64 third, u64 mask);
/* Some work of known result, without storage; nonzero: it came out right. */
u32 test_work(u32 rounds);
void test_fill(u64 address, u64 length, u64 word);
u32 test_filled(u64 address, u64 length, u64 word);

#endif
