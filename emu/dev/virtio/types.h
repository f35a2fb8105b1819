/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of virtio devices, each in a file of its own. */
#ifndef ZRI_EMU_DEV_VIRTIO_TYPES_H
#define ZRI_EMU_DEV_VIRTIO_TYPES_H

#include "emu/dev/css/channel.h"

extern const struct channel_type virtio_net_type, virtio_blk_type, virtio_console_type, virtio_rng_type;

#endif
