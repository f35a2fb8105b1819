/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline models of a machine's CPUs. */
#include "emu/observe/pipeline.h"
#include "cpu/control/model.h"
#include "emu/pipeline/measure.h"
#include "ri/counters/model/passages.h"
#include "ri/counters/counters.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one CPU: a log, or its latest instructions. */
struct pipeline_log {
    FILE *file;
    struct ec_log *log;
    struct ec_span interval;
    struct ec_recent *recent;
};

static void put(void *context, const char *text, size_t length) { (void)fwrite(text, 1, length, context); }

static void end_one(struct cpu *cpu, struct pipeline_log *log)
{
    if (log->log)
        cpu_model_drain(cpu);
    if (log->log || log->recent)
        ec_model_watch(cpu_model(cpu), NULL);
    if (log->log)
        (void)ec_log_destroy(log->log);
    if (log->file)
        fclose(log->file);
    free(log->recent);
}

/* The logs end. */
static void end_logs(struct machine *m)
{
    for (unsigned i = 0; m->pipeline_logs && i < CPU_MAX; i++)
        end_one(m->sys.cpus[i], &m->pipeline_logs[i]);
    free(m->pipeline_logs);
    m->pipeline_logs = NULL;
}

static int begin_log(struct machine *m, struct cpu *cpu, const struct pipeline_wish *wish, char *error, size_t size)
{
    char name[4096];
    struct pipeline_log *log = &m->pipeline_logs[cpu->address];
    if (m->config.cpus > 1)
        snprintf(name, sizeof name, "%s.cpu%u", wish->file, cpu->address);
    else
        snprintf(name, sizeof name, "%s", wish->file);
    log->file = fopen(name, "w");
    if (!log->file) {
        const int code = errno;
        snprintf(error, size, "--pipe-out: cannot write '%.100s': %s; name a file in a folder you may write to", name,
                 strerror(code));
        return -code;
    }
    log->log = ec_log_create((enum ec_log_format)wish->format, put, log->file);
    if (!log->log) {
        snprintf(error, size, "the host has no memory for the pipeline log");
        return -ENOMEM;
    }
    ec_span_begin(&log->interval, wish->from, wish->to ? wish->to : UINT64_MAX, ec_log_watch(log->log));
    ec_model_watch(cpu_model(cpu), &log->interval.watch);
    return 0;
}

int machine_pipeline_log(struct machine *m, const struct pipeline_wish *wish, char *error, size_t size)
{
    int code = 0;
    end_logs(m);
    m->pipeline_logs = calloc(CPU_MAX, sizeof *m->pipeline_logs);
    if (!m->pipeline_logs) {
        snprintf(error, size, "the host has no memory for the pipeline log");
        return -ENOMEM;
    }
    for (unsigned i = 0; !code && i < CPU_MAX; i++)
        if (m->sys.cpus[i] && cpu_model(m->sys.cpus[i]))
            code = begin_log(m, m->sys.cpus[i], wish, error, size);
    if (code)
        end_logs(m);
    return code;
}

bool machine_pipeline_logged(const struct machine *m)
{
    for (unsigned i = 0; m->pipeline_logs && i < CPU_MAX; i++)
        if (m->pipeline_logs[i].log)
            return true;
    return false;
}

bool machine_pipeline_log_end(struct machine *m)
{
    const bool was = machine_pipeline_logged(m);
    if (was)
        end_logs(m);
    return was;
}

int machine_pipeline_keep(struct machine *m, bool keep)
{
    if (machine_pipeline_logged(m))
        return -EBUSY;
    end_logs(m);
    if (!keep)
        return 0;
    m->pipeline_logs = calloc(CPU_MAX, sizeof *m->pipeline_logs);
    for (unsigned i = 0; m->pipeline_logs && i < CPU_MAX; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        if (!cpu || !cpu_model(cpu))
            continue;
        struct ec_recent *recent = m->pipeline_logs[i].recent = malloc(sizeof *recent);
        if (!recent) {
            end_logs(m);
            return -ENOMEM;
        }
        ec_recent_begin(recent);
        ec_model_watch(cpu_model(cpu), &recent->watch);
    }
    return m->pipeline_logs ? 0 : -ENOMEM;
}

const struct ec_recent *machine_pipeline_recent(const struct machine *m, const struct cpu *cpu)
{
    return m->pipeline_logs ? m->pipeline_logs[cpu->address].recent : NULL;
}

