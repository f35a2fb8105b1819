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

/* What is predicted with that past. Changes nothing. */
struct ec_prediction ec_predict_branch(const struct ec_predict *p, const struct ec_past *past,
                                       const struct ec_branch *branch);
/* The branch of the right path had that outcome: tables and past learn. Behind ec_predict_branch(). */
void ec_predict_learn(struct ec_predict *p, const struct ec_branch *branch, bool taken, uint64_t target);
/* A branch goes into a past with that direction: a conditional one into the history, calls and returns into the
   stack. */
void ec_past_apply(const struct ec_predict *p, struct ec_past *past, const struct ec_branch *branch, bool taken);

#endif
