# SPDX-License-Identifier: GPL-3.0-or-later
"""Decimal floating point with traps, scaled results, quantum exceptions and every rounding method, by fractions; exponents,
digits, classes, groups and packed numbers."""
from fractions import Fraction as Q
from exact import Input
from exact_number import *
from exact_pfpo import D, dfp, get, put, decimal_bits

SCALE = {'e': 192, 'd': 576, 'x': 9216}
QUANTUM = 4
LOW = {1: AWAY_TIE, 3: SHORTER, 4: EVEN, 5: ZERO, 6: UP, 7: DOWN}


class State:
    def __init__(self, i, m, quiet=False):
        self.mode = m - 8 if m > 7 else LOW.get(m, i.fpc >> 4 & 7)
        self.masks, self.quiet, self.flags, self.dxc, self.store = i.fpc >> 24 & 0xfc, quiet, 0, 0, True

    def recognize(self, bit):
        if self.masks & bit:
            self.dxc, self.store = bit, False
        else:
            self.flags |= bit

    def inexact(self, inexact, up):
        if inexact and not self.quiet:
            if self.masks & INEXACT:
                self.dxc = INEXACT | (INCREMENTED if up else 0)
            else:
                self.flags |= INEXACT

    def quantum(self, wrong):
        """The dxc of the quantum exception is that of the mask; an earlier trap goes before."""
        if wrong and not self.dxc:
            if self.masks & QUANTUM:
                self.dxc = QUANTUM
            else:
                self.flags |= QUANTUM

    def invalid(self, f):
        self.recognize(INVALID)
        return D.encode(f, (0, 0, 'n'))


def towards(n, e, want, p):
    """The member of the cohort whose exponent is nearest to the one that is wanted."""
    while e < want and n and n % 10 == 0:
        n, e = n // 10, e + 1
    while e > want and n * 10 < 10 ** p:
        n, e = n * 10, e - 1
    return n, e


def finish(s, f, q, minus, preferred, scaled=True):
    """q without sign, rounded once: bits; not `scaled`: nothing when an overflow or underflow traps."""
    p, cont, bias, emax, width = DFP[f]
    least, most = -bias, emax - p + 1
    if not q:
        e = max(least, min(most, preferred))
        s.quantum(e != preferred)
        return D.encode(f, (minus, 0, e))
    n, e, inexact, up = rounded(q, p, 10, minus, s.mode)
    tiny, over = q < Q(10) ** (1 - emax), e + p - 1 > emax
    over = over and not tiny
    trap = UNDERFLOW if tiny and s.masks & UNDERFLOW else OVERFLOW if over and s.masks & OVERFLOW else 0
    if over and not trap:
        big = s.mode in (EVEN, AWAY_TIE, ZERO_TIE, AWAY) or s.mode == UP and not minus or s.mode == DOWN and minus
        s.flags |= OVERFLOW
        s.inexact(True, bool(big))
        return D.encode(f, (minus, 0, 'F') if big else (minus, 10 ** p - 1, most))
    if trap:
        by = SCALE[f] if tiny else -SCALE[f]
        e, preferred = e + by, preferred + by
    elif tiny:
        e = least
        n, inexact, up = round_to(q, e, 10, minus, s.mode)
        s.flags |= UNDERFLOW if inexact else 0
    if not inexact:
        n, e = towards(n, e, max(least, min(most, preferred)), p)
    if trap:
        s.dxc = trap | (INEXACT | (INCREMENTED if up else 0) if inexact else 0)
        if not scaled:
            return None
    else:
        s.inexact(inexact, up)
    s.quantum(e != preferred)
    return D.encode(f, (minus, n, e))


def nan_of(s, f, *numbers):
    for kind in 'sq':
        for a in numbers:
            if a.kind == kind:
                if kind == 's':
                    s.recognize(INVALID)
                return D.encode(f, (a.minus, a.value, 'n'))
    return None


def infinity(f, minus):
    return D.encode(f, (minus, 0, 'F'))


