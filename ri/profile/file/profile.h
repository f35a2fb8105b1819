/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An edge profile: what a program's completed branches did, in counted units. Whoever collects adds units; whoever
   shows reads the lists. Read from and written to the text form "ZEPROF 1"; profiles of several runs are merged.
   Functions that return int give 0 or a negative errno; nothing in a profile is trusted to be small or in order. */
#ifndef ZRI_RI_PROFILE_FILE_PROFILE_H
#define ZRI_RI_PROFILE_FILE_PROFILE_H

#include "base/bits.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EP_NAME_MOST 16000u                /* characters of a name in its encoded form */
#define EP_FULL_UNIT UINT64_C(0x100000000) /* the unit of profiles whose samples have weights: 32 fraction bits */

enum ep_header {
#define HEADER(ID, key, values, required, how) EP_H_##ID,
#include "ri/profile/file/headers.def"
#undef HEADER
    EP_HEADERS
};
/* A value of several that differed, in a profile that was merged. */
#define EP_MIXED "mixed"

/* The order of these numbers is that of their words in a file. */
enum ep_space_kind { EP_SPACE_AR, EP_SPACE_HOME, EP_SPACE_PRIMARY, EP_SPACE_REAL, EP_SPACE_SECONDARY, EP_SPACE_KINDS };
enum ep_gap_reason { EP_REASON_ABORT, EP_REASON_PSW, EP_REASON_RANGE, EP_REASON_RESUME, EP_REASONS };
/* Classes of sites, the more cautious first: of two at one place that stays. */
enum ep_site_class { EP_SITE_COND, EP_SITE_UNCOND, EP_SITE_CALL, EP_SITE_RET, EP_SITE_CLASSES };

struct ep_space {
    uint64_t token; /* address-space-control element; 0 for real */
    const char *name;
    uint8_t kind; /* enum ep_space_kind */
};

struct ep_module {
    uint64_t start, end, bias; /* end is exclusive; all modulo 2**64 */
    const char *name;
    uint32_t space;
    bool has_digest;
    uint8_t digest[32]; /* SHA-256 of the file; zeros without one */
};

struct ep_function {
    uint64_t start, end;
    const char *name;
    uint32_t module;
};

#define EP_OPCODE 12u
struct ep_site_facts {
    uint64_t at, target; /* target 0 when there is none */
    uint32_t space;
    uint8_t class, length; /* enum ep_site_class; 2, 4 or 6 bytes */
    bool has_target;
    char opcode[EP_OPCODE]; /* key of the row: "a7x4"; through EXECUTE "44/07" or "c6x0/07" */
};

/* A line with units. Edge: branch, destination, taken or not. Run: first and last instruction, ended by a branch or
   cut. Call: site and callee. Gap: expected and actual address, reason. */
enum { EP_TAKEN, EP_NOT_TAKEN };
enum { EP_RUN_BRANCH, EP_RUN_CUT };
struct ep_row {
    uint64_t from, to, units;
    uint32_t from_space, to_space;
    uint32_t kind; /* of an edge EP_TAKEN, EP_NOT_TAKEN; of a run EP_RUN_...; of a gap enum ep_gap_reason */
};

struct ep_counter {
    const char *name; /* "drop.flow" */
    uint64_t value;
};

enum ep_list_name {
    EP_SPACES,    /* struct ep_space */
    EP_MODULES,   /* struct ep_module */
    EP_FUNCTIONS, /* struct ep_function */
    EP_SITES,     /* struct ep_site_facts */
    EP_EDGES,     /* struct ep_row, and the three after it */
    EP_RUNS,
    EP_CALLS,
    EP_GAPS,
    EP_COUNTERS, /* struct ep_counter */
    EP_LISTS
};

struct ep_profile;

/* An empty profile without any header; NULL: no memory. */
struct ep_profile *ep_profile_new(void) MUST_USE;
void ep_profile_free(struct ep_profile *profile);
/* A second profile with the same content, in *copy. -ENOMEM. */
int ep_profile_copy(const struct ep_profile *profile, struct ep_profile **copy) MUST_USE;

/* ---- what collectors call -------------------------------------------------------------------------------------- */

/* A header's value, any bytes (a text is encoded). -EINVAL: not one that the header may have; -ENAMETOOLONG, -ENOMEM.
   branch-units and run-units are made by ep_profile_settle(). */
int ep_profile_set(struct ep_profile *profile, enum ep_header header, const char *value) MUST_USE;
int ep_profile_set_number(struct ep_profile *profile, enum ep_header header, uint64_t value) MUST_USE;

/* The number of a space, module or function, which is added when it is new; names are any bytes, NULL or "": none.
   Numbers hold until ep_profile_settle(). -EINVAL: a range that is empty or a number that was not given; -ENAMETOOLONG,
   -ENOMEM, -EFBIG (more lines than can be held). `id` may be NULL. The fields `name` are not kept. */
int ep_profile_space(struct ep_profile *profile, const struct ep_space *space, uint32_t *id) MUST_USE;
int ep_profile_module(struct ep_profile *profile, const struct ep_module *module, uint32_t *id) MUST_USE;
int ep_profile_function(struct ep_profile *profile, const struct ep_function *function, uint32_t *id) MUST_USE;

/* Tells what stands at a site; to be told for every site of an edge or call. Told again with other facts (a site that
   is reached through EXECUTE, code that changes): the first class and the first opcode stay, targets that differ are
   none. Errors as above; -EINVAL too for a length, class or opcode that cannot be. */
