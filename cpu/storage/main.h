/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life of absolute storage. PoP chapter 3. */
#ifndef ZRI_CPU_STORAGE_MAIN_H
#define ZRI_CPU_STORAGE_MAIN_H

#include "cpu/state/main_storage.h"

/* `size` bytes of zeros, on a page of the host, that take no memory of it before they are written, unlike those of
   calloc(), which clears what it gave before. NULL: there are none. munmap() ends them. */
void *storage_map(uint64_t size) MUST_USE;
/* The same, in the host's large pages where it has some, but for the first `small` bytes: whoever needs no more does
   not pay for one. */
void *storage_map_large(uint64_t size, uint64_t small) MUST_USE;
/* All of these bytes are about to be written: the host gives them at once, not page by page. */
void storage_populate(void *bytes, uint64_t size);

/* Make zeroed storage of `size` bytes (1 MiB to 1 TiB, rounded up to 1 MiB), keys zero.
   Returns 0 or a negative errno. The caller owns it and ends it with storage_destroy(). */
int storage_create(struct storage *storage, uint64_t size) MUST_USE;
void storage_destroy(struct storage *storage);
/* Clear reset: bytes and keys to zero, pages stable. Decoded code must be dropped by the caller
   (cpu_code_purge_all). */
void storage_clear(struct storage *storage);

/* Every block is stable and may have translation tables in it, as before any EXTRACT AND SET STORAGE ATTRIBUTES. */
void storage_reset_states(struct storage *storage);

/* Reference and change recording of a store that did not come through the accessors: by an interruption, an instruction
   with an operand at a real address, the operator. What lies outside storage is left away. */
void storage_record_store(struct storage *storage, uint64_t absolute, uint64_t length);

#endif
