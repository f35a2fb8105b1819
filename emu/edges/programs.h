/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs in the spaces of an edge profile, where that can be told from outside: programs of a Linux guest by their
   own storage (emu/edges/linux_process.h), its kernel when zri has loaded it. A space that another program gets
   becomes another one, with a number of its own. */
#ifndef ZRI_EMU_EDGES_PROGRAMS_H
#define ZRI_EMU_EDGES_PROGRAMS_H

#include "emu/edges/code.h"

struct edge_programs {
    struct edge_spaces *spaces;
    bool kernel;                  /* the home space of the supervisor state is a Linux kernel's */
    struct edge_program *program; /* by the number of the space */
    uint32_t room;
};

/* The number of the space that `cpu` fetches from now, `kind` and `asce` of it; *added: it is new, and stands in
   `spaces` with its name. */
uint32_t edge_programs_space(struct edge_programs *programs, struct cpu *cpu, unsigned kind, uint64_t asce,
                             bool *added);

/* `address` in space `number` is or was executed: tells of the modules there that were not told of, when there may be
   any; their names until the next call. */
void edge_programs_modules(struct edge_programs *programs, struct cpu *cpu, uint32_t number, uint64_t address,
                           void (*tell)(void *context, const struct ep_module *module), void *context);
/* Is it known which program that space has? */
bool edge_programs_knows(const struct edge_programs *programs, uint32_t number);
/* Has that space no modules, or all that there will be? Then it need not be asked for them. */
bool edge_programs_settled(const struct edge_programs *programs, uint32_t number);
void edge_programs_destroy(struct edge_programs *programs);

#endif
