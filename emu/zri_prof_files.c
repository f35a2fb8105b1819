/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What zri-prof reads and writes. */
#include "emu/zri_prof.h"
#include "emu/exit.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int zri_prof_fail(int status, const char *thing, const char *format, ...)
{
    va_list list;
    fprintf(stderr, "zri-prof: %s: ", thing);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}

const char zri_prof_no_memory[] = "the host has no memory for it; end other programs, or give it more";

/* ---- profiles from files --------------------------------------------------------------------------------------- */

static long read_some(void *context, void *bytes, size_t size)
{
    ssize_t n;
    while ((n = read(*(const int *)context, bytes, size)) < 0 && errno == EINTR)
        ;
    return n < 0 ? -errno : n;
}

void zri_prof_caution(void *context, const char *sentence)
{
    fprintf(stderr, "zri-prof: %s: %s\n", (char *)context, sentence);
}

int zri_prof_open(const char *name, int *file, struct ep_input *input)
{
    *file = STDIN_FILENO;
    *input = (struct ep_input){file, read_some};
    if (strcmp(name, "-") != 0 && (*file = open(name, O_RDONLY)) < 0)
        return zri_prof_fail(EMU_EXIT_HOST, name, "%s; %s", strerror(errno),
                             errno == ENOENT ? "check the name" : "check its permissions, and that it is a file");
    return 0;
}

void zri_prof_close(const char *name, int file)
{
    if (strcmp(name, "-") != 0)
        close(file);
}

int zri_prof_load(const char *name, struct ep_profile **profile)
{
    char error[800];
    struct ep_input input;
    int file, status = zri_prof_open(name, &file, &input);
    if (status)
        return status;
    status = ep_profile_read(&input, profile, error, sizeof error);
    zri_prof_close(name, file);
    if (status)
        return zri_prof_fail(status == -EINVAL ? EMU_EXIT_BAD : EMU_EXIT_HOST, name, "%s", error);
    ep_cautions(*profile, zri_prof_caution, (char *)(uintptr_t)name);
    return 0;
}

int zri_prof_symbols(const struct zri_prof_run *run, struct symbols **symbols)
{
    char error[800];
    *symbols = run->symbol_files ? symbols_new() : NULL;
    if (run->symbol_files && !*symbols)
        return zri_prof_fail(EMU_EXIT_HOST, "--symbols", "%s", zri_prof_no_memory);
    for (int i = 0; i < run->symbol_files; i++) {
        const int bad = symbols_add(*symbols, run->symbols[i], error, sizeof error);
        if (bad)
            return zri_prof_fail(bad == -EINVAL       ? EMU_EXIT_BAD
                                 : bad == -EOPNOTSUPP ? EMU_EXIT_USAGE
                                                      : EMU_EXIT_HOST,
                                 "--symbols", "%s", error);
    }
    return 0;
}

int zri_prof_bind(struct symbols *symbols, const char *name, struct ep_profile *profile)
{
    char error[1000];
    if (!symbols)
        return 0;
    int bad = symbols_bind(symbols, profile, error, sizeof error);
    bad = bad ? bad : symbols_name(symbols, profile, error, sizeof error);
    return bad ? zri_prof_fail(bad == -EPERM ? EMU_EXIT_BAD : EMU_EXIT_HOST, name, "%s", error) : 0;
}

static void put(void *context, const void *bytes, size_t size)
{
    (void)context;
    if (fwrite(bytes, 1, size, stdout) != size)
        return; /* emu_streams_end() sees it */
}
const struct ep_writer zri_prof_output = {NULL, put};

static int sink(void *context, const void *bytes, size_t size)
{
    errno = 0;
    return fwrite(bytes, 1, size, context) == size ? 0 : errno ? -errno : -EIO;
}

int zri_prof_save(const struct ep_profile *profile, const char *name)
{
    char error[400], temporary[4096 + 8];
    struct stat facts;
    if (!strcmp(name, "-")) {
        const struct ep_sink out = {stdout, sink};
        return ep_profile_write(profile, &out, error, sizeof error)
                   ? zri_prof_fail(EMU_EXIT_HOST, "standard output", "%s", error)
                   : 0;
    }
    const bool direct = !stat(name, &facts) && !S_ISREG(facts.st_mode);
    if (snprintf(temporary, sizeof temporary, "%s%s", name, direct ? "" : ".new") >= (int)sizeof temporary)
        return zri_prof_fail(EMU_EXIT_HOST, "--output", "the name is too long; give another one");
    FILE *file = fopen(temporary, "w");
    if (!file)
        return zri_prof_fail(EMU_EXIT_HOST, temporary, "%s; name a file in a folder that can be written",
                             strerror(errno));
    const struct ep_sink to = {file, sink};
    int status = ep_profile_write(profile, &to, error, sizeof error);
    errno = 0;
    const bool lost = fflush(file) || ferror(file); /* also of what was said to be written before */
    if ((fclose(file) || lost) && !status)
        status = snprintf(error, sizeof error, "%s; give it a place with room", strerror(errno ? errno : EIO));
    if (!status && !direct && rename(temporary, name))
        status = snprintf(error, sizeof error, "%s; name a file in a folder that can be written", strerror(errno));
    if (!status)
        return 0;
    if (!direct)
        unlink(temporary);
    return zri_prof_fail(EMU_EXIT_HOST, name, "%s", error);
}
