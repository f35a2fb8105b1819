/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings in cells: items are rounded to them, lines meet in the characters of boxes, what is filled has shades. */
#include "emu/panel/canvas/cells.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---------------------------------------------------------------------------------------------------
 */

uint32_t cells_character(const char **text)
{
    const uint8_t *s = (const uint8_t *)*text;
    unsigned more = *s >= 0xF0 ? 3 : *s >= 0xE0 ? 2 : *s >= 0xC0 ? 1 : 0;
    uint32_t character = more ? *s & (0x3Fu >> more) : *s;
    const bool alone = *s >= 0x80 && !more;
    s++;
    for (; more && (*s & 0xC0) == 0x80; more--)
        character = character << 6 | (*s++ & 0x3F);
    *text = (const char *)s;
    return alone || more || character > 0x10FFFF ? '?' : character;
}

void cells_utf8(uint32_t c, char bytes[5])
{
    unsigned n = 0;
    if (c >= 0x10000) {
        bytes[n++] = (char)(0xF0 | (c >> 18 & 7));
        bytes[n++] = (char)(0x80 | (c >> 12 & 0x3F));
    } else if (c >= 0x800) {
        bytes[n++] = (char)(0xE0 | c >> 12);
    }
    if (c >= 0x800)
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
    else if (c >= 0x80)
        bytes[n++] = (char)(0xC0 | c >> 6);
    bytes[n++] = (char)(c < 0x80 ? c : 0x80 | (c & 0x3F));
    bytes[n] = 0;
}

/* What stands for a character where there is ASCII alone. */
static const struct {
    uint32_t character;
    char ascii;
} replaced[] = {{0x25CF, '*'}, {0x25CB, 'o'}, {0x2192, '>'},  {0x2190, '<'}, {0x2191, '^'}, {0x2193, 'v'},
                {0x25B6, '>'}, {0x25C0, '<'}, {0x25B2, '^'},  {0x25BC, 'v'}, {0x2591, '.'}, {0x2592, ':'},
                {0x2593, '%'}, {0x2588, '#'}, {0x00D7, 'x'},  {0x2013, '-'}, {0x2014, '-'}, {0x2026, '.'},
                {0x00B7, '.'}, {0x2022, '*'}, {0x00B1, '+'},  {0x2264, '<'}, {0x2265, '>'}, {0x00B5, 'u'},
                {0x2215, '/'}, {0x2571, '/'}, {0x2572, '\\'}, {0x25A0, '#'}, {0x25A1, 'o'}, {0x2500, '-'},
                {0x2502, '|'}, {0x2713, 'x'}};

/* A character that ASCII has in the place of this one. */
static char ascii_for(uint32_t c)
{
    if (c < 0x80)
        return c < ' ' || c == 0x7F ? '.' : (char)c;
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
        if (replaced[i].character == c)
            return replaced[i].ascii;
    return c >= 0x2500 && c < 0x2580 ? '+' : '?';
}

/* By sides: north 1, east 2, south 4, west 8. */
static const uint16_t boxes[16] = {0x20,   0x2502, 0x2500, 0x2514, 0x2502, 0x2502, 0x250C, 0x251C,
                                   0x2500, 0x2518, 0x2500, 0x2534, 0x2510, 0x2524, 0x252C, 0x253C};
static const char plain_boxes[] = " |-+||++-+-+++++";

uint32_t cell_shown(const struct cell *cell, bool unicode)
{
    static const uint16_t shades[4] = {0x2591, 0x2592, 0x2593, 0x2588};
    if (cell->character)
        return unicode ? cell->character : (uint8_t)ascii_for(cell->character);
    if (cell->lines)
        return unicode ? boxes[cell->lines & 15] : (uint8_t)plain_boxes[cell->lines & 15];
    if (!cell->fill || cell->fill_role == CANVAS_GROUND)
        return ' ';
    const uint32_t shade = shades[cell->fill >> 6];
    return unicode ? shade : (uint8_t)ascii_for(shade);
}

/* ---- items --------------------------------------------------------------------------------------------------------
 */

