/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signed packed decimal numbers. PoP chapter 8 (SA22-7832-13). */
#include "cpu/numbers/packed.h"
#include "cpu/numbers/ten.h"

typedef unsigned __int128 wide;

#define E16 UINT64_C(10000000000000000)

/* n bytes (up to 8) as the rightmost ones of a doubleword */
static uint64_t tail(const uint8_t *bytes, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v = v << 8 | bytes[i];
    return v;
}

/* The value of 16 decimal digits: neighbours are joined, two, four, eight digits at a time. */
static bool digits(uint64_t v, uint64_t *value)
{
    if (v & (v << 1 | v << 2) & UINT64_C(0x8888888888888888))
        return false;
    v = (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) + 10 * (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
    v = (v & UINT64_C(0x00ff00ff00ff00ff)) + 100 * (v >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    v = (v & UINT64_C(0x0000ffff0000ffff)) + 10000 * (v >> 16 & UINT64_C(0x0000ffff0000ffff));
    *value = (v & 0xffffffff) + 100000000 * (v >> 32);
    return true;
}

bool packed_get(const uint8_t *bytes, unsigned n, struct packed *value)
{
    uint64_t high = 0, low = 0;
    unsigned last = bytes[n - 1], left = n - 1, first = left > 8 ? left - 8 : 0;
    if (last >> 4 > 9 || !packed_sign_valid(last & 15) || (first && !digits(tail(bytes, first), &high)) ||
        !digits(n == 9 ? get64(bytes) : tail(bytes + first, left - first), &low))
        return false;
    value->magnitude = high             ? ((wide)high * E16 + low) * 10 + (last >> 4)
                       : low < E16 / 10 ? low * 10 + (last >> 4)
                                        : (wide)low * 10 + (last >> 4);
    value->minus = packed_sign_minus(last & 15);
    return true;
}

/* Eight digits as binary-coded decimal: the quotients of all parts at once, by multiplication */
static uint32_t coded(uint32_t v)
{
    uint64_t x = (uint64_t)(v / 10000) | (uint64_t)(v % 10000) << 32;
    uint64_t q = (x * 5243 >> 19) & UINT64_C(0x0000007f0000007f);
    x = q | (x - q * 100) << 16;
    q = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    x = q << 4 | (x - q * 10);
    return (uint32_t)((x & 0xff) << 24 | (x >> 16 & 0xff) << 16 | (x >> 32 & 0xff) << 8 | (x >> 48 & 0xff));
}

/* The rightmost 2n digits of v, which is below 10^16, to n bytes (up to 8) */
static void put_digits(uint64_t v, uint8_t *bytes, unsigned n)
{
    uint64_t code = (uint64_t)coded((uint32_t)(v / 100000000)) << 32 | coded((uint32_t)(v % 100000000));
    while (n-- > 0) {
        bytes[n] = (uint8_t)code;
        code >>= 8;
    }
}

bool packed_put(const struct packed *value, uint8_t *bytes, unsigned n)
{
    wide limit = ten_power(2 * n - 1), v = value->magnitude;
    bool lost = v >= limit;
    if (lost)
        v %= limit;
    unsigned left = n - 1, first = left > 8 ? left - 8 : 0, sign = value->minus ? 0xd : 0xc;
    if (v < E16) {
        uint64_t small = (uint64_t)v;
        bytes[n - 1] = (uint8_t)(small % 10 << 4 | sign);
        memset(bytes, 0, first);
        put_digits(small / 10, bytes + first, left - first);
        return lost;
    }
    /* 31 digits: 15 and 16 */
    uint64_t high = (uint64_t)(v / E16), low = (uint64_t)(v % E16), middle = high % 10 * (E16 / 10) + low / 10;
    bytes[n - 1] = (uint8_t)(low % 10 << 4 | sign);
    put_digits(high / 10, bytes, first);
    put_digits(middle, bytes + first, left - first);
    return lost;
}
