/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The service processor as guests see it: SERVICE CALL. */
#ifndef ZRI_EMU_DEV_SCLP_SERVICE_H
#define ZRI_EMU_DEV_SCLP_SERVICE_H

#include "emu/state/machine.h"

/* Every reset of the machine. */
void sclp_reset(struct sclp *sclp);

/* SERVICE CALL; see struct cpu_callouts. */
int sclp_service_call(void *machine, struct cpu *cpu, uint32_t command, uint64_t sccb, unsigned *cc);

#endif
