/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline log in Kanata format, by a strict reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ri/counters/model/kanata.h"
#include "tests/unit/ec_text.h"

enum { MOST = 20000 };
struct read {
    unsigned lines, fetched, retired, flushed;
    uint64_t cycle;
    int stage[MOST]; /* the latest: 0 F, 1 Ds, 2 X, 3 Cm; -1: it has left */
    uint64_t at[MOST][5];
};

static void one(struct read *r, const char *line)
{
    static const char *const stages[] = {"F", "Ds", "X", "Cm"};
    unsigned long long id, a, b;
    char word[32];
    if (r->lines++ == 0) {
        assert_string_equal(line, "Kanata\t0004");
    } else if (sscanf(line, "C=\t%llu", &a) == 1) {
        assert_int_equal(r->lines, 2);
        r->cycle = a;
    } else if (sscanf(line, "C\t%llu", &a) == 1) {
        assert_true(a > 0);
        r->cycle += a;
    } else if (sscanf(line, "I\t%llu\t%llu\t%llu", &id, &a, &b) == 3) {
        assert_true(id == r->fetched && a == id && b == 0 && id < MOST);
        r->stage[r->fetched++] = -2;
    } else if (sscanf(line, "L\t%llu\t%llu\t%16llx", &id, &a, &b) == 3) {
        assert_true(id == r->fetched - 1 && a == 0);
    } else if (sscanf(line, "S\t%llu\t%llu\t%7s", &id, &a, word) == 3) {
        int stage = 0;
        while (stage < 4 && strcmp(stages[stage], word) != 0)
            stage++;
        assert_true(id < r->fetched && a == 0 && stage < 4);
        assert_int_equal(r->stage[id], stage ? stage - 1 : -2);
        r->stage[id] = stage;
        r->at[id][stage] = r->cycle;
    } else if (sscanf(line, "R\t%llu\t%llu\t%llu", &id, &a, &b) == 3) {
        assert_true(id < r->fetched && r->stage[id] >= 0 && b <= 1);
        if (b == 0) {
            assert_int_equal(a, r->retired++);
            assert_int_equal(r->stage[id], 3);
        } else {
            r->flushed++;
        }
        r->stage[id] = -1;
        r->at[id][4] = r->cycle;
    } else {
        fail_msg("not understood: %s", line);
    }
}

static void understand(struct read *r, struct text *t)
{
    memset(r, 0, sizeof *r);
    for (char *line = t->bytes, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        *end = 0;
        one(r, line);
    }
    for (unsigned i = 0; i < r->fetched; i++)
        assert_int_equal(r->stage[i], -1); /* everybody has left */
    free(t->bytes);
}

static void ec_156_loop(void **state)
{
    static struct guest g;
    static struct read r;
    static const char *const shapes[] = {"", "group_size = 3\n", "ct_entries = 5\nwp_exception = 1\nlat_mem = 300\n",
                                         "base = zlarge\n"};
    (void)state;
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct text text = {0};
        struct ec_profile p;
        char why[160];
        const uint64_t at = guest_missing_loop(&g);
        g.gr[4] = 0x3000;
        assert_int_equal(ec_profile_read("shape", shapes[i], strlen(shapes[i]), &p, why, sizeof why), 0);
        struct ec_model *m = guest_model(&g, &p);
        struct ec_kanata *log = ec_kanata_create(put, &text);
        assert_non_null(log);
        ec_model_watch(m, ec_kanata_watch(log));
        unsigned done = 0;
        for (unsigned again = 0; again < 40; again++)
            for (g.ia = 0x2000, g.gr[4] = 0x3000; g.ia != at && (again || done < 21); done++)
                guest_step(&g, m);
        ec_model_drain(m);
        assert_true(ec_kanata_destroy(log));
        struct ec_totals t;
        ec_model_totals(m, &t);
        understand(&r, &text);
        assert_int_equal(r.retired, t.completed[EC_INST]);
        assert_int_equal(r.retired, done);
        assert_true(r.flushed >= t.all[EC_INST] - t.completed[EC_INST]);
        assert_int_equal(r.cycle, ec_model_cycles(m));
        if (i == 0) { /* example 2: its first instructions, and the first wrong path */
            static const uint64_t first[][5] = {{101, 106, 107, 108, 109}, {101, 106, 107, 108, 109},
                                                {102, 107, 108, 211, 212}, {102, 107, 211, 212, 213},
                                                {103, 108, 109, 110, 213}, {103, 108, 109, 110, 214},
                                                {104, 109, 110, 0, 110},   {104, 109, 110, 0, 110},
                                                {106, 0, 0, 0, 110},       {111, 116, 117, 128, 214}};
            assert_memory_equal(r.at, first, sizeof first);
        }
        ec_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ec_156_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
