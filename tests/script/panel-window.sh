#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The panel's window under Xvfb: a session driven by the mouse alone, keys, pixels of the screen itself, pictures while the
# guest runs, a window that is closed and a display that goes away.
. "${srcdir:-.}/tests/lib.sh"
export ZRI_HISTORY=
for program in python3 Xvfb xdotool; do
    command -v $program >/dev/null || skip "$program is not installed: the window is not looked at"
done
"$zri" --batch --control "unix:$work/none" builtin:demo >"$work/out" 2>&1
grep -q 'built without jansson' "$work/out" && skip "no control socket in this build to look at the window by"
printf 'panel shot %s\n' "$work/a.png" >"$work/in"
"$zri" --script "$work/in" </dev/null >"$work/out" 2>&1
grep -q 'built without\|need the library\|no font was found' "$work/out" && skip "no pictures here: $(head -1 "$work/out")"
cat "$work/out"
python3 -B "${srcdir:-.}/tests/script/panel_window.py" "$zri" "$work" "${srcdir:-.}" || failed=$((failed + 1))
finish "the panel's window"
