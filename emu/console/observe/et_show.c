/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `et`: what exception trace knows of the machine now, its counters, the newest events. */
#include "cpu/state/exceptions.h"
#include "cpu/state/interruptions.h"
#include "emu/console/observe/et_show.h"
#include "emu/console/base/internal.h"
#include "emu/observe/exception_trace.h"
#include "ri/trace/show/output.h"
#include <stdlib.h>
#include <string.h>

struct et_cpu *console_et_unit(struct console *c)
{
    const struct cpu *cpu = c->et_cpu < 0 ? c->cpu : c->machine->sys.cpus[c->et_cpu];
    struct et_cpu *unit = exception_trace_unit(c->machine, cpu);
    if (!unit)
        (void)console_fail(c, "et: the host has no memory for exception trace");
    return unit;
}

static const char *program_name(unsigned code)
{
    const struct cpu_code_name *row = cpu_program_codes;
    while (row->name && row->code != code)
        row++;
    return row->name;
}

static const char *clock_name(const struct et_cpu *unit)
{
    static const char *const names[] = {"TOD units", "instructions", "cycles", "nanoseconds"};
    return names[ET_GET(et_configuration(unit), ETTS, CLK)];
}

/* ---- et status --------------------------------------------------------------------------------------------------- */

static void show_frame(struct console *c, const struct et_cpu *unit, const struct et_frame_view *frame, uint64_t now)
{
    char name[ET_NAME_SIZE], interrupted[ET_NAME_SIZE];
    const uint64_t since = now > frame->since ? now - frame->since : 0;
    SHOW_ROW(c, "  {-28} for {} {}, has interrupted {} at {}\n",
             fact_text("name", et_number_name(frame->en, program_name, name)), fact_number("ticks", since),
             fact_text("unit", clock_name(unit)),
             fact_text("interrupted", et_number_name(frame->interrupted, program_name, interrupted)),
             fact_hex("address", frame->old.address, 16), fact_hex("en", frame->en, 3));
}

static void show_accounts(struct console *c, const struct et_cpu *unit)
{
    struct et_accounts a;
    et_accounts(unit, &a);
    SHOW(c, "  {} events: {} put out, {} left out, {} lost (decimal){}\n", fact_number("detected", a.detected),
         fact_number("emitted", a.emitted), fact_number("filtered", a.filtered), fact_number("lost", a.lost),
         fact_flag("held", et_read(unit, ETST) >> ETST_HELD_LOW & 1, ", an EXIT is held", ""));
    SHOW(c, "  {} reloads where no handler ran, {} that end none (decimal)\n",
         fact_number("reloads_in_normal", a.reloads_in_normal),
         fact_number("reloads_in_handler", a.reloads_in_handler));
}

static void show_cpu(struct console *c, struct cpu *cpu)
{
    const struct et_cpu *unit = cpu->exceptions->unit;
    const uint64_t now = exception_trace_now(c->machine, cpu);
    struct et_frame_view frame;
    char name[ET_NAME_SIZE];
    cpu_exceptions_settle(cpu);
    show_object(c, NULL);
    SHOW(c, "CPU {x}: output {}; {} runs, nested {} deep; the clock is at {} {}\n", fact_hex("cpu", cpu->address, 2),
         fact_flag("output", et_read(unit, ETST) >> ETST_ACTIVE_LOW & 1, "on", "off"),
         fact_text("current", et_number_name(et_current(unit), program_name, name)),
         fact_number("depth", et_depth(unit)), fact_number("now", now), fact_text("unit", clock_name(unit)));
    show_list(c, "frames");
    for (unsigned i = 0; et_frame(unit, i, &frame); i++)
        show_frame(c, unit, &frame, now);
    show_end_list(c);
    show_accounts(c, unit);
    show_end_object(c);
}

int console_et_status(struct console *c, int argc, char **argv)
{
    const char *file = exception_trace_file(c->machine);
    (void)argv;
    if (argc > 2)
        return console_usage(c, "et");
    if (!exception_trace_kept(c->machine)) {
        SHOW_ROW(c, "exception trace: {}\n",
                 fact_flag("kept", false, "", "nothing is kept; 'et on' or another word of et begins it"));
        return 0;
    }
    show_object(c, NULL);
    SHOW(c, "exception trace to {}\n", fact_text("file", file ? file : "memory"), fact_flag("kept", true, "", ""));
    show_list(c, "cpus");
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        if (c->et_cpu < 0 || c->et_cpu == (int)i)
            show_cpu(c, c->machine->sys.cpus[i]);
    show_end_list(c);
    show_end_object(c);
    return 0;
}

