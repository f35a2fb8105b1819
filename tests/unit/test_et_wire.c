/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and check sums of exception-trace streams against plain definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "ri/trace/wire.h"

static unsigned crc_bitwise(unsigned crc, unsigned width, unsigned polynomial, const uint8_t *bytes, size_t size)
{
    const unsigned top = 1u << (width - 1), all = top | (top - 1);
    while (size--) {
        crc ^= (unsigned)*bytes++ << (width - 8);
        for (unsigned i = 0; i < 8; i++)
            crc = crc & top ? (crc << 1 ^ polynomial) & all : crc << 1 & all;
    }
    return crc;
}

/* Specification 3.4: check values, and every entry of the tables through all single bytes. */
static void et_54_57_check_sums(void **state)
{
    (void)state;
    const uint8_t check[] = "123456789";
    assert_int_equal(et_crc8(0, check, 9), 0xf4);
    assert_int_equal(et_crc16(ET_CRC16_INIT, check, 9), 0x29b1);
    for (unsigned i = 0; i < 256; i++) {
        const uint8_t byte = (uint8_t)i;
        assert_int_equal(et_crc8(0, &byte, 1), crc_bitwise(0, 8, 0x07, &byte, 1));
        assert_int_equal(et_crc16(0, &byte, 1), crc_bitwise(0, 16, 0x1021, &byte, 1));
    }
}

/* LEB: shortest form, both ways, at the edges of each length; too long and too short forms are refused. */
static void et_54_58_numbers(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 64; bits++)
        for (int edge = -1; edge <= 0; edge++) {
            const uint64_t value = (bits == 64 ? 0 : UINT64_C(1) << bits) + (uint64_t)(int64_t)edge;
            uint8_t bytes[ET_LEB_MAX];
            uint64_t back = 0;
            const unsigned n = et_leb_put(bytes, value);
            unsigned wanted = 1;
            for (uint64_t rest = value >> 7; rest; rest >>= 7)
                wanted++;
            assert_int_equal(n, wanted);
            assert_int_equal(et_leb_get(bytes, n, &back), (int)n);
            assert_true(back == value);
            assert_int_equal(et_leb_get(bytes, n - 1, &back), 0);
        }
    uint64_t back = 0;
    const uint8_t padded[] = {0x81, 0x00}, eleven[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1},
                  beyond[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2};
    assert_int_equal(et_leb_get(padded, sizeof padded, &back), -1);
    assert_int_equal(et_leb_get(eleven, sizeof eleven, &back), -1);
    assert_int_equal(et_leb_get(beyond, sizeof beyond, &back), -1);
    for (int64_t d = -70; d <= 70; d++)
        assert_true(et_unzigzag(et_zigzag((uint64_t)d)) == (uint64_t)d);
    assert_true(et_zigzag((uint64_t)INT64_MIN) == UINT64_MAX);
    assert_true(et_unzigzag(UINT64_MAX) == (uint64_t)INT64_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_54_57_check_sums),
        cmocka_unit_test(et_54_58_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
