/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch stacks of a sample log in the form of perf script: modules as mappings of a process for each address-space-
   control element, then a line for each sample, the newest branch first. */
#include "base/message.h"
#include "ri/profile/build.h"
#include "ri/profile/show/output.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct brstack {
    const struct ep_writer *writer;
    const struct ep_images *images;
    bool full;
    uint64_t *token; /* of spaces; and of processes, in the order of their numbers */
    uint64_t *process;
    uint32_t spaces, processes;
    char *error;
    size_t size;
};

static int space(void *context, uint32_t number, const struct ep_space *told)
{
    struct brstack *b = context;
    uint32_t p = 0;
    if (number != b->spaces)
        return fail_with(-EINVAL, b->error, b->size,
                         "the log tells space %" PRIu32 " when %" PRIu32 " would be next: it is damaged", number,
                         b->spaces);
    uint64_t *token = realloc(b->token, (b->spaces + 1u) * sizeof *token);
    b->token = token ? token : b->token;
    uint64_t *process = realloc(b->process, (b->processes + 1u) * sizeof *process);
    b->process = process ? process : b->process;
    if (!token || !process)
        return -ENOMEM;
    token[b->spaces++] = told->token;
    while (p < b->processes && process[p] != told->token)
        p++;
    if (p == b->processes)
        process[b->processes++] = told->token;
    return 0;
}

static int module(void *context, const struct ep_log_module *m)
{
    struct brstack *b = context;
    uint64_t offset = 0;
    uint32_t p = 0;
    const bool file = b->images && b->images->file && b->images->file(b->images->context, m, &offset);
    if (m->module.space >= b->spaces)
        return fail_with(-EINVAL, b->error, b->size,
                         "a module of the log is in space %" PRIu32 ", which was not told of", m->module.space);
    if (b->full && !file)
        return fail_with(-ENOENT, b->error, b->size,
                         "this needs the code of module %.200s; name its file (--symbols FILE), as it was when it ran",
                         m->module.name);
    while (b->process[p] != b->token[m->module.space])
        p++;
    ep_print(b->writer,
             "PERF_RECORD_MMAP2 %" PRIu32 "/%" PRIu32 ": [0x%" PRIx64 "(0x%" PRIx64 ") @ %s%" PRIx64
             " 08:01 1 0]: r-xp ",
             p + 1, p + 1, m->module.start, m->module.end - m->module.start, offset ? "0x" : "", offset);
    ep_put_plain(b->writer, m->module.name && *m->module.name ? m->module.name : "-", " ");
    ep_put(b->writer, "\n");
    return 0;
}

static void entry(const struct brstack *b, uint64_t from, uint64_t to, bool taken)
{
    ep_print(b->writer, " 0x%" PRIx64 "/0x%" PRIx64 "/%s/-/-/0", from, to, taken ? "-" : "PN");
}

/* The taken branches that were recorded. */
static int recorded(void *context, const struct ep_sample *s)
{
    const struct brstack *b = context;
    bool any = false;
    for (unsigned i = s->count; i--;) {
        const struct ep_entry *e = &s->entry[i];
        if (!ep_taken(e))
            continue;
        if (!any)
            ep_print(b->writer, " %" PRIx64, s->trigger.at.address);
        any = true;
        entry(b, e->from.address, e->to.address, true);
    }
    if (any)
        ep_put(b->writer, "\n");
    return 0;
}

/* All branches of what is kept of a sample. */
static int walked(void *context, const struct ep_sample *s, const struct ep_path *path)
{
    const struct brstack *b = context;
    if (!path || !path->branches)
        return 0;
    ep_print(b->writer, " %" PRIx64, s->trigger.at.address);
    for (unsigned i = path->count; i--;)
        if (!path->step[i].gap)
            entry(b, path->step[i].from.address, path->step[i].to.address, path->step[i].taken);
    ep_put(b->writer, "\n");
    return 0;
}

/* The walk is that of building a profile, which is thrown away. */
static int follow(struct brstack *b, const struct ep_input *input, const struct ep_log_header *header)
{
    const struct ep_follower follower = {b, space, module, walked};
    struct ep_profile *profile = ep_profile_new();
    struct ep_built built;
    const int bad =
        profile ? ep_build_followed(input, header, b->images, &follower, profile, &built, b->error, b->size) : -ENOMEM;
    ep_profile_free(profile);
    return bad;
}

static int tell_module(void *context, const struct ep_log_module *m)
{
    const struct brstack *b = context;
    const int bad = b->images && b->images->module ? b->images->module(b->images->context, m) : 0;
    return bad ? bad : module(context, m);
}

int ep_export_brstack(const struct ep_input *input, const struct ep_log_header *header, const struct ep_images *images,
                      bool full, const struct ep_writer *writer, char *error, size_t size)
{
    struct brstack b = {.writer = writer, .images = images, .full = full, .error = error, .size = size};
    const struct ep_log_listener listener = {.context = &b, .space = space, .module = tell_module, .sample = recorded};
    struct ep_log_end end;
    int bad = full ? follow(&b, input, header) : ep_log_read(input, header, &listener, &end, error, size);
    if (bad == -ENOMEM)
        bad = fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
    free(b.token);
    free(b.process);
    return bad;
}
