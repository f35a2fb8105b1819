/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions that belong to no larger family. PoP chapter 10 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"
#include "cpu/storage/art.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"

/* LOAD PSW EXTENDED with a 20-bit displacement: the 16-byte PSW becomes current, the breaking-event address
   stays as it is. CC: loaded. Exceptions: operation; privileged operation; specification (doubleword boundary);
   access (fetch); specification (early). */
int cpu_lpswey(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t psw[2];
    int code = control_fetch_psw(cpu, cpu_ea1(cpu, i), i->b1, psw);
    if (code)
        return code;
    uint64_t bear = cpu->bear;
    code = control_told(cpu, ET_LPSWEY, control_introduce_psw(cpu, psw[0], psw[1]));
    cpu->bear = bear; /* LPSWEY is no breaking event */
    return code;
}

/* LOAD BEAR: the breaking-event-address register from the doubleword operand. CC: unchanged.
   Exceptions: operation; privileged operation; specification (doubleword boundary); access (fetch). */
int cpu_lbear(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    int code = control_fetch_doubleword(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (!code)
        cpu->bear = value;
    return code;
}

/* STORE BEAR. CC: unchanged. Exceptions: operation; privileged operation; specification (doubleword boundary); access
 * (store). */
int cpu_stbear(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & 7 ? PIC_SPECIFICATION : cpu_store8(cpu, address, i->b2, cpu->bear);
}

/* TEST BLOCK: the 4K-byte block at the real address in R2 is cleared; general register 0 becomes zero. Storage of this
   machine is always usable. PoP leaves the storage key unpredictable: here it is as after a store. CC: 0. Exceptions:
   privileged operation; addressing; protection (low-address). */
int cpu_tb(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t real = cpu->gr[i->r2] & cpu->address_mask & PAGE_ADDRESS;
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    int code = cpu_low_address_exception(cpu, real);
    if (code)
        return code;
    if (!storage_has(&cpu->sys->storage, absolute, PAGE_SIZE_Z))
        return PIC_ADDRESSING;
    memset(cpu->sys->storage.bytes + absolute, 0, PAGE_SIZE_Z);
    cpu_work(cpu, PAGE_SIZE_Z / CPU_WORK_MOVE);
    cpu_code_stored(cpu, absolute, PAGE_SIZE_Z);
    set_gr_address(cpu, 0, 0);
    cpu->cc = 0;
    return 0;
}

/* PAGE IN and PAGE OUT: a block of expanded storage, by the number in R2, to or from the real address in R1. This
   machine has no expanded storage, so no block is there. CC: 3. Exceptions: privileged operation. */
int cpu_pgin(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    cpu->cc = 3;
    return 0;
}

/* STORE REAL ADDRESS: the real address of the second operand goes to the first, a doubleword. CC: unchanged.
   Exceptions: privileged operation; specification (doubleword boundary); access (translation of the second operand,
   store). */
int cpu_strag(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint8_t space_of[4] = {CPU_SPACE_PRIMARY, CPU_SPACE_AR, CPU_SPACE_SECONDARY, CPU_SPACE_HOME};
    uint64_t absolute, to = cpu_ea1(cpu, i), from = cpu_ea2(cpu, i);
    bool protect;
    if (to & 7)
        return PIC_SPECIFICATION;
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    int code = cpu_walk(cpu, space_of[as], i->b2, from, NULL, NULL, &absolute, &protect);
    if (code) {
        cpu->teid = (from & PAGE_ADDRESS) | as;
        if (cpu_facility(cpu->sys, FACILITY_FETCH_STORE_INDICATION))
            cpu->teid |= BIT64(52); /* fetch */
        cpu->exception_access_id = as == AS_ACCESS_REGISTER ? i->b2 : 0;
        return code;
    }
    return cpu_store8(cpu, to, i->b1, cpu_real_to_absolute(cpu, absolute));
}

/* TEST ACCESS: is the ALET in access register R1 usable with the extended authorization index in bits 32-47 of R2?
   CC: 0 it is zero, 1 by the dispatchable-unit access list, 2 by the primary-space access list, 3 it is one, or causes
   an exception. Exceptions: special operation (none here); addressing. */
int cpu_tar(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t alet = cpu->ar[i->r1];
    uint64_t asce, cr8 = cpu->cr[8];
    bool fetch_only;
    if (alet <= 1) {
        cpu->cc = alet ? 3 : 0;
        return 0;
    }
    /* The index of the register stands in for that of control register 8; R1 zero is access register 0 itself here. */
    uint32_t ar1 = cpu->ar[1];
    uint8_t id = cpu->exception_access_id;
    cpu->ar[1] = alet;
    cpu->cr[8] = (cr8 & ~CR8_EXTENDED_AUTHORIZATION_INDEX) | (uint64_t)(gr32(cpu, i->r2) >> 16) << 16;
    int code = art_translate(cpu, 1, &asce, &fetch_only);
    cpu->ar[1] = ar1;
    cpu->cr[8] = cr8;
    cpu->exception_access_id = id;
    if (code == PIC_ADDRESSING)
        return code;
    cpu->cc = code ? 3 : alet & 0x01000000 ? 2 : 1;
    return 0;
}
