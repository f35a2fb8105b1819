#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb debugs Debian's kernel on two CPUs, without symbols: registers and storage of a translated space, breakpoints,
# watchpoints and steps while it boots; then the kernel goes on to its end as if nothing had been.
. "${srcdir:-.}/tests/guest/linux-lib.sh"
short && skip "a slow build: gdb waits for no boot of this length"
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
    # the guest cannot end before gdb has come: its shell waits
    start_typing out --engine $engine --seconds 250 --cpus 2 --gdb "unix:$work/port" --initrd "$initrd" --kernel "$kernel" \
        --append zri.shell
    place=$work/port
    wait_for out 'NetLabel: Initializing' || finish
    # the last one watches where each interruption leaves registers and times: the kernel cannot help it
    debug -ex 'info threads' -ex 'print/x $pc' -ex 'print/x ($pswm >> 58) & 1' -ex 'x/2gx $r15' -ex 'x/i $r14' \
        -ex 'monitor psw' -ex 'print/x $cr1 != 0' -ex 'set $here = $pc' -ex 'stepi' -ex 'hbreak *$here' -ex continue \
        -ex 'delete' -ex 'watch *(char(*)[512])0x200' -ex continue -ex delete -ex detach
    answers 'Thread 2 "CPU 1"'
    [ "$(number 2)" = 0x1 ] || fail "$engine: DAT is off: $(cat "$work/gdb")"
    answers 'PSW=0[0-9A-F]{15} [0-9A-F]{16}'
    [ "$(number 3)" = 0x1 ] || fail "$engine: no space: $(cat "$work/gdb")"
    answers "hit Breakpoint 1, $(printf '0x%016x' "$(number 1)")|hit Hardware watchpoint 2"
    answers 'hit Hardware watchpoint 2'
    answers 'detached'
    wait_for out 'zri# ' && type_line exit
    wait_end
    good_end out
    says out 'zri-init: the end'
done
finish "Debian's kernel in gdb, on two CPUs"
