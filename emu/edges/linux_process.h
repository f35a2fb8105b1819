/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which program a Linux process runs, and where its modules lie, read from its own storage alone: nothing of it is of
   one kernel. Assumed are the initial process stack of the ELF ABI (the name of the file at the very top, the auxiliary
   vector below it) and, for shared objects, the list that the run-time linker keeps for debuggers (DT_DEBUG). Where a
   program has overwritten these, it has no name. What is read is a guest's: whatever stands there, the answer is a
   bounded one. */
#ifndef ZRI_EMU_EDGES_LINUX_PROCESS_H
#define ZRI_EMU_EDGES_LINUX_PROCESS_H

#include "base/bits.h"
#include <stddef.h>

#define LINUX_NAME    64u /* bytes of a name with its zero; longer ones are cut */
#define LINUX_MODULES 64u /* executable segments of a process that are kept */

/* Storage of the process. */
struct linux_reader {
    void *context;
    /* `length` bytes at a virtual address, which lie in one block of 4 KB. False: not there now. */
    bool (*read)(void *context, uint64_t address, void *to, size_t length);
};

/* An executable segment. */
struct linux_module {
    char name[LINUX_NAME];     /* of the file, without its folders */
    uint64_t start, end, bias; /* end is exclusive */
};

struct linux_process {
    char program[LINUX_NAME];   /* name of the file, without its folders */
    uint64_t name_at;           /* where the stack has its whole name */
    uint64_t vdso, entry, base; /* of the auxiliary vector; 0: not there. base is the run-time linker's */
    uint64_t headers;           /* its program headers */
    unsigned header_count, modules;
    struct linux_module module[LINUX_MODULES]; /* in the order of their finding, apart from each other */
};

/* The program of the process whose stack pointer is `stack`: that of its first thread, at any time. False: nothing that
   looks like a program's initial stack lies in the LINUX_STACK_MOST bytes above. */
#define LINUX_STACK_MOST (UINT64_C(16) << 20)
bool linux_process_find(const struct linux_reader *reader, uint64_t stack, struct linux_process *process);

/* Is that still the program that was found? After execve(), or where another process has got the same tables, it is
   not. */
bool linux_process_same(const struct linux_reader *reader, const struct linux_process *process);

/* Finds modules that are not known yet: the program, the run-time linker and what that has loaded so far. Those that
   were found before stay where they are. */
void linux_process_modules(const struct linux_reader *reader, struct linux_process *process);

#endif
