/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline models of a machine's CPUs. */
#include "emu/machine/pipeline.h"
#include "cpu/control/model.h"
#include <errno.h>
#include <stdio.h>

static int set_all(struct machine *m, const struct ec_profile *profile)
{
    int code = 0;
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (m->sys.cpus[i] && cpu_model_set(m->sys.cpus[i], profile))
            code = -ENOMEM;
    return code;
}

int machine_pipeline(struct machine *m, const struct ec_profile *profile, char *error, size_t size)
{
    const struct ec_profile wanted = profile ? *profile : (struct ec_profile){.machine = 0};
    int code = 0;
    m->config.pipelined = false;
    if (wanted.machine && wanted.machine != m->sys.profile.machine_type) {
        snprintf(error, size,
                 "pipeline profile %s: it is for machine type %04X, and this machine is a %04X; leave "
                 "`machine' out of it, or choose another --profile",
                 wanted.name, wanted.machine, m->sys.profile.machine_type);
        code = -EINVAL;
    } else if (profile && set_all(m, &wanted)) {
        snprintf(error, size, "the host has no memory for the pipeline model of every CPU; take fewer CPUs");
        code = -ENOMEM;
    }
    if (code || !profile)
        return set_all(m, NULL) ? -ENOMEM : code; /* off: cannot fail */
    m->config.pipelined = true;
    m->config.pipeline = wanted;
    return 0;
}
