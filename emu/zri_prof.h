/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the program zri-prof. Functions that return a status give one of exit.h, 0 when all is well, and have told
   what is wrong. */
#ifndef ZRI_EMU_ZRI_PROF_H
#define ZRI_EMU_ZRI_PROF_H

#include "emu/symbols/symbols.h"
#include "ri/profile/show/output.h"
#include <getopt.h>

/* What the command line asks for. */
struct zri_prof_run {
    unsigned command;
    char **files;
    int count;
    const char **symbols; /* of --symbols, `symbol_files` of them */
    int symbol_files;
    const char *output, *format, *module, *function;
    uint64_t top;
    bool json, metrics, force, brstack_full, probabilities;
};

struct zri_prof_command {
    const char *name, *arguments, *help;
    int least, most; /* files */
    int (*act)(const struct zri_prof_run *run);
};
struct zri_prof_form {
    const char *name, *help;
    bool log;    /* of a sample log, not of a profile */
    bool source; /* needs code: --symbols for every module */
    /* Writes a profile's form; returns a negative errno with a sentence in `error`, when it is one. NULL: of a log. */
    int (*write)(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
                 const struct ep_writer *writer, char *error, size_t size);
};
struct zri_prof_option {
    struct option option;
    const char *word, *help;
    unsigned commands; /* a bit for each that takes it; 0: it stands without one */
};
struct zri_prof_tables {
    const struct zri_prof_command *command;
    const struct zri_prof_option *option;
    const struct zri_prof_form *form;
    unsigned commands, options, forms;
};

/* Says on standard error "zri-prof: THING: ..." and returns `status`. */
int zri_prof_fail(int status, const char *thing, const char *format, ...) __attribute__((format(printf, 3, 4)));
extern const char zri_prof_no_memory[];
/* Says a sentence about the file `context`; for ep_cautions(). */
void zri_prof_caution(void *context, const char *sentence);
/* Standard output. */
extern const struct ep_writer zri_prof_output;

/* The profile in a file (- is standard input), to be freed; cautions are said. */
int zri_prof_load(const char *name, struct ep_profile **profile);
/* Writes a profile to a file of its own first, when `name` is one or is new: what was there stays until all is written.
   - is standard output. */
int zri_prof_save(const struct ep_profile *profile, const char *name);
/* A file as input, with its descriptor in *file; closed by zri_prof_close(). */
int zri_prof_open(const char *name, int *file, struct ep_input *input);
void zri_prof_close(const char *name, int file);
/* The files of --symbols; NULL: there are none. */
int zri_prof_symbols(const struct zri_prof_run *run, struct symbols **symbols);
/* Binds them to a profile, and names its functions by them. NULL is nothing. */
int zri_prof_bind(struct symbols *symbols, const char *name, struct ep_profile *profile);

/* The commands. */
int zri_prof_build(const struct zri_prof_run *run);
int zri_prof_merge(const struct zri_prof_run *run);
int zri_prof_report(const struct zri_prof_run *run);
int zri_prof_diff(const struct zri_prof_run *run);
int zri_prof_export(const struct zri_prof_run *run);
/* The forms of export; their number. */
extern const struct zri_prof_form zri_prof_forms[];
unsigned zri_prof_form_count(void);

/* The completion for "bash" or "zsh", on standard output. False: no such shell. */
bool zri_prof_complete(const char *shell, const struct zri_prof_tables *tables);

#endif
