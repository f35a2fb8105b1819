/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The translator: host code of the block engine's blocks. What it does not know is done by the block engine's handlers,
   from which code is entered and to which it is left at any instruction; the state that a guest can see, guest time
   included, is theirs at every place where anybody may look. */
#ifndef ZRI_CPU_TRANSLATE_TRANSLATE_H
#define ZRI_CPU_TRANSLATE_TRANSLATE_H

#include "cpu/translate/emit/about.h"

/* Give the CPU a translator: with engine_kind ENGINE_TRANSLATE its blocks are translated from now on. 0, or a negative
   errno and a sentence why blocks will be carried out by handlers: -ENOTSUP host or build, -EPERM and others no memory
   that code may run in. `force` may be NULL. */
int translator_attach(struct cpu *cpu, const struct translate_force *force, char *why, size_t size) MUST_USE;
/* Could it? The same sentences. */
int translator_possible(char *why, size_t size) MUST_USE;
/* NULL: nobody. The listener must outlive the CPU. */
void translator_listen(struct cpu *cpu, const struct translate_listener *listener);
/* NULL when the CPU has no translator. */
const struct translate_stats *translator_stats(const struct cpu *cpu);
/* Host address `pc` in generated code of this CPU: a sentence with block, instruction and PSW. False: it is not. */
bool translator_explain(const struct cpu *cpu, uintptr_t pc, char *text, size_t size);

#endif
