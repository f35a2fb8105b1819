/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of a trace in the order of their times: levels 1 to 3 for each source, level 4 once behind them, so that it
   sees requests of the machine in front of the interruptions that answer them. */
#include "ri/trace/read/merge.h"
#include "ri/trace/read/container.h"
#include "ri/trace/read/nest.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 1024u /* bytes that a source's front is given at once: its events wait in memory */

/* ---- which sources there are ----------------------------------------------------------------------------------- */

static void found(void *context, const struct et_raw *raw)
{
    struct et_sources *sources = context;
    const struct et_event *event = &raw->event;
    const struct et_config config = {.reg[ETTS] = event->value};
    if (event->kind == ET_K_CONFIG && event->reg == ETTS) {
        const unsigned clock = (unsigned)ET_GET(&config, ETTS, CLK);
        sources->apart |= clock == ET_CLOCK_INSN || clock == ET_CLOCK_CYCLE;
    }
}

static void no_diagnostic(void *context, const struct et_diagnostic *diagnostic) { (void)context, (void)diagnostic; }

/* Gives `front' the next piece of the input; 0 at the end (then it is told so), 1, or a negative errno. */
static int next_piece(const struct et_input *input, struct et_front *front, uint64_t *at)
{
    uint8_t bytes[PIECE];
    const uint64_t boring = et_front_boring(front);
    long n = boring > PIECE ? input->read(input->context, *at + boring, bytes, sizeof bytes) : 0;
    if (n > 0) { /* there is something behind it: it is all there */
        et_front_pass(front, boring);
        *at += boring;
    } else if (!n) {
        n = input->read(input->context, *at, bytes, sizeof bytes);
    }
    if (n < 0)
        return (int)n;
    *at += (uint64_t)n;
    if (!n)
        et_front_end(front);
    return n ? et_front_push(front, bytes, (size_t)n) < 0 ? -ENOMEM : 1 : 0;
}

int et_sources_find(const struct et_input *input, const struct et_decoder_options *options, struct et_sources *sources)
{
    const struct et_front_calls calls = {.context = sources, .raw = found, .diagnostic = no_diagnostic};
    struct et_front *front = et_front_new(&calls, options, ET_ONLY_ALL);
    uint64_t at = 0;
    int status;
    memset(sources, 0, sizeof *sources);
    if (!front)
        return -ENOMEM;
    while ((status = next_piece(input, front, &at)) > 0)
        ;
    for (unsigned i = 0; i < ET_SOURCES; i++) { /* also one whose stream is all damage */
        sources->there[i] = et_front_source(front, i);
        sources->count += sources->there[i];
    }
    et_front_free(front);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------------------------- */

/* What waits: an event, or a diagnostic. */
struct item {
    bool diagnostic;
    uint64_t key; /* its time; never less than that of the item before it */
    struct et_raw raw;
    struct et_config config;
    struct et_diagnostic told;
    char text[200];
};

struct lane {
    struct merge *merge;
    struct et_front *front;
    unsigned source;
    bool ended;
    uint64_t at, key;
    struct item *items;
    size_t head, count, room;
};

struct merge {
    const struct et_input *input;
    const struct et_decoder_calls *calls;
    struct et_nest *nest;
    struct lane lane[ET_SOURCES];
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
    item->key = lane->key;
    return item;
}

static void lane_raw(void *context, const struct et_raw *raw)
{
    struct lane *lane = context;
    struct item *item = append(lane, raw->event.time);
    if (!item)
        return;
    item->diagnostic = false;
    item->raw = *raw;
    if (raw->config)
        item->config = *raw->config;
}

static void lane_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    struct lane *lane = context;
    struct item *item = append(lane, diagnostic->time);
    if (!item)
        return;
    item->diagnostic = true;
    item->told = *diagnostic;
    snprintf(item->text, sizeof item->text, "%s", diagnostic->text);
}

/* What an item points to has moved with it. */
static void tell(struct merge *merge, struct item *item)
{
    if (item->diagnostic) {
        item->told.text = item->text;
        merge->calls->diagnostic(merge->calls->context, &item->told);
        return;
    }
    if (item->raw.config)
        item->raw.config = &item->config;
    if (item->raw.event.numbers)
        item->raw.event.numbers = item->raw.numbers;
    et_nest_raw(merge->nest, &item->raw);
}

