/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of the random programs of mix.py, linked to X'2000'. A program interruption goes on behind the instruction;
   after many of them, after a supervisor call and when the CPU timer has run out the next chunk begins. The clock
   comparator interrupts and returns. Offsets in an entry of the table are those of mix.py. */
    .machine arch13
    .set TABLE, 0x10000
    .set CHUNKS, 200
    .set SAVE, 0xf40
    .set COUNT, 0xf88
    .text
    sam64
    lghi %r2,0
    larl %r1,chunk
    stg %r2,0(%r1)
    j keys

    .org 0x40
program:
    stmg %r1,%r3,SAVE
    agsi COUNT,-1
    jm next
    llgh %r1,0x8e           /* code */
    cghi %r1,1              /* nothing is there: it has gone astray */
    je next
    cghi %r1,0x3f           /* of a transaction, PER: the old PSW is right */
    jh return
    cghi %r1,0x20
    jnl nullified
    cghi %r1,0x10
    je nullified
    cghi %r1,0x11
    jne return
nullified:
    llgc %r1,0x8d
    ag %r1,0x158
    stg %r1,0xf28
    mvc 0xf20(8),0x150
    lmg %r1,%r3,SAVE
    lpswe 0xf20
return:
    lmg %r1,%r3,SAVE
    lpswe 0x150

    .org 0xc0
external:
    clc 0x86(2),0xf90
    jne next
    sckc 0xf98
    lpswe 0x130

    .org 0x100
next:
    larl %r1,chunk
    lg %r2,0(%r1)
    la %r3,1(%r2)
    stg %r3,0(%r1)
    cghi %r2,CHUNKS
    jnl end
    sllg %r2,%r2,10
    agfi %r2,TABLE
    lctlg 0,2,0xfa0         /* everything may be used */
    mvghi COUNT,20
    mvc 0xf00(16),0(%r2)    /* PSW */
    lfpc 336(%r2)
    .irp v,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vl %v\v,464+16*\v(%r2)
    .endr
    lgsc %r0,432(%r2)
    .insn rsy,0xeb0000000060,%r0,%r0,368(%r2) /* LRIC */
    spt 344(%r2)
    stck 0xf30
    lg %r3,0xf30
    ag %r3,352(%r2)
    stg %r3,0xf30
    sckc 0xf30
    lctlg 0,15,144(%r2)
    lam %a0,%a15,272(%r2)
    lmg %r0,%r15,16(%r2)
    lpswe 0xf00
end:
    lpswe 0xf70
    .balign 8
chunk:
    .quad 0
keys:                       /* storage keys */
    lghi %r1,0
    larl %r3,0x3000
0:  llgc %r4,0(%r2,%r3)
    sske %r4,%r1
    aghi %r1,4096
    aghi %r2,1
    cghi %r2,1024
    jl 0b
    j next
