/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What surrounds a view: tabs, the operator's keys, what commands have shown, the line for commands. */
#include "emu/panel/window/internal.h"
#include "emu/panel/window/theme.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The operator's keys and what they do. */
static const struct key {
    const char *label, *command;
} keys[] = {
    {"Start", "/start"}, {"Stop", "stop"},        {"Pause", "/pause"},
    {"Step", "/step"},   {"Restart", "/restart"}, {"External", "ext"},
    {"Load", "/load"},   {"Reset", "/reset"},     {"Store status", "store status"},
    {"Rate", "/rate"},   {"CPU", "/cpu"},         {"Theme", "/theme"},
    {"A-", "/smaller"},  {"A+", "/larger"},       {"Picture", "/picture"},
    {"Help", "/help"},
};
#define KEYS (sizeof keys / sizeof *keys)

#define KEY_HEIGHT 1.5f
#define ROW_HEIGHT 1.75f

float panel_columns(const struct panel_ui *ui) { return floorf((float)ui->width / ui->cell_width); }
static float rows_of(const struct panel_ui *ui) { return (float)ui->height / ui->cell_height; }

unsigned panel_font_pixels(const struct panel_ui *ui)
{
    const unsigned wanted = PANEL_FONT * ui->scale / 100;
    const unsigned fits = ui->width < 60 * ui->height / 20 ? ui->width / 54 : ui->height / 16;
    return wanted <= fits ? wanted : fits < 8 ? 8 : fits;
}

/* Keys in rows, as many as it takes. */
struct row {
    float x, y, width;
};

static struct canvas_box next_key(struct row *row, const char *label)
{
    const float width = (float)strlen(label) + 2;
    if (row->x + width > row->width) {
        row->x = 0.5f;
        row->y += ROW_HEIGHT;
    }
    const struct canvas_box box = {row->x, row->y, width, KEY_HEIGHT};
    row->x += width + 0.5f;
    return box;
}

static void tab_label(unsigned n, char *label, size_t size)
{
    snprintf(label, size, "F%u %s", n + 1, view_kind(n)->title);
}

static void key_label(const struct panel_ui *ui, const struct key *key, char *label, size_t size)
{
    if (strcmp(key->command, "/rate") == 0)
        snprintf(label, size, "Rate: %s", ui->by_step ? "instruction" : "process");
    else if (strcmp(key->command, "/cpu") == 0)
        snprintf(label, size, "CPU %X", ui->cpu);
    else if (strcmp(key->command, "/theme") == 0)
        snprintf(label, size, "%s", ui->theme == THEME_DARK ? "Light" : "Dark");
    else
        snprintf(label, size, "%s", key->label);
}

/* Tabs and keys; canvas NULL: only where they end is wanted. */
static float top(const struct panel_ui *ui, struct canvas *canvas)
{
    struct row row = {0.5f, 0.15f, panel_columns(ui)};
    char label[64], command[64];
    for (unsigned n = 0; n < VIEW_COUNT; n++) {
        if (!view_kind(n))
            continue;
        tab_label(n, label, sizeof label);
        const struct canvas_box box = next_key(&row, label);
        snprintf(command, sizeof command, "/view %s", view_kind(n)->name);
        if (!canvas)
            continue;
        canvas_button(canvas, box, label, command);
        if (n == ui->view)
            canvas_fill(canvas, (struct canvas_box){box.x, box.y + box.height - 0.2f, box.width, 0.2f}, CANVAS_HERE,
                        255);
    }
    row.x = 0.5f;
    row.y += ROW_HEIGHT;
    for (unsigned i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].command, "/cpu") == 0 && ui->cpus < 2)
            continue;
        key_label(ui, &keys[i], label, sizeof label);
        const struct canvas_box box = next_key(&row, label);
        if (canvas)
            canvas_button(canvas, box, label, keys[i].command);
    }
    return row.y + ROW_HEIGHT + 0.25f;
}