/* Makes sure that the lane has an item, or has ended. */
static void fill(struct lane *lane)
{
    while (lane->head == lane->count && !lane->ended && !lane->merge->status) {
        lane->head = lane->count = 0;
        const int status = next_piece(lane->merge->input, lane->front, &lane->at);
        lane->ended = status <= 0;
        if (status < 0)
            lane->merge->status = status;
    }
}

/* The lane whose next item is the earliest: of the machine before those of CPUs, of lower CPU addresses before higher.
 */
static struct lane *earliest(struct merge *merge)
{
    struct lane *first = NULL;
    for (unsigned i = 0; i < merge->lanes; i++) {
        struct lane *lane = &merge->lane[i];
        fill(lane);
        if (lane->head < lane->count && (!first || lane->items[lane->head].key < first->items[first->head].key))
            first = lane;
    }
    return merge->status ? NULL : first;
}

static bool lane_begin(struct merge *merge, unsigned source, int only, const struct et_decoder_options *options)
{
    struct lane *lane = &merge->lane[merge->lanes++];
    const struct et_front_calls calls = {lane, lane_raw, lane_diagnostic, merge->calls->chunk};
    lane->merge = merge;
    lane->source = source;
    lane->front = et_front_new(&calls, options, only);
    return lane->front != NULL;
}

/* ---- the container's own --------------------------------------------------------------------------------------- */

static void own_raw(void *context, const struct et_raw *raw) { et_nest_raw(((struct merge *)context)->nest, raw); }

static void own_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    const struct merge *merge = context;
    merge->calls->diagnostic(merge->calls->context, diagnostic);
}

static void own_chunk(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                      bool last)
{
    const struct merge *merge = context;
    if (merge->calls->chunk)
        merge->calls->chunk(merge->calls->context, source, kind, offset, bytes, size, last);
}

/* All that is of no source; with one source or none that, too. */
static int own(struct merge *merge, const struct et_decoder_options *options, int only, struct et_decoder_sums *sums)
{
    const struct et_front_calls calls = {merge, own_raw, own_diagnostic, own_chunk};
    struct et_front *front = et_front_new(&calls, options, only);
    uint64_t at = 0;
    int status = -ENOMEM;
    while (front && (status = next_piece(merge->input, front, &at)) > 0)
        ;
    if (front)
        et_front_sums(front, sums);
    et_front_free(front);
    return status;
}

static int run(struct merge *merge, const struct et_decoder_options *options, const struct et_sources *sources,
               struct et_decoder_sums *sums)
{
    const bool several = sources->count > 1;
    struct lane *lane;
    int status = own(merge, options, several ? ET_ONLY_CONTAINER : ET_ONLY_ALL, sums);
    if (!status && several && sources->there[ET_SOURCE_MACHINE])
        status = lane_begin(merge, ET_SOURCE_MACHINE, (int)ET_SOURCE_MACHINE, options) ? 0 : -ENOMEM;
    for (unsigned i = 0; !status && several && i < ET_SOURCE_MACHINE; i++)
        if (sources->there[i] && !lane_begin(merge, i, (int)i, options))
            status = -ENOMEM;
    while (!status && (lane = earliest(merge)))
        tell(merge, &lane->items[lane->head++]);
    for (unsigned i = 0; i < merge->lanes; i++)
        if (merge->lane[i].front)
            et_front_sums(merge->lane[i].front, sums);
    return status ? status : merge->status;
}

int et_merge(const struct et_input *input, const struct et_decoder_options *options, const struct et_sources *sources,
             const struct et_decoder_calls *calls, struct et_decoder_sums *sums)
{
    struct et_decoder_sums own_sums;
    struct merge *merge = calloc(1, sizeof *merge);
    struct et_nest *nest = et_nest_new(calls);
    int status = -ENOMEM;
    sums = sums ? sums : &own_sums;
    memset(sums, 0, sizeof *sums);
    if (merge && nest) {
        merge->input = input;
        merge->calls = calls;
        merge->nest = nest;
        status = run(merge, options, sources, sums);
        et_nest_end(nest);
        sums->diagnostics += et_nest_diagnostics(nest);
        if (!status && et_nest_starved(nest))
            status = -ENOMEM;
    }
    for (unsigned i = 0; merge && i < merge->lanes; i++) {
        et_front_free(merge->lane[i].front);
        free(merge->lane[i].items);
    }
    et_nest_free(nest);
    free(merge);
    return status;
}
