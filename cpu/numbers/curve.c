/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elliptic curves: affine points, textbook formulas. FIPS 186-4 D.1.2, RFC 7748, RFC 8032. */
#include "config.h"

#if HAVE_NETTLE

#include "cpu/numbers/curve.h"
#include <string.h>

/* Hexadecimal; a minus sign stands for the negative modulo p. */
struct constants {
    enum crypto_curve_form form;
    uint8_t field;
    const char *p, *a, *b, *order, *base_x, *base_y;
};

static const struct constants constants[] = {
    [CRYPTO_P256] = {CRYPTO_WEIERSTRASS, 32, "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", "-3",
                     "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
                     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
                     "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
                     "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"},
    [CRYPTO_P384] =
        {CRYPTO_WEIERSTRASS, 48,
         "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff", "-3",
         "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
         "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
         "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
         "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"},
    [CRYPTO_P521] = {CRYPTO_WEIERSTRASS, 80,
                     "1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                     "-3",
                     "51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e15"
                     "6193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
                     "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
                     "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
                     "c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa"
                     "14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
                     "11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c"
                     "97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650"},
    [CRYPTO_ED25519] = {CRYPTO_EDWARDS, 32, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed", "-1",
                        "52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3",
                        "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed",
                        "216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a",
                        "6666666666666666666666666666666666666666666666666666666666666658"},
    [CRYPTO_ED448] = {CRYPTO_EDWARDS, 64,
                      "fffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
                      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                      "1", "-98a9",
                      "3fffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                      "7cca23e9c44edb49aed63690216cc2728dc58f552378c292ab5844f3",
                      "4f1970c66bed0ded221d15a622bf36da9e146570470f1767ea6de324"
                      "a3d3a46412ae1af72ab66511433b80e18b00938e2626a82bc70cc05e",
                      "693f46716eb6bc248876203756c9c7624bea73736ca3984087789c1e"
                      "05a0c2d73ad3ff1ce67c39c4fdbd132c4ed7c8ad9808795bf230fa14"},
    [CRYPTO_CURVE25519] = {CRYPTO_MONTGOMERY, 32, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed",
                           "76d06", "1", "0", "0", "0"},
    [CRYPTO_CURVE448] = {CRYPTO_MONTGOMERY, 64,
                         "fffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
                         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                         "262a6", "1", "0", "0", "0"},
};

void crypto_curve_open(struct crypto_curve *curve, enum crypto_curve_id id)
{
    const struct constants *c = &constants[id];
    curve->id = id;
    curve->form = c->form;
    curve->field = c->field;
    mpz_init_set_str(curve->p, c->p, 16);
    mpz_init_set_str(curve->a, c->a, 16);
    mpz_init_set_str(curve->b, c->b, 16);
    mpz_init_set_str(curve->order, c->order, 16);
    mpz_init_set_str(curve->base_x, c->base_x, 16);
    mpz_init_set_str(curve->base_y, c->base_y, 16);
    mpz_mod(curve->a, curve->a, curve->p);
    mpz_mod(curve->b, curve->b, curve->p);
}

void crypto_curve_close(struct crypto_curve *curve)
{
    mpz_clears(curve->p, curve->a, curve->b, curve->order, curve->base_x, curve->base_y, (mpz_ptr)NULL);
}

void crypto_point_open(struct crypto_point *point)
{
    mpz_inits(point->x, point->y, (mpz_ptr)NULL);
    point->none = false;
}

void crypto_point_close(struct crypto_point *point) { mpz_clears(point->x, point->y, (mpz_ptr)NULL); }

void crypto_point_base(const struct crypto_curve *curve, struct crypto_point *point)
{
    mpz_set(point->x, curve->base_x);
    mpz_set(point->y, curve->base_y);
    point->none = false;
}

/* The product of a and b modulo p. */
static void multiply(const struct crypto_curve *c, mpz_t product, const mpz_t a, const mpz_t b)
{
    mpz_mul(product, a, b);
    mpz_mod(product, product, c->p);
}

static void set_point(struct crypto_point *to, const struct crypto_point *from)
{
    mpz_set(to->x, from->x);
    mpz_set(to->y, from->y);
    to->none = from->none;
}

/* The neutral point. */
static void set_neutral(const struct crypto_curve *c, struct crypto_point *point)
{
    mpz_set_ui(point->x, 0);
    mpz_set_ui(point->y, c->form == CRYPTO_EDWARDS);
    point->none = c->form == CRYPTO_WEIERSTRASS;
}

