/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-prof build: the profile of a sample log, or of a log of run-time instrumentation. */
#include "emu/exit.h"
#include "emu/zri_prof.h"
#include "ri/profile/groups.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MAGIC 8u
static const char ri_magic[] = "zriRIlog";

/* An input whose first bytes were looked at. */
struct looked_at {
    struct ep_input input;
    uint8_t bytes[MAGIC];
    size_t size, at;
};

static long read_again(void *context, void *bytes, size_t size)
{
    struct looked_at *l = context;
    if (l->at == l->size)
        return l->input.read(l->input.context, bytes, size);
    const size_t n = l->size - l->at < size ? l->size - l->at : size;
    memcpy(bytes, l->bytes + l->at, n);
    l->at += n;
    return (long)n;
}

static int look_at(struct looked_at *l)
{
    while (l->size < MAGIC) {
        const long n = l->input.read(l->input.context, l->bytes + l->size, MAGIC - l->size);
        if (n <= 0)
            return (int)n;
        l->size += (size_t)n;
    }
    return 0;
}

struct build {
    struct symbols *symbols;
    struct ep_profile *profile;
};

/* A log of run-time instrumentation names no modules: those of --symbols are in each space. */
static int modules_of_space(void *context, uint32_t number, uint32_t id, const struct ep_space *space)
{
    const struct build *b = context;
    (void)space;
    return symbols_everywhere(b->symbols, number, b->profile, id);
}

static int build_groups(const struct zri_prof_run *run, const struct ep_input *input, struct build *b,
                        struct ep_built *built, char *error, size_t size)
{
    const struct ep_images images = symbols_images(b->symbols);
    const char *name = run->symbol_files ? run->symbols[0] : run->files[0], *slash = strrchr(name, '/');
    const struct ep_groups_options options = {
        .weigh = EP_NORM_RUN, .program = slash ? slash + 1 : name, .space = modules_of_space, .context = b};
    return ep_groups_build(input, &images, &options, b->profile, built, error, size);
}

static int build_samples(const struct ep_input *input, const struct build *b, struct ep_built *built, char *error,
                         size_t size)
{
    const struct ep_images images = symbols_images(b->symbols);
    struct ep_log_header header;
    const int bad = ep_log_read_header(input, &header, error, size);
    return bad ? bad : ep_build(input, &header, &images, b->profile, built, error, size);
}

/* The profile of a log. *built: what came of its samples. */
static int read_log(const struct zri_prof_run *run, struct build *b, struct ep_built *built)
{
    const char *name = run->files[0];
    struct looked_at looked = {.size = 0};
    const struct ep_input input = {&looked, read_again};
    char error[800] = "";
    int file, status = zri_prof_open(name, &file, &looked.input);
    if (status)
        return status;
    int bad = look_at(&looked);
    if (!bad)
        bad = looked.size == MAGIC && !memcmp(looked.bytes, ri_magic, MAGIC)
                  ? build_groups(run, &input, b, built, error, sizeof error)
                  : build_samples(&input, b, built, error, sizeof error);
    zri_prof_close(name, file);
    if (bad == -EINVAL || bad == -EPERM)
        return zri_prof_fail(EMU_EXIT_BAD, name, "%s", error);
    if (bad)
        return zri_prof_fail(EMU_EXIT_HOST, name, "%s%s", bad == -ENOMEM ? zri_prof_no_memory : strerror(-bad),
                             bad == -ENOMEM ? "" : "; check that it is a file that can be read");
    return 0;
}

/* Gives the profile functions, says what has to be known of it, and writes it. */
static int finish(const struct zri_prof_run *run, struct build *b, const struct ep_built *built)
{
    const char *name = run->files[0];
    if (ep_profile_unite(&b->profile))
        return zri_prof_fail(EMU_EXIT_HOST, "build", "%s", zri_prof_no_memory);
    int status = zri_prof_bind(b->symbols, name, b->profile);
    if (status)
        return status;
    if (built->truncated)
        zri_prof_caution((char *)(uintptr_t)name,
                         "the log has no end: what is complete in it was used, and the number of events is that of the "
                         "last sample");
    ep_cautions(b->profile, zri_prof_caution, (char *)(uintptr_t)run->output);
    status = zri_prof_save(b->profile, run->output);
    if (!status && (unsigned __int128)built->wrong_image * 100 > built->triggered)
        status = zri_prof_fail(EMU_EXIT_BAD, name,
                               "image does not match the log: the code of %" PRIu64 " of %" PRIu64
                               " samples is not what ran; give the files as they were (--symbols)",
                               built->wrong_image, built->triggered);
    return status;
}

int zri_prof_build(const struct zri_prof_run *run)
{
    struct build b = {NULL, NULL};
    struct ep_built built = {.truncated = false};
    if (!run->output)
        return zri_prof_fail(EMU_EXIT_USAGE, "build",
                             "name the file for the profile: -o PROFILE; zri-prof --help tells more");
    int status = zri_prof_symbols(run, &b.symbols);
    if (!status && !b.symbols)
        b.symbols = symbols_new();
    b.profile = ep_profile_new();
    if (!status && (!b.profile || !b.symbols))
        status = zri_prof_fail(EMU_EXIT_HOST, "build", "%s", zri_prof_no_memory);
    status = status ? status : read_log(run, &b, &built);
    status = status ? status : finish(run, &b, &built);
    ep_profile_free(b.profile);
    symbols_free(b.symbols);
    return status;
}