def arithmetic(s, f, op, a, b):
    nan = nan_of(s, f, a, b)
    if nan is not None:
        return nan
    if op in '+-':
        bm = b.minus ^ (op == '-')
        if a.kind == 'i':
            return s.invalid(f) if b.kind == 'i' and bm != a.minus else infinity(f, a.minus)
        if b.kind == 'i':
            return infinity(f, bm)
        q = (-1) ** a.minus * Q(a.value) + (-1) ** bm * Q(b.value)
        minus = q < 0 if q else a.minus if a.minus == bm else s.mode == DOWN
        return finish(s, f, abs(q), int(minus), min(a.exponent, b.exponent))
    minus = a.minus ^ b.minus
    zero = lambda n: n.kind == 'n' and not n.value
    if op == '*':
        if 'i' in (a.kind, b.kind):
            return s.invalid(f) if zero(a) or zero(b) else infinity(f, minus)
        return finish(s, f, Q(a.value) * b.value, minus, a.exponent + b.exponent)
    if a.kind == 'i':
        return s.invalid(f) if b.kind == 'i' else infinity(f, minus)
    if b.kind == 'i':
        return D.encode(f, (minus, 0, -DFP[f][2]))
    if zero(b):
        if zero(a):
            return s.invalid(f)
        s.recognize(DIVIDE)
        return infinity(f, minus)
    return finish(s, f, Q(a.value) / b.value, minus, a.exponent - b.exponent)


def load_rounded(s, f, t, a, keep):
    p, cont, bias, emax, width = DFP[t]
    if a.kind != 'n':
        if a.kind == 's' and not keep:
            s.recognize(INVALID)
        kind = {'i': 'I' if keep else 'F', 'q': 'n', 's': 'N' if keep else 'n'}[a.kind]
        return D.encode(t, (a.minus, a.value % 10 ** (p - 1), kind)), t
    bits = finish(s, t, Q(a.value), a.minus, a.exponent, False)
    if s.dxc & (OVERFLOW | UNDERFLOW):
        # To the precision of the target, in the source format; the exponent is scaled by a quarter of the source's range.
        n, e, inexact, up = rounded(Q(a.value), p, 10, a.minus, s.mode)
        scale = {'d': 192, 'x': 3072}[f] * (1 if s.dxc & UNDERFLOW else -1)
        n, e = (n, e + scale) if inexact else towards(n, e + scale, a.exponent + scale, DFP[f][0])
        return D.encode(f, (a.minus, n, e)), f
    return bits, t


def integer(q):
    return q.numerator // q.denominator


def coefficient(a):
    return integer(Q(a.value) / Q(10) ** a.exponent)


LETTER = {'i': 'I', 'q': 'n', 's': 'N'}


def significand(a):
    """An integer; the trailing one of an infinity or a NaN."""
    return coefficient(a) if a.kind == 'n' else a.value


def same_with(f, a, n):
    return D.encode(f, (a.minus, n, a.exponent if a.kind == 'n' else LETTER[a.kind]))


def packed_digits(v, nibbles):
    """A number of so many nibbles, None when one is no digit."""
    ds = [v >> 4 * k & 15 for k in reversed(range(nibbles))]
    return None if any(d > 9 for d in ds) else int(''.join(map(str, ds)) or '0')


def packed(i, kind, f, r1, r2, m4):
    """To and from packed numbers in a general register or two."""
    width, signed = (128 if f == 'x' else 64), kind[2] == 's'
    nibbles = width // 4 - signed
    if kind[0] == 't':
        a = dfp(f, get(i, r2, f))
        n = int(str(significand(a) % 10 ** nibbles), 16)
        if signed:
            n = n << 4 | (13 if a.minus else 15 if m4 & 1 else 12)
        return {'g': {r1: n >> 64, r1 + 1: n & (1 << 64) - 1} if f == 'x' else {r1: n}}
    v = i.g[r2] << 64 | i.g[r2 + 1] if f == 'x' else i.g[r2]
    n, sign = packed_digits(v >> 4 * signed, nibbles), v & 15 if signed else 12
    if n is None or sign < 10:
        return {'pic': 7, 'dxc': 0}
    return {'v': put(i, r1, f, D.encode(f, (int(sign in (11, 13)), n, 0)))}


