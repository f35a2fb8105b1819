/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signed packed decimal numbers of up to 31 digits as 128-bit integers. PoP chapter 8. Knows no CPU. */
#ifndef ZRI_CPU_NUMBERS_PACKED_H
#define ZRI_CPU_NUMBERS_PACKED_H

#include "base/bits.h"

struct packed {
    unsigned __int128 magnitude;
    bool minus;
};

/* The number in n bytes (1-16). false: a digit or the sign is not valid. */
bool packed_get(const uint8_t *bytes, unsigned n, struct packed *value);

/* The rightmost 2n-1 digits with the preferred sign (C plus, D minus) to n bytes. Returns whether digits other than
 * zero were lost. */
bool packed_put(const struct packed *value, uint8_t *bytes, unsigned n);

static inline bool packed_sign_valid(unsigned digit) { return digit > 9; }
static inline bool packed_sign_minus(unsigned digit) { return digit == 0xb || digit == 0xd; }

#endif
