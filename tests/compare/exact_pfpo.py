# SPDX-License-Identifier: GPL-3.0-or-later
"""PERFORM FLOATING-POINT OPERATION: every pair of formats, by fractions."""
import os, sys
from fractions import Fraction as Q
from exact import Input
from exact_number import *

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'script', 'generated'))
_argv, sys.argv = sys.argv, ['dfp.py', os.devnull]
import dfp as D
sys.argv = _argv
import _pydecimal

CODES = {0: ('h', 'e'), 1: ('h', 'd'), 2: ('h', 'x'), 5: ('b', 'e'), 6: ('b', 'd'), 7: ('b', 'x'), 8: ('d', 'e'), 9: ('d', 'd'),
         10: ('d', 'x')}
WIDTH = {'e': 32, 'd': 64, 'x': 128}
NUMBERS = {}
for _n in range(1000):
    NUMBERS[D.declet(_n)] = _n
for _d in range(1024):  # the redundant ones: both bits that play no part are zero in the preferred declet
    NUMBERS.setdefault(_d, NUMBERS.get(_d & 0xff))


def dfp(f, bits):
    p, cont, bias, emax, width = DFP[f]
    trailing = width - 6 - cont
    comb, rest, minus = bits >> (trailing + cont) & 31, bits >> trailing & (1 << cont) - 1, bits >> (width - 1)
    n = 0
    for k in range(trailing - 10, -1, -10):
        n = n * 1000 + NUMBERS[bits >> k & 0x3ff]
    if comb >= 30:
        return Number('i' if comb == 30 else 's' if rest >> (cont - 1) else 'q', minus, n)
    high, lead = (comb >> 3, comb & 7) if comb < 24 else (comb >> 1 & 3, 8 | comb & 1)
    e = (high << cont | rest) - bias
    return Number('n', minus, (lead * 10 ** (p - 1) + n) * (Q(10) ** e if e < 0 else 10 ** e), e)


def reverse(v, n):
    return int(bin(v)[2:].zfill(n)[::-1], 2) if n else 0


def to_bfp(f, a, mode, masks, quiet):
    p, emax, width = BFP[f]
    if a.kind == 'i':
        return bfp_infinity(f, a.minus), 0, 0
    if a.kind != 'n':
        bad = a.kind == 's'
        bits = bfp_infinity(f, a.minus) | 1 << (p - 2) | reverse(a.value & (1 << (p - 2)) - 1, p - 2)
        return (None if bad and masks & INVALID else bits), INVALID if bad and not masks & INVALID else 0, INVALID if bad and masks & INVALID else 0
    if not a.value:
        return a.minus << (width - 1), 0, 0
    return finish_bfp(f, a.value, a.minus, mode, masks, quiet, 'units')


def to_dfp(f, a, mode, masks, quiet, one):
    p, cont, bias, emax, width = DFP[f]
    least, most = -bias, emax - p + 1
    if a.kind == 'i':
        return D.encode(f, (a.minus, 0, 'F')), 0, 0
    if a.kind != 'n':
        bad = a.kind == 's'
        bits = D.encode(f, (a.minus, a.value % 10 ** (p - 1), 'n'))
        return (None if bad and masks & INVALID else bits), INVALID if bad and not masks & INVALID else 0, INVALID if bad and masks & INVALID else 0
    want = 0 if one else most
    if not a.value:
        return D.encode(f, (a.minus, 0, want)), 0, 0
    n, e, inexact, up = rounded(a.value, p, 10, a.minus, mode)
    tiny = a.value < Q(10) ** (1 - emax)
    over = not tiny and e + p - 1 > emax
    trap = UNDERFLOW if tiny and masks & UNDERFLOW else OVERFLOW if over and masks & OVERFLOW else 0
    flags = dxc = 0
    if trap:
        e = 1 - p
    elif over:
        big = mode in (EVEN, AWAY_TIE, ZERO_TIE, AWAY) or mode == UP and not a.minus or mode == DOWN and a.minus
        flags, inexact, up = OVERFLOW, True, bool(big)
    elif tiny:
        e = least
        n, inexact, up = round_to(a.value, e, 10, a.minus, mode)
        flags = UNDERFLOW if inexact else 0
    if over and not trap:
        bits = D.encode(f, (a.minus, 0, 'F') if big else (a.minus, 10 ** p - 1, most))
    else:
        if not inexact:  # towards the preferred quantum
            while e < want and n % 10 == 0 and n:
                n, e = n // 10, e + 1
            while e > want and n * 10 < 10 ** p:
                n, e = n * 10, e - 1
        if trap:
            e = 1 - len(str(n))
        while e > most:
            n, e = n * 10, e - 1
        bits = D.encode(f, (a.minus, n, e))
    code = INEXACT | (INCREMENTED if up else 0) if inexact else 0
    if trap:
        dxc = trap | code
    elif inexact and not quiet:
        if masks & INEXACT:
            dxc = code
        else:
            flags |= INEXACT
    return bits, flags, dxc


