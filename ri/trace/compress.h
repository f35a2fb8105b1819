/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compression of exception numbers: previous number, stack, FIFO. The decoder keeps the same state; it changes with
   packets that were put out, and with nothing else. */
#ifndef ZRI_RI_TRACE_COMPRESS_H
#define ZRI_RI_TRACE_COMPRESS_H

#include "ri/trace/config.h"
#include "ri/trace/wire.h"

struct et_compress {
    enum et_comp how;
    unsigned size;     /* entries of stack or FIFO, a power of 2 */
    bool remembered;   /* previous: there is one */
    uint16_t previous; /* EN of the last exception packet */
    unsigned depth;    /* stack: entries that are there */
    unsigned top;      /* stack: place of the newest; FIFO: next place to be written */
    unsigned written;  /* FIFO: valid entries */
    uint16_t entry[128];
};

/* By the configuration: the kind and its size; nothing is remembered yet. */
void et_compress_make(struct et_compress *c, const struct et_config *config);
/* SYNC: what was remembered is forgotten. */
void et_compress_reset(struct et_compress *c);
/* Number that an event's number can be left out for: FIFO index, else 0; -1: it has to be told. */
int et_compress_find(const struct et_compress *c, enum et_fn fn, unsigned en);
/* A packet with this number, or (`matched`) the reference to it, was put out. */
void et_compress_note(struct et_compress *c, unsigned en, bool matched);

#endif
