/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watchpoints of the operator. */
#include "cpu/storage/watch.h"
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static struct cpu_watches *watches(const struct console *c) { return &c->session->watches[SESSION_WATCH_CONSOLE]; }

static const char *kind_word(const struct console *c, uint8_t kind)
{
    const struct console_word *word = console_word_for(c, "watch", "*", kind);
    return word ? word->word : "";
}

static const char *space_name(const struct console *c, uint8_t space)
{
    const struct console_word *word = space ? console_word_for(c, "watch", "", space) : NULL;
    return word ? word->word : "logical";
}

/* The `when` of a watchpoint: its number, or negative. */
static int rule_of(const struct console *c, uint64_t address, uint8_t kind, uint8_t space)
{
    for (unsigned i = 0; i < c->watch_count; i++)
        if (c->watches[i].address == address && c->watches[i].kind == kind && c->watches[i].space == space)
            return (int)i;
    return -1;
}

static void drop_rule(struct console *c, const struct cpu_watch *w)
{
    const int rule = rule_of(c, w->address, w->kind, w->space);
    if (rule >= 0)
        c->watches[rule] = c->watches[--c->watch_count];
}

/* This watchpoint with a `when` is what the access has met. */
static bool is_rule(const struct console_watch *rule, const struct cpu_watch_hit *hit)
{
    return rule->address == hit->watch && rule->kind == hit->kind && rule->space == hit->space;
}

/* "real ", "absolute ", or nothing for logical ones. */
static const char *space_words(uint8_t space)
{
    return space == CPU_WATCH_REAL ? "real " : space == CPU_WATCH_ABSOLUTE ? "absolute " : "";
}

int console_watch_met(const struct console *c, const struct cpu *cpu, unsigned n)
{
    for (; n < c->watch_count; n++)
        for (unsigned k = 0; k < cpu->watched.count; k++)
            if (is_rule(&c->watches[n], &cpu->watched.hits[k]))
                return (int)n;
    return -1;
}

void console_watch_forget(const struct console *c, struct cpu *cpu, unsigned n)
{
    unsigned left = 0;
    for (unsigned k = 0; k < cpu->watched.count; k++)
        if (!is_rule(&c->watches[n], &cpu->watched.hits[k]))
            cpu->watched.hits[left++] = cpu->watched.hits[k];
    cpu->watched.count = left;
}

bool console_watch_plain(const struct console *c, const struct cpu *cpu)
{
    for (unsigned k = 0; k < cpu->watched.count; k++)
        if (rule_of(c, cpu->watched.hits[k].watch, cpu->watched.hits[k].kind, cpu->watched.hits[k].space) < 0)
            return true;
    return false;
}

/* ADDRESS[.LENGTH] */
static int parse(struct console *c, char *text, struct cpu_watch *w)
{
    char *dot = strchr(text, '.');
    if (dot)
        *dot++ = 0;
    w->length = 1;
    if (console_value(c, text, &w->address) || (dot && console_value(c, dot, &w->length)))
        return -1;
    if (w->length == 0 || w->length - 1 > UINT64_MAX - w->address)
        return console_fail(c, "watch: a range has a length, and ends at FFFFFFFFFFFFFFFF at the latest");
    return 0;
}

static int list(struct console *c)
{
    const struct cpu_watches *all = watches(c);
    show_list(c, NULL);
    for (unsigned i = 0; i < all->count; i++) {
        const struct cpu_watch *w = &all->watch[i];
        const int rule = rule_of(c, w->address, w->kind, w->space);
        char words[1024] = "";
        if (rule >= 0)
            console_when_words(&c->watches[rule].when, words, sizeof words);
        SHOW_ROW(c, "{}{}.{} {}{}\n", fact_text(NULL, space_words(w->space)), fact_hex("address", w->address, 16),
                 fact_hex("length", w->length, 1), fact_text("kind", kind_word(c, w->kind)), fact_text(NULL, words),
                 fact_text("of", space_name(c, w->space)), fact_if(rule >= 0, fact_text("condition", words + 1)),
                 fact_if(rule >= 0, fact_number("hits", rule >= 0 ? c->watches[rule].when.hits : 0)));
    }
    show_end_list(c);
    return 0;
}

/* Put this list in the place of the one that there is. */
static int replace(struct console *c, const struct cpu_watches *all)
{
    if (session_watch(c->session, SESSION_WATCH_CONSOLE, all))
        return console_fail(c, "watch: there are %u watchpoints already, gdb's among them; remove one with watch-",
                            CPU_WATCHES);
    return 0;
}

/* Watch one more. */
static int add(struct console *c, const struct cpu_watch *w, const struct console_when *when)
{
    static const struct console_when always;
    struct cpu_watches all = {0};
    const struct cpu_watches *old = watches(c);
    for (unsigned i = 0; i < old->count; i++) /* the same one again has the new conditions */
        if (old->watch[i].address != w->address || old->watch[i].kind != w->kind || old->watch[i].space != w->space)
            all.watch[all.count++] = old->watch[i];
    if (all.count == CPU_WATCHES)
        return replace(c, &(struct cpu_watches){.count = CPU_WATCHES + 1});
    all.watch[all.count++] = *w;
    if (replace(c, &all))
        return -1;
    drop_rule(c, w);
    if (memcmp(when, &always, sizeof always) != 0)
        c->watches[c->watch_count++] = (struct console_watch){w->address, w->kind, w->space, *when};
    return 0;
}

