/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `prof`: edge profiles of the running machine. */
#include "emu/console/base/internal.h"
#include "emu/edges/profile.h"
#include "emu/console/base/show.h"
#include "ri/profile/show/output.h"
#include <stdlib.h>
#include <string.h>

#define REASON 512
#define TOP    20u

static int answer(struct console *c, int bad, const char *why) { return bad ? console_fail(c, "prof: %s", why) : 0; }

/* ---- state ------------------------------------------------------------------------------------------------------- */

static void show_key(void *context, const char *key, const char *value)
{
    SHOW(context, "  {-10} {}\n", fact_text(NULL, key), fact_text(key, value));
}

int console_prof_status(struct console *c, int argc, char **argv)
{
    const struct edge_profile_state s = edge_profile_state(c->machine);
    const struct emu_edges asked = edge_profile_asked(c->machine);
    uint64_t dropped = s.counts.queue;
    (void)argv;
    if (argc > 2)
        return console_usage(c, "prof");
    for (unsigned i = 1; i < EP_DROPS; i++)
        dropped += s.counts.dropped[i];
    show_object(c, NULL);
    SHOW(c, "profiling is {}{}\n", fact_flag("on", s.on, "on", "off"),
         fact_flag("exact", s.exact, ", every branch is counted", ""));
    SHOW(c, "events {}, samples {}: {} accepted, {} dropped\n", fact_number("events", s.events),
         fact_number("samples", s.counts.triggered), fact_number("accepted", s.counts.accepted),
         fact_number("dropped", dropped));
    if (s.on && !s.events)
        SHOW(c, "  no branch of what is profiled was executed so far: see 'what' and 'range'\n");
    for (unsigned i = 1; i < EP_DROPS; i++)
        if (s.counts.dropped[i])
            SHOW(c, "  {-20} {}\n", fact_text(NULL, ep_drop_name(i)),
                 fact_number(ep_drop_name(i), s.counts.dropped[i]));
    if (s.counts.queue)
        SHOW(c, "  drop.queue           {}\n", fact_number("drop.queue", s.counts.queue));
    SHOW(c, "address spaces {}\n", fact_number("spaces", s.spaces));
    if (s.log)
        SHOW(c, "log {}\n", fact_text("log", s.log));
    show_object(c, "parameters");
    emu_edges_show(&asked, show_key, c);
    show_end_object(c);
    show_end_object(c);
    return 0;
}

int console_cmd_prof(struct console *c, int argc, char **argv)
{
    return argc == 1 ? console_prof_status(c, argc, argv) : console_run_word(c, "prof", argc, argv);
}

int console_prof_space(struct console *c, int argc, char **argv)
{
    struct edge_space space;
    (void)argv;
    if (argc != 2)
        return console_usage(c, "prof");
    show_list(c, NULL);
    for (uint32_t i = 0; edge_profile_space(c->machine, i, &space); i++)
        SHOW_ROW(c, "{5} {-9} {}\n", fact_number("space", i), fact_text("kind", ep_space_word(space.kind)),
                 fact_hex("token", space.asce, 16));
    show_end_list(c);
    return 0;
}

/* A profile is about to be begun. */
static void tell_images(struct console *c)
{
    edge_profile_images(c->machine, c->session->requests, c->session->image_count, c->session->loads);
}

/* ---- what is done ------------------------------------------------------------------------------------------------ */

int console_prof_on(struct console *c, int argc, char **argv)
{
    char why[REASON];
    (void)argv;
    if (argc != 2)
        return console_usage(c, "prof");
    if (!edge_profile_state(c->machine).there)
        tell_images(c);
    return answer(c, edge_profile_on(c->machine, why, sizeof why), why);
}

int console_prof_off(struct console *c, int argc, char **argv)
{
    (void)argv;
    if (argc != 2)
        return console_usage(c, "prof");
    edge_profile_off(c->machine);
    return 0;
}

int console_prof_reset(struct console *c, int argc, char **argv)
{
    char why[REASON];
    (void)argv;
    if (argc != 2)
        return console_usage(c, "prof");
    tell_images(c);
    return answer(c, edge_profile_forget(c->machine, why, sizeof why), why);
}

