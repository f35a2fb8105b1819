# SPDX-License-Identifier: GPL-3.0-or-later
# Ten RIEMIT in a short loop.
        .include "bench.inc"
        BEGIN
        lghi    %r2,1
        lghi    %r3,7
1:      .rept   5
        .long   0xaa240000              # riemit %r2
        agr     %r2,%r3
        .long   0xaa340000              # riemit %r3
        .endr
        brctg   %r11,1b
        END
