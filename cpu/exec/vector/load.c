/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector loads and stores. PoP chapter 21 (SA22-7832-13). The engine has checked the vector enablement. None of these
   changes the condition code. Exceptions of all of them: operation, data (DXC X'FE'), access for the storage operand,
   specification where a mask or register is not valid. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/element.h"

static int fetch16(struct cpu *cpu, uint64_t address, unsigned ar, struct vector_register *to)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    uint8_t bytes[16];
    const uint8_t *from = bytes;
    if (LIKELY(e->read == (address & PAGE_ADDRESS) && cpu_page_left(address) >= 16)) {
        from = (const uint8_t *)(address + e->host);
    } else {
        int code = cpu_fetch_bytes(cpu, address, ar, bytes, 16);
        if (code)
            return code;
    }
    *to = (struct vector_register){get64(from), get64(from + 8)};
    return 0;
}

static int store16(struct cpu *cpu, uint64_t address, unsigned ar, const struct vector_register *from)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (LIKELY(e->write == (address & PAGE_ADDRESS) && cpu_page_left(address) >= 16)) {
        put64((uint8_t *)(address + e->host), from->hi);
        put64((uint8_t *)(address + e->host) + 8, from->lo);
        return 0;
    }
    uint8_t bytes[16];
    put64(bytes, from->hi);
    put64(bytes + 8, from->lo);
    return cpu_store_bytes(cpu, address, ar, bytes, 16);
}

/* VECTOR LOAD, VECTOR STORE: 16 bytes; the alignment hint in M3 is not used. */
int cpu_vl(struct cpu *cpu, const struct dis_insn *i) { return fetch16(cpu, cpu_ea2(cpu, i), i->b2, &cpu->vr[i->r1]); }
int cpu_vst(struct cpu *cpu, const struct dis_insn *i) { return store16(cpu, cpu_ea2(cpu, i), i->b2, &cpu->vr[i->r1]); }
int cpu_vlr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->vr[i->r1] = cpu->vr[i->r2];
    return 0;
}

/* VECTOR LOAD MULTIPLE, VECTOR STORE MULTIPLE: V1 to V3, at most 16 and without wrap, else specification. */
static bool bad_range(const struct dis_insn *i) { return i->r3 < i->r1 || i->r3 - i->r1 >= 16; }
int cpu_vlm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[256];
    if (bad_range(i))
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, 16 * (i->r3 - i->r1 + 1u));
    if (code)
        return code;
    for (unsigned v = i->r1; v <= i->r3; v++)
        vector_set(cpu, v, vector_from_bytes(bytes + 16 * (v - i->r1)));
    return 0;
}
int cpu_vstm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[256];
    if (bad_range(i))
        return PIC_SPECIFICATION;
    for (unsigned v = i->r1; v <= i->r3; v++) {
        union vector value = vector_get(cpu, v);
        vector_to_bytes(&value, bytes + 16 * (v - i->r1));
    }
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, 16 * (i->r3 - i->r1 + 1u));
}

/* ---- one element ------------------------------------------------------------------------------------------------ */

static uint64_t reversed(uint64_t value, unsigned size) { return __builtin_bswap64(value) >> (64 - (8u << size)); }

static int fetch_element(struct cpu *cpu, uint64_t address, unsigned ar, unsigned size, uint64_t *value)
{
    uint8_t byte;
    uint16_t halfword;
    uint32_t word;
    int code;
    switch (size) {
    case VECTOR_BYTE:
        code = cpu_fetch1(cpu, address, ar, &byte);
        *value = code ? 0 : byte;
        return code;
    case VECTOR_HALFWORD:
        code = cpu_fetch2(cpu, address, ar, &halfword);
        *value = code ? 0 : halfword;
        return code;
    case VECTOR_WORD:
        code = cpu_fetch4(cpu, address, ar, &word);
        *value = code ? 0 : word;
        return code;
    default:
        return cpu_fetch8(cpu, address, ar, value);
    }
}

static int store_element(struct cpu *cpu, uint64_t address, unsigned ar, unsigned size, uint64_t value)
{
    switch (size) {
    case VECTOR_BYTE:
        return cpu_store1(cpu, address, ar, (uint8_t)value);
    case VECTOR_HALFWORD:
        return cpu_store2(cpu, address, ar, (uint16_t)value);
    case VECTOR_WORD:
        return cpu_store4(cpu, address, ar, (uint32_t)value);
    default:
        return cpu_store8(cpu, address, ar, value);
    }
}

