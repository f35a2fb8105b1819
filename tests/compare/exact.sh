#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random cases judged by exact models: exact.sh [CASES [SEED [CLASS...]]]. 1,500 of each class by default (make check);
# at most 50,000 in one run.
top=${srcdir:-$(dirname "$0")/../..} zri=${ZRI:-./zri}
cases=${1:-1500} seed=${2:-1}
[ $# -ge 2 ] && shift 2 || set --
[ $# -gt 0 ] || set -- pfpo packed bfp hfp dfp
command -v python3 >/dev/null || { echo "python3 is not installed: not judged"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
exact="python3 -B $top/tests/compare/exact.py"
end=$(printf %X $((0x800000 + cases * 1024 - 1)))
status=0
for class; do
    $exact make "$class" "$seed" "$cases" "$dir/image" || exit 99
    for engine in reference block; do
        "$zri" --batch --engine=$engine --storage 64M --savecore "$dir/$engine:0-$end" "$dir/image" </dev/null || exit 1
    done
    cmp "$dir/reference" "$dir/block" || status=1
    $exact judge "$class" "$seed" "$cases" "$dir/reference" ${LIMIT:-3} || status=1
done
exit $status
