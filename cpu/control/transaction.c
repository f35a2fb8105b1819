/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transactional execution. PoP chapter 5 (SA22-7832-13). */
#include "cpu/control/transaction.h"
#include "cpu/control/guarded.h"
#include "cpu/control/observe.h"
#include "cpu/control/psw.h"
#include "cpu/state/edges.h"
#include "cpu/state/per.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/lines.h"
#include "ri/counters/counters.h"
#include <stdlib.h>

#define DIAGNOSTIC_EVERY 1u /* abort every transaction */
#define DIAGNOSTIC_SOME  2u /* abort some */

#define DEPTH_MAX        15u
#define SINGLES_MAX      64u /* nontransactional stores */
#define CONSTRAINED_MAX  32u /* instructions of a constrained transaction */
#define CONSTRAINED_SPAN 256u

/* Transaction diagnostic block. */
#define TDB_REAL        6144u /* of a program interruption */
#define TDB_CONSTRAINED 0x40

/* What TRANSACTION BEGIN asked for, in effect at a nesting level. */
struct controls {
    bool access_registers, floating_point;
    uint8_t filtering;
};

struct transaction {
    bool ended;
    uint8_t save_mask; /* pairs of general registers to restore, leftmost bit for 0-1 */
    struct controls controls, outer[DEPTH_MAX];
    uint64_t saved[16];
    uint64_t abort_mask, abort_ia; /* transaction-abort PSW */
    uint64_t begin_ia;
    bool block_valid; /* a transaction diagnostic block was designated */
    uint64_t block;
    unsigned instructions; /* carried out by a constrained transaction */
    uint64_t abort_after;  /* by the diagnostic control: instructions left, 0 = no */
    unsigned singles;
    struct {
        uint64_t absolute, value;
    } single[SINGLES_MAX];
    struct lines lines;
};

bool cpu_tx_constrained(const struct cpu *cpu) { return cpu->tx_depth && cpu->lines->constrained; }

int cpu_tx_restricted(struct cpu *cpu)
{
    return cpu->lines->constrained ? PIC_TRANSACTION_CONSTRAINT : cpu_tx_abort_with(cpu, TX_RESTRICTED);
}

/* ---- waiting --------------------------------------------------------------------------------------------------- */

/* Storage as it was before the transaction, but for nontransactional stores. */
static void undo(struct cpu *cpu)
{
    const struct transaction *tx = cpu->tx;
    lines_undo(cpu);
    for (unsigned i = 0; i < tx->singles; i++) {
        put64(cpu->sys->storage.bytes + tx->single[i].absolute, tx->single[i].value);
        cpu_code_written(cpu->sys, tx->single[i].absolute, 8);
    }
}

void cpu_tx_suspend(struct cpu *cpu) { lines_suspend(cpu); }

int cpu_tx_resume(struct cpu *cpu)
{
    if (!cpu->lines->suspended)
        return 0;
    const struct line *changed = lines_changed(cpu);
    if (!changed) {
        lines_resume(cpu);
        return 0;
    }
    /* Another CPU or a channel program was there. The condition is met at the next instruction. */
    cpu->insn_ia = cpu->psw.ia;
    cpu->ilc = 2;
    cpu->tx_code = changed->stored ? TX_STORE_CONFLICT : TX_FETCH_CONFLICT;
    return cpu_tx_abort(cpu);
}

/* ---- which instructions ---------------------------------------------------------------------------------------- */

static bool is_float(const struct dis_row *row)
{
    return row->flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH | DIS_NEEDS_VECTOR);
}

/* Forms that give a cache line back, for which what was stored would have to be committed: code 6 or 7 in M1, or in R1
   with M3 zero. Fields that a format does not have are zero. */
static bool gives_back(const struct dis_insn *insn)
{
    return (dis_rows[insn->row].flags & DIS_GIVES_BACK) && insn->m3 == 0 && ((insn->m1 | insn->r1) & ~1u) == 6;
}

/* The branches of constrained transactions: relative, conditional by a mask that is not zero, forward. Chosen: what
   does not branch because its R2 or mask is zero is no branch otherwise (NOP, NOPR). */
