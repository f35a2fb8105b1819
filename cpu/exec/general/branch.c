/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that branch; addressing modes, program mask, PSW, monitor and supervisor calls. PoP chapter 7.
   The condition code is unchanged unless noted. Branch addresses are formed before any register is changed; an odd one
   is found when the next instruction is fetched. */
#include "cpu/control/psw.h"
#include "cpu/control/trace.h"
#include "cpu/control/transaction.h"
#include "cpu/exec/general/internal.h"
#include "cpu/storage/code.h"

static bool mode24(const struct cpu *cpu) { return !(cpu->psw.mask & (PSW_EA | PSW_BA)); }
static bool mode64(const struct cpu *cpu) { return cpu->psw.mask & PSW_EA; }

/* Implicit tracing, controlled by control register 12 (PoP chapter 4). `mask` has the addressing mode that follows.
   With it on these instructions are restricted in a transaction. Returns 0 or a code; then nothing has changed. */
static int trace(struct cpu *cpu, uint64_t target, uint64_t mask, bool branch_traced)
{
    struct control_trace trace;
    const bool branch = branch_traced && (cpu->cr[12] & CR12_BRANCH_TRACE);
    const bool mode = (cpu->cr[12] & CR12_MODE_TRACE) && ((mask ^ cpu->psw.mask) & PSW_EA);
    if (LIKELY(!branch && !mode))
        return 0;
    if (cpu_tx_active(cpu))
        return cpu_tx_restricted(cpu);
    if (!(mask & PSW_EA))
        target &= mask & PSW_BA ? 0x7fffffff : 0xffffff;
    control_trace_begin(cpu, &trace);
    int code = mode && branch ? control_trace_mode_switch_branch(cpu, &trace, target)
               : mode         ? control_trace_mode_switch(cpu, &trace)
                              : control_trace_branch(cpu, &trace, target, !(mask & (PSW_EA | PSW_BA)));
    if (!code)
        control_trace_commit(cpu, &trace);
    return code;
}

/* Link information of BAS, BASR, BRAS, BRASL: in the 24-bit mode zeros and the 24-bit address, in the 31-bit mode a one
   and the 31-bit address in bits 32-63; in the 64-bit mode the address. */
static void set_link(struct cpu *cpu, unsigned r1)
{
    if (mode64(cpu))
        cpu->gr[r1] = cpu->psw.ia;
    else
        set_gr32(cpu, r1, (uint32_t)cpu->psw.ia | (mode24(cpu) ? 0 : BIT32(0)));
}

/* BRANCH AND LINK (BALR, BAL): as BRANCH AND SAVE, but the link information of the 24-bit mode has the
   instruction-length code, the condition code and the program mask in bits 32-39. BALR with R2 zero does not branch. */
static void set_link_with_mask(struct cpu *cpu, unsigned r1)
{
    if (mode24(cpu))
        set_gr32(cpu, r1,
                 (uint32_t)cpu->ilc / 2 << 30 | (uint32_t)cpu->cc << 28 |
                     (uint32_t)field64(cpu->psw.mask, 20, 23) << 24 | (uint32_t)cpu->psw.ia);
    else
        set_link(cpu, r1);
}
int cpu_balr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu->gr[i->r2];
    int code = i->r2 ? trace(cpu, target, cpu->psw.mask, true) : 0;
    if (code)
        return code;
    set_link_with_mask(cpu, i->r1);
    if (i->r2)
        cpu_branch(cpu, target);
    return 0;
}
int cpu_bal(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    set_link_with_mask(cpu, i->r1);
    cpu_branch(cpu, target);
    return 0;
}

/* BRANCH AND SAVE (BASR, BAS), BRANCH RELATIVE AND SAVE (BRAS), LONG (BRASL): link information to R1, then the branch.
   BASR with R2 zero does not branch. */
int cpu_basr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu->gr[i->r2];
    int code = i->r2 ? trace(cpu, target, cpu->psw.mask, true) : 0;
    if (code)
        return code;
    set_link(cpu, i->r1);
    if (i->r2)
        cpu_branch(cpu, target);
    return 0;
}
int cpu_bas(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    set_link(cpu, i->r1);
    cpu_branch(cpu, target);
    return 0;
}
int cpu_bras(struct cpu *cpu, const struct dis_insn *i)
{
    set_link(cpu, i->r1);
    cpu_branch(cpu, cpu_relative(cpu, i->i2));
    return 0;
}

/* The addressing mode and the address in `target`: bit 63 one is the 64-bit mode (and counts as zero in the address),
   else bit 32 chooses the 31-bit or the 24-bit mode. */
