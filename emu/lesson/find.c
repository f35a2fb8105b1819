/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where lessons are: ZRI_LESSONS; else where they are installed; else beside the program, or beside its folder, where a
   program stands that was not installed. */
#include "emu/lesson/find.h"
#include "emu/lesson/folder.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".lesson"

static bool is_lesson(const char *name)
{
    const size_t n = strlen(name);
    return n > strlen(ENDING) && strcmp(name + n - strlen(ENDING), ENDING) == 0;
}

static int wanted(const struct dirent *entry)
{
    return isdigit((unsigned char)*entry->d_name) && is_lesson(entry->d_name);
}

/* The files of a folder; false: it has none. */
static bool look_into(const char *folder, struct found_lessons *found)
{
    struct dirent **names;
    const int count = scandir(folder, &names, wanted, alphasort);
    found->count = 0;
    for (int i = 0; i < count; i++) {
        const unsigned n = found->count;
        if (n < FIND_MOST &&
            (size_t)snprintf(found->paths[n], FIND_PATH, "%s/%s", folder, names[i]->d_name) < FIND_PATH) {
            found->numbers[n] = (unsigned)strtoul(names[i]->d_name, NULL, 10);
            found->count++;
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return found->count != 0;
}

int find_lessons(struct found_lessons *found, char *error, size_t size)
{
    const char *given = getenv("ZRI_LESSONS");
    char program[FIND_PATH - 32], beside[FIND_PATH];
    if (given && *given) {
        if (look_into(given, found))
            return 0;
        snprintf(error, size, "there is no file NUMBER-NAME" ENDING " in %.200s, which ZRI_LESSONS names", given);
        return -ENOENT;
    }
    if (look_into(LESSON_FOLDER, found))
        return 0;
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    char *slash = strrchr(program, '/');
    static const char *const places[] = {"lessons", "../lessons", "../share/zri/lessons"};
    for (unsigned i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(beside, sizeof beside, "%.*s/%s", (int)(slash - program), program, places[i]);
        if (look_into(beside, found))
            return 0;
    }
    snprintf(error, size,
             "there are no lessons in " LESSON_FOLDER "; install them, or name their folder by ZRI_LESSONS");
    return -ENOENT;
}

/* "numbers" names ".../01-numbers.lesson". */
static bool has_name(const char *path, const char *name)
{
    const char *own = strrchr(path, '/') + 1;
    own += strspn(own, "0123456789");
    own += *own == '-';
    const size_t n = strlen(name);
    return strlen(own) == n + strlen(ENDING) && strncmp(own, name, n) == 0;
}

int find_lesson(const char *what, char path[FIND_PATH], char *error, size_t size)
{
    char *end;
    if (strchr(what, '/') || is_lesson(what)) {
        snprintf(path, FIND_PATH, "%s", what);
        return 0;
    }
    struct found_lessons *found = malloc(sizeof *found);
    if (!found) {
        snprintf(error, size, "the host has no memory");
        return -ENOMEM;
    }
    int code = find_lessons(found, error, size);
    const unsigned long number = strtoul(what, &end, 10);
    const bool is_number = *what && !*end;
    *path = 0;
    for (unsigned i = 0; !code && i < found->count && !*path; i++)
        if (is_number ? found->numbers[i] == number : has_name(found->paths[i], what))
            strcpy(path, found->paths[i]);
    free(found);
    if (!code && !*path) {
        snprintf(error, size, "there is no lesson '%.60s'; zri --lesson lists them, and a file ends with " ENDING,
                 what);
        code = -ENOENT;
    }
    return code;
}
