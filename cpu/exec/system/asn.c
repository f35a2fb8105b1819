/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ASN translation, ASN authorization, subspace replacement, and the instructions that go by them alone. PoP chapters 3,
   5 and 10 (SA22-7832-13). */
#include "cpu/control/psw.h"
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"

#define ASCE_SUBSPACE_GROUP   BIT64(54)
#define ASCE_EVENTS           (BIT64(56) | BIT64(57)) /* storage alteration, space switch */
#define TEID_SPACE_SWITCH     BIT64(32)
#define TABLE_ADDRESS         0x7fffffffu
#define ASTE_SIZE             64u
#define ACCESS_ID_PRIMARY_ASN 0x20 /* exception access identification: ASTE instance of the primary ASN */
#define ACCESS_ID_SECONDARY   0x10

int control_fetch_table(const struct cpu *cpu, uint32_t real, void *to, unsigned length)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, real & TABLE_ADDRESS);
    if (!storage_has(&cpu->sys->storage, absolute, length))
        return PIC_ADDRESSING;
    memcpy(to, cpu->sys->storage.bytes + absolute, length);
    return 0;
}

int control_fetch_words(const struct cpu *cpu, uint32_t real, uint32_t *words, unsigned count)
{
    int code = control_fetch_table(cpu, real, words, 4 * count);
    for (unsigned n = 0; n < count && !code; n++)
        words[n] = BE32(words[n]);
    return code;
}

int control_fetch_aste(const struct cpu *cpu, uint32_t origin, struct control_aste *aste)
{
    aste->origin = origin;
    return control_fetch_words(cpu, origin, aste->word, 16);
}

int control_translate_asn(struct cpu *cpu, unsigned asn, struct control_aste *aste)
{
    uint32_t entry, first = ((uint32_t)(cpu->cr[14] & CR14_ASN_FIRST_TABLE_ORIGIN)) << 12;
    int code = control_fetch_words(cpu, first + 4 * (asn >> 6), &entry, 1);
    if (code)
        return code;
    cpu->teid = asn;
    cpu->exception_access_id = 0;
    if (entry & BIT32(0))
        return PIC_AFX_TRANSLATION;
    code = control_fetch_aste(cpu, ((entry & 0x7fffffc0) + ASTE_SIZE * (asn & 63)) & TABLE_ADDRESS, aste);
    return code ? code : control_aste_invalid(aste) ? PIC_ASX_TRANSLATION : 0;
}

int control_authorize(struct cpu *cpu, const struct control_aste *aste, unsigned ax, bool primary, unsigned asn)
{
    int refused = primary ? PIC_PRIMARY_AUTHORITY : PIC_SECONDARY_AUTHORITY;
    uint8_t entry;
    cpu->teid = asn;
    if (ax >> 4 > (aste->word[1] >> 4 & 0xfff))
        return refused;
    int code = control_fetch_table(cpu, (aste->word[0] & 0x7ffffffc) + (ax >> 2), &entry, 1);
    if (code)
        return code;
    return entry & ((primary ? 0x80 : 0x40) >> (ax & 3) * 2) ? 0 : refused;
}

int control_replace_subspace(struct cpu *cpu, const struct control_aste *aste, uint64_t *asce)
{
    uint32_t duct[4];
    struct control_aste subspace;
    if (!(*asce & ASCE_SUBSPACE_GROUP))
        return 0;
    int code = control_fetch_words(cpu, control_duct(cpu), duct, 4);
    if (code || !(duct[1] & BIT32(0)) || aste->origin != (duct[0] & 0x7fffffc0))
        return code;
    code = control_fetch_aste(cpu, duct[1] & 0x7fffffc0, &subspace);
    if (code)
        return code;
    cpu->exception_access_id = 0;
    if (control_aste_invalid(&subspace))
        return PIC_ASTE_VALIDITY;
    if (control_aste_sequence(&subspace) != duct[3])
        return PIC_ASTE_SEQUENCE;
    *asce = (*asce & ASCE_EVENTS) | (control_aste_asce(&subspace) & ~ASCE_EVENTS);
    return 0;
}

