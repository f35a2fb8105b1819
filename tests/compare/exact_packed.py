# SPDX-License-Identifier: GPL-3.0-or-later
"""Vector packed decimal: integers; conversions from and to HFP by fractions."""
from fractions import Fraction as Q
from exact import Input
from exact_number import *


ARITHMETIC = (0x71, 0x73, 0x78, 0x79, 0x7a, 0x7b, 0x7e)


def packed(v, force=False):
    """A signed integer and whether minus, or None."""
    digits, sign = '%031x' % (v >> 4), v & 15
    if not digits.isdigit() or sign < 10 and not force:
        return None
    return int(digits), sign in (11, 13) and not force


def make(n, minus, sign=None):
    return int(str(n), 16) << 4 | (sign if sign is not None else 13 if minus else 12)


def result(i, r1, n, minus, digits, m5, iom):
    """The end of an arithmetic instruction."""
    overflow = n >= 10 ** digits
    n %= 10 ** digits
    if not n and not overflow or m5 & 2:
        minus = False
    out = {'v': {r1: make(n, minus, 15 if m5 & 2 else None)}}
    if m5 & 1:
        out['cc'] = 3 if overflow else 0 if not n else 1 if minus else 2
    if overflow and not iom and i.pm & 4:
        out['pic'] = 10
    return out


def fields(insn):
    b = insn[1] >> 4 | insn[4] << 1 & 16
    return b, insn[1] & 15 | insn[4] << 2 & 16, insn[2] >> 4 | insn[4] << 3 & 16


def model(insn, i):
    r1, r2, r3 = fields(insn)
    op = insn[5]
    a, scale = i.v[r2], i.v[r3] >> 64 & 255
    bad = {'pic': 7, 'dxc': 0}
    if op in (0x70, 0x72) or op in ARITHMETIC:
        i4, m5 = (insn[3] << 4 | insn[4] >> 4) & 255, insn[3] >> 4
    else:
        m = insn[3] >> 4
    if op == 0x70:      # VPKZR
        if i4 & 0x60 or not i4 & 31:
            return {'pic': 6}
        text = '%032x%032x' % (a, i.v[r3])
        digits, sign = text[1::2], int(text[62], 16)
        fine, signed = digits.isdigit(), sign > 9
        if not m5 & 4 and (not fine or not signed and not m5 & 8):
            return bad
        keep = digits[32 - (i4 & 31):]
        lost = digits[:32 - (i4 & 31)].strip('0') != ''
        sign = 15 if m5 & 2 else sign
        out = {'v': {r1: int(keep, 16) << 4 | sign}}
        if m5 & 1:
            out['cc'] = 3 if lost or not fine or not signed else 0 if not digits.strip('0') else 1 if sign in (11, 13) else 2
        if lost and not i4 & 0x80 and i.pm & 4:
            out['pic'] = 10
        return out
    if op == 0x72:      # VSRPR
        if i4 & 0x20 or not i4 & 31:
            return {'pic': 6}
        p = packed(a, m5 & 8)
        if not p:
            return bad
        shift = scale - 256 if scale > 127 else scale
        n = Q(p[0]) * Q(10) ** shift
        n = n.numerator // n.denominator + (i4 & 0x40 and n - n.numerator // n.denominator >= Q(1, 2))
        return result(i, r1, n, p[1], i4 & 31, m5, i4 & 0x80)
    if op in ARITHMETIC:
        iom, five = i4 & 0x80, i4 & 31
        if i4 & 0x60 or not five and op not in (0x79, 0x7e):
            return {'pic': 6}
        x, y = packed(a, m5 & 8), packed(i.v[r3], m5 & 4)
        if not x or not y:
            return bad
        p, q = (-x[0] if x[1] else x[0]), (-y[0] if y[1] else y[0])
        if op in (0x7a, 0x7b, 0x7e) and not q:
            return {'pic': 11}
        shift = op in (0x79, 0x7e)
        minus = x[1] != y[1]
        if op in (0x71, 0x73):
            n = p + q if op == 0x71 else p - q
            n, minus = abs(n), n < 0
        elif op in (0x78, 0x79):
            n = x[0] * y[0] // 10 ** (five if shift else 0)
        elif op == 0x7b:
            n, minus = x[0] % y[0], x[1]
        else:
            n = x[0] * 10 ** (five if shift else 0) // y[0]
        return result(i, r1, n, minus, 31 if shift else five, m5, iom)
    if op in (0x54, 0x5c, 0x51):
        digits, sign = '%031x' % (a >> 4), a & 15
        fine, signed = digits.isdigit(), sign > 9
        if not m & 4 and (not fine or not signed and (op == 0x51 or not m & 8)):
            return bad
        if op == 0x51:  # VCLZDP
            out = {'v': {r1: (31 - len(digits.lstrip('0'))) << 64}}
            minus = sign in (11, 13)
            if m & 1:
                out['cc'] = 3 if not fine or not signed else (1 if minus else 2) if digits.strip('0') else 1 if minus and m & 2 else 0
            return out
        if op == 0x54:  # VUPKZH
            return {'v': {r1: int('f0' + ''.join('f' + c for c in digits[:15]), 16)}}
        text = ''.join('f' + c for c in digits[15:])
        return {'v': {r1: int(text[:30] + ('f' if m & 2 else '%x' % sign) + text[31:], 16)}}
    if op in (0x74, 0x7c):
        f = 'edx'[(insn[4] >> 4) - 2] if 2 <= insn[4] >> 4 <= 4 else None
        if op == 0x74 and not f:
            return {'pic': 6}
        p = packed(a)
        if not p:
            return bad
        n, minus = p[0] * 10 ** (scale & 7), p[1]
        if op == 0x74:  # VSCHP
            if not n:
                return {'v': {r1: 0}}
            d, e, inexact, up = rounded(Q(n), HFP[f], 16, minus, AWAY_TIE if m & 1 else ZERO)
            return {'v': {r1: make_hfp(f, minus, d, e + HFP[f] + 64) << {'e': 96, 'd': 64, 'x': 0}[f]}}
        high = low = 0  # VSCSHP
        if n:
            d, e, inexact, up = rounded(Q(n), 6, 16, minus, ZERO)
            high, n = make_hfp('e', minus, d, e + 70), n - d * Q(16) ** e
        if n:
            d, e, inexact, up = rounded(Q(n), 14, 16, minus, ZERO)
            low = make_hfp('d', minus, d, e + 78)
        return {'v': {r1: high << 96 | low}}
    h = hfp('x', a)     # VCSPH
    n = h.value * 10 ** (scale & 31)
    n = n.numerator // n.denominator + (m & 1 and n - n.numerator // n.denominator >= Q(1, 2))
    n %= 10 ** 31
    return {'v': {r1: make(n, h.minus and n)}}


