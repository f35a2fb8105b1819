/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs and storage in standby. */
#ifndef ZRI_EMU_DEV_SCLP_CONFIGURATION_H
#define ZRI_EMU_DEV_SCLP_CONFIGURATION_H

#include "emu/state/machine.h"

/* CPUs and storage in standby as the configuration says; after machine state was changed: what can be addressed. */
void sclp_initial_configuration(struct machine *machine);
void sclp_set_storage(struct machine *machine);

#endif
