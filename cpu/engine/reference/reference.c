/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference engine: one instruction at a time, clear before fast. It is the oracle for the others, and does what
   they leave to it: PER, tracing, stepping, sample instructions, the end of a count. */
#include "cpu/control/edges.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/model.h"
#include "cpu/control/observe.h"
#include "cpu/control/sample.h"
#include "cpu/control/transaction.h"
#include "cpu/engine/reference/bind.h"
#include "cpu/engine/reference/reference.h"
#include "cpu/state/per.h"
#include "cpu/storage/access.h"
#include "cpu/storage/tlb.h"
#include "ri/counters/counters.h"

/* An extended operand is in a register that begins a pair: 0, 1, 4, 5, 8, 9, 12 or 13. */
static bool bad_pair(unsigned r) { return r & 2; }

#define CHECK_FLOAT                                                                                                    \
    (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH | DIS_NEEDS_VECTOR | DIS_FP_PAIR_R1 | DIS_FP_PAIR_R2 | DIS_FP_PAIR_R3)

/* Enablement of floating point and vectors, then the registers of extended operands. Reading: a data exception because
   the control is off comes before a specification exception, whatever that is for. */
static int check_float(struct cpu *cpu, const struct dis_insn *insn, uint64_t flags)
{
    const bool afp = cpu->cr[0] & CR0_AFP;
    if ((flags & DIS_NEEDS_VECTOR) && !(afp && (cpu->cr[0] & CR0_VECTOR)))
        return cpu_data_exception(cpu, DXC_VECTOR);
    if ((flags & DIS_NEEDS_AFP) && !afp)
        return cpu_data_exception(cpu, flags & DIS_DECIMAL_FLOAT ? DXC_DFP : DXC_BFP);
    if ((flags & DIS_AFP_IF_HIGH) && !afp && (dis_float_registers(insn) & ~0x55u))
        return cpu_data_exception(cpu, DXC_AFP_REGISTER);
    if (((flags & DIS_FP_PAIR_R1) && bad_pair(insn->r1)) || ((flags & DIS_FP_PAIR_R2) && bad_pair(insn->r2)) ||
        ((flags & DIS_FP_PAIR_R3) && bad_pair(insn->r3)))
        return PIC_SPECIFICATION;
    return 0;
}

int engine_check(struct cpu *cpu, const struct dis_insn *insn)
{
    if (insn->row == DIS_NO_ROW || cpu_bodies[insn->row] == cpu_none)
        return PIC_OPERATION;
    const struct dis_row *row = &dis_rows[insn->row];
    if (!cpu_facility(cpu->sys, row->facility))
        return PIC_OPERATION;
    if (cpu_tx_active(cpu)) {
        int code = cpu_tx_check(cpu, insn);
        if (code)
            return code;
    }
    if ((row->flags & DIS_PRIVILEGED) && cpu_problem_state(cpu))
        return PIC_PRIVILEGED_OPERATION;
    if (row->flags & CHECK_FLOAT) {
        int code = check_float(cpu, insn, row->flags);
        if (code)
            return code;
    }
    if (((row->flags & DIS_EVEN_R1) && (insn->r1 & 1)) || ((row->flags & DIS_EVEN_R2) && (insn->r2 & 1)) ||
        ((row->flags & DIS_EVEN_R3) && (insn->r3 & 1)))
        return PIC_SPECIFICATION;
    return 0;
}

int engine_perform(struct cpu *cpu, const struct dis_insn *insn)
{
    int code = engine_check(cpu, insn);
    return code ? code : cpu_bodies[insn->row](cpu, insn);
}

/* True for outcomes behind which a waiting interruption or a changed mode may matter. */
static bool look_around(const struct cpu *cpu, const struct dis_insn *insn, int code)
{
    return code || cpu->leave || cpu->look_around || insn->row == DIS_NO_ROW ||
           (dis_rows[insn->row].flags & DIS_CHANGES_MODE);
}

bool engine_needs_alone(unsigned row) { return row != DIS_NO_ROW && dis_rows[row].flags & DIS_ALONE; }

/* Forms of instructions that need their CPU alone in general, but concern this CPU only, or tell another one what it
   can be told while it runs. */
