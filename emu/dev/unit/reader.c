/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Card reader 3505. Each file is a deck of 80-byte cards: EBCDIC or any other bytes as they are, or lines of text that
   are translated; "=TEXT" is a deck of one such line. Behind the last card of a deck comes unit exception once, then
   the next deck; behind the last deck the reader is empty. */
#include "base/ebcdic.h"
#include "emu/dev/unit/types.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define CARD      80u
#define MAX_DECKS 30u
#define MAX_BYTES (UINT64_C(1) << 30)
#define BLANK     0x40
#define STACKERS  0xc0 /* of a read command: where the card goes */

struct deck {
    const char *name; /* in the reader's words */
    uint8_t *bytes;
    uint64_t length;
    bool text;
};

struct reader {
    struct deck decks[MAX_DECKS];
    uint32_t count;
    uint32_t deck; /* being read */
    uint64_t at;   /* next byte of it */
    bool always;   /* behind the last deck: unit exception and not an empty hopper */
};

static int read_file(struct deck *deck, const char *name, char *error, size_t size)
{
    FILE *f = fopen(name, "rb");
    int code = f ? 0 : -errno;
    uint64_t room = 0;
    while (!code) {
        if (deck->length == room) {
            room = room ? 2 * room : 65536;
            uint8_t *more = room > MAX_BYTES ? NULL : realloc(deck->bytes, room);
            if (!more) {
                code = -ENOMEM;
                break;
            }
            deck->bytes = more;
        }
        size_t n = fread(deck->bytes + deck->length, 1, room - deck->length, f);
        deck->length += n;
        if (n == 0) {
            code = ferror(f) ? -EIO : 0;
            break;
        }
    }
    if (f)
        fclose(f);
    if (code)
        snprintf(error, size, "card deck '%.100s': %s; name a file that can be read, of at most 1G", name,
                 strerror(-code));
    return code;
}

/* A deck of one card, "=TEXT". */
static int one_card(struct deck *deck, const char *text)
{
    deck->length = strlen(text) + 1;
    deck->text = true;
    deck->bytes = malloc(deck->length);
    if (!deck->bytes)
        return -ENOMEM;
    memcpy(deck->bytes, text, deck->length);
    deck->bytes[deck->length - 1] = '\n';
    return 0;
}

static void reader_close(struct channel_device *d)
{
    struct reader *r = d->own;
    for (unsigned i = 0; r && i < r->count; i++)
        free(r->decks[i].bytes);
    free(r);
    d->own = NULL;
}

static int reader_open(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct reader *r = calloc(1, sizeof *r);
    bool text = false;
    int code = 0;
    d->own = r;
    if (!r) {
        snprintf(error, size, "the host has no memory for a card reader");
        return -ENOMEM;
    }
    for (unsigned i = 0; !code && i < count; i++) {
        if (strcmp(words[i], "ascii") == 0 || strcmp(words[i], "ebcdic") == 0) {
            text = words[i][0] == 'a';
        } else if (strcmp(words[i], "eof") == 0) {
            r->always = true;
        } else if (r->count == MAX_DECKS) {
            snprintf(error, size, "card reader: there is room for %u decks", MAX_DECKS);
            code = -E2BIG;
        } else {
            struct deck *deck = &r->decks[r->count++];
            deck->text = text;
            code = words[i][0] == '=' ? one_card(deck, words[i] + 1) : read_file(deck, words[i], error, size);
        }
    }
    return code;
}

/* The next card of a deck. */
static void feed(struct reader *r, uint8_t card[CARD])
{
    const struct deck *deck = &r->decks[r->deck];
    const uint64_t left = deck->length - r->at;
    const uint8_t *from = deck->bytes + r->at;
    if (!deck->text) {
        uint64_t n = left < CARD ? left : CARD;
        memcpy(card, from, n);
        memset(card + n, 0, CARD - n);
        r->at += n;
        return;
    }
    const uint8_t *end = memchr(from, '\n', left);
    uint64_t line = end ? (uint64_t)(end - from) : left;
    r->at += line + (end ? 1 : 0);
    if (line && from[line - 1] == '\r')
        line--;
    memset(card, BLANK, CARD);
    for (uint64_t i = 0; i < line && i < CARD; i++)
        card[i] = ebcdic_from_latin(from[i]);
}

static unsigned read_card(struct channel_device *d, struct reader *r, struct channel_io *io)
{
    uint8_t card[CARD];
    if (r->deck >= r->count)
        return r->always ? CHANNEL_GOOD | CHANNEL_UNIT_EXCEPTION
                         : channel_check(d, CHANNEL_GOOD, SENSE_INTERVENTION_REQUIRED);
    if (r->at >= r->decks[r->deck].length) {
        r->deck++;
        r->at = 0;
        return CHANNEL_GOOD | CHANNEL_UNIT_EXCEPTION;
    }
    feed(r, card);
    channel_store(io, card, CARD);
    return CHANNEL_GOOD;
}

static unsigned reader_command(struct channel_device *d, uint8_t command, struct channel_io *io)
{
    return (command & ~STACKERS) == 0x02 ? read_card(d, d->own, io) : channel_command(d, command, io);
}

/* System reset: the operator puts the decks back into the hopper. */
static void reader_reset(struct channel_device *d, bool system)
{
    struct reader *r = d->own;
    if (system)
        r->deck = 0, r->at = 0;
}

static void reader_describe(const struct channel_device *d, char *text, size_t size)
{
    const struct reader *r = d->own;
    snprintf(text, size, r->deck < r->count ? "deck %u of %u" : "empty", r->deck + 1, r->count);
}

static void reader_fields(struct channel_device *d, const struct channel_fields *f)
{
    struct reader *r = d->own;
    f->number(f->context, &r->deck, 4);
    f->number(f->context, &r->at, 8);
    if (f->loading && (r->deck > r->count || r->at > (r->deck < r->count ? r->decks[r->deck].length : 0))) {
        r->deck = r->count;
        r->at = 0;
        f->refuse(f->context, "a card deck is shorter than it was");
    }
}

const struct channel_type reader_type = {
    .name = "3505",
    .arguments = "[ascii|ebcdic] DECK... [eof]",
    .help = "card reader; each file is a deck, of lines behind `ascii', of 80-byte cards otherwise",
    CHANNEL_UNIT(0x3505, 0x01, 0x3505, 0x02, 24),
    .open = reader_open,
    .close = reader_close,
    .reset = reader_reset,
    .command = reader_command,
    .describe = reader_describe,
    .fields = reader_fields,
};
