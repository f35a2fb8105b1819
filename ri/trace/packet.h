/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building the packets of an exception-trace stream into blocks that are put out whole. */
#ifndef ZRI_RI_TRACE_PACKET_H
#define ZRI_RI_TRACE_PACKET_H

#include "ri/trace/encode.h"

/* The longest event: exception packet, INFO, two ADDR, time; the longest SYNC with OVF and CFG is about 300 bytes, and
   with CNT of all numbers in front. */
#define ET_EVENT_MAX 256u
#define ET_SYNC_MAX  512u
#define ET_CNT_MAX   8192u

struct et_block {
    unsigned size;
    uint8_t *bytes;
};
/* Append; the bytes must have room, ET_EVENT_MAX and so on. */
static inline void et_block_byte(struct et_block *b, unsigned byte) { b->bytes[b->size++] = (uint8_t)byte; }
static inline void et_block_leb(struct et_block *b, uint64_t value)
{
    if (value < 0x80)
        et_block_byte(b, (unsigned)value);
    else
        b->size += et_leb_put(b->bytes + b->size, value);
}

/* INFO with all that is given, the depth, and a flag for an interruption of the problem state. */
void et_packet_info(struct et_block *b, const struct et_info *info, unsigned depth, bool problem);
/* TSS or TSD from `base' to `now' (ticks, shifted), TSA when the clock went back. */
void et_packet_time(struct et_block *b, uint64_t base, uint64_t now);
/* `end_crc`: CRC-16 of the segment that ends. */
void et_packet_sync(struct et_block *b, const struct et_encoder *e, const struct et_segment *segment, unsigned flags,
                    uint64_t time);
/* CFG packets behind a SYNC: ETCR, ETFR, ETTS, and what differs from its reset value. */
void et_packet_config(struct et_block *b, const struct et_config *config);
/* CNT packets, none where nothing was counted; END. */
void et_packet_counts(struct et_block *b, const uint32_t entries[ET_NUMBERS]);
void et_packet_end(struct et_block *b, const struct et_encoder *e, const struct et_segment *segment);

#endif
