/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operator at a terminal: line editing, history, completion; and redirected input. */
#include "disasm/dis.h"
#include "emu/console/internal.h"
#include "ri/text.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PROMPT "zri> "

/* Redirected input: line by line; one that fails is told, the rest goes on, the exit status remembers. */
static int read_lines(struct console *c, FILE *in)
{
    char line[CONSOLE_LINE + 2];
    int status = 0;
    while (!c->quit && fgets(line, sizeof line, in)) {
        if (console_line(c, line))
            status = 1;
        fflush(c->out);
    }
    return status;
}

#if HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>

/* readline's completion and line functions have no argument of their own, so the console that is at the terminal has
   to be found by them: there is one terminal in a process, and one of these. */
static struct console *at_terminal;

static const char *const ri_words[] = {"controls", "set",   "clear", "on",   "off",     "collection", "buffer",
                                       "groups",   "next",  "stop",  "hex",  "listing", "explain",    "lric",
                                       "mric",     "stric", "tric",  "rion", "rioff",   NULL};
static const char *const space_words[] = {"primary", "secondary", "home", "ar", NULL};
static const char *const engine_words[] = {"block", "reference", NULL};
static const char *const ctr_words[] = {"sets", "auth", "inject", NULL};
static const char *const alert_words[] = {"IAE",  "ISE",  "PRA", "SACA", "LSDA", "MTDA",
                                          "CACA", "LCDA", "ET",  "PM",   NULL};

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

/* Generators: called with state 0 first, then again for the next match. */
static char *list_match(const char *const *list, const char *text, int state)
{
    static int at; /* readline's own protocol asks for this */
    if (!state)
        at = 0;
    while (list[at]) {
        const char *word = list[at++];
        if (strncasecmp(word, text, strlen(text)) == 0)
            return copy(word);
    }
    return NULL;
}

static char *command_match(const char *text, int state)
{
    static unsigned at;
    if (!state)
        at = 0;
    while (at < console_command_count) {
        const char *name = console_commands[at++].name;
        if (name && strncasecmp(name, text, strlen(text)) == 0)
            return copy(name);
    }
    return NULL;
}

static char *mnemonic_match(const char *text, int state)
{
    static unsigned at;
    if (!state)
        at = 0;
    while (at < DIS_ROW_COUNT) {
        const char *name = dis_rows[at++].mnemonic;
        if (strncasecmp(name, text, strlen(text)) == 0)
            return copy(name);
    }
    return NULL;
}

static char *symbol_match(const char *text, int state)
{
    static unsigned at;
    struct ipl_symbols *symbols = at_terminal->session->load ? ipl_load_symbols(at_terminal->session->load) : NULL;
    char name[130];
    if (!state)
        at = 0;
    if (*text != '@' || !symbols)
        return NULL;
    while (at < ipl_symbols_count(symbols)) {
        const struct ipl_symbol *s = ipl_symbol_number(symbols, at++);
        if (strncmp(s->name, text + 1, strlen(text + 1)) != 0)
            continue;
        snprintf(name, sizeof name, "@%.120s", s->name);
        return copy(name);
    }
    return NULL;
}

struct field_search {
    const char *text;
    int skip;
    char *found;
};

static void field_fact(void *context, const char *name, uint64_t value, unsigned digits)
{
    struct field_search *s = context;
    char word[32];
    (void)value;
    (void)digits;
    if (s->found || strncasecmp(name, s->text, strlen(s->text)) != 0 || s->skip-- > 0)
        return;
    snprintf(word, sizeof word, "%.29s=", name);
    s->found = copy(word);
}

static char *field_match(const char *text, int state)
{
    static int matches;
    const struct ri_controls none = {0};
    struct field_search search = {.text = text};
    matches = state ? matches + 1 : 0;
    search.skip = matches;
    ri_controls_facts(&none, field_fact, &search);
    rl_completion_suppress_append = 1;
    return search.found;
}

static char *ri_match(const char *text, int state) { return list_match(ri_words, text, state); }
static char *space_match(const char *text, int state) { return list_match(space_words, text, state); }
static char *engine_match(const char *text, int state) { return list_match(engine_words, text, state); }
static char *ctr_match(const char *text, int state) { return list_match(ctr_words, text, state); }
static char *alert_match(const char *text, int state) { return list_match(alert_words, text, state); }

static char **complete(const char *text, int start, int end)
{
    char first[16] = "";
    int words = 0;
    (void)end;
    for (int i = 0; i < start; i++)
        if (rl_line_buffer[i] != ' ' && (i == 0 || rl_line_buffer[i - 1] == ' '))
            words++;
    rl_attempted_completion_over = 1;
    if (words == 0)
        return rl_completion_matches(text, command_match);
    sscanf(rl_line_buffer, "%15s", first);
    const struct console_command *command = console_find(first);
    if (!command)
        return NULL;
    switch (command->kind[words > 1]) {
    case KIND_COMMAND:
        return rl_completion_matches(text, command_match);
    case KIND_FILE:
        rl_attempted_completion_over = 0;
        return NULL;
    case KIND_SYMBOL:
        return rl_completion_matches(text, symbol_match);
    case KIND_MNEMONIC:
        return rl_completion_matches(text, mnemonic_match);
    case KIND_RI:
        return rl_completion_matches(text, ri_match);
    case KIND_RI_FIELD:
        return rl_completion_matches(text, field_match);
    case KIND_SPACE:
        return rl_completion_matches(text, *text == '@' ? symbol_match : space_match);
    case KIND_ENGINE:
        return rl_completion_matches(text, engine_match);
    case KIND_CTR:
        return rl_completion_matches(text, ctr_match);
    case KIND_CTR_ALERT:
        return rl_completion_matches(text, alert_match);
    default:
        return NULL;
    }
}

static void take_line(char *line)
{
    struct console *c = at_terminal;
    rl_callback_handler_remove();
    if (!line) {
        console_print(c, "\n");
        c->quit = true;
        return;
    }
    if (*line)
        add_history(line);
    console_line(c, line);
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

static int edit_lines(struct console *c)
{
    at_terminal = c;
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = " \t";
    rl_catch_signals = 0;
    using_history();
    rl_callback_handler_install(PROMPT, take_line);
    while (!c->quit) {
        struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = c->session->signals, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        if (fds[1].revents && session_interrupted(c->session))
            new_line();
        if (fds[0].revents)
            rl_callback_read_char();
    }
    rl_callback_handler_remove();
    at_terminal = NULL;
    return 0;
}
#endif

int console_interact(struct console *c)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (!terminal)
        return read_lines(c, stdin);
    session_watch_keyboard(c->session);
    c->session->input = STDIN_FILENO;
    c->session->pace = true;
#if HAVE_READLINE
    return edit_lines(c);
#else
    while (!c->quit) {
        char line[CONSOLE_LINE + 2];
        fputs(PROMPT, c->out);
        fflush(c->out);
        if (!fgets(line, sizeof line, stdin))
            break;
        console_line(c, line);
        fflush(c->out);
    }
    return 0;
#endif
}
