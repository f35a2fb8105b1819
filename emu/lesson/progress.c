/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of progress: "zri-lessons 1", then for each lesson its name and the numbers of the tasks that are done. */
#include "emu/lesson/progress.h"
#include "emu/lesson/lesson.h"
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE    "zri-lessons 1"
#define PROGRESS_FILE 65536u /* longest file, bytes */
#define PROGRESS_LINE 160u

int progress_path(char path[PROGRESS_PATH], char *error, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n;
    if (state && *state == '/') /* a relative one is to be taken for none */
        n = snprintf(path, PROGRESS_PATH, "%s/zri/lessons", state);
    else if (home && *home == '/')
        n = snprintf(path, PROGRESS_PATH, "%s/.local/state/zri/lessons", home);
    else
        n = -1;
    if (n > 0 && (unsigned)n < PROGRESS_PATH - 32)
        return 0;
    snprintf(error, size, "progress is not kept: neither XDG_STATE_HOME nor HOME names a folder; set one of them");
    return -ENOENT;
}

/* A line "NAME N N ..." into its name and bits. */
static bool parse_line(const char *line, char name[LESSON_NAME], uint32_t *done)
{
    const size_t n = strcspn(line, " ");
    *done = 0;
    if (!n || n >= LESSON_NAME)
        return false;
    memcpy(name, line, n);
    name[n] = 0;
    for (const char *at = line + n; *at;) {
        char *end;
        const unsigned long task = isdigit((unsigned char)at[1]) ? strtoul(at + 1, &end, 10) : 0;
        if (*at != ' ' || !task || task > LESSON_TASKS || (*end && *end != ' '))
            return false;
        *done |= 1u << (task - 1);
        at = end;
    }
    return true;
}

/* Look for a lesson in the text; when `others` is there, all lines but its own are written to it. The number of a line
   that is not understood, or 0. */
static unsigned scan(const char *text, const char *lesson, uint32_t *done, FILE *others)
{
    unsigned number = 0;
    *done = 0;
    for (const char *at = text; *at; number++) {
        char line[PROGRESS_LINE], name[LESSON_NAME];
        const size_t n = strcspn(at, "\n");
        uint32_t bits;
        if (n >= sizeof line || !at[n])
            return number + 1;
        memcpy(line, at, n);
        line[n] = 0;
        at += n + 1;
        if (number == 0 ? strcmp(line, FIRST_LINE) != 0 : !parse_line(line, name, &bits))
            return number + 1;
        if (number && strcmp(name, lesson) == 0)
            *done = bits;
        else if (number && others)
            fprintf(others, "%s\n", line);
    }
    return number ? 0 : 1;
}

static int read_text(const char *path, char **text, char *error, size_t size)
{
    size_t length;
    char why[PROGRESS_PATH];
    const int code =
        lesson_file(path, "another folder by XDG_STATE_HOME", PROGRESS_FILE, text, &length, why, sizeof why);
    if (code && code != -ENOENT)
        snprintf(error, size, "progress is not kept: %s", why);
    if (code != -ENOENT)
        return code;
    *text = strdup(FIRST_LINE "\n");
    if (*text)
        return 0;
    snprintf(error, size, "progress is not kept: the host has no memory");
    return -ENOMEM;
}

static int refuse(const char *path, unsigned line, char *error, size_t size)
{
    snprintf(error, size, "progress is not kept: %.200s:%u: this is no line of '%s'; mend the file, or remove it", path,
             line, FIRST_LINE);
    return -EINVAL;
}

int progress_read(const char *path, const char *lesson, uint32_t *done, char *error, size_t size)
{
    char *text;
    *done = 0;
    int code = read_text(path, &text, error, size);
    if (code)
        return code;
    const unsigned bad = scan(text, lesson, done, NULL);
    free(text);
    if (!bad)
        return 0;
    *done = 0;
    return refuse(path, bad, error, size);
}

/* The folders on the way to the file. */
static void make_folders(const char *path)
{
    char folder[PROGRESS_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *at = strchr(folder + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        (void)!mkdir(folder, 0700); /* that it cannot be used is said when the file is written */
        *at = '/';
    }
}

static void write_line(FILE *f, const char *lesson, uint32_t done)
{
    fputs(lesson, f);
    for (unsigned i = 0; i < LESSON_TASKS; i++)
        if (done >> i & 1)
            fprintf(f, " %u", i + 1);
    fputc('\n', f);
}

/* A new file takes the place of the old one, so that it is always whole. */
int progress_write(const char *path, const char *lesson, uint32_t done, char *error, size_t size)
{
    char *text, temporary[PROGRESS_PATH];
    uint32_t before;
    int code = read_text(path, &text, error, size);
    if (code)
        return code;
    unsigned bad = scan(text, lesson, &before, NULL);
    if (bad) {
        free(text);
        return refuse(path, bad, error, size);
    }
    make_folders(path);
    snprintf(temporary, sizeof temporary, "%s.%d", path, (int)getpid());
    FILE *f = fopen(temporary, "w");
    code = f ? 0 : -errno;
    if (f) {
        fputs(FIRST_LINE "\n", f);
        (void)scan(text, lesson, &before, f);
        write_line(f, lesson, done);
        const bool lost = ferror(f);
        errno = EIO;
        if (fclose(f) || lost || rename(temporary, path)) {
            code = -errno;
            unlink(temporary);
        }
    }
    free(text);
    if (code)
        snprintf(error, size, "progress is not kept: cannot write %.200s: %s; XDG_STATE_HOME names another folder",
                 path, strerror(-code));
    return code;
}
