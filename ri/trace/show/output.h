/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs of decoded exception traces. A kind of output is a set of functions; whoever reads a trace (the program
   zri-et, the console) hands it what the decoder tells, and a writer that takes the bytes it makes. */
#ifndef ZRI_RI_TRACE_SHOW_OUTPUT_H
#define ZRI_RI_TRACE_SHOW_OUTPUT_H

#include "ri/trace/decode.h"

/* Takes bytes. Whether they were written is the writer's to know: outputs go on, and their owner looks at the end.
   `file` is NULL for the output itself, or the name of a file in its folder (only kinds with ET_OUTPUT_FOLDER), which
   grows by what is put. */
struct et_writer {
    void *context;
    void (*put)(void *context, const char *file, const void *bytes, size_t size);
};

struct et_output_setting {
    struct et_writer writer;
    et_program_name *program; /* names of program interruptions; NULL: none */
    const char *input;        /* name of the input, for headings */
    uint64_t insn_rate;       /* ticks of the clocks insn and cycle in a second; 0: unknown, shown as 10^9 */
    bool merged;              /* events come in the order of their times over all sources */
};

/* A reporting group of run-time instrumentation, from another chunk of the file. */
struct et_ri_group {
    uint64_t time; /* TOD clock, as the trace clock tod has it */
    unsigned cpu, records;
    uint64_t address; /* where the guest has it */
    uint64_t next;    /* of the PSW behind the sample instruction */
};

enum et_output_want {
    ET_OUTPUT_MERGED = 1, /* events have to come in the order of their times over all sources */
    ET_OUTPUT_FOLDER = 2  /* writes files into a folder */
};

struct et_output {
    const char *name; /* of its option: "text" */
    const char *help; /* one line */
    unsigned wants;   /* enum et_output_want */
    /* State of one output; `setting` stays until end(). NULL: no memory. */
    void *(*begin)(const struct et_output_setting *setting);
    void (*event)(void *output, const struct et_event *event);
    void (*diagnostic)(void *output, const struct et_diagnostic *diagnostic);
    /* May be NULL: the metadata of the container (JSON, not looked at), in pieces. */
    void (*metadata)(void *output, const uint8_t *bytes, size_t size, bool last);
    /* May be NULL: a reporting group, between the events in front of it and behind it in time. */
    void (*group)(void *output, const struct et_ri_group *group);
    /* May be NULL: there was no memory for something, and it will be missing. */
    bool (*starved)(const void *output);
    /* Writes what is left and frees the state. */
    void (*end)(void *output, const struct et_decoder_sums *sums);
};

/* The kinds, each in a file of its own. */
extern const struct et_output et_output_text, et_output_chrome, et_output_ctf, et_output_csv, et_output_folded,
    et_output_json, et_output_jsonl, et_output_report, et_output_vcd;

/* Helpers for them. */
void et_put(const struct et_writer *writer, const char *text);
void et_print(const struct et_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON text with its quotes; bytes that are not UTF-8 become U+FFFD. */
void et_put_json(const struct et_writer *writer, const char *text);
/* "ENTRY", "EXIT", ..., for lines. */
const char *et_kind_name(enum et_kind kind);
/* Names of the bits of et_event.flags, from the right: "TC", "LA", ...; NULL behind the last. */
const char *et_flag_name(unsigned bit);
/* Names of the tags of INFO: "code", "ilc", ... */
const char *et_info_name(unsigned tag);
/* The depth to be shown: of an EXIT that of the handler which ends, otherwise that after the event. */
unsigned et_shown_depth(const struct et_event *event);

/* How long a tick of the trace clock is. */
struct et_scale {
    enum et_clock clock;
    uint64_t rate; /* ticks of the clocks insn and cycle in a second, 10^9 when nothing is known */
};
void et_scale_init(struct et_scale *scale, uint64_t insn_rate);
/* Looks at CONFIG events: which clock it is. */
void et_scale_event(struct et_scale *scale, const struct et_event *event);
/* Ticks in picoseconds; UINT64_MAX's worth of microseconds is the most. */
unsigned __int128 et_scale_ps(const struct et_scale *scale, uint64_t ticks);
const char *et_clock_name(enum et_clock clock);

#endif
