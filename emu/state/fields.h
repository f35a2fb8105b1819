/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a device, and what is under it, goes into a snapshot and comes out of it. */
#ifndef ZRI_EMU_STATE_FIELDS_H
#define ZRI_EMU_STATE_FIELDS_H

#include "base/bits.h"

/* One list of fields serves for writing and reading a snapshot. The functions do nothing after something was
   refused. */
struct channel_fields {
    void *context;
    bool loading;
    bool
        in_place; /* of and into devices that stay as they are attached, and what is written on their media with them */
    void (*number)(void *context, void *place, unsigned size); /* of 1, 2, 4 or 8 bytes */
    void (*bytes)(void *context, void *place, unsigned length);
    /* Loading: what was read cannot be. `why` is half a sentence for the operator. */
    void (*refuse)(void *context, const char *why);
    bool (*refused)(void *context);
};

#endif
