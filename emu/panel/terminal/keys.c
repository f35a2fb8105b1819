/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keys do. */
#include "base/words.h"
#include "emu/panel/terminal/internal.h"
#include <errno.h>
#include <math.h>
#include <string.h>

/* ---- commands -----------------------------------------------------------------------------------------------------
 */

/* "view NAME" lets a pane show it; "NAME WORDS" is of a view. */
static void own_command(struct terminal *t, int pane, const char *words)
{
    const int view = strncmp(words, "view ", 5) == 0 ? view_find(words + 5) : -1;
    if (view >= 0) {
        if (t->pane[pane].shows < 0)
            pane = t->last_view;
        t->pane[pane].shows = view;
        t->pane[pane].chosen[0] = 0;
        t->pane[pane].back = 0;
    } else if (!view_command(&t->view, words)) {
        terminal_notice(t, "the panel has no '/%.60s'; F1 helps, F2 turns through the views", words);
    }
}

/* A command as if it was typed. */
static void carry_out(struct terminal *t, const char *line)
{
    char copy[EDIT_LINE + 1];
    snprintf(copy, sizeof copy, "%s", line); /* the item may be drawn anew meanwhile */
    terminal_print(t, PROMPT, sizeof PROMPT - 1);
    terminal_print(t, copy, strlen(copy));
    terminal_print(t, "\n", 1);
    t->host.line(t->host.context, copy, &t->again);
    t->news = true;
}

void terminal_command(struct terminal *t, int pane, const char *line)
{
    if (*line == '/')
        own_command(t, pane, line + 1);
    else if (*line)
        carry_out(t, line);
}

static void go_or_stop(struct terminal *t)
{
    if (t->host.runs(t->host.context))
        t->host.stop(t->host.context);
    else
        carry_out(t, "g");
}

/* ---- items of a view ----------------------------------------------------------------------------------------------
 */

static float middle_x(const struct canvas_item *item) { return item->box.x + item->box.width / 2; }
static float middle_y(const struct canvas_item *item) { return item->box.y + item->box.height / 2; }

/* How far an item lies in a direction; negative: not there. */
static float distance(const struct canvas_item *from, const struct canvas_item *to, uint32_t key)
{
    const float dx = middle_x(to) - middle_x(from), dy = middle_y(to) - middle_y(from);
    const float on = key == KEYS_LEFT ? -dx : key == KEYS_RIGHT ? dx : key == KEYS_UP ? -dy : dy;
    const float beside = fabsf(key == KEYS_LEFT || key == KEYS_RIGHT ? 4 * dy : dx / 2);
    return on < 0.4f ? -1 : on + 2 * beside;
}

/* Can keys choose it? */
static bool answers(const struct pane *pane, const struct canvas_item *item)
{
    return item->command && *canvas_item_command(&pane->canvas, item) &&
           strlen(canvas_item_command(&pane->canvas, item)) < TERMINAL_ITEM && item->box.x >= -0.5f &&
           item->box.y >= -0.5f && item->box.x < pane->canvas.width && item->box.y < pane->canvas.height;
}

/* The next item there; the first one when none was chosen. */
static void choose(struct pane *pane, uint32_t key)
{
    const struct canvas_item *from = terminal_item(pane, pane->chosen), *best = NULL;
    float nearest = 0;
    for (uint32_t i = 0; i < pane->canvas.count; i++) {
        const struct canvas_item *item = &pane->canvas.items[i];
        if (item == from || !answers(pane, item))
            continue;
        const float far = from ? distance(from, item, key) : item->box.y * 1000 + item->box.x;
        if (far >= 0 && (!best || far < nearest)) {
            best = item;
            nearest = far;
        }
    }
    if (best)
        snprintf(pane->chosen, sizeof pane->chosen, "%s", canvas_item_command(&pane->canvas, best));
}

/* Press what is chosen, or begin to type its value. */
static void press(struct terminal *t)
{
    struct pane *pane = &t->pane[t->focus];
    const struct canvas_item *item = terminal_item(pane, pane->chosen);
    if (!item)
        return;
    if (item->kind != CANVAS_FIELD) {
        terminal_command(t, t->focus, canvas_item_command(&pane->canvas, item));
        return;
    }
    if (t->host.runs(t->host.context)) {
        terminal_notice(t, "the machine runs; F5 stops it, then this value can be changed");
        return;
    }
    edit_set(&t->field, canvas_item_text(&pane->canvas, item));
    t->field.at = 0;
    t->edits = true;
}

