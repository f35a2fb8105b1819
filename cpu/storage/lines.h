/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of storage that a transaction has accessed, with what they held before. PoP chapter 5, "Transactional
   Execution". The stores of a transaction go to storage at once; what the lines held before is put back when it is
   aborted or has to wait. */
#ifndef ZRI_CPU_STORAGE_LINES_H
#define ZRI_CPU_STORAGE_LINES_H

#include "cpu/state/cpu.h"

#define LINES_SIZE      256u /* bytes of a line */
#define LINES_MAX       512u /* lines accessed by one transaction: 128K bytes */
#define LINES_STORED    64u  /* of them stored into: 16K bytes */
#define LINES_OCTOWORDS 4u   /* of a constrained transaction */
#define LINES_SLOTS     1024u

struct line {
    uint64_t absolute;
    bool stored;
    uint8_t before[LINES_SIZE]; /* contents when first accessed */
    uint8_t mine[LINES_SIZE];   /* while suspended: contents as the transaction has them */
};

struct lines {
    bool constrained; /* the transaction is: it may access few octowords */
    bool suspended;   /* storage holds what was before */
    unsigned count, stored, octowords;
    uint64_t octoword[LINES_OCTOWORDS];
    uint16_t slot[LINES_SLOTS]; /* number of a line + 1, by address */
    struct line line[LINES_MAX];
};

/* A transaction begins: no line was accessed. */
void lines_begin(struct lines *lines, bool constrained);

/* The transaction of `cpu` accesses `length` bytes (1-4096, within a page) at an absolute address. Returns 0, or
   CPU_TX_ABORT (cpu->tx_code says why) when it has accessed too much, or PIC_TRANSACTION_CONSTRAINT. Before the
   access. */
int lines_access(struct cpu *cpu, uint64_t absolute, unsigned length, bool store) MUST_USE;

/* The line at an absolute address, a new one when it was not accessed before. NULL: there are too many. */
struct line *lines_find(struct cpu *cpu, uint64_t absolute);

/* Storage as it was before the transaction. */
void lines_undo(struct cpu *cpu);
/* The same, to go on later; and going on. The first line that holds something else now, or NULL when none does. */
void lines_suspend(struct cpu *cpu);
void lines_resume(struct cpu *cpu);
const struct line *lines_changed(struct cpu *cpu);

#endif
