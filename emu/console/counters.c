/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ctr`: counter sets, the sampling facility and their alerts on the chosen CPU. */
#include "emu/console/internal.h"
#include "ri/counters/counters.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    uint32_t bit;
    const char *meaning;
} alerts[] = {
    {"IAE", COUNTERS_IAE, "invalid entry address"},
    {"ISE", COUNTERS_ISE, "incorrect sample-data-block-table entry"},
    {"PRA", COUNTERS_PRA, "program request alert"},
    {"SACA", COUNTERS_SACA, "sampler authorization change"},
    {"LSDA", COUNTERS_LSDA, "loss of sample data"},
    {"MTDA", COUNTERS_MTDA, "loss of MT counter data"},
    {"CACA", COUNTERS_CACA, "counter authorization change"},
    {"LCDA", COUNTERS_LCDA, "loss of counter data"},
    {"ET", COUNTERS_TRACE, "exception-trace alert"},
    {"PM", COUNTERS_MONITOR, "performance-monitor alert"},
};
#define ALERTS (sizeof alerts / sizeof *alerts)

/* ---- ctr sets -------------------------------------------------------------------------------------------------- */

static void show_alerts(struct console *c, const struct counters *k)
{
    if (c->json)
        json_list(&c->facts, "alerts");
    for (unsigned i = 0; i < ALERTS; i++)
        if (k->alerts & alerts[i].bit && c->json)
            json_text(&c->facts, NULL, alerts[i].word);
        else if (k->alerts & alerts[i].bit)
            console_print(c, "alert pending: %s, %s\n", alerts[i].word, alerts[i].meaning);
    if (c->json)
        json_end_list(&c->facts);
}

static const char *sampling_name(unsigned controls, unsigned enable, unsigned activate)
{
    return !(controls & enable) ? "disabled" : !(controls & activate) ? "inactive" : "active";
}

static void show_sampling(struct console *c, const struct sampling *s, uint64_t samples)
{
    const char *basic = sampling_name(s->controls, SAMPLING_ES, SAMPLING_CS);
    const char *diagnostic = sampling_name(s->controls, SAMPLING_ED, SAMPLING_CD);
    if (c->json) {
        json_object(&c->facts, "sampling");
        json_text(&c->facts, "basic", basic);
        json_text(&c->facts, "diagnostic", diagnostic);
        json_number(&c->facts, "interval", s->interval);
        json_number(&c->facts, "left", s->left);
        json_hex(&c->facts, "tear", s->tear, 16);
        json_hex(&c->facts, "dear", s->dear, 16);
        json_number(&c->facts, "samples", samples);
        json_end_object(&c->facts);
        return;
    }
    console_print(c, "sampling: basic %s, diagnostic %s; %" PRIu64 " samples stored (decimal)\n", basic, diagnostic,
                  samples);
    if (s->controls)
        console_print(
            c, "  interval %" PRIu64 " cycles, %" PRIu64 " left (decimal); TEAR %016" PRIX64 ", DEAR %016" PRIX64 "\n",
            s->interval, s->left, s->tear, s->dear);
}

/* The counters of a set that are not zero. */
static void show_counters(struct console *c, const struct counters *k, unsigned first, unsigned count)
{
    if (c->json)
        json_list(&c->facts, "counters");
    for (unsigned n = first; n < first + count; n++)
        if (c->json && k->value[n]) {
            json_object(&c->facts, NULL);
            json_number(&c->facts, "number", n);
            json_number(&c->facts, "value", k->value[n]);
            json_end_object(&c->facts);
        } else if (k->value[n]) {
            console_print(c, "  counter %u: %" PRIu64 " (decimal)\n", n, k->value[n]);
        }
    if (c->json)
        json_end_list(&c->facts);
}

static int show_sets(struct console *c)
{
    const struct counters *k = c->cpu->counters;
    enum counters_set set;
    const char *name;
    unsigned first, count;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_number(&c->facts, "first_version", k->profile.first_version);
        json_number(&c->facts, "second_version", k->profile.second_version);
        json_hex(&c->facts, "authorization", k->authorized, 4);
        json_list(&c->facts, "sets");
    } else {
        console_print(c, "CPU %X: counter facility, version %u.%u, authorization %04X\n", c->cpu->address,
                      k->profile.first_version, k->profile.second_version, k->authorized);
    }
    for (unsigned i = 0; counters_set_number(k, i, &set, &name, &first, &count); i++) {
        if (c->json) {
            json_object(&c->facts, NULL);
            json_text(&c->facts, "name", name);
            json_hex(&c->facts, "bit", set, 4);
            json_text(&c->facts, "state", counters_state_name(k, set));
        } else {
            console_print(c, "%04X %-17s %-12s", (unsigned)set, name, counters_state_name(k, set));
            if (count)
                console_print(c, " counters %u to %u (decimal)", first, first + count - 1);
            console_print(c, "\n");
        }
        show_counters(c, k, first, count);
        if (c->json)
            json_end_object(&c->facts);
    }
    if (c->json)
        json_end_list(&c->facts);
    show_sampling(c, &k->sampling, k->samples);
    show_alerts(c, k);
    if (c->json)
        json_end_object(&c->facts);
    return 0;
}

/* ---- ctr auth, ctr inject -------------------------------------------------------------------------------------- */

static int authorize(struct console *c, const char *mask)
{
    uint64_t value;
    if (console_hex(c, mask, 0xffff, &value))
        return -1;
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (c->machine->sys.cpus[i])
            counters_authorize(c->machine->sys.cpus[i]->counters, (uint16_t)value);
    return 0;
}

static int inject(struct console *c, const char *word)
{
    for (unsigned i = 0; i < ALERTS; i++)
        if (strcasecmp(word, alerts[i].word) == 0) {
            c->cpu->counters->alerts |= alerts[i].bit;
            return 0;
        }
    return console_fail(
        c, "ctr inject: there is no alert '%.20s'; give IAE, ISE, PRA, SACA, LSDA, MTDA, CACA, LCDA, ET or PM", word);
}

int console_cmd_ctr(struct console *c, int argc, char **argv)
{
    if (!cpu_facility(&c->machine->sys, FACILITY_CPUMCF))
        return console_fail(c, "ctr: this machine has no counter facility (facility bit %u is off)", FACILITY_CPUMCF);
    if (argc == 1 || (argc == 2 && strcasecmp(argv[1], "sets") == 0))
        return show_sets(c);
    if (argc == 3 && strcasecmp(argv[1], "auth") == 0)
        return authorize(c, argv[2]);
    if (argc == 3 && strcasecmp(argv[1], "inject") == 0)
        return inject(c, argv[2]);
    return console_usage(c, "ctr");
}
