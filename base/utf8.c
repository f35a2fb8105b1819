/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in UTF-8. */
#include "base/utf8.h"

unsigned utf8_length(const uint8_t *text)
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
