/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lesson files. A word at the beginning of a line says what comes; indented lines belong to it. */
#include "emu/config/options.h"
#include "emu/config/pipeline.h"
#include "emu/lesson/lesson.h"
#include "emu/lesson/terms.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LESSON_FILE    (256u * 1024) /* longest file, bytes */
#define LESSON_BLOCK   8000u         /* most bytes of a block, of what stands under else */
#define LESSON_ELSE    400u
#define LESSON_CPUS    16u
#define LESSON_STORAGE (UINT64_C(512) << 20)

struct reader {
    struct lesson *lesson;
    struct lesson_task *task;   /* NULL: before the first one */
    struct lesson_block *block; /* what indented lines belong to; NULL: nothing */
    const char *block_name;
    unsigned line, indent; /* indent: of the block's first line */
    const char *name;
    char *error;
    size_t size;
    int code; /* 0, or a negative errno: error[] says why */
};

__attribute__((format(printf, 3, 4))) static void refuse(struct reader *r, unsigned line, const char *format, ...)
{
    va_list arguments;
    const int n = snprintf(r->error, r->size, "%.200s:%u: ", r->name, line);
    va_start(arguments, format);
    if (n >= 0 && (size_t)n < r->size)
        vsnprintf(r->error + n, r->size - (size_t)n, format, arguments);
    va_end(arguments);
    r->code = -EINVAL;
}

static void no_memory(struct reader *r)
{
    snprintf(r->error, r->size, "%.200s: the host has no memory for it", r->name);
    r->code = -ENOMEM;
}

static char *keep(struct reader *r, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        no_memory(r);
    return copy;
}

/* ---- indented lines -------------------------------------------------------------------------------------------- */

static void add_text(struct reader *r, const char *text)
{
    struct lesson_block *b = r->block;
    const size_t have = b->text ? strlen(b->text) : 0, more = strlen(text);
    const size_t most = strcmp(r->block_name, "else") == 0 ? LESSON_ELSE : LESSON_BLOCK;
    if (have + more + 1 > most) {
        refuse(r, r->line, "more than %zu bytes under '%s'; say it shorter", most, r->block_name);
        return;
    }
    char *grown = realloc(b->text, have + more + 2);
    if (!grown) {
        no_memory(r);
        return;
    }
    memcpy(grown + have, text, more);
    memcpy(grown + have + more, "\n", 2);
    b->text = grown;
}

static void indented(struct reader *r, const char *line)
{
    const unsigned blanks = (unsigned)strspn(line, " ");
    if (!r->block) {
        refuse(r, r->line, "an indented line belongs to nothing; write a word such as text or setup above it");
        return;
    }
    if (!r->block->text) {
        r->block->line = r->line;
        r->indent = blanks;
    }
    add_text(r, line + (blanks < r->indent ? blanks : r->indent));
}

/* Empty lines within a block are lines of it, those at its end are not. */
static void end_block(struct reader *r)
{
    if (!r->block)
        return;
    if (!r->block->text) {
        refuse(r, r->line, "there is nothing under '%s' above; write indented lines there", r->block_name);
        return;
    }
    size_t n = strlen(r->block->text);
    while (n > 1 && r->block->text[n - 1] == '\n' && r->block->text[n - 2] == '\n')
        r->block->text[--n] = 0;
    r->block = NULL;
}

static void begin_block(struct reader *r, struct lesson_block *block, const char *name)
{
    if (block->text)
        refuse(r, r->line, "there are two '%s' here; put the lines of both under one", name);
    r->block = block;
    r->block_name = name;
}

/* ---- words ----------------------------------------------------------------------------------------------------- */

static void set_text(struct reader *r, char **place, const char *word, const char *value)
{
    if (*place)
        refuse(r, r->line, "there are two '%s'; leave one of them away", word);
    else
        *place = keep(r, value);
}

