# SPDX-License-Identifier: GPL-3.0-or-later
"""Exception trace judged by the second model (et_unit.py, et_decode.py), which was written from the specification alone.

    et.py unit PROGRAM COUNT SEED      random histories: same bytes, accounts, frames and counters; what is decoded is what
                                       was selected
    et.py self COUNT SEED              the model with itself: what is decoded is what was selected; no long runs of zeros
    et.py facts PROGRAM COUNT SEED     numbers, reset values, which registers are refused
    et.py decode PROGRAM COUNT SEED    good, cut and damaged streams: same events, same diagnostics
    et.py filter PROGRAM COUNT SEED    the filter makes of a full stream what the unit puts out by itself
    et.py overflow PROGRAM COUNT SEED  small buffers: what is lost is counted; stall loses nothing; wrap keeps the last bytes
    et.py nesting PROGRAM COUNT SEED   streams in which everything is: same depths, durations, latencies
    et.py kept PROGRAM FILE...         kept histories and streams
PROGRAM is tests/compare/et (et.c). What differs is shrunk, shown, and kept in the folder KEEP names."""
import os
import random
import subprocess
import sys
from et_decode import Record, Stream, decode
from et_history import *

STEPS = 60


class Answers:
    """The program, asked again and again; started anew after a crash."""

    def __init__(self, program, mode):
        self.command, self.process = [program, mode], None

    def ask(self, question):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.process.stdin.write(question)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def block(self, word):
        line = self.process.stdout.readline().split()
        if len(line) != 2 or line[0] != word.encode():
            return None
        return self.process.stdout.read(int(line[1]))

    def unit(self, lines):
        """(log, container), None: it ended before its time."""
        self.ask(('\n'.join(lines) + '\n').encode())
        log = self.block('log')
        container = self.block('container') if log is not None else None
        if container is None:
            self.close()
            return None
        return log.decode().split('\n')[:-1], container

    def filter(self, regs, stream):
        self.ask(('config %s\nstream %d\n' % (' '.join('%x' % v for v in regs), len(stream))).encode() + stream)
        log, container = self.block('log'), self.block('container')
        return log.decode(), container

    def decode(self, stream):
        self.ask(b'stream %d\n' % len(stream) + stream)
        lines = []
        while True:
            line = self.process.stdout.readline().decode(errors='replace').rstrip('\n')
            if line == 'end':
                return lines
            if not line:
                self.close()
                return None
            lines.append(line)

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None


# ---- facts -------------------------------------------------------------------------------------------------------------

def questions(count, seed):
    """[(line, answer)]"""
    out = []
    for klass in range(7):
        for code in list(range(0x800)) + sorted(EXTERNALS) + [0x8119, 0xffff]:
            en = number(klass, code)
            out.append(('number %x %x' % (klass, code), '%x %x' % (en, number_class(en))))
    out += [('reset %x' % i, '%x' % RESET[i]) for i in range(19)]
    rng = random.Random(seed)
    maker = Maker(rng)
    for _ in range(count):
        regs = registers(**maker.fields())
        for _ in range(rng.choice((0, 0, 1, 3))):
            index = rng.choice((ETFR, ETFR, ETCR, ETBF, ETTS, rng.randrange(19)))
            if index != ETST:
                regs[index] ^= 1 << rng.randrange(64) if rng.random() < 0.3 else \
                    USED[index] & rng.getrandbits(64) & rng.getrandbits(64)
        host = rng.random() < 0.5
        out.append(('wrong %x %s' % (host, ' '.join('%x' % r for r in regs)),
                    'refused' if wrong(regs, host) else 'accepted'))
    return out


def judge_facts(program, count, seed):
    asked = questions(count, seed)
    told = subprocess.run([program, 'facts'], input='\n'.join(line for line, _ in asked) + '\n', stdout=subprocess.PIPE,
                          text=True).stdout.split('\n')
    bad = [(line, answer, is_) for (line, answer), is_ in zip(asked, told + [''] * len(asked)) if answer != is_]
    for line, answer, is_ in bad[:int(os.environ.get('LIMIT', '3'))]:
        print('FAIL: %s: program %s, model %s' % (line, is_, answer))
    print('facts: %d, %d differ' % (len(asked), len(bad)))
    return len(bad)


