/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs of the small guest, and shapes of pipelines to put them through. */
#ifndef ZRI_TESTS_UNIT_EC_PROGRAMS_H
#define ZRI_TESTS_UNIT_EC_PROGRAMS_H

#include "tests/unit/ec_guest.h"
#include "tests/unit/random.h"
#include <stdio.h>

enum { CODE = 0x2000, LINES = 48, STEPS = 1500, SHAPES = 8 };

/* Straight pieces, loops, calls, and branches by what was computed. */
static inline void random_line(struct random *r, char *line, size_t size)
{
    const unsigned a = below(r, 8), b = below(r, 8), to = CODE + 8 * below(r, LINES);
    switch (below(r, 13)) {
    case 0:
        snprintf(line, size, "lghi %u,%d", a, (int)below(r, 200) - 50);
        return;
    case 1:
        snprintf(line, size, "aghi %u,%d", a, (int)below(r, 16) - 8);
        return;
    case 2:
        snprintf(line, size, "agr %u,%u", a, b);
        return;
    case 3:
        snprintf(line, size, "xgr %u,%u", a, b);
        return;
    case 4:
        snprintf(line, size, "ltgr %u,%u", a, b);
        return;
    case 5:
        snprintf(line, size, "msgr %u,%u", a, b);
        return;
    case 6:
    case 7:
        snprintf(line, size, "lg %u,%u(0,%u)", a, below(r, 4000), 8 + below(r, 3));
        return;
    case 8:
        snprintf(line, size, "stg %u,%u(0,%u)", a, below(r, 4000), 8 + below(r, 3));
        return;
    case 9:
        snprintf(line, size, "brctg %u,0x%x", a, to);
        return;
    case 10:
        snprintf(line, size, "brc %u,0x%x", below(r, 16), to);
        return;
    case 11:
        snprintf(line, size, below(r, 2) ? "bras 14,0x%x" : "brc 6,0x%x", to);
        return;
    default:
        snprintf(line, size, below(r, 3) ? "bcr 15,14" : "bcr 15,0");
        return;
    }
}

static inline void random_guest(struct guest *g, uint64_t seed)
{
    struct random r = seeded(seed);
    char line[48];
    memset(g, 0, sizeof *g);
    for (unsigned i = 0; i < LINES; i++) { /* each at a multiple of 8, filled up */
        uint64_t at = CODE + 8 * i;
        random_line(&r, line, sizeof line);
        at = guest_put(g, at, line);
        while (at < CODE + 8 * (i + 1))
            at = guest_put(g, at, at % 4 ? "ltr 15,15" : "lghi 13,1");
    }
    guest_put(g, CODE + 8 * LINES, "brc 15,0x2000");
    g->gr[14] = CODE;
    g->gr[8] = 0x8000;
    g->gr[9] = 0x9f80;
    g->gr[10] = 0x1e800; /* its operands reach into the page that may be missing */
    g->ia = CODE;
    g->missing = seed % 3 == 0;
}

static const char *const shapes[SHAPES] = {
    "base = teach\n",
    "base = zlarge\n",
    "base = teach\nct_entries = 4\n",
    "base = teach\ngroup_size = 3\npredictor = gshare\nhistory = 4\n",
    "base = zlarge\nct_entries = 32\nwp_max_insns = 0\n",
    "base = teach\npredictor = tage\nras_entries = 2\nwp_exception = 1\n",
    "base = zlarge\nct_entries = 7\ngroup_size = 8\nwp_exception = 1\nfetch_buffer = 3\n",
    "base = teach\nwp_pollute = 0\nct_entries = 256\nlat_mem = 900\nl3_sets = 64\nl3_ways = 2\nhistory = 3\n",
};
static inline struct ec_profile shape(unsigned i)
{
    struct ec_profile p;
    char why[200];
    if (ec_profile_read("shape", shapes[i], strlen(shapes[i]), &p, why, sizeof why))
        fail_msg("%s", why);
    return p;
}

#endif
