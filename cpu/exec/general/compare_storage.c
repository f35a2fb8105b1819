/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that compare fields of storage: COMPARE LOGICAL (character), COMPARE UNTIL SUBSTRING EQUAL,
   CHECKSUM. PoP chapter 7 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* COMPARE LOGICAL (character): L+1 bytes. All bytes are accessed. CC: 0 equal, 1 first low, 2 first high.
   Exceptions: access (fetch 1 and 2). */
int cpu_clc(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand a, b;
    unsigned length = i->l1 + 1u;
    int difference = 0;
    int code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_FETCH, &a);
    if (!code)
        code = cpu_operand(cpu, cpu_ea2(cpu, i), i->b2, length, CPU_FETCH, &b);
    if (code)
        return code;
    for (unsigned n = 0, run; n < length && !difference; n += run) {
        run = cpu_operand_run2(&a, &b, n, length);
        difference = memcmp(cpu_operand_at(&a, n), cpu_operand_at(&b, n), run);
    }
    cpu->cc = difference < 0 ? 1 : difference > 0 ? 2 : 0;
    return 0;
}

/* Place in an operand of CUSE. The length is signed, a negative one counts as zero. */
struct place {
    uint64_t address;
    int64_t length;
};

static struct place place_of(const struct cpu *cpu, unsigned r)
{
    bool wide = cpu->psw.mask & PSW_EA;
    return (struct place){cpu_gr_address(cpu, r), wide ? (int64_t)cpu->gr[r + 1] : (int32_t)gr32(cpu, r + 1)};
}

static void set_place(struct cpu *cpu, unsigned r, const struct place *p)
{
    set_gr_address(cpu, r, p->address);
    set_gr_address(cpu, r + 1, (uint64_t)p->length);
}

/* The byte at the place, which then moves on; the padding byte behind the operand. */
static int take_byte(struct cpu *cpu, struct place *p, unsigned ar, uint8_t pad, uint8_t *byte)
{
    *byte = pad;
    if (p->length <= 0)
        return 0;
    int code = cpu_fetch1(cpu, p->address, ar, byte);
    p->address = cpu_wrap(cpu, p->address + 1);
    p->length--;
    return code;
}

/* COMPARE UNTIL SUBSTRING EQUAL: bytes are compared left to right, the shorter operand extended with the padding byte
   (bits 56-63 of general register 1), until as many in succession are equal as bits 56-63 of general register 0 say.
   CC: 0 such a substring, or its length is zero; 1 operands ended with the last bytes equal; 2 ended unequal, or both
   lengths zero; 3 not finished, last bytes unequal. With 0 and 1 the registers designate the beginning of the equal
   bytes, with 2 and 3 what comes behind. An access exception leaves the registers as they were.
   Exceptions: specification (R1 or R2 odd); access (fetch 1 and 2). */
int cpu_cuse(struct cpu *cpu, const struct dis_insn *i)
{
    struct place p1 = place_of(cpu, i->r1), p2 = place_of(cpu, i->r2), start1 = p1, start2 = p2;
    unsigned wanted = (uint8_t)cpu->gr[0], equal = 0;
    uint8_t pad = (uint8_t)cpu->gr[1], cc = 2;
    if (!wanted) {
        cpu->cc = 0;
        return 0;
    }
    unsigned n = 0;
    for (; p1.length > 0 || p2.length > 0; n++) {
        uint8_t byte1, byte2;
        if (n >= CPU_CC3_AMOUNT && !equal) {
            cc = 3;
            break;
        }
        struct place at1 = p1, at2 = p2;
        int code = take_byte(cpu, &p1, i->r1, pad, &byte1);
        if (!code)
            code = take_byte(cpu, &p2, i->r2, pad, &byte2);
        if (code)
            return code;
        if (byte1 != byte2) {
            equal = 0;
            cc = 2;
            continue;
        }
        if (!equal) {
            start1 = at1;
            start2 = at2;
        }
        cc = 1;
        if (++equal == wanted) {
            cc = 0;
            break;
        }
    }
    cpu_work(cpu, n);
    set_place(cpu, i->r1, cc < 2 ? &start1 : &p1);
    set_place(cpu, i->r2, cc < 2 ? &start2 : &p2);
    cpu->cc = cc;
    return 0;
}

/* Sum of the words of n bytes, zeros to the right of the last. */
static uint64_t sum_words(const uint8_t *bytes, unsigned n)
{
    uint64_t sum = 0;
    uint8_t last[4] = {0};
    for (; n >= 4; n -= 4, bytes += 4)
        sum += get32(bytes);
    memcpy(last, bytes, n);
    return sum + get32(last);
}

/* CHECKSUM: the words of the second operand, the last one extended with zeros, are added to bits 32-63 of R1 with the
   carry added at the right. CC: 0 done, 3 not finished. Exceptions: specification (R2 odd); access (fetch 2). */
int cpu_cksm(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_gr_address(cpu, i->r2), length = cpu_gr_length(cpu, i->r2 + 1u);
    uint64_t sum = gr32(cpu, i->r1);
    unsigned n = (unsigned)cpu_least(length, CPU_CC3_AMOUNT);
    uint8_t bytes[CPU_CC3_AMOUNT];
    if (n) {
        struct cpu_operand operand;
        unsigned want = n;
        int code = cpu_operand_reach(cpu, address, i->r2, CPU_FETCH, 4, 4, want, &operand, &n);
        if (code)
            return code;
        if (operand.first < n) {
            memcpy(bytes, operand.part[0], operand.first);
            memcpy(bytes + operand.first, operand.part[1], n - operand.first);
            sum += sum_words(bytes, n);
        } else {
            sum += sum_words(operand.part[0], n);
        }
        sum = (sum & 0xffffffff) + (sum >> 32);
        sum = (sum & 0xffffffff) + (sum >> 32);
    }
    cpu_work(cpu, n / CPU_WORK_SCAN);
    /* The length register last: R1 may be one of the pair. */
    set_gr32(cpu, i->r1, (uint32_t)sum);
    set_gr_address(cpu, i->r2, cpu_wrap(cpu, address + n));
    set_gr_address(cpu, i->r2 + 1u, length - n);
    cpu->cc = length == n ? 0 : 3;
    return 0;
}
