/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the CPU's registers, clocks and conditions. */
#include "cpu/control/interrupt.h"
#include "cpu/control/transaction.h"
#include "emu/console/internal.h"
#include "ri/ri.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "N=VALUE" with N decimal below `limit`; an R, C, A, F or V may stand in front. */
static int assignment(struct console *c, char *text, const char *command, unsigned limit, unsigned *n, char **value)
{
    char *equals = strchr(text, '='), *end;
    if (!equals)
        return console_usage(c, command);
    *equals = 0;
    *value = equals + 1;
    while (*text == '%' || isalpha((unsigned char)*text))
        text++;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end || number >= limit)
        return console_fail(c, "%s: there is no register '%.10s'; registers are 0 to %u", command, text, limit - 1);
    *n = (unsigned)number;
    return 0;
}

/* A whole register file, `columns` in a line. */
static void show_file(struct console *c, const char *letter, const uint64_t *values, unsigned count, unsigned digits,
                      unsigned columns)
{
    if (c->json)
        json_object(&c->facts, NULL);
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%u", letter, i);
        if (c->json)
            json_hex(&c->facts, name, values[i], digits);
        else
            console_print(c, "%5s=%0*" PRIX64 "%s", name, (int)digits, values[i], (i + 1) % columns ? "" : "\n");
    }
    if (c->json)
        json_end_object(&c->facts);
}

/* gpr and cr: sixteen doublewords, shown or set. */
static int doublewords(struct console *c, int argc, char **argv, const char *command, const char *letter,
                       uint64_t *registers)
{
    unsigned n;
    char *text;
    uint64_t value;
    if (argc == 1)
        show_file(c, letter, registers, 16, 16, 4);
    for (int i = 1; i < argc; i++) {
        if (assignment(c, argv[i], command, 16, &n, &text) || console_value(c, text, &value))
            return -1;
        registers[n] = value;
        if (registers == c->cpu->cr)
            cpu_mode_changed(c->cpu);
    }
    return 0;
}

int console_cmd_gpr(struct console *c, int argc, char **argv)
{
    return doublewords(c, argc, argv, "gpr", "R", c->cpu->gr);
}

int console_cmd_cr(struct console *c, int argc, char **argv)
{
    return doublewords(c, argc, argv, "cr", "CR", c->cpu->cr);
}

int console_cmd_ar(struct console *c, int argc, char **argv)
{
    unsigned n;
    char *text;
    uint64_t value, wide[16];
    if (argc == 1) {
        for (unsigned i = 0; i < 16; i++)
            wide[i] = c->cpu->ar[i];
        show_file(c, "AR", wide, 16, 8, 4);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (assignment(c, argv[i], "ar", 16, &n, &text) || console_hex(c, text, UINT32_MAX, &value))
            return -1;
        c->cpu->ar[n] = (uint32_t)value;
    }
    return 0;
}

int console_cmd_fpr(struct console *c, int argc, char **argv)
{
    unsigned n;
    char *text;
    uint64_t value, wide[16];
    if (argc == 1) {
        for (unsigned i = 0; i < 16; i++)
            wide[i] = c->cpu->vr[i].hi;
        show_file(c, "F", wide, 16, 16, 4);
        if (!c->json)
            console_print(c, " FPC=%08X\n", c->cpu->fpc);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (strncasecmp(argv[i], "fpc=", 4) == 0) {
            if (console_hex(c, argv[i] + 4, UINT32_MAX, &value))
                return -1;
            c->cpu->fpc = (uint32_t)value;
            continue;
        }
        if (assignment(c, argv[i], "fpr", 16, &n, &text) || console_value(c, text, &value))
            return -1;
        c->cpu->vr[n].hi = value;
    }
    return 0;
}

/* Up to 32 hexadecimal digits, right-aligned. */
static int wide_value(struct console *c, const char *text, struct vector_register *value)
{
    char digits[33] = "00000000000000000000000000000000";
    size_t n = strlen(text);
    if (n == 0 || n > 32 || strspn(text, "0123456789abcdefABCDEF") != n)
        return console_fail(c, "'%.40s' is not a vector; give up to 32 hexadecimal digits", text);
    memcpy(digits + 32 - n, text, n);
    char half[17] = {0};
    memcpy(half, digits, 16);
    value->hi = strtoull(half, NULL, 16);
    value->lo = strtoull(digits + 16, NULL, 16);
    return 0;
}

int console_cmd_vr(struct console *c, int argc, char **argv)
{
    unsigned n;
    char *text, name[8], value[40];
    for (int i = 1; i < argc; i++)
        if (assignment(c, argv[i], "vr", 32, &n, &text) || wide_value(c, text, &c->cpu->vr[n]))
            return -1;
    if (argc > 1)
        return 0;
    if (c->json)
        json_object(&c->facts, NULL);
    for (unsigned i = 0; i < 32; i++) {
        snprintf(name, sizeof name, "V%u", i);
        snprintf(value, sizeof value, "%016" PRIX64 "%016" PRIX64, c->cpu->vr[i].hi, c->cpu->vr[i].lo);
        if (c->json)
            json_text(&c->facts, name, value);
        else
            console_print(c, "%4s=%s%s", name, value, i & 1 ? "\n" : "");
    }
    if (c->json)
        json_end_object(&c->facts);
    return 0;
}

