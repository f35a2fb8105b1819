/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots. The file is a gzip stream (by zlib, which checks it with CRC-32) of a magic word, a format version and
   sections, each with tag, version and length; all numbers are big-endian. One list of fields serves for counting a
   section's length, writing and reading. Translations and decoded code are not part of a snapshot: PoP allows them to
   be forgotten at any time. */
#include "emu/machine/snapshot.h"
#include "cpu/control/model.h"
#include "cpu/control/psw.h"
#include "emu/dev/sclp/configuration.h"
#include "emu/dev/css/snapshot.h"
#include "emu/machine/slice.h"
#include "emu/observe/pipeline.h"
#include "emu/pipeline/measure.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cpu/control/registers.h"
#include "cpu/control/transaction.h"
#include "cpu/engine/engine.h"
#include "ri/counters/counters.h"
#include "ri/ri.h"
#include "ri/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define MAGIC           UINT64_C(0x7a7269536e617031) /* "zriSnap1" */
#define SECTION_VERSION 7u                           /* of every section; earlier ones had fewer fields */
#define LAST_PAGE       UINT64_MAX
#define EXTERNAL                                                                                                       \
    (CPU_EXT_INTERRUPT_KEY | CPU_EXT_MALFUNCTION_ALERT | CPU_EXT_EMERGENCY | CPU_EXT_CALL | CPU_EXT_SERVICE_SIGNAL)

enum way { COUNT, SAVE, LOAD };

struct stream {
    void (*raw)(struct stream *s, void *place, unsigned length); /* bytes to or from where they are kept */
    void *file;                                                  /* a gzFile */
    struct snapshot_bytes *memory;                               /* or storage of the host */
    size_t at;                                                   /* LOAD: of it */
    enum way way;
    bool bad;            /* nothing is transferred any more */
    uint64_t length;     /* COUNT: bytes of the section; otherwise: left of it */
    uint32_t crc;        /* CRC-32 of all that went before */
    const char *name;    /* of the file, for messages */
    const char *section; /* for messages */
    char *error;
    size_t size;
};

/* The first thing wrong is what the operator reads. */
static void refuse(struct stream *s, const char *what, const char *remedy)
{
    if (!s->bad)
        snprintf(s->error, s->size, "snapshot '%.100s', section %s: %s; %s", s->name, s->section, what, remedy);
    s->bad = true;
}

static void refuse_contents(struct stream *s, const char *what)
{
    refuse(s, what, "the file was damaged or made by hand, take another one");
}

/* ---- transfer -------------------------------------------------------------------------------------------------- */

static void raw(struct stream *s, void *place, unsigned length)
{
    if (!s->bad)
        s->raw(s, place, length);
}

/* The same in storage of the host. */
static void memory_raw(struct stream *s, void *place, unsigned length)
{
    struct snapshot_bytes *b = s->memory;
    if (s->way == LOAD) {
        if (length > b->length - s->at) {
            refuse(s, "it ends too early", "there is nothing to be done");
            return;
        }
        memcpy(place, b->bytes + s->at, length);
        s->at += length;
        return;
    }
    if (b->length + length > b->room) {
        const size_t room = 2 * (b->length + length);
        uint8_t *more = realloc(b->bytes, room);
        if (!more) {
            refuse(s, "the host has no memory", "end other programs");
            return;
        }
        b->bytes = more;
        b->room = room;
    }
    memcpy(b->bytes + b->length, place, length);
    b->length += length;
}

