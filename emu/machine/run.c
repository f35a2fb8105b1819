/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a machine: its CPUs in turn, or each in a host thread. */
#include "emu/machine/run.h"
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

struct machine_result machine_run(struct machine *m, uint64_t limit)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        m->sys.cpus[i]->goes_on = m->untold >> i & 1; /* the breakpoint that it is at counts still */
    m->untold = 0;
    return machine_go_on(m, limit);
}

void machine_cpu_words(const struct cpu *cpu, char *text, size_t size)
{
    snprintf(text, size, "CPU %u: %s, PSW %016" PRIX64 " %016" PRIX64, cpu->address, machine_state_name(cpu),
             cpu_psw_mask(cpu), cpu->psw.ia);
}
