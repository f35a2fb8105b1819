#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The console: every command from redirected input, a script and with --json.
. "${srcdir:-.}/tests/lib.sh"
passed=0

# run OPTIONS...: commands on standard input; output, errors too, in $work/out, status in $status
run() {
    "$zri" "$@" > "$work/out" 2>&1
    status=$?
}

# expect NAME REGEX: a line of the output matches
expect() {
    if grep -Eq -- "$2" "$work/out"; then
        passed=$((passed + 1))
    else
        fail "$1: no line matches: $2"
        echo "found:"
        sed 's/^/    /' "$work/out" | head -40
    fi
}

# status NAME NUMBER: the exit status was that
status() {
    if [ "$status" -eq "$2" ]; then
        passed=$((passed + 1))
    else
        fail "$1: exit status $status, expected $2"
        sed 's/^/    /' "$work/out" | head -20
    fi
}

# holds NAME COMMAND...: the command succeeds
holds() {
    name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else fail "$name: $*"; fi
}

# A program by hand: count r1 down from 5, then wait at FFF by the PSW at 20000.
cat > "$work/loop.zc" <<'END'
asm 10000 lghi %r1,5
asm 10004 aghi %r1,-1
asm 10008 jne 0x10004
asm 1000c lgfi %r2,0x20000
asm 10012 lpswe 0(%r2)
r 20000=0002000180000000 0000000000000FFF
psw 0000000180000000 10000
END

# ---- registers
run << 'END'
gpr 1=123456789ABCDEF0 2=%r1+10
gpr
cr 9=8000 3=FF
cr
ar 5=DEADBEEF
ar
fpr 3=4010000000000000
fpr
vr 17=00112233445566778899AABBCCDDEEFF
vr
prefix 4000
prefix
psw
psw cc=3 ia=1234
psw
END
status registers 0
expect gpr ' R1=123456789ABCDEF0  +R2=123456789ABCDF00'
expect cr 'CR3=00000000000000FF'
expect cr9 'CR9=0000000000008000'
expect ar 'AR5=DEADBEEF'
expect fpr 'F3=4010000000000000'
expect vr 'V17=00112233445566778899AABBCCDDEEFF'
expect prefix 'prefix 00004000'
expect psw '^PSW=0000300000000000 0000000000001234  CPU 0 stopped'
expect psw-words 'supervisor state, 24-bit addressing, DAT off, key 0, cc 3'

# ---- running and breakpoints
{ cat "$work/loop.zc"; cat << 'END'; } > "$work/run.zc"
s
s 3
branches
b 10004 if %r1 = 2
b?
g
gpr
b-10004
b?
g 1000c
g
cpu
clocks
psw
END
run < "$work/run.zc"
status run 0
expect step '^0000000000010004 +A71BFFFF +aghi %r1,-1'
expect branches '^0000000000010008 -> 0000000000010004'
expect list '^0000000000010004 .* if %r1 = 2, met 0 times'
expect break '^breakpoint, 7 instructions so far'
expect condition ' R1=0000000000000002'
expect none '^no breakpoints'
expect until '^CPU 0: operating, PSW 0000000180000000 000000000001000C'
expect end '^every CPU is stopped or in a disabled wait'
expect where '^CPU 0: disabled wait, PSW 0002000180000000 0000000000000FFF'
expect clocks '^instructions +13 '
cp "$work/out" "$work/from-pipe"

# ---- the same from a script, and on the other engine
run --script "$work/run.zc"
status script 0
holds 'script and pipe' diff "$work/from-pipe" "$work/out"
run --engine reference < "$work/run.zc"
holds 'the engines' diff "$work/from-pipe" "$work/out"

