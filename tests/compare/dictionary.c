/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/compare/dictionary.h"

#include "base/bits.h"
#include "disasm/dis.h"
#include "tests/compare/compare.h"

#include <string.h>

enum { DEEPEST = 40, EXTENSIONS_MAX = 4, CHILDREN_MAX = 40 };

struct making {
    uint8_t *compression, *expansion;
    unsigned entries, next; /* there are, in use */
    bool format_1;
    uint64_t *random;
    uint16_t *symbols;
    unsigned symbol_count;
};

/* A node of the tree: what it stands for, and what its entry needs to know. */
struct node {
    uint8_t text[DEEPEST + 1 + EXTENSIONS_MAX];
    unsigned length, parent_length, parent;
    unsigned extensions, children;
};

static unsigned below(struct making *m, unsigned n) { return compare_below(m->random, n); }
static uint8_t letter(struct making *m) { return (uint8_t)(DICTIONARY_LETTER + below(m, DICTIONARY_LETTERS)); }

static void expansion_entry(struct making *m, unsigned index, const struct node *n)
{
    uint8_t *e = m->expansion + 8 * index;
    const unsigned part = n->length - n->parent_length;
    if (index < 256 || (n->length <= 7 && below(m, 2))) {
        e[0] = (uint8_t)n->length;
        memcpy(e + 1, n->text, n->length);
        return;
    }
    put16(e, (uint16_t)(part << 13 | n->parent));
    memcpy(e + 2, n->text + n->parent_length, part);
    e[7] = (uint8_t)n->parent_length;
}

/* How many children an entry has itself, and whether descriptors follow. */
static unsigned own_children(const struct node *n)
{
    const unsigned room = 5 - n->extensions;
    return n->children <= room ? n->children : room;
}

/* A child of `parent`: its character and a plan for its own entry. */
static struct node make_child(struct making *m, const struct node *parent, unsigned parent_index, uint8_t character)
{
    struct node n = *parent;
    n.parent = parent_index;
    n.parent_length = parent->length;
    n.text[n.length++] = character;
    n.children = n.length > DEEPEST - 8 || below(m, 2) ? 0 : 1 + below(m, below(m, 4) ? 4 : CHILDREN_MAX);
    n.extensions = below(m, 3) ? 0 : n.children > 1 ? 1 : 1 + below(m, EXTENSIONS_MAX);
    if (parent->length + 1 + n.extensions > DEEPEST)
        n.extensions = 0;
    for (unsigned k = 0; k < n.extensions; k++)
        n.text[n.length++] = letter(m);
    return n;
}

/* Characters of children, all different but for some at the front: the same character can come again behind itself,
   and Hercules looks for that in comparing with the first. */
static void choose_characters(struct making *m, uint8_t *characters, unsigned count)
{
    const unsigned of = count < DICTIONARY_LETTERS ? DICTIONARY_LETTERS : count;
    uint8_t all[CHILDREN_MAX + DICTIONARY_LETTERS];
    for (unsigned k = 0; k < of; k++)
        all[k] = (uint8_t)(DICTIONARY_LETTER + k);
    for (unsigned k = 0; k < count; k++) {
        const unsigned other = k + below(m, of - k);
        const uint8_t c = all[other];
        all[other] = all[k];
        all[k] = characters[k] = c;
    }
    for (unsigned k = 1; k < count && below(m, 3) == 0; k++)
        characters[k] = characters[0];
}

static void make_entry(struct making *m, unsigned index, const struct node *n);

