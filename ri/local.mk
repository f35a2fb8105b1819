# SPDX-License-Identifier: GPL-3.0-or-later
libzri_a_SOURCES += ri/ri.h ri/ri_inline.h ri/internal.h ri/records.def ri/controls.def ri/text.h ri/log.h \
	ri/ri.c ri/controls.c ri/report.c ri/text.c ri/log.c

# CPU-measurement facilities
libzri_a_SOURCES += ri/counters/counters.h ri/counters/internal.h ri/counters/counters.c ri/counters/sampling.c
