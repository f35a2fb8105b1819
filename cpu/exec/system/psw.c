/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions that change or store parts of the PSW and the control registers. PoP chapter 10
   (SA22-7832-13). */
#include "cpu/control/psw.h"
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"

/* A PSW that an instruction introduced: breaking event; when its format is invalid the exception has length code
   zero. */
int control_introduce_psw(struct cpu *cpu, uint64_t mask, uint64_t ia)
{
    cpu->bear = cpu->insn_ia;
    int code = cpu_load_psw(cpu, mask, ia);
    if (code)
        cpu->zero_ilc = true;
    return code;
}

/* LOAD PSW: the 8-byte PSW at the operand, bit 12 inverted, becomes the current PSW.
   CC: loaded. Exceptions: privileged operation; specification (doubleword boundary); access (fetch); specification
   (early). */
int cpu_lpsw(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t word;
    int code = control_fetch_doubleword(cpu, cpu_ea1(cpu, i), i->b1, &word);
    if (!code)
        code = control_psw_key_refused(cpu, word);
    if (code)
        return code;
    word ^= PSW_BIT12;
    return control_told(cpu, ET_LPSW, control_introduce_psw(cpu, word & ~(BIT64(32) - 1), word & 0x7fffffff));
}

/* LOAD PSW EXTENDED: the 16-byte PSW at the operand becomes the current PSW.
   CC: loaded. Exceptions: privileged operation; specification (doubleword boundary); access (fetch); specification
   (early). */
int cpu_lpswe(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t psw[2];
    int code = control_fetch_psw(cpu, cpu_ea2(cpu, i), i->b2, psw);
    return code ? code : control_told(cpu, ET_LPSWE, control_introduce_psw(cpu, psw[0], psw[1]));
}

/* Bits 0-7 of the PSW become `system_mask`; a PSW-format error is recognized early, with the length code of the
 * instruction. */
static int set_system_mask(struct cpu *cpu, uint8_t system_mask)
{
    uint64_t mask = (cpu_psw_mask(cpu) & (BIT64(7) - 1)) | (uint64_t)system_mask << 56;
    cpu->taken.whole_loads--; /* it only looks like one */
    return cpu_load_psw(cpu, mask, cpu->psw.ia);
}

/* SET SYSTEM MASK: PSW bits 0-7 from the byte at the operand. CC: unchanged.
   Exceptions: privileged operation; special operation (CR0 bit 33); access (fetch); specification (early). */
int cpu_ssm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t byte;
    if (cpu->cr[0] & CR0_SSM_SUPPRESSION)
        return PIC_SPECIAL_OPERATION;
    int code = cpu_fetch1(cpu, cpu_ea1(cpu, i), i->b1, &byte);
    return code ? code : set_system_mask(cpu, byte);
}

/* STORE THEN AND SYSTEM MASK: PSW bits 0-7 are stored, then ANDed with I2. CC: unchanged.
   Exceptions: privileged operation; access (store). */
int cpu_stnsm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t mask = (uint8_t)(cpu->psw.mask >> 56);
    int code = cpu_store1(cpu, cpu_ea1(cpu, i), i->b1, mask);
    return code ? code : set_system_mask(cpu, mask & (uint8_t)i->i2);
}

/* STORE THEN OR SYSTEM MASK: PSW bits 0-7 are stored, then ORed with I2. CC: unchanged.
   Exceptions: privileged operation; access (store); specification (early). */
int cpu_stosm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t mask = (uint8_t)(cpu->psw.mask >> 56);
    int code = cpu_store1(cpu, cpu_ea1(cpu, i), i->b1, mask);
    return code ? code : set_system_mask(cpu, mask | (uint8_t)i->i2);
}

/* SET PSW KEY FROM ADDRESS: bits 56-59 of the second-operand address become the PSW key. CC: unchanged.
   Exceptions: privileged operation (problem state, and the key's bit in the PSW-key mask is zero). */
int cpu_spka(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned key = (unsigned)(cpu_ea2(cpu, i) >> 4) & 15;
    int code = control_key_refused(cpu, key);
    if (code)
        return code;
    if (cpu_problem_state(cpu) && !(cpu->cr[3] & BIT64(CR3_KEY_MASK_BIT + key)))
        return PIC_PRIVILEGED_OPERATION;
    cpu->psw.mask = (cpu->psw.mask & ~PSW_KEY) | (uint64_t)key << (63 - 11);
    cpu_mode_changed(cpu);
    return 0;
}

/* INSERT PSW KEY: the PSW key goes to bits 56-59 of general register 2, bits 60-63 become zero. CC: unchanged.
   Exceptions: privileged operation (problem state, extraction authority zero). */
