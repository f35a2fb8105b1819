/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration as a guest may change it by the service processor: CPUs and storage in standby. */
#include "cpu/control/registers.h"
#include "cpu/life/life.h"
#include "cpu/storage/code.h"
#include "cpu/storage/tlb.h"
#include "emu/dev/sclp/configuration.h"
#include "emu/dev/sclp/internal.h"
#include "emu/state/machine.h"

/* A CPU of the configuration; it must be stopped to be taken out of it. */
uint16_t sclp_configure_cpu(struct machine *m, unsigned id, bool configured)
{
    if (id >= m->sys.cpu_count)
        return RESPONSE_INVALID_RESOURCE;
    if (machine_cpu_standby(m, id) != configured)
        return RESPONSE_ALREADY;
    struct cpu *cpu = m->sys.cpus[id];
    if (!configured && cpu->state != CPU_STATE_STOPPED)
        return RESPONSE_INVALID_RESOURCE;
    m->standby_cpus ^= UINT64_C(1) << id;
    cpu_reset(cpu, CPU_RESET_CLEAR);
    m->sys.topology_changed = true;
    return RESPONSE_COMPLETE;
}

/* ---- storage ---------------------------------------------------------------------------------------------------- */

/* There are two storage elements: 1 has what is assigned from the beginning, 2 the storage in standby. Increment
   numbers begin with 1; an entry of a list has the number in its left half. */
enum { ELEMENT_FIRST = 1, ELEMENT_STANDBY = 2 };

static unsigned first_of(const struct machine *m, unsigned id)
{
    uint64_t standby = (m->config.standby_storage >> 20) / sclp_increment_mib(m);
    return id == ELEMENT_FIRST ? 1 : (unsigned)(sclp_increments(m) - standby) + 1;
}

static unsigned last_of(const struct machine *m, unsigned id)
{
    return id == ELEMENT_FIRST ? first_of(m, ELEMENT_STANDBY) - 1 : (unsigned)sclp_increments(m);
}

static bool standby_assigned(const struct machine *m, unsigned increment)
{
    unsigned n = increment - first_of(m, ELEMENT_STANDBY);
    return n < 8 * sizeof m->assigned && (m->assigned[n / 64] >> (n % 64) & 1);
}

/* Addresses end behind the highest increment that is assigned. Increments below it that are not are there all the same:
   a guest that keeps to its configuration cannot tell. */
void sclp_set_storage(struct machine *m)
{
    if (!m->config.standby_storage)
        return;
    unsigned last = last_of(m, ELEMENT_FIRST);
    for (unsigned i = first_of(m, ELEMENT_STANDBY); i <= last_of(m, ELEMENT_STANDBY); i++)
        if (standby_assigned(m, i))
            last = i;
    m->sys.storage.size = (uint64_t)last * sclp_increment_mib(m) << 20;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_tlb_purge(m->sys.cpus[i]);
    cpu_code_written(&m->sys, 0, m->sys.storage.size);
}

void sclp_initial_configuration(struct machine *m)
{
    m->standby_cpus = 0;
    for (unsigned i = m->config.cpus - m->config.standby_cpus; i < m->config.cpus; i++)
        m->standby_cpus |= UINT64_C(1) << i;
    memset(m->assigned, 0, sizeof m->assigned);
    m->storage_attached = false;
    sclp_set_storage(m);
}

uint16_t sclp_read_storage(struct machine *m, uint8_t *sccb, unsigned length, unsigned id)
{
    if (!m->config.standby_storage)
        return RESPONSE_INVALID_COMMAND;
    if (id != 0 && id != ELEMENT_FIRST && id != ELEMENT_STANDBY)
        return RESPONSE_NO_ELEMENT;
    if (length < 16)
        return RESPONSE_TOO_SHORT;
    unsigned first = first_of(m, id), last = last_of(m, id), n = 0;
    if (id == 0)
        first = 1, last = 0;
    if (length < 16 + 4 * (last + 1 - first))
        return RESPONSE_TOO_SHORT;
    memset(sccb + SCCB_HEADER, 0, length - SCCB_HEADER);
    for (unsigned i = first; i <= last; i++)
        put32(sccb + 16 + 4 * n++, i << 16);
    put16(sccb + 8, ELEMENT_STANDBY); /* the highest element */
    bool attached = id != ELEMENT_STANDBY || m->storage_attached;
    put16(sccb + (attached ? 10 : 12), (uint16_t)n);
    if (!attached) /* a list of the standby element, as if it were assigned */
        put16(sccb + 10, (uint16_t)n);
    return attached ? RESPONSE_READ_COMPLETE : RESPONSE_ELEMENT_STANDBY;
}

uint16_t sclp_attach_storage(struct machine *m, uint8_t *sccb, unsigned length, unsigned id)
{
    if (!m->config.standby_storage || id != ELEMENT_STANDBY)
        return m->config.standby_storage ? RESPONSE_INVALID_RESOURCE : RESPONSE_INVALID_COMMAND;
    if (m->storage_attached)
        return RESPONSE_ALREADY;
    unsigned first = first_of(m, id), last = last_of(m, id), n = 0;
    if (length < 16 + 4 * (last + 1 - first))
        return RESPONSE_TOO_SHORT;
    memset(sccb + SCCB_HEADER, 0, length - SCCB_HEADER);
    for (unsigned i = first; i <= last; i++)
        put32(sccb + 16 + 4 * n++, i << 16);
    put16(sccb + 10, (uint16_t)n);
    m->storage_attached = true;
    return RESPONSE_COMPLETE;
}

uint16_t sclp_assign_storage(struct machine *m, const uint8_t *sccb, unsigned length, bool assigned)
{
    if (!m->config.standby_storage)
        return RESPONSE_INVALID_COMMAND;
    if (length < SCCB_HEADER + 2)
        return RESPONSE_TOO_SHORT;
    unsigned i = get16(sccb + SCCB_HEADER), n = i - first_of(m, ELEMENT_STANDBY);
    if (i < first_of(m, ELEMENT_STANDBY) || i > last_of(m, ELEMENT_STANDBY) || n >= 8 * sizeof m->assigned)
        return i >= 1 && i < first_of(m, ELEMENT_STANDBY) && assigned ? RESPONSE_ALREADY : RESPONSE_INVALID_RESOURCE;
    if (standby_assigned(m, i) == assigned)
        return RESPONSE_ALREADY;
    uint64_t mib = sclp_increment_mib(m);
    if (!assigned) { /* what it held is gone */
        memset(m->sys.storage.bytes + ((uint64_t)(i - 1) * mib << 20), 0, mib << 20);
        for (uint64_t at = 0; at < mib << 20; at += PAGE_SIZE_Z)
            storage_note_change(&m->sys.storage, ((uint64_t)(i - 1) * mib << 20) + at);
    }
    m->assigned[n / 64] ^= UINT64_C(1) << (n % 64);
    sclp_set_storage(m);
    return RESPONSE_COMPLETE;
}
