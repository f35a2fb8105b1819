/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the decoder of exception traces: levels 1 to 3 (container.c, lex.c, packet.c, join.c) make raw events, level 4
   (nest.h) makes events of them. */
#ifndef ZRI_RI_TRACE_READ_DECODER_H
#define ZRI_RI_TRACE_READ_DECODER_H

#include <stdarg.h>
#include "ri/trace/decode.h"

#define ET_SOURCES   256u
#define ET_FRAMES    64u                 /* open frames of a source that the tracker keeps */
#define ET_CARRY     512u                /* more than the longest packet */
#define ET_SIGNALS   128u                /* requests of a source that wait for their interruption */
#define ET_LISTED    8u                  /* open frames that a SYNC lists */
#define ET_PACKETED  12u                 /* numbers of a CNT that are told at once: an even number */
#define ET_TIMES_MAX (UINT64_C(1) << 22) /* times that wait for their events */
#define ET_HELD_MAX  (UINT64_C(1) << 27) /* bytes of events that wait for their times */

/* An event as levels 1 to 3 know it: depth, durations, latencies and frame numbers are missing. */
struct et_raw {
    struct et_event event;
    uint64_t numbers[ET_PACKETED];
    /* SYNC */
    const struct et_config *config; /* in force behind it */
    bool broken;                    /* something is missing in front of it */
    unsigned open, listed;          /* frames, and how many of them are in frames[], innermost first */
    uint16_t frames[ET_LISTED];
};

/* Where levels 1 to 3 hand on what they have. */
struct et_front_calls {
    void *context;
    void (*raw)(void *context, const struct et_raw *raw);
    void (*diagnostic)(void *context, const struct et_diagnostic *diagnostic);
    void (*chunk)(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                  bool last);
};

/* ---- numbers under compression (numbers.c) ---- */
struct et_numbers {
    int remembered; /* -1: nothing */
    unsigned stacked, top;
    uint16_t stack[128];
    unsigned write;
    uint16_t fifo[16]; /* ET_NUMBERS: nothing */
};
void et_numbers_clear(struct et_numbers *numbers);
/* A packet with a number was decoded. */
void et_numbers_told(struct et_numbers *numbers, const struct et_config *config, unsigned en);
/* The number that a SAME packet stands for, which is taken; -1: there is none. */
int et_numbers_same(struct et_numbers *numbers, const struct et_config *config);
/* The number that a FIFO packet stands for, which is written again; -1: there is none. */
int et_numbers_fifo(struct et_numbers *numbers, const struct et_config *config, unsigned index);

/* ---- one stream of bytes (lex.c) ---- */
enum et_lex_state { ET_LEX_HUNT, ET_LEX_HEADER, ET_LEX_SALVAGE, ET_LEX_ENDED };

struct et_view { /* bytes, and where they stand in the input */
    const uint8_t *bytes;
    size_t size;
    const uint64_t *where; /* of each byte; NULL: one after the other from `offset' */
    uint64_t offset;
};

struct et_stream {
    struct et_source *source;
    bool timing;
    enum et_lex_state state;
    uint8_t carry[ET_CARRY]; /* the beginning of what is not complete */
    uint64_t where[ET_CARRY];
    size_t carried;
    uint64_t zero_at, zeros; /* in front of a SYNC marker in HEADER state: more than its seven */
    unsigned tail;           /* zeros at the end of the last packet */
    unsigned skip_code;      /* 1 or 18: what is said of the bytes that are being skipped */
    uint64_t skip_at, skip;
    /* since the last SYNC */
    bool synced, clean, overflowed;
    uint64_t sequence, packets;
    uint16_t crc;
};

struct et_held { /* bytes that wait */
    uint8_t *bytes;
    size_t size, room, done;
    struct et_piece {
        uint64_t offset;
        size_t size;
    } * pieces;
    size_t count, pieces_room, first;
};

/* Times of a separate stream on their way to their events. */
enum et_time_kind { ET_TIME, ET_TIME_SYNC, ET_TIME_BROKEN };
struct et_time {
    enum et_time_kind kind;
    uint64_t value; /* time, or sequence number */
};
struct et_times {
    struct et_time *ring;
    size_t room, first, count;
    uint64_t segment; /* the events' */
    bool found, told; /* the segment's SYNC; something is told of this segment already */
    bool surplus;     /* look for times of the segment before that no event took */
    bool overrun;     /* there was no room: times are dropped up to a SYNC */
    uint64_t last;    /* of the timing stream, shifted */
};

/* ---- a source: levels 2 and 3 ---- */
struct et_source {
    const struct et_front_calls *calls;
    const struct et_decoder_options *options;
    unsigned id;
    bool have_id; /* bare stream: known from its first SYNC */
    struct et_stream events, timing;
    struct et_times times;
    struct et_held held;
    bool timed_apart; /* there is a timing stream */
    bool ended;       /* no more input: nothing waits any longer */

