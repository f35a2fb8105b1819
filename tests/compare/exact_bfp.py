# SPDX-License-Identifier: GPL-3.0-or-later
"""Binary floating point: arithmetic, comparisons, conversions, square root, LOAD ROUNDED, DIVIDE TO INTEGER, every rounding
modifier, traps with scaled results; fused arithmetic of vectors."""
from fractions import Fraction as Q
from math import isqrt
from exact import Input
from exact_number import *
from exact_pfpo import binary_bits, get, put

ALPHA = {'e': 192, 'd': 1536, 'x': 24576}
SIGN = lambda f: 1 << (BFP[f][2] - 1)
QUIET = lambda f: 1 << (BFP[f][0] - 2)


class State:
    """Flags, trap and whether the result is to be stored."""
    def __init__(self, i, mode=None, quiet=False):
        self.mode = FROM_BRM[i.fpc & 7] if mode is None else mode
        self.masks, self.quiet, self.flags, self.dxc, self.store = i.fpc >> 24 & 0xf8, quiet, 0, 0, True

    def invalid(self):
        if self.masks & INVALID:
            self.dxc, self.store = INVALID, False
        else:
            self.flags |= INVALID

    def inexact(self, inexact, up):
        if inexact and not self.quiet:
            if self.masks & INEXACT:
                self.dxc = self.dxc or INEXACT | (INCREMENTED if up else 0)
            else:
                self.flags |= INEXACT

    def finish(self, f, q, minus):
        """q without sign; zero has the sign given."""
        if not q:
            return SIGN(f) if minus else 0
        bits, flags, dxc = finish_bfp(f, q, minus, self.mode, self.masks, self.quiet)
        self.flags |= flags
        self.dxc = dxc or self.dxc
        return bits

    def out(self, i, **more):
        o = {'fpc': i.fpc | self.flags << 16}
        if self.store:
            o.update(more)
        if self.dxc:
            o['pic'], o['dxc'] = 7, self.dxc
        return o


def default_nan(f):
    return bfp_infinity(f, 0) | QUIET(f)


def nan_of(s, f, *raw):
    """The first signaling NaN, else the first NaN, made quiet; None: there is none."""
    kinds = [bfp(f, r).kind for r in raw]
    for kind in 'sq':
        if kind in kinds:
            if kind == 's':
                s.invalid()
            return raw[kinds.index(kind)] | QUIET(f)
    return None


def cc_of(f, bits):
    a = bfp(f, bits)
    return 3 if a.kind in 'qs' else 0 if a.kind == 'n' and not a.value else 1 if a.minus else 2


def square_root(s, f, bits):
    a = bfp(f, bits)
    nan = nan_of(s, f, bits)
    if nan is not None:
        return nan
    if a.kind == 'n' and not a.value:
        return bits
    if a.minus:
        s.invalid()
        return default_nan(f)
    if a.kind == 'i':
        return bits
    scale = 4 ** 8400  # an approximation with a tail that rounds as the root does
    n = a.value * scale * scale
    n = n.numerator // n.denominator
    root = isqrt(n)
    exact = root * root == n and Q(n) == a.value * scale * scale
    return s.finish(f, Q(root if exact else 2 * root + 1, scale if exact else 2 * scale), 0)


def load_rounded(s, i, f, t, bits):
    """Result and the format it is in."""
    a = bfp(f, bits)
    if a.kind in 'qs':
        bits = nan_of(s, f, bits)
        shift = BFP[f][0] - BFP[t][0]
        return bfp_infinity(t, a.minus) | (bits & (1 << (BFP[f][0] - 1)) - 1) >> shift, t
    if a.kind == 'i':
        return bfp_infinity(t, a.minus), t
    if not a.value:
        return SIGN(t) if a.minus else 0, t
    p, emax, width = BFP[t]
    n, e, inexact, up = rounded(a.value, p, 2, a.minus, s.mode)
    over, tiny = e + p - 1 > emax, a.value < Q(2) ** (1 - emax)
    trap = OVERFLOW if over and s.masks & OVERFLOW and not tiny else UNDERFLOW if tiny and s.masks & UNDERFLOW else 0
    if trap:  # rounded to the target's precision; the exponent is scaled by a quarter of the source's range
        s.dxc = trap | (INEXACT | (INCREMENTED if up else 0) if inexact else 0)
        scale = {'d': 512, 'x': 8192}[f]
        return finish_bfp(f, n * Q(2) ** (e + (scale if tiny else -scale)), a.minus, ZERO, 0)[0], f
    return s.finish(t, a.value, a.minus), t


