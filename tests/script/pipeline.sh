#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pipeline model in a machine: it changes nothing that a guest sees, and what the console shows of it.
. "${srcdir:-.}/tests/lib.sh"
src=$(cd "${srcdir:-.}" && pwd)
cd "$work" || exit 99

cat >small.uarch <<'END'
base = teach
ct_entries = 7
group_size = 3
predictor = tage
ras_entries = 4
wp_exception = 1
fetch_buffer = 5
END

# Cases whose subject is what the counters say, or that there is no extended set without the model, or what run-time
# instrumentation takes from it.
allowed='EC-104 QUERY COUNTER INFORMATION
EC-105 EC-106 Disabled sets are zero
EC-105 EC-120 What LCCTL accepts
EC-119 
MR-5 The instruction-data buffer is kept
EC-132 EC-134 EC-135 EC-103 An interval outside the limits'
printf '%s\n' "$allowed" >allowed

part 'EC-71 EC-35 EC-235 the instruction tests end alike with every profile'
# In the short form the profile that differs most from what is usual, and no cases that a program wrote.
profiles='teach zlarge ./small.uarch' least=15000
set -- "$src"/tests/script/*.zt "$src"/tests/script/generated/*.zt
if short; then
    profiles=./small.uarch least=2000
    set -- "$src"/tests/script/*.zt
fi
for profile in $profiles; do
    "$zri" --pipe "$profile" --test "$@" >out 2>&1
    [ $? -le 1 ] || fail "$profile: exit status, $(tail -1 out)"
    grep -v '^[0-9]* passed, ' out | grep -v -F -f allowed >rest && fail "$profile: $(head -3 rest)"
    [ "$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' out)" -gt $least ] || fail "$profile: $(tail -1 out)"
done

program_of "$src/tests/script/bytecode-program" >program.bin

part 'EC-71 EC-70 a whole run: end and all storage with and without'
run() # NAME OPTIONS...
{
    name=$1
    shift
    "$zri" --batch --savecore "$name.core:0-FFFFFF" --storage 16M "$@" program.bin@10000 >"$name.out" 2>&1
    echo "exit status $?" >>"$name.out"
}
run off
grep -q '^exit status 0' off.out || fail "the program does not end: $(cat off.out)"
for profile in teach zlarge ./small.uarch; do
    run on --pipe $profile
    cmp -s off.out on.out || fail "$profile: other end, $(cat on.out)"
    cmp -s off.core on.core || fail "$profile: other storage"
done

part 'EC-200 what does not go together is refused'
refused() # WORDS OPTIONS...
{
    words=$1
    shift
    if "$zri" --batch "$@" >out 2>&1; then fail "$*: accepted"; fi
    grep -q "$words" out || fail "$*: $(cat out)"
}
refused 'there is no profile .big. of the pipeline model; teach and zlarge are built in' --pipe big --demo
refused 'cannot open the profile' --pipe ./none.uarch --demo
refused 'the block engine has no pipeline model' --pipe teach --lockstep --demo
echo 'ct_entries = 3' >bad.uarch
refused './bad.uarch, line 1: not possible: 3; ct_entries is 4 to 256' --pipe ./bad.uarch --demo
echo 'machine = 1234' >bad.uarch
refused 'it is for machine type 1234' --pipe ./bad.uarch --demo
# The counted loop of the specification, section 6.2.
printf '\247\031\000\004\247\051\000\000\343\060\100\000\000\004\271\010\000\043\101\100\100\010\247\027\377\371\343\120\140\000\000\004\343\140\160\000\000\004\007\360' >loop.bin
cat >loop.zc <<'END'
load loop.bin@2000
psw mask=0000000180000000 ia=2000
gpr 4=3000 6=5000 7=6000
ctr on
ctr pairs add REG_RD
ctr pairs add CSTALL_L1D
ctr select pv2 INST decode
ctr select PMC3 pv2
ctr select PMC2 inst
s 21
ctr status
ctr show inst REG_RD L1D_MISS CSTALL_L1D
ctr spec L1D_PEN
ctr flushes 2
ctr table
END

part 'EC-14 EC-50 EC-155 example 2 in a machine, on the console'
"$zri" --script loop.zc --storage 1M >out 2>&1 || fail "exit status: $(tail -2 out)"
said() # LINE
{
    grep -q -F -x "$1" out || fail "the console does not say: $1"
}
said 'CPU 0: the pipeline model is on, profile teach; 238 cycles, 21 instructions completed, 1 of 16 entries in the table (decimal)'
said 'INST                     28             21              7   25 %'
said 'REG_RD                   30             22              8   26 %'
said 'L1D_MISS                  6              4              2   33 %'
said 'CSTALL_L1D              108            108              0    0 %'
said 'L1D_PEN: completed 124, all 324, difference 200: of instructions that did not complete (decimal)'
said '0000000000002016: predicted 0000000000002008, actually 000000000000201A; cycles 213 to 215, 12 fetched, 5 flushed (decimal)'
said '    BRANCH 0 LOAD 2 STORE 0 L1I_MISS 0 L1D_MISS 2 L2_MISS 2'
said '    BRANCH 1 LOAD 1 STORE 0 L1I_MISS 0 L1D_MISS 0 L2_MISS 0'
said '  4 0000000000002026 serial  1 of them  D 235 X 236 N 237 C 238  br %r0; INST 1 FINISH 1'

part 'EC-14 EC-155 the table as it is, with instructions and provisional counts'
sed -e '/^ctr [ps]/d' -e 's/^s 21/s 20/' loop.zc >table.zc
"$zri" --script table.zc --storage 1M >out 2>&1 || fail "exit status: $(tail -2 out)"
said '  3 0000000000002020 load    1 of them  D 221 X 222 N 233 C 234  lg %r6,0(%r7); INST 1 FINISH 1 LOAD 1 LD_BYTES 8 L1D_ACC 1 L1D_MISS 1 L1D_PEN 8'

part 'EC-155 words may be cut short while they are one word alone; another profile'
printf '%s\n' 'ctr prof zlarge' 'ctr stat' 'ctr profile teach' 'ctr status' >short.zc
"$zri" --script short.zc >out 2>&1 || fail "exit status: $(cat out)"
grep -q '^CPU 0: the pipeline model is on, profile zlarge; 0 cycles' out || fail "$(cat out)"
grep -q '^CPU 0: the pipeline model is on, profile teach; 0 cycles' out || fail "$(cat out)"
echo 'ctr s' >short.zc
"$zri" --script short.zc >out 2>&1 && fail 'a word that may be several is accepted'
grep -q 'usage: ctr .*|inject .*; example: ' out || fail "the usage is cut off: $(cat out)"

part 'EC-62 operands that wait longer than the threshold'
for pair in 0:6:4 7:6:4 8:3:1 3F:3:1; do # in the loop, three wait 8 cycles and three wait 100, of which a wrong path has two
    printf '%s\n' 'load loop.bin@2000' 'psw mask=0000000180000000 ia=2000' 'gpr 4=3000 6=5000 7=6000' 'ctr on' \
        'ctr pairs add L1D_THRESH' "ctr set MMCR0 ${pair%%:*}0000" 's 21' 'ctr show L1D_THRESH' >threshold.zc
    "$zri" --script threshold.zc --storage 1M >out 2>&1 || fail "exit status: $(tail -2 out)"
    grep -q "^L1D_THRESH  *$(echo "${pair#*:}" | sed 's/:/  */') " out || fail "threshold ${pair%%:*}: $(tail -1 out)"
