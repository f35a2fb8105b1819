# SPDX-License-Identifier: GPL-3.0-or-later
# What several CPUs cost each other: every CPU carries out REPEAT times some work and then one instruction, or takes one
# interruption, of the kind KIND. The run ends when all are ready.
#   0 nothing  1 IPTE  2 IPTE, local clearing  3 IDTE  4 SSKE  5 emergency signal to the next CPU  6 clock comparator
#   7 CPU timer  8 ESSA  9 DIAGNOSE X'44'  10 SIGP sense  11 PFMF  12 CSP  13 RRBE
        .include "bench.inc"
        .ifndef WORK
        .equ    WORK, 200               # rounds of the loop between
        .endif
        .equ    PAGES, 0x120000         # page tables, one for each CPU
        .equ    FRAMES, 0x200000        # a megabyte for each CPU
        .equ    AREAS, 0x180000         # prefix areas, 8K bytes for each CPU
        .equ    PSW_WAITING, 0x0102000180000000
        BEGIN
        larl    %r1,new_external
        mvc     0x1b0(16,%r0),0(%r1)
        larl    %r1,new_restart
        mvc     0x1a0(16,%r0),0(%r1)
        lghi    %r10,0
        lghi    %r9,1
0:      sigp    %r4,%r9,1               # sense: how many are there?
        brc     1,1f
        aghi    %r9,1
        cghi    %r9,8
        jl      0b
1:      larl    %r1,cpus
        stg     %r9,0(%r1)
        lghi    %r6,1
2:      cgr     %r6,%r9
        jhe     own
3:      sigp    %r4,%r6,6               # restart
        brc     7,3b
        aghi    %r6,1
        j       2b
second: larl    %r1,address
        sllg    %r2,%r2,0
        stap    0x800(%r0)
        llgh    %r10,0x800(%r0)
        lgrl    %r9,cpus
        llilf   %r11,REPEAT
own:    sllg    %r2,%r10,13             # an area of its own at the prefix
        agfi    %r2,AREAS
        lghi    %r3,0x1000
        lgr     %r4,%r2
        lghi    %r5,0x1000
        lghi    %r6,0
        lgr     %r7,%r5
        mvcl    %r4,%r6
        sllg    %r3,%r10,2
        larl    %r4,prefixes
        agr     %r3,%r4
        st      %r2,0(%r3)
        spx     0(%r3)
        stctg   %c0,%c0,0x810(%r0)
        oi      0x816(%r0),0x4c         # emergency signal, clock comparator, CPU timer: bits 49, 52, 53
        lctlg   %c0,%c0,0x810(%r0)
        lhi     %r1,-1
        stg     %r1,0x818(%r0)
        lghi    %r1,-1
        stg     %r1,0x818(%r0)
        sckc    0x818(%r0)
        srlg    %r1,%r1,1
        stg     %r1,0x818(%r0)
        spt     0x818(%r0)
        sllg    %r8,%r10,11             # its page table
        agfi    %r8,PAGES
        sllg    %r7,%r10,20             # and frames
        agfi    %r7,FRAMES
        lgr     %r6,%r10                # the next CPU
        aghi    %r6,1
        cgr     %r6,%r9
        jl      4f
        lghi    %r6,0
4:      lghi    %r5,0
loop:   llilf   %r1,WORK
5:      agr     %r2,%r1
        xgr     %r3,%r2
        stg     %r3,0x820(%r0)
        brctg   %r1,5b
        sllg    %r4,%r5,12
        nilf    %r4,0xff000
        aghi    %r5,1
.if KIND==1
        ipte    %r8,%r4
.elseif KIND==2
        .insn   rrf,0xb2210000,%r8,%r4,%r0,1
.elseif KIND==3
        lgr     %r1,%r8
        lghi    %r4,0x800               # nothing to invalidate: TLBs are cleared
        idte    %r1,%r0,%r4
.elseif KIND==4
        agr     %r4,%r7
        lghi    %r1,0
        sske    %r1,%r4
.elseif KIND==5
        sigp    %r0,%r6,3
        ssm     enabled-_start-2(%r13)
        ssm     disabled-_start-2(%r13)
.elseif KIND==6
        stck    0x828(%r0)
        sckc    0x828(%r0)
        ssm     enabled-_start-2(%r13)
        nopr
        ssm     disabled-_start-2(%r13)
.elseif KIND==7
        stg     %r0,0x828(%r0)
        spt     minus-_start-2(%r13)
        ssm     enabled-_start-2(%r13)
        nopr
        ssm     disabled-_start-2(%r13)
.elseif KIND==8
        agr     %r4,%r7
        .insn   rrf,0xb9ab0000,%r1,%r4,2,0
        .insn   rrf,0xb9ab0000,%r1,%r4,1,0
.elseif KIND==9
        diag    %r0,%r0,0x44
.elseif KIND==10
        sigp    %r0,%r6,1
.elseif KIND==11
        agr     %r4,%r7
        llilf   %r1,0x20000
        .insn   rre,0xb9af0000,%r1,%r4
.elseif KIND==12
        lghi    %r0,0
        lghi    %r1,0
        lgr     %r4,%r7
        csp     %r0,%r4
.elseif KIND==13
        agr     %r4,%r7
        rrbe    %r0,%r4
.endif
        brctg   %r11,loop
        lghi    %r1,1
        larl    %r2,ready
        laag    %r3,%r1,0(%r2)
        aghi    %r3,1
        cgr     %r3,%r9
        jl      6f
        END
6:      larl    %r1,forever
        lpswe   0(%r1)
external:
        lghi    %r1,-1
        stg     %r1,0x828(%r0)
        sckc    0x828(%r0)
        srlg    %r1,%r1,1
        stg     %r1,0x828(%r0)
        spt     0x828(%r0)
        lpswe   0x130(%r0)
        .balign 8
new_external:
        .quad   0x0000000180000000,external
new_restart:
        .quad   0x0000000180000000,second_entry
forever: .quad  0x0002000180000000,0
minus:  .quad   -1
cpus:   .quad   0
ready:  .quad   0
address: .quad  0
prefixes: .skip 64
enabled: .byte  0x01
disabled: .byte 0x00
        .balign 2
second_entry:
        larl    %r13,_start
        aghi    %r13,2
        j       second
