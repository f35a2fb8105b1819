/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries profiles of the pipeline model made by mutation, and lets those that are accepted and small run over records
   and storage that are random bytes: reading and running may not crash, hang or lose a count. Usage: fuzz_uarch [COUNT
   [SEED]]. The sanitizers and the identity of the counters are the judges. */
#include "ri/counters/model/decode.h"
#include "ri/counters/model/model.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STORAGE = 0x8000, STEPS = 150 };

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

static const char *const lines[] = {"base = zlarge",
                                    "base = teach",
                                    "machine = 3906",
                                    "predictor = tage",
                                    "predictor = gshare",
                                    "# words",
                                    "mhz = 5 # and words",
                                    "",
                                    "line = 64",
                                    "l3_sets = 16",
                                    "l3_ways = 2",
                                    "ct_entries = 4",
                                    "group_size = 8",
                                    "wp_exception = 1",
                                    "fetch_buffer = 1",
                                    "ras_entries = 3",
                                    "history = 20",
                                    "wp_pollute = 0",
                                    "itlb = 1",
                                    "tlb2 = 2",
                                    "l1d_sets = 1",
                                    "wp_max_insns = 1024"};

static size_t make(uint64_t *state, char *text, size_t room)
{
    size_t n = 0;
    for (uint64_t k = pick(state, 8); k--;) {
        const char *line = lines[pick(state, sizeof lines / sizeof *lines)];
        n += (size_t)snprintf(text + n, room - n, "%s\n", line);
    }
    for (uint64_t k = pick(state, 3); n && k--;)
        text[pick(state, n)] = (char)(pick(state, 2) ? random_step(state) : '0' + pick(state, 10));
    return n;
}

struct world {
    uint8_t bytes[STORAGE + 8];
    uint64_t gr[16];
    uint64_t salt; /* which pages are not there */
};

static bool page(void *context, uint64_t logical, enum ec_use use, uint64_t *absolute, const uint8_t **bytes)
{
    const struct world *w = context;
    if ((logical / 4096 * 2654435761u ^ w->salt ^ use) % 5 == 0)
        return false;
    *absolute = logical % STORAGE;
    *bytes = (logical / 4096 + w->salt) % 7 ? w->bytes + logical % STORAGE : NULL;
    return true;
}

/* Addresses at the edges of pages, lines and of all there is. */
static uint64_t address(uint64_t *state)
{
    const uint64_t any = random_step(state);
    return pick(state, 3) ? pick(state, STORAGE) & ~UINT64_C(1)
           : any & 1      ? (any >> 8 & 0xfff000) + 4096 - pick(state, 10)
                          : UINT64_MAX - pick(state, 20);
}

static void step(struct world *w, struct ec_model *m, uint64_t *state)
{
    static const uint64_t masks[] = {0xffffff, 0x7fffffff, UINT64_MAX};
    struct ec_record r = {.mask = masks[pick(state, 3)], .gr = w->gr, .dat = pick(state, 2), .space = pick(state, 3)};
    r.ia = address(state) & r.mask & ~UINT64_C(1);
    r.absolute = r.ia % STORAGE;
    r.absolute2 = (r.absolute + 4096) % STORAGE & ~UINT64_C(4095);
    r.text = ec_text(w->bytes + pick(state, STORAGE - 8), 8);
    r.next = (r.ia + (r.text & 7)) & r.mask;
    if (pick(state, 8) == 0) {
        r.target_text = ec_text(w->bytes + pick(state, STORAGE - 8), 8);
        r.target_ia = address(state);
        r.target_absolute = pick(state, STORAGE);
    }
    r.ending = (uint8_t)(pick(state, 10) ? EC_COMPLETES : pick(state, 3));
    r.operands = (uint8_t)pick(state, EC_ACCESSES + 1);
    for (unsigned i = 0; i < r.operands; i++)
        r.operand[i] = (struct ec_operand){.logical = address(state) & r.mask,
                                           .length = 1 + pick(state, pick(state, 20) ? 300 : 20000),
                                           .absolute = {pick(state, STORAGE), pick(state, STORAGE)},
                                           .there = {pick(state, 4), pick(state, 2)},
                                           .fetch = pick(state, 2),
                                           .store = pick(state, 2)};
    r.taken = pick(state, 2);
    r.target = pick(state, 2) ? address(state) & r.mask : r.next;
    w->gr[pick(state, 16)] = address(state);
    ec_model_step(m, &r);
}

static int run(const struct ec_profile *profile, uint64_t *state)
{
    static struct world w;
    for (size_t i = 0; i < sizeof w.bytes; i++)
        w.bytes[i] = (uint8_t)(random_step(state) >> 20);
    w.salt = random_step(state);
    struct ec_model *m = ec_model_create(profile, &(struct ec_storage){&w, page});
    if (!m)
        return 0;
    struct ec_counting *c = ec_model_counting(m);
    ec_add_pairs(c, random_step(state));
    for (unsigned r = 0; r < EC_REGISTERS; r++)
        ec_set_register(c, (enum ec_register)r, (uint32_t)random_step(state));
    for (unsigned i = 0; i < STEPS; i++) {
        step(&w, m, state);
        if (pick(state, 30) == 0)
            (void)ec_model_interrupted(m);
        if (!ec_identity(c)) {
            printf("fuzz_uarch: a count is lost\n");
            return 1;
        }
    }
    ec_model_reset(m, pick(state, 2));
    ec_model_destroy(m);
    return 0;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15), ran = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct ec_profile profile;
        char text[512], why[160] = "";
        const size_t n = make(&state, text, sizeof text);
        char *exact = malloc(n + 1); /* so that the sanitizer sees its end */
        if (!exact)
            return 99;
        memcpy(exact, text, n);
        const int bad = ec_profile_read("f", exact, n, &profile, why, sizeof why);
        free(exact);
        if (bad && !why[0]) {
            printf("fuzz_uarch: refused without a word\n");
            return 1;
        }
        const bool small = !bad && (uint64_t)profile.l2_sets * profile.l2_ways < 1024;
        if (small && run(&profile, &state))
            return 1;
        ran += small;
    }
    printf("%llu profiles tried, %llu ran\n", (unsigned long long)count, (unsigned long long)ran);
    return count >= 1000 && ran < count / 20;
}
