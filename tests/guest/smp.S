/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Up to four CPUs at once: interlocked updates, locks, transactions, the order of stores and fetches, code that another CPU
   changes, pages that another CPU invalidates, signals. Every CPU runs every part; a barrier stands between the parts.
   General register 10 is the address of the CPU, 9 the number of CPUs, 15 the end of the CPU's own stack. */
        .include "bare.inc"
        .set    ROUNDS, 60000
        .set    BANK_ROUNDS, 3000
        .set    DEKKER_ROUNDS, 1000
        .set    CODE_ROUNDS, 1000
        .set    PAGE_ROUNDS, 300
        .set    SIGNALS, 50
        .set    VIRTUAL, 0xf0000        # the page that is mapped to one frame and the other
        .set    FRAMES, 0xf1000
        .set    SEGMENTS, 0xe0000       # segment table
        .set    PAGES, 0xe4000          # page table of the first segment
        .set    RESULTS, 0xc0000        # a page for each of two CPUs
        .set    AREAS, 0xa0000          # prefix area and stack, 16K bytes for each CPU
        .set    PSW_DAT, 0x0400000180000000
        .set    PSW_WAITING, 0x0102000180000000

        LOW_STORAGE
/* CPU 0 finds out how many others there are, and starts them. */
start:  lghi    %r10,0
        lghi    %r9,1
0:      sigp    %r4,%r9,1               # sense
        brc     1,1f                    # not operational
        aghi    %r9,1
        cghi    %r9,4
        jl      0b
1:      larl    %r1,cpus
        stg     %r9,0(%r1)
        brasl   %r14,make_tables
        larl    %r1,second
        stg     %r1,0x1a8(0)
        larl    %r1,started
        lghi    %r6,1
2:      cgr     %r6,%r9
        jhe     own_area
3:      sigp    %r4,%r6,6               # restart
        brc     7,3b
4:      clg     %r6,0(%r1)              # until it has read the restart PSW
        jne     4b
        aghi    %r6,1
        j       2b

second: larl    %r1,own_address
        stap    0(%r1)
        llgh    %r10,0(%r1)
        larl    %r9,cpus
        lg      %r9,0(%r9)
        larl    %r1,started
        lghi    %r2,1
        laag    %r2,%r2,0(%r1)

own_area:
        sllg    %r15,%r10,14
        agfi    %r15,AREAS
        lghi    %r2,0
        mvc     0(256,%r15),0(%r2)
        mvc     256(256,%r15),256(%r2)
        larl    %r2,areas
        sllg    %r3,%r10,3
        agr     %r2,%r3
        st      %r15,0(%r2)
        spx     0(%r2)
        aghi    %r15,0x3f00
        brasl   %r14,counters
        brasl   %r14,locks
        brasl   %r14,transactions
        brasl   %r14,bank
        brasl   %r14,dekker
        brasl   %r14,messages
        brasl   %r14,code
        brasl   %r14,pages
        brasl   %r14,signals
        brasl   %r14,barrier
        FINISH

/* All CPUs meet here. Changes %r0-%r3. */
        .type   barrier,@function
barrier:
        larl    %r1,arrived
        lg      %r2,8(%r1)              # generation
        lghi    %r0,1
        laag    %r3,%r0,0(%r1)
        aghi    %r3,1
        cgr     %r3,%r9
        jne     1f
        lghi    %r3,0
        stg     %r3,0(%r1)
        laag    %r3,%r0,8(%r1)
        br      %r14
1:      clg     %r2,8(%r1)
        je      1b
        br      %r14

/* Counters by every kind of interlocked update. */
        .type   counters,@function
counters:
        lgr     %r13,%r14
        brasl   %r14,barrier
        larl    %r2,data
        lghi    %r3,1
        lgfi    %r12,ROUNDS
        lghi    %r8,1                   # this CPU's bit
        sllg    %r8,%r8,0(%r10)
        lghi    %r11,0                  # as it is
0:      laag    %r4,%r3,0(%r2)
        laal    %r4,%r3,8(%r2)
        agsi    16(%r2),1
        asi     24(%r2),1
        algsi   32(%r2),-1
        l       %r4,40(%r2)
1:      lr      %r5,%r4
        ahi     %r5,1
        cs      %r4,%r5,40(%r2)
        jl      1b
        lmg     %r6,%r7,48(%r2)         # may be torn: then CDSG is unequal