# ---- trace, to the screen and to a file
{ cat "$work/loop.zc"; echo 't+'; echo 's'; echo 't-'; echo "t+ $work/trace"; echo g; echo t-; } > "$work/trace.zc"
run --script "$work/trace.zc"
status trace 0
expect trace '^CPU 0 0000000000010000  A7190005 +lghi %r1,5'
expect trace-register '^ +R1=0000000000000005 cc=0'
cp "$work/trace" "$work/out"
expect trace-file '^CPU 0 0000000000010012  B2B22000 +lpswe 0\(%r2\)'
run --batch --trace "$work/trace2" --script "$work/run.zc"
cp "$work/trace2" "$work/out"
expect trace-option '^CPU 0 0000000000010008'

# ---- storage
run << 'END'
r 20000=C1C2C3 414243
r 20000.10
abs 20000-20003
v 20000.4
v real 20000.4
keys 20000=36
keys 1F000-21000
r 40000=11
keys 40000-41000
u 10000.4
asm 30000 mvc 0(5,%r1),0(%r2)
u 30000.6
translate 20000
tlb
savecore /dev/null 0 FFF
pending
ext
pending
facilities
engine reference
engine
END
status storage 0
expect show '^0000000000020000  C1C2C341 4243.*\*ABC\.'
expect ascii '\|\.\.\.ABC'
expect range '^0000000000020000  C1C2C341 '
expect keys '^0000000000020000-0000000000020FFF  key 36: access control 3, referenced, changed'
expect keys2 '^0000000000021000-0000000000021FFF  key 00'
expect altered '^0000000000040000-0000000000040FFF  key 06: access control 0, referenced, changed'
expect assemble '^0000000000030000  D20410002000  mvc 0\(5,%r1\),0\(%r2\)'
expect translate '^0000000000020000 is absolute 0000000000020000'
expect pending '^0040 interrupt key +kept off by PSW bit 7'
expect facilities '^profile max'
expect engine '^reference$'

# ---- DAT: a translation step by step
run << 'END'
cr 1=40000
r 40000=0000000000050000
r 50010=0000000000030000
r 50018=0000000000000400
psw 0400000180000000 10000
translate 2ABC
translate 3000
v 2000=AA
abs 30000.1
v 3000.4
END
status dat 1
expect asce '^ASCE in CR1: 0000000000040000, segment table'
expect segment '^segment table +at 0000000000040000, entry   0 at 0000000000040000: 0000000000050000'
expect page '^page table +at 0000000000050000, entry   2 at 0000000000050010: 0000000000030000'
expect absolute '^0000000000002ABC is absolute 0000000000030ABC'
expect invalid '^0000000000003000: program-interruption code 0011 \(page translation\)'
expect through '^0000000000030000  AA'
expect no-page '^virtual 3000: no access, program-interruption code 0011 \(page translation\)'

# ---- run-time instrumentation
{ cat "$work/loop.zc"; cat << 'END'; } > "$work/ri.zc"
ri
ri set V=1 Qs=1 Qc=1 M=1 C=1 R=1 B=1 F=1 RGS=1 SF=4 ROA=40000 RCA=40000 RLA=40FFF
ri controls
ri on
ri next
s
ri next
ri collection
ri stop group
g
ri groups
ri collection
ri buffer
ri stop none
g
ri
ri off
ri clear
ri next
END
run < "$work/ri.zc"
status ri 0
expect ri-off '^CPU 0: .*; profile RI-A, PSW bit 24 zero, controls not valid'
expect ri-field '^SF   0000000000000004'
expect ri-next '^next sample: in 4 instructions'
expect ri-next3 '^next sample: in 3 instructions'
expect ri-stop "^run-time instrumentation: what 'ri stop' asked for has happened, 4 instructions so far"
expect ri-group '^group +1 at 0000000000040000:   4 records,   1 branches, sample instruction 0000000000010004'
expect ri-begin '^ +40000  begin '
expect ri-none '^next sample: none: off'
expect ri-valid 'controls valid'

