/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection: tables of kinds, classes, subsets, ranges and the bitmap, made into one bit for each number (specification
   4.2, 4.3); and the open interruptions as the stream tells them. */
#include "ri/trace/select.h"
#include <string.h>

#define HARDWARE (1u << ET_RESTART | 1u << ET_EXIGENT | 1u << ET_REPRESSIBLE | 1u << ET_EXTERNAL | 1u << ET_IO)
#define SOFTWARE (1u << ET_PROGRAM | 1u << ET_SVC)

enum subset { ALL, HARDWARE_CLASSES, SOFTWARE_CLASSES, TIMERS, IO_CLASS, TRANSLATION, LOWEST_16, NONE };

static bool in_subset(enum subset subset, unsigned en, unsigned class_bit)
{
    switch (subset) {
    case ALL:
        return true;
    case HARDWARE_CLASSES:
        return class_bit & HARDWARE;
    case SOFTWARE_CLASSES:
        return class_bit & SOFTWARE;
    case TIMERS:
        return en == 4 || en == 5;
    case IO_CLASS:
        return class_bit & 1u << ET_IO;
    case TRANSLATION:
        return en == ET_EN_PGM + 0x10 || en == ET_EN_PGM + 0x11 || (en >= ET_EN_PGM + 0x38 && en <= ET_EN_PGM + 0x3b);
    case LOWEST_16:
        return en < 16;
    default:
        return false;
    }
}

/* Reading: NORMAL is of no class: NORM decides in the place of the class bit, it is neither hardware nor software, and
   has no priority, so that only PRIO=7 (all) lets it pass. Reserved numbers are treated alike; no interruption has one.
 */
static bool class_selected(const struct et_config *c, unsigned en)
{
    const enum et_class class = et_number_class(en);
    const unsigned class_bit = class == ET_CLASS_NONE ? 0 : 1u << class;
    const unsigned priority = class == ET_CLASS_NONE ? 7 : et_class_priority(class);
    if (class == ET_CLASS_NONE ? !ET_GET(c, ETSL, NORM) : class_bit & ~ET_GET(c, ETSL, CLS))
        return false;
    if (ET_GET(c, ETSL, HWONLY) && !(class_bit & HARDWARE))
        return false;
    return priority <= ET_GET(c, ETSL, PRIO) && in_subset((enum subset)ET_GET(c, ETSL, SUBSET), en, class_bit);
}

static bool in_ranges(const struct et_config *c, unsigned en)
{
    const bool in0 = en >= ET_GET(c, ETRG, R0LOW) && en <= ET_GET(c, ETRG, R0HIGH);
    const bool in1 = en >= ET_GET(c, ETRG, R1LOW) && en <= ET_GET(c, ETRG, R1HIGH);
    const bool used0 = ET_GET(c, ETSL, R0EN), used1 = ET_GET(c, ETSL, R1EN);
    const bool exclude0 = ET_GET(c, ETSL, R0EXC), exclude1 = ET_GET(c, ETSL, R1EXC);
    if ((used0 && exclude0 && in0) || (used1 && exclude1 && in1))
        return false;
    const bool include0 = used0 && !exclude0, include1 = used1 && !exclude1;
    return !(include0 || include1) || (include0 && in0) || (include1 && in1);
}

bool et_reduced(const struct et_config *config, unsigned en, unsigned *field)
{
    const unsigned base = ET_GET(config, ETFR, REDOFS) ? (unsigned)ET_GET(config, ETFR, REDBASE) : 0;
    *field = en - base;
    return en >= base && en - base <= ET_GET(config, ETFR, REDMAX);
}

static bool number_selected(const struct et_config *c, unsigned en)
{
    unsigned field;
    const bool suppress = ET_GET(c, ETFR, RED) && ET_GET(c, ETFR, REDSUP) && !ET_GET(c, ETFR, OMIT);
    return class_selected(c, en) && in_ranges(c, en) &&
           (!ET_GET(c, ETSL, BMEN) || (c->reg[ETBM0 + en / 64] >> en % 64 & 1)) &&
           !(suppress && !et_reduced(c, en, &field));
}

