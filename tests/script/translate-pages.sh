#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Translated code finds a page where the same instruction found one last: what it loads and stores is that of the reference
# engine when it goes from page to page, up and down, in and out of alignment, when the address space changes between two
# passes, and when the page-table entry does.
. "${srcdir:-.}/tests/lib.sh"
at=$((0x10000))
put() { # length instruction: where it stands is in $at, then behind it
    printf 'asm %x %s\n' $at "$2"
    at=$((at + $1))
}
{
    # Page tables at 22000 and 22800, the second one with other frames, falling, for pages 30 to 3f.
    put 6 'lgfi %r1,0x22000'
    put 4 'lghi %r0,256'
    put 4 'lghi %r2,0'
    put 6 'stg %r2,0(%r1)'
    put 6 'stg %r2,2048(%r1)'
    put 4 'la %r1,8(%r1)'
    put 4 'aghi %r2,4096'
    put 4 'brctg %r0,0x1000e'
    put 6 'lgfi %r1,0x22980'
    put 4 'lghi %r0,16'
    put 6 'lgfi %r2,0x4f000'
    loop=$(printf '0x%x' $at)
    put 6 'stg %r2,0(%r1)'
    put 4 'la %r1,8(%r1)'
    put 4 'aghi %r2,-4096'
    put 4 "brctg %r0,$loop"
    put 6 'lctlg %c0,%c0,0x300'
    put 6 'lctlg %c1,%c1,0x308'
    put 6 'lctlg %c7,%c7,0x310'
    start=$((at + 4))
    put 4 'lpswe 0x320'
    loop=$(printf '0x%x' $at)
    put 4 'sacf 0(%r9)'
    put 6 'lg %r3,0(%r10)'
    put 4 'agr %r4,%r3'
    put 6 'stg %r4,8(%r10)'
    put 6 'llgc %r3,3(%r10)'
    put 4 'agr %r4,%r3'
    put 4 'sth %r4,0x123(%r10)'
    put 4 'l %r3,0x234(%r10)'
    put 2 'ar %r4,%r3'
    put 4 'stc %r4,0x345(%r10)'
    put 6 'lmg %r5,%r8,16(%r10)'
    put 4 'agr %r4,%r8'
    put 6 'stmg %r4,%r7,64(%r10)'
    put 4 'la %r10,0(%r15,%r10)'
    put 6 'nilf %r10,0x37fff'
    put 6 'oilf %r10,0x30000'
    put 6 'sllg %r9,%r11,5'
    put 6 'nilf %r9,256'
    put 4 'tmll %r11,1023'
    put 4 "jne $(printf '0x%x' $((at + 8)))"
    put 4 'lcgr %r15,%r15'
    put 4 'tmll %r11,7'
    put 4 "jne $(printf '0x%x' $((at + 4 + 4 + 6 + 6)))"
    put 4 'ipte %r12,%r13'
    put 6 'xilf %r14,0x70000'
    put 6 'stg %r14,0x188(%r12)'
    put 4 "brctg %r11,$loop"
    put 4 'lpswe 0x330'
    printf 'r 300=0000000004000000\nr 308=0000000000020000\nr 310=0000000000021000\n'
    printf 'r 320=0400000180000000%016X\nr 330=00020001800000000000000000000FFF\n' $start
    printf 'r 20000=0000000000022000\nr 21000=0000000000022800\n'
    printf 'gpr 4=123456789abcdef\ngpr 9=0\ngpr 10=30000\ngpr 11=4000\ngpr 12=22000\ngpr 13=31000\ngpr 14=31000\ngpr 15=4d5\n'
    printf 'psw 0000000180000000 10000\ng\ngpr\nquit\n'
} > "$work/pages.zc"
same_on_translator "$work/pages.zc" --savecore core:20000-4ffff
cmp "$work/reference/core" "$work/translate/core" || fail 'other storage'
[ "$(od -An -v -tx8 -j 65536 "$work/translate/core" | tr -s ' ' '\n' | sort -u | wc -l)" -gt 3000 ] ||
    fail "next to nothing was stored"
finish 'pages are found where they were last, and nowhere else'
