/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PROGRAM CALL, and BRANCH AND STACK. PoP chapters 5 and 10 (SA22-7832-13). */
#include "cpu/control/psw.h"
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"

/* Word 1 of an entry-table entry. */
#define ETE1_MODE    BIT32(0)
#define ETE1_ADDRESS 0x7ffffffeu
#define ETE1_PROBLEM BIT32(31)
/* Word 4. */
#define ETE4_STACKING  BIT32(0)
#define ETE4_64_BIT    BIT32(1)
#define ETE4_KEY       BIT32(3)
#define ETE4_KEY_MASK  BIT32(4)
#define ETE4_EAX       BIT32(5)
#define ETE4_AR_MODE   BIT32(6)
#define ETE4_SECONDARY BIT32(7)
#define NUMBER_LONG    BIT32(12) /* bit 44 of the address: the PC number has 32 bits */

/* A PROGRAM CALL on its way. */
struct call {
    uint32_t shown;           /* PC number as an interruption shows it */
    uint32_t number;          /* without the bit that makes it long */
    uint32_t ete[8];          /* entry-table entry */
    struct control_aste aste; /* with a space switch */
    unsigned asn;             /* 0: to the current primary space */
    uint64_t pasce;           /* as it becomes */
    uint64_t ia;
};

/* An exception of PC-number translation. */
static int refuse(struct cpu *cpu, const struct call *c, int code)
{
    cpu->teid = c->shown;
    cpu->exception_access_id = 0;
    return code;
}

/* Linkage table: the word with the designation of the entry table. */
static int linkage_table(struct cpu *cpu, const struct call *c, uint32_t designation, uint32_t *entry)
{
    uint32_t lx = c->number >> 8 & 0xfff;
    if (lx >> 5 > (designation & 0x7f))
        return refuse(cpu, c, PIC_LX_TRANSLATION);
    int code = control_fetch_words(cpu, (designation & 0x7fffff80) + 4 * lx, entry, 1);
    if (code)
        return code;
    return *entry & BIT32(0) ? refuse(cpu, c, PIC_LX_TRANSLATION) : 0;
}

/* Linkage first and second table, with ASN-and-LX reuse. */
static int linkage_two_tables(struct cpu *cpu, const struct call *c, uint32_t designation, uint32_t *entry)
{
    uint32_t first, second[2], lfx = c->number >> 13;
    if ((c->shown & NUMBER_LONG) && c->number >> 19 > (designation & 0xff))
        return refuse(cpu, c, PIC_LFX_TRANSLATION);
    int code = control_fetch_words(cpu, (designation & 0x7fffff00) + 4 * lfx, &first, 1);
    if (code)
        return code;
    if (first & BIT32(0))
        return refuse(cpu, c, PIC_LFX_TRANSLATION);
    code = control_fetch_words(cpu, (first & 0x7fffff00) + 8 * (c->number >> 8 & 31), second, 2);
    if (code)
        return code;
    if (second[0] & BIT32(0))
        return refuse(cpu, c, PIC_LSX_TRANSLATION);
    if (second[1] && second[1] != grh32(cpu, 15))
        return refuse(cpu, c, PIC_LSTE_SEQUENCE);
    *entry = second[0];
    return 0;
}

/* PC-number translation: fills c->ete. */
static int translate_number(struct cpu *cpu, struct call *c, uint32_t designation)
{
    uint32_t table, ex = c->number & 0xff;
    int code = control_reuse(cpu) ? linkage_two_tables(cpu, c, designation, &table)
                                  : linkage_table(cpu, c, designation, &table);
    if (code)
        return code;
    if (ex >> 2 > (table & 0x3f))
        return refuse(cpu, c, PIC_EX_TRANSLATION);
    return control_fetch_words(cpu, (table & 0x7fffffc0) + 32 * ex, c->ete, 8);
}

/* The checks on the entry-table entry, and the space it calls. */
static int examine_entry(struct cpu *cpu, struct call *c)
{
    bool stacking = c->ete[4] & ETE4_STACKING, long_mode = c->ete[4] & ETE4_64_BIT;
    if (!stacking && field64(cpu->psw.mask, 16, 17) == AS_ACCESS_REGISTER)
        return PIC_SPECIAL_OPERATION;
    if (!stacking && long_mode != ((cpu->psw.mask & PSW_EA) != 0))
        return PIC_SPECIAL_OPERATION;
    if (!long_mode && !(c->ete[1] & ETE1_MODE) && (c->ete[1] & ETE1_ADDRESS) > 0xffffff)
        return PIC_PC_TRANSLATION_SPECIFICATION;
    if (cpu_problem_state(cpu) && !((uint32_t)cpu->cr[3] & c->ete[2] & 0xffff0000))
        return PIC_PRIVILEGED_OPERATION;
    c->ia = long_mode ? (uint64_t)c->ete[0] << 32 | (c->ete[1] & ~ETE1_PROBLEM) : c->ete[1] & ETE1_ADDRESS;
    if ((c->ete[4] & ETE4_STACKING) && (c->ete[4] & ETE4_KEY) && control_key_refused(cpu, c->ete[4] >> 20 & 15))
        return PIC_SPECIAL_OPERATION;
    c->asn = c->ete[2] & 0xffff;
    c->pasce = cpu->cr[1];
    if (!c->asn)
        return 0;
    if (!(cpu->cr[14] & CR14_ASN_TRANSLATION))
        return PIC_SPECIAL_OPERATION;
    int code = control_fetch_aste(cpu, c->ete[5] & 0x7fffffc0, &c->aste);
    if (code)
        return code;
    if (control_aste_invalid(&c->aste)) {
        cpu->teid = c->asn;
        return PIC_ASX_TRANSLATION;
    }
    c->pasce = control_aste_asce(&c->aste);
    return control_replace_subspace(cpu, &c->aste, &c->pasce);
}