def decimal(R):
    n = R.choice([0, 1, 10 ** 31 - 1, R.randrange(10 ** 31), R.randrange(10 ** R.randint(1, 31)), R.randrange(10 ** R.randint(1, 31)),
                  5 * 10 ** R.randint(0, 30), 16 ** R.randint(0, 25) * R.randint(1, 4095) % 10 ** 31])
    v = make(n, 0, R.choice([12, 13, 13, 15, 10, 11, 14]))
    return v ^ R.randrange(16) << 4 * R.randrange(32) if R.random() < .06 else v


def hexadecimal(R):
    if R.random() < .1:
        return R.getrandbits(128)
    if R.random() < .4:  # near an integer or a half, perhaps scaled
        q = Q(2 * R.randrange(10 ** R.randint(1, 31)) + R.choice([0, 1]), 2) / 10 ** R.choice([0, 0, R.randint(0, 9)])
        if q:
            d, e, inexact, up = rounded(q, 28, 16, 0, R.choice([ZERO, AWAY]))
            return make_hfp('x', R.getrandbits(1), d, e + 92)
    return make_hfp('x', R.getrandbits(1), R.getrandbits(112) >> R.choice([0, 0, R.randrange(112)]),
                    R.choice([0, 127, 64 + R.randint(-5, 28), 64 + R.randint(-5, 28), R.randrange(128)]))


def zoned(R):
    v = int(''.join(R.choice('fff0c') + c for c in '%032d' % R.randrange(10 ** R.choice([0, 3, 15, 16, 31, 32]))), 16)
    if R.random() < .5:
        v = v & ~0xf0 | R.choice([12, 13, 15, 10, 11, 14]) << 4
    v ^= R.randrange(16) << 8 * R.randrange(16) if R.random() < .05 else 0
    return v & (1 << 128) - 1


ROWS = {'vpkzr': 0x70, 'vsrpr': 0x72, 'vupkzh': 0x54, 'vupkzl': 0x5c, 'vclzdp': 0x51, 'vschp': 0x74, 'vscshp': 0x7c, 'vcsph': 0x7d, 'vap': 0x71, 'vsp': 0x73,
        'vmp': 0x78, 'vmsp': 0x79, 'vdp': 0x7a, 'vrp': 0x7b, 'vsdp': 0x7e}


def cases(R):
    names = sorted(ROWS)
    while True:
        name = R.choice(names)
        op = ROWS[name]
        v = [0] * 16
        r1, r2, r3 = R.randrange(1, 4), R.randrange(1, 4), R.randrange(1, 4)
        for r in range(16):
            v[r] = decimal(R)
        for r in (r2, r3):
            if op == 0x70:
                v[r] = zoned(R)
        if op == 0x70:
            v[r2] = R.choice([v[r2], int('f0' * 16, 16), int('f0' * 15 + 'f7', 16)])
        if op == 0x7d:
            v[r2] = hexadecimal(R)
        if op in (0x72, 0x74, 0x7c, 0x7d) and r3 != r2:
            v[r3] = v[r3] & ~(255 << 64) | R.choice([R.randrange(8), R.randrange(8), R.randrange(32), R.randint(-33, 33), R.randrange(256)]) % 256 << 64
        m = R.randrange(16)
        if op in (0x70, 0x72) or op in ARITHMETIC:
            if op in ARITHMETIC and R.random() < .5 and r2 != r3:  # a short divisor or factor
                v[r3] = make(R.randrange(10 ** R.randint(1, 16)), 0, R.choice([12, 13]))
            i4 = R.choice([31, 31, R.randint(0, 31), R.randrange(256)]) | R.choice([0, 0x80]) | (R.choice([0, 0x40]) if op == 0x72 else 0)
            tail = [r3 << 4, m << 4 | i4 >> 4, (i4 & 15) << 4]
        elif op in (0x54, 0x5c, 0x51):
            tail = [0, m << 4, 0]
        elif op == 0x7d:
            tail = [r3 << 4, R.choice([0, 1]) << 4, 0]
        else:
            m4 = R.choice([2, 3, 4, 2, 3, 4, R.randrange(16)]) if op == 0x74 else 0
            tail = [r3 << 4, R.choice([0, 1]) << 4 if op == 0x74 else 0, m4 << 4]
        yield name, bytes([0xe6, r1 << 4 | r2] + tail + [op]), Input(v, cc=R.randrange(4), pm=R.choice([0, 4]))
