/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and their conditions. */
#include "cpu/state/interruptions.h"
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include "emu/console/base/told.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static bool compare(uint64_t left, const char *relation, uint64_t right)
{
    if (strcmp(relation, "=") == 0)
        return left == right;
    if (strcmp(relation, "!=") == 0)
        return left != right;
    if (strcmp(relation, "<") == 0)
        return left < right;
    if (strcmp(relation, ">") == 0)
        return left > right;
    return strcmp(relation, "<=") == 0 ? left <= right : left >= right;
}

bool console_break_holds(struct console *c, struct cpu *cpu, const struct console_break *b)
{
    struct cpu *chosen = c->cpu;
    bool holds = true;
    c->cpu = cpu;
    for (unsigned i = 0; holds && i < b->condition_count; i++) {
        uint64_t left, right;
        if (console_value(c, b->conditions[i].left, &left) || console_value(c, b->conditions[i].right, &right))
            break; /* cannot be worked out now: let the operator look */
        holds = compare(left, b->conditions[i].relation, right);
    }
    c->cpu = chosen;
    return holds;
}

static int parse_conditions(struct console *c, int argc, char **argv, struct console_break *b)
{
    static const char *const relations[] = {"=", "!=", "<", ">", "<=", ">="};
    const unsigned most = sizeof b->conditions / sizeof *b->conditions;
    for (int i = 0; i < argc; i += 4) {
        struct console_condition *condition = &b->conditions[b->condition_count];
        uint64_t value;
        bool known = false;
        if (strcasecmp(argv[i], i ? "and" : "if") != 0 || argc < i + 4)
            return console_usage(c, "b");
        if (b->condition_count == most)
            return console_fail(c, "b: more than %u comparisons; leave some away", most);
        for (unsigned k = 0; k < sizeof relations / sizeof *relations; k++)
            known = known || strcmp(argv[i + 2], relations[k]) == 0;
        if (!known)
            return console_fail(c, "b: '%.10s' is no relation; give one of = != < > <= >= with spaces around it",
                                argv[i + 2]);
        if (strlen(argv[i + 1]) >= sizeof condition->left || strlen(argv[i + 3]) >= sizeof condition->right)
            return console_fail(c, "b: a value of the condition is longer than %zu characters",
                                sizeof condition->left - 1);
        strcpy(condition->left, argv[i + 1]);
        strcpy(condition->relation, argv[i + 2]);
        strcpy(condition->right, argv[i + 3]);
        if (console_value(c, condition->left, &value) || console_value(c, condition->right, &value))
            return -1;
        b->condition_count++;
    }
    return 0;
}

struct console_break *console_break_at(struct console *c, uint64_t address)
{
    for (unsigned i = 0; i < c->break_count; i++)
        if (!c->breaks[i].of_class && c->breaks[i].address == address)
            return &c->breaks[i];
    return NULL;
}

struct console_break *console_break_class(struct console *c, const struct cpu *cpu)
{
    for (unsigned i = 0; i < c->break_count; i++) {
        struct console_break *b = &c->breaks[i];
        if (b->of_class && b->class == cpu->taken.class && (b->code < 0 || b->code == cpu->taken.code))
            return b;
    }
    return NULL;
}

/* The same breakpoint as this one, when there is one already. */
static struct console_break *same(struct console *c, const struct console_break *b)
{
    if (!b->of_class)
        return console_break_at(c, b->address);
    for (unsigned i = 0; i < c->break_count; i++)
        if (c->breaks[i].of_class && c->breaks[i].class == b->class && c->breaks[i].code == b->code)
            return &c->breaks[i];
    return NULL;
}

void console_break_hook(struct console *c)
{
    uint8_t classes = 0;
    for (unsigned i = 0; i < c->break_count; i++)
        classes |= (uint8_t)(c->breaks[i].of_class << c->breaks[i].class);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        c->machine->sys.cpus[i]->taken.stop_at = classes;
}

void console_break_remove(struct console *c, struct console_break *b)
{
    for (unsigned i = 0; !b->of_class && i < c->machine->sys.cpu_count; i++)
        engine_break_remove(c->machine->sys.cpus[i], b->address);
    *b = c->breaks[--c->break_count];
    console_break_hook(c);
}

int console_break_add(struct console *c, const struct console_break *b)
{
    struct console_break *old = same(c, b);
    if (old) {
        *old = *b;
        return 0;
    }
    if (c->break_count == CONSOLE_BREAKS)
        return console_fail(c, "b: there are %d breakpoints already; remove one with b-", CONSOLE_BREAKS);
    for (unsigned i = 0; !b->of_class && i < c->machine->sys.cpu_count; i++)
        if (engine_break_add(c->machine->sys.cpus[i], b->address))
            return console_fail(c, "b: the host has no memory for a breakpoint");
    c->breaks[c->break_count++] = *b;
    console_break_hook(c);
    return 0;
}

