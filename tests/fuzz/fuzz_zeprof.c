/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries edge profiles made by mutation: reading may not crash or hang, what is accepted is written again with the same
   bytes, and all that is shown of it, and its sum with another one, can be made. Usage: fuzz_zeprof [COUNT [SEED]]. */
#include "ri/profile/show/output.h"
#include "tests/random.h"
#include "tests/unit/ep_example.h"
#include "tests/unit/ep_source.h"
#include <errno.h>
#include <inttypes.h>

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

static const char calls[] =
    "ZEPROF 1\nH mode mixed\nH source ri\nH event mixed\nH rate-base 4\nH rate-delta 0\nH seed 1\nH tbt 4\nH cbt "
    "mixed\n"
    "H short-policy auto\nH append-nt 1\nH norm none\nH unit 4294967296\nH events-total 100\nH samples-triggered 9\n"
    "H samples-accepted 9\nH branch-units 72\nH run-units 7\nH program a%20b\nH uniform 0\n"
    "S 0 home 0000000000001000 one\nS 1 primary 0000000000002000 -\n"
    "M 0 0 1000 5000 1000 sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef prog\n"
    "M 1 1 1000 2000 0 sha256:- prog\nF 0 0 1000 1100 main\nF 1 0 2000 2100 hot;\nF 2 0 2010 2020 hot.part\nF 3 1 1000 "
    "1800 f\n"
    "B 0 1010 call 6 2000 c0x5\nB 0 1020 call 2 - 0d\nB 0 2014 cond 4 - 44/07\nB 1 1010 cond 6 1018 ec7e\n"
    "E 0 1010 0 2000 T 40\nE 0 2014 0 2018 N 10\nE 1 1010 1 1018 T 2\nE 1 1010 1 1016 N 8\n"
    "R 0 2000 2014 B 7\nR 0 2018 2018 X 7\nC 0 1020 0 2000 5\nC 0 1020 1 1000 7\nG 0 2018 1 1000 abort 3\n"
    "G 1 1018 0 2000 resume 3\nD drop.flow 5\nD info.intra_call 1\n";

/* One change somewhere, mostly to a character that may stand there. */
static size_t mutate(uint64_t *state, char *text, size_t n, size_t room)
{
    static const char likely[] = "0123456789abcdefxTNBXHSMFERCGDZ -%\n";
    const size_t at = pick(state, n), from = pick(state, n);
    size_t length = pick(state, 60);
    switch (pick(state, 8)) {
    case 0:
        text[at] ^= (char)(1u << pick(state, 8));
        return n;
    case 1: /* a character less */
        memmove(text + at, text + at + 1, n - at - 1);
        return n - (n > 1);
    case 2: /* a piece of it somewhere else */
        length = length < n - from ? length : n - from;
        length = length < room - at ? length : room - at;
        memmove(text + at, text + from, length);
        return at + length > n ? at + length : n;
    case 3: /* a character more */
        if (n == room)
            return n;
        memmove(text + at + 1, text + at, n - at);
        text[at] = likely[pick(state, sizeof likely - 1)];
        return n + 1;
    default:
        text[at] = likely[pick(state, sizeof likely - 1)];
        return n;
    }
}

static void put(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
}

static void hear(void *context, const char *sentence) { *(uint64_t *)context += strlen(sentence); }

/* Written and read again? */
static bool stands(const struct ep_profile *profile, const char *what)
{
    char error[600];
    char *text = ep_to_text(profile, error);
    struct ep_profile *again = text ? ep_of_text(text, strlen(text), error) : NULL;
    if (!again)
        fprintf(stderr, "%s is not read again: %s\n", what, error);
    free(text);
    ep_profile_free(again);
    return again != NULL;
}

/* NULL: refused. */
static struct ep_profile *sum_of(const struct ep_profile *a, const struct ep_profile *b)
{
    static const char *const names[2] = {"a", "b"};
    char error[600];
    struct ep_profile *result;
    if (!a || !b)
        return NULL;
    return ep_profile_merge((const struct ep_profile *const[]){a, b}, names, 2,
                            &(struct ep_join_options){.forced = true}, &result, error, sizeof error)
               ? NULL
               : result;
}

