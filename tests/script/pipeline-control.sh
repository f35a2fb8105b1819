#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a control program has of the pipeline model: DIAGNOSE X'1F8', alerts as external interruptions; and guests that notice
# nothing of it.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99

# The counted loop of the specification, section 6.2; DIAGNOSE 8,9,X'1F8'.
printf '\247\031\000\004\247\051\000\000\343\060\100\000\000\004\271\010\000\043\101\100\100\010\247\027\377\371\343\120\140\000\000\004\343\140\160\000\000\004\007\360' >loop.bin
printf '\203\211\001\370' >diag.bin
# diag SUBCODE: console commands
diag() { printf '%s\n' "gpr 9=$1" 'psw cc=3' 'psw ia=2800' 's 1' psw; }
run() # OPTIONS...: script.zc, its displays in `out', one word of storage a line in `words'
{
    "$zri" --script script.zc --storage 1M "$@" >out 2>&1 || fail "exit status: $(tail -2 out)"
    sed -n 's/^0000000000007[0-9A-F]* *\([0-9A-F]* [0-9A-F]* [0-9A-F]* [0-9A-F]*\).*|$/\1/p' out | tr ' ' '\n' >words
    sed -n 's/.*, cc \([0-3]\), program mask.*/\1/p' out | tr -d '\n' >codes
}
word() # NUMBER VALUE
{
    [ "$(sed -n "$(($1 + 1))p" words)" = "$2" ] || fail "word $1 is $(sed -n "$(($1 + 1))p" words), not $2"
}
begin="load loop.bin@2000
loadcore diag.bin@2800
psw mask=0000000180000000 ia=2000
gpr 4=3000 6=5000 7=6000 8=7000"

part 'EC-43 EC-48 EC-50 EC-150 EC-151 DIAGNOSE reads pairs, drained, with their difference'
{
    echo "$begin"
    printf '%s\n' 'ctr on' 's 21' 'r 7000=00000800'
    diag 3
    echo 'r 7000.2E0'
    diag 0
    echo 'r 7000.30'
} >script.zc
run --diagnose +1f8
[ "$(cat codes)" = 00 ] || fail "condition codes $(cat codes)"
word 0 00000800
word 1 000002E0
word 3 000000EE # 238 cycles
word 5 00000015 # 21 instructions
word 6 00000016 # 22 pairs
# INST: code, number of its counter (z16), all, completed, difference
word 8 000200B8
word 11 0000001C
word 13 00000015
word 15 00000007
# L1D_MISS, the fourth
word 32 001500BE
word 35 00000006
word 37 00000004
word 39 00000002
# Behind the 184 words of it: the query. 43 events, 18 pairs from 184 on, PMCs from 220 on; 16 entries, no groups, it is on.
word 185 00000030
word 186 0001002B
word 187 001200B8
word 188 00DC0010
word 189 00010001
word 191 000003E8 # MHz
word 192 A3858183 # `teac'

part 'EC-4 EC-7 EC-59 EC-150 DIAGNOSE writes and reads the registers'
{
    echo "$begin"
    echo 'ctr on'
    echo 'r 7000=0000006000000000 00400C42 F0000000 02000000 01020304 00000000000000FF 0000000000000001 80000000 00000005 7FFFFFFF FFFFFFFF'
    diag 2
    echo 'ctr pmc'
    diag 1
    echo 'r 7000.60'
    echo 'psw mask=0001000180000000'
    diag 1
} >script.zc
run --diagnose +1f8
[ "$(head -c 2 codes)" = 00 ] || fail "condition codes $(cat codes)"
grep -q '^MMCR0 00400C42  MMCR1 F0000000  MMCRP 02000000  ICR 01020304' out || fail "$(grep MMCR out)"
grep -q '^MARKMASK 00000000000000FF  MARKVALUE 0000000000000001' out || fail "$(grep MARK out)"
grep -q '^PMC1 80000000  PMC2 0000000[0-9]  PMC3 7FFFFFFF  PMC4 FFFFFFFF' out || fail "$(grep PMC1 out)"
word 2 00400C42
word 4 02000000
word 14 A0000009 # on; PMC1 is negative, which is the trigger; PMC4 is negative
grep -q 'program interruption 0002 (privileged operation)' out || fail 'not privileged'

part 'EC-67 EC-150 DIAGNOSE begins anew, sets and reads intervals'
{
    echo "$begin"
    printf '%s\n' 'ctr on' 's 21' 'r 7000=00000800 00000000 00000001'
    diag 4
    printf '%s\n' 'ctr show INST' 'r 7008=0000000000000032'
    diag 5
    printf '%s\n' 'psw ia=2000' 'gpr 4=9000' 's 21'
    diag 6
    printf '%s\n' 'ctr interval' 'r 7000.20'
    diag 6
    echo 'r 7000.10'
    echo 'r 7008=00000020'
    diag 4
} >script.zc
run --diagnose +1f8
[ "$(cat codes)" = 00002 ] || fail "condition codes $(cat codes)"
grep -q '^INST  *1  *1  *0 ' out || fail "after the reset: $(grep '^INST' out)" # DIAGNOSE itself
rows=$(grep -c '^ *[0-9]* *[0-9]* [0-9A-F]\{16\} ' out)
[ "$rows" -ge 2 ] || fail "$rows intervals: $(cat out)"
word 1 "$(printf '%08X' $((8 + (rows > 2 ? 2 : rows) * 728)))"

