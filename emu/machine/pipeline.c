/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline models of a machine's CPUs. */
#include "emu/machine/pipeline.h"
#include "cpu/control/model.h"
#include "ri/counters/model/kanata.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pipeline_log {
    FILE *file;
    struct ec_kanata *kanata;
};

static void put(void *context, const char *text, size_t length) { (void)fwrite(text, 1, length, context); }

/* The logs end. */
static void end_logs(struct machine *m)
{
    for (unsigned i = 0; m->pipeline_logs && i < CPU_MAX; i++) {
        struct pipeline_log *log = &m->pipeline_logs[i];
        if (log->kanata) {
            cpu_model_drain(m->sys.cpus[i]);
            ec_model_watch(cpu_model(m->sys.cpus[i]), NULL);
            (void)ec_kanata_destroy(log->kanata);
        }
        if (log->file)
            fclose(log->file);
    }
    free(m->pipeline_logs);
    m->pipeline_logs = NULL;
}

static int begin_log(struct machine *m, struct cpu *cpu, const char *file, char *error, size_t size)
{
    char name[4096];
    struct pipeline_log *log = &m->pipeline_logs[cpu->address];
    if (m->config.cpus > 1)
        snprintf(name, sizeof name, "%s.cpu%u", file, cpu->address);
    else
        snprintf(name, sizeof name, "%s", file);
    log->file = fopen(name, "w");
    if (!log->file) {
        const int code = errno;
        snprintf(error, size, "--pipe-out: cannot write '%.100s': %s; name a file in a folder you may write to", name,
                 strerror(code));
        return -code;
    }
    log->kanata = ec_kanata_create(put, log->file);
    if (!log->kanata) {
        snprintf(error, size, "the host has no memory for the pipeline log");
        return -ENOMEM;
    }
    ec_model_watch(cpu_model(cpu), ec_kanata_watch(log->kanata));
    return 0;
}

int machine_pipeline_log(struct machine *m, const char *file, char *error, size_t size)
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
            code = begin_log(m, m->sys.cpus[i], file, error, size);
    if (code)
        end_logs(m);
    return code;
}

static int set_all(struct machine *m, const struct ec_profile *profile)
{
    int code = 0;
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (m->sys.cpus[i] && cpu_model_set(m->sys.cpus[i], profile))
            code = -ENOMEM;
    return code;
}

int machine_pipeline(struct machine *m, const struct ec_profile *profile, char *error, size_t size)
{
    const struct ec_profile wanted = profile ? *profile : (struct ec_profile){.machine = 0};
    int code = 0;
    end_logs(m);
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
