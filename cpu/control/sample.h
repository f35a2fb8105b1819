/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a CPU and its CPU-measurement facilities. */
#ifndef ZRI_CPU_CONTROL_SAMPLE_H
#define ZRI_CPU_CONTROL_SAMPLE_H

#include "cpu/state/cpu.h"
#include "ri/counters/counters.h"

/* A sample of the sampling facility is due: store it. True when an alert is pending then. */
bool cpu_sample(struct cpu *cpu);

#endif