int console_cmd_prefix(struct console *c, int argc, char **argv)
{
    uint64_t value;
    if (argc > 2)
        return console_usage(c, "prefix");
    if (argc == 2) {
        if (console_hex(c, argv[1], 0x7fffe000, &value))
            return -1;
        if ((value & 0x1fff) || !storage_has(&c->machine->sys.storage, value, 0x2000))
            return console_fail(c, "prefix %s: not a multiple of 2000 in storage, which ends at %" PRIX64, argv[1],
                                c->machine->sys.storage.size - 1);
        c->cpu->prefix = (uint32_t)value;
        cpu_tlb_purge(c->cpu);
        cpu_mode_changed(c->cpu);
        return 0;
    }
    if (c->json) {
        json_object(&c->facts, NULL);
        json_hex(&c->facts, "prefix", c->cpu->prefix, 8);
        json_end_object(&c->facts);
    } else {
        console_print(c, "prefix %08X\n", c->cpu->prefix);
    }
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
    uint64_t mask = cpu->psw.mask;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_hex(&c->facts, "mask", cpu_psw_mask(cpu), 16);
        json_hex(&c->facts, "address", cpu->psw.ia, 16);
        json_text(&c->facts, "state", machine_state_name(cpu));
        json_bool(&c->facts, "problem", mask & PSW_PROBLEM);
        json_text(&c->facts, "space", space_name(cpu));
        json_number(&c->facts, "addressing", addressing_mode(cpu));
        json_number(&c->facts, "key", cpu_key(cpu));
        json_number(&c->facts, "cc", cpu->cc);
        json_number(&c->facts, "program_mask", field64(mask, 20, 23));
        json_bool(&c->facts, "per", mask & PSW_PER);
        json_bool(&c->facts, "io", mask & PSW_IO);
        json_bool(&c->facts, "external", mask & PSW_EXT);
        json_bool(&c->facts, "machine_check", mask & PSW_MCHK);
        json_bool(&c->facts, "wait", mask & PSW_WAIT);
        json_bool(&c->facts, "ri", mask & PSW_RI);
        json_hex(&c->facts, "breaking_event", cpu->bear, 16);
        json_number(&c->facts, "transaction_depth", cpu->tx_depth);
        json_end_object(&c->facts);
        return;
    }
    console_print(c, "PSW=%016" PRIX64 " %016" PRIX64 "  CPU %X %s\n", cpu_psw_mask(cpu), cpu->psw.ia, cpu->address,
                  machine_state_name(cpu));
    console_print(c, "%s state, %u-bit addressing, %s, key %X, cc %u, program mask %X\n",
                  mask & PSW_PROBLEM ? "problem" : "supervisor", addressing_mode(cpu), space_name(cpu), cpu_key(cpu),
                  cpu->cc, (unsigned)field64(mask, 20, 23));
    console_print(c, "enabled for:%s%s%s%s%s%s%s\n", mask & PSW_IO ? " I/O" : "", mask & PSW_EXT ? " external" : "",
                  mask & PSW_MCHK ? " machine-check" : "", mask & PSW_PER ? " PER" : "",
                  mask & PSW_RI ? " run-time-instrumentation" : "", mask & PSW_WAIT ? "; wait" : "",
                  mask & (PSW_IO | PSW_EXT | PSW_MCHK | PSW_PER | PSW_RI) ? "" : " nothing");
    console_print(c, "breaking-event address %016" PRIX64 "\n", cpu->bear);
    if (cpu_tx_active(cpu))
        console_print(c, "in a%s transaction, nesting depth %u: its stores are not shown until it ends\n",
                      cpu_tx_constrained(cpu) ? " constrained" : "", cpu->tx_depth);
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
    int64_t next = cpu_next_timer_event(cpu);
    (void)argc;
    (void)argv;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_hex(&c->facts, "tod", cpu_tod(cpu), 16);
        json_hex(&c->facts, "clock_comparator", cpu->clock_comparator, 16);
        json_hex(&c->facts, "cpu_timer", (uint64_t)cpu_timer_value(cpu), 16);
        json_hex(&c->facts, "tod_programmable", cpu->tod_programmable, 4);
        json_number(&c->facts, "instructions", cpu_instructions(cpu));
        json_number(&c->facts, "now", cpu_now(cpu));
        if (next != INT64_MAX)
            json_number(&c->facts, "next_timer_event", (uint64_t)next);
        json_end_object(&c->facts);
        return 0;
    }
    console_print(c, "TOD clock            %016" PRIX64 "\n", cpu_tod(cpu));
    console_print(c, "clock comparator     %016" PRIX64 "%s\n", cpu->clock_comparator,
                  cpu_clock_passed(cpu) ? "  passed" : "");
    console_print(c, "CPU timer            %016" PRIX64 "%s\n", (uint64_t)cpu_timer_value(cpu),
                  cpu_timer_value(cpu) < 0 ? "  negative" : "");
    console_print(c, "TOD programmable     %04X\n", cpu->tod_programmable);
    console_print(c, "instructions         %" PRIu64 " (decimal) on this CPU; machine time %" PRIu64 "\n",
                  cpu_instructions(cpu), cpu_now(cpu));
    if (next != INT64_MAX)
        console_print(c, "next timer event     in %" PRId64 " instructions\n", next);
    return 0;
}

