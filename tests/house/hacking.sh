#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# HACKING names files, functions, names, targets and options that exist; what does not is named.
. "${srcdir:-.}/tests/lib.sh"
house=${srcdir:-.}/tests/house
command -v python3 >/dev/null || skip "python3 is not installed: HACKING is not looked at"
python3 -B "$house/hacking.py" "${srcdir:-.}" "${srcdir:-.}/HACKING" || fail "HACKING, see above"
echo 'See emu/nowhere.c and tests/unit/test_NAME.c: cpu_xyzzy() of struct plugh, PIC_XYZZY, make check-xyzzy, --xyzzy.' >"$work/text"
python3 -B "$house/hacking.py" "${srcdir:-.}" "$work/text" >"$work/said" && fail "a text that is wrong passes"
for words in 'file or folder: emu/nowhere.c' 'function: cpu_xyzzy()' 'name: PIC_XYZZY' 'name: plugh' 'target: make check-xyzzy' \
    'option: --xyzzy'; do
    grep -qxF "no such $words" "$work/said" || fail "not named: $words"
done
[ "$(wc -l <"$work/said")" -eq 6 ] || fail "more than that: $(cat "$work/said")"
finish "HACKING names what exists"
