/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level 1: the chunks of a container, or a bare stream, become the streams of sources. */
#include "ri/trace/read/container.h"
#include "base/bits.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum front_state {
    FRONT_HEAD,   /* what is it? */
    FRONT_BARE,   /* a stream without a container */
    FRONT_CHUNK,  /* the head of a chunk */
    FRONT_INSIDE, /* a chunk's bytes */
    FRONT_LOST    /* looking for the head of a chunk */
};

struct et_front {
    struct et_front_calls calls;
    struct et_decoder_options options;
    struct et_config assume;
    int only;
    enum front_state state;
    uint8_t head[ET_FILE_HEADER + 2];
    size_t have;
    uint64_t offset; /* of the next byte */
    uint64_t skip;   /* FRONT_LOST: bytes before those in head[] */
    uint64_t named;  /* sources in the head of the file; UINT64_MAX: not known */
    unsigned source, kind;
    uint64_t left; /* bytes of the chunk */
    bool fresh;    /* none of them has come */
    struct et_source *sources[ET_SOURCES];
    bool strange[ET_SOURCES]; /* D11 was told */
    uint64_t packets, reported, diagnostics;
};

static const uint8_t file_magic[] = {'Z', 'E', 'T', 'C'}, chunk_magic[] = {0x5a, 0x43};

struct et_front *et_front_new(const struct et_front_calls *calls, const struct et_decoder_options *options, int only)
{
    struct et_front *front = calloc(1, sizeof *front);
    if (!front)
        return NULL;
    front->calls = *calls;
    if (options)
        front->options = *options;
    if (front->options.assume) {
        front->assume = *front->options.assume;
        front->options.assume = &front->assume;
    }
    front->only = only;
    front->named = UINT64_MAX;
    return front;
}

void et_front_free(struct et_front *front)
{
    if (!front)
        return;
    for (unsigned i = 0; i < ET_SOURCES; i++)
        et_source_free(front->sources[i]);
    free(front);
}

static bool whole(const struct et_front *front) { return front->only < 0; }

/* Of the container: one front alone speaks of it. */
__attribute__((format(printf, 5, 6))) static void tell(struct et_front *front, unsigned code, uint64_t offset,
                                                       uint64_t length, const char *format, ...)
{
    const struct et_diagnostic diagnostic = {.code = code, .source = front->source, .offset = offset, .length = length};
    va_list words;
    if (!whole(front))
        return;
    front->diagnostics++;
    front->reported += length;
    va_start(words, format);
    et_tell(front->calls.diagnostic, front->calls.context, diagnostic, format, words);
    va_end(words);
}

static struct et_source *source_of(struct et_front *front, unsigned id, bool known)
{
    if (!front->sources[id])
        front->sources[id] = et_source_new(&front->calls, &front->options, id, known);
    return front->sources[id];
}

static void told_file(struct et_front *front)
{
    const struct et_raw raw = {.event = {.kind = ET_K_FILE, .value = front->named == UINT64_MAX ? 1 : front->named}};
    if (whole(front))
        front->calls.raw(front->calls.context, &raw);
}

/* ---- the head of the file -------------------------------------------------------------------------------------- */

static void container_head(struct et_front *front)
{
    const uint8_t *head = front->head;
    const char *why = memcmp(head, file_magic, sizeof file_magic) ? "it does not begin with ZETC"
                      : head[4] != 1 || head[5]                   ? "its version is not 1.0"
                      : get16(head + 6) || get32(head + 12)       ? "bits are one that have no meaning"
                      : get32(head + 8) > ET_SOURCES              ? "it names more sources than there can be"
                                                                  : NULL;
    front->named = get32(head + 8);
    front->state = FRONT_CHUNK;
    if (why) {
        front->named = UINT64_MAX;
        tell(front, 22, 0, ET_FILE_HEADER, "the head of the container is damaged: %s", why);
    } else if (whole(front)) {
        front->packets += ET_FILE_HEADER;
    }
    told_file(front);
}

static int bare(struct et_front *front, const uint8_t *bytes, size_t size)
{
    struct et_source *source = whole(front) && front->only != ET_ONLY_CONTAINER ? source_of(front, 0, false) : NULL;
    if (!source)
        return front->only == ET_ONLY_ALL ? -ENOMEM : 0;
    return et_source_push(source, false, front->offset, bytes, size);
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
    while (size && !bytes[size - 1])
        size--;
    return !size;
}