static uint64_t mode_of(uint64_t target) { return target & 1 ? PSW_EA | PSW_BA : target & PSW_BA; }
static void branch_and_set_mode(struct cpu *cpu, uint64_t target)
{
    cpu->psw.mask = (cpu->psw.mask & ~(PSW_EA | PSW_BA)) | mode_of(target);
    cpu_mode_changed(cpu);
    cpu_branch(cpu, target & ~UINT64_C(1));
}

/* BRANCH AND SAVE AND SET MODE (BASSM): link information as for BRANCH AND SAVE, with a one in bit 63 in the 64-bit
   mode; then, when R2 is not zero, addressing mode and address are taken from R2. */
int cpu_bassm(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu->gr[i->r2];
    int code = i->r2 ? trace(cpu, target & ~UINT64_C(1), mode_of(target), true) : 0;
    if (code)
        return code;
    set_link(cpu, i->r1);
    if (mode64(cpu))
        cpu->gr[i->r1] |= 1;
    if (i->r2)
        branch_and_set_mode(cpu, target);
    return 0;
}

/* BRANCH AND SET MODE (BSM): when R1 is not zero, the addressing mode is put into its bit 63 (64-bit mode: one, the
   rest unchanged) or bit 32 (the rest unchanged); when R2 is not zero, mode and address are taken from R2. */
int cpu_bsm(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu->gr[i->r2];
    int code = i->r2 ? trace(cpu, target & ~UINT64_C(1), mode_of(target), false) : 0;
    if (code)
        return code;
    if (i->r1) {
        if (mode64(cpu))
            cpu->gr[i->r1] |= 1;
        else if (mode24(cpu))
            cpu->gr[i->r1] &= ~BIT64(32);
        else
            cpu->gr[i->r1] |= BIT64(32);
    }
    if (i->r2)
        branch_and_set_mode(cpu, target);
    return 0;
}

/* BRANCH ON CONDITION (BCR, BC), BRANCH RELATIVE ON CONDITION (BRC), LONG (BRCL): when the condition code selects a one
   in M1. BCR with R2 zero does not branch. */
int cpu_bcr(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->r2 && general_condition(cpu, i->m1))
        cpu_branch(cpu, cpu->gr[i->r2]);
    return 0;
}
int cpu_bc(struct cpu *cpu, const struct dis_insn *i)
{
    if (general_condition(cpu, i->m1))
        cpu_branch(cpu, cpu_ea2(cpu, i));
    return 0;
}
int cpu_brc(struct cpu *cpu, const struct dis_insn *i)
{
    if (general_condition(cpu, i->m1))
        cpu_branch(cpu, cpu_relative(cpu, i->i2));
    return 0;
}

/* BRANCH INDIRECT ON CONDITION (BIC): as BC, the branch address being the doubleword at the second-operand location,
   which is not accessed (our reading) when the condition is not met. Access exceptions. */
int cpu_bic(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target;
    if (!general_condition(cpu, i->m1))
        return 0;
    int code = general_doubleword(cpu, i, &target);
    if (code)
        return code;
    cpu_branch(cpu, target);
    return 0;
}

/* BRANCH ON COUNT (BCTR, BCTGR, BCT, BCTG), BRANCH RELATIVE ON COUNT (BRCT, BRCTG), HIGH (BRCTH: bits 0-31): R1 is
   reduced by one, and the branch is taken when the result is not zero. BCTR and BCTGR with R2 zero do not branch. */
static bool count32(struct cpu *cpu, unsigned r1)
{
    set_gr32(cpu, r1, gr32(cpu, r1) - 1);
    return gr32(cpu, r1) != 0;
}
int cpu_bctr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu->gr[i->r2];
    if (count32(cpu, i->r1) && i->r2)
        cpu_branch(cpu, target);
    return 0;
}
int cpu_bctgr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu->gr[i->r2];
    if (--cpu->gr[i->r1] && i->r2)
        cpu_branch(cpu, target);
    return 0;
}
int cpu_bct(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    if (count32(cpu, i->r1))
        cpu_branch(cpu, target);
    return 0;
}
int cpu_bctg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    if (--cpu->gr[i->r1])
        cpu_branch(cpu, target);
    return 0;
}
int cpu_brct(struct cpu *cpu, const struct dis_insn *i)
{
    if (count32(cpu, i->r1))
        cpu_branch(cpu, cpu_relative(cpu, i->i2));
    return 0;
}
int cpu_brctg(struct cpu *cpu, const struct dis_insn *i)
{
    if (--cpu->gr[i->r1])
        cpu_branch(cpu, cpu_relative(cpu, i->i2));
    return 0;
}
int cpu_brcth(struct cpu *cpu, const struct dis_insn *i)
{
    set_grh32(cpu, i->r1, grh32(cpu, i->r1) - 1);
    if (grh32(cpu, i->r1))
        cpu_branch(cpu, cpu_relative(cpu, i->i2));
    return 0;
}

/* BRANCH ON INDEX HIGH (BXH, BXHG), LOW OR EQUAL (BXLE, BXLEG) and the relative forms (BRXH, BRXHG, BRXLE, BRXLG): R3
   is added to R1, overflow ignored, and the sum compared with the register R3 when its number is odd, R3+1 otherwise
   (its contents before the addition). Yields whether the sum is high. */
static bool index32(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t comparand = (int32_t)gr32(cpu, i->r3 | 1u);
    set_gr32(cpu, i->r1, gr32(cpu, i->r1) + gr32(cpu, i->r3));
    return (int32_t)gr32(cpu, i->r1) > comparand;
}
static bool index64(struct cpu *cpu, const struct dis_insn *i)
{
    int64_t comparand = (int64_t)cpu->gr[i->r3 | 1u];
    cpu->gr[i->r1] += cpu->gr[i->r3];
    return (int64_t)cpu->gr[i->r1] > comparand;
}
static int branch_if(struct cpu *cpu, bool taken, uint64_t target)
{
    if (taken)
        cpu_branch(cpu, target);
    return 0;
}
int cpu_bxh(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    return branch_if(cpu, index32(cpu, i), target);
}
int cpu_bxhg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    return branch_if(cpu, index64(cpu, i), target);
}
int cpu_bxle(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    return branch_if(cpu, !index32(cpu, i), target);
}
int cpu_bxleg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t target = cpu_ea2(cpu, i);
    return branch_if(cpu, !index64(cpu, i), target);
}
int cpu_brxh(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_if(cpu, index32(cpu, i), cpu_relative(cpu, i->i2));
}
int cpu_brxhg(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_if(cpu, index64(cpu, i), cpu_relative(cpu, i->i2));
}
int cpu_brxle(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_if(cpu, !index32(cpu, i), cpu_relative(cpu, i->i2));
}
int cpu_brxlg(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_if(cpu, !index64(cpu, i), cpu_relative(cpu, i->i2));
}

/* BRANCH PREDICTION PRELOAD (BPP), RELATIVE (BPRP), PREFETCH DATA (PFD), RELATIVE LONG (PFDRL), NEXT INSTRUCTION ACCESS
   INTENT (NIAI), PERFORM PROCESSOR ASSIST (PPA): hints without effect here. No exceptions. */
int cpu_hint(struct cpu *cpu, const struct dis_insn *i)
{
    (void)cpu;
    (void)i;
    return 0;
}

/* INSERT PROGRAM MASK (IPM): zeros, condition code and program mask to bits 32-39 of R1. */
int cpu_ipm(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v = (uint32_t)cpu->cc << 28 | (uint32_t)field64(cpu->psw.mask, 20, 23) << 24;
    set_gr32(cpu, i->r1, v | (gr32(cpu, i->r1) & 0xffffff));
    return 0;
}

/* SET PROGRAM MASK (SPM): condition code and program mask from bits 34-39 of R1. */
int cpu_spm(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->cc = (uint8_t)field64(cpu->gr[i->r1], 34, 35);
    cpu->psw.mask = (cpu->psw.mask & ~PSW_PM) | field64(cpu->gr[i->r1], 36, 39) << (63 - 23);
    return 0;
}

/* TEST ADDRESSING MODE (TAM). Condition code: 0 24-bit, 1 31-bit, 3 64-bit mode. */
int cpu_tam(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    cpu->cc = mode64(cpu) ? 3 : mode24(cpu) ? 0 : 1;
    return 0;
}

/* SET ADDRESSING MODE (SAM24, SAM31, SAM64): the instruction address is updated in the new mode. Specification
   exception: the address of the instruction (of the execute-type instruction when it is a target) does not fit the new
   mode. */
static int set_addressing_mode(struct cpu *cpu, uint64_t bits, uint64_t limit)
{
    if (cpu->insn_ia > limit)
        return PIC_SPECIFICATION;
    int code = trace(cpu, 0, bits, false);
    if (code)
        return code;
    cpu->psw.mask = (cpu->psw.mask & ~(PSW_EA | PSW_BA)) | bits;
    cpu_mode_changed(cpu);
    cpu->psw.ia = (cpu->insn_ia + cpu->ilc) & limit;
    return 0;
}
int cpu_sam24(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return set_addressing_mode(cpu, 0, 0xffffff);
}
int cpu_sam31(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return set_addressing_mode(cpu, PSW_BA, 0x7fffffff);
}
int cpu_sam64(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return set_addressing_mode(cpu, PSW_EA | PSW_BA, ~UINT64_C(0));
}

