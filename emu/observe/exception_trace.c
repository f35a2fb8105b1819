/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace of a machine: what its units reach outside, and their files. */
#include "emu/observe/exception_trace.h"
#include "cpu/engine/engine.h"
#include "cpu/state/exceptions.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "emu/observe/exception_live.h"
#include "ri/counters/counters.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ET_RULE_LINE 1024

struct exception_trace {
    struct machine *machine;
    struct et_machine *units;
    FILE *file;
    unsigned files; /* that were begun */
    char *name;     /* of the file */
    struct exception_trace_stop stop;
    struct exception_live *live;
    bool stopped[CPU_MAX];  /* the run ended here */
    char stop_rule[64];     /* by this rule; "": by `stop' */
    struct et_rules *rules; /* NULL: none */
    char *rule_text[ET_RULES_MAX];
    unsigned rule_count;
    struct cpu_exceptions cpus[CPU_MAX];
};

/* ---- what the units reach --------------------------------------------------------------------------------------- */

static struct cpu *cpu_of(void *context, unsigned cpu)
{
    const struct exception_trace *t = context;
    return t->machine->sys.cpus[cpu];
}

static uint64_t clock_value(void *context, unsigned number, enum et_clock clock)
{
    struct cpu *cpu = cpu_of(context, number);
    struct timespec t;
    switch (clock) {
    case ET_CLOCK_TOD:
        return cpu_tod(cpu);
    case ET_CLOCK_INSN:
        return cpu_instructions(cpu);
    case ET_CLOCK_CYCLE:
        return cpu_cycles(cpu);
    default:
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    }
}

static uint64_t instructions(void *context, unsigned cpu) { return cpu_instructions(cpu_of(context, cpu)); }

static void attention(void *context, unsigned cpu, bool wanted)
{
    struct exception_trace *t = context;
    t->cpus[cpu].wanted = wanted;
}

static int write_bytes(void *context, const uint8_t *bytes, size_t size)
{
    const struct exception_trace *t = context;
    errno = 0;
    if (fwrite(bytes, 1, size, t->file) == size)
        return 0;
    return errno ? -errno : -EIO;
}

/* Bytes of a page that are left behind a real address. */
static size_t in_page(uint64_t real, size_t size)
{
    const size_t left = cpu_page_left(real);
    return size < left ? size : left;
}

static bool fetch(void *context, unsigned number, uint64_t real, void *bytes, size_t size)
{
    struct cpu *cpu = cpu_of(context, number);
    uint8_t *to = bytes;
    while (size) {
        const size_t part = in_page(real, size);
        const uint8_t *from = cpu_real_host(cpu, real, (unsigned)part);
        if (!from)
            return false;
        memcpy(to, from, part);
        real += part;
        to += part;
        size -= part;
    }
    return true;
}

static bool store(void *context, unsigned number, uint64_t real, const void *bytes, size_t size)
{
    struct cpu *cpu = cpu_of(context, number);
    const uint8_t *from = bytes;
    while (size) {
        const size_t part = in_page(real, size);
        uint8_t *to = cpu_real_host(cpu, real, (unsigned)part);
        if (!to)
            return false;
        memcpy(to, from, part);
        cpu_code_stored(cpu, cpu_real_to_absolute(cpu, real), part);
        real += part;
        from += part;
        size -= part;
    }
    return true;
}

static void alert(void *context, unsigned cpu) { cpu_of(context, cpu)->counters->alerts |= COUNTERS_TRACE; }

static bool choose_mode(void *context, unsigned number, const char *name)
{
    for (unsigned i = 0; i <= ENGINE_TRANSLATE; i++)
        if (!strcmp(engine_names[i], name)) {
            cpu_of(context, number)->engine_kind = (uint8_t)i;
            return true;
        }
    return false;
}

static void stop(struct exception_trace *t, struct cpu *cpu, const char *rule)
{
    cpu->leave = cpu->taken.stopped = t->stopped[cpu->address] = true;
    snprintf(t->stop_rule, sizeof t->stop_rule, "%s", rule);
}

