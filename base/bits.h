/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bits and fields numbered from the left, as in the Principles of Operation, and the only place
   that knows the host's byte order. */
#ifndef ZRI_BASE_BITS_H
#define ZRI_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MUST_USE    __attribute__((warn_unused_result))
#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* A compiler counts how much a file grows by inlining, and stops: not here. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Bit n (0 = leftmost) of a doubleword as a mask; n is 0-63. */
#define BIT64(n) (UINT64_C(1) << (63 - (n)))
/* Bit n (0 = leftmost) of a word as a mask; n is 0-31. */
#define BIT32(n) (UINT32_C(1) << (31 - (n)))

/* Bits first to last (inclusive, 0-63) of a doubleword, right-aligned. */
static inline uint64_t field64(uint64_t value, unsigned first, unsigned last)
{
    return (value >> (63 - last)) & (~UINT64_C(0) >> (63 - (last - first)));
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BE16(x) __builtin_bswap16(x)
#define BE32(x) __builtin_bswap32(x)
#define BE64(x) __builtin_bswap64(x)
#else
#define BE16(x) (x)
#define BE32(x) (x)
#define BE64(x) (x)
#endif

/* Big-endian values at host addresses of any alignment. */
static ALWAYS_INLINE uint16_t get16(const void *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return BE16(v);
}
static ALWAYS_INLINE uint32_t get32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return BE32(v);
}
static ALWAYS_INLINE uint64_t get64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return BE64(v);
}
static ALWAYS_INLINE void put16(void *p, uint16_t v)
{
    v = BE16(v);
    memcpy(p, &v, sizeof v);
}
static ALWAYS_INLINE void put32(void *p, uint32_t v)
{
    v = BE32(v);
    memcpy(p, &v, sizeof v);
}
static ALWAYS_INLINE void put64(void *p, uint64_t v)
{
    v = BE64(v);
    memcpy(p, &v, sizeof v);
}

#endif
