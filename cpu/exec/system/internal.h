/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of control instructions. */
#ifndef ZRI_CPU_EXEC_SYSTEM_INTERNAL_H
#define ZRI_CPU_EXEC_SYSTEM_INTERNAL_H

#include "cpu/state/exceptions.h"
#include "cpu/control/trace.h"
#include "cpu/storage/access.h"
#include "cpu/storage/tlb.h"

/* A bit of an address-space-control element that these instructions look at (PoP chapter 3). */
#define ASCE_SPACE_SWITCH_EVENT BIT64(57)

/* With the storage-key-removal facility there is no key but zero: 0, or special operation for what has to do with keys
   (`key`: the one it names; 16 for the key of a block). */
static inline int MUST_USE control_key_refused(const struct cpu *cpu, unsigned key)
{
    return UNLIKELY(key && cpu_facility(cpu->sys, FACILITY_STORAGE_KEY_REMOVAL)) ? PIC_SPECIAL_OPERATION : 0;
}
#define CONTROL_BLOCK_KEY 16u
/* The key of a PSW that an instruction is to load. */
static inline int MUST_USE control_psw_key_refused(const struct cpu *cpu, uint64_t mask)
{
    return control_key_refused(cpu, (unsigned)field64(mask, 8, 11));
}

/* Fields of the control registers of address spaces. */
static inline unsigned control_pasn(const struct cpu *cpu) { return (unsigned)(cpu->cr[4] & CR4_PRIMARY_ASN); }
static inline unsigned control_sasn(const struct cpu *cpu) { return (unsigned)(cpu->cr[3] & CR3_SECONDARY_ASN); }
static inline unsigned control_ax(const struct cpu *cpu)
{
    return (unsigned)cpu_control_value(cpu->cr[4], CR4_AUTHORIZATION_INDEX);
}
static inline unsigned control_eax(const struct cpu *cpu)
{
    return (unsigned)cpu_control_value(cpu->cr[8], CR8_EXTENDED_AUTHORIZATION_INDEX);
}
/* The value with bits 0-31 (an ASTE instance number), 32-47 or 48-63 replaced. */
static inline uint64_t control_with_instance(uint64_t cr, uint32_t instance)
{
    return (cr & 0xffffffff) | (uint64_t)instance << 32;
}
static inline uint64_t control_with_index(uint64_t cr, unsigned index)
{
    return (cr & ~UINT64_C(0xffff0000)) | (uint64_t)(index & 0xffff) << 16;
}
static inline uint64_t control_with_asn(uint64_t cr, unsigned asn) { return (cr & ~UINT64_C(0xffff)) | (asn & 0xffff); }

/* The doubleword at `address`, an operand whose base register is b: 0, specification when it is not on its boundary, or
   an access exception. */
static inline int MUST_USE control_fetch_doubleword(struct cpu *cpu, uint64_t address, unsigned b, uint64_t *value)
{
    return address & 7 ? PIC_SPECIFICATION : cpu_fetch8(cpu, address, b, value);
}
/* The 16-byte PSW there; also when storage keys are removed and it has one: special operation. */
static inline int MUST_USE control_fetch_psw(struct cpu *cpu, uint64_t address, unsigned b, uint64_t psw[2])
{
    uint8_t bytes[16];
    if (address & 7)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, address, b, bytes, sizeof bytes);
    if (code)
        return code;
    psw[0] = get64(bytes);
    psw[1] = get64(bytes + 8);
    return control_psw_key_refused(cpu, psw[0]);
}

/* Make a PSW from LPSW, LPSWE, PR ... current; a format error gets instruction-length code zero. Returns 0 or a
   code. */
int control_introduce_psw(struct cpu *cpu, uint64_t mask, uint64_t ia) MUST_USE;
/* Behind those of which exception trace is told: a handler returns by them to what it has interrupted. */
static inline int control_told(struct cpu *cpu, enum et_insn insn, int code)
{
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu_exceptions_reload(cpu, insn);
    if (UNLIKELY(cpu->observer != NULL) && cpu->observer->loaded)
        cpu->observer->loaded(cpu->observer->context, cpu, cpu_psw_mask(cpu), cpu->psw.ia);
    return code;
}

/* 0, or PIC_SPACE_SWITCH_EVENT when the change between two address-space controls is one. */
int control_space_switch(struct cpu *cpu, unsigned old_as, unsigned new_as) MUST_USE;
/* The primary space was changed (PC-ss, PR-ss, PT-ss): 0 or PIC_SPACE_SWITCH_EVENT. */
int control_primary_switch(struct cpu *cpu, uint64_t old_asce, uint64_t new_asce, unsigned old_pasn) MUST_USE;

