/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of the programs of resume.py, linked to X'2000'. Each chunk is one instruction and an SVC; what it leaves in
   registers goes to a slot of its own. At real F60 stands what happens meanwhile: 0 nothing, 1 the data pages are
   invalid until a page-translation exception makes them valid, 2 the clock comparator interrupts again and again, 3
   program-event recording shows everything, 4 run-time instrumentation is on. */
    .machine arch13
    .set TABLE, 0x10000
    .set CHUNKS, 400
    .set SAVE, 0xf40
    .set WAY, 0xf60
    .set RESULTS, 0x200000
    .set PTES, 0x104000+8*0x80
    .set DATA, 0x80000
    .set DATA_PAGES, 32
    .text
    sam64
    lghi %r2,0
    larl %r1,chunk
    stg %r2,0(%r1)
    j next

    .org 0x40
program:
    stmg %r0,%r3,SAVE-8
    llgh %r1,0x8e
    cghi %r1,0x80
    je event
    cghi %r1,0x11
    jne other
    lg %r1,0xa8             /* translation-exception identification */
    srlg %r1,%r1,12
    aghi %r1,-(DATA/4096)
    clgfi %r1,DATA_PAGES
    jhe other
    sllg %r1,%r1,3
    agfi %r1,PTES
    lg %r2,0(%r1)
    tmll %r2,0x400
    je other
    nill %r2,0xfbff
    stg %r2,0(%r1)
    lmg %r0,%r3,SAVE-8
    lpswe 0x150
other:
    j result
event:
    lmg %r0,%r3,SAVE-8
    lpswe 0x150

    .org 0xc0
external:
    stmg %r0,%r3,SAVE-8
    clc 0x86(2),0xf90
    jne result              /* the CPU timer: it goes on for ever */
    stck 0xf30
    lg %r1,0xf30
    aghi %r1,44
    stg %r1,0xf30
    sckc 0xf30
    lmg %r0,%r3,SAVE-8
    lpswe 0x130

    .org 0x100
supervisor:
    stmg %r0,%r3,SAVE-8
    mvhi 0x8c,0             /* no program interruption */
    mvc 0x150(16),0x140
result:
    lctlg %c0,%c0,0xfa0
    larl %r1,chunk
    lg %r2,0(%r1)
    sllg %r3,%r2,10
    agfi %r3,RESULTS
    mvc 0(8,%r3),SAVE-8
    mvc 8(8,%r3),SAVE
    mvc 16(8,%r3),SAVE+8
    mvc 24(8,%r3),SAVE+16
    stmg %r4,%r15,32(%r3)
    mvc 128(4,%r3),0x8c     /* length and interruption code */
    ni 131(%r3),0x7f        /* without the event */
    mvc 136(16,%r3),0x150   /* PSW with the condition code */
    ni 136(%r3),0xbf
    ni 139(%r3),0x7f
    stfpc 152(%r3)
    stam %a0,%a15,160(%r3)
    vstm %v0,%v15,256(%r3)
    vstm %v16,%v31,512(%r3)
    la %r2,1(%r2)
    stg %r2,0(%r1)
next:
    larl %r1,chunk
    lg %r2,0(%r1)
    cghi %r2,CHUNKS
    jnl end
    lctlg %c0,%c0,0xfa0
    cli WAY+3,1
    jne 1f
0:  lgfi %r1,PTES           /* all pages of the data invalid */
    lghi %r3,DATA_PAGES
2:  oi 6(%r1),4
    la %r1,8(%r1)
    brctg %r3,2b
    ptlb
1:  sllg %r2,%r2,9
    agfi %r2,TABLE
    mvc 0xf00(16),0(%r2)    /* PSW */
    lfpc 336(%r2)
    lctlg %c0,%c1,144(%r2)
    spt 344(%r2)
    sckc 0xf98
    cli WAY+3,2
    jne 3f
    stck 0xf30
    sckc 0xf30
3:  cli WAY+3,3
    jne 4f
    oi 0xf00,0x40
    lctlg %c9,%c11,0xfb0
4:  cli WAY+3,4
    jne 5f
    oi 0xf03,0x80
    lghi %r1,0x3f00
    .insn rsy,0xeb0000000060,%r0,%r0,0(%r1) /* LRIC */
5:  lam %a0,%a15,272(%r2)
    lmg %r0,%r15,16(%r2)
    lpswe 0xf00
end:
    lpswe 0xf70
    .balign 8
chunk:
    .quad 0
