# SPDX-License-Identifier: GPL-3.0-or-later
# Packed decimal in vector registers: what packed.S does to storage.
        .include "bench.inc"
        BEGIN
        FLOAT
        vlip    %v0,0x1605,0
        vlip    %v1,0x2345,0
        vlip    %v2,0x123,1
        vlip    %v3,0x9999,8
        vlip    %v8,0,0
1:      vmp     %v4,%v0,%v1,31,1
        vsrp    %v4,%v4,31,62,1
        vap     %v8,%v8,%v4,31,1
        vsp     %v8,%v8,%v2,31,1
        vcp     %v8,%v3,0
        jl      2f
        vlip    %v8,0x123,0
2:      vdp     %v5,%v8,%v1,31,1
        vrp     %v6,%v8,%v1,31,1
        vap     %v9,%v5,%v6,31,1
        vcvd    %v7,%r11,31,1
        vcvb    %r2,%v7,1
        vupkz   %v9,0(%r12),15
        vpkz    %v10,0(%r12),15
        brctg   %r11,1b
        END
