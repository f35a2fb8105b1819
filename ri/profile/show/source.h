/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands behind the addresses of a profile: code and source lines, from whoever has the files of its modules. */
#ifndef ZRI_RI_PROFILE_SHOW_SOURCE_H
#define ZRI_RI_PROFILE_SHOW_SOURCE_H

#include "ri/profile/file/profile.h"

/* Deeper chains of inlined functions are cut at the outer end. */
#define EP_FRAMES_MOST 32u

/* A function that an instruction belongs to, and where in it: the innermost one has the line of the instruction, an
   outer one that where the one before was inlined. Texts are any bytes and hold as long as the source. */
struct ep_frame {
    const char *function;   /* as the linker knows it; NULL: not known */
    const char *file;       /* of `line`; NULL: not known */
    uint32_t declared;      /* line where the function is declared; 0: not known */
    uint32_t line;          /* 0: not known */
    uint32_t discriminator; /* tells blocks of one line apart; 0: none */
};

/* Who is told everything that has a line in a file, executed or not. Other than 0 ends it. */
struct ep_source_listener {
    void *context;
    int (*line)(void *context, const char *file, uint32_t line);
    /* A function: its name, where it is declared (`declared` and `file`), and its addresses. */
    int (*function)(void *context, const struct ep_frame *frame, uint64_t start, uint64_t end);
};

/* Spaces and modules are numbers of the profile, addresses those of the run. All are asked for any address. */
struct ep_source {
    void *context;
    /* Was the file of this module given? */
    bool (*given)(void *context, uint32_t module);
    /* Where the first segment of that file was loaded; false: it was not given. */
    bool (*first)(void *context, uint32_t module, uint64_t *address);
    /* The instruction at an address (`bytes` receives its 2, 4 or 6 bytes). False: there is no code known. */
    bool (*code)(void *context, uint32_t space, uint64_t address, uint8_t bytes[6]);
    /* The source of the instruction at an address, innermost function first: how many of `frame`, at most `most`. */
    unsigned (*frames)(void *context, uint32_t space, uint64_t address, struct ep_frame *frame, unsigned most);
    /* All lines and functions of a module. 0 or what the listener returned. */
    int (*list)(void *context, uint32_t module, const struct ep_source_listener *listener);
};

/* 0 when the file of every module with a site or run was given; -ENOENT: `error` names one that was not and the option
   for it. `source` NULL: none was. */
int ep_source_complete(const struct ep_source *source, const struct ep_profile *profile, char *error,
                       size_t size) MUST_USE;
/* The instructions of a run or block, from `first` to the one at `last`: calls `each` with the address and bytes of
   each. -ENOENT: code is not known, or does not lead to `last` (`error` says where); what `each` returned. */
int ep_source_walk(const struct ep_source *source, uint32_t space, uint64_t first, uint64_t last,
                   int (*each)(void *context, uint64_t address, const uint8_t bytes[6]), void *context, char *error,
                   size_t size) MUST_USE;

#endif
