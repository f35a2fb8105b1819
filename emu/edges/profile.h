/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles of a machine: a unit of ri/profile for each CPU, what becomes of samples, files. */
#ifndef ZRI_EMU_EDGES_PROFILE_H
#define ZRI_EMU_EDGES_PROFILE_H

#include "emu/config/edges.h"
#include "emu/edges/consumer.h"
#include "emu/state/machine.h"

/* What the command line says. */
struct edge_profile_plan {
    const char *const *keys; /* KEY=VALUE */
    unsigned key_count;
    const char *out, *log, *exact; /* files; NULL: none */
    const struct ipl_request *images;
    unsigned image_count;
};
/* Profile from the present on. Returns 0, or a negative errno with a sentence; *doubt is a sentence of warning, or
   NULL. */
int edge_profile_begin(struct machine *machine, const struct edge_profile_plan *plan, const char **doubt, char *error,
                       size_t size) MUST_USE;
/* The images of load number `load` (1: those of the command line), for a profile that edge_profile_set(), _on(),
   _forget() or _count() begins next: its functions have names then. */
void edge_profile_images(struct machine *machine, const struct ipl_request *images, unsigned count, unsigned load);
/* The files are written. Returns 0, or a negative errno with a sentence when one is not complete. `warn` hears a
   sentence for each reason not to take the profile as it is. */
int edge_profile_end(struct machine *machine, void (*warn)(void *context, const char *sentence), void *context,
                     char *error, size_t size) MUST_USE;
/* The end of all that, with the machine. */
void edge_profile_destroy(struct machine *machine);

/* What is asked for now: its reset values while nothing was. */
struct emu_edges edge_profile_asked(const struct machine *machine);
/* Other parameters: what was collected is forgotten. Between two instructions of all CPUs. The same. */
int edge_profile_set(struct machine *machine, const struct emu_edges *edges, const char **doubt, char *error,
                     size_t size) MUST_USE;
/* Recording begins, or goes on with an empty ring; ends. What was collected stays. */
int edge_profile_on(struct machine *machine, char *error, size_t size) MUST_USE;
void edge_profile_off(struct machine *machine);
/* What was collected is forgotten. */
int edge_profile_forget(struct machine *machine, char *error, size_t size) MUST_USE;

struct edge_profile_state {
    bool there, on, exact;
    uint64_t events;
    struct edge_consumer_counts counts;
    uint32_t spaces;
    const char *log; /* name of the file; NULL: none */
};
struct edge_profile_state edge_profile_state(struct machine *machine);
/* Space `number`; false: there is none. */
bool edge_profile_space(const struct machine *machine, uint32_t number, struct edge_space *space);

/* From now on every branch is counted as well: slow. */
int edge_profile_count(struct machine *machine, char *error, size_t size) MUST_USE;
/* The profile so far with its functions, the caller's; `exact`: of all branches, when they are counted. */
int edge_profile_copy(struct machine *machine, bool exact, struct ep_profile **copy, char *error, size_t size) MUST_USE;
/* To a file. */
int edge_profile_save(struct machine *machine, bool exact, const char *file, char *error, size_t size) MUST_USE;
/* Samples go into a new log, NULL: not any more. */
int edge_profile_log(struct machine *machine, const char *file, char *error, size_t size) MUST_USE;

#endif
