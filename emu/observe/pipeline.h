/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline models of a machine's CPUs. */
#ifndef ZRI_EMU_MACHINE_PIPELINE_H
#define ZRI_EMU_MACHINE_PIPELINE_H

#include "emu/state/machine.h"

/* Turn the models of all CPUs on, cold, with that profile, or off (NULL). Between two instructions. 0, or a negative
   errno with a sentence in error[size]: then all are off. */
int machine_pipeline(struct machine *machine, const struct ec_profile *profile, char *error, size_t size) MUST_USE;

/* What an alert of the performance monitor does beside being recorded, on all CPUs: a set of these. */
enum {
    ALERT_CONSOLE = 1, /* a message to the operator */
    ALERT_STOP = 2,    /* the CPU stops behind the instruction */
    ALERT_EXT = 4      /* an external interruption is made pending */
};
void machine_alert_set(struct machine *machine, unsigned sinks);
unsigned machine_alert_sinks(const struct machine *machine);
/* Another sink, for those who profile: as cpu_model_on_alert(). */
struct ec_raised;
void machine_alert_callback(struct machine *machine,
                            void (*told)(void *context, struct cpu *cpu, const struct ec_raised *by), void *context);

/* The guest turns them on, with the profile they had (teach when they had none), or off. What hinders that is said. */
void machine_pipeline_turn(struct machine *machine, bool on);

/* Write what passes through the pipelines of a machine whose models are on to `file` (with several CPUs to FILE.cpuN),
   in that format (enum ec_log_format), until they are turned off or machine_pipeline_log_end(). `from`, `to`: executed
   instructions from now on, from 1; `to` 0: to the end. 0, or a negative errno with a sentence in error[size]. */
struct pipeline_wish {
    const char *file;
    uint8_t format;
    uint64_t from, to;
};
int machine_pipeline_log(struct machine *machine, const struct pipeline_wish *wish, char *error, size_t size) MUST_USE;
/* The log ends. False: none was written. */
bool machine_pipeline_log_end(struct machine *machine);
bool machine_pipeline_logged(const struct machine *machine);
/* Keep the latest instructions in the pipeline of every CPU for machine_pipeline_recent(), or no longer. 0, -EBUSY: a
   log is being written, or -ENOMEM. */
int machine_pipeline_keep(struct machine *machine, bool keep) MUST_USE;
struct ec_recent;
/* NULL: they are not kept. */
const struct ec_recent *machine_pipeline_recent(const struct machine *machine, const struct cpu *cpu);
/* The machine is somewhere else: of those that are kept none is left. */
void machine_pipeline_forget(struct machine *machine);

#endif
