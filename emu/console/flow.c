/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that follow the guest's functions: over a call, out of one, past a loop. */
#include "cpu/state/timing.h"
#include "disasm/dis.h"
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/frames.h"
#include "emu/console/run.h"
#include <inttypes.h>
#include <string.h>

/* Where a run is to end: at an address, when the stack is as it is to be there. A function that calls itself, and
   another program that comes by, have another stack. */
static int arrive(struct console *c, uint64_t address, uint64_t stack)
{
    struct console_break b = {.address = address, .passing = true};
    struct console_condition *condition = &b.when.conditions[0];
    strcpy(condition->left, "%r15");
    strcpy(condition->relation, "=");
    snprintf(condition->right, sizeof condition->right, "%" PRIX64, stack);
    b.when.condition_count = 1;
    return console_break_add(c, &b);
}

/* What has been arranged ends the run, or anything else. */
static int run_there(struct console *c, const char *words)
{
    if (c->cpu->state == CPU_STATE_STOPPED)
        cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    c->arrival = words;
    const int code = console_go(c);
    c->arrival = NULL;
    console_break_passed(c);
    return code;
}

/* The instruction that is next; false: it cannot be fetched. */
static bool next_instruction(struct console *c, struct dis_insn *insn)
{
    uint8_t bytes[6] = {0};
    const unsigned had = look_fetch(c, look_instruction_space(c->cpu), 0, c->cpu->psw.ia, bytes, sizeof bytes);
    if (had < 2 || had < dis_length(bytes[0]))
        return false;
    dis_decode(bytes, insn);
    return true;
}

static bool calls(const struct dis_insn *insn)
{
    if (insn->row >= DIS_ROW_COUNT)
        return false;
    const char *name = dis_rows[insn->row].mnemonic;
    return dis_edge_class(insn) == DIS_EDGE_CALL || strcmp(name, "svc") == 0 || strcmp(name, "pc") == 0;
}

int console_cmd_next(struct console *c, int argc, char **argv)
{
    struct dis_insn insn;
    uint64_t count = 1;
    char step[] = "s", *words[] = {step, NULL};
    int code = 0;
    if (argc > 2)
        return console_usage(c, "n");
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    if (c->acting)
        return console_fail(c, "n: nothing runs while the commands of a breakpoint are carried out");
    for (uint64_t i = 0; !code && i < count; i++) {
        const uint64_t behind = c->cpu->psw.ia;
        const bool call = next_instruction(c, &insn) && calls(&insn);
        if (!call) {
            code = console_cmd_step(c, 1, words);
            continue;
        }
        code = arrive(c, behind + insn.length, c->cpu->gr[15]) ? -1 : run_there(c, "the call has returned");
        if (c->cpu->psw.ia != behind + insn.length)
            break;
    }
    return code;
}

/* Ends when the function has returned; *known: its caller was found. */
static int arrange_return(struct console *c, bool *known)
{
    struct unwind_frame frame;
    frames_begin(c, &frame);
    *known = frames_next(c, 0, &frame) != UNWIND_NONE && frame.known[15];
    return *known ? arrive(c, frame.ia, frame.gr[15]) : 0;
}

int console_cmd_out(struct console *c, int argc, char **argv)
{
    bool known;
    (void)argv;
    if (argc > 1)
        return console_usage(c, "out");
    if (arrange_return(c, &known))
        return -1;
    if (!known)
        return console_fail(c, "out: the caller is not known: no call-frame information and no back chain lead there; "
                               "'symbols FILE' reads an ELF file that has some, g %%r14 runs to a return address");
    return run_there(c, "the function has returned");
}

int console_cmd_until(struct console *c, int argc, char **argv)
{
    struct dis_insn insn;
    uint64_t address = 0;
    bool known;
    if (argc > 2)
        return console_usage(c, "until");
    if (argc == 2 && console_value(c, argv[1], &address))
        return -1;
    if (argc == 1 && !next_instruction(c, &insn))
        return console_fail(c, "until: the instruction at %" PRIX64 " cannot be fetched; 'translate' tells why",
                            c->cpu->psw.ia);
    if (argc == 1)
        address = c->cpu->psw.ia + insn.length;
    const int code =
        arrive(c, address, c->cpu->gr[15]) || arrange_return(c, &known) ? -1 : run_there(c, "it has come there");
    console_break_passed(c);
    return code;
}