part 'EC-150 what DIAGNOSE refuses'
{
    echo "$begin"
    echo 'r 7000=00000800'
    diag 3 # the model is off: zeros
    echo 'ctr on'
    diag 7 # not allowed
    diag 8
    echo 'r 7000=00000010'
    diag 3 # too short
    echo 'r 7000=00001008'
    diag 3 # beyond its page
    echo 'r 7000=00000004'
    diag 3 # shorter than its head
    echo 'gpr 8=7004'
    diag 3
    echo 'gpr 8=FFFFF000'
    diag 3
} >script.zc
run --diagnose +1f8
[ "$(head -c 6 codes)" = 132222 ] || fail "condition codes $(cat codes)"
grep -q 'program interruption 0006 (specification)' out || fail 'on any boundary'
grep -q 'program interruption 0005 (addressing)' out || fail 'beyond storage'
run
grep -q 'program interruption' out || fail 'offered without being asked for'

part 'EC-58 EC-60 EC-63 EC-113 EC-116 an alert becomes an external interruption'
for sink in none ext; do
    {
        echo "$begin"
        printf '%s\n' 'r 1B0=0000000180000000 0000000000002020' 'cr 0=20' 'ctr select pv0 BRANCH' "ctr alert $sink" \
            'ctr set PMC1 7FFFFFFE' 'ctr set MMCR0 06008C05' 'psw mask=0100000180000000' 's 22' 'ctr pmc' 'r 80.10' 'psw'
    } >script.zc
    run --pipe teach # without the alert that ctr on is
    cp out "$sink.out"
    grep -q 'MMCR0 02008C05' out || fail "$sink: $(grep MMCR0 out)"
    grep -q '^frozen .*an alert was signalled' out || fail "$sink: not frozen"
done
grep -q '^0000000000000080  00000001 00001407 ' ext.out || fail "no interruption: $(grep '^0000000000000080' ext.out)"
grep -q '^0000000000000080  00000000 00000000 ' none.out || fail "an interruption: $(grep '^0000000000000080' none.out)"

part 'EC-63 an alert is told the operator, and stops the CPU'
for sink in none console stop 'console ext' 'stop ext'; do
    {
        echo "$begin"
        printf '%s\n' 'r 1B0=0000000180000000 0000000000002020' 'cr 0=20' 'ctr select pv0 BRANCH' "ctr alert $sink" 'ctr alert' \
            'ctr set PMC1 7FFFFFFE' 'ctr set MMCR0 06008C05' 'psw mask=0100000180000000' 's 20' psw 'r 80.10'
    } >script.zc
    run --pipe teach --engine block
    said=$(grep -c 'CPU 0: alert of the performance monitor; PMC1 80000002, PMC2 00000005, .* frozen; raised by the instruction at 0000000000002016, completed in cycle 216$' out)
    case $sink in none) expect=0 ;; *) expect=1 ;; esac
    [ "$said" = $expect ] || fail "$sink: said $said times: $(cat out)"
    at=$(sed -n 's/^PSW=[0-9A-F]* 000000000000\([0-9A-F]*\) .*/\1/p' out | tail -1)
    case $sink in
    stop*) [ "$at" = 2020 ] && grep -q '^PSW=.* CPU 0 stopped' out || fail "$sink: it is at $at: $(tail -6 out)" ;;
    *ext) [ "$at" = 2026 ] && grep -q '^0000000000000080  00000001 00001407 ' out || fail "$sink: it is at $at: $(tail -6 out)" ;;
    *) [ "$at" = 2026 ] && grep -q '^0000000000000080  00000000 00000000 ' out || fail "$sink: it is at $at: $(tail -6 out)" ;;
    esac
done
grep -q '^an alert of the performance monitor is shown by ctr pmc, told the operator, stops the CPU, is an external interruption$' out ||
    fail "ctr alert: $(grep '^an alert' out)"
for bad in 'none ext' often; do
    printf '%s\n' "ctr alert $bad" >script.zc
    "$zri" --script script.zc --storage 1M >out 2>&1 && fail "ctr alert $bad: accepted"
done

part 'EC-48 EC-50 EC-75 a guest program reads a pair and subtracts'
# Enable and activate the sets, the loop, then ECCTR of the completed count and of the other, the difference to storage.
{
    echo "$begin"
    printf '%s\n' 'gpr 8=BE 9=BF 10=7000' 'r 7000=0000000000010001' 'asm 1F00 lcctl 0(10)' 'asm 1F04 j 0x2000' \
        'asm 2026 ecctr 3,9' 'asm 202A ecctr 2,8' 'asm 202E sgr 2,3' 'asm 2032 stg 2,0x7008(0,0)' 'psw ia=1F00' \
        's 25' 'ctr spec L1D_MISS' 's 1' 'r 7000.10' 'ctr sets'
} >script.zc
run --pipe teach
difference=$(sed -n 's/^L1D_MISS: .* difference \([0-9]*\):.*/\1/p' out)
[ "${difference:-0}" -ge 2 ] || fail "no wrong path: $(grep ^L1D_MISS: out)"
word 3 "$(printf '%08X' "$difference")"

