#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What an event of exception trace costs its unit and its decoder, for some configurations: the best of a few tries, because
# the host may have other things to do.
. "${srcdir:-.}/tests/lib.sh"
program=${BENCH_ET:-tests/bench/et}
[ -x "$program" ] || skip "$program is not built"

part 'ET-108 at most 150 ns for an event, at least 5 million event packets decoded in a second'
"$program" --check >"$work/out"
status=$?
[ $status -ne 77 ] || skip "the build is a slow one"
[ $status -eq 0 ] || fail "too slow: $(cat "$work/out")"
[ "$(grep -c 'decoded:' "$work/out")" -eq 7 ] || fail "not everything was decoded: $(cat "$work/out")"
cat "$work/out"
finish "speed of exception trace"
