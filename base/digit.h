/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hexadecimal digits in texts. */
#ifndef ZRI_BASE_DIGIT_H
#define ZRI_BASE_DIGIT_H

/* What a hexadecimal digit, in small or capital letters, stands for: 0 to 15; -1: it is none. */
static inline int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

#endif
