/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: branches. A branch takes two operations, the second holding what is needed when it is
   taken. Each exists twice: plain, and for blocks that run while run-time instrumentation is active. PoP chapter 7. */
#include "cpu/engine/tuning.h"
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "ri/ri.h"

/* While RI is active it is told of every branch. As a rule the predictor knows the branch; where it does not, a
   handler of its own takes over, so that the usual way is free of calls. Those of indirect branches find the branch address
   in psw.ia. */
#define TOLD(taken, target) LIKELY(ri_branch_known(&cpu->ri, &BRANCH.site, &op->charge, taken, target))

static __attribute__((noinline, cold)) HANDLER(missed_taken)
{
    ri_branch_miss(cpu->ri, &BRANCH.site, op->charge, true, BRANCH.target);
    TAKE();
}
static __attribute__((noinline, cold)) HANDLER(missed_not_taken)
{
    ri_branch_miss(cpu->ri, &BRANCH.site, op->charge, false, BRANCH.target);
    NEXT(2);
}
static __attribute__((noinline, cold)) HANDLER(missed_indirect_taken)
{
    ri_branch_miss(cpu->ri, &BRANCH.site, op->charge, true, cpu->psw.ia);
    cpu->bear = BRANCH.site.own;
    kind = op->after == KIND_DYNAMIC ? kind : op->after;
    cpu->budget -= op->count + 1;
    TAIL op_find(ARGS);
}
static __attribute__((noinline, cold)) HANDLER(missed_indirect_not_taken)
{
    ri_branch_miss(cpu->ri, &BRANCH.site, op->charge, false, cpu->psw.ia);
    NEXT(2);
}

#define NO_RI(taken, target, missed)
#define WITH_RI(taken, target, missed)                                                                                 \
    if (!TOLD(taken, target))                                                                                          \
        TAIL missed(ARGS);
#define INDIRECT_RI(taken, target, missed)                                                                             \
    if (!TOLD(taken, target)) {                                                                                        \
        cpu->psw.ia = target;                                                                                          \
        TAIL missed(ARGS);                                                                                             \
    }

