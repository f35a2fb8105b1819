#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The managed run-time (ipl/guest/mrvm): checksums against the model on the host, the short form of its modes, and what
# it says about what it is not asked rightly. make check-mr has the long form.
. "${srcdir:-.}/tests/lib.sh"
model=${MODEL:-tests/mr/model}
run() # NAME WORDS [OPTIONS...]: the run-time's lines to $work/NAME
{
    name=$1 words=$2
    shift 2
    "$zri" --batch "$@" --seconds 300 --append "$words" builtin:mrvm >"$work/$name" 2>"$work/$name.end"
}
ended() # NAME: well
{
    grep -q 'disabled wait, PSW .* 0000000000000FFF' "$work/$1.end" || fail "$1: $(cat "$work/$1.end") $(tail -n 3 "$work/$1")"
}
run first 'mode=none-i prog=tiny iters=1'
grep -q 'no built-in image' "$work/first.end" && skip "zri was built without its guests"

part 'AF15 every mode computes what the model does, on both engines'
for prog in tiny flat; do
    sum=$("$model" $prog 3) || fail "the model: $prog"
    for mode in none-i none-b counter counter-g ri oracle t1-plain t1-counter t1-ri t1-direct exact; do
        for engine in block reference; do
            [ $engine = block ] || [ $prog.$mode = tiny.ri ] || continue
            run "$prog.$mode" "mode=$mode prog=$prog iters=3" --engine $engine
            ended "$prog.$mode"
            grep -q "^END .* checksum=$sum " "$work/$prog.$mode" || fail "$prog $mode $engine: $(tail -n 1 "$work/$prog.$mode")"
        done
    done
done

part 'bad words end in a usage line, from the guest'
for words in 'mode=fast prog=tiny' 'mode=ri prog=none' 'mode=ri prog=tiny iters=0' 'mode=ri' 'nonsense'; do
    run bad "$words"
    grep -q '^usage: mode=none-i|' "$work/bad" || fail "'$words': $(cat "$work/bad")"
    grep -q '0000000000BAD001' "$work/bad.end" || fail "'$words': $(cat "$work/bad.end")"
done

part 'MR-7 without run-time instrumentation, or with controls that are no good, it says so and goes on'
sum=$("$model" tiny 3)
run off 'mode=ri prog=tiny iters=3' --facility -64
ended off
grep -q '^RI state=off why=absent' "$work/off" || fail "no facility: $(head -n 3 "$work/off")"
grep -q "^END .* checksum=$sum " "$work/off" || fail "no facility: $(tail -n 1 "$work/off")"
for case in 'm=9 block' 'pb=0x20000 buffer' 'pb=0x300100 buffer' 'pb=0xffffffffffff0000 buffer'; do
    run off "mode=ri prog=tiny iters=3 ${case% *}"
    ended off
    grep -q "^RI state=off why=${case#* }" "$work/off" || fail "$case: $(head -n 3 "$work/off")"
    grep -q "^END .* checksum=$sum " "$work/off" || fail "$case: $(tail -n 1 "$work/off")"
done
part 'MR-7 installed and off, the facility changes nothing: every instruction is counted'
run with 'mode=none-b prog=shapes iters=20'
run without 'mode=none-b prog=shapes iters=20' --facility -64
ended with
grep -q '^END iters=20 insn=[1-9]' "$work/with" || fail "none-b: $(tail -n 1 "$work/with")"
cmp -s "$work/with" "$work/without" || fail "with and without: $(diff "$work/with" "$work/without")"

# The tests of isolation, in the guest; their numbers are those of section 4 of the specification.
judged() # NAME of the test, WORDS...: its line says passed
{
    name=$1
    shift
    run "$name" "test=$name" "$@"
    grep -q "^$name passed" "$work/$name" || fail "$name: $(cat "$work/$name" "$work/$name.end")"
    ! grep -q 'FAIL\|failed' "$work/$name" || fail "$name: $(cat "$work/$name")"
}
part 'MR-1 MR-2 MR-3 MR-6 N1 what the problem state has emitted is in no page before the sample point'
judged n1
part 'MR-5 MR-17 N2 the supervisor that PROGRAM CALL enters sees all of it, twice'
judged n2
judged n2 --engine reference
part 'MR-6 N3 DIAGNOSE in the problem state'
judged n3
part 'MR-21 N4 N5 LRIC is privileged; MRIC without S, without K'
judged n4
judged n5
part 'MR-13 MR-22 N6 N7 groups that cannot be stored harm nothing'
judged n6
judged n7
part 'MR-13 MR-23 MR-24 N8 two spaces that take turns have each their own'
judged n8-twin
[ "$(grep -c '^n8-twin passed' "$work/n8-twin")" -eq 2 ] || fail "N8: $(cat "$work/n8-twin")"
run twin 'mode=ri prog=twin'
for pair in 'A shapes' 'B phase'; do
    sum=$("$model" "${pair#* }")
    awk -v space="space=${pair% *}" '/^MRVM/ { mine = $NF == space } mine && /^END/' "$work/twin" |
        grep -q " checksum=$sum .* lost=0 " || fail "twin: space $pair: $(grep '^END' "$work/twin")"
