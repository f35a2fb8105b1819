/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time on the nucleus: its beginning, and supervisor calls. */
        .text
        .globl  _start
        .type   _start,@function
_start: brasl   %r14,run_time           # text, flags
        svc     2
        j       .
        .size   _start,.-_start

/* service(number, a, b, c): %r2 of the answer. */
        .globl  service
        .type   service,@function
service:
        lgr     %r1,%r2
        lgr     %r2,%r3
        lgr     %r3,%r4
        lgr     %r4,%r5
        larl    %r5,call
        ex      %r1,0(%r5)              # the number is the second byte of the instruction
        br      %r14
call:   svc     0
        .size   service,.-service
        .section .note.GNU-stack,"",@progbits
