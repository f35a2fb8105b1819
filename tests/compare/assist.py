#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Random tests of DEFLATE CONVERSION CALL with Python's zlib as the judge, of SORT LISTS and of the entropy encoding of
# COMPRESSION CALL with models of them as the judges (assist.sh): no emulator has them.
#   assist.py CLASS make SEED CASES ELF     CLASS: deflate, sort or entropy
#   assist.py CLASS judge SEED CASES OURS [LIMIT]
import ctypes, heapq, image, random, struct, sys, zlib
from cases import AFTER, BASE, CC, CODE, DATA, SLOT, slot, storage

PAGE, FILL = 4096, 0xee


class Area:
    """Storage behind the slots, given out from the left."""

    def __init__(self, count):
        self.base = -(-(DATA + count * SLOT) // PAGE) * PAGE
        self.bytes = bytearray()

    def put(self, data, align=8):
        self.bytes += bytes(-len(self.bytes) % align)
        at = self.base + len(self.bytes)
        self.bytes += data
        return at


class Case:
    """An instruction, and what it must leave: `judge` tells of differences."""

    def __init__(self, insn, gr):
        self.insn, self.gr = bytes.fromhex(insn), gr
        self.judge = lambda s: []


class State:
    """What a case has left."""

    def __init__(self, storage, n):
        at = DATA + n * SLOT
        self.storage = storage
        self.gr = struct.unpack('>8Q', storage[at + AFTER:at + AFTER + 64])
        self.cc, self.code = storage[at + CC], struct.unpack('>H', storage[at + CODE:at + CODE + 2])[0]

    def at(self, address, length):
        return self.storage[address:address + length]


def differ(**pairs):
    return ['%s: %s, expected %s' % (name, a.hex()[:80] if isinstance(a, (bytes, bytearray)) else a, b.hex()[:80] if isinstance(b, (bytes, bytearray)) else b)
            for name, (a, b) in pairs.items() if a != b]


# ---- DEFLATE CONVERSION CALL ----

NT, CVT, HTT, BCC, BHF, CIRCULAR = 0x80, 0x20, 0x08, 0x02, 0x01, 0x80
GDHT, CMPR, XPND = 1, 2, 4


def plain_data(R):
    length, kind = R.choice([R.randint(1, 40), R.randint(1, 3000), R.randint(1, 3000), R.randint(1, 40000)]), R.randrange(4)
    if kind == 0:
        return R.getrandbits(8 * length).to_bytes(length, 'big')
    if kind == 1:
        return bytes(R.choice([0, 0, 0, 0, 0, 1]) for k in range(length))
    data = bytearray()
    while len(data) < length:
        if data and R.random() < .4:
            at = R.randrange(max(0, len(data) - 32768), len(data))
            for k in range(R.randint(3, 300)):
                data.append(data[at + k])
        else:
            data += R.choice([b'record ', b'of ', b'the ', b'machine ', R.getrandbits(24).to_bytes(3, 'big')])
    return bytes(data[:length])


def check_value(adler, data):
    return struct.pack('>I', zlib.adler32(data)) if adler else struct.pack('<I', zlib.crc32(data))


class ZStream(ctypes.Structure):
    """z_stream of zlib.h."""
    _fields_ = [('next_in', ctypes.c_char_p), ('avail_in', ctypes.c_uint), ('total_in', ctypes.c_ulong), ('next_out', ctypes.c_void_p),
                ('avail_out', ctypes.c_uint), ('total_out', ctypes.c_ulong), ('msg', ctypes.c_char_p), ('state', ctypes.c_void_p), ('zalloc', ctypes.c_void_p),
                ('zfree', ctypes.c_void_p), ('opaque', ctypes.c_void_p), ('data_type', ctypes.c_int), ('adler', ctypes.c_ulong), ('reserved', ctypes.c_ulong)]


def before_error(stream, least):
    """All that zlib puts out of a stream with an error: Python's module drops what comes of the byte that has the error."""
    z, lib, room = ZStream(next_in=stream, avail_in=len(stream)), ctypes.CDLL('libz.so.1'), least + 8 * 258
    out = ctypes.create_string_buffer(room)
    z.next_out, z.avail_out = ctypes.addressof(out), room
    if lib.inflateInit2_(ctypes.byref(z), -15, zlib.ZLIB_VERSION.encode(), ctypes.sizeof(z)) != 0:
        sys.exit('zlib does not begin')
    lib.inflate(ctypes.byref(z), 0)
    lib.inflateEnd(ctypes.byref(z))
    return out.raw[:z.total_out]


def inflated(stream):
    """What zlib makes of it: output, how it ends, bytes used."""
    d, out = zlib.decompressobj(-15), b''
    for k in range(len(stream)):
        try:
            out += d.decompress(stream[k:k + 1])
        except zlib.error:
            return before_error(stream[:k + 1], len(out)), 'error', k + 1
        if d.eof:
            return out, 'end', k + 1
    return out, 'more', len(stream)


def flate_block(flags):
    return bytes(16) + bytes([flags]) + bytes(1536 - 17)


def compress_cases(R, area, buffer):
    plain = plain_data(R)
    adler, table, circular = R.random() < .5, R.random() < .5, R.choice([0, CIRCULAR])
    room = len(plain) * 9 // 8 + 400 if R.random() < .8 else R.randint(1, len(plain) + 20)
    block = area.put(flate_block(NT | BCC | BHF | (CVT if adler else 0) | (HTT if table else 0)))
    to, second = area.put(bytes([FILL]) * (room + 8)), area.put(plain)
    gr = [CMPR | circular, block, to, room, second, len(plain), buffer, 0]
    if table:
        yield Case('b9396024', [GDHT] + gr[1:])
    case = Case('b9396024', gr)

    def judge(s):
        produced, used = s.gr[2] - to, s.gr[4] - second
        partial = s.cc == 0 and s.at(block + 18, 1)[0] & 7 != 0
        stream = s.at(to, produced + partial)
        out, how, _ = inflated(stream)
        done = plain[:used]
        return differ(code=(s.code, 0), cc=(s.cc, 0 if how == 'end' else 1), behind=(s.at(to + room, 8), bytes([FILL]) * 8), rooms=(s.gr[3], room - produced),
                      left=(s.gr[5], len(plain) - used), check=(s.at(block + 48, 4), check_value(adler, done)), flag=(s.at(block + 7, 1)[0], s.cc),
                      data=(out, done if s.cc == 0 else done[:len(out)])) + (differ(all=(used, len(plain))) if s.cc == 0 else differ(full=(s.gr[3], 0)))
    case.judge = judge
    yield case


def expand_cases(R, area, buffer):
    plain = plain_data(R)
    z = zlib.compressobj(R.randint(0, 9), zlib.DEFLATED, -15, R.randint(1, 9), R.choice([zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE]))
    cut = R.randrange(len(plain))
    stream = bytearray(z.compress(plain[:cut]) + z.flush(R.choice([zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_PARTIAL_FLUSH])) + z.compress(plain[cut:]) + z.flush())
    what = R.random()
    if what < .2:
        del stream[R.randrange(1, len(stream) + 1):]
    elif what < .5:
        for k in range(R.randint(1, 3)):
            stream[R.randrange(min(len(stream), R.choice([30, 100000])))] ^= 1 << R.randrange(8)
    out, how, used = inflated(bytes(stream))
    out = out[:200000]
    room = len(out) + R.choice([0, 0, 5, 300])
    if R.random() < .15 and out:
        room = R.randrange(len(out))
    adler = R.random() < .5
    block = area.put(flate_block(NT | (CVT if adler else 0)))
    to, second = area.put(bytes([FILL]) * (room + 8)), area.put(stream)
    case = Case('b9396024', [XPND | R.choice([0, CIRCULAR]), block, to, room, second, len(stream), buffer, 0])

    def judge(s):
        oesc, n = s.at(block + 19, 1)[0], min(room, len(out))
        pairs = differ(code=(s.code, 0), data=(s.at(to, s.gr[2] - to), out[:n]), behind=(s.at(to + room, 8), bytes([FILL]) * 8),
                       check=(s.at(block + 48, 4), check_value(adler, out[:n])), rooms=(s.gr[3], room - n), left=(s.gr[5], second + len(stream) - s.gr[4]))
        if room < len(out):
            return pairs + differ(cc=(s.cc, 1))
        if how == 'end':
            return pairs + differ(cc=(s.cc, 0), oesc=(oesc, 0), used=(s.gr[4] - second + (s.at(block + 18, 1)[0] & 7 != 0), used))
        # An operand that is full may end it before what is wrong is seen; zlib sees later that there is no code at all.
        if s.cc == 1 and s.gr[3] == 0:
            return pairs
        return pairs + differ(cc=(s.cc, 2)) + (differ(oesc=(oesc, 0)) if how == 'more' and oesc != 0x27 else [])
    case.judge = judge
    yield case


def deflate_cases(R, count, area):
    buffer = area.put(bytes(32768), PAGE)
    cases = []
    while len(cases) < count:
        more = list(R.choice([compress_cases, expand_cases])(R, area, buffer))
        cases += more if len(cases) + len(more) <= count else list(expand_cases(R, area, buffer))
    return cases


# ---- SORT LISTS ----

FIXED, VARIABLE, MERGE = 1, 2, 0x80


def sort_model(c):
    """One operation, however often it takes the instruction: condition code and what is done."""
    position, runs, begun, last = [0] * len(c.lists), [], None, None
    c.out, c.emptied, c.short = b'', None, None

    def head(n):
        left = c.lists[n][position[n]:]
        size = c.key + c.payload
        if c.variable:
            size = c.key + 8
            size += struct.unpack('>H', left[size - 2:size])[0] if len(left) >= size else 0
        return None if not left else left[:size] if len(left) >= size else b''

    def before(a, b):
        return a[:c.key] > b[:c.key] if c.descending else a[:c.key] < b[:c.key]

    def close():
        if begun is not None:
            runs.append((begun, len(c.out) - begun))
    while True:
        heads = [head(n) for n in range(len(c.lists))]
        if b'' in heads:
            c.short, cc = heads.index(b''), 2
            break
        first = None
        for n, h in enumerate(heads):
            if h is not None and (c.merge or last is None or not before(h, last)) and (first is None or before(h, heads[first])):
                first = n
        if first is None:
            close()
            begun = last = None
            if not any(heads):
                cc = 0
                break
            continue
        if c.room - len(c.out) < len(heads[first]):
            close()
            cc = 1
            break
        if not c.merge and begun is None:
            if c.space - 16 * len(runs) < 16:
                cc = 1
                break
            begun = len(c.out)
        last = heads[first]
        c.out += last
        position[first] += len(last)
        if c.merge and position[first] == len(c.lists[first]) and c.control & (1 if first else 2) and any(len(l) > p for l, p in zip(c.lists, position)):
            c.emptied, cc = first, 2
            break
    c.runs, c.used = runs, position
    return cc


def sort_list(R, c):
    records = []
    for k in range(R.choice([0, 1, R.randrange(6), R.randrange(60)])):
        key = bytes(R.choice(c.alphabet) for k in range(c.key))
        payload = c.payload
        middle = b''
        if c.variable:
            payload = 8 * R.randrange(min(5, (4088 - c.key) // 8 + 1))
            middle = R.getrandbits(48).to_bytes(6, 'big') + struct.pack('>H', payload)
        records.append(key + middle + R.getrandbits(8 * payload + 8).to_bytes(payload + 1, 'big')[1:])
    if c.merge:
        records.sort(key=lambda r: r[:c.key], reverse=c.descending)
    return b''.join(records)


def damage(R, c, block):
    """A field that is not as it must be."""
    what = R.randrange(8)
    if what < 3:
        struct.pack_into('>H', block, 10, R.choice([0, c.key + 4, c.key | 1, 4104, 65528]))
    elif what == 3 and not c.variable:
        struct.pack_into('>H', block, 14, R.choice([c.payload + 4, 4104, 65528]))
    elif what == 4 and c.slots == 32:
        block[33] = R.randrange(32, 128)
    elif what == 5:
        block[0:2] = R.choice([b'\0\0', b'\0\1', b'\0\3', b'\0\5', b'\0\x14'])
    else:
        block[583 + 16 * R.randrange(len(c.lists))] |= R.randint(1, 7)


def sort_case(R, area):
    class c:
        pass
    c.variable, c.merge, c.descending = R.random() < .5, R.random() < .5, R.random() < .5
    c.key = R.choice([8, 8, 16, 24, 8 * R.randint(1, 60)])
    c.payload = R.choice([0, 8, 16, 8 * R.randrange(60)])
    c.alphabet = R.choice([bytes(range(256)), b'ab', b'a' * 50 + b'b', bytes([0, 255])])
    c.slots = R.choice([32, 128])
    c.lists = [sort_list(R, c) for k in range(R.choice([1, 2, 3, R.randint(1, 32), R.randint(1, c.slots)]))]
    if R.random() < .1:
        n = R.randrange(len(c.lists))
        c.lists[n] = c.lists[n][:R.randrange(len(c.lists[n]) + 1)]
    total = sum(len(l) for l in c.lists)
    c.room = total + R.choice([0, 8, 300]) if R.random() < .8 else R.randrange(total + 1)
    c.space = 16 * (total // 8 + 1) if R.random() < .8 else R.randrange(100)
    c.control = R.choice([0, 0, 1, 2, 3])
    cc = sort_model(c)
    where = [area.put(l) for l in c.lists]
    block = bytearray(576 + 16 * c.slots)
    struct.pack_into('>H', block, 0, 2 if c.slots == 32 else 4)
    struct.pack_into('>HHH', block, 10, c.key, 0, c.payload)
    block[7], block[33], block[40] = 0x80 if c.descending else 0, len(c.lists) - 1, c.control << 6
    struct.pack_into('>Q', block, 56, area.put(bytes(PAGE), PAGE))
    for n in range(c.slots):
        struct.pack_into('>QQ', block, 576 + 16 * n, *((where[n], len(c.lists[n])) if n < len(c.lists) else (R.getrandbits(64), R.getrandbits(64))))
    wrong = R.random() < .06
    if wrong:
        damage(R, c, block)
    block_at, to = area.put(block), area.put(bytes([FILL]) * (c.room + 16))
    runs_at = area.put(bytes([FILL]) * (c.space + 16))
    gr = [(VARIABLE if c.variable else FIXED) | (MERGE if c.merge else 0), block_at, to, c.room, runs_at, c.space, 0, 0]
    case = Case('b9380024', gr)

    def judge(s):
        if wrong:
            return differ(code=(s.code, 7), registers=(list(s.gr), gr), block=(s.at(block_at, len(block)), bytes(block)))
        passed = 0 if c.merge else len(c.runs)
        result = differ(code=(s.code, 0), cc=(s.cc, cc), output=(s.at(to, len(c.out)), c.out), behind=(s.at(to + len(c.out), 1)[0], FILL),
                        registers=(list(s.gr), [gr[0], block_at, to + len(c.out), c.room - len(c.out), runs_at + 16 * passed, c.space - 16 * passed, 0, 0]))
        for n, (first, length) in enumerate(c.runs):
            result += differ(delineation=(s.at(runs_at + 16 * n, 16), struct.pack('>QQ', to + first, length)))
        for n, used in enumerate(c.used):
            result += differ(list=(s.at(block_at + 576 + 16 * n, 16), struct.pack('>QQ', where[n] + used, len(c.lists[n]) - used)))
        left = 16 * len(c.lists) + 576
        flags = [block[7] | (cc != 0), c.control << 6 | (c.emptied is not None) << 5, c.emptied or 0, (c.short is not None) << 7, c.short or 0]
        return result + differ(inactive=(s.at(block_at + left, len(block) - left), bytes(block[left:])),
                               flags=([s.at(block_at + k, 1)[0] for k in (7, 40, 41, 46, 47)], flags))
    case.judge = judge
    return case


def sort_cases(R, count, area):
    return [sort_case(R, area) for k in range(count)]


# ---- COMPRESSION CALL with entropy encoding ----

ENTROPY, ZERO_PAD, EXPAND, WORD = 0x80000, 0x20000, 0x100, 16


class Dictionary:
    """Strings, closed under taking the last character off; entry n stands for strings[n]. Their codewords, as text of 0 and
    1: the last, zeros, ends a record."""

    def __init__(self, R, area):
        self.strings = [bytes([k]) for k in range(256)]
        self.children, tops = {}, R.sample(range(256), R.choice([0, 3, 20]))
        queue = [self.strings[k] for k in tops]
        while queue and len(self.strings) < 700:
            parent = queue.pop(0)
            names = sorted(parent + bytes([R.choice(tops)]) for k in range(R.randint(1, 5)))
            names = sorted(set(names), key=names.index)
            self.children[parent] = (len(self.strings), names)
            self.strings += names
            queue += [n for n in names if len(n) < 7 and R.random() < .5]
        self.index = {name: n for n, name in enumerate(self.strings)}
        self.favourites = tops or R.sample(range(256), 5)
        self.codes(R)
        self.compression(area)
        self.expansion(R, area)

    def codes(self, R):
        weights = [R.choice([1, 1, 2, 8, 50, 400]) for k in self.strings] + [0]
        while True:
            heap = [(w, n, [n]) for n, w in enumerate(weights)]
            lengths, number = [0] * len(weights), len(weights)
            heapq.heapify(heap)
            while len(heap) > 1:
                a, b = heapq.heappop(heap), heapq.heappop(heap)
                for n in a[2] + b[2]:
                    lengths[n] += 1
                heapq.heappush(heap, (a[0] + b[0], number, a[2] + b[2]))
                number += 1
            if max(lengths) <= WORD:
                break
            weights = [w // 2 + 1 for w in weights]
        end = len(self.strings)
        self.ranks = sorted(range(end + 1), key=lambda n: (lengths[n], n == end, R.random()))
        lengths[end], lengths[self.ranks[-1]] = lengths[self.ranks[-1]], lengths[end]  # the end has the last codeword
        self.ranks.remove(end)
        self.ranks.sort(key=lambda n: lengths[n])
        counts = [lengths.count(k + 1) for k in range(WORD)]
        self.descriptor = struct.pack('>16H', *counts)
        self.code, word, length = {}, '', 0
        for n in self.ranks + [end]:  # in descending order, each followed by those that begin with no other
            if not word:
                word = '1' * lengths[n]
            else:
                value = int(word, 2) - 1
                word = format(value, '0%db' % len(word))
                word += '1' * (lengths[n] - len(word))
            self.code[n] = word
        assert set(word) == {'0'}

    def compression(self, area):
        entries = bytearray(8 * len(self.strings))
        for parent, (first, names) in self.children.items():
            e = bytearray(8)
            e[0] = len(names) << 5 | sum(0x10 >> k for k, name in enumerate(names) if name in self.children)
            e[1], e[2] = first >> 8, first & 255
            e[3:3 + len(names)] = bytes(name[-1] for name in names)
            entries[8 * self.index[parent]:8 * self.index[parent] + 8] = e
        entries += bytes(-len(entries) % 128)
        words = b''.join(struct.pack('>H', int(self.code[n].ljust(WORD, '0'), 2)) for n in range(len(self.strings)))
        self.compress_at = area.put(entries + self.descriptor + words, PAGE) | len(entries) // 128 << 3

    def expansion(self, R, area):
        entries, rank = bytearray(), {n: k for k, n in enumerate(self.ranks)}
        for n in self.ranks:
            name = self.strings[n]
            if len(name) > 1 and R.random() < .5:
                before = rank[self.index[name[:-1]]]
                entries += bytes([1 << 5 | before >> 8, before & 255, name[-1]]) + bytes(4) + bytes([len(name) - 1])
            else:
                entries += bytes([len(name)]) + name + bytes(7 - len(name))
        entries += bytes(-len(entries) % 128)
        self.expand_at = area.put(entries + self.descriptor, PAGE) | len(entries) // 128 << 3

    def symbols(self, text):
        at, result = 0, []
        while at < len(text):
            name = text[at:at + 1]
            while name in self.children and name + text[at + len(name):at + len(name) + 1] in self.index and at + len(name) < len(text):
                name += text[at + len(name):at + len(name) + 1]
            result.append(self.index[name])
            at += len(name)
        return result


def bits_to_bytes(bits):
    bits += '0' * (-len(bits) % 8)
    return int('1' + bits, 2).to_bytes(len(bits) // 8 + 1, 'big')[1:]


def entropy_case(R, d, area):
    length = R.choice([0, R.randrange(30), R.randrange(3000)])
    text = bytes(R.choice(d.favourites) if R.random() < .8 else R.randrange(256) for k in range(length))
    symbols, skip = d.symbols(text), R.randrange(8)
    bits = R.choice('01') * skip
    words = [d.code[n] for n in symbols]
    whole = len(bits) + sum(map(len, words))
    expand = R.random() < .5
    room = (len(text) if expand else -(-whole // 8)) + R.choice([0, 0, 3])
    if R.random() < .2:
        room = R.randrange(room + 1)
    out, used, cc = b'', 0, 0
    for n, word in zip(symbols, words):
        if (len(out) + len(d.strings[n]) > room) if expand else len(bits) + len(word) > 8 * room:
            cc = 1
            break
        out, used, bits = out + d.strings[n], used + len(d.strings[n]), bits + word
    if expand:
        stream, ends = '0' * skip + ''.join(words), R.random()
        passed = len(bits)
        if ends < .3:  # the end of a record, and what follows it
            stream += d.code[len(d.strings)] + ''.join(R.choice('01') for k in range(40))
            passed += 0 if cc else len(d.code[len(d.strings)])
        elif ends < .5 and len(words) > 3:  # a part of it
            stream = stream[:8 * R.randrange(1, len(stream) // 8 + 1)]
            cc, passed, out = 0, skip, b''
            for n, word in zip(symbols, words):
                if passed + len(word) > len(stream):
                    break
                if len(out) + len(d.strings[n]) > room:
                    cc = 1
                    break
                passed, out = passed + len(word), out + d.strings[n]
        stream = bits_to_bytes(stream)
        second, to = area.put(stream), area.put(bytes([FILL]) * (room + 8))
        gr = [ENTROPY | EXPAND, d.expand_at | skip, to, room, second, len(stream), 0, 0]
        want = [gr[0], d.expand_at | passed % 8, to + len(out), room - len(out), second + passed // 8, len(stream) - passed // 8, 0, 0]
        result = out + bytes([FILL]) * (room + 8 - len(out))
    else:
        second, to = area.put(text), area.put(bits_to_bytes(bits[:skip]) + bytes(room + 8 - (skip > 0)))
        gr = [ENTROPY | R.choice([0, 0x10000, 0x3000]), d.compress_at | skip, to, room, second, len(text), 0, 0]
        want = [gr[0], d.compress_at | len(bits) % 8, to + len(bits) // 8, room - len(bits) // 8, second + used, len(text) - used, 0, 0]
        result = bits_to_bytes(bits)
    case = Case('b2630024', gr)
    case.judge = lambda s: differ(code=(s.code, 0), cc=(s.cc, cc), registers=(list(s.gr), want), data=(s.at(to, len(result)), result))
    return case


def damaged_case(R, d, area):
    """A dictionary of random bits does no harm: a data exception, or an end."""
    few = R.choice([0xff, 0x31, 0x11])
    dictionary = bytearray(R.getrandbits(8) & few for k in range(0x6000))
    dictionary[0x4000:0x4020] = d.descriptor if R.random() < .8 else R.getrandbits(256).to_bytes(32, 'big')
    at = area.put(dictionary, PAGE) | 0x4000 // 128 << 3
    operand = R.getrandbits(8 * 500).to_bytes(500, 'big')
    to, second = area.put(bytes(2000)), area.put(operand)
    case = Case('b2630024', [ENTROPY | ZERO_PAD | R.choice([0, EXPAND]), at, to, 2000, second, len(operand), 0, 0])
    case.judge = lambda s: differ(code=(s.code in (0, 7), True), first=(s.gr[2] + s.gr[3], to + 2000), second=(s.gr[4] + s.gr[5], second + 500),
                                  dictionary=(s.at(at & -PAGE, len(dictionary)), bytes(dictionary)))
    return case


def entropy_cases(R, count, area):
    cases = []
    while len(cases) < count:
        d = Dictionary(R, area)
        cases += [damaged_case(R, d, area) if k == 0 else entropy_case(R, d, area) for k in range(min(20, count - len(cases)))]
    return cases


# ---- all ----

def main():
    name, verb, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    area = Area(count)
    cases = {'deflate': deflate_cases, 'sort': sort_cases, 'entropy': entropy_cases}[name](random.Random(seed), count, area)
    if verb == 'make':
        slots = b''.join(bytes(slot(SLOT, case.insn, case.gr)) for case in cases)
        with open(sys.argv[5], 'wb') as f:
            f.write(image.elf(storage(count, SLOT, slots + bytes(area.base - DATA - len(slots)) + area.bytes), BASE))
        print('%X' % (area.base + len(area.bytes) + 64))
        return 0
    left, limit, bad, ends = open(sys.argv[5], 'rb').read(), int(sys.argv[6]) if len(sys.argv) > 6 else 3, 0, {}
    for n, case in enumerate(cases):
        s = State(left, n)
        told = case.judge(s)
        how = 'code %d' % s.code if s.code else 'cc %d' % s.cc
        ends[how] = ends.get(how, 0) + 1
        bad += bool(told)
        if told and bad <= limit:
            print('case %d, seed %d, r0 %x:\n    %s' % (n, seed, case.gr[0], '\n    '.join(told)))
    print('%d cases, %d differ; ends: %s' % (count, bad, ', '.join('%s %d' % e for e in sorted(ends.items()))))
    return bad != 0


sys.exit(main())
