/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reference engine tells the pipeline model. Source: event-counter specification, 5.3 and 5.8. */
#include "cpu/control/model.h"
#include "cpu/control/observe.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/tlb.h"
#include "ri/counters/counters.h"
#include "ri/counters/places.h"
#include "ri/ri.h"
#include "ri/counters/model/decode.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Operands longer than this are taken for so long: SEARCH STRING and the like name an end that they seldom reach. */
#define OPERAND_MOST (UINT64_C(1) << 20)

struct cpu_model {
    struct ec_model *model;
    struct ec_record record;           /* of the current instruction */
    struct dis_insn insn, target;      /* it, and what it executes */
    const struct dis_insn *acts;       /* the one of these that has operands */
    struct cpu_named_operand named[2]; /* the operands of the record, as they were named */
    unsigned count;
    uint16_t flags;      /* enum ec_op_flag of the instruction */
    bool named_operands; /* it may have operands in storage */
    bool branch;
    bool loads_control; /* LOAD CONTROL, and what it may replace: */
    uint64_t asce[3];
    uint64_t drained;               /* cycles charged before the current instruction */
    uint8_t use;                    /* enum cpu_model_use */
    bool timed;                     /* the clocks go by cycles of the model */
    uint64_t passed;                /* such cycles that the clocks have not yet, */
    uint64_t passed_rest;           /* and what was left when they got the latest, in 1/mhz of a cycle of theirs */
    uint64_t work;                  /* cpu->work when they did */
    struct ec_places *places;       /* NULL: nobody wants to know where */
    struct ec_intervals *intervals; /* NULL: nobody wants them */
    struct ec_totals origin;        /* of displays */
    void (*told)(void *context, struct cpu *cpu, const struct ec_raised *by); /* of alerts */
    void *told_context;
};

/* ---- looking at storage ---------------------------------------------------------------------------------------- */

/* The page at a logical address; nothing of the guest changes. */
static bool look(struct cpu *cpu, uint64_t logical, enum ec_use use, unsigned ar, uint64_t *absolute)
{
    const struct tlb *tlb = use == EC_USE_INSTRUCTION ? cpu->fetch_tlb : cpu->tlb;
    const struct tlb_entry *e = &tlb->entry[(logical >> PAGE_BITS) % TLB_ENTRIES];
    const uint64_t page = logical & PAGE_ADDRESS;
    if (LIKELY(e->read == page && (use != EC_USE_STORE || e->write == page))) {
        *absolute = e->absolute;
        return true;
    }
    static const uint8_t kinds[] = {
        [EC_USE_INSTRUCTION] = CPU_INSTRUCTION, [EC_USE_FETCH] = CPU_FETCH, [EC_USE_STORE] = CPU_STORE};
    const struct cpu_access access = {.address = page,
                                      .space = CPU_SPACE_CURRENT,
                                      .ar = (uint8_t)ar,
                                      .key = (uint8_t)cpu_key(cpu),
                                      .kind = kinds[use],
                                      .no_per = true,
                                      .test = true};
    /* what an exception would leave is not left */
    const uint64_t teid = cpu->teid;
    const uint8_t access_id = cpu->exception_access_id, operand_id = cpu->operand_access_id;
    const int code = cpu_translate(cpu, &access, absolute);
    cpu->teid = teid;
    cpu->exception_access_id = access_id;
    cpu->operand_access_id = operand_id;
    *absolute &= PAGE_ADDRESS;
    return !code;
}

static bool access_register_mode(const struct cpu *cpu)
{
    return (cpu->psw.mask & PSW_DAT) && field64(cpu->psw.mask, 16, 17) == AS_ACCESS_REGISTER;
}

/* Reading: which access register an operand of a wrong path goes by is not known here, so there is none in that mode.
 */
