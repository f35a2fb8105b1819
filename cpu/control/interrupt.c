/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interruptions: the one place where PSWs are exchanged for them. PoP chapter 6 (SA22-7832-13). */
#include "cpu/control/interrupt.h"
#include "cpu/control/edges.h"
#include "cpu/control/model.h"
#include "cpu/control/psw.h"
#include "cpu/control/status.h"
#include "cpu/control/transaction.h"
#include "cpu/state/exceptions.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "cpu/storage/watch.h"
#include "ri/counters/counters.h"
#include "ri/ri.h"

/* Real addresses of old and new PSWs. */
struct place {
    uint16_t old, new;
};
static const struct place restart_place = {288, 416}, external_place = {304, 432}, svc_place = {320, 448},
                          program_place = {336, 464}, machine_check_place = {352, 480}, io_place = {368, 496};

/* The low storage of this CPU. The prefix area always lies in storage (SET PREFIX sees to it). */
static uint8_t *low(struct cpu *cpu) { return cpu->sys->storage.bytes + cpu->prefix; }

/* The first 512 bytes of the prefix area have been stored into. Most often that is known of the page, and neither code
   nor tables are in it. */
static void low_changed(struct cpu *cpu)
{
    const struct storage *storage = &cpu->sys->storage;
    const uint64_t frame = cpu->prefix >> PAGE_BITS;
    if (LIKELY(cpu_alone(cpu->sys) && !storage->code_lines[frame] &&
               !(storage->page_flags[frame] & (PAGE_TABLES | PAGE_PROFILED | PAGE_UNCHANGED)) &&
               (storage->keys[frame] & (KEY_R | KEY_C)) == (KEY_R | KEY_C)))
        return;
    cpu_code_accessed(cpu, cpu->prefix, 512);
}

/* Watchpoints are told of bytes in low storage that were stored. */
static void stored(struct cpu *cpu, unsigned real, unsigned length)
{
    if (UNLIKELY(cpu->sys->watches != NULL))
        cpu_watch_stored(cpu, cpu->prefix + real, length, CPU_WATCH_MACHINE);
}

static void tell_observer(struct cpu *cpu, const struct place *place, enum cpu_class class, unsigned code)
{
    const struct cpu_observer *o = cpu->observer;
    const uint8_t *storage = low(cpu);
    if (o->interruption)
        o->interruption(o->context, cpu, class, code);
    if (o->loaded)
        o->loaded(o->context, cpu, get64(storage + place->new), get64(storage + place->new + 8));
}

/* Somebody looks at the interruptions of this CPU: one question for all of them. */
static bool looked_at(const struct cpu *cpu)
{
    return (uintptr_t)cpu->observer | (uintptr_t)cpu->model | (uintptr_t)cpu->exceptions |
           (uintptr_t)cpu->sys->watches | cpu->taken.stop_at;
}

/* Out of the way of those at whom nobody looks. The old PSW was stored, the new one is not loaded yet. */
__attribute__((noinline, cold)) static void tell(struct cpu *cpu, const struct place *place, enum cpu_class class,
                                                 unsigned code)
{
    const uint8_t *storage = low(cpu);
    stored(cpu, place->old, 16);
    if (cpu->observer)
        tell_observer(cpu, place, class, code);
    if (cpu->model)
        cpu_model_interruption(cpu, class);
    if (cpu->taken.stop_at >> class & 1) {
        cpu->leave = cpu->taken.stopped = true;
        cpu->taken.class = (uint8_t) class;
        cpu->taken.code = code;
    }
    if (cpu->exceptions)
        cpu_exceptions_entry(cpu, class, code,
                             (struct psw){get64(storage + place->new), get64(storage + place->new + 8)});
}

/* Exchange the PSWs. Returns 0, or PIC_SPECIFICATION when the new PSW has a format error (it is current then). */
static int exchange(struct cpu *cpu, const struct place *place, enum cpu_class class, unsigned code)
{
    uint8_t *storage = low(cpu);
    put64(storage + place->old, cpu_psw_mask(cpu));
    put64(storage + place->old + 8, cpu->psw.ia);
    low_changed(cpu);
    if (UNLIKELY(looked_at(cpu)))
        tell(cpu, place, class, code);
    return cpu_load_psw(cpu, get64(storage + place->new), get64(storage + place->new + 8));
}

