/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ctr`, what is read over time: the list of counters, the display's origin, intervals, and what begins
 * anew. */
#include "cpu/control/model.h"
#include "emu/console/base/internal.h"
#include "emu/observe/pipeline.h"
#include "ri/counters/counters.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The model of the chosen CPU; NULL, and said: it is off. */
static struct ec_model *model(struct console *c)
{
    struct ec_model *m = cpu_model(c->cpu);
    if (!m)
        console_fail(
            c, "ctr: the pipeline model is off; turn it on by ctr on [PROFILE], or start zri with --pipe PROFILE");
    return m;
}

/* ---- ctr list -------------------------------------------------------------------------------------------------- */

/* What stands behind counters that have no documented meaning: pairs and PMCs. */
static const char *own_name(const struct counters *k, unsigned number, char *text, size_t size)
{
    unsigned pairs, pmc;
    const unsigned first = counters_pairs(k, &pairs, &pmc);
    if (number >= first && number < first + 2 * pairs) {
        snprintf(text, size, "%s %s", (number - first) & 1 ? "completed" : "all",
                 ec_events[ec_pair_event((number - first) / 2)].name);
        return text;
    }
    if (number >= pmc && number < pmc + EC_NPMC) {
        snprintf(text, size, "PMC%u", number - pmc + 1);
        return text;
    }
    return counters_name(k, number);
}

int console_ctr_list(struct console *c, int argc, char **argv)
{
    const struct counters *k = c->cpu->counters;
    enum counters_set set;
    const char *set_name, *name;
    unsigned first, count;
    char text[64];
    (void)argv;
    if (argc != 2)
        return console_usage(c, "ctr");
    if (!cpu_facility(&c->machine->sys, FACILITY_CPUMCF))
        return console_fail(c, "ctr: this machine has no counter facility (facility bit %u is off)", FACILITY_CPUMCF);
    show_words(c, "counter set             name (decimal)\n");
    show_list(c, NULL);
    for (unsigned i = 0; counters_set_number(k, i, &set, &set_name, &first, &count); i++)
        for (unsigned n = first; k->authorized & set && n < first + count; n++)
            if ((name = own_name(k, n, text, sizeof text)) != NULL)
                SHOW_ROW(c, "{7} {-15} {}\n", fact_number("number", n), fact_text("set", set_name),
                         fact_text("name", name));
    show_end_list(c);
    return 0;
}

/* ---- ctr origin, ctr reset ------------------------------------------------------------------------------------- */

int console_ctr_origin(struct console *c, int argc, char **argv)
{
    struct ec_model *m = model(c);
    if (!m)
        return -1;
    if (argc > 3 || (argc == 3 && strcasecmp(argv[2], "off") != 0))
        return console_usage(c, "ctr");
    if (argc == 3)
        memset(cpu_model_origin(c->cpu), 0, sizeof(struct ec_totals));
    else
        ec_model_totals(m, cpu_model_origin(c->cpu));
    return 0;
}

int console_ctr_reset(struct console *c, int argc, char **argv)
{
    static const char *const names[] = {"pairs", "pmcs", "registers", "caches", "predictor"};
    unsigned what = 0;
    if (!model(c))
        return -1;
    for (int i = 2; i < argc; i++) {
        unsigned n = 0;
        while (n < sizeof names / sizeof *names && strcasecmp(names[n], argv[i]) != 0)
            n++;
        if (n == sizeof names / sizeof *names)
            return console_usage(c, "ctr");
        what |= 1u << n;
    }
    cpu_model_drain(c->cpu);
    counters_clear(c->cpu->counters, what ? what : EC_CLEAR_PAIRS | EC_CLEAR_PMCS);
    if (!what || what & EC_CLEAR_PAIRS)
        memset(cpu_model_origin(c->cpu), 0, sizeof(struct ec_totals));
    return 0;
}

/* ---- ctr alert ------------------------------------------------------------------------------------------------- */

int console_ctr_alert(struct console *c, int argc, char **argv)
{
    static const char *const names[] = {"none", "console", "stop", "ext"};
    static const unsigned bits[] = {0, ALERT_CONSOLE, ALERT_STOP, ALERT_EXT};
    const unsigned now = machine_alert_sinks(c->machine);
    unsigned sinks = 0;
    if (argc == 2) {
        SHOW_ROW(c, "an alert of the performance monitor is shown by ctr pmc{}{}{}\n",
                 fact_flag("console", now & (ALERT_CONSOLE | ALERT_STOP), ", told the operator", ""),
                 fact_flag("stop", now & ALERT_STOP, ", stops the CPU", ""),
                 fact_flag("external", now & ALERT_EXT, ", is an external interruption", ""));
        return 0;
    }
    for (int i = 2; i < argc; i++) {
        unsigned n = 0;
        while (n < sizeof names / sizeof *names && strcasecmp(names[n], argv[i]) != 0)
            n++;
        if (n == sizeof names / sizeof *names || (n == 0 && argc != 3))
            return console_usage(c, "ctr");
        sinks |= bits[n];
    }
    machine_alert_set(c->machine, sinks);
    return 0;
}

/* ---- ctr interval ---------------------------------------------------------------------------------------------- */

/* A snapshot against the one before it. */
static void show_interval(struct console *c, const struct ec_interval *now, const struct ec_interval *before)
{
    static const struct ec_interval none;
    const struct ec_totals *t = &now->totals, *u = before ? &before->totals : &none.totals;
    const uint64_t instructions = t->completed[EC_INST] - u->completed[EC_INST];
    SHOW_ROW(c, "{12} {12} {} {10} {10} {10} {10} {10}\n", fact_number("cycles", t->cycles),
             fact_number("instructions", t->completed[EC_INST]), fact_hex("tod", now->tod, 16),
             fact_number("completed", instructions), fact_number("all", t->all[EC_INST] - u->all[EC_INST]),
             fact_number("mispredictions", t->completed[EC_BR_MISP] - u->completed[EC_BR_MISP]),
             fact_number("l1d_misses", t->all[EC_L1D_MISS] - u->all[EC_L1D_MISS]),
             fact_number("l2_misses", t->all[EC_L2_MISS] - u->all[EC_L2_MISS]));
}

static int show_intervals(struct console *c, const struct ec_intervals *kept)
{
    uint64_t n = ec_intervals_count(kept);
    n = n < EC_INTERVALS ? n : EC_INTERVALS;
    show_words(c,
               "      cycles instructions TOD                 completed        all   mispred.  L1D missed  L2 missed "
               "(decimal)\n");
    show_list(c, NULL);
    while (n--)
        show_interval(c, ec_intervals_get(kept, n), ec_intervals_get(kept, n + 1));
    show_end_list(c);
    return 0;
}

int console_ctr_interval(struct console *c, int argc, char **argv)
{
    const struct ec_intervals *kept = cpu_model_intervals(c->cpu);
    char *end = NULL;
    if (!model(c))
        return -1;
    if (argc == 2)
        return kept ? show_intervals(c, kept)
                    : console_fail(c, "ctr interval: no intervals are recorded; ctr interval CYCLES begins");
    const unsigned long long cycles = argc == 3 ? strtoull(argv[2], &end, 10) : 0;
    const bool off = argc == 3 && strcasecmp(argv[2], "off") == 0;
    if (argc != 3 || (!off && (!cycles || *end)))
        return console_usage(c, "ctr");
    if (cpu_model_interval(c->cpu, off ? 0 : cycles))
        return console_fail(c, "ctr interval: the host has no memory for them");
    return 0;
}
