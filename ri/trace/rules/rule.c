/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules as text. */
#include "ri/trace/rules/rule.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of a rule, one after the other. Marks `:( );' and operators are words of their own. */
struct reader {
    struct et_rule *rule;
    char *at;
    char held; /* what stood where the last word was ended; 0: nothing */
    char mark[3];
    char *why;
    size_t size;
};

static const char *say(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *say(struct reader *r, const char *format, ...)
{
    va_list args;
    const char *name = r->rule->name;
    const int n = name ? snprintf(r->why, r->size, "rule %s: ", name) : snprintf(r->why, r->size, "rule: ");
    va_start(args, format);
    if (n > 0 && (size_t)n < r->size)
        vsnprintf(r->why + n, r->size - (size_t)n, format, args);
    va_end(args);
    return r->why;
}

static bool ends_word(char c) { return !c || strchr(" \t\r\n:();<>=!", c); }

/* The next word; NULL at the end. In front of a value of `set' the sign = is the only mark (`set_value`). */
static char *next(struct reader *r, bool set_value)
{
    char first = r->held ? r->held : *r->at;
    char *begin = r->at;
    r->held = 0;
    while (first && strchr(" \t\r\n", first)) {
        first = *++r->at;
        begin = r->at;
    }
    if (!first)
        return NULL;
    if (!set_value && ends_word(first)) {
        const char second = r->at[1];
        const bool two = strchr("<>=!", first) && second == '=';
        r->mark[0] = first;
        r->mark[1] = two ? second : 0;
        r->mark[2] = 0;
        r->at += two ? 2 : 1;
        return r->mark;
    }
    while (*r->at && (set_value ? !strchr(" \t\r\n;", *r->at) : !ends_word(*r->at)))
        r->at++;
    r->held = *r->at;
    *r->at = 0;
    return begin;
}

static bool is(const char *word, const char *wanted) { return word && !strcmp(word, wanted); }

static bool number(const char *word, uint64_t *value)
{
    char *end;
    if (!word || *word < '0' || *word > '9')
        return false;
    *value = strtoull(word, &end, 0);
    return !*end;
}

/* ---- when -----------------------------------------------------------------------------------------------------------
 */

static bool subject(struct et_rule *rule, const char *word)
{
    uint64_t en;
    if (is(word, "all")) {
        rule->of = ET_OF_ALL;
        return true;
    }
    if (number(word, &en)) {
        rule->of = ET_OF_NUMBER;
        rule->number = (unsigned)en;
        return en < ET_NUMBERS;
    }
    rule->of = ET_OF_CLASS;
    for (rule->number = 0; word && rule->number < ET_CLASSES; rule->number++)
        if (is(word, et_class_name((enum et_class)rule->number)))
            return true;
    return false;
}

static const char *measure(struct reader *r)
{
    static const char *const names[] = {"rate", "count", "latency", "gross", "depth", "lost"};
    struct et_rule *rule = r->rule;
    const char *word = next(r, false);
    unsigned i = 0;
    while (i < 6 && !is(word, names[i]))
        i++;
    if (i == 6)
        return say(r, "`%s' is not rate, count, latency, gross, depth or lost", word ? word : "");
    rule->measure = (enum et_measure)i;
    rule->of = ET_OF_ALL;
    if (rule->measure >= ET_M_DEPTH)
        return NULL;
    if (!is(next(r, false), "("))
        return say(r, "%s wants a number, a class or all in parentheses", names[i]);
    word = next(r, false);
    if (!subject(rule, word))
        return say(r, "`%s' is neither a number up to 0x1ff, nor a class (svc, program, external, io, ...), nor all",
                   word ? word : "");
    return is(next(r, false), ")") ? NULL : say(r, "a parenthesis is not closed");
}

static const char *condition(struct reader *r)
{
    static const char *const operators[] = {">", ">=", "<", "<=", "=", "!=", "=="};
    struct et_rule *rule = r->rule;
    const char *why = measure(r);
    if (why)
        return why;
    const char *word = next(r, false);
    unsigned i = 0;
    while (i < 7 && !is(word, operators[i]))
        i++;
    if (i == 7)
        return say(r, "an operator is missing: > >= < <= = !=");
    rule->op = i == 6 ? ET_OP_EQUAL : (enum et_operator)i;
    word = next(r, false);
    if (!number(word, &rule->value))
        return say(r, "`%s' is no number", word ? word : "");
    word = next(r, false);
    if (is(word, "per")) {
        if (!number(next(r, false), &rule->per) || !rule->per || !is(next(r, false), "ticks"))
            return say(r, "behind per stands a number, not 0, and `ticks'");
        word = next(r, false);
    }
    if (!is(word, "do"))
        return say(r, "`do' is missing");
    if (rule->measure == ET_M_RATE && !rule->per)
        return say(r, "a rate is per N ticks");
    if (rule->per && rule->measure != ET_M_RATE && rule->measure != ET_M_COUNT && rule->measure != ET_M_LOST)
        return say(r, "only rate, count and lost are per N ticks");
    return NULL;
}

/* ---- do
 * -------------------------------------------------------------------------------------------------------------- */

/* KEY=VALUE ... up to a semicolon or the end. */
static const char *settings(struct reader *r, bool *more)
{
    struct et_config scratch;
    const char *key;
    et_config_reset(&scratch);
    *more = false;
    unsigned count = 0;
    while ((key = next(r, false)) && !is(key, ";")) {
        struct et_rule *rule = r->rule;
        if (rule->actions == ET_RULE_ACTIONS)
            return say(r, "there are more than %u actions", ET_RULE_ACTIONS);
        const char *sign = next(r, false), *value = is(sign, "=") ? next(r, true) : NULL;
        if (!value)
            return say(r, "`%s' wants a value: KEY=VALUE", key);
        char why[256];
        if (et_config_key(&scratch, key, value, why, sizeof why))
            return say(r, "%s", why);
        rule->action[rule->actions++] = (struct et_action){.deed = ET_DO_SET, .key = key, .text = value};
        count++;
    }
    *more = key != NULL;
    return count ? NULL : say(r, "set wants KEY=VALUE");
}

static const char *action(struct reader *r, bool *more)
{
    static const char *const deeds[] = {"set", "mark", "alert", "mode", "stop"};
    struct et_rule *rule = r->rule;
    const char *word = next(r, false);
    unsigned i = 0;
    while (i < 5 && !is(word, deeds[i]))
        i++;
    if (i == 5)
        return say(r, "`%s' is not set, mark, alert, mode or stop", word ? word : "");
    if (i == ET_DO_SET)
        return settings(r, more);
    if (rule->actions == ET_RULE_ACTIONS)
        return say(r, "there are more than %u actions", ET_RULE_ACTIONS);
    struct et_action *a = &rule->action[rule->actions++];
    *a = (struct et_action){.deed = (enum et_deed)i};
    if (a->deed == ET_DO_MARK && !number(next(r, false), &a->value))
        return say(r, "mark wants a number");
    if (a->deed == ET_DO_MODE && (!(a->text = next(r, false)) || ends_word(*a->text)))
        return say(r, "mode wants a name");
    word = next(r, false);
    *more = word != NULL;
    return word && !is(word, ";") ? say(r, "`%s' stands where `;' or the end should", word) : NULL;
}

const char *et_rule_read(struct et_rule *rule, char *why, size_t size)
{
    struct reader r = {.rule = rule, .at = rule->words, .why = why, .size = size};
    bool more = true;
    strcpy(rule->words, rule->text);
    rule->name = NULL;
    rule->actions = 0;
    rule->per = 0;
    if (!is(next(&r, false), "rule"))
        return say(&r, "a line begins with `rule NAME:'");
    const char *name = next(&r, false);
    if (!name || ends_word(*name))
        return say(&r, "a line begins with `rule NAME:'");
    rule->name = name;
    if (!is(next(&r, false), ":") || !is(next(&r, false), "when"))
        return say(&r, "behind the name stand `:' and `when'");
    const char *wrong = condition(&r);
    while (!wrong && more)
        wrong = action(&r, &more);
    return wrong;
}

/* ---- asked
 * ----------------------------------------------------------------------------------------------------------- */

bool et_rule_holds(const struct et_rule *rule, uint64_t measured)
{
    switch (rule->op) {
    case ET_OP_MORE:
        return measured > rule->value;
    case ET_OP_MORE_EQUAL:
        return measured >= rule->value;
    case ET_OP_LESS:
        return measured < rule->value;
    case ET_OP_LESS_EQUAL:
        return measured <= rule->value;
    case ET_OP_EQUAL:
        return measured == rule->value;
    default:
        return measured != rule->value;
    }
}

bool et_rule_about(const struct et_rule *rule, unsigned en)
{
    if (rule->of == ET_OF_ALL)
        return true;
    return rule->of == ET_OF_NUMBER ? rule->number == en : et_number_class(en) == (enum et_class)rule->number;
}
