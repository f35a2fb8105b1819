/* SPDX-License-Identifier: GPL-3.0-or-later */
/* COMPUTE DIGITAL SIGNATURE AUTHENTICATION. PoP chapter 26 (SA22-7832-13); FIPS 186-4 for ECDSA, RFC 8032 for EdDSA.
   Fields of the parameter block are as long as a coordinate (cpu/numbers/curve.h); integers are right-aligned. R, S and
   the public key of EdDSA are in it from left to right, the bytes of RFC 8032 reversed; its private key, bytes, not.
   Readings of ours, where the book leaves it open: a public or private key that is none gives condition code 1; a
   long message of EdDSA is hashed in pieces, and while that goes on (condition code 3) the registers stay as they are
   and the reserved part of the parameter block from byte 256 on keeps the state. */
#include "config.h"
#include "cpu/storage/access.h"

#if HAVE_NETTLE

#include "cpu/exec/bodies.h"
#include "cpu/exec/crypto/internal.h"
#include "cpu/numbers/curve.h"
#include <nettle/sha2.h>
#include <nettle/sha3.h>

/* General register 0 of the ECDSA sign functions: the random number of the parameter block is used as it is. */
#define DETERMINISTIC 0x80

enum { FIELD_MOST = 80, FIELDS_MOST = 5 * FIELD_MOST + 32, RFC_MOST = 57 };

/* What a function code means. */
struct function {
    enum crypto_curve_id curve;
    bool sign, encrypted;
};

static struct function function_of(unsigned code)
{
    struct function f = {.sign = code >= 9 && code < 32, .encrypted = code & 16};
    if (code < 32) {
        f.curve = CRYPTO_P256 + (code - 1) % 8;
        return f;
    }
    f.curve = code & 4 ? CRYPTO_ED448 : CRYPTO_ED25519;
    f.sign = code >= 40;
    return f;
}

/* Condition codes. */
enum outcome { DONE = 0, BAD_KEY = 1, BAD_SIGNATURE = 2, PARTIAL = 3 };

/* ---- ECDSA ----------------------------------------------------------------------------------------------------- */

/* 0 < n < order? */
static bool in_order(const struct crypto_curve *c, const mpz_t n) { return mpz_sgn(n) > 0 && mpz_cmp(n, c->order) < 0; }

/* r, s from the private key d, the hash e and the random number k. */
static enum outcome ecdsa_sign(const struct crypto_curve *c, mpz_t r, mpz_t s, const mpz_t d, const mpz_t e,
                               const mpz_t k)
{
    struct crypto_point point;
    mpz_t inverse;
    if (!in_order(c, d))
        return BAD_KEY;
    if (!in_order(c, k))
        return BAD_SIGNATURE;
    mpz_init(inverse);
    crypto_point_open(&point);
    crypto_point_base(c, &point);
    crypto_point_multiply(c, &point, k, &point);
    mpz_mod(r, point.x, c->order);
    mpz_mul(s, r, d);
    mpz_add(s, s, e);
    mpz_invert(inverse, k, c->order);
    mpz_mul(s, s, inverse);
    mpz_mod(s, s, c->order);
    crypto_point_close(&point);
    mpz_clear(inverse);
    return mpz_sgn(r) && mpz_sgn(s) ? DONE : BAD_SIGNATURE;
}

static enum outcome ecdsa_verify(const struct crypto_curve *c, const mpz_t r, const mpz_t s, const mpz_t e,
                                 struct crypto_point *key)
{
    struct crypto_point point;
    mpz_t u;
    if (!crypto_point_valid(c, key))
        return BAD_KEY;
    if (!in_order(c, r) || !in_order(c, s))
        return BAD_SIGNATURE;
    mpz_init(u);
    crypto_point_open(&point);
    crypto_point_base(c, &point);
    mpz_invert(u, s, c->order);
    mpz_mul(point.y, u, e); /* for a moment: e / s */
    mpz_mod(point.x, point.y, c->order);
    mpz_t first;
    mpz_init_set(first, point.x);
    crypto_point_base(c, &point);
    crypto_point_multiply(c, &point, first, &point);
    mpz_mul(u, u, r);
    mpz_mod(u, u, c->order);
    crypto_point_multiply(c, key, u, key);
    crypto_point_add(c, &point, &point, key);
    const bool good = !point.none && mpz_congruent_p(point.x, r, c->order);
    crypto_point_close(&point);
    mpz_clears(u, first, (mpz_ptr)NULL);
    return good ? DONE : BAD_SIGNATURE;
}

