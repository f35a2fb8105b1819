/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ctr`, its part that looks into the pipeline model: what passes through it, caches, predictor. */
#include "cpu/control/model.h"
#include "emu/console/base/internal.h"
#include "emu/observe/pipeline.h"
#include "ri/counters/model/passages.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int console_ctr_trace(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    if (argc == 3 && strcasecmp(argv[2], "off") == 0)
        return machine_pipeline_log_end(c->machine) ? 0 : console_fail(c, "ctr: no log is being written");
    if (argc != 4 || strcasecmp(argv[2], "on") != 0)
        return console_usage(c, "ctr");
    if (!console_ctr_model(c))
        return -1;
    const struct pipeline_wish wish = {.file = argv[3], .format = EC_LOG_LINES};
    return machine_pipeline_log(c->machine, &wish, error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

static void show_line(void *context, const char *text) { SHOW_ROW(context, "{}\n", fact_text("line", text)); }

static int keep(struct console *c, bool on)
{
    const int code = machine_pipeline_keep(c->machine, on);
    if (code == -EBUSY)
        return console_fail(c, "ctr: a log of the pipeline is being written; end it by ctr trace off");
    return code ? console_fail(c, "ctr: the host has no memory for that") : 0;
}

int console_ctr_pipe(struct console *c, int argc, char **argv)
{
    unsigned long most = 16;
    char *end = NULL;
    if (!console_ctr_model(c))
        return -1;
    if (argc == 3 && (strcasecmp(argv[2], "on") == 0 || strcasecmp(argv[2], "off") == 0))
        return keep(c, argv[2][1] == 'n' || argv[2][1] == 'N');
    if (argc == 3)
        most = strtoul(argv[2], &end, 10);
    if (argc > 3 || (end && *end) || most < 1 || most > EC_RECENT)
        return console_usage(c, "ctr");
    const struct ec_recent *recent = machine_pipeline_recent(c->machine, c->cpu);
    if (!recent)
        return console_fail(c, "ctr: nothing is kept of the pipeline; begin by ctr pipe on, then let the CPU run");
    show_list(c, NULL);
    ec_recent_show(recent, (unsigned)most, show_line, c);
    show_end_list(c);
    return 0;
}

static void show_lines(struct console *c, const struct ec_model *m, unsigned which, const struct ec_cache_view *view)
{
    uint64_t address;
    show_list(c, NULL);
    for (uint32_t set = 0; set < view->sets; set++)
        for (uint32_t way = 0; way < view->ways; way++)
            if (ec_model_line(m, which, set, way, &address))
                SHOW_ROW(c, "set {5} way {2} {}\n", fact_number("set", set), fact_number("way", way),
                         fact_hex("absolute", address, 16));
    show_end_list(c);
}

int console_ctr_caches(struct console *c, int argc, char **argv)
{
    struct ec_cache_view view;
    const struct ec_model *m = console_ctr_model(c);
    if (!m)
        return -1;
    if (argc > 3)
        return console_usage(c, "ctr");
    for (unsigned i = 0; argc == 3 && i < 4; i++) {
        ec_model_cache(m, i, &view);
        if (strcasecmp(view.name, argv[2]) != 0)
            continue;
        show_lines(c, m, i, &view);
        return 0;
    }
    if (argc == 3)
        return console_usage(c, "ctr");
    show_list(c, NULL);
    for (unsigned i = 0; i < EC_CACHES; i++) {
        ec_model_cache(m, i, &view);
        if (!view.sets)
            continue;
        SHOW_ROW(c, "{-4} {6} sets of {4}, {7} taken; {12} hits, {12} misses (decimal)\n", fact_text("name", view.name),
                 fact_number("sets", view.sets), fact_number("ways", view.ways), fact_number("taken", view.used),
                 fact_number("hits", view.hits), fact_number("misses", view.misses));
    }
    show_end_list(c);
    return 0;
}

int console_ctr_bp(struct console *c, int argc, char **argv)
{
    struct ec_predict_view view;
    const struct ec_model *m = console_ctr_model(c);
    (void)argv;
    if (!m)
        return -1;
    if (argc != 2)
        return console_usage(c, "ctr");
    ec_model_predictor(m, &view);
    show_object(c, NULL);
    SHOW(c, "{}; counters that predict not taken {}, weakly {}, taken weakly {}, taken {} (decimal)\n",
         fact_text("predictor", view.kind), fact_number("not_taken", view.counters[0]),
         fact_number("weakly_not_taken", view.counters[1]), fact_number("weakly_taken", view.counters[2]),
         fact_number("taken", view.counters[3]));
    SHOW(c, "targets {} of {}, return addresses {}, history {} of {} bits\n", fact_number("targets", view.targets),
         fact_number("places", view.target_places), fact_number("returns", view.calls),
         fact_hex("history", view.history, 5), fact_number("history_bits", view.history_bits));
    show_end_object(c);
    return 0;
}