static bool branch_allowed(const struct dis_insn *insn)
{
    if (!(dis_rows[insn->row].flags & DIS_TX_BRANCH))
        return dis_branch_class(insn) == DIS_BRANCH_NONE;
    const unsigned format = dis_rows[insn->row].format; /* where the mask is M1, the target is RI2, else RI3 */
    return format == DIS_FMT_RI_c || format == DIS_FMT_RIL_c ? insn->m1 && insn->i2 > 0 : insn->m3 && insn->ri3 > 0;
}

static bool constraint_violated(const struct transaction *tx, const struct cpu *cpu, const struct dis_insn *insn)
{
    const struct dis_row *row = &dis_rows[insn->row];
    uint64_t from = cpu->insn_ia - tx->begin_ia;
    if (from + insn->length > CONSTRAINED_SPAN || from > CONSTRAINED_SPAN || tx->instructions > CONSTRAINED_MAX)
        return true;
    if (row->flags & (DIS_TX_RESTRICTED | DIS_TX_CONSTRAINED | DIS_EXECUTES))
        return true;
    if (row->format >= DIS_FMT_SS_a && row->format <= DIS_FMT_SSE)
        return true;
    return !branch_allowed(insn);
}

int cpu_tx_check(struct cpu *cpu, const struct dis_insn *insn)
{
    struct transaction *tx = cpu->tx;
    const struct dis_row *row = &dis_rows[insn->row];
    if (!cpu->executed && insn->row != DIS_TEND) {
        tx->instructions++;
        if (tx->abort_after && --tx->abort_after == 0)
            return cpu_tx_abort_with(cpu, TX_MISCELLANEOUS);
    }
    if (tx->lines.constrained && insn->row != DIS_TEND && constraint_violated(tx, cpu, insn))
        return PIC_TRANSACTION_CONSTRAINT;
    if ((row->flags & DIS_TX_RESTRICTED) || (!tx->controls.floating_point && is_float(row)) ||
        (!tx->controls.access_registers && (row->flags & DIS_CHANGES_AR)) || gives_back(insn))
        return cpu_tx_restricted(cpu);
    return 0;
}

/* ---- beginning and end ----------------------------------------------------------------------------------------- */

/* Some number below `limit` that repeats with the run: the diagnostic control asks for random aborts. It has no state
   of its own, so that a snapshot has it. */
static unsigned random_below(const struct cpu *cpu, unsigned which, unsigned limit)
{
    uint64_t x = (2 * cpu_instructions(cpu) + which + 1) * UINT64_C(0x5851f42d4c957f2d);
    x = (x ^ x >> 32) * UINT64_C(0x14057b7ef767814f);
    return (unsigned)(x >> 33) % limit;
}

static void diagnose(struct cpu *cpu, struct transaction *tx)
{
    unsigned control = (unsigned)(cpu->cr[2] & CR2_DIAGNOSTIC_CONTROL);
    tx->abort_after = 0;
    if ((cpu->cr[2] & CR2_DIAGNOSTIC_SCOPE) && !cpu_problem_state(cpu))
        return;
    if (control == DIAGNOSTIC_EVERY && tx->lines.constrained)
        control = DIAGNOSTIC_SOME; /* else it would never end */
    if (control == DIAGNOSTIC_EVERY || (control == DIAGNOSTIC_SOME && random_below(cpu, 0, 2)))
        tx->abort_after = 1 + random_below(cpu, 1, CONSTRAINED_MAX);
}

static bool begin_outermost(struct cpu *cpu, const struct cpu_tx_request *request)
{
    if (!cpu->tx)
        cpu->tx = calloc(1, sizeof *cpu->tx);
    struct transaction *tx = cpu->tx;
    if (!tx)
        return false;
    cpu->lines = &tx->lines;
    lines_begin(&tx->lines, request->constrained);
    tx->singles = tx->instructions = 0;
    tx->ended = false;
    tx->save_mask = request->save_mask;
    memcpy(tx->saved, cpu->gr, sizeof tx->saved);
    tx->begin_ia = cpu->insn_ia;
    tx->abort_mask = cpu->psw.mask;
    tx->abort_ia = request->constrained ? cpu->insn_ia : cpu->psw.ia;
    tx->block_valid = request->has_block;
    tx->block = request->block;
    cpu->tx_code = 0;
    diagnose(cpu, tx);
    return true;
}

