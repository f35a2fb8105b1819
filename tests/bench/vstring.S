# SPDX-License-Identifier: GPL-3.0-or-later
# Vector string instructions: length of a string, a character in it, comparison of two, one of several characters.
        .include "bench.inc"
        BEGIN
        FLOAT
        lgr     %r1,%r12                # 1,023 letters and a zero, twice
        lghi    %r0,2048
        lhi     %r2,'a'
1:      stc     %r2,0(%r1)
        la      %r1,1(%r1)
        brctg   %r0,1b
        mvi     1023(%r12),0
        mvi     2047(%r12),0
        vrepib  %v2,'z'
        vlrepb  %v3,vowels-.Lbase(%r13)
2:      lghi    %r1,0                   # length
3:      vl      %v0,0(%r1,%r12)
        vfenezbs %v1,%v0,%v0
        la      %r1,16(%r1)
        jno     3b
        lghi    %r1,0                   # search
4:      vlbb    %v0,0(%r1,%r12),6
        vfeezbs %v1,%v0,%v2
        la      %r1,16(%r1)
        brc     1,4b
        vlgvb   %r3,%v1,7
        lghi    %r1,0                   # compare
5:      vl      %v0,0(%r1,%r12)
        vl      %v4,1024(%r1,%r12)
        vfenezbs %v1,%v0,%v4
        la      %r1,16(%r1)
        brc     1,5b
        lghi    %r1,0                   # any of
6:      vl      %v0,0(%r1,%r12)
        vfaezbs %v1,%v0,%v3
        la      %r1,16(%r1)
        brc     1,6b
        vistrbs %v1,%v0
        brctg   %r11,2b
        END
vowels: .byte   'e'
