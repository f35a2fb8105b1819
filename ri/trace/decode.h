/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of exception-trace streams: bytes are pushed in as they come, events and diagnostics are told to callbacks.
   Container, packets, numbers and times, nesting. No global state, no files; storage does not grow with the stream
   (only with open frames, pending signals, events that wait for their times, and sources, which have bounds). */
#ifndef ZRI_RI_TRACE_DECODE_H
#define ZRI_RI_TRACE_DECODE_H

#include "ri/trace/config.h"
#include "ri/trace/number.h"
#include "ri/trace/wire.h"

struct et_decoder;

enum et_kind {
    ET_K_ENTRY,
    ET_K_EXIT,
    ET_K_RETURN,
    ET_K_SIGNAL,
    ET_K_STATE,
    ET_K_MARK,
    ET_K_COUNTS,
    ET_K_SYNC,
    ET_K_CONFIG,
    ET_K_LOST,
    ET_K_END,
    ET_K_FILE, /* the head of a container: before all others, of no source */
    ET_KINDS
};

enum et_event_flag {
    ET_E_TC = 1, /* ENTRY: by the flag, or by order where all events are there; EXIT: by the flag */
    ET_E_LA = 2,
    ET_E_FRC = 4,
    ET_E_CUT = 8,      /* belongs to a frame whose beginning or end was not seen: durations are lower bounds */
    ET_E_IMPLIED = 16, /* not in the stream: the decoder closed or opened a frame */
    ET_E_WITHDRAWN = 32,
    ET_E_DOUBTFUL = 64, /* salvaged, or decoded without a configuration */
    ET_E_BOUND = 128,   /* gross and self are lower bounds (>=) */
    ET_E_ABORTED = 256, /* closed by a reset */
    ET_E_MOST = 512     /* gross and self are upper bounds (<=): the exit is not in the stream */
};

struct et_event {
    enum et_kind kind;
    unsigned source; /* CPU address, ET_SOURCE_MACHINE */
    uint64_t index;  /* of the event packet in its source, from 0; two events of one packet have the same */
    uint64_t offset; /* of its first byte in the input */
    bool time_known; /* false: time is the last one known */
    uint64_t time;   /* ticks of the trace clock (already shifted back) */
    int64_t delta;   /* to the event before it in this source; 0 for the first */
    bool en_known;   /* false: the number was omitted */
    unsigned en;
    unsigned flags; /* enum et_event_flag */
    bool depth_known;
    unsigned depth; /* open frames after the event */
    uint32_t given; /* INFO: a bit (1 << enum et_info_tag) for each member of info[] that was there */
    uint64_t info[ET_INFO_BEAR + 1];
    bool old_known, new_known, return_known;
    uint64_t old_address, new_address, return_address;
    bool durations; /* EXIT: gross and self have a meaning */
    uint64_t gross, self;
    bool latency_known, start_known; /* ENTRY after SIGNAL; RETURN that starts a frame late */
    uint64_t latency, start_latency;
    bool back_known; /* RETURN directly behind its EXIT: the time between them */
    uint64_t back;
    uint64_t frame;  /* ENTRY, EXIT: number of the frame in its source, from 1; RETURN: of what is resumed, 0 NORMAL */
    unsigned chain;  /* ENTRY, EXIT: tail-chains that led to the handler, 0 for none */
    uint64_t signal; /* SIGNAL: its number, from 1 over all sources; ENTRY: that of the SIGNAL it answers, 0 for none */
    uint64_t value;  /* MARK: value; STATE: code; LOST: events (UINT64_MAX unknown); CONFIG: register value;
                        SYNC: sequence number; FILE: number of sources that the head of the file names */
    unsigned reg;    /* CONFIG: register index */
    const uint64_t *numbers; /* COUNTS: pairs of EN and entries; END: enum et_end_number; valid during the call */
    size_t count;            /* of numbers[] */
};

/* Members of numbers[] with ET_K_END. */
enum et_end_number { ET_END_DETECTED, ET_END_FILTERED, ET_END_EMITTED, ET_END_LOST, ET_END_PACKETS, ET_END_NUMBERS };

struct et_diagnostic {
    unsigned code; /* 1-22: D01 to D22 */
    unsigned source;
    uint64_t offset, length; /* of the bytes it is about; length 0 where it is about none */
    uint64_t index;          /* of the event packet behind it in its source */
    uint64_t time;
    const char *text; /* a sentence without the code; valid during the call */
};
#define ET_DIAGNOSTICS 22u

struct et_decoder_options {
    bool strict;                    /* report reserved bits */
    bool salvage;                   /* go on header by header after an error, marking what comes */
    const struct et_config *assume; /* for a fragment that begins without SYNC; NULL: none. Copied */
};

struct et_decoder_calls {
    void *context;
    void (*event)(void *context, const struct et_event *event);
    void (*diagnostic)(void *context, const struct et_diagnostic *diagnostic);
    /* May be NULL. A chunk of another kind (metadata, RI, counters, unknown ones with D11): in pieces as they come. */
    void (*chunk)(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                  bool last);
};

/* NULL: no memory. */
struct et_decoder *et_decoder_new(const struct et_decoder_calls *calls, const struct et_decoder_options *options);
void et_decoder_free(struct et_decoder *decoder);
/* 0, or -ENOMEM. Everything that is complete in what was pushed is told before this returns; an event is complete when
   its time has come or the packet behind it begins. */
int et_decoder_push(struct et_decoder *decoder, const uint8_t *bytes, size_t size);
/* The input is at its end: what is missing is told. Once. */
void et_decoder_end(struct et_decoder *decoder);

struct et_decoder_sums {
    uint64_t input, packets, reported; /* bytes: input = packets + reported (container framing counts as packets) */
    uint64_t events;      /* of the streams: ENTRY, EXIT, RETURN, SIGNAL, STATE, MARK; none that are implied */
    uint64_t diagnostics; /* how many were told */
    uint64_t lost;        /* events, as far as it is known */
    bool lost_unknown;    /* and more than these */
    uint64_t segments;    /* SYNC packets */
};
void et_decoder_sums(const struct et_decoder *decoder, struct et_decoder_sums *sums);
/* Configuration in force of a source as its CFG packets told it; NULL: the source has not been seen. */
const struct et_config *et_decoder_config(const struct et_decoder *decoder, unsigned source);

/* "program-interruption name", class and so on are in number.h; names of states and of diagnostics: */
const char *et_state_name(unsigned code);
const char *et_diagnostic_name(unsigned code);

#endif
