/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What OpenSSL's library makes with every cipher, digest and message-authentication code that a machine may have
   instructions for: one line for each, with a sum over the results for many lengths, places and ways to hand the data
   over. The sum is made here and not by the library. The same lines must come out wherever and however it runs.
   The functions are declared here, so that neither headers nor the library's other files are needed to build it:
   evp [MEGABYTES CIPHER-OR-DIGEST]: with arguments only that one, over so much data. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
EVP_CIPHER *EVP_CIPHER_fetch(void *, const char *, const char *);
void EVP_CIPHER_free(EVP_CIPHER *);
int EVP_CIPHER_get_key_length(const EVP_CIPHER *);
int EVP_CIPHER_get_iv_length(const EVP_CIPHER *);
int EVP_CIPHER_get_block_size(const EVP_CIPHER *);
EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void);
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *);
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *, int, int, void *);
void EVP_CIPHER_CTX_set_flags(EVP_CIPHER_CTX *, int);
int EVP_CipherInit_ex(EVP_CIPHER_CTX *, const EVP_CIPHER *, void *, const unsigned char *, const unsigned char *, int);
int EVP_CipherUpdate(EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int);
int EVP_CipherFinal_ex(EVP_CIPHER_CTX *, unsigned char *, int *);
EVP_MD *EVP_MD_fetch(void *, const char *, const char *);
void EVP_MD_free(EVP_MD *);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *);
int EVP_DigestInit_ex(EVP_MD_CTX *, const EVP_MD *, void *);
int EVP_DigestUpdate(EVP_MD_CTX *, const void *, size_t);
int EVP_DigestFinal_ex(EVP_MD_CTX *, unsigned char *, unsigned *);
int EVP_DigestFinalXOF(EVP_MD_CTX *, unsigned char *, size_t);
unsigned char *EVP_Q_mac(void *, const char *, const char *, const char *, const void *, const void *, size_t,
                         const unsigned char *, size_t, unsigned char *, size_t, size_t *);

typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
EVP_PKEY *EVP_PKEY_new_raw_private_key_ex(void *, const char *, const char *, const unsigned char *, size_t);
EVP_PKEY *EVP_PKEY_Q_keygen(void *, const char *, const char *, ...);
int EVP_PKEY_get_raw_public_key(const EVP_PKEY *, unsigned char *, size_t *);
void EVP_PKEY_free(EVP_PKEY *);
int EVP_DigestSignInit_ex(EVP_MD_CTX *, void *, const char *, void *, const char *, EVP_PKEY *, const void *);
int EVP_DigestSign(EVP_MD_CTX *, unsigned char *, size_t *, const unsigned char *, size_t);
int EVP_DigestVerifyInit_ex(EVP_MD_CTX *, void *, const char *, void *, const char *, EVP_PKEY *, const void *);
int EVP_DigestVerify(EVP_MD_CTX *, const unsigned char *, size_t, const unsigned char *, size_t);
EVP_PKEY_CTX *EVP_PKEY_CTX_new(EVP_PKEY *, void *);
void EVP_PKEY_CTX_free(EVP_PKEY_CTX *);
int EVP_PKEY_derive_init(EVP_PKEY_CTX *);
int EVP_PKEY_derive_set_peer(EVP_PKEY_CTX *, EVP_PKEY *);
int EVP_PKEY_derive(EVP_PKEY_CTX *, unsigned char *, size_t *);

#define GET_TAG 16
#define SET_TAG 17
#define MOST    70000

