#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No instruction with a body is without a scripted test: runs all of them (tests/script, or the files named in
# ZT_TESTS) with --coverage and looks at the report. Prints the totals.
. "${srcdir:-.}/tests/lib.sh"
source=${srcdir:-.}
[ -n "${ZT_TESTS:-}" ] || ZT_TESTS=$(cd "$source" && echo tests/script/*.zt tests/script/generated/*.zt)
# In a build without nettle the message-security assist has no bodies, and nothing to test.
"$zri" --list-missing | grep -q '^km ' && ZT_TESTS=$(echo "$ZT_TESTS" | tr ' ' '\n' | grep -v -e /crypto- -e -crypto.zt)
# shellcheck disable=SC2086
(cd "$source" && "$zri" --test --coverage "$work/seen" $ZT_TESTS) >"$work/out" 2>&1 || {
    echo "a scripted test fails: $(tail -n 3 "$work/out")"
    exit 1
}
"$zri" --coverage "$work/seen" >"$work/report"
status=$?
grep '^instructions with a body' "$work/report" || {
    echo "the coverage report has no totals: $(tail -n 3 "$work/report")"
    exit 1
}
grep '^exceptions that the table promises' "$work/report"
[ $status -eq 0 ] || {
    grep '^not seen' "$work/report"
    exit 1
}
# The report notices what is not tested: without the decimal tests their instructions are named.
# shellcheck disable=SC2046
(cd "$source" && "$zri" --test --coverage "$work/less" tests/script/ri.zt) >/dev/null 2>&1
if "$zri" --coverage "$work/less" >"$work/report"; then
    echo "a report on one file alone finds nothing missing"
    exit 1
fi
grep -q '^not seen by any scripted test:.* zap ' "$work/report" || {
    echo "a report without the decimal tests does not name ZAP"
    exit 1
}
