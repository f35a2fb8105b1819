#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The console at a terminal: completion of every kind of word, Enter again, history between sessions, the pager, Ctrl-C in a
# trace. A pseudoterminal types the keys.
. "${srcdir:-.}/tests/lib.sh"
command -v python3 > /dev/null || skip "no python3 to make a terminal"
cat > "$work/type.py" << 'END'
"""type.py ZRI STEP...: each STEP is keys, a bar and a regular expression for what must come; the whole is printed. The step
"runs" waits until the terminal itself reads and echoes lines, as it does while a guest runs; "signal FILE" is Ctrl-C that
throws away no keys, and tells it by making the file."""
import os, pty, re, select, signal, sys, termios, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1]])
seen = ''
def until(expression, start, seconds=20):
    global seen
    end = time.time() + seconds
    while not re.search(expression, seen[start:], re.S):
        if time.time() > end:
            print(seen)
            sys.exit('not seen within %d s: %s' % (seconds, expression))
        if select.select([fd], [], [], 0.1)[0]:
            try:
                seen += os.read(fd, 4096).decode(errors='replace')
            except OSError:
                break
until('zri> ', 0)
for step in sys.argv[2:]:
    if step == 'runs':
        end = time.time() + 20
        while not (termios.tcgetattr(fd)[3] & termios.ECHO or time.time() > end):
            time.sleep(0.01)
        continue
    if step.startswith('signal '):
        os.kill(pid, signal.SIGINT)
        open(step[7:], 'w').close()
        continue
    keys, _, expression = step.partition('|')
    start = len(seen)
    os.write(fd, keys.encode().decode('unicode_escape').encode('latin-1'))
    until(expression, start)
for _ in range(3): # keys that come while the terminal changes its mode may be lost
    os.write(fd, b'\x15quit\r')
    end = time.time() + 10
    while time.time() < end:
        if not select.select([fd], [], [], 0.1)[0]:
            continue
        try:
            seen += os.read(fd, 4096).decode(errors='replace')
        except OSError:
            print(seen)
            sys.exit(0)
print(seen)
sys.exit('quit does not end it')
END
export TERM=dumb PAGER= ZRI_HISTORY="$work/history" LINES=24 COLUMNS=80
types() # NAME STEP...
{
    name=$1
    shift
    python3 "$work/type.py" "$zri" "$@" > "$work/out" 2>&1 || { fail "$name: $(tail -3 "$work/out")"; cat "$work/out"; }
}
printf 'version\nquit\n' > "$work/version.zc"
types 'is there' 'version\r|zri [0-9]'
grep -q 'zri> ' "$work/out" || skip "zri was built without line editing"
"$zri" < /dev/null > /dev/null
python3 - "$zri" << 'END' 2> /dev/null || skip "zri was built without line editing"
import subprocess, sys
sys.exit(b'readline' not in subprocess.run(['ldd', sys.argv[1]], capture_output=True).stdout)
END

# Every kind of word.
types 'commands' 'transl\t|translate '
types 'words' 'ri colle\t|colle.*ction ' '\x15ri stop al\t|al.*ert ' '\x15ctr inj\t|inj.*ect ' '\x15ctr inject LC\t|LC.*DA ' \
    '\x15reset cl\t|cl.*ear ' '\x15snapshot sa\t|sa.*ve ' '\x15branches of\t|of.*f ' '\x15v sec\t|sec.*ondary ' \
    '\x15engine ref\t|ref.*erence ' '\x15b mach\t|mach.*ine ' '\x15json of\t|of.*f '
types 'fields' 'ri set RS\t|RS.*IC=' '\x15psw mas\t|mas.*k='
types 'mnemonics' 'asm 10000 cks\t|cksm ' '\x15asm 10000 vceqbs\t|vceqbs '
types 'interruptions' 'b program seg\t|seg.*ment-translation ' '\r|zri>' '\x15b?\r|0010 .segment.translation'
types 'symbols' 'load builtin:demo\r|zri>' 'symbols sq\t|sq.*uare_root ' '\r|square_root'
types 'registers' 'reg gsep\t|gsep.*la '
types 'devices' 'attach 000C 35\t|3505' '\x15attach 000C 3505\r|zri>' 'devinit 000\t|000.*C '
types 'profiles' 'resume x linux-\t|linux-.*boot '
types 'symbols' 'load builtin:demo\r|stopped' 'b @find_l\t|find_l.*etter '
types 'option' 'gpr --j\t|--j.*son '

