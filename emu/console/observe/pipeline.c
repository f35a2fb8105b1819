/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ctr`, its part for the pipeline model: events, pairs, PMCs, the completion table, mispredictions. */
#include "cpu/control/model.h"
#include "emu/config/pipeline.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/look.h"
#include "emu/observe/pipeline.h"
#include "ri/counters/model/decode.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct ec_model *console_ctr_model(struct console *c)
{
    struct ec_model *m = cpu_model(c->cpu);
    if (!m)
        console_fail(
            c, "ctr: the pipeline model is off; turn it on by ctr on [PROFILE], or start zri with --pipe PROFILE");
    return m;
}

/* The totals since the display's origin. */
static void totals(struct console *c, const struct ec_model *m, struct ec_totals *t)
{
    const struct ec_totals *origin = cpu_model_origin(c->cpu);
    ec_model_totals(m, t);
    t->cycles -= origin->cycles;
    for (unsigned e = 0; e < EC_NEV; e++) {
        t->all[e] -= origin->all[e];
        t->completed[e] -= origin->completed[e];
    }
}

/* An event by its name; EC_NONE, and said: there is none. */
static enum ec_event event(struct console *c, const char *name)
{
    const enum ec_event e = ec_event_named(name);
    if (e == EC_NONE)
        console_fail(c, "ctr: there is no event '%.40s'; ctr events lists them", name);
    return e;
}

bool console_ctr_counted(struct console *c, const char *name)
{
    const enum ec_event e = event(c, name);
    if (e == EC_NONE)
        return false;
    if (ec_model_counting(cpu_model(c->cpu))->paired >> e & 1)
        return true;
    console_fail(c, "ctr: nobody counts %s; ctr pairs add %s begins", ec_events[e].name, ec_events[e].name);
    return false;
}

/* ---- on, off, status ------------------------------------------------------------------------------------------- */

int console_ctr_on(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    struct ec_profile profile;
    if (argc > 3)
        return console_usage(c, "ctr");
    if (emu_pipeline_find(argc == 3 ? argv[2] : "teach", &profile, error, sizeof error) ||
        machine_pipeline(c->machine, &profile, error, sizeof error))
        return console_fail(c, "%s", error);
    return 0;
}

int console_ctr_profile(struct console *c, int argc, char **argv)
{
    return argc == 3 ? console_ctr_on(c, argc, argv) : console_usage(c, "ctr");
}

int console_ctr_off(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    (void)argv;
    if (argc != 2)
        return console_usage(c, "ctr");
    return machine_pipeline(c->machine, NULL, error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

int console_ctr_status(struct console *c, int argc, char **argv)
{
    struct ec_model *m = cpu_model(c->cpu);
    struct ec_totals t;
    (void)argv;
    if (argc != 2)
        return console_usage(c, "ctr");
    if (!m) {
        SHOW_ROW(c, "CPU {x}: the pipeline model is {}\n", fact_hex(NULL, c->cpu->address, 1),
                 fact_flag("on", false, "on", "off"));
        return 0;
    }
    const struct ec_counting *k = ec_model_counting(m);
    totals(c, m, &t);
    SHOW_ROW(c,
             "CPU {x}: the pipeline model is {}, profile {}; {} cycles, {} instructions completed, {} of {} entries in "
             "the table{}{} (decimal)\n",
             fact_hex(NULL, c->cpu->address, 1), fact_flag("on", true, "on", "off"),
             fact_text("profile", ec_model_profile(m)->name), fact_number("cycles", t.cycles),
             fact_number("instructions", t.completed[EC_INST]), fact_number("live", ec_live(k)),
             fact_number("entries", k->n), fact_flag("alert", k->pmu.alert, ", an alert was signalled", ""),
             fact_flag("frozen", k->pmu.frozen, ", PMCs are frozen", ""));
    return 0;
}

/* ---- events and pairs ------------------------------------------------------------------------------------------ */

int console_ctr_events(struct console *c, int argc, char **argv)
{
    (void)argv;
    if (argc != 2)
        return console_usage(c, "ctr");
    show_list(c, NULL);
    for (unsigned e = 1; e < EC_NEV; e++)
        if (ec_events[e].name)
            SHOW_ROW(c, "{} {-12} {-2} {-5} {}\n", fact_hex("code", e, 2), fact_text("name", ec_events[e].name),
                     fact_text("stage", ec_events[e].stage), fact_flag("pair", ec_events[e].pair >= 0, "pair", ""),
                     fact_text("meaning", ec_events[e].meaning));
    show_end_list(c);
    return 0;
}

static void show_pair(struct console *c, const struct ec_totals *t, unsigned e)
{
    const uint64_t all = t->all[e], completed = t->completed[e];
    SHOW_ROW(c, "{-12} {14} {14} {14} {4} %\n", fact_text("event", ec_events[e].name), fact_number("all", all),
             fact_number("completed", completed), fact_number("difference", all - completed),
             fact_number("percent", all ? (all - completed) * 100 / all : 0));
}

int console_ctr_show(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    struct ec_totals t;
    if (!m)
        return -1;
    for (int i = 2; i < argc; i++)
        if (!console_ctr_counted(c, argv[i]))
            return -1;
    totals(c, m, &t);
    show_words(c, "event                   all      completed     difference (decimal)\n");
    show_list(c, NULL);
    for (int i = 2; i < argc; i++)
        show_pair(c, &t, ec_event_named(argv[i]));
    for (unsigned e = 1; argc == 2 && e < EC_NEV; e++)
        if (ec_model_counting(m)->paired >> e & 1 && t.all[e] && ec_events[e].name)
            show_pair(c, &t, e);
    show_end_list(c);
    return 0;
}

/* Completed first, then all: so the difference cannot be negative. */
int console_ctr_spec(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    struct ec_totals t;
    if (!m)
        return -1;
    if (argc != 3)
        return console_usage(c, "ctr");
    if (!console_ctr_counted(c, argv[2]))
        return -1;
    const enum ec_event e = ec_event_named(argv[2]);
    totals(c, m, &t);
    SHOW_ROW(c, "{}: completed {}, all {}, difference {}: of instructions that did not complete (decimal)\n",
             fact_text("event", ec_events[e].name), fact_number("completed", t.completed[e]),
             fact_number("all", t.all[e]), fact_number("difference", t.all[e] - t.completed[e]));
    return 0;
}

int console_ctr_pairs(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    if (!m)
        return -1;
    const bool adds = argc == 4 && strcasecmp(argv[2], "add") == 0;
    if (argc != 4 || (!adds && strcasecmp(argv[2], "remove") != 0))
        return console_usage(c, "ctr");
    const enum ec_event e = event(c, argv[3]);
    if (e == EC_NONE)
        return -1;
    struct ec_counting *k = ec_model_counting(m);
    cpu_model_drain(c->cpu);
    ec_add_pairs(k, adds ? k->paired | UINT64_C(1) << e : k->paired & ~(UINT64_C(1) << e));
    return 0;
}

static void show_ratio(struct console *c, const char *name, const char *what, uint64_t part, uint64_t whole)
{
    char text[32] = "-";
    if (whole)
        snprintf(text, sizeof text, "%.4f", (double)part / (double)whole);
    SHOW_ROW(c, "{-44} {}\n", fact_text(NULL, what), fact_text(name, text));
}

int console_ctr_derive(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    struct ec_totals t;
    (void)argv;
    if (!m)
        return -1;
    if (argc != 2)
        return console_usage(c, "ctr");
    totals(c, m, &t);
    const uint64_t *all = t.all, *done = t.completed;
    show_list(c, NULL);
    show_ratio(c, "cancelled", "instructions that did not complete, of all", all[EC_INST] - done[EC_INST],
               all[EC_INST]);
    show_ratio(c, "mispredicted", "mispredictions for each completed branch", done[EC_BR_MISP], done[EC_BRANCH]);
    show_ratio(c, "l1d_misses", "L1D misses of cancelled work, of all", all[EC_L1D_MISS] - done[EC_L1D_MISS],
               all[EC_L1D_MISS]);
    show_ratio(c, "l2_misses", "L2 misses of cancelled work, of all", all[EC_L2_MISS] - done[EC_L2_MISS],
               all[EC_L2_MISS]);
    show_ratio(c, "bytes", "bytes fetched by cancelled work, of all", all[EC_LD_BYTES] - done[EC_LD_BYTES],
               all[EC_LD_BYTES]);
    show_ratio(c, "cpi", "cycles for each instruction", t.cycles, done[EC_INST]);
    show_ratio(c, "stalls", "cycles lost to data misses (ctr pairs add CSTALL_L1D), of all", done[EC_CSTALL_L1D],
               t.cycles);
    show_end_list(c);
    return 0;
}

/* ---- performance-monitor registers ----------------------------------------------------------------------------- */

/* What a word shows that stands alone; NULL: there is no model, or other words are there, and that is said. */
static const struct ec_counting *counting_alone(struct console *c, int argc)
{
    struct ec_model *m = console_ctr_model(c);
    if (m && argc != 2)
        (void)console_usage(c, "ctr");
    return m && argc == 2 ? ec_model_counting(m) : NULL;
}

static const char *const registers[EC_REGISTERS] = {"MMCR0", "MMCR1", "MMCRP", "ICR", "PMC1", "PMC2", "PMC3", "PMC4"};

/* As they would be drained; nothing is. */
int console_ctr_pmc(struct console *c, int argc, char **argv)
{
    const struct ec_counting *k = counting_alone(c, argc);
    struct ec_pmu pmu;
    (void)argv;
    if (!k)
        return -1;
    ec_model_pmu(cpu_model(c->cpu), &pmu);
    show_object(c, NULL);
    for (unsigned r = 0; r < EC_REGISTERS; r++)
        SHOW(c, r == 3 || r == EC_REGISTERS - 1 ? "{} {}\n" : "{} {}  ", fact_text(NULL, registers[r]),
             fact_hex(registers[r], r < EC_PMC1 ? ec_register(k, (enum ec_register)r) : pmu.pmc[r - EC_PMC1], 8));
    SHOW(c, "MARKMASK {}  MARKVALUE {}\n", fact_hex("MARKMASK", pmu.markmask, 16),
         fact_hex("MARKVALUE", pmu.markvalue, 16));
    SHOW(c, "{}{}{}\n", fact_flag("frozen", pmu.frozen, "frozen ", ""),
         fact_flag("triggered", pmu.triggered, "triggered ", ""),
         fact_flag("alert", pmu.alert, "an alert was signalled", "no alert"));
    show_end_object(c);
    return 0;
}

int console_ctr_set(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    uint64_t value;
    if (!m)
        return -1;
    for (unsigned r = 0; argc == 4 && r < EC_REGISTERS; r++) {
        if (strcasecmp(registers[r], argv[2]) != 0)
            continue;
        if (console_hex(c, argv[3], UINT32_MAX, &value))
            return -1;
        cpu_model_drain(c->cpu);
        ec_set_register(ec_model_counting(m), (enum ec_register)r, (uint32_t)value);
        return 0;
    }
    return console_usage(c, "ctr");
}

int console_ctr_mark(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    uint64_t mask, value;
    if (!m)
        return -1;
    if (argc != 4)
        return console_usage(c, "ctr");
    if (console_hex(c, argv[2], UINT64_MAX, &mask) || console_hex(c, argv[3], UINT64_MAX, &value))
        return -1;
    cpu_model_drain(c->cpu);
    ec_model_counting(m)->pmu.markmask = mask;
    ec_model_counting(m)->pmu.markvalue = value;
    return 0;
}

/* "pmc1" or "pv0": the digit behind the word, -1: something else. */
static int numbered(const char *text, const char *word, int first, int last)
{
    const size_t n = strlen(word);
    if (strncasecmp(text, word, n) != 0 || !isdigit((unsigned char)text[n]) || text[n + 1])
        return -1;
    const int number = text[n] - '0';
    return number >= first && number <= last ? number : -1;
}

static void select_pmc(struct ec_counting *k, int n, unsigned select)
{
    static const uint8_t shift[] = {EC_PMC1SEL_SHIFT, 0, 25, 18};
    const enum ec_register r = n <= 2 ? EC_MMCR0 : EC_MMCR1;
    const uint32_t field = (uint32_t)(n == 2 ? 0x3f : 0x7f) << shift[n - 1];
    ec_set_register(k, r, (ec_register(k, r) & ~field) | (uint32_t)select << shift[n - 1]);
}

int console_ctr_select(struct console *c, int argc, char **argv)
{
    static const char *const modes[] = {"add", "write", "decode", "icr"};
    struct ec_model *m = console_ctr_model(c);
    if (!m)
        return -1;
    if (argc != 4 && argc != 5)
        return console_usage(c, "ctr");
    const int pmc = numbered(argv[2], "pmc", 1, EC_NPMC), pv = numbered(argv[2], "pv", 0, EC_NPV - 1);
    const int from = numbered(argv[3], "pv", 0, EC_NPV - 1);
    unsigned mode = 0;
    while (argc == 5 && mode < 4 && strcasecmp(modes[mode], argv[4]) != 0)
        mode++;
    if ((pmc < 0 && pv < 0) || mode == 4 || (pmc > 0 && argc == 5) || (pv >= 0 && from >= 0))
        return console_usage(c, "ctr");
    const bool none = strcasecmp(argv[3], "none") == 0;
    const enum ec_event e = from >= 0 || none ? EC_NONE : event(c, argv[3]);
    if (from < 0 && !none && e == EC_NONE)
        return -1;
    struct ec_counting *k = ec_model_counting(m);
    cpu_model_drain(c->cpu);
    if (pmc > 0) {
        select_pmc(k, pmc, from >= 0 ? EC_SELECT_PV + (unsigned)from : (unsigned)e);
        return 0;
    }
    const unsigned shift = 24 - 8 * (unsigned)pv;
    ec_set_register(k, EC_MMCRP,
                    (ec_register(k, EC_MMCRP) & ~((uint32_t)0xff << shift)) | (uint32_t)(mode << 6 | e) << shift);
    return 0;
}

/* ---- what is in the pipeline ----------------------------------------------------------------------------------- */

/* The provisional counts of an entry that are not zero: " INST 1 LOAD 1". */
static void provisional(const struct ec_entry *entry, char *text, size_t size)
{
    size_t at = 0;
    *text = 0;
    for (unsigned e = 1; e < EC_NEV && at < size; e++)
        if (entry->touched >> e & 1 && entry->prov[e])
            at += (size_t)snprintf(text + at, size - at, " %s %" PRIu32, ec_events[e].name, entry->prov[e]);
}

int console_ctr_table(struct console *c, int argc, char **argv)
{
    const struct ec_counting *k = counting_alone(c, argc);
    (void)argv;
    if (!k)
        return -1;
    show_object(c, NULL);
    SHOW(c, "completion tag {}, allocation tag {}, {} entries (decimal)\n", fact_number("completion_tag", k->ctag),
         fact_number("allocation_tag", k->atag), fact_number("entries", k->n));
    show_list(c, "table");
    for (unsigned t = k->ctag; t != k->atag; t = t + 1 == k->n ? 0 : t + 1) {
        const struct ec_entry *e = &k->ct[t];
        const struct look_instruction first = look_instruction(c, e->ia);
        char counts[256];
        provisional(e, counts, sizeof counts);
        SHOW_ROW(c, "{3} {} {-7} {} of them  D {} X {} N {} C {}{}  {};{}\n", fact_number("tag", t),
                 fact_hex("ia", e->ia, 16), fact_text("class", ec_class_name(e->kind)),
                 fact_number("members", e->members), fact_number("D", e->d), fact_number("X", e->x),
                 fact_number("N", e->n), fact_number("C", e->c),
                 fact_flag("cancelled", e->cancelled, ", will be cancelled", ""), fact_text("text", first.text),
                 fact_text("counts", counts));
    }
    show_end_list(c);
    show_end_object(c);
    return 0;
}

int console_ctr_flushes(struct console *c, int argc, char **argv)
{
    struct ec_model *m = console_ctr_model(c);
    if (!m)
        return -1;
    if (argc > 3)
        return console_usage(c, "ctr");
    const unsigned long most = argc == 3 ? strtoul(argv[2], NULL, 10) : 10;
    show_list(c, NULL);
    for (unsigned i = 0; i < most; i++) {
        const struct ec_misprediction *f = ec_model_misprediction(m, i);
        if (!f)
            break;
        char wasted[160] = "";
        for (size_t n = 0, used = 0; n < EC_WASTED; n++)
            used += (size_t)snprintf(wasted + used, sizeof wasted - used, " %s %" PRIu32, ec_events[ec_wasted[n]].name,
                                     f->wasted[n]);
        SHOW_ROW(c, "{}: predicted {}, actually {}; cycles {} to {}, {} fetched, {} flushed (decimal)\n   {}\n",
                 fact_hex("ia", f->ia, 16), fact_hex("predicted", f->predicted, 16), fact_hex("actual", f->actual, 16),
                 fact_number("dispatched", f->dispatched), fact_number("resolved", f->resolved),
                 fact_number("fetched", f->fetched), fact_number("flushed", f->flushed), fact_text("wasted", wasted));
    }
    show_end_list(c);
    return 0;
}
