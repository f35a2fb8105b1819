/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of facility bits, from the table of facilities and that of instructions. */
#include "emu/config/facility.h"
#include "disasm/dis.h"
#include <string.h>

static void set_bit(uint64_t bits[4], unsigned n) { bits[n / 64] |= BIT64(n % 64); }
static void clear_bit(uint64_t bits[4], unsigned n) { bits[n / 64] &= ~BIT64(n % 64); }
static bool has_bit(const uint64_t bits[4], unsigned n) { return bits[n / 64] & BIT64(n % 64); }

void emu_facilities_of_generation(unsigned generation, uint64_t bits[4])
{
    memset(bits, 0, 4 * sizeof *bits);
    for (unsigned i = 0; i < DIS_FACILITY_COUNT; i++)
        if (dis_facilities[i].generation <= generation)
            set_bit(bits, dis_facilities[i].bit);
}

void emu_facilities_complete(uint64_t bits[4])
{
    memset(bits, 0, 4 * sizeof *bits);
    for (unsigned i = 0; i < DIS_FACILITY_COUNT; i++)
        if (dis_facilities[i].promise != DIS_PROMISE_LACKS)
            set_bit(bits, dis_facilities[i].bit);
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_rows[row].facility != FACILITY_BASE && !dis_implemented(row))
            clear_bit(bits, dis_rows[row].facility);
    for (unsigned i = 0; i < DIS_FACILITY_COUNT; i++)
        if (!has_bit(bits, dis_facilities[i].with))
            clear_bit(bits, dis_facilities[i].bit);
}