static void stop_cpu(void *context, unsigned number, const char *rule) { stop(context, cpu_of(context, number), rule); }

/* ---- life -------------------------------------------------------------------------------------------------------- */

static struct exception_trace *make(struct machine *m)
{
    struct exception_trace *t = calloc(1, sizeof *t);
    const struct et_limits limits = {.host_clock = m->sys.host_clock};
    const struct et_host host = {.context = t,
                                 .clock = clock_value,
                                 .instructions = instructions,
                                 .attention = attention,
                                 .write = write_bytes,
                                 .fetch = fetch,
                                 .store = store,
                                 .alert = alert,
                                 .mode = choose_mode,
                                 .stop = stop_cpu};
    if (!t)
        return NULL;
    t->machine = m;
    t->stop.class = ET_CLASS_NONE;
    t->units = et_machine_new(m->sys.cpu_count, &host, &limits);
    t->live = t->units ? exception_live_create(t->units) : NULL;
    if (!t->live) {
        et_machine_free(t->units);
        free(t);
        return NULL;
    }
    (void)et_sink(t->units, false); /* nothing was put out yet: nothing can fail */
    return t;
}

struct et_machine *exception_trace_units(struct machine *m)
{
    struct exception_trace *t = m->exceptions;
    if (t)
        return t->units;
    t = make(m);
    if (!t)
        return NULL;
    m->exceptions = t;
    m->sys.exceptions = t->units;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        t->cpus[i] = (struct cpu_exceptions){
            .machine = t->units, .unit = et_machine_cpu(t->units, i), .context = t, .class = ET_CLASS_NONE};
        cpu_exceptions_attach(m->sys.cpus[i], &t->cpus[i]);
    }
    return t->units;
}

struct et_cpu *exception_trace_unit(struct machine *m, const struct cpu *cpu)
{
    struct et_machine *units = exception_trace_units(m);
    return units ? et_machine_cpu(units, cpu->address) : NULL;
}

void exception_trace_destroy(struct machine *m)
{
    struct exception_trace *t = m->exceptions;
    if (!t)
        return;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_exceptions_attach(m->sys.cpus[i], NULL);
    m->sys.exceptions = NULL;
    m->exceptions = NULL;
    exception_live_destroy(t->live);
    et_rules_free(t->rules);
    for (unsigned i = 0; i < t->rule_count; i++)
        free(t->rule_text[i]);
    et_machine_free(t->units);
    if (t->file)
        fclose(t->file);
    free(t->name);
    free(t);
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static int no_memory(char *error, size_t size)
{
    snprintf(error, size, "the host has no memory for exception trace");
    return -ENOMEM;
}

static int not_written(const char *what, const char *file, int code, char *error, size_t size)
{
    snprintf(error, size, "%s '%.200s' cannot be written: %s; name a file in a folder that you may write to", what,
             file, strerror(-code));
    return code;
}

/* Whatever an instruction did that is not told yet belongs in front of what comes now. */
static void settle(struct machine *m)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i]->exceptions)
            cpu_exceptions_settle(m->sys.cpus[i]);
}

/* Whether all streams are out is known only when the file is closed. */
static int close_file(struct exception_trace *t, int code, char *error, size_t size)
{
    if (!t->file)
        return 0;
    if (ferror(t->file) && !code)
        code = -EIO;
    if (fclose(t->file) && !code)
        code = -errno;
    if (code)
        snprintf(error, size, "the exception trace '%.200s' is not complete: %s; name a file where there is room",
                 t->name, strerror(-code));
    free(t->name);
    t->file = NULL;
    t->name = NULL;
    return code;
}

