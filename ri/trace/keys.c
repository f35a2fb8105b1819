/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration of exception trace as text: keys and values, and the shortest list of them that restores one. */
#include "ri/trace/config.h"
#include "ri/trace/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form {
    SWITCH,  /* on, off */
    WORD,    /* one of the words: its place in the list is the field's value */
    SET,     /* some of the words, with +: one bit each, from the right */
    NUMBER,  /* 0 to the field's greatest value */
    EVENTS,  /* SET over the event table of 3 bits */
    EVENTS3, /* NUMBER that selects the event table as well */
    EVENTS4,
    RANGE,   /* [!]LOW-HIGH: two bits of ETSL, two fields of ETRG at `low` */
    NUMBERS, /* exception numbers: the bitmap */
    PRESET
};

struct key {
    const char *name, *values;
    enum form form;
    uint8_t reg, low, width;
};

#define AT(reg, field)         reg, reg##_##field##_LOW, reg##_##field##_WIDTH
#define FROM(reg, field, bits) reg, reg##_##field##_LOW, bits
static const struct key keys[] = {
    {"enable", "on|off", SWITCH, AT(ETCR, ENABLE)},
    {"events", "entry+exit+return", EVENTS, AT(ETCR, EVSEL)},
    {"events3", "0-7", EVENTS3, AT(ETCR, EVSEL)},
    {"events4", "0-14", EVENTS4, AT(ETCR, EVSEL)},
    {"signal", "on|off", SWITCH, AT(ETCR, SIG)},
    {"state", "on|off", SWITCH, AT(ETCR, STATE)},
    {"tpi", "on|off", SWITCH, AT(ETCR, TPI)},
    {"context", "on|off", SWITCH, AT(ETCR, CTX)},
    {"retmode", "match|pstate|any", WORD, AT(ETCR, RETM)},
    {"near", "on|off", SWITCH, AT(ETCR, NEAR)},
    {"from", "problem+supervisor", SET, FROM(ETCR, FROMP, 2)},
    {"downstream", "on|off", SWITCH, AT(ETCR, DS)},
    {"counts", "on|off", SWITCH, AT(ETCR, CNTE)},
    {"lock", "on|off", SWITCH, AT(ETCR, LOCK)},
    {"always", "on|off", SWITCH, AT(ETCR, ALWAYS)},
    {"guest", "on|off", SWITCH, AT(ETCR, GUEST)},
    {"omit", "on|off", SWITCH, AT(ETFR, OMIT)},
    {"compress", "off|previous|stack|fifo", WORD, AT(ETFR, COMP)},
    {"reduced", "on|off", SWITCH, AT(ETFR, RED)},
    {"reduced.others", "full|suppress", WORD, AT(ETFR, REDSUP)},
    {"reduced.offset", "on|off", SWITCH, AT(ETFR, REDOFS)},
    {"merge", "off|exit-return|exit-return+tail", WORD, AT(ETFR, MERGE)},
    {"reduced.base", "0-511", NUMBER, AT(ETFR, REDBASE)},
    {"reduced.max", "0-15", NUMBER, AT(ETFR, REDMAX)},
    {"tailflag", "off|entry|exit|both", WORD, FROM(ETFR, TCE, 2)},
    {"lateflag", "on|off", SWITCH, AT(ETFR, LAE)},
    {"figure-mode", "on|off", SWITCH, AT(ETFR, FIG)},
    {"fifo", "2|4|8|16", WORD, AT(ETFR, FIFOSZ)},
    {"stack", "1|2|4|8|16|32|64|128", WORD, AT(ETFR, STKD)},
    {"info", "on|off", SWITCH, AT(ETFR, INFO)},
    {"addr", "old+new+ret", SET, FROM(ETFR, ADDRO, 3)},
    {"classes", "restart+exigent+repressible+external+io+program+svc", SET, AT(ETSL, CLS)},
    {"normal", "on|off", SWITCH, AT(ETSL, NORM)},
    {"hwonly", "on|off", SWITCH, AT(ETSL, HWONLY)},
    {"priority", "0-7", NUMBER, AT(ETSL, PRIO)},
    {"subset", "all|hardware|software|timers|io|translation|low|none", WORD, AT(ETSL, SUBSET)},
    {"range0", "[!]LOW-HIGH|off", RANGE, FROM(ETSL, R0EN, 0)},
    {"range1", "[!]LOW-HIGH|off", RANGE, FROM(ETSL, R1EN, 32)},
    {"numbers", "LOW[-HIGH],!LOW[-HIGH]...|off", NUMBERS, AT(ETSL, BMEN)},
    {"timestamps", "off|inline|separate", WORD, AT(ETTS, TSM)},
    {"clock", "tod|insn|cycle|host", WORD, AT(ETTS, CLK)},
    {"clock.shift", "0-63", NUMBER, AT(ETTS, SHIFT)},
    {"buffer", "7-26", NUMBER, AT(ETBF, SIZE)},
    {"overflow", "drop|stall|wrap", WORD, AT(ETBF, OVP)},
    {"drain", "0-65535", NUMBER, AT(ETBF, DRAIN)},
    {"sync", "0-65535", NUMBER, AT(ETBF, SYNCPER)},
    {"merge.timeout", "0-4294967295", NUMBER, AT(ETMS, MTO)},
    {"sample", "0-65535", NUMBER, AT(ETMS, STATN)},
    {"guest.alert", "0-65535", NUMBER, AT(ETMS, GALERT)},
    {"preset", "os|bare", PRESET, AT(ETCR, ENABLE)},
};
#define KEYS (sizeof keys / sizeof *keys)

