/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block engine: decoded blocks of instructions, carried out by threaded handlers.

   A block holds the instructions from one address onwards, past conditional branches that are not taken, up to the
   first that always leaves. Each instruction (or pair) became one or two operations of 32 bytes with the address of its
   handler. A handler does its work and jumps to the next one: a tail call, so that the state of the run stays in host
   registers. Compilers that do not turn these calls into jumps (no optimization, sanitizers) get a loop instead.

   The condition code is kept as (kind, a, b) and worked out when asked for. Inside a block the kind is known when the
   block is decoded, so only the two values are carried. */
#ifndef ZRI_CPU_ENGINE_BLOCK_H
#define ZRI_CPU_ENGINE_BLOCK_H

#include "cpu/engine/internal.h"
#include "cpu/state/edges.h"
#include "cpu/storage/access.h"
#include "ri/ri.h"

/* Where tail calls are not turned into jumps. */
#if !defined BLOCK_LOOP && (!defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__)
#define BLOCK_LOOP 1
#endif

#define BLOCK_INSTRUCTIONS 63u  /* longest block: so many CPU_UNIT have place in a word */
#define BLOCK_CODE         384u /* bytes that a block may be decoded from */
#define BLOCK_SHORT        4u   /* longest in a page that is modified again and again */
#define BLOCK_OPS          200u /* operations of the longest block, the data of branches included */
#define BLOCK_NEVER        INT64_MAX
#define BLOCK_STUB         UINT64_MAX /* mode of a block that only links to another page */

/* How the condition code follows from a and b. */
enum kind {
    KIND_CC,    /* a itself */
    KIND_S,     /* comparison of signed a and b: 0 equal, 1 low, 2 high */
    KIND_U,     /* likewise unsigned; (0, result) for logical results */
    KIND_ADD32, /* exact sum or difference a of signed words: sign, or 3 when it does not fit */
    KIND_ADD64, /* sum of signed doublewords a + b */
    KIND_SUB64, /* difference a - b */
    KIND_ADDL,  /* logical sum b, first operand a (words zero-extended) */
    KIND_SUBL,  /* logical difference a - b */
    KIND_TM,    /* selected bits a of mask b: 0 all zeros, 3 all ones, 1 mixed */
    KIND_TMX,   /* likewise, mixed with the leftmost bit one: 2 */
    KIND_COUNT,
    KIND_DYNAMIC = 15, /* in an operation: not known when decoded; the run carries it */
};

struct op;
struct block;
struct edge;
struct block_cache;

#define OPERANDS struct cpu *cpu, struct op *op, uint64_t a, uint64_t b, uint64_t kind, struct tlb *tlb
#define ARGS     cpu, op, a, b, kind, tlb
typedef void (*handler)(OPERANDS);

/* One operation. Register numbers may be 16: always zero. */
struct op {
    handler run;
    uint8_t r1, r2, r3, m; /* registers; r2 and r3 are base and index of a storage operand; m: mask, length, count */
    union {
        int32_t d;      /* displacement or 32-bit immediate */
        int32_t passed; /* of a branch: what is added to the budget when it is taken, see block_passed() */
    };
    union {
        int64_t i;            /* immediate; of an indirect branch: displacement */
        struct block *target; /* of a relative branch: where it goes when taken */
        struct dis_insn *insn;
    };
    uint16_t offset; /* of the instruction in its page */
    uint8_t length;  /* of the instruction, bytes */
    uint8_t slot;    /* number of this operation in its block */
    uint8_t count;   /* instructions of the block before this one */
    uint8_t kind;    /* enum kind before this instruction */
    uint8_t after;   /* enum kind behind it */
    uint8_t cycles;  /* of the instructions of the block before this one */
};

/* The operation behind a branch holds what is needed only when it is taken, or when RI is active. */
struct op_branch {
    uint64_t own;      /* address of the branch: breaking-event address, base of the return address */
    uint64_t target;   /* branch address, when relative */
    struct edge *edge; /* translated: where code goes on when it is taken, of a relative one */
    uint16_t set;      /* its handlers in block_sets */
    uint16_t entry;    /* RI: of the predictor */
    uint8_t flags;     /* RI: enum ri_site_flag; edge profiles: the kind of the branch, and BLOCK_RELATIVE */
    uint8_t type;      /* RI: enum ri_type of its record */
};
#define BLOCK_RELATIVE 0x80u
/* Handlers of one kind of branch: with RI not active; with it, see op_branch.c; of a program that is profiled, near a
   sample. */