int console_prof_set(struct console *c, int argc, char **argv)
{
    struct emu_edges asked = edge_profile_asked(c->machine);
    const char *doubt = NULL;
    char why[REASON];
    if (argc < 3)
        return console_usage(c, "prof");
    for (int i = 2; i < argc; i++)
        if (emu_edges_key(&asked, argv[i], why, sizeof why))
            return console_fail(c, "%s", why);
    tell_images(c);
    if (edge_profile_set(c->machine, &asked, &doubt, why, sizeof why))
        return console_fail(c, "%s", why);
    if (doubt)
        show_words(c, "%s\n", doubt);
    return 0;
}

/* ---- the profile ------------------------------------------------------------------------------------------------- */

struct text {
    char *bytes;
    size_t size;
    bool bad;
};

static void put(void *context, const void *bytes, size_t size)
{
    struct text *t = context;
    char *more = realloc(t->bytes, t->size + size + 1);
    if (!more) {
        t->bad = true;
        return;
    }
    t->bytes = more;
    memcpy(more + t->size, bytes, size);
    t->size += size;
    more[t->size] = 0;
}

int console_prof_report(struct console *c, int argc, char **argv)
{
    struct ep_profile *profile;
    struct text text = {NULL, 0, false};
    const struct ep_writer writer = {&text, put};
    struct ep_show show = {.writer = &writer, .top = TOP};
    char why[REASON];
    if (argc == 4 && console_word(c, "prof", "report", argv[2])) {
        if (console_count(c, argv[3], &show.top))
            return -1;
    } else if (argc != 2) {
        return console_usage(c, "prof");
    }
    if (edge_profile_copy(c->machine, false, &profile, why, sizeof why))
        return console_fail(c, "prof: %s", why);
    const int bad = show_is_json(c) ? ep_report_json(profile, &show) : ep_report_text(profile, &show);
    ep_profile_free(profile);
    if (!bad && !text.bad && text.bytes)
        console_print(c, "%s%s", text.bytes, text.bytes[text.size - 1] == '\n' ? "" : "\n");
    free(text.bytes);
    return bad || text.bad ? console_fail(c, "prof: the host has no memory for a report") : 0;
}

int console_prof_edges(struct console *c, int argc, char **argv)
{
    struct ep_profile *profile;
    char why[REASON];
    uint32_t count;
    (void)argv;
    if (argc != 2)
        return console_usage(c, "prof");
    if (edge_profile_copy(c->machine, false, &profile, why, sizeof why))
        return console_fail(c, "prof: %s", why);
    const bool calls = ep_profile_is(profile, EP_H_MODE, "callgraph");
    const struct ep_row *row = ep_profile_list(profile, calls ? EP_CALLS : EP_EDGES, &count);
    show_list(c, NULL);
    for (uint32_t i = 0; i < count; i++)
        SHOW_ROW(c, "{} {x} -> {} {x} {-9} {}\n", fact_number("from_space", row[i].from_space),
                 fact_hex("from", row[i].from, 16), fact_number("to_space", row[i].to_space),
                 fact_hex("to", row[i].to, 16), fact_flag("taken", row[i].kind == EP_TAKEN, "taken", "not taken"),
                 fact_number("units", row[i].units));
    show_end_list(c);
    ep_profile_free(profile);
    return 0;
}

int console_prof_save(struct console *c, int argc, char **argv)
{
    char why[REASON];
    if (argc != 3)
        return console_usage(c, "prof");
    return answer(c, edge_profile_save(c->machine, false, argv[2], why, sizeof why), why);
}

int console_prof_exact(struct console *c, int argc, char **argv)
{
    char why[REASON];
    if (argc != 3)
        return console_usage(c, "prof");
    const struct console_word *word = console_word(c, "prof", "exact", argv[2]);
    if (word && !edge_profile_state(c->machine).there)
        tell_images(c);
    const int bad = word ? edge_profile_count(c->machine, why, sizeof why)
                         : edge_profile_save(c->machine, true, argv[2], why, sizeof why);
    return answer(c, bad, why);
}

int console_prof_log(struct console *c, int argc, char **argv)
{
    char why[REASON];
    if (argc != 3)
        return console_usage(c, "prof");
    const struct console_word *word = console_word(c, "prof", "log", argv[2]);
    return answer(c, edge_profile_log(c->machine, word ? NULL : argv[2], why, sizeof why), why);
}