/* A new PSW with a format error is a program interruption in its turn. */
static void after_exchange(struct cpu *cpu, int code)
{
    if (!code)
        return;
    cpu->zero_ilc = true;
    cpu_program_interruption(cpu, code);
}

/* Data- and vector-exception codes: real 144-147, and the FPC register. */
static void store_exception_code(struct cpu *cpu, uint8_t code)
{
    put32(low(cpu) + 144, code);
    stored(cpu, 144, 4);
    cpu_exception_code_to_fpc(cpu, code);
}

static bool stores_access_id(int code)
{
    return (code >= PIC_ALET_SPECIFICATION && code <= PIC_EXTENDED_AUTHORITY) || code == PIC_ASTE_INSTANCE ||
           code == PIC_PROTECTION || code == PIC_SEGMENT_TRANSLATION || code == PIC_PAGE_TRANSLATION ||
           (code >= PIC_ASCE_TYPE && code <= PIC_REGION_THIRD_TRANSLATION);
}

static void store_program_parameters(struct cpu *cpu, int code, unsigned ilc)
{
    uint8_t *storage = low(cpu);
    int main_code = code & ~(PIC_PER_EVENT | PIC_TRANSACTION_ABORT);
    put16(storage + 140, (uint16_t)ilc);
    put16(storage + 142, (uint16_t)code);
    put64(storage + 272, cpu->bear);
    stored(cpu, 140, 4);
    stored(cpu, 272, 8);
    if (main_code == PIC_DATA)
        store_exception_code(cpu, cpu->dxc);
    if (main_code == PIC_VECTOR_PROCESSING)
        store_exception_code(cpu, cpu->vxc);
    if (main_code == PIC_MONITOR_EVENT) {
        put16(storage + 148, cpu->monitor_class);
        put64(storage + 176, cpu->monitor_code);
        stored(cpu, 148, 2);
        stored(cpu, 176, 8);
    }
    if (code & PIC_PER_EVENT) {
        put16(storage + 150, cpu->per_code);
        put64(storage + 152, cpu->per_address);
        storage[161] = cpu->per_access_id;
        stored(cpu, 150, 10);
        stored(cpu, 161, 1);
    }
    if (cpu_code_stores_teid(main_code)) {
        put64(storage + 168, cpu->teid);
        stored(cpu, 168, 8);
    }
    if (stores_access_id(main_code)) {
        storage[160] = cpu->exception_access_id;
        storage[162] = cpu->operand_access_id;
        stored(cpu, 160, 1);
        stored(cpu, 162, 1);
    }
    cpu->exception_access_id = cpu->operand_access_id = 0;
    cpu->per_code = 0;
}

static void enter_check_stop(struct cpu *cpu)
{
    cpu_set_state(cpu, CPU_STATE_CHECK_STOP);
    if (cpu->sys->callouts && cpu->sys->callouts->state_changed)
        cpu->sys->callouts->state_changed(cpu->sys->machine, cpu);
}

/* Bytes behind the start of a handler that count as its beginning, and how often it must fail there to be in a loop. */
#define HANDLER_BEGIN 384u
#define LOOP_REPEATS  4096u

/* From the program new PSW straight on to the instruction at `ia`, without a branch and without another PSW? A branch
   in the handler's beginning would have left its address as breaking-event address. That of an older branch may lie
   there as well and cannot be told from it, unless the first instruction of the handler has failed: then there was no
   time for a branch. Before the first branch after a reset it is odd, which no branch's is. */
static bool in_own_handler(const struct cpu *cpu, uint64_t ia)
{
    const struct cpu_taken *t = &cpu->taken;
    if (!t->latest.number || t->psw_loads != t->loads_then || ia - t->handler >= HANDLER_BEGIN)
        return false;
    return cpu->bear - t->handler >= HANDLER_BEGIN || (cpu->bear & 1) ||
           (ia == t->handler && cpu_instructions(cpu) - t->latest.when <= 1);
}

/* Note the program interruption that is being taken. A loop is told by this: the CPU comes to the same exception again
   and again in the handler that it leads to. */