# ---- unit -------------------------------------------------------------------------------------------------------------

def unpack(container):
    """{(source, kind): bytes} of a good container, or a word on what is wrong with it."""
    if not container:
        return {}
    if container[:6] != b'ZETC\1\0' or len(container) < 16:
        return 'no header'
    out, at = {}, 16
    while at < len(container):
        head = container[at:at + 8]
        length = int.from_bytes(head[4:], 'big')
        if len(head) < 8 or head[:2] != b'ZC' or at + 8 + length > len(container):
            return 'a chunk at %d is broken' % at
        if head[3] < 2:
            out[head[2], head[3]] = out.get((head[2], head[3]), b'') + container[at + 8:at + 8 + length]
        at += 8 + length
    return {key: data for key, data in out.items() if data}


def pack(streams):
    """A container of these streams. Reading: its number of sources is that of CPUs, and one more for floating requests."""
    sources = max([1 + s for s, _ in streams if s != 255] + [1])
    out = b'ZETC\1\0\0\0' + (sources + any(s == 255 for s, _ in streams)).to_bytes(4, 'big') + bytes(4)
    for (source, kind), data in sorted(streams.items(), key=lambda item: (item[0][0], -item[0][1])):
        out += b'ZC' + bytes([source, kind]) + len(data).to_bytes(4, 'big') + data
    return out


def legal(lines):
    """The lines that can be carried out, and the player that has done so."""
    player, out = Player(), []
    for line in lines:
        if (player.machine is None) == line.startswith('new ') and player.play(line):
            out.append(line)
    return out, player


def roundtrip(player):
    """ET-60: what is decoded is what was selected. None, or a word."""
    streams = player.machine.streams()
    found = decode(pack(streams))
    # D17 is right where a clock was set back.
    if any(d.code != 17 or not player.machine.cpus[d.source].set_back for d in found.diagnostics):
        return 'a clean stream has diagnostics: %s' % found.diagnostics
    for source, cpu in player.machine.cpus.items():
        if (source, 0) not in streams:
            continue
        told = [r for r in found.records[source] if r.kind in (ENTRY, EXIT, RETURN, SIGNAL, STATES, MARKS) and
                'implied' not in r.flags]
        kept = cpu.encoder.kept
        if len(told) != len(kept):
            return 'source %d: %d events decoded, %d selected' % (source, len(told), len(kept))
        for r, (e, wanted) in zip(told, kept):
            if seen(r) != wanted:
                return 'source %d: decoded %s, selected %s' % (source, seen(r), wanted)
    return None


def seen(r):
    """A decoded event as Encoder.seen() has those selected."""
    return (r.kind, r.en, r.time, 'tc' in r.flags, 'la' in r.flags, 'frc' in r.flags, sorted(r.info.items()), r.old, r.new,
            r.resumed, r.value, 'withdrawn' in r.flags)


def judge_self(count, seed):
    bad = 0
    for n in range(seed, seed + count):
        maker = Maker(random.Random(n))
        maker.make(STEPS)
        word = roundtrip(maker.player)
        for source, cpu in maker.player.machine.cpus.items():
            e, at = cpu.encoder, 0
            for start, end in e.apart + [(len(e.out), len(e.out))]:
                if bytes(5) in e.out[at:start]:
                    word = 'source %d: a long run of zeros between %d and %d' % (source, at, start)
                at = end
        if word:
            bad += 1
            print('FAIL: seed %d: %s' % (n, word))
    print('model: %d histories, %d fail' % (count, bad))
    return bad


def first_difference(ours, theirs):
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    return at


def without_frames(stream, timing):
    """What a stream tells but for the frames in SYNC, and the check sums over them. Reading: what an open frame is in the
    table of CTX=1 is not said well enough to be compared."""
    times = {}
    read = Stream(0, stream, [(0, 0)], times=times, timing=timing).run()
    out = [str(times)]
    for record in read.records:
        if record.kind == 'end':
            record.numbers = record.numbers[:5]
        told = dict(record.__dict__, offset=0, frames=0, count=0, depth=0)
        out.append(str(sorted((k, sorted(v) if isinstance(v, set) else v) for k, v in told.items())))
    return '\n'.join(out).encode()


