/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of the service processor: the two consoles, the request to end. */
#include "base/ebcdic.h"
#include "cpu/control/interrupt.h"
#include "emu/dev/sclp/event.h"
#include "emu/dev/sclp/internal.h"
#include "emu/state/machine.h"

#define EVENT_HEADER    6u
#define EVENT_PROCESSED 0x80
#define MASK_BYTES      1021u /* of a longest event mask */

/* Event types, and their bits in masks. */
enum {
    EVENT_OPERATOR_COMMAND = 0x01,
    EVENT_MESSAGE = 0x02,
    EVENT_PRIORITY_MESSAGE = 0x09,
    EVENT_ASCII = 0x1a,
    EVENT_QUIESCE = 0x1d
};
#define EVENT_BIT(type)   BIT32((type)-1)
#define LINE_MODE_RECEIVE (EVENT_BIT(EVENT_MESSAGE) | EVENT_BIT(EVENT_PRIORITY_MESSAGE))
#define LINE_MODE_SEND    EVENT_BIT(EVENT_OPERATOR_COMMAND)
#define ASCII_BOTH        EVENT_BIT(EVENT_ASCII)
#define ALWAYS_SEND       EVENT_BIT(EVENT_QUIESCE)

static void output(struct machine *m, const char *text, size_t length)
{
    if (length && m->host.output)
        m->host.output(m->host.context, text, length);
    if (length)
        m->sclp.at_line_start = text[length - 1] == '\n';
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static uint32_t get_mask(const uint8_t *at, unsigned length)
{
    uint8_t bytes[4] = {0};
    memcpy(bytes, at, length < 4 ? length : 4);
    return get32(bytes);
}

static void put_mask(uint8_t *at, unsigned length, uint32_t mask)
{
    uint8_t bytes[4];
    put32(bytes, mask);
    memset(at, 0, length);
    memcpy(at, bytes, length < 4 ? length : 4);
}

uint16_t sclp_write_event_mask(struct machine *m, uint8_t *sccb, unsigned length)
{
    if (length < 12)
        return RESPONSE_TOO_SHORT;
    unsigned n = get16(sccb + 10);
    if (n == 0 || n > MASK_BYTES)
        return RESPONSE_MASK_LENGTH;
    if (length < 12 + 4 * n)
        return RESPONSE_TOO_SHORT;
    m->sclp.receive_mask = get_mask(sccb + 12, n);
    m->sclp.send_mask = get_mask(sccb + 12 + n, n);
    uint32_t ascii = m->config.consoles & SCLP_ASCII ? ASCII_BOTH : 0;
    bool lines = m->config.consoles & SCLP_LINE_MODE;
    put_mask(sccb + 12 + 2 * n, n, ascii | (lines ? LINE_MODE_RECEIVE : 0));
    put_mask(sccb + 12 + 3 * n, n, ascii | (lines ? LINE_MODE_SEND : 0) | ALWAYS_SEND);
    return RESPONSE_COMPLETE;
}

/* One line of EBCDIC text. */
static void print_ebcdic(struct machine *m, const uint8_t *text, unsigned length)
{
    char line[2 * 256 + 2];
    size_t used = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned char c = ebcdic_to_latin(text[i]);
        if (c == 0)
            continue;
        if (c >= 0x80) { /* as UTF-8 */
            line[used++] = (char)(0xc0 | c >> 6);
            c = 0x80 | (c & 0x3f);
        }
        line[used++] = (char)c;
        if (used >= sizeof line - 2) {
            output(m, line, used);
            used = 0;
        }
    }
    line[used++] = '\n';
    output(m, line, used);
}

/* A message event: a message data block with any number of objects, each text object a line. False: malformed. */
static bool message(struct machine *m, const uint8_t *event, unsigned length)
{
    unsigned at = EVENT_HEADER;
    if (length < at + 12 || get16(event + at) < 12 || get16(event + at) > length - at)
        return false;
    unsigned end = at + get16(event + at);
    if (get16(event + at + 2) != 1 || get32(event + at + 4) != 0xd4c4c240)
        return false;
    for (at += 12; at + 4 <= end;) {
        unsigned n = get16(event + at), type = get16(event + at + 2);
        if (n < 4 || n > end - at)
            return false;
        if (type == 4) {
            if (n < 10)
                return false;
            print_ebcdic(m, event + at + 10, n - 10);
        }
        at += n;
    }
    return true;
}

