# SPDX-License-Identifier: GPL-3.0-or-later
# Before a kernel in C: a stack below the work area, then kernel(REPEAT).
        .include "bench.inc"
        BEGIN
        FLOAT
        lay     %r15,-160(%r12)
        lgr     %r2,%r11
        brasl   %r14,kernel
        END
