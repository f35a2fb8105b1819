# SPDX-License-Identifier: GPL-3.0-or-later
# The sieve with DAT on: a segment table for 16 MiB with page tables that map each page to itself.
        .include "bench.inc"
        BEGIN
        lgfi    %r1,0x200000            # segment table: 2,048 entries, invalid but for the first 16
        lghi    %r0,2048
        lgr     %r2,%r1
        lghi    %r3,0x20
1:      stg     %r3,0(%r2)
        la      %r2,8(%r2)
        brctg   %r0,1b
        lgfi    %r4,0x210000            # page tables
        lgr     %r2,%r1
        lghi    %r0,16
2:      stg     %r4,0(%r2)
        la      %r2,8(%r2)
        aghi    %r4,2048
        brctg   %r0,2b
        lgfi    %r4,0x210000
        lghi    %r5,0
        lghi    %r0,4096
3:      stg     %r5,0(%r4)
        la      %r4,8(%r4)
        aghi    %r5,4096
        brctg   %r0,3b
        stg     %r1,0(%r12)             # ASCE: segment table, 2 GiB
        lctlg   %c1,%c1,0(%r12)
        larl    %r1,on
        lpswe   0(%r1)
        .balign 8
on:     .quad   0x0400000180000000,run
run:    lgr     %r1,%r12
        lhi     %r0,1024
        lghi    %r3,-1
4:      stg     %r3,0(%r1)
        la      %r1,8(%r1)
        brct    %r0,4b
        lghi    %r2,2
5:      la      %r1,0(%r2,%r12)
        cli     0(%r1),0
        je      7f
        lgr     %r4,%r2
        sllg    %r4,%r4,1
6:      cghi    %r4,8192
        jhe     7f
        la      %r5,0(%r4,%r12)
        mvi     0(%r5),0
        agr     %r4,%r2
        j       6b
7:      aghi    %r2,1
        cghi    %r2,4096
        jl      5b
        brctg   %r11,run
        END
