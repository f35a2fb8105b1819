/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-prof export: a form for other programs. */
#include "emu/exit.h"
#include "emu/zri_prof.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int raw(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
               const struct ep_writer *writer, char *error, size_t size)
{
    return ep_export_raw(profile, source, run->module, writer, error, size);
}

static int folded(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
                  const struct ep_writer *writer, char *error, size_t size)
{
    (void)run;
    (void)source;
    const int bad = ep_export_folded(profile, writer);
    if (bad)
        snprintf(error, size, "%s", zri_prof_no_memory);
    return bad;
}

static int callgrind(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
                     const struct ep_writer *writer, char *error, size_t size)
{
    (void)run;
    return ep_export_callgrind(profile, source, writer, error, size);
}

static int llvm(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
                const struct ep_writer *writer, char *error, size_t size)
{
    (void)run;
    return ep_export_llvm(profile, source, writer, error, size);
}

static int dot(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
               const struct ep_writer *writer, char *error, size_t size)
{
    const struct ep_dot how = {run->function, run->probabilities};
    const int bad = ep_export_dot(profile, source, &how, writer, error, size);
    if (bad == -EFBIG)
        snprintf(error, size,
                 "the code that was executed leads to more instructions than can be drawn; profile one program "
                 "alone (--profile-what NAME), or take a function of it (--function)");
    else if (bad && bad != -ENOENT)
        snprintf(error, size, "%s", zri_prof_no_memory);
    return bad;
}

static int lcov(const struct zri_prof_run *run, const struct ep_profile *profile, const struct ep_source *source,
                const struct ep_writer *writer, char *error, size_t size)
{
    (void)run;
    return ep_export_lcov(profile, source, writer, error, size);
}

const struct zri_prof_form zri_prof_forms[] = {
    {"llvm-raw", "LLVM's unsymbolized profile of one module, for llvm-profgen", false, false, raw},
    {"folded", "folded stacks, for flame graphs", false, false, folded},
    {"brstack", "branch stacks as perf script has them", true, false, NULL},
    {"callgrind", "for KCachegrind and callgrind_annotate", false, true, callgrind},
    {"llvm", "LLVM's sample profile, for llvm-profdata and Clang", false, true, llvm},
    {"dot", "graphs for Graphviz: calls, or the control flow of --function", false, true, dot},
    {"lcov", "coverage for genhtml, of an exact profile", false, true, lcov},
};
#define FORMS (sizeof zri_prof_forms / sizeof *zri_prof_forms)

unsigned zri_prof_form_count(void) { return FORMS; }

/* The form of a profile, which was read from the file `name`. */
static int write_form(const struct zri_prof_run *run, const struct zri_prof_form *form, struct ep_profile *profile,
                      struct symbols *symbols)
{
    const char *name = run->files[0];
    char error[1000];
    int status = zri_prof_bind(symbols, name, profile);
    if (status)
        return status;
    const struct ep_source of_symbols = symbols ? symbols_source(symbols) : (struct ep_source){.context = NULL};
    const struct ep_source *source = symbols ? &of_symbols : NULL;
    int bad = form->source ? ep_source_complete(source, profile, error, sizeof error) : 0;
    bad = bad ? bad : form->write(run, profile, source, &zri_prof_output, error, sizeof error);
    return bad ? zri_prof_fail(bad == -ENOENT || bad == -EPERM ? EMU_EXIT_BAD : EMU_EXIT_HOST, name, "%s", error) : 0;
}

/* The form of a sample log. */
static int write_log(const struct zri_prof_run *run, struct symbols *symbols)
{
    const char *name = run->files[0];
    const struct ep_images images = symbols ? symbols_images(symbols) : (struct ep_images){.context = NULL};
    struct ep_log_header header;
    struct ep_input input;
    char error[800] = "";
    int file, status = zri_prof_open(name, &file, &input);
    if (status)
        return status;
    int bad = ep_log_read_header(&input, &header, error, sizeof error);
    bad = bad ? bad
              : ep_export_brstack(&input, &header, symbols ? &images : NULL, run->brstack_full, &zri_prof_output, error,
                                  sizeof error);
    zri_prof_close(name, file);
    if (symbols && (!bad || bad == -ENOENT) && symbols_all_used(symbols, error, sizeof error))
        bad = -ENOENT;
    if (!bad)
        return 0;
    if (bad != -EINVAL && bad != -ENOENT && !*error)
        snprintf(error, sizeof error, "%s; check that it is a file that can be read", strerror(-bad));
    return zri_prof_fail(bad == -EINVAL || bad == -ENOENT ? EMU_EXIT_BAD : EMU_EXIT_HOST, name, "%s", error);
}

int zri_prof_export(const struct zri_prof_run *run)
{
    struct ep_profile *profile = NULL;
    struct symbols *symbols = NULL;
    const struct zri_prof_form *form = zri_prof_forms;
    if (!run->format)
        return zri_prof_fail(EMU_EXIT_USAGE, "export", "name the form: --format NAME; zri-prof --help lists them");
    while (form < zri_prof_forms + FORMS && strcmp(form->name, run->format) != 0)
        form++;
    if (form == zri_prof_forms + FORMS)
        return zri_prof_fail(EMU_EXIT_USAGE, "--format", "there is no form %s; zri-prof --help lists them",
                             run->format);
    if (run->module && strcmp(run->format, "llvm-raw") != 0)
        return zri_prof_fail(EMU_EXIT_USAGE, "--module", "only the form llvm-raw takes it; leave it out");
    if (run->brstack_full && !form->log)
        return zri_prof_fail(EMU_EXIT_USAGE, "--brstack", "only the form brstack takes it; leave it out");
    if ((run->function || run->probabilities) && strcmp(run->format, "dot") != 0)
        return zri_prof_fail(EMU_EXIT_USAGE, run->function ? "--function" : "--prob",
                             "only the form dot takes it; leave it out");
    int status = zri_prof_symbols(run, &symbols);
    if (!status && run->brstack_full && !symbols)
        status = zri_prof_fail(EMU_EXIT_BAD, run->files[0],
                               "--brstack=full needs the code of all modules of the log; name their files (--symbols)");
    if (!status && form->log) {
        status = write_log(run, symbols);
    } else if (!status) {
        status = zri_prof_load(run->files[0], &profile);
        status = status ? status : write_form(run, form, profile, symbols);
    }
    ep_profile_free(profile);
    symbols_free(symbols);
    return status;
}
