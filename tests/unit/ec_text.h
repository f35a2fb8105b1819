/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the pipeline's logs: a text that grows, and a guest with hits, misses and a misprediction. */
#ifndef ZRI_TESTS_UNIT_EC_TEXT_H
#define ZRI_TESTS_UNIT_EC_TEXT_H

#include "tests/unit/ec_guest.h"
#include <stdlib.h>

struct text {
    char *bytes;
    size_t n;
};

static inline void put(void *context, const char *bytes, size_t length)
{
    struct text *t = context;
    t->bytes = realloc(t->bytes, t->n + length + 1);
    assert_non_null(t->bytes);
    memcpy(t->bytes + t->n, bytes, length);
    t->n += length;
    t->bytes[t->n] = 0;
}

/* Example 2 of the specification, and two loads behind its loop that miss; the address behind it. */
static inline uint64_t guest_missing_loop(struct guest *g)
{
    memset(g, 0, sizeof *g);
    uint64_t at = guest_put(g, 0x2000, "lghi 1,4");
    at = guest_put(g, at, "lghi 2,0");
    at = guest_put(g, at, "lg 3,0(0,4)");
    at = guest_put(g, at, "agr 2,3");
    at = guest_put(g, at, "la 4,8(0,4)");
    at = guest_put(g, at, "brctg 1,0x2008");
    at = guest_put(g, at, "lg 5,0(0,6)");
    at = guest_put(g, at, "lg 6,0(0,7)");
    at = guest_put(g, at, "bcr 15,0");
    g->gr[6] = 0x5000;
    g->gr[7] = 0x6000;
    return at;
}

#endif
