#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The panel in a terminal (--tui): a pseudoterminal types keys, and its screen is compared in parts.
. "${srcdir:-.}/tests/lib.sh"
command -v python3 > /dev/null || skip "no python3 to make a terminal"
rig=$(cd "${srcdir:-.}" && pwd)/tests/script/tui.py
export TERM=xterm LC_ALL=C.UTF-8 LINES=40 COLUMNS=120 ZRI_HISTORY="$work/history"
unset NO_COLOR

# What it is not for is said.
refused() # STATUS RE ARGUMENT...
{
    wanted=$1 expression=$2
    shift 2
    "$zri" "$@" > "$work/out" 2>&1 < /dev/null
    status=$?
    [ $status = "$wanted" ] || fail "$*: exit status $status, not $wanted: $(cat "$work/out")"
    grep -q "$expression" "$work/out" || fail "$*: $(cat "$work/out")"
}
if "$zri" --tui < /dev/null 2>&1 | grep -q 'without ncurses'; then
    refused 2 'built without ncurses; install libncurses-dev' --tui
    finish "the panel in a terminal (there is none: built without ncurses)"
fi
refused 2 'no terminal; leave --tui out' --tui
refused 2 'the panel is for somebody who looks; leave --batch out' --tui --batch --demo

types() # NAME ARGUMENT...: the steps are standard input
{
    what=$1
    shift
    python3 "$rig" "$zri" --tui "$@" > "$work/out" 2>&1 || { fail "$what"; cat "$work/out"; }
}

cat > "$work/load.zc" << 'END'
asm 10000 ahi 1,1
asm 10004 j 0x10000
psw 0000000180000000 10000
END

part 'panes: registers, what changed is marked, a value is edited in place, panes are resized, zoomed, closed'
types 'panes' --script "$work/load.zc" << 'END'
see 0 Front
see > Console
see Guest
see R1 +0000000000000000
keys <F8>
see ahi %r1,1
look R1 +(0000000000000001); colour
nolook R2 +(0000000000000000); colour
keys gpr 3=1234<Enter>
see R3 +0000000000001234
click R2 +(0)
see > Front
keys 00000000000000AB
look R2 +(00000000000000AB); underline
keys <Enter>
see zri> .*2=00000000000000AB
look R2 +(00000000000000AB); colour
keys <S-Tab>
see > Guest
keys <S-Tab>
see > Console
see 25 > Console
keys \x18<Down>
see 27 > Console
keys <S-Up>
see 25 > Console
keys \x18<Left>
see 25 > Console .{10,66}[|│]. Guest
keys <F7>
see 0 > Console
gone Front
keys <F7>
see 0 Front
keys <F9>
gone Console
click (Program-status)
see 0 > Front
keys <F3>
see 0 Front.*> 
keys <F2><F2>
keys <F9>
keys <F1>
see Keys of the panel
keys x
gone Keys of the panel
keys <F9><F9><F9><F9><F9><F9>
see it is the last pane
keys <F10>
see F10 again
keys x
gone F10 again
keys <F10><F10>
end 0
restored
END

part 'running: pictures, a command meanwhile, a stop by key and by Ctrl-C'
types 'running' --script "$work/load.zc" << 'END'
see zri>
keys g<Enter>
see .running. zri>
see ● operating
note R1 +([0-9A-F]{16})
differs R1 +([0-9A-F]{16})
keys s<Enter>
see s: the machine runs; stop it first
keys echo here<Enter>
see ^here
keys <F5>
see interrupted from the keyboard, [1-9][0-9]* instructions
see ^zri>
keys half a line\x03
gone half a line
keys <F5>
see .running. zri>
keys \x03
see ^zri> 
keys s 100000000<Enter>
wait 0.5
keys \x03
see ^zri>
keys quit<Enter>
end 0
restored
END

