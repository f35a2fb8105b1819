/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel in a terminal as a whole: a visitor of the machine, whose keys and pictures come in between. */
#include "emu/panel/terminal/terminal.h"
#include "base/room.h"
#include "emu/panel/terminal/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define TICK_MS    50  /* a look at the clock, also while the guest is idle */
#define PICTURE_MS 66  /* between two pictures, at least */
#define SHARE      60u /* a picture may take a so-manieth of the time */
#define TOLD       12u /* lines at the end */
#define MS_NS      UINT64_C(1000000)

/* ---- what others write --------------------------------------------------------------------------------------------
 */

/* The last of it is kept for the end. */
static void keep_words(struct terminal *t, const char *bytes, size_t n)
{
    room_for_last(t->last_words, sizeof t->last_words, &t->last_length, bytes, n);
}

static void take_said(struct terminal *t)
{
    char bytes[4096];
    for (size_t n; (n = screen_said(t->screen, bytes, sizeof bytes)) > 0;) {
        terminal_print(t, bytes, n);
        keep_words(t, bytes, n);
    }
}

/* ---- the visitor --------------------------------------------------------------------------------------------------
 */

static unsigned visitor_poll(void *context, struct pollfd *fds, unsigned room)
{
    const struct terminal *t = context;
    if (room < 3)
        return 0;
    fds[0] = (struct pollfd){.fd = t->gone ? -1 : STDIN_FILENO, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = t->ticks, .events = POLLIN};
    fds[2] = (struct pollfd){.fd = screen_stops(t->screen), .events = POLLIN};
    return 3;
}

static void visitor_polled(void *context, const struct pollfd *fds, unsigned count)
{
    struct terminal *t = context;
    uint64_t ticks;
    if (count < 3)
        return;
    if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
        t->gone = true;
    t->keys_wait |= fds[0].revents != 0;
    t->stops |= fds[2].revents != 0;
    if (fds[1].revents)
        t->news |= read(t->ticks, &ticks, sizeof ticks) > 0 && screen_resized(t->screen);
}

static bool visitor_calls(void *context)
{
    const struct terminal *t = context;
    if (!t->host.serves(t->host.context))
        return false;
    if (t->keys_wait || t->stops)
        return true;
    return (t->news || t->host.runs(t->host.context)) && session_now_ns() >= t->next_ns;
}

static bool visitor_types(void *context) { return (void)context, true; }

static void visitor_output(void *context, const char *text, size_t length)
{
    struct terminal *t = context;
    scroll_write(&t->guest, text, length, true);
    if (!terminal_shows_guest(t))
        scroll_write(&t->console, text, length, true);
    t->news = true;
}

void terminal_look(struct terminal *t)
{
    const uint64_t began = session_now_ns();
    t->keys_wait = false;
    if (t->gone) {
        t->host.quit(t->host.context);
        return;
    }
    if (t->stops) {
        screen_suspend(t->screen);
        t->stops = false;
        t->anew = true;
    }
    take_said(t);
    for (uint32_t key; (key = screen_key(t->screen)) != KEYS_NONE;)
        terminal_key(t, key);
    take_said(t);
    t->news = false;
    const uint64_t before = session_now_ns();
    terminal_draw(t);
    const uint64_t now = session_now_ns(), cost = SHARE * (now - before);
    t->next_ns = (began > before ? began : now) + (cost > PICTURE_MS * MS_NS ? cost : PICTURE_MS * MS_NS);
}

static void visitor_served(void *context) { terminal_look(context); }

unsigned terminal_width(const struct terminal *t)
{
    for (int i = 0; i < LAYOUT_PANES; i++)
        if (t->pane[i].box.width > 0 && t->pane[i].shows == PANE_CONSOLE)
            return (unsigned)t->pane[i].box.width;
    unsigned columns, rows;
    screen_size(t->screen, &columns, &rows);
    return columns;
}

void terminal_interrupted(struct terminal *t)
{
    edit_set(&t->line, "");
    t->edits = t->helps = t->prefix = t->leaving = false;
    t->news = true;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

int terminal_open(struct terminal **terminal, struct session *session, const struct terminal_host *host, char *error,
                  size_t size)
{
    struct terminal *t = calloc(1, sizeof *t);
    const struct itimerspec tick = {{0, TICK_MS * (long)MS_NS}, {0, TICK_MS * (long)MS_NS}};
    if (!t) {
        snprintf(error, size, "the host has no memory for a terminal");
        return -ENOMEM;
    }
    int code = screen_open(&t->screen, error, size);
    if (code) {
        free(t);
        return code;
    }
    t->ticks = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (t->ticks >= 0)
        (void)timerfd_settime(t->ticks, 0, &tick, NULL);
    t->session = session;
    t->host = *host;
    t->view =
        (struct view){.session = session, .teller = host->teller, .cpu = host->cpu(host->context), .follow = true};
    t->view.pointer_x = t->view.pointer_y = -1;
    t->machines = session->machines;
    if (*host->history)
        edit_read(&t->line, host->history);
    terminal_arrange(t);
    session->out = NULL;
    session->visitors[SESSION_TERMINAL] = (struct session_visitor){.context = t,
                                                                   .poll = visitor_poll,
                                                                   .polled = visitor_polled,
                                                                   .calls = visitor_calls,
                                                                   .types = visitor_types,
                                                                   .shows = visitor_types,
                                                                   .output = visitor_output,
                                                                   .served = visitor_served};
    t->news = true;
    *terminal = t;
    return 0;
}

/* The last lines of the console's pane. */
static void tell_last(const struct terminal *t)
{
    const unsigned lines = scroll_lines(&t->console);
    for (unsigned n = lines > TOLD ? lines - TOLD : 0; n < lines; n++) {
        unsigned length;
        const uint32_t *text = scroll_line(&t->console, n, &length);
        for (unsigned i = 0; i < length; i++) {
            char bytes[5];
            cells_utf8(text[i], bytes);
            fputs(bytes, stderr);
        }
        if (n + 1 < lines || length)
            fputc('\n', stderr);
    }
}

void terminal_close(struct terminal *t, bool tells)
{
    if (!t)
        return;
    memset(&t->session->visitors[SESSION_TERMINAL], 0, sizeof *t->session->visitors);
    t->session->out = stdout;
    take_said(t);
    screen_close(t->screen);
    if (tells)
        tell_last(t);
    else if (t->last_length)
        fwrite(t->last_words, 1, t->last_length, stderr);
    if (*t->host.history && !edit_write(&t->line, t->host.history))
        fprintf(stderr, "zri: cannot keep the history in %s: %s; ZRI_HISTORY names another file\n", t->host.history,
                strerror(errno));
    view_end(&t->view);
    for (int i = 0; i < LAYOUT_PANES; i++) {
        canvas_free(&t->pane[i].canvas);
        cells_free(&t->pane[i].cells);
    }
    edit_free(&t->line);
    edit_free(&t->typed);
    edit_free(&t->field);
    scroll_free(&t->console);
    scroll_free(&t->guest);
    if (t->ticks >= 0)
        close(t->ticks);
    free(t);
}
