/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events a configuration lets into the stream: what a decoder can rebuild follows from that. */
#ifndef ZRI_RI_TRACE_READ_VISIBLE_H
#define ZRI_RI_TRACE_READ_VISIBLE_H

#include "ri/trace/config.h"

struct et_visible {
    bool entry, exit, back; /* kinds of event; back: RETURN */
    bool numbers;           /* they are not left out */
    bool all;               /* every frame: no selection by number, class, state or sample */
    bool normal;            /* RETURN to NORMAL */
    bool nests;             /* open frames can be followed */
    unsigned sample;        /* one frame in so many; 1: every one */
};

/* What a stream with this configuration shows. */
void et_visible(const struct et_config *config, struct et_visible *visible);
/* May events of this exception number come? */
bool et_visible_number(const struct et_config *config, unsigned en);

/* What the stream admits, in words: "order, counts, nesting, ...". */
const char *et_visible_words(const struct et_visible *visible);

#endif
