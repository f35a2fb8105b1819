/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion table and provisional counters. */
#include "ri/counters/model/counting.h"
#include "ri/counters/model/internal.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ec_counting_create(struct ec_counting *c, unsigned n)
{
    assert(n >= EC_ENTRIES_LEAST && n <= EC_ENTRIES_MOST);
    memset(c, 0, sizeof *c);
    c->ct = calloc(n, sizeof *c->ct);
    c->n = n;
    c->paired = ec_pair_set();
    return c->ct ? 0 : -ENOMEM;
}

void ec_counting_destroy(struct ec_counting *c)
{
    free(c->ct);
    c->ct = NULL;
}

void ec_counting_clear(struct ec_counting *c)
{
    ec_counting_empty(c);
    c->atag = c->ctag = 0;
    memset(&c->pmu, 0, sizeof c->pmu);
    ec_derive(c);
}

/* ---- conditions ------------------------------------------------------------------------------------------------ */

/* May PMC `k` (0: PMC1) count for an instruction in that state? */
static bool admitted(const struct ec_pmu *p, unsigned k, bool problem, bool marked)
{
    const uint32_t m = p->mmcr0;
    if (m & EC_DIS || p->frozen || (k && m & EC_PMCTRIGGER && !p->triggered))
        return false;
    return !(m & (problem ? EC_DU : EC_DP)) && !(m & (marked ? EC_DMS : EC_DMR));
}

static unsigned selection(const struct ec_pmu *p, unsigned k)
{
    switch (k) {
    case 0:
        return p->mmcr0 >> EC_PMC1SEL_SHIFT & 0x7f;
    case 1:
        return p->mmcr0 & 0x3f;
    case 2:
        return p->mmcr1 >> 25 & 0x7f;
    default:
        return p->mmcr1 >> 18 & 0x7f;
    }
}

static unsigned pv_event(const struct ec_pmu *p, unsigned j) { return p->mmcrp >> (24 - 8 * j) & 0x3f; }
static enum ec_mode pv_mode(const struct ec_pmu *p, unsigned j) { return (enum ec_mode)(p->mmcrp >> (30 - 8 * j) & 3); }

static void became_negative(struct ec_counting *c, const struct ec_entry *entry)
{
    c->pmu.raised = (struct ec_raised){.known = entry, .in_flight = entry};
    if (entry)
        c->pmu.raised.tag = (uint16_t)(entry - c->ct);
}

/* All PMCs whose source is `select` go up by what `amount` says, those that may. What they may is settled before the
   first of them moves: the step in which PMC1 becomes the trigger is not yet one of the others. */
static void count(struct ec_counting *c, unsigned select, uint32_t amount, const struct ec_entry *entry)
{
    bool may[EC_NPMC];
    struct ec_pmu *p = &c->pmu;
    const bool problem = entry ? entry->problem : c->problem, marked = entry ? entry->marked : c->marked;
    for (unsigned k = 0; k < EC_NPMC; k++)
        may[k] = selection(p, k) == select && admitted(p, k, problem, marked);
    for (unsigned k = 0; k < EC_NPMC; k++) {
        if (!may[k])
            continue;
        const bool was = p->pmc[k] >> 31;
        p->pmc[k] += amount;
        if (!was && p->pmc[k] >> 31)
            became_negative(c, entry);
    }
    p->triggered |= p->pmc[0] >> 31;
}

/* An entry goes that has made a PMC negative: what it was is kept. */
static void keep_raised(struct ec_counting *c, const struct ec_entry *entry, bool flushed)
{
    struct ec_raised *r = &c->pmu.raised;
    if (!r->in_flight || entry - c->ct != r->tag)
        return;
    *r = (struct ec_raised){.known = true,
                            .completed = !flushed && !entry->cancelled,
                            .kind = flushed ? 0 : entry->kind,
                            .members = entry->members,
                            .tag = r->tag,
                            .ia = entry->ia,
                            .d = entry->d,
                            .c = flushed ? 0 : entry->c};
}

/* ---- signals --------------------------------------------------------------------------------------------------- */