2:      aghik   %r4,%r6,1
        aghik   %r5,%r7,-1
        cdsg    %r6,%r4,48(%r2)
        jl      2b
        .irp    n,0,1,2,3               # this CPU's bit, and is it what it should be?
        cghi    %r10,\n
        jne     3f
        xi      64(%r2),1<<\n
3:
        .endr
        xgr     %r11,%r8
        llgc    %r4,64(%r2)
        ngr     %r4,%r8
        cgr     %r4,%r11
        jne     bad
        brctg   %r12,0b
        brasl   %r14,barrier
        larl    %r2,data
        lgfi    %r4,ROUNDS
        msgr    %r4,%r9
        lcgr    %r5,%r4
        clg     %r4,0(%r2)
        jne     bad
        cl      %r4,8(%r2)
        jne     bad
        clg     %r4,16(%r2)
        jne     bad
        cl      %r4,24(%r2)
        jne     bad
        clg     %r5,32(%r2)
        jne     bad
        cl      %r4,40(%r2)
        jne     bad
        clg     %r4,48(%r2)
        jne     bad
        clg     %r5,56(%r2)
        jne     bad
        cli     64(%r2),0               # an even number of times
        jne     bad
        br      %r13

/* Plain updates of a counter under a lock taken by COMPARE AND SWAP, and under one taken by TEST AND SET. */
        .type   locks,@function
locks:
        lgr     %r13,%r14
        larl    %r2,lock
        lgfi    %r12,ROUNDS
0:      lhi     %r4,0
        lhi     %r5,1
        cs      %r4,%r5,0(%r2)
        jne     0b
        lg      %r6,8(%r2)
        la      %r6,1(%r6)
        stg     %r6,8(%r2)
        mvhi    0(%r2),0
1:      ts      16(%r2)
        jne     1b
        lg      %r6,24(%r2)
        la      %r6,1(%r6)
        stg     %r6,24(%r2)
        mvi     16(%r2),0
        brctg   %r12,0b
        brasl   %r14,barrier
        larl    %r2,lock
        lgfi    %r4,ROUNDS
        msgr    %r4,%r9
        clg     %r4,8(%r2)
        jne     bad
        clg     %r4,24(%r2)
        jne     bad
        br      %r13

/* Two counters that transactions count up together. */
        .type   transactions,@function
transactions:
        lgr     %r13,%r14
        larl    %r2,cr0_transactions
        lctlg   %c0,%c0,0(%r2)
        larl    %r2,lock
        lgfi    %r12,ROUNDS/100
0:      .insn   sil,0xe56000000000,0(%r0),-256          # TBEGIN, all registers saved
        jnz     0b
        lg      %r6,64(%r2)
        aghi    %r6,1
        stg     %r6,64(%r2)
        cg      %r6,72(%r2)
        je      bad
        stg     %r6,72(%r2)
        .insn   s,0xb2f80000,0(%r0)                     # TEND
        brctg   %r12,0b
        brasl   %r14,barrier
        larl    %r2,lock
        lgfi    %r4,ROUNDS/100
        msgr    %r4,%r9
        clg     %r4,64(%r2)
        jne     bad
        clg     %r4,72(%r2)
        jne     bad
        br      %r13

/* Sixteen accounts, two of them in 256 bytes, between which every CPU moves random amounts: in transactions, some of which
   it gives up half way, and in constrained ones. A transaction that adds all of them up sees their sum, which is zero. */
        .type   bank,@function
bank:
        lgr     %r13,%r14
        brasl   %r14,barrier
        larl    %r2,accounts
        lgfi    %r12,BANK_ROUNDS
        lgr     %r8,%r10
        msgfi   %r8,77777
        lghi    %r11,0                  # amounts that were moved
0:      msgfi   %r8,1103515245
        agfi    %r8,12345
        srlg    %r4,%r8,20
        llgcr   %r4,%r4
        nill    %r4,15
        sllg    %r4,%r4,7
        agr     %r4,%r2
        srlg    %r5,%r8,26
        llgcr   %r5,%r5
        nill    %r5,15
        sllg    %r5,%r5,7
        agr     %r5,%r2
        srlg    %r6,%r8,13
        llghr   %r6,%r6
        srlg    %r7,%r8,32
        tmll    %r7,7
        jz      4f
        tmll    %r7,0x30
        jz      3f
1:      .insn   sil,0xe56000000000,0(%r0),-256          # TBEGIN
        jo      6f                                      # given up for good
        jnz     1b
        lg      %r3,0(%r4)
        sgr     %r3,%r6
        stg     %r3,0(%r4)
        tmll    %r7,0x300
        jnz     2f
        .insn   s,0xb2fc0000,257(%r0)                   # TABORT, condition code 3