/* The random number: that of the program, or one of the machine's into which that of the program enters. */
static void random_number(struct cpu *cpu, const struct crypto_curve *c, mpz_t k, const uint8_t *given)
{
    uint8_t bytes[FIELD_MOST + 16];
    crypto_integer_get(k, given, c->field, false);
    if (cpu->gr[0] & DETERMINISTIC)
        return;
    mpz_t own, most;
    crypto_random(cpu, bytes, c->field + 16);
    mpz_init(own);
    mpz_init(most);
    crypto_integer_get(own, bytes, c->field + 16, false);
    mpz_xor(k, k, own);
    mpz_sub_ui(most, c->order, 1);
    mpz_mod(k, k, most);
    mpz_add_ui(k, k, 1);
    mpz_clears(own, most, (mpz_ptr)NULL);
}

/* Parameter block: R, S, hash, then public key X and Y, or private key, random number, verification pattern. */
static int ecdsa(struct cpu *cpu, const struct function *f, const struct crypto_curve *c)
{
    const unsigned n = c->field;
    uint8_t bytes[FIELDS_MOST];
    struct crypto_point key;
    mpz_t r, s, e, k;
    int code = crypto_fetch(cpu, 0, bytes, 5 * n + (f->encrypted ? 32 : 0));
    if (!code && f->sign)
        code = crypto_test(cpu, 0, 2 * n);
    if (code)
        return code;
    if (f->encrypted && !crypto_unwrap(cpu, false, bytes + 3 * n, n, bytes + 5 * n)) {
        cpu->cc = BAD_KEY;
        return 0;
    }
    crypto_point_open(&key);
    mpz_inits(r, s, e, k, (mpz_ptr)NULL);
    crypto_integer_get(e, bytes + 2 * n, n, false);
    crypto_integer_get(key.x, bytes + 3 * n, n, false);
    if (f->sign) {
        random_number(cpu, c, k, bytes + 4 * n);
        cpu->cc = ecdsa_sign(c, r, s, key.x, e, k);
        crypto_integer_put(bytes, n, r, false);
        crypto_integer_put(bytes + n, n, s, false);
        if (cpu->cc == DONE)
            code = crypto_store(cpu, 0, bytes, 2 * n);
    } else {
        crypto_integer_get(r, bytes, n, false);
        crypto_integer_get(s, bytes + n, n, false);
        crypto_integer_get(key.y, bytes + 4 * n, n, false);
        cpu->cc = ecdsa_verify(c, r, s, e, &key);
    }
    mpz_clears(r, s, e, k, (mpz_ptr)NULL);
    crypto_point_close(&key);
    return code;
}

/* ---- the hash of EdDSA ----------------------------------------------------------------------------------------- */

/* SHA-512, or SHAKE-256 with 114 bytes of output, over a short front, then the message in pieces that end with a data
   block, so that the state is all there is to keep. */
struct hash {
    bool shake;
    struct sha512_ctx sha;
    struct sha3_256_ctx keccak;
};

enum { STATE = 200, DIGEST_MOST = 114 };

static unsigned data_block(const struct hash *h) { return h->shake ? SHA3_256_BLOCK_SIZE : SHA512_BLOCK_SIZE; }
static unsigned digest_length(const struct hash *h) { return h->shake ? DIGEST_MOST : 64; }

static void hash_begin(struct hash *h, bool shake)
{
    h->shake = shake;
    if (shake)
        sha3_256_init(&h->keccak);
    else
        sha512_init(&h->sha);
}

static void hash_update(struct hash *h, unsigned length, const uint8_t *data)
{
    if (h->shake)
        sha3_256_update(&h->keccak, length, data);
    else
        sha512_update(&h->sha, length, data);
}

/* As an integer, modulo the order. */
static void hash_end(struct hash *h, const struct crypto_curve *c, mpz_t value)
{
    uint8_t digest[DIGEST_MOST];
    if (h->shake)
        sha3_256_shake(&h->keccak, sizeof digest, digest);
    else
        sha512_digest(&h->sha, 64, digest);
    crypto_integer_get(value, digest, digest_length(h), true);
    mpz_mod(value, value, c->order);
}

/* The state behind `done` bytes, whole data blocks, as it is kept in storage; and back. */
static void hash_keep(const struct hash *h, uint8_t state[STATE])
{
    memset(state, 0, STATE);
    for (unsigned n = 0; n < (h->shake ? 25 : 8); n++)
        put64(state + 8 * n, h->shake ? h->keccak.state.a[n] : h->sha.state[n]);
}