/* VECTOR LOAD ELEMENT, VECTOR LOAD BYTE REVERSED ELEMENT: element M3 alone changes. */
static int load_element(struct cpu *cpu, const struct dis_insn *i, unsigned size, bool reverse)
{
    uint64_t value;
    if (i->m3 >= vector_count(size))
        return PIC_SPECIFICATION;
    int code = fetch_element(cpu, cpu_ea2(cpu, i), i->b2, size, &value);
    if (code)
        return code;
    union vector v = vector_get(cpu, i->r1);
    vector_set_element(&v, size, i->m3, reverse ? reversed(value, size) : value);
    vector_set(cpu, i->r1, v);
    return 0;
}
int cpu_vleb(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_BYTE, false); }
int cpu_vleh(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_HALFWORD, false); }
int cpu_vlef(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_WORD, false); }
int cpu_vleg(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_DOUBLEWORD, false); }
int cpu_vlebrh(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_HALFWORD, true); }
int cpu_vlebrf(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_WORD, true); }
int cpu_vlebrg(struct cpu *cpu, const struct dis_insn *i) { return load_element(cpu, i, VECTOR_DOUBLEWORD, true); }

/* VECTOR STORE ELEMENT, VECTOR STORE BYTE REVERSED ELEMENT: element M3. */
static int store_from(struct cpu *cpu, const struct dis_insn *i, unsigned size, bool reverse)
{
    if (i->m3 >= vector_count(size))
        return PIC_SPECIFICATION;
    union vector v = vector_get(cpu, i->r1);
    uint64_t value = vector_element(&v, size, i->m3);
    return store_element(cpu, cpu_ea2(cpu, i), i->b2, size, reverse ? reversed(value, size) : value);
}
int cpu_vsteb(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_BYTE, false); }
int cpu_vsteh(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_HALFWORD, false); }
int cpu_vstef(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_WORD, false); }
int cpu_vsteg(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_DOUBLEWORD, false); }
int cpu_vstebrh(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_HALFWORD, true); }
int cpu_vstebrf(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_WORD, true); }
int cpu_vstebrg(struct cpu *cpu, const struct dis_insn *i) { return store_from(cpu, i, VECTOR_DOUBLEWORD, true); }

/* VECTOR LOAD ELEMENT IMMEDIATE: I2, sign-extended, to element M3. */
static int load_immediate(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    if (i->m3 >= vector_count(size))
        return PIC_SPECIFICATION;
    union vector v = vector_get(cpu, i->r1);
    vector_set_element(&v, size, i->m3, (uint64_t)i->i2);
    vector_set(cpu, i->r1, v);
    return 0;
}
int cpu_vleib(struct cpu *cpu, const struct dis_insn *i) { return load_immediate(cpu, i, VECTOR_BYTE); }
int cpu_vleih(struct cpu *cpu, const struct dis_insn *i) { return load_immediate(cpu, i, VECTOR_HALFWORD); }
int cpu_vleif(struct cpu *cpu, const struct dis_insn *i) { return load_immediate(cpu, i, VECTOR_WORD); }
int cpu_vleig(struct cpu *cpu, const struct dis_insn *i) { return load_immediate(cpu, i, VECTOR_DOUBLEWORD); }

static union vector replicated(unsigned size, uint64_t value)
{
    union vector v = {0};
    for (unsigned e = 0; e < vector_count(size); e++)
        vector_set_element(&v, size, e, value);
    return v;
}

/* VECTOR LOAD AND REPLICATE, VECTOR LOAD BYTE REVERSED ELEMENT AND REPLICATE: M3 is the size. */
static int load_replicate(struct cpu *cpu, const struct dis_insn *i, bool reverse)
{
    uint64_t value;
    if (i->m3 > VECTOR_DOUBLEWORD || (reverse && i->m3 == VECTOR_BYTE))
        return PIC_SPECIFICATION;
    int code = fetch_element(cpu, cpu_ea2(cpu, i), i->b2, i->m3, &value);
    if (code)
        return code;
    vector_set(cpu, i->r1, replicated(i->m3, reverse ? reversed(value, i->m3) : value));
    return 0;
}
int cpu_vlrep(struct cpu *cpu, const struct dis_insn *i) { return load_replicate(cpu, i, false); }
int cpu_vlbrrep(struct cpu *cpu, const struct dis_insn *i) { return load_replicate(cpu, i, true); }

