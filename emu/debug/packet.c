/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of the remote serial protocol. */
#include "emu/debug/packet.h"
#include "base/digit.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BETWEEN, BODY, SUM_HIGH, SUM_LOW };
#define ESCAPE    '}'
#define ESCAPED   0x20
#define INTERRUPT 0x03

static const char digits[] = "0123456789abcdef";

static enum packet_event between(struct packet_reader *r, uint8_t byte)
{
    switch (byte) {
    case '$':
        r->state = BODY;
        r->length = r->sum = 0;
        r->escaped = r->too_long = false;
        return PACKET_NONE;
    case INTERRUPT:
        return PACKET_INTERRUPT;
    case '+':
        return PACKET_TAKEN;
    case '-':
        return PACKET_AGAIN;
    default:
        return PACKET_NONE; /* noise */
    }
}

static enum packet_event body(struct packet_reader *r, uint8_t byte)
{
    if (byte == '#') {
        r->state = SUM_HIGH;
        return PACKET_NONE;
    }
    if (byte == '$') { /* the packet before was cut off */
        between(r, byte);
        return PACKET_BAD;
    }
    r->sum = (uint8_t)(r->sum + byte);
    if (!r->escaped && byte == ESCAPE) {
        r->escaped = true;
        return PACKET_NONE;
    }
    if (r->length == PACKET_MOST)
        r->too_long = true;
    else
        r->body[r->length++] = (char)(r->escaped ? byte ^ ESCAPED : byte);
    r->escaped = false;
    return PACKET_NONE;
}

enum packet_event packet_take(struct packet_reader *r, uint8_t byte)
{
    const int value = hex_digit((char)byte);
    switch (r->state) {
    case BETWEEN:
        return between(r, byte);
    case BODY:
        return body(r, byte);
    case SUM_HIGH:
        r->state = value < 0 ? BETWEEN : SUM_LOW;
        r->told = (uint8_t)(value < 0 ? 0 : value << 4);
        return value < 0 ? PACKET_BAD : PACKET_NONE;
    default:
        r->state = BETWEEN;
        r->body[r->length] = 0;
        if (value < 0 || (r->told | value) != r->sum)
            return PACKET_BAD;
        return r->too_long ? PACKET_LONG : PACKET_COMPLETE;
    }
}

void packet_begin(struct packet_answer *a)
{
    a->length = 0;
    a->full = false;
    a->body[0] = 0;
}

void packet_add(struct packet_answer *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof a->body - a->length;
    const int n = vsnprintf(a->body + a->length, room, format, arguments);
    va_end(arguments);
    a->full |= n < 0 || (size_t)n >= room;
    a->length = a->full ? strlen(a->body) : a->length + (size_t)n;
}

void packet_add_hex(struct packet_answer *a, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    size_t i = 0;
    for (; i < length && a->length + 2 <= PACKET_MOST; i++) {
        a->body[a->length++] = digits[from[i] >> 4];
        a->body[a->length++] = digits[from[i] & 15];
    }
    a->full |= i < length;
    a->body[a->length] = 0;
}

void packet_add_binary(struct packet_answer *a, const void *bytes, size_t length)
{
    const char *from = bytes;
    size_t i = 0;
    for (; i < length && a->length + 2 <= PACKET_MOST; i++) {
        const bool special = from[i] == '#' || from[i] == '$' || from[i] == ESCAPE || from[i] == '*';
        if (special)
            a->body[a->length++] = ESCAPE;
        a->body[a->length++] = (char)(special ? from[i] ^ ESCAPED : from[i]);
    }
    a->full |= i < length;
    a->body[a->length] = 0;
}

size_t packet_frame(const struct packet_answer *a, char *frame)
{
    uint8_t sum = 0;
    size_t n = 0;
    frame[n++] = '$';
    for (size_t i = 0; i < a->length; i++) {
        sum = (uint8_t)(sum + (uint8_t)a->body[i]);
        frame[n++] = a->body[i];
    }
    frame[n++] = '#';
    frame[n++] = digits[sum >> 4];
    frame[n++] = digits[sum & 15];
    return n;
}

bool packet_number(const char **text, unsigned most, uint64_t *value)
{
    unsigned n = 0;
    *value = 0;
    for (int d; (d = hex_digit(**text)) >= 0; n++, (*text)++) {
        if (n == most)
            return false;
        *value = *value << 4 | (unsigned)d;
    }
    return n;
}

long packet_bytes(const char *text, size_t length, uint8_t *bytes, size_t room)
{
    if (length % 2 || length / 2 > room)
        return -1;
    for (size_t i = 0; i < length / 2; i++) {
        const int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return (long)(length / 2);
}
