# SPDX-License-Identifier: GPL-3.0-or-later
# The sieve with DAT on: a segment table for 16 MiB with page tables that map each page to itself.
        .include "bench.inc"
        BEGIN
        lgfi    %r1,0x200000            # segment table: 2,048 entries, invalid but for the first 16
        lgr     %r2,%r1
        lghi    %r3,0x20
        FILL_DOUBLEWORDS %r2, %r3, 2048
        lgfi    %r4,0x210000            # page tables
        lgr     %r2,%r1
        FILL_DOUBLEWORDS %r2, %r4, 16, 2048
        lgfi    %r4,0x210000
        lghi    %r5,0
        FILL_DOUBLEWORDS %r4, %r5, 4096, 4096
        stg     %r1,0(%r12)             # ASCE: segment table, 2 GiB
        lctlg   %c1,%c1,0(%r12)
        larl    %r1,on
        lpswe   0(%r1)
        .balign 8
on:     .quad   0x0400000180000000,run
run:    SIEVE
        END
