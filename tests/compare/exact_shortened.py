# SPDX-License-Identifier: GPL-3.0-or-later
"""LOAD ROUNDED of decimal numbers (LEDTR, LDXTR) once more, another way than exact_dfp.py has it: Python's decimal module
rounds, overflows and underflows, by contexts that are the formats; encodings are read and made by a table of the declets.
Operands are finite numbers."""
import decimal
from decimal import Decimal
from exact import Input

# Format: digits, largest exponent, bits of the exponent continuation, bias.
FORMATS = {'e': (7, 96, 6, 101), 'd': (16, 384, 8, 398), 'x': (34, 6144, 12, 6176)}
WIDTH = {'e': 32, 'd': 64, 'x': 128}
ROWS = {0xb3d5: ('d', 'e'), 0xb3dd: ('x', 'd')}
NAMES = {'ledtr': 0xb3d5, 'ldxtr': 0xb3dd}
OF_FPC = [decimal.ROUND_HALF_EVEN, decimal.ROUND_DOWN, decimal.ROUND_CEILING, decimal.ROUND_FLOOR, decimal.ROUND_HALF_UP,
          decimal.ROUND_HALF_DOWN, decimal.ROUND_UP, decimal.ROUND_05UP]
OF_M3 = {1: OF_FPC[4], 3: OF_FPC[7], 4: OF_FPC[0], 5: OF_FPC[1], 6: OF_FPC[2], 7: OF_FPC[3]}
# Reading: both traps scale by a quarter of the source's range of exponents, as those of binary numbers do.
SCALE = {'d': 192, 'x': 3072}
OVERFLOW, UNDERFLOW, INEXACT, QUANTUM, INCREMENTED = 0x20, 0x10, 0x08, 0x04, 0x04
WIDE = decimal.Context(prec=100, Emax=99999, Emin=-99999, traps=[])


def three_digits(declet):
    """Chapter 20, decoding of a declet, by the bits p q r s t u v w x y."""
    p, q, r, s, t, u, v, w, x, y = (int(c) for c in format(declet, '010b'))
    small = lambda *bits: bits[0] * 4 + bits[1] * 2 + bits[2]
    if not v:
        return small(p, q, r), small(s, t, u), small(w, x, y)
    if (w, x) == (0, 0):
        return small(p, q, r), small(s, t, u), 8 + y
    if (w, x) == (0, 1):
        return small(p, q, r), 8 + u, small(s, t, y)
    if (w, x) == (1, 0):
        return 8 + r, small(s, t, u), small(p, q, y)
    return {(0, 0): (8 + r, 8 + u, small(p, q, y)), (0, 1): (8 + r, small(p, q, u), 8 + y),
            (1, 0): (small(p, q, r), 8 + u, 8 + y), (1, 1): (8 + r, 8 + u, 8 + y)}[s, t]


DIGITS = [three_digits(d) for d in range(1024)]
DECLETS = {}
for declet, digits in enumerate(DIGITS):
    DECLETS.setdefault(digits, declet)  # of several that mean the same the lowest one is made


def context(f, rounding=decimal.ROUND_HALF_EVEN):
    digits, most = FORMATS[f][:2]
    return decimal.Context(prec=digits, Emax=most, Emin=1 - most, rounding=rounding, clamp=1, traps=[])


def decoded(f, code):
    text = format(code, '0%db' % WIDTH[f])
    more, bias = FORMATS[f][2:]
    combination, rest = text[1:6], text[6:]
    if combination.startswith('11'):
        high, first = combination[2:4], 8 + int(combination[4])
    else:
        high, first = combination[:2], int(combination[2:], 2)
    digits = [first]
    for k in range(more, len(rest), 10):
        digits += DIGITS[int(rest[k:k + 10], 2)]
    return Decimal((int(text[0]), digits, int(high + rest[:more], 2) - bias))


def encoded(f, number):
    digits, _, more, bias = FORMATS[f]
    if number.is_infinite():
        return int('%d11110' % number.is_signed() + '0' * (WIDTH[f] - 6), 2)
    sign, coefficient, exponent = number.as_tuple()
    coefficient = (0,) * (digits - len(coefficient)) + coefficient
    assert len(coefficient) == digits
    exponent = format(exponent + bias, '0%db' % (more + 2))
    assert len(exponent) == more + 2 and exponent[:2] != '11'
    first = format(coefficient[0], '04b')
    combination = '11' + exponent[:2] + first[3] if coefficient[0] > 7 else exponent[:2] + first[1:]
    trailing = ''.join(format(DECLETS[coefficient[k:k + 3]], '010b') for k in range(1, digits, 3))
    return int(str(sign) + combination + exponent[2:] + trailing, 2)


def rounded(c, number):
    """number rounded by a context: the result, inexact, incremented."""
    c.clear_flags()
    result = c.plus(number) if number else c.copy_sign(c.plus(number), number)
    return result, bool(c.flags[decimal.Inexact]), result.copy_abs() > number.copy_abs()


