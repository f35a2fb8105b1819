/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call-frame information that is made by chance, and good one that is damaged: frames of all places are unwound until
   there is no caller. Nothing may crash or hang; a frame without a caller stays as it was, and a caller has a place and
   a stack pointer. Usage: fuzz_unwind [COUNT [SEED]]. */
#include "emu/symbols/unwind.h"
#include "tests/random.h"
#include "tests/unit/cfi_maker.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PROGRAM 200u

static uint64_t pick(uint64_t *state, uint64_t limit) { return (random_step(state) >> 16) % limit; }

/* Storage of which some can be had; what is there leads to storage and code again, often enough. */
static bool fetch(void *context, uint64_t address, uint8_t bytes[8])
{
    uint64_t mixed = address * UINT64_C(0x9e3779b97f4a7c15) ^ *(const uint64_t *)context;
    if ((mixed >> 60) == 0)
        return false;
    put64(bytes, mixed & 1   ? CFI_CODE + (mixed >> 8) % (CFI_SIZE + 8)
                 : mixed & 2 ? address + (mixed >> 8) % 512
                             : mixed);
    return true;
}

static void one_instruction(uint64_t *state, uint8_t *p, size_t *at)
{
    static const uint8_t opcodes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d,
                                      0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x2d, 0x2e, 0x2f, 0x3f};
    static const uint8_t operations[] = {0x06, 0x08, 0x0a, 0x11, 0x1a, 0x1c, 0x22, 0x23, 0x30, 0x4f,
                                         0x5e, 0x7f, 0x8f, 0x90, 0x92, 0x9c, 0x9f, 0x12, 0x2f, 0xf1};
    const unsigned kind = (unsigned)pick(state, 4);
    uint8_t opcode = opcodes[pick(state, sizeof opcodes)];
    if (kind == 0)
        opcode = (uint8_t)(0x80 | pick(state, 64)); /* offset */
    if (kind == 1)
        opcode = (uint8_t)(0x40 | pick(state, 64)); /* advance_loc */
    p[(*at)++] = opcode;
    if (opcode == 0x0f || opcode == 0x10 || opcode == 0x16) {
        if (opcode != 0x0f)
            p[(*at)++] = (uint8_t)pick(state, 20);
        const uint8_t length = (uint8_t)pick(state, 24);
        p[(*at)++] = length;
        for (unsigned i = 0; i < length; i++)
            p[(*at)++] = pick(state, 3) ? operations[pick(state, sizeof operations)] : (uint8_t)pick(state, 256);
        return;
    }
    for (uint64_t i = pick(state, 4); i; i--)
        p[(*at)++] = (uint8_t)pick(state, pick(state, 32) ? 40 : 256); /* libdw makes room for large numbers */
}

/* Often it begins with what a good one has. */
static size_t program(uint64_t *state, uint8_t bytes[PROGRAM], const uint8_t good[4])
{
    size_t at = pick(state, 4) ? 4 : 0;
    memcpy(bytes, good, at);
    for (uint64_t n = pick(state, 12); n && at + 40 < PROGRAM; n--)
        one_instruction(state, bytes, &at);
    return at;
}

/* Frames one above the other from one place. False: something is wrong. */
static bool climb(struct symbols_file *file, uint64_t *state, uint64_t *found)
{
    uint64_t salt = random_step(state);
    const struct unwind_storage storage = {.context = &salt, .fetch = fetch};
    struct unwind_frame f = {.ia = CFI_CODE + pick(state, CFI_SIZE + 4)};
    for (unsigned i = 0; i < 16; i++) {
        f.gr[i] = pick(state, 2) ? 0x8000 + 8 * pick(state, 64) : random_step(state);
        f.fpr[i] = random_step(state);
        f.known[i] = pick(state, 8);
    }
    for (unsigned depth = 0; depth < 32; depth++) {
        const struct unwind_frame before = f;
        const enum unwind_how how = symbols_unwind(file, &storage, depth == 0, &f);
        *found += how == UNWIND_CFI;
        if (how == UNWIND_NONE)
            return memcmp(&f, &before, sizeof f) == 0;
        if (!f.ia || f.ia & 1 || !f.known[15])
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 500;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, read = 0, found = 0;
    char path[] = "/tmp/fuzz_unwind.XXXXXX", error[1000];
    const int made = mkstemp(path);
    bool good = made >= 0 && close(made) == 0;
    for (uint64_t n = 0; good && n < count; n++) {
        uint8_t file[CFI_MOST], bytes[2][PROGRAM] = {{0}};
        struct symbols_file *symbols;
        static const uint8_t cfa[4] = {0x0c, 15, 0xa0, 1}, saved[4] = {0x8e, 6, 0x8f, 5};
        const struct cfi_program cie = {bytes[0], program(&state, bytes[0], cfa)},
                                 fde = {bytes[1], program(&state, bytes[1], saved)};
        const size_t size = cfi_elf(file, n & 1, &cie, &fde);
        for (uint64_t i = pick(&state, 4) ? 0 : pick(&state, 6); i; i--) /* also what is around the programs */
            file[CFI_FRAMES + pick(&state, size - CFI_FRAMES)] ^= (uint8_t)(1u << pick(&state, 8));
        FILE *out = fopen(path, "wb");
        good = out && fwrite(file, 1, size, out) == size;
        good = out && !fclose(out) && good;
        if (!good || symbols_file_open(path, &symbols, error, sizeof error))
            continue;
        read++;
        for (unsigned i = 0; i < 8 && good; i++)
            good = climb(symbols, &state, &found);
        symbols_file_close(symbols);
        if (!good)
            fprintf(stderr, "case %" PRIu64 ": a frame is not what it must be\n", n);
    }
    unlink(path);
    printf("%" PRIu64 " of %" PRIu64 " files read, %" PRIu64 " callers found by rules\n", read, count, found);
#ifdef HAVE_LIBDW
    good = good && (count < 100 || (read > count / 2 && found > count / 10));
#endif
    return !good;
}
