/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damaged images: each loader gets mutations of a good one. Whatever it answers, it must not crash, a refusal must have
   a sentence and leave the load as it was, and an accepted image must be storable within the machine's storage.
   fuzz_ipl [COUNT [SEED]]: COUNT mutations of each sample. Meant to be built with the sanitizers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#if HAVE_ZLIB
#include <zlib.h>
#endif
#include "cpu/storage/main.h"
#include "ipl/load.h"
#include "tests/unit/ipl_samples.h"
#include "tests/random.h"

#define STORAGE (2u << 20)

struct sample {
    const char *path;
    uint8_t *bytes;
    uint64_t length;
    bool linux_kernel;
};
struct world {
    struct sample now; /* the mutated image */
    uint64_t random;
};

static uint64_t next(struct world *w) { return random_step(&w->random); }

static int give(const uint8_t *from, uint64_t n, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error,
                size_t size)
{
    if (n > limit) {
        snprintf(error, size, "too long");
        return -EFBIG;
    }
    *bytes = malloc(n ? n : 1);
    if (!*bytes)
        return -ENOMEM;
    memcpy(*bytes, from, n);
    *length = n;
    return 0;
}

static int fuzz_read(void *context, const char *path, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error,
                     size_t size)
{
    struct world *w = context;
    if (!strcmp(path, w->now.path))
        return give(w->now.bytes, w->now.length, limit, bytes, length, error, size);
    if (strlen(path) < 4)
        return give((const uint8_t *)"0123456789abcdef", 16, limit, bytes, length, error, size);
    snprintf(error, size, "%.100s: no such file", path);
    return -ENOENT;
}

static void mutate(struct world *w, const struct sample *from)
{
    uint8_t *b = w->now.bytes;
    static const uint8_t odd[] = {0, 1, 0x7f, 0x80, 0xff, 0x40, ' ', '\n', 0xc5, 2};
    memcpy(b, from->bytes, from->length);
    w->now.length = from->length;
    w->now.path = from->path;
    /* Most of a kernel image is not looked at: aim at the parameter area then. */
    uint64_t low = from->linux_kernel ? 0x10000 : 0, span = from->linux_kernel ? 0x490 : from->length;
    for (unsigned n = (unsigned)(next(w) % 6) + 1; n; n--) {
        uint64_t at = low + next(w) % span;
        switch (next(w) % 5) {
        case 0:
            b[at] ^= (uint8_t)(1u << next(w) % 8);
            break;
        case 1:
            b[at] = (uint8_t)next(w);
            break;
        case 2:
            b[at] = odd[next(w) % sizeof odd];
            break;
        case 3:
            for (uint64_t k = at; k < at + 8 && k < w->now.length; k++)
                b[k] = (uint8_t)(next(w) % 3 ? 0xff : 0);
            break;
        case 4:
            if (next(w) % 4 == 0)
                w->now.length = next(w) % (w->now.length + 1);
            break;
        }
        if (w->now.length == 0)
            break;
        span = span < w->now.length ? span : w->now.length;
        low = low + span <= w->now.length ? low : 0;
    }
}

static void problem(const struct world *w, const char *what)
{
    fprintf(stderr, "fuzz_ipl: %s: %s\n", w->now.path, what);
    FILE *file = fopen("fuzz_ipl.case", "wb");
    if (file) {
        fwrite(w->now.bytes, 1, w->now.length, file);
        fclose(file);
    }
    exit(1);
}

static bool try_one(struct world *w, const struct ipl_files *files, struct cpu_system *sys)
{
    char error[300] = "", argument[32] = "s";
    uint64_t mask, ia;
    struct ipl_request request = {0};
    struct ipl_load *load = ipl_load_new(files, STORAGE);
    if (!load)
        problem(w, "no memory");
    if (next(w) % 4 == 0)
        snprintf(argument, sizeof argument, "s@%llx", (unsigned long long)(next(w) >> next(w) % 64));
    if (ipl_parse_argument(argument, &request, error, sizeof error))
        problem(w, "an address was refused");
    request.path = w->now.path;
    if (next(w) % 8 == 0)
        request.append = "quiet";
    if (next(w) % 8 == 0)
        request.initrd = "i";
    int code = ipl_add(load, &request, error, sizeof error);
    if (code && (!error[0] || code > 0 || ipl_load_bytes(load) || ipl_symbols_count(ipl_load_symbols(load))))
        problem(w, "a refusal without a sentence, or with traces");
    if (!code && (ipl_load_end(load) > STORAGE || ipl_store(load, sys)))
        problem(w, "an accepted image that does not fit");
    if (!code && ipl_start_psw(load, &sys->storage, &mask, &ia, error, sizeof error) > 0)
        problem(w, "a start that is neither");
    for (unsigned i = 0; i < 4; i++)
        (void)ipl_symbol_at(ipl_load_symbols(load), next(w));
    ipl_load_free(load);
    return code == 0;
}

#if HAVE_ZLIB
static uint64_t pack(const uint8_t *plain, uint64_t n, uint8_t *out, uint64_t room)
{
    z_stream z = {
        .next_in = (uint8_t *)(uintptr_t)plain, .avail_in = (uInt)n, .next_out = out, .avail_out = (uInt)room};
    if (deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK || deflate(&z, Z_FINISH) != Z_STREAM_END)
        exit(2);
    n = z.total_out;
    deflateEnd(&z);
    return n;
}
#endif

int main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    struct world w = {.random = argc > 2 ? strtoull(argv[2], NULL, 0) | 1 : UINT64_C(0x9e3779b97f4a7c15)};
    struct ipl_files files = {&w, fuzz_read};
    struct cpu_system sys = {0};
    static char list[] = "* list\nk 0\nw 0x10\nw2 fff00\n";
    static uint8_t gz[4096];
    struct sample samples[6] = {{"p", elf, sizeof elf, false},
                                {"d", deck, 80 * 7, false},
                                {"l.ins", (uint8_t *)list, sizeof list - 1, false},
                                {"k", kernel, sizeof kernel, true}};
    unsigned n = 4;
    make_elf();
    make_deck();
    make_kernel();
#if HAVE_ZLIB
    samples[n++] = (struct sample){"z", gz, pack(elf, sizeof elf, gz, sizeof gz), false};
#endif
    (void)gz;
    w.now.bytes = malloc(sizeof kernel);
    if (!w.now.bytes || storage_create(&sys.storage, STORAGE))
        return 2;
    for (unsigned s = 0; s < n; s++) {
        unsigned long accepted = 0;
        unsigned long times = samples[s].linux_kernel ? count / 20 + 1 : count;
        for (unsigned long i = 0; i < times; i++) {
            mutate(&w, &samples[s]);
            accepted += try_one(&w, &files, &sys);
        }
        printf("fuzz_ipl: %-6s %8lu images, %8lu accepted\n", samples[s].path, times, accepted);
        if (accepted == 0 || accepted == times)
            problem(&w, "all or none were accepted: the mutations do not reach the loader");
    }
    storage_destroy(&sys.storage);
    free(w.now.bytes);
    return 0;
}
