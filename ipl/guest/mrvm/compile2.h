/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the second compiler share: value.c has registers and values, operate.c operators, inline.c calls,
   compile2.c the rest. */
#ifndef MRVM_COMPILE2_H
#define MRVM_COMPILE2_H

#include "code.h"

#define TEMPORARIES 0x003eu /* registers 1 to 5 */
#define HOMES       0x23c0u /* 6 to 9, 13 */
#define STACK_MOST  40u
#define VARIABLES   64u
#define DEEPEST     4u
#define INLINE_MOST 24u /* bytecodes */
#define LATER       16u

enum kind { CONSTANT, REGISTER, VARIABLE, MEMORY };
struct value {
    u8 kind, reg;
    u16 place; /* variable, or place in the frame */
    s64 constant;
};

/* A local of the method or of one that is inlined: in a register, in the frame, or bound to a value that never changes.
 */
struct variable {
    u8 in_register, reg, bound;
    u16 place; /* in the frame; of one in a register, where it is kept over a call */
    struct value value;
};

/* A method whose bytecode is being compiled, at some depth of inlining. */
struct level {
    const struct method *m;
    u32 number, base; /* of its stack */
    u16 first;        /* variable of local 0 */
    s16v label[CODE_MOST];
    u32 end, result; /* label behind it, register of the result, 0: left on the stack */
    u16 live;        /* registers of variables that are in use outside */
};

/* The way of a guarded site when its guards fail, emitted behind the method. */
struct later {
    u32 label, back, site, arguments, slot, result, depth;
    u16 saved, saved_place[16];
    struct value argument[8];
};

struct making {
    struct code *c;
    u32 number, depth, levels, variables, places, laters;
    u16 used, live; /* registers: temporary ones that hold something, homes and bound ones that are to be kept */
    u8 pins[16];    /* values that are in a temporary register */
    u16 keep[16];   /* place in the frame where a live register is kept over a call */
    struct value stack[STACK_MOST];
    u16 stack_place[STACK_MOST];
    struct variable variable[VARIABLES];
    struct level level[DEEPEST];
    struct later later[LATER];
};

static inline void making_fail(struct making *k) { k->c->failed = 1; }
static inline s32 at(u32 place) { return 8 * (s32)place; }

/* value.c: places of the frame; a value is held while somebody has it, and then released. */
u32 new_place(struct making *k);
void hold(struct making *k, const struct value *v);
void release(struct making *k, const struct value *v);
u32 place_of(struct making *k, u32 depth);
/* The value at this depth of the stack, if it is in a register, goes into the frame; all; all of this method. */
void spill(struct making *k, u32 depth);
void flush(struct making *k);
void settle(struct making *k);
/* A free temporary register; the deepest values on the stack make room. */
u32 temporary(struct making *k);
void push(struct making *k, struct value v);
void push_register(struct making *k, u32 r);
void push_constant(struct making *k, s64 c);
struct value pop(struct making *k);
struct value pop_argument(struct making *k);
struct value resolved(const struct making *k, struct value v);
void load(struct making *k, u32 r, struct value v);
u32 in_register(struct making *k, struct value v, u32 *taken);
void give(struct making *k, u32 taken);
struct value owned(struct making *k, struct value v);
void detach(struct making *k, u32 variable);
u32 stores_to(const struct method *m, u32 local);
void weigh(const struct method *m, u32 weight[LOCALS]);
u32 free_home(const struct making *k);
void give_home(struct making *k, struct variable *x);

/* operate.c; `next` is the bytecode behind it. comparison() yields the bytes of it that it took too. */
void binary(struct making *k, u32 op, const u8 *next);
u32 comparison(struct making *k, u32 op, const u8 *next);

/* inline.c: a call, and what is behind the method for those that were inlined with guards. */
void call(struct making *k, const u8 *p, u32 bci);
void calls_later(struct making *k);
void helper_call(struct making *k, enum helper helper);

/* compile2.c: the bytecode of the innermost level. */
void compile_level(struct making *k);

#endif