done

# Transactions that end, nested ones too, and are aborted; the registers then have the counters 140, 141, 244 and
# 245 (z16). Only the reference engine has the model; on the others LCCTL finds no extended set.
cat >tx.zt <<'END'
setup
    c0 = 0080000000000000
    r6 = 20000
    mem 20000 = 00000000 0001 0001
    r8 = 8c
    r9 = 8d
    r10 = f4
    r11 = f5
test transactions are counted
    do lcctl 0(6)
    do tbeginc 0,0xff00
    do tend
    do tbegin 0,0xff00
    do tbegin 0,0xff00
    do tend
    do tend
    do tbegin 0,0xff00
    do tend
    do tbegin 0,0xff00
    do brc 7,@A
    do tabort 256
    A:
    do ecctr 2,8
    do ecctr 3,9
    do ecctr 4,10
    do ecctr 5,11
    expect r2 = 1
    expect r3 = 2
    expect r4 = 1
    expect r5 = 0
END
part 'EC-122 transactions are counted'
"$zri" --pipe teach --test tx.zt >out 2>&1
grep -v -e 'counted .block engine\(; translator\)\{0,1\}.: ' -e '^0 passed, 1 failed' out && fail "$(head -5 out)"
grep -q 'tx.zt:9: .*found program 6 ilc 4 (specification)' out || fail "the test did not run: $(head -5 out)"

