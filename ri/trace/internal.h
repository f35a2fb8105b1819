/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace inside: the one form in which tracker, unit, encoder and downstream filter hand each other what
   happened. */
#ifndef ZRI_RI_TRACE_INTERNAL_H
#define ZRI_RI_TRACE_INTERNAL_H

#include "ri/trace/trace.h"
#include "ri/trace/wire.h"

enum et_what {
    ET_W_ENTRY = ET_FN_ENTRY,
    ET_W_EXIT = ET_FN_EXIT,
    ET_W_RETURN = ET_FN_RETURN,
    ET_W_SIGNAL,
    ET_W_STATE,
    ET_W_MARK
};

struct et_occurrence {
    enum et_what what;
    bool tc, la, frc; /* tail-chained, late arrival, forced by the tracker */
    bool withdrawn;   /* SIGNAL */
    bool problem;     /* ENTRY: the old PSW is of problem state */
    uint16_t en;
    uint8_t addresses; /* a bit (1 << enum et_address_kind) for each of address[] that is known */
    uint8_t depth;     /* open frames after the event */
    uint64_t time;     /* trace clock, unshifted */
    uint64_t value;    /* STATE: code; MARK: value */
    uint64_t address[ET_ADDR_RETURN + 1];
    const struct et_info *info; /* ENTRY, SIGNAL; NULL: nothing is known */
};

#endif
