/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of gdb's remote serial protocol: $BODY#SUM, + and -, X'03'. It knows no machine and no descriptor. The
   protocol is described in "Debugging with GDB", appendix E. */
#ifndef ZRI_EMU_DEBUG_PACKET_H
#define ZRI_EMU_DEBUG_PACKET_H

#include "base/bits.h"
#include <stddef.h>

#define PACKET_MOST 0x4000u /* bytes of a body, as `PacketSize' tells it */

enum packet_event {
    PACKET_NONE,      /* more bytes are needed */
    PACKET_COMPLETE,  /* body[length], escapes undone, with a zero behind it */
    PACKET_BAD,       /* the sum is wrong, or no sum */
    PACKET_LONG,      /* it was longer than PACKET_MOST, and is lost */
    PACKET_INTERRUPT, /* X'03' between packets */
    PACKET_TAKEN,     /* + */
    PACKET_AGAIN,     /* - */
};

struct packet_reader {
    uint8_t state, sum, told;
    bool escaped, too_long;
    size_t length;
    char body[PACKET_MOST + 1];
};

/* One byte from the client. */
enum packet_event packet_take(struct packet_reader *reader, uint8_t byte);

/* An answer that is being made. What does not fit is left away; `full` says so. */
struct packet_answer {
    size_t length;
    bool full;
    char body[PACKET_MOST + 1]; /* with a zero behind it */
};

void packet_begin(struct packet_answer *answer);
void packet_add(struct packet_answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Bytes as pairs of hexadecimal digits; as they are, the special ones escaped. */
void packet_add_hex(struct packet_answer *answer, const void *bytes, size_t length);
void packet_add_binary(struct packet_answer *answer, const void *bytes, size_t length);

/* The frame around an answer: frame[PACKET_FRAME], its length is returned. */
#define PACKET_FRAME (PACKET_MOST + 4u)
size_t packet_frame(const struct packet_answer *answer, char *frame);

/* Hexadecimal digits at *text, at least one and at most `most`, up to another character; *text goes behind them. False:
   there are none, or too many. */
bool packet_number(const char **text, unsigned most, uint64_t *value) MUST_USE;
/* Pairs of digits into at most `room` bytes. Returns how many, or -1: a character is no digit, half a byte, no room. */
long packet_bytes(const char *text, size_t length, uint8_t *bytes, size_t room) MUST_USE;

#endif
