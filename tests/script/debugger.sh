#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The debugger's words at the console: breakpoints and watchpoints with conditions and commands; on every engine and with
# threads, with the same result.
. "${srcdir:-.}/tests/lib.sh"

untimed() { sed 's/^ *[0-9]* us //'; } # with threads the clock is the host's
# everywhere NAME OPTIONS...: the commands on standard input, on every engine and with threads; output in $work/out, which
# must be the same each time
# Builds without the translator say so and take the block engine: that line is not what is compared here.
engines=block
echo quit | "$zri" --engine translate 2>&1 | grep -q 'without a translator\|no MOVBE' || engines="$engines translate"
everywhere()
{
    name=$1
    shift
    cat > "$work/in"
    "$zri" --engine reference "$@" < "$work/in" > "$work/out" 2>&1
    for engine in $engines; do
        "$zri" --engine $engine "$@" < "$work/in" > "$work/other" 2>&1
        cmp -s "$work/out" "$work/other" || fail "$name: the engine $engine tells something else: $(diff "$work/out" "$work/other" | head -5)"
    done
    "$zri" --threads "$@" < "$work/in" 2>&1 | untimed > "$work/other"
    untimed < "$work/out" > "$work/out.untimed"
    mv "$work/out.untimed" "$work/out"
    cmp -s "$work/out" "$work/other" || fail "$name: with threads it is something else: $(diff "$work/out" "$work/other" | head -5)"
}
expect() # NAME REGEX: a line of the output matches
{
    grep -Eq -- "$2" "$work/out" || { fail "$1: no line matches: $2"; sed 's/^/    /' "$work/out" | head -40; }
}
never() # NAME REGEX: none does
{
    ! grep -Eq -- "$2" "$work/out" || { fail "$1: a line matches: $2"; sed 's/^/    /' "$work/out" | head -40; }
}
count() # NAME NUMBER REGEX: so many do
{
    [ "$(grep -Ec -- "$3" "$work/out")" -eq "$2" ] || { fail "$1: not $2 lines match: $3"; sed 's/^/    /' "$work/out" | head -40; }
}

# A loop that stores 1 to 20.
cat > "$work/loop.zc" << 'END'
load builtin:demo
reset clear
asm 10000 lghi %r1,0
asm 10004 ahi %r1,1
asm 10008 st %r1,512(%r0)
asm 1000c chi %r1,20
asm 10010 jne 0x10004
asm 10014 lpswe 256
abs 100=00020001800000000000000000000000
psw 0000000180000000 10000
END

part '18.2 breakpoints: commands, on a CPU, in a space, of interruptions'
{ cat "$work/loop.zc"; cat << 'END'; } | everywhere breaks --cpus 2
b 10008 count 18 do echo here; g
b 10004 cpu 0 once do gpr; echo once ; g
b 10010 cpu 1
b 10010 space 1000
b 10010 if %r1 = 5 do gpr; psw
b?
g
g
b?
END
count breaks-here 3 '^here$'
count breaks-once 1 '^once *$'
expect breaks-list '10008  50100200 .* count 18 do echo here; g, met 0 times'
expect breaks-list-cpu '10010 .* cpu 1, met 0 times'
expect breaks-list-space '10010 .* space 1000, met 0 times'
expect breaks-stop '^breakpoint, 20 instructions so far'
expect breaks-action 'R1=0000000000000005'
expect breaks-action2 '^supervisor state, 64-bit'
expect breaks-met '10008.* met 20 times'
never breaks-gone '10004.* once .*, met 1 times'
{ cat "$work/loop.zc"; cat << 'END'; } | everywhere actions
b 10008 do g 10010; echo not said
b 10008 do
b 10008 cpu 7
b 10008 cpu
b program if %r1 = 14 do echo caught
asm 10010 j 0x10020
asm 10020 .2byte 0
g
b- 10008
abs 10020=0000
g
END
expect actions-run '^nothing runs while the commands of a breakpoint'
expect actions-end '^the commands of the breakpoint were not carried out to their end'
never actions-behind '^not said'
expect actions-empty '^b: these words do not make a command'
expect actions-cpu '^b: there is no CPU 7; cpu lists them'

part '18.2 watchpoints with conditions and commands'
{ cat "$work/loop.zc"; cat << 'END'; } | everywhere watches --cpus 2
watch 200.4 w if word(200) = 7 do echo seven; g
watch 203 w count 19
watch 202 r
watch
g
watch
watch 203 w cpu 1
g
END
count watches-seven 1 '^seven$'
expect watches-list '^0000000000000200\.4 w if word\(200\) = 7 do echo seven; g$'
expect watches-stop '^watchpoint, 75 instructions so far$'
never watches-other '^watchpoint at 200 '
expect watches-end '^every CPU is stopped or in a disabled wait, 82 instructions so far'
part '18.2 watchpoints of real and absolute addresses, and stores by devices and interruptions'
printf 'a card that is eighty columns long' > "$work/deck"
cat << 'END' | everywhere watch-outside
prefix 20000
asm 10000 st %r1,0x700
asm 10004 svc 9
asm 10006 lpswe 0x200
abs 20200=00020001800000000000000000000000
abs 201c0=00000001800000000000000000010006
psw 0000000180000000 10000
watch real 700
watch absolute 700
watch real 147 do echo old PSW; g
watch 88.4
watch
g
g
watch- real 605
watch- all
watch real
g
END
expect outside-list '^absolute 0000000000000700\.1 w$'
expect outside-list-real '^real 0000000000000147\.1 w do echo old PSW; g$'
expect outside-real '^watchpoint at real 700 w: accessed at 700, where there is now 00000000'
expect outside-code '^watchpoint at 88 w: stored into by an interruption at 88, where there is now 00020009'
count outside-psw 1 '^old PSW$'
never outside-absolute '^watchpoint at absolute 700'
expect outside-remove '^watch-: nothing is watched at real 605; watch lists what is'
expect outside-usage '^watch: these words do not make a command'
expect outside-end '^every CPU is stopped or in a disabled wait, 3 instructions so far'
for engine in reference $engines; do # with threads the host's clock says when the card has come
    "$zri" --engine $engine --device "000C,3505,$work/deck,ascii" > "$work/out" 2>&1 << 'END'
asm 10000 lgfi %r1,0x10000
asm 10006 stsch 0x440
asm 1000a oi 0x445,0x80
asm 1000e msch 0x440
asm 10012 ssch 0x400
asm 10016 j 0x10016
abs 400=12345678 0080FF00 00000500
abs 500=02200050 00000600
psw 0000000180000000 10000
watch absolute 605 do psw; echo it has come
watch 647.10
g
END
    expect "outside-device $engine" '^watchpoint at absolute 605 w: stored into by a device at 605, where there is now 64'
    expect "outside-logical $engine" '^watchpoint at 647 w: stored into by a device at 647, '
    expect "outside-do $engine" '^it has come'
    { echo 'load builtin:demo'; echo 'watch absolute 111A6.2'; echo g; } | "$zri" --engine $engine > "$work/other" 2>&1
    grep -q '^watchpoint at absolute 111A6 w: stored into by a device at 111A6, where there is now 0020' "$work/other" ||
        fail "the service processor on the engine $engine: $(cat "$work/other")"
    expect "outside-loop $engine" '^CPU 0: operating, PSW 0000000180000000 0000000000010016'
done

