#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""resume.py make INSTRUCTIONS.DEF FRAME SEED IMAGE: five images, IMAGE.0 to IMAGE.4, of the same instructions one by one,
with random operands in pages that may be missing: in the first all pages are there, in the second each comes when it is
missed, in the third interruptions come all the time, in the fourth there are PER events of everything, in the fifth
run-time instrumentation takes samples. resume.py judge CORE.0 CORE.1 CORE.2 CORE.3 CORE.4 INSTRUCTIONS.DEF IMAGE: what
each instruction leaves must be the same every time, and so must the data."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mix

CHUNKS, ENTRY, CHUNK_BYTES, WAYS = 400, 512, 16, 5
mix.AT_CODE = 0x60000
RESULTS, SLOT = 0x200000, 1024
# Ends what goes on for ever; far more than any instruction needs that goes through all of the data in some pieces, as what
# the CPU timer ends is another piece each time.
CPU_TIMER = 40000000
# mvst: destructive overlap is unpredictable
LEFT_OUT = set('''stck stckf stcke ectg stfle mvpg svc mc ecag lpswe ppa niai bpp bprp tam upt
mvst lcbb vlbb rioff rion riemit rinext tric stric mric epsw plo cmpsc kimd klmd kmac trap2 trap4'''.split())


# A register that stays unchanged in the end stays as the last condition code 3 left it.
UNCHANGED = ('srst', 'srstu', 'clst')