static bool concerns_few(const struct cpu *cpu, const struct dis_insn *insn)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    switch (insn->row) {
    case DIS_IPTE:
    case DIS_IDTE:
    case DIS_RDP:
        return tlb_clears_locally(cpu, insn->m4);
    case DIS_SIGP:
        return out && out->sigp_alone && !out->sigp_alone((uint8_t)cpu_ea(cpu, insn->b2, 0, insn->d2));
    case DIS_DIAG:
        return out && out->diagnose_alone && !out->diagnose_alone((uint16_t)cpu_ea(cpu, insn->b2, 0, insn->d2));
    default:
        return false;
    }
}

/* The instruction has to wait until its CPU is alone; nothing was done yet. */
static bool put_off(struct cpu *cpu, const struct dis_insn *insn)
{
    if (LIKELY(cpu_alone(cpu->sys)) || !engine_needs_alone(insn->row) || concerns_few(cpu, insn))
        return false;
    cpu->psw.ia = cpu->insn_ia;
    cpu->settle = cpu->wants_alone = true;
    return true;
}

/* Edge profiles: the instruction at psw.ia was to be there, and what is told of it is known. */
static ALWAYS_INLINE void edges_begin(struct cpu *cpu)
{
    if (UNLIKELY(cpu->psw.ia != cpu->edges->next.address) || !cpu_edges_steady(cpu))
        cpu_edges_begin(cpu);
}

/* It was fetched. False: see cpu_edges_fetched(). */
static ALWAYS_INLINE bool edges_fetched(struct cpu *cpu, unsigned length)
{
    const struct tlb_entry *t = tlb_slot(cpu->fetch_tlb, cpu->insn_ia);
    return (t->read == (cpu->insn_ia & PAGE_ADDRESS) && t->absolute >> PAGE_BITS == cpu->edges->fetched &&
            cpu_page_left(cpu->insn_ia) >= length) ||
           cpu_edges_fetched(cpu, length);
}

/* The same while branches are counted: only what may have another page at the same address asks for a new look. */
static ALWAYS_INLINE bool edges_fetched_far(struct cpu *cpu, unsigned length)
{
    struct cpu_edges *e = cpu->edges;
    if (LIKELY(!e->turned && (cpu->insn_ia ^ e->marked) <= PAGE_SIZE_Z - 6))
        return true;
    e->turned = !edges_fetched(cpu, length);
    e->marked = cpu->insn_ia & PAGE_ADDRESS;
    return !e->turned;
}

/* It has ended with `code`. Of most there is nothing to tell. */
static ALWAYS_INLINE void edges_end(struct cpu *cpu, const struct dis_insn *insn, int code)
{
    struct cpu_edges *e = cpu->edges;
    const uint64_t next = (cpu->insn_ia + insn->length) & cpu->address_mask;
    if (UNLIKELY(code || cpu->executed || insn->row >= DIS_ROW_COUNT || dis_rows[insn->row].edge != DIS_EDGE_ORD ||
                 cpu->psw.ia != next || e->unit->parameters.event == EP_EVENT_INSN || !cpu_edges_steady(cpu))) {
        cpu_edges_end(cpu, insn, code);
        return;
    }
    e->next.address = next;
    if (e->way == CPU_EDGES_NOT)
        e->unit->at = e->next;
}

/* Far from the next sample its branches are counted, and no more is told while state, space and addressing mode are the
   same. May they be counted from psw.ia on? */
static bool edges_far(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    if (!e || !e->many || !e->unit->far || cpu_edges_begin(cpu) != CPU_EDGES_MANY || !e->steady)
        return false;
    if (cpu->edge_word == e->start)
        cpu_edges_arm_run(cpu);
    e->turned = true;
    return e->far && cpu->edge_word > 0;
}