int cpu_tx_begin(struct cpu *cpu, const struct cpu_tx_request *request)
{
    struct controls now = {request->access_registers, request->floating_point, request->filtering};
    if (cpu->tx_depth == 0) {
        if (!begin_outermost(cpu, request)) { /* no host memory: as a transaction that aborts at once */
            cpu->cc = 2;
            return 0;
        }
    } else {
        struct transaction *tx = cpu->tx;
        if (cpu->tx_depth == DEPTH_MAX)
            return cpu_tx_abort_with(cpu, TX_NESTING);
        tx->outer[cpu->tx_depth - 1] = tx->controls;
        now.access_registers &= tx->controls.access_registers;
        now.floating_point &= tx->controls.floating_point;
        if (now.filtering < tx->controls.filtering)
            now.filtering = tx->controls.filtering;
    }
    cpu->tx->controls = now;
    cpu->tx_depth++;
    cpu->cc = 0;
    cpu_mode_changed(cpu);
    return 0;
}

int cpu_tx_end(struct cpu *cpu)
{
    struct transaction *tx = cpu->tx;
    if (cpu->tx_depth == 1 && tx->abort_after)
        return cpu_tx_abort_with(cpu, TX_MISCELLANEOUS);
    cpu->cc = 0;
    if (--cpu->tx_depth) {
        tx->controls = tx->outer[cpu->tx_depth - 1];
    } else {
        tx->ended = true;
        counters_transaction(cpu->counters, cpu->lines->constrained ? COUNTERS_TX_C_TEND : COUNTERS_TX_NC_TEND);
        per_transaction_end(cpu);
    }
    cpu_mode_changed(cpu);
    return 0;
}

int cpu_tx_single(struct cpu *cpu, uint64_t absolute, uint64_t value)
{
    struct transaction *tx = cpu->tx;
    unsigned n = 0;
    while (n < tx->singles && tx->single[n].absolute != absolute)
        n++;
    if (n == SINGLES_MAX)
        return cpu_tx_abort_with(cpu, TX_STORE_OVERFLOW);
    tx->single[n].absolute = absolute;
    tx->single[n].value = value;
    if (n == tx->singles)
        tx->singles++;
    return 0;
}

/* ---- abort ----------------------------------------------------------------------------------------------------- */

/* What a transaction diagnostic block tells of a program interruption. */
struct reason {
    uint64_t code;
    int program; /* program-interruption code, 0 = none */
    unsigned ilc;
};

/* Data- and vector-exception codes. */
static bool has_exception_code(int program) { return program == PIC_DATA || program == PIC_VECTOR_PROCESSING; }
static uint8_t exception_code(const struct cpu *cpu, int program) { return program == PIC_DATA ? cpu->dxc : cpu->vxc; }

static void fill_block(const struct cpu *cpu, const struct reason *why, uint8_t block[CPU_TX_BLOCK])
{
    memset(block, 0, CPU_TX_BLOCK);
    block[0] = 1; /* format */
    block[1] = cpu->lines->constrained ? TDB_CONSTRAINED : 0;
    put16(block + 6, cpu->tx_depth);
    put64(block + 8, why->code);
    put64(block + 24, cpu->insn_ia);
    if (why->program) {
        const int main_code = why->program & 0xff & ~PIC_PER_EVENT;
        block[32] = cpu->exception_access_id;
        if (has_exception_code(main_code))
            block[33] = exception_code(cpu, main_code);
        put32(block + 36, why->ilc << 16 | (uint32_t)why->program);
        put64(block + 40, cpu_code_stores_teid(main_code) ? cpu->teid : 0);
    }
    put64(block + 48, cpu->bear);
    for (unsigned i = 0; i < 16; i++)
        put64(block + 128 + 8 * i, cpu->gr[i]);
}

