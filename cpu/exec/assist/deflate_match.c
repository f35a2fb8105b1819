/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL: strings that occurred before. How well they are found is the model's own business; PoP
   chapter 26 (SA22-7832-13) asks only that the result expands to the data. */
#include "cpu/exec/assist/deflate.h"

enum { SHORTEST = 3, LONGEST = 258, LOOKED_AT = 24 };

static unsigned hash(const uint8_t *p)
{
    const uint32_t word = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    return word * UINT32_C(0x9e3779b1) >> 19;
}

static void insert_before(struct deflate_matcher *m, unsigned at)
{
    for (; m->inserted < at && m->inserted + SHORTEST <= m->end; m->inserted++) {
        const unsigned h = hash(m->window + m->inserted);
        m->before[m->inserted] = m->head[h];
        m->head[h] = (uint16_t)m->inserted;
    }
}

void deflate_match_begin(struct deflate_matcher *m, unsigned history, unsigned length)
{
    m->history = m->at = history;
    m->end = history + length;
    m->inserted = 0;
    memset(m->head, 0, sizeof m->head);
}

unsigned deflate_match(struct deflate_matcher *m, unsigned *distance)
{
    const unsigned left = m->end - m->at, most = left < LONGEST ? left : LONGEST;
    const uint8_t *here = m->window + m->at;
    unsigned best = 0;
    insert_before(m, m->at);
    if (most < SHORTEST || !m->at)
        return 0;
    /* Position 0 ends a chain and is not found but by its neighbour. */
    unsigned from = m->head[hash(here)];
    for (unsigned n = 0; n < LOOKED_AT && from && m->at - from <= DEFLATE_WINDOW; n++, from = m->before[from]) {
        const uint8_t *there = m->window + from;
        unsigned length = 0;
        while (length < most && there[length] == here[length])
            length++;
        if (length >= SHORTEST && length > best) {
            best = length;
            *distance = m->at - from;
        }
        if (best == most)
            break;
    }
    return best;
}
