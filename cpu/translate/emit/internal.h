/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of cpu/translate and cpu/translate/emit only.

   Generated code keeps the guest's busiest general registers in registers of the host; the others stay in struct cpu.
   They are whole, but in loops of one block, and in long blocks without branches, that only work on the words of some:
   those are halved there, which is to
   say that the host's register has the word, zero-extended, and that the left half is in struct cpu. R11 holds the
   budget less what the current block needs; RAX, RCX and RDX hold nothing for longer than one guest instruction; RDI is
   the CPU as in handlers, but CPU_BEHIND bytes further, from where a displacement of one byte reaches both the general
   registers and what code uses most. The condition code is (kind, a, b) as in the block engine: the kind is known when
   the block is translated, a and b are constants, registers or in cpu->cc_a and cc_b. Between blocks they are there,
   and so is the kind. */
#ifndef ZRI_CPU_TRANSLATE_EMIT_INTERNAL_H
#define ZRI_CPU_TRANSLATE_EMIT_INTERNAL_H

#include "cpu/engine/block.h"
#include "cpu/translate/emit/about.h"
#include "cpu/translate/emit/parts.h"
#include "cpu/translate/host/x86_three.h"

enum { CPU = RDI, LEFT = R11, NOWHERE = 0xff };
#define CPU_BEHIND        128
#define HANDLER_AT(field) ((int32_t)offsetof(struct cpu, field)) /* where RDI is as in handlers */
#define CPU_AT(field)     (HANDLER_AT(field) - CPU_BEHIND)
#define GR_AT(n)          ((int32_t)(8 * (n)) - CPU_BEHIND)

_Static_assert(offsetof(struct cpu, edge_word) + 8 <= 2 * CPU_BEHIND, "what code uses most is near");

/* What `split` says beside the registers that are halved: */
#define MOVED   0x10000u /* registers are in other host registers, */
#define VECTORS 0x20000u /* vector registers are where loop_vectors says */
/* when MOVED: where, by the number of one of the translator's `layouts`; 0: as nowhere else */
#define LAYOUT_SHIFT 18
#define LAYOUTS      1024u

/* May two blocks of which `narrow` is the same follow each other with nothing done? */
static inline bool layout_shared(uint32_t narrow)
{
    return !(narrow & VECTORS) && (!(narrow & MOVED) || narrow >> LAYOUT_SHIFT);
}

