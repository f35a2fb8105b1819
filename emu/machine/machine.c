/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage, clock and CPUs as one machine; the rotation of the CPUs in one thread. */
#include "emu/machine/machine.h"
#include "emu/dev/sclp/configuration.h"
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "cpu/translate/translate.h"
#include "emu/dev/css/io.h"
#include "emu/dev/types.h"
#include "emu/dev/unit/block_io.h"
#include "emu/dev/virtio/transport.h"
#include "emu/edges/profile.h"
#include "emu/machine/diagnose.h"
#include "emu/machine/slice.h"
#include "emu/observe/exception_trace.h"
#include "emu/observe/pipeline.h"
#include "emu/pipeline/measure.h"
#include "ri/counters/counters.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* How long an engine runs before the host is looked at: bounds of the time, and of the host's. The upper one is a
   slice, but with several CPUs, whose slices are the longer the less a run takes, PACE_SEVERAL. */
#define PACE_LEAST    16u
#define PACE_SEVERAL  65536u
#define PACE_SHORT_NS 2000000u
#define PACE_LONG_NS  10000000u
#define URGENT_NS     4000000u /* at least from one call of host.urgent to the next */

#define PSW_ENABLED   (PSW_IO | PSW_EXT | PSW_MCHK)
#define TOD_UNIX_1970 UINT64_C(0x7d91048bca000000)

/* In TOD units */
static uint64_t host_time(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000 * CPU_TOD_MICROSECOND + (uint64_t)t.tv_nsec * CPU_TOD_MICROSECOND / 1000;
}

/* The guest's clocks go on steadily when somebody sets the host's. */
static uint64_t host_tod(void *context)
{
    const struct machine *m = context;
    return host_time(CLOCK_MONOTONIC) - m->host_start;
}

/* Random bytes for instructions and devices: the host's, or a fixed sequence (splitmix64) so that a run repeats. */
static void random_bytes(void *context, uint8_t *to, size_t length)
{
    struct machine *m = context;
    const bool repeats = machine_repeats_random(m);
    for (size_t n = 0, some; !repeats && n < length; n += some) {
        some = length - n < 256 ? length - n : 256; /* getentropy() gives no more at once */
        if (getentropy(to + n, some))
            abort();
    }
    for (size_t n = 0; repeats && n < length; n++) {
        if (n % 8 == 0)
            m->random += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = m->random;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        to[n] = (uint8_t)((z ^ (z >> 31)) >> (n % 8 * 8));
    }
}

/* What a guest draws. */
static void guest_random(void *context, uint8_t *to, size_t length)
{
    diagnose_tell_of_random(context);
    random_bytes(context, to, length);
}

static void new_wrapping_keys(struct machine *m)
{
    struct cpu_wrapping *w = &m->sys.wrapping;
    random_bytes(m, w->dea_key, sizeof w->dea_key);
    random_bytes(m, w->dea_pattern, sizeof w->dea_pattern);
    random_bytes(m, w->aes_key, sizeof w->aes_key);
    random_bytes(m, w->aes_pattern, sizeof w->aes_pattern);
}

/* What is around the CPUs: service processor, DIAGNOSE, devices, states of pages, topology. */
static void reset_devices(struct machine *m)
{
    sclp_reset(&m->sclp);
    css_reset(m->css);
    diagnose_reset(m);
    storage_reset_states(&m->sys.storage);
    m->sys.vertical = m->sys.topology_changed = false;
}

/* A guest asked by DIAGNOSE: all CPUs and devices are reset, and this CPU goes on with the PSW at absolute 0. Storage
   stays. */
static int reset_and_go(struct machine *m, struct cpu *cpu)
{
    const bool clear = m->diagnose.reset == DIAGNOSE_RESET_CLEAR;
    const uint64_t first = get64(m->sys.storage.bytes);
    m->diagnose.reset = DIAGNOSE_RESET_NONE;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct cpu *other = m->sys.cpus[i];
        cpu_reset(other, clear ? CPU_RESET_CLEAR : other == cpu ? CPU_RESET_INITIAL : CPU_RESET);
    }
    reset_devices(m);
    engine_leave(cpu);
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    int code = cpu_load_psw(cpu, (first & ~BIT64(12) & UINT64_C(0xffffffff80000000)), first & 0x7fffffff);
    return first & BIT64(12) ? code : PIC_SPECIFICATION;
}

