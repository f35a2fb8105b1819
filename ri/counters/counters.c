/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU-measurement counter facility: sets, their states, counters. Source: event-counter specification, section
   4. */
#include "ri/counters/internal.h"
#include <stdlib.h>

#define ASSIGNED (COUNTERS_EXTENDED | COUNTERS_BASIC | COUNTERS_PROBLEM | COUNTERS_CRYPTO)

static const struct set {
    uint16_t bit;
    uint8_t m3; /* how STCCTM names it */
    uint16_t first;
    const char *name;
} sets[] = {
    {COUNTERS_BASIC, 1, 0, "basic"},
    {COUNTERS_PROBLEM, 2, 32, "problem-state"},
    {COUNTERS_CRYPTO, 3, 64, "crypto-activity"},
    {COUNTERS_EXTENDED, 0, 128, "extended"},
    {COUNTERS_MT, 5, 448, "MT-diagnostic"},
    {COUNTERS_COPROCESSOR, UINT8_MAX, 0, "coprocessor-group"},
};
#define SETS (sizeof sets / sizeof *sets)

static unsigned size_of(const struct counters_profile *p, unsigned set)
{
    const unsigned second = p->second_version;
    switch (set) {
    case COUNTERS_BASIC:
        return 6;
    case COUNTERS_PROBLEM:
        return p->first_version == 1 ? 6 : 2;
    case COUNTERS_CRYPTO:
        return second >= 6 ? 20 : 16;
    case COUNTERS_EXTENDED:
        return second == 1 ? 32 : second == 2 ? 48 : second >= 6 ? 160 : 128;
    case COUNTERS_MT:
        return second > 3 ? 48 : 0;
    default:
        return 0;
    }
}

void counters_versions(uint16_t machine_type, uint16_t *first, uint16_t *second)
{
    static const struct {
        uint16_t type[2], first, second;
    } known[] = {
        {{0x2827, 0x2828}, 1, 3}, {{0x2964, 0x2965}, 3, 4}, {{0x3906, 0x3907}, 3, 5},
        {{0x8561, 0x8562}, 3, 6}, {{0x3931, 0x3932}, 3, 7},
    };
    *first = 3;
    *second = 5;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type[0] == machine_type || known[i].type[1] == machine_type) {
            *first = known[i].first;
            *second = known[i].second;
        }
}

static void clear_set(struct counters *c, const struct set *set)
{
    unsigned count = size_of(&c->profile, set->bit);
    memset(c->value + set->first, 0, count * sizeof *c->value);
}

/* The sets that are authorized now; those that are not any more lose their contents. The MT-diagnostic set has no
   other states than unauthorized and active. */
static void authorize(struct counters *c)
{
    const uint16_t before = c->active;
    uint16_t now = COUNTERS_BASIC | COUNTERS_PROBLEM;
    now |= c->model && size_of(&c->profile, COUNTERS_EXTENDED) ? COUNTERS_EXTENDED : 0;
    now |= c->profile.crypto ? COUNTERS_CRYPTO : 0;
    now |= c->profile.mt_diagnostic && size_of(&c->profile, COUNTERS_MT) ? COUNTERS_MT : 0;
    now &= c->mask;
    c->authorized = now;
    c->enabled = (uint16_t)((c->enabled & now) | (now & COUNTERS_MT));
    c->active = (uint16_t)((c->active & now) | (now & COUNTERS_MT));
    counters_end_view(c, before & ~(unsigned)c->active);
    for (unsigned i = 0; i < SETS; i++)
        if (!(now & sets[i].bit))
            clear_set(c, &sets[i]);
    counters_derive(c);
}

struct counters *counters_create(void)
{
    struct counters *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->mask = UINT16_MAX;
    counters_set_profile(c, &(struct counters_profile){.first_version = 3, .second_version = 5, .mhz = 1});
    counters_reset(c);
    return c;
}

void counters_destroy(struct counters *c) { free(c); }

void counters_set_profile(struct counters *c, const struct counters_profile *profile)
{
    c->profile = *profile;
    authorize(c);
}

void counters_reset(struct counters *c)
{
    c->enabled = c->active = 0;
    c->alerts = 0;
    memset(c->value, 0, sizeof c->value);
    sampling_reset(c);
    authorize(c);
}

void counters_authorize(struct counters *c, uint16_t mask)
{
    c->mask = mask;
    authorize(c);
    c->alerts |= COUNTERS_CACA;
}

void counters_set_model(struct counters *c, struct ec_model *model)
{
    counters_end_view(c, c->active);
    c->model = model;
    c->model_cycles = 0;
    c->model_rests = false;
    counters_begin_view(c, c->active);
    counters_authorize(c, c->mask);
}

/* ---- counting -------------------------------------------------------------------------------------------------- */

void counters_charge(struct counters *c, uint64_t instructions, uint64_t cycles, bool problem)
{
    if (c->model && !c->model_rests) {
        cycles = c->model_cycles;
        c->model_cycles = 0;
    }
    if (c->active & COUNTERS_BASIC) {
        c->value[COUNTER_CYCLES] += cycles;
        c->value[COUNTER_INSTRUCTIONS] += instructions;
    }
    if (problem && c->active & COUNTERS_PROBLEM) {
        c->value[COUNTER_PROBLEM_CYCLES] += cycles;
        c->value[COUNTER_PROBLEM_INSTRUCTIONS] += instructions;
    }
    if (c->model && c->active & COUNTERS_PROBLEM)
        counters_problem_view(c, problem);
    if (c->active & COUNTERS_MT)
        c->value[COUNTER_MT_CYCLES] += cycles;
    sampling_charge(c, cycles);
}

