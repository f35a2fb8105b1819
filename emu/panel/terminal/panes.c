/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes: what they show, and where. */
#include "emu/panel/terminal/internal.h"
#include <stdarg.h>

#define WIDE   100u
#define WIDEST 120u
#define HIGH   30u
#define HIGHER 38u

void terminal_notice(struct terminal *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->notice, sizeof t->notice, format, arguments);
    va_end(arguments);
}

void terminal_print(struct terminal *t, const char *bytes, size_t length)
{
    scroll_write(&t->console, bytes, length, true);
    t->news = true;
}

const char *terminal_title(const struct pane *pane)
{
    const struct view_kind *kind = pane->shows >= 0 ? view_kind((unsigned)pane->shows) : NULL;
    return kind ? kind->title : pane->shows == PANE_GUEST ? "Guest" : "Console";
}

/* A new pane with this view. Returns its number, or `pane` when there is no such view or no room. */
static int add(struct terminal *t, int pane, bool across, unsigned share, enum view_number shows)
{
    const int new = layout_free(&t->layout);
    if (!view_kind(shows) || new < 0 || !layout_split(&t->layout, pane, across, share, new))
        return pane;
    t->pane[new].shows = (int)shows;
    return new;
}

/* At first: registers, code, storage, run-time instrumentation, and below them the console and the guest; on a small
   screen fewer. */
void terminal_arrange(struct terminal *t)
{
    unsigned columns, rows;
    screen_size(t->screen, &columns, &rows);
    layout_begin(&t->layout);
    t->pane[0].shows = VIEW_FRONT;
    t->last_view = 0;
    t->focus = 1;
    (void)layout_split(&t->layout, 0, false, t->host.reads ? 450 : rows >= HIGH ? 660 : 600, 1);
    t->pane[1].shows = PANE_CONSOLE;
    if (columns >= WIDEST && layout_split(&t->layout, 1, true, 680, 2))
        t->pane[2].shows = PANE_GUEST;
    const int code = add(t, 0, true, columns >= WIDE ? 550 : 560, VIEW_CODE);
    if (rows < HIGH || code == 0 || t->host.reads)
        return;
    const int storage = add(t, code, false, rows >= HIGHER ? 340 : 450, VIEW_STORAGE);
    if (rows >= HIGHER)
        add(t, storage, false, 520, VIEW_INSTRUMENTATION);
}

void terminal_focus(struct terminal *t, int pane)
{
    t->focus = pane;
    t->edits = false;
    if (t->pane[pane].shows >= 0)
        t->last_view = pane;
    screen_raw(t->screen, t->pane[pane].shows == PANE_GUEST);
}

void terminal_place(struct terminal *t)
{
    struct layout_box boxes[LAYOUT_PANES];
    unsigned columns, rows;
    screen_size(t->screen, &columns, &rows);
    const struct layout_box all = {0, 0, (int)columns, (int)rows - (rows > 2)};
    if (t->zoomed || !layout_place(&t->layout, all, boxes)) {
        for (int i = 0; i < LAYOUT_PANES; i++)
            boxes[i] = (struct layout_box){0, 0, 0, 0};
        boxes[t->focus] = all;
    }
    for (int i = 0; i < LAYOUT_PANES; i++)
        t->pane[i].box = boxes[i];
}

bool terminal_shows_guest(const struct terminal *t)
{
    for (int i = 0; i < LAYOUT_PANES; i++)
        if (layout_has(&t->layout, i) && t->pane[i].shows == PANE_GUEST)
            return true;
    return false;
}

int terminal_pane_at(const struct terminal *t, int x, int y)
{
    for (int i = 0; i < LAYOUT_PANES; i++) {
        const struct layout_box *b = &t->pane[i].box;
        if (b->width && x >= b->x && x < b->x + b->width && y >= b->y && y < b->y + b->height)
            return i;
    }
    return -1;
}

void terminal_split(struct terminal *t, bool across)
{
    const int new = layout_free(&t->layout);
    struct layout_box boxes[LAYOUT_PANES];
    const struct layout was = t->layout;
    if (new < 0) {
        terminal_notice(t, "there are %d panes, and no more; F9 closes one", LAYOUT_PANES);
        return;
    }
    (void)layout_split(&t->layout, t->focus, across, 500, new);
    unsigned columns, rows;
    screen_size(t->screen, &columns, &rows);
    if (!layout_place(&t->layout, (struct layout_box){0, 0, (int)columns, (int)rows - 1}, boxes)) {
        t->layout = was;
        terminal_notice(t, "the screen is too small for one more pane");
        return;
    }
    t->zoomed = false;
    t->pane[new].shows = t->pane[t->focus].shows;
    t->pane[new].chosen[0] = 0;
    terminal_focus(t, new);
    terminal_turn_view(t, false);
}

void terminal_go_to(struct terminal *t, int shows)
{
    for (int i = 0; i < LAYOUT_PANES; i++)
        if (layout_has(&t->layout, i) && t->pane[i].shows == shows) {
            terminal_focus(t, i);
            return;
        }
    t->zoomed = false;
    t->pane[t->focus].shows = shows;
    t->pane[t->focus].back = 0;
    terminal_focus(t, t->focus);
}

void terminal_close_pane(struct terminal *t)
{
    const int next = layout_next(&t->layout, t->focus, true), gone = t->focus;
    if (!layout_close(&t->layout, gone)) {
        terminal_notice(t, "it is the last pane");
        return;
    }
    t->zoomed = false;
    if (t->last_view == gone)
        t->last_view = next;
    terminal_focus(t, next);
}

/* The views, then the guest, then the console, then the views again. */
static int beside(int shows, bool back)
{
    const int step = back ? VIEW_COUNT + 1 : 1, all = VIEW_COUNT + 2;
    int n = shows >= 0 ? shows : VIEW_COUNT - 1 - shows;
    do
        n = (n + step) % all;
    while (n < VIEW_COUNT && !view_kind((unsigned)n));
    return n < VIEW_COUNT ? n : VIEW_COUNT - 1 - n;
}

void terminal_turn_view(struct terminal *t, bool back)
{
    struct pane *pane = &t->pane[t->focus];
    pane->shows = beside(pane->shows, back);
    pane->chosen[0] = 0;
    pane->back = 0;
    terminal_focus(t, t->focus);
}
