#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The control socket: requests, events, several clients, while the guest runs and stands, on both engines and in threads; and
# all that a client should not do. Without jansson zri says so.
. "${srcdir:-.}/tests/lib.sh"
"$zri" --batch --control "unix:$work/none" builtin:demo >"$work/out" 2>&1
if grep -q 'built without jansson' "$work/out"; then
    [ ! -e "$work/none" ] || fail "a socket without anybody behind it"
    "$zri" --batch --control "unix:$work/none" builtin:demo >"$work/out" 2>&1
    [ $? -eq 2 ] || fail "without jansson: exit status is not 2"
    grep -q '^zri: --control: zri was built without jansson; install libjansson-dev and configure again$' "$work/out" ||
        fail "without jansson: $(cat "$work/out")"
    finish "no control socket in this build, which says so"
fi
command -v python3 >/dev/null || skip "no python3 to be a client"
python3 -B "${srcdir:-.}/tests/script/control.py" "$zri" "$work" \
    "${srcdir:-.}/doc/control.txt" || failed=$((failed + 1))
finish "the control socket"
