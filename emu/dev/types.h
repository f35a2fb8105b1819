/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of devices that can be attached. */
#ifndef ZRI_EMU_DEV_TYPES_H
#define ZRI_EMU_DEV_TYPES_H

#include "emu/dev/css/channel.h"

/* Ended by NULL. */
extern const struct channel_type *const device_types[];

#endif