/* A value is typed in its place: what it begins with is overwritten, as it is as long as it is. */
static void field_key(struct terminal *t, uint32_t key)
{
    char line[TERMINAL_ITEM + EDIT_LINE];
    if (key == KEYS_ESCAPE) {
        t->edits = false;
        return;
    }
    if (key != KEYS_ENTER) {
        if (key > ' ' && key < KEYS_NONE && t->field.at < t->field.length)
            (void)edit_key(&t->field, KEYS_DELETE);
        (void)edit_key(&t->field, key);
        return;
    }
    t->edits = false;
    snprintf(line, sizeof line, "%s%s", t->pane[t->focus].chosen, t->field.text);
    terminal_command(t, t->focus, line);
}

/* How far down there is something to be seen, rows. */
static int depth(const struct pane *pane)
{
    float deepest = 0;
    for (uint32_t i = 0; i < pane->canvas.count; i++)
        deepest = fmaxf(deepest, pane->canvas.items[i].box.y + 1);
    return (int)fminf(deepest, 2000);
}

/* Something that views scroll by; one that does not know it is looked at further below. */
static void turn(struct terminal *t, int n, const char *words, int rows)
{
    struct pane *pane = &t->pane[n];
    const struct view_kind *kind = view_kind((unsigned)pane->shows);
    if (!kind || (kind->command && kind->command(&t->view, words)))
        return;
    const int most = depth(pane) - terminal_inside(pane).height / 2, back = (int)pane->back + rows;
    pane->back = (unsigned)(back < 0 || !rows || most < 0 ? 0 : back > most ? most : back);
}

static void view_key(struct terminal *t, uint32_t key)
{
    struct pane *pane = &t->pane[t->focus];
    const int page = pane->box.height > 4 ? pane->box.height - 3 : 1;
    switch (key) {
    case KEYS_UP:
    case KEYS_DOWN:
    case KEYS_LEFT:
    case KEYS_RIGHT:
        choose(pane, key);
        break;
    case KEYS_ENTER:
    case ' ':
        press(t);
        break;
    case KEYS_PAGE_UP:
    case 'p':
        turn(t, t->focus, "pageup", -page);
        break;
    case KEYS_PAGE_DOWN:
    case 'n':
        turn(t, t->focus, "pagedown", page);
        break;
    case KEYS_HOME:
        turn(t, t->focus, "home", 0);
        break;
    case 'g':
        go_or_stop(t);
        break;
    case 's':
        carry_out(t, "s");
        break;
    case '?':
        t->helps = true;
        break;
    case ':':
        terminal_go_to(t, PANE_CONSOLE);
        break;
    default:
        break;
    }
}

/* ---- the console --------------------------------------------------------------------------------------------------
 */

/* Where the word begins that ends at the place. */
static size_t word_begin(const struct edit *e)
{
    size_t at = e->at;
    while (at && e->text[at - 1] != ' ')
        at--;
    return at;
}

/* What all matches begin with comes into the line; several are listed. */
static void complete(struct terminal *t)
{
    char words[4000] = "", common[EDIT_LINE];
    t->host.complete(t->host.context, t->line.text, t->line.at, words, sizeof words);
    unsigned count;
    const size_t n = words_common(words, &count);
    if (!count || n >= sizeof common - 1)
        return;
    memcpy(common, words, n);
    const bool open = n && (common[n - 1] == '=' || common[n - 1] == '/');
    common[n] = count == 1 && !open ? ' ' : 0;
    common[n + 1] = 0;
    const size_t from = word_begin(&t->line);
    if (n >= t->line.at - from)
        edit_replace(&t->line, from, common);
    for (char *word = words; count > 1 && *word; word += strcspn(word, " ") + 1) {
        word[strcspn(word, "\n")] = ' ';
    }
    if (count > 1) {
        terminal_print(t, words, strlen(words));
        terminal_print(t, "\n", 1);
    }
}

static void give_line(struct terminal *t)
{
    char line[EDIT_LINE + 1];
    strcpy(line, t->line.text);
    edit_keep(&t->line, line);
    edit_set(&t->line, "");
    if (!*line && !*t->before)
        return;
    if (*line == '/') {
        terminal_command(t, t->focus, line);
        return;
    }
    const char *given = *line ? line : t->before;
    t->again = false;
    carry_out(t, given);
    if (given == line)
        strcpy(t->before, t->again ? line : "");
}

