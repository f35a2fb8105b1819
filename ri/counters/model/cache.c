/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches and TLBs. */
#include "ri/counters/model/cache.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ec_cache_create(struct ec_cache *cache, uint32_t sets, uint32_t ways)
{
    *cache = (struct ec_cache){.sets = sets, .ways = ways};
    if (!sets)
        return 0;
    cache->tags = calloc((size_t)sets * ways, sizeof *cache->tags);
    return cache->tags ? 0 : -ENOMEM;
}

void ec_cache_destroy(struct ec_cache *cache)
{
    free(cache->tags);
    *cache = (struct ec_cache){0};
}

void ec_cache_reset(struct ec_cache *cache)
{
    if (cache->tags)
        memset(cache->tags, 0, (size_t)cache->sets * cache->ways * sizeof *cache->tags);
}

static uint64_t *set_of(const struct ec_cache *cache, uint64_t line)
{
    return &cache->tags[(line & (cache->sets - 1)) * cache->ways];
}

bool ec_cache_miss(struct ec_cache *cache, uint64_t line)
{
    uint64_t *tag = set_of(cache, line), last = line + 1;
    for (unsigned i = 0; i < cache->ways; i++) {
        const uint64_t was = tag[i];
        tag[i] = last;
        if (was == line + 1)
            return false;
        last = was;
    }
    return true;
}

bool ec_cache_has(const struct ec_cache *cache, uint64_t line)
{
    const uint64_t *tag = set_of(cache, line);
    for (unsigned i = 0; i < cache->ways; i++)
        if (tag[i] == line + 1)
            return true;
    return false;
}

bool ec_cache_remove(struct ec_cache *cache, uint64_t line)
{
    uint64_t *tag = set_of(cache, line);
    for (unsigned i = 0; i < cache->ways; i++)
        if (tag[i] == line + 1) {
            memmove(tag + i, tag + i + 1, (cache->ways - i - 1) * sizeof *tag);
            tag[cache->ways - 1] = 0;
            return true;
        }
    return false;
}

/* ---- TLBs ------------------------------------------------------------------------------------------------------ */

int ec_tlb_create(struct ec_tlb *tlb, uint32_t entries)
{
    *tlb = (struct ec_tlb){.entries = entries, .buckets = 1};
    while (tlb->buckets < 2 * entries)
        tlb->buckets *= 2;
    tlb->page = calloc(entries, sizeof *tlb->page);
    tlb->bucket = calloc(tlb->buckets, sizeof *tlb->bucket);
    return tlb->page && tlb->bucket ? 0 : -ENOMEM;
}

void ec_tlb_destroy(struct ec_tlb *tlb)
{
    free(tlb->page);
    free(tlb->bucket);
    *tlb = (struct ec_tlb){0};
}

void ec_tlb_reset(struct ec_tlb *tlb)
{
    tlb->used = tlb->newest = tlb->oldest = 0;
    memset(tlb->bucket, 0, tlb->buckets * sizeof *tlb->bucket);
}

static uint32_t *bucket_of(const struct ec_tlb *tlb, uint64_t space, uint64_t page)
{
    const uint64_t mixed = (page ^ space >> 12 ^ space << 7) * UINT64_C(0x9e3779b97f4a7c15);
    return &tlb->bucket[mixed >> 32 & (tlb->buckets - 1)];
}

static uint32_t find(const struct ec_tlb *tlb, uint64_t space, uint64_t page)
{
    uint32_t i = *bucket_of(tlb, space, page);
    while (i && (tlb->page[i - 1].page != page || tlb->page[i - 1].space != space))
        i = tlb->page[i - 1].next;
    return i;
}

bool ec_tlb_has(const struct ec_tlb *tlb, uint64_t space, uint64_t page) { return find(tlb, space, page) != 0; }

/* Out of the order of use. */
static void unchain(struct ec_tlb *tlb, uint32_t i)
{
    struct ec_page *p = &tlb->page[i - 1];
    *(p->newer ? &tlb->page[p->newer - 1].older : &tlb->newest) = p->older;
    *(p->older ? &tlb->page[p->older - 1].newer : &tlb->oldest) = p->newer;
}

static void chain(struct ec_tlb *tlb, uint32_t i)
{
    struct ec_page *p = &tlb->page[i - 1];
    p->newer = 0;
    p->older = tlb->newest;
    *(p->older ? &tlb->page[p->older - 1].newer : &tlb->oldest) = i;
    tlb->newest = i;
}

/* The entry that is to be used anew: a free one, or the oldest, out of its bucket. */
static uint32_t victim(struct ec_tlb *tlb)
{
    if (tlb->used < tlb->entries)
        return ++tlb->used;
    const uint32_t i = tlb->oldest;
    unchain(tlb, i);
    uint32_t *link = bucket_of(tlb, tlb->page[i - 1].space, tlb->page[i - 1].page);
    while (*link != i)
        link = &tlb->page[*link - 1].next;
    *link = tlb->page[i - 1].next;
    return i;
}

bool ec_tlb_access(struct ec_tlb *tlb, uint64_t space, uint64_t page)
{
    uint32_t i = find(tlb, space, page);
    const bool hit = i != 0;
    if (hit && i == tlb->newest)
        return true;
    if (hit) {
        unchain(tlb, i);
    } else {
        i = victim(tlb);
        uint32_t *bucket = bucket_of(tlb, space, page);
        tlb->page[i - 1] = (struct ec_page){.space = space, .page = page, .next = *bucket};
        *bucket = i;
    }
    chain(tlb, i);
    return hit;
}