int control_primary_switch(struct cpu *cpu, uint64_t old_asce, uint64_t new_asce, unsigned old_pasn)
{
    cpu->teid = old_pasn | (old_asce & ASCE_SPACE_SWITCH_EVENT ? TEID_SPACE_SWITCH : 0);
    cpu->space_switched = true; /* and a PER event makes it an event */
    return (old_asce | new_asce) & ASCE_SPACE_SWITCH_EVENT ? PIC_SPACE_SWITCH_EVENT : 0;
}

/* Entering or leaving the home-space mode is a space-switch event when the space-switch-event control of the primary or
   of the home ASCE is one, or when a PER event is reported as well (cpu/state/per.c). The operation is completed. */
int control_space_switch(struct cpu *cpu, unsigned old_as, unsigned new_as)
{
    if ((old_as == AS_HOME) == (new_as == AS_HOME))
        return 0;
    if (new_as == AS_HOME)
        cpu->teid = control_pasn(cpu) | (cpu->cr[1] & ASCE_SPACE_SWITCH_EVENT ? TEID_SPACE_SWITCH : 0);
    else
        cpu->teid = cpu->cr[13] & ASCE_SPACE_SWITCH_EVENT ? TEID_SPACE_SWITCH : 0;
    cpu->space_switched = true;
    return (cpu->cr[1] | cpu->cr[13]) & ASCE_SPACE_SWITCH_EVENT ? PIC_SPACE_SWITCH_EVENT : 0;
}

/* ---- SET SECONDARY ASN ---------------------------------------------------------------------------------------- */

/* The secondary ASN in bits 48-63 of R1 becomes that of the CPU, with its ASCE (and, with an instance, when bits 0-31
   of R1 equal the ASTE instance number). CC: unchanged. Exceptions: special operation (DAT off, ASN-translation control
   zero); trace; ASN translation; special operation (reusable ASN without instance; controlled ASN from the problem
   state); ASTE instance; secondary authority; addressing; ASTE validity and sequence. */
static int set_secondary_asn(struct cpu *cpu, const struct dis_insn *i, bool instance)
{
    unsigned asn = (unsigned)cpu->gr[i->r1] & 0xffff;
    uint64_t asce = cpu->cr[1];
    uint32_t number = (uint32_t)(cpu->cr[4] >> 32);
    struct control_trace trace;
    int code = 0;
    if (!(cpu->psw.mask & PSW_DAT) || !(cpu->cr[14] & CR14_ASN_TRANSLATION))
        return PIC_SPECIAL_OPERATION;
    control_trace_begin(cpu, &trace);
    if (cpu->cr[12] & CR12_ASN_TRACE)
        code = control_trace_set_secondary(cpu, &trace, asn, instance);
    if (code)
        return code;
    if (asn != control_pasn(cpu)) {
        struct control_aste aste;
        code = control_translate_asn(cpu, asn, &aste);
        if (code)
            return code;
        if (instance ? control_aste_controlled(&aste) && cpu_problem_state(cpu)
                     : control_reuse(cpu) && control_aste_reusable(&aste))
            return PIC_SPECIAL_OPERATION;
        number = control_aste_instance(&aste);
        if (instance && number != grh32(cpu, i->r1)) {
            cpu->exception_access_id = ACCESS_ID_SECONDARY;
            return PIC_ASTE_INSTANCE;
        }
        asce = control_aste_asce(&aste);
        code = control_authorize(cpu, &aste, control_ax(cpu), false, asn);
        if (!code)
            code = control_replace_subspace(cpu, &aste, &asce);
        if (code)
            return code;
    }
    control_trace_commit(cpu, &trace);
    cpu->cr[3] = control_with_asn(cpu->cr[3], asn);
    if (instance || control_reuse(cpu))
        cpu->cr[3] = control_with_instance(cpu->cr[3], number);
    cpu->cr[7] = asce;
    cpu_mode_changed(cpu);
    return 0;
}
int cpu_ssar(struct cpu *cpu, const struct dis_insn *i) { return set_secondary_asn(cpu, i, false); }
int cpu_ssair(struct cpu *cpu, const struct dis_insn *i) { return set_secondary_asn(cpu, i, true); }

