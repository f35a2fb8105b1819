/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes through the selection of exception trace. */
#include "ri/trace/read/visible.h"
#include "ri/trace/number.h"

static void kinds(const struct et_config *config, struct et_visible *visible)
{
    static const uint8_t three[8] = {0, 1, 2, 3, 7, 6, 5, 4}; /* 1 entry, 2 exit, 4 return */
    const unsigned select = (unsigned)ET_GET(config, ETCR, EVSEL);
    unsigned set = three[select & 7];
    if (ET_GET(config, ETCR, EVENC))
        set = select & 8 ? ~select & 7 : 0;
    visible->entry = set & 1;
    visible->exit = set & 2;
    visible->back = set & 4;
}

static bool in_range(unsigned en, uint64_t low, uint64_t high) { return en >= low && en <= high; }

static bool in_subset(unsigned subset, unsigned en)
{
    const enum et_class class = et_number_class(en);
    const unsigned code = en - ET_EN_PGM;
    switch (subset) {
    case 0:
        return true;
    case 1:
        return class <= ET_IO;
    case 2:
        return class == ET_SVC || class == ET_PROGRAM;
    case 3:
        return en == 4 || en == 5;
    case 4:
        return class == ET_IO;
    case 5:
        return class == ET_PROGRAM && (code == 0x10 || code == 0x11 || in_range(code, 0x38, 0x3b));
    case 6:
        return en < 16;
    default:
        return false;
    }
}

static bool in_ranges(const struct et_config *config, unsigned en)
{
    const bool in0 = in_range(en, ET_GET(config, ETRG, R0LOW), ET_GET(config, ETRG, R0HIGH));
    const bool in1 = in_range(en, ET_GET(config, ETRG, R1LOW), ET_GET(config, ETRG, R1HIGH));
    const bool use0 = ET_GET(config, ETSL, R0EN), use1 = ET_GET(config, ETSL, R1EN);
    const bool out0 = ET_GET(config, ETSL, R0EXC), out1 = ET_GET(config, ETSL, R1EXC);
    if ((use0 && out0 && in0) || (use1 && out1 && in1))
        return false;
    const bool include = (use0 && !out0) || (use1 && !out1);
    return !include || (use0 && !out0 && in0) || (use1 && !out1 && in1);
}

static bool reduced_fits(const struct et_config *config, unsigned en)
{
    if (!ET_GET(config, ETFR, RED) || !ET_GET(config, ETFR, REDSUP) || ET_GET(config, ETFR, OMIT))
        return true;
    const uint64_t base = ET_GET(config, ETFR, REDOFS) ? ET_GET(config, ETFR, REDBASE) : 0;
    return in_range(en, base, base + ET_GET(config, ETFR, REDMAX));
}

bool et_visible_number(const struct et_config *config, unsigned en)
{
    const enum et_class class = et_number_class(en);
    if (class == ET_CLASS_NONE) {
        if (!ET_GET(config, ETSL, NORM))
            return false;
    } else if (!(ET_GET(config, ETSL, CLS) >> class & 1) || (ET_GET(config, ETSL, HWONLY) && class > ET_IO) ||
               et_class_priority(class) > ET_GET(config, ETSL, PRIO)) {
        return false;
    }
    return in_subset((unsigned)ET_GET(config, ETSL, SUBSET), en) && in_ranges(config, en) &&
           (!ET_GET(config, ETSL, BMEN) || config->reg[ETBM0 + en / 64] >> en % 64 & 1) && reduced_fits(config, en);
}

void et_visible(const struct et_config *config, struct et_visible *visible)
{
    kinds(config, visible);
    visible->numbers = !ET_GET(config, ETFR, OMIT);
    visible->normal = et_visible_number(config, ET_NORMAL);
    visible->sample = (unsigned)ET_GET(config, ETMS, STATN);
    if (!visible->sample)
        visible->sample = 1;
    visible->all = visible->sample == 1 && ET_GET(config, ETCR, FROMP) && ET_GET(config, ETCR, FROMS);
    for (unsigned en = 1; en < ET_NUMBERS && visible->all; en++)
        visible->all = et_number_class(en) == ET_CLASS_NONE || et_visible_number(config, en);
    visible->nests = visible->entry && (visible->exit || visible->back);
}

const char *et_visible_words(const struct et_visible *visible)
{
    static const char *const words[8] = {
        "no events",
        "entries: order and counts, no nesting and no durations",
        "exits: order and counts, no nesting and no durations",
        "entries and exits: order, counts, nesting, durations; tail-chains by their flag",
        "returns: order and counts, no nesting and no durations",
        "entries and returns: order, counts, nesting with implied exits, longest durations; tail-chains by their flag",
        "exits and returns: order and counts of exits, tail-chains by order, no durations",
        "entries, exits and returns: order, counts, nesting, durations, tail-chains"};
    return words[visible->entry | visible->exit << 1 | visible->back << 2];
}