int ep_profile_site(struct ep_profile *profile, const struct ep_site_facts *site) MUST_USE;

/* Adds `row->units` to the line of `list` (EP_EDGES, EP_RUNS, EP_CALLS, EP_GAPS) that has the row's other fields; the
   line is made when it is new. Counts stay at 2**64 - 1, see ep_profile_saturated(). Errors as above. A run's to_space
   is its from_space. */
int ep_profile_add(struct ep_profile *profile, enum ep_list_name list, const struct ep_row *row) MUST_USE;

/* Adds to the counter `name`, "drop.", "warn." or "info." and small letters, digits, '_' and '-'. -EINVAL: no such
 * name. */
int ep_profile_count(struct ep_profile *profile, const char *name, uint64_t value) MUST_USE;

/* A function by the symbols of its module, at the addresses of the run. `end` is exclusive. */
struct ep_symbol {
    uint64_t start, end;
    uint32_t space; /* number of a settled profile */
    const char *name;
};

/* Adds of `symbols`, in any order, those within modules that hold an address of an edge, run or call; and for addresses
   within modules that none of them holds functions "sub_" and the address, split where calls went to. Settles the
   profile: amid collecting, do it to a copy. -ENOMEM, -EFBIG. */
int ep_profile_name_functions(struct ep_profile *profile, const struct ep_symbol *symbols, size_t count) MUST_USE;
/* Takes the functions of those modules (`module[i]` true; i below `count`) out of a settled profile, to be named again.
 */
void ep_profile_forget_functions(struct ep_profile *profile, const bool *module, uint32_t count);

/* ---- what readers call ----------------------------------------------------------------------------------------- */

/* Brings everything into the order of the file, numbers spaces, modules and functions anew, makes branch-units and
   run-units. Lists are in order only behind it, and until something is added. -ENOMEM. */
int ep_profile_settle(struct ep_profile *profile) MUST_USE;
/* The items of a list and how many there are; they hold until the profile is changed. */
const void *ep_profile_list(const struct ep_profile *profile, enum ep_list_name list, uint32_t *count);
/* NULL: there is none. Encoded as in the file. */
const char *ep_profile_header(const struct ep_profile *profile, enum ep_header header);
/* 0 when there is none or it is mixed. */
uint64_t ep_profile_number(const struct ep_profile *profile, enum ep_header header);
/* The number of the module at an address of a settled profile; UINT32_MAX: none. */
uint32_t ep_profile_module_at(const struct ep_profile *profile, uint32_t space, uint64_t address);
bool ep_profile_is(const struct ep_profile *profile, enum ep_header header, const char *value);
uint64_t ep_profile_counter(const struct ep_profile *profile, const char *name);
const char *ep_header_key(enum ep_header header);
/* Its value is a number, or EP_MIXED. */
bool ep_header_is_number(enum ep_header header);
/* A count has reached 2**64 - 1 and is not right any more. */
bool ep_profile_saturated(const struct ep_profile *profile);

const char *ep_space_word(enum ep_space_kind kind);
const char *ep_gap_word(enum ep_gap_reason reason);
const char *ep_class_word(enum ep_site_class class);
uint64_t ep_saturated_sum(uint64_t a, uint64_t b);

/* ---- the file -------------------------------------------------------------------------------------------------- */

/* Bytes of a file in order: how many came into `bytes`, 0 at the end, or a negative errno. */
struct ep_input {
    void *context;
    long (*read)(void *context, void *bytes, size_t size);
};
/* Takes bytes; 0 or a negative errno, which ends the writing. */
struct ep_sink {
    void *context;
    int (*put)(void *context, const void *bytes, size_t size);
};

/* A profile from its file, settled, in *profile. -EINVAL: it is none, with the line and what is wrong in `error`;
   -ENOMEM; what the input returned. */
int ep_profile_read(const struct ep_input *input, struct ep_profile **profile, char *error, size_t size) MUST_USE;

/* Writes a profile, which stays as it is (it may be amid collecting). -EINVAL: a required header or a site is not there
   (`error` says which); -ENOMEM; what the sink returned. */
int ep_profile_write(const struct ep_profile *profile, const struct ep_sink *sink, char *error, size_t size) MUST_USE;

/* ---- several --------------------------------------------------------------------------------------------------- */

struct ep_join_options {
    bool forced;  /* merge what differs in mode, event, CBT size or normalisation */
    bool compare; /* ends are looked at side by side: nothing is refused but different modules at the same addresses */
};

/* The profiles' sum, whatever their order and grouping, in *result, settled. -EPERM: they may not be merged, the reason
   is in `error`, where a profile is named by names[i]; -ENOMEM. */
int ep_profile_merge(const struct ep_profile *const *profiles, const char *const *names, size_t count,
                     const struct ep_join_options *options, struct ep_profile **result, char *error,
                     size_t size) MUST_USE;

/* Spaces that no line is of go; those of one kind and name, which are processes of one program, become one, as in a
   merge. Where that cannot be (different modules at the same addresses) they stay. Settled. -ENOMEM: the profile is as
   it was. */
int ep_profile_unite(struct ep_profile **profile) MUST_USE;

/* The two profiles with the same numbers of spaces and modules, the same biases and the same unit, so that lines can be
   compared; settled. Errors as ep_profile_merge(). */
int ep_profile_align(const struct ep_profile *const profiles[2], const char *const names[2],
                     struct ep_profile *aligned[2], char *error, size_t size) MUST_USE;

#endif
