/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the console: words, the command, help, scripts. */
#include "emu/console/internal.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct console_command console_commands[] = {
#define CONSOLE_COMMAND(id, name, abbreviation, function, usage, help, example, kind1, kind2)                          \
    {name, abbreviation, usage, help, example, function, {kind1, kind2}, NULL},
#define CONSOLE_GROUP(title) {.group = title},
#include "emu/console/commands.def"
#undef CONSOLE_COMMAND
#undef CONSOLE_GROUP
};
const unsigned console_command_count = sizeof console_commands / sizeof *console_commands;

const struct console_command *console_find(const char *name)
{
    for (unsigned i = 0; i < console_command_count; i++) {
        const struct console_command *command = &console_commands[i];
        if (command->name && (strcasecmp(name, command->name) == 0 || strcasecmp(name, command->abbreviation) == 0))
            return command;
    }
    return NULL;
}

struct console *console_create(struct session *session, FILE *out)
{
    struct console *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->session = session;
    c->machine = session->machine;
    c->cpu = c->machine->sys.cpus[0];
    c->out = out;
    return c;
}

void console_destroy(struct console *c)
{
    if (!c)
        return;
    c->trace_screen = c->keep_branches = false;
    if (c->trace_file)
        fclose(c->trace_file);
    c->trace_file = NULL;
    console_observe(c);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        engine_break_clear(c->machine->sys.cpus[i]);
    if (c->log)
        fclose(c->log);
    json_clear(&c->facts);
    free(c);
}

void console_set_json(struct console *c, bool on) { c->json_always = on; }
bool console_quit(const struct console *c) { return c->quit; }
void console_set_limit(struct console *c, uint64_t instructions) { c->limit = instructions; }
const struct machine_result *console_result(const struct console *c) { return c->has_result ? &c->result : NULL; }

void console_print(struct console *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(c->out, format, arguments);
    va_end(arguments);
    if (!c->log)
        return;
    va_start(arguments, format);
    vfprintf(c->log, format, arguments);
    va_end(arguments);
}

int console_fail(struct console *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->error, sizeof c->error, format, arguments);
    va_end(arguments);
    return -1;
}

int console_usage(struct console *c, const char *name)
{
    const struct console_command *command = console_find(name);
    return console_fail(c, "%s: these words do not make a command; usage: %s; example: %s", name, command->usage,
                        command->example);
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static int register_value(struct console *c, const char *name, size_t length, uint64_t *value)
{
    char word[16], *end;
    static const struct {
        const char *name;
        char kind;
    } files[] = {{"cr", 'c'}, {"ar", 'a'}, {"r", 'r'}, {"c", 'c'}, {"a", 'a'}, {"f", 'f'}};
    if (length >= sizeof word)
        return console_fail(c, "%%%.20s: no such register; there are %%r0 to %%r15, %%a0, %%c0, %%f0, %%ia and %%cc",
                            name);
    memcpy(word, name, length);
    word[length] = 0;
    if (strcasecmp(word, "ia") == 0) {
        *value = c->cpu->psw.ia;
        return 0;
    }
    if (strcasecmp(word, "cc") == 0) {
        *value = c->cpu->cc;
        return 0;
    }
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        size_t n = strlen(files[i].name);
        if (strncasecmp(word, files[i].name, n) != 0 || !isdigit((unsigned char)word[n]))
            continue;
        unsigned long r = strtoul(word + n, &end, 10);
        if (*end || r > 15)
            break;
        *value = files[i].kind == 'r'   ? c->cpu->gr[r]
                 : files[i].kind == 'c' ? c->cpu->cr[r]
                 : files[i].kind == 'a' ? c->cpu->ar[r]
                                        : c->cpu->vr[r].hi;
        return 0;
    }
    return console_fail(c, "%%%s: no such register; there are %%r0 to %%r15, %%a0, %%c0, %%f0, %%ia and %%cc", word);
}

static int symbol_value(struct console *c, const char *name, size_t length, uint64_t *value)
{
    char word[128];
    const struct ipl_symbol *symbol = NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (c->session->load)
        symbol = ipl_symbol_named(ipl_load_symbols(c->session->load), word);
    if (!symbol)
        return console_fail(c, "@%s: there is no such symbol; 'symbols FILE' reads a map", word);
    *value = symbol->address;
    return 0;
}

