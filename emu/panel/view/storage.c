/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of storage: a map of its frames by what they are used for, and any range of it in hexadecimal and
   characters. */
#include "base/ebcdic.h"
#include "emu/inspect/inspect.h"
#include "emu/panel/view/frames.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LABEL = 13, DUMP_ROWS = 64, LINE = 16, MAP_Y = 2 };

struct dump {
    uint64_t address;
    uint8_t space;
    uint8_t had[DUMP_ROWS]; /* bytes of each row that can be fetched */
    uint8_t bytes[DUMP_ROWS * LINE];
};

struct storage_memory {
    struct frames frames;
    unsigned columns, rows, page; /* of the map; rows of the dump */
    uint8_t space;                /* 0 absolute, 1 real, 2 virtual */
    bool ascii, begun;
    uint64_t stood; /* instructions of all CPUs when `now` was what there is to be seen */
    struct dump now, then;
};

static const struct {
    const char *name, *command;
    enum cpu_space space;
} spaces[] = {
    {"absolute", "abs", CPU_SPACE_ABSOLUTE}, {"real", "r", CPU_SPACE_REAL}, {"virtual", "v", CPU_SPACE_CURRENT}};

/* ---- the map -------------------------------------------------------------------------------------------------------
 */

/* What a cell is shown as; the last that holds counts. */
static enum canvas_role role_of(const struct frames_cell *cell, unsigned marks, bool here)
{
    return here                    ? CANVAS_HERE
           : marks & FRAMES_BUFFER ? CANVAS_E
           : marks & FRAMES_TABLE  ? CANVAS_D
           : cell->code            ? CANVAS_C
           : cell->written         ? CANVAS_B
           : cell->read            ? CANVAS_A
                                   : CANVAS_FAINT;
}

static unsigned strength_of(const struct frames_cell *cell, enum canvas_role role, uint64_t picture)
{
    const uint64_t age = picture - cell->hot;
    const unsigned heat = cell->hot && age < 128 ? 128 - (unsigned)age : 0;
    return role == CANVAS_FAINT ? 20 + heat / 2 : role == CANVAS_HERE ? 255 : 110 + heat;
}

struct map {
    struct view *view;
    struct storage_memory *memory;
    uint8_t marks[FRAMES_CELLS];
    bool here[FRAMES_CELLS];
};

static void note_marks(struct map *map)
{
    const struct frames *f = &map->memory->frames;
    struct machine *machine = map->view->session->machine;
    for (uint32_t i = 0; i < f->marked.count; i++)
        if (f->marked.frame[i] / f->per < f->cells)
            map->marks[f->marked.frame[i] / f->per] |= f->marked.mark[i];
    for (unsigned i = 0; i < machine->sys.cpu_count; i++) {
        struct cpu *cpu = machine->sys.cpus[i];
        uint64_t absolute;
        if (cpu && !inspect_absolute(cpu, inspect_instruction_space(cpu), 0, cpu->psw.ia, &absolute) &&
            (absolute >> PAGE_BITS) / f->per < f->cells)
            map->here[(absolute >> PAGE_BITS) / f->per] = true;
    }
}

/* Cells of a row that look alike are one item. */
static void draw_cells(const struct map *map, struct canvas *canvas, unsigned row)
{
    const struct frames *f = &map->memory->frames;
    const uint32_t first = row * map->memory->columns;
    unsigned begun = 0, strength_then = 0;
    enum canvas_role role_then = CANVAS_PLAIN;
    for (unsigned n = 0; n <= map->memory->columns; n++) {
        const uint32_t cell = first + n;
        const bool there = n < map->memory->columns && cell < f->cells;
        const enum canvas_role role = there ? role_of(&f->cell[cell], map->marks[cell], map->here[cell]) : CANVAS_PLAIN;
        const unsigned strength = there ? strength_of(&f->cell[cell], role, map->view->pictures) & ~7u : 0;
        if (n && (role != role_then || strength != strength_then)) {
            if (strength_then)
                view_fill(canvas, LABEL + (float)begun, MAP_Y + (float)row, (float)(n - begun), role_then,
                          strength_then);
            begun = n;
        }
        role_then = role;
        strength_then = strength;
    }
}

