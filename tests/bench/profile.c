/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast samples of edge profiles are walked: millions of guest instructions in a second, over traces of a program of
   random instructions that is "executed" by throwing dice. With and without what a walker keeps of the code. profile
   --check: the best of some tries must reach LEAST; exit status 1 when it does not, 77 in a build that is slow by
   intention. */
#include "ri/profile/ring.h"
#include "ri/profile/walk.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEAST   20.0 /* million instructions in a second */
#define TRIES   5u
#define BASE    UINT64_C(0x10000)
#define CODE    (1u << 16)
#define TBT     32u
#define SAMPLES 2000u
#define ROUNDS  20u

struct program {
    uint8_t code[CODE + 8];
    uint32_t start[CODE / 2]; /* offsets of instructions */
    unsigned starts;
    uint64_t random;
    struct ep_sample sample[SAMPLES];
    struct ep_entry entry[SAMPLES][TBT];
};

static bool fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    const struct program *p = context;
    *changed = 0;
    if (place.address < BASE || place.address >= BASE + CODE)
        return false;
    memcpy(bytes, p->code + (place.address - BASE), 6);
    return true;
}

static bool page(void *context, struct ep_place place, uint64_t *changed)
{
    (void)context;
    (void)place;
    *changed = 0;
    return true;
}

static unsigned below(struct program *p, unsigned n) { return (unsigned)(random_step(&p->random) >> 33) % n; }

/* Five of six instructions are no branches; those are relative ones, most of them conditional and to places near. */
static void make(struct program *p)
{
    static const struct {
        uint8_t length, bytes[6];
    } kinds[] = {{2, {0x18, 0x12}}, {4, {0xb9, 0x04, 0x00, 0x12}}, {6, {0xe3, 0x10, 0x20, 0x00, 0x00, 0x04}},
                 {4, {0x58, 0x10}}, {4, {0xa7, 0x1a, 0x00, 0x01}}, {4, {0xa7, 0x74}}};
    unsigned at = 0;
    while (at < CODE - 8) {
        const unsigned k = below(p, sizeof kinds / sizeof *kinds);
        p->start[p->starts++] = at;
        memcpy(p->code + at, kinds[k].bytes, kinds[k].length);
        at += kinds[k].length;
    }
    memcpy(p->code + at, "\xa7\xf4\x00\x00", 4);
    p->start[p->starts++] = at;
    for (unsigned i = 0; i < p->starts; i++) {
        uint8_t *insn = p->code + p->start[i];
        if (insn[0] != 0xa7 || (insn[1] & 15) != 4)
            continue;
        const unsigned to = i + 1 == p->starts ? 0 : i < 30 ? below(p, 60) : i - 30 + below(p, 60);
        const int halfwords = ((int)p->start[to < p->starts ? to : 0] - (int)p->start[i]) / 2;
        insn[2] = (uint8_t)(halfwords >> 8);
        insn[3] = (uint8_t)halfwords;
    }
}

/* Samples with the latest TBT taken branches each. */
static void execute(struct program *p)
{
    struct ep_entry ring[TBT];
    uint64_t ia = BASE, taken = 0;
    for (unsigned n = 0; n < SAMPLES;) {
        const uint8_t *insn = p->code + (ia - BASE);
        const uint64_t next = ia + dis_length(insn[0]);
        const bool branch = insn[0] == 0xa7 && (insn[1] & 15) == 4;
        if (!branch || (insn[1] != 0xf4 && below(p, 4) == 0)) {
            ia = next;
            continue;
        }
        const uint64_t to = ia + 2 * (uint64_t)(int64_t)(int16_t)(insn[2] << 8 | insn[3]);
        ring[taken++ % TBT] = (struct ep_entry){.from = {ia, 0, EP_64}, .to = {to, 0, EP_64}, .kind = EP_TRANSFER};
        ia = below(p, 200) ? to : BASE + p->start[below(p, p->starts)]; /* another part of the program */
        if (ia != to)
            taken = 0;
        if (taken < TBT || below(p, 100))
            continue;
        for (unsigned i = 0; i < TBT; i++)
            p->entry[n][i] = ring[(taken + i) % TBT];
        p->sample[n] = (struct ep_sample){.trigger = {.at = p->entry[n][TBT - 1].from, .branch = true, .taken = true},
                                          .count = TBT,
                                          .entry = p->entry[n]};
        n++;
    }
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Million instructions in a second; 0: something went wrong. */
static double walk_all(struct program *p, bool keep)
{
    const struct ep_rules rules = {.cbt = TBT, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    const struct ep_code code = {.context = p, .fetch = fetch, .page = keep ? page : NULL};
    struct ep_walker *w = ep_walker_create(&rules, &code, EP_RING_MOST(TBT));
    struct ep_path path;
    bool good = w;
    const double begin = cpu_seconds();
    for (unsigned i = 0; good && i < ROUNDS * SAMPLES; i++)
        good = ep_walk(w, &p->sample[i % SAMPLES], &path) == EP_ACCEPTED && path.branches == TBT;
    const double speed = good ? (double)ep_walked(w) / (cpu_seconds() - begin) / 1e6 : 0;
    ep_walker_destroy(w);
    return speed;
}

#if !defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

int main(int argc, char **argv)
{
    const bool check = argc > 1 && !strcmp(argv[1], "--check");
    double best = 0;
    if (check && SLOW_BUILD)
        return 77;
    struct program *p = calloc(1, sizeof *p);
    if (!p)
        return 99;
    p->random = 1;
    make(p);
    execute(p);
    for (unsigned i = 0; i < (check ? TRIES : 1); i++) {
        const double speed = walk_all(p, true);
        best = speed > best ? speed : best;
    }
    printf("profile walk: %.1f million instructions in a second, %.1f when nothing is kept\n", best,
           walk_all(p, false));
    free(p);
    return check && best < LEAST;
}
