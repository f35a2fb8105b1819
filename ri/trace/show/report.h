/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report is made from, whatever its form. */
#ifndef ZRI_RI_TRACE_SHOW_REPORT_H
#define ZRI_RI_TRACE_SHOW_REPORT_H

#include "ri/trace/show/output.h"
#include "ri/trace/show/statistics.h"

#define ET_REPORT_KEPT 20u /* diagnostics that are told with their words */

struct et_report {
    const struct et_output_setting *setting;
    const struct et_writer *writer;
    struct et_statistics *statistics;
    struct et_scale scale;
    struct et_decoder_sums sums;
    unsigned kept;
    char texts[ET_REPORT_KEPT][240];
};

/* For struct et_output. */
void *et_report_begin(const struct et_output_setting *setting);
void et_report_event(void *report, const struct et_event *event);
void et_report_diagnostic(void *report, const struct et_diagnostic *diagnostic);
bool et_report_starved(const void *report);
void et_report_free(struct et_report *report);

#endif