def to_fixed(s, f, bits, width, signed):
    a = bfp(f, bits)
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if a.kind == 'n':
        n, inexact, up = round_to(a.value, 0, 2, a.minus, s.mode) if a.value else (0, False, False)
        v = -n if a.minus else n
        if low <= v <= high:
            s.inexact(inexact, up)
            return v, 0 if not a.value else 1 if a.minus else 2
    s.invalid()
    if s.store:
        s.inexact(True, False)
    return low if a.minus or a.kind in 'qs' else high, 3


def integral(s, f, bits):
    a = bfp(f, bits)
    if a.kind in 'qs':
        return nan_of(s, f, bits)
    if a.kind == 'i' or not a.value:
        return bits
    n, inexact, up = round_to(a.value, 0, 2, a.minus, s.mode)
    s.inexact(inexact, up)
    return finish_bfp(f, Q(n), a.minus, EVEN, 0)[0] if n else SIGN(f) if a.minus else 0


def divide_to_integer(s, f, x, y, method):
    """Quotient, remainder, condition code."""
    a, b = bfp(f, x), bfp(f, y)
    nan = nan_of(s, f, x, y)
    if nan is not None:
        return nan, nan, 1
    if a.kind == 'i' or b.kind == 'n' and not b.value:
        s.invalid()
        return default_nan(f), default_nan(f), 1
    minus = a.minus ^ b.minus
    if b.kind == 'i' or not a.value:
        return (SIGN(f) if minus else 0), x, 0
    # The book's words: a precise quotient that is no integer, and of whose two neighbours one is not in the format, gives
    # a partial quotient, truncated to the format's precision. All other results are final.
    p, emax, width = BFP[f]
    precise = a.value / b.value
    below = precise.numerator // precise.denominator
    has = lambda n: n >> max(0, n.bit_length() - p) << max(0, n.bit_length() - p) == n
    partial = precise != below and not (has(below) and has(below + 1))
    if partial:
        drop = below.bit_length() - p
        n = below >> drop << drop
    else:
        n = round_to(precise, 0, 2, minus, method)[0]
    r = a.value - n * b.value  # of magnitudes
    overflow = n.bit_length() - 1 > emax
    quotient = SIGN(f) if minus else 0
    if n:
        shift = n.bit_length() - p
        m = n >> shift if shift > 0 else n << -shift
        quotient = make_bfp(f, minus, m, shift - (ALPHA[f] if overflow else 0))
    return quotient, s.finish(f, abs(r), a.minus ^ (r < 0)), 2 * partial + overflow


def fused(s, f, x, y, z, subtract):
    # Two tables of the book, one behind the other: the product of the third (y) by the second operand (x), then the sum.
    a, b, c = bfp(f, x), bfp(f, y), bfp(f, z)
    product = nan_of(s, f, y, x)
    if 's' in (a.kind, b.kind):
        return product
    if product is None and (a.kind == 'i' and b.kind == 'n' and not b.value or b.kind == 'i' and a.kind == 'n' and not a.value):
        s.invalid()
        return default_nan(f)
    if c.kind == 's':
        return nan_of(s, f, z)
    if product is not None:
        return product
    if c.kind == 'q':
        return z
    minus, cm = a.minus ^ b.minus, c.minus ^ subtract
    if 'i' in (a.kind, b.kind):
        if c.kind == 'i' and cm != minus:
            s.invalid()
            return default_nan(f)
        return bfp_infinity(f, minus)
    if c.kind == 'i':
        return bfp_infinity(f, cm)
    q = (-1) ** minus * a.value * b.value + (-1) ** cm * c.value
    if not q:
        both_zero = not a.value * b.value
        same = minus == cm
        return SIGN(f) if (minus if same else s.mode == DOWN) and (both_zero or same or s.mode == DOWN) else 0
    return s.finish(f, abs(q), q < 0)


