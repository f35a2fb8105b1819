# SPDX-License-Identifier: GPL-3.0-or-later
# SUPERVISOR CALL and LOAD PSW EXTENDED, forth and back.
        .include "bench.inc"
        BEGIN
        larl    %r1,new
        mvc     448(16,%r0),0(%r1)      # supervisor-call new PSW
1:      svc     1
        brctg   %r11,1b
        END
handler:
        aghi    %r2,1
        lpswe   320(%r0)                # supervisor-call old PSW
        .balign 8
new:    .quad   0x0000000180000000,handler