def load_rounded(source, target, number, rounding, masks, quiet):
    """Result, its format, flags, data-exception code."""
    c = context(target, rounding)
    result, inexact, up = rounded(c, number)
    over, tiny = c.flags[decimal.Overflow], c.flags[decimal.Subnormal] and number != 0
    detail = (INEXACT | (INCREMENTED if up else 0)) if inexact else 0
    if over and masks & OVERFLOW or tiny and masks & UNDERFLOW:
        whole = decimal.Context(prec=FORMATS[target][0], Emax=99999, Emin=-99999, rounding=rounding, traps=[])
        result, inexact, up = rounded(whole, number)
        if not inexact:
            result = number  # its own quantum has room there
        detail = (INEXACT | (INCREMENTED if up else 0)) if inexact else 0
        result = context(source).plus(WIDE.scaleb(result, SCALE[source] if tiny else -SCALE[source]))
        return result, source, 0, (OVERFLOW if over else UNDERFLOW) | detail
    flags = (OVERFLOW if over else 0) | (UNDERFLOW if tiny and inexact else 0)
    dxc = 0
    if inexact and not quiet:
        if masks & INEXACT:
            dxc = detail
        else:
            flags |= INEXACT
    if not over and not dxc and result.as_tuple().exponent != number.as_tuple().exponent:
        if masks & QUANTUM:
            dxc = QUANTUM
        else:
            flags |= QUANTUM
    return result, target, flags, dxc


def fetch(i, r, f):
    return i.v[r] >> 64 if f == 'd' else (i.v[r] >> 64) << 64 | i.v[r + 2] >> 64


def store(i, r, f, bits):
    """The registers as they are then: other bits stay."""
    if f == 'x':
        return {**store(i, r, 'd', bits >> 64), **store(i, r + 2, 'd', bits & (1 << 64) - 1)}
    rest = 128 - WIDTH[f]
    return {r: bits << rest | i.v[r] % (1 << rest)}


def model(insn, i):
    source, target = ROWS[insn[0] << 8 | insn[1]]
    m3, m4, r1, r2 = insn[2] >> 4, insn[2] & 15, insn[3] >> 4, insn[3] & 15
    rounding = OF_FPC[m3 - 8] if m3 > 7 else OF_M3.get(m3, OF_FPC[i.fpc >> 4 & 7])
    number, f, flags, dxc = load_rounded(source, target, decoded(source, fetch(i, r2, source)), rounding, i.fpc >> 24, m4 & 4)
    out = {'fpc': i.fpc | flags << 16, 'v': store(i, r1, f, encoded(f, number))}
    if dxc:
        out['pic'], out['dxc'] = 7, dxc
    return out


def number(R, source, target):
    """Near the ends of the target's range, near ties of its precision, and anywhere."""
    digits, most, _, bias = FORMATS[source]
    few, edge = FORMATS[target][:2]
    coefficient = R.choice([R.randrange(10 ** R.randint(0, digits)), 10 ** digits - R.randint(1, 9), 10 ** R.randrange(digits),
                            R.randrange(10 ** few) * 10 ** (digits - few) + R.choice([0, 5 * 10 ** (digits - few - 1)]) + R.randint(-1, 1),
                            (10 ** few - 1) * 10 ** R.randint(0, digits - few) + R.choice([0, 4, 5, 6]),
                            R.randrange(10 ** R.randint(1, few))])
    coefficient = max(0, min(coefficient, 10 ** digits - 1))
    length = len(str(coefficient))
    # The exponent of its first digit: at the ends of normal and subnormal numbers, or anywhere.
    first = R.choice([edge, edge, 1 - edge, 1 - edge, 2 - edge - few, R.randint(1 - most, most)]) + R.choice([0, 0, 1, -1, R.randint(-few - 2, few + 2)])
    exponent = max(-bias, min(first - length + 1, most - digits + 1))
    return Decimal((R.getrandbits(1), tuple(int(c) for c in str(coefficient)), exponent))


def cases(R):
    while True:
        name = R.choice(sorted(NAMES))
        source, target = ROWS[NAMES[name]]
        i = Input(fpc=R.choice([0, 0x20000000, 0x10000000, 0x30000000, 0x38000000, R.getrandbits(6) << 26]) | R.randrange(8) << 4 |
                  R.choice([0, R.getrandbits(6) << 18]), cc=R.randrange(4))
        i.v = [R.getrandbits(128) for k in range(16)]
        i.g = [R.getrandbits(64) for k in range(6)]
        r1, r2 = R.choice([0, 1, 4, 5, 8, 9, 12, 13]), R.choice([0, 1, 4, 5, 8, 9, 12, 13])
        for k, v in store(i, r2, source, encoded(source, number(R, source, target))).items():
            i.v[k] = v
        op = NAMES[name]
        yield name, bytes([op >> 8, op & 255, R.randrange(16) << 4 | R.choice([0, 0, 4, 8, 12]), r1 << 4 | r2]), i
