/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/log_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct ep_input *input;
    const struct ep_log_header *header;
    const struct ep_log_listener *listener;
    struct ep_log_end *end;
    uint64_t offset; /* of the record */
    uint32_t crc;    /* of everything before it */
    uint8_t *bytes;  /* the record, LOG_MOST of it at most */
    size_t size;
    struct ep_entry *entries;
    char *error;
    size_t error_size;
};

static int __attribute__((format(printf, 2, 3))) refuse(struct reader *r, const char *format, ...)
{
    va_list values;
    const int n = snprintf(r->error, r->error_size, "at byte %" PRIu64 ": ", r->offset);
    va_start(values, format);
    if (n >= 0 && (size_t)n < r->error_size)
        vsnprintf(r->error + n, r->error_size - (size_t)n, format, values);
    va_end(values);
    return -EINVAL;
}

/* As many bytes as there are, up to `size`; or a negative errno. */
static long fill(struct reader *r, void *bytes, size_t size)
{
    size_t n = 0;
    while (n < size) {
        const long got = r->input->read(r->input->context, (uint8_t *)bytes + n, size - n);
        if (got <= 0)
            return got < 0 ? got : (long)n;
        n += (size_t)got;
    }
    return (long)n;
}

/* ---- header ----------------------------------------------------------------------------------------------------- */

static int header_of(struct reader *r, const uint8_t *bytes, struct ep_log_header *header)
{
    const unsigned event = get16(bytes + 16), flags = get32(bytes + 12);
    struct ep_parameters *p = &header->parameters;
    if (get16(bytes + 8) != 1)
        return refuse(r, "the log has version %u; this program reads version 1", get16(bytes + 8));
    if (get16(bytes + 10) != LOG_HEADER)
        return refuse(r, "the header is %u bytes long, not 64: the log is damaged", get16(bytes + 10));
    *header = (struct ep_log_header){.cbt = get16(bytes + 20), .cpus = get16(bytes + 22), .ri = flags & LOG_IS_RI};
    *p = (struct ep_parameters){.base = get64(bytes + 24),
                                .delta = get64(bytes + 32),
                                .seed = get64(bytes + 40),
                                .tbt = get16(bytes + 18),
                                .event = event - 1};
    if (event < 1 || event > EP_EVENT_TAKEN + 1)
        return refuse(r, "event %u is none (1 to 4 are): the log is damaged", event);
    if (!p->tbt || p->tbt > EP_TRACE_MOST || !header->cbt || header->cbt > p->tbt)
        return refuse(r, "sizes of %u and %u branches cannot be (1 to 1024, the second not above the first)", p->tbt,
                      header->cbt);
    if (!ep_interval_valid(p->base, p->delta))
        return refuse(r, "an interval of %" PRIu64 " with a delta of %" PRIu64 " cannot be", p->base, p->delta);
    if (!header->cpus || header->cpus > EP_LOG_CPUS)
        return refuse(r, "%u CPUs cannot be (1 to %u)", header->cpus, EP_LOG_CPUS);
    return 0;
}