static struct cell *at(const struct cells *cells, int x, int y)
{
    const bool inside = x >= 0 && y >= 0 && x < (int)cells->columns && y < (int)cells->rows;
    return inside ? &cells->cell[(size_t)y * cells->columns + (size_t)x] : NULL;
}

/* A place as a cell; far away is far enough. */
static int cell_of(float place) { return (int)floorf(fminf(fmaxf(place, -2000), 2000) + 0.001f); }
static int nearest(float place) { return cell_of(place + 0.5f); }

static void put(const struct cells *cells, int x, int y, uint32_t character, unsigned role)
{
    struct cell *cell = at(cells, x, y);
    if (!cell)
        return;
    cell->character = character;
    cell->role = (uint8_t)role;
    cell->lines = 0;
}

/* Characters up to column `end`. Returns the column behind them. */
static int put_text(const struct cells *cells, int x, int y, const char *text, unsigned role, int end)
{
    while (*text && x < end)
        put(cells, x++, y, cells_character(&text), role);
    return x;
}

/* A box, of cells whose middle it has; one that is less than a cell fills the cell that it is in. */
static void fill(const struct cells *cells, const struct canvas_item *item)
{
    const struct canvas_box *b = &item->box;
    int left = nearest(b->x), right = nearest(b->x + b->width);
    int top = nearest(b->y), bottom = nearest(b->y + b->height);
    if (b->width <= 0 || b->height <= 0 || !item->strength)
        return;
    if (right <= left)
        right = (left = cell_of(b->x + b->width / 2)) + 1;
    if (bottom <= top)
        bottom = (top = cell_of(b->y + b->height / 2)) + 1;
    for (int y = top < 0 ? 0 : top; y < bottom && y < (int)cells->rows; y++)
        for (int x = left < 0 ? 0 : left; x < right && x < (int)cells->columns; x++) {
            struct cell *cell = at(cells, x, y);
            *cell = (struct cell){.fill = item->strength, .fill_role = item->role};
        }
}

/* A piece of a line: what was drawn there before ends or meets it. */
static void join(const struct cells *cells, int x, int y, unsigned sides, unsigned role)
{
    struct cell *cell = at(cells, x, y);
    if (!cell)
        return;
    cell->character = 0;
    cell->lines |= (uint8_t)sides;
    cell->role = (uint8_t)role;
}

static void straight(const struct cells *cells, int from, int to, int other, bool across, unsigned role)
{
    const unsigned back = across ? CELL_WEST : CELL_NORTH, on = across ? CELL_EAST : CELL_SOUTH;
    for (int i = from; i <= to; i++) {
        const unsigned sides = from == to ? back | on : (i > from ? back : 0) | (i < to ? on : 0);
        join(cells, across ? i : other, across ? other : i, sides, role);
    }
}

static void frame(const struct cells *cells, const struct canvas_item *item)
{
    const struct canvas_box *b = &item->box;
    const int left = cell_of(b->x), top = cell_of(b->y);
    const int right = nearest(b->x + b->width) - 1, bottom = nearest(b->y + b->height) - 1;
    if (right <= left || bottom < top)
        return;
    if (bottom == top) { /* a row of its own: its sides are enough */
        put(cells, left, top, '[', item->role);
        put(cells, right, top, ']', item->role);
        return;
    }
    straight(cells, left, right, top, true, item->role);
    straight(cells, left, right, bottom, true, item->role);
    straight(cells, top, bottom, left, false, item->role);
    straight(cells, top, bottom, right, false, item->role);
}

static uint32_t head(int dx, int dy)
{
    if (abs(dx) >= abs(dy))
        return dx >= 0 ? 0x25B6 : 0x25C0;
    return dy >= 0 ? 0x25BC : 0x25B2;
}

