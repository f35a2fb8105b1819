/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: the n-th call of a kind fails, as it may on any host. FAIL_KIND is open, write, flush, close, alloc
   or thread, or clock: somebody sets the host's clock back by an hour then; FAIL_AT is n, 0 for none; FAIL_REPORT names
   a file that receives the number of calls of that kind. Only what is called from main() on counts. Output by stdio
   fails by what is below it: for the time of the call the descriptor is that of a full device. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static const char *kind = "", *report;
static unsigned long at;
static atomic_ulong calls;
static atomic_bool begun;

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* A call of kind `k`: is it the one that fails? */
static bool fails(const char *k)
{
    if (!begun || strcmp(k, kind) != 0)
        return false;
    return atomic_fetch_add(&calls, 1) + 1 == at;
}

static void tell(void)
{
    begun = false;
    if (!report)
        return;
    char text[32];
    int file = REAL(open)(report, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int length = snprintf(text, sizeof text, "%lu\n", atomic_load(&calls));
    if (file >= 0 && REAL(write)(file, text, (size_t)length) == length)
        REAL(close)(file);
}

static int (*real_main)(int, char **, char **);
static int counted_main(int argc, char **argv, char **environment)
{
    const char *number = getenv("FAIL_AT");
    kind = getenv("FAIL_KIND") ? getenv("FAIL_KIND") : "";
    report = getenv("FAIL_REPORT");
    at = number ? strtoul(number, NULL, 10) : 0;
    atexit(tell);
    begun = true;
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*end)(void),
                      void (*loader_end)(void), void *stack);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*end)(void),
                      void (*loader_end)(void), void *stack)
{
    real_main = main;
    return REAL(__libc_start_main)(counted_main, argc, argv, init, end, loader_end, stack);
}

/* ---- open ------------------------------------------------------------------------------------------------------ */

static int open_by(const char *name, int (*real)(const char *, int, ...), int flags, va_list list)
{
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    if (fails("open")) {
        errno = EMFILE;
        return -1;
    }
    return real(name, flags, mode);
}

int open(const char *name, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int file = open_by(name, REAL(open), flags, list);
    va_end(list);
    return file;
}

int open64(const char *name, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int file = open_by(name, REAL(open64), flags, list);
    va_end(list);
    return file;
}

FILE *fopen(const char *name, const char *mode)
{
    if (!fails("open"))
        return REAL(fopen)(name, mode);
    errno = EMFILE;
    return NULL;
}

FILE *fopen64(const char *name, const char *mode)
{
    if (!fails("open"))
        return REAL(fopen64)(name, mode);
    errno = EMFILE;
    return NULL;
}

/* ---- write, flush, close --------------------------------------------------------------------------------------- */

/* The descriptor of a stream becomes that of a full device; what it was. */
static int fill(FILE *stream)
{
    int was = dup(fileno(stream)), full = REAL(open)("/dev/full", O_WRONLY);
    dup2(full, fileno(stream));
    REAL(close)(full);
    return was;
}
static void restore(FILE *stream, int was)
{
    dup2(was, fileno(stream));
    REAL(close)(was);
}

ssize_t write(int file, const void *from, size_t length)
{
    if (!fails("write"))
        return REAL(write)(file, from, length);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite(int file, const void *from, size_t length, off_t offset)
{
    if (!fails("write"))
        return REAL(pwrite)(file, from, length, offset);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite64(int file, const void *from, size_t length, off64_t offset)
{
    if (!fails("write"))
        return REAL(pwrite64)(file, from, length, offset);
    errno = ENOSPC;
    return -1;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    const bool now = stream != stderr && fails("write");
    int was = now ? fill(stream) : -1;
    size_t done = REAL(fwrite)(from, size, count, stream);
    if (now) {
        REAL(fflush)(stream);
        restore(stream, was);
    }
    return done;
}

int fflush(FILE *stream)
{
    const bool now = stream && stream != stderr && fails("flush");
    int was = now ? fill(stream) : -1;
    int code = REAL(fflush)(stream);
    if (now)
        restore(stream, was);
    return code;
}

int fsync(int file)
{
    if (!fails("flush"))
        return REAL(fsync)(file);
    errno = EIO;
    return -1;
}

int fdatasync(int file)
{
    if (!fails("flush"))
        return REAL(fdatasync)(file);
    errno = EIO;
    return -1;
}

int close(int file)
{
    const bool now = fails("close");
    int code = REAL(close)(file);
    if (!now)
        return code;
    errno = EIO;
    return -1;
}

int fclose(FILE *stream)
{
    const bool now = stream != stderr && fails("close");
    int code = REAL(fclose)(stream);
    if (!now)
        return code;
    errno = EIO;
    return EOF;
}

/* ---- memory and threads ---------------------------------------------------------------------------------------- */

void *malloc(size_t size)
{
    if (!fails("alloc"))
        return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size)
{
    if (!fails("alloc"))
        return __libc_calloc(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size)
{
    if (!fails("alloc"))
        return __libc_realloc(old, size);
    errno = ENOMEM;
    return NULL;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (!fails("alloc"))
        return REAL(mmap)(address, length, protection, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return fails("thread") ? EAGAIN : REAL(pthread_create)(thread, attributes, start, argument);
}

/* ---- clock ----------------------------------------------------------------------------------------------------- */

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static __typeof__(&clock_gettime) real;
    if (!real)
        real = REAL(clock_gettime);
    const int code = real(clock, t);
    if (clock == CLOCK_REALTIME && begun && strcmp(kind, "clock") == 0 && atomic_fetch_add(&calls, 1) + 1 >= at && at)
        t->tv_sec -= 3600;
    return code;
}
