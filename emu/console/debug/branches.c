/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latest branches: noted while somebody looks at every instruction anyway; or, while the past is kept, found when
   they are asked for, by carrying out its end once more. */
#include "cpu/control/transaction.h"
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include "emu/history/history.h"
#include <string.h>

/* Instructions that are carried out again, at first and at most. */
#define STRETCH      UINT64_C(1024)
#define STRETCH_MOST (UINT64_C(1) << 26)

void branches_note(struct console_branches *b, const struct cpu *cpu, const struct dis_insn *insn, int code)
{
    const uint64_t next = (cpu->insn_ia + insn->length) & cpu->address_mask;
    if ((!cpu->branched && cpu->psw.ia == next) || (code && !cpu_code_completes(code)))
        return;
    const unsigned n = b->count++ % CONSOLE_BRANCHES;
    b->way[n].from = cpu->insn_ia;
    b->way[n].to = cpu->psw.ia;
    b->way[n].cpu = cpu->address;
}

static void seen(void *context, struct cpu *cpu, const struct dis_insn *insn, int code)
{
    branches_note(context, cpu, insn, code);
}

/* Those of the chosen CPU by the past, as many as are wanted if there were so many. Returns 0 or console_fail(). */
static int find(struct console *c, uint64_t wanted, struct console_branches *b)
{
    const struct cpu_observer observer = {.context = b, .after = seen};
    struct history_end end = {0};
    char error[CONSOLE_ERROR];
    for (uint64_t stretch = STRETCH; stretch <= STRETCH_MOST && b->count < wanted && !end.begin; stretch *= 8) {
        b->count = 0;
        if (history_again(c->session, c->cpu, stretch, &observer, &end, error, sizeof error))
            return console_fail(c, "branches: %s", error);
        if (end.interrupted)
            return console_fail(c, "branches: interrupted from the keyboard; 'history' says where the machine is");
    }
    return 0;
}

static void show(struct console *c, const struct console_branches *b, uint64_t count)
{
    const bool several = c->machine->sys.cpu_count > 1;
    show_list(c, NULL);
    for (uint64_t i = 1; i <= count; i++) {
        const unsigned n = (b->count - i) % CONSOLE_BRANCHES;
        const uint64_t from = b->way[n].from, to = b->way[n].to;
        char a[96], z[96], cpu[16] = "";
        look_symbol(c, from, a, sizeof a);
        look_symbol(c, to, z, sizeof z);
        if (several)
            snprintf(cpu, sizeof cpu, "CPU %X ", b->way[n].cpu);
        SHOW_ROW(c, "{}{} -> {}  {}{}{}\n", fact_text(NULL, cpu), fact_hex("from", from, 16), fact_hex("to", to, 16),
                 fact_text(NULL, a), fact_text(NULL, *a || *z ? " -> " : ""), fact_text(NULL, z),
                 fact_number("cpu", b->way[n].cpu));
    }
    show_end_list(c);
}

/* on, off */
static int keep(struct console *c, bool on)
{
    if (on && c->machine->sys.threads)
        return console_fail(c, "branches: with --threads they are noted while stepping only; leave --threads out");
    c->keep_branches = on;
    console_observe(c);
    return 0;
}

int console_cmd_branches(struct console *c, int argc, char **argv)
{
    uint64_t count = 16;
    struct history_words past;
    struct console_branches found = {.count = 0};
    const struct console_branches *b = &c->branches;
    const struct console_word *word = argc == 2 ? console_word(c, "branches", "", argv[1]) : NULL;
    if (argc > 2)
        return console_usage(c, "branches");
    if (word)
        return keep(c, word->value);
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    if (count > CONSOLE_BRANCHES)
        count = CONSOLE_BRANCHES;
    history_tell(c->session, &past);
    if (past.kept && !c->observed) {
        if (find(c, count, &found))
            return -1;
        b = &found;
    }
    if (count > b->count)
        count = b->count;
    show(c, b, count);
    if (!count)
        show_words(c, "no branch was noted%s\n",
                   c->observed || past.kept
                       ? ""
                       : "; 'branches on' begins, stepping notes them too, and while 'history' is on all are known");
    return 0;
}
