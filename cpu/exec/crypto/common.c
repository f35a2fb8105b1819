/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the instructions of the message-security assist have in common. PoP chapter 7 (SA22-7832-13). Without nettle
   their rows have no bodies, and this file is empty. */
#include "config.h"
#include "cpu/storage/access.h"

#if HAVE_NETTLE

#include "cpu/exec/crypto/internal.h"
#include "cpu/exec/crypto/activity.h"
#include <nettle/gcm.h>

/* ---- function codes -------------------------------------------------------------------------------------------- */

bool crypto_installed(const struct cpu *cpu, const struct crypto_functions *functions)
{
    const unsigned code = crypto_code(cpu);
    for (; functions->facility; functions++)
        if ((functions->codes[code / 64] & BIT64(code % 64)) && cpu_facility(cpu->sys, functions->facility))
            return true;
    return false;
}

int crypto_counted(struct cpu *cpu, const struct dis_insn *i, enum counters_class class, int code)
{
    if (!code) {
        counters_function(cpu->counters, class);
        cpu_count_function(cpu, i);
    }
    return code;
}

enum counters_class crypto_class(unsigned code)
{
    return crypto_kind(code) <= CRYPTO_TDEA_192 ? COUNTERS_DEA : COUNTERS_AES;
}

int crypto_query(struct cpu *cpu, const struct crypto_functions *functions)
{
    uint64_t codes[2] = {BIT64(0), 0};
    uint8_t word[16];
    for (; functions->facility; functions++)
        for (unsigned n = 0; n < 2 && cpu_facility(cpu->sys, functions->facility); n++)
            codes[n] |= functions->codes[n];
    put64(word, codes[0]);
    put64(word + 8, codes[1]);
    int code = crypto_store(cpu, 0, word, sizeof word);
    if (!code)
        cpu->cc = 0;
    return code;
}

/* ---- storage --------------------------------------------------------------------------------------------------- */

static uint64_t block_address(const struct cpu *cpu, unsigned at) { return cpu_wrap(cpu, cpu->gr[CRYPTO_BLOCK] + at); }

int crypto_fetch(struct cpu *cpu, unsigned at, void *to, unsigned length)
{
    return cpu_fetch_bytes(cpu, block_address(cpu, at), CRYPTO_BLOCK, to, length);
}

int crypto_store(struct cpu *cpu, unsigned at, const void *from, unsigned length)
{
    return cpu_store_bytes(cpu, block_address(cpu, at), CRYPTO_BLOCK, from, length);
}

int crypto_test(struct cpu *cpu, unsigned at, unsigned length)
{
    return cpu_test(cpu, block_address(cpu, at), CRYPTO_BLOCK, length, CPU_STORE);
}

/* Whole units in the page that the operand begins in; 0 when that does not make it shorter. */
static unsigned in_first_page(uint64_t address, unsigned unit, unsigned length)
{
    unsigned left = cpu_page_left(address);
    left -= left % unit;
    return left < length ? left : 0;
}

int crypto_take(struct cpu *cpu, unsigned r, unsigned unit, uint8_t *to, unsigned *length)
{
    const uint64_t address = cpu_gr_address(cpu, r);
    int code = cpu_fetch_bytes(cpu, address, r, to, *length);
    unsigned part = code ? in_first_page(address, unit, *length) : 0;
    if (part) {
        *length = part;
        code = cpu_fetch_bytes(cpu, address, r, to, part);
    }
    if (!code)
        cpu_work(cpu, *length / CPU_WORK_CIPHER);
    return code;
}

int crypto_room(struct cpu *cpu, unsigned r, unsigned unit, unsigned *length)
{
    const uint64_t address = cpu_gr_address(cpu, r);
    int code = cpu_test(cpu, address, r, *length, CPU_STORE);
    unsigned part = code ? in_first_page(address, unit, *length) : 0;
    if (!part)
        return code;
    *length = part;
    return cpu_test(cpu, address, r, part, CPU_STORE);
}

