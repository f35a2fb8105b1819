/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracker of exception trace: makes ENTRY, EXIT and RETURN from PSW swaps, PSW reloads and boundaries, and keeps frames
   and exact counters, whether or not anything is put out. */
#ifndef ZRI_RI_TRACE_TRACKER_H
#define ZRI_RI_TRACE_TRACKER_H

#include "ri/trace/internal.h"

#define ET_FRAMES 64u

/* An interruption that has not been returned from. */
struct et_frame {
    uint16_t en, resume; /* number; what it interrupted: EN or 0 */
    bool left;           /* its EXIT has been told, but not its end: open-frame table (CTX) only */
    struct et_psw old;
    uint64_t since, inner;   /* clock at ENTRY; gross time of those directly inside */
    uint64_t serial, parent; /* numbers of frames, from 1; 0: none */
};

enum et_pending { ET_PEND_NONE, ET_PEND_START, ET_PEND_RETURN };

struct et_tracker {
    void (*tell)(void *context, const struct et_occurrence *occurrence);
    void *context;
    /* rules, from the configuration */
    uint64_t match;
    unsigned retm;
    bool ctx, near, tpi;
    /* frames, oldest first */
    unsigned depth;
    uint16_t current; /* EN of the handler that runs, 0: none */
    uint64_t running; /* serial of its frame */
    uint64_t serial;  /* of the newest frame ever */
    struct et_frame frame[ET_FRAMES];
    /* What the next boundary will tell: EXITs of one reload (bit 15: forced), then RETURN. */
    enum et_pending pend;
    bool return_forced;
    uint16_t resume;
    uint64_t resume_running, reload_time;
    unsigned exits;
    uint16_t exit[ET_FRAMES];
    uint64_t reloads_in_normal, reloads_in_handler;
    struct et_count count[ET_NUMBERS];
};

/* `tell` hears of events in the order of the stream. */
void et_tracker_init(struct et_tracker *t, void (*tell)(void *, const struct et_occurrence *), void *context);
/* Take over ETCR.CTX, RETM, NEAR, TPI and ETPM. */
void et_tracker_rules(struct et_tracker *t, const struct et_config *config);
/* The clock is another one, or was set: times of open frames begin anew. */
void et_tracker_clock(struct et_tracker *t, uint64_t now);

/* `pend` says afterwards whether the next boundary has to be looked at. */
void et_tracker_entry(struct et_tracker *t, unsigned en, struct et_psw old, struct et_psw new_psw,
                      const struct et_info *info, uint64_t now);
void et_tracker_reload(struct et_tracker *t, enum et_insn insn, struct et_psw loaded, uint64_t now);
void et_tracker_boundary(struct et_tracker *t, const struct et_psw *next, uint64_t now);
void et_tracker_tpi(struct et_tracker *t, unsigned isc, uint32_t ssid, uint64_t now);
/* The run is over, or stops: EXITs that wait for the boundary are told. */
void et_tracker_stop(struct et_tracker *t);
void et_tracker_state(struct et_tracker *t, unsigned code, uint64_t now);

#endif
