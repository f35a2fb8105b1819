/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interruptions: supervisor calls in a loop, program interruptions with code, length and old PSW, clock comparator and
   CPU timer while running and while waiting. */
        .include "bare.inc"
        LOW_STORAGE
start:  larl    %r15,stack_end-160
        brasl   %r14,supervisor_calls
        brasl   %r14,programs
        brasl   %r14,clocks
        FINISH

        .type   supervisor_calls,@function
supervisor_calls:
        lgr     %r11,%r14
        lghi    %r2,0
        lghi    %r3,1000
1:      svc     7                       # the handler adds the number
        brctg   %r3,1b
        CHECK_EQ %r2, 7000
        lghi    %r2,0
        lghi    %r3,100
        larl    %r4,2f
3:      ex      %r3,0(%r4)              # SVC as target of EXECUTE
        brctg   %r3,3b
        CHECK_EQ %r2, 5050
        llgh    %r5,0x88
        CHECK_EQ %r5, 4
        br      %r11
2:      svc     0
        .size   supervisor_calls,.-supervisor_calls

        ADD_SVC_NUMBER %r2

/* The latest program interruption: length, and old PSW less a place. */
        .macro  LENGTH value
        llgh    %r5,0x8c
        CHECK_EQ %r5, \value
        .endm
        .macro  OLD_PSW place
        lg      %r5,0x158
        larl    %r4,\place
        sgr     %r5,%r4
        CHECK_EQ %r5, 0
        .endm

        .type   programs,@function
programs:
        lgr     %r11,%r14
        lghi    %r12,100
0:      EXPECT  0x01,1f
        .short  0                       # no instruction
1:      LENGTH  2
        OLD_PSW 1b
        EXPECT  0x06,2f
        .short  0x1c12                  # MR with an odd register
2:      LENGTH  2
        OLD_PSW 2b
        lghi    %r2,0
        lghi    %r3,5
        EXPECT  0x09,3f
        dsgr    %r2,%r2                 # division by zero
3:      LENGTH  4
        OLD_PSW 3b
        CHECK_EQ %r3, 5
        EXPECT  0x03,4f
        larl    %r4,5f
        ex      0,0(%r4)                # EXECUTE of EXECUTE
4:      LENGTH  4
        OLD_PSW 4b
        larl    %r1,with_mask           # fixed-point overflow is enabled
        larl    %r2,6f
        stg     %r2,8(%r1)
        EXPECT  0x08,7f
        llilf   %r3,0x7fffffff
        larl    %r1,with_mask
        lpswe   0(%r1)
6:      ahi     %r3,1
7:      LENGTH  4
        OLD_PSW 7b
        CHECK_EQ %r3, 0x80000000        # completed
        larl    %r1,problem_state
        larl    %r2,8f
        stg     %r2,8(%r1)
        EXPECT  0x02,9f
        larl    %r1,problem_state
        lpswe   0(%r1)
8:      stctg   %c0,%c0,0(%r15)         # privileged
9:      LENGTH  6
        OLD_PSW 9b
        EXPECT  0x06,10f
        llilf   %r2,0x10001
        br      %r2                     # odd instruction address
10:     EXPECT  0x05,11f
        lghi    %r2,-8
        lg      %r3,0(%r2)              # no such storage
11:     brctg   %r12,0b
        br      %r11
5:      ex      0,0(%r4)
        .size   programs,.-programs

        .type   clocks,@function
clocks: lgr     %r11,%r14
        larl    %r1,masks_comparator
        lctlg   %c0,%c0,0(%r1)
        lghi    %r12,20
1:      larl    %r9,interruptions
        mvghi   0(%r9),0
        stckf   0(%r15)                 # due in 20 microseconds
        lg      %r2,0(%r15)
        aghi    %r2,20*4096/10
        stg     %r2,0(%r15)
        sckc    0(%r15)
        stosm   8(%r15),1
2:      ltg     %r2,0(%r9)
        jz      2b
        stnsm   8(%r15),0
        CHECK_EQ %r2, 0x1004
        mvghi   0(%r9),0
        stckf   0(%r15)                 # the same while waiting
        lg      %r2,0(%r15)
        aghi    %r2,20*4096/10
        stg     %r2,0(%r15)
        sckc    0(%r15)
        larl    %r1,enabled_wait
        lpswe   0(%r1)
behind_wait:
        lg      %r2,0(%r9)
        CHECK_EQ %r2, 0x1004
        brctg   %r12,1b
        larl    %r1,masks_timer
        lctlg   %c0,%c0,0(%r1)
        lghi    %r12,20
3:      mvghi   0(%r9),0
        mvghi   0(%r15),30000
        spt     0(%r15)
        stosm   8(%r15),1
4:      ltg     %r2,0(%r9)
        jz      4b
        stnsm   8(%r15),0
        CHECK_EQ %r2, 0x1005
        brctg   %r12,3b
        larl    %r1,masks_none
        lctlg   %c0,%c0,0(%r1)
        br      %r11
        .size   clocks,.-clocks

/* Note the code, silence the source, leave the wait state. */
        .type   external_interruption,@function
external_interruption:
        llgh    %r0,0x86
        stg     %r0,0(%r9)
        larl    %r1,never
        sckc    8(%r1)
        spt     0(%r1)
        tm      0x131,2
        larl    %r1,behind
        jo      5f
        lpswe   0x130
5:      lpswe   0(%r1)
        .size   external_interruption,.-external_interruption
        PROGRAM_INTERRUPTION
        .balign 16
with_mask:      .quad   PSW_64+0x0000080000000000, 0
problem_state:  .quad   PSW_64+0x0001000000000000, 0
enabled_wait:   .quad   PSW_64+0x0102000000000000, 0
behind:         .quad   PSW_64, behind_wait
masks_comparator: .quad 0x800
masks_timer:    .quad   0x400
masks_none:     .quad   0
never:          .quad   0x7fffffffffffffff, -1
interruptions:  .quad   0
        .bss
        .balign 4096
stack:  .space  8192
stack_end:
