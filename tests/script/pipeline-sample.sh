#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sampled use of the pipeline model: the guest runs on any engine, the model is on for intervals; counts by function and by
# range; the report of both.
. "${srcdir:-.}/tests/lib.sh"
src=$(cd "${srcdir:-.}" && pwd)
cd "$work" || exit 99

program_of "$src/tests/script/bytecode-program" >program.bin

sampled() # NAME OPTIONS...: the program with its report NAME.csv, its end in NAME.out
{
    name=$1
    shift
    "$zri" --batch --storage 16M --pipe-report "$name.csv" "$@" program.bin@10000 >"$name.out" 2>&1 ||
        fail "$*: $(cat "$name.out")"
}
value() # FILE PART EVENT: ALL COMPLETED, of all its lines with that event
{
    awk -F, -v part="$2" -v event="$3" '$1 == part && $5 == event { a += $6; c += $7 } END { print a + 0, c + 0 }' "$1"
}
near() # WORDS A B PERCENT
{
    awk -v a="$2" -v b="$3" -v p="$4" 'BEGIN { d = a > b ? a - b : b - a; exit !(b > 0 && d * 100 <= p * b) }' ||
        fail "$1: $2, and $3 is true"
}
plan=at=10001,every=50000,warm=10000,lead=1000,length=5000

part 'EC-71 EC-70 with samples the guest ends the same, and every engine gives the same samples'
"$zri" --batch --storage 16M --savecore off.core:0-FFFFFF program.bin@10000 >off.out 2>&1 || fail "$(cat off.out)"
for engine in reference block translate; do
    sampled $engine --engine $engine --savecore on.core:0-FFFFFF --pipe zlarge --pipe-sample $plan
    grep -v 'host code\|without a translator' $engine.out | cmp -s - off.out || fail "$engine: other end, $(cat $engine.out)"
    cmp -s off.core on.core || fail "$engine: other storage"
    cmp -s reference.csv $engine.csv || fail "$engine: other samples, $(diff reference.csv $engine.csv | head -3)"
done

part 'EC-200 EC-67 samples come near to what a whole run counts, and measure what was asked for'
sampled full --pipe zlarge
passed=$(value block.csv sample passed | cut -d' ' -f1)
intervals=$(((passed - 10000 + 44999) / 50000))
[ "$(value block.csv sample intervals | cut -d' ' -f1)" = $intervals ] ||
    fail "intervals: $(grep intervals block.csv) of $passed"
measured=$(value block.csv sample INST | cut -d' ' -f2)
[ "$measured" = $((5000 * intervals)) ] || fail "$measured instructions were measured"
full=$(value full.csv total cycles | cut -d' ' -f1)
near 'cycles by samples' "$(($(value block.csv sample cycles | cut -d' ' -f1) * passed / measured))" "$full" 2
near 'mispredictions by samples' "$(($(value block.csv sample BR_MISP | cut -d' ' -f2) * passed / measured))" \
    "$(value full.csv total BR_MISP | cut -d' ' -f2)" 2
[ "$(value full.csv total INST | cut -d' ' -f2)" = "$passed" ] || fail "a whole run: $(grep INST full.csv)"
[ "$(value block.csv total INST | cut -d' ' -f2)" -lt $((passed / 4)) ] || fail 'the model was on nearly all the time'

part 'EC-202 what is warm is what was warmed'
sampled cold --pipe zlarge --pipe-sample at=300001,length=2000
sampled warm --pipe zlarge --pipe-sample at=300001,length=2000,warm=100000
[ "$(value cold.csv sample L1I_MISS)" != '0 0' ] || fail 'caches are warm from nothing'
[ "$(value warm.csv sample L1I_MISS)" = '0 0' ] || fail "warmed: $(grep L1I_MISS warm.csv)"
[ "$(value warm.csv total INST | cut -d' ' -f2)" = 2000 ] || fail "warming counts: $(grep total warm.csv)"
sampled whole --pipe zlarge --pipe-sample at=300001,length=2000,lead=300000
warm=$(value warm.csv sample cycles | cut -d' ' -f1) whole=$(value whole.csv sample cycles | cut -d' ' -f1)
near 'cycles of a warmed interval' "$warm" "$whole" 3
cold=$(value cold.csv sample cycles | cut -d' ' -f1)
[ "$cold" -gt $((whole * 103 / 100)) ] || fail "a cold interval takes $cold cycles, a warm one $whole"

