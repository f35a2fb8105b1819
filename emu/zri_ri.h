/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the program zri-ri. */
#ifndef ZRI_EMU_ZRI_RI_H
#define ZRI_EMU_ZRI_RI_H

#include <getopt.h>
#include <stdbool.h>

/* The completion of these options for "bash" or "zsh", on standard output. False: no such shell. */
bool zri_ri_complete(const char *shell, const struct option *options);

#endif
