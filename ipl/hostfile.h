/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of files of the host. */
#ifndef ZRI_IPL_HOSTFILE_H
#define ZRI_IPL_HOSTFILE_H

#include "base/bits.h"
#include <stddef.h>

/* Where the bytes of named files come from. The program uses ipl_host_files; tests and fuzzers hand in their own. */
struct ipl_files {
    void *context;
    /* Read the whole of `path`, at most `limit` bytes, into memory that the caller frees with free(). Returns 0, or a
       negative errno (-EFBIG: longer than limit) with a sentence in error[size]. */
    int (*read)(void *context, const char *path, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error,
                size_t size);
};
extern const struct ipl_files ipl_host_files;

#endif
