# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexadecimal floating point, conversions between it and BFP, SET and LOAD FPC AND SIGNAL."""
from fractions import Fraction as Q
from math import isqrt
from exact import Input
from exact_number import *
from exact_pfpo import binary_bits, hex_bits, get, put

WIDTH = {'e': 32, 'd': 64, 'x': 128}


def fields(f, bits):
    """minus, characteristic, fraction as an integer."""
    w = WIDTH[f]
    m = bits & (1 << (w - 8)) - 1
    if f == 'x':
        m = (bits >> 64 & (1 << 56) - 1) << 56 | bits & (1 << 56) - 1
    return bits >> (w - 1), bits >> (w - 8) & 127, m


def make(f, minus, c, m):
    """With a characteristic even when the fraction is zero."""
    w = WIDTH[f]
    if f != 'x':
        return (minus << 7 | c & 127) << (w - 8) | m
    return (minus << 7 | c & 127) << 120 | m >> 56 << 64 | (minus << 7 | c - 14 & 127) << 56 | m & (1 << 56) - 1


def normalized(i, f, q, minus, mode=ZERO):
    """The end of a multiplication, division or square root: bits, program-interruption code."""
    if not q:
        return 0, 0
    m, e, inexact, up = rounded(q, HFP[f], 16, minus, mode)
    c = e + HFP[f] + 64
    if c < 0 and not i.pm & 2:
        return 0, 0
    return make(f, minus, c, m), 12 if c > 127 else 13 if c < 0 else 0


def result(i, f, minus, c, m):
    """A fraction that may have to be cut, normalized: characteristic and fraction without guard digits are its bits."""
    if c < 0 and not i.pm & 2:
        return 0, 0
    return make(f, minus, c, m), 12 if c > 127 else 13 if c < 0 else 0


def sum_of(f, x, y):
    """minus, characteristic and fraction of an intermediate sum, the fraction with a guard digit behind it."""
    (s, c, m), (t, d, n) = x, y
    m, n = m << 4, n << 4
    if c < d:
        m, c = m >> 4 * (d - c), d
    else:
        n = n >> 4 * (c - d)
    total = (-m if s else m) + (-n if t else n)
    return int(total < 0), c, abs(total)


def condition(minus, m):
    return 0 if not m else 1 if minus else 2


def add(i, f, x, y, unnormalized):
    """ADD and SUBTRACT, NORMALIZED and UNNORMALIZED."""
    digits = HFP[f]
    minus, c, m = sum_of(f, x, y)
    if unnormalized and not m >> 4 * (digits + 1):
        m &= ~15  # the guard digit takes no part in finding a zero
    if not m:
        return (make(f, 0, c, 0), 14, 0) if i.pm & 1 else (0, 0, 0)
    if m >> 4 * (digits + 1):
        m, c = m >> 4, c + 1
    elif not unnormalized:
        while not m >> 4 * digits:
            m, c = m << 4, c - 1
    bits, pic = result(i, f, minus, c, m >> 4)
    return bits, pic, 0 if c < 0 and not pic else condition(minus, m)


def halve(i, f, x):
    minus, c, m = x
    m = m << 3  # a guard digit, and half
    if not m:
        return 0, 0
    while not m >> 4 * HFP[f]:
        m, c = m << 4, c - 1
    return result(i, f, minus, c, m >> 4)


def plain(i, kind, f, t, raw):
    """Those that only look at one number: bits and condition code (None: unchanged)."""
    minus, c, m = fields(f, raw)
    if kind == 'longer':
        m <<= 4 * (HFP[t] - HFP[f])
        return (make(t, minus, c, m) if m or t != 'x' else minus << 127 | minus << 63), None
    if kind == 'whole':
        a = hfp(f, raw)
        n = round_to(a.value, 0, 16, a.minus, ZERO)[0] if a.value else 0
        return normalized(i, f, Q(n), minus)[0], None
    minus = {'lc': 1 - minus, 'ln': 1, 'lp': 0, 'lt': minus}[kind]
    if f == 'x':
        return (make(f, minus, c, m) if m else minus << 127 | minus << 63), condition(minus, m)
    return raw & ~(1 << WIDTH[f] - 1) | minus << WIDTH[f] - 1, condition(minus, m)


IN_STORAGE = 16  # number of the register that stands for the word in storage


def model(insn, i):
    op = insn[0] << 8 | insn[1] if insn[0] in (0xb2, 0xb3) else insn[0]
    stored = 0x70 <= op < 0x80
    if stored:
        op -= 0x40
    name, kind, f = BY_CODE[op][:3]
    r1, r2 = (insn[3] if op > 255 else insn[1]) >> 4, (insn[3] if op > 255 else insn[1]) & 15
    if stored:
        r2 = IN_STORAGE
        i.v.append(i.word << 96)
    if kind == 'fused':
        r1, r3 = insn[2] >> 4, insn[3] >> 4
        a, b, c = (hfp(f, get(i, r, f)) for r in (r3, r2, r1))
        q = (-1) ** (a.minus ^ b.minus) * a.value * b.value + (-1) ** (c.minus ^ BY_CODE[op][3]) * c.value
        bits, pic = normalized(i, f, abs(q), int(q < 0))
        return {'v': put(i, r1, f, bits), 'pic': pic}
    if kind == 'signal':
        new = i.g[r1] & 0xffffffff if name == 'sfasr' else i.word
        if new & 0x03030088 or new & 7 in (4, 5, 6):
            return {'pic': 6}
        flags = i.fpc >> 16 & 255
        out = {'fpc': new | flags << 16}
        for bit, code in ((0x80, 0x83), (0x40, 0x43), (0x20, 0x23), (0x10, 0x13), (8, 0xb), (4, 7)):
            if flags & new >> 24 & bit:
                out['pic'], out['dxc'] = 7, code | (flags & 8 if bit in (0x20, 0x10) else 0)
                break
        return out
    if kind == 'to-hfp':
        a = bfp(f, get(i, r2, f))
        cc = 3 if a.kind != 'n' else 0 if not a.value else 1 if a.minus else 2
        if a.kind != 'n':
            bits = make_hfp('d', a.minus if a.kind == 'i' else 0, 16 ** 14 - 1, 127)
        elif not a.value:
            bits = a.minus << 63
        else:
            m, e, inexact, up = rounded(a.value, 14, 16, a.minus, ZERO)
            assert not inexact
            c = e + 78
            bits = make_hfp('d', a.minus, m, c) if 0 <= c < 128 else a.minus << 63
            if c > 127:
                bits, cc = make_hfp('d', a.minus, 16 ** 14 - 1, 127), 3
        return {'v': put(i, r1, 'd', bits), 'cc': cc}
    if kind == 'to-bfp':
        m3 = insn[2] >> 4
        if m3 not in (0, 1, 4, 5, 6, 7):
            return {'pic': 6}
        a = hfp('d', get(i, r2, 'd'))
        bits, flags, dxc = (finish_bfp(f, a.value, a.minus, FROM_M3.get(m3, ZERO), 0) if a.value
                            else (a.minus << (WIDTH[f] - 1), 0, 0))
        return {'v': put(i, r1, f, bits), 'cc': 3 if flags & OVERFLOW else 0 if not a.value else 1 if a.minus else 2}
    if kind == 'fixed':
        m3, width = insn[2] >> 4, BY_CODE[op][3]
        if m3 not in (0, 1, 4, 5, 6, 7):
            return {'pic': 6}
        a = hfp(f, get(i, r2, f))
        n = round_to(a.value, 0, 16, a.minus, FROM_M3.get(m3, ZERO))[0] if a.value else 0
        v, cc = -n if a.minus else n, 0 if not a.value else 1 if a.minus else 2
        low, high = -(1 << width - 1), (1 << width - 1) - 1
        if not low <= v <= high:
            v, cc = low if a.minus else high, 3
        return {'g': {r1: v & (1 << 64) - 1 if width == 64 else i.g[r1] >> 32 << 32 | v & 0xffffffff}, 'cc': cc}
    if kind == 'rounded':
        t = BY_CODE[op][3]
        minus, c, m = fields(f, get(i, r2, f))
        drop = 4 * (HFP[f] - HFP[t])
        m = m + (1 << drop - 1) >> drop
        if m >> 4 * HFP[t]:
            m, c = m >> 4, c + 1
        return {'v': put(i, r1, t, make(t, minus, c, m)), 'pic': 12 if c > 127 else 0}
    if kind == 'sqrt':
        a = hfp(f, get(i, r2, f))
        if not a.value:
            return {'v': put(i, r1, f, 0)}
        if a.minus:
            return {'pic': 0x1d}
        scale = 16 ** 160
        n = a.value * scale * scale
        n = n.numerator // n.denominator
        root = isqrt(n)
        q = Q(root, scale) if root * root == n and Q(n) == a.value * scale * scale else Q(2 * root + 1, 2 * scale)
        bits, pic = normalized(i, f, q, 0, AWAY_TIE)
        return {'v': put(i, r1, f, bits), 'pic': pic}
    if kind in ('add', 'subtract', 'compare'):
        x, y = fields(f, get(i, r1, f)), fields(f, get(i, r2, f))
        if kind != 'add':
            y = (1 - y[0],) + y[1:]
        if kind == 'compare':
            minus, c, m = sum_of(f, x, y)
            return {'cc': condition(minus, m)}
        bits, pic, cc = add(i, f, x, y, BY_CODE[op][3])
        return {'v': put(i, r1, f, bits), 'pic': pic, 'cc': cc}
    if kind == 'halve':
        bits, pic = halve(i, f, fields(f, get(i, r2, f)))
        return {'v': put(i, r1, f, bits), 'pic': pic}
    if kind == 'from':
        v = i.g[r2] & (1 << BY_CODE[op][3]) - 1
        v -= (1 << BY_CODE[op][3]) if v >> BY_CODE[op][3] - 1 else 0
        return {'v': put(i, r1, f, normalized(i, f, Q(abs(v)), int(v < 0))[0])}
    if kind in ('longer', 'whole', 'lc', 'ln', 'lp', 'lt'):
        t = BY_CODE[op][3] if kind == 'longer' else f
        bits, cc = plain(i, kind, f, t, get(i, r2, f))
        return {'v': put(i, r1, t, bits), **({} if cc is None else {'cc': cc})}
    t = BY_CODE[op][3] if kind == 'multiply' else f
    a, b = hfp(f, get(i, r1, f)), hfp(f, get(i, r2, f))
    if kind == 'divide':
        if not b.value:
            return {'pic': 15}
        bits, pic = normalized(i, f, a.value / b.value, a.minus ^ b.minus)
    else:
        bits, pic = normalized(i, t, a.value * b.value, a.minus ^ b.minus)
    return {'v': put(i, r1, t, bits), 'pic': pic}


ROWS = [('thder', 0xb358, 'to-hfp', 'e'), ('thdr', 0xb359, 'to-hfp', 'd'), ('tbedr', 0xb350, 'to-bfp', 'e'), ('tbdr', 0xb351, 'to-bfp', 'd'),
        ('ledr', 0x35, 'rounded', 'd', 'e'), ('ldxr', 0x25, 'rounded', 'x', 'd'), ('lexr', 0xb366, 'rounded', 'x', 'e'),
        ('sqer', 0xb245, 'sqrt', 'e'), ('sqdr', 0xb244, 'sqrt', 'd'), ('sqxr', 0xb336, 'sqrt', 'x'),
        ('der', 0x3d, 'divide', 'e'), ('ddr', 0x2d, 'divide', 'd'), ('dxr', 0xb22d, 'divide', 'x'),
        ('meer', 0xb337, 'multiply', 'e', 'e'), ('mder', 0x3c, 'multiply', 'e', 'd'), ('mdr', 0x2c, 'multiply', 'd', 'd'),
        ('mxr', 0x26, 'multiply', 'x', 'x'), ('mxdr', 0x27, 'multiply', 'd', 'x'),
        ('cfer', 0xb3b8, 'fixed', 'e', 32), ('cfdr', 0xb3b9, 'fixed', 'd', 32), ('cfxr', 0xb3ba, 'fixed', 'x', 32),
        ('cger', 0xb3c8, 'fixed', 'e', 64), ('cgdr', 0xb3c9, 'fixed', 'd', 64), ('cgxr', 0xb3ca, 'fixed', 'x', 64),
        ('sfasr', 0xb385, 'signal', ''), ('lfas', 0xb2bd, 'signal', '')]
for _f, _s, _n in (('e', 'e', 0x30), ('d', 'd', 0x20)):
    ROWS += [('a%sr' % _s, _n | 0xa, 'add', _f, False), ('s%sr' % _s, _n | 0xb, 'subtract', _f, False),
             ('c%sr' % _s, _n | 9, 'compare', _f), ('h%sr' % _s, _n | 4, 'halve', _f)]
ROWS += [('aur', 0x3e, 'add', 'e', True), ('awr', 0x2e, 'add', 'd', True), ('sur', 0x3f, 'subtract', 'e', True),
         ('swr', 0x2f, 'subtract', 'd', True), ('axr', 0x36, 'add', 'x', False), ('sxr', 0x37, 'subtract', 'x', False),
         ('cxr', 0xb369, 'compare', 'x'), ('fier', 0xb377, 'whole', 'e'), ('fidr', 0xb37f, 'whole', 'd'),
         ('fixr', 0xb367, 'whole', 'x'), ('lder', 0xb324, 'longer', 'e', 'd'), ('lxdr', 0xb325, 'longer', 'd', 'x'),
         ('lxer', 0xb326, 'longer', 'e', 'x')]
for _k, _name in enumerate(('lp', 'ln', 'lt', 'lc')):
    ROWS += [('l%ser' % _name[1], 0x30 + _k, _name, 'e'), ('l%sdr' % _name[1], 0x20 + _k, _name, 'd'),
             ('l%sxr' % _name[1], 0xb360 + _k, _name, 'x')]
