/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configuration of a trace unit at run time: who may write, when a change takes effect, status; and the end of the
   streams (specification 4.1 to 4.5). */
#include "ri/trace/unit.h"
#include <errno.h>
#include <string.h>

uint64_t et_read(const struct et_cpu *cpu, unsigned index)
{
    struct et_config status = {0};
    if (index >= ET_REGISTERS)
        return 0;
    if (index != ETST)
        return cpu->config.reg[index];
    ET_PUT(&status, ETST, ACTIVE, cpu->encoder.on);
    ET_PUT(&status, ETST, OVERFLOW, cpu->encoder.overflowed);
    ET_PUT(&status, ETST, HELD, cpu->encoder.holding);
    ET_PUT(&status, ETST, STALLED, cpu->stalled);
    ET_PUT(&status, ETST, DEPTH, cpu->tracker.depth);
    ET_PUT(&status, ETST, CURRENT, cpu->tracker.current);
    ET_PUT(&status, ETST, LOST, cpu->encoder.lost);
    return status.reg[ETST];
}

const struct et_config *et_configuration(const struct et_cpu *cpu) { return &cpu->config; }

static bool wants_output(const struct et_config *c) { return ET_GET(c, ETCR, ENABLE) || ET_GET(c, ETCR, ALWAYS); }

static void state(struct et_cpu *cpu, unsigned code)
{
    et_encoder_event(&cpu->encoder,
                     &(struct et_occurrence){
                         .what = ET_W_STATE, .value = code, .time = et_now(cpu), .depth = (uint8_t)cpu->tracker.depth});
}

static const char *refuse(struct et_cpu *cpu, const char *why)
{
    if (cpu->encoder.on)
        state(cpu, ET_ST_REFUSED);
    return why;
}

/* NULL, or why this writer may not make this change. */
static const char *forbidden(const struct et_cpu *cpu, const struct et_config *to, enum et_by by)
{
    const struct et_config *c = &cpu->config;
    if (by == ET_BY_START)
        return NULL;
    if (ET_GET(c, ETCR, LOCK))
        return "the configuration is locked until the machine is started again (ETCR.LOCK)";
    if (by == ET_BY_GUEST && !ET_GET(c, ETCR, GUEST))
        return "the guest may not write (ETCR.GUEST is 0)";
    if (by == ET_BY_GUEST && ET_GET(to, ETCR, LOCK))
        return "lock is set by console or command line only";
    if (ET_GET(to, ETCR, ALWAYS) != ET_GET(c, ETCR, ALWAYS))
        return "always is set by the command line only (--et always=on)";
    return NULL;
}

static const char *guest_ring(struct et_cpu *cpu, const struct et_config *to)
{
    if (to->reg[ETGA] == cpu->config.reg[ETGA] && to->reg[ETGL] == cpu->config.reg[ETGL])
        return NULL;
    return et_guest_assign(&cpu->guest, &cpu->machine->host, cpu->number, to->reg[ETGA], to->reg[ETGL]);
}

/* The change itself, between two events. */
static const char *change(struct et_cpu *cpu, const struct et_config *to, enum et_by by)
{
    struct et_encoder *e = &cpu->encoder;
    const bool on = wants_output(to), clock = ET_GET(to, ETTS, CLK) != ET_GET(&cpu->config, ETTS, CLK);
    et_encoder_release(e);
    const struct et_guest guest = cpu->guest;
    const char *why = guest_ring(cpu, to);
    if (!why)
        why = et_exit_configure(cpu, to);
    if (why) {
        cpu->guest = guest;
        return why;
    }
    if (e->on && !on) {
        state(cpu, ET_ST_OFF);
        et_encoder_stop(e);
        if (cpu->direct)
            et_exit_flush(cpu);
    }
    cpu->config = *to;
    et_tracker_rules(&cpu->tracker, to);
    if (clock) {
        et_tracker_clock(&cpu->tracker, et_now(cpu));
        memset(&cpu->waits, 0, sizeof cpu->waits);
    }
    et_encoder_configure(e, to);
    if (e->on) {
        et_encoder_sync(e, et_now(cpu));
    } else if (on) {
        const bool again = e->begun;
        et_encoder_start(e, et_now(cpu));
        if (again)
            state(cpu, ET_ST_ON);
    }
    if (e->on && by == ET_BY_GUEST)
        state(cpu, ET_ST_GUEST_CONFIGURED);
    return NULL;
}

