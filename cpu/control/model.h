/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a CPU on the reference engine and its pipeline model (ri/counters/model): what was carried out is told by
   value, and storage is looked at without any effect on the guest. While a CPU has a model it runs on the reference
   engine alone; without one nothing here is called. */
#ifndef ZRI_CPU_CONTROL_MODEL_H
#define ZRI_CPU_CONTROL_MODEL_H

#include "cpu/state/cpu.h"
#include "ri/counters/intervals.h"
#include "ri/counters/model/model.h"

/* Turn the model of a CPU on, cold, or off (`profile` NULL). 0, or -ENOMEM: then it is off. Between two instructions.
 */
int cpu_model_set(struct cpu *cpu, const struct ec_profile *profile) MUST_USE;
/* What a CPU with a model does with it. CPU_MODEL_RESTS: nothing; the CPU goes on as without one, the totals stand
   still, caches and predictor keep what they have. CPU_MODEL_WARMS: it is told what is carried out, but only caches,
   TLBs and predictor learn from that; nothing is counted, and nothing takes time. Between two instructions. */
enum cpu_model_use { CPU_MODEL_RUNS, CPU_MODEL_WARMS, CPU_MODEL_RESTS };
void cpu_model_use(struct cpu *cpu, enum cpu_model_use use);
/* Where what is counted is counted once more, by the address of the instruction; NULL: nowhere. Must live as long. */
struct ec_places;
void cpu_model_places(struct cpu *cpu, struct ec_places *places);

/* The model, NULL: it is off. */
struct ec_model *cpu_model(const struct cpu *cpu);

/* A snapshot of the totals every `cycles` of the model, 0: none any more. -ENOMEM: no host memory. The CPU has a model.
 */
int cpu_model_interval(struct cpu *cpu, uint64_t cycles) MUST_USE;
/* The snapshots, NULL: there are none. */
struct ec_intervals *cpu_model_intervals(const struct cpu *cpu);
/* Totals that displays begin from; zeros at first. */
struct ec_totals *cpu_model_origin(struct cpu *cpu);

/* All of it and what counters keep for it, for snapshots (struct ec_fields of ri/counters/model/state.h). The CPU has a
   model, when loading of the profile that was written. */
void cpu_model_fields(struct cpu *cpu, const struct ec_fields *fields);

/* An alert of the performance monitor is told, between two instructions and drained, with the instruction that raised
   it (NULL: none did). `told` NULL: nobody wants to know. The CPU has a model. */
void cpu_model_on_alert(struct cpu *cpu, void (*told)(void *context, struct cpu *cpu, const struct ec_raised *by),
                        void *context);

/* The reference engine: the instruction at cpu->insn_ia is fetched, *insn good until the next one is. 0 or the code of
   an exception. */
int cpu_model_fetch(struct cpu *cpu, const struct dis_insn **insn);
/* The reference engine: an instruction begins / has ended with `code` / could not be fetched. */
void cpu_model_begin(struct cpu *cpu, const struct dis_insn *insn);
void cpu_model_end(struct cpu *cpu, int code);
void cpu_model_no_fetch(struct cpu *cpu);
/* Do the clocks of a CPU with a model go by the model's cycles? */
bool cpu_model_timed(const struct cpu *cpu);
/* Cycles by which the clocks go on behind the instruction that has ended just now, which is `halfwords` long. */
unsigned cpu_model_time(struct cpu *cpu, unsigned halfwords);

/* A CPU with a model: an interruption is taken; the wait state is entered; a reset, `clear` when it clears registers;
   nothing may be in flight, because something is written that the model counts by. */
void cpu_model_interruption(struct cpu *cpu, enum cpu_class class);
void cpu_model_drain(struct cpu *cpu);
void cpu_model_reset(struct cpu *cpu, bool clear);

#endif
