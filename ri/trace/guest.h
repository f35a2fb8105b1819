/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring in a guest's storage that a trace unit fills: header of 32 bytes ("ZETR", version, size, bytes written since the
   beginning, events lost), then the ring. */
#ifndef ZRI_RI_TRACE_GUEST_H
#define ZRI_RI_TRACE_GUEST_H

#include "ri/trace/trace.h"

#define ET_GUEST_HEADER  32u
#define ET_GUEST_VERSION 1u
#define ET_GUEST_MIN     128u /* bytes of header and ring */

struct et_guest {
    bool used;
    uint64_t address; /* real, of the header */
    uint64_t size;    /* of the ring */
    uint64_t written;
};

/* NULL, or why the area of `length` bytes at real address `address` cannot be a ring. Length 0 removes it. */
const char *et_guest_assign(struct et_guest *g, const struct et_host *host, unsigned cpu, uint64_t address,
                            uint64_t length);
/* Append. `alert_percent`: of the ring; crossing it makes an alert (0: none). False: storage is gone, the ring with it.
 */
bool et_guest_put(struct et_guest *g, const struct et_host *host, unsigned cpu, const uint8_t *bytes, size_t size,
                  uint64_t lost, unsigned alert_percent);

#endif
