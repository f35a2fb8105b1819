/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions on strings that end with a character. PoP chapter 7 (SA22-7832-13).
   They process pieces that lie in one page, at least CPU_CC3_LEAST bytes in one execution, and touch no page behind the
   one with the ending character. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* An access exception ends the instruction with condition code 3 when enough was done before. */
static bool enough(unsigned done) { return done >= CPU_CC3_LEAST; }

/* The ending character in bits 56-63 of general register 0; bits 32-55 must be zeros. */
static int ending_character(const struct cpu *cpu, uint8_t *character)
{
    *character = (uint8_t)cpu->gr[0];
    return gr32(cpu, 0) >> 8 ? PIC_SPECIFICATION : 0;
}

/* First byte of n that is unequal in both or is the ending character in one, or n. */
static unsigned string_end(const uint8_t *a, const uint8_t *b, unsigned n, uint8_t end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    unsigned k = 0;
    for (; k + 8 <= n; k += 8) { /* eight bytes that are equal and have no ending character among them */
        uint64_t x = get64(a + k), y = x ^ end * ones;
        if (x != get64(b + k) || ((y - ones) & ~y & tops))
            break;
    }
    while (k < n && a[k] == b[k] && a[k] != end)
        k++;
    return k;
}

/* COMPARE LOGICAL STRING: left to right, the ending character lower than any. CC: 0 equal, registers unchanged; 1 first
   low, 2 first high, addresses of the last bytes; 3 not finished, addresses of the next bytes.
   Exceptions: specification (general register 0); access (fetch 1 and 2). */
int cpu_clst(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address1 = cpu_gr_address(cpu, i->r1), address2 = cpu_gr_address(cpu, i->r2);
    uint8_t end, cc = 3;
    int code = ending_character(cpu, &end);
    if (code)
        return code;
    unsigned done = 0;
    while (cc == 3 && done < CPU_CC3_AMOUNT) {
        struct cpu_operand a, b;
        unsigned n = (unsigned)cpu_least(cpu_page_left(address1), cpu_page_left(address2));
        code = cpu_operand(cpu, address1, i->r1, n, CPU_FETCH, &a);
        if (!code)
            code = cpu_operand(cpu, address2, i->r2, n, CPU_FETCH, &b);
        if (code && enough(done))
            break;
        if (code)
            return code;
        unsigned k = string_end(a.part[0], b.part[0], n, end);
        cpu_work(cpu, k / CPU_WORK_SCAN);
        if (k < n) {
            unsigned byte1 = a.part[0][k], byte2 = b.part[0][k];
            cpu->told_length = done + k + 1;
            if (byte1 == byte2) {
                cpu->cc = 0;
                return 0;
            }
            cc = byte1 == end || (byte2 != end && byte1 < byte2) ? 1 : 2;
        }
        address1 = cpu_wrap(cpu, address1 + k);
        address2 = cpu_wrap(cpu, address2 + k);
        done += k;
    }
    if (cc == 3)
        cpu->told_length = done;
    set_gr_address(cpu, i->r1, address1);
    set_gr_address(cpu, i->r2, address2);
    cpu->cc = cc;
    return 0;
}

/* MOVE STRING: the second operand up to and with its ending character goes to the first, left to right. CC: 1 moved, R1
   designates the ending character in the first operand, R2 is unchanged; 3 not finished, addresses of the next bytes.
   Exceptions: specification (general register 0); access (fetch 2, store 1). */
