/* SPDX-License-Identifier: GPL-3.0-or-later */
/* translate: an address step by step, every table entry field by field. PoP chapter 3, "Translation Tables". */
#include "cpu/storage/dat.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/space.h"
#include "emu/inspect/tables.h"
#include <inttypes.h>
#include <string.h>

struct walked {
    struct console *c;
    char why[160]; /* a translation-specification exception: which bits are wrong */
    uint64_t asce;
};

static void show_fields(struct console *c, unsigned kind, uint64_t entry)
{
    bool first = true;
    show_object(c, "fields");
    const struct inspect_field *f;
    for (unsigned i = 0; (f = inspect_field(i)); i++) {
        if (!(f->kinds & kind))
            continue;
        SHOW(c, "{}{} {x}", fact_text(NULL, first ? "    " : ", "), fact_text(NULL, f->words),
             fact_hex(f->name, inspect_field_value(f, entry), 1));
        first = false;
    }
    show_end_object(c);
    show_words(c, "\n");
}

static void step(void *context, const struct cpu_walk_step *s)
{
    struct walked *w = context;
    const int level = inspect_level(s->what);
    const unsigned kind = inspect_kind(w->c->cpu, level, s->entry);
    char index[8];
    snprintf(index, sizeof index, "%X", s->index);
    show_object(w->c, NULL);
    SHOW(w->c, "{-20} at {}, entry {3} at {}: {}{}{}\n", fact_text("table", s->what), fact_hex("origin", s->origin, 16),
         fact_text(NULL, index), fact_hex("entry_address", s->entry_address, 16), fact_hex("entry", s->entry, 16),
         fact_flag(NULL, inspect_invalid(kind, s->entry), "  invalid", ""),
         fact_flag(NULL, s->entry & BIT64(54), "  protected", ""), fact_number("index", s->index));
    show_fields(w->c, kind, s->entry);
    show_end_object(w->c);
    inspect_wrong(level, kind, s->entry, w->asce, w->why, sizeof w->why);
}

static void show_asce(struct console *c, uint64_t asce, unsigned cr)
{
    char words[64];
    inspect_asce_words(asce, words, sizeof words);
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
    const unsigned cr = inspect_asce_register(c->cpu, space);
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
