/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time's own assembly: the way between C and compiled code. Compiled code has: 10 the program
   buffer, 11 its frame, 12 struct vm, 14 the return address, 15 the stack of C; 0 to 9 and 13 are free at a call. */
        .text
/* call_code(entry, frame, vm): the result. */
        .globl  call_code
        .type   call_code,@function
call_code:
        stmg    %r6,%r15,48(%r15)
        aghi    %r15,-168
        lgr     %r11,%r3
        lgr     %r12,%r4
        llilh   %r10,0x30               # BUFFER_START
        basr    %r14,%r2
        lg      %r2,0(%r11)
        lmg     %r6,%r15,168+48(%r15)
        br      %r14
        .size   call_code,.-call_code

/* From compiled code into C; %r0 is the argument. */
        .macro  GLUE name, function
        .globl  \name
        .type   \name,@function
\name:  aghi    %r15,-168
        stg     %r14,160(%r15)
        lgr     %r2,%r0
        lgr     %r3,%r11
        brasl   %r14,\function
        lg      %r14,160(%r15)
        aghi    %r15,168
        br      %r14
        .size   \name,.-\name
        .endm
        GLUE    glue_interpret, interpret
        GLUE    glue_poll, safepoint
        GLUE    glue_trigger, triggered
        GLUE    glue_receiver, receiver_slow
        GLUE    glue_new, new_object
        GLUE    glue_newarr, new_array

        .section .note.GNU-stack,"",@progbits
