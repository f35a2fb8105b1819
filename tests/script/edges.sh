#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Edge profiles of running guests: the specification's program, all engines, placements, guests that are hard to follow and
# that do not notice, what is refused, files without room.
. "${srcdir:-.}/tests/lib.sh"
prof=${ZRI:+$(dirname "$ZRI")/zri-prof}
prof=${prof:-./zri-prof}
case $prof in /*) ;; *) prof=$PWD/$prof ;; esac
guests=${GUESTS:-tests/guest}
case $guests in /*) ;; *) guests=$PWD/$guests ;; esac
example=$(cd "${srcdir:-.}" && pwd)/tests/script/example.zeprof
cd "$work" || exit 99

# What is tried on all engines: those of this build, which has no translator when it says that its translate is block.
engines='block reference translate'
echo 'engine translate' | "$zri" 2>&1 | grep -q 'without a translator\|no MOVBE' && engines='block reference'

# profiled STATUS OPTIONS...: it ends so, or, when that is "any", at its end or its limit; its words are in err.
profiled()
{
    wanted=$1
    shift
    "$zri" --batch "$@" >out 2>err
    got=$?
    [ "$wanted" != any ] || case $got in 0 | 3) wanted=$got ;; esac
    [ "$got" = "$wanted" ] || fail "$*: exit status $got, not $wanted: $(cat err)"
}
header() { sed -n "s/^H $2 //p" "$1"; }

# the program of section 3.2, 72 bytes at 10000; what comes behind its SVC is no part of the range
printf '\247Y\0\003\247)\0\001\247\071\0\001\247I\0\002\354$\0\004\005~\007\0\2471\0\001\247t\0\004\247K\0\005\271\002\0D\247\204\0\014\271\004\0d\354b\0\004\0}\007\0\247+\0\002\247W\377\352\247)\0\0\012\001' >ex
small="--limit 60 --profile-what all --profile-set range=10000-10047 --profile-set delta=0 --profile-set tbt=4"

part 'EP-1 EP-5 EP-6 EP-21 EP-24 EP-94 the profile of the specification, by all engines'
for engine in $engines; do
    # shellcheck disable=SC2086
    profiled 3 $small --engine $engine --profile-set base=4 --profile-out p ex@10000
    for f in p "$example"; do
        grep -v '^[SMFZ] ' "$f" >"$(basename "$f").same"
    done
    cmp -s p.same example.zeprof.same || fail "$engine: $(diff p.same example.zeprof.same)"
    # without a range the block engine collects
    profiled 3 --limit 34 --profile-what all --profile-period 4 --profile-set delta=0 --profile-set tbt=4 \
        --engine $engine --profile-out p ex@10000
    grep -v '^[SMFZ] ' p | cmp -s - example.zeprof.same || fail "$engine, no range: $(cat p)"
done

part 'EP-22 EP-39 a sample each five branches'
# shellcheck disable=SC2086
profiled 3 $small --profile-set base=5 --profile-out p ex@10000
printf 'E 0 1001c 0 10024 T 3\nE 0 10028 0 1002c N 3\nE 0 10030 0 10038 T 3\nE 0 1003c 0 10010 T 2\nE 0 1003c 0 10040 N 1\n' >wanted
grep '^E' p | cmp -s - wanted || fail "the edges are $(grep '^E' p)"

part 'EP-2 an EXECUTE and its target are one instruction, and SVC counts'
# shellcheck disable=SC2086
profiled 3 $small --profile-set base=1 --profile-set event=insn --profile-out p ex@10000
[ "$(header p events-total)" = 34 ] || fail "$(header p events-total) instructions"

part 'EP-82 the exact profile: every branch and every run'
# shellcheck disable=SC2086
profiled 3 $small --profile-exact x ex@10000
[ "$(header x events-total),$(header x branch-units),$(header x run-units)" = 15,15,15 ] || fail "$(cat x)"
grep -qx 'E 0 10028 0 1002c N 3' x || fail "$(cat x)"
grep -qx 'R 0 10000 10010 B 1' x && grep -qx 'R 0 10040 10044 X 1' x || fail "runs: $(grep '^R' x)"

part 'EP-89 fewer branches than an interval: no edges, a warning'
profiled 3 --limit 34 --profile-what all --profile-out p ex@10000
[ "$(header p samples-triggered)" = 0 ] || fail "$(cat p)"
grep -q 'profile' err || fail "no warning: $(cat err)"

part 'EP-28 EP-47 EP-90 parameters that are refused, before anything runs'
refused() # WORDS OPTIONS...
{
    words=$1
    shift
    "$zri" --batch --limit 34 --profile-out never "$@" ex@10000 >out 2>err
    got=$?
    [ $got -eq 2 ] || fail "$*: exit status $got"
    grep -q -- "$words" err || fail "$* does not say '$words': $(cat err)"
    ! grep -q 'CPU 0' err || fail "$*: it ran"
}
refused base= --profile-period 0
refused delta= --profile-period 800 --profile-set delta=101
refused tbt= --profile-set tbt=0
refused tbt= --profile-set tbt=1025
refused cbt= --profile-set cbt=0
refused cbt= --profile-set cbt=33
refused cbt= --profile-set cbt=32 --profile-set event=insn
refused walk_limit= --profile-set walk_limit=0
refused event= --profile-set event=cycles
refused range= --profile-set range=20-10
refused KEY=VALUE --profile-set colour=red
refused what= --profile-what bin/worker
refused what= --profile-what ''
[ ! -e never ] || fail "a file was made"
profiled 3 --limit 34 --profile-period 15 --profile-out p ex@10000
[ "$(header p rate-delta)" = 0 ] || fail "delta $(header p rate-delta)"
grep -q 'no prime' err || fail "no warning of a base that is no prime: $(cat err)"

part 'EP-81 files without room are told of, once'
if [ -c /dev/full ]; then
    for option in out log exact; do
        profiled 2 --limit 34 --profile-$option /dev/full ex@10000
        [ "$(grep -c '/dev/full' err)" -eq 1 ] || fail "--profile-$option /dev/full: $(cat err)"
    done
fi
profiled 2 --limit 34 --profile-out no/such/folder ex@10000

image=$guests/edges.elf
[ -s "$image" ] || finish "edge profiles of a small program (the guests are not built: no assembler for s390x)"

part 'EP-80 EP-79 all engines write the same bytes, and a second run does'
# Every branch a sample makes logs of a gigabyte: of the first 50,000 instructions, in which each guest has come to its end or
# round again.
tried='edges smc dat interrupt cold'
short && tried='dat interrupt'
for guest in $tried; do
    for set in '--profile-period 97' '--profile-set base=1 --limit 50000' '--profile-set event=insn --profile-period 51' \
        '--profile-set event=call --profile-set base=5' '--profile-set range=10100-10180 --profile-period 13' \
        '--profile-set tbt=200 --profile-period 331'; do
        for engine in $engines; do
            # shellcheck disable=SC2086
            profiled any --engine $engine --profile-what all $set --profile-log $engine.log --profile-out $engine \
                "$guests/$guest.elf"
        done
        for engine in $engines; do
            cmp -s $engine reference || fail "$guest $set: the profiles differ ($engine)"
            cmp -s $engine.log reference.log || fail "$guest $set: the logs differ ($engine)"
        done
    done
done
# a log has all branches that a sample may hold; without one they are remembered near to it only, 16 more than it holds
tried='edges smc interrupt stretch'
short && tried='smc stretch'
for guest in $tried; do
    for set in 'base=67 --profile-set tbt=1' 'base=331 --profile-set tbt=8' 'base=997'; do
        # shellcheck disable=SC2086
        profiled 0 --profile-what all --profile-set $set --profile-log l --profile-out p "$guests/$guest.elf"
        for engine in $engines; do
            # shellcheck disable=SC2086
            profiled 0 --engine $engine --profile-what all --profile-set $set --profile-out $engine "$guests/$guest.elf"
            cmp -s $engine p || fail "$guest $set: without a log the profile differs ($engine): $(diff $engine p)"
        done
    done
done
profiled 0 --profile-period 97 --profile-out again "$image"
profiled 0 --profile-period 97 --profile-out other "$image"
cmp -s again other || fail "two runs differ"

part 'EP-75 EP-19 a guest does not notice, and its handlers are no part of the program'
profiled 3 --limit 6500001 --savecore loop:0-1FFFF "$guests/loop.elf"
profiled 0 --profile-what all --profile-log l --profile-out all "$guests/loop.elf"
for engine in $engines; do # branches are counted in long stretches, with clocks between them
    profiled 0 --engine $engine --profile-what all --profile-out p "$guests/loop.elf"
    cmp -s all p || fail "$engine: the profile of a loop differs from that with a log"
    grep -q 'PSW 0002000180000000 0000000000000FFF' err || fail "$engine: a loop noticed: $(cat err)"
    profiled 3 --engine $engine --limit 6500001 --savecore core:0-1FFFF --profile-what all --profile-out p "$guests/loop.elf"
    cmp -s loop core || fail "$engine: storage in the midst of loops differs"
done
profiled 0 --savecore plain:0-1FFFF "$image"
for engine in $engines; do
    profiled 0 --engine $engine --savecore core:0-1FFFF --profile-period 97 --profile-exact x --profile-out p "$image"
    cmp -s plain core || fail "$engine: storage differs"
    cp err plain.err
    profiled 0 --engine $engine --savecore core:0-1FFFF --profile-period 97 --profile-log l "$image"
    cmp -s plain core || fail "$engine: storage differs with a log"
    ! grep '^[EG] 0 10' x || fail "$engine: a handler is in the profile"
done
profiled 0 --profile-what kernel --profile-exact k "$image"
[ "$(sed -n 's/^E 0 .* T //p' k | sort -n | tail -1)" -gt 500000 ] || fail "the handlers took few branches: $(grep '^E' k)"

part 'EP-18 a handler of a measurement alert leaves profile and count unchanged'
for engine in $engines; do
    cat >console <<END
engine $engine
prof set what=all base=1000000
prof on
g 11008
prof
ctr inject IAE
b @external_interruption
g
b- @external_interruption
g 11008
prof
g 11026
prof
END
    "$zri" --batch --script console "$image" >out 2>&1
    [ "$(sed -n 's/^events \([0-9]*\),.*/\1/p' out | tr '\n' ' ')" = '2 2 3 ' ] || fail "$engine: $(grep '^events' out)"
    grep -q '^CPU 0: operating, PSW 0000000180000000 000000000001002A' out || fail "$engine: no handler: $(cat out)"
