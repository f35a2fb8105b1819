/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The container: file header and chunks of all sources into one sequence of bytes. */
#ifndef ZRI_RI_TRACE_SINK_H
#define ZRI_RI_TRACE_SINK_H

#include "ri/trace/wire.h"
#include <pthread.h>
#include <stdbool.h>

#define ET_STAGE_SIZE 8192u

/* What waits for its chunk: the header is written into the eight bytes in front. */
struct et_stage {
    uint8_t source, kind;
    size_t fill;
    uint8_t bytes[ET_CHUNK_HEADER + ET_STAGE_SIZE];
};

struct et_sink {
    int (*write)(void *context, const uint8_t *bytes, size_t size);
    void *context;
    pthread_mutex_t lock; /* chunks of several host threads come whole */
    uint32_t sources;
    bool present, headed; /* bytes may go out; the file header is out */
    int error;            /* negative errno of the first write that failed: nothing goes out after it */
};

/* False: no lock could be made. */
bool et_sink_init(struct et_sink *sink, int (*write)(void *, const uint8_t *, size_t), void *context, uint32_t sources);
void et_sink_free(struct et_sink *sink);
/* The file header, where it is not out: a container without a chunk has it too. */
void et_sink_head(struct et_sink *sink);
/* Bytes can go out. */
static inline bool et_sink_usable(const struct et_sink *sink) { return sink->present && !sink->error; }
/* Append; full stages go out as a chunk. */
void et_stage_put(struct et_stage *stage, struct et_sink *sink, const uint8_t *bytes, size_t size);
void et_stage_flush(struct et_stage *stage, struct et_sink *sink);
/* Header of a chunk whose `size` bytes come by et_sink_bytes() in pieces, with nothing else between. */
void et_sink_open(struct et_sink *sink, unsigned source, unsigned kind, size_t size);
void et_sink_bytes(struct et_sink *sink, const uint8_t *bytes, size_t size);
/* A chunk from elsewhere. Returns 0 or a negative errno. */
int et_sink_chunk(struct et_sink *sink, unsigned source, unsigned kind, const uint8_t *bytes, size_t size);

#endif
