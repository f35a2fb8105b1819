# SPDX-License-Identifier: GPL-3.0-or-later
# Recursive calls: the Fibonacci number of 20 the long way, with register save areas.
        .include "bench.inc"
        BEGIN
        lgfi    %r15,DATA + 0x10000
1:      lghi    %r2,20
        brasl   %r14,fib
        brctg   %r11,1b
        END
fib:    cghi    %r2,2
        blr     %r14
        stmg    %r12,%r15,96(%r15)
        aghi    %r15,-160
        lgr     %r12,%r2
        aghi    %r2,-1
        brasl   %r14,fib
        lgr     %r13,%r2
        lgr     %r2,%r12
        aghi    %r2,-2
        brasl   %r14,fib
        agr     %r2,%r13
        lmg     %r12,%r15,256(%r15)
        br      %r14