# Counter sets, their authorization, alerts (EC-114, EC-115, EC-155).
cat > "$work/ctr.zc" << 'END'
abs 20000=0000000000060006
gpr 1=20000
asm 10000 lcctl 0(%r1)
asm 10004 lr %r2,%r2
psw 0000000180000000 10000
ctr
s 2
ctr sets
ctr sets --json
ctr auth 2
ctr inject pra
pending
ctr
ctr inject ET
ctr --json
cr 0=E0
psw 0100000180000000 10004
s
r 80.8
ctr
END
"$zri" < "$work/ctr.zc" > "$work/out" 2>&1
status=$?
status ctr 0
expect ctr-first '^CPU 0: counter facility, version 3\.7, authorization 000[6E]'
expect ctr-disabled '^0002 basic +disabled +counters 0 to 5 '
expect ctr-active '^0004 problem-state +active +counters 32 to 33 '
expect ctr-value '^  counter 1: 1 \(decimal\)'
expect ctr-json '"bit":"0002","name":"basic","state":"active","counters":\[\{"number":0,"value":1\},\{"number":1,"value":1\}\]'
expect ctr-auth '^CPU 0: counter facility, version 3\.7, authorization 0002'
expect ctr-lost '^0004 problem-state +unauthorized '
expect ctr-caca '^alert pending: CACA, counter authorization change'
expect ctr-pra '^alert pending: PRA, program request alert'
expect ctr-pending '^1407 measurement alert +kept off'
expect ctr-alerts '"alerts":\["PRA","CACA","ET"\]'
expect ctr-parameter '20000088 00001407'
holds ctr-presented [ "$(tail -n 9 "$work/out" | grep -c 'alert pending')" = 0 ]
for bad in 'ctr inject nothing' 'ctr auth 10000' 'ctr what' 'ctr auth'; do
    printf '%s\nquit\n' "$bad" > "$work/bad.zc"
    "$zri" --script "$work/bad.zc" > "$work/out" 2>&1
    holds "$bad" [ $? -ne 0 ]
done
printf 'ctr\nquit\n' | "$zri" --facility=-67 > "$work/out" 2>&1
expect ctr-without 'no counter facility \(facility bit 67 is off\)'

# ---- guest, help, log, json
run << END
load builtin:demo
log $work/log
g
help b
echo a  b
log off
version
symbols work
b @work
.text
END
status guest 1
expect demo '^zri demonstration'
expect help '^b ADDRESS.* \[once\] \[count N\] \[cpu N\]'
expect echo '^a  b'
expect version '^zri [0-9]'
expect symbol ' work$'
expect deaf '^the guest does not listen'
cp "$work/log" "$work/out"
expect log '^zri> help b'

run << 'END'
gpr --json
psw --json
json on
cpu
ri
ri controls
clocks
pending
facilities
u 0.4
r 0.20
translate 0
keys 0
b 10000 if %r1 = 0
b?
branches
tlb
help psw
engine
bogus
END
status json 1
expect json-gpr '^\{"R0":"0000000000000000"'
expect json-psw '"addressing":24'
expect json-error '^\{"error":"there is no command .bogus'
if command -v python3 > /dev/null && python3 -c 'import json' 2> /dev/null; then
    holds 'valid JSON' python3 -c 'import json,sys; [json.loads(line) for line in open(sys.argv[1])]' "$work/out"
fi

# ---- registers and words by their tables
run << 'END'
reg
reg bear=1234 %r5=FF
reg bear r5
reg nosuch
reg prefix=7FFFE000
help ri
help ctr
reset nothing
ri stop nothing
engine nothing
help reset --json
v absolute 0.4
reg pp --json
END
status tables 1
expect reg '^  pswa=0000000000000000 +instruction address'
expect reg-set '^  bear=0000000000001234 +breaking-event-address register'
expect reg-none "^reg: there is no register 'nosuch'; 'reg' shows all of them"
expect reg-prefix '^reg: 7FFFE000 is not possible for the prefix register'
expect help-usage '^ri \[controls\|set FIELD=VALUE \.\.\..*\|stop \(sample\|group\|halt\|full\|alert\|none\)\|'
expect help-word '^  lric ADDRESS +carry out LOAD RUN-TIME INSTRUMENTATION CONTROLS'
expect help-second '^  inject PRA +program request alert'
expect reset-words "^reset: 'nothing' is not one of cpu, initial and clear"
expect stop-list "^ri stop: 'nothing' is not one of sample, group, halt, full, alert and none"
expect engine-words "^engine: 'nothing' is not one of block, reference and translate"
expect help-json '"words":\[\{"word":"cpu","help":"CPU reset"\}'
expect v-space '^0000000000000000  00000000'
expect reg-json '^\{"pp":"0000000000000000"\}'