struct branch_set {
    handler plain, ask, taken, not_taken, edge;
};
enum {
    SET_BRC = 0,                             /* [kind][mask] */
    SET_BCR = SET_BRC + 16 * KIND_COUNT,     /* [kind][mask] */
    SET_COMPARE = SET_BCR + 16 * KIND_COUNT, /* [instruction][mask] */
    SET_BRC_ANY = SET_COMPARE + 8 * 8,
    SET_JUMP,
    SET_LINK,
    SET_BRCT,
    SET_BRCTG,
    SET_BRXLE,
    SET_BRXH,
    SET_BRXLG,
    SET_BRXHG,
    SET_BR,
    SET_BCR_ANY,
    SET_BASR,
    SET_BC,
    SET_B,
    SET_BCT,
    SET_BCTR,
    SET_BCTGR,
    SETS,
};
extern const struct branch_set block_sets[SETS];
_Static_assert(sizeof(struct op) == 32, "operations are 32 bytes");
_Static_assert(sizeof(struct op_branch) == sizeof(struct op), "branch data takes one operation");

struct block {
    int64_t need; /* budget it needs, in CPU_UNIT: its instructions and (MODE_FAR) branches; BLOCK_NEVER: dropped, or
                     none */
    uint64_t ia;  /* logical address of its first instruction */
    const uint8_t *code; /* where generated code goes on that comes from another block; in a line of the host's cache
                            with the above, as whoever looks for a block asks all three */
    uint64_t absolute;
    uint64_t mode;         /* block_mode() it was made for */
    struct block *next;    /* of the same hash bucket */
    struct block *in_page; /* of the same page */
    uint8_t *host;         /* of the page; threads: of what the block was decoded from */
    uint16_t end;          /* offset in the page behind its last instruction */
    uint16_t slots;        /* where bytes are that number the first operation of each instruction; from here */
    uint16_t branches;     /* MODE_FAR: likewise bytes that count the branches before each instruction and at the end */
    bool cc_dead;          /* translator: nobody looks at the condition code at its head */
    uint32_t narrow;       /* translated: see `body` */
    uint8_t tail;          /* operation behind its last instruction; 0: none */
    uint32_t heat;         /* translator: executions until it is translated; 0: it was, or never is */
    handler first;         /* of its first operation; in its place may stand the translator's */
    const uint8_t *body;   /* the same with registers in `narrow` halved, see cpu/translate/emit/internal.h */
    const uint8_t *again;  /* the same from its own end, see cpu/translate/emit/internal.h */
    struct edge *edges;    /* that lead here from translated blocks */
    struct op ops[];
};

/* Who makes host code of blocks, see cpu/translate: in place of the handlers of first operations, and of op_resume. */
struct block_translator {
    handler heat;           /* first of a block that may be translated */
    unsigned executions;    /* after which it is */
    unsigned branches;      /* are told from each other, see block_owner(); then all blocks are dropped */
    const uint8_t *outside; /* block->code of one that is not */
    bool (*ready)(const struct op *op, const struct dis_insn *insn);           /* has it host code for that? */
    void (*dropped)(struct block_translator *translator, struct block *block); /* nothing may go there any more */
    void (*forgotten)(struct block_translator *translator);                    /* all blocks are gone */
    void (*looked)(struct cpu *cpu);                                           /* cpu->looked is not NULL */
    void (*destroy)(struct block_translator *translator);
};

/* Blocks by address, for one mode and fetch context: where indirect branches look. Empty places hold a block that is
   none. */
#define JUMPS 32768u
struct jumps {
    uint64_t key, used;
    struct block *block[JUMPS];
};

/* Branches that are told from each other while RI is active; a power of 2. */
#define BLOCK_BRANCHES (UINT32_C(1) << 17)

/* Places of instructions whose bytes were changed: how often, by absolute address. */
#define VOLATILES 64u
/* So often, and it is decoded each time, until it was carried out so often without a change. */
#define VOLATILE_CHANGES 4u
#define VOLATILE_STEADY  2000u
struct volatile_place {
    uint64_t at; /* plus one; 0: none */
    uint64_t changes;
};

/* Sample instructions that are kept decoded. */
#define BLOCK_SAMPLED 64u