static void word_lesson(struct reader *r, const char *value)
{
    const size_t n = strlen(value);
    if (*r->lesson->name)
        refuse(r, r->line, "a second 'lesson'; a file has one");
    else if (n >= LESSON_NAME || strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-") != n)
        refuse(r, r->line, "'%.40s' is no name of a lesson; write at most %u small letters, digits and -", value,
               LESSON_NAME - 1);
    else
        strcpy(r->lesson->name, value);
}

static bool built_in(const char *profile)
{
    const struct emu_profile *p;
    for (unsigned i = 0; (p = emu_profile_number(i)); i++)
        if (strcmp(p->name, profile) == 0)
            return true;
    return false;
}

static void word_machine(struct reader *r, const char *value)
{
    char word[16], why[256];
    struct ec_profile pipe;
    const size_t n = strcspn(value, " ");
    const char *what = value + n + strspn(value + n, " ");
    char *end;
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : 0), value);
    if (strcmp(word, "cpus") == 0) {
        const unsigned long cpus = strtoul(what, &end, 10);
        if (!isdigit((unsigned char)*what) || *end || !cpus || cpus > LESSON_CPUS)
            refuse(r, r->line, "machine cpus: '%.40s' is not a number from 1 to %u", what, LESSON_CPUS);
        r->lesson->cpus = (unsigned)cpus;
    } else if (strcmp(word, "storage") == 0) {
        if (emu_parse_size(what, &r->lesson->storage) || r->lesson->storage < 1u << 20 ||
            r->lesson->storage > LESSON_STORAGE || r->lesson->storage % (1u << 20))
            refuse(r, r->line, "machine storage: '%.40s' is not a size from 1M to 512M", what);
    } else if (strcmp(word, "profile") == 0) {
        if (!built_in(what))
            refuse(r, r->line, "machine profile: no profile '%.40s' is built in; zri --profile help lists them", what);
        set_text(r, &r->lesson->profile, "machine profile", what);
    } else if (strcmp(word, "pipe") == 0) {
        if (strchr(what, '/') || strchr(what, '.') || emu_pipeline_find(what, &pipe, why, sizeof why))
            refuse(r, r->line, "machine pipe: '%.40s' is not built in; write teach or zlarge", what);
        set_text(r, &r->lesson->pipe, "machine pipe", what);
    } else {
        refuse(r, r->line, "'machine %.20s': a lesson sets cpus, storage, profile or pipe, with a value behind", word);
    }
}

static void word_task(struct reader *r, const char *value)
{
    struct lesson *l = r->lesson;
    if (l->task_count == LESSON_TASKS) {
        refuse(r, r->line, "more than %u tasks; make two lessons of this one", LESSON_TASKS);
        return;
    }
    r->task = &l->tasks[l->task_count++];
    r->task->line = r->line;
    r->task->title = keep(r, value);
}

static void word_check(struct reader *r, const char *value)
{
    struct lesson_task *t = r->task;
    char why[256];
    if (t->check_count == LESSON_CHECKS) {
        refuse(r, r->line, "more than %u checks; make two tasks of this one", LESSON_CHECKS);
        return;
    }
    struct lesson_check *c = &t->checks[t->check_count++];
    c->line = r->line;
    c->condition = keep(r, value);
    if (!terms_shape(value, why, sizeof why))
        refuse(r, r->line, "check: %s", why);
}

static void word_hint(struct reader *r)
{
    struct lesson_task *t = r->task;
    if (t->hint_count == LESSON_HINTS)
        refuse(r, r->line, "more than %u hints", LESSON_HINTS);
    else
        begin_block(r, &t->hints[t->hint_count++], "hint");
}

