/* SPDX-License-Identifier: GPL-3.0-or-later */
/* COMPRESSION CALL. PoP chapter 7 (SA22-7832-13); dictionaries as in SA22-7208: an entry has eight bytes, entry n
   stands for symbol n, the first 256 are the alphabet. Compression walks from an alphabet entry down the tree of its
   children, as far as they match the characters that follow; expansion follows the predecessors of an entry up.

   Entropy encoding: instead of symbols of one length there are codewords of 1 to 16 bits. How many there are of each
   length stands in an entropy descriptor of sixteen halfwords, at the offset in general register 1. The codewords are
   given out in this order, the shorter ones first, each the next lower of its length. Behind the descriptor of a
   compression dictionary is the codeword of every entry, left-aligned in two bytes; an expansion dictionary has its
   entries in that order. The last codeword, zeros, belongs to no entry and ends a record. The book with that is not at
   hand; what was settled without it is marked with the word Reading. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

#define ENTRY        8u
#define CHILDREN_MAX 260u /* looked at for one symbol; also characters of a symbol */
#define ENTRIES_MAX  127u /* entries of one expanded symbol */

/* General register 0. */
#define EXPAND    0x00100u
#define FORMAT_1  0x00200u
#define TRANSLATE 0x10000u
#define ZERO_PAD  0x20000u
#define ENTROPY   0x80000u

#define PAD_BOUNDARY 256u /* the model-dependent one; a page has a whole number of them */

struct call {
    struct cpu *cpu;
    uint8_t r1, r2;
    bool format_1, translate, entropy;
    unsigned symbol_bits;      /* 9 to 13; of the current codeword */
    uint64_t dictionary, size; /* in bytes */
    uint64_t table;            /* symbol-translation table; entropy descriptor */
    uint32_t lowest[17]; /* of the codewords of up to n bits, left-aligned in 16; the codes behind it, above them */
    uint32_t before[17]; /* codewords of less than n bits */
    /* as of the last complete symbol */
    uint64_t to, room, from, left;
    unsigned bit;
};

static uint64_t wrap(const struct call *c, uint64_t address) { return address & c->cpu->address_mask; }

/* ---- compression entries ---------------------------------------------------------------------------------------- */

/* A compression entry taken apart. */
struct entry {
    uint8_t bytes[ENTRY];
    unsigned children;   /* in the entry itself, 0-5 */
    unsigned extensions; /* characters that must follow the child's own */
    bool more;           /* sibling descriptors follow the children */
    unsigned first;      /* index of the first child */
};

static int take_apart(struct entry *e)
{
    const unsigned count = e->bytes[0] >> 5;
    const bool twin = e->bytes[1] & 0x20; /* with two children or more: one extension character */
    e->extensions = count <= 1 ? e->bytes[1] >> 5 : twin;
    e->more = count > 1 && count + twin == 6;
    e->children = count - e->more;
    e->first = (e->bytes[1] & 0x1fu) << 8 | e->bytes[2];
    return e->children + e->extensions > 5 ? PIC_DATA : 0;
}

static int fetch_dictionary(struct call *c, uint64_t offset, void *to, unsigned length)
{
    return cpu_fetch_bytes(c->cpu, wrap(c, c->dictionary + offset), c->r2, to, length);
}

static int fetch_entry(struct call *c, unsigned index, struct entry *e)
{
    int code = fetch_dictionary(c, (uint64_t)index * ENTRY, e->bytes, ENTRY);
    return code ? code : take_apart(e);
}

static uint8_t child_character(const struct entry *e, unsigned n) { return e->bytes[3 + e->extensions + n]; }

/* What is known of the search for the longest match. */
struct search {
    struct entry at;
    unsigned index;    /* symbol of the match so far */
    uint64_t consumed; /* characters it stands for */
    unsigned looked_at;
    bool tested, stepped, ended;
};

