#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of decimal floating point with Hercules 3.13 (dfp.sh). Left out or made up for, because Hercules has it
# otherwise than the Principles of Operation: the floating-point extension facility; traps of overflow, underflow and
# inexact (no scaled results, DXC 0C for truncated ones, exact subnormals do not trap); rounding to prepare for shorter
# precision; inexact with overflow; rows of KNOWN below; QUANTIZE with value and quantum in each other's places (R3 is the
# value in INSERT BIASED EXPONENT and REROUND also).
#   dfp.py make SEED CASES ELF CORE    the same image twice: for zri and for Hercules
#   dfp.py diff SEED CASES OURS THEIRS [LIMIT]
import os, random, struct, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'script', 'generated'))
sys.argv, ARGS = ['dfp.py', os.devnull], sys.argv
import image, dfp as M

BASE, DATA, STEP = 0x10000, 0x800000, 256
# name, opcode, kind, operand formats: 1 first, 2 second, 3 third, d/x/e DFP, g general; m: has M3 (rounding), M4
ROWS = [
    ('adtr', 0xb3d2, 'rrf', 'd'), ('axtr', 0xb3da, 'rrf', 'x'), ('sdtr', 0xb3d3, 'rrf', 'd'), ('sxtr', 0xb3db, 'rrf', 'x'),
    ('mdtr', 0xb3d0, 'rrf', 'd'), ('mxtr', 0xb3d8, 'rrf', 'x'), ('ddtr', 0xb3d1, 'rrf', 'd'), ('dxtr', 0xb3d9, 'rrf', 'x'),
    ('cdtr', 0xb3e4, 'cmp', 'd'), ('cxtr', 0xb3ec, 'cmp', 'x'), ('kdtr', 0xb3e0, 'cmp', 'd'), ('kxtr', 0xb3e8, 'cmp', 'x'),
    ('cedtr', 0xb3f4, 'cmp', 'd'), ('cextr', 0xb3fc, 'cmp', 'x'), ('ltdtr', 0xb3d6, 'rre', 'd'), ('ltxtr', 0xb3de, 'rre', 'x'),
    ('fidtr', 0xb3d7, 'm34', 'd'), ('fixtr', 0xb3df, 'm34', 'x'), ('ledtr', 0xb3d5, 'm34', 'd'), ('ldxtr', 0xb3dd, 'm34', 'x'),
    ('ldetr', 0xb3d4, 'm4', 'e'), ('lxdtr', 0xb3dc, 'm4', 'd'), ('qadtr', 0xb3f5, 'qa', 'd'), ('qaxtr', 0xb3fd, 'qa', 'x'),
    ('rrdtr', 0xb3f7, 'rr', 'd'), ('rrxtr', 0xb3ff, 'rr', 'x'), ('iedtr', 0xb3f6, 'ie', 'd'), ('iextr', 0xb3fe, 'ie', 'x'),
    ('eedtr', 0xb3e5, 'ee', 'd'), ('eextr', 0xb3ed, 'ee', 'x'), ('esdtr', 0xb3e7, 'ee', 'd'), ('esxtr', 0xb3ef, 'ee', 'x'),
    ('cdgtr', 0xb3f1, 'from', 'd'), ('cxgtr', 0xb3f9, 'from', 'x'), ('cgdtr', 0xb3e1, 'to', 'd'), ('cgxtr', 0xb3e9, 'to', 'x'),
    ('cdstr', 0xb3f3, 'from', 'd'), ('cxstr', 0xb3fb, 'from', 'x'), ('cdutr', 0xb3f2, 'from', 'd'), ('cxutr', 0xb3fa, 'from', 'x'),
    ('csdtr', 0xb3e3, 'm4g', 'd'), ('csxtr', 0xb3eb, 'm4g', 'x'), ('cudtr', 0xb3e2, 'ee', 'd'), ('cuxtr', 0xb3ea, 'ee', 'x'),
    ('sldt', 0xed40, 'sh', 'd'), ('slxt', 0xed48, 'sh', 'x'), ('srdt', 0xed41, 'sh', 'd'), ('srxt', 0xed49, 'sh', 'x'),
    ('tdcet', 0xed50, 'td', 'e'), ('tdcdt', 0xed54, 'td', 'd'), ('tdcxt', 0xed58, 'td', 'x'),
    ('tdget', 0xed51, 'td', 'e'), ('tdgdt', 0xed55, 'td', 'd'), ('tdgxt', 0xed59, 'td', 'x'),
]


def bits_of(R, f):
    w = M.FORMATS[f][4]
    v = R.getrandbits(w) if R.random() < .15 else M.encode(f, M.number(f))
    if R.random() < .1:
        v ^= R.getrandbits(w) & R.getrandbits(w) & R.getrandbits(w)
    if f == 'e':
        v <<= 32
    return struct.pack('>QQ', v >> 64, v & (1 << 64) - 1) if f == 'x' else struct.pack('>QQ', v, 0)


