/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets besides the exception packets: INFO, time, SYNC, CFG, CNT, END (specification 3.4, 3.5). */
#include "ri/trace/packet.h"
#include <string.h>

/* Reading: the flags are told when one is on. */
void et_packet_info(struct et_block *b, const struct et_info *info, unsigned depth, bool problem)
{
    const unsigned flags = (info ? info->flags : 0u) | (problem ? ET_IF_PROBLEM : 0u);
    const uint64_t value[ET_INFO_BEAR + 1] = {
        [ET_INFO_CODE] = info ? info->code : 0,
        [ET_INFO_ILC] = info ? info->ilc : 0,
        [ET_INFO_PARAMETER] = info ? info->parameter : 0,
        [ET_INFO_CPU_ADDRESS] = info ? info->cpu_address : 0,
        [ET_INFO_IO_WORD] = info ? info->io_word : 0,
        [ET_INFO_FLAGS] = flags,
        [ET_INFO_DXC] = info ? info->dxc : 0,
        [ET_INFO_DEPTH] = depth,
        [ET_INFO_ASN] = info ? info->asn : 0,
        [ET_INFO_BEAR] = info ? info->bear : 0,
    };
    uint32_t given = (info ? info->given : 0) & ~(1u << ET_INFO_FLAGS);
    if (flags)
        given |= 1u << ET_INFO_FLAGS;
    const unsigned begin = b->size;
    b->size += 2;
    for (unsigned tag = ET_INFO_CODE; tag <= ET_INFO_BEAR; tag++)
        if (given >> tag & 1) {
            et_block_leb(b, tag);
            et_block_leb(b, value[tag]);
        }
    if (b->size == begin + 2) {
        b->size = begin;
        return;
    }
    b->bytes[begin] = ET_H_INFO;
    b->bytes[begin + 1] = (uint8_t)(b->size - begin - 2);
}

void et_packet_time(struct et_block *b, uint64_t base, uint64_t now)
{
    if (now < base) {
        et_block_byte(b, ET_H_TSA);
        et_block_leb(b, now);
    } else if (now - base <= ET_H_TSS_LAST - ET_H_TSS) {
        et_block_byte(b, ET_H_TSS + (unsigned)(now - base));
    } else {
        et_block_byte(b, ET_H_TSD);
        et_block_leb(b, now - base);
    }
}

void et_packet_sync(struct et_block *b, const struct et_encoder *e, const struct et_segment *segment, unsigned flags,
                    uint64_t time)
{
    const struct et_nest *nest = &e->nest;
    for (unsigned i = 0; i < ET_SYNC_ZEROS; i++)
        et_block_byte(b, 0);
    et_block_byte(b, ET_SYNC_END);
    const unsigned begin = b->size;
    et_block_byte(b, ET_VERSION);
    et_block_byte(b, ET_SYNC_FLAGS | flags);
    et_block_leb(b, e->source + 1u);
    et_block_leb(b, e->sequence + 1);
    et_block_leb(b, segment->packets);
    et_block_leb(b, segment->crc);
    et_block_leb(b, time);
    et_block_leb(b, nest->current);
    const unsigned frames = nest->depth < ET_SYNC_FRAMES ? nest->depth : ET_SYNC_FRAMES;
    et_block_leb(b, nest->depth + 1u);
    for (unsigned i = 0; i < frames; i++)
        et_block_leb(b, nest->open[nest->depth - 1 - i].en);
    et_block_byte(b, et_crc8(0, b->bytes + begin, b->size - begin));
}

void et_packet_config(struct et_block *b, const struct et_config *config)
{
    for (unsigned i = ETCR; i <= ETBM7; i++) {
        if (i == ETBF || i == ETST)
            continue;
        if (i > ETFR && i != ETTS && config->reg[i] == et_register_reset(i))
            continue;
        et_block_byte(b, ET_H_CFG);
        et_block_byte(b, i + 1);
        et_block_leb(b, config->reg[i]);
    }
}

void et_packet_counts(struct et_block *b, const uint32_t entries[ET_NUMBERS])
{
    unsigned begin = 0; /* of the packet's pairs; 0: no packet is open */
    for (unsigned en = 0; en < ET_NUMBERS; en++) {
        uint8_t pair[2 * ET_LEB_MAX];
        if (!entries[en])
            continue;
        unsigned n = et_leb_put(pair, en);
        n += et_leb_put(pair + n, entries[en]);
        if (begin && b->size - begin + n > 127)
            begin = 0;
        if (!begin) {
            et_block_byte(b, ET_H_CNT);
            et_block_byte(b, 0);
            begin = b->size;
        }
        memcpy(b->bytes + b->size, pair, n);
        b->size += n;
        b->bytes[begin - 1] = (uint8_t)(b->size - begin);
    }
}

void et_packet_end(struct et_block *b, const struct et_encoder *e, const struct et_segment *segment)
{
    et_block_byte(b, ET_H_END);
    const unsigned begin = b->size;
    et_block_leb(b, e->detected);
    et_block_leb(b, e->filtered);
    et_block_leb(b, e->emitted);
    et_block_leb(b, e->lost);
    et_block_leb(b, segment->packets);
    et_block_leb(b, segment->crc);
    et_block_byte(b, et_crc8(0, b->bytes + begin, b->size - begin));
}
