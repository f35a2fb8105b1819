/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ri explain: what the report-control table (RI specification, section G) will say about the next sample instruction,
   and why. ri lric, mric ...: the control instructions carried out on the chosen CPU, as a test driver would. */
#include "base/bits.h"
#include "cpu/control/observe.h"
#include "cpu/control/psw.h"
#include "cpu/engine/reference/reference.h"
#include "cpu/state/codes.h"
#include "emu/console/base/internal.h"
#include "ri/text.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { LINES = 11, FIRST_BRANCH_LINE = 5, LAST_BRANCH_LINE = 8 };
enum verdict { NOT, MAY, DECIDES, BEHIND };

/* Facts that a line of the table asks for. */
struct table {
    enum verdict verdict[LINES + 1];
    char why[LINES + 1][96];
    bool foreseen;         /* the next instruction is the sample instruction, and known */
    unsigned line[2];      /* foreseen: the line that decides when a branch is not taken, and taken */
    unsigned sample;       /* foreseen: enum ri_sample bits */
    bool branch;           /* foreseen: the two lines may differ */
    char instruction[256]; /* foreseen */
};

static enum verdict when(bool all, bool some) { return all ? DECIDES : some ? MAY : NOT; }

/* What can be said of each line from the controls alone. */
static void from_controls(const struct console *c, struct table *t)
{
    const struct ri *ri = c->cpu->ri;
    const struct ri_controls *k = &ri->controls;
    const bool mixed = c->machine->sys.ri_mixed_capability;
    const uint8_t branch[] = {k->bpxn, k->bpxt, k->bpti, k->bpni};
    static const char *const names[] = {"BPxn", "BPxt", "BPti", "BPni"};
#define WHY(n, ...) snprintf(t->why[n], sizeof t->why[n], __VA_ARGS__)
    t->verdict[1] = when(!k->ps && !k->qs, !k->ps || !k->qs);
    WHY(1, "Ps=%u (problem state), Qs=%u (supervisor state)", k->ps, k->qs);
    t->verdict[2] = when(mixed && (ri->profile.secondary ? k->z : k->y), false);
    WHY(2, "%s, %s capability here, Y=%u Z=%u", mixed ? "CPUs of both capabilities" : "all CPUs of one capability",
        ri->profile.secondary ? "secondary" : "primary", k->y, k->z);
    t->verdict[3] = when(ri->directed, k->n);
    WHY(3, "%s",
        ri->directed ? "RINEXT has directed it"
        : k->n       ? "N=1: RINEXT may direct one"
                     : "N=0: RINEXT does nothing");
    t->verdict[4] = when(k->f, false);
    WHY(4, "F=%u", k->f);
    for (unsigned i = 0; i < 4; i++) {
        t->verdict[FIRST_BRANCH_LINE + i] = when(false, branch[i]);
        WHY(FIRST_BRANCH_LINE + i, "%s=%u", names[i], branch[i]);
    }
    const bool uncached = !ri->cache;
    t->verdict[9] = when(uncached && k->ic != 15, k->ic <= 1);
    t->verdict[10] = when(false, uncached ? k->dc != 15 : k->dc <= 1);
    WHY(9, "IC=%u; %s", k->ic, uncached ? "every fetch misses at level 14" : "misses are at level 0 or 1");
    WHY(10, "DC=%u; %s", k->dc, uncached ? "every operand access misses at level 14" : "misses are at level 0 or 1");
    t->verdict[LINES] = DECIDES;
    WHY(LINES, "nothing above applies");
#undef WHY
}

