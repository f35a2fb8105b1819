/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PERFORM RANDOM NUMBER OPERATION. PoP chapter 7 (SA22-7832-13); SP 800-90A for the deterministic generator. */
#include "config.h"
#include "cpu/storage/access.h"

#if HAVE_NETTLE

#include "cpu/exec/bodies.h"
#include "cpu/exec/crypto/internal.h"
#include <nettle/sha2.h>

enum { SHA_512_DRNG = 3, TRNG_RATIO = 112, TRNG = 114 };

/* Parameter block of the generator: 4 reserved bytes, reseed counter, stream bytes (how many a generate operation that
   ended with condition code 3 has stored), V and C: numbers of 888 bits, right-aligned in 112 bytes. */
enum { RESEED_COUNTER = 4, STREAM_BYTES = 8, VALUE = 16, CONSTANT = 128, GENERATOR = 240, NUMBER = 112, SEED = 111 };
enum { SEED_MOST = 512 };

/* number += other, modulo 2 to the 888; `other` is right-aligned, `length` bytes, at most 112. */
static void add(uint8_t number[NUMBER], const uint8_t *other, unsigned length)
{
    unsigned carry = 0;
    for (unsigned n = 1; n <= SEED; n++) {
        carry += number[NUMBER - n] + (n <= length ? other[length - n] : 0u);
        number[NUMBER - n] = (uint8_t)carry;
        carry >>= 8;
    }
}

static void add_number(uint8_t number[NUMBER], uint64_t other)
{
    uint8_t bytes[8];
    put64(bytes, other);
    add(number, bytes, sizeof bytes);
}

/* The hash of one byte, a number (or NULL) and `length` bytes. */
static void hash(uint8_t first, const uint8_t *number, const uint8_t *data, unsigned length, uint8_t digest[64])
{
    struct sha512_ctx sha;
    sha512_init(&sha);
    sha512_update(&sha, 1, &first);
    if (number)
        sha512_update(&sha, SEED, number + 1);
    sha512_update(&sha, length, data);
    sha512_digest(&sha, 64, digest);
}

/* The derivation function: `material` becomes a number. */
static void derive(uint8_t number[NUMBER], const uint8_t *material, unsigned length)
{
    static const uint8_t bits[4] = {0, 0, 888 >> 8, 888 & 0xff};
    uint8_t input[sizeof bits + 1 + SEED + SEED_MOST], digests[128];
    memcpy(input, bits, sizeof bits);
    memcpy(input + sizeof bits, material, length);
    hash(1, NULL, input, length + (unsigned)sizeof bits, digests);
    hash(2, NULL, input, length + (unsigned)sizeof bits, digests + 64);
    number[0] = 0;
    memcpy(number + 1, digests, SEED);
}

/* The seed operation: instantiates the generator from the second operand, or reseeds it when its counter is not
   zero. */
static int seed(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t length = cpu_gr_length(cpu, i->r2 + 1u);
    uint8_t block[GENERATOR], material[1 + SEED + SEED_MOST];
    unsigned front = 0;
    if (length > SEED_MOST)
        return PIC_SPECIFICATION;
    int code = crypto_fetch(cpu, 0, block, GENERATOR);
    if (!code)
        code = crypto_test(cpu, 0, GENERATOR);
    if (!code && get32(block + RESEED_COUNTER)) {
        material[0] = 1;
        memcpy(material + 1, block + VALUE + 1, SEED);
        front = 1 + SEED;
    }
    if (!code && length)
        code = cpu_fetch_bytes(cpu, cpu_gr_address(cpu, i->r2), i->r2, material + front, (unsigned)length);
    if (code)
        return code;
    derive(block + VALUE, material, front + (unsigned)length);
    material[0] = 0;
    memcpy(material + 1, block + VALUE + 1, SEED);
    derive(block + CONSTANT, material, 1 + SEED);
    put32(block, 0);
    put32(block + RESEED_COUNTER, 1);
    put64(block + STREAM_BYTES, 0);
    code = crypto_store(cpu, 0, block, GENERATOR);
    if (code)
        return code;
    crypto_advance(cpu, i->r2, (unsigned)length);
    crypto_shorten(cpu, i->r2 + 1u, (unsigned)length);
    cpu->cc = 0;
    return 0;
}

