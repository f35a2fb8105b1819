/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line printer 1403: lines of 132 characters go to a file of the host as text. A line is kept until the paper moves, so
   that lines without spacing print over each other. */
#include "base/ebcdic.h"
#include "emu/dev/unit/types.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS   132u
#define BLANK     0x40
#define IMMEDIATE 0x02 /* of a command: the paper moves, nothing is printed */
#define SKIP      0x80 /* to a channel of the carriage, otherwise by 0 to 3 lines */

struct printer {
    FILE *file; /* NULL: private medium */
    uint8_t line[COLUMNS];
};

static int printer_open(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct printer *p = calloc(1, sizeof *p);
    d->own = p;
    if (!p || count != 1) {
        snprintf(error, size,
                 p ? "a printer has one file; write DEVNO,1403,FILE" : "the host has no memory for a printer");
        return p ? -EINVAL : -ENOMEM;
    }
    memset(p->line, BLANK, COLUMNS);
    if (d->private_medium)
        return 0;
    errno = 0;
    p->file = fopen(words[0], "a");
    if (p->file)
        return 0;
    int code = errno ? -errno : -EIO;
    snprintf(error, size, "printer file '%.100s': %s; name a file in a folder you may write to", words[0],
             strerror(-code));
    return code;
}

static void printer_close(struct channel_device *d)
{
    struct printer *p = d->own;
    if (p && p->file)
        fclose(p->file);
    free(p);
    d->own = NULL;
}

/* The line goes out, then `lines` line ends, or a form feed. False: the host could not take them. */
static bool move_paper(struct printer *p, unsigned lines, bool form)
{
    char text[2 * COLUMNS + 4];
    size_t used = 0, length = COLUMNS;
    while (length && p->line[length - 1] == BLANK)
        length--;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = ebcdic_to_latin(p->line[i]);
        if (c < 0x20 || (c >= 0x7f && c < 0xa0))
            c = ' ';
        if (c >= 0x80) {
            text[used++] = (char)(0xc0 | c >> 6);
            c = 0x80 | (c & 0x3f);
        }
        text[used++] = (char)c;
    }
    for (unsigned i = 0; i < lines; i++)
        text[used++] = '\n';
    if (form && used)
        text[used++] = '\n';
    if (form)
        text[used++] = '\f';
    memset(p->line, BLANK, COLUMNS);
    return !p->file || (fwrite(text, 1, used, p->file) == used && fflush(p->file) == 0);
}

/* Bits 0-4 of a command say how the paper moves. Returns false when they say nothing that this printer knows. */
static bool movement(uint8_t command, unsigned *lines, bool *form)
{
    unsigned n = command >> 3 & 15;
    const bool skip = command & SKIP;
    *form = skip && n == 1; /* channel 1 is the top of a form; the others are taken as the next line */
    *lines = skip ? n > 1 : n;
    return skip ? n >= 1 && n <= 12 : n <= 3;
}

static unsigned printer_command(struct channel_device *d, uint8_t command, struct channel_io *io)
{
    struct printer *p = d->own;
    uint8_t line[COLUMNS];
    unsigned lines;
    bool form;
    if ((command & 0x05) != 0x01 || command == 0x03 || !movement(command, &lines, &form))
        return channel_command(d, command, io);
    if (!(command & IMMEDIATE)) {
        size_t n = channel_fetch_some(io, line, COLUMNS);
        for (size_t i = 0; i < n; i++)
            if (line[i] != BLANK)
                p->line[i] = line[i];
    }
    if ((!lines && !form) || move_paper(p, lines, form))
        return CHANNEL_GOOD;
    channel_message(d, "the printer's file cannot be written; make room, then start the program again");
    clearerr(p->file);
    return channel_check(d, CHANNEL_GOOD, SENSE_INTERVENTION_REQUIRED);
}

static void printer_fields(struct channel_device *d, const struct channel_fields *f)
{
    f->bytes(f->context, ((struct printer *)d->own)->line, COLUMNS);
}

const struct channel_type printer_type = {
    .name = "1403",
    .arguments = "FILE",
    .help = "line printer; its lines are appended to the file",
    CHANNEL_UNIT(0x2821, 0x01, 0x1403, 0x01, 1),
    .open = printer_open,
    .close = printer_close,
    .command = printer_command,
    .fields = printer_fields,
};
