/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms: "VALUE", "VALUE RELATION VALUE", joined by "and". A value is one of the console (%r1, 10000, word(20000)) or
   one of the functions in the table below. */
#include "emu/lesson/terms.h"
#include "cpu/control/model.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include "disasm/dis.h"
#include "emu/console/base/base.h"
#include "emu/console/base/look.h"
#include "emu/lesson/record.h"
#include "emu/machine/machine.h"
#include "ri/ri.h"
#include "ri/state.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORD      160u /* characters of a word of a condition */
#define WORDS     40u
#define ARGUMENTS 3u
#define NESTED    4u /* functions in functions */

/* A function that is being worked out. */
struct call {
    struct console *c;
    const struct record *record;
    char arguments[ARGUMENTS][WORD];
    unsigned count, depth;
};

static int value_of(struct console *c, const struct record *record, const char *text, unsigned depth, uint64_t *value);
static int argument(const struct call *call, unsigned n, uint64_t *value)
{
    return value_of(call->c, call->record, call->arguments[n], call->depth + 1, value);
}

/* ---- functions: what has happened ------------------------------------------------------------------------------ */

static int class_of(const char *word)
{
    static const char *const names[] = {[CPU_CLASS_PROGRAM] = "program",
                                        [CPU_CLASS_SVC] = "svc",
                                        [CPU_CLASS_EXTERNAL] = "external",
                                        [CPU_CLASS_IO] = "io",
                                        [CPU_CLASS_MACHINE_CHECK] = "machine-check",
                                        [CPU_CLASS_RESTART] = "restart"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], word) == 0)
            return (int)i;
    return -1;
}

static int happened(const struct call *call, uint64_t *value)
{
    uint64_t code, address;
    const int class = class_of(call->arguments[0]);
    if (class < 0)
        return console_fail(call->c,
                            "'%.40s' is no class of interruptions; there are program, svc, external, io, "
                            "machine-check and restart",
                            call->arguments[0]);
    if ((call->count > 1 && argument(call, 1, &code)) || (call->count > 2 && argument(call, 2, &address)))
        return -1;
    *value = record_happened(call->record, (enum cpu_class) class, call->count > 1 ? &code : NULL,
                             call->count > 2 ? &address : NULL);
    return 0;
}

/* The row of a mnemonic in whatever letters. */
static uint16_t row_of(const char *mnemonic)
{
    char small[16] = "";
    for (size_t i = 0; mnemonic[i] && i + 1 < sizeof small; i++)
        small[i] = (char)tolower((unsigned char)mnemonic[i]);
    return dis_find(small);
}

static int used(const struct call *call, uint64_t *value)
{
    *value = record_counted(call->record, true, row_of(call->arguments[0]));
    return 0;
}

static int executed(const struct call *call, uint64_t *value)
{
    uint64_t address;
    if (argument(call, 0, &address))
        return -1;
    *value = record_counted(call->record, false, address);
    return 0;
}

static int typed(const struct call *call, uint64_t *value)
{
    const struct console_command *command = console_find(call->c, call->arguments[0]);
    const size_t n = command ? (size_t)(command - call->c->table->commands) : RECORD_TYPED;
    if (n >= RECORD_TYPED)
        return console_fail(call->c, "typed: there is no command '%.40s'", call->arguments[0]);
    *value = call->record->typed[n];
    return 0;
}

static int wrote(const struct call *call, uint64_t *value)
{
    *value = strstr(call->record->output, call->arguments[0]) != NULL;
    return 0;
}

static int instructions(const struct call *call, uint64_t *value)
{
    *value = machine_instructions(call->c->machine) - call->record->instructions;
    return 0;
}

