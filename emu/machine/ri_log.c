/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the RI log of a machine. */
#include "emu/machine/ri_log.h"
#include "base/bits.h"
#include "cpu/state/timing.h"
#include "ri/log.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the callback of one CPU knows. */
struct source {
    struct emu_ri_log *log;
    struct cpu *cpu;
    uint8_t entry[RI_LOG_ENTRY];
};

struct emu_ri_log {
    FILE *file;
    char *name;
    pthread_mutex_t lock; /* CPUs may have host threads of their own */
    int code;             /* negative errno of the first write that failed */
    struct source sources[CPU_MAX];
};

static void put(struct emu_ri_log *log, const uint8_t *bytes, size_t length)
{
    pthread_mutex_lock(&log->lock);
    if (!log->code && fwrite(bytes, 1, length, log->file) != length)
        log->code = -errno;
    pthread_mutex_unlock(&log->lock);
}

/* The space instructions come from. */
static uint64_t asce(const struct cpu *cpu)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return 0;
    return cpu->cr[field64(cpu->psw.mask, 16, 17) == AS_HOME ? 13 : 1];
}

static void stored(void *context, const struct ri_stored *group)
{
    struct source *source = context;
    const struct cpu *cpu = source->cpu;
    const struct ri_log_group entry = {.cpu = cpu->address,
                                       .tod = group->tod,
                                       .asce = asce(cpu),
                                       .psw_mask = cpu_psw_mask(cpu),
                                       .psw_next = cpu->psw.ia,
                                       .address = group->address,
                                       .roa = group->roa,
                                       .mode = group->mode,
                                       .rgs = group->rgs,
                                       .key = group->key,
                                       .home = group->home,
                                       .full = group->full,
                                       .count = (uint16_t)group->count};
    size_t length = ri_log_put_group(&entry, group->records, source->entry);
    put(source->log, source->entry, length);
}

static void header(struct emu_ri_log *log, const struct machine *machine)
{
    const struct ri_profile *profile = &machine->sys.cpus[0]->ri->profile;
    struct ri_log_header h = {.format = RI_LOG_FORMAT,
                              .version = profile->version,
                              .cpus = (uint16_t)machine->sys.cpu_count,
                              .cb_entries = profile->cb_entries,
                              .secondary = profile->secondary,
                              .rgs_max = profile->rgs_max,
                              .tod = cpu_tod(machine->sys.cpus[0])};
    snprintf(h.profile, sizeof h.profile, "%s", machine->config.profile.name);
    snprintf(h.ri_profile, sizeof h.ri_profile, "%s", profile->name);
    uint8_t bytes[RI_LOG_HEADER];
    ri_log_put_header(&h, bytes);
    put(log, bytes, sizeof bytes);
}

struct emu_ri_log *emu_ri_log_open(const char *file, const struct machine *machine, char *error, size_t size)
{
    struct emu_ri_log *log = calloc(1, sizeof *log);
    if (log && (log->name = strdup(file)))
        log->file = fopen(file, "wb");
    if (log && log->file) {
        pthread_mutex_init(&log->lock, NULL);
        header(log, machine);
        return log;
    }
    snprintf(error, size, "the RI log '%.200s' cannot be written: %s", file, strerror(errno));
    if (log)
        free(log->name);
    free(log);
    return NULL;
}

void emu_ri_log_attach(struct emu_ri_log *log, struct machine *machine)
{
    for (unsigned i = 0; i < machine->sys.cpu_count; i++) {
        log->sources[i].log = log;
        log->sources[i].cpu = machine->sys.cpus[i];
        ri_tell_stored(machine->sys.cpus[i]->ri, stored, &log->sources[i]);
    }
}

int emu_ri_log_close(struct emu_ri_log *log, char *error, size_t size)
{
    if (!log)
        return 0;
    int code = log->code;
    if (ferror(log->file) && !code)
        code = -EIO;
    if (fclose(log->file) != 0 && !code)
        code = -errno;
    if (code)
        snprintf(error, size, "the RI log '%.200s' is not complete: %s; name a file where there is room", log->name,
                 strerror(-code));
    pthread_mutex_destroy(&log->lock);
    free(log->name);
    free(log);
    return code;
}
