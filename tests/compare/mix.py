#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mix.py INSTRUCTIONS.DEF FRAME SEED IMAGE: a raw image of random programs in which everything meets everything: all
instructions that leave the machine alone, transactions, guarded storage, PER, run-time instrumentation, tracing, address
spaces, keys, large frames, code that stores into itself, interruptions at any place. Each chunk starts with registers
and controls of its own; every program interruption, supervisor call or end of the CPU timer goes on with the next one;
the clock comparator interrupts and returns. The last one ends in a disabled wait at 0. Run it with --lockstep."""
import random
import re
import sys

CHUNKS, CHUNK_BYTES = 200, 160
SIZE = 0x400000
AT_HANDLER, AT_KEYS, AT_TABLE, AT_CODE, AT_DATA = 0x2000, 0x3000, 0x10000, 0x48000, 0x80000
DATA_PAGES = 32
AT_TABLES = 0x100000  # translation
AT_SPACES = 0x180000  # ASN, access lists, linkage
AT_STACK = 0x190000
AT_TRACE = 0x1a0000
AT_RI = 0x1b0000
ENTRY = 1024
# offsets in an entry of the table
PSW, GR, CR, AR, FPC, TIMER, CKC, RI, GS, VR = 0, 16, 144, 272, 336, 344, 352, 368, 432, 464

LEFT_OUT = set('''tb pfmf sigp diag servc spx sck sckc spt sckpf ptff stsi sie lkpg csch hsch msch rchp rsch sal schm ssch stcps
stcrw stsch tpi tsch xsch siga chsc ltxr lcctl lpctl lsctl qsi qctri qpaci scctr spctr ecctr epctr ecpga stcctm pqap nqap
dqap clp sic mpcifc rpcit stpcifc pcistg pcilg pcistb pckmo prno pcc kdsa nnpa essa sthyi uvc stfl lpp ptf km kmc kma kmf
kmo kmctr kmac'''.split())
TX = 'tbegin tbeginc tend tabort etnd ntstg ppa'.split()
GUARDED = 'lgg llgfsg lgsc stgsc'.split()
RI_ALL = 'rion rioff riemit rinext tric stric mric'.split()
BRANCH_FORMATS = {'RI_b', 'RI_c', 'RIL_b', 'RIL_c', 'RSI', 'RIE_b', 'RIE_c', 'RIE_e'}


def bit(n):
    return 1 << (63 - n)


class Rows:
    def __init__(self, path):
        self.rows = {}
        pattern = re.compile(r'ROW\((\w+), "(\w+)", "[^"]*", 0x([0-9a-f]{12}), (\w+), (\w+), ([^,]+), \w+, (\w+), \w+, '
                             r'OPS\(([^)]*)\).*"([^"]+)", ([\w()]+)\)')
        for line in open(path):
            m = pattern.match(line)
            if m and m.group(10) != 'none':
                self.rows[m.group(2)] = (bytes.fromhex(m.group(3)), m.group(4), m.group(7),
                                         [o.strip() for o in m.group(8).split(',')], m.group(9))
        self.names = [n for n in self.rows if n not in LEFT_OUT]
        self.by_chapter = {}
        for n in self.names:
            self.by_chapter.setdefault(self.rows[n][4], []).append(n)


LENGTH2 = {'E', 'I', 'RR'}
LENGTH4 = {'IE', 'RRD', 'RRE', 'RRF_a', 'RRF_b', 'RRF_c', 'RRF_d', 'RRF_e', 'RI_a', 'RI_b', 'RI_c', 'RSI', 'RX_a', 'RS_a',
           'RS_b', 'RX_b', 'S', 'SI'}
OP12 = {'RI_a', 'RI_b', 'RI_c', 'RIL_a', 'RIL_b', 'RIL_c', 'SSF'}
OP16 = {'E', 'IE', 'RRD', 'RRE', 'RRF_a', 'RRF_b', 'RRF_c', 'RRF_d', 'RRF_e', 'S', 'SIL', 'SSE'}


class Maker:
    def __init__(self, rows, seed):
        self.rows = rows
        self.r = random.Random(seed)
        self.image = bytearray(SIZE)

    def put(self, at, size, value):
        self.image[at:at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, 'big')

    # ---- instructions ----

    def base(self):
        return self.r.choice([8, 9, 9, 10, 10, 11, 12, self.r.randrange(16)])

    def insn(self, name, **field):
        opcode, form, branch, ops, _ = self.rows.rows[name]
        r = self.r
        length = 2 if form in LENGTH2 else 4 if form in LENGTH4 else 6
        b = bytearray(r.getrandbits(8) for _ in range(length))
        b[0] = opcode[0]
        if form in OP12:
            b[1] = (b[1] & 0xf0) | (opcode[1] & 15)
        elif form in OP16:
            b[1] = opcode[1]
        elif length == 6 and form not in ('MII', 'SMI') and not form.startswith('SS_'):
            b[5] = opcode[5]
        for op in ops:
            m = re.match(r'(?:.*BD|BDL|XBDL?|VBD|BD)L?(?:_(\d+))?(?:_(\d+))?$', op)
            if not m or op.startswith(('U', 'S', 'J', 'R_', 'F')):
                continue
            at = 16
            if op.endswith('_32'):
                at = 32
            d = r.choice([0, 8, 0x10, r.randrange(64), r.randrange(4096), r.randrange(4096) & ~7])
            b[at // 8] = self.base() << 4 | d >> 8
            b[at // 8 + 1] = d & 255
            if op in ('BDL', 'XBDL'):
                b[4] = r.choice([0, 0, 0, 1, 0xff])
            if op.startswith('XBD') and r.randrange(4):
                b[1] &= 0xf0
        if form.startswith('SS_') and r.randrange(2):
            b[1] &= r.choice([0x0f, 0x1f, 0x77, 0x07])
        if any(o.startswith('J') for o in ops):
            far = r.choice([1, 2, 3, 4, 6, 8, r.randrange(1, 24)])
            if not r.randrange(30):
                far = -far
            if 'J32_16' in ops:
                if branch == 'NONE' and r.randrange(4):
                    far = (AT_DATA - AT_CODE) // 2 + r.randrange(4096)
                b[2:6] = (far & 0xffffffff).to_bytes(4, 'big')
            elif 'J16_16' in ops:
                b[2:4] = (far & 0xffff).to_bytes(2, 'big')
        for k, v in field.items():
            at = int(k[1:])
            b[at] = v
        return bytes(b)

    def pick(self):
        """The name of an instruction; of those that branch by an address few, as they lead astray."""
        while True:
            name = self.pick_any()
            _, form, branch, _, _ = self.rows.rows[name]
            if branch == 'NONE' or form in BRANCH_FORMATS or name in ('ex', 'exrl') or not self.r.randrange(20):
                return name

    def pick_any(self):
        r = self.r
        kind = r.randrange(100)
        c = self.rows.by_chapter
        if kind < 50:
            return r.choice(c['7'])
        if kind < 60:
            return r.choice(c['10'])
        if kind < 64:
            return r.choice(['lg', 'stg', 'mvc', 'st', 'l', 'mvi', 'stm', 'stmg', 'lmg', 'xc', 'clc'])
        if kind < 72:
            return r.choice(GUARDED + RI_ALL)
        if kind < 76:
            return r.choice(TX)
        if kind < 80:
            return r.choice(['ex', 'exrl', 'exrl'])
        if kind < 84:
            return r.choice(['brc', 'brc', 'brasl', 'bas', 'basr', 'bcr', 'brct', 'cgrj', 'clij'])
        if kind < 88:
            return r.choice(['mvcl', 'mvcle', 'clcl', 'clcle', 'cksm', 'tre', 'srst', 'clst', 'mvst', 'cuse', 'cu21',
                             'troo', 'trte', 'mvpg', 'mvcos', 'mvcp', 'mvcs', 'mvck'])
        return r.choice(self.rows.names)

    def transaction(self, room):
        r = self.r
        out = b''
        if r.randrange(3):
            block = r.randrange(2)
            out = bytes([0xe5, 0x60, (9 << 4 if block else 0), r.choice([0, 0x80]) if block else 0, r.getrandbits(8),
                         r.choice([0, 4, 8, 0xc, 0xd, 0xe, 1, 2])])
            out += bytes([0xa7, 0x74, 0, r.randrange(6, 16)])
        else:
            out = bytes([0xe5, 0x61, 0, 0, r.getrandbits(8), r.choice([0, 8])])
        for _ in range(r.randrange(7)):
            name = self.pick() if r.randrange(2) else r.choice(['lg', 'stg', 'st', 'agsi', 'ntstg', 'mvhi', 'ar', 'lgr',
                                                                'cs', 'lgg', 'riemit'])
            one = self.insn(name)
            if len(out) + len(one) + 4 < room:
                out += one
        return out + b'\xb2\xf8\x00\x00' * r.choice([1, 1, 1, 2])

    def chunk(self, at):
        code = b''
        while len(code) < CHUNK_BYTES - 24:
            room = CHUNK_BYTES - 2 - len(code)
            if self.r.randrange(12) == 0:
                one = self.transaction(room)
            else:
                one = self.insn(self.pick())
            if len(one) > room:
                continue
            code += one
        code += b'\x0a\x00' * ((CHUNK_BYTES - len(code)) // 2)
        self.image[at:at + CHUNK_BYTES] = code

    # ---- what a chunk starts with ----

    def address(self, amode):
        r = self.r
        page = AT_DATA + 0x1000 * r.randrange(DATA_PAGES)
        a = page + r.choice([0, 0x100, 0xf80, 0xff8, 0xffc, r.randrange(4096), r.randrange(512) * 8])
        if not r.randrange(20):
            a = AT_CODE + r.randrange(CHUNKS * CHUNK_BYTES) & ~1
        if not r.randrange(30):
            a = r.choice([0, 0x100, 0x1000, 0x1ff0, 0xffffff - 7, 0x7ffffff8, 0xfffffffffffffff8, SIZE - 8,
                          0x80000000, 0x1f8000, 0x280000 + r.randrange(4096)])
        mask = {24: 0xffffff, 31: 0x7fffffff, 64: 0xffffffffffffffff}[amode]
        return (a & mask) | (r.getrandbits(64) & ~mask if not r.randrange(3) else 0)

    def mask(self):
        r = self.r
        amode = r.choice([64, 64, 64, 31, 24])
        m = {24: 0, 31: bit(32), 64: bit(31) | bit(32)}[amode]
        if r.randrange(3):
            m |= bit(5) | r.choice([0, 0, 0, bit(16), bit(17), bit(17), bit(16) | bit(17)])
        if r.randrange(10):
            m |= bit(7)
        if not r.randrange(4):
            m |= bit(15)
        if not r.randrange(6):
            m |= bit(1)
        if not r.randrange(2):
            m |= bit(24)
        if r.randrange(8):  # low storage has key 0, so that the frame lives longer
            m |= r.choice([8, 8, 8, 8, 8, 9, r.randrange(16)]) << 52
        m |= r.randrange(64) << 40
        return m, amode

    def controls(self):
        r = self.r
        cr = [0] * 16
        cr[0] = bit(45) | bit(46) | bit(8) | bit(52) | bit(53) | bit(37)
        for n, chance in ((45, 12), (46, 12), (8, 12), (37, 12)):
            if not r.randrange(chance):
                cr[0] &= ~bit(n)
        if r.randrange(8):
            cr[0] |= bit(35)
        for n, chance in ((36, 2), (38, 6), (39, 6), (40, 2), (43, 2), (9, 12), (33, 24), (44, 3), (58, 2)):
            if not r.randrange(chance):
                cr[0] |= bit(n)
        extra = r.choice([0, 0, 0, bit(56), bit(57), bit(54), bit(55)])
        cr[1] = AT_TABLES | extra
        if not r.randrange(24):
            cr[1] |= bit(58)
        if not r.randrange(4):
            cr[1] = (AT_TABLES + 0x8000) | 0x07 | extra  # region third
        cr[7] = AT_TABLES + 0x1000
        cr[13] = AT_TABLES + 0x2000
        cr[2] = AT_SPACES | (bit(59) if r.randrange(4) else 0) | r.choice([0] * 6 + [1, 2, 5, 6])
        cr[3] = r.getrandbits(16) << 16 | 2
        cr[4] = r.randrange(8) << 16 | 1
        cr[5] = AT_SPACES + 0x1040
        cr[8] = r.randrange(10) << 16 | r.getrandbits(16)
        if not r.randrange(4):
            cr[8] |= r.getrandbits(16) << 32
        cr[9] = r.getrandbits(64) & 0xefe00000 if r.randrange(2) else r.choice([0x40000000, 0x20000000, 0x80000000])
        if r.randrange(4):
            cr[9] &= ~0x01000000
        cr[10] = r.choice([0, AT_DATA, AT_CODE + r.randrange(0x8000)])
        cr[11] = r.choice([(1 << 64) - 1, cr[10] + r.randrange(64), cr[10] + 0x8000])
        if not r.randrange(8):
            cr[12] = AT_TRACE + r.randrange(0x1000) * 4 | r.choice([0, bit(0), bit(1), bit(0) | bit(1)]) | r.randrange(4)
        cr[14] = bit(44) | (AT_SPACES + 0x800) >> 12
        cr[15] = AT_STACK + 8
        return cr

    def ri_block(self):
        r = self.r
        b = bytearray(64)
        for at, value in ((0, AT_RI), (8, AT_RI), (16, AT_RI + 0x7fff), (40, r.choice([8, 30, 64, 300])),
                          (48, r.choice([0, 1, 5, 20]))):
            b[at:at + 8] = value.to_bytes(8, 'big')
        b[24] = 0x80 | r.choice([0, 0x40, 0x60, 0x50])
        b[25] = r.choice([0xf0, 0xf2, 0xf3, r.getrandbits(8)])
        b[27] = r.randrange(6)
        b[28] = r.randrange(3) << 4 | r.choice([0, 8])
        b[29] = r.getrandbits(8)
        b[30] = r.getrandbits(8) | 1
        b[31] = r.getrandbits(8)
        return bytes(b)

    def entry(self, n):
        r = self.r
        at = AT_TABLE + ENTRY * n
        mask, amode = self.mask()
        start = AT_CODE + CHUNK_BYTES * n
        self.put(at + PSW, 8, mask)
        self.put(at + PSW + 8, 8, start)
        for k in range(16):
            v = r.choice([r.getrandbits(64), r.getrandbits(32), r.randrange(64), 0, (1 << 64) - 1, self.address(amode),
                          r.randrange(8192)])
            if k in (8, 9, 10, 11, 12) or (k in (2, 4, 6) and r.randrange(2)):
                v = self.address(amode)
            if k in (3, 5, 7) and r.randrange(2):
                v = r.choice([r.randrange(300), r.randrange(9000), r.getrandbits(24), r.getrandbits(64)])
            self.put(at + GR + 8 * k, 8, v)
            self.put(at + AR + 4 * k, 4, r.choice([0, 0, 1, 2, 2, 3, r.randrange(10), r.getrandbits(25)]))
        for k, v in enumerate(self.controls()):
            self.put(at + CR + 8 * k, 8, v)
        self.put(at + FPC, 4, r.choice([0, 0, 0xf8000000, r.getrandbits(32) & 0xf8f80073]))
        self.put(at + TIMER, 8, r.choice([4000, 8000, 20000]))
        self.put(at + CKC, 8, r.choice([0, 40, 100, 300, r.randrange(600)]))
        self.image[at + RI:at + RI + 64] = self.ri_block()
        self.put(at + GS + 8, 8, (AT_DATA & ~0x1ffffff) | r.choice([25, 25, 26, 30, 24]) | r.randrange(5) << 8)
        self.put(at + GS + 16, 8, r.choice([(1 << 64) - 1, r.getrandbits(64), 0]))
        self.put(at + GS + 24, 8, self.address(64))
        for k in range(256):
            self.image[at + VR + k] = r.getrandbits(8) if r.randrange(3) else 0
        self.chunk(start)

    # ---- tables ----

    def space(self, n):
        r = self.r
        segments, pages = AT_TABLES + 0x1000 * n, AT_TABLES + 0x4000 + 0x2000 * n
        for k in range(512):
            self.put(segments + 8 * k, 8, 0x20)
        for k in range(4):
            self.put(segments + 8 * k, 8, pages + 0x800 * k)
        if r.randrange(2):  # the last megabyte as a large frame
            self.put(segments + 24, 8, 0x300000 | 0x400 | r.choice([0, bit(47), bit(54), bit(55)]) | r.choice([0, 0x8000]))
        for k in range(1024):
            self.put(pages + 8 * k, 8, k << 12)
        for k in range(0x80, 0x80 + DATA_PAGES):
            kind = r.randrange(16)
            frame = r.choice([k, k, k, 0x80 + r.randrange(DATA_PAGES)]) << 12
            attribute = {0: 0x400, 1: 0x200, 2: 0x100, 3: 0x200 if n else 0}.get(kind, 0)
            if not r.randrange(100):
                attribute |= 0x800
            self.put(pages + 8 * k, 8, frame | attribute)

    def aste(self, asn, space):
        at = AT_SPACES + 0x1000 + 64 * asn
        self.put(at, 4, AT_SPACES + 0x600)
        self.put(at + 4, 4, asn << 16 | 0x10)
        self.put(at + 8, 8, AT_TABLES + 0x1000 * space)
        self.put(at + 16, 4, AT_SPACES + 0x400)
        self.put(at + 20, 4, 7)
        self.put(at + 24, 4, 0x80000000 | (AT_SPACES + 0x2000))

    def tables(self):
        r = self.r
        for n in range(3):
            self.space(n)
        for k in range(2048):
            self.put(AT_TABLES + 0x8000 + 8 * k, 8, 0x24)
        self.put(AT_TABLES + 0x8000, 8, AT_TABLES | 0x04)  # region third: a segment table of 512 entries
        self.put(AT_TABLES + 0x8008, 8, 0x404)             # a frame of 2G bytes
        self.put(AT_SPACES + 16, 4, AT_SPACES + 0x400)
        self.put(AT_SPACES + 0x800, 4, AT_SPACES + 0x1000)
        for asn in range(1, 8):
            self.aste(asn, asn % 3)
        for k, (word, asn) in enumerate([(0, 2), (0x02000000, 2), (0, 3), (0x80000000, 1), (0x01000009, 2)]):
            at = AT_SPACES + 0x400 + 16 * (2 + k)
            self.put(at, 4, word)
            self.put(at + 8, 4, AT_SPACES + 0x1000 + 64 * asn)
            self.put(at + 12, 4, 7)
        for k in range(16):
            self.image[AT_SPACES + 0x600 + k] = r.getrandbits(8)
        self.put(AT_SPACES + 0x2000, 4, (AT_SPACES + 0x3000) | 0x3f)
        for n in range(16):
            at = AT_SPACES + 0x3000 + 32 * n
            self.put(at + 4, 4, 0x80000000 | (AT_CODE + 2 * r.randrange(4000)) | (n & 1))
            self.put(at + 8, 4, 0xffff0000 | (2 if n & 8 else 0))
            self.put(at + 12, 4, 0x00f00000)
            self.put(at + 16, 4, r.choice([0, 0x80000000, 0x88000000, 0x84000000, 0x83000000, 0xc0000000]))
            self.put(at + 20, 4, AT_SPACES + 0x1000 + 128 if n & 8 else 0)
        stack = AT_STACK
        self.image[stack + 8] = 9
        self.put(stack + 10, 2, 6 * 296)
        self.put(AT_SPACES + 44, 4, (AT_DATA + 0x100) | r.randrange(2))  # trap control block
        self.put(AT_DATA + 0x100, 4, r.choice([0, 0x00040000, 0x00060000]))
        self.put(AT_DATA + 0x10c, 4, AT_DATA + 0x200)
        self.put(AT_DATA + 0x114, 4, AT_CODE)

    def handlers(self, frame):
        h, r = AT_HANDLER, self.r
        self.image[h:h + len(frame)] = frame
        for place, code in ((0x1a0, 0x100), (0x1b0, 0xc0), (0x1c0, 0x100), (0x1d0, 0x40), (0x1e0, 0x100), (0x1f0, 0x100)):
            self.put(place, 8, bit(31) | bit(32))
            self.put(place + 8, 8, h + code)
        self.put(0, 8, 0x0008000080000000 | h)
        for k in range(1024):
            # Stores into tables would show which translations each engine happens to hold.
            own = k < 16 or AT_TABLES <= k << 12 < AT_STACK
            self.image[AT_KEYS + k] = 0 if own else (r.choice([8] * 12 + [9, 0, r.randrange(16)]) << 4
                                                     | r.choice([0, 0, 0, 8]))
        self.put(0xf70, 8, bit(14) | bit(31) | bit(32))
        self.put(0xf90, 2, 0x1004)
        self.put(0xf98, 8, (1 << 64) - 1)
        self.put(0xfa0, 8, bit(45) | bit(46) | bit(8))
        self.put(0xfb0, 8, bit(59))

    def make(self, frame):
        self.handlers(frame)
        for k in range(DATA_PAGES * 4096):
            self.image[AT_DATA + k] = self.r.getrandbits(8) if self.r.randrange(4) else 0
        self.tables()
        for n in range(CHUNKS):
            self.entry(n)
        return self.image


def main():
    with open(sys.argv[2], 'rb') as f:
        frame = f.read()
    image = Maker(Rows(sys.argv[1]), int(sys.argv[3])).make(frame)
    with open(sys.argv[4], 'wb') as f:
        f.write(image)


if __name__ == "__main__":
    main()
