/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access-register translation. PoP chapter 5, "Access-Register Mechanism". */
#ifndef ZRI_CPU_STORAGE_ART_H
#define ZRI_CPU_STORAGE_ART_H

#include "cpu/state/cpu.h"

/* The ASCE that an access register (`ar` 1-15; 0 is the primary space) designates; *fetch_only when the access-list
   entry allows no stores. Returns 0, an ALET, ALE, ASTE or authority exception, or addressing. Sets nothing in the
   CPU. */
int art_translate(struct cpu *cpu, unsigned ar, uint64_t *asce, bool *fetch_only) MUST_USE;

/* The real address of the ASTE that an ALET other than 0 and 1 designates; authority is not looked at. Returns 0, an
   ALET, ALE or ASTE exception, or addressing. Sets nothing in the CPU. */
int art_find_aste(const struct cpu *cpu, uint32_t alet, uint32_t *origin) MUST_USE;

#endif