# Three times: DIAGNOSE X'1F8' on, LHI, 1,000 times AGHI and BRCT, XC, DIAGNOSE off, a longer loop.
printf '\015\300\101\200\300\106\247\230\000\007\247\170\000\003\247\030\000\001\120\020\200\010\203\211\001\370\247\050\003\350\247\073\000\001\247\046\377\376\327\003\200\010\200\010\203\211\001\370\247\050\047\020\247\113\000\001\027\103\247\046\377\375\247\166\377\350\262\262\300\126\007\007\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\002\000\001\200\000\000\000\000\000\000\000\000\000\017\377' >mark.bin
mark() # NAME OPTIONS...
{
    name=$1
    shift
    "$zri" --batch --storage 1M --seconds 60 --diagnose +1f8 --pipe-report "$name.csv" "$@" mark.bin@2000 >"$name.out" 2>&1 || fail "$*: $(cat "$name.out")"
}

part 'EC-150 a mark of the guest begins and ends an interval: DIAGNOSE, subcode 7'
mark mark --pipe teach --pipe-control --pipe-sample at=mark
[ "$(value mark.csv sample intervals | cut -d' ' -f1)" = 3 ] || fail "$(grep intervals mark.csv)"
[ "$(value mark.csv sample INST | cut -d' ' -f2)" = 6009 ] || fail "$(grep sample mark.csv)"
[ "$(value mark.csv sample BRANCH | cut -d' ' -f2)" = 3000 ] || fail "$(grep sample mark.csv)"
"$zri" --batch --storage 1M --seconds 60 --diagnose +1f8 --pipe teach --pipe-report not.csv mark.bin@2000 >not.out 2>&1 || fail "$(cat not.out)"
[ "$(value not.csv total INST | cut -d' ' -f2)" = 96029 ] || fail "without permission: $(grep INST not.csv)"
printf '%s\n' 'load mark.bin@2000' 'psw 0000000180000000 2000' 'b 2022' g 'ctr status' 'b- 2022' 'b 2034' g 'ctr status' 'b- 2034' g >mark.zc
"$zri" --storage 1M --pipe-control --script mark.zc >out 2>&1 || fail "$(cat out)"
grep -q '^CPU 0: the pipeline model is on, profile teach; [0-9]* cycles, 2 instructions completed' out || fail "on: $(grep model out)"
grep -q '^CPU 0: the pipeline model is off' out || fail "off: $(grep model out)"

part 'EC-200 an interval at each arrival at an address'
mark at --pipe teach --pipe-sample at=0x2034,length=30,lead=3,count=2
[ "$(value at.csv sample intervals | cut -d' ' -f1)" = 2 ] || fail "$(grep intervals at.csv)"
[ "$(value at.csv sample INST)" = '60 60' ] || [ "$(value at.csv sample INST | cut -d' ' -f2)" = 60 ] || fail "$(grep sample at.csv)"
[ "$(value at.csv total INST | cut -d' ' -f2)" = 66 ] || fail "$(grep total at.csv)"
printf '%s\n' 'load mark.bin@2000' 'psw 0000000180000000 2000' 'ctr on' 'ctr sample at=0x2030 length=5' 'b 2030' g 'ctr sample' \
    'b- 2030' 'until 2034' 's 3' 'ctr sample' 's 1' 'ctr sample' 'ctr sample off' g 'ctr status' >at.zc
"$zri" --storage 1M --diagnose +1f8 --seconds 60 --script at.zc >out 2>&1 || fail "$(cat out)"
grep -q '^0 intervals measured, and one is being measured, 0 instructions of 2010 (decimal)' out || fail "at the address: $(grep intervals out)"
grep -q '^0 intervals measured, and one is being measured, 4 instructions of 2014 (decimal)' out || fail "in it: $(grep intervals out)"
grep -q '^1 intervals measured, 5 instructions of 2015 (decimal)' out || fail "behind it: $(grep intervals out)"
grep -q ', 94019 instructions completed' out || fail "the model runs again: $(grep completed out)"

part 'EC-155 counts by place: all of them together are the totals, on every profile'
printf 'base = teach\ngroup_size = 3\nct_entries = 7\nwp_exception = 1\n' >group.uarch
for profile in teach zlarge ./group.uarch; do
    sampled place --pipe $profile --pipe-by '10000-1003B,dispatch 1003C-10065 10062-1008B,one 1008C-100FF'
    for event in cycles INST LOAD BR_MISP L1D_ACC FINISH L1I_MISS; do
        [ "$(value place.csv place $event)" = "$(value place.csv total $event)" ] ||
            fail "$profile, $event: $(value place.csv place $event), and $(value place.csv total $event) in all"
    done
    [ "$(value place.csv place INST | cut -d' ' -f2)" = 3176607 ] || fail "$(grep INST place.csv)"