static int diagnose(void *machine, struct cpu *cpu, uint16_t function, unsigned r1, unsigned r3)
{
    struct machine *m = machine;
    const int code = machine_diagnose(m, cpu, function, r1, r3);
    return !code && m->diagnose.reset ? reset_and_go(m, cpu) : code;
}

static const struct cpu_callouts callouts = {
    .random = guest_random,
    .service_call = sclp_service_call,
    .sigp = machine_sigp,
    .sigp_alone = machine_sigp_alone,
    .diagnose_alone = diagnose_alone,
    .diagnose = diagnose,
    .io = css_io,
    .io_pending = css_io_pending,
    .io_take = css_io_take,
    .event = css_event,
    .host_tod = host_tod,
    .system_information = machine_system_information,
    .hypervisor_information = machine_hypervisor_information,
};

static int make_cpus(struct machine *m)
{
    bool secondary[2] = {false, false};
    for (unsigned i = 0; i < m->config.cpus; i++) {
        struct ri_profile profile;
        struct cpu *cpu = cpu_create(&m->sys, (uint16_t)i);
        if (!cpu)
            return -ENOMEM;
        emu_profile_ri(&m->config.profile, i, &profile);
        profile.transactional = cpu_facility(&m->sys, FACILITY_TX);
        if (ri_set_profile(cpu->ri, &profile))
            return -ENOMEM;
        struct counters_profile counters = {.mhz = m->sys.profile.mhz,
                                            .crypto = cpu_facility(&m->sys, FACILITY_MSA),
                                            .mt_diagnostic = m->sys.profile.mt_diagnostic};
        counters_versions(m->sys.profile.machine_type, &counters.first_version, &counters.second_version);
        counters_set_profile(cpu->counters, &counters);
        cpu->engine_kind = m->config.engine;
        char why[256];
        if (cpu->engine_kind == ENGINE_TRANSLATE && translator_attach(cpu, NULL, why, sizeof why))
            cpu->engine_kind = ENGINE_BLOCK; /* emu/main.c has said why */
        secondary[cpu->ri->profile.secondary] = true;
    }
    m->sys.ri_mixed_capability = secondary[0] && secondary[1];
    return 0;
}

struct machine *machine_create(const struct machine_config *config, const struct machine_host *host, char *error,
                               size_t size)
{
    if (config->cpus == 0 || config->cpus > CPU_MAX) {
        snprintf(error, size, "a machine has 1 to %u CPUs, not %u", CPU_MAX, config->cpus);
        return NULL;
    }
    if (config->standby_cpus >= config->cpus || config->standby_storage >= config->storage ||
        config->standby_storage % (UINT64_C(1) << 28)) {
        snprintf(error, size, "standby storage is a multiple of 256M, and something must be in the configuration");
        return NULL;
    }
    struct machine *m = calloc(1, sizeof *m);
    if (!m) {
        snprintf(error, size, "the host has no memory for a machine");
        return NULL;
    }
    m->config = *config;
    if (host)
        m->host = *host;
    if (emu_profile_resolve(&config->profile, &m->sys.profile, error, size)) {
        free(m);
        return NULL;
    }
    int code = storage_create(&m->sys.storage, config->storage);
    if (code) {
        snprintf(error, size,
                 "no storage of %" PRIu64 " bytes: %s; the size is 1M to 1T, and the host must have the memory",
                 config->storage, strerror(-code));
        free(m);
        return NULL;
    }
    m->sys.callouts = &callouts;
    m->due = UINT64_MAX;
    m->sys.machine = m;
    m->config.host_clock |= config->threads;
    m->sys.host_clock = m->config.host_clock;
    m->sys.threads = config->threads;
    m->sys.alone = true;
    m->random = config->seed;
    new_wrapping_keys(m);
    m->host_start = host_time(CLOCK_MONOTONIC);
    m->sys.tod_base = m->sys.tod_physical =
        m->config.host_clock ? TOD_UNIX_1970 + host_time(CLOCK_REALTIME) : config->profile.tod_start;
    sclp_reset(&m->sclp);
    sclp_initial_configuration(m);
    m->css = css_create(m, device_types);
    if (!m->css || machine_hook_diagnose(m, 0x500, virtio_notify, m) || machine_hook_diagnose(m, 0x250, block_io, m) ||
        make_cpus(m)) {
        snprintf(error, size, "the host has no memory for %u CPUs and the channel subsystem", config->cpus);
        machine_destroy(m);
        return NULL;
    }
    const struct pipeline_wish log = {config->pipe_out, config->pipe_format, config->pipe_from, config->pipe_to};
    if (config->pipelined && (machine_pipeline(m, &config->pipeline, error, size) ||
                              (config->pipe_out && machine_pipeline_log(m, &log, error, size)))) {
        machine_destroy(m);
        return NULL;
    }
    for (unsigned i = 0; i < config->cpus; i++)
        m->sys.cpus[i]->counters->alerts = 0; /* a machine that begins with a model has seen no change */
    return m;
}

void machine_destroy(struct machine *m)
{
    if (!m)
        return;
    exception_trace_destroy(m);
    edge_profile_destroy(m);
    (void)!machine_pipeline(m, NULL, NULL, 0); /* off: cannot fail */
    for (unsigned i = 0; i < CPU_MAX; i++)
        cpu_destroy(m->sys.cpus[i]);
    css_destroy(m->css);
    storage_destroy(&m->sys.storage);
    free(m);
}

/* The clock goes on by the longest slice, and a new rotation begins. */
void machine_rotate(struct machine *m)
{
    engine_advance(&m->sys, m->longest);
    m->turn = 0;
    m->slice_used = m->slice_cycles = m->longest = m->rotated = 0;
    m->alive = false;
    m->busy = diagnose_watch(m);
}

/* What both resets do to everything but storage and CPUs. */
static void reset_around(struct machine *m)
{
    reset_devices(m);
    m->diagnose.load = DIAGNOSE_LOAD_NONE;
    m->powered_off = false;
    machine_rotate(m);
}

void machine_clear(struct machine *m)
{
    sclp_initial_configuration(m);
    storage_clear(&m->sys.storage);
    new_wrapping_keys(m);
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_reset(m->sys.cpus[i], CPU_RESET_CLEAR);
    cpu_code_written(&m->sys, 0, m->sys.storage.size);
    reset_around(m);
}

void machine_reset(struct machine *m)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_reset(m->sys.cpus[i], i ? CPU_RESET : CPU_RESET_INITIAL);
    reset_around(m);
}

int machine_start(struct machine *m, uint64_t mask, uint64_t ia)
{
    struct cpu *cpu = m->sys.cpus[0];
    int code = cpu_load_psw(cpu, mask, ia);
    if (code)
        return code;
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    return 0;
}

bool machine_disabled_wait(const struct cpu *cpu)
{
    return cpu->state == CPU_STATE_OPERATING && (cpu->psw.mask & PSW_WAIT) && !(cpu->psw.mask & PSW_ENABLED);
}

const char *machine_state_name(const struct cpu *cpu)
{
    switch (cpu->state) {
    case CPU_STATE_STOPPED:
        return "stopped";
    case CPU_STATE_CHECK_STOP:
        return "check-stop";
    case CPU_STATE_LOAD:
        return "load";
    default:
        return machine_disabled_wait(cpu) ? "disabled wait" : cpu->psw.mask & PSW_WAIT ? "enabled wait" : "operating";
    }
}

/* ---- rotation -------------------------------------------------------------------------------------------------- */

int64_t machine_next_event(struct machine *m)
{
    int64_t event = diagnose_next_event(m);
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        if (cpu->state != CPU_STATE_OPERATING || machine_disabled_wait(cpu))
            continue;
        int64_t units = cpu_next_timer_units(cpu);
        if (units < event)
            event = units;
    }
    return event;
}

/* Every CPU that is alive waits: time goes on to the next event, at once or as the host sleeps. False: none will
   come. */
