/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the Linux tests need to know of a kernel image and of what its decompressor left in storage.

   linux_image payload VMLINUZ       the compressed payload, from its magic on, to standard output (for xz)
   linux_image compare VMLINUZ PAYLOAD CORE
        compares CORE (absolute storage from the kernel's place X'100000' on) with PAYLOAD (unpacked on the host) with
        its relocations applied, except for the two areas that the decompressor fills with what it found out about the
        machine. Exit status 0: equal; 1: different; 2: something is wrong with the files.
   linux_image symbols VMLINUZ       the decompressor's own routine names, as nm would print them
   linux_image hot VMLINUZ BUFFER    BUFFER is a program buffer of run-time instrumentation: sample addresses counted by
        routine of the decompressor, most frequent first */
#include <stdio.h>
#include <stdlib.h>
#include "base/bits.h"

struct bytes {
    uint8_t *at;
    uint64_t length;
};

/* The decompressor's description of the payload: link addresses. Kernel 6.1, arch/s390/boot. */
struct description {
    uint64_t base, boot_data, boot_data_size, preserved, preserved_size, symbols, relocations, relocations_end;
};

static struct bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct bytes b = {malloc(1u << 27), 0};
    if (!file || !b.at) {
        fprintf(stderr, "linux_image: cannot read %s\n", path);
        exit(2);
    }
    b.length = fread(b.at, 1, 1u << 27, file);
    fclose(file);
    return b;
}

static uint64_t payload_offset(const struct bytes *kernel)
{
    static const uint8_t magic[8] = {0xfd, '7', 'z', 'X', 'Z', 0, 0, 1};
    for (uint64_t i = 0x10000; i + 8 <= kernel->length; i++)
        if (!memcmp(kernel->at + i, magic, 8))
            return i;
    fprintf(stderr, "linux_image: no XZ stream in the kernel image\n");
    exit(2);
}

/* Twelve doublewords: base, entry, image size, bss size, boot data and its size, preserved boot data and its size,
   dynamic symbols, start and end of the relocations. The relocations are the last thing in the payload. */
static struct description find_description(const struct bytes *kernel, uint64_t payload_size)
{
    for (uint64_t i = 0x10000; i + 96 <= kernel->length; i += 8) {
        const uint8_t *p = kernel->at + i;
        struct description d = {get64(p),      get64(p + 32), get64(p + 40), get64(p + 48),
                                get64(p + 56), get64(p + 64), get64(p + 72), get64(p + 80)};
        uint64_t end = d.base + payload_size;
        if (d.base == 0x100000 && d.relocations_end == end && d.relocations < end && d.symbols < end &&
            d.boot_data < end && d.preserved < end)
            return d;
    }
    fprintf(stderr, "linux_image: the description of the payload was not found in the kernel image\n");
    exit(2);
}

/* The payload runs where it was linked, so a relocation stores its addend, plus its symbol's value. */
static unsigned long relocate(struct bytes *payload, const struct description *d)
{
    unsigned long count = 0;
    for (uint64_t r = d->relocations - d->base; r + 24 <= d->relocations_end - d->base; r += 24) {
        const uint8_t *p = payload->at + r;
        uint64_t at = get64(p) - d->base, value = get64(p + 16);
        uint32_t type = get32(p + 12), symbol = get32(p + 8);
        if (symbol) {
            uint64_t s = d->symbols - d->base + (uint64_t)symbol * 24;
            if (s + 24 > payload->length)
                continue;
            value += get64(payload->at + s + 8);
        }
        if ((type != 12 && type != 22) || at + 8 > payload->length) /* R_390_RELATIVE, R_390_64 */
            continue;
        put64(payload->at + at, value);
        count++;
    }
    return count;
}

static int compare(struct bytes *kernel, struct bytes *payload, const struct bytes *core)
{
    struct description d = find_description(kernel, payload->length);
    unsigned long relocations = relocate(payload, &d), different = 0, same = 0;
    if (core->length < payload->length) {
        fprintf(stderr, "linux_image: the core image is shorter than the payload\n");
        return 2;
    }
    uint64_t boot = d.boot_data - d.base, kept = d.preserved - d.base;
    for (uint64_t i = 0; i < payload->length; i++) {
        if (i - boot < d.boot_data_size || i - kept < d.preserved_size)
            continue;
        if (payload->at[i] == core->at[i])
            same++;
        else if (different++ < 5)
            printf("at %llX: %02x in storage, %02x expected\n", (unsigned long long)(d.base + i), core->at[i],
                   payload->at[i]);
    }
    printf("payload of %llu bytes: %lu equal, %lu different; %lu relocations; %llu bytes of boot data not compared\n",
           (unsigned long long)payload->length, same, different, relocations,
           (unsigned long long)(d.boot_data_size + d.preserved_size));
    return different ? 1 : 0;
}

