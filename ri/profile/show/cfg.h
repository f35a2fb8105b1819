/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow of what a profile has executed: basic blocks, the arcs between them, and how often each was gone
   through. Blocks are found by walking the code from every place that execution is known to enter at, within functions,
   along relative branches too; where two ways of reading the same bytes meet, another block begins. */
#ifndef ZRI_RI_PROFILE_SHOW_CFG_H
#define ZRI_RI_PROFILE_SHOW_CFG_H

#include "ri/profile/show/internal.h"
#include "ri/profile/show/source.h"

#define EP_NO_BLOCK UINT32_MAX

enum ep_arc_kind { EP_ARC_TAKEN, EP_ARC_NOT_TAKEN, EP_ARC_FALL, EP_ARC_CALL, EP_ARC_RETURN, EP_ARC_GAP, EP_ARCS };

/* Units of blocks, fall-through arcs and gaps are those of branches: a trace has one run less than branches, which is
   made up for. */
struct ep_block {
    uint64_t start, last; /* addresses of its first and last instruction */
    uint64_t units;       /* executions of the first instruction */
    uint64_t in, out;     /* by arcs and gaps, of whatever function */
    uint32_t space, function, instructions;
    uint8_t class; /* enum dis_edge of its last instruction; ORD too for an execute-type one that was no branch */
};

struct ep_arc {
    uint64_t to, units;   /* an address, in `to_space` */
    uint32_t from, block; /* numbers of blocks; where `to` is, EP_NO_BLOCK when that is in no block of this function */
    uint32_t to_space;
    uint8_t kind; /* enum ep_arc_kind. RETURN: out of the function; or from a call to behind it, by what came back */
};

struct ep_cfg {
    const struct ep_view *view;
    struct ep_block *block; /* by space and start */
    struct ep_arc *arc;     /* by block, kind and destination */
    uint32_t blocks, arcs;
};

/* The blocks of a profile, with those of another one (NULL: none) whose places have the same numbers. -ENOENT: code is
   not there, or is not what was executed, `error` says where; -ENOMEM. */
int ep_cfg_make(struct ep_cfg *cfg, const struct ep_view *view, const struct ep_view *other,
                const struct ep_source *source, char *error, size_t size) MUST_USE;
void ep_cfg_free(struct ep_cfg *cfg);
/* The block that begins at an address; EP_NO_BLOCK. */
uint32_t ep_cfg_block(const struct ep_cfg *cfg, uint32_t space, uint64_t address);
const char *ep_arc_word(enum ep_arc_kind kind);

#endif