const char *et_configure(struct et_cpu *cpu, const struct et_config *config, enum et_by by)
{
    struct et_config to = *config;
    to.reg[ETST] = cpu->config.reg[ETST];
    const char *why = forbidden(cpu, &to, by);
    if (!why)
        why = et_config_wrong(&to, &cpu->machine->limits);
    if (!why && memcmp(&to, &cpu->config, sizeof to))
        why = change(cpu, &to, by);
    if (why)
        refuse(cpu, why);
    et_heard(cpu);
    return why;
}

const char *et_write(struct et_cpu *cpu, unsigned index, uint64_t value, enum et_by by)
{
    struct et_config to = cpu->config;
    if (index >= ET_REGISTERS)
        return "there is no such register";
    if (index != ETST) {
        to.reg[index] = value;
        return et_configure(cpu, &to, by);
    }
    const char *why = forbidden(cpu, &to, by);
    if (why)
        return refuse(cpu, why);
    to.reg[ETST] = value;
    if (ET_GET(&to, ETST, OVERFLOW))
        cpu->encoder.overflowed = false;
    return NULL;
}

const char *et_output(struct et_cpu *cpu, bool on, enum et_by by)
{
    struct et_config to = cpu->config;
    if (!on && ET_GET(&to, ETCR, ALWAYS))
        return refuse(cpu, "output is always on (ETCR.ALWAYS)");
    ET_PUT(&to, ETCR, ENABLE, on);
    return et_configure(cpu, &to, by);
}

/* ---- flush and end ---------------------------------------------------------------------------------------------- */

void et_flush(struct et_cpu *cpu)
{
    et_encoder_release(&cpu->encoder);
    if (cpu->encoder.on)
        et_encoder_sync(&cpu->encoder, et_now(cpu));
    et_exit_flush(cpu);
}

static void end(struct et_cpu *cpu)
{
    et_tracker_stop(&cpu->tracker);
    if (cpu->wrap) /* what is held belongs to the bytes that are kept; there is room for it */
        et_encoder_release(&cpu->encoder);
    et_exit_flush(cpu);
    et_encoder_end(&cpu->encoder, et_now(cpu));
    et_exit_flush(cpu);
}

int et_finish(struct et_machine *machine)
{
    struct et_cpu *cpu;
    for (unsigned i = 0; (cpu = et_machine_unit(machine, i)); i++)
        end(cpu);
    return machine->sink.error;
}

int et_sink(struct et_machine *machine, bool present)
{
    struct et_sink *sink = &machine->sink;
    struct et_cpu *cpu;
    if (sink->present)
        et_finish(machine);
    const int error = sink->error;
    sink->present = present && sink->write;
    sink->headed = false;
    sink->error = 0;
    for (unsigned i = 0; (cpu = et_machine_unit(machine, i)); i++) {
        et_exit_configure(cpu, &cpu->config);
        if (wants_output(&cpu->config))
            et_encoder_start(&cpu->encoder, et_now(cpu));
    }
    return error;
}

int et_chunk(struct et_machine *machine, unsigned source, unsigned kind, const void *bytes, size_t size)
{
    return machine->sink.present ? et_sink_chunk(&machine->sink, source, kind, bytes, size) : 0;
}

int et_dump(struct et_machine *machine, int (*write)(void *context, const uint8_t *bytes, size_t size), void *context)
{
    struct et_sink sink;
    struct et_cpu *cpu;
    if (!et_sink_init(&sink, write, context, machine->sink.sources))
        return -ENOMEM;
    et_sink_head(&sink);
    for (unsigned i = 0; (cpu = et_machine_unit(machine, i)); i++)
        et_exit_copy(cpu, &sink);
    et_sink_free(&sink);
    return sink.error;
}
