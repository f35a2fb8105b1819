/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing PNG: a signature, and chunks with length, name and a check word. */
#include "emu/panel/window/png.h"
#include "base/bits.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

static void chunk(FILE *f, const char name[4], const uint8_t *bytes, size_t length)
{
    uint8_t word[4];
    put32(word, (uint32_t)length);
    fwrite(word, 1, 4, f);
    fwrite(name, 1, 4, f);
    if (length)
        fwrite(bytes, 1, length, f);
    uLong check = crc32(0, (const Bytef *)name, 4);
    if (length)
        check = crc32(check, bytes, (uInt)length);
    put32(word, (uint32_t)check);
    fwrite(word, 1, 4, f);
}

/* The rows, each with a filter in front of it: the difference to the pixel on the left, which makes even ground small.
 */
static uint8_t *filtered(const uint32_t *pixels, unsigned width, unsigned height, size_t stride, size_t *length)
{
    *length = (size_t)height * (3 * (size_t)width + 1);
    uint8_t *bytes = malloc(*length), *to = bytes;
    for (unsigned y = 0; bytes && y < height; y++) {
        uint32_t left = 0;
        *to++ = 1;
        for (unsigned x = 0; x < width; x++) {
            const uint32_t p = pixels[y * stride + x];
            for (int shift = 16; shift >= 0; shift -= 8)
                *to++ = (uint8_t)((p >> shift) - (left >> shift));
            left = p;
        }
    }
    return bytes;
}

static int write_all(FILE *f, const uint8_t *packed, size_t length, unsigned width, unsigned height)
{
    uint8_t header[13] = {0};
    put32(header, width);
    put32(header + 4, height);
    header[8] = 8; /* bits */
    header[9] = 2; /* red, green, blue */
    fwrite("\211PNG\r\n\032\n", 1, 8, f);
    chunk(f, "IHDR", header, sizeof header);
    chunk(f, "IDAT", packed, length);
    chunk(f, "IEND", NULL, 0);
    errno = 0;
    const bool bad = ferror(f) || fflush(f);
    return bad ? -(errno ? errno : EIO) : 0;
}

int png_write(const char *file, const uint32_t *pixels, unsigned width, unsigned height, size_t stride, char *error,
              size_t size)
{
    size_t length = 0;
    uint8_t *rows = filtered(pixels, width, height, stride, &length);
    uLongf packed_length = compressBound((uLong)length);
    uint8_t *packed = rows ? malloc(packed_length) : NULL;
    int code = packed && compress2(packed, &packed_length, rows, (uLong)length, 6) == Z_OK ? 0 : -ENOMEM;
    free(rows);
    FILE *f = code ? NULL : fopen(file, "wb");
    if (!code && !f)
        code = -errno;
    if (!code) {
        code = write_all(f, packed, packed_length, width, height);
        if (fclose(f) && !code)
            code = -errno;
        if (code)
            unlink(file);
    }
    free(packed);
    if (code)
        snprintf(error, size, "the picture '%.200s' cannot be written: %s; name a file in a folder that can be written",
                 file, strerror(-code));
    return code;
}
#else
int png_write(const char *file, const uint32_t *pixels, unsigned width, unsigned height, size_t stride, char *error,
              size_t size)
{
    (void)pixels;
    (void)width;
    (void)height;
    (void)stride;
    snprintf(error, size,
             "the picture '%.200s' cannot be written: zri was built without zlib; install zlib1g-dev and "
             "configure again",
             file);
    return -ENOTSUP;
}
#endif