enum kind { PLAIN, WHOLE, WRAP, AEAD, CCM };
static const struct {
    const char *name;
    enum kind kind;
} ciphers[] = {
    {"AES-128-ECB", PLAIN},  {"AES-192-ECB", PLAIN},  {"AES-256-ECB", PLAIN},      {"AES-128-CBC", PLAIN},
    {"AES-192-CBC", PLAIN},  {"AES-256-CBC", PLAIN},  {"AES-128-CFB", PLAIN},      {"AES-192-CFB", PLAIN},
    {"AES-256-CFB", PLAIN},  {"AES-128-CFB8", PLAIN}, {"AES-256-CFB8", PLAIN},     {"AES-128-OFB", PLAIN},
    {"AES-192-OFB", PLAIN},  {"AES-256-OFB", PLAIN},  {"AES-128-CTR", PLAIN},      {"AES-192-CTR", PLAIN},
    {"AES-256-CTR", PLAIN},  {"AES-128-XTS", WHOLE},  {"AES-256-XTS", WHOLE},      {"AES-128-GCM", AEAD},
    {"AES-192-GCM", AEAD},   {"AES-256-GCM", AEAD},   {"AES-128-CCM", CCM},        {"AES-192-CCM", CCM},
    {"AES-256-CCM", CCM},    {"AES-128-OCB", AEAD},   {"AES-256-WRAP", WRAP},      {"DES-EDE3-ECB", PLAIN},
    {"DES-EDE3-CBC", PLAIN}, {"DES-EDE3-CFB", PLAIN}, {"DES-EDE3-OFB", PLAIN},     {"CAMELLIA-256-CBC", PLAIN},
    {"ARIA-128-CTR", PLAIN}, {"CHACHA20", PLAIN},     {"CHACHA20-POLY1305", AEAD}, {NULL, PLAIN},
};
static const char *const digests[] = {
    "SHA1",         "SHA2-224", "SHA2-256", "SHA2-384",    "SHA2-512",    "SHA2-512/224",
    "SHA2-512/256", "SHA3-224", "SHA3-256", "SHA3-384",    "SHA3-512",    "SHAKE-128",
    "SHAKE-256",    "MD5",      "SM3",      "BLAKE2B-512", "BLAKE2S-256", NULL,
};
static const struct {
    const char *name, *with;
    unsigned key;
} macs[] = {
    {"HMAC", "SHA1", 20},        {"HMAC", "SHA2-256", 64},    {"HMAC", "SHA2-512", 150},   {"HMAC", "SHA3-256", 32},
    {"CMAC", "AES-128-CBC", 16}, {"CMAC", "AES-192-CBC", 24}, {"CMAC", "AES-256-CBC", 32}, {"CMAC", "DES-EDE3-CBC", 24},
    {"KMAC-128", NULL, 32},      {"KMAC-256", NULL, 32},      {"POLY1305", NULL, 32},      {NULL, NULL, 0},
};
static const unsigned lengths[] = {0,  1,  2,   7,   8,   15,  16,  17,  24,   31,   32,   33,   63,
                                   64, 65, 127, 128, 129, 255, 256, 257, 1000, 4095, 4096, 4113, 20005};

struct work {
    uint64_t sum, seed; /* FNV-1a of all results; random numbers */
    unsigned char key[256], iv[16], tag[16];
    unsigned char *in, *out, *back;
};

static void die(const char *name, const char *what)
{
    printf("%s: %s\n", name, what);
    exit(1);
}
static void add(struct work *w, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        w->sum = (w->sum ^ bytes[i]) * 0x100000001B3u;
}
static unsigned draw(struct work *w, unsigned below)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 7;
    w->seed ^= w->seed << 17;
    return (unsigned)(w->seed >> 11) % below;
}
static void begin(struct work *w)
{
    w->sum = 0xCBF29CE484222325u;
    w->seed = 88172645463325252u;
    for (unsigned i = 0; i < sizeof w->key; i++)
        w->key[i] = (unsigned char)draw(w, 256);
    memset(w->iv, 0xFF, sizeof w->iv); /* counters carry at once */
    w->iv[0] = 0x12;
    w->iv[7] = 0xFE;
    for (unsigned i = 0; i < MOST; i++)
        w->in[i] = (unsigned char)draw(w, 256);
}

/* `length` bytes in pieces (all at once with `whole`); returns how many came out. */
static int pieces(struct work *w, EVP_CIPHER_CTX *c, unsigned char *out, const unsigned char *in, int length, int whole)
{
    int done = 0, got = 0, n;
    while (done < length || (whole && !length)) {
        int part = length - done;
        if (!whole && part > 1)
            part = 1 + (int)draw(w, draw(w, 2) ? 40u : (unsigned)part);
        if (part > length - done)
            part = length - done;
        if (!EVP_CipherUpdate(c, out + got, &n, in + done, part))
            return -1;
        done += part;
        got += n;
        if (whole)
            break;
    }
    return got;
}

