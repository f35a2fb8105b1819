# SPDX-License-Identifier: GPL-3.0-or-later
"""Exception trace, second model: the decoder of section 5, levels 1 to 4, over a whole input at once.

decode(data) gives events and diagnostics as plain objects. Offsets are those of the input file. Where the text leaves
something open, the comment says Reading."""
from et_wire import *
from et_wire import SIGNAL as _SIGNAL

SYNC_EVENT, CONFIG, LOST, END_EVENT, COUNTS = 'sync', 'config', 'lost', 'end', 'counts'
MACHINE_SOURCE = 255


class Record:
    """One event as it is told: tc, la, frc, cut, implied, withdrawn, doubtful, bound, aborted are flags."""

    def __init__(self, kind, offset, index, **more):
        self.kind, self.offset, self.index = kind, offset, index
        self.en, self.time, self.value, self.register, self.numbers = None, None, None, None, None
        self.info, self.old, self.new, self.resumed = {}, None, None, None
        self.flags, self.depth, self.frame = set(), 0, 0
        self.gross = self.own = self.latency = self.start = None
        self.__dict__.update(more)


class Diagnostic:
    def __init__(self, code, source, offset, length=0, n=None):
        self.code, self.source, self.offset, self.length, self.n = code, source, offset, length, n

    def __repr__(self):
        return 'D%02d source %d at %d length %d %s' % (self.code, self.source, self.offset, self.length,
                                                       '' if self.n is None else self.n)


class Cut(Exception):
    """More bytes are needed."""


class Illegal(Exception):
    pass