static void note_program(struct cpu *cpu, unsigned code, unsigned ilc, bool at_psw)
{
    struct cpu_taken *t = &cpu->taken;
    const uint64_t ia = at_psw ? cpu->psw.ia : cpu->insn_ia;
    const bool in_handler = in_own_handler(cpu, ia);
    t->repeats = in_handler && t->latest.ia == ia && t->latest.code == code ? t->repeats + 1 : 0;
    t->latest.number++;
    t->latest.mask = cpu->psw.mask;
    t->latest.ia = ia;
    t->latest.when = cpu_instructions(cpu);
    t->latest.teid = cpu->teid;
    t->latest.code = (uint16_t)code;
    t->latest.ilc = (uint8_t)ilc;
    t->latest.dxc =
        (code & ~(unsigned)(PIC_PER_EVENT | PIC_TRANSACTION_ABORT)) == PIC_VECTOR_PROCESSING ? cpu->vxc : cpu->dxc;
    memcpy(t->latest.gr, cpu->gr, sizeof t->latest.gr);
    if (!in_handler)
        t->origin = t->latest;
    if (UNLIKELY(t->repeats == LOOP_REPEATS && t->stop_at_loops))
        cpu->leave = t->loop = true;
}

void cpu_program_interruption(struct cpu *cpu, int code)
{
    if (cpu_tx_active(cpu) && cpu_tx_program(cpu, &code))
        return;
    for (unsigned depth = 0;; depth++) {
        unsigned ilc = cpu->zero_ilc ? 0 : cpu->ilc;
        note_program(cpu, (unsigned)code, ilc, cpu->zero_ilc);
        if (!cpu->zero_ilc && cpu_code_nullifies(code))
            cpu->psw.ia = cpu->insn_ia;
        cpu->zero_ilc = false;
        if (!(code & PIC_PER_EVENT))
            cpu->per_code = 0;
        ri_interruption(cpu->ri, RI_INT_PROGRAM);
        store_program_parameters(cpu, code, ilc);
        code = exchange(cpu, &program_place, CPU_CLASS_PROGRAM, (unsigned)code);
        cpu->taken.handler = cpu->psw.ia;
        cpu->taken.loads_then = cpu->taken.psw_loads;
        if (!code)
            return;
        if (depth) { /* the program new PSW itself is invalid: this would go on for ever */
            enter_check_stop(cpu);
            return;
        }
        cpu->zero_ilc = true;
    }
}

/* SVC interruption, cpu->svc_code. */
static void svc_interruption(struct cpu *cpu)
{
    uint8_t *storage = low(cpu);
    ri_interruption(cpu->ri, RI_INT_SUPERVISOR_CALL);
    put16(storage + 136, cpu->ilc);
    put16(storage + 138, cpu->svc_code);
    stored(cpu, 136, 4);
    int code = exchange(cpu, &svc_place, CPU_CLASS_SVC, cpu->svc_code);
    cpu->zero_ilc = code != 0;
    if (cpu->per_code) /* the PER event of SVC itself follows, with the new PSW as old PSW */
        code |= PIC_PER_EVENT;
    if (code)
        cpu_program_interruption(cpu, code);
}

void cpu_deliver(struct cpu *cpu, int code)
{
    if (code == CPU_SVC)
        svc_interruption(cpu);
    else if (code == CPU_CHECK_STOP)
        enter_check_stop(cpu);
    else
        cpu_program_interruption(cpu, code);
}

/* ---- external ------------------------------------------------------------------------------------------------- */

/* All but clock comparator and CPU timer. */
static uint32_t pending_but_timers(const struct cpu *cpu)
{
    uint32_t pending = __atomic_load_n(&cpu->external, __ATOMIC_RELAXED);
    if (ri_alert(cpu->ri) | cpu->counters->alerts)
        pending |= CPU_EXT_MEASUREMENT_ALERT;
    if (cpu->sys->block_io_count)
        pending |= CPU_EXT_BLOCK_IO;
    return pending;
}

uint32_t cpu_external_pending(struct cpu *cpu) { return pending_but_timers(cpu) | cpu_timer_conditions(cpu); }

uint64_t cpu_external_subclasses(struct cpu *cpu)
{
    uint32_t pending = cpu_external_pending(cpu);
    uint64_t subclasses = 0;
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++)
        if (pending & cpu_externals[i].condition)
            subclasses |= cpu_externals[i].subclass;
    return subclasses;
}

