/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of edge profiles: reports, comparisons, forms for other programs. All take profiles as they were read
   or merged (or settled, with a site for each edge and call; -EINVAL when there is none at all) and a writer; whether
   the bytes were written is the writer's to know. Functions that return int give 0 or a negative errno. */
#ifndef ZRI_RI_PROFILE_SHOW_OUTPUT_H
#define ZRI_RI_PROFILE_SHOW_OUTPUT_H

#include "ri/profile/file/profile.h"
#include "ri/profile/show/source.h"

struct ep_images;
struct ep_log_header;

struct ep_writer {
    void *context;
    void (*put)(void *context, const void *bytes, size_t size);
};
void ep_put(const struct ep_writer *writer, const char *text);
void ep_print(const struct ep_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A text that is not in the form of files, such as a file's name: what is no printable character, or is one of `not`,
   becomes %xx. */
void ep_put_plain(const struct ep_writer *writer, const char *text, const char * not );

/* Lines of a table for people. */
struct ep_show {
    const struct ep_writer *writer;
    uint64_t top; /* so many lines of each table at most; JSON has all */
    /* Code of all modules: then blocks are looked at, too. NULL: it is not known. -ENOENT from a function below: it is
       not what was executed, `error` says where. */
    const struct ep_source *source;
    char *error;
    size_t error_size;
};

/* Calls `say` with a sentence for each reason not to take the profile's figures as they are: it is not uniform, has no
   samples, too many were dropped, counts were too large. */
void ep_cautions(const struct ep_profile *profile, void (*say)(void *context, const char *sentence), void *context);

/* Hot functions, edges, call targets, possible tail calls: tables, or everything as one JSON object. -ENOMEM. */
int ep_report_text(const struct ep_profile *profile, const struct ep_show *show) MUST_USE;
int ep_report_json(const struct ep_profile *profile, const struct ep_show *show) MUST_USE;

/* How near one profile is to another, the reference: [0] and [1] of ep_profile_align(). -ENOMEM. */
int ep_diff_text(struct ep_profile *const aligned[2], const struct ep_show *show) MUST_USE;
int ep_diff_json(struct ep_profile *const aligned[2], const struct ep_show *show) MUST_USE;
int ep_diff_metrics(struct ep_profile *const aligned[2], const struct ep_show *show) MUST_USE;

/* LLVM's unsymbolized profile of one module, by its name; NULL: of the only one that was executed. `source`: knows
   where segments begin that have no code; NULL: nobody does. -ENOENT: there is none or no such one, or NULL and there
   are several (`error` says which); -ENOMEM. */
int ep_export_raw(const struct ep_profile *profile, const struct ep_source *source, const char *module,
                  const struct ep_writer *writer, char *error, size_t size) MUST_USE;
/* For callgrind_annotate and KCachegrind; LLVM's sample profile as text. Both need code: -ENOENT: there is none for an
   address that was executed (`error` says which); -ENOMEM. */
int ep_export_callgrind(const struct ep_profile *profile, const struct ep_source *source,
                        const struct ep_writer *writer, char *error, size_t size) MUST_USE;
int ep_export_llvm(const struct ep_profile *profile, const struct ep_source *source, const struct ep_writer *writer,
                   char *error, size_t size) MUST_USE;
/* lcov's tracefile of an exact profile. -EPERM: it is none; -ENOENT: there are no lines, too; the others as above. */
int ep_export_lcov(const struct ep_profile *profile, const struct ep_source *source, const struct ep_writer *writer,
                   char *error, size_t size) MUST_USE;
/* Branch stacks as perf script prints them, of a sample log whose header was read; `full`: all branches of what is kept
   of each sample, those not taken too, by the code in `images`; else the taken branches that were recorded. -EINVAL:
   the log is damaged; -ENOENT: `full`, and the file of a module is not there; -ENOMEM; what the input returned. */
int ep_export_brstack(const struct ep_input *input, const struct ep_log_header *header, const struct ep_images *images,
                      bool full, const struct ep_writer *writer, char *error, size_t size) MUST_USE;
/* Folded stacks: functions behind their heaviest callers. -ENOMEM. */
int ep_export_folded(const struct ep_profile *profile, const struct ep_writer *writer) MUST_USE;

/* A graph for Graphviz: the control flow of each function of a name, or without one who calls whom. -ENOENT: there is
   no such function, or code is not there or another one (`error` says what); -ENOMEM. */
struct ep_dot {
    const char *function; /* as in files; NULL: calls */
    bool probabilities;
};
int ep_export_dot(const struct ep_profile *profile, const struct ep_source *source, const struct ep_dot *how,
                  const struct ep_writer *writer, char *error, size_t size) MUST_USE;

#endif