static uint32_t plus(struct ec_pmu *p, uint32_t count, uint32_t amount)
{
    if (amount <= UINT32_MAX - count)
        return count + amount;
    p->saturated = true;
    return UINT32_MAX;
}

void ec_programmed(struct ec_counting *c, enum ec_event e, struct ec_entry *entry, uint32_t amount)
{
    struct ec_pmu *p = &c->pmu;
    count(c, e, amount, entry);
    for (unsigned j = 0; entry && j < EC_NPV; j++) {
        if (pv_event(p, j) != e)
            continue;
        if (pv_mode(p, j) == EC_ADD)
            entry->pv[j] = plus(p, entry->pv[j], amount);
        else if (pv_mode(p, j) == EC_WRITE)
            entry->pv[j] = plus(p, entry->base[j], amount);
    }
}

void ec_saturated(struct ec_counting *c, struct ec_entry *entry, enum ec_event e)
{
    entry->prov[e] = UINT32_MAX;
    c->pmu.saturated = true;
}

void ec_signal(struct ec_counting *c, enum ec_event e, unsigned tag, uint32_t amount)
{
    assert(tag == EC_NO_TAG || ec_is_live(c, tag));
    ec_count(c, e, tag == EC_NO_TAG ? NULL : &c->ct[tag], amount);
}

/* ---- the table ------------------------------------------------------------------------------------------------- */

/* What decoding knows of the quantity that an event has. */
static uint32_t known(const struct ec_member *member, unsigned e)
{
    return e == EC_REG_RD ? member->reg_rd : e == EC_REG_WR ? member->reg_wr : e == EC_INST ? member->inst : 0;
}

/* Another member: the programmable provisional counters begin, or go on from what they have. */
void ec_preload(struct ec_pmu *p, struct ec_entry *entry, const struct ec_member *member, bool first)
{
    for (unsigned j = 0; j < EC_NPV; j++) {
        if (first)
            entry->pv[j] = pv_mode(p, j) == EC_PRELOAD_ICR ? p->icr >> (24 - 8 * j) & 0xff : 0;
        if (pv_mode(p, j) == EC_PRELOAD_DECODE)
            entry->pv[j] = plus(p, entry->pv[j], known(member, pv_event(p, j)));
        entry->base[j] = entry->pv[j];
    }
}

unsigned ec_allocate(struct ec_counting *c, const struct ec_member *member) { return ec_enter(c, member); }
void ec_join(struct ec_counting *c, const struct ec_member *member) { ec_enter_open(c, member); }

void ec_leave(struct ec_counting *c) { ec_go(c); }

void ec_programmed_leave(struct ec_counting *c, const struct ec_entry *entry)
{
    for (unsigned j = 0; j < EC_NPV && !entry->cancelled; j++)
        count(c, EC_SELECT_PV + j, entry->pv[j], entry);
    keep_raised(c, entry, false);
}

unsigned ec_flush(struct ec_counting *c, unsigned tag)
{
    const unsigned keep = tag + 1 == c->n ? 0 : tag + 1;
    unsigned members = 0;
    assert(ec_is_live(c, tag));
    for (unsigned t = keep; t != c->atag; t = t + 1 == c->n ? 0 : t + 1) {
        if (!c->ct[t].wrong_path)
            ec_move(c->pmu.flushed, &c->ct[t]);
        members += c->ct[t].members;
        keep_raised(c, &c->ct[t], true);
    }
    c->atag = keep;
    return members;
}

void ec_counting_empty(struct ec_counting *c)
{
    while (c->ctag != c->atag) {
        c->ct[c->ctag].cancelled = true;
        ec_leave(c);
    }
}

/* ---- registers ------------------------------------------------------------------------------------------------- */

void ec_derive(struct ec_counting *c)
{
    const struct ec_pmu *p = &c->pmu;
    c->programmed = 0;
    for (unsigned k = 0; k < EC_NPMC; k++)
        if (selection(p, k) < EC_SELECT_PV && ec_events[selection(p, k)].name)
            c->programmed |= UINT64_C(1) << selection(p, k);
    for (unsigned j = 0; j < EC_NPV; j++)
        if (pv_event(p, j) < EC_NEV && ec_events[pv_event(p, j)].name)
            c->programmed |= UINT64_C(1) << pv_event(p, j);
    c->leaving = c->programmed || p->mmcrp;
}

