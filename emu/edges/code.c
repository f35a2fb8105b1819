/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/edges/code.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u
#define NOWHERE     UINT64_MAX

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xd1b54a32d192ed03)) >> 20;
}

/* ---- spaces ------------------------------------------------------------------------------------------------------ */

static uint32_t *slot_of(const struct edge_spaces *s, unsigned kind, uint64_t asce)
{
    size_t i = (size_t)mix(asce, kind) & (s->slots - 1);
    while (s->slot[i] && (s->space[s->slot[i] - 1].asce != asce || s->space[s->slot[i] - 1].kind != kind))
        i = (i + 1) & (s->slots - 1);
    return &s->slot[i];
}

static bool room_for_one(struct edge_spaces *s)
{
    if (s->count < s->room)
        return true;
    const uint32_t room = s->room ? 2 * s->room : FIRST_SLOTS;
    struct edge_space *more = realloc(s->space, room * sizeof *more);
    uint32_t *slot = more ? calloc(2 * (size_t)room, sizeof *slot) : NULL;
    s->space = more ? more : s->space;
    if (!slot)
        return false;
    free(s->slot);
    s->slot = slot;
    s->room = room;
    s->slots = 2 * room;
    for (uint32_t i = 0; i < s->count; i++)
        *slot_of(s, s->space[i].kind, s->space[i].asce) = i + 1;
    return true;
}

bool edge_spaces_find(const struct edge_spaces *s, unsigned kind, uint64_t asce, uint32_t *number)
{
    const uint32_t *slot = s->slots ? slot_of(s, kind, asce) : NULL;
    if (!slot || !*slot)
        return false;
    *number = *slot - 1;
    return true;
}

uint32_t edge_spaces_add(struct edge_spaces *s, unsigned kind, uint64_t asce, const char *name, bool *added)
{
    char *own = name ? strdup(name) : NULL;
    *added = s->count < EDGE_SPACES && room_for_one(s) && (own || !name);
    if (!*added) {
        s->full = true;
        free(own);
        return s->count ? s->count - 1 : 0;
    }
    s->space[s->count] = (struct edge_space){.asce = asce, .name = own, .kind = (uint8_t)kind};
    *slot_of(s, kind, asce) = ++s->count;
    return s->count - 1;
}

void edge_spaces_destroy(struct edge_spaces *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        free(s->space[i].name);
    free(s->space);
    free(s->slot);
    *s = (struct edge_spaces){0};
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

struct edge_page {
    uint64_t number, frame, look, mapped, told; /* mapped: epoch at which its frame was another one last */
    uint32_t space;
    bool used;
};

static struct edge_page *page_slot(const struct edge_code *c, uint32_t space, uint64_t number)
{
    size_t i = (size_t)mix(number, space) & (c->pages - 1);
    while (c->page[i].used && (c->page[i].number != number || c->page[i].space != space))
        i = (i + 1) & (c->pages - 1);
    return &c->page[i];
}

static bool grow(struct edge_code *c)
{
    if (c->page && c->used < c->pages / 2)
        return true;
    struct edge_code larger = {.pages = c->page ? 2 * c->pages : FIRST_SLOTS};
    larger.page = calloc(larger.pages, sizeof *larger.page);
    if (!larger.page)
        return false;
    for (size_t i = 0; i < c->pages; i++)
        if (c->page[i].used)
            *page_slot(&larger, c->page[i].space, c->page[i].number) = c->page[i];
    free(c->page);
    c->page = larger.page;
    c->pages = larger.pages;
    return true;
}

/* The absolute address of a page of a space now; NOWHERE: it has none. */
static uint64_t frame_of(const struct edge_code *c, uint32_t space, uint64_t address)
{
    uint64_t absolute;
    if (space >= c->spaces->count)
        return NOWHERE;
    const struct edge_space *s = &c->spaces->space[space];
    if (s->kind == EP_SPACE_REAL) {
        absolute = cpu_real_to_absolute(c->cpu, address);
    } else {
        struct dat_result dat;
        if (dat_translate(c->cpu, s->asce, address, &dat, NULL, NULL))
            return NOWHERE;
        absolute = dat.absolute;
    }
    absolute &= PAGE_ADDRESS;
    return storage_has(&c->cpu->sys->storage, absolute, PAGE_SIZE_Z) ? absolute : NOWHERE;
}

/* The page that an address is in, as it is mapped now; NULL: it is not. */
static struct edge_page *page_of(struct edge_code *c, uint32_t space, uint64_t address)
{
    const uint64_t number = address >> PAGE_BITS;
    if (!grow(c))
        return NULL;
    struct edge_page *p = page_slot(c, space, number);
    if (p->used && p->look == c->look)
        return p->frame == NOWHERE ? NULL : p;
    const uint64_t frame = frame_of(c, space, address & PAGE_ADDRESS);
    if (p->used && p->frame != frame) { /* another mapping is a change of the code */
        if (c->settles)
            c->machine->settle(c->cpu->sys);
        p->mapped = ++c->machine->epoch;
    }
    if (!p->used)
        *p = (struct edge_page){.number = number, .space = space, .used = true};
    c->used += !p->look;
    p->frame = frame;
    p->look = c->look;
    return frame == NOWHERE ? NULL : p;
}

static uint64_t changed(struct edge_code *c, struct edge_page *p)
{
    const uint64_t stored = c->machine->changed[p->frame >> PAGE_BITS];
    const uint64_t epoch = stored > p->mapped ? stored : p->mapped;
    if (UNLIKELY(epoch != p->told) && c->changed)
        c->changed(c->context, p->space, p->number << PAGE_BITS, epoch);
    p->told = epoch;
    return epoch;
}

bool edge_code_page(void *code, struct ep_place place, uint64_t *epoch)
{
    struct edge_code *c = code;
    struct edge_page *p = page_of(c, place.space, place.address);
    if (!p || !(c->cpu->sys->storage.page_flags[p->frame >> PAGE_BITS] & PAGE_PROFILED))
        return false;
    *epoch = changed(c, p);
    return true;
}

bool edge_code_fetch(void *code, struct ep_place place, uint8_t bytes[6], uint64_t *epoch)
{
    struct edge_code *c = code;
    struct edge_page *p = place.address & 1 ? NULL : page_of(c, place.space, place.address);
    if (!p)
        return false;
    const uint8_t *from = c->cpu->sys->storage.bytes + p->frame + (place.address & ~PAGE_ADDRESS);
    const unsigned length = dis_length(*from), here = cpu_page_left(place.address);
    *epoch = changed(c, p);
    memset(bytes, 0, 6);
    memcpy(bytes, from, length < here ? length : here);
    if (length <= here)
        return true;
    p = page_of(c, place.space, (place.address + here) & ep_mode_mask(place.mode));
    if (!p)
        return false;
    memcpy(bytes + here, c->cpu->sys->storage.bytes + p->frame, length - here);
    const uint64_t second = changed(c, p);
    *epoch = second > *epoch ? second : *epoch;
    return true;
}

void edge_code_told_anew(struct edge_code *c)
{
    for (size_t i = 0; i < c->pages; i++)
        c->page[i].told = 0;
}

void edge_code_destroy(struct edge_code *c)
{
    free(c->page);
    c->page = NULL;
    c->pages = c->used = 0;
}
