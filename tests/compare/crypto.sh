#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of the message-security assist with Hercules: crypto.sh [CASES [SEED [LIMIT]]].
. "${srcdir:-.}/tests/lib.sh"
. "${srcdir:-.}/tests/compare/hercules.sh"
cases=${1:-2000} seed=${2:-1} limit=${3:-3}
"$zri" --list-missing | grep -q '^km ' && skip "this zri has no message-security assist: not compared"
left=$cases
while [ "$left" -gt 0 ]; do
    cases=$((left < 30000 ? left : 30000)) # what 64 MB hold
    hercules_judges crypto 1152 $((3 + cases / 300))
    left=$((left - cases)) seed=$((seed + 1))
done
exit $failed
