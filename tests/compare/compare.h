/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of instructions with other machines: what the classes of comparison share.
   A case is a block of storage that says what goes in and has room for what comes out. A nucleus, made from the list of
   the case's parts, carries out one case after the other; the same image runs on zri's engines and on its peers. */
#ifndef ZRI_TESTS_COMPARE_COMPARE_H
#define ZRI_TESTS_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AT_PSW = 0xf00,      /* PSW that starts the case; behind it that of the end */
    AT_NUCLEUS = 0x1000, /* the loop that carries out the cases */
    AT_POINTER = 0x1f00, /* address of the current case, then address behind the last one */
    AT_CASES = 0x100000,
    STORAGE_SIZE = 64 << 20,
};

struct dis_insn;

enum compare_kind {
    COMPARE_GR,
    COMPARE_AR,
    COMPARE_CR,
    COMPARE_FR,
    COMPARE_VR,
    COMPARE_FPC,
    COMPARE_PSW,     /* in: the PSW that starts the case */
    COMPARE_CODE,    /* in: instructions, copied to `where` */
    COMPARE_MEMORY,  /* storage at `where` */
    COMPARE_OLD_PSW, /* out: SVC old PSW and program old PSW */
    COMPARE_CODES,   /* out: what an interruption stores at `where`; zero before the case */
    COMPARE_KEYS,    /* storage keys of the 4K-byte blocks from `where` on, a byte each */
};
#define COMPARE_NONE 0xffff

struct compare_part {
    uint8_t kind;     /* enum compare_kind */
    uint16_t in, out; /* offsets in the case; COMPARE_NONE: there is none */
    uint16_t bytes;
    uint32_t where; /* number of the first register, or an address */
};

/* A class of comparison. */
struct compare_class {
    const char *name;
    unsigned case_size;
    unsigned code;       /* offset in a case of the instructions */
    unsigned code_bytes; /* room for them */
    unsigned target;     /* offset of what EXRL carries out, when the first instruction is EXRL 0 */
    unsigned out, end;   /* offsets between which results are compared */
    const struct compare_part *parts;
    unsigned part_count;
    uint64_t nucleus_controls; /* control register 0 of the nucleus */
    uint64_t tables[2];        /* storage that a kept case needs besides: from, to */
    /* Fill in tables and cases (nucleus and low storage are there); `peer` is "qemu", "hercules" or "zri", `only` a
       mnemonic or NULL. What would end the peer is left out. */
    void (*make)(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only);
    /* Is the difference between our case and the peer's one of its known faults? */
    bool (*known)(const uint8_t *ours, const uint8_t *theirs, const char *peer);
    /* Registers (1 << number) that must stay as they are when a case is made simpler; NULL: those of addresses. */
    uint32_t (*needed)(const uint8_t *in);
};

extern const struct compare_class compare_regs, compare_mem, compare_binary, compare_hex, compare_vector,
    compare_control;

/* Random numbers by a state that the caller keeps. */
uint64_t compare_random(uint64_t *state);
unsigned compare_below(uint64_t *state, unsigned n);
/* The single instruction of a case, or the first of its sequence, decoded. Returns its row. */
uint16_t compare_insn(const struct compare_class *c, const uint8_t *in, struct dis_insn *insn);
/* Program-interruption code that came out, 0: none. */
unsigned compare_pic(const struct compare_class *c, const uint8_t *a);
/* A usable difference: something came out otherwise, and no known fault explains it. */
bool compare_differs(const struct compare_class *c, const uint8_t *ours, const uint8_t *theirs, const char *peer);
/* The part of a kind (the first), or NULL. */
const struct compare_part *compare_part_of(const struct compare_class *c, unsigned kind);

/* Put nucleus, new PSWs and the pointers for `cases` cases into an image of zeros. */
void compare_frame(const struct compare_class *c, uint8_t *image, unsigned cases);

/* A file of host memory; NULL: said why. Memory belongs to the caller and is as long as storage and an ELF head. */
uint8_t *compare_read(const char *name, size_t *size);
bool compare_write(const char *name, const uint8_t *bytes, size_t size);
/* Write an ELF image of `cases` cases whose storage begins with `image`. Returns 0, or 2: said why. */
int compare_write_image(const struct compare_class *c, const char *name, uint8_t *file, unsigned cases);
enum { COMPARE_ELF_HEAD = 0x1000 };

/* The commands that make a case simpler and keep it (shrink.c): arguments behind the command. Exit statuses. */
int compare_pick(const struct compare_class *c, char **arg);
int compare_vary(const struct compare_class *c, char **arg);
int compare_choose(const struct compare_class *c, char **arg);
int compare_keep(const struct compare_class *c, char **arg);

#endif
