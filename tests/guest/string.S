/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage-to-storage and string instructions: long operands, overlap, page crossing, condition codes. */
        .include "bare.inc"
        LOW_STORAGE
start:  larl    %r15,stack_end-160
        brasl   %r14,fill
        brasl   %r14,moves
        brasl   %r14,compares
        brasl   %r14,searches
        brasl   %r14,translates
        brasl   %r14,decimals
        FINISH

/* area: byte i is i*7 mod 256, 20000 bytes. */
        .type   fill,@function
fill:   larl    %r2,area
        lghi    %r3,20000
        lghi    %r4,0
0:      stc     %r4,0(%r2)
        aghi    %r4,7
        la      %r2,1(%r2)
        brctg   %r3,0b
        br      %r14
        .size   fill,.-fill

/* Sum of the bytes of area+%r2, length %r3, each multiplied by its place, into %r2. */
        .type   weigh,@function
weigh:  larl    %r4,area
        agr     %r4,%r2
        lghi    %r2,0
        lghi    %r5,1
0:      llgc    %r0,0(%r4)
        msgr    %r0,%r5
        agr     %r2,%r0
        la      %r4,1(%r4)
        aghi    %r5,1
        brctg   %r3,0b
        br      %r14
        .size   weigh,.-weigh

        .type   moves,@function
moves:  stg     %r14,8(%r15)
        larl    %r6,area
        lghi    %r2,0
        lghi    %r3,5000
        brasl   %r14,weigh
        CHECK_EQ %r2, 0x5ef52b18
        la      %r7,4000(%r6)           # MVC across a page, overlapping by one: propagates the first byte
        mvc     1(256,%r7),0(%r7)
        lghi    %r2,4000
        lghi    %r3,300
        brasl   %r14,weigh
        CHECK_EQ %r2, 0x473f44
        lgr     %r8,%r6                 # MVCL: 9001 bytes from area to area+10000
        aghi    %r8,10000
        lghi    %r9,9001
        lgr     %r2,%r6
        llilf   %r3,0x5a000000+9000     # one byte of padding X'5A'
        mvcl    %r8,%r2
        CHECK_CC 2
        CHECK_EQ %r9, 0
        lghi    %r2,10000
        lghi    %r3,9001
        brasl   %r14,weigh
        CHECK_EQ %r2, 0x132133e62
        lgr     %r8,%r6                 # destructive overlap: cc 3, nothing moved
        aghi    %r8,1
        lghi    %r9,100
        lgr     %r2,%r6
        lghi    %r3,100
        mvcl    %r8,%r2
        CHECK_CC 1
        CHECK_EQ %r9, 100
        lgr     %r8,%r6                 # MVCLE with padding
        lghi    %r9,3000
        lgr     %r2,%r6
        aghi    %r2,5000
        lghi    %r3,2000
0:      mvcle   %r8,%r2,0xa5
        jo      0b
        CHECK_CC 2
        lghi    %r2,0
        lghi    %r3,3100
        brasl   %r14,weigh
        CHECK_EQ %r2, 0x29ed77c0
        la      %r7,255(%r6)            # MVCIN
        larl    %r8,scratch
        mvcin   0(256,%r8),0(%r7)
        llgc    %r2,0(%r8)
        llgc    %r3,255(%r8)
        llgc    %r4,255(%r6)
        llgc    %r5,0(%r6)
        cgrjne  %r2,%r4,1f
        cgrje   %r3,%r5,2f
1:      brasl   %r14,failed
2:      xc      0(200,%r8),0(%r8)
        CHECK_CC 8
        oc      0(200,%r8),0(%r6)
        CHECK_CC 4
        nc      0(200,%r8),0(%r6)
        CHECK_CC 4
        clc     0(200,%r8),0(%r6)
        CHECK_CC 8
        lg      %r14,8(%r15)
        br      %r14
        .size   moves,.-moves

        .type   compares,@function
compares:
        stg     %r14,8(%r15)
        larl    %r6,area
        lgr     %r8,%r6                 # CLCL: equal for 2000, then padding
        aghi    %r8,5000
        larl    %r2,copy
        la      %r4,0(%r2)
        lghi    %r5,2000
        lgr     %r0,%r8
        lghi    %r1,2000
        mvcl    %r4,%r0
        lghi    %r9,2000
        larl    %r2,copy
        lghi    %r3,2000
        clcl    %r8,%r2
        CHECK_CC 8
        larl    %r2,copy                # now differ at 1234
        xi      1234(%r2),0x80
        lgr     %r8,%r6
        aghi    %r8,5000
        lghi    %r9,2000
        lghi    %r3,2000
        clcl    %r8,%r2
        CHECK_CC 6
        CHECK_EQ %r9, 766
        larl    %r4,copy+1234
        cgrje   %r2,%r4,0f
        brasl   %r14,failed
0:      lgr     %r8,%r6                 # CLCLE
        aghi    %r8,5000
        lghi    %r9,1000
        larl    %r2,copy
        lghi    %r3,1234
1:      clcle   %r8,%r2,0
        jo      1b
        CHECK_CC 6
        larl    %r2,text                # CLST
        larl    %r3,text2
        lghi    %r0,0
2:      clst    %r2,%r3
        jo      2b
        CHECK_CC 4
        larl    %r4,text+10
        cgrje   %r2,%r4,3f
        brasl   %r14,failed
3:      larl    %r2,copy                # MVST
        larl    %r3,text
4:      mvst    %r2,%r3
        jo      4b
        larl    %r4,copy
        sgr     %r2,%r4
        CHECK_EQ %r2, 28
        larl    %r3,text
        larl    %r4,copy
        clc     0(29,%r4),0(%r3)
        CHECK_CC 8
        lg      %r14,8(%r15)
        br      %r14
        .size   compares,.-compares

        .type   searches,@function
searches:
        stg     %r14,8(%r15)
        larl    %r6,area
        mvi     0(%r6),0
        xc      0(256,%r6),0(%r6)
        mvc     256(256,%r6),0(%r6)
        mvc     512(256,%r6),0(%r6)
        mvi     700(%r6),0x77
        lghi    %r0,0x77
        lgr     %r3,%r6
        la      %r2,768(%r6)
0:      srst    %r2,%r3
        jo      0b
        CHECK_CC 4
        sgr     %r2,%r6
        CHECK_EQ %r2, 700
        lgr     %r3,%r6
        la      %r2,600(%r6)
1:      srst    %r2,%r3
        jo      1b
        CHECK_CC 2
        larl    %r7,table               # TRT: function byte at X'77'
        mvi     0x77(%r7),9
        lghi    %r1,0
        lghi    %r2,0
        trt     600(150,%r6),0(%r7)
        CHECK_CC 4
        CHECK_EQ %r2, 9
        larl    %r4,area+700
        lghi    %r1,0
        lghi    %r2,0
        trt     600(101,%r6),0(%r7)
        CHECK_CC 2
        lghi    %r2,0
        trt     0(256,%r6),0(%r7)
        CHECK_CC 8
        lg      %r14,8(%r15)
        br      %r14
        .size   searches,.-searches

        .type   translates,@function
translates:
        stg     %r14,8(%r15)
        larl    %r7,table               # table: i -> 255 - i
        lghi    %r2,256
        lghi    %r3,255
        lgr     %r4,%r7
0:      stc     %r3,0(%r4)
        aghi    %r3,-1
        la      %r4,1(%r4)
        brctg   %r2,0b
        larl    %r6,area
        tr      3900(256,%r6),0(%r7)    # crosses a page
        lghi    %r2,3900
        lghi    %r3,300
        brasl   %r14,weigh
        CHECK_EQ %r2, 0x5fc1ac
        larl    %r6,area                # TRE stops at the test byte
        lgr     %r8,%r6
        lghi    %r9,1000
        lghi    %r0,0x77
        larl    %r10,table
1:      tre     %r8,%r10
        jo      1b
        CHECK_CC 4
        CHECK_EQ %r9, 300
        lgr     %r2,%r6                 # checksum, 333 bytes
        lghi    %r2,0
        lghi    %r3,0
        larl    %r4,text
        lghi    %r5,27
2:      cksm    %r3,%r4
        jo      2b
        llgfr   %r3,%r3
        CHECK_EQ %r3, 0xe4f9f6af
        lg      %r14,8(%r15)
        br      %r14
        .size   translates,.-translates

/* PACK, UNPK and conversion to and from binary. */
        .type   decimals,@function
decimals:
        stg     %r14,8(%r15)
        larl    %r6,scratch
        lgfi    %r2,-1234567
        cvd     %r2,0(%r6)
        lg      %r3,0(%r6)
        CHECK_EQ %r3, 0x1234567d
        unpk    8(9,%r6),0(8,%r6)
        lg      %r3,8(%r6)
        CHECK_EQ %r3, 0xf0f0f1f2f3f4f5f6
        pack    0(8,%r6),8(9,%r6)
        lghi    %r4,0
        cvb     %r4,0(%r6)
        lgfr    %r4,%r4
        CHECK_EQ %r4, -1234567
        larl    %r3,packed_digits
        mvc     0(8,%r6),0(%r3)
        mvo     0(4,%r6),4(3,%r6)
        lg      %r3,0(%r6)
        CHECK_EQ %r3, 0x0556677455667788
        lg      %r14,8(%r15)
        br      %r14
        .size   decimals,.-decimals

external_interruption:
svc_interruption:
        larl    %r14,.
        j       failed
        PROGRAM_INTERRUPTION
        .balign 8
packed_digits:  .byte   0x11,0x22,0x33,0x44,0x55,0x66,0x77,0x88
text:   .asciz  "the stringsthat are compared"
        .balign 2
text2:  .asciz  "the stringythat are compared"
        .bss
        .balign 4096
area:   .space  20480
copy:   .space  4096
table:  .space  256
scratch: .space 512
stack:  .space  8192
stack_end:
