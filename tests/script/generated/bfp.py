#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bfp-table.zt: cases of binary floating point (PoP chapter 19) whose expected values come from exact fractions,
rounded once. Masks are zero, so no case traps. Run it as: bfp.py > bfp-table.zt"""
import random
from fractions import Fraction
from math import isqrt

random.seed(19)
FORMAT = {'e': (24, 127, 32), 'd': (53, 1023, 64), 'x': (113, 16383, 128)}
INVALID, DIVIDE, OVERFLOW, UNDERFLOW, INEXACT = 0x80, 0x40, 0x20, 0x10, 0x08
EVEN, ZERO, UP, DOWN, AWAY = 0, 1, 2, 3, 4
M3 = {1: AWAY, 4: EVEN, 5: ZERO, 6: UP, 7: DOWN}


def parts(f, bits):
    """('nan', minus, signaling), ('inf', minus) or ('num', minus, magnitude)"""
    p, emax, width = FORMAT[f]
    minus, e, m = bits >> (width - 1) & 1, bits >> (p - 1) & (2 * emax + 1), bits & ((1 << (p - 1)) - 1)
    if e == 2 * emax + 1:
        return ('nan', minus, not m >> (p - 2) & 1) if m else ('inf', minus)
    m, q = (m | 1 << (p - 1), e) if e else (m, 1)
    return ('num', minus, Fraction(m) * Fraction(2) ** (q - emax - (p - 1)))


def up(n, rest, minus, mode):
    if mode in (EVEN, AWAY):
        return rest > Fraction(1, 2) or rest == Fraction(1, 2) and (mode == AWAY or n & 1)
    return bool(rest) and (mode == UP and not minus or mode == DOWN and minus)


def rounded(f, value, minus, mode):
    """bits and flags of a positive magnitude"""
    p, emax, width = FORMAT[f]
    sign, emin = minus << (width - 1), 1 - emax
    e = value.numerator.bit_length() - value.denominator.bit_length()
    e -= value < Fraction(2) ** e
    q = max(e, emin) - (p - 1)
    scaled = value / Fraction(2) ** q
    n = scaled.numerator // scaled.denominator
    rest = scaled - n
    flags = (INEXACT if rest else 0) | (UNDERFLOW if rest and value < Fraction(2) ** emin else 0)
    n += up(n, rest, minus, mode)
    if n >> p:
        n, q = n >> 1, q + 1
    if q + p - 1 > emax:
        infinity = (2 * emax + 1) << (p - 1)
        big = mode in (EVEN, AWAY) or mode == UP and not minus or mode == DOWN and minus
        return sign | (infinity if big else infinity - 1), OVERFLOW | INEXACT
    return sign | (n if n < 1 << (p - 1) else ((q + p - 1 + emax) << (p - 1)) + n - (1 << (p - 1))), flags


def special(f, name, minus=0):
    p, emax, width = FORMAT[f]
    return {'zero': 0, 'inf': (2 * emax + 1) << (p - 1), 'nan': (4 * emax + 3) << (p - 2)}[name] | minus << (width - 1)


def nan_of(f, *operands):
    """the NaN that the result is, or None; and flags"""
    p = FORMAT[f][0]
    nans = [b for b in operands if parts(f, b)[0] == 'nan']
    signaling = [b for b in nans if parts(f, b)[2]]
    if not nans:
        return None, 0
    return (signaling + nans)[0] | 1 << (p - 2), INVALID if signaling else 0


def signed(f, value, mode, minus_zero):
    if value == 0:
        return special(f, 'zero', minus_zero), 0
    return rounded(f, abs(value), value < 0, mode)


def number(x):
    return -x[2] if x[1] else x[2]


def add(f, a, b, mode):
    n, flags = nan_of(f, a, b)
    if n is not None:
        return n, flags
    x, y = parts(f, a), parts(f, b)
    if x[0] == 'inf' or y[0] == 'inf':
        if x[0] == y[0] and x[1] != y[1]:
            return special(f, 'nan'), INVALID
        return (a if x[0] == 'inf' else b), 0
    return signed(f, number(x) + number(y), mode, x[1] if x[1] == y[1] and not x[2] and not y[2] else mode == DOWN)


def negate(f, a):
    return a ^ 1 << (FORMAT[f][2] - 1)


def subtract(f, a, b, mode):
    return add(f, a, b if parts(f, b)[0] == 'nan' else negate(f, b), mode)


def multiply(f, a, b, mode, to=None):
    to = to or f
    n, flags = nan_of(f, a, b)
    if n is not None:
        return (n if to == f else widen(f, to, n)), flags
    x, y = parts(f, a), parts(f, b)
    minus = x[1] ^ y[1]
    if x[0] == 'inf' or y[0] == 'inf':
        if x[0] == 'num' and not x[2] or y[0] == 'num' and not y[2]:
            return special(to, 'nan'), INVALID
        return special(to, 'inf', minus), 0
    return signed(to, number(x) * number(y), mode, minus)


def divide(f, a, b, mode):
    n, flags = nan_of(f, a, b)
    if n is not None:
        return n, flags
    x, y = parts(f, a), parts(f, b)
    minus = x[1] ^ y[1]
    zero = y[0] == 'num' and y[2] == 0
    if x[0] == 'inf' and y[0] == 'inf' or zero and x[0] == 'num' and x[2] == 0:
        return special(f, 'nan'), INVALID
    if x[0] == 'inf':
        return special(f, 'inf', minus), 0
    if zero:
        return special(f, 'inf', minus), DIVIDE
    if y[0] == 'inf':
        return special(f, 'zero', minus), 0
    return signed(f, number(x) / number(y), mode, minus)


def root(f, a, mode):
    n, flags = nan_of(f, a)
    if n is not None:
        return n, flags
    x = parts(f, a)
    if x[0] == 'num' and x[2] == 0 or x[0] == 'inf' and not x[1]:
        return a, 0
    if x[1]:
        return special(f, 'nan'), INVALID
    k = 200 + FORMAT[f][1]
    scaled = x[2] * 4 ** k
    n = isqrt(scaled.numerator // scaled.denominator)
    value = Fraction(n, 1 << k)
    if value * value != x[2]:
        value += Fraction(1, 1 << (k + 4))
    return rounded(f, value, 0, mode)


def widen(f, to, bits):
    """a NaN in a longer format"""
    p, width = FORMAT[f][0], FORMAT[f][2]
    q, emax, w = FORMAT[to]
    return (bits >> (width - 1)) << (w - 1) | (2 * emax + 1) << (q - 1) | (bits & ((1 << (p - 1)) - 1)) << (q - p)


def convert(f, to, a, mode):
    n, flags = nan_of(f, a)
    p, q = FORMAT[f][0], FORMAT[to][0]
    if n is not None:
        if q >= p:
            return widen(f, to, n), flags
        w, emax = FORMAT[to][2], FORMAT[to][1]
        return ((n >> (FORMAT[f][2] - 1)) << (w - 1) | (2 * emax + 1) << (q - 1) |
                (n & ((1 << (p - 1)) - 1)) >> (p - q)), flags
    x = parts(f, a)
    return (special(to, 'inf', x[1]), 0) if x[0] == 'inf' else signed(to, number(x), mode, x[1])


def integer(value, mode):
    n = value.numerator // value.denominator
    if mode == ZERO:
        return n + (value < 0 and n != value)
    low = value - n
    if mode in (EVEN, AWAY):
        half = Fraction(1, 2)
        return n + (low > half or low == half and (n & 1 if mode == EVEN else value > 0))
    return n + (low > 0 and mode == UP)


def cc_of(f, bits):
    x = parts(f, bits)
    return 3 if x[0] == 'nan' else 0 if x[0] == 'num' and x[2] == 0 else 1 if x[1] else 2


def operand(f):
    p, emax, width = FORMAT[f]
    one = emax << (p - 1)
    edges = [0, 1, one, one + 1, one | 1 << (p - 2), (1 << (p - 1)) - 1, 1 << (p - 1), special(f, 'inf') - 1,
             special(f, 'inf'), special(f, 'nan') | 5, special(f, 'inf') | 9, special(f, 'inf') - (1 << (p - 1))]
    kind = random.randrange(4)
    if kind == 0:
        bits = random.choice(edges)
    elif kind == 1:
        bits = (emax + random.randrange(-p, p)) << (p - 1) | random.getrandbits(p - 1)
    elif kind == 2:
        bits = (emax + random.randrange(-6, 40)) << (p - 1) | random.getrandbits(9) << (p - 10)
    else:
        bits = random.getrandbits(width - 1)
    return bits | random.getrandbits(1) << (width - 1)


def digits(f, bits):
    """contents of the registers: left, right (the right one only for extended)"""
    width = FORMAT[f][2]
    if width == 128:
        return '%016X' % (bits >> 64), '%016X' % (bits & (1 << 64) - 1)
    return '%016X' % (bits << (64 - width)), '0'


def heading(text):
    print('\ntest ' + text)


def fpc(flags, mode):
    return '%X' % (flags << 16 | mode)


SET = ['    f4 = $a', '    f6 = $al', '    f8 = $b', '    f10 = $bl', '    mem 20000 = $m', '    fpc = $mode', '    cc = 1']


def table(title, rows, results):
    """rows: (instruction, mode, a, format, b, format, registers...)"""
    heading(title)
    print('\n'.join(SET))
    print('    do $insn')
    for line in results:
        print('    expect ' + line)
    print('    table insn a al b bl m mode ' + ' '.join(r.split('$')[1] for r in results))
    for row in rows:
        print('          ' + ' '.join('"%s"' % word if ' ' in word else word for word in row))


def row(insn, f, a, g, b, mode, results):
    a, b = digits(f, a), digits(g, b)
    m = (b[0] + b[1] if FORMAT[g][2] == 128 else b[0])
    return [insn, a[0], a[1], b[0], b[1], m, '%X' % mode] + list(results)


def arithmetic():
    rows = []
    for f in 'edx':
        names = {'e': ('aebr', 'sebr', 'debr', 'meebr', 'aeb', 'seb', 'deb', 'meeb'),
                 'd': ('adbr', 'sdbr', 'ddbr', 'mdbr', 'adb', 'sdb', 'ddb', 'mdb'), 'x': ('axbr', 'sxbr', 'dxbr', 'mxbr')}[f]
        for k, name in enumerate(names):
            for _ in range(14):
                a, b, mode = operand(f), operand(f), random.randrange(4)
                if random.randrange(4) == 0 and parts(f, a)[0] == 'num':
                    b = a ^ random.getrandbits(2)
                bits, flags = (add, subtract, divide, multiply)[k % 4](f, a, b, mode)
                d = digits(f, bits)
                cc = cc_of(f, bits) if k % 4 < 2 else 1
                where = '0(9)' if k >= 4 else '8'
                rows.append(row('%s 4,%s' % (name, where), f, a, f, b, mode,
                                [d[0], d[1] if f == 'x' else '0', fpc(flags, mode), str(cc)]))
    table('Add, subtract, divide, multiply', rows, ['f4 = $r', 'f6 = $rl', 'fpc = $fpc', 'cc $cc'])


def longer_products():
    rows = []
    for f, to, name in (('e', 'd', 'mdebr'), ('e', 'd', 'mdeb'), ('d', 'x', 'mxdbr'), ('d', 'x', 'mxdb')):
        for _ in range(12):
            a, b, mode = operand(f), operand(f), random.randrange(4)
            bits, flags = multiply(f, a, b, mode, to)
            d = digits(to, bits)
            where = '8' if name.endswith('r') else '0(9)'
            rows.append(row('%s 4,%s' % (name, where), f, a, f, b, mode, [d[0], d[1], fpc(flags, mode), '1']))
    table('Products in the longer format', rows, ['f4 = $r', 'f6 = $rl', 'fpc = $fpc', 'cc $cc'])


def fused():
    rows = []
    for f in 'ed':
        for name in ('maebr', 'msebr', 'maeb', 'mseb') if f == 'e' else ('madbr', 'msdbr', 'madb', 'msdb'):
            for _ in range(10):
                a, b, mode = operand(f), operand(f), random.randrange(4)
                x, y = parts(f, a), parts(f, b)
                if x[0] != 'num' or y[0] != 'num' or not x[2] or not y[2]:
                    continue
                # first operand and multiplier are the same register: a * b + a, or a * b - a
                value = number(x) * number(y) + (number(x) if name[1] == 'a' else -number(x))
                bits, flags = signed(f, value, mode, mode == DOWN)
                where = '8' if name.endswith('r') else '0(9)'
                rows.append(row('%s 4,4,%s' % (name, where), f, a, f, b, mode,
                                [digits(f, bits)[0], fpc(flags, mode), '1']))
    table('Multiply and add, multiply and subtract', rows, ['f4 = $r', 'fpc = $fpc', 'cc $cc'])


def roots():
    rows = []
    for f in 'edx':
        for name in {'e': ('sqebr', 'sqeb'), 'd': ('sqdbr', 'sqdb'), 'x': ('sqxbr',)}[f]:
            for _ in range(12):
                b, mode = operand(f), random.randrange(4)
                if random.randrange(3) and b >> (FORMAT[f][2] - 1):
                    b = negate(f, b)
                bits, flags = root(f, b, mode)
                d = digits(f, bits)
                where = '8' if name.endswith('r') else '0(9)'
                rows.append(row('%s 4,%s' % (name, where), f, 0, f, b, mode, [d[0], d[1], fpc(flags, mode), '1']))
    table('Square root', rows, ['f4 = $r', 'f6 = $rl', 'fpc = $fpc', 'cc $cc'])


def comparisons():
    rows = []
    for f in 'edx':
        for name in {'e': ('cebr', 'kebr', 'ceb', 'keb'), 'd': ('cdbr', 'kdbr', 'cdb', 'kdb'), 'x': ('cxbr', 'kxbr')}[f]:
            for _ in range(12):
                a, b = operand(f), operand(f)
                b = a if random.randrange(4) == 0 else b
                x, y = parts(f, a), parts(f, b)
                flags = 0
                if 'nan' in (x[0], y[0]):
                    cc = 3
                    flags = INVALID if name[0] == 'k' or nan_of(f, a, b)[1] else 0
                else:
                    big = Fraction(2) ** 20000
                    u, v = ((-big if z[1] else big) if z[0] == 'inf' else number(z) for z in (x, y))
                    cc = 0 if u == v else 1 if u < v else 2
                where = '8' if name.endswith('r') else '0(9)'
                rows.append(row('%s 4,%s' % (name, where), f, a, f, b, 0, [fpc(flags, 0), str(cc)]))
    table('Compare, compare and signal', rows, ['fpc = $fpc', 'cc $cc'])


def signs():
    rows = []
    for f in 'edx':
        top = 1 << (FORMAT[f][2] - 1)
        for name in ('lt', 'lc', 'ln', 'lp'):
            for _ in range(8):
                b = operand(f)
                bits, flags = b, 0
                if name == 'lt':
                    n, flags = nan_of(f, b)
                    bits = b if n is None else n
                elif name == 'lc':
                    bits = b ^ top
                else:
                    bits = b | top if name == 'ln' else b & ~top
                d = digits(f, bits)
                rows.append(row('%s%sbr 4,8' % (name, f), f, 0, f, b, 0, [d[0], d[1], fpc(flags, 0), str(cc_of(f, bits))]))
    table('Load and test, complement, negative, positive', rows, ['f4 = $r', 'f6 = $rl', 'fpc = $fpc', 'cc $cc'])


def lengths():
    rows = []
    for f, to, name in (('e', 'd', 'ldebr'), ('e', 'd', 'ldeb'), ('d', 'x', 'lxdbr'), ('d', 'x', 'lxdb'), ('e', 'x', 'lxebr'),
                        ('e', 'x', 'lxeb')):
        for _ in range(8):
            b = operand(f)
            bits, flags = convert(f, to, b, EVEN)
            d = digits(to, bits)
            where = '8' if name.endswith('r') else '0(9)'
            rows.append(row('%s 4,%s' % (name, where), f, 0, f, b, 0, [d[0], d[1], fpc(flags, 0), '1']))
    for f, to, name in (('d', 'e', 'ledbra'), ('x', 'd', 'ldxbra'), ('x', 'e', 'lexbra')):
        for _ in range(14):
            b, m = operand(f), random.choice(list(M3))
            bits, flags = convert(f, to, b, M3[m])
            d = digits(to, bits)
            rows.append(row('%s 4,%d,8,0' % (name, m), f, 0, f, b, 0, [d[0], '0' if to != 'x' else d[1], fpc(flags, 0), '1']))
    table('Load lengthened, load rounded', [r for r in rows if not r[0].startswith(('ldx', 'lex'))],
          ['f4 = $r', 'f6 = $rl', 'fpc = $fpc', 'cc $cc'])
    table('Load rounded from extended', [r[:8] + r[9:] for r in rows if r[0].startswith(('ldx', 'lex'))],
          ['f4 = $r', 'fpc = $fpc', 'cc $cc'])


def from_fixed():
    rows = []
    for f in 'edx':
        for kind in ('f', 'g', 'lf', 'lg'):
            name = 'c%s%sbr' % (f, kind) + ('' if 'l' in kind else 'a')
            width = 64 if 'g' in kind else 32
            for _ in range(6):
                n = random.getrandbits(random.randrange(1, width + 1))
                m = random.choice(list(M3))
                value = n if 'l' in kind or n < 1 << (width - 1) else n - (1 << width)
                bits, flags = signed(f, Fraction(value), M3[m], 0)
                d = digits(f, bits)
                rows.append(['%s 4,%d,2,0' % (name, m), '%X' % n, d[0], d[1] if f == 'x' else '0', fpc(flags, 0)])
    heading('Convert from fixed, convert from logical')
    print('    r2 = $n\n    do $insn\n    expect f4 = $r\n    expect f6 = $rl\n    expect fpc = $fpc')
    print('    table insn n r rl fpc')
    for r in rows:
        print('          "%s" %s' % (r[0], ' '.join(r[1:])))


def to_fixed():
    rows = []
    for f in 'edx':
        for kind in ('f', 'g', 'lf', 'lg'):
            name = 'c%s%sbr' % (kind, f) + ('' if 'l' in kind else 'a')
            width, logical = 64 if 'g' in kind else 32, 'l' in kind
            low, high = (0, (1 << width) - 1) if logical else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
            for _ in range(8):
                b, m, flags = operand(f), random.choice(list(M3)), 0
                x = parts(f, b)
                cc = cc_of(f, b)
                n = None if x[0] != 'num' else integer(number(x), M3[m])
                if n is None or n < low or n > high:
                    n = low if x[0] == 'nan' or x[1] else high
                    cc, flags = 3, INVALID | INEXACT # a special case is inexact as well (CONVERT TO FIXED, results)
                elif n != number(x):
                    flags = INEXACT
                left = 'FFFFFFFF' if width == 32 else ''
                d = digits(f, b)
                rows.append(['%s 2,%d,8,0' % (name, m), d[0], d[1], left + '%0*X' % (width // 4, n % (1 << width)),
                             fpc(flags, 0), str(cc)])
    heading('Convert to fixed, convert to logical')
    print('    r2 = -1\n    f8 = $b\n    f10 = $bl\n    do $insn\n    expect r2 = $r\n    expect fpc = $fpc\n    expect cc $cc')
    print('    table insn b bl r fpc cc')
    for r in rows:
        print('          "%s" %s' % (r[0], ' '.join(r[1:])))


def integers():
    rows = []
    for f in 'edx':
        for _ in range(12):
            b, m = operand(f), random.choice(list(M3))
            x = parts(f, b)
            n, flags = nan_of(f, b)
            bits = b if n is None else n
            if x[0] == 'num':
                whole = integer(number(x), M3[m])
                bits = signed(f, Fraction(whole), EVEN, x[1])[0]
                flags = INEXACT if whole != number(x) else 0
            d = digits(f, bits)
            rows.append(row('fi%sbra 4,%d,8,0' % (f, m), f, 0, f, b, 0, [d[0], d[1], fpc(flags, 0), '1']))
    table('Load FP integer', rows, ['f4 = $r', 'f6 = $rl', 'fpc = $fpc', 'cc $cc'])


def classes():
    rows = []
    for f in 'edx':
        for _ in range(14):
            a, mask = operand(f), random.choice([0xfff, 0x555, 0xaaa, 0x00f, 0x0f0, 0xf00, 0x0c0, 0x003, 0])
            x, p = parts(f, a), FORMAT[f][0]
            kind = ({'inf': 3}.get(x[0]) if x[0] == 'inf' else 5 if x[0] == 'nan' and x[2] else 4 if x[0] == 'nan' else
                    0 if x[2] == 0 else 1 if a >> (p - 1) & (2 * FORMAT[f][1] + 1) else 2)
            cc = mask >> (11 - (2 * kind + x[1])) & 1
            rows.append(row('tc%sb 4,%d' % (f, mask), f, a, f, 0, 0, ['0', str(cc)]))
    table('Test data class', rows, ['fpc = $fpc', 'cc $cc'])


def divide_to_integer():
    rows = []
    for f in 'ed':
        for _ in range(10):
            a, b, m = random.randrange(-5000, 5000), random.choice([3, 7, -5, 64, 100, -999]), random.choice([4, 5, 6, 7])
            n = integer(Fraction(a, b), M3[m])
            value = lambda k, minus: digits(f, signed(f, Fraction(k), EVEN, minus)[0])[0]
            rows.append(['di%sbr 4,1,8,%d' % (f, m), value(a, 0), value(b, 0), value(a - n * b, a < 0),
                         value(n, (a < 0) != (b < 0))])
    heading('Divide to integer')
    print('    f4 = $a\n    f8 = $b\n    do $insn\n    expect f4 = $rest\n    expect f1 = $q\n    expect cc 0')
    print('    table insn a b rest q')
    for r in rows:
        print('          "%s" %s' % (r[0], ' '.join(r[1:])))


print('# SPDX-License-Identifier: GPL-3.0-or-later')
print('# Binary floating point, every instruction. Written by bfp.py: exact fractions, rounded once.')
print('\nsetup\n    c0 = 40000\n    r9 = 20000')
for part in (arithmetic, longer_products, fused, roots, comparisons, signs, lengths, from_fixed, to_fixed, integers, classes,
             divide_to_integer):
    part()
