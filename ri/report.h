/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reporting groups: whether there is one, and its store (specification G, H, I and J). */
#ifndef ZRI_RI_REPORT_H
#define ZRI_RI_REPORT_H

#include "ri/state.h"

/* Accessors to the program buffer. Addresses are 64-bit logical addresses of the space that control H selects (real
   ones with DAT off), accessed with the key of the controls; a range never crosses a 4K-byte boundary. Each returns
   0 or a program-interruption code, then nothing was stored. `store` of 8 aligned bytes is block-concurrent. */
struct ri_storage {
    void *context;
    int (*test)(void *context, uint64_t address, unsigned length, bool fetch_too); /* for storing */
    int (*fetch)(void *context, uint64_t address, void *to, unsigned length);
    int (*store)(void *context, uint64_t address, const void *from, unsigned length);
    /* May be NULL, and yield NULL: where the host has the bytes at `address` up to the next 4K-byte boundary, when
       nothing is in the way of storing (`fetch_too`: and fetching) there and nobody has to be told. Good until the
       report ends. */
    uint8_t *(*place)(void *context, uint64_t address, bool fetch_too);
};

/* What a report needs from outside. */
struct ri_environment {
    const struct ri_storage *storage;
    uint64_t tod;          /* TOD clock bits 0-63 as STORE CLOCK would store them */
    bool mixed_capability; /* CPUs of differing capability are configured */
    bool transaction;      /* the CPU is in the transactional-execution mode (after the instruction) */
};

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

#endif