class Resume(mix.Maker):
    def names(self):
        out = []
        for name in self.rows.names:
            _, form, branch, _, chapter = self.rows.rows[name]
            if chapter == '10' or branch != 'NONE' or name in LEFT_OUT or name in mix.TX or name in mix.GUARDED:
                continue
            if name in ('ex', 'exrl'):
                continue
            out.append(name)
        return out

    def stores(self):
        """Those that reach storage are taken more often."""
        return [n for n in self.names() if any('BD' in o for o in self.rows.rows[n][3]) or self.ends_with_3(n)]

    def ends_with_3(self, name):
        return 'DIS_CC3_END' in self.rows.flags[name] or 'DIS_INTERRUPTIBLE' in self.rows.flags[name]

    def data_address(self, amode):
        r = self.r
        page = mix.AT_DATA + 0x1000 * r.randrange(mix.DATA_PAGES - 3)
        a = page + r.choice([0, 8, 0xf80, 0xff0, 0xff8, 0xffc, 0xffe, 0xfff, 0xff7, r.randrange(4096), r.randrange(512) * 8])
        mask = {24: 0xffffff, 31: 0x7fffffff, 64: 0xffffffffffffffff}[amode]
        return (a & mask) | (r.getrandbits(64) & ~mask if not r.randrange(3) else 0)

    def one(self, name):
        code = self.insn(name)
        form = self.rows.rows[name][1]
        fixed = bytearray(code)
        for op in self.rows.rows[name][3]:  # displacements that stay in the data, bases that are addresses
            if 'BD' in op:
                at = 4 if op.endswith('_32') else 2
                fixed[at] = self.r.choice([8, 9, 10, 11, 12]) << 4
                fixed[at + 1] = self.r.choice([0, 0, 1, 8, self.r.randrange(256)])
                if op in ('BDL', 'XBDL'):
                    fixed[4] = 0
                if op.startswith('XBD'):
                    fixed[1] &= 0xf0
        if form in ('RRE', 'RRF_b', 'RRF_c', 'RRF_d') and self.ends_with_3(name):
            fixed[3] = self.r.choice([0x24, 0x42, 0x46, 0x62, 0x26, 0x64])
        if form in ('RR',) and self.ends_with_3(name):
            fixed[1] = self.r.choice([0x24, 0x42, 0x46, 0x62])
        if form in ('RS_a', 'RSY_a') and self.ends_with_3(name):  # the base of the padding is no operand
            fixed[1] = self.r.choice([0x24, 0x42, 0x46, 0x62])
        return bytes(fixed)

    def entry(self, n):
        r = self.r
        at = mix.AT_TABLE + ENTRY * n
        amode = r.choice([64, 64, 31, 24])
        mask = {24: 0, 31: bit(32), 64: bit(31) | bit(32)}[amode] | bit(5) | bit(7) | bit(15) | r.randrange(64) << 40
        start = mix.AT_CODE + CHUNK_BYTES * n
        self.put(at, 8, mask)
        self.put(at + 8, 8, start)
        for k in range(16):
            v = r.choice([r.getrandbits(64), r.getrandbits(32), r.randrange(64), 0, (1 << 64) - 1, r.randrange(9000)])
            if k in (2, 4, 6, 8, 9, 10, 11, 12):
                v = self.data_address(amode)
            if k in (3, 5, 7):
                v = r.choice([r.randrange(300), r.randrange(9000), 4096, 8192, r.randrange(9000) | r.getrandbits(8) << 24])
            if k in (0, 1):
                v = r.choice([0, r.getrandbits(8), r.randrange(256), self.data_address(amode)])
            self.put(at + 16 + 8 * k, 8, v)
        self.put(at + 144, 8, bit(45) | bit(46) | bit(52) | bit(53) | bit(40))
        self.put(at + 152, 8, mix.AT_TABLES)
        self.put(at + 336, 4, r.choice([0, 0, r.getrandbits(32) & 0xf8f80073]))
        self.put(at + 344, 8, CPU_TIMER)
        names = self.few if r.randrange(4) else self.all
        if not r.randrange(3):
            names = self.long
        name = r.choice(names)
        code = self.one(name)
        if 'DIS_CC3_END' in self.rows.flags[name]:
            code += b'\xa7\x14' + (-len(code) // 2 & 0xffff).to_bytes(2, 'big')
        code += b'\x0a\x00' * ((CHUNK_BYTES - len(code)) // 2)
        self.image[start:start + CHUNK_BYTES] = code

    def make(self, frame):
        r = self.r
        self.all, self.few = self.names(), self.stores()
        self.long = [n for n in self.all if self.ends_with_3(n)]
        h = mix.AT_HANDLER
        self.image[h:h + len(frame)] = frame
        for place, code in ((0x1a0, 0x100), (0x1b0, 0xc0), (0x1c0, 0x100), (0x1d0, 0x40)):
            self.put(place, 8, bit(31) | bit(32))
            self.put(place + 8, 8, h + code)
        self.put(0, 8, 0x0008000080000000 | h)
        self.put(0xf70, 8, bit(14) | bit(31) | bit(32))
        self.put(0xf90, 2, 0x1004)
        self.put(0xf98, 8, (1 << 64) - 1)
        self.put(0xfa0, 8, bit(45) | bit(46))
        self.put(0xfb0, 8, bit(32) | bit(33) | bit(34) | bit(37))  # PER: branch, fetch, storage alteration, zero address
        block = bytearray(self.ri_block())
        block[24], block[25], block[28], block[43:48] = 0x80, 0xf0, 0x10, bytes([0, 0, 0, 0, r.choice([2, 3, 9])])
        self.image[0x3f00:0x3f40] = block
        self.put(0xfc0, 8, (1 << 64) - 1)
        for k in range(mix.DATA_PAGES * 4096):
            self.image[mix.AT_DATA + k] = r.getrandbits(8) if r.randrange(4) else r.choice([0, 0x40, 0x0c, 0xf0])
        segments, pages = mix.AT_TABLES, mix.AT_TABLES + 0x4000
        for k in range(512):
            self.put(segments + 8 * k, 8, 0x20)
        for k in range(4):
            self.put(segments + 8 * k, 8, pages + 0x800 * k)
        for k in range(1024):  # what differs with the way is out of reach
            code_page = mix.AT_CODE <= k << 12 < mix.AT_CODE + CHUNKS * CHUNK_BYTES
            buffer = mix.AT_RI <= k << 12 < mix.AT_RI + 0x8000
            self.put(pages + 8 * k, 8, k << 12 | (0 if buffer else 0x200 if code_page else 0x400))
        for k in range(0x80, 0x80 + mix.DATA_PAGES):
            self.put(pages + 8 * k, 8, k << 12 | (0 if r.randrange(8) else 0x200))
        for n in range(CHUNKS):
            self.entry(n)
        return self.image


def bit(n):
    return 1 << (63 - n)


def flagged(path):
    rows = mix.Rows(path)
    rows.flags = {}
    for line in open(path):
        m = re.match(r'ROW\(\w+, "(\w+)", "[^"]*", 0x[0-9a-f]{12}, \w+, \w+, ([^,]+),', line)
        if m:
            rows.flags[m.group(1)] = m.group(2)
    return rows


def name_of(rows, code):
    for name, (opcode, form, _, _, _) in rows.rows.items():
        length = 2 if form in mix.LENGTH2 else 4 if form in mix.LENGTH4 else 6
        if form in mix.OP12:
            same = code[0] == opcode[0] and code[1] & 15 == opcode[1] & 15
        elif form in mix.OP16:
            same = code[:2] == opcode[:2]
        elif length == 6 and form not in ('MII', 'SMI') and not form.startswith('SS_'):
            same = code[0] == opcode[0] and code[5] == opcode[5]
        else:
            same = code[0] == opcode[0]
        if same:
            return name
    return '?'


def judge(cores, rows, image):
    data = [open(c, 'rb').read() for c in cores]
    code = open(image, 'rb').read()
    for n in range(CHUNKS):
        slots = [d[RESULTS + SLOT * n:RESULTS + SLOT * (n + 1)] for d in data]
        if name_of(rows, code[mix.AT_CODE + CHUNK_BYTES * n:mix.AT_CODE + CHUNK_BYTES * (n + 1)]) in UNCHANGED:
            slots = [s[128:] + s[:128] for s in slots]
            slots = [s[:SLOT - 128] + bytes(128) for s in slots]
        for k in range(1, WAYS):
            if slots[0] == slots[k]:
                continue
            at = next(i for i in range(SLOT) if slots[0][i] != slots[k][i])
            insn = code[mix.AT_CODE + CHUNK_BYTES * n:mix.AT_CODE + CHUNK_BYTES * (n + 1)]
            print('chunk %d way %d: %s %s: slot byte %d: %s, not %s' %
                  (n, k, name_of(rows, insn), insn.hex(), at, slots[k][at & ~7:(at & ~7) + 8].hex(),
                   slots[0][at & ~7:(at & ~7) + 8].hex()))
            return 1
    for k in range(1, WAYS):
        for at in range(mix.AT_DATA, mix.AT_DATA + mix.DATA_PAGES * 4096):
            if data[0][at] != data[k][at]:
                print('way %d: data at %x differ' % (k, at))
                return 1
    return 0


def main():
    if sys.argv[1] == 'judge':
        sys.exit(judge(sys.argv[2:2 + WAYS], flagged(sys.argv[2 + WAYS]), sys.argv[3 + WAYS]))
    with open(sys.argv[3], 'rb') as f:
        frame = f.read()
    image = Resume(flagged(sys.argv[2]), int(sys.argv[4])).make(frame)
    for way in range(WAYS):
        image[0xf63] = way
        with open('%s.%d' % (sys.argv[5], way), 'wb') as f:
            f.write(image)


if __name__ == "__main__":
    main()
