/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoder of exception trace: select, merge, flag, compress, packets. Fed by a trace unit or by the downstream filter;
   where the bytes go is handed in. */
#ifndef ZRI_RI_TRACE_ENCODE_H
#define ZRI_RI_TRACE_ENCODE_H

#include "ri/trace/compress.h"
#include "ri/trace/select.h"

/* Where an encoder puts its bytes: the event stream, and the timing stream where there is one. What is put is one whole
   event (or SYNC with all that belongs to it), so it comes whole or not at all. */
struct et_way {
    void *context;
    bool (*room)(void *context, size_t events, size_t timing); /* asked before every put but that of END */
    void (*put)(void *context, const uint8_t *events, size_t size, const uint8_t *timing, size_t timing_size);
};

/* What SYNC and END tell of one stream. */
struct et_segment {
    uint64_t bytes, packets; /* since the end of the last SYNC */
    uint16_t crc;
};

struct et_encoder {
    struct et_way way;
    struct et_config config; /* as CFG tells it */
    struct et_selector selector;
    struct et_compress compress;
    struct et_nest nest;
    uint8_t source;
    bool on, full;         /* output; full stream (DS) */
    bool begun, owed;      /* SYNC number 1 is out; a SYNC has to come before anything else */
    bool omit, figure;     /* of the configuration */
    unsigned merge, shift; /* 0 with OMIT */
    enum et_tsm tsm;
    bool counts;          /* CNT in front of SYNC */
    uint64_t sync_period; /* bytes; 0: none */
    uint64_t timeout;     /* of a held EXIT, ticks; 0: none */
    uint64_t sequence;    /* SYNCs so far */
    uint64_t lost_untold; /* events since the last OVF */
    bool overflowed;      /* an event was lost (ETST bit 1) */
    struct et_segment events, timing;
    bool timing_begun;
    uint64_t time_base; /* shifted */
    uint64_t last_time; /* of the last event or SYNC that went out */
    uint64_t address_base[ET_ADDR_RETURN + 1];
    bool holding;
    struct et_occurrence held; /* an EXIT */
    uint64_t entry_number;     /* of the last ENTRY since the stream began, from 1 */
    uint64_t detected, filtered, emitted, lost;
    uint32_t entries[ET_NUMBERS]; /* since the last CNT */
};

/* Output off, reset values; `way' is copied. */
void et_encoder_init(struct et_encoder *e, unsigned source, const struct et_way *way);
/* Take over a configuration; nothing is put out. ETCR.DS makes it that of the full stream. */
void et_encoder_configure(struct et_encoder *e, const struct et_config *config);
/* Output on, beginning with SYNC; off, releasing what is held. */
void et_encoder_start(struct et_encoder *e, uint64_t time);
void et_encoder_stop(struct et_encoder *e);
/* An event. Events come in order whether or not output is on. */
void et_encoder_event(struct et_encoder *e, const struct et_occurrence *o);
/* Time passes without an event: a held EXIT may be too old, a loss may be over. */
void et_encoder_poll(struct et_encoder *e, uint64_t time);
/* Put out a held EXIT alone. */
void et_encoder_release(struct et_encoder *e);
/* SYNC now (after et_encoder_release()). */
void et_encoder_sync(struct et_encoder *e, uint64_t time);
/* Events that were lost elsewhere: a SYNC will follow. */
void et_encoder_lose(struct et_encoder *e, uint64_t events);
/* The end of the streams: END goes out even where there is no room. */
void et_encoder_end(struct et_encoder *e, uint64_t time);

#endif