    struct et_config config, next; /* in force; that of the SYNC whose CFG packets are being read */
    bool configured, doubtful;
    struct et_numbers numbers;

    struct et_raw sync; /* waits for its CFG packets */
    bool sync_waits;
    unsigned sync_registers; /* a bit for each CFG packet behind it */
    uint64_t sync_offset[ET_REGISTERS];

    struct et_raw first, pending; /* first: EXIT of a merged packet */
    bool have_first, have_pending, timed;
    unsigned stage; /* of what may follow an event packet: 1 INFO seen, 2-4 ADDR 1-3 seen */
    uint64_t addresses[4];

    uint64_t clock;     /* last time, shifted */
    uint64_t last_time; /* the same in ticks, and of which clock */
    bool last_known, clock_changed;
    unsigned last_clock;

    uint64_t index; /* of the next event packet */
    uint64_t emitted, lost, diagnostics;
    bool lost_unknown, damaged;
    uint64_t segments;
    uint64_t packets_bytes, reported_bytes;
};

struct et_source *et_source_new(const struct et_front_calls *calls, const struct et_decoder_options *options,
                                unsigned id, bool have_id);
void et_source_free(struct et_source *source);
/* Bytes of the event stream or of the timing stream. 0 or -ENOMEM. */
int et_source_push(struct et_source *source, bool timing, uint64_t offset, const uint8_t *bytes, size_t size);
/* Bytes are missing here: what is begun is skipped, and a SYNC is looked for. */
void et_source_break(struct et_source *source);
void et_source_end(struct et_source *source);

/* ---- lex.c ---- */
/* Reads what is complete; returns how many bytes are done with; fewer when events wait for times (then `*stalled'). */
size_t et_stream_push(struct et_stream *stream, uint64_t offset, const uint8_t *bytes, size_t size, bool *stalled);
void et_stream_break(struct et_stream *stream);
void et_stream_end(struct et_stream *stream);

/* ---- tell.c ---- */
/* Hands a diagnostic to `to'; its text is made of the words. */
void et_tell(void (*to)(void *context, const struct et_diagnostic *diagnostic), void *context,
             struct et_diagnostic diagnostic, const char *format, va_list words) __attribute__((format(printf, 4, 0)));
/* Tell of `length' bytes at `offset' (0: of none). Codes that report bytes count them. */
void et_source_tell(struct et_source *source, unsigned code, uint64_t offset, uint64_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- packet.c: level 3 ---- */
enum et_result {
    ET_MORE = 0,
    ET_UNKNOWN = -6,
    ET_ILLEGAL = -7,
    ET_EMPTY = -16,
    ET_UNCONFIGURED = -20,
    ET_STALL = -100
};
/* One packet of an event stream that is no SYNC: bytes of it, or enum et_result. `*why' says what is illegal. */
int et_read_packet(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why);
/* Of a timing stream. */
int et_read_time(struct et_source *source, const uint8_t *bytes, size_t size, const char **why);
/* Do the bytes have so many zeros in a row as only the marker of a SYNC has? Nothing may reach over one. */
bool et_read_zeros(const uint8_t *bytes, size_t size);
struct et_sync {
    uint64_t marker; /* offset */
    unsigned version, flags;
    uint64_t source, sequence, packets, crc, time;
    unsigned current, open, listed;
    uint16_t frames[ET_LISTED];
};
void et_read_sync(struct et_source *source, const struct et_sync *sync);
/* Hand on the event that waits for what belongs to it. False: it waits for a time. */
bool et_read_flush(struct et_source *source);
/* A SYNC or END is next: hand on all that waits. False: it waits for a time. */
bool et_read_ready(struct et_source *source);
void et_read_end(struct et_source *source, const uint64_t numbers[ET_END_NUMBERS], uint64_t offset);
/* A loss of unknown extent is behind this place. */
void et_read_lost(struct et_source *source, uint64_t offset);
/* What is behind this place is not what was begun: pending things are handed on, compression begins anew. */
void et_read_break(struct et_source *source);

/* ---- join.c: times of a separate stream ---- */
void et_times_free(struct et_times *times);
/* -ENOMEM never: what there is no memory for is dropped, and told as D19 when it is missed. */
void et_times_put(struct et_source *source, enum et_time_kind kind, uint64_t value);
/* The events begin this segment. */
void et_times_segment(struct et_source *source, uint64_t sequence);
/* 1: *time is that of the next event; 0: it will come; -1: it is missing. */
int et_times_take(struct et_source *source, uint64_t *time);
/* The input is at its end. */
void et_times_end(struct et_source *source);

#endif
