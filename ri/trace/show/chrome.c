/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace as trace-event JSON: a thread for each CPU with its handlers as slices. */
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SOURCES 256u
#define UNNAMED 0xffffu /* a number that is not known */
#define OPEN    128u    /* more frames than a stream can have open */

struct lane {
    bool named, context; /* context: frames need not nest (ETCR.CTX) */
    unsigned open;       /* frames shown and not ended */
    uint64_t frame[OPEN];
    uint16_t en[OPEN]; /* of these */
    uint64_t pending, lost, last_exit;
    bool exit_known;
};

struct chrome {
    const struct et_output_setting *setting;
    struct et_scale scale;
    bool any;
    uint64_t time; /* the latest, ticks */
    uint64_t chain;
    struct lane lane[SOURCES];
};

static void *begin(const struct et_output_setting *setting)
{
    struct chrome *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->setting = setting;
    et_scale_init(&c->scale, setting->insn_rate);
    et_put(&setting->writer, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return c;
}

/* Everything up to "args" of an event, which is still open. */
static void head(struct chrome *c, const char *phase, unsigned source, uint64_t time)
{
    const unsigned __int128 ps = et_scale_ps(&c->scale, time);
    et_print(&c->setting->writer, "%s\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ".%06u", c->any ? "," : "",
             phase, source + 1, (uint64_t)(ps / 1000000), (unsigned)(ps % 1000000));
    c->any = true;
}

static void text(struct chrome *c, const char *name, const char *value)
{
    et_print(&c->setting->writer, ",\"%s\":", name);
    et_put_json(&c->setting->writer, value);
}

static unsigned number_of(const struct et_event *event) { return event->en_known ? event->en : UNNAMED; }

static const char *name_of(const struct chrome *c, unsigned en, char name[ET_NAME_SIZE])
{
    return en == UNNAMED ? "?" : et_number_name(en, c->setting->program, name);
}

static void number(struct chrome *c, const char *name, bool known, uint64_t value)
{
    if (known)
        et_print(&c->setting->writer, ",\"%s\":%" PRIu64, name, value);
}
/* Addresses do not fit a number of JSON. */
static void address(struct chrome *c, const char *name, bool known, uint64_t value)
{
    if (known)
        et_print(&c->setting->writer, ",\"%s\":\"%" PRIX64 "\"", name, value);
}

static void flag(struct chrome *c, const char *name, bool on)
{
    if (on)
        et_print(&c->setting->writer, ",\"%s\":true", name);
}

/* Names of process and thread, once for each source. */
static void introduce(struct chrome *c, unsigned source)
{
    struct lane *lane = &c->lane[source];
    const struct et_writer *w = &c->setting->writer;
    if (lane->named)
        return;
    lane->named = true;
    if (!c->any) {
        et_put(w, "\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":");
        et_put_json(w, c->setting->input ? c->setting->input : "machine");
        et_put(w, "}}");
        c->any = true;
    }
    et_print(w, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"", source + 1);
    if (source == ET_SOURCE_MACHINE)
        et_put(w, "machine");
    else
        et_print(w, "cpu%02u", source);
    et_print(w,
             "\"}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
             source + 1, source);
}

static void counter(struct chrome *c, unsigned source, const char *name, uint64_t value)
{
    head(c, "C", source, c->time);
    et_print(&c->setting->writer, ",\"name\":\"%s%02u %s\",\"args\":{\"%s\":%" PRIu64 "}}",
             source == ET_SOURCE_MACHINE ? "machine" : "cpu", source, name, name, value);
}

static void instant(struct chrome *c, unsigned source, const char *name, char scope)
{
    head(c, "i", source, c->time);
    text(c, "name", name);
    et_print(&c->setting->writer, ",\"s\":\"%c\"}", scope);
}

/* One end of an arrow. */
static void flow(struct chrome *c, bool to, unsigned source, uint64_t time, const char *name, uint64_t id)
{
    head(c, to ? "f" : "s", source, time);
    et_print(&c->setting->writer, ",\"name\":\"%s\",\"cat\":\"%s\",\"id\":%" PRIu64 "%s}", name, name, id,
             to ? ",\"bp\":\"e\"" : "");
}

/* A slice begins or ends; of frames that need not nest with an id of its own. */
static void slice(struct chrome *c, bool first, unsigned source, uint64_t frame, unsigned en)
{
    char name[ET_NAME_SIZE];
    const bool apart = c->lane[source].context;
    head(c, first ? apart ? "b" : "B" : apart ? "e" : "E", source, c->time);
    if (apart)
        et_print(&c->setting->writer, ",\"id\":\"%u.%" PRIu64 "\"", source, frame);
    if (first || apart) {
        text(c, "name", name_of(c, en, name));
        text(c, "cat", en == UNNAMED ? "unknown" : et_class_name(et_number_class(en)));
    }
}

static void opened(struct chrome *c, const struct et_event *event)
{
    struct lane *lane = &c->lane[event->source];
    if (lane->open == OPEN)
        return;
    slice(c, true, event->source, event->frame, number_of(event));
    et_print(&c->setting->writer, ",\"args\":{\"depth\":%u", event->depth);
    number(c, "en", event->en_known, event->en);
    number(c, "code", event->given & 1u << ET_INFO_CODE, event->info[ET_INFO_CODE]);
    address(c, "old_ia", event->old_known, event->old_address);
    address(c, "new_ia", event->new_known, event->new_address);
    flag(c, "tc", event->flags & ET_E_TC);
    flag(c, "la", event->flags & ET_E_LA);
    flag(c, "cut", event->flags & ET_E_CUT);
    number(c, "latency", event->latency_known, event->latency);
    et_put(&c->setting->writer, "}}");
    lane->frame[lane->open] = event->frame;
    lane->en[lane->open++] = (uint16_t)number_of(event);
}

/* End the slice `index` places below the innermost one. */
static void close_slice(struct chrome *c, unsigned source, unsigned at, const struct et_event *event)
{
    struct lane *lane = &c->lane[source];
    slice(c, false, source, lane->frame[at], lane->en[at]);
    et_print(&c->setting->writer, ",\"args\":{\"number\":%" PRIu64, lane->frame[at]);
    flag(c, "cut", !event || event->flags & ET_E_CUT);
    if (event) {
        flag(c, "implied", event->flags & ET_E_IMPLIED);
        flag(c, "aborted", event->flags & ET_E_ABORTED);
        number(c, "gross", event->durations, event->gross);
        number(c, "self", event->durations, event->self);
    }
    et_put(&c->setting->writer, "}}");
    for (unsigned i = at + 1; i < lane->open; i++) {
        lane->frame[i - 1] = lane->frame[i];
        lane->en[i - 1] = lane->en[i];
    }
    lane->open--;
}

static void entry(struct chrome *c, const struct et_event *event)
{
    struct lane *lane = &c->lane[event->source];
    if (event->flags & ET_E_TC) {
        instant(c, event->source, "tail-chain", 't');
        if (lane->exit_known)
            flow(c, false, event->source, lane->last_exit, "tail-chain", ++c->chain);
    }
    opened(c, event);
    if (event->flags & ET_E_TC && lane->exit_known)
        flow(c, true, event->source, c->time, "tail-chain", c->chain);
    if (event->signal) {
        flow(c, true, event->source, c->time, "signal", event->signal);
        if (lane->pending)
            counter(c, event->source, "pending", --lane->pending);
    }
    counter(c, event->source, "depth", event->depth);
}

static void left(struct chrome *c, const struct et_event *event)
{
    struct lane *lane = &c->lane[event->source];
    unsigned at = lane->open;
    while (event->frame && at > 0 && lane->frame[at - 1] != event->frame)
        at--;
    if (!event->frame || !at) {
        instant(c, event->source, "EXIT without ENTRY", 't');
        return;
    }
    while (!lane->context && lane->open > at) /* what the decoder has not closed */
        close_slice(c, event->source, lane->open - 1, NULL);
    close_slice(c, event->source, at - 1, event);
    lane->last_exit = c->time;
    lane->exit_known = event->time_known;
    counter(c, event->source, "depth", event->depth);
}

static void signalled(struct chrome *c, const struct et_event *event)
{
    struct lane *lane = &c->lane[event->source];
    char name[ET_NAME_SIZE], whole[ET_NAME_SIZE + 16];
    const bool gone = event->flags & ET_E_WITHDRAWN;
    snprintf(whole, sizeof whole, "%s %s", gone ? "withdrawn" : "SIGNAL", name_of(c, number_of(event), name));
    instant(c, event->source, whole, 't');
    if (!gone && event->signal)
        flow(c, false, event->source, c->time, "signal", event->signal);
    if (!gone)
        lane->pending++;
    else if (lane->pending)
        lane->pending--;
    counter(c, event->source, "pending", lane->pending);
}

static void configured(struct chrome *c, const struct et_event *event)
{
    const struct et_config config = {.reg[ETCR] = event->value};
    struct lane *lane = &c->lane[event->source];
    if (event->reg == ETCR && lane->context != (bool)ET_GET(&config, ETCR, CTX)) {
        while (lane->open)
            close_slice(c, event->source, lane->open - 1, NULL);
        lane->context = ET_GET(&config, ETCR, CTX);
    }
}

static void other(struct chrome *c, const struct et_event *event)
{
    char line[80];
    if (event->kind == ET_K_STATE)
        instant(c, event->source, et_state_name((unsigned)event->value), 't');
    if (event->kind == ET_K_MARK) {
        snprintf(line, sizeof line, "MARK %" PRIX64, event->value);
        instant(c, event->source, line, 't');
    }
    if (event->kind == ET_K_LOST) {
        const bool known = event->value != UINT64_MAX;
        snprintf(line, sizeof line, known ? "%" PRIu64 " events lost" : "events lost", event->value);
        instant(c, event->source, line, 'g');
        c->lane[event->source].lost += known ? event->value : 0;
        counter(c, event->source, "lost", c->lane[event->source].lost);
    }
}

static void event(void *output, const struct et_event *event)
{
    struct chrome *c = output;
    if (event->kind == ET_K_FILE || event->source >= SOURCES)
        return;
    et_scale_event(&c->scale, event);
    introduce(c, event->source);
    c->time = event->time;
    switch (event->kind) {
    case ET_K_ENTRY:
        entry(c, event);
        break;
    case ET_K_EXIT:
        left(c, event);
        break;
    case ET_K_SIGNAL:
        signalled(c, event);
        break;
    case ET_K_CONFIG:
        configured(c, event);
        break;
    default:
        other(c, event);
        break;
    }
}

static void diagnostic(void *output, const struct et_diagnostic *diagnostic) { (void)output, (void)diagnostic; }

static void end(void *output, const struct et_decoder_sums *sums)
{
    struct chrome *c = output;
    const struct et_writer *w = &c->setting->writer;
    for (unsigned i = 0; i < SOURCES; i++)
        while (c->lane[i].open)
            close_slice(c, i, c->lane[i].open - 1, NULL);
    et_print(w, "\n],\"otherData\":{\"clock\":\"%s\",\"events\":%" PRIu64 ",\"diagnostics\":%" PRIu64,
             et_clock_name(c->scale.clock), sums->events, sums->diagnostics);
    if (c->scale.clock == ET_CLOCK_INSN || c->scale.clock == ET_CLOCK_CYCLE)
        et_print(w, ",\"ticks_per_second\":%" PRIu64 ",\"ticks\":\"%s\"", c->scale.rate,
                 c->setting->insn_rate ? "as told" : "one tick is shown as 1 ns");
    et_put(w, "}}\n");
    free(c);
}

static void group(void *output, const struct et_ri_group *group)
{
    struct chrome *c = output;
    head(c, "i", group->cpu, group->time);
    et_print(&c->setting->writer, ",\"name\":\"RI group\",\"cat\":\"ri\",\"s\":\"t\",\"args\":{\"records\":%u,",
             group->records);
    et_print(&c->setting->writer, "\"address\":\"%" PRIX64 "\",\"next\":\"%" PRIX64 "\"}}", group->address,
             group->next);
}

const struct et_output et_output_chrome = {
    .name = "chrome",
    .help = "trace-event JSON, for ui.perfetto.dev and chrome://tracing",
    .wants = ET_OUTPUT_MERGED,
    .begin = begin,
    .event = event,
    .diagnostic = diagnostic,
    .group = group,
    .end = end,
};
