/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces that views are made of. */
#include "emu/panel/view/parts.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In front of what a view keeps. */
union memory {
    struct {
        const struct machine *machine;
        unsigned machines, loads;
        size_t size;
    } of;
    max_align_t aligned;
};

void *view_memory(struct view *view, enum view_number number, size_t size)
{
    union memory *memory = view->memory[number];
    if (!memory)
        memory = view->memory[number] = calloc(1, sizeof *memory + size);
    if (!memory)
        return NULL;
    if (memory->of.machine != view->session->machine || memory->of.machines != view->session->machines ||
        memory->of.loads != view->session->loads) {
        memset(memory + 1, 0, size);
        memory->of.machine = view->session->machine;
        memory->of.machines = view->session->machines;
        memory->of.loads = view->session->loads;
    }
    return memory + 1;
}

void view_memory_end(struct view *view, void *memory)
{
    (void)view;
    free(memory);
}

unsigned view_rows(const struct canvas *canvas) { return canvas->height > 0 ? (unsigned)canvas->height : 0; }

bool view_has_row(const struct canvas *canvas, float y) { return y >= 0 && y + 1 <= canvas->height; }

/* Bytes of a UTF-8 text that take at most so many cells. */
static int bytes_of(const char *text, float width)
{
    int n = 0;
    for (float used = 0; text[n] && used < width; used++)
        do
            n++;
        while ((text[n] & 0xC0) == 0x80);
    return n;
}

void view_text(struct canvas *canvas, float x, float y, float width, enum canvas_role role, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (!view_has_row(canvas, y) || x < 0)
        return;
    if (width > canvas->width - x)
        width = canvas->width - x;
    if (width < 1)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    canvas_text(canvas, x, y, role, "%.*s", bytes_of(text, (float)(int)width), text);
}

void view_area(struct canvas *canvas, float x, float y, float width, const char *tip, const char *command, ...)
{
    char text[128];
    va_list arguments;
    if (!view_has_row(canvas, y) || x < 0 || x >= canvas->width)
        return;
    va_start(arguments, command);
    vsnprintf(text, sizeof text, command, arguments);
    va_end(arguments);
    if (width > canvas->width - x)
        width = canvas->width - x;
    canvas_area(canvas, (struct canvas_box){x, y, width, 1}, tip, "%s", text);
}

void view_field(struct canvas *canvas, float x, float y, enum canvas_role role, const char *value, const char *command,
                ...)
{
    char text[128];
    va_list arguments;
    if (!view_has_row(canvas, y) || x < 0 || x + (float)strlen(value) > canvas->width)
        return;
    va_start(arguments, command);
    vsnprintf(text, sizeof text, command, arguments);
    va_end(arguments);
    canvas_field(canvas, x, y, role, value, "%s", text);
}

void view_fill(struct canvas *canvas, float x, float y, float width, enum canvas_role role, unsigned strength)
{
    if (width > canvas->width - x)
        width = canvas->width - x;
    if (width > 0 && view_has_row(canvas, y))
        canvas_fill(canvas, (struct canvas_box){x, y, width, 1}, role, strength);
}

static float within(float value, float most) { return value < 0 ? 0 : value > most ? most : value; }

void view_line(struct canvas *canvas, float x, float y, float to_x, float to_y, enum canvas_role role, bool arrow)
{
    const float width = canvas->width - 0.1f, height = canvas->height - 0.1f;
    if (width < 0 || height < 0 || (x < 0 && to_x < 0) || (y < 0 && to_y < 0) || (x > width && to_x > width) ||
        (y > height && to_y > height))
        return;
    const float end_x = within(to_x, width), end_y = within(to_y, height);
    const bool whole = end_x >= to_x && end_x <= to_x && end_y >= to_y && end_y <= to_y;
    canvas_line(canvas, within(x, width), within(y, height), end_x, end_y, role, arrow && whole);
}

void view_title(const struct view *view, struct canvas *canvas, const char *title)
{
    char words[64];
    const int n = snprintf(words, sizeof words, "CPU %X %s", view->cpu->address, machine_state_name(view->cpu));
    view_text(canvas, 1, 0, canvas->width, CANVAS_HEADING, "%s", title);
    if (canvas->width > (float)(n + (int)strlen(title) + 5))
        view_text(canvas, canvas->width - (float)n - 1, 0, (float)n, CANVAS_FAINT, "%s", words);
}

void view_more(struct canvas *canvas, uint64_t count, const char *what)
{
    if (count && view_rows(canvas))
        view_text(canvas, 0, (float)view_rows(canvas) - 1, canvas->width, CANVAS_FAINT,
                  "%" PRIu64 " more %s have no place here", count, what);
}

float view_key(struct canvas *canvas, float x, float y, const char *label, const char *command)
{
    const float width = (float)strlen(label) + 2;
    if (view_has_row(canvas, y) && x + width <= canvas->width)
        canvas_button(canvas, (struct canvas_box){x, y, width, 1}, label, command);
    return x + width + 1;
}

/* Words in rows of the canvas; the row behind them. */
static float wrapped(struct canvas *canvas, float y, const char *text)
{
    const size_t width = canvas->width > 8 ? (size_t)canvas->width - 2 : 6;
    while (*text) {
        size_t n = strlen(text);
        if (n > width)
            for (n = width; n > 1 && text[n] != ' ';)
                n--;
        if (n <= 1 && strlen(text) > width)
            n = width;
        view_text(canvas, 1, y++, (float)n, CANVAS_PLAIN, "%s", text);
        text += n;
        while (*text == ' ')
            text++;
    }
    return y;
}

float view_missing(struct canvas *canvas, float y, const char *sentence, const char *command)
{
    y = wrapped(canvas, y, sentence);
    if (!*command)
        return y;
    view_key(canvas, 1, y, command, command);
    return y + 1;
}

bool view_address(const struct view *view, const char *words, uint64_t *address)
{
    char *end;
    const struct ipl_symbol *symbol = NULL;
    while (*words == ' ')
        words++;
    if (view->session->load)
        symbol = ipl_symbol_named(ipl_load_symbols(view->session->load), words + (*words == '@'));
    if (symbol) {
        *address = symbol->address;
        return true;
    }
    if (strspn(words, "0123456789abcdefABCDEFxX") != strcspn(words, " ") || !*words)
        return false;
    const uint64_t value = strtoull(words, &end, 16);
    while (*end == ' ')
        end++;
    if (*end)
        return false;
    *address = value;
    return true;
}

bool view_scroll(const char *words, unsigned page, int64_t *rows)
{
    const int64_t many = page > 2 ? page - 1 : 1;
    const struct {
        const char *word;
        int64_t rows;
    } known[] = {{"up", -1}, {"down", 1}, {"pageup", -many}, {"pagedown", many}, {"home", INT64_MIN}};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(words, known[i].word) == 0) {
            *rows = known[i].rows;
            return true;
        }
    return false;
}
