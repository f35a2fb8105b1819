/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linkage stack, and the instructions that look at its last state entry or take it off. PoP chapters 5 and 10
   (SA22-7832-13). Accesses to the stack use the home space and key 0, with 64-bit addresses. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"

/* A state entry: offsets from its first byte. */
enum {
    ENTRY_GENERAL = 0,    /* 16 doublewords */
    ENTRY_CONTROLS = 128, /* PSW-key mask, secondary ASN, EAX, primary ASN */
    ENTRY_PSW = 136,      /* PSW bits 0-63 */
    ENTRY_SPECIAL = 144,  /* called address, or called-space identification and PC number */
    ENTRY_MODIFIABLE = 152,
    ENTRY_PSW_ADDRESS = 168, /* PSW bits 64-127 */
    ENTRY_INSTANCES = 176,   /* of the secondary and of the primary ASN */
    ENTRY_ACCESS = 224,      /* 16 words */
    ENTRY_DESCRIPTOR = 288,
};
/* An entry descriptor. */
enum { DESCRIPTOR_TYPE = 0, DESCRIPTOR_SECTION = 1, DESCRIPTOR_FREE = 2, DESCRIPTOR_NEXT = 4, DESCRIPTOR_SIZE = 8 };
#define UNSTACK_SUPPRESSION 0x80
#define STACK_ADDRESS       (~UINT64_C(7))
#define STACK_VALID         UINT64_C(1) /* in the backward and forward addresses of header and trailer */

static struct cpu_access stack_access(uint64_t address, uint8_t kind)
{
    return (struct cpu_access){.address = address, .space = CPU_SPACE_HOME, .kind = kind, .wide = true};
}
static int MUST_USE stack_fetch(struct cpu *cpu, uint64_t address, void *to, unsigned length)
{
    struct cpu_access access = stack_access(address, CPU_FETCH);
    return cpu_fetch_as(cpu, &access, to, length);
}
static int MUST_USE stack_store(struct cpu *cpu, uint64_t address, const void *from, unsigned length)
{
    struct cpu_access access = stack_access(address, CPU_STORE);
    return cpu_store_as(cpu, &access, from, length);
}
/* Can `length` bytes (up to a page) be stored? */
static int MUST_USE stack_test(struct cpu *cpu, uint64_t address, unsigned length)
{
    uint64_t absolute, last = address + length - 1;
    struct cpu_access access = stack_access(address, CPU_STORE);
    access.test = true;
    int code = cpu_translate(cpu, &access, &absolute);
    access.address = last;
    return code || !((address ^ last) & PAGE_ADDRESS) ? code : cpu_translate(cpu, &access, &absolute);
}

/* ---- stacking ---- */

/* The section of `place` is full: go on to the next. */
static int next_section(struct cpu *cpu, struct control_stack_place *place, unsigned left)
{
    uint8_t bytes[8];
    if (left & 7)
        return PIC_STACK_SPECIFICATION;
    int code = stack_fetch(cpu, place->current + DESCRIPTOR_SIZE + left, bytes, 8);
    if (code)
        return code;
    uint64_t forward = get64(bytes);
    if (!(forward & STACK_VALID))
        return PIC_STACK_FULL;
    place->backward = place->current | STACK_VALID;
    place->current = forward & STACK_ADDRESS;
    code = stack_fetch(cpu, place->current, place->descriptor, DESCRIPTOR_SIZE);
    if (code)
        return code;
    if (get16(place->descriptor + DESCRIPTOR_FREE) < STACK_ENTRY_SIZE)
        return PIC_STACK_SPECIFICATION;
    return stack_test(cpu, place->current - 8, 8);
}

