/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace units of a machine: the hooks, and what can be asked of a unit (specification 2). */
#include "ri/trace/unit.h"
#include <stdlib.h>
#include <string.h>

uint64_t et_now(const struct et_cpu *cpu)
{
    const struct et_host *host = &cpu->machine->host;
    return host->clock ? host->clock(host->context, cpu->number, (enum et_clock)ET_GET(&cpu->config, ETTS, CLK)) : 0;
}

void et_attention(struct et_cpu *cpu)
{
    const struct et_host *host = &cpu->machine->host;
    const bool wanted = cpu->tracker.pend != ET_PEND_NONE;
    if (wanted == cpu->attention)
        return;
    cpu->attention = wanted;
    if (host->attention)
        host->attention(host->context, cpu->number, wanted);
}

static void told(void *unit, const struct et_occurrence *occurrence)
{
    struct et_cpu *cpu = unit;
    et_encoder_event(&cpu->encoder, occurrence);
}

/* A hook is through: what waits for the next one may be due. */
static void through(struct et_cpu *cpu, uint64_t now)
{
    if (cpu->encoder.owed || cpu->encoder.holding)
        et_encoder_poll(&cpu->encoder, now);
    et_attention(cpu);
    et_heard(cpu);
}

void et_heard(struct et_cpu *cpu)
{
    struct et_machine *m = cpu->machine;
    if (!cpu->heard)
        return;
    cpu->heard = false;
    for (unsigned i = 0; i < m->listeners; i++)
        if (m->listener[i].through)
            m->listener[i].through(m->listener[i].context, cpu);
}

/* ---- machine ---------------------------------------------------------------------------------------------------- */

static struct et_cpu *cpu_new(struct et_machine *machine, unsigned source, unsigned number)
{
    struct et_cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return NULL;
    const struct et_way way = {cpu, et_exit_room, et_exit_put};
    cpu->machine = machine;
    cpu->source = source;
    cpu->number = number;
    et_config_reset(&cpu->config);
    et_tracker_init(&cpu->tracker, told, cpu);
    et_encoder_init(&cpu->encoder, source, &way);
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        cpu->stage[stream].source = (uint8_t)source;
        cpu->stage[stream].kind = stream == TIMING_STREAM ? ET_CHUNK_TIMING : ET_CHUNK_EVENTS;
    }
    et_exit_configure(cpu, &cpu->config);
    return cpu;
}

static void cpu_free(struct et_cpu *cpu)
{
    if (!cpu)
        return;
    for (unsigned stream = 0; stream < STREAMS; stream++)
        free(cpu->ring[stream].ring);
    free(cpu);
}

struct et_machine *et_machine_new(unsigned cpus, const struct et_host *host, const struct et_limits *limits)
{
    struct et_machine *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->host = *host;
    m->limits = *limits;
    m->cpus = cpus;
    if (!et_sink_init(&m->sink, host->write, host->context, cpus > 1 ? cpus + 1 : 1)) {
        free(m);
        return NULL;
    }
    pthread_mutex_init(&m->requests, NULL);
    bool whole = true;
    for (unsigned i = 0; i < cpus; i++)
        whole &= (m->cpu[i] = cpu_new(m, i, i)) != NULL;
    if (cpus > 1)
        whole &= (m->floating = cpu_new(m, ET_SOURCE_MACHINE, 0)) != NULL;
    if (whole)
        return m;
    et_machine_free(m);
    return NULL;
}

void et_machine_free(struct et_machine *machine)
{
    if (!machine)
        return;
    for (unsigned i = 0; i < machine->cpus; i++)
        cpu_free(machine->cpu[i]);
    cpu_free(machine->floating);
    pthread_mutex_destroy(&machine->requests);
    et_sink_free(&machine->sink);
    free(machine);
}

struct et_cpu *et_machine_cpu(struct et_machine *machine, unsigned cpu)
{
    if (cpu == ET_SOURCE_MACHINE)
        return machine->floating;
    return cpu < machine->cpus ? machine->cpu[cpu] : NULL;
}