static void scroll_by(struct pane *pane, int rows)
{
    if (rows < 0 && pane->back < (unsigned)-rows)
        pane->back = 0;
    else
        pane->back += (unsigned)rows;
}

static void console_key(struct terminal *t, uint32_t key)
{
    struct pane *pane = &t->pane[t->focus];
    const int page = pane->box.height > 4 ? pane->box.height - 3 : 1;
    if (key == KEYS_PAGE_UP || key == KEYS_PAGE_DOWN) {
        scroll_by(pane, key == KEYS_PAGE_UP ? page : -page);
        return;
    }
    pane->back = 0;
    if (key == KEYS_ENTER)
        give_line(t);
    else if (key == KEYS_TAB)
        complete(t);
    else if (key == KEY_OF_CONTROL('D') && !t->line.length)
        t->host.quit(t->host.context);
    else
        (void)edit_key(&t->line, key);
}

/* ---- the guest ----------------------------------------------------------------------------------------------------
 */

static const struct {
    uint32_t key;
    const char *bytes;
} sequences[] = {{KEYS_UP, "\033[A"},         {KEYS_DOWN, "\033[B"},    {KEYS_RIGHT, "\033[C"},
                 {KEYS_LEFT, "\033[D"},       {KEYS_HOME, "\033[1~"},   {KEYS_END, "\033[4~"},
                 {KEYS_INSERT, "\033[2~"},    {KEYS_DELETE, "\033[3~"}, {KEYS_PAGE_UP, "\033[5~"},
                 {KEYS_PAGE_DOWN, "\033[6~"}, {KEYS_BACKSPACE, "\177"}};

