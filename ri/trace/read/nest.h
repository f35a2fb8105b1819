/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level 4 of the decoder: raw events of all sources become events with depth, durations and latencies. */
#ifndef ZRI_RI_TRACE_READ_NEST_H
#define ZRI_RI_TRACE_READ_NEST_H

#include "ri/trace/read/decoder.h"

struct et_nest;

/* NULL: no memory. */
struct et_nest *et_nest_new(const struct et_decoder_calls *calls);
void et_nest_free(struct et_nest *nest);
/* In the order of each source; over all sources in the order of times where requests of one are answered in another. */
void et_nest_raw(struct et_nest *nest, const struct et_raw *raw);
/* No more comes: frames that are open end here. */
void et_nest_end(struct et_nest *nest);
/* How many it has told. */
uint64_t et_nest_diagnostics(const struct et_nest *nest);
/* A source could not be followed for want of memory. */
bool et_nest_starved(const struct et_nest *nest);

#endif