/* An instruction has ended with `code` while they are. False: they are no longer. */
static ALWAYS_INLINE bool edges_count(struct cpu *cpu, const struct dis_insn *insn, int code)
{
    struct cpu_edges *e = cpu->edges;
    const unsigned class = insn->row < DIS_ROW_COUNT ? dis_rows[insn->row].edge : DIS_EDGE_ORD;
    if (LIKELY(class == DIS_EDGE_ORD && !code)) {
        e->next.address = cpu->psw.ia;
        return true;
    }
    const enum dis_edge what = dis_edge_class(insn);
    if (code || cpu->executed || !cpu_edges_steady(cpu) || what == DIS_EDGE_XFER) {
        cpu_edges_end(cpu, insn, code);
        return false;
    }
    e->next.address = cpu->psw.ia;
    if (!ep_edge_branches(what) || LIKELY(--cpu->edge_word > 0))
        return true;
    cpu_edges_settle(cpu);
    return false;
}

/* The instruction at psw.ia starts. */
static void begin(struct cpu *cpu, const bool far)
{
    cpu->executed = false;
    cpu->branched = false;
    cpu->look_around = false;
    cpu->refetch = false;
    cpu->tables_doubt = false;
    cpu->insn_ia = cpu->psw.ia;
    cpu->per_code = 0;
    if (UNLIKELY(cpu->edges != NULL) && !far)
        edges_begin(cpu);
    if (UNLIKELY(per_active(cpu)))
        per_begin(cpu);
}

/* It could not be fetched. */
static void not_fetched(struct cpu *cpu, int code)
{
    cpu->ilc = 2; /* unpredictable in PoP: the first halfword was not had */
    cpu->psw.ia = (cpu->insn_ia + 2) & cpu->address_mask;
    cpu->tx_fetching = cpu_tx_active(cpu);
    cpu->budget -= CPU_UNIT - 1;
    cpu_deliver(cpu, code);
}

/* `modelled` and `far` are constants: a CPU with a pipeline model, and one whose branches are counted for an edge
   profile, have copies of their own, the other one has nothing of it. *counts: see edges_count(). */
static ALWAYS_INLINE bool carry_out(struct cpu *cpu, const struct dis_insn *insn, const bool modelled, const bool far,
                                    bool *counts)
{
    struct cpu_ri_before before;
    const bool per = per_active(cpu);
    if (UNLIKELY(put_off(cpu, insn)))
        return true;
    if (far ? !edges_fetched_far(cpu, insn->length) : UNLIKELY(cpu->edges != NULL) && !edges_fetched(cpu, insn->length))
        return true;
    cpu->ilc = insn->length;
    cpu->psw.ia = (cpu->insn_ia + insn->length) & cpu->address_mask;
    if (UNLIKELY(per && per_nullifies(cpu, insn))) {
        cpu->psw.ia = cpu->insn_ia;
        cpu->budget -= CPU_UNIT - insn->length / 2;
        cpu_deliver(cpu, PIC_PER_EVENT);
        return true;
    }
    if (UNLIKELY(per))
        per_operands(cpu, insn);
    if (cpu->observer && cpu->observer->before)
        cpu->observer->before(cpu->observer->context, cpu, insn);

    if (modelled)
        cpu_model_begin(cpu, insn);
    cpu_ri_begin(cpu, &before, insn);
    int code = engine_perform(cpu, insn);
    if (UNLIKELY((per || cpu->per_code) && code != CPU_TX_ABORT))
        code = per_end(cpu, code);
    if (cpu->observer && cpu->observer->after)
        cpu->observer->after(cpu->observer->context, cpu, insn, code);
    if (modelled)
        cpu_model_end(cpu, code);
    /* The report of a sample instruction may itself end in a program interruption, or raise an alert. */
    code = cpu_ri_end(cpu, &before, code);
    code = cpu_tx_ended(cpu, code);
    if (far)
        *counts = edges_count(cpu, insn, code);
    else if (UNLIKELY(cpu->edges != NULL))
        edges_end(cpu, insn, code);
    bool around = look_around(cpu, insn, code) || before.look_around;
    cpu->budget -= CPU_UNIT - (modelled ? cpu_model_time(cpu, insn->length / 2) : insn->length / 2);
    if (UNLIKELY(code == CPU_TX_ABORT))
        code = cpu_tx_abort(cpu);
    if (code && code != CPU_PARTIAL)
        cpu_deliver(cpu, code);
    if (code == CPU_PARTIAL)
        cpu->psw.ia = cpu->insn_ia;
    if (around && UNLIKELY(cpu->counters->due))
        cpu_sample(cpu);
    return around;
}

