#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every mode and program of the managed run-time, judged by mr-compare; make check-mr. Leaves mr.csv, mr.svg and mr.txt in the
# build folder, and mr.json with the compilations on the CPU's time line.
. "${srcdir:-.}/tests/lib.sh"
model=${MODEL:-tests/mr/model}
command -v python3 >/dev/null || skip "no python3 to judge the runs"
run() # MODE PROGRAM FILE WORDS [OPTIONS...]
{
    mode=$1 prog=$2 file=$work/$3 words=$4
    shift 4
    begin=$(date +%s%N)
    "$zri" --batch "$@" --seconds 600 --append "mode=$mode prog=$prog $words" builtin:mrvm >"$file" 2>"$work/end"
    grep -q 'no built-in image' "$work/end" && skip "zri was built without its guests"
    grep -q 'disabled wait, PSW .* 0000000000000FFF' "$work/end" || fail "$mode $prog: $(cat "$work/end")"
    echo "$begin $(date +%s%N)" | awk '{ printf "%.2f\n", ($2 - $1) / 1e9 }' >"$file.seconds"
}
for prog in shapes phase flat tiny; do
    "$model" $prog >"$work/model.$prog" || fail "the model: $prog"
    for mode in none-i none-b counter counter-g ri oracle t1-plain t1-counter t1-ri; do
        run $mode $prog $mode.$prog ''
    done
done
run t1-direct shapes t1-direct.shapes ''
run exact shapes exact.shapes ''
for prog in shapes phase flat tiny; do
    run ri $prog again.$prog ''
done

# AF4 by seven seeds: samples fall elsewhere with each.
for seed in 2 3 4 5 6 7; do
    run ri shapes seed-$seed.ri "seed=$seed"
    run counter shapes seed-$seed.counter "seed=$seed"
done

# AF19: the least of some runs, on the block engine without the machine around it.
bash "${srcdir:-.}/tests/bench/ri-cost.sh" "${DRIVER:-tests/bench/driver}" "${srcdir:-.}/tests/bench" >"$work/ri-cost" || rm -f "$work/ri-cost"

# Two programs in two spaces compute and find what each does alone.
run ri twin twin ''
for pair in 'A shapes' 'B phase'; do
    sum=$("$model" "${pair#* }")
    awk -v space="space=${pair% *}" '/^MRVM/ { mine = $NF == space } mine && /^END/' "$work/twin" | grep -q "checksum=$sum " ||
        fail "twin: space $pair: $(grep '^END' "$work/twin")"
done

# MR-7: the facility installed and off, and not installed, in turns. Reported, not judged: seconds are the host's.
for turn in 1 2 3 4 5; do
    run none-b shapes with ''
    run none-b shapes without '' --facility -64
    cat "$work/with.seconds" >>"$work/with.all"
    cat "$work/without.seconds" >>"$work/without.all"
done
echo "MR-7 none-b, seconds, medians of 5: facility off $(sort -n "$work/with.all" | sed -n 3p)," \
    "not installed $(sort -n "$work/without.all" | sed -n 3p)"
cmp -s "$work/with" "$work/without" || fail "MR-7: installed and off is not as not installed"

# AF13: every run of instructions counted, and the code cache, which has their lengths (mrvm.h: real address of space A).
run t1-ri shapes exactly '' --profile-exact "$work/exact.zeprof" --profile-set what=user --profile-set range=200000-2FFFFF \
    --savecore "$work/exact.core:1100000-11FFFFF"
[ -s "$work/exact.zeprof" ] || fail "no exact profile was written"
cmp -s "$work/exactly" "$work/t1-ri.shapes" || fail "t1-ri is another program while its edges are counted"

# The time line: a mark at each compilation.
run ri tiny marked 'marks=1' --et events=all --et-out "$work/et"
"${zri%zri}zri-et" --chrome "$work/et" >mr.json 2>"$work/said" || fail "zri-et: $(cat "$work/said")"

python3 -B "${srcdir:-.}/tests/mr/mr-compare" "$work" --csv mr.csv --svg mr.svg --text mr.txt || fail "acceptance figures, see above"
[ "$(wc -l <mr.csv)" -gt 5000 ] || fail "mr.csv is short"
grep -q '</svg>' mr.svg || fail "mr.svg has no end"
[ "$(grep -c '[icobR]' mr.txt)" -gt 10 ] || fail "mr.txt has no picture"
[ "$(grep -ci mark mr.json)" -gt 10 ] || fail "mr.json has no marks"
finish "every acceptance figure holds"
