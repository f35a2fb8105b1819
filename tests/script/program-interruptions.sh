#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program interruption is told: at once while stepping, at the end of a run, in batch mode; a loop of them ends the run; an
# operator can stop at interruptions; every code has its name.
. "${srcdir:-.}/tests/lib.sh"
expect() # NAME REGEX: a line of $work/out matches
{
    grep -Eq -- "$2" "$work/out" || { fail "$1: no line matches: $2"; sed 's/^/    /' "$work/out" | head -40; }
}
never() # NAME REGEX: none does
{
    if grep -Eq -- "$2" "$work/out"; then fail "$1: a line matches: $2"; fi
}
cat > "$work/load.zc" << 'END'
gpr 3=7FFFFFFF
asm 10000 la %r5,5
asm 10004 l %r4,0(%r3)
asm 20000 lgr %r3,%r4
r 1D0=0002000180000000 0000000000000BAD
psw 0000000180000000 10000
END
for engine in block reference; do
    { cat "$work/load.zc"; printf 's\ns\ns --json\npsw 0000000180000000 10000\ng\npsw 0000000180000000 10000\ng --json\n'; } |
        "$zri" --engine $engine > "$work/out" 2>&1
    expect "$engine: stepping" '^program interruption 0005 \(addressing\) at 10004 `l %r4,0\(%r3\)`, operand 7FFFFFFF, ILC 4$'
    expect "$engine: at the end" '^the latest program interruption 0005 \(addressing\) at 10004 .*, ILC 4; 0 instructions before$'
    expect "$engine: json" '"program_interruption":\{"words":"program interruption 0005.*","code":"0005","name":"addressing","address":"0000000000010004","instruction":"l %r4,0\(%r3\)","operand":"000000007FFFFFFF","ilc":4,"instructions_before":0\}'
done

# Operands of other exceptions: the page of a translation, the data-exception code, none.
cat > "$work/others.zc" << 'END'
r 1D0=0002000180000000 0000000000000BAD
cr 1=40000
r 40000=0000000000050000
r 50000=0000000000000000 0000000000000400 0000000000000400
abs 50080=0000000000010000
gpr 3=1FF8
asm 10000 stg %r4,10(%r3)
psw 0400000180000000 10000
s
cr 0=E0
asm 10000 adbr %f0,%f2
psw 0000000180000000 10000
s
asm 10000 lmg %r1,%r2,0
r 10000=0000
psw 0000000180000000 10000
s
r 0=0002000180000000 0000000000000EEE
psw 0000000180000000 10001
s
END
"$zri" < "$work/others.zc" > "$work/out" 2>&1
expect 'page translation' '^program interruption 0011 \(page translation\) at 10000 `stg %r4,10\(%r3\)`, operand 2002, ILC 6$'
expect 'data' '^program interruption 0007 \(data, DXC 02: BFP instruction\) at 10000 `adbr %f0,%f2`, ILC 4$'
expect 'operation' '^program interruption 0001 \(operation\) at 10000 .*, ILC 2$'
expect 'odd address' '^program interruption 0006 \(specification\) at 10001'

# A loop: each handler fails in the same way. It is found, its first cause is said, and it ends the run with status 1.
for engine in block reference; do
    { cat "$work/load.zc"; printf 'r 1D0=0000000180000000 0000000000030000\ng\n'; } > "$work/loop.zc"
    "$zri" --batch --engine $engine --seconds 20 --script "$work/loop.zc" > "$work/out" 2>&1
    [ $? -eq 1 ] || fail "$engine: a loop does not end with status 1"
    expect "$engine: loop" '^a loop of program interruptions, '
    expect "$engine: first cause" '^it began with program interruption 0005 \(addressing\) at 10004 .*, operand 7FFFFFFF, ILC 4; 4[0-9]+ instructions before$'
done
# With a new PSW of zeros the handler is what stands at 0: a loop too, before any branch and with one that lies there, when its
# first instruction fails and when its second does; for `expect' as for `g'.
for engine in block reference; do
    for first in 0000 1812; do
        printf 'asm 2000 diag %%r0,%%r0,0x1f8\nr 0=%s\npsw 0000000180000000 2000\ng\nexpect never\n' $first > "$work/zeros.zc"
        "$zri" --batch --engine $engine --seconds 5 --script "$work/zeros.zc" > "$work/out" 2>&1
        [ $? -eq 1 ] || fail "$engine: a loop at 0, $first: not status 1"
        [ "$(grep -c '^a loop of program interruptions, ' "$work/out")" -eq 2 ] ||
            fail "$engine: a loop at 0 that begins with $first is not found: $(cat "$work/out")"
        expect "$engine: loop at 0" '^it began with program interruption 0006 \(specification\) at 2000 `diag %r0,%r0,504`, ILC 4; '
    done
    printf 'asm 100 j 0x2000\nasm 2000 diag %%r0,%%r0,0x1f8\npsw 0000000180000000 100\ng\n' > "$work/zeros.zc"
    "$zri" --batch --engine $engine --seconds 5 --script "$work/zeros.zc" > "$work/out" 2>&1
    expect "$engine: loop at 0 after a branch near it" '^a loop of program interruptions, '