static int storage_value(struct console *c, const char *text, size_t length, uint64_t *value)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } kinds[] = {{"byte(", 1}, {"half(", 2}, {"word(", 4}, {"dword(", 8}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].name);
        char inner[64];
        uint8_t bytes[8] = {0};
        uint64_t address;
        if (length <= n + 1 || strncasecmp(text, kinds[i].name, n) != 0 || text[length - 1] != ')' ||
            length - n - 1 >= sizeof inner)
            continue;
        memcpy(inner, text + n, length - n - 1);
        inner[length - n - 1] = 0;
        if (strchr(inner, '(')) /* one level is enough, and keeps this from going deep */
            break;
        if (console_value(c, inner, &address))
            return -1;
        if (console_fetch(c, CPU_SPACE_CURRENT, 0, address, bytes + 8 - kinds[i].bytes, kinds[i].bytes) !=
            kinds[i].bytes)
            return console_fail(c, "%.*s: there is no storage", (int)length, text);
        *value = get64(bytes);
        return 0;
    }
    return console_fail(c, "'%.*s' is not a value; give hexadecimal digits, %%r1, @symbol or word(ADDRESS)",
                        (int)length, text);
}

static int one_term(struct console *c, const char *text, size_t length, uint64_t *value)
{
    if (length > 1 && *text == '%')
        return register_value(c, text + 1, length - 1, value);
    if (length > 1 && *text == '@')
        return symbol_value(c, text + 1, length - 1, value);
    size_t skip = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
    uint64_t v = 0;
    size_t digits = 0;
    for (size_t i = skip; i < length; i++) {
        if (text[i] == '_' || text[i] == '\'')
            continue;
        if (!isxdigit((unsigned char)text[i]) || (digits >= 16 && v >> 60))
            return storage_value(c, text, length, value);
        char digit[2] = {text[i], 0};
        v = v << 4 | strtoul(digit, NULL, 16);
        digits++;
    }
    if (!digits || digits > 32)
        return storage_value(c, text, length, value);
    *value = v;
    return 0;
}

int console_value(struct console *c, const char *text, uint64_t *value)
{
    uint64_t sum = 0;
    bool minus = false;
    for (const char *at = text;;) {
        size_t n = 0;
        int depth = 0;
        uint64_t term;
        while (at[n] && (depth || (at[n] != '+' && at[n] != '-'))) {
            depth += (at[n] == '(') - (at[n] == ')');
            n++;
        }
        if (one_term(c, at, n, &term))
            return -1;
        sum = minus ? sum - term : sum + term;
        if (!at[n])
            break;
        minus = at[n] == '-';
        at += n + 1;
    }
    *value = sum;
    return 0;
}

int console_hex(struct console *c, const char *text, uint64_t limit, uint64_t *value)
{
    if (console_value(c, text, value))
        return -1;
    if (*value > limit)
        return console_fail(c, "%s is too large; the largest value here is %llX", text, (unsigned long long)limit);
    return 0;
}

int console_count(struct console *c, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long v = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (!isdigit((unsigned char)*text) || errno || *end)
        return console_fail(c, "'%s' is not a count; give a decimal number", text);
    *value = v;
    return 0;
}

/* ---- the line -------------------------------------------------------------------------------------------------- */

/* Take the word --json out, wherever it stands. */
static void take_json(struct console *c, char *line)
{
    static const char word[] = "--json";
    const size_t n = sizeof word - 1;
    for (char *at = line; (at = strstr(at, word)); at += n)
        if ((at == line || isspace((unsigned char)at[-1])) && (!at[n] || isspace((unsigned char)at[n]))) {
            memset(at, ' ', n);
            c->json = true;
        }
}

