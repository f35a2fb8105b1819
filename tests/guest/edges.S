/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For edge profiles: a program in the problem state, with its data in pages of their own, that goes through what is
   hard to follow: places that execute branches and other instructions, transactions that abort, supervisor calls, code
   that changes; and it is interrupted every 97 instructions or so. Handlers take many branches of their own. */
        .include "bare.inc"
        LOW_STORAGE
        .set    PSW_USER, 0x0101000180000000    # external interruptions, problem state
        .machine zEC12

start:  lctlg   %c0,%c0,controls
        brasl   %r14,clock
        lpswe   user_psw

/* The clock comparator strikes soon. Changes %r0. */
        .type   clock,@function
clock:  stckf   0x600
        lg      %r0,0x600
        aghi    %r0,400
        stg     %r0,0x600
        sckc    0x600
        br      %r14
        .size   clock,.-clock

        .type   external_interruption,@function
external_interruption:
        stmg    %r0,%r15,0x400
        lghi    %r3,50
1:      brct    %r3,1b
        brasl   %r14,clock
        lmg     %r0,%r15,0x400
        lpswe   0x130
        .size   external_interruption,.-external_interruption

/* 1: the end. */
        .type   svc_interruption,@function
svc_interruption:
        llgh    %r0,0x8a
        cghi    %r0,1
        je      9f
        lghi    %r0,1000
1:      brct    %r0,1b
        lpswe   0x140
9:      FINISH
        .size   svc_interruption,.-svc_interruption

        .type   program_interruption,@function
program_interruption:
        lg      %r14,0x158
        j       failed
        .size   program_interruption,.-program_interruption

        .balign 4096
        .type   user,@function
user:   lghi    %r12,200
round:  lghi    %r2,0
        brasl   %r14,executes
        brasl   %r14,transactions
        brasl   %r14,calls
        brasl   %r14,loops
        brctg   %r12,round
        svc     1

/* One place, by turns: a branch that is taken, one that is not, an instruction that is none, a call. */
        .type   executes,@function
executes:
        lgr     %r11,%r14
        lghi    %r3,40
1:      lgr     %r4,%r3
        nill    %r4,3
        sllg    %r4,%r4,2
        larl    %r5,targets
        ltr     %r0,%r3                 # not zero
        ex      %r0,0(%r4,%r5)
        aghi    %r2,1
2:      ex      %r0,16(%r5)             # never a branch
        brct    %r3,1b
        br      %r11
        .balign 4
targets:
        je      2b                      # not taken
        jne     2b                      # taken
        lr      %r6,%r7
        nopr
        j       2b
        aghi    %r2,0
        .size   executes,.-executes

/* Some end, some abort. */
        .type   transactions,@function
transactions:
        lghi    %r3,8
1:      tbegin  0,0xff00
        jnz     2f
        lgr     %r4,%r3
        nill    %r4,1
        ltgr    %r4,%r4
        jz      3f
        tabort  512
3:      tend
2:      brct    %r3,1b
        br      %r14
        .size   transactions,.-transactions

        .type   calls,@function
calls:  lgr     %r11,%r14
        lghi    %r3,3
1:      svc     7
        brasl   %r14,leaf
        larl    %r5,leaf
        basr    %r14,%r5
        brct    %r3,1b
        br      %r11
        .type   leaf,@function
leaf:   tmll    %r12,1
        jz      1f
        aghi    %r2,3
1:      br      %r14
        .size   leaf,.-leaf

        .type   loops,@function
loops:  lghi    %r3,30
1:      lgr     %r4,%r3
        nill    %r4,7
        cgij    %r4,3,8,2f
        cgij    %r4,5,2,2f
        aghi    %r2,1
        ltgr    %r4,%r4
        jnz     3f
2:      aghi    %r2,2
3:      brctg   %r3,1b
        br      %r14
        .size   loops,.-loops

        .section .lowcore
        .balign 16
user_psw: .quad PSW_USER, user
controls: .quad 0x0080000000000820      # transactions, clock comparator, measurement alert