void machine_pipeline_forget(struct machine *m)
{
    for (unsigned i = 0; m->pipeline_logs && i < CPU_MAX; i++)
        if (m->pipeline_logs[i].recent)
            ec_recent_begin(m->pipeline_logs[i].recent);
}

/* ---- alerts ---------------------------------------------------------------------------------------------------- */

/* The operator's sentence. */
static void say(const struct machine *m, const struct cpu *cpu, const struct ec_raised *by)
{
    char text[256], raised[128] = "";
    const struct ec_pmu *p = &ec_model_counting(cpu_model(cpu))->pmu;
    if (by && by->completed)
        snprintf(raised, sizeof raised, "; raised by the instruction at %016" PRIX64 ", completed in cycle %" PRIu64,
                 by->ia, by->c);
    else if (by)
        snprintf(raised, sizeof raised, "; raised by the instruction at %016" PRIX64 ", which did not complete",
                 by->ia);
    snprintf(text, sizeof text,
             "CPU %X: alert of the performance monitor; PMC1 %08" PRIX32 ", PMC2 %08" PRIX32 ", PMC3 %08" PRIX32
             ", PMC4 %08" PRIX32 "%s%s",
             cpu->address, p->pmc[0], p->pmc[1], p->pmc[2], p->pmc[3], p->frozen ? ", frozen" : "", raised);
    m->host.message(m->host.context, text);
}

static void told(void *context, struct cpu *cpu, const struct ec_raised *by)
{
    const struct machine *m = context;
    if (m->alert.sinks & (ALERT_CONSOLE | ALERT_STOP) && m->host.message)
        say(m, cpu, by);
    if (m->alert.sinks & ALERT_STOP)
        cpu->stop_pending = cpu->look_around = true;
    if (m->alert.told)
        m->alert.told(m->alert.context, cpu, by);
}

void machine_alert_set(struct machine *m, unsigned sinks)
{
    m->alert.sinks = sinks;
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (m->sys.cpus[i])
            m->sys.cpus[i]->counters->monitor_external = sinks & ALERT_EXT;
}

unsigned machine_alert_sinks(const struct machine *m) { return m->alert.sinks; }

void machine_alert_callback(struct machine *m,
                            void (*callback)(void *context, struct cpu *cpu, const struct ec_raised *by), void *context)
{
    m->alert.told = callback;
    m->alert.context = context;
}

/* ---- on and off ------------------------------------------------------------------------------------------------ */

static int set_all(struct machine *m, const struct ec_profile *profile)
{
    int code = 0;
    for (unsigned i = 0; i < CPU_MAX; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        if (cpu && cpu_model_set(cpu, profile))
            code = -ENOMEM;
        else if (cpu && profile)
            cpu_model_on_alert(cpu, told, m);
    }
    return code;
}

int machine_pipeline(struct machine *m, const struct ec_profile *profile, char *error, size_t size)
{
    const struct ec_profile wanted = profile ? *profile : (struct ec_profile){.machine = 0};
    int code = 0;
    end_logs(m);
    measure_forget(m);
    m->config.pipelined = false;
    if (wanted.machine && wanted.machine != m->sys.profile.machine_type) {
        snprintf(error, size,
                 "pipeline profile %s: it is for machine type %04X, and this machine is a %04X; leave "
                 "`machine' out of it, or choose another --profile",
                 wanted.name, wanted.machine, m->sys.profile.machine_type);
        code = -EINVAL;
    } else if (profile && set_all(m, &wanted)) {
        snprintf(error, size, "the host has no memory for the pipeline model of every CPU; take fewer CPUs");
        code = -ENOMEM;
    }
    if (code || !profile)
        return set_all(m, NULL) ? -ENOMEM : code; /* off: cannot fail */
    m->config.pipelined = true;
    m->config.pipeline = wanted;
    return 0;
}

void machine_pipeline_turn(struct machine *m, bool wanted)
{
    struct ec_profile profile = m->config.pipeline;
    char error[256];
    if (wanted == m->config.pipelined)
        return;
    if (wanted && !profile.name[0] && ec_profile_built_in("teach", &profile))
        return;
    if (machine_pipeline(m, wanted ? &profile : NULL, error, sizeof error) && m->host.message)
        m->host.message(m->host.context, error);
}
