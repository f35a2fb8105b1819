# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden vectors of the exception-trace specification (3.4, 3.7, 8.1 to 8.8) against the second model, both
directions: what is wrong here is wrong in the judge. python3 et_vectors.py prints `N passed, N failed'."""
import re
import sys
from et_decode import decode
from et_unit import *

PROGRAM_MASK, USER = 0, PROBLEM
passed = failed = 0


def check(name, got, wanted):
    global passed, failed
    if got == wanted:
        passed += 1
    else:
        failed += 1
        print('FAIL: %s\n  is     %s\n  wanted %s' % (name, got, wanted))


def octets(text):
    """The bytes of a listing: words of two digits (more in 3.7 and 8.1), up to the first word that is none."""
    out = b''
    for line in text.strip('\n').split('\n'):
        for word in line.split():
            if not re.fullmatch('([0-9a-f]{2})+', word):
                break
            out += bytes.fromhex(word)
    return out


# ---- events of figures 3 and 6 with numbers of one's choice ---------------------------------------------------------

def figure3(a, b):
    return [(ENTRY, a), (ENTRY, b), (EXIT, b), (RETURN, a), (EXIT, a), (RETURN, 0)]


def figure6(a, b, c):
    return [(ENTRY, a), (ENTRY, b), (EXIT, b, 1), (ENTRY, c, 1), (EXIT, c), (RETURN, a), (EXIT, a), (RETURN, 0)]


def packets(events, **fields):
    """Bytes of the exception packets alone, without SYNC and CFG."""
    fields.setdefault('EN', 1)
    unit = Encoder(0, registers(**fields))
    unit.on = True
    unit.sync(0)
    begin = len(unit.out)
    frame = Frame(0, 0, USER, 0, 0)
    for kind, en, *tail in events:
        unit.event(Event(kind, 0, en, frame, tc=bool(tail)))
    unit.release()
    return bytes(unit.out[begin:])


def number_of(events, **fields):
    """Packets of such a stream as the decoder counts them, with D codes."""
    unit = Encoder(0, registers(EN=1, **fields))
    unit.on = True
    unit.sync(0)
    for kind, en, *tail in events:
        unit.event(Event(kind, 0, en, Frame(0, 0, USER, 0, 0), tc=bool(tail)))
    unit.release()
    unit.end()
    found = decode(bytes(unit.out))
    return found.streams[0].index, found.diagnostics, \
        [(r.kind, r.en) for r in found.records[0] if r.kind in (ENTRY, EXIT, RETURN) and 'implied' not in r.flags]


def figure_mode():
    e3, e6 = figure3(1, 2), figure6(1, 2, 3)
    for name, events, fields, text in (
            ('fig. 3 A', e3, {}, '0e 01 10 0e 02 10 0e 02 20 0e 01 30 0e 01 20 0e 00 30'),
            ('fig. 3 A merged', e3, {'MERGE': 1}, '0e 01 10 0e 02 10 0f 02 01 00 0f 01 00 00'),
            ('fig. 3 A omitted', e3, {'OMIT': 1}, '0d 10 0d 10 0d 20 0d 30 0d 20 0d 30'),
            ('fig. 3 A reduced', e3, {'RED': 1}, '0d 11 0d 12 0d 22 0d 31 0d 21 0d 30'),
            ('fig. 3 A previous', e3, {'COMP': 1}, '0e 01 10 0e 02 10 0d 20 0e 01 30 0d 20 0e 00 30'),
            ('fig. 3 A FIFO 4', e3, {'COMP': 3}, '0e 01 10 0e 02 10 0d 21 0d 30 0d 23 0e 00 30'),
            ('fig. 6 A, flag on exit', e6, {'TCX': 1},
             '0e 01 10 0e 02 10 0e 02 60 0e 03 10 0e 03 20 0e 01 30 0e 01 20 0e 00 30'),
            ('fig. 6 B', e6, {'TCE': 1, 'EVSEL': 1}, '0e 01 10 0e 02 10 0e 03 50'),
            ('stack example', [(RETURN, 0), (ENTRY, 1), (EXIT, 1), (RETURN, 0)], {'COMP': 2},
             '0e 00 30 0e 01 10 0d 20 0d 30'),
            ('base 80', [(ENTRY, 86), (ENTRY, 96)], {'RED': 1, 'REDOFS': 1, 'REDBASE': 80}, '0d 16 0e 60 10')):
        check('3.7 ' + name, packets(events, FIG=1, **fields).hex(), octets(text).hex())
        if 'OMIT' not in fields:
            _, diagnostics, numbers = number_of(events, FIG=1, **fields)
            kinds = (1,) if 'EVSEL' in fields else (1, 2, 3)
            check('3.7 ' + name + ', back', (diagnostics, numbers), ([], [e[:2] for e in events if e[0] in kinds]))


SIZES = '''
EVSEL=4 | 6 18 0e0a11 0e0b10 0e0b20 0e0a31 0e0a21 0e0030 | 8 24 0e0a11 0e0410 0e0420 0e0d50 0e0d20 0e0a31 0e0a21 0e0030
EVSEL=1 | 2 6 0e0a11 0e0b10 | 3 9 0e0a11 0e0410 0e0d50
EVSEL=2 | 2 6 0e0b20 0e0a21 | 3 9 0e0420 0e0d20 0e0a21
EVSEL=3 | 4 12 0e0a11 0e0b10 0e0b20 0e0a21 | 6 18 0e0a11 0e0410 0e0420 0e0d50 0e0d20 0e0a21
EVSEL=5 | 4 12 0e0b20 0e0a31 0e0a21 0e0030 | 5 15 0e0420 0e0d20 0e0a31 0e0a21 0e0030
EVSEL=6 | 4 12 0e0a11 0e0b10 0e0a31 0e0030 | 5 15 0e0a11 0e0410 0e0d50 0e0a31 0e0030
EVSEL=7 | 2 6 0e0a31 0e0030 | 2 6 0e0a31 0e0030
E2 | 2 6 0e0b10 0e0b20 | 2 6 0e0410 0e0420
MERGE=1 | 4 14 0e0a11 0e0b10 0f0b0a02 0f0a0001 | 6 20 0e0a11 0e0410 0e0420 0e0d50 0f0d0a02 0f0a0001
MERGE=2 | 4 14 0e0a11 0e0b10 0f0b0a02 0f0a0001 | 5 18 0e0a11 0e0410 0f040d50 0f0d0a02 0f0a0001
OMIT=1 | 6 12 0d10 0d10 0d20 0d30 0d20 0d30 | 8 16 0d10 0d10 0d20 0d50 0d20 0d30 0d20 0d30
RED=1 | 6 15 0e0a11 1d1b 1d2b 0e0a31 0e0a21 1d30 | 8 19 0e0a11 1d14 1d24 1d5d 1d2d 0e0a31 0e0a21 1d30
RED=1 REDSUP=1 | 3 6 1d1b 1d2b 1d30 | 5 10 1d14 1d24 1d5d 1d2d 1d30
RED=1 REDOFS=1 REDBASE=256 | 6 15 1d1a 0e0b10 0e0b20 1d3a 1d2a 0e0030 | 8 21 1d1a 0e0410 0e0420 0e0d50 0e0d20 1d3a 1d2a 0e0030
COMP=1 | 6 16 0e0a11 0e0b10 1520 0e0a31 1520 0e0030 | 8 21 0e0a11 0e0410 1520 0e0d50 1520 0e0a31 1520 0e0030
COMP=2 | 6 16 0e0a11 0e0b10 1520 1530 0e0a21 0e0030 | 8 21 0e0a11 0e0410 1520 0e0d50 1520 1530 0e0a21 0e0030
COMP=3 | 6 15 0e0a11 0e0b10 1921 1930 1923 0e0030 | 8 21 0e0a11 0e0410 1921 0e0d50 1923 0e0a31 1921 0e0030
COMP=3 RED=1 | 6 13 0e0a11 1d1b 1921 1930 1923 1d30 | 8 18 0e0a11 1d14 1921 1d5d 1923 0e0a31 1921 1d30
MERGE=1 RED=1 | 4 13 0e0a11 1d1b 0f0b0a02 0f0a0001 | 6 17 0e0a11 1d14 1d24 1d5d 0f0d0a02 0f0a0001
'''


def sizes():
    """8.1, ET-105 and ET-106. "Only the number of E2" is a range here."""
    for line in SIZES.strip().split('\n'):
        setting, *columns = (part.strip() for part in line.split('|'))
        for events, column, e2 in ((figure3(0x10a, 0xb), columns[0], 0xb), (figure6(0x10a, 4, 0xd), columns[1], 4)):
            fields = dict((k, int(v)) for k, v in (f.split('=') for f in setting.split())) if setting != 'E2' else \
                {'R0EN': 1, 'R0LOW': e2, 'R0HIGH': e2}
            n, size, *words = column.split()
            got = packets(events, TCE=1, **fields)
            check('8.1 ' + setting, (got.hex(), len(got)), (''.join(words), int(size)))
            count, diagnostics, _ = number_of(events, TCE=1, **fields)
            check('8.1 %s, packets' % setting, (count, diagnostics), (int(n), []))


# ---- whole streams ---------------------------------------------------------------------------------------------------

class Guest:
    """A machine with one CPU and the clock insn, told what happens when."""

    def __init__(self, time, **fields):
        self.machine = Machine(1)
        self.cpu, self.ticks = self.machine.cpus[0], self.machine.ticks[0]
        self.at(time)
        fields.setdefault('EN', 1)
        fields.setdefault('CLK', 1)
        assert self.cpu.configure(registers(**fields), START)

    def at(self, time):
        self.ticks[:] = [time] * 4
        return self.cpu

    def entry(self, time, klass, code, old, new=0, info=()):
        self.at(time).entry(klass, code, old, (0, new), info)

    def handler(self):
        """A handler's first instruction."""
        self.cpu.boundary(0, 0)

    def reload(self, time, psw, taken=False):
        self.at(time).reload(1, *psw)
        if not taken:
            self.cpu.boundary(*psw)

    def end(self):
        self.cpu.finish()
        return bytes(self.cpu.encoder.out)


NORMAL, FIRST, SECOND = (USER, 0x1000), (0, 0x2000), (0, 0x3000)


def guest3(**fields):
    g = Guest(1000, **fields)
    g.entry(1000, SVC, 10, NORMAL)
    g.handler()
    g.entry(1040, IO, 3, FIRST)
    g.handler()
    g.reload(1105, FIRST)
    g.reload(1290, NORMAL)
    return g.end()


def guest6(**fields):
    g = Guest(1000, **fields)
    g.entry(1000, SVC, 10, NORMAL)
    g.handler()
    g.entry(1040, EXTERNAL, 0x1004, FIRST)
    g.handler()
    g.at(1060).request(IO, 5, {}, False)
    g.reload(1105, FIRST, taken=True)
    g.entry(1105, IO, 5, FIRST)
    g.handler()
    g.reload(1180, FIRST)
    g.reload(1290, NORMAL)
    return g.end()


def fault():
    g = Guest(5000, TSM=1, INFO=1, ADDRO=1, ADDRN=1, ADDRR=1)
    psw = (USER, 0x10a4c)
    g.entry(5000, PROGRAM, 0x11, psw, 0x2000, {1: 0x11, 2: 6, 3: 0x7f000800})
    g.handler()
    g.reload(5210, psw)
    return g.end()


HEAD = '00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 e8 07 00 01 ff\n'
S1 = octets(HEAD + '''38 01 c1 80 8c 20
38 02 80 80 f8 d0 01
38 05 11
0e 0a 11  c0
0e 0b 10  e8
0e 0b 20  30 41
0e 0a 31  c0
0e 0a 21  30 b9 01
0e 00 30  c0
78 06 00 06 00 06 86 ad 01 68''')
S2 = octets(HEAD + '''38 01 91 80 8c 20   38 02 80 80 f8 d1 01   38 05 11
0e 0a 11  c0
0e 04 10  e8
0e 0d 50  30 41
78 09 06 03 00 03 f1 45 05''')
S3 = octets(HEAD + '''38 01 c1 82 8c 20   38 02 88 81 f8 d1 01   38 05 11
0e 0a 11     c0
1d 14        e8
22 0d 00     d4
0f 04 0d 50  ed
0f 0d 0a 02  30 4b
0f 0a 00 01  30 6e
78 09 00 09 00 06 e5 e8 02 72''')
S4 = octets(HEAD + '''38 01 c1 80 8c 20   38 02 84 80 f8 d0 01   38 05 10
0e 0a 11
0e 0b 10
15 20
15 30
0e 0a 21
0e 00 30
78 06 00 06 00 06 a9 b6 03 a2''')
S5 = octets(HEAD + '''38 01 c1 80 8c 20   38 02 86 80 f8 d0 01   38 05 10
0e 0a 11
0e 0b 10
19 21
19 30
19 23
0e 00 30
78 06 00 06 00 06 e8 97 01 fa''')
S6 = octets('''00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 88 27 00 01 e9
38 01 c1 80 8c 20   38 02 80 80 f8 d0 f1 01   38 05 11
0e 91 10
24 0a 01 11 02 06 03 80 90 80 f8 07
28 01 98 a9 08   28 02 80 80 01   c0
0e 91 20  30 d2 01
0e 00 30  28 03 98 a9 08  c0
78 03 00 03 00 03 8a a3 02 d1''')
S7 = octets(HEAD + '''38 01 c1 80 8c 20  38 02 80 80 f8 d0 01  38 05 11
0e 0a 11  c0
0e 04 10  e8
70 07
00 00 00 00 00 00 00 80 10 84 01 02 02 c7 78 d0 0f 91 01 02 91 01 45
38 01 c1 80 8c 20  38 02 80 80 f8 d0 01  38 05 11
0e 91 20  30 64
0e 00 30  c0
78 0b 00 04 07 02 fd 86 02 37''')


def told(data):
    """(diagnostics as (code, offset, length, n), [(kind, en, time, flags)] of exception events)."""
    found = decode(data)
    events = [(r.kind, r.en, r.time, ' '.join(sorted(r.flags))) for r in found.records[0]
              if r.kind in (ENTRY, EXIT, RETURN, SIGNAL)]
    return [(d.code, d.offset, d.length, d.n) for d in found.diagnostics], events


def streams():
    check('3.4 CRC-8', crc8(b'123456789'), 0xf4)
    check('3.4 CRC-16', crc16(b'123456789'), 0x29b1)
    for name, data, wanted in (('S1', guest3(TSM=1), S1), ('S2', guest6(TSM=1, EVSEL=1, TCE=1), S2),
                               ('S3', guest6(TSM=1, SIG=1, MERGE=2, RED=1, TCE=1), S3), ('S4', guest3(COMP=2), S4),
                               ('S5', guest3(COMP=3), S5), ('S6', fault(), S6)):
        check('8 ' + name, data.hex(' '), wanted.hex(' '))
        check('8 %s, diagnostics' % name, told(data)[0], [])
    figure3_events = [(ENTRY, 0x10a, 1000, ''), (ENTRY, 0xb, 1040, ''), (EXIT, 0xb, 1105, ''),
                      (RETURN, 0x10a, 1105, ''), (EXIT, 0x10a, 1290, ''), (RETURN, 0, 1290, '')]
    check('8.2 back', told(S1)[1], figure3_events)
    check('8.5 back', [e[:2] for e in told(S4)[1]], [e[:2] for e in figure3_events])
    check('8.6 back', [e[:2] for e in told(S5)[1]], [e[:2] for e in figure3_events])
    records = decode(S1).records[0]
    check('8.2 durations', [(r.gross, r.own) for r in records if r.kind == EXIT], [(65, 65), (290, 225)])
    records = [r for r in decode(S3).records[0] if r.kind in (ENTRY, EXIT, RETURN, SIGNAL)]
    check('8.4 back', [(r.kind, r.en, r.time, r.depth, r.gross, r.own, r.latency) for r in records], [
        (ENTRY, 0x10a, 1000, 1, None, None, None), (ENTRY, 4, 1040, 2, None, None, None),
        (SIGNAL, 0xd, 1060, 2, None, None, None), (EXIT, 4, 1105, 1, 65, 65, None),
        (ENTRY, 0xd, 1105, 2, None, None, 45), (EXIT, 0xd, 1180, 1, 75, 75, None),
        (RETURN, 0x10a, 1180, 1, None, None, None), (EXIT, 0x10a, 1290, 0, 290, 150, None),
        (RETURN, 0, 1290, 0, None, None, None)])
    records = [r for r in decode(S6).records[0] if r.kind in (ENTRY, RETURN)]
    check('8.7 back', [(r.info, r.old, r.new, r.resumed) for r in records],
          [({1: 0x11, 2: 6, 3: 0x7f000800}, 0x10a4c, 0x2000, None), ({}, None, None, 0x10a4c)])


def loss():
    """8.8, ET-80, ET-82: loss, damage, cut."""
    first = [(ENTRY, 0x10a, 1000, ''), (ENTRY, 4, 1040, '')]
    # What ends as cut is told by events of its own: the innermost first, at the SYNC.
    cut = [(EXIT, 4, 2000, 'bound cut implied'), (EXIT, 0x10a, 2000, 'bound cut implied')]
    rest = [(EXIT, 0x91, 2100, 'bound cut'), (RETURN, 0, 2100, '')]
    check('8.8', told(S7), ([(5, 45, 0, 7)], first + cut + rest))
    check('8.8 duration', [r.gross for r in decode(S7).records[0] if r.en == 0x91 and r.kind == EXIT], [100])
    bad = bytearray(S7)
    bad[41] = 0x1f
    check('8.8 damaged', told(bytes(bad)), ([(6, 41, 1, None), (1, 42, 5, None), (4, 47, 0, 1), (5, 47, 0, None)],
                                             first[:1] + cut[1:] + rest))
    check('8.8 cut', told(S7[:43]), ([(8, 41, 2, None), (9, 43, 0, None)], first[:1]))
    for at in range(len(S7)):
        diagnostics, events = told(S7[:at])
        # The last one may lack its time.
        whole = [e[:2] for e in told(S7)[1][:len(events)]]
        check('ET-82 cut at %d' % at, ([e[:2] for e in events], 9 in [d[0] for d in diagnostics]), (whole, True))
        for bit in range(8):
            bad = bytearray(S1)
            if at < len(S1):
                bad[at] ^= 1 << bit
                check('ET-59 bit %d of byte %d' % (bit, at), bool(told(bytes(bad))[0]), True)


if __name__ == '__main__':
    figure_mode()
    sizes()
    streams()
    loss()
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed != 0)
