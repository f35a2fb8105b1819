/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation in words. The names and places of all fields come from controls.def, records.def and
   types.def. */
#include "ri/text.h"
#include "ri/internal.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- controls -------------------------------------------------------------------------------------------------- */

/* Hexadecimal digits for a field of `bits` bits; single bits and counts are decimal. */
static unsigned digits_of(unsigned bits) { return bits < 4 ? 0 : (bits + 3) / 4; }

struct control {
    const char *name, *text;
    uint8_t bits;
    uint8_t size; /* of the member, bytes */
    uint16_t offset;
};
static const struct control controls[] = {
#define CONTROL(dw, first, last, id, name, mric, text)                                                                 \
    {name, text, (last) - (first) + 1, sizeof((struct ri_controls *)0)->id, offsetof(struct ri_controls, id)},
#include "ri/controls.def"
};
#define CONTROLS (sizeof controls / sizeof controls[0])

static uint64_t control_value(const struct ri_controls *c, const struct control *field)
{
    const char *place = (const char *)c + field->offset;
    uint64_t value;
    if (field->size == 1)
        return *(const uint8_t *)place;
    memcpy(&value, place, sizeof value);
    return value;
}

bool ri_controls_set(struct ri_controls *c, const char *name, uint64_t value)
{
    for (unsigned i = 0; i < CONTROLS; i++) {
        const struct control *field = &controls[i];
        if (strcasecmp(name, field->name) != 0)
            continue;
        if (field->bits < 64 && value >> field->bits)
            return false;
        char *place = (char *)c + field->offset;
        if (field->size == 1)
            *(uint8_t *)place = (uint8_t)value;
        else
            memcpy(place, &value, sizeof value);
        return true;
    }
    return false;
}

/* What some fields mean by their values; "" for the others. */
static void value_words(const char *name, uint64_t value, char *text, size_t size)
{
    static const char *const modes[16] = {"cycles", "instructions", "directed only"};
    *text = 0;
    if (strcmp(name, "M") == 0)
        snprintf(text, size, ": %s", modes[value & 15] ? modes[value & 15] : "invalid");
    else if (strcmp(name, "RGS") == 0)
        snprintf(text, size, ": %u records, %u bytes", ri_group_count((unsigned)value & 7),
                 (unsigned)ri_group_length((unsigned)value & 7));
    else if ((strcmp(name, "IC") == 0 || strcmp(name, "DC") == 0) && value == 15)
        snprintf(text, size, ": never");
    else if (strcmp(name, "SF") == 0 || strcmp(name, "RSIC") == 0)
        snprintf(text, size, ": %" PRIu64 " in decimal", value);
}

void ri_controls_each(const struct ri_controls *c, ri_meaning field, void *context)
{
    char extra[64], words[RI_LINE];
    for (unsigned i = 0; i < CONTROLS; i++) {
        const uint64_t value = control_value(c, &controls[i]);
        value_words(controls[i].name, value, extra, sizeof extra);
        snprintf(words, sizeof words, "%s%s", controls[i].text, extra);
        field(context, controls[i].name, value, digits_of(controls[i].bits), words);
    }
}

const char *ri_state_name(const struct ri *ri)
{
    if (!ri->controls.v)
        return "controls not valid";
    if (!ri->enabled)
        return "off";
    if (ri->halted)
        return "halted";
    return ri_stopped(ri) ? "stopped (buffer full)" : "active";
}

/* ---- records --------------------------------------------------------------------------------------------------- */

struct ri_record ri_record_from(const uint8_t bytes[16]) { return (struct ri_record){get64(bytes), get64(bytes + 8)}; }

enum layout {
    LAYOUT_NONE,
    LAYOUT_BEGIN,
    LAYOUT_TIMESTAMP,
    LAYOUT_INSTRUCTION,
    LAYOUT_EMIT,
    LAYOUT_ABORT,
    LAYOUT_BRANCH,
    LAYOUT_EXTRA
};

static const struct type {
    uint8_t code, layout;
    const char *name;
} types[] = {
#define TYPE(code, id, fields, name) {code, LAYOUT_##fields, name},
#include "ri/types.def"
};

static const struct type *type_of(unsigned code)
{
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].code == code)
            return &types[i];
    return NULL;
}

const char *ri_type_name(unsigned type)
{
    const struct type *found = type_of(type);
    return found ? found->name : NULL;
}

static enum layout layout_of(unsigned type)
{
    const struct type *found = type_of(type);
    return found ? (enum layout)found->layout : LAYOUT_NONE;
}

static const struct {
    uint8_t layout, first, last;
    const char *name;
} fields[] = {
#define FIELD(type, name, first, last, text) {LAYOUT_##type, first, last, #name},
#include "ri/records.def"
};
#define FIELDS (sizeof fields / sizeof fields[0])

