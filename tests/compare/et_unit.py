# SPDX-License-Identifier: GPL-3.0-or-later
"""Exception trace, second model: the tracker of 1.5 and 1.6, the encoder of section 3 and the registers of section 4.

Slow and plain: every event is an object that goes through the decisions of 3.9 in their order. Where the text leaves
something open, the comment says Reading."""
from et_wire import *

STOPPED, RESET_CODE, DROPPED, OFF, ON, REFUSED, GUEST_CHANGED = 4, 6, 8, 9, 10, 11, 12
START, CONSOLE, GUEST = range(3)        # who writes
FRAMES = 64
PROBLEM = 1 << 63 - 15
TPI_FLAG, FROM_PROBLEM = 2, 32


class Frame:
    """`inside`: the frame whose handler it interrupted, or None; sampled: STATN chose it (4.3): EXIT and RETURN follow
    the ENTRY, whatever STATN is by then."""
    __slots__ = 'en', 'previous', 'mask', 'address', 'since', 'children', 'sampled', 'inside'

    def __init__(self, en, previous, mask, address, since, sampled=True, inside=None):
        self.en, self.previous, self.mask, self.address, self.since = en, previous, mask, address, since
        self.sampled, self.children, self.inside = sampled, 0, inside


class Event:
    """kind: ENTRY, EXIT, RETURN, SIGNAL, STATES or MARKS; frame: whose state and number select it (4.3)."""
    __slots__ = 'kind', 'en', 'time', 'tc', 'la', 'frc', 'frame', 'info', 'old', 'new', 'resumed', 'value'

    def __init__(self, kind, time, en=0, frame=None, tc=False, la=False, frc=False, info=(), old=None, new=None,
                 resumed=None, value=0):
        self.kind, self.time, self.en, self.frame, self.tc, self.la, self.frc = kind, time, en, frame, tc, la, frc
        self.info, self.old, self.new, self.resumed, self.value = info, old, new, resumed, value

    def __repr__(self):
        return ' '.join('%s=%s' % (n, getattr(self, n)) for n in self.__slots__)


