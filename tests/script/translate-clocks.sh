#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a supervisor stores and loads whenever it is entered and left, in loops long enough to be translated: clocks, the
# breaking-event-address register, and the primary and secondary spaces while it is in its home space. All engines do the
# same, at the same time, and what the architecture says.
. "${srcdir:-.}/tests/lib.sh"

# Word 30000 is 11111111 in one space and 22222222 in the other. Control register 1 and 7 get one of them each in every
# pass, by turns; r4 and r5 are sums of what the primary and the secondary space have there. The clock comparator interrupts
# when that is enabled.
program() # CR0
{
    two_spaces
    cat <<END
asm 10038 lctlg %c0,%c0,0xA00
asm 1003e lctlg %c1,%c1,0xA08
asm 10044 lctlg %c7,%c7,0xA08
asm 1004a lctlg %c13,%c13,0xA08
asm 10050 spt 0xA20
asm 10054 lbear 0xA20
asm 10058 lpswe 0xA30
asm 11000 lgfi %r1,600
asm 11006 lgfi %r12,0x30000
asm 1100c sllg %r9,%r1,3
asm 11012 nill %r9,8
asm 11016 lghi %r10,8
asm 1101a xgr %r10,%r9
asm 1101e cr %r1,%r0
asm 11020 stpt 0x700
asm 11024 brc 4,0x12000
asm 11028 lctlg %c1,%c1,0xA08(%r9)
asm 1102e lctlg %c7,%c7,0xA08(%r10)
asm 11034 stckf 0x708
asm 11038 ipm %r3
asm 1103c alr %r6,%r3
asm 1103e stckf 0x713
asm 11042 lbear 0xA10(%r9)
asm 11046 stbear 0x720
asm 1104a lg %r3,0x720
asm 11050 algr %r7,%r3
asm 11054 brc 15,0x1105c
asm 1105c stbear 0x728
asm 11060 brc 15,0x14000
asm 14000 stosm 0x740,2
asm 14004 xgr %r3,%r3
asm 14008 stosm 0x741,3
asm 1400c aghi %r14,1
asm 14010 stnsm 0x742,0xfd
asm 14014 stcke 0x750
asm 14018 stcke 0xff9(%r12)
asm 1401c brc 15,0x14020
asm 14020 xc 0x758(8),0x758
asm 14026 stnsm 0x743,0xfc
asm 1402a ssm 0xA50
asm 1402e aghi %r14,1
asm 14032 ssm 0xA51
asm 14036 brc 15,0x15000
asm 15000 sac 0
asm 15004 llgf %r3,0(%r12)
asm 1500a algr %r4,%r3
asm 1500e sac 0x100
asm 15012 llgf %r3,0(%r12)
asm 15018 algr %r5,%r3
asm 1501c sac 0x300
asm 15020 lg %r3,0x700
asm 15026 slg %r3,0x708
asm 1502c algr %r8,%r3
asm 15030 lg %r3,0x713
asm 15036 xgr %r11,%r3
asm 1503a brctg %r1,0x1100c
asm 1503e stpt 0x731
asm 13000 agsi 0x760,1
asm 13006 stckf 0x768
asm 1300a lg %r13,0x768
asm 13010 algfi %r13,1000
asm 13016 stg %r13,0x770
asm 1301c sckc 0x770
asm 13020 stbear 0x778
asm 13024 lbear 0xA18
asm 13028 lpswe 0x130
asm 12000 lpswe 0xA40
r 1D0=0002000180000000 0000000000000FFF
r 1B0=0400C00180000000 0000000000013000
r A00=$1
r A08=0000000000020000 0000000000021000
r A18=5555555555555550
r A20=00000000FF000000
r A30=0400C00180000000 0000000000011000
r A40=0002000180000000 0000000000000EEE
r A50=07040000
r 30000=11111111
r 40000=22222222
gpr 0=0
psw 0000000180000000 10000
g
gpr
r 700.80
r 30FF0.20
r 8C.4
quit
END
}
says() # NAME TEXT
{
    grep -q -- "$2" "$work/out" || fail "$1: no $2: $(cat "$work/out")"
}
for cr0 in 0000000004000800 0000000014000800; do
    program $cr0 >"$work/program"
    every "home space, CR0 $cr0" <"$work/program"
    says "home space" 'disabled wait, PSW 0002000180000000 0000000000000FFF'
    says "home space" 'program interruption 0006 (specification) at 1503E'
    grep -q '^0000000000000760  00000000 00000000' "$work/out" && fail "home space: the clock comparator does not interrupt"
    says "home space" '0720  55555555 55555550 00000000 00011054'
    says "home space" "R4=$(printf '%016X' $((300 * (0x11111111 + 0x22222222))))"
    says "home space" "R5=$(printf '%016X' $((300 * (0x11111111 + 0x22222222))))"
done
finish 'clocks, breaking-event addresses and spaces of a supervisor'
