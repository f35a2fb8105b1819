/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point registers as numbers of the host, for the handlers of cpu/engine only; cpu/exec/float/host.h has the
   conditions. */
#ifndef ZRI_CPU_ENGINE_OP_FLOAT_H
#define ZRI_CPU_ENGINE_OP_FLOAT_H

#include "cpu/engine/block.h"
#include "cpu/exec/float/host.h"

/* Registers */
#define L1 (cpu->vr[op->r1].hi)
#define L2 (cpu->vr[op->r2].hi)
#define L3 (cpu->vr[op->r3].hi)
/* The leftmost 32 bits of a register */
#define SHORT(n) (*(uint32_t *)(void *)((uint8_t *)&cpu->vr[n].hi + (4 - LOW_HALF)))
#define S1       SHORT(op->r1)
#define S2       SHORT(op->r2)

#define EA_X                (GR(op->r2) + GR(op->r3) + (uint64_t)(int64_t)op->d)
#define IN_PAGE(tag, ea, n) LIKELY((tag) == (((ea) + (n)-1) & PAGE_ADDRESS))

/* Operands x, y; r the result. `fits` bounds r; `inexact` finds out for the first inexact result whether it is one:
   0 no, 1 yes, UNKNOWN the body shall tell. */
#define UNKNOWN 2
/* The flag for the first inexact result, or the body. */
#define FIRST_INEXACT(inexact)                                                                                         \
    if (UNLIKELY(!float_steady(cpu))) {                                                                                \
        const unsigned is = float_calm(cpu) ? (inexact) : UNKNOWN;                                                     \
        if (is == UNKNOWN)                                                                                             \
            TAIL op_redo(ARGS);                                                                                        \
        cpu->fpc |= is ? FPC_INEXACT : 0;                                                                              \
    }
#define WORK(host, as, bits_of, type, to, first, second, expression, fits, inexact, ...)                               \
    const type xv = (first), yv = (second);                                                                            \
    const host x = as(xv), y = as(yv);                                                                                 \
    const host r = (expression);                                                                                       \
    const type rv = bits_of(r);                                                                                        \
    (void)x;                                                                                                           \
    if (UNLIKELY(!(fits)))                                                                                             \
        TAIL op_redo(ARGS);                                                                                            \
    FIRST_INEXACT(inexact)                                                                                             \
    to = rv;                                                                                                           \
    __VA_ARGS__;                                                                                                       \
    NEXT(1)
/* A product or quotient may be zero when the first operand (or either factor) is. */
#define ZERO_IF(zero) (r == 0 && (zero))
/* Tests that hold for ordinary long operands */
#define WITH_ORDINARY(test) (r == 0 ? 0u : long_ordinary(xv) && long_ordinary(yv) ? (unsigned)(test) : UNKNOWN)

#define COMPARISON(x, y)                                                                                               \
    if (UNLIKELY(__builtin_isunordered(x, y)))                                                                         \
        TAIL op_redo(ARGS);                                                                                            \
    a = (uint64_t)((x) < (y)) | (uint64_t)((x) > (y)) << 1;                                                            \
    NEXT(1)

/* Multiplication and addition rounded once: a function that may use the host's must be FUSED, and be called only where
   block_fused() is true. */
#if defined __x86_64__ && !defined __FMA__
#define FUSED __attribute__((target("fma")))
#else
#define FUSED
#endif

/* Leftmost elements of vectors: V1 from V2 and V3, and V4 in m; V1 is zero beside it. */
/* clang-format off */
#define VECTOR_SINGLE(V)                                                                                               \
    V(wadb) V(wsdb) V(wmdb) V(wddb) V(wsqdb) V(waeb) V(wseb) V(wmeeb) V(wdeb) V(wsqeb) V(wmadb) V(wmsdb) V(wmaeb)      \
    V(wmseb) V(waxb) V(wsxb) V(wmxb) V(wdxb) V(wsqxb) V(wcxb) V(wflld) V(wflrx)
/* clang-format on */
#define DECLARE(name) HANDLER(op_##name);
VECTOR_SINGLE(DECLARE)
#undef DECLARE

#endif