/* ---- et stats
 * --------------------------------------------------------------------------------------------------------- */

static void add(struct et_count *sum, const struct et_count *one)
{
    sum->entries += one->entries;
    sum->exits += one->exits;
    sum->returns += one->returns;
    sum->tail_chains += one->tail_chains;
    sum->late_arrivals += one->late_arrivals;
    sum->gross += one->gross;
    sum->self += one->self;
    sum->latencies += one->latencies;
    sum->latency += one->latency;
    sum->gross_max = one->gross_max > sum->gross_max ? one->gross_max : sum->gross_max;
    sum->self_max = one->self_max > sum->self_max ? one->self_max : sum->self_max;
    sum->latency_max = one->latency_max > sum->latency_max ? one->latency_max : sum->latency_max;
}

/* Of one CPU, or of all together. */
static struct et_count count_of(const struct console *c, unsigned en)
{
    struct et_count sum = {.entries = 0};
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        if (c->et_cpu < 0 || c->et_cpu == (int)i)
            add(&sum, et_count(c->machine->sys.cpus[i]->exceptions->unit, en));
    return sum;
}

static void show_count(struct console *c, const char *name, const struct et_count *n, struct fact which)
{
    const uint64_t mean = n->exits ? n->gross / n->exits : 0, wait = n->latencies ? n->latency / n->latencies : 0;
    SHOW_ROW(c, "{-28}{10}{9}{6}{12}{12}{10}{10}\n", fact_text("name", name), fact_number("entries", n->entries),
             fact_number("tail_chains", n->tail_chains), fact_number("late_arrivals", n->late_arrivals),
             fact_number("self", n->self), fact_number("gross_max", n->gross_max), fact_number("gross_mean", mean),
             fact_number("latency_mean", wait), fact_number("exits", n->exits), fact_number("returns", n->returns),
             fact_number("gross", n->gross), fact_number("self_max", n->self_max),
             fact_number("latencies", n->latencies), fact_number("latency_max", n->latency_max), which);
}

static void show_counts(struct console *c)
{
    struct et_count classes[ET_CLASSES + 1] = {{0}};
    char name[ET_NAME_SIZE];
    show_words(c, "%-28s%10s%9s%6s%12s%12s%10s%10s\n", "", "entries", "chained", "late", "self", "longest", "mean",
               "waited");
    show_list(c, "numbers");
    for (unsigned en = 0; en < ET_NUMBERS; en++) {
        const struct et_count n = count_of(c, en);
        add(&classes[et_number_class(en)], &n);
        if (n.entries || n.exits)
            show_count(c, et_number_name(en, program_name, name), &n, fact_hex("en", en, 3));
    }
    show_end_list(c);
    show_list(c, "classes");
    for (unsigned class = 0; class < ET_CLASSES; class ++)
        if (classes[class].entries)
            show_count(c, et_class_name((enum et_class) class), &classes[class], fact_number("class", class));
    show_end_list(c);
}

int console_et_stats(struct console *c, int argc, char **argv)
{
    struct et_cpu *unit = console_et_unit(c);
    const struct console_word *word = argc == 3 ? console_wants(c, "et", "stats", argv[2]) : NULL;
    if (argc > 3)
        return console_usage(c, "et");
    if (!unit || (argc == 3 && !word))
        return -1;
    if (word) {
        for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
            if (c->et_cpu < 0 || c->et_cpu == (int)i)
                et_counts_reset(c->machine->sys.cpus[i]->exceptions->unit);
        return 0;
    }
    show_object(c, NULL);
    show_counts(c);
    SHOW(c,
         "self: in the handlers themselves; longest, mean: with all that interrupted them; waited: from the request "
         "on, mean; in {}\n",
         fact_text("unit", clock_name(unit)));
    show_end_object(c);
    return 0;
}

/* ---- et last, et tail
 * -------------------------------------------------------------------------------------------------- */

