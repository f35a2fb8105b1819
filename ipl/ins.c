/* SPDX-License-Identifier: GPL-3.0-or-later */
/* .ins lists: each line names a file and the address that it goes to. */
#include "ipl/internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_LINES 1000u

/* The file of one line, relative to the list's own directory. */
static int add_line(struct ipl_load *load, const char *list, unsigned line, const char *name, uint64_t address,
                    char *error, size_t size)
{
    char path[4096], why[400];
    const char *slash = strrchr(list, '/');
    int directory = name[0] == '/' || !slash ? 0 : (int)(slash + 1 - list);
    if (snprintf(path, sizeof path, "%.*s%s", directory, list, name) >= (int)sizeof path)
        return fail_with(-ENAMETOOLONG, error, size, "%s, line %u: the name is too long", list, line);
    uint8_t *bytes;
    uint64_t length;
    /* As it is: what a list names is what its own program expects there, as a compressed initial RAM disk. */
    int code = load->files->read(load->files->context, path, load->storage_size, &bytes, &length, why, sizeof why);
    if (!code && length == 0) {
        free(bytes);
        code = fail_with(-ENOEXEC, why, sizeof why, "%s: the file is empty; make it again", path);
    }
    if (!code)
        code = ipl_piece(load, path, address, bytes, length, 0, true, why, sizeof why);
    return code ? fail_with(code, error, size, "%s, line %u: %s", list, line, why) : 0;
}

static int parse_line(struct ipl_load *load, const char *list, unsigned line, char *text, char *error, size_t size)
{
    char *save = NULL;
    char *name = strtok_r(text, " \t\r", &save);
    if (!name || name[0] == '*' || name[0] == '#')
        return 0;
    char *address = strtok_r(NULL, " \t\r", &save);
    if (!address || strtok_r(NULL, " \t\r", &save))
        return fail_with(-EINVAL, error, size, "%s, line %u: not of the form FILE ADDRESS", list, line);
    const char *digits = address[0] == '0' && (address[1] == 'x' || address[1] == 'X') ? address + 2 : address;
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    if (n == 0 || n > 16 || digits[n])
        return fail_with(-EINVAL, error, size, "%s, line %u: %.40s is not a hexadecimal address", list, line, address);
    return add_line(load, list, line, name, strtoull(digits, NULL, 16), error, size);
}

int ipl_ins(struct ipl_load *load, const char *path, const uint8_t *bytes, uint64_t length, char *error, size_t size)
{
    unsigned before = load->count, line = 0;
    for (uint64_t at = 0; at < length;) {
        const uint8_t *end = memchr(bytes + at, '\n', length - at);
        uint64_t n = end ? (uint64_t)(end - bytes) - at : length - at;
        char text[2048];
        if (++line > MAX_LINES)
            return fail_with(-E2BIG, error, size, "%s: has more than %u lines; split it", path, MAX_LINES);
        if (n >= sizeof text || memchr(bytes + at, 0, n))
            return fail_with(-EINVAL, error, size, "%s, line %u: is too long or not text", path, line);
        memcpy(text, bytes + at, n);
        text[n] = 0;
        int code = parse_line(load, path, line, text, error, size);
        if (code)
            return code;
        at += n + 1;
    }
    if (load->count == before)
        return fail_with(-ENOEXEC, error, size, "%s: names no file; write lines of the form FILE ADDRESS", path);
    ipl_start(load, IPL_START_PSW_AT_0, 0);
    return 0;
}
