#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The breaking-event address that a program interruption stores is that of the reference engine: in the first pass of a loop,
# come to by a jump or from above, and in later ones.
. "${srcdir:-.}/tests/lib.sh"
at=$((0x10000))
put() { # length instruction: where it stands is in $at, then behind it
    printf 'asm %x %s\n' $at "$2"
    at=$((at + $1))
}
{
    # R11 counts; its rightmost bits say in which pass of a loop the end of storage is come to, and how that is entered.
    start=$(printf '%x' $at)
    put 4 'lgr %r2,%r11'
    put 4 'nill %r2,7'
    put 6 'sllg %r2,%r2,2'
    put 4 'lcgr %r2,%r2'
    put 6 'algfi %r2,0x100000'
    put 4 'lghi %r0,1000'
    put 4 'tmll %r11,8'
    jump=$at
    at=$((at + 4))
    loop=$at
    put 4 'l %r3,0(%r2)'
    put 2 'ar %r5,%r3'
    put 4 'la %r2,4(%r2)'
    put 4 "brct %r0,$(printf '0x%x' $loop)"
    put 2 'svc 1'
    entry=$at
    at=$jump
    put 4 "jne $(printf '0x%x' $entry)"
    at=$entry
    put 4 "j $(printf '0x%x' $loop)"
    # Whatever is interrupted: its breaking-event address becomes a part of R4.
    at=$((0x11000))
    put 6 'lg %r6,0x110'
    put 6 'rllg %r4,%r4,7'
    put 4 'agr %r4,%r6'
    put 4 'agr %r4,%r0'
    put 4 "brctg %r11,0x$start"
    put 4 'lpswe 0x330'
    printf 'r 1d0=00000001800000000000000000011000\nr 330=00020001800000000000000000000FFF\n'
    printf 'gpr 11=1000\npsw 0000000180000000 %s\ng\ngpr\nquit\n' "$start"
} > "$work/bear.zc"
same_on_translator "$work/bear.zc" -m 1M
finish 'loops have the breaking-event address that they should'