def arithmetic(s, kind, f, x, y):
    """x + y, -, *, /."""
    a, b = bfp(f, x), bfp(f, y)
    nan = nan_of(s, f, x, y)
    if nan is not None:
        return nan
    zero = lambda n: n.kind == 'n' and not n.value
    minus = a.minus ^ b.minus
    if kind in '+-':
        bm = b.minus ^ (kind == '-')
        if a.kind == 'i' and b.kind == 'i' and a.minus != bm:
            s.invalid()
            return default_nan(f)
        if 'i' in (a.kind, b.kind):
            return bfp_infinity(f, a.minus if a.kind == 'i' else bm)
        q = (-1) ** a.minus * a.value + (-1) ** bm * b.value
        if not q:
            return SIGN(f) if (a.minus if a.minus == bm else s.mode == DOWN) else 0
        return s.finish(f, abs(q), q < 0)
    if kind == '*':
        if a.kind == 'i' and zero(b) or b.kind == 'i' and zero(a):
            s.invalid()
            return default_nan(f)
        if 'i' in (a.kind, b.kind):
            return bfp_infinity(f, minus)
        return s.finish(f, a.value * b.value, minus)
    if a.kind == b.kind == 'i' or zero(a) and zero(b):
        s.invalid()
        return default_nan(f)
    if a.kind == 'i':
        return bfp_infinity(f, minus)
    if b.kind == 'i':
        return SIGN(f) if minus else 0
    if zero(b):
        if s.masks & DIVIDE:
            s.dxc, s.store = DIVIDE, False
        else:
            s.flags |= DIVIDE
        return bfp_infinity(f, minus)
    return s.finish(f, a.value / b.value, minus)


def longer(s, f, t, bits):
    """LOAD LENGTHENED: exact."""
    a = bfp(f, bits)
    if a.kind in 'qs':
        bits = nan_of(s, f, bits)
        return bfp_infinity(t, a.minus) | (bits & (1 << (BFP[f][0] - 1)) - 1) << BFP[t][0] - BFP[f][0]
    return bfp_infinity(t, a.minus) if a.kind == 'i' else s.finish(t, a.value, a.minus)


def multiply_longer(s, f, t, x, y):
    nan = nan_of(s, f, x, y)
    if nan is not None:
        return longer(State(Input()), f, t, nan)
    return arithmetic(s, '*', t, longer(s, f, t, x), longer(s, f, t, y))


def compared(s, f, x, y, signal):
    """Condition code."""
    a, b = bfp(f, x), bfp(f, y)
    kinds = (a.kind, b.kind)
    if 's' in kinds or 'q' in kinds:
        if signal or 's' in kinds:
            s.invalid()
        return 3
    value = lambda n: (-1) ** n.minus * (n.value if n.kind == 'n' else Q(2) ** 20000)
    return 0 if value(a) == value(b) else 1 if value(a) < value(b) else 2


def low32(v, n):
    return v >> 32 << 32 | n & 0xffffffff


ROWS = {}
for _f, _n in (('e', 0xb314), ('d', 0xb315), ('x', 0xb316)):
    ROWS['sq%sbr' % _f] = (_n, 'sqrt', _f)
for _name, _n, _f, _t in (('ledbra', 0xb344, 'd', 'e'), ('ldxbra', 0xb345, 'x', 'd'), ('lexbra', 0xb346, 'x', 'e')):
    ROWS[_name] = (_n, 'lr', _f, _t)
for _k, _f in enumerate('edx'):
    ROWS['cf%sbra' % _f] = (0xb398 + _k, 'fix', _f, 32, True)
    ROWS['cg%sbra' % _f] = (0xb3a8 + _k, 'fix', _f, 64, True)
    ROWS['clf%sbr' % _f] = (0xb39c + _k, 'fix', _f, 32, False)
    ROWS['clg%sbr' % _f] = (0xb3ac + _k, 'fix', _f, 64, False)
    ROWS['c%sfbra' % _f] = (0xb394 + _k, 'from', _f, 32, True)
    ROWS['c%sgbra' % _f] = (0xb3a4 + _k, 'from', _f, 64, True)
    ROWS['c%slfbr' % _f] = (0xb390 + _k, 'from', _f, 32, False)
    ROWS['c%slgbr' % _f] = (0xb3a0 + _k, 'from', _f, 64, False)
    ROWS['lt%sbr' % _f] = ({'e': 0xb302, 'd': 0xb312, 'x': 0xb342}[_f], 'lt', _f)
for _k, _f in enumerate('edx'):
    for _name, _n, _kind in (('a', 0xa, '+'), ('s', 0xb, '-'), ('d', 0xd, '/'), ('m', None, '*'), ('c', 9, 'c'), ('k', 8, 'c')):
        _n = (0xb317, 0xb31c, 0xb34c)[_k] if _n is None else (0xb300, 0xb310, 0xb340)[_k] | _n
        ROWS[_name + ('eeb' if _name + _f == 'me' else _f + 'b') + 'r'] = (_n, _kind, _f, _name == 'k')