done

part 'EP-5 EP-8 EP-36 EP-38 EP-49 EP-T1 EP-T11 every branch a trigger: CBT times the exact profile, but for the last branches'
for engine in $engines; do
    profiled 0 --engine $engine --profile-set base=1 --profile-set tbt=8 --profile-set short=keep --profile-out p \
        --profile-exact x "$image"
    grep '^E' x | sed 's/ [0-9]*$//' >edges.x
    grep '^E' p | sed 's/ [0-9]*$//' | cmp -s - edges.x || fail "$engine: other edges than the exact ones"
    [ "$(awk -v cbt=8 '/^E/ { k = $2 " " $3 " " $4 " " $5 " " $6; if (FNR == NR) n[k] = $7
        else { d = cbt * n[k] - $7; if (d < 0 || d > 28) bad = 1; sum += d } } END { print sum, bad + 0 }' x p)" = '28 0' ] \
        || fail "$engine: not 8 times the exact profile"
    grep -q '^G .* abort' x || fail "no transaction was aborted"
    grep -q ' 44/a7x4$' x || fail "nothing was executed: $(grep '^B' x)"
    [ "$(header p samples-accepted)" = "$(header p samples-triggered)" ] || fail "$engine: samples were dropped: $(grep '^D' p)"
done

part 'EP-40 EP-T5 without triggers that were not taken'
profiled 0 --profile-set base=1 --profile-set tbt=8 --profile-set append_nt=off --profile-out nt "$image"
share() { awk '/^E/ { sum += $7; if ($6 == "N") n += $7 } END { printf "%d\n", 100000 * n / sum }' "$1"; }
[ "$(share nt)" -lt "$(($(share x) - 500))" ] || fail "not-taken share $(share nt), of all branches $(share x)"

