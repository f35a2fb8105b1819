"""tui.py PROGRAM [ARGUMENT...] < STEPS: zri --tui in a pseudoterminal, whose screen is kept here, and judged.

A step is a line: a word and its text.
    keys TEXT       typed (escapes as in Python; <F5>, <Up>, <Enter>, <S-Left> and the like)
    click RE        the mouse presses at the first group that matches
    see RE          until some row of the screen matches, at most 20 seconds; `see N RE`: row N of it
    gone RE         until no row matches
    look RE; NAME   some row has it with this look: bold, reverse, underline, colour
    nolook RE; NAME no row has it
    plain           no cell has a colour
    same RE         a part of the screen as it was at the latest `note RE` (the first group that matches)
    note RE
    differs RE      ... and is another one now
    size C R        the terminal has another size
    signal NAME     sent to the program
    stopped         the program is stopped (with JOBS=1 in the environment: it is a job of a small shell)
    continue        that shell's fg
    wait SECONDS
    end STATUS      the program ends so (a signal: -NAME)
    drawn           it has the terminal's other screen
    restored        the terminal has the modes that it had at first, and its first screen
    said RE         what was written since the drawing ended
    show            the screen, for whoever wants to see it
LINES, COLUMNS: the size. IGNORED: signals that the program is started with as ignored. The exit status is 1 when a step failed."""
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

KEYS = {'Up': '\033OA', 'Down': '\033OB', 'Right': '\033OC', 'Left': '\033OD', 'Enter': '\r', 'Tab': '\t', 'Esc': '\033',
        'BS': '\177', 'S-Tab': '\033[Z', 'PgUp': '\033[5~', 'PgDn': '\033[6~', 'S-Left': '\033[1;2D',
        'S-Right': '\033[1;2C', 'S-Up': '\033[1;2A', 'S-Down': '\033[1;2B', 'Space': ' ', 'F1': '\033OP', 'F2': '\033OQ',
        'F3': '\033OR', 'F4': '\033OS', 'F5': '\033[15~', 'F6': '\033[17~', 'F7': '\033[18~', 'F8': '\033[19~', 'F9': '\033[20~',
        'F10': '\033[21~'}


