/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of what the pipeline model has counted, and what options of the program want of it. */
#include "emu/console/console.h"
#include "emu/console/base/internal.h"
#include "emu/console/observe/measure.h"
#include "emu/pipeline/measure.h"
#include <errno.h>
#include <string.h>
#include <strings.h>

/* A display as a part of the report; `name` NULL: as text. */
static void part(struct console *c, const char *name, const char *line, bool *comma)
{
    if (name)
        fprintf(c->out, "%s\"%s\":", *comma ? "," : "", name);
    *comma = true;
    if (console_line(c, line))
        c->lost = true;
    else if (!name)
        fputc('\n', c->out);
}

/* All displays that have something to show. */
static void report_displays(struct console *c, bool json)
{
    const struct cpu_system *sys = &c->machine->sys;
    struct cpu *chosen = c->cpu;
    struct measure_result r;
    bool comma = false;
    fputs(json ? "{\"cpus\":[" : "", c->out);
    for (unsigned i = 0; i < sys->cpu_count; i++) {
        bool inner = false;
        c->cpu = sys->cpus[i];
        fputs(!json ? "" : i ? ",{" : "{", c->out);
        part(c, json ? "status" : NULL, "ctr status", &inner);
        part(c, json ? "pairs" : NULL, "ctr show", &inner);
        part(c, json ? "rates" : NULL, "ctr derive", &inner);
        fputs(json ? "}" : "", c->out);
    }
    c->cpu = chosen;
    fputs(json ? "]" : "", c->out);
    comma = true;
    if (machine_measured(c->machine, &r))
        part(c, json ? "sample" : NULL, "ctr sample", &comma);
    if (machine_places_of(c->machine, c->cpu))
        part(c, json ? "places" : NULL, "ctr by", &comma);
    fputs(json ? "}\n" : "", c->out);
}

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcasecmp(name + n - m, end) == 0;
}

static int cannot_report(struct console *c, const char *name)
{
    return console_fail(c, "ctr report: cannot write '%.100s': %s; name a file in a folder you may write to", name,
                        strerror(errno));
}

int console_ctr_report(struct console *c, int argc, char **argv)
{
    if (!console_ctr_model(c))
        return -1;
    if (argc != 3)
        return console_usage(c, "ctr");
    char name[CONSOLE_FILE];
    snprintf(name, sizeof name, "%s", argv[2]);
    FILE *f = fopen(name, "w"), *out = c->out, *log = c->log;
    if (!f)
        return cannot_report(c, name);
    const bool json = ends_with(name, ".json"), always = c->json_always;
    const struct show_aside aside = show_put_aside(c);
    c->out = f;
    c->log = NULL;
    c->json_always = json;
    if (ends_with(name, ".csv"))
        console_report_csv(c, f);
    else
        report_displays(c, json);
    c->out = out;
    c->log = log;
    c->json_always = always;
    show_take_back(c, &aside);
    const bool bad = ferror(f);
    return fclose(f) || bad ? cannot_report(c, name) : 0;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

int console_measure(struct console *c, const char *word, const char *text)
{
    char line[CONSOLE_LINE];
    snprintf(line, sizeof line, "ctr %s %s", word, text);
    for (char *at = line; strcmp(word, "sample") == 0 && *at; at++)
        if (*at == ',')
            *at = ' ';
    return console_line(c, line);
}
