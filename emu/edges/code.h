/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spaces of instruction fetches, and the code in them, for edge profiles: read without a trace in the machine. */
#ifndef ZRI_EMU_EDGES_CODE_H
#define ZRI_EMU_EDGES_CODE_H

#include "cpu/state/edges.h"
#include "ri/profile/collect.h"

/* Address spaces by number, in the order in which they were first seen. */
#define EDGE_SPACES 65536u
#define EDGE_NAME   64u /* bytes of the name of a space, or of a module in it, with the zero */
struct edge_spaces {
    struct edge_space {
        uint64_t asce;
        char *name;   /* of what runs in it; NULL: not known */
        uint8_t kind; /* enum ep_space_kind */
    } * space;
    uint32_t *slot; /* numbers plus one, by hash; 0: free */
    uint32_t count, room, slots;
    bool full; /* a space got no number of its own */
};

/* The number of a space, the latest of that kind and element. False: there is none. */
bool edge_spaces_find(const struct edge_spaces *spaces, unsigned kind, uint64_t asce, uint32_t *number);
/* One more with a number of its own, unless *added is false: all that come when EDGE_SPACES are there, or without host
   memory, are the last one. */
uint32_t edge_spaces_add(struct edge_spaces *spaces, unsigned kind, uint64_t asce, const char *name, bool *added);
void edge_spaces_destroy(struct edge_spaces *spaces);

/* Pages of code that were looked at. */
struct edge_code {
    struct cpu_edges_system *machine;
    struct cpu *cpu; /* whose DAT it is */
    const struct edge_spaces *spaces;
    struct edge_page *page; /* `pages` slots, a power of two */
    size_t pages, used;
    bool settles;  /* CPUs stand still while code is looked at */
    uint64_t look; /* what is translated holds while this number is the same */
    /* A page that is read has changed since it was told of; NULL: nobody asks. */
    void (*changed)(void *context, uint32_t space, uint64_t page, uint64_t epoch);
    void *context;
};

/* The machine may have changed its mappings since the last look. */
static inline void edge_code_look(struct edge_code *code, struct cpu *cpu)
{
    code->cpu = cpu;
    code->look++;
}
/* As struct ep_code has them; the context is a struct edge_code. */
bool edge_code_fetch(void *code, struct ep_place place, uint8_t bytes[6], uint64_t *changed);
bool edge_code_page(void *code, struct ep_place place, uint64_t *changed);
/* What has changed is told of again. */
void edge_code_told_anew(struct edge_code *code);
void edge_code_destroy(struct edge_code *code);

#endif