ROWS.update(mdebr=(0xb30c, 'ml', 'e', 'd'), mxdbr=(0xb307, 'ml', 'd', 'x'), ldebr=(0xb304, 'll', 'e', 'd'),
            lxdbr=(0xb305, 'll', 'd', 'x'), lxebr=(0xb306, 'll', 'e', 'x'))
ROWS.update(fiebra=(0xb357, 'int', 'e'), fidbra=(0xb35f, 'int', 'd'), fixbra=(0xb347, 'int', 'x'),
            diebr=(0xb353, 'di', 'e'), didbr=(0xb35b, 'di', 'd'), maebr=(0xb30e, 'ma', 'e', 0), madbr=(0xb31e, 'ma', 'd', 0),
            msebr=(0xb30f, 'ma', 'e', 1), msdbr=(0xb31f, 'ma', 'd', 1), tceb=(0xed10, 'tc', 'e'), tcdb=(0xed11, 'tc', 'd'),
            tcxb=(0xed12, 'tc', 'x'), vfma=(0xe78f, 'vma', 0, 0), vfms=(0xe78e, 'vma', 1, 0), vfnma=(0xe79f, 'vma', 0, 1),
            vfnms=(0xe79e, 'vma', 1, 1), vfsq=(0xe7ce, 'vsq', 0, 0))
NAMES = sorted(ROWS)
IN_STORAGE = 16  # number of the register that stands for the word in storage
BY_CODE = {row[0]: row for row in ROWS.values()}