static void word_else(struct reader *r)
{
    struct lesson_task *t = r->task;
    if (!t->check_count)
        refuse(r, r->line, "'else' stands under a check; write the check above it");
    else
        begin_block(r, &t->checks[t->check_count - 1].otherwise, "else");
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

enum { NO_VALUE, VALUE };
enum { HEAD = 1, TASK = 2 };
enum word { LESSON, TITLE, ABOUT, MACHINE, TASK_WORD, CHECK, TEXT, SETUP, HINT, ELSE, DONE, WORDS };
static const struct {
    const char *word;
    uint8_t value, where;
} words[WORDS] = {
    [LESSON] = {"lesson", VALUE, HEAD},         [TITLE] = {"title", VALUE, HEAD},
    [ABOUT] = {"about", VALUE, HEAD},           [MACHINE] = {"machine", VALUE, HEAD},
    [TASK_WORD] = {"task", VALUE, HEAD | TASK}, [CHECK] = {"check", VALUE, TASK},
    [TEXT] = {"text", NO_VALUE, HEAD | TASK},   [SETUP] = {"setup", NO_VALUE, HEAD | TASK},
    [HINT] = {"hint", NO_VALUE, TASK},          [ELSE] = {"else", NO_VALUE, TASK},
    [DONE] = {"done", NO_VALUE, TASK},
};

static void carry_out(struct reader *r, enum word word, const char *value)
{
    struct lesson *l = r->lesson;
    switch (word) {
    case LESSON:
        word_lesson(r, value);
        break;
    case TITLE:
        set_text(r, &l->title, "title", value);
        break;
    case ABOUT:
        set_text(r, &l->about, "about", value);
        break;
    case MACHINE:
        word_machine(r, value);
        break;
    case TASK_WORD:
        word_task(r, value);
        break;
    case CHECK:
        word_check(r, value);
        break;
    case TEXT:
        begin_block(r, r->task ? &r->task->text : &l->text, "text");
        break;
    case SETUP:
        begin_block(r, r->task ? &r->task->setup : &l->setup, "setup");
        break;
    case HINT:
        word_hint(r);
        break;
    case ELSE:
        word_else(r);
        break;
    default:
        begin_block(r, &r->task->done, "done");
    }
}

static void word_line(struct reader *r, const char *line)
{
    const size_t n = strcspn(line, " ");
    const char *value = line + n + strspn(line + n, " ");
    unsigned w = 0;
    while (w < WORDS && (strlen(words[w].word) != n || strncmp(words[w].word, line, n) != 0))
        w++;
    end_block(r);
    if (r->code)
        return;
    if (w == WORDS)
        refuse(r, r->line,
               "'%.*s' is no word of a lesson; there are lesson, title, about, machine, text, setup, task, hint, "
               "check, else and done, and lines that belong to one of them are indented",
               (int)(n < 40 ? n : 40), line);
    else if (!(words[w].where & (r->task ? TASK : HEAD)))
        refuse(r, r->line,
               r->task ? "'%s' stands above the first task" : "'%s' belongs to a task; write 'task TITLE' above it",
               words[w].word);
    else if (words[w].value == VALUE && !*value)
        refuse(r, r->line, "there is nothing behind '%s'", words[w].word);
    else if (words[w].value == NO_VALUE && *value)
        refuse(r, r->line, "what belongs to '%s' stands in indented lines under it", words[w].word);
    else
        carry_out(r, (enum word)w, value);
}

static void one_line(struct reader *r, const char *at, size_t length)
{
    char line[LESSON_LINE + 1];
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\r'))
        length--;
    if (length > LESSON_LINE) {
        refuse(r, r->line, "the line is longer than %u bytes; break it", LESSON_LINE);
        return;
    }
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)at[i] < ' ' || at[i] == 0x7f) {
            refuse(r, r->line, "character X'%02X' has no place in a text; write blanks for tabs", (unsigned char)at[i]);
            return;
        }
    memcpy(line, at, length);
    line[length] = 0;
    if (!length && r->block && r->block->text)
        add_text(r, "");
    else if (*line == ' ')
        indented(r, line);
    else if (length && *line != '#')
        word_line(r, line);
}

