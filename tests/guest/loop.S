/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For edge profiles: a loop of one block, as many passes as a stretch of counted branches may have, and entered at every
   place of such a stretch in turn; behind it the breaking-event address is that of its branch. Then likewise what clock
   and timer say behind it goes into a sum. */
        .include "bare.inc"
        LOW_STORAGE
PASSES = 958                            # 4790 units, of which a branch takes five
start:  larl    %r15,stack_end-160
        lghi    %r12,6000               # rounds
        lghi    %r13,0
        lghi    %r11,0
        larl    %r5,address
        larl    %r6,area
round:  lghi    %r2,PASSES
        j       4f
4:      j       .Lat                    # takes what a pass does; it is not the breaking-event address any more
.Lat:   brctg   %r2,.Lat
        .insn   s,0xb2010000,0(%r6)     # STORE BEAR
        lg      %r4,0(%r6)
        cg      %r4,0(%r5)
        je      1f
        aghi    %r13,1
1:      brctg   %r12,round
        CHECK_EQ %r13, 0
        lghi    %r12,2000
2:      lghi    %r2,PASSES
3:      brctg   %r2,3b
        stckf   8(%r6)
        ag      %r11,8(%r6)
        stpt    16(%r6)
        xg      %r11,16(%r6)
        stmg    %r11,%r12,24(%r6)
        brctg   %r12,2b
        FINISH
external_interruption:
svc_interruption:
program_interruption:
        brasl   %r14,failed
        .balign 8
address: .quad  .Lat
        .bss
        .balign 4096
area:   .space  40
        .balign 4096
stack:  .space  8192
stack_end:
