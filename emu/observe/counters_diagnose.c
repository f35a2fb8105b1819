/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-counter specification 4.8. Readings: a block that is not on a doubleword boundary is a specification exception,
   one that is not in storage an addressing exception; with the model off subcodes that read give zeros and those that
   write change nothing; interval records are given once; subcode 7 needs a permission of its own (ctr.diagnose=control
   is --pipe-control here) and has its effect before the next instruction, cold when it turns the model on, unless a
   plan of the operator has the guest's marks. */
#include "emu/observe/counters_diagnose.h"
#include "base/ebcdic.h"
#include "cpu/control/model.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "ri/counters/counters.h"
#include <string.h>

enum subcode { QUERY, READ_PMU, WRITE_PMU, READ_PAIRS, RESET, SET_INTERVAL, READ_INTERVALS, SWITCH };
enum { DONE, MODEL_OFF, INVALID, NOT_ALLOWED };

/* The parameter block, by offset. */
enum {
    LENGTH = 0,
    USED = 4,
    CONTENTS = 8,
    QUERY_END = 48,
    PMU_MARKS = 24,
    PMU_PMC = 40,
    PMU_STATUS = 56,
    PMU_ALERT = 60,
    PMU_CYCLES = 64,
    PMU_INSTRUCTIONS = 72,
    PMU_TOD = 80,
    PMU_END = 96,
    RECORD_HEAD = 24, /* bytes of a record in front of its pairs, */
    RECORD_PAIR = 32  /* and of a pair */
};
#define STATUS_ON        0x80000000u
#define STATUS_FROZEN    0x40000000u
#define STATUS_TRIGGERED 0x20000000u
#define RECORD           (RECORD_HEAD + EC_PAIRS * RECORD_PAIR)
#define CLEARS           0x1fu /* enum ec_clear has the bits of subcode 4 */

struct request {
    struct machine *machine;
    struct cpu *cpu;
    struct ec_model *model; /* NULL: it is off */
    uint8_t *block;
    uint32_t length, used;
};

static int query(struct request *q)
{
    const struct ec_profile *p = q->model ? ec_model_profile(q->model) : NULL;
    uint8_t *b = q->block + CONTENTS;
    unsigned pairs, pmc, events = 0;
    if (q->length < QUERY_END)
        return INVALID;
    const unsigned first = counters_pairs(q->cpu->counters, &pairs, &pmc);
    for (unsigned e = 1; e < EC_NEV; e++)
        events += ec_events[e].name != NULL;
    const uint16_t words[] = {1,
                              (uint16_t)events,
                              (uint16_t)pairs,
                              (uint16_t)first,
                              (uint16_t)pmc,
                              (uint16_t)(p ? p->ct_entries : 0),
                              (uint16_t)(p ? p->group_size : 0),
                              p != NULL};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        put16(b + 2 * i, words[i]);
    put64(b + 16, p ? p->mhz : 0);
    ebcdic_text(p ? p->name : "", b + 24, 16);
    q->used = QUERY_END;
    return p ? DONE : MODEL_OFF;
}

/* ---- the performance-monitor registers ------------------------------------------------------------------------- */

static int read_pmu(struct request *q)
{
    if (q->length < PMU_END)
        return INVALID;
    memset(q->block + CONTENTS, 0, PMU_END - CONTENTS);
    q->used = PMU_END;
    put64(q->block + PMU_TOD, cpu_tod(q->cpu));
    if (!q->model)
        return MODEL_OFF;
    const struct ec_counting *k = ec_model_counting(q->model);
    struct ec_totals t;
    uint32_t status = STATUS_ON;
    ec_model_totals(q->model, &t);
    for (unsigned r = EC_MMCR0; r <= EC_ICR; r++)
        put32(q->block + CONTENTS + 4 * r, ec_register(k, (enum ec_register)r));
    put64(q->block + PMU_MARKS, k->pmu.markmask);
    put64(q->block + PMU_MARKS + 8, k->pmu.markvalue);
    for (unsigned i = 0; i < EC_NPMC; i++) {
        put32(q->block + PMU_PMC + 4 * i, k->pmu.pmc[i]);
        status |= (k->pmu.pmc[i] >> 31) << (3 - i);
    }
    status |= (k->pmu.frozen ? STATUS_FROZEN : 0) | (k->pmu.triggered ? STATUS_TRIGGERED : 0);
    put32(q->block + PMU_STATUS, status);
    put32(q->block + PMU_ALERT, k->pmu.alert);
    put64(q->block + PMU_CYCLES, t.cycles);
    put64(q->block + PMU_INSTRUCTIONS, t.completed[EC_INST]);
    return DONE;
}