static bool page(void *context, uint64_t logical, enum ec_use use, uint64_t *absolute, const uint8_t **bytes)
{
    struct cpu *cpu = context;
    *bytes = NULL;
    if ((use != EC_USE_INSTRUCTION && access_register_mode(cpu)) || !look(cpu, logical, use, 0, absolute))
        return false;
    if (storage_has(&cpu->sys->storage, *absolute, PAGE_SIZE_Z))
        *bytes = cpu->sys->storage.bytes + *absolute;
    return true;
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

int cpu_model_set(struct cpu *cpu, const struct ec_profile *profile)
{
    if (cpu->pipeline) {
        cpu_model_drain(cpu);
        counters_set_model(cpu->counters, NULL);
        cpu->ri->outside.on = false;
        ec_model_destroy(cpu->pipeline->model);
        ec_intervals_destroy(cpu->pipeline->intervals);
        free(cpu->pipeline);
        cpu->model = cpu->pipeline = NULL;
    }
    if (!profile)
        return 0;
    struct cpu_model *m = calloc(1, sizeof *m);
    if (m)
        m->model = ec_model_create(profile, &(struct ec_storage){cpu, page});
    if (!m || !m->model) {
        free(m);
        return -ENOMEM;
    }
    m->timed = profile->time_from_cycles;
    m->work = cpu->work;
    cpu->model = cpu->pipeline = m;
    counters_set_model(cpu->counters, m->model);
    cpu->ri->outside.on = true;
    return 0;
}

struct ec_model *cpu_model(const struct cpu *cpu) { return cpu->pipeline ? cpu->pipeline->model : NULL; }

void cpu_model_use(struct cpu *cpu, enum cpu_model_use use)
{
    struct cpu_model *m = cpu->pipeline;
    if (m->use == use)
        return;
    if (m->use == CPU_MODEL_RUNS)
        cpu_model_drain(cpu);
    else if (use == CPU_MODEL_RUNS)
        m->work = cpu->work;
    m->use = (uint8_t)use;
    cpu->model = use == CPU_MODEL_RESTS ? NULL : m;
    cpu->counters->model_rests = use != CPU_MODEL_RUNS;
    cpu->counters->model_cycles = 0;
    cpu->ri->outside.on = use == CPU_MODEL_RUNS;
}

void cpu_model_places(struct cpu *cpu, struct ec_places *places)
{
    struct cpu_model *m = cpu->pipeline;
    if (m->places)
        ec_places_leave(m->places, m->model);
    m->places = places;
    if (places)
        ec_places_enter(places, m->model);
}

int cpu_model_interval(struct cpu *cpu, uint64_t cycles)
{
    struct cpu_model *m = cpu->pipeline;
    ec_intervals_destroy(m->intervals);
    m->intervals = cycles ? ec_intervals_create(cycles, ec_model_cycles(m->model)) : NULL;
    return cycles && !m->intervals ? -ENOMEM : 0;
}

struct ec_intervals *cpu_model_intervals(const struct cpu *cpu)
{
    return cpu->pipeline ? cpu->pipeline->intervals : NULL;
}

struct ec_totals *cpu_model_origin(struct cpu *cpu) { return &cpu->pipeline->origin; }

void cpu_model_fields(struct cpu *cpu, const struct ec_fields *f)
{
    struct cpu_model *m = cpu->pipeline;
    EC_FIELD(f, m->drained);
    EC_FIELD(f, m->passed);
    EC_FIELD(f, m->passed_rest);
    EC_FIELD(f, m->work);
    if (f->loading && !f->refused(f->context) && (m->passed >> 48 || m->passed_rest >> 48 || m->work > cpu->work))
        f->refuse(f->context, "the clocks wait for more cycles of the pipeline model than there were");
    ec_totals_fields(&m->origin, f);
    EC_FIELD(f, cpu->counters->model_cycles);
    ec_field_numbers(f, cpu->counters->origin, COUNTERS_NUMBERS);
    ec_model_fields(m->model, f);
    ec_intervals_fields(&m->intervals, f);
}

void cpu_model_on_alert(struct cpu *cpu, void (*told)(void *context, struct cpu *cpu, const struct ec_raised *by),
                        void *context)
{
    cpu->pipeline->told = told;
    cpu->pipeline->told_context = context;
}

/* Cycles that pass between instructions, as far as counters know them. */
static void charge(struct cpu *cpu, uint64_t cycles)
{
    struct cpu_model *m = cpu->pipeline;
    if (m->use != CPU_MODEL_RUNS)
        return;
    counters_model_cycles(cpu->counters, cycles);
    m->drained += cycles;
    m->passed += cycles;
    if (cycles && cpu->counters->counting)
        counters_charge(cpu->counters, 0, 0, cpu_problem_state(cpu));
}

void cpu_model_drain(struct cpu *cpu) { charge(cpu, ec_model_drain(cpu->pipeline->model)); }

void cpu_model_reset(struct cpu *cpu, bool clear) { ec_model_reset(cpu->pipeline->model, clear); }

void cpu_model_interruption(struct cpu *cpu, enum cpu_class class)
{
    if (class != CPU_CLASS_PROGRAM && class != CPU_CLASS_SVC && cpu->model->use == CPU_MODEL_RUNS)
        charge(cpu, ec_model_interrupted(cpu->model->model));
}

void cpu_model_no_fetch(struct cpu *cpu)
{
    if (cpu->model->use == CPU_MODEL_RUNS)
        ec_model_no_fetch(cpu->model->model);
}

bool cpu_model_timed(const struct cpu *cpu) { return cpu->model->timed && cpu->model->use == CPU_MODEL_RUNS; }

/* What the clocks have gone on by already, for a long operand or the target of an execute-type instruction, is a part
   of what the model says. */
unsigned cpu_model_time(struct cpu *cpu, unsigned halfwords)
{
    struct cpu_model *m = cpu->model;
    if (LIKELY(!m->timed) || m->use != CPU_MODEL_RUNS)
        return halfwords;
    const uint64_t had = (cpu->work - m->work) * CPU_WORK_CYCLES + (m->record.target_text ? m->target.length / 2u : 0);
    const uint64_t time = m->passed * cpu_mhz(cpu->sys) + m->passed_rest, mhz = ec_model_profile(m->model)->mhz;
    const uint64_t cycles = time / mhz;
    m->passed = 0;
    m->passed_rest = time % mhz;
    m->work = cpu->work;
    cpu->cycles += cycles > had ? cycles - had : 0;
    return 0;
}

/* ---- an instruction -------------------------------------------------------------------------------------------- */

static uint64_t space(const struct cpu *cpu, bool data)
{
    const unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    return as == AS_HOME ? cpu->cr[13] : as == AS_SECONDARY && data ? cpu->cr[7] : cpu->cr[1];
}

static uint64_t text_of(const struct dis_insn *insn)
{
    uint64_t text = 0;
    for (unsigned i = 0; i < sizeof insn->bytes; i++)
        text |= (uint64_t)insn->bytes[i] << (56 - 8 * i);
    return text | insn->length;
}

/* The bytes at a place in storage, as far as they can be had. */
static bool bytes_at(struct cpu *cpu, uint64_t logical, uint8_t *to, unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        uint64_t absolute;
        const uint8_t *from;
        const uint64_t at = (logical + i) & cpu->address_mask;
        if (!page(cpu, at, EC_USE_INSTRUCTION, &absolute, &from) || !from)
            return false;
        to[i] = from[at % PAGE_SIZE_Z];
    }
    return true;
}

