/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On-line analyser: a decoder behind each unit, what it has measured, and what follows from it. */
#include "ri/trace/rules/rules.h"
#include "base/bits.h"
#include "ri/trace/decode.h"
#include "ri/trace/rules/rule.h"
#include <stdio.h>
#include <stdlib.h>

#define UNITS 256u

/* What a rule has seen on one unit. */
struct seen {
    uint64_t measured, begin; /* count or losses in the window that began then */
    bool held;                /* the condition was true at the last look (in this window) */
};

/* The analyser of one unit. With host threads each CPU calls its own. */
struct analyser {
    struct et_rules *rules;
    struct et_cpu *cpu;
    struct et_decoder *decoder;
    uint64_t due; /* a bit for each rule whose actions are to be done */
    bool acting, windows;
    struct seen seen[ET_RULES_MAX];
    uint64_t fired[ET_RULES_MAX];
    char refused[ET_RULES_MAX][160];
};

struct et_rules {
    struct et_machine *machine;
    unsigned count;
    char part[ET_RULE_TEXT]; /* a rule whose `do' is still to come */
    struct et_rule rule[ET_RULES_MAX];
    struct analyser *analyser[UNITS];
};

struct et_rules *et_rules_new(void) { return calloc(1, sizeof(struct et_rules)); }

void et_rules_free(struct et_rules *rules)
{
    if (!rules)
        return;
    if (rules->machine)
        et_unlisten(rules->machine, rules);
    for (unsigned i = 0; i < UNITS; i++)
        if (rules->analyser[i]) {
            et_decoder_free(rules->analyser[i]->decoder);
            free(rules->analyser[i]);
        }
    free(rules);
}

/* ---- reading
 * --------------------------------------------------------------------------------------------------------- */

static bool has_do(const char *text)
{
    for (const char *at = text; (at = strstr(at, "do")); at += 2)
        if ((at == text || strchr(" \t", at[-1])) && (!at[2] || strchr(" \t", at[2])))
            return true;
    return false;
}

static const char *complete(struct et_rules *rules, const char *text, char *why, size_t size)
{
    struct et_rule *rule = &rules->rule[rules->count];
    if (rules->count == ET_RULES_MAX) {
        snprintf(why, size, "there are more than %u rules", ET_RULES_MAX);
        return why;
    }
    snprintf(rule->text, sizeof rule->text, "%s", text);
    const char *wrong = et_rule_read(rule, why, size);
    for (unsigned i = 0; !wrong && i < rules->count; i++)
        if (!strcmp(rules->rule[i].name, rule->name)) {
            snprintf(why, size, "there are two rules `%s'", rule->name);
            wrong = why;
        }
    rules->count += !wrong;
    return wrong;
}

const char *et_rules_line(struct et_rules *rules, const char *line, char *why, size_t size)
{
    char text[ET_RULE_TEXT];
    while (*line == ' ' || *line == '\t')
        line++;
    if (!*line || *line == '#')
        return NULL;
    const bool second = !strncmp(line, "do", 2) && (line[2] == ' ' || line[2] == '\t');
    if (second != (*rules->part != 0)) {
        snprintf(why, size, second ? "`do' stands behind no rule" : "the rule before has no `do'");
        return why;
    }
    const int n = snprintf(text, sizeof text, "%s%s%s", rules->part, second ? " " : "", line);
    *rules->part = 0;
    if (n >= (int)sizeof text) {
        snprintf(why, size, "a rule is at most %u characters long", ET_RULE_TEXT - 1);
        return why;
    }
    if (has_do(text))
        return complete(rules, text, why, size);
    memcpy(rules->part, text, sizeof text);
    return NULL;
}

/* ---- measuring
 * -------------------------------------------------------------------------------------------------------- */

static void fire(struct analyser *a, unsigned i)
{
    a->due |= UINT64_C(1) << i;
    a->fired[i]++;
}

/* A quantity that stays: the rule fires when its condition becomes true. */
static void level(struct analyser *a, unsigned i, uint64_t measured)
{
    const bool holds = et_rule_holds(&a->rules->rule[i], measured);
    if (holds && !a->seen[i].held)
        fire(a, i);
    a->seen[i].held = holds;
}

/* Conditions that can only become true while a window goes on are looked at with every event; the others when it is
   over. */
static bool early(const struct et_rule *rule) { return rule->op == ET_OP_MORE || rule->op == ET_OP_MORE_EQUAL; }

static void window(struct analyser *a, unsigned i, uint64_t time)
{
    const struct et_rule *rule = &a->rules->rule[i];
    struct seen *s = &a->seen[i];
    if (!rule->per || time - s->begin < rule->per || time < s->begin)
        return;
    if (!early(rule) && et_rule_holds(rule, s->measured))
        fire(a, i);
    s->measured = 0;
    s->held = false;
    s->begin += (time - s->begin) / rule->per * rule->per;
}

static void counted(struct analyser *a, unsigned i, uint64_t more)
{
    const struct et_rule *rule = &a->rules->rule[i];
    a->seen[i].measured += more;
    if (!rule->per || early(rule))
        level(a, i, a->seen[i].measured);
}

static void look(struct analyser *a, unsigned i, const struct et_event *e)
{
    const struct et_rule *rule = &a->rules->rule[i];
    const bool about = e->en_known ? et_rule_about(rule, e->en) : rule->of == ET_OF_ALL;
    window(a, i, e->time);
    switch (rule->measure) {
    case ET_M_RATE:
    case ET_M_COUNT:
        if (e->kind == ET_K_ENTRY && about)
            counted(a, i, 1);
        break;
    case ET_M_LATENCY:
        if (e->kind == ET_K_ENTRY && about && e->latency_known && et_rule_holds(rule, e->latency))
            fire(a, i);
        break;
    case ET_M_GROSS:
        if (e->kind == ET_K_EXIT && about && e->durations && et_rule_holds(rule, e->gross))
            fire(a, i);
        break;
    case ET_M_DEPTH:
        if (e->kind <= ET_K_RETURN && e->depth_known)
            level(a, i, e->depth);
        break;
    default:
        if (e->kind == ET_K_LOST && e->value != UINT64_MAX)
            counted(a, i, e->value);
        break;
    }
}

static void decoded(void *context, const struct et_event *e)
{
    struct analyser *a = context;
    if (e->kind > ET_K_MARK && e->kind != ET_K_LOST)
        return;
    for (unsigned i = 0; i < a->rules->count; i++) {
        if (!a->windows)
            a->seen[i].begin = e->time;
        look(a, i, e);
    }
    a->windows = true;
}

/* Losses are told as events too; what else is wrong with a stream is no matter of rules. */
static void diagnosed(void *context, const struct et_diagnostic *diagnostic)
{
    (void)context;
    (void)diagnostic;
}

/* ---- acting
 * ------------------------------------------------------------------------------------------------------------ */

/* NULL, or why the action was not carried out. All keys of a rule become one change. */
static const char *act(struct analyser *a, const struct et_rule *rule, const struct et_action *action,
                       struct et_config *config)
{
    unsigned number;
    char why[160];
    const struct et_host *host = et_cpu_host(a->cpu, &number);
    switch (action->deed) {
    case ET_DO_SET: /* it has been read before */
        et_config_key(config, action->key, action->text, why, sizeof why);
        return NULL;
    case ET_DO_MARK:
        et_mark(a->cpu, action->value);
        return NULL;
    case ET_DO_ALERT:
        if (!host->alert)
            return "this machine has no measurement alerts";
        host->alert(host->context, number);
        return NULL;
    case ET_DO_MODE:
        return host->mode && host->mode(host->context, number, action->text) ? NULL : "there is no such mode";
    default:
        if (!host->stop)
            return "this machine cannot be stopped";
        host->stop(host->context, number, rule->name);
        return NULL;
    }
}

static void carry_out(struct analyser *a, unsigned i)
{
    const struct et_rule *rule = &a->rules->rule[i];
    struct et_config config = *et_configuration(a->cpu);
    const char *refused = NULL;
    bool change = false;
    for (unsigned n = 0; n < rule->actions; n++) {
        const char *why = act(a, rule, &rule->action[n], &config);
        refused = why ? why : refused;
        change |= rule->action[n].deed == ET_DO_SET;
    }
    if (change) {
        const char *why = et_configure(a->cpu, &config, ET_BY_CONSOLE);
        refused = why ? why : refused;
    }
    snprintf(a->refused[i], sizeof a->refused[i], "%s", refused ? refused : "");
}

/* What the actions put out themselves is looked at, too, but acted upon with the next event only. */
static void through(void *context, struct et_cpu *cpu)
{
    struct et_rules *rules = context;
    struct analyser *a = rules->analyser[et_cpu_source(cpu)];
    if (a->acting)
        return;
    a->acting = true;
    uint64_t due = a->due;
    a->due = 0;
    for (unsigned i = 0; due; i++, due >>= 1)
        if (due & 1)
            carry_out(a, i);
    a->acting = false;
}

/* The decoder reads a container: a chunk for each piece. */
static void put(void *context, struct et_cpu *cpu, bool timing, const uint8_t *bytes, size_t size)
{
    struct et_rules *rules = context;
    struct analyser *a = rules->analyser[et_cpu_source(cpu)];
    uint8_t header[ET_CHUNK_HEADER] = {0x5a, 0x43, (uint8_t)et_cpu_source(cpu),
                                       timing ? ET_CHUNK_TIMING : ET_CHUNK_EVENTS};
    put32(header + 4, (uint32_t)size);
    et_decoder_push(a->decoder, header, sizeof header);
    et_decoder_push(a->decoder, bytes, size);
}

/* ---- beginning
 * ----------------------------------------------------------------------------------------------------------- */

static struct analyser *analyser_new(struct et_rules *rules, struct et_cpu *cpu)
{
    static const uint8_t file[ET_FILE_HEADER] = {'Z', 'E', 'T', 'C', 1, 0, 0, 0, 0, 0, 0, 1};
    struct analyser *a = calloc(1, sizeof *a);
    const struct et_decoder_calls calls = {.context = a, .event = decoded, .diagnostic = diagnosed};
    const struct et_decoder_options options = {.strict = false};
    if (!a)
        return NULL;
    a->rules = rules;
    a->cpu = cpu;
    a->decoder = et_decoder_new(&calls, &options);
    if (a->decoder && !et_decoder_push(a->decoder, file, sizeof file))
        return a;
    et_decoder_free(a->decoder);
    free(a);
    return NULL;
}

const char *et_rules_attach(struct et_rules *rules, struct et_machine *machine, char *why, size_t size)
{
    const struct et_listener listener = {.context = rules, .put = put, .through = through};
    if (*rules->part) {
        snprintf(why, size, "the last rule has no `do'");
        return why;
    }
    if (!rules->count)
        return NULL;
    for (unsigned source = 0; source < UNITS; source++) {
        struct et_cpu *cpu = et_machine_cpu(machine, source);
        if (cpu && !(rules->analyser[source] = analyser_new(rules, cpu))) {
            snprintf(why, size, "there is no memory for the on-line analyser");
            return why;
        }
    }
    if (!et_listen(machine, &listener)) {
        snprintf(why, size, "there are too many listeners to exception trace");
        return why;
    }
    rules->machine = machine;
    return NULL;
}

bool et_rules_view(const struct et_rules *rules, unsigned index, struct et_rule_view *view)
{
    if (index >= rules->count)
        return false;
    *view = (struct et_rule_view){.name = rules->rule[index].name, .text = rules->rule[index].text};
    for (unsigned i = 0; i < UNITS; i++) {
        const struct analyser *a = rules->analyser[i];
        if (!a)
            continue;
        view->fired += a->fired[index];
        if (*a->refused[index])
            view->refused = a->refused[index];
    }
    return true;
}
