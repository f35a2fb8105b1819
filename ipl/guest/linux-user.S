/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A system-call nucleus for one static Linux program, the part that cannot be C: low storage, entry and exit of
   interruptions, waiting. The rest is linux-user.c.

   Storage: 0 low storage; X'10000' the nucleus; X'100000'-X'FFFFFF' tables and the argument text; the program from
   X'1000000' on, where static programs for Linux are linked. Every page is mapped to itself; what the program has not
   been given is invalid, and everything below X'1000000' has key 0 with fetch protection. */

        .include "nucleus.inc"
        .set    PSW_WAIT, 0x0002000180000000
        .set    PSW_EXTERNAL, 0x0000000180000000        # also before DAT is on
        .set    SAVE_SVC, 0x200         # 16 registers, then the PSW
        .set    SAVE_PROGRAM, 0x300
        .set    SAVE_EXTERNAL, 0x400

        LOW_STORAGE PSW_EXTERNAL

        .text
        START
        larl    %r2,first_state
        brasl   %r14,nucleus_start
        larl    %r1,first_state
        mvc     SAVE_SVC+128(16,0),128(%r1)
        lmg     %r0,%r15,0(%r1)
        lpswe   SAVE_SVC+128(0)
        .size   start,.-start

        .type   svc_handler,@function
svc_handler:
        stmg    %r0,%r15,SAVE_SVC(0)
        mvc     SAVE_SVC+128(16,0),0x140(0)
        larl    %r15,stack_end-160
        lghi    %r2,SAVE_SVC
        llgh    %r3,0x8a
        brasl   %r14,nucleus_call
        lmg     %r0,%r15,SAVE_SVC(0)
        lpswe   SAVE_SVC+128(0)
        .size   svc_handler,.-svc_handler

        .type   program_handler,@function
program_handler:
        stmg    %r0,%r15,SAVE_PROGRAM(0)
        mvc     SAVE_PROGRAM+128(16,0),0x150(0)
        larl    %r15,stack_end-160
        lghi    %r2,SAVE_PROGRAM
        llgh    %r3,0x8e
        llgf    %r4,0x90                # data-exception code
        lg      %r5,0xa8                # translation-exception identification
        brasl   %r14,nucleus_program_check
        .size   program_handler,.-program_handler

        .type   external_handler,@function
external_handler:
        stg     %r1,SAVE_EXTERNAL(0)
        larl    %r1,nucleus_signalled
        mvi     0(%r1),1
        mvc     SAVE_EXTERNAL+128(16,0),0x130(0)
        ni      SAVE_EXTERNAL+129(0),0xfd       # leave the wait state
        lg      %r1,SAVE_EXTERNAL(0)
        lpswe   SAVE_EXTERNAL+128(0)
        .size   external_handler,.-external_handler

/* nucleus_sclp(command, sccb): SERVICE CALL, and the wait for its end. */
        .globl  nucleus_sclp
        .type   nucleus_sclp,@function
nucleus_sclp:
        larl    %r1,nucleus_signalled
        mvi     0(%r1),0
0:      .insn   rre,0xb2200000,%r2,%r3
        brc     2,0b                    # busy
        bnzr    %r14                    # not operational: no console
1:      cli     0(%r1),0
        bner    %r14
        larl    %r4,enabled_wait
        larl    %r5,1b
        stg     %r5,8(%r4)
        stnsm   0(%r4),0xff             # DAT as it is
        oi      0(%r4),1                # enabled
        lpswe   0(%r4)
        .size   nucleus_sclp,.-nucleus_sclp

        STOP

        .data
        .balign 8
        START_PSWS
enabled_wait:   .quad   PSW_WAIT, 0
control_registers:                      # low-address protection, AFP, vector, service signal
        .quad   0x10060200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .globl  nucleus_signalled
nucleus_signalled:      .byte   0

        .bss
        .balign 16
first_state:    .space  144
        .balign 4096
        .space  16384
stack_end:
        .section .note.GNU-stack,"",@progbits