/* Basic: the link goes to general registers 3 and 14. With ASN-and-LX reuse the instance number of the primary ASN goes
   to bits 0-31 of register 3, where PROGRAM TRANSFER WITH INSTANCE expects it. */
static void link_basic(struct cpu *cpu)
{
    uint64_t problem = cpu_problem_state(cpu) ? 1 : 0;
    if (cpu->psw.mask & PSW_EA)
        cpu->gr[14] = cpu->psw.ia | problem;
    else
        set_gr32(cpu, 14, (uint32_t)(cpu->psw.ia | problem | (cpu->psw.mask & PSW_BA)));
    set_gr32(cpu, 3, (uint32_t)(cpu->cr[3] & CR3_KEY_MASK) | control_pasn(cpu));
    if (control_reuse(cpu))
        set_grh32(cpu, 3, (uint32_t)(cpu->cr[4] >> 32));
}

/* Stacking: the state entry. */
static int link_stacking(struct cpu *cpu, const struct call *c, const struct control_stack_place *place)
{
    struct control_stacking stacking = {.type = STACK_CALL, .mask = cpu_psw_mask(cpu), .ia = cpu->psw.ia};
    uint32_t sequence = control_reuse(cpu) ? control_aste_instance(&c->aste) : control_aste_sequence(&c->aste);
    uint32_t space = c->asn ? c->asn << 16 | (sequence & 0xffff) : 0;
    stacking.special = (uint64_t)space << 32 | c->number | (c->ete[4] & ETE4_64_BIT ? BIT32(0) : 0);
    return control_stack_form(cpu, place, &stacking);
}

/* PSW, key mask and extended authorization index of the called program. */
static void enter_program(struct cpu *cpu, const struct call *c)
{
    uint32_t flags = c->ete[4];
    uint64_t mask = cpu->psw.mask & ~(PSW_PROBLEM | PSW_EA | PSW_BA);
    if (flags & ETE4_64_BIT)
        mask |= PSW_EA | PSW_BA;
    else if (c->ete[1] & ETE1_MODE)
        mask |= PSW_BA;
    if (c->ete[1] & ETE1_PROBLEM)
        mask |= PSW_PROBLEM;
    if (flags & ETE4_STACKING) {
        if (flags & ETE4_KEY)
            mask = (mask & ~PSW_KEY) | (uint64_t)(flags >> 20 & 15) << (63 - 11);
        if (flags & ETE4_KEY_MASK)
            cpu->cr[3] &= ~CR3_KEY_MASK;
        if (flags & ETE4_EAX)
            cpu->cr[8] = control_with_index(cpu->cr[8], flags & 0xffff);
        mask &= ~PSW_AS;
        if (flags & ETE4_AR_MODE)
            mask |= (uint64_t)AS_ACCESS_REGISTER << (63 - 17);
    }
    cpu->cr[3] |= c->ete[3] & 0xffff0000;
    cpu->psw.mask = mask;
    if (mask & PSW_EA)
        set_grh32(cpu, 4, c->ete[6]);
    set_gr32(cpu, 4, c->ete[7]);
}

/* The secondary space becomes the calling one, and the primary one the called. */
static void enter_space(struct cpu *cpu, const struct call *c)
{
    bool reuse = control_reuse(cpu);
    cpu->cr[7] = cpu->cr[1];
    cpu->cr[3] = control_with_asn(cpu->cr[3], control_pasn(cpu));
    if (reuse)
        cpu->cr[3] = control_with_instance(cpu->cr[3], (uint32_t)(cpu->cr[4] >> 32));
    if (!c->asn)
        return;
    cpu->cr[4] = control_with_asn(control_with_index(cpu->cr[4], control_aste_ax(&c->aste)), c->asn);
    if (reuse)
        cpu->cr[4] = control_with_instance(cpu->cr[4], control_aste_instance(&c->aste));
    cpu->cr[1] = c->pasce;
    cpu->cr[5] = (cpu->cr[5] & ~UINT64_C(0xffffffff)) | c->aste.origin;
    if ((c->ete[4] & ETE4_STACKING) && (c->ete[4] & ETE4_SECONDARY)) {
        cpu->cr[7] = cpu->cr[1];
        cpu->cr[3] = control_with_asn(cpu->cr[3], c->asn);
        if (reuse)
            cpu->cr[3] = control_with_instance(cpu->cr[3], (uint32_t)(cpu->cr[4] >> 32));
    }
}

