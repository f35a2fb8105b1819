/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries exception traces made by mutation, and bytes that are none: decoding may not crash, hang or lose a byte from
   its account. Usage: fuzz_et [COUNT [SEED]]. The sanitizers and the account are the judges. */
#include "ri/trace/show/statistics.h"
#include "tests/random.h"
#include "tests/unit/et_golden.h"
#include "tests/unit/et_reader.h"

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

static size_t mutate(uint64_t *state, uint8_t *data, size_t n, size_t room)
{
    static const uint8_t headers[] = {0x0d, 0x0e, 0x0f, 0x11, 0x15, 0x19, 0x1d, 0x22, 0x24, 0x28, 0x2d,
                                      0x30, 0x34, 0x38, 0x3c, 0x40, 0x70, 0x78, 0x00, 0x80, 0xff, 0xc1};
    for (uint64_t k = pick(state, 8); k--;) {
        const size_t at = pick(state, n), from = pick(state, n);
        size_t length = pick(state, 40);
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
        case 3: /* a piece of it somewhere else */
            length = length < n - from ? length : n - from;
            length = length < room - at ? length : room - at;
            memmove(data + at, data + from, length);
            n = at + length > n ? at + length : n;
            break;
        default:
            data[at] = headers[pick(state, sizeof headers)];
        }
    }
    return n;
}

static void seen_event(void *context, const struct et_event *event) { et_statistics_event(context, event); }
static void seen_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    et_statistics_diagnostic(context, diagnostic);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15), told = 0;
    static uint8_t data[4096];
    const struct et_config assume = made_keys("compress=fifo,reduced=on,info=on,signal=on");
    struct et_statistics *statistics = et_statistics_new();
    if (!statistics)
        return 99;
    const struct et_decoder_calls calls = {statistics, seen_event, seen_diagnostic, NULL};
    for (uint64_t i = 0; i < count; i++) {
        const unsigned which = (unsigned)pick(&state, GOLDEN_STREAMS), form = (unsigned)pick(&state, 4);
        size_t size = golden[which].size;
        memcpy(data, golden[which].bytes, size);
        if (form > 1) { /* in a container, some times with a timing stream */
            size = file_head(data, 2);
            size += file_chunk(data + size, 0, ET_CHUNK_EVENTS, golden[which].bytes, golden[which].size);
            size += file_chunk(data + size, 0, form - 2, golden[6].bytes, golden[6].size);
        }
        size = mutate(&state, data, size, sizeof data);
        const struct et_decoder_options options = {
            .strict = pick(&state, 2), .salvage = pick(&state, 4) == 0, .assume = pick(&state, 8) ? NULL : &assume};
        struct et_decoder *decoder = et_decoder_new(&calls, &options);
        for (size_t at = 0, n; decoder && at < size; at += n) {
            n = 1 + pick(&state, size - at);
            if (et_decoder_push(decoder, data + at, n))
                return 1;
        }
        if (!decoder)
            return 99;
        et_decoder_end(decoder);
        struct et_decoder_sums sums;
        et_decoder_sums(decoder, &sums);
        et_decoder_free(decoder);
        told += sums.diagnostics != 0;
        if (sums.input != size || sums.packets + sums.reported != size) {
            fprintf(stderr, "input %" PRIu64 ": %zu bytes, %" PRIu64 " in packets, %" PRIu64 " reported\n", i, size,
                    sums.packets, sums.reported);
            return 1;
        }
    }
    et_statistics_free(statistics);
    printf("%" PRIu64 " exception traces tried, diagnostics for %" PRIu64 "\n", count, told);
    return 0;
}