static void draw_labels(const struct map *map, struct canvas *canvas)
{
    const struct frames *f = &map->memory->frames;
    for (unsigned row = 0; row < map->memory->rows; row++)
        if ((uint64_t)row * map->memory->columns < f->cells)
            view_text(canvas, 0, MAP_Y + (float)row, LABEL - 1, CANVAS_FAINT, "%12" PRIX64,
                      (uint64_t)row * map->memory->columns * f->per * PAGE_SIZE_Z);
}

/* The cell at a place of the canvas; false: none is there. */
static bool cell_at(const struct storage_memory *m, float x, float y, uint32_t *cell)
{
    if (x < LABEL || y < MAP_Y || x >= LABEL + (float)m->columns || y >= MAP_Y + (float)m->rows)
        return false;
    *cell = (uint32_t)(y - MAP_Y) * m->columns + (uint32_t)(x - LABEL);
    return *cell < m->frames.cells;
}

static void draw_areas(const struct map *map, struct canvas *canvas)
{
    const struct frames *f = &map->memory->frames;
    char tip[200] = "what is there";
    uint32_t n;
    if (cell_at(map->memory, map->view->pointer_x, map->view->pointer_y, &n)) {
        const struct frames_cell *c = &f->cell[n];
        const uint64_t first = (uint64_t)n * f->per * PAGE_SIZE_Z;
        snprintf(tip, sizeof tip, "%" PRIX64 "-%" PRIX64 ": of %u frames %u read, %u written, %u with code%s%s", first,
                 first + (uint64_t)f->per * PAGE_SIZE_Z - 1, f->per, c->read, c->written, c->code,
                 map->marks[n] & FRAMES_TABLE ? "; translation tables" : "",
                 map->marks[n] & FRAMES_BUFFER ? "; a program buffer" : "");
        canvas_frame(canvas,
                     (struct canvas_box){(float)(int)map->view->pointer_x, (float)(int)map->view->pointer_y, 1, 1},
                     CANVAS_HERE);
        view_text(canvas, 0, MAP_Y + (float)map->memory->rows, canvas->width, CANVAS_PLAIN, "%s", tip);
    }
    canvas_area(canvas, (struct canvas_box){LABEL, MAP_Y, (float)map->memory->columns, (float)map->memory->rows}, tip,
                "/storage pick");
}

static void draw_legend(struct canvas *canvas, const struct frames *f)
{
    static const struct {
        enum canvas_role role;
        const char *name;
    } legend[] = {{CANVAS_A, "read"},   {CANVAS_B, "written"}, {CANVAS_C, "code"},
                  {CANVAS_D, "tables"}, {CANVAS_E, "RI"},      {CANVAS_HERE, "PSW"}};
    float x = 1;
    for (unsigned i = 0; i < sizeof legend / sizeof *legend; i++) {
        const float width = (float)strlen(legend[i].name);
        if (x + width + 2 > canvas->width)
            return;
        view_fill(canvas, x, 1, 1, legend[i].role, 200);
        if (legend[i].role == CANVAS_HERE)
            view_text(canvas, x, 1, 1, CANVAS_PLAIN, "P");
        view_text(canvas, x + 2, 1, width, CANVAS_FAINT, "%s", legend[i].name);
        x += width + 4;
    }
    if (x + 24 < canvas->width)
        view_text(canvas, x, 1, canvas->width, CANVAS_FAINT, "a cell is %u frames, %" PRIu64 " KiB", f->per,
                  (uint64_t)f->per * 4);
}

