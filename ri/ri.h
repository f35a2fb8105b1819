/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation of one CPU. It knows no CPU: it is told by value what happened and reaches the program
   buffer through accessors that it was handed. "Specification" means the RI specification, sections A to M. */
#ifndef ZRI_RI_RI_H
#define ZRI_RI_RI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RI_BLOCK_SIZE    64u  /* control block, bytes */
#define RI_RING          256u /* slots of the collection ring; a power of two, more than any R_CB */
#define RI_PREDICTOR     256u
#define RI_DIRTY         24u
#define RI_GROUP_RECORDS 256u /* records of the largest group */

/* Branch classes, the same numbers as enum dis_branch. */
enum ri_class { RI_CLASS_NONE, RI_CLASS_CALL, RI_CLASS_RETURN, RI_CLASS_OTHER, RI_CLASS_BC15, RI_CLASS_COUNT };

/* Record types, byte 0 of a record (specification H.2). */
enum ri_type {
    RI_TYPE_FILLER = 0x00,
    RI_TYPE_EXTRA = 0x01,
    RI_TYPE_BEGIN = 0x02,
    RI_TYPE_TIMESTAMP = 0x03,
    RI_TYPE_INSTRUCTION = 0x04,
    RI_TYPE_EMIT = 0x10,
    RI_TYPE_ABORT = 0x11,
    RI_TYPE_CALL = 0x12,
    RI_TYPE_RETURN = 0x13,
    RI_TYPE_TRANSFER = 0x14,
};

enum ri_mode { RI_MODE_CYCLES, RI_MODE_INSTRUCTIONS, RI_MODE_DIRECTED };
enum ri_cache_model { RI_CACHE_UNCACHED, RI_CACHE_TWO_LEVEL };

/* Processor characteristics (specification J.1). */
struct ri_profile {
    char name[16];
    uint16_t version;    /* never 0 */
    bool secondary;      /* capability */
    uint8_t rgs_max;     /* 0-7 */
    uint16_t cb_entries; /* R_CB, at least 2^(rgs_max+1) - 2, at most RI_RING */
    uint64_t sf_min[2];  /* [0] mode 0, [1] modes 1 and 2 */
    uint64_t sf_max;     /* for SF and RSIC, all modes */
    uint8_t cache_model; /* enum ri_cache_model */
    bool transactional;  /* the transactional-execution facility is configured */
};
extern const struct ri_profile ri_profiles[4]; /* RI-A (the default) to RI-D */
/* Built-in profile by name ("RI-A"), or NULL. */
const struct ri_profile *ri_profile_find(const char *name);

/* One record, as numbers: bits 0-63 and bits 64-127. */
struct ri_record {
    uint64_t hi, lo;
};

/* The controls, decoded; bytes that are no field are not kept (specification C.2). */
struct ri_controls {
    uint64_t rca, roa, rla, sf;
    uint64_t rsic; /* running count; 0 only in mode 2, or while not valid */
    uint8_t v, s, k, h, a, ps, qs, pc, qc, g, u, l, key, t, rgs;
    uint8_t m, n, mae, c, r, b, j, e, x, bpxn, bpxt, bpti, bpni, y, z, d, f, ic, dc;
};

/* The instruction being executed (specification F.4, H.5). */
struct ri_idb {
    uint64_t ia;  /* as records have it: of the execute-type instruction when executed */
    uint64_t own; /* of the instruction itself */
    uint64_t access_address, access_length;
    uint32_t text;  /* leftmost four bytes of the instruction */
    uint8_t length; /* bytes */
    uint8_t class;  /* enum ri_class */
    uint8_t il, dl; /* miss levels, 15 none */
    bool always, relative, executed, problem, directed, branch, taken, predicted, target_ok, access, access_store;
    uint8_t conditions; /* enum ri_condition */
};
enum ri_condition { RI_BPXN = 1, RI_BPXT = 2, RI_BPTI = 4, RI_BPNI = 8 };

/* Predictor entry: the branch's address with the last direction in the low-order bit. An empty entry holds an address
   that belongs to another entry. */
