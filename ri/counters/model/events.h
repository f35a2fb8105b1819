/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of events. Its numbers are those that programs see. */
#ifndef ZRI_RI_COUNTERS_MODEL_EVENTS_H
#define ZRI_RI_COUNTERS_MODEL_EVENTS_H

#include <stdint.h>

enum ec_event {
    EC_NONE,
#define EVENT(code, id, stage, pair, meaning) EC_##id = code,
#include "ri/counters/model/events.def"
#undef EVENT
    EC_NEV = 48 /* room for codes */
};
enum { EC_PAIRS = 22 };

struct ec_event_row {
    const char *name;    /* NULL: no event has this code */
    const char *stage;   /* see events.def */
    const char *meaning; /* for people */
    int8_t pair;         /* index of the pair, -1: none */
};
/* By code. */
extern const struct ec_event_row ec_events[EC_NEV];

/* Event of a pair, 0 to EC_PAIRS - 1. */
enum ec_event ec_pair_event(unsigned pair);
/* Event of that name, in either case; EC_NONE: there is none. */
enum ec_event ec_event_named(const char *name);
/* The events of the pair list, as a set: 1 << code. */
uint64_t ec_pair_set(void);

#endif
