/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and their conditions. */
#include "emu/console/internal.h"
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
        if (c->breaks[i].address == address)
            return &c->breaks[i];
    return NULL;
}

void console_break_remove(struct console *c, struct console_break *b)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        engine_break_remove(c->machine->sys.cpus[i], b->address);
    *b = c->breaks[--c->break_count];
}

int console_break_add(struct console *c, const struct console_break *b)
{
    struct console_break *old = console_break_at(c, b->address);
    if (old) {
        *old = *b;
        return 0;
    }
    if (c->break_count == CONSOLE_BREAKS)
        return console_fail(c, "b: there are %d breakpoints already; remove one with b-", CONSOLE_BREAKS);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        if (engine_break_add(c->machine->sys.cpus[i], b->address))
            return console_fail(c, "b: the host has no memory for a breakpoint");
    c->breaks[c->break_count++] = *b;
    return 0;
}

int console_cmd_break(struct console *c, int argc, char **argv)
{
    struct console_break b = {0};
    if (argc < 2)
        return console_usage(c, "b");
    if (console_value(c, argv[1], &b.address) || parse_conditions(c, argc - 2, argv + 2, &b))
        return -1;
    return console_break_add(c, &b);
}

int console_cmd_unbreak(struct console *c, int argc, char **argv)
{
    uint64_t address;
    if (argc != 2)
        return console_usage(c, "b-");
    if (strcasecmp(argv[1], "all") == 0) {
        while (c->break_count)
            console_break_remove(c, &c->breaks[0]);
        return 0;
    }
    if (console_value(c, argv[1], &address))
        return -1;
    struct console_break *b = console_break_at(c, address);
    if (!b)
        return console_fail(c, "b-: there is no breakpoint at %" PRIX64 "; b? lists them", address);
    console_break_remove(c, b);
    return 0;
}

int console_cmd_breaks(struct console *c, int argc, char **argv)
{
    char words[256];
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    for (unsigned i = 0; i < c->break_count; i++) {
        const struct console_break *b = &c->breaks[i];
        char condition[600] = "";
        for (unsigned k = 0; k < b->condition_count; k++)
            snprintf(condition + strlen(condition), sizeof condition - strlen(condition), " %s %s %s %s",
                     k ? "and" : "if", b->conditions[k].left, b->conditions[k].relation, b->conditions[k].right);
        if (!look_line(c, b->address, words, sizeof words))
            snprintf(words, sizeof words, "%016" PRIX64, b->address);
        SHOW_ROW(c, "{}{}, met {} times\n", fact_text(NULL, words), fact_text(NULL, condition),
                 fact_number("hits", b->hits), fact_hex("address", b->address, 16),
                 fact_text("condition", condition + (*condition == ' ')));
    }
    show_end_list(c);
    if (!c->break_count)
        show_words(c, "no breakpoints\n");
    return 0;
}
