#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes dfp-arithmetic.zt, dfp-quantum.zt and dfp-convert.zt. The model is Python's own decimal arithmetic (the one that is
# written in Python) and plain integers; densely packed decimal is encoded here from its definition.
#   dfp.py FOLDER
import random, sys
import _pydecimal as D

FORMATS = {'e': (7, 6, 101, 96, 32), 'd': (16, 8, 398, 384, 64), 'x': (34, 12, 6176, 6144, 128)}
MODES = [D.ROUND_HALF_EVEN, D.ROUND_DOWN, D.ROUND_CEILING, D.ROUND_FLOOR, D.ROUND_HALF_UP, D.ROUND_HALF_DOWN,
         D.ROUND_UP, D.ROUND_05UP]
FIELD = {0: (4, 8), 1: (5, 9), 2: (6, 10), 3: (7, 11), 4: (1, 12), 5: (13,), 6: (14,), 7: (3, 15)}
INVALID, DIVIDE, OVERFLOW, UNDERFLOW, INEXACT, QUANTUM = 0x80, 0x40, 0x20, 0x10, 8, 4
R = random.Random(20)
sys.set_int_max_str_digits(0)


def declet(n):
    a, b, c = n // 100, n // 10 % 10, n % 10
    A, B, C = a >> 3, b >> 3, c >> 3
    l = lambda v: v & 1
    h = lambda v: v >> 1 & 3
    return {(0, 0, 0): a << 7 | b << 4 | c,
            (0, 0, 1): a << 7 | b << 4 | 8 | l(c),
            (0, 1, 0): a << 7 | h(c) << 5 | l(b) << 4 | 0xa | l(c),
            (1, 0, 0): h(c) << 8 | l(a) << 7 | b << 4 | 0xc | l(c),
            (1, 1, 0): h(c) << 8 | l(a) << 7 | l(b) << 4 | 0xe | l(c),
            (1, 0, 1): h(b) << 8 | l(a) << 7 | 0x20 | l(b) << 4 | 0xe | l(c),
            (0, 1, 1): a << 7 | 0x40 | l(b) << 4 | 0xe | l(c),
            (1, 1, 1): l(a) << 7 | 0x60 | l(b) << 4 | 0xe | l(c)}[(A, B, C)]


def encode(f, d):
    """A Decimal (or a triple sign, digits, exponent letter/number) as the bits of format f."""
    p, cont, bias, emax, width = FORMATS[f]
    sign, digits, e = d.as_tuple() if isinstance(d, D.Decimal) else d
    n = digits if isinstance(digits, int) else int(''.join(map(str, digits)) or 0)
    trailing = width - 6 - cont
    if e == 'F':
        n = 0
    if isinstance(e, str):
        comb, rest = {'F': (0x1e, 0), 'n': (0x1f, 0), 'N': (0x1f, 1 << (cont - 1)), 'I': (0x1e, 0)}[e]
        lead = 0
    else:
        b, lead = e + bias, n // 10 ** (p - 1)
        assert 0 <= b < 3 << cont and lead < 10, (f, d)
        rest, hi = b & ((1 << cont) - 1), b >> cont
        comb = hi << 3 | lead if lead < 8 else 0x18 | hi << 1 | lead & 1
    v, k, n = 0, 0, n % 10 ** (p - 1)
    while k < trailing:
        v |= declet(n % 1000) << k
        n //= 1000
        k += 10
    return (sign << 5 | comb) << (trailing + cont) | rest << trailing | v