const char *ri_record_field(unsigned number)
{
    for (unsigned i = 0; i < FIELDS; i++) {
        unsigned k = 0;
        while (strcmp(fields[k].name, fields[i].name) != 0)
            k++;
        if (k == i && number-- == 0)
            return fields[i].name;
    }
    return NULL;
}

static uint64_t field_value(struct ri_record r, unsigned first, unsigned last)
{
    return first < 64 ? field64(r.hi, first, last) : field64(r.lo, first - 64, last - 64);
}

void ri_record_facts(struct ri_record r, ri_fact fact, void *context)
{
    enum layout layout = layout_of(ri_record_type(r));
    for (unsigned i = 0; i < FIELDS; i++)
        if (fields[i].layout == layout)
            fact(context, fields[i].name, field_value(r, fields[i].first, fields[i].last),
                 digits_of(fields[i].last - fields[i].first + 1u));
}

static void keep_place(void *context, const char *name, uint64_t value, unsigned digits)
{
    struct ri_places *places = context;
    (void)digits;
    if (strcmp(name, "IA") == 0) {
        places->ia = value;
        places->has_ia = true;
    } else if (strcmp(name, "TGT") == 0) {
        places->target = value;
        places->has_target = true;
    }
}

struct ri_places ri_record_places(struct ri_record record)
{
    struct ri_places places = {.has_ia = false};
    ri_record_facts(record, keep_place, &places);
    return places;
}

#define GET(type, name) field_value(r, RI_F_##type##_##name##_FIRST, RI_F_##type##_##name##_LAST)
enum {
#define FIELD(type, name, first, last, text) RI_F_##type##_##name##_FIRST = first, RI_F_##type##_##name##_LAST = last,
#include "ri/records.def"
};

/* Address of an event, with a mark when only its rightmost 55 bits are known. */
static const char *mark(struct ri_record r) { return GET(BRANCH, C) ? "..." : ""; }

static void instruction_text(struct ri_record r, char *text, size_t size)
{
    char sample[24], flags[80] = "";
    snprintf(sample, sizeof sample, "%s%s%s", GET(INSTRUCTION, CS) ? "count" : "",
             GET(INSTRUCTION, CS) && GET(INSTRUCTION, DS) ? " and " : "", GET(INSTRUCTION, DS) ? "direction" : "");
    if (GET(INSTRUCTION, BR))
        snprintf(flags, sizeof flags, ", branch %staken, predicted %staken, target prediction %s",
                 GET(INSTRUCTION, TK) ? "" : "not ", GET(INSTRUCTION, PT) ? "" : "not ",
                 GET(INSTRUCTION, TC) ? "not wrong" : "wrong");
    unsigned length = (unsigned)GET(INSTRUCTION, LEN);
    char bytes[16];
    if (length == 2)
        snprintf(bytes, sizeof bytes, "%04X", (unsigned)(GET(INSTRUCTION, TXT) >> 16));
    else
        snprintf(bytes, sizeof bytes, "%08X%s", (unsigned)GET(INSTRUCTION, TXT), length == 6 ? ".." : "");
    char il[16] = "hit", dl[16] = "none";
    if (GET(INSTRUCTION, IL) != 15)
        snprintf(il, sizeof il, "miss %u", (unsigned)GET(INSTRUCTION, IL));
    if (GET(INSTRUCTION, DL) != 15)
        snprintf(dl, sizeof dl, "miss %u", (unsigned)GET(INSTRUCTION, DL));
    snprintf(text, size, "%-11s %s%" PRIX64 "  %s, %u bytes, %s state%s, sample by %s, fetch %s, data %s%s",
             "instruction", mark(r), GET(INSTRUCTION, IA), bytes, length,
             GET(INSTRUCTION, PS) ? "problem" : "supervisor", GET(INSTRUCTION, EX) ? ", executed" : "", sample, il, dl,
             flags);
}