/* Bytes of the section, as they are. */
static void bytes(struct stream *s, void *place, unsigned length)
{
    if (s->way == COUNT) {
        s->length += length;
        return;
    }
    if (!s->bad && length > s->length)
        refuse_contents(s, "it is shorter than what belongs into it");
    s->length -= s->bad ? 0 : length;
    raw(s, place, length);
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static void number(struct stream *s, void *place, unsigned size)
{
    uint64_t value = 0;
    uint8_t wire[8];
    uint8_t one;
    uint16_t two;
    uint32_t four;
    if (s->way != LOAD) {
        switch (size) {
        case 1:
            memcpy(&one, place, 1), value = one;
            break;
        case 2:
            memcpy(&two, place, 2), value = two;
            break;
        case 4:
            memcpy(&four, place, 4), value = four;
            break;
        default:
            memcpy(&value, place, 8);
            break;
        }
        put64(wire, value << (64 - 8 * size));
    }
    bytes(s, wire, size);
    if (s->way != LOAD || s->bad)
        return;
    memset(wire + size, 0, 8 - size);
    value = get64(wire) >> (64 - 8 * size);
    one = (uint8_t)value;
    two = (uint16_t)value;
    four = (uint32_t)value;
    memcpy(place, size == 1 ? (void *)&one : size == 2 ? (void *)&two : size == 4 ? (void *)&four : &value, size);
}

static void numbers(struct stream *s, void *place, unsigned count, unsigned size)
{
    for (unsigned i = 0; i < count; i++)
        number(s, (char *)place + (size_t)i * size, size);
}

static void flag(struct stream *s, bool *place)
{
    uint8_t value = s->way == LOAD ? 0 : *place;
    number(s, &value, 1);
    if (s->way == LOAD && !s->bad) {
        if (value > 1)
            refuse_contents(s, "a flag is neither 0 nor 1");
        *place = value == 1;
    }
}

static void text(struct stream *s, char *place, unsigned size)
{
    bytes(s, place, size);
    if (s->way == LOAD && !s->bad && !memchr(place, 0, size))
        refuse_contents(s, "a text has no end");
    if (s->way == LOAD)
        place[size - 1] = 0;
}

/* Transfers one section: frame and contents. */
static void section(struct stream *s, const char *tag, void (*contents)(struct stream *, void *), void *context)
{
    uint8_t frame[16] = {0};
    s->section = tag;
    if (s->bad)
        return;
    if (s->way == SAVE) {
        s->way = COUNT;
        s->length = 0;
        contents(s, context);
        s->way = SAVE;
        memcpy(frame, tag, 4);
        put32(frame + 4, SECTION_VERSION);
        put64(frame + 8, s->length);
    }
    raw(s, frame, sizeof frame);
    if (s->way == LOAD && !s->bad) {
        if (memcmp(frame, tag, 4) != 0)
            refuse_contents(s, "another section is in its place");
        else if (get32(frame + 4) != SECTION_VERSION)
            refuse(s, "its version is not known here", "load it with the zri that saved it");
        s->length = get64(frame + 8);
    }
    contents(s, context);
    if (!s->bad && s->length)
        refuse_contents(s, "it is longer than what belongs into it");
}

#define NUMBER(member) number(s, &(member), sizeof(member))

/* ---- sections -------------------------------------------------------------------------------------------------- */

#ifdef HAVE_ZLIB
static void configuration(struct stream *s, void *context)
{
    struct machine_config *c = context;
    struct emu_profile *p = &c->profile;
    NUMBER(c->storage);
    NUMBER(c->cpus);
    flag(s, &c->host_clock);
    NUMBER(c->consoles);
    text(s, p->name, sizeof p->name);
    text(s, p->description, sizeof p->description);
    numbers(s, p->claims, 4, 8);
    flag(s, &p->all);
    numbers(s, p->removed, 4, 8);
    NUMBER(p->machine_type);
    NUMBER(p->identification);
    NUMBER(p->capability);
    NUMBER(p->tod_start);
    NUMBER(p->level);
    text(s, p->ri[0], sizeof p->ri[0]);
    text(s, p->ri[1], sizeof p->ri[1]);
    NUMBER(c->standby_storage);
    NUMBER(c->standby_cpus);
    NUMBER(c->diagnose);
    NUMBER(c->entropy);
    NUMBER(c->seed);
    NUMBER(p->mhz);
    flag(s, &p->mt_diagnostic);
    for (unsigned i = 0; i < 2 * CPU_CACHE_LEVELS; i++) {
        NUMBER(p->caches[i / 2][i % 2].kilobytes);
        NUMBER(p->caches[i / 2][i % 2].ways);
        flag(s, &p->caches[i / 2][i % 2].shared);
    }
    for (unsigned odd = 0; odd < 2; odd++) {
        NUMBER(p->ri_changes[odd].given);
        numbers(s, p->ri_changes[odd].value, EMU_RI_KEYS, sizeof p->ri_changes[odd].value[0]);
        if (s->way == LOAD && !s->bad && !emu_profile_ri_possible(&p->ri_changes[odd]))
            refuse_contents(s, "a characteristic of run-time instrumentation is not possible");
    }
}
#endif

/* The facilities that the guest saw. */
static void facilities(struct stream *s, void *context)
{
    struct machine *m = context;
    uint64_t bits[4];
    memcpy(bits, m->sys.profile.facilities, sizeof bits);
    numbers(s, bits, 4, 8);
    for (unsigned bit = 0; bit < 256 && s->way == LOAD && !s->bad; bit++) {
        char what[96];
        if (!(bits[bit / 64] & BIT64(bit % 64)) || cpu_facility(&m->sys, bit))
            continue;
        snprintf(what, sizeof what, "the guest uses facility bit %u, which profile %.32s has not", bit,
                 m->config.profile.name);
        refuse(s, what, "load it on a profile that has it");
    }
}

static uint64_t raw_time(struct machine *m) { return m->sys.callouts->host_tod ? m->sys.callouts->host_tod(m) : 0; }

static void machine_state(struct stream *s, void *context)
{
    struct machine *m = context;
    uint64_t host_time = m->sys.host_clock ? raw_time(m) : 0;
    NUMBER(m->sys.now);
    NUMBER(m->sys.tod_base);
    NUMBER(m->sys.tod_last);
    NUMBER(host_time);
    if (s->way == LOAD && m->sys.host_clock) /* host_tod() is the host's steady clock less host_start */
        m->host_start += raw_time(m) - host_time;
    flag(s, &m->powered_off);
    NUMBER(m->turn);
    NUMBER(m->slice_used);
    NUMBER(m->longest);
    NUMBER(m->rotated);
    flag(s, &m->alive);
    flag(s, &m->busy);
    struct cpu_wrapping *w = &m->sys.wrapping;
    NUMBER(m->random);
    bytes(s, w->dea_key, sizeof w->dea_key);
    bytes(s, w->dea_pattern, sizeof w->dea_pattern);
    bytes(s, w->aes_key, sizeof w->aes_key);
    bytes(s, w->aes_pattern, sizeof w->aes_pattern);
    NUMBER(m->sys.tod_physical);
    NUMBER(m->sys.tod_epoch);
    flag(s, &m->sys.vertical);
    flag(s, &m->sys.topology_changed);
    NUMBER(m->diagnose.page_faults);
    flag(s, &m->diagnose.ipl_device);
    NUMBER(m->diagnose.ipl_set);
    NUMBER(m->diagnose.ipl_number);
    bytes(s, m->diagnose.ipl_parameter, sizeof m->diagnose.ipl_parameter);
    flag(s, &m->diagnose.ipl_images);
    NUMBER(m->diagnose.ipl_reader);
    NUMBER(m->sys.now_rest);
    NUMBER(m->slice_cycles);
    if (s->way == LOAD && !s->bad && m->diagnose.ipl_set > 3)
        refuse_contents(s, "it was loaded from a subchannel set that there is not");
    if (s->way == LOAD && !s->bad && (m->turn >= m->config.cpus || m->slice_used >= machine_slice_most(m)))
        refuse_contents(s, "the rotation of the CPUs stands nowhere");
}

static void service_processor(struct stream *s, void *context)
{
    struct sclp *p = &((struct machine *)context)->sclp;
    uint64_t line = p->line_length, keys = p->key_length;
    NUMBER(p->receive_mask);
    NUMBER(p->send_mask);
    NUMBER(p->last_sccb);
    NUMBER(line);
    NUMBER(keys);
    if (s->way == LOAD && (line > SCLP_INPUT || keys > SCLP_INPUT))
        refuse_contents(s, "more typed input waits than there can be");
    if (s->bad)
        return;
    p->line_length = (size_t)line;
    p->key_length = (size_t)keys;
    bytes(s, p->line, (unsigned)line);
    bytes(s, p->keys, (unsigned)keys);
    flag(s, &p->quiesce);
    flag(s, &p->at_line_start);
    struct machine *m = context;
    NUMBER(m->diagnose.control_program);
    NUMBER(m->diagnose.watchdog_at);
    NUMBER(m->standby_cpus);
    flag(s, &m->storage_attached);
    for (unsigned i = 0; i < sizeof m->assigned / sizeof *m->assigned; i++)
        NUMBER(m->assigned[i]);
    if (s->way == LOAD && !s->bad)
        sclp_set_storage(m);
}

/* The same functions for devices and the pipeline model. */
static void device_number(void *context, void *place, unsigned size) { number(context, place, size); }
static void device_bytes(void *context, void *place, unsigned length) { bytes(context, place, length); }
static void device_refuse(void *context, const char *why)
{
    refuse(context, why, "put the files of its devices where they were, or take another snapshot");
}
static bool device_refused(void *context) { return ((struct stream *)context)->bad; }

static void model_refuse(void *context, const char *why) { refuse_contents(context, why); }

static struct ec_fields model_fields(struct stream *s)
{
    return (struct ec_fields){.context = s,
                              .loading = s->way == LOAD,
                              .number = device_number,
                              .bytes = device_bytes,
                              .refuse = model_refuse,
                              .refused = device_refused};
}

/* Is there a pipeline model, and which? Each CPU then has a section for its own. */
static void pipeline(struct stream *s, void *context)
{
    struct machine *m = context;
    const struct ec_fields f = model_fields(s);
    struct ec_profile profile = m->config.pipeline;
    bool on = m->config.pipelined;
    uint8_t sinks = (uint8_t)machine_alert_sinks(m);
    char why[512];
    NUMBER(sinks);
    NUMBER(m->pipeline_mark);
    flag(s, &on);
    if (on)
        ec_profile_fields(&profile, &f);
    if (s->way == LOAD && !s->bad && m->pipeline_mark > 2)
        refuse_contents(s, "the guest has marked neither a beginning nor an end");
    if (s->way != LOAD || s->bad)
        return;
    machine_alert_set(m, sinks & (ALERT_CONSOLE | ALERT_STOP | ALERT_EXT));
    machine_pipeline_forget(m);
    if (on == m->config.pipelined && (!on || ec_profile_same(&profile, &m->config.pipeline)))
        return;
    if (machine_pipeline(m, on ? &profile : NULL, why, sizeof why))
        refuse(s, why, "load it where such a machine is possible");
}

static void model_section(struct stream *s, void *context)
{
    const struct ec_fields f = model_fields(s);
    cpu_model_fields(context, &f);
}

static void channel_subsystem(struct stream *s, void *context)
{
    const struct channel_fields fields = {.context = s,
                                          .loading = s->way == LOAD,
                                          .in_place = s->memory != NULL,
                                          .number = device_number,
                                          .bytes = device_bytes,
                                          .refuse = device_refuse,
                                          .refused = device_refused};
    css_fields(((struct machine *)context)->css, &fields);
}

static void registers(struct stream *s, struct cpu *cpu)
{
    uint64_t mask = cpu_psw_mask(cpu), ia = cpu->psw.ia;
    uint32_t prefix = cpu->prefix;
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++) {
        const struct cpu_register *r = &cpu_registers[id];
        if (id == CPU_REG_FPR || id == CPU_REG_PSW_MASK || id == CPU_REG_PSW_ADDRESS || id == CPU_REG_PREFIX)
            continue; /* in the vector registers; below */
        for (unsigned n = 0; n < r->count; n++) {
            char *at = (char *)cpu + r->offset + (size_t)r->stride * n;
            numbers(s, at, r->width == 128 ? 2 : 1, r->width == 32 ? 4 : 8);
        }
    }
    NUMBER(mask);
    NUMBER(ia);
    NUMBER(prefix);
    if (s->way != LOAD || s->bad)
        return;
    /* A PSW with a format error is current, and its exception pending: so was it when the machine was saved. */
    if (!cpu_set_prefix(cpu, prefix) || cpu->prefix != prefix)
        refuse_contents(s, "the prefix is not an area of storage");
    else
        (void)!cpu_load_psw(cpu, mask, ia);
}

