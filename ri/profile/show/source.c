/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/show/source.h"
#include "base/message.h"
#include "disasm/dis.h"
#include "ri/profile/walk.h"
#include <errno.h>
#include <inttypes.h>

static int missing(const struct ep_profile *profile, uint32_t module, char *error, size_t size)
{
    uint32_t count;
    const struct ep_module *m = ep_profile_list(profile, EP_MODULES, &count);
    return fail_with(-ENOENT, error, size,
                     "this needs the code of module %.200s; name its file (--symbols FILE), as it was when it ran",
                     m[module].name);
}

int ep_source_complete(const struct ep_source *source, const struct ep_profile *profile, char *error, size_t size)
{
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++) {
        uint32_t count;
        const struct ep_row *row = ep_profile_list(profile, list, &count);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t module = ep_profile_module_at(profile, row[i].from_space, row[i].from);
            if (module != UINT32_MAX && (!source || !source->given(source->context, module)))
                return missing(profile, module, error, size);
        }
    }
    return 0;
}

int ep_source_walk(const struct ep_source *source, uint32_t space, uint64_t first, uint64_t last,
                   int (*each)(void *context, uint64_t address, const uint8_t bytes[6]), void *context, char *error,
                   size_t size)
{
    uint64_t at = first;
    /* an address may wrap, and a damaged profile may name any two: the walk has a limit */
    for (uint64_t steps = 0; steps <= EP_WALK_LIMIT; steps++) {
        uint8_t bytes[6] = {0};
        if (!source->code(source->context, space, at, bytes))
            return fail_with(-ENOENT, error, size,
                             "there is no code at %" PRIx64 " of space %" PRIu32
                             ", which was executed; give the files of all modules (--symbols)",
                             at, space);
        const int status = each(context, at, bytes);
        if (status || at == last)
            return status;
        const uint64_t next = at + dis_length(bytes[0]);
        if (last - at < next - at)
            break;
        at = next;
    }
    return fail_with(-ENOENT, error, size,
                     "the code from %" PRIx64 " of space %" PRIu32 " has no instruction at %" PRIx64
                     ", which was executed; give the files as they were when they ran (--symbols)",
                     first, space, last);
}