static int ri_count(const struct call *call, uint64_t *value)
{
    const struct cpu *cpu = call->c->cpu;
    const struct ri *ri = cpu->ri;
    const struct record *r = call->record;
    const unsigned n = cpu->address;
    if (strcasecmp(call->arguments[0], "groups") == 0)
        *value = ri->groups - r->groups[n];
    else if (strcasecmp(call->arguments[0], "samples") == 0)
        *value = ri->told.samples - r->samples[n];
    else if (strcasecmp(call->arguments[0], "halts") == 0)
        *value = ri->halts - r->halts[n];
    else
        return console_fail(call->c, "ri: '%.40s' is not one of groups, samples and halts", call->arguments[0]);
    return 0;
}

/* An event of the pipeline model since the task began: how often it came in completed instructions, or with `walked` in
   those of wrong paths. */
static int model_count(const struct call *call, uint64_t *value)
{
    struct ec_model *model = cpu_model(call->c->machine->sys.cpus[0]);
    const struct ec_totals *from = &call->record->totals;
    struct ec_totals now;
    const bool walked = call->count == 2 && strcasecmp(call->arguments[1], "walked") == 0;
    if (!model)
        return console_fail(call->c, "the pipeline model is off; the lesson needs 'machine pipe teach'");
    if (call->count == 2 && !walked)
        return console_fail(call->c, "model: '%.40s' is not 'walked'", call->arguments[1]);
    ec_model_totals(model, &now);
    if (strcasecmp(call->arguments[0], "cycles") == 0) {
        *value = now.cycles - from->cycles;
        return 0;
    }
    const enum ec_event e = ec_event_named(call->arguments[0]);
    if (e == EC_NONE)
        return console_fail(call->c, "model: there is no event '%.40s'", call->arguments[0]);
    *value = now.completed[e] - from->completed[e];
    if (walked)
        *value = now.all[e] - from->all[e] - *value;
    return 0;
}

/* ---- functions: how the machine is ----------------------------------------------------------------------------- */

static int holds_bytes(const struct call *call, uint64_t *value)
{
    const struct storage *s = &call->c->machine->sys.storage;
    const char *hex = call->arguments[1];
    const size_t n = strlen(hex) / 2;
    uint64_t address;
    if (argument(call, 0, &address))
        return -1;
    if (!n || strspn(hex, "0123456789abcdefABCDEF") != 2 * n || hex[2 * n])
        return console_fail(call->c, "holds: '%.40s' are no bytes; write pairs of hexadecimal digits", hex);
    *value = storage_has(s, address, n);
    for (size_t i = 0; *value && i < n; i++) {
        const char pair[3] = {hex[2 * i], hex[2 * i + 1], 0};
        *value = s->bytes[address + i] == strtoul(pair, NULL, 16);
    }
    return 0;
}

static int key(const struct call *call, uint64_t *value)
{
    const struct storage *s = &call->c->machine->sys.storage;
    uint64_t address;
    if (argument(call, 0, &address))
        return -1;
    if (!storage_has(s, address, 1))
        return console_fail(call->c, "key: there is no storage at %.40s", call->arguments[0]);
    *value = s->keys[address >> PAGE_BITS];
    return 0;
}

/* A space by its word; false: it is none. */
static bool space_of(const char *word, enum cpu_space *space)
{
    static const struct {
        const char *word;
        enum cpu_space space;
    } spaces[] = {{"primary", CPU_SPACE_PRIMARY},
                  {"secondary", CPU_SPACE_SECONDARY},
                  {"home", CPU_SPACE_HOME},
                  {"real", CPU_SPACE_REAL}};
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strcasecmp(spaces[i].word, word) == 0) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static int no_space(const struct call *call, unsigned n)
{
    return console_fail(call->c, "'%.40s' is not one of primary, secondary, home and real", call->arguments[n]);
}

/* The absolute address, all ones where there is none. */
static int translation(const struct call *call, uint64_t *value)
{
    enum cpu_space space = CPU_SPACE_CURRENT;
    uint64_t address, absolute;
    bool protect;
    if (argument(call, 0, &address))
        return -1;
    if (call->count == 2 && !space_of(call->arguments[1], &space))
        return no_space(call, 1);
    const int code = cpu_walk(call->c->cpu, space, 0, address, NULL, NULL, &absolute, &protect);
    *value = code ? UINT64_MAX : absolute;
    return 0;
}

