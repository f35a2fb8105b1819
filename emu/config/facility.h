/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which machine brought which facility bit, and what a bit promises beyond instructions. */
#ifndef ZRI_EMU_CONFIG_FACILITY_H
#define ZRI_EMU_CONFIG_FACILITY_H

#include "base/bits.h"

/* Machines, in the order of their appearance. What is older than z10 counts as z10. */
/* CONFIGURATION is what no machine has by itself, but with adapters or under a hypervisor. */
enum emu_generation { GENERATION_NONE, Z10, Z196, ZEC12, Z13, Z14, Z15, Z16, CONFIGURATION };

enum emu_promise {
    PROMISE_INSTRUCTIONS, /* complete when every row of the instruction table with this bit has its body */
    PROMISE_KEPT,         /* no instructions of its own, or more than those; the machine does it */
    PROMISE_NOT_KEPT,     /* the machine lacks what `why` says */
};

struct emu_facility {
    uint8_t bit;
    uint8_t generation; /* the first machine with it, enum emu_generation */
    uint8_t promise;    /* enum emu_promise */
    uint8_t with;       /* shown only together with this bit; 0: none */
    const char *why;
};

/* The facility of a bit, or NULL when the table does not have it (reserved). Numbers from 240 on are those of
   facilities without a bit, see disasm/facilities.def. */
const struct emu_facility *emu_facility_of(unsigned bit);

/* Facility bits of the machines up to `generation`, complete or not. */
void emu_facilities_of_generation(unsigned generation, uint64_t bits[4]);

/* Facility bits that are complete in this program: every row of the instruction table has its body, and what the bit
   promises beyond that is there. */
void emu_facilities_complete(uint64_t bits[4]);

#endif
