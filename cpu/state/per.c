/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program-event recording. PoP chapter 4 (SA22-7832-13). */
#include "cpu/state/per.h"
#include "cpu/state/length.h"

/* PER code, the byte at real 150; the addressing-and-translation-mode identification is in the byte behind it. */
#define CODE_BRANCH          0x8000
#define CODE_FETCH           0x4000
#define CODE_STORE           0x2000
#define CODE_ZERO            0x0400 /* zero-address detection */
#define CODE_STORE_REAL      0x2800 /* storage alteration, by real address */
#define CODE_TRANSACTION_END 0x0200
#define CODE_NULLIFIED       0x0100 /* with CODE_FETCH */

#define ASCE_STORAGE_ALTERATION BIT64(56)

/* Is `address` in the area that control registers 10 and 11 designate (it may wrap)? */
static bool in_area(const struct cpu *cpu, uint64_t address)
{
    uint64_t start = cpu->cr[10], end = cpu->cr[11];
    return start <= end ? address >= start && address <= end : address >= start || address <= end;
}

void per_begin(struct cpu *cpu)
{
    cpu->per_code = 0;
    cpu->per_address = cpu->insn_ia;
    cpu->per_access_id = 0;
    cpu->per_space = 0;
    cpu->space_switched = false;
    cpu->per_mask = cpu->psw.mask;
    cpu->per_controls = cpu->cr[9];
}

/* Addressing and translation mode at the start of the instruction, bits 8-15 of the code; bits 14-15 tell the space of
   a storage-alteration event. */
static uint16_t atmid(const struct cpu *cpu)
{
    uint64_t mask = cpu->per_mask;
    unsigned id = 0x40; /* the identification is valid */
    if (mask & PSW_EA)
        id |= 0x80;
    if (mask & PSW_BA)
        id |= 0x20;
    if (mask & PSW_DAT)
        id |= 0x10;
    return (uint16_t)(id | field64(mask, 16, 17) << 2 | cpu->per_space);
}

bool per_nullifies(struct cpu *cpu, const struct dis_insn *insn)
{
    const uint64_t both = CR9_PER_FETCH | CR9_PER_FETCH_NULLIFY;
    if ((cpu->per_controls & both) != both || !in_area(cpu, cpu->insn_ia))
        return false;
    if ((cpu->per_controls & CR9_PER_SUPPRESSION) && (insn->row == DIS_TBEGIN || insn->row == DIS_TBEGINC))
        return false;
    cpu->per_code = (uint16_t)(CODE_FETCH | CODE_NULLIFIED | atmid(cpu));
    return true;
}

static bool zero_register(const struct cpu *cpu, unsigned r) { return (cpu->gr[r] & cpu->address_mask) == 0; }

/* Base and index: fields that are zero name no register and take no part. */
static bool zero_base(const struct cpu *cpu, unsigned b, unsigned x)
{
    if (!b)
        return x && zero_register(cpu, x);
    return zero_register(cpu, b) || (x && ((cpu->gr[b] + cpu->gr[x]) & cpu->address_mask) == 0);
}

void per_operands(struct cpu *cpu, const struct dis_insn *insn)
{
    if (!(cpu->per_controls & CR9_PER_ZERO_ADDRESS) || insn->row == DIS_NO_ROW)
        return;
    for (unsigned k = 0; k < 2; k++) {
        const struct dis_storage *s = &dis_rows[insn->row].storage[k];
        bool zero = false;
        if (cpu_operand_length(cpu, insn, s) ==
            0) /* nothing is accessed, or (reading) fetched as an instruction: EXECUTE */
            continue;
        switch (s->where) {
        case DIS_AT_B1D1:
            zero = zero_base(cpu, insn->b1, 0);
            break;
        case DIS_AT_X2B2D2:
            zero = zero_base(cpu, insn->b2, insn->x2);
            break;
        case DIS_AT_B2D2:
        case DIS_AT_V2B2D2:
            zero = zero_base(cpu, insn->b2, 0);
            break;
        case DIS_AT_B4D4:
            zero = zero_base(cpu, insn->b4, 0);
            break;
        case DIS_AT_R1:
            zero = zero_register(cpu, insn->r1);
            break;
        case DIS_AT_R2:
            zero = zero_register(cpu, insn->r2);
            break;
        case DIS_AT_R3:
            zero = zero_register(cpu, insn->r3);
            break;
        default:
            break;
        }
        if (zero)
            cpu->per_code |= CODE_ZERO;
    }
}

