/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of facilities.def as constant data. */
#include "disasm/facility.h"

#include <stdio.h>

const struct dis_facility_row dis_facilities[DIS_FACILITY_COUNT] = {
#define FACILITY(id_, bit_, generation_, promise_, with_, name_, note_)                                                \
    [DIS_FAC_##id_] = {.bit = bit_,                                                                                    \
                       .generation = DIS_##generation_,                                                                \
                       .promise = DIS_PROMISE_##promise_,                                                              \
                       .with = FACILITY_##with_,                                                                       \
                       .name = name_,                                                                                  \
                       .note = note_},
#include "disasm/facilities.def"
};

#define PAIR(one, other) {FACILITY_##one, FACILITY_##other},

const struct dis_facility_pair dis_facility_needs[] = {
#define NEEDS PAIR
#include "disasm/facilities.def"
};
const unsigned dis_facility_need_count = sizeof dis_facility_needs / sizeof *dis_facility_needs;

const struct dis_facility_pair dis_facility_excludes[] = {
#define EXCLUDES PAIR
#include "disasm/facilities.def"
};
const unsigned dis_facility_exclude_count = sizeof dis_facility_excludes / sizeof *dis_facility_excludes;

const struct dis_facility_row *dis_facility_of(unsigned bit)
{
    for (unsigned i = 0; i < DIS_FACILITY_COUNT; i++)
        if (dis_facilities[i].bit == bit)
            return &dis_facilities[i];
    return NULL;
}

const char *dis_facility_name(unsigned bit)
{
    const struct dis_facility_row *facility = dis_facility_of(bit);
    return facility ? facility->name : NULL;
}

void dis_facility_names(unsigned bit, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < DIS_FACILITY_COUNT && used < size; i++)
        if (dis_facilities[i].bit == bit)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", dis_facilities[i].name);
}
