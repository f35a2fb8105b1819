#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of the message-security assist with Hercules: crypto.sh [CASES [SEED [LIMIT]]].
top=${srcdir:-$(dirname "$0")/../..} zri=${ZRI:-./zri}
cases=${1:-2000} seed=${2:-1} limit=${3:-3}
command -v hercules >/dev/null && command -v python3 >/dev/null || { echo "hercules or python3 is not installed: not compared"; exit 77; }
"$zri" --list-missing | grep -q '^km ' && { echo "this zri has no message-security assist: not compared"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
make="python3 -B $top/tests/compare/crypto.py"
$make make "$seed" "$cases" "$dir/image" "$dir/core" || exit 99
end=$(printf %X $((0x800000 + cases * 1152 - 1)))
printf 'MAINSIZE 64\nARCHMODE z/Arch\nNUMCPU 1\n0009 3215-C\n' >"$dir/cnf"
printf 'loadcore %s 0\nrestart\npause %s\nsavecore %s 0 %s\nquit\n' "$dir/core" "$((3 + cases / 300))" "$dir/theirs" "$end" >"$dir/rc"
HERCULES_RC="$dir/rc" timeout 600 hercules -d -f "$dir/cnf" >"$dir/log" 2>&1
[ -s "$dir/theirs" ] || { tail -n 40 "$dir/log"; exit 99; }
status=0
for engine in reference block; do
    "$zri" --batch --engine=$engine --storage 64M --savecore "$dir/ours:0-$end" "$dir/image" </dev/null || exit 1
    echo "hercules, $engine engine:"
    $make diff "$seed" "$cases" "$dir/ours" "$dir/theirs" "$limit" || status=1
done
exit $status
