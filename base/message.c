/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for the operator; apart from the loaders, so that the offline readers need not link these. */
#include "ipl/internal.h"
#include <stdarg.h>
#include <stdio.h>

int ipl_fail(int code, char *error, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (size)
        vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return code;
}
