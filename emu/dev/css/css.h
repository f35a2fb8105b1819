/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel subsystem: subchannels, their instructions, interruptions, channel reports, and the operator's side of
   devices. PoP chapters 13 to 17. */
#ifndef ZRI_EMU_DEV_CSS_CSS_H
#define ZRI_EMU_DEV_CSS_CSS_H

#include "cpu/state/system.h"
#include "emu/dev/css/channel.h"

#define CSS_SETS 4

struct css;

/* A channel subsystem without devices, to which devices of `types` (ended by NULL) can be attached; NULL: no host
   memory. */
struct css *css_create(struct machine *machine, const struct channel_type *const *types) MUST_USE;
void css_destroy(struct css *css);
/* Subsystem reset: every subchannel is disabled and idle, only set 0 is enabled, nothing is pending. Devices stay. */
void css_reset(struct css *css);

/* ---- operator -------------------------------------------------------------------------------------------------- */

/* "[SET:]DEVNO" in hexadecimal. False: it is none. */
bool css_parse_number(const char *text, unsigned *set, uint16_t *number);
/* Devices in order of set and subchannel: the n-th, NULL behind the last. */
struct channel_device *css_device(const struct css *css, unsigned n);
struct channel_device *css_find_number(const struct css *css, unsigned set, uint16_t number);
/* A line typed on standard input, for the first device that listens. False: none does. With text NULL only asks. */
bool css_line(struct css *css, const char *text);
/* What the devices want looked at on the host: false if none does; then up to `room` descriptors, how many; then what
   was seen of them. See struct channel_type. */
bool css_polls(const struct css *css);
unsigned css_poll(struct css *css, struct pollfd *fds, unsigned room, uint32_t *timeout_ms);
void css_polled(struct css *css, const struct pollfd *fds);
/* The files of disks are as if they were closed, so that another machine can open them; going on is possible. */
void css_settle(const struct css *css);
/* ---- machine --------------------------------------------------------------------------------------------------- */

/* Callouts, see struct cpu_callouts. */
bool css_io_pending(void *machine, struct cpu *cpu);
bool css_io_take(void *machine, struct cpu *cpu, uint32_t words[3]);
void css_event(void *machine, uint64_t now);
/* A CPU turns to devices by another instruction than those for I/O: its time is the channel subsystem's. */
void css_at(struct machine *machine, struct cpu *cpu);

#endif
