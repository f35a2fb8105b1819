/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that change themselves: a store is honoured at the next instruction, however it was made. */
        .include "bare.inc"
        LOW_STORAGE
start:  larl    %r15,stack_end-160
        lghi    %r12,50                 # rounds, so that the code is hot
round:  brasl   %r14,next_instruction
        brasl   %r14,countdown
        brasl   %r14,behind_a_call
        brasl   %r14,by_moves
        brasl   %r14,real_store
        brasl   %r14,execute_target
        brasl   %r14,same_line
        brctg   %r12,round
        FINISH

/* The immediate of the instruction right behind the store. */
        .type   next_instruction,@function
next_instruction:
        lgr     %r11,%r14
        lghi    %r2,0
        lghi    %r3,1000
0:      larl    %r4,1f
        sth     %r3,2(%r4)
1:      aghi    %r2,0                   # adds r3
        brctg   %r3,0b
        CHECK_EQ %r2, 500500
        br      %r11
        .size   next_instruction,.-next_instruction

/* A loop that turns its own branch into a no-operation. */
        .type   countdown,@function
countdown:
        lgr     %r11,%r14
        larl    %r4,2f
        mvi     1(%r4),0xf4
        lghi    %r2,0
1:      aghi    %r2,1
        cghi    %r2,300
        jne     2f
        mvi     1(%r4),0x04             # J becomes JNOP
2:      j       1b
        CHECK_EQ %r2, 300
        br      %r11
        .size   countdown,.-countdown

/* Code on another page is changed between two calls of it. */
        .type   behind_a_call,@function
behind_a_call:
        lgr     %r11,%r14
        larl    %r4,far
        lghi    %r5,0
        lghi    %r3,200
1:      sth     %r3,2(%r4)
        brasl   %r14,far
        agr     %r5,%r2
        brctg   %r3,1b
        CHECK_EQ %r5, 20100
        br      %r11
        .size   behind_a_call,.-behind_a_call

/* Whole routines are moved over each other by MVC and XC. */
        .type   by_moves,@function
by_moves:
        lgr     %r11,%r14
        larl    %r4,slot
        larl    %r5,one
        larl    %r6,two
        lghi    %r7,0
        lghi    %r3,100
1:      mvc     0(8,%r4),0(%r5)
        brasl   %r14,slot
        agr     %r7,%r2
        mvc     0(8,%r4),0(%r6)
        brasl   %r14,slot
        agr     %r7,%r2
        xc      0(8,%r4),0(%r5)         # two xor one, and back
        xc      0(8,%r4),0(%r5)
        brasl   %r14,slot
        agr     %r7,%r2
        brctg   %r3,1b
        CHECK_EQ %r7, 100*(1+2+2)
        br      %r11
        .balign 8
one:    lghi    %r2,1
        br      %r14
        .balign 8
two:    lghi    %r2,2
        br      %r14
        .size   by_moves,.-by_moves

/* STURG stores to the real address. */
        .type   real_store,@function
real_store:
        lgr     %r11,%r14
        larl    %r4,slot
        larl    %r5,one
        lghi    %r7,0
        lghi    %r3,100
1:      lg      %r6,0(%r5)
        sturg   %r6,%r4
        brasl   %r14,slot
        agr     %r7,%r2
        mvhhi   2(%r4),5
        brasl   %r14,slot
        agr     %r7,%r2
        brctg   %r3,1b
        CHECK_EQ %r7, 600
        br      %r11
        .size   real_store,.-real_store

/* The target of EXECUTE changes, and EXECUTE stores over its own successor. */
        .type   execute_target,@function
execute_target:
        lgr     %r11,%r14
        lghi    %r2,0
        lghi    %r3,100
        larl    %r4,target
        larl    %r5,replacement
        larl    %r6,1f
1:      sth     %r3,2(%r4)
        ex      0,0(%r4)                # adds r3
        brctg   %r3,1b
        CHECK_EQ %r2, 5050
        lghi    %r2,0
        lghi    %r3,100
2:      larl    %r6,3f
        mvhhi   2(%r6),7
        larl    %r4,over
        ex      0,0(%r4)                # mvc over the next instruction
3:      aghi    %r2,7
        brctg   %r3,2b
        CHECK_EQ %r2, 300
        br      %r11
        .balign 2
target: aghi    %r2,0
over:   mvc     0(4,%r6),0(%r5)
replacement:
        aghi    %r2,3
        .size   execute_target,.-execute_target

/* A counter in the same 64-byte line as the loop that uses it: nothing changes but the data. */
        .type   same_line,@function
        .balign 64
same_line:
        lgr     %r11,%r14
        larl    %r4,9f
        xc      0(8,%r4),0(%r4)
        lghi    %r3,500
1:      agsi    0(%r4),2
        brctg   %r3,1b
        lg      %r2,0(%r4)
        j       2f
        .balign 8
9:      .quad   0
2:      CHECK_EQ %r2, 1000
        br      %r11
        .size   same_line,.-same_line

        .balign 4096
far:    lghi    %r2,0
        br      %r14
        .balign 256
slot:   .space  8

external_interruption:
svc_interruption:
        larl    %r14,.
        j       failed
        PROGRAM_INTERRUPTION
        .bss
        .balign 4096
stack:  .space  8192
stack_end:
