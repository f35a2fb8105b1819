/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console behind the panel's window, and the command `panel`. */
#include "emu/console/console.h"
#include "emu/console/base/internal.h"
#include "emu/console/complete.h"
#include "emu/console/panel_teller.h"
#include "emu/console/run.h"
#include "emu/panel/window/panel.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STAND_MS 200

/* ---- what the panel asks ---------------------------------------------------------------------------------------- */

static char *command(void *context, struct cpu **cpu, const char *line)
{
    const struct control_shown shown = console_show_command(context, cpu, line, false);
    return shown.long_one ? strdup("what it shows is too much for the panel; the console shows it\n") : shown.text;
}

static bool runs(void *context) { return ((const struct console *)context)->attending; }
static void stop(void *context) { ((struct console *)context)->stopped_outside = true; }
static struct cpu *chosen(void *context) { return ((const struct console *)context)->cpu; }

static void complete(void *context, const char *line, size_t at, char *words, size_t size)
{
    console_offers(context, line, at, words, size);
}

/* The panel, made when it is asked for first; NULL, and said: no memory. */
static struct panel *panel_of(struct console *c)
{
    const struct panel_host host = {c, command, runs, stop, chosen, complete, console_view_teller(c)};
    if (!c->panel)
        c->panel = panel_create(c->session, &host);
    if (!c->panel)
        console_fail(c, "the host has no memory for the panel");
    return c->panel;
}

int console_open_panel(struct console *c, char *error, size_t size)
{
    struct panel *panel = panel_of(c);
    if (panel)
        return panel_open(panel, error, size);
    snprintf(error, size, "the host has no memory for the panel");
    return -ENOMEM;
}

void console_stand_for_panel(struct console *c)
{
    struct session *s = c->session;
    while (!c->quit && !s->terminated && panel_is_open(c->panel)) {
        session_stand(s, STAND_MS);
        if (session_late(s))
            break;
        if (session_calls(s, SESSION_CONTROL) || session_called(s))
            (void)console_attend(c);
    }
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

int console_cmd_panel(struct console *c, int argc, char **argv) { return console_run_word(c, "panel", argc, argv); }

int console_panel_open(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR / 2];
    (void)argc;
    (void)argv;
    return console_open_panel(c, error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

int console_panel_close(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->panel)
        panel_close(c->panel);
    return 0;
}

int console_panel_status(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    (void)argc;
    (void)argv;
    if (!panel)
        return -1;
    const struct panel_status s = panel_status(panel);
    show_object(c, NULL);
    SHOW(c, "the panel is {}, view {}, {}, {} x {} pixels, {} per cent; ", fact_flag("open", s.open, "open", "closed"),
         fact_text("view", s.view), fact_text("theme", s.theme), fact_number("width", s.width),
         fact_number("height", s.height), fact_number("scale", s.scale));
    SHOW(c, "{} pictures, {} microseconds for each; the keyboard is at {}\n", fact_number("pictures", s.pictures),
         fact_number("drawing_us", s.pictures ? s.drawing_ns / s.pictures / 1000 : 0),
         fact_text("focus", *s.focus ? s.focus : "the line for commands"));
    show_end_object(c);
    return 0;
}

/* The names of all views, for a sentence. */
static void view_names(char *words, size_t size)
{
    size_t n = 0;
    *words = 0;
    for (unsigned i = 0; i < VIEW_COUNT; i++)
        if (view_kind(i) && n + strlen(view_kind(i)->name) + 3 < size)
            n += (size_t)sprintf(words + n, "%s%s", n ? ", " : "", view_kind(i)->name);
}

static int no_view(struct console *c, const char *name)
{
    char names[200];
    view_names(names, sizeof names);
    return console_fail(c, "panel: there is no view '%.40s'; there are %s", name, names);
}

int console_panel_view(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    if (!panel)
        return -1;
    if (argc != 3)
        return console_usage(c, "panel");
    return panel_view(panel, argv[2]) ? 0 : no_view(c, argv[2]);
}

int console_panel_theme(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    if (!panel)
        return -1;
    if (argc != 3)
        return console_usage(c, "panel");
    return panel_theme(panel, argv[2]) ? 0
                                       : console_fail(c, "panel theme %.40s: the themes are dark and light", argv[2]);
}

int console_panel_size(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    uint64_t width, height, scale = 0;
    if (!panel)
        return -1;
    if (argc < 4 || argc > 5)
        return console_usage(c, "panel");
    if (console_count(c, argv[2], &width) || console_count(c, argv[3], &height) ||
        (argc == 5 && console_count(c, argv[4], &scale)))
        return -1;
    if (!panel_size(panel, width, height))
        return console_fail(c, "panel size: a window has 320 to 8192 pixels each way");
    if (argc == 5 && !panel_scale(panel, scale))
        return console_fail(c, "panel size: characters have 50 to 400 per cent of their usual size");
    return 0;
}

int console_panel_shot(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    char error[CONSOLE_ERROR / 2];
    const int n = argc == 4 ? view_find(argv[3]) : -1;
    if (!panel)
        return -1;
    if (argc < 3 || argc > 4)
        return console_usage(c, "panel");
    if (argc == 4 && n < 0)
        return no_view(c, argv[3]);
    return panel_shot(panel, argv[2], n, error, sizeof error) ? console_fail(c, "panel shot: %s", error) : 0;
}

static void show_line(void *context, const char *text) { show_words(context, "%s\n", text); }

int console_panel_text(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    if (!panel)
        return -1;
    if (argc > 3)
        return console_usage(c, "panel");
    if (argc == 3 && !panel_view(panel, argv[2]))
        return no_view(c, argv[2]);
    return panel_text(panel, show_line, c) ? console_fail(c, "panel text: the host has no memory for it") : 0;
}

int console_panel_click(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    uint64_t x, y;
    if (!panel)
        return -1;
    if (argc != 4)
        return console_usage(c, "panel");
    if (console_count(c, argv[2], &x) || console_count(c, argv[3], &y))
        return -1;
    if (x >= 10000 || y >= 10000 || !panel_click(panel, (float)x + 0.5f, (float)y + 0.5f))
        return console_fail(c, "panel click: nothing there can be pressed");
    return 0;
}

/* The words behind the second one, as they were typed. */
static const char *behind(const struct console *c)
{
    const char *rest = c->rest + strcspn(c->rest, " \t");
    return rest + strspn(rest, " \t");
}

int console_panel_press(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    char label[CONSOLE_LINE];
    (void)argv;
    if (!panel)
        return -1;
    if (argc < 3)
        return console_usage(c, "panel");
    snprintf(label, sizeof label, "%s", behind(c));
    return panel_press(panel, label) ? 0
                                     : console_fail(c,
                                                    "panel press: there is no key or value '%.100s'; panel text shows "
                                                    "what there is",
                                                    label);
}

int console_panel_key(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    if (!panel)
        return -1;
    if (argc != 3)
        return console_usage(c, "panel");
    return panel_key(panel, argv[2]) ? 0
                                     : console_fail(c,
                                                    "panel key: %.40s is none that the panel knows; give Tab, Enter, "
                                                    "Escape, Up, F1, Ctrl+T and the like",
                                                    argv[2]);
}

int console_panel_type(struct console *c, int argc, char **argv)
{
    struct panel *panel = panel_of(c);
    char text[CONSOLE_LINE];
    (void)argv;
    if (!panel)
        return -1;
    if (argc < 3)
        return console_usage(c, "panel");
    snprintf(text, sizeof text, "%s", behind(c));
    panel_type(panel, text);
    return 0;
}
