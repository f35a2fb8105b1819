/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that convert between binary, packed and zoned, ASCII and Unicode decimal numbers; TEST DECIMAL.
   PoP chapters 7 and 8 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/numbers/packed.h"
#include "cpu/storage/operand.h"

enum { SIGN_PLUS = 0xc };

/* First operand for storing and second operand for fetching, lengths L1+1 and L2+1. */
static int operands(struct cpu *cpu, const struct dis_insn *i, struct cpu_operand *to, struct cpu_operand *from)
{
    int code = cpu_operand(cpu, cpu_ea2(cpu, i), i->b2, i->l2 + 1u, CPU_FETCH, from);
    return code ? code : cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, i->l1 + 1u, CPU_STORE, to);
}

/* The next result byte of PACK, from two bytes of the second operand that end at *source; of UNPACK, from half a byte:
 *byte is fetched once and serves two. */
static unsigned packed_byte(struct cpu_operand *from, int *source)
{
    unsigned right = *source >= 0 ? *cpu_operand_at(from, (unsigned)*source) & 15 : 0;
    unsigned left = *source >= 1 ? *cpu_operand_at(from, (unsigned)*source - 1) & 15 : 0;
    *source -= 2;
    return left << 4 | right;
}
static unsigned zoned_byte(struct cpu_operand *from, int *source, bool fetch, unsigned *byte)
{
    if (fetch) {
        *byte = *source >= 0 ? *cpu_operand_at(from, (unsigned)*source) : 0;
        --*source;
    } else {
        *byte >>= 4;
    }
    return 0xf0 | (*byte & 15);
}

/* PACK, UNPACK, right to left: the halves of the rightmost byte are exchanged; a result byte is stored before the bytes
   for the next one are fetched. */
static int pack_or_unpack(struct cpu *cpu, const struct dis_insn *i, bool pack)
{
    struct cpu_operand to, from;
    int code = operands(cpu, i, &to, &from);
    if (code)
        return code;
    unsigned byte = *cpu_operand_at(&from, i->l2);
    int source = i->l2 - 1;
    *cpu_operand_at(&to, i->l1) = (uint8_t)(byte << 4 | byte >> 4);
    for (int n = i->l1 - 1; n >= 0; n--) {
        unsigned result = pack ? packed_byte(&from, &source) : zoned_byte(&from, &source, (i->l1 - n) & 1, &byte);
        *cpu_operand_at(&to, (unsigned)n) = (uint8_t)result;
    }
    return 0;
}

/* PACK: zoned to packed. CC: unchanged. Exceptions: access (fetch 2, store 1). */
int cpu_pack(struct cpu *cpu, const struct dis_insn *i) { return pack_or_unpack(cpu, i, true); }

/* UNPACK: packed to zoned. CC: unchanged. Exceptions: access (fetch 2, store 1). */
int cpu_unpk(struct cpu *cpu, const struct dis_insn *i) { return pack_or_unpack(cpu, i, false); }

/* PKA, PKU: characters of `unit` bytes, the digits in their right halves, to 31 digits with a plus sign. */
static int pack_characters(struct cpu *cpu, const struct dis_insn *i, unsigned unit)
{
    uint8_t from[64], to[16] = {0};
    unsigned length = i->l2 + 1u;
    if (length > 32 * unit || length % unit)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, from, length);
    if (code)
        return code;
    to[15] = SIGN_PLUS;
    for (unsigned digit = 1; digit < 32 && digit * unit <= length; digit++) {
        unsigned value = from[length - (digit - 1) * unit - 1] & 15u;
        to[15 - digit / 2] = (uint8_t)(to[15 - digit / 2] | (digit & 1 ? value << 4 : value));
    }
    return cpu_store_bytes(cpu, cpu_ea1(cpu, i), i->b1, to, sizeof to);
}

/* PACK ASCII: second operand of 1-32 bytes to a packed number of 16 bytes. CC: unchanged. Exceptions: operation;
   specification (L2 above 31); access (fetch 2, store 1). */
int cpu_pka(struct cpu *cpu, const struct dis_insn *i) { return pack_characters(cpu, i, 1); }

/* PACK UNICODE: second operand of 2-64 bytes to a packed number of 16 bytes. CC: unchanged. Exceptions: operation;
   specification (L2 above 63 or even); access (fetch 2, store 1). */
int cpu_pku(struct cpu *cpu, const struct dis_insn *i) { return pack_characters(cpu, i, 2); }