static void draw_map(struct view *view, struct canvas *canvas, struct storage_memory *m)
{
    struct machine *machine = view->session->machine;
    struct map map = {.view = view, .memory = m};
    frames_look(&m->frames, machine, view->pictures);
    note_marks(&map);
    draw_legend(canvas, &m->frames);
    draw_labels(&map, canvas);
    for (unsigned row = 0; row < m->rows; row++)
        draw_cells(&map, canvas, row);
    for (uint32_t n = 0; n < m->frames.cells; n++)
        if (map.here[n])
            view_text(canvas, LABEL + (float)(n % m->columns), MAP_Y + (float)(n / m->columns), 1, CANVAS_PLAIN, "P");
    draw_areas(&map, canvas);
}

/* ---- a range -------------------------------------------------------------------------------------------------------
 */

static void fetch(struct view *view, struct storage_memory *m, struct dump *d, unsigned rows, unsigned line)
{
    *d = (struct dump){.address = view->storage_at, .space = m->space};
    for (unsigned row = 0; row < rows && row < DUMP_ROWS; row++)
        d->had[row] = (uint8_t)inspect_fetch(view->cpu, spaces[m->space].space, 0,
                                             view->storage_at + (uint64_t)row * line, d->bytes + row * LINE, line);
}

/* What was to be seen when the machine stood before is kept for comparison. */
static void keep(struct view *view, struct storage_memory *m, unsigned rows, unsigned line)
{
    const uint64_t stands = machine_instructions(view->session->machine);
    const bool other = !m->begun || m->now.address != view->storage_at || m->now.space != m->space;
    if (!view->moving && stands != m->stood) {
        m->then = m->now;
        m->stood = stands;
    }
    m->begun = true;
    fetch(view, m, &m->now, rows, line);
    if (other)
        m->then = m->now;
}

static bool changed(const struct storage_memory *m, unsigned at, unsigned length)
{
    if (m->then.address != m->now.address || m->then.space != m->now.space)
        return false;
    for (unsigned i = at; i < at + length; i++)
        if (m->now.bytes[i] != m->then.bytes[i])
            return true;
    return false;
}

static void draw_characters(struct canvas *canvas, const struct storage_memory *m, unsigned row, float x, float y,
                            unsigned line)
{
    char text[LINE + 1];
    unsigned n = 0;
    for (; n < line && n < m->now.had[row]; n++) {
        const uint8_t byte = m->now.bytes[row * LINE + n];
        const unsigned char c = m->ascii ? byte : ebcdic_to_latin(byte);
        text[n] = c >= ' ' && c < 0x7f ? (char)c : '.';
    }
    text[n] = 0;
    view_text(canvas, x, y, (float)line, CANVAS_PLAIN, "%s", text);
}

/* Four bytes at a time, each a field. */
static void draw_bytes(struct view *view, struct canvas *canvas, const struct storage_memory *m, unsigned row, float x,
                       float y, unsigned line)
{
    for (unsigned word = 0; word < line; word += 4, x += 9) {
        const uint64_t address = view->storage_at + (uint64_t)row * line + word;
        const uint8_t *bytes = m->now.bytes + row * LINE + word;
        char text[12];
        if (word + 4 > m->now.had[row])
            return;
        snprintf(text, sizeof text, "%08" PRIX32, get32(bytes));
        view_field(canvas, x, y, !view->moving && changed(m, row * LINE + word, 4) ? CANVAS_CHANGED : CANVAS_VALUE,
                   text, "%s %" PRIX64 "=", spaces[m->space].command, address);
    }
}

static void draw_line(struct view *view, struct canvas *canvas, const struct storage_memory *m, unsigned row, float y,
                      unsigned line)
{
    const uint64_t address = view->storage_at + (uint64_t)row * line;
    unsigned left;
    int code = 0;
    view_text(canvas, 1, y, 16, CANVAS_FAINT, "%016" PRIX64, address);
    draw_bytes(view, canvas, m, row, 19, y, line);
    if (19 + 9 * (float)line / 4 + (float)line < canvas->width)
        draw_characters(canvas, m, row, 20 + 9 * (float)line / 4, y, line);
    if (m->now.had[row] == line)
        return;
    inspect_page(view->cpu, spaces[m->space].space, 0, address + m->now.had[row], &left, &code);
    view_text(canvas, 19, y, canvas->width - 19, CANVAS_WARNING, "%s", inspect_code_name(code));
}