#define TABLES      8u
#define BUCKETS     131072u
#define ARENA       (UINT64_C(256) << 20)
#define ARENA_SMALL (UINT64_C(2) << 20) /* so much of it is no large page of the host */

/* A place among the branches noted: behind which note, how many of its branches are behind that, newest first, and
   behind which record. */
struct block_notes {
    uint64_t note, passed, record;
};
/* What is beside the operation's address in a note: it was not well behaved; it is the branch of a loop to itself, and
   in the place of its target is what the passes took of the budget. Of these only the first may be ill behaved. */
#define BLOCK_NOTE   UINT64_C(3)
#define BLOCK_ILL    UINT64_C(1)
#define BLOCK_PASSES UINT64_C(2)

struct block_cache {
    uint8_t *storage; /* absolute address 0 */
    uint64_t mode;    /* current block_mode() */
    struct jumps tables[TABLES];
    struct jumps *table, *table_before;  /* the current one, and that before it */
    struct block_translator *translator; /* NULL: blocks are carried out by handlers */
    uint64_t clock;                      /* for their replacement */
    struct volatile_place places[VOLATILES];
    struct op *owner[RI_PREDICTOR]; /* branches that own an entry of the predictor, see op_branch.c */
    uint64_t owned[RI_PREDICTOR / 64];
    uint32_t branches[BLOCK_BRANCHES]; /* with a translator: operations that stand for branches, see block_owner() */
    unsigned branch_count;
    struct block *buckets[BUCKETS];
    struct block **pages; /* by page frame: blocks made from it */
    uint64_t page_count;
    uint8_t *arena;
    uint64_t used;
    struct op *stop; /* the operation whose handler is op_stop now, and its own one; NULL: none */
    handler stop_run;
    struct block *next; /* the run was left before it, because it is longer than what is left of the budget; or NULL */
    struct op *stopped; /* the run was left by op_stop before this instruction; else NULL */
    struct dis_insn sampled[BLOCK_SAMPLED]; /* sample instructions, decoded, by their places in the page */
    struct op *resume;   /* the next instruction is this one in the middle of its block; NULL: not known */
    uint64_t resume_key; /* cpu->block_key then */
    /* Branches that are noted and have their places in ri/, but have become no records yet: so many, up to here. */
    uint64_t late;
    struct block_notes late_from;
    uint64_t collected; /* those up to here have their places in ri/ */
    bool purge;         /* dropped as a whole at the next dispatch */
    bool around;        /* interruptions, state or mode must be looked at */
    bool step;          /* the next instruction is the reference engine's */
    int64_t ri_place;   /* block_place() and cycles of this run up to which RI units (modes 1 and 0) were charged */
    uint64_t ri_cycles;
    uint64_t uncounted; /* cycles of the instruction that the run ended with when it did not complete; else 0 */
#ifdef BLOCK_LOOP
    struct op *op; /* the run between two handlers */
    uint64_t a, b, kind;
    struct tlb *tlb;
#endif
    struct block none; /* target of branches that are not linked yet; last, as it ends in an open array */
};

static inline struct block_cache *cache_of(struct cpu *cpu) { return cpu->engine->blocks; }

static inline struct block *block_of(struct op *op)
{
    return (struct block *)(void *)((uint8_t *)(op - op->slot) - offsetof(struct block, ops));
}

/* First operation of instruction `n` of the block. */
static inline struct op *block_op(struct block *block, uint64_t n)
{
    return &block->ops[((const uint8_t *)block)[block->slots + n]];
}

/* Its instructions. */
static inline unsigned block_count(const struct block *block) { return block->branches - (unsigned)block->slots; }

static inline uint64_t op_ia(struct op *op) { return (block_of(op)->ia & PAGE_ADDRESS) | op->offset; }

/* Few host registers are free where this is worked out. */
static inline unsigned jump_slot(uint64_t ia) { return (unsigned)(ia >> 1) % JUMPS; }

/* Values a and b of which condition code cc follows in `kind`. */
void block_cc_operands(unsigned kind, unsigned cc, uint64_t *a, uint64_t *b);

