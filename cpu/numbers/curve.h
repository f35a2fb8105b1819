/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elliptic curves of the message-security assist, extension 9: points and scalars as integers. FIPS 186, RFC 7748 and
   RFC 8032. Needs gmp. Clear before fast: a multiplication takes milliseconds. */
#ifndef ZRI_CPU_NUMBERS_CURVE_H
#define ZRI_CPU_NUMBERS_CURVE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

enum crypto_curve_id {
    CRYPTO_P256,
    CRYPTO_P384,
    CRYPTO_P521,
    CRYPTO_ED25519,
    CRYPTO_ED448,
    CRYPTO_CURVE25519,
    CRYPTO_CURVE448
};

/* y^2 = x^3 + a x + b; or, Edwards, a x^2 + y^2 = 1 + b x^2 y^2; or, Montgomery, b y^2 = x^3 + a x^2 + x. */
enum crypto_curve_form { CRYPTO_WEIERSTRASS, CRYPTO_EDWARDS, CRYPTO_MONTGOMERY };

struct crypto_curve {
    enum crypto_curve_id id;
    enum crypto_curve_form form;
    unsigned field;       /* bytes of a coordinate in a parameter block */
    mpz_t p, a, b, order; /* prime of the field, coefficients, order of the base point (not with Montgomery) */
    mpz_t base_x, base_y; /* base point (not with Montgomery) */
};

/* `none`: the point at infinity of a Weierstrass curve; the other forms write their neutral point with coordinates. */
struct crypto_point {
    mpz_t x, y;
    bool none;
};

/* Open and close pair; a point likewise. */
void crypto_curve_open(struct crypto_curve *curve, enum crypto_curve_id id);
void crypto_curve_close(struct crypto_curve *curve);
void crypto_point_open(struct crypto_point *point);
void crypto_point_close(struct crypto_point *point);

/* The base point. */
void crypto_point_base(const struct crypto_curve *curve, struct crypto_point *point);
/* Coordinates in the field, and the equation of the curve (not with Montgomery). */
bool crypto_point_valid(const struct crypto_curve *curve, const struct crypto_point *point);
/* sum = p + q; product = k p. The results may be one of the operands. k is not negative. Not with Montgomery. */
void crypto_point_add(const struct crypto_curve *curve, struct crypto_point *sum, const struct crypto_point *p,
                      const struct crypto_point *q);
void crypto_point_multiply(const struct crypto_curve *curve, struct crypto_point *product, const mpz_t k,
                           const struct crypto_point *p);
/* Montgomery form: u-coordinate of k times a point with u-coordinate u; 0 for the neutral point. */
void crypto_curve_ladder(const struct crypto_curve *curve, mpz_t result, const mpz_t k, const mpz_t u);
/* Edwards form: the point with this y whose x is odd or even. False: there is none. */
bool crypto_point_from_y(const struct crypto_curve *curve, struct crypto_point *point, const mpz_t y, bool odd);

/* Integers of `length` bytes: from the left, or (little) from the right. A longer one is cut. */
void crypto_integer_get(mpz_t to, const uint8_t *from, unsigned length, bool little);
void crypto_integer_put(uint8_t *to, unsigned length, const mpz_t from, bool little);

#endif
