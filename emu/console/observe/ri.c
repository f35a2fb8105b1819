/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family `ri`: run-time instrumentation of the chosen CPU. */
#include "cpu/control/observe.h"
#include "cpu/control/psw.h"
#include "cpu/storage/access.h"
#include "emu/console/base/internal.h"
#include "emu/console/observe/ri.h"
#include "ri/text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BUFFER_MOST (UINT64_C(64) << 20)

/* A number as ri/ tells it: in so many hexadecimal digits, or a small decimal one. */
static struct fact fact_field(const char *name, uint64_t value, unsigned digits)
{
    return digits ? fact_hex(name, value, digits) : fact_number(name, value);
}

/* ---- what it does now ------------------------------------------------------------------------------------------ */

static void next_words(const struct console *c, char *text, size_t size)
{
    const struct ri *ri = c->cpu->ri;
    uint64_t left = ri_remaining(ri);
    if (!ri_active(ri))
        snprintf(text, size, "none: %s", ri_state_name(ri));
    else if (ri->directed)
        snprintf(text, size, "the instruction at %" PRIX64 ", directed by RINEXT", ri->nsi);
    else if (left == UINT64_MAX)
        snprintf(text, size, "where RINEXT directs (mode %u)", ri->controls.m);
    else
        snprintf(text, size, "in %" PRIX64 " %s", left, ri->controls.m == RI_MODE_CYCLES ? "cycles" : "instructions");
}

int console_ri_next(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    const struct ri *ri = c->cpu->ri;
    char words[128];
    next_words(c, words, sizeof words);
    SHOW_ROW(c, "next sample: {}\n", fact_text("words", words), fact_text("state", ri_state_name(ri)),
             fact_flag("directed", ri->directed, "", ""),
             fact_if(ri_active(ri) && ri_remaining(ri) != UINT64_MAX, fact_hex("distance", ri_remaining(ri), 16)));
    return 0;
}

/* What no instruction stores: the collection buffer, the predictor, the cache model, the latches. */
static void show_hidden(struct console *c, const struct ri *ri)
{
    SHOW(c, "collection buffer: {} of {} records{}\n", fact_number("collected", ri_collected(ri)),
         fact_number("collection_buffer", ri->profile.cb_entries),
         fact_flag("frozen", ri->frozen, ", frozen until the transaction ends", ""));
    SHOW(c, "branch predictor: {} of {} entries; cache model: {}\n", fact_number("predictor_entries", ri_predicted(ri)),
         fact_number(NULL, RI_PREDICTOR),
         fact_flag("two_level_cache", ri->cache, "two levels", "none, every access is a miss at level 14"));
    SHOW(c, "halted latch {}; {}{}\n",
         fact_flag("halted_latch", ri->halted, "one: nothing is stored until the controls are loaded", "zero"),
         fact_flag("directed", ri->directed, "RINEXT has directed the next sample", "no sample is directed"),
         fact_flag("deferred", ri->deferred, "; a group waits for the end of the transaction", ""));
}

static void show_summary(struct console *c)
{
    const struct ri *ri = c->cpu->ri;
    char words[128];
    next_words(c, words, sizeof words);
    show_object(c, NULL);
    SHOW(c, "CPU {x}: {}; profile {}, PSW bit 24 {}, controls {}\n", fact_hex(NULL, c->cpu->address, 1),
         fact_text("state", ri_state_name(ri)), fact_text("profile", ri->profile.name),
         fact_flag("psw", c->cpu->psw.mask & PSW_RI, "one", "zero"),
         fact_flag("valid", ri->controls.v, "valid", "not valid"));
    SHOW(c, "next sample: {}\n", fact_text("next", words));
    SHOW(c, "collected {} records; {} groups stored, {} halts{}{}\n", fact_number(NULL, ri_collected(ri)),
         fact_number("groups", ri->groups), fact_number("halts", ri->halts),
         fact_flag(NULL, ri_alert(ri) & 0x10, "; buffer-full alert pending", ""),
         fact_flag(NULL, ri_alert(ri) & 0x20, "; halted alert pending", ""), fact_hex("alert", ri_alert(ri), 2));
    if (ri->controls.v)
        show_words(c, "program buffer %" PRIX64 "-%" PRIX64 ", next group at %" PRIX64 "\n", ri->controls.roa,
                   ri->controls.rla, ri->controls.rca);
    show_hidden(c, ri);
    show_end_object(c);
}

static void show_control(void *context, const char *name, uint64_t value, unsigned digits, const char *words)
{
    SHOW((struct console *)context, "{-4} {}  {}\n", fact_text(NULL, name), fact_field(name, value, digits),
         fact_text(NULL, words));
}

