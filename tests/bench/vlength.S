# SPDX-License-Identifier: GPL-3.0-or-later
# What C libraries do with the ends of strings and areas: vectors loaded and stored with a length, copies of 1 to 64 bytes.
        .include "bench.inc"
        BEGIN
        FLOAT
        lgr     %r1,%r12
        lghi    %r0,2048
1:      stc     %r0,0(%r1)
        la      %r1,1(%r1)
        brctg   %r0,1b
2:      lghi    %r2,63                  # highest byte number
3:      lgr     %r3,%r2
        lgr     %r4,%r12
4:      vll     %v0,%r3,0(%r4)
        vstl    %v0,%r3,1024(%r4)
        la      %r4,16(%r4)
        aghi    %r3,-16
        jnl     4b
        lcbb    %r5,0(%r2,%r12),6
        vlbb    %v1,0(%r2,%r12),6
        vlgvb   %r5,%v1,0(%r5)
        aghi    %r2,-1
        jnl     3b
        brctg   %r11,2b
        END
