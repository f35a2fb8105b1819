/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file with symbols, as the files of this folder share it. Addresses are those of the file: without load bias. */
#ifndef ZRI_EMU_SYMBOLS_INTERNAL_H
#define ZRI_EMU_SYMBOLS_INTERNAL_H

#include "emu/symbols/unwind.h"
#include "ri/profile/show/source.h"
#include <time.h>

enum symbols_kind {
    SYMBOLS_RAW, /* bytes as they stand in storage, the first at the load bias */
    SYMBOLS_MAP, /* a text: addresses and names */
    SYMBOLS_ELF
};

struct symbols_function {
    uint64_t start, end; /* end: exclusive */
    const char *name;
    uint8_t rank; /* of several at one address that with the lowest stays */
    bool open;    /* its size is not known: it ends where the next one begins, at `end` at the latest */
    bool label;   /* it may be a place within another function */
};

/* Code in an ELF file. */
struct symbols_segment {
    uint64_t start;
    size_t offset, size; /* of what is in the file */
};

struct symbols_lines; /* source lines of an ELF file */

struct symbols_file {
    char *path;
    const char *name; /* the last part of the path */
    uint8_t *bytes;   /* with a NUL behind them */
    size_t size;
    uint8_t digest[32];
    struct timespec changed; /* when its contents were */
    uint64_t address;        /* the load bias, when it was given */
    uint64_t first;          /* where the first segment begins */
    enum symbols_kind kind;
    bool has_digest, has_address, used;
    struct symbols_segment *segment;
    unsigned segments;
    struct symbols_function *function; /* in the order of addresses, one at each */
    size_t functions;
    struct Elf *elf;             /* of libelf */
    struct symbols_lines *lines; /* NULL: there are none */
};

/* Reads segments, functions and lines of an ELF file whose bytes are there. -EINVAL: it is damaged, or not of an s390x;
   -EOPNOTSUPP: this build has no libdw; -ENOMEM. */
int symbols_elf_open(struct symbols_file *file, char *error, size_t size) MUST_USE;
void symbols_elf_close(struct symbols_file *file);
/* As ep_source's. */
unsigned symbols_elf_frames(struct symbols_file *file, uint64_t address, struct ep_frame *frame, unsigned most);
/* The line alone, which is quicker. */
bool symbols_elf_line(struct symbols_file *file, uint64_t address, struct ep_frame *frame);
/* Lines and functions within `start` to `end`; addresses are told with `bias`. 0, or what the listener returned. */
int symbols_elf_list(struct symbols_file *file, uint64_t start, uint64_t end, uint64_t bias,
                     const struct ep_source_listener *listener) MUST_USE;

/* Reads the functions of a text of addresses; puts NULs into it. -EINVAL, -ENOMEM. */
int symbols_map_read(struct symbols_file *file, char *error, size_t size) MUST_USE;

/* Puts functions in order: one at each address; labels within other functions go; open ones end where the next one
   begins. */
void symbols_order(struct symbols_file *file);

#endif
