/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Powers of ten. */
#ifndef ZRI_CPU_NUMBERS_TEN_H
#define ZRI_CPU_NUMBERS_TEN_H

#include <stdint.h>

/* 10 to the powers 0 to 19. */
extern const uint64_t ten_powers[20];
/* 10 to the power e, e up to 38. */
unsigned __int128 ten_power(unsigned e);

#endif
