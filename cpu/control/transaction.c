/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transactional execution. PoP chapter 5 (SA22-7832-13). */
#include "cpu/control/transaction.h"
#include "cpu/storage/access.h"
#include "cpu/exec/bodies.h"
#include "cpu/control/guarded.h"
#include "cpu/control/interrupt.h"
#include "cpu/state/per.h"
#include "cpu/control/observe.h"
#include <stdlib.h>

#define DIAGNOSTIC_EVERY 1u /* abort every transaction */
#define DIAGNOSTIC_SOME  2u /* abort some */

#define DEPTH_MAX        15u
#define LINE             256u
#define LINES_MAX        512u /* lines accessed by one transaction: 128K bytes */
#define LINES_STORED     64u  /* of them stored into: 16K bytes */
#define SLOTS            1024u
#define SINGLES_MAX      64u /* nontransactional stores */
#define OCTOWORDS_MAX    4u  /* of a constrained transaction */
#define CONSTRAINED_MAX  32u /* instructions of a constrained transaction */
#define CONSTRAINED_SPAN 256u

/* Second operand of TRANSACTION BEGIN. */
#define CONTROL_ACCESS_REGISTERS 0x08u
#define CONTROL_FLOAT            0x04u
#define CONTROL_FILTERING        0x03u

/* Transaction diagnostic block. */
#define TDB_SIZE        256u
#define TDB_REAL        6144u /* of a program interruption */
#define TDB_CONSTRAINED 0x40

struct line {
    uint64_t absolute;
    bool stored;
    uint8_t before[LINE]; /* contents when first accessed */
    uint8_t mine[LINE];   /* while suspended: contents as the transaction has them */
};

/* What TRANSACTION BEGIN asked for, in effect at a nesting level. */
struct controls {
    bool access_registers, floating_point;
    uint8_t filtering;
};

struct transaction {
    bool constrained, ended, suspended;
    uint8_t save_mask; /* pairs of general registers to restore, leftmost bit for 0-1 */
    struct controls controls, outer[DEPTH_MAX];
    uint64_t saved[16];
    uint64_t abort_mask, abort_ia; /* transaction-abort PSW */
    uint64_t begin_ia;
    bool block_valid; /* a transaction diagnostic block was designated */
    uint64_t block;
    uint64_t code;         /* why it is to be aborted */
    unsigned instructions; /* carried out by a constrained transaction */
    uint64_t abort_after;  /* by the diagnostic control: instructions left, 0 = no */
    unsigned lines, stored, singles, octowords;
    uint64_t octoword[OCTOWORDS_MAX];
    struct {
        uint64_t absolute, value;
    } single[SINGLES_MAX];
    uint16_t slot[SLOTS]; /* number of a line + 1, by address */
    struct line line[LINES_MAX];
};

bool cpu_tx_constrained(const struct cpu *cpu) { return cpu->tx_depth && cpu->tx->constrained; }

uint64_t cpu_tx_code(const struct cpu *cpu) { return cpu->tx ? cpu->tx->code : 0; }

int cpu_tx_abort_with(struct cpu *cpu, uint64_t code)
{
    cpu->tx->code = code;
    return CPU_TX_ABORT;
}