def elements(f, v):
    w = BFP[f][2]
    return [v >> 128 - w * (k + 1) & (1 << w) - 1 for k in range(128 // w)]


def model_vector(insn, i, row):
    r1, r2 = insn[1] >> 4, insn[1] & 15
    if row[1] == 'vsq':
        m_f, m_s = insn[4] >> 4, insn[3] & 15
        operands = [i.v[r2]]
    else:
        m_f, m_s = insn[2] & 15, insn[3] & 15
        operands = [i.v[r2], i.v[insn[2] >> 4], i.v[insn[4] >> 4]]
    f = 'edx'[m_f - 2]
    total, result = State(i), []
    lists = [elements(f, v) for v in operands]
    for k in range(1 if m_s & 8 else len(lists[0])):
        s = State(i)
        if row[1] == 'vsq':
            bits = square_root(s, f, lists[0][k])
        else:
            bits = fused(s, f, lists[0][k], lists[1][k], lists[2][k], row[2])
            if row[3] and bfp(f, bits).kind not in 'qs':
                bits ^= SIGN(f)
        if s.dxc:
            code = [n for n, bit in ((1, INVALID), (2, DIVIDE), (3, OVERFLOW), (4, UNDERFLOW), (5, INEXACT)) if s.dxc & bit][0]
            return {'pic': 0x1b, 'dxc': k << 4 | code, 'fpc': i.fpc & ~0xff00 | (k << 4 | code) << 8}
        total.flags |= s.flags
        result.append(bits)
    w, v = BFP[f][2], 0
    for k in range(128 // w):
        v = v << w | (result[k] if k < len(result) else 0)
    return total.out(i, v={r1: v})


def model(insn, i):
    op = insn[0] << 8 | (insn[1] if insn[0] == 0xb3 else insn[5])
    stored = insn[0] == 0xed and op not in BY_CODE
    row = BY_CODE[0xb300 | insn[5] if stored else op]
    kind, f = row[1], row[2]
    if insn[0] == 0xe7:
        return model_vector(insn, i, row)
    if kind == 'tc':
        a = bfp(f, get(i, insn[1] >> 4, f))
        normal = a.kind == 'n' and a.value >= Q(2) ** (1 - BFP[f][1])
        c = {'i': 3, 'q': 4, 's': 5}.get(a.kind, 1 if normal else 2 if a.value else 0)
        return {'cc': (int.from_bytes(insn[2:4], 'big') & 0xfff) >> (11 - 2 * c - a.minus) & 1}
    r1, r2, m3, m4 = insn[3] >> 4, insn[3] & 15, insn[2] >> 4, insn[2] & 15
    r1_of_three, r3 = insn[2] >> 4, insn[3] >> 4
    if stored:
        r1, r2, m3, m4 = insn[1] >> 4, IN_STORAGE, 0, 0
        r1_of_three, r3 = insn[4] >> 4, insn[1] >> 4
        i.v.append(i.word << 96)
    mode = None
    if kind in ('lr', 'fix', 'from', 'int'):
        if m3 == 2 or m3 > 7:
            return {'pic': 6}
        mode = FROM_M3.get(m3)
    s = State(i, mode, kind in ('lr', 'fix', 'from', 'int') and m4 & 4)
    if kind in '+-*/':
        bits = arithmetic(s, kind, f, get(i, r1, f), get(i, r2, f))
        return s.out(i, v=put(i, r1, f, bits), **({'cc': cc_of(f, bits)} if kind in '+-' else {}))
    if kind == 'c':
        return s.out(i, cc=compared(s, f, get(i, r1, f), get(i, r2, f), row[3]))
    if kind == 'ml':
        return s.out(i, v=put(i, r1, row[3], multiply_longer(s, f, row[3], get(i, r1, f), get(i, r2, f))))
    if kind == 'll':
        return s.out(i, v=put(i, r1, row[3], longer(s, f, row[3], get(i, r2, f))))
    if kind == 'sqrt':
        bits = square_root(s, f, get(i, r2, f))
        return s.out(i, v=put(i, r1, f, bits))
    if kind == 'lr':
        bits, t = load_rounded(s, i, f, row[3], get(i, r2, f))
        return s.out(i, v=put(i, r1, t, bits))
    if kind == 'fix':
        v, cc = to_fixed(s, f, get(i, r2, f), row[3], row[4])
        return s.out(i, g={r1: low32(i.g[r1], v) if row[3] == 32 else v & (1 << 64) - 1}, cc=cc)
    if kind == 'from':
        v = i.g[r2] & (1 << row[3]) - 1
        v -= (1 << row[3]) if row[4] and v >> row[3] - 1 else 0
        return s.out(i, v=put(i, r1, f, s.finish(f, Q(abs(v)), v < 0)))
    if kind == 'int':
        return s.out(i, v=put(i, r1, f, integral(s, f, get(i, r2, f))))
    if kind == 'lt':
        bits = get(i, r2, f)
        nan = nan_of(s, f, bits)
        bits = bits if nan is None else nan
        return s.out(i, v=put(i, r1, f, bits), cc=cc_of(f, bits))
    if kind == 'ma':
        r1 = r1_of_three
        bits = fused(s, f, get(i, r2, f), get(i, r3, f), get(i, r1, f), row[3])
        return s.out(i, v=put(i, r1, f, bits))
    r3 = insn[2] >> 4
    if m4 not in (0, 1, 3, 4, 5, 6, 7) or r1 == r2 or r1 == r3 or r2 == r3:
        return {'pic': 6}
    quotient, remainder, cc = divide_to_integer(s, f, get(i, r1, f), get(i, r2, f), s.mode if m4 == 0 else FROM_M3[m4])
    out = {**put(i, r1, f, remainder), **put(i, r3, f, quotient)}
    return s.out(i, v=out, cc=cc)


def near_integer(R, f):
    n = R.choice([0, 1, 2, 3, R.getrandbits(8), R.getrandbits(31), 1 << 31, 1 << 32, 1 << 63, 1 << 64, R.getrandbits(63)]) + R.choice([-1, 0, 0, 1])
    q = abs(n + R.choice([Q(0), Q(1, 2), Q(1, 4), Q(3, 4), Q(-1, 2), Q(-1, 1024)]))
    return finish_bfp(f, q, R.getrandbits(1), R.randrange(4), 0)[0] if q else 0


def number(R, f):
    return near_integer(R, f) if R.random() < .35 else binary_bits(R, f)


def cases(R):
    while True:
        name = R.choice(NAMES)
        row = ROWS[name]
        op, kind, f = row[:3]
        i = Input(fpc=R.choice([0, 0, R.getrandbits(5) << 27, 0x70000000, 0x80000]) | R.choice([0, 1, 2, 3, 7]) | R.choice([0, 0, R.getrandbits(5) << 19]), cc=R.randrange(4))
        i.g = [R.choice([R.getrandbits(64), R.getrandbits(33), -R.getrandbits(9) % (1 << 64), 1 << 63, (1 << 63) - 1, (1 << 31) + R.randint(-1, 1), R.getrandbits(64) & ~0xff << 20]) for k in range(6)]
        width = f if isinstance(f, str) else R.choice('edx')
        i.v = [R.getrandbits(128) for k in range(16)]
        for r in (0, 1, 4, 5, 8, 9, 12, 13):
            for k, v in put(i, r, width, number(R, width)).items():
                i.v[k] = v
        reg = lambda: R.choice([0, 1, 4, 5, 8, 9, 12, 13])
        gr = lambda: R.randrange(6)
        m3 = R.choice([0, 0, 1, 3, 4, 5, 6, 7, R.randrange(16)])
        m4 = R.choice([0, 0, 4])
        r1, r2, r3 = R.sample([0, 1, 4, 5, 8, 9, 12, 13], 3)
        if kind == 'di' and R.random() < .4:  # exponents near each other
            p, emax, w = BFP[f]
            e = (i.v[r1] >> 127 - (w - p) & 2 * emax + 1) + R.randint(-p - 4, 3)
            e = max(0, min(e, 2 * emax))
            i.v[r2] = i.v[r2] & ~((2 * emax + 1) << 127 - (w - p)) | e << 127 - (w - p)
        if kind == 'ma' and R.random() < .5:
            a, b = bfp(f, get(i, r2, f)), bfp(f, get(i, r3, f))
            if a.kind == b.kind == 'n' and a.value * b.value:
                q = a.value * b.value * (1 + R.choice([Q(0), Q(1, 1 << R.randrange(100)), Q(-1, 1 << R.randrange(1, 100))]))
                for k, v in put(i, r1, f, finish_bfp(f, q, R.getrandbits(1), R.randrange(4), 0)[0]).items():
                    i.v[k] = v
        if op >> 8 == 0xe7:
            m_f, single = 'edx'.index(width) + 2, R.choice([0, 8])
            w = BFP[width][2]
            for r in range(16):
                i.v[r] = int(''.join('%0*x' % (w // 4, number(R, width)) for k in range(128 // w)), 16)
            if R.random() < .3:  # products that nearly cancel
                k = R.randrange(16)
                i.v[r3] = int(('%0*x' % (w // 4, finish_bfp(width, Q(1), 0, 0, 0)[0])) * (128 // w), 16)
                i.v[k] = i.v[r2] ^ R.choice([0, 1]) ^ R.choice([0, 1 << 127])
            else:
                k = R.randrange(16)
            if kind == 'vsq':
                yield name, bytes([0xe7, r1 << 4 | r2, 0, single, m_f << 4, op & 255]), i
            else:
                yield name, bytes([0xe7, r1 << 4 | r2, r3 << 4 | m_f, single, k << 4, op & 255]), i
            continue
        if kind == 'tc':
            yield name, bytes([0xed, r1 << 4]) + R.getrandbits(12).to_bytes(2, 'big') + bytes([0, op & 255]), i
            continue
        head = op.to_bytes(2, 'big')
        if f == 'e' and kind in ('+', '-', '*', '/', 'c', 'ml', 'll', 'sqrt', 'ma') and R.random() < .5:
            i.word = R.choice([number(R, f), get(i, r1, f) ^ R.choice([0, 1 << 31]) ^ R.choice([0, 1, R.getrandbits(23)])])
            yield name[:-1], bytes([0xed, (r3 if kind == 'ma' else r1) << 4, 0xd0, 4, r1 << 4 if kind == 'ma' else 0, op & 255]), i
            continue
        if kind in '+-*/cml' and R.random() < .3:  # the other one near it, or its opposite
            a = get(i, r1, f)
            near = a ^ R.choice([0, 0, SIGN(f)]) ^ R.choice([0, 1, R.getrandbits(BFP[f][0] - 1), 1 << BFP[f][0] - 1])
            for k, v in put(i, r2, f, near).items():
                i.v[k] = v
        if kind in '+-*/c' or kind in ('ml', 'll'):
            yield name, head + bytes([0, r1 << 4 | r2]), i
        elif kind in ('sqrt', 'lt'):
            yield name, head + bytes([0, reg() << 4 | reg()]), i
        elif kind == 'fix':
            yield name, head + bytes([m3 << 4 | m4, gr() << 4 | reg()]), i
        elif kind == 'from':
            yield name, head + bytes([m3 << 4 | m4, reg() << 4 | gr()]), i
        elif kind in ('lr', 'int'):
            yield name, head + bytes([m3 << 4 | m4, reg() << 4 | reg()]), i
        elif kind == 'ma':
            yield name, head + bytes([r1 << 4, r3 << 4 | r2]), i
        else:
            if R.random() < .05:
                r3 = R.choice([r1, r2])
            yield name, head + bytes([r3 << 4 | m3, r1 << 4 | r2]), i
