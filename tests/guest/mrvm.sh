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

part 'MR-15 AF15 every mode computes what the model does, on both engines'
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

part 'MR-7 bad words end in a usage line, from the guest'
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
finish "the managed run-time computes what its model does in every mode"