def plain(insn, i, kind, f, row):
    """Instructions that round nothing."""
    p, cont, bias, emax, width = DFP[f]
    most = 3 * 2 ** cont - 1
    if insn[0] == 0xed:
        x = int.from_bytes(insn[2:4], 'big') & 0xfff
        a = dfp(f, get(i, insn[1] >> 4, f))
        n = significand(a)
        if kind == 'sh':
            by, room = x & 63, p - (a.kind != 'n')
            n = n * 10 ** by % 10 ** room if row[3] else n // 10 ** by
            return {'v': put(i, insn[4] >> 4, f, same_with(f, a, n))}
        extreme = a.kind == 'n' and a.exponent + bias in (0, most)
        if kind == 'tc':
            k = {'i': 3, 'q': 4, 's': 5}.get(a.kind, 0 if not n else 1 if a.value < Q(10) ** (1 - emax) else 2)
        else:
            k = 5 if a.kind != 'n' else (1 if extreme else 0) if not n else 2 if extreme else 3 if n < 10 ** (p - 1) else 4
        return {'cc': x >> 11 - 2 * k - a.minus & 1}
    r3, m4, r1, r2 = insn[2] >> 4, insn[2] & 15, insn[3] >> 4, insn[3] & 15
    if kind[1:2] == 'p':
        return packed(i, kind, f, r1, r2, m4)
    if kind == 'ce':
        a, b = dfp(f, get(i, r1, f)), dfp(f, get(i, r2, f))
        kinds = [{'s': 'q'}.get(n.kind, n.kind) for n in (a, b)]
        if kinds == ['n', 'n']:
            return {'cc': 0 if a.exponent == b.exponent else 1 if a.exponent < b.exponent else 2}
        return {'cc': 0 if kinds[0] == kinds[1] else 3}
    if kind in ('ee', 'es'):
        a = dfp(f, get(i, r2, f))
        n = {'i': -1, 'q': -2, 's': -3}.get(a.kind)
        if n is None:
            n = a.exponent + bias if kind == 'ee' else len(str(coefficient(a))) * bool(a.value)
        return {'g': {r1: n & (1 << 64) - 1}}
    a, e = dfp(f, get(i, r3, f)), i.g[r2] - (i.g[r2] >> 63 << 64)
    n = significand(a)
    to = e - bias if 0 <= e <= most else {-1: 'I', -3: 'N'}.get(e, 'n')
    return {'v': put(i, r1, f, D.encode(f, (a.minus, n % 10 ** (p - isinstance(to, str)), to)))}


