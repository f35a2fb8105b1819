/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compression of exception numbers (specification 3.8). */
#include "ri/trace/compress.h"

void et_compress_make(struct et_compress *c, const struct et_config *config)
{
    c->how = (enum et_comp)ET_GET(config, ETFR, COMP);
    c->size = c->how == ET_COMP_FIFO ? 2u << ET_GET(config, ETFR, FIFOSZ) : 1u << ET_GET(config, ETFR, STKD);
    et_compress_reset(c);
}

void et_compress_reset(struct et_compress *c)
{
    c->remembered = false;
    c->depth = c->top = c->written = 0;
}

int et_compress_find(const struct et_compress *c, enum et_fn fn, unsigned en)
{
    switch (c->how) {
    case ET_COMP_PREVIOUS:
        return c->remembered && c->previous == en ? 0 : -1;
    case ET_COMP_STACK:
        return fn != ET_FN_ENTRY && c->depth && c->entry[c->top] == en ? 0 : -1;
    case ET_COMP_FIFO:
        for (unsigned back = 1; back <= c->written; back++) {
            const unsigned place = (c->top - back) & (c->size - 1);
            if (c->entry[place] == en)
                return (int)place;
        }
        return -1;
    default:
        return -1;
    }
}

static void stack_note(struct et_compress *c, unsigned en, bool matched)
{
    if (matched) {
        c->top = (c->top - 1) & (c->size - 1);
        c->depth--;
        return;
    }
    c->top = (c->top + 1) & (c->size - 1); /* a full stack loses its bottom */
    c->entry[c->top] = (uint16_t)en;
    if (c->depth < c->size)
        c->depth++;
}

void et_compress_note(struct et_compress *c, unsigned en, bool matched)
{
    c->previous = (uint16_t)en;
    c->remembered = true;
    if (c->how == ET_COMP_STACK)
        stack_note(c, en, matched);
    if (c->how == ET_COMP_FIFO) {
        c->entry[c->top] = (uint16_t)en;
        c->top = (c->top + 1) & (c->size - 1);
        if (c->written < c->size)
            c->written++;
    }
}
