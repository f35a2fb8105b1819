/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SERVICE CALL and the service-call control block (SCCB): commands, and what they tell of the machine. */
#include "emu/dev/sclp/service.h"
#include "cpu/control/interrupt.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "emu/dev/sclp/internal.h"
#include "emu/state/machine.h"

#define COMMAND_READ_SCP_INFO        0x00020001u
#define COMMAND_READ_SCP_INFO_FORCED 0x00120001u
#define COMMAND_READ_CPU_INFO        0x00010001u
#define COMMAND_DECONFIGURE_CPU      0x00100001u
#define COMMAND_CONFIGURE_CPU        0x00110001u
#define COMMAND_READ_STORAGE         0x00040001u
#define COMMAND_ATTACH_STORAGE       0x00080001u
#define COMMAND_UNASSIGN_STORAGE     0x000c0001u
#define COMMAND_ASSIGN_STORAGE       0x000d0001u
#define COMMAND_WRITE_EVENT_DATA     0x00760005u
#define COMMAND_READ_EVENT_DATA      0x00770005u
#define COMMAND_WRITE_EVENT_MASK     0x00780005u
#define PREFIX_AREA                  UINT64_C(0x2000)

#define COMMAND_ID 0x0000ff00u /* of a CPU or a storage element */

/* What the service processor can do. */
#define HAS_CPU_INFO     UINT64_C(0x0800000000000000)
#define HAS_CPU_RECONFIG UINT64_C(0x0400000000000000)
#define HAS_STORAGE      UINT64_C(0x0000e00000000000)
#define HAS_DIAGNOSE_318 0x80
#define HAS_SUPPRESSION  0x20 /* suppression on protection: every machine of this architecture */
#define HAS_ENHANCED     0x02 /* enhanced: bits 60 and 61 of the translation-exception identification say why */

void sclp_reset(struct sclp *sclp)
{
    memset(sclp, 0, sizeof *sclp);
    sclp->at_line_start = true;
}

/* ---- what there is --------------------------------------------------------------------------------------------- */

/* CPUs that are configured, or those in standby, 16 bytes each; returns their number. */
static unsigned cpu_entries(const struct machine *m, bool standby, uint8_t *at)
{
    unsigned n = 0;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (machine_cpu_standby(m, i) == standby) {
            memset(at + 16 * n, 0, 16);
            at[16 * n++] = (uint8_t)m->sys.cpus[i]->address;
        }
    return n;
}

/* Storage as increments: powers of two of a MiB so that their number fits into a halfword; where there is standby
   storage, as large as both sizes allow up to 256 MiB. */
uint64_t sclp_increment_mib(const struct machine *m)
{
    uint64_t total = m->sys.storage.total >> 20, standby = m->config.standby_storage >> 20, n = 1;
    while (standby && n < 256 && total % (2 * n) == 0 && standby % (2 * n) == 0)
        n *= 2;
    while (total / n > 0xffff && n < 128) /* what is not a whole increment is not reported */
        n *= 2;
    return n;
}

uint64_t sclp_increments(const struct machine *m)
{
    uint64_t n = (m->sys.storage.total >> 20) / sclp_increment_mib(m);
    return n > 0xffff ? 0xffff : n;
}

static uint16_t read_scp_info(const struct machine *m, uint8_t *sccb, unsigned length)
{
    const unsigned entries = 144;
    const bool reconfigures = m->config.standby_cpus;
    if (length < entries + 16 * m->sys.cpu_count)
        return RESPONSE_TOO_SHORT;
    memset(sccb + SCCB_HEADER, 0, length - SCCB_HEADER);
    put16(sccb + 8, (uint16_t)sclp_increments(m));
    sccb[10] = (uint8_t)sclp_increment_mib(m);
    put32(sccb + 100, sccb[10] ? 0 : (uint32_t)sclp_increment_mib(m)); /* 256 does not fit into the byte */
    unsigned n = cpu_entries(m, false, sccb + entries);
    sccb[15] = cpu_facility(&m->sys, FACILITY_TOPOLOGY) ? MACHINE_TOPOLOGY_LEVELS : 0;
    put16(sccb + 16, (uint16_t)n);
    put16(sccb + 18, (uint16_t)entries);
    memset(sccb + 24, 0x40, 8); /* load parameter */
    if (m->diagnose.ipl_device)
        memcpy(sccb + 24, m->diagnose.ipl_parameter, sizeof m->diagnose.ipl_parameter);
    put64(sccb + 48,
          HAS_CPU_INFO | (reconfigures ? HAS_CPU_RECONFIG : 0) | (m->config.standby_storage ? HAS_STORAGE : 0));
    sccb[80] = HAS_SUPPRESSION;
    sccb[85] = HAS_ENHANCED;
    put16(sccb + 120, (uint16_t)(m->sys.cpu_count - 1));
    sccb[134] = HAS_DIAGNOSE_318;
    return RESPONSE_READ_COMPLETE;
}

