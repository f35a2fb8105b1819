# SPDX-License-Identifier: GPL-3.0-or-later
"""LOAD ROUNDED of binary numbers once more, another way than exact_bfp.py has it: no number is ever put together. All are
integers, multiples of the smallest extended number. A result is the encoding, found by halving the range of all encodings,
whose value is wanted; rounding takes the nearer of the two encodings, or of the two multiples, that enclose the number."""
from exact import Input

# Format: width, bits of the exponent. An encoding without its sign is ordered as its value is.
WIDTH = {'e': (32, 8), 'd': (64, 11), 'x': (128, 15)}
UNIT = 16494  # numbers are multiples of 2 ** -UNIT
ROWS = {0xb344: ('d', 'e'), 0xb345: ('x', 'd'), 0xb346: ('x', 'e')}
NAMES = {'ledbra': 0xb344, 'ldxbra': 0xb345, 'lexbra': 0xb346}
EVEN, AWAY, SHORTER, ZERO, UP, DOWN = 'even', 'away', 'shorter', 'zero', 'up', 'down'
OF_FPC = {0: EVEN, 1: ZERO, 2: UP, 3: DOWN, 7: SHORTER}
OF_M3 = {1: AWAY, 3: SHORTER, 4: EVEN, 5: ZERO, 6: UP, 7: DOWN}
# Chapter 9, scaled exponents of LOAD ROUNDED: by the format of the source.
SCALE = {'d': 512, 'x': 8192}


def fraction_bits(f):
    return WIDTH[f][0] - WIDTH[f][1] - 1


def value(f, code):
    """What an encoding without sign is worth; the one of infinity has the value behind the largest number."""
    bits, bias = fraction_bits(f), (1 << WIDTH[f][1] - 1) - 1
    exponent, fraction = code >> bits, code & (1 << bits) - 1
    if exponent:
        fraction += 1 << bits
    return fraction << max(exponent, 1) - bias - bits + UNIT


def infinity(f):
    return (1 << WIDTH[f][1]) - 1 << fraction_bits(f)


def below(f, n):
    """The largest encoding, at most that of infinity, whose value is not larger."""
    low, high = 0, infinity(f)
    while low < high:
        middle = (low + high + 1) // 2
        if value(f, middle) <= n:
            low = middle
        else:
            high = middle - 1
    return low


def takes_upper(mode, minus, to_lower, to_upper, lower_odd):
    """Of the two that enclose a number that is neither, by the distances to them."""
    if mode in (EVEN, AWAY):
        return to_upper < to_lower or to_upper == to_lower and (mode == AWAY or lower_odd)
    return {ZERO: False, UP: not minus, DOWN: minus, SHORTER: not lower_odd}[mode]