/* VECTOR LOAD LOGICAL ELEMENT AND ZERO, VECTOR LOAD BYTE REVERSED ELEMENT AND ZERO: to the right of the left
   doubleword; M3 = 6 (vector enhancements 1): a word to its left. */
static int load_zero(struct cpu *cpu, const struct dis_insn *i, bool reverse)
{
    const bool left = i->m3 == 6;
    unsigned size = left ? VECTOR_WORD : i->m3;
    uint64_t value;
    if (size > VECTOR_DOUBLEWORD || (reverse && size == VECTOR_BYTE) ||
        (left && !cpu_facility(cpu->sys, FACILITY_VECENH1)))
        return PIC_SPECIFICATION;
    int code = fetch_element(cpu, cpu_ea2(cpu, i), i->b2, size, &value);
    if (code)
        return code;
    if (reverse)
        value = reversed(value, size);
    cpu->vr[i->r1] = (struct vector_register){left ? value << 32 : value, 0};
    return 0;
}
int cpu_vllez(struct cpu *cpu, const struct dis_insn *i) { return load_zero(cpu, i, false); }
int cpu_vllebrz(struct cpu *cpu, const struct dis_insn *i) { return load_zero(cpu, i, true); }

/* ---- all elements, in another order ----------------------------------------------------------------------------- */

/* The bytes of every element in reversed order. */
static union vector bytes_reversed(union vector v, unsigned size)
{
    if (size == VECTOR_QUADWORD)
        return (union vector){.g = {__builtin_bswap64(v.g[1]), __builtin_bswap64(v.g[0])}};
    union vector r = {0};
    for (unsigned e = 0; e < vector_count(size); e++)
        vector_set_element(&r, size, e, reversed(vector_element(&v, size, e), size));
    return r;
}

/* The elements in reversed order. */
static union vector elements_reversed(union vector v, unsigned size)
{
    union vector r = {0};
    for (unsigned e = 0, n = vector_count(size); e < n; e++)
        vector_set_element(&r, size, n - 1 - e, vector_element(&v, size, e));
    return r;
}

/* VECTOR LOAD BYTE REVERSED ELEMENTS, VECTOR STORE BYTE REVERSED ELEMENTS: M3 is the size, not a byte. VECTOR LOAD
   ELEMENTS REVERSED, VECTOR STORE ELEMENTS REVERSED: neither a byte nor a quadword. */
static int load_reversed(struct cpu *cpu, const struct dis_insn *i, unsigned last,
                         union vector (*order)(union vector, unsigned))
{
    struct vector_register r;
    if (i->m3 < VECTOR_HALFWORD || i->m3 > last)
        return PIC_SPECIFICATION;
    int code = fetch16(cpu, cpu_ea2(cpu, i), i->b2, &r);
    if (code)
        return code;
    cpu->vr[i->r1] = r;
    vector_set(cpu, i->r1, order(vector_get(cpu, i->r1), i->m3));
    return 0;
}
static int store_reversed(struct cpu *cpu, const struct dis_insn *i, unsigned last,
                          union vector (*order)(union vector, unsigned))
{
    uint8_t bytes[16];
    if (i->m3 < VECTOR_HALFWORD || i->m3 > last)
        return PIC_SPECIFICATION;
    union vector v = order(vector_get(cpu, i->r1), i->m3);
    vector_to_bytes(&v, bytes);
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, 16);
}
int cpu_vlbr(struct cpu *cpu, const struct dis_insn *i)
{
    return load_reversed(cpu, i, VECTOR_QUADWORD, bytes_reversed);
}
int cpu_vler(struct cpu *cpu, const struct dis_insn *i)
{
    return load_reversed(cpu, i, VECTOR_DOUBLEWORD, elements_reversed);
}
int cpu_vstbr(struct cpu *cpu, const struct dis_insn *i)
{
    return store_reversed(cpu, i, VECTOR_QUADWORD, bytes_reversed);
}
int cpu_vster(struct cpu *cpu, const struct dis_insn *i)
{
    return store_reversed(cpu, i, VECTOR_DOUBLEWORD, elements_reversed);
}

