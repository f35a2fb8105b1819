/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk images: a file, private writes in pieces of 4K bytes above it. */
#define _GNU_SOURCE /* fallocate */
#include "emu/dev/image/disk.h"
#include "emu/dev/image/host_file.h"
#include "emu/dev/image/qcow2.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE        4096u
#define LARGEST      (UINT64_C(1) << 44)
#define NO_PIECE     UINT64_MAX
#define LARGEST_MEMO (UINT64_C(1) << 36)
#define DEEPEST      16u /* images below each other */
#define COMPLAINTS   8u

enum format { FORMAT_BY_NAME, FORMAT_RAW, FORMAT_QCOW2 };

/* What an image is to be. */
struct wish {
    const char *name;
    bool read_only, private_writes;
    enum format format;
    unsigned depth; /* images above it */
};

struct image {
    int file; /* -1: none, everything else is zero */
    bool read_only;
    bool gone, gone_told; /* the file has no name any more; the operator knows */
    uint64_t size;
    struct qcow2 *base;    /* the file is one of this format; NULL: its bytes are the disk's */
    struct image *backing; /* of `base` */
    uint8_t **pieces;      /* private writes, by piece; NULL: writes go to the file */
    char *name;
    struct image_user user;
    struct image_keeper keeper; /* before NULL: none */
    struct {
        int code;
        const char *what;
        uint64_t count;
    } complaints[COMPLAINTS]; /* errors by kind, code 0: none more */
};

static struct image *open_wish(const struct wish *wish, char *error, size_t size) MUST_USE;

/* ---- opening --------------------------------------------------------------------------------------------------- */

static bool scratch_size(const char *text, uint64_t *bytes)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *bytes = strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (errno || end[shift != 0] || *bytes > LARGEST_MEMO >> shift)
        return false;
    *bytes <<= shift;
    return *bytes > 0;
}

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), wanted = strlen(end);
    return length > wanted && strcmp(name + length - wanted, end) == 0;
}

/* What can be done about an error when a file is opened. */
static const char *remedy(int code)
{
    switch (code) {
    case -ENOENT:
    case -ENOTDIR:
        return "name a file that is there, or =SIZE as =16M for an empty disk in memory";
    case -EACCES:
    case -EPERM:
        return "allow its reading, or take a copy";
    case -ENODATA:
        return "it is empty; make a disk by `truncate -s 4G FILE', or write =SIZE as =16M";
    case -EISDIR:
        return "name a file in it";
    case -EFBIG:
        return "a disk has at most 16 TiB";
    case -EINVAL:
        return "write =SIZE as =16M, or the name of a file";
    default:
        return "name another file";
    }
}

static int fail(int code, const char *name, const char *why, char *error, size_t size)
{
    if (why)
        snprintf(error, size, "disk image '%.160s': %s", name, why);
    else
        snprintf(error, size, "disk image '%.160s': %s; %s", name, strerror(-code), remedy(code));
    return code;
}

/* The name of the image below, which counts from the folder of this one. NULL: it is none that can be opened. */
static char *name_below(const char *name, const char *below)
{
    const char *folder_end = strrchr(name, '/'), *colon = strchr(below, ':');
    if (strncmp(below, "file:", 5) == 0)
        below += 5;
    else if (colon && (!strchr(below, '/') || colon < strchr(below, '/'))) /* another kind of source, as nbd:// */
        return NULL;
    const size_t folder = below[0] == '/' || !folder_end ? 0 : (size_t)(folder_end - name) + 1;
    char *joined = malloc(folder + strlen(below) + 1);
    if (joined) {
        memcpy(joined, name, folder);
        memcpy(joined + folder, below, strlen(below) + 1);
    }
    return joined;
}

static int read_backing(void *image, uint64_t offset, uint8_t *to, size_t length)
{
    return image_read(image, offset, to, length);
}

