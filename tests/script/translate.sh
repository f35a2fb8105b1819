#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --engine translate: the same as block, also where the host refuses memory for code, which is said once.
. "${srcdir:-.}/tests/lib.sh"
"$zri" --batch --demo > "$work/block" 2> "$work/block.err" || fail "block: $(cat "$work/block.err")"
"$zri" --batch --demo --engine translate > "$work/out" 2> "$work/err" || fail "translate: $(cat "$work/err")"
cmp "$work/block" "$work/out" || fail 'the demonstration differs'
if grep -q 'without a translator\|no MOVBE' "$work/err"; then
    skip "$(head -n 1 "$work/err")"
fi

# A lockstep with the reference engine.
"$zri" --batch --demo --lockstep --engine translate > "$work/out" 2> "$work/err"
grep -q 'no difference' "$work/out" "$work/err" || fail "lockstep: $(cat "$work/out" "$work/err")"

# The console changes it, and back.
printf 'engine\nengine translate\nengine\nengine reference\nengine block\nengine\nquit\n' |
    "$zri" > "$work/out" 2>&1 || fail "console: $(cat "$work/out")"
[ "$(grep -cx 'translate' "$work/out")" = 1 ] || fail "console: $(cat "$work/out")"

# No file of any size may be made: the code buffer is refused, and the guest notices nothing.
(
    trap '' XFSZ
    ulimit -f 0
    "$zri" --batch --demo --engine translate
) 2>&1 | cat > "$work/out"
[ "$(grep -c 'the host gives no memory for translated code' "$work/out")" = 1 ] || fail "refused: $(head -n 3 "$work/out")"
grep -v 'the host gives no memory' "$work/out" > "$work/rest"
cat "$work/block" "$work/block.err" > "$work/both"
[ "$(sort "$work/rest")" = "$(sort "$work/both")" ] || fail "refused: another end: $(diff "$work/rest" "$work/both" | head -n 4)"
finish 'the translator is chosen, refused and compared'
