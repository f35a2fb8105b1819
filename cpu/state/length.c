/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of storage operands. The rules are those of the rows' length columns. */
#include "cpu/state/length.h"
#include "disasm/length.h"

/* PERFORM LOCKED OPERATION: bit 55 of general register 0 only tests a function code; else the code's rightmost two bits
   are the form. */
static unsigned locked_length(const struct cpu *cpu)
{
    static const uint8_t sizes[4] = {4, 8, 8, 16};
    return cpu->gr[0] & BIT64(55) ? 0 : sizes[cpu->gr[0] & 3];
}

/* Lengths that are in general registers. */
static uint64_t register_length(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s)
{
    const uint64_t mask = cpu->psw.mask & PSW_EA ? UINT64_MAX : UINT32_MAX, next = cpu->gr[(insn->r1 + 1) & 15] & mask;
    uint64_t length;
    switch (s->length) {
    case DIS_LEN_R1:
        return cpu->gr[(insn->r1 + s->bytes) & 15] & mask;
    case DIS_LEN_R2:
        return cpu->gr[(insn->r2 + s->bytes) & 15] & mask;
    case DIS_LEN_R3:
        return cpu->gr[(insn->r3 + s->bytes) & 15] & mask;
    case DIS_LEN_R1_24:
        return field64(next, 40, 63);
    case DIS_LEN_R2_24:
        return field64(cpu->gr[(insn->r2 + 1) & 15], 40, 63);
    case DIS_LEN_R1_TWICE:
        return 2 * next;
    case DIS_LEN_R1_HALF:
        return next / 2;
    case DIS_LEN_R1_MOST:
    case DIS_LEN_R3_MOST:
        length = cpu->gr[s->length == DIS_LEN_R1_MOST ? insn->r1 : insn->r3] & mask;
        return length < s->bytes ? length : s->bytes;
    default: /* DIS_LEN_TO_R1 */
        length = (cpu->gr[insn->r1] - cpu->gr[insn->r2]) & cpu->address_mask;
        return (length + s->bytes - 1u) / s->bytes * s->bytes;
    }
}

/* Lengths that masks, immediate operands and the like give. */
static uint64_t field_length(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s)
{
    uint64_t left;
    switch (s->length) {
    case DIS_LEN_REGS16:
        return 16 * (((insn->r3 - insn->r1) & 31u) + 1);
    case DIS_LEN_ELEMENT:
        return insn->m3 == 6 ? 4 : UINT64_C(1) << insn->m3;
    case DIS_LEN_INDEX_R3:
        left = gr32(cpu, insn->r3 & 15);
        return left < 16 ? left + 1 : 16;
    case DIS_LEN_INDEX_I3:
        return insn->i3 + 1u;
    case DIS_LEN_TO_BLOCK:
        left = (64u << insn->m3) - (cpu_ea2(cpu, insn) & ((64u << insn->m3) - 1));
        return left < 16 ? left : 16;
    case DIS_LEN_IF_BASE:
        return insn->b1 ? s->bytes : 0;
    default:
        left = dis_length_by_fields(insn, s);
        return left ? left : s->bytes;
    }
}

/* Function codes of COMPUTE LAST MESSAGE DIGEST and of PERFORM RANDOM NUMBER OPERATION that use other operands than the
   rest. */
enum { KLMD_SHAKE_128 = 36, KLMD_SHAKE_256 = 37, PRNO_RATIO = 112, PRNO_TRNG = 114 };

static unsigned function_code(const struct cpu *cpu) { return (unsigned)field64(cpu->gr[0], 57, 63); }

/* Whether the function in general register 0 uses the operand. */
static bool used(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s)
{
    const unsigned function = function_code(cpu);
    const bool first = s->where == DIS_AT_R1, seeds = cpu->gr[0] & BIT64(56);
    if (function == 0)
        return false;
    switch (insn->row) {
    case DIS_KLMD:
        return !first || function == KLMD_SHAKE_128 || function == KLMD_SHAKE_256;
    case DIS_PRNO:
        return function != PRNO_RATIO && (first ? !seeds : seeds || function == PRNO_TRNG);
    default:
        return true;
    }
}

unsigned cpu_answer_length(const struct cpu *cpu, const struct dis_insn *insn)
{
    const unsigned function = function_code(cpu);
    if (!(dis_rows[insn->row].flags & DIS_QUERIES))
        return 0;
    if (function == 0)
        return insn->row == DIS_SORTL || insn->row == DIS_DFLTCC ? 32 : 16;
    return insn->row == DIS_PRNO && function == PRNO_RATIO ? 8 : 0;
}

uint64_t cpu_operand_length(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s)
{
    if ((dis_rows[insn->row].flags & DIS_QUERIES) && !used(cpu, insn, s))
        return 0;
    switch (s->length) {
    case DIS_LEN_R1:
    case DIS_LEN_R2:
    case DIS_LEN_R3:
    case DIS_LEN_R1_24:
    case DIS_LEN_R2_24:
    case DIS_LEN_R1_TWICE:
    case DIS_LEN_R1_HALF:
    case DIS_LEN_R1_MOST:
    case DIS_LEN_R3_MOST:
    case DIS_LEN_TO_R1:
        return register_length(cpu, insn, s);
    case DIS_LEN_GR0:
        return field64(cpu->gr[0], 56, 63) + 1;
    case DIS_LEN_SWAPPED: /* codes that are too large are a specification exception */
        return 4u << (cpu->gr[0] & 3);
    case DIS_LEN_STORED:
        return 1u << field64(cpu->gr[0], 53, 55);
    case DIS_LEN_LOCKED:
        return locked_length(cpu);
    case DIS_LEN_INSTRUCTION:
        return 0;
    case DIS_LEN_TOLD:
        return 1;
    default:
        return field_length(cpu, insn, s);
    }
}
