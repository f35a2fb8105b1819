/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that run the machine: start, stop, step. */
#include "cpu/control/interrupt.h"
#include "cpu/control/status.h"
#include "cpu/state/timing.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/listing.h"
#include "emu/console/console.h"
#include "emu/console/run.h"
#include "emu/console/debug/debug.h"
#include "emu/console/base/told.h"
#include "emu/control/control.h"
#include "emu/debug/gdb.h"
#include "emu/observe/exception_trace.h"
#include "ri/ri.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct watch {
    uint64_t counts[CPU_MAX][RI_STOP_COUNT];
};

static void count(const struct ri *ri, uint64_t counts[RI_STOP_COUNT])
{
#define STOP(name, member) counts[RI_STOP_##name] = ri->member;
    CONSOLE_RI_STOPS(STOP)
#undef STOP
}

static void watch_begin(const struct console *c, struct watch *w)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        count(c->machine->sys.cpus[i]->ri, w->counts[i]);
}

/* The CPU on which what `ri stop` asked for has happened; NULL: none. */
static struct cpu *watch_met(const struct console *c, const struct watch *w)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++) {
        struct cpu *cpu = c->machine->sys.cpus[i];
        uint64_t now[RI_STOP_COUNT];
        count(cpu->ri, now);
        for (unsigned k = 0; k < RI_STOP_COUNT; k++)
            if (c->ri_stop >> k & 1 && now[k] != w->counts[i][k])
                return cpu;
    }
    return NULL;
}

static void watch_cpus(struct console *c, bool on)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        c->machine->sys.cpus[i]->ri_watch = on;
}

enum go_end { GO_RAN, GO_RI, GO_LIMIT };

/* One stretch of the machine, with `ri stop` in mind. */
static enum go_end observed_stretch(struct console *c, uint64_t limit)
{
    struct watch w;
    if (!c->ri_stop) {
        c->result = console_run(c, limit);
        return GO_RAN;
    }
    enum go_end end = GO_RAN;
    watch_cpus(c, true);
    watch_begin(c, &w);
    for (uint64_t done = 0; done < limit;) { /* the machine ends with a request when a CPU stored a group or halted */
        c->result = console_run(c, limit - done);
        done += c->result.instructions;
        struct cpu *met = watch_met(c, &w);
        if (met) {
            c->cpu = met;
            end = GO_RI;
            break;
        }
        if (c->result.end != MACHINE_REQUEST || !c->result.cpu || c->result.cpu->taken.stopped ||
            c->result.cpu->taken.loop || c->result.cpu->watched.count || c->stopped_outside)
            break;
        watch_begin(c, &w);
    }
    watch_cpus(c, false);
    return end;
}

static enum go_end stretch(struct console *c, uint64_t limit)
{
    session_lend_terminal(c->session);
    enum go_end end = observed_stretch(c, limit);
    session_take_terminal(c->session);
    return end;
}

/* What interruptions left behind in the run before counts no more. */
static void begin_run(struct console *c)
{
    c->trace_muted = false;
    exception_trace_go(c->machine);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        console_look_for_loops(c->machine->sys.cpus[i]);
}

/* The CPU whose interruption ended the run; NULL: that was not it. */
static struct cpu *interrupted_cpu(const struct console *c)
{
    struct cpu *cpu = c->result.end == MACHINE_REQUEST ? c->result.cpu : NULL;
    return cpu && (cpu->taken.stopped || cpu->taken.loop) ? cpu : NULL;
}

/* The CPU whose access to something that is watched ended the run; NULL: that was not it. */
static struct cpu *watching_cpu(const struct console *c)
{
    struct cpu *cpu = c->result.end == MACHINE_REQUEST ? c->result.cpu : NULL;
    return cpu && cpu->watched.count ? cpu : NULL;
}

/* What `et stop` or a rule of exception trace asked for has happened there. */
static bool traced_stop(const struct console *c, const struct cpu *cpu, char *words, size_t size)
{
    return cpu && !cpu->taken.loop && exception_trace_stopped(c->machine, cpu, words, size);
}

