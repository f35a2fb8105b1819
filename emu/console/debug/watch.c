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
        SHOW_ROW(c, "{}.{} {}\n", fact_hex("address", w->address, 16), fact_hex("length", w->length, 1),
                 fact_text("kind", kind_word(c, w->kind)));
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

int console_cmd_watch(struct console *c, int argc, char **argv)
{
    struct cpu_watches all = *watches(c);
    struct cpu_watch w = {.kind = CPU_STORE};
    if (argc == 1)
        return list(c);
    if (argc > 3 || all.count == CPU_WATCHES)
        return argc > 3 ? console_usage(c, "watch") : replace(c, &(struct cpu_watches){.count = CPU_WATCHES + 1});
    if (argc == 3) {
        const struct console_word *word = console_word(c, "watch", "*", argv[2]);
        if (!word)
            return console_fail(c, "watch: '%.20s' is not one of r, w and rw", argv[2]);
        w.kind = (uint8_t)word->value;
    }
    if (parse(c, argv[1], &w))
        return -1;
    all.watch[all.count++] = w;
    return replace(c, &all);
}

int console_cmd_unwatch(struct console *c, int argc, char **argv)
{
    struct cpu_watches left = {0};
    const struct cpu_watches *all = watches(c);
    uint64_t address;
    if (argc != 2)
        return console_usage(c, "watch-");
    if (strcasecmp(argv[1], "all") == 0)
        return replace(c, &left);
    if (console_value(c, argv[1], &address))
        return -1;
    for (unsigned i = 0; i < all->count; i++)
        if (all->watch[i].address != address)
            left.watch[left.count++] = all->watch[i];
    if (left.count == all->count)
        return console_fail(c, "watch-: nothing is watched at %" PRIX64 "; watch lists what is", address);
    return replace(c, &left);
}

void console_show_watched(struct console *c, struct cpu *cpu)
{
    for (unsigned i = 0; i < cpu->watched.count; i++) {
        const struct cpu_watch_hit *hit = &cpu->watched.hits[i];
        uint8_t bytes[16];
        char hex[2 * sizeof bytes + 1] = "";
        const unsigned had = look_fetch(c, CPU_SPACE_CURRENT, 0, hit->address, bytes, sizeof bytes);
        for (unsigned k = 0; k < had; k++)
            snprintf(hex + 2 * k, sizeof hex - 2 * k, "%02X", bytes[k]);
        SHOW(c, "watchpoint at {} {}: accessed at {}, where there is now {}\n", fact_hex("watchpoint", hit->watch, 1),
             fact_text("kind", kind_word(c, hit->kind)), fact_hex("at", hit->address, 1), fact_text("now", hex));
    }
    cpu->watched.count = 0;
}
