/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation of one CPU. It knows no CPU: it is told by value what happened and reaches the program
   buffer through accessors that it was handed. "Specification" means the RI specification, sections A to M. */
#ifndef ZRI_RI_RI_H
#define ZRI_RI_RI_H

#include "ri/controls.h"
#include "ri/report.h"
#include "ri/state.h"

extern const struct ri_profile ri_profiles[4]; /* RI-A (the default) to RI-D */
/* Built-in profile by name ("RI-A"), or NULL. */
const struct ri_profile *ri_profile_find(const char *name);

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

/* ---- the instructions that concern no controls (specification D.7 to D.9) -------------------------------------- */

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
/* Before ri_branch() and ri_complete(): what a pipeline model says of this instruction (ri->outside, its `on`). The
   levels are those of the instruction's lines and of those of its operand that is reported, 15: found in the first. */
void ri_outside(struct ri *ri, uint8_t il, uint8_t dl, uint8_t conditions, uint32_t cycles);
/* The instruction ends; `cycles` are its cycles (halfwords, with those of the execute-type instruction). Charges and
   returns enum ri_sample bits, 0 = no sample instruction. */
unsigned ri_complete(struct ri *ri, enum ri_end end, unsigned cycles);
/* ---- looking at it --------------------------------------------------------------------------------------------- */

/* Entries of the branch predictor that hold a branch. */
unsigned ri_predicted(const struct ri *ri);

/* Everything of A.3, field by field, for snapshots: name, place, bytes in host order; what nobody can see any more
   (slots of the ring without a record, a group that was stored) becomes zero first. With these places filled in again
   call ri_restored(). */
void ri_each_field(struct ri *ri, void (*visit)(void *context, const char *name, void *place, size_t size),
                   void *context);
void ri_restored(struct ri *ri);

#include "ri/ri_inline.h"

#endif
