/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging in bulk. A process for each script reads it, enters the sandbox, judges, and writes a report into a pipe;
   what the script shows goes into another one, and is only counted. Whatever becomes of the process, the next one
   begins. */
#include "emu/grade.h"
#include "emu/console/base/json.h"
#include "emu/exit.h"
#include "emu/lesson/find.h"
#include "emu/machine/session.h"
#include "emu/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIPTORS 1024

static const char *const verdicts[GRADE_VERDICTS] = {
    [GRADE_PASSED] = "passed",         [GRADE_FAILED] = "failed",         [GRADE_REFUSED] = "refused",
    [GRADE_UNREADABLE] = "unreadable", [GRADE_NO_INSTRUCTIONS] = "limit", [GRADE_NO_TIME] = "time",
    [GRADE_NO_STORAGE] = "storage",    [GRADE_NO_OUTPUT] = "output",      [GRADE_DIED] = "died",
};

static int fail(const char *error)
{
    fprintf(stderr, "zri: %s\n", error);
    return EMU_EXIT_HOST;
}

/* ---- the process of a script ----------------------------------------------------------------------------------- */

static void set_limit(int resource, uint64_t value)
{
    const struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    (void)!setrlimit((__rlimit_resource_t)resource, &limit);
}

/* Only these descriptors stay: nothing, what is shown, the same, the report. */
static void keep_descriptors(int out, int report)
{
    const int nothing = open("/dev/null", O_RDONLY);
    const int from[] = {nothing, out, out, report};
    int high[4];
    for (int i = 0; i < 4; i++)
        high[i] = fcntl(from[i], F_DUPFD, 16);
    for (int i = 0; i < 4; i++)
        dup2(high[i], i);
    for (int i = 4; i < DESCRIPTORS; i++)
        close(i);
}

__attribute__((noreturn)) static void child(const struct grade_plan *plan, const char *path, int out, int report)
{
    struct grade_report r = {.verdict = GRADE_UNREADABLE};
    char *text;
    size_t length;
    int code = lesson_file(path, "a file of a student", GRADE_FILE, &text, &length, r.words, sizeof r.words);
    keep_descriptors(out, report);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, (uint64_t)plan->seconds + 1);
    set_limit(RLIMIT_AS, plan->memory);
    emu_sandbox_usual(true);
    if (!code && emu_sandbox_strict(false, r.words, sizeof r.words))
        code = -1;
    FILE *shown = code ? NULL : fdopen(1, "w");
    if (shown)
        grade_script(plan, path, text, length, shown, &r);
    (void)!write(3, &r, sizeof r);
    _exit(0);
}

/* ---- the one that waits for it --------------------------------------------------------------------------------- */

struct watched {
    pid_t pid;
    int out, report; /* -1: ended */
    uint64_t shown;
    size_t got; /* bytes of the report */
};

static void take_shown(struct watched *w)
{
    char bytes[8192];
    const ssize_t n = read(w->out, bytes, sizeof bytes);
    if (n > 0)
        w->shown += (uint64_t)n;
    else if (n == 0 || errno != EINTR) {
        close(w->out);
        w->out = -1;
    }
}

static void take_report(struct watched *w, struct grade_report *r)
{
    const ssize_t n = read(w->report, (char *)r + w->got, sizeof *r - w->got);
    if (n > 0)
        w->got += (size_t)n;
    if (w->got == sizeof *r || n == 0 || (n < 0 && errno != EINTR)) {
        close(w->report);
        w->report = -1;
    }
}

/* Look at what it says until it has ended, or must be: what has struck then, else GRADE_PASSED. */
static enum grade_verdict watch(const struct grade_plan *plan, struct watched *w, struct grade_report *r)
{
    const uint64_t deadline = session_now_ns() + (uint64_t)(plan->seconds * 1e9);
    while (w->out >= 0 || w->report >= 0) {
        struct pollfd fds[2] = {{.fd = w->out, .events = POLLIN}, {.fd = w->report, .events = POLLIN}};
        const uint64_t now = session_now_ns();
        if (now >= deadline)
            return GRADE_NO_TIME;
        if (w->shown > GRADE_OUTPUT)
            return GRADE_NO_OUTPUT;
        if (poll(fds, 2, (int)((deadline - now) / 1000000) + 1) <= 0)
            continue;
        if (fds[0].revents)
            take_shown(w);
        if (fds[1].revents)
            take_report(w, r);
    }
    return GRADE_PASSED;
}

/* It has ended: what came of it. */
static void conclude(const struct grade_plan *plan, struct grade_report *r, enum grade_verdict struck, bool whole,
                     int status)
{
    if (struck == GRADE_PASSED && whole && r->verdict < GRADE_VERDICTS) {
        r->words[sizeof r->words - 1] = 0;
        return;
    }
    memset(r, 0, sizeof *r);
    r->verdict = struck;
    if (struck == GRADE_PASSED)
        r->verdict = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? GRADE_NO_TIME : GRADE_DIED;
    if (r->verdict == GRADE_NO_TIME)
        snprintf(r->words, sizeof r->words, "not ready after %g seconds", plan->seconds);
    else if (r->verdict == GRADE_NO_OUTPUT)
        snprintf(r->words, sizeof r->words, "it shows more than %llu bytes", (unsigned long long)GRADE_OUTPUT);
    else if (WIFSIGNALED(status))
        snprintf(r->words, sizeof r->words, "its process died: %s", strsignal(WTERMSIG(status)));
    else
        snprintf(r->words, sizeof r->words, "its process ended without a report");
}

