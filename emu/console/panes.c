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
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static void complete(void *context, const char *line, size_t at, char *words, size_t size)
{
    console_offers(((const struct console_panes *)context)->c, line, at, words, size);
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