int cpu_tx_restricted(struct cpu *cpu)
{
    return cpu->tx->constrained ? PIC_TRANSACTION_CONSTRAINT : cpu_tx_abort_with(cpu, TX_RESTRICTED);
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

static uint8_t *bytes_of(struct cpu *cpu, const struct line *line) { return cpu->sys->storage.bytes + line->absolute; }

static void put_line(struct cpu *cpu, const struct line *line, const uint8_t *contents)
{
    uint8_t *bytes = bytes_of(cpu, line);
    if (memcmp(bytes, contents, LINE) == 0)
        return;
    memcpy(bytes, contents, LINE);
    cpu_code_written(cpu->sys, line->absolute, LINE);
}

static struct line *find_line(struct cpu *cpu, uint64_t absolute)
{
    struct transaction *tx = cpu->tx;
    unsigned slot = (unsigned)(absolute / LINE * 0x9e3779b1u) % SLOTS;
    while (tx->slot[slot]) {
        struct line *line = &tx->line[tx->slot[slot] - 1];
        if (line->absolute == absolute)
            return line;
        slot = (slot + 1) % SLOTS;
    }
    if (tx->lines == LINES_MAX)
        return NULL;
    struct line *line = &tx->line[tx->lines++];
    tx->slot[slot] = (uint16_t)tx->lines;
    line->absolute = absolute;
    line->stored = false;
    memcpy(line->before, bytes_of(cpu, line), LINE);
    return line;
}

static bool too_many_octowords(struct transaction *tx, uint64_t absolute, unsigned length)
{
    for (uint64_t at = absolute & ~UINT64_C(31); at < absolute + length; at += 32) {
        unsigned i = 0;
        while (i < tx->octowords && tx->octoword[i] != at)
            i++;
        if (i < tx->octowords)
            continue;
        if (i == OCTOWORDS_MAX)
            return true;
        tx->octoword[tx->octowords++] = at;
    }
    return false;
}

int cpu_tx_access(struct cpu *cpu, uint64_t absolute, unsigned length, bool store)
{
    struct transaction *tx = cpu->tx;
    if (tx->constrained && too_many_octowords(tx, absolute, length))
        return PIC_TRANSACTION_CONSTRAINT;
    for (uint64_t at = absolute & ~(uint64_t)(LINE - 1); at < absolute + length; at += LINE) {
        struct line *line = find_line(cpu, at);
        if (!line)
            return cpu_tx_abort_with(cpu, store ? TX_STORE_OVERFLOW : TX_FETCH_OVERFLOW);
        if (!store || line->stored)
            continue;
        if (tx->stored == LINES_STORED)
            return cpu_tx_abort_with(cpu, TX_STORE_OVERFLOW);
        line->stored = true;
        tx->stored++;
    }
    return 0;
}

/* Storage as it was before the transaction, but for nontransactional stores. */
static void undo(struct cpu *cpu)
{
    struct transaction *tx = cpu->tx;
    for (unsigned i = 0; i < tx->lines; i++)
        if (tx->line[i].stored && !tx->suspended)
            put_line(cpu, &tx->line[i], tx->line[i].before);
    for (unsigned i = 0; i < tx->singles; i++) {
        put64(cpu->sys->storage.bytes + tx->single[i].absolute, tx->single[i].value);
        cpu_code_written(cpu->sys, tx->single[i].absolute, 8);
    }
}

void cpu_tx_suspend(struct cpu *cpu)
{
    struct transaction *tx = cpu->tx;
    for (unsigned i = 0; i < tx->lines; i++)
        if (tx->line[i].stored) {
            memcpy(tx->line[i].mine, bytes_of(cpu, &tx->line[i]), LINE);
            put_line(cpu, &tx->line[i], tx->line[i].before);
        }
    tx->suspended = true;
}

void cpu_tx_resume(struct cpu *cpu)
{
    struct transaction *tx = cpu->tx;
    if (!tx->suspended)
        return;
    for (unsigned i = 0; i < tx->lines; i++)
        if (memcmp(bytes_of(cpu, &tx->line[i]), tx->line[i].before, LINE) != 0) {
            /* Another CPU or a channel program was there. The condition is met at the next instruction. */
            cpu->insn_ia = cpu->psw.ia;
            cpu->ilc = 2;
            tx->code = tx->line[i].stored ? TX_STORE_CONFLICT : TX_FETCH_CONFLICT;
            int code = cpu_tx_abort(cpu);
            if (code)
                cpu_deliver(cpu, code);
            return;
        }
    for (unsigned i = 0; i < tx->lines; i++)
        if (tx->line[i].stored)
            put_line(cpu, &tx->line[i], tx->line[i].mine);
    tx->suspended = false;
}

/* ---- which instructions ---------------------------------------------------------------------------------------- */

static bool is_float(const struct dis_row *row)
{
    return (row->flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH | DIS_NEEDS_VECTOR)) || row->section[0] == '9' ||
           row->section[0] == '2' || strcmp(row->section, "18") == 0 || strcmp(row->section, "19") == 0;
}

