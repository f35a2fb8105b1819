/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and check sums of exception-trace streams. */
#include "ri/trace/wire.h"

unsigned et_leb_put(uint8_t *bytes, uint64_t value)
{
    unsigned n = 0;
    while (value > 0x7f) {
        bytes[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    bytes[n++] = (uint8_t)value;
    return n;
}

int et_leb_get(const uint8_t *bytes, size_t size, uint64_t *value)
{
    uint64_t result = 0;
    for (unsigned n = 0; n < ET_LEB_MAX; n++) {
        if (n == size)
            return 0;
        if (n == ET_LEB_MAX - 1 && bytes[n] > 1)
            return -1;
        result |= (uint64_t)(bytes[n] & 0x7f) << 7 * n;
        if (!(bytes[n] & 0x80)) {
            if (n && !bytes[n])
                return -1;
            *value = result;
            return (int)n + 1;
        }
    }
    return -1;
}

uint8_t et_crc8(uint8_t crc, const uint8_t *bytes, size_t size)
{
    while (size--) {
        crc ^= *bytes++;
        for (unsigned i = 0; i < 8; i++)
            crc = (uint8_t)(crc << 1 ^ (crc & 0x80 ? 0x07 : 0));
    }
    return crc;
}

uint16_t et_crc16(uint16_t crc, const uint8_t *bytes, size_t size)
{
    while (size--) {
        crc = (uint16_t)(crc ^ *bytes++ << 8);
        for (unsigned i = 0; i < 8; i++)
            crc = (uint16_t)(crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0));
    }
    return crc;
}
