/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the service processor share. */
#ifndef ZRI_EMU_DEV_SCLP_INTERNAL_H
#define ZRI_EMU_DEV_SCLP_INTERNAL_H

#include "emu/dev/sclp/service.h"

#define RESPONSE_BOUNDARY         0x0100
#define RESPONSE_READ_COMPLETE    0x0010
#define RESPONSE_COMPLETE         0x0020
#define RESPONSE_ALREADY          0x0120
#define RESPONSE_INVALID_COMMAND  0x01f0
#define RESPONSE_TOO_SHORT        0x0300
#define RESPONSE_ELEMENT_STANDBY  0x0410
#define RESPONSE_NO_ELEMENT       0x0310
#define RESPONSE_INVALID_RESOURCE 0x09f0
#define RESPONSE_INVALID_FUNCTION 0x40f0
#define RESPONSE_NO_EVENT         0x60f0
#define RESPONSE_SELECTION        0x70f0
#define RESPONSE_LENGTHS          0x72f0
#define RESPONSE_SYNTAX           0x73f0
#define RESPONSE_MASK_LENGTH      0x74f0
#define RESPONSE_EXCEEDS          0x75f0

#define SCCB_HEADER 8u

/* Each carries out a command on the SCCB of `length` bytes, at least its header, and returns the response code. `id` is
   the byte of the command word that names a CPU or a storage element. */
uint16_t sclp_write_event_mask(struct machine *m, uint8_t *sccb, unsigned length);
uint16_t sclp_write_event_data(struct machine *m, uint8_t *sccb, unsigned length);
uint16_t sclp_read_event_data(struct machine *m, uint8_t *sccb, unsigned length);
uint16_t sclp_configure_cpu(struct machine *m, unsigned id, bool configured);
uint16_t sclp_read_storage(struct machine *m, uint8_t *sccb, unsigned length, unsigned id);
uint16_t sclp_attach_storage(struct machine *m, uint8_t *sccb, unsigned length, unsigned id);
uint16_t sclp_assign_storage(struct machine *m, const uint8_t *sccb, unsigned length, bool assigned);

/* Increments of storage: size in MiB, how many there are, and whether one is assigned (numbers from 1). */
uint64_t sclp_increment_mib(const struct machine *m);
uint64_t sclp_increments(const struct machine *m);

/* True when an event waits that the guest listens to. */
bool sclp_event_waits(const struct machine *m);

#endif