for _k, _f in enumerate('edx'):
    ROWS += [('c%sfr' % _f, 0xb3b4 + _k, 'from', _f, 32), ('c%sgr' % _f, 0xb3c4 + _k, 'from', _f, 64)]
ROWS += [('maer', 0xb32e, 'fused', 'e', 0), ('madr', 0xb33e, 'fused', 'd', 0), ('mser', 0xb32f, 'fused', 'e', 1),
         ('msdr', 0xb33f, 'fused', 'd', 1)]
BY_CODE = {row[1]: (row[0],) + row[2:] for row in ROWS}


def number(R, f):
    if R.random() < .3:
        q = Q(2 * R.choice([0, 1, R.getrandbits(8), R.getrandbits(31), 1 << 31, 1 << 63, 1 << 32, R.getrandbits(63)]) + R.choice([-1, 0, 1]), 2)
        if q > 0:
            m, e, inexact, up = rounded(q, HFP[f], 16, 0, ZERO)
            return make_hfp(f, R.getrandbits(1), m, e + HFP[f] + 64)
    return hex_bits(R, f)


def cases(R):
    while True:
        name, op, kind, f = (row := R.choice(ROWS))[:4]
        i = Input(cc=R.randrange(4), pm=R.randrange(4), fpc=R.choice([0, R.getrandbits(6) << 26 | R.getrandbits(6) << 18 | R.choice([0, 1, 2, 3, 7])]))
        i.v = [R.getrandbits(128) for k in range(16)]
        i.g = [R.getrandbits(64) for k in range(6)]
        r1, r2 = R.choice([0, 1, 4, 5, 8, 9, 12, 13]), R.choice([0, 1, 4, 5, 8, 9, 12, 13])
        for r in (r2, r1):
            bits = binary_bits(R, f) if kind == 'to-hfp' else number(R, 'd' if kind == 'to-bfp' else f or 'd')
            if kind == 'to-hfp' and R.random() < .5:  # in the range of HFP
                p, emax, w = BFP[f]
                bits = bits & ~((2 * emax + 1) << p - 1) | max(0, min(2 * emax, emax + R.randint(-270, 260))) << p - 1
            for k, v in put(i, r, 'd' if kind == 'to-bfp' else f or 'd', bits).items():
                i.v[k] = v
        if kind == 'signal':
            new = R.choice([0, R.getrandbits(6) << 26, R.getrandbits(6) << 26]) | R.getrandbits(6) << 18 | R.getrandbits(8) << 8 | R.randrange(8) << 4
            new |= R.choice([0, 1, 2, 3, 7, R.randrange(8)])
            i.word = new ^ (1 << R.randrange(32) if R.random() < .1 else 0)
            r1 = R.randrange(6)
            i.g[r1] = i.g[r1] >> 32 << 32 | i.word
        if kind == 'fixed':
            r1 = R.randrange(6)
        if kind == 'from':
            r2 = R.randrange(6)
            i.g[r2] = R.choice([i.g[r2], R.getrandbits(R.randrange(1, 65)), -R.getrandbits(9) % (1 << 64)])
        if kind in ('add', 'subtract', 'compare', 'fused') and R.random() < .7:  # characteristics near each other, or the same number
            w = WIDTH[f]
            x, y = get(i, r1, f), get(i, r2, f)
            c = max(0, min(127, (x >> w - 8 & 127) + R.randint(-8, 8)))
            y = x ^ R.choice([0, 1, 1 << w - 1]) if R.random() < .2 else y & ~(127 << w - 8) | c << w - 8
            for k, v in put(i, r2, f, y).items():
                i.v[k] = v
        if 0x30 <= op < 0x40 and kind in ('add', 'subtract', 'compare', 'multiply', 'divide') and f == 'e' and R.random() < .5:
            i.word = get(i, r2, f)
            yield name[:-1], bytes([op + 0x40, r1 << 4, 0xd0, 4]), i
            continue
        if kind == 'fused':
            yield name, op.to_bytes(2, 'big') + bytes([r1 << 4, R.choice([0, 1, 4, 5, 8, 9, 12, 13]) << 4 | r2]), i
            continue
        if name == 'lfas':
            yield name, bytes.fromhex('b2bdd004'), i
        elif op < 256:
            yield name, bytes([op, r1 << 4 | r2]), i
        else:
            m3 = R.choice([0, 1, 4, 5, 6, 7, 0, 1, 4, 5, 6, 7, R.randrange(16)]) if kind in ('to-bfp', 'fixed') else 0
            yield name, op.to_bytes(2, 'big') + bytes([m3 << 4, r1 << 4 | r2]), i