/* Forms that give a cache line back, for which what was stored would have to be committed. */
static bool releases_line(const struct dis_insn *insn)
{
    switch (insn->row) {
    case DIS_PFD:
    case DIS_PFDRL:
        return insn->m1 == 6 || insn->m1 == 7;
    case DIS_STCMH:
        return insn->m3 == 0 && (insn->r1 == 6 || insn->r1 == 7);
    default:
        return false;
    }
}

static bool changes_access_registers(const struct dis_insn *insn)
{
    switch (insn->row) {
    case DIS_CPYA:
    case DIS_SAR:
    case DIS_LAE:
    case DIS_LAEY:
    case DIS_LAM:
    case DIS_LAMY:
        return true;
    default:
        return false;
    }
}

/* The branches of constrained transactions: relative, conditional by a mask that is not zero, forward. Chosen: what
   does not branch because its R2 or mask is zero is no branch otherwise (NOP, NOPR). */
static bool branch_allowed(const struct dis_insn *insn)
{
    switch (insn->row) {
    case DIS_BRC:
    case DIS_BRCL:
        return insn->m1 && insn->i2 > 0;
    case DIS_CRJ:
    case DIS_CGRJ:
    case DIS_CLRJ:
    case DIS_CLGRJ:
    case DIS_CIJ:
    case DIS_CGIJ:
    case DIS_CLIJ:
    case DIS_CLGIJ:
        return insn->m3 && insn->ri3 > 0;
    default:
        return dis_branch_class(insn) == DIS_BRANCH_NONE;
    }
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
    if (tx->constrained && insn->row != DIS_TEND && constraint_violated(tx, cpu, insn))
        return PIC_TRANSACTION_CONSTRAINT;
    if ((row->flags & DIS_TX_RESTRICTED) || (!tx->controls.floating_point && is_float(row)) ||
        (!tx->controls.access_registers && changes_access_registers(insn)) || releases_line(insn))
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
    if (control == DIAGNOSTIC_EVERY && tx->constrained)
        control = DIAGNOSTIC_SOME; /* else it would never end */
    if (control == DIAGNOSTIC_EVERY || (control == DIAGNOSTIC_SOME && random_below(cpu, 0, 2)))
        tx->abort_after = 1 + random_below(cpu, 1, CONSTRAINED_MAX);
}

static bool begin_outermost(struct cpu *cpu, const struct dis_insn *i, bool constrained, uint64_t block)
{
    if (!cpu->tx)
        cpu->tx = calloc(1, sizeof *cpu->tx);
    struct transaction *tx = cpu->tx;
    if (!tx)
        return false;
    memset(tx->slot, 0, sizeof tx->slot);
    tx->lines = tx->stored = tx->singles = tx->octowords = tx->instructions = 0;
    tx->constrained = constrained;
    tx->ended = tx->suspended = false;
    tx->save_mask = (uint8_t)((uint32_t)i->i2 >> 8);
    memcpy(tx->saved, cpu->gr, sizeof tx->saved);
    tx->begin_ia = cpu->insn_ia;
    tx->abort_mask = cpu->psw.mask;
    tx->abort_ia = constrained ? cpu->insn_ia : cpu->psw.ia;
    tx->block_valid = !constrained && i->b1;
    tx->block = block;
    tx->code = 0;
    diagnose(cpu, tx);
    return true;
}

