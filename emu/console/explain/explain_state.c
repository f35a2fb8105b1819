/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain: program-status word, control registers, interruptions, facilities, channel-command words, field by field. */
#include "cpu/state/control_registers.h"
#include "cpu/state/interruptions.h"
#include "disasm/dis.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/told.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A field of bits: what ones, or the value, mean. */
struct bits {
    uint8_t first, last;
    const char *name, *zero, *one; /* of a single bit; of more bits `one` says what the value is */
};

static void show_bits(struct console *c, uint64_t value, const struct bits *b)
{
    char bits[16];
    const uint64_t field = field64(value, b->first, b->last);
    if (b->first == b->last)
        snprintf(bits, sizeof bits, "%u", b->first);
    else
        snprintf(bits, sizeof bits, "%u-%u", b->first, b->last);
    SHOW_ROW(c, "  {-6} {-20} {x}  {}\n", fact_text("bits", bits), fact_text("name", b->name),
             fact_hex("value", field, 1), fact_text("meaning", b->first == b->last && !field ? b->zero : b->one));
}

/* ---- PSW ------------------------------------------------------------------------------------------------------- */

static const struct bits psw_bits[] = {
    {1, 1, "PER", "no program-event recording", "program-event recording, as control registers 9 to 11 say"},
    {5, 5, "DAT", "addresses are real", "addresses are translated"},
    {6, 6, "I/O mask", "I/O interruptions wait", "I/O interruptions may come, of the classes in control register 6"},
    {7, 7, "external mask", "external interruptions wait",
     "external interruptions may come, those in control register 0"},
    {8, 11, "key", "", "the access key; 0 opens all storage"},
    {13, 13, "machine-check mask", "machine checks wait", "machine checks may come"},
    {14, 14, "wait", "the CPU carries out instructions", "the CPU waits for an interruption"},
    {15, 15, "problem state", "supervisor state: all instructions", "problem state: no privileged instruction"},
    {16, 17, "address space", "", "0 primary, 1 access register, 2 secondary, 3 home (with translation)"},
    {18, 19, "condition code", "", "what the last instruction that sets it found"},
    {20, 20, "fixed-point mask", "no fixed-point-overflow interruption", "fixed-point overflow interrupts"},
    {21, 21, "decimal mask", "no decimal-overflow interruption", "decimal overflow interrupts"},
    {22, 22, "HFP underflow mask", "no interruption: the result is zero", "exponent underflow interrupts"},
    {23, 23, "HFP signif. mask", "no interruption: the result is zero", "lost significance interrupts"},
    {24, 24, "RI", "run-time instrumentation is off", "run-time instrumentation is on"},
    {31, 32, "addressing mode", "", "0 24-bit, 1 31-bit, 3 64-bit addresses"},
};

int console_explain_psw(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    const uint64_t mask = cpu_psw_mask(c->cpu);
    show_object(c, NULL);
    SHOW(c, "PSW {} {}\n", fact_hex("mask", mask, 16), fact_hex("address", c->cpu->psw.ia, 16));
    show_list(c, "fields");
    for (unsigned n = 0; n < sizeof psw_bits / sizeof *psw_bits; n++)
        show_bits(c, mask, &psw_bits[n]);
    show_end_list(c);
    show_words(c, "  64-127 address              %" PRIX64 "  of the next instruction\n", c->cpu->psw.ia);
    show_end_object(c);
    return 0;
}

/* ---- control registers ----------------------------------------------------------------------------------------- */

int console_explain_cr(struct console *c, int argc, char **argv)
{
    uint64_t number;
    if (argc != 3)
        return console_usage(c, "explain");
    if (console_count(c, argv[2], &number))
        return -1;
    if (number > 15)
        return console_fail(c, "explain: control registers are 0 to 15, not %" PRIu64, number);
    const uint64_t value = c->cpu->cr[number];
    unsigned shown = 0;
    show_object(c, NULL);
    SHOW(c, "control register {} = {}\n", fact_number("number", number), fact_hex("value", value, 16));
    show_list(c, "fields");
    for (unsigned n = 0; n < cpu_control_field_count; n++) {
        const struct cpu_control_field *f = &cpu_control_fields[n];
        char bits[16];
        if (f->number != number)
            continue;
        snprintf(bits, sizeof bits, f->first == f->last ? "%u" : "%u-%u", f->first, f->last);
        SHOW_ROW(c, "  {-6} {x}  {}\n", fact_text("bits", bits),
                 fact_hex("value", field64(value, f->first, f->last), 1), fact_text("name", f->name));
        shown++;
    }
    show_end_list(c);
    if (!shown)
        show_words(c, "  nothing is assigned to it\n");
    show_end_object(c);
    return 0;
}

/* ---- interruptions --------------------------------------------------------------------------------------------- */

