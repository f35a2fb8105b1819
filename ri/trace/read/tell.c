/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics of a source's streams. */
#include "ri/trace/read/decoder.h"
#include <stdarg.h>
#include <stdio.h>

void et_source_tell(struct et_source *source, unsigned code, uint64_t offset, uint64_t length, const char *format, ...)
{
    char text[200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const struct et_diagnostic diagnostic = {.code = code,
                                             .source = source->id,
                                             .offset = offset,
                                             .length = length,
                                             .index = source->index,
                                             .time = source->last_time,
                                             .text = text};
    source->diagnostics++;
    if (code == 1 || (code >= 6 && code <= 8) || code == 18)
        source->reported_bytes += length;
    source->calls->diagnostic(source->calls->context, &diagnostic);
}
