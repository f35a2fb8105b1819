/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a profile in the form "ZEPROF 1". What is accepted has one form only: written again it gives the same bytes,
   but for headers that are not known. */
#include "ri/profile/file/internal.h"
#include "base/message.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST   (EP_NAME_MOST + 256u)
#define FIELDS_MOST 8u

struct reader {
    const struct ep_input *input;
    struct ep_profile *profile;
    char *error;
    size_t error_size;
    uint64_t line;            /* number of the line in `text`, from 1 */
    uint32_t crc;             /* of the lines before it */
    unsigned rank;            /* of the type of the line before */
    int header;               /* the last header that is known, -1: none yet */
    uint64_t first[EP_LISTS]; /* line of the list's first item */
    char *text;               /* one line, its fields ended by zeros once it was split */
    char *field[FIELDS_MOST];
    unsigned fields;
    char buffer[16384];
    size_t at, filled;
};

/* The line is wrong: in `error` its number, what is wrong, what to do. */
static int bad(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int bad_at(struct reader *r, uint64_t line, const char *what)
{
    return fail_with(-EINVAL, r->error, r->error_size,
                     "line %" PRIu64 ": %s; take a profile as zri or zri-prof wrote it, whole and unchanged", line,
                     what);
}
static int bad(struct reader *r, const char *format, ...)
{
    char what[400];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return bad_at(r, r->line, what);
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

/* More bytes in the buffer: 1, 0 at the end of the file, or a negative errno. */
static int fill(struct reader *r)
{
    const long n = r->input->read(r->input->context, r->buffer, sizeof r->buffer);
    r->at = 0;
    r->filled = n > 0 ? (size_t)n : 0;
    if (n < 0)
        return fail_with((int)n, r->error, r->error_size, "%s; check that it is a file and can be read",
                         strerror((int)-n));
    return n > 0;
}

/* The next line without its LF: 1, 0 at the end of the file, or a negative errno. */
static int next_line(struct reader *r)
{
    size_t n = 0;
    r->line++;
    for (;;) {
        if (r->at == r->filled) {
            const int more = fill(r);
            if (more < 0 || (!more && !n))
                return more;
            if (!more)
                return bad(r, "the file ends in the middle of it");
        }
        const char c = r->buffer[r->at++];
        if (c == '\n')
            break;
        if (c < 0x20 || c > 0x7e)
            return bad(r, "its byte %zu is X'%02X', which is no printable ASCII character", n + 1, (uint8_t)c);
        if (n == LINE_MOST)
            return bad(r, "it is longer than %u characters", LINE_MOST);
        r->text[n++] = c;
    }
    r->text[n] = 0;
    return 1;
}

/* The check sum takes in a line before it is split. */
static void count_in(struct reader *r)
{
    r->crc = ep_crc32(r->crc, r->text, strlen(r->text));
    r->crc = ep_crc32(r->crc, "\n", 1);
}

static int split(struct reader *r)
{
    char *at = r->text;
    r->fields = 0;
    for (;;) {
        if (!*at || *at == ' ')
            return bad(r, "an empty field: there is one space between fields, and none before or behind them");
        if (r->fields == FIELDS_MOST)
            return bad(r, "more than %u fields", FIELDS_MOST);
        r->field[r->fields++] = at;
        at += strcspn(at, " ");
        if (!*at)
            return 0;
        *at++ = 0;
    }
}

/* ---- fields ---------------------------------------------------------------------------------------------------- */

static int want_fields(struct reader *r, unsigned count)
{
    return r->fields == count ? 0 : bad(r, "%u fields, and a line %s has %u", r->fields, r->field[0], count);
}

static int decimal(struct reader *r, unsigned field, uint64_t *value)
{
    return ep_decimal(r->field[field], value)
               ? 0
               : bad(r, "'%.40s' is no decimal number below 2**64 without zeros in front", r->field[field]);
}

/* The digits of an address, or all 16 of a token. */
static int hexadecimal(struct reader *r, unsigned field, bool token, uint64_t *value)
{
    const char *text = r->field[field];
    const size_t n = strspn(text, "0123456789abcdef");
    if (text[n] || n > 16 || (token ? n != 16 : *text == '0' && n != 1))
        return bad(r,
                   token ? "'%.40s' is no token of 16 hexadecimal digits in small letters"
                         : "'%.40s' is no address in hexadecimal, small letters, without zeros in front",
                   text);
    *value = strtoull(text, NULL, 16);
    return 0;
}

/* The number of an item that was there before. */
static int reference(struct reader *r, unsigned field, enum ep_list_name list, uint32_t *value)
{
    uint64_t number;
    const int status = decimal(r, field, &number);
    if (status)
        return status;
    if (number >= r->profile->lists[list].count)
        return bad(r, "there is no %s %" PRIu64, list == EP_SPACES ? "space" : "module", number);
    *value = (uint32_t)number;
    return 0;
}

static int word(struct reader *r, unsigned field, unsigned count, const char *(*name)(unsigned), uint32_t *value)
{
    for (*value = 0; *value < count; ++*value)
        if (!strcmp(name(*value), r->field[field]))
            return 0;
    return bad(r, "'%.40s' cannot stand in field %u of a line %s", r->field[field], field + 1, r->field[0]);
}

static int name(struct reader *r, unsigned field, const char **value)
{
    if (!ep_is_encoded(r->field[field]))
        return bad(r,
                   "'%.40s' is no name: spaces, %%, and bytes that are no ASCII characters stand as %%xx, in small "
                   "letters, and nothing else does",
                   r->field[field]);
    *value = ep_text_keep(r->profile, r->field[field]);
    return *value ? 0 : -ENOMEM;
}

static const char *space_word(unsigned n) { return ep_space_word(n); }
static const char *gap_word(unsigned n) { return ep_gap_word(n); }
static const char *class_word(unsigned n) { return ep_class_word(n); }
static const char *edge_word(unsigned n) { return n == EP_TAKEN ? "T" : "N"; }
static const char *run_word(unsigned n) { return n == EP_RUN_BRANCH ? "B" : "X"; }

/* An item that has to come behind the one before. */
static int append(struct reader *r, enum ep_list_name list, const void *item)
{
    struct ep_list *l = &r->profile->lists[list];
    const struct ep_form *form = &ep_forms[list];
    if (l->count) {
        const int n = form->compare(l->items + (size_t)(l->count - 1) * form->size, item);
        if (n >= 0)
            return bad(r, n ? "it is out of order: it belongs before the line in front of it"
                            : "it is there twice, with the line in front of it");
    } else {
        r->first[list] = r->line;
    }
    return ep_list_append(l, form, item);
}

/* Field 1 counts from 0. */
static int numbered(struct reader *r, enum ep_list_name list)
{
    uint64_t number;
    const int status = decimal(r, 1, &number);
    if (status || number == r->profile->lists[list].count)
        return status;
    return bad(r, "its number is %" PRIu64 ", and %" PRIu32 " comes next", number, r->profile->lists[list].count);
}

/* ---- lines by type --------------------------------------------------------------------------------------------- */

static int header_line(struct reader *r)
{
    int status = want_fields(r, 3);
    if (status)
        return status;
    for (int i = 0; i < EP_HEADERS; i++) {
        if (strcmp(ep_header_facts[i].key, r->field[1]))
            continue;
        if (i <= r->header)
            return bad(r, i == r->header ? "header %s is there twice" : "header %s is out of order", r->field[1]);
        r->header = i;
        status = ep_header_keep(r->profile, i, r->field[2]);
        return status == -EINVAL ? bad(r, "header %s cannot be '%.40s'", r->field[1], r->field[2]) : status;
    }
    return 0;
}

static int space_line(struct reader *r)
{
    struct ep_space space = {.kind = 0};
    uint32_t kind = 0;
    int status = want_fields(r, 5);
    status = status ? status : numbered(r, EP_SPACES);
    status = status ? status : word(r, 2, EP_SPACE_KINDS, space_word, &kind);
    status = status ? status : hexadecimal(r, 3, true, &space.token);
    status = status ? status : name(r, 4, &space.name);
    space.kind = (uint8_t)kind;
    return status ? status : append(r, EP_SPACES, &space);
}

static int digest(struct reader *r, unsigned field, struct ep_module *module)
{
    const char *text = r->field[field];
    const size_t n = strncmp(text, "sha256:", 7) ? 0 : strspn(text + 7, "0123456789abcdef");
    module->has_digest = n == 64 && !text[71];
    if (!module->has_digest && strcmp(text, "sha256:-"))
        return bad(r, "'%.80s' is no digest: sha256: and 64 hexadecimal digits in small letters, or sha256:-", text);
    for (unsigned i = 0; module->has_digest && i < 32; i++) {
        const char byte[3] = {text[7 + 2 * i], text[8 + 2 * i], 0};
        module->digest[i] = (uint8_t)strtoul(byte, NULL, 16);
    }
    return 0;
}

static int range(struct reader *r, uint64_t start, uint64_t end)
{
    return start < end ? 0 : bad(r, "it ends at %" PRIx64 ", which is not behind its start", end);
}

static int module_line(struct reader *r)
{
    struct ep_module m = {.space = 0};
    int status = want_fields(r, 8);
    status = status ? status : numbered(r, EP_MODULES);
    status = status ? status : reference(r, 2, EP_SPACES, &m.space);
    status = status ? status : hexadecimal(r, 3, false, &m.start);
    status = status ? status : hexadecimal(r, 4, false, &m.end);
    status = status ? status : range(r, m.start, m.end);
    status = status ? status : hexadecimal(r, 5, false, &m.bias);
    status = status ? status : digest(r, 6, &m);
    status = status ? status : name(r, 7, &m.name);
    return status ? status : append(r, EP_MODULES, &m);
}

static int function_line(struct reader *r)
{
    struct ep_function f = {.module = 0};
    int status = want_fields(r, 6);
    status = status ? status : numbered(r, EP_FUNCTIONS);
    status = status ? status : reference(r, 2, EP_MODULES, &f.module);
    status = status ? status : hexadecimal(r, 3, false, &f.start);
    status = status ? status : hexadecimal(r, 4, false, &f.end);
    status = status ? status : range(r, f.start, f.end);
    status = status ? status : name(r, 5, &f.name);
    return status ? status : append(r, EP_FUNCTIONS, &f);
}

static int site_line(struct reader *r)
{
    struct ep_site_facts s = {.space = 0};
    uint64_t length = 0;
    uint32_t class = 0;
    int status = want_fields(r, 7);
    status = status ? status : reference(r, 1, EP_SPACES, &s.space);
    status = status ? status : hexadecimal(r, 2, false, &s.at);
    status = status ? status : word(r, 3, EP_SITE_CLASSES, class_word, &class);
    status = status ? status : decimal(r, 4, &length);
    s.has_target = !status && strcmp(r->field[5], "-") != 0;
    status = status || !s.has_target ? status : hexadecimal(r, 5, false, &s.target);
    if (status)
        return status;
    s.class = (uint8_t) class;
    s.length = length <= 6 ? (uint8_t)length : 0;
    snprintf(s.opcode, sizeof s.opcode, "%s", r->field[6]);
    if (strlen(r->field[6]) >= sizeof s.opcode || !ep_site_is_sound(&s))
        return bad(r, "no site has length '%.20s', target '%.20s' and opcode '%.20s'", r->field[4], r->field[5],
                   r->field[6]);
    return append(r, EP_SITES, &s);
}

static int row_line(struct reader *r, enum ep_list_name list)
{
    static const unsigned counts[EP_LISTS] = {[EP_EDGES] = 7, [EP_RUNS] = 6, [EP_CALLS] = 6, [EP_GAPS] = 7};
    struct ep_row row = {.kind = 0};
    unsigned next = 3;
    int status = want_fields(r, counts[list]);
    status = status ? status : reference(r, 1, EP_SPACES, &row.from_space);
    status = status ? status : hexadecimal(r, 2, false, &row.from);
    row.to_space = row.from_space;
    if (list != EP_RUNS)
        status = status ? status : reference(r, next++, EP_SPACES, &row.to_space);
    status = status ? status : hexadecimal(r, next++, false, &row.to);
    if (list == EP_GAPS)
        status = status ? status : word(r, next++, EP_REASONS, gap_word, &row.kind);
    else if (list != EP_CALLS)
        status = status ? status : word(r, next++, 2, list == EP_EDGES ? edge_word : run_word, &row.kind);
    status = status ? status : decimal(r, next, &row.units);
    return status ? status : append(r, list, &row);
}

static int counter_line(struct reader *r)
{
    struct ep_counter counter = {.name = NULL};
    int status = want_fields(r, 3);
    if (!status && !ep_is_counter(r->field[1]))
        return bad(r, "'%.80s' is no counter: drop., warn. or info. and small letters", r->field[1]);
    status = status ? status : name(r, 1, &counter.name);
    status = status ? status : decimal(r, 2, &counter.value);
    return status ? status : append(r, EP_COUNTERS, &counter);
}

static int line(struct reader *r)
{
    static const char types[] = "HSMFBERCGD";
    const char type = r->field[0][1] ? 0 : r->field[0][0];
    const char *rank = type ? strchr(types, type) : NULL;
    if (!rank)
        return bad(r, "there is no type of line '%.20s'", r->field[0]);
    if ((unsigned)(rank - types) < r->rank)
        return bad(r, "lines %c stand before lines %c", type, types[r->rank]);
    r->rank = (unsigned)(rank - types);
    switch (type) {
    case 'H':
        return header_line(r);
    case 'S':
        return space_line(r);
    case 'M':
        return module_line(r);
    case 'F':
        return function_line(r);
    case 'B':
        return site_line(r);
    case 'D':
        return counter_line(r);
    default:
        return row_line(r, type == 'E' ? EP_EDGES : type == 'R' ? EP_RUNS : type == 'C' ? EP_CALLS : EP_GAPS);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

/* Field by field, since its own bytes are not in the check sum. */
static int trailer(struct reader *r)
{
    uint64_t lines, crc = 0;
    const size_t digits = r->fields == 3 ? strspn(r->field[2], "0123456789abcdef") : 0;
    int status = want_fields(r, 3);
    status = status ? status : decimal(r, 1, &lines);
    if (status)
        return status;
    if (digits != 8 || r->field[2][8])
        return bad(r, "'%.40s' is no check sum of 8 hexadecimal digits in small letters", r->field[2]);
    crc = strtoull(r->field[2], NULL, 16);
    if (lines != r->line - 1)
        return bad(r, "%" PRIu64 " lines are said to be before it, and there are %" PRIu64, lines, r->line - 1);
    if (crc != r->crc)
        return bad(r, "the check sum of the lines before it is %08" PRIx32 ", not %08" PRIx64, r->crc, crc);
    status = next_line(r);
    return status > 0 ? bad(r, "nothing may stand behind line Z") : status;
}

/* What more than one line says. */
static int whole(struct reader *r)
{
    const struct ep_profile *p = r->profile;
    struct ep_fault fault;
    uint64_t branches, runs;
    for (unsigned i = 0; i < EP_HEADERS; i++)
        if (ep_header_facts[i].required && !p->headers[i])
            return bad(r, "header %s is nowhere before it", ep_header_facts[i].key);
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++)
        if (p->lists[list].count && ep_profile_is(p, EP_H_MODE, list == EP_CALLS ? "edge" : "callgraph"))
            return bad_at(r, r->first[list], "a profile of this mode has no such lines");
    if (!ep_sites_fit(p, &fault))
        return bad_at(r, r->first[fault.list] + fault.item, fault.text);
    ep_units(p, &branches, &runs);
    if (branches != ep_profile_number(p, EP_H_BRANCH_UNITS) || runs != ep_profile_number(p, EP_H_RUN_UNITS))
        return bad(r,
                   "the lines before it have %" PRIu64 " units of branches and %" PRIu64
                   " of runs, and the headers say something else",
                   branches, runs);
    return 0;
}

static int magic(struct reader *r)
{
    const int status = next_line(r);
    if (status < 0 && strncmp(r->buffer, "ZTBTLOG1", 8) == 0)
        return fail_with(
            -EINVAL, r->error, r->error_size,
            "this is a sample log (zri --profile-log), and a profile is wanted; zri --profile-out writes one");
    if (status == 0)
        return bad(r, "the file is empty");
    if (status < 0)
        return status;
    if (!strncmp(r->text, "ZTBTLOG1", 8))
        return fail_with(
            -EINVAL, r->error, r->error_size,
            "this is a sample log (zri --profile-log), and a profile is wanted; zri --profile-out writes one");
    if (!strncmp(r->text, "ZEPROF ", 7) && strcmp(r->text + 7, "1"))
        return bad(r, "version '%.20s' of the form, and this program reads version 1", r->text + 7);
    if (strcmp(r->text, "ZEPROF 1"))
        return bad(r, "it is not 'ZEPROF 1', so this is no edge profile");
    count_in(r);
    return 0;
}

static int read_all(struct reader *r)
{
    int status = magic(r);
    while (!status) {
        status = next_line(r);
        if (status <= 0)
            return status ? status : bad(r, "the file ends before it, without a line Z");
        const bool last = r->text[0] == 'Z' && r->text[1] == ' ';
        if (!last)
            count_in(r);
        status = split(r);
        if (!status && last) {
            status = trailer(r);
            r->line -= !status;
            return status ? status : whole(r);
        }
        status = status ? status : line(r);
    }
    return status;
}

int ep_profile_read(const struct ep_input *input, struct ep_profile **profile, char *error, size_t size)
{
    struct reader *r = calloc(1, sizeof *r);
    int status = -ENOMEM;
    *profile = NULL;
    if (size)
        *error = 0;
    if (r) {
        r->input = input;
        r->error = error;
        r->error_size = size;
        r->header = -1;
        r->text = malloc(LINE_MOST + 1);
        r->profile = r->text ? ep_profile_new() : NULL;
        status = r->profile ? read_all(r) : -ENOMEM;
        if (!status)
            *profile = r->profile;
        else
            ep_profile_free(r->profile);
        free(r->text);
        free(r);
    }
    if (status == -ENOMEM)
        return fail_with(status, error, size, "the host has no memory for it; end other programs, or give it more");
    return status;
}
