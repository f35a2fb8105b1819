/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CIPHER MESSAGE and its forms with chaining, counter, cipher feedback and output feedback; COMPUTE MESSAGE
   AUTHENTICATION CODE. PoP chapter 7 (SA22-7832-13).
   The parameter block is [chaining value] key [verification pattern] [XTS parameter]. Everything is tested before
   anything is stored, so an access exception nullifies; whole blocks before it are a partial completion. */
#include "config.h"
#include "cpu/storage/access.h"

#if HAVE_NETTLE

#include "cpu/exec/bodies.h"
#include "cpu/exec/crypto/internal.h"
#include <nettle/memxor.h>

/* One execution: what it works with, and what it leaves in the parameter block. */
struct work {
    struct crypto_cipher cipher;
    unsigned code; /* function code */
    bool decipher;
    unsigned unit;                    /* bytes that are processed together */
    uint8_t value[CRYPTO_BLOCK_MOST]; /* chaining value or XTS parameter */
    uint8_t counter[CRYPTO_AMOUNT];   /* KMCTR: third operand */
};

/* Processes `length` bytes, a multiple of the unit. */
typedef void (*worker)(struct work *w, unsigned length, uint8_t *to, const uint8_t *from);

/* Where the chaining value is. */
enum chaining { NO_CHAINING, CHAINING_FIRST, CHAINING_LAST };

/* Registers 0 for an operand that the instruction has not. */
struct operands {
    unsigned to, from, counter;
    enum chaining chaining;
};

/* Fetch the parameter block and take the key from it. Returns 0 or a code; *cc is 1 when the verification pattern does
   not match. *at is where the chaining value is. */
static int load_block(struct cpu *cpu, struct work *w, enum chaining chaining, unsigned *at, uint8_t *cc)
{
    const enum crypto_kind kind = crypto_kind(w->code);
    const unsigned block = kind <= CRYPTO_TDEA_192 ? 8 : 16;
    const unsigned keys = crypto_key_length(kind) + (crypto_encrypted(w->code) ? crypto_pattern(kind) : 0);
    const unsigned key_at = chaining == CHAINING_FIRST ? block : 0;
    uint8_t bytes[2 * CRYPTO_BLOCK_MOST + 64];
    int code = crypto_fetch(cpu, 0, bytes, keys + (chaining == NO_CHAINING ? 0 : block));
    if (code)
        return code;
    *at = chaining == CHAINING_LAST ? keys : 0;
    memcpy(w->value, bytes + *at, block);
    *cc = crypto_load_key(cpu, w->code, bytes + key_at, &w->cipher) ? 0 : 1;
    return 0;
}

/* The instruction as a whole, behind the checks of register numbers and function code. */
static int cipher(struct cpu *cpu, const struct operands *o, struct work *w, worker process)
{
    const uint64_t length = cpu_gr_length(cpu, o->from + 1);
    uint8_t in[CRYPTO_AMOUNT], out[CRYPTO_AMOUNT], cc = 0;
    unsigned n = crypto_piece(length, w->unit), at = 0;
    if (length % w->unit)
        return PIC_SPECIFICATION;
    cpu->cc = 0;
    if (!n)
        return 0;
    int code = load_block(cpu, w, o->chaining, &at, &cc);
    if (code || cc) {
        cpu->cc = cc;
        return code;
    }
    if (o->chaining != NO_CHAINING)
        code = crypto_test(cpu, at, w->cipher.block);
    if (!code && o->to)
        code = crypto_room(cpu, o->to, w->unit, &n);
    if (!code && o->counter)
        code = crypto_take(cpu, o->counter, w->unit, w->counter, &n);
    if (!code)
        code = crypto_take(cpu, o->from, w->unit, in, &n);
    if (code)
        return code;
    process(w, n, out, in);
    if (o->to)
        code = cpu_store_bytes(cpu, cpu_gr_address(cpu, o->to), o->to, out, n);
    if (!code && o->chaining != NO_CHAINING)
        code = crypto_store(cpu, at, w->value, w->cipher.block);
    if (code)
        return code;
    if (o->to)
        crypto_advance(cpu, o->to, n);
    if (o->counter && o->counter != o->to)
        crypto_advance(cpu, o->counter, n);
    if (o->from != o->to && o->from != o->counter)
        crypto_advance(cpu, o->from, n);
    crypto_shorten(cpu, o->from + 1, n);
    cpu->cc = n < length ? 3 : 0;
    return 0;
}

/* The block length that a function code means. */
static unsigned block_of(unsigned code) { return crypto_kind(code) <= CRYPTO_TDEA_192 ? 8 : 16; }

