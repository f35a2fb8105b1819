/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes on the screen. */
#include "emu/panel/terminal/internal.h"
#include <string.h>

static const char *const help[] = {"Keys of the panel",
                                   "",
                                   "F1         this page; any key ends it",
                                   "F2         the next view in this pane (Ctrl-X b: the one before)",
                                   "F3         divide this pane, side by side (Ctrl-X 2: one above the other)",
                                   "F4         to the guest, whose pane this becomes when it has none; and back",
                                   "F5         let the machine run, and stop it",
                                   "F6, Tab    the next pane; Shift-Tab: the one before",
                                   "F7         this pane alone, and all again",
                                   "F8         one instruction",
                                   "F9         close this pane",
                                   "F10        quit",
                                   "Shift and an arrow, or Ctrl-X and one: the edge of the pane moves that way",
                                   "Ctrl-L     draw everything anew",
                                   "",
                                   "In a view: arrows go to what can be changed or pressed, Enter does it; a",
                                   "value is typed in its place (Enter: so be it, Escape: no). Page keys, or n",
                                   "and p, go on and back. g runs and stops, s steps, : goes to the console.",
                                   "The mouse presses, chooses panes and turns pages, where the terminal has one.",
                                   "",
                                   "In the console: the keys of shells (Ctrl-A E B F K U W Y T P N, Alt-B F D),",
                                   "Tab completes, Up calls up what was typed and begins alike, Page keys go back.",
                                   "/view NAME lets the pane in which you were last show a view.",
                                   "In the guest's pane all keys are the guest's but F1 to F10; Ctrl-] leaves it.",
                                   NULL};

struct layout_box terminal_inside(const struct pane *pane)
{
    struct layout_box in = pane->box;
    if (in.height > 2) {
        in.y++;
        in.height--;
    }
    return in;
}

const struct canvas_item *terminal_item(const struct pane *pane, const char *command)
{
    for (uint32_t i = pane->canvas.count; *command && i > 0; i--) {
        const struct canvas_item *item = &pane->canvas.items[i - 1];
        if (item->command && strcmp(canvas_item_command(&pane->canvas, item), command) == 0)
            return item;
    }
    return NULL;
}

/* A line from column x to end. */
static void rule(struct terminal *t, int x, int y, int end, unsigned look)
{
    const struct cell line = {.lines = CELL_EAST | CELL_WEST, .role = CANVAS_FAINT};
    while (x < end)
        screen_cell(t->screen, x++, y, &line, look);
}

static void draw_title(struct terminal *t, const struct pane *pane, bool focus)
{
    const struct layout_box *b = &pane->box;
    if (b->height <= 2)
        return;
    const int end = b->x + b->width;
    rule(t, b->x, b->y, end, 0);
    int x =
        screen_text(t->screen, b->x + 1, b->y, end, focus ? " > " : " ", CANVAS_HEADING, focus ? SCREEN_REVERSE : 0);
    x = screen_text(t->screen, x, b->y, end, terminal_title(pane), CANVAS_HEADING, focus ? SCREEN_REVERSE : 0);
    x = screen_text(t->screen, x, b->y, end, " ", CANVAS_HEADING, focus ? SCREEN_REVERSE : 0);
    if (pane->back)
        screen_text(t->screen, x + 1, b->y, end, pane->shows < 0 ? " further back " : " further below ", CANVAS_FAINT,
                    0);
}

/* ---- views --------------------------------------------------------------------------------------------------------
 */

static void show_cells(struct terminal *t, const struct pane *pane, const struct layout_box *in, bool focus)
{
    const struct canvas_item *item = focus ? terminal_item(pane, pane->chosen) : NULL;
    const struct canvas_box *b = item ? &item->box : NULL;
    const int top = (int)pane->back;
    for (int y = top; y < in->height + top && y < (int)pane->cells.rows; y++)
        for (int x = 0; x < in->width && x < (int)pane->cells.columns; x++) {
            const bool chosen = b && (float)x + 0.5f >= b->x && (float)x < b->x + b->width - 0.4f &&
                                (float)y + 0.5f >= b->y && (float)y < b->y + b->height - 0.4f;
            screen_cell(t->screen, in->x + x, in->y + y - top,
                        &pane->cells.cell[(size_t)y * pane->cells.columns + (size_t)x], chosen ? SCREEN_REVERSE : 0);
        }
}