/* A translation in progress. */
struct translation {
    struct x86 x;
    unsigned part; /* of the buffer, where its code is; the second one: with what stands apart behind it */
    uint8_t *end;  /* of the code, without what stands apart */
    struct translator *translator;
    struct cpu *cpu;
    struct block *block;
    struct op *op;        /* the current one */
    struct dis_insn insn; /* its instruction */
    struct cc cc;         /* condition code here */
    bool live;            /* somebody may look at the one behind the current instruction */
    uint64_t bear;        /* of a loop whose only branch to itself sets no breaking-event address: that; else 0 */
    bool flags;           /* the host's flags are those of the sum or difference of a and b */
    uint16_t dirty;       /* general registers that may have changed since they were in struct cpu, from the LSB on */
    uint32_t split;       /* those that are halved, likewise */
    uint16_t doublewords; /* those of which the left half was used */
    uint8_t uses[16], word_writes[16];         /* how often each was used at all, and changed as a word */
    uint8_t hosts[17];                         /* host registers when MOVED; or NOWHERE */
    struct vectors vectors, loop_vectors;      /* here; all through the loop when VECTORS */
    uint32_t vectors_touched, vectors_changed; /* guest's, from the LSB on */
    uint32_t vector_time, vector_used[32];     /* number of the instruction; that which used the host's register last */
    bool live_before[BLOCK_INSTRUCTIONS + 1];
    struct op *loop;    /* RI: the branch to itself that is noted when the loop is left, or NULL */
    struct edge *edges; /* BLOCK_INSTRUCTIONS + 1 of them at most */
    unsigned exit_count, far_count, edge_count, back_count, due_count, aside_count, elsewhere_count, went_count,
        apart_count;
    unsigned number;  /* of the current instruction */
    bool over;        /* the current instruction always branches: nothing goes on behind it */
    bool wanders;     /* no access expects a page */
    bool shares_none; /* each access has a test of its own; */
    bool apart;       /* so it has in the code that is made now, behind the rest, */
    bool differs;     /* but there something else holds: the code is not to be used */
    uint8_t shared;   /* by slot, from the LSB on: those of `share` that hold here */
    bool parts;       /* instructions from the first of the latest of `aparts` on are made twice */
    struct share share[SHARES];
    struct share begins[BLOCK_INSTRUCTIONS]; /* with these instructions */
    /* Of these so many count as the counts say; nobody clears the rest, which is large. */
    struct exit exits[16 * BLOCK_INSTRUCTIONS]; /* of one instruction eight at most, twice */
    struct aside asides[4 * BLOCK_INSTRUCTIONS];
    struct elsewhere elsewhere[8 * BLOCK_INSTRUCTIONS];
    struct exit dues[2 * BLOCK_INSTRUCTIONS];
    struct far_edge far[BLOCK_INSTRUCTIONS];
    struct went went[20 * BLOCK_INSTRUCTIONS]; /* for each exit and edge one, for passes, and for each branch one */
    struct back backs[BLOCK_INSTRUCTIONS];
    struct cc edge_cc[BLOCK_INSTRUCTIONS + 1]; /* of the light ones */
    struct apart aparts[BLOCK_INSTRUCTIONS / 2];
    struct standing standing[BLOCK_INSTRUCTIONS]; /* where `begins` says that something does */
    uint8_t *apart_at[BLOCK_INSTRUCTIONS];        /* the code of these that is made twice */
};

/* What a CPU has. Addresses are those where code runs. */
struct translator {
    struct block_translator hooks; /* first: what the block engine calls */
    struct code_buffer {
        uint8_t *write, *run; /* the same bytes, mapped twice */
        uint64_t size;
        struct code_part {
            uint64_t begin, used, end;
            uint64_t kept;  /* the routines at the beginning of the first one */
            uint64_t large; /* so far it was tried to have large pages */
        } parts[2]; /* what is carried out most of the time; what stands apart, so that it takes no room there */
    } buffer;
    const uint8_t *load;        /* from a handler into code: its address in RAX */
    const uint8_t *not_loaded;  /* from the head of a block, back to the handler of its first operation */
    const uint8_t *not_resumed; /* likewise behind an operation without template */
    const uint8_t *leave;       /* to the handler of the operation in RAX, with a in RDX and b in RCX */
    const uint8_t *leave_first; /* likewise, the first of its block */
    const uint8_t *function;    /* of call_function() */
    const uint8_t *condition;   /* RAX becomes the condition code that is in its slots; RCX and RDX change */
    const uint8_t *find;        /* behind the branch of the operation in RAX */
    const uint8_t *find_at;     /* to the logical address in RAX */
    const uint8_t *find_short;  /* likewise; the budget does not suffice for the block in RDX and is less that */
    const uint8_t *due;         /* behind the branch of the operation in RAX, not taken: a look is due */
    const uint8_t *due_at;      /* likewise taken, to the logical address in RAX */
    const uint8_t *look_read;   /* called to look into the translation context: see look_emit() */
    const uint8_t *look_write;
    const uint8_t *stretch; /* called: see observe_stretch_emit() */
    const uint8_t *note;    /* called: see observe_note_emit() */
    const uint8_t *other;   /* called: see edge_other_emit() */
    const uint8_t *went;    /* called: block_branch() of RAX and RDX */
    bool wide;              /* the host has AVX-512 VL, BW and DQ */
    bool segment;           /* programs may write the base of the GS segment: it is cpu->tlb in code */
    struct translate_stats stats;
    const struct translate_listener *listener;
    struct places { /* where code of operations begins, by rising addresses; not complete when memory is short */
        struct place_of {
            uint32_t at;
            struct op *op;
        } * at;
        size_t count, room;
    } places[2]; /* in the parts of the buffer */
    struct translate_force force;
    uint8_t layouts[LAYOUTS][16]; /* of blocks whose registers are moved, from 1 on: host register by general register;
                                     0: as outside */
    unsigned layout_count;
    struct {                  /* the block that was translated last */
        uint64_t behind, key; /* where it goes on at its end, and cpu->block_key */
        uint32_t narrow;      /* 0: its registers are as outside, or are nobody else's concern */
    } latest;
    unsigned places_used; /* of storage accesses, see struct tlb */
    uint64_t looks_from;  /* instructions of the CPU when cpu->looks was set */
    uint8_t *wanders;     /* by instruction: how often its operand's page was seen to be elsewhere; see places.c */
    uint64_t accesses;    /* for force.miss */
};

static inline struct translator *translator_in(struct block_cache *cache)
{
    return (struct translator *)(void *)cache->translator;
}
static inline struct translator *translator_of(const struct cpu *cpu) /* NULL: it has none */
{
    return cpu->engine ? (struct translator *)(void *)cpu->engine->translator : NULL;
}

/* Where it is counted whether an instruction's operand is in one page: several may share a place. */
#define WANDERS 65536u
static inline uint8_t *wanders_at(const struct translator *r, const struct block *block, const struct op *op)
{
    const uint64_t absolute = (block->absolute & PAGE_ADDRESS) | op->offset;
    return &r->wanders[(absolute >> 1 ^ absolute >> 17) % WANDERS];
}

/* Address at which bytes written at `at` run. */
static inline uint8_t *code_run(const struct translator *r, const uint8_t *at)
{
    return r->buffer.run + (at - r->buffer.write);
}
/* Code goes behind what the part has. */
static inline struct x86 code_writer(const struct translator *r, unsigned part)
{
    const struct code_part *p = &r->buffer.parts[part];
    return (struct x86){.at = r->buffer.write + p->used, .end = r->buffer.write + p->end};
}
/* Where the code is written that runs at `run`. */
static inline const uint8_t *code_write(const struct translator *r, const uint8_t *run)
{
    return r->buffer.write + (run - r->buffer.run);
}

/* ---- buffer.c --------------------------------------------------------------------------------------------------- */

/* 0 or a negative errno with a sentence. */
int code_buffer_create(struct code_buffer *buffer, uint64_t size, char *why, size_t why_size) MUST_USE;
/* So far as it is used it may be made of large pages. */
void code_buffer_filled(struct code_buffer *buffer);
void code_buffer_destroy(struct code_buffer *buffer);

/* ---- state.c: registers and condition code ---------------------------------------------------------------------- */

/* Host register of a general register; NOWHERE: in storage. */
unsigned host_of(unsigned gr);
static inline unsigned host_in(const struct translation *t, unsigned gr)
{
    return t->split & MOVED ? t->hosts[gr] : host_of(gr);
}
/* From where they are outside of the loop to there, halved ones as words; make_whole() takes them back. */
void registers_halve(struct translation *t);
/* Register 0-15 (16: zero) as a doubleword, in its host register or loaded into `scratch`. */
unsigned read64(struct translation *t, unsigned gr, unsigned scratch);
/* Its word; the left half is anything. */
unsigned read32(struct translation *t, unsigned gr, unsigned scratch);
/* The word of `from` where it may become that of `gr` by write32(): in the register itself when it is halved and the
   two are the same, or else in RAX. */