/* Query, or the work of an installed function. `unit` 0 is the block. */
static int begin(struct cpu *cpu, const struct dis_insn *i, const struct crypto_functions *functions,
                 const struct operands *o, unsigned unit, worker process)
{
    struct work w = {.code = crypto_code(cpu), .decipher = crypto_modifier(cpu)};
    if (!w.code)
        return crypto_query(cpu, functions);
    if (!crypto_installed(cpu, functions))
        return PIC_SPECIFICATION;
    w.unit = unit ? unit : block_of(w.code);
    return crypto_counted(cpu, i, crypto_class(w.code), cipher(cpu, o, &w, process));
}

/* ---- modes ----------------------------------------------------------------------------------------------------- */

static void electronic_codebook(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    (w->decipher ? crypto_decipher : crypto_encipher)(&w->cipher, length, to, from);
}

/* The XTS parameter times alpha: the next block's. Its bytes are in little-endian order. */
static void next_parameter(uint8_t value[16])
{
    unsigned carry = 0;
    for (unsigned n = 0; n < 16; n++) {
        unsigned v = (unsigned)value[n] << 1 | carry;
        value[n] = (uint8_t)v;
        carry = v >> 8;
    }
    value[0] ^= carry ? 0x87 : 0;
}

static void xts(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    for (unsigned at = 0; at < length; at += 16) {
        memxor3(to + at, from + at, w->value, 16);
        electronic_codebook(w, 16, to + at, to + at);
        memxor(to + at, w->value, 16);
        next_parameter(w->value);
    }
}

static void block_chaining(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    const unsigned block = w->unit;
    for (unsigned at = 0; at < length; at += block) {
        if (w->decipher) {
            crypto_decipher(&w->cipher, block, to + at, from + at);
            memxor(to + at, w->value, block);
        } else {
            memxor3(to + at, from + at, w->value, block);
            crypto_encipher(&w->cipher, block, to + at, to + at);
        }
        memcpy(w->value, (w->decipher ? from : to) + at, block);
    }
}

/* The generator of ANSI X9.17: the enciphered block of the second operand stirs the chaining value. */
static void pseudorandom(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    uint8_t stir[8];
    for (unsigned at = 0; at < length; at += sizeof stir) {
        crypto_encipher(&w->cipher, sizeof stir, stir, from + at);
        memxor3(to + at, stir, w->value, sizeof stir);
        crypto_encipher(&w->cipher, sizeof stir, to + at, to + at);
        memxor3(w->value, to + at, stir, sizeof stir);
        crypto_encipher(&w->cipher, sizeof stir, w->value, w->value);
    }
}

static void counters(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    crypto_encipher(&w->cipher, length, to, w->counter);
    memxor(to, from, length);
}

static void output_feedback(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    for (unsigned at = 0; at < length; at += w->unit) {
        crypto_encipher(&w->cipher, w->unit, w->value, w->value);
        memxor3(to + at, from + at, w->value, w->unit);
    }
}

/* The unit is the length of the cipher feedback: that many bytes of ciphertext enter the chaining value at its
   right. */
static void cipher_feedback(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    const unsigned block = w->cipher.block, unit = w->unit;
    uint8_t stream[CRYPTO_BLOCK_MOST];
    for (unsigned at = 0; at < length; at += unit) {
        crypto_encipher(&w->cipher, block, stream, w->value);
        memxor3(to + at, from + at, stream, unit);
        memmove(w->value, w->value + unit, block - unit);
        memcpy(w->value + block - unit, (w->decipher ? from : to) + at, unit);
    }
}

