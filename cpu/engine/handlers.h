/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations of the block engine's handlers, from ops.def and beyond. */
#ifndef ZRI_CPU_ENGINE_HANDLERS_H
#define ZRI_CPU_ENGINE_HANDLERS_H

#include "cpu/engine/block.h"

#define OP(row, name, ...)     HANDLER(op_##name);
#define RXOP(row, name, after) HANDLER(op_##name);
#define SIOP(row, name, after) HANDLER(op_##name);
#define SHIFTOP(row, name, ...)                                                                                        \
    HANDLER(op_##name);                                                                                                \
    HANDLER(op_##name##_v);
#include "cpu/engine/ops.def"

/* Forms without index */
/* clang-format off */
#define WITHOUT_INDEX(V)                                                                                               \
    V(la) V(l) V(lg) V(lh) V(lgh) V(llh) V(llgh) V(lb) V(lgb) V(llc) V(llgc) V(ic) V(lgf) V(llgf) V(lt) V(ltg)         \
    V(ltgf) V(lrv) V(lrvg) V(lrvh) V(a) V(s) V(ah) V(sh) V(ag) V(sg) V(agf) V(sgf) V(al) V(alg) V(algf) V(sl) V(slg)   \
    V(slgf) V(ms) V(mh) V(msg) V(msgf) V(mlg) V(ml) V(c) V(ch) V(cg) V(cgf) V(cgh) V(cl) V(clg) V(clgf) V(n) V(o)      \
    V(x) V(ng) V(og) V(xg) V(st) V(stg) V(sth) V(stc) V(strv) V(strvg)
/* clang-format on */
#define DECLARE(name) HANDLER(op_##name##_b);
WITHOUT_INDEX(DECLARE)
#undef DECLARE

HANDLER(op_xr_zero);
HANDLER(op_xgr_zero);
HANDLER(op_risbg_z);
HANDLER(op_risbgn_z);
HANDLER(op_nop);
HANDLER(op_riemit);
HANDLER(op_bctr_zero);
HANDLER(op_bctgr_zero);
HANDLER(op_lm_w);
HANDLER(op_lmg_w);
HANDLER(op_stm_w);
HANDLER(op_stmg_w);
HANDLER(op_ex);
HANDLER(op_exrl);
HANDLER(op_ex_known);
HANDLER(op_exrl_known);
HANDLER(op_icm_8);
HANDLER(op_icm_16);
HANDLER(op_icm_24);
HANDLER(op_clm_8);
HANDLER(op_clm_16);
HANDLER(op_clm_24);
HANDLER(op_mvc_1);
HANDLER(op_mvc_2);
HANDLER(op_mvc_4);
HANDLER(op_mvc_8);
HANDLER(op_mvc_16);
HANDLER(op_xc_same);
HANDLER(op_clc_1);
HANDLER(op_clc_2);
HANDLER(op_clc_4);
HANDLER(op_clc_8);

/* Extended binary floating point (op_extended.c): 0, the body has to do it, or 1 more than the condition code */
/* clang-format off */
#define EXTENDED(V)                                                                                                    \
    V(axbr) V(sxbr) V(mxbr) V(dxbr) V(sqxbr) V(cxbr) V(ltxbr) V(lxdbr) V(ldxbr)                                        \
    V(waxb) V(wsxb) V(wmxb) V(wdxb) V(wsqxb) V(wcxb) V(wflld) V(wflrx)
/* clang-format on */
#define DECLARE(name) uint64_t extended_##name(struct cpu *cpu, const struct op *op);
EXTENDED(DECLARE)
#undef DECLARE
uint64_t extended_from_integer(struct cpu *cpu, const struct op *op, uint64_t v);

/* Bits 0-7 of the PSW become ones where `bits` has ones (op_mask.c). Returns what they were, with BLOCK_ENABLED; 0: the
   body has to do it. The budget stands as at the head of the block. */
#define BLOCK_ENABLED UINT64_C(0x100)
uint64_t block_enable(struct cpu *cpu, uint64_t bits);
/* They become `mask`. 0: the body has to do it. */
uint64_t block_set_mask(struct cpu *cpu, uint64_t mask);

/* The CPU timer and the TOD clock at the instruction of `op` (op_generic.c). The budget stands as at the head of its
   block. */
uint64_t block_timer(struct cpu *cpu, const struct op *op);
uint64_t block_tod(struct cpu *cpu, const struct op *op);
uint64_t block_tod_extended(struct cpu *cpu, const struct op *op, uint8_t bytes[16]); /* cpu_extended_tod() */

/* By the number of registers, 2-10 */
extern const handler block_lmg[11], block_stmg[11];

#endif
