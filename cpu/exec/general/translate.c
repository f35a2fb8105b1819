/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that translate by a table in storage. PoP chapter 7 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* TRANSLATE with a table that crosses a page, of which only the bytes that are asked for must be accessible. */
static int translate_apart(struct cpu *cpu, const struct dis_insn *i, uint64_t table)
{
    struct cpu_operand operand;
    unsigned length = i->l1 + 1u;
    uint8_t byte;
    int code = cpu_test(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_UPDATE);
    if (!code)
        code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_FETCH, &operand);
    for (unsigned n = 0; !code && n < length; n++)
        code = cpu_fetch1(cpu, cpu_wrap(cpu, table + *cpu_operand_at(&operand, n)), i->b2, &byte);
    if (!code)
        code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_UPDATE, &operand);
    for (unsigned n = 0; !code && n < length; n++) {
        uint8_t *at = cpu_operand_at(&operand, n);
        code = cpu_fetch1(cpu, cpu_wrap(cpu, table + *at), i->b2, at);
    }
    return code;
}

/* TRANSLATE: each of L+1 bytes is replaced by the byte of the table that it selects, left to right one by one. CC:
   unchanged. Exceptions: access (fetch 2 for the bytes selected, fetch and store 1). */
int cpu_tr(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand operand, table;
    uint64_t address = cpu_ea2(cpu, i);
    unsigned length = i->l1 + 1u;
    if (cpu_page_left(address) < 256)
        return translate_apart(cpu, i, address);
    int code = cpu_operand(cpu, address, i->b2, 256, CPU_FETCH, &table);
    if (!code)
        code = cpu_operand(cpu, cpu_ea1(cpu, i), i->b1, length, CPU_UPDATE, &operand);
    if (code)
        return code;
    for (unsigned n = 0, run; n < length; n += run) {
        uint8_t *bytes = cpu_operand_at(&operand, n);
        run = cpu_operand_run(&operand, n, length);
        for (unsigned k = 0; k < run; k++)
            bytes[k] = table.part[0][bytes[k]];
    }
    return 0;
}

/* TRT and TRTR: bytes from `address` on in direction `step` until one selects a function byte that is not zero. */
static int translate_and_test(struct cpu *cpu, const struct dis_insn *i, int step)
{
    struct cpu_operand operand, table;
    uint64_t argument = cpu_ea1(cpu, i), address = cpu_ea2(cpu, i);
    uint64_t left = step < 0 ? cpu_wrap(cpu, argument - i->l1) : argument;
    bool together = cpu_page_left(address) >= 256;
    int code = cpu_operand(cpu, left, i->b1, i->l1 + 1u, CPU_FETCH, &operand);
    if (!code && together)
        code = cpu_operand(cpu, address, i->b2, 256, CPU_FETCH, &table);
    for (unsigned n = 0; !code && n <= i->l1; n++) {
        uint8_t byte = *cpu_operand_at(&operand, step < 0 ? i->l1 - n : n), function;
        if (together)
            function = table.part[0][byte];
        else
            code = cpu_fetch1(cpu, cpu_wrap(cpu, address + byte), i->b2, &function);
        if (code)
            return code;
        if (!function)
            continue;
        uint64_t at = cpu_wrap(cpu, argument + (uint64_t)(int64_t)(step * (int)n));
        if (cpu->psw.mask & PSW_BA) /* bits 0-39 of general register 1 stay in the 24-bit mode, else 0-31 */
            set_gr_address(cpu, 1, at);
        else
            cpu->gr[1] = (cpu->gr[1] & ~UINT64_C(0xffffff)) | at;
        cpu->gr[2] = (cpu->gr[2] & ~UINT64_C(0xff)) | function;
        cpu->cc = n == i->l1 ? 2 : 1;
        return 0;
    }
    if (!code)
        cpu->cc = 0;
    return code;
}

/* TRANSLATE AND TEST: left to right. The address of the argument byte goes to general register 1, the function byte to
   bits 56-63 of general register 2. CC: 0 all function bytes zero, registers unchanged; 1 not the last one; 2 the last
   one. Exceptions: access (fetch 2 for the bytes selected when the table crosses a page, fetch 1). */
