/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics on their way to whoever wants them. */
#include "ri/trace/read/decoder.h"
#include <stdio.h>

void et_tell(void (*to)(void *context, const struct et_diagnostic *diagnostic), void *context,
             struct et_diagnostic diagnostic, const char *format, va_list words)
{
    char text[200];
    vsnprintf(text, sizeof text, format, words);
    diagnostic.text = text;
    to(context, &diagnostic);
}

void et_source_tell(struct et_source *source, unsigned code, uint64_t offset, uint64_t length, const char *format, ...)
{
    const struct et_diagnostic diagnostic = {.code = code,
                                             .source = source->id,
                                             .offset = offset,
                                             .length = length,
                                             .index = source->index,
                                             .time = source->last_time};
    va_list words;
    source->diagnostics++;
    if (code == 1 || (code >= 6 && code <= 8) || code == 18)
        source->reported_bytes += length;
    va_start(words, format);
    et_tell(source->calls->diagnostic, source->calls->context, diagnostic, format, words);
    va_end(words);
}
