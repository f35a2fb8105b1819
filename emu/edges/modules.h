/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modules of edge profiles: what was loaded by files that are named. */
#ifndef ZRI_EMU_EDGES_MODULES_H
#define ZRI_EMU_EDGES_MODULES_H

#include "ipl/load.h"
#include "ri/profile/file/profile.h"

#define EDGE_MODULES 64u

struct edge_modules {
    struct ep_module module[EDGE_MODULES]; /* their space is the target program's first */
    unsigned count;
    bool kernel; /* one of the files is a Linux kernel: what runs is not what stands in it */
};

/* Looks at the files of these images; those that are no files, or cannot be read, are none. */
void edge_modules_find(struct edge_modules *modules, const struct ipl_request *images, unsigned count);
void edge_modules_forget(struct edge_modules *modules);
/* The name that a path ends with. */
const char *edge_modules_base(const char *path);

#endif
