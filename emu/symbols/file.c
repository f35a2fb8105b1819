/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's files: read whole, told apart. */
#include "base/message.h"
#include "emu/symbols/digest.h"
#include "emu/symbols/internal.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST  (UINT64_C(1) << 32) /* bytes of a file */
#define FIRST ((size_t)1 << 16)

static int no_memory(char *error, size_t size)
{
    return fail_with(-ENOMEM, error, size, "the host has no memory for it; end other programs, or give it more");
}

/* FILE@ADDRESS; a file that has all of this as its name goes before. */
static int split(struct symbols_file *f, const char *argument, char *error, size_t size)
{
    f->path = strdup(argument);
    if (!f->path)
        return no_memory(error, size);
    char *at = access(argument, F_OK) ? strrchr(f->path, '@') : NULL, *end;
    if (at) {
        errno = 0;
        f->address = strtoull(at + 1, &end, 16);
        if (!isxdigit((unsigned char)at[1]) || *end || errno || end - at > 17)
            return fail_with(-EINVAL, error, size,
                             "%.300s: what stands behind @ is no address; give a load bias in hexadecimal", argument);
        f->has_address = true;
        *at = 0;
    }
    const char *slash = strrchr(f->path, '/');
    f->name = slash ? slash + 1 : f->path;
    return 0;
}

/* When its contents were changed; a pipe has no such time that says anything. */
static void note_time(struct symbols_file *f, int descriptor)
{
    struct stat s;
    if (!fstat(descriptor, &s))
        f->changed = s.st_mtim;
}

static int read_all(struct symbols_file *f, int descriptor, char *error, size_t size)
{
    size_t room = 0;
    for (;;) {
        if (f->size + 1 >= room) {
            uint8_t *larger = f->size < MOST ? realloc(f->bytes, room ? 2 * room : FIRST) : NULL;
            if (!larger)
                return fail_with(f->size < MOST ? -ENOMEM : -EFBIG, error, size,
                                 "%.300s: it is too large; give the file without debugging information that is not "
                                 "needed, or the host more memory",
                                 f->path);
            f->bytes = larger;
            room = room ? 2 * room : FIRST;
        }
        const ssize_t n = read(descriptor, f->bytes + f->size, room - f->size - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_with(-errno, error, size, "%.300s: %s; check that it is a file that can be read", f->path,
                             strerror(errno));
        if (n == 0)
            break;
        f->size += (size_t)n;
    }
    f->bytes[f->size] = 0;
    return 0;
}

/* Texts have no control characters in front. */
static enum symbols_kind kind_of(const struct symbols_file *f)
{
    const size_t most = f->size < 256 ? f->size : 256;
    if (f->size >= 4 && !memcmp(f->bytes, "\177ELF", 4))
        return SYMBOLS_ELF;
    for (size_t i = 0; i < most; i++)
        if (f->bytes[i] >= 0x7f || (f->bytes[i] < ' ' && !strchr("\t\r\n", f->bytes[i])) || !f->bytes[i])
            return SYMBOLS_RAW;
    return f->size ? SYMBOLS_MAP : SYMBOLS_RAW;
}

static int understand(struct symbols_file *f, char *error, size_t size)
{
    char why[400];
    int bad = 0;
    f->kind = kind_of(f);
    f->has_digest = symbols_digest(f->bytes, f->size, f->digest);
    if (!f->size)
        return fail_with(-EINVAL, error, size, "%.300s: it is empty; give the file that ran", f->path);
    if (f->kind == SYMBOLS_MAP)
        bad = symbols_map_read(f, why, sizeof why);
    else if (f->kind == SYMBOLS_ELF)
        bad = symbols_elf_open(f, why, sizeof why);
    return bad ? fail_with(bad, error, size, "%.300s: %s", f->path, why) : 0;
}

int symbols_file_open(const char *argument, struct symbols_file **file, char *error, size_t size)
{
    struct symbols_file *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(error, size);
    int bad = split(f, argument, error, size);
    const int descriptor = bad ? -1 : open(f->path, O_RDONLY | O_CLOEXEC);
    if (!bad && descriptor < 0)
        bad = fail_with(-errno, error, size, "%.300s: %s; check the name and its permissions (--symbols)", f->path,
                        strerror(errno));
    bad = bad ? bad : read_all(f, descriptor, error, size);
    if (descriptor >= 0)
        note_time(f, descriptor);
    if (descriptor >= 0)
        close(descriptor);
    bad = bad ? bad : understand(f, error, size);
    if (bad) {
        symbols_file_close(f);
        return bad;
    }
    *file = f;
    return 0;
}

void symbols_file_close(struct symbols_file *file)
{
    symbols_elf_close(file);
    free(file->segment);
    free(file->function);
    free(file->bytes);
    free(file->path);
    free(file);
}
