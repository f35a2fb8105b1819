/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a machine: its CPUs in turn, or each in a host thread. */
#include "emu/machine/run.h"
#include "cpu/engine/engine.h"
#include "emu/machine/threads.h"
#include <inttypes.h>
#include <stdio.h>

struct machine_result machine_go_on(struct machine *m, uint64_t limit)
{
    const struct machine_door *door = m->door;
    if (door)
        door->begin(door->context);
    struct machine_result result = m->sys.threads ? machine_run_threads(m, limit) : machine_run_in_turn(m, limit);
    if (door)
        door->end(door->context);
    return result;
}

/* In rotation: the run ended for one CPU, and the slices of others had ended in front of their breakpoints. */
static void note_untold(struct machine *m, const struct cpu *told)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const struct cpu *cpu = m->sys.cpus[i];
        if (cpu != told && cpu->state == CPU_STATE_OPERATING && cpu->goes_on && engine_break_at(cpu, cpu->psw.ia))
            m->untold |= UINT64_C(1) << i;
    }
}

struct machine_result machine_go_on_telling(struct machine *m, uint64_t limit)
{
    const struct machine_result result = machine_go_on(m, limit);
    if (!m->sys.threads && result.end == MACHINE_BREAK)
        note_untold(m, result.cpu);
    return result;
}

struct machine_result machine_run(struct machine *m, uint64_t limit)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        m->sys.cpus[i]->goes_on = m->untold >> i & 1; /* the breakpoint that it is at counts still */
    m->untold = 0;
    return machine_go_on_telling(m, limit);
}

void machine_cpu_words(const struct cpu *cpu, char *text, size_t size)
{
    snprintf(text, size, "CPU %u: %s, PSW %016" PRIX64 " %016" PRIX64, cpu->address, machine_state_name(cpu),
             cpu_psw_mask(cpu), cpu->psw.ia);
}
