# SPDX-License-Identifier: GPL-3.0-or-later
"""An example for doc/control.txt: a program in a machine, tried from Python. In the folder above this one:

    PYTHONPATH=python ZRI=build/zri python3 doc/control-example.py
"""
import zri

# How many steps a number takes to 1 when it is halved while it is even, and 3n+1 otherwise: number R2, steps R3.
PROGRAM = """
asm 10000 lghi %r3,0
asm 10004 cghi %r2,1
asm 10008 je 0x10032
asm 1000c aghi %r3,1
asm 10010 tmll %r2,1
asm 10014 jo 0x10022
asm 10018 srlg %r2,%r2,1
asm 1001e j 0x10004
asm 10022 msgfi %r2,3
asm 10028 aghi %r2,1
asm 1002c j 0x10004
asm 10032 lpswe 0x300
abs 300=00020001800000000000000000000000
"""

with zri.Machine() as machine:
    for line in PROGRAM.strip().split("\n"):
        machine.command(line)
    for number, steps in ((1, 0), (6, 8), (27, 111)):
        machine.command("psw 0000000180000000 10000")
        machine.set(r2=number)
        stop = machine.run()
        assert stop.state == "disabled wait" and stop.psw[1] == 0, stop
        assert machine.register("r3") == steps
        print("%d takes %d steps, %d instructions so far" % (number, steps, stop.instructions))
    # where is the number largest?
    machine.command("psw 0000000180000000 10000")
    machine.set(r2=27)
    machine.break_at(0x1002C)
    largest = 0
    while machine.run().end == "breakpoint":
        largest = max(largest, machine.register("r2"))
    print("on its way it is %d" % largest)
