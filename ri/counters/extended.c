/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters that the pipeline model feeds: pairs, PMCs, the documented extended counters, and those of the basic set
   that count cache lines. What a program reads is the growth of the model's totals while their set was active.
   Event-counter specification 4.4. */
#include "ri/counters/internal.h"

/* Where pairs and PMCs are, by the counter second version number. */
static const struct block {
    uint8_t version, first, pairs, pmc;
} blocks[] = {{3, 180, 22, 224}, {4, 180, 17, 214}, {5, 176, 22, 220}, {6, 176, 22, 220}, {7, 184, 18, 220}};

static const struct block *block_of(const struct counters *c)
{
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].version == c->profile.second_version)
            return &blocks[i];
    return NULL;
}

unsigned counters_pairs(const struct counters *c, unsigned *pairs, unsigned *pmc)
{
    const struct block *block = block_of(c);
    *pairs = block ? block->pairs : 0;
    *pmc = block ? block->pmc : 0;
    return block ? block->first : 0;
}

enum source {
    DATA_TLB1,
    CODE_TLB1,
    DATA_TLB1_CYCLES,
    CODE_TLB1_CYCLES,
    DATA_TLB2,
    CODE_TLB2,
    DATA_WALK,
    CODE_WALK,
    PAGE_ENTRIES,
    WALKS,
    PENALTIES,
    DATA_L2,
    CODE_L2,
    DATA_L3,
    CODE_L3,
    DATA_MEMORY,
    CODE_MEMORY,
    DECIMALS
};
/* Documented numbers by machine, 0: it has no such counter; z15 has those of z14. Up to z13 they are of the first-level
   TLBs, later of the second-level one. Source: SA23-2261. */
enum machine { ZEC12, Z13, Z14, Z16, MACHINES };
static const struct documented {
    uint8_t number[MACHINES], source;
} documented[] = {
    {{133, 129, 0, 0}, DATA_TLB1},        {{140, 134, 0, 0}, CODE_TLB1},        {{128, 130, 0, 0}, DATA_TLB1_CYCLES},
    {{129, 135, 0, 0}, CODE_TLB1_CYCLES}, {{0, 0, 129, 129}, DATA_TLB2},        {{0, 0, 134, 134}, CODE_TLB2},
    {{0, 0, 130, 130}, DATA_WALK},        {{0, 0, 135, 135}, CODE_WALK},        {{132, 133, 133, 145}, DATA_L2},
    {{131, 136, 136, 169}, CODE_L2},      {{141, 137, 137, 137}, PAGE_ENTRIES}, {{0, 0, 139, 139}, WALKS},
    {{0, 143, 143, 143}, PENALTIES},      {{144, 144, 144, 149}, DATA_L3},      {{153, 162, 162, 173}, CODE_L3},
    {{135, 161, 145, 156}, DATA_MEMORY},  {{137, 179, 163, 180}, CODE_MEMORY},  {{0, 0, 226, 226}, DECIMALS},
};
/* Of transactions, by enum counters_transaction. */
static const uint8_t transactions[][MACHINES] = {
    [COUNTERS_TX_C_TEND] = {158, 140, 140, 140},
    [COUNTERS_TX_NC_TEND] = {149, 141, 141, 141},
    [COUNTERS_TX_NC_TABORT] = {177, 218, 243, 244},
    [COUNTERS_TX_C_TABORT] = {178, 219, 244, 245},
};

static enum machine machine_of(const struct counters *c)
{
    const unsigned version = c->profile.second_version;
    return version == 3                   ? ZEC12
           : version == 4                 ? Z13
           : version == 5 || version == 6 ? Z14
           : version == 7                 ? Z16
                                          : MACHINES;
}

void counters_transaction(struct counters *c, enum counters_transaction what)
{
    const enum machine machine = machine_of(c);
    if (c->active & COUNTERS_EXTENDED && machine < MACHINES)
        c->value[transactions[what][machine]]++;
}

