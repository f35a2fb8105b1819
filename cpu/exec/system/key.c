/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions of the storage keys. PoP chapters 3 and 10 (SA22-7832-13). With the storage-key-removal facility
   they are special-operation exceptions, but for the forms that deal with no key. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/tlb.h"

/* The absolute address of the 4K-byte block at the real address in a register. Is it in storage? */
static bool find_block(const struct cpu *cpu, uint64_t address, uint64_t *absolute)
{
    *absolute = cpu_real_to_absolute(cpu, address & cpu->address_mask & PAGE_ADDRESS);
    return storage_has(&cpu->sys->storage, *absolute, PAGE_SIZE_Z);
}

/* INSERT STORAGE KEY EXTENDED: the seven key bits of the block at the real address in R2 go to bits 56-62 of R1, bit 63
   becomes zero. CC: unchanged. Exceptions: privileged operation; addressing. */
int cpu_iske(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t absolute;
    const bool there = find_block(cpu, cpu->gr[i->r2], &absolute);
    int code = control_key_refused(cpu, CONTROL_BLOCK_KEY);
    if (code || !there)
        return code ? code : PIC_ADDRESSING;
    cpu->gr[i->r1] = (cpu->gr[i->r1] & ~UINT64_C(0xff)) | (storage_key(&cpu->sys->storage, absolute) & 0xfe);
    return 0;
}

/* INSERT VIRTUAL STORAGE KEY: access-control bits and fetch-protection bit of the block at the logical address in R2 go
   to bits 56-60 of R1, bits 61-63 become zero. CC: unchanged. Exceptions: special operation (DAT off); privileged
   operation (problem state, extraction authority zero); access (but protection). */
int cpu_ivsk(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_access access = {.address = cpu->gr[i->r2] & cpu->address_mask,
                                .space = CPU_SPACE_CURRENT,
                                .ar = i->r2,
                                .kind = CPU_FETCH,
                                .test = true};
    uint64_t absolute;
    if (!(cpu->psw.mask & PSW_DAT))
        return PIC_SPECIAL_OPERATION;
    if (cpu_problem_state(cpu) && !(cpu->cr[0] & CR0_EXTRACTION_AUTHORITY))
        return PIC_PRIVILEGED_OPERATION;
    int code = control_key_refused(cpu, CONTROL_BLOCK_KEY);
    if (!code)
        code = cpu_translate(cpu, &access, &absolute);
    if (code)
        return code;
    uint8_t key = storage_key(&cpu->sys->storage, absolute);
    cpu->gr[i->r1] = (cpu->gr[i->r1] & ~UINT64_C(0xff)) | (key & (KEY_ACC | KEY_F));
    return 0;
}

/* M3 of SET STORAGE KEY EXTENDED. */
enum { SSKE_MR = 4, SSKE_MC = 2, SSKE_MB = 1 };

/* What is kept of the block depends on all bits of its key. */
static void change_key(struct cpu *cpu, uint64_t absolute, uint8_t new)
{
    uint8_t *key = &cpu->sys->storage.keys[absolute >> PAGE_BITS];
    if (*key == new)
        return;
    *key = new;
    tlb_purge_frame(cpu->sys, absolute & PAGE_ADDRESS);
}

/* Keys were changed: all CPUs were told of it, and that takes longer the more there are. */
static void all_told(struct cpu *cpu) { cpu_work(cpu, cpu->sys->cpu_count); }

/* Set one key by the conditional-SSKE rule. Returns the CC: 0 not conditional, 1 key not set, 2 or 3 key set with R
 * (and C) not looked at. */
static unsigned set_key(struct cpu *cpu, uint64_t absolute, uint8_t new, unsigned m3)
{
    const uint8_t old = storage_key(&cpu->sys->storage, absolute);
    if (m3 & (SSKE_MR | SSKE_MC)) {
        uint8_t ignore = 0;
        if (m3 & SSKE_MR)
            ignore |= KEY_R;
        if (m3 & SSKE_MC)
            ignore |= KEY_C;
        if (((old ^ new) & (KEY_ACC | KEY_F)) == 0 && ((old ^ new) & (KEY_R | KEY_C) & ~ignore) == 0)
            return 0;
    }
    change_key(cpu, absolute, new);
    return m3 & (SSKE_MR | SSKE_MC) ? 1 : 0;
}