static int open_below(struct image *i, unsigned depth, char *error, size_t size)
{
    const char *below = qcow2_backing_name(i->base), *format = qcow2_backing_format(i->base);
    if (!below)
        return 0;
    if (depth >= DEEPEST)
        return fail(-ELOOP, i->name, "too many images lie below each other; join them by `qemu-img commit'", error,
                    size);
    struct wish wish = {.read_only = true, .depth = depth + 1};
    wish.format = strcmp(format, "raw") == 0     ? FORMAT_RAW
                  : strcmp(format, "qcow2") == 0 ? FORMAT_QCOW2
                                                 : FORMAT_BY_NAME;
    char *name = wish.format == FORMAT_BY_NAME && format[0] ? NULL : name_below(i->name, below);
    if (!name) {
        snprintf(error, size,
                 "disk image '%.100s': its backing image '%.100s' (%s) is no file, raw or qcow2; take a copy made by "
                 "`qemu-img convert -O qcow2'",
                 i->name, below, format[0] ? format : "no format told");
        return -ENOTSUP;
    }
    wish.name = name;
    char why[512];
    i->backing = open_wish(&wish, why, sizeof why);
    if (!i->backing)
        snprintf(error, size, "%s%.*s%s%s", depth ? "" : "below '", depth ? 0 : 100, i->name, depth ? "" : "': ", why);
    free(name);
    if (i->backing)
        qcow2_set_backing(i->base, i->backing, i->backing->size, read_backing);
    return i->backing ? 0 : -EINVAL;
}

/* Whether other programs use the file so that the two disturb each other, told by locks on bytes of it in the way of
   QEMU's programs: 100 + n is held by who uses a right, 200 + n by who does not let others use it; the rights are 0 to
   read what is consistent, 1 to write, 3 to change the length. Locks of this process do not count. */
enum { LOCK_USED = 100, LOCK_DENIED = 200, RIGHT_READ = 0, RIGHT_WRITE = 1, RIGHT_LENGTH = 3 };

static bool lock_byte(int file, int byte, bool look)
{
    struct flock lock = {.l_type = look ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(file, look ? F_GETLK : F_SETLK, &lock) || !look || lock.l_type == F_UNLCK;
}

static bool in_use(const struct image *i, bool writes)
{
    (void)lock_byte(i->file, LOCK_USED + RIGHT_READ, false);
    (void)lock_byte(i->file, LOCK_DENIED + RIGHT_WRITE, false);
    (void)lock_byte(i->file, LOCK_DENIED + RIGHT_LENGTH, false);
    if (writes) {
        (void)lock_byte(i->file, LOCK_USED + RIGHT_WRITE, false);
        (void)lock_byte(i->file, LOCK_USED + RIGHT_LENGTH, false);
    }
    return !lock_byte(i->file, LOCK_USED + RIGHT_WRITE, true) || !lock_byte(i->file, LOCK_USED + RIGHT_LENGTH, true) ||
           !lock_byte(i->file, LOCK_DENIED + RIGHT_READ, true) ||
           (writes && (!lock_byte(i->file, LOCK_DENIED + RIGHT_WRITE, true) ||
                       !lock_byte(i->file, LOCK_DENIED + RIGHT_LENGTH, true)));
}

/* The format goes by word and name and never by contents, which a guest may have written: a disk without either that
   looks like qcow2 is not opened. */
static int open_format(struct image *i, const struct wish *w, char *error, size_t size)
{
    static const char magic[4] = {'Q', 'F', 'I', (char)0xfb};
    char begins[4];
    char why[400];
    const bool qcow2 = w->format == FORMAT_QCOW2 || (w->format == FORMAT_BY_NAME && ends_in(w->name, ".qcow2"));
    if (!qcow2) {
        if (w->format == FORMAT_BY_NAME && pread(i->file, begins, 4, 0) == 4 && memcmp(begins, magic, 4) == 0)
            return fail(-EINVAL, w->name,
                        w->depth
                            ? "it begins like a qcow2 image, and the image above does not tell its format; tell it by "
                              "`qemu-img rebase -u -F'"
                            : "it begins like a qcow2 image; add format=qcow2, or format=raw if the guest wrote that",
                        error, size);
        return 0;
    }
    int code = qcow2_open(i->file, !i->read_only && !w->private_writes, &i->base, why, sizeof why);
    if (code)
        return fail(code, w->name, why, error, size);
    i->size = qcow2_size(i->base);
    return open_below(i, w->depth, error, size);
}

/* The file gets no number that a standard stream might have: what is printed would go into it. */
static int open_high(const char *name, int flags)
{
    int low = open(name, flags | O_CLOEXEC);
    if (low < 0 || low > STDERR_FILENO)
        return low;
    int high = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), code = errno;
    close(low);
    errno = code;
    return high;
}

