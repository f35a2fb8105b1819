/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for the operator. */
#ifndef ZRI_BASE_MESSAGE_H
#define ZRI_BASE_MESSAGE_H

#include "base/bits.h"
#include <stddef.h>

/* A sentence into `error`, which has room for `size` characters (0: for nobody), and `code`, an error number, to be
   returned. */
int fail_with(int code, char *error, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5))) MUST_USE;

#endif