static void draw_view(struct terminal *t, struct pane *pane, bool focus)
{
    const struct layout_box in = terminal_inside(pane);
    /* A view that scrolls does that itself; of others a part is seen that begins `back` rows further below. */
    canvas_clear(&pane->canvas, (float)in.width, (float)(in.height + (int)pane->back));
    view_draw(&t->view, (unsigned)pane->shows, &pane->canvas);
    if (!cells_draw(&pane->cells, &pane->canvas))
        show_cells(t, pane, &in, focus);
}

/* A value that is typed in its place. Where the cursor is then. */
static void draw_field(struct terminal *t, const struct pane *pane, int *cursor_x, int *cursor_y)
{
    const struct canvas_item *item = terminal_item(pane, pane->chosen);
    const struct layout_box in = terminal_inside(pane);
    if (!item)
        return;
    const int x = in.x + (int)(item->box.x + 0.5f), y = in.y - (int)pane->back + (int)(item->box.y + 0.5f),
              end = in.x + in.width;
    const int width = (int)item->box.width, at = (int)edit_columns(&t->field, t->field.at);
    const int all = (int)edit_columns(&t->field, t->field.length);
    int to = x + (all >= width ? all + 1 : width);
    to = to > end ? end : to;
    const int left_out = at >= to - x ? at - (to - x) + 1 : 0;
    const char *text = t->field.text;
    for (int i = 0; i < left_out; i++)
        (void)cells_character(&text);
    const int behind = screen_text(t->screen, x, y, to, text, CANVAS_HERE, SCREEN_UNDERLINE);
    for (int i = behind; i < to; i++)
        screen_character(t->screen, i, y, ' ', CANVAS_HERE, SCREEN_UNDERLINE);
    *cursor_x = x + at - left_out;
    *cursor_y = y;
}

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

/* Rows that a line takes in this width. */
static unsigned rows_of(unsigned length, int width) { return length ? (length - 1) / (unsigned)width + 1 : 1; }

static void show_row(struct terminal *t, const struct layout_box *in, int y, const uint32_t *text, unsigned length,
                     unsigned row)
{
    const unsigned from = row * (unsigned)in->width;
    for (unsigned i = 0; i < (unsigned)in->width && from + i < length; i++)
        screen_character(t->screen, in->x + (int)i, in->y + y, text[from + i], CANVAS_PLAIN, 0);
}

/* The last lines, from the bottom upwards; `left_out`: the last one is drawn by somebody else. */
static void draw_scroll(struct terminal *t, struct pane *pane, const struct scroll *scroll, struct layout_box in)
{
    unsigned n = scroll_lines(scroll), skip = pane->back;
    int y = in.height;
    if (in.width <= 0)
        return;
    unsigned length;
    if (n && scroll == &t->console && scroll_line(scroll, n - 1, &length) && !length)
        n--; /* the line that the prompt is in */
    while (n > 0 && y > 0) {
        const uint32_t *text = scroll_line(scroll, --n, &length);
        for (unsigned row = rows_of(length, in.width); row > 0 && y > 0; row--) {
            if (skip)
                skip--;
            else
                show_row(t, &in, --y, text, length, row - 1);
        }
    }
    pane->back -= skip; /* there is no more */
    if (y > 0 && pane->back)
        pane->back -= (unsigned)y < pane->back ? (unsigned)y : pane->back;
}

/* A line that is typed, with words in front. */
static void draw_edit(struct terminal *t, const struct layout_box *in, const char *prompt, const struct edit *edit,
                      int *cursor_x, int *cursor_y)
{
    const int y = in->y + in->height - 1, end = in->x + in->width;
    const int x = screen_text(t->screen, in->x, y, end, prompt, CANVAS_HEADING, 0);
    const int room = end - x - 1, at = (int)edit_columns(edit, edit->at);
    const char *text = edit->text;
    const int left_out = at > room ? at - room : 0;
    for (int i = 0; i < left_out && *text; i++)
        (void)cells_character(&text);
    screen_text(t->screen, x, y, end, text, CANVAS_VALUE, 0);
    *cursor_x = x + at - left_out;
    *cursor_y = y;
}