int control_stack_locate(struct cpu *cpu, struct control_stack_place *place)
{
    place->current = cpu->cr[15] & CR15_STACK_ENTRY;
    place->backward = 0;
    int code = stack_fetch(cpu, place->current, place->descriptor, DESCRIPTOR_SIZE);
    if (code)
        return code;
    unsigned left = get16(place->descriptor + DESCRIPTOR_FREE);
    if (left < STACK_ENTRY_SIZE)
        code = next_section(cpu, place, left);
    if (!code)
        code = stack_test(cpu, place->current, DESCRIPTOR_SIZE);
    return code ? code : stack_test(cpu, place->current + DESCRIPTOR_SIZE, STACK_ENTRY_SIZE);
}

int control_stack_form(struct cpu *cpu, const struct control_stack_place *place,
                       const struct control_stacking *stacking)
{
    uint8_t entry[STACK_ENTRY_SIZE] = {0}, descriptor[DESCRIPTOR_SIZE], bytes[8];
    for (unsigned n = 0; n < 16; n++) {
        put64(entry + ENTRY_GENERAL + 8 * n, cpu->gr[n]);
        put32(entry + ENTRY_ACCESS + 4 * n, cpu->ar[n]);
    }
    put32(entry + ENTRY_CONTROLS, (uint32_t)cpu->cr[3]);
    put16(entry + ENTRY_CONTROLS + 4, (uint16_t)control_eax(cpu));
    put16(entry + ENTRY_CONTROLS + 6, (uint16_t)control_pasn(cpu));
    put64(entry + ENTRY_PSW, stacking->mask);
    put64(entry + ENTRY_SPECIAL, stacking->special);
    put64(entry + ENTRY_PSW_ADDRESS, stacking->ia);
    if (control_reuse(cpu)) {
        put32(entry + ENTRY_INSTANCES, (uint32_t)(cpu->cr[3] >> 32));
        put32(entry + ENTRY_INSTANCES + 4, (uint32_t)(cpu->cr[4] >> 32));
    }
    unsigned left = get16(place->descriptor + DESCRIPTOR_FREE);
    entry[ENTRY_DESCRIPTOR + DESCRIPTOR_TYPE] = (uint8_t)stacking->type;
    entry[ENTRY_DESCRIPTOR + DESCRIPTOR_SECTION] = place->descriptor[DESCRIPTOR_SECTION];
    put16(entry + ENTRY_DESCRIPTOR + DESCRIPTOR_FREE, (uint16_t)(left - STACK_ENTRY_SIZE));
    memcpy(descriptor, place->descriptor, sizeof descriptor);
    put16(descriptor + DESCRIPTOR_NEXT, STACK_ENTRY_SIZE);

    int code = 0;
    if (place->backward) {
        put64(bytes, place->backward);
        code = stack_store(cpu, place->current - 8, bytes, 8);
    }
    if (!code)
        code = stack_store(cpu, place->current + DESCRIPTOR_SIZE, entry, sizeof entry);
    if (!code)
        code = stack_store(cpu, place->current, descriptor, sizeof descriptor);
    if (!code)
        cpu->cr[15] = place->current + STACK_ENTRY_SIZE;
    return code;
}

/* ---- looking at the last entry ---- */

/* The last state entry. */
struct last {
    uint64_t address; /* of its first byte */
    uint8_t bytes[STACK_ENTRY_SIZE];
};
static unsigned last_type(const struct last *last) { return last->bytes[ENTRY_DESCRIPTOR] & 0x7f; }

/* Find and fetch it; `unstack`: PROGRAM RETURN. Returns 0, special operation (DAT off; secondary-space mode; unstacking
   in the home-space mode), a stack exception or an access exception. */
