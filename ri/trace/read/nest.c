/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level 4: events nest. Open frames, their durations, latencies from request to interruption, tail-chains. What cannot
   be known (filtered kinds, loss, frames that were open before) is marked, not guessed.

   Reading, frames of guests that switch tasks (ETCR.CTX): they need not end in the order in which they began. An EXIT
   ends the newest open frame of its number; a RETURN makes the newest open frame of its number the one that runs; self
   is then the time during which the frame ran. Pinned by test_et_decode_nest. */
#include "ri/trace/read/nest.h"
#include "ri/trace/read/visible.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct frame {
    uint64_t number;
    uint64_t since;    /* when it began, if `timed' */
    uint64_t children; /* gross time of what interrupted it */
    uint64_t ran;      /* CTX: time it ran before `resumed' */
    uint64_t resumed;
    uint16_t en;
    unsigned chain;
    bool en_known, timed;
    bool cut, bound, most;
    bool waiting; /* a late arrival came before its first unit of operation */
};

struct request {
    uint64_t number, time, code;
    uint16_t en;
    bool coded, timed;
};

struct nest_source {
    struct et_config config;
    struct et_visible visible;
    bool ctx, seen, ended;
    bool trusted; /* frames are all that the tracker has */
    bool gap;     /* output was off */
    struct frame frames[ET_FRAMES];
    unsigned open, running; /* running: CTX: place of the frame that runs + 1, 0: NORMAL */
    uint64_t frames_seen;
    struct request requests[ET_SIGNALS];
    unsigned requested;
    bool timed; /* last_time has a meaning */
    uint64_t last_time;
    int last_kind; /* enum et_kind of the event before; -1: something is missing behind it */
    unsigned last_chain;
    bool all_ended;  /* RETM=1: the EXIT before, forced by the tracker, stands for all frames */
    uint64_t exited; /* time of the last EXIT, if `exit_timed' */
    bool exit_timed;
};

struct et_nest {
    struct et_decoder_calls calls;
    struct nest_source *sources[ET_SOURCES];
    uint64_t diagnostics, signals;
    bool starved;
};

struct et_nest *et_nest_new(const struct et_decoder_calls *calls)
{
    struct et_nest *nest = calloc(1, sizeof *nest);
    if (nest)
        nest->calls = *calls;
    return nest;
}

void et_nest_free(struct et_nest *nest)
{
    for (unsigned i = 0; nest && i < ET_SOURCES; i++)
        free(nest->sources[i]);
    free(nest);
}

uint64_t et_nest_diagnostics(const struct et_nest *nest) { return nest->diagnostics; }

bool et_nest_starved(const struct et_nest *nest) { return nest->starved; }

__attribute__((format(printf, 4, 5))) static void tell(struct et_nest *nest, const struct et_event *event,
                                                       unsigned code, const char *format, ...)
{
    const struct et_diagnostic diagnostic = {
        .code = code, .source = event->source, .offset = event->offset, .index = event->index, .time = event->time};
    va_list words;
    nest->diagnostics++;
    va_start(words, format);
    et_tell(nest->calls.diagnostic, nest->calls.context, diagnostic, format, words);
    va_end(words);
}