def model(insn, i):
    row = BY_CODE[insn[0] << 8 | insn[5 if insn[0] == 0xed else 1]]
    if row[1] in PLAIN:
        return plain(insn, i, row[1], row[2], row)
    name, kind, f = BY_CODE[insn[0] << 8 | insn[1]][:3]
    r3, m4, r1, r2 = insn[2] >> 4, insn[2] & 15, insn[3] >> 4, insn[3] & 15
    if kind in '+-*/':
        s = State(i, m4)
        bits = arithmetic(s, f, kind, dfp(f, get(i, r2, f)), dfp(f, get(i, r3, f)))
        cc = None
        if kind in '+-' and s.store:
            r = dfp(f, bits)
            cc = 3 if r.kind in 'qs' else 0 if r.kind == 'n' and not r.value else 1 if r.minus else 2
        t = f
    elif kind == 'ld':
        s, t, cc, a = State(i, 0), row[3], None, dfp(f, get(i, r2, f))
        if a.kind == 'n':
            bits = D.encode(t, (a.minus, coefficient(a), a.exponent))
        else:
            if a.kind == 's' and not m4 & 8:
                s.recognize(INVALID)
            bits = D.encode(t, (a.minus, a.value, LETTER[a.kind] if m4 & 8 else {'i': 'F'}.get(a.kind, 'n')))
    elif kind == 'from':
        width, signed = BY_CODE[insn[0] << 8 | insn[1]][3:]
        s, t, cc = State(i, r3, m4 & 4), f, None
        v = i.g[r2] & (1 << width) - 1
        v -= (1 << width) if signed and v >> width - 1 else 0
        bits = finish(s, f, Q(abs(v)), int(v < 0), 0)
    elif kind == 'to':
        width, signed = BY_CODE[insn[0] << 8 | insn[1]][3:]
        s, a = State(i, r3, m4 & 4), dfp(f, get(i, r2, f))
        low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
        n, inexact, up = round_to(Q(a.value), 0, 10, a.minus, s.mode) if a.kind == 'n' and a.value else (0, False, False)
        v, cc = -n if a.minus else n, 1 if a.minus else 2
        if a.kind != 'n' or not low <= v <= high:
            s.recognize(INVALID)
            v, cc = low if a.minus or a.kind in 'qs' else high, 3
        else:
            s.inexact(inexact, up)
            cc = cc if a.value else 0
        o = {'fpc': i.fpc | s.flags << 16}
        if s.store:
            o['cc'] = cc
            o['g'] = {r1: v & (1 << 64) - 1 if width == 64 else i.g[r1] >> 32 << 32 | v & 0xffffffff}
        if s.dxc:
            o['pic'], o['dxc'] = 7, s.dxc
        return o
    elif kind in ('cmp', 'sig'):
        s, a, b = State(i, 0), dfp(f, get(i, r1, f)), dfp(f, get(i, r2, f))
        kinds, cc = a.kind + b.kind, 3
        if 's' in kinds or 'q' in kinds and kind == 'sig':
            s.recognize(INVALID)
        if 's' not in kinds and 'q' not in kinds:
            far = Q(10) ** 7000
            x, y = ((far if n.kind == 'i' else Q(n.value)) * (-1) ** n.minus for n in (a, b))
            cc = 0 if x == y else 1 if x < y else 2
        o = {'fpc': i.fpc | s.flags << 16}
        if s.store:
            o['cc'] = cc
        if s.dxc:
            o['pic'], o['dxc'] = 7, s.dxc
        return o
    elif kind == 'lt':
        s, t, a = State(i, 0), f, dfp(f, get(i, r2, f))
        nan = nan_of(s, f, a)
        bits = nan if nan is not None else infinity(f, a.minus) if a.kind == 'i' else D.encode(f, (a.minus, coefficient(a), a.exponent))
        cc = 3 if nan is not None else 0 if a.kind == 'n' and not a.value else 1 if a.minus else 2
    elif kind == 'lr':
        s = State(i, r3, m4 & 4)
        bits, t = load_rounded(s, f, BY_CODE[insn[0] << 8 | insn[1]][3], dfp(f, get(i, r2, f)), m4 & 8)
        cc = None
    else:
        t, cc = f, None
        p, cont, bias, emax, width = DFP[f]
        s = State(i, r3 if kind == 'fi' else m4, kind == 'fi' and m4 & 4)
        a = dfp(f, get(i, r2 if kind == 'fi' else r3, f))
        b = dfp(f, get(i, r2, f)) if kind == 'qa' else None
        nan = nan_of(s, f, *([a, b] if b else [a]))
        if nan is not None:
            bits = nan
        elif kind == 'qa' and 'i' in (a.kind, b.kind):
            bits = infinity(f, a.minus) if a.kind == b.kind else s.invalid(f)
        elif a.kind == 'i':
            bits = infinity(f, a.minus)
        elif kind == 'fi':
            if a.exponent >= 0:
                bits = D.encode(f, (a.minus, coefficient(a), a.exponent))
            else:
                n, inexact, up = round_to(Q(a.value), 0, 10, a.minus, s.mode) if a.value else (0, False, False)
                s.inexact(inexact, up)
                bits = D.encode(f, (a.minus, n, 0))
        elif kind == 'qa':
            n, inexact, up = round_to(Q(a.value), b.exponent, 10, a.minus, s.mode) if a.value else (0, False, False)
            if n >= 10 ** p:
                bits = s.invalid(f)
            else:
                s.inexact(inexact, up)
                bits = D.encode(f, (a.minus, n, b.exponent))
        else:
            c, want = coefficient(a), i.g[r2] & 63
            have = len(str(c)) if c else 0
            if not want or have <= want:
                bits = D.encode(f, (a.minus, c, a.exponent))
            else:
                n, e, inexact, up = rounded(Q(a.value), want, 10, a.minus, s.mode)
                if e > emax - p + 1:
                    bits = s.invalid(f)
                else:
                    s.inexact(inexact, up)
                    bits = D.encode(f, (a.minus, n, e))
    o = {'fpc': i.fpc | s.flags << 16}
    if s.store:
        o['v'] = put(i, r1, t, bits)
        if cc is not None:
            o['cc'] = cc
    if s.dxc:
        o['pic'], o['dxc'] = 7, s.dxc
    return o


