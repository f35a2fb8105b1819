/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger port: a machine as a target of gdb's remote serial protocol ("Debugging with GDB", appendix E). CPUs are
   threads, CPU n is thread n + 1. While no client is connected a run is what machine_run() does. */
#ifndef ZRI_EMU_DEBUG_GDB_H
#define ZRI_EMU_DEBUG_GDB_H

#include "emu/machine/session.h"

/* What the port asks of those above it; the function may be NULL. */
struct gdb_host {
    void *context;
    /* Carry out a command of the console that speaks about *cpu, which it may choose anew (or replace the machine, then
       too). Returns what it shows, which the caller frees; NULL: no memory. *quits: the program is to end. */
    char *(*command)(void *context, struct cpu **cpu, const char *line, bool *quits);
};

/* Open the port of a session at a place as port_open() has it. `waits`: the first run waits for a client. Returns 0, or
   a negative errno with a sentence. The place that was opened is gdb_place(). */
int gdb_open(struct session *session, const char *place, bool waits, const struct gdb_host *host, char *error,
             size_t size) MUST_USE;
void gdb_close(struct session *session);
const char *gdb_place(const struct session *session);
/* Those above have come or gone. */
void gdb_set_host(struct session *session, const struct gdb_host *host);

/* Run the machine of a session as machine_run() does. A client may have the machine meanwhile: then the run goes on
   when the client lets it, and ends when the guest does, or the client kills it, or the operator asks. */
struct machine_result gdb_run(struct session *session, uint64_t limit);
/* The same, where such a run was left for a moment: it goes on as if it had not been. */
struct machine_result gdb_go_on(struct session *session, uint64_t limit);

/* While the machine is not run: has a client come, or sent something, that waits for gdb_run()? */
bool gdb_calls(const struct session *session);
/* A packet of the client's is being carried out. */
bool gdb_serves(const struct session *session);
/* The client has killed the guest in the latest run. */
bool gdb_killed(const struct session *session);

/* What addresses of the client's storage packets mean; CPU_SPACE_CURRENT at first. */
void gdb_set_space(struct session *session, enum cpu_space space);
/* In words: who is connected, and breakpoints and watchpoints in force. */
void gdb_words(const struct session *session, char *words, size_t size);

#endif