/* UNPKA, UNPKU: 31 digits to characters of `unit` bytes. */
static int unpack_characters(struct cpu *cpu, const struct dis_insn *i, unsigned unit)
{
    uint8_t from[16], to[64] = {0};
    unsigned length = i->l1 + 1u;
    if (length > 32 * unit || length % unit)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, from, sizeof from);
    if (code)
        return code;
    for (unsigned digit = 1; digit * unit <= length; digit++) {
        unsigned value = digit == 32 ? 0 : from[15 - digit / 2] >> (digit & 1 ? 4 : 0) & 15;
        to[length - (digit - 1) * unit - 1] = (uint8_t)(0x30 | value);
    }
    code = cpu_store_bytes(cpu, cpu_ea1(cpu, i), i->b1, to, length);
    if (code)
        return code;
    unsigned sign = from[15] & 15;
    cpu->cc = !packed_sign_valid(sign) ? 3 : packed_sign_minus(sign) ? 1 : 0;
    return 0;
}

/* UNPACK ASCII: packed number of 16 bytes to 1-32 characters. CC: 0 plus, 1 minus, 3 sign not valid. Exceptions:
   operation; specification (L1 above 31); access (fetch 2, store 1). */
int cpu_unpka(struct cpu *cpu, const struct dis_insn *i) { return unpack_characters(cpu, i, 1); }

/* UNPACK UNICODE: packed number of 16 bytes to 1-32 two-byte characters. CC: as UNPACK ASCII. Exceptions: operation;
   specification (L1 above 63 or even); access (fetch 2, store 1). */
int cpu_unpku(struct cpu *cpu, const struct dis_insn *i) { return unpack_characters(cpu, i, 2); }

/* Value of the second operand, a packed number of n bytes (at most 16). Data exception: a digit or the sign is not
   valid. */
static int MUST_USE fetch_packed(struct cpu *cpu, const struct dis_insn *i, unsigned n, __int128 *value)
{
    uint8_t bytes[16];
    struct packed p;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, n);
    if (code)
        return code;
    if (!packed_get(bytes, n, &p))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    *value = p.minus ? -(__int128)p.magnitude : (__int128)p.magnitude;
    return 0;
}

/* CONVERT TO BINARY (32): packed number of 8 bytes to bits 32-63 of R1; of a number that is too large the rightmost 32
   bits are put there. CC: unchanged. Exceptions: access (fetch 2); data; fixed-point divide (too large). */
int cpu_cvb(struct cpu *cpu, const struct dis_insn *i)
{
    __int128 value;
    int code = fetch_packed(cpu, i, 8, &value);
    if (code)
        return code;
    set_gr32(cpu, i->r1, (uint32_t)value);
    return value < INT32_MIN || value > INT32_MAX ? PIC_FIXED_POINT_DIVIDE : 0;
}
int cpu_cvby(struct cpu *cpu, const struct dis_insn *i) { return cpu_cvb(cpu, i); }

/* CONVERT TO BINARY (64): packed number of 16 bytes to R1. CC: unchanged. Exceptions: access (fetch 2); data;
   fixed-point divide (too large; suppressed). */
int cpu_cvbg(struct cpu *cpu, const struct dis_insn *i)
{
    __int128 value;
    int code = fetch_packed(cpu, i, 16, &value);
    if (code)
        return code;
    if (value < INT64_MIN || value > INT64_MAX)
        return PIC_FIXED_POINT_DIVIDE;
    cpu->gr[i->r1] = (uint64_t)value;
    return 0;
}

/* Packed number of n bytes, enough for it, with the preferred sign. */
static void make_packed(int64_t value, uint8_t *bytes, unsigned n)
{
    struct packed p = {value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0};
    (void)packed_put(&p, bytes, n);
}

/* CONVERT TO DECIMAL (32): bits 32-63 of R1 to a packed number of 8 bytes. CC: unchanged. Exceptions: access (store
   2). */
int cpu_cvd(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[8];
    make_packed((int32_t)gr32(cpu, i->r1), bytes, sizeof bytes);
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, sizeof bytes);
}
int cpu_cvdy(struct cpu *cpu, const struct dis_insn *i) { return cpu_cvd(cpu, i); }

/* CONVERT TO DECIMAL (64): R1 to a packed number of 16 bytes. CC: unchanged. Exceptions: access (store 2). */
int cpu_cvdg(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[16];
    make_packed((int64_t)cpu->gr[i->r1], bytes, sizeof bytes);
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, sizeof bytes);
}

/* TEST DECIMAL: L1+1 bytes. CC: 0 all valid, 1 sign not valid, 2 a digit not valid, 3 both. Exceptions: operation;
   access (fetch 1). */
int cpu_tp(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[16];
    unsigned length = i->l1 + 1u, bad_digit = 0;
    int code = cpu_fetch_bytes(cpu, cpu_ea1(cpu, i), i->b1, bytes, length);
    if (code)
        return code;
    for (unsigned k = 0; k < 2 * length - 1; k++)
        bad_digit |= (bytes[k / 2] >> (k & 1 ? 0 : 4) & 15) > 9;
    cpu->cc = (uint8_t)(bad_digit << 1 | !packed_sign_valid(bytes[length - 1] & 15));
    return 0;
}