void per_store(struct cpu *cpu, const struct per_store *store)
{
    const uint64_t address = store->address, last = (address + store->length - 1) & cpu->address_mask;
    const uint64_t start = cpu->cr[10];
    bool starts_inside = address <= last ? start >= address && start <= last : start >= address || start <= last;
    if (!in_area(cpu, address) && !starts_inside)
        return;
    if (store->dat && (cpu->per_controls & CR9_PER_STORE_SPACE) && !(store->asce & ASCE_STORAGE_ALTERATION))
        return;
    cpu->per_code |= CODE_STORE;
    cpu->per_space = store->dat ? (uint8_t)store->identification : 0;
    cpu->per_access_id = store->dat && store->identification == AS_ACCESS_REGISTER ? (uint8_t)store->ar : 0;
}

void per_store_real(struct cpu *cpu)
{
    if (cpu->per_controls & CR9_PER_STORE_USING_REAL)
        cpu->per_code |= CODE_STORE_REAL;
}

/* The only event that event suppression lets through. */
void per_transaction_end(struct cpu *cpu)
{
    if (!per_active(cpu) || !(cpu->cr[9] & CR9_PER_TRANSACTION_END))
        return;
    if (cpu->cr[9] & CR9_PER_SUPPRESSION) {
        per_begin(cpu);
        cpu->per_controls &= CR9_PER_TRANSACTION_END;
    }
    cpu->per_code |= CODE_TRANSACTION_END;
}

/* The instruction, or the target of an execute-type instruction, begins in the area. */
static bool fetched_in_area(const struct cpu *cpu)
{
    return in_area(cpu, cpu->insn_ia) || (cpu->executed && in_area(cpu, cpu->target_ia));
}

static bool branched_into_area(const struct cpu *cpu)
{
    return cpu->branched && (!(cpu->per_controls & CR9_PER_BRANCH_ADDRESS) || in_area(cpu, cpu->psw.ia));
}

int per_end(struct cpu *cpu, int code)
{
    /* The early exception of a new PSW follows an instruction that is complete. */
    bool special = code == CPU_SVC || code == CPU_PARTIAL;
    bool completed = code == 0 || special || cpu->zero_ilc || cpu_completes(cpu, code);
    /* The instruction will be carried out again, or has begun a transaction without events. */
    if (code == CPU_CHECK_STOP || cpu_code_nullifies(code) || per_suppressed(cpu)) {
        cpu->per_code = 0;
        return code;
    }
    /* Chosen where PoP leaves it open: the fetch, and the zero address, of a suppressed or terminated instruction are
       shown, EXECUTE with an inaccessible target included. */
    if ((cpu->per_controls & CR9_PER_FETCH) && fetched_in_area(cpu))
        cpu->per_code |= CODE_FETCH;
    if ((cpu->per_controls & CR9_PER_BRANCH) && completed && branched_into_area(cpu))
        cpu->per_code |= CODE_BRANCH;
    if (!cpu->per_code)
        return code;
    cpu->per_code |= atmid(cpu);
    if (code == CPU_SVC)
        return code;
    if (code == CPU_PARTIAL) { /* between two units of operation; the instruction resumes behind the interruption */
        cpu->psw.ia = cpu->insn_ia;
        return PIC_PER_EVENT;
    }
    if (code == 0 && cpu->space_switched)
        code = PIC_SPACE_SWITCH_EVENT;
    return code | PIC_PER_EVENT;
}