static unsigned out_lines(const struct panel_ui *ui)
{
    const float rows = rows_of(ui);
    return rows >= 48 ? 8 : rows >= 38 ? 5 : rows >= 28 ? 3 : 1;
}

/* The first row of what is below the view. */
static float bottom(const struct panel_ui *ui) { return floorf(rows_of(ui)) - (float)out_lines(ui) - 3; }

struct canvas_box panel_view_box(const struct panel_ui *ui)
{
    const float y = top(ui, NULL);
    const float height = bottom(ui) - y;
    return (struct canvas_box){0.5f, y, panel_columns(ui) - 1, height > 1 ? height : 1};
}

static const char *state_words(const struct panel_ui *ui)
{
    return ui->runs ? "the machine runs" : "the machine stands";
}

static void draw_input(struct canvas *canvas, float x, float y, float width, const struct panel_input *input,
                       bool cursor)
{
    /* the end of a text that is longer than its place is seen */
    const size_t room = width > 4 ? (size_t)width - 1 : 4, skip = input->cursor > room ? input->cursor - room : 0;
    canvas_text(canvas, x, y, CANVAS_VALUE, "%.*s", (int)room, input->text + skip);
    if (cursor)
        canvas_fill(canvas, (struct canvas_box){x + (float)(input->cursor - skip), y + 0.05f, 0.15f, 0.9f}, CANVAS_HERE,
                    255);
}

static void draw_bottom(const struct panel_ui *ui, struct canvas *canvas)
{
    const float y = bottom(ui), width = panel_columns(ui);
    const unsigned lines = out_lines(ui);
    canvas_line(canvas, 0, y + 0.4f, width, y + 0.4f, CANVAS_FAINT, false);
    canvas_lamp(canvas, 0.5f, y + 0.6f, ui->runs, state_words(ui));
    canvas_text(canvas, 25, y + 0.6f, CANVAS_FAINT, "%s", ui->tip);
    for (unsigned i = 0; i < lines; i++) {
        const unsigned back = lines - i + ui->out_back;
        if (back <= ui->out_count && back <= PANEL_OUT)
            canvas_text(canvas, 0.5f, y + 1.75f + (float)i, CANVAS_PLAIN, "%s",
                        ui->out[(ui->out_count - back) % PANEL_OUT]);
    }
    const float line = y + 1.9f + (float)lines;
    canvas_area(canvas, (struct canvas_box){0, y, width, line + 1.2f - y}, "", "%s", "/input");
    canvas_text(canvas, 0.5f, line, CANVAS_HEADING, "zri>");
    draw_input(canvas, 5.5f, line, width - 6, &ui->input, ui->focus < 0 && !ui->edits);
}

/* Digits for the mouse, below what is being changed, or above it at the foot of the window. */
static void draw_pad(const struct panel_ui *ui, struct canvas *canvas, struct canvas_box field)
{
    static const struct key pad[] = {
        {"0", "/type 0"}, {"1", "/type 1"},    {"2", "/type 2"}, {"3", "/type 3"},    {"4", "/type 4"},
        {"5", "/type 5"}, {"6", "/type 6"},    {"7", "/type 7"}, {"8", "/type 8"},    {"9", "/type 9"},
        {"A", "/type A"}, {"B", "/type B"},    {"C", "/type C"}, {"D", "/type D"},    {"E", "/type E"},
        {"F", "/type F"}, {"Clear", "/clear"}, {"Set", "/set"},  {"Leave", "/leave"}, {"Back", "/back"},
    };
    const float width = 8 * 3.5f + 2 * 7.25f + 0.75f, height = 2 * ROW_HEIGHT + 0.5f;
    const float x = fmaxf(0.5f, fminf(field.x, panel_columns(ui) - width - 0.5f));
    const float y = field.y + 1.5f + height < rows_of(ui) ? field.y + 1.5f : field.y - height - 0.5f;
    canvas_fill(canvas, (struct canvas_box){x, y, width, height}, CANVAS_GROUND, 255);
    canvas_frame(canvas, (struct canvas_box){x, y, width, height}, CANVAS_HERE);
    for (unsigned i = 0; i < sizeof pad / sizeof *pad; i++) {
        const bool digit = i < 16;
        const float left = digit ? (float)(i % 8) * 3.5f : 8 * 3.5f + (float)((i - 16) % 2) * 7.25f;
        const float down = (float)(digit ? i / 8 : (i - 16) / 2) * ROW_HEIGHT;
        canvas_button(canvas, (struct canvas_box){x + 0.5f + left, y + 0.35f + down, digit ? 3 : 7, KEY_HEIGHT},
                      pad[i].label, pad[i].command);
    }
}

