#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rooms: who may use whom (rooms.table). Then the test itself: arrows that turn back, a circle, a file in no room, a room
# that is too large and a remark that is no longer needed are found in a small house made for it.
. "${srcdir:-.}/tests/lib.sh"
house=${srcdir:-.}/tests/house
command -v python3 >/dev/null || skip "python3 is not installed: the rooms are not looked at"
command -v nm >/dev/null || skip "nm is not installed: the rooms are not looked at"
python3 -B "$house/rooms.py" "${srcdir:-.}" . || fail "the rooms, see above"

mkdir -p "$work/t/tests/house" "$work/t/low" "$work/t/high" "$work/t/loose"
cp "$house/rooms.py" "$work/t/tests/house"
cat >"$work/t/tests/house/rooms.table" <<'END'
room low
room high low
lines 9
not yet include low/b.c high/gone.h
END
cd "$work/t" || exit 99
echo 'int up(void); int below(void); int below(void) { return up(); }' >low/a.c
echo '#include "high/high.h"' >low/b.c
echo 'int up(void);' >high/high.h
echo 'int below(void); int other(void); int up(void); int up(void) { return below() + other(); }' >high/up.c
echo 'int up(void); int other(void); int other(void) { return up(); }' >high/other.c
echo 'int x;' >loose/x.c
for line in 1 2 3 4 5 6 7 8 9; do echo "extern int n$line;"; done >>high/high.h
for file in low/a high/up high/other; do
    ${CC:-cc} -c "$file.c" -o "$file.o" 2>"$work/cc" || finish "no compiler (cc) for the small house of the test"
done
# a row for loose/ is what is missing; the folder counts because one of its neighbours is named
echo 'room loose/inner' >>tests/house/rooms.table
python3 -B tests/house/rooms.py . . >"$work/said" && fail "a house with faults passes"
for words in 'low/b.c:1: includes high/high.h; low may use: nothing of ours' 'low/a.c needs up of high/up.c; low may use' \
    'loose/x.c is in no room' 'high has 1[0-9] lines; a room has at most 9' 'circle of 2 files.*: high/other.c high/up.c' \
    'rooms.table:4: "not yet include low/b.c high/gone.h" is no longer needed'; do
    grep -q "^$words" "$work/said" || fail "the test does not say: $words"
done
finish "what is wrong in a small house is found"