static bool jump(struct machine *m)
{
    int64_t event = machine_next_event(m);
    const uint64_t device = m->sys.event_at <= m->sys.now ? 1 : m->sys.event_at - m->sys.now;
    if (m->sys.event_at && (m->sys.host_clock || (int64_t)device < event)) {
        engine_skip(&m->sys, device); /* devices do not wait for the host's clock */
        return true;
    }
    const uint64_t us = event == INT64_MAX ? UINT64_MAX : (uint64_t)event / CPU_TOD_MICROSECOND + 1;
    uint64_t passed = us;
    bool more = m->host.idle && m->host.idle(m->host.context, &passed);
    if (event == INT64_MAX)
        return more;
    if (m->sys.host_clock) {
        if (!more)
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        return true;
    }
    engine_skip(&m->sys, passed < us ? passed * CPU_TOD_MICROSECOND : (uint64_t)event);
    return true;
}

void machine_end_stopped(struct machine *m, struct machine_result *result)
{
    result->end = m->powered_off ? MACHINE_POWERED_OFF : MACHINE_STOPPED;
    for (unsigned i = 0; !result->cpu && i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i]->state == CPU_STATE_OPERATING)
            result->cpu = m->sys.cpus[i];
    if (!result->cpu)
        result->cpu = m->sys.cpus[0];
}

static uint64_t host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The engine ran for `ran` since `start_ns`. What an instruction costs the host is not known beforehand: the next run
   is shorter when this one took long, and longer when it did not. */
static void keep_pace(struct machine *m, uint64_t start_ns, uint64_t ran)
{
    const uint64_t took = host_ns() - start_ns, most = m->sys.cpu_count == 1 ? MACHINE_SINGLE_SLICE : PACE_SEVERAL;
    machine_slice_took(m, took);
    if (took > PACE_LONG_NS)
        m->pace = ran / 4 < PACE_LEAST ? PACE_LEAST : ran / 4 > most ? most : ran / 4;
    else if (took < PACE_SHORT_NS)
        m->pace = 2 * m->pace < most ? 2 * m->pace : most;
}

/* Requests of the operator do not wait for the end of a rotation. */
static bool urgent(struct machine *m)
{
    const uint64_t now = host_ns();
    if (!m->host.urgent || now - m->looked_ns < URGENT_NS)
        return false;
    m->looked_ns = now;
    return m->host.urgent(m->host.context);
}

/* The CPU whose turn it is goes on with its slice, for at most `limit` instructions. */
static enum engine_end one_slice(struct machine *m, uint64_t limit, uint64_t *done)
{
    const uint64_t full = machine_slice(m), start_ns = host_ns();
    const uint64_t left = m->slice_used < full ? full - m->slice_used : 0;
    struct cpu *cpu = m->sys.cpus[m->turn];
    const uint64_t start = cpu_elapsed(cpu), cycles = cpu_cycles(cpu);
    if (limit > m->pace)
        limit = m->pace;
    if (cpu == m->stepping)
        limit = 1;
    enum engine_end end = engine_run(cpu, left < limit ? left : limit, done);
    const uint64_t ran = cpu_elapsed(cpu) - start;
    keep_pace(m, start_ns, ran);
    m->slice_used += ran;
    m->slice_cycles += cpu_cycles(cpu) - cycles;
    m->rotated += ran;
    if (m->slice_cycles > m->longest)
        m->longest = m->slice_cycles;
    if (end != ENGINE_STOPPED && end != ENGINE_WAIT)
        m->alive = m->busy = true;
    else if (end == ENGINE_WAIT && !machine_disabled_wait(cpu))
        m->alive = true;
    if (end == ENGINE_STOPPED || end == ENGINE_WAIT || end == ENGINE_SPINS || m->slice_used >= machine_slice(m) ||
        m->diagnose.yielded) {
        m->diagnose.yielded = false;
        m->turn++;
        m->slice_used = m->slice_cycles = 0;
    }
    return end;
}

/* All CPUs had their slices. Returns false when the machine has come to an end. */
static bool end_rotation(struct machine *m, struct machine_result *result)
{
    const bool idle = !m->busy && !m->rotated;
    machine_slice_next(m);
    m->unpolled = idle ? MACHINE_SINGLE_SLICE : m->unpolled + m->rotated;
    const bool alive = m->alive || (m->diagnose.watchdog_at && !m->powered_off);
    machine_rotate(m);
    if (!alive) {
        machine_end_stopped(m, result);
        return false;
    }
    if (idle && !m->busy && !jump(m)) {
        result->end = MACHINE_IDLE;
        return false;
    }
    return true;
}

