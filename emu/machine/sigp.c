/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGNAL PROCESSOR orders. PoP chapter 4, "CPU Signaling and Response" (SA22-7832-13). */
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/control/status.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/tlb.h"
#include "emu/machine/machine.h"
#include "emu/machine/sigp.h"
#include "emu/machine/slice.h"

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
    SIGP_STORE_ADDITIONAL_STATUS_AT_ADDRESS = 0x17,
};

#define STATUS_NOT_RUNNING           0x400u
#define STATUS_INCORRECT_STATE       0x200u
#define STATUS_INVALID_PARAMETER     0x100u
#define STATUS_EXTERNAL_CALL_PENDING 0x80u
#define STATUS_CHECK_STOP            0x10u
#define STATUS_INVALID_ORDER         0x02u

const char *machine_sigp_name(unsigned order)
{
    switch (order) {
    case SIGP_SENSE:
        return "sense";
    case SIGP_EXTERNAL_CALL:
        return "external call";
    case SIGP_EMERGENCY_SIGNAL:
        return "emergency signal";
    case SIGP_START:
        return "start";
    case SIGP_STOP:
        return "stop";
    case SIGP_RESTART:
        return "restart";
    case SIGP_STOP_AND_STORE_STATUS:
        return "stop and store status";
    case SIGP_INITIAL_CPU_RESET:
        return "initial CPU reset";
    case SIGP_CPU_RESET:
        return "CPU reset";
    case SIGP_SET_PREFIX:
        return "set prefix";
    case SIGP_STORE_STATUS_AT_ADDRESS:
        return "store status at address";
    case SIGP_SET_ARCHITECTURE:
        return "set architecture";
    case SIGP_CONDITIONAL_EMERGENCY_SIGNAL:
        return "conditional emergency signal";
    case SIGP_SENSE_RUNNING_STATUS:
        return "sense running status";
    case SIGP_STORE_ADDITIONAL_STATUS_AT_ADDRESS:
        return "store additional status at address";
    default:
        return "unassigned order";
    }
}

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
    const uint32_t bits = cpu_sigp_status(target);
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

/* The parameter is the address with the length characteristic in its rightmost four bits: the area has so many bytes as
   two to that power, 1,024 with zero, and lies on such a boundary. Zero and 10 to 12 with the guarded-storage facility,
   zero alone without it; the guarded-storage controls come behind the first 1,024 bytes. */
static unsigned store_additional_status_at(struct cpu *target, uint64_t parameter, uint32_t *status)
{
    enum { LENGTH_SHORTEST = 10, LENGTH_LONGEST = 12 };
    const unsigned characteristic = (unsigned)parameter & 15;
    const uint64_t length = UINT64_C(1) << (characteristic ? characteristic : LENGTH_SHORTEST);
    const uint64_t absolute = parameter & ~UINT64_C(15);
    if (target->state != CPU_STATE_STOPPED)
        return with_status(status, STATUS_INCORRECT_STATE);
    if (characteristic && (!cpu_facility(target->sys, FACILITY_GUARDED) || characteristic < LENGTH_SHORTEST ||
                           characteristic > LENGTH_LONGEST))
        return with_status(status, STATUS_INVALID_PARAMETER);
    if (absolute % length || !cpu_store_additional_status_at(target, absolute, (unsigned)length))
        return with_status(status, STATUS_INVALID_PARAMETER);
    return 0;
}

/* A CPU that sleeps in a thread of its own has something to do. */
static void wake(struct machine *m, struct cpu *by, struct cpu *target)
{
    if (m->wake)
        m->wake(m, by, target);
}

static unsigned external_call(struct machine *m, struct cpu *by, struct cpu *target, uint32_t *status)
{
    if (!cpu_raise_call(target, by->address))
        return with_status(status, STATUS_EXTERNAL_CALL_PENDING);
    wake(m, by, target);
    return 0;
}

static void emergency(struct machine *m, struct cpu *by, struct cpu *target)
{
    cpu_raise_emergency(target, by->address);
    wake(m, by, target);
}

/* Accepted when the addressed CPU is not enabled for I/O and external interruptions both, when it waits at an address
   that is not zero, or when it does not wait and the address-space number in the parameter is its primary or secondary
   one. The PSW of a stopped CPU is looked at like any other. */
