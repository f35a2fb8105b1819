/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the build makes out of ipl/guest/ (see ipl/guest/embed.sh). */
#ifndef ZRI_IPL_BUILTIN_DATA_H
#define ZRI_IPL_BUILTIN_DATA_H

#include "ipl/builtin.h"

extern const struct ipl_builtin ipl_builtin_data[];
extern const unsigned ipl_builtin_count;

#endif
