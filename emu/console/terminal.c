/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operator at a terminal: line editing, history, completion, pager; and redirected input. */
#define _GNU_SOURCE /* environ */
#include "emu/config/wrap.h"
#include "emu/console/base/base.h"
#include "emu/console/complete.h"
#include "emu/console/console.h"
#include "emu/debug/gdb.h"
#include "emu/panel/window/panel.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROMPT "zri> "

/* Somebody from outside is there, or may come. */
static bool has_visitors(const struct console *c) { return c->session->control || panel_is_open(c->panel); }

/* What await() has seen. */
enum { KEYS = 1, SIGNAL = 2 };

/* Wait for keys at a descriptor, a signal, or somebody from outside, who may call then. Returns what has come; -1: the
   host cannot wait. */
static int await(struct console *c, int keys)
{
    struct session *s = c->session;
    struct pollfd fds[2 + SESSION_VISITOR_FDS] = {{.fd = keys, .events = POLLIN}, {.fd = s->signals, .events = POLLIN}};
    struct session_visit visit;
    session_visitors_poll(s, &visit);
    memcpy(fds + 2, visit.fds, visit.count * sizeof *fds);
    if (poll(fds, 2 + visit.count, -1) < 0)
        return errno == EINTR ? 0 : -1;
    memcpy(visit.fds, fds + 2, visit.count * sizeof *fds);
    session_visitors_polled(s, &visit);
    return (fds[0].revents ? KEYS : 0) | (fds[1].revents ? SIGNAL : 0);
}

/* What a line has seen of Ctrl-C was for it; what came behind its Enter, and it has not seen, is for what comes next.
 */
static void line_is_over(struct console *c)
{
    c->session->interrupted = false;
    c->quit |= c->session->terminated;
}

/* Clients of the control socket while there is a prompt. */
static void attend(struct console *c)
{
    if (!session_calls(c->session, SESSION_CONTROL) && !session_called(c->session))
        return;
    (void)console_attend(c);
    line_is_over(c);
}

/* Until a file has something to read: who comes from outside is served meanwhile, and the keyboard's Ctrl-C gives a new
   line. False: somebody wants the end. */
static bool await_input(struct console *c, FILE *in)
{
    int come = 0;
    while ((has_visitors(c) || c->session->keyboard) && !c->quit && !(come & KEYS)) {
        come = await(c, fileno(in));
        if (come < 0)
            break;
        attend(c);
        if (come & SIGNAL && session_interrupted(c->session)) {
            if (c->session->terminated)
                return false;
            console_print(c, "\n" PROMPT);
            fflush(c->out);
        }
    }
    return !c->quit;
}

/* Redirected input: line by line; one that fails is told, the rest goes on, the exit status remembers. */
static int read_lines(struct console *c, FILE *in)
{
    char line[CONSOLE_LINE + 2];
    int status = 0;
    if (has_visitors(c))
        setvbuf(in, NULL, _IONBF, 0); /* what was read ahead could not be awaited */
    while (!c->quit && await_input(c, in) && fgets(line, sizeof line, in)) {
        if (console_line(c, line))
            status = 1;
        fflush(c->out);
    }
    console_stand_for_panel(c);
    return status;
}

/* ---- long displays through a pager ----------------------------------------------------------------------------- */

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* exit statuses of a shell */

/* The pager that the operator wants: PAGER, else less, which ends by itself when all fits. False: it cannot be run. */
static bool start_pager(int from)
{
    char *const shell[] = {"sh", "-c", "eval \"${PAGER:-less -FRX}\"", NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;
    int status = 0;
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files))
        return false;
    if (posix_spawnattr_init(&attributes)) {
        posix_spawn_file_actions_destroy(&files);
        return false;
    }
    posix_spawn_file_actions_adddup2(&files, from, STDIN_FILENO);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const bool runs = posix_spawn(&pid, "/bin/sh", &files, &attributes, shell, environ) == 0;
    while (runs && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (!runs || !WIFEXITED(status))
        return runs;
    return WEXITSTATUS(status) != NOT_EXECUTABLE && WEXITSTATUS(status) != NOT_FOUND;
}

/* The lines of a file from its beginning. */
static unsigned lines_of(FILE *file)
{
    unsigned lines = 0;
    int c;
    rewind(file);
    while ((c = getc(file)) != EOF)
        lines += c == '\n';
    rewind(file);
    return lines;
}

static void copy_to(FILE *from, FILE *to)
{
    char bytes[4096];
    size_t n;
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, n, to);
}

/* Carry out a line; a display that is longer than the terminal is shown by the pager. */
static void carry_out_paged(struct console *c, const char *line)
{
    char name[32];
    const char *first = line + strspn(line, " \t"), *pager = getenv("PAGER");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(first, " \t"), first);
    const struct console_command *command = console_find(c, name);
    FILE *out = c->out, *shown = NULL;
    if (command && (command->flags & CONSOLE_PAGES) && isatty(fileno(out)) && !(pager && !*pager))
        shown = tmpfile();
    if (!shown) {
        console_line(c, line);
        return;
    }
    c->width = wrap_width(out, 0);
    c->out = shown;
    console_line(c, line);
    c->out = out;
    c->width = 0;
    const bool longer = lines_of(shown) >= wrap_height(out, 24);
    fflush(out);
    lseek(fileno(shown), 0, SEEK_SET);
    if (!longer || !start_pager(fileno(shown))) {
        rewind(shown);
        copy_to(shown, out);
    }
    fclose(shown);
}