/* Guest output: every event buffer of the SCCB. */
uint16_t sclp_write_event_data(struct machine *m, uint8_t *sccb, unsigned length)
{
    for (unsigned at = SCCB_HEADER; at < length;) {
        uint8_t *event = sccb + at;
        if (length - at < EVENT_HEADER)
            return RESPONSE_LENGTHS;
        unsigned n = get16(event);
        if (n < EVENT_HEADER || n > length - at)
            return RESPONSE_LENGTHS;
        if ((event[2] == EVENT_MESSAGE || event[2] == EVENT_PRIORITY_MESSAGE) &&
            (m->config.consoles & SCLP_LINE_MODE)) {
            if (!message(m, event, n))
                return RESPONSE_SYNTAX;
        } else if (event[2] == EVENT_ASCII && (m->config.consoles & SCLP_ASCII)) {
            output(m, (const char *)event + EVENT_HEADER, n - EVENT_HEADER);
        } else {
            return RESPONSE_INVALID_FUNCTION;
        }
        event[3] |= EVENT_PROCESSED;
        at += n;
    }
    return RESPONSE_COMPLETE;
}

/* Which events wait for the guest, of those that it listens to. */
static uint32_t waiting(const struct machine *m)
{
    uint32_t types = (m->sclp.line_length ? EVENT_BIT(EVENT_OPERATOR_COMMAND) : 0) |
                     (m->sclp.key_length ? EVENT_BIT(EVENT_ASCII) : 0) |
                     (m->sclp.quiesce ? EVENT_BIT(EVENT_QUIESCE) : 0);
    return types & m->sclp.receive_mask;
}

/* Put the first typed line into an event buffer; returns its length, 0: no room. */
static unsigned line_event(struct machine *m, uint8_t *event, unsigned room)
{
    const char *newline = memchr(m->sclp.line, '\n', m->sclp.line_length);
    size_t n = newline ? (size_t)(newline - m->sclp.line) : m->sclp.line_length;
    size_t text = n < SCLP_LINE ? n : SCLP_LINE; /* sclp_input_line() takes no longer one, a snapshot may have it */
    unsigned length = EVENT_HEADER + 16 + (unsigned)text;
    if (length > room)
        return 0;
    memset(event, 0, length);
    put16(event, (uint16_t)length);
    event[2] = EVENT_OPERATOR_COMMAND;
    uint8_t *v = event + EVENT_HEADER;
    put16(v, (uint16_t)(16 + text));
    put16(v + 2, 0x1310);
    put16(v + 4, (uint16_t)(12 + text));
    put16(v + 6, 0x1212);
    put16(v + 8, (uint16_t)(8 + text));
    put16(v + 10, 0x1320);
    v[12] = (uint8_t)(4 + text);
    v[13] = 0x31;
    v[14] = (uint8_t)(2 + text);
    v[15] = 0x30;
    for (size_t i = 0; i < text; i++)
        v[16 + i] = ebcdic_from_latin((unsigned char)m->sclp.line[i]);
    n += newline != NULL;
    memmove(m->sclp.line, m->sclp.line + n, m->sclp.line_length - n);
    m->sclp.line_length -= n;
    return length;
}

static unsigned key_event(struct machine *m, uint8_t *event, unsigned room)
{
    size_t n = m->sclp.key_length;
    if (room < EVENT_HEADER + 2)
        return 0;
    if (n > room - EVENT_HEADER - 1)
        n = room - EVENT_HEADER - 1;
    memset(event, 0, EVENT_HEADER + 1);
    put16(event, (uint16_t)(EVENT_HEADER + 1 + n));
    event[2] = EVENT_ASCII;
    memcpy(event + EVENT_HEADER + 1, m->sclp.keys, n);
    memmove(m->sclp.keys, m->sclp.keys + n, m->sclp.key_length - n);
    m->sclp.key_length -= n;
    return EVENT_HEADER + 1 + (unsigned)n;
}

