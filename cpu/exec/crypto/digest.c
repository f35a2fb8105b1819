/* SPDX-License-Identifier: GPL-3.0-or-later */
/* COMPUTE INTERMEDIATE MESSAGE DIGEST and COMPUTE LAST MESSAGE DIGEST. PoP chapter 7 (SA22-7832-13).
   The parameter block begins with the state of the hash: the words of SHA-1 and SHA-2 from left to right; the 200 bytes
   of SHA-3 in the order of FIPS 202. */
#include "config.h"
#include "cpu/storage/access.h"

#if HAVE_NETTLE

#include "cpu/exec/bodies.h"
#include "cpu/exec/crypto/internal.h"
#include <nettle/memxor.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/sha3.h>

enum { SHA_1 = 1, SHA_256 = 2, SHA_512 = 3, SHA3_224 = 32, SHA3_512 = 35, SHAKE_128 = 36, SHAKE_256 = 37, GHASH = 65 };

enum { STATE_MOST = 200, DATA_BLOCK_MOST = 168 };

/* General register 0 of KLMD with the SHAKE functions: the message is padded already, only output is left. */
#define PADDING_STATE BIT64(55)

static const struct crypto_functions kimd_functions[] = {{FACILITY_MSA, {CRYPTO_FC3(1), 0}},
                                                         {FACILITY_MSA4, {0, CRYPTO_FC64(GHASH)}},
                                                         {FACILITY_MSA8, {CRYPTO_FC3(32) | CRYPTO_FC3(35), 0}},
                                                         {0}};
static const struct crypto_functions klmd_functions[] = {
    {FACILITY_MSA, {CRYPTO_FC3(1), 0}}, {FACILITY_MSA8, {CRYPTO_FC3(32) | CRYPTO_FC3(35), 0}}, {0}};

/* Bytes of the state and of a data block. */
struct shape {
    uint8_t state, block;
};

static struct shape shape_of(unsigned code)
{
    static const struct shape sha2[] = {[SHA_1] = {20, 64}, [SHA_256] = {32, 64}, [SHA_512] = {64, 128}};
    static const uint8_t sponge[] = {144, 136, 104, 72, 168, 136};
    if (code <= SHA_512)
        return sha2[code];
    return code == GHASH ? (struct shape){16, 16} : (struct shape){STATE_MOST, sponge[code - SHA3_224]};
}

/* `count` words of `size` bytes, 4 or 8, from the state, or back into it. */
static void exchange(void *words, uint8_t *state, unsigned count, unsigned size, bool back)
{
    uint32_t *const word = words;
    uint64_t *const doubleword = words;
    for (unsigned n = 0; n < count; n++, state += size)
        if (back && size == 4)
            put32(state, word[n]);
        else if (back)
            put64(state, doubleword[n]);
        else if (size == 4)
            word[n] = get32(state);
        else
            doubleword[n] = get64(state);
}

/* The Keccak permutation of a state in the order of FIPS 202, whose lanes are little-endian. */
static void permute(uint8_t state[STATE_MOST])
{
    struct sha3_state keccak;
    exchange(keccak.a, state, SHA3_STATE_LENGTH, 8, false);
    for (unsigned n = 0; n < SHA3_STATE_LENGTH; n++)
        keccak.a[n] = __builtin_bswap64(keccak.a[n]);
    sha3_permute(&keccak);
    for (unsigned n = 0; n < SHA3_STATE_LENGTH; n++)
        keccak.a[n] = __builtin_bswap64(keccak.a[n]);
    exchange(keccak.a, state, SHA3_STATE_LENGTH, 8, true);
}

/* Take `length` bytes, whole data blocks, into the state. */
static void digest(unsigned code, uint8_t *state, unsigned length, const uint8_t *from)
{
    struct sha256_ctx sha256 = {.index = 0};
    struct sha512_ctx sha512 = {.index = 0};
    uint32_t sha1[5];
    switch (code) {
    case SHA_1:
        exchange(sha1, state, 5, 4, false);
        for (unsigned at = 0; at < length; at += 64)
            nettle_sha1_compress(sha1, from + at);
        exchange(sha1, state, 5, 4, true);
        break;
    case SHA_256:
        exchange(sha256.state, state, 8, 4, false);
        sha256_update(&sha256, length, from);
        exchange(sha256.state, state, 8, 4, true);
        break;
    case SHA_512:
        exchange(sha512.state, state, 8, 8, false);
        sha512_update(&sha512, length, from);
        exchange(sha512.state, state, 8, 8, true);
        break;
    case GHASH: /* the hash subkey is behind the state */
        crypto_ghash(state + 16, state, length, from);
        break;
    default:
        for (unsigned at = 0, block = shape_of(code).block; at < length; at += block) {
            memxor(state, from + at, block);
            permute(state);
        }
    }
}