/* Cycles that misses of the first-level TLB took, [1] data. */
static uint64_t tlb1_cycles(const struct counters *c, const struct ec_totals *t, unsigned data)
{
    const struct ec_sources *s = ec_model_sources(c->model);
    const uint64_t misses = t->all[data ? EC_DTLB1_MISS : EC_ITLB1_MISS];
    return s->walk[data] + (misses - s->tlb2[data]) * ec_model_profile(c->model)->lat_tlb2;
}

/* Names of sources: up to z13, of z14 and z15, of z16. */
static const char *const source_names[][3] = {
    [DATA_TLB1] = {"DTLB1_WRITES"},
    [CODE_TLB1] = {"ITLB1_WRITES"},
    [DATA_TLB1_CYCLES] = {"DTLB1_MISSES"},
    [CODE_TLB1_CYCLES] = {"ITLB1_MISSES"},
    [DATA_TLB2] = {NULL, "DTLB2_WRITES", "DTLB2_WRITES"},
    [CODE_TLB2] = {NULL, "ITLB2_WRITES", "ITLB2_WRITES"},
    [DATA_WALK] = {NULL, "DTLB2_MISSES", "DTLB2_MISSES"},
    [CODE_WALK] = {NULL, "ITLB2_MISSES", "ITLB2_MISSES"},
    [PAGE_ENTRIES] = {"TLB2_PTE_WRITES", "TLB2_PTE_WRITES", "TLB2_PTE_WRITES"},
    [WALKS] = {NULL, "TLB2_ENGINES_BUSY", "TLB2_ENGINES_BUSY"},
    [PENALTIES] = {"L1C_TLB1_MISSES", "L1C_TLB2_MISSES", "L1C_TLB2_MISSES"},
    [DATA_L2] = {"L1D_L2D_SOURCED_WRITES", "L1D_L2D_SOURCED_WRITES", "DCW_REQ"},
    [CODE_L2] = {"L1I_L2I_SOURCED_WRITES", "L1I_L2I_SOURCED_WRITES", "ICW_REQ"},
    [DATA_L3] = {"L1D_ONCHIP_L3_SOURCED_WRITES", "L1D_ONCHIP_L3_SOURCED_WRITES", "DCW_ON_CHIP"},
    [CODE_L3] = {"L1I_ONCHIP_L3_SOURCED_WRITES", "L1I_ONCHIP_L3_SOURCED_WRITES", "ICW_ON_CHIP"},
    [DATA_MEMORY] = {"L1D_ONCHIP_MEM_SOURCED_WRITES", "L1D_ONCHIP_MEMORY_SOURCED_WRITES", "DCW_ON_CHIP_MEMORY"},
    [CODE_MEMORY] = {"L1I_ONCHIP_MEM_SOURCED_WRITES", "L1I_ONCHIP_MEMORY_SOURCED_WRITES", "ICW_ON_CHIP_MEMORY"},
    [DECIMALS] = {NULL, "DECIMAL_INSTRUCTIONS", "DECIMAL_INSTRUCTIONS"},
};
static const char *const transaction_names[] = {
    [COUNTERS_TX_C_TEND] = "TX_C_TEND",
    [COUNTERS_TX_NC_TEND] = "TX_NC_TEND",
    [COUNTERS_TX_NC_TABORT] = "TX_NC_TABORT",
    [COUNTERS_TX_C_TABORT] = "TX_C_TABORT_NO_SPECIAL",
};

static const char *extended_name(const struct counters *c, unsigned number)
{
    const enum machine machine = machine_of(c);
    for (unsigned i = 0; machine < MACHINES && i < sizeof documented / sizeof *documented; i++)
        if (documented[i].number[machine] == number) {
            if (machine == ZEC12 && (number == 135 || number == 137))
                return number == 135 ? "L1D_LMEM_SOURCED_WRITES" : "L1I_LMEM_SOURCED_WRITES";
            return source_names[documented[i].source][machine <= Z13 ? 0 : machine == Z14 ? 1 : 2];
        }
    for (unsigned i = 0; machine < MACHINES && i < sizeof transactions / sizeof *transactions; i++)
        if (transactions[i][machine] == number)
            return transaction_names[i];
    return NULL;
}

