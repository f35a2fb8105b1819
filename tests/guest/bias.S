/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For edge profiles: programs whose profiles go wrong when they are made wrongly. Which of them runs in the problem state
   is the halfword at X'11002', how often the one at X'11006'. */
        .include "bare.inc"
        LOW_STORAGE
        .set    PSW_USER, 0x0081000180000000    # key 8, problem state
        .machine zEC12

start:  larl    %r1,later
        lghi    %r2,0x18                # fetched from with key 1 alone
        sske    %r2,%r1
        lpswe   user_psw

        .type   external_interruption,@function
external_interruption:
        j       failed
        .size   external_interruption,.-external_interruption

/* 1: the end; 2: 70000 spaces. */
        .type   svc_interruption,@function
svc_interruption:
        llgh    %r0,0x8a
        cghi    %r0,1
        je      9f
        cghi    %r0,2
        jne     8f
        lghi    %r4,0x20
        stg     %r4,0x600
        lctlg   %c1,%c1,0x600
        lpswe   spaces_psw
8:      lpswe   0x140
9:      FINISH
        .size   svc_interruption,.-svc_interruption

/* Protection: the page gets a key that fits, and the program goes on where it was. An odd address: it goes on in %r7. */
        .type   program_interruption,@function
program_interruption:
        llgh    %r0,0x8e
        cghi    %r0,4
        jne     1f
        larl    %r1,later
        lghi    %r2,0
        sske    %r2,%r1
        lg      %r1,0x158
        llgc    %r2,0x8d                # of what was to be fetched there
        slgr    %r1,%r2
        stg     %r1,0x158
        lpswe   0x150
1:      cghi    %r0,6
        jne     failed
        stg     %r7,0x158
        lpswe   0x150
        .size   program_interruption,.-program_interruption

/* Each time in another address space: real ones that differ in what does not matter. */
        .type   spaces,@function
spaces: llilh   %r3,1
        ahi     %r3,4464                # 70000
1:      sllg    %r4,%r3,12
        oill    %r4,0x20
        stg     %r4,0x600
        lctlg   %c1,%c1,0x600
        brctg   %r3,1b
        j       9b
        .size   spaces,.-spaces

        .balign 4096
        .type   user,@function
user:   lghi    %r12,1
        lghi    %r11,1
        cgije   %r12,1,truncation
        cgije   %r12,2,locking
        cgije   %r12,3,mixed
        cgije   %r12,4,unfetched
        cgije   %r12,5,resonance
        cgije   %r12,6,runs
        svc     2
        .size   user,.-user

/* As many branches in a loop of one that is taken as in one of three that are not and one that is. */
        .type   truncation,@function
truncation:
        lghi    %r3,1600
1:      brctg   %r3,1b
        lghi    %r3,400
2:      cgije   %r3,0,failed
        cgije   %r3,-1,failed
        cgije   %r3,-2,failed
        brctg   %r3,2b
        brctg   %r11,truncation
        svc     1
        .size   truncation,.-truncation

/* A loop of 100 branches, all taken. */
        .type   locking,@function
locking:
        .rept   99
        j       .+4
        .endr
        brctg   %r11,locking
        svc     1
        .size   locking,.-locking

/* Directions that nobody foretells, and long and short runs. */
        .type   mixed,@function
mixed:  brasl   %r14,some
        brctg   %r11,mixed
        svc     1
        .size   mixed,.-mixed
        .type   some,@function
some:   lgr     %r10,%r14
        lghi    %r9,20
1:      msfi    %r8,1103515245
        ahi     %r8,12345
        tmlh    %r8,0x0001
        jz      2f
        .rept   17
        aghi    %r2,1
        .endr
2:      tmlh    %r8,0x0006
        jz      3f
        tmlh    %r8,0x0018
        jnz     4f
        aghi    %r2,3
3:      brasl   %r14,leaf
4:      tmlh    %r8,0x0060
        jno     5f
        .rept   5
        aghi    %r2,1
        .endr
        cgije   %r9,7,5f
        aghi    %r2,1
5:      brct    %r9,1b
        br      %r10
        .size   some,.-some
        .type   leaf,@function
leaf:   tmlh    %r8,0x0080
        bnzr    %r14
        lr      %r3,%r8
        srl     %r3,24
        nilf    %r3,3
        ahi     %r3,1
1:      brct    %r3,1b
        br      %r14
        .size   leaf,.-leaf

/* Targets that cannot be fetched: one is mended, the other never can be. */
        .type   unfetched,@function
unfetched:
        larl    %r7,1f
        larl    %r6,later
        basr    %r14,%r6
        aghi    %r6,1
        br      %r6
1:      svc     1
        .size   unfetched,.-unfetched

/* Two thirds of all branches in a loop of 997. */
        .type   resonance,@function
resonance:
        lgr     %r5,%r11
1:      .rept   996
        j       .+4
        .endr
        brctg   %r5,1b
        sllg    %r11,%r11,2
        j       mixed
        .size   resonance,.-resonance

/* Runs of instructions that end by each kind of branch, and with what changes the PSW. */
        .type   runs,@function
runs:   lghi    %r2,1
        lghi    %r3,1
        cgije   %r2,0,runs
        lghi    %r3,1
        lghi    %r3,1
        lghi    %r3,1
        j       1f
1:      lghi    %r3,1
        brasl   %r14,2f
        lghi    %r3,1
        larl    %r4,targets
        ex      %r0,0(%r4)
        ltgr    %r3,%r3
        ex      %r0,4(%r4)
        lghi    %r3,1
        lghi    %r3,1
        lghi    %r3,1
        svc     7
        lghi    %r3,1
        lghi    %r3,1
        j       3f
2:      lghi    %r3,1
        br      %r14
3:      brctg   %r11,runs
        svc     1
        .balign 4
targets:
        lghi    %r3,1
        je      runs
        .size   runs,.-runs

        .balign 4096
        .type   later,@function
later:  br      %r14
        .size   later,.-later

        .section .lowcore
        .balign 16
user_psw: .quad PSW_USER, user
spaces_psw: .quad 0x0400000180000000, spaces