/* Split in place. Returns the number of words, or -1. */
static int split(struct console *c, char *line, char **words)
{
    int count = 0;
    for (char *at = line; *at;) {
        if (isspace((unsigned char)*at)) {
            *at++ = 0;
            continue;
        }
        if (count == CONSOLE_WORDS)
            return console_fail(c, "more than %d words in a line; use several lines", CONSOLE_WORDS);
        if (*at == '"') {
            char *end = strchr(at + 1, '"');
            if (!end)
                return console_fail(c, "a \" without its second one; close the text");
            *end = 0;
            words[count++] = at + 1;
            at = end + 1;
            continue;
        }
        words[count++] = at;
        while (*at && !isspace((unsigned char)*at))
            at++;
        if (*at)
            *at++ = 0;
    }
    return count;
}

/* "b-", "b?", "t+" and ".text" need no space behind them; a command and its rest are told apart here. */
static const struct console_command *command_of(char **words, int *count, char *split_word, size_t room)
{
    const struct console_command *command = console_find(words[0]);
    if (command)
        return command;
    if (strlen(words[0]) >= room || *count == CONSOLE_WORDS)
        return NULL;
    for (unsigned n = 2; n >= 1; n--) {
        char name[4] = {0};
        if (strlen(words[0]) <= n)
            continue;
        memcpy(name, words[0], n);
        if (strcmp(name, "b-") && strcmp(name, "t+"))
            continue;
        strcpy(split_word, words[0] + n);
        memmove(words + 2, words + 1, (size_t)(*count - 1) * sizeof *words);
        words[1] = split_word;
        (*count)++;
        return console_find(name);
    }
    return NULL;
}

static int carry_out(struct console *c, char *line)
{
    char copy[CONSOLE_LINE], joined[CONSOLE_LINE], *words[CONSOLE_WORDS + 1];
    const struct console_command *command;
    if (*line == '.') {
        c->rest = line + 1;
        words[0] = joined;
        strcpy(joined, ".");
        return console_cmd_guest(c, 1, words);
    }
    take_json(c, line);
    strcpy(copy, line);
    int count = split(c, copy, words);
    if (count <= 0)
        return count;
    c->rest = line + strcspn(line, " \t");
    c->rest += strspn(c->rest, " \t");
    command = command_of(words, &count, joined, sizeof joined);
    if (!command)
        return console_fail(c, "there is no command '%.40s'; 'help' lists the commands", words[0]);
    return command->run(c, count, words);
}

int console_line(struct console *c, const char *text)
{
    char line[CONSOLE_LINE];
    size_t n = strcspn(text, "\r\n");
    c->json = c->json_always;
    c->error[0] = 0;
    while (n && isspace((unsigned char)*text)) {
        text++;
        n--;
    }
    if (n == 0 || *text == '#' || *text == '*')
        return 0;
    if (n >= sizeof line) {
        console_print(c, "the line is longer than %d characters; use several lines\n", CONSOLE_LINE - 1);
        return -1;
    }
    memcpy(line, text, n);
    line[n] = 0;
    if (c->log)
        fprintf(c->log, "zri> %s\n", line);
    int code = carry_out(c, line);
    if (code == 0 && c->facts.length)
        console_print(c, "%s\n", c->facts.text);
    json_clear(&c->facts);
    if (code == 0)
        return 0;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_text(&c->facts, "error", c->error);
        json_end_object(&c->facts);
        console_print(c, "%s\n", c->facts.text);
        json_clear(&c->facts);
    } else {
        console_print(c, "%s\n", c->error);
    }
    fflush(c->out);
    return -1;
}

int console_script(struct console *c, const char *file)
{
    char line[CONSOLE_LINE + 2];
    unsigned number = 0;
    int code = 0;
    if (c->nested == CONSOLE_NESTED) {
        console_print(c, "script %s: scripts call scripts %d deep; one of them calls itself\n", file, CONSOLE_NESTED);
        return -1;
    }
    FILE *f = fopen(file, "r");
    if (!f) {
        console_print(c, "cannot open the script '%.200s': %s; name a file of console commands\n", file,
                      strerror(errno));
        return -1;
    }
    c->nested++;
    while (!code && !c->quit && fgets(line, sizeof line, f)) {
        number++;
        code = console_line(c, line);
        if (code)
            console_print(c, "script %s ends at line %u\n", file, number);
    }
    if (ferror(f)) { /* a folder can be opened, too */
        console_print(c, "cannot read the script '%.200s': %s; name a file of console commands\n", file,
                      strerror(errno));
        code = -1;
    }
    c->nested--;
    fclose(f);
    return code;
}