# Enter gives s again, and not what must not come twice.
types 'again' 'load builtin:demo\r|<start>' 's\r|0000000000010002' '\r|00000000000100(0[4-9A-F]|1)' 'ext\r|zri> ' '\r|zri> '
[ "$(grep -c 'CPU 0: stopped, PSW' "$work/out")" = 3 ] || fail "Enter: not one load and two steps: $(cat "$work/out")"

# History is kept, without repetitions.
rm -f "$work/history"
types 'history' 'echo first\r|first.*zri> ' 'echo first\r|first.*zri> '
[ "$(grep -c '^echo first$' "$work/history")" = 1 ] || fail "the history: $(cat "$work/history")"
types 'history again' '\x10|quit' '\x10|echo first' '\r|first'

# Long displays go to the pager, short ones and those of the machine do not.
export PAGER="sed 's/^/paged: /'"
types 'pager' 'help\r|paged: Help and the session.*paged: Numbers are hexadecimal' 'help start\r|bring this CPU.*zri> '
grep -q 'paged: start' "$work/out" && fail "a short display goes to the pager"

# A pager that is not there loses nothing, one that was not read to the end shows no more.
export PAGER="/no/such/pager 2>/dev/null"
types 'no pager' 'help\r|Help and the session.*Numbers are hexadecimal.*zri> '
export PAGER="head -n 1"
types 'pager left' 'help\r|Help and the session.*zri> '
grep -q 'Numbers are hexadecimal' "$work/out" && fail "what the pager was not to show comes behind it"
export PAGER="sed 's/^/paged: /'"

# Lines that are typed at once, behind a run and in it: none is lost, and none comes before its time; more of them than are
# kept wait at the terminal.
types 'ahead' 'load builtin:demo\r|stopped' \
    'b @program_start\rg\recho one\recho two\rgpr\recho three\r|breakpoint.*zri> echo one.*zri> echo two.*R15.*echo three.*zri> '
many=$(seq -s '\r' -f 'echo line %03.0f' 1 200)
types 'much ahead' 'load builtin:demo\r|stopped' "b @program_start\rg\r$many\r|line 200.*line 200.*zri> "
[ "$(tr -d '\r' < "$work/out" | grep -c '^line [0-9]*$')" = 200 ] || fail "much typed ahead: $(cat "$work/out")"
types 'ahead of Ctrl-C' 'asm 10000 j 0x10000\r|zri> ' 'psw 0000000180000000 10000\r|zri> ' 'g\r|g' runs \
    'echo one\r|echo one' \
    '\x03|interrupted from.*zri> ' 'gpr\r|R15'
tr -d '\r' < "$work/out" | grep -q '^one$' && fail "Ctrl-C leaves what was typed in front of it: $(cat "$work/out")"

# Ctrl-C behind the Enter of a line that has not begun to run ends it.
mkfifo "$work/lines"
{ echo 'echo ready'; until [ -e "$work/signalled" ]; do sleep 0.1; done; echo g; } > "$work/lines" &
writer=$!
types 'Ctrl-C before a run' 'asm 10000 j 0x10000\r|zri> ' 'psw 0000000180000000 10000\r|zri> ' \
    "script $work/lines\r|ready" "signal $work/signalled" '|interrupted from.*zri> ' 'gpr\r|R15'
kill "$writer" 2> /dev/null
wait

# A trace to the screen ends at once: a few lines behind Ctrl-C, not thousands.
types 'trace' 'asm 10000 j 0x10000\r|zri> ' 'psw 0000000180000000 10000\r|zri> ' 't+\r|zri> ' 'g\r|CPU 0 0000000000010000' \
    '\x03|interrupted from the keyboard'
awk '/\^C/ { after = 1 } after' "$work/out" | grep -c '^CPU 0 0000000000010000' > "$work/behind"
[ "$(cat "$work/behind")" -lt 3000 ] || fail "Ctrl-C: $(cat "$work/behind") lines of the trace come behind it"
finish "the console at a terminal"