static int open_file(struct image *i, const struct wish *w, char *error, size_t size)
{
    struct stat st;
    if (!i->read_only && !w->private_writes)
        i->file = open_high(w->name, O_RDWR);
    if (i->file < 0 && (i->read_only || w->private_writes || errno == EACCES || errno == EROFS || errno == EPERM)) {
        i->read_only |= !w->private_writes;
        i->file = open_high(w->name, O_RDONLY);
    }
    if (i->file < 0 || fstat(i->file, &st))
        return fail(-errno, w->name, NULL, error, size);
    if (S_ISDIR(st.st_mode))
        return fail(-EISDIR, w->name, NULL, error, size);
    off_t end = lseek(i->file, 0, SEEK_END); /* of a block device, too */
    if (end < 0)
        return fail(-errno, w->name, "it has no size; name a file or a block device", error, size);
    i->size = (uint64_t)end;
    if (in_use(i, !i->read_only && !w->private_writes))
        return fail(-EBUSY, w->name, "another program is using it; end that, or take a copy", error, size);
    int code = open_format(i, w, error, size);
    if (code)
        return code;
    code = i->size == 0 ? -ENODATA : i->size > LARGEST ? -EFBIG : 0;
    return code ? fail(code, w->name, NULL, error, size) : 0;
}

static struct image *open_wish(const struct wish *w, char *error, size_t size)
{
    struct image *i = calloc(1, sizeof *i);
    int code = i && (i->name = strdup(w->name)) ? 0 : -ENOMEM;
    if (i) {
        i->file = -1;
        i->read_only = w->read_only;
    }
    if (!code && w->name[0] == '=' && !scratch_size(w->name + 1, &i->size))
        code = fail(-EINVAL, w->name, NULL, error, size);
    else if (!code && w->name[0] != '=')
        code = open_file(i, w, error, size);
    else if (code)
        fail(code, w->name, NULL, error, size);
    if (!code && !i->read_only && (w->private_writes || i->file < 0)) {
        i->pieces = calloc((size_t)((i->size + PIECE - 1) / PIECE), sizeof *i->pieces);
        if (!i->pieces)
            code = fail(-ENOMEM, w->name, NULL, error, size);
    }
    if (!code)
        return i;
    image_close(i);
    return NULL;
}

struct image *image_open(const char *name, bool read_only, bool private_writes, char *error, size_t size)
{
    const struct wish wish = {.name = name, .read_only = read_only, .private_writes = private_writes};
    return open_wish(&wish, error, size);
}

/* One word of a device. */
static bool take_word(struct wish *w, const char *word)
{
    if (strcmp(word, "ro") == 0)
        w->read_only = true;
    else if (strcmp(word, "snapshot") == 0)
        w->private_writes = true;
    else if (strcmp(word, "format=raw") == 0)
        w->format = FORMAT_RAW;
    else if (strcmp(word, "format=qcow2") == 0)
        w->format = FORMAT_QCOW2;
    else if (w->name || !*word)
        return false;
    else
        w->name = word;
    return true;
}

