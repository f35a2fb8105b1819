/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of a profile: growing arrays in which equal items are found by a hash table, until they are sorted. */
#include "ri/profile/file/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = mix(hash, (uint8_t)*text);
    return hash;
}

static int order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* ---- forms ----------------------------------------------------------------------------------------------------- */

static uint64_t space_hash(const void *item)
{
    const struct ep_space *s = item;
    return mix_text(mix(s->kind, s->token), s->name);
}

static int space_compare(const void *left, const void *right)
{
    const struct ep_space *a = left, *b = right;
    int n = order(a->kind, b->kind);
    n = n ? n : order(a->token, b->token);
    return n ? n : strcmp(a->name, b->name);
}

static uint64_t module_hash(const void *item)
{
    const struct ep_module *m = item;
    return mix_text(mix(mix(mix(m->space, m->start), m->end), get64(m->digest)), m->name);
}

static int module_compare(const void *left, const void *right)
{
    const struct ep_module *a = left, *b = right;
    int n = order(a->space, b->space);
    n = n ? n : order(a->start, b->start);
    n = n ? n : order(a->end, b->end);
    n = n ? n : order(a->bias, b->bias);
    n = n ? n : order(a->has_digest, b->has_digest);
    n = n ? n : memcmp(a->digest, b->digest, sizeof a->digest);
    return n ? n : strcmp(a->name, b->name);
}

static uint64_t function_hash(const void *item)
{
    const struct ep_function *f = item;
    return mix_text(mix(mix(f->module, f->start), f->end), f->name);
}

static int function_compare(const void *left, const void *right)
{
    const struct ep_function *a = left, *b = right;
    int n = order(a->module, b->module);
    n = n ? n : order(a->start, b->start);
    n = n ? n : order(a->end, b->end);
    return n ? n : strcmp(a->name, b->name);
}

static uint64_t site_hash(const void *item)
{
    const struct ep_site_facts *s = item;
    return mix(mix(s->space, s->at), 0);
}

static int site_compare(const void *left, const void *right)
{
    const struct ep_site_facts *a = left, *b = right;
    const int n = order(a->space, b->space);
    return n ? n : order(a->at, b->at);
}

static uint64_t row_hash(const void *item)
{
    const struct ep_row *r = item;
    return mix(mix(mix((uint64_t)r->from_space << 32 | r->to_space, r->from), r->to), r->kind);
}

static int row_compare(const void *left, const void *right)
{
    const struct ep_row *a = left, *b = right;
    int n = order(a->from_space, b->from_space);
    n = n ? n : order(a->from, b->from);
    n = n ? n : order(a->to_space, b->to_space);
    n = n ? n : order(a->to, b->to);
    return n ? n : order(a->kind, b->kind);
}

/* Edges of one branch: the taken ones first. */
static int edge_compare(const void *left, const void *right)
{
    const struct ep_row *a = left, *b = right;
    int n = order(a->from_space, b->from_space);
    n = n ? n : order(a->from, b->from);
    n = n ? n : order(a->kind, b->kind);
    return n ? n : row_compare(a, b);
}

static uint64_t counter_hash(const void *item) { return mix_text(0, ((const struct ep_counter *)item)->name); }

static int counter_compare(const void *left, const void *right)
{
    return strcmp(((const struct ep_counter *)left)->name, ((const struct ep_counter *)right)->name);
}

const struct ep_form ep_forms[EP_LISTS] = {
    [EP_SPACES] = {sizeof(struct ep_space), space_hash, space_compare},
    [EP_MODULES] = {sizeof(struct ep_module), module_hash, module_compare},
    [EP_FUNCTIONS] = {sizeof(struct ep_function), function_hash, function_compare},
    [EP_SITES] = {sizeof(struct ep_site_facts), site_hash, site_compare},
    [EP_EDGES] = {sizeof(struct ep_row), row_hash, edge_compare},
    [EP_RUNS] = {sizeof(struct ep_row), row_hash, row_compare},
    [EP_CALLS] = {sizeof(struct ep_row), row_hash, row_compare},
    [EP_GAPS] = {sizeof(struct ep_row), row_hash, row_compare},
    [EP_COUNTERS] = {sizeof(struct ep_counter), counter_hash, counter_compare},
};

/* ---- lists ----------------------------------------------------------------------------------------------------- */

int ep_list_append(struct ep_list *list, const struct ep_form *form, const void *item)
{
    if (list->count == EP_LIST_MOST)
        return -EFBIG;
    if (list->count == list->room) {
        const uint32_t room = list->room ? list->room * 2 : 16;
        char *items = realloc(list->items, (size_t)room * form->size);
        if (!items)
            return -ENOMEM;
        list->items = items;
        list->room = room;
    }
    memcpy(list->items + (size_t)list->count++ * form->size, item, form->size);
    return 0;
}

/* The slot of an equal item, or the free one where it belongs. There is always a free one. */
static uint32_t *slot_of(struct ep_list *list, const struct ep_form *form, const void *item)
{
    uint32_t i = (uint32_t)(form->hash(item) >> 16) & (list->slot_count - 1);
    while (list->slots[i] && form->compare(list->items + (size_t)(list->slots[i] - 1) * form->size, item) != 0)
        i = (i + 1) & (list->slot_count - 1);
    return &list->slots[i];
}

/* Slots for twice as many items as there are, at least. */
static int make_slots(struct ep_list *list, const struct ep_form *form)
{
    uint64_t wanted = 64;
    while (wanted < (uint64_t)list->count * 4)
        wanted *= 2;
    if (wanted > EP_LIST_MOST)
        return -EFBIG;
    free(list->slots);
    list->slots = calloc((size_t)wanted, sizeof *list->slots);
    if (!list->slots)
        return -ENOMEM;
    list->slot_count = (uint32_t)wanted;
    for (uint32_t i = 0; i < list->count; i++)
        *slot_of(list, form, list->items + (size_t)i * form->size) = i + 1;
    return 0;
}

int ep_list_place(struct ep_list *list, const struct ep_form *form, const void *item, uint32_t *place)
{
    if (!list->slots || (uint64_t)list->count * 2 >= list->slot_count) {
        const int status = make_slots(list, form);
        if (status)
            return status;
    }
    uint32_t *slot = slot_of(list, form, item);
    if (*slot) {
        *place = *slot - 1;
        return 1;
    }
    const int status = ep_list_append(list, form, item);
    if (status)
        return status;
    *slot = list->count;
    *place = list->count - 1;
    return 0;
}

void ep_list_sort(struct ep_list *list, const struct ep_form *form)
{
    free(list->slots);
    list->slots = NULL;
    list->slot_count = 0;
    if (list->count)
        qsort(list->items, list->count, form->size, form->compare);
}

void ep_list_free(struct ep_list *list)
{
    free(list->items);
    free(list->slots);
    *list = (struct ep_list){.items = NULL};
}
