# SPDX-License-Identifier: GPL-3.0-or-later
# Hashes of a text, byte by byte and doubleword by doubleword.
        .include "bench.inc"
        BEGIN
        lgr     %r1,%r12
        lghi    %r0,4096
        lhi     %r2,17
1:      stc     %r2,0(%r1)
        mhi     %r2,77
        ahi     %r2,41
        la      %r1,1(%r1)
        brctg   %r0,1b
        lgfi    %r9,0x01000193
2:      lgr     %r1,%r12
        lghi    %r0,4096
        llilf   %r2,0x811c9dc5
3:      llgc    %r3,0(%r1)              # FNV
        xr      %r2,%r3
        msr     %r2,%r9
        la      %r1,1(%r1)
        brctg   %r0,3b
        lgr     %r1,%r12
        lghi    %r0,512
        lghi    %r5,0
4:      lg      %r3,0(%r1)              # rotate and add
        xgr     %r5,%r3
        rllg    %r5,%r5,13
        agr     %r5,%r3
        srlg    %r4,%r5,29
        xgr     %r5,%r4
        aghi    %r1,8
        brctg   %r0,4b
        brctg   %r11,2b
        END
