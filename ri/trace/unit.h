/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace units inside: what unit.c (what happened), exit.c (bytes on their way out) and control.c (configuration) share.
 */
#ifndef ZRI_RI_TRACE_UNIT_H
#define ZRI_RI_TRACE_UNIT_H

#include "ri/trace/buffer.h"
#include "ri/trace/encode.h"
#include "ri/trace/guest.h"
#include "ri/trace/sink.h"
#include "ri/trace/tracker.h"
#include "ri/trace/wait.h"

enum { EVENT_STREAM, TIMING_STREAM, STREAMS };

struct et_cpu {
    struct et_machine *machine;
    unsigned source; /* on the wire */
    unsigned number; /* CPU that the host is asked about; 0 for floating requests */
    bool attention;  /* as the host was told */
    struct et_config config;
    struct et_tracker tracker;
    struct et_waits waits;
    struct et_encoder encoder;
    /* the exit */
    bool direct, wrap, stall; /* straight to the stage; overflow policy */
    bool stalled;
    uint64_t drain;      /* bytes per 1024 instructions; 0: no limit */
    uint64_t drained_at; /* instructions */
    uint64_t credit;     /* 1024 are a byte */
    struct et_buffer ring[STREAMS];
    struct et_stage stage[STREAMS];
    struct et_guest guest;
    bool heard; /* by listeners, since the last hook was through */
};

struct et_machine {
    struct et_host host;
    struct et_limits limits;
    unsigned cpus;
    struct et_sink sink;
    unsigned listeners;
    struct et_listener listener[ET_LISTENERS];
    pthread_mutex_t requests; /* the unit of floating requests is told by several threads */
    struct et_cpu *floating;  /* NULL: one CPU, which has them itself */
    struct et_cpu *cpu[64];
};

/* Present time of a unit's trace clock, unshifted. */
uint64_t et_now(const struct et_cpu *cpu);
/* Let the host look at the next boundary when, and only when, the tracker waits for it. */
void et_attention(struct et_cpu *cpu);
/* A hook is through: listeners may act. */
void et_heard(struct et_cpu *cpu);
/* Each unit of a machine in turn; NULL behind the last. */
struct et_cpu *et_machine_unit(const struct et_machine *machine, unsigned index);

/* exit.c */
bool et_exit_room(void *cpu, size_t events, size_t timing);
void et_exit_put(void *cpu, const uint8_t *events, size_t size, const uint8_t *timing, size_t timing_size);
/* Rings as the configuration wants them. NULL, or why that cannot be. */
const char *et_exit_configure(struct et_cpu *cpu, const struct et_config *config);
/* Everything to the sink, whatever the rate. */
void et_exit_flush(struct et_cpu *cpu);
/* What waits in the rings, from the first SYNC on, to another sink; it stays. */
void et_exit_copy(const struct et_cpu *cpu, struct et_sink *sink);

#endif
