#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb debugs Debian's kernel on two CPUs, without symbols: registers and storage of a translated space, breakpoints,
# watchpoints and steps while it boots; then the kernel goes on to its end as if nothing had been.
. "${srcdir:-.}/tests/guest/linux-lib.sh"
command -v gdb-multiarch >/dev/null || skip "there is no gdb-multiarch"
debug() # COMMANDS...: in one gdb, its answers to $work/gdb
{
    timeout 120 gdb-multiarch -q -nx -batch -ex 'set endian big' -ex "target remote $place" "$@" >"$work/gdb" 2>&1
}
answers() # REGEX
{
    grep -Eq -- "$1" "$work/gdb" || fail "$engine: gdb does not say '$1': $(cat "$work/gdb")"
}
number() # NAME: what `print/x $NAME' has shown last
{
    sed -n 's/^\$[0-9]* = \(0x[0-9a-f]*\)$/\1/p' "$work/gdb" | sed -n "$1p"
}
for engine in block; do
    "$zri" --batch --engine $engine --seconds 250 --cpus 2 --gdb "unix:$work/port" --initrd "$initrd" --kernel "$kernel" \
        >"$work/out" 2>"$work/end" </dev/null &
    guest=$!
    running=$guest
    place=$work/port
    until grep -q 'NetLabel: Initializing' "$work/out"; do
        sleep 0.2
        kill -0 $guest 2>/dev/null || fail "$engine: the guest has ended: $(tail -n 3 "$work/out")"
        [ $failed -eq 0 ] || finish
    done
    debug -ex 'info threads' -ex 'print/x $pc' -ex 'print/x $r14' -ex 'print/x $r15' -ex 'print/x ($pswm >> 58) & 1' \
        -ex 'x/2gx $r15' -ex 'x/i $r14' -ex 'monitor psw' -ex 'print/x $cr1 != 0'
    answers 'Thread 2 "CPU 1"'
    [ "$(number 4)" = 0x1 ] || fail "$engine: DAT is off: $(cat "$work/gdb")"
    answers 'PSW=07'
    [ "$(number 5)" = 0x1 ] || fail "$engine: no space: $(cat "$work/gdb")"
    pc=$(number 1) stack=$(number 3)
    debug -ex "hbreak *$pc" -ex continue -ex 'print/x $pc' -ex delete -ex stepi
    answers "hit Breakpoint 1, $(printf '0x%016x' "$pc")"
    debug -ex "watch *(long*)$stack" -ex "rwatch *(char*)($stack+8)" -ex continue -ex delete -ex 'print/x $pc' -ex detach
    answers 'hit Hardware (read )?watchpoint [12]'
    wait $guest
    status=$?
    [ $status -eq 0 ] || fail "$engine: exit status $status: $(cat "$work/end")"
    grep -q 'zri-init: the end' "$work/out" || fail "$engine: the guest's end: $(tail -n 3 "$work/out")"
    running=
done
finish "Debian's kernel in gdb, on two CPUs"
