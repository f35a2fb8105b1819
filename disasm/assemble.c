/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of assembler language to bytes. */
#include "base/digit.h"
#include "disasm/dis.h"
#include "disasm/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MNEMONIC_MAX = 15, OPERAND_MAX = 6, PART_MAX = 2 };

/* A piece of the line. */
struct piece {
    const char *start;
    size_t length;
};

struct job {
    const char *mnemonic;
    uint64_t address;
    uint64_t insn; /* left-aligned in 48 bits */
    char *why;
    size_t size;
};

/* Writes the sentence that says what is wrong; always false. */
__attribute__((format(printf, 2, 3))) static bool wrong(struct job *job, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (job->size > 0)
        vsnprintf(job->why, job->size, format, list);
    va_end(list);
    return false;
}

static struct piece trim(struct piece piece)
{
    while (piece.length > 0 && isspace((unsigned char)piece.start[0]))
        piece.start++, piece.length--;
    while (piece.length > 0 && isspace((unsigned char)piece.start[piece.length - 1]))
        piece.length--;
    return piece;
}

/* For messages: a piece's length as printf's precision. */
static int shown(struct piece piece) { return piece.length > 40 ? 40 : (int)piece.length; }

/* Decimal, 0x.. or X'..', with a sign in front if wanted. At most 64 bits. */
static bool number(struct piece piece, int64_t *value)
{
    bool negative = false;
    unsigned base = 10;
    uint64_t total = 0;
    piece = trim(piece);
    if (piece.length > 0 && (piece.start[0] == '-' || piece.start[0] == '+')) {
        negative = piece.start[0] == '-';
        piece.start++, piece.length--;
    }
    if (piece.length > 2 && piece.start[0] == '0' && (piece.start[1] | 32) == 'x') {
        base = 16;
        piece.start += 2, piece.length -= 2;
    } else if (piece.length > 3 && (piece.start[0] | 32) == 'x' && piece.start[1] == '\'' &&
               piece.start[piece.length - 1] == '\'') {
        base = 16;
        piece.start += 2, piece.length -= 3;
    }
    if (piece.length == 0)
        return false;
    for (size_t i = 0; i < piece.length; i++) {
        unsigned digit = (unsigned)hex_digit(piece.start[i]);
        if (digit >= base || total > (UINT64_MAX - digit) / base)
            return false;
        total = total * base + digit;
    }
    *value = (int64_t)(negative ? 0 - total : total);
    return true;
}

/* A register of the class with the letter, "%r5", "r5" or "5"; 0 to `highest`. */
static bool register_number(struct job *job, struct piece piece, char letter, unsigned highest, uint64_t *value)
{
    struct piece digits = trim(piece);
    int64_t n;
    bool percent = digits.length > 0 && digits.start[0] == '%';
    if (percent)
        digits.start++, digits.length--;
    if (digits.length > 1 && (digits.start[0] | 32) == letter)
        digits.start++, digits.length--;
    else if (percent || (digits.length > 0 && isalpha((unsigned char)digits.start[0])))
        return wrong(job, "%s: '%.*s' is not a register of this operand; write %%%c0 to %%%c%u", job->mnemonic,
                     shown(piece), piece.start, letter, letter, highest);
    if (!number(digits, &n) || n < 0 || n > (int64_t)highest)
        return wrong(job, "%s: '%.*s' is not a register; write %%%c0 to %%%c%u", job->mnemonic, shown(piece),
                     piece.start, letter, letter, highest);
    *value = (uint64_t)n;
    return true;
}

static bool value_in(struct job *job, struct piece piece, const char *what, int64_t lowest, int64_t highest,
                     int64_t *value)
{
    if (!number(piece, value))
        return wrong(job, "%s: '%.*s' is not a number; write decimal, 0x12 or X'12' for the %s", job->mnemonic,
                     shown(piece), piece.start, what);
    if (*value < lowest || *value > highest)
        return wrong(job, "%s: %s %.*s is out of range; it must be %" PRId64 " to %" PRId64, job->mnemonic, what,
                     shown(piece), piece.start, lowest, highest);
    return true;
}