# ---- resets: what each leaves, with the handshake of DIAGNOSE X'258', which is begun once
cat > "$work/begin.zc" << 'END'
r 7000=0258000000050002 0000000000007100 0000000000000003 0000000000000001 8000000000000000
asm 10000 diag 2,4,0x258
gpr 2=7000
gpr 4=99
psw 0000000180000000 10000
s
reg r4
END
run << END
reg todpr=77
reg cpt=1234
script $work/begin.zc
script $work/begin.zc
reset cpu
reg todpr
script $work/begin.zc
reset initial
reg todpr
script $work/begin.zc
reset clear
v absolute 7000.8
script $work/begin.zc
END
status resets 0
holds 'handshakes' test "$(sed -n 's/^ *r4=0*\([08]\) .*/\1/p' "$work/out" | tr '\n' ' ')" = '0 8 0 0 0 '
holds 'what resets leave' test "$(grep -c '^ todpr=00000077' "$work/out") $(grep -c '^ todpr=00000000' "$work/out")" = '1 1'
expect 'clear reset' '^0000000000007000  00000000 00000000'

# ---- the host's clock: the TOD clock has what it has behind the microsecond, bits 52 to 63
cat > "$work/clock.zc" << 'END'
asm 10000 lghi %r1,64
asm 10004 larl %r2,0x20000
asm 1000a stckf 0(%r2)
asm 1000e llgh %r3,6(%r2)
asm 10014 nill %r3,0xfff
asm 10018 ogr %r4,%r3
asm 1001c brctg %r1,0x1000a
asm 10020 lgfi %r2,0x30000
asm 10026 lpswe 0(%r2)
r 30000=0002000180000000 0000000000000000
psw 0000000180000000 10000
g
reg r4
END
run --clock host --script "$work/clock.zc"
status 'clock host' 0
expect 'behind the microsecond' '^ *r4=0*[1-9A-F]'

# ---- several CPUs
run --cpus 3 << 'END'
cpu 2
gpr 1=77
psw ia=8000
cpu
cpu 7
END
status cpus 1
expect cpu2 '^> CPU 2: stopped, PSW 0000000000000000 0000000000008000'
expect no-cpu '^cpu 7: this machine has 3'

# ---- wrong lines: thing, place, remedy; nothing changes
run << 'END'
b
b 10000 if %r1 ~ 3
b 10000 if %r99 = 3
gpr 16=1
gpr 1=XYZ
psw 0000000000000001 0
r 10000=1
r FFFFFFFFFFFF.10
asm 10000 nosuch %r1
ri set XX=1
ri set M=99
ri stop now
load /nonexistent/file
loadcore /nonexistent/file@0
savecore /dev/null 0 FFFFFFFFFFFF
symbols /nonexistent
prefix 1001
s x
script /nonexistent
engine fast
translate here 5
keys FFFFFFFFFFFFFF
"
END
status wrong 1
expect w-usage '^b: these words do not make a command; usage: b ADDRESS'
expect w-relation "'~' is no relation"
expect w-register 'no such register'
expect w-gpr "there is no register '16'"
expect w-value "'XYZ' is not a value"
expect w-psw 'is not a valid PSW'
expect w-bytes 'half a byte'
expect w-storage 'no access, program-interruption code 0005'
expect w-asm '^asm: '
expect w-field "no control 'XX'"
expect w-load '/nonexistent/file'
expect w-save 'absolute storage ends at'
expect w-prefix 'not a multiple of 2000'
expect w-count "'x' is not a count"
expect w-script 'cannot open the script'
expect w-engine "'fast' is not one of block, reference and translate"