int console_ri_controls(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    show_object(c, NULL);
    ri_controls_each(&c->cpu->ri->controls, show_control, c);
    show_end_object(c);
    return 0;
}

/* ---- setting them ---------------------------------------------------------------------------------------------- */

static int load_block(struct console *c, const uint8_t block[RI_BLOCK_SIZE])
{
    if (!cpu_facility(&c->machine->sys, FACILITY_RI))
        return console_fail(c, "ri: this machine has no run-time instrumentation (facility bit %u is off)",
                            FACILITY_RI);
    if (ri_block_invalid(block, false))
        return console_fail(c,
                            "ri set: LRIC of these controls would be a specification exception; look at 'ri controls'");
    if (!ri_lric(c->cpu->ri, block))
        c->cpu->psw.mask &= ~PSW_RI;
    cpu_mode_changed(c->cpu);
    return 0;
}

int console_ri_set(struct console *c, int argc, char **argv)
{
    struct ri_controls controls = {0};
    uint8_t block[RI_BLOCK_SIZE];
    bool sf = false, rsic = false;
    if (c->cpu->ri->controls.v)
        controls = c->cpu->ri->controls;
    if (argc < 3)
        return console_fail(
            c, "ri set: name fields as FIELD=VALUE; 'ri controls' lists them; example: ri set V=1 Qs=1 F=1");
    for (int i = 2; i < argc; i++) {
        uint64_t value;
        char *equals = strchr(argv[i], '=');
        if (!equals)
            return console_fail(c, "ri set: '%.40s' has no =; write FIELD=VALUE", argv[i]);
        *equals = 0;
        if (console_value(c, equals + 1, &value))
            return -1;
        if (!ri_controls_set(&controls, argv[i], value))
            return console_fail(
                c, "ri set: there is no control '%.20s', or %s is too large for it; 'ri controls' lists them", argv[i],
                equals + 1);
        sf = sf || strcasecmp(argv[i], "SF") == 0;
        rsic = rsic || strcasecmp(argv[i], "RSIC") == 0;
    }
    if (sf && !rsic)
        controls.rsic = controls.sf; /* a first interval that is as long as the others */
    ri_controls_encode(&controls, block);
    return load_block(c, block);
}

static int set_psw_bit(struct console *c, bool on)
{
    uint64_t mask = cpu_psw_mask(c->cpu);
    if (on && !c->cpu->ri->controls.v)
        return console_fail(c, "ri on: the controls are not valid; set them first, as 'ri set V=1 ...'");
    if (cpu_load_psw(c->cpu, on ? mask | PSW_RI : mask & ~PSW_RI, c->cpu->psw.ia))
        return console_fail(c, "ri: the PSW was not valid and is current all the same; 'psw' shows it");
    return 0;
}

int console_ri_on(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return set_psw_bit(c, true);
}

int console_ri_off(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return set_psw_bit(c, false);
}

int console_ri_clear(struct console *c, int argc, char **argv)
{
    static const uint8_t zeros[RI_BLOCK_SIZE];
    (void)argc;
    (void)argv;
    return load_block(c, zeros);
}

int console_ri_stop(struct console *c, int argc, char **argv)
{
    const struct console_word *word = argc == 3 ? console_wants(c, "ri", "stop", argv[2]) : NULL;
    if (argc != 3)
        return console_usage(c, "ri");
    if (!word)
        return -1;
    c->ri_stop = word->value ? c->ri_stop | (unsigned)word->value : 0;
    return 0;
}

/* ---- records --------------------------------------------------------------------------------------------------- */

static void show_field(void *context, const char *name, uint64_t value, unsigned digits)
{
    SHOW((struct console *)context, "", fact_field(name, value, digits));
}

/* A record for programs: an object of its type and fields. */
static void show_record(struct console *c, const char *name, struct ri_record record)
{
    const unsigned type = ri_record_type(record);
    const char *words = ri_type_name(type);
    show_object(c, name);
    SHOW(c, "", fact_text("type", words ? words : "unknown"), fact_hex("code", type, 2));
    ri_record_facts(record, show_field, c);
    show_end_object(c);
}

int console_ri_collection(struct console *c, int argc, char **argv)
{
    const struct ri *ri = c->cpu->ri;
    char text[RI_LINE];
    unsigned count = ri_collected(ri);
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    for (unsigned i = 0; i < count; i++) {
        struct ri_record record = ri_collected_record(ri, i);
        ri_record_text(record, text, sizeof text);
        show_words(c, "%3u  %016" PRIX64 " %016" PRIX64 "  %s\n", i, record.hi, record.lo, text);
        show_record(c, NULL, record);
    }
    show_end_list(c);
    show_words(c, "%u records (decimal), oldest first\n", count);
    return 0;
}

