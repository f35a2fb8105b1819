#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exception trace judged by a second model, see et.py: et.sh [CASES [SEED]]; 300 histories and as many streams by default
# (make check).
. "${srcdir:-.}/tests/lib.sh"
here=${srcdir:-.}/tests/compare
cases=${1:-$(short && echo 60 || echo 300)} seed=${2:-1}
command -v python3 >/dev/null || skip "python3 is not installed: not judged"
judge="python3 -B $here/et.py"
program=${ET:-tests/compare/et}

part 'ET-31 ET-32 ET-43 ET-46 ET-59 ET-82 ET-105 ET-106 ET-107 golden vectors against the second model, both directions'
python3 -B "$here/et_vectors.py" || fail "the judge is wrong"

part 'ET-4 ET-68 ET-76 numbers, reset values and refusals as the second model has them'
$judge facts "$program" "$((cases * 10))" "$seed" || fail "numbers or registers"

part 'ET-8 ET-10 ET-30 ET-45 ET-55 ET-57 ET-58 ET-60 ET-67 random histories, random legal configurations: the same bytes and accounts'
$judge unit "$program" "$cases" "$seed" || fail "the unit differs from the second model"

part 'ET-78 the filter makes of the full stream what the unit puts out by itself'
$judge filter "$program" "$cases" "$seed" || fail "the filter differs from the unit"

part 'ET-62 ET-63 ET-64 ET-67 small buffers and slow exits: what is lost is counted, stall loses nothing, wrap keeps the last bytes'
$judge overflow "$program" "$cases" "$seed" || fail "the buffer"

part 'ET-79 ET-80 ET-81 ET-82 good, cut and damaged streams: the same events and diagnostics'
$judge decode "$program" "$cases" "$seed" || fail "the decoder differs from the second model"

part 'ET-84 ET-87 ET-88 streams in which everything is: the same depths, durations and latencies, and those of the tracker'
$judge nesting "$program" "$cases" "$seed" || fail "nesting differs from the second model"

part 'ET-60 ET-80 kept cases'
$judge kept "$program" "$here"/et_kept.history "$here"/et_kept.streams || fail "a kept case"
finish "exception trace: all as the second model has it"
