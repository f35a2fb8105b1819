/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near one profile is to another. p is a share in the reference, q in the profile. */
#include "ri/profile/show/diff.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTABLE 0.001 /* least share of an edge in the reference that ratios and ranks look at */
#define HIGH    0.01

const char *ep_metric_key(enum ep_metric metric)
{
    static const char *const keys[EP_METRICS] = {
#define METRIC(ID, key) key,
#include "ri/profile/show/metrics.def"
#undef METRIC
    };
    return keys[metric];
}

static void set(struct ep_diff *diff, enum ep_metric metric, double value)
{
    diff->metric[metric] = value;
    diff->defined[metric] = true;
}

static void overlap(struct ep_diff *diff)
{
    double common = 0, apart = 0, not_taken[2] = {0, 0};
    for (uint32_t i = 0; i < diff->pairs; i++) {
        const struct ep_pair *x = &diff->pair[i];
        common += fmin(x->p, x->q);
        apart += fabs(x->p - x->q);
        if (x->row->kind == EP_NOT_TAKEN) {
            not_taken[0] += x->p;
            not_taken[1] += x->q;
        }
    }
    set(diff, EP_M_OVERLAP, common);
    set(diff, EP_M_SHARE, diff->view[1].total ? apart / 2 : 1);
    set(diff, EP_M_NOT_TAKEN, fabs(not_taken[1] - not_taken[0]));
}

static double ratio_error(const struct ep_diff *diff, double least)
{
    double worst = 0;
    for (uint32_t i = 0; i < diff->pairs; i++) {
        const struct ep_pair *x = &diff->pair[i];
        if (x->p >= least)
            worst = fmax(worst, x->q > 0 ? fabs(log2(x->q / x->p)) : INFINITY);
    }
    return worst;
}

/* Over branches: pairs of one site that follow each other. Those that the profile has not seen are left out. */
static double probability_error(const struct ep_diff *diff)
{
    double sum = 0;
    for (uint32_t i = 0, next; i < diff->pairs; i = next) {
        double all[2] = {0, 0}, taken[2] = {0, 0};
        const struct ep_row *first = diff->pair[i].row;
        for (next = i; next < diff->pairs; next++) {
            const struct ep_pair *x = &diff->pair[next];
            if (x->row->from_space != first->from_space || x->row->from != first->from)
                break;
            all[0] += x->p;
            all[1] += x->q;
            taken[0] += x->row->kind == EP_TAKEN ? x->p : 0;
            taken[1] += x->row->kind == EP_TAKEN ? x->q : 0;
        }
        if (all[0] > 0 && all[1] > 0)
            sum += all[0] * fabs(taken[0] / all[0] - taken[1] / all[1]);
    }
    return sum;
}

/* ---- hot edges ------------------------------------------------------------------------------------------------- */

struct hot {
    double by, weight;
    uint32_t number;
};

static int hot_compare(const void *left, const void *right)
{
    const struct hot *a = left, *b = right;
    if (a->by > b->by || a->by < b->by)
        return a->by > b->by ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The reference's weight of the `most` hottest edges by q, or by p. Edges that were not seen are not hot. */
static void hottest(const struct ep_diff *diff, struct hot *room, bool by_q, double weight[2])
{
    static const unsigned most[2] = {10, 50};
    for (uint32_t i = 0; i < diff->pairs; i++)
        room[i] = (struct hot){by_q ? diff->pair[i].q : diff->pair[i].p, diff->pair[i].p, i};
    if (diff->pairs)
        qsort(room, diff->pairs, sizeof *room, hot_compare);
    for (unsigned k = 0; k < 2; k++) {
        weight[k] = 0;
        for (uint32_t i = 0; i < diff->pairs && i < most[k] && room[i].by > 0; i++)
            weight[k] += room[i].weight;
    }
}

static int hot_edges(struct ep_diff *diff)
{
    double q[2], p[2];
    struct hot *room = calloc(diff->pairs + 1u, sizeof *room);
    if (!room)
        return -ENOMEM;
    hottest(diff, room, true, q);
    hottest(diff, room, false, p);
    free(room);
    for (unsigned k = 0; k < 2; k++)
        if (p[k] > 0)
            set(diff, k ? EP_M_HOT_50 : EP_M_HOT_10, q[k] / p[k]);
    return 0;
}

/* Kendall's tau-b. At most 1 / NOTABLE edges have that share. */
static void rank_correlation(struct ep_diff *diff)
{
    const struct ep_pair *notable[1001];
    uint32_t n = 0;
    double concordant = 0, discordant = 0, equal_p = 0, equal_q = 0;
    for (uint32_t i = 0; i < diff->pairs && n < sizeof notable / sizeof *notable; i++)
        if (diff->pair[i].p >= NOTABLE)
            notable[n++] = &diff->pair[i];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            const int p = (notable[i]->p > notable[k]->p) - (notable[i]->p < notable[k]->p);
            const int q = (notable[i]->q > notable[k]->q) - (notable[i]->q < notable[k]->q);
            concordant += p * q > 0;
            discordant += p * q < 0;
            equal_p += !p;
            equal_q += !q;
        }
    }
    const double all = (double)n * (n > 0 ? n - 1 : 0) / 2, of = sqrt((all - equal_p) * (all - equal_q));
    if (of > 0)
        set(diff, EP_M_TAU, (concordant - discordant) / of);
}

static void call_overlap(struct ep_diff *diff)
{
    double all[2] = {0, 0}, common = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < diff->pairs; i++) {
            const struct ep_pair *x = &diff->pair[i];
            if (x->site->class != EP_SITE_CALL || x->row->kind != EP_TAKEN)
                continue;
            if (pass) {
                common += fmin(all[0] > 0 ? x->p / all[0] : 0, all[1] > 0 ? x->q / all[1] : 0);
            } else {
                all[0] += x->p;
                all[1] += x->q;
            }
        }
    }
    if (all[0] > 0 || all[1] > 0)
        set(diff, EP_M_CALL, common);
}

int ep_diff_measure(struct ep_diff *diff)
{
    if (!diff->view[0].total) /* nothing is true of a reference without branches */
        return 0;
    overlap(diff);
    set(diff, EP_M_RATIO, ratio_error(diff, NOTABLE));
    set(diff, EP_M_RATIO_HIGH, ratio_error(diff, HIGH));
    set(diff, EP_M_PROBABILITY, probability_error(diff));
    rank_correlation(diff);
    call_overlap(diff);
    return hot_edges(diff);
}