unsigned word_in_place(struct translation *t, unsigned gr, unsigned from);
static inline bool halved(const struct translation *t, unsigned gr) { return t->split >> gr & 1; }
/* All registers are whole then. RAX and the flags are lost. */
void make_whole(struct translation *t);
/* The same with the value in `to`, which may be changed then. */
void copy64(struct translation *t, unsigned to, unsigned gr);
void copy32(struct translation *t, unsigned to, unsigned gr);        /* zero-extended */
void copy32_signed(struct translation *t, unsigned to, unsigned gr); /* sign-extended */
void write64(struct translation *t, unsigned gr, unsigned from);
void written(struct translation *t, unsigned gr); /* when that is done otherwise */
/* Bits 32-63 from a host register whose other half is zero, which is changed, and the flags, unless R1 is halved. */
void write32(struct translation *t, unsigned gr, unsigned from);
void written32(struct translation *t, unsigned gr); /* when that is done otherwise */
/* An operation of the host on the register and `from`, in place; the flags are its. */
void change64(struct translation *t, enum x86_alu alu, unsigned gr, unsigned from);
/* The same with register `from`, which is in struct cpu. */
void change64_m(struct translation *t, enum x86_alu alu, unsigned gr, unsigned from);
/* A register that is in struct cpu is read there, as a doubleword (whole) or a word. */
void read_in_place(struct translation *t, unsigned gr, bool whole);
/* OR or exclusive or of the word and `from`, whose other half is zero. */
void change32(struct translation *t, enum x86_alu alu, unsigned gr, unsigned from);
void change64_i(struct translation *t, enum x86_alu alu, unsigned gr, int32_t value);

/* As it is behind the next instruction. */
static inline struct cc without_hosts(struct cc cc)
{
    cc.a.host = cc.b.host = NOWHERE;
    return cc;
}
struct value value_of(enum place place, unsigned gr);
struct value value_constant(int64_t constant);
struct value value_host(unsigned host); /* to be stored by cc_set() */
/* What the register was before `added`, a constant or another register, was added to it, or (`subtracted`) subtracted.
 */
struct value value_before(unsigned gr, const struct value *added, bool subtracted);
/* Is there such a value? */
bool value_comes_back(unsigned gr, const struct value *added);
/* The instruction is about to change the register: what the condition code has of it is put into its slot. */
void cc_spare(struct translation *t, unsigned gr);
/* The condition code is that of a and b from now on, as they are here, before register `changed` (NOWHERE: none) is
   written. The flags stay. */
void cc_set(struct translation *t, struct value a, struct value b, unsigned changed);
/* a and b, now, into host registers, or their slots. The flags stay (t->flags: they do not), RAX may not. */
void value_load(struct translation *t, const struct value *v, int32_t slot, unsigned to);
void cc_store(struct translation *t, const struct cc *cc, unsigned kind);
/* Jump when the condition code, of `kind`, is selected by the mask; when it is not, or neither `always` nor `never` is
   said, what follows is gone on to. The ends of jumps come into `out`. */
struct outcome {
    uint8_t *yes[2], *no[2]; /* NULL at the end */
    bool always, never;
};
void cc_jump(struct translation *t, unsigned kind, unsigned mask, struct outcome *out);
/* The condition code itself is in the register that is returned, not to be changed unless it is RAX or RDX. The scratch
   registers may change. */
unsigned cc_known(struct translation *t, unsigned kind);
/* The same for two values. */
void compare_jump(struct translation *t, bool sign, unsigned mask, struct value a, struct value b, struct outcome *out);

/* ---- vectors.c: vector registers --------------------------------------------------------------------------------- */

/* What changed into struct cpu; it is taken to be changed still. */
void vectors_store(struct translation *t);
/* Behind a function of C: all come back. */
void vectors_load(struct translation *t);
/* None is in a register from here on. */
void vectors_forget(struct translation *t);
/* At the entry of the block: t->split says whether they are in registers there. */
void vectors_enter(struct translation *t);
/* There is room for all that the loop uses, and where each is is known from now on. */
bool vectors_choose(struct translation *t);

/* ---- exits.c: into code and out of it --------------------------------------------------------------------------- */

