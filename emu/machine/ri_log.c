/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the RI log of a machine. */
#include "emu/machine/ri_log.h"
#include "base/bits.h"
#include "cpu/state/timing.h"
#include "emu/observe/exception_trace.h"
#include "ri/log.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the callback of one CPU knows. */
struct source {
    struct emu_ri_log *log;
    struct cpu *cpu;
    struct ri_controls told; /* those that the log has */
    unsigned number;         /* shared: of the file that has them */
    bool any;
    uint8_t entry[RI_LOG_ENTRY];
};

struct emu_ri_log {
    FILE *file; /* NULL: the log is shared */
    char *name;
    struct machine *machine; /* shared: whose exception trace has the file */
    unsigned number;         /* shared: of the file that has the header, exception_trace_file_number() */
    uint64_t homeless;       /* shared: groups that came while there was no file */
    pthread_mutex_t lock;    /* CPUs may have host threads of their own */
    int code;                /* negative errno of the first write that failed */
    struct source sources[CPU_MAX];
};

/* With the lock. */
static void put(struct emu_ri_log *log, const uint8_t *bytes, size_t length)
{
    if (!log->file)
        (void)et_chunk(exception_trace_units(log->machine), ET_SOURCE_MACHINE, ET_CHUNK_RI, bytes, length);
    else if (!log->code && fwrite(bytes, 1, length, log->file) != length)
        log->code = -errno;
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

/* There is a file for the next group, and it has the header. With the lock. */
static bool ready(struct emu_ri_log *log)
{
    const unsigned number = log->file ? 0 : exception_trace_file_number(log->machine);
    if (log->file)
        return true;
    if (number && number != log->number)
        header(log, log->machine);
    log->number = number;
    return number != 0;
}

/* The space instructions come from. */
static uint64_t asce(const struct cpu *cpu)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return 0;
    return cpu->cr[field64(cpu->psw.mask, 16, 17) == AS_HOME ? 13 : 1];
}

/* With the controls when they are others than the log has. With the lock. */
static void put_group(struct source *source, struct ri_log_group *entry, const struct ri_record *records)
{
    const struct ri_controls *controls = &source->cpu->ri->controls;
    struct emu_ri_log *log = source->log;
    entry->controls = !source->any || source->number != log->number || ri_log_controls_differ(&source->told, controls);
    if (entry->controls) {
        source->told = *controls;
        source->number = log->number;
        source->any = true;
    }
    put(log, source->entry, ri_log_put_group(entry, records, controls, source->entry));
}

static void stored(void *context, const struct ri_stored *group)
{
    struct source *source = context;
    const struct cpu *cpu = source->cpu;
    struct ri_log_group entry = {.cpu = cpu->address,
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
    struct emu_ri_log *log = source->log;
    pthread_mutex_lock(&log->lock);
    if (ready(log))
        put_group(source, &entry, group->records);
    else
        log->homeless++;
    pthread_mutex_unlock(&log->lock);
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

struct emu_ri_log *emu_ri_log_share(struct machine *machine, char *error, size_t size)
{
    struct emu_ri_log *log = calloc(1, sizeof *log);
    if (!log) {
        snprintf(error, size, "the host has no memory for an RI log");
        return NULL;
    }
    pthread_mutex_init(&log->lock, NULL);
    log->machine = machine;
    (void)ready(log);
    return log;
}

void emu_ri_log_attach(struct emu_ri_log *log, struct machine *machine)
{
    log->machine = machine;
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
    if (log->file && ferror(log->file) && !code)
        code = -EIO;
    if (log->file && fclose(log->file) != 0 && !code)
        code = -errno;
    if (log->homeless) {
        code = -ENOSPC;
        snprintf(error, size,
                 "%" PRIu64
                 " reporting groups came while exception trace had no file for them; name one by 'et out', or "
                 "give the RI log a file of its own",
                 log->homeless);
    } else if (code)
        snprintf(error, size, "the RI log '%.200s' is not complete: %s; name a file where there is room", log->name,
                 strerror(-code));
    pthread_mutex_destroy(&log->lock);
    free(log->name);
    free(log);
    return code;
}