/* Condition codes of aborts. */
static uint8_t cc_of(const struct reason *why)
{
    if (why->code >= TX_TABORT)
        return why->code & 1 ? 3 : 2;
    switch (why->code) {
    case TX_FETCH_OVERFLOW:
    case TX_STORE_OVERFLOW:
    case TX_RESTRICTED:
    case TX_FILTERED:
    case TX_NESTING:
        return 3;
    case TX_PROGRAM:
        switch (why->program & 0xff & ~PIC_PER_EVENT) {
        case PIC_OPERATION:
        case PIC_PRIVILEGED_OPERATION:
        case PIC_EXECUTE:
        case PIC_TRANSLATION_SPECIFICATION:
        case PIC_SPECIAL_OPERATION:
        case PIC_TRANSACTION_CONSTRAINT:
            return 3;
        default:
            return 2;
        }
    default:
        return 2;
    }
}

/* Undo everything, go on at the transaction-abort PSW, store the diagnostic blocks. */
static void abort_now(struct cpu *cpu, const struct reason *why)
{
    struct transaction *tx = cpu->tx;
    uint8_t block[CPU_TX_BLOCK];
    fill_block(cpu, why, block);
    counters_transaction(cpu->counters, cpu->lines->constrained ? COUNTERS_TX_C_TABORT : COUNTERS_TX_NC_TABORT);
    undo(cpu);
    cpu->tx_depth = 0;
    cpu->lines->suspended = false;
    if (UNLIKELY(cpu->edges != NULL)) {
        cpu->edges->aborted = true;
        cpu->edges->steady = false;
    }
    if (cpu_load_psw(cpu, tx->abort_mask | (uint64_t)cc_of(why) << (63 - 19), tx->abort_ia))
        cpu->leave = true; /* cannot be: it was the current PSW */
    cpu->refetch = true;
    if (why->code == TX_PROGRAM) {
        uint64_t low = cpu->prefix + (uint64_t)TDB_REAL;
        memcpy(cpu->sys->storage.bytes + low, block, CPU_TX_BLOCK);
        cpu_code_stored(cpu, low, CPU_TX_BLOCK);
    }
    if (tx->block_valid) {
        const uint64_t teid = cpu->teid;
        const uint8_t access_id = cpu->exception_access_id, operand_id = cpu->operand_access_id;
        struct cpu_access access = {.address = tx->block,
                                    .space = CPU_SPACE_CURRENT, /* primary in the access-register mode */
                                    .key = (uint8_t)cpu_key(cpu),
                                    .kind = CPU_STORE,
                                    .no_per = true};
        if (cpu_store_as(cpu, &access, block, CPU_TX_BLOCK))
            cpu->cc = 1; /* it was accessible when the transaction began */
        cpu->teid = teid;
        cpu->exception_access_id = access_id;
        cpu->operand_access_id = operand_id;
    }
    for (unsigned i = 0; i < 16; i++)
        if (tx->save_mask & (0x80 >> (i / 2)))
            cpu->gr[i] = tx->saved[i];
}

/* The deferred report of run-time instrumentation: 0 or a program-interruption code, then with zero length code. */
static int report(struct cpu *cpu)
{
    struct ri_storage storage = cpu_ri_storage(cpu);
    struct ri_environment environment = cpu_ri_environment(cpu, &storage);
    int code = ri_transaction_end(cpu->ri, &environment);
    if (code)
        cpu->zero_ilc = true;
    return code;
}

int cpu_tx_abort(struct cpu *cpu)
{
    const struct reason why = {.code = cpu->tx_code};
    const bool problem = cpu_problem_state(cpu);
    const uint64_t ia = cpu->insn_ia;
    abort_now(cpu, &why);
    int code = report(cpu);
    if (!code)
        ri_transaction_aborted(cpu->ri, ia, why.code, cpu->psw.ia, problem);
    if (!code && why.code == TX_GUARDED)
        code = cpu_guarded_event(cpu, cpu->psw.ia);
    return code;
}

int cpu_tx_abort_for(struct cpu *cpu, enum cpu_tx_code code, bool purge)
{
    cpu->insn_ia = cpu->psw.ia;
    abort_now(cpu, &(struct reason){.code = code});
    return purge ? 0 : report(cpu); /* the interruption purges */
}

