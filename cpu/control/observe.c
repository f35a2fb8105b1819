/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reference engine tells run-time instrumentation about each instruction. */
#include "cpu/control/observe.h"
#include "cpu/state/length.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "ri/counters/counters.h"

/* Some operands are not accessed at all: when the condition is not met (the condition code is that of before), and when
   the validity control ends the instruction (specification D.0). */
static bool accessed(const struct cpu *cpu, const struct dis_insn *insn)
{
    const struct dis_row *row = &dis_rows[insn->row];
    if (row->flags & DIS_ON_CONDITION)
        return (insn->m1 | insn->m3) >> (3 - cpu->cc) & 1;
    if (insn->row == DIS_STRIC || insn->row == DIS_MRIC)
        return ri_pvc(cpu->ri, cpu_problem_state(cpu)) == 0;
    return true;
}

/* Where VECTOR GATHER and VECTOR SCATTER ELEMENT find their element: M3 is its number, `size` its bytes. */
static uint64_t element_address(const struct cpu *cpu, const struct dis_insn *insn, unsigned size)
{
    const struct vector_register *v = &cpu->vr[insn->x2 & 31];
    const unsigned half = 8 / size, index = insn->m3 % half, bits = 8 * size;
    const uint64_t element = field64(insn->m3 < half ? v->hi : v->lo, index * bits, index * bits + bits - 1);
    return (cpu_ea(cpu, insn->b2, 0, insn->d2) + element) & cpu->address_mask;
}

bool cpu_operand_address(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s,
                         uint64_t *address)
{
    switch (s->where) {
    case DIS_AT_B1D1:
        *address = cpu_ea1(cpu, insn);
        return true;
    case DIS_AT_B2D2:
    case DIS_AT_X2B2D2:
        *address = cpu_ea2(cpu, insn);
        return true;
    case DIS_AT_V2B2D2:
        *address = element_address(cpu, insn, s->bytes);
        return insn->m3 < 16 / s->bytes;
    case DIS_AT_B4D4:
        *address = cpu_ea4(cpu, insn);
        return true;
    case DIS_AT_R1:
        *address = cpu->gr[insn->r1] & cpu->address_mask;
        return true;
    case DIS_AT_R2:
        *address = cpu->gr[insn->r2] & cpu->address_mask;
        return true;
    case DIS_AT_R3:
        *address = cpu->gr[insn->r3] & cpu->address_mask;
        return true;
    case DIS_AT_RI2:
        *address = cpu_relative(cpu, insn->i2);
        return true;
    default:
        return false;
    }
}

/* Operands that some functions of an instruction only fetch though its row says update or store: the comparison of
   PERFORM LOCKED OPERATION, functions 0-3; the seed of PERFORM RANDOM NUMBER OPERATION. */
static bool stores(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s)
{
    if (s->length == DIS_LEN_LOCKED)
        return s->store && field64(cpu->gr[0], 56, 63) >= 4;
    return s->store && !(insn->row == DIS_PRNO && cpu->gr[0] & BIT64(56));
}

/* Whether the second operand counts when the first is empty: what compares its operands goes on with it, and what has a
   length for each whether the other is there or not. */
static bool goes_on(const struct dis_insn *insn, const struct dis_storage *s)
{
    return insn->row == DIS_KLMD || insn->row == DIS_PRNO || (!s[0].store && s[1].fetch && !s[1].store);
}

bool cpu_first_operand(const struct cpu *cpu, const struct dis_insn *insn, struct cpu_first_operand *operand)
{
    if (insn->row == DIS_NO_ROW || !accessed(cpu, insn))
        return false;
    const struct dis_storage *s = dis_rows[insn->row].storage;
    /* Reading: a parameter block is an operand without a number, which counts where no other is accessed. */
    const unsigned answer = cpu_answer_length(cpu, insn);
    if (answer) {
        *operand = (struct cpu_first_operand){cpu->gr[1] & cpu->address_mask, answer, true, false};
        return true;
    }
    if (s->where == DIS_AT_NONE)
        return false;
    operand->length = cpu_operand_length(cpu, insn, s);
    if (operand->length == 0 && goes_on(insn, s))
        operand->length = cpu_operand_length(cpu, insn, ++s);
    operand->told = s->length == DIS_LEN_TOLD;
    operand->store = stores(cpu, insn, s);
    return cpu_operand_address(cpu, insn, s, &operand->address) && operand->length != 0;
}

/* The register that the address of an operand is by. */
static uint8_t register_of(const struct dis_insn *insn, const struct dis_storage *s)
{
    switch (s->where) {
    case DIS_AT_B1D1:
        return insn->b1;
    case DIS_AT_B4D4:
        return insn->b4;
    case DIS_AT_R1:
        return insn->r1;
    case DIS_AT_R2:
        return insn->r2;
    case DIS_AT_R3:
        return insn->r3;
    default:
        return insn->b2;
    }
}

