/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU-measurement facilities of one CPU: counter sets, the sampling facility, and the alerts of both. They know no
   CPU: what happened is told by value, and the sampling facility reaches storage through accessors that it was handed.
   "Specification" means the event-counter specification, section 4; SA23-2260 is its source. The extended counter set
   belongs to the speculative-pipeline model and is not authorized while there is none. */
#ifndef ZRI_RI_COUNTERS_COUNTERS_H
#define ZRI_RI_COUNTERS_COUNTERS_H

#include "ri/counters/model/model.h"

/* Counter sets by their bit in the authorization, enable and activation controls. */
enum counters_set {
    COUNTERS_EXTENDED = 0x0001,
    COUNTERS_BASIC = 0x0002,
    COUNTERS_PROBLEM = 0x0004,
    COUNTERS_CRYPTO = 0x0008,
    COUNTERS_MT = 0x0020,
    COUNTERS_COPROCESSOR = 0x8000,
};

/* Counters that move, by number within the machine. */
enum {
    COUNTER_CYCLES = 0,
    COUNTER_INSTRUCTIONS = 1,
    COUNTER_PROBLEM_CYCLES = 32,
    COUNTER_PROBLEM_INSTRUCTIONS = 33,
    COUNTER_CRYPTO = 64,    /* first of four for each class: functions, cycles, blocked functions, blocked cycles */
    COUNTER_MT_CYCLES = 448 /* cycles with one thread active */
};

/* Classes of cryptographic functions, in the order of their counters. */
enum counters_class { COUNTERS_PRNG, COUNTERS_SHA, COUNTERS_DEA, COUNTERS_AES, COUNTERS_ECC };

/* What becomes of transactions: nonconstrained and constrained ones end, or are aborted. */
enum counters_transaction { COUNTERS_TX_C_TEND, COUNTERS_TX_NC_TEND, COUNTERS_TX_NC_TABORT, COUNTERS_TX_C_TABORT };

/* Alerts: bits of the parameter of the measurement alert. */
enum {
    COUNTERS_IAE = 0x80000000u,     /* invalid entry address */
    COUNTERS_ISE = 0x40000000u,     /* incorrect entry of a sample-data-block table */
    COUNTERS_PRA = 0x20000000u,     /* program request */
    COUNTERS_SACA = 0x00800000u,    /* sampler authorization change */
    COUNTERS_LSDA = 0x00400000u,    /* loss of sample data */
    COUNTERS_MTDA = 0x00008000u,    /* loss of MT counter data */
    COUNTERS_CACA = 0x00000080u,    /* counter authorization change */
    COUNTERS_LCDA = 0x00000040u,    /* loss of counter data */
    COUNTERS_TRACE = 0x00000008u,   /* exception trace */
    COUNTERS_MONITOR = 0x00000001u, /* performance monitor of the pipeline model */
    COUNTERS_OF_SAMPLING = COUNTERS_IAE | COUNTERS_ISE | COUNTERS_PRA | COUNTERS_SACA | COUNTERS_LSDA,
};

/* What the machine's profile says. */
struct counters_profile {
    uint16_t first_version, second_version; /* CFVN, CSVN */
    uint32_t mhz;                           /* CPU speed, cycles per microsecond, not 0 */
    bool crypto;                            /* the message-security assist is installed */
    bool mt_diagnostic;                     /* the MT-diagnostic set is authorized */
};
/* Version numbers that suit a machine type (four hexadecimal digits, as 0x3906); those of the z14 for others. */
void counters_versions(uint16_t machine_type, uint16_t *first, uint16_t *second);

#define COUNTERS_BLOCK   64u   /* bytes that QCTRI and QSI store and LSCTL fetches */
#define COUNTERS_NUMBERS 496u  /* counter numbers there can be */
#define SAMPLING_BASIC   32u   /* bytes of a basic entry */
#define SAMPLING_DIAG    112u  /* bytes of a diagnostic entry */
#define SAMPLING_BUFFER  4096u /* bytes of a sample-data block */
#define SAMPLING_TRAILER 4032u /* offset of its trailer */
#define SAMPLING_MIN     UINT64_C(20000)
#define SAMPLING_MAX     (UINT64_C(1) << 31)

/* Controls of the sampling facility, bits of the rightmost byte and a half of the first doubleword of LSCTL's block. */
enum { SAMPLING_ES = 0x200, SAMPLING_ED = 0x100, SAMPLING_CS = 0x002, SAMPLING_CD = 0x001 };

struct sampling {
    uint16_t controls;       /* SAMPLING_ES ... */
    uint64_t interval, left; /* cycles; left until the next sample is due, 1 to interval while active */
    uint64_t tear, dear;     /* current entry of the table, next place for data */
};