part 'EP-24 EP-T3 samples side by side are the exact profile'
profiled 0 --profile-set base=16 --profile-set delta=0 --profile-set tbt=16 --profile-out p --profile-exact x "$image"
[ "$(awk '/^E/ { k = $2 " " $3 " " $4 " " $5 " " $6; if (FNR == NR) n[k] = $7
    else { d = n[k] - $7; if (d < 0) bad = 1; sum += d; delete n[k] } } END { for (k in n) sum += n[k]; print sum, bad + 0 }' x p)" \
    = "$(($(header x events-total) % 16)) 0" ] || fail "samples of 16 each 16 branches are not the exact profile"

part 'EP-66 EP-67 EP-68 EP-T9 calls alone, and the calls of an edge profile'
profiled 0 --profile-set event=call --profile-out calls "$image"
[ "$(header calls rate-base)" = 619 ] || fail "base $(header calls rate-base)"
profiled 0 --profile-set event=call --profile-set base=16 --profile-set tbt=16 --profile-set delta=0 --profile-out calls "$image"
[ "$(header calls mode)" = callgraph ] || fail "mode $(header calls mode)"
awk '/^C/ { print $3, $5, $6 }' calls | sort >calls.c
awk '/^B/ && $4 == "call" { c[$3] = 1 } /^E/ && c[$3] { print $3, $5, $7 }' x | sort >calls.x
[ "$(join -j 1 calls.c calls.x | awk '{ d = $5 - $3; if (d < 0 || d > 15) print }')" = '' ] ||
    fail "calls are $(cat calls.c), wanted $(cat calls.x)"