static const char *end_words(const struct console *c, enum go_end end)
{
    char words[96];
    if (end == GO_RAN && traced_stop(c, interrupted_cpu(c), words, sizeof words))
        return "exception trace: what 'et stop' or a rule asked for has happened";
    if (end == GO_RAN && interrupted_cpu(c))
        return c->result.cpu->taken.loop ? CONSOLE_LOOP_WORDS : "breakpoint at an interruption";
    if (end == GO_RAN && watching_cpu(c))
        return "watchpoint";
    if (end == GO_RI)
        return "run-time instrumentation: what 'ri stop' asked for has happened";
    switch (c->result.end) {
    case MACHINE_LIMIT:
        return "the limit of instructions is reached";
    case MACHINE_STOPPED:
        return "every CPU is stopped or in a disabled wait";
    case MACHINE_POWERED_OFF:
        return "the guest powered off";
    case MACHINE_IDLE:
        return "every CPU waits for what cannot come";
    case MACHINE_BREAK:
        return c->arrived && c->arrival ? c->arrival : "breakpoint";
    case MACHINE_REFUSED:
        return "the host does not give what the run needs";
    default:
        return gdb_killed(c->session)        ? "gdb has killed the guest"
               : c->stopped_outside          ? "stopped from outside"
               : c->quit                     ? "the program is to end"
               : c->session->met             ? "the guest wrote what was expected"
               : c->session->deadline_struck ? "the time is over"
                                             : "interrupted from the keyboard";
    }
}

/* The program interruption that the operator should know of: of a loop its first cause; at an end or a breakpoint the
   latest one. */
static void tell_interruptions(struct console *c, enum go_end end, const struct cpu *cpu)
{
    char words[160];
    const struct cpu_taken *t = &cpu->taken;
    if (end == GO_RAN && interrupted_cpu(c) == cpu && traced_stop(c, cpu, words, sizeof words)) {
        SHOW(c, "{}\n", fact_text("traced", words));
        return;
    }
    if (end == GO_RAN && interrupted_cpu(c) == cpu) {
        console_class_words(t->class, t->code, words, sizeof words);
        if (!t->loop) /* of a program interruption more is told below */
            SHOW(c, t->class == CPU_CLASS_PROGRAM ? "" : "{}\n", fact_text("interruption", words));
        if (!t->loop && t->class != CPU_CLASS_PROGRAM)
            return;
    } else if (!console_end_worth_telling(cpu) && !(c->result.end == MACHINE_BREAK && t->latest.number)) {
        return;
    }
    const struct told told = console_told(c, cpu, t->loop ? &t->origin : &t->latest);
    console_show_told(c, "program_interruption", t->loop ? "it began with " : "the latest ", &told, true);
}

static void tell_end(struct console *c, enum go_end end)
{
    struct cpu *cpu = end == GO_RI ? c->cpu : c->result.cpu ? c->result.cpu : c->cpu;
    c->cpu = cpu;
    control_stopped(c->session, end_words(c, end), cpu);
    if (c->no_ends == c->out)
        return;
    if (!c->machine->sclp.at_line_start && c->session->out == c->out)
        show_words(c, "\n");
    show_object(c, NULL);
    SHOW(c, "{}, {} instructions so far\n", fact_text("end", end_words(c, end)),
         fact_number("instructions", machine_instructions(c->machine)));
    console_where(c, cpu);
    if (watching_cpu(c))
        console_show_watched(c, cpu);
    tell_interruptions(c, end, cpu);
    show_end_object(c);
}

/* What is to be done at a stop. */
struct stop {
    bool counts; /* something was met that counts */
    bool stays;  /* and some of that has no g behind its commands */
    char actions[CONSOLE_LINE];
};

/* The last of the commands is g: it is taken away. */
static bool take_go(char *commands)
{
    char *last = strrchr(commands, ';');
    last = last ? last + 1 : commands;
    last += strspn(last, " \t");
    const size_t n = strcspn(last, " \t");
    const bool is_go = (n == 1 && strncasecmp(last, "g", n) == 0) || (n == 2 && strncasecmp(last, "go", n) == 0);
    if (!is_go || last[n + strspn(last + n, " \t")])
        return false;
    *last = 0;
    return true;
}

/* It was met: does it count? Its commands are noted then. */
static bool met(struct console *c, struct cpu *cpu, struct console_when *when, struct stop *stop)
{
    if (!console_when_holds(c, cpu, when) || ++when->hits < when->from)
        return false;
    stop->counts = true;
    const size_t n = strlen(stop->actions);
    char commands[CONSOLE_ACTION];
    strcpy(commands, when->action);
    stop->stays |= !take_go(commands);
    if (*commands && n + strlen(commands) + 2 < sizeof stop->actions)
        sprintf(stop->actions + n, "%s%s", n ? ";" : "", commands);
    return true;
}

static struct stop look_at_breaks(struct console *c, struct cpu *cpu, bool of_class)
{
    struct stop stop = {0};
    bool plain = false;
    c->arrived = false;
    for (int n = 0; (n = console_break_met(c, cpu, of_class, (unsigned)n)) >= 0;) {
        struct console_break *b = &c->breaks[n];
        const bool counts = met(c, cpu, &b->when, &stop);
        c->arrived |= counts && b->passing;
        plain |= counts && !b->passing;
        if (counts && b->when.once)
            console_break_remove(c, b); /* another one has its number now */
        else
            n++;
    }
    c->arrived &= !plain;
    return stop;
}