int cpu_mvst(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t to = cpu_gr_address(cpu, i->r1), from = cpu_gr_address(cpu, i->r2);
    struct cpu_operand target, source;
    uint8_t end;
    int code = ending_character(cpu, &end);
    if (code)
        return code;
    /* One piece in a page of the source and, when that is short, one in the next. */
    unsigned n = 0;
    const uint8_t *found = NULL;
    source.first = cpu_page_left(from);
    for (unsigned part = 0; part < 2 && !found && !enough(n); part++) {
        unsigned some = part ? PAGE_SIZE_Z - source.first : source.first;
        struct cpu_operand piece;
        code = cpu_operand(cpu, cpu_wrap(cpu, from + n), i->r2, some, CPU_FETCH, &piece);
        if (code)
            return code;
        source.part[part] = piece.part[0];
        found = memchr(piece.part[0], end, some);
        n += found ? (unsigned)(found - piece.part[0]) + 1 : some;
    }
    unsigned moved;
    code = cpu_operand_reach(cpu, to, i->r1, CPU_STORE, 1, CPU_CC3_LEAST, n, &target, &moved);
    if (code)
        return code;
    if (source.first > moved)
        source.first = moved;
    cpu_move_operand(&target, &source, moved);
    cpu->told_length = moved;
    cpu_work(cpu, moved / CPU_WORK_SCAN);
    if (found && moved == n) {
        set_gr_address(cpu, i->r1, cpu_wrap(cpu, to + n - 1));
        cpu->cc = 1;
        return 0;
    }
    set_gr_address(cpu, i->r1, cpu_wrap(cpu, to + moved));
    set_gr_address(cpu, i->r2, cpu_wrap(cpu, from + moved));
    cpu->cc = 3;
    return 0;
}

/* SEARCH STRING: from the address in R2 to that in R1 (not with it), for the byte in bits 56-63 of general register 0.
   CC: 1 found, its address in R1; 2 not found, registers unchanged; 3 not finished, R2 has the address of the next.
   Exceptions: specification (general register 0); access (fetch 2). */
int cpu_srst(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_gr_address(cpu, i->r2), left = cpu_wrap(cpu, cpu->gr[i->r1] - cpu->gr[i->r2]);
    uint8_t character;
    int code = ending_character(cpu, &character);
    if (code)
        return code;
    for (unsigned done = 0; left && done < CPU_CC3_AMOUNT;) {
        struct cpu_operand operand;
        unsigned n = (unsigned)cpu_least(left, cpu_page_left(address));
        code = cpu_operand(cpu, address, i->r2, n, CPU_FETCH, &operand);
        if (code && enough(done))
            break;
        if (code)
            return code;
        const uint8_t *found = memchr(operand.part[0], character, n);
        cpu_work(cpu, (found ? (unsigned)(found - operand.part[0]) : n) / CPU_WORK_SCAN);
        if (found) {
            set_gr_address(cpu, i->r1, address + (uint64_t)(found - operand.part[0]));
            cpu->cc = 1;
            return 0;
        }
        address = cpu_wrap(cpu, address + n);
        left -= n;
        done += n;
    }
    if (left)
        set_gr_address(cpu, i->r2, address);
    cpu->cc = left ? 3 : 2;
    return 0;
}

/* SEARCH STRING UNICODE: as SEARCH STRING, two-byte characters, bits 48-63 of general register 0. When one address is
   odd and the other even, the end is taken to be one byte higher. CC: as SEARCH STRING.
   Exceptions: specification (general register 0 bits 32-47); access (fetch 2); operation. */
int cpu_srstu(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_gr_address(cpu, i->r2), left = cpu_wrap(cpu, cpu->gr[i->r1] - cpu->gr[i->r2]);
    if (gr32(cpu, 0) >> 16)
        return PIC_SPECIFICATION;
    left = cpu_wrap(cpu, left + (left & 1));
    unsigned done = 0;
    for (; left && done < CPU_CC3_AMOUNT; done += 2) {
        uint16_t character;
        int code = cpu_fetch2(cpu, address, i->r2, &character);
        if (code && enough(done))
            break;
        if (code)
            return code;
        if (character == (uint16_t)cpu->gr[0]) {
            cpu_work(cpu, done / 2);
            set_gr_address(cpu, i->r1, address);
            cpu->cc = 1;
            return 0;
        }
        address = cpu_wrap(cpu, address + 2);
        left -= 2;
    }
    cpu_work(cpu, done / 2);
    if (left)
        set_gr_address(cpu, i->r2, address);
    cpu->cc = left ? 3 : 2;
    return 0;
}
