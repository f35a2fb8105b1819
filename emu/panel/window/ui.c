/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keys and the mouse do. */
#include "emu/panel/window/internal.h"
#include "emu/panel/window/theme.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void panel_ui_begin(struct panel_ui *ui)
{
    *ui =
        (struct panel_ui){.scale = 100, .width = 1280, .height = 800, .cell_width = 8, .cell_height = 19, .focus = -1};
}

/* ---- lines that were shown -------------------------------------------------------------------------------------- */

/* So many bytes of a text as end with a character. */
static size_t whole_characters(const char *text, size_t length, size_t most)
{
    if (length <= most)
        return length;
    while (most && (text[most] & 0xC0) == 0x80)
        most--;
    return most;
}

static void show_part(struct panel_ui *ui, const char *text, size_t length, bool ends)
{
    if (!ui->out_open)
        ui->out[ui->out_count++ % PANEL_OUT][0] = 0;
    char *line = ui->out[(ui->out_count - 1) % PANEL_OUT];
    const size_t have = strlen(line);
    size_t n = whole_characters(text, length, PANEL_WIDTH - 1 - have);
    memcpy(line + have, text, n);
    line[have + n] = 0;
    for (char *c = line + have; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    ui->out_open = !ends;
}

void panel_show(struct panel_ui *ui, const char *text, size_t length)
{
    while (length) {
        const char *end = memchr(text, '\n', length);
        const size_t n = end ? (size_t)(end - text) : length;
        show_part(ui, text, n, end != NULL);
        text += n + (end != NULL);
        length -= n + (end != NULL);
    }
    ui->out_back = 0;
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

static void enqueue(struct panel *p, const char *command)
{
    static const char full[] = "the machine has not carried out what was asked before; this is left out\n";
    char *copy = p->queue_length < PANEL_QUEUE ? strdup(command) : NULL;
    if (!copy) {
        panel_show(&p->ui, full, sizeof full - 1);
        return;
    }
    p->queue[(p->queue_first + p->queue_length++) % PANEL_QUEUE] = copy;
    atomic_fetch_add(&p->waiting, 1);
    panel_ring(p);
}

static void choose_view(struct panel_ui *ui, unsigned n)
{
    if (!view_kind(n))
        return;
    ui->view = n;
    ui->scroll = 0;
    ui->focus = -1;
    ui->edits = ui->menu = false;
}

static void change_scale(struct panel_ui *ui, int by)
{
    const int scale = (int)ui->scale + by;
    ui->scale = scale < 50 ? 50 : scale > 400 ? 400 : (unsigned)scale;
}

/* Those of the panel itself. False: it is another one's. */
static bool own_command(struct panel *p, const char *command)
{
    struct panel_ui *ui = &p->ui;
    if (strncmp(command, "/view ", 6) == 0)
        choose_view(ui, (unsigned)view_find(command + 6));
    else if (strcmp(command, "/theme") == 0)
        ui->theme = (ui->theme + 1) % THEMES;
    else if (strcmp(command, "/rate") == 0)
        ui->by_step = !ui->by_step;
    else if (strcmp(command, "/smaller") == 0)
        change_scale(ui, -10);
    else if (strcmp(command, "/larger") == 0)
        change_scale(ui, 10);
    else if (strcmp(command, "/input") == 0)
        ui->focus = -1;
    else if (strcmp(command, "/cancel") == 0)
        ui->menu = false;
    else if (strcmp(command, "/fullscreen") == 0)
        atomic_store(&p->full, !atomic_load(&p->full));
    else
        return false;
    atomic_store(&p->stale, true); /* another size or view */
    return true;
}

void panel_command(struct panel *p, const char *command)
{
    p->changes++;
    if (*command != '/' || !own_command(p, command))
        enqueue(p, command);
}

/* ---- texts that are typed --------------------------------------------------------------------------------------- */

static void set_text(struct panel_input *in, const char *text)
{
    snprintf(in->text, sizeof in->text, "%s", text);
    in->cursor = in->length = strlen(in->text);
}

static void erase(struct panel_input *in, size_t from, size_t count)
{
    memmove(in->text + from, in->text + from + count, in->length - from - count + 1);
    in->length -= count;
    in->cursor = from;
}

/* Keys that every line knows. False: another one. */
static bool edit(struct panel_input *in, enum panel_key_code key)
{
    switch (key) {
    case KEY_LEFT:
        in->cursor -= in->cursor > 0;
        return true;
    case KEY_RIGHT:
        in->cursor += in->cursor < in->length;
        return true;
    case KEY_HOME:
        in->cursor = 0;
        return true;
    case KEY_END:
        in->cursor = in->length;
        return true;
    case KEY_BACKSPACE:
        if (in->cursor)
            erase(in, in->cursor - 1, 1);
        return true;
    case KEY_DELETE:
        if (in->cursor < in->length)
            erase(in, in->cursor, 1);
        return true;
    case KEY_CTRL_U:
        set_text(in, "");
        return true;
    default:
        return false;
    }
}

/* Letters, digits and signs of ASCII: no command has others. */
static void insert(struct panel_input *in, const char *text)
{
    for (; *text && in->length < PANEL_LINE; text++) {
        if (*text < ' ' || *text > '~')
            continue;
        memmove(in->text + in->cursor + 1, in->text + in->cursor, in->length - in->cursor + 1);
        in->text[in->cursor++] = *text;
        in->length++;
    }
}

void panel_complete(struct panel_input *in, const char *text, size_t length, bool whole)
{
    char word[PANEL_LINE + 1];
    size_t begin = in->cursor;
    while (begin && in->text[begin - 1] != ' ')
        begin--;
    if (length < in->cursor - begin || length + 1 >= sizeof word)
        return;
    const bool open = length && (text[length - 1] == '=' || text[length - 1] == '/');
    snprintf(word, sizeof word, "%.*s%s", (int)length, text, whole && !open ? " " : "");
    erase(in, begin, in->cursor - begin);
    insert(in, word);
}

void panel_type_text(struct panel *p, const char *text)
{
    struct panel_ui *ui = &p->ui;
    p->changes++;
    if (ui->edits) {
        insert(&ui->field, text);
        return;
    }
    if (ui->focus >= 0 && strcmp(text, " ") == 0) {
        (void)panel_press_key(p, KEY_ENTER);
        return;
    }
    ui->focus = -1;
    insert(&ui->input, text);
}

static void enter_line(struct panel *p)
{
    struct panel_ui *ui = &p->ui;
    const unsigned last = (ui->history_count + PANEL_HISTORY - 1) % PANEL_HISTORY;
    if (!ui->input.length)
        return;
    if (!ui->history_count || strcmp(ui->history[last], ui->input.text) != 0)
        strcpy(ui->history[ui->history_count++ % PANEL_HISTORY], ui->input.text);
    ui->history_at = 0;
    char line[PANEL_LINE + 1];
    strcpy(line, ui->input.text);
    set_text(&ui->input, "");
    panel_command(p, line);
}

static void recall(struct panel_ui *ui, int by)
{
    const int at = (int)ui->history_at + by;
    if (at < 0 || at > (int)ui->history_count || at > (int)PANEL_HISTORY)
        return;
    ui->history_at = (unsigned)at;
    set_text(&ui->input, at ? ui->history[(ui->history_count - (unsigned)at) % PANEL_HISTORY] : "");
}

static void enter_field(struct panel *p)
{
    char line[2 * PANEL_LINE + 2];
    snprintf(line, sizeof line, "%s%s", p->ui.field_command, p->ui.field.text);
    p->ui.edits = false;
    panel_command(p, line);
}

/* ---- what is pressed -------------------------------------------------------------------------------------------- */

/* Keys of the pad for a field. False: it is none. */
static bool pad_command(struct panel *p, const char *command)
{
    if (strncmp(command, "/type ", 6) == 0)
        insert(&p->ui.field, command + 6);
    else if (strcmp(command, "/clear") == 0)
        set_text(&p->ui.field, "");
    else if (strcmp(command, "/back") == 0)
        (void)edit(&p->ui.field, KEY_BACKSPACE);
    else if (strcmp(command, "/set") == 0)
        enter_field(p);
    else if (strcmp(command, "/leave") == 0)
        p->ui.edits = false;
    else
        return false;
    return true;
}

static void act(struct panel *p, const struct canvas *whole, const struct canvas_item *item)
{
    struct panel_ui *ui = &p->ui;
    const char *command = canvas_item_command(whole, item);
    if (ui->edits && pad_command(p, command))
        return;
    ui->edits = false;
    if (item->kind != CANVAS_FIELD) {
        char copy[PANEL_LINE + 1];
        snprintf(copy, sizeof copy, "%s", command);
        ui->menu = false;
        panel_command(p, copy);
        return;
    }
    ui->edits = true;
    ui->field_box = item->box;
    set_text(&ui->field, canvas_item_text(whole, item));
    snprintf(ui->field_command, sizeof ui->field_command, "%s", command);
}

/* A drawing of its own to look things up in: the one that is painted may be older. False: no memory. */
static bool compose(struct panel *p, struct canvas *whole)
{
    panel_compose(p, whole);
    return whole->count != 0;
}

bool panel_click_at(struct panel *p, float x, float y)
{
    struct canvas whole = {.items = NULL};
    p->changes++;
    const struct canvas_item *item = compose(p, &whole) ? canvas_at(&whole, x, y) : NULL;
    const bool answers = item && canvas_answers(item);
    const bool on_field = p->ui.edits && x >= p->ui.field_box.x - 0.5f &&
                          x < p->ui.field_box.x + p->ui.field_box.width && fabsf(y - p->ui.field_box.y - 0.5f) < 0.7f;
    if (answers && !on_field) {
        p->ui.focus = -1;
        act(p, &whole, item);
    } else if (!answers) {
        p->ui.edits = p->ui.menu = false;
    }
    canvas_free(&whole);
    return answers;
}

void panel_point(struct panel *p, float x, float y)
{
    struct canvas whole = {.items = NULL};
    const struct canvas_item *item = compose(p, &whole) ? canvas_at(&whole, x, y) : NULL;
    const char *tip = item && item->kind == CANVAS_AREA    ? canvas_item_text(&whole, item)
                      : item && item->kind == CANVAS_FIELD ? "click to change it, Enter sets it, Escape leaves it"
                                                           : "";
    if (strncmp(p->ui.tip, tip, PANEL_WIDTH - 1) != 0) {
        snprintf(p->ui.tip, sizeof p->ui.tip, "%s", tip);
        p->changes++;
    }
    if (p->ui.pointer_x != x || p->ui.pointer_y != y)
        atomic_store(&p->stale, true);
    p->ui.pointer_x = x;
    p->ui.pointer_y = y;
    canvas_free(&whole);
}

/* The view, or what was shown below it. */
void panel_wheel(struct panel *p, int lines)
{
    struct panel_ui *ui = &p->ui;
    const struct canvas_box box = panel_view_box(ui);
    p->changes++;
    if (ui->pointer_y >= box.y + box.height) {
        const int back = (int)ui->out_back - lines,
                  most = (int)(ui->out_count < PANEL_OUT ? ui->out_count : PANEL_OUT) - 1;
        ui->out_back = back < 0 ? 0 : back > most ? (unsigned)(most < 0 ? 0 : most) : (unsigned)back;
        return;
    }
    if (view_kind(ui->view)->command) {
        char command[64];
        snprintf(command, sizeof command, "/%s %s", view_kind(ui->view)->name,
                 abs(lines) > 5 ? lines < 0 ? "pageup" : "pagedown"
                 : lines < 0    ? "up"
                                : "down");
        enqueue(p, command);
        return;
    }
    ui->scroll = fmaxf(0, fminf(ui->scroll + (float)lines, p->content - box.height));
}

/* ---- the keyboard ----------------------------------------------------------------------------------------------- */

static void move_focus(struct panel *p, int by)
{
    struct canvas whole = {.items = NULL};
    int count = 0;
    p->ui.edits = false;
    if (compose(p, &whole))
        for (uint32_t i = 0; i < whole.count; i++)
            count += canvas_answers(&whole.items[i]);
    canvas_free(&whole);
    int focus = p->ui.focus + by;
    p->ui.focus = focus < -1 ? count - 1 : focus >= count ? -1 : focus;
}

const struct canvas_item *panel_focused(const struct canvas *whole, int n)
{
    for (uint32_t i = 0; i < whole->count; i++)
        if (canvas_answers(&whole->items[i]) && n-- == 0)
            return &whole->items[i];
    return NULL;
}

static void enter(struct panel *p)
{
    struct canvas whole = {.items = NULL};
    const struct canvas_item *item;
    if (p->ui.edits)
        enter_field(p);
    else if (p->ui.focus < 0)
        enter_line(p);
    else if (compose(p, &whole) && (item = panel_focused(&whole, p->ui.focus)))
        act(p, &whole, item);
    canvas_free(&whole);
}

static void escape(struct panel_ui *ui)
{
    if (ui->edits || ui->menu)
        ui->edits = ui->menu = false;
    else
        ui->focus = -1;
}

/* Keys that are commands. NULL: it is none of them. */
static const char *command_of(enum panel_key_code key)
{
    static const char *const commands[KEY_NONE] = {
        [KEY_F11] = "/fullscreen", [KEY_F12] = "/picture",  [KEY_CTRL_PLUS] = "/larger", [KEY_CTRL_MINUS] = "/smaller",
        [KEY_CTRL_T] = "/theme",   [KEY_CTRL_G] = "/start", [KEY_CTRL_P] = "/pause",     [KEY_CTRL_S] = "/step",
    };
    return commands[key];
}

/* Translation and graph are of the address under the pointer, when one of these views' or of the code's is there. */
static void take_pointed(struct panel *p, unsigned n)
{
    struct canvas whole = {.items = NULL};
    const struct canvas_item *item = compose(p, &whole) ? canvas_at(&whole, p->ui.pointer_x, p->ui.pointer_y) : NULL;
    const char *asked = item ? canvas_item_command(&whole, item) : "", *address = strchr(asked, ' ');
    char command[64];
    const bool places =
        !strncmp(asked, "/translation ", 13) || !strncmp(asked, "/graph ", 7) || !strncmp(asked, "/code ", 6);
    if (places && address[1] && !address[1 + strspn(address + 1, "0123456789ABCDEF")]) {
        snprintf(command, sizeof command, "/%s %.16s", view_kind(n)->name, address + 1);
        enqueue(p, command);
    }
    canvas_free(&whole);
}

/* Tabs by F1 to F10, Ctrl+1 to Ctrl+9. */
static bool tab_key(struct panel *p, enum panel_key_code key)
{
    const bool function = key >= KEY_F1 && key <= KEY_F10, digit = key >= KEY_CTRL_1 && key <= KEY_CTRL_9;
    if (!function && !digit)
        return false;
    const unsigned n = function ? key - KEY_F1 : key - KEY_CTRL_1;
    if (n == VIEW_TRANSLATION || n == VIEW_GRAPH)
        take_pointed(p, n);
    choose_view(&p->ui, n);
    atomic_store(&p->stale, true);
    return true;
}

/* The line for commands has the keyboard, and a command has begun there. */
static bool typing(const struct panel_ui *ui)
{
    return ui->focus < 0 && !ui->edits && !ui->menu && strspn(ui->input.text, " ") < ui->input.cursor;
}

bool panel_press_key(struct panel *p, enum panel_key_code key)
{
    struct panel_ui *ui = &p->ui;
    if (key >= KEY_NONE)
        return false;
    p->changes++;
    if (tab_key(p, key))
        return true;
    if (command_of(key)) {
        panel_command(p, command_of(key));
    } else if (key == KEY_TAB && typing(ui)) {
        enqueue(p, "/complete");
    } else if (key == KEY_TAB || key == KEY_BACK_TAB) {
        move_focus(p, key == KEY_TAB ? 1 : -1);
    } else if (key == KEY_ENTER) {
        enter(p);
    } else if (key == KEY_ESCAPE) {
        escape(ui);
    } else if (key == KEY_CTRL_0) {
        ui->scale = 100;
        atomic_store(&p->stale, true);
    } else if (key == KEY_PAGE_UP || key == KEY_PAGE_DOWN) {
        panel_wheel(p, key == KEY_PAGE_UP ? -10 : 10);
    } else if (ui->edits ? edit(&ui->field, key) : ui->focus < 0 && edit(&ui->input, key)) {
        return true;
    } else if (key == KEY_UP || key == KEY_DOWN) {
        recall(ui, key == KEY_UP ? 1 : -1);
    }
    return true;
}