done
mark place --pipe teach --pipe-by '201e-2025,measured 2034-203d,between'
for line in 'place,"measured",000000000000201E,0000000000002025,INST,6[0-9]*,6000,' \
    'place,"between",0000000000002034,000000000000203D,INST,9[0-9]*,90000,' 'place,"(elsewhere)",,,INST,[0-9]*,29,'; do
    grep -q "^$line" place.csv || fail "not there: $line; $(grep ',INST' place.csv)"
done

part 'EC-155 counts by function, of the problem or the supervisor state'
printf '%s\n' '0000000000002000 T begin' '000000000000201e T measured' '0000000000002034 T between' '0000000000002042 T end' >mark.map
printf '%s\n' 'load mark.bin@2000' 'symbols mark.map' 'psw 0000000180000000 2000' 'ctr on' 'ctr by functions supervisor' g 'ctr by' \
    'ctr by LOAD BRANCH' 'ctr by functions problem' 'psw 0000000180000000 2034' 'gpr 2=5' 's 15' 'ctr by' 'ctr report by.txt' \
    'ctr report by.json' 'ctr by off' 'psw 0000000180000000 2042' g >by.zc
"$zri" --storage 1M --diagnose +1f8 --seconds 60 --script by.zc >out 2>&1 || fail "$(cat out)"
grep -q '^measured  *[0-9]*  *[0-9]* %  *6009 ' out || fail "$(cat out)"
grep -q '^between  *[0-9]*  *[0-9]* %  *90003 ' out || fail "$(cat out)"
grep -q '^begin  *BRANCH ' out && fail 'a place has what it has not'
grep -q '^between  *BRANCH  *[0-9]*  *30003 ' out || fail "$(grep BRANCH out)"
[ "$(grep -c '^(elsewhere) .* 15  ' out)" = 1 ] || fail "in the problem state there was nothing: $(grep elsewhere out)"
grep -q '^(elsewhere) .* 15 ' by.txt || fail "$(cat by.txt)"
if command -v python3 >/dev/null; then
    python3 -c '
import json
r = json.load(open("by.json"))
assert r["cpus"][0]["status"]["instructions"] == 96044, r["cpus"]
assert r["places"][0]["instructions"] == 15, r["places"]
assert [p for p in r["cpus"][0]["pairs"] if p["event"] == "INST"][0]["completed"] == 96044' 2>json.out || fail "$(cat json.out)"
fi

part 'EC-65 EC-68 more events than counters: several runs from one state, one table'
printf 'gpr 5=7\nr 3100=0102\nctr on zlarge\nctr pairs add REG_RD\ng\n' >again.zc
printf 'gpr 5=7\nr 3100=0102\ng\n' >run.zc
events='INST BR_MISP LOAD REG_RD L1I_ACC FLUSHED_INST CYCLES'
printf '%s\n' 'load mark.bin@2000' 'psw 0000000180000000 2000' 'ctr on zlarge' "ctr multirun run.zc $events" 'r 3100.2' 'gpr' 'psw' \
    'ctr multirun run.zc' 'script again.zc' 'ctr pairs add FLUSHED_INST' 'ctr show INST BR_MISP LOAD REG_RD L1I_ACC' >multi.zc
"$zri" --storage 1M --diagnose +1f8 --seconds 60 --script multi.zc >out 2>&1 || fail "$(cat out)"
grep -q '^4 runs of [0-9]* cycles and 96029 instructions (decimal)$' out || fail "$(grep runs out)"
grep -q '^22 runs of ' out || fail "$(grep runs out)"
for event in INST BR_MISP LOAD REG_RD L1I_ACC; do
    [ "$(sed -n "s/^$event  *\([0-9]*\)  *\([0-9]*\)  *\([0-9]*\).*/\1 \2 \3/p" out | sort -u | wc -l)" = 1 ] ||
        fail "$event: $(grep "^$event " out)"
    [ "$(grep -c "^$event " out)" = 3 ] || fail "$event: $(grep "^$event " out)"
done
grep -q '^0000000000003100  0000 ' out || fail 'storage is not what it was'
grep -q 'R5=0000000000000000' out || fail 'registers are not what they were'
grep -q '^PSW=0000000180000000 0000000000002000  CPU 0 stopped' out || fail "$(grep PSW= out)"

