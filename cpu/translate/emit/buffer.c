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

int code_buffer_create(struct code_buffer *buffer, uint64_t size, char *why, size_t why_size)
{
    const int fd = memfd_create("zri-code", MFD_CLOEXEC);
    if (fd < 0)
        return refused(why, why_size, "memfd_create");
    int code = 0;
    void *write = MAP_FAILED, *run = MAP_FAILED;
    if (ftruncate(fd, (off_t)size))
        code = refused(why, why_size, "ftruncate");
    if (!code && (write = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        code = refused(why, why_size, "mmap for writing");
    if (!code && (run = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0)) == MAP_FAILED) {
        code = refused(why, why_size, "mmap for running");
        munmap(write, size);
    }
    close(fd);
    if (!code)
        *buffer = (struct code_buffer){.write = write, .run = run, .size = size};
    return code;
}

void code_buffer_destroy(struct code_buffer *buffer)
{
    munmap(buffer->write, buffer->size);
    munmap(buffer->run, buffer->size);
}