void crypto_advance(struct cpu *cpu, unsigned r, unsigned length)
{
    set_gr_address(cpu, r, cpu_wrap(cpu, cpu->gr[r] + length));
}

void crypto_shorten(struct cpu *cpu, unsigned r, unsigned length)
{
    set_gr_address(cpu, r, cpu_gr_length(cpu, r) - length);
}

/* ---- ciphers --------------------------------------------------------------------------------------------------- */

static const struct {
    uint8_t key, block;
} kinds[] = {
    [CRYPTO_DEA_64] = {8, 8},    [CRYPTO_TDEA_128] = {16, 8}, [CRYPTO_TDEA_192] = {24, 8},
    [CRYPTO_AES_128] = {16, 16}, [CRYPTO_AES_192] = {24, 16}, [CRYPTO_AES_256] = {32, 16},
};

enum crypto_kind crypto_kind(unsigned code)
{
    code &= ~8u;
    if (code <= 3)
        return CRYPTO_DEA_64 + code - 1;
    return code == 67 ? CRYPTO_TDEA_192 : CRYPTO_AES_128 + ((code - 2) & 15); /* 18-20; 50 and 52 */
}

unsigned crypto_key_length(enum crypto_kind kind) { return kinds[kind].key; }

static void set_key(struct crypto_cipher *c, enum crypto_kind kind, const uint8_t *key)
{
    uint8_t triple[24];
    c->kind = kind;
    c->key = kinds[kind].key;
    c->block = kinds[kind].block;
    switch (kind) { /* des_set_key() reports weak keys, which are keys all the same */
    case CRYPTO_DEA_64:
        (void)des_set_key(&c->encipher.dea, key);
        c->decipher = c->encipher;
        break;
    case CRYPTO_TDEA_128:
    case CRYPTO_TDEA_192:
        memcpy(triple, key, c->key);
        if (kind == CRYPTO_TDEA_128)
            memcpy(triple + 16, key, 8);
        (void)des3_set_key(&c->encipher.tdea, triple);
        c->decipher = c->encipher;
        break;
    case CRYPTO_AES_128:
        aes128_set_encrypt_key(&c->encipher.aes128, key);
        aes128_invert_key(&c->decipher.aes128, &c->encipher.aes128);
        break;
    case CRYPTO_AES_192:
        aes192_set_encrypt_key(&c->encipher.aes192, key);
        aes192_invert_key(&c->decipher.aes192, &c->encipher.aes192);
        break;
    case CRYPTO_AES_256:
        aes256_set_encrypt_key(&c->encipher.aes256, key);
        aes256_invert_key(&c->decipher.aes256, &c->encipher.aes256);
        break;
    }
}

void crypto_encipher(const struct crypto_cipher *c, unsigned length, uint8_t *to, const uint8_t *from)
{
    switch (c->kind) {
    case CRYPTO_DEA_64:
        des_encrypt(&c->encipher.dea, length, to, from);
        break;
    case CRYPTO_TDEA_128:
    case CRYPTO_TDEA_192:
        des3_encrypt(&c->encipher.tdea, length, to, from);
        break;
    case CRYPTO_AES_128:
        aes128_encrypt(&c->encipher.aes128, length, to, from);
        break;
    case CRYPTO_AES_192:
        aes192_encrypt(&c->encipher.aes192, length, to, from);
        break;
    case CRYPTO_AES_256:
        aes256_encrypt(&c->encipher.aes256, length, to, from);
        break;
    }
}

