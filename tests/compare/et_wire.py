# SPDX-License-Identifier: GPL-3.0-or-later
"""Exception trace, second model: numbers, check sums and registers, written from the specification's text alone.

Bit 0 is the rightmost here. "3.4" and the like are sections of the specification. Nothing is taken from ri/trace: a judge
that shares a table shares its mistakes."""

M64 = (1 << 64) - 1

# Appendix B, with the places of 3.3 and 3.4.
OMIT, FULL, MERGED, RED2, SAME, FIFO, RED, SIG = 0x0d, 0x0e, 0x0f, 0x11, 0x15, 0x19, 0x1d, 0x22
INFO, ADDR, STATE, TSD, TSA, CFG, MARK, CNT, OVF, END = 0x24, 0x28, 0x2d, 0x30, 0x34, 0x38, 0x3c, 0x40, 0x70, 0x78
TSS, TSS_LAST = 0xc0, 0xfe
MARKER = bytes(7) + b'\x80'
ENTRY, EXIT, RETURN = 1, 2, 3
SIGNAL, STATES, MARKS = 'signal', 'state', 'mark'      # the other kinds of event
EVENT_HEADERS = (OMIT, FULL, MERGED, RED2, SAME, FIFO, RED, SIG, STATE, MARK)

# 1.3 and ETSL.CLS: the classes by their bit.
RESTART, EXIGENT, REPRESSIBLE, EXTERNAL, IO, PROGRAM, SVC, NO_CLASS = range(8)
PRIORITY = {EXIGENT: 1, SVC: 2, PROGRAM: 3, REPRESSIBLE: 4, EXTERNAL: 5, IO: 6, RESTART: 7}
EXTERNALS = {0x1004: 4, 0x1005: 5, 0x1201: 6, 0x1202: 7, 0x0040: 0x10, 0x1200: 0x11, 0x1406: 0x12, 0x1407: 0x13,
             0x2401: 0x14, 0x1003: 0x15, 0x1007: 0x16, 0x2603: 0x17, 0x4000: 0x18}


def number(klass, code):
    """Appendix A: the exception number of an interruption; of ET's own classes by ISC for I/O."""
    if klass == RESTART:
        return 1
    if klass == EXIGENT:
        return 2
    if klass == REPRESSIBLE:
        return 3
    if klass == EXTERNAL:
        return EXTERNALS.get(code, 0x1f)
    if klass == IO:
        return 8 + (code & 7)
    if klass == SVC:
        return 0x100 + (code & 0xff)
    rest = code & ~0x0280
    if rest == 0x0119:      # Reading: PER or an abort may be indicated with it, as with the others.
        return 0xf9
    if rest & ~0x7f:
        return 0xff
    return 0x80 + rest


def number_class(en):
    if en >= 0x100:
        return SVC
    if en >= 0x80:
        return PROGRAM
    if 0x10 <= en <= 0x1f or 4 <= en <= 7:
        return EXTERNAL
    if 8 <= en <= 0xf:
        return IO
    return {1: RESTART, 2: EXIGENT, 3: REPRESSIBLE}.get(en, NO_CLASS)