uint64_t cpu_operand_left(const struct cpu *cpu, const struct dis_insn *insn, const struct cpu_named_operand *named)
{
    return cpu_operand_length(cpu, insn, &dis_rows[insn->row].storage[named->which]);
}

unsigned cpu_named_operands(const struct cpu *cpu, const struct dis_insn *insn, struct cpu_named_operand named[2])
{
    const struct dis_storage *s = dis_rows[insn->row].storage;
    const unsigned answer = cpu_answer_length(cpu, insn);
    unsigned count = 0;
    if (answer) {
        named[0] = (struct cpu_named_operand){cpu->gr[1] & cpu->address_mask, answer, 0, 1, false, true, false, false};
        return 1;
    }
    for (unsigned which = 0; which < 2 && s[which].where != DIS_AT_NONE; which++) {
        struct cpu_named_operand *n = &named[count];
        if (s[which].length == DIS_LEN_INSTRUCTION || !accessed(cpu, insn) ||
            !cpu_operand_address(cpu, insn, &s[which], &n->address))
            continue;
        n->length = cpu_operand_length(cpu, insn, &s[which]);
        n->which = (uint8_t)which;
        n->ar = register_of(insn, &s[which]);
        n->fetch = s[which].fetch;
        n->store = stores(cpu, insn, &s[which]);
        n->told = s[which].length == DIS_LEN_TOLD;
        n->counts_down = s[which].length >= DIS_LEN_R1 && s[which].length <= DIS_LEN_R2_24;
        count += n->length != 0;
    }
    return count;
}

static bool interruptible(uint16_t row) { return row != DIS_NO_ROW && dis_rows[row].flags & DIS_INTERRUPTIBLE; }

/* Changes when units of operation of an interruptible instruction were done. */
static uint64_t progress(const struct cpu *cpu, const struct cpu_ri_before *before)
{
    const uint64_t *gr = cpu->gr;
    return gr[before->r1] + 3 * gr[(before->r1 + 1) & 15] + 5 * gr[before->r2] + 7 * gr[(before->r2 + 1) & 15];
}

static void note(struct cpu *cpu, struct cpu_ri_before *before, const struct dis_insn *insn)
{
    before->row = insn->row;
    before->r1 = insn->r1 & 15;
    before->r2 = insn->r2 & 15;
    if (interruptible(insn->row))
        before->progress = progress(cpu, before);
}

/* The address that the branch instruction `insn` goes to when it branches; before it is carried out. */
static uint64_t branch_address(struct cpu *cpu, const struct dis_insn *insn)
{
    uint64_t address;
    switch (dis_rows[insn->row].format) {
    case DIS_FMT_RR:
    case DIS_FMT_RRE:
        address = cpu->gr[insn->r2];
        break;
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_c:
        return cpu_relative(cpu, insn->ri3);
    case DIS_FMT_RRS:
    case DIS_FMT_RIS:
        return cpu_ea4(cpu, insn);
    case DIS_FMT_RX_a:
    case DIS_FMT_RX_b:
    case DIS_FMT_RXY_a:
    case DIS_FMT_RXY_b:
    case DIS_FMT_RS_a:
    case DIS_FMT_RSY_a:
        if (insn->row == DIS_BIC) { /* the address is in storage; when it cannot be had, BIC does not complete */
            uint64_t at;
            address = cpu_fetch8(cpu, cpu_ea2(cpu, insn), insn->b2, &at) ? 0 : at;
            break;
        }
        return cpu_ea2(cpu, insn);
    default: /* RI, RIL, RSI, RIE-e: RI2 */
        return cpu_relative(cpu, insn->i2);
    }
    return address & cpu->address_mask;
}

static void describe(struct cpu *cpu, struct cpu_ri_before *before, const struct dis_insn *insn)
{
    bool known = insn->row != DIS_NO_ROW;
    struct ri_insn what = {
        .ia = cpu->insn_ia,
        .own = cpu->executed ? cpu->target_ia : cpu->insn_ia,
        .text = get32(insn->bytes),
        .length = insn->length,
        .class = known ? (uint8_t)dis_branch_class(insn) : RI_CLASS_NONE,
        .executed = cpu->executed,
        .problem = before->mask & PSW_PROBLEM,
    };
    if (insn->length == 2)
        what.text &= 0xffff0000;
    before->class = what.class;
    if (what.class != RI_CLASS_NONE) {
        what.always = dis_branch_always(insn);
        what.relative = dis_branch_relative(insn);
        before->target = branch_address(cpu, insn);
    }
    ri_begin(cpu->ri, &what);
    cpu->told_length = 0;
    const struct cpu_first_operand *operand = &before->operand;
    if (!cpu_first_operand(cpu, insn, &before->operand))
        before->operand.told = false;
    else if (!operand->told)
        ri_access(cpu->ri, operand->address, operand->length, operand->store);
}

