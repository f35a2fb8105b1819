/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reference engine tells run-time instrumentation about each instruction. */
#include "cpu/control/observe.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "ri/counters/counters.h"

static uint64_t operand_length(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s)
{
    const bool wide = cpu->psw.mask & PSW_EA;
    const uint8_t regs = (uint8_t)(((insn->r3 - insn->r1) & 15) + 1);
    unsigned r = s->length == DIS_LEN_R1 ? insn->r1 : s->length == DIS_LEN_R2 ? insn->r2 : insn->r3;
    switch (s->length) {
    case DIS_LEN_FIXED:
        return s->bytes;
    case DIS_LEN_L:
    case DIS_LEN_L1:
        return insn->l1 + 1u;
    case DIS_LEN_L2:
        return insn->l2 + 1u;
    case DIS_LEN_R1:
    case DIS_LEN_R2:
    case DIS_LEN_R3: {
        uint64_t value = cpu->gr[(r + (s->bytes ? 1u : 0u)) & 15];
        if (insn->row == DIS_MVCL || insn->row == DIS_CLCL)
            return value & 0xffffff;
        return wide ? value : (uint32_t)value;
    }
    case DIS_LEN_REGS4:
        return 4u * regs;
    case DIS_LEN_REGS8:
        return 8u * regs;
    case DIS_LEN_REGS16:
        return 16u * (((unsigned)(insn->r3 - insn->r1) & 31) + 1);
    case DIS_LEN_MASK:
        return insn->m3 ? (unsigned)__builtin_popcount(insn->m3) : 1;
    default:
        return 1; /* found out while executing: its first byte */
    }
}

/* Some operands are not accessed at all when the condition is not met; the condition code is that of before. */
static bool accessed(const struct cpu *cpu, const struct dis_insn *insn)
{
    return !(dis_rows[insn->row].flags & DIS_ON_CONDITION) || (insn->m1 | insn->m3) >> (3 - cpu->cc) & 1;
}

bool cpu_first_operand(const struct cpu *cpu, const struct dis_insn *insn, uint64_t *address, uint64_t *length,
                       bool *store)
{
    if (insn->row == DIS_NO_ROW || !accessed(cpu, insn))
        return false;
    const struct dis_storage *s = &dis_rows[insn->row].storage[0];
    switch (s->where) {
    case DIS_AT_B1D1:
        *address = cpu_ea1(cpu, insn);
        break;
    case DIS_AT_B2D2:
    case DIS_AT_X2B2D2:
        *address = cpu_ea2(cpu, insn);
        break;
    case DIS_AT_B4D4:
        *address = cpu_ea4(cpu, insn);
        break;
    case DIS_AT_R1:
        *address = cpu->gr[insn->r1] & cpu->address_mask;
        break;
    case DIS_AT_R2:
        *address = cpu->gr[insn->r2] & cpu->address_mask;
        break;
    case DIS_AT_R3:
        *address = cpu->gr[insn->r3] & cpu->address_mask;
        break;
    case DIS_AT_RI2:
        *address = cpu_relative(cpu, insn->i2);
        break;
    default: /* none, or vector elements, whose addresses differ */
        return false;
    }
    *length = operand_length(cpu, insn, s);
    *store = s->store;
    return *length != 0;
}

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
    uint64_t address, length;
    bool store, known = insn->row != DIS_NO_ROW;
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
    if (known && cpu_first_operand(cpu, insn, &address, &length, &store))
        ri_access(cpu->ri, address, length, store);
}

static __attribute__((noinline)) void take_part(struct cpu *cpu, struct cpu_ri_before *before,
                                                const struct dis_insn *insn)
{
    cpu->ri_before = before;
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
    return before->row != DIS_NO_ROW && dis_rows[before->row].flags & DIS_INTERRUPTIBLE &&
           progress(cpu, before) != before->progress;
}

/* What the instruction that ended with `code` is for counters and samples. */
static void count(struct cpu *cpu, struct cpu_ri_before *before, int code)
{
    const bool complete = !code || code == CPU_SVC || cpu_completes(cpu, code);
    const bool partial = code == CPU_PARTIAL ? !cpu->wants_alone : !complete && progressed(cpu, before);
    if (complete || partial)
        counters_charge(cpu->counters, complete, before->cycles, before->mask & PSW_PROBLEM);
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

static struct cpu_access buffer_access(struct cpu *cpu, uint64_t address, enum cpu_access_kind kind)
{
    const struct ri_controls *c = &cpu->ri->controls;
    return (struct cpu_access){
        .address = address,
        .space = !(cpu->psw.mask & PSW_DAT) ? CPU_SPACE_REAL
                 : c->h                     ? CPU_SPACE_HOME
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
    struct cpu_access access = buffer_access(cpu, address, CPU_STORE);
    (void)length; /* within one page */
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
    struct cpu_access access = buffer_access(context, address, CPU_FETCH);
    return cpu_fetch_as(context, &access, to, length);
}

static int buffer_store(void *context, uint64_t address, const void *from, unsigned length)
{
    struct cpu_access access = buffer_access(context, address, CPU_STORE);
    return cpu_store_as(context, &access, from, length);
}

struct ri_storage cpu_ri_storage(struct cpu *cpu)
{
    return (struct ri_storage){.context = cpu, .test = buffer_test, .fetch = buffer_fetch, .store = buffer_store};
}

struct ri_environment cpu_ri_environment(struct cpu *cpu, const struct ri_storage *storage)
{
    return (struct ri_environment){.storage = storage,
                                   .tod = cpu_tod(cpu),
                                   .mixed_capability = cpu->sys->ri_mixed_capability,
                                   .transaction = cpu->tx_depth != 0};
}
