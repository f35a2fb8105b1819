#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --engine translate: the same as block, also where the host refuses memory for code, which is said once; what it tells of
# its code.
. "${srcdir:-.}/tests/lib.sh"
"$zri" --batch --demo --engine block > "$work/block" 2> "$work/block.err" || fail "block: $(cat "$work/block.err")"
"$zri" --batch --demo --engine translate > "$work/out" 2> "$work/err" || fail "translate: $(cat "$work/err")"
cmp "$work/block" "$work/out" || fail 'the demonstration differs'
if grep -q 'without a translator\|no MOVBE' "$work/err"; then
    skip "$(head -n 1 "$work/err")"
fi

# A lockstep with the reference engine.
"$zri" --batch --demo --lockstep --engine translate > "$work/out" 2> "$work/err"
grep -q 'no difference' "$work/out" "$work/err" || fail "lockstep: $(cat "$work/out" "$work/err")"

# It is the default. The console changes it, and back.
[ "$(echo engine | "$zri" 2>&1)" = translate ] || fail "another default: $(echo engine | "$zri" 2>&1)"
printf 'engine\nengine translate\nengine\nengine reference\nengine block\nengine\nquit\n' |
    "$zri" --engine block > "$work/out" 2>&1 || fail "console: $(cat "$work/out")"
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
# What was translated: --dump-code, and a map for perf, by the number of the process.
printf 'asm 10000 lghi %%r1,1000\nasm 10004 agr %%r2,%%r1\nasm 10008 brctg %%r1,0x10004\nasm 1000c lpswe 0x200\nr 200=00020001800000000000000000000FFF\npsw 0000000180000000 10000\ng\nquit\n' \
    > "$work/loop.zc"
sh -c 'echo $$ > "$1/pid"; exec "$2" --engine translate --dump-code "$1/dump" --perf-map --script "$1/loop.zc"' sh "$work" "$zri" \
    > "$work/out" 2>&1 < /dev/null
map=/tmp/perf-$(cat "$work/pid").map
grep -q '^block 0000000000010004, CPU 0, 2 instructions, ' "$work/dump" || fail "dump: $(head -n 5 "$work/dump" "$work/out")"
grep -q '^  10008 brctg' "$work/dump" || fail "dump: $(head -n 5 "$work/dump")"
grep -q '^code 4[0-9a-f] ' "$work/dump" || fail "dump: $(head -n 5 "$work/dump")"
grep -q '^apart ' "$work/dump" || fail "dump: $(head -n 5 "$work/dump")"
grep -q '^[0-9a-f]* [0-9a-f]* zri-10004$' "$map" || fail "map: $(cat "$map")"
rm -f "$map"

# A fault of the host in translated code, here by another program, is told with block, instruction and PSW.
printf 'asm 10000 aghi %%r2,1\nasm 10004 j 0x10000\npsw 0000000180000000 10000\ng\nquit\n' > "$work/for-ever.zc"
"$zri" --engine translate --seconds 60 --script "$work/for-ever.zc" > "$work/out" 2>&1 < /dev/null &
pid=$!
heeds $pid
sleep 1
kill -SEGV $pid
wait $pid 2> /dev/null
grep -q 'zri: host signal 11; CPU 0 in translated code: block at 10000, instruction at 1000[04] `.*, PSW 0000000180000000 000000000001000[04]' \
    "$work/out" || fail "fault: $(tail -n 3 "$work/out")"
finish 'the translator is chosen, refused and compared'