static uint16_t read_cpu_info(const struct machine *m, uint8_t *sccb, unsigned length)
{
    const unsigned entries = 32;
    if (length < entries + 16 * m->sys.cpu_count)
        return RESPONSE_TOO_SHORT;
    memset(sccb + SCCB_HEADER, 0, length - SCCB_HEADER);
    unsigned n = cpu_entries(m, false, sccb + entries);
    put16(sccb + 8, (uint16_t)n);
    put16(sccb + 10, (uint16_t)entries);
    put16(sccb + 12, (uint16_t)cpu_entries(m, true, sccb + entries + 16 * n));
    put16(sccb + 14, (uint16_t)(entries + 16 * n));
    return RESPONSE_READ_COMPLETE;
}

/* ---- SERVICE CALL ---------------------------------------------------------------------------------------------- */

static uint16_t carry_out(struct machine *m, uint32_t command, uint8_t *sccb, unsigned length)
{
    const unsigned id = (command & COMMAND_ID) >> 8;
    switch (command) {
    case COMMAND_READ_SCP_INFO:
    case COMMAND_READ_SCP_INFO_FORCED:
        return read_scp_info(m, sccb, length);
    case COMMAND_READ_CPU_INFO:
        return read_cpu_info(m, sccb, length);
    case COMMAND_WRITE_EVENT_MASK:
        return sclp_write_event_mask(m, sccb, length);
    case COMMAND_WRITE_EVENT_DATA:
        return sclp_write_event_data(m, sccb, length);
    case COMMAND_READ_EVENT_DATA:
        return sclp_read_event_data(m, sccb, length);
    default:
        break;
    }
    switch (command & ~COMMAND_ID) {
    case COMMAND_CONFIGURE_CPU:
    case COMMAND_DECONFIGURE_CPU:
        return sclp_configure_cpu(m, id, (command & ~COMMAND_ID) == COMMAND_CONFIGURE_CPU);
    case COMMAND_READ_STORAGE:
        return sclp_read_storage(m, sccb, length, id);
    case COMMAND_ATTACH_STORAGE:
        return sclp_attach_storage(m, sccb, length, id);
    case COMMAND_ASSIGN_STORAGE:
    case COMMAND_UNASSIGN_STORAGE:
        return id ? RESPONSE_INVALID_COMMAND : sclp_assign_storage(m, sccb, length, command == COMMAND_ASSIGN_STORAGE);
    default:
        return RESPONSE_INVALID_COMMAND;
    }
}

int sclp_service_call(void *machine, struct cpu *cpu, uint32_t command, uint64_t sccb, unsigned *cc)
{
    struct machine *m = machine;
    if (sccb & ~UINT64_C(0x7ffffff8))
        return PIC_SPECIFICATION;
    if (sccb < PREFIX_AREA || (sccb & ~(PREFIX_AREA - 1)) == cpu->prefix) /* real and absolute zero */
        return PIC_SPECIFICATION;
    const uint64_t absolute = sccb; /* other real addresses */
    if (!storage_has(&m->sys.storage, absolute, SCCB_HEADER))
        return PIC_ADDRESSING;
    uint8_t *host = m->sys.storage.bytes + absolute;
    unsigned length = get16(host);
    if (length < SCCB_HEADER)
        return PIC_SPECIFICATION;
    uint16_t response = RESPONSE_BOUNDARY;
    bool inside = (absolute & 0xfff) + length <= PAGE_SIZE_Z;
    if (inside)
        response = carry_out(m, command, host, length);
    put16(host + 6, response);
    cpu_code_written_outside(&m->sys, absolute, inside ? length : SCCB_HEADER);
    m->sys.storage.keys[absolute >> PAGE_BITS] |= KEY_R | KEY_C;
    cpu_raise_service_signal(&m->sys, (uint32_t)sccb | (sclp_event_waits(m) ? 1 : 0));
    *cc = 0;
    return 0;
}