int cpu_ipk(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (cpu_problem_state(cpu) && !(cpu->cr[0] & CR0_EXTRACTION_AUTHORITY))
        return PIC_PRIVILEGED_OPERATION;
    cpu->gr[2] = (cpu->gr[2] & ~UINT64_C(0xff)) | cpu_key(cpu) << 4;
    return 0;
}

/* SET ADDRESS SPACE CONTROL (FAST): bits 52-55 of the second-operand address choose primary, secondary, access-register
   or home-space mode. CC: unchanged. Exceptions: special operation (DAT off, or secondary-space control zero);
   privileged operation (home from the problem state); specification (code above 3); space-switch
   event. */
int cpu_sac(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint8_t as_of[4] = {AS_PRIMARY, AS_SECONDARY, AS_ACCESS_REGISTER, AS_HOME};
    unsigned control = (unsigned)(cpu_ea2(cpu, i) >> 8) & 15;
    if (!(cpu->psw.mask & PSW_DAT) || !(cpu->cr[0] & CR0_SECONDARY_SPACE))
        return PIC_SPECIAL_OPERATION;
    if (control == 3 && cpu_problem_state(cpu))
        return PIC_PRIVILEGED_OPERATION;
    if (control > 3)
        return PIC_SPECIFICATION;
    unsigned old = (unsigned)field64(cpu->psw.mask, 16, 17), new = as_of[control];
    cpu->psw.mask = (cpu->psw.mask & ~PSW_AS) | (uint64_t) new << (63 - 17);
    cpu_mode_changed(cpu);
    return control_space_switch(cpu, old, new);
}

/* INSERT ADDRESS SPACE CONTROL: the address-space control goes to bits 52-55 of R1 (as SAC takes it) and to the CC.
   CC: 0 primary, 1 secondary, 2 access register, 3 home. Exceptions: special operation (DAT off); privileged operation
   (problem state, extraction authority zero). */
int cpu_iac(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint8_t control_of[4] = {0, 2, 1, 3};
    if (!(cpu->psw.mask & PSW_DAT))
        return PIC_SPECIAL_OPERATION;
    if (cpu_problem_state(cpu) && !(cpu->cr[0] & CR0_EXTRACTION_AUTHORITY))
        return PIC_PRIVILEGED_OPERATION;
    unsigned control = control_of[field64(cpu->psw.mask, 16, 17)];
    cpu->gr[i->r1] = (cpu->gr[i->r1] & ~UINT64_C(0xff00)) | control << 8;
    cpu->cc = (uint8_t)control;
    return 0;
}

/* LOAD CONTROL (32) and (64): control registers R1 to R3 (15 is followed by 0) from successive words or doublewords;
   LCTL leaves bits 0-31. CC: unchanged. Exceptions: privileged operation; specification (boundary); access (fetch). */
static int load_control(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    uint8_t bytes[16 * 8];
    unsigned count = ((unsigned)(i->r3 - i->r1) & 15) + 1;
    uint64_t address = cpu_ea2(cpu, i);
    if (address & (size - 1))
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, address, i->b2, bytes, count * size);
    if (code)
        return code;
    for (unsigned n = 0; n < count; n++) {
        uint64_t *cr = &cpu->cr[(i->r1 + n) & 15];
        *cr = size == 8 ? get64(bytes + 8 * n) : (*cr & UINT64_C(0xffffffff00000000)) | get32(bytes + 4 * n);
    }
    cpu_mode_changed(cpu);
    return 0;
}
int cpu_lctl(struct cpu *cpu, const struct dis_insn *i) { return load_control(cpu, i, 4); }
int cpu_lctlg(struct cpu *cpu, const struct dis_insn *i) { return load_control(cpu, i, 8); }

/* STORE CONTROL (32) and (64): control registers R1 to R3 to successive words or doublewords. CC: unchanged.
   Exceptions: privileged operation; specification (boundary); access (store). */
static int store_control(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    uint8_t bytes[16 * 8];
    unsigned count = ((unsigned)(i->r3 - i->r1) & 15) + 1;
    uint64_t address = cpu_ea2(cpu, i);
    if (address & (size - 1))
        return PIC_SPECIFICATION;
    for (unsigned n = 0; n < count; n++) {
        uint64_t cr = cpu->cr[(i->r1 + n) & 15];
        if (size == 8)
            put64(bytes + 8 * n, cr);
        else
            put32(bytes + 4 * n, (uint32_t)cr);
    }
    return cpu_store_bytes(cpu, address, i->b2, bytes, count * size);
}
int cpu_stctl(struct cpu *cpu, const struct dis_insn *i) { return store_control(cpu, i, 4); }
int cpu_stctg(struct cpu *cpu, const struct dis_insn *i) { return store_control(cpu, i, 8); }