static void authenticate(struct work *w, unsigned length, uint8_t *to, const uint8_t *from)
{
    (void)to;
    for (unsigned at = 0; at < length; at += w->unit) {
        memxor(w->value, from + at, w->unit);
        crypto_encipher(&w->cipher, w->unit, w->value, w->value);
    }
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

enum { PRNG = 67 };
#define KM_XTS (CRYPTO_FC(50) | CRYPTO_FC(52) | CRYPTO_FC(58) | CRYPTO_FC(60))

/* CIPHER MESSAGE: the blocks of the second operand, enciphered or (bit 56 of general register 0) deciphered each for
   itself, or by XTS with the parameter in the block, go to the first. CC: 0 all, 1 verification-pattern mismatch, 3 not
   finished. Exceptions: operation; specification (R1 or R2 odd or 0, function code, length); access (fetch operand 2
   and parameter block, store operand 1, XTS parameter). */
int cpu_km(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {
        {FACILITY_MSA, {CRYPTO_DEA | CRYPTO_AES, 0}},
        {FACILITY_MSA3, {CRYPTO_ENCRYPTED_DEA | CRYPTO_ENCRYPTED_AES, 0}},
        {FACILITY_MSA4, {KM_XTS, 0}},
        {0}};
    const bool is_xts = crypto_code(cpu) >= 50;
    const struct operands o = {.to = i->r1, .from = i->r2, .chaining = is_xts ? CHAINING_LAST : NO_CHAINING};
    if (!i->r1 || !i->r2)
        return PIC_SPECIFICATION;
    return begin(cpu, i, functions, &o, 0, is_xts ? xts : electronic_codebook);
}

/* CIPHER MESSAGE WITH CHAINING: as CIPHER MESSAGE, by cipher block chaining from the chaining value in the parameter
   block. Function code 67 makes pseudorandom numbers; bit 56 of general register 0 must be zero with it. CC and
   exceptions: as there. */
int cpu_kmc(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {
        {FACILITY_MSA, {CRYPTO_DEA | CRYPTO_AES, CRYPTO_FC64(PRNG)}},
        {FACILITY_MSA3, {CRYPTO_ENCRYPTED_DEA | CRYPTO_ENCRYPTED_AES, 0}},
        {0}};
    const struct operands o = {.to = i->r1, .from = i->r2, .chaining = CHAINING_FIRST};
    if (!i->r1 || !i->r2 || (crypto_code(cpu) == PRNG && crypto_modifier(cpu)))
        return PIC_SPECIFICATION;
    return begin(cpu, i, functions, &o, 0, crypto_code(cpu) == PRNG ? pseudorandom : block_chaining);
}

/* CIPHER MESSAGE WITH COUNTER: the second operand, exclusive-ORed with the enciphered blocks of the third, goes to the
   first. CC and exceptions: as CIPHER MESSAGE, for R3 also. */
int cpu_kmctr(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {{FACILITY_MSA4, {CRYPTO_ALL_CIPHERS, 0}}, {0}};
    const struct operands o = {.to = i->r1, .from = i->r2, .counter = i->r3, .chaining = NO_CHAINING};
    if (!i->r1 || !i->r2 || !i->r3)
        return PIC_SPECIFICATION;
    return begin(cpu, i, functions, &o, 0, counters);
}

/* CIPHER MESSAGE WITH CIPHER FEEDBACK: bits 32-39 of general register 0 are the length of the feedback, 1 to the block.
   CC and exceptions: as CIPHER MESSAGE; specification also for that length. */
int cpu_kmf(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {{FACILITY_MSA4, {CRYPTO_ALL_CIPHERS, 0}}, {0}};
    const struct operands o = {.to = i->r1, .from = i->r2, .chaining = CHAINING_FIRST};
    const unsigned feedback = (unsigned)field64(cpu->gr[0], 32, 39);
    if (!i->r1 || !i->r2)
        return PIC_SPECIFICATION;
    if (crypto_code(cpu) && crypto_installed(cpu, functions) && (!feedback || feedback > block_of(crypto_code(cpu))))
        return PIC_SPECIFICATION;
    return begin(cpu, i, functions, &o, feedback, cipher_feedback);
}

/* CIPHER MESSAGE WITH OUTPUT FEEDBACK: the chaining value, enciphered again and again, is exclusive-ORed with the
   second operand. CC and exceptions: as CIPHER MESSAGE. */
int cpu_kmo(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {{FACILITY_MSA4, {CRYPTO_ALL_CIPHERS, 0}}, {0}};
    const struct operands o = {.to = i->r1, .from = i->r2, .chaining = CHAINING_FIRST};
    if (!i->r1 || !i->r2)
        return PIC_SPECIFICATION;
    return begin(cpu, i, functions, &o, 0, output_feedback);
}

/* COMPUTE MESSAGE AUTHENTICATION CODE: the chaining value takes in the blocks of the second operand by cipher block
   chaining. CC: 0 all, 1 verification-pattern mismatch, 3 not finished. Exceptions: operation; specification (R2 odd or
   0, bit 56 of general register 0, function code, length); access (fetch operand 2, fetch and store parameter
   block). */
int cpu_kmac(struct cpu *cpu, const struct dis_insn *i)
{
    static const struct crypto_functions functions[] = {{FACILITY_MSA, {CRYPTO_DEA, 0}},
                                                        {FACILITY_MSA3, {CRYPTO_ENCRYPTED_DEA, 0}},
                                                        {FACILITY_MSA4, {CRYPTO_AES | CRYPTO_ENCRYPTED_AES, 0}},
                                                        {0}};
    const struct operands o = {.from = i->r2, .chaining = CHAINING_FIRST};
    if (!i->r2 || crypto_modifier(cpu))
        return PIC_SPECIFICATION;
    return begin(cpu, i, functions, &o, 0, authenticate);
}

#else
typedef int crypto_cipher_not_built; /* an empty file is no C */
#endif
