/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a CPU tells its exception-trace unit. Places of what interruptions store: PoP chapter 3, "Assigned Storage
   Locations" (SA22-7832-13). */
#include "cpu/state/exceptions.h"
#include "cpu/state/timing.h"
#include "ri/counters/counters.h"
#include "ri/ri.h"

enum place {
    EXTERNAL_PARAMETER = 128,
    CPU_ADDRESS = 132,
    SVC_LENGTH = 136,
    PROGRAM_LENGTH = 140,
    DATA_EXCEPTION = 144,
    TRANSLATION_EXCEPTION = 168,
    IO_WORDS = 184,
    MACHINE_CHECK = 232,
    BREAKING_EVENT = 272,
    EXTERNAL_PARAMETER_64 = 4536
};

/* Conditions that are true or not, without a latch. */
#define LEVELS ((uint32_t)CPU_EXT_CLOCK_COMPARATOR | (uint32_t)CPU_EXT_CPU_TIMER | (uint32_t)CPU_EXT_MEASUREMENT_ALERT)

/* Latches that a reset of the CPU clears. */
#define CPU_ONLY ((uint32_t)CPU_EXT_CALL | (uint32_t)CPU_EXT_MALFUNCTION_ALERT)

static unsigned code_of(uint32_t condition)
{
    unsigned i = 0;
    while (i + 1 < CPU_EXTERNAL_COUNT && cpu_externals[i].condition != condition)
        i++;
    return cpu_externals[i].code;
}

static uint32_t condition_of(unsigned code)
{
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++)
        if (cpu_externals[i].code == code)
            return cpu_externals[i].condition;
    return 0;
}

static const uint8_t *low(const struct cpu *cpu) { return cpu->sys->storage.bytes + cpu->prefix; }

static struct et_psw current(const struct cpu *cpu)
{
    return (struct et_psw){.mask = cpu_psw_mask(cpu), .address = cpu->psw.ia};
}

static uint32_t levels(struct cpu *cpu)
{
    uint32_t now = cpu_clock_passed(cpu) ? CPU_EXT_CLOCK_COMPARATOR : 0;
    if (cpu_timer_value(cpu) < 0)
        now |= CPU_EXT_CPU_TIMER;
    if (ri_alert(cpu->ri) | cpu->counters->alerts)
        now |= CPU_EXT_MEASUREMENT_ALERT;
    return now;
}

void cpu_exceptions_attach(struct cpu *cpu, struct cpu_exceptions *exceptions)
{
    cpu->exceptions = exceptions;
    if (exceptions)
        exceptions->levels = levels(cpu);
}

/* ---- interruptions --------------------------------------------------------------------------------------------- */

static void give(struct et_info *info, enum et_info_tag tag) { info->given |= 1u << tag; }

static void external_info(const struct cpu *cpu, unsigned code, struct et_info *info)
{
    const uint8_t *at = low(cpu);
    switch (condition_of(code)) {
    case CPU_EXT_MALFUNCTION_ALERT:
    case CPU_EXT_EMERGENCY:
    case CPU_EXT_CALL:
        info->cpu_address = get16(at + CPU_ADDRESS);
        give(info, ET_INFO_CPU_ADDRESS);
        break;
    case CPU_EXT_SERVICE_SIGNAL:
    case CPU_EXT_MEASUREMENT_ALERT:
        info->parameter = get32(at + EXTERNAL_PARAMETER);
        give(info, ET_INFO_PARAMETER);
        break;
    case CPU_EXT_BLOCK_IO: /* in place of a CPU address: which parameter, and the status */
        info->cpu_address = get16(at + CPU_ADDRESS);
        info->parameter =
            info->cpu_address >> 8 == 3 ? get32(at + EXTERNAL_PARAMETER) : get64(at + EXTERNAL_PARAMETER_64);
        give(info, ET_INFO_CPU_ADDRESS);
        give(info, ET_INFO_PARAMETER);
        break;
    default:
        break;
    }
}

