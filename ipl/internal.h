/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of ipl/ only. */
#ifndef ZRI_IPL_INTERNAL_H
#define ZRI_IPL_INTERNAL_H

#include "base/message.h"
#include "ipl/load.h"

/* Where a load starts. */
enum ipl_start_kind { IPL_START_NONE, IPL_START_PSW_AT_0, IPL_START_ENTRY };

/* Bytes for absolute storage, followed by `zero` bytes of zeros. Pieces are stored in order; later ones win. */
struct ipl_piece {
    uint64_t address;
    uint8_t *bytes; /* owned */
    uint64_t length;
    uint64_t zero;
};

struct ipl_load {
    const struct ipl_files *files;
    uint64_t storage_size;
    struct ipl_piece *pieces;
    unsigned count, room;
    enum ipl_start_kind start;
    uint64_t entry;
    enum ipl_kind kind;
    struct ipl_symbols *symbols; /* of accepted images */
    struct ipl_symbols *staged;  /* of the image being added */
};

/* Add a piece; `bytes` is copied unless `take`, then it is owned by the load in any case (freed on failure too). */
int ipl_piece(struct ipl_load *load, const char *name, uint64_t address, uint8_t *bytes, uint64_t length, uint64_t zero,
              bool take, char *error, size_t size) MUST_USE;
/* Remember the start, unless an earlier image of this load has decided it. */
void ipl_start(struct ipl_load *load, enum ipl_start_kind start, uint64_t entry);

/* The formats. `bytes` stays the caller's. */
bool ipl_is_elf(const uint8_t *bytes, uint64_t length);
int ipl_elf(struct ipl_load *load, const char *name, const uint8_t *bytes, uint64_t length, char *error,
            size_t size) MUST_USE;
bool ipl_is_linux(const uint8_t *bytes, uint64_t length);
int ipl_linux(struct ipl_load *load, const struct ipl_request *request, const uint8_t *bytes, uint64_t length,
              char *error, size_t size) MUST_USE;
/* The text and a zero byte where a Linux kernel has its command line: for other images that look there. */
int ipl_command_line(struct ipl_load *load, const char *text, char *error, size_t size) MUST_USE;
bool ipl_is_deck(const uint8_t *bytes, uint64_t length);
int ipl_deck(struct ipl_load *load, const struct ipl_request *request, const uint8_t *bytes, uint64_t length,
             char *error, size_t size) MUST_USE;
int ipl_ins(struct ipl_load *load, const char *path, const uint8_t *bytes, uint64_t length, char *error,
            size_t size) MUST_USE;

/* Move all symbols of `from` into `to`; on -ENOMEM `to` is unchanged. */
int ipl_symbols_move(struct ipl_symbols *to, struct ipl_symbols *from) MUST_USE;
void ipl_symbols_clear(struct ipl_symbols *symbols);

#endif