int exception_trace_out(struct machine *m, const char *file, char *error, size_t size)
{
    struct exception_trace *t = exception_trace_units(m) ? m->exceptions : NULL;
    FILE *f = NULL;
    char *name = NULL;
    if (!t || (file && !(name = strdup(file))))
        return no_memory(error, size);
    if (file && !(f = fopen(file, "wb"))) {
        free(name);
        return not_written("the exception trace", file, -errno, error, size);
    }
    settle(m);
    const int code = close_file(t, et_sink(t->units, false), error, size);
    t->file = f;
    t->name = name;
    t->files += f != NULL;
    if (f)
        (void)et_sink(t->units, true); /* a write that fails is told at the end */
    return code;
}

void exception_trace_flush(struct machine *m)
{
    if (m->exceptions && m->exceptions->file)
        fflush(m->exceptions->file); /* an error is told at the end */
}

uint64_t exception_trace_now(struct machine *m, const struct cpu *cpu)
{
    const struct et_config *config = et_configuration(exception_trace_unit(m, cpu));
    return clock_value(m->exceptions, cpu->address, (enum et_clock)ET_GET(config, ETTS, CLK));
}

const char *exception_trace_file(const struct machine *m) { return m->exceptions ? m->exceptions->name : NULL; }

unsigned exception_trace_file_number(const struct machine *m)
{
    return m->exceptions && m->exceptions->file ? m->exceptions->files : 0;
}

int exception_trace_end(struct machine *m, char *error, size_t size)
{
    struct exception_trace *t = m->exceptions;
    if (!t)
        return 0;
    settle(m);
    return close_file(t, et_finish(t->units), error, size);
}

static int write_to(void *file, const uint8_t *bytes, size_t size)
{
    errno = 0;
    if (fwrite(bytes, 1, size, file) == size)
        return 0;
    return errno ? -errno : -EIO;
}

int exception_trace_dump(struct machine *m, const char *file, char *error, size_t size)
{
    struct et_machine *units = exception_trace_units(m);
    if (!units)
        return no_memory(error, size);
    FILE *f = fopen(file, "wb");
    int code = f ? 0 : -errno;
    settle(m);
    if (f) {
        code = et_dump(units, write_to, f);
        if (fclose(f) && !code)
            code = -errno;
    }
    return code ? not_written("the dump", file, code, error, size) : 0;
}

/* ---- rules ---------------------------------------------------------------------------------------------------------
 */

/* Rules that are there look at the units from their beginning on: a change is a new set of them. */
static const char *attach(struct exception_trace *t, char *why, size_t size)
{
    struct et_rules *rules = et_rules_new();
    const char *wrong = rules ? NULL : "there is no memory for rules";
    for (unsigned i = 0; !wrong && i < t->rule_count; i++)
        wrong = et_rules_line(rules, t->rule_text[i], why, size);
    if (!wrong)
        wrong = et_rules_attach(rules, t->units, why, size);
    if (wrong) {
        et_rules_free(rules);
        return wrong;
    }
    et_rules_free(t->rules);
    t->rules = rules;
    return NULL;
}

/* Length of a rule's name and colon. */
static size_t name_length(const char *text) { return strcspn(text, ":") + 1; }

const char *exception_trace_rule(struct machine *m, const char *text, char *why, size_t size)
{
    struct exception_trace *t = exception_trace_units(m) ? m->exceptions : NULL;
    char *copy = t && t->rule_count < ET_RULES_MAX ? strdup(text) : NULL;
    unsigned at = 0;
    if (!copy)
        return "there are too many rules, or no memory for one more";
    while (at < t->rule_count && strncmp(t->rule_text[at], text, name_length(text)))
        at++;
    char *const before = at < t->rule_count ? t->rule_text[at] : NULL;
    t->rule_text[at] = copy;
    t->rule_count += !before;
    const char *wrong = attach(t, why, size);
    if (wrong) { /* as it was */
        t->rule_count -= !before;
        t->rule_text[at] = before;
    }
    free(wrong ? copy : before);
    return wrong;
}

