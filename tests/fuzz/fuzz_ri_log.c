/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries RI logs and program buffers made by mutation: reading them may not crash, hang or write without end, in any of
   the forms, nor may making edge profiles of logs, and what is damaged must be told. Usage: fuzz_ri_log [COUNT [SEED]].
   The sanitizers are the judges. */
#include "emu/ri_decode.h"
#include "ri/log.h"
#include "ri/profile/groups.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

/* A log of a few groups of different sizes, or (dump) a program buffer. */
static size_t seed(uint8_t *data, bool dump)
{
    struct ri_record records[RI_GROUP_RECORDS] = {{0, 0}};
    struct ri_log_header header = {
        .format = RI_LOG_FORMAT, .cpus = 2, .cb_entries = 254, .profile = "max", .ri_profile = "RI-D"};
    size_t length = dump ? 0 : RI_LOG_HEADER;
    if (!dump)
        ri_log_put_header(&header, data);
    for (unsigned i = 0; i < 6; i++) {
        uint8_t entry[RI_LOG_ENTRY];
        struct ri_log_group group = {.cpu = i & 1, .address = 0x1000 + 64 * i, .roa = 0x1000, .mode = 1};
        group.rgs = dump ? 1 : (uint8_t)(i + 1);
        group.count = (uint16_t)(2u << group.rgs);
        for (unsigned k = 0; k < group.count; k++)
            records[k] = (struct ri_record){(uint64_t)(0x10 + (k + i) % 5) << 56 | (0x1202 + 24 * k), 0x1212 + 24 * k};
        records[0].hi = (uint64_t)(i ? RI_TYPE_TIMESTAMP : RI_TYPE_BEGIN) << 56 | UINT64_C(6) << RI_BEGIN_NRG_SHIFT |
                        (uint64_t)group.rgs << RI_BEGIN_RGS_SHIFT;
        records[group.count - 1].hi = (uint64_t)RI_TYPE_INSTRUCTION << 56 | (0x1202 + 24 * (group.count - 1u));
        const struct ri_controls controls = {
            .sf = 1000, .m = group.mode, .c = 1, .r = 1, .b = 1, .f = 1, .pc = 1, .qc = 1};
        group.controls = !dump && i % 3 < 2;
        size_t n = ri_log_put_group(&group, records, &controls, entry);
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

struct bytes {
    const uint8_t *at;
    size_t left;
};

static long read_some(void *context, void *bytes, size_t size)
{
    struct bytes *from = context;
    const size_t n = size < from->left ? size : from->left;
    memcpy(bytes, from->at, n);
    from->at += n;
    from->left -= n;
    return (long)n;
}

/* Code of many kinds, the same every 24 bytes, in every place but a few: the branches of seed() are there. */
static bool fetch(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    static const uint8_t code[] = {0x18, 0x12, 0xa7, 0x14, 0x00, 0x08, 0x07, 0xfe, 0x0a, 0x01, 0xc0, 0xe5,
                                   0x00, 0x00, 0x00, 0x10, 0x44, 0x10, 0x20, 0x00, 0x00, 0x00, 0x01, 0x0b};
    (void)context;
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = code[(address + i + space) % sizeof code];
    return address < 0x80000;
}

static int swallow(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return 0;
}

/* A profile of a log: 0 or an error with words. */
static bool profile(uint64_t *state, const uint8_t *data, size_t n, uint64_t *accepted)
{
    const struct ep_groups_options options = {
        .program = "fuzz", .weigh = (unsigned)pick(state, 3), .cbt = (unsigned)pick(state, 4), .walk_limit = 1000};
    struct bytes bytes = {data, n};
    size_t size = 0;
    const struct ep_input input = {&bytes, read_some};
    const struct ep_images images = {.fetch = fetch};
    const struct ep_sink sink = {&size, swallow};
    struct ep_profile *p = ep_profile_new();
    struct ep_built built = {0};
    char error[600] = "";
    if (!p)
        return false;
    const int bad = ep_groups_build(&input, &images, &options, p, &built, error, sizeof error);
    const bool good = bad ? *error != 0 : !ep_profile_write(p, &sink, error, sizeof error) && size;
    *accepted += built.accepted;
    ep_profile_free(p);
    return good;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, damaged = 0, accepted = 0;
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
        if (!which && !profile(&state, data, n, &accepted)) {
            fprintf(stderr, "input %" PRIu64 ": no profile, and no word\n", i);
            return 1;
        }
        if ((code != 0) != (*error != 0) || (i < 2 && code)) {
            fprintf(stderr, "input %" PRIu64 ": result %d, words '%s'\n", i, code, error);
            return 1;
        }
    }
    fclose(out);
    printf("%" PRIu64 " RI logs and program buffers tried, %" PRIu64 " of them damaged; %" PRIu64
           " samples for profiles\n",
           count, damaged, accepted);
    return 0;
}
