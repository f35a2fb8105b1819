# SPDX-License-Identifier: GPL-3.0-or-later
# Long storage operands: MVCLE and MVCL with padding, CLCLE, MVST, CLST, TRE, TROO, TRTR, MVCIN, XC and OC.
        .include "bench.inc"
        BEGIN
        lgfi    %r10,DATA + 0x4000      # table: every byte to itself, but 255
        lgr     %r1,%r10
        lhi     %r2,0
1:      stc     %r2,0(%r1)
        la      %r1,1(%r1)
        ahi     %r2,1
        chi     %r2,256
        jl      1b
        mvi     255(%r10),1
        lgfi    %r9,DATA + 0x8000
2:      lgr     %r2,%r12                # fill
        lghi    %r3,4096
        lghi    %r4,0
        lghi    %r5,0
        icm     %r5,8,letter-.Lbase(%r13)
        mvcl    %r2,%r4
        lgr     %r2,%r9                 # move
        lghi    %r3,4096
        lgr     %r4,%r12
        lghi    %r5,3000
3:      mvcle   %r2,%r4,0x41
        jo      3b
        lgr     %r2,%r9
        lghi    %r3,3000
        lgr     %r4,%r12
        lghi    %r5,4096
4:      clcle   %r2,%r4,0x41            # compare
        jo      4b
        mvi     2000(%r12),0            # strings
        mvi     2000(%r9),0
        lhi     %r0,0
        lgr     %r2,%r9
        lgr     %r4,%r12
5:      clst    %r2,%r4
        jo      5b
        lgr     %r2,%r9
        lgr     %r4,%r12
6:      mvst    %r2,%r4
        jo      6b
        lhi     %r0,255                 # translate
        lgr     %r2,%r9
        lghi    %r3,2000
        lgr     %r4,%r10
7:      tre     %r2,%r4
        jo      7b
        lgr     %r1,%r10
        lgr     %r2,%r9
        lghi    %r3,2000
        lgr     %r4,%r12
8:      troo    %r2,%r4,1
        jo      8b
        mvc     256(256,%r9),0(%r12)
        oc      0(256,%r9),256(%r12)
        xc      256(256,%r9),0(%r12)
        clc     0(256,%r9),0(%r12)
        brctg   %r11,2b
        END
letter: .byte   'a'