/* "program 5", "program addressing", "io": 0 with a breakpoint of a class, 1: no such word, or -1 after a sentence. */
static int parse_class(struct console *c, const char *command, int argc, char **argv, struct console_break *b)
{
    const struct console_word *word = console_word(c, command, "", argv[1]);
    uint64_t code;
    if (!word || strcmp(word->word, "all") == 0)
        return 1;
    if (argc > 3 || (argc == 3 && !*word->arguments))
        return console_usage(c, command);
    *b = (struct console_break){.of_class = true, .class = (uint8_t)word->value, .code = -1};
    if (argc < 3)
        return 0;
    const int named = word->value == CPU_CLASS_PROGRAM ? cpu_program_find(argv[2]) : -1;
    if (named < 0 && console_hex(c, argv[2], 0xffff, &code))
        return -1;
    b->code = named >= 0 ? named : (int64_t)code;
    return 0;
}

/* "once" and "count N" in front of a condition. Returns how many words they are, or -1. */
static int parse_when(struct console *c, int argc, char **argv, struct console_break *b)
{
    int i = 0;
    for (; i < argc; i++) {
        if (strcasecmp(argv[i], "once") == 0)
            b->once = true;
        else if (strcasecmp(argv[i], "count") != 0 || i + 1 == argc)
            break;
        else if (console_count(c, argv[++i], &b->from))
            return -1;
    }
    return i;
}

int console_cmd_break(struct console *c, int argc, char **argv)
{
    int when = 0;
    struct console_break b = {0};
    if (argc < 2)
        return console_usage(c, "b");
    const int code = parse_class(c, "b", argc, argv, &b);
    if (code < 0)
        return -1;
    if (code && (console_value(c, argv[1], &b.address) || (when = parse_when(c, argc - 2, argv + 2, &b)) < 0 ||
                 parse_conditions(c, argc - 2 - when, argv + 2 + when, &b)))
        return -1;
    return console_break_add(c, &b);
}

int console_cmd_unbreak(struct console *c, int argc, char **argv)
{
    struct console_break b = {0};
    if (argc < 2)
        return console_usage(c, "b-");
    const int code = parse_class(c, "b-", argc, argv, &b);
    if (code < 0 || (code && argc > 2))
        return code < 0 ? -1 : console_usage(c, "b-");
    if (code && strcasecmp(argv[1], "all") == 0) {
        while (c->break_count)
            console_break_remove(c, &c->breaks[0]);
        return 0;
    }
    if (code && console_value(c, argv[1], &b.address))
        return -1;
    struct console_break *found = same(c, &b);
    if (!found && b.of_class)
        return console_fail(c, "b-: there is no such breakpoint; b? lists them");
    if (!found)
        return console_fail(c, "b-: there is no breakpoint at %" PRIX64 "; b? lists them", b.address);
    console_break_remove(c, found);
    return 0;
}

/* A breakpoint in words: its instruction, or its interruptions. */
static void break_words(struct console *c, const struct console_break *b, char *words, size_t size)
{
    if (b->of_class)
        console_class_words(b->class, b->code, words, size);
    else if (!look_line(c, b->address, words, size))
        snprintf(words, size, "%016" PRIX64, b->address);
}

int console_cmd_breaks(struct console *c, int argc, char **argv)
{
    char words[256];
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    for (unsigned i = 0; i < c->break_count; i++) {
        const struct console_break *b = &c->breaks[i];
        char condition[640] = "";
        if (b->once)
            strcat(condition, " once");
        if (b->from > 1)
            snprintf(condition + strlen(condition), 32, " count %" PRIu64, b->from);
        for (unsigned k = 0; k < b->condition_count; k++)
            snprintf(condition + strlen(condition), sizeof condition - strlen(condition), " %s %s %s %s",
                     k ? "and" : "if", b->conditions[k].left, b->conditions[k].relation, b->conditions[k].right);
        break_words(c, b, words, sizeof words);
        SHOW_ROW(c, "{}{}, met {} times\n", fact_text(b->of_class ? "interruption" : NULL, words),
                 fact_text(NULL, condition), fact_number("hits", b->hits),
                 fact_if(!b->of_class, fact_hex("address", b->address, 16)),
                 fact_text("condition", condition + (*condition == ' ')));
    }
    show_end_list(c);
    if (!c->break_count)
        show_words(c, "no breakpoints\n");
    return 0;
}
