/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL: operands, history and parameter block in storage, and the check value. PoP chapter 26
   (SA22-7832-13). */
#include "cpu/exec/assist/deflate.h"
#include "cpu/storage/access.h"

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

int deflate_transfer(struct cpu *cpu, uint64_t address, unsigned r, uint8_t *host, unsigned length, bool store)
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
    int code = deflate_transfer(c->cpu, c->buffer + at, c->buffer_r, host, first, store);
    return code ? code : deflate_transfer(c->cpu, c->buffer, c->buffer_r, host + first, length - first, store);
}

int deflate_fetch_history(struct deflate_call *c, const struct deflate_operand *before, uint8_t *window)
{
    if (c->circular)
        return circle(c, c->ho, window, c->hl, false);
    return deflate_transfer(c->cpu, before->address - c->hl, before->r, window, c->hl, false);
}

int deflate_store(struct deflate_call *c, const uint8_t *bytes, unsigned length)
{
    return deflate_transfer(c->cpu, c->to.address, c->to.r, (uint8_t *)(uintptr_t)bytes, length, true);
}

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
    cpu_work(cpu, (uint64_t)result->consumed + result->stored);
    put16(block + BLOCK_HL, (uint16_t)hl);
    put16(block + BLOCK_HO, (uint16_t)((get16(block + BLOCK_HO) & 0x8000) | (c->ho + total - hl) % DEFLATE_WINDOW));
    block[BLOCK_FLAGS] &= (uint8_t)~FLAG_NT;
    block[BLOCK_SBB] = (uint8_t)((block[BLOCK_SBB] & ~SBB) | result->sbb);
    block[BLOCK_OESC] = (uint8_t)c->oesc;
    int code = cpu_store_bytes(cpu, deflate_block_address(c), DEFLATE_PARAMETER, block, BLOCK_SIZE);
    if (code)
        return code;
    set_gr_address(cpu, c->to.r, cpu_wrap(cpu, c->to.address + result->stored));
    set_gr_address(cpu, c->to.r + 1, c->to.length - result->stored);
    set_gr_address(cpu, c->from.r, cpu_wrap(cpu, c->from.address + result->consumed));
    set_gr_address(cpu, c->from.r + 1, c->from.length - result->consumed);
    cpu->cc = result->cc;
    return 0;
}