static const struct {
    uint32_t condition;
    unsigned code;
    uint64_t submask; /* in CR0 */
    const char *name;
} conditions[] = {
    {CPU_EXT_INTERRUPT_KEY, 0x0040, CR0_INTERRUPT_KEY, "interrupt key"},
    {CPU_EXT_MALFUNCTION_ALERT, 0x1200, CR0_MALFUNCTION_ALERT, "malfunction alert"},
    {CPU_EXT_EMERGENCY, 0x1201, CR0_EMERGENCY_SIGNAL, "emergency signal"},
    {CPU_EXT_CALL, 0x1202, CR0_EXTERNAL_CALL, "external call"},
    {CPU_EXT_CLOCK_COMPARATOR, 0x1004, CR0_CLOCK_COMPARATOR, "clock comparator"},
    {CPU_EXT_CPU_TIMER, 0x1005, CR0_CPU_TIMER, "CPU timer"},
    {CPU_EXT_SERVICE_SIGNAL, 0x2401, CR0_SERVICE_SIGNAL, "service signal"},
    {CPU_EXT_MEASUREMENT_ALERT, 0x1407, CR0_MEASUREMENT_ALERT, "measurement alert"},
};

int console_cmd_pending(struct console *c, int argc, char **argv)
{
    struct cpu *cpu = c->cpu;
    uint32_t pending = cpu_external_pending(cpu);
    unsigned shown = 0;
    (void)argc;
    (void)argv;
    if (c->json)
        json_list(&c->facts, NULL);
    for (unsigned i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        bool mask = cpu->psw.mask & PSW_EXT, submask = cpu->cr[0] & conditions[i].submask;
        if (!(pending & conditions[i].condition))
            continue;
        shown++;
        if (c->json) {
            json_object(&c->facts, NULL);
            json_text(&c->facts, "condition", conditions[i].name);
            json_hex(&c->facts, "code", conditions[i].code, 4);
            json_bool(&c->facts, "enabled", mask && submask);
            json_end_object(&c->facts);
        } else {
            console_print(c, "%04X %-18s %s\n", conditions[i].code, conditions[i].name,
                          mask && submask ? "enabled: comes next"
                          : mask          ? "kept off by its bit in control register 0"
                                          : "kept off by PSW bit 7");
        }
    }
    if (cpu->restart_pending) {
        shown++;
        if (c->json)
            json_text(&c->facts, NULL, "restart");
        else
            console_print(c, "restart\n");
    }
    if (c->json)
        json_end_list(&c->facts);
    else if (!shown)
        console_print(c, "no interruption condition is pending\n");
    return 0;
}

int console_cmd_facilities(struct console *c, int argc, char **argv)
{
    const struct cpu_profile *p = &c->machine->sys.profile;
    unsigned column = 0;
    (void)argc;
    (void)argv;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_text(&c->facts, "profile", p->name);
        json_list(&c->facts, "facilities");
    } else {
        console_print(c, "profile %s, CPU ID %016" PRIX64 ", facility bits (decimal):\n", p->name, p->cpu_id);
    }
    for (unsigned bit = 0; bit < 256; bit++) {
        if (!cpu_facility(&c->machine->sys, bit))
            continue;
        if (c->json)
            json_number(&c->facts, NULL, bit);
        else
            console_print(c, "%4u%s", bit, ++column % 16 ? "" : "\n");
    }
    if (c->json) {
        json_end_list(&c->facts);
        json_end_object(&c->facts);
    } else {
        console_print(c, "%s", column % 16 ? "\n" : "");
    }
    return 0;
}

int console_cmd_cpu(struct console *c, int argc, char **argv)
{
    char words[128];
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
    if (c->json)
        json_list(&c->facts, NULL);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++) {
        struct cpu *cpu = c->machine->sys.cpus[i];
        snprintf(words, sizeof words, "CPU %X: %s, PSW %016" PRIX64 " %016" PRIX64, cpu->address,
                 machine_state_name(cpu), cpu_psw_mask(cpu), cpu->psw.ia);
        if (c->json) {
            json_object(&c->facts, NULL);
            json_number(&c->facts, "cpu", cpu->address);
            json_text(&c->facts, "state", machine_state_name(cpu));
            json_hex(&c->facts, "mask", cpu_psw_mask(cpu), 16);
            json_hex(&c->facts, "address", cpu->psw.ia, 16);
            json_number(&c->facts, "instructions", cpu_instructions(cpu));
            json_bool(&c->facts, "chosen", cpu == c->cpu);
            json_end_object(&c->facts);
        } else {
            console_print(c, "%c %s, %" PRIu64 " instructions\n", cpu == c->cpu ? '>' : ' ', words,
                          cpu_instructions(cpu));
        }
    }
    if (c->json)
        json_end_list(&c->facts);
    return 0;
}
