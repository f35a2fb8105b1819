/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch prediction. */
#include "ri/counters/model/predict.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ec_predict_create(struct ec_predict *p, const struct ec_profile *profile)
{
    *p = (struct ec_predict){
        .kind = profile->predictor,
        .ras_entries = (uint8_t)profile->ras_entries,
        .pht_entries = profile->pht_entries,
        .history_bits = profile->predictor == EC_GSHARE ? profile->history : 0,
        .btb_sets = profile->btb_sets,
        .btb_ways = profile->btb_ways,
    };
    p->pht = malloc(p->pht_entries);
    p->btb = calloc((size_t)p->btb_sets * p->btb_ways, sizeof *p->btb);
    p->btb_used = calloc(p->btb_sets, 1);
    p->tage = p->kind == EC_TAGE ? calloc((size_t)EC_TAGE_TABLES * EC_TAGE_SIZE, sizeof *p->tage) : NULL;
    if (!p->pht || !p->btb || !p->btb_used || (p->kind == EC_TAGE && !p->tage))
        return -ENOMEM;
    ec_predict_reset(p);
    return 0;
}

void ec_predict_destroy(struct ec_predict *p)
{
    free(p->pht);
    free(p->btb);
    free(p->btb_used);
    free(p->tage);
    *p = (struct ec_predict){0};
}

void ec_predict_reset(struct ec_predict *p)
{
    memset(p->pht, 1, p->pht_entries); /* weakly not taken */
    memset(p->btb_used, 0, p->btb_sets);
    if (p->tage)
        memset(p->tage, 0, (size_t)EC_TAGE_TABLES * EC_TAGE_SIZE * sizeof *p->tage);
    p->conditionals = 0;
    memset(&p->past, 0, sizeof p->past);
}

/* ---- directions ------------------------------------------------------------------------------------------------ */

static const uint8_t lengths[EC_TAGE_TABLES] = {5, 15, 44, 130};

/* The exclusive or of the successive pieces of `k` bits of the newest `h` bits of history. */
static unsigned fold(const struct ec_past *past, unsigned h, unsigned k)
{
    unsigned folded = 0;
    for (unsigned at = 0; at < h; at += k) {
        const unsigned take = h - at < k ? h - at : k, word = at / 64, bit = at % 64;
        uint64_t piece = past->history[word] >> bit;
        if (bit + take > 64)
            piece |= past->history[word + 1] << (64 - bit);
        folded ^= (unsigned)(piece & ((UINT64_C(1) << take) - 1));
    }
    return folded;
}

struct tage_look {
    uint16_t index[EC_TAGE_TABLES], tag[EC_TAGE_TABLES];
    int provider, alternate; /* tables; -1: the base */
    bool base, taken, alternate_taken;
};

static struct ec_tage_entry *tage_at(const struct ec_predict *p, const struct tage_look *look, int table)
{
    return &p->tage[(size_t)table * EC_TAGE_SIZE + look->index[table]];
}

static struct tage_look tage_look(const struct ec_predict *p, const struct ec_past *past, uint64_t ia)
{
    struct tage_look look = {.provider = -1, .alternate = -1};
    look.base = look.taken = look.alternate_taken = p->pht[ec_pht_index(p, past, ia)] >= 2;
    for (int t = 0; t < EC_TAGE_TABLES; t++) {
        const unsigned h = lengths[t];
        look.index[t] = (uint16_t)((ia >> 1 ^ ia >> 11 ^ fold(past, h, 10)) % EC_TAGE_SIZE);
        look.tag[t] = (uint16_t)((ia >> 1 ^ fold(past, h, 9) ^ fold(past, h, 8) << 1) % 512);
        const struct ec_tage_entry *entry = tage_at(p, &look, t);
        if (!entry->valid || entry->tag != look.tag[t])
            continue;
        look.alternate = look.provider;
        look.alternate_taken = look.taken;
        look.provider = t;
        look.taken = entry->counter >= 4;
    }
    return look;
}

static void step(uint8_t *counter, bool up, uint8_t most)
{
    if (up && *counter < most)
        ++*counter;
    else if (!up && *counter > 0)
        --*counter;
}

/* A wrong direction: an entry in a table of longer history, if one is of no use there. */
static void tage_take(const struct ec_predict *p, const struct tage_look *look, bool taken)
{
    for (int t = look->provider + 1; t < EC_TAGE_TABLES; t++) {
        struct ec_tage_entry *entry = tage_at(p, look, t);
        if (entry->useful)
            continue;
        *entry = (struct ec_tage_entry){.tag = look->tag[t], .counter = taken ? 4 : 3, .valid = 1};
        return;
    }
    for (int t = look->provider + 1; t < EC_TAGE_TABLES; t++)
        step(&tage_at(p, look, t)->useful, false, 3);
}

static void tage_learn(struct ec_predict *p, uint64_t ia, bool taken)
{
    const struct tage_look look = tage_look(p, &p->past, ia);
    if (look.provider < 0) {
        step(&p->pht[ec_pht_index(p, &p->past, ia)], taken, 3);
    } else {
        struct ec_tage_entry *entry = tage_at(p, &look, look.provider);
        step(&entry->counter, taken, 7);
        if (look.taken != look.alternate_taken)
            step(&entry->useful, look.taken == taken, 3);
    }
    if (look.taken != taken)
        tage_take(p, &look, taken);
    if (++p->conditionals == UINT32_C(1) << 18) {
        p->conditionals = 0;
        for (unsigned i = 0; i < EC_TAGE_TABLES * EC_TAGE_SIZE; i++)
            p->tage[i].useful >>= 1;
    }
}

bool ec_tage_direction(const struct ec_predict *p, const struct ec_past *past, uint64_t ia)
{
    return tage_look(p, past, ia).taken;
}

/* ---- targets --------------------------------------------------------------------------------------------------- */

static void btb_write(struct ec_predict *p, uint64_t ia, uint64_t target)
{
    uint8_t *used;
    struct ec_target *set = ec_btb_set(p, ia, &used);
    unsigned at = 0;
    if (*used && set[0].ia == ia) {
        set[0].target = target;
        return;
    }
    while (at < *used && set[at].ia != ia)
        at++;
    if (at == *used && *used < p->btb_ways)
        ++*used;
    else if (at == *used)
        at--;
    memmove(set + 1, set, at * sizeof *set);
    set[0] = (struct ec_target){ia, target};
}

void ec_predict_learn(struct ec_predict *p, const struct ec_branch *branch, bool taken, uint64_t target)
{
    if (branch->conditional && p->kind == EC_TAGE)
        tage_learn(p, branch->ia, taken);
    else if (branch->conditional)
        step(&p->pht[ec_pht_index(p, &p->past, branch->ia)], taken, 3);
    ec_past_apply(p, &p->past, branch, taken);
    if (taken)
        btb_write(p, branch->ia, target);
}
