/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-prof merge, report, diff. */
#include "emu/exit.h"
#include "emu/zri_prof.h"
#include <errno.h>
#include <stdlib.h>

/* ---- merge ------------------------------------------------------------------------------------------------------ */

/* The sum of `profiles`, as they were read from the files. */
static int add_up(const struct zri_prof_run *run, struct ep_profile **profiles, struct symbols *symbols)
{
    const struct ep_join_options join = {.forced = run->force};
    struct ep_profile *sum = NULL;
    char error[1600];
    const int failed = ep_profile_merge((const struct ep_profile *const *)profiles, (const char *const *)run->files,
                                        (size_t)run->count, &join, &sum, error, sizeof error);
    if (failed)
        return zri_prof_fail(failed == -EPERM ? EMU_EXIT_BAD : EMU_EXIT_HOST, "merge", "%s", error);
    int status = zri_prof_bind(symbols, "merge", sum);
    status = status ? status : zri_prof_save(sum, run->output);
    if (!status && ep_profile_saturated(sum))
        zri_prof_caution((char *)(uintptr_t)run->output,
                         "a count has reached 2**64 - 1 and is too small from there on");
    ep_profile_free(sum);
    return status;
}

int zri_prof_merge(const struct zri_prof_run *run)
{
    struct ep_profile **profiles;
    struct symbols *symbols = NULL;
    if (!run->output)
        return zri_prof_fail(EMU_EXIT_USAGE, "merge",
                             "name the file for the sum: -o PROFILE; zri-prof --help tells more");
    profiles = calloc((size_t)run->count, sizeof *profiles);
    if (!profiles)
        return zri_prof_fail(EMU_EXIT_HOST, "merge", "%s", zri_prof_no_memory);
    int status = zri_prof_symbols(run, &symbols);
    for (int i = 0; !status && i < run->count; i++)
        status = zri_prof_load(run->files[i], &profiles[i]);
    status = status ? status : add_up(run, profiles, symbols);
    for (int i = 0; i < run->count; i++)
        ep_profile_free(profiles[i]);
    free(profiles);
    symbols_free(symbols);
    return status;
}

/* ---- what is shown --------------------------------------------------------------------------------------------- */

/* What came of showing the file `name` or what a command had to. */
static int shown(int bad, const char *name, const char *error)
{
    if (!bad)
        return 0;
    return bad == -ENOENT ? zri_prof_fail(EMU_EXIT_BAD, name, "%s", error)
                          : zri_prof_fail(EMU_EXIT_HOST, name, "%s", zri_prof_no_memory);
}

int zri_prof_report(const struct zri_prof_run *run)
{
    char error[800] = "";
    struct ep_show show = {.writer = &zri_prof_output, .top = run->top, .error = error, .error_size = sizeof error};
    struct ep_profile *profile = NULL;
    struct symbols *symbols = NULL;
    struct ep_source source;
    int status = zri_prof_symbols(run, &symbols);
    status = status ? status : zri_prof_load(run->files[0], &profile);
    status = status ? status : zri_prof_bind(symbols, run->files[0], profile);
    if (symbols) {
        source = symbols_source(symbols);
        show.source = &source;
    }
    if (!status)
        status =
            shown(run->json ? ep_report_json(profile, &show) : ep_report_text(profile, &show), run->files[0], error);
    ep_profile_free(profile);
    symbols_free(symbols);
    return status;
}

/* Two profiles that were read, side by side. */
static int compare(const struct zri_prof_run *run, struct ep_profile *const profiles[2], struct symbols *symbols)
{
    char error[1600] = "";
    struct ep_show show = {.writer = &zri_prof_output, .top = run->top, .error = error, .error_size = sizeof error};
    struct ep_profile *aligned[2] = {NULL, NULL};
    struct ep_source source;
    int status = 0;
    const int failed = ep_profile_align((const struct ep_profile *const *)profiles, (const char *const *)run->files,
                                        aligned, error, sizeof error);
    if (failed)
        return zri_prof_fail(failed == -EPERM ? EMU_EXIT_BAD : EMU_EXIT_HOST, "diff", "%s", error);
    for (unsigned i = 0; i < 2 && !status; i++)
        status = zri_prof_bind(symbols, run->files[i], aligned[i]);
    if (symbols) {
        source = symbols_source(symbols);
        show.source = &source;
    }
    if (!status)
        status = shown(run->json      ? ep_diff_json(aligned, &show)
                       : run->metrics ? ep_diff_metrics(aligned, &show)
                                      : ep_diff_text(aligned, &show),
                       "diff", error);
    ep_profile_free(aligned[0]);
    ep_profile_free(aligned[1]);
    return status;
}

int zri_prof_diff(const struct zri_prof_run *run)
{
    struct ep_profile *profiles[2] = {NULL, NULL};
    struct symbols *symbols = NULL;
    if (run->json && run->metrics)
        return zri_prof_fail(EMU_EXIT_USAGE, "options", "--json and --metrics: one form at a time");
    int status = zri_prof_symbols(run, &symbols);
    for (unsigned i = 0; i < 2 && !status; i++)
        status = zri_prof_load(run->files[i], &profiles[i]);
    status = status ? status : compare(run, profiles, symbols);
    ep_profile_free(profiles[0]);
    ep_profile_free(profiles[1]);
    symbols_free(symbols);
    return status;
}
