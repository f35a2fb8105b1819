/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson that is on. Each task begins with a machine that was reset and set up anew, so that any of them can be gone
   to, whatever was done before. */
#include "emu/lesson/teach.h"
#include "emu/config/pipeline.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/teacher.h"
#include "emu/console/debug/debug.h"
#include "emu/dev/css/css.h"
#include "emu/lesson/progress.h"
#include "emu/lesson/record.h"
#include "emu/lesson/terms.h"
#include "emu/machine/machine.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 12288u /* characters of a text with its values filled in */

struct teach {
    struct console *console;
    const struct lesson *lesson;
    const char *path, *progress; /* progress NULL: not kept */
    struct console_teacher hooks;
    struct record record;
    unsigned task, hint; /* the one that is on; the hint that comes next */
    uint32_t done;       /* bits 1 << number */
    bool solved;         /* the task that is on was, since it began */
    char refusals[LESSON_TASKS][CONSOLE_ERROR];
    char shown[SHOWN];
};

/* ---- the machine ----------------------------------------------------------------------------------------------- */

int teach_machine(const struct lesson *l, struct machine_config *config, char *error, size_t size)
{
    int code = 0;
    if (l->cpus)
        config->cpus = l->cpus;
    if (l->storage)
        config->storage = l->storage;
    if (l->profile)
        code = emu_profile_find(l->profile, &config->profile, error, size);
    if (!code && l->pipe) {
        config->pipelined = true;
        code = emu_pipeline_find(l->pipe, &config->pipeline, error, size);
    }
    return code;
}

/* Carry out the lines of a block, unseen. 0, or -1 with a sentence: a line fails. */
static int carry_out(struct teach *t, const struct lesson_block *b, char *error, size_t size)
{
    struct console *c = t->console;
    unsigned number = b->line;
    for (const char *at = b->text; at && *at; number++) {
        char line[LESSON_LINE + 1];
        const size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
        if (console_line(c, line) == 0)
            continue;
        snprintf(error, size, "%.200s:%u: the machine cannot be set up: %.300s", t->path, number, c->error);
        return -1;
    }
    return 0;
}

/* As it was when it was made, as far as the operator can have changed it. */
static void make_anew(struct console *c)
{
    static const char *const lines[] = {"b- all",     "watch- all",  "t-",         "branches off",
                                        "events off", "ri stop off", "reset clear"};
    const struct channel_device *d;
    char line[32];
    c->cpu = c->machine->sys.cpus[0];
    while ((d = css_device(c->machine->css, 0)) != NULL) {
        snprintf(line, sizeof line, "detach %u:%04X", d->set, d->number);
        if (console_line(c, line))
            break;
    }
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        (void)!console_line(c, lines[i]); /* what is not there need not go */
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        c->machine->sys.cpus[i]->taken = (struct cpu_taken){.stop_at = 0};
}

/* The record begins anew, and counts what the checks of the task ask for. */
static int begin_record(struct teach *t, char *error, size_t size)
{
    const struct lesson_task *task = &t->lesson->tasks[t->task];
    bool instructions = false;
    record_begin(&t->record, t->console->machine);
    for (unsigned i = 0; i < task->check_count; i++)
        if (!terms_prepare(t->console, &t->record, task->checks[i].condition, &instructions)) {
            snprintf(error, size, "%.200s:%u: the checks of this task count more than %u kinds of instructions",
                     t->path, task->line, RECORD_COUNTED);
            return -1;
        }
    t->hooks.instructions = instructions;
    console_observe(t->console);
    return 0;
}

