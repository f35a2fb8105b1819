/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/dev/image/host_file.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

int host_file_read(int file, uint64_t end, uint64_t offset, uint8_t *to, size_t length)
{
    while (length && offset < end) {
        const size_t inside = end - offset < length ? (size_t)(end - offset) : length;
        ssize_t n = pread(file, to, inside, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : -EIO;
        to += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    if (length)
        memset(to, 0, length);
    return 0;
}

int host_file_write(int file, uint64_t offset, const uint8_t *from, size_t length)
{
    while (length) {
        ssize_t n = pwrite(file, from, length, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : -ENOSPC;
        from += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return 0;
}
