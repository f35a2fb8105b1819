/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries sample logs of edge profiles made by mutation, over code of random bytes: building may not crash or hang. The
   sanitizers are the judges, and that what is built can be written, or a reason is given. Usage: fuzz_samples [COUNT
   [SEED]]. */
#include "ri/profile/build.h"
#include "ri/profile/show/output.h"
#include "tests/random.h"
#include "tests/unit/ep_example.h"

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

static bool any_code(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    const uint8_t *code = context;
    if (space > 2 || address > 0x2000)
        return false;
    memcpy(bytes, code + (address & 0xff8), 6);
    return true;
}

/* A place, as likely as not near another one. */
static struct ep_place place(uint64_t *state)
{
    return (struct ep_place){pick(state, 64) * 2 + pick(state, 4) * 0x400, (uint32_t)pick(state, 2),
                             (uint8_t)pick(state, 3)};
}

static void random_samples(uint64_t *state, struct ep_log_writer *w, unsigned tbt)
{
    for (uint64_t n = pick(state, 6); n--;) {
        struct ep_entry entry[64];
        struct ep_sample s = {.trigger = {.at = place(state), .event = 100, .interval = 5, .branch = pick(state, 2)},
                              .origin = place(state),
                              .origin_valid = pick(state, 2),
                              .count = (unsigned)pick(state, 2 * tbt),
                              .entry = entry};
        for (unsigned i = 0; i < s.count; i++)
            entry[i] = (struct ep_entry){.from = place(state),
                                         .to = place(state),
                                         .event = 90,
                                         .kind = (uint8_t)(1 + pick(state, 6)),
                                         .executed = pick(state, 2),
                                         .not_taken = pick(state, 2)};
        struct ep_target t = {.event = pick(state, 90)};
        random_step(state);
        memcpy(t.bytes, state, sizeof t.bytes);
        if (ep_log_target(w, 0, place(state), &t) || ep_log_changed(w, 0, pick(state, 0x2000), pick(state, 3)) ||
            ep_log_sample(w, &s))
            abort();
    }
}

static struct ep_bytes random_log(uint64_t *state)
{
    struct ep_bytes log = {0};
    const struct ep_sink sink = {&log, ep_bytes_put};
    const unsigned event = (unsigned)pick(state, 4);
    const struct ep_log_header header = {
        .parameters = {.base = 100, .delta = 3, .seed = 1, .tbt = 16, .event = event}, .cbt = 15, .cpus = 1};
    const struct ep_rules rules = {
        .walk_limit = 100, .short_is = (unsigned)pick(state, 3), .append_nt = pick(state, 2), .weigh = pick(state, 2)};
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY, .name = "one"};
    const struct ep_log_module module = {.module = {.end = 0x2000, .name = "code"}};
    const uint64_t events = 1000;
    struct ep_log_writer w;
    if (ep_log_begin(&w, &sink, &header) || ep_build_parameters(&w, &rules, "any", "fuzz") ||
        ep_log_space(&w, 0, &space) || ep_log_space(&w, 1, &space) || ep_log_module(&w, &module))
        abort();
    random_samples(state, &w, 16);
    if (ep_log_end(&w, &events, 1))
        abort();
    return log;
}

static void mutate(uint64_t *state, struct ep_bytes *log)
{
    static const uint8_t bytes[] = {0, 1, 2, 7, 8, 9, 0x7f, 0x80, 0xff};
    for (uint64_t k = pick(state, 6); k--;) {
        const size_t at = pick(state, log->size);
        if (pick(state, 12) == 0)
            log->size = at + 1;
        else if (pick(state, 2))
            log->bytes[at] ^= (char)(1u << pick(state, 8));
        else
            log->bytes[at] = (char)bytes[pick(state, sizeof bytes)];
    }
}

static void put(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
}
static bool whole_file(void *context, const struct ep_log_module *module, uint64_t *offset)
{
    *offset = 0x1000;
    return context && module->module.start <= module->module.end;
}

/* Branch stacks of the log, with and without code. Returns the bytes; 0: refused. */
static size_t stacks(struct ep_bytes *log, const uint8_t *code, bool full)
{
    const struct ep_input input = {log, ep_bytes_read};
    const struct ep_images images = {.context = (uint8_t *)(uintptr_t)code, .fetch = any_code, .file = whole_file};
    size_t size = 0;
    const struct ep_writer writer = {&size, put};
    struct ep_log_header header;
    char error[600] = "";
    log->at = 0;
    int bad = ep_log_read_header(&input, &header, error, sizeof error);
    if (!bad)
        bad = ep_export_brstack(&input, &header, &images, full, &writer, error, sizeof error);
    if (bad && !error[0]) {
        fprintf(stderr, "fuzz_samples: branch stacks: %d, without a word\n", bad);
        exit(1);
    }
    return bad ? 0 : size;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15), built_ones = 0,
             stacked = 0;
    uint8_t code[0x1000];
    for (uint64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof code; k += 8) {
            random_step(&state);
            memcpy(code + k, &state, 8);
            if (pick(&state, 2)) /* a conditional branch, so that something is found */
                memcpy(code + k, "\xa7\x14\x00\x04\x18\x12", 6);
        }
        struct ep_bytes log = random_log(&state);
        const struct ep_input input = {&log, ep_bytes_read};
        const struct ep_images images = {.context = code, .fetch = any_code};
        struct ep_log_header header;
        struct ep_built built;
        char error[600] = "";
        mutate(&state, &log);
        struct ep_profile *profile = ep_profile_new();
        if (!profile)
            return 99;
        int bad = ep_log_read_header(&input, &header, error, sizeof error);
        if (!bad)
            bad = ep_build(&input, &header, &images, profile, &built, error, sizeof error);
        char *text = bad ? NULL : ep_to_text(profile, error);
        if (bad ? !error[0] : !text) {
            fprintf(stderr, "fuzz_samples: log %llu: %d, '%s'\n", (unsigned long long)i, bad, error);
            return 1;
        }
        built_ones += !bad;
        stacked += (stacks(&log, code, false) > 0) + (stacks(&log, code, true) > 0);
        free(text);
        free(log.bytes);
        ep_profile_free(profile);
    }
    printf("%llu logs, %llu of them built, %llu times branch stacks\n", (unsigned long long)count,
           (unsigned long long)built_ones, (unsigned long long)stacked);
    return 0;
}