static void draw_field(const struct panel_ui *ui, struct canvas *canvas)
{
    struct canvas_box box = ui->field_box;
    const float most = panel_columns(ui) - box.x - 1, wanted = (float)ui->field.length + 2;
    if (box.width < wanted)
        box.width = wanted;
    if (box.width > most)
        box.width = most;
    canvas_fill(canvas, (struct canvas_box){box.x - 0.5f, box.y - 0.15f, box.width + 1, 1.3f}, CANVAS_GROUND, 255);
    canvas_frame(canvas, (struct canvas_box){box.x - 0.5f, box.y - 0.15f, box.width + 1, 1.3f}, CANVAS_HERE);
    draw_input(canvas, box.x, box.y, box.width, &ui->field, true);
    draw_pad(ui, canvas, box);
}

static void draw_menu(const struct panel_ui *ui, struct canvas *canvas)
{
    float width = (float)strlen(ui->title) + 4;
    for (unsigned i = 0; i < ui->choices; i++)
        width = fmaxf(width, (float)strlen(ui->choice[i]) + 4);
    width = fminf(width, panel_columns(ui) - 4);
    const struct canvas_box box = {4, panel_view_box(ui).y + 1, width + 2,
                                   (float)ui->choices * ROW_HEIGHT + 2 + ROW_HEIGHT};
    canvas_fill(canvas, box, CANVAS_GROUND, 255);
    canvas_frame(canvas, box, CANVAS_HERE);
    canvas_text(canvas, box.x + 1, box.y + 0.4f, CANVAS_HEADING, "%s", ui->title);
    for (unsigned i = 0; i <= ui->choices; i++) {
        const struct canvas_box at = {box.x + 1, box.y + 1.8f + (float)i * ROW_HEIGHT, width, KEY_HEIGHT};
        canvas_button(canvas, at, i < ui->choices ? ui->choice[i] : "Cancel",
                      i < ui->choices ? ui->choice[i] : "/cancel");
    }
}

/* A frame around what the keyboard would press. */
static void draw_focus(const struct panel_ui *ui, struct canvas *canvas)
{
    int n = 0;
    for (uint32_t i = 0; ui->focus >= 0 && i < canvas->count; i++) {
        const struct canvas_item *item = &canvas->items[i];
        if (!canvas_answers(item) || n++ != ui->focus)
            continue;
        const struct canvas_box b = item->box;
        canvas_frame(canvas, (struct canvas_box){b.x - 0.2f, b.y - 0.05f, b.width + 0.4f, b.height + 0.1f},
                     CANVAS_HERE);
        break;
    }
}

void panel_compose(struct panel *p, struct canvas *whole)
{
    const struct panel_ui *ui = &p->ui;
    const struct canvas_box box = panel_view_box(ui);
    canvas_clear(whole, panel_columns(ui), rows_of(ui));
    top(ui, whole);
    canvas_append(whole, &p->shown, box.x, box.y - ui->scroll, box);
    if (p->content > box.height + 1)
        canvas_text(whole, box.width - 26, bottom(ui) + 0.6f, CANVAS_FAINT, "PageDown, wheel: more");
    draw_bottom(ui, whole);
    if (ui->edits)
        draw_field(ui, whole);
    if (ui->menu)
        draw_menu(ui, whole);
    draw_focus(ui, whole);
}