part 'EC-66 runs are repeated: least, most, mean and deviation'
printf '%s\n' 'load mark.bin@2000' 'psw 0000000180000000 2000' 'ctr multirun run.zc repeat=3 INST LOAD BRANCH' >multi.zc
printf 'ctr multirun new.zc anew repeat=2 INST\n' >anew.zc
printf 'load mark.bin@2000\npsw 0000000180000000 2000\ng\n' >new.zc
"$zri" --storage 1M --diagnose +1f8 --seconds 60 --script multi.zc --script anew.zc >out 2>&1
grep -q '^6 runs of ' out || fail "$(cat out)"
grep -q '^INST  *completed  *96029  *96029  *96029.00  *0.00$' out || fail "$(grep INST out)"
grep -q '^2 runs of [0-9]* cycles and 96029 ' out || fail "the script loads: $(grep runs out)"
printf 'load mark.bin@2000\nctr multirun nowhere.zc INST\n' >multi.zc
"$zri" --storage 1M --script multi.zc >out 2>&1 && fail 'a script that is not there is accepted'
grep -q '^ctr multirun: the script fails in run 1' out || fail "$(cat out)"

# STCKF, 1,000 times LG (a line further each time), LA, BRCTG, STCKF.
printf '\015\300\271\004\000\125\262\174\301\000\247\051\003\350\343\060\100\000\001\004\101\100\101\000\247\047\377\373\262\174\301\010\262\262\300\046\007\007\007\000\000\002\000\001\200\000\000\000\000\000\000\000\000\000\017\377' >clock.bin
part 'EC-228 the clocks go by the cycles of the model when its profile says so'
printf 'base = teach\ntime_from_cycles = 1\n' >timed.uarch
elapsed() # PROFILE: units of the TOD clock between the two
{
    printf '%s\n' 'load clock.bin@2000' 'psw 0000000180000000 2000' "ctr on $1" g 'r 2100.14' 'ctr status' >clock.zc
    "$zri" --storage 1M --seconds 60 --script clock.zc >out 2>&1 || fail "$1: $(cat out)"
    awk 'function hex(t,   i, n) { n = 0
             for (i = 1; i <= length(t); i++) n = n * 16 + index("0123456789ABCDEF", substr(t, i, 1)) - 1
             return n }
        /^0000000000002100 / { from = hex(substr($4, 1, 4)); to = hex($5) * 65536 }
        /^0000000000002110 / { to += hex(substr($2, 1, 4)) } END { print to - from }' out
}
model=$(elapsed ./timed.uarch) halfwords=$(elapsed teach)
cycles=$(sed -n 's/.*profile teach; \([0-9]*\) cycles.*/\1/p' out)
near 'the clock between the two, in cycles' "$((model * 1000 / 4096))" "$cycles" 3
near 'without, in halfwords' "$((halfwords * 2048 / 4096))" 7004 1

part 'EC-73 the past may be kept again when nothing is measured any more'
printf '%s\n' 'load mark.bin@2000' 'psw 0000000180000000 2000' 'ctr on' 'ctr sample at=100 length=5' 'ctr by 2000-2FFF' 'ctr by off' \
    'ctr sample off' 'history on' g 'rs 1' 'ctr status' 'g' >past.zc
"$zri" --storage 1M --diagnose +1f8 --seconds 60 --script past.zc >out 2>&1 || fail "$(cat out)"
grep -q ', 96028 instructions completed' out || fail "$(grep completed out)"
printf '%s\n' 'ctr on' 'ctr by 2000-2FFF' 'history on' >past.zc
"$zri" --script past.zc >out 2>&1 && fail 'the past is kept while places are counted'

part 'EC-2 an event that nobody counts is not shown as nothing'
printf '%s\n' 'ctr on' 'ctr show REG_RD' >show.zc
"$zri" --script show.zc >out 2>&1 && fail 'accepted'
grep -q '^ctr: nobody counts REG_RD; ctr pairs add REG_RD begins' out || fail "$(cat out)"

part 'EC-200 plans that are not possible are refused'
refused() # WORDS OPTIONS...
{
    words=$1
    shift
    "$zri" --batch --seconds 9 "$@" mark.bin@2000 >out 2>&1 && fail "$*: accepted"
    grep -q "$words" out || fail "$*: $(cat out)"
}
refused 'the intervals overlap' --pipe-sample at=1,length=10,every=9
refused 'every goes with the number of an instruction' --pipe-sample at=0x2000,length=10,every=20
refused "there is no 'long'; there are at, warm, lead, length, every and count" --pipe-sample at=1,long=10
refused 'there is no such symbol' --pipe-sample at=@nowhere
refused 'the CPUs have threads' --threads --pipe-sample at=1
refused 'the range ends in front of where it begins' --pipe-by 2000-1FFF
refused 'no functions are known' --pipe-by functions
refused "cannot write 'nowhere/x.csv'" --pipe teach --pipe-report nowhere/x.csv
finish 'samples are near to the whole, places add up to it'
