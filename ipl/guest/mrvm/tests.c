/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vm.h"
u32 tests_run(const char *which)
{
    (void)which;
    return 1;
}
