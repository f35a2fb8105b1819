#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random tests of an assist that no emulator has: assist.sh CLASS [CASES [SEED [LIMIT]]], CLASS
# deflate, sort or entropy; 200 cases by default (make check). See assist.py.
. "${srcdir:-.}/tests/lib.sh"
class=$1 cases=${2:-$(short && echo 40 || echo 200)} seed=${3:-1} limit=${4:-3}
command -v python3 >/dev/null || skip "python3 is not installed"
python="python3 -B ${srcdir:-.}/tests/compare/assist.py $class"
while [ "$cases" -gt 0 ]; do
    n=$((cases < 1000 ? cases : 1000))
    end=$($python make "$seed" $n "$work/image") || exit 99
    for engine in reference block; do
        "$zri" --batch --engine=$engine --storage 256M --savecore "$work/ours:0-$end" "$work/image" </dev/null || fail "$engine does not end"
        echo "$class, seed $seed, $engine engine:"
        $python judge "$seed" $n "$work/ours" "$limit" || fail "$class, seed $seed, $engine engine"
    done
    cases=$((cases - n)) seed=$((seed + 1))
done
finish "$class: all as the judge has it"
