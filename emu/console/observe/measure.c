/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ctr`, its part for measuring: sampled use of the pipeline model, counts by function and by range. */
#include "cpu/control/model.h"
#include "emu/console/base/internal.h"
#include "emu/console/observe/measure.h"
#include "emu/pipeline/measure.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- ctr sample ------------------------------------------------------------------------------------------------- */

/* "N", "0xADDRESS", a value of the console as "@symbol", or "mark". */
static int place_of(struct console *c, const char *text, struct measure_plan *plan)
{
    const size_t digits = strspn(text, "0123456789");
    plan->kind = MEASURE_AT_ADDRESS;
    if (strcasecmp(text, "mark") == 0) {
        plan->kind = MEASURE_AT_MARK;
        return 0;
    }
    if (digits && !text[digits]) {
        plan->kind = MEASURE_AT_INSTRUCTION;
        return console_count(c, text, &plan->at);
    }
    return console_value(c, strncasecmp(text, "0x", 2) == 0 ? text + 2 : text, &plan->at);
}

/* "key=value" into the plan. */
static int plan_word(struct console *c, char *word, struct measure_plan *plan)
{
    const struct {
        const char *name;
        uint64_t *place;
    } keys[] = {{"warm", &plan->warm},
                {"lead", &plan->lead},
                {"length", &plan->length},
                {"every", &plan->every},
                {"count", &plan->count}};
    char *value = strchr(word, '=');
    if (!value)
        return console_usage(c, "ctr");
    *value++ = 0;
    if (strcasecmp(word, "at") == 0)
        return place_of(c, value, plan);
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(word, keys[i].name) == 0)
            return console_count(c, value, keys[i].place);
    return console_fail(c, "ctr sample: there is no '%.20s'; there are at, warm, lead, length, every and count", word);
}

static void show_decimal(struct console *c, const char *format, const char *name, double value)
{
    char text[48];
    snprintf(text, sizeof text, "%.4f", value);
    SHOW(c, format, fact_text(name, text));
}

static int show_sample(struct console *c)
{
    struct measure_result r;
    if (!machine_measured(c->machine, &r))
        return console_fail(c, "ctr sample: nothing is measured by samples; ctr sample at=... length=... begins");
    const uint64_t done = r.totals.completed[EC_INST];
    show_object(c, NULL);
    SHOW(c, "{} intervals measured{}, {} instructions of {} (decimal)\n", fact_number("intervals", r.intervals),
         fact_flag("measuring", r.measuring, ", and one is being measured", ""), fact_number("instructions", done),
         fact_number("passed", r.passed));
    SHOW(c, "{} cycles, {} of {} branches mispredicted, {} instructions thrown away\n",
         fact_number("cycles", r.totals.cycles), fact_number("mispredictions", r.totals.completed[EC_BR_MISP]),
         fact_number("branches", r.totals.completed[EC_BRANCH]),
         fact_number("thrown_away", r.totals.all[EC_INST] - r.totals.completed[EC_INST]));
    if (done)
        show_decimal(c, "cycles for each instruction {}", "cpi", (double)r.totals.cycles / (double)done);
    if (done && r.half > 0) {
        show_decimal(c, "; intervals: {}", "mean", r.mean);
        show_decimal(c, " +- {} with 95 % confidence", "confidence", r.half);
    }
    if (done)
        SHOW(c, "\nby that the guest has taken about {} cycles\n",
             fact_number("estimated_cycles", (uint64_t)((double)r.totals.cycles / (double)done * (double)r.passed)));
    show_list(c, "latest");
    const unsigned most = r.kept_count < 10 ? r.kept_count : 10;
    if (most)
        show_words(c, "     from instruction  instructions       cycles   mispred. (decimal)\n");
    for (uint64_t n = r.intervals - most; n < r.intervals; n++) {
        const struct measure_interval *i = &r.kept[n % MEASURE_KEPT];
        SHOW_ROW(c, "{21} {13} {12} {10}\n", fact_number("from", i->from), fact_number("instructions", i->instructions),
                 fact_number("cycles", i->cycles), fact_number("mispredictions", i->mispredictions));
    }
    show_end_list(c);
    show_end_object(c);
    return 0;
}

int console_ctr_sample(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    struct measure_plan plan = {.at = 1};
    if (argc == 2)
        return show_sample(c);
    if (argc == 3 && strcasecmp(argv[2], "off") == 0)
        return machine_measure_end(c->machine) ? 0 : console_fail(c, "ctr sample: nothing is measured by samples");
    for (int i = 2; i < argc; i++)
        if (plan_word(c, argv[i], &plan))
            return -1;
    return machine_measure(c->machine, &plan, error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

/* ---- ctr by ------------------------------------------------------------------------------------------------------ */

/* "START-END" or "START-END,NAME", values of the console, both in it. */
static int range(struct console *c, char *word, struct ec_place *place)
{
    uint64_t last;
    char *comma = strchr(word, ','), *dash = strchr(word, '-');
    memset(place, 0, sizeof *place);
    snprintf(place->name, sizeof place->name, "%s", comma ? comma + 1 : word);
    if (comma)
        *comma = 0;
    *dash = 0;
    if (console_value(c, word, &place->start) || console_value(c, dash + 1, &last))
        return -1;
    place->end = last + 1;
    return last >= place->start && place->end
               ? 0
               : console_fail(c, "ctr by %.40s: the range ends in front of where it begins", place->name);
}

static int count_by(struct console *c, const struct ec_place *place, unsigned count, enum ec_place_state state)
{
    return machine_places(c->machine, place, count, state) ? console_fail(c, "ctr by: the host has no memory for that")
                                                           : 0;
}

/* Every symbol that is a place of code. */
static int by_functions(struct console *c, enum ec_place_state state)
{
    struct ipl_symbols *symbols = c->session->load ? ipl_load_symbols(c->session->load) : NULL;
    const unsigned all = symbols ? ipl_symbols_count(symbols) : 0;
    struct ec_place *place = all ? calloc(all, sizeof *place) : NULL;
    unsigned count = 0;
    for (unsigned i = 0; place && i < all; i++) {
        const struct ipl_symbol *s = ipl_symbol_number(symbols, i);
        const struct ipl_symbol *next = i + 1 < all ? ipl_symbol_number(symbols, i + 1) : NULL;
        if (!s->code || (next && next->address == s->address && next->code))
            continue; /* of several names the last stands for all */
        snprintf(place[count].name, sizeof place[count].name, "%s", s->name);
        place[count].start = s->address;
        place[count++].end = s->size ? s->address + s->size : next ? next->address : UINT64_MAX;
    }
    if (!count) {
        free(place);
        return console_fail(
            c, "ctr by functions: no functions are known; `symbols FILE' reads them, a range is START-END");
    }
    const int code = count_by(c, place, count, state);
    free(place);
    return code;
}

