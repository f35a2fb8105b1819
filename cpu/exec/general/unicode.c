/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that convert between UTF-8, UTF-16 and UTF-32. PoP chapter 7 (SA22-7832-13).
   Of the conditions that end a conversion, an incomplete or absent character (CC 0) comes before an invalid one (CC 2),
   and that before the end of the first operand (CC 1), as far as each can be told from what was fetched. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

enum { M3_WELL_FORMED = 1 }; /* with the extended-translation-3 enhancement */

/* Outcome of looking at one character. */
enum { CHARACTER = 4, NO_MORE = 0, NO_ROOM = 1, INVALID = 2 };

/* What is left of the two operands. */
struct text {
    uint64_t to, to_length, from, from_length;
    uint8_t to_ar, from_ar;
    bool well_formed; /* check well-formedness */
};

/* One character as found, or as to be stored. */
struct glyph {
    uint32_t value;
    uint8_t bytes[4];
    unsigned length; /* in bytes */
    bool four;       /* UTF-8 of four bytes: two UTF-16 words whatever the value */
};

typedef int (*decoder)(struct cpu *cpu, const struct text *t, struct glyph *g, int *code);
typedef void (*encoder)(struct glyph *g);

/* Fetch the first g->length bytes at the source. Sets *code, returns NO_MORE when there are fewer. */
static int fetch_glyph(struct cpu *cpu, const struct text *t, struct glyph *g, int *code)
{
    if (t->from_length < g->length)
        return NO_MORE;
    *code = cpu_fetch_bytes(cpu, t->from, t->from_ar, g->bytes, g->length);
    return CHARACTER;
}

/* Length of a UTF-8 character by its first byte; 0 for an invalid one. */
static unsigned utf8_length(uint8_t first, bool well_formed)
{
    if (first < 0x80)
        return 1;
    if (first < (well_formed ? 0xc2 : 0xc0))
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < (well_formed ? 0xf5 : 0xf8) ? 4 : 0;
}

