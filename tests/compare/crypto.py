#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of the message-security assist with Hercules 3.13 (crypto.sh), which has it up to extension 4. Left
# out: the query functions (it tells of fewer), encrypted keys (each machine has its own wrapping keys).
#   crypto.py make SEED CASES ELF CORE    the same image twice: for zri and for Hercules
#   crypto.py diff SEED CASES OURS THEIRS [LIMIT]
import image, random, sys
from cases import BASE, DATA, slot, storage

STEP = 1152
# A case is a slot; in it the parameter block at 160, second operand at 320, third at 576, first at 832.
BLOCK, IN, THIRD, OUT = 160, 320, 576, 832
KEYED = (1, 2, 3, 18, 19, 20)
KINDS = [('km', 'b92e0024', KEYED + (50, 52), True), ('kmc', 'b92f0024', KEYED + (67,), True), ('kmf', 'b92a0024', KEYED, True), ('kmo', 'b92b0024', KEYED, True),
         ('kmctr', 'b92d6024', KEYED, True), ('kmac', 'b91e0024', KEYED, False), ('kimd', 'b93e0024', (1, 2, 3, 65), False), ('klmd', 'b93f0024', (1, 2, 3), False),
         ('pcc', 'b92c0000', KEYED + (50, 52), False)]


def cases(seed, count):
    R = random.Random(seed)
    for n in range(count):
        name, insn, codes, modifier = R.choice(KINDS)
        fc = R.choice(codes)
        block = 16 if fc >= 18 and fc != 67 else 8
        unit, flags = block, 0x80 if modifier and R.random() < .5 and fc != 67 else 0
        if name == 'kimd':
            unit = {1: 64, 2: 64, 3: 128, 65: 16}[fc]
        elif name == 'klmd':
            unit = 1
        elif name == 'kmf':
            unit = R.randint(1, block)
            flags |= unit << 24
        length = R.randrange(0, (127 if name == 'klmd' and fc == 3 else 256) // unit + 1) * unit  # its KLMD-SHA-512 takes one block
        if R.random() < .05 and name in ('km', 'kmc', 'kimd'):  # Hercules runs away with the others
            length = R.randrange(256)
        block_bytes = bytearray(R.getrandbits(8) for k in range(BLOCK))
        if name == 'pcc':
            block_bytes[0] = R.choice([R.randint(0, 8 * block), R.randint(0, 8 * block), R.getrandbits(8)]) if fc < 50 else block_bytes[0]
            if fc >= 50:
                keys = 16 if fc == 50 else 32
                j = R.choice([0, 1, 2, R.getrandbits(8), R.getrandbits(128), 1 << R.randrange(128)])
                t = R.choice([0, 0, 0, 1, 126, 127, 128, 200])
                block_bytes[keys + 16:keys + 48] = j.to_bytes(16, 'big') + t.to_bytes(16, 'big')
        data = bytes(R.getrandbits(8) for k in range(768))
        at = DATA + n * STEP
        gr = [flags | fc, at + BLOCK, at + OUT, 0, at + IN, length, at + THIRD, 0]
        if R.random() < .1 and modifier and name != 'kmctr':
            gr[2] = gr[4]
        yield name, bytes.fromhex(insn), gr, bytes(block_bytes), data


def build(seed, count):
    data = bytearray()
    for name, insn, gr, block, operands in cases(seed, count):
        s = slot(STEP, insn, gr)
        s[BLOCK:BLOCK + len(block)] = block
        s[IN:IN + len(operands)] = operands
        data += s
    return storage(count, STEP, data)


def main():
    verb, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if verb == 'make':
        built = build(seed, count)
        open(sys.argv[4], 'wb').write(image.elf(built, BASE))
        open(sys.argv[5], 'wb').write(built)
        return 0
    a, b = (open(n, 'rb').read() for n in sys.argv[4:6])
    limit = int(sys.argv[6]) if len(sys.argv) > 6 else 10
    bad, per = 0, {}
    for n, (name, insn, gr, block, storage) in enumerate(cases(seed, count)):
        at = DATA + n * STEP
        p, q = a[at:at + STEP], b[at:at + STEP]
        if p == q:
            continue
        bad += 1
        per[name] = per.get(name, 0) + 1
        if per[name] <= limit:
            print('%s r0 %08x length %x' % (name, gr[0], gr[5]))
            for what, first, last in (('registers', 80, 144), ('cc', 147, 148), ('code', 150, 152), ('block', BLOCK, IN), ('second', IN, THIRD), ('third', THIRD, OUT), ('first', OUT, STEP)):
                if p[first:last] != q[first:last]:
                    k = next(k for k in range(first, last) if p[k] != q[k])
                    print('    %s from byte %d: %s / %s' % (what, k - first, p[k:k + 16].hex(), q[k:k + 16].hex()))
    print('%d cases, %d differ %s' % (count, bad, per or ''))
    return bad != 0


sys.exit(main())
