#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Loops long enough to be translated, in which something changes that code has been made for: the same on all engines, and
# what the architecture says.
. "${srcdir:-.}/tests/lib.sh"

says() # NAME TEXT
{
    grep -q -- "$2" "$work/out" || fail "$1: no $2: $(cat "$work/out")"
}

# The condition code of LOAD AND ADD LOGICAL: carries, and results of zero, asked for in three ways
value=$((0x40000000)) added=$((0x60000000)) n=0 cc0=0 cc1=0 cc2=0 cc3=0
while [ $n -lt 300 ]; do
    sum=$((value + added))
    value=$((sum & 0xffffffff))
    carry=$((sum >> 32))
    if [ $value -eq 0 ]; then
        [ $carry -eq 1 ] && cc2=$((cc2 + 1)) || cc0=$((cc0 + 1))
    else
        [ $carry -eq 1 ] && cc3=$((cc3 + 1)) || cc1=$((cc1 + 1))
    fi
    n=$((n + 1))
done
every "LAAL" <<'END'
asm 10000 lghi %r1,300
asm 10004 llilh %r3,0x6000
asm 10008 laal %r4,%r3,0x800
asm 1000e ipm %r5
asm 10012 brc 12,0x1001a
asm 10016 aghi %r8,1
asm 1001a laal %r4,%r10,0x810
asm 10020 srl %r5,28
asm 10024 sllg %r5,%r5,2
asm 1002a asi 0xA00(%r5),1
asm 10030 brctg %r1,0x10008
asm 10034 lpswe 0x900
r 800=40000000
r 900=00020001800000000000000000000FFF
psw 0000000180000000 10000
g
r A00.10
gpr
END
says LAAL "$(printf '0000000000000A00  %08X %08X %08X %08X' $cc0 $cc1 $cc2 $cc3)"
says LAAL "$(printf 'R8=%016X' $((cc2 + cc3)))"

# ADD IMMEDIATE to storage with the fixed-point-overflow mask: the block engine has no handler then. The sums, and the
# interruption behind the one that overflows.
every "overflow mask" <<'END'
asm 10000 lghi %r1,300
asm 10004 agsi 0x808,-4
asm 1000a asi 0x814,3
asm 10010 brctg %r1,0x10004
asm 10014 lghi %r1,300
asm 10018 agsi 0x818,1
asm 1001e brctg %r1,0x10018
r 808=0000000000001000
r 810=0000000100000002
r 818=7FFFFFFFFFFFFF00
r 1D0=00020001800000000000000000000FFF
psw 0000080180000000 10000
g
r 800.20
r 8C.4
r 150.10
gpr
END
says "overflow mask" '0000000000000800  00000000 00000000 00000000 00000B50'
says "overflow mask" '0000000000000810  00000001 00000386 80000000 00000000'
says "overflow mask" '000000000000008C  00060008'
says "overflow mask" '0000000000000150  00003801 80000000 00000000 0001001E'
says "overflow mask" 'R1=000000000000002D'

# SET SYSTEM MASK switches DAT off and on: page 18 is at 19.
every "SSM" <<'END'
asm 10000 lghi %r1,300
asm 10004 llill %r12,0x8000
asm 10008 oilh %r12,1
asm 1000c ssm 0x800
asm 10010 ag %r4,0(%r12)
asm 10016 ssm 0x801
asm 1001a ag %r5,0(%r12)
asm 10020 brctg %r1,0x1000c
asm 10024 lpswe 0x900
cr 1=20000
r 800=0400
r 20000=0000000000030000
r 30000=0000000000000000
r 30080=0000000000010000
r 300C0=0000000000019000
r 18000=0000000000000001
r 19000=0000000000000100
r 900=00020001800000000000000000000FFF
psw 0000000180000000 10000
g
gpr
END
says SSM 'R4=0000000000012C00   R5=000000000000012C'