class Encoder:
    """3.9 and 3.4: events of one source become bytes. `cur` and `frames` (innermost first, ENs) are what SYNC tells."""

    def __init__(self, source, regs):
        self.source, self.regs, self.e = source, in_force(regs), Effective(in_force(regs))
        self.on = False
        self.out, self.timing = bytearray(), bytearray()
        self.sequence = self.npk = 0
        self.segment = self.timing_segment = 0      # where the bytes behind the last SYNC begin
        self.timing_count, self.timing_begun = 0, False
        self.detected = self.filtered = self.emitted = self.lost = 0
        self.held = None
        self.cur, self.frames = 0, []
        self.entries_since = {}                     # for CNT
        self.kept = []                              # what was selected, for decode(encode(x))
        self.apart = []                             # where SYNC and END stand: (begin, end)

    # ---- SYNC, CFG, CNT, END (3.4)

    def sync_body(self, flags, npk, crc, time):
        body = bytes([0x10, 0x80 | flags]) + leb(self.source + 1) + leb(self.sequence) + leb(npk) + leb(crc)
        body += leb(time) + leb(self.cur) + leb(len(self.frames) + 1) + b''.join(leb(en) for en in self.frames[:8])
        return MARKER + body + bytes([crc8(body)])

    def counts(self):
        pairs = [leb(en) + leb(n) for en, n in sorted(self.entries_since.items()) if n]
        self.entries_since = {}
        packet = b''
        for pair in pairs + [None]:
            if packet and (pair is None or len(packet) + len(pair) > 127):
                self.out += bytes([CNT, len(packet)]) + packet
                packet = b''
            packet += pair or b''

    def sync(self, time, loss=False):
        if not self.sequence:
            self.entries_since = {}     # Reading: what was before the stream began is not told
        elif self.e.CNTE:
            self.counts()
        shifted = time >> self.e.SHIFT
        self.sequence += 1
        crc = crc16(self.out[self.segment:]) if self.sequence > 1 else 0xffff
        begin = len(self.out)
        self.out += self.sync_body(self.e.FIG | loss << 2, self.npk, crc, shifted)
        self.apart.append((begin, len(self.out)))
        self.segment, self.npk = len(self.out), 0
        if self.e.TSM == 2:
            crc = crc16(self.timing[self.timing_segment:]) if self.timing_begun else 0xffff
            self.timing += self.sync_body(self.e.FIG | 2 | loss << 2, self.timing_count, crc, shifted)
            self.timing_segment, self.timing_count, self.timing_begun = len(self.timing), 0, True
        self.previous, self.stack = None, []
        self.fifo, self.wp, self.written = [None] * (2 << self.e.FIFOSZ), 0, 0
        self.addresses = [0, 0, 0, 0]
        self.base, self.last = shifted, time
        for index in TOLD:
            if index in TOLD_ALWAYS or self.regs[index] != RESET[index]:
                self.out += bytes([CFG, index + 1]) + leb(self.regs[index])

    def end_packet(self, npk, crc):
        body = leb(self.detected) + leb(self.filtered) + leb(self.emitted) + leb(self.lost) + leb(npk) + leb(crc)
        return bytes([END]) + body + bytes([crc8(body)])

    def end(self):
        if self.sequence:
            packet = self.end_packet(self.npk, crc16(self.out[self.segment:]))
            self.apart.append((len(self.out), len(self.out) + len(packet)))
            self.out += packet
        if self.timing_begun:
            # Reading: a timing stream ends as well, with the accounts of its source.
            self.timing += self.end_packet(self.timing_count, crc16(self.timing[self.timing_segment:]))

    # ---- 4.3

    def kind_selected(self, e):
        if e.kind == SIGNAL:
            return self.e.SIG
        if e.kind == STATES:
            return self.e.STATE or e.value in (RESET_CODE, DROPPED, OFF, ON)
        return e.kind == MARKS or e.kind in self.e.kinds

    def fits(self, en):
        if self.e.REDOFS:
            return self.e.REDBASE <= en <= self.e.REDBASE + self.e.REDMAX
        return en <= self.e.REDMAX

    def number_selected(self, en):
        c, klass = self.e, number_class(en)
        if not (c.NORM if klass == NO_CLASS else c.CLS >> klass & 1):
            return False
        if c.HWONLY and klass not in (RESTART, EXIGENT, REPRESSIBLE, EXTERNAL, IO):
            return False
        # Reading: NORMAL has no priority; only PRIO=7 lets all pass.
        if c.PRIO != 7 and PRIORITY.get(klass, 8) > c.PRIO:
            return False
        if not (True, klass <= IO, klass in (SVC, PROGRAM), en in (4, 5), klass == IO,
                en in (0x90, 0x91, 0xb8, 0xb9, 0xba, 0xbb), en <= 15, False)[c.SUBSET]:
            return False
        including = inside = False
        for used, excluding, low, high in ((c.R0EN, c.R0EXC, c.R0LOW, c.R0HIGH), (c.R1EN, c.R1EXC, c.R1LOW, c.R1HIGH)):
            if used and excluding and low <= en <= high:
                return False
            if used and not excluding:
                including = True
                inside |= low <= en <= high
        if including and not inside:
            return False
        if c.BMEN and not c.bitmap >> en & 1:
            return False
        return not (c.RED and c.REDSUP and not c.OMIT and not self.fits(en))

    def selected(self, e):
        if e.kind in (STATES, MARKS):
            return True
        if not self.number_selected(e.en):
            return False
        if e.kind == SIGNAL:
            return True
        if not (self.e.FROMP if e.frame.mask & PROBLEM else self.e.FROMS):
            return False
        return self.e.STATN < 2 or e.frame.sampled

    # ---- 3.9

    def event(self, e):
        """E1 to E7."""
        if not self.on:
            return
        self.detected += 1
        if self.e.SYNCPER and len(self.out) - self.segment >= self.e.SYNCPER * 64 and self.held is None:
            self.sync(max(e.time, self.last))   # Reading: time goes back by TSA alone
        if self.held and self.e.MTO and e.time - self.held.time > self.e.MTO:
            self.release()
        if not self.kind_selected(e) or not self.selected(e):
            self.filtered += 1
            self.release()
            return
        if self.held:
            pair = self.held
            if (e.kind == RETURN or e.kind == ENTRY and e.tc and self.e.MERGE == 2) and not self.forced(e) and \
                    not self.forced(pair):
                self.held = None
                self.merged(pair, e)
                return
            self.release()
        if self.e.MERGE and not self.e.OMIT and e.kind == EXIT:
            self.held = e
            return
        self.emit([e], self.alone(e))

    def forced(self, e):
        """3.7: in figure mode there is no FRC."""
        return e.frc and not self.e.FIG

    def release(self):
        if self.held:
            e, self.held = self.held, None
            self.emit([e], self.alone(e))

    def emit(self, events, packet):
        """E12's end: the packet, then what goes with it, then the time of the last event."""
        last = events[-1]
        self.out += packet + self.details(last)
        self.npk, self.last = self.npk + 1, last.time
        self.emitted += len(events)
        self.kept += [(e, self.seen(e, packet, last.time)) for e in events]
        if self.e.TSM:
            now = last.time >> self.e.SHIFT
            delta, self.base = now - self.base, now
            stamp = bytes([TSA]) + leb(now) if delta < 0 else bytes([TSS + delta]) if delta <= 62 else \
                bytes([TSD]) + leb(delta)
            if self.e.TSM == 1:
                self.out += stamp
            else:
                self.timing += stamp
                self.timing_count += 1

    def seen(self, e, packet, time):
        """What a decoder can know of an event in that packet: in the order of et.py, roundtrip()."""
        number = None if packet[0] == OMIT and self.e.OMIT or e.kind in (STATES, MARKS) else e.en
        pair = packet[0] in (MERGED, RED2)
        tc = e.kind == ENTRY if pair and e.tc else bool(self.tc(e))
        time = time >> self.e.SHIFT << self.e.SHIFT if self.e.TSM else None
        attributes = [sorted(e.info) if self.e.INFO else []]
        attributes += [a if wanted else None for a, wanted in
                       ((e.old, self.e.ADDRO), (e.new, self.e.ADDRN), (e.resumed, self.e.ADDRR))]
        return (e.kind, number, time, e.kind in (ENTRY, EXIT) and tc, e.la and bool(self.e.LAE), self.forced(e),
                *attributes, e.value if e.kind in (STATES, MARKS) else None, e.kind == SIGNAL and bool(e.value))

    def tc(self, e):
        return e.tc and (e.kind == ENTRY and self.e.TCE or e.kind == EXIT and self.e.TCX)

    def merged(self, one, two):
        if two.kind == RETURN and self.e.RED and not self.e.FIG and self.fits(one.en) and self.fits(two.en):
            base = self.e.REDBASE if self.e.REDOFS else 0
            packet = bytes([RED2, one.en - base << 4 | two.en - base])
        else:
            fn = 0 if two.kind == RETURN else 0x50
            packet = bytes([MERGED, one.en & 255, two.en & 255, fn | two.en >> 8 << 1 | one.en >> 8])
        self.remember(one.en)
        self.remember(two.en)
        self.emit([one, two], packet)

    def remember(self, en):
        """3.8: a packet with number went out."""
        if self.e.COMP == 1:
            self.previous = en
        elif self.e.COMP == 2:
            self.stack = (self.stack + [en])[-(1 << self.e.STKD):]
        elif self.e.COMP == 3:
            self.fifo[self.wp] = en, self.written
            self.written += 1
            self.wp = (self.wp + 1) % len(self.fifo)

    def compressed(self, e, flags, forced):
        """E10. The packet, or None when nothing matches."""
        if self.e.COMP == 1:
            if e.en == self.previous:
                return bytes([OMIT if self.e.FIG else SAME, flags])
        elif self.e.COMP == 2:
            if e.kind != ENTRY and self.stack and self.stack[-1] == e.en:
                self.stack.pop()
                return bytes([OMIT if self.e.FIG else SAME, flags])
        elif not forced:
            slots = [(entry[1], x) for x, entry in enumerate(self.fifo) if entry and entry[0] == e.en]
            if slots:
                self.remember(e.en)
                return bytes([OMIT if self.e.FIG else FIFO, flags | max(slots)[1]])
        return None

    def alone(self, e):
        """E8 to E12 for one event."""
        if e.kind == SIGNAL:
            return bytes([SIG, e.en & 255, e.value << 7 | e.en >> 8])
        if e.kind == STATES:
            return bytes([STATE, e.value])
        if e.kind == MARKS:
            return bytes([MARK]) + leb(e.value)
        c, forced = self.e, self.forced(e)
        flags = (128 if e.la and c.LAE else 0) | (64 if self.tc(e) else 0) | e.kind << 4 | (8 if forced else 0)
        if c.OMIT:
            return bytes([OMIT, flags])
        packet = self.compressed(e, flags, forced) if c.COMP else None
        if packet:
            return packet
        self.remember(e.en)
        if c.RED and self.fits(e.en) and not forced:
            return bytes([OMIT if c.FIG else RED, flags | e.en - (c.REDBASE if c.REDOFS else 0)])
        return bytes([FULL, e.en & 255, flags | e.en >> 8])

    def details(self, e):
        out, c = b'', self.e
        if e.info and c.INFO:
            pairs = b''.join(bytes([tag]) + leb(value) for tag, value in e.info)
            out += bytes([INFO, len(pairs)]) + pairs
        for kind, wanted, address in ((1, c.ADDRO, e.old), (2, c.ADDRN, e.new), (3, c.ADDRR, e.resumed)):
            if wanted and address is not None:
                out += bytes([ADDR, kind]) + leb(zigzag(address - self.addresses[kind]))
                self.addresses[kind] = address
        return out


