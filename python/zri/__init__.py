# SPDX-License-Identifier: GPL-3.0-or-later
"""Drive zri, a z/Architecture machine, from Python.

    import zri

    with zri.Machine("builtin:demo") as m:
        m.command("b 10002")            # any command of the console
        print(m.run().end)              # "breakpoint"
        print(hex(m.register("r1")))
        m.write(0x20000, b"\\1\\2")
        m.run()
        print(m.output)

A Machine is a zri of one's own; a Client talks to one that somebody else has started with --control. Both can do the same.
Nothing but Python's own library is needed. What is wrong is an exception: Error has the sentence that a user of the
console reads, Timeout says that something did not come in time, Gone that the machine is not there any more.
doc/control.txt has the protocol below.
"""
from .client import Client, Error, Gone, Stopped, Timeout
from .machine import Machine
from .testing import MachineTest

__all__ = ["Client", "Error", "Gone", "Machine", "MachineTest", "Stopped", "Timeout"]