/* Source character n of the symbol being formed; *end when the source is at its end. */
static int source(struct call *c, uint64_t n, uint8_t *character, bool *end)
{
    *end = n >= c->left;
    return *end ? 0 : cpu_fetch_bytes(c->cpu, wrap(c, c->from + n), c->r2, character, 1);
}

/* The character of child `index` matches. With `examine` its entry decides: its extension characters must match too. */
static int try_child(struct call *c, struct search *s, unsigned index, bool examine)
{
    struct entry child;
    s->tested = true;
    if (!examine) {
        s->index = index;
        s->consumed++;
        s->stepped = s->ended = true;
        return 0;
    }
    int code = fetch_entry(c, index, &child);
    for (unsigned n = 0; !code && n < child.extensions; n++) {
        uint8_t character;
        bool end;
        code = source(c, s->consumed + 1 + n, &character, &end);
        if (!code && (end || character != child.bytes[3 + n]))
            return 0;
    }
    if (code)
        return code;
    s->index = index;
    s->consumed += 1 + child.extensions;
    s->at = child;
    s->stepped = true;
    return 0;
}

/* Sibling descriptors behind the children of s->at. */
static int try_siblings(struct call *c, struct search *s, const struct entry *parent, uint8_t character)
{
    const unsigned own = c->format_1 ? 12 : 5, shift = c->format_1 ? 4 : 3, full = c->format_1 ? 14 : 7;
    unsigned at = parent->first + parent->children;
    for (bool first = true, more = true; more && !s->tested; first = false) {
        uint8_t d[16];
        int code = fetch_dictionary(c, (uint64_t)at * ENTRY, d, ENTRY);
        if (!code && c->format_1)
            code = fetch_dictionary(c, c->size + (uint64_t)at * ENTRY, d + ENTRY, ENTRY);
        if (code)
            return code;
        unsigned count = d[0] >> (8 - shift);
        more = count == (c->format_1 ? 15u : 0u);
        if (more)
            count = full;
        const uint8_t *characters = d + (c->format_1 ? 2 : 1);
        s->looked_at += count;
        if (s->looked_at > CHILDREN_MAX)
            return PIC_DATA;
        for (unsigned n = 0; n < count && !s->stepped; n++) {
            if (characters[n] != character) {
                if (s->tested)
                    return 0;
                continue;
            }
            /* Examine bits: the descriptor's own, then two of the parent for the first descriptor. */
            bool examine = n < own ? get16(d) & 0x8000u >> (shift + n)
                           : first ? parent->bytes[1] & 0x80u >> (n - own)
                                   : true;
            code = try_child(c, s, at + 1 + n, examine);
            if (code)
                return code;
        }
        at += count + 1;
    }
    return 0;
}

/* One step down from s->at with the next source character. s->stepped tells whether there was one. */
static int step(struct call *c, struct search *s)
{
    const struct entry parent = s->at;
    uint8_t character = 0;
    bool end;
    s->stepped = s->tested = false;
    s->looked_at = parent.children;
    if (!parent.children)
        return 0;
    int code = source(c, s->consumed, &character, &end);
    if (code || end)
        return code;
    for (unsigned n = 0; n < parent.children && !s->stepped; n++) {
        if (child_character(&parent, n) != character) {
            if (s->tested)
                return 0;
            continue;
        }
        code = try_child(c, s, parent.first + n, parent.bytes[0] & 0x10 >> n);
        if (code)
            return code;
    }
    return s->tested || !parent.more ? 0 : try_siblings(c, s, &parent, character);
}

/* ---- codewords -------------------------------------------------------------------------------------------------- */

#define DESCRIPTOR   32u   /* bytes */
#define INDICES      8192u /* entries that a dictionary can have */
#define WORD_LONGEST 16u

