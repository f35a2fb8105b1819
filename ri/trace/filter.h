/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Downstream filter of exception trace: a full stream (ETCR.DS) goes in, and what a unit with this configuration would
   have put out comes out, byte by byte the same. */
#ifndef ZRI_RI_TRACE_FILTER_H
#define ZRI_RI_TRACE_FILTER_H

#include "ri/trace/config.h"

struct et_filter;

/* `config` is the configuration of what comes out: nothing with ETCR.ENABLE and ALWAYS zero. ETBF.SYNCPER has to be
   that of the full stream, and ETTS.CLK, which is looked at. `write` returns 0 or a negative errno. NULL: no memory. */
struct et_filter *et_filter_new(const struct et_config *config,
                                int (*write)(void *context, const uint8_t *bytes, size_t size), void *context);
void et_filter_free(struct et_filter *filter);
/* The next bytes of a container, or of a bare event stream; the output is of the same kind, and other chunks go through
   as they are. Returns 0, a negative errno of `write`, -ENOMEM, or -EINVAL: et_filter_error() says why. */
int et_filter_push(struct et_filter *filter, const uint8_t *bytes, size_t size);
/* The input is at its end. Streams without END go out without END. */
int et_filter_end(struct et_filter *filter);
/* The sentence behind -EINVAL, with the offset in the source's stream; NULL: all is well. */
const char *et_filter_error(const struct et_filter *filter);

#endif