/* SET STORAGE KEY EXTENDED: bits 56-62 of R1 become the storage key of the block at the real address in R2. With MR or
   MC (conditional facility) only when other bits than those named differ: the old key goes to bits 48-55 of R1. With MB
   (enhanced DAT) the key of each 4K-byte block from there to the end of the 1M-byte one is set, R2 advancing. CC: with
   MR/MC: 0 not set, 1 set, unless MB; else unchanged. Exceptions: privileged operation; addressing. */
int cpu_sske(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned m3 = cpu_facility(cpu->sys, FACILITY_CONDITIONAL_SSKE) ? i->m3 & (SSKE_MR | SSKE_MC) : 0;
    bool many = (i->m3 & SSKE_MB) && cpu_facility(cpu->sys, FACILITY_EDAT1);
    uint8_t new = (uint8_t)cpu->gr[i->r1] & 0xfe;
    uint64_t address = cpu->gr[i->r2] & cpu->address_mask & PAGE_ADDRESS;
    int code = control_key_refused(cpu, CONTROL_BLOCK_KEY);
    if (code)
        return code;
    do {
        uint64_t at = many ? address : cpu_real_to_absolute(cpu, address);
        struct storage *s = &cpu->sys->storage;
        if (!storage_has(s, at, PAGE_SIZE_Z)) /* only the first: storage ends at a megabyte boundary */
            return PIC_ADDRESSING;
        const uint8_t old = storage_key(s, at);
        const unsigned set = set_key(cpu, at, new, m3);
        if (m3 && !many) {
            cpu->gr[i->r1] = (cpu->gr[i->r1] & ~UINT64_C(0xff00)) | (uint64_t)old << 8;
            cpu->cc = (uint8_t)set;
        }
        address += PAGE_SIZE_Z;
    } while (many && (address & 0xfffff));
    if (many) {
        cpu_work(cpu, ((cpu->gr[i->r2] ^ 0xfffff) & 0xfffff) >> PAGE_BITS);
        set_gr_address(cpu, i->r2, address | (cpu->gr[i->r2] & 0xfff));
        if (m3)
            cpu->cc = 3;
    }
    all_told(cpu);
    return 0;
}

/* RESET REFERENCE BIT EXTENDED: of the block at the real address in R2. CC: old reference and change bits (0-3).
   Exceptions: privileged operation; addressing. */
int cpu_rrbe(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t absolute;
    const bool there = find_block(cpu, cpu->gr[i->r2], &absolute);
    int code = control_key_refused(cpu, CONTROL_BLOCK_KEY);
    if (code || !there)
        return code ? code : PIC_ADDRESSING;
    const uint8_t key = storage_key(&cpu->sys->storage, absolute);
    cpu->cc = (key & (KEY_R | KEY_C)) >> 1;
    change_key(cpu, absolute, key & (uint8_t)~KEY_R);
    all_told(cpu);
    return 0;
}

/* RESET / INSERT REFERENCE BITS MULTIPLE: the reference bits of the 64 blocks of the 256K-byte area that the real
   address in R2 is in go to R1; RRBM resets them. CC: unchanged. Exceptions: operation; privileged operation;
   addressing. */
static int reference_bits(struct cpu *cpu, const struct dis_insn *i, bool reset)
{
    struct storage *s = &cpu->sys->storage;
    uint64_t first = cpu->gr[i->r2] & cpu->address_mask & ~UINT64_C(0x3ffff), bits = 0;
    if (!storage_has(s, first, 0x40000))
        return PIC_ADDRESSING;
    for (unsigned n = 0; n < 64; n++) {
        const uint8_t key = storage_key(s, first + n * (uint64_t)PAGE_SIZE_Z);
        if (key & KEY_R)
            bits |= BIT64(n);
        if (reset)
            change_key(cpu, first + n * (uint64_t)PAGE_SIZE_Z, key & (uint8_t)~KEY_R);
    }
    cpu->gr[i->r1] = bits;
    if (reset)
        all_told(cpu);
    return 0;
}
int cpu_rrbm(struct cpu *cpu, const struct dis_insn *i) { return reference_bits(cpu, i, true); }
int cpu_irbm(struct cpu *cpu, const struct dis_insn *i) { return reference_bits(cpu, i, false); }