static int begin_task(struct teach *t, unsigned task, char *error, size_t size)
{
    struct console *c = t->console;
    FILE *out = c->out, *guest = c->session->out;
    char *unseen = NULL;
    size_t length;
    FILE *hole = open_memstream(&unseen, &length);
    if (!hole) {
        snprintf(error, size, "the host has no memory");
        return -1;
    }
    c->out = hole;
    c->session->out = NULL;
    t->task = task;
    t->hint = 0;
    t->solved = false;
    make_anew(c);
    int code = carry_out(t, &t->lesson->setup, error, size);
    code = code ? code : carry_out(t, &t->lesson->tasks[task].setup, error, size);
    code = code ? code : begin_record(t, error, size);
    c->out = out;
    c->session->out = guest;
    fclose(hole);
    free(unseen);
    return code;
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

/* "{VALUE}" becomes the value's digits; braces around something else stay. */
static const char *filled(struct teach *t, const char *text)
{
    size_t n = 0;
    for (const char *at = text ? text : ""; *at && n + 1 < SHOWN;) {
        const size_t length = *at == '{' ? strcspn(at, "}\n") : 0;
        char term[64];
        uint64_t value;
        if (length > 1 && at[length] == '}' && length < sizeof term) {
            snprintf(term, sizeof term, "%.*s", (int)length - 1, at + 1);
            if (terms_value(t->console, &t->record, term, &value) == 0) {
                n += (size_t)snprintf(t->shown + n, SHOWN - n, "%" PRIX64, value);
                at += length + 1;
                continue;
            }
        }
        t->shown[n++] = *at++;
    }
    t->shown[n < SHOWN ? n : SHOWN - 1] = 0;
    return t->shown;
}

static void show_task(struct teach *t)
{
    const struct lesson_task *task = &t->lesson->tasks[t->task];
    show_object(t->console, NULL);
    SHOW(t->console, "\nTask {} of {}: {}\n\n{}\n", fact_number("task", t->task + 1),
         fact_number("of", t->lesson->task_count), fact_text("title", task->title),
         fact_text("text", filled(t, task->text.text)));
    show_end_object(t->console);
}

static void show_lesson(struct teach *t)
{
    struct console *c = t->console;
    const struct lesson *l = t->lesson;
    show_object(c, NULL);
    SHOW(c, "{}\n\n{}\n", fact_text("title", l->title), fact_text("text", filled(t, l->text.text)),
         fact_text("lesson", l->name));
    show_list(c, "tasks");
    for (unsigned i = 0; i < l->task_count; i++)
        SHOW_ROW(c, "  {} {2}. {}\n", fact_flag("done", t->done >> i & 1, "done", "    "), fact_number("task", i + 1),
                 fact_text("title", l->tasks[i].title));
    show_end_list(c);
    show_words(c, "\n'check' judges the task that is on, 'hint' helps, 'task' goes on, 'quit' ends and remembers.\n");
    show_end_object(c);
}

/* ---- commands -------------------------------------------------------------------------------------------------- */

static int done_now(struct teach *t)
{
    struct console *c = t->console;
    const struct lesson *l = t->lesson;
    const struct lesson_task *task = &l->tasks[t->task];
    char error[CONSOLE_ERROR] = "";
    const bool news = !(t->done >> t->task & 1);
    t->solved = true;
    t->done |= 1u << t->task;
    *t->refusals[t->task] = 0;
    if (news && t->progress && progress_write(t->progress, l->name, t->done, error, sizeof error))
        t->progress = NULL; /* once is enough */
    show_object(c, NULL);
    SHOW(c, "Task {} is done.\n", fact_number("task", t->task + 1), fact_flag("done", true, "", ""),
         fact_flag("complete", teach_complete(t), "", ""));
    if (task->done.text)
        SHOW(c, "{}", fact_text("text", filled(t, task->done.text)));
    if (*error)
        SHOW(c, "{}\n", fact_text("progress", error));
    if (teach_complete(t))
        show_words(c, "That was the last task: the lesson is complete.\n");
    else if (t->task + 1 < l->task_count)
        show_words(c, "'task' goes on to task %u.\n", t->task + 2);
    else
        show_words(c, "'lesson' shows which tasks are left.\n");
    show_end_object(c);
    return 0;
}

static int refuse(struct teach *t, const struct lesson_check *check, bool failed)
{
    struct console *c = t->console;
    char *refusal = t->refusals[t->task], why[200] = "";
    if (failed && *c->error)
        snprintf(why, sizeof why, " (%.180s)", c->error);
    const char *text = filled(t, check->otherwise.text);
    snprintf(refusal, CONSOLE_ERROR, "Not yet: %.*s%s", (int)(strlen(text) - 1), text, why);
    return console_fail(c, "%s", refusal);
}

static int judge(struct teach *t)
{
    const struct lesson_task *task = &t->lesson->tasks[t->task];
    struct console *c = t->console;
    struct cpu *chosen = c->cpu;
    int code = 0;
    c->cpu = c->machine->sys.cpus[0];
    for (unsigned i = 0; !code && i < task->check_count; i++) {
        bool holds;
        const int failed = terms_hold(c, &t->record, task->checks[i].condition, &holds);
        if (failed || !holds)
            code = refuse(t, &task->checks[i], failed != 0);
    }
    code = code ? code : done_now(t);
    c->cpu = chosen;
    return code;
}

static int command_answer(struct teach *t, int argc)
{
    struct console *c = t->console;
    size_t n = strlen(c->rest);
    while (n && c->rest[n - 1] == ' ')
        n--;
    if (argc < 2 || n >= sizeof t->record.answer)
        return console_usage(c, "answer");
    memcpy(t->record.answer, c->rest, n);
    t->record.answer[n] = 0;
    return judge(t);
}

static int command_hint(struct teach *t)
{
    const struct lesson_task *task = &t->lesson->tasks[t->task];
    SHOW_ROW(t->console, "Hint {} of {}: {}", fact_number("hint", t->hint + 1), fact_number("of", task->hint_count),
             fact_text("text", filled(t, task->hints[t->hint].text)));
    t->hint = (t->hint + 1) % task->hint_count;
    return 0;
}

static int command_task(struct teach *t, int argc, char **argv)
{
    struct console *c = t->console;
    const unsigned count = t->lesson->task_count;
    char error[CONSOLE_ERROR];
    uint64_t wanted = t->task + 1;
    const bool again = argc == 2 && console_word(c, "task", "", argv[1]);
    if (argc > 2)
        return console_usage(c, "task");
    if (argc == 2 && !again && console_count(c, argv[1], &wanted))
        return -1;
    if (argc == 1 && t->solved)
        wanted++;
    if (!wanted || wanted > count)
        return argc == 1 ? console_fail(c, "task: that was the last one; 'lesson' shows all of them")
                         : console_fail(c, "task: there are tasks 1 to %u", count);
    const bool anew = argc == 2 || wanted != t->task + 1;
    const struct show_aside aside = show_put_aside(c);
    const int code = anew ? begin_task(t, (unsigned)wanted - 1, error, sizeof error) : 0;
    show_take_back(c, &aside);
    if (code)
        return console_fail(c, "%s", error);
    show_task(t);
    return 0;
}

static int command(void *context, int argc, char **argv)
{
    struct teach *t = context;
    if (strcmp(argv[0], "task") == 0)
        return command_task(t, argc, argv);
    if (strcmp(argv[0], "answer") == 0)
        return command_answer(t, argc);
    if (argc > 1)
        return console_usage(t->console, argv[0]);
    if (strcmp(argv[0], "hint") == 0)
        return command_hint(t);
    if (strcmp(argv[0], "check") == 0)
        return judge(t);
    show_lesson(t);
    return 0;
}

/* ---- what is told of the machine ------------------------------------------------------------------------------- */

static void typed(void *context, unsigned command)
{
    struct teach *t = context;
    if (command < RECORD_TYPED)
        t->record.typed[command]++;
}

static void interruption(void *context, const struct cpu *cpu, enum cpu_class class, unsigned code)
{
    struct teach *t = context;
    record_interruption(&t->record, cpu, class, code);
}

static void instruction(void *context, const struct cpu *cpu, const struct dis_insn *insn)
{
    struct teach *t = context;
    record_instruction(&t->record, cpu, insn);
}

static void heard(void *context, const char *text, size_t length)
{
    struct teach *t = context;
    record_output(&t->record, text, length);
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

uint32_t teach_done(const struct teach *t) { return t->done; }
const char *teach_refusal(const struct teach *t, unsigned task) { return t->refusals[task]; }
bool teach_complete(const struct teach *t)
{
    const uint64_t all = ((uint64_t)1 << t->lesson->task_count) - 1;
    return (t->done & all) == all;
}

struct teach *teach_begin(struct console *c, const struct lesson *lesson, const char *path, const char *progress,
                          char *error, size_t size)
{
    struct teach *t = calloc(1, sizeof *t);
    unsigned task = 0;
    if (!t) {
        snprintf(error, size, "the host has no memory");
        return NULL;
    }
    *t = (struct teach){.console = c, .lesson = lesson, .path = path, .progress = progress};
    t->hooks = (struct console_teacher){
        .context = t, .command = command, .typed = typed, .interruption = interruption, .instruction = instruction};
    if (progress && progress_read(progress, lesson->name, &t->done, error, size)) {
        fprintf(stderr, "zri: %s\n", error);
        t->progress = NULL;
    }
    while (task < lesson->task_count && t->done >> task & 1)
        task++;
    c->teacher = &t->hooks;
    c->session->heard = heard;
    c->session->heard_context = t;
    if (begin_task(t, task < lesson->task_count ? task : 0, error, size)) {
        teach_end(t);
        return NULL;
    }
    return t;
}

void teach_welcome(struct teach *t)
{
    (void)!console_line(t->console, "lesson");
    (void)!console_line(t->console, "task");
    memset(t->record.typed, 0, sizeof t->record.typed);
}

void teach_end(struct teach *t)
{
    if (!t)
        return;
    t->console->teacher = NULL;
    t->console->session->heard = NULL;
    console_observe(t->console);
    free(t);
}
