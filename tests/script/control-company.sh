#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The control socket in company: of gdb, of an operator at a terminal, and in a sandbox (what the host says of it). And commands
# that are typed while the guest runs, behind Ctrl-].
. "${srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || skip "no python3 to be a client"
cd "$work" || exit 99
"$zri" --batch --control "unix:$work/none" builtin:demo >out 2>&1
grep -q 'built without jansson' out && none=1 || none=
source=$(cd "$OLDPWD/${srcdir:-.}" 2>/dev/null && pwd) || source=${srcdir:-.}
PYTHONPATH=$source/python ZRI=$zri TERM=dumb ZRI_HISTORY=$work/history
PAGER=
export PYTHONPATH ZRI TERM ZRI_HISTORY PAGER
cat >loop.zc <<'END_LOOP'
asm 10100 aghi %r1,1
asm 10104 j 0x10100
r 0=0000000180000000 0000000000010100
savecore loop 0 10FFF
END_LOOP
"$zri" --script loop.zc >/dev/null 2>&1 </dev/null
[ -s loop ] || fail "no guest"

part '18.5 a terminal: commands while the guest runs, a client beside an operator'
cat >terminal.py <<'END_TERMINAL'
import os, pty, re, select, sys, termios, time
zri, steps = sys.argv[1], sys.argv[2].split('\n')
pid, fd = pty.fork()
if pid == 0:
    os.execv(zri, [zri] + sys.argv[3:])
seen, start = '', 0
def until(expression, begin):
    global seen
    end = time.time() + 30
    while not re.search(expression, seen[begin:], re.S):
        if time.time() > end or not os.path.exists('/proc/self'):
            sys.exit('not seen: %s in %r' % (expression, seen[begin:][-500:]))
        if select.select([fd], [], [], 0.05)[0]:
            try:
                seen += os.read(fd, 4096).decode(errors='replace')
            except OSError:
                if not re.search(expression, seen[begin:], re.S):
                    sys.exit('ended before: %s in %r' % (expression, seen[begin:][-500:]))
for step in steps:
    if step.startswith('!'):
        start = len(seen)
        if os.system(step[1:]):
            sys.exit('failed: ' + step)
        continue
    if step == '~': # until every key is the guest's
        until_raw = time.time() + 30
        while termios.tcgetattr(fd)[3] & termios.ISIG and time.time() < until_raw:
            time.sleep(0.01)
        continue
    keys, _, expression = step.partition('|')
    if keys:
        start = len(seen)
        os.write(fd, keys.encode().decode('unicode_escape').encode('latin-1'))
    until(expression, start)
END_TERMINAL
# at NAME STEPS OPTIONS...: each step is keys|what must come, !a command of the shell, or ~: the VT220 has the keyboard
at()
{
    name=$1 steps=$2
    shift 2
    timeout 120 python3 -B terminal.py "$zri" "$steps" "$@" >said 2>&1 || fail "$name: $(cat said)"
}
# While it runs: displays of two moments differ, nothing stops; an empty line stops.
at 'line mode' '\x1dgpr 5=ABC\n|ABC
\x1dpsw\n|PSW=.*supervisor state
\x1decho one\nlost\n\x1decho two\n|one.*two
\x1ds\n|s: the machine runs; stop it first
\x1dnonsense\n|there is no command .nonsense.
\x1d\n|interrupted from the keyboard.*zri> 
gpr\r|0000000000000ABC.*zri> 
g\r|g
\x1dquit\n|' loop
at 'VT220' '~
\x1d|the guest runs.> 
gpX\x7fr 6=DEF\r|gpX.*r 6=DEF
\x1dclocks\r|TOD
\x1d\x1d|interrupted from the keyboard.*zri> 
gpr\r|0000000000000DEF.*zri> 
g\r|g
~
\x1d|the guest runs.> 
\x03|interrupted from the keyboard.*zri> 
quit\r|' --console ascii loop
at 'help tells of it' '|zri> 
help\r|Ctrl-\].*zri> 
quit\r|' --stop loop
if [ -z "$none" ]; then
    # A client runs the machine from the prompt: the prompt goes and comes. Then it ends the program.
    at 'a client at the prompt' "|zri> 
