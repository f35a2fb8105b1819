#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demonstration on both engines: what the guest says, how it ends, and that its program buffer is shown decoded.
. "${srcdir:-.}/tests/lib.sh"
for engine in reference block; do
    "$zri" --batch --demo --engine "$engine" --seconds 60 >"$work/$engine" 2>"$work/$engine.end"
    status=$?
    grep -q 'no built-in image' "$work/$engine.end" && skip "zri was built without its guests"
    [ $status -eq 0 ] || fail "$engine: exit status $status: $(cat "$work/$engine.end")"
    grep -q 'disabled wait, PSW .* 0000000000000FFF' "$work/$engine.end" || fail "$engine: $(cat "$work/$engine.end")"
    for line in 'zri demonstration: a program that watches itself run' \
        'reporting groups stored:       32, rounds of work:       25' \
        'measurement alert taken (external interruption 1407), parameter 00000010: program buffer full' \
        'pages made valid at their first touch:        2' \
        'the end: disabled wait with address FFF'; do
        grep -qxF "$line" "$work/$engine" || fail "$engine: the guest did not say: $line"
    done
done
"$zri" --batch --demo --lockstep --seconds 60 >"$work/lockstep" 2>&1 || fail "lockstep: $(cat "$work/lockstep")"
cmp -s "$work/reference" "$work/block" || fail "the engines differ"
"$zri" --demo </dev/null >"$work/shown" 2>&1 || fail "zri --demo: exit status $?"
for word in 'call' 'return' 'emit' 'transfer' 'timestamp' 'begin'; do
    grep -qi "$word" "$work/shown" || fail "zri --demo does not show a $word record"
done
finish "the demonstration runs on both engines"
