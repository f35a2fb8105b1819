/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of facility bits: those of a machine, and those that are complete in this program. */
#ifndef ZRI_EMU_CONFIG_FACILITY_H
#define ZRI_EMU_CONFIG_FACILITY_H

#include "base/bits.h"
#include "disasm/facility.h"

/* Facility bits of the machines up to `generation` (enum dis_generation), complete or not. */
void emu_facilities_of_generation(unsigned generation, uint64_t bits[4]);

/* Facility bits that are complete in this program: every row of the instruction table has its body, and what the bit
   promises beyond that is there. */
void emu_facilities_complete(uint64_t bits[4]);

#endif