static int by_ranges(struct console *c, int argc, char **argv)
{
    struct ec_place place[CONSOLE_WORDS];
    enum ec_place_state state = EC_PLACE_ANY;
    unsigned count = 0;
    const bool functions = strcasecmp(argv[2], "functions") == 0;
    for (int i = functions ? 3 : 2; i < argc; i++) {
        if (strcasecmp(argv[i], "problem") == 0)
            state = EC_PLACE_PROBLEM;
        else if (strcasecmp(argv[i], "supervisor") == 0)
            state = EC_PLACE_SUPERVISOR;
        else if (functions || !strchr(argv[i], '-'))
            return console_usage(c, "ctr");
        else if (range(c, argv[i], &place[count++]))
            return -1;
    }
    return functions ? by_functions(c, state) : count_by(c, place, count, state);
}

/* A place with what all CPUs have counted there. */
struct row {
    const struct ec_place *place; /* NULL: elsewhere */
    struct ec_totals sum;
};

static int by_cycles(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->sum.cycles != y->sum.cycles)
        return x->sum.cycles < y->sum.cycles ? 1 : -1;
    return (x->place ? x->place->start : UINT64_MAX) < (y->place ? y->place->start : UINT64_MAX) ? -1 : 1;
}

/* All places where something was counted, the most expensive first; *count of them, to be freed. NULL, and said:
   nothing is counted by place. */
static struct row *rows_of(struct console *c, unsigned *count)
{
    const struct cpu_system *sys = &c->machine->sys;
    const struct ec_places *p = machine_places_of(c->machine, c->cpu);
    struct row *rows = p ? calloc(p->count + 1u, sizeof *rows) : NULL;
    if (!rows) {
        console_fail(c, p ? "ctr by: the host has no memory"
                          : "ctr by: nothing is counted by place; ctr by functions or ctr by START-END begins");
        return NULL;
    }
    const unsigned places = p->count + 1u;
    for (unsigned i = 0; i < sys->cpu_count; i++) {
        p = machine_places_of(c->machine, sys->cpus[i]);
        for (unsigned n = 0; p && n < places; n++) {
            rows[n].place = n < p->count ? &p->place[n] : NULL;
            rows[n].sum.cycles += p->sum[n].cycles;
            for (unsigned e = 0; e < EC_NEV; e++) {
                rows[n].sum.all[e] += p->sum[n].all[e];
                rows[n].sum.completed[e] += p->sum[n].completed[e];
            }
        }
    }
    *count = 0;
    for (unsigned n = 0; n < places; n++)
        if (rows[n].sum.cycles || rows[n].sum.all[EC_INST])
            rows[(*count)++] = rows[n];
    qsort(rows, *count, sizeof *rows, by_cycles);
    return rows;
}

static const char *name_of(const struct row *r) { return r->place ? r->place->name : "(elsewhere)"; }