part 'EC-46 EC-155 an origin for displays, what begins anew'
{
    sed -n '1,/^ctr on/p' loop.zc
    printf '%s\n' 's 9' 'ctr origin' 'ctr show INST' 's 12' 'ctr show INST L1D_MISS' 'ctr status' 'ctr origin off' 'ctr show INST' \
        'ctr set PMC1 5' 'ctr reset pmcs' 'ctr pmc' 'ctr show INST' 'ctr reset' 'ctr show INST' 'ctr flushes 1' \
        'ctr reset registers caches predictor' 'ctr status'
} >origin.zc
"$zri" --script origin.zc --storage 1M >out 2>&1 || fail "exit status: $(tail -2 out)"
# 9 instructions with the wrong path of the first misprediction; then 12, to 28 and 21 altogether.
[ "$(awk '$1 == "INST" { printf "%s %s %s,", $2, $3, $4 }' out)" = '0 0 0,17 12 5,28 21 7,28 21 7,0 0 0,' ] || fail "$(grep '^INST' out)"
grep -q '^MMCR1.*\|^PMC1 00000000' out || fail "$(grep PMC out)"
grep -q '12 instructions completed' out || fail "$(grep status out)"

part 'EC-67 EC-70 snapshots in even intervals'
printf '%s\n' 'load program.bin@10000' 'psw mask=0000000180000000 ia=10000' 'ctr on' 'ctr interval 5000' go 'ctr interval' 'ctr show' >interval.zc
"$zri" --script interval.zc >out 2>&1
sed '/^ctr interval/d' interval.zc >plain.zc
sed -i 's/^ctr interval 5000$//' plain.zc
"$zri" --script plain.zc >plain.out 2>&1
grep '^  *[0-9]* *[0-9]* [0-9A-F]\{16\} ' out >rows
[ "$(wc -l <rows)" -ge 100 ] || fail "only $(wc -l <rows) intervals: $(tail -3 out)"
awk 'NR == 1 { first = $1 }
    { at = int($1 / 5000); if (NR > 1 && (at <= last || at > last + 1 || $1 % 5000 > 200)) bad = bad " " $1 " behind " last
      if ($2 - before != $4 && NR > 1) bad = bad " row " NR ": " $2 " after " before; before = $2; last = at }
    END { print bad }' rows >bad
grep . bad && fail 'cycles or instructions of intervals'
grep '^[A-Z0-9_]* .*%$' out >counts
grep '^[A-Z0-9_]* .*%$' plain.out | cmp - counts >&2 || fail 'other counts with snapshots'