# Vector enablement goes off: the loop's first instruction is a data exception, with DXC FE, and nothing of it is done.
every "enablement" <<'END'
asm 10000 lghi %r1,300
asm 10004 va %v1,%v1,%v2,3
asm 1000a brctg %r1,0x10004
asm 1000e lctlg %c0,%c0,0x820
asm 10014 j 0x10000
cr 0=60000
r 820=0000000000040000
r 1D0=00020001800000000000000000000FFF
vr 2=00000000000000010000000000000002
psw 0000000180000000 10000
g
r 8C.4
r 93.1
r 150.10
gpr
vr
END
says enablement '^000000000000008C  00060007'
says enablement '^0000000000000093  FE'
says enablement '^0000000000000150  00000001 80000000 00000000 0001000A'
says enablement 'R1=000000000000012C'
# A page that is read and fetched from by turns is protected from execution half way; it was never fetched from after that.
every "execution protection" <<'END'
asm 10000 lghi %r1,300
asm 10004 lg %r4,0(%r12)
asm 1000a basr %r14,%r12
asm 1000c cghi %r1,150
asm 10010 brc 7,0x1001e
asm 10014 ipte %r2,%r12
asm 10018 stg %r6,0xC0(%r2)
asm 1001e brctg %r1,0x10004
asm 10022 lpswe 0x900
asm 10040 aghi %r7,1
asm 10044 j 0x1000c
asm 18000 aghi %r8,1
asm 18004 br %r14
cr 0=100000
cr 1=20000
r 20000=0000000000030000
r 30000=0000000000000000
r 30080=0000000000010000
r 300C0=0000000000018000
r 30180=0000000000030000
r 1D0=04000001800000000000000000010040
r 900=00020001800000000000000000000FFF
gpr 2=30000
gpr 6=18100
gpr 12=18000
psw 0400000180000000 10000
g
r 8C.4
gpr
END
says 'execution protection' '^000000000000008C  00020004'
says 'execution protection' 'R7=0000000000000095'
says 'execution protection' 'R8=0000000000000097'

# An instruction in two pages: its second halfword is changed in each pass, then the second page is at another place.
every "two pages" <<'END'
asm 10000 lghi %r1,300
asm 10004 j 0x10ffe
asm 10ffe aghi %r4,1
asm 11002 sth %r1,0(%r10)
asm 11006 cghi %r1,100
asm 1100a brc 7,0x11012
asm 1100e ipte %r2,%r10
asm 11012 brctg %r1,0x10ffe
asm 11016 lpswe 0x900
asm 10040 stg %r6,0x88(%r2)
asm 10046 j 0x11012
cr 1=20000
r 20000=0000000000030000
r 30000=0000000000000000
r 30080=0000000000010000
r 30088=0000000000011000
r 30180=0000000000030000
asm 15002 aghi %r5,1
asm 15006 j 0x15012
asm 15012 brctg %r1,0x14ffe
asm 15016 lpswe 0x900
r 15000=0007
r 1D0=04000001800000000000000000010040
r 900=00020001800000000000000000000FFF
gpr 2=30000
gpr 6=15000
gpr 10=11000
psw 0400000180000000 10000
g
r 8C.4
gpr
END
says 'two pages' '^000000000000008C  00020011'
says 'two pages' 'R4=0000000000009F5A   R5=0000000000000063'