static struct stop look_at_watches(struct console *c, struct cpu *cpu)
{
    struct stop stop = {.counts = console_watch_plain(c, cpu)};
    stop.stays = stop.counts;
    for (int n = 0; (n = console_watch_met(c, cpu, (unsigned)n)) >= 0;) {
        struct console_when *when = &c->watches[n].when;
        const bool counts = met(c, cpu, when, &stop);
        if (!counts)
            console_watch_forget(c, cpu, (unsigned)n);
        if (counts && when->once)
            console_watch_remove(c, (unsigned)n);
        else
            n++;
    }
    return stop;
}

/* What ended the run; *goes_on: nothing that is meant, as when a condition does not hold, or the interruption has
   another code. */
static struct stop look_at_end(struct console *c, bool *goes_on)
{
    struct cpu *cpu = interrupted_cpu(c);
    struct stop stop = {0};
    char words[96];
    *goes_on = false;
    if (traced_stop(c, cpu, words, sizeof words))
        return stop;
    if (watching_cpu(c)) {
        stop = look_at_watches(c, c->result.cpu);
        *goes_on = !stop.counts;
    } else if (cpu && !cpu->taken.loop) {
        stop = look_at_breaks(c, cpu, true);
        *goes_on = !stop.counts;
    } else if (c->result.end == MACHINE_BREAK && c->result.cpu) {
        const bool ours = console_break_met(c, c->result.cpu, false, 0) >= 0;
        stop = look_at_breaks(c, c->result.cpu, false);
        *goes_on = ours && !stop.counts;
    }
    return stop;
}

/* Carry out the commands of what was met. False: one of them failed, and those behind it were left. */
static bool act(struct console *c, char *commands)
{
    char *rest = NULL;
    const struct show_aside aside = show_put_aside(c);
    const unsigned machines = c->session->machines;
    bool good = true;
    c->acting = true;
    for (char *line = strtok_r(commands, ";", &rest); line && good && !c->quit; line = strtok_r(NULL, ";", &rest))
        good = console_line(c, line) == 0;
    c->acting = false;
    show_take_back(c, &aside);
    if (c->session->machines != machines)
        c->result = (struct machine_result){.end = MACHINE_REQUEST};
    return good && c->session->machines == machines && !c->quit;
}

/* The same where the machine is to run on behind them, and speaks of another CPU then. */
static bool act_and_go(struct console *c, struct stop *stop)
{
    struct cpu *chosen = c->cpu;
    if (c->result.cpu)
        c->cpu = c->result.cpu;
    const bool good = act(c, stop->actions);
    *stop->actions = 0;
    if (!good)
        return false;
    c->cpu = chosen;
    if (c->result.cpu)
        c->result.cpu->watched.count = 0;
    return true;
}

int console_go(struct console *c)
{
    enum go_end end = GO_RAN;
    bool goes_on = true;
    struct stop stop = {0};
    if (c->acting)
        return console_fail(
            c, "nothing runs while the commands of a breakpoint are carried out; g may stand at their end");
    void (*const prompt)(struct console *, bool) = c->prompt;
    c->prompt = NULL;
    if (prompt)
        prompt(c, false);
    c->has_result = true;
    c->stopped_outside = false;
    control_running(c->session);
    fflush(c->out);
    c->session->interrupted |= c->session->terminated; /* the program is to end: nothing runs any more */
    while (goes_on) {
        uint64_t used = machine_instructions(c->machine), limit = UINT64_MAX;
        if (c->limit)
            limit = used < c->limit ? c->limit - used : 0;
        begin_run(c);
        end = stretch(c, limit);
        goes_on = false;
        if (end == GO_RAN)
            stop = look_at_end(c, &goes_on);
        if (!goes_on && stop.counts && !stop.stays)
            goes_on = act_and_go(c, &stop);
    }
    c->session->interrupted = false;
    c->quit |= c->session->terminated;
    console_trace_flush(c);
    console_break_passed(c);
    tell_end(c, end);
    const bool good = !*stop.actions || act(c, stop.actions);
    if (prompt)
        prompt(c, true);
    c->prompt = prompt;
    return good ? 0 : console_fail(c, "the commands of the breakpoint were not carried out to their end");
}

void console_start(struct console *c)
{
    c->json = c->json_always;
    session_start(c->session);
    console_go(c);
    if (c->facts.length)
        console_print(c, "%s\n", c->facts.text);
    json_clear(&c->facts);
}

/* The machine is left where it is when the words come. */
int console_cmd_expect(struct console *c, int argc, char **argv)
{
    (void)argv;
    if (argc < 2 || strlen(c->rest) >= sizeof c->session->expected)
        return console_usage(c, "expect");
    session_expect(c->session, c->rest);
    if (c->cpu->state == CPU_STATE_STOPPED)
        cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    int code = console_go(c);
    bool met = c->session->met;
    session_expect(c->session, "");
    return code || met ? code : console_fail(c, "the guest did not write it");
}