struct ri_prediction {
    uint64_t tag, target;
};

/* Two-level cache model: line address (bits 0-55) plus one; 0 is empty. */
struct ri_cache {
    uint64_t instruction[64], data[64], level2[1024];
};

/* A reporting group that was just stored, by value. `records` are its records, the header first; they are there during
   the call only. */
struct ri_stored {
    const struct ri_record *records;
    unsigned count;        /* of records */
    uint64_t address, roa; /* of the group, and of the program buffer */
    uint64_t tod;          /* TOD clock bits 0-63 at the store */
    uint8_t mode, rgs, key, home;
    bool full; /* no room for another one is left */
};

/* What happened since the unit was made, for people who watch it: no part of the architecture, in no snapshot. */
struct ri_told {
    uint64_t samples; /* sample instructions, reported or not */
    uint64_t fulls;   /* groups that left no room for another */
    uint64_t alerts;  /* interruptions presented */
    uint64_t ia;      /* of the latest sample instruction, as its record has it */
    uint8_t line;     /* of the report-control table that decided for it, 1-11; 0: there was none yet */
    uint8_t sample;   /* enum ri_sample bits of it */
};

struct ri {
    /* Touched by every instruction or branch while active */
    bool active;        /* enabled and neither halted nor stopped; derived, see ri_active() */
    bool enabled;       /* PSW bit 24 */
    bool directed;      /* directed-sample flag; the NSI's address is in nsi */
    bool reference;     /* this state needs every instruction reported singly (directed flag, cache model); derived */
    uint8_t collect[2]; /* [problem state]: 1 << enum ri_class for each class collected now; derived */
    uint64_t counting;  /* all ones in modes 0 and 1, else 0; derived */
    uint64_t head;      /* records ever collected; ring[head - 1] is the newest */
    uint64_t start;     /* value of head when the buffer was emptied */
    struct ri_controls controls;
    struct ri_record ring[RI_RING];
    struct ri_prediction predictor[RI_PREDICTOR];

    bool halted;                         /* the latch */
    bool predictor_used;                 /* something may be in the predictor or the cache model */
    uint8_t dirty[RI_DIRTY];             /* entries of the predictor that may hold something, while there are few */
    uint8_t dirty_count;                 /* more than RI_DIRTY: any may */
    uint64_t touched[RI_PREDICTOR / 64]; /* entries that the functions of ri.c changed since an engine cleared it */
    bool frozen;                         /* collection frozen in a transaction */
    bool deferred;                       /* group holds a deferred group */
    bool partial;                        /* units of operation done that are not charged yet */
    uint32_t partial_cycles;
    uint64_t partial_ia;
    uint64_t nsi;
    uint64_t groups; /* groups ever stored (for people; not part of the architecture) */
    uint64_t halts;  /* halts ever recognized (likewise) */
    struct ri_told told;
    void (*stored)(void *context, const struct ri_stored *group); /* ri_tell_stored(); NULL: nobody asks */
    void *stored_context;
    struct ri_idb idb;
    struct ri_profile profile;
    struct ri_record group[RI_GROUP_RECORDS]; /* being built, or deferred: all but the header */
    unsigned group_records;
    struct ri_cache *cache; /* NULL with the uncached model */
};

/* Accessors to the program buffer. Addresses are 64-bit logical addresses of the space that control H selects (real
   ones with DAT off), accessed with the key of the controls; a range never crosses a 4K-byte boundary. Each returns
   0 or a program-interruption code, then nothing was stored. `store` of 8 aligned bytes is block-concurrent. */
struct ri_storage {
    void *context;
    int (*test)(void *context, uint64_t address, unsigned length, bool fetch_too); /* for storing */
    int (*fetch)(void *context, uint64_t address, void *to, unsigned length);
    int (*store)(void *context, uint64_t address, const void *from, unsigned length);
};

/* What a report needs from outside. */
struct ri_environment {
    const struct ri_storage *storage;
    uint64_t tod;          /* TOD clock bits 0-63 as STORE CLOCK would store them */
    bool mixed_capability; /* CPUs of differing capability are configured */
    bool transaction;      /* the CPU is in the transactional-execution mode (after the instruction) */
};

