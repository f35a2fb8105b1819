/* SPDX-License-Identifier: GPL-3.0-or-later */
/* S/390 object decks: cards of 80 bytes, each with X'02' and ESD, TXT, RLD or END in EBCDIC in its first four bytes.
   Columns count from 1 in the descriptions of these cards, offsets from 0 here. Source: the object-module format that
   assemblers and linkage editors of this architecture document.

   One or several modules; each is moved as a whole from its assembled origin to its place, address constants follow. */
#include "ipl/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define CARD 80u

enum card_kind { CARD_ESD, CARD_TXT, CARD_RLD, CARD_END, CARD_SYM, CARD_UNKNOWN };
/* External-symbol types. */
enum { SD = 0, LD = 1, ER = 2, PC = 4, CM = 5, XD = 6, WX = 10 };

struct external {
    uint8_t name[8]; /* EBCDIC */
    uint8_t type;
    uint16_t id; /* 0 for LD */
    uint32_t address, length;
};

struct module {
    unsigned first, last; /* cards, last one is END */
    unsigned external, externals;
    uint32_t low, high; /* assembled extent */
    uint64_t place;     /* where `low` goes */
};

struct deck {
    const char *name;
    const uint8_t *bytes;
    unsigned cards;
    struct external *external;
    unsigned externals, external_room;
    struct module *module;
    unsigned modules;
    uint8_t *image;
    uint64_t origin, end;
    char *error;
    size_t size;
};

static const uint8_t *card_at(const struct deck *deck, unsigned n) { return deck->bytes + (size_t)n * CARD; }
static uint32_t get24(const uint8_t *p) { return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]; }

static enum card_kind kind_of(const uint8_t *card)
{
    static const uint8_t names[5][4] = {{0x02, 0xc5, 0xe2, 0xc4},
                                        {0x02, 0xe3, 0xe7, 0xe3},
                                        {0x02, 0xd9, 0xd3, 0xc4},
                                        {0x02, 0xc5, 0xd5, 0xc4},
                                        {0x02, 0xe2, 0xe8, 0xd4}};
    for (unsigned k = 0; k < 5; k++)
        if (!memcmp(card, names[k], 4))
            return (enum card_kind)k;
    return CARD_UNKNOWN;
}

bool ipl_is_deck(const uint8_t *bytes, uint64_t length) { return length >= CARD && kind_of(bytes) != CARD_UNKNOWN; }

static int MUST_USE fail_at(const struct deck *deck, unsigned card, const char *what)
{
    return fail_with(-ENOEXEC, deck->error, deck->size, "%s, card %u: %s; assemble it again", deck->name, card + 1,
                     what);
}

static struct external *find(const struct deck *deck, const struct module *module, uint16_t id)
{
    for (unsigned i = 0; i < module->externals; i++)
        if (deck->external[module->external + i].id == id && deck->external[module->external + i].type != LD)
            return &deck->external[module->external + i];
    return NULL;
}

/* Where a section or label is defined, over all modules. */
static bool find_name(const struct deck *deck, const uint8_t name[8], uint64_t *address)
{
    for (unsigned m = 0; m < deck->modules; m++) {
        const struct module *module = &deck->module[m];
        for (unsigned i = 0; i < module->externals; i++) {
            const struct external *e = &deck->external[module->external + i];
            if ((e->type == SD || e->type == LD) && !memcmp(e->name, name, 8)) {
                *address = module->place + (e->address - module->low);
                return true;
            }
        }
    }
    return false;
}

static int read_esd(struct deck *deck, struct module *module, unsigned n)
{
    const uint8_t *card = card_at(deck, n);
    unsigned count = get16(card + 10);
    uint16_t id = get16(card + 14);
    if (count % 16 || count > 48)
        return fail_at(deck, n, "an ESD card must hold 1 to 3 items of 16 bytes");
    for (unsigned at = 0; at < count; at += 16) {
        const uint8_t *p = card + 16 + at;
        struct external e = {.type = p[8], .address = get24(p + 9), .length = get24(p + 13)};
        memcpy(e.name, p, 8);
        if (e.type != LD)
            e.id = id++;
        if (deck->externals == deck->external_room) {
            unsigned room = deck->external_room * 2 + 64;
            struct external *more = realloc(deck->external, room * sizeof *more);
            if (!more)
                return fail_with(-ENOMEM, deck->error, deck->size, "%s: no memory on the host", deck->name);
            deck->external = more;
            deck->external_room = room;
        }
        if (e.type == SD || e.type == PC || e.type == CM) {
            module->low = e.address < module->low ? e.address : module->low;
            module->high = e.address + e.length > module->high ? e.address + e.length : module->high;
        }
        deck->external[deck->externals++] = e;
        module->externals++;
    }
    return 0;
}

static int measure_txt(const struct deck *deck, struct module *module, unsigned n)
{
    const uint8_t *card = card_at(deck, n);
    uint32_t address = get24(card + 5), count = get16(card + 10);
    if (count > 56)
        return fail_at(deck, n, "a TXT card must hold 1 to 56 bytes");
    module->low = address < module->low ? address : module->low;
    module->high = address + count > module->high ? address + count : module->high;
    return 0;
}

/* First pass: modules, external symbols, extents. */
static int survey(struct deck *deck)
{
    for (unsigned n = 0; n < deck->cards;) {
        struct module module = {.first = n, .external = deck->externals, .low = UINT32_MAX};
        int code = 0;
        for (; n < deck->cards; n++) {
            enum card_kind kind = kind_of(card_at(deck, n));
            if (kind == CARD_END)
                break;
            if (kind == CARD_UNKNOWN)
                code = fail_at(deck, n, "is none of ESD, TXT, RLD, SYM and END");
            else if (kind == CARD_ESD)
                code = read_esd(deck, &module, n);
            else if (kind == CARD_TXT)
                code = measure_txt(deck, &module, n);
            if (code)
                return code;
        }
        if (n == deck->cards)
            return fail_at(deck, n - 1, "the deck is cut short: no END card follows");
        module.last = n++;
        if (module.low == UINT32_MAX)
            module.low = 0;
        struct module *more = realloc(deck->module, (deck->modules + 1) * sizeof *more);
        if (!more)
            return fail_with(-ENOMEM, deck->error, deck->size, "%s: no memory on the host", deck->name);
        deck->module = more;
        deck->module[deck->modules++] = module;
    }
    return 0;
}

static uint8_t *at_place(const struct deck *deck, const struct module *module, uint32_t address, uint32_t length)
{
    if (address < module->low || address - module->low + (uint64_t)length > module->high - module->low)
        return NULL;
    return deck->image + (module->place - deck->origin) + (address - module->low);
}

static int load_txt(const struct deck *deck, const struct module *module, unsigned n)
{
    const uint8_t *card = card_at(deck, n);
    uint32_t address = get24(card + 5), count = get16(card + 10);
    const struct external *section = find(deck, module, get16(card + 14));
    if (!section || (section->type != SD && section->type != PC))
        return fail_at(deck, n, "its text belongs to no control section of this module");
    if (section->length && (address < section->address || address + count > section->address + section->length))
        return fail_at(deck, n, "its text lies outside its control section");
    memcpy(at_place(deck, module, address, count), card + 16, count);
    return 0;
}

/* One address constant: `by` is added or subtracted modulo the field's length. */
static void relocate(uint8_t *field, unsigned length, uint64_t by, bool subtract)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < length; i++)
        value = value << 8 | field[i];
    value = subtract ? value - by : value + by;
    for (unsigned i = length; i-- > 0; value >>= 8)
        field[i] = (uint8_t)value;
}

static int relocation_value(const struct deck *deck, const struct module *module, unsigned n, uint16_t id, uint64_t *by)
{
    const struct external *e = find(deck, module, id);
    if (!e)
        return fail_at(deck, n, "an RLD item names an external symbol that the module has not");
    if (e->type == SD || e->type == PC || e->type == CM) {
        *by = module->place - module->low;
        return 0;
    }
    *by = 0;
    if ((e->type == ER || e->type == WX) && (find_name(deck, e->name, by) || e->type == WX))
        return 0;
    return fail_at(deck, n, "an address constant refers to a symbol that no module of the deck defines");
}

static int load_rld(const struct deck *deck, const struct module *module, unsigned n)
{
    const uint8_t *card = card_at(deck, n), *p = card + 16;
    unsigned count = get16(card + 10);
    if (count > 56)
        return fail_at(deck, n, "an RLD card holds at most 56 bytes");
    const uint8_t *end = p + count;
    uint16_t r = 0;
    bool same = false;
    while (p < end) {
        if (!same) {
            if (end - p < 8)
                return fail_at(deck, n, "its last RLD item is cut short");
            r = get16(p);
            p += 4;
        } else if (end - p < 4) {
            return fail_at(deck, n, "its last RLD item is cut short");
        }
        uint8_t flags = p[0];
        unsigned length = (unsigned)(flags >> 2 & 3) + 1;
        uint8_t *field = at_place(deck, module, get24(p + 1), length);
        uint64_t by;
        if (flags & 0xe0)
            return fail_at(deck, n, "has a kind of address constant other than A and V, which zri does not relocate");
        if (!field)
            return fail_at(deck, n, "an address constant lies outside the module");
        int code = relocation_value(deck, module, n, r, &by);
        if (code)
            return code;
        relocate(field, length, by, flags & 2);
        same = flags & 1;
        p += 4;
    }
    return 0;
}

static int load_module(const struct deck *deck, const struct module *module)
{
    for (int pass = 0; pass < 2; pass++) /* all text before any relocation */
        for (unsigned n = module->first; n < module->last; n++) {
            enum card_kind kind = kind_of(card_at(deck, n));
            int code = kind == CARD_TXT && pass == 0   ? load_txt(deck, module, n)
                       : kind == CARD_RLD && pass == 1 ? load_rld(deck, module, n)
                                                       : 0;
            if (code)
                return code;
        }
    return 0;
}

static bool blank(const uint8_t *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (p[i] != 0x40)
            return false;
    return true;
}