static int find_last(struct cpu *cpu, bool unstack, struct last *last)
{
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    uint8_t descriptor[DESCRIPTOR_SIZE], bytes[8];
    if (!(cpu->psw.mask & PSW_DAT) || as == AS_SECONDARY || (unstack && as == AS_HOME))
        return PIC_SPECIAL_OPERATION;
    uint64_t at = cpu->cr[15] & CR15_STACK_ENTRY;
    int code = stack_fetch(cpu, at, descriptor, sizeof descriptor);
    if (code)
        return code;
    if ((descriptor[DESCRIPTOR_TYPE] & 0x7f) == STACK_HEADER) {
        if (unstack && (descriptor[DESCRIPTOR_TYPE] & UNSTACK_SUPPRESSION))
            return PIC_STACK_OPERATION;
        code = stack_fetch(cpu, at - 8, bytes, 8);
        if (code)
            return code;
        if (!(get64(bytes) & STACK_VALID))
            return PIC_STACK_EMPTY;
        at = get64(bytes) & STACK_ADDRESS;
        code = stack_fetch(cpu, at, descriptor, sizeof descriptor);
        if (code)
            return code;
        if ((descriptor[DESCRIPTOR_TYPE] & 0x7f) == STACK_HEADER)
            return PIC_STACK_SPECIFICATION;
    }
    unsigned type = descriptor[DESCRIPTOR_TYPE] & 0x7f;
    if (type != STACK_BRANCH && type != STACK_CALL)
        return PIC_STACK_TYPE;
    if (unstack && (descriptor[DESCRIPTOR_TYPE] & UNSTACK_SUPPRESSION))
        return PIC_STACK_OPERATION;
    last->address = at - ENTRY_DESCRIPTOR;
    return stack_fetch(cpu, last->address, last->bytes, sizeof last->bytes);
}

/* EXTRACT STACKED REGISTERS (32) and (64): access registers and general registers (bits 32-63, or all) R1 to R2, 15
   being followed by 0, from the last state entry. CC: unchanged. Exceptions: special operation (DAT off,
   secondary-space mode); access; stack empty, specification, type. */
static int extract_registers(struct cpu *cpu, const struct dis_insn *i, bool wide)
{
    struct last last;
    int code = find_last(cpu, false, &last);
    if (code)
        return code;
    for (unsigned r = i->r1;; r = (r + 1) & 15) {
        cpu->ar[r] = get32(last.bytes + ENTRY_ACCESS + 4 * r);
        if (wide)
            cpu->gr[r] = get64(last.bytes + ENTRY_GENERAL + 8 * r);
        else
            set_gr32(cpu, r, get32(last.bytes + ENTRY_GENERAL + 8 * r + 4));
        if (r == i->r2)
            return 0;
    }
}
int cpu_ereg(struct cpu *cpu, const struct dis_insn *i) { return extract_registers(cpu, i, false); }
int cpu_eregg(struct cpu *cpu, const struct dis_insn *i) { return extract_registers(cpu, i, true); }

/* The saved PSW in the 8-byte form: bit 12 one, a 31-bit address; bit 63 one when the address has more bits. */
static uint64_t short_psw(uint64_t mask, uint64_t ia)
{
    return (mask & ~(PSW_BA - 1)) | PSW_BIT12 | (ia & 0x7fffffff) | (ia >> 31 ? 1 : 0);
}

/* EXTRACT STACKED STATE: what bits 56-63 of R2 ask for goes to bits 32-63 of the pair R1: 0 key mask, ASNs and EAX, 1
   PSW in the 8-byte form, 2 called address or space and PC number, 3 the modifiable area; 4 the PSW to all bits of the
   pair; 5 (ASN-and-LX reuse) instance numbers to bits 0-31. CC: 0 branch state entry, 1 program-call state entry.
   Exceptions: special operation (DAT off, secondary-space mode); specification (odd R1, code); access; stack empty,
   specification, type. */