static void conditions(struct stream *s, struct cpu *cpu)
{
    NUMBER(cpu->external);
    NUMBER(cpu->ext_malfunction);
    NUMBER(cpu->ext_emergency);
    NUMBER(cpu->ext_call_from);
    NUMBER(cpu->ext_service);
    flag(s, &cpu->restart_pending);
    flag(s, &cpu->stop_pending);
    flag(s, &cpu->store_status_pending);
    NUMBER(cpu->machine_checks);
    NUMBER(cpu->teid);
    NUMBER(cpu->exception_access_id);
    NUMBER(cpu->operand_access_id);
    NUMBER(cpu->dxc);
    NUMBER(cpu->vxc);
    NUMBER(cpu->svc_code);
    NUMBER(cpu->monitor_class);
    NUMBER(cpu->monitor_code);
    NUMBER(cpu->per_code);
    NUMBER(cpu->per_address);
    NUMBER(cpu->per_access_id);
    NUMBER(cpu->per_space);
    NUMBER(cpu->per_mask);
    NUMBER(cpu->per_controls);
    flag(s, &cpu->zero_ilc);
    flag(s, &cpu->space_switched);
}

static void cpu_section(struct stream *s, void *context)
{
    struct cpu *cpu = context;
    uint64_t elapsed = cpu_elapsed(cpu), cycles = cpu->cycles + cpu_run_cycles(cpu);
    /* Of the instruction before nothing is left that counts: engines leave different things. Older files have its
       length, its address and that of its target here. 1 in the place of the length: the last that was done is an
       interruption. */
    struct {
        uint8_t length;
        uint64_t insn_ia, target_ia;
    } before = {.length = cpu->interrupted};
    registers(s, cpu);
    NUMBER(cpu->cpu_timer_set);
    NUMBER(before.length);
    NUMBER(before.insn_ia);
    NUMBER(before.target_ia);
    NUMBER(elapsed);
    NUMBER(cpu->slice_start);
    NUMBER(cpu->state);
    conditions(s, cpu);
    NUMBER(cpu->work);
    NUMBER(cycles);
    if (s->way != LOAD || s->bad)
        return;
    if (cpu->work > elapsed)
        refuse_contents(s, "its work took more time than there was");
    cpu->elapsed = elapsed;
    cpu->cycles = cycles;
    cpu->interrupted = before.length == 1;
    cpu->budget = cpu->budget_start = 0;
    if (cpu->state > CPU_STATE_LOAD || (cpu->external & ~(uint32_t)EXTERNAL) || before.length > 6 ||
        cpu->machine_checks > CPU_MCK_CHANNEL_REPORT)
        refuse_contents(s, "the CPU is in a state that does not exist");
    else if (!s->bad)
        cpu_mode_changed(cpu);
}