static unsigned quiesce_event(struct machine *m, uint8_t *event, unsigned room)
{
    const unsigned n = EVENT_HEADER + 3;
    if (room < n)
        return 0;
    memset(event, 0, n);
    put16(event, (uint16_t)n);
    event[2] = EVENT_QUIESCE;
    m->sclp.quiesce = false;
    return n;
}

/* The next waiting event of the types that are asked for; 0: none, or no room. */
static unsigned next_event(struct machine *m, uint32_t asked, uint8_t *event, unsigned room)
{
    uint32_t types = waiting(m) & asked;
    if (types & EVENT_BIT(EVENT_OPERATOR_COMMAND))
        return line_event(m, event, room);
    if (types & EVENT_BIT(EVENT_ASCII))
        return key_event(m, event, room);
    return types & EVENT_BIT(EVENT_QUIESCE) ? quiesce_event(m, event, room) : 0;
}

/* As many events as there is room for. */
uint16_t sclp_read_event_data(struct machine *m, uint8_t *sccb, unsigned length)
{
    uint32_t asked = UINT32_MAX;
    unsigned at = SCCB_HEADER, n;
    if (sccb[2] == 1 && length >= SCCB_HEADER + 4)
        asked = get32(sccb + at); /* selective read */
    else if (sccb[2])
        return sccb[2] == 1 ? RESPONSE_TOO_SHORT : RESPONSE_INVALID_FUNCTION;
    if (!(waiting(m) & asked))
        return waiting(m) || !asked ? RESPONSE_SELECTION : RESPONSE_NO_EVENT;
    while ((n = next_event(m, asked, sccb + at, length - at)) != 0)
        at += n;
    if (at == SCCB_HEADER)
        return RESPONSE_EXCEEDS;
    if (sccb[5] & 0x80)
        put16(sccb, (uint16_t)at);
    else if (length - at >= EVENT_HEADER)
        memset(sccb + at, 0, EVENT_HEADER); /* nothing more */
    return RESPONSE_COMPLETE;
}

bool sclp_event_waits(const struct machine *m) { return waiting(m); }

/* ---- input ----------------------------------------------------------------------------------------------------- */

static void event_pending(struct machine *m)
{
    if (waiting(m))
        cpu_raise_service_signal(&m->sys, 1);
}

/* A guest may be ready for a console that this machine has not. */
bool sclp_listens_lines(const struct machine *m)
{
    return (m->config.consoles & SCLP_LINE_MODE) && (m->sclp.receive_mask & EVENT_BIT(EVENT_OPERATOR_COMMAND));
}

bool sclp_listens_keys(const struct machine *m)
{
    return (m->config.consoles & SCLP_ASCII) && (m->sclp.receive_mask & EVENT_BIT(EVENT_ASCII));
}

size_t sclp_line_room(const struct machine *m)
{
    return sclp_listens_lines(m) ? sizeof m->sclp.line - m->sclp.line_length : 0;
}

size_t sclp_key_room(const struct machine *m)
{
    return sclp_listens_keys(m) ? sizeof m->sclp.keys - m->sclp.key_length : 0;
}

bool sclp_input_line(struct machine *m, const char *text)
{
    size_t n = strlen(text);
    if (n > SCLP_LINE || n >= sclp_line_room(m) || strchr(text, '\n'))
        return false;
    memcpy(m->sclp.line + m->sclp.line_length, text, n);
    m->sclp.line_length += n;
    m->sclp.line[m->sclp.line_length++] = '\n';
    event_pending(m);
    return true;
}

bool sclp_input_keys(struct machine *m, const char *text, size_t length)
{
    if (length > sclp_key_room(m))
        return false;
    memcpy(m->sclp.keys + m->sclp.key_length, text, length);
    m->sclp.key_length += length;
    event_pending(m);
    return true;
}

bool sclp_quiesce(struct machine *m)
{
    if (!(m->sclp.receive_mask & EVENT_BIT(EVENT_QUIESCE)))
        return false;
    m->sclp.quiesce = true;
    event_pending(m);
    return true;
}