gpr 7=77\r|zri> 
!python3 -B -m zri talk s 'reg r7' 's 2' | grep -q 0000000000000077
!python3 -B -c 'import zri; c = zri.Client(\"s\"); c.subscribe(\"run\"); c.go(); print(c.next_event(\"running\")); c.stop()' >/dev/null
|stopped from outside.*zri> 
echo still here\r|still here.*zri> 
!python3 -B -c 'import zri; c = zri.Client(\"s\"); c.break_at(0x10104); c.command(\"g\")' >/dev/null
psw\r|10104.*zri> 
!python3 -B -c 'import zri; zri.Client(\"s\").quit()'" --stop --control unix:s loop
    [ ! -e s ] || fail "the socket stays"
fi
[ -n "$none" ] && finish "a terminal; no control socket in this build"

part '18.5 gdb and clients at one machine'
if command -v gdb-multiarch >/dev/null; then
    cat >both.py <<'END_BOTH'
import atexit, os, subprocess, time, zri
m = zri.Machine("loop", "--gdb", "unix:gdb.socket")
atexit.register(m.close)
m.go()
steps = 0
# gdb comes while it runs, and stops it: the client still reads, and both see the same.
gdb = subprocess.Popen(["gdb-multiarch", "-q", "-nx", "-batch-silent", "-ex", "set architecture s390:64-bit",
                        "-ex", "set endian big", "-ex", "target remote gdb.socket", "-ex", "set $r8 = 0x8888", "-ex", "break *0x10104",
                        "-ex", "continue", "-ex", "shell touch stands", "-ex", "shell while [ -e stands ]; do sleep 0.05; done",
                        "-ex", "delete", "-ex", "monitor gpr 9=99", "-ex", "detach"], stdin=subprocess.DEVNULL)
until = time.time() + 60
while not os.path.exists("stands") and time.time() < until:
    m.status() # asked all the time
    time.sleep(0.02)
assert m.register("r8") == 0x8888, m.registers()
before = m.status()
time.sleep(0.2)
after = m.status()
assert before["instructions"] == after["instructions"] and "a client has the machine" in after["gdb"], (before, after)
m.set(r10=0x1010)
assert m.stop()["running"] is False
m.go() # gdb has it still
assert m.status()["instructions"] == before["instructions"]
os.unlink("stands")
assert gdb.wait(60) == 0
until = time.time() + 60
while m.status()["instructions"] == before["instructions"] and time.time() < until:
    pass
assert m.running and m.registers("r9", "r10") == {"r9": 0x99, "r10": 0x1010}, m.registers()
m.break_at(0x10100)
assert m.wait_stop().end == "breakpoint"
assert m.quit() == 0
END_BOTH
    for options in "" "--engine reference" "--cpus 2 --threads"; do
        sed "s/\"--gdb\"/*\"$options\".split(), \"--gdb\"/" both.py >now.py
        timeout 120 python3 -B now.py >said 2>&1 || fail "gdb and a client $options: $(cat said)"
    done
else
    part_skipped "there is no gdb-multiarch"
fi

part '18.5 a sandbox: what is added to it for clients'
cat >walls.py <<'END_WALLS'
import sys, zri
try:
    m = zri.Machine("loop", "--sandbox")
except zri.Error as why:
    print(why)
    sys.exit(0 if "without libseccomp" in str(why) else 1)
assert "Seccomp:\t2" in open("/proc/%d/status" % m.pid).read()
m.go()
others = [zri.Client(m.path) for n in range(5)]
assert all(c.running for c in others)
for line in ("log x", "snapshot save x", "loadcore /etc/passwd", "attach 000C 3505 /etc/passwd", "t+ x", "gdb 0"):
    try:
        m.stop()
        m.command(line)
        sys.exit("carried out in a sandbox: " + line)
    except zri.Error as why:
        pass
m.step(3)
assert m.quit() == 0
END_WALLS
timeout 120 python3 -B walls.py >said 2>&1 || fail "sandbox: $(cat said)"
finish "the control socket in company"