ROWS = [('adtra', 0xb3d2, '+', 'd'), ('axtra', 0xb3da, '+', 'x'), ('sdtra', 0xb3d3, '-', 'd'), ('sxtra', 0xb3db, '-', 'x'),
        ('mdtra', 0xb3d0, '*', 'd'), ('mxtra', 0xb3d8, '*', 'x'), ('ddtra', 0xb3d1, '/', 'd'), ('dxtra', 0xb3d9, '/', 'x'),
        ('ledtr', 0xb3d5, 'lr', 'd', 'e'), ('ldxtr', 0xb3dd, 'lr', 'x', 'd'), ('fidtr', 0xb3d7, 'fi', 'd'), ('fixtr', 0xb3df, 'fi', 'x'),
        ('qadtr', 0xb3f5, 'qa', 'd'), ('qaxtr', 0xb3fd, 'qa', 'x'), ('rrdtr', 0xb3f7, 'rr', 'd'), ('rrxtr', 0xb3ff, 'rr', 'x'),
        ('cdtr', 0xb3e4, 'cmp', 'd'), ('cxtr', 0xb3ec, 'cmp', 'x'), ('kdtr', 0xb3e0, 'sig', 'd'), ('kxtr', 0xb3e8, 'sig', 'x'),
        ('ltdtr', 0xb3d6, 'lt', 'd'), ('ltxtr', 0xb3de, 'lt', 'x')]
for _f, _op in (('d', 0), ('x', 8)):
    ROWS += [('c%sgtra' % _f, 0xb3f1 + _op, 'from', _f, 64, True), ('c%sftr' % _f, 0xb951 + _op, 'from', _f, 32, True),
             ('c%slgtr' % _f, 0xb952 + _op, 'from', _f, 64, False), ('c%slftr' % _f, 0xb953 + _op, 'from', _f, 32, False),
             ('cg%stra' % _f, 0xb3e1 + _op, 'to', _f, 64, True), ('cf%str' % _f, 0xb941 + _op, 'to', _f, 32, True),
             ('clg%str' % _f, 0xb942 + _op, 'to', _f, 64, False), ('clf%str' % _f, 0xb943 + _op, 'to', _f, 32, False)]
for _k, _f in enumerate('dx'):
    _op = 8 * _k
    ROWS += [('ce', 0xb3f4 + _op, 'ce', _f), ('ee', 0xb3e5 + _op, 'ee', _f), ('es', 0xb3e7 + _op, 'es', _f), ('ie', 0xb3f6 + _op, 'ie', _f),
             ('ld', 0xb3d4 + _op, 'ld', 'ed'[_k], _f), ('sl', 0xed40 + _op, 'sh', _f, True), ('sr', 0xed41 + _op, 'sh', _f, False),
             ('cs', 0xb3e3 + _op, 'tps', _f), ('cu', 0xb3e2 + _op, 'tpu', _f), ('cds', 0xb3f3 + _op, 'fps', _f), ('cdu', 0xb3f2 + _op, 'fpu', _f)]
for _k, _f in enumerate('edx'):
    ROWS += [('tdc', 0xed50 + 4 * _k, 'tc', _f), ('tdg', 0xed51 + 4 * _k, 'tg', _f)]
PLAIN = ('ce', 'ee', 'es', 'ie', 'sh', 'tc', 'tg', 'tps', 'tpu', 'fps', 'fpu')
BY_CODE = {row[1]: (row[0],) + row[2:] for row in ROWS}


def plain_code(R, i, op, kind, f, r1, r2, r3):
    p, cont, bias, emax, width = DFP[f]
    g = R.choice([0, 2, 4])
    if op >> 8 == 0xed:
        x = R.choice([R.getrandbits(6), R.randint(0, p)]) if kind == 'sh' else R.getrandbits(12)
        return bytes([0xed, r2 << 4, x >> 8, x & 255, r1 << 4 if kind == 'sh' else 0, op & 255])
    m4 = 0
    if kind in ('ee', 'es'):
        r1 = g
    if kind[:2] == 'tp':
        r1, m4 = g, R.choice([0, 1])
    if kind[:2] == 'fp':
        r2 = g
        for k in (g, g + 1):
            i.g[k] = int(''.join(R.choice('0123456789') for d in range(16)), 16) >> R.choice([0, 0, 4 * R.randrange(16)])
        if R.random() < .8:
            k = g + (f == 'x')
            i.g[k] = i.g[k] >> 4 << 4 | R.choice([10, 11, 12, 13, 14, 15, R.randrange(16)] if kind == 'fps' else [1, 9, 9, 12])
        if R.random() < .1:
            i.g[g] ^= 8 << 4 * R.randrange(16)
    if kind == 'ie':
        r2 = g
        i.g[g] = R.choice([0, 1, 3 * 2 ** cont - 1, 3 * 2 ** cont, bias, R.randrange(3 * 2 ** cont), -1, -2, -3, -4, 1 << 63, 1 << 32]) % (1 << 64)
    return op.to_bytes(2, 'big') + bytes([(r3 if kind == 'ie' else 0) << 4 | m4, r1 << 4 | r2])