void crypto_decipher(const struct crypto_cipher *c, unsigned length, uint8_t *to, const uint8_t *from)
{
    switch (c->kind) {
    case CRYPTO_DEA_64:
        des_decrypt(&c->decipher.dea, length, to, from);
        break;
    case CRYPTO_TDEA_128:
    case CRYPTO_TDEA_192:
        des3_decrypt(&c->decipher.tdea, length, to, from);
        break;
    case CRYPTO_AES_128:
        aes128_decrypt(&c->decipher.aes128, length, to, from);
        break;
    case CRYPTO_AES_192:
        aes192_decrypt(&c->decipher.aes192, length, to, from);
        break;
    case CRYPTO_AES_256:
        aes256_decrypt(&c->decipher.aes256, length, to, from);
        break;
    }
}

/* nettle's GCM makes the hash subkey by enciphering a block of zeros; here it is known already. */
static void known_subkey(const void *subkey, size_t length, uint8_t *to, const uint8_t *from)
{
    (void)from;
    memcpy(to, subkey, length);
}

void crypto_ghash(const uint8_t subkey[16], uint8_t state[16], unsigned length, const uint8_t *from)
{
    struct gcm_key key;
    struct gcm_ctx gcm = {.auth_size = 0};
    gcm_set_key(&key, subkey, known_subkey);
    memcpy(gcm.x.b, state, 16);
    gcm_update(&gcm, &key, length, from);
    memcpy(state, gcm.x.b, 16);
}

/* ---- wrapping -------------------------------------------------------------------------------------------------- */

void crypto_random(struct cpu *cpu, uint8_t *to, unsigned length)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    memset(to, 0, length);
    if (out && out->random)
        out->random(cpu->sys->machine, to, length);
}

/* PoP leaves open how a key is wrapped. Here the blocks are enciphered from left to right; the last one overlaps that
   before it when the key is not a multiple of the block. `block` is offsets of the blocks, how many is the result. */
static unsigned wrapped_blocks(unsigned length, unsigned size, unsigned block[10])
{
    unsigned count = 0, at = 0;
    for (; at + size < length; at += size)
        block[count++] = at;
    block[count++] = length - size;
    return count;
}

static const uint8_t *wrapping_cipher(struct cpu *cpu, bool dea, struct crypto_cipher *cipher)
{
    const struct cpu_wrapping *w = &cpu->sys->wrapping;
    set_key(cipher, dea ? CRYPTO_TDEA_192 : CRYPTO_AES_256, dea ? w->dea_key : w->aes_key);
    return dea ? w->dea_pattern : w->aes_pattern;
}

const uint8_t *crypto_wrap(struct cpu *cpu, bool dea, uint8_t *key, unsigned length)
{
    struct crypto_cipher cipher;
    const uint8_t *pattern = wrapping_cipher(cpu, dea, &cipher);
    unsigned block[10], count = wrapped_blocks(length, cipher.block, block);
    for (unsigned n = 0; n < count; n++)
        crypto_encipher(&cipher, cipher.block, key + block[n], key + block[n]);
    return pattern;
}

bool crypto_unwrap(struct cpu *cpu, bool dea, uint8_t *key, unsigned length, const uint8_t *pattern)
{
    struct crypto_cipher cipher;
    if (memcmp(pattern, wrapping_cipher(cpu, dea, &cipher), dea ? 24 : 32) != 0)
        return false;
    unsigned block[10], count = wrapped_blocks(length, cipher.block, block);
    for (unsigned n = count; n--;)
        crypto_decipher(&cipher, cipher.block, key + block[n], key + block[n]);
    return true;
}

bool crypto_load_key(struct cpu *cpu, unsigned code, const uint8_t *key, struct crypto_cipher *cipher)
{
    const enum crypto_kind kind = crypto_kind(code);
    const unsigned length = crypto_key_length(kind);
    uint8_t clear[32];
    memcpy(clear, key, length);
    if (crypto_encrypted(code) && !crypto_unwrap(cpu, kind <= CRYPTO_TDEA_192, clear, length, key + length))
        return false;
    set_key(cipher, kind, clear);
    return true;
}

#else
typedef int crypto_not_built; /* an empty file is no C */
#endif
