/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace as value changes: who runs, how deep, and what is pending, as the signals of a logic analyser. */
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCES 256u

enum signal { S_EN, S_DEPTH, S_TC, S_LA, S_EXT, S_IO, S_MCK, S_WAIT, SIGNALS };
static const struct {
    const char *name;
    unsigned width;
} signals[SIGNALS] = {{"en", 9},       {"depth", 8},   {"tc", 1},       {"la", 1},
                      {"pend_ext", 1}, {"pend_io", 1}, {"pend_mck", 1}, {"wait", 1}};

struct lane {
    bool declared;
    uint16_t value[SIGNALS];
    uint64_t pending[3]; /* S_EXT, S_IO, S_MCK */
};

struct vcd {
    const struct et_output_setting *setting;
    struct et_scale scale;
    unsigned sources; /* that the head of the file names; 0: a bare stream */
    bool begun, timed, pulses;
    uint64_t now;       /* ns, of the last # line */
    uint64_t pulse_end; /* ns */
    struct lane lane[SOURCES];
};

static void *begin(const struct et_output_setting *setting)
{
    struct vcd *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->setting = setting;
    et_scale_init(&v->scale, setting->insn_rate);
    return v;
}

/* Identifier of a signal: visible characters. */
static const char *identifier(unsigned source, unsigned signal, char id[4])
{
    const unsigned n = source * SIGNALS + signal;
    id[0] = (char)('!' + n % 90);
    id[1] = (char)('!' + n / 90);
    id[2] = 0;
    return id;
}

static void value_out(const struct vcd *v, unsigned source, unsigned signal)
{
    const unsigned width = signals[signal].width, value = v->lane[source].value[signal];
    char id[4], bits[17];
    for (unsigned i = 0; i < width; i++)
        bits[i] = (char)('0' + (value >> (width - 1 - i) & 1));
    bits[width] = 0;
    identifier(source, signal, id);
    if (width == 1)
        et_print(&v->setting->writer, "%s%s\n", bits, id);
    else
        et_print(&v->setting->writer, "b%s %s\n", bits, id);
}

static void declare(struct vcd *v, unsigned source)
{
    const struct et_writer *w = &v->setting->writer;
    char id[4];
    v->lane[source].declared = true;
    if (source == ET_SOURCE_MACHINE)
        et_put(w, "$scope module machine $end\n");
    else
        et_print(w, "$scope module cpu%02u $end\n", source);
    for (unsigned i = 0; i < SIGNALS; i++) {
        et_print(w, "$var wire %u %s %s", signals[i].width, identifier(source, i, id), signals[i].name);
        if (signals[i].width > 1)
            et_print(w, " [%u:0]", signals[i].width - 1);
        et_put(w, " $end\n");
    }
    et_put(w, "$upscope $end\n");
}

/* Everything has to be declared before the first change: the CPUs that the head of the file names, or the only one. */
static void header(struct vcd *v, unsigned source)
{
    const struct et_writer *w = &v->setting->writer;
    const unsigned cpus = v->sources > SOURCES - 1 ? SOURCES - 1 : v->sources;
    v->begun = true;
    et_put(w, "$version zri-et $end\n$timescale 1 ns $end\n");
    for (unsigned i = 0; i < cpus; i++)
        declare(v, i);
    if (!v->lane[source].declared)
        declare(v, source);
    if (!v->lane[ET_SOURCE_MACHINE].declared && cpus)
        declare(v, ET_SOURCE_MACHINE);
    et_put(w, "$enddefinitions $end\n");
}

static void at(struct vcd *v, uint64_t ns)
{
    if (v->timed && ns <= v->now) /* time does not go back in this format */
        return;
    et_print(&v->setting->writer, "#%" PRIu64 "\n", ns);
    v->now = ns;
    if (v->timed)
        return;
    v->timed = true;
    et_put(&v->setting->writer, "$dumpvars\n");
    for (unsigned i = 0; i < SOURCES; i++)
        for (unsigned k = 0; v->lane[i].declared && k < SIGNALS; k++)
            value_out(v, i, k);
    et_put(&v->setting->writer, "$end\n");
}

static void set(struct vcd *v, unsigned source, unsigned signal, unsigned value)
{
    if (v->lane[source].value[signal] == value)
        return;
    v->lane[source].value[signal] = (uint16_t)value;
    value_out(v, source, signal);
}

