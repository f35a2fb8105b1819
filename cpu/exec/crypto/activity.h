/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor-activity instrumentation. */
#ifndef ZRI_CPU_EXEC_CRYPTO_ACTIVITY_H
#define ZRI_CPU_EXEC_CRYPTO_ACTIVITY_H

#include "cpu/state/cpu.h"
#include "disasm/dis.h"

/* An instruction of the message-security assist carried out the function whose code is in general register 0 (not the
   query function): one is added to that function's cryptography counter in storage, when these are on. Causes no
   interruption. */
void cpu_count_function(struct cpu *cpu, const struct dis_insn *i);

#endif