# Instructions in two pages that stay what they are until they are translated: a sum whose condition code is asked for, a
# sum with storage, a branch that turns, a call, a load. Each is another one in one pass, and what it was again; then the
# second page of the first is in another frame, with other bytes, then nowhere, and then one that may be read but not
# executed.
every "two pages, translated" <<'END'
asm 10000 lghi %r1,400
asm 10004 j 0x10ffe
asm 10040 aghi %r13,1
asm 10044 a %r15,0x8C
asm 10048 stg %r3,0x88(%r2)
asm 1004e larl %r12,0x10ffe
asm 10054 stg %r12,0x158
asm 1005a lpswe 0x150
asm 10ffe aghi %r4,1
asm 11002 brc 7,0x1100a
asm 11006 aghi %r5,1
asm 1100a j 0x11ffc
asm 11ffc ag %r6,0(%r7)
asm 12002 tmll %r1,1
asm 12006 j 0x12ffe
asm 12ffe brc 8,0x13006
asm 13002 aghi %r8,1
asm 13006 j 0x13ffc
asm 13ffc brasl %r14,0x14100
asm 14002 j 0x14ffe
asm 14100 aghi %r9,1
asm 14104 br %r14
asm 14ffe lgr %r10,%r1
asm 15002 agr %r0,%r10
asm 15006 cghi %r1,201
asm 1500a brc 8,0x15100
asm 1500e cghi %r1,200
asm 15012 brc 8,0x15200
asm 15016 cghi %r1,100
asm 1501a brc 8,0x15300
asm 1501e cghi %r1,50
asm 15022 brc 8,0x15400
asm 15026 cghi %r1,25
asm 1502a brc 8,0x15500
asm 1502e brctg %r1,0x10ffe
asm 15032 lpswe 0x900
asm 15100 lghi %r12,17
asm 15104 sthrl %r12,0x11000
asm 1510a lghi %r12,9
asm 1510e sthrl %r12,0x12000
asm 15114 lghi %r12,2
asm 15118 sthrl %r12,0x13000
asm 1511e lghi %r12,0x84
asm 15122 sthrl %r12,0x14000
asm 15128 lghi %r12,0xA4
asm 1512c sthrl %r12,0x15000
asm 15132 j 0x15016
asm 15200 lghi %r12,1
asm 15204 sthrl %r12,0x11000
asm 1520a lghi %r12,8
asm 1520e sthrl %r12,0x12000
asm 15214 lghi %r12,4
asm 15218 sthrl %r12,0x13000
asm 1521e lghi %r12,0x82
asm 15222 sthrl %r12,0x14000
asm 15228 lghi %r12,0xA1
asm 1522c sthrl %r12,0x15000
asm 15232 j 0x15016
asm 15300 ipte %r2,%r11
asm 15304 stg %r3,0x88(%r2)
asm 1530a j 0x1501e
asm 15400 ipte %r2,%r11
asm 15404 j 0x15026
asm 15500 lghi %r12,0x100
asm 15504 ogr %r12,%r11
asm 15508 ipte %r2,%r11
asm 1550c stg %r12,0x88(%r2)
asm 15512 lg %r12,0(%r11)
asm 15518 j 0x1502e
r 1A000=0003
asm 1A002 brc 7,0x1A00A
asm 1A006 aghi %r5,1
asm 1A00A j 0x1AFFC
r 1AFFC=E3607000
cr 0=100000
cr 1=20000
r 20000=0000000000030000
r 30000=0000000000000000
r 30080=0000000000010000
r 30088=0000000000011000
r 30090=0000000000012000
r 30098=0000000000013000
r 300A0=0000000000014000
r 300A8=0000000000015000
r 30180=0000000000030000
r 1D0=04000001800000000000000000010040
r 900=00020001800000000000000000000FFF
r A00=0000000000000001
gpr 2=30000
gpr 3=1A000
gpr 4=FFFFFFFFFFFFFF9C
gpr 7=A00
gpr 11=11000
psw 0400000180000000 10000
g
gpr
END
says 'two pages, translated' 'R0=00000000000138F5   R1=0000000000000000'
says 'two pages, translated' 'R4=0000000000000202   R5=0000000000000001   R6=000000000000018E'
says 'two pages, translated' 'R8=00000000000000C9   R9=000000000000018F'
says 'two pages, translated' 'R13=0000000000000002'
says 'two pages, translated' 'R15=0000000000040015'

# Low-address protection: stores go down through a page, by eights and by fours, up to the first one that is protected.
for base in 0 1000; do
    every "above $base" <<END