static void hash_resume(struct hash *h, const uint8_t state[STATE], uint64_t done)
{
    for (unsigned n = 0; n < (h->shake ? 25 : 8); n++)
        if (h->shake)
            h->keccak.state.a[n] = get64(state + 8 * n);
        else
            h->sha.state[n] = get64(state + 8 * n);
    h->sha.count_low = done / SHA512_BLOCK_SIZE;
    h->sha.count_high = 0;
    h->sha.index = h->keccak.index = 0;
}

/* ---- EdDSA ----------------------------------------------------------------------------------------------------- */

/* In the reserved part of the parameter block, while a long message is being hashed. */
enum { RESERVED = 256, KEPT_MARK = 0, KEPT_DONE = 8, KEPT_SECOND = 16, KEPT_NUMBER = 24, KEPT_STATE = 88, KEPT = 288 };
#define MARK UINT64_C(0xd5e28140c5d8e2c1)

struct eddsa {
    const struct crypto_curve *curve;
    unsigned length;   /* of an encoded point or integer of RFC 8032: 32 or 57 */
    uint8_t message_r; /* register of the message */
    uint8_t kept[KEPT];
    uint8_t encoded_r[RFC_MOST], encoded_key[RFC_MOST]; /* R and the public key as RFC 8032 has them */
};

/* What precedes everything that Ed448 hashes: its name, no context. */
static void hash_front(const struct eddsa *d, struct hash *h)
{
    const bool shake = d->curve->id == CRYPTO_ED448;
    hash_begin(h, shake);
    if (shake)
        hash_update(h, 10, (const uint8_t *)"SigEd448\0");
}

/* Hash `length` bytes of front and the message. At most CPU_UNIT_AMOUNT bytes of the message in one execution: *partial
   tells whether it has to go on from what is in d->kept then. Returns 0 or a code. */
static int hash_message(struct cpu *cpu, struct eddsa *d, struct hash *h, unsigned front, bool *partial)
{
    const uint64_t address = cpu_gr_address(cpu, d->message_r), length = cpu_gr_length(cpu, d->message_r + 1u);
    const unsigned ahead = front + (h->shake ? 10 : 0), block = data_block(h);
    uint64_t at = get64(d->kept + KEPT_MARK) == MARK ? get64(d->kept + KEPT_DONE) : 0, end = length;
    uint8_t piece[CRYPTO_AMOUNT];
    if (at > length || (at && (ahead + at) % block))
        at = 0; /* the program has spoilt it */
    if (at)
        hash_resume(h, d->kept + KEPT_STATE, ahead + at);
    *partial = length - at > CPU_UNIT_AMOUNT;
    if (*partial)
        end = at + CPU_UNIT_AMOUNT - (ahead + at + CPU_UNIT_AMOUNT) % block;
    while (at < end) {
        const unsigned n = crypto_piece(end - at, 1);
        int code = cpu_fetch_bytes(cpu, cpu_wrap(cpu, address + at), d->message_r, piece, n);
        if (code)
            return code;
        hash_update(h, n, piece);
        at += n;
    }
    if (*partial) {
        put64(d->kept + KEPT_MARK, MARK);
        put64(d->kept + KEPT_DONE, at);
        hash_keep(h, d->kept + KEPT_STATE);
    }
    return 0;
}

/* A point as RFC 8032 encodes it: y, and whether x is odd in the leftmost bit of the last byte. */
static void encode_point(const struct eddsa *d, const struct crypto_point *point, uint8_t *to)
{
    crypto_integer_put(to, d->length, point->y, true);
    to[d->length - 1] |= mpz_odd_p(point->x) ? 0x80 : 0;
}

/* The encoded product of a number and the base point. */
static void encode_multiple(const struct eddsa *d, const mpz_t number, uint8_t *to)
{
    struct crypto_point point;
    crypto_point_open(&point);
    crypto_point_base(d->curve, &point);
    crypto_point_multiply(d->curve, &point, number, &point);
    encode_point(d, &point, to);
    crypto_point_close(&point);
}

/* S base point = R + hash(R, key, message) key? By comparing R. */
static int eddsa_check(struct cpu *cpu, struct eddsa *d, const mpz_t s, struct crypto_point *key, bool *partial)
{
    struct crypto_point point;
    struct hash h;
    mpz_t number;
    uint8_t encoded[RFC_MOST];
    hash_front(d, &h);
    hash_update(&h, d->length, d->encoded_r);
    hash_update(&h, d->length, d->encoded_key);
    int code = hash_message(cpu, d, &h, 2 * d->length, partial);
    if (code || *partial)
        return code;
    mpz_init(number);
    hash_end(&h, d->curve, number);
    crypto_point_open(&point);
    crypto_point_base(d->curve, &point);
    crypto_point_multiply(d->curve, &point, s, &point);
    mpz_sub(key->x, d->curve->p, key->x);
    crypto_point_multiply(d->curve, key, number, key);
    crypto_point_add(d->curve, &point, &point, key);
    encode_point(d, &point, encoded);
    cpu->cc = memcmp(encoded, d->encoded_r, d->length) ? BAD_SIGNATURE : DONE;
    crypto_point_close(&point);
    mpz_clear(number);
    return 0;
}

