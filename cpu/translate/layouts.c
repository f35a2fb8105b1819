/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a block that is a loop, or long and straight, has its general registers: which host registers they are in, and
   which are halved. What blocks have so is numbered, so that from one to another with the same nothing is done. */
#include "cpu/translate/plan.h"

/* Uses of registers by which a block's own choice has to be better than that of the block in front of it. */
#define MUCH_BETTER 8u

void layouts_begin(struct translator *r)
{
    for (unsigned gr = 0; gr < 16; gr++)
        r->layouts[0][gr] = (uint8_t)host_of(gr);
    r->layout_count = 1;
}

/* The register without a host's own that is used most, or (`own`) the one with it that is used least; 16: none. Those
   that were moved are neither. */
static unsigned candidate(const struct translation *t, bool own)
{
    unsigned best = 16;
    for (unsigned gr = 0; gr < 16; gr++) {
        if ((host_of(gr) != NOWHERE) != own || (t->hosts[gr] != NOWHERE) != own)
            continue;
        if (best == 16 || (own ? t->uses[gr] < t->uses[best] : t->uses[gr] > t->uses[best]))
            best = gr;
    }
    return best;
}

/* Registers without a host register get those of others that are used less often, by at least `gain`, or are not.
   False: none did. */
static bool choose(struct translation *t, unsigned gain, unsigned unused_gain)
{
    bool moved = false;
    for (unsigned gr = 0; gr <= 16; gr++)
        t->hosts[gr] = (uint8_t)host_of(gr);
    for (;;) {
        const unsigned in = candidate(t, false), out = candidate(t, true);
        if (in == 16 || out == 16 || t->uses[in] < t->uses[out] + (t->uses[out] ? gain : unused_gain))
            return moved;
        t->hosts[in] = t->hosts[out];
        t->hosts[out] = NOWHERE;
        moved = true;
    }
}

/* Registers to be halved: at least so many writes are to their words, and nothing is said of their left halves. */
static uint16_t halve(const struct translation *t, unsigned least)
{
    uint16_t narrow = 0;
    for (unsigned gr = 0; gr < 16; gr++)
        if (t->hosts[gr] != NOWHERE && t->word_writes[gr] >= least && !(t->doublewords >> gr & 1))
            narrow |= (uint16_t)(1u << gr);
    return narrow;
}

/* The number of the layout that t->hosts has, 0 when there are too many. */
static uint32_t layout_of(struct translation *t)
{
    struct translator *r = t->translator;
    unsigned n = 1;
    while (n < r->layout_count && memcmp(r->layouts[n], t->hosts, sizeof *r->layouts) != 0)
        n++;
    if (n == LAYOUTS)
        return 0;
    if (n == r->layout_count)
        memcpy(r->layouts[r->layout_count++], t->hosts, sizeof *r->layouts);
    return n;
}

/* How often a register is used that has one of the host. */
static unsigned used_there(const struct translation *t, const uint8_t *hosts)
{
    unsigned used = 0;
    for (unsigned gr = 0; gr < 16; gr++)
        used += hosts[gr] != NOWHERE ? t->uses[gr] : 0;
    return used;
}

/* A block that only continues one whose registers are moved, or halved, has them there, too, when its own choice is not
   much better: so nothing is done between the two. */
static bool keep_places(struct translation *t)
{
    struct translator *r = t->translator;
    const uint32_t narrow = r->latest.narrow;
    if (!narrow || r->latest.behind != t->block->ia || r->latest.key != t->cpu->block_key ||
        narrow & t->doublewords & UINT16_MAX)
        return false;
    const uint8_t *hosts = r->layouts[narrow >> LAYOUT_SHIFT];
    if (used_there(t, hosts) + MUCH_BETTER < used_there(t, t->hosts))
        return false;
    memcpy(t->hosts, hosts, sizeof *r->layouts);
    t->block->narrow = narrow;
    r->stats.kept++;
    return true;
}

/* Now that it is known how the block uses them: where its registers are in it. What is done in front of a loop and
   behind it costs nothing; elsewhere it has to pay: two instructions to halve a register or to move it, two or three to
   undo it. False: as outside. */
bool layout_choose(struct translation *t, enum shape shape)
{
    const bool any = shape == LOOP || t->translator->force.all;
    const bool moved = choose(t, t->translator->force.all ? 1 : 3, any ? 1 : 5);
    if (shape == STRAIGHT && keep_places(t))
        return true;
    t->block->narrow = halve(t, any ? 1 : 3);
    t->block->narrow |=
        (moved ? MOVED | layout_of(t) << LAYOUT_SHIFT : 0) | (shape == LOOP && vectors_choose(t) ? VECTORS : 0);
    return t->block->narrow;
}

void layout_remember(struct translation *t)
{
    struct translator *r = t->translator;
    const struct block *block = t->block;
    const struct op *op = &block->ops[block->tail];
    r->latest.narrow = 0;
    if (!block->tail || !falls(op) || !layout_shared(block->narrow))
        return;
    r->latest.narrow = block->narrow;
    r->latest.behind = BRANCH.target;
    r->latest.key = t->cpu->block_key;
}