done
# The same in batch mode without a script, and a handler that mends nothing but returns is no loop.
cat > "$work/returns.zc" << 'END'
asm 10000 lgfi %r1,20000
r 10006=0000
asm 10008 brctg %r1,0x10006
asm 1000c lpswe 0x100
r 100=0002000180000000 0000000000000FFF
r 1D0=0000000180000000 0000000000010040
asm 10040 lpswe 0x150
psw 0000000180000000 10000
g
END
"$zri" --batch --script "$work/returns.zc" > "$work/out" 2>&1 || fail "a handler that returns: status $?"
expect 'a handler that returns is no loop' '^CPU 0: disabled wait, PSW 0002000180000000 0000000000000FFF'
never 'a handler that returns is no loop' 'a loop of'

# What has been forgotten by `reset clear' or is still to come in a past that was returned to is not told.
printf 'asm 10000 diag %%r0,%%r0,0x1f8\nr 1D0=0002000180000000 0000000000000BAD\npsw 0000000180000000 10000\ng\nreset clear\nr 0=0002000180000000 0000000000000BAC\npsw 0002000180000000 BAC\ng\n' |
    "$zri" > "$work/out" 2>&1
[ "$(grep -c '^the latest program interruption' "$work/out")" -eq 1 ] ||
    fail "an interruption before 'reset clear' is told behind it: $(cat "$work/out")"
printf 'history on\nasm 10000 lr %%r1,%%r2\nasm 10002 lr %%r1,%%r2\nr 1D0=0002000180000000 0000000000000BAD\npsw 0000000180000000 10000\ng\ngoto 1\nexplain interruption\n' |
    "$zri" > "$work/out" 2>&1
never 'an interruption that is still to come' '^the latest: '

# Batch mode: with the end, on standard error; guest output alone on standard output, with a trace too.
"$zri" --batch --demo --trace "$work/trace" > "$work/stdout" 2> "$work/out" || fail "batch with a trace: status $?"
"$zri" --batch --demo > "$work/plain" 2> /dev/null
cmp -s "$work/stdout" "$work/plain" || fail "a trace changes what batch mode writes on standard output"
never 'a page fault long before an end in order' 'program interruption'
printf '\000\000\000\000\200\001\000\000' > "$work/image" # a PSW that starts at 10000, where nothing is
head -c 456 /dev/zero >> "$work/image"
printf '\000\002\000\001\200\000\000\000\000\000\000\000\000\000\013\255' >> "$work/image"
printf '\000\010\000\000\200\001\000\000' | dd of="$work/image" conv=notrunc 2> /dev/null
"$zri" --batch "$work/image" > "$work/stdout" 2> "$work/out"
[ $? -eq 1 ] || fail "batch: a program interruption does not end with status 1"
expect 'batch' '^zri: CPU 0: the latest program interruption 0001 \(operation\) at 10000 .*, ILC 2; 0 instructions before$'
[ -s "$work/trace" ] || fail "there is no trace"
grep -q 'program interruption 0011 (page translation), old PSW' "$work/trace" || fail "the trace does not name interruptions"
grep -q 'external interruption 1407 (measurement alert), old PSW' "$work/trace" || fail "the trace does not name alerts"

# Stopping at interruptions.
{ cat "$work/load.zc"; cat << 'END'; } | "$zri" > "$work/out" 2>&1
b program 6
b program addressing
b svc
b external 1004
b io
b machine
b?
b? --json
g
b?
b- program 6
b- program addressing
b- io
b- io
b- all
b?
b io 5
b program nonsense
asm 10000 svc 7
r 1C0=0000000180000000 0000000000020000
psw 0000000180000000 10000
b svc 6
b svc 7
g
END
expect 'b?' '^program interruption 0006 \(specification\), met 0 times'
expect 'b? external' '^external interruption 1004 \(clock comparator\), met 0 times'
expect 'b? json' '"interruption":"machine-check interruption","hits":0'
expect 'stop' '^breakpoint at an interruption, '
expect 'which' '^the latest program interruption 0005 \(addressing\) at 10004 .*; 0 instructions before$'
expect 'hits' '^program interruption 0005 \(addressing\), met 1 times'
expect 'b- twice' '^b-: there is no such breakpoint'
expect 'none' '^no breakpoints'
expect 'no code' '^b: these words do not make a command'
expect 'nonsense' "^b program: 'nonsense' is no program interruption; give a code, or a name of"
expect 'svc' '^supervisor-call interruption 0007$'
expect 'svc stops at its handler' '^CPU 0: operating, PSW 0000000180000000 0000000000020000'

# Names where a number is shown.
printf 'facilities\nfacilities --json\ncr 1=40000\npsw 0400000180000000 0\ntranslate 1000\n' | "$zri" > "$work/out" 2>&1
expect 'facility' '^ +129  [a-z]'
expect 'facility json' '\{"bit":7,"name":"store facility list extended"\}'
finish "program interruptions are told"
