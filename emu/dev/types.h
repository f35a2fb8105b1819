/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of devices, each in a file of its own. */
#ifndef ZRI_EMU_DEV_TYPES_H
#define ZRI_EMU_DEV_TYPES_H

#include "emu/dev/css/channel.h"

extern const struct channel_type reader_type;                  /* 3505 card reader */
extern const struct channel_type console_type;                 /* 3215 console */
extern const struct channel_type printer_type;                 /* 1403 line printer */
extern const struct channel_type fba_3370_type, fba_9336_type; /* fixed-block disks */
extern const struct channel_type virtio_net_type, virtio_blk_type, virtio_console_type, virtio_rng_type;

#endif