/* The entry that an END card of the deck names: by address and section, or by name. */
static int find_entry(const struct deck *deck, bool *found, uint64_t *entry)
{
    *found = false;
    for (unsigned m = 0; m < deck->modules && !*found; m++) {
        const struct module *module = &deck->module[m];
        const uint8_t *card = card_at(deck, module->last);
        if (!blank(card + 5, 3)) {
            uint32_t address = get24(card + 5);
            if (address < module->low || address >= module->high)
                return fail_at(deck, module->last, "its entry address lies outside the module");
            *entry = module->place + (address - module->low);
            *found = true;
        } else if (!blank(card + 16, 8) && card[16]) {
            if (!find_name(deck, card + 16, entry))
                return fail_at(deck, module->last, "its entry symbol is defined nowhere in the deck");
            *found = true;
        }
    }
    return 0;
}

static char ascii_of(uint8_t c)
{
    if (c >= 0xf0 && c <= 0xf9)
        return (char)('0' + (c - 0xf0));
    if (c >= 0xc1 && c <= 0xc9)
        return (char)('A' + (c - 0xc1));
    if (c >= 0xd1 && c <= 0xd9)
        return (char)('J' + (c - 0xd1));
    if (c >= 0xe2 && c <= 0xe9)
        return (char)('S' + (c - 0xe2));
    return c == 0x5b ? '$' : c == 0x7b ? '#' : c == 0x7c ? '@' : c == 0x40 ? 0 : '_';
}

static int name_symbols(struct ipl_load *load, const struct deck *deck)
{
    for (unsigned m = 0; m < deck->modules; m++) {
        const struct module *module = &deck->module[m];
        for (unsigned i = 0; i < module->externals; i++) {
            const struct external *e = &deck->external[module->external + i];
            char name[9] = "";
            for (unsigned k = 0; k < 8 && (name[k] = ascii_of(e->name[k])); k++)
                ;
            if ((e->type != SD && e->type != LD) || !name[0])
                continue;
            if (ipl_symbols_add(load->staged, module->place + (e->address - module->low), e->type == SD ? e->length : 0,
                                name, true))
                return fail_with(-ENOMEM, deck->error, deck->size, "%s: no memory on the host", deck->name);
        }
    }
    return 0;
}

/* Give every module its place, and make the image. */
static int place(struct deck *deck, const struct ipl_request *request, uint64_t storage_size)
{
    uint64_t next = request->has_address ? request->address : deck->module[0].low;
    deck->origin = next;
    for (unsigned m = 0; m < deck->modules; m++) {
        struct module *module = &deck->module[m];
        uint64_t length = module->high > module->low ? module->high - module->low : 0;
        module->high = module->low + (uint32_t)length;
        module->place = next;
        if (next > storage_size || length > storage_size - next)
            return fail_with(-EFBIG, deck->error, deck->size,
                             "%s: %" PRIu64 " bytes at address %" PRIX64 " end beyond the machine's storage of %" PRIu64
                             " MiB; give it more with --storage or load it lower",
                             deck->name, length, next, storage_size >> 20);
        deck->end = next + length;
        next = (deck->end + 7) & ~UINT64_C(7);
    }
    if (deck->end == deck->origin)
        return fail_at(deck, deck->cards - 1, "the deck has no text");
    deck->image = calloc(1, deck->end - deck->origin);
    return deck->image ? 0 : fail_with(-ENOMEM, deck->error, deck->size, "%s: no memory on the host", deck->name);
}

static int build(struct ipl_load *load, struct deck *deck, const struct ipl_request *request)
{
    bool found;
    uint64_t entry = 0;
    int code = survey(deck);
    if (!code)
        code = place(deck, request, load->storage_size);
    for (unsigned m = 0; !code && m < deck->modules; m++)
        code = load_module(deck, &deck->module[m]);
    if (!code)
        code = find_entry(deck, &found, &entry);
    if (!code)
        code = name_symbols(load, deck);
    if (code)
        return code;
    uint8_t *image = deck->image;
    deck->image = NULL;
    code = ipl_piece(load, deck->name, deck->origin, image, deck->end - deck->origin, 0, true, deck->error, deck->size);
    if (!code)
        ipl_start(load, found || deck->origin ? IPL_START_ENTRY : IPL_START_PSW_AT_0, found ? entry : deck->origin);
    return code;
}

int ipl_deck(struct ipl_load *load, const struct ipl_request *request, const uint8_t *bytes, uint64_t length,
             char *error, size_t size)
{
    struct deck deck = {.name = request->path, .bytes = bytes, .error = error, .size = size};
    if (length % CARD || length == 0 || length / CARD > 1000000)
        return fail_with(-ENOEXEC, error, size,
                         "%s: has %" PRIu64 " bytes, and a deck consists of whole cards of 80; it is cut short, or was "
                         "transferred as text",
                         request->path, length);
    deck.cards = (unsigned)(length / CARD);
    int code = build(load, &deck, request);
    free(deck.external);
    free(deck.module);
    free(deck.image);
    return code;
}
