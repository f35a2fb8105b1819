/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses to lines: TLBs, caches, penalties. */
#include "ri/counters/model/pipeline.h"

/* Where events go: to those that wait for a tag, or at once to the entry of an instruction. */
struct sink {
    struct ec_held *held; /* NULL: to the entry */
    struct ec_entry *entry;
    bool lost; /* of a wrong path */
};

static ALWAYS_INLINE void tell(struct ec_model *m, const struct sink *to, enum ec_event e, uint64_t amount)
{
    if (to->held)
        ec_hold(to->held, e, amount);
    else
        ec_event(m, e, to->entry, amount, to->lost);
}

/* A page in the first-level TLB and the one behind it. Returns the penalty. */
static uint64_t page_access(struct ec_model *m, const struct ec_record *r, uint64_t page, bool data, bool pollute,
                            const struct sink *to)
{
    struct ec_tlb *first = data ? &m->caches.dtlb : &m->caches.itlb, *second = &m->caches.tlb2;
    const uint64_t space = data ? r->data_space : r->space;
    if (pollute ? ec_tlb_access(first, space, page) : ec_tlb_has(first, space, page))
        return 0;
    tell(m, to, data ? EC_DTLB1_MISS : EC_ITLB1_MISS, 1);
    if (pollute ? ec_tlb_access(second, space, page) : ec_tlb_has(second, space, page))
        return m->profile.lat_tlb2;
    tell(m, to, EC_TLB2_MISS, 1);
    tell(m, to, EC_TLB_WALK_CYC, m->profile.lat_walk);
    m->sources.tlb2[data]++;
    m->sources.walk[data] += m->profile.lat_walk;
    return m->profile.lat_walk;
}

static ALWAYS_INLINE bool look(struct ec_cache *cache, uint64_t line, bool pollute)
{
    return pollute ? ec_cache_access(cache, line) : ec_cache_has(cache, line);
}

/* A line that was not in L1. Returns the penalty. */
static uint64_t outer(struct ec_model *m, uint64_t line, bool data, bool pollute, const struct sink *to, uint8_t *level)
{
    uint8_t found = 1;
    uint64_t penalty = m->profile.lat_l2;
    tell(m, to, EC_L2_ACC, 1);
    if (look(&m->caches.l2, line, pollute)) {
        m->sources.l2[data]++;
    } else {
        tell(m, to, EC_L2_MISS, 1);
        if (m->caches.l3.sets && look(&m->caches.l3, line, pollute)) {
            found = 2;
            penalty = m->profile.lat_l3;
            m->sources.l3[data]++;
        } else {
            if (m->caches.l3.sets)
                tell(m, to, EC_L3_MISS, 1);
            found = m->caches.l3.sets ? 3 : 2;
            penalty = m->profile.lat_mem;
            m->sources.memory[data]++;
        }
    }
    *level = found > *level ? found : *level;
    return penalty;
}

/* Through the first level for instructions or for data, and further out where that misses. */
static ALWAYS_INLINE uint64_t line_access(struct ec_model *m, const struct ec_record *r, uint64_t page, uint64_t line,
                                          bool data, bool pollute, const struct sink *to, uint8_t *level)
{
    const uint64_t walk = r->dat ? page_access(m, r, page, data, pollute, to) : 0;
    tell(m, to, data ? EC_L1D_ACC : EC_L1I_ACC, 1);
    if (LIKELY(look(data ? &m->caches.l1d : &m->caches.l1i, line, pollute)))
        return walk;
    tell(m, to, data ? EC_L1D_MISS : EC_L1I_MISS, 1);
    const uint64_t penalty = outer(m, line, data, pollute, to, level);
    tell(m, to, data ? EC_L1D_PEN : EC_L1I_PEN, penalty);
    return walk + penalty;
}

uint64_t ec_instruction_line(struct ec_model *m, const struct ec_record *r, uint64_t page, uint64_t line, bool pollute,
                             struct ec_held *held, uint8_t *level)
{
    const struct sink to = {.held = held};
    return line_access(m, r, page, line, false, pollute, &to, level);
}

/* The lines of an operand in one page. */
static ALWAYS_INLINE uint64_t in_page(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o,
                                      uint64_t logical, uint64_t absolute, uint64_t length, const struct sink *to,
                                      uint8_t *level)
{
    const uint64_t last = (absolute + length - 1) >> m->line_shift;
    uint64_t penalty = 0;
    for (uint64_t line = absolute >> m->line_shift; line <= last; line++) {
        penalty += line_access(m, r, logical / EC_PAGE, line, true, !to->lost || m->profile.wp_pollute, to, level);
        if (o->store && !to->lost && ec_cache_remove(&m->caches.l1i, line))
            tell(m, to, EC_SMC, 1);
    }
    return penalty;
}

/* Each page of an operand that reaches over several: those that the record has, further ones by the accessor. */
static uint64_t in_pages(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o,
                         const struct sink *to, uint8_t *level)
{
    const uint64_t first = EC_PAGE - o->logical % EC_PAGE;
    uint64_t penalty = 0, done = 0;
    for (unsigned n = 0; done < o->length; n++) {
        const uint64_t logical = (o->logical + done) & r->mask, room = n ? EC_PAGE : first;
        const uint64_t length = o->length - done < room ? o->length - done : room;
        const enum ec_use use = o->store ? EC_USE_STORE : EC_USE_FETCH;
        uint64_t absolute = n < 2 ? o->absolute[n] : 0;
        const uint8_t *bytes;
        const bool there = n < 2 ? o->there[n] : m->storage.page(m->storage.context, logical, use, &absolute, &bytes);
        if (there)
            penalty += in_page(m, r, o, logical, absolute, length, to, level);
        done += length;
    }
    return penalty;
}

static ALWAYS_INLINE uint64_t data(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o,
                                   const struct sink *to, uint8_t *level)
{
    if (o->fetch) {
        tell(m, to, EC_LOAD, 1);
        tell(m, to, EC_LD_BYTES, o->length);
    }
    if (o->store) {
        tell(m, to, EC_STORE, 1);
        tell(m, to, EC_ST_BYTES, o->length);
    }
    const bool one = LIKELY(o->logical % EC_PAGE + o->length <= EC_PAGE);
    const uint64_t penalty = !one          ? in_pages(m, r, o, to, level)
                             : o->there[0] ? in_page(m, r, o, o->logical, o->absolute[0], o->length, to, level)
                                           : 0;
    const uint64_t threshold = (m->counting.pmu.mmcr0 >> EC_THRESHOLD_SHIFT & 0x3f) * m->profile.threshold_mult;
    if (penalty > threshold)
        tell(m, to, EC_L1D_THRESH, 1);
    return penalty;
}

uint64_t ec_data(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o, bool wrong,
                 struct ec_entry *entry, uint8_t *level)
{
    if (wrong)
        return data(m, r, o, &(const struct sink){.entry = entry, .lost = true}, level);
    return data(m, r, o, &(const struct sink){.entry = entry}, level);
}

void ec_data_warm(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o)
{
    struct ec_held held;
    uint8_t level = 0;
    held.count = 0;
    (void)data(m, r, o, &(const struct sink){.held = &held}, &level);
}

void ec_purge(struct ec_model *m)
{
    ec_tlb_reset(&m->caches.itlb);
    ec_tlb_reset(&m->caches.dtlb);
    ec_tlb_reset(&m->caches.tlb2);
}