static ALWAYS_INLINE bool one(struct cpu *cpu, const bool far, bool *counts)
{
    uint8_t bytes[6];
    struct dis_insn insn;
    begin(cpu, far);
    int code = cpu_fetch_instruction(cpu, cpu->insn_ia, bytes);
    if (UNLIKELY(code)) {
        not_fetched(cpu, code);
        return true;
    }
    dis_decode(bytes, &insn);
    return carry_out(cpu, &insn, false, far, counts);
}

bool reference_one(struct cpu *cpu) { return one(cpu, false, NULL); }

/* reference_one() of a CPU with a pipeline model. */
static bool modelled_one(struct cpu *cpu)
{
    const struct dis_insn *insn;
    begin(cpu, false);
    const int code = cpu_model_fetch(cpu, &insn);
    if (UNLIKELY(code)) {
        cpu_model_no_fetch(cpu);
        not_fetched(cpu, code);
        return true;
    }
    return carry_out(cpu, insn, true, false, NULL);
}

bool reference_known(struct cpu *cpu, const struct dis_insn *insn)
{
    begin(cpu, false);
    return carry_out(cpu, insn, false, false, NULL);
}

int engine_execute_target(struct cpu *cpu, uint64_t ia, const uint8_t bytes[6])
{
    struct dis_insn insn;
    dis_decode(bytes, &insn);
    if (insn.row != DIS_NO_ROW && (dis_rows[insn.row].flags & DIS_EXECUTES))
        return PIC_EXECUTE;
    if (insn.row != DIS_NO_ROW && (dis_rows[insn.row].flags & DIS_CHANGES_MODE || insn.row == DIS_SPM))
        cpu->look_around = true;
    if (UNLIKELY(put_off(cpu, &insn)))
        return CPU_PARTIAL; /* the execute-type instruction is carried out anew */
    cpu->executed = true;
    cpu->target_ia = ia;
    if (UNLIKELY(per_active(cpu)))
        per_operands(cpu, &insn);
    if (UNLIKELY(cpu->edges != NULL))
        cpu->edges->target = insn;
    cpu_ri_executed(cpu, &insn);
    cpu->budget += insn.length / 2;
    return engine_perform(cpu, &insn);
}

/* How instructions are carried out. */
enum how { PLAIN, MODELLED, FAR };

/* So many of them at most, and with FAR as long as branches are only counted. True: the run is over. `how` is a
 * constant.
 */
static ALWAYS_INLINE bool some(struct cpu *cpu, const struct breaks *breaks, uint64_t most, bool *first, bool *at_break,
                               const enum how how)
{
    const bool stops = breaks->count != 0;
    bool counts = true;
    for (; most && counts && cpu_left(cpu) > 0; most--) {
        if (stops && !*first && breaks_at(breaks, cpu->psw.ia)) {
            *at_break = true;
            return true;
        }
        *first = false;
        if ((how == MODELLED ? modelled_one(cpu) : one(cpu, how == FAR, &counts)) || cpu->settle)
            return true;
    }
    return cpu_left(cpu) <= 0;
}

/* Of a program that is profiled: whether branches are only counted is looked at now and then. */
#define EDGES_LOOK 64u
static void run_profiled(struct cpu *cpu, const struct breaks *breaks, bool first, bool *at_break)
{
    while (!(edges_far(cpu) ? some(cpu, breaks, UINT64_MAX, &first, at_break, FAR)
                            : some(cpu, breaks, EDGES_LOOK, &first, at_break, PLAIN)))
        ;
}

void reference_run(struct cpu *cpu, const struct breaks *breaks, bool first, bool *at_break)
{
    *at_break = false;
    if (cpu->model)
        (void)some(cpu, breaks, UINT64_MAX, &first, at_break, MODELLED);
    else if (UNLIKELY(cpu->edges != NULL) && cpu_left(cpu) > 0)
        run_profiled(cpu, breaks, first, at_break);
    else
        (void)some(cpu, breaks, UINT64_MAX, &first, at_break, PLAIN);
}