static void place(struct job *job, uint64_t value, unsigned start, unsigned width)
{
    job->insn |= dis_in_field(value, start, width);
}

static void place_vector(struct job *job, uint64_t value, unsigned start)
{
    place(job, value, start, 4);
    place(job, value >> 4, dis_rxb_bit(start), 1);
}

/* Target of a relative operand: an address, or "*+6" (also ".+6") from the instruction. */
static bool place_relative(struct job *job, struct piece piece, const struct dis_operand *o)
{
    int64_t target, limit = INT64_C(1) << o->width;
    bool here = piece.length > 0 && (piece.start[0] == '*' || piece.start[0] == '.');
    if (here) {
        piece.start++, piece.length--;
        target = 0;
        if (trim(piece).length > 0 && !number(piece, &target))
            return wrong(job, "%s: '%.*s' is not a distance; write *+12 or *-12", job->mnemonic, shown(piece),
                         piece.start);
    } else {
        if (!number(piece, &target))
            return wrong(job, "%s: '%.*s' is not an address; write 0x1000 or *+12", job->mnemonic, shown(piece),
                         piece.start);
        target = (int64_t)((uint64_t)target - job->address);
    }
    if (target & 1)
        return wrong(job, "%s: the target %.*s is odd; instructions begin at even addresses", job->mnemonic,
                     shown(piece), piece.start);
    if (target < -limit || target >= limit)
        return wrong(job, "%s: the target %.*s is too far; it must be %" PRId64 " bytes back to %" PRId64 " ahead",
                     job->mnemonic, shown(piece), piece.start, limit, limit - 2);
    place(job, (uint64_t)(target >> 1), o->start, o->width);
    return true;
}

/* Splits "D(first,second)". `count` is the number of parts in parentheses, 0 without any. */
static bool split_storage(struct job *job, struct piece piece, struct piece *displacement, struct piece *parts,
                          unsigned *count)
{
    const char *open = memchr(piece.start, '(', piece.length);
    *count = 0;
    *displacement = piece;
    if (open == NULL)
        return true;
    displacement->length = (size_t)(open - piece.start);
    if (piece.start[piece.length - 1] != ')')
        return wrong(job, "%s: '%.*s' has no closing parenthesis at its end", job->mnemonic, shown(piece), piece.start);
    struct piece inside = {open + 1, piece.length - displacement->length - 2};
    const char *comma = memchr(inside.start, ',', inside.length);
    if (comma == NULL) {
        parts[0] = trim(inside);
        *count = 1;
        return true;
    }
    parts[0] = trim((struct piece){inside.start, (size_t)(comma - inside.start)});
    parts[1] = trim((struct piece){comma + 1, (size_t)(inside.start + inside.length - comma - 1)});
    *count = 2;
    return true;
}

/* The part before the base: index, length or register. */
static bool place_first_part(struct job *job, struct piece piece, const struct dis_operand *o)
{
    uint64_t n;
    int64_t length;
    switch ((enum dis_class)o->class) {
    case DIS_CLASS_XBD:
    case DIS_CLASS_RBD:
        if (!register_number(job, piece, 'r', 15, &n))
            return false;
        place(job, n, o->extra, 4);
        return true;
    case DIS_CLASS_VBD:
        if (!register_number(job, piece, 'v', 31, &n))
            return false;
        place_vector(job, n, o->extra);
        return true;
    default:
        break;
    }
    unsigned width = o->class == DIS_CLASS_LBD ? 4 : 8;
    if (!value_in(job, piece, "length", 0, INT64_C(1) << width, &length))
        return false;
    place(job, (uint64_t)(length == 0 ? 0 : length - 1), o->extra, width);
    return true;
}

