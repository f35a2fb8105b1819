/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL. PoP chapter 26 (SA22-7832-13). One execution processes at most 32 K bytes of uncompressed
   data, with copies of operands and history; then everything is stored, the parameter block and the registers last. */
#include "cpu/exec/assist/deflate.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

enum { QUERY = 0, GENERATE = 1, COMPRESS = 2, EXPAND = 4 };

/* The operation cannot be done with this parameter block: it says why. */
static int refuse(struct deflate_call *c, unsigned oesc)
{
    const uint8_t byte = (uint8_t)oesc;
    int code =
        cpu_store_bytes(c->cpu, cpu_wrap(c->cpu, deflate_block_address(c) + BLOCK_OESC), DEFLATE_PARAMETER, &byte, 1);
    return code ? code : cpu_data_exception(c->cpu, DXC_DECIMAL);
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

static int query(struct cpu *cpu)
{
    uint8_t block[32] = {0};
    put64(block, BIT64(QUERY) | BIT64(GENERATE) | BIT64(COMPRESS) | BIT64(EXPAND));
    block[24] = 0x80; /* parameter blocks of format 0 */
    int code = cpu_store_bytes(cpu, cpu_gr_address(cpu, DEFLATE_PARAMETER), DEFLATE_PARAMETER, block, sizeof block);
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
    int code = deflate_transfer(c->cpu, c->from.address, c->from.r, matcher.window, length, false);
    if (code)
        return code;
    deflate_match_begin(&matcher, 0, length);
    uint8_t *table = c->block + BLOCK_CDHT;
    const unsigned bits = deflate_make_table(&matcher, !(c->block[BLOCK_DHTGC] & DHTGC), table);
    put16(c->block + BLOCK_CDHTL, (uint16_t)((get16(c->block + BLOCK_CDHTL) & 0xf000) | bits));
    c->block[BLOCK_OESC] = 0;
    code = cpu_store_bytes(c->cpu, deflate_block_address(c), DEFLATE_PARAMETER, c->block, BLOCK_TABLE_SIZE);
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
    if (!pair(c->to.r) || (c->circular && (r3 <= DEFLATE_PARAMETER || (c->buffer & (PAGE_SIZE_Z - 1)))))
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
   (function code, parameter block not on a doubleword, registers, no data); data with DXC 0 (parameter block);
   access. */
int cpu_dfltcc(struct cpu *cpu, const struct dis_insn *i)
{
    const unsigned function = (unsigned)cpu->gr[0] & 0x7f;
    struct deflate_call c = {.cpu = cpu,
                             .to = operand(cpu, i->r1, CPU_STORE),
                             .from = operand(cpu, i->r2, CPU_FETCH),
                             .circular = cpu->gr[0] & 0x80,
                             .buffer = cpu_gr_address(cpu, i->r3),
                             .buffer_r = i->r3};
    if ((function > COMPRESS && function != EXPAND) || (cpu_gr_address(cpu, DEFLATE_PARAMETER) & 7))
        return PIC_SPECIFICATION;
    if (function == QUERY)
        return query(cpu);
    if (malformed(&c, function, i->r3))
        return PIC_SPECIFICATION;
    const unsigned size = function == GENERATE ? BLOCK_TABLE_SIZE : BLOCK_SIZE;
    int code = cpu_test(cpu, deflate_block_address(&c), DEFLATE_PARAMETER, size, CPU_UPDATE);
    if (!code)
        code = cpu_fetch_bytes(cpu, deflate_block_address(&c), DEFLATE_PARAMETER, c.block, size);
    if (code)
        return code;
    if (function == GENERATE)
        return generate(&c);
    if (!c.from.length && !(c.block[BLOCK_CF] & CF))
        return PIC_SPECIFICATION;
    cpu_work(cpu, DEFLATE_WORK);
    code = begin(&c);
    if (!code)
        code = function == COMPRESS ? deflate_compress(&c) : deflate_expand(&c);
    return code == PIC_DATA && c.oesc ? refuse(&c, c.oesc) : code;
}
