/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the CPU's registers, clocks and conditions. */
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/control/transaction.h"
#include "cpu/state/timing.h"
#include "disasm/facility.h"
#include "emu/console/base/internal.h"
#include "ri/ri.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- registers, by their table --------------------------------------------------------------------------------- */

/* The commands that show a register file: its register and the letters in front of its numbers. */
static const struct file {
    const char *command;
    uint8_t id, columns;
    const char *letters;
} files[] = {{"gpr", CPU_REG_GR, 4, "R"},
             {"cr", CPU_REG_CR, 4, "CR"},
             {"ar", CPU_REG_AR, 4, "AR"},
             {"fpr", CPU_REG_FPR, 4, "F"},
             {"vr", CPU_REG_VR, 2, "V"}};

static void register_digits(struct cpu *cpu, unsigned id, unsigned n, char *text, size_t size)
{
    uint64_t value[2] = {0};
    const unsigned digits = cpu_registers[id].width / 4;
    if (!cpu_register_get(cpu, id, n, value))
        snprintf(text, size, "?");
    else if (digits > 16)
        snprintf(text, size, "%016" PRIX64 "%016" PRIX64, value[0], value[1]);
    else
        snprintf(text, size, "%0*" PRIX64, (int)digits, value[1]);
}

/* All registers of a name, `columns` in a line. */
static void show_file(struct console *c, const struct file *f)
{
    char name[16], value[40];
    for (unsigned i = 0; i < cpu_registers[f->id].count; i++) {
        snprintf(name, sizeof name, "%s%u", f->letters, i);
        register_digits(c->cpu, f->id, i, value, sizeof value);
        SHOW(c, f->columns > 2 ? "{5}={}{}" : "{4}={}{}", fact_text(NULL, name), fact_text(name, value),
             fact_text(NULL, (i + 1) % f->columns ? "" : "\n"));
    }
}

/* Up to 32 hexadecimal digits, right-aligned. */
static int wide_value(struct console *c, const char *text, uint64_t value[2])
{
    char digits[33] = "00000000000000000000000000000000";
    size_t n = strlen(text);
    if (n == 0 || n > 32 || strspn(text, "0123456789abcdefABCDEF") != n)
        return console_fail(c, "'%.40s' is not a vector; give up to 32 hexadecimal digits", text);
    memcpy(digits + 32 - n, text, n);
    char half[17] = {0};
    memcpy(half, digits, 16);
    value[0] = strtoull(half, NULL, 16);
    value[1] = strtoull(digits + 16, NULL, 16);
    return 0;
}

static int set_register(struct console *c, const char *command, unsigned id, unsigned n, const char *text)
{
    const unsigned width = cpu_registers[id].width;
    const uint64_t most = width == 32 ? UINT32_MAX : UINT64_MAX;
    uint64_t value[2] = {0};
    if (width > 64 ? wide_value(c, text, value) : console_hex(c, text, most, &value[1]))
        return -1;
    if (cpu_register_set(c->cpu, id, n, value))
        return console_fail(c, "%s: %s is not possible for the %s", command, text, cpu_registers[id].what);
    return 0;
}

/* "N=VALUE" with N decimal; an R, C, A, F or V may stand in front. */
static int assign(struct console *c, const struct file *f, char *text)
{
    char *equals = strchr(text, '='), *end;
    if (!equals)
        return console_usage(c, f->command);
    *equals = 0;
    while (*text == '%' || isalpha((unsigned char)*text))
        text++;
    const unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end || number >= cpu_registers[f->id].count)
        return console_fail(c, "%s: there is no register '%.10s'; registers are 0 to %u", f->command, text,
                            cpu_registers[f->id].count - 1u);
    return set_register(c, f->command, f->id, (unsigned)number, equals + 1);
}

