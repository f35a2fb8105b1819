/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of an exception trace, kept as its events are decoded: for each exception number, each class and all,
   counts and times; for each source accounts and time in NORMAL. What is kept does not grow with the trace. */
#ifndef ZRI_RI_TRACE_SHOW_STATISTICS_H
#define ZRI_RI_TRACE_SHOW_STATISTICS_H

#include "ri/trace/decode.h"
#include "ri/trace/read/visible.h"

#define ET_DEPTHS 65u  /* 0 to 63; the last is for all that are deeper */
#define ET_CHAINS 17u  /* 0 to 15; the last is for all that are longer */
#define ET_TASKS  128u /* more share the last */

/* Whose ENTRYs follow each other: numbers, then classes, then all. */
#define ET_ARRIVALS (ET_NUMBERS + ET_CLASSES + 1u)

/* Values in buckets, eight in each power of two: a percentile is right to one part in eight. */
#define ET_BUCKETS (62u * 8)
struct et_histogram {
    uint64_t buckets[ET_BUCKETS];
};
struct et_measure {
    uint64_t n, sum, least, most;   /* of what is known, or an upper bound */
    uint64_t upper;                 /* how many of these are upper bounds */
    uint64_t lower_n, lower_sum;    /* of lower bounds, which are not in n and sum */
    struct et_histogram *histogram; /* NULL: no value yet, or no memory */
};
/* The value that `percent' (1-100) of a hundred do not exceed; 0 without values. */
uint64_t et_measure_percentile(const struct et_measure *measure, unsigned percent);
/* Values from 2^power up to 2^(power+1); power 0 has 0, too. */
uint64_t et_measure_power(const struct et_measure *measure, unsigned power);

enum et_measured {
    ET_M_SELF,
    ET_M_GROSS,
    ET_M_LATENCY, /* from request to interruption */
    ET_M_START,   /* from a late start's interruption to its first unit of operation */
    ET_M_BACK,    /* from the reload to what is resumed; of the number that is resumed */
    ET_M_ARRIVAL, /* from one ENTRY of the number to the next in the same source */
    ET_MEASURES
};

struct et_row {
    uint64_t entries, exits, returns, signals, withdrawn;
    uint64_t chained, late, forced, cut;
    uint64_t begun;   /* frames whose ENTRY was not seen */
    uint64_t counted; /* by the CNT packets of the unit */
    uint64_t chain_most;
    struct et_measure measures[ET_MEASURES];
};

struct et_source_view {
    bool seen, ended, timed;
    struct et_config config;
    struct et_visible visible;
    uint64_t accounts[ET_END_NUMBERS]; /* of END */
    uint64_t events, segments, lost, states, marks;
    bool lost_unknown;
    uint64_t first, last; /* ticks */
    uint64_t unseen;      /* of the time between them: behind a loss, or output was off */
    uint64_t normal;      /* ticks in NORMAL */
    unsigned deepest;
    /* how it goes on */
    uint64_t since, exited; /* in NORMAL; of the last EXIT */
    bool in_normal, gap;    /* gap: something is missing behind the last event */
    int chainable;          /* number of the EXIT before, if nothing came behind it; -1: none */
    uint64_t arrived[ET_ARRIVALS];
    bool arrived_known[ET_ARRIVALS];
    struct et_open_task {
        uint64_t frame;
        unsigned asn;
    } open[ET_DEPTHS];
};

struct et_task {
    unsigned asn;
    bool used;
    uint64_t entries[ET_CLASSES], self[ET_CLASSES];
};

struct et_statistics {
    struct et_row rows[ET_NUMBERS], unnamed, classes[ET_CLASSES], all; /* unnamed: numbers that were omitted */
    struct et_source_view *sources[ET_SOURCE_MACHINE + 1];
    uint64_t depths[ET_DEPTHS], chains[ET_CHAINS]; /* ENTRYs that led to the depth; that so many links led to */
    struct et_task tasks[ET_TASKS];
    uint64_t diagnostics[ET_DIAGNOSTICS + 1], diagnosed;
    bool incomplete; /* something was lost or damaged: counts are lower bounds */
    unsigned sample; /* the greatest of all sources: one frame in so many */
    bool starved;    /* no memory for something */
};

/* NULL: no memory. */
struct et_statistics *et_statistics_new(void);
void et_statistics_free(struct et_statistics *statistics);
void et_statistics_event(struct et_statistics *statistics, const struct et_event *event);
void et_statistics_diagnostic(struct et_statistics *statistics, const struct et_diagnostic *diagnostic);
/* Handlers: entries with frames that began unseen, or what there is instead of them: exits, returns. */
uint64_t et_row_count(const struct et_row *row);
/* Time of all sources together that was seen, and that of it in NORMAL. */
uint64_t et_statistics_seen(const struct et_statistics *statistics, uint64_t *normal);
const char *et_measured_name(enum et_measured measured);

#endif
