# SPDX-License-Identifier: GPL-3.0-or-later
# An instruction that is changed before each time it is carried out.
        .include "bench.inc"
        BEGIN
1:      larl    %r1,2f
        sthy    %r11,2(%r1)
        lghi    %r3,0
        lghi    %r4,0
        lghi    %r5,0
        lghi    %r6,0
        lghi    %r7,0
        lghi    %r8,0
2:      lghi    %r2,0
        agr     %r3,%r2
        lghi    %r0,10
3:      aghi    %r4,1
        aghi    %r5,1
        aghi    %r6,1
        brctg   %r0,3b
        brctg   %r11,1b
        END
