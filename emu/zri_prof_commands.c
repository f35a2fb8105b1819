/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-prof build, merge, report, diff. */
#include "emu/exit.h"
#include "emu/zri_prof.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- build ------------------------------------------------------------------------------------------------------ */

/* The profile of a log. *built: what came of its samples. */
static int read_log(const char *name, struct symbols *symbols, struct ep_profile *profile, struct ep_built *built)
{
    const struct ep_images images = symbols_images(symbols);
    struct ep_log_header header;
    struct ep_input input;
    char error[800] = "";
    int file, status = zri_prof_open(name, &file, &input);
    if (status)
        return status;
    int bad = ep_log_read_header(&input, &header, error, sizeof error);
    bad = bad ? bad : ep_build(&input, &header, &images, profile, built, error, sizeof error);
    zri_prof_close(name, file);
    if (bad == -EINVAL)
        return zri_prof_fail(EMU_EXIT_BAD, name, "%s", error);
    if (bad)
        return zri_prof_fail(EMU_EXIT_HOST, name, "%s", bad == -ENOMEM ? zri_prof_no_memory : strerror(-bad));
    return 0;
}

int zri_prof_build(const struct zri_prof_run *run)
{
    const char *name = run->files[0];
    struct ep_profile *profile = ep_profile_new();
    struct symbols *symbols = NULL;
    struct ep_built built = {.truncated = false};
    int status = 0;
    if (!run->output)
        status = zri_prof_fail(EMU_EXIT_USAGE, "build",
                               "name the file for the profile: -o PROFILE; zri-prof --help tells more");
    status = status ? status : zri_prof_symbols(run, &symbols);
    if (!status && (!profile || !(symbols = symbols ? symbols : symbols_new())))
        status = zri_prof_fail(EMU_EXIT_HOST, "build", "%s", zri_prof_no_memory);
    status = status ? status : read_log(name, symbols, profile, &built);
    if (!status && ep_profile_settle(profile))
        status = zri_prof_fail(EMU_EXIT_HOST, "build", "%s", zri_prof_no_memory);
    status = status ? status : zri_prof_bind(symbols, name, profile);
    if (!status && built.truncated)
        zri_prof_caution((char *)(uintptr_t)name,
                         "the log has no end: what is complete in it was used, and the number of "
                         "events is that of the last sample");
    if (!status)
        ep_cautions(profile, zri_prof_caution, (char *)(uintptr_t)run->output);
    status = status ? status : zri_prof_save(profile, run->output);
    if (!status && (unsigned __int128)built.wrong_image * 100 > built.triggered)
        status = zri_prof_fail(EMU_EXIT_BAD, name,
                               "image does not match the log: the code of %" PRIu64 " of %" PRIu64
                               " samples is not what ran; give the files as they were (--symbols)",
                               built.wrong_image, built.triggered);
    ep_profile_free(profile);
    symbols_free(symbols);
    return status;
}

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