static void draw_dump(struct view *view, struct canvas *canvas, struct storage_memory *m, float y)
{
    char address[20], command[32], key[32] = "";
    const unsigned line = canvas->width >= 57 ? LINE : 8, rows = view_rows(canvas) - (unsigned)y - 1;
    uint64_t absolute;
    snprintf(address, sizeof address, "%016" PRIX64, view->storage_at);
    view_field(canvas, 1, y, CANVAS_HEADING, address, "/storage ");
    snprintf(command, sizeof command, "/storage %s", spaces[(m->space + 1) % 3].name);
    float x = view_key(canvas, 19, y, spaces[m->space].name, command);
    x = view_key(canvas, x, y, m->ascii ? "ASCII" : "EBCDIC", m->ascii ? "/storage ebcdic" : "/storage ascii");
    if (!inspect_absolute(view->cpu, spaces[m->space].space, 0, view->storage_at, &absolute))
        snprintf(key, sizeof key, "absolute %" PRIX64 " key %02X", absolute,
                 storage_key(&view->session->machine->sys.storage, absolute));
    view_text(canvas, x + 1, y, canvas->width, CANVAS_FAINT, "%s", key);
    m->page = rows;
    keep(view, m, rows, line);
    for (unsigned row = 0; row < rows && row < DUMP_ROWS; row++)
        draw_line(view, canvas, m, row, y + 1 + (float)row, line);
}

/* ---- the view ------------------------------------------------------------------------------------------------------
 */

static void draw(struct view *view, struct canvas *canvas)
{
    struct storage_memory *m = view_memory(view, VIEW_STORAGE, sizeof *m);
    const unsigned all = view_rows(canvas);
    view_title(view, canvas, "Storage");
    if (!m || all < 6 || canvas->width < LABEL + 8)
        return;
    m->rows = (all - 4) / 2;
    m->columns = (unsigned)canvas->width - LABEL;
    if (m->columns > FRAMES_CELLS / m->rows)
        m->columns = FRAMES_CELLS / m->rows;
    if (m->columns > 16)
        m->columns &= ~15u; /* rows begin at round addresses */
    frames_shape(&m->frames, view->session->machine->sys.storage.size >> PAGE_BITS, m->columns * m->rows);
    m->rows = (m->frames.cells + m->columns - 1) / m->columns;
    draw_map(view, canvas, m);
    draw_dump(view, canvas, m, MAP_Y + (float)m->rows + 1);
}

static bool command(struct view *view, const char *words)
{
    struct storage_memory *m = view_memory(view, VIEW_STORAGE, sizeof *m);
    int64_t rows;
    uint64_t address;
    uint32_t cell;
    if (!m)
        return true;
    for (uint8_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strcasecmp(words, spaces[i].name) == 0) {
            m->space = i;
            return true;
        }
    if (strcasecmp(words, "ascii") == 0 || strcasecmp(words, "ebcdic") == 0) {
        m->ascii = *words == 'a' || *words == 'A';
        return true;
    }
    if (strcasecmp(words, "pick") == 0) {
        if (!cell_at(m, view->pointer_x, view->pointer_y, &cell))
            return true;
        view->storage_at = (uint64_t)cell * m->frames.per * PAGE_SIZE_Z;
        m->space = 0;
        return true;
    }
    if (view_scroll(words, m->page, &rows)) {
        view->storage_at = rows == INT64_MIN ? 0 : view->storage_at + (uint64_t)rows * LINE;
        return true;
    }
    if (!view_address(view, words, &address))
        return false;
    view->storage_at = address;
    return true;
}

const struct view_kind view_storage = {.name = "storage",
                                       .title = "Storage",
                                       .help = "a map of the frames by what they are used for, and any range of bytes",
                                       .draw = draw,
                                       .end = view_memory_end,
                                       .command = command};