static __attribute__((noinline)) void take_part(struct cpu *cpu, struct cpu_ri_before *before,
                                                const struct dis_insn *insn)
{
    cpu->ri_before = before;
    before->work = cpu->work;
    before->cycles = insn->length / 2;
    note(cpu, before, insn);
    if (before->active)
        describe(cpu, before, insn);
}

void cpu_ri_begin(struct cpu *cpu, struct cpu_ri_before *before, const struct dis_insn *insn)
{
    before->mask = cpu->psw.mask;
    before->look_around = false;
    before->active = (cpu->psw.mask & PSW_RI) && ri_active(cpu->ri);
    before->counted = cpu->counters->counting;
    cpu->ri_before = NULL;
    if (UNLIKELY(before->active | before->counted))
        take_part(cpu, before, insn);
}

void cpu_ri_executed(struct cpu *cpu, const struct dis_insn *target)
{
    if (!cpu->ri_before)
        return;
    cpu->ri_before->cycles += target->length / 2;
    note(cpu, cpu->ri_before, target);
    if (cpu->ri_before->active)
        describe(cpu, cpu->ri_before, target);
}

/* Instructions that are never counted (specification E.2), as far as the instruction alone tells. */
static bool not_counted(uint16_t row) { return row != DIS_NO_ROW && dis_rows[row].flags & DIS_UNCOUNTED; }

/* The instruction is an interruptible one, and some of its units of operation were done. */
static bool progressed(const struct cpu *cpu, const struct cpu_ri_before *before)
{
    return interruptible(before->row) && progress(cpu, before) != before->progress;
}

/* What the instruction that ended with `code` is for counters and samples. Reading: their cycles are those of the
   clock, work included, so that a program finds as many in a microsecond as the machine announces; run-time
   instrumentation counts halfwords alone (specification E.3). Pinned by tests/script/measurement.zt. */
static void count(struct cpu *cpu, struct cpu_ri_before *before, int code)
{
    const bool complete = !code || code == CPU_SVC || cpu_completes(cpu, code);
    const bool partial = code == CPU_PARTIAL ? !cpu->wants_alone : !complete && progressed(cpu, before);
    const uint64_t work = (cpu->work - before->work) * CPU_WORK_CYCLES; /* was done, whatever came of it */
    counters_charge(cpu->counters, complete, (complete || partial ? before->cycles : 0) + work,
                    before->mask & PSW_PROBLEM);
    before->look_around = cpu->counters->due;
}

static enum ri_end end_of(const struct cpu *cpu, const struct cpu_ri_before *before, int code)
{
    if (code == CPU_PARTIAL)
        return RI_END_PARTIAL;
    if (code == CPU_SVC || !(cpu->psw.mask & PSW_RI))
        return code && code != CPU_SVC && !cpu_completes(cpu, code) ? RI_END_NOT : RI_END_NOT_COUNTED;
    if (code && !cpu_completes(cpu, code)) /* units of operation before the exception are a partial completion */
        return progressed(cpu, before) ? RI_END_PARTIAL : RI_END_NOT;
    if (not_counted(before->row))
        return RI_END_NOT_COUNTED;
    return code ? RI_END_INTERRUPTION : RI_END_COMPLETE;
}

int cpu_ri_end(struct cpu *cpu, struct cpu_ri_before *before, int code)
{
    if (LIKELY(!cpu->ri_before))
        return code;
    cpu->ri_before = NULL;
    if (before->counted)
        count(cpu, before, code);
    if (!before->active)
        return code;
    if (before->operand.told && cpu->told_length)
        ri_access(cpu->ri, before->operand.address, cpu->told_length, before->operand.store);
    enum ri_end end = end_of(cpu, before, code);
    if (before->class != RI_CLASS_NONE && (end == RI_END_COMPLETE || end == RI_END_INTERRUPTION))
        ri_branch(cpu->ri, cpu->branched, cpu->branched ? cpu->psw.ia : before->target); /* BSM changes the mode */
    unsigned sample = ri_complete(cpu->ri, end, before->cycles);
    if (!sample)
        return code;
    before->look_around = true;
    struct ri_storage storage = cpu_ri_storage(cpu);
    struct ri_environment environment = cpu_ri_environment(cpu, &storage);
    int report = ri_report(cpu->ri, sample, &environment);
    cpu->leave |= cpu->ri_watch;
    if (!report)
        return code;
    cpu->zero_ilc = true; /* the sample instruction is complete and must not be carried out again */
    return report;
}