int ep_log_read_header(const struct ep_input *input, struct ep_log_header *header, char *error, size_t size)
{
    struct reader r = {.input = input, .error = error, .error_size = size};
    uint8_t bytes[LOG_HEADER];
    const long got = fill(&r, bytes, sizeof bytes);
    if (got < 0)
        return (int)got;
    if (got >= 8 && !memcmp(bytes, "ZEPROF 1", 8))
        return refuse(&r, "this is an edge profile, and a sample log is wanted; zri --profile-log writes one");
    if (got < 8 || memcmp(bytes, LOG_MAGIC, 8) != 0)
        return refuse(&r, "this is no sample log: it does not begin with %s", LOG_MAGIC);
    if (got < (long)sizeof bytes)
        return refuse(&r, "the header ends after %ld of 64 bytes: copy the log again", got);
    const int bad = header_of(&r, bytes, header);
    header->crc = ep_crc32(0, bytes, sizeof bytes);
    return bad;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* A text with its length at `at`; NULL: it does not fit. Ends with NUL, which is put behind it in the record's buffer.
 */
static char *text_at(struct reader *r, size_t at)
{
    if (r->size < at + 4)
        return NULL;
    const uint32_t length = get32(r->bytes + at);
    char *text = (char *)r->bytes + at + 4;
    if (length > LOG_TEXT || length > r->size - at - 4 || memchr(text, 0, length))
        return NULL;
    text[length] = 0;
    return text;
}

static int text_is_damaged(struct reader *r)
{
    return refuse(r, "the text in this record does not fit into it: the log is damaged");
}

static int parameter(struct reader *r)
{
    char *text = text_at(r, 8), *equal = text ? strchr(text, '=') : NULL;
    if (!equal)
        return text_is_damaged(r);
    *equal = 0;
    return r->listener->parameter ? r->listener->parameter(r->listener->context, text, equal + 1) : 0;
}

static int space(struct reader *r)
{
    const char *name = text_at(r, 24);
    if (!name)
        return text_is_damaged(r);
    const uint32_t kind = get32(r->bytes + 12);
    if (kind >= EP_SPACE_KINDS)
        return refuse(r, "kind %" PRIu32 " of an address space is none (0 to 4 are)", kind);
    const struct ep_space s = {.token = get64(r->bytes + 16), .name = name, .kind = log_space_kinds[kind]};
    return r->listener->space ? r->listener->space(r->listener->context, get32(r->bytes + 8), &s) : 0;
}

static int module(struct reader *r)
{
    static const uint8_t none[32];
    const char *name = text_at(r, 88);
    if (!name)
        return text_is_damaged(r);
    struct ep_log_module m = {.module = {.start = get64(r->bytes + 16),
                                         .end = get64(r->bytes + 24),
                                         .bias = get64(r->bytes + 32),
                                         .name = name,
                                         .space = get32(r->bytes + 8)},
                              .first_epoch = get64(r->bytes + 40),
                              .last_epoch = get64(r->bytes + 48)};
    memcpy(m.module.digest, r->bytes + 56, sizeof m.module.digest);
    m.module.has_digest = memcmp(m.module.digest, none, sizeof none) != 0;
    return r->listener->module ? r->listener->module(r->listener->context, &m) : 0;
}

static int changed(struct reader *r)
{
    return r->listener->changed ? r->listener->changed(r->listener->context, get32(r->bytes + 8), get64(r->bytes + 16),
                                                       get64(r->bytes + 24))
                                : 0;
}

static bool cpu_is(const struct reader *r, unsigned cpu) { return cpu < r->header->cpus; }

static int target(struct reader *r)
{
    const unsigned cpu = get16(r->bytes + 12);
    const struct ep_place at = {.address = get64(r->bytes + 16), .space = get32(r->bytes + 8), .mode = EP_64};
    struct ep_target t = {.event = get64(r->bytes + 24)};
    if (!cpu_is(r, cpu))
        return refuse(r, "there is no CPU %u in this log", cpu);
    memcpy(t.bytes, r->bytes + 32, sizeof t.bytes);
    return r->listener->target ? r->listener->target(r->listener->context, (uint16_t)cpu, at, &t) : 0;
}

static int lost(struct reader *r)
{
    const unsigned cpu = get16(r->bytes + 8);
    if (!cpu_is(r, cpu))
        return refuse(r, "there is no CPU %u in this log", cpu);
    return r->listener->lost
               ? r->listener->lost(r->listener->context, (uint16_t)cpu, get16(r->bytes + 10), get64(r->bytes + 16))
               : 0;
}

static bool entry_of(const uint8_t *bytes, uint64_t event, struct ep_entry *e)
{
    const unsigned flags = bytes[37];
    *e = (struct ep_entry){
        .from = {get64(bytes), get32(bytes + 28), (uint8_t)(flags >> LOG_FROM_SHIFT & 3)},
        .to = {get64(bytes + 8), get32(bytes + 24), (uint8_t)(flags >> LOG_TO_SHIFT & 3)},
        .event = event - get32(bytes + 32),
        .epoch = get64(bytes + 16),
        .kind = bytes[36],
        .reason = (uint8_t)(flags >> LOG_REASON_SHIFT),
        .executed = flags & LOG_ENTRY_EXECUTED,
        .not_taken = flags & LOG_ENTRY_NOT_TAKEN,
    };
    return e->kind >= EP_CALL && e->kind <= EP_EXEC && e->from.mode <= EP_64 && e->to.mode <= EP_64 &&
           e->reason <= EP_RANGE;
}

static int sample(struct reader *r)
{
    const uint8_t *b = r->bytes;
    const unsigned flags = b[52], cpu = get16(b + 28);
    struct ep_sample s = {
        .trigger = {.at = {get64(b + 16), get32(b + 24), b[53]},
                    .event = get64(b + 8),
                    .interval = get64(b + 32),
                    .branch = flags & LOG_IS_BRANCH,
                    .taken = flags & LOG_IS_TAKEN,
                    .executed = flags & LOG_EXECUTED},
        .origin = {get64(b + 40), get32(b + 48), b[54]},
        .origin_valid = flags & LOG_HAS_ORIGIN,
        .cut = get16(b + 2) & LOG_WAS_CUT,
        .cpu = (uint16_t)cpu,
        .count = get16(b + 30),
        .entry = r->entries,
    };
    if (!cpu_is(r, cpu))
        return refuse(r, "there is no CPU %u in this log", cpu);
    if (r->size < LOG_SAMPLE + (size_t)s.count * LOG_ENTRY || s.count > EP_RING_MOST(r->header->parameters.tbt))
        return refuse(r, "a sample of %u entries does not fit: the log is damaged", s.count);
    if (s.trigger.at.mode > EP_64 || s.origin.mode > EP_64)
        return refuse(r, "an addressing mode of this sample is none: the log is damaged");
    for (unsigned i = 0; i < s.count; i++)
        if (!entry_of(b + LOG_SAMPLE + (size_t)i * LOG_ENTRY, s.trigger.event, &r->entries[i]))
            return refuse(r, "entry %u of this sample is none: the log is damaged", i);
    return r->listener->sample ? r->listener->sample(r->listener->context, &s) : 0;
}

/* The last record: totals, check sum of everything before that. */
static int last(struct reader *r)
{
    const uint32_t cpus = get32(r->bytes + 8);
    if (cpus != r->header->cpus || r->size != 24 + 8 * (size_t)cpus)
        return refuse(r, "the last record is one for %" PRIu32 " CPUs, the header for %u", cpus, r->header->cpus);
    for (uint32_t i = 0; i < cpus; i++)
        r->end->events[i] = get64(r->bytes + 16 + 8 * (size_t)i);
    r->crc = ep_crc32(r->crc, r->bytes, r->size - 8);
    if (r->crc != get32(r->bytes + r->size - 8))
        return refuse(r, "the check sum of everything before is %08" PRIx32 ", not %08" PRIx32 ": the log is damaged",
                      r->crc, get32(r->bytes + r->size - 8));
    r->end->truncated = false;
    return 0;
}

static int record(struct reader *r, unsigned type)
{
    static const struct {
        size_t least;
        int (*read)(struct reader *r);
    } kinds[] = {[LOG_MODULE] = {92, module},   [LOG_TRACE] = {LOG_SAMPLE, sample}, [LOG_LOST] = {24, lost},
                 [LOG_CODEMOD] = {32, changed}, [LOG_EXTARGET] = {40, target},      [LOG_SPACE] = {28, space},
                 [LOG_END] = {24, last},        [LOG_PARAM] = {12, parameter}};
    if (type >= sizeof kinds / sizeof *kinds || !kinds[type].read)
        return 0;
    if (r->size < kinds[type].least)
        return refuse(r, "a record of type %u with %zu bytes is too short: the log is damaged", type, r->size);
    return kinds[type].read(r);
}

/* Reads over a record of a type that is not known, whatever its length. */
static int pass_over(struct reader *r, size_t size, bool *whole)
{
    *whole = true;
    while (size && *whole) {
        const size_t part = size < LOG_MOST ? size : LOG_MOST;
        const long got = fill(r, r->bytes, part);
        if (got < 0)
            return (int)got;
        r->crc = ep_crc32(r->crc, r->bytes, (size_t)got);
        *whole = (size_t)got == part;
        size -= part;
    }
    return 0;
}

/* The next record. *more: there may be another. */
static int next(struct reader *r, bool *more)
{
    *more = false;
    long got = fill(r, r->bytes, LOG_HEAD);
    if (got < (long)LOG_HEAD)
        return got < 0 ? (int)got : 0;
    const unsigned type = get16(r->bytes);
    const uint32_t size = get32(r->bytes + 4);
    if (size < LOG_HEAD || size & 7)
        return refuse(r, "a record of %" PRIu32 " bytes cannot be (a multiple of 8): the log is damaged", size);
    int bad = 0;
    if (type == 0 || type > LOG_PARAM) {
        r->crc = ep_crc32(r->crc, r->bytes, LOG_HEAD);
        bad = pass_over(r, size - LOG_HEAD, more);
    } else if (size > LOG_MOST) {
        bad = refuse(r, "a record of type %u with %" PRIu32 " bytes cannot be: the log is damaged", type, size);
    } else {
        got = fill(r, r->bytes + LOG_HEAD, size - LOG_HEAD);
        if (got < (long)(size - LOG_HEAD))
            return got < 0 ? (int)got : 0;
        r->size = size;
        const uint32_t crc = ep_crc32(r->crc, r->bytes, size); /* texts get an end of their own */
        bad = record(r, type);
        r->crc = crc;
        *more = type != LOG_END;
    }
    r->offset += size;
    return bad;
}

int ep_log_read(const struct ep_input *input, const struct ep_log_header *header,
                const struct ep_log_listener *listener, struct ep_log_end *end, char *error, size_t size)
{
    struct reader r = {.input = input,
                       .header = header,
                       .listener = listener,
                       .end = end,
                       .offset = LOG_HEADER,
                       .crc = header->crc,
                       .error = error,
                       .error_size = size};
    *end = (struct ep_log_end){.truncated = true};
    r.bytes = malloc(LOG_MOST + 1);
    r.entries = calloc(EP_RING_MOST(header->parameters.tbt), sizeof *r.entries);
    int bad = r.bytes && r.entries ? 0 : -ENOMEM;
    for (bool more = true; more && !bad;)
        bad = next(&r, &more);
    free(r.bytes);
    free(r.entries);
    return bad;
}