/* A field of run-time instrumentation or of the CPU-measurement facilities: its name's length and name, its size,
   itself. Those behind the controls that take one byte are flags. */
static void ri_field(void *context, const char *name, void *place, size_t size)
{
    struct stream *s = context;
    uint16_t length = (uint16_t)strlen(name), given = length;
    uint32_t bytes_of = (uint32_t)size;
    char found[64] = "";
    NUMBER(given);
    if (!s->bad && s->way == LOAD && given != length)
        refuse_contents(s, "the fields are not those of this version");
    memcpy(found, name, s->way == LOAD ? 0 : length);
    bytes(s, found, length);
    NUMBER(bytes_of);
    if (!s->bad && s->way == LOAD && (memcmp(found, name, length) != 0 || bytes_of != size))
        refuse_contents(s, "the fields are not those of this version");
    if (s->bad)
        return;
    if (size == 1 && strncmp(name, "controls.", 9) != 0)
        flag(s, place);
    else if (size <= 8)
        number(s, place, (unsigned)size);
    else
        numbers(s, place, (unsigned)(size / 8), 8);
}

static void measurement_section(struct stream *s, void *context)
{
    struct cpu *cpu = context;
    counters_each_field(cpu->counters, ri_field, s);
    if (s->way == LOAD && !s->bad && !counters_restored(cpu->counters))
        refuse_contents(s, "the controls of the CPU-measurement facilities are not possible");
}

