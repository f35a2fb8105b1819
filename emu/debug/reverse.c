/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Backwards, for the client: bs and bc ("Debugging with GDB", "Reverse Execution"). Without a past that is kept the
   client learns that it begins here. */
#include "emu/debug/internal.h"
#include "emu/history/history.h"
#include <inttypes.h>
#include <stdio.h>

/* The journey has ended: a stop like any other. */
static void tell(struct gdb *g, const struct history_end *end, int code, const char *error)
{
    const struct machine *m = gdb_machine(g);
    struct cpu *cpu = end->cpu ? end->cpu : gdb_cpu(g);
    char why[64] = "";
    g->silent = true;
    if (code && m->host.message)
        m->host.message(m->host.context, error);
    if (code || end->begin) {
        snprintf(why, sizeof why, "replaylog:begin;");
    } else if (end->watched.count) {
        const struct cpu_watch_hit *hit = &end->watched.hits[0];
        snprintf(why, sizeof why, "%s:%" PRIx64 ";",
                 hit->kind == CPU_STORE   ? "watch"
                 : hit->kind == CPU_FETCH ? "rwatch"
                                          : "awatch",
                 hit->address);
    }
    gdb_stop(g, cpu, end->interrupted ? SIGNAL_INT : SIGNAL_TRAP, why);
}

void gdb_reverse_step(struct gdb *g, const char *arguments, size_t length)
{
    char error[512];
    struct history_end end = {0};
    struct cpu *cpu = g->resumes < CPU_MAX ? gdb_cpu_at(g, g->resumes) : gdb_cpu(g);
    (void)arguments;
    (void)length;
    const int code = history_back(g->session, cpu, 1, &end, error, sizeof error);
    end.cpu = cpu;
    tell(g, &end, code, error);
}

static bool meant(void *context, const struct machine_result *r)
{
    const struct gdb *g = context;
    for (unsigned i = 0; i < r->cpu->watched.count; i++)
        if (points_met(g, &r->cpu->watched.hits[i]))
            return true;
    return r->end == MACHINE_BREAK && points_at(g, r->cpu->psw.ia);
}

void gdb_reverse_continue(struct gdb *g, const char *arguments, size_t length)
{
    char error[512] = "the host has no memory for the points of gdb";
    struct history_end end = {0};
    const struct history_search search = {.context = g, .meant = meant};
    (void)arguments;
    (void)length;
    const int code = points_arm(g) ? history_search(g->session, &search, &end, error, sizeof error) : -1;
    tell(g, &end, code, error);
}
