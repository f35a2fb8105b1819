/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of devices that can be attached. */
#include "emu/dev/types.h"
#include "emu/dev/unit/types.h"
#include "emu/dev/virtio/types.h"

/* clang-format off: one on each line */
const struct channel_type *const device_types[] = {
    &reader_type,     &console_type,    &printer_type,        &fba_3370_type,   &fba_9336_type,
    &virtio_blk_type, &virtio_net_type, &virtio_console_type, &virtio_rng_type, NULL,
};
/* clang-format on */