part 'the line: keys of shells, history, completion'
rm -f "$work/history"
types 'the line' << 'END'
see zri>
keys echo first second<Enter>
see ^first second
keys \x10\x17third\x01\x06\x06\x06\x06 \x1b[3~
see zri> echo .*third
keys \x05<Enter>
see ^first third
keys echo f\x10<Enter>
keys transl<Tab>
see zri> translate 
keys \x15ri stop <Tab>
see sample.*alert
keys \x15savecore /etc/pass<Tab>
see zri> savecore /etc/passwd
keys \x15vers<Tab><Enter>
see ^zri [0-9]
keys \x15nonsense\x15\x19\x19<Enter>
see there is no command 'nonsensenonsense'
keys \x04
end 0
restored
END
[ "$(sed -n 1,2p "$work/history")" = "echo first second
echo first third" ] || fail "history: $(cat "$work/history")"

part 'terminals: small ones, other sizes, without colours, without Unicode'
types 'sizes' --script "$work/load.zc" << 'END'
see 39 F1 help
size 80 24
see 23 F1 help
see 0 Front
keys <F8>
see R1 +0000000000000001
size 20 5
see 0 > Console
see 4 F1 help
keys <F6><F6>
see > Front
keys <F4>
see > Guest
keys <F4>
see > Console
size 6 2
keys <F6>
size 1 1
keys <F8><F1>x
size 120 40
see 39 F1 help
see R1 +
keys <F10><F10>
end 0
restored
END
before=$failed
(export JOBS=1
printf '%s\n' 'asm 10000 lghi %r1,0' 'asm 10004 aghi %r1,1' 'asm 10008 j 0x10004' 'psw 0000000180000000 10000' >"$work/loop.zc"
for how in '' '--cpus 2 --threads'; do
    # Ctrl-Z while the machine stands and while it runs; the size is another one when it comes back, which no signal has told
    types "stopped and continued $how" $how --script "$work/loop.zc" << 'END'
see 39 F1 help
keys psw<Enter>
see PSW=0000000180000000
keys \x1a
stopped
restored
continue
see 39 F1 help
keys g<Enter>
see ● operating
keys \x1a
stopped
restored
size 100 30
continue
see 29 F1 help
keys <F5>
see operating, PSW 0.*1000[048]
keys reg r1=7<Enter>
keys reg r1<Enter>
see r1=0000000000000007
size 120 40
see 39 F1 help
signal TSTP
stopped
continue
see 39 F1 help
keys quit<Enter>
end 0
restored
END
done
[ $failed = $before ]) || fail "stopped and continued"
before=$failed
(export TERM=vt100 LC_ALL=C LINES=24 COLUMNS=80
types 'vt100' --script "$work/load.zc" << 'END'
see 23 F1 help
see R1 +0000000000000000
see o PER
keys s<Enter>
keys <Tab>n
see \* stopped
keys p
look R1 +(0000000000000001); bold
plain
keys :quit<Enter>
end 0
END
[ $failed = $before ]) || fail "without colours"
before=$failed
(export NO_COLOR=1
types 'NO_COLOR' << 'END'
see 39 F1 help
plain
keys quit<Enter>
end 0
restored
END
[ $failed = $before ]) || fail "NO_COLOR"
cat > "$work/steps" << 'END'
end 2
END
TERM=no-such-terminal types 'unknown terminal' < "$work/steps"
TERM=dumb types 'a terminal that cannot be drawn on' < "$work/steps"
# shellcheck disable=SC1007
TERM= types 'no TERM' < "$work/steps"

part 'the end gives the terminal back'
for name in TERM HUP; do
    printf 'see zri>\nkeys g<Enter>\nsee .running\nsignal %s\nend 0\nrestored\n' $name > "$work/steps"
    types "SIG$name while it runs" --script "$work/load.zc" < "$work/steps"
    printf 'see zri>\nsignal %s\nend 0\nrestored\n' $name > "$work/steps"
    types "SIG$name while it stands" < "$work/steps"
done
for name in SEGV ABRT QUIT; do
    printf 'see zri>\nsignal %s\nend -%s\nrestored\n' $name $name > "$work/steps"
    case $name in
        QUIT) types "SIG$name" < "$work/steps" ;;
        *) ASAN_OPTIONS=handle_segv=0:handle_abort=0 types "SIG$name" < "$work/steps" ;;
    esac
done
printf 'see zri>\nsignal QUIT\nkeys p xyz\nsee zri> p xyz\ndrawn\nkeys <Enter><F10><F10>\nend 0\nrestored\n' > "$work/steps"
IGNORED=QUIT types 'SIGQUIT that is ignored' < "$work/steps"
types 'the time is over' --seconds 1 << 'END'
see zri>
end 3
restored
END
types 'an image that is not there' /no/such/image << 'END'
end 2
END
types 'a log that cannot be written' --trace /no/such/folder/trace --demo << 'END'
end 2
restored
said cannot write
END
enough "the panel in a terminal"

part 'company: gdb, a client, a lesson, a recording, a sandbox'
cat > "$work/loop.zc" << 'END'
asm 10000 ahi 1,1
asm 10004 j 0x10000
psw 0000000180000000 10000
END
if "$zri" --control "unix:$work/socket" --script "$work/loop.zc" < /dev/null 2>&1 | grep -q 'without jansson'; then
    echo "no client: built without jansson"
else
    cat > "$work/client.py" << 'END'
import json, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
f = s.makefile('rw')
f.write(json.dumps({'id': 1, 'command': 'gpr 9=77'}) + '\n')
f.flush()
print(f.readline(), f.readline())
END
    printf 'see zri>\nkeys g<Enter>\nsee .running\nsee R9 +0000000000000077\nkeys <F5>\nsee ^zri>\nkeys quit<Enter>\nend 0\nrestored\n' > "$work/steps"
    types 'a client' --control "unix:$work/socket" --script "$work/loop.zc" < "$work/steps" &
    i=0
    until [ -S "$work/socket" ] || [ $((i += 1)) -gt 300 ]; do sleep 0.2; done
    timeout 60 python3 "$work/client.py" "$work/socket" > "$work/client" 2>&1 || fail "the client: $(cat "$work/client")"
    wait
    grep -q . "$work/client" || fail "the client had no answer"
fi
types 'gdb' --gdb "unix:$work/gdb" --script "$work/loop.zc" << 'END'
see zri>
keys gdb<Enter>
see ^zri> gdb
keys quit<Enter>
end 0
restored
END
ZRI_PROGRESS="$work/progress" HOME="$work" types 'a lesson' --lesson 1 << 'END'
see Task 1 of
keys check<Enter>
see Not yet
keys gpr 1=2A<Enter>check<Enter>
see Task 1 is done
keys quit<Enter>
end 1
restored
END
types 'a recording' --record "$work/tape" --script "$work/loop.zc" << 'END'
see zri>
keys <F5>
see .running
wait 0.3
keys <F5>
see interrupted from the keyboard
keys quit<Enter>
end 0
restored
END
"$zri" --sandbox --script "$work/loop.zc" < /dev/null 2>&1 | grep -q 'built without' && finish "the panel in a terminal (no sandbox)"
export ZRI_HISTORY=
types 'a sandbox' --sandbox << 'END'
see zri>
keys echo in<Enter>
see ^in
keys script /dev/null<Enter>
see cannot open
size 90 30
see 29 F1 help
keys <F10><F10>
end 0
restored
END
finish "the panel in a terminal"
