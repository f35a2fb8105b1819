/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PERFORM CRYPTOGRAPHIC COMPUTATION and PERFORM CRYPTOGRAPHIC KEY MANAGEMENT OPERATION. PoP chapters 7 and 10
   (SA22-7832-13). Both have nothing but a parameter block. */
#include "config.h"

#if HAVE_NETTLE

#include "cpu/exec/bodies.h"
#include "cpu/exec/crypto/internal.h"
#include "cpu/exec/crypto/activity.h"
#include "cpu/numbers/curve.h"
#include <nettle/memxor.h>

/* ---- the last block of CMAC ------------------------------------------------------------------------------------ */

/* Multiply by x in the field of CMAC: bytes in big-endian order. */
static void twice(uint8_t *value, unsigned block)
{
    const bool carry = value[0] & 0x80;
    for (unsigned n = 0; n < block; n++)
        value[n] = (uint8_t)(value[n] << 1 | (n + 1 < block ? value[n + 1] >> 7 : 0));
    value[block - 1] ^= carry ? (block == 16 ? 0x87 : 0x1b) : 0;
}

/* Compute-Last-Block-CMAC. Parameter block: message bit length in byte 0, then from byte 8 the message's last block,
   the chaining value, which becomes the result, and the key. CC 2: the length is more than a block. */
static int last_block_cmac(struct cpu *cpu, unsigned code)
{
    const enum crypto_kind kind = crypto_kind(code);
    const unsigned block = kind <= CRYPTO_TDEA_192 ? 8 : 16, key = 8 + 2 * block;
    const unsigned keys = crypto_key_length(kind) + (crypto_encrypted(code) ? crypto_pattern(kind) : 0);
    uint8_t bytes[8 + 2 * CRYPTO_BLOCK_MOST + 64], subkey[CRYPTO_BLOCK_MOST] = {0};
    uint8_t *message = bytes + 8, *value = message + block;
    struct crypto_cipher cipher;
    int exception = crypto_fetch(cpu, 0, bytes, key + keys);
    if (!exception)
        exception = crypto_test(cpu, 8 + block, block);
    if (exception)
        return exception;
    const unsigned bits = bytes[0];
    if (!crypto_load_key(cpu, code, bytes + key, &cipher)) {
        cpu->cc = 1;
        return 0;
    }
    if (bits > 8 * block) {
        cpu->cc = 2;
        return 0;
    }
    crypto_encipher(&cipher, block, subkey, subkey);
    twice(subkey, block);
    if (bits < 8 * block) {
        twice(subkey, block);
        message[bits / 8] = (uint8_t)((message[bits / 8] & ~(0xff >> bits % 8)) | 0x80 >> bits % 8);
        memset(message + bits / 8 + 1, 0, block - bits / 8 - 1);
    }
    memxor(value, message, block);
    memxor(value, subkey, block);
    crypto_encipher(&cipher, block, value, value);
    cpu->cc = 0;
    return crypto_store(cpu, 8 + block, value, block);
}

/* ---- XTS parameter --------------------------------------------------------------------------------------------- */

/* An element of the field of XTS: the coefficient of the power n is bit n from the right of the little-endian
   number. */
struct element {
    uint64_t low, high;
};

static struct element element_of(const uint8_t bytes[16])
{
    return (struct element){__builtin_bswap64(get64(bytes)), __builtin_bswap64(get64(bytes + 8))};
}

static struct element product(struct element a, struct element b)
{
    struct element sum = {0, 0};
    for (unsigned n = 0; n < 128; n++) {
        if ((n < 64 ? b.low >> n : b.high >> (n - 64)) & 1) {
            sum.low ^= a.low;
            sum.high ^= a.high;
        }
        const bool carry = a.high >> 63;
        a.high = a.high << 1 | a.low >> 63;
        a.low = a.low << 1 ^ (carry ? 0x87 : 0);
    }
    return sum;
}

/* Compute-XTS-Parameter. Parameter block: key, tweak, block sequential number j, intermediate bit index t, XTS
   parameter. The enciphered tweak is multiplied by alpha to the power j; t, 0 at first, counts the bits of j that were
   looked at, from the left. All 128 are done in one execution. CC 2: t is more than 127. */
