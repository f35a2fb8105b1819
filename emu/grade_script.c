/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One script of a student: a test in the language of zri-test(5), or a script of console commands that answers a
 * lesson. */
#include "emu/console/console.h"
#include "emu/grade.h"
#include "emu/lesson/teach.h"
#include "emu/machine/machine.h"
#include "emu/script/script.h"
#include <stdarg.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void conclude(struct grade_report *r, enum grade_verdict verdict,
                                                           const char *format, ...)
{
    va_list arguments;
    r->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(r->words, sizeof r->words, format, arguments);
    va_end(arguments);
}

static void too_long(struct grade_report *r)
{
    conclude(r, GRADE_NO_INSTRUCTIONS, "not ready within the instructions that --limit gives; does it loop?");
}

/* ---- tests of instructions ------------------------------------------------------------------------------------- */

/* The first line that tells of a difference stays. */
static void take_line(void *context, const char *line)
{
    struct grade_report *r = context;
    if (!*r->words)
        snprintf(r->words, sizeof r->words, "%s", line);
}

static void take_case(void *context, const struct zt_outcome *x)
{
    struct grade_report *r = context;
    r->of++;
    r->passed += x->end == ZT_PASSED;
}

static void grade_test(const struct grade_plan *plan, const char *name, const char *text, size_t length,
                       struct grade_report *r)
{
    uint64_t budget = plan->instructions;
    const struct zt_listener listener = {take_line, take_case, r, .budget = &budget};
    const int code = zt_run_text(text, length, name, NULL, NULL, &listener);
    r->instructions = plan->instructions - budget;
    r->verdict = code < 0 ? GRADE_REFUSED : r->passed == r->of ? GRADE_PASSED : GRADE_FAILED;
    if (!budget)
        too_long(r);
    else if (!r->of && code >= 0)
        conclude(r, GRADE_REFUSED, "there is no case in it");
}

/* ---- answers to a lesson --------------------------------------------------------------------------------------- */

/* Which task is missing, and why. */
static void sum_up(const struct grade_plan *plan, const struct teach *teach, struct grade_report *r)
{
    const uint32_t done = teach_done(teach);
    r->of = plan->lesson->task_count;
    r->passed = 0;
    for (unsigned i = 0; i < r->of; i++)
        r->passed += done >> i & 1;
    if (teach_complete(teach)) {
        conclude(r, GRADE_PASSED, "%s", "");
        return;
    }
    unsigned task = 0;
    while (done >> task & 1)
        task++;
    const char *why = teach_refusal(teach, task);
    conclude(r, GRADE_FAILED, "task %u: %s", task + 1, *why ? why : "it was not judged; 'check' does");
}

static void play(const struct grade_plan *plan, struct console *console, struct session *session, const char *text,
                 struct grade_report *r)
{
    const struct machine *m = session->machine;
    for (const char *at = text; *at && !console_quit(console) && r->instructions < plan->instructions;) {
        char line[1024];
        const size_t n = strcspn(at, "\n");
        const uint64_t before = machine_instructions(m);
        snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), at);
        at += n + (at[n] == '\n');
        console_set_limit(console, before + (plan->instructions - r->instructions));
        (void)!console_line(console, line); /* what fails is seen by the checks */
        const uint64_t after = machine_instructions(m);
        r->instructions += after > before ? after - before : 0;
        if (session->machine != m)
            break;
    }
}

static void grade_answers(const struct grade_plan *plan, const char *text, FILE *out, struct grade_report *r)
{
    struct machine_config config = machine_default_config();
    struct session session;
    struct console *console = NULL;
    struct teach *teach = NULL;
    char error[1024] = "";
    int code = teach_machine(plan->lesson, &config, error, sizeof error);
    const bool known = code == 0;
    code = code ? code : session_open(&session, &config, false, out, error, sizeof error);
    if (!code && (console = console_create(&session, out)) != NULL)
        teach = teach_begin(console, plan->lesson, plan->lesson_path, NULL, error, sizeof error);
    if (!teach) {
        conclude(r, known && !console ? GRADE_NO_STORAGE : GRADE_REFUSED, "%s",
                 *error ? error : "the host has no memory for its machine within what --storage gives");
        return;
    }
    play(plan, console, &session, text, r);
    sum_up(plan, teach, r);
    if (r->verdict != GRADE_PASSED && r->instructions >= plan->instructions)
        too_long(r);
}

void grade_script(const struct grade_plan *plan, const char *name, const char *text, size_t length, FILE *out,
                  struct grade_report *r)
{
    memset(r, 0, sizeof *r);
    if (memchr(text, 0, length))
        conclude(r, GRADE_REFUSED, "this is no text");
    else if (plan->lesson)
        grade_answers(plan, text, out, r);
    else
        grade_test(plan, name, text, length, r);
}
