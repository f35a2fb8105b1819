/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels 1 to 3 of the decoder for one input: raw events of all its sources, or of one of them. */
#ifndef ZRI_RI_TRACE_READ_CONTAINER_H
#define ZRI_RI_TRACE_READ_CONTAINER_H

#include "ri/trace/read/decoder.h"

struct et_front;

#define ET_ONLY_ALL       (-1)
#define ET_ONLY_CONTAINER (-2)

/* `only': ET_ONLY_ALL; a source: its streams alone; ET_ONLY_CONTAINER: all that is of no source's streams. What a front
   leaves out it neither tells nor counts. NULL: no memory. */
struct et_front *et_front_new(const struct et_front_calls *calls, const struct et_decoder_options *options, int only);
void et_front_free(struct et_front *front);
int et_front_push(struct et_front *front, const uint8_t *bytes, size_t size);
void et_front_end(struct et_front *front);
/* So many bytes in front of it do not interest it: they may be left out by et_front_pass(). */
uint64_t et_front_boring(const struct et_front *front);
void et_front_pass(struct et_front *front, uint64_t size);
/* Is there a stream of this source so far? NULL: no. */
const struct et_source *et_front_source(const struct et_front *front, unsigned source);
/* Adds to what is there already. */
void et_front_sums(const struct et_front *front, struct et_decoder_sums *sums);

#endif
