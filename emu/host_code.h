/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the translator made, for those who look for faults and for time: --dump-code, --perf-map, and a report when the
   host faults in it. */
#ifndef ZRI_EMU_HOST_CODE_H
#define ZRI_EMU_HOST_CODE_H

#include "cpu/translate/translate.h"
#include "emu/machine/machine.h"
#include <stdio.h>

struct host_code {
    FILE *dump, *map; /* NULL: none */
    struct translate_listener listener;
    void *stack; /* for the handler of host faults; NULL: none */
};

/* From now on what the CPUs of *machine translate is written to `dump` (NULL: not) and, with `map`, to the file that
   perf looks for, /tmp/perf-PID.map; a fault of the host in translated code is told on standard error before the
   program ends by it (also when another machine has taken the place of that one). 0, or -EINVAL with a sentence. The
   structure must outlive the machine. */
int host_code_begin(struct host_code *h, struct machine **machine, const char *dump, bool map, char *error,
                    size_t size) MUST_USE;
/* Files are complete; -EIO with a sentence when one is not. */
int host_code_end(struct host_code *h, char *error, size_t size) MUST_USE;

#endif
