# SPDX-License-Identifier: GPL-3.0-or-later
# Ten RINEXT in a short loop.
        .include "bench.inc"
        BEGIN
        lghi    %r2,1
        lghi    %r3,7
1:      .rept   5
        .long   0xaa000000              # rinext
        agr     %r2,%r3
        .long   0xaa000000              # rinext
        agr     %r2,%r3
        .endr
        brctg   %r11,1b
        END
