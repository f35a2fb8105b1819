/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute storage. PoP chapter 3. */
#include "cpu/storage/main.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MIB (UINT64_C(1) << 20)

void *storage_map(uint64_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void *storage_map_large(uint64_t size, uint64_t small)
{
    uint8_t *const bytes = storage_map(size);
#ifdef MADV_HUGEPAGE
    if (bytes)
        (void)!madvise(bytes + small, size - small, MADV_HUGEPAGE); /* without them it is slower */
#endif
    return bytes;
}

void storage_populate(void *bytes, uint64_t size)
{
#ifdef MADV_POPULATE_WRITE
    const uintptr_t page = PAGE_SIZE_Z,
                    first = ((uintptr_t)bytes + page - 1) & -page; /* refused where pages are larger */
    if (size >= 2 * page)
        (void)!madvise((uint8_t *)bytes + (first - (uintptr_t)bytes), (size - page) & -page, MADV_POPULATE_WRITE);
#else
    (void)bytes, (void)size;
#endif
}

/* Guests use storage here and there, and for each small page the host walks through tables of its own: machines of this
   size get large ones where there are some. */
#define LARGE (64 * MIB)

int storage_create(struct storage *s, uint64_t size)
{
    *s = (struct storage){0};
    if (size < MIB || size > (UINT64_C(1) << 40))
        return -EINVAL;
    size = (size + MIB - 1) & ~(MIB - 1);
    size_t pages = (size_t)(size >> PAGE_BITS);
    s->bytes = size >= LARGE ? storage_map_large(size + PAGE_SIZE_Z, 0) : storage_map(size + PAGE_SIZE_Z);
    if (!s->bytes)
        return -ENOMEM;
    s->size = s->total = size;
    s->keys = calloc(pages, 1);
    s->code_lines = calloc(pages, sizeof *s->code_lines);
    s->slots = calloc(pages, sizeof *s->slots);
    s->write_slots = calloc(pages, sizeof *s->write_slots);
    s->page_flags = calloc(pages, 1);
    s->page_changes = calloc(pages, 1);
    s->table_entries = storage_map(pages * sizeof *s->table_entries);
    if (!s->keys || !s->code_lines || !s->slots || !s->write_slots || !s->page_flags || !s->page_changes ||
        !s->table_entries) {
        storage_destroy(s);
        return -ENOMEM;
    }
    return 0;
}

void storage_destroy(struct storage *s)
{
    if (s->bytes)
        munmap(s->bytes, s->total + PAGE_SIZE_Z);
    if (s->table_entries)
        munmap(s->table_entries, (s->total >> PAGE_BITS) * sizeof *s->table_entries);
    free(s->keys);
    free(s->code_lines);
    free(s->slots);
    free(s->write_slots);
    free(s->page_flags);
    free(s->page_changes);
    *s = (struct storage){0};
}

void storage_clear(struct storage *s)
{
    if (madvise(s->bytes, s->total, MADV_DONTNEED))
        memset(s->bytes, 0, s->total);
    memset(s->keys, 0, s->total >> PAGE_BITS);
    storage_reset_states(s);
}

void storage_reset_states(struct storage *s)
{
    for (uint64_t page = 0; page < s->total >> PAGE_BITS; page++)
        s->page_flags[page] &= (uint8_t)~PAGE_STATE;
}

void storage_record_store(struct storage *s, uint64_t absolute, uint64_t length)
{
    for (uint64_t end = absolute + length; absolute < end && absolute < s->size;
         absolute = (absolute | ~PAGE_ADDRESS) + 1) {
        uint8_t *key = &s->keys[absolute >> PAGE_BITS];
        if ((storage_key(s, absolute) & (KEY_R | KEY_C)) != (KEY_R | KEY_C))
            __atomic_fetch_or(key, KEY_R | KEY_C, __ATOMIC_RELAXED);
    }
}