/* A field of the parameter block to or from the bytes of RFC 8032. */
static void reverse(uint8_t *to, const uint8_t *from, unsigned length)
{
    for (unsigned n = 0; n < length; n++)
        to[n] = from[length - 1 - n];
}

/* Parameter block: R, S, public key. */
static int eddsa_verify(struct cpu *cpu, struct eddsa *d, const uint8_t *bytes, bool *partial)
{
    const unsigned field = d->curve->field, skip = field - d->length;
    struct crypto_point key;
    mpz_t s, y;
    int code = 0;
    reverse(d->encoded_r, bytes + skip, d->length);
    reverse(d->encoded_key, bytes + 2 * field + skip, d->length);
    crypto_point_open(&key);
    mpz_inits(s, y, (mpz_ptr)NULL);
    crypto_integer_get(s, bytes + field, field, false);
    crypto_integer_get(y, d->encoded_key, d->length, true);
    mpz_clrbit(y, 8 * d->length - 1);
    if (!crypto_point_from_y(d->curve, &key, y, d->encoded_key[d->length - 1] & 0x80))
        cpu->cc = BAD_KEY;
    else if (mpz_cmp(s, d->curve->order) >= 0)
        cpu->cc = BAD_SIGNATURE;
    else
        code = eddsa_check(cpu, d, s, &key, partial);
    mpz_clears(s, y, (mpz_ptr)NULL);
    crypto_point_close(&key);
    return code;
}

/* The private key's two halves: the secret number, pruned, and the prefix. */
static void expand_key(const struct eddsa *d, const uint8_t *key, mpz_t secret, uint8_t prefix[RFC_MOST])
{
    uint8_t digest[DIGEST_MOST];
    struct hash h;
    hash_begin(&h, d->curve->id == CRYPTO_ED448);
    hash_update(&h, d->length, key);
    if (h.shake) {
        sha3_256_shake(&h.keccak, sizeof digest, digest);
        digest[0] &= 0xfc;
        digest[55] |= 0x80;
        digest[56] = 0;
    } else {
        sha512_digest(&h.sha, 64, digest);
        digest[0] &= 0xf8;
        digest[31] = (uint8_t)((digest[31] & 0x7f) | 0x40);
    }
    crypto_integer_get(secret, digest, d->length, true);
    memcpy(prefix, digest + d->length, d->length);
}

/* Both hashes of the message; number receives the first, value the second. */
static int sign_hashes(struct cpu *cpu, struct eddsa *d, const uint8_t prefix[RFC_MOST], mpz_t number, mpz_t value,
                       bool *partial)
{
    struct hash h;
    bool second = get64(d->kept + KEPT_MARK) == MARK && get64(d->kept + KEPT_SECOND) == 1;
    int code;
    if (!second) {
        hash_front(d, &h);
        hash_update(&h, d->length, prefix);
        code = hash_message(cpu, d, &h, d->length, partial);
        if (code || *partial)
            return code;
        hash_end(&h, d->curve, number);
        put64(d->kept + KEPT_SECOND, 1);
        put64(d->kept + KEPT_DONE, 0);
        crypto_integer_put(d->kept + KEPT_NUMBER, 64, number, false);
    }
    crypto_integer_get(number, d->kept + KEPT_NUMBER, 64, false);
    mpz_mod(number, number, d->curve->order);
    encode_multiple(d, number, d->encoded_r);
    hash_front(d, &h);
    hash_update(&h, d->length, d->encoded_r);
    hash_update(&h, d->length, d->encoded_key);
    code = hash_message(cpu, d, &h, 2 * d->length, partial);
    if (!code && !*partial)
        hash_end(&h, d->curve, value);
    return code;
}