/* Keys, vector, tag and associated data for the next message. */
static EVP_CIPHER_CTX *prepare(struct work *w, const char *name, const EVP_CIPHER *cipher, enum kind kind, int enc,
                               int length, int associated)
{
    static const unsigned char more[64] = "associated data, which are authenticated but not enciphered";
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int n;
    if (kind == WRAP)
        EVP_CIPHER_CTX_set_flags(c, 1);
    if (!EVP_CipherInit_ex(c, cipher, NULL, NULL, NULL, enc))
        die(name, "no start");
    if (kind == CCM)
        EVP_CIPHER_CTX_ctrl(c, SET_TAG, 16, enc ? NULL : w->tag);
    if (kind == AEAD && !enc)
        EVP_CIPHER_CTX_ctrl(c, SET_TAG, 16, w->tag);
    if (!EVP_CipherInit_ex(c, NULL, NULL, w->key, w->iv, enc))
        die(name, "no key");
    if (kind == CCM && !EVP_CipherUpdate(c, NULL, &n, NULL, length))
        die(name, "no length");
    if (kind >= AEAD && associated && !EVP_CipherUpdate(c, NULL, &n, more, associated))
        die(name, "no associated data");
    return c;
}

/* How a message is handed over: all at once, in pieces, not aligned, in place. */
enum way { ONCE, PIECES, ODD, IN_PLACE, WAYS };

/* One message with one cipher, there and back. */
static void message(struct work *w, const char *name, const EVP_CIPHER *cipher, enum kind kind, int length,
                    enum way way)
{
    int associated = (int)draw(w, 64), whole = kind == WHOLE || kind == CCM || kind == WRAP || way == ONCE, n = 0;
    int odd = way == ODD ? 1 + (int)draw(w, 7) : 0; /* where in a doubleword the data are */
    unsigned char *in = w->in + odd, *out = w->out + odd, *back = way == IN_PLACE ? out : w->back;
    EVP_CIPHER_CTX *c = prepare(w, name, cipher, kind, 1, length, associated);
    if (way == IN_PLACE)
        memcpy(out, in, (size_t)length);
    int made = pieces(w, c, out, way == IN_PLACE ? out : in, length, whole);
    if (made < 0 || !EVP_CipherFinal_ex(c, out + made, &n))
        die(name, "does not encipher");
    made += n;
    add(w, out, (size_t)made);
    if (kind >= AEAD && !EVP_CIPHER_CTX_ctrl(c, GET_TAG, 16, w->tag))
        die(name, "no tag");
    if (kind >= AEAD)
        add(w, w->tag, 16);
    EVP_CIPHER_CTX_free(c);

    c = prepare(w, name, cipher, kind, 0, made, associated);
    int got = pieces(w, c, back, out, made, whole);
    n = 0;
    if (got < 0 || (kind != CCM && !EVP_CipherFinal_ex(c, back + got, &n)))
        die(name, "does not decipher");
    if (got + n != length || memcmp(back, in, (size_t)length))
        die(name, "other data come back");
    EVP_CIPHER_CTX_free(c);
    if (kind < AEAD || way != ONCE)
        return;

    w->tag[draw(w, 16)] ^= (unsigned char)(1u << draw(w, 8)); /* a wrong tag must be noticed */
    c = prepare(w, name, cipher, kind, 0, made, associated);
    got = pieces(w, c, back, out, made, whole);
    if (kind == CCM ? got >= 0 : EVP_CipherFinal_ex(c, back, &n))
        die(name, "a wrong tag goes unnoticed");
    EVP_CIPHER_CTX_free(c);
}

static void try_cipher(struct work *w, const char *name, enum kind kind)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    if (!cipher)
        die(name, "not there");
    begin(w);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (enum way way = ONCE; way < WAYS; way++) {
            unsigned length = lengths[i], block = (unsigned)EVP_CIPHER_get_block_size(cipher);
            if (kind == WHOLE && length < 16)
                continue;
            if (kind == CCM && length == 0)
                continue;
            if (kind == WRAP && (length % 8 || length < 16 || way == IN_PLACE))
                continue;
            if (way == IN_PLACE && block > 1)
                length -= length % block; /* padding, in pieces, goes over the edge */
            message(w, name, cipher, kind, (int)length, way == IN_PLACE && block > 1 ? ONCE : way);
        }
    printf("%s %016llx\n", name, (unsigned long long)w->sum);
    EVP_CIPHER_free(cipher);
}