/* An event's line, as zri-et has it. */
struct line {
    char text[1024];
    size_t length;
};

static void keep(void *context, const char *file, const void *bytes, size_t size)
{
    struct line *line = context;
    (void)file;
    const size_t room = sizeof line->text - 1 - line->length, part = size < room ? size : room;
    memcpy(line->text + line->length, bytes, part);
    line->length += part;
    line->text[line->length] = 0;
}

static void make_line(struct line *line, const struct et_event *event)
{
    const struct et_output_setting setting = {.writer = {.context = line, .put = keep}, .program = program_name};
    const struct et_decoder_sums sums = {.input = 0};
    void *text = et_output_text.begin(&setting);
    line->length = 0;
    line->text[0] = 0;
    if (!text)
        return;
    et_output_text.event(text, event);
    const size_t length = line->length;
    et_output_text.end(text, &sums);
    line->length = length;
    line->text[length] = 0;
}

static bool shown(const struct console *c, const struct et_event *event)
{
    return event->kind <= ET_K_MARK && (c->et_cpu < 0 || event->source == (unsigned)c->et_cpu);
}

static void show_event(struct console *c, const struct et_event *event)
{
    struct line line;
    const uint64_t code = event->info[ET_INFO_CODE];
    make_line(&line, event);
    show_words(c, "%s", line.text);
    show_object(c, NULL);
    SHOW(c, "", fact_text("kind", et_kind_name(event->kind)), fact_number("cpu", event->source),
         fact_if(event->time_known, fact_number("time", event->time)),
         fact_if(event->en_known, fact_hex("en", event->en, 3)),
         fact_if(event->depth_known, fact_number("depth", event->depth)),
         fact_flag("tail_chained", event->flags & ET_E_TC, "", ""), fact_flag("late", event->flags & ET_E_LA, "", ""),
         fact_if(event->given >> ET_INFO_CODE & 1, fact_hex("code", code, 16)),
         fact_if(event->durations, fact_number("gross", event->gross)),
         fact_if(event->durations, fact_number("self", event->self)),
         fact_if(event->latency_known, fact_number("latency", event->latency)),
         fact_if(event->kind == ET_K_STATE || event->kind == ET_K_MARK, fact_hex("value", event->value, 16)));
    show_end_object(c);
}

/* The newest so many. */
struct newest {
    const struct console *c;
    struct et_event *event;
    uint64_t most, count;
};

static void note(void *context, const struct et_event *event)
{
    struct newest *n = context;
    if (!shown(n->c, event))
        return;
    n->event[n->count++ % n->most] = *event;
}

int console_et_last(struct console *c, int argc, char **argv)
{
    struct exception_live *live = exception_trace_live(c->machine);
    struct newest n = {.c = c, .most = 16};
    if (argc > 3)
        return console_usage(c, "et");
    if (argc == 3 && console_count(c, argv[2], &n.most))
        return -1;
    n.most = n.most > 10000 ? 10000 : n.most ? n.most : 1;
    n.event = calloc((size_t)n.most, sizeof *n.event);
    if (!live || !n.event || !exception_live_recent(live, note, &n)) {
        free(n.event);
        return console_fail(c, "et last: the host has no memory for it");
    }
    show_list(c, NULL);
    for (uint64_t i = n.count > n.most ? n.count - n.most : 0; i < n.count; i++)
        show_event(c, &n.event[i % n.most]);
    show_end_list(c);
    free(n.event);
    return 0;
}

static void tail(void *context, const struct et_event *event)
{
    struct console *c = context;
    struct line line;
    if (event->kind > ET_K_MARK || c->trace_muted)
        return;
    make_line(&line, event);
    console_print(c, "%s", line.text);
}

int console_et_tail(struct console *c, int argc, char **argv)
{
    struct exception_live *live = exception_trace_live(c->machine);
    const struct console_word *word = argc == 3 ? console_wants(c, "et", "tail", argv[2]) : NULL;
    if (argc > 3)
        return console_usage(c, "et");
    if (argc == 3 && !word)
        return -1;
    if (!live || !exception_live_follow(live, EXCEPTION_LIVE_CONSOLE, word && !word->value ? NULL : tail, c))
        return console_fail(c, "et tail: the host has no memory for it");
    return 0;
}