part 'EC-101 EC-115 counters without the model, alerts from the console'
{
    echo "$begin"
    printf '%s\n' 'gpr 10=7000' 'r 7000=0000000000060006' 'asm 1F00 lcctl 0(10)' 'asm 1F04 j 0x2000' 'psw ia=1F00' 's 23' 'ctr sets' \
        'ctr inject LCDA' 'r 1B0=0000000180000000 0000000000002020' 'cr 0=20' 'psw mask=0100000180000000' 's 1' 'r 80.10'
} >script.zc
run
[ "$(grep '^  counter' out)" = '  counter 0: 49 (decimal)
  counter 1: 22 (decimal)' ] || fail "$(grep '^  counter' out)" # halfwords; the jump and the loop
grep -q '^0000000000000080  00000040 00001407 ' out || fail "$(grep '^0000000000000080' out)"

part 'EC-69 figures that follow from the pairs'
{
    echo "$begin"
    printf '%s\n' 'ctr pairs add CSTALL_L1D' 's 21' 'ctr derive'
} >script.zc
run --pipe teach
figure() # WORDS VALUE: by the numbers of the example
{
    grep -q "^$1.* $2\$" out || fail "$(grep "^$1" out)"
}
figure 'instructions that did not complete' 0.2500
figure 'mispredictions for each completed branch' 0.5000
figure 'L1D misses of cancelled work' 0.3333
figure 'bytes fetched by cancelled work' 0.3333
figure 'cycles for each instruction' 11.3333
figure 'cycles lost to data misses' 0.4538

part 'EC-9 EC-74 EC-202 each CPU has its model; it begins cold; a reset clears it'
{
    echo "$begin"
    printf '%s\n' 's 21' 'ctr status' 'ctr off' 'ctr on' 'psw mask=0000000180000000 ia=2000' 'gpr 4=3000' 's 21' 'ctr status' 'cpu 1' \
        'ctr status' 'cpu 0' 'ctr set PMC1 5' 'ctr set MMCR0 80000000' 'ctr set MMCRP 1020304' 'ctr mark 1 1' \
        'reset cpu' 'ctr pmc' 'reset initial' 'ctr pmc' 'ctr show INST'
} >script.zc
run --pipe teach --cpus 2
[ "$(grep -c '238 cycles, 21 instructions completed' out)" = 2 ] || fail "$(grep cycles out)"
grep -q '^CPU 1: the pipeline model is on, profile teach; 0 cycles, 0 instructions completed, 0 of' out || fail "$(grep 'CPU 1' out)"
[ "$(grep -c '^PMC1 00000005' out) $(grep -c '^MMCR0 80000000' out)" = '1 1' ] || fail "CPU reset: $(grep '^PMC1\|^MMCR0' out)"
tail -8 out | grep -q '^MMCR0 00000000  MMCR1 00000000  MMCRP 00000000  ICR 00000000' || fail "initial CPU reset: $(tail -8 out)"
tail -8 out | grep -q '^MARKMASK 0000000000000000  MARKVALUE 0000000000000000' || fail "initial CPU reset: $(tail -8 out)"
tail -8 out | grep -q '^INST  *0  *0  *0 ' || fail "initial CPU reset: $(tail -8 out)"

part 'EC-71 guests end in the same machine, storage keys and clocks included'
# Snapshots of the ends are compared, without the model.
tried='dat interrupt smp edges' profiles='teach zlarge'
short && tried='dat smp' profiles=zlarge
for guest in $tried; do
    image=${GUESTS:-tests/guest}/$guest.elf
    [ -s "$image" ] || continue
    for cpus in 1 2; do
        [ $cpus = 1 ] || [ $guest = smp ] || continue
        printf '%s\n' "load $image" g 'cpu 0' 'ctr inject CACA' 'cpu 1' 'ctr inject CACA' "snapshot save off.zs" >off.zc
        printf '%s\n' "load $image" g 'ctr off' 'cpu 1' "snapshot save on.zs" >on.zc
        [ $cpus = 2 ] || sed -i '/^cpu/d' on.zc off.zc
        "$zri" --script off.zc --storage 16M --cpus $cpus --engine reference >off.out 2>&1 || fail "$guest: $(tail -1 off.out)"
        for profile in $profiles; do
            "$zri" --script on.zc --storage 16M --cpus $cpus --pipe $profile >on.out 2>&1 || fail "$guest: $(tail -1 on.out)"
            gzip -dc <off.zs >off.raw
            gzip -dc <on.zs | cmp - off.raw >&2 || fail "$guest, $profile: the machines differ"
        done
    done
done

finish "DIAGNOSE and alerts of the pipeline model"
