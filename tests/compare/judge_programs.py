# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge of the pipeline, random programs: loops, branches on data, calls, jumps, loads, stores, pointers."""
import random

from judge_insns import PAIRS, bits_of, make

STORAGE = 1 << 20
CODE, POINTERS, FIELDS = 0x2000, 0x10000, 0x20000
POINTER_BYTES, FIELD_BYTES = 0x2000, 0x8000


class Program:
    """Registers: 0 values only; 1 outer loop; 2-6 data; 7 fields (stored into), 8 pointers (never stored into), 9 a pointer or the
    link of a leaf;    10 inner loop; 11 the random value; 12 index; 13 its mask; 14 link; 15 target of a jump."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.items = []  # Insn, label (str) or number of bytes left free
        self.subs = []
        self.count = 0
        self.faults = self.r.random() < 0.5
        self.registers = [self.r.getrandbits(64) for _ in range(16)]
        self.registers[1] = self.r.choice([2, 5, 20, 60])
        self.registers[7:10] = FIELDS, POINTERS, POINTERS
        self.registers[13] = self.r.choice([0x1f8, 0x7f8, 0x1ff8])
        self.outer()
        self.assemble()

    def emit(self, *a):
        self.items.append(make(*a))

    def label(self):
        self.count += 1
        return 'l%d' % self.count

    def outer(self):
        self.items.append('top')
        self.subs = ['sub%d' % i for i in range(self.r.randint(1, 3))]
        for _ in range(self.r.randint(3, 12)):
            self.block(0)
        self.emit('brctg', 1, 'top')
        self.emit('bcr', 15, 0)
        self.items.append(self.r.choice([2, 2, 64, 300]))  # zeros: no instruction
        self.items.append('handler')
        self.straight(self.r.choice([0, 0, 3]), calm=True)
        self.emit('bcr', 15, 15)
        self.items.append(2)
        self.items.append('leaf')
        self.straight(self.r.randint(0, 3))
        self.emit('bcr', 15, 9)
        for sub in self.subs:
            self.items.append(sub)
            self.straight(self.r.randint(1, 6))
            if self.r.random() < 0.5:
                skip = self.label()
                self.condition(skip)
                self.straight(self.r.randint(1, 4))
                self.items.append(skip)
            if self.r.random() < 0.5:
                self.emit('brasl', 9, 'leaf')
                self.straight(self.r.randint(0, 2))
            self.emit('bcr', 15, 14)
            self.items.append(self.r.choice([0, 2, 200]))

    def data(self):
        return self.r.randint(2, 6)

    def straight(self, n, calm=False):
        r, d = self.r, self.data
        for _ in range(n):
            what = r.choice(['alu'] * 6 + ['random'] * 2 + ['load'] * 3 + ['store'] * 2 + ['mul', 'ss', 'agsi', 'code', 'address'])
            what = 'alu' if calm else what
            if what == 'alu':
                self.emit(*r.choice([
                    ('lghi', d(), r.randint(-300, 300)), ('aghi', d(), r.randint(-300, 300)),
                    ('la', d(), r.randint(0, 4095), r.choice([0, d()]), d()), ('lay', d(), r.randint(-9999, 9999), 0, d()),
                    ('sllg', d(), d(), r.randint(0, 63)), ('srlg', d(), d(), r.randint(0, 63)),
                    (r.choice(list(PAIRS)), d(), d()),
                    ('cghi', d(), r.randint(-9, 9)), ('tmll', d(), 1 << r.randint(0, 3)), ('lgr', 0, d()), ('agr', d(), 0)]))
            elif what == 'random':
                self.emit('aghi', 11, r.randint(1, 30000))
                self.emit('sllg', 0, 11, r.choice([7, 13, 21]))
                self.emit('xgr', 11, 0)
                self.emit('srlg', 0, 11, r.choice([9, 17, 33]))
                self.emit('xgr', 11, 0)
            elif what == 'mul':
                self.emit('msgr', d(), d())
            elif what == 'load':
                self.emit('lgr', 12, r.choice([11, d()]))
                self.emit('ngr', 12, 13)
                self.emit(r.choice(['lg', 'lgf', 'llgf', 'llgc', 'l', 'ag']), d(), r.randint(0, 255), 12, r.choice([7, 8]))
            elif what == 'store':
                if r.random() < 0.5:
                    self.emit('lgr', 12, r.choice([11, d()]))
                    self.emit('ngr', 12, 13)
                self.emit('la', 15, r.randint(0, 255), 0, 7)
                self.emit(r.choice(['stg', 'st', 'stc']), d(), r.randint(0, 255), 0, r.choice([7, 15]))
            elif what == 'ss':
                self.emit(r.choice(['mvc', 'clc']), r.randint(0, 2000), r.randint(1, 256), 7, r.randint(0, 2000), r.choice([7, 8]))
            elif what == 'address':
                self.address()
            elif what == 'agsi':
                self.emit('agsi', r.randint(0, 600), 7, r.randint(-128, 127))
            elif r.random() < 0.3:  # into a line with instructions
                skip, room = self.label(), self.label()
                self.emit('brc', 15, skip)
                self.items += [room, 8, skip]
                self.emit('larl', 15, room)
                self.emit('stg', d(), 0, 0, 15)

    def address(self):
        """An address from what a wrong path does not know: a product, or what it has itself stored."""
        r, at = self.r, self.r.randint(0, 255)
        self.emit(*r.choice([('msgr', 2, 11), ('stg', 11, at, 0, 7)]))
        if self.items[-1].name == 'stg':
            self.emit('lg', 2, at, 0, 7)
        self.emit('ngr', 2, 13)
        self.emit('lg', self.data(), 0, 2, r.choice([7, 8]))

    def condition(self, skip, what=None):
        r, d = self.r, self.data
        what = r.randint(0, 5) if what is None else what
        if what == 0:
            self.emit('tmll', 11, 1 << r.randint(0, 12))
            self.emit('brc', r.choice([7, 8]), skip)
        elif what == 1:
            self.emit('cgij', r.choice([11, d()]), r.randint(-3, 3), r.choice([2, 4, 8, 6, 10, 12]), skip)
        elif what == 2:
            self.emit('cgrj', r.choice([11, d()]), d(), r.choice([2, 4, 6, 10, 12]), skip)
        elif what == 3:
            self.emit('brc', r.randint(1, 15), skip)
        elif what == 4:  # behind a load, which may miss
            self.emit('lgr', 12, 11)
            self.emit('ngr', 12, 13)
            self.emit('lg', 2, 0, 12, 8)
            self.emit('tmll', 2, 1 << r.randint(0, 2))
            self.emit('brc', r.choice([7, 8]), skip)
        else:
            self.emit('larl', 15, skip)
            self.emit('tmll', 11, 1 << r.randint(0, 5))
            self.emit('bcr', r.choice([7, 8]), 15)

    def block(self, depth):
        r, d = self.r, self.data
        what = r.choice(['fault'] * self.faults + ['if'] * 3 + ['call', 'chase', 'loop'] * 2 + ['straight', 'jump', 'serial'])
        if what == 'straight':
            self.straight(r.randint(1, 8))
        elif what == 'if':
            skip = self.label()
            if r.random() < 0.3:
                self.condition(skip, 4)
                self.address()
            else:
                self.condition(skip)
            self.straight(r.randint(1, 6))
            if depth < 2 and r.random() < 0.4:
                self.block(depth + 1)
            self.items.append(skip)
        elif what == 'call':
            sub = r.choice(self.subs)
            if r.random() < 0.6:
                self.emit('brasl', 14, sub)
            else:
                self.emit('larl', 15, sub)
                self.emit('basr', 14, 15)
        elif what == 'chase':  # the other values of the table are no pointers: only the wrong path takes them for such
            skip = self.label()
            self.emit('lgr', 12, 11)
            self.emit('ngr', 12, 13)
            self.emit('lg', 9, 0, 12, 8)
            self.emit('tmll', 9, 1)
            self.emit('brc', 7, skip)
            for _ in range(r.randint(1, 3)):
                self.emit(r.choice(['lg', 'l', 'ag', 'llgc']), d(), r.randint(0, 64), 0, 9)
            if r.random() < 0.5:
                self.emit('lg', 3, 0, 0, 9)
                self.emit('ngr', 3, 13)
                self.emit('llgc', 4, 0, 3, 7)
            self.items.append(skip)
        elif what == 'jump':
            one, other, go = self.label(), self.label(), self.label()
            self.emit('larl', 15, one)
            self.emit('tmll', 11, 1 << r.randint(0, 3))
            self.emit('brc', 8, go)
            self.emit('larl', 15, other)
            self.items.append(go)
            self.emit('bcr', 15, 15)
            self.items.append(one)
            self.straight(r.randint(1, 3))
            self.items.append(other)
        elif what == 'fault':  # the handler goes on at the label
            after = self.label()
            self.emit('larl', 15, after)
            self.emit('lghi', 9, -8 * r.randint(1, 9))
            self.emit('tmll', 11, 1 << r.randint(0, 3))
            self.emit('brc', r.choice([7, 8]), after)
            self.emit(*r.choice([('lg', d(), 0, 0, 9), ('ag', d(), 0, 0, 9), ('stg', d(), 0, 0, 9), ('stc', d(), 1, 0, 9),
                                 ('agsi', 0, 9, 1), ('llgc', 2, 1, 0, 9)]))
            self.straight(r.randint(1, 5))
            self.items.append(after)
        elif what == 'serial':
            if r.random() < 0.3:
                self.emit('bcr', r.choice([14, 15]), 0)
        elif depth == 0:
            again = self.label()
            indirect = r.random() < 0.3
            self.emit('lghi', 10, r.choice([1, 2, 3, 4, 9, 17]))
            self.items.append(again)
            for _ in range(r.randint(1, 3)):
                self.block(2)
            if indirect:
                self.emit('larl', 15, again)
                self.emit('bctgr', 10, 15)
            else:
                self.emit('brctg', 10, again)

    def assemble(self):
        at, labels = CODE + 2 * self.r.randint(0, 127), {}
        self.start = at
        places = []
        for i in self.items:
            if isinstance(i, str):
                labels[i] = at
            elif isinstance(i, int):
                at += i
            else:
                i.at = at
                places.append(i)
                at += i.length
        self.text = {}
        self.storage = bytearray(STORAGE)
        for i in places:
            i.target = labels[i.label] if i.label else None
            self.storage[i.at:i.at + i.length] = i.encode(i.at, i.target)
            self.text[i.at] = i
        assert at < POINTERS
        self.handler = labels['handler']
        self.storage[0x1D0:0x1E0] = bits_of(16, (0x180000000, 64), (self.handler, 64))
        self.storage[0:8] = bits_of(8, (0x00080000, 32), (0x80000000 | self.start, 32))  # or the console does not load it
        for a in range(POINTERS, POINTERS + POINTER_BYTES + 512, 8):
            v = self.r.choice([POINTERS, FIELDS]) + self.r.randrange(0, POINTER_BYTES - 128) & ~1
            if self.r.random() < 0.5:
                v = 1 | self.r.choice([self.r.getrandbits(64), self.r.randrange(STORAGE - 0x2000, STORAGE + 0x2000),
                                       self.r.randrange(FIELDS, 0x80000)])
            self.storage[a:a + 8] = v.to_bytes(8, 'big')
        for a in range(FIELDS, FIELDS + FIELD_BYTES, 8):
            self.storage[a:a + 8] = self.r.getrandbits(64).to_bytes(8, 'big')
        self.image = bytes(self.storage[:FIELDS + FIELD_BYTES])