/* Reading: EPSW is the exception of a PSW that cannot be used at all, told by a length code of zero; SSM and its like,
   which go on at the next instruction, have a length. */
static void program_info(const struct cpu *cpu, unsigned code, struct et_info *info)
{
    const uint8_t *at = low(cpu);
    const int proper = (int)(code & ~(unsigned)(PIC_PER_EVENT | PIC_TRANSACTION_ABORT));
    info->ilc = (uint8_t)get16(at + PROGRAM_LENGTH);
    info->bear = get64(at + BREAKING_EVENT);
    give(info, ET_INFO_ILC);
    give(info, ET_INFO_BEAR);
    if (cpu_code_stores_teid(proper)) {
        info->parameter = get64(at + TRANSLATION_EXCEPTION);
        give(info, ET_INFO_PARAMETER);
    }
    if (proper == PIC_DATA || proper == PIC_VECTOR_PROCESSING) {
        info->dxc = (uint8_t)get32(at + DATA_EXCEPTION);
        give(info, ET_INFO_DXC);
    }
    if (proper == PIC_SPECIFICATION && !info->ilc)
        info->flags |= ET_IF_EARLY_PSW;
    if (proper && (code & PIC_PER_EVENT))
        info->flags |= ET_IF_PER;
    if (code & PIC_TRANSACTION_ABORT)
        info->flags |= ET_IF_TX_ABORT;
}

static void io_info(const uint32_t words[3], struct et_info *info)
{
    info->code = words[0];
    info->parameter = words[1];
    info->io_word = words[2];
    give(info, ET_INFO_PARAMETER);
    give(info, ET_INFO_IO_WORD);
}

static enum et_class class_of(const struct cpu *cpu, enum cpu_class class)
{
    static const enum et_class classes[] = {
        [CPU_CLASS_PROGRAM] = ET_PROGRAM,           [CPU_CLASS_SVC] = ET_SVC,
        [CPU_CLASS_EXTERNAL] = ET_EXTERNAL,         [CPU_CLASS_IO] = ET_IO,
        [CPU_CLASS_MACHINE_CHECK] = ET_REPRESSIBLE, [CPU_CLASS_RESTART] = ET_RESTART};
    const bool exigent = class == CPU_CLASS_MACHINE_CHECK && get64(low(cpu) + MACHINE_CHECK) >> 62;
    return exigent ? ET_EXIGENT : classes[class];
}

/* What is known of the interruption; the code by which it has its number goes to *number. */
static struct et_info info_of(const struct cpu *cpu, enum cpu_class class, unsigned code, uint64_t *number)
{
    const uint8_t *at = low(cpu);
    struct et_info info = {.code = code, .asn = (uint16_t)cpu->cr[4], .given = 1u << ET_INFO_ASN | 1u << ET_INFO_CODE};
    uint32_t words[3];
    *number = code;
    switch (class) {
    case CPU_CLASS_SVC:
        info.ilc = (uint8_t)get16(at + SVC_LENGTH);
        give(&info, ET_INFO_ILC);
        break;
    case CPU_CLASS_PROGRAM:
        program_info(cpu, code, &info);
        break;
    case CPU_CLASS_EXTERNAL:
        external_info(cpu, code, &info);
        break;
    case CPU_CLASS_IO:
        for (unsigned i = 0; i < 3; i++)
            words[i] = get32(at + IO_WORDS + 4 * i);
        io_info(words, &info);
        *number = words[2] >> 27 & 7;
        break;
    case CPU_CLASS_MACHINE_CHECK:
        info.code = get64(at + MACHINE_CHECK);
        break;
    case CPU_CLASS_RESTART:
        info.given &= ~(1u << ET_INFO_CODE);
        break;
    }
    return info;
}

/* The interruption with this code has been taken: is its condition there once more? */
static void taken(struct cpu *cpu, unsigned code)
{
    struct cpu_exceptions *e = cpu->exceptions;
    const uint32_t condition = condition_of(code);
    if (condition == CPU_EXT_EMERGENCY)
        e->emergencies &= cpu->ext_emergency;
    if (!(cpu->external & condition))
        e->told &= ~condition;
}