bool crypto_point_valid(const struct crypto_curve *c, const struct crypto_point *point)
{
    mpz_t left, right, t;
    if (mpz_cmp(point->x, c->p) >= 0 || mpz_cmp(point->y, c->p) >= 0)
        return false;
    mpz_inits(left, right, t, (mpz_ptr)NULL);
    mpz_mul(left, point->y, point->y);
    mpz_mul(t, point->x, point->x);
    if (c->form == CRYPTO_WEIERSTRASS) {
        mpz_add(t, t, c->a);
        mpz_mul(right, t, point->x);
        mpz_add(right, right, c->b);
    } else {
        mpz_mul(right, t, left);
        mpz_mul(right, right, c->b);
        mpz_add_ui(right, right, 1);
        mpz_addmul(left, t, c->a);
    }
    const bool valid = mpz_congruent_p(left, right, c->p);
    mpz_clears(left, right, t, (mpz_ptr)NULL);
    return valid;
}

/* The slope of the line through two points that are not each other's negative, or of the tangent. */
static void slope_of(const struct crypto_curve *c, mpz_t slope, const struct crypto_point *p,
                     const struct crypto_point *q)
{
    mpz_t divisor;
    mpz_init(divisor);
    if (mpz_cmp(p->x, q->x) == 0) {
        mpz_mul(slope, p->x, p->x);
        mpz_mul_ui(slope, slope, 3);
        mpz_add(slope, slope, c->a);
        mpz_mul_2exp(divisor, p->y, 1);
    } else {
        mpz_sub(slope, q->y, p->y);
        mpz_sub(divisor, q->x, p->x);
    }
    mpz_invert(divisor, divisor, c->p);
    multiply(c, slope, slope, divisor);
    mpz_clear(divisor);
}

static void add_weierstrass(const struct crypto_curve *c, struct crypto_point *sum, const struct crypto_point *p,
                            const struct crypto_point *q)
{
    mpz_t slope, x;
    if (p->none || q->none) {
        set_point(sum, p->none ? q : p);
        return;
    }
    mpz_inits(slope, x, (mpz_ptr)NULL);
    mpz_add(x, p->y, q->y);
    if (mpz_cmp(p->x, q->x) == 0 && mpz_divisible_p(x, c->p)) {
        set_neutral(c, sum);
    } else {
        slope_of(c, slope, p, q);
        mpz_mul(x, slope, slope);
        mpz_sub(x, x, p->x);
        mpz_sub(x, x, q->x);
        mpz_mod(x, x, c->p);
        mpz_t y;
        mpz_init(y);
        mpz_sub(y, p->x, x);
        mpz_mul(y, y, slope);
        mpz_sub(y, y, p->y);
        mpz_mod(sum->y, y, c->p);
        mpz_set(sum->x, x);
        sum->none = false;
        mpz_clear(y);
    }
    mpz_clears(slope, x, (mpz_ptr)NULL);
}

/* (x1 y2 + y1 x2) / (1 + k), (y1 y2 - a x1 x2) / (1 - k), where k = b x1 x2 y1 y2: complete on both curves. */
static void add_edwards(const struct crypto_curve *c, struct crypto_point *sum, const struct crypto_point *p,
                        const struct crypto_point *q)
{
    mpz_t xx, yy, k, x, y, plus, minus;
    mpz_inits(xx, yy, k, x, y, plus, minus, (mpz_ptr)NULL);
    mpz_mul(xx, p->x, q->x);
    mpz_mul(yy, p->y, q->y);
    mpz_mul(k, xx, yy);
    multiply(c, k, k, c->b);
    mpz_add_ui(plus, k, 1);
    mpz_ui_sub(minus, 1, k);
    mpz_mul(x, p->x, q->y);
    mpz_addmul(x, p->y, q->x);
    mpz_mul(x, x, minus); /* one inversion for both: of (1 + k)(1 - k) */
    mpz_mul(y, xx, c->a);
    mpz_sub(y, yy, y);
    mpz_mul(y, y, plus);
    mpz_mul(k, plus, minus);
    mpz_invert(k, k, c->p);
    multiply(c, sum->x, x, k);
    multiply(c, sum->y, y, k);
    mpz_clears(xx, yy, k, x, y, plus, minus, (mpz_ptr)NULL);
}

void crypto_point_add(const struct crypto_curve *c, struct crypto_point *sum, const struct crypto_point *p,
                      const struct crypto_point *q)
{
    (c->form == CRYPTO_EDWARDS ? add_edwards : add_weierstrass)(c, sum, p, q);
}

void crypto_point_multiply(const struct crypto_curve *c, struct crypto_point *product, const mpz_t k,
                           const struct crypto_point *p)
{
    struct crypto_point sum;
    crypto_point_open(&sum);
    set_neutral(c, &sum);
    for (size_t n = mpz_sizeinbase(k, 2); n--;) {
        crypto_point_add(c, &sum, &sum, &sum);
        if (mpz_tstbit(k, n))
            crypto_point_add(c, &sum, &sum, p);
    }
    set_point(product, &sum);
    crypto_point_close(&sum);
}