int cpu_esta(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned function = (unsigned)cpu->gr[i->r2] & 0xff, most = cpu_facility(cpu->sys, FACILITY_ALRF) ? 5 : 4;
    struct last last;
    if (!(cpu->psw.mask & PSW_DAT) || field64(cpu->psw.mask, 16, 17) == AS_SECONDARY)
        return PIC_SPECIAL_OPERATION;
    if (function > most)
        return PIC_SPECIFICATION;
    int code = find_last(cpu, false, &last);
    if (code)
        return code;
    uint64_t mask = get64(last.bytes + ENTRY_PSW), ia = get64(last.bytes + ENTRY_PSW_ADDRESS);
    static const uint8_t offset[4] = {ENTRY_CONTROLS, 0, ENTRY_SPECIAL, ENTRY_MODIFIABLE};
    if (function == 4) {
        cpu->gr[i->r1] = mask;
        cpu->gr[i->r1 | 1] = ia;
    } else if (function == 5) {
        set_grh32(cpu, i->r1, get32(last.bytes + ENTRY_INSTANCES));
        set_grh32(cpu, i->r1 | 1, get32(last.bytes + ENTRY_INSTANCES + 4));
    } else {
        uint64_t value = function == 1 ? short_psw(mask, ia) : get64(last.bytes + offset[function]);
        set_gr32(cpu, i->r1, (uint32_t)(value >> 32));
        set_gr32(cpu, i->r1 | 1, (uint32_t)value);
    }
    cpu->cc = last_type(&last) == STACK_CALL;
    return 0;
}

/* MODIFY STACKED STATE: bits 32-63 of the pair R1 go to the modifiable area of the last state entry. CC: unchanged.
   Exceptions: special operation (DAT off, secondary-space mode); specification (odd R1); access; stack empty,
   specification, type. */
int cpu_msta(struct cpu *cpu, const struct dis_insn *i)
{
    struct last last;
    uint8_t bytes[8];
    int code = find_last(cpu, false, &last);
    if (code)
        return code;
    put32(bytes, gr32(cpu, i->r1));
    put32(bytes + 4, gr32(cpu, i->r1 | 1));
    return stack_store(cpu, last.address + ENTRY_MODIFIABLE, bytes, 8);
}

/* ---- PROGRAM RETURN ---- */

/* The control registers as PROGRAM RETURN leaves them. */
struct returning {
    uint64_t cr[16];
    bool switched; /* to another primary space */
};

/* The ASTE of the primary or secondary ASN in a program-call state entry. */
static int return_aste(struct cpu *cpu, unsigned asn, uint32_t instance, bool primary, struct control_aste *aste)
{
    if (!(cpu->cr[14] & CR14_ASN_TRANSLATION))
        return PIC_SPECIAL_OPERATION;
    int code = control_translate_asn(cpu, asn, aste);
    if (code)
        return code;
    if (control_reuse(cpu) && control_aste_instance(aste) != instance) {
        cpu->exception_access_id = primary ? 0x20 : 0x10;
        return PIC_ASTE_INSTANCE;
    }
    return 0;
}

/* Restore what a program-call state entry has of the spaces. */
static int return_spaces(struct cpu *cpu, const struct last *last, struct returning *to)
{
    const uint8_t *controls = last->bytes + ENTRY_CONTROLS;
    uint32_t sastein = get32(last->bytes + ENTRY_INSTANCES), pastein = get32(last->bytes + ENTRY_INSTANCES + 4);
    unsigned sasn = get16(controls + 2), pasn = get16(controls + 6);
    struct control_aste aste;
    to->cr[3] = (to->cr[3] & ~UINT64_C(0xffffffff)) | get32(controls);
    to->cr[8] = control_with_index(to->cr[8], get16(controls + 4));
    to->cr[4] = control_with_asn(to->cr[4], pasn);
    if (control_reuse(cpu)) {
        to->cr[3] = control_with_instance(to->cr[3], sastein);
        to->cr[4] = control_with_instance(to->cr[4], pastein);
    }
    if (pasn != control_pasn(cpu)) {
        int code = return_aste(cpu, pasn, pastein, true, &aste);
        if (code)
            return code;
        to->switched = true;
        to->cr[1] = control_aste_asce(&aste);
        to->cr[4] = control_with_index(to->cr[4], control_aste_ax(&aste));
        to->cr[5] = (to->cr[5] & ~UINT64_C(0xffffffff)) | aste.origin;
        code = control_replace_subspace(cpu, &aste, &to->cr[1]);
        if (code)
            return code;
    }
    if (sasn == pasn) {
        to->cr[7] = to->cr[1];
        return 0;
    }
    int code = return_aste(cpu, sasn, sastein, false, &aste);
    if (!code)
        code =
            control_authorize(cpu, &aste, (unsigned)cpu_control_value(to->cr[4], CR4_AUTHORIZATION_INDEX), false, sasn);
    if (code)
        return code;
    to->cr[7] = control_aste_asce(&aste);
    return control_replace_subspace(cpu, &aste, &to->cr[7]);
}