/* Take the entropy descriptor apart. It is no code when there are more codewords than bits for them: Reading. */
static int describe(struct call *c)
{
    uint8_t counts[DESCRIPTOR];
    uint32_t next = 1; /* of the codewords of n bits: one above the highest */
    int code = cpu_fetch_bytes(c->cpu, wrap(c, c->table), c->r2, counts, DESCRIPTOR);
    if (code)
        return code;
    c->lowest[0] = 1u << WORD_LONGEST;
    c->before[0] = 0;
    for (unsigned n = 1, total = 0; n <= WORD_LONGEST; n++) {
        const unsigned count = get16(counts + 2 * n - 2);
        next *= 2;
        if (count > next)
            return PIC_DATA;
        next -= count;
        c->lowest[n] = next << (WORD_LONGEST - n);
        c->before[n] = total;
        total += count;
    }
    return 0;
}

/* The number of bits of the codeword that 16 bits begin with; 0: of none. */
static unsigned codeword_bits(const struct call *c, uint32_t word)
{
    for (unsigned n = 1; n <= WORD_LONGEST; n++)
        if (word >= c->lowest[n])
            return n;
    return 0;
}

/* The symbol of an entry, right-aligned, and its length. Reading: a codeword that the descriptor has not is a data
   exception, and the symbol-translation option means nothing with entropy encoding. */
static int make_symbol(struct call *c, unsigned index, uint16_t *symbol)
{
    uint8_t pair[2];
    *symbol = (uint16_t)index;
    if (!c->translate && !c->entropy)
        return 0;
    const uint64_t at = c->table + (c->entropy ? DESCRIPTOR : 0) + 2 * (uint64_t)index;
    int code = cpu_fetch_bytes(c->cpu, wrap(c, at), c->r2, pair, 2);
    if (code)
        return code;
    *symbol = get16(pair);
    if (!c->entropy)
        return 0;
    c->symbol_bits = codeword_bits(c, *symbol);
    *symbol = (uint16_t)(*symbol >> (WORD_LONGEST - c->symbol_bits));
    return c->symbol_bits ? 0 : PIC_DATA;
}

/* Put a symbol at the bit position of the destination; the other bits of its bytes stay. */
static int put_symbol(struct call *c, uint16_t symbol)
{
    uint8_t bytes[3] = {0};
    const unsigned length = (c->bit + c->symbol_bits + 7) / 8, shift = 24 - c->symbol_bits - c->bit;
    const uint32_t mask = (1u << c->symbol_bits) - 1;
    int code = cpu_fetch_bytes(c->cpu, c->to, c->r1, bytes, length);
    if (code)
        return code;
    uint32_t word = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    word = (word & ~(mask << shift)) | (symbol & mask) << shift;
    for (unsigned n = 0; n < 3; n++)
        bytes[n] = (uint8_t)(word >> (16 - 8 * n));
    return cpu_store_bytes(c->cpu, c->to, c->r1, bytes, length);
}

/* Bits of compressed data were passed: the address, length and bit number of their operand. */
static void pass_bits(struct call *c, uint64_t *address, uint64_t *length)
{
    const unsigned bits = c->bit + c->symbol_bits;
    *address = wrap(c, *address + bits / 8);
    *length -= bits / 8;
    c->bit = bits % 8;
}

static bool has_symbol(const struct call *c, uint64_t length) { return (c->bit + c->symbol_bits + 7) / 8 <= length; }

/* One symbol. *end is set, with the condition code, when an operand is at its end. */
static int compress(struct call *c, bool *end)
{
    struct search s = {.consumed = 1};
    uint8_t character = 0;
    uint16_t symbol;
    c->cpu->cc = 0;
    int code = source(c, 0, &character, end);
    if (code || *end)
        return code;
    c->cpu->cc = 1;
    *end = !c->entropy && !has_symbol(c, c->room);
    if (*end)
        return 0;
    s.index = character;
    code = fetch_entry(c, character, &s.at);
    do
        code = code ? code : step(c, &s);
    while (!code && s.stepped && !s.ended);
    if (!code)
        code = make_symbol(c, s.index, &symbol);
    if (code)
        return code;
    *end = !has_symbol(c, c->room);
    if (!*end)
        code = put_symbol(c, symbol);
    if (code || *end)
        return code;
    c->from = wrap(c, c->from + s.consumed);
    c->left -= s.consumed;
    pass_bits(c, &c->to, &c->room);
    return 0;
}

