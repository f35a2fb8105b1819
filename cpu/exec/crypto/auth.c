/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CIPHER MESSAGE WITH AUTHENTICATION: AES in Galois/counter mode. PoP chapter 7 (SA22-7832-13), SP 800-38D. */
#include "config.h"
#include "cpu/storage/access.h"

#if HAVE_NETTLE

#include "cpu/exec/bodies.h"
#include "cpu/exec/crypto/internal.h"
#include <nettle/memxor.h>

/* Flags in general register 0. */
#define HASH_SUBKEY_SUPPLIED BIT64(53)
#define LAST_AAD             BIT64(54)
#define LAST_PC              BIT64(55) /* plaintext or ciphertext */

/* Parameter block: 12 reserved bytes; counter value, tag, hash subkey (these change); total lengths in bits of the
   additional authenticated data and of the text; initial counter value; key. */
enum { COUNTER = 12, TAG = 16, SUBKEY = 32, LENGTHS = 48, INITIAL = 64, KEY = 80, CHANGES = LENGTHS - COUNTER };

struct gcm {
    struct crypto_cipher cipher;
    uint8_t block[KEY + 64]; /* the parameter block */
};

/* The tag takes in `length` bytes, the last block extended with zeros; there is room for them behind `data`. */
static void hash(struct gcm *g, uint8_t *data, unsigned length)
{
    const unsigned whole = (length + 15) & ~15u;
    memset(data + length, 0, whole - length);
    crypto_ghash(g->block + SUBKEY, g->block + TAG, whole, data);
}

/* Exclusive-OR with the enciphered counters that follow. */
static void encipher_counters(struct gcm *g, unsigned length, uint8_t *to, const uint8_t *from)
{
    uint8_t counter[16], stream[16];
    memcpy(counter, g->block + INITIAL, 12);
    for (unsigned at = 0; at < length; at += 16) {
        const unsigned n = length - at < 16 ? length - at : 16;
        put32(g->block + COUNTER, get32(g->block + COUNTER) + 1);
        memcpy(counter + 12, g->block + COUNTER, 4);
        crypto_encipher(&g->cipher, 16, stream, counter);
        memxor3(to + at, from + at, stream, n);
    }
}

/* The whole message is in: lengths, then the enciphered initial counter. */
static void finish_tag(struct gcm *g)
{
    uint8_t stream[16];
    hash(g, g->block + LENGTHS, 16);
    crypto_encipher(&g->cipher, 16, stream, g->block + INITIAL);
    memxor(g->block + TAG, stream, 16);
}

/* One piece of the additional authenticated data. */
static int authenticate_piece(struct cpu *cpu, struct gcm *g, unsigned r3, unsigned *n)
{
    uint8_t data[CRYPTO_AMOUNT + 16];
    int code = crypto_take(cpu, r3, 16, data, n);
    if (!code)
        hash(g, data, *n);
    return code;
}

/* One piece of the text, `decipher` or not. */
static int cipher_piece(struct cpu *cpu, struct gcm *g, const struct dis_insn *i, bool decipher, unsigned *n)
{
    uint8_t in[CRYPTO_AMOUNT + 16], out[CRYPTO_AMOUNT + 16];
    int code = crypto_room(cpu, i->r1, 16, n);
    if (!code)
        code = crypto_take(cpu, i->r2, 16, in, n);
    if (code)
        return code;
    encipher_counters(g, *n, out, in);
    code = cpu_store_bytes(cpu, cpu_gr_address(cpu, i->r1), i->r1, out, *n);
    hash(g, decipher ? in : out, *n);
    return code;
}

/* One execution, behind the checks: a piece of the additional authenticated data, or else of the text, or else nothing;
   the tag behind the last of it. */
