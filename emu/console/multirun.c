/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ctr multirun`: a script is carried out several times from the same state of the machine, each time with other events
   in the performance-monitor counters, and all counts go into one table. Event-counter specification, EC-65, EC-66 and
   EC-68: an event in a PMC is counted over all instructions, in a provisional counter that a PMC has over completed
   ones, so that two events take the four PMCs. */
#include "emu/console/console.h"
#include "cpu/control/model.h"
#include "emu/config/pipeline.h"
#include "emu/console/base/internal.h"
#include "emu/history/history.h"
#include "emu/observe/pipeline.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define REPEATS UINT64_C(1000)

enum { AT_ONCE = 2, COUNTS = 2 }; /* events in a run; an event has ALL and COMPLETED */

/* A count of an event over several runs. */
struct spread {
    uint64_t least, most;
    double sum, squares;
};

struct multirun {
    struct console *c;
    const char *script;
    uint64_t repeat;
    bool anew;   /* the script brings the state itself */
    bool was_on; /* the model was */
    struct ec_profile profile;
    uint8_t event[EC_NEV];
    unsigned events;
    struct spread of[EC_NEV][COUNTS];    /* by event */
    uint64_t runs, cycles, instructions; /* cycles and instructions of the latest */
    bool begun;                          /* something was carried out */
    FILE *nowhere;
};

static void add(struct spread *s, uint64_t value, bool first)
{
    s->least = first || value < s->least ? value : s->least;
    s->most = first || value > s->most ? value : s->most;
    s->sum = (first ? 0 : s->sum) + (double)value;
    s->squares = (first ? 0 : s->squares) + (double)value * (double)value;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

/* PMC1 and PMC2 have the first event, PMC3 and PMC4 the second. */
static void select_events(struct machine *m, unsigned first, unsigned second)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct ec_counting *k = ec_model_counting(cpu_model(m->sys.cpus[i]));
        ec_set_register(k, EC_MMCRP, first << 24 | second << 16);
        ec_set_register(k, EC_MMCR0, first << EC_PMC1SEL_SHIFT | EC_SELECT_PV);
        ec_set_register(k, EC_MMCR1, second << 25 | (EC_SELECT_PV + 1) << 18);
    }
}

static void take_counts(struct multirun *r, unsigned first, uint64_t repeated)
{
    const struct cpu_system *sys = &r->c->machine->sys;
    uint64_t value[AT_ONCE * COUNTS] = {0};
    r->cycles = r->instructions = 0;
    for (unsigned i = 0; i < sys->cpu_count; i++) {
        struct ec_model *model = cpu_model(sys->cpus[i]);
        struct ec_totals t;
        cpu_model_drain(sys->cpus[i]);
        ec_model_totals(model, &t);
        r->cycles += t.cycles;
        r->instructions += t.completed[EC_INST];
        for (unsigned p = 0; p < AT_ONCE * COUNTS; p++)
            value[p] += ec_register(ec_model_counting(model), (enum ec_register)(EC_PMC1 + p));
    }
    for (unsigned p = 0; p < AT_ONCE * COUNTS && first + p / COUNTS < r->events; p++)
        add(&r->of[r->event[first + p / COUNTS]][p % COUNTS], value[p], repeated == 0);
    r->runs++;
}

/* Back to where all runs begin, without the model. */
static int go_back(struct multirun *r)
{
    char error[CONSOLE_ERROR];
    if (machine_pipeline(r->c->machine, NULL, error, sizeof error))
        return console_fail(r->c, "%s", error);
    if (r->anew || !r->begun)
        return 0;
    return history_to_begin(r->c->session, error, sizeof error) ? console_fail(r->c, "%s", error) : 0;
}

/* The displays of the first run alone are seen, and what the guest writes in it. */
static int carry_out(struct multirun *r, const char *script)
{
    struct console *c = r->c;
    FILE *out = c->out, *guest = c->session->out;
    const struct show_aside aside = show_put_aside(c);
    if (r->runs && r->nowhere) {
        c->out = r->nowhere;
        c->session->out = NULL;
    }
    const int code = console_script(c, script);
    c->out = out;
    c->session->out = guest;
    show_take_back(c, &aside);
    return code ? console_fail(c, "ctr multirun: the script fails in run %" PRIu64, r->runs + 1) : 0;
}

static int one_run(struct multirun *r, unsigned first, uint64_t repeated)
{
    char error[CONSOLE_ERROR];
    if (go_back(r))
        return -1;
    if (machine_pipeline(r->c->machine, &r->profile, error, sizeof error))
        return console_fail(r->c, "%s", error);
    select_events(r->c->machine, r->event[first], first + 1 < r->events ? r->event[first + 1] : 0);
    r->begun = true;
    if (carry_out(r, r->script))
        return -1;
    if (!cpu_model(r->c->cpu))
        return console_fail(r->c, "ctr multirun: the script has turned the model off");
    take_counts(r, first, repeated);
    return 0;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static int begin(struct multirun *r)
{
    struct console *c = r->c;
    struct history_words words;
    char error[CONSOLE_ERROR];
    r->was_on = cpu_model(c->cpu) != NULL;
    r->profile = c->machine->config.pipeline;
    if (!r->was_on && emu_pipeline_find("teach", &r->profile, error, sizeof error))
        return console_fail(c, "%s", error);
    history_tell(c->session, &words);
    if (words.kept && !r->anew)
        return console_fail(c, "ctr multirun: it keeps a past of its own; history off ends the one that is kept");
    if (go_back(r))
        return -1;
    return r->anew || !history_begin_only(c->session, error, sizeof error)
               ? 0
               : console_fail(c, "ctr multirun: %s; or let the script load the guest, and say anew", error);
}

/* The machine is where it was, with a cold model when it had one. */
static int end(struct multirun *r, int code)
{
    char error[CONSOLE_ERROR], told[CONSOLE_ERROR];
    snprintf(told, sizeof told, "%s", r->c->error);
    const int back = go_back(r);
    if (!r->anew)
        history_end(r->c->session);
    if (r->was_on && machine_pipeline(r->c->machine, &r->profile, error, sizeof error))
        return console_fail(r->c, "%s", error);
    if (code)
        return console_fail(r->c, "%s", told);
    return back;
}

static double deviation(const struct spread *s, uint64_t n)
{
    const double mean = s->sum / (double)n, variance = n > 1 ? (s->squares - s->sum * mean) / (double)(n - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

static void show_spread(struct console *c, const char *event, const char *what, const struct spread *s, uint64_t n)
{
    char mean[32], around[32];
    snprintf(mean, sizeof mean, "%.2f", s->sum / (double)n);
    snprintf(around, sizeof around, "%.2f", deviation(s, n));
    SHOW_ROW(c, "{-12} {-9} {14} {14} {16} {14}\n", fact_text("event", event), fact_text("count", what),
             fact_number("least", s->least), fact_number("most", s->most), fact_text("mean", mean),
             fact_text("deviation", around));
}

static void show_runs(struct console *c, const struct multirun *r)
{
    show_object(c, NULL);
    SHOW(c, "{} runs of {} cycles and {} instructions{} (decimal)\n", fact_number("runs", r->runs),
         fact_number("cycles", r->cycles), fact_number("instructions", r->instructions),
         fact_flag("modulo", r->cycles > UINT32_MAX, ": counts are modulo 4294967296", ""));
    show_words(c, r->repeat > 1
                      ? "event        count              least           most             mean      deviation\n"
                      : "event                   all      completed     difference\n");
    show_list(c, "events");
    for (unsigned i = 0; i < r->events; i++) {
        const char *name = ec_events[r->event[i]].name;
        const struct spread *all = &r->of[r->event[i]][0], *done = all + 1;
        if (r->repeat > 1) {
            show_spread(c, name, "all", all, r->repeat);
            show_spread(c, name, "completed", done, r->repeat);
            continue;
        }
        SHOW_ROW(c, "{-12} {14} {14} {14}\n", fact_text("event", name), fact_number("all", all->least),
                 fact_number("completed", done->least),
                 fact_number("difference", (uint32_t)(all->least - done->least)));
    }
    show_end_list(c);
    show_end_object(c);
}

static int words_of(struct multirun *r, int argc, char **argv)
{
    r->repeat = 1;
    for (int i = 3; i < argc; i++) {
        if (strcasecmp(argv[i], "anew") == 0) {
            r->anew = true;
        } else if (strncasecmp(argv[i], "repeat=", 7) == 0) {
            if (console_count(r->c, argv[i] + 7, &r->repeat))
                return -1;
            if (r->repeat > REPEATS)
                return console_fail(r->c, "ctr multirun: at most %" PRIu64 " times (decimal)", REPEATS);
        } else {
            const enum ec_event e = ec_event_named(argv[i]);
            if (e == EC_NONE)
                return console_fail(r->c, "ctr: there is no event '%.40s'; ctr events lists them", argv[i]);
            if (r->events < EC_NEV)
                r->event[r->events++] = (uint8_t)e;
        }
    }
    const bool all = !r->events;
    for (unsigned e = 1; all && e < EC_NEV; e++)
        if (ec_events[e].name)
            r->event[r->events++] = (uint8_t)e;
    return 0;
}

int console_ctr_multirun(struct console *c, int argc, char **argv)
{
    struct multirun *r = calloc(1, sizeof *r);
    char script[CONSOLE_FILE];
    if (!r)
        return console_fail(c, "ctr multirun: the host has no memory");
    r->c = c;
    r->script = script;
    int code = argc < 3 ? console_usage(c, "ctr") : words_of(r, argc, argv);
    snprintf(script, sizeof script, "%s", argc < 3 ? "" : argv[2]);
    if (!code)
        code = begin(r);
    if (!code) {
        r->nowhere = fopen("/dev/null", "w");
        for (unsigned first = 0; !code && first < r->events; first += AT_ONCE)
            for (uint64_t n = 0; !code && n < r->repeat; n++)
                code = one_run(r, first, n);
        if (r->nowhere)
            fclose(r->nowhere);
        code = end(r, code);
    }
    if (!code)
        show_runs(c, r);
    free(r);
    return code;
}
