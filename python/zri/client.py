# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection to the control socket of a running zri."""
import collections
import json
import re
import socket
import time


class Error(Exception):
    """zri has refused a request; the sentence says what is wrong and what to do."""


class Timeout(Error):
    """What was waited for did not come in time."""


class Gone(Error):
    """The machine has ended, or has sent this client away."""


class Stopped(Error):
    """The machine has come to stand while something else was waited for; `stop` is the event that says why."""

    def __init__(self, sentence, stop):
        super().__init__(sentence)
        self.stop = stop


class Stop:
    """How a run has ended: `end` in words, `cpu`, its `psw` (mask, address) and `state`, `instructions` of all CPUs."""

    def __init__(self, event):
        self.end, self.cpu, self.state = event["end"], event["cpu"], event["state"]
        self.psw = tuple(int(part, 16) for part in event["psw"].split())
        self.instructions = event["instructions"]

    def __repr__(self):
        return "<%s: CPU %d %s, PSW %016X %016X>" % ((self.end, self.cpu, self.state) + self.psw)


class Client:
    """A client of the socket at `path`. `timeout` (seconds) is what every request may take.

    Commands of the console are command() and text(); what is asked most has methods of its own. Events that were
    subscribed wait until next_event() or one of the wait_ methods takes them; guest output is gathered in `output`.
    """

    def __init__(self, path, timeout=30.0):
        self.timeout = timeout
        self.output = ""
        self._matched = 0
        self._number = 0
        self._subscribed = set()
        self._bytes = b""
        self._answers = {}
        self._events = collections.deque()
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(path)
            self.hello = self._line(time.monotonic() + timeout)
        except OSError as why:
            self._socket.close()
            raise Gone("%s: %s" % (path, why)) from None
        if self.hello.get("protocol") != 1:
            self._socket.close()
            raise Error(self.hello.get("error", "%s: another protocol than 1 is spoken there" % path))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Hang up. The machine goes on as it is."""
        self._socket.close()

    # ---- lines

    def _line(self, until):
        """The next line that comes, as an object."""
        while b"\n" not in self._bytes:
            left = until - time.monotonic()
            if left <= 0:
                raise Timeout("nothing has come in time")
            self._socket.settimeout(left)
            try:
                more = self._socket.recv(1 << 16)
            except socket.timeout:
                continue
            except OSError as why:
                raise Gone("the connection is lost: %s" % why) from None
            if not more:
                raise Gone("the machine has ended")
            self._bytes += more
        line, self._bytes = self._bytes.split(b"\n", 1)
        return json.loads(line)

    def _take(self, until):
        """One line, to where it belongs."""
        got = self._line(until)
        if "id" in got:
            self._answers[got["id"]] = got
        elif got.get("event") == "output":
            self.output += got["text"]
        elif got.get("event") == "dropped":
            raise Gone(got["error"])
        else:
            self._events.append(got)

    def send(self, **members):
        """Send a request and do not wait: its number, for answer()."""
        self._number += 1
        line = json.dumps(dict(members, id=self._number)) + "\n"
        try:
            self._socket.settimeout(self.timeout)
            self._socket.sendall(line.encode())
        except OSError as why:
            raise Gone("the connection is lost: %s" % why) from None
        return self._number

    def answer(self, number, timeout=None):
        """What a request was answered: its result, or the text of a command. Error when it was refused."""
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        while number not in self._answers:
            self._take(until)
        got = self._answers.pop(number)
        if "error" in got:
            raise Error(got["error"])
        return got.get("result", got.get("text"))

    def request(self, do, timeout=None, **members):
        """Carry out one of the socket's own requests; its result."""
        return self.answer(self.send(do=do, **members), timeout)

    # ---- the console

    def command(self, line, timeout=None, **members):
        """Carry out a command of the console; its display as Python has JSON (or as text, when it has no such form)."""
        return self.answer(self.send(command=line, **members), timeout)

    def text(self, line, timeout=None, **members):
        """Carry out a command of the console; what a user would see."""
        return self.answer(self.send(command=line, text=True, **members), timeout)

    # ---- state

    def status(self):
        """A dictionary: running, instructions, cpus (cpu, state, psw of each), end (of the latest run), gdb."""
        return self.request("status")

    @property
    def running(self):
        """Does the machine run?"""
        return self.status()["running"]

    def registers(self, *names, cpu=None):
        """Registers by their names (r1, c0, f4, v16, psw address as pswa, ...), all when none is named: numbers."""
        members = {} if cpu is None else {"cpu": cpu}
        if names:
            members["names"] = list(names)
        return {name: int(value, 16) for name, value in self.request("registers", **members)["registers"].items()}

    def register(self, name, cpu=None):
        """One register as a number."""
        return next(iter(self.registers(name, cpu=cpu).values()))

    def set(self, cpu=None, **values):
        """Change registers: set(r1=5, c0=0xE0)."""
        members = {} if cpu is None else {"cpu": cpu}
        self.request("set", registers={name: "%X" % value for name, value in values.items()}, **members)

    def read(self, address, length=1, space="absolute", cpu=None):
        """Bytes of storage; the space is absolute, real, current, primary, secondary or home."""
        got, members = b"", {} if cpu is None else {"cpu": cpu}
        while len(got) < length:
            part = min(length - len(got), 1 << 20)
            found = self.request("read", address="%X" % (address + len(got)), length=part, space=space, **members)
            got += bytes.fromhex(found["bytes"])
        return got

    def write(self, address, data, space="absolute", cpu=None):
        """Change storage."""
        members = {} if cpu is None else {"cpu": cpu}
        for at in range(0, len(data), 1 << 14):
            self.request("write", address="%X" % (address + at), bytes=data[at:at + (1 << 14)].hex(), space=space,
                         **members)

    # ---- running

    def subscribe(self, *events):
        """Be told of these events from now on: output, run, and classes of the event log (svc, io, program ...)."""
        self._subscribed = set(self.request("subscribe", events=list(events)))
        return sorted(self._subscribed)

    def unsubscribe(self, *events):
        """Be told of these no more, or of none."""
        self._subscribed = set(self.request("unsubscribe", **({"events": list(events)} if events else {})))
        return sorted(self._subscribed)

    def go(self):
        """Let the machine run; this does not wait. How it ended before is forgotten."""
        self._events = collections.deque(e for e in self._events if e["event"] not in ("running", "stopped"))
        self.request("go")

    def stop(self):
        """End the run; the status when the machine stands."""
        return self.request("stop")

    def run(self, timeout=None):
        """Let the machine run until it comes to stand by itself: a Stop. Timeout when it does not; it runs on then."""
        self._need("run")
        self.go()
        return self.wait_stop(timeout)

    def step(self, count=1):
        """Carry out instructions of one CPU; what the command s shows."""
        return self.command("s %d" % count)

    def _need(self, event):
        if event not in self._subscribed:
            self.subscribe(event)

    # ---- waiting

    def next_event(self, *names, timeout=None):
        """The next event, or the next of these names, as a dictionary."""
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        looked = 0
        while True:
            for i in range(looked, len(self._events)):
                if not names or self._events[i]["event"] in names:
                    got = self._events[i]
                    del self._events[i]
                    return got
            looked = len(self._events)
            self._take(until)

    def wait_event(self, name, where=None, timeout=None):
        """The next event of this name for which where(event) is true; others of the name are passed over."""
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        self._need(name)
        while True:
            got = self.next_event(name, timeout=until - time.monotonic())
            if where is None or where(got):
                return got

    def wait_stop(self, timeout=None):
        """Until a run ends: a Stop."""
        return Stop(self.next_event("stopped", timeout=timeout))

    def wait_output(self, pattern, timeout=None):
        """Until the guest has written what the regular expression matches, behind what was waited for before: the match.

        Stopped when the machine comes to stand before that.
        """
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        expression = re.compile(pattern)
        self._need("output")
        self._need("run")
        while True:
            match = expression.search(self.output, self._matched)
            if match:
                self._matched = match.end()
                return match
            stop = next((e for e in self._events if e["event"] == "stopped"), None)
            if stop:
                self._events.remove(stop)
                raise Stopped("the machine stands (%s) and has not written %r; its last words: %r" %
                              (stop["end"], pattern, self.output[-200:]), Stop(stop))
            try:
                self._take(until)
            except Timeout:
                raise Timeout("the guest has not written %r in time; its last words: %r" %
                              (pattern, self.output[-200:])) from None

    def type(self, text):
        """Type on the guest's console; a line ends with a newline."""
        self.request("type", text=text)

    # ---- what is done often

    def break_at(self, address, words=""):
        """A breakpoint, with what the command b takes behind the address: break_at(0x10020, "count 3 if %r2 > 5")."""
        self.command("b %X %s" % (address, words))

    def unbreak(self, address=None):
        """Remove a breakpoint, or all."""
        self.command("b- all" if address is None else "b- %X" % address)

    def watch(self, address, length=1, words="w"):
        """A watchpoint, with the words of the command watch."""
        self.command("watch %X.%X %s" % (address, length, words))

    def attach(self, device, *words):
        """Attach a device: attach("000C", "3505", "deck")."""
        self.command(" ".join(["attach", device] + ['"%s"' % word if " " in word else word for word in words]))

    def detach(self, device):
        """Take a device away."""
        self.command("detach %s" % device)

    def save(self, file):
        """Write a snapshot of the machine."""
        self.command('snapshot save "%s"' % file)

    def load(self, file):
        """Put the machine of a snapshot in the place of this one."""
        self.command('snapshot load "%s"' % file)

    def quit(self):
        """End the program."""
        self.request("quit")
