/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGNAL PROCESSOR orders. PoP chapter 4, "CPU Signaling and Response" (SA22-7832-13). */
#include "cpu/storage/access.h"
#include "cpu/engine/engine.h"
#include "cpu/control/interrupt.h"
#include "emu/machine/machine.h"

enum sigp_order {
    SIGP_SENSE = 0x01,
    SIGP_EXTERNAL_CALL = 0x02,
    SIGP_EMERGENCY_SIGNAL = 0x03,
    SIGP_START = 0x04,
    SIGP_STOP = 0x05,
    SIGP_RESTART = 0x06,
    SIGP_STOP_AND_STORE_STATUS = 0x09,
    SIGP_INITIAL_CPU_RESET = 0x0b,
    SIGP_CPU_RESET = 0x0c,
    SIGP_SET_PREFIX = 0x0d,
    SIGP_STORE_STATUS_AT_ADDRESS = 0x0e,
    SIGP_SET_ARCHITECTURE = 0x12,
    SIGP_CONDITIONAL_EMERGENCY_SIGNAL = 0x13,
    SIGP_SENSE_RUNNING_STATUS = 0x15,
};

#define STATUS_NOT_RUNNING           0x400u
#define STATUS_INCORRECT_STATE       0x200u
#define STATUS_INVALID_PARAMETER     0x100u
#define STATUS_EXTERNAL_CALL_PENDING 0x80u
#define STATUS_STOPPED               0x40u
#define STATUS_CHECK_STOP            0x10u
#define STATUS_INVALID_ORDER         0x02u

static unsigned with_status(uint32_t *status, uint32_t bits)
{
    *status = bits;
    return 1;
}

/* The CPU that issued the order stops behind this SIGNAL PROCESSOR; others between two of their instructions. */
static void stop(struct machine *m, struct cpu *by, struct cpu *target)
{
    target->stop_pending = target->state == CPU_STATE_OPERATING;
    if (target != by)
        return;
    engine_leave(by);
    m->powered_off = true; /* unless another CPU goes on */
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i] != by && m->sys.cpus[i]->state == CPU_STATE_OPERATING && !m->sys.cpus[i]->stop_pending)
            m->powered_off = false;
}

static unsigned sense(const struct cpu *target, uint32_t *status)
{
    uint32_t bits = 0;
    if (target->state == CPU_STATE_STOPPED)
        bits |= STATUS_STOPPED;
    if (target->state == CPU_STATE_CHECK_STOP)
        bits |= STATUS_CHECK_STOP;
    if (target->external & CPU_EXT_CALL)
        bits |= STATUS_EXTERNAL_CALL_PENDING;
    return bits ? with_status(status, bits) : 0;
}

static unsigned set_prefix(struct machine *m, struct cpu *target, uint64_t parameter, uint32_t *status)
{
    uint32_t prefix = (uint32_t)parameter & 0x7fffe000;
    if (!storage_has(&m->sys.storage, prefix, 0x2000))
        return with_status(status, STATUS_INVALID_PARAMETER);
    if (target->state != CPU_STATE_STOPPED)
        return with_status(status, STATUS_INCORRECT_STATE);
    target->prefix = prefix;
    cpu_tlb_purge(target);
    cpu_mode_changed(target);
    return 0;
}

static unsigned store_status_at(struct cpu *target, uint64_t parameter, uint32_t *status)
{
    if (target->state != CPU_STATE_STOPPED)
        return with_status(status, STATUS_INCORRECT_STATE);
    return cpu_store_status_at(target, parameter & 0x7ffffe00) ? 0 : with_status(status, STATUS_INVALID_PARAMETER);
}

static unsigned external_call(struct cpu *by, struct cpu *target, uint32_t *status)
{
    if (target->external & CPU_EXT_CALL)
        return with_status(status, STATUS_EXTERNAL_CALL_PENDING);
    target->ext_call_from = by->address;
    cpu_raise_external(target, CPU_EXT_CALL);
    return 0;
}

static void emergency(struct cpu *by, struct cpu *target)
{
    target->ext_emergency |= UINT64_C(1) << by->address;
    cpu_raise_external(target, CPU_EXT_EMERGENCY);
}

static unsigned sense_running(const struct cpu *target, uint32_t *status)
{
    bool running = target->state == CPU_STATE_OPERATING && !(target->psw.mask & PSW_WAIT);
    return running ? 0 : with_status(status, STATUS_NOT_RUNNING);
}

/* Every CPU is in the z/Architecture mode already and stays there. */
static unsigned set_architecture(uint64_t parameter, uint32_t *status)
{
    (void)parameter;
    return with_status(status, STATUS_INVALID_PARAMETER);
}

static unsigned carry_out(struct machine *m, struct cpu *by, struct cpu *target, uint8_t order, uint64_t parameter,
                          uint32_t *status)
{
    switch (order) {
    case SIGP_SENSE:
        return sense(target, status);
    case SIGP_EXTERNAL_CALL:
        return external_call(by, target, status);
    case SIGP_EMERGENCY_SIGNAL:
        emergency(by, target);
        return 0;
    case SIGP_CONDITIONAL_EMERGENCY_SIGNAL:
        if (target->state == CPU_STATE_OPERATING && !(target->psw.mask & PSW_WAIT) && (target->psw.mask & PSW_EXT))
            return with_status(status, STATUS_INCORRECT_STATE);
        emergency(by, target);
        return 0;
    case SIGP_START:
        if (target->state == CPU_STATE_STOPPED)
            cpu_set_state(target, CPU_STATE_OPERATING);
        return 0;
    case SIGP_STOP:
        stop(m, by, target);
        return 0;
    case SIGP_STOP_AND_STORE_STATUS:
        target->store_status_pending = true;
        stop(m, by, target);
        if (target->state == CPU_STATE_STOPPED) {
            target->store_status_pending = false;
            cpu_store_status(target);
        }
        return 0;
    case SIGP_RESTART:
        if (target->state == CPU_STATE_CHECK_STOP)
            return with_status(status, STATUS_CHECK_STOP);
        target->restart_pending = true;
        cpu_set_state(target, CPU_STATE_OPERATING);
        if (target == by)
            engine_leave(by);
        return 0;
    case SIGP_INITIAL_CPU_RESET:
    case SIGP_CPU_RESET:
        cpu_reset(target, order == SIGP_CPU_RESET ? CPU_RESET : CPU_RESET_INITIAL);
        if (target == by)
            engine_leave(by);
        return 0;
    case SIGP_SET_PREFIX:
        return set_prefix(m, target, parameter, status);
    case SIGP_STORE_STATUS_AT_ADDRESS:
        return store_status_at(target, parameter, status);
    case SIGP_SENSE_RUNNING_STATUS:
        return sense_running(target, status);
    default:
        return with_status(status, STATUS_INVALID_ORDER);
    }
}

int machine_sigp(void *machine, struct cpu *cpu, uint16_t address, uint8_t order, uint64_t parameter, uint32_t *status,
                 unsigned *cc)
{
    struct machine *m = machine;
    if (order == SIGP_SET_ARCHITECTURE) { /* its address is ignored */
        *cc = set_architecture(parameter, status);
        return 0;
    }
    struct cpu *target = address < m->sys.cpu_count ? m->sys.cpus[address] : NULL;
    if (!target || machine_cpu_standby(m, address))
        *cc = 3;
    else if (target->stop_pending && target != cpu && order != SIGP_SENSE && order != SIGP_SENSE_RUNNING_STATUS)
        *cc = 2;
    else
        *cc = carry_out(m, cpu, target, order, parameter, status);
    return 0;
}
