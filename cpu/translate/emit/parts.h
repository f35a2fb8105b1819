/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a translation in progress is made of. Shared by the files of cpu/translate and cpu/translate/emit only. */
#ifndef ZRI_CPU_TRANSLATE_EMIT_PARTS_H
#define ZRI_CPU_TRANSLATE_EMIT_PARTS_H

#include "cpu/engine/block.h"

/* Where a or b of the condition code is. */
enum place { IN_SLOT, CONSTANT, REGISTER, WORD_SIGNED, WORD_LOGICAL, REGISTER_LESS };
struct value {
    uint8_t place;    /* enum place */
    uint8_t reg;      /* guest register */
    uint8_t less;     /* REGISTER_LESS: what was added to it since, another register; NOWHERE: the constant */
    bool plus;        /* it was subtracted */
    uint8_t host;     /* the value is in this host register too, up to the next instruction; or NOWHERE */
    int64_t constant; /* when CONSTANT or REGISTER_LESS */
};
struct cc {
    struct value a, b;
};

/* Which vector register of the guest each of the host's has, see vectors.c */
struct vectors {
    uint8_t held[32];
};

/* Where an operation is left to its own handler: the code for that stands behind the rest. */
struct exit {
    uint8_t *from; /* end of the jump that leads there */
    struct op *op;
    struct cc cc;           /* before it */
    uint32_t split;         /* and registers that are halved */
    struct vectors vectors; /* and where those are */
};

/* A branch to another block. Its code is a jump to `stub` until it is linked. */
struct edge {
    struct edge *next, **place; /* of the edges that lead to the same block; what leads to this one */
    uint8_t *site;              /* where its code is written */
    uint8_t
        *correct;  /* where the budget is made right again, when it was not enough; ends with four bytes of operand */
    uint8_t *due;  /* end of a jump to `stub`, of a program that is profiled; NULL: there is none */
    uint8_t *stub; /* out of the code, to find the target */
    struct block *to; /* linked; NULL */
    uint64_t key;     /* cpu->block_key then */
    uint64_t jump;    /* of a target in another page: from cpu->jumps, where a look there finds it */
    uint8_t *other;   /* likewise: where it is looked for under another key */
    uint8_t *back;    /* end of the jump there that goes on when it is found */
    int32_t patience; /* so often, and the edge is linked under the other key */
    uint8_t *whole;   /* when registers are halved: out of the code, to make them whole and go on; ends with a jump */
    uint32_t split;   /* registers that are */
    bool loop;        /* its passes are noted behind the loop: linked only with its own block */
    bool light;       /* the condition code is put into its slots in the stub: for targets that do not look at it */
};
/* Bytes of its code: in the page of the branch, and in another one. */
enum { EDGE_NEAR = 18, EDGE_OTHER = 23 + EDGE_NEAR };

/* From RSP in code, where CODE_FRAME bytes are its own: */
#define PASS_AT      8  /* the second argument of a C function */
#define KEEP_AT      16 /* for one instruction's use */
#define CPU_KEPT_AT  24
#define SHARED_AT(n) (32 + 8 * (n)) /* for a block's */
#define CODE_FRAME   (24 + 8 * SHARES)

/* The taken edge of a conditional branch, behind the rest. */
struct far_edge {
    uint8_t *from[4]; /* NULL at the end: ends of jumps to there */
    struct op *op;
    struct cc cc;
    uint32_t split;
    struct vectors vectors;
};

/* What an instruction seldom does, behind the rest: the condition code is that before it, `to` is where it goes on. */
struct translation;
typedef void (*aside_function)(struct translation *t, unsigned how, const uint8_t *to);
struct aside {
    uint8_t *from, *to;
    struct op *op;
    struct dis_insn insn;
    struct cc cc;
    struct vectors vectors;
    aside_function emit;
    unsigned how;
};

/* A storage access whose page is not in the entry where it was expected: the context is looked into, behind the rest.
 */
struct elsewhere {
    uint8_t *from[2];  /* ends of jumps to there; NULL: none */
    uint8_t *to;       /* where it goes on, with the entry in RCX */
    struct exit *exit; /* when it is nowhere; NULL: code of the instruction that asks for the page alone */
    uint8_t number;    /* that instruction's */
    uint16_t length;
    bool wanders;     /* no page is expected: it is looked for each time, where the context has it */
    uint16_t place;   /* else: in `expected` of the context */
    bool store, miss; /* miss: for tests, it is taken to be nowhere */
};

/* A branch that was taken although RI's predictor has something else in its entry, behind the rest. */
struct went {
    uint8_t *from, *to; /* end of the jump that leads there; where code goes on */
    uint8_t *noted;     /* likewise, to note what is in RAX, or, of an indirect branch, in RCX */
    uint8_t *counted;   /* of passes of a loop: to note those that RAX has, with RDX; NULL: it is one branch */
    struct op *op;
    bool one; /* of passes: and one of which the budget does not know yet */
};

/* Where the handlers that were called come back to: the jump for those that come from elsewhere ends at `from`. */
struct back {
    uint8_t *from, *to;
};

/* One test of a page for what instructions access by the same base register, or base and index, see shares.c. */
#define SHARES 4u /* at a time, an even number: the stack is on a boundary of sixteen bytes where C functions begin */
struct share {
    int32_t low, high; /* displacements: of the first byte, and behind the last; both zero: there is none */
    uint8_t base;      /* the register, or 16: zero */
    uint8_t index;     /* a second one, or 16 */
    uint8_t slot;      /* where the host address of the first byte is on the stack */
    uint8_t last;      /* number of the instruction that uses it last */
    bool store;        /* stores are let through, else fetches alone */
};
/* What code relies on where an instruction begins. */
struct standing {
    struct cc cc;
    bool flags;
    uint16_t dirty;
    uint32_t split, vector_time, vector_used[32];
    struct vectors vectors;
};
/* Instructions that there is code of for each access alone, too, behind the rest. */
struct apart {
    uint8_t first, last;
    uint8_t *join; /* where that goes on */
    struct standing behind;
};

#endif