# ---- watchpoints
{
    cat "$work/loop.zc"
    cat << 'END'
asm 10000 lgfi %r2,0x20100
asm 10006 stg %r1,0(%r2)
asm 1000c lg %r3,0(%r2)
asm 10012 lgfi %r2,0x20000
asm 10018 lpswe 0(%r2)
psw 0000000180000000 10000
watch 20107
watch 20104.4 rw
watch
g
g
watch- 20104
psw ia=10000
s 5
watch- all
watch
g
watch 0.0
watch 0 x
watch- 5
END
} > "$work/watch.zc"
for engine in block reference; do
    run --engine $engine < "$work/watch.zc"
    expect "watch-list $engine" '^0000000000020104\.4 rw$'
    expect "watch-store $engine" '^watchpoint, 2 instructions so far$'
    expect "watch-told $engine" '^watchpoint at 20107 w: accessed at 20107, where there is now 00'
    expect "watch-fetch $engine" '^watchpoint at 20104 rw: accessed at 20104, '
    expect "watch-step $engine" '^0000000000010006 .*stg'
    expect "watch-end $engine" '^every CPU is stopped or in a disabled wait'
    expect "watch-length $engine" '^watch: a range has a length'
    expect "watch-kind $engine" "^watch: 'x' is not one of r, w and rw, nor"
    expect "watch-none $engine" '^watch-: nothing is watched at 5'
done

# ---- what a breakpoint stops before is not fetched: its page was not referred to
for engine in reference block translate; do
    run --engine $engine << 'END'
asm 10000 j 0x12000
psw 0000000180000000 10000
b 12000
g
translate 12000
s
translate 12000
END
    expect break-before-$engine '^breakpoint, 1 instructions so far'
    expect break-before-key-$engine '^0000000000012000 is absolute 0000000000012000, storage key 00'
    expect break-behind-key-$engine '^0000000000012000 is absolute 0000000000012000, storage key 04'
done

# ---- breakpoints once, and from the nth time on
run << END
$(cat "$work/loop.zc")
b 10004 once count 3
b 10008 count 2 if %r1 < 4
b?
g
b?
g
b- all
b 10004 count x
b 10004 once twice
END
expect break-listed '10004.* once count 3, met 0 times'
expect break-third '^breakpoint, 5 instructions so far$'
expect break-condition '10008.* count 2 if %r1 < 4, met [01] times'
expect break-count "^'x' is not a count"
expect break-words '^b: these words do not make a command'

# ---- the debugger port
run << 'END'
gdb
gdb 0
gdb off
gdb nonsense
gdb stdio
gdb space nowhere
END
expect gdb-closed '^the debugger port is closed$'
expect gdb-open '^the debugger port is 127.0.0.1:[0-9]+; no client, 0 points$'
expect gdb-place 'nonsense: give a port from 0 to 65535'
expect gdb-stdio '^gdb: standard input and output are the console'
expect gdb-space "^gdb space: 'nowhere' is not one of"

# ---- options
run --nonsense
status no-option 2
expect no-option "no option '--nonsense'"
run --cpus 0 
status cpus0 2
run --storage 5
status storage5 2
run --profile linux-boot --batch --demo
expect profile 'claims facilities that are not complete|zri demonstration'
run --profile nosuch
status no-profile 2
printf 'facilities = all -64\nname = small\n' > "$work/small.profile"
run --profile "$work/small.profile" << 'END'
facilities
ri set V=1
END
expect profile-file '^profile small'
expect no-ri 'no run-time instrumentation'
printf 'facilities = all\ncolour = red\n' > "$work/bad.profile"
run --profile "$work/bad.profile"
status bad-profile 2
expect bad-profile 'bad.profile, line 2: .colour.: there is no such key'
run --batch --limit 100 --stop --savecore "$work/core:10000-10003" --script "$work/loop.zc"
status savecore 0
holds savecore [ "$(od -An -tx1 "$work/core" | tr -d ' \n')" = a7190005 ]
printf 'asm 10000 j 0x10000\npsw 0000000180000000 10000\ng\n' > "$work/endless.zc"
run --batch --limit 1000 --script "$work/endless.zc"
status limit 3
expect limit 'the limit of instructions is reached, 1000 instructions so far'
run --batch --seconds 0.2 --script "$work/endless.zc"
status seconds 3
printf 'quit\ng\n' > "$work/quit.zc"
run --script "$work/quit.zc"
status quit 0
printf 'script %s\n' "$work/self.zc" > "$work/self.zc"
run --script "$work/self.zc"
status self 1
expect self 'calls itself'

