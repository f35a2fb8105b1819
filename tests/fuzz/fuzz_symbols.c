/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries files for zri-prof --symbols that are made by mutation: lists of addresses, raw images and, where a file is
   named, an ELF file with debugging information. Reading may not crash or hang; what is read names functions, gives
   code and lines for addresses everywhere, and forms for other programs. Usage: fuzz_symbols [COUNT [SEED [ELF]]]. */
#include "emu/symbols/symbols.h"
#include "ri/profile/show/output.h"
#include "tests/random.h"
#include "tests/unit/ep_example.h"
#include <inttypes.h>
#include <unistd.h>

static uint64_t pick(uint64_t *state, uint64_t limit) { return (random_step(state) >> 16) % limit; }

static const char map[] = "0000000000010000 T first\n0000000000010010 t second\t[module]\n0000000000010010 W alias\n"
                          "000000000001001c 0000000000000010 T sized\n                 U printf\n"
                          "0000000000010038 D data\n0000000000010040 A absolute\n0000000000010042 i chosen\n";

struct bytes {
    uint8_t *all;
    size_t size;
};

static void mutate(uint64_t *state, struct bytes *b, bool text)
{
    static const char likely[] = "0123456789abcdef TtWwDAUi\n\t[]_. ";
    static const uint8_t edges[] = {0, 1, 2, 4, 8, 0x10, 0x40, 0x7f, 0x80, 0xff};
    if (!b->size)
        return;
    const size_t at = pick(state, b->size), from = pick(state, b->size);
    size_t n = 1 + pick(state, 16);
    switch (pick(state, 6)) {
    case 0:
        b->all[at] ^= (uint8_t)(1u << pick(state, 8));
        return;
    case 1: /* the end is missing, mostly not much of it */
        b->size = pick(state, 8) ? b->size - pick(state, b->size < 64 ? b->size : 64) : at;
        return;
    case 2: /* a piece of it somewhere else */
        n = n < b->size - from ? n : b->size - from;
        memmove(b->all + at, b->all + from, n < b->size - at ? n : b->size - at);
        return;
    case 3: /* many bytes */
        for (; n && at + n <= b->size; n--)
            b->all[at + n - 1] = edges[pick(state, sizeof edges)];
        return;
    default:
        b->all[at] = text ? (uint8_t)likely[pick(state, sizeof likely - 1)] : edges[pick(state, sizeof edges)];
    }
}

static void put(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
}

/* A file of what was made; its name is that of the module. */
static bool save(const char *name, const struct bytes *b)
{
    FILE *out = fopen(name, "wb");
    const bool good = out && fwrite(b->all, 1, b->size, out) == b->size;
    return out && !fclose(out) && good;
}

/* Everything that is asked of symbols. */
static bool use(struct symbols *symbols, struct ep_profile *profile, uint64_t *state, uint64_t *sum)
{
    const struct ep_writer writer = {sum, put};
    char error[1000];
    if (symbols_bind(symbols, profile, error, sizeof error))
        return true; /* the raw image is not that of the module */
    if (symbols_name(symbols, profile, error, sizeof error)) {
        fprintf(stderr, "no names: %s\n", error);
        return false;
    }
    const struct ep_source source = symbols_source(symbols);
    for (unsigned i = 0; i < 40; i++) {
        struct ep_frame frame[EP_FRAMES_MOST];
        uint8_t bytes[6];
        const uint64_t address = 0x10000 + 2 * pick(state, 0x24);
        *sum += source.code(source.context, 0, address, bytes);
        const unsigned n = source.frames(source.context, 0, address, frame, EP_FRAMES_MOST);
        for (unsigned k = 0; k < n && k < EP_FRAMES_MOST; k++)
            *sum += (frame[k].function ? strlen(frame[k].function) : 0) + (frame[k].file ? strlen(frame[k].file) : 0);
    }
    if (!ep_source_complete(&source, profile, error, sizeof error)) {
        *sum += ep_export_callgrind(profile, &source, &writer, error, sizeof error) != 0;
        *sum += ep_export_llvm(profile, &source, &writer, error, sizeof error) != 0;
        if (ep_profile_set(profile, EP_H_SOURCE, "exact"))
            return false;
        *sum += ep_export_lcov(profile, &source, &writer, error, sizeof error) != 0;
    }
    return true;
}

/* One file; 1: read, 0: refused, -1: wrong. */
static int try(const char *name, uint64_t *state, uint64_t *sum)
{
    char error[1000] = "";
    struct symbols *symbols = symbols_new();
    struct ep_profile *profile = ep_of_text(EP_EXAMPLE, strlen(EP_EXAMPLE), error);
    int read = 0;
    if (!symbols || !profile)
        return -1;
    if (!symbols_add(symbols, name, error, sizeof error))
        read = use(symbols, profile, state, sum) ? 1 : -1;
    else if (strlen(error) < 20 || !strchr(error, ';'))
        read = -1;
    if (read < 0)
        fprintf(stderr, "refused by '%s'\n", error);
    symbols_free(symbols);
    ep_profile_free(profile);
    return read;
}

static struct bytes load(const char *name)
{
    struct bytes b = {NULL, 0};
    FILE *in = name ? fopen(name, "rb") : NULL;
    if (!in || fseek(in, 0, SEEK_END) || (b.size = (size_t)ftell(in)) > 1u << 24 || fseek(in, 0, SEEK_SET) ||
        !(b.all = malloc(b.size + 1)) || fread(b.all, 1, b.size, in) != b.size)
        b.size = 0;
    if (in)
        fclose(in);
    return b;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15), read = 0, sum = 0;
    char folder[] = "/tmp/fuzz_symbols.XXXXXX", name[64];
    const struct bytes elf = load(argc > 3 ? argv[3] : "tests/fuzz/symbols.elf");
    struct bytes b = {malloc((elf.size > sizeof map ? elf.size : sizeof map) + 1), 0};
    int status = 0;
    if (!b.all || !mkdtemp(folder))
        return 99;
    snprintf(name, sizeof name, "%s/ex", folder);
    for (uint64_t i = 0; i < count && !status; i++) {
        const bool text = !elf.size || pick(&state, 3) == 0;
        b.size = text ? sizeof map - 1 : elf.size;
        memcpy(b.all, text ? (const uint8_t *)map : elf.all, b.size);
        for (uint64_t k = pick(&state, text ? 3 : 12); k--;)
            mutate(&state, &b, text);
        const int got = save(name, &b) ? try(name, &state, &sum) : -1;
        read += got > 0;
        if (got < 0) {
            fprintf(stderr, "input %" PRIu64 "\n", i);
            status = 1;
        }
    }
    unlink(name);
    rmdir(folder);
    free(b.all);
    free(elf.all);
    printf("%" PRIu64 " files of symbols tried (%s), %" PRIu64 " read, sum %" PRIu64 "\n", count,
           elf.size ? "with ELF" : "no ELF file", read, sum);
    return status;
}