/* A relative branch: taken on `condition`, after `work`. */
#define BRANCH_IF(name, work, condition)                                                                               \
    BRANCH_FORM(op_##name, NO_RI, work, condition)                                                                     \
    BRANCH_FORM(op_##name##_ri, WITH_RI, work, condition)
#define BRANCH_FORM(name, RI, work, condition)                                                                         \
    HANDLER(name)                                                                                                      \
    {                                                                                                                  \
        work;                                                                                                          \
        if (condition) {                                                                                               \
            RI(true, BRANCH.target, missed_taken)                                                                      \
            TAKE();                                                                                                    \
        }                                                                                                              \
        RI(false, BRANCH.target, missed_not_taken)                                                                     \
        NEXT(2);                                                                                                       \
    }

#define R1 GR(op->r1)
#define R2 GR(op->r2)
#define R3 GR(op->r3)
#define W1 LOW(op->r1)
#define W2 LOW(op->r2)
#define S1 ((int64_t)(int32_t)LOW(op->r1))
#define S2 ((int64_t)(int32_t)LOW(op->r2))

/* BRANCH RELATIVE ON CONDITION for each kind of condition code and each mask */
#define BRC_MASKS(K, kindname, knd)                                                                                    \
    BRC(K, knd, 1) BRC(K, knd, 2) BRC(K, knd, 3) BRC(K, knd, 4) BRC(K, knd, 5) BRC(K, knd, 6) BRC(K, knd, 7)           \
    BRC(K, knd, 8) BRC(K, knd, 9) BRC(K, knd, 10) BRC(K, knd, 11) BRC(K, knd, 12) BRC(K, knd, 13) BRC(K, knd, 14)
#define BRC(K, knd, mask)                                                                                              \
    static BRANCH_FORM(brc_##K##_##mask, NO_RI, , cc_test(knd, mask, a, b))                                            \
    static BRANCH_FORM(brc_##K##_##mask##_ri, WITH_RI, , cc_test(knd, mask, a, b))
BRC_MASKS(cc, , KIND_CC)
BRC_MASKS(s, , KIND_S)
BRC_MASKS(u, , KIND_U)
BRC_MASKS(add32, , KIND_ADD32)
BRC_MASKS(add64, , KIND_ADD64)
BRC_MASKS(sub64, , KIND_SUB64)
BRC_MASKS(addl, , KIND_ADDL)
BRC_MASKS(subl, , KIND_SUBL)
BRC_MASKS(tm, , KIND_TM)
BRC_MASKS(tmx, , KIND_TMX)
BRANCH_IF(brc_any, , op->m >> (3 - cc_value((unsigned)kind, a, b)) & 1)

#define ROW_OF(K, e)                                                                                                   \
    {NULL,          brc_##K##_1##e,  brc_##K##_2##e,  brc_##K##_3##e,  brc_##K##_4##e,  brc_##K##_5##e,                \
     brc_##K##_6##e,  brc_##K##_7##e,  brc_##K##_8##e,  brc_##K##_9##e,  brc_##K##_10##e, brc_##K##_11##e,             \
     brc_##K##_12##e, brc_##K##_13##e, brc_##K##_14##e, NULL}
#define ROWS_OF(e)                                                                                                     \
    {ROW_OF(cc, e),   ROW_OF(s, e),    ROW_OF(u, e),  ROW_OF(add32, e), ROW_OF(add64, e),                              \
     ROW_OF(sub64, e), ROW_OF(addl, e), ROW_OF(subl, e), ROW_OF(tm, e), ROW_OF(tmx, e)}
#define EMPTY
const handler block_brc[2][KIND_COUNT][16] = {ROWS_OF(EMPTY), ROWS_OF(_ri)};

BRANCH_IF(jump, , true)
BRANCH_IF(link64, R1 = BRANCH.site.own + op->length, true)
BRANCH_IF(brct, W1 = W1 - 1, W1 != 0)
BRANCH_IF(brctg, R1 = R1 - 1, R1 != 0)

/* Register R3 is even: increment and comparand R3+1; odd: both R3. r2 is the comparand here. */
#define INDEX(name, relation)                                                                                          \
    BRANCH_IF(name, int32_t sum = (int32_t)(W1 + LOW(op->r3)); int32_t limit = (int32_t)W2; W1 = (uint32_t)sum,        \
              sum relation limit)                                                                                      \
    BRANCH_IF(name##g, int64_t sum = (int64_t)(R1 + R3); int64_t limit = (int64_t)R2; R1 = (uint64_t)sum,              \
              sum relation limit)
INDEX(brxle, <=)
INDEX(brxh, >)

/* COMPARE AND BRANCH RELATIVE: the seven masks of each */
#define COMPARE(name, knd, x, y)                                                                                       \
    CAB(name, knd, 1, x, y) CAB(name, knd, 2, x, y) CAB(name, knd, 3, x, y) CAB(name, knd, 4, x, y)                    \
    CAB(name, knd, 5, x, y) CAB(name, knd, 6, x, y)                                                                    \
    const handler block_##name[2][8] = {                                                                               \
        {NULL, name##_1, name##_2, name##_3, name##_4, name##_5, name##_6, op_jump},                                   \
        {NULL, name##_1_ri, name##_2_ri, name##_3_ri, name##_4_ri, name##_5_ri, name##_6_ri, op_jump_ri}};
#define CAB(name, knd, m, x, y)                                                                                        \
    static BRANCH_FORM(name##_##m, NO_RI, , cc_test(knd, 2 * m, (uint64_t)(x), (uint64_t)(y)))                         \
    static BRANCH_FORM(name##_##m##_ri, WITH_RI, , cc_test(knd, 2 * m, (uint64_t)(x), (uint64_t)(y)))
COMPARE(crj, KIND_S, S1, S2)
COMPARE(cgrj, KIND_S, R1, R2)
COMPARE(clrj, KIND_U, W1, W2)
COMPARE(clgrj, KIND_U, R1, R2)
COMPARE(cij, KIND_S, S1, (int64_t)op->d)
COMPARE(cgij, KIND_S, R1, (int64_t)op->d)
COMPARE(clij, KIND_U, W1, (uint64_t)(uint32_t)op->d)
COMPARE(clgij, KIND_U, R1, (uint64_t)(uint32_t)op->d)

/* Branches to an address in a register or by base and displacement, 64-bit mode */
#define INDIRECT(name, work, address, condition)                                                                       \
    INDIRECT_FORM(op_##name, NO_RI, work, address, condition)                                                          \
    INDIRECT_FORM(op_##name##_ri, INDIRECT_RI, work, address, condition)
#define INDIRECT_FORM(name, RI, work, address, condition)                                                              \
    HANDLER(name)                                                                                                      \
    {                                                                                                                  \
        uint64_t target = (address);                                                                                   \
        work;                                                                                                          \
        if (condition) {                                                                                               \
            RI(true, target, missed_indirect_taken)                                                                    \
            cpu->bear = BRANCH.site.own;                                                                                     \
            kind = op->after == KIND_DYNAMIC ? kind : op->after;                                                       \
            int64_t left = cpu->budget - op->count - 1;                                                                \
            cpu->budget = left;                                                                                        \
            struct block_cache *cache = cache_of(cpu);                                                                 \
            const struct jump *j = &cache->jumps[jump_slot(target)];                                                   \
            if (LIKELY(j->ia == target && j->key == cache->key && left >= j->block->count)) {                          \
                op = j->block->ops;                                                                                    \
                GO();                                                                                                  \
            }                                                                                                          \
            cpu->psw.ia = target;                                                                                      \
            TAIL op_find(ARGS);                                                                                        \
        }                                                                                                              \
        RI(false, target, missed_indirect_not_taken)                                                                   \
        NEXT(2);                                                                                                       \
    }
INDIRECT(br, , R2, true)
INDIRECT(bcr, , R2, op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1)
INDIRECT(basr, R1 = BRANCH.site.own + op->length, R2, true)
INDIRECT(bc, , R2 + R3 + (uint64_t)(int64_t)op->d, op->m >> (3 - cc_value(op_kind(op, kind), a, b)) & 1)
INDIRECT(b, , R2 + R3 + (uint64_t)(int64_t)op->d, true)
INDIRECT(bct, W1 = W1 - 1, R2 + R3 + (uint64_t)(int64_t)op->d, W1 != 0)
INDIRECT(bctr, W1 = W1 - 1, R2, W1 != 0)
INDIRECT(bctgr, R1 = R1 - 1, R2, R1 != 0)