/* The code of the program interruption that such an access would meet; 0: none. */
static int refused(const struct call *call, uint64_t *value)
{
    struct cpu *cpu = call->c->cpu;
    enum cpu_space space = CPU_SPACE_CURRENT;
    uint64_t address, absolute;
    const bool store = strcasecmp(call->arguments[0], "store") == 0;
    if (!store && strcasecmp(call->arguments[0], "fetch") != 0)
        return console_fail(call->c, "refused: '%.40s' is not one of fetch and store", call->arguments[0]);
    if (call->count == 3 && !space_of(call->arguments[2], &space))
        return no_space(call, 2);
    if (argument(call, 1, &address))
        return -1;
    const uint64_t teid = cpu->teid;
    const struct cpu_access access = {.address = address,
                                      .space = space,
                                      .key = (uint8_t)cpu_key(cpu),
                                      .kind = store ? CPU_STORE : CPU_FETCH,
                                      .test = true};
    *value = (uint64_t)cpu_translate(cpu, &access, &absolute);
    cpu->teid = teid;
    return 0;
}

static int psw(const struct call *call, uint64_t *value)
{
    static const struct {
        const char *name;
        uint8_t first, last; /* bits of the PSW's mask */
    } fields[] = {{"per", 1, 1},     {"dat", 5, 5},       {"io", 6, 6},     {"external", 7, 7},
                  {"key", 8, 11},    {"machine", 13, 13}, {"wait", 14, 14}, {"problem", 15, 15},
                  {"space", 16, 17}, {"cc", 18, 19},      {"mask", 20, 23}, {"ri", 24, 24}};
    const uint64_t mask = cpu_psw_mask(call->c->cpu);
    if (strcasecmp(call->arguments[0], "mode") == 0) { /* 24, 31, 64 as they are written */
        *value = mask & PSW_EA ? 0x64 : mask & PSW_BA ? 0x31 : 0x24;
        return 0;
    }
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcasecmp(fields[i].name, call->arguments[0]) == 0) {
            *value = field64(mask, fields[i].first, fields[i].last);
            return 0;
        }
    return console_fail(call->c,
                        "psw: there is no field '%.40s'; there are per, dat, io, external, key, machine, wait, "
                        "problem, space, cc, mask, ri and mode",
                        call->arguments[0]);
}

static struct cpu *cpu_of(const struct call *call)
{
    uint64_t n;
    if (argument(call, 0, &n))
        return NULL;
    if (n < call->c->machine->sys.cpu_count)
        return call->c->machine->sys.cpus[n];
    console_fail(call->c, "there is no CPU %.40s in this machine", call->arguments[0]);
    return NULL;
}

static int stopped(const struct call *call, uint64_t *value)
{
    const struct cpu *cpu = cpu_of(call);
    *value = cpu && cpu->state == CPU_STATE_STOPPED;
    return cpu ? 0 : -1;
}

/* It waits and nothing can wake it: the end of a program. */
static int disabled(const struct call *call, uint64_t *value)
{
    const struct cpu *cpu = cpu_of(call);
    *value = cpu && machine_disabled_wait(cpu);
    return cpu ? 0 : -1;
}

static int of_cpu(const struct call *call, uint64_t *value)
{
    struct cpu *cpu = cpu_of(call), *chosen = call->c->cpu;
    if (!cpu)
        return -1;
    call->c->cpu = cpu;
    const int code = argument(call, 1, value);
    call->c->cpu = chosen;
    return code;
}

/* ---- words ----------------------------------------------------------------------------------------------------- */

