/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the bodies of the message-security assist (cpu/exec/crypto): function codes, parameter blocks, keys,
   ciphers and the pieces that an execution processes. PoP chapters 7 and 26 (SA22-7832-13). Needs nettle. */
#ifndef ZRI_CPU_EXEC_CRYPTO_INTERNAL_H
#define ZRI_CPU_EXEC_CRYPTO_INTERNAL_H

#include "cpu/storage/operand.h"
#include "ri/counters/counters.h"
#include <nettle/aes.h>
#include <nettle/des.h>

/* Function codes that come with one facility. A table ends with facility 0. Extensions 1 and 2 of the message-security
   assist, 6 and 7 have no bits of their own: 1 and 2 are older than every machine described here, 6 and 7 came together
   with 8. */
struct crypto_functions {
    uint8_t facility;
    uint64_t codes[2]; /* bit n of the 128: function code n, as the query function stores them */
};

/* Function codes in such a table, below 64 and from 64 on. */
#define CRYPTO_FC(n)         (UINT64_C(1) << (63 - (n)))
#define CRYPTO_FC64(n)       (UINT64_C(1) << (127 - (n)))
#define CRYPTO_FC3(n)        (CRYPTO_FC(n) | CRYPTO_FC((n) + 1) | CRYPTO_FC((n) + 2))
#define CRYPTO_DEA           CRYPTO_FC3(1)
#define CRYPTO_ENCRYPTED_DEA CRYPTO_FC3(9)
#define CRYPTO_AES           CRYPTO_FC3(18)
#define CRYPTO_ENCRYPTED_AES CRYPTO_FC3(26)
#define CRYPTO_ALL_CIPHERS   (CRYPTO_DEA | CRYPTO_ENCRYPTED_DEA | CRYPTO_AES | CRYPTO_ENCRYPTED_AES)

/* General register 0. */
static inline unsigned crypto_code(const struct cpu *cpu) { return (unsigned)cpu->gr[0] & 0x7f; }
static inline bool crypto_modifier(const struct cpu *cpu) { return cpu->gr[0] & 0x80; }

/* The general register that the parameter block's address is in. */
enum { CRYPTO_BLOCK = 1 };

/* `code` is how a function of the instruction ended. One that was carried out is counted in the class of cryptographic
   functions that it belongs to, and by its cryptography counter; yields the same code. */
int crypto_counted(struct cpu *cpu, const struct dis_insn *i, enum counters_class class, int code) MUST_USE;
/* The class of a function with keys. */
enum counters_class crypto_class(unsigned code);

/* Is the function code in general register 0 installed? The query function (0) is not asked for. */
bool crypto_installed(const struct cpu *cpu, const struct crypto_functions *functions);

/* The query function: stores the 128 bits of installed function codes into the parameter block. CC 0. Exceptions:
   access (store, parameter block). */
int crypto_query(struct cpu *cpu, const struct crypto_functions *functions) MUST_USE;

/* Bytes from, or to, byte `at` of the parameter block. crypto_test: can that part be stored into? */
int crypto_fetch(struct cpu *cpu, unsigned at, void *to, unsigned length) MUST_USE;
int crypto_store(struct cpu *cpu, unsigned at, const void *from, unsigned length) MUST_USE;
int crypto_test(struct cpu *cpu, unsigned at, unsigned length) MUST_USE;

/* Ciphers. `kind` is crypto_kind() of the function code. */
enum crypto_kind { CRYPTO_DEA_64, CRYPTO_TDEA_128, CRYPTO_TDEA_192, CRYPTO_AES_128, CRYPTO_AES_192, CRYPTO_AES_256 };

union crypto_schedule {
    struct des_ctx dea;
    struct des3_ctx tdea;
    struct aes128_ctx aes128;
    struct aes192_ctx aes192;
    struct aes256_ctx aes256;
};

struct crypto_cipher {
    enum crypto_kind kind;
    uint8_t key;   /* bytes of the key: 8, 16, 24 or 32 */
    uint8_t block; /* bytes of a block: 8 or 16 */
    union crypto_schedule encipher, decipher;
};

#define CRYPTO_CURVE_WORK 200000u /* an operation on an elliptic curve; see cpu_work() */

#define CRYPTO_BLOCK_MOST 16 /* bytes of the longest block */

/* The kind of cipher that a function code of the instructions with keys means, and whether it takes an encrypted
   key. */
enum crypto_kind crypto_kind(unsigned code);
static inline bool crypto_encrypted(unsigned code) { return code & 8; }
/* Bytes of the wrapping-key verification pattern behind a key of that kind. */
static inline unsigned crypto_pattern(enum crypto_kind kind) { return kind <= CRYPTO_TDEA_192 ? 24 : 32; }
/* Bytes of a key of that kind. */
unsigned crypto_key_length(enum crypto_kind kind);

/* A multiple of the block length; `to` may be `from`. */
void crypto_encipher(const struct crypto_cipher *cipher, unsigned length, uint8_t *to, const uint8_t *from);
void crypto_decipher(const struct crypto_cipher *cipher, unsigned length, uint8_t *to, const uint8_t *from);

/* Encrypt a key of `length` bytes (8, or 16 to 80) by the machine's DEA or AES wrapping key, in place, and yield the
   verification pattern that belongs behind it (24 or 32 bytes). */
const uint8_t *crypto_wrap(struct cpu *cpu, bool dea, uint8_t *key, unsigned length);
/* Undo it. False: the pattern is not that of the machine; nothing was done. */
bool crypto_unwrap(struct cpu *cpu, bool dea, uint8_t *key, unsigned length, const uint8_t *pattern) MUST_USE;

/* A cipher from the key at byte `at` of a parameter block that was fetched, unwrapped when the function code means an
   encrypted key, whose pattern is behind it. False: verification-pattern mismatch. */
bool crypto_load_key(struct cpu *cpu, unsigned code, const uint8_t *key, struct crypto_cipher *cipher) MUST_USE;

/* True random bytes. */
void crypto_random(struct cpu *cpu, uint8_t *to, unsigned length);

/* One execution processes at most this much, and what is left in condition code 3. */
enum { CRYPTO_AMOUNT = CPU_CC3_AMOUNT };

/* The bytes that this execution processes: at most `want` (a multiple of `unit`, 1 to CRYPTO_AMOUNT) from the operand
   at register `r`, as far as it is accessible, in whole units. crypto_take fetches them, crypto_room only tests that
   they can be stored. *length is the number of bytes, first that wanted. Returns 0 or the code of the first unit. */
int crypto_take(struct cpu *cpu, unsigned r, unsigned unit, uint8_t *to, unsigned *length) MUST_USE;
int crypto_room(struct cpu *cpu, unsigned r, unsigned unit, unsigned *length) MUST_USE;

/* What of an operand of `length` bytes one execution may process: whole units (1 to CRYPTO_AMOUNT bytes). */
static inline unsigned crypto_piece(uint64_t length, unsigned unit)
{
    unsigned most = CRYPTO_AMOUNT - CRYPTO_AMOUNT % unit;
    return length < most ? (unsigned)length : most;
}

/* Behind `length` processed bytes: the address in register r goes up; the length in the register goes down. */
void crypto_advance(struct cpu *cpu, unsigned r, unsigned length);
void crypto_shorten(struct cpu *cpu, unsigned r, unsigned length);

/* The hash subkey's multiplication of GCM: the 16-byte state takes in `length` bytes (a multiple of 16). */
void crypto_ghash(const uint8_t subkey[16], uint8_t state[16], unsigned length, const uint8_t *from);

#endif