static void transaction_section(struct stream *s, void *context)
{
    struct cpu *cpu = context;
    if (cpu_tx_each_field(cpu, ri_field, s) && !s->bad)
        return;
    if (s->way == LOAD)
        cpu->tx_depth = 0;
    refuse_contents(s, "the state of the transaction is not possible");
}

/* Controls as a control block can hold them. */
static bool controls_valid(const struct ri_controls *c)
{
    uint8_t block[RI_BLOCK_SIZE], again[RI_BLOCK_SIZE];
    ri_controls_encode(c, block);
    struct ri_controls decoded = ri_controls_decode(block);
    ri_controls_encode(&decoded, again);
#define CONTROL(dw, first, last, id, name, mric, what)                                                                 \
    if (decoded.id != c->id)                                                                                           \
        return false;
#include "ri/controls.def"
#undef CONTROL
    return true;
}

/* The characteristics of the CPU that was saved: what they limit is in the fields behind. */
static void ri_characteristics(struct stream *s, struct ri_profile *p)
{
    text(s, p->name, sizeof p->name);
    NUMBER(p->version);
    flag(s, &p->secondary);
    NUMBER(p->rgs_max);
    NUMBER(p->cb_entries);
    numbers(s, p->sf_min, 2, sizeof p->sf_min[0]);
    NUMBER(p->sf_max);
    NUMBER(p->cache_model);
    flag(s, &p->transactional);
    if (s->way == LOAD && !s->bad &&
        (p->rgs_max > 7 || p->cb_entries > RI_RING || p->cb_entries < (2u << p->rgs_max) - 2 ||
         p->cache_model > RI_CACHE_TWO_LEVEL))
        refuse_contents(s, "the processor characteristics are not possible");
}

