/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions for extended binary floating point that handlers and translated code call give the bits, flags and
   condition codes of the general way, and do what they are there for: numbers that are normal before and behind. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/exec/float.h"
#include "tests/unit/cpu_harness.h"
#include "tests/unit/random.h"

#define TRIALS 300000u
enum { BIAS = 16383, MOST = 0x7fff };
#define FRACTION (((bfp_bits)1 << 112) - 1)

typedef uint64_t (*function)(struct cpu *cpu, const struct op *op);
typedef bfp_bits (*general)(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b);

static unsigned exponent(bfp_bits a) { return (unsigned)(a >> 112) & MOST; }
static bool normal(bfp_bits a) { return exponent(a) - 1 < MOST - 1; }

/* Significands with few bits, on either side or in the middle, and with many that are alike. */
static bfp_bits fraction(struct random *s)
{
    bfp_bits f = (bfp_bits)next(s) << 64 | next(s);
    const unsigned kind = (unsigned)(next(s) % 8), by = (unsigned)(next(s) % 112);
    if (kind == 0)
        f = 0;
    else if (kind == 1)
        f <<= by;
    else if (kind == 2)
        f = (f & FRACTION) >> by;
    else if (kind == 3)
        f = FRACTION - ((f & FRACTION) >> by);
    else if (kind == 4)
        f = ((bfp_bits)1 << by) + (next(s) & 1);
    return f & FRACTION;
}

/* Near 1, near the borders of what is normal, or anything. */
static bfp_bits number(struct random *s)
{
    static const unsigned about[] = {BIAS, BIAS, BIAS, BIAS, BIAS / 2, BIAS + BIAS / 2, 3, MOST - 3};
    unsigned e = about[next(s) % 8] + (unsigned)(next(s) % 7) - 3;
    if (next(s) % 4 == 0)
        e += (unsigned)(next(s) % 300) - 150;
    if (next(s) % 64 == 0)
        e = (unsigned)next(s);
    return (bfp_bits)(next(s) & 1) << 127 | (bfp_bits)(e & MOST) << 112 | fraction(s);
}

static void put(struct cpu *cpu, bool whole, unsigned r, bfp_bits v)
{
    cpu->vr[r].hi = (uint64_t)(v >> 64);
    *(whole ? &cpu->vr[r].lo : &cpu->vr[r + 2].hi) = (uint64_t)v;
}
static bfp_bits get(const struct cpu *cpu, bool whole, unsigned r)
{
    return (bfp_bits)cpu->vr[r].hi << 64 | (whole ? cpu->vr[r].lo : cpu->vr[r + 2].hi);
}

static void check_bits(const char *name, bfp_bits is, bfp_bits expected, bfp_bits a, bfp_bits b)
{
    if (is != expected)
        fail_msg("%s of %016llx%016llx and %016llx%016llx: %016llx%016llx, not %016llx%016llx", name,
                 (unsigned long long)(a >> 64), (unsigned long long)a, (unsigned long long)(b >> 64),
                 (unsigned long long)b, (unsigned long long)(is >> 64), (unsigned long long)is,
                 (unsigned long long)(expected >> 64), (unsigned long long)expected);
}

/* One operation with result of which the general way says `expected`; `must`: it is not to be left to the body. */
static void one(struct cpu *cpu, const char *name, function f, bool whole, struct op *op, bfp_bits expected,
                unsigned flags, unsigned code, bool must)
{
    const bfp_bits a = get(cpu, whole, op->r2), b = get(cpu, whole, op->r3);
    const uint32_t before = cpu->fpc;
    const uint64_t done = f(cpu, op);
    if (!done) {
        assert_false(must);
        assert_int_equal(cpu->fpc, before);
        return;
    }
    check_bits(name, get(cpu, whole, op->r1), expected, a, b);
    assert_int_equal(cpu->fpc, before | flags << FPC_FLAGS_SHIFT);
    assert_int_equal(done, code + 1);
}

static const struct {
    const char *name;
    function pair, whole;
    general general;
    bool code; /* of the pair's */
} operations[] = {{"sum", extended_axbr, extended_waxb, bfp_add, true},
                  {"difference", extended_sxbr, extended_wsxb, bfp_subtract, true},
                  {"quotient", extended_dxbr, extended_wdxb, bfp_divide, false}};

static void two(struct cpu *cpu, const char *name, function pair, function whole, bool code, bfp_bits a, bfp_bits b,
                bfp_bits expected, const struct bfp *x)
{
    const bool must = normal(a) && normal(b) && !x->dxc &&
                      (normal(expected) ? exponent(expected) > 1 : !(expected << 1)) && exponent(expected) < MOST - 2 &&
                      !(x->flags & ~BFP_INEXACT);
    struct op op = {.r1 = 0, .r2 = 1, .r3 = 0};
    cpu->fpc = 0;
    put(cpu, false, 0, a);
    put(cpu, false, 1, b);
    one(cpu, name, pair, false, &op, expected, x->flags, code ? bfp_cc(BFP_EXTENDED, expected) : 0, must);
    op = (struct op){.r1 = 5, .r2 = 3, .r3 = 4};
    cpu->fpc = 0;
    put(cpu, true, 3, a);
    put(cpu, true, 4, b);
    one(cpu, name, whole, true, &op, expected, x->flags, 0, must);
}

