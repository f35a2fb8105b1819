/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of an instruction, letter for letter as GNU objdump writes it. */
#include "disasm/dis.h"
#include "disasm/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Text that is being written; what does not fit is dropped, the NUL always fits. */
struct line {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (line->used < line->size) {
        int n = vsnprintf(line->text + line->used, line->size - line->used, format, list);
        line->used += n > 0 ? (size_t)n : 0;
    }
    va_end(list);
}

/* A mnemonic with its operands: of a row or of an extended mnemonic. */
struct shape {
    const char *mnemonic;
    const uint8_t *operands;
    unsigned optional;
};

static uint64_t gather(const uint8_t *bytes, unsigned length)
{
    uint64_t insn = 0;
    for (unsigned i = 0; i < 6; i++)
        insn = insn << 8 | (i < length ? bytes[i] : 0);
    return insn;
}

/* Bits that are neither operation code nor operand and yet may be ones in what objdump takes for an instruction. Those
   of run-time instrumentation are ignored by the CPU, and no judge stands against showing the instruction. */
static uint64_t ignored_bits(const struct dis_row *row)
{
    switch (row->format) {
    case DIS_FMT_RRF_a:
    case DIS_FMT_RRF_b:
        return dis_operands[row->operands[0]].class == DIS_CLASS_GR ||
                       dis_operands[row->operands[0]].class == DIS_CLASS_GP
                   ? dis_in_field(15, 20, 4)
                   : 0;
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_d:
        return dis_in_field(15, 36, 4);
    case DIS_FMT_RIE_e:
        return dis_in_field(255, 32, 8);
    case DIS_FMT_SI:
        return dis_in_field(255, 8, 8);
    default:
        break;
    }
    if (row->facility_id == DIS_FAC_RI)
        return ~row->mask;
    return row->format >= DIS_FMT_VRI_a ? dis_in_field(15, 36, 4) : 0;
}

static uint64_t operand_bits(const uint8_t *operands)
{
    uint64_t bits = 0;
    for (unsigned i = 0; operands[i] != DIS_OP_NONE; i++)
        bits |= dis_operand_bits(operands[i]);
    return bits;
}

/* Whether the bits of `insn` outside `free` are the operation code and zeros. */
static bool fits(uint64_t insn, const struct dis_row *row, uint64_t free)
{
    uint64_t all = ~UINT64_C(0) << (48 - row->length * 8) & ((UINT64_C(1) << 48) - 1);
    return ((insn ^ row->opcode) & all & (row->mask | ~free)) == 0;
}

static bool fits_extended(uint64_t insn, const struct dis_row *row, const struct dis_extended *extended)
{
    uint64_t free = ignored_bits(row);
    for (unsigned i = 0; i < extended->given_count; i++) {
        const struct dis_given *given = &extended->given[i];
        const struct dis_operand *o = &dis_operands[given->operand];
        if (dis_field(insn, o->start, o->width) != given->value)
            return false;
        free |= dis_in_field(~UINT64_C(0), o->start, o->width);
    }
    for (unsigned i = 0; extended->operands[i] != DIS_OP_NONE; i++) {
        const struct dis_operand *o = &dis_operands[extended->operands[i]];
        if (o->class == DIS_CLASS_U && o->extra != 0) {
            if ((dis_field(insn, o->start, o->width) & o->extra) != o->extra)
                return false;
            free |= dis_in_field(o->extra, o->start, o->width);
        }
    }
    return fits(insn, row, free | operand_bits(extended->operands));
}

/* What to call the instruction; false when objdump would not take these bytes for one. */
static bool choose(uint64_t insn, unsigned row_number, bool extended, struct shape *shape)
{
    const struct dis_row *row = &dis_rows[row_number];
    for (unsigned i = 0; extended && i < dis_extended_count; i++) {
        const struct dis_extended *e = &dis_extended[i];
        if (e->row == row_number && e->shown && fits_extended(insn, row, e)) {
            *shape = (struct shape){e->mnemonic, e->operands, e->optional};
            return true;
        }
    }
    *shape = (struct shape){row->mnemonic, row->operands, dis_optional(row)};
    return fits(insn, row, ignored_bits(row) | operand_bits(row->operands));
}