static void ri_section(struct stream *s, void *context)
{
    struct cpu *cpu = context;
    const struct ri_profile now = cpu->ri->profile;
    struct ri_profile then = now;
    ri_characteristics(s, &then);
    if (s->bad)
        return;
    if (s->way == LOAD && ri_set_profile(cpu->ri, &then)) {
        refuse(s, "the host has no memory", "end other programs");
        return;
    }
    ri_each_field(cpu->ri, ri_field, s);
    if (s->way != LOAD || s->bad)
        return;
    if (!controls_valid(&cpu->ri->controls) || cpu->ri->group_records > RI_GROUP_RECORDS) {
        refuse_contents(s, "the controls are not possible");
        return;
    }
    bool on = (cpu->psw.mask & PSW_RI) && cpu_facility(cpu->sys, FACILITY_RI) && ri_valid(cpu->ri);
    ri_restored(cpu->ri);
    if (cpu->ri->enabled != on)
        ri_enable(cpu->ri, on);
    if (ri_set_profile(cpu->ri, &now))
        refuse(s, "the host has no memory", "end other programs");
}

/* Only pages that are not zero; then all keys. */
static void storage_section(struct stream *s, void *context)
{
    static const uint8_t zero[PAGE_SIZE_Z];
    struct storage *storage = &((struct machine *)context)->sys.storage;
    const uint64_t pages = storage->total >> PAGE_BITS;
    uint64_t page = 0, last = LAST_PAGE;
    for (; s->way != LOAD && page < pages; page++) {
        if (memcmp(storage->bytes + (page << PAGE_BITS), zero, sizeof zero) == 0)
            continue;
        NUMBER(page);
        bytes(s, storage->bytes + (page << PAGE_BITS), PAGE_SIZE_Z);
    }
    if (s->way != LOAD) {
        NUMBER(last);
        return;
    }
    for (NUMBER(page); !s->bad && page != LAST_PAGE; NUMBER(page)) {
        if (page >= pages)
            refuse_contents(s, "a page is beyond the storage");
        else
            bytes(s, storage->bytes + (page << PAGE_BITS), PAGE_SIZE_Z);
    }
}

/* What the guest said of its pages. */
static void page_states(struct stream *s, struct storage *storage, uint64_t pages)
{
    uint8_t part[4096];
    for (uint64_t at = 0, n; at < pages && !s->bad; at += n) {
        n = pages - at < sizeof part ? pages - at : sizeof part;
        for (uint64_t i = 0; i < n; i++)
            part[i] = storage->page_flags[at + i] & PAGE_STATE;
        bytes(s, part, (unsigned)n);
        for (uint64_t i = 0; s->way == LOAD && i < n; i++)
            storage->page_flags[at + i] = (storage->page_flags[at + i] & (uint8_t)~PAGE_STATE) | (part[i] & PAGE_STATE);
    }
}

