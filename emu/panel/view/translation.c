/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of translation: an address walked through its tables, and the TLB of this CPU. PoP chapter 3. */
#include "emu/inspect/inspect.h"
#include "emu/inspect/tables.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEPS_MOST = DAT_LEVELS, TLB_WIDTH = 46, NAMES = 5 };

struct translation_memory {
    bool chosen; /* an address was; else it is where the PSW is */
    uint8_t space, ar;
    unsigned page;
    unsigned first; /* entry of the TLB that is shown first */
};

static const struct {
    const char *name;
    enum cpu_space space;
} spaces[NAMES] = {{"current", CPU_SPACE_CURRENT},
                   {"primary", CPU_SPACE_PRIMARY},
                   {"secondary", CPU_SPACE_SECONDARY},
                   {"home", CPU_SPACE_HOME},
                   {"real", CPU_SPACE_REAL}};
enum { SPACE_AR = NAMES };

struct walk {
    struct view *view;
    struct canvas *canvas;
    const struct translation_memory *memory;
    enum cpu_space space;
    uint64_t address, asce, absolute;
    bool dat, protect;
    int code;
    struct cpu_walk_step step[STEPS_MOST];
    unsigned steps;
    char why[160];
    float width; /* of the picture of the walk */
};

/* ---- the walk ------------------------------------------------------------------------------------------------------
 */

static void note(void *context, const struct cpu_walk_step *step)
{
    struct walk *w = context;
    if (w->steps == STEPS_MOST)
        return;
    w->step[w->steps++] = *step;
    const int level = inspect_level(step->what);
    inspect_wrong(level, inspect_kind(w->view->cpu, level, step->entry), step->entry, w->asce, w->why, sizeof w->why);
}

static void take(struct walk *w)
{
    struct cpu *cpu = w->view->cpu;
    struct dat_space found;
    w->space = w->memory->space == SPACE_AR ? CPU_SPACE_AR : spaces[w->memory->space].space;
    w->address = w->memory->chosen ? w->view->translation_at : cpu->psw.ia;
    if (!w->memory->chosen && w->space == CPU_SPACE_CURRENT)
        w->space = inspect_instruction_space(cpu);
    w->dat = w->space != CPU_SPACE_REAL && !(w->space == CPU_SPACE_CURRENT && !(cpu->psw.mask & PSW_DAT));
    if (w->dat && !dat_space(cpu, w->space, w->memory->ar, &found))
        w->asce = found.asce;
    w->code = cpu_walk(cpu, w->space, w->memory->ar, w->address, note, w, &w->absolute, &w->protect);
    if (!w->code && !storage_has(&cpu->sys->storage, w->absolute, 1))
        w->code = PIC_ADDRESSING;
}

/* ---- entries -------------------------------------------------------------------------------------------------------
 */

/* A field that keeps the translation from coming to its end, or may do so. */
static enum canvas_role role_of(const struct walk *w, const struct inspect_field *f, int level, uint64_t value)
{
    const bool bit = f->first == f->last && value;
    if (strcmp(f->name, "table_type") == 0 && value != (uint64_t)level)
        return CANVAS_WARNING;
    if (bit && (strcmp(f->name, "invalid") == 0 || strcmp(f->name, "zero") == 0))
        return CANVAS_WARNING;
    if (bit && strcmp(f->name, "common") == 0 && (w->asce & ASCE_PRIVATE))
        return CANVAS_WARNING;
    return bit ? CANVAS_LIT : CANVAS_VALUE;
}

/* The fields of an entry from row y on, in at most `most` rows. Returns the rows that it took. */
static unsigned draw_fields(const struct walk *w, const struct cpu_walk_step *s, float y, unsigned most)
{
    const int level = inspect_level(s->what);
    const unsigned kind = inspect_kind(w->view->cpu, level, s->entry);
    const struct inspect_field *f;
    unsigned rows = 1;
    float x = 4;
    for (unsigned i = 0; (f = inspect_field(i)); i++) {
        char value[20];
        if (!(f->kinds & kind))
            continue;
        const uint64_t v = inspect_field_value(f, s->entry);
        const enum canvas_role role = role_of(w, f, level, v);
        snprintf(value, sizeof value, "%" PRIX64, v);
        const float width = (float)(strlen(f->words) + strlen(value) + 3);
        if (x + width > w->width && x > 4) {
            if (rows == most)
                return rows;
            rows++;
            x = 4;
        }
        view_text(w->canvas, x, y + (float)rows - 1, w->width - x, role == CANVAS_WARNING ? role : CANVAS_FAINT, "%s",
                  f->words);
        view_text(w->canvas, x + (float)strlen(f->words) + 1, y + (float)rows - 1, w->width - x, role, "%s", value);
        x += width;
    }
    return rows;
}