static void try_digest(struct work *w, const char *name)
{
    EVP_MD *md = EVP_MD_fetch(NULL, name, NULL);
    unsigned char digest[1000];
    unsigned size;
    if (!md)
        die(name, "not there");
    begin(w);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (enum way way = ONCE; way <= ODD; way++) {
            EVP_MD_CTX *c = EVP_MD_CTX_new();
            unsigned char *in = w->in + (way == ODD ? 3 : 0);
            if (!EVP_DigestInit_ex(c, md, NULL))
                die(name, "no start");
            for (unsigned done = 0; done < lengths[i];) {
                unsigned part = way == ONCE ? lengths[i] : 1 + draw(w, draw(w, 2) ? 300 : lengths[i]);
                if (part > lengths[i] - done)
                    part = lengths[i] - done;
                EVP_DigestUpdate(c, in + done, part);
                done += part;
            }
            if (!strncmp(name, "SHAKE", 5)) {
                size = 1 + draw(w, sizeof digest);
                if (!EVP_DigestFinalXOF(c, digest, size))
                    die(name, "no end");
            } else if (!EVP_DigestFinal_ex(c, digest, &size)) {
                die(name, "no end");
            }
            add(w, digest, size);
            EVP_MD_CTX_free(c);
        }
    printf("%s %016llx\n", name, (unsigned long long)w->sum);
    EVP_MD_free(md);
}

static void try_mac(struct work *w, const char *name, const char *with, unsigned key)
{
    unsigned char mac[64];
    size_t size;
    begin(w);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (!EVP_Q_mac(NULL, name, NULL, with, NULL, w->key, key, w->in + i % 8, lengths[i], mac, sizeof mac, &size))
            die(name, "no code");
        add(w, mac, size);
    }
    printf("%s %s %016llx\n", name, with ? with : "-", (unsigned long long)w->sum);
}

/* Signs and verifies; what is changed is refused. `repeatable`: the signature is the same every time. */
static void sign(struct work *w, const char *name, EVP_PKEY *key, const char *digest, bool repeatable)
{
    unsigned char signature[200];
    for (unsigned i = 0; i < 4; i++) {
        size_t size = sizeof signature, length = 1 + draw(w, 3000);
        EVP_MD_CTX *c = EVP_MD_CTX_new();
        if (!EVP_DigestSignInit_ex(c, NULL, digest, NULL, NULL, key, NULL) ||
            !EVP_DigestSign(c, signature, &size, w->in, length))
            die(name, "does not sign");
        EVP_MD_CTX_free(c);
        if (repeatable)
            add(w, signature, size);
        for (unsigned changed = 0; changed < 3; changed++) {
            if (changed == 1)
                w->in[draw(w, (unsigned)length)] ^= 4;
            if (changed == 2)
                signature[size - 1 - draw(w, 20)] ^= 1;
            c = EVP_MD_CTX_new();
            if (!EVP_DigestVerifyInit_ex(c, NULL, digest, NULL, NULL, key, NULL))
                die(name, "cannot verify");
            if ((EVP_DigestVerify(c, signature, size, w->in, length) == 1) != !changed)
                die(name, changed ? "a change goes unnoticed" : "its signature is refused");
            EVP_MD_CTX_free(c);
        }
    }
}

/* The secret that two keys share. */
static void derive(struct work *w, const char *name, EVP_PKEY *key, EVP_PKEY *peer, bool repeatable)
{
    unsigned char secret[2][100];
    size_t size[2] = {100, 100};
    for (unsigned i = 0; i < 2; i++) {
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new(i ? peer : key, NULL);
        if (EVP_PKEY_derive_init(c) <= 0 || EVP_PKEY_derive_set_peer(c, i ? key : peer) <= 0 ||
            EVP_PKEY_derive(c, secret[i], &size[i]) <= 0)
            die(name, "no shared secret");
        EVP_PKEY_CTX_free(c);
    }
    if (size[0] != size[1] || memcmp(secret[0], secret[1], size[0]))
        die(name, "two secrets, not one");
    if (repeatable)
        add(w, secret[0], size[0]);
}

