/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a machine starts: image formats, and the initial PSW that they ask for.

   Loading is done in two steps, so that a machine is never half loaded: images are first *added* to a load (read,
   checked in full, placed), and only when every one of them was accepted is the load *stored* into absolute storage. */
#ifndef ZRI_IPL_LOAD_H
#define ZRI_IPL_LOAD_H

#include "cpu/state/system.h"
#include "ipl/hostfile.h"
#include "ipl/symbols.h"

/* A load: pieces for absolute storage, where to start, symbols. */
struct ipl_load;

enum ipl_kind {
    IPL_KIND_AUTO,  /* by contents: ELF, kernel, deck, .ins by name; else raw */
    IPL_KIND_RAW,   /* bytes, at an address */
    IPL_KIND_ELF,   /* ELF64 big-endian S/390 executable */
    IPL_KIND_INS,   /* list of "file address" lines */
    IPL_KIND_DECK,  /* S/390 object deck: ESD, TXT, RLD, END cards of 80 bytes */
    IPL_KIND_LINUX, /* Linux kernel image */
};

/* One image to add. Zero-initialize; only `path` is needed. */
struct ipl_request {
    const char *path;
    enum ipl_kind kind;
    bool has_address; /* `address` was given: IMAGE@ADDRESS; raw: default 0, deck: load origin, others: refused */
    uint64_t address;
    const char *initrd; /* Linux: path of the initial RAM disk, or NULL */
    const char
        *append; /* kernel command line, or NULL to leave the image's own; builtin:linux-user: arguments. An image that
                    is no Linux kernel finds the text where one would, at 10480, ended by a zero byte */
};

/* A new empty load for a machine with `storage_size` bytes; nothing beyond is accepted. NULL: no host memory. */
struct ipl_load *ipl_load_new(const struct ipl_files *files, uint64_t storage_size) MUST_USE;
void ipl_load_free(struct ipl_load *load);

/* Split "IMAGE@ADDRESS" (ADDRESS hexadecimal, with or without 0x) in place and fill path, has_address and address. An @
   whose right side is not a hexadecimal number belongs to the name. Returns 0 or -EINVAL with a sentence. */
int ipl_parse_argument(char *argument, struct ipl_request *request, char *error, size_t size) MUST_USE;

/* Read, check and place one image. A file that is gzip-compressed as a whole is unpacked first (when built with zlib).
   Returns 0, or a negative errno and a sentence that names thing, place and remedy; the load is then as it was before.
   The first image that can be started decides where the machine starts. */
int ipl_add(struct ipl_load *load, const struct ipl_request *request, char *error, size_t size) MUST_USE;

/* What was recognized in the latest ipl_add(). */
enum ipl_kind ipl_kind_of(const struct ipl_load *load);

/* Store all pieces into absolute storage and drop decoded code there. Cannot fail when `sys` has at least the storage
   size that the load was made for; otherwise -EFAULT and nothing was stored. */
int ipl_store(const struct ipl_load *load, struct cpu_system *sys) MUST_USE;

/* The PSW to start with (all 128 bits in z/Architecture format), after ipl_store(). Raw images at 0, .ins lists and
   decks at 0 without an entry: the PSW in absolute 0-7 as after IPL (bit 12 one: a short PSW; bit 12 zero: the 16 bytes
   at 0 are taken). Others: 64-bit addressing, supervisor state, DAT off, all interruptions masked, at the entry address
   (raw: its first byte). Returns 0, or -ENOEXEC with a sentence when there is nothing to start. */
int ipl_start_psw(const struct ipl_load *load, const struct storage *storage, uint64_t *mask, uint64_t *ia, char *error,
                  size_t size) MUST_USE;

/* Number of bytes that will be stored, and highest address used plus 1. */
uint64_t ipl_load_bytes(const struct ipl_load *load);
uint64_t ipl_load_end(const struct ipl_load *load);

/* The symbols of all images added so far (ELF symbol tables, deck names). Never NULL. Owned by the load. */
struct ipl_symbols *ipl_load_symbols(struct ipl_load *load);

#endif