part '18.2 traces: by range, CPU, space and kind, operands, registers of every kind, files of bounded size'
cat > "$work/trace.zc" << 'END'
asm 10000 lghi %r1,0
asm 10004 ahi %r1,1
asm 10008 st %r1,512(%r0)
asm 1000c chi %r1,3
asm 10010 jne 0x10004
asm 10014 larl %r2,0x10040
asm 1001a ex %r0,0(%r2)
asm 1001e ldgr %f1,%r1
asm 10022 sar %a3,%r1
asm 10026 vlvgg %v17,%r1,0
asm 1002c spx 0x1e0
asm 10030 lctlg %c5,%c5,0x1f8
asm 10036 sigp %r4,%r5,1
asm 1003a svc 7
asm 10040 mvc 768(5,%r0),512(%r0)
asm 1003c j 0x10046
asm 10046 diag %r2,%r3,0x44
asm 1004a lpswe 256
abs 100=00020001800000000000000000000000
abs 1c0=0000000180000000000000000001003C
abs 21c0=0000000180000000000000000001003C
abs 2100=00020001800000000000000000000000
abs 1e0=00002000
abs 1f8=0000000000001234
abs 21f8=0000000000005678
cr 0=60060
psw 0000000180000000 10000
END
# traced NAME WORDS: what a trace with these words has, in $work/out
traced()
{
    { cat "$work/trace.zc"; echo "t+ $work/trace $2"; echo g; echo t-; } | "$zri" --cpus 2 > "$work/screen" 2>&1
    cp "$work/trace" "$work/out"
}
traced registers ''
expect registers-f '^      F1=0000000000000003 cc=0$'
expect registers-a '^      A3=00000003 cc=0$'
expect registers-v '^      V17=00000000000000030000000000000000 cc=0$'
expect registers-prefix '^      PREFIX=00002000 cc=0$'
expect registers-c '^      C5=0000000000005678 cc=0$'
expect registers-psw '^      PSW=0002000180000000 cc=0$'
expect registers-cc '^      cc=1$'
count registers-lines 25 '^CPU 0 [0-9A-F]{16}  '
count registers-svc 1 '^CPU 0 supervisor-call interruption 0007, old PSW '
never registers-operands '(stores|fetches|executes)'
traced operands 'operands range 10008-10009 range 1001A.4'
expect operands-store '^      stores 0000000000000200\.4 00000002 -> 00000003$'
expect operands-executes '^      executes mvc 768\(5,%r0\),512$'
expect operands-mvc '^      stores 0000000000000300\.5 0000000000 -> 0000000300$'
expect operands-fetch '^      fetches 0000000000000200\.5 0000000300$'
count operands-range 4 '^CPU'
traced branches 'only branches'
count branches 3 '^CPU'
expect branches-to '^      to 0000000000010046$'
traced kinds 'only sigp,diagnose,interruptions'
count kinds 3 '^CPU'
traced stores 'only stores'
count stores 4 '^CPU' # three of the loop, and the target of EX
traced cpu 'cpu 1'
count cpu 0 '^CPU'
traced space 'space 1000'
count space 0 '^CPU'
traced last 'last 2'
expect last-dropped '^\.\.\. 24 before these$'
count last 2 '^CPU'
expect last-end 'lpswe 256$'
traced size 'size 4K operands'
[ "$(wc -c < "$work/out")" -le 4096 ] || fail "a trace of 4096 bytes has $(wc -c < "$work/out")"
for engine in reference $engines; do # interruptions alone: on every engine
    { cat "$work/trace.zc"; echo 'trace only interruptions'; echo g; } | "$zri" --engine $engine > "$work/out" 2>&1
    count "interruptions $engine" 1 '^CPU 0 (supervisor|[0-9A-F]{16}  )'
done

"$zri" --batch --trace "$work/demo" --trace-what 'only io,sigp,interruptions size 8K' builtin:demo > /dev/null 2> "$work/out"
[ "$(wc -c < "$work/demo")" -le 8192 ] && grep -q 'external interruption 2401' "$work/demo" || fail "--trace-what: $(head -3 "$work/demo")"
cat > "$work/in" << END
t+ $work/none only x
t+ last 3
t+ $work/none range 5.0
t+ $work/none range 5-4
t+ $work/none cpu 7
t+ $work/none size 1
t+ $work/none size 20000G
t+ $work/none only
t+ $work/none last 0
t+ $work/none x
t+ /nonexistent/x last 3
END
"$zri" < "$work/in" > "$work/out" 2>&1
expect trace-kind "^t\\+ only: 'x' is not one of branches, interruptions, io, sigp, diagnose and stores"
expect trace-file '^t\+: size and last are those of a file'
count trace-range 2 '^t\+: nothing is in this range'
expect trace-cpu '^7 is too large'
count trace-size 2 '^t\+: a trace is kept in 4096 bytes to 16G'
expect trace-usage '^t\+: these words do not make a command'
expect trace-last '^t\+: the last 1 to 10000000 may be kept'
expect trace-word "^t\\+: 'x' is not one of its words"
expect trace-place "^cannot write the trace '/nonexistent/x': No such file"
[ ! -e "$work/none" ] || fail 'a trace that was refused has left a file'
for words in "--trace-what last --trace $work/none" '--trace-what operands'; do
    # shellcheck disable=SC2086
    "$zri" --batch $words builtin:demo > "$work/out" 2>&1
    status=$?
    [ $status -eq 2 ] || fail "$words: status $status"
