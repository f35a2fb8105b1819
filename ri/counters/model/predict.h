/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch prediction: directions, targets, the return-address stack. Event-counter specification 5.5. */
#ifndef ZRI_RI_COUNTERS_MODEL_PREDICT_H
#define ZRI_RI_COUNTERS_MODEL_PREDICT_H

#include "ri/counters/model/profile.h"
#include <stdbool.h>

enum { EC_RAS_MOST = 64, EC_HISTORY_WORDS = 3, EC_TAGE_TABLES = 4, EC_TAGE_SIZE = 1024 };

/* What a wrong path has a copy of. */
struct ec_past {
    uint64_t history[EC_HISTORY_WORDS]; /* outcomes of conditional branches, the newest in the last bit of [0] */
    uint64_t ras[EC_RAS_MOST];
    uint8_t ras_top, ras_count; /* place of the newest; how many there are */
};

struct ec_tage_entry {
    uint16_t tag;
    uint8_t counter, useful, valid;
};

struct ec_predict {
    uint8_t kind; /* enum ec_predictor */
    uint8_t ras_entries;
    uint32_t pht_entries, history_bits, btb_sets, btb_ways;
    uint8_t *pht; /* 2-bit counters */
    struct ec_target {
        uint64_t ia, target;
    } * btb;                    /* by set, the most recent first */
    uint8_t *btb_used;          /* entries in a set */
    struct ec_tage_entry *tage; /* EC_TAGE_TABLES of EC_TAGE_SIZE */
    uint32_t conditionals;      /* until the usefulness is halved */
    struct ec_past past;        /* of the right path */
};

/* A branch, as decoding knows it. */
struct ec_branch {
    uint64_t ia;
    uint64_t next;   /* next sequential address */
    uint64_t target; /* with `relative` */
    bool conditional, relative, call, ret;
};

enum ec_source { EC_FROM_NONE, EC_FROM_RAS, EC_FROM_BTB, EC_FROM_DECODE, EC_FROM_STALL };
struct ec_prediction {
    uint64_t target; /* where fetching goes on, taken or not; not with a stall */
    uint64_t btb_target;
    bool taken;
    bool btb_hit;
    uint8_t source; /* enum ec_source */
};

/* 0 or -ENOMEM; what was made before is let go by ec_predict_destroy() in either case. */
int ec_predict_create(struct ec_predict *p, const struct ec_profile *profile) __attribute__((warn_unused_result));
void ec_predict_destroy(struct ec_predict *p);
/* The state at first. */
void ec_predict_reset(struct ec_predict *p);

/* The branch of the right path had that outcome: tables and past learn. Behind ec_predict_branch(). */
void ec_predict_learn(struct ec_predict *p, const struct ec_branch *branch, bool taken, uint64_t target);
/* The direction by the tagged tables. */
bool ec_tage_direction(const struct ec_predict *p, const struct ec_past *past, uint64_t ia);

static inline uint32_t ec_pht_index(const struct ec_predict *p, const struct ec_past *past, uint64_t ia)
{
    const uint64_t bits = past->history[0] & ((UINT64_C(1) << p->history_bits) - 1);
    return (uint32_t)((ia >> 1 ^ bits) & (p->pht_entries - 1));
}

static inline struct ec_target *ec_btb_set(const struct ec_predict *p, uint64_t ia, uint8_t **used)
{
    const uint64_t set = ia >> 1 & (p->btb_sets - 1);
    *used = &p->btb_used[set];
    return &p->btb[set * p->btb_ways];
}

static inline const struct ec_target *ec_btb_find(const struct ec_predict *p, uint64_t ia)
{
    uint8_t *used;
    const struct ec_target *set = ec_btb_set(p, ia, &used);
    for (unsigned i = 0; i < *used; i++)
        if (set[i].ia == ia)
            return &set[i];
    return NULL;
}

static inline bool ec_direction(const struct ec_predict *p, const struct ec_past *past, uint64_t ia)
{
    return p->kind == EC_TAGE ? ec_tage_direction(p, past, ia) : p->pht[ec_pht_index(p, past, ia)] >= 2;
}

/* What is predicted with that past. Changes nothing. */
static inline struct ec_prediction ec_predict_branch(const struct ec_predict *p, const struct ec_past *past,
                                                     const struct ec_branch *branch)
{
    const struct ec_target *btb = ec_btb_find(p, branch->ia);
    struct ec_prediction is = {.target = branch->next, .btb_hit = btb, .btb_target = btb ? btb->target : 0};
    is.taken = !branch->conditional || ec_direction(p, past, branch->ia);
    if (!is.taken)
        return is;
    if (branch->ret && past->ras_count) {
        is.target = past->ras[past->ras_top];
        is.source = EC_FROM_RAS;
    } else if (btb) {
        is.target = btb->target;
        is.source = EC_FROM_BTB;
    } else if (branch->relative) {
        is.target = branch->target;
        is.source = EC_FROM_DECODE;
    } else if (!branch->conditional) {
        is.taken = false;
        is.source = EC_FROM_STALL;
    } else {
        is.taken = false;
    }
    return is;
}

/* A branch goes into a past with that direction: a conditional one into the history, calls and returns into the
   stack. */
static inline void ec_past_apply(const struct ec_predict *p, struct ec_past *past, const struct ec_branch *branch,
                                 bool taken)
{
    if (branch->conditional) {
        for (unsigned i = EC_HISTORY_WORDS - 1; p->kind == EC_TAGE && i; i--)
            past->history[i] = past->history[i] << 1 | past->history[i - 1] >> 63;
        past->history[0] = past->history[0] << 1 | taken;
    }
    if (!p->ras_entries)
        return;
    if (branch->call) {
        past->ras_top = (uint8_t)(past->ras_top + 1u == p->ras_entries ? 0 : past->ras_top + 1u);
        past->ras[past->ras_top] = branch->next;
        past->ras_count = (uint8_t)(past->ras_count + (past->ras_count < p->ras_entries));
    } else if (branch->ret && past->ras_count) {
        past->ras_top = (uint8_t)((past->ras_top ? past->ras_top : p->ras_entries) - 1u);
        past->ras_count--;
    }
}

#endif
