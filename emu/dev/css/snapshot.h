/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel subsystem in a snapshot. */
#ifndef ZRI_EMU_DEV_CSS_SNAPSHOT_H
#define ZRI_EMU_DEV_CSS_SNAPSHOT_H

#include "emu/dev/css/css.h"

/* All of it. Loading attaches the devices, into a channel subsystem that has none. */
void css_fields(struct css *css, const struct channel_fields *fields);

#endif
