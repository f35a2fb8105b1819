/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage operands as host memory. PoP chapter 5 (SA22-7832-13), storage-operand consistency and overlap. */
#include "cpu/storage/operand.h"

/* Host address of a byte whose page the TLB lets through without asking, else NULL. */
static uint8_t *tlb_host(const struct cpu *cpu, uint64_t address, enum cpu_access_kind kind)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    uint64_t tag = kind == CPU_FETCH ? e->read : e->write;
    return tag == (address & PAGE_ADDRESS) ? (uint8_t *)(address + e->host) : NULL;
}

int cpu_operand_slow(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length, enum cpu_access_kind kind,
                     struct cpu_operand *operand)
{
    unsigned first = cpu_page_left(address);
    if (first >= length) {
        operand->first = length;
        return cpu_page(cpu, address, ar, length, kind, &operand->part[0]);
    }
    uint64_t next = cpu_wrap(cpu, address + first);
    operand->first = first;
    uint8_t *host1 = tlb_host(cpu, address, kind), *host2 = tlb_host(cpu, next, kind);
    if (LIKELY(host1 && host2)) {
        operand->part[0] = host1;
        operand->part[1] = host2;
        return 0;
    }
    int code = cpu_test(cpu, address, ar, length, kind);
    if (!code)
        code = cpu_page(cpu, address, ar, first, kind, &operand->part[0]);
    if (!code)
        code = cpu_page(cpu, next, ar, length - first, kind, &operand->part[1]);
    return code;
}

int cpu_operand_reach(struct cpu *cpu, uint64_t address, unsigned ar, enum cpu_access_kind kind, unsigned unit,
                      unsigned least, unsigned want, struct cpu_operand *operand, unsigned *got)
{
    int code = cpu_operand(cpu, address, ar, want, kind, operand);
    *got = want;
    if (LIKELY(!code))
        return 0;
    unsigned part = cpu_page_left(address) & ~(unit - 1);
    if (part < least || part >= want)
        return code;
    *got = part;
    return cpu_operand(cpu, address, ar, part, kind, operand) ? code : 0;
}

void cpu_move_bytes(uint8_t *to, const uint8_t *from, unsigned n)
{
    uintptr_t gap = (uintptr_t)to - (uintptr_t)from;
    if (LIKELY(gap >= n || gap == 0)) {
        memmove(to, from, n);
    } else if (gap == 1) {
        memset(to, *from, n);
    } else { /* what was moved is moved again: each round doubles the distance */
        unsigned done = 0;
        while (done < n) {
            unsigned some = (unsigned)cpu_least(n - done, gap + done);
            memcpy(to + done, from, some);
            done += some;
        }
    }
}

void cpu_move_operand(const struct cpu_operand *to, const struct cpu_operand *from, unsigned length)
{
    for (unsigned n = 0, run; n < length; n += run) {
        run = cpu_operand_run2(to, from, n, length);
        cpu_move_bytes(cpu_operand_at(to, n), cpu_operand_at(from, n), run);
    }
}

void cpu_fill_operand(const struct cpu_operand *to, unsigned length, uint16_t pad, unsigned unit)
{
    if (unit == 1 || pad >> 8 == (pad & 0xff)) {
        for (unsigned n = 0, run; n < length; n += run) {
            run = cpu_operand_run(to, n, length);
            memset(cpu_operand_at(to, n), pad & 0xff, run);
        }
        return;
    }
    for (unsigned n = 0; n < length; n++)
        *cpu_operand_at(to, n) = (uint8_t)(n & 1 ? pad : pad >> 8);
}
