/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of what was executed, and which of them begin blocks. */
#ifndef ZRI_RI_PROFILE_SHOW_BLOCKS_H
#define ZRI_RI_PROFILE_SHOW_BLOCKS_H

#include "disasm/dis.h"
#include "ri/profile/show/internal.h"
#include "ri/profile/show/source.h"

#define EP_NO_INSN UINT32_MAX

struct ep_insn {
    uint64_t at, target; /* of a relative branch */
    uint32_t space, block;
    uint8_t length, class; /* bytes; enum dis_edge, DIS_EDGE_COND for an execute-type one that was a branch */
    bool leads;            /* a block begins with it */
    bool read;             /* its code is known: otherwise it is only a place where a block would begin */
    bool has_target;
    bool looked; /* it was tried to read from here on */
};

struct ep_insns {
    const struct ep_view *view;
    const struct ep_source *source;
    struct ep_insn *insn;
    uint32_t *slot; /* numbers of instructions by address, + 1; `slots`, a power of two */
    uint32_t count, room, slots;
};

/* All instructions that can be reached from where the profile of `view`, or of `other` (NULL: none), was executed.
   -ENOENT: code is not there, `error` says where; -ENOMEM; -EFBIG. */
int ep_insns_find(struct ep_insns *insns, const struct ep_view *view, const struct ep_view *other,
                  const struct ep_source *source, char *error, size_t size) MUST_USE;
void ep_insns_free(struct ep_insns *insns);
/* EP_NO_INSN: there is none. */
uint32_t ep_insns_at(const struct ep_insns *insns, uint32_t space, uint64_t address);
/* It ends a block whatever follows. */
static inline bool ep_insn_ends(const struct ep_insn *i)
{
    return i->class == DIS_EDGE_COND || i->class == DIS_EDGE_UNCOND || i->class == DIS_EDGE_CALL ||
           i->class == DIS_EDGE_RET || i->class == DIS_EDGE_XFER;
}
/* What follows may be executed behind it. */
static inline bool ep_insn_falls(const struct ep_insn *i)
{
    return i->class != DIS_EDGE_UNCOND && i->class != DIS_EDGE_RET;
}

#endif