/* ---- expansion -------------------------------------------------------------------------------------------------- */

static int put_characters(struct call *c, const uint8_t *characters, unsigned length, unsigned offset, bool *end)
{
    if (c->room < length + offset) {
        c->cpu->cc = 1;
        *end = true;
        return 0;
    }
    return cpu_store_bytes(c->cpu, wrap(c, c->to + offset), c->r1, characters, length);
}

/* Entry `index` and its predecessors. */
static int expand_entry(struct call *c, unsigned index, unsigned *written, bool *end)
{
    for (unsigned entries = 1; entries <= ENTRIES_MAX; entries++) {
        uint8_t e[ENTRY];
        int code = fetch_dictionary(c, (uint64_t)index * ENTRY, e, ENTRY);
        if (code)
            return code;
        const unsigned partial = e[0] >> 5, whole = e[0] & 7;
        const unsigned length = partial ? partial : whole;
        *written += length;
        if (partial > 5 || !length || *written > CHILDREN_MAX || (!partial && (e[0] & 0x18)))
            return PIC_DATA;
        if (!partial)
            return put_characters(c, e + 1, whole, 0, end);
        code = put_characters(c, e + 2, partial, e[7], end);
        if (code || *end)
            return code;
        index = (e[0] & 0x1fu) << 8 | e[1];
    }
    return PIC_DATA;
}

/* The next symbol of the second operand, as the index of its entry. *end: there is none. */
static int get_symbol(struct call *c, unsigned *index, bool *end)
{
    uint8_t bytes[3] = {0};
    const unsigned most = c->entropy ? WORD_LONGEST : c->symbol_bits;
    const unsigned length = (unsigned)cpu_least((c->bit + most + 7) / 8, c->left);
    *end = c->entropy ? !length : !has_symbol(c, c->left);
    if (*end)
        return 0;
    int code = cpu_fetch_bytes(c->cpu, c->from, c->r2, bytes, length);
    if (code)
        return code;
    const uint32_t word = ((uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]) << c->bit & 0xffffff;
    if (!c->entropy) {
        *index = word >> (24 - c->symbol_bits);
        return 0;
    }
    /* Bits that are no codeword end the operand when it has fewer than a codeword can have. */
    const unsigned n = codeword_bits(c, word >> 8);
    if (!n && 8 * length - c->bit >= WORD_LONGEST)
        return PIC_DATA;
    *end = !n || n > 8 * length - c->bit;
    if (*end)
        return 0;
    c->symbol_bits = n;
    *index = c->before[n] + ((c->lowest[n - 1] - 1 - (word >> 8)) >> (WORD_LONGEST - n));
    if (word >> (24 - n) == 0) { /* end of the record. Reading: its codeword is passed */
        pass_bits(c, &c->from, &c->left);
        *end = true;
        return 0;
    }
    return *index < INDICES ? 0 : PIC_DATA;
}

static int expand(struct call *c, bool *end)
{
    unsigned written = 0, index;
    c->cpu->cc = 0;
    int code = get_symbol(c, &index, end);
    if (code || *end)
        return code;
    if (index < 256 && !c->entropy) {
        const uint8_t character = (uint8_t)index;
        written = 1;
        code = put_characters(c, &character, 1, 0, end);
    } else {
        code = expand_entry(c, index, &written, end);
    }
    if (code || *end)
        return code;
    c->to = wrap(c, c->to + written);
    c->room -= written;
    pass_bits(c, &c->from, &c->left);
    return 0;
}

/* ---- zero padding ----------------------------------------------------------------------------------------------- */

