# SPDX-License-Identifier: GPL-3.0-or-later
# An interpreter of byte code: an indirect branch for each operation, whose targets only history tells. Operations are a
# byte and an operand byte: a variable, or where to go on. Variables are doublewords from DATA on.
        .include "bench.inc"
        .macro  GO                      # the next operation; its operand in %r4
        llgc    %r1,0(%r2)
        llgc    %r4,1(%r2)
        la      %r2,2(%r2)
        sllg    %r1,%r1,3
        lg      %r1,0(%r1,%r7)
        br      %r1
        .endm
        BEGIN
        larl    %r7,table
        larl    %r8,code
.Lagain:
        lgr     %r2,%r8
        lghi    %r5,0                   # the accumulator
        GO
load:   lgr     %r5,%r4
        GO
add:    sllg    %r4,%r4,3
        ag      %r5,0(%r4,%r12)
        GO
keep:   sllg    %r4,%r4,3
        stg     %r5,0(%r4,%r12)
        GO
both:   sllg    %r4,%r4,3
        xg      %r5,0(%r4,%r12)
        GO
times:  sllg    %r4,%r4,3
        lg      %r3,0(%r4,%r12)
        msgr    %r5,%r3
        GO
less:   lg      %r5,0(%r12)             # variable 0 counts
        aghi    %r5,-1
        stg     %r5,0(%r12)
        jz      .Lend
        la      %r2,0(%r4,%r8)
.Lend:  GO
stop:   brctg   %r11,.Lagain
        END
        .balign 8
table:  .quad   load,add,keep,both,times,less,stop
# v0 = 60; do { v1 = (v1 + v0) ^ v2; v2 = 3 * v1 + v0; } while (--v0)
code:   .byte   0,3, 2,3, 0,60, 2,0
        .byte   0,0, 1,1, 1,0, 3,2, 2,1 # from 8 on
        .byte   4,3, 1,0, 2,2
        .byte   5,8, 6,0
