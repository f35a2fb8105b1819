# SPDX-License-Identifier: GPL-3.0-or-later
"""Vector floating point: arithmetic, comparisons, maximum and minimum, conversions, signs and classes of every format, one
element or all, with traps; what the book leaves open beside a single element is zero."""
from exact import Input
from exact_bfp import *

FORMATS = {2: 'e', 3: 'd', 4: 'x'}
BINARY = {0xe3: '+', 0xe2: '-', 0xe7: '*', 0xe5: '/', 0xe8: 'ce', 0xeb: 'ch', 0xea: 'che', 0xef: 'max', 0xee: 'min'}
UNARY = {0xc7: 'int', 0xc4: 'll', 0xc5: 'lr', 0xc3: 'from', 0xc1: 'froml', 0xc2: 'fix', 0xc0: 'fixl', 0xcc: 'sign', 0xcb: 'c',
         0xca: 'k', 0xce: 'sqrt'}
NAMES = {'+': 'vfa', '-': 'vfs', '*': 'vfm', '/': 'vfd', 'ce': 'vfce', 'ch': 'vfch', 'che': 'vfche', 'max': 'vfmax', 'min': 'vfmin',
         'int': 'vfi', 'll': 'vfll', 'lr': 'vflr', 'from': 'vcfps', 'froml': 'vcfpl', 'fix': 'vcsfp', 'fixl': 'vclfp', 'sign': 'vfpso',
         'c': 'wfc', 'k': 'wfk', 'sqrt': 'vfsq', 'class': 'vftci'}