def to_hfp(f, a, mode, masks, quiet, overflow, underflow):
    n = HFP[f]
    greatest = lambda minus: make_hfp(f, minus, 16 ** n - 1, 127)
    if a.kind != 'n':
        bad = masks & INVALID
        return (None if bad else greatest(a.minus if a.kind == 'i' else 0)), 0 if bad else INVALID, INVALID if bad else 0
    if not a.value:
        return make_hfp(f, a.minus, 0, 0), 0, 0
    m, e, inexact, up = rounded(a.value, n, 16, a.minus, mode)
    c = e + n + 64
    exception = OVERFLOW if c > 127 and overflow else UNDERFLOW if c < 0 and underflow else 0
    if exception & masks:
        return make_hfp(f, a.minus, m, 65), 0, exception | (INEXACT | (INCREMENTED if up else 0) if inexact else 0)
    flags, dxc = exception, 0
    bits = make_hfp(f, a.minus, m, c)
    if c > 127 and not overflow:
        return (None, 0, INVALID) if masks & INVALID else (greatest(a.minus), INVALID, 0)
    if c > 127:
        bits, inexact, up = greatest(a.minus), True, False
    if c < 0:
        bits, inexact, up = make_hfp(f, a.minus, 0, 0), True, False
    if inexact and not quiet:
        if masks & INEXACT:
            dxc = INEXACT | (INCREMENTED if up else 0)
        else:
            flags |= INEXACT
    return bits, flags, dxc


def get(i, r, f):
    return i.v[r] >> 96 if f == 'e' else i.v[r] >> 64 if f == 'd' else i.v[r] >> 64 << 64 | i.v[r + 2] >> 64


def put(i, r, f, bits):
    low = (1 << 64) - 1
    if f == 'e':
        return {r: bits << 96 | i.v[r] & (1 << 96) - 1}
    if f == 'd':
        return {r: bits << 64 | i.v[r] & low}
    return {r: bits >> 64 << 64 | i.v[r] & low, r + 2: (bits & low) << 64 | i.v[r + 2] & low}


def model(insn, i):
    gr0 = i.g[0] & 0xffffffff
    one, two = CODES.get(gr0 >> 16 & 0xff), CODES.get(gr0 >> 8 & 0xff)
    good = gr0 >> 24 & 0x7f == 1 and one and two and one[0] != two[0] and (gr0 & 15 < 2 or gr0 & 15 > 7)
    good = good and not gr0 & {'h': 0, 'b': 0x30, 'd': 0x20}[one[0]]
    if gr0 >> 31:
        return {'cc': 0 if good else 3, 'g': {1: i.g[1] >> 32 << 32}}
    if not good:
        return {'pic': 6}
    m = gr0 & 15
    mode = i.fpc >> 4 & 7 if m == 0 else FROM_BRM[i.fpc & 7] if m == 1 else m - 8
    masks = i.fpc >> 24 & 0xf8
    a = {'h': hfp, 'b': bfp, 'd': dfp}[two[0]](two[1], get(i, 4, two[1]))
    if a.kind in 'qs' and two[0] == 'b':
        a.value = reverse(a.value, BFP[two[1]][0] - 2)
    quiet = gr0 & 0x80
    if one[0] == 'b':
        bits, flags, dxc = to_bfp(one[1], a, mode, masks, quiet)
    elif one[0] == 'd':
        bits, flags, dxc = to_dfp(one[1], a, mode, masks, quiet, gr0 & 0x10)
    else:
        bits, flags, dxc = to_hfp(one[1], a, mode, masks, quiet, gr0 & 0x20, gr0 & 0x10)
    out = {'fpc': i.fpc | flags << 16, 'v': put(i, 0, one[1], bits) if bits is not None else {}}
    interrupt = dxc and not gr0 & 0x40
    if interrupt:
        out['pic'], out['dxc'] = 7, dxc
    elif dxc:
        out['fpc'] = out['fpc'] & ~0xff00 | dxc << 8
    if not (interrupt and bits is None):
        out['g'] = {1: i.g[1] >> 32 << 32 | dxc}
        out['cc'] = 2 if dxc else 1 if flags else 0
    return out


