/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the outputs of this folder share: a profile with its branches by function; JSON. */
#ifndef ZRI_RI_PROFILE_SHOW_INTERNAL_H
#define ZRI_RI_PROFILE_SHOW_INTERNAL_H

#include "ri/profile/show/output.h"

/* ---- a profile as it is looked at ------------------------------------------------------------------------------ */

/* An edge, or a call of a call-graph profile. */
struct ep_view_branch {
    const struct ep_row *row;
    const struct ep_site_facts *site;
    uint64_t site_units;                 /* of all branches from this site */
    uint32_t from_function, to_function; /* the view's `functions` when unknown */
    bool call;                           /* a call of a function: of class call, and not to a place within the caller */
    bool tail;                           /* possibly one: another class, to another function's entry */
};

struct ep_span;

struct ep_view {
    const struct ep_profile *profile;
    const struct ep_module *module;
    const struct ep_function *function;
    const struct ep_site_facts *site;
    uint32_t modules, functions, sites, branches;
    struct ep_view_branch *branch; /* in the order of the file, edges before calls */
    uint64_t *units, *calls; /* of functions, and of sites in none behind the last: branches in it, calls into it */
    uint64_t total, unit;
    struct ep_span *span; /* functions by address */
};

int ep_view_make(struct ep_view *view, const struct ep_profile *profile) MUST_USE;
void ep_view_free(struct ep_view *view);
/* The innermost function at an address; view->functions: none. */
uint32_t ep_view_function(const struct ep_view *view, uint32_t space, uint64_t address);
/* Units as a count, rounded, halves up. */
uint64_t ep_rounded(uint64_t units, uint64_t unit);
/* A function's name as in the file, "[unknown]" for the one behind the last. */
const char *ep_view_name(const struct ep_view *view, uint32_t function);

/* Numbers 0 to count - 1, those with the largest values first, equal ones by number; to be freed. NULL: no memory. */
uint32_t *ep_by_size(const uint64_t *values, uint32_t count);

struct ep_json;
/* What comes into blocks and does not go out of them: a table, or a member of an object; nothing without code. -ENOENT
   and -ENOMEM as of a report. */
int ep_residuals_text(const struct ep_view *view, const struct ep_show *show) MUST_USE;
int ep_residuals_json(const struct ep_view *view, struct ep_json *list, const struct ep_show *show) MUST_USE;

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

/* Members of an object or array. */
struct ep_json {
    const struct ep_writer *writer;
    bool more;
};
void ep_json_key(struct ep_json *list, const char *name);
void ep_json_number(struct ep_json *list, const char *name, uint64_t value);
void ep_json_address(struct ep_json *list, const char *name, uint64_t value);
void ep_json_truth(struct ep_json *list, const char *name, bool value);
/* A name in the form of files, as the characters that it stands for; NULL or "-": null. */
void ep_json_name(struct ep_json *list, const char *name, const char *value);
void ep_json_text(struct ep_json *list, const char *name, const char *value);
/* n / of; null when `of` is 0. */
void ep_json_share(struct ep_json *list, const char *name, uint64_t n, uint64_t of);
/* A member that is an object or array, or an element of an array (`name` NULL); ended by ep_json_end(). */
struct ep_json ep_json_begin(struct ep_json *list, const char *name, const char *bracket);
void ep_json_end(const struct ep_json *list, const char *bracket);
/* The H lines as an object. */
void ep_json_headers(struct ep_json *list, const char *name, const struct ep_profile *profile);

#endif