/* What the first bytes are; -1: more are needed to say it. `end': there are no more. */
static int begins(const struct et_front *front, bool end)
{
    const uint8_t *head = front->head;
    const size_t have = front->have;
    if (all_zero(head, have))
        return have < ET_SYNC_ZEROS && !end ? -1 : FRONT_BARE;
    if (front->options.assume && (have < 4 ? end : memcmp(head, file_magic, 4) != 0))
        return FRONT_BARE;
    if (have < ET_FILE_HEADER + (memcmp(head, file_magic, have < 4 ? have : 4) ? 2 : 0))
        return end ? FRONT_BARE : -1;
    if (!memcmp(head, file_magic, 4) || !memcmp(head + ET_FILE_HEADER, chunk_magic, 2))
        return FRONT_CHUNK;
    return FRONT_BARE;
}

static int head_push(struct et_front *front, const uint8_t *bytes, size_t size, bool end)
{
    size_t used = 0;
    int what;
    while ((what = begins(front, end)) < 0 && used < size)
        front->head[front->have++] = bytes[used++];
    front->offset += used;
    if (what < 0)
        return (int)used;
    const size_t have = front->have;
    front->have = 0;
    if (what == FRONT_BARE) {
        front->state = FRONT_BARE;
        told_file(front);
        front->offset -= have;
        const int code = bare(front, front->head, have);
        front->offset += have;
        return code ? code : (int)used;
    }
    container_head(front);
    memmove(front->head, front->head + ET_FILE_HEADER, have - ET_FILE_HEADER);
    front->have = have - ET_FILE_HEADER;
    return (int)used;
}

/* ---- chunks ---------------------------------------------------------------------------------------------------- */

static bool wanted(const struct et_front *front)
{
    const bool stream = front->kind == ET_CHUNK_EVENTS || front->kind == ET_CHUNK_TIMING;
    return front->only == ET_ONLY_ALL ||
           (front->only == ET_ONLY_CONTAINER ? !stream : stream && front->only == (int)front->source);
}

static void chunk_begins(struct et_front *front)
{
    const uint64_t at = front->offset - ET_CHUNK_HEADER;
    front->source = front->head[2];
    front->kind = front->head[3];
    front->left = get32(front->head + 4);
    front->fresh = true;
    front->have = 0;
    front->state = front->left ? FRONT_INSIDE : FRONT_CHUNK;
    if (whole(front))
        front->packets += ET_CHUNK_HEADER;
    if (front->kind > ET_CHUNK_COUNTERS)
        tell(front, 11, at, 0, "a chunk of %" PRIu64 " bytes is of the unknown kind %u", front->left, front->kind);
    else if (front->kind <= ET_CHUNK_TIMING && front->source != ET_SOURCE_MACHINE && front->source >= front->named &&
             !front->strange[front->source]) {
        front->strange[front->source] = true;
        tell(front, 11, at, 0, "a stream of source %u, but the head of the file names %" PRIu64 " sources",
             front->source, front->named);
    }
    if (!front->left && wanted(front) && front->kind > ET_CHUNK_TIMING && front->calls.chunk)
        front->calls.chunk(front->calls.context, front->source, front->kind, front->offset, NULL, 0, true);
}

static void lost(struct et_front *front)
{
    front->state = FRONT_LOST;
    front->skip = 0;
    for (unsigned i = 0; i < ET_SOURCES; i++)
        if (front->sources[i])
            et_source_break(front->sources[i]);
}

static void found(struct et_front *front, uint64_t begin)
{
    if (front->skip)
        tell(front, 22, begin - front->skip, front->skip, "no chunk begins here: %" PRIu64 " bytes are skipped",
             front->skip);
    front->skip = 0;
}

/* Could the eight bytes in head[] be a chunk's head? */
static bool plausible(const struct et_front *front)
{
    return !memcmp(front->head, chunk_magic, 2) &&
           (front->state == FRONT_CHUNK ||
            (front->head[3] <= ET_CHUNK_COUNTERS && get32(front->head + 4) <= INT32_MAX));
}