/* What an execute-type instruction will execute; false: that cannot be had. */
static bool executed(struct cpu *cpu, struct cpu_model *m, const struct dis_insn *insn)
{
    struct ec_record *r = &m->record;
    uint8_t bytes[6] = {0};
    uint64_t absolute;
    r->target_ia = insn->row == DIS_EXRL ? cpu_relative(cpu, insn->i2) : cpu_ea2(cpu, insn);
    if (r->target_ia & 1 || !bytes_at(cpu, r->target_ia, bytes, 1) ||
        !bytes_at(cpu, r->target_ia, bytes, dis_length(bytes[0])) ||
        !look(cpu, r->target_ia, EC_USE_INSTRUCTION, 0, &absolute))
        return false;
    if (insn->r1)
        bytes[1] |= (uint8_t)cpu->gr[insn->r1];
    dis_decode(bytes, &m->target);
    if (m->target.row == DIS_NO_ROW || dis_rows[m->target.row].flags & DIS_EXECUTES)
        return false;
    r->target_text = text_of(&m->target);
    m->acts = &m->target;
    r->target_absolute = absolute | r->target_ia % PAGE_SIZE_Z;
    return true;
}

/* Where the operands are, before anything is changed. */
static void operands(struct cpu *cpu, struct cpu_model *m)
{
    struct ec_record *r = &m->record;
    m->count = cpu_named_operands(cpu, m->acts, m->named);
    for (unsigned i = 0; i < m->count; i++) {
        const struct cpu_named_operand *from = &m->named[i];
        struct ec_operand *to = &r->operand[i];
        const enum ec_use use = from->store ? EC_USE_STORE : EC_USE_FETCH;
        const uint64_t next = ((from->address & PAGE_ADDRESS) + PAGE_SIZE_Z) & cpu->address_mask;
        uint64_t absolute;
        to->logical = from->address;
        to->fetch = from->fetch;
        to->store = from->store;
        to->there[0] = look(cpu, from->address, use, from->ar, &absolute);
        to->absolute[0] = absolute | from->address % PAGE_SIZE_Z;
        to->there[1] = false;
        if (from->told || from->address % PAGE_SIZE_Z + from->length > PAGE_SIZE_Z)
            to->there[1] = look(cpu, next, use, from->ar, &to->absolute[1]);
    }
}