def joined(width, values):
    v = 0
    for k in range(128 // width):
        v = v << width | (values[k] if k < len(values) else 0)
    return v


def extreme(s, f, how, x, y, most):
    """Maximum (most) or minimum by the six functions, bit 8 of absolute values."""
    magnitude, how = how & 8, how & 7
    if magnitude and how:
        x, y = x & ~SIGN(f), y & ~SIGN(f)
    a, b = bfp(f, x), bfp(f, y)
    nans = [n.kind in 'qs' for n in (a, b)]
    if any(nans):
        if how in (2, 3) or 's' in (a.kind, b.kind):  # the macros compare, which a NaN makes invalid
            s.invalid()
        if how in (2, 3):
            return y if how == 2 else x
        if how == 4:  # fmax(), fmin(): the other one; of two NaNs the first as it is
            return x if nans[1] else y
        if 's' in (a.kind, b.kind):
            return (x if a.kind == 's' else y) | QUIET(f)
        if how == 1:
            return x if nans[0] else y
        return x if nans[1] else y
    calm = State(Input())
    cc = compared(calm, f, x & ~SIGN(f), y & ~SIGN(f), False) if magnitude and not how else 0
    cc = cc or compared(calm, f, x, y, False)
    if cc:
        return x if (cc == 2) == most else y
    if how in (2, 3):
        return y if how == 2 else x
    return y if bool(x & SIGN(f)) == most else x  # zeros: plus is the greater one; else they are the same


def element(s, i, kind, f, x, y, how):
    """One result."""
    if kind in '+-*/':
        return arithmetic(s, kind, f, x, y)
    if kind in ('max', 'min'):
        return extreme(s, f, how, x, y, kind == 'max')
    if kind == 'sqrt':
        return square_root(s, f, x)
    if kind == 'int':
        return integral(s, f, x)
    if kind == 'sign':
        return x ^ SIGN(f) if how == 0 else x | SIGN(f) if how == 1 else x & ~SIGN(f)
    if kind in ('fix', 'fixl'):
        return to_fixed(s, f, x, BFP[f][2], kind == 'fix')[0] & (1 << BFP[f][2]) - 1
    width = BFP[f][2]
    v = x - (1 << width) if kind == 'from' and x >> width - 1 else x
    return s.finish(f, Q(abs(v)), v < 0)


def trapped(i, s, k):
    code = [n for n, bit in ((1, INVALID), (2, DIVIDE), (3, OVERFLOW), (4, UNDERFLOW), (5, INEXACT)) if s.dxc & bit][0]
    return {'pic': 0x1b, 'dxc': k << 4 | code, 'fpc': i.fpc & ~0xff00 | (k << 4 | code) << 8}


def truth(insn, i, kind, r1, f, single, set_cc, signal, x, y):
    """VFCE, VFCH, VFCHE."""
    total, out = State(i), []
    for k in range(1 if single else len(x)):
        s = State(i)
        cc = compared(s, f, x[k], y[k], signal)
        if s.dxc:
            return trapped(i, s, k)
        total.flags |= s.flags
        out.append(cc in {'ce': (0,), 'ch': (2,), 'che': (0, 2)}[kind])
    all_ones = (1 << BFP[f][2]) - 1
    more = {'cc': 0 if all(out) else 1 if any(out) else 3} if set_cc else {}
    return total.out(i, v={r1: joined(BFP[f][2], [all_ones * t for t in out])}, **more)


def model(insn, i):
    op, r1, r2 = insn[5], insn[1] >> 4, insn[1] & 15
    if op == 0x4a:
        m5, m4, want = insn[3] & 15, insn[4] >> 4, insn[2] << 4 | insn[3] >> 4
        if m4 not in FORMATS or m5 & 7:
            return {'pic': 6}
        f = FORMATS[m4]
        out = []
        for bits in elements(f, i.v[r2])[:1 if m5 else None]:
            a = bfp(f, bits)
            c = {'i': 3, 'q': 4, 's': 5}.get(a.kind, 0 if not a.value else 1 if a.value >= Q(2) ** (1 - BFP[f][1]) else 2)
            out.append(want >> 11 - 2 * c - a.minus & 1)
        return {'v': {r1: joined(BFP[f][2], [((1 << BFP[f][2]) - 1) * t for t in out])},
                'cc': 0 if all(out) else 1 if any(out) else 3}
    if op in BINARY:
        kind, r3, m6, m5, m4 = BINARY[op], insn[2] >> 4, insn[3] >> 4, insn[3] & 15, insn[4] >> 4
        signal = kind in ('ce', 'ch', 'che') and m5 & 4
        if m4 not in FORMATS or m5 & 7 & ~(4 if kind in ('ce', 'ch', 'che') else 0):
            return {'pic': 6}
        if kind in ('ce', 'ch', 'che') and m6 > 1 or kind in ('max', 'min') and m6 & 7 > 4:
            return {'pic': 6}
        f, single, mode, quiet = FORMATS[m4], m5 & 8, None, False
        x, y, how = elements(f, i.v[r2]), elements(f, i.v[r3]), m6
        if signal or kind in ('ce', 'ch', 'che'):
            return truth(insn, i, kind, r1, f, single, m6, signal, x, y)
    else:
        kind, m5, m4, m3 = UNARY[op], insn[3] >> 4, insn[3] & 15, insn[4] >> 4
        rounds = kind in ('int', 'lr', 'from', 'froml', 'fix', 'fixl')
        good = {'ll': (2, 3), 'lr': (3, 4)}.get(kind, (2, 3) if kind in ('from', 'froml', 'fix', 'fixl') else (2, 3, 4))
        if kind in 'ck':
            if m3 not in FORMATS or m4:
                return {'pic': 6}
            f, s = FORMATS[m3], State(i)
            cc = compared(s, f, elements(f, i.v[r1])[0], elements(f, i.v[r2])[0], kind == 'k')
            if s.dxc:
                return trapped(i, s, 0)
            return {'cc': cc, 'fpc': i.fpc | s.flags << 16}
        if m3 not in good or m4 & (3 if rounds else 7) or rounds and (m5 == 2 or m5 > 7) or kind == 'sign' and m5 > 2:
            return {'pic': 6}
        f, single, how, y = FORMATS[m3], m4 & 8, m5, None
        mode, quiet = FROM_M3.get(m5) if rounds else None, rounds and m4 & 4
        x = elements(f, i.v[r2])
        if kind == 'll':
            return lengthened(i, r1, f, FORMATS[m3 + 1], x, single)
        if kind == 'lr':
            return shortened(i, r1, f, FORMATS[m3 - 1], x, single, mode, quiet)
    total, out = State(i), []
    for k in range(1 if single else len(x)):
        s = State(i, mode, quiet)
        out.append(element(s, i, kind, f, x[k], y and y[k], how))
        if s.dxc:
            return trapped(i, s, k)
        total.flags |= s.flags
    return total.out(i, v={r1: joined(BFP[f][2], out)})


def lengthened(i, r1, f, t, x, single):
    total, out = State(i), []
    for k in range(0, 1 if single else len(x), 2):
        s = State(i)
        out.append(longer(s, f, t, x[k]))
        if s.dxc:
            return trapped(i, s, k)
        total.flags |= s.flags
    return total.out(i, v={r1: joined(BFP[t][2], out)})


def shortened(i, r1, f, t, x, single, mode, quiet):
    total, out = State(i), []
    for k in range(1 if single else len(x)):
        s = State(i, mode, quiet)
        out += [load_rounded(s, i, f, t, x[k])[0], 0]
        if s.dxc:
            return trapped(i, s, k)
        total.flags |= s.flags
    return total.out(i, v={r1: joined(BFP[t][2], out)})


def cases(R):
    codes = sorted(BINARY) + sorted(UNARY) + [0x4a]
    while True:
        op = R.choice(codes)
        kind = BINARY.get(op) or UNARY.get(op) or 'class'
        i = Input(fpc=R.choice([0, 0x80000, 0x80000, R.getrandbits(5) << 27]) | R.choice([0, 0, 0, 1, 2, 3, 7]), cc=R.randrange(4))
        m_f = R.choice([2, 3, 3, 4, R.choice([2, 3, 4, R.randrange(16)])])
        f = FORMATS.get(m_f, 'd')
        width, n = BFP[f][2], 128 // BFP[f][2]
        some = R.choice([lambda: number(R, f), lambda: number(R, f), lambda: near_integer(R, f), lambda: R.getrandbits(width)])
        i.v = [joined(width, [some() for k in range(n)]) for r in range(16)]
        r1, r2, r3 = (R.randrange(16) for k in range(3))
        if R.random() < .3:  # near the other one, or its opposite
            i.v[r3] = joined(width, [b ^ R.choice([0, 0, SIGN(f)]) ^ R.choice([0, 1, R.getrandbits(BFP[f][0] - 1), QUIET(f)])
                                     for b in elements(f, i.v[r2])])
            if kind in 'ck':
                i.v[r1] = i.v[r3]
        single, m5 = R.choice([0, 8]), R.choice([0, 0, 1, 3, 4, 5, 6, 7, R.randrange(16)])
        if op == 0x4a:
            code = bytes([r1 << 4 | r2, R.getrandbits(8), R.getrandbits(4) << 4 | single, m_f << 4])
        elif op in BINARY:
            m6 = R.choice([0, 1]) if kind[0] == 'c' else R.choice([0, 1, 2, 3, 4, 8, 9, 10, 11, 12, R.randrange(16)]) if kind[0] == 'm' else 0
            m5 = single | (R.choice([0, 4]) if kind[0] == 'c' else 0) | R.choice([0] * 20 + [1, 2, 4])
            code = bytes([r1 << 4 | r2, r3 << 4, m6 << 4 | m5, m_f << 4])
        elif kind in 'ck':
            code = bytes([r1 << 4 | r2, 0, R.choice([0] * 9 + [8]), m_f << 4])
        else:
            rounds = kind in ('int', 'lr', 'from', 'froml', 'fix', 'fixl')
            m4 = single | (R.choice([0, 4]) if rounds else 0) | R.choice([0] * 20 + [1, 2])
            m5 = m5 if rounds else R.choice([0, 1, 2, 3]) if kind == 'sign' else 0
            code = bytes([r1 << 4 | r2, 0, m5 << 4 | m4, m_f << 4])
        yield NAMES[kind], b'\xe7' + code + bytes([op]), i