/* Two sums that have to be the same; what was refused is the same as anything. Frees them. */
static bool same_sums(struct ep_profile *a, struct ep_profile *b)
{
    char error[600];
    char *left = a ? ep_to_text(a, error) : NULL, *right = b ? ep_to_text(b, error) : NULL;
    const bool same = (!a || left) && (!b || right) && (!left || !right || !strcmp(left, right));
    if (!same)
        fprintf(stderr, "sums differ:\n%s%s", left ? left : error, right ? right : error);
    free(left);
    free(right);
    ep_profile_free(a);
    ep_profile_free(b);
    return same;
}

/* Sums do not depend on order and grouping. */
static bool add_up(const struct ep_profile *a, const struct ep_profile *b)
{
    struct ep_profile *sum = sum_of(a, b);
    struct ep_profile *twice = sum_of(b, b);
    const bool same = same_sums(sum_of(sum, b), sum_of(a, twice)) && same_sums(sum_of(twice, a), sum_of(b, sum));
    ep_profile_free(twice);
    return same_sums(sum, sum_of(b, a)) && same;
}

/* Code of both programs: that of the example, and what `calls` says of its sites. */
static bool code_at(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    static const struct {
        uint64_t address;
        uint8_t bytes[6];
    } sites[] = {{0x1010, {0xc0, 0xe5, 0, 0, 0x07, 0xf8}},
                 {0x1020, {0x0d, 0xe1}},
                 {0x2014, {0x44, 0, 0x10, 0}},
                 {0x2018, {0x07, 0xfe}}};
    struct ep_code_source example = {.code = ep_source_code, .size = sizeof ep_source_code, .base = EP_SOURCE_BASE};
    if (ep_source_bytes(&example, space, address, bytes))
        return true;
    memcpy(bytes, (address & 0xfe) == 0xfe ? "\x07\xfe\x18\x11\x18\x11" : "\x18\x11\x18\x11\x18\x11", 6); /* runs end */
    for (unsigned i = 0; i < sizeof sites / sizeof *sites; i++)
        if (address == sites[i].address)
            memcpy(bytes, sites[i].bytes, 6);
    return address < *(uint64_t *)context;
}
static bool all_given(void *context, uint32_t module) { return context && module < 1000; }
static bool first_segment(void *context, uint32_t module, uint64_t *address)
{
    *address = 0x1000;
    return all_given(context, module);
}
static unsigned lines_at(void *context, uint32_t space, uint64_t address, struct ep_frame *frame, unsigned most)
{
    static const char *const files[] = {"a.c", "dir/b.c", NULL};
    (void)context;
    for (unsigned i = 0; i < address % 3 && i < most; i++)
        frame[i] = (struct ep_frame){.function = i ? "outer" : "inner",
                                     .file = files[(address / 8 + space) % 3],
                                     .declared = 3,
                                     .line = (uint32_t)(address & 63),
                                     .discriminator = (uint32_t)(address & 1)};
    return address % 3 < most ? (unsigned)(address % 3) : most;
}
static int all_lines(void *context, uint32_t module, const struct ep_source_listener *listener)
{
    const struct ep_frame frame = {.function = "inner", .file = "a.c", .declared = 3};
    (void)context, (void)module;
    const int bad = listener->line(listener->context, "a.c", 99);
    return bad ? bad : listener->function(listener->context, &frame, 0x1000, 0x1100);
}

/* What needs code: it is made, or a sentence says why not. */
static bool export(const struct ep_profile *profile, uint64_t *sum)
{
    uint64_t end = UINT64_MAX / 2;
    const struct ep_source source = {&end, all_given, first_segment, code_at, lines_at, all_lines};
    const struct ep_writer writer = {sum, put};
    const struct ep_dot flow = {.function = "main", .probabilities = true}, graph = {.function = NULL};
    char error[600] = "";
    const struct ep_show show = {
        .writer = &writer, .top = 5, .source = &source, .error = error, .error_size = sizeof error};
    for (unsigned i = 0; i < 8; i++) {
        error[0] = 0;
        const int bad = i == 0   ? ep_export_raw(profile, &source, NULL, &writer, error, sizeof error)
                        : i == 1 ? ep_export_callgrind(profile, &source, &writer, error, sizeof error)
                        : i == 2 ? ep_export_llvm(profile, &source, &writer, error, sizeof error)
                        : i == 3 ? ep_export_lcov(profile, &source, &writer, error, sizeof error)
                        : i == 4 ? ep_export_dot(profile, &source, &flow, &writer, error, sizeof error)
                        : i == 5 ? ep_export_dot(profile, &source, &graph, &writer, error, sizeof error)
                        : i == 6 ? ep_report_text(profile, &show)
                                 : ep_report_json(profile, &show);
        *sum += !bad;
        if (bad && bad != -EPERM && bad != -EFBIG &&
            (bad == -ENOMEM || !error[0])) { /* not exact; a function too large to be drawn */
            fprintf(stderr, "export %u: %d without a word\n", i, bad);
            return false;
        }
    }
    return true;
}