static int begin(struct cpu *cpu, const struct dis_insn *i, bool constrained, uint64_t block)
{
    const uint8_t asked = (uint8_t)i->i2;
    struct controls now = {asked & CONTROL_ACCESS_REGISTERS, !constrained && (asked & CONTROL_FLOAT),
                           constrained ? 0 : asked & CONTROL_FILTERING};
    if (cpu->tx_depth == 0) {
        if (!begin_outermost(cpu, i, constrained, block)) { /* no host memory: as a transaction that aborts at once */
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

/* TRANSACTION BEGIN (nonconstrained). The first operand, when B1 is not zero, is the transaction diagnostic block (in
   the primary space also in the access-register mode); the second has the controls. CC: 0. Exceptions: operation;
   special operation; execute; specification (doubleword boundary, filtering control 3); access (store, first operand).
 */
int cpu_tbegin(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t block = cpu_ea1(cpu, i);
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    if (cpu->executed)
        return PIC_EXECUTE;
    if ((i->i2 & CONTROL_FILTERING) == CONTROL_FILTERING || (i->b1 && (block & 7)))
        return PIC_SPECIFICATION;
    if (i->b1 && cpu->tx_depth == 0) {
        int code = cpu_test(cpu, block, 0, TDB_SIZE, CPU_STORE);
        if (code)
            return code;
    }
    return begin(cpu, i, false, block);
}

/* TRANSACTION BEGIN (constrained). CC: 0. Exceptions: operation; special operation; execute; specification (B1 not
   zero); transaction constraint. */
int cpu_tbeginc(struct cpu *cpu, const struct dis_insn *i)
{
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    if (cpu->executed)
        return PIC_EXECUTE;
    if (i->b1)
        return PIC_SPECIFICATION;
    return begin(cpu, i, true, 0);
}

/* TRANSACTION END. CC: 0 it was in the transactional-execution mode, 2 not. Exceptions: operation; special operation;
   execute. */
int cpu_tend(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    if (cpu->executed)
        return PIC_EXECUTE;
    if (cpu->tx_depth == 0) {
        cpu->cc = 2;
        return 0;
    }
    struct transaction *tx = cpu->tx;
    if (cpu->tx_depth == 1 && tx->abort_after)
        return cpu_tx_abort_with(cpu, TX_MISCELLANEOUS);
    cpu->cc = 0;
    if (--cpu->tx_depth) {
        tx->controls = tx->outer[cpu->tx_depth - 1];
    } else {
        tx->ended = true;
        per_transaction_end(cpu);
    }
    cpu_mode_changed(cpu);
    return 0;
}

/* TRANSACTION ABORT. The second-operand address is the abort code. CC: that of the abort, by the rightmost bit of the
   code. Exceptions: operation; special operation; specification (codes 0-255); transaction constraint. */
int cpu_tabort(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t code = cpu_ea2(cpu, i);
    if (!(cpu->cr[0] & CR0_TRANSACTIONS) || !cpu->tx_depth)
        return PIC_SPECIAL_OPERATION;
    if (code < TX_TABORT)
        return PIC_SPECIFICATION;
    return cpu_tx_abort_with(cpu, code);
}

/* EXTRACT TRANSACTION NESTING DEPTH into bits 32-63 of R1. CC: unchanged. Exceptions: operation; special operation;
   transaction constraint. */
int cpu_etnd(struct cpu *cpu, const struct dis_insn *i)
{
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    set_gr32(cpu, i->r1, cpu->tx_depth);
    return 0;
}

/* NONTRANSACTIONAL STORE of a doubleword, which stays when the transaction is aborted. CC: unchanged. Exceptions:
   operation; specification (doubleword boundary); access (store); transaction constraint. */
int cpu_ntstg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    uint8_t *host;
    if (address & 7)
        return PIC_SPECIFICATION;
    int code = cpu_page(cpu, address, i->b2, 8, CPU_STORE, &host);
    if (code)
        return code;
    put64(host, cpu->gr[i->r1]);
    if (!cpu->tx_depth)
        return 0;
    struct transaction *tx = cpu->tx;
    uint64_t absolute = (uint64_t)(host - cpu->sys->storage.bytes);
    unsigned n = 0;
    while (n < tx->singles && tx->single[n].absolute != absolute)
        n++;
    if (n == SINGLES_MAX)
        return cpu_tx_abort_with(cpu, TX_STORE_OVERFLOW);
    tx->single[n].absolute = absolute;
    tx->single[n].value = cpu->gr[i->r1];
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

static void fill_block(const struct cpu *cpu, const struct reason *why, uint8_t block[TDB_SIZE])
{
    memset(block, 0, TDB_SIZE);
    block[0] = 1; /* format */
    block[1] = cpu->tx->constrained ? TDB_CONSTRAINED : 0;
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
    uint8_t block[TDB_SIZE];
    fill_block(cpu, why, block);
    undo(cpu);
    cpu->tx_depth = 0;
    tx->suspended = false;
    if (cpu_load_psw(cpu, tx->abort_mask | (uint64_t)cc_of(why) << (63 - 19), tx->abort_ia))
        cpu->leave = true; /* cannot be: it was the current PSW */
    cpu->refetch = true;
    if (why->code == TX_PROGRAM) {
        uint64_t low = cpu->prefix + (uint64_t)TDB_REAL;
        memcpy(cpu->sys->storage.bytes + low, block, TDB_SIZE);
        cpu_code_stored(cpu, low, TDB_SIZE);
    }
    if (tx->block_valid) {
        const uint64_t teid = cpu->teid;
        const uint8_t access_id = cpu->exception_access_id, operand_id = cpu->operand_access_id;
        struct cpu_access access = {.address = tx->block,
                                    .space = CPU_SPACE_CURRENT, /* primary in the access-register mode */
                                    .key = (uint8_t)cpu_key(cpu),
                                    .kind = CPU_STORE,
                                    .no_per = true};
        if (cpu_store_as(cpu, &access, block, TDB_SIZE))
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
    const struct reason why = {.code = cpu->tx->code};
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

void cpu_tx_abort_for(struct cpu *cpu, enum cpu_tx_code code, bool purge)
{
    cpu->insn_ia = cpu->psw.ia;
    abort_now(cpu, &(struct reason){.code = code});
    if (purge)
        return; /* the interruption does it */
    int report_code = report(cpu);
    if (report_code)
        cpu_deliver(cpu, report_code);
}

void cpu_tx_give_up(struct cpu *cpu)
{
    if (!cpu->tx_depth)
        return;
    cpu->insn_ia = cpu->psw.ia;
    cpu->tx->code = TX_MISCELLANEOUS;
    int code = cpu_tx_abort(cpu);
    if (code)
        cpu_deliver(cpu, code);
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
    if (tx->constrained || (cpu->cr[0] & CR0_FILTERING_OVERRIDE))
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
    cpu->tx->code = TX_FILTERED;
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
    c->filtering = filtering < CONTROL_FILTERING ? (uint8_t)filtering : 0;
}

static void scalar_fields(struct transaction *tx, cpu_tx_field *field, void *context)
{
    uint16_t save_mask = tx->save_mask;
    FIELD(constrained);
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
    FIELD(octowords);
    FIELD(octoword);
}

/* Does it lie in storage, on a boundary of `size` bytes? */
static bool is_place(const struct cpu *cpu, uint64_t absolute, unsigned size)
{
    return !(absolute & (size - 1)) && storage_has(&cpu->sys->storage, absolute, size);
}

static bool line_fields(struct cpu *cpu, unsigned n, cpu_tx_field *field, void *context)
{
    struct transaction *tx = cpu->tx;
    const bool known = n < tx->lines;
    uint64_t absolute = known ? tx->line[n].absolute : 0;
    field(context, "line", &absolute, 8);
    if (!is_place(cpu, absolute, LINE))
        return false;
    struct line *line = known ? &tx->line[n] : find_line(cpu, absolute);
    if (line != &tx->line[n]) /* one line twice */
        return false;
    field(context, "stored", &line->stored, 1);
    field(context, "before", line->before, LINE);
    if (line->stored)
        field(context, "mine", line->mine, LINE);
    tx->stored += !known && line->stored;
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
    uint32_t lines = tx->lines;
    field(context, "lines", &lines, 4);
    scalar_fields(tx, field, context);
    FIELD(singles);
    if (lines > LINES_MAX || tx->singles > SINGLES_MAX || tx->octowords > OCTOWORDS_MAX)
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
    tx->suspended = true;
    cpu->tx_depth = (uint8_t)depth;
    return true;
}

void cpu_tx_destroy(struct cpu *cpu)
{
    free(cpu->tx);
    cpu->tx = NULL;
}
