# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module, on machines of its own. The environment's ZRI is the zri that is tried."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import zri
import zri.__main__

# A guest that reads lines on a console 3215 at 0009 and writes them again.
ECHO = """
asm 10100 lgfi %r1,0x10000
asm 10106 lgfi %r2,0x20000
asm 1010c stsch 0x100(%r2)
asm 10110 oi 0x105(%r2),128
asm 10114 msch 0x100(%r2)
asm 10118 tsch 0x400(%r2)
asm 1011c ssch 0x200(%r2)
asm 10120 brc 7,0x10118
asm 10124 tsch 0x400(%r2)
asm 10128 brc 4,0x10124
asm 1012c lghi %r3,80
asm 10130 lh %r4,0x40a(%r2)
asm 10134 sr %r3,%r4
asm 10136 sth %r3,0x30a(%r2)
asm 1013a tsch 0x400(%r2)
asm 1013e ssch 0x220(%r2)
asm 10142 brc 7,0x1013a
asm 10146 tsch 0x400(%r2)
asm 1014a brc 4,0x10146
asm 1014e j 0x10118
r 20204=0080FF0000020300
r 20224=0080FF0000020308
r 20300=0A20005000021000
r 20308=0920005000021000
psw 0000000180000000 10100"""
LOOP = """
asm 10100 aghi %r1,1
asm 10104 stg %r1,0x800
asm 1010a j 0x10100
psw 0000000180000000 10100"""
GOOD_END = """
r 300=00020001800000000000000000000000
asm 10100 lpswe 0x300
psw 0000000180000000 10100"""


class Case(zri.MachineTest):
    def guest(self, lines, *options):
        m = self.machine(None, *options)
        for line in lines.strip().split("\n"):
            m.command(line)
        return m


class State(Case):
    def test_registers(self):
        m = self.machine(None, "--cpus", "2")
        m.set(r1=5, c0=0xE0, v16=1 << 100)
        self.assertRegister(m, "r1", 5)
        self.assertRegister(m, "v16", 1 << 100)
        self.assertRegister(m, "r1", 0, cpu=1)
        self.assertEqual(m.registers("r1", "c0"), {"r1": 5, "c0": 0xE0})
        self.assertGreater(len(m.registers()), 80)
        with self.assertRaisesRegex(zri.Error, '"r16" is no register'):
            m.register("r16")
        with self.assertRaises(AssertionError):
            self.assertRegister(m, "r1", 6)

    def test_storage(self):
        m = self.machine(None)
        data = bytes(range(256)) * 300
        m.write(0x12345, data)
        self.assertEqual(m.read(0x12345, len(data)), data)
        self.assertStorage(m, 0x12346, b"\1\2")
        self.assertEqual(len(m.read(0, 3 << 20)), 3 << 20)
        with self.assertRaisesRegex(zri.Error, "is not in storage"):
            m.read(1 << 40)
        with self.assertRaises(AssertionError):
            self.assertStorage(m, 0x12346, b"\1\3")

    def test_commands(self):
        m = self.machine(None)
        self.assertEqual(m.command("echo hello"), "hello")
        self.assertEqual(m.text("echo hello"), "hello\n")
        self.assertIsNone(m.command("gpr 3=1"))
        self.assertEqual(m.command("gpr")["R3"], "0" * 15 + "1")
        self.assertIn("controls", str(m.command("ri")) + m.text("ri"))
        with self.assertRaisesRegex(zri.Error, "there is no command 'dance'"):
            m.command("dance")
        m.attach("000C", "3505", os.devnull)
        self.assertEqual([d["device"] for d in m.command("devlist")], ["0:000C"])
        m.detach("000C")
        self.assertEqual(m.command("devlist"), [])


class Runs(Case):
    def test_stops(self):
        m = self.guest(LOOP)
        m.break_at(0x10104, "count 10")
        stop = self.assertStops(m, "breakpoint")
        self.assertEqual((stop.psw[1], stop.cpu), (0x10104, 0))
        self.assertRegister(m, "r1", 10)
        m.unbreak()
        m.step(3)
        self.assertRegister(m, "r1", 11)
        m.watch(0x800, 8)
        self.assertStops(m, "watchpoint")
        m.command("watch- all")
        m.go()
        self.assertTrue(m.running)
        with self.assertRaisesRegex(zri.Error, "the machine runs already"):
            m.go()
        with self.assertRaises(zri.Timeout):
            m.wait_stop(timeout=0.05)
        self.assertEqual(m.stop()["running"], False)
        self.assertEqual(m.wait_stop().end, "stopped from outside")
        with self.assertRaises(AssertionError):
            m.break_at(0x10104)
            self.assertStops(m, "watchpoint")

    def test_ends(self):
        m = self.guest(GOOD_END)
        self.assertEnds(m)
        m = self.machine("builtin:demo")
        self.assertEnds(m, 0xFFF)
        self.assertEqual(m.quit(), 0)
        m = self.machine("builtin:demo")
        m.command("r 10002=0000")
        self.assertNotEqual(m.run().psw[1], 0xFFF)
        self.assertEqual(m.quit(), 1)

    def test_snapshot(self):
        m = self.guest(LOOP)
        m.step(5)
        with tempfile.TemporaryDirectory() as folder:
            try:
                m.save(os.path.join(folder, "a b"))
            except zri.Error as why:
                self.skipTest(str(why))
            then = m.registers()
            m.step(5)
            self.assertNotEqual(m.registers(), then)
            m.load(os.path.join(folder, "a b"))
            self.assertEqual(m.registers(), then)


