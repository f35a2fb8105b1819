/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled use of the pipeline model: the guest runs on the engine that it has, and the model of all CPUs is on for
   intervals. In between it rests: caches, TLBs and predictor keep what they have, and nothing is counted. In front of
   an interval that is measured they may be warmed, and the pipeline may be filled; neither is counted as measured. */
#ifndef ZRI_EMU_PIPELINE_MEASURE_H
#define ZRI_EMU_PIPELINE_MEASURE_H

#include "emu/state/machine.h"
#include "ri/counters/places.h"

/* Where an interval begins: at an instruction, counted over all CPUs from 1 where the plan begins; when a CPU comes to
   an address; when the guest says so by DIAGNOSE X'1F8', subcode 7. */
enum measure_at { MEASURE_AT_INSTRUCTION, MEASURE_AT_ADDRESS, MEASURE_AT_MARK };

struct measure_plan {
    uint8_t kind;    /* enum measure_at */
    uint64_t at;     /* instruction or address */
    uint64_t warm;   /* instructions that warm, */
    uint64_t lead;   /* and that fill the pipeline. In front of an instruction, or behind an address or a mark */
    uint64_t length; /* instructions that are measured; 0: until the end, or the guest's mark */
    uint64_t every;  /* from the beginning of one to that of the next; 0: one, or at each arrival there */
    uint64_t count;  /* at most so many intervals; 0: any number */
};

enum { MEASURE_KEPT = 1024 };
struct measure_interval {
    uint64_t from;         /* instructions of all CPUs in front of it, since the plan begins */
    uint64_t instructions; /* completed in it, and their cycles */
    uint64_t cycles;
    uint64_t mispredictions;
};

/* What was measured. */
struct measure_result {
    bool measuring;          /* right now: what there is of this interval is in the sums */
    uint64_t intervals;      /* that are complete */
    uint64_t passed;         /* instructions of all CPUs since the plan began, by whatever engine */
    struct ec_totals totals; /* of the intervals */
    double mean, half;       /* cycles for each instruction: mean of complete intervals, and half of the 95 % interval
                                of confidence (0 with fewer than two) */
    const struct measure_interval *kept; /* the latest, `kept_count` of them, that is at most MEASURE_KEPT; the oldest
                                            is at intervals % MEASURE_KEPT when there are more */
    unsigned kept_count;
};

/* Measure by a plan from now on, with the models that are on; they rest until then. 0, or a negative errno with a
   sentence: the model is off, the CPUs have threads, the plan is not possible. */
int machine_measure(struct machine *machine, const struct measure_plan *plan, char *error, size_t size) MUST_USE;
/* No plan any more: the models run. False: there was none. */
bool machine_measure_end(struct machine *machine);
/* False: there is no plan. */
bool machine_measured(struct machine *machine, struct measure_result *result);
const struct measure_plan *machine_measure_plan(const struct machine *machine);

/* What is counted while the models run, by place (of an interval: while it is measured); `count` 0 and `place` NULL: no
   longer. 0, or -ENOMEM: then it is not. */
int machine_places(struct machine *machine, const struct ec_place *place, unsigned count,
                   enum ec_place_state wanted) MUST_USE;
/* Of a CPU, up to now; NULL: nothing is counted by place. */
const struct ec_places *machine_places_of(struct machine *machine, const struct cpu *cpu);

/* ---- for those that run the machine ---------------------------------------------------------------------------- */

/* Between two slices: what is due is done. Returns instructions of all CPUs until something is due; UINT64_MAX. */
uint64_t measure_until(struct machine *machine);
/* `cpu` stands at a breakpoint: was it one of the plan alone? */
bool measure_came(struct machine *machine, const struct cpu *cpu);
/* The guest's mark. False: there is no plan that has marks. */
bool measure_mark(struct machine *machine, bool on);
/* The models are turned off: plan and places go. */
void measure_forget(struct machine *machine);

#endif
