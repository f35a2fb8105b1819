# SPDX-License-Identifier: GPL-3.0-or-later
"""Exception trace: random histories of a machine with a random legal configuration, as lines of text that et_unit.py and
the program tests/compare/et both carry out. Numbers are hexadecimal.

    new CPUS HOST-CLOCK                   time CPU TOD INSN CYCLE HOST
    entry CPU CLASS CODE OLD OLD-ADDRESS NEW NEW-ADDRESS TAG:VALUE...
    reload CPU INSN MASK ADDRESS          boundary CPU MASK ADDRESS
    request CPU CLASS CODE WITHDRAWN TAG:VALUE...   (CPU ffff: floating)
    tpi CPU ISC SSID                      state CPU CODE
    mark CPU VALUE                        flush CPU
    write CPU INDEX VALUE BY              all CPU BY VALUE*19
    output CPU ON BY                      show CPU
    end
"""
from et_unit import *

FLOATING = 0xffff
HANDLER_MASK = 0x0400000180000000


def said(cpu, regs):
    """Does the specification say what comes of these registers? Not what `cur' means when CTX changes while a frame is open;
    not whose frame an event is in the table of CTX=1, so nothing is selected by frames there; and not what RETM is between
    a reload and its boundary."""
    changed = lambda name: get(regs, name) != get(cpu.regs, name)
    if changed('CTX') and (cpu.frames or cpu.pending or cpu.cur) or changed('RETM') and cpu.pending:
        return False
    return not get(regs, 'CTX') or get(regs, 'STATN') < 2 and get(regs, 'FROMP') and get(regs, 'FROMS')


class Player:
    """Carries out lines. What a CPU cannot do is left out: play() is False then."""

    def __init__(self):
        self.machine, self.log = None, []

    def play(self, line):
        word, *rest = line.split()
        numbers = [int(w, 16) for w in rest if ':' not in w]
        info = {int(t, 16): int(v, 16) for t, v in (w.split(':') for w in rest if ':' in w)}
        if word == 'new':
            self.machine = Machine(numbers[0], bool(numbers[1]))
            return True
        if word == 'end':
            for cpu in self.machine.cpus.values():
                cpu.finish()
            return True
        if word == 'request':
            if numbers[0] != FLOATING and numbers[0] not in self.machine.cpus:
                return False
            self.machine.request(-1 if numbers[0] == FLOATING else numbers[0], numbers[1], numbers[2], info, numbers[3])
            return True
        if numbers[0] not in self.machine.cpus:
            return False
        return getattr(self, word)(self.machine.cpus[numbers[0]], numbers[1:], info) is not False

    def time(self, cpu, numbers, _):
        if cpu.encoder.source != 255:       # that has no clock of its own
            ticks = self.machine.ticks[cpu.encoder.source]
            back = any(new - old & M64 >= 1 << 62 for new, old in zip(numbers, ticks))
            for other in self.machine.cpus.values():
                other.set_back |= back and self.machine.ticks[other.encoder.source] is ticks
            ticks[:] = numbers

    def entry(self, cpu, numbers, info):
        klass, code, om, oa, nm, na = numbers
        cpu.entry(klass, code, (om, oa), (nm, na), info)

    def reload(self, cpu, numbers, _):
        if cpu.pending:
            return False
        cpu.reload(*numbers)

    def boundary(self, cpu, numbers, _):
        if not cpu.pending:
            return False
        cpu.boundary(*numbers)

    def tpi(self, cpu, numbers, _):
        if cpu.pending:
            return False
        cpu.tpi(*numbers)

    def state(self, cpu, numbers, _):
        cpu.state(*numbers)

    def mark(self, cpu, numbers, _):
        cpu.mark(*numbers)

    def flush(self, cpu, _, __):
        cpu.flush()

    def accepted(self, yes):
        self.log.append('accepted' if yes else 'refused')

    def write(self, cpu, numbers, _):
        regs = list(cpu.regs)
        regs[numbers[0]] = numbers[1]
        if not said(cpu, regs):
            return False
        self.accepted(cpu.write(*numbers))

    def all(self, cpu, numbers, _):
        if not said(cpu, numbers[1:]):
            return False
        self.accepted(cpu.configure(numbers[1:], numbers[0]))

    def output(self, cpu, numbers, _):
        self.accepted(cpu.output(*numbers))

    def show(self, cpu, _, __):
        e = cpu.encoder
        held = 1 if e.held else 0
        self.log.append('accounts %x %x %x %x %x %x held %x depth %x current %x attention %x' % (
            e.detected, e.filtered, e.emitted, e.lost, cpu.reloads_in_normal, cpu.reloads_in_handler, held,
            len(cpu.frames), cpu.cur, cpu.pending is not None))
        for f in reversed(cpu.frames):
            self.log.append('frame %x %x %x %x' % (f.en, f.previous, f.mask, f.address))
        for en, c in sorted(cpu.count.items()):
            if any(c.values()[:5]):
                self.log.append('count %x: %s' % (en, ' '.join('%x' % v for v in c.values()[:5 if cpu.table or cpu.set_back else 9])))


