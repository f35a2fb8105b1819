#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Boots of Debian's kernel traced whole (exception trace, everything selected): on one CPU, on four in turn, on four with a host
# thread each. The streams decode without a word, the guest does what it does untraced, and both engines put out the same.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
reader=$(dirname "$zri")/zri-et
full=signal=on,state=on,tpi=on,info=on,addr=old+new+ret,timestamps=inline,tailflag=both,lateflag=on,preset=os
# decoded NAME: the stream of a boot says nothing of damage, and has interruptions of the classes that a boot has.
decoded()
{
    "$reader" "$work/$1.et" >"$work/$1.text" 2>"$work/$1.err" || fail "$1: zri-et ends with $?: $(grep '^!!' "$work/$1.text" | head -n 3)"
    for class in 'SVC 4' 'PGM 11' 'EXT clock-comparator' 'EXT service-signal'; do
        grep -q " ENTRY  ... $class" "$work/$1.text" || fail "$1: no $class"
    done
}

part 'ET-110 ET-111 a boot on one CPU is the same with and without, and decodes'
boot plain -m 128M --kernel "$kernel" --initrd "$initrd" --append zri.work
good_end plain
boot traced -m 128M --kernel "$kernel" --initrd "$initrd" --append zri.work --et "$full,clock=tod" --et-out "$work/traced.et"
good_end traced
cmp "$work/plain" "$work/traced" || fail "the trace changes the boot"
check_work traced
decoded traced
enough "a boot with exception trace"

part 'ET-110 both engines put out the same of a boot'
for engine in block reference; do
    "$zri" --batch -m 128M --engine $engine --limit 60000000 --kernel "$kernel" --initrd "$initrd" --append zri.work \
        --et "$full,clock=cycle" --et-out "$work/$engine.et" >"$work/$engine" 2>&1 </dev/null
done
cmp "$work/block.et" "$work/reference.et" || fail "the engines differ"

part 'ET-1 boots on four CPUs, in turn and in threads'
boot four -m 256M --cpus 4 --kernel "$kernel" --initrd "$initrd" --append zri.work --et "$full,clock=tod" --et-out "$work/four.et"
good_end four
decoded four
for cpu in 0 1 2 3; do
    grep -q " cpu0$cpu .*ENTRY" "$work/four.text" || fail "four: nothing of CPU $cpu"
done
boot threads -m 256M --cpus 4 --threads --kernel "$kernel" --initrd "$initrd" --append zri.work --et "$full,clock=tod" \
    --et-out "$work/threads.et"
good_end threads
decoded threads
finish "boots with exception trace, on one CPU and on four"