int cpu_tx_give_up(struct cpu *cpu)
{
    if (!cpu->tx_depth)
        return 0;
    cpu->insn_ia = cpu->psw.ia;
    cpu->tx_code = TX_MISCELLANEOUS;
    return cpu_tx_abort(cpu);
}

/* Class of an exception: 1 always interrupts, 2 is filtered by control 2, 3 by controls 1 and 2. */
static unsigned class_of(const struct cpu *cpu, int code)
{
    if (code & PIC_PER_EVENT)
        return 1;
    switch (code) {
    case PIC_PROTECTION:
    case PIC_ADDRESSING:
    case PIC_SEGMENT_TRANSLATION:
    case PIC_PAGE_TRANSLATION:
    case PIC_ASCE_TYPE:
    case PIC_REGION_FIRST_TRANSLATION:
    case PIC_REGION_SECOND_TRANSLATION:
    case PIC_REGION_THIRD_TRANSLATION:
        return cpu->tx_fetching ? 1 : 2;
    case PIC_ALET_SPECIFICATION:
    case PIC_ALEN_TRANSLATION:
    case PIC_ALE_SEQUENCE:
    case PIC_ASTE_VALIDITY:
    case PIC_ASTE_SEQUENCE:
    case PIC_EXTENDED_AUTHORITY:
        return 2;
    case PIC_DATA: /* not those by which an operating system provides registers when first used */
        return (cpu->dxc >= 1 && cpu->dxc <= 3) || cpu->dxc == 0xfe ? 1 : 3;
    case PIC_SPECIFICATION:
    case PIC_FIXED_POINT_OVERFLOW:
    case PIC_FIXED_POINT_DIVIDE:
    case PIC_DECIMAL_OVERFLOW:
    case PIC_DECIMAL_DIVIDE:
    case PIC_HFP_EXPONENT_OVERFLOW:
    case PIC_HFP_EXPONENT_UNDERFLOW:
    case PIC_HFP_SIGNIFICANCE:
    case PIC_HFP_DIVIDE:
    case PIC_HFP_SQUARE_ROOT:
    case PIC_VECTOR_PROCESSING:
        return cpu->tx_fetching ? 1 : 3;
    default:
        return 1;
    }
}

static bool filtered(const struct cpu *cpu, int code)
{
    const struct transaction *tx = cpu->tx;
    if (tx->lines.constrained || (cpu->cr[0] & CR0_FILTERING_OVERRIDE))
        return false;
    return class_of(cpu, code) + tx->controls.filtering > 3;
}

bool cpu_tx_program(struct cpu *cpu, int *code)
{
    struct reason why = {TX_PROGRAM, *code | PIC_TRANSACTION_ABORT, cpu->zero_ilc ? 0 : cpu->ilc};
    bool filter = filtered(cpu, *code);
    cpu->tx_fetching = false;
    if (!filter) {
        abort_now(cpu, &why);
        *code |= PIC_TRANSACTION_ABORT;
        return false;
    }
    why.code = TX_FILTERED;
    cpu->tx_code = TX_FILTERED;
    if (has_exception_code(*code) && cpu->tx->controls.floating_point)
        cpu_exception_code_to_fpc(cpu, exception_code(cpu, *code));
    const bool problem = cpu_problem_state(cpu);
    const uint64_t ia = cpu->insn_ia;
    abort_now(cpu, &why);
    cpu->exception_access_id = cpu->operand_access_id = 0;
    cpu->zero_ilc = false;
    *code = report(cpu);
    if (!*code)
        ri_transaction_aborted(cpu->ri, ia, TX_FILTERED, cpu->psw.ia, problem);
    return *code == 0;
}

int cpu_tx_ended(struct cpu *cpu, int code)
{
    if (LIKELY(!cpu->tx || !cpu->tx->ended))
        return code;
    cpu->tx->ended = false;
    if (code & ~PIC_PER_EVENT)
        return code;
    return code ? code : report(cpu);
}