def unbounded(n, digits, minus, mode):
    """n rounded to so many digits as if exponents had no end: value, inexact, incremented."""
    grain = 1 << max(n.bit_length() - digits, 0)
    lower = n // grain * grain
    if lower == n:
        return n, False, False
    up = takes_upper(mode, minus, n - lower, lower + grain - n, lower // grain % 2 == 1)
    return lower + grain if up else lower, True, up


def bounded(f, n, minus, mode):
    """The encoding of n in the format: encoding, inexact, incremented."""
    code = below(f, n)
    if value(f, code) == n and code != infinity(f):
        return code, False, False
    if code == infinity(f):  # beyond: infinity, or the largest number
        up = mode in (EVEN, AWAY) or mode == UP and not minus or mode == DOWN and minus
        return code if up else code - 1, True, up
    lower, upper = value(f, code), value(f, code + 1)
    up = takes_upper(mode, minus, n - lower, upper - n, code % 2 == 1)
    return code + up, True, up


def load_rounded(source, target, bits, mode, masks, quiet):
    """bits, format of the result, flags, data-exception code. The source is a finite number and not zero."""
    width = WIDTH[source][0]
    minus, n = bits >> width - 1 == 1, value(source, bits & (1 << width - 1) - 1)
    sign = lambda f: minus << WIDTH[f][0] - 1
    digits, least = fraction_bits(target) + 1, value(target, 1 << fraction_bits(target))
    whole, inexact, up = unbounded(n, digits, minus, mode)
    over, tiny = whole >= value(target, infinity(target)), n < least
    detail = (0x08 | (0x04 if up else 0)) if inexact else 0
    if over and masks & 0x20 or tiny and masks & 0x10:
        # What the number would be with the scaled exponent, in units that are so much smaller or larger.
        wanted = whole << SCALE[source] if tiny else whole >> SCALE[source]
        assert tiny or wanted << SCALE[source] == whole
        code = below(source, wanted)
        assert value(source, code) == wanted
        return sign(source) | code, source, 0, (0x20 if over else 0x10) | detail
    code, inexact, up = bounded(target, n, minus, mode)
    flags = dxc = 0
    if over:
        flags |= 0x20
    elif tiny and inexact:
        flags |= 0x10
    if inexact and not quiet:
        if masks & 0x08:
            dxc = 0x08 | (0x04 if up else 0)
        else:
            flags |= 0x08
    return sign(target) | code, target, flags, dxc


def fetch(i, r, f):
    return i.v[r] >> 96 if f == 'e' else i.v[r] >> 64 if f == 'd' else (i.v[r] >> 64) << 64 | i.v[r + 2] >> 64


def store(i, r, f, bits):
    """The registers as they are then: other bits stay."""
    if f == 'x':
        return {**store(i, r, 'd', bits >> 64), **store(i, r + 2, 'd', bits & (1 << 64) - 1)}
    rest = 128 - WIDTH[f][0]
    return {r: bits << rest | i.v[r] % (1 << rest)}


def model(insn, i):
    source, target = ROWS[insn[0] << 8 | insn[1]]
    m3, m4, r1, r2 = insn[2] >> 4, insn[2] & 15, insn[3] >> 4, insn[3] & 15
    mode = OF_M3[m3] if m3 else OF_FPC[i.fpc & 7]
    bits, f, flags, dxc = load_rounded(source, target, fetch(i, r2, source), mode, i.fpc >> 24, m4 & 4)
    out = {'fpc': i.fpc | flags << 16, 'v': store(i, r1, f, bits)}
    if dxc:
        out['pic'], out['dxc'] = 7, dxc
    return out


def number(R, source, target):
    """Encodings near the ends of the target's range, near ties, and anywhere."""
    top = infinity(source) - 1
    ends = [value(target, c) for c in (infinity(target), infinity(target) - 1, 1, 1 << fraction_bits(target))]
    n = R.choice(ends)
    code = below(source, n >> R.choice([0, 0, 1, 2, 20]))
    shift = fraction_bits(source) - fraction_bits(target)
    code += R.choice([0, 1, -1, 1 << shift - 1, -(1 << shift - 1), R.getrandbits(shift), (1 << shift - 1) + R.choice([1, -1])])
    code ^= R.choice([0, 0, R.getrandbits(fraction_bits(source)), (1 << fraction_bits(source)) - 1])
    code = R.choice([code, code, code, R.getrandbits(WIDTH[source][0] - 1), R.getrandbits(fraction_bits(source)), top - R.randrange(3), R.randrange(1, 4)])
    return max(1, min(code, top)) | R.getrandbits(1) << WIDTH[source][0] - 1


def cases(R):
    while True:
        name = R.choice(sorted(NAMES))
        source, target = ROWS[NAMES[name]]
        i = Input(fpc=R.choice([0, 0x20000000, 0x10000000, 0x30000000, 0x38000000, R.getrandbits(5) << 27]) |
                  R.choice(sorted(OF_FPC)) | R.choice([0, R.getrandbits(5) << 19]), cc=R.randrange(4))
        i.v = [R.getrandbits(128) for k in range(16)]
        i.g = [R.getrandbits(64) for k in range(6)]
        r1, r2 = R.choice([0, 1, 4, 5, 8, 9, 12, 13]), R.choice([0, 1, 4, 5, 8, 9, 12, 13])
        for k, v in store(i, r2, source, number(R, source, target)).items():
            i.v[k] = v
        op = NAMES[name]
        yield name, bytes([op >> 8, op & 255, R.choice([0, *sorted(OF_M3)]) << 4 | R.choice([0, 0, 4]), r1 << 4 | r2]), i