done
part 'MR-4 N10 states are collected and sampled singly'
judged n10
part 'MR-12 MR-14 MR-15 MR-16 MR-19 MR-20 N11 the end of the program buffer'
judged n11
part 'MR-27 N12 groups that point into code that is gone'
judged n12
part 'MR-10 N9 what is sampled and what is not come to the same'
run on 'mode=t1-plain prog=shapes iters=20 quiet=1' --ri-log "$work/on.log"
run off 'mode=t1-plain prog=shapes iters=20 quiet=2' --ri-log "$work/off.log"
ended on
grep -q '^STATE ' "$work/on" || fail "N9: no state is told"
cmp -s "$work/on" "$work/off" || fail "N9: $(diff "$work/on" "$work/off")"
[ "$(wc -c <"$work/on.log")" -gt 50000 ] || fail "N9: no groups were stored"
[ "$(wc -c <"$work/off.log")" -lt 200 ] || fail "N9: groups were stored where RI is off"
part 'MR-18 groups are read while others are stored'
judged live

part 'MR-9 MR-11 by instructions and by cycles there are groups, and the same ones again; directed alone there are none'
for m in 0 1; do
    run "m$m" "mode=ri prog=tiny m=$m"
    run again "mode=ri prog=tiny m=$m"
    cmp -s "$work/m$m" "$work/again" || fail "m=$m: two runs differ"
    grep -q '^END .* groups=[1-9][0-9][0-9]' "$work/m$m" || fail "m=$m: $(tail -n 1 "$work/m$m")"
done
run m2 'mode=ri prog=tiny m=2'
grep -q '^END .* groups=0 ' "$work/m2" || fail "m=2: $(tail -n 1 "$work/m2")"

part 'MR-25 MR-28 MR-29 MR-31 it finds what is hot, compiles it twice, without a supervisor call'
run hot 'mode=ri prog=shapes iters=40'
grep -q '^TIER .* name=Scene.visit from=T0 to=T1 why=emit:' "$work/hot" || fail "nothing goes from T0 to T1"
grep -q '^TIER .* name=Scene.visit .* to=T2 .* inl=Circle.area@0x17' "$work/hot" || fail "nothing is inlined"
grep -q '^HOT rank=1 ' "$work/hot" || fail "nothing is hot"
grep -q '^END .* lost=0 .* svc=0 ' "$work/hot" || fail "$(tail -n 1 "$work/hot")"
run none 'mode=none-i prog=tiny' # RIEMIT in the interpreter or not, it is the same program
grep -q '^END .* groups=0 .* reads=0 ' "$work/none" || fail "none-i: $(tail -n 1 "$work/none")"

part 'MR-26 AF14 kinds of call sites'
run direct 'mode=t1-direct prog=tiny'
for site in 'Scene.visit mono' 'Pair.visit bi' 'Zoo.visit mega'; do
    grep -q "^EDGE .* name=${site% *} .* kind=${site#* } " "$work/direct" || fail "$site: $(grep '^EDGE' "$work/direct")"
done
grep -q '^EDGE .* name=Scene.visit .* directed=2[0-9][0-9] .*to=Circle.area:[0-9]*:2[0-9][0-9]$' "$work/direct" ||
    fail "directed samples: $(grep '^EDGE' "$work/direct")"

part 'MR-32 a site that is seldom seen is settled by RINEXT before its call'
run plant 'mode=ri prog=shapes directed=1' # counted samples tell nothing about sites
grep -q '^TIER .* why=plant ' "$work/plant" || fail "RINEXT is nowhere planted"
grep -q '^TIER .* why=settled ' "$work/plant" || fail "no site was settled"
grep -q '^TIER .* name=Scene.visit .* why=settled .* inl=Circle.area@0x17' "$work/plant" || fail "what was settled is not inlined"
grep -q "checksum=$("$model" shapes) " "$work/plant" || fail "planted: $(tail -n 1 "$work/plant")"

part 'MR-30 a change of behaviour is answered by a new compilation'
run phase 'mode=ri prog=phase iters=160'
awk '/^TIER/ && / why=guard / && / inl=Rect.area@0x17/ { sub("it=", "", $2); if ($2 > 100 && $2 < 160) found = 1 } END { exit !found }' \
    "$work/phase" || fail "phase: $(grep why=guard "$work/phase")"
finish "the managed run-time computes what its model does in every mode"