static void keys_section(struct stream *s, void *context)
{
    struct storage *storage = &((struct machine *)context)->sys.storage;
    const uint64_t pages = storage->total >> PAGE_BITS, part = 1u << 20;
    for (uint64_t at = 0; at < pages; at += part)
        bytes(s, storage->keys + at, (unsigned)(pages - at < part ? pages - at : part));
    for (uint64_t at = 0; s->way == LOAD && at < pages; at++)
        storage->keys[at] &= KEY_ACC | KEY_F | KEY_R | KEY_C;
    page_states(s, storage, pages);
}

static void everything(struct stream *s, struct machine *m)
{
    for (unsigned i = 0; s->way == LOAD && i < m->sys.cpu_count; i++)
        cpu_tx_reset(m->sys.cpus[i]);
    section(s, "FAC ", facilities, m);
    section(s, "MACH", machine_state, m);
    section(s, "SCLP", service_processor, m);
    section(s, "CSS ", channel_subsystem, m);
    section(s, "PIPE", pipeline, m);
    if (!s->memory) {
        section(s, "STOR", storage_section, m);
        section(s, "KEYS", keys_section, m);
    }
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        section(s, "CPU ", cpu_section, m->sys.cpus[i]);
        section(s, "RI  ", ri_section, m->sys.cpus[i]);
        section(s, "CMF ", measurement_section, m->sys.cpus[i]);
        section(s, "TX  ", transaction_section, m->sys.cpus[i]);
        if (m->config.pipelined && !s->bad)
            section(s, "MODL", model_section, m->sys.cpus[i]);
    }
}

/* ---- in storage of the host ------------------------------------------------------------------------------------- */

int snapshot_keep(struct machine *m, struct snapshot_bytes *to, char *error, size_t size)
{
    struct stream s = {.raw = memory_raw, .memory = to, .way = SAVE, .name = "in memory", .error = error, .size = size};
    to->length = 0;
    everything(&s, m);
    return s.bad ? -ENOMEM : 0;
}