/* A guest asked by DIAGNOSE to be loaded again; all CPUs are stopped. */
void machine_load_again(struct machine *m)
{
    const bool clear = m->diagnose.load == DIAGNOSE_LOAD_CLEAR;
    m->diagnose.load = DIAGNOSE_LOAD_NONE;
    reset_devices(m);
    if (!m->host.load || !m->host.load(m->host.context, clear))
        m->powered_off = false;
    machine_rotate(m);
}

/* Instructions until the door is to be told; it is told when that is now. 0: the run ends here. */
static uint64_t until_due(struct machine *m)
{
    if (LIKELY(!m->door))
        return UINT64_MAX;
    const uint64_t now = machine_instructions(m);
    const bool begins = m->turn == 0 && m->slice_used == 0;
    if ((begins || m->due <= now) && m->door->due(m->door->context))
        return 0;
    return m->due > now ? m->due - now : UINT64_MAX;
}

/* The same for what is measured; a mark of the guest has its effect. */
static uint64_t until_measured(struct machine *m)
{
    if (UNLIKELY(m->pipeline_mark)) {
        if (!measure_mark(m, m->pipeline_mark > 1))
            machine_pipeline_turn(m, m->pipeline_mark > 1);
        m->pipeline_mark = 0;
    }
    return LIKELY(!m->measure) ? UINT64_MAX : measure_until(m);
}

/* The host has its turn between rotations; it is a matter of system calls, so that with several CPUs it has it not more
   often than with one, unless nobody has anything to do. */
static bool host_asks(struct machine *m)
{
    if (m->turn || m->slice_used || (m->sys.cpu_count > 1 && m->unpolled < MACHINE_SINGLE_SLICE))
        return false;
    m->unpolled = 0;
    return m->host.poll && m->host.poll(m->host.context);
}

struct machine_result machine_run_in_turn(struct machine *m, uint64_t limit)
{
    struct machine_result result = {.end = MACHINE_LIMIT};
    if (m->turn || m->slice_used)
        m->alive = m->busy = true; /* what was found before may have been changed since */
    m->pace = PACE_LEAST;
    m->unpolled = MACHINE_SINGLE_SLICE;
    while (result.instructions < limit) {
        uint64_t done;
        const uint64_t due = until_due(m), measured = until_measured(m), next = due < measured ? due : measured;
        if (!due || urgent(m) || host_asks(m)) {
            result.end = MACHINE_REQUEST;
            return result;
        }
        struct cpu *cpu = m->sys.cpus[m->turn];
        enum engine_end end =
            one_slice(m, limit - result.instructions < next ? limit - result.instructions : next, &done);
        result.instructions += done;
        if (UNLIKELY(m->measure != NULL) && end == ENGINE_BREAK && measure_came(m, cpu))
            end = ENGINE_BUDGET;
        const bool stepped = cpu == m->stepping && done;
        if (engine_ends_all(cpu, end) || stepped) {
            result.end = end == ENGINE_BREAK ? MACHINE_BREAK : stepped ? MACHINE_STEPPED : MACHINE_REQUEST;
            result.cpu = cpu;
            if (m->turn == m->sys.cpu_count) /* it was the last one's slice that has ended, too */
                machine_rotate(m);
            return result;
        }
        if (m->diagnose.load)
            machine_load_again(m);
        else if (m->turn == m->sys.cpu_count && !end_rotation(m, &result))
            return result;
    }
    if (m->sys.cpu_count == 1) /* nobody else waits for the slice to be complete */
        machine_rotate(m);
    return result;
}

unsigned machine_step(struct machine *m, struct cpu *cpu)
{
    machine_rotate(m); /* a rotation that was begun ends here */
    (void)until_measured(m);
    const uint64_t before = cpu_cycles(cpu);
    enum engine_end end = engine_step(cpu);
    engine_advance(&m->sys, cpu_cycles(cpu) - before);
    return end;
}