# ---- run-time instrumentation: what decides about the next sample, listings, stops, control instructions
{ cat "$work/loop.zc"; cat << 'END'; } > "$work/explain.zc"
ri explain
ri set V=1 S=1 Qs=1 Qc=1 U=1 M=1 C=1 R=1 B=1 BPxt=1 IC=F DC=F RGS=1 SF=3 ROA=40000 RCA=40000 RLA=40FFF
ri rion
ri explain
s 2
ri explain
ri stop sample
g
ri explain
ri set F=1
s 2
ri explain
ri stop none
ri stop group
g
g
ri listing
ri listing 2
ri hex 1
ri listing 4
json on
ri listing 1
ri hex 2
ri explain
json off
ri stop none
ri stop full
ri stric 30000
v 30000=0000000000040FC0
ri mric 30000
g
ri
ri stop none
ri stop alert
r 1B0=0002000180000000 0000000000000EEE
psw 0100000180000000 1000C
g
ri stop none
psw 0001000180000000 10000
ri set S=0
ri tric
ri lric 30000
ri stop nonsense
END
run < "$work/explain.zc"
status explain 1
printf 'gpr 1=1234\nri stric 20000\nri stric 20004\nri set V=1\nri stric 20000\ngpr\n' > "$work/drive.zc"
cp "$work/out" "$work/explained"
run < "$work/drive.zc"
expect drive-lent '^ +R0=0000000000000000   R1=0000000000001234'
expect drive-cc '^stric: condition code 0'
cp "$work/explained" "$work/out"
expect explain-off '^no instruction is a sample instruction now: controls not valid'
expect explain-count "^the next sample instruction is 3 instructions away"
expect explain-state '^line  1 may decide .*\(Ps=0 \(problem state\), Qs=1 \(supervisor state\)\)'
expect explain-bpxt '^line  6 may decide .*\(BPxt=1\)'
expect explain-next '^the next instruction is a sample instruction, by count, if it completes: 0000000000010008  A774FFFE'
expect explain-both '^if it branches, line 6: yes: wrongly predicted not taken \(BPxt\); if not, line 11: no: no report'
expect explain-done '^the latest sample instruction was 10008, line 6: yes: wrongly predicted not taken'
expect explain-override '^line 4: yes: override \(F\)'
expect explain-behind '^line  5 is not reached'
expect listing-group '^group 2 at 0000000000040040'
expect listing-line '^  transfer 0000000000010008  A774FFFE      jne 0x10004  -> 10004'
expect listing-sample '^  sample   000000000001000[48] '
expect hex-line '^  0000000000040000  0200000300012000 [0-9A-F]{16}  begin'
expect listing-none 'ri listing: there is no group 4; the program buffer has 3'
expect listing-json '"lines":\[\{"type":"transfer","instruction":"0000000000010008  A774FFFE      jne 0x10004",.*"depth":0,"address":"0000000000010008"'
expect hex-json '"address":"0000000000040040","hi":"03[0-9A-F]*","lo":"[0-9A-F]*","group":2'
expect explain-json '"foreseen":false,"table":\[\{"line":1,"verdict":"may decide"'
expect stric '^stric: condition code 0'
expect mric '^mric: condition code 0'
expect full-state 'stopped \(buffer full\)'
expect alert-stop '^CPU 0: disabled wait, PSW 0002000180000000 0000000000000EEE'
expect tric-problem '^tric: condition code 2'
expect lric-problem 'ri lric: the instruction would cause program-interruption code 0002 \(privileged operation\); nothing was done'
expect stop-words "ri stop: 'nonsense' is not one of sample, group, halt, full, alert and none"

