/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences of effects.def for rows, and what a decoded instruction's fields are called. */
#include "disasm/explain.h"
#include "disasm/internal.h"

#include <stdio.h>
#include <string.h>

enum condition {
#define CONDITION(id, ...) CONDITION_##id,
#include "disasm/conditions.def"
#undef CONDITION
};

static const char *const conditions[][4] = {
#define CONDITION(id, ...) {__VA_ARGS__},
#include "disasm/conditions.def"
#undef CONDITION
};

static const struct exception {
    char letter;
    uint8_t mask_bit;
    const char *words;
} exceptions[] = {
#define EXCEPTION(letter, bit, words) {letter, bit, words},
#include "disasm/exceptions.def"
#undef EXCEPTION
};

struct effect {
    const char *name, *exceptions, *words;
    uint8_t condition; /* enum condition */
    bool floats;
};
static const struct effect effects[] = {
#define EFFECT(name, exceptions, condition, words) {name, exceptions, words, CONDITION_##condition, false},
#define FLOATS(name, exceptions, condition, words) {name, exceptions, words, CONDITION_##condition, true},
#include "disasm/effects.def"
#undef EFFECT
#undef FLOATS
};
enum { EFFECT_COUNT = sizeof effects / sizeof *effects };

/* ---- effects --------------------------------------------------------------------------------------------------- */

/* True when `length` characters of `name` are the pattern, in which a star is any characters. */
static bool matches(const char *pattern, const char *name, size_t length)
{
    for (; *pattern != '*'; pattern++, name++, length--)
        if (!length || *pattern != *name)
            return !length && !*pattern;
    for (size_t skipped = 0; skipped <= length; skipped++)
        if (matches(pattern + 1, name + skipped, length - skipped))
            return true;
    return false;
}

/* The length of a name before its parenthesis. */
static size_t base_length(const char *name)
{
    const char *end = strstr(name, " (");
    return end ? (size_t)(end - name) : strlen(name);
}

static bool names_float(const char *parenthesis)
{
    return strstr(parenthesis, "BFP") || strstr(parenthesis, "DFP") || strstr(parenthesis, "HFP");
}

/* The line of effects.def for a row: of floating point first, then that of the whole name, then the longest pattern. */
static const struct effect *effect_of(unsigned row)
{
    const struct effect *best = NULL;
    if (row >= DIS_ROW_COUNT)
        return NULL;
    const char *name = dis_rows[row].name;
    const size_t length = base_length(name);
    const bool is_float = names_float(name + length);
    unsigned rank = 0;
    for (unsigned i = 0; i < EFFECT_COUNT; i++) {
        const struct effect *e = &effects[i];
        const size_t own = strlen(e->name);
        const bool star = strchr(e->name, '*');
        const unsigned merit = e->floats ? 2000 : star ? (unsigned)own : 1000;
        if (merit > rank && (!e->floats || is_float) && matches(e->name, name, length)) {
            best = e;
            rank = merit;
        }
    }
    return best;
}

/* A form with three operands: two sources and a result. Masks are not counted. */
static bool has_three(const struct dis_row *row)
{
    unsigned count = 0;
    for (const uint8_t *kind = row->operands; *kind; kind++)
        count += dis_operands[*kind].class != DIS_CLASS_U || dis_operands[*kind].width > 4;
    return count > 2;
}

/* Append, of "[two|three]" the part that is meant. */
static void choose(const char *words, bool three, char *text, size_t size)
{
    size_t used = 0;
    enum { ALL, TWO, THREE } part = ALL;
    for (; *words && used + 1 < size; words++) {
        if (*words == '[')
            part = TWO;
        else if (*words == '|' && part == TWO)
            part = THREE;
        else if (*words == ']')
            part = ALL;
        else if (part == ALL || (part == THREE) == three)
            text[used++] = *words;
    }
    text[used] = 0;
}

void dis_explain(const struct dis_insn *insn, char *text, size_t size)
{
    const struct effect *e = effect_of(insn->row);
    *text = 0;
    if (e)
        choose(e->words, has_three(&dis_rows[insn->row]), text, size);
}

const char *dis_condition(unsigned row, unsigned cc)
{
    const struct effect *e = effect_of(row);
    return e && cc < 4 && dis_rows[row].cc != DIS_CC_UNCHANGED ? conditions[e->condition][cc] : "";
}