uint32_t ec_register(const struct ec_counting *c, enum ec_register r)
{
    const struct ec_pmu *p = &c->pmu;
    return r == EC_MMCR0   ? p->mmcr0
           : r == EC_MMCR1 ? p->mmcr1
           : r == EC_MMCRP ? p->mmcrp
           : r == EC_ICR   ? p->icr
                           : p->pmc[r - EC_PMC1];
}

void ec_set_register(struct ec_counting *c, enum ec_register r, uint32_t value)
{
    struct ec_pmu *p = &c->pmu;
    switch (r) {
    case EC_MMCR0:
        p->mmcr0 = value;
        p->frozen = p->time_seen = false;
        p->triggered = p->pmc[0] >> 31;
        break;
    case EC_MMCR1:
        p->mmcr1 = value & ~UINT32_C(0x3ffff);
        break;
    case EC_MMCRP:
        p->mmcrp = value;
        break;
    case EC_ICR:
        p->icr = value;
        break;
    default:
        p->pmc[r - EC_PMC1] = value;
        p->raised = (struct ec_raised){.known = false};
        p->triggered |= p->pmc[0] >> 31;
        break;
    }
    ec_derive(c);
}

bool ec_marked(const struct ec_pmu *pmu, uint64_t program_parameter)
{
    return pmu->markmask && (program_parameter & pmu->markmask) == pmu->markvalue;
}

void ec_add_pairs(struct ec_counting *c, uint64_t set)
{
    c->paired = ec_pair_set() | (set & ((UINT64_C(1) << EC_NEV) - 1));
    c->pmu.time_seen = false;
}

/* ---- boundaries ------------------------------------------------------------------------------------------------ */

/* Is a PMC negative that may alert? */
static bool negative(const struct ec_pmu *p)
{
    const uint32_t others = p->pmc[1] | p->pmc[2] | p->pmc[3];
    return (p->mmcr0 & EC_PMC1INTCONTROL && p->pmc[0] >> 31) || (p->mmcr0 & EC_PMCINTCONTROL && others >> 31);
}

bool ec_boundary(struct ec_counting *c, uint64_t tod)
{
    struct ec_pmu *p = &c->pmu;
    /* TOD bits 51, 43, 39 and 35 */
    static const uint8_t shifts[4] = {63 - 51, 63 - 43, 63 - 39, 63 - 35};
    const bool bit = tod >> shifts[p->mmcr0 >> EC_TBSEL_SHIFT & 3] & 1,
               transition = bit && !p->time_bit && p->time_seen;
    p->time_bit = bit;
    p->time_seen = true;
    if (transition)
        ec_count(c, EC_TBIT, NULL, 1);
    return p->mmcr0 & EC_ENINT && (negative(p) || (p->mmcr0 & EC_INTONBITTRANS && transition));
}

const struct ec_raised *ec_alert(struct ec_counting *c)
{
    struct ec_pmu *p = &c->pmu;
    p->alert = p->triggered = true;
    p->mmcr0 &= ~(uint32_t)EC_ENINT;
    p->frozen |= p->mmcr0 & EC_DISCOUNT;
    return negative(p) && p->raised.known ? &p->raised : NULL;
}

uint64_t ec_inflight(const struct ec_counting *c, enum ec_event e)
{
    uint64_t sum = 0;
    for (unsigned t = c->ctag; t != c->atag; t = t + 1 == c->n ? 0 : t + 1)
        sum += c->ct[t].prov[e];
    return sum;
}

bool ec_identity(const struct ec_counting *c)
{
    const struct ec_pmu *p = &c->pmu;
    for (unsigned e = 0; e < EC_NEV; e++) {
        const uint64_t lost = p->flushed[e] + p->cancelled[e] + p->untagged[e];
        if (p->all[e] != p->completed[e] + ec_inflight(c, (enum ec_event)e) + lost)
            return p->saturated;
    }
    return true;
}