struct counters {
    bool counting; /* derived: cycles and instructions are wanted by some set or by the sampling facility */
    bool due;      /* a sample is due at the next instruction boundary */
    uint16_t authorized, enabled, active; /* enum counters_set bits */
    uint16_t mask;                        /* of authorized sets, by the operator */
    uint32_t alerts;                      /* pending */
    uint64_t value[COUNTERS_NUMBERS];     /* by number; the others are zero for ever */
    struct sampling sampling;
    bool monitor_external;             /* an alert of the performance monitor is an external interruption, too */
    struct ec_model *model;            /* the pipeline model, NULL: off; not a part of the counters */
    uint64_t model_cycles;             /* of the model, not charged yet */
    bool model_rests;                  /* the model is not told what happens: cycles are counted as without one */
    uint64_t origin[COUNTERS_NUMBERS]; /* the model's totals when the set became active, by number */
    uint64_t samples;                  /* ever stored (for people; not part of the architecture) */
    struct counters_profile profile;
};

/* ---- life ------------------------------------------------------------------------------------------------------ */

/* After a power-on reset, with the profile of a z14. NULL: no host memory. */
struct counters *counters_create(void) __attribute__((warn_unused_result));
void counters_destroy(struct counters *counters);
/* Another profile, with the authorization that follows from it. */
void counters_set_profile(struct counters *counters, const struct counters_profile *profile);
/* Every CPU reset: all sets and the sampling facility are disabled, no alert is pending. */
void counters_reset(struct counters *counters);

/* ---- what happens ---------------------------------------------------------------------------------------------- */

/* Instructions completed, and their cycles (partial completions charge cycles alone), all in the problem state or all
   not. Called only while `counting`. */
void counters_charge(struct counters *counters, uint64_t instructions, uint64_t cycles, bool problem);
/* The pipeline model of the CPU is turned on, or off with NULL: an authorization change, after which its cycles count.
   Before it goes it is turned off here. */
void counters_set_model(struct counters *counters, struct ec_model *model);
/* With a model: these parts of it (enum ec_clear) begin anew; what programs read goes on from where it is. */
void counters_clear(struct counters *counters, unsigned what);
/* With a model: cycles that it has charged; they are counted with the next call of counters_charge(), instead of what
   that says. */
static inline void counters_model_cycles(struct counters *counters, uint64_t cycles)
{
    counters->model_cycles += cycles;
}
/* A cryptographic function of that class was issued. */
void counters_function(struct counters *counters, enum counters_class class);
/* An outermost transaction has ended, or was aborted. */
void counters_transaction(struct counters *counters, enum counters_transaction what);
/* Cycles until a sample is due, at least 1; UINT64_MAX while the sampling facility is not active. */
static inline uint64_t counters_until_sample(const struct counters *counters)
{
    return counters->sampling.controls & (SAMPLING_CS | SAMPLING_CD) ? counters->sampling.left : UINT64_MAX;
}

/* ---- the counter facility -------------------------------------------------------------------------------------- */

/* QUERY COUNTER INFORMATION. */
void counters_query(const struct counters *counters, uint16_t maximum_cpu, uint8_t block[COUNTERS_BLOCK]);
/* LOAD CPU-COUNTER-SET CONTROLS: is this operand a specification exception? If not, load it. */
bool counters_control_invalid(const struct counters *counters, uint64_t operand);
void counters_control(struct counters *counters, uint64_t operand);
/* EXTRACT and SET CPU COUNTER. False: condition code 3, nothing was done. */
bool counters_extract(const struct counters *counters, uint64_t number, uint64_t *value);
bool counters_store(struct counters *counters, uint64_t number, uint64_t value);
/* What a counter has now, by its number (below COUNTERS_NUMBERS). */
uint64_t counters_value(const struct counters *counters, unsigned number);
/* Where pair counters are: the number of the first (ALL of pair 0; COMPLETED follows), how many pairs there are, and
   the number of PMC1. 0: this machine has none. */
unsigned counters_pairs(const struct counters *counters, unsigned *pairs, unsigned *pmc);
/* What perf calls a counter that moves on this machine, NULL: it is none (pairs and PMCs have no such name). */
const char *counters_name(const struct counters *counters, unsigned number);
/* STORE CPU COUNTER MULTIPLE: the number of counters in the set that M3 designates and the number of the first of them.
   0: there is no such set (specification exception). *readable: it is authorized and enabled. */
unsigned counters_multiple(const struct counters *counters, unsigned m3, unsigned *first, bool *readable);

/* The operator changes the authorization: no more than these sets. */
void counters_authorize(struct counters *counters, uint16_t mask);

/* ---- looking at it --------------------------------------------------------------------------------------------- */

/* Sets by number, for displays: their bit, name, first counter and number of counters; false past the last. */
bool counters_set_number(const struct counters *counters, unsigned index, enum counters_set *set, const char **name,
                         unsigned *first, unsigned *count);
/* "unauthorized", "disabled", "inactive" or "active". */
const char *counters_state_name(const struct counters *counters, enum counters_set set);

/* Everything that a snapshot keeps: name, place, bytes in host order; call counters_restored() when these places were
   filled in. False: the contents are not possible. */
void counters_each_field(struct counters *counters,
                         void (*visit)(void *context, const char *name, void *place, size_t size), void *context);
bool counters_restored(struct counters *counters);

#endif