unsigned cpu_ri_foresee(struct cpu *cpu, const struct dis_insn *insn, const struct dis_insn *target, uint64_t target_ia,
                        bool taken, unsigned *sample, bool *branch)
{
    struct cpu_ri_before before;
    struct ri *real = cpu->ri;
    const uint64_t insn_ia = cpu->insn_ia, last_target = cpu->target_ia;
    const bool executed = cpu->executed;
    cpu->ri = ri_copy(real);
    if (!cpu->ri) {
        cpu->ri = real;
        return 0;
    }
    cpu->insn_ia = cpu->psw.ia;
    cpu->executed = false;
    cpu_ri_begin(cpu, &before, insn);
    if (target) {
        cpu->executed = true;
        cpu->target_ia = target_ia;
        cpu_ri_executed(cpu, target);
    }
    if (before.active && before.operand.told) /* how much, only its body could tell */
        ri_access(cpu->ri, before.operand.address, before.operand.length, before.operand.store);
    *branch = before.active && before.class != RI_CLASS_NONE;
    if (*branch)
        ri_branch(cpu->ri, taken, before.target);
    *sample = before.active && !not_counted(before.row) ? ri_complete(cpu->ri, RI_END_COMPLETE, before.cycles) : 0;
    unsigned line = *sample ? ri_report_line(cpu->ri, *sample, cpu->sys->ri_mixed_capability) : 0;
    ri_destroy(cpu->ri);
    cpu->ri = real;
    cpu->ri_before = NULL;
    cpu->insn_ia = insn_ia;
    cpu->target_ia = last_target;
    cpu->executed = executed;
    return line;
}

/* The program buffer is in the space and under the key that instructions use now: what the translation context lets
   through needs no further check, and a page that was found is entered there. */
static bool buffer_is_current(const struct cpu *cpu)
{
    const struct ri_controls *c = &cpu->ri->controls;
    return c->key == cpu_key(cpu) &&
           (!(cpu->psw.mask & PSW_DAT) || field64(cpu->psw.mask, 16, 17) == (c->h ? AS_HOME : AS_PRIMARY));
}

static struct cpu_access buffer_access(struct cpu *cpu, uint64_t address, enum cpu_access_kind kind)
{
    const struct ri_controls *c = &cpu->ri->controls;
    return (struct cpu_access){
        .address = address,
        .space = buffer_is_current(cpu)       ? CPU_SPACE_CURRENT
                 : !(cpu->psw.mask & PSW_DAT) ? CPU_SPACE_REAL
                 : c->h                       ? CPU_SPACE_HOME
                                              : CPU_SPACE_PRIMARY,
        .key = c->key,
        .kind = (uint8_t)kind,
        .no_per = true,
        .wide = true,
    };
}

static int buffer_test(void *context, uint64_t address, unsigned length, bool fetch_too)
{
    struct cpu *cpu = context;
    uint64_t absolute;
    (void)length; /* within one page */
    struct cpu_access access = buffer_access(cpu, address, CPU_STORE);
    access.test = true;
    int code = cpu_translate(cpu, &access, &absolute);
    if (!code && fetch_too) {
        access.kind = CPU_FETCH;
        code = cpu_translate(cpu, &access, &absolute);
    }
    return code;
}

static int buffer_fetch(void *context, uint64_t address, void *to, unsigned length)
{
    struct cpu *cpu = context;
    struct cpu_access access = buffer_access(cpu, address, CPU_FETCH);
    return cpu_fetch_as(cpu, &access, to, length);
}

static int buffer_store(void *context, uint64_t address, const void *from, unsigned length)
{
    struct cpu *cpu = context;
    struct cpu_access access = buffer_access(cpu, address, CPU_STORE);
    return cpu_store_as(cpu, &access, from, length);
}

/* By the translation context alone. */
static uint8_t *buffer_place(void *context, uint64_t address, bool fetch_too)
{
    const struct cpu *cpu = context;
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (UNLIKELY(e->write != (address & PAGE_ADDRESS) || (fetch_too && e->read != e->write) || !buffer_is_current(cpu)))
        return NULL;
    return (uint8_t *)(address + e->host);
}

struct ri_storage cpu_ri_storage(struct cpu *cpu)
{
    return (struct ri_storage){
        .context = cpu, .test = buffer_test, .fetch = buffer_fetch, .store = buffer_store, .place = buffer_place};
}

struct ri_environment cpu_ri_environment(struct cpu *cpu, const struct ri_storage *storage)
{
    return (struct ri_environment){.storage = storage,
                                   .tod = cpu_tod(cpu),
                                   .mixed_capability = cpu->sys->ri_mixed_capability,
                                   .transaction = cpu->tx_depth != 0};
}