/* COMPUTE INTERMEDIATE MESSAGE DIGEST: the state in the parameter block takes in the data blocks of the second operand.
   CC: 0 all, 3 not finished. Exceptions: operation; specification (R2 odd or 0, bit 56 of general register 0, function
   code, length); access (fetch operand 2, fetch and store parameter block). */
int cpu_kimd(struct cpu *cpu, const struct dis_insn *i)
{
    const unsigned code = crypto_code(cpu);
    uint8_t state[STATE_MOST], data[CRYPTO_AMOUNT];
    if (!i->r2 || crypto_modifier(cpu))
        return PIC_SPECIFICATION;
    if (!code)
        return crypto_query(cpu, kimd_functions);
    if (!crypto_installed(cpu, kimd_functions))
        return PIC_SPECIFICATION;
    const struct shape shape = shape_of(code);
    const enum counters_class class = code == GHASH ? COUNTERS_AES : COUNTERS_SHA;
    const uint64_t length = cpu_gr_length(cpu, i->r2 + 1u);
    if (length % shape.block)
        return PIC_SPECIFICATION;
    unsigned n = crypto_piece(length, shape.block);
    cpu->cc = 0;
    if (!n)
        return crypto_counted(cpu, i, class, 0);
    int exception = crypto_fetch(cpu, 0, state, shape.state + (code == GHASH ? 16 : 0));
    if (!exception)
        exception = crypto_test(cpu, 0, shape.state);
    if (!exception)
        exception = crypto_take(cpu, i->r2, shape.block, data, &n);
    if (exception)
        return exception;
    digest(code, state, n, data);
    exception = crypto_store(cpu, 0, state, shape.state);
    if (exception)
        return exception;
    crypto_advance(cpu, i->r2, n);
    crypto_shorten(cpu, i->r2 + 1u, n);
    cpu->cc = n < length ? 3 : 0;
    return crypto_counted(cpu, i, class, 0);
}

/* The last data blocks: the message's rest of `length` bytes at `rest` (with room for two blocks), padding, and with
   SHA-1 and SHA-2 the message's length in bits from the parameter block. */
static void last_blocks(unsigned code, uint8_t *state, unsigned length, uint8_t *rest, const uint8_t *bits)
{
    const unsigned block = shape_of(code).block;
    if (code > SHA_512) {
        memset(rest + length, 0, block - length);
        rest[length] = code >= SHAKE_128 ? 0x1f : 0x06;
        rest[block - 1] |= 0x80;
        digest(code, state, block, rest);
        return;
    }
    const unsigned field = block / 8, all = length + 1 + field <= block ? block : 2 * block;
    memset(rest + length, 0, all - length);
    rest[length] = 0x80;
    memcpy(rest + all - field, bits, field);
    digest(code, state, all, rest);
}

/* Whole data blocks, and with them the rest behind the last, as much as one execution may; *whole receives the bytes in
   whole blocks, *rest those of the rest, *last whether that is the end of the message. */
static int take_message(struct cpu *cpu, unsigned r, unsigned block, uint8_t *data, unsigned *whole, unsigned *rest,
                        bool *last)
{
    const uint64_t length = cpu_gr_length(cpu, r + 1);
    unsigned n = length < CRYPTO_AMOUNT ? (unsigned)length : crypto_piece(length, block);
    *last = n == length;
    if (n) {
        const unsigned wanted = n;
        int code = crypto_take(cpu, r, block, data, &n);
        if (code)
            return code;
        *last = *last && n == wanted;
    }
    *rest = *last ? n % block : 0;
    *whole = n - *rest;
    return 0;
}