bool exception_trace_forget_rule(struct machine *m, const char *name)
{
    struct exception_trace *t = m->exceptions;
    char why[160];
    for (unsigned i = 0; t && i < t->rule_count; i++) {
        const char *text = t->rule_text[i] + strcspn(t->rule_text[i], " \t");
        text += strspn(text, " \t");
        if (strlen(name) != strcspn(text, ": \t") || strncmp(text, name, strlen(name)))
            continue;
        free(t->rule_text[i]);
        t->rule_text[i] = t->rule_text[--t->rule_count];
        (void)attach(t, why, sizeof why);
        return true;
    }
    return false;
}

const struct et_rules *exception_trace_rules(const struct machine *m)
{
    return m->exceptions ? m->exceptions->rules : NULL;
}

/* Those of a file; `do' may stand on a line of its own. */
static int rules_of(struct machine *m, const struct emu_exception_lines *lines, char *error, size_t size)
{
    char text[ET_RULE_LINE], why[300];
    for (unsigned i = 0; i < lines->count; i++) {
        const struct emu_exception_line *line = &lines->line[i], *next = line + 1;
        const bool more = i + 1 < lines->count && next->cpu == EMU_EXCEPTION_RULES && !strncmp(next->key, "do", 2) &&
                          isspace((unsigned char)next->key[2]);
        if (line->cpu != EMU_EXCEPTION_RULES)
            continue;
        snprintf(text, sizeof text, "%s%s%s", line->key, more ? " " : "", more ? next->key : "");
        const char *wrong = exception_trace_rule(m, text, why, sizeof why);
        if (wrong) {
            snprintf(error, size, "%.200s:%u: %s", lines->name, line->number, wrong);
            return -EINVAL;
        }
        i += more;
    }
    return 0;
}

/* ---- configuration ------------------------------------------------------------------------------------------------
 */

static int refused(const struct cpu *cpu, const char *why, char *error, size_t size)
{
    snprintf(error, size, "exception trace of CPU %X: refused: %s", cpu->address, why);
    return -EINVAL;
}

/* Configurations of all CPUs are made before the first one is taken. */
static int configure(struct machine *m, const struct et_config configs[CPU_MAX], enum et_by by, char *error,
                     size_t size)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const char *why = et_configure(exception_trace_unit(m, m->sys.cpus[i]), &configs[i], by);
        if (why)
            return refused(m->sys.cpus[i], why, error, size);
    }
    struct et_cpu *floating = et_machine_cpu(exception_trace_units(m), ET_SOURCE_MACHINE);
    if (floating) { /* requests of all CPUs: as CPU 0 has it */
        const char *why = et_configure(floating, &configs[0], by);
        if (why)
            return refused(m->sys.cpus[0], why, error, size);
    }
    return 0;
}

static int plan_of(const struct exception_trace_plan *plan, const struct emu_exception_lines *lines, unsigned cpu,
                   struct et_config *config, char *error, size_t size)
{
    et_config_reset(config);
    ET_PUT(config, ETCR, ENABLE, plan->out != NULL);
    int code = emu_exception_apply(lines, cpu, config, error, size);
    for (unsigned i = 0; !code && i < plan->key_count; i++)
        code = emu_exception_keys(plan->keys[i], config, error, size);
    return code;
}

int exception_trace_begin(struct machine *m, const struct exception_trace_plan *plan, char *error, size_t size)
{
    struct emu_exception_lines lines = {.count = 0};
    struct et_config *configs = calloc(CPU_MAX, sizeof *configs);
    int code = configs && exception_trace_units(m) ? 0 : no_memory(error, size);
    if (!code && plan->config)
        code = emu_exception_read(plan->config, &lines, error, size);
    for (unsigned i = 0; !code && i < m->sys.cpu_count; i++)
        code = plan_of(plan, &lines, i, &configs[i], error, size);
    if (!code)
        code = rules_of(m, &lines, error, size);
    if (!code && plan->out)
        code = exception_trace_out(m, plan->out, error, size);
    if (!code)
        code = configure(m, configs, ET_BY_START, error, size);
    emu_exception_forget(&lines);
    free(configs);
    return code;
}

