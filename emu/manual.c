/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the manual: options, commands, devices, DIAGNOSE codes, interruption codes, instructions, facilities,
   control registers; and the words that a shell completes. */
#include "emu/manual.h"
#include "cpu/state/control_registers.h"
#include "cpu/state/interruptions.h"
#include "disasm/dis.h"
#include "disasm/facility.h"
#include "emu/config/options.h"
#include "emu/console/console.h"
#include "emu/console/help.h"
#include "emu/dev/types.h"
#include <inttypes.h>
#include <string.h>

/* Text for troff; a point or an apostrophe in front would be a request. */
static void troff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    help_troff(out, text);
}

/* A row of a list: a term, and what it is. */
static void row(FILE *out, const char *term, const char *text)
{
    fputs(".TP\n.B \"", out);
    troff(out, term);
    fputs("\"\n", out);
    troff(out, text);
    fputc('\n', out);
}

static void devices(FILE *out)
{
    char term[256];
    for (const struct channel_type *const *t = device_types; *t; t++) {
        snprintf(term, sizeof term, "%s %s", (*t)->name, (*t)->arguments);
        row(out, term, (*t)->help);
    }
}

static void diagnose(FILE *out)
{
    static const struct {
        unsigned code;
        bool offered;
        const char *text;
    } codes[] = {
#define DIAGNOSE(code, offered, function, text) {code, offered, text},
#include "emu/config/diagnose.def"
#undef DIAGNOSE
    };
    char term[16], text[128];
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
        snprintf(term, sizeof term, "%03X", codes[i].code);
        snprintf(text, sizeof text, "%s%s", codes[i].text,
                 codes[i].offered ? "" : " (not offered unless it is asked for)");
        row(out, term, text);
    }
}

static void codes(FILE *out, const char *title, const struct cpu_code_name *list, unsigned digits)
{
    char term[16];
    fprintf(out, ".SH %s\n", title);
    for (; list->name; list++) {
        snprintf(term, sizeof term, "%0*X", (int)digits, list->code);
        row(out, term, list->name);
    }
}

static void interruptions(FILE *out)
{
    char term[32], text[160];
    codes(out, "PROGRAM INTERRUPTIONS", cpu_program_codes, 4);
    codes(out, "DATA-EXCEPTION CODES", cpu_data_exception_codes, 2);
    codes(out, "VECTOR-EXCEPTION CODES", cpu_vector_exception_codes, 1);
    fputs(".SH EXTERNAL INTERRUPTIONS\n", out);
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++) {
        snprintf(term, sizeof term, "%04X", cpu_externals[i].code);
        snprintf(text, sizeof text, "%s; subclass mask in control register 0: bit %d", cpu_externals[i].name,
                 __builtin_clzll(cpu_externals[i].subclass));
        row(out, term, text);
    }
    fputs(".SH MACHINE CHECKS\n", out);
    for (unsigned i = 0; i < CPU_MACHINE_CHECK_COUNT; i++) {
        snprintf(term, sizeof term, "%016" PRIX64, cpu_machine_check_rows[i].code);
        snprintf(text, sizeof text, "%s; subclass mask in control register 14: bit %d", cpu_machine_check_rows[i].name,
                 __builtin_clzll(cpu_machine_check_rows[i].subclass));
        row(out, term, text);
    }
}

/* One line each: mnemonic, format, facility, name. */
static void instructions(FILE *out)
{
    fputs(".nf\n", out);
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++) {
        char line[160];
        const struct dis_row *r = &dis_rows[i];
        const struct dis_facility_row *f = dis_facility_of(r->facility);
        snprintf(line, sizeof line, "%-9s %-6s %s%s%s%s%s", r->mnemonic, dis_format_name(r->format), r->name,
                 r->facility ? " [" : "", r->facility && f ? f->name : "", r->facility ? "]" : "",
                 dis_implemented(i) ? "" : " (not carried out)");
        troff(out, line);
        fputc('\n', out);
    }
    fputs(".fi\n", out);
}

/* By their bits; what is in the note belongs to the bit, or is missing in this machine. */
static void facilities(FILE *out)
{
    char term[16], text[512];
    for (unsigned i = 0; i < DIS_FACILITY_COUNT; i++) {
        const struct dis_facility_row *f = &dis_facilities[i];
        snprintf(term, sizeof term, "%u", f->bit);
        snprintf(text, sizeof text, "%s%s%s%s", f->name, *f->note ? "; " : "",
                 f->promise == DIS_PROMISE_LACKS ? "not complete: " : "", f->note);
        row(out, term, text);
    }
}

static void controls(FILE *out)
{
    char term[32];
    for (unsigned i = 0; i < cpu_control_field_count; i++) {
        const struct cpu_control_field *f = &cpu_control_fields[i];
        if (f->first == f->last)
            snprintf(term, sizeof term, "CR%u.%u", f->number, f->first);
        else
            snprintf(term, sizeof term, "CR%u.%u-%u", f->number, f->first, f->last);
        row(out, term, f->name);
    }
}

bool emu_manual(const char *part, FILE *out, const char **parts)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out);
    } all[] = {{"options", emu_options_manual}, {"commands", console_manual},     {"devices", devices},
               {"diagnose", diagnose},          {"interruptions", interruptions}, {"instructions", instructions},
               {"facilities", facilities},      {"controls", controls},           {"bash", emu_options_bash},
               {"zsh", emu_options_zsh}};
    *parts = "options, commands, devices, diagnose, interruptions, instructions, facilities, controls, bash and zsh";
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, part) == 0) {
            all[i].print(out);
            return true;
        }
    return false;
}
