/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing JSON: one value of objects, lists, texts and numbers, into memory. Values of more than 32 bits are
   hexadecimal texts, because many readers of JSON have no whole numbers of 64 bits. */
#ifndef ZRI_EMU_CONSOLE_JSON_H
#define ZRI_EMU_CONSOLE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    char *text; /* ends with NUL; NULL while empty */
    size_t length, room;
    bool comma;  /* a value stands in front */
    bool failed; /* the host had no memory */
};

void json_clear(struct json *json); /* frees; an all-zero struct is a cleared one */
/* In all of these `name` is NULL within a list and for the outermost value. */
void json_begin_object(struct json *json, const char *name);
void json_begin_list(struct json *json, const char *name);
void json_end_object(struct json *json);
void json_end_list(struct json *json);
void json_text(struct json *json, const char *name, const char *text);
void json_hex(struct json *json, const char *name, uint64_t value, unsigned digits);
void json_number(struct json *json, const char *name, uint64_t value);
void json_bool(struct json *json, const char *name, bool value);

#endif