/* Judge a file. 0, or a negative errno: the host gives no process. */
static int grade_file(const struct grade_plan *plan, const char *path, struct grade_report *r)
{
    int out[2], report[2], status = 0;
    if (pipe(out))
        return -errno;
    if (pipe(report)) {
        close(out[0]);
        close(out[1]);
        return -ENFILE;
    }
    struct watched w = {.pid = fork(), .out = out[0], .report = report[0]};
    const int code = w.pid < 0 ? -errno : 0;
    if (w.pid == 0)
        child(plan, path, out[1], report[1]);
    close(out[1]);
    close(report[1]);
    const enum grade_verdict struck = code ? GRADE_PASSED : watch(plan, &w, r);
    if (w.out >= 0)
        close(w.out);
    if (w.report >= 0)
        close(w.report);
    if (code)
        return code;
    if (struck != GRADE_PASSED)
        kill(w.pid, SIGKILL);
    while (waitpid(w.pid, &status, 0) < 0 && errno == EINTR)
        ;
    conclude(plan, r, struck, w.got == sizeof *r, status);
    return 0;
}

/* ---- telling --------------------------------------------------------------------------------------------------- */

/* On one line, with nothing that a terminal would obey. */
static void plain(const char *text, char *to, size_t size)
{
    size_t n = 0;
    for (; *text && n + 1 < size; text++)
        to[n++] = *text == '\n' ? ' ' : (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
    to[n] = 0;
}

static void tell_json(const char *name, const struct grade_report *r, const char *words)
{
    struct json j = {.length = 0};
    json_begin_object(&j, NULL);
    json_text(&j, "file", name);
    json_text(&j, "verdict", verdicts[r->verdict]);
    json_number(&j, "passed", r->passed);
    json_number(&j, "of", r->of);
    json_number(&j, "instructions", r->instructions);
    json_text(&j, "words", words);
    json_end_object(&j);
    printf("%s\n", j.text ? j.text : "");
    json_clear(&j);
}

static void tell(const struct emu_options *o, unsigned number, const char *path, const struct grade_report *r)
{
    char name[512], words[GRADE_WORDS];
    plain(path, name, sizeof name);
    plain(r->words, words, sizeof words);
    if (o->json) {
        tell_json(name, r, words);
    } else if (o->tap) {
        for (char *at = name; (at = strchr(at, '#')) != NULL;)
            *at = '?'; /* it would begin a directive */
        printf("%s %u - %s\n", r->verdict == GRADE_PASSED ? "ok" : "not ok", number, name);
        printf("# %s, %u of %u%s%s\n", verdicts[r->verdict], r->passed, r->of, *words ? ": " : "", words);
    } else {
        printf("%s: %s, %u of %u%s%s\n", name, verdicts[r->verdict], r->passed, r->of, *words ? ": " : "", words);
    }
    fflush(stdout);
}

/* Can this host hold a script in? In a process of its own, as there is no way back. */
static bool can_judge(void)
{
    int status = 0;
    char error[256];
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        emu_sandbox_usual(true);
        _exit(emu_sandbox_strict(false, error, sizeof error) ? 1 : 0);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int judge_all(const struct emu_options *o, const struct grade_plan *plan)
{
    struct grade_report r;
    unsigned passed = 0;
    if (o->tap && !o->json)
        printf("TAP version 13\n1..%u\n", o->test_count);
    for (unsigned i = 0; i < o->test_count; i++) {
        fflush(stdout);
        memset(&r, 0, sizeof r);
        const int code = grade_file(plan, o->tests[i], &r);
        if (code) {
            fprintf(stderr, "zri: --grade %s: the host gives no process for it: %s\n", o->tests[i], strerror(-code));
            return EMU_EXIT_HOST;
        }
        tell(o, i + 1, o->tests[i], &r);
        passed += r.verdict == GRADE_PASSED;
    }
    if (!o->json && !o->tap)
        printf("%u of %u passed\n", passed, o->test_count);
    return passed == o->test_count ? EMU_EXIT_GOOD : EMU_EXIT_BAD;
}

int grade_files(const struct emu_options *o)
{
    struct lesson *lesson = calloc(1, sizeof *lesson);
    char path[FIND_PATH], error[1024];
    struct grade_plan plan = {.lesson_path = path,
                              .instructions = o->limit ? o->limit : GRADE_INSTRUCTIONS,
                              .memory = o->storage_given ? o->machine.storage : GRADE_MEMORY,
                              .seconds = o->seconds > 0 ? o->seconds : GRADE_SECONDS};
    int status = EMU_EXIT_GOOD;
    if (!lesson)
        return fail("the host has no memory");
    if (!can_judge())
        status = fail("--grade: scripts of others are judged in the sandbox, and this host or this build has none; "
                      "install libseccomp-dev and configure again");
    if (!status && o->lesson &&
        (find_lesson(o->lesson, path, error, sizeof error) || lesson_read(lesson, path, error, sizeof error)))
        status = fail(error);
    plan.lesson = o->lesson ? lesson : NULL;
    if (!status)
        status = judge_all(o, &plan);
    lesson_free(lesson);
    free(lesson);
    return status;
}