/* ---- PROGRAM TRANSFER ----------------------------------------------------------------------------------------- */

/* What a PROGRAM TRANSFER to another primary space changes. */
struct transfer {
    uint64_t cr1, cr4;
    uint32_t cr5;
};

/* The checks of PT-ss and PTI-ss. */
static int transfer_space(struct cpu *cpu, unsigned asn, uint32_t number, bool instance, struct transfer *to)
{
    struct control_aste aste;
    if (!(cpu->cr[14] & CR14_ASN_TRANSLATION))
        return PIC_SPECIAL_OPERATION;
    int code = control_translate_asn(cpu, asn, &aste);
    if (code)
        return code;
    if (instance ? control_aste_controlled(&aste) && cpu_problem_state(cpu)
                 : control_reuse(cpu) && control_aste_reusable(&aste))
        return PIC_SPECIAL_OPERATION;
    if (instance && control_aste_instance(&aste) != number) {
        cpu->exception_access_id = ACCESS_ID_PRIMARY_ASN;
        return PIC_ASTE_INSTANCE;
    }
    code = control_authorize(cpu, &aste, control_ax(cpu), true, asn);
    if (code)
        return code;
    to->cr1 = control_aste_asce(&aste);
    to->cr4 = control_with_asn(control_with_index(cpu->cr[4], control_aste_ax(&aste)), asn);
    if (instance || control_reuse(cpu))
        to->cr4 = control_with_instance(to->cr4, control_aste_instance(&aste));
    to->cr5 = aste.origin;
    return control_replace_subspace(cpu, &aste, &to->cr1);
}

/* Branch to the address in R2, with its problem-state bit and (but in the 64-bit mode) addressing mode, in the primary
   space that bits 48-63 of R1 name; the PSW-key mask is ANDed with bits 32-47 of R1; the secondary space becomes the
   primary. CC: unchanged. Exceptions: special operation (DAT off, not primary-space mode); addressing; special
   operation (subsystem-linkage control); trace; privileged operation (supervisor state from the problem state);
   specification (address and 24-bit mode); those of transfer_space(); space-switch event. */
static int program_transfer(struct cpu *cpu, const struct dis_insn *i, bool instance)
{
    uint64_t r1 = cpu->gr[i->r1], r2 = cpu->gr[i->r2], mask = cpu->psw.mask, ia = r2 & ~UINT64_C(1);
    uint64_t old_asce = cpu->cr[1];
    unsigned asn = (unsigned)r1 & 0xffff, old_pasn = control_pasn(cpu);
    struct transfer to = {cpu->cr[1], cpu->cr[4], (uint32_t)cpu->cr[5]};
    struct control_trace trace;
    uint32_t linkage;
    if (!(mask & PSW_DAT) || field64(mask, 16, 17) != AS_PRIMARY)
        return PIC_SPECIAL_OPERATION;
    int code = control_fetch_words(cpu, (uint32_t)(cpu->cr[5] & CR5_PRIMARY_ASTE_ORIGIN) + 24, &linkage, 1);
    if (code)
        return code;
    if (!(linkage & BIT32(0)))
        return PIC_SPECIAL_OPERATION;
    control_trace_begin(cpu, &trace);
    if (cpu->cr[12] & CR12_ASN_TRACE)
        code = control_trace_transfer(cpu, &trace, asn, r2, instance);
    if (code)
        return code;
    if (cpu_problem_state(cpu) && !(r2 & 1))
        return PIC_PRIVILEGED_OPERATION;
    if (!(mask & PSW_EA)) {
        mask = (mask & ~PSW_BA) | (r2 & PSW_BA);
        ia &= 0x7fffffff;
        if (!(mask & PSW_BA) && ia > 0xffffff)
            return PIC_SPECIFICATION;
    }
    if (asn != old_pasn)
        code = transfer_space(cpu, asn, (uint32_t)(r1 >> 32), instance, &to);
    if (code)
        return code;
    control_trace_commit(cpu, &trace);
    cpu->psw.mask = (mask & ~PSW_PROBLEM) | (r2 & 1 ? PSW_PROBLEM : 0);
    cpu->cr[1] = cpu->cr[7] = to.cr1;
    cpu->cr[4] = to.cr4;
    cpu->cr[5] = (cpu->cr[5] & ~UINT64_C(0xffffffff)) | to.cr5;
    cpu->cr[3] = control_with_asn(cpu->cr[3] & (r1 | ~CR3_KEY_MASK), asn);
    if (instance || control_reuse(cpu))
        cpu->cr[3] = control_with_instance(cpu->cr[3], (uint32_t)(to.cr4 >> 32));
    cpu_mode_changed(cpu);
    cpu_branch(cpu, ia);
    return asn == old_pasn ? 0 : control_primary_switch(cpu, old_asce, to.cr1, old_pasn);
}
int cpu_pt(struct cpu *cpu, const struct dis_insn *i) { return program_transfer(cpu, i, false); }
int cpu_pti(struct cpu *cpu, const struct dis_insn *i) { return program_transfer(cpu, i, true); }

