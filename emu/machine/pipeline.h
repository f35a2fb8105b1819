/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline models of a machine's CPUs. */
#ifndef ZRI_EMU_MACHINE_PIPELINE_H
#define ZRI_EMU_MACHINE_PIPELINE_H

#include "emu/state/machine.h"

/* Turn the models of all CPUs on, cold, with that profile, or off (NULL). Between two instructions. 0, or a negative
   errno with a sentence in error[size]: then all are off. */
int machine_pipeline(struct machine *machine, const struct ec_profile *profile, char *error, size_t size) MUST_USE;

/* Write what passes through the pipelines of a machine whose models are on to `file` (with several CPUs to FILE.cpuN),
   in Kanata format, until they are turned off. 0, or a negative errno with a sentence in error[size]. */
int machine_pipeline_log(struct machine *machine, const char *file, char *error, size_t size) MUST_USE;

#endif
