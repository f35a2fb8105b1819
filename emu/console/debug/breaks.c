/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and their conditions. */
#include "cpu/state/interruptions.h"
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include "emu/console/base/told.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

int console_break_met(const struct console *c, const struct cpu *cpu, bool of_class, unsigned n)
{
    for (; n < c->break_count; n++) {
        const struct console_break *b = &c->breaks[n];
        if (b->of_class == of_class &&
            (of_class ? b->class == cpu->taken.class && (b->code < 0 || b->code == cpu->taken.code)
                      : b->address == cpu->psw.ia))
            return (int)n;
    }
    return -1;
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
    const int n = console_break_met(c, cpu, true, 0);
    return n < 0 ? NULL : &c->breaks[n];
}

bool console_break_holds(struct console *c, struct cpu *cpu, const struct console_break *b)
{
    for (unsigned i = 0; i < c->break_count; i++)
        if (c->breaks[i].of_class == b->of_class && c->breaks[i].address == b->address &&
            console_when_holds(c, cpu, &c->breaks[i].when))
            return true;
    return false;
}

/* The same place. */
static bool same_place(const struct console_break *a, const struct console_break *b)
{
    return !a->passing && !b->passing && a->of_class == b->of_class &&
           (a->of_class ? a->class == b->class && a->code == b->code : a->address == b->address);
}

/* The same breakpoint as this one, when there is one already: at the same place for the same CPU and space. */
static struct console_break *same(struct console *c, const struct console_break *b)
{
    for (unsigned i = 0; i < c->break_count; i++) {
        struct console_break *old = &c->breaks[i];
        if (same_place(old, b) && old->when.on_cpu == b->when.on_cpu && old->when.cpu == b->when.cpu &&
            old->when.in_space == b->when.in_space && old->when.space == b->when.space)
            return old;
    }
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

void console_break_passed(struct console *c)
{
    for (unsigned i = c->break_count; i-- > 0;)
        if (c->breaks[i].passing)
            console_break_remove(c, &c->breaks[i]);
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

/* "program 5", "program addressing", "io": 0 with a breakpoint of a class and in *used how many words these and the
   command are, 1: no such word, or -1 after a sentence. */
static int parse_class(struct console *c, const char *command, int argc, char **argv, struct console_break *b,
                       int *used)
{
    const struct console_word *word = console_word(c, command, "", argv[1]);
    uint64_t code;
    if (!word || strcmp(word->word, "all") == 0)
        return 1;
    *b = (struct console_break){.of_class = true, .class = (uint8_t)word->value, .code = -1};
    *used = 2;
    if (argc < 3 || !*word->arguments || console_word(c, "b", "*", argv[2]))
        return 0;
    const bool program = word->value == CPU_CLASS_PROGRAM;
    const int named = program ? cpu_program_find(argv[2]) : -1;
    if (program && named < 0 && isalpha((unsigned char)*argv[2]) && !strchr(argv[2], '(') &&
        argv[2][strspn(argv[2], "0123456789ABCDEFabcdef")])
        return console_fail(c,
                            "%s program: '%.60s' is no program interruption; give a code, or a name of "
                            "zri-interruptions(7), or the beginning of one",
                            command, argv[2]);
    if (named < 0 && console_hex(c, argv[2], 0xffff, &code))
        return -1;
    b->code = named >= 0 ? named : (int64_t)code;
    *used = 3;
    return 0;
}

int console_cmd_break(struct console *c, int argc, char **argv)
{
    int used = 2;
    struct console_break b = {0};
    if (argc < 2)
        return console_usage(c, "b");
    const int code = parse_class(c, "b", argc, argv, &b, &used);
    if (code < 0 || (code && console_value(c, argv[1], &b.address)) ||
        console_when_parse(c, "b", argc - used, argv + used, &b.when))
        return -1;
    return console_break_add(c, &b);
}

int console_cmd_unbreak(struct console *c, int argc, char **argv)
{
    struct console_break b = {0};
    int used = 2;
    bool any = false;
    if (argc < 2)
        return console_usage(c, "b-");
    const int code = parse_class(c, "b-", argc, argv, &b, &used);
    if (code < 0 || argc > used)
        return code < 0 ? -1 : console_usage(c, "b-");
    const bool all = code && strcasecmp(argv[1], "all") == 0;
    if (code && !all && console_value(c, argv[1], &b.address))
        return -1;
    for (unsigned i = c->break_count; i-- > 0;)
        if (all || same_place(&c->breaks[i], &b)) {
            console_break_remove(c, &c->breaks[i]);
            any = true;
        }
    if (any || all)
        return 0;
    return b.of_class ? console_fail(c, "b-: there is no such breakpoint; b? lists them")
                      : console_fail(c, "b-: there is no breakpoint at %" PRIX64 "; b? lists them", b.address);
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
        char condition[1024] = "";
        console_when_words(&b->when, condition, sizeof condition);
        break_words(c, b, words, sizeof words);
        SHOW_ROW(c, "{}{}, met {} times\n", fact_text(b->of_class ? "interruption" : NULL, words),
                 fact_text(NULL, condition), fact_number("hits", b->when.hits),
                 fact_if(!b->of_class, fact_hex("address", b->address, 16)),
                 fact_text("condition", condition + (*condition == ' ')));
    }
    show_end_list(c);
    if (!c->break_count)
        show_words(c, "no breakpoints\n");
    return 0;
}