static int register_file(struct console *c, const char *command, int argc, char **argv)
{
    const struct file *f = files;
    while (strcmp(f->command, command) != 0)
        f++;
    for (int i = 1; i < argc; i++) {
        const bool fpc = f->id == CPU_REG_FPR && strncasecmp(argv[i], "fpc=", 4) == 0;
        if (fpc ? set_register(c, command, CPU_REG_FPC, 0, argv[i] + 4) : assign(c, f, argv[i]))
            return -1;
    }
    if (argc > 1)
        return 0;
    show_object(c, NULL);
    show_file(c, f);
    if (f->id == CPU_REG_FPR)
        SHOW(c, " FPC={}\n", fact_hex("FPC", c->cpu->fpc, 8));
    show_end_object(c);
    return 0;
}

int console_cmd_gpr(struct console *c, int argc, char **argv) { return register_file(c, "gpr", argc, argv); }
int console_cmd_cr(struct console *c, int argc, char **argv) { return register_file(c, "cr", argc, argv); }
int console_cmd_ar(struct console *c, int argc, char **argv) { return register_file(c, "ar", argc, argv); }
int console_cmd_fpr(struct console *c, int argc, char **argv) { return register_file(c, "fpr", argc, argv); }
int console_cmd_vr(struct console *c, int argc, char **argv) { return register_file(c, "vr", argc, argv); }

static void show_register(struct console *c, unsigned id, unsigned n)
{
    char name[16], value[40];
    const struct cpu_register *r = &cpu_registers[id];
    snprintf(name, sizeof name, r->count > 1 ? "%s%u" : "%s", r->name, n);
    register_digits(c->cpu, id, n, value, sizeof value);
    SHOW(c, "{6}={-32}  {}\n", fact_text(NULL, name), fact_text(name, value), fact_text(NULL, r->what));
}

int console_cmd_reg(struct console *c, int argc, char **argv)
{
    show_object(c, NULL);
    for (unsigned id = 0; argc == 1 && id < CPU_REGISTER_COUNT; id++)
        for (unsigned n = 0; n < cpu_registers[id].count; n++)
            show_register(c, id, n);
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        unsigned n;
        if (equals)
            *equals = 0;
        const int id = cpu_register_find(argv[i] + (*argv[i] == '%'), &n);
        if (id < 0)
            return console_fail(c, "reg: there is no register '%.20s'; 'reg' shows all of them", argv[i]);
        if (equals && set_register(c, "reg", (unsigned)id, n, equals + 1))
            return -1;
        if (!equals)
            show_register(c, (unsigned)id, n);
    }
    show_end_object(c);
    return 0;
}

int console_cmd_prefix(struct console *c, int argc, char **argv)
{
    const uint64_t end = c->machine->sys.storage.size - 1;
    uint64_t value[2] = {0};
    if (argc > 2)
        return console_usage(c, "prefix");
    if (argc == 1) {
        SHOW_ROW(c, "prefix {}\n", fact_hex("prefix", c->cpu->prefix, 8));
        return 0;
    }
    if (console_hex(c, argv[1], 0x7fffe000, &value[1]))
        return -1;
    if ((value[1] & 0x1fff) || cpu_register_set(c->cpu, CPU_REG_PREFIX, 0, value))
        return console_fail(c, "prefix %s: not a multiple of 2000 in storage, which ends at %" PRIX64, argv[1], end);
    cpu_mode_changed(c->cpu);
    return 0;
}

/* ---- PSW ------------------------------------------------------------------------------------------------------- */

static const char *space_name(const struct cpu *cpu)
{
    static const char *const names[] = {"primary-space mode", "access-register mode", "secondary-space mode",
                                        "home-space mode"};
    return cpu->psw.mask & PSW_DAT ? names[field64(cpu->psw.mask, 16, 17)] : "DAT off";
}

static unsigned addressing_mode(const struct cpu *cpu)
{
    return cpu->psw.mask & PSW_EA ? 64 : cpu->psw.mask & PSW_BA ? 31 : 24;
}

