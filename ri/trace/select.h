/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection in exception trace: which events a configuration lets through, and what has to be remembered of open
   interruptions for it. */
#ifndef ZRI_RI_TRACE_SELECT_H
#define ZRI_RI_TRACE_SELECT_H

#include "ri/trace/internal.h"

/* A configuration's selectors, ready to be asked. */
struct et_selector {
    uint64_t numbers[ET_NUMBERS / 64]; /* bit EN % 64: all that depends on the number alone */
    bool kinds[ET_FN_RETURN + 1], signal, state, problem, supervisor;
    unsigned sample; /* one frame in so many; 1: each */
};
void et_selector_make(struct et_selector *s, const struct et_config *config);
static inline bool et_selector_number(const struct et_selector *s, unsigned en)
{
    return s->numbers[en / 64] >> en % 64 & 1;
}

/* The greatest field value of a number that RED can carry, and the number for field 0. */
bool et_reduced(const struct et_config *config, unsigned en, unsigned *field);

#define ET_OPEN_MAX 64u

/* An open interruption as the events of the stream tell it. */
struct et_open {
    uint16_t en;
    bool problem, sampled;
};

/* Open interruptions by the rules that a decoder follows: SYNC tells them, and EXIT and RETURN are selected by the
   entry they belong to. Where tasks are switched (CTX=1) this differs from the tracker's table, which knows more than a
   stream can tell. */
struct et_nest {
    unsigned depth;
    struct et_open open[ET_OPEN_MAX]; /* oldest first */
    struct et_open left;              /* the one of the last EXIT: a RETURN belongs to it */
    uint16_t current;
    bool to_problem; /* RETM=1 without a table: one forced EXIT ends all that are open */
    bool exited;     /* an EXIT was the last of ENTRY, EXIT, RETURN */
    bool ended;      /* and stood for all: what comes next finds none open */
};
/* The frame that an EXIT of `en` is about; zeros when it is not known. */
struct et_open et_nest_find(const struct et_nest *nest, unsigned en);
/* What a SYNC has told: the innermost `known` of `depth` open interruptions, innermost first. */
void et_nest_set(struct et_nest *nest, unsigned current, unsigned depth, const uint16_t *en, unsigned known);
/* Take the event over. `entered`: of an ENTRY. */
void et_nest_follow(struct et_nest *nest, const struct et_occurrence *o, struct et_open entered);

#endif
