/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux kernel images. */
#include "ipl/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    ENTRY = 0x10000,
    MARK = 0x10008,           /* S390EP and X'0001' */
    INITRD_ADDRESS = 0x10408, /* doublewords */
    INITRD_LENGTH = 0x10410,
    COMMAND_LINE_SIZE = 0x10430, /* 0: the field has 896 bytes */
    COMMAND_LINE = 0x10480,
    OLD_COMMAND_LINE_SIZE = 896,
    MAX_COMMAND_LINE_SIZE = 65536,
    MIB = 1 << 20
};

bool ipl_is_linux(const uint8_t *bytes, uint64_t length)
{
    return length > COMMAND_LINE && !memcmp(bytes + MARK, "S390EP\0\1", 8);
}

static int set_command_line(uint8_t *image, uint64_t length, const char *kernel, const char *append, char *error,
                            size_t size)
{
    uint64_t field = get64(image + COMMAND_LINE_SIZE);
    if (field == 0)
        field = OLD_COMMAND_LINE_SIZE;
    if (field > MAX_COMMAND_LINE_SIZE || field > length - COMMAND_LINE)
        return fail_with(-ENOEXEC, error, size,
                         "%s: its command-line field of %" PRIu64 " bytes does not fit into the image; it is damaged",
                         kernel, field);
    if (!append)
        return 0;
    size_t n = strlen(append);
    if (n + 1 > field)
        return fail_with(-E2BIG, error, size,
                         "%s: the command line has %zu characters, the kernel has room for %" PRIu64 "; shorten it",
                         kernel, n, field - 1);
    memset(image + COMMAND_LINE, 0, field);
    memcpy(image + COMMAND_LINE, append, n);
    return 0;
}

int ipl_command_line(struct ipl_load *load, const char *text, char *error, size_t size)
{
    const size_t n = strlen(text) + 1;
    if (n > OLD_COMMAND_LINE_SIZE)
        return fail_with(-E2BIG, error, size, "--append: the text has %zu characters, and %d fit; shorten it", n - 1,
                         OLD_COMMAND_LINE_SIZE - 1);
    return ipl_piece(load, "--append", COMMAND_LINE, (uint8_t *)(uintptr_t)text, n, 0, false, error, size);
}

/* Behind the image, at least 1 MiB away, on a page. The kernel moves it out of the way of what it unpacks. */
static int add_initrd(struct ipl_load *load, uint8_t *image, uint64_t length, const char *path, char *error,
                      size_t size)
{
    uint8_t *bytes = NULL;
    uint64_t n = 0;
    uint64_t limit = load->storage_size;
    uint64_t address = (length + 2 * MIB - 1) & ~(uint64_t)(MIB - 1);
    /* Not unpacked by the loader: the kernel unpacks it, so it stays as it is. */
    int code = load->files->read(load->files->context, path, limit, &bytes, &n, error, size);
    if (code)
        return code;
    if (n == 0) {
        free(bytes);
        return fail_with(-ENOEXEC, error, size, "%s: the initial RAM disk is empty; build it again", path);
    }
    code = ipl_piece(load, path, address, bytes, n, 0, true, error, size);
    if (code)
        return code;
    put64(image + INITRD_ADDRESS, address);
    put64(image + INITRD_LENGTH, n);
    return 0;
}

int ipl_linux(struct ipl_load *load, const struct ipl_request *request, const uint8_t *bytes, uint64_t length,
              char *error, size_t size)
{
    if (!ipl_is_linux(bytes, length))
        return fail_with(-ENOEXEC, error, size,
                         "%s: is not a Linux kernel for s390x (no S390EP mark at 10008); give the uncompressed-header "
                         "image, vmlinuz or bzImage",
                         request->path);
    uint8_t *image = malloc(length);
    if (!image)
        return fail_with(-ENOMEM, error, size, "%s: no memory on the host; close other programs", request->path);
    memcpy(image, bytes, length);
    int code = set_command_line(image, length, request->path, request->append, error, size);
    if (!code && request->initrd)
        code = add_initrd(load, image, length, request->initrd, error, size);
    if (code) {
        free(image);
        return code;
    }
    code = ipl_piece(load, request->path, 0, image, length, 0, true, error, size);
    if (code)
        return code;
    ipl_start(load, IPL_START_ENTRY, ENTRY);
    return 0;
}
