/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of a trace in the order of their times. */
#include "ri/trace/read/merge.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 1024u /* bytes that a decoder is given at once: its events wait in memory */

/* ---- which sources there are ----------------------------------------------------------------------------------- */

static void found(void *context, const struct et_event *event)
{
    struct et_sources *sources = context;
    const struct et_config config = {.reg[ETTS] = event->value};
    if (event->kind == ET_K_FILE || event->source > ET_SOURCE_MACHINE)
        return;
    sources->count += !sources->there[event->source];
    sources->there[event->source] = true;
    if (event->kind == ET_K_CONFIG && event->reg == ETTS) {
        const unsigned clock = (unsigned)ET_GET(&config, ETTS, CLK);
        sources->apart |= clock == ET_CLOCK_INSN || clock == ET_CLOCK_CYCLE;
    }
}

static void no_diagnostic(void *context, const struct et_diagnostic *diagnostic) { (void)context, (void)diagnostic; }

int et_sources_find(const struct et_input *input, const struct et_decoder_options *options, struct et_sources *sources)
{
    const struct et_decoder_calls calls = {.context = sources, .event = found, .diagnostic = no_diagnostic};
    uint8_t bytes[PIECE];
    uint64_t at = 0;
    long n = 0;
    memset(sources, 0, sizeof *sources);
    struct et_decoder *decoder = et_decoder_new(&calls, options);
    if (!decoder)
        return -ENOMEM;
    int status = 0;
    while (!status && (n = input->read(input->context, at, bytes, sizeof bytes)) > 0) {
        status = et_decoder_push(decoder, bytes, (size_t)n);
        at += (uint64_t)n;
    }
    et_decoder_free(decoder);
    return n < 0 ? (int)n : status;
}

/* ---- merging --------------------------------------------------------------------------------------------------- */

/* What waits: an event, or a diagnostic. */
struct item {
    bool diagnostic;
    uint64_t key; /* its time; never less than that of the item before it */
    struct et_event event;
    struct et_diagnostic told;
    void *owned; /* copy of numbers or text */
};

struct lane {
    struct merge *merge;
    struct et_decoder *decoder;
    unsigned source;
    bool first, ended;
    uint64_t at, key;
    struct item *items;
    size_t head, count, room;
};

struct merge {
    const struct et_input *input;
    const struct et_decoder_calls *calls;
    struct lane lane[256];
    unsigned lanes;
    int status;
};

static struct item *append(struct lane *lane, uint64_t time)
{
    if (lane->count == lane->room) {
        const size_t room = lane->room ? 2 * lane->room : 64;
        struct item *items = realloc(lane->items, room * sizeof *items);
        if (!items) {
            lane->merge->status = -ENOMEM;
            return NULL;
        }
        lane->items = items;
        lane->room = room;
    }
    if (time > lane->key)
        lane->key = time;
    struct item *item = &lane->items[lane->count++];
    memset(item, 0, sizeof *item);
    item->key = lane->key;
    return item;
}

/* A copy that the item owns; NULL for nothing, or when there is no memory. */
static void *own(struct lane *lane, struct item *item, const void *from, size_t size)
{
    if (!from || !size)
        return NULL;
    item->owned = malloc(size);
    if (item->owned)
        memcpy(item->owned, from, size);
    else
        lane->merge->status = -ENOMEM;
    return item->owned;
}

static void event(void *context, const struct et_event *event)
{
    struct lane *lane = context;
    const bool head = event->kind == ET_K_FILE;
    if (head ? !lane->first : event->source != lane->source)
        return;
    struct item *item = append(lane, head ? 0 : event->time);
    if (!item)
        return;
    item->event = *event;
    item->event.numbers = own(lane, item, event->numbers, event->count * sizeof *event->numbers);
    if (!item->event.numbers)
        item->event.count = 0;
}

