/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The medium of a disk. */
#ifndef ZRI_EMU_DEV_CSS_MEDIUM_H
#define ZRI_EMU_DEV_CSS_MEDIUM_H

#include "emu/dev/css/channel.h"
#include "emu/dev/image/disk.h"

/* image_open_words() for a device, whose operator it tells; no two disks of a machine have a file that one of them
   writes. */
struct image *channel_medium(struct channel_device *device, unsigned count, char **words, char *error,
                             size_t size) MUST_USE;

#endif