static int explain_code(struct console *c, const char *text)
{
    char name[128];
    uint64_t code;
    const int found = cpu_program_find(text);
    if (found >= 0)
        code = (uint64_t)found;
    else if (console_hex(c, text, 0xffff, &code))
        return -1;
    cpu_program_name((unsigned)code, name, sizeof name);
    const char *external = cpu_external_name((unsigned)code);
    if (!*name && !external)
        return console_fail(c,
                            "explain: %04X is no code of a program or external interruption; man zri-interruptions "
                            "lists them",
                            (unsigned)code);
    show_object(c, NULL);
    SHOW(c, "", fact_hex("code", code, 4));
    if (*name)
        SHOW(c, "program interruption {}: {}; old PSW at real 150, new PSW from 1D0, code at 8E, length code at 8D\n",
             fact_hex(NULL, code, 4), fact_text("program", name));
    if (external)
        SHOW(c, "external interruption {}: {}; old PSW at real 130, new PSW from 1B0, code at 86\n",
             fact_hex(NULL, code, 4), fact_text("external", external));
    show_end_object(c);
    return 0;
}

int console_explain_interruption(struct console *c, int argc, char **argv)
{
    const struct cpu_program_taken *latest = &c->cpu->taken.latest;
    if (argc > 3)
        return console_usage(c, "explain");
    if (argc == 3)
        return explain_code(c, argv[2]);
    show_object(c, NULL);
    if (!latest->number) {
        show_words(c, "there was no program interruption on this CPU yet\n");
    } else {
        const struct told t = console_told(c, c->cpu, latest);
        console_show_told(c, "latest", "the latest: ", &t, true);
    }
    show_end_object(c);
    return 0;
}

/* ---- facilities ------------------------------------------------------------------------------------------------ */

int console_explain_facility(struct console *c, int argc, char **argv)
{
    uint64_t bit;
    char names[300];
    if (argc != 3)
        return console_usage(c, "explain");
    if (console_count(c, argv[2], &bit))
        return -1;
    const struct dis_facility_row *row = bit < 240 ? dis_facility_of((unsigned)bit) : NULL;
    if (!row)
        return console_fail(c, "explain: facility bit %" PRIu64 " is reserved; `facilities` lists those there are",
                            bit);
    dis_facility_names((unsigned)bit, names, sizeof names);
    show_object(c, NULL);
    SHOW(c, "facility {}: {}\n", fact_number("bit", bit), fact_text("name", names));
    SHOW(c, "this machine {}\n",
         fact_flag("installed", cpu_facility(&c->machine->sys, (unsigned)bit), "has it", "does not have it"));
    if (*row->note)
        SHOW(c, "{}\n", fact_text("note", row->note));
    unsigned count = 0;
    show_list(c, "instructions");
    for (unsigned n = 0; n < DIS_ROW_COUNT; n++)
        if (bit && dis_rows[n].facility == bit) {
            show_words(c, "%s", count ? " " : "instructions: ");
            show_value(c, "{}", fact_text(NULL, dis_rows[n].mnemonic));
            count++;
        }
    show_end_list(c);
    show_words(c, "%s", count ? "\n" : "");
    show_end_object(c);
    return 0;
}

/* ---- channel programs ------------------------------------------------------------------------------------------ */

static const struct bits ccw_flags[] = {
    {0, 0, "chain data", "", "the next word goes on with other storage"},
    {1, 1, "chain command", "", "the next word has another command"},
    {2, 2, "suppress length", "", "a wrong length is not told"},
    {3, 3, "skip", "", "nothing is stored"},
    {4, 4, "interruption", "", "a program-controlled interruption comes here"},
    {5, 5, "indirect", "", "the address is that of a list of addresses"},
    {6, 6, "suspend", "", "the program stops here until RESUME SUBCHANNEL"},
    {7, 7, "modified indirect", "", "the address is that of a list of addresses and counts"},
};

/* Basic commands by their rightmost bits. */
static const char *ccw_command(unsigned code)
{
    if (code == 8)
        return "transfer in channel: goes on at the address";
    return (code & 3) == 1     ? "write"
           : (code & 3) == 2   ? (code & 15) == 12 ? "read backward" : "read"
           : (code & 3) == 3   ? "control"
           : (code & 15) == 4  ? "sense"
           : (code & 15) == 12 ? "read backward"
                               : "not valid";
}

int console_explain_ccw(struct console *c, int argc, char **argv)
{
    uint64_t address;
    uint8_t b[8];
    if (argc != 3)
        return console_usage(c, "explain");
    if (console_value(c, argv[2], &address))
        return -1;
    if (look_fetch(c, CPU_SPACE_ABSOLUTE, 0, address, b, sizeof b) != sizeof b)
        return console_fail(c,
                            "explain: there is no storage at absolute %" PRIX64 "; the machine has %" PRIX64 " bytes",
                            address, c->machine->sys.storage.size);
    const uint32_t data = (uint32_t)b[4] << 24 | (uint32_t)b[5] << 16 | (uint32_t)b[6] << 8 | b[7];
    show_object(c, NULL);
    SHOW(c, "format-1 channel-command word at absolute {}\n", fact_hex("address", address, 16));
    SHOW(c, "  command {} ({}), {} bytes, data at absolute {}\n", fact_hex("command", b[0], 2),
         fact_text("basic", ccw_command(b[0])), fact_number("count", (unsigned)b[2] << 8 | b[3]),
         fact_hex("data", data, 8));
    show_list(c, "flags");
    for (unsigned n = 0; n < sizeof ccw_flags / sizeof *ccw_flags; n++)
        if (b[1] & (0x80 >> n))
            SHOW_ROW(c, "  {}: {}\n", fact_text("flag", ccw_flags[n].name), fact_text("meaning", ccw_flags[n].one));
    show_end_list(c);
    show_end_object(c);
    return 0;
}
