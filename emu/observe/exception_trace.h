/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace of a machine: its units (ri/trace) with their clocks, storage and file. */
#ifndef ZRI_EMU_MACHINE_EXCEPTION_TRACE_H
#define ZRI_EMU_MACHINE_EXCEPTION_TRACE_H

#include "emu/config/exception.h"
#include "emu/observe/exception_live.h"
#include "emu/state/machine.h"
#include "ri/trace/rules/rules.h"
#include "ri/trace/trace.h"

/* The units of a machine. They are made, and its CPUs tell them what happens, from the first call on: a machine that
   nobody wants to trace has none. Between two instructions of all CPUs. NULL: no host memory. */
struct et_machine *exception_trace_units(struct machine *machine);
/* Likewise the unit of a CPU. */
struct et_cpu *exception_trace_unit(struct machine *machine, const struct cpu *cpu);
/* There are units. */
static inline bool exception_trace_kept(const struct machine *machine) { return machine->exceptions != NULL; }
/* The end of all that, with the machine; files are ended by exception_trace_end() before. */
void exception_trace_destroy(struct machine *machine);

/* What the command line says. */
struct exception_trace_plan {
    const char *const *keys; /* KEY=VALUE lists for every CPU; they win over the file */
    unsigned key_count;
    const char *config; /* file; NULL: none */
    const char *out;    /* file for the streams; NULL: none. With one, output is on unless keys or file say otherwise */
};
/* Carry it out. Returns 0, or a negative errno with a sentence. */
int exception_trace_begin(struct machine *machine, const struct exception_trace_plan *plan, char *error,
                          size_t size) MUST_USE;

/* From now on the streams go to a new file; NULL: to memory. What there was before ends as by exception_trace_end().
   The same. */
int exception_trace_out(struct machine *machine, const char *file, char *error, size_t size) MUST_USE;
/* The host has what went to the file. */
void exception_trace_flush(struct machine *machine);
/* Present time of the trace clock of a CPU. */
uint64_t exception_trace_now(struct machine *machine, const struct cpu *cpu);
/* Name of the file, NULL: none. */
const char *exception_trace_file(const struct machine *machine);
/* How many files were begun; 0 while there is none. */
unsigned exception_trace_file_number(const struct machine *machine);
/* The streams end. Returns 0, or a negative errno with a sentence when the file is not complete. */
int exception_trace_end(struct machine *machine, char *error, size_t size) MUST_USE;
/* What waits in memory into a file of its own; it stays there. The same. */
int exception_trace_dump(struct machine *machine, const char *file, char *error, size_t size) MUST_USE;

/* The configuration of all CPUs to a file, and from one (on top of the reset values). The same. */
int exception_trace_save(struct machine *machine, const char *file, char *error, size_t size) MUST_USE;
int exception_trace_load(struct machine *machine, const char *file, enum et_by by, char *error, size_t size) MUST_USE;

/* The run ends behind an interruption of this class and exact code (UINT64_MAX: any), or one that nests so deep.
   Nothing: with class ET_CLASS_NONE and depth 0. */
struct exception_trace_stop {
    enum et_class class;
    uint64_t code;
    unsigned depth;
};
/* False: no host memory. */
bool exception_trace_stop_at(struct machine *machine, const struct exception_trace_stop *stop);
/* As it is; NULL: nothing was ever asked for. */
const struct exception_trace_stop *exception_trace_stop_of(const struct machine *machine);
/* A run begins: what ended the one before is over. */
void exception_trace_go(struct machine *machine);
/* The run ended here because of that, or of a rule: words for it. */
bool exception_trace_stopped(const struct machine *machine, const struct cpu *cpu, char *words, size_t size);

/* A rule of the on-line analyser, as ri/trace/rules has it: a new one, or in the place of the one with its name. NULL,
   or why not: a sentence, maybe in `why`. */
const char *exception_trace_rule(struct machine *machine, const char *text, char *why, size_t size);
/* False: there is none of this name. */
bool exception_trace_forget_rule(struct machine *machine, const char *name);
/* NULL: there are none. */
const struct et_rules *exception_trace_rules(const struct machine *machine);

/* The newest events. NULL: no host memory. */
struct exception_live *exception_trace_live(struct machine *machine);

#endif
