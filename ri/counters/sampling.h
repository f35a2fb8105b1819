/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampling facility. */
#ifndef ZRI_RI_COUNTERS_SAMPLING_H
#define ZRI_RI_COUNTERS_SAMPLING_H

#include "ri/counters/counters.h"

/* QUERY SAMPLING INFORMATION. */
void sampling_query(const struct counters *counters, uint8_t block[COUNTERS_BLOCK]);
/* LOAD SAMPLING CONTROLS: is this block a specification exception? If not, load it. A countdown goes on when the
   facility was enabled all the time and the interval stays the same: programs make it inactive and active again at
   each change of tasks. */
bool sampling_control_invalid(const uint8_t block[COUNTERS_BLOCK]);
void sampling_control(struct counters *counters, const uint8_t block[COUNTERS_BLOCK]);

/* Accessors to absolute storage. Each returns false when it is not there, and does nothing then. All ranges are within
   an aligned 4K-byte block; `exchange` is interlocked on an aligned doubleword and tells in *old what was there. */
struct sampling_storage {
    void *context;
    bool (*fetch)(void *context, uint64_t address, uint64_t *value);
    bool (*store)(void *context, uint64_t address, const uint8_t *from, unsigned length);
    bool (*exchange)(void *context, uint64_t address, uint64_t *old, uint64_t value);
};

/* What a sample says about the CPU. */
struct sampling_state {
    uint64_t ia; /* of the instruction to be executed next */
    uint64_t program_parameter;
    uint16_t primary_asn;
    uint8_t space; /* PSW bits 16-17 */
    bool dat, wait, problem;
    uint8_t clock[16]; /* as STORE CLOCK EXTENDED stores it */
};
/* A sample is due: store its data, or count it as lost. */
void sampling_take(struct counters *counters, const struct sampling_state *state,
                   const struct sampling_storage *storage);

#endif