/* The condition code. */
static inline unsigned cc_value(unsigned kind, uint64_t a, uint64_t b)
{
    int64_t s;
    switch (kind) {
    case KIND_S:
        return a == b ? 0 : (int64_t)a < (int64_t)b ? 1 : 2;
    case KIND_U:
        return a == b ? 0 : a < b ? 1 : 2;
    case KIND_ADD32:
        return (int64_t)a != (int32_t)a ? 3 : (int64_t)a == 0 ? 0 : (int64_t)a < 0 ? 1 : 2;
    case KIND_ADD64:
        return __builtin_add_overflow((int64_t)a, (int64_t)b, &s) ? 3 : s == 0 ? 0 : s < 0 ? 1 : 2;
    case KIND_SUB64:
        return __builtin_sub_overflow((int64_t)a, (int64_t)b, &s) ? 3 : s == 0 ? 0 : s < 0 ? 1 : 2;
    case KIND_ADDL:
        return (b != 0) | (unsigned)(b < a) << 1;
    case KIND_SUBL:
        return a == b ? 2 : a < b ? 1 : 3;
    case KIND_TM:
        return a == 0 ? 0 : a == b ? 3 : 1;
    case KIND_TMX:
        return a == 0 ? 0 : a == b ? 3 : (a ^ b) < a ? 2 : 1;
    default:
        return (unsigned)a;
    }
}

/* Does condition code (kind, a, b) select a one of the mask? With constants the compiler keeps one comparison. */
static ALWAYS_INLINE bool cc_test(unsigned kind, unsigned mask, uint64_t a, uint64_t b)
{
    unsigned m = mask >> 1;
    if (mask == 15 || mask == 0)
        return mask;
    if (kind == KIND_S || kind == KIND_U) {
        bool low = kind == KIND_S ? (int64_t)a < (int64_t)b : a < b;
        bool high = kind == KIND_S ? (int64_t)a > (int64_t)b : a > b;
        return m == 7   ? true
               : m == 4 ? a == b
               : m == 2 ? low
               : m == 1 ? high
               : m == 6 ? !high
               : m == 5 ? !low
                        : m == 3 && a != b;
    }
    if (kind == KIND_ADD32 && (mask == 8 || mask == 7))
        return mask == 8 ? a == 0 : a != 0;
    if (kind == KIND_ADDL) {
        if (mask == 10 || mask == 5)
            return mask == 10 ? b == 0 : b != 0;
        if (mask == 12 || mask == 3)
            return mask == 3 ? b < a : b >= a;
    }
    if (kind == KIND_SUBL) {
        if (mask == 4 || mask == 11)
            return mask == 4 ? a < b : a >= b;
        if (mask == 2 || mask == 13)
            return mask == 2 ? a == b : a != b;
    }
    if (kind == KIND_TM || kind == KIND_TMX) {
        if (mask == 8 || mask == 7)
            return mask == 8 ? a == 0 : a != 0;
        if (mask == 1 || mask == 14)
            return mask == 1 ? a == b && a != 0 : a != b || a == 0;
    }
    return mask >> (3 - cc_value(kind, a, b)) & 1;
}

static inline unsigned op_kind(const struct op *op, uint64_t kind)
{
    return op->kind == KIND_DYNAMIC ? (unsigned)kind : op->kind;
}

/* ---- what handlers end with ------------------------------------------------------------------------------------ */

#ifdef __clang__
#define TAIL __attribute__((musttail)) return
#else
#define TAIL return
#endif

#ifdef BLOCK_LOOP
#define GO()                                                                                                           \
    do {                                                                                                               \
        struct block_cache *cache_ = cache_of(cpu);                                                                    \
        cache_->op = op;                                                                                               \
        cache_->a = a;                                                                                                 \
        cache_->b = b;                                                                                                 \
        cache_->kind = kind;                                                                                           \
        cache_->tlb = tlb;                                                                                             \
        return;                                                                                                        \
    } while (0)
#define LEAVE_RUN()                                                                                                    \
    do {                                                                                                               \
        cache_of(cpu)->op = NULL;                                                                                      \
        return;                                                                                                        \
    } while (0)
#else
#define GO()        TAIL op->run(ARGS)
#define LEAVE_RUN() return
#endif
/* Go on with the operation n places behind. */
#define NEXT(n)                                                                                                        \
    do {                                                                                                               \
        op += (n);                                                                                                     \
        GO();                                                                                                          \
    } while (0)

/* Two handlers that do the same stay two: the other one would be reached by a jump. */
#ifdef __clang__
#define HANDLER(name) void name(OPERANDS)
#else
#define HANDLER(name) __attribute__((no_icf)) void name(OPERANDS)
#endif
/* A handler that another one goes on to when its fast path does not hold: were it inlined there, the fast path would
   save registers for it. */