/* Index in cpu_externals of what would be taken now, CPU_EXTERNAL_COUNT when nothing. */
static unsigned external_choice(struct cpu *cpu)
{
    if (!(cpu->psw.mask & PSW_EXT))
        return CPU_EXTERNAL_COUNT;
    uint32_t pending = pending_but_timers(cpu);
    if (cpu->cr[0] & (CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER))
        pending |= cpu_timer_conditions(cpu);
    unsigned i = 0;
    while (i < CPU_EXTERNAL_COUNT &&
           !((pending & cpu_externals[i].condition) && (cpu->cr[0] & cpu_externals[i].subclass)))
        i++;
    return i;
}

/* The lowest CPU address in a set, which is taken out. */
static uint16_t take_address(uint64_t *set, uint32_t *external, uint32_t condition)
{
    uint16_t address = *set ? (uint16_t)__builtin_ctzll(*set) : 0;
    *set &= *set - 1;
    if (!*set)
        __atomic_fetch_and(external, ~condition, __ATOMIC_RELAXED);
    return address;
}

/* A floating condition is taken by one CPU for all. */
static void clear_floating(struct cpu_system *sys, uint32_t condition)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i])
            sys->cpus[i]->external &= ~condition;
}

/* The oldest block I/O is told about: parameter of 32 bits at real 128, of 64 at 4536. */
static uint16_t take_block_io(struct cpu *cpu)
{
    struct cpu_system *sys = cpu->sys;
    const struct cpu_block_io first = sys->block_io[0];
    memmove(sys->block_io, sys->block_io + 1, --sys->block_io_count * sizeof *sys->block_io);
    if (first.what >> 8 == 3) {
        put32(low(cpu) + 128, (uint32_t)first.parameter);
        stored(cpu, 128, 4);
    } else {
        put64(low(cpu) + 4536, first.parameter);
        cpu_code_stored(cpu, cpu->prefix + 4536, 8);
    }
    return first.what;
}

/* Threads: other CPUs note signals and calls while this one runs. */
static void lock_signals(struct cpu *cpu)
{
    while (cpu->sys->threads && __atomic_exchange_n(&cpu->ext_lock, 1, __ATOMIC_ACQUIRE))
        ;
}
static void unlock_signals(struct cpu *cpu) { __atomic_store_n(&cpu->ext_lock, 0, __ATOMIC_RELEASE); }

void cpu_raise_emergency(struct cpu *cpu, uint16_t from)
{
    lock_signals(cpu);
    cpu->ext_emergency |= UINT64_C(1) << from;
    __atomic_fetch_or(&cpu->external, CPU_EXT_EMERGENCY, __ATOMIC_RELAXED);
    unlock_signals(cpu);
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu_exceptions_external(cpu, CPU_EXT_EMERGENCY, from);
}

bool cpu_raise_call(struct cpu *cpu, uint16_t from)
{
    lock_signals(cpu);
    const bool room = !(cpu->external & CPU_EXT_CALL);
    if (room) {
        cpu->ext_call_from = from;
        __atomic_fetch_or(&cpu->external, CPU_EXT_CALL, __ATOMIC_RELAXED);
    }
    unlock_signals(cpu);
    if (UNLIKELY(cpu->exceptions != NULL) && room)
        cpu_exceptions_external(cpu, CPU_EXT_CALL, from);
    return room;
}

/* The CPU address that one of these conditions shows. */
static uint16_t take_signal(struct cpu *cpu, uint32_t condition)
{
    lock_signals(cpu);
    uint16_t address = cpu->ext_call_from;
    if (condition == CPU_EXT_MALFUNCTION_ALERT)
        address = take_address(&cpu->ext_malfunction, &cpu->external, condition);
    else if (condition == CPU_EXT_EMERGENCY)
        address = take_address(&cpu->ext_emergency, &cpu->external, condition);
    else
        __atomic_fetch_and(&cpu->external, ~condition, __ATOMIC_RELAXED);
    unlock_signals(cpu);
    return address;
}