/* ---- LOAD ADDRESS SPACE PARAMETERS ---------------------------------------------------------------------------- */

/* The first operand, and what becomes of it. */
struct lasp {
    unsigned pkm, sasn, ax, pasn;
    uint32_t sastein, pastein;
    bool reuse;
    unsigned function; /* bits 61-63 of the second-operand address */
    uint64_t pasce, sasce;
    uint32_t pasteo;
};
enum { LASP_TRANSLATE = 4, LASP_AX = 2, LASP_NO_AUTHORIZATION = 1 };

static int lasp_operand(struct cpu *cpu, const struct dis_insn *i, struct lasp *l)
{
    uint8_t bytes[16];
    uint64_t address = cpu_ea1(cpu, i);
    l->reuse = control_reuse(cpu);
    if (address & 7)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, address, i->b1, bytes, l->reuse ? 16 : 8);
    if (code)
        return code;
    l->sastein = l->reuse ? get32(bytes) : 0;
    l->pastein = l->reuse ? get32(bytes + 8) : 0;
    l->pkm = get16(bytes + (l->reuse ? 4 : 0));
    l->sasn = get16(bytes + (l->reuse ? 6 : 2));
    l->ax = get16(bytes + (l->reuse ? 12 : 4));
    l->pasn = get16(bytes + (l->reuse ? 14 : 6));
    return 0;
}

/* An exception that LASP shows as a condition code. */
static bool lasp_not_available(int code)
{
    return code == PIC_AFX_TRANSLATION || code == PIC_ASX_TRANSLATION || code == PIC_ASTE_VALIDITY ||
           code == PIC_ASTE_SEQUENCE || code == PIC_SECONDARY_AUTHORITY;
}

/* The primary space. *cc is 0, 1 or 3. */
static int lasp_primary(struct cpu *cpu, struct lasp *l, uint8_t *cc)
{
    struct control_aste aste;
    l->pasce = cpu->cr[1];
    l->pasteo = (uint32_t)cpu->cr[5];
    unsigned ax = control_ax(cpu);
    if (!(l->function & LASP_TRANSLATE) && l->pasn == control_pasn(cpu)) {
        l->pastein = (uint32_t)(cpu->cr[4] >> 32);
    } else {
        int code = control_translate_asn(cpu, l->pasn, &aste);
        if (!code) {
            l->pasce = control_aste_asce(&aste);
            l->pasteo = aste.origin;
            ax = control_aste_ax(&aste);
            *cc = l->reuse && control_aste_instance(&aste) != l->pastein;
            code = *cc ? 0 : control_replace_subspace(cpu, &aste, &l->pasce);
        }
        if (lasp_not_available(code)) {
            *cc = 1;
            return 0;
        }
        if (code)
            return code;
        if (!*cc && ((cpu->cr[1] | control_aste_asce(&aste)) & ASCE_SPACE_SWITCH_EVENT))
            *cc = 3;
    }
    if (!(l->function & LASP_AX))
        l->ax = ax;
    return 0;
}