/* ---- life ------------------------------------------------------------------------------------------------------ */

/* A new RI unit after a power-on reset. NULL: no host memory. The profile is copied. */
struct ri *ri_create(const struct ri_profile *profile) __attribute__((warn_unused_result));
void ri_destroy(struct ri *ri);
/* Another unit in the same state that tells nobody of its groups, for looking ahead. NULL: no host memory. */
struct ri *ri_copy(const struct ri *ri) __attribute__((warn_unused_result));
/* Every CPU reset (specification B.3); the caller sets PSW bit 24 to zero. */
void ri_reset(struct ri *ri);
/* Another profile takes effect at once (a snapshot restored elsewhere, specification J.6): SF and RSIC are not clamped,
   only the newest R_CB records stay. Returns 0 or -1 (no host memory for the cache model; nothing changed). */
int ri_set_profile(struct ri *ri, const struct ri_profile *profile) __attribute__((warn_unused_result));

/* ---- the control instructions (specification D) ---------------------------------------------------------------- */

/* Permission and validity check: condition code 2, 3, or 0 = go on. */
unsigned ri_pvc(const struct ri *ri, bool problem);
/* True when LRIC (`mric` false) or MRIC must recognize a specification exception for this block. */
bool ri_block_invalid(const uint8_t block[RI_BLOCK_SIZE], bool mric);
/* LRIC of a block that passed ri_block_invalid(). Returns whether PSW bit 24 stays as it is (false: set it to zero). */
bool ri_lric(struct ri *ri, const uint8_t block[RI_BLOCK_SIZE]);
/* MRIC after PVC and ri_block_invalid(). The condition code is 0. */
void ri_mric(struct ri *ri, const uint8_t block[RI_BLOCK_SIZE], bool problem);
void ri_stric(const struct ri *ri, uint8_t block[RI_BLOCK_SIZE]);
/* TRIC after PVC: the condition code, 0 or 1. RION and RIOFF are PVC and ri_enable(). */
unsigned ri_tric(const struct ri *ri);
/* RIEMIT: a record, or nothing (specification D.9). `ia` as records have it. */
void ri_emit(struct ri *ri, uint64_t ia, uint64_t data, bool problem);
/* RINEXT completes; `nsi` is the address of the next sequential instruction. */
void ri_next(struct ri *ri, uint64_t nsi);

/* ---- PSW and interruptions (specification B.2, E.1, I.8) ------------------------------------------------------- */

/* PSW bit 24 is `on` now, whatever it was before. With V zero it counts as off: the caller recognizes the specification
   exception. Call it whenever a PSW became current and by RION and RIOFF. */
void ri_enable(struct ri *ri, bool on);
static inline bool ri_valid(const struct ri *ri) { return ri->controls.v; }

enum ri_interruption {
    RI_INT_PROGRAM, /* also PER */
    RI_INT_SUPERVISOR_CALL,
    RI_INT_RESTART,
    RI_INT_MACHINE_CHECK_EXIGENT,
    RI_INT_MACHINE_CHECK_REPRESSIBLE,
    RI_INT_EXTERNAL,
    RI_INT_IO,
};
/* An interruption is being taken, before the new PSW becomes current. (In a transaction ri_transaction_end() comes
   first for external, I/O and repressible machine-check interruptions.) */
void ri_interruption(struct ri *ri, enum ri_interruption kind);

/* Parameter bits of the measurement alert that are pending now, 0 = none: X'20' halted, X'10' buffer full. */
static inline uint32_t ri_alert(const struct ri *ri)
{
    return ri->controls.u ? (ri->controls.g ? 0x20u : 0) | (ri->controls.l ? 0x10u : 0) : 0;
}
/* The interruption with the bits of ri_alert() is being presented. */
void ri_alert_presented(struct ri *ri);

/* ---- events of one instruction, in this order ------------------------------------------------------------------ */