#define SLOW_HANDLER(name) static __attribute__((noinline)) HANDLER(name)
#define UNUSED_OPERANDS()  (void)cpu, (void)op, (void)a, (void)b, (void)kind, (void)tlb

#define GR(n)  (((uint64_t *)(void *)cpu)[n])
#define LOW(n) (*(uint32_t *)(void *)((uint8_t *)cpu + 8 * (size_t)(n) + LOW_HALF))
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW_HALF 0
#else
#define LOW_HALF 4
#endif
_Static_assert(offsetof(struct cpu, gr) == 0, "operations name registers from the start of the CPU");

#define BRANCH (*(struct op_branch *)(void *)(op + 1))

/* The compiler leaves this value in the register that it was made in. Otherwise gcc moves others for it, and short
   loops whose code changes take a fifth more time. */
#define ONE_REGISTER(value) __asm__("" : "+r"(value))

/* A branch of this block is taken: account the instructions, go to the target if it is there and may run. */
#define TAKE()                                                                                                         \
    do {                                                                                                               \
        cpu->bear = BRANCH.own;                                                                                        \
        RI_FEW_REGISTERS();                                                                                            \
        int64_t left_ = cpu->budget + op->passed;                                                                      \
        ONE_REGISTER(left_);                                                                                           \
        cpu->budget = left_;                                                                                           \
        kind = op->after == KIND_DYNAMIC ? kind : op->after;                                                           \
        RI_FEW_REGISTERS();                                                                                            \
        struct block *target_ = op->target;                                                                            \
        if (LIKELY(left_ >= target_->need)) {                                                                          \
            op = target_->ops;                                                                                         \
            GO();                                                                                                      \
        }                                                                                                              \
        TAIL op_link(ARGS);                                                                                            \
    } while (0)

/* Goes down by one with each instruction, whatever its work. */
static inline int64_t block_place(const struct cpu *cpu) { return cpu_left(cpu) + (int64_t)cpu->work; }
/* What is added to the budget when so many instructions were carried out, with so many cycles. */
static inline int32_t block_passed(unsigned instructions, unsigned cycles)
{
    return (int32_t)((int64_t)cycles - (int64_t)instructions * CPU_UNIT);
}
/* ... and in MODE_FAR, in addition, when so many branches have completed. */
static inline int32_t block_counted(unsigned branches)
{
    return (int32_t)branches * (int32_t)(CPU_FAR - CPU_FAR_WEIGHT * CPU_UNIT);
}

/* ---- shared handlers ------------------------------------------------------------------------------------------- */

HANDLER(op_link);        /* a taken branch without a target that may run: find it, or leave the run */
HANDLER(op_generic);     /* any instruction, by its body */
HANDLER(op_generic_end); /* the same for the last of a block */
HANDLER(op_redo);        /* the instruction of this operation, decoded anew, by its body: slow paths */
HANDLER(op_redo_mode);   /* likewise one that may change the mode */
HANDLER(op_fall);        /* end of a block: on to the next address */
HANDLER(op_executed);    /* EX and EXRL by their bodies */
HANDLER(op_volatile);    /* an instruction that changes often, decoded each time */
HANDLER(op_find);        /* go on at psw.ia; budget and kind are right */
HANDLER(op_again);       /* behind an instruction that ended the run, unless block_goes_on() */
HANDLER(op_crossing);    /* an instruction in two pages, by its body: the only one of its block */
/* While a program is profiled: may an instruction in two pages be carried out as that, as nothing is told of it? Its
   second page, at an absolute address, is marked. Threads: false, too, when the CPU must be alone first. */
bool block_edges_crossing(struct cpu *cpu, const struct dis_insn *insn, uint64_t absolute) MUST_USE;
HANDLER(op_step);        /* leave the next instruction to the reference engine */
HANDLER(op_stop);        /* leave the run: the budget is used up */
HANDLER(op_vector_body); /* one on vectors, by its body; it has nothing to do with the condition code */
HANDLER(op_ri_end);      /* op_generic_end for instructions that may end RI or its interval */
HANDLER(op_resume);      /* behind an operation that the translator does not know: code goes on here */
HANDLER(op_edges);       /* a branch was not taken, and a look at what was collected is due */
HANDLER(op_turn);  /* behind a branch, the run is over, unless it is only to be noted in another way from here on */
HANDLER(op_fence); /* threads: serialization, before an instruction */
HANDLER(op_spin);  /* a loop that waits for other CPUs begins: after op->i passes the run is left */