static int64_t sign_extend(uint64_t value, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

static uint64_t vector_register(uint64_t insn, unsigned start)
{
    return dis_field(insn, start, 4) | dis_field(insn, dis_rxb_bit(start), 1) << 4;
}

static int64_t displacement(uint64_t insn, const struct dis_operand *o)
{
    uint64_t low = dis_field(insn, o->start + 4, 12);
    return o->width == 20 ? sign_extend(dis_field(insn, o->start + 16, 8) << 12 | low, 20) : (int64_t)low;
}

/* D(B), D(X,B), D(L,B): an index of zero is left out, and a base of zero where nothing stands before it. */
static void put_storage(struct line *line, uint64_t insn, const struct dis_operand *o)
{
    uint64_t base = dis_field(insn, o->start, 4);
    bool open = false;
    put(line, "%" PRId64, displacement(insn, o));
    switch ((enum dis_class)o->class) {
    case DIS_CLASS_XBD:
        if ((open = dis_field(insn, o->extra, 4) != 0))
            put(line, "(%%r%" PRIu64, dis_field(insn, o->extra, 4));
        break;
    case DIS_CLASS_VBD:
        if ((open = vector_register(insn, o->extra) != 0))
            put(line, "(%%v%" PRIu64, vector_register(insn, o->extra));
        break;
    case DIS_CLASS_RBD:
        open = true;
        put(line, "(%%r%" PRIu64, dis_field(insn, o->extra, 4));
        break;
    case DIS_CLASS_LBD:
        open = true;
        put(line, "(%" PRIu64, dis_field(insn, o->extra, 4) + 1);
        break;
    case DIS_CLASS_LLBD:
        open = true;
        put(line, "(%" PRIu64, dis_field(insn, o->extra, 8) + 1);
        break;
    default:
        break;
    }
    if (open || base != 0)
        put(line, "%c%%r%" PRIu64 ")", open ? ',' : '(', base);
}

static void put_operand(struct line *line, uint64_t insn, unsigned kind, uint64_t address)
{
    const struct dis_operand *o = &dis_operands[kind];
    uint64_t value = o->width <= 32 ? dis_field(insn, o->start, o->width) : 0;
    switch ((enum dis_class)o->class) {
    case DIS_CLASS_GR:
    case DIS_CLASS_GP:
        put(line, "%%r%" PRIu64, value);
        break;
    case DIS_CLASS_FR:
    case DIS_CLASS_FP:
        put(line, "%%f%" PRIu64, value);
        break;
    case DIS_CLASS_AR:
        put(line, "%%a%" PRIu64, value);
        break;
    case DIS_CLASS_CR:
        put(line, "%%c%" PRIu64, value);
        break;
    case DIS_CLASS_VR:
    case DIS_CLASS_VSAME:
        put(line, "%%v%" PRIu64, vector_register(insn, o->start));
        break;
    case DIS_CLASS_U:
        put(line, "%" PRIu64, value & ~(uint64_t)o->extra);
        break;
    case DIS_CLASS_S:
        put(line, "%" PRId64, sign_extend(value, o->width));
        break;
    case DIS_CLASS_REL:
        put(line, "0x%" PRIx64, address + (uint64_t)sign_extend(value, o->width) * 2);
        break;
    default:
        put_storage(line, insn, o);
        break;
    }
}

/* True when this operand and all behind it are zero and may be left out. */
static bool left_out(uint64_t insn, const struct shape *shape, unsigned i)
{
    unsigned count = i;
    while (shape->operands[count] != DIS_OP_NONE)
        count++;
    if (count - i > shape->optional)
        return false;
    for (; i < count; i++) {
        const struct dis_operand *o = &dis_operands[shape->operands[i]];
        if (o->class >= DIS_CLASS_BD || (dis_field(insn, o->start, o->width) & ~(uint64_t)o->extra) != 0)
            return false;
    }
    return true;
}

/* Bytes that are no instruction. */
static unsigned put_data(struct line *line, const uint8_t *bytes, size_t available)
{
    if (available >= 4) {
        put(line, ".long\t0x%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
        return 4;
    }
    if (available >= 2) {
        put(line, ".short\t0x%02x%02x", bytes[0], bytes[1]);
        return 2;
    }
    put(line, ".byte\t0x%02x", bytes[0]);
    return 1;
}

unsigned dis_text_of(const uint8_t *bytes, size_t available, uint64_t address, bool extended, char *text, size_t size)
{
    struct line line = {text, size, 0};
    struct shape shape;
    struct dis_insn insn;
    if (size > 0)
        text[0] = '\0';
    if (available == 0)
        return 0;
    unsigned length = dis_length(bytes[0]);
    if (length > available || dis_decode(bytes, &insn) == DIS_NO_ROW)
        return put_data(&line, bytes, available);
    uint64_t bits = gather(bytes, length);
    if (!choose(bits, insn.row, extended, &shape))
        return put_data(&line, bytes, available);
    put(&line, "%s", shape.mnemonic);
    for (unsigned i = 0; shape.operands[i] != DIS_OP_NONE && !left_out(bits, &shape, i); i++) {
        put(&line, "%c", i == 0 ? '\t' : ',');
        put_operand(&line, bits, shape.operands[i], address);
    }
    return length;
}

unsigned dis_text(const uint8_t *bytes, uint64_t address, bool extended, char *text, size_t size)
{
    return dis_text_of(bytes, dis_length(bytes[0]), address, extended, text, size);
}