/* ---- ASN translation and authorization, PoP chapter 3 ---- */

/* An ASN-second-table entry. */
struct control_aste {
    uint32_t origin; /* real address */
    uint32_t word[16];
};
static inline bool control_aste_invalid(const struct control_aste *aste) { return aste->word[0] & BIT32(0); }
static inline bool control_aste_base(const struct control_aste *aste) { return aste->word[0] & BIT32(31); }
static inline unsigned control_aste_ax(const struct control_aste *aste) { return aste->word[1] >> 16; }
static inline bool control_aste_controlled(const struct control_aste *aste) { return aste->word[1] & BIT32(30); }
static inline bool control_aste_reusable(const struct control_aste *aste) { return aste->word[1] & BIT32(31); }
static inline uint64_t control_aste_asce(const struct control_aste *aste)
{
    return (uint64_t)aste->word[2] << 32 | aste->word[3];
}
static inline uint32_t control_aste_sequence(const struct control_aste *aste) { return aste->word[5]; }
static inline uint32_t control_aste_instance(const struct control_aste *aste) { return aste->word[11]; }

/* `length` bytes of a table that hardware reads by a 31-bit real address and that do not cross a page: no protection
   applies. Returns 0 or PIC_ADDRESSING. */
int control_fetch_table(const struct cpu *cpu, uint32_t real, void *to, unsigned length) MUST_USE;
/* Words of such a table. */
int control_fetch_words(const struct cpu *cpu, uint32_t real, uint32_t *words, unsigned count) MUST_USE;
/* The ASTE at a real address. Returns 0 or PIC_ADDRESSING. */
int control_fetch_aste(const struct cpu *cpu, uint32_t origin, struct control_aste *aste) MUST_USE;
/* The ASTE of `asn`. Returns 0, PIC_AFX_TRANSLATION, PIC_ASX_TRANSLATION or PIC_ADDRESSING. */
int control_translate_asn(struct cpu *cpu, unsigned asn, struct control_aste *aste) MUST_USE;
/* Has authorization index `ax` primary (or secondary) authority in the authority table of `aste`? Returns 0,
   PIC_PRIMARY_AUTHORITY or PIC_SECONDARY_AUTHORITY, or PIC_ADDRESSING. `asn` is what the interruption shows. */
int control_authorize(struct cpu *cpu, const struct control_aste *aste, unsigned ax, bool primary,
                      unsigned asn) MUST_USE;
/* Subspace replacement: *asce, which came from `aste`, becomes that of the last subspace when `aste` is the base space
   of the dispatchable unit and it is subspace-active. Returns 0, PIC_ASTE_VALIDITY, PIC_ASTE_SEQUENCE or
   PIC_ADDRESSING. */
int control_replace_subspace(struct cpu *cpu, const struct control_aste *aste, uint64_t *asce) MUST_USE;
/* Real address of the dispatchable-unit control table. */
static inline uint32_t control_duct(const struct cpu *cpu) { return (uint32_t)(cpu->cr[2] & CR2_DUCT_ORIGIN); }

/* ---- Linkage stack, PoP chapter 5 ---- */

#define STACK_ENTRY_SIZE 296u /* a state entry, its entry descriptor at the end */
/* Entry types, bits 1-7 of an entry descriptor. */
enum { STACK_HEADER = 0x09, STACK_TRAILER = 0x0a, STACK_BRANCH = 0x0c, STACK_CALL = 0x0d };

/* What is special in a new state entry; everything else is the state of the CPU. */
struct control_stacking {
    unsigned type;    /* STACK_BRANCH or STACK_CALL */
    uint64_t mask;    /* PSW bits 0-63 to be saved, with the addressing mode of the return address */
    uint64_t ia;      /* return address */
    uint64_t special; /* bytes 144-151: called address, or called-space identification and PC number */
};
/* Where a new state entry goes: found and tested by control_stack_locate(). */
struct control_stack_place {
    uint64_t current;  /* address of the entry descriptor that the new entry follows */
    uint64_t backward; /* not zero: store it into the header of the section, which was entered */
    uint8_t descriptor[8];
};
/* Find space for a state entry, and see that it can be stored. Returns 0, a stack exception or an access exception. */
int control_stack_locate(struct cpu *cpu, struct control_stack_place *place) MUST_USE;
/* Store the entry and update the descriptor before it and control register 15. */
int control_stack_form(struct cpu *cpu, const struct control_stack_place *place,
                       const struct control_stacking *stacking) MUST_USE;

#endif