/* RDI as in code, as in handlers. The flags are lost. */
static inline void cpu_of_code(struct x86 *x) { x86_alu_i(x, true, ALU_SUB, CPU, -CPU_BEHIND); }
static inline void cpu_of_handler(struct x86 *x) { x86_alu_i(x, true, ALU_ADD, CPU, -CPU_BEHIND); }

/* Code of the operation begins here. */
void place_note(struct translation *t, struct op *op);
void routines_emit(struct translator *translator);
/* Entry of the block. */
void entry_emit(struct translation *t);
/* Those that may have changed into struct cpu; from there all, or those that a call does not keep. */
void registers_spill(struct translation *t);
void registers_reload(struct translation *t, bool all);
/* The current operation is done by its handler if `c`, with everything as it was before it; in any case. */
void exit_if(struct translation *t, enum x86_condition c);
struct exit *exit_note(struct translation *t); /* likewise, the jump will be emitted later */
void exit_now(struct translation *t);
/* Call a C function with the CPU, what is at PASS_AT from RSP, RDX and RCX; its value comes back in RAX. Of the
   registers that code has only RCX and RDX change, too. It looks at no general registers of the guest but those of
   registers_spill(), and changes none. */
typedef uint64_t (*code_function)(struct cpu *cpu, uint64_t passed, uint64_t third, uint64_t fourth);
void call_function(struct translation *t, code_function function);
/* When it is asked for: the counter of the row goes up. RAX and the flags are lost. */
void count_emit(struct translation *t, uint64_t *by_row, unsigned row);
/* Is it the end of a block that goes on at the next address? */
static inline bool falls(const struct op *op) { return op->run == op_fall; }
/* The current operation does what `emit` emits, behind the rest, if `c`; the caller says where it goes on. */
struct aside *aside_if(struct translation *t, enum x86_condition c, aside_function emit, unsigned how);
/* What stands behind the rest. */
void exits_emit(struct translation *t);

/* ---- pages.c: storage by the CPU's translation context ----------------------------------------------------------- */

/* A routine: RCX becomes the entry for the page of RAX, with the flags equal when it lets accesses to the page of RDX
   through. RDX is lost. */
void look_emit(struct x86 *x, bool store);
/* RAX, an effective address, becomes a host address at which `length` bytes may be fetched or stored; otherwise the
   operation is left to its handler. RCX and RDX are lost. */
void probe_emit(struct translation *t, unsigned length, bool store);
/* The same for all that the share has, from its first byte on; otherwise code goes on where the current instruction
   asks for its page alone. */
void probe_share_emit(struct translation *t, const struct share *share);
void elsewhere_emit(struct translation *t); /* what stands behind the rest */
/* The current operation, which is in two pages, is left to its handler unless it is fetched from the next page as it
   was when `insn` was decoded. All scratch registers are lost. */
void crossing_emit(struct translation *t, const struct dis_insn *insn);
/* The GS segment is cpu->tlb from here on, wherever something else than code may have changed that. The scratch
   register and the flags are lost. */
void context_emit(const struct translator *translator, struct x86 *x, unsigned scratch);

/* ---- access.c: one test for several accesses ----------------------------------------------------------------------
 */

/* `length` bytes at the base register, the index register (16: none) and d may be fetched or stored at the host address
   in RAX and the displacement that is returned; otherwise the operation is left to its handler. RCX and RDX are lost.
 */
int32_t access_emit(struct translation *t, unsigned base, unsigned index, int64_t d, unsigned length, bool store);
/* RAX becomes the sum of the two. The flags stay. */
static inline void access_whole(struct x86 *x, int32_t at)
{
    if (at)
        x86_lea(x, RAX, RAX, at);
}
/* The register changes; anything may have happened. */
void shares_end(struct translation *t, unsigned gr);
static inline void shares_forget(struct translation *t) { t->shared = 0; }
/* A storage operand at two registers, one (index is 16) or none (both are), and a displacement */
struct access {
    int64_t d;
    uint16_t length;
    uint8_t base, index;
    bool store;
};
static inline struct access access_of(unsigned base, unsigned index, int64_t d, unsigned length, bool store)
{
    return (struct access){.d = d,
                           .length = (uint16_t)length,
                           .base = (uint8_t)(base < index ? base : index),
                           .index = (uint8_t)(base < index ? index : base),
                           .store = store};
}
/* Is there one? Is it for the access? Does one begin with the current instruction? Its template stands between these.
 */