def decimal_bits(R, f):
    D.R = R
    v = R.getrandbits(WIDTH[f]) if R.random() < .15 else D.encode(f, D.number(f))
    return v ^ (1 << R.randrange(WIDTH[f])) if R.random() < .05 else v


def binary_bits(R, f):
    p, emax, width = BFP[f]
    e = R.choice([0, 2 * emax, 2 * emax + 1, emax + R.randint(-40, 40), emax + R.randint(-300, 300), emax + R.randint(-p, p),
                  R.randint(0, 2 * emax)]) & (2 * emax + 1)
    m = R.choice([0, 1, (1 << p) - 1, R.getrandbits(p), R.getrandbits(p), R.getrandbits(p) >> R.randrange(p),
                  R.getrandbits(p) << R.randrange(p)]) & (1 << (p - 1)) - 1
    return R.getrandbits(1) << (width - 1) | e << (p - 1) | m


def hex_bits(R, f):
    width, n = WIDTH[f], HFP[f]
    c = R.choice([0, 127, 64 + R.randint(-10, 16), 64 + R.randint(-10, 16), R.randrange(128)])
    m = R.choice([0, 1, 16 ** n - 1, R.getrandbits(4 * n), R.getrandbits(4 * n), R.getrandbits(4 * n) >> R.randrange(4 * n)])
    if R.random() < .1 and f == 'x':
        return R.getrandbits(128)
    return make_hfp(f, R.getrandbits(1), m, c)


def near(R, to, f):
    """A fraction near the edges of the target, or a value that is exact there."""
    k = R.random()
    if to[0] == 'h':
        q = Q(16) ** R.choice([63, -65, -64]) * Q(R.randint(1, 1 << 20), 1 << 17)
    elif to[0] == 'b':
        p, emax, width = BFP[to[1]]
        q = Q(2) ** R.choice([emax + 1, emax, -emax, 1 - emax - p, 2 - emax - p, R.randint(-60, 60)]) * Q(R.randint(1, 99), R.choice([1, 2, 64]))
    else:
        p, cont, bias, emax, width = DFP[to[1]]
        q = Q(10) ** R.choice([emax + 1, emax, 1 - emax, -bias, -bias + 1, R.randint(-20, 40)]) * Q(R.randint(1, 999), R.choice([1, 10, 1000]))
    return q


def operand(R, two, one):
    if R.random() < .35:
        q, minus, mode = near(R, one, two[1]), R.getrandbits(1), R.randrange(8)
        if two[0] == 'b':
            return finish_bfp(two[1], q, minus, mode, 0)[0]
        if two[0] == 'd':
            return to_dfp(two[1], Number('n', minus, q), mode, 0, True, R.getrandbits(1))[0]
        return to_hfp(two[1], Number('n', minus, q), mode, 0, True, 0, 0)[0]
    return {'h': hex_bits, 'b': binary_bits, 'd': decimal_bits}[two[0]](R, two[1])


def cases(R):
    kinds = sorted(CODES)
    while True:
        i = Input()
        one, two = R.choice(kinds), R.choice(kinds)
        if CODES[one][0] == CODES[two][0] and R.random() < .9:
            continue
        f, t = CODES[two][1], CODES[one]
        bits = operand(R, CODES[two], t)
        i.v = [R.getrandbits(128) for k in range(8)] + [0] * 8
        for r, v in put(i, 4, f, bits).items():
            i.v[r] = v
        controls = R.randrange(4) << 4 & {'h': 0x30, 'b': 0, 'd': 0x10}[t[0]] | R.choice([0, 0, 0x80]) | R.choice([0, 0, 0x40])
        gr0 = 1 << 24 | one << 16 | two << 8 | controls | R.choice([0, 0, 1, 8, 9, 10, 11, 12, 13, 14, 15])
        if R.random() < .03:
            gr0 ^= 1 << R.randrange(32)
        if R.random() < .03:
            gr0 |= 1 << 31
        i.g = [R.getrandbits(32) << 32 | gr0, R.getrandbits(64)] + [0] * 4
        i.fpc = R.choice([0, 0, 0, R.getrandbits(5) << 27]) | R.randrange(8) << 4 | R.choice([0, 1, 2, 3, 7])
        i.fpc |= R.choice([0, 0, R.getrandbits(5) << 19])
        i.cc = R.randrange(4)
        yield 'PFPO %s%s-%s%s' % (CODES[two] + t), bytes.fromhex('010a'), i
