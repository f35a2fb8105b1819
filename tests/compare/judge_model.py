# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge of the pipeline, the model: sections 2.5, 3 and 5 of event-counters.md, with the readings of judge_pipeline.py."""
from judge_insns import M64, named
from judge_programs import STORAGE

EVENTS = """CYCLES INST FETCH FINISH BRANCH BR_COND BR_IND BR_PTAKEN BR_MISP_DIR BR_MISP_TGT BR_MISP BTB_MISS LOAD STORE
LD_BYTES ST_BYTES L1I_ACC L1I_MISS L1I_PEN L1D_ACC L1D_MISS L1D_PEN L2_ACC L2_MISS L3_MISS ITLB1_MISS DTLB1_MISS TLB2_MISS
TLB_WALK_CYC REG_RD REG_WR STALL_CT CSTALL_L1D FLUSH FLUSHED_INST L1D_THRESH SERIAL EXC INTR DECIMAL FP SMC""".split()

TEACH = dict(
    fetch_width=2, fetch_buffer=8, front_depth=5, decode_redirect=2, dispatch_width=2, ct_entries=16, group_size=1,
    complete_width=2, restart=1, wp_max_insns=64, wp_pollute=1, wp_exception=0, predictor='bimodal', pht_entries=256,
    history=0, btb_sets=64, btb_ways=2, ras_entries=0, line=256, l1i_sets=8, l1i_ways=2, l1d_sets=8, l1d_ways=2,
    l2_sets=64, l2_ways=4, l3_sets=0, l3_ways=0, lat_l2=8, lat_l3=0, lat_mem=100, lat_alu=1, lat_mul=4, lat_div=20,
    lat_load=3, lat_store=1, lat_branch=1, lat_ss=4, lat_serial=1)


class Lines:
    """A cache (EC-216): sets are lists with the most recent line last."""

    def __init__(self, sets, ways):
        self.sets, self.ways = [[] for _ in range(sets)], ways

    def access(self, line, change=True):
        s = self.sets[line % len(self.sets)]
        hit = line in s
        if change:
            if hit:
                s.remove(line)
            s.append(line)
            del s[:-self.ways]
        return hit

    def drop(self, line):
        s = self.sets[line % len(self.sets)]
        if line in s:
            s.remove(line)
            return True
        return False


class Flight:
    """One instruction that was fetched, with its events and its fate: 'completed', 'flushed' or 'fetched' (untagged)."""

    def __init__(self, insn):
        self.insn, self.events, self.fate, self.tag = insn, [], None, None
        self.F = self.D = self.X = self.N = self.C = self.R = None
        self.penalty, self.mispredicted, self.wrong, self.logged = 0, False, False, True
        self.faulty = False
        self.entry = None

    def signal(self, event, amount=1):
        self.events.append((event, amount))


class Entry:
    """A place of the completion table: its members; C once it is closed."""

    def __init__(self, tag, D):
        self.tag, self.D, self.members, self.C, self.closed = tag, D, [], None, False


class Front:
    """The front end (5.7), with the ready times and the predictions that a wrong path has copies of."""

    def __init__(self, p):
        self.p, self.fc, self.fs, self.fl, self.brk, self.dc, self.ds = p, 0, p['fetch_width'], None, True, 0, 0
        self.stream, self.ready, self.history, self.returns = [], {}, 0, []

    def copy(self):
        c = Front(self.p)
        c.__dict__.update(self.__dict__)
        c.stream, c.ready, c.returns = list(self.stream), dict(self.ready), list(self.returns)
        return c


