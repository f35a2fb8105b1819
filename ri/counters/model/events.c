/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of events, made from its table. */
#include "ri/counters/model/events.h"
#include <strings.h>

const struct ec_event_row ec_events[EC_NEV] = {
#define EVENT(code, id, stage, pair, meaning) [code] = {#id, stage, meaning, pair},
#include "ri/counters/model/events.def"
#undef EVENT
    [0] = {.pair = -1},
};

enum ec_event ec_pair_event(unsigned pair)
{
    for (unsigned e = 1; e < EC_NEV; e++)
        if (ec_events[e].name && ec_events[e].pair == (int)pair)
            return (enum ec_event)e;
    return EC_NONE;
}

enum ec_event ec_event_named(const char *name)
{
    for (unsigned e = 1; e < EC_NEV; e++)
        if (ec_events[e].name && strcasecmp(ec_events[e].name, name) == 0)
            return (enum ec_event)e;
    return EC_NONE;
}

uint64_t ec_pair_set(void)
{
    uint64_t set = 0;
    for (unsigned e = 1; e < EC_NEV; e++)
        if (ec_events[e].name && ec_events[e].pair >= 0)
            set |= UINT64_C(1) << e;
    return set;
}