# ---- random ones ------------------------------------------------------------------------------------------------------

CODES = {RESTART: [0], EXIGENT: [0], REPRESSIBLE: [0], EXTERNAL: [0x1004, 0x1005, 0x1202, 0x2401, 0x4000, 0x1234],
         IO: [0, 3, 5, 7], PROGRAM: [1, 0x10, 0x11, 0x38, 0x3b, 0x40, 0x80, 0x94, 0x119, 0x211, 0x300],
         SVC: [0, 3, 10, 15, 16, 200, 255]}
INFO_TAGS = {1: 64, 2: 3, 3: 64, 4: 16, 5: 32, 6: 5, 7: 8, 9: 16, 10: 64}


class Maker:
    """rng: random.Random."""

    def __init__(self, rng):
        self.rng, self.player, self.lines = rng, Player(), []

    def some(self, chance):
        return self.rng.random() < chance

    def add(self, word, *numbers, info=()):
        line = ' '.join([word] + ['%x' % n for n in numbers] + ['%x:%x' % p for p in dict(info).items()])
        if self.player.play(line):
            self.lines.append(line)

    # ---- configurations

    def fields(self):
        r, some = self.rng, self.some
        out = {'EN': int(some(0.95))}
        choose = lambda chance, name, *values: some(chance) and out.__setitem__(name, r.choice(values))
        if some(0.3):
            if some(0.3):
                out['EVENC'], out['EVSEL'] = 1, r.choice((8, 9, 10, 12, 14, 13, 11, 0, 7))
            else:
                out['EVSEL'] = r.randrange(9)
        for name, chance in (('SIG', 0.4), ('STATE', 0.4), ('TPI', 0.5), ('NEAR', 0.4), ('CNTE', 0.15), ('DS', 0.05),
                             ('CTX', 0.15)):
            choose(chance, name, 1)
        choose(0.6, 'RETM', 0, 1, 2)
        if some(0.1):
            out['FROMP'], out['FROMS'] = r.choice(((0, 1), (1, 0), (0, 0)))
        choose(0.12, 'OMIT', 1)
        choose(0.5, 'COMP', 1, 2, 3, 3)
        choose(0.35, 'RED', 1)
        choose(0.3, 'REDSUP', 1)
        if some(0.5):
            out['REDOFS'], out['REDBASE'] = 1, r.choice((0, 4, 8, 0x80, 0x100, 0x1f0, 0x1ff))
        choose(0.3, 'REDMAX', 0, 3, 7, 14)
        choose(0.5, 'MERGE', 1, 2)
        choose(0.5, 'TCE', 1)
        choose(0.4, 'TCX', 1)
        choose(0.5, 'LAE', 1)
        choose(0.4, 'FIFOSZ', 0, 2, 3)
        choose(0.4, 'STKD', 0, 1, 2)
        if some(0.3):
            for name in ('INFO', 'ADDRO', 'ADDRN', 'ADDRR'):
                choose(0.6, name, 1)
        if some(0.12):
            out['FIG'] = 1
            out.update(LAE=0, INFO=0, ADDRO=0, ADDRN=0, ADDRR=0)
            keep = r.choice(('OMIT', 'COMP', 'RED', None))
            out.update((n, 0) for n in ('OMIT', 'COMP', 'RED') if n != keep)
            out['MERGE'], out['FIFOSZ'] = r.randrange(2), r.randrange(2)
        if some(0.3):
            choose(0.4, 'CLS', r.randrange(128), r.randrange(128) | 0x50)
            choose(0.2, 'NORM', 0)
            choose(0.1, 'HWONLY', 1)
            choose(0.2, 'PRIO', *range(7))
            choose(0.2, 'SUBSET', *range(8))
            for n in '01':
                if some(0.2):
                    low = r.choice((0, 4, 8, 0x80, 0x100))
                    out.update({'R%sEN' % n: 1, 'R%sEXC' % n: r.randrange(2), 'R%sLOW' % n: low,
                                'R%sHIGH' % n: min(low + r.choice((0, 1, 7, 10, 0xff)), 511)})
            choose(0.2, 'BMEN', 1)
        out['TSM'] = r.choice((0, 1, 1, 1, 2))
        out['CLK'] = r.choice((0, 1, 1, 1, 2, 3))
        choose(0.2, 'SHIFT', 1, 4, 12, 63)
        out['SYNCPER'] = r.choice((0, 0, 1, 2, 3, 64))
        choose(0.2, 'SIZE', 7, 10, 26)
        choose(0.2, 'MTO', 1, 20, 50, 1000)
        choose(0.1, 'STATN', 1, 2, 3, 5)
        if out.get('CTX'):      # whose frame an event is in the table is not said well enough
            out['FROMP'] = out['FROMS'] = 1
            out.pop('STATN', None)
        return out

    def registers(self, cpu):
        """Legal ones."""
        while True:
            regs = registers(**self.fields())
            if get(regs, 'BMEN') or self.some(0.05):
                for k in range(8):
                    if self.some(0.5):
                        regs[ETBM0 + k] = self.rng.getrandbits(64)
            if self.some(0.1):
                regs[ETPM] = self.rng.choice((0, M64, 0x0001000000000000))
            if cpu.frames or cpu.pending or cpu.cur:
                put(regs, 'CTX', get(cpu.regs, 'CTX'))
            if cpu.pending:
                put(regs, 'RETM', get(cpu.regs, 'RETM'))
            if wrong(regs, self.host) is None and said(cpu, regs):
                return regs

    # ---- what happens

    def tick(self, cpu):
        ticks = self.player.machine.ticks[cpu]
        r = self.rng
        step = r.choice((0, 1, 5, 40, 62, 63, 65, 100, 128, 1000, 70000))
        now = [t + step * (k + 1) & M64 for k, t in enumerate(ticks)]
        if self.some(0.01):
            now[r.choice((0, 0, 3))] = r.choice((r.getrandbits(64), ticks[0] + (1 << 63) & M64, max(0, ticks[0] - 77)))
        self.add('time', cpu, *now)

    def info(self):
        if self.some(0.5):
            return {}
        tags = self.rng.sample(sorted(INFO_TAGS), self.rng.randrange(1, 5))
        return {t: self.rng.getrandbits(self.rng.randrange(1, INFO_TAGS[t] + 1)) for t in sorted(tags)}

    def psw(self):
        """That of a context outside."""
        r = self.rng
        mask = r.choice((0x0705000180000000, 0x0704C00180000000, 0x0404000180000000, 0x0401000080000000))
        address = r.choice((0x10000, 0x10004, 0x20000, 0x7ffffffe, 0, M64 - 1, 0x10a4c))
        return mask, address

    def entry(self, n):
        cpu, r = self.player.machine.cpus[n], self.rng
        klass = r.choice((SVC, SVC, SVC, PROGRAM, PROGRAM, EXTERNAL, EXTERNAL, IO, IO, RESTART, EXIGENT, REPRESSIBLE))
        old = self.psw() if not cpu.frames or self.some(0.3) else (HANDLER_MASK, 0x2000 + 16 * r.randrange(8))
        self.add('entry', n, klass, r.choice(CODES[klass]), *old, HANDLER_MASK, 0x2000 + 256 * klass, info=self.info())

    def reload(self, n):
        cpu, r = self.player.machine.cpus[n], self.rng
        mask, address = self.psw()
        if cpu.frames and self.some(0.85):
            frame = cpu.frames[-1] if self.some(0.75) else r.choice(cpu.frames)
            mask, address = frame.mask, frame.address
            if self.some(0.2):
                mask ^= r.choice((1 << 61, 1 << 57, 1 << 56, 1 << 49, 3 << 44, 15 << 40, 1 << 58, 1 << 48, 1 << 31))
            if self.some(0.15):
                address = address + r.choice((-8, -6, -4, -2, 2, 4, 6, 8, 1)) & M64
        self.add('reload', n, r.choice((1, 1, 1, 1, 0, 2, 3, 4)), mask, address)

    def configure(self, n):
        r = self.rng
        if self.fixed:
            return
        by = r.choice((START, CONSOLE, CONSOLE, GUEST))
        regs = self.registers(self.player.machine.cpus[n])
        if self.some(0.4):
            self.add('output', n, r.randrange(2), by)
        elif self.some(0.5):
            index = r.choice((ETCR, ETCR, ETFR, ETSL, ETTS, ETMS, ETBM0 + r.randrange(8)))
            self.add('write', n, index, regs[index], by)
        elif self.some(0.2):
            index = r.randrange(17)     # not the ring in storage
            self.add('write', n, index, r.getrandbits(64) & USED[index] if index not in (ETCR, ETBF) else
                     r.choice((0x21, 0xf3, 0x4000000005, 0x40000000 << 8 | 0x314)), by)
        else:
            self.add('all', n, by, *regs)

    def request(self, n):
        klass = self.rng.choice((EXTERNAL, IO, REPRESSIBLE, RESTART))
        self.add('request', n, klass, self.rng.choice(CODES[klass]), self.some(0.2), info=self.info())

    def flushed(self, n):
        """A filter cannot tell a SYNC on request, where one is due anyway, from that."""
        if not self.fixed or not get(self.fixed, 'SYNCPER'):
            self.add('flush', n)

    def floating(self, _):
        self.request(FLOATING)

    def step(self, n):
        cpu, r = self.player.machine.cpus[n], self.rng
        if self.some(0.5):
            self.tick(n)
        rare = r.random()
        if rare < 0.03:
            self.add('state', n, r.choice((1, 2, 3, 4, 4, 5, 6, 7, 13)))
        elif rare < 0.05:
            self.add('mark', n, r.getrandbits(r.randrange(1, 65)))
        elif rare < 0.06:
            self.flushed(n)
        elif rare < 0.07:
            self.configure(n)
        elif rare < 0.12:
            self.request(FLOATING if self.some(0.2) else n)
        elif cpu.pending:
            if self.some(0.7):
                self.add('boundary', n, *self.psw())
            else:
                self.entry(n)
        elif self.some(0.06):
            self.add('tpi', n, r.randrange(8), r.getrandbits(32))
        elif self.some(0.55 if len(cpu.frames) > 3 else 0.4):
            self.reload(n)
        else:
            self.entry(n)

    def make(self, steps, fixed=None):
        """fixed: registers of all units, which stay as they are."""
        r, self.fixed = self.rng, fixed
        cpus = r.choice((1, 1, 1, 2, 3))
        self.host = self.some(0.8)
        self.add('new', cpus, self.host)
        units = sorted(self.player.machine.cpus)
        for n in units:
            self.add('time', n, r.getrandbits(60), 1000, r.getrandbits(20), 5)
            self.add('all', n, r.choice((START, START, CONSOLE)), *(fixed or self.registers(self.player.machine.cpus[n])))
        deep = self.some(0.03)
        for _ in range(steps):
            n = r.choice(units)
            if n == 255:
                r.choice((self.configure, self.floating, self.floating, self.flushed))(n)
                continue
            if deep and self.some(0.3):
                for _ in range(r.randrange(10, 40)):
                    self.entry(n)
                    self.add('boundary', n, 0, 0)
            self.step(n)
            if self.some(0.01):
                self.add('show', n)
        for n in units:
            self.add('show', n)
        self.add('end')
        return self.lines
