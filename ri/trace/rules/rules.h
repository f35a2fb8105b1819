/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On-line analyser of exception trace: rules that look at what the units put out, by the decoder that reads files, and
   act on the machine. A rule is a line

       rule NAME: when WHAT OP VALUE [per N ticks] do ACTION [; ACTION ...]

   WHAT: rate(OF), count(OF) of interruptions; latency(OF) from signal to entry; gross(OF) time of a handler; depth of
   nesting; lost events. OF: a number (0x10a), a class (svc, program, external, io, ...) or all. OP: > >= < <= = !=.
   ACTION: set KEY=VALUE ..., mark N, alert, mode NAME, stop. */
#ifndef ZRI_RI_TRACE_RULES_RULES_H
#define ZRI_RI_TRACE_RULES_RULES_H

#include "ri/trace/trace.h"

#define ET_RULES_MAX 64u /* of a machine */

struct et_rules;

/* NULL: no memory. */
struct et_rules *et_rules_new(void);
/* It no longer looks at the machine's units. */
void et_rules_free(struct et_rules *rules);
/* Read a line; one that begins with `do' ends the rule of the line before. Empty lines and comments (#) are nothing.
   NULL, or a sentence in `why` (of `size` bytes), which is returned then. */
const char *et_rules_line(struct et_rules *rules, const char *line, char *why, size_t size);
/* Look at the units of `machine` from now on; all rules have to be there. The same; without rules nothing happens. */
const char *et_rules_attach(struct et_rules *rules, struct et_machine *machine, char *why, size_t size);

struct et_rule_view {
    const char *name, *text; /* as it was written */
    uint64_t fired;          /* on all CPUs */
    const char *refused;     /* why its last action was not carried out, NULL: it was */
};
/* Rules in their order; false: there are no more. */
bool et_rules_view(const struct et_rules *rules, unsigned index, struct et_rule_view *view);

#endif