/* A table: where it is, which entry, its contents. Returns the row behind it. */
static float draw_step(const struct walk *w, unsigned n, float y, unsigned most)
{
    const struct cpu_walk_step *s = &w->step[n];
    const int level = inspect_level(s->what);
    const unsigned kind = inspect_kind(w->view->cpu, level, s->entry);
    char entry[20];
    const float end = w->width < 62 ? 22 : 44;
    view_text(w->canvas, 1, y, end - 1, CANVAS_HEADING, "%s", s->what);
    if (end > 22)
        view_text(w->canvas, 21, y, end - 22, CANVAS_FAINT, "%016" PRIX64 "[%X]", s->origin, s->index);
    view_area(w->canvas, 1, y, end - 1, "the table in storage", "/storage %" PRIX64, s->entry_address);
    snprintf(entry, sizeof entry, "%016" PRIX64, s->entry);
    if (view_has_row(w->canvas, y))
        view_field(w->canvas, end, y, inspect_invalid(kind, s->entry) ? CANVAS_WARNING : CANVAS_VALUE, entry,
                   "r %" PRIX64 "=", s->entry_address);
    if (!most)
        return y + 1;
    const unsigned rows = draw_fields(w, s, y + 1, most);
    const float next = y + 1 + (float)rows;
    if (n + 1 < w->steps && view_has_row(w->canvas, next))
        view_line(w->canvas, 2.5f, y + 1, 2.5f, next, CANVAS_FAINT, true);
    return next;
}

static void draw_end(const struct walk *w, float y)
{
    struct canvas *c = w->canvas;
    const struct storage *s = &w->view->cpu->sys->storage;
    if (w->code) {
        view_text(c, 1, y, w->width - 1, CANVAS_WARNING, "program interruption %04X: %s", (unsigned)w->code,
                  inspect_code_name(w->code));
        if (w->code == PIC_TRANSLATION_SPECIFICATION)
            view_text(c, 1, y + 1, w->width - 1, CANVAS_WARNING, "%s", w->why);
        return;
    }
    const uint8_t key = storage_key(s, w->absolute);
    view_text(c, 1, y, w->width - 1, CANVAS_HERE, "absolute %016" PRIX64, w->absolute);
    view_area(c, 1, y, 25, "this place in storage", "/storage %" PRIX64, w->absolute);
    view_text(c, 1, y + 1, w->width - 1, CANVAS_PLAIN, "key %02X: access %X%s%s%s%s", key, key >> 4,
              key & KEY_F ? ", fetch-protected" : "", key & KEY_R ? ", referenced" : "", key & KEY_C ? ", changed" : "",
              w->protect ? "; stores are not allowed (DAT)" : "");
}

/* ---- the head ------------------------------------------------------------------------------------------------------
 */

/* The parts of the address that index tables. */
static void draw_parts(const struct walk *w, float y)
{
    static const struct {
        const char *name;
        uint8_t first, last;
    } part[] = {{"RFX", 0, 10}, {"RSX", 11, 21}, {"RTX", 22, 32}, {"SX", 33, 43}, {"PX", 44, 51}, {"BX", 52, 63}};
    float x = 1;
    for (unsigned i = 0; i < sizeof part / sizeof *part; i++) {
        char value[8];
        snprintf(value, sizeof value, "%" PRIX64, field64(w->address, part[i].first, part[i].last));
        view_text(w->canvas, x, y, 4, CANVAS_FAINT, "%s", part[i].name);
        x += (float)strlen(part[i].name) + 1;
        view_text(w->canvas, x, y, 4, CANVAS_VALUE, "%s", value);
        x += (float)strlen(value) + 1;
    }
}

static void draw_asce(const struct walk *w, float y)
{
    static const char *const modes[] = {"primary-space mode", "access-register mode", "secondary-space mode",
                                        "home-space mode"};
    const struct cpu *cpu = w->view->cpu;
    const unsigned cr = inspect_asce_register(cpu, w->space);
    const bool on = cpu->psw.mask & PSW_DAT;
    char words[64], where[32] = "";
    if (!w->dat) {
        view_text(w->canvas, 1, y, w->canvas->width, CANVAS_LIT, "%s: the address is real",
                  on ? "real addresses were chosen" : "DAT is off");
        return;
    }
    inspect_asce_words(w->asce, words, sizeof words);
    if (w->space == CPU_SPACE_AR)
        snprintf(where, sizeof where, " by AR %u (%08" PRIX32 ")", w->memory->ar, cpu->ar[w->memory->ar & 15]);
    else if (cr)
        snprintf(where, sizeof where, " in CR%u", cr);
    view_text(w->canvas, 1, y, w->canvas->width, CANVAS_PLAIN, "ASCE%s %016" PRIX64 ": %s%s; PSW: %s", where, w->asce,
              words, w->asce & ASCE_PRIVATE ? ", private" : "", on ? modes[field64(cpu->psw.mask, 16, 17)] : "DAT off");
}

