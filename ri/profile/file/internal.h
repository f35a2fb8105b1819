/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this folder share: lists without duplicates, texts, headers. */
#ifndef ZRI_RI_PROFILE_FILE_INTERNAL_H
#define ZRI_RI_PROFILE_FILE_INTERNAL_H

#include "ri/profile/file/profile.h"

/* What a list's items are. Items that compare equal are one line of a file. */
struct ep_form {
    size_t size;
    uint64_t (*hash)(const void *item);
    int (*compare)(const void *a, const void *b);
};

struct ep_list {
    char *items;
    uint32_t *slots; /* open addressing, number of the item + 1; NULL: not made, or the list was sorted */
    uint32_t count, room, slot_count;
};

#define EP_LIST_MOST 0x80000000u

int ep_list_append(struct ep_list *list, const struct ep_form *form, const void *item) MUST_USE;
/* The place of an equal item, which is added when there is none: 1 when it was there, 0, or a negative errno. */
int ep_list_place(struct ep_list *list, const struct ep_form *form, const void *item, uint32_t *place) MUST_USE;
void ep_list_sort(struct ep_list *list, const struct ep_form *form);
void ep_list_free(struct ep_list *list);

extern const struct ep_form ep_forms[EP_LISTS];

struct ep_text {
    struct ep_text *next;
    char bytes[];
};

struct ep_profile {
    struct ep_list lists[EP_LISTS];
    const char *headers[EP_HEADERS];
    struct ep_text *texts; /* owns all names and values */
    bool saturated;
};

#define EP_ITEMS(profile, list, type) ((type *)(void *)(profile)->lists[list].items)

struct ep_header_facts {
    const char *key, *values;
    bool required;
    enum { EP_HOW_SAME, EP_HOW_MATCH, EP_HOW_SUM, EP_HOW_MADE } how;
};
extern const struct ep_header_facts ep_header_facts[EP_HEADERS];

/* May this header have this value, as it stands in a file? */
bool ep_header_allows(enum ep_header header, const char *value);
/* A copy that the profile owns; NULL: no memory. */
const char *ep_text_keep(struct ep_profile *profile, const char *text);
/* A name in the form of files into `to`; NULL or "" becomes "-". -ENAMETOOLONG. */
int ep_encode(const char *name, char to[EP_NAME_MOST + 1]) MUST_USE;
/* Is it what ep_encode() makes? */
bool ep_is_encoded(const char *text);
bool ep_is_counter(const char *name);
/* Length, class, opcode: could this stand at a site? */
bool ep_site_is_sound(const struct ep_site_facts *site);
/* What stays of two facts about one site. */
void ep_site_join(struct ep_site_facts *site, const struct ep_site_facts *other);
/* Sets a header to a text that is in the form of files already. */
int ep_header_keep(struct ep_profile *profile, enum ep_header header, const char *value) MUST_USE;
/* Adds units to an equal row, or the row. */
int ep_row_add(struct ep_profile *profile, enum ep_list_name list, const struct ep_row *row) MUST_USE;
int ep_counter_add(struct ep_profile *profile, const char *name, uint64_t value) MUST_USE;
/* Lines with a space have the number map[number] for it now. */
void ep_renumber_spaces(struct ep_profile *profile, const uint32_t *map);
/* What a profile's branch-units and run-units are. */
void ep_units(const struct ep_profile *profile, uint64_t *branches, uint64_t *runs);
/* A number as in files: decimal, no sign, no zeros in front. */
bool ep_decimal(const char *text, uint64_t *value);

/* A line that does not go with the others. */
struct ep_fault {
    enum ep_list_name list;
    uint32_t item;
    char text[160]; /* "the profile has an edge and ..." */
};
/* Are the sites of a settled profile exactly those of its edges and calls? */
bool ep_sites_fit(const struct ep_profile *profile, struct ep_fault *fault);

/* CRC-32 (IEEE 802.3) of more bytes, as zlib counts: 0 at the beginning. */
uint32_t ep_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
