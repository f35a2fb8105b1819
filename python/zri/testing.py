# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripted tests of guests with unittest.

    class Boots(zri.MachineTest):
        def test_banner(self):
            m = self.machine("builtin:demo")
            self.assertWrites(m, r"letters")
            self.assertEnds(m)

python3 -m zri test FILE carries them out.
"""
import unittest

from .machine import Machine


class MachineTest(unittest.TestCase):
    """A test case with machines that end with their test."""

    def machine(self, *arguments, **named):
        """Start a Machine for this test."""
        made = Machine(*arguments, **named)
        self.addCleanup(made.close)
        return made

    def assertRegister(self, machine, name, value, cpu=None):
        """The register has this value."""
        found = machine.register(name, cpu=cpu)
        self.assertEqual(found, value, "%s is %X, not %X" % (name, found, value))

    def assertStorage(self, machine, address, data, space="absolute"):
        """These bytes stand at the address."""
        self.assertEqual(machine.read(address, len(data), space).hex(), data.hex())

    def assertWrites(self, machine, pattern, timeout=None):
        """The guest, which is let run when it stands, writes what the regular expression matches."""
        if not machine.running:
            machine.go()
        return machine.wait_output(pattern, timeout)

    def assertStops(self, machine, end, timeout=None):
        """The next run ends like this."""
        stop = machine.run(timeout)
        self.assertIn(end, stop.end)
        return stop

    def assertEnds(self, machine, address=0, timeout=None):
        """The guest comes to its end, a disabled wait at this address."""
        stop = machine.wait_stop(timeout) if machine.running else machine.run(timeout)
        self.assertEqual((stop.state, stop.psw[1]), ("disabled wait", address))
        return stop
