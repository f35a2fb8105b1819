/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the outputs of exception traces share. */
#include "ri/trace/show/output.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void et_put(const struct et_writer *writer, const char *text)
{
    writer->put(writer->context, NULL, text, strlen(text));
}

void et_print(const struct et_writer *writer, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0)
        writer->put(writer->context, NULL, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* Bytes of the UTF-8 character at `text`; 0: it is none. */
static unsigned utf8_length(const uint8_t *text)
{
    const unsigned n = *text < 0x80 ? 1 : *text >= 0xc2 && *text < 0xe0 ? 2 : (*text & 0xf0) == 0xe0 ? 3 : 4;
    if (n == 4 && (*text < 0xf0 || *text > 0xf4))
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) || (*text == 0xf0 && text[1] < 0x90) ||
        (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

void et_put_json(const struct et_writer *writer, const char *text)
{
    et_put(writer, "\"");
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        const unsigned n = utf8_length(at);
        if (!n)
            et_put(writer, "\\ufffd");
        else if (*at < 0x20 || *at == '"' || *at == '\\' || *at == 0x7f)
            et_print(writer, "\\u%04x", *at);
        else
            writer->put(writer->context, NULL, at, n);
        at += n ? n : 1;
    }
    et_put(writer, "\"");
}

const char *et_kind_name(enum et_kind kind)
{
    static const char *const names[ET_KINDS] = {"ENTRY",  "EXIT", "RETURN", "SIGNAL", "STATE", "MARK",
                                                "COUNTS", "SYNC", "CONFIG", "LOST",   "END",   "FILE"};
    return kind < ET_KINDS ? names[kind] : "";
}