2:      lg      %r3,0(%r5)
        agr     %r3,%r6
        stg     %r3,0(%r5)
        .insn   s,0xb2f80000,0(%r0)                     # TEND
        aghi    %r11,1
        j       6f
3:      .insn   sil,0xe56100000000,0(%r0),-256          # TBEGINC
        lg      %r3,0(%r4)
        sgr     %r3,%r6
        stg     %r3,0(%r4)
        lg      %r3,0(%r5)
        agr     %r3,%r6
        stg     %r3,0(%r5)
        .insn   s,0xb2f80000,0(%r0)
        aghi    %r11,1
        j       6f
4:      .insn   sil,0xe56000000000,0(%r0),-256
        jnz     4b
        lghi    %r3,0
        lghi    %r6,16
5:      ag      %r3,0(%r2)
        la      %r2,128(%r2)
        brctg   %r6,5b
        .insn   s,0xb2f80000,0(%r0)
        larl    %r2,accounts
        ltgr    %r3,%r3
        jnz     bad
6:      brctg   %r12,0b
        cgfi    %r11,BANK_ROUNDS/2
        jl      bad
        brasl   %r14,barrier
        larl    %r2,accounts
        lghi    %r3,0
        lghi    %r6,16
        lghi    %r7,0
7:      ag      %r3,0(%r2)
        og      %r7,0(%r2)
        la      %r2,128(%r2)
        brctg   %r6,7b
        ltgr    %r3,%r3
        jnz     bad
        ltgr    %r7,%r7                 # and something was moved
        jz      bad
        br      %r13

/* A store before BCR 15,0 and a fetch behind it: of two CPUs at least one sees the other's store, in every round. Each
   notes what it saw. */
        .type   dekker,@function
dekker:
        cghi    %r9,1
        ber     %r14
        lgr     %r13,%r14
        brasl   %r14,barrier
        cghi    %r10,1
        jh      2f
        larl    %r4,flags
        lgr     %r5,%r4
        lgfi    %r8,RESULTS
        cghi    %r10,0
        jne     0f
        aghi    %r5,512
        j       3f
0:      aghi    %r4,512
        aghi    %r8,0x1000
3:      lghi    %r6,0
1:      aghi    %r6,1
        stg     %r6,0(%r4)
        bcr     15,%r0
        lg      %r7,0(%r5)
        slgr    %r7,%r6                 # a carry when the other one is as far
        lghi    %r7,0
        alcgr   %r7,%r7
        stc     %r7,0(%r6,%r8)
4:      clg     %r6,0(%r5)
        jh      4b
        cghi    %r6,DEKKER_ROUNDS
        jl      1b
2:      brasl   %r14,barrier
        lgfi    %r8,RESULTS
        lghi    %r6,DEKKER_ROUNDS
5:      llgc    %r7,0(%r6,%r8)
        lgfi    %r4,RESULTS+0x1000
        llgc    %r5,0(%r6,%r4)
        ogr     %r7,%r5
        jz      bad
        brctg   %r6,5b
        br      %r13

/* What is stored first is seen first. */
        .type   messages,@function
messages:
        lgr     %r13,%r14
        brasl   %r14,barrier
        larl    %r4,flags
        lgfi    %r5,ROUNDS
        lghi    %r6,0
        cghi    %r10,0
        jne     1f
0:      aghi    %r6,1
        stg     %r6,16(%r4)
        stg     %r6,528(%r4)
        cgr     %r6,%r5
        jl      0b
        br      %r13
1:      lg      %r6,528(%r4)
        clg     %r6,16(%r4)
        jh      bad
        cgr     %r6,%r5
        jl      1b
        br      %r13

/* CPU 0 changes an instruction that the others carry out. */
        .type   code,@function
code:
        lgr     %r13,%r14
        brasl   %r14,barrier
        larl    %r4,flags
        larl    %r7,changed
        lgfi    %r5,CODE_ROUNDS
        lghi    %r6,0
        cghi    %r10,0
        jne     1f
0:      aghi    %r6,1
        sth     %r6,2(%r7)
        stg     %r6,24(%r4)
        brasl   %r14,changed            # its own stores it sees at once
        cgr     %r2,%r6
        jne     bad
        cgr     %r6,%r5
        jl      0b
        br      %r13
