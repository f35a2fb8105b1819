# SPDX-License-Identifier: GPL-3.0-or-later
# Integer loop: sums, logic and shifts on registers.
        .include "bench.inc"
        BEGIN
        lghi    %r2,1
        lghi    %r3,7
        lhi     %r4,3
        lhi     %r5,0
        mghi    %r11,100
1:      agr     %r2,%r3
        xgr     %r3,%r2
        lr      %r6,%r4
        sll     %r6,3
        ar      %r5,%r6
        nr      %r4,%r5
        ahi     %r4,5
        sr      %r5,%r4
        srlg    %r7,%r2,5
        sllg    %r8,%r3,2
        agr     %r7,%r8
        lgr     %r9,%r7
        xr      %r5,%r9
        brctg   %r11,1b
        END
