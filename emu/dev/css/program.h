/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between channel programs (program.c) and the data mover (data.c). */
#ifndef ZRI_EMU_DEV_CSS_PROGRAM_H
#define ZRI_EMU_DEV_CSS_PROGRAM_H

#include "emu/dev/css/internal.h"

/* One command in the hands of a device. */
struct channel_io {
    struct css *css;
    struct subchannel *s;
    uint32_t chained; /* CCWs of data chaining so far */
    uint64_t bytes;   /* moved so far */
};

/* End the program by a subchannel-status check. Returns false. */
bool css_failed(struct subchannel *s, uint8_t check);
/* CCWs and address words: fetched with the key of the ORB. False: a check is indicated. */
bool css_fetch_control(struct css *css, struct subchannel *s, uint64_t address, void *to, unsigned length) MUST_USE;
/* The data of the current CCW begin. */
void css_data_begin(struct subchannel *s);
/* The count is exhausted: go on with the next CCW of data chaining. False: there is none, or a check. */
bool css_chain_data(struct css *css, struct subchannel *s) MUST_USE;

#endif
