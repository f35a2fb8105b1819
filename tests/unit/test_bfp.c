/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bodies' host arithmetic gives the bits, flags and condition codes of the general way: ADD, SUBTRACT, MULTIPLY and
   DIVIDE of short and long numbers with rounding to nearest and no traps, on random operands. */
#include "cpu/exec/bodies.h"
#include "cpu/numbers/bfp.h"
#include "tests/unit/cpu_harness.h"

#define PAIRS 400000u

static uint64_t random64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Mostly numbers near each other and near the borders of the fast way, with few or many bits. */
static uint64_t number(uint64_t *s, unsigned exponent_bits, unsigned fraction_bits)
{
    static const unsigned near_long[] = {1023, 1023, 600, 1399, 1, 2046}, near_short[] = {127, 127, 70, 179, 1, 254};
    unsigned which = (unsigned)(random64(s) % 6), mask = (1u << exponent_bits) - 1;
    unsigned e = (exponent_bits == 8 ? near_short : near_long)[which] + (unsigned)(random64(s) % 61) - 30;
    if (random64(s) % 8 == 0)
        e = (unsigned)random64(s);
    uint64_t fraction = random64(s) >> (64 - fraction_bits), kind = random64(s) % 4;
    if (kind == 0)
        fraction &= ~UINT64_C(0) << random64(s) % fraction_bits;
    else if (kind == 1)
        fraction >>= random64(s) % fraction_bits;
    fraction &= (UINT64_C(1) << fraction_bits) - 1;
    return (random64(s) & 1) << (exponent_bits + fraction_bits) | (uint64_t)(e & mask) << fraction_bits | fraction;
}

static const struct {
    int (*body)(struct cpu *, const struct dis_insn *);
    unsigned row;
    bfp_bits (*general)(struct bfp *, enum bfp_format, bfp_bits, bfp_bits);
} operations[2][4] = {
    {{cpu_aebr, DIS_AEBR, bfp_add},
     {cpu_sebr, DIS_SEBR, bfp_subtract},
     {cpu_meebr, DIS_MEEBR, NULL},
     {cpu_debr, DIS_DEBR, bfp_divide}},
    {{cpu_adbr, DIS_ADBR, bfp_add},
     {cpu_sdbr, DIS_SDBR, bfp_subtract},
     {cpu_mdbr, DIS_MDBR, NULL},
     {cpu_ddbr, DIS_DDBR, bfp_divide}},
};

static void compare(struct cpu *cpu, enum bfp_format f, unsigned op, uint64_t a, uint64_t b)
{
    struct dis_insn insn = {.row = (uint16_t)operations[f][op].row, .r1 = 1, .r2 = 2};
    const unsigned left = f == BFP_SHORT ? 32 : 0;
    struct bfp x = {.rounding = BFP_NEAREST_EVEN};
    bfp_bits (*general)(struct bfp *, enum bfp_format, bfp_bits, bfp_bits) = operations[f][op].general;
    uint64_t expected = (uint64_t)(general ? general(&x, f, a, b) : bfp_multiply(&x, f, f, a, b));
    cpu->vr[1].hi = a << left;
    cpu->vr[2].hi = b << left;
    cpu->fpc = 0;
    cpu->cc = 0;
    assert_int_equal(operations[f][op].body(cpu, &insn), 0);
    if (cpu->vr[1].hi >> left != expected || cpu->fpc >> 16 != x.flags || (op < 2 && cpu->cc != bfp_cc(f, expected)))
        fail_msg("operation %u of %016llx and %016llx: %016llx flags %02x, expected %016llx flags %02x", op,
                 (unsigned long long)a, (unsigned long long)b, (unsigned long long)(cpu->vr[1].hi >> left),
                 cpu->fpc >> 16, (unsigned long long)expected, x.flags);
}

static void host_arithmetic(void **state)
{
    struct rig *r = rig_new();
    (void)state;
    uint64_t s = 1;
    for (unsigned n = 0; n < PAIRS; n++)
        for (enum bfp_format f = BFP_SHORT; f <= BFP_LONG; f++) {
            uint64_t a = number(&s, f == BFP_SHORT ? 8 : 11, f == BFP_SHORT ? 23 : 52);
            uint64_t b = number(&s, f == BFP_SHORT ? 8 : 11, f == BFP_SHORT ? 23 : 52);
            if (random64(&s) % 8 == 0)
                b = a ^ (random64(&s) & 3) ^ (random64(&s) & 1) << (f == BFP_SHORT ? 31 : 63);
            for (unsigned op = 0; op < 4; op++)
                compare(r->cpu, f, op, a, b);
        }
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(host_arithmetic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
