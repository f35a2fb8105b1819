/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The newest bytes of exception trace, and what is decoded while they come. */
#include "emu/observe/exception_live.h"
#include "base/bits.h"
#include "ri/trace/wire.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KEPT (UINT32_C(1) << 20) /* bytes, chunk headers with them */

struct exception_live {
    pthread_mutex_t lock; /* streams may come from several host threads */
    uint8_t *ring;        /* whole chunks, the oldest first */
    uint32_t first, fill;
    struct et_machine *units;
    struct follower {
        struct et_decoder *decoder; /* NULL: nobody */
        exception_live_event *event;
        void *context;
    } follower[EXCEPTION_LIVE_FOLLOWERS];
};

/* ---- the ring ------------------------------------------------------------------------------------------------------
 */

static void put(struct exception_live *live, const uint8_t *bytes, uint32_t size)
{
    const uint32_t at = (live->first + live->fill) % KEPT, ahead = KEPT - at, part = size < ahead ? size : ahead;
    memcpy(live->ring + at, bytes, part);
    memcpy(live->ring, bytes + part, size - part);
    live->fill += size;
}

static void get(const struct exception_live *live, uint32_t offset, uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = live->ring[(live->first + offset + i) % KEPT];
}

static void drop_chunk(struct exception_live *live)
{
    uint8_t header[ET_CHUNK_HEADER];
    get(live, 0, header, sizeof header);
    const uint32_t size = ET_CHUNK_HEADER + get32(header + 4);
    live->first = (live->first + size) % KEPT;
    live->fill -= size;
}

static void chunk_header(uint8_t header[ET_CHUNK_HEADER], unsigned source, unsigned kind, size_t size)
{
    header[0] = 0x5a;
    header[1] = 0x43;
    header[2] = (uint8_t)source;
    header[3] = (uint8_t)kind;
    put32(header + 4, (uint32_t)size);
}

/* Whole events, by any thread. */
static void heard(void *context, struct et_cpu *cpu, bool timing, const uint8_t *bytes, size_t size)
{
    struct exception_live *live = context;
    uint8_t header[ET_CHUNK_HEADER];
    if (size > KEPT / 4)
        return; /* no event is so long */
    chunk_header(header, et_cpu_source(cpu), timing ? ET_CHUNK_TIMING : ET_CHUNK_EVENTS, size);
    pthread_mutex_lock(&live->lock);
    while (live->fill + sizeof header + size > KEPT)
        drop_chunk(live);
    put(live, header, sizeof header);
    put(live, bytes, (uint32_t)size);
    for (unsigned i = 0; i < EXCEPTION_LIVE_FOLLOWERS; i++) {
        struct follower *f = &live->follower[i];
        if (f->decoder &&
            (et_decoder_push(f->decoder, header, sizeof header) || et_decoder_push(f->decoder, bytes, size))) {
            et_decoder_free(f->decoder); /* no memory: he is told nothing any more */
            f->decoder = NULL;
        }
    }
    pthread_mutex_unlock(&live->lock);
}

/* ---- decoding -------------------------------------------------------------------------------------------------------
 */

static void no_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    (void)context;
    (void)diagnostic;
}

/* A decoder that has read the head of a container with as many sources as there may be. */
static struct et_decoder *decoder(exception_live_event *event, void *context)
{
    static const uint8_t head[ET_FILE_HEADER] = {'Z', 'E', 'T', 'C', 1, 0, 0, 0, 0, 0, 0, 65};
    const struct et_decoder_calls calls = {.context = context, .event = event, .diagnostic = no_diagnostic};
    const struct et_decoder_options options = {.strict = false};
    struct et_decoder *d = et_decoder_new(&calls, &options);
    if (d && et_decoder_push(d, head, sizeof head)) {
        et_decoder_free(d);
        return NULL;
    }
    return d;
}

static bool push_all(const struct exception_live *live, struct et_decoder *d)
{
    const uint32_t ahead = KEPT - live->first, part = live->fill < ahead ? live->fill : ahead;
    return !et_decoder_push(d, live->ring + live->first, part) && !et_decoder_push(d, live->ring, live->fill - part);
}

/* The streams go on: frames that the decoder closes at their end are none of them. */
struct recent {
    exception_live_event *event;
    void *context;
    bool ending;
};

static void recent_event(void *context, const struct et_event *event)
{
    const struct recent *recent = context;
    if (!recent->ending || !(event->flags & ET_E_IMPLIED))
        recent->event(recent->context, event);
}

bool exception_live_recent(struct exception_live *live, exception_live_event *event, void *context)
{
    struct recent recent = {event, context, false};
    pthread_mutex_lock(&live->lock);
    struct et_decoder *d = decoder(recent_event, &recent);
    const uint32_t ahead = KEPT - live->first, part = live->fill < ahead ? live->fill : ahead;
    const bool good =
        d && !et_decoder_push(d, live->ring + live->first, part) && !et_decoder_push(d, live->ring, live->fill - part);
    recent.ending = true;
    if (good)
        et_decoder_end(d);
    et_decoder_free(d);
    pthread_mutex_unlock(&live->lock);
    return good;
}

/* Nobody is told of what was before. */
static void untold(void *context, const struct et_event *event)
{
    (void)context;
    (void)event;
}

static void told(void *context, const struct et_event *event)
{
    const struct follower *f = context;
    f->event(f->context, event);
}

bool exception_live_follow(struct exception_live *live, enum exception_live_follower who, exception_live_event *event,
                           void *context)
{
    struct follower *f = &live->follower[who];
    pthread_mutex_lock(&live->lock);
    et_decoder_free(f->decoder);
    f->event = who == EXCEPTION_LIVE_VIEW && event ? event : untold;
    f->context = context;
    f->decoder = event ? decoder(told, f) : NULL;
    const bool good = !event || (f->decoder && push_all(live, f->decoder));
    f->event = event;
    pthread_mutex_unlock(&live->lock);
    return good;
}

bool exception_live_follows(const struct exception_live *live, enum exception_live_follower who, const void *context)
{
    return live->follower[who].decoder && live->follower[who].context == context;
}

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

struct exception_live *exception_live_create(struct et_machine *units)
{
    struct exception_live *live = calloc(1, sizeof *live);
    const struct et_listener listener = {.context = live, .put = heard};
    if (live)
        live->ring = malloc(KEPT);
    if (live && live->ring && !pthread_mutex_init(&live->lock, NULL)) {
        live->units = units;
        if (et_listen(units, &listener))
            return live;
        pthread_mutex_destroy(&live->lock);
    }
    if (live)
        free(live->ring);
    free(live);
    return NULL;
}

void exception_live_destroy(struct exception_live *live)
{
    if (!live)
        return;
    et_unlisten(live->units, live);
    for (unsigned i = 0; i < EXCEPTION_LIVE_FOLLOWERS; i++)
        et_decoder_free(live->follower[i].decoder);
    pthread_mutex_destroy(&live->lock);
    free(live->ring);
    free(live);
}
