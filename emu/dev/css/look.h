/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at subchannels and channel programs, without any effect. PoP chapters 14 to 16. */
#ifndef ZRI_EMU_DEV_CSS_LOOK_H
#define ZRI_EMU_DEV_CSS_LOOK_H

#include "emu/dev/css/channel.h"

/* What a subchannel is doing. */
struct css_look {
    bool enabled, requests; /* an interruption request is pending */
    bool working;           /* a channel program is going on */
    bool format1;           /* of its CCWs */
    uint8_t isc, device_status, status;
    uint16_t count;
    uint32_t scsw; /* word 0 */
    uint32_t parameter;
    uint64_t at;   /* the current CCW, or that which was the last; 0: there was none */
    uint64_t next; /* behind it */
};
void css_look(const struct channel_device *device, struct css_look *look);
/* "start pending", "active", "status pending: primary secondary" ...; "idle". */
void css_look_words(const struct css_look *look, char *text, size_t size);

/* One channel-command word in words, "; 02 1000.50 CC SLI"; returns how many characters. *next: where the one behind it
   is, 0: none is. */
size_t css_ccw_words(const uint8_t ccw[8], bool format1, uint64_t at, char *text, size_t size, uint64_t *next);

#endif