static void draw_console(struct terminal *t, struct pane *pane, bool focus, int *cursor_x, int *cursor_y)
{
    struct layout_box in = terminal_inside(pane), text = in;
    int x, y;
    text.height--;
    draw_scroll(t, pane, &t->console, text);
    draw_edit(t, &in, t->host.runs(t->host.context) ? "(running) " PROMPT : PROMPT, &t->line, focus ? cursor_x : &x,
              focus ? cursor_y : &y);
}

static void draw_guest(struct terminal *t, struct pane *pane, bool focus, int *cursor_x, int *cursor_y)
{
    struct layout_box in = terminal_inside(pane), text = in;
    if (t->typed.length)
        text.height--;
    draw_scroll(t, pane, &t->guest, text);
    if (t->typed.length) {
        int x, y;
        draw_edit(t, &in, "", &t->typed, focus ? cursor_x : &x, focus ? cursor_y : &y);
    } else if (focus && !pane->back) { /* where the guest writes next */
        const unsigned lines = scroll_lines(&t->guest), column = t->guest.column;
        *cursor_x = in.x + (int)(column % (unsigned)(in.width > 0 ? in.width : 1));
        unsigned rows = 0, length;
        for (unsigned n = lines; n > 0 && rows < (unsigned)in.height; n--) {
            (void)scroll_line(&t->guest, n - 1, &length);
            rows += rows_of(length, in.width > 0 ? in.width : 1);
        }
        *cursor_y = in.y + in.height - 1;
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------
 */

static void draw_status(struct terminal *t)
{
    static const char keys[] =
        " F1 help  F2 view  F3 split  F4 guest  F5 go/stop  F6 next  F7 zoom  F8 step  F9 close  F10 quit";
    unsigned columns, rows;
    screen_size(t->screen, &columns, &rows);
    if (rows <= 2)
        return;
    const char *words = t->leaving   ? " F10 again ends the program; another key does not"
                        : t->prefix  ? " Ctrl-X: arrows resize, 2 3 split, 1 zoom, 0 close, o next, v b views"
                        : *t->notice ? t->notice
                                     : keys;
    int x = screen_text(t->screen, 0, (int)rows - 1, (int)columns, words, *t->notice ? CANVAS_WARNING : CANVAS_PLAIN,
                        SCREEN_REVERSE);
    while (x < (int)columns)
        screen_character(t->screen, x++, (int)rows - 1, ' ', CANVAS_PLAIN, SCREEN_REVERSE);
}

static void draw_help(struct terminal *t)
{
    unsigned columns, rows;
    screen_size(t->screen, &columns, &rows);
    screen_clear(t->screen);
    for (unsigned i = 0; help[i] && i < rows; i++)
        screen_text(t->screen, 1, (int)i, (int)columns, help[i], i ? CANVAS_PLAIN : CANVAS_HEADING, 0);
    screen_show(t->screen, -1, 0, t->anew);
}

static void draw_pane(struct terminal *t, int n, int *cursor_x, int *cursor_y)
{
    static const struct cell wall = {.lines = CELL_NORTH | CELL_SOUTH, .role = CANVAS_FAINT};
    struct pane *pane = &t->pane[n];
    const bool focus = n == t->focus;
    for (int y = 0; pane->box.x > 0 && y < pane->box.height; y++)
        screen_cell(t->screen, pane->box.x - 1, pane->box.y + y, &wall, 0);
    draw_title(t, pane, focus);
    if (pane->shows >= 0) {
        draw_view(t, pane, focus);
        if (focus && t->edits)
            draw_field(t, pane, cursor_x, cursor_y);
    } else if (pane->shows == PANE_GUEST) {
        draw_guest(t, pane, focus, cursor_x, cursor_y);
    } else {
        draw_console(t, pane, focus, cursor_x, cursor_y);
    }
}

void terminal_draw(struct terminal *t)
{
    int x = -1, y = 0;
    t->view.cpu = t->host.cpu(t->host.context);
    t->view.moving = t->host.runs(t->host.context);
    if (t->machines != t->session->machines) { /* what views have kept is of another machine */
        view_end(&t->view);
        t->machines = t->session->machines;
    }
    if (t->helps) {
        draw_help(t);
    } else {
        terminal_place(t);
        screen_clear(t->screen);
        for (int i = 0; i < LAYOUT_PANES; i++)
            if (t->pane[i].box.width)
                draw_pane(t, i, &x, &y);
        draw_status(t);
        screen_show(t->screen, x, y, t->anew);
    }
    t->anew = false;
}