void cpu_tx_reset(struct cpu *cpu)
{
    if (cpu->tx_depth)
        undo(cpu);
    cpu->tx_depth = 0;
}

/* ---- snapshots -------------------------------------------------------------------------------------------------- */

#define FIELD(member) field(context, #member, &tx->member, sizeof tx->member)

static void controls_fields(struct controls *c, cpu_tx_field *field, void *context)
{
    field(context, "access_registers", &c->access_registers, 1);
    field(context, "floating_point", &c->floating_point, 1);
    uint16_t filtering = c->filtering;
    field(context, "filtering", &filtering, 2);
    c->filtering = filtering <= CPU_TX_FILTERING_MAX ? (uint8_t)filtering : 0;
}

static void scalar_fields(struct transaction *tx, cpu_tx_field *field, void *context)
{
    uint16_t save_mask = tx->save_mask;
    field(context, "constrained", &tx->lines.constrained, 1);
    field(context, "save_mask", &save_mask, 2);
    tx->save_mask = (uint8_t)save_mask;
    controls_fields(&tx->controls, field, context);
    for (unsigned i = 0; i < DEPTH_MAX; i++)
        controls_fields(&tx->outer[i], field, context);
    FIELD(saved);
    FIELD(abort_mask);
    FIELD(abort_ia);
    FIELD(begin_ia);
    FIELD(block_valid);
    FIELD(block);
    FIELD(instructions);
    FIELD(abort_after);
    field(context, "octowords", &tx->lines.octowords, sizeof tx->lines.octowords);
    field(context, "octoword", tx->lines.octoword, sizeof tx->lines.octoword);
}

/* Does it lie in storage, on a boundary of `size` bytes? */
static bool is_place(const struct cpu *cpu, uint64_t absolute, unsigned size)
{
    return !(absolute & (size - 1)) && storage_has(&cpu->sys->storage, absolute, size);
}

static bool line_fields(struct cpu *cpu, unsigned n, cpu_tx_field *field, void *context)
{
    struct transaction *tx = cpu->tx;
    const bool known = n < tx->lines.count;
    uint64_t absolute = known ? tx->lines.line[n].absolute : 0;
    field(context, "line", &absolute, 8);
    if (!is_place(cpu, absolute, LINES_SIZE))
        return false;
    struct line *line = known ? &tx->lines.line[n] : lines_find(cpu, absolute);
    if (line != &tx->lines.line[n]) /* one line twice */
        return false;
    field(context, "stored", &line->stored, 1);
    field(context, "before", line->before, LINES_SIZE);
    if (line->stored)
        field(context, "mine", line->mine, LINES_SIZE);
    tx->lines.stored += !known && line->stored;
    return true;
}

bool cpu_tx_each_field(struct cpu *cpu, cpu_tx_field *field, void *context)
{
    uint16_t depth = cpu->tx_depth;
    field(context, "depth", &depth, 2);
    if (depth == 0)
        return true;
    const bool load = cpu->tx_depth == 0;
    if (load)
        cpu_tx_destroy(cpu);
    if (depth > DEPTH_MAX || (load && !(cpu->tx = calloc(1, sizeof *cpu->tx))))
        return false;
    struct transaction *tx = cpu->tx;
    cpu->lines = &tx->lines;
    uint32_t lines = tx->lines.count;
    field(context, "lines", &lines, 4);
    scalar_fields(tx, field, context);
    FIELD(singles);
    if (lines > LINES_MAX || tx->singles > SINGLES_MAX || tx->lines.octowords > LINES_OCTOWORDS)
        return false;
    for (unsigned n = 0; n < tx->singles; n++) {
        FIELD(single[n].absolute);
        FIELD(single[n].value);
        if (!is_place(cpu, tx->single[n].absolute, 8))
            return false;
    }
    for (unsigned n = 0; n < lines; n++)
        if (!line_fields(cpu, n, field, context))
            return false;
    tx->lines.suspended = true;
    cpu->tx_depth = (uint8_t)depth;
    return true;
}

void cpu_tx_destroy(struct cpu *cpu)
{
    free(cpu->tx);
    cpu->tx = NULL;
    cpu->lines = NULL;
}