/* ---- help and the session -------------------------------------------------------------------------------------- */

static void help_json(struct console *c, const struct console_command *command)
{
    json_object(&c->facts, NULL);
    json_text(&c->facts, "name", command->name);
    json_text(&c->facts, "abbreviation", command->abbreviation);
    json_text(&c->facts, "usage", command->usage);
    json_text(&c->facts, "help", command->help);
    json_text(&c->facts, "example", command->example);
    json_end_object(&c->facts);
}

int console_help(struct console *c, int argc, char **argv)
{
    if (argc > 1) {
        const struct console_command *command = console_find(argv[1]);
        if (!command)
            return console_fail(c, "help: there is no command '%.40s'; 'help' lists the commands", argv[1]);
        if (c->json) {
            help_json(c, command);
            return 0;
        }
        console_print(c, "%s\n  %s\n  example: %s\n", command->usage, command->help, command->example);
        if (*command->abbreviation)
            console_print(c, "  short: %s\n", command->abbreviation);
        return 0;
    }
    if (c->json)
        json_list(&c->facts, NULL);
    for (unsigned i = 0; i < console_command_count; i++) {
        const struct console_command *command = &console_commands[i];
        if (c->json && command->name)
            help_json(c, command);
        else if (!c->json && command->group)
            console_print(c, "%s\n", command->group);
        else if (!c->json)
            console_print(c, "  %-11s %.*s\n", command->name, (int)strcspn(command->help, ";"), command->help);
    }
    if (c->json)
        json_end_list(&c->facts);
    else
        console_print(c,
                      "Numbers are hexadecimal. 'help COMMAND' shows all of it, with an example; --json with a display "
                      "gives JSON.\n");
    return 0;
}

int console_cmd_script(struct console *c, int argc, char **argv)
{
    if (argc != 2)
        return console_usage(c, "script");
    bool json = c->json;
    int code = console_script(c, argv[1]);
    c->json = json;
    return code ? console_fail(c, "script %s: not carried out to its end", argv[1]) : 0;
}

int console_cmd_log(struct console *c, int argc, char **argv)
{
    if (argc > 2)
        return console_usage(c, "log");
    FILE *log = NULL;
    if (argc == 2 && strcmp(argv[1], "off") != 0) {
        log = fopen(argv[1], "w");
        if (!log)
            return console_fail(c, "cannot write the log '%.200s': %s", argv[1], strerror(errno));
    }
    if (c->log)
        fclose(c->log);
    c->log = log;
    return 0;
}

int console_cmd_json(struct console *c, int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "on") && strcmp(argv[1], "off")))
        return console_usage(c, "json");
    c->json_always = strcmp(argv[1], "on") == 0;
    return 0;
}

int console_cmd_echo(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->json)
        json_text(&c->facts, NULL, c->rest);
    else
        console_print(c, "%s\n", c->rest);
    return 0;
}

int console_cmd_version(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->json)
        json_text(&c->facts, NULL, PACKAGE_STRING);
    else
        console_print(c, "%s\n", PACKAGE_STRING);
    return 0;
}

int console_cmd_quit(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    c->quit = true;
    return 0;
}

/* ---- the manual ------------------------------------------------------------------------------------------------ */

/* Text for troff: backslashes and hyphens. */
static void troff(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    }
}

void console_manual(FILE *out)
{
    for (unsigned i = 0; i < console_command_count; i++) {
        const struct console_command *command = &console_commands[i];
        if (command->group) {
            fprintf(out, ".SS %s\n", command->group);
            continue;
        }
        fprintf(out, ".TP\n.B \"");
        troff(out, command->usage);
        fprintf(out, "\"\n%c", (char)toupper((unsigned char)command->help[0]));
        troff(out, command->help + 1);
        fprintf(out, ".\n");
        if (*command->abbreviation) {
            fprintf(out, "Short:\n.BR \"");
            troff(out, command->abbreviation);
            fprintf(out, "\" .\n");
        }
        fprintf(out, "Example:\n.BR \"");
        troff(out, command->example);
        fprintf(out, "\" .\n");
    }
}