static const struct function {
    const char *name;
    uint8_t least, most; /* arguments */
    int (*work)(const struct call *call, uint64_t *value);
} functions[] = {
    {"happened", 1, 3, happened},
    {"used", 1, 1, used},
    {"executed", 1, 1, executed},
    {"typed", 1, 1, typed},
    {"wrote", 1, 1, wrote},
    {"instructions", 0, 0, instructions},
    {"ri", 1, 1, ri_count},
    {"model", 1, 2, model_count},
    {"holds", 2, 2, holds_bytes},
    {"key", 1, 1, key},
    {"translation", 1, 2, translation},
    {"refused", 2, 3, refused},
    {"psw", 1, 1, psw},
    {"stopped", 1, 1, stopped},
    {"disabled", 1, 1, disabled},
    {"cpu", 2, 2, of_cpu},
};

/* The function of a word, and how long its name is; NULL: it is a value of the console. */
static const struct function *function_of(const char *word)
{
    const size_t n = strcspn(word, "(");
    for (unsigned i = 0; word[n] && i < sizeof functions / sizeof *functions; i++)
        if (strlen(functions[i].name) == n && strncasecmp(functions[i].name, word, n) == 0)
            return &functions[i];
    return NULL;
}

/* "NAME(A,B)" into its arguments. False: its parentheses or their number are wrong. */
static bool split(const char *word, const struct function *f, char arguments[ARGUMENTS][WORD], unsigned *count)
{
    const char *at = strchr(word, '(') + 1;
    const char *end = strrchr(word, ')');
    int depth = 0;
    size_t n = 0;
    *count = 0;
    if (!end || end[1])
        return false;
    if (end == at)
        return f->least == 0;
    for (; at <= end; at++) {
        depth += at < end ? (*at == '(') - (*at == ')') : 0;
        if (depth < 0 || *count == f->most || n + 1 >= WORD)
            return false;
        if (at == end || (*at == ',' && !depth)) {
            arguments[(*count)++][n] = 0;
            if (!n)
                return false;
            n = 0;
        } else {
            arguments[*count][n++] = *at;
        }
    }
    return depth == 0 && *count >= f->least;
}

static int value_of(struct console *c, const struct record *record, const char *text, unsigned depth, uint64_t *value)
{
    const struct function *f = function_of(text);
    struct call call = {.c = c, .record = record, .depth = depth};
    if (strcasecmp(text, "answer") == 0)
        return *record->answer ? console_value(c, record->answer, value) : -1;
    if (!f)
        return console_value(c, text, value);
    if (depth == NESTED || !split(text, f, call.arguments, &call.count))
        return console_fail(c, "'%.60s' has not the arguments that %s takes", text, f->name);
    return f->work(&call, value);
}

/* The words of a condition; blanks within parentheses belong to them. How many there are, or 0. */
static unsigned words_of(const char *text, char words[WORDS][WORD])
{
    unsigned count = 0;
    while (*(text += strspn(text, " "))) {
        size_t n = 0;
        int depth = 0;
        if (count == WORDS)
            return 0;
        for (; *text && (depth > 0 || *text != ' '); text++) {
            depth += (*text == '(') - (*text == ')');
            if (n + 1 == WORD)
                return 0;
            words[count][n++] = *text;
        }
        words[count++][n] = 0;
    }
    return count;
}

static bool is_relation(const char *word)
{
    static const char *const relations[] = {"=", "!=", "<", ">", "<=", ">=", "is"};
    for (unsigned i = 0; i < sizeof relations / sizeof *relations; i++)
        if (strcmp(word, relations[i]) == 0)
            return true;
    return false;
}

static bool shape_of_value(const char *word, char *why, size_t size)
{
    char arguments[ARGUMENTS][WORD];
    unsigned count;
    const struct function *f = function_of(word);
    if (!f)
        return true;
    if (!split(word, f, arguments, &count)) {
        snprintf(why, size, "'%.60s' has not the arguments that %s takes", word, f->name);
        return false;
    }
    if (f->work == used && row_of(arguments[0]) == DIS_NO_ROW) {
        snprintf(why, size, "there is no instruction '%.20s'; write a mnemonic of zri-instructions(7)", arguments[0]);
        return false;
    }
    return true;
}

