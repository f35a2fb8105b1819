# SPDX-License-Identifier: GPL-3.0-or-later
# EXECUTE of a move and a compare with lengths in a register.
        .include "bench.inc"
        BEGIN
        lghi    %r2,0
1:      ex      %r2,2f-.Lbase(%r13)
        ex      %r2,3f-.Lbase(%r13)
        aghi    %r2,1
        nill    %r2,15
        brctg   %r11,1b
        END
2:      mvc     0(1,%r12),256(%r12)
3:      clc     0(1,%r12),256(%r12)