struct ri_insn {
    uint64_t ia;           /* address of the instruction, or of the execute-type instruction that executes it */
    uint64_t own;          /* address of the instruction itself */
    uint32_t text;         /* its leftmost four bytes (the second half zero for a two-byte instruction) */
    uint8_t length;        /* of it, bytes */
    uint8_t class;         /* enum ri_class: DIS_BRANCH_... of this very instruction */
    bool always, relative; /* of a branch: unconditional by encoding; branch address relative */
    bool executed;         /* target of an execute-type instruction */
    bool problem;          /* problem state at its start */
};
/* An instruction starts, only while ri_active(). A target of an execute-type instruction is a second call for the same
   instruction, with executed one. */
void ri_begin(struct ri *ri, const struct ri_insn *insn);
/* Its lowest-numbered storage operand is accessed: logical address, length in bytes. */
void ri_access(struct ri *ri, uint64_t address, uint64_t length, bool store);
/* It is a branch that completes: direction and branch address (also when not taken). */
void ri_branch(struct ri *ri, bool taken, uint64_t target);

enum ri_end {
    RI_END_COMPLETE,
    RI_END_PARTIAL,      /* stays at this instruction; charged only if an interruption follows now */
    RI_END_NOT,          /* nullified, suppressed, terminated */
    RI_END_NOT_COUNTED,  /* LRIC, MRIC, SUPERVISOR CALL, RIOFF and whatever changed PSW bit 24 */
    RI_END_INTERRUPTION, /* completes, and with it a program interruption (also PER) */
};
enum ri_sample { RI_SAMPLE_COUNT = 1, RI_SAMPLE_DIRECTED = 2 };
/* The instruction ends; `cycles` are its cycles (halfwords, with those of the execute-type instruction). Charges and
   returns enum ri_sample bits, 0 = no sample instruction. */
unsigned ri_complete(struct ri *ri, enum ri_end end, unsigned cycles);
/* A sample instruction: report controls, suppression, deferral, store. Returns 0 or a program-interruption code of an
   accessor (old PSW: next instruction, length code zero). */
int ri_report(struct ri *ri, unsigned sample, const struct ri_environment *environment)
    __attribute__((warn_unused_result));

/* Which line of the report-control table (specification G, 1-11) decides for the instruction in the IDB. */
unsigned ri_report_line(const struct ri *ri, unsigned sample, bool mixed_capability);

/* ---- transactions (specification I.7) -------------------------------------------------------------------------- */

/* The outermost TEND completed (after ri_report for it), or an abort without a purging interruption was processed: a
   deferred group is stored, collection resumes. Returns 0 or a program-interruption code. */
int ri_transaction_end(struct ri *ri, const struct ri_environment *environment) __attribute__((warn_unused_result));
/* After ri_transaction_end() of an abort that comes with no interruption. `code` is the abort code, `ia` where the
   abort was detected, `continue_at` the instruction address of the transaction-abort PSW. */
void ri_transaction_aborted(struct ri *ri, uint64_t ia, uint64_t code, uint64_t continue_at, bool problem);

/* From now on `stored` is called for each group behind its store (with the controls advanced); NULL: no more. */
void ri_tell_stored(struct ri *ri, void (*stored)(void *context, const struct ri_stored *group), void *context);

/* ---- looking at it --------------------------------------------------------------------------------------------- */

/* No room for another group. */
bool ri_stopped(const struct ri *ri);
/* Records in the collection buffer, and the n-th of them, 0 = oldest. */
unsigned ri_collected(const struct ri *ri);
struct ri_record ri_collected_record(const struct ri *ri, unsigned n);
/* Entries of the branch predictor that hold a branch. */
unsigned ri_predicted(const struct ri *ri);

/* Everything of A.3, field by field, for snapshots: name, place, bytes in host order. With these places filled in again
   call ri_restored(). */
void ri_each_field(struct ri *ri, void (*visit)(void *context, const char *name, void *place, size_t size),
                   void *context);
void ri_restored(struct ri *ri);

#include "ri/ri_inline.h"

#endif