bool image_disturbs(const struct image *i, const struct image *other)
{
    struct stat mine, theirs;
    const bool written = (!i->read_only && !i->pieces) || (!other->read_only && !other->pieces);
    return written && i->file >= 0 && other->file >= 0 && !fstat(i->file, &mine) && !fstat(other->file, &theirs) &&
           mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

static void message(const struct image *i, const char *text)
{
    if (i->user.message)
        i->user.message(i->user.context, text);
}

struct image *image_open_words(const struct image_user *user, unsigned count, char **words, char *error, size_t size)
{
    struct wish wish = {.private_writes = user->private_writes};
    for (unsigned i = 0; i < count; i++)
        if (!take_word(&wish, words[i])) {
            snprintf(error, size,
                     "disk image '%.100s': '%.60s' is no word for it; write FILE[,ro][,snapshot][,format=raw|qcow2]",
                     wish.name ? wish.name : "", words[i]);
            return NULL;
        }
    if (!wish.name) {
        snprintf(error, size, "a disk has one image; write FILE[,ro][,snapshot][,format=raw|qcow2], or =SIZE as =16M");
        return NULL;
    }
    struct image *i = open_wish(&wish, error, size);
    if (i && user->disturbed && user->disturbed(user->context, i)) {
        fail(-EBUSY, wish.name, "another disk of this machine has it; take a copy, or add ro or snapshot to both",
             error, size);
        image_close(i);
        return NULL;
    }
    char text[280];
    snprintf(text, sizeof text,
             "the disk image '%.100s' cannot be written and is read-only for the guest; allow its writing, or add ro",
             wish.name);
    if (i)
        i->user = *user;
    if (i && i->read_only && !wish.read_only)
        message(i, text);
    return i;
}

/* At the end something could not be written: nobody can do it again. */
static void tell_loss(const struct image *i, int code)
{
    char text[420];
    snprintf(text, sizeof text,
             "the disk image '%.100s' could not be closed in order: %s; the guest's last writes may be missing%s",
             i->name, strerror(-code),
             i->base ? ", and space that nothing uses be counted: `qemu-img check -r leaks' mends that" : "");
    message(i, text);
    if (i->user.lost)
        i->user.lost(i->user.context);
}

void image_close(struct image *i)
{
    if (!i)
        return;
    for (uint64_t n = 0; i->pieces && n < (i->size + PIECE - 1) / PIECE; n++)
        free(i->pieces[n]);
    const bool kept = i->pieces;
    free(i->pieces);
    int code = qcow2_close(i->base);
    image_close(i->backing);
    if (i->file >= 0 && close(i->file) && !code)
        code = -errno;
    if (code && !i->read_only && !kept)
        tell_loss(i, code);
    free(i->name);
    free(i);
}

uint64_t image_size(const struct image *i) { return i->size; }
uint32_t image_piece(const struct image *i) { return i->base ? qcow2_piece(i->base) : 512; }
bool image_read_only(const struct image *i) { return i->read_only; }

void image_describe(const struct image *i, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s",
             i->base       ? "qcow2"
             : i->file < 0 ? "in memory"
                           : "raw",
             i->backing ? " above another image" : "", i->read_only ? ", read-only" : "",
             i->pieces && i->file >= 0 ? ", snapshot" : "");
}

/* ---- reading and writing --------------------------------------------------------------------------------------- */

static int file_read(const struct image *i, uint64_t offset, uint8_t *to, size_t length)
{
    if (i->base)
        return qcow2_read(i->base, offset, to, length);
    return host_file_read(i->file, i->file < 0 ? 0 : UINT64_MAX, offset, to, length);
}

/* A file that was cut off is not made longer again: what lay between is lost. */
static bool file_whole(struct image *i)
{
    struct stat st;
    if (fstat(i->file, &st))
        return false;
    i->gone = S_ISREG(st.st_mode) && st.st_nlink == 0;
    return i->base || !S_ISREG(st.st_mode) || (uint64_t)st.st_size >= i->size;
}

static int file_write(struct image *i, uint64_t offset, const uint8_t *from, size_t length)
{
    if (!file_whole(i))
        return -EIO;
    return i->base ? qcow2_write(i->base, offset, from, length) : host_file_write(i->file, offset, from, length);
}