static void draw_head(const struct walk *w)
{
    struct canvas *c = w->canvas;
    char text[20];
    float x = 1;
    view_title(w->view, c, "Translation");
    snprintf(text, sizeof text, "%016" PRIX64, w->address);
    if (c->width > 31 && view_rows(c))
        view_field(c, 13, 0, w->memory->chosen ? CANVAS_VALUE : CANVAS_HERE, text, "/translation ");
    if (w->memory->chosen)
        view_key(c, 31, 0, "PSW", "/translation psw");
    for (unsigned i = 0; i < NAMES; i++) {
        char command[40];
        snprintf(command, sizeof command, "/translation %s", spaces[i].name);
        if (w->memory->space == i && view_has_row(c, 1))
            view_fill(c, x, 1, (float)strlen(spaces[i].name) + 2, CANVAS_HERE, 60);
        x = view_key(c, x, 1, spaces[i].name, command);
    }
    if (x + 6 > c->width)
        return;
    snprintf(text, sizeof text, "%u", w->memory->ar);
    view_text(c, x, 1, 3, w->memory->space == SPACE_AR ? CANVAS_HERE : CANVAS_FAINT, "AR");
    view_field(c, x + 3, 1, CANVAS_VALUE, text, "/translation ar");
}

/* ---- the TLB -------------------------------------------------------------------------------------------------------
 */

static void draw_tlb(const struct walk *w, struct translation_memory *m, float x)
{
    const struct cpu *cpu = w->view->cpu;
    struct canvas *c = w->canvas;
    const bool fetches = !m->chosen || !(cpu->psw.mask & PSW_DAT);
    const struct tlb *tlb = fetches ? cpu->fetch_tlb : cpu->tlb;
    const unsigned rows = view_rows(c);
    unsigned count = 0, shown = 0;
    float y = 4;
    for (unsigned i = 0; i < TLB_ENTRIES; i++)
        count += tlb_in_use(tlb, i);
    view_text(c, x, 3, TLB_WIDTH, CANVAS_HEADING, "TLB, %s: %u of %u", fetches ? "instructions" : "operands", count,
              TLB_ENTRIES);
    const unsigned here = (unsigned)(w->address >> PAGE_BITS) % TLB_ENTRIES;
    for (unsigned i = 0; i < TLB_ENTRIES && (unsigned)y < rows; i++) {
        const unsigned slot = (here + m->first + i) % TLB_ENTRIES;
        const struct tlb_entry *e = &tlb->entry[slot];
        const bool read = e->read != TLB_NONE;
        const uint64_t page = read ? e->read : e->write;
        if (!tlb_in_use(tlb, slot))
            continue;
        view_text(c, x, y, TLB_WIDTH, page == (w->address & PAGE_ADDRESS) ? CANVAS_HERE : CANVAS_VALUE,
                  "%016" PRIX64 " %016" PRIX64 " %s%s", page, e->absolute, read ? "fetch" : "",
                  e->write != TLB_NONE ? " store" : "");
        view_area(c, x, y, 16, "walk this address", "/translation %" PRIX64, page);
        y++;
        shown++;
    }
    if (shown < count && rows > 5)
        view_text(c, x + 30, 3, TLB_WIDTH - 30, CANVAS_FAINT, "%u more", count - shown);
}

/* ---- the view ------------------------------------------------------------------------------------------------------
 */

static void draw(struct view *view, struct canvas *canvas)
{
    struct translation_memory *m = view_memory(view, VIEW_TRANSLATION, sizeof *m);
    struct walk w = {.view = view, .canvas = canvas, .memory = m, .width = canvas->width};
    const bool tlb = canvas->width >= 64 + TLB_WIDTH;
    if (!m) {
        view_title(view, canvas, "Translation");
        return;
    }
    if (tlb)
        w.width -= TLB_WIDTH + 2;
    take(&w);
    draw_head(&w);
    draw_asce(&w, 2);
    draw_parts(&w, 3);
    const unsigned rows = view_rows(canvas);
    const unsigned most = w.steps && rows > 6 + w.steps ? (rows - 6) / w.steps - 1 : 0;
    float y = 4;
    for (unsigned n = 0; n < w.steps; n++)
        y = draw_step(&w, n, y, most > 3 ? 3 : most);
    draw_end(&w, y);
    m->page = rows > 4 ? rows - 4 : 1;
    if (tlb)
        draw_tlb(&w, m, w.width + 2);
}

static bool command(struct view *view, const char *words)
{
    struct translation_memory *m = view_memory(view, VIEW_TRANSLATION, sizeof *m);
    int64_t rows;
    if (!m)
        return true;
    for (uint8_t i = 0; i < NAMES; i++)
        if (strcasecmp(words, spaces[i].name) == 0) {
            m->space = i;
            return true;
        }
    if (strncasecmp(words, "ar", 2) == 0 && words[2] >= '0' && words[2] <= '9') {
        m->space = SPACE_AR;
        m->ar = (uint8_t)(strtoul(words + 2, NULL, 10) & 15);
        return true;
    }
    if (strcasecmp(words, "psw") == 0) {
        m->chosen = false;
        return true;
    }
    if (view_scroll(words, m->page, &rows)) {
        m->first = rows == INT64_MIN ? 0 : (unsigned)((int64_t)m->first + rows) % TLB_ENTRIES;
        return true;
    }
    if (!view_address(view, words, &view->translation_at))
        return false;
    m->chosen = true;
    return true;
}

const struct view_kind view_translation = {.name = "translation",
                                           .title = "Translation",
                                           .help = "an address walked through its tables, and the TLB",
                                           .draw = draw,
                                           .end = view_memory_end,
                                           .command = command};
