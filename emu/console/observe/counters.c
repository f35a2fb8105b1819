/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ctr`: counter sets, the sampling facility and their alerts on the chosen CPU. */
#include "emu/console/base/internal.h"
#include "ri/counters/counters.h"
#include <inttypes.h>
#include <string.h>

/* ---- ctr sets -------------------------------------------------------------------------------------------------- */

static void show_alerts(struct console *c, const struct counters *k)
{
    show_list(c, "alerts");
    for (unsigned i = 0; i < c->table->word_count; i++) {
        const struct console_word *word = &c->table->words[i];
        if (strcmp(word->command, "ctr") != 0 || strcmp(word->behind, "inject") != 0 || !(k->alerts & word->value))
            continue;
        show_value(c, "alert pending: {}", fact_text(NULL, word->word));
        show_words(c, ", %s\n", word->help);
    }
    show_end_list(c);
}

static const char *sampling_name(unsigned controls, unsigned enable, unsigned activate)
{
    return !(controls & enable) ? "disabled" : !(controls & activate) ? "inactive" : "active";
}

static void show_sampling(struct console *c, const struct sampling *s, uint64_t samples)
{
    show_object(c, "sampling");
    SHOW(c, "sampling: basic {}, diagnostic {}; {} samples stored (decimal)\n",
         fact_text("basic", sampling_name(s->controls, SAMPLING_ES, SAMPLING_CS)),
         fact_text("diagnostic", sampling_name(s->controls, SAMPLING_ED, SAMPLING_CD)),
         fact_number("samples", samples));
    SHOW(c, "  entries of {} and {} bytes, intervals of {} to {} cycles, {} cycles in a microsecond (decimal)\n",
         fact_number("basic_bytes", SAMPLING_BASIC), fact_number("diagnostic_bytes", SAMPLING_DIAG),
         fact_number("least", SAMPLING_MIN), fact_number("most", SAMPLING_MAX),
         fact_number("mhz", c->cpu->counters->profile.mhz));
    SHOW(c, s->controls ? "  interval {} cycles, {} left (decimal); TEAR {}, DEAR {}\n" : "",
         fact_number("interval", s->interval), fact_number("left", s->left), fact_hex("tear", s->tear, 16),
         fact_hex("dear", s->dear, 16));
    show_end_object(c);
}

/* The counters of a set that are not zero. */
static void show_counters(struct console *c, const struct counters *k, unsigned first, unsigned count)
{
    show_list(c, "counters");
    for (unsigned n = first; n < first + count; n++)
        if (counters_value(k, n))
            SHOW_ROW(c, "  counter {}: {} (decimal)\n", fact_number("number", n),
                     fact_number("value", counters_value(k, n)));
    show_end_list(c);
}

static void show_set(struct console *c, const struct counters *k, enum counters_set set, const char *name,
                     unsigned first, unsigned count)
{
    char which[64] = "";
    if (count)
        snprintf(which, sizeof which, " counters %u to %u (decimal)", first, first + count - 1);
    show_object(c, NULL);
    SHOW(c, "{} {-17} {-12}{}\n", fact_hex("bit", set, 4), fact_text("name", name),
         fact_text("state", counters_state_name(k, set)), fact_text(NULL, which));
    show_counters(c, k, first, count);
    show_end_object(c);
}

static bool has_counters(struct console *c)
{
    if (!cpu_facility(&c->machine->sys, FACILITY_CPUMCF))
        console_fail(c, "ctr: this machine has no counter facility (facility bit %u is off)", FACILITY_CPUMCF);
    return cpu_facility(&c->machine->sys, FACILITY_CPUMCF);
}

int console_ctr_sets(struct console *c, int argc, char **argv)
{
    const struct counters *k = c->cpu->counters;
    enum counters_set set;
    const char *name;
    unsigned first, count;
    (void)argc;
    (void)argv;
    if (!has_counters(c))
        return -1;
    show_object(c, NULL);
    SHOW(c, "CPU {x}: counter facility, version {}.{}, authorization {}\n", fact_hex(NULL, c->cpu->address, 1),
         fact_number("first_version", k->profile.first_version),
         fact_number("second_version", k->profile.second_version), fact_hex("authorization", k->authorized, 4));
    show_list(c, "sets");
    for (unsigned i = 0; counters_set_number(k, i, &set, &name, &first, &count); i++)
        show_set(c, k, set, name, first, count);
    show_end_list(c);
    show_sampling(c, &k->sampling, k->samples);
    show_alerts(c, k);
    show_end_object(c);
    return 0;
}

/* ---- ctr auth, ctr inject -------------------------------------------------------------------------------------- */

int console_ctr_auth(struct console *c, int argc, char **argv)
{
    uint64_t value;
    if (!has_counters(c))
        return -1;
    if (argc != 3)
        return console_usage(c, "ctr");
    if (console_hex(c, argv[2], 0xffff, &value))
        return -1;
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (c->machine->sys.cpus[i])
            counters_authorize(c->machine->sys.cpus[i]->counters, (uint16_t)value);
    return 0;
}

int console_ctr_inject(struct console *c, int argc, char **argv)
{
    if (!has_counters(c))
        return -1;
    if (argc != 3)
        return console_usage(c, "ctr");
    const struct console_word *alert = console_wants(c, "ctr", "inject", argv[2]);
    if (!alert)
        return -1;
    c->cpu->counters->alerts |= (uint32_t)alert->value;
    return 0;
}

int console_cmd_ctr(struct console *c, int argc, char **argv)
{
    return argc == 1 ? console_ctr_sets(c, argc, argv) : console_run_word(c, "ctr", argc, argv);
}