/* The only instruction of a block that is in two pages, when the translator has code for what it was as the block was
   decoded: the operation behind those of it has its handler, and that instruction. op_crossing has those of the next
   one. NULL: it is another block. */
static inline struct op *block_crossing(struct block *block)
{
    return block->first == op_crossing && block->tail ? &block->ops[block->tail - 2] : NULL;
}

/* The instruction of `op` ends with `code` (not 0): PSW, condition code and budget as the reference engine has them,
   interruption. The run is left. */
void block_fault(OPERANDS, int code);
/* The run is left behind the instruction of `op`, which stored into code. */
void block_refetch(OPERANDS);

/* Behind an instruction that changed the mode or code, or was interrupted: a run that would begin at psw.ia is the rest
   of this one. False: it has to be left, as somebody else has to look first. */
bool block_goes_on(struct cpu *cpu);
/* Behind a branch, of a program that is profiled, where branches have to be counted that were collected, or the other
   way round: the same run goes on at psw.ia with that. NULL: it has to be left. */
struct op *block_turn(struct cpu *cpu);
/* The branches noted become records of ri/. Before anything that looks at them. */
void block_collect(struct cpu *cpu);
/* Likewise before a group is made, which is all that looks: what it cannot hold becomes records when somebody else
   looks, or never. */
void block_collect_group(struct cpu *cpu);
/* The branch of an operation completes (its address, plus one when it is taken), to `target`, when it is not relative.
   Yields `target`. */
uint64_t block_branch(struct cpu *cpu, uintptr_t branch, uint64_t target);
/* With a translator: what cpu->owners has of the branch of `op` when it was not taken last; one more: it was taken. It
   is the same for all operations that are the same branch. */
uint32_t block_owner(struct cpu *cpu, struct op *op);
/* With a translator: what the predictor learns is kept in cpu->owners from now on, see block_predictor_end(). */
void block_predictor_begin(struct cpu *cpu);
/* The owners of predictor entries that ri/ changed since the last run ask again. */
void block_disown_touched(struct cpu *cpu);
/* The instruction at the absolute address is decoded each time. */
static inline struct volatile_place *block_place_of(struct block_cache *cache, uint64_t absolute)
{
    return &cache->places[absolute / 2 % VOLATILES];
}
static inline bool block_volatile(struct block_cache *cache, uint64_t absolute)
{
    const struct volatile_place *place = block_place_of(cache, absolute);
    return place->at == absolute + 1 && place->changes >= VOLATILE_CHANGES;
}
/* The block of `op` is dropped: it is decoded anew when it is next looked for. */
void block_anew(struct cpu *cpu, struct op *op);
/* The same for a volatile instruction, which has not changed for long and becomes like others. */
void block_steady(struct cpu *cpu, struct op *op);
/* The same bytes as those that `insn` was decoded from? */
static inline bool block_same_instruction(const struct dis_insn *insn, const uint8_t *bytes)
{
    return insn->length && get16(insn->bytes) == get16(bytes) &&
           (insn->length < 4 || get16(insn->bytes + 2) == get16(bytes + 2)) &&
           (insn->length < 6 || get16(insn->bytes + 4) == get16(bytes + 4));
}
/* There is no room for more: everything is dropped at the next dispatch. Until then the run may go on in what there is,
   which is as right as before. */
static inline void block_full(struct block_cache *cache) { cache->purge = true; }
struct block *block_decode(struct cpu *cpu, struct block_cache *cache, uint64_t ia, uint64_t absolute);
/* May the run go on in another block? Else it is left there, as it is over, or is to go on in another mode. */
bool block_may_enter(struct cpu *cpu);
/* Its operations when the budget suffices for all of it; NULL: the run is left before it. */
struct op *block_whole(struct cpu *cpu, struct block *block);
/* The block at `ia` in the current mode, decoded when it is not there; NULL: the reference engine's turn. */
struct block *block_lookup(struct cpu *cpu, uint64_t ia);
/* What this run did so far is charged, or never is. */
static inline void block_charged(const struct cpu *cpu, struct block_cache *cache)
{
    cache->ri_place = block_place(cpu);
    cache->ri_cycles = cpu_run_cycles(cpu);
}
/* Charge RI, when it is active, for all that this run did since the last time. */
void block_charge_ri(struct cpu *cpu, struct block_cache *cache);
/* Has the host a multiplication and addition that rounds once? */
bool block_fused(void);
/* The target at `address` of an execute-type instruction, when it is one of those known in cpu/engine/op_execute.c and
   nothing stands in its way. Returns its condition code (`cc` when it leaves it), or UINT64_MAX: nothing was done. It
   takes BLOCK_TARGET_CYCLES. */