/* The next instruction, with the target of an execute-type instruction. */
static bool next_instruction(struct console *c, struct dis_insn *insn, struct dis_insn *target, uint64_t *target_at)
{
    struct cpu *cpu = c->cpu;
    const enum cpu_space space = look_instruction_space(cpu);
    uint8_t bytes[6] = {0};
    unsigned had = look_fetch(c, space, 0, cpu->psw.ia, bytes, sizeof bytes);
    if (had < dis_length(bytes[0]) || dis_decode(bytes, insn) == DIS_NO_ROW)
        return false;
    *target_at = 0;
    if (insn->row == DIS_EX)
        *target_at = cpu_ea2(cpu, insn);
    else if (insn->row == DIS_EXRL)
        *target_at = (cpu->psw.ia + (uint64_t)insn->i2) & cpu->address_mask;
    else
        return true;
    memset(bytes, 0, sizeof bytes);
    had = look_fetch(c, space, 0, *target_at, bytes, sizeof bytes);
    if (had < dis_length(bytes[0]))
        return false;
    if (insn->r1)
        bytes[1] |= (uint8_t)cpu->gr[insn->r1];
    return dis_decode(bytes, target) != DIS_NO_ROW;
}

/* When the next instruction is the sample instruction, the table knows. */
static void foresee(struct console *c, struct table *t)
{
    struct dis_insn insn, target;
    uint64_t target_at;
    if (!next_instruction(c, &insn, &target, &target_at))
        return;
    const struct dis_insn *executed = target_at ? &target : NULL;
    for (unsigned taken = 0; taken < 2; taken++)
        t->line[taken] = cpu_ri_foresee(c->cpu, &insn, executed, target_at, taken, &t->sample, &t->branch);
    if (!t->line[0] || !t->line[1])
        return;
    t->foreseen = true;
    t->branch = t->branch && t->line[0] != t->line[1];
    if (!look_line(c, c->cpu->psw.ia, t->instruction, sizeof t->instruction))
        snprintf(t->instruction, sizeof t->instruction, "%016" PRIX64, c->cpu->psw.ia);
    for (unsigned n = 1; n <= LINES; n++)
        t->verdict[n] = n != t->line[0] && n != t->line[1] ? NOT : t->branch ? MAY : DECIDES;
}

static void close_table(struct table *t)
{
    bool over = false;
    unsigned last = t->line[0] > t->line[1] ? t->line[0] : t->line[1];
    for (unsigned n = 1; n <= LINES; n++) {
        if (over)
            t->verdict[n] = BEHIND;
        over |= t->foreseen ? n == last : t->verdict[n] == DECIDES;
    }
}

static const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {"does not apply", "may decide", "decides", "is not reached"};
    return words[verdict];
}

static void words_before(const struct table *t, const struct ri *ri, char *text, size_t size)
{
    const uint64_t left = ri_remaining(ri);
    const char *how = (t->sample & RI_SAMPLE_DIRECTED) && (t->sample & RI_SAMPLE_COUNT) ? "by count and direction"
                      : t->sample & RI_SAMPLE_DIRECTED                                  ? "by direction"
                                                                                        : "by count";
    if (t->foreseen)
        snprintf(text, size, "the next instruction is a sample instruction, %s, if it completes: %s", how,
                 t->instruction);
    else if (ri->directed)
        snprintf(text, size, "the instruction at %" PRIX64 " is directed by RINEXT", ri->nsi);
    else if (left == UINT64_MAX)
        snprintf(text, size, "RINEXT directs the next sample instruction; it is not known yet");
    else
        snprintf(text, size,
                 "the next sample instruction is %" PRIX64 " %s away; 's' goes there, then it can be told exactly",
                 left, ri->controls.m == RI_MODE_CYCLES ? "cycles" : "instructions");
}

static void show_table(struct console *c, const struct table *t)
{
    show_list(c, "table");
    for (unsigned n = 1; n <= LINES; n++)
        SHOW_ROW(c, "line {2} {-14}  {-50} ({})\n", fact_number("line", n),
                 fact_text("verdict", verdict_word(t->verdict[n])), fact_text("result", ri_report_line_text(n)),
                 fact_text("why", t->why[n]));
    show_end_list(c);
}