static int xts_parameter(struct cpu *cpu, unsigned code)
{
    const enum crypto_kind kind = crypto_kind(code);
    const unsigned at = crypto_key_length(kind) + (crypto_encrypted(code) ? crypto_pattern(kind) : 0);
    uint8_t bytes[64 + 64];
    uint8_t *tweak = bytes + at, *number = tweak + 16, *index = tweak + 32, *parameter = tweak + 48;
    struct crypto_cipher cipher;
    int exception = crypto_fetch(cpu, 0, bytes, at + 64);
    if (!exception)
        exception = crypto_test(cpu, at + 32, 32);
    if (exception)
        return exception;
    if (!crypto_load_key(cpu, code, bytes, &cipher)) {
        cpu->cc = 1;
        return 0;
    }
    const bool first_block = !get64(number) && !get64(number + 8);
    uint64_t done = first_block ? 0 : get64(index + 8);
    if ((!first_block && get64(index)) || done > 127) {
        cpu->cc = 2;
        return 0;
    }
    if (!done)
        crypto_encipher(&cipher, 16, parameter, tweak);
    struct element power[128], value = element_of(parameter); /* power[t]: alpha to the weight of bit t of j */
    power[127] = (struct element){2, 0};
    for (unsigned t = 127; t--;)
        power[t] = product(power[t + 1], power[t + 1]);
    for (unsigned t = (unsigned)done; t < 128; t++)
        if (number[t / 8] & 0x80 >> t % 8)
            value = product(value, power[t]);
    put64(index, 0);
    put64(index + 8, 128);
    put64(parameter, __builtin_bswap64(value.low));
    put64(parameter + 8, __builtin_bswap64(value.high));
    cpu->cc = 0;
    return crypto_store(cpu, at + 32, index, 32);
}

/* ---- scalar multiplication -------------------------------------------------------------------------------------- */

enum { SCALAR_MULTIPLY = 64, SCALAR_ED25519 = 72, SCALAR_X25519 = 80 };

/* With Montgomery curves there are u-coordinates only: result, source, scalar. The scalar is taken as it is, not
   pruned; a u-coordinate counts modulo the prime. */
static void multiply_u(const struct crypto_curve *c, uint8_t *bytes)
{
    mpz_t u, scalar;
    mpz_inits(u, scalar, (mpz_ptr)NULL);
    crypto_integer_get(u, bytes + c->field, c->field, false);
    crypto_integer_get(scalar, bytes + 2 * c->field, c->field, false);
    mpz_mod(u, u, c->p);
    crypto_curve_ladder(c, u, scalar, u);
    crypto_integer_put(bytes, c->field, u, false);
    mpz_clears(u, scalar, (mpz_ptr)NULL);
}

/* Points: result x and y, source x and y, scalar. False: the source is not on the curve, or the result has no
   coordinates. */
static bool multiply_point(const struct crypto_curve *c, uint8_t *bytes)
{
    struct crypto_point point;
    mpz_t scalar;
    crypto_point_open(&point);
    mpz_init(scalar);
    crypto_integer_get(point.x, bytes + 2 * c->field, c->field, false);
    crypto_integer_get(point.y, bytes + 3 * c->field, c->field, false);
    crypto_integer_get(scalar, bytes + 4 * c->field, c->field, false);
    bool good = crypto_point_valid(c, &point);
    if (good)
        crypto_point_multiply(c, &point, scalar, &point);
    good = good && !point.none;
    if (good) {
        crypto_integer_put(bytes, c->field, point.x, false);
        crypto_integer_put(bytes + c->field, c->field, point.y, false);
    }
    mpz_clear(scalar);
    crypto_point_close(&point);
    return good;
}