/* The event table of 3 bits: kinds (1 entry, 2 exit, 4 return) by code, and back. */
static const uint8_t event_kinds[8] = {0, 1, 2, 3, 7, 6, 5, 4}, event_codes[8] = {0, 1, 2, 3, 7, 6, 5, 4};

static uint64_t field_get(const struct et_config *c, const struct key *k)
{
    return c->reg[k->reg] >> k->low & ((UINT64_C(1) << k->width) - 1);
}

static void field_put(struct et_config *c, const struct key *k, uint64_t value)
{
    const uint64_t mask = ((UINT64_C(1) << k->width) - 1) << k->low;
    c->reg[k->reg] = (c->reg[k->reg] & ~mask) | (value << k->low & mask);
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* A number in decimal, or in hexadecimal behind 0x; what comes behind it. NULL: no number, or above `max`. */
static const char *number(const char *text, uint64_t max, uint64_t *value)
{
    const bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
    const char *digit = text + 2 * hex;
    uint64_t sum = 0;
    const char *start = digit;
    for (;; digit++) {
        const char *all = "0123456789abcdef";
        const char low = *digit >= 'A' && *digit <= 'F' ? (char)(*digit + 32) : *digit;
        const char *place = low ? memchr(all, low, hex ? 16 : 10) : NULL;
        if (!place)
            break;
        const uint64_t one = (uint64_t)(place - all), base = hex ? 16 : 10;
        if (sum > (max - one) / base || one > max)
            return NULL;
        sum = sum * base + one;
    }
    *value = sum;
    return digit == start ? NULL : digit;
}

/* Place of a word of `length` characters in a list, -1: not there. */
static int word_place(const char *list, char separator, const char *word, size_t length)
{
    for (int place = 0;; place++) {
        const char *end = strchr(list, separator);
        const size_t size = end ? (size_t)(end - list) : strlen(list);
        if (size == length && !memcmp(list, word, length))
            return place;
        if (!end)
            return -1;
        list = end + 1;
    }
}

/* Words with + between them: their bits. "all" and "none" as well. */
static bool read_set(const char *list, const char *value, uint64_t *bits)
{
    unsigned count = 1;
    for (const char *c = list; *c; c++)
        count += *c == '+';
    *bits = 0;
    if (!strcmp(value, "none"))
        return true;
    if (!strcmp(value, "all")) {
        *bits = (UINT64_C(1) << count) - 1;
        return true;
    }
    for (;;) {
        const size_t length = strcspn(value, "+");
        const int place = word_place(list, '+', value, length);
        if (place < 0)
            return false;
        *bits |= UINT64_C(1) << place;
        if (!value[length])
            return true;
        value += length + 1;
    }
}

/* LOW, or LOW-HIGH; what comes behind it, NULL when it is none. */
static const char *read_span(const char *text, uint64_t *low, uint64_t *high)
{
    text = number(text, ET_NUMBERS - 1, low);
    *high = *low;
    if (text && *text == '-')
        text = number(text + 1, ET_NUMBERS - 1, high);
    return text && *low <= *high ? text : NULL;
}

static bool read_range(struct et_config *c, const struct key *k, const char *value)
{
    const bool exclude = *value == '!';
    const uint64_t span = (ET_NUMBERS - 1) | (uint64_t)(ET_NUMBERS - 1) << 16, in_use = UINT64_C(1) << k->low;
    uint64_t low, high;
    if (!strcmp(value, "off")) {
        c->reg[ETSL] &= ~(3 * in_use);
        return true;
    }
    const char *end = read_span(value + exclude, &low, &high);
    if (!end || *end)
        return false;
    c->reg[ETSL] = (c->reg[ETSL] & ~(3 * in_use)) | in_use | (exclude ? 2 * in_use : 0);
    c->reg[ETRG] = (c->reg[ETRG] & ~(span << k->width)) | (low | high << 16) << k->width;
    return true;
}

static bool read_numbers(struct et_config *c, const char *value)
{
    uint64_t map[ET_NUMBERS / 64], low = 0, high = 0;
    memset(map, *value == '!' ? 0xff : 0, sizeof map); /* only exclusions: from all */
    if (!strcmp(value, "off")) {
        ET_PUT(c, ETSL, BMEN, 0);
        return true;
    }
    if (!strcmp(value, "all"))
        memset(map, 0xff, sizeof map);
    else if (strcmp(value, "none"))
        for (const char *text = value;; text++) {
            const bool out = *text == '!';
            text = read_span(text + out, &low, &high);
            if (!text || (*text && *text != ','))
                return false;
            for (uint64_t en = low; en <= high; en++)
                map[en / 64] = (map[en / 64] & ~(UINT64_C(1) << en % 64)) | (uint64_t)!out << en % 64;
            if (!*text)
                break;
        }
    memcpy(c->reg + ETBM0, map, sizeof map);
    ET_PUT(c, ETSL, BMEN, 1);
    return true;
}

/* `os': for guests that switch tasks. `bare': the reset values, but whether there is output and who may change what
   stays. */
static bool read_preset(struct et_config *c, const char *value)
{
    if (!strcmp(value, "os")) {
        ET_PUT(c, ETCR, CTX, 1);
        ET_PUT(c, ETCR, RETM, ET_RETM_PSTATE);
        ET_PUT(c, ETCR, NEAR, 1);
        return true;
    }
    if (strcmp(value, "bare"))
        return false;
    const struct et_config was = *c;
    et_config_reset(c);
    c->reg[ETST] = was.reg[ETST];
    ET_PUT(c, ETCR, ENABLE, ET_GET(&was, ETCR, ENABLE));
    ET_PUT(c, ETCR, LOCK, ET_GET(&was, ETCR, LOCK));
    ET_PUT(c, ETCR, ALWAYS, ET_GET(&was, ETCR, ALWAYS));
    return true;
}

/* The field's value for what is a single field. */
static bool read_field(const struct key *k, const char *value, uint64_t *field)
{
    uint64_t max = (UINT64_C(1) << k->width) - 1;
    const char *end;
    int place;
    switch (k->form) {
    case SWITCH:
        *field = !strcmp(value, "on") || !strcmp(value, "1");
        return *field || !strcmp(value, "off") || !strcmp(value, "0");
    case WORD:
        place = word_place(k->values, '|', value, strlen(value));
        *field = (uint64_t)place;
        return place >= 0;
    case SET:
        return read_set(k->values, value, field);
    case EVENTS:
        if (!read_set(k->values, value, field))
            return false;
        *field = event_codes[*field];
        return true;
    default:
        max = k->form == EVENTS3 ? 7 : k->form == EVENTS4 ? 14 : max;
        end = number(value, max, field);
        return end && !*end;
    }
}

static bool read_key(struct et_config *c, const struct key *k, const char *value)
{
    uint64_t field;
    if (k->form == RANGE)
        return read_range(c, k, value);
    if (k->form == NUMBERS)
        return read_numbers(c, value);
    if (k->form == PRESET)
        return read_preset(c, value);
    if (!read_field(k, value, &field))
        return false;
    field_put(c, k, field);
    if (k->form == EVENTS || k->form == EVENTS3 || k->form == EVENTS4)
        ET_PUT(c, ETCR, EVENC, k->form == EVENTS4);
    return true;
}

/* A register's name as the key, for what no key says: all its bits. */
static const char *read_register(struct et_config *c, int index, const char *value, char *why, size_t size)
{
    uint64_t bits;
    const char *end = number(value, UINT64_MAX, &bits);
    if (index == ETST)
        snprintf(why, size, "%s cannot be set: it is the status", et_register_name(ETST));
    else if (!end || *end)
        snprintf(why, size, "%s is not `%s': a number is wanted, in decimal or as 0xHEX",
                 et_register_name((unsigned)index), value);
    else if (bits & ~et_register_bits((unsigned)index))
        snprintf(why, size, "%s has only the bits 0x%" PRIx64, et_register_name((unsigned)index),
                 et_register_bits((unsigned)index));
    else {
        c->reg[index] = bits;
        return NULL;
    }
    return why;
}

const char *et_config_key(struct et_config *config, const char *key, const char *value, char *why, size_t size)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].name, key))
            continue;
        if (read_key(config, keys + i, value))
            return NULL;
        snprintf(why, size, "%s is not `%s': possible is %s%s", key, value, keys[i].values,
                 keys[i].form == SET || keys[i].form == EVENTS ? ", some of these, `all' or `none'" : "");
        return why;
    }
    const int index = *key >= '0' && *key <= '9' ? -1 : et_register_find(key);
    if (index >= 0)
        return read_register(config, index, value, why, size);
    snprintf(why, size, "there is no key `%s'", key);
    return why;
}