void counters_function(struct counters *c, enum counters_class class)
{
    const unsigned first = COUNTER_CRYPTO + 4 * (unsigned)class;
    if (!(c->active & COUNTERS_CRYPTO) || first - COUNTER_CRYPTO >= size_of(&c->profile, COUNTERS_CRYPTO))
        return;
    c->value[first]++;
    c->value[first + 1] += c->model ? ec_model_profile(c->model)->lat_other : 0; /* the class of these instructions */
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

void counters_query(const struct counters *c, uint16_t maximum_cpu, uint8_t block[COUNTERS_BLOCK])
{
    memset(block, 0, COUNTERS_BLOCK);
    counters_put16(block, c->profile.first_version);
    counters_put16(block + 2, c->authorized);
    counters_put16(block + 4, c->enabled);
    counters_put16(block + 6, c->active);
    counters_put16(block + 8, maximum_cpu);
    counters_put16(block + 10, c->profile.second_version);
}

bool counters_control_invalid(const struct counters *c, uint64_t operand)
{
    const unsigned enable = operand >> 16 & 0xffff, activate = operand & 0xffff;
    const unsigned allowed = (c->authorized & ASSIGNED) | COUNTERS_MT;
    return operand >> 32 || (enable | activate) & ~allowed || activate & ~enable & ~(unsigned)COUNTERS_MT;
}

void counters_control(struct counters *c, uint64_t operand)
{
    const uint16_t keep = c->authorized & COUNTERS_MT, before = c->active;
    c->enabled = (uint16_t)((operand >> 16 & ASSIGNED) | keep);
    c->active = (uint16_t)((operand & ASSIGNED) | keep);
    counters_end_view(c, before & ~(unsigned)c->active);
    counters_begin_view(c, c->active & ~(unsigned)before);
    for (unsigned i = 0; i < SETS; i++)
        if (!(c->enabled & sets[i].bit))
            clear_set(c, &sets[i]);
    counters_derive(c);
}

/* The set of a counter that exists and may be looked at; NULL: none. */
static const struct set *set_of(const struct counters *c, uint64_t number)
{
    number &= 0xffff;
    for (unsigned i = 0; i < SETS; i++)
        if (number >= sets[i].first && number - sets[i].first < size_of(&c->profile, sets[i].bit))
            return c->authorized & c->enabled & sets[i].bit ? &sets[i] : NULL;
    return NULL;
}

bool counters_extract(const struct counters *c, uint64_t number, uint64_t *value)
{
    if (!set_of(c, number))
        return false;
    *value = counters_value(c, number & 0xffff);
    return true;
}

bool counters_store(struct counters *c, uint64_t number, uint64_t value)
{
    const struct set *set = set_of(c, number);
    if (!set || set->bit == COUNTERS_MT)
        return false;
    counters_set_value(c, number & 0xffff, value);
    return true;
}

unsigned counters_multiple(const struct counters *c, unsigned m3, unsigned *first, bool *readable)
{
    if (m3 == 9) /* the MT-diagnostic set, and its alert is cleared */
        m3 = 5;
    for (unsigned i = 0; i < SETS; i++)
        if (sets[i].m3 == m3) {
            *first = sets[i].first;
            *readable = c->authorized & c->enabled & sets[i].bit;
            return size_of(&c->profile, sets[i].bit);
        }
    return 0;
}

/* ---- looking at it --------------------------------------------------------------------------------------------- */

bool counters_set_number(const struct counters *c, unsigned index, enum counters_set *set, const char **name,
                         unsigned *first, unsigned *count)
{
    if (index >= SETS)
        return false;
    *set = (enum counters_set)sets[index].bit;
    *name = sets[index].name;
    *first = sets[index].first;
    *count = size_of(&c->profile, sets[index].bit);
    return true;
}

const char *counters_state_name(const struct counters *c, enum counters_set set)
{
    return !(c->authorized & set) ? "unauthorized"
           : !(c->enabled & set)  ? "disabled"
           : !(c->active & set)   ? "inactive"
                                  : "active";
}

void counters_each_field(struct counters *c, void (*visit)(void *context, const char *name, void *place, size_t size),
                         void *context)
{
#define VISIT(name) visit(context, #name, &c->name, sizeof c->name)
    VISIT(due);
    VISIT(mask);
    VISIT(authorized);
    VISIT(enabled);
    VISIT(active);
    VISIT(alerts);
    VISIT(value);
    VISIT(sampling.controls);
    VISIT(sampling.interval);
    VISIT(sampling.left);
    VISIT(sampling.tear);
    VISIT(sampling.dear);
    VISIT(samples);
#undef VISIT
}

bool counters_restored(struct counters *c)
{
    const struct sampling *s = &c->sampling;
    const unsigned enables = SAMPLING_ES | SAMPLING_ED, activates = SAMPLING_CS | SAMPLING_CD;
    if (c->active & ~c->enabled || (s->controls & ~(enables | activates)) ||
        (s->controls & activates) & ~((s->controls & enables) >> 8))
        return false;
    if (s->controls & activates &&
        (s->interval < SAMPLING_MIN || s->interval > SAMPLING_MAX || s->left < 1 || s->left > s->interval))
        return false;
    authorize(c);
    return true;
}
