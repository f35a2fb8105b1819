# SPDX-License-Identifier: GPL-3.0-or-later
# Counters and flags in storage that are changed by COMPARE AND SWAP, and by LOAD AND ADD, AND, OR.
        .include "bench.inc"
        BEGIN
        lghi    %r4,1
        lghi    %r5,-2
1:      l       %r2,0(%r12)
2:      lr      %r3,%r2
        ahi     %r3,1
        cs      %r2,%r3,0(%r12)
        jl      2b
        lg      %r2,8(%r12)
3:      lgr     %r3,%r2
        aghi    %r3,3
        csg     %r2,%r3,8(%r12)
        jl      3b
        laag    %r6,%r4,16(%r12)
        laal    %r7,%r4,24(%r12)
        lao     %r8,%r4,28(%r12)
        lang    %r9,%r5,32(%r12)
        jz      4f
        aghi    %r10,1
4:      brctg   %r11,1b
        END