done
expect trace-what '^zri: --trace-what: it says what --trace FILE writes; give that, too'

part '18.2 branches at any stop: the past has them, the same ones as noting every instruction, and nothing else changes'
cat > "$work/ways.zc" << 'END'
asm 10000 lgfi %r1,2000000
asm 10006 ahi %r2,1
asm 1000a larl %r3,0x10040
asm 10010 ex %r0,0(%r3)
asm 10014 svc 1
asm 10016 brctg %r1,0x10006
asm 1001a lpswe 256
asm 10040 j 0x10044
asm 10044 bras %r4,0x10014
asm 10080 tmll %r2,7
asm 10084 je 0x1008c
asm 10088 ahi %r5,1
asm 1008c lpswe 320
abs 100=00020001800000000000000000000000
abs 1c0=00000001800000000000000000010080
psw 0000000180000000 10000
b 10088 if %r2 > 12345
END
# ways NAME OPTIONS...: after the first command, each time
ways()
{
    { cat "$work/ways.zc"; echo "$2"; echo g; echo 'branches 64'; echo 'branches 3'; echo psw; echo gpr; echo 's 20'; echo 'g'
      echo 'branches 9'; echo 'b- 10088'; echo 'b svc'; echo g; echo 'branches 20'; echo clocks; } | "$zri" --engine $engine --cpus 2 > "$work/$1" 2>&1
}
for engine in reference $engines; do
    ways noted 'branches on'
    ways kept 'history on'
    ways without ''
    cmp -s "$work/noted" "$work/kept" || fail "branches differ on the engine $engine: $(diff "$work/noted" "$work/kept" | head -5)"
    [ "$(grep -c -- ' -> 00' "$work/kept")" -eq 96 ] || fail "not all branches on the engine $engine: $(grep -c -- ' -> 00' "$work/kept")"
    grep -q '^CPU 0 000000000001008C -> 0000000000010016 ' "$work/kept" || fail "LPSWE is no way on the engine $engine"
    grep -v -- ' -> 00' "$work/kept" > "$work/out"
    grep -v -- ' -> 00\|no branch was noted' "$work/without" | cmp -s - "$work/out" || fail "it ends elsewhere on the engine $engine"
done
cat > "$work/in" << 'END'
history on
gpr 2=5
branches
branches 5x
history off
branches
END
{ grep -v '^b' "$work/ways.zc"; echo 's 5'; cat "$work/in"; } | "$zri" > "$work/out" 2>&1
expect ways-changed '^branches: something was changed here, and would be lost; go on first'
expect ways-count "^'5x' is not a count"
expect ways-stepped '^0000000000010010 -> 0000000000010044'

part '18.4 the event log: classes, filters, files, JSON lines'
{ echo 'events'; echo 'events on'; echo 'ipl builtin:demo'; echo 'events off'; echo 'events'; } > "$work/in"
for engine in reference $engines; do # with threads the host's clock brings the demonstration's timer elsewhere
    "$zri" --engine $engine < "$work/in" > "$work/out" 2>&1
    expect "events-svc $engine" '^ *[0-9]+ us CPU 0 svc: supervisor-call interruption 0001, old PSW 0581000180000000 0000000000400012$'
    expect "events-program $engine" ' program: program interruption 0011 \(page translation\), address 401000, old PSW '
    expect "events-sclp $engine" ' sclp: write event data \(00760005\), SCCB [0-9A-F]+, cc 0$'
    expect "events-external $engine" ' external: external interruption 2401 \(service signal\), parameter 000111A0, old PSW '
    count "events-off $engine" 2 '^no events are told$'
    never "events-psw $engine" ' psw: '
    cp "$work/out" "$work/out.$engine"
