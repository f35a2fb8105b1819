/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector registers of the guest in registers of the host while a block is translated.

   They come when an instruction first uses them, and stay up to the end of the block; the one not used for longest goes
   when there is no room. What changed is put into struct cpu where code leaves the block or calls somebody. In a loop
   of one block with room for all that it uses (VECTORS in `split`) they come in front of it and stay: those that it
   changes are taken to be changed from there on. Templates that work on struct cpu find all of it there. */
#include "cpu/translate/emit/vector.h"

#define FIRST    6u    /* XMM0-5 are any template's */
#define CHANGED  0x80u /* struct cpu has an older content */
#define EVERY    16u   /* that all forms have */
#define HOSTS(t) ((t)->translator->wide ? 32u : EVERY)

static unsigned host_for(const struct translation *t, unsigned vr)
{
    for (unsigned h = FIRST; h < HOSTS(t); h++)
        if ((t->vectors.held[h] & ~CHANGED) == vr)
            return h;
    return NOWHERE;
}

static void put_back(struct translation *t, unsigned host)
{
    if (t->vectors.held[host] != NOWHERE && t->vectors.held[host] & CHANGED)
        x86_vstore(&t->x, host, CPU, V_AT(t->vectors.held[host] & ~CHANGED));
}

/* A register for one that has none: free, or that of the one which was not used for longest. */
static unsigned room_for(struct translation *t, unsigned vr)
{
    unsigned best = FIRST;
    for (unsigned h = FIRST; h < HOSTS(t); h++) {
        if (t->vectors.held[h] == NOWHERE) {
            best = h;
            break;
        }
        if (t->vector_used[h] < t->vector_used[best])
            best = h;
    }
    put_back(t, best);
    t->vectors.held[best] = (uint8_t)vr;
    return best;
}

static void used(struct translation *t, unsigned vr, unsigned host)
{
    t->vectors_touched |= 1u << vr;
    t->vector_used[host] = t->vector_time;
}

bool vector_held(struct translation *t, unsigned vr)
{
    t->vectors_touched |= 1u << vr;
    return host_for(t, vr) != NOWHERE;
}

unsigned vector_read(struct translation *t, unsigned vr)
{
    unsigned host = host_for(t, vr);
    if (host == NOWHERE) {
        host = room_for(t, vr);
        x86_vload(&t->x, host, CPU, V_AT(vr));
    }
    used(t, vr, host);
    return host;
}

unsigned vector_low(struct translation *t, unsigned vr, unsigned scratch)
{
    const unsigned host = vector_read(t, vr);
    if (host < EVERY)
        return host;
    x86_vmov(&t->x, scratch, host);
    return scratch;
}

unsigned vector_write(struct translation *t, unsigned vr)
{
    unsigned host = host_for(t, vr);
    if (host == NOWHERE)
        host = room_for(t, vr);
    t->vectors.held[host] = (uint8_t)(vr | CHANGED);
    t->vectors_changed |= 1u << vr;
    used(t, vr, host);
    return host;
}

unsigned vector_write_low(struct translation *t, unsigned vr)
{
    const unsigned host = vector_write(t, vr);
    return host < EVERY ? host : 0;
}

void vector_written(struct translation *t, unsigned vr, unsigned from)
{
    const unsigned host = vector_write(t, vr);
    if (host != from)
        x86_vmov(&t->x, host, from);
}

unsigned vector_change(struct translation *t, unsigned vr)
{
    vector_read(t, vr);
    return vector_write(t, vr);
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

void vectors_store(struct translation *t)
{
    for (unsigned h = FIRST; h < HOSTS(t); h++)
        put_back(t, h);
}

void vectors_load(struct translation *t)
{
    for (unsigned h = FIRST; h < HOSTS(t); h++)
        if (t->vectors.held[h] != NOWHERE)
            x86_vload(&t->x, h, CPU, V_AT(t->vectors.held[h] & ~CHANGED));
}

void vectors_forget(struct translation *t) { memset(t->vectors.held, NOWHERE, sizeof t->vectors.held); }

/* Are its operands those in struct cpu? So are those of floating-point instructions. */
static bool in_struct(const struct template *template, const struct dis_insn *insn)
{
    const uint32_t flags = dis_rows[insn->row].flags;
    return flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH) || (flags & DIS_NEEDS_VECTOR && template->flags & BY_FORMAT);
}

void vectors_before(struct translation *t, const struct template *template)
{
    const bool branch = template->flags & BRANCHES && collects(t); /* which may call a C function */
    t->vector_time++;
    if (!branch && !in_struct(template, &t->insn))
        return;
    vectors_store(t);
    for (unsigned h = FIRST; h < HOSTS(t); h++)
        if (branch)
            t->vectors.held[h] = NOWHERE;
        else if (t->vectors.held[h] != NOWHERE)
            t->vectors.held[h] &= (uint8_t)~CHANGED;
}

void vectors_behind(struct translation *t, const struct template *template)
{
    const bool pair = dis_rows[t->insn.row].flags & DIS_FP_PAIR_R1;
    for (unsigned vr = t->op->r1; in_struct(template, &t->insn) && vr <= t->op->r1 + (pair ? 2u : 0u); vr += 2) {
        const unsigned host = host_for(t, vr);
        if (host != NOWHERE)
            t->vectors.held[host] = NOWHERE;
    }
}

/* ---- loops ------------------------------------------------------------------------------------------------------ */

bool vectors_stay(const struct template *template, const struct dis_insn *insn)
{
    return dis_rows[insn->row].flags & DIS_NEEDS_VECTOR && !in_struct(template, insn);
}

bool vectors_choose(struct translation *t)
{
    unsigned h = FIRST;
    if (!t->vectors_touched || collects(t) || (unsigned)__builtin_popcount(t->vectors_touched) > HOSTS(t) - FIRST)
        return false;
    memset(t->loop_vectors.held, NOWHERE, sizeof t->loop_vectors.held);
    for (unsigned vr = 0; vr < 32; vr++)
        if (t->vectors_touched >> vr & 1)
            t->loop_vectors.held[h++] = (uint8_t)(vr | (t->vectors_changed >> vr & 1 ? CHANGED : 0));
    return true;
}

void vectors_enter(struct translation *t)
{
    vectors_forget(t);
    if (!(t->split & VECTORS))
        return;
    t->vectors = t->loop_vectors;
    vectors_load(t);
}
