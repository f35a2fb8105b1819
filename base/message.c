/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for the operator. */
#include "base/message.h"
#include <stdarg.h>
#include <stdio.h>

int fail_with(int code, char *error, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (size)
        vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return code;
}