static int process(struct cpu *cpu, const struct dis_insn *i, struct gcm *g)
{
    const bool last_aad = cpu->gr[0] & LAST_AAD, last_pc = cpu->gr[0] & LAST_PC;
    const uint64_t aad = cpu_gr_length(cpu, i->r3 + 1u), text = last_aad ? cpu_gr_length(cpu, i->r2 + 1u) : 0;
    unsigned n = crypto_piece(aad ? aad : text, 1);
    int code = 0;
    if (!(cpu->gr[0] & HASH_SUBKEY_SUPPLIED)) {
        memset(g->block + SUBKEY, 0, 16);
        crypto_encipher(&g->cipher, 16, g->block + SUBKEY, g->block + SUBKEY);
    }
    if (aad)
        code = authenticate_piece(cpu, g, i->r3, &n);
    else if (text)
        code = cipher_piece(cpu, g, i, crypto_modifier(cpu), &n);
    if (code)
        return code;
    const bool done = aad ? n == aad && !text : n == text;
    if (done && last_aad && last_pc)
        finish_tag(g);
    code = crypto_store(cpu, COUNTER, g->block + COUNTER, CHANGES);
    if (code)
        return code;
    cpu->gr[0] |= HASH_SUBKEY_SUPPLIED;
    if (aad) {
        crypto_advance(cpu, i->r3, n);
        crypto_shorten(cpu, i->r3 + 1u, n);
    } else if (text) {
        crypto_advance(cpu, i->r1, n);
        if (i->r2 != i->r1)
            crypto_advance(cpu, i->r2, n);
        crypto_shorten(cpu, i->r2 + 1u, n);
    }
    cpu->cc = !done ? 3 : last_aad && last_pc ? 0 : 2;
    return 0;
}

/* CIPHER MESSAGE WITH AUTHENTICATION: the tag takes in the third operand (additional authenticated data) and, when bit
   54 of general register 0 says that this is the last of it, the second operand goes, enciphered or deciphered (bit
   56), to the first and the tag takes in the ciphertext; bit 55 says that it is the last, and the tag is made complete.
   Bit 53: the hash subkey is in the parameter block; else it is made, and the bit set. CC: 0 tag complete, 1
   verification-pattern mismatch, 2 the operands are processed but more is to come, 3 not finished. Exceptions:
   operation; specification (R1, R2 or R3 odd or 0, R3 the same as R1 or R2, function code, length not a multiple of 16
   when not the last); access (fetch operands 2 and 3, store operand 1, fetch and store parameter block). */
int cpu_kma(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {{FACILITY_MSA8, {CRYPTO_AES | CRYPTO_ENCRYPTED_AES, 0}}, {0}};
    const unsigned code = crypto_code(cpu);
    struct gcm g;
    if (!i->r1 || !i->r2 || !i->r3 || i->r1 == i->r3 || i->r2 == i->r3)
        return PIC_SPECIFICATION;
    if (!code)
        return crypto_query(cpu, functions);
    if (!crypto_installed(cpu, functions))
        return PIC_SPECIFICATION;
    if ((!(cpu->gr[0] & LAST_AAD) && cpu_gr_length(cpu, i->r3 + 1u) % 16) ||
        (!(cpu->gr[0] & LAST_PC) && cpu_gr_length(cpu, i->r2 + 1u) % 16))
        return PIC_SPECIFICATION;
    const unsigned keys = crypto_key_length(crypto_kind(code)) + (crypto_encrypted(code) ? 32 : 0);
    int exception = crypto_fetch(cpu, 0, g.block, KEY + keys);
    if (!exception)
        exception = crypto_test(cpu, COUNTER, CHANGES);
    if (exception)
        return exception;
    if (!crypto_load_key(cpu, code, g.block + KEY, &g.cipher)) {
        cpu->cc = 1;
        return crypto_counted(cpu, i, COUNTERS_AES, 0);
    }
    return crypto_counted(cpu, i, COUNTERS_AES, process(cpu, i, &g));
}

#else
typedef int crypto_auth_not_built; /* an empty file is no C */
#endif
