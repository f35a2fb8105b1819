/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observing the machine while it runs: who wants to be told, and branch history. */
#include "cpu/control/transaction.h"
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
    if (cpu->branched && (code == 0 || cpu_code_completes(code))) {
        c->branch_from[c->branches % CONSOLE_BRANCHES] = cpu->insn_ia;
        c->branch_to[c->branches % CONSOLE_BRANCHES] = cpu->psw.ia;
        c->branches++;
    }
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

int console_cmd_branches(struct console *c, int argc, char **argv)
{
    uint64_t count = 16;
    const struct console_word *word = argc == 2 ? console_word(c, "branches", "", argv[1]) : NULL;
    if (argc > 2)
        return console_usage(c, "branches");
    if (word && word->value && c->machine->sys.threads)
        return console_fail(c, "branches: with --threads they are noted while stepping only; leave --threads out");
    if (word) {
        c->keep_branches = word->value;
        console_observe(c);
        return 0;
    }
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    if (count > CONSOLE_BRANCHES)
        count = CONSOLE_BRANCHES;
    if (count > c->branches)
        count = c->branches;
    show_list(c, NULL);
    for (uint64_t i = 1; i <= count; i++) {
        uint64_t from = c->branch_from[(c->branches - i) % CONSOLE_BRANCHES],
                 to = c->branch_to[(c->branches - i) % CONSOLE_BRANCHES];
        char a[96], b[96];
        look_symbol(c, from, a, sizeof a);
        look_symbol(c, to, b, sizeof b);
        SHOW_ROW(c, "{} -> {}  {}{}{}\n", fact_hex("from", from, 16), fact_hex("to", to, 16), fact_text(NULL, a),
                 fact_text(NULL, *a || *b ? " -> " : ""), fact_text(NULL, b));
    }
    show_end_list(c);
    if (!count)
        show_words(c, "no branch was noted%s\n", c->observed ? "" : "; 'branches on' begins, stepping notes them too");
    return 0;
}