class Judge:
    def __init__(self, program, profile):
        self.p, self.program = profile, program
        self.g, self.cc = list(program.registers), 0
        self.storage = bytearray(program.storage)
        self.front = Front(profile)
        self.table, self.next_tag, self.open = [], 0, None  # live entries, oldest first
        self.ccyc = self.cslots = self.lastC = 0
        p = profile
        self.l1i, self.l1d = Lines(p['l1i_sets'], p['l1i_ways']), Lines(p['l1d_sets'], p['l1d_ways'])
        self.l2 = Lines(p['l2_sets'], p['l2_ways'])
        self.l3 = Lines(p['l3_sets'], p['l3_ways']) if p['l3_sets'] else None
        self.pht, self.btb, self.tagged = {}, {}, [{}, {}, {}, {}]  # of the last: counter, tag, u
        self.flights, self.untagged = [], 0

    # -- caches

    def miss(self, f, line, change):
        """EC-217 behind the first level; the penalty."""
        f.signal('L2_ACC')
        if self.l2.access(line, change):
            return self.p['lat_l2']
        f.signal('L2_MISS')
        if self.l3 is not None:
            if self.l3.access(line, change):
                return self.p['lat_l3']
            f.signal('L3_MISS')
        return self.p['lat_mem']

    def line_access(self, f, side, cache, line, change):
        f.signal(side + '_ACC')
        if cache.access(line, change):
            return 0
        f.signal(side + '_MISS')
        penalty = self.miss(f, line, change)
        f.signal(side + '_PEN', penalty)
        return penalty

    def lines(self, at, length):
        return range(at // self.p['line'], (at + length - 1) // self.p['line'] + 1)

    def changes(self, wrong):
        return not wrong or bool(self.p['wp_pollute'])

    # -- prediction (5.5)

    def pht_index(self, at, history):
        where = at >> 1
        if self.p['predictor'] == 'gshare':
            where ^= history
        return where % self.p['pht_entries']

    def btb_target(self, at):
        for a, target in self.btb.get((at >> 1) % self.p['btb_sets'], []):
            if a == at:
                return target
        return None

    def predict(self, i, fe):
        """(taken, target, source) by EC-214; the source 'stall' has no prediction."""
        if i.branch == 'cond' and not self.direction(i.at, fe.history):
            return False, i.at + i.length, '-'
        if i.ret and self.p['ras_entries'] and fe.returns:
            return True, fe.returns[-1], 'ras'
        known = self.btb_target(i.at)
        if known is not None:
            return True, known, 'btb'
        if not i.indirect:
            return True, i.target, 'dec'
        if i.branch == 'uncond':
            return None, None, 'stall'
        return False, i.at + i.length, '-'

    def shift_in(self, i, fe, taken):
        """History and return stack behind a branch with this direction."""
        if i.branch == 'cond':
            fe.history = (fe.history << 1 | taken) % (1 << (130 if self.p['predictor'] == 'tage' else self.p['history']))
        if self.p['ras_entries']:
            if i.call:
                fe.returns = (fe.returns + [i.at + i.length])[-self.p['ras_entries']:]
            elif i.ret and fe.returns:
                fe.returns = fe.returns[:-1]

    def tage(self, at, history):
        """[(table, index, tag) of the four tables] and the numbers of those that match, the longest history first."""
        def fold(bits, length):
            h, out = history & (1 << length) - 1, 0
            while h:
                out, h = out ^ h & (1 << bits) - 1, h >> bits
            return out
        places = [((at >> 1 ^ at >> 11 ^ fold(10, h)) % 1024, (at >> 1 ^ fold(9, h) ^ fold(8, h) << 1) % 512)
                  for h in (5, 15, 44, 130)]
        return places, [k for k in (3, 2, 1, 0) if self.tagged[k].get(places[k][0], [0, None, 0])[1] == places[k][1]]

    def direction(self, at, history, skip=0):
        """Of a conditional branch; skip = 1: by the alternate."""
        if self.p['predictor'] == 'tage':
            places, hits = self.tage(at, history)
            if len(hits) > skip:
                return self.tagged[hits[skip]][places[hits[skip]][0]][0] >= 4
        return self.pht.get(self.pht_index(at, history), 1) >= 2

    def learn_tage(self, at, taken, history):
        """True: the base was the provider and is to be trained."""
        places, hits = self.tage(at, history)
        said, other = self.direction(at, history), self.direction(at, history, 1)
        if hits:
            entry = self.tagged[hits[0]][places[hits[0]][0]]
            entry[0] = max(0, min(7, entry[0] + (1 if taken else -1)))
            if said != other:
                entry[2] = max(0, min(3, entry[2] + (1 if said == taken else -1)))
        if said != taken:
            longer = [(self.tagged[k], places[k]) for k in range(hits[0] + 1 if hits else 0, 4)]
            for table, (where, tag) in longer:
                if table.get(where, [0, None, 0])[2] == 0:
                    table[where] = [4 if taken else 3, tag, 0]
                    break
            else:
                for table, (where, _) in longer:
                    table[where][2] -= 1
        return not hits

    def learn(self, i, taken, target, history):
        if i.branch == 'cond' and (self.p['predictor'] != 'tage' or self.learn_tage(i.at, taken, history)):
            where = self.pht_index(i.at, history)
            self.pht[where] = max(0, min(3, self.pht.get(where, 1) + (1 if taken else -1)))
        if taken:
            ways = self.btb.setdefault((i.at >> 1) % self.p['btb_sets'], [])
            ways[:] = [(a, t) for a, t in ways if a != i.at] + [(i.at, target)]
            del ways[:-self.p['btb_ways']]

    # -- stages (5.7)

    def fetch(self, f, fe, limit):
        """EC-221; whether it was fetched at all."""
        i = f.insn
        before = fe.stream[-self.p['fetch_buffer']] if len(fe.stream) >= self.p['fetch_buffer'] else 0
        first = i.at // self.p['line']
        if fe.brk or fe.fs >= self.p['fetch_width'] or first != fe.fl:
            fe.fc += 1
            fe.fs = 0
            if fe.brk:
                fe.fl = None
            fe.brk = False
        if before > fe.fc:
            fe.fc, fe.fs = before, 0
        if limit is not None and fe.fc > limit:
            return False
        for line in self.lines(i.at, i.length):
            if line != fe.fl:
                fe.fc += self.line_access(f, 'L1I', self.l1i, line, self.changes(limit is not None))
                fe.fl = line
        fe.fs += 1
        f.F = fe.fc
        f.signal('FETCH')
        self.flights.append(f)
        return True

    def close(self):
        """The open entry gets its C (EC-225)."""
        e, self.open = self.open, None
        if e is None:
            return
        N = max(m.N for m in e.members)
        N0 = max(m.N - m.penalty for m in e.members)

        def when(n):
            c = max(n + 1, self.ccyc)
            return c + 1 if c == self.ccyc and self.cslots >= self.p['complete_width'] else c
        e.C = when(N)
        lost = e.C - when(N0)
        self.cslots = self.cslots + 1 if e.C == self.ccyc else 1
        self.ccyc = e.C
        if lost:
            e.members[-1].signal('CSTALL_L1D', lost)
        e.members[-1].signal('CYCLES', e.C - self.lastC)
        self.lastC = e.C
        for m in e.members:
            m.C, m.fate = e.C, 'cancelled' if m.faulty else 'completed'

    def leave(self, until):
        while self.table and self.table[0].C is not None and self.table[0].C <= until:
            self.table.pop(0)

    def joins(self, f, D):
        e = self.open
        return (e is not None and len(e.members) < self.p['group_size'] and e.D == D and not e.members[-1].insn.branch and
                not e.members[-1].insn.serial and not f.insn.serial and not f.faulty)

    def dispatch(self, f, fe, R=None):
        """EC-222, on a wrong path (R) with EC-231 steps 3 and 4; whether it was dispatched."""
        i = f.insn
        D = max(f.F + self.p['front_depth'], fe.dc)
        if D == fe.dc and fe.ds >= self.p['dispatch_width']:
            D += 1
        waited = 0
        if R is not None and (D > R or i.serial):
            return False
        if self.joins(f, D):
            e = self.open
        else:
            if R is None:
                self.close()
            self.leave(D)
            if i.serial:
                D = max([D] + [e.C + 1 for e in self.table])
                self.table.clear()
            while len(self.table) >= self.p['ct_entries'] - 1:
                oldest = self.table[0].C
                if R is not None and (oldest is None or oldest + 1 > R):
                    return False
                waited += max(D, oldest + 1) - D
                D = max(D, oldest + 1)
                self.leave(D)
            e = Entry(self.next_tag, D)
            self.next_tag = (self.next_tag + 1) % self.p['ct_entries']
            self.table.append(e)
            self.open = e
        fe.ds = fe.ds + 1 if D == fe.dc else 1
        fe.dc = D
        f.D, f.tag, f.entry = D, e.tag, e
        e.members.append(f)
        f.signal('INST')
        for event, amount in (('STALL_CT', waited), ('REG_RD', len(set(i.src))),  # READING 2
                              ('REG_WR', len(i.dst)), ('BRANCH', bool(i.branch)),
                              ('BR_COND', i.branch == 'cond'), ('BR_IND', bool(i.branch) and i.indirect),
                              ('SERIAL', i.serial)):
            if amount:
                f.signal(event, int(amount))
        return True

    def address(self, m, g):
        """Of an operand; None: a register in it is unknown."""
        parts = [g[r] for r in named(m[1], m[2])]
        return None if None in parts else sum(parts) + m[3] & M64

    def execute(self, f, fe, g, R=None):
        """EC-223, EC-224: X, the accesses, N, ready times."""
        i = f.insn
        f.X = max([f.D + 1] + [fe.ready.get(s, 0) for s in i.src + (['cc'] if i.tests_cc else [])])
        results = i.dst + (['cc'] if i.sets_cc else [])
        if R is not None and f.X > R:
            for d in results:
                fe.ready[d] = R + 1
            return
        change = self.changes(R is not None)
        for m in i.mem:
            at = self.address(m, g)
            if at is None:
                continue
            use, length = m[0], m[4]
            if use in ('fetch', 'update'):
                f.signal('LOAD')
                f.signal('LD_BYTES', length)
            if use in ('store', 'update'):
                f.signal('STORE')
                f.signal('ST_BYTES', length)
            penalty = 0
            for line in self.lines(at, length):
                # READING 4; the storage ends with a line.
                if (line * self.p['line'] & M64) < STORAGE:
                    penalty += self.line_access(f, 'L1D', self.l1d, line & M64 // self.p['line'], change)
                    if use != 'fetch' and R is None and self.l1i.drop(line):
                        f.signal('SMC')
            f.penalty += penalty
            if penalty > 0:  # THRESHOLD is 0
                f.signal('L1D_THRESH')
        latency = self.p['lat_' + i.kind]
        if i.kind == 'ss':
            latency += -(-max(m[4] for m in i.mem) // 16)
        f.N = f.X + latency + f.penalty
        if f.N <= R if R is not None else not f.faulty:
            f.signal('FINISH')
        for d in results:
            fe.ready[d] = f.N

    # -- what instructions do

    def fetched_value(self, i, g):
        """The value of its fetch-type operand; None: unknown."""
        for m in i.mem:
            at = self.address(m, g)
            if m[0] != 'store':
                if at is None or at + m[4] > STORAGE:
                    return None
                return bytes(self.storage[at:at + m[4]])
        return b''

    def carry_out(self, i):
        """On the right path: the address behind, whether it is a taken branch."""
        g = self.g
        got = self.fetched_value(i, g)
        assert got is not None, hex(i.at)
        v = int.from_bytes(got, 'big')
        taken = bool(i.branch and i.taken(g, self.cc))
        to = (i.goes(g) if i.indirect else i.target) if taken else i.at + i.length
        if hasattr(i, 'stored'):
            at = self.address(i.mem[0], g)
            self.storage_put(i, at, i.stored(g, got))
        if hasattr(i, 'compared'):
            v = [bytes(self.storage[at:at + i.mem[0][4]]) for at in (self.address(m, g) for m in i.mem)]
        cc = i.cc(g, v) if i.sets_cc else self.cc
        if i.compute:
            for r, value in i.compute(g, v).items():
                g[r] = value
        self.cc = cc
        return to, taken

    def storage_put(self, i, at, data):
        if i.name == 'mvc':  # byte by byte, operands may overlap
            source = self.address(i.mem[1], self.g)
            for k in range(len(data)):
                self.storage[at + k] = self.storage[source + k]
        else:
            self.storage[at:at + len(data)] = data

    def shadow(self, i, g):
        """EC-233: shadow registers g behind it; None is unknown."""
        if not i.dst:
            return
        reads = i.src + getattr(i, 'keeps', [])
        got = self.fetched_value(i, g)
        if not getattr(i, 'exact', True) or i.compute is None or got is None or any(g[r] is None for r in reads):
            for r in i.dst:
                g[r] = None
        else:
            for r, value in i.compute(g, int.from_bytes(got, 'big')).items():
                g[r] = value

    # -- paths

    def step(self, at):
        """One instruction of the right path; the address of the next."""
        i, fe = self.program.text[at], self.front
        f = Flight(i)
        f.faulty = self.fetched_value(i, self.g) is None or self.stores_outside(i)
        self.fetch(f, fe, None)
        self.dispatch(f, fe)
        fe.stream.append(f.D)
        self.execute(f, fe, self.g)
        if f.faulty:
            return self.interrupted(f)
        to, taken = self.carry_out(i)
        if i.serial or i.branch:
            self.close()
        if i.branch:
            self.resolve(f, taken, to)
        if i.serial:
            fe.fc, fe.brk = max(fe.fc, f.C), True
        elif self.p['group_size'] == 1:
            self.close()
        return to

    def stores_outside(self, i):
        return any(m[0] == 'store' and self.address(m, self.g) + m[4] > STORAGE for m in i.mem)

    def interrupted(self, f):
        """EC-41, EC-236: an addressing exception; the program new PSW has the condition code 0."""
        self.close()
        self.untagged += 1
        fe, self.cc = self.front, 0
        if self.p['wp_exception'] and self.p['wp_max_insns']:
            # READING 6
            self.walk(fe.copy(), False, f.insn.at + f.insn.length, '-', f.N)
            self.flush(f)
        fe.fc, fe.brk = max(fe.fc, f.C), True
        return self.program.handler

    def flush(self, f):
        """What is younger (EC-37)."""
        self.open = None
        self.next_tag = (f.tag + 1) % self.p['ct_entries']
        while self.table and self.table[-1].C is None:
            self.table.pop()

    def drain(self):
        """EC-43."""
        self.close()
        self.table.clear()
        fe = self.front
        fe.fc, fe.brk, fe.dc = max(fe.fc, self.ccyc), True, max(fe.dc, self.ccyc)

    def resolve(self, f, taken, to):
        """EC-226."""
        i, fe, R = f.insn, self.front, f.N  # READING 5
        ptaken, target, source = self.predict(i, fe)
        if self.btb_target(i.at) is None:
            f.signal('BTB_MISS')
        if ptaken:
            f.signal('BR_PTAKEN')
        wrong = fe.copy()
        self.learn(i, taken, to, fe.history)
        self.shift_in(i, fe, taken)
        if source == 'stall':
            fe.fc, fe.brk = R, True
        elif ptaken == taken and target == to:
            if taken:
                fe.brk = True
                if source == 'dec':
                    fe.fc += self.p['decode_redirect']
        else:
            f.mispredicted = True
            f.signal('BR_MISP_DIR' if ptaken != taken else 'BR_MISP_TGT')
            f.signal('BR_MISP')
            f.signal('FLUSH')
            self.shift_in(i, wrong, ptaken)
            flushed = self.walk(wrong, ptaken, target, source, R) if self.p['wp_max_insns'] else 0
            if flushed:
                f.signal('FLUSHED_INST', flushed)
            fe.fc, fe.brk = R + self.p['restart'] - 1, True
            self.flush(f)

    def turn(self, fe, taken, source):
        if taken:
            fe.brk = True
            if source == 'dec':
                fe.fc += self.p['decode_redirect']

    def walk(self, fe, taken, at, source, R):
        """5.8; how many were dispatched."""
        self.turn(fe, taken, source)
        g, n, closed = list(self.g), 0, False
        while n < self.p['wp_max_insns']:
            i = self.program.text.get(at)
            if i is None:
                break
            f = Flight(i)
            f.wrong, f.fate, f.R = True, 'fetched', R
            if not self.fetch(f, fe, R):
                break
            if f.F > R:
                f.logged = False
                break
            closed = not (not closed and self.dispatch(f, fe, R))
            fe.stream.append(float('inf') if closed else f.D)
            if i.serial:
                break
            if not closed:
                n += 1
                f.fate = 'flushed'
                self.execute(f, fe, g, R)
            self.shadow(i, g)
            at = i.at + i.length
            if i.branch:
                ptaken, target, source = self.predict(i, fe)
                if not closed:
                    if self.btb_target(i.at) is None:
                        f.signal('BTB_MISS')
                    if ptaken:
                        f.signal('BR_PTAKEN')
                if source == 'stall':
                    break
                self.shift_in(i, fe, ptaken)
                self.turn(fe, ptaken, source)
                at = target
        return n

    def run(self, most, drains=()):
        """Up to that many instructions, with a drain behind each whose number is in drains; how many."""
        at, n = self.program.start, 0
        while n < most:
            at = self.step(at)
            n += 1
            if n in drains:
                self.drain()
            if at not in self.program.text:
                break
        self.close()
        return n

    # -- what came of it

    def counts(self):
        all_, done = dict.fromkeys(EVENTS, 0), dict.fromkeys(EVENTS, 0)
        for f in self.flights:
            for event, amount in f.events:
                all_[event] += amount
                if f.fate == 'completed':
                    done[event] += amount
        all_['EXC'] += self.untagged
        return {e: (all_[e], done[e]) for e in EVENTS}

    def monitors(self):
        """PMC1 INST direct; PMC2 by PV0 (LOAD, add); PMC3 by PV1 (LD_BYTES, write); PMC4 by PV2 (REG_RD, decode)."""
        last = 0
        for f in self.flights:
            written = [amount for event, amount in f.events if event == 'LD_BYTES']
            if f.fate == 'completed' and written:
                last += written[-1]
        counts = self.counts()
        return [counts['INST'][0], counts['LOAD'][1], last, counts['REG_RD'][1]]

    def log(self):
        """Lines for comparison: what log_lines makes of zri's."""
        lines = []
        for f in self.flights:
            if f.logged:
                end = f.R if f.wrong else f.C

                def seen(v):
                    return '-' if v is None or (f.wrong and v > end) else str(v)
                words = ['w' if f.wrong else 'r', '-' if f.tag is None else str(f.tag), 'F', str(f.F), 'D', seen(f.D),
                         'X', seen(f.X), 'N', seen(f.N), 'R' if f.wrong or f.faulty else 'C', str(end), '%016X' % f.insn.at]
                lines.append(' '.join(words + ['mispredicted'] * f.mispredicted))
        return lines
