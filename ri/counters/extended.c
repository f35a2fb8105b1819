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
/* Documented numbers: on z14 and z15, on z16. */
static const struct documented {
    uint8_t z14, z16, source;
} documented[] = {
    {129, 129, DATA_TLB2},   {134, 134, CODE_TLB2}, {130, 130, DATA_WALK},    {135, 135, CODE_WALK},
    {133, 145, DATA_L2},     {136, 169, CODE_L2},   {137, 137, PAGE_ENTRIES}, {139, 139, WALKS},
    {143, 143, PENALTIES},   {144, 149, DATA_L3},   {162, 173, CODE_L3},      {145, 156, DATA_MEMORY},
    {163, 180, CODE_MEMORY}, {226, 226, DECIMALS},
};

static uint64_t source_of(const struct counters *c, unsigned source, const struct ec_totals *t)
{
    const struct ec_sources *s = ec_model_sources(c->model);
    switch (source) {
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

/* The model's total that stands behind a counter; 0 for all others. */
static uint64_t total(const struct counters *c, unsigned number, const struct ec_totals *t)
{
    static const uint8_t basic[] = {[2] = EC_L1I_MISS, [3] = EC_L1I_PEN, [4] = EC_L1D_MISS, [5] = EC_L1D_PEN};
    const struct block *block = block_of(c);
    const unsigned version = c->profile.second_version;
    if (number < sizeof basic)
        return basic[number] ? t->all[basic[number]] : 0;
    if (block && number >= block->first && number < block->first + 2u * block->pairs) {
        const enum ec_event e = ec_pair_event((number - block->first) / 2);
        return (number - block->first) & 1 ? t->completed[e] : t->all[e];
    }
    for (unsigned i = 0; version >= 5 && i < sizeof documented / sizeof *documented; i++)
        if ((version >= 7 ? documented[i].z16 : documented[i].z14) == number)
            return source_of(c, documented[i].source, t);
    return 0;
}

/* Sets that the model feeds, with the range of their numbers that it does. */
static const struct {
    uint16_t set;
    uint16_t first, last;
} fed[] = {{COUNTERS_BASIC, 2, 5}, {COUNTERS_EXTENDED, 128, 287}};
#define FED (sizeof fed / sizeof *fed)

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

void counters_begin_view(struct counters *c, unsigned sets) { view(c, sets, false); }
void counters_end_view(struct counters *c, unsigned sets) { view(c, sets, true); }

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
    if (pmc >= 0)
        return ec_register(ec_model_counting(c->model), (enum ec_register)(EC_PMC1 + pmc));
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
