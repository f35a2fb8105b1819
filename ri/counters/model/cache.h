/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches and TLBs as arrays of tags with exact least-recently-used order. Event-counter specification 5.6. */
#ifndef ZRI_RI_COUNTERS_MODEL_CACHE_H
#define ZRI_RI_COUNTERS_MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct ec_cache {
    uint32_t sets, ways; /* sets a power of two, or 0: absent */
    uint64_t *tags;      /* line numbers plus 1, by set, the most recent first; 0: free */
};

int ec_cache_create(struct ec_cache *cache, uint32_t sets, uint32_t ways) __attribute__((warn_unused_result));
void ec_cache_destroy(struct ec_cache *cache);
void ec_cache_reset(struct ec_cache *cache);
bool ec_cache_miss(struct ec_cache *cache, uint64_t line); /* behind the first place */
/* The line is made the most recent of its set; a new one displaces the least recent. True: it was there. */
static inline bool ec_cache_access(struct ec_cache *cache, uint64_t line)
{
    return cache->tags[(line & (cache->sets - 1)) * cache->ways] == line + 1 || !ec_cache_miss(cache, line);
}
/* Is it there? Nothing changes. */
bool ec_cache_has(const struct ec_cache *cache, uint64_t line);
/* It goes. True: it was there. */
bool ec_cache_remove(struct ec_cache *cache, uint64_t line);

/* Fully associative. */
struct ec_tlb {
    uint32_t entries, used, newest, oldest;
    uint32_t buckets; /* a power of two */
    struct ec_page {
        uint64_t space, page;
        uint32_t newer, older, next; /* indexes plus 1; next: in the bucket */
    } * page;
    uint32_t *bucket; /* index plus 1 */
};

int ec_tlb_create(struct ec_tlb *tlb, uint32_t entries) __attribute__((warn_unused_result));
void ec_tlb_destroy(struct ec_tlb *tlb);
/* Purge. */
void ec_tlb_reset(struct ec_tlb *tlb);
/* As ec_cache_access(), by address-space identity and page number. */
bool ec_tlb_access(struct ec_tlb *tlb, uint64_t space, uint64_t page);
bool ec_tlb_has(const struct ec_tlb *tlb, uint64_t space, uint64_t page);

#endif