/* The instruction that was found: it is copied, as what it executes may be decoded in its place. */
static int fetched(struct cpu_model *m, const struct ec_op *op, const struct dis_insn **insn)
{
    m->record.text = op->text;
    m->flags = op->flags;
    m->named_operands = op->operands || (op->insn.row != DIS_NO_ROW && dis_rows[op->insn.row].flags & DIS_QUERIES);
    m->insn = op->insn;
    *insn = &m->insn;
    return 0;
}

int cpu_model_fetch(struct cpu *cpu, const struct dis_insn **insn)
{
    struct cpu_model *m = cpu->model;
    struct ec_record *r = &m->record;
    uint8_t bytes[8] = {0};
    int code = cpu->insn_ia & 1 ? PIC_SPECIFICATION : cpu_instruction_page(cpu, cpu->insn_ia, &r->absolute);
    if (UNLIKELY(code))
        return code;
    if (LIKELY(cpu->insn_ia % PAGE_SIZE_Z <= PAGE_SIZE_Z - sizeof bytes))
        return fetched(m, ec_model_decode_at(m->model, r->absolute, cpu->sys->storage.bytes + r->absolute), insn);
    code = cpu_fetch_instruction(cpu, cpu->insn_ia, bytes);
    if (code)
        return code;
    fetched(m, ec_model_decode(m->model, ec_text(bytes, sizeof bytes)), insn);
    if (cpu->insn_ia % PAGE_SIZE_Z + m->insn.length > PAGE_SIZE_Z)
        (void)look(cpu, ((cpu->insn_ia | 0xfff) + 1) & cpu->address_mask, EC_USE_INSTRUCTION, 0, &r->absolute2);
    return 0;
}

void cpu_model_begin(struct cpu *cpu, const struct dis_insn *insn)
{
    struct cpu_model *m = cpu->model;
    struct ec_record *r = &m->record;
    cpu->told_length = 0;
    m->acts = insn;
    m->count = 0;
    m->branch = false;
    r->ia = cpu->insn_ia;
    r->next = (cpu->insn_ia + insn->length) & cpu->address_mask;
    r->target_text = 0;
    r->mask = cpu->address_mask;
    r->dat = cpu->psw.mask & PSW_DAT;
    r->problem = cpu->psw.mask & PSW_PROBLEM;
    r->program_parameter = cpu->program_parameter;
    r->gr = cpu->gr;
    r->target = 0;
    if (r->dat) {
        r->space = space(cpu, false);
        r->data_space = space(cpu, true);
    }
    m->loads_control = insn->row == DIS_LCTL || insn->row == DIS_LCTLG;
    if (m->loads_control)
        memcpy(m->asce, (uint64_t[]){cpu->cr[1], cpu->cr[7], cpu->cr[13]}, sizeof m->asce);
    if (UNLIKELY(m->flags & EC_OP_DRAIN))
        cpu_model_drain(cpu);
    m->branch = m->flags & EC_OP_BRANCH;
    if (UNLIKELY(m->flags & EC_OP_EXECUTES)) {
        if (!executed(cpu, m, insn))
            return;
        m->branch = dis_branch_class(m->acts) != DIS_BRANCH_NONE;
        m->named_operands = true;
    }
    if (m->named_operands)
        operands(cpu, m);
}

