/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Built-in images: our own guests, linked in when the program was built with them. */
#ifndef ZRI_IPL_BUILTIN_H
#define ZRI_IPL_BUILTIN_H

#include "base/bits.h"

struct ipl_builtin {
    const char *name;        /* "demo" ... */
    const char *description; /* one line */
    const uint8_t *bytes;    /* an ELF image */
    uint64_t length;
};
/* A built-in image by name, or NULL. In ipl_request, a path "builtin:NAME" names one. */
const struct ipl_builtin *ipl_builtin_named(const char *name);

#endif
