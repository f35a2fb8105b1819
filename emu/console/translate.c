/* SPDX-License-Identifier: GPL-3.0-or-later */
/* translate: an address step by step, every table entry field by field. PoP chapter 3, "Translation Tables". */
#include "cpu/storage/dat.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/space.h"
#include <inttypes.h>
#include <string.h>

/* Kinds of entries: a field stands in some of them. */
enum { REGION = 1, SEGMENT = 2, PAGE = 4, FRAME_2G = 8, FRAME_1M = 16, LARGE = FRAME_2G | FRAME_1M };
enum { PAGE_INVALID = 53, TABLE_INVALID = 58, TABLE_FORMAT_CONTROL = 53, COMMON = 59 };

/* Fields of table entries, PoP's bit numbers. */
static const struct field {
    uint8_t kinds, first, last;
    const char *name, *words;
} fields[] = {
    {REGION, 0, 51, "origin", "next table"},
    {SEGMENT, 0, 52, "page_table", "page table"},
    {FRAME_2G, 0, 32, "frame", "frame"},
    {FRAME_1M, 0, 43, "frame", "frame"},
    {PAGE, 0, 51, "frame", "frame"},
    {LARGE, 47, 47, "av", "key given (AV)"},
    {LARGE, 48, 51, "acc", "access-control bits"},
    {LARGE, 52, 52, "fetch_protection", "fetch protection"},
    {LARGE, TABLE_FORMAT_CONTROL, TABLE_FORMAT_CONTROL, "fc", "format control"},
    {PAGE, 52, 52, "zero", "bit 52 (must be 0)"},
    {PAGE, PAGE_INVALID, PAGE_INVALID, "invalid", "invalid"},
    {REGION | SEGMENT | LARGE | PAGE, 54, 54, "protection", "protection"},
    {LARGE | PAGE, 55, 55, "iep", "no execution"},
    {REGION, 56, 57, "table_offset", "offset"},
    {REGION | SEGMENT | LARGE, TABLE_INVALID, TABLE_INVALID, "invalid", "invalid"},
    {FRAME_2G | SEGMENT | FRAME_1M, COMMON, COMMON, "common", "common"},
    {REGION | SEGMENT | LARGE, 60, 61, "table_type", "type"},
    {REGION, 62, 63, "table_length", "length"},
};

static const char *const table_names[] = {"segment table", "region third table", "region second table",
                                          "region first table"};

struct walked {
    struct console *c;
    char why[160]; /* a translation-specification exception: which bits are wrong */
    uint64_t asce;
};

/* The level of a table by its name: 0 segment ... 3 region first; negative: another step. */
static int level_of(const char *what)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(what, table_names[i]) == 0)
            return i;
    return -1;
}

static bool edat(const struct cpu *cpu, unsigned facility)
{
    return (cpu->cr[0] & CR0_EDAT) && cpu_facility(cpu->sys, facility);
}

static unsigned kind_of(const struct cpu *cpu, int level, uint64_t entry)
{
    if (level < 0)
        return PAGE;
    if (level == 0)
        return (entry & BIT64(TABLE_FORMAT_CONTROL)) && edat(cpu, FACILITY_EDAT1) ? FRAME_1M : SEGMENT;
    return level == 1 && (entry & BIT64(TABLE_FORMAT_CONTROL)) && edat(cpu, FACILITY_EDAT2) ? FRAME_2G : REGION;
}

/* The field as a value; an address keeps its place. */
static uint64_t value_of(const struct field *f, uint64_t entry)
{
    return f->first == 0 ? entry & ~(BIT64(f->last) - 1) : field64(entry, f->first, f->last);
}

static void show_fields(struct console *c, unsigned kind, uint64_t entry)
{
    bool first = true;
    show_object(c, "fields");
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct field *f = &fields[i];
        if (!(f->kinds & kind))
            continue;
        SHOW(c, "{}{} {x}", fact_text(NULL, first ? "    " : ", "), fact_text(NULL, f->words),
             fact_hex(f->name, value_of(f, entry), 1));
        first = false;
    }
    show_end_object(c);
    show_words(c, "\n");
}

/* What makes an entry wrong in itself, if anything does. */
static void find_wrong(struct walked *w, int level, unsigned kind, uint64_t entry)
{
    if (kind == PAGE) {
        if (!(entry & BIT64(PAGE_INVALID)) && (entry & BIT64(52)))
            snprintf(w->why, sizeof w->why, "bit 52 of the page-table entry is one");
        return;
    }
    if (entry & BIT64(TABLE_INVALID))
        return;
    if (field64(entry, 60, 61) != (uint64_t)level)
        snprintf(w->why, sizeof w->why, "bits 60-61 (type) are %u, and an entry of a %s has %d there",
                 (unsigned)field64(entry, 60, 61), table_names[level], level);
    else if (kind != REGION && (entry & BIT64(COMMON)) && (w->asce & ASCE_PRIVATE))
        snprintf(w->why, sizeof w->why, "bit 59 (common) is one in a private space (bit 55 of the ASCE is one)");
}