int exception_trace_load(struct machine *m, const char *file, enum et_by by, char *error, size_t size)
{
    struct emu_exception_lines lines;
    struct et_config *configs = calloc(CPU_MAX, sizeof *configs);
    int code = configs && exception_trace_units(m) ? 0 : no_memory(error, size);
    if (!code)
        code = emu_exception_read(file, &lines, error, size);
    if (code) {
        free(configs);
        return code;
    }
    for (unsigned i = 0; !code && i < m->sys.cpu_count; i++) {
        et_config_reset(&configs[i]);
        code = emu_exception_apply(&lines, i, &configs[i], error, size);
    }
    settle(m);
    if (!code)
        code = rules_of(m, &lines, error, size);
    if (!code)
        code = configure(m, configs, by, error, size);
    emu_exception_forget(&lines);
    free(configs);
    return code;
}

static void save_line(void *file, const char *key, const char *value) { fprintf(file, "%s = %s\n", key, value); }

int exception_trace_save(struct machine *m, const char *file, char *error, size_t size)
{
    struct et_machine *units = exception_trace_units(m);
    if (!units)
        return no_memory(error, size);
    FILE *f = fopen(file, "w");
    int code = f ? 0 : -errno;
    for (unsigned i = 0; f && i < m->sys.cpu_count; i++) {
        if (m->sys.cpu_count == 1)
            fprintf(f, "[exception-trace]\n");
        else
            fprintf(f, "[exception-trace cpu%u]\n", i);
        et_config_save(et_configuration(et_machine_cpu(units, i)), save_line, f);
    }
    if (f && (ferror(f) | fclose(f)))
        code = errno ? -errno : -EIO;
    return code ? not_written("the configuration of exception trace", file, code, error, size) : 0;
}

/* ---- stopping ------------------------------------------------------------------------------------------------------
 */

static bool meets(const struct exception_trace_stop *stop, const struct cpu *cpu)
{
    const struct cpu_exceptions *e = cpu->exceptions;
    if (stop->depth && et_depth(e->unit) >= stop->depth)
        return true;
    return stop->class != ET_CLASS_NONE && e->class == stop->class &&
           (stop->code == UINT64_MAX || stop->code == e->code);
}

static void entered(void *context, struct cpu *cpu)
{
    struct exception_trace *t = context;
    if (meets(&t->stop, cpu))
        stop(t, cpu, "");
}

bool exception_trace_stop_at(struct machine *m, const struct exception_trace_stop *stop)
{
    if (!exception_trace_units(m))
        return false;
    struct exception_trace *t = m->exceptions;
    t->stop = *stop;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        t->cpus[i].entered = stop->depth || stop->class != ET_CLASS_NONE ? entered : NULL;
    return true;
}

void exception_trace_go(struct machine *m)
{
    struct exception_trace *t = m->exceptions;
    if (!t)
        return;
    memset(t->stopped, 0, sizeof t->stopped);
    t->stop_rule[0] = 0;
}

bool exception_trace_stopped(const struct machine *m, const struct cpu *cpu, char *words, size_t size)
{
    const struct exception_trace *t = m->exceptions;
    char name[ET_NAME_SIZE];
    if (!t || !t->stopped[cpu->address])
        return false;
    const struct et_cpu *unit = t->cpus[cpu->address].unit;
    if (*t->stop_rule)
        snprintf(words, size, "rule %s", t->stop_rule);
    else
        snprintf(words, size, "%s, nested %u deep", et_number_name(et_current(unit), NULL, name), et_depth(unit));
    return true;
}

struct exception_live *exception_trace_live(struct machine *m)
{
    return exception_trace_units(m) ? m->exceptions->live : NULL;
}

const struct exception_trace_stop *exception_trace_stop_of(const struct machine *m)
{
    return m->exceptions ? &m->exceptions->stop : NULL;
}
