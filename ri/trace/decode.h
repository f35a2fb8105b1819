/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of exception-trace streams: bytes are pushed in as they come, events and diagnostics are told to callbacks.
   Container, packets, numbers and times, nesting. No global state, no files; storage does not grow with the stream
   (only with open frames, pending signals and sources, which have bounds). */
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
    ET_K_END
};

enum et_event_flag {
    ET_E_TC = 1,
    ET_E_LA = 2,
    ET_E_FRC = 4,
    ET_E_CUT = 8,      /* belongs to a frame whose beginning or end was not seen: durations are lower bounds */
    ET_E_IMPLIED = 16, /* not in the stream: the decoder closed or opened a frame */
    ET_E_WITHDRAWN = 32,
    ET_E_DOUBTFUL = 64, /* from a segment whose check sum is wrong, or salvaged */
    ET_E_BOUND = 128,   /* a duration or latency here is a bound (>=) */
    ET_E_ABORTED = 256  /* closed by a reset */
};

struct et_event {
    enum et_kind kind;
    unsigned source; /* CPU address, ET_SOURCE_MACHINE */
    uint64_t index;  /* of the event packet in its source, from 0 */
    uint64_t offset; /* of its first byte in the input */
    bool time_known; /* false: time is that of the SYNC before it */
    uint64_t time;   /* ticks of the trace clock (already shifted back) */
    int64_t delta;   /* to the event before it in this source */
    bool en_known;   /* false: the number was omitted */
    unsigned en;
    unsigned flags; /* enum et_event_flag */
    unsigned depth; /* open frames after the event */
    uint32_t given; /* INFO: a bit (1 << enum et_info_tag) for each member of info[] that was there */
    uint64_t info[ET_INFO_BEAR + 1];
    bool old_known, new_known, return_known;
    uint64_t old_address, new_address, return_address;
    bool durations; /* EXIT: gross and self have a meaning */
    uint64_t gross, self;
    bool latency_known, start_known; /* ENTRY after SIGNAL; RETURN that starts a frame late */
    uint64_t latency, start_latency;
    uint64_t frame; /* ENTRY, EXIT: number of the frame in its source, from 1 */
    uint64_t value; /* MARK: value; STATE: code; LOST: events (UINT64_MAX unknown); CONFIG: register value */
    unsigned reg;   /* CONFIG: register index */
    /* COUNTS: pairs; END: accounts; SYNC: sequence number */
    const uint64_t *numbers;
    size_t count;
};

struct et_diagnostic {
    unsigned code; /* 1-22: D01 to D22 */
    unsigned source;
    uint64_t offset, length; /* of the bytes it is about; length 0 where it is about none */
    uint64_t index;          /* of the event packet behind it in its source */
    uint64_t time;
    const char *text; /* a sentence without the code */
};

struct et_decoder_options {
    bool strict;                    /* report reserved bits */
    bool salvage;                   /* go on header by header after an error, marking what comes */
    const struct et_config *assume; /* for a fragment that begins without SYNC; NULL: none */
};

struct et_decoder_calls {
    void *context;
    void (*event)(void *context, const struct et_event *event);
    void (*diagnostic)(void *context, const struct et_diagnostic *diagnostic);
    /* A chunk of another kind (metadata, RI, counters, unknown ones with D11): in pieces as they come. */
    void (*chunk)(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                  bool last);
};

/* NULL: no memory. */
struct et_decoder *et_decoder_new(const struct et_decoder_calls *calls, const struct et_decoder_options *options);
void et_decoder_free(struct et_decoder *decoder);
/* 0, or -ENOMEM. Everything that is complete in what was pushed is told before this returns. */
int et_decoder_push(struct et_decoder *decoder, const uint8_t *bytes, size_t size);
/* The input is at its end: what is missing is told. */
void et_decoder_end(struct et_decoder *decoder);

struct et_decoder_sums {
    uint64_t input, packets, reported; /* bytes: input = packets + reported (container framing counts as packets) */
    uint64_t events, diagnostics, lost, segments;
};
void et_decoder_sums(const struct et_decoder *decoder, struct et_decoder_sums *sums);
/* Configuration in force of a source as its CFG packets told it; NULL: the source has not been seen. */
const struct et_config *et_decoder_config(const struct et_decoder *decoder, unsigned source);

/* "program-interruption name", class and so on are in number.h; names of states: */
const char *et_state_name(unsigned code);

#endif