def cases(seed, count, theirs=False):
    M.R = R = random.Random(seed)
    for n in range(count):
        name, op, kind, f = R.choice(ROWS)
        a, b = bits_of(R, f), bits_of(R, f)
        if kind == 'cmp' and R.random() < .4:
            b = a
        fpc = R.choice([0, 0, 0, R.getrandbits(2) << 30]) | R.randint(0, 6) << 4
        g = [R.choice([R.getrandbits(64), R.randint(-4, 40) & (1 << 64) - 1, R.getrandbits(14), int('%016d' % R.randrange(10 ** 16), 16),
                       int('%015d%s' % (R.randrange(10 ** 15), R.choice('ABCDEF')), 16)]) for k in range(4)]
        m3 = R.choice([0, 8 | R.randint(0, 6)])
        field = lambda r1, hi, lo, r2: struct.pack('>HBB', op, hi << 4 | lo, r1 << 4 | r2)
        if kind == 'rrf':
            i = field(0, 8, 0, 4)
        elif kind in ('cmp', 'rre'):
            i = field(0, 0, 0, 4)
            if kind == 'cmp':
                i = field(4, 0, 0, 8)
        elif kind == 'm34':
            i = field(0, m3, R.choice([0, 0, 8 if op in (0xb3d5, 0xb3dd) else 4]), 4)
        elif kind == 'm4':
            i = field(0, 0, R.choice([0, 8]), 4)
        elif kind == 'qa':
            i = field(0, 8, m3, 4) if theirs else field(0, 4, m3, 8)
        elif kind == 'rr':
            i = field(0, 4, m3, 2)
        elif kind == 'ie':
            i = field(0, 4, 0, 2)
        elif kind == 'ee':
            i = field(2, 0, 0, 4)
        elif kind == 'm4g':
            i = field(2, 0, R.choice([0, 1]), 4)
        elif kind == 'from':
            i = field(0, 0, 0, 2)
        elif kind == 'to':
            i = field(2, m3, 0, 4)
        elif kind == 'sh':
            i = struct.pack('>BBHBB', op >> 8, 0x40, 0x2000, 0 << 4, op & 255)
        else:
            i = struct.pack('>BBHBB', op >> 8, 0x40, 0x2000, 0, op & 255)
        yield name, i, fpc, a, b, g


def build(seed, count, theirs):
    code = bytearray()
    data = bytearray()
    emit = lambda h: code.extend(bytes.fromhex(h))
    emit('c0df%08x' % 0x40000)              # LLILF 13,AFP control
    emit('e3d000f00024')                    # STG 13,F0
    emit('eb0000f0002f')                    # LCTLG 0,0,F0
    for n, (name, i, fpc, a, b, g) in enumerate(cases(seed, count, theirs)):
        at = DATA + n * STEP
        emit('c0df%08x' % at)               # LLILF 13,at
        emit('b29dd000')                    # LFPC 0(13)
        emit('6840d008' '6860d010' '6880d018' '68a0d020' '6800d028' '6820d030')
        emit('eb25d0380004' '1922')         # LMG 2,5; CR 2,2: condition code 0
        emit('c0c0%08x' % ((6 + len(i)) // 2))  # LARL 12,behind
        code += i
        emit('b2220060')                    # IPM 6
        emit('b29cd058')                    # STFPC 58(13)
        emit('6000d060' '6020d068')         # STD
        emit('eb26d0700024')                # STMG 2,6
        data += struct.pack('>II', fpc, 0) + a + b + bytes.fromhex('55' * 16) + struct.pack('>4Q', *g)
        data += bytes(STEP - len(data) % STEP)
    emit('b2b200e0')                        # LPSWE E0
    assert BASE + len(code) < DATA
    # Program interruption: code, DXC, condition code of the old PSW; on behind the instruction.
    handler = bytes.fromhex('58e0008c' '50e0d05c' 'd203d0980090' 'd201d09c0152' '07fc')
    return image.build({0x800: handler, BASE: code, DATA: data}, 0x180000000, BASE, 0x800)


def known(name, x, p, q):
    flags = q[1]
    if name in ('cuxtr', 'csxtr'):      # the right register has nothing to do with the operand
        return True
    if name[:3] == 'tdc':               # subnormal by the exponent of the rightmost digit
        return p[:56] == q[:56] and p[64:] == q[64:]
    if name[:2] == 'rr':                # SNaNs; exponents above the largest; it takes subnormals for results that underflow
        return p[1] & 0x80 != 0 or p[64:68] == b'\0\0\0\x80' or x[0] & 0x7e == 0x7e or x[0] & 0x7f == 0
    if p[1] & 0x20:                     # overflow without inexact
        return p[1] == flags | 8 and p[2:] == q[2:] and p[0] == q[0]
    return False


def main():
    verb, seed, count = ARGS[1], int(ARGS[2]), int(ARGS[3])
    if verb == 'make':
        open(ARGS[4], 'wb').write(image.elf(build(seed, count, False), BASE))
        open(ARGS[5], 'wb').write(build(seed, count, True))
        return 0
    a, b = (open(n, 'rb').read() for n in ARGS[4:6])
    limit = int(ARGS[6]) if len(ARGS) > 6 else 10
    bad, per = 0, {}
    for n, (name, i, fpc, x, y, g) in enumerate(cases(seed, count)):
        at = DATA + n * STEP
        p, q = a[at + 88:at + 160], b[at + 88:at + 160]
        if p == q or known(name, x, p, q):
            continue
        bad += 1
        per[name] = per.get(name, 0) + 1
        if per[name] <= limit:
            print('%s %s fpc %08x a %s b %s gr %016x %016x' % (name, i.hex(), fpc, x.hex(), y.hex(), g[0], g[1]))
            for w, o in (('fpc', slice(0, 4)), ('code', slice(4, 8)), ('f0', slice(8, 16)), ('f2', slice(16, 24)), ('r2', slice(24, 32)),
                         ('r3', slice(32, 40)), ('cc', slice(56, 64)), ('dxc', slice(64, 68)), ('psw', slice(68, 70))):
                if p[o] != q[o]:
                    print('    %s %s / %s' % (w, p[o].hex(), q[o].hex()))
    print('%d cases, %d differ %s' % (count, bad, per or ''))
    return bad != 0


sys.exit(main())