class Screen:
    """As much of a terminal (xterm) as ncurses asks for."""

    def __init__(self, columns, rows):
        self.alternate = self.ever = False
        self.resize(columns, rows)
        self.look = frozenset()
        self.after = ''
        self.rest = b''
        self.last = ' '

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[(' ', frozenset())] * columns for _ in range(rows)]
        self.x = self.y = 0
        self.top, self.bottom = 0, rows - 1
        self.saved = (0, 0)

    def row(self, y):
        return ''.join(c for c, _ in self.cells[y]).rstrip()

    def text(self):
        return [self.row(y) for y in range(self.rows)]

    def blank(self):
        return (' ', frozenset(k for k in self.look if k == 'back'))

    def scroll(self, up):
        blank = [self.blank()] * self.columns
        if up:
            del self.cells[self.top]
            self.cells.insert(self.bottom, blank)
        else:
            del self.cells[self.bottom]
            self.cells.insert(self.top, blank)

    def put(self, c):
        if self.x >= self.columns:
            self.x = 0
            self.line_feed()
        self.cells[self.y][self.x] = (c, self.look)
        self.x += 1
        self.last = c

    def line_feed(self):
        if self.y == self.bottom:
            self.scroll(True)
        else:
            self.y = min(self.y + 1, self.rows - 1)

    def feed(self, data):
        data = self.rest + data
        self.rest = b''
        try:
            text = data.decode()
        except UnicodeDecodeError as e:
            if e.start < len(data) - 3:
                text = data.decode(errors='replace')
            else:
                text, self.rest = data[:e.start].decode(), data[e.start:]
        i = 0
        while i < len(text):
            c = text[i]
            if c == '\033':
                m = re.compile(r'\033(\[([?>=]?)([0-9;]*)([@-~])|[()].|[=>78MDEHc]|\][^\007]*\007)').match(text, i)
                if not m:
                    self.rest = text[i:].encode() + self.rest
                    return
                self.escape(m)
                i = m.end()
                continue
            i += 1
            if not self.alternate and self.ever:
                self.after += c
            if c == '\r':
                self.x = 0
            elif c == '\n':
                self.line_feed()
            elif c == '\b':
                self.x = max(0, min(self.x, self.columns) - 1)
            elif c == '\t':
                self.x = min((self.x | 7) + 1, self.columns - 1)
            elif c >= ' ':
                self.put(c)

    def escape(self, m):
        whole, private, numbers, final = m.group(1), m.group(2), m.group(3), m.group(4)
        if not final:
            if whole == 'M':
                if self.y == self.top:
                    self.scroll(False)
                else:
                    self.y -= 1
            elif whole == '7':
                self.saved = (self.x, self.y)
            elif whole == '8':
                self.x, self.y = self.saved
            return
        n = [int(k) if k else 0 for k in numbers.split(';')]
        one = n[0] or 1
        row = self.cells[self.y] if self.y < self.rows else []
        if private:
            if n[0] == 1049:
                self.alternate = final == 'h'
                self.ever = True
        elif final in 'Hf':
            self.y = min(one, self.rows) - 1
            self.x = min((n[1] if len(n) > 1 and n[1] else 1), self.columns) - 1
        elif final == 'A':
            self.y = max(self.y - one, 0)
        elif final in 'Be':
            self.y = min(self.y + one, self.rows - 1)
        elif final == 'C':
            self.x = min(self.x + one, self.columns - 1)
        elif final == 'D':
            self.x = max(min(self.x, self.columns - 1) - one, 0)
        elif final in 'G`':
            self.x = min(one, self.columns) - 1
        elif final == 'd':
            self.y = min(one, self.rows) - 1
        elif final == 'J':
            if n[0] == 0:
                row[self.x:] = [self.blank()] * (self.columns - self.x)
            if n[0] == 1:
                row[:self.x + 1] = [self.blank()] * (self.x + 1)
            for y in range(self.rows) if n[0] == 2 else range(self.y + 1, self.rows) if n[0] == 0 else range(self.y):
                self.cells[y] = [self.blank()] * self.columns
        elif final == 'K':
            a, b = (self.x, self.columns) if n[0] == 0 else (0, self.x + 1) if n[0] == 1 else (0, self.columns)
            row[a:b] = [self.blank()] * (b - a)
        elif final == 'X':
            k = min(one, self.columns - self.x)
            row[self.x:self.x + k] = [self.blank()] * k
        elif final == 'P':
            del row[self.x:self.x + one]
            row += [self.blank()] * (self.columns - len(row))
        elif final == '@':
            row[self.x:self.x] = [self.blank()] * one
            del row[self.columns:]
        elif final == 'b':
            for _ in range(one):
                self.put(self.last)
        elif final in 'LM':
            top, self.top = self.top, self.y
            for _ in range(one):
                self.scroll(final == 'M')
            self.top = top
        elif final in 'ST':
            for _ in range(one):
                self.scroll(final == 'S')
        elif final == 'r':
            self.top, self.bottom = one - 1, (n[1] if len(n) > 1 and n[1] else self.rows) - 1
            self.x = self.y = 0
        elif final == 'm':
            self.graphic(n)

    def graphic(self, numbers):
        look = set(self.look)
        for n in numbers:
            if n == 0:
                look.clear()
            elif n in (1, 2, 4, 7):
                look.add({1: 'bold', 2: 'dim', 4: 'underline', 7: 'reverse'}[n])
            elif n in (22, 24, 27):
                look -= {22: {'bold', 'dim'}, 24: {'underline'}, 27: {'reverse'}}[n]
            elif 30 <= n <= 37 or 90 <= n <= 97:
                look.add('colour')
            elif 40 <= n <= 47:
                look |= {'colour', 'back'}
            elif n == 39:
                look.discard('colour')
            elif n == 49:
                look.discard('back')
        self.look = frozenset(look)


