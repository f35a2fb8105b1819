/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What outputs of edge profiles put: texts, JSON. */
#include "ri/profile/show/internal.h"
#include "base/utf8.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ep_put(const struct ep_writer *writer, const char *text) { writer->put(writer->context, text, strlen(text)); }

void ep_print(const struct ep_writer *writer, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0)
        writer->put(writer->context, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void ep_json_key(struct ep_json *list, const char *name)
{
    ep_print(list->writer, "%s\"%s\":", list->more ? "," : "", name);
    list->more = true;
}

void ep_json_number(struct ep_json *list, const char *name, uint64_t value)
{
    ep_json_key(list, name);
    ep_print(list->writer, "%" PRIu64, value);
}

void ep_json_address(struct ep_json *list, const char *name, uint64_t value)
{
    ep_json_key(list, name);
    ep_print(list->writer, "\"%" PRIx64 "\"", value);
}

void ep_json_truth(struct ep_json *list, const char *name, bool value)
{
    ep_json_key(list, name);
    ep_put(list->writer, value ? "true" : "false");
}

void ep_json_share(struct ep_json *list, const char *name, uint64_t n, uint64_t of)
{
    ep_json_key(list, name);
    if (of)
        ep_print(list->writer, "%.9g", (double)n / (double)of);
    else
        ep_put(list->writer, "null");
}

/* A text of bytes, none of them zero; what is not UTF-8 becomes U+FFFD. */
static void quoted(const struct ep_writer *writer, const uint8_t *at)
{
    ep_put(writer, "\"");
    while (*at) {
        const unsigned n = utf8_length(at);
        if (!n)
            ep_put(writer, "\\ufffd");
        else if (*at < 0x20 || *at == '"' || *at == '\\' || *at == 0x7f)
            ep_print(writer, "\\u%04x", *at);
        else
            writer->put(writer->context, at, n);
        at += n ? n : 1;
    }
    ep_put(writer, "\"");
}

void ep_json_text(struct ep_json *list, const char *name, const char *value)
{
    ep_json_key(list, name);
    quoted(list->writer, (const uint8_t *)value);
}

void ep_json_name(struct ep_json *list, const char *name, const char *value)
{
    char text[EP_NAME_MOST + 1];
    size_t n = 0;
    if (!value || !strcmp(value, "-")) {
        ep_json_key(list, name);
        ep_put(list->writer, "null");
        return;
    }
    for (; *value && n < EP_NAME_MOST; value++) {
        const char digits[3] = {value[1], value[1] ? value[2] : 0, 0};
        if (*value == '%' && digits[0] && digits[1]) {
            text[n++] = (char)strtoul(digits, NULL, 16);
            value += 2;
        } else {
            text[n++] = *value;
        }
    }
    text[n] = 0;
    ep_json_text(list, name, text);
}

struct ep_json ep_json_begin(struct ep_json *list, const char *name, const char *bracket)
{
    ep_put(list->writer, list->more ? ",\n" : "");
    list->more = false;
    if (name)
        ep_json_key(list, name);
    list->more = true;
    ep_put(list->writer, bracket);
    return (struct ep_json){list->writer, false};
}

void ep_json_end(const struct ep_json *list, const char *bracket) { ep_put(list->writer, bracket); }

void ep_json_headers(struct ep_json *list, const char *name, const struct ep_profile *profile)
{
    struct ep_json inner = ep_json_begin(list, name, "{");
    for (unsigned i = 0; i < EP_HEADERS; i++) {
        const char *value = ep_profile_header(profile, i);
        if (!value)
            continue;
        if (ep_header_is_number(i) && strcmp(value, EP_MIXED) != 0)
            ep_json_number(&inner, ep_header_key(i), ep_profile_number(profile, i));
        else
            ep_json_name(&inner, ep_header_key(i), value);
    }
    ep_json_end(&inner, "}");
}