void ri_record_text(struct ri_record r, char *text, size_t size)
{
    unsigned type = ri_record_type(r);
    const char *name = ri_type_name(type);
    switch (layout_of(type)) {
    case LAYOUT_BEGIN:
        snprintf(text, size, "%-11s groups %u, version %04X, %u records each, %s capability%s%s, TOD %016" PRIX64, name,
                 (unsigned)GET(BEGIN, NRG), (unsigned)GET(BEGIN, VERSION), ri_group_count((unsigned)GET(BEGIN, RGS)),
                 GET(BEGIN, T) ? "secondary" : "primary", GET(BEGIN, S) ? ", stopped (full)" : "",
                 GET(BEGIN, H) ? ", halted" : "", GET(BEGIN, TOD));
        break;
    case LAYOUT_TIMESTAMP:
        snprintf(text, size, "%-11s version %04X, %s capability, TOD %016" PRIX64, name,
                 (unsigned)GET(TIMESTAMP, VERSION), GET(TIMESTAMP, T) ? "secondary" : "primary", GET(TIMESTAMP, TOD));
        break;
    case LAYOUT_INSTRUCTION:
        instruction_text(r, text, size);
        break;
    case LAYOUT_EMIT:
        snprintf(text, size, "%-11s %s%" PRIX64 "  data %016" PRIX64, name, mark(r), GET(EMIT, IA), GET(EMIT, DATA));
        break;
    case LAYOUT_ABORT:
        snprintf(text, size, "%-11s %s%" PRIX64 "  abort code %u, continues at %" PRIX64, name, mark(r), GET(ABORT, IA),
                 (unsigned)GET(ABORT, TAC), GET(ABORT, RPA));
        break;
    case LAYOUT_BRANCH:
        snprintf(text, size, "%-11s %s%" PRIX64 " -> %" PRIX64 "%s", name, mark(r), GET(BRANCH, IA), GET(BRANCH, TGT),
                 GET(BRANCH, W) ? "  well predicted" : "");
        break;
    case LAYOUT_EXTRA:
        snprintf(text, size, "%-11s data access: %s of %" PRIu64 " bytes at %" PRIX64 ", miss level %u", name,
                 GET(EXTRA, ST) ? "store" : "fetch", GET(EXTRA, LENGTH), GET(EXTRA, ADDRESS), (unsigned)GET(EXTRA, DL));
        break;
    case LAYOUT_NONE:
        if (name)
            snprintf(text, size, "%s", name);
        else
            snprintf(text, size, "no record (type %02X) %016" PRIX64 " %016" PRIX64, type, r.hi, r.lo);
        break;
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

struct json {
    char *text;
    size_t size, length;
    bool any;
};

__attribute__((format(printf, 2, 3))) static void json_add(struct json *j, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t left = j->length < j->size ? j->size - j->length : 0;
    int n = vsnprintf(left ? j->text + j->length : NULL, left, format, list);
    va_end(list);
    if (n > 0)
        j->length += (size_t)n;
}

static void json_fact(void *context, const char *name, uint64_t value, unsigned digits)
{
    struct json *j = context;
    const char *comma = j->any ? "," : "";
    j->any = true;
    if (digits)
        json_add(j, "%s\"%s\":\"%0*" PRIX64 "\"", comma, name, (int)digits, value);
    else
        json_add(j, "%s\"%s\":%" PRIu64, comma, name, value);
}

size_t ri_record_json(struct ri_record r, char *text, size_t size)
{
    struct json j = {text, size, 0, true};
    unsigned type = ri_record_type(r);
    const char *name = ri_type_name(type);
    json_add(&j, "{\"type\":\"%s\",\"code\":\"%02X\"", name ? name : "unknown", type);
    ri_record_facts(r, json_fact, &j);
    json_add(&j, "}");
    return j.length;
}

/* ---- a program buffer ------------------------------------------------------------------------------------------ */

unsigned ri_buffer_each(const uint8_t *bytes, size_t size, uint64_t address,
                        void (*each)(void *context, unsigned group, uint64_t address, struct ri_record record),
                        void *context)
{
    if (size < 16 || bytes[0] != RI_TYPE_BEGIN)
        return 0;
    struct ri_record r = ri_record_from(bytes);
    unsigned rgs = (unsigned)GET(BEGIN, RGS);
    size_t length = (size_t)ri_group_length(rgs);
    uint64_t groups = GET(BEGIN, NRG);
    if (groups > size / length)
        groups = size / length;
    for (size_t g = 0; g < groups; g++)
        for (size_t at = g * length; at < (g + 1) * length; at += 16)
            each(context, (unsigned)g + 1, address + at, ri_record_from(bytes + at));
    return (unsigned)groups;
}

const char *ri_report_line_text(unsigned line)
{
    static const char *const texts[] = {
        NULL,
        "no: reporting is off in this state (Ps, Qs)",
        "no: suppressed on a CPU of this capability (Y, Z)",
        "yes: sample by direction",
        "yes: override (F)",
        "yes: wrongly predicted taken (BPxn)",
        "yes: wrongly predicted not taken (BPxt)",
        "yes: taken, target prediction wrong (BPti)",
        "yes: not taken, target prediction wrong (BPni)",
        "yes: instruction-fetch miss (IC)",
        "yes: data-access miss (DC)",
        "no: no report control asks for it",
    };
    return line >= 1 && line <= 11 ? texts[line] : "no such line";
}