/* The number in the second-operand address: 20 bits, or with ASN-and-LX reuse and bit 44 one 31 bits. */
static void take_number(const struct cpu *cpu, uint64_t address, struct call *c)
{
    c->shown = (uint32_t)address & 0xfffff;
    c->number = c->shown;
    if (control_reuse(cpu) && (address & NUMBER_LONG)) {
        c->shown = (uint32_t)address;
        c->number = (c->shown & 0xfff00000) >> 1 | (c->shown & 0x7ffff);
    }
}

/* PROGRAM CALL: the program that the PC number in the second-operand address names is called, in the current primary
   space or another one. The link goes to general registers (basic) or to the linkage stack (stacking). CC: unchanged.
   Exceptions: special operation (DAT off; secondary-space or home-space mode); addressing; special operation
   (subsystem-linkage control); trace; LX (LFX, LSX) translation, LSTE sequence, EX translation; special operation
   (basic in the AR mode, or into or out of the 64-bit mode); PC-translation specification; privileged operation
   (authorization key mask); special operation (ASN-translation control); ASX translation; ASTE validity and sequence;
   stack full, specification, access; space-switch event. */
int cpu_pc(struct cpu *cpu, const struct dis_insn *i)
{
    struct call c = {.asn = 0};
    struct control_trace trace;
    struct control_stack_place place;
    uint64_t old_asce = cpu->cr[1];
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17), old_pasn = control_pasn(cpu);
    uint32_t designation;
    take_number(cpu, cpu_ea2(cpu, i), &c);
    if (!(cpu->psw.mask & PSW_DAT) || as == AS_SECONDARY || as == AS_HOME)
        return PIC_SPECIAL_OPERATION;
    int code = control_fetch_words(cpu, (uint32_t)(cpu->cr[5] & CR5_PRIMARY_ASTE_ORIGIN) + 24, &designation, 1);
    if (code)
        return code;
    if (!(designation & BIT32(0)))
        return PIC_SPECIAL_OPERATION;
    control_trace_begin(cpu, &trace);
    if (cpu->cr[12] & CR12_ASN_TRACE)
        code = control_trace_call(cpu, &trace, c.shown);
    if (!code)
        code = translate_number(cpu, &c, designation);
    if (!code)
        code = examine_entry(cpu, &c);
    bool stacking = c.ete[4] & ETE4_STACKING, long_mode = c.ete[4] & ETE4_64_BIT;
    if (!code && stacking && (cpu->cr[12] & CR12_MODE_TRACE) && long_mode != ((cpu->psw.mask & PSW_EA) != 0))
        code = control_trace_mode_switch(cpu, &trace);
    if (!code && stacking)
        code = control_stack_locate(cpu, &place);
    if (!code && stacking)
        code = link_stacking(cpu, &c, &place);
    if (code)
        return code;
    if (!stacking)
        link_basic(cpu);
    control_trace_commit(cpu, &trace);
    enter_program(cpu, &c);
    enter_space(cpu, &c);
    cpu_mode_changed(cpu);
    cpu_branch(cpu, c.ia);
    return c.asn ? control_primary_switch(cpu, old_asce, c.pasce, old_pasn) : 0;
}

/* BRANCH AND STACK: a branch state entry with the return address and mode in R1 (R1 zero: those behind this
   instruction) goes onto the linkage stack; then a branch to the address in R2, unless that is register 0. CC:
   unchanged. Exceptions: special operation (DAT off; secondary-space or home-space mode); trace; stack full,
   specification, access. */
int cpu_bakr(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    uint64_t mode = cpu->psw.mask & (PSW_EA | PSW_BA), ia = cpu->psw.ia;
    uint64_t target = i->r2 ? cpu->gr[i->r2] & cpu->address_mask : cpu->psw.ia;
    struct control_trace trace;
    struct control_stack_place place;
    if (!(cpu->psw.mask & PSW_DAT) || as == AS_SECONDARY || as == AS_HOME)
        return PIC_SPECIAL_OPERATION;
    uint64_t called = target | (mode & PSW_EA ? 1 : mode & PSW_BA);
    int code = 0;
    control_trace_begin(cpu, &trace);
    if (i->r2 && (cpu->cr[12] & CR12_BRANCH_TRACE))
        code = control_trace_branch(cpu, &trace, target, !mode);
    if (!code)
        code = control_stack_locate(cpu, &place);
    if (code)
        return code;
    if (i->r1) {
        uint64_t r1 = cpu->gr[i->r1];
        mode = r1 & 1 ? PSW_EA | PSW_BA : r1 & PSW_BA;
        ia = r1 & 1 ? r1 & ~UINT64_C(1) : r1 & (mode ? 0x7fffffff : 0xffffff);
    }
    struct control_stacking stacking = {
        .type = STACK_BRANCH, .mask = (cpu_psw_mask(cpu) & ~(PSW_EA | PSW_BA)) | mode, .ia = ia, .special = called};
    code = control_stack_form(cpu, &place, &stacking);
    if (code)
        return code;
    control_trace_commit(cpu, &trace);
    if (i->r2)
        cpu_branch(cpu, target);
    return 0;
}
