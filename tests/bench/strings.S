# SPDX-License-Identifier: GPL-3.0-or-later
# Long strings: MVCL, CLCL, SRST, TR, TRT.
        .include "bench.inc"
        BEGIN
        lgr     %r1,%r12                # 8 KiB of ones, a table
        llihf   %r3,0x01010101
        oilf    %r3,0x01010101
        FILL_DOUBLEWORDS %r1, %r3, 1024
        lgfi    %r10,DATA + 0x4000
        xc      0(256,%r10),0(%r10)
        mvi     255(%r10),3
        lgfi    %r9,DATA + 0x8000
2:      lgr     %r2,%r9
        lghi    %r3,4096
        lgr     %r4,%r12
        lghi    %r5,4096
        mvcl    %r2,%r4
        lgr     %r2,%r9
        lghi    %r3,4096
        lgr     %r4,%r12
        lghi    %r5,4096
        clcl    %r2,%r4
        lhi     %r0,0
        lgr     %r4,%r12
        la      %r5,4095(%r12)
3:      srst    %r5,%r4
        jo      3b
        trt     0(256,%r12),0(%r10)
        mvc     512(256,%r10),0(%r12)
        tr      512(256,%r10),0(%r10)
        brctg   %r11,2b
        END
