/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `et`: configuring exception trace, its files, where a run ends, rules. */
#include "emu/console/observe/et_show.h"
#include "cpu/state/interruptions.h"
#include "emu/console/base/internal.h"
#include "emu/observe/exception_trace.h"
#include <string.h>

#define REASON 512

/* ---- which CPUs ----------------------------------------------------------------------------------------------------
 */

static int no_memory(struct console *c) { return console_fail(c, "et: the host has no memory for exception trace"); }

/* What is to be done to each unit that is meant. NULL, or why not. */
typedef const char *deed(struct et_cpu *unit, void *context);

/* Requests of all CPUs are a unit of their own: it goes with all. */
static int each(struct console *c, deed *deed, void *context)
{
    struct et_machine *units = exception_trace_units(c->machine);
    const char *why = NULL;
    unsigned at = 0;
    if (!units)
        return no_memory(c);
    for (unsigned i = 0; !why && i < c->machine->sys.cpu_count; i++)
        if (c->et_cpu < 0 || c->et_cpu == (int)i) {
            at = i;
            why = deed(et_machine_cpu(units, i), context);
        }
    struct et_cpu *floating = et_machine_cpu(units, ET_SOURCE_MACHINE);
    if (!why && floating && c->et_cpu < 0)
        why = deed(floating, context);
    return why ? console_fail(c, "et: CPU %X: refused: %s", at, why) : 0;
}

/* "et cpu N WORD ...": the words for one CPU. */
int console_et_cpu(struct console *c, int argc, char **argv)
{
    uint64_t number;
    char *words[CONSOLE_WORDS];
    if (argc < 4 || c->et_cpu >= 0)
        return console_usage(c, "et");
    if (console_hex(c, argv[2], CPU_MAX - 1, &number))
        return -1;
    if (number >= c->machine->sys.cpu_count)
        return console_fail(c, "et cpu %s: there is no such CPU; 'cpu' lists them", argv[2]);
    words[0] = argv[0];
    memcpy(words + 1, argv + 3, (size_t)(argc - 3) * sizeof *words);
    c->et_cpu = (int)number;
    const int code = console_run_word(c, "et", argc - 2, words);
    c->et_cpu = -1;
    return code;
}

int console_cmd_et(struct console *c, int argc, char **argv)
{
    c->et_cpu = -1;
    return argc == 1 ? console_et_status(c, argc, argv) : console_run_word(c, "et", argc, argv);
}

/* ---- configuration --------------------------------------------------------------------------------------------------
 */

static const char *turn_on(struct et_cpu *unit, void *context)
{
    (void)context;
    return et_output(unit, true, ET_BY_CONSOLE);
}

static const char *turn_off(struct et_cpu *unit, void *context)
{
    (void)context;
    return et_output(unit, false, ET_BY_CONSOLE);
}

int console_et_on(struct console *c, int argc, char **argv)
{
    (void)argv;
    return argc == 2 ? each(c, turn_on, NULL) : console_usage(c, "et");
}

int console_et_off(struct console *c, int argc, char **argv)
{
    (void)argv;
    return argc == 2 ? each(c, turn_off, NULL) : console_usage(c, "et");
}

struct keys {
    char **word;
    int count;
    bool lock;
    char why[REASON];
};

static const char *set_keys(struct et_cpu *unit, void *context)
{
    struct keys *keys = context;
    struct et_config config = *et_configuration(unit);
    for (int i = 0; i < keys->count; i++)
        if (emu_exception_keys(keys->word[i], &config, keys->why, sizeof keys->why))
            return keys->why;
    if (keys->lock)
        ET_PUT(&config, ETCR, LOCK, 1);
    return et_configure(unit, &config, ET_BY_CONSOLE);
}

int console_et_set(struct console *c, int argc, char **argv)
{
    struct keys keys = {.word = argv + 2, .count = argc - 2};
    return argc > 2 ? each(c, set_keys, &keys) : console_usage(c, "et");
}

int console_et_lock(struct console *c, int argc, char **argv)
{
    struct keys keys = {.lock = true};
    (void)argv;
    return argc == 2 ? each(c, set_keys, &keys) : console_usage(c, "et");
}