const char *counters_name(const struct counters *c, unsigned number)
{
    static const char *const first[] = {"CPU_CYCLES",         "INSTRUCTIONS",   "L1I_DIR_WRITES",
                                        "L1I_PENALTY_CYCLES", "L1D_DIR_WRITES", "L1D_PENALTY_CYCLES"};
    static const char *const problem[] = {"PROBLEM_STATE_CPU_CYCLES",     "PROBLEM_STATE_INSTRUCTIONS",
                                          "PROBLEM_STATE_L1I_DIR_WRITES", "PROBLEM_STATE_L1I_PENALTY_CYCLES",
                                          "PROBLEM_STATE_L1D_DIR_WRITES", "PROBLEM_STATE_L1D_PENALTY_CYCLES"};
    static const char *const crypto[] = {
        "PRNG_FUNCTIONS",     "PRNG_CYCLES",      "PRNG_BLOCKED_FUNCTIONS",     "PRNG_BLOCKED_CYCLES",
        "SHA_FUNCTIONS",      "SHA_CYCLES",       "SHA_BLOCKED_FUNCTIONS",      "SHA_BLOCKED_CYCLES",
        "DEA_FUNCTIONS",      "DEA_CYCLES",       "DEA_BLOCKED_FUNCTIONS",      "DEA_BLOCKED_CYCLES",
        "AES_FUNCTIONS",      "AES_CYCLES",       "AES_BLOCKED_FUNCTIONS",      "AES_BLOCKED_CYCLES",
        "ECC_FUNCTION_COUNT", "ECC_CYCLES_COUNT", "ECC_BLOCKED_FUNCTION_COUNT", "ECC_BLOCKED_CYCLES_COUNT"};
    if (number < sizeof first / sizeof *first)
        return first[number];
    if (number - COUNTER_PROBLEM_CYCLES < sizeof problem / sizeof *problem)
        return problem[number - COUNTER_PROBLEM_CYCLES];
    if (number - COUNTER_CRYPTO < sizeof crypto / sizeof *crypto)
        return crypto[number - COUNTER_CRYPTO];
    return number == COUNTER_MT_CYCLES ? "MT_DIAG_CYCLES_ONE_THR_ACTIVE" : extended_name(c, number);
}

static uint64_t source_of(const struct counters *c, unsigned source, const struct ec_totals *t)
{
    const struct ec_sources *s = ec_model_sources(c->model);
    switch (source) {
    case DATA_TLB1:
        return t->all[EC_DTLB1_MISS];
    case CODE_TLB1:
        return t->all[EC_ITLB1_MISS];
    case DATA_TLB1_CYCLES:
        return tlb1_cycles(c, t, 1);
    case CODE_TLB1_CYCLES:
        return tlb1_cycles(c, t, 0);
    case DATA_TLB2:
        return s->tlb2[1];
    case CODE_TLB2:
        return s->tlb2[0];
    case DATA_WALK:
        return s->walk[1];
    case CODE_WALK:
        return s->walk[0];
    case PAGE_ENTRIES:
        return s->tlb2[0] + s->tlb2[1];
    case WALKS:
        return s->walk[0] + s->walk[1];
    case PENALTIES:
        return t->all[EC_L1I_PEN] + t->all[EC_L1D_PEN] + s->walk[0] + s->walk[1];
    case DATA_L2:
        return s->l2[1];
    case CODE_L2:
        return s->l2[0];
    case DATA_L3:
        return s->l3[1];
    case CODE_L3:
        return s->l3[0];
    case DATA_MEMORY:
        return s->memory[1];
    case CODE_MEMORY:
        return s->memory[0];
    default:
        return s->decimal;
    }
}

/* Events behind counters 2 to 5 of the basic set; 34 to 37 of the problem-state set count the same there. */
static const uint8_t basic[] = {[2] = EC_L1I_MISS, [3] = EC_L1I_PEN, [4] = EC_L1D_MISS, [5] = EC_L1D_PEN};

static bool is_problem(const struct counters *c, unsigned number)
{
    return c->profile.first_version == 1 && number >= COUNTER_PROBLEM_CYCLES + 2 &&
           number < COUNTER_PROBLEM_CYCLES + sizeof basic;
}

/* The model's total that stands behind a counter; 0 for all others. */
static uint64_t total(const struct counters *c, unsigned number, const struct ec_totals *t)
{
    const struct block *block = block_of(c);
    const enum machine machine = machine_of(c);
    if (number < sizeof basic)
        return basic[number] ? t->all[basic[number]] : 0;
    if (is_problem(c, number))
        return t->all[basic[number - COUNTER_PROBLEM_CYCLES]];
    if (block && number >= block->first && number < block->first + 2u * block->pairs) {
        const enum ec_event e = ec_pair_event((number - block->first) / 2);
        return (number - block->first) & 1 ? t->completed[e] : t->all[e];
    }
    for (unsigned i = 0; machine < MACHINES && i < sizeof documented / sizeof *documented; i++)
        if (documented[i].number[machine] == number)
            return source_of(c, documented[i].source, t);
    return 0;
}

/* Sets that the model feeds, with the range of their numbers that it does. */
static const struct {
    uint16_t set;
    uint16_t first, last;
} fed[] = {{COUNTERS_BASIC, 2, 5}, {COUNTERS_EXTENDED, 128, 287}};
#define FED (sizeof fed / sizeof *fed)

/* Which instructions are of the problem state only the moment tells: what grew since the last look is theirs or is not.
 */
void counters_problem_view(struct counters *c, bool problem)
{
    const struct ec_pmu *pmu = &ec_model_counting(c->model)->pmu;
    for (unsigned n = COUNTER_PROBLEM_CYCLES + 2; is_problem(c, n); n++) {
        const uint64_t now = pmu->all[basic[n - COUNTER_PROBLEM_CYCLES]];
        c->value[n] += problem ? now - c->origin[n] : 0;
        c->origin[n] = now;
    }
}

/* Of each counter of these sets that is fed: what it grew since its origin is added, and its origin is now. */
static void view(struct counters *c, unsigned sets, bool grown)
{
    struct ec_totals t;
    if (!c->model || !(sets & (COUNTERS_BASIC | COUNTERS_EXTENDED)))
        return;
    ec_model_totals(c->model, &t);
    for (unsigned i = 0; i < FED; i++)
        for (unsigned n = fed[i].first; sets & fed[i].set && n <= fed[i].last; n++) {
            const uint64_t now = total(c, n, &t);
            c->value[n] += grown ? now - c->origin[n] : 0;
            c->origin[n] = now;
        }
}

void counters_begin_view(struct counters *c, unsigned sets)
{
    view(c, sets, false);
    if (c->model && sets & COUNTERS_PROBLEM)
        counters_problem_view(c, false);
}
void counters_end_view(struct counters *c, unsigned sets) { view(c, sets, true); }

void counters_clear(struct counters *c, unsigned what)
{
    counters_end_view(c, c->active);
    ec_model_clear(c->model, what);
    counters_begin_view(c, c->active);
}

/* PMC1 to PMC4 by their numbers; -1: it is none. */
static int pmc_of(const struct counters *c, unsigned number)
{
    const struct block *block = block_of(c);
    return c->model && block && number >= block->pmc && number < block->pmc + 4u ? (int)(number - block->pmc) : -1;
}

uint64_t counters_value(const struct counters *c, unsigned number)
{
    const int pmc = pmc_of(c, number);
    struct ec_totals t;
    if (pmc >= 0) {
        struct ec_pmu pmu;
        ec_model_pmu(c->model, &pmu);
        return pmu.pmc[pmc];
    }
    for (unsigned i = 0; c->model && i < FED; i++)
        if (c->active & fed[i].set && number >= fed[i].first && number <= fed[i].last) {
            ec_model_totals(c->model, &t);
            return c->value[number] + total(c, number, &t) - c->origin[number];
        }
    return c->value[number];
}

void counters_set_value(struct counters *c, unsigned number, uint64_t value)
{
    const int pmc = pmc_of(c, number);
    struct ec_totals t;
    if (pmc >= 0) {
        ec_set_register(ec_model_counting(c->model), (enum ec_register)(EC_PMC1 + pmc), (uint32_t)value);
        return;
    }
    c->value[number] = value;
    if (!c->model)
        return;
    ec_model_totals(c->model, &t);
    c->origin[number] = total(c, number, &t);
}
