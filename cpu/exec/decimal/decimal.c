/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal instructions. PoP chapter 8 (SA22-7832-13). Data exceptions have DXC 0. */
#include "cpu/exec/bodies.h"
#include "cpu/numbers/packed.h"
#include "cpu/numbers/ten.h"
#include "cpu/storage/access.h"

typedef unsigned __int128 wide;

/* Store a result at the first operand with its condition code. A zero that did not overflow is plus. */
static int store_result(struct cpu *cpu, const struct dis_insn *i, struct packed result)
{
    uint8_t bytes[16];
    unsigned n = i->l1 + 1u;
    if (result.magnitude == 0)
        result.minus = false;
    bool overflow = packed_put(&result, bytes, n);
    int code = cpu_store_bytes(cpu, cpu_ea1(cpu, i), i->b1, bytes, n);
    if (code)
        return code;
    cpu->cc = overflow ? 3 : result.magnitude == 0 ? 0 : result.minus ? 1 : 2;
    return overflow && (cpu->psw.mask & PSW_PM_DECIMAL_OVERFLOW) ? PIC_DECIMAL_OVERFLOW : 0;
}

/* Both operands; the first one must be accessible for stores. Access exceptions come before data exceptions. */
static int fetch_both(struct cpu *cpu, const struct dis_insn *i, enum cpu_access_kind first, uint8_t a[16],
                      uint8_t b[16])
{
    int code = cpu_test(cpu, cpu_ea1(cpu, i), i->b1, i->l1 + 1u, first);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_ea1(cpu, i), i->b1, a, i->l1 + 1u);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, b, i->l2 + 1u);
    return code;
}

static struct packed sum(struct packed a, struct packed b)
{
    if (a.minus == b.minus)
        return (struct packed){a.magnitude + b.magnitude, a.minus};
    if (a.magnitude >= b.magnitude)
        return (struct packed){a.magnitude - b.magnitude, a.minus};
    return (struct packed){b.magnitude - a.magnitude, b.minus};
}

static int add(struct cpu *cpu, const struct dis_insn *i, bool subtract)
{
    uint8_t a[16], b[16];
    struct packed x, y;
    int code = fetch_both(cpu, i, CPU_UPDATE, a, b);
    if (code)
        return code;
    if (!packed_get(a, i->l1 + 1u, &x) || !packed_get(b, i->l2 + 1u, &y))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    y.minus ^= subtract;
    return store_result(cpu, i, sum(x, y));
}

/* ADD DECIMAL, SUBTRACT DECIMAL: the first operand becomes the sum or difference. CC: 0 zero, 1 less, 2 greater than
   zero, 3 overflow. Exceptions: access (fetch 2; fetch and store 1); data; decimal overflow (completes). */
int cpu_ap(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, false); }
int cpu_sp(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, true); }

/* ZERO AND ADD: the second operand with a preferred sign becomes the first. CC: 0 zero, 1 less, 2 greater than zero, 3
   overflow. Exceptions: access (fetch 2; store 1); data; decimal overflow (completes). */
int cpu_zap(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t b[16];
    struct packed y;
    int code = cpu_test(cpu, cpu_ea1(cpu, i), i->b1, i->l1 + 1u, CPU_STORE);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, b, i->l2 + 1u);
    if (code)
        return code;
    if (!packed_get(b, i->l2 + 1u, &y))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    return store_result(cpu, i, y);
}

/* COMPARE DECIMAL. CC: 0 equal (zeros of either sign too), 1 first low, 2 first high. Exceptions: access (fetch);
   data. */
int cpu_cp(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t a[16], b[16];
    struct packed x, y;
    int code = cpu_fetch_bytes(cpu, cpu_ea1(cpu, i), i->b1, a, i->l1 + 1u);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, b, i->l2 + 1u);
    if (code)
        return code;
    if (!packed_get(a, i->l1 + 1u, &x) || !packed_get(b, i->l2 + 1u, &y))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    y.minus ^= true;
    struct packed difference = sum(x, y);
    cpu->cc = difference.magnitude == 0 ? 0 : difference.minus ? 1 : 2;
    return 0;
}

/* MULTIPLY DECIMAL: the first operand becomes the product; its sign follows algebra even for zero. CC: unchanged.
   Exceptions: specification (multiplier above 8 bytes, or not shorter than the multiplicand); access (fetch 2; fetch
   and store 1); data (also with fewer leftmost zero bytes in the multiplicand than the multiplier is long). */
int cpu_mp(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t a[16], b[16], result[16];
    struct packed x, y;
    unsigned n = i->l1 + 1u;
    if (i->l2 > 7 || i->l2 >= i->l1)
        return PIC_SPECIFICATION;
    int code = fetch_both(cpu, i, CPU_UPDATE, a, b);
    if (code)
        return code;
    if (!packed_get(a, n, &x) || !packed_get(b, i->l2 + 1u, &y))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    for (unsigned k = 0; k <= i->l2; k++)
        if (a[k])
            return cpu_data_exception(cpu, DXC_DECIMAL);
    struct packed product = {x.magnitude * y.magnitude, x.minus != y.minus};
    (void)packed_put(&product, result, n);
    return cpu_store_bytes(cpu, cpu_ea1(cpu, i), i->b1, result, n);
}

/* DIVIDE DECIMAL: quotient to the left, remainder (with the dividend's sign) to the right part of the first operand;
   signs follow algebra even for zero. CC: unchanged. Exceptions: specification (divisor above 8 bytes, or not shorter
   than the dividend); access (fetch 2; fetch and store 1); data; decimal divide (divisor zero, quotient too large). */
int cpu_dp(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t a[16], b[16], result[16];
    struct packed x, y;
    unsigned n = i->l1 + 1u, remainder_length = i->l2 + 1u;
    if (i->l2 > 7 || i->l2 >= i->l1)
        return PIC_SPECIFICATION;
    int code = fetch_both(cpu, i, CPU_UPDATE, a, b);
    if (code)
        return code;
    if (!packed_get(a, n, &x) || !packed_get(b, remainder_length, &y))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    if (y.magnitude == 0)
        return PIC_DECIMAL_DIVIDE;
    struct packed quotient = {x.magnitude / y.magnitude, x.minus != y.minus};
    struct packed remainder = {x.magnitude % y.magnitude, x.minus};
    if (packed_put(&quotient, result, n - remainder_length))
        return PIC_DECIMAL_DIVIDE;
    (void)packed_put(&remainder, result + n - remainder_length, remainder_length);
    return cpu_store_bytes(cpu, cpu_ea1(cpu, i), i->b1, result, n);
}

/* SHIFT AND ROUND DECIMAL: by the signed number of digits in bits 58-63 of the second-operand address; to the right
   with the rounding digit I3 added to the digit shifted out last. CC: 0 zero, 1 less, 2 greater than zero, 3 overflow.
   Exceptions: access (fetch and store 1); data (also rounding digit); decimal overflow (completes). */
int cpu_srp(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t a[16], result[16];
    struct packed x;
    unsigned n = i->l1 + 1u, shift = (unsigned)cpu_ea2(cpu, i) & 63;
    int code = cpu_test(cpu, cpu_ea1(cpu, i), i->b1, n, CPU_UPDATE);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_ea1(cpu, i), i->b1, a, n);
    if (code)
        return code;
    if (!packed_get(a, n, &x) || i->i3 > 9)
        return cpu_data_exception(cpu, DXC_DECIMAL);
    bool overflow = false;
    if (shift < 32) {
        /* Digits that would leave on the left: those above 10^(digits - shift). */
        wide keep = shift < 2 * n - 1 ? ten_power(2 * n - 1 - shift) : 1;
        overflow = shift < 2 * n - 1 ? x.magnitude >= keep : x.magnitude != 0;
        x.magnitude = shift < 2 * n - 1 ? x.magnitude % keep * ten_power(shift) : 0;
    } else {
        unsigned right = 64 - shift;
        wide last = right <= 32 ? x.magnitude / ten_power(right - 1) : 0;
        x.magnitude = (last + i->i3) / 10;
    }
    if (x.magnitude == 0 && !overflow)
        x.minus = false;
    (void)packed_put(&x, result, n);
    code = cpu_store_bytes(cpu, cpu_ea1(cpu, i), i->b1, result, n);
    if (code)
        return code;
    cpu->cc = overflow ? 3 : x.magnitude == 0 ? 0 : x.minus ? 1 : 2;
    return overflow && (cpu->psw.mask & PSW_PM_DECIMAL_OVERFLOW) ? PIC_DECIMAL_OVERFLOW : 0;
}

/* State of EDIT between two pattern bytes. */
struct edit {
    uint64_t source;
    unsigned right; /* the right digit of the source byte, when have_right */
    bool have_right, significant, nonzero;
};

/* The next source digit. Returns 0, an access or a data exception. */
static int next_digit(struct cpu *cpu, const struct dis_insn *i, struct edit *e, unsigned *digit, bool *sign_plus)
{
    uint8_t byte;
    *sign_plus = false;
    if (e->have_right) {
        *digit = e->right;
        e->have_right = false;
        return 0;
    }
    int code = cpu_fetch1(cpu, e->source, i->b2, &byte);
    if (code)
        return code;
    e->source = (e->source + 1) & cpu->address_mask;
    *digit = byte >> 4;
    if (*digit > 9)
        return cpu_data_exception(cpu, DXC_DECIMAL);
    e->right = byte & 15;
    e->have_right = e->right <= 9;
    *sign_plus = e->right > 9 && !packed_sign_minus(e->right);
    return 0;
}

/* EDIT and EDIT AND MARK: the pattern in the first operand is replaced by digits of the second as it asks: X'20' digit
   selector, X'21' significance starter, X'22' field separator. EDMK puts the address of a digit that begins
   significance into general register 1. CC: last field 0 zero, 1 less, 2 greater than zero. Exceptions: access (fetch
   2; fetch and store 1); data. */
static int edit(struct cpu *cpu, const struct dis_insn *i, bool mark)
{
    uint8_t pattern[256];
    uint64_t address = cpu_ea1(cpu, i), marked = 0;
    bool has_mark = false;
    unsigned n = i->l1 + 1u;
    struct edit e = {.source = cpu_ea2(cpu, i)};
    int code = cpu_test(cpu, address, i->b1, n, CPU_UPDATE);
    if (!code)
        code = cpu_fetch_bytes(cpu, address, i->b1, pattern, n);
    if (code)
        return code;
    const uint8_t fill = pattern[0];
    for (unsigned k = 0; k < n; k++) {
        unsigned digit;
        bool plus;
        uint8_t c = pattern[k];
        if (c == 0x22) {
            pattern[k] = fill;
            e.significant = e.nonzero = false;
        } else if (c != 0x20 && c != 0x21) {
            if (!e.significant)
                pattern[k] = fill;
        } else {
            code = next_digit(cpu, i, &e, &digit, &plus);
            if (code)
                return code;
            if (digit && !e.significant) {
                marked = (address + k) & cpu->address_mask;
                has_mark = true;
            }
            pattern[k] = e.significant || digit ? (uint8_t)(0xf0 | digit) : fill;
            e.significant = (e.significant || digit || c == 0x21) && !plus;
            e.nonzero = e.nonzero || digit;
        }
    }
    code = cpu_store_bytes(cpu, address, i->b1, pattern, n);
    if (code)
        return code;
    cpu->cc = !e.nonzero ? 0 : e.significant ? 1 : 2;
    if (mark && has_mark) {
        if (cpu->psw.mask &
            PSW_BA) /* bits 0-39 of the register stay in the 24-bit mode, else 0-31; bit 32 becomes zero */
            set_gr_address(cpu, 1, marked);
        else
            set_gr32(cpu, 1, (gr32(cpu, 1) & 0xff000000) | (uint32_t)marked);
    }
    return 0;
}
int cpu_ed(struct cpu *cpu, const struct dis_insn *i) { return edit(cpu, i, false); }
int cpu_edmk(struct cpu *cpu, const struct dis_insn *i) { return edit(cpu, i, true); }