static int decode_8(struct cpu *cpu, const struct text *t, struct glyph *g, int *code)
{
    static const uint8_t first_bits[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    bool good = true;
    g->length = 1;
    if (t->from_length < 1)
        return NO_MORE;
    *code = cpu_fetch1(cpu, t->from, t->from_ar, &g->bytes[0]);
    if (*code)
        return CHARACTER;
    g->length = utf8_length(g->bytes[0], t->well_formed);
    if (!g->length)
        return INVALID;
    if (g->length > 1 && (fetch_glyph(cpu, t, g, code) == NO_MORE))
        return NO_MORE;
    if (*code)
        return CHARACTER;
    g->value = g->bytes[0] & first_bits[g->length];
    for (unsigned n = 1; n < g->length; n++) {
        good = good && (g->bytes[n] & 0xc0) == 0x80;
        g->value = g->value << 6 | (g->bytes[n] & 0x3f);
    }
    g->four = g->length == 4;
    good = good && g->value >= least[g->length] && g->value <= 0x10ffff && (g->value < 0xd800 || g->value > 0xdfff);
    return good || !t->well_formed ? CHARACTER : INVALID;
}

static int decode_16(struct cpu *cpu, const struct text *t, struct glyph *g, int *code)
{
    g->length = 2;
    if (fetch_glyph(cpu, t, g, code) == NO_MORE)
        return NO_MORE;
    if (*code)
        return CHARACTER;
    g->value = get16(g->bytes);
    if ((g->value & 0xfc00) != 0xd800)
        return CHARACTER;
    g->length = 4;
    if (fetch_glyph(cpu, t, g, code) == NO_MORE)
        return NO_MORE;
    uint32_t low = get16(g->bytes + 2);
    if (!*code && t->well_formed && (low & 0xfc00) != 0xdc00)
        return INVALID;
    g->value = 0x10000 + ((g->value & 0x3ff) << 10 | (low & 0x3ff));
    return CHARACTER;
}

static int decode_32(struct cpu *cpu, const struct text *t, struct glyph *g, int *code)
{
    g->length = 4;
    if (fetch_glyph(cpu, t, g, code) == NO_MORE)
        return NO_MORE;
    g->value = get32(g->bytes);
    return !*code && ((g->value >= 0xd800 && g->value <= 0xdbff) || g->value > 0x10ffff) ? INVALID : CHARACTER;
}

static void encode_8(struct glyph *g)
{
    static const uint8_t first_byte[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    uint32_t value = g->value;
    g->length = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    for (unsigned n = g->length - 1; n; n--, value >>= 6)
        g->bytes[n] = (uint8_t)(0x80 | (value & 0x3f));
    g->bytes[0] = (uint8_t)(first_byte[g->length] | value);
}

static void encode_16(struct glyph *g)
{
    g->length = 2;
    if (g->value < 0x10000 && !g->four) {
        put16(g->bytes, (uint16_t)g->value);
        return;
    }
    g->length = 4; /* the plane less one has four bits only, as in the book's scheme of bits */
    put16(g->bytes, (uint16_t)(0xd800 | ((g->value - 0x10000) >> 10 & 0x3ff)));
    put16(g->bytes + 2, (uint16_t)(0xdc00 | (g->value & 0x3ff)));
}

static void encode_32(struct glyph *g)
{
    g->length = 4;
    put32(g->bytes, g->value);
}

/* Convert characters until one of the conditions comes up; those before an access exception stay converted, with
   condition code 3. */
static int convert(struct cpu *cpu, const struct dis_insn *i, bool has_m3, decoder decode, encoder encode)
{
    struct text t = {.to = cpu_gr_address(cpu, i->r1),
                     .to_length = cpu_gr_length(cpu, i->r1 + 1u),
                     .from = cpu_gr_address(cpu, i->r2),
                     .from_length = cpu_gr_length(cpu, i->r2 + 1u),
                     .to_ar = i->r1,
                     .from_ar = i->r2,
                     .well_formed = has_m3 && (i->m3 & M3_WELL_FORMED) && cpu_facility(cpu->sys, FACILITY_ETF3ENH)};
    uint8_t cc = 3;
    unsigned done = 0;
    while (done < CPU_CC3_AMOUNT) {
        struct glyph g = {0};
        int code = 0, outcome = decode(cpu, &t, &g, &code);
        unsigned taken = g.length;
        if (!code && outcome == CHARACTER) {
            encode(&g);
            if (t.to_length < g.length)
                outcome = NO_ROOM;
            else
                code = cpu_store_bytes(cpu, t.to, t.to_ar, g.bytes, g.length);
        }
        if (code && !done)
            return code;
        if (code)
            break;
        if (outcome != CHARACTER) {
            cc = (uint8_t)outcome;
            break;
        }
        t.from = cpu_wrap(cpu, t.from + taken);
        t.from_length -= taken;
        t.to = cpu_wrap(cpu, t.to + g.length);
        t.to_length -= g.length;
        done += taken;
    }
    cpu_work(cpu, done);
    if (cc == 3 && !t.from_length)
        cc = NO_MORE;
    set_gr_address(cpu, i->r1, t.to);
    set_gr_address(cpu, i->r1 + 1u, t.to_length);
    set_gr_address(cpu, i->r2, t.from);
    set_gr_address(cpu, i->r2 + 1u, t.from_length);
    cpu->cc = cc;
    return 0;
}

/* CONVERT UTF-8 TO UTF-16 and the like: characters at R2 go, converted, to R1; lengths in bytes in R2+1 and R1+1. With
   bit 3 of M3 (UTF-8 and UTF-16 sources) ill-formed characters are invalid. CC: 0 second operand processed (but an
   incomplete character), 1 first operand full, 2 invalid character at R2, 3 not finished.
   Exceptions: operation; specification (R1 or R2 odd); access (fetch 2, store 1). */
int cpu_cu12(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, true, decode_8, encode_16); }
int cpu_cu14(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, true, decode_8, encode_32); }
int cpu_cu21(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, true, decode_16, encode_8); }
int cpu_cu24(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, true, decode_16, encode_32); }
int cpu_cu41(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, false, decode_32, encode_8); }
int cpu_cu42(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, false, decode_32, encode_16); }
