/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For edge profiles: long straight code with instructions in two pages, which changes now and then in either page, a
   branch in two pages, calls by register to and from several places, interruptions between samples. */
        .include "bare.inc"
        LOW_STORAGE
start:  larl    %r15,stack_end-160
        lghi    %r12,1000               # rounds
        lghi    %r2,0
        lghi    %r13,0
round:  brasl   %r14,straight
        lghi    %r3,20
        lghi    %r6,0
1:      aghi    %r6,1
        tmll    %r6,3
        jne     2f
        aghi    %r13,1
2:      brctg   %r3,1b
        svc     7                       # the handler adds the number
        larl    %r5,one
        tmll    %r12,1
        je      3f
        larl    %r5,two
3:      basr    %r14,%r5
        basr    %r14,%r5
        tmll    %r12,31
        jne     4f
        larl    %r4,changed             # the rest of an instruction in two pages
        lgr     %r3,%r12
        nilf    %r3,32
        srl     %r3,5
        sth     %r3,0(%r4)              # 0 or 1
        larl    %r4,turning             # branches that are not taken, or none: bits 0-15 are of BRC or LGHI
        larl    %r5,other
        tmll    %r12,32
        mvi     1(%r4),0x74
        mvi     1(%r5),0x14
        je      4f
        mvi     1(%r4),0x79
        mvi     1(%r5),0x19
4:      brctg   %r12,round
        CHECK_EQ %r13, 1000*(5+3)
        CHECK_EQ %r2, ALL
        FINISH
ALL = 1000*(511+1+988+7) - 480       # of the changing one 480 times 0

        .type   one,@function
one:    aghi    %r13,1
        cr      %r0,%r0
turning:
        jne     .+4                     # or lghi %r7,2
        .rept   70
        la      %r4,0(%r4)
        .endr
        br      %r14
        .size   one,.-one
        .type   two,@function
two:    aghi    %r13,2
        br      %r14
        .size   two,.-two

        ADD_SVC_NUMBER %r2

external_interruption:
        larl    %r14,.
        j       failed
        PROGRAM_INTERRUPTION

        .balign 4096
        .space  0x802
        .type   straight,@function
straight:
        .rept   511
        la      %r2,1(%r2)
        .endr
        .short  0xa72b                  # AGHI, its immediate in the next page
changed:
        .short  1
        .rept   988
        la      %r2,1(%r2)
        .endr
other:  jo      .+4                     # or lghi %r1,2
        .rept   33
        la      %r4,0(%r4)
        .endr
        cghi    %r2,0
        jne     5f                      # in two pages
        la      %r2,1(%r2)
5:      br      %r14
        .size   straight,.-straight
        .bss
        .balign 4096
stack:  .space  8192
stack_end:
