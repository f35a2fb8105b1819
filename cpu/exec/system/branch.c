/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions that go on elsewhere by tables or save areas of a dispatchable unit: BRANCH AND SET AUTHORITY,
   BRANCH IN SUBSPACE GROUP, RESUME PROGRAM, TRAP. PoP chapter 10 (SA22-7832-13). */
#include "cpu/control/psw.h"
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"
#include "cpu/storage/art.h"
#include "cpu/storage/code.h"

#define ASCE_SUBSPACE_GROUP BIT64(54)
#define ASCE_EVENTS         (BIT64(56) | BIT64(57))
#define ASTE_ORIGIN         0x7fffffc0u

/* A store into the dispatchable-unit control table is possible. Returns 0, PIC_PROTECTION (low-address) or
   PIC_ADDRESSING. */
static int duct_writable(struct cpu *cpu)
{
    uint32_t duct = control_duct(cpu);
    int code = cpu_low_address_exception(cpu, duct);
    if (code)
        return code;
    return cpu_real_host(cpu, duct, 64) ? 0 : PIC_ADDRESSING;
}

/* Store after duct_writable(). */
static void duct_store(struct cpu *cpu, unsigned offset, const void *from, unsigned length)
{
    uint32_t real = control_duct(cpu) + offset;
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    memcpy(cpu->sys->storage.bytes + absolute, from, length);
    cpu_code_stored(cpu, absolute, length);
}
static void duct_store_word(struct cpu *cpu, unsigned offset, uint32_t word)
{
    uint8_t bytes[4];
    put32(bytes, word);
    duct_store(cpu, offset, bytes, 4);
}

/* The address behind this instruction with the addressing mode, as these instructions save it: bit 32 is one in the
   31-bit mode. */
static uint64_t return_address(const struct cpu *cpu)
{
    return cpu->psw.ia | (cpu->psw.mask & PSW_EA ? 0 : cpu->psw.mask & PSW_BA);
}
static void link_return(struct cpu *cpu, unsigned r)
{
    if (r)
        set_gr_address(cpu, r, return_address(cpu));
}

/* The addressing mode stays in the 64-bit mode; else bit 32 of `target` chooses. */
static uint64_t mode_of_target(const struct cpu *cpu, uint64_t target)
{
    if (cpu->psw.mask & PSW_EA)
        return cpu->psw.mask;
    return (cpu->psw.mask & ~PSW_BA) | (target & PSW_BA);
}

static int trace_branch(struct cpu *cpu, struct control_trace *trace, uint64_t target)
{
    bool mode24 = !(mode_of_target(cpu, target) & PSW_BA);
    if (!(cpu->cr[12] & CR12_BRANCH_TRACE))
        return 0;
    return control_trace_branch(cpu, trace, cpu->psw.mask & PSW_EA ? target : target & 0x7fffffff, mode24);
}

/* ---- BRANCH AND SET AUTHORITY --------------------------------------------------------------------------------- */

/* Word 5 of the DUCT. */
#define DUCT5_KEY_MASK 0xffff0000u
#define DUCT5_REDUCED  BIT32(28)
#define DUCT5_PROBLEM  BIT32(31)

/* To the reduced-authority state: key mask and key from R1, problem state, branch to R2. */
static int to_reduced_authority(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t r1 = cpu->gr[i->r1], target = cpu->gr[i->r2];
    unsigned key = (unsigned)r1 >> 4 & 15;
    uint8_t bytes[8];
    struct control_trace trace;
    if (!i->r2 || control_key_refused(cpu, key))
        return PIC_SPECIAL_OPERATION;
    control_trace_begin(cpu, &trace);
    int code = trace_branch(cpu, &trace, target);
    if (code)
        return code;
    if (cpu_problem_state(cpu) && !(cpu->cr[3] & BIT64(CR3_KEY_MASK_BIT + key)))
        return PIC_PRIVILEGED_OPERATION;
    control_trace_commit(cpu, &trace);
    put64(bytes, return_address(cpu));
    duct_store(cpu, 32, bytes, 8);
    duct_store_word(cpu, 20,
                    ((uint32_t)cpu->cr[3] & DUCT5_KEY_MASK) | cpu_key(cpu) << 4 | DUCT5_REDUCED |
                        (cpu_problem_state(cpu) ? DUCT5_PROBLEM : 0));
    cpu->cr[3] &= r1 | ~CR3_KEY_MASK;
    cpu->psw.mask = (mode_of_target(cpu, target) & ~PSW_KEY) | (uint64_t)key << (63 - 11) | PSW_PROBLEM;
    cpu_mode_changed(cpu);
    cpu_branch(cpu, target);
    return 0;
}

/* Back to the base-authority state: everything from the DUCT. */
static int to_base_authority(struct cpu *cpu, const struct dis_insn *i, uint32_t word)
{
    uint8_t bytes[8];
    struct control_trace trace;
    if (i->r2)
        return PIC_SPECIAL_OPERATION;
    int code = control_fetch_table(cpu, control_duct(cpu) + 32, bytes, 8);
    if (code)
        return code;
    uint64_t target = get64(bytes);
    control_trace_begin(cpu, &trace);
    code = trace_branch(cpu, &trace, target);
    if (code)
        return code;
    control_trace_commit(cpu, &trace);
    link_return(cpu, i->r1);
    duct_store_word(cpu, 20, word & ~DUCT5_REDUCED);
    cpu->cr[3] = (cpu->cr[3] & ~CR3_KEY_MASK) | (word & DUCT5_KEY_MASK);
    uint64_t mask = cpu_psw_mask(cpu) & ~(PSW_KEY | PSW_PROBLEM | PSW_EA | PSW_BA);
    mask |= mode_of_target(cpu, target) & (PSW_EA | PSW_BA);
    mask |= (uint64_t)(word >> 4 & 15) << (63 - 11) | (word & DUCT5_PROBLEM ? PSW_PROBLEM : 0);
    cpu->branched = true;
    return control_introduce_psw(cpu, mask, mask & PSW_EA ? target : target & 0x7fffffff);
}

/* BRANCH AND SET AUTHORITY: in the base-authority state, branch to the address in R2 with the key in bits 56-59 and the
   PSW-key mask ANDed with bits 32-47 of R1, in the problem state; what was goes to the dispatchable-unit control table.
   In the reduced-authority state that is restored, and R1 (not zero) receives the return address. CC: unchanged.
   Exceptions: protection (low-address), addressing (DUCT); special operation (R2 zero in the base state, not zero in
   the reduced one); trace; privileged operation (key not permitted); specification (early, restored address). */
int cpu_bsa(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t word;
    int code = duct_writable(cpu);
    if (!code)
        code = control_fetch_words(cpu, control_duct(cpu) + 20, &word, 1);
    if (code)
        return code;
    return word & DUCT5_REDUCED ? to_base_authority(cpu, i, word) : to_reduced_authority(cpu, i);
}

/* ---- BRANCH IN SUBSPACE GROUP --------------------------------------------------------------------------------- */

/* The destination ASTE for `alet`. */
static int subspace_destination(struct cpu *cpu, const uint32_t duct[4], uint32_t alet, unsigned ar,
                                struct control_aste *aste)
{
    uint32_t base = duct[0] & ASTE_ORIGIN, last = duct[1] & ASTE_ORIGIN, origin;
    if (alet == 0)
        return control_fetch_aste(cpu, base, aste);
    if (alet == 1) {
        if (!last)
            return PIC_SPECIAL_OPERATION;
        int code = control_fetch_aste(cpu, last, aste);
        if (code)
            return code;
        cpu->exception_access_id = (uint8_t)ar;
        if (control_aste_invalid(aste))
            return PIC_ASTE_VALIDITY;
        return control_aste_sequence(aste) != duct[3] ? PIC_ASTE_SEQUENCE : 0;
    }
    cpu->exception_access_id = (uint8_t)ar;
    int code = art_find_aste(cpu, alet, &origin);
    if (!code)
        code = control_fetch_aste(cpu, origin, aste);
    if (code)
        return code;
    bool group = (control_aste_asce(aste) & ASCE_SUBSPACE_GROUP) != 0;
    return aste->origin != base && (!group || control_aste_base(aste)) ? PIC_SPECIAL_OPERATION : 0;
}

/* BRANCH IN SUBSPACE GROUP: branch to the address in R2 in the space of the subspace group that access register R2
   names: ALET 0 (and R2 zero) the base space, 1 the subspace last used, others by the access lists. Primary and
   secondary space become that space; R1 (not zero) receives the return address. CC: unchanged. Exceptions: special
   operation (DAT off); trace; protection (low-address), addressing; special operation (primary space is not of the
   dispatchable unit's group); ALET specification, ALEN translation, ALE sequence, ASTE validity and sequence; special
   operation (no subspace used yet; destination not of the group). */
int cpu_bsg(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t duct[4], alet = i->r2 ? cpu->ar[i->r2] : 0;
    uint64_t target = cpu->gr[i->r2];
    struct control_aste aste;
    struct control_trace trace;
    if (!(cpu->psw.mask & PSW_DAT))
        return PIC_SPECIAL_OPERATION;
    control_trace_begin(cpu, &trace);
    int code = cpu->cr[12] & CR12_ASN_TRACE ? control_trace_subspace(cpu, &trace, alet, target)
                                            : trace_branch(cpu, &trace, target);
    if (!code)
        code = duct_writable(cpu);
    if (!code)
        code = control_fetch_words(cpu, control_duct(cpu), duct, 4);
    if (code)
        return code;
    if (((uint32_t)cpu->cr[5] & ASTE_ORIGIN) != (duct[0] & ASTE_ORIGIN))
        return PIC_SPECIAL_OPERATION;
    code = subspace_destination(cpu, duct, alet, i->r2, &aste);
    if (code)
        return code;
    control_trace_commit(cpu, &trace);
    bool to_base = aste.origin == (duct[0] & ASTE_ORIGIN) && alet != 1;
    uint64_t kept = to_base ? 0 : ASCE_EVENTS;
    cpu->cr[1] = (cpu->cr[1] & kept) | (control_aste_asce(&aste) & ~kept);
    cpu->cr[7] = cpu->cr[1];
    cpu->cr[3] = control_with_asn(cpu->cr[3], control_pasn(cpu));
    if (control_reuse(cpu))
        cpu->cr[3] = control_with_instance(cpu->cr[3], (uint32_t)(cpu->cr[4] >> 32));
    if (alet > 1 && !to_base) {
        duct_store_word(cpu, 4, BIT32(0) | aste.origin);
        duct_store_word(cpu, 12, control_aste_sequence(&aste));
    } else {
        duct_store_word(cpu, 4, to_base ? duct[1] & ~BIT32(0) : duct[1] | BIT32(0));
    }
    link_return(cpu, i->r1);
    cpu->psw.mask = mode_of_target(cpu, target);
    cpu_mode_changed(cpu);
    cpu_branch(cpu, target);
    return 0;
}

/* ---- RESUME PROGRAM ------------------------------------------------------------------------------------------- */

/* The parameter list behind RESUME PROGRAM. */
struct resume {
    bool long_psw, long_register, disjoint;
    unsigned psw, access, general, high; /* offsets from the second-operand address */
};

static int resume_list(struct cpu *cpu, struct resume *r)
{
    uint8_t bytes[10];
    struct cpu_access access = {.address = (cpu->executed ? cpu->target_ia + 4 : cpu->psw.ia) & cpu->address_mask,
                                .space = CPU_SPACE_CURRENT,
                                .key = (uint8_t)cpu_key(cpu),
                                .kind = CPU_INSTRUCTION};
    int code = cpu_fetch_as(cpu, &access, bytes, 8);
    if (code)
        return code;
    unsigned flags = get16(bytes);
    if (flags & 0xfff8)
        return PIC_SPECIFICATION;
    *r = (struct resume){.long_psw = flags & 4,
                         .long_register = flags & 2,
                         .disjoint = (flags & 3) == 3,
                         .psw = get16(bytes + 2),
                         .access = get16(bytes + 4),
                         .general = get16(bytes + 6)};
    if (!r->disjoint)
        return 0;
    access.address = (access.address + 8) & cpu->address_mask;
    code = cpu_fetch_as(cpu, &access, bytes, 2);
    r->high = get16(bytes);
    return code;
}

/* What RESUME PROGRAM loads. */
struct resumed {
    uint64_t mask, ia, general;
    uint32_t access;
};

static int resume_fetch(struct cpu *cpu, const struct dis_insn *i, const struct resume *r, struct resumed *to)
{
    uint64_t base = cpu_ea2(cpu, i), m = cpu->address_mask;
    uint8_t psw[16];
    uint32_t low = 0, high = grh32(cpu, i->b2);
    int code = cpu_fetch_bytes(cpu, (base + r->psw) & m, i->b2, psw, r->long_psw ? 16 : 8);
    if (!code)
        code = cpu_fetch4(cpu, (base + r->access) & m, i->b2, &to->access);
    if (!code && r->long_register && !r->disjoint)
        code = cpu_fetch8(cpu, (base + r->general) & m, i->b2, &to->general);
    else if (!code)
        code = cpu_fetch4(cpu, (base + r->general) & m, i->b2, &low);
    if (!code && r->disjoint)
        code = cpu_fetch4(cpu, (base + r->high) & m, i->b2, &high);
    if (code)
        return code;
    unsigned end = r->psw + (r->long_psw ? 16 : 8); /* reading: the operand reaches up to what lies farthest in it */
    end = end < r->access + 4 ? r->access + 4 : end;
    end = end < r->general + 4 ? r->general + 4 : end;
    end = r->long_register && !r->disjoint && end < r->general + 8 ? r->general + 8 : end;
    cpu->told_length = r->disjoint && end < r->high + 4 ? r->high + 4 : end;
    if (!r->long_register || r->disjoint)
        to->general = (uint64_t)high << 32 | low;
    to->mask = get64(psw) & ~(PSW_BA - 1);
    to->ia = r->long_psw ? get64(psw + 8) : get64(psw) & 0x7fffffff;
    return 0;
}

/* RESUME PROGRAM: condition code, program mask, address-space control, addressing mode and instruction address of the
   PSW, and access and general register B2, are loaded from the save area that the second-operand address and the
   offsets in the parameter list designate; the list stands behind the instruction (or the target of EXECUTE). CC:
   loaded. Exceptions: access (list); specification (flags); access (save area); trace; privileged operation (home-space
   mode from the problem state with DAT on); specification (addressing mode, address); space-switch event. */
int cpu_rp(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t replaced = PSW_AS | PSW_CC | PSW_PM | PSW_EA | PSW_BA;
    struct resume list;
    struct resumed to = {.mask = 0};
    struct control_trace trace;
    int code = resume_list(cpu, &list);
    if (!code)
        code = resume_fetch(cpu, i, &list, &to);
    if (code)
        return code;
    unsigned old = (unsigned)field64(cpu->psw.mask, 16, 17), new = (unsigned)field64(to.mask, 16, 17);
    uint64_t mode = to.mask & (PSW_EA | PSW_BA);
    control_trace_begin(cpu, &trace);
    if ((cpu->cr[12] & CR12_MODE_TRACE) && ((to.mask ^ cpu->psw.mask) & PSW_EA))
        code = cpu->cr[12] & CR12_BRANCH_TRACE ? control_trace_mode_switch_branch(cpu, &trace, to.ia)
                                               : control_trace_mode_switch(cpu, &trace);
    else if (cpu->cr[12] & CR12_BRANCH_TRACE)
        code = control_trace_branch(cpu, &trace, to.ia, !mode);
    if (code)
        return code;
    if ((cpu->psw.mask & PSW_DAT) && new == AS_HOME && cpu_problem_state(cpu))
        return PIC_PRIVILEGED_OPERATION;
    if (mode == PSW_EA || (to.ia & 1) || (!mode && to.ia > 0xffffff) || (mode == PSW_BA && to.ia > 0x7fffffff))
        return PIC_SPECIFICATION;
    control_trace_commit(cpu, &trace);
    cpu->ar[i->b2] = to.access;
    cpu->gr[i->b2] = to.general;
    cpu->cc = (uint8_t)field64(to.mask, 18, 19);
    cpu->psw.mask = ((cpu->psw.mask & ~replaced) | (to.mask & replaced)) & ~PSW_CC;
    cpu_mode_changed(cpu);
    cpu_branch(cpu, to.ia);
    return control_told(cpu, ET_RP, cpu->psw.mask & PSW_DAT ? control_space_switch(cpu, old, new) : 0);
}

/* ---- TRAP ----------------------------------------------------------------------------------------------------- */

/* The trap control block of the dispatchable unit. */
struct trap_block {
    uint32_t address; /* in the home space */
    bool long_psw, long_registers;
    uint32_t save_area, program;
};

static struct cpu_access trap_access(const struct cpu *cpu, uint32_t address, uint8_t kind)
{
    return (struct cpu_access){
        .address = address, .space = CPU_SPACE_HOME, .key = (uint8_t)cpu_key(cpu), .kind = kind, .wide = true};
}

static int trap_block(struct cpu *cpu, struct trap_block *block)
{
    uint32_t word;
    uint8_t bytes[24];
    int code = control_fetch_words(cpu, control_duct(cpu) + 44, &word, 1);
    if (code)
        return code;
    if (!(word & BIT32(31)))
        return PIC_SPECIAL_OPERATION;
    block->address = word & 0x7ffffff8;
    struct cpu_access access = trap_access(cpu, block->address, CPU_FETCH);
    code = cpu_fetch_as(cpu, &access, bytes, sizeof bytes);
    if (code)
        return code;
    block->long_psw = get32(bytes) & BIT32(13);
    block->long_registers = get32(bytes) & BIT32(14);
    block->save_area = get32(bytes + 12) & 0x7ffffff8;
    block->program = get32(bytes + 20) & 0x7fffffff;
    return 0;
}

/* Fill the trap save area; its length. `operand`: of TRAP4. */
static unsigned trap_save(const struct cpu *cpu, const struct trap_block *block, bool trap4, uint32_t operand,
                          uint8_t area[160])
{
    uint64_t mask = cpu_psw_mask(cpu);
    put32(area, (cpu->executed ? BIT32(0) : 0) | (trap4 ? BIT32(1) : 0) | (uint32_t)cpu->ilc << 16);
    put32(area + 8, operand);
    put32(area + 12, cpu->ar[15]);
    put64(area + 16, block->long_psw ? mask : mask | PSW_BIT12 | cpu->psw.ia);
    put64(area + 24, block->long_psw ? cpu->psw.ia : 0);
    for (unsigned n = 0; n < 16; n++)
        if (block->long_registers)
            put64(area + 32 + 8 * n, cpu->gr[n]);
        else
            put32(area + 32 + 4 * n, gr32(cpu, n));
    return block->long_registers ? 160 : 96;
}

/* TRAP: the trap program of the dispatchable unit gets control in the primary-space and 31-bit mode, register 15
   addressing the trap control block; the state is in the trap save area, in the home space. CC: unchanged.
   Exceptions: special operation (DAT off, secondary-space or home-space mode); addressing; special operation (traps not
   enabled); access (control block, save area); special operation (64-bit mode with an 8-byte PSW); trace. */
static int trap(struct cpu *cpu, bool trap4, uint64_t operand)
{
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    struct trap_block block;
    uint8_t area[160] = {0};
    struct control_trace trace;
    if (!(cpu->psw.mask & PSW_DAT) || as == AS_SECONDARY || as == AS_HOME)
        return PIC_SPECIAL_OPERATION;
    int code = trap_block(cpu, &block);
    if (code)
        return code;
    if (!block.long_psw && (cpu->psw.mask & PSW_EA))
        return PIC_SPECIAL_OPERATION;
    control_trace_begin(cpu, &trace);
    if (cpu->cr[12] & CR12_BRANCH_TRACE)
        code = control_trace_branch(cpu, &trace, block.program, false);
    if (code)
        return code;
    unsigned length = trap_save(cpu, &block, trap4, (uint32_t)operand & 0x7fffffff, area);
    struct cpu_access access = trap_access(cpu, block.save_area, CPU_STORE);
    code = cpu_store_as(cpu, &access, area, length);
    if (code)
        return code;
    control_trace_commit(cpu, &trace);
    set_gr_address(cpu, 15, block.address);
    cpu->psw.mask = (cpu->psw.mask & ~(PSW_AS | PSW_EA)) | PSW_BA;
    cpu_mode_changed(cpu);
    cpu_branch(cpu, block.program);
    return 0;
}
int cpu_trap2(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return trap(cpu, false, 0);
}
int cpu_trap4(struct cpu *cpu, const struct dis_insn *i) { return trap(cpu, true, cpu_ea2(cpu, i)); }
