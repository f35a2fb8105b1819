/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of the pipeline model by name or file. */
#ifndef ZRI_EMU_CONFIG_PIPELINE_H
#define ZRI_EMU_CONFIG_PIPELINE_H

#include "base/bits.h"
#include "ri/counters/model/profile.h"

/* The profile `name`: one built in, or the file of that name (which has a / or a dot). 0, or a negative errno with a
   sentence in error[size]. */
int emu_pipeline_find(const char *name, struct ec_profile *profile, char *error, size_t size) MUST_USE;

#endif