/* Zeros behind the last byte that was stored, up to the next boundary, when the first operand reaches so far. Reading:
   an execution that stored nothing stores no zeros either; so they are in a page that was stored into before. */
static int pad(struct call *c, bool compressed)
{
    static const uint8_t zeros[PAD_BOUNDARY];
    uint64_t to = c->to, room = c->room;
    if (compressed && c->bit && room) { /* that byte has symbols in it */
        to = wrap(c, to + 1);
        room--;
    }
    const unsigned length = (unsigned)-to & (PAD_BOUNDARY - 1);
    return length && length <= room ? cpu_store_bytes(c->cpu, to, c->r1, zeros, length) : 0;
}

/* ---- the instruction -------------------------------------------------------------------------------------------- */

/* The registers show what was completed. */
static void commit(const struct call *c)
{
    struct cpu *cpu = c->cpu;
    set_gr_address(cpu, c->r1, c->to);
    set_gr_address(cpu, c->r1 + 1u, c->room);
    set_gr_address(cpu, c->r2, c->from);
    set_gr_address(cpu, c->r2 + 1u, c->left);
    cpu->gr[1] = (cpu->gr[1] & ~UINT64_C(7)) | c->bit;
}

/* COMPRESSION CALL: R1 and R1+1 the first operand and its length, R2 and R2+1 the second; general register 0 has the
   options, general register 1 the dictionary, the offset of the symbol-translation table or entropy descriptor and the
   bit number of the compressed operand. By the enhancement facility, bit 46 of general register 0 asks for zeros behind
   the result; bit 44 asks for entropy encoding. CC: 0 end of the second operand, 1 end of the first, 3 an amount that
   the CPU chose. Exceptions: specification (odd register, symbol size; Reading: with entropy encoding the size means
   nothing but where the second halves of sibling descriptors of format 1 are); data (dictionary); access. */
int cpu_cmpsc(struct cpu *cpu, const struct dis_insn *i)
{
    const uint32_t options = gr32(cpu, 0);
    const unsigned size = options >> 12 & 15;
    const bool entropy = (options & ENTROPY) && cpu_facility(cpu->sys, FACILITY_ENTROPY_ENCODING);
    if ((size < 1 || size > 5) && (!entropy || (options & FORMAT_1)))
        return PIC_SPECIFICATION;
    struct call c = {.cpu = cpu,
                     .r1 = i->r1,
                     .r2 = i->r2,
                     .format_1 = options & FORMAT_1,
                     .translate = options & TRANSLATE,
                     .entropy = entropy,
                     .symbol_bits = size + 8,
                     .size = UINT64_C(0x800) << size,
                     .dictionary = cpu_gr_address(cpu, 1) & ~UINT64_C(0xfff),
                     .to = cpu_gr_address(cpu, i->r1),
                     .room = cpu_gr_length(cpu, i->r1 + 1u),
                     .from = cpu_gr_address(cpu, i->r2),
                     .left = cpu_gr_length(cpu, i->r2 + 1u),
                     .bit = cpu->gr[1] & 7};
    c.table = c.dictionary + ((cpu->gr[1] & 0xff8) << 4);
    const uint64_t room = c.room, left = c.left;
    const uint8_t cc = cpu->cc;
    bool end = false;
    int code = entropy ? describe(&c) : 0;
    while (!code && !end && room - c.room < CPU_CC3_AMOUNT && left - c.left < CPU_CC3_AMOUNT)
        code = options & EXPAND ? expand(&c, &end) : compress(&c, &end);
    cpu_work(cpu, (room - c.room) + (left - c.left));
    if (!code && c.left != left && (options & ZERO_PAD) && cpu_facility(cpu->sys, FACILITY_CMPSCENH))
        code = pad(&c, !(options & EXPAND));
    if (code)
        cpu->cc = cc;
    else if (!end)
        cpu->cc = 3;
    commit(&c);
    cpu->dxc = code == PIC_DATA ? 0 : cpu->dxc;
    return code;
}