int console_ri_fetch(struct console *c, uint8_t **bytes, size_t *size)
{
    const struct ri_controls *controls = &c->cpu->ri->controls;
    enum cpu_space space = !(c->cpu->psw.mask & PSW_DAT) ? CPU_SPACE_REAL
                           : controls->h                 ? CPU_SPACE_HOME
                                                         : CPU_SPACE_PRIMARY;
    if (!controls->v)
        return console_fail(c, "ri buffer: the controls are not valid, so there is no program buffer");
    uint64_t length = controls->rla < controls->roa ? 0 : controls->rla - controls->roa + 1;
    if (controls->rca > controls->roa && controls->rca - controls->roa < length)
        length = controls->rca - controls->roa; /* groups stand below the current address */
    else if (controls->rca == controls->roa)
        length = 0;
    if (length > BUFFER_MOST)
        length = BUFFER_MOST;
    if (length == 0)
        return console_fail(c, "ri buffer: nothing is in it (RCA %" PRIX64 ", ROA %" PRIX64 ")", controls->rca,
                            controls->roa);
    *bytes = malloc((size_t)length);
    if (!*bytes)
        return console_fail(c, "ri buffer: the host has no memory for %" PRIX64 " bytes", length);
    *size = look_fetch(c, space, 0, controls->roa, *bytes, (unsigned)length);
    if (*size)
        return 0;
    free(*bytes);
    return console_fail(c, "ri buffer: its first page, at %" PRIX64 ", is not there; 'translate' tells why",
                        controls->roa);
}

/* The program buffer: for programs always lists of records; for people the records, or a line for each group. */
struct groups {
    struct console *c;
    bool summary;
    unsigned group, records, branches;
    uint64_t address, sample;
};

static void end_group(const struct groups *g)
{
    char symbol[96];
    if (!g->group)
        return;
    show_end_list(g->c);
    if (!g->summary)
        return;
    look_symbol(g->c, g->sample, symbol, sizeof symbol);
    show_words(g->c, "group %4u at %016" PRIX64 ": %3u records, %3u branches, sample instruction %016" PRIX64 " %s\n",
               g->group, g->address, g->records, g->branches, g->sample, symbol);
}

static void find_ia(void *context, const char *name, uint64_t value, unsigned digits)
{
    (void)digits;
    if (strcmp(name, "IA") == 0)
        *(uint64_t *)context = value;
}

static void begin_group(struct groups *g, unsigned group, uint64_t address)
{
    end_group(g);
    *g = (struct groups){.c = g->c, .summary = g->summary, .group = group, .address = address};
    if (!g->summary)
        show_words(g->c, "  group %u\n", group);
    show_list(g->c, NULL);
}

static void each_record(void *context, unsigned group, uint64_t address, struct ri_record record)
{
    struct groups *g = context;
    char text[RI_LINE] = "";
    const unsigned type = ri_record_type(record);
    if (group != g->group)
        begin_group(g, group, address);
    g->records++;
    g->branches += type >= RI_TYPE_CALL && type <= RI_TYPE_TRANSFER;
    if (type == RI_TYPE_INSTRUCTION)
        ri_record_facts(record, find_ia, &g->sample);
    if (!g->summary)
        ri_record_text(record, text, sizeof text);
    show_object(g->c, NULL);
    SHOW(g->c, g->summary ? "" : "    {x}  {}\n", fact_hex("address", address, 16), fact_text(NULL, text));
    show_record(g->c, "record", record);
    show_end_object(g->c);
}

static int show_groups(struct console *c, bool summary)
{
    uint8_t *bytes;
    size_t size;
    struct groups g = {.c = c, .summary = summary};
    if (console_ri_fetch(c, &bytes, &size))
        return -1;
    show_list(c, NULL);
    const unsigned groups = ri_buffer_each(bytes, size, c->cpu->ri->controls.roa, each_record, &g);
    end_group(&g);
    show_end_list(c);
    show_words(c, "%u groups (decimal)\n", groups);
    free(bytes);
    return 0;
}

int console_ri_buffer(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return show_groups(c, false);
}

int console_ri_groups(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return show_groups(c, true);
}

int console_cmd_ri(struct console *c, int argc, char **argv)
{
    if (argc > 1)
        return console_run_word(c, "ri", argc, argv);
    show_summary(c);
    return 0;
}
