# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge of the pipeline, the instructions of its programs: how each is encoded, what it is for the pipeline, what it does."""

M64 = (1 << 64) - 1


def signed(v, bits=64):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def sign_cc(v):
    return 0 if v == 0 else 1 if v < 0 else 2


def add_cc(a, b, bits):
    total = signed(a, bits) + signed(b, bits)
    return 3 if signed(total, bits) != total else sign_cc(total)


def sub_cc(a, b, bits):
    total = signed(a, bits) - signed(b, bits)
    return 3 if signed(total, bits) != total else sign_cc(total)


def compare_cc(a, b):
    return 0 if a == b else 1 if a < b else 2


class Insn:
    """One instruction of the program: how it is encoded, what it is for the pipeline, what it does."""

    def __init__(self, name, kind, **fields):
        self.name, self.kind = name, kind
        self.at = 0
        self.sets_cc = self.tests_cc = False
        self.src, self.dst = [], []  # as REG_RD and REG_WR count them
        self.mem = []                # (use, base, index, displacement, length)
        self.compute = None          # (registers' values, fetched value) -> {register: value}; None: not exact in EC-233
        self.cc = None               # the same -> condition code
        self.branch = None           # 'cond' or 'uncond'
        self.indirect = self.call = self.ret = False
        self.label = self.target = None
        self.__dict__.update(fields)

    @property
    def serial(self):
        return self.kind == 'serial'


def bits_of(length, *parts):
    """Bytes from (value, bits) parts."""
    value = total = 0
    for v, n in parts:
        value = value << n | (v & ((1 << n) - 1))
        total += n
    assert total == length * 8, total
    return value.to_bytes(length, 'big')


def rre(op, r1, r2):
    return lambda at, to: bits_of(4, (op, 16), (0, 8), (r1, 4), (r2, 4))


def rr(op, r1, r2):
    return lambda at, to: bits_of(2, (op, 8), (r1, 4), (r2, 4))


def ri(op, r1, i2):
    return lambda at, to: bits_of(4, (op >> 4, 8), (r1, 4), (op & 15, 4), (i2, 16))