static void show_psw(struct console *c)
{
    const struct cpu *cpu = c->cpu;
    const uint64_t mask = cpu->psw.mask;
    show_object(c, NULL);
    SHOW(c, "PSW={} {}  CPU {x} {}\n", fact_hex("mask", cpu_psw_mask(cpu), 16), fact_hex("address", cpu->psw.ia, 16),
         fact_hex(NULL, cpu->address, 1), fact_text("state", machine_state_name(cpu)));
    SHOW(c, "{} state, {}-bit addressing, {}, key {x}, cc {}, program mask {x}\n",
         fact_flag("problem", mask & PSW_PROBLEM, "problem", "supervisor"),
         fact_number("addressing", addressing_mode(cpu)), fact_text("space", space_name(cpu)),
         fact_hex(NULL, cpu_key(cpu), 1), fact_number("cc", cpu->cc), fact_hex(NULL, field64(mask, 20, 23), 1),
         fact_number("key", cpu_key(cpu)), fact_number("program_mask", field64(mask, 20, 23)));
    SHOW(c, "enabled for:{}{}{}{}{}{}{}\n",
         fact_flag(NULL, mask & (PSW_IO | PSW_EXT | PSW_MCHK | PSW_PER | PSW_RI), "", " nothing"),
         fact_flag("io", mask & PSW_IO, " I/O", ""), fact_flag("external", mask & PSW_EXT, " external", ""),
         fact_flag("machine_check", mask & PSW_MCHK, " machine-check", ""),
         fact_flag("per", mask & PSW_PER, " PER", ""), fact_flag("ri", mask & PSW_RI, " run-time-instrumentation", ""),
         fact_flag("wait", mask & PSW_WAIT, "; wait", ""));
    SHOW(c, "breaking-event address {}\n", fact_hex("breaking_event", cpu->bear, 16));
    SHOW(c, "", fact_number("transaction_depth", cpu->tx_depth));
    if (cpu_tx_active(cpu))
        show_words(c, "in a%s transaction, nesting depth %u: its stores are not shown until it ends\n",
                   cpu_tx_constrained(cpu) ? " constrained" : "", cpu->tx_depth);
    show_end_object(c);
}

static int load_psw(struct console *c, uint64_t mask, uint64_t ia)
{
    struct psw old = c->cpu->psw;
    uint8_t cc = c->cpu->cc;
    if (cpu_load_psw(c->cpu, mask, ia) == 0)
        return 0;
    int back = cpu_load_psw(c->cpu, old.mask | (uint64_t)cc << 44, old.ia);
    return console_fail(c, "psw: %016" PRIX64 " %016" PRIX64 " is not a valid PSW; it stays as it was%s", mask, ia,
                        back ? " (invalid, too)" : "");
}

int console_cmd_psw(struct console *c, int argc, char **argv)
{
    uint64_t mask = cpu_psw_mask(c->cpu), ia = c->cpu->psw.ia, value;
    if (argc == 1) {
        show_psw(c);
        return 0;
    }
    if (argc == 3 && !strchr(argv[1], '=')) {
        if (console_value(c, argv[1], &mask) || console_value(c, argv[2], &ia))
            return -1;
        return load_psw(c, mask, ia);
    }
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals)
            return console_usage(c, "psw");
        *equals = 0;
        if (console_value(c, equals + 1, &value))
            return -1;
        if (strcasecmp(argv[i], "ia") == 0)
            ia = value;
        else if (strcasecmp(argv[i], "mask") == 0)
            mask = value;
        else if (strcasecmp(argv[i], "cc") == 0 && value < 4)
            mask = (mask & ~PSW_CC) | value << 44;
        else
            return console_usage(c, "psw");
    }
    return load_psw(c, mask, ia);
}

/* ---- clocks and conditions ------------------------------------------------------------------------------------- */

