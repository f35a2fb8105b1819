/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ri explain: what the report-control table (RI specification, section G) will say about the next sample instruction,
   and why. ri lric, mric ...: the control instructions carried out on the chosen CPU, as a test driver would. */
#include "base/bits.h"
#include "cpu/exec/bodies.h"
#include "cpu/state/codes.h"
#include "cpu/control/observe.h"
#include "emu/console/internal.h"
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
    const enum cpu_space space = console_instruction_space(cpu);
    uint8_t bytes[6] = {0};
    unsigned had = console_fetch(c, space, 0, cpu->psw.ia, bytes, sizeof bytes);
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
    had = console_fetch(c, space, 0, *target_at, bytes, sizeof bytes);
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
    if (!console_instruction(c, c->cpu->psw.ia, t->instruction, sizeof t->instruction))
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

static void explain_json(struct console *c, const struct table *t, const char *words)
{
    const struct ri_told *told = &c->cpu->ri->told;
    json_object(&c->facts, NULL);
    json_bool(&c->facts, "active", true);
    json_text(&c->facts, "words", words);
    json_bool(&c->facts, "foreseen", t->foreseen);
    if (t->foreseen) {
        json_number(&c->facts, "line", t->line[0]);
        json_number(&c->facts, "line_when_taken", t->line[1]);
    }
    json_list(&c->facts, "table");
    for (unsigned n = 1; n <= LINES; n++) {
        json_object(&c->facts, NULL);
        json_number(&c->facts, "line", n);
        json_text(&c->facts, "verdict", verdict_word(t->verdict[n]));
        json_text(&c->facts, "result", ri_report_line_text(n));
        json_text(&c->facts, "why", t->why[n]);
        json_end_object(&c->facts);
    }
    json_end_list(&c->facts);
    json_number(&c->facts, "latest_line", told->line);
    json_hex(&c->facts, "latest_address", told->ia, 16);
    json_end_object(&c->facts);
}

static void explain_text(struct console *c, const struct table *t, const char *words)
{
    console_print(c, "%s\n", words);
    for (unsigned n = 1; n <= LINES; n++)
        console_print(c, "line %2u %-14s  %-50s (%s)\n", n, verdict_word(t->verdict[n]), ri_report_line_text(n),
                      t->why[n]);
    if (t->foreseen && t->branch)
        console_print(c, "if it branches, line %u: %s; if not, line %u: %s\n", t->line[1],
                      ri_report_line_text(t->line[1]), t->line[0], ri_report_line_text(t->line[0]));
    else if (t->foreseen)
        console_print(c, "line %u: %s\n", t->line[0], ri_report_line_text(t->line[0]));
}

static void latest(struct console *c)
{
    const struct ri_told *told = &c->cpu->ri->told;
    char symbol[96];
    if (!told->line)
        return;
    console_symbol(c, told->ia, symbol, sizeof symbol);
    console_print(c, "the latest sample instruction was %" PRIX64 "%s%s%s, line %u: %s\n", told->ia,
                  *symbol ? " <" : "", symbol, *symbol ? ">" : "", told->line, ri_report_line_text(told->line));
}

int console_ri_explain(struct console *c)
{
    struct table t = {.foreseen = false};
    char words[512];
    const struct ri *ri = c->cpu->ri;
    if (!ri_active(ri)) {
        if (!c->json) {
            console_print(c, "no instruction is a sample instruction now: %s\n", ri_state_name(ri));
            latest(c);
            return 0;
        }
        json_object(&c->facts, NULL);
        json_bool(&c->facts, "active", false);
        json_text(&c->facts, "state", ri_state_name(ri));
        json_end_object(&c->facts);
        return 0;
    }
    from_controls(c, &t);
    foresee(c, &t);
    close_table(&t);
    words_before(&t, ri, words, sizeof words);
    if (c->json) {
        explain_json(c, &t, words);
        return 0;
    }
    explain_text(c, &t, words);
    latest(c);
    return 0;
}

/* ---- the control instructions ---------------------------------------------------------------------------------- */

static const struct driven {
    const char *name;
    int (*body)(struct cpu *cpu, const struct dis_insn *insn);
    bool operand, privileged;
} driven[] = {{"lric", cpu_lric, true, true},   {"mric", cpu_mric, true, false},  {"stric", cpu_stric, true, false},
              {"tric", cpu_tric, false, false}, {"rion", cpu_rion, false, false}, {"rioff", cpu_rioff, false, false}};

/* Carry it out with general register 1 as the base of its operand, which is given back. */
static int drive(struct cpu *cpu, const struct driven *d, uint64_t address)
{
    const struct dis_insn insn = {.b2 = 1, .length = 6};
    const uint64_t saved = cpu->gr[1];
    if (!cpu_facility(cpu->sys, FACILITY_RI))
        return PIC_OPERATION;
    if (d->privileged && cpu_problem_state(cpu))
        return PIC_PRIVILEGED_OPERATION;
    cpu->gr[1] = address;
    int code = d->body(cpu, &insn);
    cpu->gr[1] = saved;
    cpu_mode_changed(cpu);
    return code;
}

int console_ri_drive(struct console *c, int argc, char **argv, bool *found)
{
    uint64_t address = 0;
    const struct driven *d = NULL;
    for (unsigned i = 0; i < sizeof driven / sizeof *driven; i++)
        if (strcasecmp(argv[1], driven[i].name) == 0)
            d = &driven[i];
    *found = d;
    if (!d)
        return 0;
    if (argc != (d->operand ? 3 : 2))
        return console_fail(c,
                            d->operand ? "ri %s: give the address of a control block, as ri %s 20000"
                                       : "ri %s: it has no operand; example: ri %s",
                            d->name, d->name);
    if (d->operand && console_value(c, argv[2], &address))
        return -1;
    int code = drive(c->cpu, d, address);
    if (code)
        return console_fail(c,
                            "ri %s: the instruction would cause program-interruption code %04X (%s); nothing was done",
                            d->name, (unsigned)code & 0xffff, console_code_name(code));
    if (c->json) {
        json_object(&c->facts, NULL);
        json_text(&c->facts, "instruction", d->name);
        json_number(&c->facts, "cc", c->cpu->cc);
        json_text(&c->facts, "state", ri_state_name(c->cpu->ri));
        json_end_object(&c->facts);
    } else if (d->privileged) {
        console_print(c, "%s: %s\n", d->name, ri_state_name(c->cpu->ri));
    } else {
        console_print(c, "%s: condition code %u\n", d->name, c->cpu->cc);
    }
    return 0;
}
