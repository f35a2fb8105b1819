/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu/control/edges.h"
#include "cpu/storage/access.h"
#include "cpu/storage/tlb.h"
#include "ri/profile/file/profile.h"
#include <errno.h>
#include <stdlib.h>

void cpu_edges_settle_all(struct cpu_system *sys)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i] && sys->cpus[i]->edges)
            cpu_edges_settle(sys->cpus[i]);
}

int cpu_edges_attach(struct cpu *cpu, struct cpu_edges *e)
{
    cpu->edge_word = 0;
    e->slots = 2;
    while (e->slots < e->unit->parameters.tbt + 3u)
        e->slots *= 2;
    e->ring = calloc(e->slots, sizeof *e->ring);
    e->entries = calloc(e->slots, sizeof *e->entries);
    if (!e->ring || !e->entries) {
        free(e->ring);
        free(e->entries);
        return -ENOMEM;
    }
    e->fetched = UINT64_MAX;
    e->start = 0;
    cpu->edge_ring = e->ring;
    cpu->edge_mask = (e->slots - 1) * sizeof *e->ring;
    cpu->edges = e;
    return 0;
}

void cpu_edges_detach(struct cpu *cpu)
{
    if (!cpu->edges)
        return;
    free(cpu->edges->ring);
    free(cpu->edges->entries);
    cpu->edges = NULL;
    cpu->edge_ring = NULL;
    cpu->edge_word = 0;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static unsigned mode_of(const struct cpu *cpu)
{
    return cpu->psw.mask & PSW_EA ? EP_64 : cpu->psw.mask & PSW_BA ? EP_31 : EP_24;
}

static uint32_t space_of(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    const bool dat = cpu->psw.mask & PSW_DAT, home = field64(cpu->psw.mask, 16, 17) == AS_HOME;
    const unsigned kind = !dat ? EP_SPACE_REAL : home ? EP_SPACE_HOME : EP_SPACE_PRIMARY;
    const uint64_t asce = !dat ? 0 : home ? cpu->cr[13] : cpu->cr[1];
    if (LIKELY(e->space_kind == kind + 1 && e->asce == asce))
        return e->space_number;
    if (e->space_kind)
        e->spaces[e->space_kind - 1].left = cpu_elapsed(cpu);
    e->space_kind = (uint8_t)(kind + 1);
    e->asce = asce;
    if (!e->spaces[kind].stays || e->spaces[kind].asce != asce ||
        cpu_elapsed(cpu) - e->spaces[kind].left >= CPU_EDGES_AWAY) {
        e->spaces[kind].number = e->space(e->context, cpu, kind, asce, &e->spaces[kind].stays);
        e->spaces[kind].asce = asce;
    }
    e->space_number = e->spaces[kind].number;
    return e->space_number;
}

/* Where the CPU is now. */
static struct ep_place place_of(struct cpu *cpu)
{
    const bool wanted = ep_state_wanted(&cpu->edges->unit->parameters.filter, cpu_problem_state(cpu));
    return (struct ep_place){cpu->psw.ia, wanted ? space_of(cpu) : CPU_EDGES_NOWHERE, (uint8_t)mode_of(cpu)};
}

static void goes_on(struct cpu *cpu, struct ep_place place)
{
    cpu->edges->next = place;
    cpu->edges->problem = cpu_problem_state(cpu);
}

void cpu_edges_on(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    e->steady = false;
    e->many = ep_unit_takes_many(e->unit);
    e->suspended = e->aborted = false;
    goes_on(cpu, place_of(cpu));
    ep_unit_on(e->unit, e->next);
}

void cpu_edges_off(struct cpu *cpu)
{
    cpu_edges_settle(cpu);
    cpu->edges->steady = false;
    ep_unit_off(cpu->edges->unit);
}

/* ---- what happens ------------------------------------------------------------------------------------------------ */

/* The first PSW that leads back to where the handler was entered from ends it. */
static bool still_suspended(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    const bool loaded = cpu->taken.whole_loads != e->loads;
    e->loads = cpu->taken.whole_loads;
    e->suspended = !loaded || cpu->psw.ia != e->next.address || cpu_problem_state(cpu) != e->problem ||
                   !ep_same_place(place_of(cpu), e->next);
    return e->suspended;
}

/* Branches are counted, and what comes between them is not remembered: it need not be told. */
static bool far_off(const struct cpu_edges *e) { return e->far && e->many && e->unit->far; }

static enum cpu_edges_way begin(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    const struct ep_filter *f = &e->unit->parameters.filter;
    const bool problem = cpu_problem_state(cpu);
    e->steady = false;
    if (!e->unit->on || (UNLIKELY(e->suspended) && still_suspended(cpu)))
        return CPU_EDGES_NOT;
    const struct ep_place now = place_of(cpu);
    if (UNLIKELY(problem != e->problem || !ep_same_place(now, e->next))) {
        if (!far_off(e)) {
            cpu_edges_settle(cpu);
            ep_unit_moved(e->unit, e->next, now, e->problem, e->aborted ? EP_ABORTED : EP_RESUME);
        }
        goes_on(cpu, now);
    }
    e->aborted = false;
    e->steady = !f->wants; /* that may say something else the next time */
    e->mask = cpu->psw.mask;
    e->cr1 = cpu->cr[1];
    e->cr13 = cpu->cr[13];
    if (!ep_state_wanted(f, problem) || !ep_space_wanted(f, now.space))
        return CPU_EDGES_NOT;
    return e->many ? CPU_EDGES_MANY : CPU_EDGES_EACH;
}

enum cpu_edges_way cpu_edges_begin(struct cpu *cpu)
{
    cpu->edges->way = (uint8_t)begin(cpu);
    return (enum cpu_edges_way)cpu->edges->way;
}

/* What was executed since the latest look was not the target program's, and goes on here. */
static void passed(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    if (!e->unit->on || e->suspended)
        return;
    goes_on(cpu, place_of(cpu));
    ep_unit_passed(e->unit, e->next);
}

static bool completes(const struct cpu *cpu, int code)
{
    return !code || code == CPU_SVC ||
           (code != CPU_PARTIAL && code != CPU_TX_ABORT && (cpu->zero_ilc || cpu_completes(cpu, code)));
}

/* `insn` at `from`, or executed there by one of `length` bytes, has completed. */
static void completed(struct cpu *cpu, struct ep_place from, const struct dis_insn *insn, unsigned length,
                      bool executed)
{
    struct cpu_edges *e = cpu->edges;
    const struct ep_place after = place_of(cpu);
    struct ep_branch b = {.from = from, .to = from, .insn = insn, .executed = executed, .problem = e->problem};
    b.to.address = (from.address + length) & ep_mode_mask(from.mode);
    if (ep_edge_branches(dis_edge_class(insn))) {
        cpu_edges_settle(cpu);
        b.taken = cpu->branched;
        if (b.taken)
            b.to = after;
        ep_unit_branch(e->unit, &b);
    } else if (executed || !far_off(e)) {
        /* What loads an address has no successor; what changes the space has. */
        const bool elsewhere = after.address != b.to.address;
        const bool moves = elsewhere || after.space != from.space || cpu_problem_state(cpu) != e->problem;
        if (elsewhere)
            b.to = from;
        if (executed || moves || after.mode != from.mode || e->unit->parameters.event == EP_EVENT_INSN) {
            cpu_edges_settle(cpu); /* what was collected is in the mode that it was collected in */
            ep_unit_instruction(e->unit, &b);
        }
        if (moves)
            ep_unit_moved(e->unit, b.to, after, e->problem, EP_PSW);
    }
    goes_on(cpu, after);
}

/* Likewise of a branch that has nothing special about it; what was collected is told. */
static void branched(struct cpu *cpu, enum dis_edge class)
{
    struct cpu_edges *e = cpu->edges;
    struct ep_place to = e->next;
    to.address = cpu->psw.ia;
    ep_unit_branched(e->unit, e->next, to, cpu->branched ? class : DIS_EDGE_NEVER);
    e->next = to;
}

void cpu_edges_end(struct cpu *cpu, const struct dis_insn *insn, int code)
{
    struct cpu_edges *e = cpu->edges;
    const bool plain = !code && !cpu->executed && cpu_edges_steady(cpu);
    if (plain && e->many && e->way != CPU_EDGES_NOT) {
        const enum dis_edge class = dis_edge_class(insn);
        if (ep_edge_branches(class)) {
            cpu_edges_settle(cpu);
            if (e->unit->pmc.left > 1) {
                branched(cpu, class);
                return;
            }
        }
    }
    if (e->way == CPU_EDGES_NOT)
        passed(cpu);
    else if (completes(cpu, code))
        completed(cpu, e->next, cpu->executed ? &e->target : insn, insn->length, cpu->executed);
    if (code == CPU_TX_ABORT) {
        e->aborted = true;
        e->steady = false;
    }
}

void cpu_edges_stopped(struct cpu *cpu, int code)
{
    static const struct dis_insn ordinary = {.row = DIS_NO_ROW};
    struct cpu_edges *e = cpu->edges;
    e->told = true;
    e->next.address = cpu->insn_ia;
    if (completes(cpu, code))
        completed(cpu, e->next, &ordinary, cpu->ilc, false);
}

void cpu_edges_run_ended(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    if (e->way == CPU_EDGES_NOT)
        passed(cpu);
    else if (!e->told)
        e->next.address = cpu->psw.ia;
}

void cpu_edges_alert(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    if (!e->unit->on || e->suspended)
        return;
    (void)cpu_edges_begin(cpu); /* the place that is interrupted is told of */
    e->suspended = true;
    e->steady = false;
    e->loads = cpu->taken.whole_loads + 1; /* with that of the interruption */
}

void cpu_edges_arm(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    const uint64_t far = ep_unit_far(e->unit), left = e->unit->pmc.left;
    if (e->far)
        e->start = (int64_t)far;
    else
        e->start = (int64_t)((left < CPU_EDGE_MOST ? left : CPU_EDGE_MOST) - 1) * CPU_EDGE;
    cpu->edge_word = e->start;
}

void cpu_edges_arm_run(struct cpu *cpu)
{
    cpu->edges->far = ep_unit_far(cpu->edges->unit) > CPU_EDGES_FAR;
    cpu_edges_arm(cpu);
}

void cpu_edges_stretch(struct cpu *cpu)
{
    const int64_t left = cpu_left(cpu), all = cpu->far_held + left;
    cpu->cycles += cpu_run_cycles(cpu);
    cpu->edge_word -= cpu_far_branches(cpu);
    int64_t next = (CPU_FAR_WEIGHT + 1) * cpu->edge_word;
    next = next < CPU_FAR_MOST ? next : CPU_FAR_MOST;
    next = next < all ? next : all;
    cpu->far_held = all - next;
    cpu->budget_start += next - left;
    cpu->budget = next * CPU_UNIT + CPU_FAR_ZERO * CPU_FAR;
}

void cpu_edges_far_begin(struct cpu *cpu)
{
    const int64_t left = cpu_left(cpu);
    cpu->cycles += cpu_run_cycles(cpu);
    cpu->far = 1;
    cpu->far_held = 0;
    cpu->budget = left * CPU_UNIT + CPU_FAR_ZERO * CPU_FAR;
    cpu_edges_stretch(cpu);
}

void cpu_edges_far_end(struct cpu *cpu)
{
    const int64_t left = cpu_left(cpu);
    cpu->cycles += cpu_run_cycles(cpu);
    cpu->edge_word -= cpu_far_branches(cpu);
    cpu->budget_start += cpu->far_held;
    cpu->budget = (left + cpu->far_held) * CPU_UNIT;
    cpu->far = 0;
}

void cpu_edges_counted(struct cpu *cpu)
{
    struct cpu_edges *e = cpu->edges;
    if (cpu->far) { /* units of the run stay as they are */
        const int64_t branches = cpu_far_branches(cpu);
        cpu->edge_word -= branches;
        cpu->budget -= branches * CPU_FAR;
        cpu->budget_start -= CPU_FAR_WEIGHT * branches;
        cpu->far_held += CPU_FAR_WEIGHT * branches;
    }
    if (cpu->edge_word >= e->start) /* a handler may still take back what it has counted */
        return;
    ep_unit_counted(e->unit, e->next, (uint64_t)(e->start - cpu->edge_word));
    cpu_edges_arm(cpu);
}

struct ep_marked cpu_edges_named(struct cpu *cpu, uint64_t first, uint64_t taken, bool trigger_taken)
{
    struct cpu_edges *e = cpu->edges;
    if (!first)
        e->ring[0].to = e->unit->at.address;
    return (struct ep_marked){.ring = e->ring,
                              .mask = e->slots - 1,
                              .newest = taken,
                              .count = (unsigned)(taken - first) + !trigger_taken,
                              .not_taken = trigger_taken ? NULL : (const uint8_t *)e->not_taken + 1,
                              .names = e->names,
                              .place = e->next,
                              .epoch = e->machine->epoch,
                              .context = cpu->fetch_tlb->generation + UINT64_C(1)};
}

bool cpu_edges_untold(const struct dis_insn *insn)
{
    const enum dis_edge class = dis_edge_class(insn);
    return insn->row < DIS_ROW_COUNT && (class == DIS_EDGE_ORD || class == DIS_EDGE_NEVER) &&
           !(dis_rows[insn->row].flags & (DIS_RI_STEP | DIS_EXECUTES | DIS_CHANGES_MODE));
}

/* ---- pages that were fetched from -------------------------------------------------------------------------------- */

bool cpu_edges_mark(struct cpu *cpu, uint64_t absolute)
{
    struct storage *s = &cpu->sys->storage;
    const uint64_t frame = absolute >> PAGE_BITS;
    if (LIKELY(s->page_flags[frame] & PAGE_PROFILED))
        return true;
    if (!cpu_alone(cpu->sys) && s->write_slots[frame]) {
        cpu->settle = cpu->wants_alone = true;
        return false;
    }
    __atomic_fetch_or(&s->page_flags[frame], PAGE_PROFILED, __ATOMIC_SEQ_CST);
    if (cpu_alone(cpu->sys))
        tlb_watch_page(cpu->sys, absolute & PAGE_ADDRESS);
    return true;
}

bool cpu_edges_fetched(struct cpu *cpu, unsigned length)
{
    struct cpu_edges *e = cpu->edges;
    uint64_t absolute;
    if (e->way == CPU_EDGES_NOT)
        return true;
    for (unsigned at = 0; at < length; at += length - 1) {
        const uint64_t ia = (cpu->insn_ia + at) & cpu->address_mask;
        if (at && cpu_page_left(cpu->insn_ia) >= length)
            break;
        if (cpu_instruction_page(cpu, ia, &absolute)) /* cannot be: it was fetched */
            return true;
        if (absolute >> PAGE_BITS == e->fetched)
            continue;
        if (!cpu_edges_mark(cpu, absolute))
            return false;
        e->fetched = absolute >> PAGE_BITS;
    }
    return true;
}