/* One step of the ladder: (x2, z2) doubled, (x3, z3) their sum; u belongs to their difference. RFC 7748, 5. */
static void ladder_step(const struct crypto_curve *c, mpz_t x2, mpz_t z2, mpz_t x3, mpz_t z3, const mpz_t u)
{
    mpz_t a, b, e, d, t;
    mpz_inits(a, b, e, d, t, (mpz_ptr)NULL);
    mpz_add(a, x2, z2);
    mpz_sub(b, x2, z2);
    mpz_sub(d, x3, z3);
    mpz_mul(d, d, a);
    mpz_add(t, x3, z3);
    mpz_mul(t, t, b);
    mpz_add(x3, d, t);
    multiply(c, x3, x3, x3);
    mpz_sub(z3, d, t);
    mpz_mul(z3, z3, z3);
    multiply(c, z3, z3, u);
    mpz_mul(a, a, a);
    mpz_mul(b, b, b);
    mpz_sub(e, a, b);
    multiply(c, x2, a, b);
    mpz_sub_ui(t, c->a, 2); /* z2 = e (a + e (A - 2) / 4) */
    mpz_divexact_ui(t, t, 4);
    mpz_mul(t, t, e);
    mpz_add(t, t, a);
    multiply(c, z2, t, e);
    mpz_clears(a, b, e, d, t, (mpz_ptr)NULL);
}

void crypto_curve_ladder(const struct crypto_curve *c, mpz_t result, const mpz_t k, const mpz_t u)
{
    mpz_t x2, z2, x3, z3;
    mpz_init_set_ui(x2, 1);
    mpz_init_set_ui(z2, 0);
    mpz_init_set(x3, u);
    mpz_init_set_ui(z3, 1);
    for (size_t n = mpz_sizeinbase(k, 2); n--;) {
        if (mpz_tstbit(k, n))
            ladder_step(c, x3, z3, x2, z2, u);
        else
            ladder_step(c, x2, z2, x3, z3, u);
    }
    if (mpz_invert(z2, z2, c->p))
        mpz_mul(x2, x2, z2);
    else
        mpz_set_ui(x2, 0);
    mpz_mod(result, x2, c->p);
    mpz_clears(x2, z2, x3, z3, (mpz_ptr)NULL);
}

/* A square root modulo p, which is 3 modulo 4, or 5 modulo 8. False: there is none. */
static bool square_root(mpz_t root, const mpz_t square, const mpz_t p)
{
    mpz_t power, t;
    mpz_inits(power, t, (mpz_ptr)NULL);
    const bool three = mpz_fdiv_ui(p, 4) == 3;
    mpz_add_ui(power, p, three ? 1 : 3);
    mpz_fdiv_q_2exp(power, power, three ? 2 : 3);
    mpz_powm(root, square, power, p);
    mpz_mul(t, root, root);
    if (!three && !mpz_congruent_p(t, square, p)) { /* times the square root of -1 */
        mpz_sub_ui(power, p, 1);
        mpz_fdiv_q_2exp(power, power, 2);
        mpz_set_ui(t, 2);
        mpz_powm(t, t, power, p);
        mpz_mul(root, root, t);
        mpz_mod(root, root, p);
    }
    mpz_mul(t, root, root);
    const bool is = mpz_congruent_p(t, square, p);
    mpz_clears(power, t, (mpz_ptr)NULL);
    return is;
}

bool crypto_point_from_y(const struct crypto_curve *c, struct crypto_point *point, const mpz_t y, bool odd)
{
    mpz_t square, divisor;
    bool is = mpz_cmp(y, c->p) < 0;
    mpz_inits(square, divisor, (mpz_ptr)NULL);
    mpz_mul(square, y, y); /* x^2 = (1 - y^2) / (a - b y^2) */
    mpz_mul(divisor, square, c->b);
    mpz_sub(divisor, c->a, divisor);
    mpz_ui_sub(square, 1, square);
    mpz_invert(divisor, divisor, c->p);
    multiply(c, square, square, divisor);
    is = is && square_root(point->x, square, c->p);
    if (is && (bool)mpz_odd_p(point->x) != odd) {
        is = mpz_sgn(point->x) != 0;
        mpz_sub(point->x, c->p, point->x);
    }
    mpz_set(point->y, y);
    point->none = false;
    mpz_clears(square, divisor, (mpz_ptr)NULL);
    return is;
}

void crypto_integer_get(mpz_t to, const uint8_t *from, unsigned length, bool little)
{
    mpz_import(to, length, little ? -1 : 1, 1, 1, 0, from);
}

void crypto_integer_put(uint8_t *to, unsigned length, const mpz_t from, bool little)
{
    uint8_t bytes[160];
    size_t count = 0;
    memset(to, 0, length);
    if (mpz_sizeinbase(from, 256) > sizeof bytes)
        return;
    mpz_export(bytes, &count, -1, 1, 1, 0, from);
    for (size_t n = 0; n < count && n < length; n++)
        to[little ? n : length - 1 - n] = bytes[n];
}

#else
typedef int crypto_curve_not_built; /* an empty file is no C */
#endif