static void diagnostic(void *context, const struct et_diagnostic *told)
{
    struct lane *lane = context;
    bool of_another = false;
    for (unsigned i = 0; i < lane->merge->lanes; i++)
        of_another |= lane->merge->lane[i].source == told->source;
    if (told->source != lane->source && (of_another || !lane->first))
        return;
    struct item *item = append(lane, told->time);
    if (!item)
        return;
    item->diagnostic = true;
    item->told = *told;
    item->told.text = own(lane, item, told->text, strlen(told->text) + 1);
    if (!item->told.text)
        item->told.text = "";
}

static void chunk(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                  bool last)
{
    const struct lane *lane = context;
    const struct et_decoder_calls *calls = lane->merge->calls;
    if (lane->first && calls->chunk)
        calls->chunk(calls->context, source, kind, offset, bytes, size, last);
}

/* Read on until something waits, or the end. */
static void fill(struct lane *lane)
{
    struct merge *m = lane->merge;
    uint8_t bytes[PIECE];
    if (lane->head < lane->count)
        return;
    lane->head = lane->count = 0;
    while (!m->status && !lane->count && !lane->ended) {
        const long n = m->input->read(m->input->context, lane->at, bytes, sizeof bytes);
        if (n < 0) {
            m->status = (int)n;
        } else if (n == 0) {
            et_decoder_end(lane->decoder);
            lane->ended = true;
        } else {
            const int status = et_decoder_push(lane->decoder, bytes, (size_t)n);
            m->status = m->status ? m->status : status;
            lane->at += (uint64_t)n;
        }
    }
}

/* The lane whose next item is the earliest; NULL: none has one. The lanes are in the order that counts at the same
 * time. */
static struct lane *earliest(struct merge *m)
{
    struct lane *best = NULL;
    for (unsigned i = 0; i < m->lanes; i++) {
        struct lane *lane = &m->lane[i];
        fill(lane);
        if (lane->head < lane->count && (!best || lane->items[lane->head].key < best->items[best->head].key))
            best = lane;
    }
    return best;
}

static void tell_all(struct merge *m)
{
    const struct et_decoder_calls *calls = m->calls;
    struct lane *lane;
    while (!m->status && (lane = earliest(m)) && !m->status) {
        struct item *item = &lane->items[lane->head++];
        if (item->diagnostic)
            calls->diagnostic(calls->context, &item->told);
        else
            calls->event(calls->context, &item->event);
        free(item->owned);
        item->owned = NULL;
    }
}

static void add_lane(struct merge *m, unsigned source, const struct et_decoder_options *options)
{
    struct lane *lane = &m->lane[m->lanes];
    const struct et_decoder_calls calls = {lane, event, diagnostic, chunk};
    lane->merge = m;
    lane->source = source;
    lane->first = !m->lanes;
    lane->decoder = et_decoder_new(&calls, options);
    if (!lane->decoder)
        m->status = -ENOMEM;
    else
        m->lanes++;
}

int et_merge(const struct et_input *input, const struct et_decoder_options *options, const struct et_sources *sources,
             const struct et_decoder_calls *calls, struct et_decoder_sums *sums)
{
    struct merge *m = calloc(1, sizeof *m);
    if (!m)
        return -ENOMEM;
    m->input = input;
    m->calls = calls;
    if (sources->there[ET_SOURCE_MACHINE])
        add_lane(m, ET_SOURCE_MACHINE, options);
    for (unsigned i = 0; i < ET_SOURCE_MACHINE && !m->status; i++)
        if (sources->there[i] || (!sources->count && i == 0)) /* of nothing that can be decoded the diagnostics */
            add_lane(m, i, options);
    tell_all(m);
    if (sums && !m->status)
        et_decoder_sums(m->lane[0].decoder, sums);
    for (unsigned i = 0; i < m->lanes; i++) {
        struct lane *lane = &m->lane[i];
        for (; lane->head < lane->count; lane->head++)
            free(lane->items[lane->head].owned);
        free(lane->items);
        et_decoder_free(lane->decoder);
    }
    const int status = m->status;
    free(m);
    return status;
}
