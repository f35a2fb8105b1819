/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's instructions as a walk needs them. Those of pages whose changes are counted are kept, of at most
   EP_KEPT_PAGES pages for a walker, which is EP_KEPT_BYTES at most; and, where it is asked for, the places that
   relative branches go to, of at most EP_KEPT_LEADERS. */
#ifndef ZRI_RI_PROFILE_DECODED_H
#define ZRI_RI_PROFILE_DECODED_H

#include "ri/profile/walk.h"

#define EP_KEPT_PAGES   128u
#define EP_KEPT_BYTES   (EP_KEPT_PAGES * (EP_PAGE / 2 * sizeof(struct ep_decoded) + 64))
#define EP_KEPT_LEADERS 65536u /* of 16 bytes each */

struct ep_decoded {
    int32_t halfwords; /* from it to where it branches, when `relative` */
    uint8_t bytes[6];
    uint8_t class;        /* enum dis_edge */
    uint8_t known : 1;    /* this is an instruction, not the place for one */
    uint8_t relative : 1; /* a branch to a place that the instruction names */
    uint8_t sets_mode : 1;
    uint8_t mode : 2; /* addressing mode that it sets */
};

struct ep_decoder;
/* `leaders`: they are collected. NULL: no memory. */
struct ep_decoder *ep_decoder_create(const struct ep_code *code, bool leaders);
void ep_decoder_destroy(struct ep_decoder *decoder);
/* Whether a page has changed is asked again. To be called where a stretch begins. */
void ep_decoder_look(struct ep_decoder *decoder);
/* All that was kept of the code is forgotten. */
void ep_decoder_forget(struct ep_decoder *decoder);
/* The instruction at a place, until the next call, and the epoch of the latest change there; NULL: none can be read. */
const struct ep_decoded *ep_decoder_read(struct ep_decoder *decoder, struct ep_place place, uint64_t *changed);
/* Where a relative branch at `place` goes. */
uint64_t ep_relative_target(const struct dis_insn *insn, struct ep_place place);
static inline uint64_t ep_decoded_target(const struct ep_decoded *d, struct ep_place place)
{
    return (place.address + 2 * (uint64_t)(int64_t)d->halfwords) & ep_mode_mask(place.mode);
}
/* Execution is known to enter, or may enter, at a place: no block goes on there. */
void ep_decoder_lead(struct ep_decoder *decoder, struct ep_place place);
bool ep_decoder_leads(const struct ep_decoder *decoder, struct ep_place place);

#endif
