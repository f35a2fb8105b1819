/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a CPU and its CPU-measurement facilities. */
#ifndef ZRI_CPU_CONTROL_SAMPLE_H
#define ZRI_CPU_CONTROL_SAMPLE_H

#include "cpu/state/cpu.h"
#include "ri/counters/counters.h"

/* Cycles of the longest instruction: an execute-type one of six bytes whose target has six bytes. */
#define CPU_CYCLES_MOST 6

/* A sample of the sampling facility is due: store it. True when an alert is pending then. */
bool cpu_sample(struct cpu *cpu);

#endif