/* The secondary space. *cc is 0 or 2. */
static int lasp_secondary(struct cpu *cpu, struct lasp *l, uint8_t *cc)
{
    struct control_aste aste;
    if (l->sasn == l->pasn) {
        l->sasce = l->pasce;
        l->sastein = l->pastein;
        return 0;
    }
    if ((l->function & (LASP_TRANSLATE | LASP_NO_AUTHORIZATION)) == LASP_NO_AUTHORIZATION &&
        l->sasn == control_sasn(cpu)) {
        l->sasce = cpu->cr[7];
        l->sastein = (uint32_t)(cpu->cr[3] >> 32);
        return 0;
    }
    int code = control_translate_asn(cpu, l->sasn, &aste);
    if (!code) {
        l->sasce = control_aste_asce(&aste);
        *cc = l->reuse && control_aste_instance(&aste) != l->sastein ? 2 : 0;
        code = *cc ? 0 : control_replace_subspace(cpu, &aste, &l->sasce);
    }
    if (!code && !*cc && !(l->function & LASP_NO_AUTHORIZATION))
        code = control_authorize(cpu, &aste, l->ax, false, l->sasn);
    if (lasp_not_available(code)) {
        *cc = 2;
        return 0;
    }
    return code;
}

/* LOAD ADDRESS SPACE PARAMETERS: PSW-key mask, secondary ASN, authorization index, primary ASN (with the
   ASN-and-LX-reuse control also the instance numbers) of the first operand, and what goes with them, become those of
   the CPU. Bits 61-63 of the second-operand address: always translate; take AX from the operand; do not authorize.
   CC: 0 loaded; 1 primary, 2 secondary ASN not available or not authorized; 3 it would be a space-switch event.
   Exceptions: privileged operation; special operation (ASN-translation control); specification (doubleword boundary);
   access (fetch); addressing. */
int cpu_lasp(struct cpu *cpu, const struct dis_insn *i)
{
    struct lasp l = {.function = (unsigned)cpu_ea2(cpu, i) & 7};
    uint8_t cc = 0;
    if (!(cpu->cr[14] & CR14_ASN_TRANSLATION))
        return PIC_SPECIAL_OPERATION;
    int code = lasp_operand(cpu, i, &l);
    if (!code)
        code = lasp_primary(cpu, &l, &cc);
    if (!code && !cc)
        code = lasp_secondary(cpu, &l, &cc);
    if (code)
        return code;
    cpu->cc = cc;
    if (cc)
        return 0;
    cpu->cr[1] = l.pasce;
    cpu->cr[7] = l.sasce;
    cpu->cr[3] = control_with_asn(control_with_index(cpu->cr[3], l.pkm), l.sasn);
    cpu->cr[4] = control_with_asn(control_with_index(cpu->cr[4], l.ax), l.pasn);
    if (l.reuse) {
        cpu->cr[3] = control_with_instance(cpu->cr[3], l.sastein);
        cpu->cr[4] = control_with_instance(cpu->cr[4], l.pastein);
    }
    cpu->cr[5] = (cpu->cr[5] & ~UINT64_C(0xffffffff)) | l.pasteo;
    cpu_mode_changed(cpu);
    return 0;
}

/* EXTRACT AND SET EXTENDED AUTHORITY: the extended authorization index goes to bits 32-47 of R1, and bits 48-63 of R1
   become the new one. CC: unchanged. Exceptions: privileged operation. */
int cpu_esea(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned old = control_eax(cpu), new = (unsigned)cpu->gr[i->r1] & 0xffff;
    cpu->gr[i->r1] = control_with_index(cpu->gr[i->r1], old);
    cpu->cr[8] = control_with_index(cpu->cr[8], new);
    cpu_mode_changed(cpu);
    return 0;
}
