/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The container (specification 3.6). */
#include "ri/trace/sink.h"
#include "base/bits.h"

bool et_sink_init(struct et_sink *sink, int (*write)(void *, const uint8_t *, size_t), void *context, uint32_t sources)
{
    *sink = (struct et_sink){.write = write, .context = context, .sources = sources, .present = write != NULL};
    return !pthread_mutex_init(&sink->lock, NULL);
}

void et_sink_free(struct et_sink *sink) { pthread_mutex_destroy(&sink->lock); }

/* With the lock, where several threads write. */
static void out(struct et_sink *sink, const uint8_t *bytes, size_t size)
{
    if (et_sink_usable(sink) && size)
        sink->error = sink->write(sink->context, bytes, size);
}

static void head(struct et_sink *sink)
{
    uint8_t header[ET_FILE_HEADER] = {'Z', 'E', 'T', 'C', 1};
    if (sink->headed)
        return;
    sink->headed = true;
    put32(header + 8, sink->sources);
    out(sink, header, sizeof header);
}

static void chunk_header(uint8_t bytes[ET_CHUNK_HEADER], unsigned source, unsigned kind, size_t size)
{
    bytes[0] = 0x5a;
    bytes[1] = 0x43;
    bytes[2] = (uint8_t)source;
    bytes[3] = (uint8_t)kind;
    put32(bytes + 4, (uint32_t)size);
}

void et_stage_flush(struct et_stage *stage, struct et_sink *sink)
{
    if (!stage->fill)
        return;
    chunk_header(stage->bytes, stage->source, stage->kind, stage->fill);
    pthread_mutex_lock(&sink->lock);
    head(sink);
    out(sink, stage->bytes, ET_CHUNK_HEADER + stage->fill);
    pthread_mutex_unlock(&sink->lock);
    stage->fill = 0;
}

void et_stage_put(struct et_stage *stage, struct et_sink *sink, const uint8_t *bytes, size_t size)
{
    while (size) {
        if (stage->fill == ET_STAGE_SIZE)
            et_stage_flush(stage, sink);
        const size_t left = ET_STAGE_SIZE - stage->fill, now = size < left ? size : left;
        memcpy(stage->bytes + ET_CHUNK_HEADER + stage->fill, bytes, now);
        stage->fill += now;
        bytes += now;
        size -= now;
    }
}

void et_sink_head(struct et_sink *sink)
{
    pthread_mutex_lock(&sink->lock);
    head(sink);
    pthread_mutex_unlock(&sink->lock);
}

void et_sink_open(struct et_sink *sink, unsigned source, unsigned kind, size_t size)
{
    uint8_t header[ET_CHUNK_HEADER];
    chunk_header(header, source, kind, size);
    head(sink);
    out(sink, header, sizeof header);
}

void et_sink_bytes(struct et_sink *sink, const uint8_t *bytes, size_t size) { out(sink, bytes, size); }

int et_sink_chunk(struct et_sink *sink, unsigned source, unsigned kind, const uint8_t *bytes, size_t size)
{
    pthread_mutex_lock(&sink->lock);
    et_sink_open(sink, source, kind, size);
    out(sink, bytes, size);
    pthread_mutex_unlock(&sink->lock);
    return sink->error;
}