/* What every lesson has. */
static void look_whole(struct reader *r)
{
    const struct lesson *l = r->lesson;
    const char *missing = !*l->name ? "lesson NAME" : !l->title ? "title TEXT" : !l->about ? "about TEXT" : NULL;
    if (missing)
        refuse(r, r->line, "the line '%s' is missing; write it at the beginning of the file", missing);
    else if (!l->text.text)
        refuse(r, r->line, "there is no text before the first task; write one under 'text'");
    else if (!l->task_count)
        refuse(r, r->line, "there is no task; write 'task TITLE' and what belongs to it");
    for (unsigned i = 0; !r->code && i < l->task_count; i++) {
        const struct lesson_task *t = &l->tasks[i];
        if (!t->text.text || !t->check_count || !t->hint_count)
            refuse(r, t->line, "task '%.60s' has no %s; write it under it", t->title,
                   !t->text.text     ? "text"
                   : !t->check_count ? "check"
                                     : "hint");
        for (unsigned k = 0; !r->code && k < t->check_count; k++)
            if (!t->checks[k].otherwise.text)
                refuse(r, t->checks[k].line, "this check has no 'else'; write what helps somebody who fails it");
    }
}

int lesson_parse(struct lesson *lesson, const char *text, size_t length, const char *name, char *error, size_t size)
{
    struct reader r = {.lesson = lesson, .name = name, .error = error, .size = size};
    memset(lesson, 0, sizeof *lesson);
    for (size_t at = 0; at < length && !r.code;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t n = end ? (size_t)(end - text) - at : length - at;
        r.line++;
        one_line(&r, text + at, n);
        at += n + 1;
    }
    if (!r.code)
        end_block(&r);
    if (!r.code)
        look_whole(&r);
    return r.code;
}

int lesson_file(const char *path, const char *what, size_t most, char **text, size_t *length, char *error, size_t size)
{
    FILE *f = fopen(path, "rb");
    int code = f ? 0 : -errno;
    *text = f ? malloc(most + 2) : NULL;
    *length = 0;
    if (f && !*text)
        code = -ENOMEM;
    if (!code) {
        errno = EIO;
        *length = fread(*text, 1, most + 1, f);
        code = ferror(f) ? -errno : *length > most ? -EFBIG : 0;
        (*text)[*length] = 0;
    }
    if (f)
        fclose(f);
    if (!code)
        return 0;
    free(*text);
    *text = NULL;
    if (code == -EFBIG)
        snprintf(error, size, "%.200s: longer than %zu bytes, which is more than %s has", path, most, what);
    else
        snprintf(error, size, "%.200s: cannot be read: %s; name %s", path, strerror(-code), what);
    return code;
}

int lesson_read(struct lesson *lesson, const char *path, char *error, size_t size)
{
    char *text;
    size_t length;
    memset(lesson, 0, sizeof *lesson);
    int code = lesson_file(path, "a file of a lesson", LESSON_FILE, &text, &length, error, size);
    if (!code)
        code = lesson_parse(lesson, text, length, path, error, size);
    free(text);
    return code;
}

void lesson_free(struct lesson *l)
{
    char *const head[] = {l->title, l->about, l->profile, l->pipe, l->text.text, l->setup.text};
    for (unsigned i = 0; i < sizeof head / sizeof *head; i++)
        free(head[i]);
    for (unsigned i = 0; i < l->task_count; i++) {
        struct lesson_task *t = &l->tasks[i];
        char *const own[] = {t->title, t->text.text, t->setup.text, t->done.text};
        for (unsigned k = 0; k < sizeof own / sizeof *own; k++)
            free(own[k]);
        for (unsigned k = 0; k < t->hint_count; k++)
            free(t->hints[k].text);
        for (unsigned k = 0; k < t->check_count; k++) {
            free(t->checks[k].condition);
            free(t->checks[k].otherwise.text);
        }
    }
    memset(l, 0, sizeof *l);
}