/* The decompressor carries its routine names for its own panic messages: strings "ADDRESS LENGTH NAME" in hexadecimal,
   in address order, the first one being that of the entry point. */
struct routine {
    uint64_t address, length;
    const char *name;
    unsigned long samples;
};
static unsigned read_routines(const struct bytes *kernel, struct routine *routines, unsigned room)
{
    static const char first[] = "10000 ";
    unsigned count = 0;
    uint64_t end = payload_offset(kernel), at = 0x10000;
    while (at + 64 < end && !(kernel->at[at - 1] == 0 && !memcmp(kernel->at + at, first, sizeof first - 1)))
        at++;
    while (at < end && count < room) {
        const char *line = (const char *)kernel->at + at;
        char *rest;
        size_t length = strnlen(line, end - at);
        struct routine r = {0};
        if (length == 0 || length == end - at)
            break;
        r.address = strtoull(line, &rest, 16);
        if (*rest == ' ')
            r.length = strtoull(rest + 1, &rest, 16);
        if (*rest != ' ')
            break;
        r.name = rest + 1;
        routines[count++] = r;
        at += length + 1;
    }
    return count;
}

static int print_symbols(const struct bytes *kernel)
{
    struct routine routines[2000];
    unsigned count = read_routines(kernel, routines, 2000);
    for (unsigned i = 0; i < count; i++)
        printf("%016llx t %s\n", (unsigned long long)routines[i].address, routines[i].name);
    return count ? 0 : 2;
}

static int by_samples(const void *a, const void *b)
{
    const struct routine *x = a, *y = b;
    return x->samples == y->samples ? 0 : x->samples > y->samples ? -1 : 1;
}

static int print_hot(const struct bytes *kernel, const struct bytes *buffer)
{
    struct routine routines[2000];
    unsigned count = read_routines(kernel, routines, 2000);
    unsigned long samples = 0, elsewhere = 0;
    for (uint64_t i = 0; i + 16 <= buffer->length; i += 16) {
        if (buffer->at[i] != 4) /* instruction record */
            continue;
        uint64_t address = get64(buffer->at + i) & 0x7fffffffffffff;
        unsigned k = 0;
        while (k < count && address - routines[k].address >= routines[k].length)
            k++;
        if (k < count)
            routines[k].samples++;
        else
            elsewhere++;
        samples++;
    }
    qsort(routines, count, sizeof *routines, by_samples);
    printf("%lu samples\n", samples);
    for (unsigned k = 0; k < count && routines[k].samples; k++)
        printf("%8lu %s\n", routines[k].samples, routines[k].name);
    if (elsewhere)
        printf("%8lu elsewhere\n", elsewhere);
    return samples && count ? 0 : 2;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "symbols")) {
        struct bytes kernel = read_file(argv[2]);
        return print_symbols(&kernel);
    }
    if (argc == 4 && !strcmp(argv[1], "hot")) {
        struct bytes kernel = read_file(argv[2]), buffer = read_file(argv[3]);
        return print_hot(&kernel, &buffer);
    }
    if (argc == 3 && !strcmp(argv[1], "payload")) {
        struct bytes kernel = read_file(argv[2]);
        uint64_t at = payload_offset(&kernel);
        return fwrite(kernel.at + at, 1, kernel.length - at, stdout) == kernel.length - at ? 0 : 2;
    }
    if (argc == 5 && !strcmp(argv[1], "compare")) {
        struct bytes kernel = read_file(argv[2]), payload = read_file(argv[3]), core = read_file(argv[4]);
        return compare(&kernel, &payload, &core);
    }
    fprintf(
        stderr,
        "usage: linux_image payload VMLINUZ | compare VMLINUZ PAYLOAD CORE | symbols VMLINUZ | hot VMLINUZ BUFFER\n");
    return 2;
}