def unit_differs(answers, lines, player):
    """None, or a word on what differs."""
    word = roundtrip(player)
    if word:
        return word
    answer = answers.unit(lines)
    if answer is None:
        return 'the program ended before its time'
    log, container = answer
    # A line of the model that ends early asks for no more.
    log = [a[:len(b)] if b.startswith('count') and a.startswith(b + ' ') else a for a, b in zip(log, player.log)] + \
        log[len(player.log):]
    if log != player.log:
        at = first_difference(log, player.log)
        return 'log line %d: unit "%s", model "%s"' % (at, (log[at:] or ['-'])[0], (player.log[at:] or ['-'])[0])
    theirs, ours = unpack(container), player.machine.streams()
    if isinstance(theirs, str):
        return theirs
    for key in sorted(set(ours) | set(theirs)):
        a, b = theirs.get(key, b''), ours.get(key, b'')
        if player.machine.cpus[key[0]].table:
            a, b = without_frames(a, key[1] == 1), without_frames(b, key[1] == 1)
        if a != b:
            at = first_difference(a, b)
            if player.machine.cpus[key[0]].table:
                return 'source %d kind %d at %d:\n  unit  %s\n  model %s' % (key + (at,) + tuple(
                    next((w for w in p.split(b'\n') if w not in q.split(b'\n')), b'-').decode() for p, q in ((a, b), (b, a))))
            return 'source %d kind %d at %d:\n  unit  %s | %s\n  model %s | %s' % (
                key + (at, a[max(0, at - 24):at].hex(' '), a[at:at + 24].hex(' '), b[max(0, at - 24):at].hex(' '),
                       b[at:at + 24].hex(' ')))
    return None


