#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kept cases of bfp-arithmetic.zt and hfp-arithmetic.zt are right by the exact models of tests/compare; and a wrong one
# is found.
. "${srcdir:-.}/tests/lib.sh"
source=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || skip "python3 is not installed: kept cases are not judged"
python3 -B "$source/tests/script/arithmetic.py" "$source" || fail "the kept cases, see above"
mkdir -p "$work/tests/script"
ln -s "$source/tests/compare" "$work/tests/compare"
sed '0,/70B4D808E0473A0B/s/70B4D808E0473A0B/70B4D808E0473A0C/' "$source/tests/script/bfp-arithmetic.zt" \
    >"$work/tests/script/bfp-arithmetic.zt"
cp "$source/tests/script/hfp-arithmetic.zt" "$work/tests/script"
python3 -B "$source/tests/script/arithmetic.py" "$work" >"$work/said" && fail "a wrong case passes"
grep -q '^bfp-arithmetic.zt: ADD (long BFP) (adb), ED009000001A: ' "$work/said" || fail "not named: $(head -n 3 "$work/said")"
finish "the kept cases are right"