/* Parameter block: R, S, private key, verification pattern. */
static int eddsa_sign(struct cpu *cpu, struct eddsa *d, bool encrypted, uint8_t *bytes, bool *partial)
{
    const unsigned field = d->curve->field, skip = field - d->length;
    uint8_t prefix[RFC_MOST];
    mpz_t secret, number, value;
    if (encrypted && !crypto_unwrap(cpu, false, bytes + 2 * field, field, bytes + 3 * field)) {
        cpu->cc = BAD_KEY;
        return 0;
    }
    mpz_inits(secret, number, value, (mpz_ptr)NULL);
    expand_key(d, bytes + 2 * field + skip, secret, prefix);
    encode_multiple(d, secret, d->encoded_key);
    int code = sign_hashes(cpu, d, prefix, number, value, partial);
    if (!code && !*partial) {
        mpz_mul(value, value, secret);
        mpz_add(value, value, number);
        mpz_mod(value, value, d->curve->order);
        memset(bytes, 0, 2 * field);
        reverse(bytes + skip, d->encoded_r, d->length);
        crypto_integer_put(bytes + field, field, value, false);
        code = crypto_store(cpu, 0, bytes, 2 * field);
        cpu->cc = DONE;
    }
    mpz_clears(secret, number, value, (mpz_ptr)NULL);
    return code;
}

static int eddsa(struct cpu *cpu, const struct dis_insn *i, const struct function *f, const struct crypto_curve *c)
{
    struct eddsa d = {.curve = c, .length = c->id == CRYPTO_ED448 ? 57 : 32, .message_r = i->r2};
    const uint64_t length = cpu_gr_length(cpu, i->r2 + 1u);
    uint8_t bytes[FIELDS_MOST];
    bool partial = false;
    int code = crypto_fetch(cpu, 0, bytes, 3 * c->field + (f->encrypted ? 32 : 0));
    if (!code && f->sign)
        code = crypto_test(cpu, 0, 2 * c->field);
    if (!code && length > CPU_UNIT_AMOUNT) { /* else all is done at once */
        code = crypto_fetch(cpu, RESERVED, d.kept, KEPT);
        if (!code)
            code = crypto_test(cpu, RESERVED, KEPT);
        if (!code && get64(d.kept + KEPT_MARK) != MARK)
            memset(d.kept, 0, KEPT);
    }
    if (!code)
        code = f->sign ? eddsa_sign(cpu, &d, f->encrypted, bytes, &partial) : eddsa_verify(cpu, &d, bytes, &partial);
    if (code)
        return code;
    if (partial) {
        cpu->cc = PARTIAL;
        return crypto_store(cpu, RESERVED, d.kept, KEPT);
    }
    if (length > CPU_UNIT_AMOUNT) {
        memset(d.kept, 0, KEPT);
        code = crypto_store(cpu, RESERVED, d.kept, KEPT);
        if (code)
            return code;
    }
    if (cpu->cc == BAD_KEY)
        return 0;
    set_gr_address(cpu, i->r2, cpu_wrap(cpu, cpu->gr[i->r2] + length));
    set_gr_address(cpu, i->r2 + 1u, 0);
    return 0;
}

/* COMPUTE DIGITAL SIGNATURE AUTHENTICATION: makes or verifies a signature by ECDSA of the hash in the parameter block,
   or by EdDSA of the second operand. CC: 0 made, or right; 1 verification-pattern mismatch, or no valid key; 2 the
   signature is wrong, or cannot be made with that random number; 3 not finished. Exceptions: operation; specification
   (R2 odd or 0, function code, bit 56 of general register 0 but with the ECDSA sign functions); access (fetch operand
   2, fetch and store parameter block). */
int cpu_kdsa(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {
        {FACILITY_MSA9,
         {CRYPTO_FC3(1) | CRYPTO_FC3(9) | CRYPTO_FC3(17) | CRYPTO_FC(32) | CRYPTO_FC(36) | CRYPTO_FC(40) |
              CRYPTO_FC(44) | CRYPTO_FC(48) | CRYPTO_FC(52),
          0}},
        {0}};
    const unsigned code = crypto_code(cpu);
    if (!i->r2)
        return PIC_SPECIFICATION;
    if (!code)
        return crypto_query(cpu, functions);
    if (!crypto_installed(cpu, functions))
        return PIC_SPECIFICATION;
    const struct function f = function_of(code);
    if (crypto_modifier(cpu) && !(f.sign && code < 32))
        return PIC_SPECIFICATION;
    struct crypto_curve curve;
    cpu_work(cpu, CRYPTO_CURVE_WORK);
    crypto_curve_open(&curve, f.curve);
    int exception = code < 32 ? ecdsa(cpu, &f, &curve) : eddsa(cpu, i, &f, &curve);
    crypto_curve_close(&curve);
    return crypto_counted(cpu, i, COUNTERS_ECC, exception);
}

#else
typedef int crypto_sign_not_built; /* an empty file is no C */
#endif