static void end_pulses(struct vcd *v)
{
    at(v, v->pulse_end);
    v->pulses = false;
    for (unsigned i = 0; i < SOURCES; i++) {
        set(v, i, S_TC, 0);
        set(v, i, S_LA, 0);
    }
}

static void advance(struct vcd *v, const struct et_event *event)
{
    const unsigned __int128 ns = et_scale_ps(&v->scale, event->time) / 1000;
    const uint64_t to = ns > UINT64_MAX - 1 ? UINT64_MAX - 1 : (uint64_t)ns;
    if (v->pulses && to >= v->pulse_end)
        end_pulses(v);
    at(v, to);
}

static void pulse(struct vcd *v, unsigned source, unsigned signal)
{
    set(v, source, signal, 1);
    v->pulses = true;
    v->pulse_end = v->now + 1;
}

static int pending_of(unsigned en)
{
    switch (et_number_class(en)) {
    case ET_EXTERNAL:
        return S_EXT;
    case ET_IO:
        return S_IO;
    case ET_EXIGENT:
    case ET_REPRESSIBLE:
        return S_MCK;
    default:
        return -1;
    }
}

static void pending(struct vcd *v, const struct et_event *event, bool more)
{
    const int signal = event->en_known ? pending_of(event->en) : -1;
    if (signal < 0)
        return;
    uint64_t *count = &v->lane[event->source].pending[signal - S_EXT];
    *count += more ? 1 : *count ? (uint64_t)-1 : 0;
    set(v, event->source, (unsigned)signal, *count != 0);
}

static void state(struct vcd *v, const struct et_event *event)
{
    const uint64_t code = event->value;
    if (code == ET_ST_WAIT || code == ET_ST_DISABLED_WAIT)
        set(v, event->source, S_WAIT, 1);
    else if (code == ET_ST_WAIT_END || code == ET_ST_RESET || code == ET_ST_STARTED)
        set(v, event->source, S_WAIT, 0);
    if (code == ET_ST_RESET) {
        set(v, event->source, S_EN, ET_NORMAL);
        set(v, event->source, S_DEPTH, 0);
    }
}

static void change(struct vcd *v, const struct et_event *event)
{
    const unsigned source = event->source;
    if (event->kind == ET_K_ENTRY || event->kind == ET_K_RETURN)
        set(v, source, S_EN, event->en_known ? event->en : ET_NUMBERS - 1);
    if ((event->kind == ET_K_ENTRY || event->kind == ET_K_EXIT) && event->depth_known)
        set(v, source, S_DEPTH, event->depth & 0xff);
    if (event->kind == ET_K_ENTRY && event->flags & ET_E_TC)
        pulse(v, source, S_TC);
    if (event->kind == ET_K_ENTRY && event->flags & ET_E_LA)
        pulse(v, source, S_LA);
    if (event->kind == ET_K_ENTRY && event->signal)
        pending(v, event, false);
    if (event->kind == ET_K_SIGNAL)
        pending(v, event, !(event->flags & ET_E_WITHDRAWN));
    if (event->kind == ET_K_STATE)
        state(v, event);
    if (event->kind == ET_K_LOST)
        et_put(&v->setting->writer, "$comment events lost $end\n");
}

static void event(void *output, const struct et_event *event)
{
    struct vcd *v = output;
    if (event->kind == ET_K_FILE)
        v->sources = (unsigned)(event->value > SOURCES ? SOURCES : event->value);
    if (event->kind == ET_K_FILE || event->source >= SOURCES)
        return;
    et_scale_event(&v->scale, event);
    if (event->kind > ET_K_MARK && event->kind != ET_K_LOST)
        return;
    if (!v->begun)
        header(v, event->source);
    if (!v->lane[event->source].declared)
        return; /* more sources than the head of the file names */
    advance(v, event);
    change(v, event);
}

static void diagnostic(void *output, const struct et_diagnostic *diagnostic) { (void)output, (void)diagnostic; }

static void end(void *output, const struct et_decoder_sums *sums)
{
    struct vcd *v = output;
    (void)sums;
    if (!v->begun)
        header(v, 0);
    if (v->pulses)
        end_pulses(v);
    free(v);
}

const struct et_output et_output_vcd = {
    .name = "vcd",
    .help = "who runs and what is pending as signals, for GTKWave and sigrok",
    .wants = ET_OUTPUT_MERGED,
    .begin = begin,
    .event = event,
    .diagnostic = diagnostic,
    .end = end,
};
