/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code buffer of a CPU: one piece of memory, mapped twice. Where it may be written nothing runs, and where it runs
   nothing can be written. */
#define _GNU_SOURCE /* memfd_create */
#include "cpu/translate/emit/internal.h"
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int refused(char *why, size_t size, const char *what)
{
    const int error = errno ? errno : ENOMEM;
    snprintf(why, size, "the host gives no memory for translated code (%s: %s); blocks are carried out by handlers",
             what, strerror(error));
    return -error;
}

/* Programs with much code go all over it, and for each small page the host walks through tables of its own. So behind
   the first bytes that would fill a large page all are large, where the host has some; for that both mappings begin at
   a boundary of these. */
#define LARGE (UINT64_C(2) << 20)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* Address space from such a boundary on. */
static uint8_t *reserve(uint64_t size)
{
    uint8_t *const all = mmap(NULL, size + LARGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    const uint64_t front = -(uint64_t)(uintptr_t)all & (LARGE - 1);
    if (front)
        munmap(all, front);
    munmap(all + front + size, LARGE - front);
    return all + front;
}

static bool map(uint8_t *at, uint64_t size, int may, int fd)
{
    return mmap(at, size, may, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
}

int code_buffer_create(struct code_buffer *buffer, uint64_t size, char *why, size_t why_size)
{
    const int fd = memfd_create("zri-code", MFD_CLOEXEC);
    if (fd < 0)
        return refused(why, why_size, "memfd_create");
    int code = 0;
    uint8_t *both = NULL;
    if (ftruncate(fd, (off_t)size))
        code = refused(why, why_size, "ftruncate");
    else if (!(both = reserve(2 * size)))
        code = refused(why, why_size, "mmap");
    else if (!map(both, size, PROT_READ | PROT_WRITE, fd))
        code = refused(why, why_size, "mmap for writing");
    else if (!map(both + size, size, PROT_READ | PROT_EXEC, fd))
        code = refused(why, why_size, "mmap for running");
    close(fd);
    /* Of code in Linux 44 bytes of 81 are in the first part. */
    const uint64_t part = size / 16 * 9, apart = size < 2 * LARGE ? part : part & -LARGE;
    if (!code)
        *buffer = (struct code_buffer){both, both + size, size, {{.end = apart}, {apart, apart, size, apart, apart}}};
    else if (both)
        munmap(both, 2 * size);
    return code;
}

static bool made_large(uint8_t *at, bool present)
{
    return !madvise(at, LARGE, MADV_HUGEPAGE) && (present || !madvise(at, LARGE, MADV_POPULATE_WRITE)) &&
           !madvise(at, LARGE, MADV_COLLAPSE);
}

static void part_filled(struct code_buffer *buffer, struct code_part *p)
{
    while (p->used - p->begin >= LARGE && p->used >= p->large && p->end - p->large >= LARGE) {
        uint8_t *const write = buffer->write + p->large, *const run = buffer->run + p->large;
        p->large += LARGE;
        if (!made_large(write, false) || !made_large(run, true))
            p->large = p->end; /* it is not asked for again */
    }
}

void code_buffer_filled(struct code_buffer *buffer)
{
    part_filled(buffer, &buffer->parts[0]);
    part_filled(buffer, &buffer->parts[1]);
}

void code_buffer_destroy(struct code_buffer *buffer) { munmap(buffer->write, 2 * buffer->size); }