/* Type for a guest that takes keys. False: it does not. */
static bool post_key(struct terminal *t, uint32_t key)
{
    char bytes[8] = "";
    if (key < KEYS_NONE)
        cells_utf8(key, bytes);
    for (unsigned i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (sequences[i].key == key)
            strcpy(bytes, sequences[i].bytes);
    const int code = session_post(t->session, true, bytes, strlen(bytes) + (key == 0));
    if (code == -ENOSPC)
        terminal_notice(t, "the guest has much that it did not read yet; the key is lost");
    else if (code == -EROFS)
        terminal_notice(t, "a recording is replayed, which has all that comes from outside");
    return code != -ENXIO;
}

static void post_line(struct terminal *t)
{
    char line[EDIT_LINE + 2];
    snprintf(line, sizeof line, "%s\n", t->typed.text);
    const int code = session_post(t->session, false, line, strlen(line));
    if (code == -ENXIO)
        terminal_notice(t, "the guest does not listen to its console%s",
                        t->host.runs(t->host.context) ? "" : "; F5 lets it run");
    else if (code)
        terminal_notice(t, "the guest takes no line now");
    if (code)
        return;
    scroll_write(&t->guest, line, strlen(line), true);
    edit_keep(&t->typed, t->typed.text);
    edit_set(&t->typed, "");
}

static void guest_key(struct terminal *t, uint32_t key)
{
    t->pane[t->focus].back = 0;
    if (key == KEY_OF_CONTROL(']')) {
        terminal_go_to(t, PANE_CONSOLE);
        return;
    }
    if (post_key(t, key))
        return;
    if (key == KEYS_ENTER)
        post_line(t);
    else
        (void)edit_key(&t->typed, key);
}

/* ---- all panes ----------------------------------------------------------------------------------------------------
 */

static void resize(struct terminal *t, uint32_t key)
{
    const bool across = key == KEYS_LEFT || key == KEYS_RIGHT;
    t->zoomed = false;
    if (!layout_resize(&t->layout, t->focus, across, key == KEYS_RIGHT || key == KEYS_DOWN))
        terminal_notice(t, "this pane's edge does not go there");
}

/* Behind Ctrl-X. */
static void prefixed(struct terminal *t, uint32_t key)
{
    t->prefix = false;
    if (key >= KEYS_UP && key <= KEYS_RIGHT)
        resize(t, key);
    else if (key == '0')
        terminal_close_pane(t);
    else if (key == '1')
        t->zoomed = !t->zoomed;
    else if (key == '2' || key == '3')
        terminal_split(t, key == '3');
    else if (key == 'o')
        terminal_focus(t, layout_next(&t->layout, t->focus, false));
    else if (key == 'v' || key == 'b')
        terminal_turn_view(t, key == 'b');
    else
        terminal_notice(t, "Ctrl-X and this key mean nothing; F1 helps");
}

static void leave(struct terminal *t)
{
    if (t->leaving)
        t->host.quit(t->host.context);
    t->leaving = !t->leaving;
}

/* Keys that mean the same in all panes. */
static bool common_key(struct terminal *t, uint32_t key)
{
    const bool guest = t->pane[t->focus].shows == PANE_GUEST;
    switch (key) {
    case KEYS_F + 1:
        t->helps = true;
        return true;
    case KEYS_F + 2:
        terminal_turn_view(t, false);
        return true;
    case KEYS_F + 3:
        terminal_split(t, true);
        return true;
    case KEYS_F + 4:
        terminal_go_to(t, guest ? PANE_CONSOLE : PANE_GUEST);
        return true;
    case KEYS_F + 5:
        go_or_stop(t);
        return true;
    case KEYS_F + 6:
    case KEYS_BACK_TAB:
        terminal_focus(t, layout_next(&t->layout, t->focus, key == KEYS_BACK_TAB));
        return true;
    case KEYS_F + 7:
        t->zoomed = !t->zoomed;
        return true;
    case KEYS_F + 8:
        carry_out(t, "s");
        return true;
    case KEYS_F + 9:
        terminal_close_pane(t);
        return true;
    case KEYS_F + 10:
        leave(t);
        return true;
    case KEYS_SHIFT_UP:
    case KEYS_SHIFT_DOWN:
    case KEYS_SHIFT_LEFT:
    case KEYS_SHIFT_RIGHT:
        resize(t, key - KEYS_SHIFT_UP + KEYS_UP);
        return true;
    case KEY_OF_CONTROL('X'):
        t->prefix = !guest;
        return !guest;
    case KEY_OF_CONTROL('L'):
        t->anew = !guest;
        return !guest;
    default:
        return false;
    }
}

/* The mouse chooses a pane, and presses what is there. */
static void click(struct terminal *t)
{
    int x, y;
    screen_mouse(t->screen, &x, &y);
    const int n = terminal_pane_at(t, x, y);
    if (n < 0)
        return;
    terminal_focus(t, n);
    struct pane *pane = &t->pane[n];
    const struct layout_box in = terminal_inside(pane);
    if (pane->shows < 0)
        return;
    const struct canvas_item *item =
        canvas_at(&pane->canvas, (float)(x - in.x) + 0.5f, (float)(y - in.y + (int)pane->back) + 0.5f);
    if (!item || !answers(pane, item))
        return;
    snprintf(pane->chosen, sizeof pane->chosen, "%s", canvas_item_command(&pane->canvas, item));
    press(t);
}

static void wheel(struct terminal *t, bool up)
{
    int x, y;
    screen_mouse(t->screen, &x, &y);
    const int n = terminal_pane_at(t, x, y);
    if (n < 0)
        return;
    if (t->pane[n].shows < 0)
        scroll_by(&t->pane[n], up ? 3 : -3);
    else
        turn(t, n, up ? "up" : "down", up ? -3 : 3);
}

void terminal_key(struct terminal *t, uint32_t key)
{
    const struct pane *pane = &t->pane[t->focus];
    if (key == KEYS_RESIZE) {
        t->anew = true;
        return;
    }
    t->notice[0] = 0;
    if (t->helps) {
        t->helps = false;
        return;
    }
    if (key != KEYS_F + 10)
        t->leaving = false;
    if (t->prefix)
        prefixed(t, key);
    else if (t->edits && key < KEYS_F && key != KEYS_CLICK)
        field_key(t, key);
    else if (key == KEYS_CLICK)
        click(t);
    else if (key == KEYS_WHEEL_UP || key == KEYS_WHEEL_DOWN)
        wheel(t, key == KEYS_WHEEL_UP);
    else if (common_key(t, key))
        ;
    else if (key == KEYS_TAB && pane->shows != PANE_GUEST && !(pane->shows == PANE_CONSOLE && t->line.length))
        terminal_focus(t, layout_next(&t->layout, t->focus, false));
    else if (pane->shows == PANE_CONSOLE)
        console_key(t, key);
    else if (pane->shows == PANE_GUEST)
        guest_key(t, key);
    else
        view_key(t, key);
}