static unsigned conditional_emergency(struct machine *m, struct cpu *by, struct cpu *target, uint64_t parameter,
                                      uint32_t *status)
{
    const uint64_t enabled = PSW_IO | PSW_EXT;
    const uint16_t asn = (uint16_t)parameter;
    const bool waits = target->psw.mask & PSW_WAIT;
    const bool accepted = (target->psw.mask & enabled) != enabled ||
                          (waits ? target->psw.ia != 0
                                 : asn == cpu_control_value(target->cr[4], CR4_PRIMARY_ASN) ||
                                       asn == cpu_control_value(target->cr[3], CR3_SECONDARY_ASN));
    if (!accepted)
        return with_status(status, STATUS_INCORRECT_STATE);
    emergency(m, by, target);
    return 0;
}

/* In rotation nobody runs but who asks. A guest that spins for a lock then yields to its owner at once, and does not
   wait out its own slice. */
static unsigned sense_running(struct machine *m, const struct cpu *by, struct cpu *target, uint32_t *status)
{
    const bool running = m->sleeps ? !m->sleeps(m, target) : target == by;
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
        return external_call(m, by, target, status);
    case SIGP_EMERGENCY_SIGNAL:
        emergency(m, by, target);
        return 0;
    case SIGP_CONDITIONAL_EMERGENCY_SIGNAL:
        return conditional_emergency(m, by, target, parameter, status);
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
        cpu_raise_restart(target);
        cpu_set_state(target, CPU_STATE_OPERATING);
        if (target == by)
            engine_leave(by);
        return 0;
    case SIGP_INITIAL_CPU_RESET:
    case SIGP_CPU_RESET:
        cpu_reset(target, order == SIGP_CPU_RESET ? CPU_RESET : CPU_RESET_INITIAL);
        diagnose_reset_cpu(m, target);
        if (target == by)
            engine_leave(by);
        return 0;
    case SIGP_SET_PREFIX:
        return set_prefix(m, target, parameter, status);
    case SIGP_STORE_STATUS_AT_ADDRESS:
        return store_status_at(target, parameter, status);
    case SIGP_SENSE_RUNNING_STATUS:
        return sense_running(m, by, target, status);
    case SIGP_STORE_ADDITIONAL_STATUS_AT_ADDRESS:
        return store_additional_status_at(target, parameter, status);
    default:
        return with_status(status, STATUS_INVALID_ORDER);
    }
}

static bool is_order(const struct machine *m, uint8_t order)
{
    static const uint8_t orders[] = {
        SIGP_SENSE,     SIGP_EXTERNAL_CALL, SIGP_EMERGENCY_SIGNAL,        SIGP_START,
        SIGP_STOP,      SIGP_RESTART,       SIGP_STOP_AND_STORE_STATUS,   SIGP_INITIAL_CPU_RESET,
        SIGP_CPU_RESET, SIGP_SET_PREFIX,    SIGP_STORE_STATUS_AT_ADDRESS, SIGP_CONDITIONAL_EMERGENCY_SIGNAL,
    };
    if (order == SIGP_SENSE_RUNNING_STATUS)
        return cpu_facility(&m->sys, FACILITY_SENSE_RUNNING);
    if (order == SIGP_STORE_ADDITIONAL_STATUS_AT_ADDRESS)
        return cpu_facility(&m->sys, FACILITY_VECTOR) || cpu_facility(&m->sys, FACILITY_GUARDED);
    return memchr(orders, order, sizeof orders);
}

/* The order is for a CPU of the configuration. While a stop or restart that was accepted is not complete, it is busy
   for all but the resets; in the check-stop state for all but these and what asks for its state. */
static unsigned address_cpu(struct machine *m, struct cpu *by, struct cpu *target, uint8_t order, uint64_t parameter,
                            uint32_t *status)
{
    const bool reset = order == SIGP_INITIAL_CPU_RESET || order == SIGP_CPU_RESET;
    if (!is_order(m, order))
        return with_status(status, STATUS_INVALID_ORDER);
    if (!reset && (target->stop_pending || target->restart_pending)) {
        if (!m->sys.threads)
            m->diagnose.yielded = true; /* the other has its turn, so that it completes */
        engine_leave(by);
        return 2;
    }
    if (!reset && target->state == CPU_STATE_CHECK_STOP && order != SIGP_SENSE && order != SIGP_SENSE_RUNNING_STATUS)
        return with_status(status, STATUS_CHECK_STOP);
    return carry_out(m, by, target, order, parameter, status);
}

bool machine_sigp_alone(uint8_t order)
{
    return order != SIGP_SENSE && order != SIGP_SENSE_RUNNING_STATUS && order != SIGP_EXTERNAL_CALL &&
           order != SIGP_EMERGENCY_SIGNAL;
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
    else
        *cc = address_cpu(m, cpu, target, order, parameter, status);
    if (target && target != cpu)
        machine_called(m);
    return 0;
}
