/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that go through the past of the machine. */
#include "emu/history/history.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/told.h"
#include "emu/console/debug/debug.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_MEGABYTES (UINT64_C(1) << 20)

static uint64_t microseconds(uint64_t tod) { return tod / CPU_TOD_MICROSECOND; }

static int show(struct console *c)
{
    struct history_words w;
    history_tell(c->session, &w);
    show_object(c, NULL);
    if (!w.kept) {
        SHOW(c, "{}\n", fact_flag("kept", false, "", "the past is not kept; history on begins with that"));
    } else {
        SHOW(c, "{}instruction {} at {} us to {} at {} us\n", fact_flag("kept", true, "the past is kept: ", ""),
             fact_number("first", w.first), fact_number("first_us", microseconds(w.first_time)),
             fact_number("now", w.now), fact_number("now_us", microseconds(w.now_time)));
        SHOW(c, "{} moments in {} bytes of {} at most; {} things came from outside{}\n",
             fact_number("moments", w.moments), fact_number("bytes", w.bytes), fact_number("most", w.most),
             fact_number("outside", w.outside), fact_flag("again", w.again, ", some of which come again", ""));
    }
    show_end_object(c);
    return 0;
}

int console_cmd_history(struct console *c, int argc, char **argv)
{
    return argc == 1 ? show(c) : console_run_word(c, "history", argc, argv);
}

int console_history_on(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    uint64_t megabytes = HISTORY_BYTES >> 20;
    if (argc > 3)
        return console_usage(c, "history");
    if (argc == 3 && console_count(c, argv[2], &megabytes))
        return -1;
    if (!megabytes || megabytes > MOST_MEGABYTES)
        return console_fail(c, "history: 1 to %" PRIu64 " megabytes (decimal) may be used", MOST_MEGABYTES);
    return history_begin(c->session, megabytes << 20, HISTORY_SPACING, error, sizeof error)
               ? console_fail(c, "%s", error)
               : 0;
}

int console_history_off(struct console *c, int argc, char **argv)
{
    (void)argv;
    if (argc > 2)
        return console_usage(c, "history");
    history_end(c->session);
    return 0;
}

/* How a journey ended, and where the machine is now. */
static int tell(struct console *c, const struct history_end *end, const char *what)
{
    static const char *const accesses[] = {[CPU_WATCH_INSTRUCTION] = "the next instruction accesses",
                                           [CPU_WATCH_MACHINE] =
                                               "behind the next instruction an interruption stores into",
                                           [CPU_WATCH_OUTSIDE] = "with the next instruction a device stores into"};
    if (end->cpu)
        c->cpu = end->cpu;
    c->next_u = c->next_r = c->next_v = 0;
    show_object(c, NULL);
    SHOW(c, "{}, {} instructions so far\n",
         fact_text("end", end->interrupted ? "interrupted from the keyboard"
                          : end->begin     ? "the past that is kept begins here"
                          : end->ended     ? "the guest ends here"
                                           : what),
         fact_number("instructions", machine_instructions(c->machine)));
    console_where(c, c->cpu);
    for (unsigned i = 0; !end->begin && i < end->watched.count; i++)
        SHOW(c, "watchpoint at {}: {} {}\n", fact_hex("watchpoint", end->watched.hits[i].watch, 1),
             fact_text(NULL, accesses[end->watched.hits[i].who]), fact_hex("at", end->watched.hits[i].address, 1));
    show_end_object(c);
    return 0;
}

int console_cmd_back(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    struct history_end end;
    uint64_t count = 1;
    if (argc > 2)
        return console_usage(c, "rs");
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    if (history_back(c->session, c->cpu, count, &end, error, sizeof error))
        return console_fail(c, "rs: %s", error);
    return tell(c, &end, "stepped back");
}

/* TIME is a decimal number with us, ms or s; in TOD units. 1: it is no time, -1 after a sentence. */
static int parse_time(struct console *c, const char *text, uint64_t *time)
{
    static const struct {
        const char *name;
        uint64_t microseconds;
    } units[] = {{"us", 1}, {"ms", 1000}, {"s", 1000000}};
    char *end;
    const double value = strtod(text, &end);
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && strcasecmp(end, units[i].name) == 0) {
            if (!(value >= 0 && value * (double)units[i].microseconds < 1e15))
                return console_fail(c, "goto: a time is 0s to 999999999s");
            *time = (uint64_t)(value * (double)units[i].microseconds) * CPU_TOD_MICROSECOND;
            return 0;
        }
    return 1;
}

int console_cmd_goto(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    struct history_end end;
    uint64_t place;
    if (argc != 2)
        return console_usage(c, "goto");
    const int time = parse_time(c, argv[1], &place);
    if (time < 0 || (time && console_count(c, argv[1], &place)))
        return -1;
    if (time ? history_goto(c->session, place, &end, error, sizeof error)
             : history_goto_time(c->session, place, &end, error, sizeof error))
        return console_fail(c, "goto: %s", error);
    return tell(c, &end, "it is there");
}

/* Is it a breakpoint or watchpoint of the operator's, and does its condition hold? What counts hits is not asked: the
   past had them already. */
static bool meant(void *context, const struct machine_result *r)
{
    struct console *c = context;
    struct cpu *cpu = r->cpu;
    const struct console_break *b;
    if (cpu->watched.count)
        return true;
    if (r->end == MACHINE_BREAK)
        return (b = console_break_at(c, cpu->psw.ia)) && console_break_holds(c, cpu, b);
    return cpu->taken.stopped && console_break_class(c, cpu);
}

int console_cmd_back_go(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    struct history_end end;
    const struct history_search search = {.context = c, .meant = meant};
    (void)argv;
    if (argc != 1)
        return console_usage(c, "rg");
    if (history_search(c->session, &search, &end, error, sizeof error))
        return console_fail(c, "rg: %s", error);
    return tell(c, &end,
                end.watched.count          ? "watchpoint"
                : end.why == MACHINE_BREAK ? "breakpoint"
                                           : "breakpoint at an interruption");
}