/* Scalar-Multiply. CC 2: the source is not on the curve, or the result is the point at infinity. */
static int scalar_multiply(struct cpu *cpu, unsigned code)
{
    const bool u_only = code >= SCALAR_X25519;
    const enum crypto_curve_id id = u_only                   ? CRYPTO_CURVE25519 + code - SCALAR_X25519
                                    : code >= SCALAR_ED25519 ? CRYPTO_ED25519 + code - SCALAR_ED25519
                                                             : CRYPTO_P256 + code - SCALAR_MULTIPLY;
    struct crypto_curve curve;
    uint8_t bytes[5 * 80];
    cpu_work(cpu, CRYPTO_CURVE_WORK);
    crypto_curve_open(&curve, id);
    const unsigned results = (u_only ? 1 : 2) * curve.field;
    int exception = crypto_fetch(cpu, 0, bytes, (u_only ? 3 : 5) * curve.field);
    if (!exception)
        exception = crypto_test(cpu, 0, results);
    if (!exception) {
        cpu->cc = 0;
        if (u_only)
            multiply_u(&curve, bytes);
        else if (!multiply_point(&curve, bytes))
            cpu->cc = 2;
        if (cpu->cc == 0)
            exception = crypto_store(cpu, 0, bytes, results);
    }
    crypto_curve_close(&curve);
    return exception;
}

#define PCC_CURVES                                                                                                     \
    (CRYPTO_FC64(64) | CRYPTO_FC64(65) | CRYPTO_FC64(66) | CRYPTO_FC64(72) | CRYPTO_FC64(73) | CRYPTO_FC64(80) |       \
     CRYPTO_FC64(81))

/* ---- instructions ---------------------------------------------------------------------------------------------- */

#define PCC_XTS (CRYPTO_FC(50) | CRYPTO_FC(52) | CRYPTO_FC(58) | CRYPTO_FC(60))

/* PERFORM CRYPTOGRAPHIC COMPUTATION: by the function code, on the parameter block. CC: 0 done, 1 verification-pattern
   mismatch, 2 a value in the parameter block is not valid. Exceptions: operation; specification (bit 56 of general
   register 0, function code); access (fetch and store, parameter block). */
int cpu_pcc(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {
        {FACILITY_MSA4, {CRYPTO_ALL_CIPHERS | PCC_XTS, 0}}, {FACILITY_MSA9, {0, PCC_CURVES}}, {0}};
    const unsigned code = crypto_code(cpu);
    if (crypto_modifier(cpu))
        return PIC_SPECIFICATION;
    if (!code)
        return crypto_query(cpu, functions);
    if (!crypto_installed(cpu, functions))
        return PIC_SPECIFICATION;
    if (code >= SCALAR_MULTIPLY)
        return crypto_counted(cpu, i, COUNTERS_ECC, scalar_multiply(cpu, code));
    return crypto_counted(cpu, i, crypto_class(code),
                          code < 50 ? last_block_cmac(cpu, code) : xts_parameter(cpu, code));
}

/* PERFORM CRYPTOGRAPHIC KEY MANAGEMENT OPERATION: the key in the parameter block is encrypted under the machine's
   wrapping key, and its verification pattern stored behind it. CC: unchanged. Exceptions: operation; privileged
   operation; specification (bit 56 of general register 0, function code); access (fetch and store, parameter block). */
int cpu_pckmo(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {
        {FACILITY_MSA3, {CRYPTO_DEA | CRYPTO_AES, 0}},
        {FACILITY_MSA9, {CRYPTO_FC3(32) | CRYPTO_FC(40) | CRYPTO_FC(41), 0}},
        {0}};
    static const uint8_t curves[] = {32, 48, 80, 0, 0, 0, 0, 0, 32, 64}; /* bytes of a key, from function code 32 on */
    const unsigned code = crypto_code(cpu);
    uint8_t bytes[80 + 32];
    if (crypto_modifier(cpu))
        return PIC_SPECIFICATION;
    if (!code) {
        const uint8_t cc = cpu->cc;
        int exception = crypto_query(cpu, functions);
        cpu->cc = cc;
        return exception;
    }
    if (!crypto_installed(cpu, functions))
        return PIC_SPECIFICATION;
    const bool dea = code <= 3;
    const unsigned key = code < 32 ? crypto_key_length(crypto_kind(code)) : curves[code - 32], pattern = dea ? 24 : 32;
    int exception = crypto_fetch(cpu, 0, bytes, key);
    if (!exception)
        exception = crypto_test(cpu, 0, key + pattern);
    if (exception)
        return exception;
    memcpy(bytes + key, crypto_wrap(cpu, dea, bytes, key), pattern);
    exception = crypto_store(cpu, 0, bytes, key + pattern);
    if (!exception)
        cpu_count_function(cpu, i);
    return exception;
}

#else
typedef int crypto_compute_not_built; /* an empty file is no C */
#endif
