/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries lesson files and files of progress made by mutation: reading them may not crash, hang or refuse without a
   sentence that names a line. Usage: fuzz_lesson [COUNT [SEED]]. */
#include "emu/lesson/lesson.h"
#include "emu/lesson/progress.h"
#include "emu/lesson/terms.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

static const char *const head[] = {"lesson x", "title X", "about x", "text", "  a {%r1} text", ""};
static const char *const lines[] = {"task T",
                                    "text",
                                    "  indented",
                                    "hint",
                                    "  hint {%r1}",
                                    "check %r1 = 1",
                                    "check happened(program,4,10000) and psw(mode) = 64",
                                    "check cpu(1,cpu(0,cpu(1,cpu(0,%r1))))",
                                    "check answer is x",
                                    "check wrote(a b c)",
                                    "check ((((((((",
                                    "check used(AGR)",
                                    "check holds(0,)",
                                    "else",
                                    "  else",
                                    "done",
                                    "setup",
                                    "  gpr 1=1",
                                    "machine cpus 2",
                                    "machine storage 16M",
                                    "machine profile z14",
                                    "machine pipe teach",
                                    "# remark",
                                    "",
                                    "        deep"};
static const char *const task[] = {"task T", "text", "  t", "hint", "  h", "check %r1 = 1", "else", "  e"};
static const char *const progress[] = {"zri-lessons 1", "numbers 1 2 3", "numbers", "x 32", "x 33", "x 0", "x  1", ""};

static size_t put(char *text, size_t n, size_t room, const char *line)
{
    const int more = snprintf(text + n, room - n, "%s\n", line);
    return more > 0 && (size_t)more < room - n ? n + (size_t)more : n;
}

static size_t make(uint64_t *state, char *text, size_t room)
{
    size_t n = 0;
    for (unsigned i = 0; i < sizeof head / sizeof *head; i++)
        n = pick(state, 30) ? put(text, n, room, head[i]) : n;
    for (uint64_t tasks = pick(state, 4); tasks--;)
        for (unsigned i = 0; i < sizeof task / sizeof *task; i++) {
            n = pick(state, 40) ? put(text, n, room, task[i]) : n;
            if (pick(state, 10) == 0)
                n = put(text, n, room, lines[pick(state, sizeof lines / sizeof *lines)]);
        }
    for (uint64_t k = pick(state, 3); n && k--;)
        if (pick(state, 2))
            text[pick(state, n)] = (char)random_step(state);
    return n;
}

/* A copy of exactly this length, so that the sanitizer sees its end. False: a fault. */
static bool try_lesson(const char *text, size_t n, unsigned *good)
{
    char error[1024] = "", *exact = malloc(n + 1);
    struct lesson *lesson = malloc(sizeof *lesson);
    bool fine = exact && lesson;
    if (fine) {
        memcpy(exact, text, n);
        const int code = lesson_parse(lesson, exact, n, "f", error, sizeof error);
        fine = code ? strncmp(error, "f:", 2) == 0 : lesson->task_count > 0;
        *good += !code;
        lesson_free(lesson);
    }
    free(exact);
    free(lesson);
    if (!fine)
        printf("fuzz_lesson: refused without a line, or taken without a task: %s\n", error);
    return fine;
}

static bool try_progress(uint64_t *state, const char *path)
{
    char text[512] = "", error[1024] = "", other[1024] = "";
    uint32_t done, again;
    size_t n = 0;
    for (uint64_t k = pick(state, 5); k--;)
        n = put(text, n, sizeof text, progress[n ? pick(state, sizeof progress / sizeof *progress) : 0]);
    for (uint64_t k = pick(state, 3); n && k--;)
        text[pick(state, n)] = (char)random_step(state);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(text, 1, n, f) != n || fclose(f))
        return false;
    const int code = progress_read(path, "numbers", &done, error, sizeof error);
    const int wrote = progress_write(path, "numbers", 5, other, sizeof other);
    if (code ? !*error || !wrote : wrote || progress_read(path, "numbers", &again, other, sizeof other) || again != 5) {
        printf("fuzz_lesson: progress: %s %s\n", error, other);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15);
    char path[] = "/tmp/fuzz_lesson.XXXXXX";
    unsigned good = 0;
    bool fine = true;
    const int fd = mkstemp(path);
    if (fd < 0)
        return 99;
    close(fd);
    for (uint64_t i = 0; fine && i < count; i++) {
        char text[4096];
        const size_t n = make(&state, text, sizeof text);
        fine = try_lesson(text, n, &good) && (i % 8 || try_progress(&state, path));
    }
    unlink(path);
    printf("%llu lessons tried, %u were good\n", (unsigned long long)count, good);
    return !fine || (count >= 1000 && good < count / 50);
}