def shell(arguments, tell, hear):
    """A shell with one job: says on `tell` who it is, and when it is stopped; goes on with it when something is on `hear`."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(arguments[0], arguments)
    os.write(tell, struct.pack('i', pid))
    while True:
        status = os.waitpid(pid, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) & 255)
        os.tcsetpgrp(0, os.getpid())
        os.write(tell, b's')
        os.read(hear, 1)
        os.tcsetpgrp(0, pid)
        os.kill(-pid, signal.SIGCONT)


class Rig:
    def __init__(self, arguments):
        columns, rows = int(os.environ['COLUMNS']), int(os.environ['LINES'])
        self.screen = Screen(columns, rows)
        jobs = 'JOBS' in os.environ
        self.told, tell = os.pipe()
        hear, self.say = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            for name in ('INT', 'QUIT'):
                ignored = name in os.environ.get('IGNORED', '').split()
                signal.signal(getattr(signal, 'SIG' + name), signal.SIG_IGN if ignored else signal.SIG_DFL)
            del os.environ['COLUMNS'], os.environ['LINES']
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
            os.read(0, 1)
            if jobs:
                shell(arguments, tell, hear)
            os.execv(arguments[0], arguments)
        self.size(columns, rows)
        time.sleep(0.05)
        self.modes = termios.tcgetattr(self.fd)
        os.write(self.fd, b'\n')
        self.job = struct.unpack('i', os.read(self.told, 4))[0] if jobs else self.pid
        self.status = None
        self.noted = None

    def size(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def take(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                time.sleep(0.02)
                return
            self.screen.feed(data)

    def until(self, true, seconds=20):
        end = time.time() + seconds * (5 if os.environ.get('ZRI_SHORT') else 1)
        while not true():
            if time.time() > end:
                return False
            self.take(0.1)
        return True

    def matches(self, expression):
        return any(re.search(expression, row) for row in self.screen.text())

    def part(self, expression):
        for row in self.screen.text():
            m = re.search(expression, row)
            if m:
                return m.group(1) if m.groups() else m.group(0)
        return None

    def has_look(self, expression, name):
        for y in range(self.screen.rows):
            text = ''.join(c for c, _ in self.screen.cells[y])
            for m in re.finditer(expression, text):
                a, b = m.span(1) if m.groups() else m.span()
                if a < b and all(name in self.screen.cells[y][x][1] for x in range(a, b)):
                    return True
        return False

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def step(self, word, text):
        if word == 'keys':
            text = re.sub(r'<([A-Za-z0-9-]+)>', lambda m: KEYS[m.group(1)] if m.group(1) in KEYS else m.group(0),
                          text.encode().decode('unicode_escape'))
            os.write(self.fd, text.encode('latin-1'))
            return True
        if word == 'click':
            self.until(lambda: self.matches(text))
            for y, row in enumerate(self.screen.text()):
                m = re.search(text, row)
                if m:
                    x = m.start(1 if m.groups() else 0)
                    os.write(self.fd, b'\033[<0;%d;%dM\033[<0;%d;%dm' % (x + 1, y + 1, x + 1, y + 1))
                    return True
            return False
        if word == 'see':
            m = re.match(r'(\d+) (.*)', text)
            if m:
                return self.until(lambda: re.search(m.group(2), self.screen.row(int(m.group(1)))))
            return self.until(lambda: self.matches(text))
        if word == 'gone':
            return self.until(lambda: not self.matches(text))
        if word == 'look':
            expression, _, name = text.rpartition('; ')
            return self.until(lambda: self.has_look(expression, name))
        if word == 'nolook':
            expression, _, name = text.rpartition('; ')
            return self.until(lambda: self.matches(expression)) and not self.has_look(expression, name)
        if word == 'plain':
            return not any('colour' in look for row in self.screen.cells for _, look in row)
        if word == 'note':
            self.until(lambda: self.matches(text))
            self.noted = self.part(text)
            return self.noted is not None
        if word == 'same':
            return self.part(text) == self.noted
        if word == 'differs':
            return self.until(lambda: self.part(text) not in (None, self.noted))
        if word == 'size':
            columns, rows = map(int, text.split())
            self.take(0.2)
            self.screen.resize(columns, rows)
            self.size(columns, rows)
            return True
        if word == 'signal':
            os.kill(self.job, getattr(signal, 'SIG' + text))
            return True
        if word == 'stopped':
            stopped = self.until(lambda: select.select([self.told], [], [], 0.05)[0] or self.take(0.05))
            if stopped:
                os.read(self.told, 1)
            while select.select([self.fd], [], [], 0.2)[0]:
                self.take(0)
            return stopped
        if word == 'continue':
            os.write(self.say, b'c')
            return self.until(lambda: self.screen.alternate)
        if word == 'end':
            self.until(lambda: self.ended() or self.take(0.05))
            while select.select([self.fd], [], [], 0.2)[0]:
                before = len(self.screen.after)
                self.take(0)
                if len(self.screen.after) == before:
                    break
            wanted = -getattr(signal, 'SIG' + text[1:]) if text.startswith('-') else int(text)
            if self.status != wanted:
                print('it ended with', self.status)
            return self.status == wanted
        if word == 'drawn':
            return self.screen.alternate
        if word == 'restored':
            return not self.screen.alternate and self.screen.ever and termios.tcgetattr(self.fd) == self.modes
        if word == 'said':
            return bool(re.search(text, self.screen.after, re.S))
        if word == 'wait':
            end = time.time() + float(text)
            while time.time() < end:
                self.take(0.05)
            return True
        if word == 'show':
            print('\n'.join(self.screen.text()))
            return True
        sys.exit('no such step: ' + word)


def main():
    rig = Rig(sys.argv[1:])
    bad = 0
    for line in sys.stdin:
        word, _, text = line.rstrip('\n').partition(' ')
        if not word or word.startswith('#'):
            continue
        if not rig.step(word, text):
            print('FAILED: %s %s' % (word, text))
            print('\n'.join('    |' + row for row in rig.screen.text()))
            print('    behind it:', repr(rig.screen.after[-500:]))
            bad = 1
            break
    if not rig.ended():
        os.kill(rig.job, signal.SIGKILL)
        os.kill(rig.pid, signal.SIGKILL)
    sys.exit(bad)


main()