part 'EP-65 code that changes: no edge that never was'
profiled 0 --profile-what all --profile-period 7 --profile-out p --profile-exact x "$guests/smc.elf"
grep '^E' p | sed 's/ [0-9]*$//' | sort >edges.p
grep '^E' x | sed 's/ [0-9]*$//' | sort >edges.x
[ -s edges.p ] && [ -z "$(comm -23 edges.p edges.x)" ] || fail "edges that never were: $(comm -23 edges.p edges.x)"
[ "$(sed -n 's/^D drop.smc //p' p)" -gt 0 ] || fail "no sample was dropped"

part 'EP-32 EP-33 EP-T10 in line, in a thread, from the log'
for set in '--profile-period 97' '--profile-set event=insn --profile-period 51 --profile-set cbt=7' \
    '--profile-period 13 --profile-set short=drop --profile-set walk_limit=6'; do
    # shellcheck disable=SC2086
    profiled 0 $set --profile-out inline --profile-log log "$image"
    # shellcheck disable=SC2086
    profiled 0 $set --profile-set placement=thread --profile-out thread --profile-log thread.log "$image"
    cmp -s inline thread || fail "$set: in a thread: $(diff inline thread)"
    cmp -s log thread.log || fail "$set: in a thread the log differs"
    if "$prof" build log -o offline --symbols "$image" 2>err; then
        # functions have names there
        for f in inline offline; do grep -v '^[FZ]' $f >$f.same; done
        cmp -s inline.same offline.same || fail "$set: from the log: $(diff inline.same offline.same)"
    else
        fail "zri-prof build: $(cat err)"
    fi
