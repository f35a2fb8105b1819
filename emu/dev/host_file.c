/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/dev/host_file.h"
#include <errno.h>
#include <unistd.h>

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