static void arithmetic(void **state)
{
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    struct random s = seeded(7);
    (void)state;
    for (uint64_t n = trials_of("EXTENDED_TRIALS", TRIALS); n--;) {
        bfp_bits a = number(&s), b = number(&s);
        if (next(&s) % 8 == 0) /* cancellation */
            b = a ^ (next(&s) & 3) ^ (bfp_bits)(next(&s) & 1) << 127 ^ (bfp_bits)(next(&s) & 1) << 112;
        if (next(&s) % 4 == 0 && normal(a) && normal(b)) {
            /* a quotient that is a number, or one beside it, or in the middle of two but for little */
            struct bfp x = {.rounding = BFP_NEAREST_EVEN};
            const unsigned by = (unsigned)(next(&s) % 113);
            b = next(&s) % 2 ? b : b >> by << by;
            a = bfp_multiply(&x, BFP_EXTENDED, BFP_EXTENDED, next(&s) % 2 ? a : a >> (112 - by) << (112 - by), b);
            a += next(&s) % 4 ? 0 : next(&s) % 3 - 1;
        }
        for (unsigned k = 0; k < sizeof operations / sizeof *operations; k++) {
            struct bfp x = {.rounding = BFP_NEAREST_EVEN};
            const bfp_bits expected = operations[k].general(&x, BFP_EXTENDED, a, b);
            two(cpu, operations[k].name, operations[k].pair, operations[k].whole, operations[k].code, a, b, expected,
                &x);
        }
        struct bfp x = {.rounding = BFP_NEAREST_EVEN};
        const bfp_bits expected = bfp_multiply(&x, BFP_EXTENDED, BFP_EXTENDED, a, b);
        two(cpu, "product", extended_mxbr, extended_wmxb, false, a, b, expected, &x);
    }
    rig_end(r);
}

/* One operand: the root, conversions, comparisons. */
static void others(void **state)
{
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    struct random s = seeded(8);
    bool unused;
    (void)state;
    for (uint64_t n = trials_of("EXTENDED_TRIALS", TRIALS); n--;) {
        const bfp_bits a = number(&s), b = next(&s) % 4 ? number(&s) : a ^ (next(&s) & 1);
        struct op op = {.r1 = 4, .r2 = 1, .r3 = 1};
        struct bfp x = {.rounding = BFP_NEAREST_EVEN};
        bfp_bits expected = bfp_square_root(&x, BFP_EXTENDED, a);
        cpu->fpc = 0;
        put(cpu, false, 1, a);
        one(cpu, "root", extended_sqxbr, false, &op, expected, x.flags, 0, normal(a) && !(a >> 127));

        x = (struct bfp){.rounding = BFP_NEAREST_EVEN};
        expected = bfp_convert(&x, BFP_EXTENDED, BFP_LONG, a, &unused);
        const unsigned e = (unsigned)(expected >> 52) & 0x7ff;
        cpu->fpc = 0;
        if (extended_ldxbr(cpu, &op)) {
            check_bits("long", cpu->vr[4].hi, expected, a, 0);
            assert_int_equal(cpu->fpc, (uint32_t)x.flags << FPC_FLAGS_SHIFT);
        } else {
            assert_false(normal(a) && e > 1 && e < 0x7fe);
        }

        x = (struct bfp){.rounding = BFP_NEAREST_EVEN};
        const uint64_t integer = next(&s) >> next(&s) % 64;
        expected = bfp_from_integer(&x, BFP_EXTENDED, integer, true);
        assert_int_equal(extended_from_integer(cpu, &op, integer), 1);
        check_bits("integer", get(cpu, false, 4), expected, integer, 0);

        x = (struct bfp){.rounding = BFP_NEAREST_EVEN};
        cpu->vr[1].hi = next(&s);
        expected = bfp_convert(&x, BFP_LONG, BFP_EXTENDED, cpu->vr[1].hi, &unused);
        const unsigned old = (unsigned)(cpu->vr[1].hi >> 52) & 0x7ff;
        one(cpu, "lengthened", extended_lxdbr, false, &op, expected, 0, 0, old && old != 0x7ff);

        x = (struct bfp){.rounding = BFP_NEAREST_EVEN};
        const unsigned code = bfp_compare(&x, BFP_EXTENDED, a, b, false);
        put(cpu, false, 4, a);
        put(cpu, false, 1, b);
        const uint64_t done = extended_cxbr(cpu, &op);
        if (done)
            assert_int_equal(done, code + 1);
        else
            assert_true(exponent(a) == MOST || exponent(b) == MOST);
    }
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arithmetic), cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