uint64_t block_target(struct cpu *cpu, uint64_t cc, uint64_t address, uint64_t r1);
#define BLOCK_TARGET_CYCLES 3
/* Likewise of a program that is profiled, for the operation at `op`: when its unit knows what is executed there. */
uint64_t block_target_known(struct cpu *cpu, uint64_t cc, uint64_t address, uint64_t op);
void *block_alloc(struct block_cache *cache, uint64_t size);

/* Mode of a block: everything that decoding looks at beside the bytes. */
enum {
    MODE_EA = 1,
    MODE_BA = 2,
    MODE_PROBLEM = 4,
    MODE_AR = 8,
    MODE_OVERFLOW = 16,
    MODE_RI = 32,
    MODE_RI_CYCLES = 64, /* and the five bits above: ri_block_key() */
    MODE_RI_SHIFT = 5,
    MODE_CYCLES = 0x1000, /* cycles are counted: for RI in mode 0, counter sets, the sampling facility */
    MODE_AFP = 0x2000,    /* AFP-register control and vector enablement: which registers cause data exceptions */
    MODE_VECTOR = 0x4000,
    MODE_EDGES = 0x8000, /* completed branches are collected for an edge profile */
    MODE_FAR = 0x10000,  /* and they are counted only, as they are far from a sample: with MODE_EDGES */
    MODE_BITS = 17,
};
uint64_t block_mode(const struct cpu *cpu);
/* The mode may have changed, or an interruption was taken: is there plainly nothing to look at, now or before the
   budget is used up? It may stand where the block begins. */
bool block_quiet(struct cpu *cpu);
/* Bits of the system mask that may go from one to zero with nobody to look: I/O and external. */
#define SYSTEM_MASK_QUIET 0x03u
/* Bits of the PSW that are ones in the home-space mode: control registers 1 and 7 designate no space in use then. */
#define BLOCK_HOME (PSW_DAT | PSW_AS)
/* LOAD CONTROL (64) of one of these alone */
static inline bool block_loads_space(const struct dis_insn *insn)
{
    return insn->row == DIS_LCTLG && insn->r1 == insn->r3 && (insn->r1 == 1 || insn->r1 == 7);
}
/* How a row becomes an operation. */
enum form {
    FORM_NONE,
    FORM_RR,     /* R1, R2 */
    FORM_RRR,    /* R1, R2, R3 */
    FORM_RI,     /* R1, I2 (also as i) */
    FORM_RRI,    /* R1, R3, I2 */
    FORM_SHIFT,  /* R1, D2(B2) */
    FORM_SHIFT3, /* R1, R3, D2(B2) */
    FORM_RX,     /* R1, D2(X2,B2); `other` is the form without index */
    FORM_RS,     /* R1, R3, D2(B2): r1, m = R3 */
    FORM_SI,     /* D1(B1), I2 */
    FORM_SS,     /* D1(L,B1), D2(B2) */
    FORM_LARL,   /* R1, address */
    FORM_RL,     /* R1, storage at a relative address, aligned */
    FORM_FX,     /* R1, D2(X2,B2); index or not */
    FORM_FMA,    /* R1, R3, R2 or D2(X2,B2): r1, m = R3 */
    FORM_FMODE,  /* R1, R2 with the rounding method that handlers have */
    FORM_SPACE,  /* R1, D2(B2): control register 1 or 7 alone */
    FORM_RISBG,
    FORM_SPECIAL, /* by row in decode.c */
};
struct fast {
    handler run, other;
    uint8_t form, after;
    uint8_t needs; /* enum below */
};
enum {
    NEEDS_64 = 1,
    NEEDS_NO_OVERFLOW = 2,
    NEEDS_LENGTH = 4,
    NEEDS_PLAIN = 8, /* neither RI nor counters */
};

#endif
