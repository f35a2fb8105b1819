#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The second model of exception trace, see et.py: et.sh [CASES [SEED]]; 300 histories by default (make check).
. "${srcdir:-.}/tests/lib.sh"
here=${srcdir:-.}/tests/compare
cases=${1:-$(short && echo 60 || echo 300)} seed=${2:-1}
command -v python3 >/dev/null || skip "python3 is not installed: not judged"

part 'ET-31 ET-32 ET-43 ET-46 ET-59 ET-82 ET-105 ET-106 ET-107 golden vectors against the second model, both directions'
python3 -B "$here/et_vectors.py" || fail "the judge is wrong"

part 'ET-55 ET-58 ET-60 the second model with itself: what is decoded is what was selected'
python3 -B "$here/et.py" self "$cases" "$seed" || fail "the judge disagrees with itself"
finish "exception trace: the second model is in order"