/* What is left of the piece that `offset` is in, at most `length`. */
static size_t in_piece(uint64_t offset, size_t length)
{
    size_t left = PIECE - (size_t)(offset % PIECE);
    return left < length ? left : length;
}

/* A piece of private writes, first filled with what lies below it. NULL: no memory, or *code. */
static uint8_t *piece(const struct image *i, uint64_t n, int *code)
{
    uint8_t **slot = &i->pieces[n];
    if (*slot)
        return *slot;
    uint64_t left = i->size - n * PIECE;
    uint8_t *made = calloc(1, PIECE);
    *code = made ? file_read(i, n * PIECE, made, left < PIECE ? (size_t)left : PIECE) : -ENOMEM;
    if (*code) {
        free(made);
        return NULL;
    }
    return *slot = made;
}

static bool inside(const struct image *i, uint64_t offset, uint64_t length)
{
    return offset <= i->size && length <= i->size - offset;
}

int image_read(struct image *i, uint64_t offset, void *to, size_t length)
{
    uint8_t *at = to;
    int code = inside(i, offset, length) ? 0 : -EINVAL;
    while (!code && length) {
        size_t n = i->pieces ? in_piece(offset, length) : length;
        const uint8_t *p = i->pieces ? i->pieces[offset / PIECE] : NULL;
        if (p)
            memcpy(at, p + offset % PIECE, n);
        else
            code = file_read(i, offset, at, n);
        at += n;
        offset += n;
        length -= n;
    }
    return code;
}

/* May these bytes be changed? As image_write(); whoever keeps the image is told. */
static int may_change(struct image *i, uint64_t offset, uint64_t length)
{
    if (i->read_only)
        return -EROFS;
    if (!inside(i, offset, length))
        return -EINVAL;
    if (i->keeper.before && length)
        i->keeper.before(i->keeper.context, i, offset, length);
    return 0;
}

void image_keep(struct image *i, const struct image_keeper *keeper)
{
    i->keeper = keeper ? *keeper : (struct image_keeper){NULL, NULL};
}

bool image_private(const struct image *i) { return i->pieces; }

int image_write(struct image *i, uint64_t offset, const void *from, size_t length)
{
    const uint8_t *at = from;
    int code = may_change(i, offset, length);
    if (!code && !i->pieces)
        return file_write(i, offset, at, length);
    while (!code && length) {
        size_t n = in_piece(offset, length);
        uint8_t *p = piece(i, offset / PIECE, &code);
        if (p)
            memcpy(p + offset % PIECE, at, n);
        at += n;
        offset += n;
        length -= n;
    }
    return code;
}

int image_zero(struct image *i, uint64_t offset, uint64_t length, bool discard)
{
    static const uint8_t zeros[PIECE];
    int code = may_change(i, offset, length);
    discard &= !i->keeper.before;
    if (!code && !i->pieces && i->base)
        return qcow2_zero(i->base, offset, length, discard);
    if (!code && !i->pieces) {
        if (!file_whole(i))
            return -EIO;
        if (!fallocate(i->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length) || discard)
            return 0;
    }
    while (!code && length) {
        size_t n = in_piece(offset, length < PIECE ? (size_t)length : PIECE);
        if (i->pieces && i->file < 0 && n == PIECE) {
            free(i->pieces[offset / PIECE]);
            i->pieces[offset / PIECE] = NULL;
        } else {
            code = image_write(i, offset, zeros, n);
        }
        offset += n;
        length -= n;
    }
    return code;
}

void image_set_lazy(struct image *i, bool lazy)
{
    if (i->base)
        qcow2_set_lazy(i->base, lazy);
}

int image_flush(struct image *i)
{
    if (i->file < 0 || i->pieces || i->read_only)
        return 0;
    if (!file_whole(i))
        return -EIO;
    return i->base ? qcow2_flush(i->base) : fdatasync(i->file) ? -errno : 0;
}

