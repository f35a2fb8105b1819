/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Downstream filter: the container in and out; a reader and an encoder for each source. */
#include "ri/trace/filter.h"
#include "base/bits.h"
#include "ri/trace/full.h"
#include "ri/trace/sink.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SOURCES 256u

struct source {
    struct et_filter *filter;
    struct et_full full;
    struct et_stage events, timing;
};

enum form { UNKNOWN, CONTAINER, BARE };

struct et_filter {
    struct et_config config;
    struct et_sink sink;
    enum form form;
    int error;
    char text[160];
    /* header of file or chunk that is being collected; then the chunk's payload */
    uint8_t header[ET_FILE_HEADER];
    size_t have;
    uint64_t left;
    unsigned chunk_source, chunk_kind;
    struct source *source[SOURCES];
};

struct et_filter *et_filter_new(const struct et_config *config,
                                int (*write)(void *context, const uint8_t *bytes, size_t size), void *context)
{
    struct et_filter *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->config = *config;
    if (et_sink_init(&f->sink, write, context, 0))
        return f;
    free(f);
    return NULL;
}

void et_filter_free(struct et_filter *filter)
{
    if (!filter)
        return;
    for (unsigned i = 0; i < SOURCES; i++)
        free(filter->source[i]);
    et_sink_free(&filter->sink);
    free(filter);
}

const char *et_filter_error(const struct et_filter *filter) { return *filter->text ? filter->text : NULL; }

static bool room(void *context, size_t events, size_t timing)
{
    (void)context;
    (void)events;
    (void)timing;
    return true;
}

static void put(void *context, const uint8_t *events, size_t size, const uint8_t *timing, size_t timing_size)
{
    struct source *s = context;
    struct et_sink *sink = &s->filter->sink;
    if (s->filter->form == CONTAINER) {
        et_stage_put(&s->events, sink, events, size);
        et_stage_put(&s->timing, sink, timing, timing_size);
    } else if (!sink->error) {
        sink->error = sink->write(sink->context, events, size);
    }
}

static struct source *source_of(struct et_filter *f, unsigned number)
{
    struct source *s = f->source[number];
    if (s || !(s = calloc(1, sizeof *s)))
        return s;
    const struct et_way way = {s, room, put};
    s->filter = f;
    s->events.source = s->timing.source = (uint8_t)number;
    s->events.kind = ET_CHUNK_EVENTS;
    s->timing.kind = ET_CHUNK_TIMING;
    et_full_init(&s->full, &f->config, &way);
    return f->source[number] = s;
}

static void fail(struct et_filter *f, const char *what, unsigned source, uint64_t offset)
{
    f->error = -EINVAL;
    snprintf(f->text, sizeof f->text, "%s, source %u, byte %" PRIu64, what, source, offset);
}

static void stream(struct et_filter *f, unsigned number, const uint8_t *bytes, size_t size)
{
    struct source *s = source_of(f, number);
    if (!s)
        f->error = -ENOMEM;
    else if (!et_full_push(&s->full, bytes, size))
        fail(f, s->full.wrong, number, s->full.offset);
}

/* A piece of a chunk's payload. Chunks of other kinds go through. */
static void payload(struct et_filter *f, const uint8_t *bytes, size_t size)
{
    if (f->chunk_kind == ET_CHUNK_EVENTS)
        stream(f, f->chunk_source, bytes, size);
    else if (f->chunk_kind != ET_CHUNK_TIMING)
        et_sink_bytes(&f->sink, bytes, size);
}

static void header(struct et_filter *f)
{
    f->have = 0;
    if (f->form == UNKNOWN) {
        f->form = CONTAINER;
        f->sink.sources = get32(f->header + 8);
        if (memcmp(f->header, "ZETC\1", 5) != 0)
            fail(f, "this is no container of exception trace", 0, 0);
        return;
    }
    if (get16(f->header) != ET_CHUNK_MAGIC) {
        fail(f, "no chunk begins here", f->chunk_source, 0);
        return;
    }
    f->chunk_source = f->header[2];
    f->chunk_kind = f->header[3];
    f->left = get32(f->header + 4);
    if (f->chunk_kind != ET_CHUNK_EVENTS && f->chunk_kind != ET_CHUNK_TIMING)
        et_sink_open(&f->sink, f->chunk_source, f->chunk_kind, f->left);
}

static void bare(struct et_filter *f)
{
    f->form = BARE;
    if (ET_GET(&f->config, ETTS, TSM) == ET_TSM_SEPARATE)
        fail(f, "a bare stream cannot have timestamps=separate", 0, 0);
}

int et_filter_push(struct et_filter *f, const uint8_t *bytes, size_t size)
{
    if (size && f->form == UNKNOWN && !f->have && *bytes != 'Z')
        bare(f);
    while (size && !f->error && !f->sink.error) {
        if (f->form == BARE) {
            stream(f, 0, bytes, size);
            break;
        }
        if (f->left) {
            const size_t now = size < f->left ? size : (size_t)f->left;
            payload(f, bytes, now);
            f->left -= now;
            bytes += now;
            size -= now;
            continue;
        }
        f->header[f->have++] = *bytes++;
        size--;
        if (f->have == (f->form == UNKNOWN ? ET_FILE_HEADER : ET_CHUNK_HEADER))
            header(f);
    }
    return f->error ? f->error : f->sink.error;
}

int et_filter_end(struct et_filter *f)
{
    for (unsigned i = 0; i < SOURCES; i++) {
        struct source *s = f->source[i];
        if (!s)
            continue;
        if (!s->full.ended)
            et_encoder_release(&s->full.encoder);
        et_stage_flush(&s->events, &f->sink);
        et_stage_flush(&s->timing, &f->sink);
    }
    if (f->form == CONTAINER)
        et_sink_head(&f->sink);
    return f->error ? f->error : f->sink.error;
}
