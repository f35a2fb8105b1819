/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a translator tells of its work, and what tests make it do. */
#ifndef ZRI_CPU_TRANSLATE_EMIT_ABOUT_H
#define ZRI_CPU_TRANSLATE_EMIT_ABOUT_H

#include "cpu/engine/engine.h"
#include "disasm/dis.h"

/* What was done, since the translator is there. */
struct translate_stats {
    uint64_t blocks, instructions, bytes; /* translated: blocks, guest instructions in them, bytes of code */
    uint64_t host;        /* instructions of the guest that have templates, of all in translated blocks */
    uint64_t unworthy;    /* blocks left to handlers, too few of their instructions having templates */
    uint64_t links, full; /* edges linked; times that the code buffer was full */
    uint64_t shared;      /* blocks in which several accesses have one test of their page */
    uint64_t crossings;   /* blocks of an instruction in two pages */
    uint64_t anew;        /* blocks translated a second time, as accesses find their pages elsewhere too often */
    uint64_t kept;        /* blocks whose registers are where those of the block in front of them are */
    uint64_t differ;      /* blocks that were to, but in which what is known at a place depends on the way to there */
};

/* Told of each block that was translated; for perf maps and dumps. Called below the console's and the engine's locks,
   on the thread of the CPU. */
struct translated;
struct translate_listener {
    void *context;
    void (*translated)(void *context, const struct cpu *cpu, const struct translated *what);
};
struct translated {
    uint64_t ia;          /* logical address of the block */
    unsigned count;       /* its instructions */
    const uint8_t *guest; /* these, in the host's address space */
    struct {
        const uint8_t *run; /* readable */
        uint64_t length;
    } code[2]; /* what is carried out most of the time, and what stands apart */
};

/* How often code left instructions to handlers, by their rows: those that have no template, and those of which it did
   not suffice. */
struct translate_counts {
    uint64_t calls[DIS_ROW_COUNT], exits[DIS_ROW_COUNT];
};

/* For tests: rare paths taken often. Zeros: as measured best. */
struct translate_force {
    unsigned heat;                   /* executions before a block is translated; 0: the usual number */
    unsigned miss;                   /* each n-th storage access goes to its handler */
    unsigned looks;                  /* each n-th page that was elsewhere is noted; 0: the usual number */
    bool wander;                     /* as if there were more accesses than a context expects pages for */
    uint64_t buffer;                 /* bytes of the code buffer */
    unsigned branches;               /* so many are told from each other; 0: the usual number */
    bool narrow;                     /* as if the host had neither AVX-512 nor instructions for the base of a segment */
    bool all;                        /* blocks with few templates as well */
    struct translate_counts *counts; /* where code counts; NULL: it does not. Outlives the CPU */
};

#endif