/* KLMD of functions that leave the digest in the parameter block. */
static int last_digest(struct cpu *cpu, const struct dis_insn *i, unsigned code)
{
    const struct shape shape = shape_of(code);
    const unsigned field = code > SHA_512 ? 0 : shape.block / 8; /* message bit length */
    uint8_t state[STATE_MOST + 16], data[CRYPTO_AMOUNT + DATA_BLOCK_MOST];
    unsigned whole, rest;
    bool last;
    int exception = crypto_fetch(cpu, 0, state, shape.state + field);
    if (!exception)
        exception = crypto_test(cpu, 0, shape.state);
    if (!exception)
        exception = take_message(cpu, i->r2, shape.block, data, &whole, &rest, &last);
    if (exception)
        return exception;
    digest(code, state, whole, data);
    if (last)
        last_blocks(code, state, rest, data + whole, state + shape.state);
    exception = crypto_store(cpu, 0, state, shape.state);
    if (exception)
        return exception;
    crypto_advance(cpu, i->r2, whole + rest);
    crypto_shorten(cpu, i->r2 + 1u, whole + rest);
    cpu->cc = last ? 0 : 3;
    return 0;
}

/* KLMD of the SHAKE functions. Padding and the first block of output are one step; from then on general register 0 says
   that the message is padded, and each further block of output comes from one more permutation. */
static int extendable_output(struct cpu *cpu, const struct dis_insn *i, unsigned code)
{
    const struct shape shape = shape_of(code);
    const bool padded = cpu->gr[0] & PADDING_STATE;
    const uint64_t wanted = cpu_gr_length(cpu, i->r1 + 1u);
    uint8_t state[STATE_MOST], data[CRYPTO_AMOUNT + DATA_BLOCK_MOST], out[CRYPTO_AMOUNT];
    unsigned whole = 0, rest = 0, n = 0;
    bool last = true;
    int exception = crypto_fetch(cpu, 0, state, STATE_MOST);
    if (!exception)
        exception = crypto_test(cpu, 0, STATE_MOST);
    if (!exception && !padded)
        exception = take_message(cpu, i->r2, shape.block, data, &whole, &rest, &last);
    if (!exception && last && wanted) {
        n = wanted < CRYPTO_AMOUNT ? (unsigned)wanted : crypto_piece(wanted, shape.block);
        exception = crypto_room(cpu, i->r1, shape.block, &n);
    }
    if (exception)
        return exception;
    digest(code, state, whole, data);
    if (last && !padded)
        last_blocks(code, state, rest, data + whole, NULL);
    for (unsigned at = 0; at < n; at += shape.block) {
        if (at || padded)
            permute(state);
        memcpy(out + at, state, n - at < shape.block ? n - at : shape.block);
    }
    if (n)
        exception = cpu_store_bytes(cpu, cpu_gr_address(cpu, i->r1), i->r1, out, n);
    if (!exception)
        exception = crypto_store(cpu, 0, state, STATE_MOST);
    if (exception)
        return exception;
    if (last)
        cpu->gr[0] |= PADDING_STATE;
    if (!padded) {
        crypto_advance(cpu, i->r2, whole + rest);
        crypto_shorten(cpu, i->r2 + 1u, whole + rest);
    }
    crypto_advance(cpu, i->r1, n);
    crypto_shorten(cpu, i->r1 + 1u, n);
    cpu->cc = last && n == wanted ? 0 : 3;
    return 0;
}

/* COMPUTE LAST MESSAGE DIGEST: as COMPUTE INTERMEDIATE MESSAGE DIGEST, then the rest of the message is padded and taken
   in; the SHAKE functions go on to fill the first operand. CC: 0 all, 3 not finished. Exceptions: operation;
   specification (R2, with SHAKE also R1, odd or 0; bit 56 of general register 0; function code); access (fetch operand
   2, fetch and store parameter block, store operand 1). */
int cpu_klmd(struct cpu *cpu, const struct dis_insn *i)
{
    const unsigned code = crypto_code(cpu);
    if (!i->r2 || crypto_modifier(cpu))
        return PIC_SPECIFICATION;
    if (!code)
        return crypto_query(cpu, klmd_functions);
    if (!crypto_installed(cpu, klmd_functions))
        return PIC_SPECIFICATION;
    if (code < SHAKE_128)
        return crypto_counted(cpu, i, COUNTERS_SHA, last_digest(cpu, i, code));
    return !i->r1 || i->r1 & 1 ? PIC_SPECIFICATION
                               : crypto_counted(cpu, i, COUNTERS_SHA, extendable_output(cpu, i, code));
}

#else
typedef int crypto_digest_not_built; /* an empty file is no C */
#endif