/* An event with all that is known of it; depth and difference are those of this moment. */
static void out(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    event->depth_known = source->visible.nests;
    event->depth = source->open;
    if (event->given & 1u << ET_INFO_DEPTH) {
        event->depth_known = true;
        event->depth = (unsigned)event->info[ET_INFO_DEPTH];
    }
    event->delta = event->time_known && source->timed ? (int64_t)(event->time - source->last_time) : 0;
    if (event->time_known && event->kind <= ET_K_MARK) {
        source->timed = true;
        source->last_time = event->time;
    }
    nest->calls.event(nest->calls.context, event);
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

/* What is known of the times of a frame that ends with `event'. */
static void measure(const struct nest_source *source, const struct frame *frame, bool runs, struct et_event *event)
{
    event->frame = frame->number;
    event->chain = frame->chain;
    event->flags |=
        (frame->cut ? ET_E_CUT | ET_E_BOUND : 0u) | (frame->bound ? ET_E_BOUND : 0u) | (frame->most ? ET_E_MOST : 0u);
    event->durations = frame->timed && event->time_known && event->time >= frame->since;
    if (!event->durations)
        return;
    event->gross = event->time - frame->since;
    event->self = event->gross > frame->children ? event->gross - frame->children : 0;
    if (source->ctx)
        event->self = frame->ran + (runs && event->time > frame->resumed ? event->time - frame->resumed : 0);
}

/* Take the frame at `place' away; `event' ends it. */
static void take_away(struct nest_source *source, unsigned place, struct et_event *event)
{
    const bool runs = source->running == place + 1;
    measure(source, &source->frames[place], runs, event);
    if (place && event->durations)
        source->frames[place - 1].children += event->gross;
    if (place && event->flags & (ET_E_MOST | ET_E_BOUND))
        source->frames[place - 1].most = true; /* its self time may be less */
    source->open--;
    memmove(&source->frames[place], &source->frames[place + 1], (source->open - place) * sizeof *source->frames);
    if (runs)
        source->running = 0;
    else if (source->running > place)
        source->running--;
}

/* The frame at `place' ends, though the stream does not say so. */
static void imply_exit(struct et_nest *nest, struct nest_source *source, unsigned place, const struct et_event *because,
                       unsigned flags)
{
    struct et_event event = {.kind = ET_K_EXIT,
                             .source = because->source,
                             .index = because->index,
                             .offset = because->offset,
                             .time_known = because->time_known,
                             .time = because->time,
                             .en_known = source->frames[place].en_known,
                             .en = source->frames[place].en,
                             .flags = ET_E_IMPLIED | flags};
    take_away(source, place, &event);
    out(nest, source, &event);
}

/* All frames from `place' on end, the innermost first. */
static void imply_exits(struct et_nest *nest, struct nest_source *source, unsigned place,
                        const struct et_event *because, unsigned flags)
{
    while (source->open > place)
        imply_exit(nest, source, source->open - 1, because, flags);
}

static struct frame *open_frame(struct et_nest *nest, struct nest_source *source, const struct et_event *event)
{
    if (source->open == ET_FRAMES) {
        source->trusted = false;
        imply_exit(nest, source, 0, event, ET_E_CUT | ET_E_BOUND);
    }
    struct frame *frame = &source->frames[source->open++];
    *frame = (struct frame){.number = ++source->frames_seen,
                            .since = event->time,
                            .resumed = event->time,
                            .en = (uint16_t)event->en,
                            .chain = event->chain,
                            .en_known = event->en_known,
                            .timed = event->time_known};
    return frame;
}

/* A frame is open whose beginning was not seen. */
static void imply_entry(struct et_nest *nest, struct nest_source *source, const struct et_event *because, int en)
{
    struct et_event event = {.kind = ET_K_ENTRY,
                             .source = because->source,
                             .index = because->index,
                             .offset = because->offset,
                             .time_known = because->time_known,
                             .time = because->time,
                             .en_known = en >= 0,
                             .en = en >= 0 ? (unsigned)en : 0,
                             .flags = ET_E_IMPLIED | ET_E_CUT};
    struct frame *frame = open_frame(nest, source, &event);
    frame->cut = true;
    event.frame = frame->number;
    out(nest, source, &event);
}

/* Place of the newest open frame of this number, -1: there is none. Where tasks are switched the one that runs is
 * preferred.
 */
static int find(const struct nest_source *source, const struct et_event *event)
{
    if (!event->en_known)
        return (int)source->open - 1;
    if (source->running && source->frames[source->running - 1].en == event->en)
        return (int)source->running - 1;
    for (unsigned i = source->open; i--;)
        if (source->frames[i].en == event->en || !source->frames[i].en_known)
            return (int)i;
    return -1;
}

/* The frame that runs does so no longer. */
static void pause(struct nest_source *source, uint64_t time)
{
    if (!source->running)
        return;
    struct frame *frame = &source->frames[source->running - 1];
    if (time > frame->resumed)
        frame->ran += time - frame->resumed;
    source->running = 0;
}

static void runs(struct nest_source *source, unsigned place, uint64_t time)
{
    if (!source->ctx)
        return;
    source->running = place + 1;
    source->frames[place].resumed = time;
}

/* ---- requests -------------------------------------------------------------------------------------------------- */

static void request_drop(struct nest_source *source, unsigned place)
{
    source->requested--;
    memmove(&source->requests[place], &source->requests[place + 1],
            (source->requested - place) * sizeof *source->requests);
}

/* The request that `event' answers: the oldest of its number, or the one with its code; -1: none. */
static int request_find(const struct nest_source *source, const struct et_event *event)
{
    const bool coded = event->given & 1u << ET_INFO_CODE;
    int oldest = -1;
    for (unsigned i = 0; i < source->requested; i++) {
        const struct request *request = &source->requests[i];
        if (request->en != event->en)
            continue;
        if (coded && request->coded && request->code == event->info[ET_INFO_CODE])
            return (int)i;
        if (oldest < 0)
            oldest = (int)i;
    }
    return oldest;
}

static void signal(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    if (event->flags & ET_E_WITHDRAWN) {
        const int place = request_find(source, event);
        if (place >= 0) {
            event->signal = source->requests[place].number;
            request_drop(source, (unsigned)place);
        }
        return;
    }
    if (source->requested == ET_SIGNALS)
        request_drop(source, 0);
    event->signal = ++nest->signals;
    source->requests[source->requested++] = (struct request){.number = event->signal,
                                                             .time = event->time,
                                                             .code = event->info[ET_INFO_CODE],
                                                             .en = (uint16_t)event->en,
                                                             .coded = event->given & 1u << ET_INFO_CODE,
                                                             .timed = event->time_known};
}

/* The clocks tod and host are the same for all sources. */
static bool one_clock(const struct nest_source *source)
{
    const uint64_t clock = ET_GET(&source->config, ETTS, CLK);
    return clock == ET_CLOCK_TOD || clock == ET_CLOCK_HOST;
}

/* An interruption answers a request of its CPU, or one that any CPU may answer. */
static void answer(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    struct nest_source *machine = nest->sources[ET_SOURCE_MACHINE], *from = source;
    int place = event->en_known ? request_find(source, event) : -1;
    if (place < 0 && event->en_known && machine && machine != source) {
        from = machine;
        place = request_find(machine, event);
    }
    if (place < 0)
        return;
    const struct request *request = &from->requests[place];
    event->signal = request->number;
    event->latency_known =
        request->timed && event->time_known && event->time >= request->time && (from == source || one_clock(source));
    if (event->latency_known)
        event->latency = event->time - request->time;
    request_drop(from, (unsigned)place);
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static void entry(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    const struct et_visible *visible = &source->visible;
    const bool chained = source->last_kind == ET_K_EXIT;
    if (chained && source->all_ended)
        imply_exits(nest, source, 0, event, ET_E_MOST);
    if (chained && visible->all && visible->exit && visible->back && visible->normal)
        event->flags |= ET_E_TC;
    if (event->flags & ET_E_TC) {
        event->chain = source->last_kind >= 0 ? source->last_chain + 1 : 1;
        if (!visible->exit && visible->nests && source->open) {
            event->chain = source->frames[source->open - 1].chain + 1;
            imply_exit(nest, source, source->open - 1, event, ET_E_MOST);
        }
    }
    answer(nest, source, event);
    pause(source, event->time);
    if (visible->nests) {
        if (event->flags & ET_E_LA && source->open)
            source->frames[source->open - 1].waiting = true;
        struct frame *frame = open_frame(nest, source, event);
        event->frame = frame->number;
        runs(source, source->open - 1, event->time);
    }
    source->last_chain = event->chain;
}

/* Frames above the one that ends or is resumed. */
static void above(struct et_nest *nest, struct nest_source *source, unsigned place, const struct et_event *event,
                  unsigned code)
{
    if (source->open <= place)
        return;
    if (source->visible.all && source->visible.exit && !(event->flags & ET_E_FRC)) {
        if (code == 13)
            tell(nest, event, 13, "EXIT of %03x, but %u frames above it are open", event->en, source->open - place);
        else
            tell(nest, event, 14, "RETURN to %03x, but %u frames above it are open", event->en, source->open - place);
    }
    imply_exits(nest, source, place, event, ET_E_MOST);
}

static void exit_of(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    const int place = source->visible.nests ? find(source, event) : -1;
    if (place >= 0) {
        if (!source->ctx)
            above(nest, source, (unsigned)place + 1, event, 13);
        take_away(source, (unsigned)place, event);
    } else {
        event->flags |= ET_E_CUT;
        if (source->visible.nests && (!source->ctx || source->trusted)) {
            if (event->en_known)
                tell(nest, event, 12, "EXIT of %03x, which was not entered", event->en);
            else
                tell(nest, event, 12, "EXIT, and nothing was entered");
        }
    }
    pause(source, event->time);
    source->last_chain = event->chain;
    /* Those of a reload that matches a deeper frame follow an EXIT that is not forced. RETURN tells it by itself. */
    source->all_ended = event->flags & ET_E_FRC && source->last_kind != ET_K_EXIT && source->visible.all &&
                        source->visible.exit && !source->ctx && ET_GET(&source->config, ETCR, RETM) == ET_RETM_PSTATE;
}

/* No frame of what is resumed is open. */
static void return_elsewhere(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    const bool wrong = source->visible.all && !(event->flags & ET_E_FRC);
    if (event->en == ET_NORMAL) {
        if (source->open && !source->ctx) {
            if (wrong && source->visible.exit)
                tell(nest, event, 14, "RETURN to NORMAL, but %u frames are open", source->open);
            imply_exits(nest, source, 0, event, ET_E_MOST);
        }
        return;
    }
    if (wrong && (!source->ctx || source->trusted))
        tell(nest, event, 14, "RETURN to %03x, which was not entered", event->en);
    if (!source->visible.all)
        return;
    imply_entry(nest, source, event, (int)event->en);
    runs(source, source->open - 1, event->time);
}

static void return_to(struct et_nest *nest, struct nest_source *source, struct et_event *event)
{
    const bool direct = source->last_kind == ET_K_EXIT && source->exit_timed;
    const uint64_t since = direct ? source->exited : event->time;
    event->back_known = direct && event->time_known && event->time >= source->exited;
    if (event->back_known)
        event->back = event->time - source->exited;
    if (!source->visible.nests)
        return;
    if (!source->visible.exit && source->open) /* whatever is resumed, the innermost has ended */
        imply_exit(nest, source, source->open - 1, event, ET_E_MOST);
    pause(source, event->time);
    if (!event->en_known)
        return;
    const int place = event->en == ET_NORMAL ? -1 : find(source, event);
    if (place < 0) {
        return_elsewhere(nest, source, event);
        return;
    }
    if (!source->ctx)
        above(nest, source, (unsigned)place + 1, event, 14);
    struct frame *frame = &source->frames[place];
    event->frame = frame->number;
    event->start_known =
        frame->waiting && frame->timed && !frame->cut && event->time_known && event->time >= frame->since;
    if (event->start_known)
        event->start_latency = event->time - frame->since;
    frame->waiting = false;
    runs(source, (unsigned)place, since);
}

static void state(struct et_nest *nest, struct nest_source *source, const struct et_event *event)
{
    if (event->value == ET_ST_RESET) {
        imply_exits(nest, source, 0, event, ET_E_ABORTED);
        source->last_kind = -1; /* what is taken next follows no handler */
    } else if (event->value == ET_ST_FRAME_DROPPED && source->open) {
        imply_exit(nest, source, 0, event, ET_E_CUT | ET_E_BOUND);
        source->trusted = false;
    } else if (event->value == ET_ST_OFF) {
        source->gap = true;
    }
}

/* ---- SYNC ------------------------------------------------------------------------------------------------------ */

/* The frames that are open, outermost first; -1: its number is not told. Those that will never be seen to end are left
 * out. */
static unsigned wanted_frames(const struct nest_source *source, const struct et_raw *raw, int16_t wanted[ET_FRAMES])
{
    const unsigned hidden = raw->open > raw->listed ? raw->open - raw->listed : 0;
    unsigned n = 0;
    for (unsigned i = 0; i < hidden && source->visible.all; i++)
        wanted[n++] = -1;
    for (unsigned i = raw->listed; i--;)
        if (source->visible.all || et_visible_number(raw->config, raw->frames[i]))
            wanted[n++] = (int16_t)raw->frames[i];
    return n;
}

static unsigned common(const struct nest_source *source, const int16_t *wanted, unsigned n)
{
    unsigned i = 0;
    while (i < n && i < source->open &&
           (wanted[i] < 0 || !source->frames[i].en_known || source->frames[i].en == wanted[i]))
        i++;
    return i;
}

/* Frames become those that the SYNC lists. */
static void adopt(struct et_nest *nest, struct nest_source *source, const struct et_raw *raw, const int16_t *wanted,
                  unsigned n, bool lost)
{
    const unsigned same = common(source, wanted, n);
    struct et_event last = raw->event; /* as long as they were seen */
    if (lost && source->timed)
        last.time = source->last_time;
    while (source->open > same)
        imply_exit(nest, source, source->open - 1, &last, ET_E_CUT | ET_E_BOUND);
    for (unsigned i = 0; i < same; i++) { /* perhaps they are others of the same number */
        struct frame *frame = &source->frames[i];
        frame->cut = true;
        frame->since = frame->resumed = raw->event.time;
        frame->timed = raw->event.time_known;
        frame->children = frame->ran = 0;
    }
    for (unsigned i = same; i < n; i++)
        imply_entry(nest, source, &raw->event, wanted[i]);
    source->running = 0;
    if (source->ctx && raw->event.en != ET_NORMAL) {
        const int place = find(source, &raw->event);
        if (place >= 0)
            runs(source, (unsigned)place, raw->event.time);
    }
}

static void forget_requests(struct et_nest *nest, struct nest_source *source)
{
    source->requested = 0;
    if (nest->sources[ET_SOURCE_MACHINE])
        nest->sources[ET_SOURCE_MACHINE]->requested = 0;
}

static void sync(struct et_nest *nest, struct nest_source *source, const struct et_raw *raw)
{
    const bool first = !source->seen, lost = raw->broken || source->gap || first, all = source->visible.all;
    int16_t wanted[ET_FRAMES];
    source->config = *raw->config;
    et_visible(raw->config, &source->visible);
    source->ctx = ET_GET(raw->config, ETCR, CTX);
    source->seen = true;
    source->gap = false;
    const unsigned n = source->visible.nests ? wanted_frames(source, raw, wanted) : 0;
    if (lost) {
        source->last_kind = -1;
        source->trusted = first && !raw->open;
        if (!first)
            forget_requests(nest, source);
    }
    const bool equal = n == source->open && common(source, wanted, n) == n;
    const bool sure = all && source->visible.all && source->visible.nests && !source->ctx;
    if (!lost && (equal || !sure) && source->visible.nests)
        return;
    if (!lost && sure)
        tell(nest, &raw->event, 15, "%u frames are open, but the SYNC tells of %u%s", source->open, n,
             n == source->open ? " others" : "");
    adopt(nest, source, raw, wanted, n, lost);
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

static void close_all(struct et_nest *nest, struct nest_source *source, const struct et_event *event)
{
    struct et_event last = *event;
    last.time = source->last_time;
    last.time_known = source->timed;
    imply_exits(nest, source, 0, &last, ET_E_CUT | ET_E_BOUND);
    source->ended = true;
}

static struct nest_source *source_of(struct et_nest *nest, unsigned id)
{
    if (!nest->sources[id]) {
        nest->sources[id] = calloc(1, sizeof **nest->sources);
        if (!nest->sources[id]) {
            nest->starved = true;
            return NULL;
        }
        struct nest_source *source = nest->sources[id];
        source->last_kind = -1;
        et_config_reset(&source->config);
        et_visible(&source->config, &source->visible);
    }
    return nest->sources[id];
}

static void configure(struct nest_source *source, const struct et_event *event)
{
    if (event->reg >= ET_REGISTERS || source->config.reg[event->reg] == event->value)
        return;
    source->config.reg[event->reg] = event->value;
    et_visible(&source->config, &source->visible);
}

static void one(struct et_nest *nest, struct nest_source *source, const struct et_raw *raw, struct et_event *event)
{
    switch (event->kind) {
    case ET_K_ENTRY:
        entry(nest, source, event);
        break;
    case ET_K_EXIT:
        exit_of(nest, source, event);
        break;
    case ET_K_RETURN:
        return_to(nest, source, event);
        break;
    case ET_K_SIGNAL:
        signal(nest, source, event);
        break;
    case ET_K_STATE:
        state(nest, source, event);
        break;
    case ET_K_SYNC:
        sync(nest, source, raw);
        break;
    case ET_K_CONFIG:
        configure(source, event);
        break;
    case ET_K_END:
        close_all(nest, source, event);
        break;
    default:
        break;
    }
}

void et_nest_raw(struct et_nest *nest, const struct et_raw *raw)
{
    struct et_event event = raw->event;
    if (event.kind == ET_K_FILE) {
        nest->calls.event(nest->calls.context, &event);
        return;
    }
    struct nest_source *source = source_of(nest, event.source % ET_SOURCES);
    if (!source)
        return;
    one(nest, source, raw, &event);
    if (event.kind <= ET_K_RETURN)
        source->last_kind = (int)event.kind;
    if (event.kind == ET_K_EXIT) {
        source->exited = event.time;
        source->exit_timed = event.time_known;
    }
    out(nest, source, &event);
}

void et_nest_end(struct et_nest *nest)
{
    for (unsigned i = 0; i < ET_SOURCES; i++)
        if (nest->sources[i] && !nest->sources[i]->ended) {
            const struct et_event event = {.kind = ET_K_END, .source = i};
            close_all(nest, nest->sources[i], &event);
        }
}
