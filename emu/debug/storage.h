/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage as a debugger sees and changes it, without any effect on the machine but the change. */
#ifndef ZRI_EMU_DEBUG_STORAGE_H
#define ZRI_EMU_DEBUG_STORAGE_H

#include "cpu/storage/access.h"

/* Bytes at an address of a space of this CPU; how many could be had, from the first on. */
size_t debug_fetch(struct cpu *cpu, enum cpu_space space, uint64_t address, void *to, size_t length);
/* Store them all, or none: false, something of it is not in storage. Decoded code and translations follow. */
bool debug_store(struct cpu *cpu, enum cpu_space space, uint64_t address, const void *from, size_t length);

#endif