struct et_cpu *et_machine_unit(const struct et_machine *machine, unsigned index)
{
    if (index < machine->cpus)
        return machine->cpu[index];
    return index == machine->cpus ? machine->floating : NULL;
}

unsigned et_cpu_source(const struct et_cpu *cpu) { return cpu->source; }

const struct et_host *et_cpu_host(const struct et_cpu *cpu, unsigned *number)
{
    *number = cpu->number;
    return &cpu->machine->host;
}

bool et_listen(struct et_machine *machine, const struct et_listener *listener)
{
    struct et_cpu *cpu;
    if (machine->listeners == ET_LISTENERS)
        return false;
    machine->listener[machine->listeners++] = *listener;
    for (unsigned i = 0; (cpu = et_machine_unit(machine, i)); i++) {
        et_encoder_release(&cpu->encoder);
        et_encoder_sync(&cpu->encoder, et_now(cpu));
    }
    return true;
}

void et_unlisten(struct et_machine *machine, const void *context)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < machine->listeners; i++)
        if (machine->listener[i].context != context)
            machine->listener[kept++] = machine->listener[i];
    machine->listeners = kept;
}

int et_machine_error(const struct et_machine *machine) { return machine->sink.error; }

/* ---- hooks ------------------------------------------------------------------------------------------------------ */

/* Times of floating requests are those of another unit: they mean something where all have one clock. */
static bool waited(struct et_cpu *cpu, unsigned en, uint64_t now, uint64_t *latency)
{
    struct et_machine *machine = cpu->machine;
    const unsigned clock = (unsigned)ET_GET(&cpu->config, ETTS, CLK);
    if (et_wait_end(&cpu->waits, en, now, latency))
        return true;
    if (!machine->floating)
        return false;
    pthread_mutex_lock(&machine->requests);
    const bool known = et_wait_end(&machine->floating->waits, en, now, latency);
    pthread_mutex_unlock(&machine->requests);
    return known && clock == ET_GET(&machine->floating->config, ETTS, CLK) &&
           (clock == ET_CLOCK_TOD || clock == ET_CLOCK_HOST);
}

static void count_latency(struct et_cpu *cpu, unsigned en, uint64_t now)
{
    struct et_count *count = &cpu->tracker.count[en];
    uint64_t latency;
    if (!waited(cpu, en, now, &latency))
        return;
    count->latencies++;
    count->latency += latency;
    if (latency > count->latency_max)
        count->latency_max = latency;
}

void et_entry(struct et_cpu *cpu, enum et_class class, uint64_t number_code, struct et_psw old, struct et_psw new_psw,
              const struct et_info *info)
{
    const uint64_t now = et_now(cpu);
    const unsigned en = et_number(class, number_code);
    if (class != ET_SVC && class != ET_PROGRAM)
        count_latency(cpu, en, now);
    et_tracker_entry(&cpu->tracker, en, old, new_psw, info, now);
    through(cpu, now);
}

void et_reload(struct et_cpu *cpu, enum et_insn insn, struct et_psw loaded)
{
    const uint64_t now = cpu->tracker.depth ? et_now(cpu) : 0;
    et_tracker_reload(&cpu->tracker, insn, loaded, now);
    if (cpu->tracker.pend != ET_PEND_NONE)
        through(cpu, now);
}

void et_boundary(struct et_cpu *cpu, struct et_psw next)
{
    const uint64_t now = et_now(cpu);
    et_tracker_boundary(&cpu->tracker, &next, now);
    through(cpu, now);
}

void et_tpi(struct et_cpu *cpu, unsigned isc, uint32_t ssid)
{
    if (cpu->tracker.tpi)
        et_tracker_tpi(&cpu->tracker, isc, ssid, et_now(cpu));
    et_heard(cpu);
}

void et_state(struct et_cpu *cpu, unsigned code)
{
    const uint64_t now = et_now(cpu);
    if (code == ET_ST_TOD_CHANGED)
        memset(&cpu->waits, 0, sizeof cpu->waits);
    et_tracker_state(&cpu->tracker, code, now);
    through(cpu, now);
}