int snapshot_return(struct machine *m, struct snapshot_bytes *from, char *error, size_t size)
{
    struct stream s = {
        .raw = memory_raw, .memory = from, .way = LOAD, .name = "in memory", .error = error, .size = size};
    everything(&s, m);
    return s.bad ? -EINVAL : 0;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

#ifndef HAVE_ZLIB

static void no_zlib(char *error, size_t size)
{
    snprintf(error, size, "snapshot: this zri was built without zlib; install zlib1g-dev, configure and make it again");
}

int snapshot_save(struct machine *m, const char *file, char *error, size_t size)
{
    (void)m;
    (void)file;
    no_zlib(error, size);
    return -ENOTSUP;
}

struct machine *snapshot_load(const char *file, const struct emu_profile *profile, const struct machine_host *host,
                              uint8_t engine, char *error, size_t size)
{
    (void)file;
    (void)profile;
    (void)host;
    (void)engine;
    no_zlib(error, size);
    return NULL;
}

#else

static void file_raw(struct stream *s, void *place, unsigned length)
{
    if (s->way == SAVE) {
        if (gzwrite(s->file, place, length) != (int)length)
            refuse(s, "it cannot be written", "make room on the disk");
    } else if (gzread(s->file, place, length) != (int)length) {
        int code = Z_OK;
        gzerror(s->file, &code);
        if (strcmp(s->section, "header") == 0 && code != Z_MEM_ERROR)
            refuse(s, "this is not a snapshot", "name a file that snapshot save wrote");
        else if (code == Z_MEM_ERROR)
            refuse(s, "the host has no memory to unpack it", "end other programs");
        else
            refuse(s,
                   code == Z_OK || code == Z_BUF_ERROR ? "the file ends too early" : "its data or checksum are wrong",
                   "it was cut off or damaged, take another one");
    }
    if (!s->bad)
        s->crc = (uint32_t)crc32(s->crc, place, length);
}

/* The magic word in front, and the checksum behind. */
static void magic(struct stream *s)
{
    uint8_t word[8];
    s->section = "header";
    put64(word, MAGIC);
    raw(s, word, sizeof word);
    if (!s->bad && get64(word) >> 8 != MAGIC >> 8)
        refuse(s, "this is not a snapshot", "name a file that snapshot save wrote");
    else if (!s->bad && get64(word) != MAGIC)
        refuse(s, "its format version is not known here", "load it with the zri that saved it");
}

static void checksum(struct stream *s)
{
    uint8_t word[4], more;
    uint32_t crc = s->crc;
    s->section = "checksum";
    put32(word, crc);
    raw(s, word, sizeof word);
    if (!s->bad && get32(word) != crc)
        refuse(s, "it is not that of the file", "the file was damaged, take another one");
    if (!s->bad && s->way == LOAD && gzread(s->file, &more, 1) != 0)
        refuse_contents(s, "something follows it");
}

int snapshot_save(struct machine *m, const char *file, char *error, size_t size)
{
    char temporary[4096 + 8];
    struct stat there;
    if (!*file || strlen(file) > 4096) {
        snprintf(error, size, "snapshot: the file name is empty or too long; give another one");
        return -ENAMETOOLONG;
    }
    if (machine_measure_plan(m)) {
        snprintf(error, size, "snapshot: a plan of sampled use of the pipeline model is not saved; end it first (%s)",
                 "ctr sample off");
        return -EBUSY;
    }
    if (stat(file, &there) == 0 && !S_ISREG(there.st_mode)) { /* it would be replaced, a device as well */
        snprintf(error, size, "snapshot: '%.100s' is no file; name one, or one that is not there yet", file);
        return -EINVAL;
    }
    snprintf(temporary, sizeof temporary, "%s.new", file);
    struct stream s = {.raw = file_raw, .way = SAVE, .name = file, .error = error, .size = size};
    errno = 0;
    s.file = gzopen(temporary, "wb1");
    if (!s.file) {
        int code = errno ? errno : ENOMEM;
        snprintf(error, size, "snapshot: cannot write '%.100s': %s; name a file in a folder you may write to",
                 temporary, strerror(code));
        return -code;
    }
    magic(&s);
    section(&s, "CONF", configuration, &m->config);
    everything(&s, m);
    checksum(&s);
    if (gzclose(s.file) != Z_OK)
        refuse(&s, "it cannot be written", "make room on the disk");
    if (!s.bad && rename(temporary, file))
        refuse(&s, strerror(errno), "name a file in a folder you may write to");
    if (!s.bad)
        return 0;
    unlink(temporary);
    return -EIO;
}

/* The machine was saved when its microsecond had `mhz` cycles: what its slice took it took. */
static void settle_time(struct machine *m, uint64_t mhz)
{
    uint64_t passed = 0;
    if (mhz == cpu_mhz(&m->sys))
        return;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const uint64_t cycles = cpu_cycles(m->sys.cpus[i]) - m->sys.cpus[i]->slice_start;
        passed = cycles > passed ? cycles : passed;
    }
    engine_skip(&m->sys, (m->sys.now_rest + passed * CPU_TOD_MICROSECOND) / mhz);
    m->sys.now_rest = m->slice_cycles = m->longest = 0;
}

static struct machine *read_machine(struct stream *s, const struct emu_profile *profile,
                                    const struct machine_host *host, uint8_t engine)
{
    struct machine_config config = machine_default_config();
    magic(s);
    section(s, "CONF", configuration, &config);
    if (s->bad)
        return NULL;
    const uint64_t mhz = config.profile.mhz ? config.profile.mhz : CPU_MHZ;
    if (profile)
        config.profile = *profile;
    config.engine = engine;
    char why[512];
    struct machine *m = config.storage % (1u << 20) ? NULL : machine_create(&config, host, why, sizeof why);
    if (!m) {
        refuse(s, config.storage % (1u << 20) ? "the storage size is not whole megabytes" : why,
               "load it where such a machine is possible");
        return NULL;
    }
    everything(s, m);
    settle_time(m, mhz);
    checksum(s);
    if (s->bad) {
        machine_destroy(m);
        return NULL;
    }
    return m;
}

struct machine *snapshot_load(const char *file, const struct emu_profile *profile, const struct machine_host *host,
                              uint8_t engine, char *error, size_t size)
{
    struct stream s = {.raw = file_raw, .way = LOAD, .name = file, .error = error, .size = size};
    errno = 0;
    s.file = gzopen(file, "rb");
    if (!s.file) {
        snprintf(error, size, "snapshot: cannot read '%.100s': %s; name a file that snapshot save wrote", file,
                 strerror(errno ? errno : ENOMEM));
        return NULL;
    }
    struct machine *m = read_machine(&s, profile, host, engine);
    gzclose(s.file);
    return m;
}

#endif
