/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with little storage, for unit tests. */
#ifndef SMALL_MACHINE_H
#define SMALL_MACHINE_H

#include "emu/machine/run.h"

/* A machine with 4 MiB, otherwise as `config` has it. host: may be NULL. */
static inline struct machine *small_machine(struct machine_config config, const struct machine_host *host)
{
    char error[256];
    config.storage = UINT64_C(4) << 20;
    struct machine *m = machine_create(&config, host, error, sizeof error);
    if (!m)
        fail_msg("%s", error);
    return m;
}

#endif