done
for engine in $engines; do
    cmp -s "$work/out.reference" "$work/out.$engine" || fail "events differ on the engine $engine"
done
{ cat << END; } | "$zri" > "$work/out" 2>&1
events keep
ipl builtin:demo
panel text channels
events
events keep off
panel text channels
END
expect events-kept '^ *[0-9]+ us CPU 0 svc: supervisor-call interruption 0001, old PSW'
count events-told-none 1 '^no events are told$'
count events-kept-no-more 1 'events keep\]'

{ cat << END; } | everywhere events
events on svc,psw code 1 json $work/events
ipl builtin:demo
events
events on sclp file $work/events.text
ipl builtin:demo
events off
events on nonsense
events on io file /nonexistent/x
events on cpu 9
events on file
events nowhere
END
expect events-told '^svc,psw: 5 told, to '
[ "$(grep -c '^{"event":"svc","cpu":0,"microsecond":[0-9]*,"instruction":[0-9]*,"address":"0000000000400' "$work/events")" = 5 ] ||
    fail "JSON lines of five supervisor calls: $(cat "$work/events")"
[ "$(grep -c ' sclp: write event' "$work/events.text")" = 6 ] || fail "the file of events: $(cat "$work/events.text")"
expect events-class "^events on: 'nonsense' is not one of io, sigp, "
expect events-file "^cannot write the event log '/nonexistent/x': "
expect events-cpu '^9 is too large'
# a SIGP, a DIAGNOSE and a START SUBCHANNEL with its channel program
cat << 'END' | everywhere events-machine --cpus 2 --device 0009,3215 --device 0010,virtio-rng
events on sigp,diagnose,io,virtio
asm 10000 lghi %r1,1
asm 10004 lghi %r4,1
asm 10008 sigp %r2,%r4,1
asm 1000c diag %r2,%r3,0x44
asm 10010 lgfi %r1,0x10000
asm 10016 ssch 0x400
asm 1001a lghi %r1,3
asm 1001e lgfi %r2,0x10001
asm 10024 lghi %r3,1
asm 10028 diag %r2,%r3,0x500
asm 1002c lpswe 0x200
abs 200=00020001800000000000000000000000
abs 400=12345678 0080FF00 00000500
abs 500=09600003 00000600
abs 508=03200001 00000600
psw 0000000180000000 10000
g
events off
END
expect events-sigp ' sigp: sense \(01\) to CPU 1, parameter 0, cc 1, status 00000040$'
expect events-diagnose ' diagnose: 044 \(yield\), '
expect events-virtio ' virtio: notify \(3\) 00010001 \(0:0010 virtio-rng\), queue 1, answer [0-9A-F]+$'
expect events-ssch ' io: SSCH 00010000 \(0:0009 3215\), cc 3, parameter 12345678, format-1 program at 500; 09 600\.3 CC SLI; 03 600\.1 SLI$'

part '18.6 core files'
cat > "$work/in" << END
asm 10000 lghi %r1,1
psw 0000000180000000 10000
gpr 7=1122334455667788
vr 17=00112233445566778899AABBCCDDEEFF
abs 5000=00112233
savecore --elf $work/core
savecore --kdump $work/kdump
savecore --elf /nonexistent/x
savecore --elf
END
"$zri" --cpus 2 --storage 16M < "$work/in" > "$work/out" 2>&1
expect core-kdump '^savecore --kdump: no library of Debian writes the compressed form'
expect core-place "^cannot write the core file '/nonexistent/x': No such file"
expect core-usage '^savecore: these words do not make a command'
size=$(wc -c < "$work/core") room=$(du -k "$work/core" | cut -f1)
[ "$size" -gt 16777216 ] && [ "$room" -lt 1024 ] || fail "core file: $size bytes that take $room KB"
if command -v readelf > /dev/null; then
    readelf -n "$work/core" > "$work/out" 2>&1
    count core-cpus 2 NT_PRSTATUS
    count core-vectors 2 NT_S390_VXRS_HIGH
    count core-controls 2 NT_S390_CTRS
    expect core-vector ' 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff '
fi
for python in python3 /usr/bin/python3; do # libkdumpfile, which reads dumps for those who analyse them
    "$python" -c 'import kdumpfile' 2> /dev/null || continue
    "$python" - "$work/core" > "$work/out" 2>&1 << 'END'
import sys, kdumpfile
dump = kdumpfile.kdumpfile(sys.argv[1])
print(dump.attr['file.format'], dump.attr['arch.name'], dump.attr['cpu.number'])
print('%x' % dump.attr['cpu.0.reg.r7'], bytes(dump.read(kdumpfile.KDUMP_MACHPHYSADDR, 0x5000, 4)).hex())
END
    expect core-kdumpfile '^elf s390x 2$'
    expect core-kdumpfile-contents '^1122334455667788 00112233$'
    break
done
if command -v gdb-multiarch > /dev/null; then
    gdb-multiarch -q -nx -batch -ex "core-file $work/core" -ex 'info threads' -ex 'print/x $r7' -ex 'print/x $pc' \
        -ex 'x/1xw 0x5000' > "$work/out" 2>&1
    expect core-gdb '= 0x1122334455667788$'
    expect core-gdb-pc '= 0x10000$'
    expect core-gdb-storage '0x5000:.*0x00112233$'
    expect core-gdb-threads '^ +2 +LWP 2'
fi

part '18.6 a stand-alone dump: store status, a program loaded with storage as it is, which writes all of it to a disk'
# The deck: a chain of cards to 2000, a program at 2050 that finds disk 0120 and writes 32 KB at a time until storage ends.
cat > "$work/in" << END
abs 0=0008000080002050
abs 8=0200200060000050
abs 10=0800200000000000
abs 50=0200205060000050
abs 58=020020A060000050
abs 60=020020F060000050
abs 68=0200214060000050
abs 70=0200219060000050
abs 78=020021E060000050
abs 80=0200223060000050
abs 88=0200228060000050
abs 90=020022D020000050
asm 2050 lhi %r12,8192
asm 2054 lgfi %r1,0x10000
asm 205a stsch 0x260(%r12)
asm 205e brc 1,0x20c8
asm 2062 clhhsi 0x266(%r12),0x120
asm 2068 brc 8,0x2074
asm 206c ahi %r1,1
asm 2070 brc 15,0x205a
asm 2074 oi 0x265(%r12),0x80
asm 2078 msch 0x260(%r12)
asm 207c lhi %r5,0
asm 2080 lhi %r6,0
asm 2084 st %r5,0x234(%r12)
asm 2088 st %r6,0x244(%r12)
asm 208c ssch 0x200(%r12)
asm 2090 brc 7,0x20c8
asm 2094 tsch 0x2a0(%r12)
asm 2098 brc 4,0x2094
asm 209c clhhsi 0x2a8(%r12),0x0c00
asm 20a2 brc 6,0x20b8
asm 20a6 afi %r5,0x8000
asm 20ac ahi %r6,64
asm 20b0 brc 15,0x2084
asm 20b8 ltr %r6,%r6
asm 20ba brc 8,0x20c8
asm 20be lpsw 0x310(%r12)
asm 20c8 lpsw 0x318(%r12)
abs 2200=00000000 0080FF00 00002220
abs 2220=63400010 00002240
abs 2228=43400008 00002250
abs 2230=41008000 00000000
abs 2240=C0000200 00000000 00000000 0000003F
abs 2250=01000040 00000000
abs 2310=000A000080000FFF
abs 2318=000A00008000DEAD
savecore $work/deck.head 0 9F
savecore $work/deck.tail 2050 231F
END
"$zri" < "$work/in" > "$work/out" 2>&1
cat "$work/deck.head" "$work/deck.tail" > "$work/deck"
# A guest with something in all of its storage, stopped in the middle of it.
cat > "$work/in" << END
ipl builtin:demo
asm 10000 lgfi %r1,0x20000
asm 10006 stg %r1,0(%r1)
asm 1000c aghi %r1,1000
asm 10010 cgfi %r1,0x3ff000
asm 10016 jl 0x10006
asm 1001a j 0x1001a
psw 0000000180000000 10000
gpr 7=123456789ABCDEF0
vr 3=1122334455667788
b 1001a
g
store status
savecore $work/before 0 3FFFFF
ipl 000C normal
gpr
store nonsense
ipl builtin:demo normal
END
truncate -s 4M "$work/disk"
for engine in reference $engines; do
    "$zri" --engine $engine --storage 4M --device "000C,3505,$work/deck" --device "0120,9336,$work/disk" < "$work/in" > "$work/out" 2>&1
    expect "dump-end $engine" '^CPU 0: disabled wait, PSW 0002000080000000 0000000000000FFF'
    expect "dump-store $engine" "^store: 'nonsense' is not one of status"
    expect "dump-normal $engine" "^ipl: 'builtin:demo' is no device; storage is kept by"
    # bytes that differ, counted from 1: the program and what initial program loading stores
    cmp -l "$work/before" "$work/disk" | awk '$1 > 24 && !($1 > 184 && $1 <= 196) && !($1 > 8192 && $1 <= 9000)' > "$work/other"
    [ ! -s "$work/other" ] || fail "the dump on the engine $engine is not what storage had: $(head -3 "$work/other")"
    od -An -tx1 -j$((4608 + 128 + 56)) -N8 "$work/disk" | grep -q '12 34 56 78 9a bc de f0' || fail 'general register 7 is not in the dump'
    od -An -tx1 -j$((4608 + 256)) -N16 "$work/disk" | tr -d ' ' | grep -q '0180000000000000000001001a' || fail 'the PSW is not in the dump'
    cp /dev/null "$work/disk"
    truncate -s 4M "$work/disk"
done

part '18.2 functions: bt by call-frame information and by the back chain, source lines, over calls, out, until'
compile() # OPTIONS...: the manual's program, into $work/program; without a compiler the rest is skipped
{
    s390x-linux-gnu-gcc "$@" -ffreestanding -fno-pic -nostdlib -static -Wl,-Ttext=0x10000 -o "$work/program" \
        "$srcdir/doc/debug-start.S" "$srcdir/doc/debug-program.c" 2> "$work/err"
}
srcdir=${srcdir:-.}
command -v s390x-linux-gnu-gcc > /dev/null || { part_skipped 'no compiler for s390x'; finish 'the debugger says what was asked'; }
compile -g -O0 || fail "the program is not compiled: $(cat "$work/err")"
if echo 'symbols '"$work/program" | "$zri" 2>&1 | grep -q 'without libdw'; then
    part_skipped 'this build has no libdw'
    finish 'the debugger says what was asked'
fi
{ echo "load $work/program"; cat << 'END'; } | everywhere functions
bt
s 2
b @add once
g
bt
bt 2
u 10040.6
out
bt
out
until
n 3
bt
END
expect bt-0 '^#0  [0-9A-F]{16}  <add>  debug-program\.c:8$'
expect bt-1 '^#1  [0-9A-F]{16}  <add_all\+[0-9A-F]+>  debug-program\.c:18$'
expect bt-2 '^#2  [0-9A-F]{16}  <start\+[0-9A-F]+>  debug-program\.c:22$'
expect bt-3 '^#3  [0-9A-F]{16}  <_start\+[0-9A-F]+>  debug-start\.S:7$'
never bt-4 '^#4'
count bt-count 1 '^#3 '
expect lines '^0000000000010040  .*  debug-program\.c:9$'
count texts 3 '^debug-start\.S:7          brasl   %r14, start$'
expect text '^debug-program\.c:9      account\.sum \+= number;$'
count out 2 '^the function has returned, '
expect out-there '<add_all\+[0-9A-F]+>  debug-program.c:18$'
expect until '^it has come there, '
# the text of a source line: of a file beside the program; not there; newer than the program; shorter than it was
mkdir "$work/moved"
cp "$srcdir/doc/debug-start.S" "$srcdir/doc/debug-program.c" "$work/moved"
( srcdir=$(cd "$srcdir" && pwd) && cd "$work/moved" && compile -g -O0 -ffile-prefix-map="$srcdir=/nowhere" ) ||
    fail "the program is not compiled: $(cat "$work/err")"
printf '%s\n' "load $work/program" 'u 10040.6' 'u 10040.6 --json' 'panel text code' > "$work/in"
texts() # NAME: what the console shows
{
    "$zri" < "$work/in" > "$work/out" 2>&1
    expect "$1" '^0000000000010040  .*  debug-program\.c:9$'
}
texts missing
never missing-text 'account\.sum|source_text|brasl   %r14'
cp "$work/moved/debug-program.c" "$work"
touch -d '2020-01-01' "$work/debug-program.c"
texts beside
expect beside-text '^debug-program\.c:9      account\.sum \+= number;$'
expect beside-json '"source_text":"    account\.sum \+= number;"}'
touch -d '2120-01-01' "$work/debug-program.c"
texts newer
expect newer-text '^debug-program\.c:9 \(newer than the program\)      account\.sum \+= number;$'
expect newer-json '"source_newer":true'
head -8 "$work/moved/debug-program.c" > "$work/debug-program.c"
texts shorter
never shorter-text 'account\.sum|source_text'
rm "$work/debug-program.c"
compile -g -O0 || fail "the program is not compiled: $(cat "$work/err")"
printf '%s\n' "load $work/program" 'panel text code' | "$zri" > "$work/out" 2>&1
expect view 'debug-start\.S:7          brasl   %r14, start$'
# a guest, whose program may name any file, is told no texts (DIAGNOSE code 8: u 10040.6)
printf '%s\n' "load $work/program" 'abs 13000=A440F1F0F0F4F04BF6' 'gpr 2=13000' 'gpr 4=9' 'asm 14000 diag %r2,%r4,8' \
    'psw 0000000180000000 14000' s | "$zri" --diagnose +8 > "$work/out" 2>&1
expect guest '^0000000000010040  .*  debug-program\.c:9$'
never guest-text 'account\.sum'
printf '%s\n' 'u 10040.6' 'panel text code' | "$zri" --sandbox "$work/program" > "$work/out" 2>&1
grep -q 'built without libseccomp' "$work/out" || expect sandbox 'larl %r1,0x120c0'
never sandbox-ends 'Bad system call|hostile'
{ echo "load $work/program"; cat << 'END'; } | everywhere over
n 2
n
bt
load
END
expect over '^the call has returned, '
count over-bt 1 '^#0  [0-9A-F]{16}  <_start\+'
{ echo "load $work/program"; cat << 'END'; } | everywhere loop
b @add_all once
g
n 12
until
u %ia.4
bt 1
END
compile -O0 -mbackchain -fno-asynchronous-unwind-tables || fail "the program is not compiled: $(cat "$work/err")"
{ echo "load $work/program"; cat << 'END'; } | everywhere chain
b @add once
g
bt
n 9
bt
out
END
expect chain-entry '^#1  [0-9A-F]{16}  <add_all\+[0-9A-F]+>  by general register 14$'
expect chain '^#2  [0-9A-F]{16}  <start\+[0-9A-F]+>  by the back chain$'
expect chain-out '^the function has returned, '
{ echo 'asm 10000 lghi %r15,0'; echo 'psw 0000000180000000 10000'; echo out; echo n x; echo bt x; } | everywhere nothing
expect out-nowhere '^out: the caller is not known: '
expect next-count "^'x' is not a count"
finish 'the debugger says what was asked'
