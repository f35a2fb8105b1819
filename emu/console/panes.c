/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console behind the panel in a terminal. */
#define _GNU_SOURCE /* fopencookie */
#include "emu/console/panes.h"
#include "emu/console/base/internal.h"
#include "emu/console/complete.h"
#include "emu/console/panel_teller.h"
#include "emu/console/run.h"
#include "emu/debug/gdb.h"
#include "emu/panel/terminal/terminal.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STAND_MS 250

struct console_panes {
    struct console *c;
    struct terminal *terminal;
    FILE *out, *before;
    struct view_teller teller;
    char history[1024];
};

/* ---- what the terminal asks ---------------------------------------------------------------------------------------
 */

static struct cpu *chosen(void *context) { return ((struct console_panes *)context)->c->cpu; }

static bool runs(void *context) { return ((struct console_panes *)context)->c->runs; }

static bool serves(void *context) { return ((struct console_panes *)context)->c->serves; }

static void stop(void *context) { ((struct console_panes *)context)->c->session->interrupted = true; }

static void quit(void *context) { ((struct console_panes *)context)->c->quit = true; }

static void carry_out(void *context, const char *line, bool *again)
{
    struct console_panes *p = context;
    struct console *c = p->c;
    *again = console_repeats(c, line);
    c->width = terminal_width(p->terminal);
    if (c->attending)
        console_line_between(c, line);
    else
        console_line(c, line);
    fflush(c->out);
}

/* Where a match is written; it has to fit whole. */
struct list {
    char *at;
    size_t room;
};

static void add(struct list *l, const char *word, const char *behind)
{
    const int n = snprintf(l->at, l->room, "%s%s\n", word, behind);
    if (n < 0 || (size_t)n >= l->room) {
        if (l->room)
            *l->at = 0;
        return;
    }
    l->at += n;
    l->room -= (size_t)n;
}

/* Names of files that begin so. */
static void add_files(struct list *l, const char *text)
{
    const char *slash = strrchr(text, '/'), *begin = slash ? slash + 1 : text;
    char folder[1024], path[1300];
    const int length = (int)(begin - text);
    snprintf(folder, sizeof folder, "%.*s", length, text);
    DIR *dir = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        struct stat is;
        const bool hidden = *entry->d_name == '.' && *begin != '.';
        if (hidden || strncmp(entry->d_name, begin, strlen(begin)) != 0)
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        add(l, path, stat(path, &is) == 0 && S_ISDIR(is.st_mode) ? "/" : "");
    }
    if (dir)
        closedir(dir);
}

static void complete(void *context, const char *line, size_t at, char *words, size_t size)
{
    const struct console_panes *p = context;
    char text[CONSOLE_LINE];
    struct list list = {words, size};
    bool files = false;
    size_t start = at;
    *words = 0;
    while (start && line[start - 1] != ' ')
        start--;
    snprintf(text, sizeof text, "%.*s", (int)(at - start), line + start);
    struct console_completion m = {.text = text};
    console_matches(&m, p->c, line, (int)start, &files);
    for (size_t i = 0; i < m.count; i++) {
        add(&list, m.found[i], "");
        free(m.found[i]);
    }
    free(m.found);
    if (files)
        add_files(&list, text);
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static ssize_t show(void *cookie, const char *bytes, size_t n)
{
    terminal_print(((struct console_panes *)cookie)->terminal, bytes, n);
    return (ssize_t)n;
}

int console_panes_open(struct console_panes **panes, struct console *c, bool reads, char *error, size_t size)
{
    struct console_panes *p = calloc(1, sizeof *p);
    if (!p) {
        snprintf(error, size, "the host has no memory for panes");
        return -ENOMEM;
    }
    p->c = c;
    p->before = c->out;
    p->teller = console_view_teller(c);
    console_history_file(p->history, sizeof p->history);
    const struct terminal_host host = {.context = p,
                                       .cpu = chosen,
                                       .runs = runs,
                                       .serves = serves,
                                       .stop = stop,
                                       .quit = quit,
                                       .line = carry_out,
                                       .complete = complete,
                                       .reads = reads,
                                       .teller = &p->teller,
                                       .history = p->history};
    p->out = fopencookie(p, "w", (cookie_io_functions_t){.write = show});
    int code = p->out ? terminal_open(&p->terminal, c->session, &host, error, size) : -ENOMEM;
    if (!p->out)
        snprintf(error, size, "the host has no memory for panes");
    if (code) {
        if (p->out)
            fclose(p->out);
        free(p);
        return code;
    }
    setvbuf(p->out, NULL, _IOLBF, BUFSIZ);
    c->out = p->out;
    session_watch_keyboard(c->session);
    c->session->pace = true;
    *panes = p;
    return 0;
}

void console_panes_run(struct console_panes *p)
{
    struct console *c = p->c;
    struct session *s = c->session;
    terminal_look(p->terminal);
    while (!c->quit) {
        c->serves = true;
        session_stand(s, STAND_MS);
        if (session_late(s))
            break;
        if (session_interrupted(s)) {
            if (s->terminated)
                break;
            terminal_interrupted(p->terminal);
        }
        if (session_calls(s, SESSION_CONTROL) || session_called(s))
            (void)console_attend(c);
        c->serves = false;
        if (!c->quit && gdb_calls(s)) { /* it is gdb's turn, as with the command g */
            console_start(c);
            terminal_look(p->terminal);
        }
    }
    c->serves = false;
}

void console_panes_close(struct console_panes *p, bool failed)
{
    if (!p)
        return;
    fflush(p->out);
    p->c->out = p->before;
    p->c->width = 0;
    terminal_close(p->terminal, failed);
    fclose(p->out);
    free(p);
}