class Counts:
    def __init__(self):
        self.entries = self.exits = self.returns = self.tail_chains = self.late = 0
        self.gross = self.self = self.gross_max = self.self_max = 0

    def values(self):
        return (self.entries, self.exits, self.returns, self.tail_chains, self.late, self.gross, self.self,
                self.gross_max, self.self_max)


class Pending:
    """START, or RETURN with what is to be told at the boundary."""

    def __init__(self, exits=None, resume=0, frc=False, frame=None, rest=(), running=None):
        self.exits, self.resume, self.frc, self.frame, self.rest = exits, resume, frc, frame, rest
        self.running = running


class Cpu:
    """One source: tracker (1.5, 1.6), encoder and registers. clock(CLK): ticks."""

    def __init__(self, source, clock, host_clock=True):
        self.clock, self.host_clock = clock, host_clock
        self.regs = list(RESET)
        self.encoder = Encoder(source, self.regs)
        self.frames, self.cur, self.pending = [], 0, None       # newest last
        self.running = None         # the frame of the handler `cur'
        self.shown = []             # the frames as events have told them: what SYNC says
        self.entries = 0
        self.count = {}
        self.reloads_in_normal = self.reloads_in_handler = 0
        self.overflowed = False
        self.table = False          # CTX has been on: whose durations those of an EXIT are is not said
        self.set_back = False       # a clock went backwards: durations mean nothing

    # ---- telling

    @property
    def e(self):
        return self.encoder.e

    def now(self):
        return self.clock(self.e.CLK)

    def counts(self, en):
        return self.count.setdefault(en, Counts())

    def snapshot(self):
        self.encoder.frames = [f.en for f in reversed(self.shown)]

    def tell(self, event):
        self.snapshot()
        self.encoder.event(event)

    def tell_exit(self, frame, en, time, frc, tc):
        """`frame` is closed by it; `en` is what is told."""
        self.tell(Event(EXIT, time, en, frame, tc=tc, frc=frc))
        if frame in self.shown:
            self.shown.remove(frame)

    def close(self, frame, time):
        """Durations of a frame that ends now; 5.5 says what they are."""
        gross = time - frame.since & M64
        own = gross - frame.children & M64
        c = self.counts(frame.en)
        c.gross, c.self = c.gross + gross & M64, c.self + own & M64
        c.gross_max, c.self_max = max(c.gross_max, gross), max(c.self_max, own)
        at = self.frames.index(frame)
        if at:
            parent = self.frames[at - 1]
            parent.children = parent.children + gross & M64
        self.frames.remove(frame)

    # ---- hooks

    def entry(self, klass, code, old, new, info=()):
        en, now, pending = number(klass, code), self.now(), self.pending
        tail = pending is not None and pending.exits is not None
        late = pending is not None and pending.exits is None
        if tail:
            self.tell_exits(tc=True)
        if len(self.frames) == FRAMES:
            self.tell(Event(STATES, now, value=DROPPED))
            self.frames.pop(0)
            del self.shown[:max(0, len(self.shown) - FRAMES + 1)]
        frame = Frame(en, pending.resume if tail else self.cur, old[0], old[1], now, self.sampled(),
                      pending.running if tail else self.running)
        self.frames.append(frame)
        self.count_entry(en, tail, late)
        info = self.info(self.from_problem(info, frame), 1)
        self.tell(Event(ENTRY, now, en, frame, tc=tail, la=late, info=info, old=old[1], new=new[1]))
        # What a forced reload has left behind is gone when it is told what comes after it: a RETURN or this.
        self.forget(pending.rest if tail else ())
        self.shown = self.shown[-FRAMES + 1:] + [frame]
        self.cur, self.running = en, frame
        self.encoder.cur = en
        self.pending = Pending()

    def sampled(self):
        """Of the next frame. Reading: entries are numbered from 1, those while output is on, filtered or not: a filter of
        the full stream knows no others (ET-78)."""
        self.entries += self.encoder.on
        return self.encoder.on and (self.e.STATN < 2 or self.entries % self.e.STATN == 0)

    def count_entry(self, en, tail, late):
        c = self.counts(en)
        c.entries += 1
        c.tail_chains += tail
        c.late += late
        since = self.encoder.entries_since
        since[en] = since.get(en, 0) + 1

    def info(self, given, more):
        """`given`: {tag: value}; tag 8, when it is asked for, is the depth after the event."""
        return [(tag, len(self.shown) + more if tag == 8 else value) for tag, value in sorted(dict(given).items())
                if tag != 6 or value]

    def from_problem(self, info, frame):
        """Reading: the full stream tells in bit 5 of INFO's flags that problem state was interrupted; nothing else in it
        would let a filter apply FROMP and FROMS (ET-78)."""
        info = dict(info)
        if self.e.DS and frame.mask & PROBLEM:
            info[6] = info.get(6, 0) | FROM_PROBLEM
        return info

    def forget(self, frames):
        self.shown = [f for f in self.shown if f not in frames]

    def tell_exits(self, tc=False):
        for n, (frame, en, time, frc) in enumerate(self.pending.exits):
            # Reading: of several EXITs of a reload the last one is tail-chained.
            self.tell_exit(frame, en, time, frc, tc and n == len(self.pending.exits) - 1)
        self.pending.exits = []

    def match(self, frame, mask, address):
        if (frame.mask ^ mask) & self.e.ETPM:
            return False
        apart = address - frame.address & M64
        return apart == 0 or self.e.NEAR and apart in (2, 4, 6, M64 - 1, M64 - 3, M64 - 5)

    def reload(self, insn, mask, address):
        """insn: LPSW, LPSWE, LPSWEY, RP or PR, 0 to 4."""
        returns = insn >= 3     # RP, PR: only step 1 applies, and they are no LPSW that is counted
        if not self.frames:
            self.reloads_in_normal += not returns
            return
        now, top = self.now(), self.frames[-1]
        found = next((f for f in reversed(self.frames) if self.match(f, mask, address)), None)
        if self.e.CTX:
            self.switch(returns, found, top, mask, now)
        elif found:
            gone = self.frames[self.frames.index(found):][::-1]
            self.leave([(f, f.en, now, f is not top) for f in gone], gone, found.previous, False, found)
        elif returns or self.e.RETM == 0 or self.e.RETM == 1 and not mask & PROBLEM:
            self.reloads_in_handler += not returns
        elif self.e.RETM == 1:
            self.leave([(top, self.cur, now, True)], [top], 0, True, top, self.frames[:-1])
            for frame in self.pending.rest:
                self.frames.remove(frame)
        else:
            self.leave([(top, self.cur, now, True)], [top], top.previous, True, top)

    def switch(self, returns, found, top, mask, now):
        """Steps 2, 4 to 8 with CTX=1. Reading, for no orphan (ET-13): what ends is the handler that runs; it need not be
        that of the frame that is removed, not even of the newest, and there may be none. Its frame stays in the table, but
        it is not open any more for SYNC."""
        running = self.running if self.running in self.frames else None
        exits = [(running or found or top, self.cur, now, not found)] if self.cur else []
        if found:
            self.leave(exits, [found], found.previous, False, found, [found])
        elif not self.cur:
            self.reloads_in_handler += not returns      # a frame is open, whoever runs
        elif returns or self.e.RETM == 0 or self.e.RETM == 1 and not mask & PROBLEM:
            self.reloads_in_handler += not returns
        elif self.e.RETM == 1:
            self.leave(exits, [], 0, True, running or top)
        else:
            self.leave(exits, [top], top.previous, True, top, [top])

    def leave(self, exits, closed, resume, frc, frame, rest=()):
        """EXITs are told at the boundary, then RETURN(resume), which is one of `frame`. `closed` go now; `rest` without an
        EXIT."""
        for _, en, _, _ in exits:
            self.counts(en).exits += 1
        for f in closed:
            self.close(f, self.now())
        running = frame.inside if resume and frame.inside in self.frames else None
        self.pending = Pending(exits, resume, frc, frame, list(rest), running)

    def boundary(self, mask, address):
        pending = self.pending
        if pending and pending.exits is not None:
            self.tell_exits()
            self.tell(Event(RETURN, self.now(), pending.resume, pending.frame, frc=pending.frc, resumed=address))
            self.counts(pending.resume).returns += 1
            self.forget(pending.rest)
            if pending.resume and not self.shown and not self.e.CTX:
                # Reading: what was dropped with STATE 8 is open again when it is told to be resumed, as 5.5 has it.
                self.shown.append(Frame(pending.resume, 0, 0, 0, self.now()))
            self.cur, self.running = pending.resume, pending.running
            self.encoder.cur = pending.resume
        self.pending = None

    def request(self, klass, code, info, withdrawn):
        en = number(klass, code)
        self.tell(Event(SIGNAL, self.now(), en, info=self.info(info, 0), value=int(withdrawn)))

    def tpi(self, isc, ssid):
        """Only inside an I/O handler (ET-15)."""
        top = self.running if self.e.CTX else self.frames[-1] if self.frames else None
        if not self.e.TPI or top not in self.frames or number_class(self.cur) != IO:
            return
        now, en = self.now(), 8 + isc
        self.counts(self.cur).exits += 1
        place = self.frames.index(top)
        self.close(top, now)
        self.tell_exit(top, self.cur, now, False, True)
        frame = Frame(en, top.previous, top.mask, top.address, now, self.sampled(), top.inside)
        self.frames.insert(place, frame)
        self.count_entry(en, True, False)
        info = self.info(self.from_problem({1: ssid, 6: TPI_FLAG}, frame), 1)
        self.tell(Event(ENTRY, now, en, frame, tc=True, info=info))
        self.shown.append(frame)
        self.cur, self.running = en, frame
        self.encoder.cur = en

    def state(self, code):
        if code in (STOPPED, RESET_CODE) and self.pending and self.pending.exits is not None:
            self.tell_exits()
        # What is held now is released by the STATE event, E4 or E6.
        self.tell(Event(STATES, self.now(), value=code))
        if code == RESET_CODE:
            self.frames, self.shown, self.pending, self.running = [], [], None, None
            self.cur = self.encoder.cur = 0

    def mark(self, value):
        self.tell(Event(MARKS, self.now(), value=value))

    # ---- registers (4.1, 4.2, 4.5)

    def write(self, index, value, by):
        """True: accepted."""
        if index == ETST:
            if value & 2:
                self.overflowed = False
            return True
        regs = list(self.regs)
        regs[index] = value
        return self.configure(regs, by)

    def output(self, on, by):
        regs = list(self.regs)
        put(regs, 'EN', on)
        return self.configure(regs, by)

    def refused(self, regs, by):
        if get(self.regs, 'LOCK') and by != START:
            return True
        if by == GUEST and (not get(self.regs, 'GUEST') or get(regs, 'LOCK')):
            return True
        if by != START and get(regs, 'ALWAYS') != get(self.regs, 'ALWAYS'):
            return True
        return wrong(regs, self.host_clock) is not None

    def configure(self, regs, by):
        if self.refused(regs, by):
            self.tell(Event(STATES, self.now(), value=REFUSED))
            return False
        if regs == self.regs:   # Reading: what changes nothing is no change.
            return True
        encoder, was = self.encoder, self.encoder.on
        wanted = bool(Effective(regs).output)
        encoder.release()
        if was and not wanted:
            self.tell(Event(STATES, self.now(), value=OFF))
            encoder.release()
        clock = self.e.CLK
        self.table |= bool(get(regs, 'CTX'))
        self.regs = list(regs)
        encoder.regs, encoder.e, encoder.on = in_force(regs), Effective(in_force(regs)), wanted
        if self.e.CLK != clock:     # Reading: durations of open frames begin anew
            for frame in self.frames:
                frame.since, frame.children = self.now(), 0
            if self.pending and self.pending.exits:
                self.pending.exits = [(f, en, self.now(), frc) for f, en, _, frc in self.pending.exits]
        if wanted:
            again = encoder.sequence
            self.sync()
            if not was and again:
                self.tell(Event(STATES, self.now(), value=ON))
        if by == GUEST:
            self.tell(Event(STATES, self.now(), value=GUEST_CHANGED))
        return True

    def sync(self):
        self.snapshot()
        self.encoder.sync(self.now())

    def flush(self):
        if self.encoder.on:
            self.encoder.release()
            self.sync()

    def finish(self):
        if self.pending and self.pending.exits:
            self.tell_exits()
        self.encoder.release()
        self.encoder.end()


class Machine:
    """CPUs and source 255 for floating requests. ticks[cpu][CLK] is what the clocks show."""

    def __init__(self, cpus, host_clock=True):
        # Reading: source 255 is there with more than one CPU, and has the clocks of CPU 0.
        self.ticks = {n: [0, 0, 0, 0] for n in range(cpus)}
        self.several = cpus > 1
        if self.several:
            self.ticks[255] = self.ticks[0]
        make = lambda n: Cpu(n, lambda clock: self.ticks[n][clock], host_clock)
        self.cpus = {n: make(n) for n in self.ticks}

    def request(self, cpu, *what):
        self.cpus[cpu if cpu >= 0 else 255 if self.several else 0].request(*what)

    def streams(self):
        """{(source, kind): bytes} of what is there."""
        out = {}
        for source, cpu in self.cpus.items():
            if cpu.encoder.out:
                out[source, 0] = bytes(cpu.encoder.out)
            if cpu.encoder.timing:
                out[source, 1] = bytes(cpu.encoder.timing)
        return out