/* Everything that is made of one profile, and of it and `other`. */
static bool use(const struct ep_profile *profile, const struct ep_profile *other, uint64_t *sum)
{
    const struct ep_writer writer = {sum, put};
    const struct ep_show show = {.writer = &writer, .top = 5};
    const struct ep_profile *const both[2] = {profile, other};
    static const char *const names[2] = {"a", "b"};
    struct ep_profile *aligned[2], *result;
    char error[600];
    ep_cautions(profile, hear, sum);
    if (ep_report_text(profile, &show) || ep_report_json(profile, &show) || ep_export_folded(profile, &writer))
        return false;
    *sum += ep_export_raw(profile, NULL, NULL, &writer, error, sizeof error) != 0;
    if (!export(profile, sum))
        return false;
    if (!ep_profile_align(both, names, aligned, error, sizeof error)) {
        if (ep_diff_json(aligned, &show) || ep_diff_text(aligned, &show))
            return false;
        ep_profile_free(aligned[0]);
        ep_profile_free(aligned[1]);
    }
    if (!ep_profile_merge(both, names, 2, &(struct ep_join_options){.forced = true}, &result, error, sizeof error)) {
        const bool good = stands(result, "a sum");
        ep_profile_free(result);
        if (!good)
            return false;
    }
    if (!add_up(profile, other) || ep_profile_copy(profile, &result))
        return false;
    const struct ep_symbol symbol = {0x1000, 0x1010, 0, "known"};
    const bool good = !ep_profile_name_functions(result, &symbol, 1) && stands(result, "a profile with names");
    ep_profile_free(result);
    if (!good)
        return false;
    return true;
}

static unsigned headers(const char *text, size_t n)
{
    unsigned count = 0;
    for (size_t i = 0; i + 3 <= n; i++)
        count += !memcmp(text + i, "\nH ", 3);
    return count;
}

/* What the check sum of the changed text would be, most of the time. */
static size_t finish(uint64_t *state, char *text, size_t n, size_t room)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    if (pick(state, 16) == 0 || n + 40 > room)
        return n;
    return n + (size_t)snprintf(text + n, room - n, "Z %zu %08x\n", lines, ep_plain_crc(text, n));
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15), read = 0, sum = 0;
    static char text[8192];
    char error[600];
    char *whole = ep_with_trailer(calls);
    struct ep_profile *other = whole ? ep_of_text(whole, strlen(whole), error) : NULL;
    if (!other)
        return 99;
    for (uint64_t i = 0; i < count; i++) {
        const char *from = pick(&state, 2) ? calls : EP_EXAMPLE_BODY;
        size_t n = strlen(from);
        memcpy(text, from, n);
        for (uint64_t k = pick(&state, 3); k--;)
            n = mutate(&state, text, n, sizeof text - 64);
        n = finish(&state, text, n, sizeof text);
        struct ep_profile *profile = ep_of_text(text, n, error);
        if (!profile && (strlen(error) < 20 || !strchr(error, ';'))) {
            fprintf(stderr, "input %" PRIu64 ": refused by '%s'\n", i, error);
            return 1;
        }
        if (!profile)
            continue;
        read++;
        char *again = ep_to_text(profile, error);
        const bool same = again && strlen(again) == n && !memcmp(again, text, n);
        const bool fewer = again && headers(again, strlen(again)) < headers(text, n); /* some that are not known */
        if ((!same && !fewer) || !use(profile, other, &sum)) {
            fprintf(stderr, "input %" PRIu64 ": another text, or it cannot be used: %s\n%.*s", i, error, (int)n, text);
            return 1;
        }
        free(again);
        ep_profile_free(profile);
    }
    ep_profile_free(other);
    free(whole);
    printf("%" PRIu64 " edge profiles tried, %" PRIu64 " read, %" PRIu64 " bytes shown\n", count, read, sum);
    return 0;
}