class Reader:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        if self.at >= len(self.data):
            raise Cut
        self.at += 1
        return self.data[self.at - 1]

    def leb(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if shift == 70 and (b & 128 or value > M64):
                raise Illegal
            if not b & 128:
                if not b and shift > 7:
                    raise Illegal
                return value

    def block(self):
        """Length byte 1-127, then so many bytes."""
        n = self.byte()
        if not 1 <= n <= 127:
            raise Illegal
        if self.at + n > len(self.data):
            raise Cut
        self.at += n
        if bytes(7) in self.data[self.at - n:self.at]:      # 3.4, uniqueness: these are a SYNC's and nothing else's
            raise Illegal
        return self.data[self.at - n:self.at]


def pairs(block, number_too):
    """(tag or LEB, LEB) pairs that fill the block."""
    reader, out = Reader(block, 0), []
    try:
        while reader.at < len(block):
            out.append((reader.leb() if number_too else reader.byte(), reader.leb()))
    except Cut:
        raise Illegal
    return out


class Stream:
    """Levels 2 and 3 for one stream of one source. `places`: [(start in the stream, offset in the file)]."""

    def __init__(self, source, data, places, times=None, timing=False, assume=None):
        self.source, self.data, self.places = source, bytes(data), places
        self.timing, self.times, self.assume = timing, times, assume
        self.records, self.diagnostics = [], []
        self.regs, self.e = list(assume or RESET), Effective(assume or RESET)
        self.sequence, self.synced, self.clean, self.overflow = None, False, True, False
        self.index = self.npk = self.decoded = 0
        self.segment, self.base, self.lost_known, self.lost_unknown = 0, 0, 0, False
        self.pending, self.configs, self.asked = None, [], None
        self.configured, self.packets = bool(assume), 0
        self.last, self.changed, self.last_clock, self.tail = None, False, 0, 0
        self.forget()

    def place(self, at):
        """Of the byte at `at` in the file."""
        best = self.places[0] if self.places else (0, 0)
        for start, offset in self.places:
            if start <= at:
                best = start, offset
        return best[1] + at - best[0]

    def forget(self):
        self.previous, self.stack, self.written = None, [], []
        self.fifo, self.wp, self.addresses = {}, 0, [0, 0, 0, 0]

    def diagnose(self, code, at, length=0, n=None):
        self.clean = False
        self.diagnostics.append(Diagnostic(code, self.source, self.place(at), length, n))

    # ---- 5.3

    def run(self):
        at = 0 if self.assume else self.hunt(0)
        while at is not None and at < len(self.data):
            at = self.packet(at)
        self.complete()
        if self.asked is not None:
            self.configure()
        return self

    def hunt(self, start, at=None):
        """To the next good SYNC behind `at`; what is skipped begins at `start`. Where the SYNC ends, or None."""
        self.complete()
        self.synced, self.tail = False, 0
        at = start if at is None else at
        while True:
            mark = self.data.find(MARKER, at)
            if mark < 0:
                self.skipped(start, len(self.data))
                return None
            begin = mark    # Reading: zeros in front of the last seven belong to what is skipped
            try:
                fields = self.sync_fields(mark + 8)
            except Cut:
                self.skipped(start, begin)
                self.diagnose(8, begin, len(self.data) - begin)
                return None
            if fields:
                self.skipped(start, begin)
                self.act_sync(begin, fields, False)
                return fields[0]
            self.diagnose(2, begin)
            at = mark + 8

    def skipped(self, start, end):
        if end > start:
            self.diagnose(1, start, end - start)

    def sync_fields(self, at):
        """(end, FLG, source, sequence, npk, crc, time, current, count, frames), None when damaged."""
        reader = Reader(self.data, at)
        try:
            version, flags = reader.byte(), reader.byte()
            if version >> 4 != 1 or not flags & 0x80:
                return None
            values = []
            for low, high in ((1, 256), (1, M64), (0, M64), (0, 0xffff), (0, M64), (0, 511), (1, 65)):
                values.append(reader.leb())
                if not low <= values[-1] <= high:
                    return None
            frames = []
            while len(frames) < min(values[6] - 1, 8):
                frames.append(reader.leb())
                if frames[-1] > 511:
                    return None
            if reader.byte() != crc8(self.data[at:reader.at - 1]) or bytes(7) in self.data[at:reader.at]:
                return None
        except Illegal:
            return None
        return [reader.at, flags] + values[:6] + [values[6] - 1, frames]

    def act_sync(self, begin, fields, follows):
        """follows: the segment before was read without error."""
        end, flags, source, sequence, npk, crc, time, current, count, frames = fields
        # A timing stream has those SYNCs only that begin a segment with TSM=2.
        if sequence != (self.sequence or 0) + 1 and not self.timing:
            self.diagnose(10, begin, n=sequence - (self.sequence or 0) - 1)
        # Reading: behind a gap it is not known which packets this counts.
        if self.sequence is not None and npk != self.npk and sequence == self.sequence + 1:
            self.diagnose(4, begin, n=npk - self.npk)
        if follows and self.sequence is not None and sequence == self.sequence + 1 and crc != crc16(self.data[self.segment:begin]):
            self.diagnose(3, begin)
        if flags & 4 and not self.overflow and not self.timing:
            self.diagnose(5, begin)
            self.lost_unknown = True
        loss = bool(flags & 4)
        self.sequence, self.segment, self.npk, self.overflow, self.synced = sequence, end, 0, False, True
        self.forget()
        self.tail = 0
        self.next, self.configs, self.asked = list(RESET), [], begin
        self.base, self.unfit = time, False
        self.packets += 1
        self.records.append(Record(SYNC_EVENT, self.place(begin), self.index, value=sequence, time=time, numbers=[sequence],
                                   current=current, count=count, frames=frames, loss=loss, source=source - 1))

    def packet(self, at):
        """One packet at `at`; where the next one is, or None."""
        h = self.data[at]
        late = self.pending and self.e.TSM == 1 and h not in (0, END, INFO, ADDR, TSD, TSA) and \
            not TSS <= h <= TSS_LAST
        if late or self.overflow and h:
            return self.illegal(7, at)      # an event without its time; a loss without its SYNC
        if self.asked is not None and h not in (CFG, 0, END) and not TSS <= h <= TSS_LAST and not self.configure():
            return self.hunt(at)
        try:
            if h == 0:
                return self.candidate(at)
            return self.timing_packet(at, h) if self.timing else self.known(at, h)
        except Cut:
            if h and bytes(7) in self.data[at:]:    # what waits for more would reach over a SYNC
                return self.illegal(7, at)
            self.complete()
            self.diagnose(8, at, len(self.data) - at)
            return None
        except Illegal:
            return self.illegal(7, at)

    def illegal(self, code, at):
        self.complete()
        self.tail = 0
        if self.asked is not None:
            self.configure()
        self.diagnose(code, at, 1)
        return self.hunt(at + 1)

    def empty(self, at):
        """D16, which is about no bytes: those are skipped."""
        self.complete()
        self.diagnose(16, at)
        return self.hunt(at, at + 1)

    def candidate(self, at):
        end = at
        while end < len(self.data) and self.data[end] == 0:
            end += 1
        if end == len(self.data):
            raise Cut
        if self.asked is not None:
            self.configure()
        if end - at + self.tail < 7 or self.data[end] != 0x80:
            return self.illegal(6, at)
        fields = self.sync_fields(end + 1)
        if fields:
            self.timeless()
        self.complete()
        if not fields:
            self.diagnose(2, at)
            # HUNT goes on behind this marker; its bytes are among those skipped.
            return self.hunt(at, end + 1)
        self.act_sync(at, fields, True)
        return fields[0]

    def done(self, at, reader):
        """A packet is read. Its last zeros may be a SYNC's, which it ate (3.4, uniqueness)."""
        packet = self.data[at:reader.at]
        self.tail = len(packet) - len(packet.rstrip(b'\0'))
        self.packets += 1
        return reader.at

    def timing_packet(self, at, h):
        reader = Reader(self.data, at + 1)
        if h == END:
            return self.end(at, reader)
        time = self.stamp(h, reader)
        if time is None:
            return self.illegal(6, at)
        self.npk += 1
        self.times.setdefault(self.sequence, []).append(time)
        return self.done(at, reader)

    def stamp(self, h, reader):
        """Time of a TSx packet in shifted ticks, None: it is none."""
        if TSS <= h <= TSS_LAST:
            delta = h - TSS
        elif h == TSD:
            delta = reader.leb()
        elif h == TSA:
            self.base = reader.leb()
            return self.base
        else:
            return None
        if self.base + delta > M64:
            self.diagnostics.append(Diagnostic(17, self.source, self.pending[-1].offset if self.pending else 0))
            self.clean = False
        self.base = self.base + delta & M64
        return self.base

    # ---- packets

    def known(self, at, h):
        reader = Reader(self.data, at + 1)
        if self.e.FIG and h in (RED2, SAME, FIFO, RED):
            return self.illegal(6, at)      # there are no such packets in figure mode
        if h in (OMIT, FULL, MERGED, RED2, SAME, FIFO, RED, SIG, STATE, MARK):
            events = self.event(h, reader)
            if events is None:
                return self.empty(at)
            self.complete()
            self.npk += 1
            self.pending = [Record(at_kind, self.place(at), self.index, en=en, flags=flags, value=value)
                            for at_kind, en, flags, value in events]
            self.stage = 0
            self.index += 1
        elif h in (INFO, ADDR) or h in (TSD, TSA) or TSS <= h <= TSS_LAST:
            self.attribute(h, reader)
        elif h == CFG:
            register, value = reader.byte() - 1, reader.leb()
            if not 0 <= register < 19:
                raise Illegal
            self.complete()
            record = Record(CONFIG, self.place(at), self.index, register=register, value=value)
            if self.asked is not None:
                self.configs.append(record)
            else:
                self.regs[register] = value
                self.e = Effective(self.regs)
                self.records.append(record)
        elif h == CNT:
            numbers = pairs(reader.block(), True)
            if any(en > 511 for en, _ in numbers):
                raise Illegal
            self.complete()
            self.records.append(Record(COUNTS, self.place(at), self.index, numbers=[v for p in numbers for v in p]))
        elif h == OVF:
            n = reader.leb()
            self.complete()
            self.diagnose(5, at, n=n)
            self.overflow = True
            self.lost_known += n
            self.records.append(Record(LOST, self.place(at), self.index, value=n))
        elif h == END:
            return self.end(at, reader)
        else:
            return self.illegal(6, at)
        return self.done(at, reader)

    def configure(self):
        """The CFG packets behind a SYNC have come. Reading: without ETCR, ETFR and ETTS the configuration before it goes on;
        where there was none, nothing can be decoded up to the next SYNC."""
        sync, self.asked = self.asked, None
        if self.timing:
            return True
        told = [r.register for r in self.configs]
        if {ETCR, ETFR, ETTS} <= set(told):
            last = {record.register: record for record in self.configs}     # each register once
            for register, record in sorted(last.items()):
                self.next[register] = record.value
                self.records.append(record)
            self.regs, self.e, self.configured = self.next, Effective(self.next), True
        else:
            self.diagnose(20, sync)
        # Reading: a SYNC that goes back, its clock being the same, is D17 where STATE 13 does not say why.
        if self.last is not None and not self.changed and self.last_clock == self.e.CLK and \
                self.last >> self.e.SHIFT > self.base:
            self.diagnose(17, sync)
        self.last, self.changed, self.last_clock = self.base << self.e.SHIFT & M64, False, self.e.CLK
        return self.configured

    def attribute(self, h, reader):
        last = self.pending[-1] if self.pending else None
        if h == INFO:
            if last is None or last.kind not in (ENTRY, _SIGNAL) or self.stage:
                raise Illegal
            block = pairs(reader.block(), False)
            self.stage = 1
            for tag, value in block:
                if 1 <= tag <= 10:
                    last.info[tag] = value
        elif h == ADDR:
            if last is None:
                raise Illegal
            kind = reader.byte()
            if kind not in (1, 2, 3) or last.kind != (RETURN if kind == 3 else ENTRY) or \
                    self.stage > kind:
                raise Illegal
            value = reader.leb()
            self.stage = kind + 1
            self.addresses[kind] = self.addresses[kind] + unzigzag(value) & M64
            setattr(last, (None, 'old', 'new', 'resumed')[kind], self.addresses[kind])
        else:
            if last is None or self.e.TSM != 1:
                raise Illegal
            time = self.stamp(h, reader)
            self.last, self.changed = time << self.e.SHIFT & M64, False
            for record in self.pending:
                record.time = time << self.e.SHIFT & M64
            self.complete()

    def timeless(self):
        """A good SYNC or END follows an event that lacks its time: D07, which is about no bytes."""
        if self.pending and self.e.TSM == 1:
            self.diagnostics.append(Diagnostic(7, self.source, self.pending[-1].offset))

    def complete(self):
        """What is pending is told: nothing more of it will come."""
        if self.pending:
            if self.e.TSM == 2:
                stamps = (self.times or {}).get(self.sequence, [])
                if self.npk - 1 < len(stamps):
                    self.last, self.changed = stamps[self.npk - 1] << self.e.SHIFT & M64, False
                    for record in self.pending:
                        record.time = self.last
                elif not self.unfit:
                    self.diagnostics.append(Diagnostic(19, self.source, self.pending[0].offset))
                    self.unfit = True       # once for a segment
            for record in self.pending:
                self.decoded += 1
                self.records.append(record)
                self.changed |= record.kind == STATES and record.value == 13
            self.pending = None

    def event(self, h, reader):
        """[(kind, number, flags, value)]; None: a number that was never there."""
        if h == SIG:
            low, flags = reader.byte(), reader.byte()
            return [(_SIGNAL, low | (flags & 1) << 8, {'withdrawn'} if flags & 128 else set(), None)]
        if h == STATE:
            code = reader.byte()
            if not 1 <= code <= 13:
                raise Illegal
            return [(STATES, None, set(), code)]
        if h == MARK:
            return [(MARKS, None, set(), reader.leb())]
        if h == MERGED:
            one, two, flags = reader.byte(), reader.byte(), reader.byte()
            fn = flags >> 4 & 3
            if fn > 1 or not fn and flags & 0x40:
                raise Illegal
            return self.pair(one | (flags & 1) << 8, two | (flags & 2) << 7, ENTRY if fn else RETURN)
        if h == RED2:
            both = reader.byte()
            return self.pair(self.reduced(both >> 4), self.reduced(both & 15), RETURN)
        low = reader.byte() if h == FULL else 0
        byte = reader.byte() & (0x7f if self.e.FIG else 0xff)
        kind = byte >> 4 & 3
        if not kind:
            raise Illegal
        flags = {name for bit, name in ((128, 'la'), (64, 'tc')) if byte & bit}
        if kind == RETURN and flags or kind == EXIT and 'la' in flags:
            raise Illegal       # flags of other kinds
        if h == OMIT and self.e.FIG:
            h = RED if self.e.RED and not self.e.OMIT else OMIT if self.e.OMIT else (None, SAME, SAME, FIFO)[self.e.COMP]
            if h is None:
                raise Illegal
        elif h in (FULL, OMIT, SAME) and byte & 8 and not self.e.FIG:
            flags.add('frc')
        if h == OMIT:
            return [(kind, None, flags, None)]
        if h == FULL:
            en = low | (byte & 1) << 8
            self.remember(en)
        elif h == RED:
            en = self.reduced(byte & 15)
            self.remember(en)
        else:
            en = self.same(kind) if h == SAME else self.slot(byte & 15)
            if en is None:
                return None
        return [(kind, en, flags, None)]

    def pair(self, one, two, kind):
        self.remember(one)
        self.remember(two)
        return [(EXIT, one, set(), None), (kind, two, {'tc'} if kind == ENTRY else set(), None)]

    def reduced(self, field):
        en = field + (self.e.REDBASE if self.e.REDOFS else 0)
        if en > 511 or field > self.e.REDMAX:
            raise Illegal
        return en

    # ---- 5.4

    def remember(self, en):
        self.previous = en
        self.stack = (self.stack + [en])[-(1 << self.e.STKD):]
        self.fifo[self.wp] = en
        self.wp = (self.wp + 1) % (2 << self.e.FIFOSZ)

    def same(self, kind):
        if self.e.COMP == 2:
            return self.stack.pop() if self.stack else None
        return self.previous if self.e.COMP == 1 else None

    def slot(self, field):
        en = self.fifo.get(field & (2 << self.e.FIFOSZ) - 1) if self.e.COMP == 3 else None
        if en is not None:
            self.remember(en)
        return en

    # ---- the end

    def end(self, at, reader):
        values = [reader.leb() for _ in range(6)]
        if reader.byte() != crc8(self.data[at + 1:reader.at - 1]) or bytes(7) in self.data[at:reader.at]:
            raise Illegal
        if self.asked is not None:
            self.configure()
        self.timeless()
        self.complete()
        detected, filtered, emitted, lost, npk, crc = values
        if npk != self.npk:
            self.diagnose(4, at, n=npk - self.npk)
        if crc != crc16(self.data[self.segment:at]):
            self.diagnose(3, at)
        undisturbed = self.clean and not self.timing
        if detected != filtered + emitted + lost or (undisturbed and emitted != self.decoded) or not self.timing and \
                (lost != self.lost_known and not self.lost_unknown):
            self.diagnose(21, at)
        self.records.append(Record(END_EVENT, self.place(at), self.index, numbers=values))
        self.packets += 1
        self.ended = True
        if reader.at < len(self.data):
            self.diagnose(18, reader.at, len(self.data) - reader.at)
        return None

    ended = False


# ---- level 4 --------------------------------------------------------------------------------------------------------

class OpenFrame:
    __slots__ = 'en', 'since', 'cut', 'children', 'waits', 'serial'

    def __init__(self, en, since, cut, serial):
        self.en, self.since, self.cut, self.serial = en, since, cut, serial
        self.children, self.waits = 0, False        # waits: a late arrival came before its first instruction


class Nesting:
    """5.5: takes the records of a source and fills in depth, durations and latencies; adds implied exits."""

    def __init__(self, source, diagnose):
        self.source, self.diagnose = source, diagnose
        self.frames, self.signals, self.out = [], {}, []
        self.serial, self.time, self.last_exit, self.known, self.off = 0, 0, None, False, False
        self.before, self.abandoned, self.dropped = None, False, False
        self.e = Effective(RESET)
        self.regs = list(RESET)

    def take(self, record):
        if record.time is not None:
            self.time = record.time
        handler = {SYNC_EVENT: self.sync, CONFIG: self.config, ENTRY: self.entry, EXIT: self.exit, RETURN: self.ret,
                   _SIGNAL: self.signal, STATES: self.state}.get(record.kind)
        if record.kind in (ENTRY, EXIT, RETURN):
            self.before, self.last_exit = self.last_exit, None
        if handler:
            handler(record)
        record.depth = len(self.frames)
        self.out.append(record)

    def now(self, record):
        return record.time if record.time is not None else self.time

    def config(self, record):
        self.regs[record.register] = record.value
        self.e = Effective(self.regs)

    def whole(self):
        """Everything is selected and flagged: what does not fit is strange. Reading: in a stream that leaves something out
        by its configuration D12 to D15 would say nothing."""
        c = self.e
        return set(c.kinds) == {ENTRY, EXIT, RETURN} and c.CLS == 0x7f and c.NORM and not c.HWONLY and c.PRIO == 7 and \
            not c.SUBSET and not c.R0EN and not c.R1EN and not c.BMEN and c.FROMP and c.FROMS and c.STATN < 2 and \
            not (c.RED and c.REDSUP) and not c.OMIT and not c.CTX and not c.FIG

    def sync(self, record):
        """The snapshot has the innermost 8 numbers, and how many there are."""
        whole, first = self.whole(), not self.known
        self.known, off, self.off = True, self.off, False
        self.abandoned = self.abandoned and whole
        wanted = list(reversed(record.frames))
        have = [f.en for f in self.frames]
        unknown = record.count - len(wanted)
        if len(have) == record.count and all(a == b or a is None for a, b in zip(have[unknown:], wanted)):
            self.regs = list(RESET)
            return
        if not first and not record.loss and not off and whole and not (self.abandoned and self.last_exit):
            self.diagnose(15, record.offset)
        for frame in reversed(self.frames):
            self.implied(record, frame, {'cut', 'bound', 'implied'})
        self.frames = []
        for en in [None] * unknown + wanted:
            self.push(en, record.time, True)
        self.regs = list(RESET)

    def push(self, en, time, cut):
        self.serial += 1
        frame = OpenFrame(en, time, cut, self.serial)
        self.frames.append(frame)
        return frame

    def implied(self, record, frame, flags):
        """`frame`, the newest, ends without a packet of its own."""
        made = Record(EXIT, record.offset, record.index, en=frame.en, time=self.now(record), flags=set(flags))
        self.close(made, frame)
        made.depth = len(self.frames)
        self.out.append(made)

    def close(self, record, frame):
        self.frames.remove(frame)
        gross = self.now(record) - frame.since & M64
        record.gross, record.own, record.frame = gross, gross - frame.children & M64, frame.serial
        if frame.cut:
            record.flags |= {'cut', 'bound'}
        if self.frames:
            parent = self.frames[-1]
            parent.children = parent.children + gross & M64

    def entry(self, record):
        if self.abandoned and self.before:
            for frame in reversed(list(self.frames)):
                self.implied(record, frame, {'implied'})
        if 'tc' in record.flags and self.frames and EXIT not in self.e.kinds:
            self.implied(record, self.frames[-1], {'implied'})
        if 'la' in record.flags and self.frames:
            self.frames[-1].waits = True
        frame = self.push(record.en, self.now(record), False)
        record.frame = frame.serial
        waiting = self.signals.get(record.en)
        if waiting:
            same = [s for s in waiting if 1 in record.info and s[1] == record.info[1]]
            chosen = same[0] if same else waiting[0]
            waiting.remove(chosen)
            record.latency = self.now(record) - chosen[0] & M64

    def exit(self, record):
        if record.en is None:
            at = len(self.frames) - 1
        else:
            at = max([i for i, f in enumerate(self.frames) if f.en in (record.en, None)], default=-1)
        if at < 0:
            if self.whole():
                self.diagnose(12, record.offset)
            self.last_exit = None
            return
        if at < len(self.frames) - 1 and not self.e.CTX:
            if self.whole() and 'frc' not in record.flags:
                self.diagnose(13, record.offset)
            for frame in reversed(self.frames[at + 1:]):
                self.implied(record, frame, {'implied'})
        frame = self.frames[at]
        self.close(record, frame)
        # 1.5 step 6: one forced EXIT stands for all frames, which is told by the RETURN to 0 or, when another handler
        # follows at once, by nothing else. The forced EXITs of step 3 follow one that is not forced.
        self.abandoned = 'frc' in record.flags and self.e.RETM == 1 and not self.e.CTX and not self.before
        self.last_exit = frame

    def ret(self, record):
        en = record.en
        if en is None:
            return
        top = self.frames[-1].en if self.frames else 0
        if top != en and not (top is None and self.frames) and not self.e.CTX:
            at = max([i for i, f in enumerate(self.frames) if f.en == en], default=-1)
            # What is resumed may be what was dropped with STATE 8.
            if self.whole() and 'frc' not in record.flags and not (at < 0 and self.dropped):
                self.diagnose(14, record.offset)
            keep = at + 1 if at >= 0 else 0 if not en else len(self.frames)
            for frame in reversed(self.frames[keep:]):
                self.implied(record, frame, {'implied'})
            if at < 0 and en:
                self.push(en, self.now(record), True)
        # Reading: also where tail-chained ones have taken the place of the one that arrived late.
        if self.frames and self.frames[-1].waits:
            self.frames[-1].waits = False
            record.start = self.now(record) - self.frames[-1].since & M64

    def signal(self, record):
        waiting = self.signals.setdefault(record.en, [])
        if 'withdrawn' in record.flags:
            if waiting:
                waiting.pop(0)
        else:
            waiting.append((self.now(record), record.info.get(1)))

    def state(self, record):
        if record.value == 6:
            for frame in reversed(list(self.frames)):
                self.implied(record, frame, {'implied', 'aborted'})
        elif record.value == 9:
            self.off = True
        elif record.value == 8:
            self.dropped = True
            del self.frames[:max(0, len(self.frames) - 63)]


# ---- level 1 --------------------------------------------------------------------------------------------------------

def chunks(data, diagnostics):
    """{(source, kind): (bytes, places)} of a container, or of a bare stream."""
    out = {}
    if data[:4] != b'ZETC':
        return {(None, 0): (data, [(0, 0)])}
    at = 16
    if len(data) < 16:
        diagnostics.append(Diagnostic(22, 0, 0, len(data)))
        return out
    while at < len(data):
        # Reading: what is behind a damaged head is not looked at.
        if len(data) - at < 8 or data[at:at + 2] != b'ZC':
            diagnostics.append(Diagnostic(22, 0, at, len(data) - at))
            break
        source, kind, length = data[at + 2], data[at + 3], int.from_bytes(data[at + 4:at + 8], 'big')
        at += 8
        have, places = out.setdefault((source, kind), (bytearray(), []))
        places.append((len(have), at))
        have += data[at:at + length]
        if len(data) - at < length:
            diagnostics.append(Diagnostic(22, source, len(data)))     # its bytes are packets or their own D
        at += length
    return out


class Decoded:
    """streams: {source: Stream}; records: {source: [Record]}; diagnostics: [Diagnostic]."""


def decode(data, assume=None):
    result = Decoded()
    result.diagnostics, result.streams, result.records = [], {}, {}
    found = chunks(bytes(data), result.diagnostics)
    for (source, kind), (stream, places) in sorted(found.items(), key=lambda item: item[0][0] or 0):
        if kind != 0:
            if kind > 4:
                result.diagnostics.append(Diagnostic(11, source, places[0][1] - 8))
            continue
        times = None
        if (source, 1) in found:
            times = {}
            companion = Stream(source, *found[source, 1], times=times, timing=True).run()
            result.diagnostics += companion.diagnostics
        name = source
        if name is None:        # a bare stream is of the source that its first SYNC names
            read = Stream(0, stream, places).run()
            name = next((r.source for r in read.records if r.kind == SYNC_EVENT), 0)
        one = Stream(name, stream, places, times=times, assume=assume).run()
        if not one.ended:
            one.diagnose(9, len(one.data))
        result.streams[name] = one
        nesting = Nesting(name, lambda code, offset: one.diagnostics.append(Diagnostic(code, name, offset)))
        for record in one.records:
            nesting.take(record)
        result.records[name] = nesting.out
        result.diagnostics += one.diagnostics
    return result