/* Sibling descriptors and their entries from `at` on, for children `from` to the last. */
static void make_siblings(struct making *m, unsigned index, const struct node *n, unsigned at, unsigned from,
                          const uint8_t *characters, struct node *plans)
{
    uint8_t *parent = m->compression + 8 * index;
    const unsigned full = m->format_1 ? 14 : 7, own = m->format_1 ? 12 : 5, shift = m->format_1 ? 4 : 3;
    for (bool first = true; from < n->children; first = false) {
        const unsigned count = n->children - from < full + 1 ? n->children - from : full;
        const bool more = from + (count < full ? count : full) < n->children;
        const unsigned here = more ? full : count > full ? full : count;
        uint8_t *d = m->compression + 8 * at, *second = d + 8 * m->entries;
        uint8_t bytes[16] = {0};
        uint16_t head = (uint16_t)((more ? (m->format_1 ? 15u : 0u) : here) << (16 - shift));
        for (unsigned k = 0; k < here; k++) {
            const struct node *plan = &plans[from + k];
            const bool examine = plan->children || plan->extensions || below(m, 2);
            bytes[(m->format_1 ? 2 : 1) + k] = characters[from + k];
            if (k < own)
                head |= examine ? (uint16_t)(0x8000u >> (shift + k)) : 0;
            else if (first && examine)
                parent[1] |= (uint8_t)(0x80u >> (k - own));
        }
        bytes[0] = (uint8_t)(head >> 8);
        if (m->format_1)
            bytes[1] = (uint8_t)head;
        memcpy(d, bytes, 8);
        if (m->format_1)
            memcpy(second, bytes + 8, 8);
        for (unsigned k = 0; k < here; k++)
            make_entry(m, at + 1 + k, &plans[from + k]);
        from += here;
        at += 1 + here;
    }
}

/* The entries of a node and of everything below it. */
static void make_entry(struct making *m, unsigned index, const struct node *given)
{
    struct node n = *given, plans[CHILDREN_MAX];
    uint8_t characters[CHILDREN_MAX];
    uint8_t *e = m->compression + 8 * index;
    const unsigned full = m->format_1 ? 14 : 7;
    unsigned own = own_children(&n), beyond = n.children - own;
    unsigned needed = n.children + (beyond + full - 1) / full;
    if (m->next + needed > m->entries)
        n.children = own = beyond = needed = 0;
    m->symbols[m->symbol_count++] = (uint16_t)index;
    expansion_entry(m, index, &n);
    const unsigned first = n.children ? m->next : 0;
    m->next += needed;
    choose_characters(m, characters, n.children);
    for (unsigned k = 0; k < n.children; k++)
        plans[k] = make_child(m, &n, index, characters[k]);
    const unsigned twin = n.children > 1 && n.extensions ? 1 : 0;
    const unsigned count = beyond ? 6 - twin : own;
    e[0] = (uint8_t)(count << 5);
    e[1] = (uint8_t)((n.children <= 1 ? n.extensions << 5 : n.extensions ? 0x20u : 0) | first >> 8);
    e[2] = (uint8_t)first;
    memcpy(e + 3, n.text + n.length - n.extensions, n.extensions);
    for (unsigned k = 0; k < own; k++) {
        e[3 + n.extensions + k] = characters[k];
        if (plans[k].children || plans[k].extensions || below(m, 2))
            e[0] |= (uint8_t)(0x10u >> k);
    }
    for (unsigned k = 0; k < own; k++)
        make_entry(m, first + k, &plans[k]);
    if (beyond)
        make_siblings(m, index, &n, first + own, own, characters, plans);
}

unsigned dictionary_make(uint8_t *compression, uint8_t *expansion, unsigned size, bool format_1, uint64_t *random,
                         uint16_t symbols[8192], unsigned *symbol_count)
{
    struct making m = {.compression = compression,
                       .expansion = expansion,
                       .entries = 256u << size,
                       .next = 256,
                       .format_1 = format_1,
                       .random = random,
                       .symbols = symbols};
    for (unsigned c = 0; c < 256; c++) {
        struct node n = {.text = {(uint8_t)c}, .length = 1};
        if (c >= DICTIONARY_LETTER && c < DICTIONARY_LETTER + DICTIONARY_LETTERS)
            n.children = below(&m, CHILDREN_MAX);
        make_entry(&m, c, &n);
    }
    *symbol_count = m.symbol_count;
    return m.next;
}