const char *et_config_key_name(unsigned index, const char **values)
{
    if (index >= KEYS)
        return NULL;
    if (values)
        *values = keys[index].values;
    return keys[index].name;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* Append; what does not fit is left out. */
static void append(char *text, size_t size, const char *word, size_t length)
{
    const size_t used = strlen(text);
    if (used + length < size) {
        memcpy(text + used, word, length);
        text[used + length] = 0;
    }
}

/* The words of a list whose numbers are ones in `bits`. */
static void write_words(const char *list, char separator, uint64_t bits, char *value, size_t size)
{
    for (unsigned place = 0; bits >> place; place++) {
        const char *end = strchr(list, separator);
        const size_t length = end ? (size_t)(end - list) : strlen(list);
        if (bits >> place & 1) {
            append(value, size, "+", *value != 0);
            append(value, size, list, length);
        }
        if (!end)
            return;
        list = end + 1;
    }
}

static void write_set(const char *list, unsigned width, uint64_t bits, char *value, size_t size)
{
    if (!bits || bits == (UINT64_C(1) << width) - 1)
        snprintf(value, size, "%s", bits ? "all" : "none");
    else
        write_words(list, '+', bits, value, size);
}

static bool has_number(const struct et_config *c, unsigned en) { return c->reg[ETBM0 + en / 64] >> en % 64 & 1; }

static void write_numbers(const struct et_config *c, char *value, size_t size)
{
    char span[24];
    unsigned count = 0;
    for (unsigned low = 0, high; low < ET_NUMBERS; low = high) {
        for (high = low + 1; has_number(c, low) && high < ET_NUMBERS && has_number(c, high); high++)
            ;
        if (!has_number(c, low))
            continue;
        count += high - low;
        if (high == low + 1)
            snprintf(span, sizeof span, "%s0x%03x", *value ? "," : "", low);
        else
            snprintf(span, sizeof span, "%s0x%03x-0x%03x", *value ? "," : "", low, high - 1);
        append(value, size, span, strlen(span));
    }
    if (!count || count == ET_NUMBERS)
        snprintf(value, size, "%s", count ? "all" : "none");
}

static void write_range(const struct et_config *c, const struct key *k, char *value, size_t size)
{
    const unsigned use = (unsigned)(c->reg[ETSL] >> k->low) & 3;
    const uint64_t span = c->reg[ETRG] >> k->width;
    if (use & 1)
        snprintf(value, size, "%s0x%03x-0x%03x", use & 2 ? "!" : "", (unsigned)span & 511,
                 (unsigned)(span >> 16) & 511);
    else
        snprintf(value, size, "off");
}

/* Nothing is written where the key cannot say what is there. */
static void write_key(const struct et_config *c, const struct key *k, char *value, size_t size)
{
    const bool four = ET_GET(c, ETCR, EVENC);
    const uint64_t field = k->width ? field_get(c, k) : 0;
    switch (k->form) {
    case SWITCH:
        snprintf(value, size, "%s", field ? "on" : "off");
        return;
    case WORD:
        write_words(k->values, '|', UINT64_C(1) << field, value, size);
        return;
    case SET:
        write_set(k->values, k->width, field, value, size);
        return;
    case EVENTS:
        if (!four)
            write_set(k->values, 3, event_kinds[field & 7], value, size);
        return;
    case RANGE:
        write_range(c, k, value, size);
        return;
    case NUMBERS:
        if (field)
            write_numbers(c, value, size);
        else
            snprintf(value, size, "off");
        return;
    case PRESET:
        return;
    default:
        if (k->form == NUMBER || (k->form == EVENTS4) == four)
            snprintf(value, size, "%" PRIu64, k->form == EVENTS3 ? field & 7 : field);
    }
}

void et_config_key_value(const struct et_config *config, unsigned index, char *value, size_t size)
{
    if (!size)
        return;
    *value = 0;
    if (index < KEYS)
        write_key(config, keys + index, value, size);
}

void et_config_save(const struct et_config *config, void (*line)(void *context, const char *key, const char *value),
                    void *context)
{
    struct et_config restored; /* by the lines so far */
    char value[256 * 6 + 1], before[sizeof value];
    et_config_reset(&restored);
    for (unsigned i = 0; i < KEYS; i++) {
        struct et_config next = restored;
        et_config_key_value(config, i, value, sizeof value);
        et_config_key_value(&restored, i, before, sizeof before);
        if (!*value || !strcmp(value, before) || !read_key(&next, keys + i, value))
            continue;
        line(context, keys[i].name, value);
        restored = next;
    }
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        if (i != ETST && restored.reg[i] != config->reg[i]) {
            snprintf(value, sizeof value, "0x%" PRIx64, config->reg[i]);
            line(context, et_register_name(i), value);
        }
}
