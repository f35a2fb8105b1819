/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in UTF-8. */
#ifndef ZRI_BASE_UTF8_H
#define ZRI_BASE_UTF8_H

#include <stdint.h>

/* Bytes of the UTF-8 character at `text`, which ends with a zero; 0: it is none. */
unsigned utf8_length(const uint8_t *text);

#endif
