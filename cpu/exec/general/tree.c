/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions for sorting: COMPARE AND FORM CODEWORD, UPDATE TREE. PoP chapter 7 (SA22-7832-13).
   Both are interruptible; the work that one execution can have is so little that it is done in one unit of operation,
   or up to the unit that meets an access exception. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* The leftmost bit of a register in the mode: bit 0 or bit 32. */
static uint64_t sign_bit(bool wide) { return wide ? BIT64(0) : BIT64(32); }

/* COMPARE AND FORM CODEWORD: units of 2 bytes (6 in the 64-bit mode) of the operands at general registers 1 and 3 are
   compared from the index in bits 48-63 of general register 2 on, while it is not above the limit, bits 49-62 of the
   second-operand address. The codeword, index behind the unequal units and the unit that is kept, goes to general
   register 2: with operand control (bit 63 of the address) zero the complement of the higher unit, with one the lower
   unit. CC: 0 equal, general register 2 receives general register 3 with its sign bit one; 1 the first operand is
   lower (control zero) or higher (control one); 2 the other way, registers 1 and 3 are exchanged.
   Exceptions: specification (general register 1, 2 or 3 odd); access (fetch, operands 1 and 3). */
int cpu_cfc(struct cpu *cpu, const struct dis_insn *i)
{
    const bool wide = cpu->psw.mask & PSW_EA;
    const unsigned size = wide ? 6 : 2;
    uint64_t control = cpu_ea2(cpu, i);
    unsigned limit = (unsigned)control & 0x7ffe, index = (uint16_t)cpu->gr[2];
    const bool low = control & 1;
    if ((cpu->gr[1] | cpu->gr[2] | cpu->gr[3]) & 1)
        return PIC_SPECIFICATION;
    for (; index <= limit; index += size) {
        uint8_t unit1[8] = {0}, unit3[8] = {0};
        int code = cpu_fetch_bytes(cpu, cpu_wrap(cpu, cpu->gr[1] + index), 1, unit1 + 8 - size, size);
        if (!code)
            code = cpu_fetch_bytes(cpu, cpu_wrap(cpu, cpu->gr[3] + index), 1, unit3 + 8 - size, size);
        if (code) {
            cpu->gr[2] = (cpu->gr[2] & ~UINT64_C(0xffff)) | index;
            return code;
        }
        uint64_t first = get64(unit1), third = get64(unit3);
        if (first == third)
            continue;
        uint64_t kept = (first < third) == low ? first : third, mask = wide ? UINT64_C(0xffffffffffff) : 0xffff;
        uint64_t word = (uint64_t)((index + size) & 0xffff) << 8 * size | ((low ? kept : ~kept) & mask);
        if (wide)
            cpu->gr[2] = word;
        else
            set_gr32(cpu, 2, (uint32_t)word);
        cpu->cc = 1;
        if (kept == first) {
            uint64_t one = cpu->gr[1], three = cpu->gr[3];
            set_gr_address(cpu, 1, three);
            set_gr_address(cpu, 3, one);
            cpu->cc = 2;
        }
        return 0;
    }
    set_gr_address(cpu, 2, cpu->gr[3] | sign_bit(wide));
    cpu->cc = 0;
    return 0;
}

/* UPDATE TREE: from the node index in general register 5, halved again and again, nodes of 8 bytes (16 in the 64-bit
   mode) at the address in general register 4 are compared with the codeword in general register 0; a higher node is
   exchanged with general registers 0 and 1. CC: 0 equal, the node goes to general registers 2 and 3; 1 end of the path,
   index zero; 3 the codeword in general register 0 is negative.
   Exceptions: specification (boundary of general registers 4 and 5); access (fetch and store, node). */
int cpu_upt(struct cpu *cpu, const struct dis_insn *i)
{
    const bool wide = cpu->psw.mask & PSW_EA;
    const uint64_t size = wide ? 16 : 8;
    (void)i;
    if ((cpu->gr[4] | cpu->gr[5]) & (size - 1))
        return PIC_SPECIFICATION;
    for (;;) {
        uint64_t index = cpu_gr_length(cpu, 5) >> 1 & ~(size - 1), code0 = cpu_gr_length(cpu, 0);
        uint64_t address = cpu_wrap(cpu, cpu->gr[4] + index);
        uint8_t node[16], mine[16];
        if (index == 0 || (code0 & sign_bit(wide))) {
            set_gr_address(cpu, 5, index);
            cpu->cc = index ? 3 : 1;
            return 0;
        }
        int code = cpu_fetch_bytes(cpu, address, 4, node, (unsigned)size);
        if (code)
            return code;
        uint64_t word = wide ? get64(node) : get32(node), data = wide ? get64(node + 8) : get32(node + 4);
        if (code0 < word) {
            if (wide) {
                put64(mine, code0);
                put64(mine + 8, cpu->gr[1]);
            } else {
                put32(mine, (uint32_t)code0);
                put32(mine + 4, gr32(cpu, 1));
            }
            code = cpu_store_bytes(cpu, address, 4, mine, (unsigned)size);
            if (code)
                return code;
            set_gr_address(cpu, 0, word);
            set_gr_address(cpu, 1, data);
        }
        set_gr_address(cpu, 5, index);
        if (code0 == word) {
            set_gr_address(cpu, 2, word);
            set_gr_address(cpu, 3, data);
            cpu->cc = 0;
            return 0;
        }
    }
}
