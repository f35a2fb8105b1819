# SPDX-License-Identifier: GPL-3.0-or-later
# Pointer chase: 4,096 pages of 4 KiB in an order with no pattern, one pointer in each.
        .include "bench.inc"
        BEGIN
        lghi    %r2,0                   # page number; the next is 5 n + 1789 modulo 4096
        lhi     %r0,4096
1:      lgr     %r3,%r2
        mghi    %r3,5
        aghi    %r3,1789
        nilf    %r3,4095
        sllg    %r4,%r2,12
        agr     %r4,%r12
        sllg    %r5,%r3,12
        agr     %r5,%r12
        stg     %r5,0(%r4)
        lgr     %r2,%r3
        brct    %r0,1b
        lgr     %r1,%r12
2:      lg      %r1,0(%r1)
        lg      %r1,0(%r1)
        lg      %r1,0(%r1)
        lg      %r1,0(%r1)
        brctg   %r11,2b
        END