static void take_external(struct cpu *cpu, unsigned choice)
{
    uint8_t *storage = low(cpu);
    uint32_t parameter = 0, condition = cpu_externals[choice].condition;
    uint16_t address = 0;
    switch (condition) {
    case CPU_EXT_MALFUNCTION_ALERT:
    case CPU_EXT_EMERGENCY:
    case CPU_EXT_CALL:
        address = take_signal(cpu, condition);
        break;
    case CPU_EXT_SERVICE_SIGNAL:
        parameter = cpu->ext_service;
        put32(storage + 128, parameter);
        stored(cpu, 128, 4);
        clear_floating(cpu->sys, condition);
        break;
    case CPU_EXT_MEASUREMENT_ALERT:
        if (UNLIKELY(cpu->edges != NULL))
            cpu_edges_alert(cpu);
        put32(storage + 128, ri_alert(cpu->ri) | cpu->counters->alerts);
        stored(cpu, 128, 4);
        cpu->leave |= cpu->ri_watch && ri_alert(cpu->ri);
        cpu->counters->alerts = 0;
        if (ri_alert(cpu->ri))
            ri_alert_presented(cpu->ri);
        break;
    case CPU_EXT_INTERRUPT_KEY:
        clear_floating(cpu->sys, condition);
        break;
    case CPU_EXT_BLOCK_IO:
        address = take_block_io(cpu);
        break;
    default: /* clock comparator and CPU timer stay while they are true */
        break;
    }
    ri_interruption(cpu->ri, RI_INT_EXTERNAL);
    put16(storage + 132, address);
    put16(storage + 134, cpu_externals[choice].code);
    stored(cpu, 132, 4);
    after_exchange(cpu, exchange(cpu, &external_place, CPU_CLASS_EXTERNAL, cpu_externals[choice].code));
}

void cpu_raise_external(struct cpu *cpu, enum cpu_external condition)
{
    cpu->external |= condition;
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu_exceptions_external(cpu, condition, 0);
}

void cpu_raise_restart(struct cpu *cpu)
{
    if (UNLIKELY(cpu->exceptions != NULL) && !cpu->restart_pending)
        cpu_exceptions_restart(cpu);
    cpu->restart_pending = true;
}

/* A floating condition that is pending already is no new request. */
static bool is_new(const struct cpu_system *sys, uint32_t condition)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i] && (sys->cpus[i]->external & condition))
            return false;
    return true;
}

void cpu_raise_service_signal(struct cpu_system *sys, uint32_t parameter)
{
    if (UNLIKELY(sys->exceptions != NULL) && is_new(sys, CPU_EXT_SERVICE_SIGNAL))
        cpu_exceptions_floating(sys, CPU_EXT_SERVICE_SIGNAL, parameter, 0);
    for (unsigned i = 0; i < CPU_MAX; i++) {
        struct cpu *cpu = sys->cpus[i];
        if (!cpu)
            continue;
        uint32_t before = cpu->external & CPU_EXT_SERVICE_SIGNAL ? cpu->ext_service : 0;
        cpu->ext_service = parameter & ~7u ? (before & 7) | parameter : before | parameter;
        cpu->external |= CPU_EXT_SERVICE_SIGNAL;
    }
}

bool cpu_block_io_room(const struct cpu_system *sys) { return sys->block_io_count < CPU_BLOCK_IO; }

void cpu_raise_block_io(struct cpu_system *sys, uint16_t what, uint64_t parameter)
{
    sys->block_io[sys->block_io_count++] = (struct cpu_block_io){.parameter = parameter, .what = what};
    if (UNLIKELY(sys->exceptions != NULL))
        cpu_exceptions_floating(sys, CPU_EXT_BLOCK_IO, parameter, what);
}

/* ---- I/O ------------------------------------------------------------------------------------------------------ */

static bool io_pending(struct cpu *cpu)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    return (cpu->psw.mask & PSW_IO) && out && out->io_pending && out->io_pending(cpu->sys->machine, cpu);
}

static bool take_io(struct cpu *cpu)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    uint32_t words[3];
    if (!io_pending(cpu) || !out->io_take || !out->io_take(cpu->sys->machine, cpu, words))
        return false;
    uint8_t *storage = low(cpu);
    for (unsigned i = 0; i < 3; i++)
        put32(storage + 184 + 4 * i, words[i]);
    stored(cpu, 184, 12);
    ri_interruption(cpu->ri, RI_INT_IO);
    after_exchange(cpu, exchange(cpu, &io_place, CPU_CLASS_IO, words[0]));
    return true;
}

/* ---- machine check -------------------------------------------------------------------------------------------- */

/* Machine-check-interruption code: channel report pending, and everything that is stored is valid. */
#define MCIC_CHANNEL_REPORT UINT64_C(0x0040000000000000)
#define MCIC_VALID          UINT64_C(0x00000f1d40330000)

