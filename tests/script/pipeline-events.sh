#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each event of the pipeline model's catalogue comes from a program that causes it, and from none that does not.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
cat >deep.uarch <<'END'
base = teach
l3_sets = 16
l3_ways = 2
END
sed '$ a threshold_mult = 2' deep.uarch >slow.uarch
# DAT is on by the real-space designation. An external interruption leads to 10000; the program interruption of the word
# of zeros at 10090, into which STRL has stored while its line is in L1I, to 10100. The indirect branch goes to another
# place each second time.
cat >all.zc <<'END'
asm 10000 lghi %r1,4
asm 10004 l %r2,0x800(0,%r9)
asm 10008 stg %r2,0x900(0,%r9)
asm 1000e ap 0xa00(2,%r9),0xa10(2,%r9)
asm 10014 adbr %f0,%f2
asm 10018 larl %r7,0x10060
asm 1001e tmll %r1,1
asm 10022 je 0x1002c
asm 10026 larl %r7,0x10070
asm 1002c br %r7
asm 10060 brctg %r1,0x1001e
asm 10064 j 0x10080
asm 10070 larl %r7,0x10060
asm 10076 j 0x10060
asm 10080 lghi %r1,6000
asm 10084 brctg %r1,0x10084
asm 10088 strl %r1,0x10090
asm 1008e bcr 15,0
asm 10100 stpt 0x600(%r9)
asm 10104 lpswe 0x500(%r9)
r 20A00=000C0000 00000000
r 20A10=001C0000 00000000
r 1B0=0400000180000000 0000000000010000
r 1D0=0400000180000000 0000000000010100
r 20500=0002000180000000 0000000000000FFF
cr 0=0000000004040020 1=20
gpr 9=20000
psw 0500000180000000 18000
END
printf '%s\n' 'asm 18000 lghi %r1,1' 'asm 18004 lpswe 0x500(%r9)' 'r 20500=0002000180000000 0000000000000FFF' 'gpr 9=20000' 'psw 0000000180000000 18000' >little.zc
echo 'ctr events' >list.zc
"$zri" --script list.zc >events 2>&1 || fail "$(tail -1 events)"
sed 's/^[0-9A-F]* \([A-Z0-9_]*\) .*/ctr pairs add \1/' events >add.zc
[ "$(wc -l <events)" = 43 ] || fail "$(wc -l <events) events"
run() # PROFILE THRESHOLD COMMANDS...: what is counted into `counts', by event, all and completed
{
    profile=$1
    {
        cat "$program.zc" add.zc
        printf 'ctr set MMCR0 %08X\n' $(($2 << 16))
        shift 2
        printf '%s\n' "$@" g 'ctr show'
    } >script.zc
    "$zri" --storage 1M --pipe "./$profile.uarch" --script script.zc >out 2>&1 || fail "$(tail -2 out)"
    awk 'NF == 6 && $6 == "%" { print $1, $2, $3 }' out >counts
}
counted() # EVENT ALL COMPLETED
{
    [ "$(grep "^$1 " counts)" = "$1 $2 $3" ] || fail "$(grep "^$1 " counts || echo "no $1"); not $2 $3"
}

part 'EC-1 EC-2 all 43 events come from a program that causes them'
program=all
run deep 50 'ctr inject LCDA'
while read -r _ event _; do
    grep -q "^$event [1-9]" counts || fail "$event is not counted"
done <events

part 'EC-27 EC-35 EC-41 EC-42 EC-61 an exception, an interruption and time bits have no instruction that completes'
counted EXC 1 0
counted INTR 1 0
grep -q '^TBIT [2-9] 0' counts || fail "$(grep TBIT counts)"

part 'EC-211 EC-218 EC-229 those that decoding tells, and a store into code'
counted DECIMAL 1 1
counted FP 1 1
counted SMC 1 1
counted SERIAL 2 2 # BCR 15,0 and LPSWE
grep -q '^BR_IND [0-9]* 4$' counts || fail "$(grep BR_IND counts)"

part 'EC-217 EC-224 operands: L, both of AP, STG, STRL, STPT, LPSWE'
grep -q '^LOAD [0-9]* 4$' counts || fail "$(grep ^LOAD counts)"
grep -q '^LD_BYTES [0-9]* 24$' counts || fail "$(grep ^LD_BYTES counts)"
grep -q '^STORE [0-9]* 4$' counts || fail "$(grep ^STORE counts)"
grep -q '^ST_BYTES [0-9]* 22$' counts || fail "$(grep ^ST_BYTES counts)"

part 'EC-62 a threshold: operands with more penalty than it, times the multiplier of the profile'
counted L1D_THRESH 5 5 # from storage
run deep 13 'ctr inject LCDA' # the store into code, first on a wrong path: 8 for L2 and 6 for the second-level TLB
counted L1D_THRESH 6 5
run deep 14 'ctr inject LCDA'
counted L1D_THRESH 5 5
run slow 50 'ctr inject LCDA' # 100: one has a table walk beside its miss
counted L1D_THRESH 1 1
run slow 60 'ctr inject LCDA' # 120
grep '^L1D_THRESH' counts && fail 'not more than the threshold'

part 'EC-2 EC-52 what a program does not do is not counted'
program=little
run deep 0
for event in $(sed 's/^ctr pairs add //' add.zc); do
    case $event in
    CYCLES | INST | FETCH | FINISH | LOAD | LD_BYTES | L1I_* | L1D_* | L2_* | L3_MISS | REG_* | SERIAL | CSTALL_L1D) ;;
    TBIT) ;;
    *) grep "^$event " counts && fail "$event is counted" ;;
    esac
done
counted INST 2 2
counted SERIAL 1 1
counted L1D_THRESH 1 1
part 'EC-206 table walks and the PSWs of interruptions are no operands: with DAT and without the same is loaded and stored'
cat >walk.zc <<'END'
asm 10000 l %r2,0(%r9)
asm 10004 l %r3,0(%r10)
asm 10008 st %r2,8(%r9)
asm 1000c svc 1
asm 10010 lpswe 0x500(%r9)
r 20500=0002000180000000 0000000000000FFF
r 4000=0000000000005000
r 5000=0000000000000000
r 5080=0000000000010000
r 5100=0000000000020000 0000000000021000
gpr 9=20000 10=21000
cr 1=4000
END
for dat in 0 4; do
    { cat walk.zc; echo "r 1C0=0${dat}00000180000000 0000000000010010"; echo "psw 0${dat}00000180000000 10000"; } >walk$dat.zc
    program=walk$dat
    run deep 0
    counted LOAD 3 3 # the word of LPSWE is one
    counted STORE 1 1
    counted L1D_ACC 4 4
    counted L1D_MISS 3 3
    if [ $dat = 0 ]; then ! grep TLB counts || fail 'walks without DAT'; else counted TLB2_MISS 3 3; fi
done

finish "events of the pipeline model"
