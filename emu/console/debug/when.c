/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a breakpoint or a watchpoint counts: how often, on which CPU, in which space, under which conditions; and what
   is done then. */
#include "cpu/storage/dat.h"
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
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

bool console_in_space(const struct cpu *cpu, uint64_t space)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return false;
    const uint64_t asce = cpu->cr[look_instruction_space(cpu) == CPU_SPACE_HOME ? 13 : 1];
    return (asce ^ space) >> PAGE_BITS == 0;
}

bool console_when_holds(struct console *c, struct cpu *cpu, const struct console_when *when)
{
    struct cpu *chosen = c->cpu;
    bool holds = !(when->on_cpu && cpu->address != when->cpu) &&
                 !(when->in_space && !console_in_space(cpu, when->space)) &&
                 !(when->above && cpu->gr[15] < when->stack);
    c->cpu = cpu;
    for (unsigned i = 0; holds && i < when->condition_count; i++) {
        uint64_t left, right;
        if (console_value(c, when->conditions[i].left, &left) || console_value(c, when->conditions[i].right, &right))
            break; /* cannot be worked out now: let the operator look */
        holds = compare(left, when->conditions[i].relation, right);
    }
    c->cpu = chosen;
    return holds;
}

static int parse_conditions(struct console *c, int argc, char **argv, const char *name, struct console_when *b)
{
    static const char *const relations[] = {"=", "!=", "<", ">", "<=", ">="};
    const unsigned most = sizeof b->conditions / sizeof *b->conditions;
    for (int i = 0; i < argc; i += 4) {
        struct console_condition *condition = &b->conditions[b->condition_count];
        uint64_t value;
        bool known = false;
        if (strcasecmp(argv[i], i ? "and" : "if") != 0 || argc < i + 4)
            return console_usage(c, name);
        if (b->condition_count == most)
            return console_fail(c, "%s: more than %u comparisons; leave some away", name, most);
        for (unsigned k = 0; k < sizeof relations / sizeof *relations; k++)
            known = known || strcmp(argv[i + 2], relations[k]) == 0;
        if (!known)
            return console_fail(c, "%s: '%.10s' is no relation; give one of = != < > <= >= with spaces around it", name,
                                argv[i + 2]);
        if (strlen(argv[i + 1]) >= sizeof condition->left || strlen(argv[i + 3]) >= sizeof condition->right)
            return console_fail(c, "%s: a value of the condition is longer than %zu characters", name,
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

/* "do" and what follows it, as it was typed. */
static int parse_action(struct console *c, const char *name, struct console_when *when)
{
    const char *text = NULL;
    for (const char *at = c->rest; *at && !text; at += strcspn(at, " \t")) {
        at += strspn(at, " \t");
        if (strncasecmp(at, "do", 2) == 0 && (at[2] == ' ' || at[2] == '\t'))
            text = at + 2;
    }
    if (!text)
        return console_usage(c, name);
    text += strspn(text, " \t");
    if (!*text || strlen(text) >= sizeof when->action)
        return console_fail(c, "%s: behind do stand commands of 1 to %zu characters, with ; between them", name,
                            sizeof when->action - 1);
    strcpy(when->action, text);
    return 0;
}

static int parse_place(struct console *c, const char *name, const char *word, const char *text,
                       struct console_when *when)
{
    uint64_t cpu = 0;
    when->on_cpu |= strcasecmp(word, "cpu") == 0;
    when->in_space |= strcasecmp(word, "space") == 0;
    if (strcasecmp(word, "count") == 0)
        return console_count(c, text, &when->from);
    if (strcasecmp(word, "space") == 0)
        return console_value(c, text, &when->space);
    if (console_hex(c, text, UINT16_MAX, &cpu))
        return -1;
    when->cpu = (uint16_t)cpu;
    return cpu < c->machine->sys.cpu_count ? 0 : console_fail(c, "%s: there is no CPU %s; cpu lists them", name, text);
}

static bool takes_value(const char *word)
{
    return strcasecmp(word, "count") == 0 || strcasecmp(word, "cpu") == 0 || strcasecmp(word, "space") == 0;
}

int console_when_parse(struct console *c, const char *name, int argc, char **argv, struct console_when *when)
{
    int i = 0, end = 0;
    while (end < argc && strcasecmp(argv[end], "do") != 0)
        end++;
    if (end < argc && parse_action(c, name, when))
        return -1;
    for (; i < end; i++) {
        if (strcasecmp(argv[i], "once") == 0)
            when->once = true;
        else if (!takes_value(argv[i]) || i + 1 == end)
            break;
        else if (parse_place(c, name, argv[i], argv[i + 1], when))
            return -1;
        else
            i++;
    }
    return parse_conditions(c, end - i, argv + i, name, when);
}

void console_when_words(const struct console_when *when, char *words, size_t size)
{
    size_t n = (size_t)snprintf(words, size, "%s", when->once ? " once" : "");
    if (when->from > 1 && n < size)
        n += (size_t)snprintf(words + n, size - n, " count %" PRIu64, when->from);
    if (when->on_cpu && n < size)
        n += (size_t)snprintf(words + n, size - n, " cpu %X", when->cpu);
    if (when->in_space && n < size)
        n += (size_t)snprintf(words + n, size - n, " space %" PRIX64, when->space);
    for (unsigned k = 0; k < when->condition_count && n < size; k++)
        n += (size_t)snprintf(words + n, size - n, " %s %s %s %s", k ? "and" : "if", when->conditions[k].left,
                              when->conditions[k].relation, when->conditions[k].right);
    if (*when->action && n < size)
        snprintf(words + n, size - n, " do %s", when->action);
}
