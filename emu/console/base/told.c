/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program interruptions, told to the operator: the instruction, its operand, the code with its name. */
#include "emu/console/base/told.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/observe.h"
#include "cpu/state/interruptions.h"
#include "emu/console/base/internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Is this operand what the exception was recognized for? */
static bool blamed(struct console *c, const struct cpu_program_taken *p, int code, uint64_t address)
{
    unsigned left;
    int now;
    if (cpu_code_stores_teid(code))
        return (address & PAGE_ADDRESS) == (p->teid & PAGE_ADDRESS);
    return code == PIC_ADDRESSING && !look_page(c, CPU_SPACE_CURRENT, 0, address, &left, &now);
}

/* The operand that the exception is about: the one that is to blame, or the page in the translation-exception
   identification. False: it is about none. */
static bool find_operand(struct console *c, const struct cpu_program_taken *p, uint64_t *address)
{
    const int code = p->code & ~(PIC_PER_EVENT | PIC_TRANSACTION_ABORT);
    uint8_t bytes[6] = {0};
    struct dis_insn insn;
    if (code != PIC_ADDRESSING && !cpu_code_stores_teid(code))
        return false;
    look_fetch(c, look_instruction_space(c->cpu), 0, p->ia, bytes, sizeof bytes);
    if (dis_decode(bytes, &insn) != DIS_NO_ROW)
        for (unsigned i = 0; i < 2; i++) {
            const struct dis_storage *s = &dis_rows[insn.row].storage[i];
            /* The vector registers of then are not kept. */
            if (s->where != DIS_AT_V2B2D2 && cpu_operand_address(c->cpu, &insn, s, address) &&
                blamed(c, p, code, *address))
                return true;
        }
    *address = p->teid & PAGE_ADDRESS;
    return cpu_code_stores_teid(code);
}

/* The CPU as it was when the interruption was taken, as far as its registers and its PSW go. */
static struct cpu *then(const struct cpu *cpu, const struct cpu_program_taken *p)
{
    struct cpu *was = malloc(sizeof *was);
    if (!was)
        return NULL;
    *was = *cpu;
    memcpy(was->gr, p->gr, sizeof was->gr);
    was->psw.mask = p->mask;
    was->insn_ia = p->ia;
    was->address_mask = p->mask & PSW_EA ? UINT64_MAX : p->mask & PSW_BA ? 0x7fffffff : 0xffffff;
    return was;
}

/* "addressing", "data, DXC 02: BFP instruction" */
static void name_code(const struct cpu_program_taken *p, char *text, size_t size)
{
    const unsigned code = p->code & ~(unsigned)(PIC_PER_EVENT | PIC_TRANSACTION_ABORT);
    const char *reason = code == PIC_DATA                ? cpu_data_exception_name(p->dxc)
                         : code == PIC_VECTOR_PROCESSING ? cpu_vector_exception_name(p->dxc)
                                                         : NULL;
    cpu_program_name(p->code, text, size);
    const size_t used = strlen(text);
    if (code == PIC_DATA || code == PIC_VECTOR_PROCESSING)
        snprintf(text + used, size - used, ", %s %02X%s%s", code == PIC_DATA ? "DXC" : "VXC", p->dxc,
                 reason ? ": " : "", reason ? reason : "");
}

void console_class_words(unsigned class, int64_t code, char *text, size_t size)
{
    static const char *const names[] = {[CPU_CLASS_PROGRAM] = "program",   [CPU_CLASS_SVC] = "supervisor-call",
                                        [CPU_CLASS_EXTERNAL] = "external", [CPU_CLASS_IO] = "I/O",
                                        [CPU_CLASS_RESTART] = "restart",   [CPU_CLASS_MACHINE_CHECK] = "machine-check"};
    char name[96] = "";
    if (class == CPU_CLASS_PROGRAM && code >= 0)
        cpu_program_name((unsigned)code, name, sizeof name);
    else if (class == CPU_CLASS_EXTERNAL && code >= 0 && cpu_external_name((unsigned)code))
        snprintf(name, sizeof name, "%s", cpu_external_name((unsigned)code));
    size_t n = (size_t)snprintf(text, size, "%s interruption", names[class]);
    if (code >= 0)
        n += (size_t)snprintf(text + n, size - n, " %04X", (unsigned)code);
    if (*name)
        snprintf(text + n, size - n, " (%s)", name);
}

struct told console_told(struct console *c, const struct cpu *cpu, const struct cpu_program_taken *p)
{
    struct told t = {.code = p->code, .ilc = p->ilc, .ia = p->ia, .before = cpu_instructions(cpu) - p->when};
    struct cpu *was = then(cpu, p), *chosen = c->cpu;
    name_code(p, t.name, sizeof t.name);
    if (was) {
        c->cpu = was;
        const struct look_instruction i = look_instruction(c, p->ia);
        snprintf(t.instruction, sizeof t.instruction, "%s", i.length && p->ilc ? i.text : "");
        t.has_operand = find_operand(c, p, &t.operand);
        c->cpu = chosen;
        free(was);
    }
    look_symbol(c, p->ia, t.symbol, sizeof t.symbol);
    const size_t size = sizeof t.words;
    size_t n = (size_t)snprintf(t.words, size, "program interruption %04X (%s) at %" PRIX64, t.code, t.name, t.ia);
    if (*t.symbol)
        n += (size_t)snprintf(t.words + n, size - n, " <%s>", t.symbol);
    if (*t.instruction)
        n += (size_t)snprintf(t.words + n, size - n, " `%s`", t.instruction);
    if (t.has_operand)
        n += (size_t)snprintf(t.words + n, size - n, ", operand %" PRIX64, t.operand);
    snprintf(t.words + n, size - n, ", ILC %u", t.ilc);
    return t;
}

void console_show_told(struct console *c, const char *member, const char *lead, const struct told *t, bool when)
{
    char ago[64] = "";
    if (when)
        snprintf(ago, sizeof ago, "; %" PRIu64 " instructions before", t->before);
    show_object(c, member);
    SHOW(c, "{}{}{}\n", fact_text(NULL, lead), fact_text("words", t->words), fact_text(NULL, ago),
         fact_hex("code", t->code, 4), fact_text("name", t->name), fact_hex("address", t->ia, 16),
         fact_if(*t->instruction, fact_text("instruction", t->instruction)),
         fact_if(t->has_operand, fact_hex("operand", t->operand, 16)), fact_number("ilc", t->ilc),
         fact_number("instructions_before", t->before));
    show_end_object(c);
}

/* With an end in order, a program interruption as long ago as this was handled. */
#define HANDLED 1000u

bool console_end_worth_telling(const struct cpu *cpu)
{
    const bool in_order = machine_disabled_wait(cpu) && (cpu->psw.ia == 0 || cpu->psw.ia == 0xfff);
    if (!cpu->taken.latest.number || (in_order && cpu_instructions(cpu) - cpu->taken.latest.when > HANDLED))
        return false;
    return machine_disabled_wait(cpu) || cpu->state == CPU_STATE_CHECK_STOP;
}

void console_look_for_loops(struct cpu *cpu)
{
    cpu->taken.stop_at_loops = true;
    cpu->taken.stopped = cpu->taken.loop = false;
    cpu->taken.repeats = 0;
}
