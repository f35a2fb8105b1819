/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a block: which templates its instructions have, and what follows from that. Shared by the files of
   cpu/translate only. */
#ifndef ZRI_CPU_TRANSLATE_PLAN_H
#define ZRI_CPU_TRANSLATE_PLAN_H

#include "cpu/translate/emit/template.h"

/* ---- plan.c ----------------------------------------------------------------------------------------------------- */

/* What becomes of the instructions of a block. */
struct plan {
    unsigned count, good, edges;                          /* instructions: all, with a template; branches and the end */
    unsigned calls;                                       /* rows of instructions without template */
    const struct op *crossing;                            /* block_crossing() */
    const struct template *templates[BLOCK_INSTRUCTIONS]; /* NULL: none */
    struct dis_insn insns[BLOCK_INSTRUCTIONS];
};
void plan_make(struct plan *p, struct block *block);
/* Is the block short, and all that is known of where it leads that handlers carry that out? */
bool plan_alone(const struct plan *p, const struct cpu *cpu, struct block *block);
/* Where the condition code may be looked at: before each instruction, and behind the last. */
void plan_live(const struct plan *p, bool live[BLOCK_INSTRUCTIONS + 1]);
/* Blocks where this one leads to that have no code yet: whether the condition code is looked at there (block.cc_dead).
 */
void plan_ahead(const struct plan *p, const struct cpu *cpu, struct block *block, const uint8_t *outside);
/* The block stays with the handlers: op_resume is taken out. Nobody is in the block but at its head. */
void plan_give_up(const struct plan *p, struct block *block);

/* Blocks whose registers may be halved and moved */
enum shape {
    OTHER,
    LOOP,
    STRAIGHT, /* long, and left at its end alone */
};
/* *own becomes the address of the branch to itself when there is no other one. `all`: short blocks are straight, too.
 */
enum shape plan_shape(const struct plan *p, struct block *block, bool all, uint64_t *own);

/* ---- layouts.c --------------------------------------------------------------------------------------------------- */

void layouts_begin(struct translator *r);
/* Now that it is known how the block uses them: where its registers are in it (block.narrow). False: as outside. */
bool layout_choose(struct translation *t, enum shape shape);
/* The block has code: what goes on behind it may have the same. */
void layout_remember(struct translation *t);

/* ---- translate.c ------------------------------------------------------------------------------------------------ */

/* Make code of the block. When there is no room all blocks are dropped at the next dispatch. */
void translate(struct cpu *cpu, struct block_cache *cache, struct block *block);

/* ---- places.c --------------------------------------------------------------------------------------------------- */

/* Accesses that find their pages elsewhere are noted from now on; one was. */
void looks_begin(struct cpu *cpu);
void looked(struct cpu *cpu);
/* All blocks are gone. */
void looks_forget(struct translator *r);

/* ---- shares.c --------------------------------------------------------------------------------------------------- */

/* Which accesses have a test in common. */
void shares_plan(struct translation *t, const struct plan *p);
/* Behind the rest: instructions whose accesses have one, with one for each. */
void aparts_emit(struct translation *t, const struct plan *p);

/* ---- calls.c ---------------------------------------------------------------------------------------------------- */

/* Instruction `k`, the current one, has no template: its handler, and those of the ones behind it up to the next that
   has one, where back_emit() stands. */
void call_emit(struct translation *t, const struct plan *p, unsigned k);
void back_emit(struct translation *t, const struct plan *p, unsigned k);

/* ---- templates.c ------------------------------------------------------------------------------------------------ */

/* The one for an operation as the block engine has decoded it; NULL: its handler does it. */
const struct template *template_for(const struct op *op, const struct dis_insn *insn);
/* Instruction `k` is the current one; everything is ready for its template; which makes its code. */
void template_at(struct translation *t, const struct plan *p, unsigned k);
void template_prepare(struct translation *t, const struct template *template);
void template_emit(struct translation *t, const struct template *template);

#endif