done
profiled 0 --profile-period 97 --profile-set placement=thread --profile-set queue=drop --profile-out p "$image"
[ "$(header p queue-policy)" = drop ] || fail "the profile does not say that samples may be dropped"

part 'EP-84 EP-98 near to the exact profile at the defaults'
printf '\116\040' >rounds # 20000 of them
profiled 0 --profile-out p "$image" rounds@11002
profiled 0 --profile-exact x "$image" rounds@11002
overlap=$("$prof" diff --metrics x p | sed -n 's/^overlap //p')
echo "overlap $overlap of $(header p samples-accepted) samples"
[ "$(header p samples-accepted)" -ge 200 ] || fail "only $(header p samples-accepted) samples"
[ "$(printf '%s\n0.95\n' "$overlap" | sort -n | head -1)" = 0.95 ] || fail "overlap $overlap"

part 'EP-78 several CPUs, in rotation and in threads, and in lockstep'
for engine in $engines; do
    profiled 0 --cpus 4 --engine $engine --profile-what all --profile-period 997 --profile-out $engine --profile-log $engine.log \
        "$guests/smp.elf"
done
for engine in $engines; do
    cmp -s $engine reference || fail "four CPUs: the profiles differ ($engine)"
    cmp -s $engine.log reference.log || fail "four CPUs: the logs differ ($engine)"
done
profiled 0 --cpus 2 --threads --profile-what all --profile-period 997 --profile-out p "$guests/smp.elf"
[ "$(header p samples-accepted)" -gt 100 ] || fail "threads: $(cat p)"
profiled 0 --lockstep --profile-period 97 --profile-out step "$image"
profiled 0 --profile-period 97 --profile-out alone "$image"
cmp -s step alone || fail "in lockstep another profile"

part 'EP-54 EP-77 the console: requests disturb nothing'
cat >console <<'END'
prof set base=97
prof on
g 11010
prof save first
prof report top 2
prof
g
prof save second
prof space
prof edges
prof log l
prof log off
prof --json
END
profiled 0 --script console "$image"
[ "$(header first partial)" = 1 ] || fail "a profile on request does not say so"
grep -v '^H p' second | grep -v '^[MFZ]' >second.same
grep -v '^H p' alone | grep -v '^[MFZ]' >alone.same
cmp -s second.same alone.same || fail "requests change the profile: $(diff second.same alone.same)"
grep -q '^profiling is on' out || fail "prof: $(cat out)"
grep -q '"samples":' out || fail "prof --json: $(cat out)"
grep -q 'real' out || fail "prof space: $(cat out)"
! grep -q 'no branch of what is profiled' out || fail "branches that were executed are said not to be: $(cat out)"
printf 'prof on\ng\nprof\n' >console # the guest is in the supervisor state
"$zri" --batch --script console "$guests/stretch.elf" >out 2>&1
grep -q "^  no branch of what is profiled was executed so far: see 'what'" out || fail "prof of no branch: $(cat out)"
# what is loaded gives functions their names, also what was loaded later
printf 'load %s\nprof set what=all base=997\nprof on\ng\nprof report\n' "$guests/stretch.elf" >console
printf 'load %s\nprof reset\ng\nprof report\n' "$guests/edges.elf" >>console
"$zri" --batch --script console >out 2>&1 || fail "console: $(cat out)"
grep -q '^Edge profile of stretch.elf' out && grep -q '  straight$' out || fail "no functions: $(cat out)"
sed -n '/^Edge profile of edges.elf/,$p' out | grep -q '  leaf$' || fail "no functions of what was loaded later: $(cat out)"
for line in 'prof set base=0' 'prof nonsense' 'prof exact file' 'prof save no/such/folder'; do
    echo "$line" >console
    "$zri" --batch --script console "$image" >out 2>&1 && fail "'$line' is not refused: $(cat out)"
done
finish "edge profiles of running guests are right, on all engines, in every placement"