static int return_trace(struct cpu *cpu, struct control_trace *trace, const struct last *last, uint64_t mask,
                        uint64_t ia)
{
    control_trace_begin(cpu, trace);
    if (last_type(last) == STACK_CALL && (cpu->cr[12] & CR12_ASN_TRACE))
        return control_trace_return(cpu, trace, get16(last->bytes + ENTRY_CONTROLS + 6), mask, ia);
    if ((cpu->cr[12] & CR12_MODE_TRACE) && ((mask ^ cpu->psw.mask) & PSW_EA))
        return control_trace_mode_switch(cpu, trace);
    return 0;
}

/* PROGRAM RETURN: the last state entry is taken off the stack. PSW but for the PER mask, access and general registers 2
   to 14 are restored; from a program-call state entry also PSW-key mask, ASNs and extended authorization index, with
   the spaces that they stand for. CC: loaded. Exceptions: special operation (DAT off, secondary-space or home-space
   mode); access, stack empty, operation, specification, type; trace; special operation (ASN-translation control); ASN
   translation; ASTE instance; secondary authority; addressing; ASTE validity and sequence; space-switch event;
   specification (early, length code zero). */
int cpu_pr(struct cpu *cpu, const struct dis_insn *i)
{
    struct last last;
    struct control_trace trace;
    struct returning to = {.switched = false};
    uint8_t bytes[2] = {0};
    uint64_t old_asce = cpu->cr[1];
    unsigned old_pasn = control_pasn(cpu);
    (void)i;
    int code = find_last(cpu, true, &last);
    if (code)
        return code;
    uint64_t before = last.address - DESCRIPTOR_SIZE; /* the descriptor of the entry before it */
    uint64_t mask = (get64(last.bytes + ENTRY_PSW) & ~PSW_PER) | (cpu->psw.mask & PSW_PER);
    uint64_t ia = get64(last.bytes + ENTRY_PSW_ADDRESS);
    code = stack_test(cpu, before + DESCRIPTOR_NEXT, 2);
    if (!code)
        code = return_trace(cpu, &trace, &last, mask, ia);
    memcpy(to.cr, cpu->cr, sizeof to.cr);
    if (!code && last_type(&last) == STACK_CALL)
        code = return_spaces(cpu, &last, &to);
    if (code)
        return code;
    control_trace_commit(cpu, &trace);
    to.cr[12] = cpu->cr[12];
    to.cr[15] = before;
    code = stack_store(cpu, before + DESCRIPTOR_NEXT, bytes, 2);
    if (code)
        return code;
    memcpy(cpu->cr, to.cr, sizeof cpu->cr);
    for (unsigned r = 2; r <= 14; r++) {
        cpu->gr[r] = get64(last.bytes + ENTRY_GENERAL + 8 * r);
        cpu->ar[r] = get32(last.bytes + ENTRY_ACCESS + 4 * r);
    }
    cpu->branched = true;
    code = control_told(cpu, ET_PR, control_introduce_psw(cpu, mask, ia));
    int event = to.switched ? control_primary_switch(cpu, old_asce, to.cr[1], old_pasn) : 0;
    if (event)
        cpu->zero_ilc = false;
    return event ? event : code;
}
