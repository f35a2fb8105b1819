/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running without a console. */
#include "emu/batch.h"
#include "emu/console/console.h"
#include "emu/console/base/told.h"
#include "emu/console/debug/debug.h"
#include "emu/debug/gdb.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

int emu_end_status(const struct session *s, const struct machine_result *result)
{
    if (result->end == MACHINE_LIMIT || s->deadline_struck || s->played_out)
        return EMU_EXIT_LIMIT;
    if (result->end == MACHINE_REFUSED)
        return EMU_EXIT_HOST;
    return session_good_end(s, result) ? EMU_EXIT_GOOD : EMU_EXIT_BAD;
}

/* The program interruption that explains the end of a CPU, if one does. */
static void print_interruption(struct console *console, const struct cpu *cpu)
{
    const struct cpu_taken *t = &cpu->taken;
    if (!t->loop && !console_end_worth_telling(cpu))
        return;
    const struct told told = console_told(console, cpu, t->loop ? &t->origin : &t->latest);
    fprintf(stderr, "zri: CPU %u: %s%s; %" PRIu64 " instructions before\n", cpu->address,
            t->loop ? "it began with " : "the latest ", told.words, told.before);
}

/* Print on standard error how every CPU ended. */
static void print_end(const struct session *s, struct console *console, const struct machine_result *result)
{
    const struct machine *m = s->machine;
    char words[128];
    if (!m->sclp.at_line_start && s->out && isatty(fileno(s->out)))
        fputc('\n', s->out);
    if (s->deadline_struck)
        fprintf(stderr, "zri: the time that --seconds gives is over\n");
    else if (result->end == MACHINE_LIMIT)
        fprintf(stderr, "zri: the number of instructions that --limit gives is over\n");
    else if (result->end == MACHINE_IDLE)
        fprintf(stderr, "zri: every CPU waits for what cannot come\n");
    else if (result->end == MACHINE_REQUEST && result->cpu && result->cpu->taken.loop)
        fprintf(stderr, "zri: " CONSOLE_LOOP_WORDS "\n");
    if (result->end == MACHINE_POWERED_OFF) { /* that its CPUs are stopped is no news */
        fprintf(stderr, "zri: powered off\n");
        return;
    }
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const struct cpu *cpu = m->sys.cpus[i];
        if (cpu->state == CPU_STATE_STOPPED && cpu_instructions(cpu) == 0 && i)
            continue; /* never started */
        machine_cpu_words(cpu, words, sizeof words);
        fprintf(stderr, "zri: %s\n", words);
        print_interruption(console, cpu);
    }
}

/* Clients of the control socket have a say. *ends: one of them has ended it while the guest had not come to an end. */
static struct machine_result attend(struct console *console, const struct emu_options *o, bool *ends)
{
    struct machine_result result = {.end = MACHINE_REQUEST};
    console_set_limit(console, o->limit);
    console_stand(console, !o->stop);
    if (console_result(console))
        result = *console_result(console);
    *ends = console_quit(console) && console_in_between(console);
    return result;
}

static struct machine_result run(struct session *s, uint64_t limit, bool *same)
{
    struct machine_result result;
    char why[512];
    *same = true;
    if (!s->twin)
        return gdb_run(s, limit);
    *same = session_lockstep(s, limit, &result, why, sizeof why);
    if (!*same)
        fprintf(stderr, "zri: the engines differ: %s\n", why);
    else
        fprintf(stderr, "zri: lockstep: %" PRIu64 " instructions, no difference\n", result.instructions);
    return result;
}

int emu_measure(struct console *console, const struct emu_options *o)
{
    if (o->pipe_sample && console_measure(console, "sample", o->pipe_sample))
        return -1;
    return o->pipe_by && console_measure(console, "by", o->pipe_by) ? -1 : 0;
}

int emu_batch(struct session *s, const struct emu_options *o, emu_ready *ready)
{
    char error[512];
    bool same = true, quit = false;
    if (!s->control)
        session_start(s);
    if (o->seconds > 0)
        s->deadline_ns = session_now_ns() + (uint64_t)(o->seconds * 1e9);
    if (!isatty(STDIN_FILENO) && !(o->gdb && strcmp(o->gdb, "stdio") == 0))
        s->input = STDIN_FILENO;
    session_watch_termination(s);
    struct console *console = console_create(s, stderr); /* for commands of the guest, a trace, and words for the end */
    if (!console) {
        fprintf(stderr, "zri: the host has no memory for a console\n");
        return EMU_EXIT_HOST;
    }
    console_serve_guest(console);
    console_serve_debugger(console);
    console_serve_control(console);
    int status = o->trace && console_trace(console, o->trace, o->trace_what) ? EMU_EXIT_HOST : EMU_EXIT_GOOD;
    if (!status && emu_measure(console, o))
        status = EMU_EXIT_HOST;
    if (!status && ready)
        status = ready(s, o);
    if (status) {
        console_destroy(console);
        return status;
    }
    for (unsigned i = 0; !s->twin && i < s->machine->sys.cpu_count; i++)
        console_look_for_loops(s->machine->sys.cpus[i]);
    struct machine_result result =
        s->control ? attend(console, o, &quit) : run(s, o->limit ? o->limit : UINT64_MAX, &same);
    status = quit ? EMU_EXIT_GOOD : same ? emu_end_status(s, &result) : EMU_EXIT_BAD;
    print_end(s, console, &result);
    if (o->pipe_report && console_measure(console, "report", o->pipe_report))
        status = EMU_EXIT_HOST;
    if (!console_end(console))
        status = EMU_EXIT_HOST;
    console_destroy(console);
    if (o->savecore && session_savecore(s, o->savecore, o->save_start, o->save_end, error, sizeof error)) {
        fprintf(stderr, "zri: %s\n", error);
        status = EMU_EXIT_HOST;
    }
    return status;
}