def ri_rel(op, r1):
    return lambda at, to: bits_of(4, (op >> 4, 8), (r1, 4), (op & 15, 4), ((to - at) // 2, 16))


def ril_rel(op, r1):
    return lambda at, to: bits_of(6, (op >> 4, 8), (r1, 4), (op & 15, 4), ((to - at) // 2, 32))


def rx(op, r1, x, b, d):
    return lambda at, to: bits_of(4, (op, 8), (r1, 4), (x, 4), (b, 4), (d, 12))


def rxy(op, r1, x, b, d):
    return lambda at, to: bits_of(6, (op >> 8, 8), (r1, 4), (x, 4), (b, 4), (d, 12), (d >> 12, 8), (op, 8))


def named(*registers):
    """Base and index registers that are there (register 0 is none)."""
    return [r for r in registers if r]


def two(name, op, r1, r2, value, cc, width=64, kind='alu', exact=True, reads=(1, 1), writes=True):
    """Register to register. value(a, b) of the two operands of that width."""
    mask = (1 << width) - 1
    src = ([r1] if reads[0] else []) + ([r2] if reads[1] else [])

    def compute(g, _):
        low = value(g[r1] & mask if reads[0] else 0, g[r2] & mask) & mask
        return {r1: low if width == 64 else g[r1] & ~mask & M64 | low}
    return Insn(name, kind, encode=rre(op, r1, r2) if width == 64 else rr(op, r1, r2), length=4 if width == 64 else 2,
                src=src, dst=[r1] if writes else [], sets_cc=cc is not None, compute=compute if writes else None,
                cc=cc and (lambda g, _: cc(g[r1] & mask, g[r2] & mask)), exact=exact, keeps=[r1] if width == 32 else [])


# READING 1: the classes are the second arguments of Insn.
def make(name, *a):
    """An instruction by its mnemonic and operands."""
    if name in PAIRS:
        op, value, cc, more = PAIRS[name]
        return two(name, op, a[0], a[1], value, cc, **more)
    return globals()['make_' + name](*a)


PAIRS = {
    'lgr': (0xB904, lambda a, b: b, None, dict(reads=(0, 1))),
    'ltgr': (0xB902, lambda a, b: b, lambda a, b: sign_cc(signed(b)), dict(reads=(0, 1))),
    'agr': (0xB908, lambda a, b: a + b, lambda a, b: add_cc(a, b, 64), {}),
    'sgr': (0xB909, lambda a, b: a - b, lambda a, b: sub_cc(a, b, 64), {}),
    'ngr': (0xB980, lambda a, b: a & b, lambda a, b: int(a & b != 0), {}),
    'ogr': (0xB981, lambda a, b: a | b, lambda a, b: int(a | b != 0), {}),
    'xgr': (0xB982, lambda a, b: a ^ b, lambda a, b: int(a ^ b != 0), {}),
    'cgr': (0xB920, None, lambda a, b: compare_cc(signed(a), signed(b)), dict(writes=False)),
    'msgr': (0xB90C, lambda a, b: a * b, None, dict(kind='mul', exact=False)),
    'ar': (0x1A, lambda a, b: a + b, lambda a, b: add_cc(a, b, 32), dict(width=32)),
    'sr': (0x1B, lambda a, b: a - b, lambda a, b: sub_cc(a, b, 32), dict(width=32)),
    'lr': (0x18, lambda a, b: b, None, dict(width=32, reads=(0, 1))),
}


def make_lghi(r1, i2):
    return Insn('lghi', 'alu', encode=ri(0xA79, r1, i2), length=4, dst=[r1], compute=lambda g, _: {r1: i2 & M64})


def make_aghi(r1, i2):
    return Insn('aghi', 'alu', encode=ri(0xA7B, r1, i2), length=4, src=[r1], dst=[r1], sets_cc=True,
                compute=lambda g, _: {r1: g[r1] + i2 & M64}, cc=lambda g, _: add_cc(g[r1], i2 & M64, 64))


def make_cghi(r1, i2):
    return Insn('cghi', 'alu', encode=ri(0xA7F, r1, i2), length=4, src=[r1], sets_cc=True,
                cc=lambda g, _: compare_cc(signed(g[r1]), i2))


def make_tmll(r1, mask):
    def cc(g, _):
        v = g[r1] & mask
        return 0 if v == 0 else 3 if v == mask else 2 if v & 1 << mask.bit_length() - 1 else 1
    return Insn('tmll', 'alu', encode=ri(0xA71, r1, mask), length=4, src=[r1], sets_cc=True, cc=cc)


def make_la(r1, d, x, b):
    return Insn('la', 'alu', encode=rx(0x41, r1, x, b, d), length=4, src=named(x, b), dst=[r1],
                compute=lambda g, _: {r1: sum(g[r] for r in named(x, b)) + d & M64})


def make_lay(r1, d, x, b):
    return Insn('lay', 'alu', encode=rxy(0xE371, r1, x, b, d), length=6, src=named(x, b), dst=[r1],
                compute=lambda g, _: {r1: sum(g[r] for r in named(x, b)) + d & M64})


def make_larl(r1, label):
    i = Insn('larl', 'alu', encode=ril_rel(0xC00, r1), length=6, dst=[r1], label=label)
    i.compute = lambda g, _: {r1: i.target}
    return i


def shift(name, op, r1, r3, n, f):
    return Insn(name, 'alu', length=6, src=[r3], dst=[r1], compute=lambda g, _: {r1: f(g[r3]) & M64},
                encode=lambda at, to: bits_of(6, (op >> 8, 8), (r1, 4), (r3, 4), (0, 4), (n, 12), (0, 8), (op, 8)))


def make_sllg(r1, r3, n):
    return shift('sllg', 0xEB0D, r1, r3, n, lambda v: v << n)


def make_srlg(r1, r3, n):
    return shift('srlg', 0xEB0C, r1, r3, n, lambda v: v >> n)


def load(name, op, r1, d, x, b, length, value):
    return Insn(name, 'load', encode=rxy(op, r1, x, b, d), length=6, src=named(x, b), dst=[r1],
                mem=[('fetch', b, x, d, length)], compute=lambda g, v: {r1: value(v) & M64})


def make_lg(r1, d, x, b):
    return load('lg', 0xE304, r1, d, x, b, 8, lambda v: v)


def make_lgf(r1, d, x, b):
    return load('lgf', 0xE314, r1, d, x, b, 4, lambda v: signed(v, 32))


def make_llgf(r1, d, x, b):
    return load('llgf', 0xE316, r1, d, x, b, 4, lambda v: v)


def make_llgc(r1, d, x, b):
    return load('llgc', 0xE390, r1, d, x, b, 1, lambda v: v)


def make_l(r1, d, x, b):
    i = Insn('l', 'load', encode=rx(0x58, r1, x, b, d), length=4, src=named(x, b), dst=[r1], keeps=[r1],
             mem=[('fetch', b, x, d, 4)])
    i.compute = lambda g, v: {r1: g[r1] >> 32 << 32 | v}
    return i


def make_ag(r1, d, x, b):
    return Insn('ag', 'load', encode=rxy(0xE308, r1, x, b, d), length=6, src=[r1] + named(x, b), dst=[r1], sets_cc=True,
                mem=[('fetch', b, x, d, 8)], compute=lambda g, v: {r1: g[r1] + v & M64},
                cc=lambda g, v: add_cc(g[r1], v, 64))


def store(name, encode, ilen, r1, d, x, b, length):
    return Insn(name, 'store', encode=encode, length=ilen, src=[r1] + named(x, b), mem=[('store', b, x, d, length)],
                stored=lambda g, old: (g[r1] & (1 << 8 * length) - 1).to_bytes(length, 'big'))


def make_stg(r1, d, x, b):
    return store('stg', rxy(0xE324, r1, x, b, d), 6, r1, d, x, b, 8)


def make_st(r1, d, x, b):
    return store('st', rx(0x50, r1, x, b, d), 4, r1, d, x, b, 4)


def make_stc(r1, d, x, b):
    return store('stc', rx(0x42, r1, x, b, d), 4, r1, d, x, b, 1)


def make_agsi(d, b, i2):
    return Insn('agsi', 'store', length=6, src=named(b), sets_cc=True, mem=[('update', b, 0, d, 8)],
                encode=lambda at, to: bits_of(6, (0xEB, 8), (i2, 8), (b, 4), (d, 12), (0, 8), (0x7A, 8)),
                stored=lambda g, old: (int.from_bytes(old, 'big') + i2 & M64).to_bytes(8, 'big'),
                cc=lambda g, v: add_cc(v, i2 & M64, 64))


def make_mvc(d1, length, b1, d2, b2):
    return Insn('mvc', 'ss', length=6, src=named(b1, b2), stored=lambda g, old: old,
                mem=[('store', b1, 0, d1, length), ('fetch', b2, 0, d2, length)],  # READING 3
                encode=lambda at, to: bits_of(6, (0xD2, 8), (length - 1, 8), (b1, 4), (d1, 12), (b2, 4), (d2, 12)))


def make_clc(d1, length, b1, d2, b2):
    return Insn('clc', 'ss', length=6, src=named(b1, b2), sets_cc=True, compared=True,
                mem=[('fetch', b1, 0, d1, length), ('fetch', b2, 0, d2, length)],
                encode=lambda at, to: bits_of(6, (0xD5, 8), (length - 1, 8), (b1, 4), (d1, 12), (b2, 4), (d2, 12)),
                cc=lambda g, both: compare_cc(both[0], both[1]))


def make_brc(mask, label):
    return Insn('brc', 'branch', encode=ri_rel(0xA74, mask), length=4, branch='uncond' if mask == 15 else 'cond', label=label,
                tests_cc=mask != 15, taken=lambda g, cc: mask >> 3 - cc & 1)


def make_brctg(r1, label):
    return Insn('brctg', 'branch', encode=ri_rel(0xA77, r1), length=4, branch='cond', label=label, src=[r1], dst=[r1],
                compute=lambda g, _: {r1: g[r1] - 1 & M64}, taken=lambda g, cc: g[r1] != 1)


def make_cgij(r1, i2, mask, label):
    return Insn('cgij', 'branch', length=6, branch='cond', label=label, src=[r1],
                encode=lambda at, to: bits_of(6, (0xEC, 8), (r1, 4), (mask, 4), ((to - at) // 2, 16), (i2, 8), (0x7C, 8)),
                taken=lambda g, cc: mask >> 3 - compare_cc(signed(g[r1]), i2) & 1)


def make_cgrj(r1, r2, mask, label):
    return Insn('cgrj', 'branch', length=6, branch='cond', label=label, src=[r1, r2],
                encode=lambda at, to: bits_of(6, (0xEC, 8), (r1, 4), (r2, 4), ((to - at) // 2, 16), (mask, 4), (0, 4),
                                              (0x64, 8)),
                taken=lambda g, cc: mask >> 3 - compare_cc(signed(g[r1]), signed(g[r2])) & 1)


def make_bcr(mask, r2):
    if r2 == 0:
        return Insn('bcr', 'serial', encode=rr(0x07, mask, 0), length=2)
    return Insn('bcr', 'branch', encode=rr(0x07, mask, r2), length=2, branch='uncond' if mask == 15 else 'cond', src=[r2],
                indirect=True, ret=mask == 15, tests_cc=mask != 15, taken=lambda g, cc: mask >> 3 - cc & 1,
                goes=lambda g: g[r2])


def make_bctgr(r1, r2):
    return Insn('bctgr', 'branch', encode=rre(0xB946, r1, r2), length=4, branch='cond', src=[r1, r2], dst=[r1], indirect=True,
                compute=lambda g, _: {r1: g[r1] - 1 & M64}, taken=lambda g, cc: g[r1] != 1, goes=lambda g: g[r2])


def make_brasl(r1, label):
    i = Insn('brasl', 'branch', encode=ril_rel(0xC05, r1), length=6, branch='uncond', label=label, dst=[r1], call=True,
             taken=lambda g, cc: 1)
    i.compute = lambda g, _: {r1: i.at + 6}
    return i


def make_basr(r1, r2):
    i = Insn('basr', 'branch', encode=rr(0x0D, r1, r2), length=2, branch='uncond', src=[r2], dst=[r1], indirect=True,
             call=True, taken=lambda g, cc: 1, goes=lambda g: g[r2])
    i.compute = lambda g, _: {r1: i.at + 2}
    return i