bool share_some(const struct share *share);
bool share_within(const struct share *share, const struct access *access);
bool share_begins(const struct translation *t);
void shares_before(struct translation *t);
void shares_behind(struct translation *t);
/* Does the same hold here as there? */
bool standing_holds(const struct translation *t, const struct standing *s);
/* From here on that does. */
void standing_restore(struct translation *t, const struct standing *s);

/* ---- edges.c: from block to block ------------------------------------------------------------------------------- */

/* The branch of the current operation is taken: go on in the block at its target. */
void edge_emit(struct translation *t, const struct cc *cc);
/* The same when the jumps that end at from[] (NULL: none) are taken; behind the rest. */
void edge_far(struct translation *t, uint8_t *const from[2]);
/* The branch of the current operation is taken, to the logical address in RAX; the condition code is in its slots. */
void indirect_emit(struct translation *t);
/* The breaking-event address is put into struct cpu when the loop knows it and has branched to itself. The flags are
   lost. */
void bear_store(struct translation *t);
void edges_emit_far(struct translation *t); /* of what stands behind the rest */
void edges_emit_stubs(struct translation *t);
void edge_other_emit(struct x86 *x);
/* The edge of a branch, whose code is complete but was not carried out yet, is linked if its target has code: the host
   does not take kindly to changes of what it has just carried out. */
void edge_link_now(struct translation *t, struct op *op);
void edges_unlink(const struct translator *translator, struct block *block);
HANDLER(op_edge);

/* ---- observe.c: what is noted for edge profiles, when the block is one of a program that is profiled ------------- */

/* The branch of `op` is taken, relative: the scratch registers change. Returns the end of a jump that has to lead to
   where the run is left at its target, as a look is due; NULL: there is none. */
uint8_t *observe_taken(struct translation *t, const struct op *op);
/* The branch of the current operation is taken, to the address in RAX; and, with the budget put right, the run is left
   when a look is due. */
void observe_indirect(struct translation *t);
void observe_indirect_due(struct translation *t);
/* The branch of the current operation is not taken; the flags change. */
void observe_not_taken(struct translation *t);
/* Far from a sample: where a branch cannot go on as the budget does not suffice, the stretch may be over, and not the
   run: with the next one code goes on at `to`, where the branch tries again. RAX is lost. */
void observe_refill(struct translation *t, const uint8_t *to);
/* The same for a branch to the logical address in RAX, where the block in RDX may be, with the condition code in its
   slots: a part of a routine. RCX is lost. */
void observe_refill_at(struct x86 *x, const uint8_t *stretch);
void observe_stretch_emit(struct x86 *x); /* the routine for them */
void observe_note_emit(struct x86 *x);
void observe_emit(struct translation *t); /* what stands behind the rest */

/* ---- collect.c: what is noted while RI is active ------------------------------------------------------------------
 */

bool collects(const struct translation *t); /* else these emit nothing */
/* The branch of the operation is taken, relative; to the address in RAX; it is not taken, relative; not to the address
   in RAX. RAX stays when it is an address, the other scratch registers and the
   flags change. */
void collect_taken(struct translation *t, struct op *op);
/* The same of the branch of a loop to itself, when it is noted where the loop is left: by collect_passes(), before
   anything is noted there. `one`: it was taken once more. */
void collect_loop(struct translation *t, struct op *op);
void collect_passes(struct translation *t, bool one);
void collect_indirect(struct translation *t);
void collect_not_taken(struct translation *t);
void collect_not_taken_indirect(struct translation *t);
void collect_routine_emit(struct x86 *x);
void collect_emit(struct translation *t); /* what stands behind the rest */

#endif
