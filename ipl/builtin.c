/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in images: bytes made by the build from ipl/guest/ (ipl/builtin_data.c); none where there were no cross
   tools and no prebuilt images. */
#include "ipl/builtin.h"
#include "ipl/builtin_data.h"
#include <stddef.h>
#include <string.h>

const struct ipl_builtin *ipl_builtin_named(const char *name)
{
    for (unsigned i = 0; i < ipl_builtin_count; i++)
        if (!strcmp(ipl_builtin_data[i].name, name))
            return &ipl_builtin_data[i];
    return NULL;
}