/* R1 of PERFORM FRAME MANAGEMENT FUNCTION. */
#define PFMF_SK  BIT64(46) /* set-key control */
#define PFMF_CF  BIT64(47) /* clear-frame control */
#define PFMF_UI  BIT64(48) /* usage indication */
#define PFMF_FSC (BIT64(49) | BIT64(50) | BIT64(51))
#define PFMF_NQ  BIT64(52)
#define PFMF_MR  BIT64(53)
#define PFMF_MC  BIT64(54)

#define PFMF_AMOUNT 256u /* blocks in one unit of operation: a megabyte */

/* One 4K-byte block of the frame. */
static int manage_block(struct cpu *cpu, uint64_t controls, uint64_t address)
{
    struct storage *s = &cpu->sys->storage;
    const unsigned m3 = (controls & PFMF_MR ? SSKE_MR : 0) | (controls & PFMF_MC ? SSKE_MC : 0);
    const uint64_t at = controls & PFMF_FSC ? address : cpu_real_to_absolute(cpu, address);
    if (!storage_has(s, at, PAGE_SIZE_Z))
        return PIC_ADDRESSING;
    int code = (controls & PFMF_CF) && !(controls & PFMF_FSC) ? cpu_low_address_exception(cpu, address) : 0;
    if (code)
        return code;
    if (controls & PFMF_CF) {
        memset(s->bytes + at, 0, PAGE_SIZE_Z);
        cpu_code_stored(cpu, at, PAGE_SIZE_Z);
    }
    if (controls & PFMF_SK)
        (void)set_key(cpu, at, (uint8_t)controls & 0xfe, m3);
    return 0;
}

/* PERFORM FRAME MANAGEMENT FUNCTION: sets the key of, and clears, the 4K-, 1M- or 2G-byte frame at the address in R2.
   The larger ones advance R2 block by block and can be interrupted. CC: unchanged. Exceptions: operation; privileged
   operation; specification (reserved bits, frame size); addressing; protection (low-address, when clearing). */
int cpu_pfmf(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t controls = cpu->gr[i->r1];
    unsigned fsc = (unsigned)field64(controls, 49, 51);
    if (controls & PFMF_SK) {
        int code = control_key_refused(cpu, CONTROL_BLOCK_KEY);
        if (code)
            return code;
    }
    if (field64(controls, 32, 45) || (controls & BIT64(55)) ||
        fsc > (cpu_facility(cpu->sys, FACILITY_EDAT2) ? 2u : 1u) ||
        ((controls & PFMF_NQ) && !cpu_facility(cpu->sys, FACILITY_NONQUIESCING)) ||
        ((controls & (PFMF_MR | PFMF_MC)) && !cpu_facility(cpu->sys, FACILITY_CONDITIONAL_SSKE)))
        return PIC_SPECIFICATION;
    uint64_t address = cpu->gr[i->r2] & cpu->address_mask & PAGE_ADDRESS;
    uint64_t frame = fsc == 0 ? PAGE_SIZE_Z : fsc == 1 ? UINT64_C(1) << 20 : UINT64_C(1) << 31;
    const uint64_t blocks = (frame - (address & (frame - 1))) / PAGE_SIZE_Z; /* to the end of the frame */
    int code = 0;
    unsigned n = 0;
    for (; !code && n < blocks && n < PFMF_AMOUNT; n++) {
        code = manage_block(cpu, controls, address);
        address += code ? 0 : PAGE_SIZE_Z;
    }
    if (controls & PFMF_SK)
        all_told(cpu);
    cpu_work(cpu, controls & PFMF_CF ? n * (PAGE_SIZE_Z / CPU_WORK_MOVE) : n);
    if (fsc) /* of a block that is refused, too: those before it are done */
        set_gr_address(cpu, i->r2, address);
    if (code)
        return code;
    return n < blocks ? CPU_PARTIAL : 0;
}