static void step(void *context, const struct cpu_walk_step *s)
{
    struct walked *w = context;
    const int level = level_of(s->what);
    const unsigned kind = kind_of(w->c->cpu, level, s->entry);
    const uint64_t invalid = kind == PAGE ? BIT64(PAGE_INVALID) : BIT64(TABLE_INVALID);
    char index[8];
    snprintf(index, sizeof index, "%X", s->index);
    show_object(w->c, NULL);
    SHOW(w->c, "{-20} at {}, entry {3} at {}: {}{}{}\n", fact_text("table", s->what), fact_hex("origin", s->origin, 16),
         fact_text(NULL, index), fact_hex("entry_address", s->entry_address, 16), fact_hex("entry", s->entry, 16),
         fact_flag(NULL, s->entry & invalid, "  invalid", ""), fact_flag(NULL, s->entry & BIT64(54), "  protected", ""),
         fact_number("index", s->index));
    show_fields(w->c, kind, s->entry);
    show_end_object(w->c);
    find_wrong(w, level, kind, s->entry);
}

/* The control register that has the ASCE of a space now; 0: none has. */
static unsigned asce_register(const struct cpu *cpu, enum cpu_space space)
{
    static const uint8_t of_psw[] = {[AS_PRIMARY] = CPU_SPACE_PRIMARY,
                                     [AS_SECONDARY] = CPU_SPACE_SECONDARY,
                                     [AS_HOME] = CPU_SPACE_HOME,
                                     [AS_ACCESS_REGISTER] = CPU_SPACE_AR};
    if (space == CPU_SPACE_CURRENT)
        space = cpu->psw.mask & PSW_DAT ? of_psw[field64(cpu->psw.mask, 16, 17)] : CPU_SPACE_REAL;
    return space == CPU_SPACE_PRIMARY ? 1 : space == CPU_SPACE_SECONDARY ? 7 : space == CPU_SPACE_HOME ? 13 : 0;
}

static void show_asce(struct console *c, uint64_t asce, unsigned cr)
{
    char words[64] = "real space";
    if (!(asce & ASCE_REAL))
        snprintf(words, sizeof words, "%s, length %u", table_names[field64(asce, 60, 61)],
                 (unsigned)field64(asce, 62, 63));
    SHOW(c, "ASCE in CR{}: {}, {}\n", fact_number("asce_register", cr), fact_hex("asce", asce, 16),
         fact_text(NULL, words));
}

int console_cmd_translate(struct console *c, int argc, char **argv)
{
    enum cpu_space space = CPU_SPACE_CURRENT;
    unsigned ar = 0;
    uint64_t address, absolute = 0;
    bool protect = false;
    const bool named = argc > 1 && space_word(c, argv[1], &space, &ar);
    if (argc != 2 + named)
        return console_usage(c, "translate");
    if (console_value(c, argv[1 + named], &address))
        return -1;
    const unsigned cr = asce_register(c->cpu, space);
    struct walked w = {.c = c};
    struct dat_space found;
    if (!dat_space(c->cpu, space, ar, &found))
        w.asce = found.asce;
    show_object(c, NULL);
    if (!named && !(c->cpu->psw.mask & PSW_DAT))
        show_words(c, "DAT is off: the address is real\n");
    SHOW(c, "", fact_hex("address", address, 16), fact_flag("dat", c->cpu->psw.mask & PSW_DAT, "", ""));
    if (cr)
        show_asce(c, w.asce, cr);
    show_list(c, "steps");
    int code = cpu_walk(c->cpu, space, ar, address, step, &w, &absolute, &protect);
    show_end_list(c);
    if (!code && !storage_has(&c->machine->sys.storage, absolute, 1))
        code = PIC_ADDRESSING;
    if (code) {
        const bool wrong = code == PIC_TRANSLATION_SPECIFICATION && *w.why;
        SHOW(c, "{}: program-interruption code {} ({}){}{}\n", fact_hex(NULL, address, 16),
             fact_hex("code", (unsigned)code, 4), fact_text("name", look_code_name(code)),
             fact_text(NULL, wrong ? ": " : ""), fact_if(wrong, fact_text("why", w.why)));
    } else {
        SHOW(c, "{} is absolute {}{}, storage key {}\n", fact_hex(NULL, address, 16),
             fact_hex("absolute", absolute, 16), fact_flag("protected", protect, ", DAT protection", ""),
             fact_hex("key", c->machine->sys.storage.keys[absolute >> PAGE_BITS], 2), fact_hex("code", 0, 4));
    }
    show_end_object(c);
    return 0;
}

int console_explain_translation(struct console *c, int argc, char **argv)
{
    return argc < 3 ? console_usage(c, "explain") : console_cmd_translate(c, argc - 1, argv + 1);
}
