/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses to lines: TLBs, caches, penalties. */
#include "ri/counters/model/pipeline.h"

/* A page in the first-level TLB and the one behind it. Returns the penalty. */
static uint64_t page_access(struct ec_model *m, const struct ec_record *r, uint64_t page, bool data, bool pollute,
                            struct ec_held *held)
{
    struct ec_tlb *first = data ? &m->caches.dtlb : &m->caches.itlb, *second = &m->caches.tlb2;
    const uint64_t space = data ? r->data_space : r->space;
    if (pollute ? ec_tlb_access(first, space, page) : ec_tlb_has(first, space, page))
        return 0;
    ec_hold(held, data ? EC_DTLB1_MISS : EC_ITLB1_MISS, 1);
    if (pollute ? ec_tlb_access(second, space, page) : ec_tlb_has(second, space, page))
        return m->profile.lat_tlb2;
    ec_hold(held, EC_TLB2_MISS, 1);
    ec_hold(held, EC_TLB_WALK_CYC, m->profile.lat_walk);
    m->sources.tlb2[data]++;
    m->sources.walk[data] += m->profile.lat_walk;
    return m->profile.lat_walk;
}

static bool look(struct ec_cache *cache, uint64_t line, bool pollute)
{
    return pollute ? ec_cache_access(cache, line) : ec_cache_has(cache, line);
}

/* A line that was not in L1. Returns the penalty. */
static uint64_t outer(struct ec_model *m, uint64_t line, bool data, bool pollute, struct ec_held *held, uint8_t *level)
{
    uint8_t found = 1;
    uint64_t penalty = m->profile.lat_l2;
    ec_hold(held, EC_L2_ACC, 1);
    if (look(&m->caches.l2, line, pollute)) {
        m->sources.l2[data]++;
    } else {
        ec_hold(held, EC_L2_MISS, 1);
        if (m->caches.l3.sets && look(&m->caches.l3, line, pollute)) {
            found = 2;
            penalty = m->profile.lat_l3;
            m->sources.l3[data]++;
        } else {
            if (m->caches.l3.sets)
                ec_hold(held, EC_L3_MISS, 1);
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
                                          bool data, bool pollute, struct ec_held *held, uint8_t *level)
{
    const uint64_t walk = r->dat ? page_access(m, r, page, data, pollute, held) : 0;
    ec_hold(held, data ? EC_L1D_ACC : EC_L1I_ACC, 1);
    if (LIKELY(look(data ? &m->caches.l1d : &m->caches.l1i, line, pollute)))
        return walk;
    ec_hold(held, data ? EC_L1D_MISS : EC_L1I_MISS, 1);
    const uint64_t penalty = outer(m, line, data, pollute, held, level);
    ec_hold(held, data ? EC_L1D_PEN : EC_L1I_PEN, penalty);
    return walk + penalty;
}

uint64_t ec_instruction_line(struct ec_model *m, const struct ec_record *r, uint64_t page, uint64_t line, bool pollute,
                             struct ec_held *held, uint8_t *level)
{
    return line_access(m, r, page, line, false, pollute, held, level);
}

uint64_t ec_data_line(struct ec_model *m, const struct ec_record *r, uint64_t page, uint64_t line, bool pollute,
                      struct ec_held *held, uint8_t *level)
{
    return line_access(m, r, page, line, true, pollute, held, level);
}

/* Amounts of the same event become one, so that long operands find room. */
static void fold(struct ec_held *held)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < held->count; i++) {
        unsigned j = 0;
        while (j < kept && held->what[j].event != held->what[i].event)
            j++;
        if (j == kept)
            held->what[kept++] = held->what[i];
        else if (__builtin_add_overflow(held->what[j].amount, held->what[i].amount, &held->what[j].amount))
            held->what[j].amount = UINT32_MAX;
    }
    held->count = kept;
}

/* The lines of an operand in one page. */
static uint64_t in_page(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o, uint64_t logical,
                        uint64_t absolute, uint64_t length, bool wrong, struct ec_held *held, uint8_t *level)
{
    const uint64_t last = (absolute + length - 1) >> m->line_shift;
    uint64_t penalty = 0;
    for (uint64_t line = absolute >> m->line_shift; line <= last; line++) {
        if (UNLIKELY(held->count > 30)) /* long operands */
            fold(held);
        penalty += ec_data_line(m, r, logical / EC_PAGE, line, !wrong || m->profile.wp_pollute, held, level);
        if (o->store && !wrong && ec_cache_remove(&m->caches.l1i, line))
            ec_hold(held, EC_SMC, 1);
    }
    return penalty;
}

/* Each page of an operand: those that the record has, further ones by the accessor. */
static uint64_t all_lines(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o, bool wrong,
                          struct ec_held *held, uint8_t *level)
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
            penalty += in_page(m, r, o, logical, absolute, length, wrong, held, level);
        done += length;
    }
    return penalty;
}

uint64_t ec_data(struct ec_model *m, const struct ec_record *r, const struct ec_operand *o, bool wrong,
                 struct ec_held *held, uint8_t *level)
{
    if (o->fetch) {
        ec_hold(held, EC_LOAD, 1);
        ec_hold(held, EC_LD_BYTES, o->length);
    }
    if (o->store) {
        ec_hold(held, EC_STORE, 1);
        ec_hold(held, EC_ST_BYTES, o->length);
    }
    const uint64_t penalty = all_lines(m, r, o, wrong, held, level);
    const uint64_t threshold = (m->counting.pmu.mmcr0 >> EC_THRESHOLD_SHIFT & 0x3f) * m->profile.threshold_mult;
    if (penalty > threshold)
        ec_hold(held, EC_L1D_THRESH, 1);
    return penalty;
}

void ec_purge(struct ec_model *m)
{
    ec_tlb_reset(&m->caches.itlb);
    ec_tlb_reset(&m->caches.dtlb);
    ec_tlb_reset(&m->caches.tlb2);
}