asm 10000 lctlg %c0,%c0,0x2900
asm 10006 lghi %r1,0x$base
asm 1000a aghi %r1,0xF00
asm 1000e stg %r1,0xF8(%r1)
asm 10014 mvi 0xFF(%r1),0x77
asm 10018 asi 0xF0(%r1),1
asm 1001e st %r1,0xE0(%r1)
asm 10022 aghi %r2,1
asm 10026 aghi %r1,-4
asm 1002a brc 15,0x1000e
r 2900=0000000010000000
r 1D0=00020001800000000000000000000FFF
psw 0000000180000000 10000
g
r $base.1000
r 8E
gpr
END
    # The last that is whole stores at 200 or above with its lowest displacement, E0.
    says "above $base" "R2=$(printf '%016X' $(((0xF00 - 0x120) / 4 + 1)))"
    says "above $base" "R1=$(printf '%016X' $((0x$base + 0x11C)))"
done

# In two pages: one that has to be its CPU alone, and one that is interlocked.
for threads in '' --threads; do
    # shellcheck disable=SC2086 # an option or none
    every "crossing $threads" --cpus 2 $threads <<'END'
asm 10000 lghi %r1,3000
asm 10004 llilh %r2,2
asm 10008 j 0x10ff0
asm 10ff0 aghi %r3,16
asm 10ff4 j 0x10ffe
asm 10ffe sske %r3,%r2
asm 11002 iske %r4,%r2
asm 11006 algr %r5,%r4
asm 1100a j 0x11ffe
asm 11ffe asi 0x800,1
asm 12004 brctg %r1,0x10ff0
asm 12008 lpswe 0x900
r 900=00020001800000000000000000000FFF
psw 0000000180000000 10000
g
r 800.4
gpr
END
    n=0 sum=0
    while [ $n -lt 3000 ]; do
        n=$((n + 1))
        sum=$((sum + n * 16 % 256))
    done
    says "crossing $threads" "^0000000000000800  $(printf '%08X' 3000)"
    says "crossing $threads" "R5=$(printf '%016X' $sum)"
done

# LOAD POSITIVE, LOAD NEGATIVE: the greatest negative number, others, zero; condition codes in R8, four bits each.
every "LPGR" <<'END'
asm 10000 lghi %r1,300
asm 10004 lmg %r2,%r5,0x800
asm 1000a lghi %r8,0
asm 1000e lghi %r9,0
asm 10012 lpgr %r10,%r2
asm 10016 brasl %r14,0x10100
asm 1001c lpgr %r11,%r3
asm 10020 brasl %r14,0x10100
asm 10026 lpgr %r12,%r4
asm 1002a brasl %r14,0x10100
asm 10030 lpgr %r13,%r5
asm 10034 brasl %r14,0x10100
asm 1003a lpgfr %r6,%r2
asm 1003e brasl %r14,0x10100
asm 10044 lpgfr %r6,%r3
asm 10048 brasl %r14,0x10100
asm 1004e lngfr %r7,%r2
asm 10052 brasl %r14,0x10100
asm 10058 lngfr %r7,%r4
asm 1005c brasl %r14,0x10100
asm 10062 brctg %r1,0x1000a
asm 10066 lpswe 0x900
asm 10100 ipm %r0
asm 10104 srlg %r0,%r0,28
asm 1010a sllg %r8,%r8,4
asm 10110 ogr %r8,%r0
asm 10114 br %r14
r 800=8000000000000000FFFFFFFF8000000000000000000000070000000000000000
r 900=00020001800000000000000000000FFF
psw 0000000180000000 10000
g
gpr
END
says LPGR 'R8=0000000032200201'
says LPGR 'R6=0000000080000000   R7=FFFFFFFFFFFFFFF9'
says LPGR 'R10=8000000000000000  R11=0000000080000000'
says LPGR 'R12=0000000000000007  R13=0000000000000000'

finish 'what changes under translated code is noticed'
