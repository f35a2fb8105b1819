/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles for tests: the example of the specification (4.3), profiles from and to texts. */
#ifndef ZRI_TESTS_UNIT_EP_EXAMPLE_H
#define ZRI_TESTS_UNIT_EP_EXAMPLE_H

#include "ri/profile/file/profile.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EP_EXAMPLE_HEAD                                                                                                \
    "ZEPROF 1\nH mode edge\nH source native\nH event branch\nH rate-base 4\nH rate-delta 0\nH seed 1\nH tbt 4\n"       \
    "H cbt 4\nH short-policy auto\nH append-nt 1\nH norm none\nH unit 1\nH events-total 15\nH samples-triggered 3\n"   \
    "H samples-accepted 3\nH branch-units 12\nH run-units 9\nH program ex\n"
#define EP_EXAMPLE_PLACES "S 0 primary 0000000000000000 -\nM 0 0 10000 10048 0 sha256:- ex\nF 0 0 10000 10048 _start\n"
#define EP_EXAMPLE_SITES                                                                                               \
    "B 0 10010 cond 6 10018 ec7e\nB 0 1001c cond 4 10024 a7x4\nB 0 10028 cond 4 10040 a7x4\n"                          \
    "B 0 10030 cond 6 10038 ec7d\nB 0 1003c cond 4 10010 a7x7\n"
#define EP_EXAMPLE_EDGES                                                                                               \
    "E 0 10010 0 10018 T 2\nE 0 10010 0 10016 N 1\nE 0 1001c 0 10024 T 3\nE 0 10028 0 1002c N 2\n"                     \
    "E 0 10030 0 10038 T 2\nE 0 1003c 0 10010 T 2\n"
#define EP_EXAMPLE_RUNS                                                                                                \
    "R 0 10010 10010 B 2\nR 0 10016 1001c B 1\nR 0 10018 1001c B 2\nR 0 10024 10028 B 2\nR 0 1002c 10030 B 1\n"        \
    "R 0 10038 1003c B 1\n"
#define EP_EXAMPLE_COUNTERS "D drop.flow 0\nD drop.short 0\n"
#define EP_EXAMPLE_BODY                                                                                                \
    EP_EXAMPLE_HEAD EP_EXAMPLE_PLACES EP_EXAMPLE_SITES EP_EXAMPLE_EDGES EP_EXAMPLE_RUNS EP_EXAMPLE_COUNTERS
#define EP_EXAMPLE EP_EXAMPLE_BODY "Z 41 a29f6999\n"

struct ep_bytes {
    char *bytes;
    size_t size, at;
};

static inline long ep_bytes_read(void *context, void *bytes, size_t size)
{
    struct ep_bytes *from = context;
    size_t n = from->size - from->at;
    n = n < size ? n : size;
    memcpy(bytes, from->bytes + from->at, n);
    from->at += n;
    return (long)n;
}

static inline int ep_bytes_put(void *context, const void *bytes, size_t size)
{
    struct ep_bytes *to = context;
    char *grown = realloc(to->bytes, to->size + size + 1);
    if (!grown)
        return -ENOMEM;
    to->bytes = grown;
    memcpy(grown + to->size, bytes, size);
    to->size += size;
    grown[to->size] = 0;
    return 0;
}

/* A profile from a text; NULL: refused, with the reason in `error`. */
static inline struct ep_profile *ep_of_text(const char *text, size_t size, char error[600])
{
    struct ep_bytes from = {(char *)(uintptr_t)text, size, 0};
    const struct ep_input input = {&from, ep_bytes_read};
    struct ep_profile *profile;
    const int status = ep_profile_read(&input, &profile, error, 600);
    return status ? NULL : profile;
}

/* The text of a profile, to be freed; NULL with the reason in `error`. */
static inline char *ep_to_text(const struct ep_profile *profile, char error[600])
{
    struct ep_bytes to = {NULL, 0, 0};
    const struct ep_sink sink = {&to, ep_bytes_put};
    error[0] = 0;
    if (!ep_profile_write(profile, &sink, error, 600))
        return to.bytes;
    free(to.bytes);
    return NULL;
}

/* CRC-32 as zlib counts, bit by bit. */
static inline uint32_t ep_plain_crc(const char *text, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= (uint8_t)text[i];
        for (unsigned k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

/* A text with line Z behind it, to be freed. */
static inline char *ep_with_trailer(const char *body)
{
    const size_t size = strlen(body);
    char *text = malloc(size + 64);
    size_t lines = 0;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i++)
        lines += body[i] == '\n';
    snprintf(text, size + 64, "%sZ %zu %08x\n", body, lines, ep_plain_crc(body, size));
    return text;
}

#endif