static int write_pmu(struct request *q)
{
    if (q->length < PMU_END)
        return INVALID;
    if (!q->model)
        return MODEL_OFF;
    struct ec_counting *k = ec_model_counting(q->model);
    k->pmu.markmask = get64(q->block + PMU_MARKS);
    k->pmu.markvalue = get64(q->block + PMU_MARKS + 8);
    for (unsigned i = 0; i < EC_NPMC; i++)
        ec_set_register(k, (enum ec_register)(EC_PMC1 + i), get32(q->block + PMU_PMC + 4 * i));
    for (unsigned r = EC_MMCR0; r <= EC_ICR; r++)
        ec_set_register(k, (enum ec_register)r, get32(q->block + CONTENTS + 4 * r));
    q->used = PMU_END;
    return DONE;
}

/* ---- pairs and intervals --------------------------------------------------------------------------------------- */

/* Totals, the completed ones read first. */
static void put_record(const struct request *q, const struct ec_totals *t, uint8_t *to)
{
    unsigned pairs, pmc;
    const unsigned first = counters_pairs(q->cpu->counters, &pairs, &pmc);
    memset(to, 0, RECORD);
    put64(to, t->cycles);
    put64(to + 8, t->completed[EC_INST]);
    put32(to + 16, EC_PAIRS);
    to += RECORD_HEAD;
    for (unsigned k = 0; k < EC_PAIRS; k++, to += RECORD_PAIR) {
        const enum ec_event e = ec_pair_event(k);
        const uint64_t completed = t->completed[e], all = t->all[e];
        put16(to, (uint16_t)e);
        put16(to + 2, (uint16_t)(k < pairs ? first + 2 * k : 0));
        put64(to + 8, all);
        put64(to + 16, completed);
        put64(to + 24, all - completed);
    }
}

static int read_pairs(struct request *q)
{
    struct ec_totals t;
    if (q->length < CONTENTS + RECORD)
        return INVALID;
    memset(&t, 0, sizeof t);
    if (q->model)
        ec_model_totals(q->model, &t);
    put_record(q, &t, q->block + CONTENTS);
    q->used = CONTENTS + RECORD;
    return q->model ? DONE : MODEL_OFF;
}

static int reset(struct request *q)
{
    if (q->length < CONTENTS + 4)
        return INVALID;
    const uint32_t what = get32(q->block + CONTENTS);
    if (what & ~CLEARS)
        return INVALID;
    q->used = CONTENTS + 4;
    if (!q->model)
        return MODEL_OFF;
    counters_clear(q->cpu->counters, what);
    return DONE;
}

static int set_interval(struct request *q)
{
    if (q->length < CONTENTS + 8)
        return INVALID;
    q->used = CONTENTS + 8;
    if (!q->model)
        return MODEL_OFF;
    return cpu_model_interval(q->cpu, get64(q->block + CONTENTS)) ? INVALID : DONE;
}

static int read_intervals(struct request *q)
{
    struct ec_intervals *kept = q->model ? cpu_model_intervals(q->cpu) : NULL;
    const struct ec_interval *record;
    q->used = CONTENTS;
    while (kept && q->used + RECORD <= q->length && (record = ec_intervals_next(kept)) != NULL) {
        put_record(q, &record->totals, q->block + q->used);
        q->used += RECORD;
    }
    return q->model ? DONE : MODEL_OFF;
}

static int switch_model(struct request *q)
{
    if (!q->machine->config.pipe_control || q->machine->config.threads)
        return NOT_ALLOWED;
    if (q->length < CONTENTS + 4 || get32(q->block + CONTENTS) > 1)
        return INVALID;
    q->machine->pipeline_mark = (uint8_t)(1 + get32(q->block + CONTENTS));
    q->used = CONTENTS + 4;
    engine_leave(q->cpu);
    return DONE;
}

static int carry_out(struct request *q, uint32_t subcode)
{
    switch (subcode) {
    case QUERY:
        return query(q);
    case READ_PMU:
        return read_pmu(q);
    case WRITE_PMU:
        return write_pmu(q);
    case READ_PAIRS:
        return read_pairs(q);
    case RESET:
        return reset(q);
    case SET_INTERVAL:
        return set_interval(q);
    case READ_INTERVALS:
        return read_intervals(q);
    case SWITCH:
        return switch_model(q);
    default:
        return INVALID;
    }
}

int counters_diagnose(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    struct request q = {.machine = m, .cpu = cpu, .model = cpu_model(cpu)};
    const uint64_t real = cpu->gr[r1] & cpu->address_mask;
    if (real % 8)
        return PIC_SPECIFICATION;
    q.block = cpu_real_host(cpu, real, CONTENTS);
    if (!q.block)
        return PIC_ADDRESSING;
    q.length = get32(q.block + LENGTH);
    if (q.length < CONTENTS || real % PAGE_SIZE_Z + q.length > PAGE_SIZE_Z) {
        cpu->cc = INVALID;
        return 0;
    }
    if (q.model)
        cpu_model_drain(cpu);
    cpu->cc = (uint8_t)carry_out(&q, gr32(cpu, r3));
    if (cpu->cc <= MODEL_OFF) {
        put32(q.block + USED, q.used);
        cpu_code_stored(cpu, cpu_real_to_absolute(cpu, real), q.length);
    }
    return 0;
}
