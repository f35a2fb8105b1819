/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What passes through the pipeline, instruction by instruction in the order of fetching: for the logs of other formats
   than Kanata, and for those who look at it. Event-counter specification, EC-155 and EC-156. */
#ifndef ZRI_RI_COUNTERS_MODEL_PASSAGES_H
#define ZRI_RI_COUNTERS_MODEL_PASSAGES_H

#include "ri/counters/model/model.h"

/* An instruction that has left the pipeline. */
struct ec_passed {
    struct ec_passage passage;
    uint64_t end;      /* cycle of completion, or in which it was cancelled or flushed */
    bool cancelled;    /* by an exception */
    uint8_t outcome;   /* of a branch: enum ec_outcome */
    bool mispredicted; /* a branch, whether its wrong path came into the pipeline or not */
    bool ended;        /* for this room only */
};

/* Where it is in a cycle: 0 fetched, 1 dispatched, 2 executed, 3 finished, 4 in the cycle in which it leaves; -1: it is
   not in the pipeline. */
int ec_passed_stage(const struct ec_passed *passed, uint64_t cycle);

struct ec_passages;

/* For logs, and for those who profile: those of the right path come in the order of completion. */
/* Each instruction is told to `take` when it and all before it have left. NULL: no memory. */
struct ec_passages *ec_passages_create(void (*take)(void *context, const struct ec_passed *passed), void *context);
/* Those that are still in the pipeline are told nobody. The model that is watched has forgotten it. False: some were
   lost for lack of memory. */
bool ec_passages_destroy(struct ec_passages *passages);
const struct ec_watch *ec_passages_watch(struct ec_passages *passages);

/* An interval of executed instructions, from 1, both ends in it: those, and the wrong paths walked behind them, are
   passed on, numbered from 0. */
struct ec_span {
    uint64_t from, to;
    const struct ec_watch *to_watch;
    uint64_t executed, first, count; /* the first id that was passed on, and how many were */
    struct ec_watch watch;           /* for ec_model_watch() */
};
void ec_span_begin(struct ec_span *interval, uint64_t from, uint64_t to, const struct ec_watch *watch);

/* Texts of an instruction: "address disassembly", tabs as blanks. */
void ec_passage_text(const struct ec_passage *passage, char *text, size_t size);

/* The latest instructions, in the order of fetching. Zeros at first. */
enum { EC_RECENT = 256 };
struct ec_recent {
    struct ec_passed passed[EC_RECENT]; /* `end` 0: still in the pipeline */
    uint64_t count;                     /* of all that were fetched since */
    struct ec_watch watch;              /* for ec_model_watch(), behind ec_recent_begin() */
};
void ec_recent_begin(struct ec_recent *recent);
/* The pipeline cycle by cycle: the latest `most` instructions (1 to EC_RECENT), then a line for each cycle in which one
   of them moved; `line` is told lines without their ends. */
void ec_recent_show(const struct ec_recent *recent, unsigned most, void (*line)(void *context, const char *text),
                    void *context);

/* Logs. `put` may fail for itself; `context` is its. A format is begun, told each instruction, and ended. */
enum ec_log_format { EC_LOG_KANATA, EC_LOG_O3, EC_LOG_CHROME, EC_LOG_LINES, EC_LOG_FORMATS };
extern const char *const ec_log_formats[EC_LOG_FORMATS]; /* their names */
struct ec_log;
/* NULL: no memory. */
struct ec_log *ec_log_create(enum ec_log_format format, void (*put)(void *context, const char *text, size_t length),
                             void *context);
/* As ec_kanata_destroy(). */
bool ec_log_destroy(struct ec_log *log);
const struct ec_watch *ec_log_watch(struct ec_log *log);

#endif
