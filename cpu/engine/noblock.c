/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Until the block engine is in the tree: its interface on the reference engine. To be removed with block.c. */
#include "cpu/engine/internal.h"

void block_run(struct cpu *cpu, bool first, bool *at_break) { reference_run(cpu, first, at_break); }
void block_destroy(struct block_cache *blocks) { (void)blocks; }
void block_purge(struct block_cache *blocks) { (void)blocks; }
void block_code_changed(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    (void)cpu;
    (void)absolute;
    (void)length;
}
