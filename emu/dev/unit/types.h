/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of devices of this room, each in a file of its own. */
#ifndef ZRI_EMU_DEV_UNIT_TYPES_H
#define ZRI_EMU_DEV_UNIT_TYPES_H

#include "emu/dev/css/channel.h"

extern const struct channel_type reader_type;                  /* 3505 card reader */
extern const struct channel_type console_type;                 /* 3215 console */
extern const struct channel_type printer_type;                 /* 1403 line printer */
extern const struct channel_type fba_3370_type, fba_9336_type; /* fixed-block disks */

#endif