/* EXTRACT PSW (EPSW): PSW bits 0-31 to bits 32-63 of R1, and PSW bits 32-63 to those of R2 unless R2 is zero. */
int cpu_epsw(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t mask = cpu_psw_mask(cpu);
    set_gr32(cpu, i->r1, (uint32_t)(mask >> 32));
    if (i->r2)
        set_gr32(cpu, i->r2, (uint32_t)mask);
    return 0;
}

/* Enhanced-monitor facility: instead of an interruption, event number `number` of an array in storage is counted. The
   array, in the home space (with DAT off: in real storage), has a halfword for every number, and behind these a word
   for every number that takes the carries. What cannot be counted is counted in the exception count, without
   interruption. */
enum { MONITOR_ORIGIN = 256, MONITOR_LENGTH = 264, MONITOR_EXCEPTIONS = 268 };

/* One is added to `bytes` (2 or 4) bytes of the array; *carry: they became zero. */
static int count_at(struct cpu *cpu, uint64_t address, unsigned bytes, bool *carry)
{
    uint8_t counter[4];
    struct cpu_access access = {.address = address,
                                .space = cpu->psw.mask & PSW_DAT ? CPU_SPACE_HOME : CPU_SPACE_REAL,
                                .kind = CPU_FETCH,
                                .no_per = true,
                                .wide = true};
    int code = cpu_fetch_as(cpu, &access, counter, bytes);
    if (code)
        return code;
    if (bytes == 2)
        put16(counter, (uint16_t)(get16(counter) + 1));
    else
        put32(counter, get32(counter) + 1);
    *carry = bytes == 2 ? !get16(counter) : !get32(counter);
    access.kind = CPU_STORE;
    return cpu_store_as(cpu, &access, counter, bytes);
}

static void count_monitor_event(struct cpu *cpu, uint64_t number)
{
    uint8_t *low = cpu->sys->storage.bytes + cpu->prefix;
    uint64_t origin = get64(low + MONITOR_ORIGIN);
    uint32_t length = get32(low + MONITOR_LENGTH);
    const uint8_t access_id = cpu->exception_access_id;
    bool carry = false;
    int code = PIC_ADDRESSING;
    if (number < length)
        code = count_at(cpu, origin + 2 * number, 2, &carry);
    if (!code && carry)
        code = count_at(cpu, origin + 2 * (uint64_t)length + 4 * number, 4, &carry);
    if (code) {
        put32(low + MONITOR_EXCEPTIONS, get32(low + MONITOR_EXCEPTIONS) + 1);
        cpu_code_stored(cpu, cpu->prefix + MONITOR_EXCEPTIONS, 4);
    }
    cpu->exception_access_id = access_id;
}

/* MONITOR CALL (MC): when the monitor mask (bits 48-63 of control register 8) has a one for the class in bits 4-7 of
   I2, a monitor event, or, when the enhanced-monitor mask (bits 16-31) has a one for it too, an event that is counted.
   The monitor code is the first-operand address. Specification exception: bits 0-3 of I2 not zeros. Monitor event
   (completed). */
int cpu_mc(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->i2 & 0xf0)
        return PIC_SPECIFICATION;
    unsigned class = (unsigned)i->i2 & 0xf;
    if (!(cpu->cr[8] & BIT64(CR8_MONITOR_MASKS_BIT + class)))
        return 0;
    if (cpu_tx_active(cpu))
        return cpu_tx_restricted(cpu);
    if ((cpu->cr[8] & BIT64(CR8_ENHANCED_MONITOR_MASKS_BIT + class)) &&
        cpu_facility(cpu->sys, FACILITY_ENHANCED_MONITOR)) {
        count_monitor_event(cpu, cpu_ea1(cpu, i));
        return 0;
    }
    cpu->monitor_class = (uint8_t) class;
    cpu->monitor_code = cpu_ea1(cpu, i);
    return PIC_MONITOR_EVENT;
}

/* SUPERVISOR CALL (SVC): the supervisor-call interruption with the instruction's I field as code. */
int cpu_svc(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->svc_code = (uint8_t)i->i2;
    return CPU_SVC;
}

/* LOAD COUNT TO BLOCK BOUNDARY (LCBB): R1 receives the number of bytes from the second-operand address to the next
   boundary of 64, 128, ... 4096 bytes by M3 (0-6), at most 16. Condition code: 0 sixteen, 3 less. Specification
   exception: M3 above 6. Storage is not accessed. */
int cpu_lcbb(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > 6)
        return PIC_SPECIFICATION;
    const uint32_t block = UINT32_C(64) << i->m3;
    uint32_t left = block - ((uint32_t)cpu_ea2(cpu, i) & (block - 1));
    set_gr32(cpu, i->r1, left < 16 ? left : 16);
    cpu->cc = left < 16 ? 3 : 0;
    return 0;
}