static void try_curve(struct work *w, const char *name, unsigned private_size)
{
    begin(w);
    for (unsigned i = 0; i < 3; i++) {
        EVP_PKEY *key[2];
        for (unsigned k = 0; k < 2; k++) {
            key[k] = private_size ? EVP_PKEY_new_raw_private_key_ex(NULL, name, NULL, w->key + 9 * i + k, private_size)
                                  : EVP_PKEY_Q_keygen(NULL, NULL, "EC", name);
            if (!key[k])
                die(name, "no key");
        }
        unsigned char public[64];
        size_t size = sizeof public;
        if (private_size && EVP_PKEY_get_raw_public_key(key[0], public, &size))
            add(w, public, size);
        if (name[0] == 'X' || !private_size)
            derive(w, name, key[0], key[1], private_size);
        if (name[0] != 'X')
            sign(w, name, key[0], private_size ? NULL : "SHA2-256", private_size);
        for (unsigned k = 0; k < 2; k++)
            EVP_PKEY_free(key[k]);
    }
    printf("%s %016llx\n", name, (unsigned long long)w->sum);
}

/* Only this cipher or digest, over so many megabytes: the sum, and how many nanoseconds it took. Where a clock goes by
   instructions, that tells who does the work. */
static void much(struct work *w, unsigned megabytes, const char *name)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_MD *md = cipher ? NULL : EVP_MD_fetch(NULL, name, NULL);
    unsigned char digest[64];
    unsigned size;
    int n;
    begin(w);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    EVP_MD_CTX *d = EVP_MD_CTX_new();
    if (cipher ? !EVP_CipherInit_ex(c, cipher, NULL, w->key, w->iv, 1) : !md || !EVP_DigestInit_ex(d, md, NULL))
        die(name, "no start");
    struct timespec first, last;
    clock_gettime(CLOCK_MONOTONIC, &first);
    for (unsigned i = 0; i < megabytes * 16; i++) {
        if (cipher ? !EVP_CipherUpdate(c, w->out, &n, w->in, 65536) : !EVP_DigestUpdate(d, w->in, 65536))
            die(name, "no data");
        if (cipher)
            add(w, w->out + i * 16 % 65536, 16);
    }
    if (!cipher && EVP_DigestFinal_ex(d, digest, &size))
        add(w, digest, size);
    clock_gettime(CLOCK_MONOTONIC, &last);
    printf("%s %016llx %lld\n", name, (unsigned long long)w->sum,
           (last.tv_sec - first.tv_sec) * 1000000000ll + last.tv_nsec - first.tv_nsec);
    EVP_CIPHER_CTX_free(c);
    EVP_MD_CTX_free(d);
    EVP_CIPHER_free(cipher);
    EVP_MD_free(md);
}

int main(int argc, char **argv)
{
    static unsigned char storage[3][MOST + 64];
    struct work w = {.in = storage[0], .out = storage[1], .back = storage[2]};
    if (argc == 3) {
        much(&w, (unsigned)atoi(argv[1]), argv[2]);
        return 0;
    }
    for (unsigned i = 0; ciphers[i].name; i++)
        try_cipher(&w, ciphers[i].name, ciphers[i].kind);
    for (unsigned i = 0; digests[i]; i++)
        try_digest(&w, digests[i]);
    for (unsigned i = 0; macs[i].name; i++)
        try_mac(&w, macs[i].name, macs[i].with, macs[i].key);
    static const struct {
        const char *name;
        unsigned size; /* of a private key, which is any string of so many bytes; 0: made by the library */
    } curves[] = {{"ED25519", 32}, {"ED448", 57}, {"X25519", 32},   {"X448", 56}, {"P-256", 0},
                  {"P-384", 0},    {"P-521", 0},  {"secp256k1", 0}, {NULL, 0}};
    for (unsigned i = 0; curves[i].name; i++)
        try_curve(&w, curves[i].name, curves[i].size);
    return 0;
}