static void show_by(struct console *c, const struct row *r, uint64_t cycles)
{
    char cpi[24] = "-";
    const uint64_t all = r->sum.all[EC_INST], done = r->sum.completed[EC_INST];
    if (done)
        snprintf(cpi, sizeof cpi, "%.3f", (double)r->sum.cycles / (double)done);
    SHOW_ROW(c, "{-24} {12} {3} % {12} {8} {12} {9} {9}\n", fact_text("name", name_of(r)),
             fact_number("cycles", r->sum.cycles),
             fact_number("percent", cycles ? (r->sum.cycles * 100 + cycles / 2) / cycles : 0),
             fact_number("instructions", done), fact_text("cpi", cpi), fact_number("thrown_away", all - done),
             fact_number("mispredictions", r->sum.completed[EC_BR_MISP]),
             fact_number("l1d_misses", r->sum.all[EC_L1D_MISS]),
             fact_if(r->place, fact_hex("start", r->place ? r->place->start : 0, 16)),
             fact_if(r->place, fact_hex("end", r->place ? r->place->end - 1 : 0, 16)));
}

static void show_by_event(struct console *c, const struct row *r, enum ec_event e)
{
    const uint64_t all = r->sum.all[e], done = r->sum.completed[e];
    SHOW_ROW(c, "{-24} {-12} {14} {14} {14} {4} %\n", fact_text("name", name_of(r)),
             fact_text("event", ec_events[e].name), fact_number("all", all), fact_number("completed", done),
             fact_number("difference", all - done), fact_number("percent", all ? (all - done) * 100 / all : 0));
}

static int show_places(struct console *c, int argc, char **argv)
{
    unsigned count;
    uint64_t cycles = 0;
    for (int i = 2; i < argc; i++)
        if (!console_ctr_counted(c, argv[i]))
            return -1;
    struct row *rows = rows_of(c, &count);
    if (!rows)
        return -1;
    for (unsigned n = 0; n < count; n++)
        cycles += rows[n].sum.cycles;
    if (argc == 2)
        show_words(c, "place                          cycles        instructions   cycles  thrown away  mispred. L1D "
                      "missed (decimal)\n");
    else
        show_words(c, "place                    event                   all      completed     difference (decimal)\n");
    show_list(c, NULL);
    for (unsigned n = 0; n < count; n++) {
        if (argc == 2)
            show_by(c, &rows[n], cycles);
        for (int i = 2; i < argc; i++)
            if (rows[n].sum.all[ec_event_named(argv[i])])
                show_by_event(c, &rows[n], ec_event_named(argv[i]));
    }
    show_end_list(c);
    free(rows);
    return 0;
}

int console_ctr_by(struct console *c, int argc, char **argv)
{
    if (!console_ctr_model(c))
        return -1;
    if (argc == 3 && strcasecmp(argv[2], "off") == 0)
        return count_by(c, NULL, 0, EC_PLACE_ANY);
    if (argc > 2 && (strcasecmp(argv[2], "functions") == 0 || strchr(argv[2], '-')))
        return by_ranges(c, argc, argv);
    return show_places(c, argc, argv);
}

/* ---- the same as CSV ----------------------------------------------------------------------------------------------
 */

/* A name as a field of CSV. */
static void put_name(FILE *f, const char *name)
{
    fputc('"', f);
    for (; *name; name++) {
        if (*name == '"')
            fputc('"', f);
        fputc(*name, f);
    }
    fputc('"', f);
}

static void put_totals(FILE *f, const char *part, const char *name, const struct ec_place *place,
                       const struct ec_totals *t, uint64_t paired)
{
    for (unsigned e = 0; e < EC_NEV; e++) {
        const bool cycles = e == 0;
        if (!cycles && (!(paired >> e & 1) || !ec_events[e].name || !t->all[e]))
            continue;
        const uint64_t all = cycles ? t->cycles : t->all[e], done = cycles ? t->cycles : t->completed[e];
        fprintf(f, "%s,", part);
        put_name(f, name);
        if (place)
            fprintf(f, ",%016" PRIX64 ",%016" PRIX64, place->start, place->end - 1);
        else
            fputs(",,", f);
        fprintf(f, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", cycles ? "cycles" : ec_events[e].name, all, done,
                all - done);
    }
}

void console_report_csv(struct console *c, FILE *f)
{
    const struct cpu_system *sys = &c->machine->sys;
    const uint64_t paired = ec_model_counting(cpu_model(c->cpu))->paired;
    struct measure_result r;
    struct ec_totals t;
    char name[32];
    unsigned count;
    fputs("part,name,start,end,event,all,completed,difference\n", f);
    for (unsigned i = 0; i < sys->cpu_count; i++) {
        ec_model_totals(cpu_model(sys->cpus[i]), &t);
        snprintf(name, sizeof name, "CPU %X", sys->cpus[i]->address);
        put_totals(f, "total", name, NULL, &t, paired);
    }
    if (machine_measured(c->machine, &r)) {
        put_totals(f, "sample", "", NULL, &r.totals, paired);
        fprintf(f, "sample,,,,passed,%" PRIu64 ",%" PRIu64 ",0\nsample,,,,intervals,%" PRIu64 ",%" PRIu64 ",0\n",
                r.passed, r.passed, r.intervals, r.intervals);
    }
    if (!machine_places_of(c->machine, c->cpu))
        return;
    struct row *rows = rows_of(c, &count);
    for (unsigned n = 0; rows && n < count; n++)
        put_totals(f, "place", name_of(&rows[n]), rows[n].place, &rows[n].sum, paired);
    free(rows);
}