def cases(R):
    while True:
        row = R.choice(ROWS)
        name, op, kind, f = row[:4]
        p, cont, bias, emax, width = DFP[f]
        i = Input(cc=R.randrange(4), fpc=R.choice([0, 0, R.getrandbits(6) << 26, 0x70000000]) | R.randrange(8) << 4 | R.choice([0, R.getrandbits(6) << 18]))
        i.v = [R.getrandbits(128) for k in range(16)]
        i.g = [R.getrandbits(64) for k in range(6)]
        r1, r2, r3 = (R.choice([0, 1, 4, 5, 8, 9, 12, 13]) for k in range(3))
        for r in (0, 1, 4, 5, 8, 9, 12, 13):
            for k, v in put(i, r, f, decimal_bits(R, f)).items():
                i.v[k] = v
        if R.random() < .4 and kind in '+-*/qalr':
            a = dfp(f, get(i, r2, f))
            if a.kind == 'n':
                if kind == 'lr':  # near the edges of the target
                    P, cont, Bias, Emax, w = DFP[row[4]]
                    e = R.choice([Emax, 1 - Emax, -Bias]) - R.randint(-2, p + 1)
                else:
                    e = a.exponent + R.randint(-p - 3, p + 3) if kind != '*' else R.choice([emax, 1 - emax, -bias]) - a.exponent - R.randint(-2, p)
                e = max(-bias, min(emax - p + 1, e))
                n = R.choice([R.randrange(10 ** p), 10 ** p - 1, 5 * 10 ** R.randint(0, p - 1), R.randrange(10 ** R.randint(1, p))])
                for k, v in put(i, r2 if kind == 'lr' else r3, f, D.encode(f, (R.getrandbits(1), n, e))).items():
                    i.v[k] = v
        m = R.choice([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
        if kind == 'ld':
            yield name + f, op.to_bytes(2, 'big') + bytes([R.choice([0, 8]), r1 << 4 | r2]), i
            continue
        if kind in PLAIN:
            yield name + f, plain_code(R, i, op, kind, f, r1, r2, r3), i
            continue
        if kind in ('cmp', 'sig', 'lt'):
            if kind != 'lt' and R.random() < .4:
                a = dfp(f, get(i, r1, f))
                if a.kind == 'n' and a.exponent > -bias and coefficient(a) < 10 ** (p - 1):  # another member of the cohort, or nearly
                    for k, v in put(i, r2, f, D.encode(f, (a.minus ^ (R.random() < .1), coefficient(a) * 10 + R.choice([0, 0, 1]), a.exponent - 1))).items():
                        i.v[k] = v
            yield name, op.to_bytes(2, 'big') + bytes([0, r1 << 4 | r2]), i
            continue
        if kind == 'from':
            r2 = R.randrange(6)
            i.g[r2] = R.choice([i.g[r2], R.getrandbits(32), -R.getrandbits(9) % (1 << 64), 1 << 63, (1 << 63) - 1, 10 ** 16 + R.randint(-3, 20), 95 * 10 ** 17 + 500, (1 << 31) - R.randrange(2)])
        if kind == 'to':
            if R.random() < .6:  # near the ends
                n = abs(R.choice([0, 1 << 31, 1 << 32, 1 << 63, 1 << 64, R.getrandbits(20)]) + R.randint(-1, 1))
                n = n * 10 ** 3 + R.choice([0, 500, 499, 501, 1, 999])
                e = -3
                while n >= 10 ** p:
                    n, e = (n + R.choice([0, 9])) // 10, e + 1
                for k, v in put(i, r2, f, D.encode(f, (R.getrandbits(1), n, e))).items():
                    i.v[k] = v
            r1 = R.randrange(6)
        if kind in ('from', 'to'):
            yield name, op.to_bytes(2, 'big') + bytes([m << 4 | R.choice([0, 0, 4]), r1 << 4 | r2]), i
            continue
        if kind in ('lr', 'fi'):
            yield name, op.to_bytes(2, 'big') + bytes([m << 4 | R.choice([0, 0, 4, 8 if kind == 'lr' else 0]), r1 << 4 | r2]), i
            continue
        if kind == 'rr':
            r2 = R.randrange(6)
            i.g[r2] = i.g[r2] >> 6 << 6 | R.choice([0, 1, p - 1, p, R.randint(0, p), R.randrange(64)])
        yield name, op.to_bytes(2, 'big') + bytes([r3 << 4 | m, r1 << 4 | r2]), i