int console_et_show(struct console *c, int argc, char **argv)
{
    struct et_config reset;
    const struct et_cpu *unit = console_et_unit(c);
    const char *name, *values;
    (void)argv;
    if (argc != 2)
        return console_usage(c, "et");
    if (!unit)
        return -1;
    et_config_reset(&reset);
    show_object(c, NULL);
    for (unsigned i = 0; (name = et_config_key_name(i, &values)); i++) {
        char value[CONSOLE_LINE], usual[CONSOLE_LINE];
        et_config_key_value(et_configuration(unit), i, value, sizeof value);
        et_config_key_value(&reset, i, usual, sizeof usual);
        if (*value)
            SHOW(c, "{} {-16}{-24} {}\n", fact_flag(NULL, strcmp(value, usual), "*", " "), fact_text(NULL, name),
                 fact_text(name, value), fact_text(NULL, values));
    }
    show_end_object(c);
    return 0;
}

/* ---- registers ------------------------------------------------------------------------------------------------------
 */

static void show_register(struct console *c, const struct et_cpu *unit, unsigned index)
{
    SHOW_ROW(c, "{2} {-5} {} {}\n", fact_number("index", index), fact_text("name", et_register_name(index)),
             fact_hex("value", et_read(unit, index), 16), fact_text("text", et_register_text(index)));
}

struct registers {
    unsigned index;
    uint64_t value;
};

static const char *write_register(struct et_cpu *unit, void *context)
{
    const struct registers *r = context;
    return et_write(unit, r->index, r->value, ET_BY_CONSOLE);
}

int console_et_reg(struct console *c, int argc, char **argv)
{
    const struct et_cpu *unit = console_et_unit(c);
    struct registers r;
    if (argc > 4)
        return console_usage(c, "et");
    if (!unit)
        return -1;
    if (argc == 2) {
        show_list(c, NULL);
        for (unsigned i = 0; i < ET_REGISTERS; i++)
            show_register(c, unit, i);
        show_end_list(c);
        return 0;
    }
    const int index = et_register_find(argv[2]);
    if (index < 0)
        return console_fail(c, "et reg: there is no register '%.20s'; 'et reg' lists them", argv[2]);
    r.index = (unsigned)index;
    if (argc == 3) {
        show_register(c, unit, r.index);
        return 0;
    }
    return console_value(c, argv[3], &r.value) ? -1 : each(c, write_register, &r);
}

/* ---- marks, files ---------------------------------------------------------------------------------------------------
 */

static const char *mark(struct et_cpu *unit, void *context)
{
    et_mark(unit, *(const uint64_t *)context);
    return NULL;
}

int console_et_mark(struct console *c, int argc, char **argv)
{
    uint64_t value;
    if (argc != 3)
        return console_usage(c, "et");
    return console_value(c, argv[2], &value) ? -1 : each(c, mark, &value);
}

static const char *flush(struct et_cpu *unit, void *context)
{
    (void)context;
    et_flush(unit);
    return NULL;
}

int console_et_flush(struct console *c, int argc, char **argv)
{
    (void)argv;
    if (argc != 2)
        return console_usage(c, "et");
    const int code = each(c, flush, NULL);
    exception_trace_flush(c->machine);
    return code;
}

static int file(struct console *c, int argc, char **argv,
                int (*carry_out)(struct machine *m, const char *file, char *error, size_t size))
{
    char error[REASON];
    if (argc != 3)
        return console_usage(c, "et");
    return carry_out(c->machine, argv[2], error, sizeof error) ? console_fail(c, "et %s: %s", argv[1], error) : 0;
}

static int load(struct machine *m, const char *name, char *error, size_t size)
{
    return exception_trace_load(m, name, ET_BY_CONSOLE, error, size);
}

static int out(struct machine *m, const char *name, char *error, size_t size)
{
    return exception_trace_out(m, strcmp(name, "off") ? name : NULL, error, size);
}

