/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observing the machine while it runs: trace and branch history. */
#include "cpu/control/transaction.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/teacher.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/events.h"
#include "emu/console/base/told.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* The operator has asked for attention: a trace to the screen ends at once, not when the machine looks next. */
static bool muted(struct console *c)
{
    if (!c->trace_muted && session_asked(c->session))
        c->trace_muted = true;
    return c->trace_muted;
}

__attribute__((format(printf, 2, 3))) static void trace(struct console *c, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (c->trace_file)
        fputs(text, c->trace_file);
    else if (!muted(c))
        console_print(c, "%s", text);
}

static void before(void *context, struct cpu *cpu, const struct dis_insn *insn)
{
    struct console *c = context;
    char words[128], symbol[96];
    if (!c->trace_screen && !c->trace_file)
        return;
    memcpy(c->trace_gr, cpu->gr, sizeof c->trace_gr);
    look_text(insn->bytes, cpu->insn_ia, words, sizeof words);
    look_symbol(c, cpu->insn_ia, symbol, sizeof symbol);
    char hex[16] = "";
    for (unsigned i = 0; i < insn->length; i++)
        snprintf(hex + 2 * i, sizeof hex - 2 * i, "%02X", insn->bytes[i]);
    trace(c, "CPU %X %016" PRIX64 "  %-12s  %s%s%s%s\n", cpu->address, cpu->insn_ia, hex, words, *symbol ? "  <" : "",
          symbol, *symbol ? ">" : "");
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
    if (!c->trace_screen && !c->trace_file)
        return;
    if (code == CPU_TX_ABORT)
        trace(c, "      transaction aborted, code %" PRIu64 "\n", cpu->tx_code);
    bool any = false;
    for (unsigned i = 0; i < 16; i++) {
        if (cpu->gr[i] == c->trace_gr[i])
            continue;
        trace(c, "%s R%u=%016" PRIX64, any ? "" : "     ", i, cpu->gr[i]);
        any = true;
    }
    if (any)
        trace(c, " cc=%u\n", cpu->cc);
}

static void interruption(void *context, struct cpu *cpu, enum cpu_class class, unsigned code)
{
    struct console *c = context;
    char words[160];
    events_interruption(c, cpu, class, code);
    if (c->teacher)
        c->teacher->interruption(c->teacher->context, cpu, class, code);
    if (!c->trace_screen && !c->trace_file)
        return;
    console_class_words(class, code, words, sizeof words);
    trace(c, "CPU %X %s, old PSW %016" PRIX64 " %016" PRIX64 "\n", cpu->address, words, cpu_psw_mask(cpu), cpu->psw.ia);
}

static void loaded(void *context, struct cpu *cpu, uint64_t mask, uint64_t ia)
{
    events_loaded(context, cpu, mask, ia);
}

void console_observe(struct console *c)
{
    const bool taught = c->teacher && c->teacher->instructions;
    const bool instructions = c->trace_screen || c->trace_file || c->keep_branches || taught;
    const bool wanted = instructions || c->teacher || events_wanted(c);
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

int console_trace(struct console *c, const char *file)
{
    FILE *f = fopen(file, "w");
    if (!f) {
        console_print(c, "cannot write the trace '%.200s': %s; name a file in a folder that you may write to\n", file,
                      strerror(errno));
        return -1;
    }
    console_end_file(c, &c->trace_file, "trace", c->trace_name);
    c->trace_file = f;
    snprintf(c->trace_name, sizeof c->trace_name, "%s", file);
    console_observe(c);
    return 0;
}

int console_cmd_trace(struct console *c, int argc, char **argv)
{
    if (argc > 2)
        return console_usage(c, "t+");
    if (c->machine->sys.threads)
        return console_fail(
            c, "t+: with --threads every CPU runs by itself and has no place in one trace; leave --threads out");
    if (argc == 2)
        return console_trace(c, argv[1]) ? console_fail(c, "t+: name a file that can be written") : 0;
    c->trace_screen = true;
    console_observe(c);
    return 0;
}

int console_cmd_untrace(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    console_end_file(c, &c->trace_file, "trace", c->trace_name);
    c->trace_screen = false;
    console_observe(c);
    return 0;
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