static bool place_storage(struct job *job, struct piece piece, const struct dis_operand *o)
{
    struct piece displacement, parts[PART_MAX] = {{NULL, 0}, {NULL, 0}};
    unsigned count;
    int64_t d = 0;
    uint64_t base = 0;
    bool has_first = o->class != DIS_CLASS_BD,
         needs_first = has_first && o->class != DIS_CLASS_XBD && o->class != DIS_CLASS_VBD;
    if (!split_storage(job, piece, &displacement, parts, &count))
        return false;
    if (trim(displacement).length > 0 && !value_in(job, displacement, "displacement", o->width == 20 ? -0x80000 : 0,
                                                   o->width == 20 ? 0x7ffff : 0xfff, &d))
        return false;
    if (count == 2 && !has_first)
        return wrong(job, "%s: '%.*s' has an index, but this operand takes a base only: write D(B)", job->mnemonic,
                     shown(piece), piece.start);
    if (needs_first && count == 0)
        return wrong(job, "%s: '%.*s' lacks its %s; write D(%s,B)", job->mnemonic, shown(piece), piece.start,
                     o->class == DIS_CLASS_RBD ? "register" : "length", o->class == DIS_CLASS_RBD ? "R" : "L");
    bool vector_only = o->class == DIS_CLASS_VBD && count == 1 && parts[0].length > 1 && parts[0].start[0] == '%' &&
                       (parts[0].start[1] | 32) == 'v';
    unsigned base_part = count == 2 ? 1 : needs_first || vector_only ? PART_MAX : 0;
    if ((count == 2 || base_part == PART_MAX) && parts[0].length > 0 && !place_first_part(job, parts[0], o))
        return false;
    if (count > 0 && base_part < PART_MAX && parts[base_part].length > 0 &&
        !register_number(job, parts[base_part], 'r', 15, &base))
        return false;
    place(job, base, o->start, 4);
    place(job, (uint64_t)d, o->start + 4, 12);
    if (o->width == 20)
        place(job, (uint64_t)(d >> 12), o->start + 16, 8);
    return true;
}

/* Odd registers of pairs are taken: what the machine does with them is for it to say. */
static bool place_register(struct job *job, struct piece piece, const struct dis_operand *o, char letter)
{
    uint64_t n;
    if (!register_number(job, piece, letter, 15, &n))
        return false;
    place(job, n, o->start, 4);
    return true;
}

static bool place_operand(struct job *job, struct piece piece, unsigned kind)
{
    const struct dis_operand *o = &dis_operands[kind];
    uint64_t n;
    int64_t value;
    switch ((enum dis_class)o->class) {
    case DIS_CLASS_GR:
    case DIS_CLASS_GP:
        return place_register(job, piece, o, 'r');
    case DIS_CLASS_FR:
    case DIS_CLASS_FP:
        return place_register(job, piece, o, 'f');
    case DIS_CLASS_AR:
        return place_register(job, piece, o, 'a');
    case DIS_CLASS_CR:
        return place_register(job, piece, o, 'c');
    case DIS_CLASS_VR:
    case DIS_CLASS_VSAME:
        if (!register_number(job, piece, 'v', 31, &n))
            return false;
        place_vector(job, n, o->start);
        if (o->class == DIS_CLASS_VSAME)
            place_vector(job, n, 16);
        return true;
    case DIS_CLASS_U:
        if (!value_in(job, piece, "value", 0, (INT64_C(1) << o->width) - 1, &value))
            return false;
        place(job, (uint64_t)value | o->extra, o->start, o->width);
        return true;
    case DIS_CLASS_S:
        if (!value_in(job, piece, "value", -(INT64_C(1) << (o->width - 1)), (INT64_C(1) << (o->width - 1)) - 1, &value))
            return false;
        place(job, (uint64_t)value, o->start, o->width);
        return true;
    case DIS_CLASS_REL:
        return place_relative(job, piece, o);
    default:
        return place_storage(job, piece, o);
    }
}

