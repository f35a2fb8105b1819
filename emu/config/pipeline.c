/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of the pipeline model by name or file. */
#include "emu/config/pipeline.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT 65536u

int emu_pipeline_find(const char *name, struct ec_profile *profile, char *error, size_t size)
{
    if (!ec_profile_built_in(name, profile))
        return 0;
    if (!strchr(name, '/') && !strchr(name, '.')) {
        snprintf(error, size,
                 "there is no profile '%.60s' of the pipeline model; teach and zlarge are built in, a file is named "
                 "with a / or a dot",
                 name);
        return -EINVAL;
    }
    FILE *file = fopen(name, "rb");
    if (!file) {
        const int code = errno;
        snprintf(error, size, "cannot open the profile '%.100s': %s", name, strerror(code));
        return -code;
    }
    char *text = malloc(FILE_LIMIT);
    const size_t n = text ? fread(text, 1, FILE_LIMIT, file) : 0;
    int code = !text ? -ENOMEM : n == FILE_LIMIT ? -EFBIG : ferror(file) ? -EIO : 0;
    fclose(file);
    if (code)
        snprintf(error, size, "cannot read the profile '%.100s': %s", name, strerror(-code));
    else
        code = ec_profile_read(name, text, n, profile, error, size);
    free(text);
    return code;
}