int console_cmd_clocks(struct console *c, int argc, char **argv)
{
    struct cpu *cpu = c->cpu;
    const int64_t next = cpu_next_event_units(cpu);
    (void)argc;
    (void)argv;
    show_object(c, NULL);
    SHOW(c, "TOD clock            {}\n", fact_hex("tod", cpu_tod(cpu), 16));
    SHOW(c, "clock comparator     {}{}\n", fact_hex("clock_comparator", cpu->clock_comparator, 16),
         fact_flag(NULL, cpu_clock_passed(cpu), "  passed", ""));
    SHOW(c, "CPU timer            {}{}\n", fact_hex("cpu_timer", (uint64_t)cpu_timer_value(cpu), 16),
         fact_flag(NULL, cpu_timer_value(cpu) < 0, "  negative", ""));
    SHOW(c, "TOD programmable     {}\n", fact_hex("tod_programmable", cpu->tod_programmable, 4));
    SHOW(c, "instructions         {} (decimal) on this CPU; machine time {} TOD units\n",
         fact_number("instructions", cpu_instructions(cpu)), fact_number("now", cpu_now(cpu)));
    if (next != INT64_MAX)
        SHOW(c, "next timer event     in {} TOD units\n", fact_number("next_timer_event", (uint64_t)next));
    show_end_object(c);
    return 0;
}

int console_cmd_pending(struct console *c, int argc, char **argv)
{
    struct cpu *cpu = c->cpu;
    const uint32_t pending = cpu_external_pending(cpu);
    unsigned shown = 0;
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++) {
        bool mask = cpu->psw.mask & PSW_EXT, submask = cpu->cr[0] & cpu_externals[i].subclass;
        if (!(pending & cpu_externals[i].condition))
            continue;
        shown++;
        SHOW_ROW(c, "{} {-18} {}\n", fact_hex("code", cpu_externals[i].code, 4),
                 fact_text("condition", cpu_externals[i].name),
                 fact_flag("enabled", mask && submask, "enabled: comes next",
                           mask ? "kept off by its bit in control register 0" : "kept off by PSW bit 7"));
    }
    if (cpu->restart_pending)
        show_value(c, "{}\n", fact_text(NULL, "restart"));
    show_end_list(c);
    if (!shown && !cpu->restart_pending)
        show_words(c, "no interruption condition is pending\n");
    return 0;
}

int console_cmd_facilities(struct console *c, int argc, char **argv)
{
    const struct cpu_profile *p = &c->machine->sys.profile;
    (void)argc;
    (void)argv;
    show_object(c, NULL);
    SHOW(c, "profile {}, CPU ID {}, facility bits (decimal):\n", fact_text("profile", p->name),
         fact_hex("cpu_id", p->cpu_id, 16));
    show_list(c, "facilities");
    for (unsigned bit = 0; bit < FACILITY_BITS; bit++) {
        const struct dis_facility_row *row = dis_facility_of(bit);
        if (cpu_facility(&c->machine->sys, bit))
            SHOW_ROW(c, "{4}  {}\n", fact_number("bit", bit), fact_text("name", row ? row->name : ""));
    }
    show_end_list(c);
    show_end_object(c);
    return 0;
}

int console_cmd_cpu(struct console *c, int argc, char **argv)
{
    uint64_t n;
    if (argc > 2)
        return console_usage(c, "cpu");
    if (argc == 2) {
        if (console_hex(c, argv[1], CPU_MAX, &n))
            return -1;
        if (n >= c->machine->sys.cpu_count)
            return console_fail(c, "cpu %s: this machine has %u; start zri with --cpus for more", argv[1],
                                c->machine->sys.cpu_count);
        c->cpu = c->machine->sys.cpus[n];
        return 0;
    }
    show_list(c, NULL);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++) {
        struct cpu *cpu = c->machine->sys.cpus[i];
        SHOW_ROW(c, "{} CPU {x}: {}, PSW {} {}, {} instructions\n", fact_flag("chosen", cpu == c->cpu, ">", " "),
                 fact_hex(NULL, cpu->address, 1), fact_text("state", machine_state_name(cpu)),
                 fact_hex("mask", cpu_psw_mask(cpu), 16), fact_hex("address", cpu->psw.ia, 16),
                 fact_number("instructions", cpu_instructions(cpu)), fact_number("cpu", cpu->address));
    }
    show_end_list(c);
    return 0;
}