static void page_line(struct console *c, const char *line)
{
    carry_out_paged(c, line);
    line_is_over(c);
}

#if HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>

/* readline's completion and line functions have no argument of their own, so the console that is at the terminal has
   to be found by them: there is one terminal in a process, and one of these. */
static struct console *at_terminal;

/* readline's protocol: called with state 0 first, then again for the next match. */
static struct console_completion matches;
static size_t matches_next;

static char *next_match(const char *text, int state)
{
    (void)text;
    if (!state)
        matches_next = 0;
    return matches_next < matches.count ? matches.found[matches_next++] : NULL;
}

static char **complete(const char *text, int start, int end)
{
    bool files;
    (void)end;
    matches = (struct console_completion){.text = text};
    console_matches(&matches, at_terminal, rl_line_buffer, start, &files);
    rl_attempted_completion_over = !files;
    if (matches.count == 1 && matches.found[0][strlen(matches.found[0]) - 1] == '=')
        rl_completion_suppress_append = 1;
    char **list = matches.count ? rl_completion_matches(text, next_match) : NULL;
    free(matches.found); /* the words themselves are readline's now */
    return list;
}

/* ---- history --------------------------------------------------------------------------------------------------- */

#define HISTORY_LINES 1000

static void keep(const char *line)
{
    const HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (!last || strcmp(last->line, line) != 0)
        add_history(line);
}

static void take_line(char *line)
{
    static char before[CONSOLE_LINE]; /* there is one terminal in a process */
    struct console *c = at_terminal;
    rl_callback_handler_remove();
    if (!line) {
        console_print(c, "\n");
        c->quit = true;
        return;
    }
    if (*line)
        keep(line);
    if (*line)
        snprintf(before, sizeof before, "%s", console_repeats(c, line) ? line : "");
    page_line(c, before[0] && !*line ? before : line);
    fflush(c->out);
    free(line);
    if (!c->quit)
        rl_callback_handler_install(PROMPT, take_line);
}

/* Ctrl-C at the prompt gives a new line. */
static void new_line(void)
{
    rl_callback_sigcleanup();
    rl_replace_line("", 0);
    printf("^C\n");
    rl_on_new_line();
    rl_redisplay();
}

/* readline's keys: those that were typed while the guest ran, and that it did not take, come in front of what waits at
   the terminal. */
static int next_key(FILE *in)
{
    struct session *s = at_terminal->session;
    if (!s->ahead_length)
        return rl_getc(in);
    const char key = s->ahead[0];
    memmove(s->ahead, s->ahead + 1, --s->ahead_length);
    return (unsigned char)key;
}

/* A client of the control socket runs the machine while there is a prompt: it goes away, and comes again. */
static void move_prompt(struct console *c, bool on)
{
    if (!on) {
        rl_callback_handler_remove();
        printf("\n");
    } else if (!c->quit) {
        rl_callback_handler_install(PROMPT, take_line);
    }
}

static int edit_lines(struct console *c)
{
    at_terminal = c;
    rl_getc_function = next_key;
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = " \t";
    rl_catch_signals = 0;
    char path[1024];
    console_history_file(path, sizeof path);
    using_history();
    stifle_history(HISTORY_LINES);
    if (*path)
        read_history(path);
    rl_callback_handler_install(PROMPT, take_line);
    while (!c->quit) {
        if (c->session->ahead_length) {
            rl_callback_read_char();
            continue;
        }
        const int come = await(c, STDIN_FILENO);
        if (come < 0)
            break;
        c->prompt = move_prompt;
        attend(c);
        c->prompt = NULL;
        fflush(c->out);
        if (gdb_calls(c->session)) { /* it is gdb's turn, as with the command g */
            rl_callback_handler_remove();
            console_print(c, "\n");
            console_start(c);
            fflush(c->out);
            if (!c->quit)
                rl_callback_handler_install(PROMPT, take_line);
            continue;
        }
        if (come & SIGNAL && session_interrupted(c->session)) {
            if (c->session->terminated)
                break;
            new_line();
        }
        if (come & KEYS)
            rl_callback_read_char();
    }
    rl_callback_handler_remove();
    at_terminal = NULL;
    if (*path && write_history(path))
        fprintf(stderr, "zri: cannot keep the history in %s: %s; ZRI_HISTORY names another file\n", path,
                strerror(errno));
    return 0;
}
#endif

bool console_edits(void)
{
#if HAVE_READLINE
    return true;
#else
    return false;
#endif
}

int console_interact(struct console *c)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (!terminal)
        return read_lines(c, stdin);
    session_watch_keyboard(c->session);
    c->session->input = STDIN_FILENO;
    c->session->pace = true;
    c->session->reads_ahead = console_edits();
#if HAVE_READLINE
    return edit_lines(c);
#else
    setvbuf(stdin, NULL, _IONBF, 0); /* what was read ahead could not be awaited */
    while (!c->quit) {
        char line[CONSOLE_LINE + 2];
        fputs(PROMPT, c->out);
        fflush(c->out);
        if (!await_input(c, stdin) || !fgets(line, sizeof line, stdin))
            break;
        page_line(c, line);
        fflush(c->out);
    }
    return 0;
#endif
}