/* The word in front of the address, when there is one. */
static void take_space(struct console *c, int *argc, char ***argv, uint8_t *space)
{
    const struct console_word *word = *argc > 1 ? console_word(c, "watch", "", (*argv)[1]) : NULL;
    if (!word)
        return;
    *space = (uint8_t)word->value;
    --*argc;
    ++*argv;
}

int console_cmd_watch(struct console *c, int argc, char **argv)
{
    struct cpu_watch w = {.kind = CPU_STORE};
    struct console_when when = {0};
    int used = 2;
    if (argc == 1)
        return list(c);
    take_space(c, &argc, &argv, &w.space);
    if (argc == 1)
        return console_usage(c, "watch");
    const struct console_word *word = argc > 2 ? console_word(c, "watch", "*", argv[2]) : NULL;
    if (argc > 2 && !word)
        return console_fail(c,
                            "watch: '%.20s' is not one of r, w and rw, nor one of the words before a condition: once, "
                            "count, cpu, space, if, do",
                            argv[2]);
    if (word && word->value) {
        w.kind = (uint8_t)word->value;
        used = 3;
    }
    if (parse(c, argv[1], &w) || console_when_parse(c, "watch", argc - used, argv + used, &when))
        return -1;
    return add(c, &w, &when);
}

/* All but those at an address. */
static struct cpu_watches without(struct console *c, uint64_t address, uint8_t space, bool all)
{
    struct cpu_watches left = {0};
    const struct cpu_watches *old = watches(c);
    for (unsigned i = 0; i < old->count; i++) {
        if (!all && (old->watch[i].address != address || old->watch[i].space != space))
            left.watch[left.count++] = old->watch[i];
        else
            drop_rule(c, &old->watch[i]);
    }
    return left;
}

void console_watch_remove(struct console *c, unsigned n)
{
    const struct cpu_watches left = without(c, c->watches[n].address, c->watches[n].space, false);
    (void)replace(c, &left); /* they are fewer, and so there is place */
}

int console_cmd_unwatch(struct console *c, int argc, char **argv)
{
    uint64_t address = 0;
    uint8_t space = CPU_WATCH_LOGICAL;
    take_space(c, &argc, &argv, &space);
    if (argc != 2)
        return console_usage(c, "watch-");
    const bool all = strcasecmp(argv[1], "all") == 0;
    const unsigned before = watches(c)->count;
    if (!all && console_value(c, argv[1], &address))
        return -1;
    const struct cpu_watches left = without(c, address, space, all);
    if (left.count == before && !all)
        return console_fail(c, "watch-: nothing is watched at %s%" PRIX64 "; watch lists what is", space_words(space),
                            address);
    return replace(c, &left);
}

void console_show_watched(struct console *c, struct cpu *cpu)
{
    static const enum cpu_space spaces[] = {[CPU_WATCH_LOGICAL] = CPU_SPACE_CURRENT,
                                            [CPU_WATCH_REAL] = CPU_SPACE_REAL,
                                            [CPU_WATCH_ABSOLUTE] = CPU_SPACE_ABSOLUTE};
    static const char *const who[] = {
        [CPU_WATCH_INSTRUCTION] = "instruction", [CPU_WATCH_MACHINE] = "interruption", [CPU_WATCH_OUTSIDE] = "device"};
    static const char *const done[] = {[CPU_WATCH_INSTRUCTION] = "accessed",
                                       [CPU_WATCH_MACHINE] = "stored into by an interruption",
                                       [CPU_WATCH_OUTSIDE] = "stored into by a device"};
    for (unsigned i = 0; i < cpu->watched.count; i++) {
        const struct cpu_watch_hit *hit = &cpu->watched.hits[i];
        uint8_t bytes[16];
        char hex[2 * sizeof bytes + 1] = "";
        const unsigned had = look_fetch(c, spaces[hit->space], 0, hit->address, bytes, sizeof bytes);
        for (unsigned k = 0; k < had; k++)
            snprintf(hex + 2 * k, sizeof hex - 2 * k, "%02X", bytes[k]);
        SHOW(c, "watchpoint at {}{} {}: {} at {}, where there is now {}\n", fact_text(NULL, space_words(hit->space)),
             fact_hex("watchpoint", hit->watch, 1), fact_text("kind", kind_word(c, hit->kind)),
             fact_text(NULL, done[hit->who]), fact_hex("at", hit->address, 1), fact_text("now", hex),
             fact_text("of", space_name(c, hit->space)), fact_text("by", who[hit->who]));
    }
    cpu->watched.count = 0;
}