int console_cmd_go(struct console *c, int argc, char **argv)
{
    struct console_break until = {.passing = true};
    if (argc > 2)
        return console_usage(c, "g");
    if (argc == 2 && (console_value(c, argv[1], &until.address) || console_break_add(c, &until)))
        return -1;
    if (c->cpu->state == CPU_STATE_STOPPED)
        cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    return console_go(c);
}

/* Why a CPU carries out nothing though it was told to step. */
static const char *why_nothing(const struct cpu *cpu)
{
    if (cpu->psw.mask & PSW_WAIT)
        return machine_disabled_wait(cpu)
                   ? "the CPU waits with every interruption masked off: only restart or a reset brings it out"
                   : "the CPU waits for an interruption that it is enabled for, and none is pending; 'pending' and "
                     "'psw' "
                     "tell more";
    return cpu->state == CPU_STATE_OPERATING ? "nothing was carried out" : "the CPU is stopped";
}

/* One instruction; what interrupted it behind. It is told before when there are several: `line` is the source line that
   was told last, NULL for one alone. */
static unsigned step_once(struct console *c, char *line)
{
    char words[256];
    const uint64_t number = c->cpu->taken.latest.number;
    if (line && !console_traces_to_screen(c) && !(c->cpu->psw.mask & PSW_WAIT) &&
        look_line(c, c->cpu->psw.ia, words, sizeof words)) {
        listing_source(c, c->cpu->psw.ia, line);
        show_words(c, "%s\n", words);
    }
    const unsigned end = machine_step(c->machine, c->cpu);
    if (c->cpu->taken.latest.number != number) {
        const struct told told = console_told(c, c->cpu, &c->cpu->taken.latest);
        console_show_told(c, NULL, "", &told, false);
    }
    return end;
}

int console_cmd_step(struct console *c, int argc, char **argv)
{
    uint64_t count = 1, done = cpu_instructions(c->cpu);
    char line[LISTING_PLACE] = "";
    const bool kept = c->keep_branches;
    const struct machine_door *door = c->machine->door;
    if (argc > 2)
        return console_usage(c, "s");
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    const uint8_t state = c->cpu->state;
    if (state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "s: CPU %X is in the check-stop state; only a reset brings it out", c->cpu->address);
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    c->keep_branches = true;
    console_observe(c);
    show_object(c, NULL);
    show_list(c, "program_interruptions");
    c->trace_muted = false;
    if (door)
        door->begin(door->context);
    for (uint64_t i = 0; i < count; i++) {
        const unsigned end = step_once(c, count > 1 ? line : NULL);
        if (door && c->machine->sys.cpu_count > 1) /* the others' turns are no longer where they would have been */
            door->begin(door->context);
        if (end == ENGINE_WAIT || end == ENGINE_STOPPED || c->cpu->watched.count || session_interrupted(c->session) ||
            session_late(c->session))
            break;
    }
    const char *why = c->session->deadline_struck                 ? "the time is over"
                      : cpu_instructions(c->cpu) == done && count ? why_nothing(c->cpu)
                                                                  : NULL;
    if (state == CPU_STATE_STOPPED && c->cpu->state == CPU_STATE_OPERATING)
        cpu_set_state(c->cpu, CPU_STATE_STOPPED);
    if (door)
        door->end(door->context);
    show_end_list(c);
    c->keep_branches = kept;
    console_observe(c);
    console_where(c, c->cpu);
    console_show_watched(c, c->cpu);
    if (why)
        SHOW(c, "{}\n", fact_text("nothing", why));
    show_end_object(c);
    return 0;
}

int console_cmd_start(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->cpu->state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "start: CPU %X is in the check-stop state; only a reset brings it out", c->cpu->address);
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    return 0;
}

int console_cmd_stop(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->cpu->state == CPU_STATE_OPERATING)
        cpu_set_state(c->cpu, CPU_STATE_STOPPED);
    return 0;
}

int console_cmd_restart(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->cpu->state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "restart: CPU %X is in the check-stop state; only a reset brings it out",
                            c->cpu->address);
    cpu_raise_restart(c->cpu);
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    return 0;
}

int console_cmd_store(struct console *c, int argc, char **argv)
{
    if (argc != 2 || !console_wants(c, "store", "", argv[1]))
        return argc == 2 ? -1 : console_usage(c, "store");
    if (c->cpu->state == CPU_STATE_OPERATING)
        cpu_set_state(c->cpu, CPU_STATE_STOPPED);
    cpu_store_status(c->cpu);
    return 0;
}

int console_cmd_ext(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    cpu_raise_external(c->cpu, CPU_EXT_INTERRUPT_KEY);
    return 0;
}