part 'EC-117 EC-121 EC-155 the counters by name'
printf '%s\n' 'ctr list' 'ctr on' 'ctr list' >list.zc
"$zri" --script list.zc --storage 1M --profile z14 --facility -38 >out 2>&1 || fail "exit status: $(tail -2 out)"
for row in '0 basic CPU_CYCLES' '33 problem-state PROBLEM_STATE_INSTRUCTIONS' '76 crypto-activity AES_FUNCTIONS' \
    '133 extended L1D_L2D_SOURCED_WRITES' '177 extended completed INST' '180 extended all BR_MISP' '223 extended PMC4' \
    '243 extended TX_NC_TABORT'; do
    case $row in *extended*) n=1 ;; *) n=2 ;; esac
    [ "$(tr -s ' ' <out | sed 's/^ //' | grep -cxF "$row")" = $n ] || fail "ctr list: $row: $(grep " ${row##* }" out)"
done

part 'EC-156 --pipe-out writes what passes through the pipeline'
printf 'load loop.bin@2000\npsw mask=0000000180000000 ia=2000\ngpr 4=3000 6=5000 7=6000\ns 21\n' >log.zc
"$zri" --script log.zc --storage 1M --pipe-out loop.kanata >out 2>&1 || fail "exit status: $(tail -2 out)"
[ "$(head -2 loop.kanata)" = "$(printf 'Kanata\t0004\nC=\t101')" ] || fail "it begins with $(head -2 loop.kanata)"
[ "$(grep -c '^I' loop.kanata)" = 36 ] || fail 'not 36 instructions are fetched'
[ "$(grep -c '^R.*0$' loop.kanata)" = 21 ] || fail 'not 21 instructions retire'
grep -q "^L	8	0	0000000000002026 br" loop.kanata || fail "no line for the instruction that was only fetched"
refused 'cannot write' --pipe-out ./none/x --demo
printed() # FILE COUNT PATTERN
{
    [ "$(grep -c "$3" "$1")" = "$2" ] || fail "$1: not $2 lines of $3: $(head -3 "$1")"
}
for format in o3 chrome lines; do
    "$zri" --script log.zc --storage 1M --pipe-out loop.$format --pipe-format $format >out 2>&1 || fail "$format: $(tail -2 out)"
done
printed loop.o3 36 '^O3PipeView:fetch:[0-9]*000:0x[0-9a-f]*:0:[0-9]*: '
printed loop.o3 21 '^O3PipeView:retire:[1-9]'
[ "$(grep -c '"tid":12[0-9]*,"ts".*"end":"completed"' loop.chrome)" = 21 ] || fail 'not 21 instructions finish and complete'
printed loop.lines 36 ' F [0-9]'
printed loop.lines 15 '^w'
"$zri" --script log.zc --storage 1M --pipe-out part.lines --pipe-format lines --pipe-from 6 --pipe-to 20 >out 2>&1
printed part.lines 15 '^ '
printed part.lines 15 '^w'
"$zri" --script log.zc --storage 1M --pipe-out part.kanata --pipe-from 6 --pipe-to 6 >out 2>&1
[ "$(grep -c '^I' part.kanata)" = 4 ] || fail 'not one branch and its wrong path'
[ "$(sed -n 3p part.kanata)" = "$(printf 'I\t0\t0\t0')" ] || fail "the part begins with $(sed -n 3p part.kanata)"
refused 'pipe-format gem: give kanata, o3, chrome or lines' --pipe-out x --pipe-format gem --demo
refused 'they say how --pipe-out writes' --pipe-from 3 --demo
refused '.-pipe-from is behind --pipe-to' --pipe-out x --pipe-from 3 --pipe-to 2 --demo
refused 'pipe-to 0: give the number of an executed instruction' --pipe-out x --pipe-to 0 --demo

part 'EC-155 a look into the pipeline, caches and predictor'
cat >look.zc <<'END'
load loop.bin@2000
psw mask=0000000180000000 ia=2000
gpr 4=3000 6=5000 7=6000
ctr on
ctr pipe on
s 21
ctr pipe 40
ctr pipe off
ctr caches
ctr caches l1i
ctr bp
ctr off
ctr on
ctr trace on trace.lines
psw ia=2000
s 6
ctr trace off
END
"$zri" --script look.zc --storage 1M >out 2>&1 || fail "exit status: $(tail -2 out)"
said '6w 000000000000201A lg %r5,0(%r6)'
said 'cycle 110: dispatched 3; executed 2; finished 4 5; thrown away 6w 7w 8w'
said 'cycles 222 to 232: fetched 35; executed 33 34'
said 'L1D       8 sets of    2,       2 taken;            3 hits,            6 misses (decimal)'
said 'set     0 way  0 0000000000002000'
said 'targets 1 of 128, return addresses 0, history 00000 of 0 bits'
[ "$(grep -c '^ ' trace.lines)" = 6 ] || fail "ctr trace: $(cat trace.lines)"
"$zri" --batch --cpus 2 --storage 16M --limit 20000 --pipe-out two program.bin@10000 >out 2>&1
[ -s two.cpu0 ] && [ -e two.cpu1 ] || fail 'no file for each CPU'

part 'EC-155 EC-156 a misprediction is marked when nothing of its wrong path comes into the pipeline, too'
printf 'base = teach\nwp_max_insns = 0\n' >blind.uarch
{
    sed '/^ctr on/,$d' loop.zc
    printf '%s\n' 's 4' 'ctr on ./blind.uarch' 'ctr pipe on' 's 17' 'ctr pipe 40' 'ctr flushes'
} >mark.zc
"$zri" --script mark.zc --storage 1M >out 2>&1 || fail "exit status: $(tail -2 out)"
[ "$(grep -c ', 0 fetched, 0 flushed' out)" = 2 ] || fail "not two mispredictions: $(cat out)"
[ "$(grep -c ' brctg .*  mispredicted$' out)" = 2 ] || fail "ctr pipe: $(cat out)"
"$zri" --script log.zc --storage 1M --pipe ./blind.uarch --pipe-out blind.lines --pipe-format lines --pipe-from 2 >out 2>&1
printed blind.lines 2 ' brctg .*  mispredicted$'

part 'EC-155 what the console refuses'
refuses() # WORDS COMMAND
{
    printf 'ctr on\n%s\n' "$2" >refuse.zc
    if "$zri" --script refuse.zc --storage 1M >out 2>&1; then fail "$2: accepted"; fi
    grep -q "$1" out || fail "$2: $(cat out)"
}
refuses "there is no event 'NOTHING'; ctr events lists them" 'ctr show NOTHING'
refuses 'usage' 'ctr set PMC9 1'
refuses 'ctr set REGISTER VALUE\|value\|too large\|FFFFFFFF' 'ctr set PMC1 100000000'
refuses 'usage' 'ctr select pv0 pv1'
refuses 'usage' 'ctr pipe 257'
refuses 'usage' 'ctr caches l4'
refuses 'nothing is kept of the pipeline; begin by ctr pipe on' 'ctr pipe'
refuses 'no log is being written' 'ctr trace off'
refuses 'cannot write' 'ctr trace on ./none/x'
printf 'ctr on\nctr trace on t\nctr pipe on\n' >refuse.zc
"$zri" --script refuse.zc --storage 1M >out 2>&1 && fail 'a log, and instructions are kept, too'
grep -q 'a log of the pipeline is being written; end it by ctr trace off' out || fail "both: $(cat out)"
refuses 'usage' 'ctr select PMC1 INST write'
refuses "there is no profile 'big' of the pipeline model" 'ctr on big'
printf 'ctr on\nctr off\nctr show\n' >refuse.zc
"$zri" --script refuse.zc --storage 1M >out 2>&1 && fail 'a model that is off is shown'
grep -q 'the pipeline model is off; turn it on by ctr on' out || fail "off: $(cat out)"
finish "the pipeline model changes nothing"
