# SPDX-License-Identifier: GPL-3.0-or-later
"""control.py ZRI FOLDER: the control socket, line by line, as a program in any language sees it. Says what has failed."""
import json, os, select, signal, socket, stat, subprocess, sys, time

zri, folder = sys.argv[1:3]
failed = 0
ran = 0
PATIENCE = 60


def check(what, good, more=''):
    global failed, ran
    ran += 1
    if not good:
        failed += 1
        print('FAIL: %s: %s' % (what, more))


def has(what, answer, **members):
    for name, value in members.items():
        check(what, isinstance(answer, dict) and answer.get(name) == value, '%s of %s' % (name, answer))


class Gone(Exception):
    pass


class Client:
    """A connection. What comes is kept until somebody asks for it."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(PATIENCE)
        self.bytes, self.number, self.events = b'', 0, []

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def line(self):
        while b'\n' not in self.bytes:
            more = self.socket.recv(65536)
            if not more:
                raise Gone
            self.bytes += more
        line, self.bytes = self.bytes.split(b'\n', 1)
        return json.loads(line)

    def ask(self, **request):
        """Send a request; its answer."""
        self.number += 1
        request['id'] = self.number
        self.send(json.dumps(request) + '\n')
        return self.answer(self.number)

    def answer(self, number):
        while True:
            got = self.line()
            if got.get('id') == number:
                return got
            self.events.append(got)

    def event(self, name):
        for i, got in enumerate(self.events):
            if got.get('event') == name:
                return self.events.pop(i)
        while True:
            got = self.line()
            if got.get('event') == name:
                return got
            self.events.append(got)

    def close(self):
        self.socket.close()


class Machine:
    """A zri with a control socket."""

    def __init__(self, *options, image=None, batch=True, stdin=subprocess.DEVNULL, name='socket'):
        self.path = os.path.join(folder, name)
        args = [zri] + (['--batch'] if batch else []) + ['--control', 'unix:' + self.path] + list(options)
        self.process = subprocess.Popen(args + ([image] if image else []), stdin=stdin, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        until = time.time() + PATIENCE
        while time.time() < until and self.process.poll() is None:
            try:
                Client(self.path).close()
                return
            except OSError:
                time.sleep(0.01)

    def client(self):
        client = Client(self.path)
        client.hello = client.line()
        return client

    def end(self):
        """All that was printed, and the exit status."""
        try:
            out = self.process.communicate(timeout=PATIENCE)[0].decode(errors='replace')
        except subprocess.TimeoutExpired:
            self.process.kill()
            out = 'it does not end: ' + self.process.communicate()[0].decode(errors='replace')
        return self.process.returncode, out


def script(*lines):
    """What a user of the console sees."""
    return subprocess.run([zri], input='\n'.join(lines) + '\n', stdout=subprocess.PIPE, universal_newlines=True).stdout


def image(name, start, *lines):
    path = os.path.join(folder, name)
    script('r 0=0000000180000000 %016X' % start, *lines, 'savecore %s 0 10FFF' % path)
    return path


def requests(loop):
    m = Machine('--stop', '--cpus', '2', image=loop)
    check('mode of the socket', stat.S_IMODE(os.stat(m.path).st_mode) == 0o600, oct(os.stat(m.path).st_mode))
    a, b = m.client(), m.client()
    check('greeting', a.hello.get('protocol') == 1 and 'zri' in a.hello, a.hello)
    status = a.ask(do='status')['result']
    check('status', status['running'] is False and len(status['cpus']) == 2 and 'end' not in status, status)
    # a display as JSON and as text; what goes wrong is what a user reads
    has('display', a.ask(command='gpr 2=ABC'), result=None)
    check('JSON', a.ask(command='gpr')['result']['R2'] == '0000000000000ABC')
    check('text', a.ask(command='gpr', text=True)['text'] == script('gpr 2=ABC', 'gpr'))
    for wrong in ('nonsense', 'b', 'gpr 99=1', 'snapshot save /nowhere/x'):
        for text in (True, False):
            sentence = script(wrong).rstrip('\n')
            has('wrong: ' + wrong[:20], a.ask(command=wrong, text=text), error=sentence)
    # each client has its own CPU
    a.ask(command='cpu 1')
    a.ask(do='set', registers={'r5': '1'})
    check('own CPU', a.ask(do='registers', names=['r5'])['result'] == {'cpu': 1, 'registers': {'r5': '0000000000000001'}})
    check('own CPU', b.ask(do='registers', names=['R5'])['result'] == {'cpu': 0, 'registers': {'r5': '0000000000000000'}})
    check('named CPU', b.ask(do='registers', names=['r5'], cpu=1)['result']['registers']['r5'] == '0000000000000001')
    has('no CPU', b.ask(do='registers', cpu=2), error='"cpu": there are CPUs 0 to 1')
    a.ask(command='cpu 0')
    # registers of every width
    everything = a.ask(do='registers')['result']['registers']
    check('all registers', len(everything['v31']) == 32 and len(everything['fpc']) == 8 and len(everything['c0']) == 16)
    has('set', a.ask(do='set', registers={'v31': '1' * 32, 'r1': 0, 'a3': 'FFFFFFFF'}), result=None)
    now = a.ask(do='registers', names=['v31', 'a3'])['result']['registers']
    check('set', now == {'v31': '1' * 32, 'a3': 'FFFFFFFF'}, now)
    has('no register', a.ask(do='set', registers={'r3': '1', 'r77': '1'}),
        error='"r77" is no register; the request registers without names lists them')
    check('nothing set', a.ask(do='registers', names=['r3'])['result']['registers']['r3'] == '0' * 16)
    for bad in ('1' * 17, '', 'xyz', -1, None, [], 1.5):
        has('value', a.ask(do='set', registers={'r3': bad}), error='"r3" takes at most 16 hexadecimal digits')
    # storage
    has('write', a.ask(do='write', address='FFE', bytes='01020304'), result=None)
    check('read', a.ask(do='read', address=0xffe, length=4)['result'] == {'address': '0' * 13 + 'FFE', 'bytes': '01020304'})
    check('real', a.ask(do='read', address='1FFE', length=4, space='real', cpu=1)['result']['bytes'] == '00000000')
    check('seen at the console', '0102' in a.ask(command='abs FFE.2', text=True)['text'])
    has('outside', a.ask(do='read', address='7FFFFFF', length=2), error='0000000008000000 is not in storage')
    has('outside', a.ask(do='write', address='7FFFFFF', bytes='0102'),
        error='0000000007FFFFFF and what follows is not all in storage; nothing was changed')
    for bad in (0, -1, 1 << 20 | 1, 'F', None, 1e9):
        has('length', a.ask(do='read', address='0', length=bad), error='"length" is a number from 1 to 1048576')
    check('a megabyte', len(a.ask(do='read', address='0', length=1 << 20)['result']['bytes']) == 2 << 20)
    for bad in ('0', '0g', '', None, 5):
        has('bytes', a.ask(do='write', address='0', bytes=bad), error='"bytes" takes two hexadecimal digits for each byte')
    has('space', a.ask(do='read', address='0', space='outer'),
        error='"space" is one of absolute, real, current, primary, secondary and home')
    # typing: nobody listens
    has('type', a.ask(do='type', text='x\n'), error='the guest does not listen to its console now; let it run and try again')
    has('half a line', a.ask(do='type', text='x'), error='the guest\'s console takes whole lines: end "text" with a newline')
    # what there is
    help = a.ask(do='help')['result']
    check('help', {r['do'] for r in help['requests']} > {'go', 'stop', 'type', 'quit'} and 'svc' in help['events'], help)
    has('quit', a.ask(do='quit'), result=None)
    status, out = m.end()
    check('quit', status == 0 and not os.path.exists(m.path), out)


def running(loop, options):
    m = Machine('--stop', *options, image=loop)
    a, b = m.client(), m.client()
    has('subscribe', b.ask(do='subscribe', events=['run']), result=['run'])
    has('go', a.ask(do='go'), result=None)
    has('go twice', a.ask(do='go'), error='the machine runs already')
    has('running', b.event('running'))
    times = []
    for i in range(20): # asked at any time: the machine answers soon and goes on
        start = time.time()
        status = b.ask(do='status')['result']
        times.append(time.time() - start)
        check('runs', status['running'] is True, status)
        time.sleep(0.005)
    check('it goes on', b.ask(do='status')['result']['instructions'] > status['instructions'])
    for refused in ('g', 's', 'n', 'ipl builtin:demo', 'expect x', 'rs'):
        has('refused', a.ask(command=refused), error='%s: the machine runs; stop it first' % refused.split()[0])
    for command in ('ri', 'devlist', 'clocks', 'b? ', 'events', 'attach 0055 3505', 'detach 0055', 'ctr status'):
        check(command, 'error' not in a.ask(command=command), command)
    a.ask(do='set', registers={'r9': 'ABCDEF'}) # while it runs
    got = a.ask(do='stop')
    check('stop', got['result']['running'] is False and got['result']['end'] == 'stopped from outside', got)
    has('told', b.event('stopped'), end='stopped from outside')
    check('set in a run', a.ask(do='registers', names=['r9'])['result']['registers']['r9'] == '0000000000ABCDEF')
    before = a.ask(do='status')['result']['instructions']
    time.sleep(0.05)
    check('it stands', a.ask(do='status')['result']['instructions'] == before)
    has('stop again', a.ask(do='stop'), id=a.number)
    a.ask(command='s 3')
    check('steps', a.ask(do='status')['result']['instructions'] == before + 3)
    # a command that runs the machine is answered when it stands again, and others meanwhile
    a.number += 1
    waiting = a.number
    a.send('{"id": %d, "command": "g"}\n' % waiting)
    b.event('running')
    check('others meanwhile', b.ask(do='status')['result']['running'] is True)
    check('its own, too', a.ask(do='status')['result']['running'] is True)
    check('not answered', not [e for e in a.events if e.get('id') == waiting])
    b.ask(command='b 10104 once')
    got = [e for e in a.events if e.get('id') == waiting] or [a.answer(waiting)]
    check('answered', got[0]['result']['end'] == 'breakpoint' and got[0]['result']['address'] == '%016X' % 0x10104, got)
    has('told', b.event('stopped'), end='breakpoint', cpu=0)
    # one who goes away while his command runs
    a.number += 1
    a.send('{"id": %d, "command": "g"}\n' % a.number)
    b.event('running')
    a.close()
    check('it runs', b.ask(do='status')['result']['running'] is True)
    check('b stops it', b.ask(do='stop')['result']['running'] is False)
    has('quit while it runs', b.ask(do='go'), result=None)
    has('quit while it runs', b.ask(do='quit'), result=None)
    status, out = m.end()
    check('quit while it runs', status == 0, out)
    return sorted(times)[len(times) // 2] # a busy host may be late now and then


def events(svc):
    m = Machine('--stop', '--limit', '30000', image=svc)
    a, b = m.client(), m.client()
    has('no event', a.ask(do='subscribe', events=['svc', 'weather']), error='there is no event "weather"; {"do":"help"} lists them')
    has('subscribe', a.ask(do='subscribe', events=['svc', 'run']), result=['run', 'svc'])
    has('subscribe', b.ask(do='subscribe', events=['run', 'program']), result=['run', 'program'])
    a.ask(do='go')
    has('svc', a.event('svc'), event='svc', cpu=0, code='0005')
    has('the end', b.event('stopped'), end='the limit of instructions is reached')
    check('not asked for', not [e for e in b.events if e['event'] == 'svc'])
    got = a.event('stopped')
    check('all of them', 1000 < len([e for e in a.events if e['event'] == 'svc']), got)
    has('unsubscribe', a.ask(do='unsubscribe', events=['svc']), result=['run'])
    has('unsubscribe', a.ask(do='unsubscribe'), result=[])
    check('the operator\'s log is another one', a.ask(command='events')['result'] == {'on': False})
    a.close()
    b.close()
    status, out = m.end()
    check('nobody is there any more', status == 3 and 'CPU 0' in out, out)


def output(demo):
    m = Machine('--stop', image=demo)
    a = m.client()
    a.ask(do='subscribe', events=['output', 'run'])
    a.ask(do='go')
    a.event('stopped')
    text = ''.join(e['text'] for e in a.events if e['event'] == 'output')
    a.ask(do='quit')
    status, out = m.end()
    check('output', text and text in out and status == 0, (text, out))


def mistakes(loop):
    m = Machine('--stop', image=loop)
    a = m.client()
    for line, sentence in (
            (b'{"id":1,', 'that is no JSON: '), (b'nonsense', 'that is no JSON: '), (b'[1]', 'a request is an object, {...}'),
            (b'5', 'that is no JSON: '), (b'{"id":1,"id":2}', 'that is no JSON: duplicate'),
            (b'{"id":1,"do":"st\x00atus"}', 'the line has a zero byte'), (b'{"id":1,"do":"\xff"}', 'that is no JSON: '),
            (b'{"id":1,"command":"\\u0000"}', 'that is no JSON: '), (b'', 'that is no JSON: '),
            (b'[' * 60000, 'objects and lists are nested deeper than 16'),
            (b'{"a":' * 10000, 'objects and lists are nested deeper than 16'),
            (b'{"do":"status"}', 'a request has an "id"'), (b'{"id":null,"do":"status"}', 'a request has an "id"'),
            (b'{"id":"%s","do":"status"}' % (b'x' * 101), 'a request has an "id"'),
            (b'{"id":1}', 'a request has either'), (b'{"id":1,"do":"status","command":"psw"}', 'a request has either'),
            (b'{"id":1,"do":"dance"}', '"do": there is no request "dance"'), (b'{"id":1,"do":5}', 'a request has either'),
            (b'{"id":1,"do":"status","x":1}', 'the request does not know "x"'),
            (b'{"id":1,"command":5}', '"command" is a text'), (b'{"id":1,"command":"psw","text":1}', '"command" is a text'),
            (b'{"id":1,"command":"psw\\npsw"}', 'a command is one line'),
            (b'{"id":1,"do":"registers","names":5}', '"names" is a list of names'),
            (b'{"id":1,"do":"registers","names":[5]}', '"" is no register'),
            (b'{"id":1,"do":"set","registers":5}', '"registers" is an object'),
            (b'{"id":1,"do":"subscribe","events":"run"}', '"events" is a list of names'),
            (b'{"id":1,"do":"read","address":"12345678901234567"}', '"address" takes at most 16 hexadecimal digits'),
            (b'{"id":1,"do":"type","text":""}', '"text" is what is to be typed'),
            (b'"' + b'y' * 70000 + b'"', 'the line is longer than 65535 bytes; it was left out')):
        a.send(line + b'\n')
        got = a.line()
        check('mistake %s' % line[:40], got.get('error', '').startswith(sentence), got)
    has('it goes on', a.ask(do='status'), id=a.number)
    a.send('{"id":"text","command":"version"}\n')
    check('id as it came', a.line().get('id') == 'text')
    # in pieces, several at once, and without an end
    for byte in b'{"id":7,"do":"status"}\n':
        a.send(bytes([byte]))
    check('in pieces', a.line().get('id') == 7)
    a.send(''.join('{"id":%d,"command":"version"}\n' % i for i in range(1000)))
    check('in order', [a.line()['id'] for i in range(1000)] == list(range(1000)))
    for rest in ('{"id":1,"do":"qu', '{"id":1,"command":"gpr"}\n{"id":2', ''):
        b = m.client()
        b.send(rest)
        b.close()
    b = m.client()
    b.send('{"id":1,"do":"status"}\n{"id":2,"do":"qu')
    b.socket.shutdown(socket.SHUT_WR)
    check('half closed', b.line().get('id') == 1)
    try:
        b.line()
        check('half closed', False)
    except Gone:
        pass
    has('long line', a.ask(command='x' * 1030), error='the line is longer than 1023 characters; use several lines')
    has('full disk', a.ask(command='log /dev/full'), result=None)
    got = a.ask(command='savecore /dev/full 0 FFFF')
    check('full disk', 'No space left' in got.get('error', ''), got)
    # as many as there can be
    many = [m.client() for i in range(15)]
    try:
        last = Client(m.path)
        got = last.line()
        check('one too many', 'as many clients as there can be' in got.get('error', ''), got)
        last.line()
        check('one too many', False)
    except (Gone, ConnectionResetError):
        pass
    for c in many:
        c.ask(do='status')
        c.close()
    until = time.time() + PATIENCE
    while True: # those who went are seen soon
        try:
            b = m.client()
            got = b.ask(do='status')
        except (Gone, OSError):
            got = {}
        if 'id' in got or time.time() > until:
            break
    has('there is room again', got, id=1)
    a.ask(do='quit')
    status, out = m.end()
    check('mistakes', status in (0, 2), out) # 2: the log on the full device is lost


def slow(svc, options):
    """A client that does not read: the guest runs as fast, and it is sent away with a word."""
    m = Machine('--stop', *options, image=svc)
    a, b = m.client(), m.client()
    b.ask(do='subscribe', events=['svc'])
    a.ask(do='subscribe', events=['run'])
    a.ask(do='go')
    until = time.time() + PATIENCE
    while True:
        status = a.ask(do='status')['result']
        if status['instructions'] > 2000000 or time.time() > until:
            break
    check('the guest does not wait', status['instructions'] > 2000000, status)
    last = None
    try:
        while True:
            last = b.line()
    except (Gone, ConnectionResetError):
        pass
    check('a last word', last and last.get('event') == 'dropped' and 'does not read' in last['error'], last)
    check('others stay', a.ask(do='stop')['result']['running'] is False)
    a.ask(do='quit')
    status, out = m.end()
    check('the operator is told', 'control: a client was sent away: it does not read' in out, out)


def ends(good, bad, loop):
    """Without --stop the guest runs at once; the program ends with it unless somebody is there."""
    for what, want in ((good, 0), (bad, 1)):
        m = Machine(image=what)
        check('ends by itself', m.end()[0] == want)
        m = Machine('--stop', image=what)
        a = m.client()
        check('run', a.ask(command='g')['result']['end'] == 'every CPU is stopped or in a disabled wait')
        check('can be looked at', 'disabled wait' in a.ask(do='status')['result']['cpus'][0]['state'])
        a.ask(do='quit')
        check('its end', m.end()[0] == want)
    m = Machine('--stop', '--seconds', '0.5', image=loop)
    check('nobody comes', m.end()[0] == 3)
    m = Machine('--seconds', '2', image=loop)
    a = m.client()
    check('time', m.end()[0] == 3)
    m = Machine('--stop', image=loop)
    m.process.send_signal(signal.SIGTERM)
    check('asked to end', m.end()[0] == 1)
    # an idle guest waits for whoever comes
    m = Machine(image=image('idle', 0x10100, 'asm 10100 lpswe 0x200', 'r 200=0302000180000000 0000000000010100'))
    time.sleep(0.2)
    a = m.client()
    check('waits', a.ask(do='status')['result']['running'] is True)
    a.ask(do='stop')
    a.ask(do='quit')
    check('waits', m.end()[0] == 0)


def sockets(loop):
    m = Machine('--stop', image=loop)
    second = subprocess.run([zri, '--batch', '--control', 'unix:' + m.path, loop], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, universal_newlines=True)
    check('in use', second.returncode == 2 and 'somebody listens there' in second.stdout, second.stdout)
    check('in use', m.client().ask(do='status')['id'] == 1)
    m.process.kill()
    m.end()
    check('left over', os.path.exists(m.path))
    m = Machine('--stop', image=loop)
    m.client().ask(do='quit')
    check('replaced', m.end()[0] == 0 and not os.path.exists(m.path))
    plain = os.path.join(folder, 'plain')
    open(plain, 'w').write('mine')
    for place, words in (('unix:' + plain, 'it is no socket'), ('unix:/nowhere/x', 'name a place that you may write to'),
                         ('tcp:1', 'give unix:PATH'), ('unix:', '1 to 107 characters'), ('unix:' + 'x' * 108, '1 to 107')):
        bad = subprocess.run([zri, '--batch', '--control', place, loop], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             universal_newlines=True)
        check(place, bad.returncode == 2 and words in bad.stdout, bad.stdout)
    check('untouched', open(plain).read() == 'mine')


def console(loop):
    """A zri with its console on redirected input is served at the prompt and in runs."""
    m = Machine('--stop', image=loop, batch=False, stdin=subprocess.PIPE)
    a = m.client()
    check('at the prompt', a.ask(do='status')['result']['running'] is False)
    m.process.stdin.write(b'gpr 7=77\necho hello\n')
    m.process.stdin.flush()
    until = time.time() + PATIENCE
    while a.ask(command='gpr')['result']['R7'] != '0000000000000077' and time.time() < until:
        pass
    check('one machine', a.ask(command='gpr')['result']['R7'] == '0000000000000077')
    m.process.stdin.write(b'g\n')
    m.process.stdin.flush()
    until = time.time() + PATIENCE
    while not a.ask(do='status')['result']['running'] and time.time() < until:
        pass
    check('in a run', a.ask(do='stop')['result']['end'] == 'stopped from outside')
    a.ask(do='quit')
    status, out = m.end()
    check('console', status == 0 and 'hello' in out and 'stopped from outside' in out, out)


def snapshots(loop):
    m = Machine('--stop', image=loop)
    a, b = m.client(), m.client()
    a.ask(do='go')
    saved = os.path.join(folder, 'saved.zs')
    got = a.ask(command='snapshot save ' + saved)
    if 'error' in got:
        check('snapshot', 'zlib' in got['error'], got)
    else:
        at = a.ask(do='status')['result']['instructions']
        time.sleep(0.05)
        got = b.ask(command='snapshot load ' + saved) # while it runs
        check('load', 'error' not in got, got)
        check('it runs on', a.ask(do='status')['result']['running'] is True)
        check('the saved one', a.ask(do='stop')['result']['instructions'] < at + 100000000)
        check('steps', 'error' not in b.ask(command='s'))
    a.ask(do='quit')
    check('snapshot', m.end()[0] == 0)


def matches(shown, got):
    """What the manual shows is what has come; "..." stands for anything."""
    if shown == '...':
        return True
    if isinstance(shown, dict):
        return isinstance(got, dict) and shown.keys() == got.keys() and all(matches(shown[k], got[k]) for k in shown)
    if isinstance(shown, list):
        return isinstance(got, list) and len(shown) == len(got) and all(map(matches, shown, got))
    return shown == got


def manual(file):
    """The exchanges that doc/control.txt shows; a line of dots stands for any number of lines."""
    m = Machine('--stop', image='builtin:demo')
    a = Client(m.path)
    shown = skips = 0
    for line in open(file):
        if line.startswith('  -> '):
            a.send(line[5:])
        elif line.startswith('  <- ...'):
            skips = True
        elif line.startswith('  <- '):
            shown += 1
            got = a.line()
            while skips and not matches(json.loads(line[5:]), got):
                got = a.line()
            skips = False
            check('the manual: ' + line.strip(), matches(json.loads(line[5:]), got), got)
    check('the manual', shown > 15, shown)
    check('not everything matches', not matches({'a': [1, 2]}, {'a': [1, 3]}) and not matches({'a': 1}, {'a': 1, 'b': 2}))
    a.close()
    m.end()


loop = image('loop', 0x10100, 'asm 10100 aghi %r1,1', 'asm 10104 j 0x10100')
both = image('both', 0x10100, 'asm 10100 aghi %r1,1', 'asm 10104 j 0x10100')
svc = image('svc', 0x10100, 'asm 10100 svc 5', 'asm 10102 j 0x10100', 'r 1C0=0000000180000000 0000000000010200',
            'asm 10200 lpswe 0x140')
good = image('good', 0x10100, 'asm 10100 lpswe 0x200', 'r 200=0002000180000000 0000000000000000')
bad = image('bad', 0x10100, 'asm 10100 lpswe 0x200', 'r 200=0002000180000000 0000000000000BAD')

requests(loop)
for options in ((), ('--engine', 'reference'), ('--cpus', '3'), ('--cpus', '2', '--threads')):
    usual = running(loop, options)
    check('answers within 100 ms %s' % (options,), usual < 0.1 or os.environ.get('ZRI_SHORT'), usual)
events(svc)
output('builtin:demo')
mistakes(loop)
for options in ((), ('--cpus', '2', '--threads')):
    slow(svc, options)
ends(good, bad, loop)
sockets(loop)
console(loop)
snapshots(loop)
manual(sys.argv[3])
print('%d checks of the control socket, %d failed' % (ran, failed))
sys.exit(failed != 0)