int cpu_trt(struct cpu *cpu, const struct dis_insn *i) { return translate_and_test(cpu, i, 1); }

/* TRANSLATE AND TEST REVERSE: as TRANSLATE AND TEST, from the first-operand address to the left. CC: as there.
   Exceptions: as there; operation. */
int cpu_trtr(struct cpu *cpu, const struct dis_insn *i) { return translate_and_test(cpu, i, -1); }

/* TRANSLATE EXTENDED: bytes at R1, as many as R1+1 says, are replaced by the table of 256 bytes at R2 until one equals
   the test byte in bits 56-63 of general register 0. CC: 0 all replaced, 1 test byte found, R1 designates it, 3 not
   finished. Exceptions: specification (R1 odd); access (fetch 2, fetch and store 1). */
int cpu_tre(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_operand operand, table;
    uint64_t address = cpu_gr_address(cpu, i->r1), length = cpu_gr_length(cpu, i->r1 + 1u);
    unsigned n = (unsigned)cpu_least(length, CPU_CC3_AMOUNT), k = 0;
    uint8_t test = (uint8_t)cpu->gr[0];
    if (n) {
        unsigned want = n;
        int code = cpu_operand(cpu, cpu_gr_address(cpu, i->r2), i->r2, 256, CPU_FETCH, &table);
        if (!code)
            code = cpu_operand_reach(cpu, address, i->r1, CPU_UPDATE, 1, 1, want, &operand, &n);
        if (code)
            return code;
    }
    for (; k < n; k++) {
        uint8_t *byte = cpu_operand_at(&operand, k);
        if (*byte == test)
            break;
        *byte = *cpu_operand_at(&table, *byte);
    }
    cpu_work(cpu, k);
    set_gr_address(cpu, i->r1, cpu_wrap(cpu, address + k));
    set_gr_address(cpu, i->r1 + 1u, length - k);
    cpu->cc = k < n ? 1 : length > n ? 3 : 0;
    return 0;
}

/* A character of `size` (1 or 2) bytes. */
static int fetch_character(struct cpu *cpu, uint64_t address, unsigned ar, unsigned size, uint16_t *character)
{
    uint8_t byte;
    if (size == 2)
        return cpu_fetch2(cpu, address, ar, character);
    int code = cpu_fetch1(cpu, address, ar, &byte);
    if (!code)
        *character = byte;
    return code;
}

enum { M3_TEST_NOT = 1 }; /* TROO ... with facility 24: no test character */

/* TROO, TROT, TRTO, TRTT: characters of `from` bytes at R2 select characters of `to` bytes of the table at general
   register 1, which go to R1, until one of these equals the test character in general register 0. R1+1 is the length of
   the second operand. */
static int translate_characters(struct cpu *cpu, const struct dis_insn *i, unsigned from, unsigned to)
{
    bool enhanced = cpu_facility(cpu->sys, FACILITY_ETF2ENH);
    uint64_t length = cpu_gr_length(cpu, i->r1 + 1u);
    uint64_t target = cpu_gr_address(cpu, i->r1), source = cpu_gr_address(cpu, i->r2);
    uint64_t table = cpu_gr_address(cpu, 1) & (from == 2 && !enhanced ? ~UINT64_C(4095) : ~UINT64_C(7));
    uint16_t test = (uint16_t)(to == 1 ? cpu->gr[0] & 0xff : cpu->gr[0]), character;
    bool tests = !(enhanced && (i->m3 & M3_TEST_NOT));
    uint8_t cc = 3;
    unsigned done = 0;
    if (length & (from - 1))
        return PIC_SPECIFICATION;
    if (!length)
        cc = 0;
    for (; cc == 3 && done < CPU_CC3_AMOUNT; done += from) {
        int code = fetch_character(cpu, source, i->r2, from, &character);
        if (!code)
            code = fetch_character(cpu, cpu_wrap(cpu, table + (uint64_t)character * to), 1, to, &character);
        if (!code && tests && character == test) {
            cc = 1;
            break;
        }
        if (!code)
            code = to == 1 ? cpu_store1(cpu, target, i->r1, (uint8_t)character)
                           : cpu_store2(cpu, target, i->r1, character);
        if (code && !done)
            return code;
        if (code)
            break;
        source = cpu_wrap(cpu, source + from);
        target = cpu_wrap(cpu, target + to);
        length -= from;
        if (!length)
            cc = 0;
    }
    cpu_work(cpu, done);
    set_gr_address(cpu, i->r1, target);
    set_gr_address(cpu, i->r1 + 1u, length);
    set_gr_address(cpu, i->r2, source);
    cpu->cc = cc;
    return 0;
}

/* TRANSLATE ONE TO ONE, ONE TO TWO, TWO TO ONE, TWO TO TWO. CC: 0 all translated, 1 test character found, R2 designates
   its argument, 3 not finished. Exceptions: operation; specification (R1 odd; odd length with two-byte arguments);
   access (fetch 2 and table, store 1). */
int cpu_troo(struct cpu *cpu, const struct dis_insn *i) { return translate_characters(cpu, i, 1, 1); }
int cpu_trot(struct cpu *cpu, const struct dis_insn *i) { return translate_characters(cpu, i, 1, 2); }
int cpu_trto(struct cpu *cpu, const struct dis_insn *i) { return translate_characters(cpu, i, 2, 1); }
int cpu_trtt(struct cpu *cpu, const struct dis_insn *i) { return translate_characters(cpu, i, 2, 2); }

enum { M3_ARGUMENT_2 = 8, M3_FUNCTION_2 = 4, M3_ARGUMENT_LIMIT = 2 }; /* TRTE, TRTRE */

/* TRTE and TRTRE: characters at R1 in direction `step` select function codes of the table at general register 1 until
   one is not zero. Reading: the table may be at any address, otherwise than that of TROO and its kind. */
static int translate_and_test_extended(struct cpu *cpu, const struct dis_insn *i, int step)
{
    unsigned from = i->m3 & M3_ARGUMENT_2 ? 2 : 1, to = i->m3 & M3_FUNCTION_2 ? 2 : 1;
    uint64_t length = cpu_gr_length(cpu, i->r1 + 1u);
    uint64_t source = cpu_gr_address(cpu, i->r1), table = cpu_gr_address(cpu, 1);
    uint16_t function = 0, argument;
    if (length & (from - 1))
        return PIC_SPECIFICATION;
    unsigned done = 0;
    for (; length && done < CPU_CC3_AMOUNT; done += from) {
        int code = fetch_character(cpu, source, i->r1, from, &argument);
        if (!code && (argument < 256 || from == 1 || !(i->m3 & M3_ARGUMENT_LIMIT)))
            code = fetch_character(cpu, cpu_wrap(cpu, table + (uint64_t)argument * to), 1, to, &function);
        if (code && !done)
            return code;
        if (code || function)
            break;
        source = cpu_wrap(cpu, source + (uint64_t)(int64_t)(step * (int)from));
        length -= from;
    }
    cpu_work(cpu, done);
    if (function || !length)
        set_gr_address(cpu, i->r2, function);
    set_gr_address(cpu, i->r1, source);
    set_gr_address(cpu, i->r1 + 1u, length);
    cpu->cc = function ? 1 : length ? 3 : 0;
    return 0;
}

/* TRANSLATE AND TEST EXTENDED: left to right; the function code goes to R2. CC: 0 all function codes zero, 1 one is
   not, R1 designates its argument, 3 not finished. With the argument-character limit (M3 bit 2) two-byte arguments
   above 255 have function code zero. Exceptions: operation; specification (R1 odd; odd length with two-byte arguments);
   access (fetch 1 and table). */
int cpu_trte(struct cpu *cpu, const struct dis_insn *i) { return translate_and_test_extended(cpu, i, 1); }

/* TRANSLATE AND TEST REVERSE EXTENDED: as the former, right to left. CC and exceptions: as there. */
int cpu_trtre(struct cpu *cpu, const struct dis_insn *i) { return translate_and_test_extended(cpu, i, -1); }