void et_mark(struct et_cpu *cpu, uint64_t value)
{
    et_encoder_event(&cpu->encoder,
                     &(struct et_occurrence){
                         .what = ET_W_MARK, .value = value, .time = et_now(cpu), .depth = (uint8_t)cpu->tracker.depth});
    et_heard(cpu);
}

static void signal_event(struct et_cpu *cpu, enum et_class class, uint64_t code, const struct et_info *info,
                         bool withdrawn)
{
    const unsigned en = et_number(class, code);
    const uint64_t now = et_now(cpu);
    if (withdrawn)
        et_wait_withdraw(&cpu->waits, en);
    else
        et_wait_begin(&cpu->waits, en, now);
    if (!cpu->encoder.on)
        return;
    et_encoder_event(&cpu->encoder, &(struct et_occurrence){.what = ET_W_SIGNAL,
                                                            .en = (uint16_t)en,
                                                            .withdrawn = withdrawn,
                                                            .info = info,
                                                            .time = now,
                                                            .depth = (uint8_t)cpu->tracker.depth});
    et_heard(cpu);
}

/* Requests that cannot be pending (SVC, program, exigent machine check) are no signals. */
void et_request(struct et_machine *machine, int cpu, enum et_class class, uint64_t number_code,
                const struct et_info *info, bool withdrawn)
{
    if (class != ET_EXTERNAL && class != ET_IO && class != ET_REPRESSIBLE && class != ET_RESTART)
        return;
    if (cpu >= 0 && (unsigned)cpu < machine->cpus) {
        signal_event(machine->cpu[cpu], class, number_code, info, withdrawn);
    } else if (cpu < 0 && machine->floating) {
        pthread_mutex_lock(&machine->requests);
        signal_event(machine->floating, class, number_code, info, withdrawn);
        pthread_mutex_unlock(&machine->requests);
    } else if (cpu < 0) {
        signal_event(machine->cpu[0], class, number_code, info, withdrawn);
    }
}

/* ---- what can be asked ------------------------------------------------------------------------------------------ */

void et_accounts(const struct et_cpu *cpu, struct et_accounts *accounts)
{
    *accounts = (struct et_accounts){.detected = cpu->encoder.detected,
                                     .filtered = cpu->encoder.filtered,
                                     .emitted = cpu->encoder.emitted,
                                     .lost = cpu->encoder.lost,
                                     .reloads_in_normal = cpu->tracker.reloads_in_normal,
                                     .reloads_in_handler = cpu->tracker.reloads_in_handler};
}

const struct et_count *et_count(const struct et_cpu *cpu, unsigned en)
{
    return &cpu->tracker.count[en < ET_NUMBERS ? en : ET_NORMAL];
}

void et_counts_reset(struct et_cpu *cpu) { memset(cpu->tracker.count, 0, sizeof cpu->tracker.count); }

unsigned et_depth(const struct et_cpu *cpu) { return cpu->tracker.depth; }
unsigned et_current(const struct et_cpu *cpu) { return cpu->tracker.current; }

bool et_frame(const struct et_cpu *cpu, unsigned index, struct et_frame_view *view)
{
    if (index >= cpu->tracker.depth)
        return false;
    const struct et_frame *f = &cpu->tracker.frame[cpu->tracker.depth - 1 - index];
    *view = (struct et_frame_view){.en = f->en, .interrupted = f->resume, .old = f->old, .since = f->since};
    return true;
}

size_t et_buffer_look(const struct et_cpu *cpu, uint8_t *bytes, size_t size)
{
    return et_buffer_copy(&cpu->ring[EVENT_STREAM], bytes, size);
}

size_t et_buffer_take(struct et_cpu *cpu, uint8_t *bytes, size_t size)
{
    const size_t taken = et_buffer_copy(&cpu->ring[EVENT_STREAM], bytes, size);
    et_buffer_drop(&cpu->ring[EVENT_STREAM], taken);
    return taken;
}