const char *dis_value_exception(unsigned row, unsigned n, unsigned *mask_bit)
{
    const struct effect *e = effect_of(row);
    if (!e || n >= strlen(e->exceptions))
        return NULL;
    for (unsigned i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (exceptions[i].letter == e->exceptions[n]) {
            *mask_bit = exceptions[i].mask_bit;
            return exceptions[i].words;
        }
    return NULL;
}

/* ---- fields ---------------------------------------------------------------------------------------------------- */

/* The third relative operand has another number in each format. */
static const char *relative_name(uint8_t format)
{
    return format == DIS_FMT_MII ? "RI3" : format == DIS_FMT_SMI ? "RI2" : "RI4";
}

/* The name of the member of `i` that is not as in `none`. */
static const char *changed(const struct dis_insn *i, const struct dis_insn *none)
{
    const bool smi = dis_rows[i->row].format == DIS_FMT_SMI;
    const struct {
        bool is;
        const char *name;
    } members[] = {
        {i->x2 != none->x2, "X2"},
        {i->r1 != none->r1, "R1"},
        {i->r2 != none->r2, "R2"},
        {i->r3 != none->r3, "R3"},
        {i->r4 != none->r4, "R4"},
        {i->b1 != none->b1, "B1"},
        {i->b2 != none->b2, "B2"},
        {i->b4 != none->b4, smi ? "B3" : "B4"},
        {i->m1 != none->m1, "M1"},
        {i->m3 != none->m3, "M3"},
        {i->m4 != none->m4, "M4"},
        {i->m5 != none->m5, "M5"},
        {i->m6 != none->m6, "M6"},
        {i->d1 != none->d1, "D1"},
        {i->d2 != none->d2, "D2"},
        {i->d4 != none->d4, smi ? "D3" : "D4"},
        {i->ri3 != none->ri3, relative_name(dis_rows[i->row].format)},
        {i->i2 != none->i2, "I2"},
        {i->i3 != none->i3, "I3"},
        {i->i4 != none->i4, "I4"},
        {i->i5 != none->i5, "I5"},
        {i->l2 != none->l2, "L2"},
        {i->l1 != none->l1, "L1"},
    };
    for (unsigned n = 0; n < sizeof members / sizeof *members; n++)
        if (members[n].is)
            return members[n].name;
    return "";
}

static void put_bytes(uint64_t value, uint8_t bytes[6])
{
    for (unsigned n = 0; n < 6; n++)
        bytes[n] = (uint8_t)(value >> (40 - 8 * n));
}

/* The operand of the row that is in the field at `bit`. */
static const struct dis_operand *operand_at(const struct dis_row *row, unsigned bit)
{
    for (const uint8_t *kind = row->operands; *kind; kind++) {
        const struct dis_operand *o = &dis_operands[*kind];
        if (o->class < DIS_CLASS_BD && o->start <= bit && bit < o->start + (unsigned)o->width)
            return o;
    }
    return NULL;
}

/* A displacement of twenty bits comes in two parts, the left one behind the other: DL, DH. */
static void name_part(const struct dis_row *row, unsigned bit, char name[5])
{
    const char number = name[1];
    for (const uint8_t *kind = row->operands; *kind; kind++) {
        const struct dis_operand *o = &dis_operands[*kind];
        if (o->class >= DIS_CLASS_BD && o->width == 20)
            snprintf(name, 5, "D%c%c", bit < o->start + 16u ? 'L' : 'H', number);
    }
}

/* The name of the field that a bit belongs to: found by decoding the instruction with no bit but that. */
static void name_of_bit(const struct dis_row *row, unsigned bit, char name[5])
{
    struct dis_insn none, one;
    uint8_t bytes[6];
    const uint64_t here = UINT64_C(1) << (47 - bit);
    snprintf(name, 5, "OP");
    if (row->mask & here)
        return;
    put_bytes(row->opcode, bytes);
    dis_decode(bytes, &none);
    put_bytes(row->opcode | here, bytes);
    dis_decode(bytes, &one);
    snprintf(name, 5, "%s", changed(&one, &none));
    if (*name == 'D')
        name_part(row, bit, name);
    const struct dis_operand *o = operand_at(row, bit);
    const bool vector = o && (o->class == DIS_CLASS_VR || o->class == DIS_CLASS_VSAME);
    if (row->format >= DIS_FMT_VRI_a && bit >= 36 && bit < 40)
        snprintf(name, 5, "RXB");
    else if ((*name == 'R' || strcmp(name, "X2") == 0) && vector)
        *name = 'V';
    else if (*name == 'M' && !o)
        *name = 0;
    else if (*name == 'R' && o && o->class == DIS_CLASS_U)
        *name = 'M';
    else if (row->format == DIS_FMT_I)
        snprintf(name, 5, "I");
    else if (strcmp(name, "I2") == 0 && o && o->class == DIS_CLASS_REL)
        snprintf(name, 5, "RI2");
    else if (*name == 0 && o)
        snprintf(name, 5, o->class == DIS_CLASS_U ? "I" : "R");
}

unsigned dis_named_fields(const struct dis_insn *insn, struct dis_named_field fields[DIS_FIELDS_MOST])
{
    unsigned count = 0;
    bool has_l2 = false;
    if (insn->row >= DIS_ROW_COUNT)
        return 0;
    for (unsigned bit = 0; bit < 8u * insn->length; bit++) {
        struct dis_named_field field = {.first = (uint8_t)bit, .width = 1};
        name_of_bit(&dis_rows[insn->row], bit, field.name);
        has_l2 = has_l2 || strcmp(field.name, "L2") == 0;
        if (count && strcmp(fields[count - 1].name, field.name) == 0)
            fields[count - 1].width++;
        else if (count < DIS_FIELDS_MOST)
            fields[count++] = field;
    }
    for (unsigned n = 0; n < count && !has_l2; n++)
        if (strcmp(fields[n].name, "L1") == 0)
            snprintf(fields[n].name, sizeof fields[n].name, "L");
    return count;
}

/* ---- operands -------------------------------------------------------------------------------------------------- */

static uint64_t all_bits(const struct dis_insn *insn)
{
    uint64_t bits = 0;
    for (unsigned n = 0; n < 6; n++)
        bits = bits << 8 | insn->bytes[n];
    return bits;
}

static int64_t with_sign(uint64_t value, unsigned width)
{
    const uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

static uint8_t vector_register(uint64_t bits, unsigned start)
{
    return (uint8_t)(dis_field(bits, start, 4) | dis_field(bits, dis_rxb_bit(start), 1) << 4);
}

/* Displacement, base, and index or length of a storage operand. */
static void name_address(const struct dis_operand *o, uint64_t bits, struct dis_named_operand *named)
{
    named->kind = DIS_NAMED_ADDRESS;
    named->base = (uint8_t)dis_field(bits, o->start, 4);
    named->value = (int64_t)dis_field(bits, o->start + 4u, 12);
    if (o->width == 20)
        named->value = with_sign(dis_field(bits, o->start + 16u, 8) << 12 | (uint64_t)named->value, 20);
    if (o->class == DIS_CLASS_XBD)
        named->index = (uint8_t)dis_field(bits, o->extra, 4);
    if (o->class == DIS_CLASS_VBD) {
        named->vector_index = true;
        named->index = vector_register(bits, o->extra);
    }
    if (o->class == DIS_CLASS_LBD)
        named->length = (uint16_t)(dis_field(bits, o->extra, 4) + 1);
    if (o->class == DIS_CLASS_LLBD)
        named->length = (uint16_t)(dis_field(bits, o->extra, 8) + 1);
}

static void name_operand(const struct dis_operand *o, uint64_t bits, struct dis_named_operand *named)
{
    static const uint8_t kinds[] = {
        [DIS_CLASS_GR] = DIS_NAMED_GR,   [DIS_CLASS_GP] = DIS_NAMED_GR,       [DIS_CLASS_FR] = DIS_NAMED_FR,
        [DIS_CLASS_FP] = DIS_NAMED_FR,   [DIS_CLASS_AR] = DIS_NAMED_AR,       [DIS_CLASS_CR] = DIS_NAMED_CR,
        [DIS_CLASS_VR] = DIS_NAMED_VR,   [DIS_CLASS_VSAME] = DIS_NAMED_VR,    [DIS_CLASS_U] = DIS_NAMED_VALUE,
        [DIS_CLASS_S] = DIS_NAMED_VALUE, [DIS_CLASS_REL] = DIS_NAMED_RELATIVE};
    *named = (struct dis_named_operand){.kind = DIS_NAMED_VALUE};
    if (o->class >= DIS_CLASS_BD) {
        name_address(o, bits, named);
        return;
    }
    const uint64_t field = dis_field(bits, o->start, o->width);
    named->kind = kinds[o->class];
    named->number = (uint8_t)field;
    named->value = (int64_t)field;
    named->pair = o->class == DIS_CLASS_GP || o->class == DIS_CLASS_FP;
    if (named->kind == DIS_NAMED_VR)
        named->number = vector_register(bits, o->start);
    if (o->class == DIS_CLASS_S || o->class == DIS_CLASS_REL)
        named->value = with_sign(field, o->width) * (o->class == DIS_CLASS_REL ? 2 : 1);
}

unsigned dis_named_operands(const struct dis_insn *insn, struct dis_named_operand operands[DIS_OPERANDS_MOST])
{
    unsigned count = 0;
    if (insn->row >= DIS_ROW_COUNT)
        return 0;
    for (const uint8_t *kind = dis_rows[insn->row].operands; *kind && count < DIS_OPERANDS_MOST; kind++)
        name_operand(&dis_operands[*kind], all_bits(insn), &operands[count++]);
    return count;
}