def shrink(lines, differs):
    """A short list of lines that still differ: pieces are left out as long as something goes."""
    size = max(1, len(lines) // 2)
    while True:
        at, gone = 1, False
        while at < len(lines) - 1:
            less, player = legal(lines[:at] + lines[at + size:])
            if less and less[-1] == 'end' and len(less) < len(lines) and differs(less, player):
                lines, gone = less, True
            else:
                at += size
        if size == 1 and not gone:
            return lines
        size = max(1, size // 2)


def keep(name, data):
    folder = os.environ.get('KEEP')
    if folder:
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)


def judge_unit(program, count, seed):
    answers, bad, events, size = Answers(program, 'unit'), 0, 0, 0
    for n in range(seed, seed + count):
        maker = Maker(random.Random(n))
        lines = maker.make(STEPS)
        word = unit_differs(answers, lines, maker.player)
        events += sum(c.encoder.emitted for c in maker.player.machine.cpus.values())
        size += sum(map(len, maker.player.machine.streams().values()))
        if word:
            bad += 1
            lines = shrink(lines, lambda less, player: unit_differs(answers, less, player))
            print('FAIL: seed %d: %s\n%s' % (n, unit_differs(answers, lines, legal(lines)[1]), '\n'.join(lines)))
            keep('et-unit-%d' % n, ('\n'.join(lines) + '\n').encode())
            if bad >= int(os.environ.get('LIMIT', '3')):
                break
    answers.close()
    print('unit: %d histories, %d events, %d bytes of streams, %d differ' % (n + 1 - seed, events, size, bad))
    return bad


# ---- overflow ---------------------------------------------------------------------------------------------------------

def buffered(lines, **fields):
    """The same history with another ETBF."""
    out = []
    for line in lines:
        words = line.split()
        if words[0] == 'all':
            regs = [int(w, 16) for w in words[3:]]
            for name, value in fields.items():
                put(regs, name, value)
            words[3:] = ['%x' % v for v in regs]
        out.append(' '.join(words))
    return out


def lossy(player, streams):
    """ET-62, ET-67: whole events only, in their order, and every one that is missing is counted. None, or a word."""
    found = decode(pack(streams))
    for d in found.diagnostics:
        if d.code != 5 and not (d.code == 17 and player.machine.cpus[d.source].set_back):
            return 'a stream that overflowed has %s' % d
    for source, cpu in player.machine.cpus.items():
        kept = [seen for _, seen in cpu.encoder.kept]
        told = [seen(r) for r in found.records.get(source, []) if 'implied' not in r.flags and
                r.kind in (ENTRY, EXIT, RETURN, SIGNAL, STATES, MARKS)]
        rest = iter(kept)
        if not all(any(one == other for other in rest) for one in told):
            return 'source %d: what was decoded is not part of what was selected' % source
        ends = [r.numbers for r in found.records.get(source, []) if r.kind == 'end']
        if ends and ends[0][:4] != [cpu.encoder.detected, cpu.encoder.filtered, len(told), len(kept) - len(told)]:
            return 'source %d: END has %s, %d of %d were decoded' % (source, ends[0], len(told), len(kept))
    return None


def overflow_differs(units, lines, player, size, drain):
    plain = units.unit(lines)
    answers = {policy: units.unit(buffered(lines, SIZE=size, DRAIN=drain, OVP=policy)) for policy in (0, 1)}
    if plain is None or None in answers.values():
        return 'the program ended before its time'
    streams = {policy: unpack(answer[1]) for policy, answer in answers.items()}
    plain = unpack(plain[1])
    for one in (plain, *streams.values()):
        if isinstance(one, str):
            return one
    if streams[1] != plain:
        return 'overflow=stall: not the bytes of a buffer that does not overflow (ET-63)'
    return lossy(player, streams[0]) or wrapped_differs(units, [line for line in lines if 'flush' not in line], size)


def wrapped_differs(units, lines, size):
    """ET-64. What a flush hands out is out, so there is none here."""
    plain, wrapped = units.unit(lines), units.unit(buffered(lines, SIZE=size, OVP=2))
    if plain is None or wrapped is None:
        return 'the program ended before its time'
    plain, wrapped = unpack(plain[1]), unpack(wrapped[1])
    for key, whole in plain.items():
        last, tail = wrapped.get(key, b''), whole[-(1 << size):]
        least = len(tail) - tail.find(MARKER) if MARKER in tail else 0
        begins = last[:8] == MARKER or last[:1] == bytes([END])     # no SYNC is in the buffer: END alone
        # One SYNC with all of CFG may be longer than the smallest buffers.
        if not whole.endswith(last) or last and not begins or not least <= len(last) <= max(1 << size, 320) + 64:
            return 'overflow=wrap: source %d kind %d: %d bytes are not the last ones from a SYNC on (ET-64)' % (
                key + (len(last),))
    return None


def judge_overflow(program, count, seed):
    units, bad, lost = Answers(program, 'unit'), 0, 0
    for n in range(seed, seed + count):
        rng = random.Random('overflow %d' % n)
        maker = Maker(rng)
        maker.host = True
        regs = None
        while regs is None or get(regs, 'DS') or get(regs, 'CTX') or get(regs, 'CNTE') or not get(regs, 'EN'):
            regs = maker.registers(Cpu(0, lambda clock: 0))
        put(regs, 'OVP', 0)
        lines, size, drain = maker.make(STEPS, fixed=regs), rng.choice((7, 7, 8, 9)), rng.choice((1, 3, 20, 100, 1000))
        differs = lambda less, player: overflow_differs(units, less, player, size, drain)
        word = differs(lines, maker.player)
        if word:
            bad += 1
            lines = shrink(lines, differs)
            print('FAIL: seed %d, size %d, drain %d: %s\n%s' % (n, size, drain, differs(*legal(lines)), '\n'.join(lines)))
            keep('et-overflow-%d' % n, ('\n'.join(lines) + '\n').encode())
            if bad >= int(os.environ.get('LIMIT', '3')):
                break
    units.close()
    print('overflow: %d histories, %d differ' % (n + 1 - seed, bad))
    return bad


# ---- filter -----------------------------------------------------------------------------------------------------------

def full(lines):
    """The same history with ETCR.DS."""
    out = []
    for line in lines:
        words = line.split()
        if words[0] == 'all':
            words[3] = '%x' % (int(words[3], 16) | 1 << 18)
        out.append(' '.join(words))
    return out


def filter_differs(units, filters, lines):
    configured = [line.split() for line in lines if line.startswith('all ')]
    if not configured:
        return None
    regs = [int(w, 16) for w in configured[0][3:]]
    direct, whole = units.unit(lines), units.unit(full(lines))
    if direct is None or whole is None:
        return 'the unit ended before its time'
    log, container = filters.filter(regs, whole[1])
    if log:
        return 'the filter says: ' + log.strip()
    a, b = unpack(direct[1]), unpack(container)
    if a == b:
        return None
    if isinstance(a, str) or isinstance(b, str):
        return 'unit: %s, filter: %s' % (a if isinstance(a, str) else 'fine', b if isinstance(b, str) else 'fine')
    key = next(k for k in sorted(set(a) | set(b)) if a.get(k) != b.get(k))
    x, y = a.get(key, b''), b.get(key, b'')
    at = first_difference(x, y)
    return 'source %d kind %d at %d:\n  unit   %s | %s\n  filter %s | %s' % (
        key + (at, x[max(0, at - 24):at].hex(' '), x[at:at + 24].hex(' '), y[max(0, at - 24):at].hex(' '),
               y[at:at + 24].hex(' ')))


def judge_filter(program, count, seed):
    units, filters, bad = Answers(program, 'unit'), Answers(program, 'filter'), 0
    for n in range(seed, seed + count):
        maker = Maker(random.Random('filter %d' % n))
        maker.host = True
        regs = None
        while regs is None or get(regs, 'DS') or not get(regs, 'EN'):
            regs = maker.registers(Cpu(0, lambda clock: 0))
        lines = maker.make(STEPS, fixed=regs)
        word = filter_differs(units, filters, lines)
        if word:
            bad += 1
            lines = shrink(lines, lambda less, player: filter_differs(units, filters, less))
            print('FAIL: seed %d: %s\n%s' % (n, filter_differs(units, filters, lines), '\n'.join(lines)))
            keep('et-filter-%d' % n, ('\n'.join(lines) + '\n').encode())
            if bad >= int(os.environ.get('LIMIT', '3')):
                break
    units.close()
    filters.close()
    print('filter: %d histories, %d differ' % (n + 1 - seed, bad))
    return bad


# ---- decoder ----------------------------------------------------------------------------------------------------------

KINDS = [ENTRY, EXIT, RETURN, SIGNAL, STATES, MARKS, 'counts', 'sync', 'config', 'lost', 'end', 'file']
FLAGS = ['tc', 'la', 'frc', 'cut', 'implied', 'withdrawn', 'doubtful', 'bound', 'aborted', 'most']


def parse(lines):
    """{source: [events]}, {source: [(code, offset, length)]}, sums of what the program told."""
    events, diagnostics, sums = {}, {}, {}
    for line in lines:
        words = line.split()
        if words[0] == 'diagnostic':
            diagnostics.setdefault(int(words[3]), []).append((int(words[1]), int(words[5]), int(words[7])))
        elif words[0] == 'sums':
            sums = {words[i]: int(words[i + 1]) for i in range(1, len(words), 2)}
        else:
            at = {w: i for i, w in enumerate(words) if w in ('index', 'offset', 'time', 'en', 'flags', 'depth', 'old', 'new',
                  'return', 'durations', 'latency', 'start', 'value', 'reg', 'given', 'numbers')}
            number = lambda w, k=1, base=16: int(words[at[w] + k], base)
            known = lambda w, base=16: number(w, 2, base) if words[at[w] + 1] == '1' else None
            r = Record(KINDS[int(words[1])], number('offset', 1, 10), number('index', 1, 10), en=known('en'),
                       time=known('time', 10), old=known('old'), new=known('new'), resumed=known('return'),
                       latency=known('latency', 10), start=known('start', 10), depth=number('depth', 1, 10),
                       value=number('value'), register=number('reg', 1, 10))
            if known('durations', 10) is not None:
                r.gross, r.own = number('durations', 2, 10), number('durations', 3, 10)
            r.flags = {f for i, f in enumerate(FLAGS) if number('flags') >> i & 1}
            r.info = {int(t, 16): int(v, 16) for t, v in
                      (w.split(':') for w in words[at['given'] + 1:at['numbers']])}
            r.numbers = [int(w, 16) for w in words[at['numbers'] + 1:]]
            before = events.setdefault(int(words[3]), [])
            if r.kind == 'counts' and before and before[-1].kind == 'counts' and before[-1].offset == r.offset:
                before[-1].numbers += r.numbers     # told in pieces
            else:
                before.append(r)
    return events, diagnostics, sums


def packets(records):
    """Levels 2 and 3: what stands in the packets."""
    out = []
    for r in records:
        told = [r.kind, r.offset]
        if 'implied' in r.flags or r.kind == 'file':
            continue
        if r.kind in (ENTRY, EXIT, RETURN, SIGNAL):
            told += [r.index, r.en, r.time, sorted(r.flags & {'la', 'frc', 'withdrawn'}), sorted(r.info.items()), r.old,
                     r.new, r.resumed]
        elif r.kind in (STATES, MARKS):
            told += [r.index, r.time, r.value]
        elif r.kind in ('sync', 'lost'):
            told += [r.value]
        elif r.kind == 'config':
            told += [r.register, r.value]
        else:
            told += r.numbers[:5] if r.kind == 'end' else r.numbers
        out.append(told)
    return out


def nesting(records):
    """Level 4 of what is in the stream. Of a frame whose beginning was not seen there is no duration to be compared."""
    out = []
    for r in records:
        if r.kind in (ENTRY, EXIT, RETURN) and 'implied' not in r.flags:
            told = [r.kind, r.offset, r.en, r.depth, 'tc' in r.flags and r.kind == ENTRY]
            told += [r.gross, r.own] if r.kind == EXIT and 'cut' not in r.flags and 'bound' not in r.flags else []
            told += [r.latency] if r.kind == ENTRY else []
            told += [r.start] if r.kind == RETURN else []
            out.append(told)
    return out


def decode_differs(answers, stream, whole=False):
    """whole: everything was selected and nothing is damaged, so that nesting is compared too."""
    lines = answers.decode(stream)
    if lines is None:
        return 'the program ended before its time'
    events, diagnostics, sums = parse(lines)
    if sums['packets'] + sums['reported'] != sums['input'] or sums['input'] != len(stream):
        return 'bytes do not add up: %s of %d' % (sums, len(stream))
    found = decode(stream)
    for source in sorted((set(events) | set(found.records))):
        for level in (packets, nesting):
            if level is nesting and not whole:
                break
            theirs, ours = level(events.get(source, [])), level(found.records.get(source, []))
            if theirs != ours:
                at = first_difference(theirs, ours)
                return '%s, source %d, event %d:\n  program %s\n  model   %s' % (
                    level.__name__, source, at, theirs[at:at + 1], ours[at:at + 1])
    # D09 is about the end, whose offset is anybody's; a bare stream has one source, known or not.
    bare = stream[:4] != b'ZETC'
    theirs = sorted((not bare and s, d[1] if d[0] != 9 else 0, d[0], d[2]) for s, ds in diagnostics.items() for d in ds)
    ours = sorted((not bare and d.source, d.offset if d.code != 9 else 0, d.code, d.length) for d in found.diagnostics)
    if not whole:
        theirs, ours = ([d for d in ds if not 12 <= d[2] <= 15] for ds in (theirs, ours))
    if theirs != ours:
        return 'diagnostics (source, offset, code, length):\n  program %s\n  model   %s' % (
            [d for d in theirs if d not in ours], [d for d in ours if d not in theirs])
    return None


def streams_of(rng, seed):
    """Streams to be read: those of a history, as container or bare."""
    maker = Maker(random.Random(seed))
    maker.make(STEPS)
    streams = maker.player.machine.streams()
    bare = [key for key in streams if key[1] == 0 and (key[0], 1) not in streams]
    if bare and rng.random() < 0.7:
        return streams[rng.choice(sorted(bare))]
    return pack(streams)


def damage(rng, stream):
    kind = rng.random()
    if kind < 0.25 or not stream:
        return stream
    if kind < 0.5:
        return stream[:rng.randrange(len(stream))]
    out = bytearray(stream)
    if kind < 0.8:
        for _ in range(rng.choice((1, 1, 2, 5))):
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    elif kind < 0.9:
        at = rng.randrange(len(out))
        del out[at:at + rng.choice((1, 2, 20))]
    else:
        at = rng.randrange(len(out))
        out[at:at] = bytes(rng.choice((0, 0, 0x80, rng.randrange(256))) for _ in range(rng.randrange(1, 12)))
    return bytes(out)


def totals_differ(cpu, stream):
    """ET-84: exits, gross and self time by number, decoded and as the tracker has counted. None, or a word."""
    sums = {}
    for r in decode(stream).records[0]:
        if r.kind == EXIT and 'implied' not in r.flags:
            if 'cut' in r.flags:
                return None         # a frame that was dropped
            have = sums.setdefault(r.en, [0, 0, 0])
            sums[r.en] = [have[0] + 1, have[1] + r.gross & M64, have[2] + r.own & M64]
    counted = {en: [c.exits, c.gross, c.self] for en, c in cpu.count.items() if c.exits}
    return None if cpu.set_back or sums == counted else 'durations: decoded %s, counted %s' % (sums, counted)


def judge_nesting(program, count, seed):
    """Level 4 (5.5): streams in which everything is."""
    answers, bad = Answers(program, 'decode'), 0
    for n in range(seed, seed + count):
        rng = random.Random('nesting %d' % n)
        maker = Maker(rng)
        regs = registers(EN=1, SIG=1, STATE=rng.randrange(2), TPI=rng.randrange(2), RETM=rng.randrange(3), TCE=1, LAE=1,
                         TCX=rng.randrange(2), INFO=rng.randrange(2), COMP=rng.randrange(4), RED=rng.randrange(2),
                         TSM=1, CLK=1, SYNCPER=rng.choice((0, 2, 8)), NEAR=rng.randrange(2))
        maker.make(STEPS, fixed=regs)
        streams = maker.player.machine.streams()
        stream = streams[0, 0]
        word = decode_differs(answers, stream, True) or totals_differ(maker.player.machine.cpus[0], stream)
        if word:
            bad += 1
            print('FAIL: seed %d: %s\n%s' % (n, word, stream.hex(' ')))
            keep('et-nesting-%d' % n, stream)
            if bad >= int(os.environ.get('LIMIT', '3')):
                break
    answers.close()
    print('nesting: %d streams, %d differ' % (n + 1 - seed, bad))
    return bad


def judge_decode(program, count, seed):
    answers, bad, size = Answers(program, 'decode'), 0, 0
    for n in range(seed, seed + count):
        rng = random.Random(-n)
        stream = streams_of(rng, n)
        if len(stream) == 16:
            continue                    # nothing was traced
        if stream[:4] != b'ZETC':       # what becomes of a damaged container is the decoder's own matter
            stream = damage(rng, stream)
        size += len(stream)
        word = decode_differs(answers, stream)
        if word:
            bad += 1
            print('FAIL: seed %d: %s\n%s' % (n, word, stream.hex(' ')))
            keep('et-decode-%d' % n, stream)
            if bad >= int(os.environ.get('LIMIT', '3')):
                break
    answers.close()
    print('decoder: %d streams, %d bytes, %d differ' % (n + 1 - seed, size, bad))
    return bad


def judge_kept(program, files):
    units, decoders, bad = Answers(program, 'unit'), Answers(program, 'decode'), 0
    filters = Answers(program, 'filter')
    for name in files:
        with open(name, 'rb') as f:
            data = f.read()
        if name.endswith('.history'):
            for text in data.decode().split('\n\n'):
                lines, player = legal([l for l in text.strip().split('\n') if not l.startswith('#')])
                word = unit_differs(units, lines, player)
                if not word and text.startswith('# Filter'):
                    word = filter_differs(units, filters, lines)
                if not word and text.startswith('# Wrap'):
                    word = wrapped_differs(units, lines, 7)
                if word:
                    bad += 1
                    print('FAIL: %s: %s\n%s' % (name, text.split('\n')[0], word))
        else:
            for line in data.decode().split('\n'):
                words = line.split('#')
                word = words[0].strip() and decode_differs(decoders, bytes.fromhex(words[0]),
                                                           words[-1].strip().startswith('whole:'))
                if word:
                    bad += 1
                    print('FAIL: %s: %s: %s' % (name, words[-1].strip(), word))
    for answers in (units, decoders, filters):
        answers.close()
    return bad


if __name__ == '__main__':
    what, program, *rest = sys.argv[1:]
    if what == 'self':
        sys.exit(judge_self(int(program), int(rest[0])) != 0)
    if what == 'kept':
        sys.exit(judge_kept(program, rest) != 0)
    sys.exit({'facts': judge_facts, 'unit': judge_unit, 'filter': judge_filter, 'overflow': judge_overflow, 'nesting': judge_nesting,
              'decode': judge_decode}[what](program, int(rest[0]), int(rest[1])) != 0)
