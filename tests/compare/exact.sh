#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random cases judged by exact models: exact.sh [CASES [SEED [CLASS...]]]. 1,500 of each class by default (make check);
# at most 50,000 in one run.
. "${srcdir:-.}/tests/lib.sh"
cases=${1:-1500} seed=${2:-1}
[ $# -ge 2 ] && shift 2 || set --
[ $# -gt 0 ] || set -- pfpo packed bfp rounded hfp dfp shortened vector
command -v python3 >/dev/null || skip "python3 is not installed: not judged"
exact="python3 -B ${srcdir:-.}/tests/compare/exact.py"
end=$(printf %X $((0x800000 + cases * 1024 - 1)))
for class; do
    $exact make "$class" "$seed" "$cases" "$work/image" || exit 99
    for engine in reference block; do
        "$zri" --batch --engine=$engine --storage 64M --savecore "$work/$engine:0-$end" "$work/image" </dev/null || exit 1
    done
    cmp "$work/reference" "$work/block" || failed=1
    $exact judge "$class" "$seed" "$cases" "$work/reference" ${LIMIT:-3} || failed=1
done
exit $failed
