# SPDX-License-Identifier: GPL-3.0-or-later
# Hexadecimal floating point: a polynomial in short and long numbers, sums, quotients, roots, comparison.
        .include "bench.inc"
        BEGIN
        FLOAT
        ld      %f0,x-.Lbase(%r13)
        le      %f8,x-.Lbase(%r13)
1:      ld      %f2,one-.Lbase(%r13)    # long
        mdr     %f2,%f0
        ad      %f2,half-.Lbase(%r13)
        mdr     %f2,%f0
        sd      %f2,third-.Lbase(%r13)
        mdr     %f2,%f0
        adr     %f2,%f0
        ldr     %f4,%f2
        dd      %f4,three-.Lbase(%r13)
        cdr     %f4,%f2
        jh      2f
        madr    %f6,%f0,%f4
        hdr     %f6,%f6
2:      ler     %f10,%f8                # short
        mee     %f10,third-.Lbase(%r13)
        aer     %f10,%f8
        ler     %f12,%f10
        ser     %f12,%f8
        der     %f12,%f8
        ltdr    %f6,%f6
        brctg   %r11,1b
        END
        .balign 8
x:      .quad   0x40b5043f12345678
one:    .quad   0x4110000000000000
half:   .quad   0x4080000000000000
third:  .quad   0x4055555555555555
three:  .quad   0x4130000000000000