int image_settle(struct image *i) { return i->base && !i->pieces && !i->read_only ? qcow2_rest(i->base) : 0; }

/* ---- what the operator reads ----------------------------------------------------------------------------------- */

static const char *advice(const struct image *i, int code)
{
    struct stat st;
    switch (code) {
    case -ENOSPC:
    case -EDQUOT:
        return "make room on its file system; what the guest writes then is kept";
    case -EFBIG:
        return "raise the limit for files (ulimit -f) and start again";
    case -EUCLEAN:
        return "its tables are damaged: end the guest and mend it by `qemu-img check -r all'";
    case -EROFS:
        return "allow its writing, then detach and attach it";
    case -ENOMEM:
        return "the host has no memory: add some, or end other programs";
    case -ENOTSUP:
        return "it has compressed parts: build zri with zlib";
    default:
        if (i->file >= 0 && !i->base && !fstat(i->file, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size < i->size)
            return "the file has become shorter: detach it, put back a whole copy and attach that";
        return "look after the host's medium: detach the disk, and attach a good copy";
    }
}

/* How often the kind of error has come, the oldest kind being forgotten for a new one. */
static uint64_t count_error(struct image *i, const char *what, int code)
{
    unsigned n = 0;
    while (n < COMPLAINTS && i->complaints[n].code &&
           (i->complaints[n].code != code || strcmp(i->complaints[n].what, what) != 0))
        n++;
    if (n == COMPLAINTS)
        n = COMPLAINTS - 1;
    else if (i->complaints[n].code)
        return ++i->complaints[n].count;
    i->complaints[n].code = code;
    i->complaints[n].what = what;
    return i->complaints[n].count = 1;
}

int image_result(struct image *i, const char *what, uint64_t offset, int code, const char *guest)
{
    char text[420], times[48] = "";
    if (i->gone && !i->gone_told) {
        snprintf(
            text, sizeof text,
            "the disk image '%.100s' was removed from its folder; what the guest writes is lost when zri ends, so copy "
            "the disk from within the guest",
            i->name);
        message(i, text);
        i->gone_told = true;
    }
    if (!code)
        return 0;
    uint64_t count = count_error(i, what, code), power = 1;
    while (power < count)
        power *= 10;
    if (count > 1)
        snprintf(times, sizeof times, " (%llu times by now)", (unsigned long long)count);
    snprintf(text, sizeof text, "cannot %s the disk image '%.100s' at byte %llu: %s%s; %s; the guest gets %s", what,
             i->name, (unsigned long long)offset, strerror(-code), times, advice(i, code), guest);
    if (power == count)
        message(i, text);
    return code;
}

/* ---- snapshot -------------------------------------------------------------------------------------------------- */

void image_fields(struct image *i, const struct channel_fields *f)
{
    const uint64_t count = (i->size + PIECE - 1) / PIECE;
    uint64_t size = i->size, n = 0, last = NO_PIECE;
    uint8_t private_writes = i->pieces != NULL;
    if (f->in_place)
        return;
    f->number(f->context, &size, 8);
    f->number(f->context, &private_writes, 1);
    if (f->loading && (size != i->size || private_writes != (i->pieces != NULL)))
        f->refuse(f->context, "a disk image is not the one of the snapshot");
    if (f->refused(f->context) || !i->pieces)
        return;
    for (; !f->loading && n < count; n++) {
        if (!i->pieces[n])
            continue;
        f->number(f->context, &n, 8);
        f->bytes(f->context, i->pieces[n], PIECE);
    }
    if (!f->loading) {
        f->number(f->context, &last, 8);
        return;
    }
    for (f->number(f->context, &n, 8); !f->refused(f->context) && n != NO_PIECE; f->number(f->context, &n, 8)) {
        if (n < count && !i->pieces[n])
            i->pieces[n] = calloc(1, PIECE);
        if (n >= count || !i->pieces[n])
            f->refuse(f->context, "a block is beyond the disk, or the host has no memory");
        else
            f->bytes(f->context, i->pieces[n], PIECE);
    }
}