def leb(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(difference):
    """Of a difference modulo 2**64, taken as signed."""
    difference &= M64
    return difference << 1 if difference < 1 << 63 else ((1 << 64) - difference << 1) - 1


def unzigzag(value):
    return value >> 1 if not value & 1 else -((value >> 1) + 1) & M64


def table(width, polynomial):
    rows = []
    for byte in range(256):
        crc = byte << width - 8
        for _ in range(8):
            crc = (crc << 1 ^ (polynomial if crc >> width - 1 else 0)) & (1 << width) - 1
        rows.append(crc)
    return rows


CRC8, CRC16 = table(8, 0x07), table(16, 0x1021)


def crc8(data):
    crc = 0
    for byte in data:
        crc = CRC8[crc ^ byte]
    return crc


def crc16(data, crc=0xffff):
    for byte in data:
        crc = crc << 8 & 0xffff ^ CRC16[crc >> 8 ^ byte]
    return crc


# ---- 4.2: registers ------------------------------------------------------------------------------------------------

REGISTERS = ('ETCR ETFR ETSL ETRG ETTS ETBF ETMS ETST ETBM0 ETBM1 ETBM2 ETBM3 ETBM4 ETBM5 ETBM6 ETBM7 '
             'ETPM ETGA ETGL').split()
ETCR, ETFR, ETSL, ETRG, ETTS, ETBF, ETMS, ETST = range(8)
ETBM0, ETPM, ETGA, ETGL = 8, 16, 17, 18
RESET = [0x4030040, 0x1a1e0000, 0x70ff, 0, 0, 0x4000000014, 0, 0] + [M64] * 8 + [0x04F1C00180000000, 0, 0]
FIELDS = {      # name: register, rightmost bit, width
    'EN': (0, 0, 1), 'EVENC': (0, 1, 1), 'EVSEL': (0, 4, 4), 'SIG': (0, 8, 1), 'STATE': (0, 9, 1), 'TPI': (0, 10, 1),
    'CTX': (0, 11, 1), 'RETM': (0, 12, 2), 'NEAR': (0, 14, 1), 'FROMP': (0, 16, 1), 'FROMS': (0, 17, 1),
    'DS': (0, 18, 1), 'CNTE': (0, 19, 1), 'LOCK': (0, 24, 1), 'ALWAYS': (0, 25, 1), 'GUEST': (0, 26, 1),
    'OMIT': (1, 0, 1), 'COMP': (1, 1, 2), 'RED': (1, 3, 1), 'REDSUP': (1, 4, 1), 'REDOFS': (1, 5, 1),
    'MERGE': (1, 6, 2), 'REDBASE': (1, 8, 9), 'REDMAX': (1, 17, 4), 'TCE': (1, 21, 1), 'TCX': (1, 22, 1),
    'LAE': (1, 23, 1), 'FIG': (1, 24, 1), 'FIFOSZ': (1, 25, 2), 'STKD': (1, 27, 3), 'INFO': (1, 32, 1),
    'ADDRO': (1, 33, 1), 'ADDRN': (1, 34, 1), 'ADDRR': (1, 35, 1),
    'CLS': (2, 0, 7), 'NORM': (2, 7, 1), 'HWONLY': (2, 8, 1), 'PRIO': (2, 12, 3), 'SUBSET': (2, 16, 3),
    'R0EN': (2, 20, 1), 'R0EXC': (2, 21, 1), 'R1EN': (2, 22, 1), 'R1EXC': (2, 23, 1), 'BMEN': (2, 24, 1),
    'R0LOW': (3, 0, 9), 'R0HIGH': (3, 16, 9), 'R1LOW': (3, 32, 9), 'R1HIGH': (3, 48, 9),
    'TSM': (4, 0, 2), 'CLK': (4, 4, 2), 'SHIFT': (4, 8, 6),
    'SIZE': (5, 0, 5), 'OVP': (5, 8, 2), 'DRAIN': (5, 16, 16), 'SYNCPER': (5, 32, 16),
    'MTO': (6, 0, 32), 'STATN': (6, 32, 16), 'GALERT': (6, 48, 16)}
USED = [0] * 19
for _register, _low, _width in FIELDS.values():
    USED[_register] |= (1 << _width) - 1 << _low
USED[8:19] = [M64] * 11
# Those that CFG packets tell: always, or when they differ from their reset values.
TOLD_ALWAYS = (ETCR, ETFR, ETTS)
TOLD = (ETCR, ETFR, ETSL, ETRG, ETTS, ETMS) + tuple(range(8, 16))

EVENTS3 = [(), (ENTRY,), (EXIT,), (ENTRY, EXIT), (ENTRY, EXIT, RETURN), (EXIT, RETURN), (ENTRY, RETURN), (RETURN,)]


def get(registers, name):
    register, low, width = FIELDS[name]
    return registers[register] >> low & (1 << width) - 1


def put(registers, name, value):
    register, low, width = FIELDS[name]
    mask = (1 << width) - 1
    registers[register] = registers[register] & ~(mask << low) | (value & mask) << low


def registers(**fields):
    """Reset values but for some fields."""
    out = list(RESET)
    for name, value in fields.items():
        put(out, name, value)
    return out


def wrong(regs, host_clock=True):
    """Why 4.2 refuses these registers together, or None."""
    g = lambda name: get(regs, name)
    if any(regs[i] & ~USED[i] for i in range(19) if i != ETST):
        return 'unused bits'
    if g('EVENC') and g('EVSEL') == 15:
        return 'EVSEL 1111'
    if g('REDBASE') + g('REDMAX') > 511:
        return 'REDBASE+REDMAX'
    if g('FIG'):
        if g('MERGE') > 1:
            return 'FIG with MERGE'
        if g('OMIT') + (g('COMP') != 0) + g('RED') > 1:
            return 'FIG with two of OMIT, COMP, RED'
        if g('FIFOSZ') > 1:     # Reading: of the field, whether or not it is used.
            return 'FIG with a large FIFO'
        if g('LAE') or g('INFO') or g('ADDRO') or g('ADDRN') or g('ADDRR'):
            return 'FIG with LAE, INFO, ADDR'
    if not 7 <= g('SIZE') <= 26:
        return 'buffer size'
    if g('OVP') == 3:
        return 'OVP 3'
    if g('CLK') == 3 and not host_clock:
        return 'host clock'
    # Reading: values without a meaning are refused as well.
    if g('RETM') == 3 or g('TSM') == 3 or g('MERGE') == 3:
        return 'no such value'
    return None


def in_force(regs):
    """With ETCR.DS: registers of the full stream (4.2). Reading: these are what its CFG packets tell, so that the stream
    describes itself."""
    regs = list(regs)
    if get(regs, 'DS'):
        regs = [regs[ETCR], RESET[ETFR], RESET[ETSL], RESET[ETRG], regs[ETTS], regs[ETBF], regs[ETMS] >> 48 << 48, regs[ETST]] + \
            RESET[ETBM0:ETPM] + regs[ETPM:]
        for name, value in (('EVENC', 0), ('EVSEL', 4), ('CNTE', 0), ('SIG', 1), ('STATE', 1), ('FROMP', 1), ('FROMS', 1), ('TCE', 1),
                            ('TCX', 1), ('LAE', 1), ('INFO', 1), ('ADDRO', 1), ('ADDRN', 1), ('ADDRR', 1), ('TSM', 1),
                            ('SHIFT', 0)):
            put(regs, name, value)
    return regs


class Effective:
    """The fields of registers, ready to be asked."""

    def __init__(self, regs):
        for name in FIELDS:
            setattr(self, name, get(regs, name))
        self.bitmap = sum(regs[ETBM0 + k] << 64 * k for k in range(8))
        self.ETPM = regs[ETPM]
        if self.EVENC:
            self.kinds = () if not self.EVSEL & 8 else \
                tuple(k for k, bit in ((ENTRY, 1), (EXIT, 2), (RETURN, 4)) if not self.EVSEL & bit)
        else:
            self.kinds = EVENTS3[self.EVSEL & 7]
        self.output = self.EN or self.ALWAYS