/* Real addresses of what is stored besides the PSWs. */
#define MACHINE_CHECK_CODE 232
#define REGISTER_SAVE_AREA 4608

static bool machine_check_pending(const struct cpu *cpu)
{
    return (cpu->machine_checks & CPU_MCK_CHANNEL_REPORT) && (cpu->psw.mask & PSW_MCHK) &&
           (cpu->cr[14] & CR14_CHANNEL_REPORT);
}

static void take_machine_check(struct cpu *cpu)
{
    for (unsigned i = 0; i < CPU_MAX; i++) /* a floating condition: taken by one CPU for all */
        if (cpu->sys->cpus[i])
            cpu->sys->cpus[i]->machine_checks &= ~(uint32_t)CPU_MCK_CHANNEL_REPORT;
    ri_interruption(cpu->ri, RI_INT_MACHINE_CHECK_REPRESSIBLE);
    (void)cpu_store_registers(cpu, cpu->prefix + (uint64_t)REGISTER_SAVE_AREA);
    put64(low(cpu) + MACHINE_CHECK_CODE, MCIC_CHANNEL_REPORT | MCIC_VALID);
    stored(cpu, MACHINE_CHECK_CODE, 8);
    after_exchange(cpu, exchange(cpu, &machine_check_place, CPU_CLASS_MACHINE_CHECK, CPU_MCK_CHANNEL_REPORT));
}

void cpu_raise_channel_report(struct cpu_system *sys)
{
    bool pending = false;
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i]) {
            pending |= sys->cpus[i]->machine_checks & CPU_MCK_CHANNEL_REPORT;
            sys->cpus[i]->machine_checks |= CPU_MCK_CHANNEL_REPORT;
        }
    if (UNLIKELY(sys->exceptions != NULL) && !pending)
        cpu_exceptions_channel_report(sys);
}

/* ---- choosing ------------------------------------------------------------------------------------------------- */

bool cpu_interruption_pending(struct cpu *cpu)
{
    return cpu->restart_pending || machine_check_pending(cpu) || external_choice(cpu) < CPU_EXTERNAL_COUNT ||
           io_pending(cpu);
}

bool cpu_may_be_interrupted(struct cpu *cpu)
{
    if (LIKELY(!(pending_but_timers(cpu) | cpu->machine_checks | cpu->restart_pending)))
        return io_pending(cpu) || !cpu_timers_quiet(cpu);
    return cpu_interruption_pending(cpu);
}

bool cpu_interruption_needs_alone(struct cpu *cpu)
{
    const uint32_t floating = CPU_EXT_INTERRUPT_KEY | CPU_EXT_SERVICE_SIGNAL | CPU_EXT_BLOCK_IO;
    if (cpu->restart_pending || machine_check_pending(cpu))
        return true;
    if (!(pending_but_timers(cpu) & floating))
        return io_pending(cpu); /* something else may come first, though */
    const unsigned choice = external_choice(cpu);
    return choice < CPU_EXTERNAL_COUNT ? cpu_externals[choice].condition & floating : io_pending(cpu);
}

/* An interruption is about to be taken: a transaction is aborted. */
static void end_transaction(struct cpu *cpu, enum cpu_tx_code code)
{
    if (!cpu_tx_active(cpu))
        return;
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu->exceptions->aborted = true;
    int report = cpu_tx_abort_for(cpu, code, code == TX_MISCELLANEOUS);
    if (report)
        cpu_deliver(cpu, report);
}

bool cpu_take_interruption(struct cpu *cpu)
{
    if (machine_check_pending(cpu)) {
        end_transaction(cpu, TX_MACHINE_CHECK);
        take_machine_check(cpu);
        return true;
    }
    unsigned choice = external_choice(cpu);
    if (choice < CPU_EXTERNAL_COUNT) {
        end_transaction(cpu, TX_EXTERNAL);
        take_external(cpu, choice);
        return true;
    }
    if (cpu_tx_active(cpu) && io_pending(cpu))
        end_transaction(cpu, TX_IO);
    if (take_io(cpu))
        return true;
    if (cpu->restart_pending) {
        cpu->restart_pending = false;
        end_transaction(cpu, TX_MISCELLANEOUS);
        ri_interruption(cpu->ri, RI_INT_RESTART);
        after_exchange(cpu, exchange(cpu, &restart_place, CPU_CLASS_RESTART, 0));
        return true;
    }
    return false;
}
