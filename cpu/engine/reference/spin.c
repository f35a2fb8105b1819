/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops in which a guest waits for another CPU: they look at storage, again and again, and change nothing that they
   look with. A lock's owner may have no host CPU at the time, or, in rotation, not its turn; then each pass is lost,
   and all of a slice of them. By the machine's own clock runs repeat, on every engine: there each CPU has its slice as
   ever. */
#include "cpu/engine/reference/reference.h"

#define PASSES_THREADS  3000u /* about as long as the host takes to let a thread sleep and wake */
#define PASSES_ROTATION 200u
#define INSTRUCTIONS    6u /* of the longest loop */

/* Fetches from storage or a test of what was fetched. *base: the base register of its operand, 0 none; *target: the
   register that it changes, -1 none. */
static bool looks(const struct dis_insn *insn, unsigned *base, int *target)
{
    *base = 0;
    *target = -1;
    switch (insn->row) {
    case DIS_TM:
    case DIS_TMY:
    case DIS_CLI:
    case DIS_CLIY:
    case DIS_CHSI:
    case DIS_CGHSI:
    case DIS_CLFHSI:
    case DIS_CLGHSI:
        *base = insn->b1;
        return true;
    case DIS_L:
    case DIS_LY:
    case DIS_LG:
    case DIS_LLGF:
    case DIS_LLGC:
    case DIS_LLC:
    case DIS_LT:
    case DIS_LTG:
        *base = insn->b2;
        *target = insn->r1;
        return insn->x2 == 0;
    case DIS_LTR:
    case DIS_LTGR:
        return insn->r1 == insn->r2;
    case DIS_TMLL:
    case DIS_TMLH:
    case DIS_TMHL:
    case DIS_TMHH:
    case DIS_CHI:
    case DIS_CGHI:
        return true;
    case DIS_BCR: /* serialization, and nothing */
        return insn->r2 == 0;
    default:
        return false;
    }
}

static bool goes_back(const struct dis_insn *insn, unsigned offset, unsigned start)
{
    int64_t by = 0;
    if (insn->row == DIS_BRC || insn->row == DIS_BRCL)
        by = insn->m1 == 15 ? 0 : insn->i2;
    else if (insn->row == DIS_CIJ || insn->row == DIS_CGIJ || insn->row == DIS_CLIJ || insn->row == DIS_CLGIJ)
        by = insn->ri3;
    return by < 0 && (int64_t)offset + by == (int64_t)start;
}

unsigned engine_spins(const struct cpu_system *sys, const uint8_t *host, unsigned start)
{
    unsigned bases = 0, targets = 0, base, offset = start;
    if (!sys->host_clock || sys->cpu_count < 2)
        return 0;
    for (unsigned n = 0; n < INSTRUCTIONS && offset + dis_length(host[offset]) <= PAGE_SIZE_Z; n++) {
        struct dis_insn insn;
        int target;
        dis_decode(host + offset, &insn);
        if (goes_back(&insn, offset, start))
            return bases & targets ? 0 : sys->threads ? PASSES_THREADS : PASSES_ROTATION;
        if (!looks(&insn, &base, &target))
            return 0;
        bases |= base ? 1u << base : 0;
        targets |= target < 0 ? 0 : 1u << target;
        offset += insn.length;
        if (offset >= PAGE_SIZE_Z)
            return 0;
    }
    return 0;
}
