/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facilities, from facilities.def: their bits by name, the machines that brought them, what they promise. */
#ifndef ZRI_DISASM_FACILITY_H
#define ZRI_DISASM_FACILITY_H

#include <stddef.h>
#include <stdint.h>

/* The bit of every facility: FACILITY_EDAT1. This is the only place where a facility has a number. */
enum dis_facility_bit {
#define FACILITY(id, bit, ...) FACILITY_##id = bit,
#include "disasm/facilities.def"
    FACILITY_BITS = 256
};

/* Facilities by name; several may share one bit of the facility list. */
enum dis_facility {
#define FACILITY(id, ...) DIS_FAC_##id,
#include "disasm/facilities.def"
    DIS_FACILITY_COUNT
};

/* Machines, in the order of their appearance. DIS_CONFIGURATION is what no machine has by itself, but with adapters or
   under a hypervisor. */
enum dis_generation {
    DIS_NO_GENERATION,
    DIS_Z10,
    DIS_Z196,
    DIS_ZEC12,
    DIS_Z13,
    DIS_Z14,
    DIS_Z15,
    DIS_Z16,
    DIS_CONFIGURATION
};

/* What a facility is, see facilities.def. */
enum dis_promise { DIS_PROMISE_ROWS, DIS_PROMISE_KEPT, DIS_PROMISE_LACKS };

struct dis_facility_row {
    uint8_t bit;
    uint8_t generation; /* enum dis_generation */
    uint8_t promise;    /* enum dis_promise */
    uint8_t with;       /* bit with which alone it is complete; that of BASE: always */
    const char *name;
    const char *note; /* what it promises besides its rows, or lacks; "" */
};

/* In the order of enum dis_facility, which is that of the bits. */
extern const struct dis_facility_row dis_facilities[DIS_FACILITY_COUNT];

/* Pairs of bits: the first is shown only with the second, or only without it. */
struct dis_facility_pair {
    uint8_t one, other;
};
extern const struct dis_facility_pair dis_facility_needs[], dis_facility_excludes[];
extern const unsigned dis_facility_need_count, dis_facility_exclude_count;

/* The facility of a bit (several facilities of one bit: the first), or NULL when the table has none: reserved. */
const struct dis_facility_row *dis_facility_of(unsigned bit);

/* Name of a facility bit for messages and lists (several facilities of one bit: the first); NULL when it has none. */
const char *dis_facility_name(unsigned bit);

/* The names of all facilities of a bit, with commas; "" when it has none. Writes at most `size` bytes, always ends with
   NUL. */
void dis_facility_names(unsigned bit, char *text, size_t size);

#endif
