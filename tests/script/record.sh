#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings for a user: a run is replayed on each engine and under each observer, at the console and backwards; what is of
# another run, cut off, of another version, without room, beyond its limit or changed by hand is said.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
"$zri" --batch --demo --record probe >out 2>&1
if grep -q 'without zlib' out; then
    grep -q 'zri was built without zlib, and neither writes nor reads recordings; install' out && finish "refused without zlib"
    fail "without zlib: $(cat out)"
    finish
fi
# said NAME STATUS WORDS: of the last run, in out
said()
{
    [ "$status" -eq "$2" ] || fail "$1: exit status $status: $(cat out)"
    grep -qF -- "$3" out || fail "$1: not said: $3: $(cat out)"
}
run() # OPTIONS...: its output in out
{
    "$zri" "$@" >out 2>&1 </dev/null
    status=$?
}

# 1. Engines and observers.
engines='block reference'
"$zri" --batch --demo --engine translate 2>&1 | grep -q 'without a translator\|no MOVBE' || engines="$engines translate"
for engine in $engines; do
    run --batch --demo --engine $engine --record $engine.rec
    said "recorded on $engine" 0 'PSW 0402000180000000 0000000000000FFF'
    cp out $engine.out
done
for engine in $engines; do
    for other in $engines; do
        run --batch --demo --engine $engine --replay $other.rec --savecore core:0-FFFFF
        [ $status -eq 0 ] && cmp out $other.out || fail "$other's recording on $engine: $(cat out)"
    done
done
for observer in '--ri-log log' '--et-out et' '--profile-out prof' '--trace trace' '--history 16M,2000'; do
    # shellcheck disable=SC2086
    run --batch --demo --replay block.rec $observer
    grep -v '^zri: profile: no branch' out >seen
    [ $status -eq 0 ] && cmp seen block.out || fail "observed by $observer: $(cat out)"
done

# 2. At the console, and back and forth in what is replayed.
printf 'g\nrs 3\ngoto 5000\nrg\ng\nhistory\n' >commands
run --demo --stop --replay block.rec --history 16M,1000 --script commands
said 'the console' 0 'it is there, 5000 instructions so far'
said 'the console' 0 'the past that is kept begins here, 0 instructions'
grep -q 'another way\|is left' out && fail "the console: $(cat out)"
printf 'g\ngoto 5000\ngpr 3=1\ng\n' >commands
run --demo --stop --replay block.rec --history 16M,1000 --script commands
said 'changed' 0 "recording 'block.rec': it is left here, at instruction 5000: somebody changed the machine"
printf 'b 10010\ng\ngpr 3=5\ng\n' >commands
printf '\nasm 10000 lgfi %%r4,0x20000\nasm 10006 lgfi %%r5,100\nasm 1000c aghi %%r3,1\nasm 10010 cgr %%r3,%%r5\n' >loop
printf 'asm 10014 jl 0x1000c\nasm 10018 lpswe 0(%%r4)\nr 20000=0002000180000000 0000000000000FFF\npsw 0000000180000000 10000\n' >>loop
cat loop commands >script
run --batch --record changed.rec --script script
said 'changed by a recording hand' 1 "recording 'changed.rec': it ends here, at instruction 3: somebody changed the machine; the guest goes on"
cat loop - >script <<'END2'
g
END2
run --batch --replay changed.rec --script script
said 'the changed one' 3 "recording 'changed.rec': it ends here, at instruction 3"

# 3. What goes not together.
for pair in 'record a --replay b' 'record a --threads' 'replay a --threads' 'record a --lockstep' 'history 16M --lockstep' \
    'history 16M --clock host' 'record-limit 1M' 'record a --record-limit 5' 'history 5' 'history 16M,x'; do
    # shellcheck disable=SC2086
    run --batch --demo --$pair
    [ $status -eq 2 ] && grep -q '^zri: --\|^zri: option' out || fail "--$pair: $status $(cat out)"
done

# 4. Of another run.
run --batch --demo --replay block.rec -m 64M
said 'storage' 2 "is of another run: --storage was 134217728 bytes and is 67108864 bytes; give what was recorded"
run --batch --demo --replay block.rec --device 0009,3215
said 'a device' 2 "device 0:0009 was not there and is 3215"
printf '\000\002\000\001\200\000\000\000\000\000\000\000\000\000\017\377' >image
run --batch image --replay block.rec
said 'an image' 2 "image 1 was builtin:demo and is a file of 16 bytes"
while read -r console append; do # a kernel that is told to write on the VT220 has one, unless another console is asked for
    # shellcheck disable=SC2086
    run --batch image ${console%-} --append "$append" --replay block.rec
    said "console $console $append" 2 '--console was 1 and is 2'
done <<'END'
- console=ttysclp0
- nokaslr console=ttyS0 console=ttysclp0 quiet
--console=ascii console=ttyS0
END
while read -r console append; do
    # shellcheck disable=SC2086
    run --batch image ${console%-} --append "$append" --replay block.rec
    said "console $console $append" 2 'image 1 was builtin:demo'
done <<'END'
--console=line console=ttysclp0
- console=ttyS0
- noconsole=ttysclp0
END
run --batch --demo --replay block.rec --profile z13
said 'a profile' 2 '--profile was max and is z13'

# 5. Files that are not whole.
run --batch --demo --replay nothing
said 'none' 2 "recording 'nothing': it cannot be read: No such file or directory; name a file that zri --record wrote"
run --batch --demo --replay image
said 'no recording' 2 "'image' is no recording; name a file that zri --record wrote"
{ head -c 8 block.rec; printf '\000\000\000\011'; tail -c +13 block.rec; } >version
run --batch --demo --replay version
said 'version' 2 "recording 'version' has version 9, and this zri reads version 1; replay it with the zri that recorded it"
size=$(wc -c <block.rec)
head -c $((size - 1)) block.rec >cut
run --batch --demo --replay cut
said 'cut off' 2 "recording 'cut': it is cut off or damaged behind byte"
said 'cut off' 2 'take a whole copy, or record again'
head -c 40 block.rec >cut
run --batch --demo --replay cut
said 'cut short' 2 "recording 'cut' is cut off or damaged at byte 12, where it says what was recorded; record again"
{ head -c $((size - 5)) block.rec; printf 'XXXXX'; } >cut
run --batch --demo --replay cut
said 'damaged' 2 "recording 'cut': it is cut off or damaged behind byte"

# 6. Without room, and nowhere to write.
run --batch --demo --record /nowhere/file
said 'no folder' 2 "recording '/nowhere/file': it cannot be written: No such file or directory; name a file in a folder that"
run --batch --demo --record /dev/full
said 'full at once' 2 "recording '/dev/full': it cannot be written: No space left on device"
(ulimit -f 0 && trap '' XFSZ && "$zri" --batch --demo --record over || echo "status $?") </dev/null 2>&1 | cat >out
grep -qx 'status 2' out || fail "no file at all: $(cat out)"
status=2
said 'no file at all' 2 "recording 'over': it cannot be written: File too large"
"$zri" --batch --demo --record /dev/fd/9 >out 2>&1 </dev/null 9>&-
status=$?
said 'a closed descriptor' 2 "recording '/dev/fd/9': it cannot be written: No such file or directory"
mkdir -p ro
run --batch --demo --record ro
said 'a folder' 2 "recording 'ro': it cannot be written: Is a directory"

# 7. --limit ends a recording in order, and so does its replay; the exit status is that of a limit.
run --batch --demo --limit 3000 --record part.rec
said 'a limit' 3 'the number of instructions that --limit gives is over'
run --batch --demo --replay part.rec --engine reference
said 'a limit once more' 3 "recording 'part.rec': it ends here, at instruction 3000"
finish 'recordings are replayed on each engine and under observation; what is wrong with them is said'
