#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Snapshots from the console and by --snapshot: the demonstration goes on to the same end, storage and all.
. "${srcdir:-.}/tests/lib.sh"
fail() { echo "FAIL: $*"; exit 1; } # what follows stands on it

"$zri" --demo --batch --savecore "$work/whole:0-7FFFFFF" > "$work/whole.txt" 2>&1 || fail "the demonstration"
printf 's 7001\nsnapshot save %s\n' "$work/a.zs" > "$work/save.zc"
"$zri" --demo --script "$work/save.zc" > "$work/out" 2>&1
saved=$?
grep -q "built without zlib" "$work/out" && skip "zri was built without zlib"
[ $saved -eq 0 ] || { cat "$work/out"; fail "snapshot save"; }
if [ ! -s "$work/a.zs" ]; then
    fail "no file was written"
fi
"$zri" --snapshot "$work/a.zs" --batch --savecore "$work/part:0-7FFFFFF" > "$work/part.txt" 2>&1 || fail "--snapshot"
cmp "$work/whole" "$work/part" || fail "storage differs at the end"
"$zri" --snapshot "$work/a.zs" --lockstep > "$work/out" 2>&1 || { cat "$work/out"; fail "--snapshot --lockstep"; }

# what is no file stays what it is
mkfifo "$work/pipe"
echo "snapshot save $work/pipe" | "$zri" > "$work/out" 2>&1
grep -q "^snapshot: '.*/pipe' is no file; name one, or one that is not there yet$" "$work/out" && [ -p "$work/pipe" ] ||
    { cat "$work/out"; fail "a pipe was replaced"; }

# from the console, by the other names; a file that is not right leaves the machine as it was
head -c 1000 "$work/a.zs" > "$work/cut.zs"
{
    echo "gpr 3=ABCDE"
    echo "resume $work/cut.zs"
    echo "gpr"
    echo "resume $work/a.zs"
    echo "g"
    echo "suspend $work/b.zs"
} | "$zri" > "$work/out" 2>&1
grep -q "cut.zs.*section.*take another one" "$work/out" || { cat "$work/out"; fail "a truncated file"; }
grep -qi "ABCDE" "$work/out" || { cat "$work/out"; fail "the machine did not stay as it was"; }
grep -q "0000000000000FFF" "$work/out" || { cat "$work/out"; fail "resume and g"; }
[ -s "$work/b.zs" ] || fail "suspend"
"$zri" --snapshot "$work/none.zs" --batch > "$work/out" 2>&1
[ $? -eq 2 ] || fail "status of a file that is not there"
echo "snapshot: all passed"