1:      lg      %r6,24(%r4)
        bcr     15,%r0
        brasl   %r14,changed
        cgr     %r2,%r6
        jl      bad
        cgr     %r6,%r5
        jl      1b
        br      %r13
        .balign 256
changed:
        lghi    %r2,0
        br      %r14
        .balign 256

/* CPU 0 gives a page the one frame and the other; behind INVALIDATE PAGE TABLE ENTRY nobody sees the former one. */
        .type   pages,@function
pages:
        lgr     %r13,%r14
        brasl   %r14,barrier
        larl    %r2,asce
        lctlg   %c1,%c1,0(%r2)
        larl    %r2,psw_dat
        lpswe   0(%r2)
pages_on:
        larl    %r4,flags
        lgfi    %r5,PAGE_ROUNDS
        lghi    %r6,0
        lgfi    %r7,VIRTUAL
        cghi    %r10,0
        jne     2f
        lgfi    %r8,PAGES
1:      aghi    %r6,1
        lgr     %r12,%r6
        nilf    %r12,1
        sllg    %r12,%r12,12
        agfi    %r12,FRAMES
        stg     %r6,0(%r12)
        ipte    %r8,%r7
        lg      %r2,0xf0*8(%r8)
        tmll    %r2,0x400               # invalid now
        jz      bad
        stg     %r12,0xf0*8(%r8)
        stg     %r6,32(%r4)
        cg      %r6,0(%r7)
        jne     bad
        cgr     %r6,%r5
        jl      1b
        j       3f
2:      lg      %r6,32(%r4)
        clg     %r6,0(%r7)
        jh      bad
        cgr     %r6,%r5
        jl      2b
3:      larl    %r2,psw_real
        lpswe   0(%r2)
pages_off:
        br      %r13

/* CPU 0 calls the others, which wait; each call is answered. */
        .type   signals,@function
signals:
        lgr     %r13,%r14
        larl    %r2,cr0
        cghi    %r10,0
        je      1f
        lctlg   %c0,%c0,0(%r2)
        brasl   %r14,barrier
        lgfi    %r12,SIGNALS
0:      larl    %r2,psw_waiting
        lpswe   0(%r2)
external_interruption:
        larl    %r4,external_call
        clc     0x86(2,0),0(%r4)
        jne     bad
        larl    %r4,answers
        lghi    %r5,1
        laag    %r5,%r5,0(%r4)
        brctg   %r12,0b
        br      %r13
1:      brasl   %r14,barrier
        larl    %r4,answers
        lghi    %r6,0
        lgfi    %r12,SIGNALS
2:      lghi    %r7,1
3:      cgr     %r7,%r9
        jhe     5f
4:      sigp    %r8,%r7,2               # external call
        jnz     4b
        aghi    %r6,1
        aghi    %r7,1
        j       3b
5:      cg      %r6,0(%r4)
        jne     5b
        brctg   %r12,2b
        br      %r13

/* A page that is invalid for the moment: once more. */
program_interruption:
        larl    %r3,page_translation
        clc     0x8e(2,0),0(%r3)
        jne     bad
        lpswe   0x150(0)
svc_interruption:
bad:    brasl   %r14,failed

/* One segment, its pages where they are. */
        .type   make_tables,@function
make_tables:
        lgfi    %r1,SEGMENTS
        lghi    %r2,512
0:      mvghi   0(%r1),0x20             # invalid
        la      %r1,8(%r1)
        brctg   %r2,0b
        lgfi    %r1,PAGES
        lgfi    %r3,SEGMENTS
        stg     %r1,0(%r3)
        lghi    %r2,256
        lghi    %r4,0
        MAP_FRAMES %r1, %r4, %r2
        br      %r14

        .data
        .balign 4096                    # not in a page with code, where every store is looked at
asce:           .quad   SEGMENTS        # a segment table of 512 entries
cr0:            .quad   0x00000000000020e0
cr0_transactions: .quad 0x00800000000000e0
        .balign 16
psw_waiting:    .quad   PSW_WAITING, 0
psw_dat:        .quad   PSW_DAT, pages_on
psw_real:       .quad   PSW_64, pages_off
cpus:           .quad   1
started:        .quad   0
own_address:    .quad   0
areas:          .fill   4, 8, 0
arrived:        .quad   0, 0
answers:        .quad   0
external_call:  .short  0x1202
page_translation: .short 0x0011
        .balign 256
data:           .fill   16, 8, 0
        .balign 256
lock:           .fill   16, 8, 0
        .balign 256
flags:          .fill   128, 8, 0
        .balign 256
accounts:       .fill   256, 8, 0