void et_selector_make(struct et_selector *s, const struct et_config *config)
{
    /* Kinds of the table of 3 bits: entry 1, exit 2, return 4. */
    static const uint8_t three_bits[8] = {0, 1, 2, 3, 7, 6, 5, 4};
    const unsigned code = (unsigned)ET_GET(config, ETCR, EVSEL);
    unsigned kinds = three_bits[code & 7];
    if (ET_GET(config, ETCR, EVENC))
        kinds = code & 8 ? ~code & 7 : 0;
    memset(s, 0, sizeof *s);
    for (unsigned en = 0; en < ET_NUMBERS; en++)
        if (number_selected(config, en))
            s->numbers[en / 64] |= UINT64_C(1) << en % 64;
    for (unsigned fn = ET_FN_ENTRY; fn <= ET_FN_RETURN; fn++)
        s->kinds[fn] = kinds >> (fn - ET_FN_ENTRY) & 1;
    s->signal = ET_GET(config, ETCR, SIG);
    s->state = ET_GET(config, ETCR, STATE);
    s->problem = ET_GET(config, ETCR, FROMP);
    s->supervisor = ET_GET(config, ETCR, FROMS);
    s->sample = ET_GET(config, ETMS, STATN) ? (unsigned)ET_GET(config, ETMS, STATN) : 1;
}

/* ---- open interruptions ----------------------------------------------------------------------------------------- */

static int find(const struct et_nest *nest, unsigned en)
{
    for (unsigned i = nest->depth; i-- > 0;)
        if (nest->open[i].en == en)
            return (int)i;
    return -1;
}

struct et_open et_nest_find(const struct et_nest *nest, unsigned en)
{
    const int i = find(nest, en);
    return i < 0 ? (struct et_open){0} : nest->open[i];
}

static void drop_oldest(struct et_nest *nest)
{
    if (nest->depth == ET_OPEN_MAX)
        memmove(nest->open, nest->open + 1, --nest->depth * sizeof *nest->open);
}

static void push(struct et_nest *nest, struct et_open open)
{
    drop_oldest(nest);
    nest->open[nest->depth++] = open;
}

/* The number resumed has to be the innermost one then; what is above it is closed, what is not there begins here. */
static void returned(struct et_nest *nest, unsigned en)
{
    const int i = en ? find(nest, en) : -1;
    if (i >= 0 || !en)
        nest->depth = (unsigned)(i + 1);
    else
        push(nest, (struct et_open){.en = (uint16_t)en});
    nest->current = (uint16_t)en;
}

void et_nest_set(struct et_nest *nest, unsigned current, unsigned depth, const uint16_t *en, unsigned known)
{
    *nest = (struct et_nest){.current = (uint16_t)current,
                             .depth = depth < ET_OPEN_MAX ? depth : ET_OPEN_MAX,
                             .to_problem = nest->to_problem};
    for (unsigned i = 0; i < known && i < nest->depth; i++)
        nest->open[nest->depth - 1 - i].en = en[i];
}

void et_nest_follow(struct et_nest *nest, const struct et_occurrence *o, struct et_open entered)
{
    int i;
    switch (o->what) {
    case ET_W_ENTRY:
        if (nest->ended)
            nest->depth = 0;
        push(nest, entered);
        nest->current = o->en;
        nest->exited = nest->ended = false;
        break;
    case ET_W_EXIT:
        i = find(nest, o->en);
        nest->left = i < 0 ? (struct et_open){0} : nest->open[i];
        if (i >= 0)
            nest->depth = (unsigned)i;
        /* The forced EXITs of a reload that matches a deeper one follow an EXIT that is not forced. */
        nest->ended = nest->to_problem && o->frc && !nest->exited;
        nest->exited = true;
        break;
    case ET_W_RETURN:
        returned(nest, o->en);
        nest->exited = nest->ended = false;
        break;
    case ET_W_STATE:
        if (o->value == ET_ST_RESET) {
            nest->depth = 0;
            nest->current = ET_NORMAL;
            nest->exited = nest->ended = false;
        } else if (o->value == ET_ST_FRAME_DROPPED) {
            drop_oldest(nest);
        }
        break;
    default:
        break;
    }
}
