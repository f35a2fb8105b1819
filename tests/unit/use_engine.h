/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CPU of a test on an engine; the translator translates at once. */
#ifndef TESTS_UNIT_USE_ENGINE_H
#define TESTS_UNIT_USE_ENGINE_H

#include "cpu/translate/translate.h"

/* Each `miss`-th storage access of translated code is taken to miss; 0: none. With some of these numbers all blocks are
   dropped again and again while RI is active, as few branches are told from each other. Where there is no translator
   the block engine is in its place. */
static inline void use_engine(struct cpu *cpu, enum engine_kind kind, unsigned miss)
{
    char why[256];
    const struct translate_force force = {.heat = 1,
                                          .miss = miss,
                                          .buffer = 1u << 20,
                                          .looks = miss % 4 == 2 ? 1 : 0,
                                          .wander = miss % 8 == 1 || miss % 8 == 4,
                                          .narrow = miss % 2,
                                          .all = true,
                                          .branches = miss % 4 == 3 ? 5 : 0};
    if (kind == ENGINE_TRANSLATE && translator_attach(cpu, &force, why, sizeof why))
        kind = ENGINE_BLOCK;
    cpu->engine_kind = (uint8_t)kind;
}

#endif
