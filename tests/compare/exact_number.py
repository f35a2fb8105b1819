# SPDX-License-Identifier: GPL-3.0-or-later
"""What the exact models share: numbers of every format as fractions, and rounding once."""
from fractions import Fraction as Q

INVALID, DIVIDE, OVERFLOW, UNDERFLOW, INEXACT, INCREMENTED = 0x80, 0x40, 0x20, 0x10, 8, 4
BFP = {'e': (24, 127, 32), 'd': (53, 1023, 64), 'x': (113, 16383, 128)}
DFP = {'e': (7, 6, 101, 96, 32), 'd': (16, 8, 398, 384, 64), 'x': (34, 12, 6176, 6144, 128)}
HFP = {'e': 6, 'd': 14, 'x': 28}
# rounding methods, numbered as those of DFP
EVEN, ZERO, UP, DOWN, AWAY_TIE, ZERO_TIE, AWAY, SHORTER = range(8)
FROM_BRM = {0: EVEN, 1: ZERO, 2: UP, 3: DOWN, 7: SHORTER}
FROM_M3 = {1: AWAY_TIE, 3: SHORTER, 4: EVEN, 5: ZERO, 6: UP, 7: DOWN}


def increments(n, rest, minus, mode, base):
    """One more than the integer n, when `rest` (0 <= rest < 1) is dropped from n + rest?"""
    if not rest:
        return False
    half = Q(1, 2)
    return {EVEN: rest > half or rest == half and n & 1, ZERO: False, UP: not minus, DOWN: bool(minus), AWAY_TIE: rest >= half,
            ZERO_TIE: rest > half, AWAY: True, SHORTER: n % 5 == 0 if base == 10 else n % 2 == 0}[mode] and True


def magnitude(q, base):
    """e with base**e <= q < base**(e + 1)."""
    e = q.numerator.bit_length() - q.denominator.bit_length()
    if base != 2:
        e = int(e / {10: 3.321928094887362, 16: 4}[base])
    while Q(base) ** e > q:
        e -= 1
    while Q(base) ** (e + 1) <= q:
        e += 1
    return e


def round_to(q, unit, base, minus, mode):
    """q > 0 in units of base**unit: integer, inexact, incremented."""
    s = q / Q(base) ** unit
    n = s.numerator // s.denominator
    up = increments(n, s - n, minus, mode, base)
    return n + up, s != n, bool(up)


def rounded(q, p, base, minus, mode):
    """To p digits without limits: digits (of exactly p), exponent of the last, inexact, incremented."""
    e = magnitude(q, base) - p + 1
    n, inexact, up = round_to(q, e, base, minus, mode)
    if n == base ** p:
        n, e = n // base, e + 1
    return n, e, inexact, up


class Number:
    """kind: 'n' finite, 'i' infinity, 'q' quiet, 's' signaling NaN; value: a fraction without sign, or the payload."""
    def __init__(self, kind, minus, value, exponent=None):
        self.kind, self.minus, self.value, self.exponent = kind, minus, value, exponent


def bfp(f, bits):
    p, emax, width = BFP[f]
    minus, e, m = bits >> (width - 1) & 1, bits >> (p - 1) & (2 * emax + 1), bits & (1 << (p - 1)) - 1
    if e == 2 * emax + 1:
        return Number('i' if not m else 'q' if m >> (p - 2) else 's', minus, m & (1 << (p - 2)) - 1)
    return Number('n', minus, Q(m | (1 << (p - 1) if e else 0)) * Q(2) ** (max(e, 1) - emax - (p - 1)))


def hfp(f, bits):
    n = HFP[f]
    width = {'e': 32, 'd': 64, 'x': 128}[f]
    c, minus = bits >> (width - 8) & 0x7f, bits >> (width - 1)
    m = bits & (1 << (width - 8)) - 1
    if f == 'x':
        m = (bits >> 64 & (1 << 56) - 1) << 56 | bits & (1 << 56) - 1
    return Number('n', minus, Q(m) * Q(16) ** (c - 64 - n))


def make_bfp(f, minus, n, e):
    """A normalized n * 2**e, or a subnormal number."""
    p, emax, width = BFP[f]
    if n < 1 << (p - 1):
        assert e == 1 - emax - (p - 1) or not n
        return minus << (width - 1) | n
    return minus << (width - 1) | (e + p - 1 + emax) << (p - 1) | n & (1 << (p - 1)) - 1


def make_hfp(f, minus, fraction, c):
    width = {'e': 32, 'd': 64, 'x': 128}[f]
    head = minus << 7 | c & 0x7f
    if f != 'x':
        return head << (width - 8) | fraction
    low = minus << 7 | (c - 14 & 0x7f if fraction else 0)
    return (head if fraction else minus << 7) << 120 | fraction >> 56 << 64 | low << 56 | fraction & (1 << 56) - 1


def bfp_infinity(f, minus):
    p, emax, width = BFP[f]
    return minus << (width - 1) | (2 * emax + 1) << (p - 1)


def finish_bfp(f, q, minus, mode, masks, quiet=False, scaled=None):
    """q > 0 rounded once: bits, flags, dxc. `scaled`: exponent adjustment of a trapped result (None: the architecture's)."""
    p, emax, width = BFP[f]
    n, e, inexact, up = rounded(q, p, 2, minus, mode)
    tiny = q < Q(2) ** (1 - emax)
    code = lambda: (INEXACT | (INCREMENTED if up else 0)) if inexact else 0
    alpha = {24: 192, 53: 1536, 113: 24576}[p]
    if tiny and masks & UNDERFLOW:
        e = 1 - p if scaled == 'units' else e + alpha
        return make_bfp(f, minus, n, e), 0, UNDERFLOW | code()
    flags = dxc = 0
    if tiny:
        e = 1 - emax - (p - 1)
        n, inexact, up = round_to(q, e, 2, minus, mode)
        flags |= UNDERFLOW if inexact else 0
    elif e + p - 1 > emax:
        if masks & OVERFLOW:
            e = 1 - p if scaled == 'units' else e - alpha
            return make_bfp(f, minus, n, e), 0, OVERFLOW | code()
        flags |= OVERFLOW
        big = mode in (EVEN, AWAY_TIE, ZERO_TIE, AWAY) or mode == UP and not minus or mode == DOWN and minus
        inexact, up = True, bool(big)
        bits = bfp_infinity(f, minus) - (not big)
    if not flags & OVERFLOW:
        bits = make_bfp(f, minus, n, e)
    if inexact and not quiet:
        if masks & INEXACT:
            dxc = code()
        else:
            flags |= INEXACT
    return bits, flags, dxc
