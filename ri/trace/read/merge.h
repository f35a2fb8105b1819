/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several sources of a container in the order of their times. For each source a decoder of its own goes through the
   input, so that what has to be kept does not grow with it; the input is read at any place. */
#ifndef ZRI_RI_TRACE_READ_MERGE_H
#define ZRI_RI_TRACE_READ_MERGE_H

#include "ri/trace/decode.h"

struct et_input {
    void *context;
    /* Up to `size` bytes from `offset` on. Returns how many, 0 at the end, a negative errno. */
    long (*read)(void *context, uint64_t offset, uint8_t *bytes, size_t size);
};

struct et_sources {
    bool there[256];
    unsigned count;
    bool apart; /* a clock that each CPU has for itself: insn or cycle */
};

/* Which sources there are. 0, -ENOMEM, or the negative errno of a read. */
int et_sources_find(const struct et_input *input, const struct et_decoder_options *options, struct et_sources *sources);

/* Tell the events and diagnostics of these sources in the order of their times; at the same time the machine's come
   first, then those of the lower CPU address. Other chunks and what is wrong with the container are told as they stand.
   `sums` may be NULL. 0, -ENOMEM, or the negative errno of a read. */
int et_merge(const struct et_input *input, const struct et_decoder_options *options, const struct et_sources *sources,
             const struct et_decoder_calls *calls, struct et_decoder_sums *sums);

#endif