# ---- ri explain foresees what then happens: each instruction a sample instruction, half of the report controls on
doc=$(cd "${srcdir:-.}/doc" && pwd)
foresee() {
    {
        echo 'script doc/ri-program.zc'
        echo "ri set V=1 Qs=1 Qc=1 M=$1 C=1 R=1 B=1 $2 RGS=0 ROA=20000 RCA=20000 RLA=2FFFF"
        echo 'ri on'
        n=0
        while [ $n -lt 300 ]; do
            echo 'ri explain --json'
            echo s
            n=$((n + 1))
        done
    } > "$work/foresee.zc"
    (cd "$doc/.." && "$zri" < "$work/foresee.zc") 2>&1 | awk '
        function number(name,   at) {
            if (!match($0, "\"" name "\":[0-9]+")) return -1
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
        }
        /^\{"active":true/ {
            last = number("latest_line")
            if (line >= 0) { seen++; lines[last] = 1; if (last != line && last != taken) { wrong++; print "FAIL foresee: line " line " or " taken ", but " last } }
            line = /"foreseen":true/ ? number("line") : -1
            taken = number("line_when_taken")
        }
        BEGIN { line = -1 }
        END { for (i in lines) kinds++; print seen + 0, wrong + 0, kinds + 0 }' > "$work/out"
    expect "foresee $2" "$3"
}
foresee 1 'SF=1 BPxt=1 BPxn=1 BPti=1 BPni=1 IC=F DC=E' '^299 0 [5-9]$'
foresee 1 'SF=1 F=1' '^299 0 1$'
foresee 0 'SF=4 BPxt=1 IC=F DC=F' '^[1-9][0-9]+ 0 2$'

# A guest gives its operator commands by DIAGNOSE code 8: `psw' (97A2A6) is carried out, `quit' (98A489A3) is not, and
# without --diagnose +8 the code is not offered.
cat > "$work/diagnose.zc" <<'END'
abs 3000=97A2A6
abs 3010=98A489A3
gpr 2=3000
gpr 4=3
asm 10000 diag %r2,%r4,8
asm 10004 diag %r2,%r4,8
psw 0000000180000000 10000
s
gpr 2=3010
gpr 4=4
s
quit
END
"$zri" --diagnose +8 --script "$work/diagnose.zc" > "$work/out" 2>&1
expect 'diagnose 8: psw' 'PSW=0000000180000000 0000000000010004'
expect 'diagnose 8: quit' 'a guest may not give this command'
"$zri" --script "$work/diagnose.zc" > "$work/out" 2>&1
expect 'diagnose 8 is not offered' 'PSW 0000000000000000 0000000000000000'
# `expect' ends where the guest has written its words, and says so when it does not.
printf 'load builtin:demo\nexpect rounds of work\nexpect never said\nquit\n' > "$work/expect.zc"
"$zri" < "$work/expect.zc" > "$work/out" 2>&1
expect 'expect that is not met' 'the guest did not write it'

# an open transaction is told; a range of all, a folder as a script
cat > "$work/open.zc" <<'END'
asm 10000 tbeginc 0,0xff00
asm 10006 nopr
cr 0=0080000000040000
psw 0000000180000000 10000
s
psw
json on
psw
json off
r 0-FFFFFFFFFFFFFFFF
script /
END
"$zri" < "$work/open.zc" > "$work/out" 2>&1
expect "psw in a transaction" '^in a constrained transaction, nesting depth 1'
expect "psw in a transaction, json" '"transaction_depth":1'
expect "a range of all" '^FFFFFFFFFFFFFFFF bytes are too many'
expect "a folder as a script" "cannot read the script '/'"

echo "console: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