/* The generate operation: fills the first operand. V stays until all is stored. */
static int generate(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t length = cpu_gr_length(cpu, i->r1 + 1u);
    uint8_t block[GENERATOR], value[NUMBER], out[CRYPTO_AMOUNT + 64];
    unsigned n = crypto_piece(length, 1);
    cpu->cc = 0;
    if (!n)
        return 0;
    int code = crypto_fetch(cpu, 0, block, GENERATOR);
    if (!code)
        code = crypto_test(cpu, 0, GENERATOR);
    if (!code)
        code = crypto_room(cpu, i->r1, 64, &n);
    if (code)
        return code;
    memcpy(value, block + VALUE, NUMBER);
    add_number(value, get64(block + STREAM_BYTES) / 64);
    for (unsigned at = 0; at < n; at += 64) {
        struct sha512_ctx sha;
        sha512_init(&sha);
        sha512_update(&sha, SEED, value + 1);
        sha512_digest(&sha, 64, out + at);
        add_number(value, 1);
    }
    put64(block + STREAM_BYTES, get64(block + STREAM_BYTES) + n);
    if (n == length) {
        const uint32_t counter = get32(block + RESEED_COUNTER);
        uint8_t digest[64];
        hash(3, block + VALUE, out, 0, digest);
        add(block + VALUE, digest, sizeof digest);
        add(block + VALUE, block + CONSTANT, NUMBER);
        add_number(block + VALUE, counter);
        put32(block + RESEED_COUNTER, counter + 1);
        put64(block + STREAM_BYTES, 0);
    }
    code = cpu_store_bytes(cpu, cpu_gr_address(cpu, i->r1), i->r1, out, n);
    if (!code)
        code = crypto_store(cpu, 0, block, GENERATOR);
    if (code)
        return code;
    crypto_advance(cpu, i->r1, n);
    crypto_shorten(cpu, i->r1 + 1u, n);
    cpu->cc = n < length ? 3 : 0;
    return 0;
}

/* True random numbers: raw ones into the first operand, then conditioned ones into the second. Here all are as good. */
static int true_random(struct cpu *cpu, const struct dis_insn *i)
{
    const bool first = cpu_gr_length(cpu, i->r1 + 1u);
    const unsigned r = first ? i->r1 : i->r2;
    const uint64_t length = cpu_gr_length(cpu, r + 1);
    uint8_t out[CRYPTO_AMOUNT];
    unsigned n = crypto_piece(length, 1);
    cpu->cc = 0;
    if (!n)
        return 0;
    int code = crypto_room(cpu, r, 1, &n);
    if (code)
        return code;
    crypto_random(cpu, out, n);
    cpu_work(cpu, n / CPU_WORK_CIPHER);
    code = cpu_store_bytes(cpu, cpu_gr_address(cpu, r), r, out, n);
    if (code)
        return code;
    crypto_advance(cpu, r, n);
    crypto_shorten(cpu, r + 1, n);
    cpu->cc = n < length || (first && i->r1 != i->r2 && cpu_gr_length(cpu, i->r2 + 1u)) ? 3 : 0;
    return 0;
}

/* How many raw bytes the conditioning takes for how many conditioned ones. */
static int ratio(struct cpu *cpu)
{
    uint8_t bytes[8];
    put32(bytes, 1);
    put32(bytes + 4, 1);
    cpu->cc = 0;
    return crypto_store(cpu, 0, bytes, sizeof bytes);
}

static int function(struct cpu *cpu, const struct dis_insn *i)
{
    switch (crypto_code(cpu)) {
    case SHA_512_DRNG:
        return crypto_modifier(cpu) ? seed(cpu, i) : generate(cpu, i);
    case TRNG:
        return true_random(cpu, i);
    default:
        return ratio(cpu);
    }
}

/* PERFORM RANDOM NUMBER OPERATION: the deterministic generator is seeded from the second operand (bit 56 of general
   register 0 one) or fills the first; true random numbers fill both. CC: 0 done, 3 not finished. Exceptions: operation;
   specification (R1 or R2 odd or 0, function code, more than 512 bytes of seed); access (fetch operand 2, store
   operands 1 and 2, fetch and store parameter block). */
int cpu_prno(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {
        {FACILITY_MSA5, {CRYPTO_FC(SHA_512_DRNG), 0}},
        {FACILITY_MSA8, {0, CRYPTO_FC64(TRNG_RATIO) | CRYPTO_FC64(TRNG)}},
        {0}};
    if (!i->r1 || !i->r2)
        return PIC_SPECIFICATION;
    if (!crypto_code(cpu))
        return crypto_query(cpu, functions);
    if (!crypto_installed(cpu, functions))
        return PIC_SPECIFICATION;
    return crypto_counted(cpu, i, COUNTERS_PRNG, function(cpu, i));
}

#else
typedef int crypto_random_not_built; /* an empty file is no C */
#endif
