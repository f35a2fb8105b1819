/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observing the machine while it runs: who wants to be told, and branch history. */
#include "emu/console/base/internal.h"
#include "emu/console/base/teacher.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/events.h"
#include "emu/console/debug/trace.h"

static void before(void *context, struct cpu *cpu, const struct dis_insn *insn)
{
    if (trace_wanted(context))
        trace_before(context, cpu, insn);
}

static void after(void *context, struct cpu *cpu, const struct dis_insn *insn, int code)
{
    struct console *c = context;
    if (c->teacher && c->teacher->instructions && (code == 0 || cpu_code_completes(code)))
        c->teacher->instruction(c->teacher->context, cpu, insn);
    branches_note(&c->branches, cpu, insn, code);
    if (trace_wanted(c))
        trace_after(c, cpu, code);
}

static void interruption(void *context, struct cpu *cpu, enum cpu_class class, unsigned code)
{
    struct console *c = context;
    events_interruption(c, cpu, class, code);
    if (c->teacher)
        c->teacher->interruption(c->teacher->context, cpu, class, code);
    if (trace_wanted(c))
        trace_interruption(c, cpu, class, code);
}

static void loaded(void *context, struct cpu *cpu, uint64_t mask, uint64_t ia)
{
    events_loaded(context, cpu, mask, ia);
}

void console_observe(struct console *c)
{
    const bool taught = c->teacher && c->teacher->instructions;
    const bool instructions = trace_wants_instructions(c) || c->keep_branches || taught;
    const bool wanted = instructions || trace_wanted(c) || c->teacher || events_wanted(c);
    c->observer = (struct cpu_observer){.context = c,
                                        .before = instructions ? before : NULL,
                                        .after = instructions ? after : NULL,
                                        .interruption = interruption,
                                        .loaded = loaded};
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++) {
        struct cpu *cpu = c->machine->sys.cpus[i];
        if (wanted)
            cpu->observer = &c->observer;
        else if (cpu->observer == &c->observer)
            cpu->observer = NULL;
    }
    c->observed = instructions;
}
