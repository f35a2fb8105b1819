/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/console/base/json.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct json *j, const char *bytes, size_t n)
{
    if (j->failed)
        return;
    if (j->length + n + 1 > j->room) {
        size_t room = 2 * (j->length + n + 1) + 256;
        char *more = realloc(j->text, room);
        if (!more) {
            j->failed = true;
            return;
        }
        j->text = more;
        j->room = room;
    }
    memcpy(j->text + j->length, bytes, n);
    j->length += n;
    j->text[j->length] = 0;
}

static void put_text(struct json *j, const char *text) { put(j, text, strlen(text)); }

static void quoted(struct json *j, const char *text)
{
    put(j, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\') {
            escape[0] = '\\';
            escape[1] = (char)c;
            put(j, escape, 2);
        } else if (c < 0x20 || c == 0x7f) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            put_text(j, escape);
        } else {
            put(j, text, 1);
        }
    }
    put(j, "\"", 1);
}

static void before(struct json *j, const char *name)
{
    if (j->comma)
        put(j, ",", 1);
    j->comma = true;
    if (!name)
        return;
    quoted(j, name);
    put(j, ":", 1);
}

void json_clear(struct json *j)
{
    free(j->text);
    memset(j, 0, sizeof *j);
}

void json_begin_object(struct json *j, const char *name)
{
    before(j, name);
    put(j, "{", 1);
    j->comma = false;
}

void json_begin_list(struct json *j, const char *name)
{
    before(j, name);
    put(j, "[", 1);
    j->comma = false;
}

void json_end_object(struct json *j)
{
    put(j, "}", 1);
    j->comma = true;
}

void json_end_list(struct json *j)
{
    put(j, "]", 1);
    j->comma = true;
}

void json_text(struct json *j, const char *name, const char *text)
{
    before(j, name);
    quoted(j, text);
}

void json_hex(struct json *j, const char *name, uint64_t value, unsigned digits)
{
    char text[24];
    snprintf(text, sizeof text, "%0*" PRIX64, (int)digits, value);
    json_text(j, name, text);
}

void json_number(struct json *j, const char *name, uint64_t value)
{
    char text[24];
    before(j, name);
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(j, text);
}

void json_bool(struct json *j, const char *name, bool value)
{
    before(j, name);
    put_text(j, value ? "true" : "false");
}