class Events(Case):
    def test_output(self):
        m = self.machine("builtin:demo")
        found = self.assertWrites(m, r"groups stored: *(\d+)")
        self.assertGreater(int(found.group(1)), 0)
        m.wait_output("the end")
        with self.assertRaises(zri.Stopped) as caught:
            m.wait_output("never")
        self.assertIn("disabled wait", caught.exception.stop.state)

    def test_log(self):
        m = self.guest("""
asm 10100 svc 7
asm 10102 j 0x10100
r 1C0=00000001800000000000000000010200
asm 10200 lpswe 0x140
psw 0000000180000000 10100""")
        m.subscribe("svc")
        m.break_at(0x10100, "count 5")
        m.run()
        self.assertEqual(m.next_event("svc")["code"], "0007")
        self.assertEqual(m.wait_event("svc", lambda event: event["instruction"] > 5)["cpu"], 0)
        m.unsubscribe("svc")

    def typing(self, *options):
        m = self.guest(ECHO, "--device", "0009,3215", *options)
        with self.assertRaisesRegex(zri.Error, "does not listen to its console now"):
            m.type("too early\n")
        m.go()
        for n in range(20):
            while True:
                try:
                    m.type("line %d\n" % n)
                    break
                except zri.Error: # the guest has not come so far
                    time.sleep(0.01)
            self.assertEqual(m.wait_output(r"line (\d+)\n").group(1), str(n))
        with self.assertRaisesRegex(zri.Error, "end \"text\" with a newline"):
            m.type("half")
        with self.assertRaisesRegex(zri.Timeout, "has not written 'never'"):
            m.wait_output("never", timeout=0.1)
        m.stop()
        with self.assertRaisesRegex(zri.Stopped, "stopped from outside"):
            m.wait_output("never")

    def test_typing(self):
        self.typing()

    def test_typing_threads(self):
        self.typing("--threads", "--cpus", "2")


class Sandbox(Case):
    def test_sandbox(self):
        try:
            m = self.machine("builtin:demo", "--sandbox")
        except zri.Error as why:
            self.assertIn("without libseccomp", str(why))
            self.skipTest("no sandbox in this build")
        self.assertWrites(m, "the end")
        other = zri.Client(m.path)
        self.assertEqual(other.status()["end"], "every CPU is stopped or in a disabled wait")
        other.close()
        with self.assertRaisesRegex(zri.Error, "Operation not permitted"):
            m.command("log now")
        with self.assertRaises(zri.Error):
            m.command("loadcore /etc/passwd")
        m.write(0x30000, b"\7")
        self.assertStorage(m, 0x30000, b"\7")
        self.assertEqual(m.quit(), 0)


class Several(Case):
    def test_clients(self):
        m = self.guest(LOOP, "--cpus", "3")
        clients = [zri.Client(m.path) for n in range(6)]
        m.go()
        counts = [0] * len(clients)

        def work(n):
            for i in range(30):
                clients[n].set(**{"r%d" % (n + 4): i})
                if clients[n].register("r%d" % (n + 4)) == i and clients[n].running:
                    counts[n] += 1

        threads = [threading.Thread(target=work, args=(n,)) for n in range(len(clients))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counts, [30] * len(clients))
        for client in clients:
            client.close()
        self.assertTrue(m.running)

    def test_gone(self):
        m = self.guest(LOOP)
        other = zri.Client(m.path)
        m.quit()
        with self.assertRaises(zri.Gone):
            other.status()
        with self.assertRaises(zri.Gone):
            zri.Client(m.path)
        other.close()

    def test_not_started(self):
        with self.assertRaisesRegex(zri.Error, "/nowhere"):
            zri.Machine("/nowhere/image")
        with self.assertRaisesRegex(zri.Error, "nobody-has-this"):
            zri.Machine(program="/nobody-has-this")


class Shell(Case):
    """python3 -m zri"""

    def shell(self, *words):
        out, wrong = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(wrong):
            status = zri.__main__.main(list(words))
        return status, out.getvalue() + wrong.getvalue()

    def test_run(self):
        status, shown = self.shell("run", "builtin:demo", "echo first", "g")
        self.assertEqual(status, 0, shown)
        self.assertRegex(shown, "(?s)^first\n.*disabled wait.*the end")
        status, shown = self.shell("run", "builtin:demo", "dance")
        self.assertEqual((status, "there is no command 'dance'" in shown), (1, True))
        status, shown = self.shell("run", "/nowhere/image")
        self.assertEqual(status, 2)
        self.assertRegex(shown, "^python3 -m zri: zri has ended: ")

    def test_talk(self):
        m = self.machine(None)
        self.assertEqual(self.shell("talk", m.path, "gpr 5=7", "echo x"), (0, "x\n"))
        self.assertRegister(m, "r5", 7)
        self.assertEqual(self.shell("talk", "/nowhere")[0], 2)

    def test_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "try.py")
            with open(file, "w") as to:
                to.write("import zri\nclass T(zri.MachineTest):\n"
                         "    def test_it(self):\n        self.assertEnds(self.machine('builtin:demo'), %s)\n")
            with open(file) as was:
                text = was.read()
            for address, status in (("0xFFF", 0), ("0", 1)):
                with open(file, "w") as to:
                    to.write(text % address)
                self.assertEqual(self.shell("test", file)[0], status)

    def test_example(self):
        """The example in the manual's folder runs as it stands."""
        example = os.path.join(os.path.dirname(__file__), "..", "..", "doc", "control-example.py")
        done = subprocess.run([sys.executable, "-B", example], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(zri.__file__))))
        self.assertEqual(done.returncode, 0, done.stdout.decode())
        self.assertIn("27 takes 111 steps", done.stdout.decode())


if __name__ == "__main__":
    unittest.main()