/* How long the operands were, as far as only carrying it out tells. */
static void lengths(struct cpu *cpu, struct cpu_model *m)
{
    struct ec_record *r = &m->record;
    unsigned kept = 0;
    for (unsigned i = 0; i < m->count; i++) {
        const struct cpu_named_operand *named = &m->named[i];
        uint64_t length = named->told ? cpu->told_length : named->length;
        if (named->counts_down) {
            const uint64_t left = cpu_operand_left(cpu, m->acts, named);
            length = left <= length ? length - left : length;
        }
        if (!length)
            continue;
        r->operand[kept] = r->operand[i];
        r->operand[kept++].length = length < OPERAND_MOST ? length : OPERAND_MOST;
    }
    r->operands = (uint8_t)kept;
}

/* Levels and outcomes as run-time instrumentation has them. */
static uint8_t level(uint8_t source) { return source ? (uint8_t)(source - 1) : 15; }
static const uint8_t conditions[] = {
    [EC_NO_OUTCOME] = 0, [EC_BPXN] = RI_BPXN, [EC_BPXT] = RI_BPXT, [EC_BPTI] = RI_BPTI, [EC_BPNI] = RI_BPNI};

/* The boundary behind an instruction: alerts are recorded in the model's status, and become pending when that is
 * wanted.
 */
static void boundary(struct cpu *cpu, struct ec_model *model)
{
    uint64_t cycles = 0;
    const struct ec_raised *by;
    if (!ec_model_boundary(model, cpu_problem_state(cpu), cpu->program_parameter, cpu_tod(cpu), &cycles, &by))
        return;
    charge(cpu, cycles);
    if (cpu->model->told)
        cpu->model->told(cpu->model->told_context, cpu, by);
    if (cpu->counters->monitor_external) {
        cpu->counters->alerts |= COUNTERS_MONITOR;
        cpu->look_around = true;
    }
}

/* LOAD CONTROL has brought other address spaces. */
static void look_at_spaces(const struct cpu *cpu, struct cpu_model *m)
{
    if (m->loads_control && (m->asce[0] != cpu->cr[1] || m->asce[1] != cpu->cr[7] || m->asce[2] != cpu->cr[13]))
        ec_model_purge(m->model);
}

void cpu_model_end(struct cpu *cpu, int code)
{
    struct cpu_model *m = cpu->model;
    struct ec_record *r = &m->record;
    if (code == CPU_PARTIAL && cpu->wants_alone) /* nothing was done */
        return;
    lengths(cpu, m);
    r->ending = !code || code == CPU_SVC || cpu_completes(cpu, code) ? EC_COMPLETES
                : code == CPU_PARTIAL                                ? EC_PARTIAL
                                                                     : EC_CANCELLED;
    r->taken = m->branch && cpu->branched;
    if (r->taken)
        r->target = cpu->psw.ia;
    if (UNLIKELY(m->use != CPU_MODEL_RUNS)) {
        ec_model_warm(m->model, r);
        look_at_spaces(cpu, m);
        return;
    }
    if (UNLIKELY(m->places != NULL))
        ec_places_at(m->places, m->model, r->ia, r->problem);
    ec_model_step(m->model, r);
    const struct ec_latest *latest = ec_model_latest(m->model);
    counters_model_cycles(cpu->counters, latest->cycles);
    if (UNLIKELY(cpu->psw.mask & PSW_RI || cpu->ri_before))
        ri_outside(cpu->ri, level(latest->instruction_level), level(latest->data_level), conditions[latest->outcome],
                   (uint32_t)(latest->cycles + m->drained));
    m->passed += latest->cycles;
    m->drained = 0;
    if (UNLIKELY(ec_model_watches(m->model)))
        boundary(cpu, m->model);
    if (UNLIKELY(m->intervals != NULL) && ec_intervals_due(m->intervals, ec_model_cycles(m->model)))
        ec_intervals_take(m->intervals, m->model, cpu_tod(cpu));
    if (!cpu->counters->counting)
        cpu->counters->model_cycles = 0;
    look_at_spaces(cpu, m);
}