/* Splits at commas outside parentheses; more than OPERAND_MAX pieces count as OPERAND_MAX + 1. */
static unsigned split_operands(struct piece text, struct piece *pieces)
{
    unsigned count = 0, depth = 0;
    size_t start = 0;
    text = trim(text);
    if (text.length == 0)
        return 0;
    for (size_t i = 0; i <= text.length; i++) {
        char c = i < text.length ? text.start[i] : ',';
        depth += c == '(';
        depth -= c == ')' && depth > 0;
        if (i < text.length && (c != ',' || depth > 0))
            continue;
        if (count == OPERAND_MAX)
            return OPERAND_MAX + 1;
        pieces[count++] = trim((struct piece){text.start + start, i - start});
        start = i + 1;
    }
    return count;
}

static unsigned operand_count(const uint8_t *operands)
{
    unsigned count = 0;
    while (operands[count] != DIS_OP_NONE)
        count++;
    return count;
}

static bool place_operands(struct job *job, const uint8_t *operands, unsigned optional, struct piece text)
{
    struct piece pieces[OPERAND_MAX];
    unsigned given = split_operands(text, pieces), wanted = operand_count(operands);
    if (given > wanted || given + optional < wanted)
        return wrong(job, "%s: %u operands given, it takes %u%s", job->mnemonic, given, wanted,
                     optional ? " (the last may be left out)" : "");
    for (unsigned i = 0; i < wanted; i++) {
        const struct dis_operand *o = &dis_operands[operands[i]];
        if (i >= given)
            place(job, o->class == DIS_CLASS_U ? o->extra : 0, o->start, o->class == DIS_CLASS_U ? o->width : 1);
        else if (pieces[i].length == 0)
            return wrong(job, "%s: operand %u is empty", job->mnemonic, i + 1);
        else if (!place_operand(job, pieces[i], operands[i]))
            return false;
    }
    return true;
}

static bool assemble_extended(struct job *job, const struct dis_extended *e, struct piece text)
{
    job->insn = dis_rows[e->row].opcode;
    for (unsigned i = 0; i < e->given_count; i++) {
        const struct dis_operand *o = &dis_operands[e->given[i].operand];
        place(job, e->given[i].value, o->start, o->width);
    }
    return place_operands(job, e->operands, e->optional, text);
}

/* Tries every meaning of the mnemonic; the length, or -1 with the reason of the last. */
static int try_meanings(struct job *job, struct piece text)
{
    bool known = false;
    uint16_t row = dis_find(job->mnemonic);
    if (row != DIS_NO_ROW) {
        job->insn = dis_rows[row].opcode;
        if (place_operands(job, dis_rows[row].operands, dis_optional(&dis_rows[row]), text))
            return dis_rows[row].length;
        known = true;
    }
    for (unsigned i = 0; i < dis_extended_count; i++) {
        if (dis_extended[i].mnemonic[0] != job->mnemonic[0] || strcmp(dis_extended[i].mnemonic, job->mnemonic) != 0)
            continue;
        if (assemble_extended(job, &dis_extended[i], text))
            return dis_rows[dis_extended[i].row].length;
        known = true;
    }
    if (!known)
        wrong(job, "'%s' is no instruction; zri-instructions(7) lists them", job->mnemonic);
    return -1;
}

int dis_assemble(const char *line, uint64_t address, uint8_t bytes[6], char *why, size_t size)
{
    char mnemonic[MNEMONIC_MAX + 1];
    struct job job = {mnemonic, address, 0, why, size};
    struct piece text = trim((struct piece){line, strlen(line)});
    size_t length = 0;
    mnemonic[0] = '\0';
    while (length < text.length && !isspace((unsigned char)text.start[length]))
        length++;
    if (length == 0 || length > MNEMONIC_MAX) {
        wrong(&job, "'%.*s' is no instruction; write a mnemonic and its operands, such as ahi %%r1,5", shown(text),
              text.start);
        return -1;
    }
    for (size_t i = 0; i < length; i++)
        mnemonic[i] = (char)tolower((unsigned char)text.start[i]);
    mnemonic[length] = '\0';
    int result = try_meanings(&job, (struct piece){text.start + length, text.length - length});
    for (int i = 0; i < result; i++)
        bytes[i] = (uint8_t)(job.insn >> (40 - 8 * i));
    return result;
}
