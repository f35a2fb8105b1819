/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/decoded.h"
#include "ri/profile/executes.h"

#include <stdlib.h>
#include <string.h>

struct page {
    uint64_t number, changed; /* epoch */
    uint32_t space;
    uint8_t mode;
    struct ep_decoded insn[EP_PAGE / 2];
};
struct leader {
    uint64_t address;
    uint32_t space;
    bool used;
};
struct ep_decoder {
    struct ep_code code;
    struct page *page[EP_KEPT_PAGES]; /* NULL: not needed so far */
    struct page *current;             /* known not to have changed; NULL: none */
    struct ep_decoded alone;          /* one that is not kept */
    struct leader *leader;            /* twice EP_KEPT_LEADERS slots; NULL: not collected */
    unsigned leaders;
};

#define LEADER_SLOTS (2 * EP_KEPT_LEADERS)

struct ep_decoder *ep_decoder_create(const struct ep_code *code, bool leaders)
{
    struct ep_decoder *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->code = *code;
    if (leaders && !(d->leader = calloc(LEADER_SLOTS, sizeof *d->leader))) {
        free(d);
        return NULL;
    }
    return d;
}

void ep_decoder_forget(struct ep_decoder *d)
{
    d->current = NULL;
    for (unsigned i = 0; i < EP_KEPT_PAGES; i++) {
        free(d->page[i]);
        d->page[i] = NULL;
    }
}

void ep_decoder_destroy(struct ep_decoder *d)
{
    if (!d)
        return;
    ep_decoder_forget(d);
    free(d->leader);
    free(d);
}

void ep_decoder_look(struct ep_decoder *d) { d->current = NULL; }

static size_t hash(uint64_t number, uint32_t space, unsigned mode)
{
    const uint64_t sum =
        number * UINT64_C(0x9e3779b97f4a7c15) + (4 * (uint64_t)space + mode) * UINT64_C(0xd1b54a32d192ed03);
    return (size_t)(sum >> 40);
}

static bool is_page(const struct page *p, struct ep_place place)
{
    return p->number == place.address / EP_PAGE && p->space == place.space && p->mode == place.mode;
}

/* Its instructions are still to be read; `changed` is what they are of. */
static void empty(struct page *p, struct ep_place place, uint64_t changed)
{
    memset(p, 0, sizeof *p);
    p->number = place.address / EP_PAGE;
    p->space = place.space;
    p->mode = place.mode;
    p->changed = changed;
}

/* The page that a place lies in, as it is now; NULL: nothing of it is to be kept. */
static struct page *find_page(struct ep_decoder *d, struct ep_place place)
{
    uint64_t changed;
    struct page *p = d->current;
    if (place.address & 1 || !d->code.page)
        return NULL;
    if (p && is_page(p, place))
        return p;
    if (!d->code.page(d->code.context, place, &changed))
        return NULL;
    struct page **slot = &d->page[hash(place.address / EP_PAGE, place.space, place.mode) % EP_KEPT_PAGES];
    if (*slot && is_page(*slot, place) && (*slot)->changed == changed)
        return d->current = *slot;
    if (!*slot && !(*slot = malloc(sizeof **slot)))
        return NULL;
    empty(*slot, place, changed);
    return d->current = *slot;
}

/* ---- places that execution may enter at -------------------------------------------------------------------------- */

static struct leader *find_leader(const struct ep_decoder *d, struct ep_place place)
{
    size_t i = hash(place.address, place.space, 0) & (LEADER_SLOTS - 1);
    while (d->leader[i].used && (d->leader[i].address != place.address || d->leader[i].space != place.space))
        i = (i + 1) & (LEADER_SLOTS - 1);
    return &d->leader[i];
}

void ep_decoder_lead(struct ep_decoder *d, struct ep_place place)
{
    if (!d->leader || d->leaders == EP_KEPT_LEADERS)
        return;
    struct leader *l = find_leader(d, place);
    d->leaders += !l->used;
    *l = (struct leader){place.address, place.space, true};
}

bool ep_decoder_leads(const struct ep_decoder *d, struct ep_place place)
{
    return d->leader && find_leader(d, place)->used;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

uint64_t ep_relative_target(const struct dis_insn *insn, struct ep_place place)
{
    const bool third = dis_rows[insn->row].format == DIS_FMT_RIE_b || dis_rows[insn->row].format == DIS_FMT_RIE_c;
    return (place.address + (uint64_t)(third ? insn->ri3 : insn->i2)) & ep_mode_mask(place.mode);
}

static struct ep_decoded decode(const uint8_t bytes[6], struct ep_place place)
{
    struct dis_insn insn;
    dis_decode(bytes, &insn);
    struct ep_decoded d = {.class = (uint8_t)dis_edge_class(&insn), .known = 1, .relative = dis_branch_relative(&insn)};
    memcpy(d.bytes, insn.bytes, sizeof d.bytes);
    if (d.relative) {
        place.mode = EP_64;
        d.halfwords = (int32_t)((int64_t)(ep_relative_target(&insn, place) - place.address) / 2);
    }
    d.sets_mode = insn.row == DIS_SAM24 || insn.row == DIS_SAM31 || insn.row == DIS_SAM64;
    d.mode = (insn.row == DIS_SAM24 ? EP_24 : insn.row == DIS_SAM31 ? EP_31 : EP_64) & 3;
    return d;
}

const struct ep_decoded *ep_decoder_read(struct ep_decoder *d, struct ep_place place, uint64_t *changed)
{
    uint8_t bytes[6] = {0};
    struct page *p = find_page(d, place);
    const unsigned offset = place.address % EP_PAGE;
    if (p && p->insn[offset / 2].known) {
        *changed = p->changed;
        return &p->insn[offset / 2];
    }
    if (!d->code.fetch(d->code.context, place, bytes, changed))
        return NULL;
    struct ep_decoded *to = &d->alone;
    if (p && offset + dis_length(bytes[0]) <= EP_PAGE) {
        if (p->changed != *changed)
            empty(p, place, *changed);
        to = &p->insn[offset / 2];
    }
    *to = decode(bytes, place);
    if (d->leader && to->relative) {
        const struct ep_place target = {ep_decoded_target(to, place), place.space, place.mode};
        ep_decoder_lead(d, target);
    }
    return to;
}