int console_et_out(struct console *c, int argc, char **argv) { return file(c, argc, argv, out); }
int console_et_dump(struct console *c, int argc, char **argv) { return file(c, argc, argv, exception_trace_dump); }
int console_et_save(struct console *c, int argc, char **argv) { return file(c, argc, argv, exception_trace_save); }
int console_et_load(struct console *c, int argc, char **argv) { return file(c, argc, argv, load); }

/* ---- where a run ends
 * ------------------------------------------------------------------------------------------------ */

#define NESTING UINT64_C(0x100) /* values of the words behind `et stop', beside enum et_class */
#define NOWHERE UINT64_C(0x101)

static int show_stop(struct console *c)
{
    const struct exception_trace_stop *stop = exception_trace_stop_of(c->machine);
    char words[96] = "";
    if (stop && stop->class != ET_CLASS_NONE && stop->code != UINT64_MAX)
        snprintf(words, sizeof words, "%s, code %04llX", et_class_name(stop->class), (unsigned long long)stop->code);
    else if (stop && stop->class != ET_CLASS_NONE)
        snprintf(words, sizeof words, "%s", et_class_name(stop->class));
    SHOW_ROW(c, "a run ends at: {}{}\n", fact_text("interruption", *words ? words : "no interruption"),
             fact_if(stop && stop->depth, fact_number("nesting", stop ? stop->depth : 0)));
    return 0;
}

static int code_of(struct console *c, enum et_class class, const char *text, uint64_t *code)
{
    const int named = class == ET_PROGRAM ? cpu_program_find(text) : -1;
    if (named < 0)
        return console_value(c, text, code);
    *code = (uint64_t)named;
    return 0;
}

int console_et_stop(struct console *c, int argc, char **argv)
{
    const struct exception_trace_stop *now = exception_trace_stop_of(c->machine);
    struct exception_trace_stop stop = {.class = ET_CLASS_NONE, .code = UINT64_MAX};
    uint64_t depth;
    if (argc == 2)
        return show_stop(c);
    const struct console_word *word = console_wants(c, "et", "stop", argv[2]);
    if (!word)
        return -1;
    if (now && word->value != NOWHERE)
        stop = *now;
    if (word->value == NESTING) {
        if (argc != 4 || console_count(c, argv[3], &depth) || !depth || depth > 64)
            return console_fail(c, "et stop nesting: a depth from 1 to 64 (decimal) is wanted");
        stop.depth = (unsigned)depth;
    } else if (word->value != NOWHERE) {
        stop.class = (enum et_class)word->value;
        stop.code = UINT64_MAX;
        if (argc == 4 && code_of(c, stop.class, argv[3], &stop.code))
            return -1;
    }
    return exception_trace_stop_at(c->machine, &stop) ? 0 : no_memory(c);
}

/* ---- rules
 * ------------------------------------------------------------------------------------------------------------ */

static int show_rules(struct console *c)
{
    const struct et_rules *rules = exception_trace_rules(c->machine);
    struct et_rule_view view;
    show_list(c, NULL);
    for (unsigned i = 0; rules && et_rules_view(rules, i, &view); i++)
        SHOW_ROW(c, "{}; met {} times (decimal){}\n", fact_text("rule", view.text), fact_number("met", view.fired),
                 fact_flag(NULL, view.refused, ", refused", ""), fact_text("name", view.name),
                 fact_if(view.refused, fact_text("refused", view.refused)));
    show_end_list(c);
    return 0;
}

int console_et_rule(struct console *c, int argc, char **argv)
{
    char why[REASON], text[CONSOLE_LINE];
    if (argc == 2)
        return show_rules(c);
    if (argc == 4 && !strcmp(argv[3], "off"))
        return exception_trace_forget_rule(c->machine, argv[2])
                   ? 0
                   : console_fail(c, "et rule: there is no rule '%.30s'; 'et rule' lists them", argv[2]);
    size_t used = (size_t)snprintf(text, sizeof text, "rule");
    for (int i = 2; i < argc && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", argv[i]);
    const char *wrong = exception_trace_rule(c->machine, text, why, sizeof why);
    return wrong ? console_fail(c, "et rule: %s", wrong) : 0;
}
