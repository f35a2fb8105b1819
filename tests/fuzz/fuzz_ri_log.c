/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries RI logs and program buffers made by mutation: reading them may not crash, hang or write without end, in any of
   the forms, and what is damaged must be told. Usage: fuzz_ri_log [COUNT [SEED]]. The sanitizers are the judges. */
#include "emu/ri_decode.h"
#include "ri/log.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

/* A log of a few groups of different sizes, or (dump) a program buffer. */
static size_t seed(uint8_t *data, bool dump)
{
    struct ri_record records[RI_GROUP_RECORDS] = {{0, 0}};
    struct ri_log_header header = {.format = RI_LOG_FORMAT, .cpus = 2, .profile = "max", .ri_profile = "RI-D"};
    size_t length = dump ? 0 : RI_LOG_HEADER;
    if (!dump)
        ri_log_put_header(&header, data);
    for (unsigned i = 0; i < 6; i++) {
        uint8_t entry[RI_LOG_ENTRY];
        struct ri_log_group group = {.cpu = i & 1, .address = 0x1000 + 64 * i, .roa = 0x1000, .mode = (uint8_t)i % 3};
        group.rgs = dump ? 1 : (uint8_t)(i + 1);
        group.count = (uint16_t)(2u << group.rgs);
        for (unsigned k = 0; k < group.count; k++)
            records[k] = (struct ri_record){(uint64_t)(0x10 + (k + i) % 5) << 56 | 0x1000 * k, 0x2000 * k};
        records[0].hi = (uint64_t)(i ? RI_TYPE_TIMESTAMP : RI_TYPE_BEGIN) << 56 | UINT64_C(6) << RI_BEGIN_NRG_SHIFT |
                        (uint64_t)group.rgs << RI_BEGIN_RGS_SHIFT;
        records[group.count - 1].hi = (uint64_t)RI_TYPE_INSTRUCTION << 56;
        size_t n = ri_log_put_group(&group, records, entry);
        size_t skip = dump ? RI_LOG_HEAD : 0;
        memcpy(data + length, entry + skip, n - skip);
        length += n - skip;
    }
    return length;
}

static size_t mutate(uint64_t *state, uint8_t *data, size_t n)
{
    static const uint8_t edges[] = {0, 1, 2, 3, 4, 5, 0x10, 0x14, 0x7f, 0x80, 0xff};
    for (uint64_t k = pick(state, 4); k--;) {
        size_t at = pick(state, 2) ? pick(state, n) : pick(state, 200 < n ? 200 : n);
        switch (pick(state, 6)) {
        case 0:
            n = at + 1;
            break;
        case 1:
            data[at] ^= (uint8_t)(1u << pick(state, 8));
            break;
        case 2:
            memmove(data + at, data + at + 1, n - at - 1);
            break;
        default:
            data[at] = edges[pick(state, sizeof edges)];
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, damaged = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15);
    static uint8_t seeds[2][16 * 4096], data[16 * 4096];
    size_t sizes[2] = {seed(seeds[0], false), seed(seeds[1], true)};
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        return 77;
    for (uint64_t i = 0; i < count; i++) {
        const unsigned which = i & 1;
        struct ri_decode how = {.form = (enum ri_decode_form)pick(&state, 3), .hex = pick(&state, 2), .cpu = -1};
        char error[256] = "";
        memcpy(data, seeds[which], sizes[which]);
        size_t n = i < 2 ? sizes[which] : mutate(&state, data, sizes[which]);
        if (!which && pick(&state, 4) == 0)
            how.cpu = (int)pick(&state, 3);
        FILE *in = fmemopen(data, n, "rb");
        if (!in)
            return 99;
        int code = emu_ri_decode(in, &how, out, error, sizeof error);
        fclose(in);
        damaged += code != 0;
        if ((code != 0) != (*error != 0) || (i < 2 && code)) {
            fprintf(stderr, "input %" PRIu64 ": result %d, words '%s'\n", i, code, error);
            return 1;
        }
    }
    fclose(out);
    printf("%" PRIu64 " RI logs and program buffers tried, %" PRIu64 " of them damaged\n", count, damaged);
    return 0;
}
