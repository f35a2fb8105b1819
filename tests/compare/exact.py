#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Random cases of single instructions judged by exact models in Python (integers and fractions): exact.sh runs them.
#   exact.py make CLASS SEED CASES ELF         an ELF image of random cases
#   exact.py judge CLASS SEED CASES CORE [LIMIT]   storage at the end against the model; status 1 if anything differs
#   exact.py script CLASS SEED CASES           a few of them as a scripted test, on standard output
# A class is a module exact_CLASS.py beside this file: cases(R) yields (name, instruction bytes, input) forever, and
# model(code, input) gives the expected output as a dictionary of what matters.
import importlib, os, random, struct, sys, image

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
BASE, DATA, STEP = 0x10000, 0x800000, 1024
MOST = 50000


class Input:
    """Registers before the instruction: v (16 integers of 128 bits), g (6 of 64 bits), fpc, cc, pm; word: storage at 4(13)."""
    def __init__(self, v=None, g=None, fpc=0, cc=0, pm=0, word=0):
        self.v, self.g, self.fpc, self.cc, self.pm, self.word = v or [0] * 16, g or [0] * 6, fpc, cc, pm, word

    def copy(self):
        return Input(list(self.v), list(self.g), self.fpc, self.cc, self.pm, self.word)


def build(cases):
    code, data = bytearray(), bytearray()
    emit = lambda h: code.extend(bytes.fromhex(h))
    emit('c0df%08x' % 0x60000 + 'e3d000f00024' 'eb0000f0002f')  # CR0: AFP register, vector
    for n, (name, insn, i) in enumerate(cases):
        at = DATA + n * STEP
        emit('c0df%08x' % at + 'b29dd000' 'e70fd0100036' '5860d008' '0460' 'eb05d1100004')  # LFPC VLM L SPM LMG
        emit('c0c0%08x' % ((6 + len(insn)) // 2))  # LARL 12,behind
        code += insn
        emit('b2220060' 'b29cd200' '5060d204' 'e70fd210003e' 'eb05d3100024')  # IPM STFPC ST VSTM STMG
        data += struct.pack('>IIII', i.fpc, i.word, i.cc << 28 | i.pm << 24, 0) + b''.join(v.to_bytes(16, 'big') for v in i.v)
        data += b''.join(g.to_bytes(8, 'big') for g in i.g)
        data += bytes(STEP - len(data) % STEP)
    emit('b2b200e0')  # LPSWE E0
    assert BASE + len(code) < DATA
    # Program interruption: code, DXC or VXC, condition code of the old PSW; on behind the instruction.
    handler = bytes.fromhex('58e0008c' '50e0d208' 'd203d20c0090' 'd201d3480152' 'd70300900090' '07fc')
    return image.elf(image.build({0x800: handler, BASE: code, DATA: data}, 0x180000000, BASE, 0x800), BASE)


def result(core, n):
    """What came out, as the model says it: pic, dxc, cc, fpc, g and v."""
    b = core[DATA + n * STEP:DATA + (n + 1) * STEP]
    pic = int.from_bytes(b[0x20a:0x20c], 'big')
    cc = b[0x348] >> 4 & 3 if pic else b[0x204] >> 4 & 3
    return {'pic': pic, 'dxc': b[0x20f] if pic in (7, 0x1b) else 0, 'cc': cc, 'fpc': int.from_bytes(b[0x200:0x204], 'big'),
            'v': [int.from_bytes(b[0x210 + 16 * k:0x220 + 16 * k], 'big') for k in range(16)],
            'g': [int.from_bytes(b[0x310 + 8 * k:0x318 + 8 * k], 'big') for k in range(6)]}


def expected(module, insn, i):
    """The model's answer with what it does not name unchanged."""
    want = module.model(insn, i.copy())
    full = {'pic': 0, 'dxc': 0, 'cc': i.cc, 'fpc': i.fpc, 'v': list(i.v), 'g': list(i.g)}
    for k in ('pic', 'dxc', 'cc', 'fpc'):
        full[k] = want.get(k, full[k])
    for k in 'vg':
        for r, value in want.get(k, {}).items():
            full[k][r] = value
    if full['dxc'] and full['pic'] == 7 and not want.get('keep_fpc'):
        full['fpc'] = full['fpc'] & ~0xff00 | full['dxc'] << 8
    if full['pic'] == 7 and not full['dxc']:
        full['fpc'] &= ~0xff00
    return full


def show(name, insn, i, got, want):
    print('%s %s fpc %08x cc %d pm %x' % (name, insn.hex(), i.fpc, i.cc, i.pm))
    for k in ('pic', 'dxc', 'cc', 'fpc'):
        if got[k] != want[k]:
            print('    %s: %x, should be %x' % (k, got[k], want[k]))
    for k, width in (('v', 32), ('g', 16)):
        for r, value in enumerate(getattr(i, k)):
            if value or got[k][r] != want[k][r]:
                text = '' if got[k][r] == want[k][r] else '  now %0*x, should be %0*x' % (width, got[k][r], width, want[k][r])
                print('    %s%d %0*x%s' % (k, r, width, value, text))


def script(module, cases):
    print('# SPDX-License-Identifier: GPL-3.0-or-later')
    print('# Written by tests/compare/exact.py: %s' % module.__doc__.strip().split('\n')[0])
    print('\nprofile max\nsetup\n    c0 = 600E0\n')
    for n, (name, insn, i) in enumerate(cases):
        want = expected(module, insn, i)
        print('test %s, random case %d' % (name, n))
        print('    fpc = %X\n    cc = %d\n    pm = %X' % (i.fpc, i.cc, i.pm))
        for k, width in (('v', 32), ('g', 16)):
            for r, value in enumerate(getattr(i, k)):
                if value:
                    print('    %s%d = %0*X' % ('r' if k == 'g' else k, r, width, value))
        print('    do hex %s' % insn.hex().upper())
        if want['pic']:
            print('    expect program %X' % want['pic'])
            if want['pic'] == 7:
                print('    expect dxc = %X' % want['dxc'])
        print('    expect fpc = %X\n    expect cc %d' % (want['fpc'], want['cc']))
        for k, width in (('v', 32), ('g', 16)):
            for r, value in enumerate(want[k]):
                if value != getattr(i, k)[r]:
                    print('    expect %s%d = %0*X' % ('r' if k == 'g' else k, r, width, value))
        print()


def main():
    verb, name, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), min(int(sys.argv[4]), MOST)
    module = importlib.import_module('exact_' + name)
    source = module.cases(random.Random(seed))
    cases = (next(source) for n in range(count))
    if verb == 'make':
        open(sys.argv[5], 'wb').write(build(cases))
        return 0
    if verb == 'script':
        script(module, cases)
        return 0
    core = open(sys.argv[5], 'rb').read()
    limit = int(sys.argv[6]) if len(sys.argv) > 6 else 3
    bad, per = 0, {}
    for n, (what, insn, i) in enumerate(cases):
        got, want = result(core, n), expected(module, insn, i)
        if got == want:
            continue
        bad += 1
        per[what] = per.get(what, 0) + 1
        if per[what] <= limit:
            show(what, insn, i, got, want)
    print('%s: %d cases, %d differ %s' % (name, count, bad, per or ''))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