/* From word n on stands "VALUE" or "VALUE RELATION VALUE": how many words; 0: neither. */
static unsigned comparison(char words[WORDS][WORD], unsigned count, unsigned n)
{
    if (n >= count || is_relation(words[n]) || strcmp(words[n], "and") == 0)
        return 0;
    if (n + 1 >= count || !is_relation(words[n + 1]))
        return 1;
    return n + 2 < count && !is_relation(words[n + 2]) ? 3 : 0;
}

bool terms_shape(const char *condition, char *why, size_t size)
{
    char words[WORDS][WORD];
    const unsigned count = words_of(condition, words);
    for (unsigned n = 0; n < count || !count;) {
        const unsigned length = count ? comparison(words, count, n) : 0;
        if (!length || (n + length < count && strcmp(words[n + length], "and") != 0) || n + length + 1 == count) {
            snprintf(why, size,
                     "'%.100s' is no condition; write VALUE or VALUE RELATION VALUE, joined by and, with one of = != < "
                     "> <= >= and blanks around it",
                     condition);
            return false;
        }
        if (length == 3 && strcmp(words[n + 1], "is") == 0 && strcmp(words[n], "answer") != 0) {
            snprintf(why, size, "'is' compares the answer with a word; write 'answer is WORD'");
            return false;
        }
        for (unsigned k = 0; k < length; k += 2)
            if (!shape_of_value(words[n + k], why, size))
                return false;
        n += length + 1;
    }
    return true;
}

bool terms_prepare(struct console *c, struct record *record, const char *condition, bool *counts)
{
    char words[WORDS][WORD], arguments[ARGUMENTS][WORD];
    const unsigned count = words_of(condition, words);
    for (unsigned n = 0; n < count; n++) {
        const struct function *f = function_of(words[n]);
        unsigned number;
        uint64_t address = 0;
        if (!f || (f->work != used && f->work != executed) || !split(words[n], f, arguments, &number))
            continue;
        *counts = true;
        if (f->work == executed && console_value(c, arguments[0], &address))
            continue; /* terms_hold() says it */
        if (!record_count(record, f->work == used, f->work == used ? row_of(arguments[0]) : address))
            return false;
    }
    return true;
}

static bool compare(uint64_t left, const char *relation, uint64_t right)
{
    const bool or_equal = relation[1] == '=';
    switch (*relation) {
    case '=':
        return left == right;
    case '!':
        return left != right;
    case '<':
        return or_equal ? left <= right : left < right;
    default:
        return or_equal ? left >= right : left > right;
    }
}

int terms_hold(struct console *c, const struct record *record, const char *condition, bool *holds)
{
    char words[WORDS][WORD];
    const unsigned count = words_of(condition, words);
    *holds = true;
    for (unsigned n = 0, length; *holds && (length = comparison(words, count, n)) != 0; n += length + 1) {
        uint64_t left, right = 0;
        c->error[0] = 0;
        if (length == 3 && strcmp(words[n + 1], "is") == 0) {
            *holds = strcasecmp(record->answer, words[n + 2]) == 0;
            continue;
        }
        /* An answer that is missing, or is no value, is wrong. */
        if (value_of(c, record, words[n], 0, &left)) {
            *holds = false;
            return strcasecmp(words[n], "answer") == 0 ? 0 : -1;
        }
        if (length == 3 && value_of(c, record, words[n + 2], 0, &right))
            return -1;
        *holds = length == 3 ? compare(left, words[n + 1], right) : left != 0;
    }
    return 0;
}

int terms_value(struct console *c, const struct record *record, const char *text, uint64_t *value)
{
    return value_of(c, record, text, 0, value);
}
