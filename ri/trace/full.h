/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of a full stream (ETCR.DS) of one source: its bytes become the events that an encoder is fed with. */
#ifndef ZRI_RI_TRACE_FULL_H
#define ZRI_RI_TRACE_FULL_H

#include "ri/trace/encode.h"

#define ET_FULL_PENDING 512u /* longer than any packet of a full stream */

struct et_full {
    struct et_encoder encoder;
    const char *wrong; /* the stream is no full stream: what was found */
    uint64_t offset;   /* bytes that are done with */
    bool begun, ended, loss;
    uint64_t since_sync; /* bytes behind the last SYNC */
    uint64_t time;
    uint64_t address[ET_ADDR_RETURN + 1];
    bool has_event; /* `event` waits for what belongs to it and its time */
    struct et_occurrence event;
    struct et_info info;
    size_t pending;
    uint8_t bytes[ET_FULL_PENDING];
};

/* `config` is that of what comes out; both are copied. */
void et_full_init(struct et_full *f, const struct et_config *config, const struct et_way *way);
/* False: `wrong` says why. */
bool et_full_push(struct et_full *f, const uint8_t *bytes, size_t size);

#endif
