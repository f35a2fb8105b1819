/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What zri-et says when something is wrong. */
#include "emu/zri_et.h"
#include <stdarg.h>
#include <stdio.h>

int zri_et_fail(int status, const char *what, const char *format, ...)
{
    va_list list;
    fprintf(stderr, "zri-et: %s: ", what);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}