void cpu_exceptions_entry(struct cpu *cpu, enum cpu_class class, unsigned code, struct psw new_psw)
{
    struct cpu_exceptions *e = cpu->exceptions;
    uint64_t number;
    cpu_exceptions_settle(cpu);
    if (e->waits) {
        e->waits = false;
        et_state(e->unit, ET_ST_WAIT_END);
    }
    struct et_info info = info_of(cpu, class, code, &number);
    if (cpu->psw.mask & PSW_WAIT)
        info.flags |= ET_IF_FROM_WAIT;
    if (e->aborted)
        info.flags |= ET_IF_TX_ABORT;
    e->aborted = false;
    if (info.flags)
        give(&info, ET_INFO_FLAGS);
    if (class == CPU_CLASS_EXTERNAL)
        taken(cpu, code);
    e->class = class_of(cpu, class);
    e->code = info.code;
    et_entry(e->unit, e->class, number, current(cpu), (struct et_psw){new_psw.mask, new_psw.ia}, &info);
    if (e->entered)
        e->entered(e->context, cpu);
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

/* Told when the instruction is complete, so that it is counted in the time of what it has done; the engine leaves the
   run of blocks behind it. */
void cpu_exceptions_reload(struct cpu *cpu, enum et_insn insn)
{
    struct cpu_exceptions *e = cpu->exceptions;
    e->reloaded = true;
    e->insn = insn;
    e->loaded = current(cpu);
    cpu->look_around = true;
}

void cpu_exceptions_test(struct cpu *cpu, const uint8_t *words)
{
    struct cpu_exceptions *e = cpu->exceptions;
    e->tested = true;
    for (unsigned i = 0; i < 3; i++)
        e->words[i] = get32(words + 4 * i);
    cpu->look_around = true;
}

/* ---- boundaries ------------------------------------------------------------------------------------------------- */

static void request(struct cpu *cpu, uint32_t condition, const struct et_info *info, bool withdrawn)
{
    struct cpu_exceptions *e = cpu->exceptions;
    struct et_info plain = {.given = 1u << ET_INFO_CODE};
    if (info)
        plain = *info;
    plain.code = code_of(condition);
    if (withdrawn)
        e->told &= ~condition;
    else
        e->told |= condition;
    et_request(e->machine, cpu->address, ET_EXTERNAL, plain.code, &plain, withdrawn);
}

static void look_at_levels(struct cpu *cpu)
{
    struct cpu_exceptions *e = cpu->exceptions;
    const uint32_t now = levels(cpu), changed = now ^ e->levels;
    e->levels = now;
    for (uint32_t condition = 1; changed & LEVELS && condition <= LEVELS; condition <<= 1)
        if (changed & now & condition)
            request(cpu, condition, NULL, false);
        else if (changed & e->told & condition)
            request(cpu, condition, NULL, true);
}

/* A latched condition has become pending. One that is pending already is no new request; emergency signals of different
   CPUs are different ones. */
static void latched(struct cpu *cpu, uint32_t condition, uint16_t from)
{
    struct cpu_exceptions *e = cpu->exceptions;
    struct et_info info = {.cpu_address = from, .given = 1u << ET_INFO_CODE};
    if (condition & (CPU_EXT_EMERGENCY | CPU_EXT_CALL | CPU_EXT_MALFUNCTION_ALERT))
        give(&info, ET_INFO_CPU_ADDRESS);
    if (condition == CPU_EXT_EMERGENCY ? e->emergencies >> from & 1 : (e->told & condition) != 0)
        return;
    if (condition == CPU_EXT_EMERGENCY)
        e->emergencies |= UINT64_C(1) << from;
    request(cpu, condition, &info, false);
}

/* Threads: what other CPUs have told meanwhile. */
static void look_at_others(struct cpu *cpu)
{
    struct cpu_exceptions *e = cpu->exceptions;
    const uint32_t conditions = __atomic_exchange_n(&e->from_others, 0, __ATOMIC_ACQUIRE);
    if (conditions & CPU_EXT_CALL)
        latched(cpu, CPU_EXT_CALL, cpu->ext_call_from);
    if (conditions & CPU_EXT_EMERGENCY)
        for (uint64_t set = __atomic_load_n(&cpu->ext_emergency, __ATOMIC_RELAXED); set; set &= set - 1)
            latched(cpu, CPU_EXT_EMERGENCY, (uint16_t)__builtin_ctzll(set));
}

void cpu_exceptions_look(struct cpu *cpu)
{
    struct cpu_exceptions *e = cpu->exceptions;
    cpu_exceptions_settle(cpu);
    if (e->waits && !(cpu->psw.mask & PSW_WAIT)) { /* the operator's doing */
        e->waits = false;
        et_state(e->unit, ET_ST_WAIT_END);
    }
    look_at_levels(cpu);
    if (__atomic_load_n(&e->from_others, __ATOMIC_RELAXED))
        look_at_others(cpu);
}

void cpu_exceptions_boundary(struct cpu *cpu)
{
    struct cpu_exceptions *e = cpu->exceptions;
    const bool enabled = cpu->psw.mask & (PSW_IO | PSW_EXT | PSW_MCHK);
    if (e->wanted)
        et_boundary(e->unit, current(cpu));
    if (LIKELY(!(cpu->psw.mask & PSW_WAIT)) || e->waits)
        return;
    e->waits = true;
    et_state(e->unit, enabled ? ET_ST_WAIT : ET_ST_DISABLED_WAIT);
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

void cpu_exceptions_reset(struct cpu *cpu)
{
    struct cpu_exceptions *e = cpu->exceptions;
    const struct et_info nothing = {.given = 0};
    cpu_exceptions_settle(cpu);
    for (uint64_t set = e->emergencies; set; set &= set - 1)
        request(cpu, CPU_EXT_EMERGENCY, NULL, true);
    for (uint32_t set = e->told & CPU_ONLY; set; set &= set - 1)
        request(cpu, set & -set, NULL, true);
    if (cpu->restart_pending)
        et_request(e->machine, cpu->address, ET_RESTART, 0, &nothing, true);
    et_state(e->unit, ET_ST_RESET);
    e->waits = e->aborted = false;
    e->emergencies = 0;
    e->from_others = 0;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

void cpu_exceptions_external(struct cpu *cpu, uint32_t condition, uint16_t from)
{
    if (cpu_alone(cpu->sys))
        latched(cpu, condition, from);
    else /* it may be running now */
        __atomic_fetch_or(&cpu->exceptions->from_others, condition, __ATOMIC_RELEASE);
}

void cpu_exceptions_restart(struct cpu *cpu)
{
    const struct et_info nothing = {.given = 0};
    et_request(cpu->exceptions->machine, cpu->address, ET_RESTART, 0, &nothing, false);
}

void cpu_exceptions_floating(struct cpu_system *sys, uint32_t condition, uint64_t parameter, uint16_t address)
{
    struct et_info info = {.code = code_of(condition), .parameter = parameter, .cpu_address = address};
    give(&info, ET_INFO_CODE);
    give(&info, ET_INFO_PARAMETER);
    if (condition == CPU_EXT_BLOCK_IO)
        give(&info, ET_INFO_CPU_ADDRESS);
    et_request(sys->exceptions, -1, ET_EXTERNAL, info.code, &info, false);
}

void cpu_exceptions_channel_report(struct cpu_system *sys)
{
    const struct et_info nothing = {.given = 0};
    et_request(sys->exceptions, -1, ET_REPRESSIBLE, 0, &nothing, false);
}

void cpu_exceptions_io(struct cpu_system *sys, const uint32_t words[3], bool withdrawn)
{
    struct et_info info = {.given = 1u << ET_INFO_CODE};
    io_info(words, &info);
    et_request(sys->exceptions, -1, ET_IO, words[2] >> 27 & 7, &info, withdrawn);
}
