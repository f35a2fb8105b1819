/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL. PoP chapter 26 (SA22-7832-13). One execution processes at most 32 K bytes of uncompressed
   data, with copies of operands and history; then everything is stored, the parameter block and the registers last. */
#include "cpu/exec/assist/deflate.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

enum { QUERY = 0, GENERATE = 1, COMPRESS = 2, EXPAND = 4 };
enum { PARAMETER = 1 }; /* the general register with the address of the parameter block */

/* ---- check values ----------------------------------------------------------------------------------------------- */

/* CRC-32 by half bytes. */
static uint32_t crc32_of(uint32_t crc, const uint8_t *bytes, unsigned length)
{
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    crc = ~crc;
    for (unsigned n = 0; n < length; n++) {
        crc ^= bytes[n];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static uint32_t adler32_of(uint32_t adler, const uint8_t *bytes, unsigned length)
{
    enum { MODULUS = 65521, SAFE = 3800 };
    uint32_t a = adler & 0xffff, b = adler >> 16;
    for (unsigned n = 0; n < length;) {
        for (unsigned end = length - n < SAFE ? length : n + SAFE; n < end; n++) {
            a += bytes[n];
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    return b << 16 | a;
}

/* The CRC-32 is stored from its rightmost byte on, as in a gzip file. */
static void update_check(uint8_t *block, const uint8_t *bytes, unsigned length)
{
    const uint32_t value = get32(block + BLOCK_CV);
    if (block[BLOCK_FLAGS] & FLAG_CVT)
        put32(block + BLOCK_CV, adler32_of(value, bytes, length));
    else
        put32(block + BLOCK_CV, __builtin_bswap32(crc32_of(__builtin_bswap32(value), bytes, length)));
}

/* ---- storage ---------------------------------------------------------------------------------------------------- */

bool deflate_reach(struct deflate_operand *o, unsigned n)
{
    while (o->reached <= n && !o->fault) {
        const uint64_t address = cpu_wrap(o->cpu, o->address + o->reached);
        const unsigned part = (unsigned)cpu_least(cpu_page_left(address), o->length - o->reached);
        o->fault = cpu_test(o->cpu, address, o->r, part, o->kind);
        if (!o->fault)
            o->reached += part;
    }
    return o->reached > n;
}

/* Bytes between a host buffer and storage, any length. */
static int transfer(struct cpu *cpu, uint64_t address, unsigned r, uint8_t *host, unsigned length, bool store)
{
    for (unsigned n = 0, part; n < length; n += part) {
        const uint64_t at = cpu_wrap(cpu, address + n);
        part = (unsigned)cpu_least(cpu_page_left(at), length - n);
        int code = store ? cpu_store_bytes(cpu, at, r, host + n, part) : cpu_fetch_bytes(cpu, at, r, host + n, part);
        if (code)
            return code;
    }
    return 0;
}

/* Bytes from offset `at` of the circular history on. */
static int circle(struct deflate_call *c, unsigned at, uint8_t *host, unsigned length, bool store)
{
    at %= DEFLATE_WINDOW;
    const unsigned first = length < DEFLATE_WINDOW - at ? length : DEFLATE_WINDOW - at;
    int code = transfer(c->cpu, c->buffer + at, c->buffer_r, host, first, store);
    return code ? code : transfer(c->cpu, c->buffer, c->buffer_r, host + first, length - first, store);
}

int deflate_fetch_history(struct deflate_call *c, const struct deflate_operand *before, uint8_t *window)
{
    if (c->circular)
        return circle(c, c->ho, window, c->hl, false);
    return transfer(c->cpu, before->address - c->hl, before->r, window, c->hl, false);
}

int deflate_store(struct deflate_call *c, const uint8_t *bytes, unsigned length)
{
    return transfer(c->cpu, c->to.address, c->to.r, (uint8_t *)(uintptr_t)bytes, length, true);
}

static uint64_t block_address(const struct deflate_call *c) { return cpu_gr_address(c->cpu, PARAMETER); }

int deflate_commit(struct deflate_call *c, const struct deflate_result *result)
{
    struct cpu *cpu = c->cpu;
    uint8_t *block = c->block;
    const unsigned length = result->plain_length, total = c->hl + length;
    if (c->circular && length) {
        int code = circle(c, c->ho + c->hl, (uint8_t *)(uintptr_t)result->plain, length, true);
        if (code)
            return code;
    }
    const unsigned hl = total < DEFLATE_WINDOW ? total : DEFLATE_WINDOW;
    update_check(block, result->plain, length);
    put16(block + BLOCK_HL, (uint16_t)hl);
    put16(block + BLOCK_HO, (uint16_t)((get16(block + BLOCK_HO) & 0x8000) | (c->ho + total - hl) % DEFLATE_WINDOW));
    block[BLOCK_FLAGS] &= (uint8_t)~FLAG_NT;
    block[BLOCK_SBB] = (uint8_t)((block[BLOCK_SBB] & ~SBB) | result->sbb);
    block[BLOCK_OESC] = (uint8_t)c->oesc;
    int code = cpu_store_bytes(cpu, block_address(c), PARAMETER, block, BLOCK_SIZE);
    if (code)
        return code;
    set_gr_address(cpu, c->to.r, cpu_wrap(cpu, c->to.address + result->stored));
    set_gr_address(cpu, c->to.r + 1, c->to.length - result->stored);
    set_gr_address(cpu, c->from.r, cpu_wrap(cpu, c->from.address + result->consumed));
    set_gr_address(cpu, c->from.r + 1, c->from.length - result->consumed);
    cpu->cc = result->cc;
    return 0;
}

/* The operation cannot be done with this parameter block: it says why. */
static int refuse(struct deflate_call *c, unsigned oesc)
{
    const uint8_t byte = (uint8_t)oesc;
    int code = cpu_store_bytes(c->cpu, cpu_wrap(c->cpu, block_address(c) + BLOCK_OESC), PARAMETER, &byte, 1);
    return code ? code : cpu_data_exception(c->cpu, DXC_DECIMAL);
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

static int query(struct cpu *cpu)
{
    uint8_t block[32] = {0};
    put64(block, BIT64(QUERY) | BIT64(GENERATE) | BIT64(COMPRESS) | BIT64(EXPAND));
    block[24] = 0x80; /* parameter blocks of format 0 */
    int code = cpu_store_bytes(cpu, cpu_gr_address(cpu, PARAMETER), PARAMETER, block, sizeof block);
    if (!code)
        cpu->cc = 0;
    return code;
}

/* The table is made for the first bytes of the operand, as many as one execution would compress. */
static int generate(struct deflate_call *c)
{
    struct deflate_matcher matcher;
    const unsigned length = (unsigned)cpu_least(c->from.length, DEFLATE_AMOUNT);
    if (get16(c->block))
        return refuse(c, OESC_VERSION);
    if (!deflate_reach(&c->from, length - 1)) /* or the table would depend on which pages are there */
        return c->from.fault;
    int code = transfer(c->cpu, c->from.address, c->from.r, matcher.window, length, false);
    if (code)
        return code;
    deflate_match_begin(&matcher, 0, length);
    uint8_t *table = c->block + BLOCK_CDHT;
    const unsigned bits = deflate_make_table(&matcher, !(c->block[BLOCK_DHTGC] & DHTGC), table);
    put16(c->block + BLOCK_CDHTL, (uint16_t)((get16(c->block + BLOCK_CDHTL) & 0xf000) | bits));
    c->block[BLOCK_OESC] = 0;
    code = cpu_store_bytes(c->cpu, block_address(c), PARAMETER, c->block, BLOCK_TABLE_SIZE);
    if (!code)
        c->cpu->cc = 0;
    return code;
}

/* What both directions begin with: versions, history, check value. */
static int begin(struct deflate_call *c)
{
    uint8_t *block = c->block;
    c->resumed = block[BLOCK_CF] & CF;
    if ((block[BLOCK_FLAGS] & FLAG_NT) && !c->resumed) {
        put16(block + BLOCK_HL, 0);
        put16(block + BLOCK_HO, get16(block + BLOCK_HO) & 0x8000);
        put32(block + BLOCK_CV, block[BLOCK_FLAGS] & FLAG_CVT ? 1 : 0);
    }
    c->hl = get16(block + BLOCK_HL);
    c->ho = get16(block + BLOCK_HO) & 0x7fff;
    if (get16(block))
        return refuse(c, OESC_VERSION);
    if (c->hl > DEFLATE_WINDOW)
        return refuse(c, OESC_HISTORY_LENGTH);
    for (unsigned n = 0; c->circular && n < DEFLATE_WINDOW; n += PAGE_SIZE_Z) {
        int code = cpu_test(c->cpu, cpu_wrap(c->cpu, c->buffer + n), c->buffer_r, PAGE_SIZE_Z, CPU_UPDATE);
        if (code)
            return code;
    }
    return 0;
}

static bool pair(unsigned r) { return r && !(r & 1); }

/* Is anything in the registers not as the function needs it? */
static bool malformed(const struct deflate_call *c, unsigned function, unsigned r3)
{
    if (!pair(c->from.r))
        return true;
    if (function == GENERATE)
        return !c->from.length;
    if (!pair(c->to.r) || (c->circular && (r3 <= PARAMETER || (c->buffer & (PAGE_SIZE_Z - 1)))))
        return true;
    return function == COMPRESS && !c->to.length;
}

static struct deflate_operand operand(struct cpu *cpu, unsigned r, enum cpu_access_kind kind)
{
    struct deflate_operand o = {.cpu = cpu,
                                .r = r,
                                .kind = kind,
                                .address = cpu_gr_address(cpu, r),
                                .length = cpu_gr_length(cpu, (r + 1) & 15)};
    return o;
}

/* DEFLATE CONVERSION CALL: general register 0 has the function code (bits 57-63) and whether the history is in a
   circular buffer (bit 56), at the address in R3; general register 1 the parameter block; R1 and R1+1, R2 and R2+1 the
   operands. CC: 0 normal end; 1 the first operand is full; 2 the second is at its end, or (expansion) not valid: then
   the operation-ending-supplemental code is not zero; 3 an amount that the CPU chose. Exceptions: specification
   (function code, parameter block not on a doubleword, registers, no data); data with DXC 0 (parameter block); access.
 */
int cpu_dfltcc(struct cpu *cpu, const struct dis_insn *i)
{
    const unsigned function = (unsigned)cpu->gr[0] & 0x7f;
    struct deflate_call c = {.cpu = cpu,
                             .to = operand(cpu, i->r1, CPU_STORE),
                             .from = operand(cpu, i->r2, CPU_FETCH),
                             .circular = cpu->gr[0] & 0x80,
                             .buffer = cpu_gr_address(cpu, i->r3),
                             .buffer_r = i->r3};
    if ((function > COMPRESS && function != EXPAND) || (cpu_gr_address(cpu, PARAMETER) & 7))
        return PIC_SPECIFICATION;
    if (function == QUERY)
        return query(cpu);
    if (malformed(&c, function, i->r3))
        return PIC_SPECIFICATION;
    const unsigned size = function == GENERATE ? BLOCK_TABLE_SIZE : BLOCK_SIZE;
    int code = cpu_test(cpu, block_address(&c), PARAMETER, size, CPU_UPDATE);
    if (!code)
        code = cpu_fetch_bytes(cpu, block_address(&c), PARAMETER, c.block, size);
    if (code)
        return code;
    if (function == GENERATE)
        return generate(&c);
    if (!c.from.length && !(c.block[BLOCK_CF] & CF))
        return PIC_SPECIFICATION;
    code = begin(&c);
    if (!code)
        code = function == COMPRESS ? deflate_compress(&c) : deflate_expand(&c);
    return code == PIC_DATA && c.oesc ? refuse(&c, c.oesc) : code;
}
