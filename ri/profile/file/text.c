/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of a profile's file: names, numbers, header values, check sum. */
#include "ri/profile/file/internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ep_header_facts ep_header_facts[EP_HEADERS] = {
#define HEADER(ID, key, values, required, how) {key, values, required, EP_HOW_##how},
#include "ri/profile/file/headers.def"
#undef HEADER
};

const char *ep_header_key(enum ep_header header) { return ep_header_facts[header].key; }
bool ep_header_is_number(enum ep_header header)
{
    return *ep_header_facts[header].values == '#' || *ep_header_facts[header].values == '0';
}

static const char *const space_words[EP_SPACE_KINDS] = {"ar", "home", "primary", "real", "secondary"};
static const char *const gap_words[EP_REASONS] = {"abort", "psw", "range", "resume"};
static const char *const class_words[EP_SITE_CLASSES] = {"cond", "uncond", "call", "ret"};

const char *ep_space_word(enum ep_space_kind kind) { return space_words[kind]; }
const char *ep_gap_word(enum ep_gap_reason reason) { return gap_words[reason]; }
const char *ep_class_word(enum ep_site_class class) { return class_words[class]; }

const char *ep_text_keep(struct ep_profile *profile, const char *text)
{
    const size_t size = strlen(text) + 1;
    struct ep_text *kept = malloc(sizeof *kept + size);
    if (!kept)
        return NULL;
    memcpy(kept->bytes, text, size);
    kept->next = profile->texts;
    profile->texts = kept;
    return kept->bytes;
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

static bool stands_for_itself(uint8_t byte) { return byte > 0x20 && byte < 0x7f && byte != '%'; }

int ep_encode(const char *name, char to[EP_NAME_MOST + 1])
{
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;
    if (!name || !*name || !strcmp(name, "-")) {
        strcpy(to, name && *name ? "%2d" : "-"); /* a name that is the sign for none */
        return 0;
    }
    for (const uint8_t *at = (const uint8_t *)name; *at; at++) {
        if (n + 3 > EP_NAME_MOST)
            return -ENAMETOOLONG;
        if (stands_for_itself(*at)) {
            to[n++] = (char)*at;
        } else {
            to[n++] = '%';
            to[n++] = digits[*at >> 4];
            to[n++] = digits[*at & 15];
        }
    }
    to[n] = 0;
    return 0;
}

/* The value of a hexadecimal digit in small letters, or -1. */
static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

bool ep_is_encoded(const char *text)
{
    if (!strcmp(text, "%2d"))
        return true;
    if (!*text || strlen(text) > EP_NAME_MOST)
        return false;
    for (; *text; text++) {
        if (stands_for_itself((uint8_t)*text))
            continue;
        const int high = *text == '%' ? digit(text[1]) : -1, low = high >= 0 ? digit(text[2]) : -1;
        if (low < 0 || stands_for_itself((uint8_t)(high << 4 | low)) || !(high | low))
            return false;
        text += 2;
    }
    return true;
}

bool ep_is_counter(const char *name)
{
    if (strncmp(name, "drop.", 5) && strncmp(name, "warn.", 5) && strncmp(name, "info.", 5))
        return false;
    name += 5;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length && length <= 64 && !name[length];
}

/* ---- header values --------------------------------------------------------------------------------------------- */

bool ep_decimal(const char *text, uint64_t *value)
{
    uint64_t n = 0;
    if (!*text || (*text == '0' && text[1]))
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(n, UINT64_C(10), &n) ||
            __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
            return false;
    }
    *value = n;
    return true;
}

/* Is it one of the words, with spaces between? */
static bool is_among(const char *value, const char *words)
{
    const size_t length = strlen(value);
    while (*words) {
        const size_t n = strcspn(words, " ");
        if (n == length && !memcmp(words, value, n))
            return true;
        words += n + (words[n] == ' ');
    }
    return false;
}

bool ep_header_allows(enum ep_header header, const char *value)
{
    const struct ep_header_facts *facts = &ep_header_facts[header];
    uint64_t number;
    if (!strcmp(value, EP_MIXED) && facts->how != EP_HOW_SUM && facts->how != EP_HOW_MADE)
        return true;
    if (*facts->values == '*')
        return ep_is_encoded(value);
    if (*facts->values != '#')
        return is_among(value, facts->values);
    if (!ep_decimal(value, &number))
        return false;
    return header != EP_H_UNIT || (number && number <= EP_FULL_UNIT && !(number & (number - 1)));
}

int ep_header_keep(struct ep_profile *profile, enum ep_header header, const char *value)
{
    if (!ep_header_allows(header, value))
        return -EINVAL;
    if (profile->headers[header] && !strcmp(profile->headers[header], value))
        return 0;
    profile->headers[header] = ep_text_keep(profile, value);
    return profile->headers[header] ? 0 : -ENOMEM;
}

int ep_profile_set(struct ep_profile *profile, enum ep_header header, const char *value)
{
    char text[EP_NAME_MOST + 1];
    const int status = ep_encode(value, text);
    return status ? status : ep_header_keep(profile, header, text);
}

int ep_profile_set_number(struct ep_profile *profile, enum ep_header header, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return ep_header_keep(profile, header, text);
}

const char *ep_profile_header(const struct ep_profile *profile, enum ep_header header)
{
    return profile->headers[header];
}

uint64_t ep_profile_number(const struct ep_profile *profile, enum ep_header header)
{
    uint64_t value;
    return profile->headers[header] && ep_decimal(profile->headers[header], &value) ? value : 0;
}

bool ep_profile_is(const struct ep_profile *profile, enum ep_header header, const char *value)
{
    return profile->headers[header] && !strcmp(profile->headers[header], value);
}

/* ---- check sum ------------------------------------------------------------------------------------------------- */

uint32_t ep_crc32(uint32_t crc, const void *bytes, size_t size)
{
    /* What four bits on the right become: polynomial X'04C11DB7', reflected. */
    static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; size; size--) {
        crc ^= *at++;
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}
