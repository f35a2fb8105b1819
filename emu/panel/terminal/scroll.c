/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that were written. */
#include "emu/panel/terminal/scroll.h"
#include "emu/panel/canvas/cells.h"
#include <stdlib.h>
#include <string.h>

enum { OUTSIDE, ESCAPED, SEQUENCE, STRING, CHARSET };

static struct scroll_line *current(struct scroll *s) { return &s->line[(s->count - 1) % SCROLL_LINES]; }

static void begin_line(struct scroll *s)
{
    s->count++;
    current(s)->length = 0;
}

/* A character at the column; blanks in front of it when the line ends before. */
static void set(struct scroll *s, uint32_t character)
{
    if (s->column >= SCROLL_LINE) {
        begin_line(s);
        s->column = 0;
    }
    struct scroll_line *line = current(s);
    if (s->column >= line->room) {
        const unsigned room = s->column < 100 ? 128 : SCROLL_LINE;
        uint32_t *more = realloc(line->text, room * sizeof *more);
        if (!more)
            return; /* it is not seen */
        line->text = more;
        line->room = room;
    }
    while (line->length < s->column)
        line->text[line->length++] = ' ';
    line->text[s->column] = character;
    if (line->length == s->column)
        line->length++;
    s->column++;
}

/* The first number of a control sequence. */
static unsigned number(const struct scroll *s, unsigned otherwise)
{
    const unsigned long n = strtoul(s->parameters, NULL, 10);
    return n > 0 && n < SCROLL_LINE ? (unsigned)n : otherwise;
}

static void carry_out(struct scroll *s, char final)
{
    struct scroll_line *line = current(s);
    const unsigned n = number(s, 1);
    if (final == 'C')
        s->column = s->column + n < SCROLL_LINE ? s->column + n : SCROLL_LINE - 1;
    else if (final == 'D')
        s->column -= n < s->column ? n : s->column;
    else if (final == 'G')
        s->column = n - 1;
    else if (final == 'K' && number(s, 0) == 0 && s->column < line->length)
        line->length = s->column;
    else if (final == 'K' && number(s, 0) == 2)
        line->length = 0;
    else if (final == 'P' && s->column < line->length) { /* characters are taken out */
        const unsigned left = line->length - s->column, out = n < left ? n : left;
        memmove(line->text + s->column, line->text + s->column + out, (left - out) * sizeof *line->text);
        line->length -= out;
    } else if ((final == 'J' || final == 'H') && line->length) { /* a screen of its own: new lines here */
        begin_line(s);
        s->column = 0;
    }
}

/* A byte of a control sequence. */
static void escape(struct scroll *s, char byte)
{
    switch (s->escape) {
    case ESCAPED:
        s->parameter_length = 0;
        s->parameters[0] = 0;
        s->escape = byte == '['                                 ? SEQUENCE
                    : byte == ']' || byte == 'P' || byte == '^' ? STRING
                    : byte == '(' || byte == ')' || byte == '#' ? CHARSET
                                                                : OUTSIDE;
        break;
    case SEQUENCE:
        if (byte >= 0x40 && byte <= 0x7E) {
            s->escape = OUTSIDE;
            carry_out(s, byte);
        } else if (s->parameter_length < sizeof s->parameters - 1) {
            s->parameters[s->parameter_length++] = byte;
            s->parameters[s->parameter_length] = 0;
        }
        break;
    case STRING:
        s->escape = byte == 7 ? OUTSIDE : byte == 0x1B ? ESCAPED : STRING;
        break;
    default:
        s->escape = OUTSIDE;
    }
}

/* A byte of a character beyond ASCII. */
static void gather(struct scroll *s, char byte)
{
    s->pending[s->pending_length++] = byte;
    const uint8_t first = (uint8_t)s->pending[0];
    const unsigned wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (s->pending_length < wanted && s->pending_length < sizeof s->pending)
        return;
    char text[sizeof s->pending + 1] = {0};
    memcpy(text, s->pending, s->pending_length);
    const char *at = text;
    s->pending_length = 0;
    set(s, cells_character(&at));
}

static void write_byte(struct scroll *s, char byte, bool plain_lf)
{
    if (s->escape) {
        escape(s, byte);
    } else if (byte == 0x1B) {
        s->escape = ESCAPED;
    } else if (byte == '\n') {
        const unsigned column = s->column;
        begin_line(s);
        s->column = plain_lf ? 0 : column;
    } else if (byte == '\r') {
        s->column = 0;
    } else if (byte == '\b') {
        s->column -= s->column != 0;
    } else if (byte == '\t') {
        s->column = (s->column | 7) + 1 < SCROLL_LINE ? (s->column | 7) + 1 : SCROLL_LINE - 1;
    } else if ((uint8_t)byte >= 0x80) {
        gather(s, byte);
    } else if (byte >= ' ' && byte != 0x7F) {
        if (s->pending_length) /* of a character that does not go on */
            set(s, '?');
        s->pending_length = 0;
        set(s, (uint8_t)byte);
    }
}

void scroll_write(struct scroll *s, const char *bytes, size_t length, bool plain_lf)
{
    if (!s->count)
        begin_line(s);
    for (size_t i = 0; i < length; i++)
        write_byte(s, bytes[i], plain_lf);
    s->written += length;
}

void scroll_free(struct scroll *s)
{
    for (unsigned i = 0; i < SCROLL_LINES; i++)
        free(s->line[i].text);
    memset(s, 0, sizeof *s);
}

unsigned scroll_lines(const struct scroll *s) { return s->count < SCROLL_LINES ? (unsigned)s->count : SCROLL_LINES; }

const uint32_t *scroll_line(const struct scroll *s, unsigned n, unsigned *length)
{
    const uint64_t first = s->count - scroll_lines(s);
    const struct scroll_line *line = &s->line[(first + n) % SCROLL_LINES];
    *length = line->length;
    return line->text;
}
