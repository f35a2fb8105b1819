/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of source files. The names come from files that nobody vouches for: only plain files are opened, none of them
   waits for anybody, and as much is kept as the limits say. */
#include "emu/symbols/text.h"
#include "base/utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 8, TAB = 8 };
#define MOST ((off_t)8 << 20) /* bytes of a file */

struct text_file {
    char *path; /* NULL: none */
    char *bytes;
    uint32_t *line; /* where each begins; behind the last one the size */
    uint32_t lines;
    struct stat was; /* when it was read */
    uint64_t used;
};

struct symbols_texts {
    struct text_file file[FILES];
    uint64_t uses;
};

struct symbols_texts *symbols_texts_new(void) { return calloc(1, sizeof(struct symbols_texts)); }

static void forget(struct text_file *f)
{
    free(f->path);
    free(f->bytes);
    free(f->line);
    *f = (struct text_file){.path = NULL};
}

void symbols_texts_free(struct symbols_texts *texts)
{
    for (unsigned i = 0; texts && i < FILES; i++)
        forget(&texts->file[i]);
    free(texts);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool find_lines(struct text_file *f, size_t size)
{
    uint32_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += f->bytes[i] == '\n';
    f->line = malloc((count + 1) * sizeof *f->line);
    if (!f->line)
        return false;
    f->line[0] = 0;
    for (size_t i = 0; i < size; i++)
        if (f->bytes[i] == '\n')
            f->line[++f->lines] = (uint32_t)i + 1;
    f->line[++f->lines] = (uint32_t)size;
    return true;
}

static bool read_bytes(struct text_file *f, int descriptor)
{
    const size_t most = (size_t)f->was.st_size;
    size_t size = 0;
    f->bytes = malloc(most + 1);
    while (f->bytes && size < most) {
        const ssize_t n = read(descriptor, f->bytes + size, most - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        size += (size_t)n;
    }
    return f->bytes && find_lines(f, size);
}

static bool read_file(struct text_file *f, const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool good = !fstat(descriptor, &f->was) && S_ISREG(f->was.st_mode) && f->was.st_size <= MOST &&
                      (f->path = strdup(path)) && read_bytes(f, descriptor);
    close(descriptor);
    if (!good)
        forget(f);
    return good;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The file, read now or before; NULL: it cannot be had. */
static struct text_file *find_file(struct symbols_texts *texts, const char *path)
{
    struct text_file *oldest = &texts->file[0];
    struct stat now;
    if (stat(path, &now) || !S_ISREG(now.st_mode))
        return NULL;
    for (unsigned i = 0; i < FILES; i++) {
        struct text_file *f = &texts->file[i];
        if (f->path && strcmp(f->path, path) == 0) {
            if (same(&f->was, &now))
                return f;
            oldest = f;
            break;
        }
        if (f->used < oldest->used)
            oldest = f;
    }
    forget(oldest);
    return read_file(oldest, path) ? oldest : NULL;
}

/* ---- a line ------------------------------------------------------------------------------------------------------ */

/* From `from` up to `end`, as it can be shown, into `text`. */
static void show(const char *from, const char *end, char *text, size_t size)
{
    size_t n = 0, columns = 0, shown = 0;
    while (from < end && n + 5 < size) {
        uint8_t character[5] = {0};
        memcpy(character, from, end - from < 4 ? (size_t)(end - from) : 4);
        const unsigned length = *character < ' ' || *character == 0x7f ? 0 : utf8_length(character);
        if (*character == '\t') {
            do
                text[n++] = ' ';
            while (++columns % TAB && n + 5 < size);
        } else if (length && !(length == 2 && *character == 0xC2 && character[1] < 0xA0)) {
            memcpy(text + n, character, length);
            n += length;
            columns++;
        } else if (*character != '\r') {
            text[n++] = '.';
            columns++;
        }
        if (n && text[n - 1] != ' ')
            shown = n;
        from += length ? length : 1;
    }
    text[shown] = 0;
}

bool symbols_text(struct symbols_texts *texts, const char *path, uint32_t line, char *text, size_t size,
                  struct timespec *changed)
{
    struct text_file *f = find_file(texts, path);
    *text = 0;
    if (!f)
        return false;
    f->used = ++texts->uses;
    *changed = f->was.st_mtim;
    if (!line || line > f->lines || f->line[line - 1] == f->line[f->lines])
        return false;
    const uint32_t start = f->line[line - 1], behind = f->line[line];
    const uint32_t end = behind > start && f->bytes[behind - 1] == '\n' ? behind - 1 : behind;
    show(f->bytes + start, f->bytes + end, text, size);
    return true;
}
