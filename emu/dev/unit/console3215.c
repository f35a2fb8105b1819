/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Console printer-keyboard 3215: lines go to the guest's console output; a typed line is announced by attention and
   read by the inquiry command. */
#include "base/ebcdic.h"
#include "emu/dev/unit/types.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE  255u  /* characters that can be typed in one */
#define TYPED 4096u /* that wait for the guest */

enum { COMMAND_WRITE = 0x01, COMMAND_WRITE_RETURN = 0x09, COMMAND_READ = 0x0a, COMMAND_ALARM = 0x0b };
#define EBCDIC_NEW_LINE        0x15
#define EBCDIC_LINE_FEED       0x25
#define EBCDIC_CARRIAGE_RETURN 0x0d

struct console {
    uint8_t typed[TYPED]; /* EBCDIC, each line ended by a new-line character */
    uint16_t length;
};

/* These keyboards have code page 37, which differs from 500 by what its rows exchange. */
static const uint8_t exchanged[][2] = {{0x4a, 0xba}, {0x5a, 0xbb}, {0x5f, 0xb0}, {0x4f, 0x5a},
                                       {0xb0, 0x4a}, {0xbb, 0x4f}, {0xba, 0x5f}};

/* From one to the other. */
static uint8_t exchange(uint8_t c, unsigned from)
{
    for (unsigned i = 0; i < sizeof exchanged / sizeof *exchanged; i++)
        if (exchanged[i][from] == c)
            return exchanged[i][1 - from];
    return c;
}

static int console_open(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    (void)words;
    d->own = calloc(1, sizeof(struct console));
    if (d->own && !count)
        return 0;
    snprintf(error, size, d->own ? "a 3215 takes no words; write DEVNO,3215" : "the host has no memory for a console");
    return d->own ? -EINVAL : -ENOMEM;
}

static void console_close(struct channel_device *d)
{
    free(d->own);
    d->own = NULL;
}

static void console_reset(struct channel_device *d, bool system)
{
    struct console *c = d->own;
    if (system)
        c->length = 0;
}

static void output(struct channel_device *d, const uint8_t *text, size_t length)
{
    const struct machine_host *host = &d->machine->host;
    char line[2 * 256];
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c =
            text[i] == EBCDIC_NEW_LINE || text[i] == EBCDIC_LINE_FEED ? '\n' : ebcdic_to_latin(exchange(text[i], 1));
        if (text[i] == EBCDIC_CARRIAGE_RETURN || c == 0)
            continue;
        if (c >= 0x80) { /* as UTF-8 */
            line[used++] = (char)(0xc0 | c >> 6);
            c = 0x80 | (c & 0x3f);
        }
        line[used++] = (char)c;
    }
    if (!used)
        return;
    if (host->output)
        host->output(host->context, line, used);
    d->machine->sclp.at_line_start = line[used - 1] == '\n';
}

static unsigned write_text(struct channel_device *d, uint8_t command, struct channel_io *io)
{
    static const uint8_t new_line = EBCDIC_NEW_LINE;
    uint8_t text[256];
    size_t n;
    do {
        n = channel_fetch_some(io, text, sizeof text);
        output(d, text, n);
    } while (n == sizeof text);
    if (command == COMMAND_WRITE_RETURN)
        output(d, &new_line, 1);
    return CHANNEL_GOOD;
}

/* The first typed line; another one is announced anew. */
static unsigned read_line(struct channel_device *d, struct console *c, struct channel_io *io)
{
    const uint8_t *end = memchr(c->typed, EBCDIC_NEW_LINE, c->length);
    if (!end)
        return CHANNEL_WAITS;
    size_t n = (size_t)(end - c->typed);
    channel_store(io, c->typed, n);
    c->length = (uint16_t)(c->length - n - 1);
    memmove(c->typed, c->typed + n + 1, c->length);
    if (c->length)
        channel_attention(d, CHANNEL_ATTENTION);
    return CHANNEL_GOOD;
}

static unsigned console_command(struct channel_device *d, uint8_t command, struct channel_io *io)
{
    switch (command) {
    case COMMAND_WRITE:
    case COMMAND_WRITE_RETURN:
        return write_text(d, command, io);
    case COMMAND_READ:
        return read_line(d, d->own, io);
    case COMMAND_ALARM:
        return CHANNEL_GOOD;
    default:
        return channel_command(d, command, io);
    }
}

static bool console_line(struct channel_device *d, const char *text)
{
    struct console *c = d->own;
    uint8_t line[LINE + 1];
    size_t length = 0;
    if (!text)
        return channel_enabled(d);
    for (size_t i = 0; text[i] && length < LINE; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xfe) == 0xc2 && ((unsigned char)text[i + 1] & 0xc0) == 0x80) /* UTF-8 of Latin-1 */
            byte = (unsigned char)(byte << 6 | ((unsigned char)text[++i] & 0x3f));
        line[length++] = exchange(ebcdic_from_latin(byte), 0);
    }
    line[length++] = EBCDIC_NEW_LINE;
    if (length > TYPED - c->length)
        return false;
    memcpy(c->typed + c->length, line, length);
    c->length = (uint16_t)(c->length + length);
    if (!channel_again(d))
        channel_attention(d, CHANNEL_ATTENTION);
    return true;
}

static void console_fields(struct channel_device *d, const struct channel_fields *f)
{
    struct console *c = d->own;
    f->number(f->context, &c->length, 2);
    if (f->loading && c->length > TYPED) {
        c->length = 0;
        f->refuse(f->context, "more typed input waits than there can be");
    }
    f->bytes(f->context, c->typed, c->length);
}

const struct channel_type console_type = {
    .name = "3215",
    .arguments = "",
    .help = "console printer-keyboard; it prints on the guest's console, `input DEVNO TEXT' types",
    CHANNEL_UNIT(0x3215, 0x00, 0x3215, 0x00, 1),
    .keyboard = true,
    .open = console_open,
    .close = console_close,
    .reset = console_reset,
    .command = console_command,
    .line = console_line,
    .fields = console_fields,
};
