/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Powers of ten: the table, and those that need two of its numbers. */
#include "cpu/numbers/ten.h"

const uint64_t ten_powers[20] = {1,
                                 10,
                                 100,
                                 1000,
                                 10000,
                                 100000,
                                 1000000,
                                 10000000,
                                 100000000,
                                 1000000000,
                                 UINT64_C(10000000000),
                                 UINT64_C(100000000000),
                                 UINT64_C(1000000000000),
                                 UINT64_C(10000000000000),
                                 UINT64_C(100000000000000),
                                 UINT64_C(1000000000000000),
                                 UINT64_C(10000000000000000),
                                 UINT64_C(100000000000000000),
                                 UINT64_C(1000000000000000000),
                                 UINT64_C(10000000000000000000)};

unsigned __int128 ten_power(unsigned e)
{
    return e <= 19 ? ten_powers[e] : (unsigned __int128)ten_powers[19] * ten_powers[e - 19];
}