def hexes(f, v):
    w = FORMATS[f][4]
    s = '%0*X' % (w // 4, v)
    if w == 32:
        return [s + '00000000']
    return [s] if w <= 64 else [s[:16], s[16:]]


def number(f):
    """A random operand: Decimal within format f, at the edges."""
    p, cont, bias, emax, width = FORMATS[f]
    etiny, etop = -bias, emax - p + 1
    k = R.random()
    s = R.choice('+-')
    if k < .03:
        return D.Decimal(s + R.choice(['Inf', 'NaN', 'sNaN', 'NaN123', 'sNaN7']))
    n = R.choice([0, 1, 5, 10 ** p - 1, 10 ** (p - 1), R.randrange(10 ** p), R.randrange(10 ** p), R.randrange(10 ** R.randint(1, p)),
                  R.randrange(1000) * 10 ** R.randint(0, p - 3), 5 * 10 ** R.randint(0, p - 1)])
    e = R.choice([0, etiny, etop, R.randint(-p, p), R.randint(-p, p), R.randint(-p, p), -2, R.randint(etiny, etop),
                  etiny + R.randint(0, p), etop - R.randint(0, p), etiny // 2, etop // 2])
    return D.Decimal((s == '-', tuple(map(int, str(n))), e))


def context(f, mode):
    p, cont, bias, emax, width = FORMATS[f]
    return D.Context(prec=p, rounding=MODES[mode], Emin=1 - emax, Emax=emax, clamp=1, traps=[], flags=[])


def flags_of(c):
    v = 0
    for flag, bit in ((D.InvalidOperation, INVALID), (D.DivisionByZero, DIVIDE), (D.Overflow, OVERFLOW),
                      (D.Underflow, UNDERFLOW), (D.Inexact, INEXACT)):
        if c.flags[flag]:
            v |= bit
    return v


def cc_of(d):
    return 3 if d.is_nan() else 0 if d.is_zero() else 1 if d.is_signed() else 2


class Table:
    def __init__(self, name, statements, columns):
        self.name, self.statements, self.columns, self.rows = name, statements, columns, []

    def row(self, *words):
        assert len(words) == len(self.columns)
        self.rows.append(' '.join('"%s"' % w if ' ' in str(w) else str(w) for w in words))

    def write(self, out):
        out.write('\ntest %s\n' % self.name)
        for s in self.statements:
            out.write('    %s\n' % s)
        out.write('    table %s\n' % ' '.join(self.columns))
        for r in self.rows:
            out.write('          %s\n' % r)


def columns(name, f):
    return [name] if f != 'x' else [name + 'h', name + 'l']


def sets(register, name, f):
    return ['f%d = $%s' % (register + 2 * k, c) for k, c in enumerate(columns(name, f))]


def expects(register, name, f):
    return ['expect ' + s for s in sets(register, name, f)]


def arithmetic(out):
    ops = {'a': 'add', 's': 'subtract', 'm': 'multiply', 'd': 'divide'}
    for f in 'dx':
        p, cont, bias, emax, width = FORMATS[f]
        names = {'a': 'ADTRA AXTRA'.split(), 's': 'SDTRA SXTRA'.split(), 'm': 'MDTRA MXTRA'.split(),
                 'd': 'DDTRA DXTRA'.split()}
        for op in ops:
            mnemonic = names[op][f == 'x'].lower()
            t = Table('%s, random operands, every rounding method' % mnemonic.upper(),
                      ['fpc = $fpc', 'cc = $occ'] + sets(4, 'a', f) + sets(8, 'b', f) +
                      ['do %s 0,4,8,$m' % mnemonic] + expects(0, 'r', f) + ['expect fpc = $nfpc', 'expect cc $cc'],
                      ['m', 'fpc', 'occ'] + columns('a', f) + columns('b', f) + columns('r', f) + ['nfpc', 'cc'])
            for n in range(180):
                a, b = number(f), number(f)
                if n % 5 == 0:
                    b = a.copy_negate()
                mode = n % 8
                c = context(f, mode)
                r = getattr(c, ops[op])(a, b)
                flags = flags_of(c)
                if r.is_nan() and not (a.is_nan() or b.is_nan()):
                    r = D.Decimal('NaN')
                if r.is_finite():
                    ea, eb = a.as_tuple()[2], b.as_tuple()[2]
                    if isinstance(ea, int) and isinstance(eb, int):
                        want = {'a': min(ea, eb), 's': min(ea, eb), 'm': ea + eb, 'd': ea - eb}[op]
                        if r.as_tuple()[2] != want and not flags & OVERFLOW:
                            flags |= QUANTUM
                    else:
                        r = D.Decimal((r.as_tuple()[0], (0,), -bias))
                m, fpc = (0, mode << 4) if n % 3 else (R.choice(FIELD[mode]), 0x70 - (mode << 4))
                cc = cc_of(r) if op in 'as' else n % 4
                t.row(m, '%X' % fpc, n % 4, *hexes(f, encode(f, a)), *hexes(f, encode(f, b)), *hexes(f, encode(f, r)),
                      '%X' % (fpc | flags << 16), cc)
            t.write(out)
        for mnemonic in ['c%str' % f, 'k%str' % f]:
            t = Table('%s, random operands' % mnemonic.upper(),
                      sets(0, 'a', f) + sets(4, 'b', f) + ['do %s 0,4' % mnemonic, 'expect fpc = $fpc', 'expect cc $cc'],
                      columns('a', f) + columns('b', f) + ['fpc', 'cc'])
            for n in range(80):
                a, b = number(f), number(f)
                if n % 3 == 0:
                    z = R.randint(0, 2)
                    s, d, e = a.as_tuple()
                    if isinstance(e, int) and len(d) + z <= p and e - z >= -bias:
                        b = D.Decimal((s, d + (0,) * z, e - z))
                nan = a.is_nan() or b.is_nan()
                bad = a.is_snan() or b.is_snan() or (nan and mnemonic[0] == 'k')
                cc = 3 if nan else 0 if a == b else 1 if a < b else 2
                t.row(*hexes(f, encode(f, a)), *hexes(f, encode(f, b)), '%X' % (INVALID << 16 if bad else 0), cc)
            t.write(out)


def plain(a):
    return a.as_tuple()


def quantum(out):
    for f in 'dx':
        p, cont, bias, emax, width = FORMATS[f]
        t = Table('QA%sTR' % f.upper(), ['fpc = $fpc'] + sets(4, 'a', f) + sets(8, 'b', f) + ['do qa%str 0,4,8,$m' % f] +
                  expects(0, 'r', f) + ['expect fpc = $nfpc'],
                  ['m', 'fpc'] + columns('a', f) + columns('b', f) + columns('r', f) + ['nfpc'])
        for n in range(100):
            a, b = number(f), number(f)
            if n % 4 and a.is_finite():
                b = D.Decimal((0, (1,), max(-bias, min(emax - p + 1, a.as_tuple()[2] + R.randint(-4, p)))))
            mode = n % 8
            c = context(f, mode)
            # Overflow and subnormals play no part: an unbounded model.
            wide = D.Context(prec=p, rounding=MODES[mode], Emin=-99999, Emax=99999, clamp=0, traps=[], flags=[])
            r = wide.quantize(a, b)
            flags = flags_of(wide)
            if r.is_nan() and not (a.is_nan() or b.is_nan()):
                r = D.Decimal('NaN')
            t.row(0 if n % 2 else FIELD[mode][-1], '%X' % (mode << 4 if n % 2 else 0), *hexes(f, encode(f, a)),
                  *hexes(f, encode(f, b)), *hexes(f, encode(f, r)), '%X' % ((mode << 4 if n % 2 else 0) | flags << 16))
        t.write(out)

        t = Table('RR%sTR' % f.upper(), ['fpc = $fpc'] + sets(4, 'a', f) + ['r3 = $s', 'do rr%str 0,4,3,$m' % f] +
                  expects(0, 'r', f) + ['expect fpc = $nfpc'],
                  ['m', 'fpc', 's'] + columns('a', f) + columns('r', f) + ['nfpc'])
        for n in range(80):
            a, mode, s = number(f), n % 8, R.choice([0, 1, 2, 3, p - 1, p, 63, R.randint(1, p)])
            if not a.is_finite():
                continue
            sign, d, e = a.as_tuple()
            flags, r = 0, a
            if s and a != 0 and len(d) > s:
                c = D.Context(prec=s, rounding=MODES[mode], Emin=-99999, Emax=99999, traps=[], flags=[])
                r = c.plus(a)
                flags = flags_of(c)
                if r.as_tuple()[2] > emax - p + 1:
                    r, flags = D.Decimal('NaN'), INVALID
            t.row(0 if n % 2 else FIELD[mode][-1], '%X' % (mode << 4 if n % 2 else 0), '%X' % (s | R.getrandbits(40) << 6),
                  *hexes(f, encode(f, a)), *hexes(f, encode(f, r)), '%X' % ((mode << 4 if n % 2 else 0) | flags << 16))
        t.write(out)

        t = Table('FI%sTR' % f.upper(), ['fpc = $fpc'] + sets(4, 'a', f) + ['do fi%str 0,$m,4,$x' % f] +
                  expects(0, 'r', f) + ['expect fpc = $nfpc'],
                  ['m', 'x', 'fpc'] + columns('a', f) + columns('r', f) + ['nfpc'])
        for n in range(80):
            a, mode, x = number(f), n % 8, R.choice([0, 4])
            flags, r = 0, a
            if a.is_finite() and a.as_tuple()[2] < 0:
                c = D.Context(prec=99, rounding=MODES[mode], Emin=-99999, Emax=99999, traps=[], flags=[])
                r = c.quantize(a, D.Decimal(1))
                flags = flags_of(c) & ~(INEXACT if x else 0)
            elif a.is_nan():
                c = context(f, 0)
                r = c.plus(a)
                flags = flags_of(c)
            t.row(0 if n % 2 else FIELD[mode][-1], x, '%X' % (mode << 4 if n % 2 else 0), *hexes(f, encode(f, a)),
                  *hexes(f, encode(f, r)), '%X' % ((mode << 4 if n % 2 else 0) | flags << 16))
        t.write(out)

        t = Table('LT%sTR, E%sTR family, CE%sTR' % (f.upper(), 'E' + f.upper(), f.upper()),
                  sets(4, 'a', f) + sets(8, 'b', f) +
                  ['do ce%str 4,8' % f, 'do ipm 9', 'do lt%str 0,4' % f, 'do ee%str 2,4' % f, 'do es%str 3,4' % f] +
                  expects(0, 'r', f) + ['expect cc $cc', 'expect fpc = $fpc', 'expect r2 = $ee', 'expect r3 = $es',
                                        'expect r9.l = $ipm'],
                  columns('a', f) + columns('b', f) + columns('r', f) + ['cc', 'fpc', 'ee', 'es', 'ipm'])
        for n in range(80):
            a, b = number(f), number(f)
            if n % 6 == 0 and a.is_finite() and b.is_finite():
                b = D.Decimal((0, (1,), a.as_tuple()[2]))
            c = context(f, 0)
            special = {'F': -1, 'n': -2, 'N': -3}
            e = a.as_tuple()[2]
            ee = e + bias if isinstance(e, int) else special[e]
            es = len(str(int(''.join(map(str, a.as_tuple()[1]))))) if a.is_finite() and a != 0 else 0
            if not isinstance(e, int):
                es = special[e]
            r = D.Decimal(str(a).replace('s', '')) if a.is_snan() else a
            k = lambda v: 0 if v.is_finite() else 1 if v.is_infinite() else 2
            eb = b.as_tuple()[2]
            ce = (0 if k(a) == k(b) else 3) if k(a) or k(b) else 0 if e == eb else 1 if e < eb else 2
            t.row(*hexes(f, encode(f, a)), *hexes(f, encode(f, b)), *hexes(f, encode(f, r)), cc_of(r),
                  '%X' % (INVALID << 16 if a.is_snan() else 0), '%X' % (ee & (1 << 64) - 1), '%X' % (es & (1 << 64) - 1),
                  '%X' % (ce << 28))
        t.write(out)

        t = Table('IE%sTR, SL%sT, SR%sT' % ((f.upper(),) * 3),
                  sets(4, 'a', f) + ['r3 = $e', 'r2 = $s', 'do ie%str 0,4,3' % f, 'do sl%st 8,4,0(2)' % f, 'do sr%st 12,4,0(2)' % f] +
                  expects(0, 'r', f) + expects(8, 'l', f) + expects(12, 'g', f),
                  ['e', 's'] + columns('a', f) + columns('r', f) + columns('l', f) + columns('g', f))
        for n in range(60):
            a = number(f)
            sign, d, e = a.as_tuple()
            digits = int(''.join(map(str, d)) or 0) if e != 'F' else 0
            top = emax - p + 1 + bias
            want = R.choice([0, 1, top, top + 1, -1, -2, -3, -4, 1 << 40, R.randint(0, top)])
            kind = 'I' if want == -1 else 'N' if want == -3 else 'n' if want < 0 or want > top else want - bias
            s = R.choice([0, 1, 2, p - 1, p, 63, R.randint(0, p)])
            special = isinstance(e, str)
            width2 = p - (1 if special else 0)
            keep = 'I' if e == 'F' else e
            t.row('%X' % (want & (1 << 64) - 1), '%X' % (s | R.getrandbits(20) << 6), *hexes(f, encode(f, a)),
                  *hexes(f, encode(f, (sign, digits % 10 ** (p - 1) if isinstance(kind, str) else digits, kind))),
                  *hexes(f, encode(f, (sign, digits * 10 ** s % 10 ** width2, keep))),
                  *hexes(f, encode(f, (sign, digits // 10 ** s, keep))))
        t.write(out)
    for f in 'edx':
        p, cont, bias, emax, width = FORMATS[f]
        t = Table('TDC%sT, TDG%sT' % (f.upper(), f.upper()), sets(0, 'a', f) +
                  ['r2 = $c', 'r3 = $g', 'do tdc%st 0,0(2)' % f, 'do ipm 4', 'do tdg%st 0,0(3)' % f, 'expect r4.l = $ccc', 'expect cc $gcc'],
                  columns('a', f) + ['c', 'g', 'ccc', 'gcc'])
        for n in range(70):
            a = number(f)
            sign, d, e = a.as_tuple()
            digits = int(''.join(map(str, d)) or 0)
            if isinstance(e, str):
                cl, g = {'F': 3, 'n': 4, 'N': 5}[e], 5
            else:
                extreme = e == -bias or e == emax - p + 1
                cl = 0 if digits == 0 else 1 if abs(a) < D.Decimal((0, (1,), 1 - emax)) else 2
                g = (1 if extreme else 0) if digits == 0 else 2 if extreme else 3 if digits < 10 ** (p - 1) else 4
            cbit, gbit = 1 << (11 - 2 * cl - sign), 1 << (11 - 2 * g - sign)
            c, gg = R.choice([cbit, 0xfff ^ cbit, cbit | R.getrandbits(12)]), R.choice([gbit, 0xfff ^ gbit])
            t.row(*hexes(f, encode(f, a)), '%X' % c, '%X' % gg, '%X' % (1 << 28 if c & cbit else 0), 1 if gg & gbit else 0)
        t.write(out)


def fixed(out):
    for f in 'dx':
        p, cont, bias, emax, width = FORMATS[f]
        for mnemonic, bits, signed in (('c%sgtra', 64, True), ('c%sftr', 32, True), ('c%slgtr', 64, False), ('c%slftr', 32, False)):
            mnemonic = mnemonic % f
            t = Table(mnemonic.upper(), ['fpc = $fpc', 'r3 = $v', 'do %s 0,$m,3,$x' % mnemonic] + expects(0, 'r', f) + ['expect fpc = $nfpc'],
                      ['m', 'x', 'fpc', 'v'] + columns('r', f) + ['nfpc'])
            for n in range(40):
                v = R.choice([0, 1, -1, 1 << 63, (1 << 63) - 1, 1 << 31, (1 << 31) - 1, R.getrandbits(64), R.getrandbits(64), 10 ** 16 + 5, R.getrandbits(32)]) & (1 << 64) - 1
                i = v & (1 << bits) - 1
                if signed and i >> (bits - 1):
                    i -= 1 << bits
                mode, x = n % 8, R.choice([0, 4])
                c = context(f, mode)
                r = c.create_decimal(i)
                flags = flags_of(c)
                if r.as_tuple()[2] != 0:
                    flags |= QUANTUM
                if x:
                    flags &= ~INEXACT
                t.row(0 if n % 2 else FIELD[mode][0], x, '%X' % (mode << 4 if n % 2 else 0), '%X' % v, *hexes(f, encode(f, r)),
                      '%X' % ((mode << 4 if n % 2 else 0) | flags << 16))
            t.write(out)
        for mnemonic, bits, signed in (('cg%stra', 64, True), ('cf%str', 32, True), ('clg%str', 64, False), ('clf%str', 32, False)):
            mnemonic = mnemonic % f
            t = Table(mnemonic.upper(), ['fpc = $fpc', 'r3 = 5555555555555555'] + sets(4, 'a', f) + ['do %s 3,$m,4,$x' % mnemonic, 'expect r3 = $v',
                      'expect fpc = $nfpc', 'expect cc $cc'], ['m', 'x', 'fpc'] + columns('a', f) + ['v', 'nfpc', 'cc'])
            for n in range(60):
                low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
                a = number(f)
                if n % 2:
                    z = R.randint(0, p - 1)
                    i = R.choice([low, high, low - 1, high + 1, R.randint(low, high)])
                    a = context(f, 0).create_decimal(D.Decimal(i) + D.Decimal((0, (R.choice([0, 5, 4, 6]),), -1)))
                mode, x = n % 8, R.choice([0, 4])
                if a.is_nan():
                    v, cc, flags = low, 3, INVALID
                elif a.is_infinite():
                    v, cc, flags = (low if a < 0 else high), 3, INVALID
                else:
                    q = a.quantize(D.Decimal(1), rounding=MODES[mode], context=D.Context(prec=7000, Emin=-99999, Emax=99999, traps=[]))
                    v, cc = int(q), cc_of(a)
                    flags = 0 if q == a or x else INEXACT
                    if not low <= v <= high:
                        v, cc, flags = (low if a < 0 else high), 3, INVALID
                v &= (1 << bits) - 1
                t.row(0 if n % 2 else FIELD[mode][-1], x, '%X' % (mode << 4 if n % 2 else 0), *hexes(f, encode(f, a)),
                      '%X' % v if bits == 64 else '55555555%08X' % v, '%X' % ((mode << 4 if n % 2 else 0) | flags << 16), cc)
            t.write(out)
        # packed in general registers
        regs = 1 if f == 'd' else 2
        places = 16 * regs
        for signed in (True, False):
            letter = 's' if signed else 'u'
            t = Table('C%s%sTR, C%s%sTR' % (f.upper(), letter.upper(), letter.upper(), f.upper()),
                      ['r2 = $h'] + (['r3 = $l'] if regs == 2 else []) +
                      ['do c%s%str 0,2' % (f, letter), 'do c%s%str 4,0%s' % (letter, f, ',$m' if signed else '')] + expects(0, 'r', f) +
                      ['expect r4 = $oh'] + (['expect r5 = $ol'] if regs == 2 else []),
                      ['m', 'h'] + (['l'] if regs == 2 else []) + columns('r', f) + ['oh'] + (['ol'] if regs == 2 else []))
            for n in range(40):
                digits = R.choice([0, 1, 10 ** (places - signed) - 1, R.randrange(10 ** (places - signed)), R.randrange(10 ** 9)])
                code = R.choice('ABCDEF') if signed else ''
                minus = code in ('B', 'D')
                s = '%0*d%s' % (places - signed, digits, code)
                m = R.choice([0, 1])
                o = s[:-1] + ('D' if minus else 'F' if m else 'C') if signed else s
                split = lambda w: [w[k:k + 16] for k in range(0, len(w), 16)]
                t.row(m, *split(s), *hexes(f, encode(f, (int(minus), digits, 0))), *split(o))
            t.write(out)
        # zoned and packed in storage
        for what in 'zp':
            most = p if what == 'z' else 9 if f == 'd' else 18
            t = Table('C%s%sT' % (f.upper(), what.upper()), ['r2 = 20000', 'mem 20000 = $b', 'do c%s%st 0,0($n,2),$m' % (f, what)] + expects(0, 'r', f),
                      ['m', 'n', 'b'] + columns('r', f))
            o = Table('C%s%sT' % (what.upper(), f.upper()), ['r2 = 20000', 'psw = 0000000180000000 10000', 'mem 20000 = EE*28'] + sets(0, 'a', f) +
                      ['do c%s%st 0,0($n,2),$m' % (what, f), 'expect mem 20000 = $b', 'expect cc $cc'], ['m', 'n'] + columns('a', f) + ['b', 'cc'])
            for n in range(60):
                length = R.choice([1, 2, most, R.randint(1, most)])
                s = n % 2
                places = length if what == 'z' else min(2 * length - s, p)
                digits = R.choice([0, R.randrange(10 ** places), 10 ** places - 1])
                code = R.choice('ABCDEF') if s else R.choice('ABCDEF0') if what == 'z' else ''
                minus = s and code in ('B', 'D')
                if what == 'z':
                    w = '%0*d' % (length, digits)
                    b = ''.join(R.choice('0F3') + k for k in w[:-1]) + code + w[-1]
                else:
                    b = '%0*d%s' % (2 * length - s, digits, code)
                t.row('%d' % (8 * s), length, b, *hexes(f, encode(f, (int(minus), digits, 0))))
                a = number(f)
                m = s * 8 | R.randint(0, 7)
                sign, d, e = a.as_tuple()
                digits = int(''.join(map(str, d)) or 0) if e != 'F' else 0
                total = length if what == 'z' else 2 * length - s
                kept = digits % 10 ** total
                code = 'D' if sign and not (kept == 0 and m & 1) else 'F' if m & 2 else 'C'
                w = '%0*d' % (total, kept)
                if what == 'z':
                    z = '3' if m & 4 else 'F'
                    b = ''.join(z + k for k in w[:-1]) + (code if s else z) + w[-1]
                else:
                    b = w + (code if s else '')
                cc = 3 if isinstance(e, str) or kept != digits else cc_of(a)
                o.row('%d' % m, length, *hexes(f, encode(f, a)), b + 'EE' * 2, cc)
            t.write(out)
            o.write(out)
    # between the formats
    for mnemonic, s, d in (('ldetr', 'e', 'd'), ('lxdtr', 'd', 'x')):
        t = Table(mnemonic.upper(), sets(4, 'a', s) + ['do %s 0,4,$m' % mnemonic] + expects(0, 'r', d) + ['expect fpc = $fpc'],
                  ['m'] + columns('a', s) + columns('r', d) + ['fpc'])
        for n in range(60):
            a, m = number(s), R.choice([0, 8])
            r = D.Decimal(str(a).replace('s', '')) if a.is_snan() and not m else a
            t.row(m, *hexes(s, encode(s, a)), *hexes(d, encode(d, r)), '%X' % (INVALID << 16 if a.is_snan() and not m else 0))
        t.write(out)
    for mnemonic, s, d in (('ledtr', 'd', 'e'), ('ldxtr', 'x', 'd')):
        t = Table(mnemonic.upper(), ['fpc = $fpc'] + sets(4, 'a', s) + ['do %s 0,$m,4,$x' % mnemonic] + expects(0, 'r', d) + ['expect fpc = $nfpc'],
                  ['m', 'x', 'fpc'] + columns('a', s) + columns('r', d) + ['nfpc'])
        for n in range(150):
            a, mode, x = number(s), n % 8, R.choice([0, 4])
            if n % 2 and a.is_finite():
                sign, dd, e = a.as_tuple()
                q, ct, bi, em, wi = FORMATS[d]
                e = R.choice([-bi - R.randint(0, 2 * q), em - R.randint(0, 2 * q), R.randint(-20, 20)])
                a = D.Decimal((sign, dd, e))
            c = context(d, mode)
            r = c.plus(a)
            flags = flags_of(c)
            if a.is_zero() and a.is_signed():
                r = r.copy_negate() if not r.is_signed() else r
            if x:
                flags &= ~INEXACT
            if r.is_finite() and r.as_tuple()[2] != a.as_tuple()[2] and not flags & OVERFLOW:
                flags |= QUANTUM
            t.row(0 if n % 2 else FIELD[mode][-1], x, '%X' % (mode << 4 if n % 2 else 0), *hexes(s, encode(s, a)), *hexes(d, encode(d, r)),
                  '%X' % ((mode << 4 if n % 2 else 0) | flags << 16))
        t.write(out)


HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
# Decimal floating point: %s. Written by dfp.py; the expected values are those of decimal arithmetic in Python.

setup
    c0 = 40000
'''
if __name__ == '__main__':
    for name, what, part in (('arithmetic', 'add, subtract, multiply, divide, compare', arithmetic),
                             ('quantum', 'quantum, exponent, significand, class', quantum), ('convert', 'conversions', fixed)):
        with open('%s/dfp-%s.zt' % (sys.argv[1], name), 'w') as out:
            out.write(HEAD % what)
            part(out)