static void chunk_head(struct et_front *front, uint8_t byte)
{
    front->head[front->have++] = byte;
    front->offset++;
    if (front->have < ET_CHUNK_HEADER)
        return;
    if (plausible(front)) {
        found(front, front->offset - ET_CHUNK_HEADER);
        chunk_begins(front);
        return;
    }
    if (front->state == FRONT_CHUNK)
        lost(front);
    front->skip++;
    memmove(front->head, front->head + 1, --front->have);
}

static int chunk_bytes(struct et_front *front, const uint8_t *bytes, size_t size)
{
    if (!wanted(front))
        return 0;
    if (front->kind <= ET_CHUNK_TIMING) {
        struct et_source *source = source_of(front, front->source, true);
        return source ? et_source_push(source, front->kind == ET_CHUNK_TIMING, front->offset, bytes, size) : -ENOMEM;
    }
    if (front->kind == ET_CHUNK_METADATA && front->fresh && *bytes != '{')
        tell(front, 22, front->offset, 0, "a chunk of metadata is no JSON object");
    front->fresh = false;
    front->packets += size;
    if (front->calls.chunk)
        front->calls.chunk(front->calls.context, front->source, front->kind, front->offset, bytes, size,
                           front->left == size);
    return 0;
}

int et_front_push(struct et_front *front, const uint8_t *bytes, size_t size)
{
    while (size) {
        size_t used = 1;
        int code = 0;
        switch (front->state) {
        case FRONT_HEAD:
            code = head_push(front, bytes, size, false);
            used = code < 0 ? 0 : (size_t)code;
            break;
        case FRONT_BARE:
            used = size;
            code = bare(front, bytes, used);
            front->offset += used;
            break;
        case FRONT_INSIDE:
            used = size < front->left ? size : (size_t)front->left;
            code = chunk_bytes(front, bytes, used);
            front->offset += used;
            front->left -= used;
            if (!front->left)
                front->state = FRONT_CHUNK;
            break;
        default:
            chunk_head(front, *bytes);
        }
        if (code < 0)
            return code;
        bytes += used;
        size -= used;
    }
    return 0;
}

void et_front_end(struct et_front *front)
{
    if (front->state == FRONT_HEAD)
        head_push(front, NULL, 0, true);
    if (front->state == FRONT_CHUNK || front->state == FRONT_LOST) {
        front->skip += front->have;
        found(front, front->offset);
    } else if (front->state == FRONT_INSIDE) {
        tell(front, 22, front->offset, 0, "the file ends inside a chunk: %" PRIu64 " bytes are missing", front->left);
    }
    bool any = false;
    for (unsigned i = 0; i < ET_SOURCES; i++)
        if (front->sources[i]) {
            et_source_end(front->sources[i]);
            any = true;
        }
    if (!any && front->only == ET_ONLY_ALL)
        tell(front, 22, 0, 0, "there is no stream of events in it");
}

uint64_t et_front_boring(const struct et_front *front)
{
    return front->state == FRONT_INSIDE && !wanted(front) ? front->left : 0;
}

void et_front_pass(struct et_front *front, uint64_t size)
{
    front->offset += size;
    front->left -= size;
    if (!front->left)
        front->state = FRONT_CHUNK;
}

const struct et_source *et_front_source(const struct et_front *front, unsigned source)
{
    const struct et_source *bare = front->state == FRONT_BARE ? front->sources[0] : NULL;
    if (source >= ET_SOURCES)
        return NULL;
    return bare ? bare->have_id && bare->id == source ? bare : NULL : front->sources[source];
}

void et_front_sums(const struct et_front *front, struct et_decoder_sums *sums)
{
    sums->packets += front->packets;
    sums->reported += front->reported;
    sums->diagnostics += front->diagnostics;
    if (whole(front))
        sums->input += front->offset;
    for (unsigned i = 0; i < ET_SOURCES; i++) {
        const struct et_source *source = front->sources[i];
        if (!source)
            continue;
        sums->packets += source->packets_bytes;
        sums->reported += source->reported_bytes;
        sums->diagnostics += source->diagnostics;
        sums->events += source->emitted;
        sums->segments += source->segments;
        sums->lost += source->lost;
        sums->lost_unknown |= source->lost_unknown;
    }
}
