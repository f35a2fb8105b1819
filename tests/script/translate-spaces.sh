#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Translated code that several address spaces have in common branches into other pages, which are in one frame for all of
# them, or in one for each: every space carries out its own, in short turns and in long ones.
. "${srcdir:-.}/tests/lib.sh"
{
    two_spaces # in frame 40 the branch goes to page 31 as well
    cat <<'END'
asm 10038 lctlg %c0,%c0,0x300
asm 1003e lctlg %c1,%c1,0x308
asm 10044 lpswe 0x320
asm 11000 lghi %r6,3
asm 11004 tmll %r11,7
asm 11008 brc 7,0x11010
asm 1100c lghi %r6,5000
asm 11010 aghi %r4,3
asm 11014 brcl 15,0x30000
asm 30000 aghi %r4,1
asm 30004 brcl 15,0x31000
asm 40000 mghi %r4,5
asm 40004 brcl 15,0x41000
asm 31000 agr %r7,%r4
asm 31004 clgr %r7,%r8
asm 31008 brcl 4,0x12000
asm 3100e xgr %r7,%r4
asm 31012 brcl 15,0x12000
asm 12000 brctg %r6,0x11010
asm 12004 aghi %r10,1
asm 12008 sllg %r9,%r11,3
asm 1200e nill %r9,8
asm 12012 lctlg %c1,%c1,0x308(%r9)
asm 12018 brctg %r11,0x11000
asm 1201c lpswe 0x330
r 300=0000000004000000
r 308=0000000000020000
r 310=0000000000021000
r 320=0400000180000000 0000000000011000
r 330=0002000180000000 0000000000000FFF
gpr 4=123456789abcdef
gpr 7=0
gpr 8=8000000000000000
gpr 10=0
gpr 11=100
psw 0000000180000000 10000
g
gpr
quit
END
} >"$work/spaces.zc"
same_on_translator "$work/spaces.zc"
grep -q '0000000000000100' "$work/translate/said" || fail "not so many turns: $(tail -n 20 "$work/translate/said")"
finish 'each space carries out its own code behind what they have in common'
