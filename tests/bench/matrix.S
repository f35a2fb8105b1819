# SPDX-License-Identifier: GPL-3.0-or-later
# Product of two 32 by 32 matrices of words.
        .include "bench.inc"
        BEGIN
        FILL_WORDS 2048, 1103515, "lhi %r2,1"   # both
2:      lghi    %r2,0                   # row
3:      lghi    %r3,0                   # column
4:      lhi     %r6,0
        sllg    %r4,%r2,7
        la      %r4,0(%r4,%r12)         # a[row][0]
        sllg    %r5,%r3,2
        la      %r5,0(%r5,%r12)
        ay      %r6,4096(%r5)
        lhi     %r0,32
5:      l       %r7,0(%r4)
        ms      %r7,0x800(%r5)
        ar      %r6,%r7
        la      %r4,4(%r4)
        la      %r5,128(%r5)
        brct    %r0,5b
        sllg    %r4,%r2,7
        sllg    %r5,%r3,2
        agr     %r4,%r5
        sty     %r6,0x4000(%r4,%r12)
        aghi    %r3,1
        cghi    %r3,32
        jl      4b
        aghi    %r2,1
        cghi    %r2,32
        jl      3b
        brctg   %r11,2b
        END
