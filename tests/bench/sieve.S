# SPDX-License-Identifier: GPL-3.0-or-later
# Sieve over 8,192 bytes.
        .include "bench.inc"
        BEGIN
1:      lgr     %r1,%r12
        lhi     %r0,1024
        lghi    %r3,-1
2:      stg     %r3,0(%r1)
        la      %r1,8(%r1)
        brct    %r0,2b
        lghi    %r2,2
3:      la      %r1,0(%r2,%r12)
        cli     0(%r1),0
        je      5f
        lgr     %r4,%r2
        sllg    %r4,%r4,1
4:      cghi    %r4,8192
        jhe     5f
        la      %r5,0(%r4,%r12)
        mvi     0(%r5),0
        agr     %r4,%r2
        j       4b
5:      aghi    %r2,1
        cghi    %r2,4096
        jl      3b
        brctg   %r11,1b
        END
