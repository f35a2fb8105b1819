#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of the message-security assist with Hercules: crypto.sh [CASES [SEED [LIMIT]]].
. "${srcdir:-.}/tests/lib.sh"
. "${srcdir:-.}/tests/compare/hercules.sh"
cases=${1:-2000} seed=${2:-1} limit=${3:-3}
"$zri" --list-missing | grep -q '^km ' && skip "this zri has no message-security assist: not compared"
hercules_judges crypto 1152 $((3 + cases / 300))
exit $failed