/* ---- gather and scatter ----------------------------------------------------------------------------------------- */

/* Address of the element: element M3 of V2 is the index. */
static uint64_t indexed(const struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    union vector index = vector_get(cpu, i->x2);
    uint64_t base = i->b2 ? cpu->gr[i->b2] : 0;
    return (base + vector_element(&index, size, i->m3) + (uint64_t)(int64_t)i->d2) & cpu->address_mask;
}

static int gather(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    uint64_t value;
    if (i->m3 >= vector_count(size))
        return PIC_SPECIFICATION;
    int code = fetch_element(cpu, indexed(cpu, i, size), i->b2, size, &value);
    if (code)
        return code;
    union vector v = vector_get(cpu, i->r1);
    vector_set_element(&v, size, i->m3, value);
    vector_set(cpu, i->r1, v);
    return 0;
}
int cpu_vgef(struct cpu *cpu, const struct dis_insn *i) { return gather(cpu, i, VECTOR_WORD); }
int cpu_vgeg(struct cpu *cpu, const struct dis_insn *i) { return gather(cpu, i, VECTOR_DOUBLEWORD); }

static int scatter(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    if (i->m3 >= vector_count(size))
        return PIC_SPECIFICATION;
    union vector v = vector_get(cpu, i->r1);
    return store_element(cpu, indexed(cpu, i, size), i->b2, size, vector_element(&v, size, i->m3));
}
int cpu_vscef(struct cpu *cpu, const struct dis_insn *i) { return scatter(cpu, i, VECTOR_WORD); }
int cpu_vsceg(struct cpu *cpu, const struct dis_insn *i) { return scatter(cpu, i, VECTOR_DOUBLEWORD); }

/* ---- with length ------------------------------------------------------------------------------------------------ */

/* Load `length` bytes (1-16) beginning at byte `at`; all other bytes zero. */
static int load_some(struct cpu *cpu, const struct dis_insn *i, unsigned at, unsigned length)
{
    uint8_t bytes[16] = {0};
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes + at, length);
    if (code)
        return code;
    vector_set(cpu, i->r1, vector_from_bytes(bytes));
    return 0;
}
static int store_some(struct cpu *cpu, const struct dis_insn *i, unsigned at, unsigned length)
{
    uint8_t bytes[16];
    union vector v = vector_get(cpu, i->r1);
    vector_to_bytes(&v, bytes);
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes + at, length);
}
/* Bytes by the highest index in a general register. */
static unsigned length_in(const struct cpu *cpu, unsigned r) { return gr32(cpu, r) > 15 ? 16 : gr32(cpu, r) + 1; }

/* VECTOR LOAD TO BLOCK BOUNDARY: bytes up to the next boundary of 64 << M3 bytes. */
int cpu_vlbb(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > 6)
        return PIC_SPECIFICATION;
    unsigned block = 64u << i->m3, left = block - (unsigned)(cpu_ea2(cpu, i) & (block - 1));
    return load_some(cpu, i, 0, left < 16 ? left : 16);
}

/* VECTOR LOAD WITH LENGTH, VECTOR STORE WITH LENGTH: the highest byte index is in R3. */
int cpu_vll(struct cpu *cpu, const struct dis_insn *i) { return load_some(cpu, i, 0, length_in(cpu, i->r3)); }
int cpu_vstl(struct cpu *cpu, const struct dis_insn *i) { return store_some(cpu, i, 0, length_in(cpu, i->r3)); }

/* VECTOR LOAD RIGHTMOST WITH LENGTH, VECTOR STORE RIGHTMOST WITH LENGTH: the highest byte index is I3 (at most 15) or
   in R3. */
int cpu_vlrl(struct cpu *cpu, const struct dis_insn *i)
{
    return i->i3 > 15 ? PIC_SPECIFICATION : load_some(cpu, i, 15u - i->i3, i->i3 + 1u);
}
int cpu_vstrl(struct cpu *cpu, const struct dis_insn *i)
{
    return i->i3 > 15 ? PIC_SPECIFICATION : store_some(cpu, i, 15u - i->i3, i->i3 + 1u);
}
int cpu_vlrlr(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned length = length_in(cpu, i->r3);
    return load_some(cpu, i, 16 - length, length);
}
int cpu_vstrlr(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned length = length_in(cpu, i->r3);
    return store_some(cpu, i, 16 - length, length);
}