static void line(const struct cells *cells, const struct canvas_item *item)
{
    const struct canvas_box *b = &item->box;
    const int x0 = cell_of(b->x), y0 = cell_of(b->y), x1 = cell_of(b->x + b->width), y1 = cell_of(b->y + b->height);
    const int dx = x1 - x0, dy = y1 - y0, steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    if (!dy)
        straight(cells, dx < 0 ? x1 : x0, dx < 0 ? x0 : x1, y0, true, item->role);
    else if (!dx)
        straight(cells, dy < 0 ? y1 : y0, dy < 0 ? y0 : y1, x0, false, item->role);
    for (int i = 0; dx && dy && i <= steps; i++)
        put(cells, x0 + (int)lroundf((float)dx * (float)i / (float)steps),
            y0 + (int)lroundf((float)dy * (float)i / (float)steps), (dx > 0) == (dy > 0) ? 0x2572 : 0x2571, item->role);
    if (item->arrow)
        put(cells, x1, y1, head(dx, dy), item->role);
}

static void button(const struct cells *cells, const struct canvas *canvas, const struct canvas_item *item)
{
    const int left = nearest(item->box.x), y = cell_of(item->box.y + item->box.height / 2);
    int right = nearest(item->box.x + item->box.width);
    if (right < left + 3)
        right = left + 3;
    const char *text = canvas_item_text(canvas, item);
    int width = 0;
    for (const char *rest = text; *rest; width++)
        (void)cells_character(&rest);
    const int room = right - left - 2, blank = width < room ? (room - width) / 2 : 0;
    for (int x = left; x < right; x++)
        put(cells, x, y, ' ', item->role);
    put(cells, left, y, '[', item->role);
    put(cells, right - 1, y, ']', item->role);
    put_text(cells, left + 1 + blank, y, text, item->role, right - 1);
}

static void draw(const struct cells *cells, const struct canvas *canvas, const struct canvas_item *item)
{
    const int x = nearest(item->box.x), y = nearest(item->box.y), end = (int)cells->columns;
    switch (item->kind) {
    case CANVAS_TEXT:
    case CANVAS_FIELD:
        put_text(cells, x, y, canvas_item_text(canvas, item), item->role, end);
        break;
    case CANVAS_FILL:
        fill(cells, item);
        break;
    case CANVAS_FRAME:
        frame(cells, item);
        break;
    case CANVAS_LINE:
        line(cells, item);
        break;
    case CANVAS_LAMP:
        put(cells, x, y, item->role == CANVAS_LIT ? 0x25CF : 0x25CB, item->role);
        put_text(cells, x + 2, y, canvas_item_text(canvas, item),
                 item->role == CANVAS_LIT ? CANVAS_VALUE : CANVAS_FAINT, end);
        break;
    case CANVAS_BUTTON:
        button(cells, canvas, item);
        break;
    default: /* an area is not seen */
        break;
    }
}

int cells_draw(struct cells *cells, const struct canvas *canvas)
{
    const float most = CELLS_MOST;
    const unsigned columns = (unsigned)ceilf(fminf(fmaxf(canvas->width, 0), most));
    const unsigned rows = (unsigned)ceilf(fminf(fmaxf(canvas->height, 0), most));
    const size_t wanted = (size_t)columns * rows;
    if (wanted > cells->room) {
        struct cell *more = realloc(cells->cell, wanted * sizeof *more);
        if (!more) {
            cells->columns = cells->rows = 0;
            return -ENOMEM;
        }
        cells->cell = more;
        cells->room = wanted;
    }
    cells->columns = columns;
    cells->rows = rows;
    if (wanted)
        memset(cells->cell, 0, wanted * sizeof *cells->cell);
    for (uint32_t i = 0; i < canvas->count; i++)
        draw(cells, canvas, &canvas->items[i]);
    return 0;
}

void cells_free(struct cells *cells)
{
    free(cells->cell);
    *cells = (struct cells){.cell = NULL};
}

void cells_print(const struct cells *cells, bool unicode, FILE *out)
{
    for (unsigned y = 0; y < cells->rows; y++) {
        const struct cell *row = &cells->cell[(size_t)y * cells->columns];
        unsigned end = cells->columns;
        while (end && cell_shown(&row[end - 1], unicode) == ' ')
            end--;
        for (unsigned x = 0; x < end; x++) {
            char bytes[5];
            cells_utf8(cell_shown(&row[x], unicode), bytes);
            fputs(bytes, out);
        }
        putc('\n', out);
    }
}
