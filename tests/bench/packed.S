# SPDX-License-Identifier: GPL-3.0-or-later
# Packed decimal as in a payroll: products, sums, rounding, comparison, quotients, conversions, editing.
        .include "bench.inc"
        BEGIN
        zap     8(8,%r12),fee-.Lbase(2,%r13)
        zap     24(16,%r12),fee-.Lbase(2,%r13)
1:      zap     0(8,%r12),hours-.Lbase(4,%r13)
        mp      0(8,%r12),rate-.Lbase(3,%r13)
        srp     0(8,%r12),62,5
        ap      8(8,%r12),0(8,%r12)
        sp      8(8,%r12),fee-.Lbase(2,%r13)
        cp      8(8,%r12),limit-.Lbase(8,%r13)
        jl      2f
        zap     8(8,%r12),fee-.Lbase(2,%r13)
2:      zap     16(8,%r12),8(8,%r12)
        dp      16(8,%r12),rate-.Lbase(3,%r13)
        ap      24(16,%r12),16(5,%r12)
        lgr     %r2,%r11
        cvd     %r2,48(%r12)
        unpk    56(10,%r12),48(8,%r12)
        pack    72(8,%r12),56(10,%r12)
        cvb     %r3,72(%r12)
        mvc     80(16,%r12),pattern-.Lbase(%r13)
        ed      80(16,%r12),9(%r12)
        brctg   %r11,1b
        END
hours:  .byte   0x00,0x01,0x60,0x5c
rate:   .byte   0x23,0x45,0x7c
fee:    .byte   0x12,0x3d
limit:  .byte   0,9,0x99,0x99,0x99,0x99,0x99,0x9c
pattern: .byte  0x40,0x20,0x6b,0x20,0x20,0x20,0x6b,0x20,0x20,0x21,0x20,0x4b,0x20,0x20,0x20,0x20
