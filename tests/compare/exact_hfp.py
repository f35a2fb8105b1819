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


def model(insn, i):
    op = insn[0] << 8 | insn[1] if insn[0] in (0xb2, 0xb3) else insn[0]
    name, kind, f = BY_CODE[op][:3]
    r1, r2 = (insn[3] if op > 255 else insn[1]) >> 4, (insn[3] if op > 255 else insn[1]) & 15
    if kind == 'signal':
        new = i.g[r1] & 0xffffffff if name == 'sfasr' else i.word
        if new & 0x03030088 or new & 7 in (4, 5, 6):
            return {'pic': 6}
        flags = i.fpc >> 16 & 255
        out = {'fpc': new | flags << 16}
        for bit, code in ((0x80, 0x83), (0x40, 0x43), (0x20, 0x23), (0x10, 0x13), (8, 0xb)):
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
        i = Input(cc=R.randrange(4), pm=R.randrange(4), fpc=R.choice([0, R.getrandbits(5) << 27 | R.getrandbits(5) << 19 | R.choice([0, 1, 2, 3, 7])]))
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
            new = R.choice([0, R.getrandbits(5) << 27, R.getrandbits(5) << 27]) | R.getrandbits(5) << 19 | R.getrandbits(8) << 8 | R.randrange(8) << 4
            new |= R.choice([0, 1, 2, 3, 7, R.randrange(8)])
            i.word = new ^ (1 << R.randrange(32) if R.random() < .1 else 0)
            r1 = R.randrange(6)
            i.g[r1] = i.g[r1] >> 32 << 32 | i.word
        if kind == 'fixed':
            r1 = R.randrange(6)
        if name == 'lfas':
            yield name, bytes.fromhex('b2bdd004'), i
        elif op < 256:
            yield name, bytes([op, r1 << 4 | r2]), i
        else:
            m3 = R.choice([0, 1, 4, 5, 6, 7, 0, 1, 4, 5, 6, 7, R.randrange(16)]) if kind in ('to-bfp', 'fixed') else 0
            yield name, op.to_bytes(2, 'big') + bytes([m3 << 4, r1 << 4 | r2]), i
