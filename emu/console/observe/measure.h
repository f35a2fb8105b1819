/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipeline model has counted, for the report. */
#ifndef ZRI_EMU_CONSOLE_OBSERVE_MEASURE_H
#define ZRI_EMU_CONSOLE_OBSERVE_MEASURE_H

#include <stdio.h>

struct console;

/* Totals of each CPU, of what was sampled, and by place, as CSV: a line for each count that is not zero. The models are
   on. */
void console_report_csv(struct console *c, FILE *f);

#endif
