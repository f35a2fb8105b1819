/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of files of the host. */
#include "ipl/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int problem(int number, const char *path, char *error, size_t size)
{
    const char *remedy = number == ENOENT && strchr(path, '@')
                             ? "check the name; what stands behind its @ is no hexadecimal address"
                         : number == ENOENT ? "check the name"
                         : number == EACCES ? "check its permissions"
                         : number == EISDIR ? "name a file in it"
                                            : "look at the host's file system";
    return fail_with(-number, error, size, "%s: cannot read it: %s; %s", path, strerror(number), remedy);
}

/* Grows as it reads, so that pipes and files that change their size meanwhile are no danger. */
static int read_all(FILE *file, const char *path, uint64_t limit, uint64_t guess, uint8_t **bytes, uint64_t *length,
                    char *error, size_t size)
{
    uint64_t room = guess + 1, used = 0;
    uint8_t *all = malloc(room);
    while (all) {
        used += fread(all + used, 1, room - used, file);
        if (used < room)
            break;
        uint8_t *more = used <= limit ? realloc(all, room * 2) : NULL;
        if (!more && used > limit) {
            free(all);
            return fail_with(-EFBIG, error, size,
                             "%s: is longer than %" PRIu64 " bytes, more than the machine's storage can take; give it "
                             "more with --storage",
                             path, limit);
        }
        if (!more)
            free(all);
        all = more;
        room *= 2;
    }
    if (!all)
        return fail_with(-ENOMEM, error, size, "%s: no memory on the host to read it; close other programs", path);
    if (ferror(file)) {
        free(all);
        return problem(EIO, path, error, size);
    }
    *bytes = all;
    *length = used;
    return 0;
}

static int host_read(void *context, const char *path, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error,
                     size_t size)
{
    (void)context;
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file)
        return problem(errno, path, error, size);
    int code;
    if (fstat(fileno(file), &status))
        code = problem(errno, path, error, size);
    else if (S_ISDIR(status.st_mode))
        code = problem(EISDIR, path, error, size);
    else
        code = read_all(file, path, limit,
                        S_ISREG(status.st_mode) && (uint64_t)status.st_size <= limit ? (uint64_t)status.st_size : 65535,
                        bytes, length, error, size);
    fclose(file);
    return code;
}

const struct ipl_files ipl_host_files = {NULL, host_read};
