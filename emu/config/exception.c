/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the configuration of exception trace. */
#include "emu/config/exception.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION   "exception-trace"
#define FILE_MOST (1u << 20) /* bytes; nobody writes more by hand */
#define VALUE     2048

/* Without blanks at both ends; in place. */
static char *trim(char *text)
{
    size_t length;
    while (isspace((unsigned char)*text))
        text++;
    for (length = strlen(text); length && isspace((unsigned char)text[length - 1]); length--)
        text[length - 1] = 0;
    return text;
}

/* Whom "[exception-trace cpu3]" is about; false: it is no such section. */
static bool section_of(char *text, int *cpu)
{
    const size_t length = strlen(text);
    char *end;
    if (length < 2 || text[length - 1] != ']')
        return false;
    text[length - 1] = 0;
    text = trim(text + 1);
    if (strncmp(text, SECTION, strlen(SECTION)))
        return false;
    const char *rest = text + strlen(SECTION);
    rest += strspn(rest, " \t");
    *cpu = !*rest ? EMU_EXCEPTION_ALL : !strcmp(rest, "rules") ? EMU_EXCEPTION_RULES : 0;
    if (*cpu || strncmp(rest, "cpu", 3) || !isdigit((unsigned char)rest[3]))
        return *cpu != 0;
    const unsigned long number = strtoul(rest + 3, &end, 10);
    *cpu = (int)number;
    return !*end && number < 64;
}

static int wrong_line(const struct emu_exception_lines *lines, unsigned number, const char *what, char *error,
                      size_t size)
{
    snprintf(error, size, "%.200s:%u: %s", lines->name, number, what);
    return -EINVAL;
}

static int add(struct emu_exception_lines *lines, int cpu, char *text, unsigned number, char *error, size_t size)
{
    struct emu_exception_line *more = realloc(lines->line, (lines->count + 1) * sizeof *more);
    char *equals = cpu == EMU_EXCEPTION_RULES ? NULL : strchr(text, '=');
    if (!more)
        return wrong_line(lines, number, "the host has no memory for it", error, size);
    lines->line = more;
    if (!equals && cpu != EMU_EXCEPTION_RULES)
        return wrong_line(lines, number, "this is no `key = value'", error, size);
    if (equals)
        *equals++ = 0;
    more[lines->count++] = (struct emu_exception_line){cpu, trim(text), equals ? trim(equals) : NULL, number};
    return 0;
}

/* The text is split in place. */
static int parse(struct emu_exception_lines *lines, char *error, size_t size)
{
    int cpu = EMU_EXCEPTION_ALL, code = 0;
    unsigned number = 0;
    char *next = lines->text;
    while (!code && next) {
        char *line = next, *comment;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        comment = strchr(line, '#');
        if (comment)
            *comment = 0;
        line = trim(line);
        if (*line == '[' && !section_of(line, &cpu))
            code =
                wrong_line(lines, number, "the sections are [" SECTION "], [" SECTION " cpuN] and [" SECTION " rules]",
                           error, size);
        else if (*line && *line != '[')
            code = add(lines, cpu, line, number, error, size);
    }
    return code;
}

static int read_all(struct emu_exception_lines *lines, char *error, size_t size)
{
    FILE *f = fopen(lines->name, "r");
    int code = f ? 0 : -errno;
    if (f) {
        const size_t length = fread(lines->text, 1, FILE_MOST, f);
        if (ferror(f))
            code = -EIO;
        else if (length == FILE_MOST)
            code = -EFBIG;
        lines->text[length < FILE_MOST ? length : 0] = 0;
        fclose(f);
    }
    if (code)
        snprintf(error, size, "the configuration of exception trace '%.200s' cannot be read: %s", lines->name,
                 strerror(-code));
    return code;
}

int emu_exception_read(const char *file, struct emu_exception_lines *lines, char *error, size_t size)
{
    *lines = (struct emu_exception_lines){.name = strdup(file), .text = malloc(FILE_MOST)};
    int code = lines->name && lines->text ? 0 : -ENOMEM;
    if (code)
        snprintf(error, size, "the host has no memory for a configuration file");
    if (!code)
        code = read_all(lines, error, size);
    if (!code)
        code = parse(lines, error, size);
    if (code)
        emu_exception_forget(lines);
    return code;
}

void emu_exception_forget(struct emu_exception_lines *lines)
{
    free(lines->line);
    free(lines->name);
    free(lines->text);
    *lines = (struct emu_exception_lines){.count = 0};
}

int emu_exception_apply(const struct emu_exception_lines *lines, unsigned cpu, struct et_config *config, char *error,
                        size_t size)
{
    char why[512];
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < lines->count; i++) {
            const struct emu_exception_line *line = &lines->line[i];
            if (line->cpu != (pass ? (int)cpu : EMU_EXCEPTION_ALL) ||
                !et_config_key(config, line->key, line->value, why, sizeof why))
                continue;
            return wrong_line(lines, line->number, why, error, size);
        }
    return 0;
}

/* Bytes of the first KEY=VALUE. */
static size_t first_length(const char *keys)
{
    size_t length = strcspn(keys, ",");
    while (keys[length]) {
        const size_t next = strcspn(keys + length + 1, ",");
        if (memchr(keys + length + 1, '=', next))
            break;
        length += 1 + next;
    }
    return length;
}

int emu_exception_keys(const char *keys, struct et_config *config, char *error, size_t size)
{
    char one[VALUE];
    for (;;) {
        const size_t length = first_length(keys);
        snprintf(one, sizeof one, "%.*s", (int)length, keys);
        char *equals = strchr(one, '=');
        if (length >= sizeof one || !equals) {
            snprintf(error, size, "'%.80s' is not KEY=VALUE; an example is events=entry+exit", one);
            return -EINVAL;
        }
        *equals = 0;
        if (et_config_key(config, one, equals + 1, error, size))
            return -EINVAL;
        if (!keys[length])
            return 0;
        keys += length + 1;
    }
}