/* The line that decides, or the two of a branch: first for programs, behind the table for people. */
static void show_lines(struct console *c, const struct table *t)
{
    if (t->foreseen)
        SHOW(c, "", fact_number("line", t->line[0]), fact_number("line_when_taken", t->line[1]));
    show_table(c, t);
    if (t->foreseen && t->branch)
        show_words(c, "if it branches, line %u: %s; if not, line %u: %s\n", t->line[1], ri_report_line_text(t->line[1]),
                   t->line[0], ri_report_line_text(t->line[0]));
    else if (t->foreseen)
        show_words(c, "line %u: %s\n", t->line[0], ri_report_line_text(t->line[0]));
}

static void show_latest(struct console *c)
{
    const struct ri_told *told = &c->cpu->ri->told;
    char symbol[96], name[100] = "";
    look_symbol(c, told->ia, symbol, sizeof symbol);
    if (*symbol)
        snprintf(name, sizeof name, " <%s>", symbol);
    SHOW(c, told->line ? "the latest sample instruction was {x}{}, line {}: {}\n" : "",
         fact_hex("latest_address", told->ia, 16), fact_text(NULL, name), fact_number("latest_line", told->line),
         fact_text(NULL, told->line ? ri_report_line_text(told->line) : ""));
}

int console_ri_explain(struct console *c, int argc, char **argv)
{
    struct table t = {.foreseen = false};
    char words[512];
    const struct ri *ri = c->cpu->ri;
    (void)argc;
    (void)argv;
    show_object(c, NULL);
    SHOW(c, "", fact_flag("active", ri_active(ri), "", ""));
    if (ri_active(ri)) {
        from_controls(c, &t);
        foresee(c, &t);
        close_table(&t);
        words_before(&t, ri, words, sizeof words);
        SHOW(c, "{}\n", fact_text("words", words), fact_flag("foreseen", t.foreseen, "", ""));
        show_lines(c, &t);
    } else {
        SHOW(c, "no instruction is a sample instruction now: {}\n", fact_text("state", ri_state_name(ri)));
    }
    show_latest(c);
    show_end_object(c);
    return 0;
}

/* ---- the control instructions ---------------------------------------------------------------------------------- */

/* Carry one out as an instruction of the program would be; it and the base of its operand are lent to it. */
static int drive(struct cpu *cpu, const char *name, bool operand, uint64_t address)
{
    char line[32], why[80];
    uint8_t bytes[6] = {0};
    struct dis_insn insn;
    const uint64_t saved = cpu->gr[1];
    snprintf(line, sizeof line, operand ? "%s 0(%%r1)" : "%s", name);
    if (dis_assemble(line, cpu->psw.ia, bytes, why, sizeof why) < 0 || dis_decode(bytes, &insn) == DIS_NO_ROW)
        return PIC_OPERATION;
    if (operand)
        cpu->gr[1] = address;
    const int code = engine_perform(cpu, &insn);
    cpu->gr[1] = saved;
    cpu_mode_changed(cpu);
    return code;
}

int console_ri_drive(struct console *c, int argc, char **argv)
{
    const struct console_word *word = console_word(c, "ri", "", argv[1]);
    const bool operand = *word->arguments;
    uint64_t address = 0;
    if (argc != (operand ? 3 : 2))
        return console_fail(c, "ri %s: give the address of a control block, as ri %s 20000", word->word, word->word);
    if (operand && console_value(c, argv[2], &address))
        return -1;
    const int code = drive(c->cpu, word->word, operand, address);
    if (code)
        return console_fail(c,
                            "ri %s: the instruction would cause program-interruption code %04X (%s); nothing was done",
                            word->word, (unsigned)code & 0xffff, look_code_name(code));
    const struct fact name = fact_text("instruction", word->word),
                      state = fact_text("state", ri_state_name(c->cpu->ri)), cc = fact_number("cc", c->cpu->cc);
    if (dis_rows[dis_find(word->word)].cc == DIS_CC_UNCHANGED)
        SHOW_ROW(c, "{}: {}\n", name, state, cc);
    else
        SHOW_ROW(c, "{}: condition code {}\n", name, cc, state);
    return 0;
}
