# SPDX-License-Identifier: GPL-3.0-or-later
# Insertion sort of 256 words.
        .include "bench.inc"
        BEGIN
1:      FILL_WORDS 256, 1103515245, "lr %r2,%r11"
        lghi    %r2,4
3:      l       %r3,0(%r2,%r12)
        lgr     %r4,%r2
4:      la      %r6,0(%r4,%r12)
        aghi    %r6,-4
        l       %r5,0(%r6)
        cr      %r5,%r3
        jnh     5f
        st      %r5,4(%r6)
        aghi    %r4,-4
        jh      4b
5:      st      %r3,0(%r4,%r12)
        la      %r2,4(%r2)
        cghi    %r2,1024
        jl      3b
        brctg   %r11,1b
        END
